"""The command `chat`: talk to the graph, and look into its memory while talking."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessageChunk, HumanMessage
from rich.console import Console

from graph import show
from graph.builder import Graph, build_graph
from graph.extractors import make_extractor
from graph.models import make_chat_model
from graph.opening import open_kernel
from graph.sessions import DURABILITY, open_sessions, session_config, session_eraser
from graph.settings import Settings
from memory_kernel import MemoryItem, MemoryKernel
from memory_kernel.identity import check_id, check_user_id
from nodes.context import Context
from nodes.marks import FAILED

HELP = """\
/memory          what is remembered about you, numbered
/memory all      the same with what was said in conversations
/why             the block of the last answer, and why each memory was kept or dropped
/forget N        stop using memory N (it stays in the history)
/forget all      erase everything about you, for good
/new             begin a new session
/help            this
/quit            leave (or Ctrl-D)"""


class Chat:
    """One user at the terminal. A line that starts with a slash is a command, anything else is said to the graph."""

    def __init__(self, console: Console, kernel: MemoryKernel, graph: Graph, user_id: str, session: str) -> None:
        self._console = console
        self._kernel = kernel
        self._graph = graph
        self._user = user_id
        self._session = session
        self._commands: dict[str, Callable[[str], None]] = {
            "/memory": self._memory,
            "/why": lambda _: self._why(),
            "/forget": self._forget,
            "/new": lambda _: self._new(),
            "/help": lambda _: console.print(HELP, markup=False, highlight=False),
        }

    def run(self) -> None:
        """Read lines until /quit or the end of input."""
        while True:
            try:
                line = self._read(f"{self._user}> ").strip()
            except EOFError:
                self._console.print()
                return
            except KeyboardInterrupt:
                self._console.print("\n(/quit or Ctrl-D leaves)", markup=False)
                continue
            if line in ("/quit", "/exit"):
                return
            if line.startswith("/"):
                name, _, argument = line.partition(" ")
                unknown = f"unknown command {name}; /help lists them"
                command = self._commands.get(name, lambda _, text=unknown: self._console.print(text, markup=False))
                command(argument.strip())
            elif line:
                self._say(line)

    @staticmethod
    def _read(prompt: str) -> str:
        if sys.stdin.isatty():
            return input(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(f"{prompt}{line.rstrip()}")
        return line

    def _say(self, text: str) -> None:
        try:
            for message, _ in self._graph.stream(
                {"messages": [HumanMessage(text)]},
                session_config(self._user, self._session),
                context=Context(user_id=self._user),
                durability=DURABILITY,
                stream_mode="messages",
            ):
                if isinstance(message, AIMessageChunk):
                    self._console.print(message.text, end="", markup=False, highlight=False)
        except KeyboardInterrupt:
            self._console.print("\n(stopped)", markup=False, end="")
        reply = self._state().get("messages", [])[-1:]
        if reply and FAILED in reply[0].additional_kwargs:  # a reply that stands in for a failed model is not streamed
            self._console.print(reply[0].text, end="", markup=False, highlight=False)
        self._console.print()

    def _state(self) -> dict[str, Any]:
        return dict(self._graph.get_state(session_config(self._user, self._session)).values)

    def _items(self) -> list[MemoryItem]:
        """What holds now, conversation last, so that numbers are the same with and without it."""
        current = [i for i in self._kernel.export_user(self._user) if i.status == "current"]
        return sorted(current, key=lambda i: i.memory_type == "conversation")

    def _memory(self, which: str) -> None:
        items = self._items()
        shown = items if which == "all" else [i for i in items if i.memory_type != "conversation"]
        show.memories(self._console, shown, numbered=True)
        if len(shown) < len(items):
            self._console.print(f"and {len(items) - len(shown)} things said in conversations: /memory all")
        if not items:
            self._console.print("nothing is remembered about you")

    def _why(self) -> None:
        state = self._state()
        if not state.get("trace"):
            self._console.print("nothing was asked in this session yet")
            return
        self._console.print(state["block"] or "no block: memory held nothing that bears on it", markup=False)
        self._console.print(show.wait(state["trace"]))
        self._console.print(show.decisions(state["trace"], shown_dropped=20))

    def _forget(self, which: str) -> None:
        if which == "all":
            self._console.print("erase everything about you? type yes: ", end="")
            if self._read("").strip().lower() == "yes":
                receipt = self._kernel.forget_user(self._user)
                self._console.print(f"erased: {receipt.removed or 'there was nothing'}", markup=False)
                for problem in receipt.problems:
                    self._console.print(f"not erased yet: {problem}", markup=False)
                self._new()
            else:
                self._console.print("nothing was erased")
            return
        items = self._items()
        if not which.isdecimal() or not 1 <= int(which) <= len(items):
            self._console.print("say /forget N with a number that /memory shows, or /forget all", markup=False)
            return
        item = items[int(which) - 1]
        self._kernel.retract(item.id)
        self._console.print(f"not used any more: {item.text}", markup=False)

    def _new(self) -> None:
        self._session = new_session()
        self._console.print(f"session {self._session}", markup=False)


def new_session() -> str:
    """A session name from the time, so that sessions sort by when they began."""
    return datetime.now().astimezone().strftime("%Y%m%d-%H%M%S-%f")


def chat(console: Console, settings: Settings, user_id: str, session: str | None) -> int:
    """Talk as `user_id`, in a new session or a named one."""
    check_user_id(user_id)
    session = new_session() if session is None else check_id(session, "session")
    chosen = make_chat_model(settings.chat_model, settings, check=True)
    with open_kernel(settings) as kernel, open_sessions(settings.data_dir) as saver:
        kernel.register_eraser(session_eraser(settings.data_dir))
        graph = build_graph(
            kernel,
            model=chosen.model,
            extractor=make_extractor(settings),
            checkpointer=saver,
            history_tokens=settings.history_tokens,
            window_messages=settings.window_messages,
            model_timeout_s=settings.llm_timeout_s,
        )
        known = sum(1 for item in kernel.export_user(user_id) if item.status == "current")
        console.print(f"chat model: {chosen.spec} ({chosen.why})", markup=False)
        console.print(f"user {user_id}, session {session}; {known} memories; /help lists commands", markup=False)
        Chat(console, kernel, graph, user_id, session).run()
    return 0
