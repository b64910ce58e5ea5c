"""The command `chat`: talk to the graph, and look into its memory while talking."""

from __future__ import annotations

import logging
import sqlite3
import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessageChunk, HumanMessage
from rich.console import Console

from graph import show
from graph.builder import ASSISTANT, Graph, build_graph
from graph.extractors import make_extractor
from graph.models import make_chat_model
from graph.opening import open_kernel
from graph.sessions import DURABILITY, dev_server_threads, open_sessions, session_config, session_eraser, unusable
from graph.settings import Settings
from memory_kernel import MemoryItem, MemoryKernel
from memory_kernel.identity import check_id, check_user_id
from nodes.context import Context
from nodes.marks import FAILED, without_confirmation
from nodes.state import confirmation

logger = logging.getLogger(__name__)

HELP = """\
/memory          what is remembered about you, numbered
/memory all      the same with what was said in conversations
/why             the block of the last answer, and why each memory was kept or dropped
/forget N        stop using memory N and what was said with it (both stay in the history)
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
                line = self._read(f"{show.plain(self._user, lines=False)}> ").strip()
            except EOFError:
                self._console.print()
                return
            except KeyboardInterrupt:
                self._console.print("\n(/quit or Ctrl-D leaves)", markup=False)
                continue
            if line.lower() in ("/quit", "/exit"):
                return
            try:
                self._obey(line)
            except sqlite3.Error as error:  # the ledger's are the kernel's own errors, so it is the sessions
                self._report(unusable(self._kernel.config.data_dir, error))
            except Exception as error:  # noqa: BLE001 - one turn failed; the talk goes on
                self._report(error)

    def _obey(self, line: str) -> None:
        if not line.startswith("/"):
            if line:
                self._say(line)
            return
        name, _, argument = line.lower().partition(" ")
        command = self._commands.get(name)
        if command is None:
            self._print(f"unknown command {name}; /help lists them")
        else:
            command(argument.strip())

    def _report(self, error: Exception) -> None:
        logger.info("the turn failed", exc_info=error)
        self._print(f"that did not work: {show.sentence(error)}")

    def _print(self, text: str, *, end: str = "\n") -> None:
        self._console.print(show.plain(text), end=end, markup=False, highlight=False)

    @staticmethod
    def _read(prompt: str) -> str:
        if sys.stdin.isatty():
            return input(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(f"{prompt}{show.plain(line.rstrip())}")
        return line

    def _say(self, text: str) -> None:
        above = ""  # what the kernel did at the user's request stands above the answer, and no model streams it
        try:
            for mode, part in self._graph.stream(
                {"messages": [HumanMessage(text)]},
                session_config(self._user, self._session),
                context=Context(user_id=self._user),
                durability=DURABILITY,
                stream_mode=["messages", "updates"],
            ):
                if mode == "updates":
                    above = _confirmation(part) or above
                elif isinstance(part[0], AIMessageChunk) and part[0].text:
                    self._print(f"{above}\n\n{part[0].text}" if above else part[0].text, end="")
                    above = ""
        except KeyboardInterrupt:
            self._console.print("\n(stopped)", markup=False, end="")
        except Exception:
            self._console.print()  # what went wrong is a line of its own, below what was streamed
            raise
        reply = self._state().get("messages", [])[-1:]
        # A reply that stands in for a failed model is not streamed.
        failed = without_confirmation(reply[0]) if reply and FAILED in reply[0].additional_kwargs else ""
        self._print("\n\n".join(filter(None, (above, failed))))

    def _state(self) -> dict[str, Any]:
        return dict(self._graph.get_state(session_config(self._user, self._session)).values)

    def _items(self) -> list[MemoryItem]:
        """What holds now, conversation last, so that numbers are the same with and without it."""
        self._kernel.register_agent(ASSISTANT).settle(user_id=self._user)  # with what is read behind the last reply
        current = [i for i in self._kernel.export_user(self._user) if i.status == "current"]
        return sorted(current, key=lambda i: i.memory_type == "conversation")

    def _memory(self, which: str) -> None:
        items = self._items()
        shown = items if which == "all" else [i for i in items if i.memory_type != "conversation"]
        show.memories(self._console, shown, numbered=True)
        if len(shown) < len(items):
            more = show.count(len(items) - len(shown), "thing", "things")
            self._console.print(f"and {more} said in conversations: /memory all")
        if not items:
            self._console.print("nothing is remembered about you")

    def _why(self) -> None:
        state = self._state()
        if not state.get("trace"):
            self._console.print("nothing was asked in this session yet")
            return
        self._print(state["block"] or "no block: memory held nothing that bears on it")
        self._console.print(show.wait(state["trace"]))
        self._console.print(show.decisions(state["trace"], shown_dropped=20))

    def _forget(self, which: str) -> None:
        if which == "all":
            if self._is_sure():
                show.erasure(self._console, self._kernel.forget_user(self._user))
                self._new()
            else:
                self._console.print("nothing was erased")
            return
        items = self._items()
        if not which.isdecimal() or not 1 <= int(which) <= len(items):
            self._console.print("say /forget N with a number that /memory shows, or /forget all", markup=False)
            return
        item = items[int(which) - 1]
        self._kernel.retract(item.id, with_source=True)
        self._print(f"not used any more: {item.text} (and what was said with it)")

    def _is_sure(self) -> bool:
        self._console.print("erase everything about you? type yes: ", end="")
        try:
            return self._read("").strip().lower() == "yes"
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            return False

    def _new(self) -> None:
        self._session = new_session()
        self._print(f"session {self._session}")


def _confirmation(updates: Any) -> str:
    """What the nodes that just finished say about requests of the user; ``""`` from all other nodes."""
    states = [update for update in updates.values() if isinstance(update, dict) and "requested" in update]
    return "\n\n".join(confirmation(state) for state in states)  # type: ignore[arg-type]


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
        kernel.register_eraser(dev_server_threads)
        graph = build_graph(
            kernel,
            model=chosen.model,
            extractor=make_extractor(settings),
            extraction=settings.extraction,
            checkpointer=saver,
            history_tokens=settings.history_tokens,
            window_messages=settings.window_messages,
            model_timeout_s=settings.llm_timeout_s,
        )
        known = sum(1 for item in kernel.export_user(user_id) if item.status == "current")
        memories = show.count(known, "memory", "memories")
        models = f"chat model: {chosen.spec} ({chosen.why}); embedder: {kernel.status()['embedder']}"
        who = f"user {user_id}, session {session}; {memories}; /help lists commands"
        for line in (models, who):
            console.print(show.plain(line, lines=False), markup=False, soft_wrap=True)
        Chat(console, kernel, graph, user_id, session).run()
    return 0
