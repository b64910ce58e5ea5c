"""Which of the things said in a thread still count, by the turn that the thread now goes on from. Pure rules.

A turn's name is a digest of its parent's name and of what was read in it, so the same turn run again has the same name,
and another text, or the same words after another past, another one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from memory_kernel.ledger.base import Reading, ThreadChange

ROOT = ""
"""The parent of a thread's first turn."""

EDITED = "its message was edited"
REMOVED = "its message was removed"
ABANDONED = "its branch of the conversation was abandoned"


class Step(NamedTuple):
    """How a thread goes on: the record's change, and the messages that say something else than when they were read."""

    change: ThreadChange
    edited: tuple[str, ...] = ()


def digest(secret: bytes, text: str) -> str:
    """Of a text or a turn, keyed: without the secret nobody can try out short texts on it."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), key=secret, digest_size=16).hexdigest()


def is_known(readings: Sequence[Reading], turn: str) -> bool:
    """Whether the record knows a turn, or what followed it."""
    return any(turn in (r.turn, r.parent) for r in readings)


def next_step(
    secret: bytes,
    readings: Sequence[Reading],
    after: str | None,
    shown: Mapping[str, str],
    new: Collection[str],
    *,
    from_checkpoint: bool,
) -> Step:
    """How the thread goes on with the turn that follows `after`.

    `shown`: digests of the user's messages that the thread shows, by id; `new`: those that nobody has answered.
    `from_checkpoint`: the run was sent back to an earlier checkpoint on purpose.
    """
    if after is None or not is_known(readings, after):
        after = _found(readings, shown, new) or after
    if after is None and (from_checkpoint or any(r.message_id in shown for r in readings)):
        after = ROOT  # sent back to before the first turn
    # Otherwise it is another thread of the same name, or one whose past is not recorded: what is on record is not its
    # past, and nothing is taken back on a guess.
    anew = bool(readings) and (after is None or not is_known(readings, after))
    parent = ROOT if after is None else after
    known = [] if anew else readings
    counted = _counted(known, parent)
    added: dict[str, str | None] = {
        message: said
        for message, said in shown.items()
        if (message in counted and counted[message].digest != said) or (message in new and message not in counted)
    }
    added.update(dict.fromkeys(_removed(known, parent, counted, shown)))
    turn = _name(secret, parent, added) if added else parent
    edited = tuple(m for m in added if m in counted and added[m] is not None and m not in new)
    return Step(_change(known, turn, parent, added, anew=anew), edited)


def going_on(readings: Sequence[Reading], turn: str) -> ThreadChange:
    """What becomes of the record where a run goes on in the middle of a turn."""
    if not is_known(readings, turn):
        return ThreadChange(turn, turn)
    return _change(readings, turn, turn, {}, anew=False)


def _found(readings: Sequence[Reading], shown: Mapping[str, str], new: Collection[str]) -> str | None:
    """Where a thread is that names no turn on record: at the last turn of which it still shows a message."""
    old = (r for r in reversed(readings) if r.message_id in shown and r.message_id not in new)
    still = (r.turn for r in old if shown[r.message_id] == r.digest)
    return next(still, None)


def abandoned(change: ThreadChange) -> list[int]:
    """The readings that a change withdraws because their branch was left."""
    return [n for n, why in change.withdrawn.items() if why == ABANDONED]


def spared(change: ThreadChange, unanswered: Collection[int]) -> ThreadChange:
    """The change without the withdrawal of turns that broke off before their checkpoint, or run at the same time: the
    thread does not show them, but nobody went back."""
    withdrawn = {n: why for n, why in change.withdrawn.items() if n not in unanswered}
    return replace(change, withdrawn=withdrawn, let_stand=tuple(unanswered))


def _name(secret: bytes, parent: str, added: Mapping[str, str | None]) -> str:
    return digest(secret, json.dumps([parent, sorted(added.items())]))


def _way(readings: Sequence[Reading], turn: str) -> list[Reading]:
    """The readings of a turn and of those that led to it, oldest first."""
    parents = {r.turn: r.parent for r in readings}
    passed = set()
    while turn in parents and turn not in passed:
        passed.add(turn)
        turn = parents[turn]
    return [r for r in readings if r.turn in passed]


def _counted(readings: Sequence[Reading], turn: str) -> dict[str, Reading]:
    """What counts after a turn: of each message the last reading that led there."""
    return {r.message_id: r for r in _way(readings, turn)}


def _removed(
    readings: Sequence[Reading], turn: str, counted: Mapping[str, Reading], shown: Collection[str]
) -> list[str]:
    """Messages that are gone although an older one is still shown: those before it may have left by the window."""
    first: dict[str, int] = {}
    for reading in _way(readings, turn):
        first.setdefault(reading.message_id, reading.n)
    oldest = min((first[m] for m in shown if m in first), default=None)
    if oldest is None:
        return []
    return [m for m, r in counted.items() if m not in shown and r.digest is not None and first[m] > oldest]


def _change(
    readings: Sequence[Reading], turn: str, parent: str, added: Mapping[str, str | None], *, anew: bool
) -> ThreadChange:
    """The change after which exactly those readings stand that count on the way to `turn`."""
    recorded = {r.message_id for r in readings if r.turn == turn}
    fresh = {message: said for message, said in added.items() if message not in recorded}
    counted = _counted(readings, turn if recorded else parent)
    standing = {r.n for m, r in counted.items() if m not in fresh and r.digest is not None}
    later: dict[str, str | None] = {m: r.digest for m, r in counted.items()} | fresh
    return ThreadChange(
        turn,
        parent,
        fresh,
        withdrawn={
            r.n: _why(r, later) for r in readings if r.standing and r.digest is not None and r.n not in standing
        },
        reinstated=tuple(r.n for r in readings if not r.standing and r.n in standing),
        anew=anew,
    )


def _why(reading: Reading, later: Mapping[str, str | None]) -> str:
    if reading.message_id not in later or later[reading.message_id] == reading.digest:
        return ABANDONED
    return REMOVED if later[reading.message_id] is None else EDITED
