"""The confirmation of a request, from what was done: exact, in the language of the request, one clean line a memory."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from memory_kernel import MemoryItem
from memory_kernel.formatting import clean
from nodes.requesting.sentences import SENTENCES, Sentences

MAX_LISTED = 30
"""Memories named in one answer; the rest is counted."""
_MAX_LINE = 300
_KINDS = ("profile", "task_context", "experience", "other", "conversation")


def line(words: str, limit: int = _MAX_LINE) -> str:
    """Words as one line of inert text (invariant 8), cut to `limit` characters."""
    text = clean(words[: 4 * limit])
    return text if len(text) <= limit and len(words) <= 4 * limit else text[: limit - 1].rstrip() + "…"


def remembered(language: str, words: str, *, fresh: bool) -> str:
    """It is kept; or was already, and nothing was stored twice."""
    said = _in(language)
    return (said.remembered if fresh else said.known_already).format(words=line(words))


def not_remembered(language: str, words: str) -> str:
    """The store refused."""
    return _in(language).not_remembered.format(words=line(words))


def too_long(language: str, length: int, most: int) -> str:
    """Refused for its length, in characters."""
    return _in(language).too_long.format(length=length, most=most)


def forgotten(language: str, words: str, items: Sequence[MemoryItem]) -> str:
    """What is no longer used: the memories themselves where the assistant may see any, else in the user's words."""
    said = _in(language)
    facts = [item for item in items if item.memory_type != "conversation"]
    if not facts:
        return said.forgotten.format(words=line(words))
    return "\n".join([said.forgotten_those, *_lines(said, facts)])


def not_found(language: str, words: str, near: Sequence[MemoryItem]) -> str:
    """Nothing was taken; what comes closest is named, so that the user can say which."""
    said = _in(language)
    head = said.not_found.format(words=line(words))
    return "\n".join([head, said.closest, *_lines(said, near)]) if near else head


def not_forgotten(language: str, words: str) -> str:
    """The store refused."""
    return _in(language).not_forgotten.format(words=line(words))


def sure(language: str) -> str:
    """Asks before everything is forgotten, with the sentence that confirms it."""
    return _in(language).sure


def asked_if_sure(reply: str) -> bool:
    """Whether a reply of the assistant asks that, in any language."""
    return any(said.sure in reply for said in SENTENCES.values())


def forgot_everything(language: str, user_id: str, *, anything: bool) -> str:
    """Nothing of the user's is used any more; erasing it from disk is the operator's."""
    said = _in(language)
    return said.forgot_everything.format(user=line(shlex.quote(user_id))) if anything else said.nothing_to_forget


def known(language: str, topic: str | None, items: Sequence[MemoryItem]) -> str:
    """What is known, by kind, newest first, what was found worth keeping before what was merely said."""
    said = _in(language)
    if not items:
        return said.knows_nothing if topic is None else said.knows_nothing_about.format(words=line(topic))
    head = said.knows if topic is None else said.knows_about.format(words=line(topic))
    listed = sorted(items, key=lambda item: _KINDS.index(_kind(item)))[:MAX_LISTED]
    lines = [head]
    for kind in _KINDS:
        of_kind = [item for item in listed if _kind(item) == kind]
        if of_kind:
            lines += [f"{said.headings[kind]}:", *_lines(said, of_kind)]
    if len(items) > len(listed):
        lines.append(said.more.format(count=len(items) - len(listed)))
    return "\n".join(lines)


def still_reading(language: str) -> str:
    """Earlier words have not been read yet, so there may be more."""
    return _in(language).still_reading


def not_read(language: str) -> str:
    """Memory cannot be read."""
    return _in(language).not_read


def _in(language: str) -> Sentences:
    return SENTENCES.get(language, SENTENCES["en"])


def _kind(item: MemoryItem) -> str:
    return item.memory_type if item.memory_type in _KINDS else "other"


def _lines(said: Sentences, items: Sequence[MemoryItem]) -> list[str]:
    lines = [f"- {_told(said, item)} ({item.valid_from:%Y-%m-%d})" for item in items[:MAX_LISTED]]
    return lines if len(items) <= MAX_LISTED else [*lines, said.more.format(count=len(items) - MAX_LISTED)]


def _told(said: Sentences, item: MemoryItem) -> str:
    if item.memory_type != "conversation" or not isinstance(item.content, dict):
        return line(item.text)
    who = said.headings["user" if item.content.get("speaker") == "user" else "assistant"]
    return said.said.format(who=who, words=line(str(item.content.get("said", ""))))
