"""The kernel node: the one place of a turn where memory is read. Drop it into any graph whose state has `messages`,
`block` and `trace`."""

from __future__ import annotations

import logging
from typing import Any

from langchain_core.runnables import RunnableLambda

from memory_kernel import Injection
from nodes.context import KernelAccess, Serving, serving
from nodes.state import State, in_words

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
        try:
            kernel = self._access.kernel()
            if not kernel.config.auto_inject:
                return _switched_off(whom)
            agent = kernel.register_agent(self._requester)
            return _shown(
                agent.inject(state["messages"], besides=_own(state), user_id=whom.user_id, session_id=whom.thread_id)
            )
        except Exception as error:  # noqa: BLE001 - whatever is wrong with memory, the turn goes on without it
            return self._without_memory(whom, error)

    async def arun(self, state: State) -> dict[str, Any]:
        """Inject for a coroutine; holds no thread while it waits."""
        whom = serving()
        try:
            kernel = await self._access.akernel()
            if not kernel.config.auto_inject:
                return _switched_off(whom)
            agent = kernel.register_agent(self._requester)
            injection = await agent.ainject(
                state["messages"], besides=_own(state), user_id=whom.user_id, session_id=whom.thread_id
            )
        except Exception as error:  # noqa: BLE001 - whatever is wrong with memory, the turn goes on without it
            return self._without_memory(whom, error)
        return _shown(injection)

    def _without_memory(self, whom: Serving, error: Exception) -> dict[str, Any]:
        logger.error("memory cannot be read: %s", error, exc_info=error)
        trace = {"identity": {"user_id": whom.user_id}, "tokens": 0, "problems": [in_words(error)]}
        return {"block": "", "trace": trace}


def _own(state: State) -> list[int]:
    """The numbers that this very turn reserved: its reply does not wait for what is read behind it."""
    return [note["seq_no"] for note in state.get("writes") or () if "seq_no" in note]


def _switched_off(whom: Serving) -> dict[str, Any]:
    trace = {"identity": {"user_id": whom.user_id}, "tokens": 0, "problems": ["injection is off (auto_inject)"]}
    return {"block": "", "trace": trace}


def _shown(injection: Injection) -> dict[str, Any]:
    """What of an injection goes into state: JSON, small, and without a second copy of the messages."""
    trace = injection.model_dump(mode="json", exclude={"messages", "block", "items"})
    trace["items"] = [item.id for item in injection.items]
    return {"block": injection.block, "trace": trace}
