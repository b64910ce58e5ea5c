"""One turn of a graph in each of the ways LangGraph offers, and what its state says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from langchain_core.runnables import RunnableConfig

from graph.builder import Graph
from memory_kernel import MemoryItem, MemoryKernel
from nodes.context import Context

Messages = Any
"""A string, whatever `messages` takes, or None: go on from the checkpoint."""
Durability = Literal["exit", "sync"]


def thread(name: str) -> RunnableConfig:
    """The config of a thread."""
    return {"configurable": {"thread_id": name}}


def _given(said: Messages) -> Any:
    return None if said is None else {"messages": [("user", said)] if isinstance(said, str) else said}


def _options(user: str, config: RunnableConfig | None, durability: Durability) -> dict[str, Any]:
    # LangGraph warns of a durability without a checkpointer.
    return {"config": config, "context": Context(user_id=user), **({"durability": durability} if config else {})}


def say(
    graph: Graph,
    said: Messages,
    user: str = "mira",
    config: RunnableConfig | None = None,
    durability: Durability = "exit",
) -> dict[str, Any]:
    """One turn by `invoke`; the state after it."""
    state: dict[str, Any] = graph.invoke(_given(said), **_options(user, config, durability))
    return state


async def asay(
    graph: Graph,
    said: Messages,
    user: str = "mira",
    config: RunnableConfig | None = None,
    durability: Durability = "exit",
) -> dict[str, Any]:
    """One turn by `ainvoke`; the state after it."""
    state: dict[str, Any] = await graph.ainvoke(_given(said), **_options(user, config, durability))
    return state


class Streamed(NamedTuple):
    """What came out of a streamed turn."""

    state: dict[str, Any]
    tokens: list[tuple[str, str]]
    """Node and text of each piece of a message."""
    updates: list[str]
    """The nodes, in the order in which they finished."""


_MODES: Any = ["messages", "updates", "values"]


def _streamed(parts: list[Any]) -> Streamed:
    def of(mode: str) -> list[Any]:
        return [part for kind, part in parts if kind == mode]

    tokens = [(meta["langgraph_node"], message.text) for message, meta in of("messages") if message.text]
    return Streamed(of("values")[-1], tokens, [node for update in of("updates") for node in update])


def stream(graph: Graph, said: Messages, user: str = "mira", config: RunnableConfig | None = None) -> Streamed:
    """One turn by `stream`."""
    return _streamed(list(graph.stream(_given(said), stream_mode=_MODES, **_options(user, config, "exit"))))


async def astream(graph: Graph, said: Messages, user: str = "mira", config: RunnableConfig | None = None) -> Streamed:
    """One turn by `astream`."""
    parts = graph.astream(_given(said), stream_mode=_MODES, **_options(user, config, "exit"))
    return _streamed([part async for part in parts])


WAYS: dict[str, Callable[..., dict[str, Any]]] = {
    "invoke": say,
    "ainvoke": lambda *a, **k: asyncio.run(asay(*a, **k)),
    "stream": lambda *a, **k: stream(*a, **k).state,
    "astream": lambda *a, **k: asyncio.run(astream(*a, **k)).state,
}
"""Every way to run a turn, by name; each gives the state after it."""


def reply(state: dict[str, Any]) -> str:
    """What the assistant said last."""
    return str(state["messages"][-1].text)


def failures(state: dict[str, Any]) -> list[str]:
    """What a turn's notes say could not be done."""
    return [note["problem"] for note in state["writes"] if note["action"] == "failed"]


def kept(kernel: MemoryKernel, user: str = "mira", memory_type: str | None = None) -> list[MemoryItem]:
    """What the kernel keeps about a user, whatever its status."""
    return [item for item in kernel.export_user(user) if memory_type in (None, item.memory_type)]


def files_with(directory: Path, words: str) -> list[str]:
    """The files under a directory that hold these words."""
    found = [p for p in directory.rglob("*") if p.is_file() and words.encode() in p.read_bytes()]
    return sorted(str(p.relative_to(directory)) for p in found)


def reads(kernel: MemoryKernel, user: str = "mira") -> int:
    """How often memory was read for a user, by the operator's log, which is written behind."""
    assert kernel.flush()
    return len(kernel.audit(user))
