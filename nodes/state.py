"""The graph's state: the conversation, and what one turn adds to it. Nothing here accumulates but `messages`."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from langchain_core.messages import AnyMessage, BaseMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from memory_kernel.errors import MemoryKernelError
from memory_kernel.items import MemoryItem


class InputState(TypedDict):
    """What a client may send: messages, and nothing else."""

    messages: Annotated[list[AnyMessage], add_messages]


class WriteNote(TypedDict, total=False):
    """What an agent did with the user's words. The text stands here only if the item is shared."""

    agent: str
    action: str
    """ "wrote", "already known", "retracted", "failed", or "reading": it goes on behind the reply; by the kernel itself
    "retracted" or "restored"."""
    memory_type: str
    slot: str | None
    sharing_policy: str
    item_id: str
    text: str
    problem: str
    seq_no: int  # of "reading": what comes of it bears this number
    reason: str  # why the kernel did it


class OutputState(InputState):
    """What a client gets back: the conversation, the block the assistant was shown, and why."""

    block: str
    trace: dict[str, Any]
    writes: Annotated[list[WriteNote], operator.add]


class Requested(TypedDict, total=False):
    """What the user asked of their memory in this turn, and what came of it. Empty in a turn without requests."""

    left: list[str]
    """What each of the user's new messages says besides requests, in order; ``""`` where that is nothing."""
    confirmations: list[str]
    recalls: list[tuple[str | None, str]]
    """Topic (None: everything) and language of each question about what is known that is still to be answered."""


class Lineage(TypedDict, total=False):
    """The turn's place in the thread's history: its name, and the earlier messages to read again. See `nodes.history`.

    Without a checkpointer a turn has no name.
    """

    turn: str
    again: list[str]


class State(OutputState):
    """The conversation with its `lineage`, what is `forgotten` of it, and what one turn adds, which `route` clears."""

    lineage: Lineage
    requested: Requested
    forgotten: dict[str, str]
    """By message id, what the model is still shown of a message that says what is to be forgotten; ``""``: nothing,
    nor the reply to it."""


def note_of(item: MemoryItem, action: str, *, by: str | None = None, reason: str | None = None) -> WriteNote:
    """That something was done with an item, by its owner if nobody else is named."""
    note: WriteNote = {
        "agent": by or item.owner_agent,
        "action": action,
        "memory_type": item.memory_type,
        "slot": item.slot,
        "sharing_policy": item.sharing_policy,
        "item_id": item.id,
    }
    if item.sharing_policy == "shared":
        note["text"] = item.text
    if reason is not None:
        note["reason"] = reason
    return note


def in_words(error: Exception) -> str:
    """What went wrong, for the trace and the notes: the kernel's own errors are sentences, others need their name."""
    return str(error) if isinstance(error, MemoryKernelError) else f"{type(error).__name__}: {error}"


def served(values: Mapping[str, Any]) -> str | None:
    """Whom a thread belongs to, by its state: the user of its turns. None before the first one."""
    user_id = ((values.get("trace") or {}).get("identity") or {}).get("user_id")
    return user_id if isinstance(user_id, str) else None


def new_words(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The human messages that nobody has answered yet: the user's own new words, oldest first.

    A system message of the application may stand anywhere among them.
    """
    trailing: list[BaseMessage] = []
    for message in reversed(messages):
        if message.type == "human":
            trailing.append(message)
        elif message.type != "system":
            break
    return trailing[::-1]


def confirmation(state: State) -> str:
    """What the reply says about the requests of this turn; ``""`` if there were none."""
    return "\n\n".join((state.get("requested") or {}).get("confirmations", []))


def only_requests(state: State) -> bool:
    """Whether the user said nothing but requests in this turn, so that the confirmation is the whole answer."""
    requested = state.get("requested") or {}
    return (
        bool(requested.get("confirmations"))
        and not any(requested.get("left", []))
        and not any(
            isinstance(part, dict) and part.get("type") != "text"
            for message in new_words(state["messages"])
            for part in (message.content if isinstance(message.content, list) else ())
        )
    )
