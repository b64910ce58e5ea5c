"""The last node: the kernel keeps the exchange for the agent that held it, and the thread keeps a window of messages."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from langchain_core.messages import BaseMessage, RemoveMessage
from langchain_core.runnables import RunnableLambda

from memory_kernel import MemoryKernel, MemoryKernelError
from nodes.assistant import FAILED
from nodes.context import KernelAccess, Serving, serving
from nodes.state import State, new_words

logger = logging.getLogger(__name__)


class RememberNode:
    """Writes `conversation` items, private to `owner`, and drops messages beyond the newest `window_messages`.

    The window is what makes a checkpoint's cost independent of the thread's length; the words are in memory.
    """

    def __init__(self, access: KernelAccess, owner: str, window_messages: int) -> None:
        self._access = access
        self._owner = owner
        self._window = window_messages

    def runnable(self) -> RunnableLambda[State, dict[str, Any]]:
        """The node, for `invoke` and `ainvoke`."""
        return RunnableLambda(self.run, afunc=self.arun, name="remember")

    def run(self, state: State) -> dict[str, Any]:
        """Keep the exchange, then trim the thread."""
        try:
            self._keep(self._access.kernel(), serving(), exchange(state["messages"]))
        except (MemoryKernelError, OSError) as error:
            logger.error("the exchange could not be kept: %s", error)
        return {"messages": self._beyond_window(state["messages"])}

    async def arun(self, state: State) -> dict[str, Any]:
        """`run` without blocking the event loop."""
        whom = serving()
        try:
            kernel = await self._access.akernel()
            await asyncio.to_thread(self._keep, kernel, whom, exchange(state["messages"]))
        except (MemoryKernelError, OSError) as error:
            logger.error("the exchange could not be kept: %s", error)
        return {"messages": self._beyond_window(state["messages"])}

    def _keep(self, kernel: MemoryKernel, whom: Serving, said: list[BaseMessage]) -> None:
        if said and kernel.config.auto_extract:
            mine = kernel.register_agent(self._owner).bind(user_id=whom.user_id, session_id=whom.thread_id)
            mine.keep_exchange(said, at=self._access.clock())

    def _beyond_window(self, messages: list[BaseMessage]) -> list[RemoveMessage]:
        surplus = messages[: -self._window] if len(messages) > self._window else []
        # The window opens with a human message, so that no tool result or reply stands without what it answers.
        start = len(surplus)
        while surplus and start < len(messages) - 1 and messages[start].type != "human":
            start += 1
        return [RemoveMessage(m.id) for m in messages[:start] if m.id is not None] if surplus else []


def exchange(messages: list[BaseMessage]) -> list[BaseMessage]:
    """The user's new words and the final reply; a reply that stands in for a failed model is left out."""
    end = len(messages)
    while end and messages[end - 1].type != "ai":
        end -= 1
    start = end
    while start and messages[start - 1].type != "human":  # tool calls and results between question and reply
        start -= 1
    reply = messages[end - 1 : end]
    return [*new_words(messages[:start]), *(m for m in reply if FAILED not in m.additional_kwargs)]
