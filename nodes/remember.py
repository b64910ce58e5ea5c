"""The last node: the kernel keeps the exchange for the agent that held it, the thread a window of messages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from itertools import dropwhile
from typing import Any

from langchain_core.messages import BaseMessage, RemoveMessage
from langchain_core.runnables import RunnableLambda

from memory_kernel import MemoryKernel
from memory_kernel.injection import text_of
from nodes.context import KernelAccess, Serving, serving
from nodes.history import aresume, resume, turn_of
from nodes.marks import CONFIRMATION, FAILED, NOT_KEPT, without_confirmation
from nodes.requesting.asked import edited_words, unrequested
from nodes.state import State, WriteNote, in_words, new_words

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
        whom = serving()
        notes: list[WriteNote] = []
        try:
            kernel = self._access.kernel()
            notes = resume(kernel, state, whom, self._owner)
            self._keep(kernel, whom, state)
        except Exception as error:  # noqa: BLE001 - the reply is there; that it could not be kept is noted
            notes += self._not_kept(error)
        return {"messages": self._beyond_window(state["messages"]), "writes": notes}

    async def arun(self, state: State) -> dict[str, Any]:
        """`run` without blocking the event loop."""
        whom = serving()
        notes: list[WriteNote] = []
        try:
            kernel = await self._access.akernel()
            notes = await aresume(kernel, state, whom, self._owner)
            await asyncio.to_thread(self._keep, kernel, whom, state)
        except Exception as error:  # noqa: BLE001 - the reply is there; that it could not be kept is noted
            notes += self._not_kept(error)
        return {"messages": self._beyond_window(state["messages"]), "writes": notes}

    def _keep(self, kernel: MemoryKernel, whom: Serving, state: State) -> None:
        said = exchange(state)
        edited = [m for m in edited_words(state) if m not in said]
        if (said or edited) and kernel.config.auto_extract:
            mine = kernel.register_agent(self._owner).bind(user_id=whom.user_id, session_id=whom.thread_id)
            mine.keep_exchange([*edited, *said], at=self._access.clock(), turn=turn_of(state))
        elif whom.thread_id is not None and (turn := turn_of(state)) is not None:
            kernel.end_turn(whom.user_id, whom.thread_id, turn)

    def _not_kept(self, error: Exception) -> list[WriteNote]:
        logger.error("the exchange could not be kept: %s", error, exc_info=error)
        return [{"agent": self._owner, "action": "failed", "memory_type": "conversation", "problem": in_words(error)}]

    def _beyond_window(self, messages: Sequence[BaseMessage]) -> list[RemoveMessage]:
        """What to drop. The system messages that open a conversation stay: they are the application's."""
        said = list(dropwhile(lambda m: m.type == "system", messages))
        if len(said) <= self._window:
            return []
        # The window opens with a human message, so that no tool result or reply stands without what it answers; a turn
        # that is longer than the window is kept whole.
        openings = [i for i, m in enumerate(said) if m.type == "human"]
        start = next((i for i in openings if i >= len(said) - self._window), openings[-1] if openings else 0)
        return [RemoveMessage(m.id) for m in said[:start] if m.id is not None]


def exchange(state: State) -> list[BaseMessage]:
    """The user's new words and the final reply, unless that says of itself that it is not to be kept.

    Requests are left out, and so is their confirmation: "forget that …" would keep what it wants forgotten.
    """
    messages = state["messages"]
    end = len(messages)
    while end and messages[end - 1].type != "ai":
        end -= 1
    start = end
    while start and messages[start - 1].type != "human":  # tool calls and results between question and reply
        start -= 1
    said = new_words(messages[:start])
    own = zip(said, unrequested(state, said), strict=True)
    reply = (m for m in messages[end - 1 : end] if not {FAILED, NOT_KEPT} & m.additional_kwargs.keys())
    return [
        *(m if text == text_of(m) else m.model_copy(update={"content": text}) for m, text in own if text.strip()),
        *(
            m.model_copy(update={"content": without_confirmation(m)}) if CONFIRMATION in m.additional_kwargs else m
            for m in reply
        ),
    ]
