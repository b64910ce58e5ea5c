"""The kernel node: the one place of a turn where memory is read. Drop it into any graph whose state has `messages`,
`block` and `trace`."""

from __future__ import annotations

import logging
from typing import Any

from langchain_core.runnables import RunnableLambda

from memory_kernel import Injection
from nodes.context import KernelAccess, Serving, serving
from nodes.history import aresume, resume
from nodes.state import State, WriteNote, in_words

logger = logging.getLogger(__name__)


class KernelNode:
    """Waits for this user's writes, selects what `requester` may see and needs, and puts block and trace into state.

    The requester is the agent that will read the block. A store that cannot be read leaves the block empty and says so
    in the trace; the turn goes on.
    """

    def __init__(self, access: KernelAccess, requester: str) -> None:
        self._access = access
        self._requester = requester

    def runnable(self) -> RunnableLambda[State, dict[str, Any]]:
        """The node, for `invoke` and `ainvoke`."""
        return RunnableLambda(self.run, afunc=self.arun, name="kernel")

    def run(self, state: State) -> dict[str, Any]:
        """Inject for a thread."""
        whom = serving()
        notes: list[WriteNote] = []
        try:
            kernel = self._access.kernel()
            notes = resume(kernel, state, whom, self._requester)
            if not kernel.config.auto_inject:
                return _update(state, _switched_off(whom), notes)
            agent = kernel.register_agent(self._requester)
            injection = agent.inject(
                state["messages"], besides=_own(state), user_id=whom.user_id, session_id=whom.thread_id
            )
        except Exception as error:  # noqa: BLE001 - whatever is wrong with memory, the turn goes on without it
            return _update(state, self._without_memory(whom, error), notes)
        return _update(state, _trace(injection), notes, injection.block)

    async def arun(self, state: State) -> dict[str, Any]:
        """Inject for a coroutine; holds no thread while it waits."""
        whom = serving()
        notes: list[WriteNote] = []
        try:
            kernel = await self._access.akernel()
            notes = await aresume(kernel, state, whom, self._requester)
            if not kernel.config.auto_inject:
                return _update(state, _switched_off(whom), notes)
            agent = kernel.register_agent(self._requester)
            injection = await agent.ainject(
                state["messages"], besides=_own(state), user_id=whom.user_id, session_id=whom.thread_id
            )
        except Exception as error:  # noqa: BLE001 - whatever is wrong with memory, the turn goes on without it
            return _update(state, self._without_memory(whom, error), notes)
        return _update(state, _trace(injection), notes, injection.block)

    def _without_memory(self, whom: Serving, error: Exception) -> dict[str, Any]:
        logger.error("memory cannot be read: %s", error, exc_info=error)
        return {"identity": {"user_id": whom.user_id}, "tokens": 0, "problems": [in_words(error)]}


def _own(state: State) -> list[int]:
    """The numbers that this very turn reserved: its reply does not wait for what is read behind it."""
    return [note["seq_no"] for note in state.get("writes") or () if "seq_no" in note]


def _switched_off(whom: Serving) -> dict[str, Any]:
    return {"identity": {"user_id": whom.user_id}, "tokens": 0, "problems": ["injection is off (auto_inject)"]}


def _trace(injection: Injection) -> dict[str, Any]:
    """What of an injection goes into state: JSON, small, and without a second copy of the messages."""
    trace = injection.model_dump(mode="json", exclude={"messages", "block", "items"})
    trace["items"] = [item.id for item in injection.items]
    return trace


def _update(state: State, trace: dict[str, Any], notes: list[WriteNote], block: str = "") -> dict[str, Any]:
    """With what went wrong in this turn before memory was read."""
    earlier = (state.get("trace") or {}).get("problems") or ()
    trace["problems"] = [*earlier, *trace["problems"]]
    return {"block": block, "trace": trace, **({"writes": notes} if notes else {})}
