"""Tells the kernel what a thread shows, so that what is no longer said there is taken back. Used by `route`, where a
turn begins, and by the nodes at which a run can go on in the middle of one."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage

from memory_kernel import MemoryItem, MemoryKernel, Turn, visible
from memory_kernel.injection import text_of
from nodes.context import KernelAccess, Past, Serving
from nodes.state import Lineage, State, WriteNote, in_words, new_words, note_of

logger = logging.getLogger(__name__)

KERNEL = "kernel"
_RESTORED = "what had taken its place, or retracted it, was taken back"


class ThreadWatch:
    """A turn's place in its thread's history. Nothing is done where the graph's state is not kept.

    A failure is a problem in the trace: the turn goes on, and nothing is taken back. What `requester` may not see, the
    turn's notes do not name; the operator's record does.
    """

    def __init__(self, access: KernelAccess, requester: str) -> None:
        self._access = access
        self._requester = requester

    def begin(self, state: State, whom: Serving, past: Past) -> dict[str, Any]:
        """What a turn that begins adds to state, for a thread."""
        if whom.thread_id is None or not past.is_kept:
            return {}
        try:
            kernel = self._access.kernel()
            return self._begun(kernel.begin_turn(whom.user_id, whom.thread_id, **_shown(state, past)))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with memory, the turn goes on
            return _failed(whom, error)

    async def abegin(self, state: State, whom: Serving, past: Past) -> dict[str, Any]:
        """`begin` for a coroutine."""
        if whom.thread_id is None or not past.is_kept:
            return {}
        try:
            kernel = await self._access.akernel()
            return self._begun(await kernel.abegin_turn(whom.user_id, whom.thread_id, **_shown(state, past)))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with memory, the turn goes on
            return _failed(whom, error)

    def _begun(self, turn: Turn) -> dict[str, Any]:
        lineage = Lineage(turn=turn.name, again=list(turn.edited))
        return {"lineage": lineage, "writes": _notes(turn, self._requester)}


def resume(kernel: MemoryKernel, state: State, whom: Serving, requester: str) -> list[WriteNote]:
    """A node that a run may begin at: what came after this turn is an abandoned branch."""
    turn = turn_of(state)
    if whom.thread_id is None or turn is None:
        return []
    return _notes(kernel.resume_turn(whom.user_id, whom.thread_id, turn), requester)


async def aresume(kernel: MemoryKernel, state: State, whom: Serving, requester: str) -> list[WriteNote]:
    """`resume` for a coroutine."""
    turn = turn_of(state)
    if whom.thread_id is None or turn is None:
        return []
    return _notes(await kernel.aresume_turn(whom.user_id, whom.thread_id, turn), requester)


def turn_of(state: State) -> str | None:
    """The name of the turn, for the sources of what is written in it; None if the thread is not watched."""
    lineage: Any = state.get("lineage")  # whoever may edit the thread's state may have edited this
    turn = lineage.get("turn") if isinstance(lineage, dict) else None
    return turn if isinstance(turn, str) else None


def to_read(state: State) -> list[BaseMessage]:
    """The user's new words, after the earlier messages that say something else than when they were read."""
    lineage: Any = state.get("lineage")
    again = lineage.get("again") if isinstance(lineage, dict) else None
    new = new_words(state["messages"])
    if not isinstance(again, list) or not again:
        return new
    return [m for m in state["messages"] if m.id in again and m.type == "human" and m not in new] + new


def _shown(state: State, past: Past) -> dict[str, Any]:
    messages = state["messages"]
    return {
        "said": {m.id: text_of(m) for m in messages if m.type == "human" and m.id is not None},
        "new": [m.id for m in new_words(messages) if m.id is not None],
        "after": turn_of(state),
        "from_checkpoint": past.from_checkpoint,
    }


def _failed(whom: Serving, error: Exception) -> dict[str, Any]:
    logger.error("the thread's history cannot be followed: %s", error, exc_info=error)
    problem = f"the history of this thread could not be followed, so nothing was taken back ({in_words(error)})"
    # No turn on record may pass for this one: the kernel finds the thread's place again by the messages that it shows.
    return {
        "lineage": Lineage(turn=f"unrecorded-{uuid.uuid4().hex}", again=[]),
        "trace": {"identity": {"user_id": whom.user_id}, "problems": [problem]},
    }


def _notes(turn: Turn, requester: str) -> list[WriteNote]:
    """What `requester` may know of what was taken back and what holds again, but for conversation items."""
    return [
        *(note_of(item, "retracted", by=KERNEL, reason=item.reason) for item in _facts(turn.taken_back, requester)),
        *(note_of(item, "restored", by=KERNEL, reason=_RESTORED) for item in _facts(turn.restored, requester)),
    ]


def _facts(items: Sequence[MemoryItem], requester: str) -> list[MemoryItem]:
    return [item for item in items if item.memory_type != "conversation" and visible(item, requester)]
