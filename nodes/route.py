"""The first node: clears what the last turn left, finds the turn's place in the thread's history, and sends the turn to
the agents that have something to read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.runnables import RunnableLambda
from langgraph.types import Overwrite

from memory_kernel import InvalidMemory, SessionTaken
from memory_kernel.injection import text_of
from nodes.context import KernelAccess, Serving, past, serving
from nodes.history import ThreadWatch, to_read
from nodes.producer import ProducerNode
from nodes.requesting.asked import asks
from nodes.state import Lineage, State, new_words, served


class ThreadTaken(SessionTaken, ValueError):
    """The thread is another user's. A ValueError too: LangGraph's server hides the reason of other refusals."""


class RouteNode:
    """Begins a turn, before anything is written.

    Raises InvalidMemory for a bad user id or an empty conversation, ThreadTaken for another user's thread: what
    stands in it is theirs.
    """

    def __init__(self, access: KernelAccess, requester: str, producers: Sequence[ProducerNode] = ()) -> None:
        self._watch = ThreadWatch(access, requester)
        self._producers = list(producers)

    def runnable(self) -> RunnableLambda[State, dict[str, Any]]:
        """The node, for `invoke` and `ainvoke`."""
        return RunnableLambda(self.run, afunc=self.arun, name="route")

    def run(self, state: State) -> dict[str, Any]:
        """Begin a turn for a thread."""
        whom = _admitted(state)
        self._take_up()
        return _cleared(state, whom, self._watch.begin(state, whom, past()))

    async def arun(self, state: State) -> dict[str, Any]:
        """Begin a turn for a coroutine."""
        whom = _admitted(state)
        await asyncio.to_thread(self._take_up)
        return _cleared(state, whom, await self._watch.abegin(state, whom, past()))

    def _take_up(self) -> None:
        for producer in self._producers:
            producer.take_up()


def towards(producers: Sequence[str], kernel: str, requests: str | None = None) -> Callable[[State], list[str]]:
    """Where a turn goes: to every producer at once, or straight to the kernel when the user said nothing new.

    What the user asks of their memory goes to the node `requests` first, if there is one.
    """

    def choose(state: State) -> list[str]:
        if requests is not None and asks(state["messages"]):
            return [requests]
        said = any(text_of(m).strip() for m in to_read(state))
        return list(producers) if said and producers else [kernel]

    return choose


def _admitted(state: State) -> Serving:
    whom = serving()
    if not state.get("messages"):
        raise InvalidMemory('nothing to answer: send {"messages": [...]} with at least one message')
    if served(state) not in (None, whom.user_id):
        raise ThreadTaken(f"this thread is another user's: start a new thread to go on as {whom.user_id!r}")
    return whom


def _cleared(state: State, whom: Serving, begun: dict[str, Any]) -> dict[str, Any]:
    # Whose thread it is stands in every checkpoint, also if the turn breaks off here.
    kept = {
        "lineage": Lineage(again=[]),
        "block": "",
        "requested": {},
        "trace": {"identity": {"user_id": whom.user_id}},
    }
    # A message that is new, or says something else now, is shown as it is.
    changed = {m.id for m in new_words(state["messages"])} | set(begun.get("lineage", {}).get("again", ()))
    hidden: dict[str, str] = state.get("forgotten") or {}
    if hidden:
        kept["forgotten"] = {id_: shown for id_, shown in hidden.items() if id_ not in changed}
    return {**kept, **begun, "writes": Overwrite(begun.get("writes", []))}
