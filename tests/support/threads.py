"""A checkpointed thread driven in every way: by threads or coroutines, with each saver, gone back to and edited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import StateSnapshot

from graph.builder import Graph
from graph.sessions import aopen_sessions, open_sessions
from memory_kernel import MemoryKernel
from nodes.producer import Producer, Proposal, Retraction, UserWords
from tests.support.turns import Durability, asay, say, thread

SETTINGS = {
    "invoke, in memory": (False, False, "exit"),
    "invoke, in memory, every step": (False, False, "sync"),
    "invoke, SQLite": (False, True, "exit"),
    "invoke, SQLite, every step": (False, True, "sync"),
    "ainvoke, in memory, every step": (True, False, "sync"),
    "ainvoke, SQLite": (True, True, "exit"),
}
"""By name: whether coroutines, whether the saver is SQLite's, and when checkpoints are written."""
EVERY_STEP = [name for name, (_, _, durability) in SETTINGS.items() if durability == "sync"]


class Teller(Producer):
    """Reads what it is told, word by word: ``fact; city = Porto; not fact``. A fact in brackets is private."""

    name = "Teller"
    may_write = frozenset({"profile"})

    def propose(self, said: UserWords) -> Proposal:
        parts = [part.strip() for part in said.text.split(";") if part.strip() and not part.strip().endswith("?")]
        return Proposal(
            write=[self._memory(part) for part in parts if not part.startswith("not ")],
            retract=[Retraction("profile", part[4:]) for part in parts if part.startswith("not ")],
        )

    @staticmethod
    def _memory(part: str) -> Mapping[str, Any]:
        slot, _, value = (text.strip() for text in part.rpartition("="))
        policy = "private" if value.startswith("(") else "shared"
        return {"content": value.strip("()"), "memory_type": "profile", "slot": slot or None, "sharing_policy": policy}


class Thread:
    """One thread of a graph. Every operation goes the way that was chosen."""

    def __init__(self, graph: Graph, name: str, durability: Durability, run: Callable[[Any], Any] | None) -> None:
        self.graph = graph
        self.config = thread(name)
        self._durability = durability
        self._run = run

    def say(self, said: Any, config: RunnableConfig | None = None, user: str = "mira") -> dict[str, Any]:
        """One turn; None goes on from the checkpoint."""
        options: dict[str, Any] = {"user": user, "config": config or self.config, "durability": self._durability}
        if self._run is None:
            return say(self.graph, said, **options)
        state: dict[str, Any] = self._run(asay(self.graph, said, **options))
        return state

    def history(self) -> list[StateSnapshot]:
        """Its checkpoints, newest first."""
        if self._run is None:
            return list(self.graph.get_state_history(self.config))

        async def collect() -> list[StateSnapshot]:
            return [snapshot async for snapshot in self.graph.aget_state_history(self.config)]

        snapshots: list[StateSnapshot] = self._run(collect())
        return snapshots

    def now(self) -> RunnableConfig:
        """The newest checkpoint."""
        return self.history()[0].config

    def before(self, node: str, texts: list[str]) -> RunnableConfig:
        """The newest checkpoint at which the user's messages are these and this node is next."""
        for snapshot in self.history():
            said = [m.text for m in snapshot.values.get("messages", []) if m.type == "human"]
            if said == texts and node in snapshot.next:
                return snapshot.config
        raise AssertionError(f"no checkpoint of {texts} before {node}")

    def update(self, messages: list[Any], config: RunnableConfig | None = None, as_node: str | None = None) -> Any:
        """Change the messages of a checkpoint (default: the newest one). The config of the new one."""
        at, values = config or self.config, {"messages": messages}
        if self._run is None:
            return self.graph.update_state(at, values, as_node=as_node)
        return self._run(self.graph.aupdate_state(at, values, as_node=as_node))

    def edit(self, old: str, new: str, config: RunnableConfig | None = None) -> Any:
        """Change the text of a message, which keeps its id."""
        return self.update([HumanMessage(new, id=self.id_of(old))], config)

    def remove(self, text: str) -> Any:
        """Take a message out of the newest checkpoint."""
        return self.update([RemoveMessage(self.id_of(text))])

    def id_of(self, text: str) -> str:
        """The id of the user's message with this text."""
        for snapshot in self.history():
            for message in snapshot.values.get("messages", []):
                if message.type == "human" and message.text == text:
                    return str(message.id)
        raise AssertionError(f"nobody said {text!r}")


@contextmanager
def threads(setting: str, data_dir: Path, build: Callable[[Any], Graph]) -> Iterator[Callable[..., Thread]]:
    """Threads of a graph by name, in one of the `SETTINGS`."""
    coroutines, sqlite, durability = SETTINGS[setting]
    with ExitStack() as stack:
        runner = stack.enter_context(asyncio.Runner()) if coroutines else None
        saver: Any = InMemorySaver()
        if sqlite and runner is None:
            saver = stack.enter_context(open_sessions(data_dir))
        elif sqlite and runner is not None:
            sessions = aopen_sessions(data_dir)
            saver = runner.run(_enter(sessions))
            stack.callback(lambda: runner.run(_leave(sessions)))
        graph = build(saver)
        yield lambda name="t": Thread(graph, name, durability, runner and runner.run)  # type: ignore[arg-type]


async def _enter(manager: Any) -> Any:
    return await manager.__aenter__()


async def _leave(manager: Any) -> None:
    await manager.__aexit__(None, None, None)


def holding(kernel: MemoryKernel, user: str = "mira", memory_type: str = "profile") -> list[str]:
    """What is current, by text."""
    return sorted(i.text for i in kernel.export_user(user) if i.status == "current" and i.memory_type == memory_type)


def remembered(kernel: MemoryKernel, user: str = "mira") -> list[str]:
    """What was said, as far as it is current."""
    items = [i for i in kernel.export_user(user) if i.status == "current" and i.memory_type == "conversation"]
    return [str(i.content["said"]) for i in items if isinstance(i.content, dict)]
