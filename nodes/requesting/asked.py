"""A turn's messages as requests, and as those of its nodes see them that must not read requests as statements."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from memory_kernel.injection import text_of
from nodes.history import to_read
from nodes.requesting import replies
from nodes.requesting.reading import ForgetEverything, Reading, agrees, read
from nodes.state import State, new_words


def readings(messages: Sequence[BaseMessage]) -> list[Reading]:
    """The requests in each of the user's new messages.

    To forget everything is confirmed only where the reply before asked for it; a bare "yes" to that is no confirmation,
    and has it asked again.
    """
    said = [text_of(message) for message in new_words(messages)]
    asked = _asked_if_sure(messages)
    found = [_confirmable(read(text), asked) for text in said]
    language = agrees(said[-1]) if asked and said else None
    if language is not None:
        found[-1] = Reading([ForgetEverything(language)], "")
    return found


def asks(messages: Sequence[BaseMessage]) -> bool:
    """Whether the user's new words hold a request."""
    return any(reading.requests for reading in readings(messages))


def unrequested(state: State, said: Sequence[BaseMessage]) -> list[str]:
    """What the user's new messages say besides requests, which are carried out and kept elsewhere."""
    left = (state.get("requested") or {}).get("left", [])
    return list(left) if len(left) == len(said) else [text_of(message) for message in said]


def edited_words(state: State) -> list[BaseMessage]:
    """The earlier messages that say something else than when they were read, without requests: those are not
    carried out afterwards, and are no statements."""
    new = new_words(state["messages"])
    edited = to_read(state)[: -len(new) or None]
    left = [(message, read(text_of(message)).left.strip()) for message in edited]
    return [m if text == text_of(m).strip() else m.model_copy(update={"content": text}) for m, text in left if text]


def _asked_if_sure(messages: Sequence[BaseMessage]) -> bool:
    """Whether the reply that the user's new words answer asked if everything is to be forgotten."""
    before = next((m for m in reversed(messages) if m.type not in ("human", "system")), None)
    return before is not None and before.type == "ai" and replies.asked_if_sure(text_of(before))


def _confirmable(reading: Reading, asked: bool) -> Reading:
    """A confirmation of what was not asked is a request like the first."""
    requests = [
        ForgetEverything(r.language) if isinstance(r, ForgetEverything) and not asked else r for r in reading.requests
    ]
    return Reading(requests, reading.left)
