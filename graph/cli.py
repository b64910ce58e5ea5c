"""`python -m graph`: reads arguments, makes settings, calls the command. One sentence for every error it expects."""

from __future__ import annotations

import argparse
import io
import logging
import os
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from graph.settings import Settings
from graph.show import plain, sentence
from memory_kernel.errors import MemoryKernelError


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code. 2 for a bad argument or setting, 1 for a command that could not do it."""
    _prepare_streams()
    arguments = _parser().parse_args(argv)
    console = Console(soft_wrap=arguments.command == "memory" and not sys.stdout.isatty())
    try:
        settings = Settings(**_given(arguments))
        _log_to_terminal(settings.log_level if arguments.verbose else "WARNING", tracebacks=arguments.verbose)
        if getattr(arguments, "embeddings", None) is not None:
            from graph.opening import refuse_other_embedder

            refuse_other_embedder(settings.data_dir, arguments.embeddings)
        return _run(arguments, console, settings)
    except MemoryKernelError as error:
        print(f"error: {plain(str(error))}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    except sqlite3.Error as error:
        print(f"error: a database of the store cannot be used: {sentence(error)}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = "" if error.filename is None else f"{error.filename}: "
        print(f"error: {plain(where + (error.strerror or sentence(error)), lines=False)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _prepare_streams() -> None:
    """Make every stream there, and one that never raises over a character; a closed one is the null device."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        errors = "replace" if name == "stdin" else "backslashreplace"
        if stream is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for the rest of the process
        elif isinstance(stream, io.TextIOWrapper) and stream.errors != errors:
            stream.reconfigure(errors=errors)


class TerminalFormatter(logging.Formatter):
    """Log lines for a terminal: control characters shown, tracebacks only if asked for."""

    def __init__(self, *, tracebacks: bool) -> None:
        super().__init__("%(levelname)s %(message)s")
        self._tracebacks = tracebacks

    def format(self, record: logging.LogRecord) -> str:
        """The record, with nothing in it that a terminal obeys."""
        return plain(super().format(record))

    def formatException(self, ei: Any) -> str:
        """The traceback, or nothing."""
        return super().formatException(ei) if self._tracebacks else ""


def _log_to_terminal(level: str, *, tracebacks: bool) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(TerminalFormatter(tracebacks=tracebacks))
    logging.basicConfig(level=level, handlers=[handler])


def _run(arguments: argparse.Namespace, console: Console, settings: Settings) -> int:
    match arguments.command:
        case "demo":
            from graph.playing import demo

            return demo(console, settings)
        case "replay":
            from graph.playing import replay

            return replay(
                console,
                arguments.file,
                settings,
                recorded=arguments.replies == "recorded",
                limit=arguments.limit,
                verbose=arguments.show,
                output=arguments.output,
            )
        case "chat":
            from graph.chat import chat

            return chat(console, settings, arguments.user, arguments.session)
        case "models":
            from graph.fetch import WEIGHTS, fetch, progress_display

            for name in arguments.names or sorted(WEIGHTS):
                with progress_display() as progress:
                    folder = fetch(name, settings.models_dir, progress)
                console.print(plain(f"{name}: {folder}"), markup=False)
            return 0
        case _:
            return _memory(arguments, console, settings)


def _memory(arguments: argparse.Namespace, console: Console, settings: Settings) -> int:
    from graph import operator

    match arguments.action:
        case "users":
            return operator.users(console, settings)
        case "list":
            return operator.list_items(console, settings, arguments.user, everything=arguments.all, kind=arguments.type)
        case "show":
            return operator.show_item(console, settings, arguments.user, arguments.id)
        case "history":
            return operator.history(console, settings, arguments.user, arguments.id, arguments.slot)
        case "problems":
            return operator.problems(console, settings, arguments.user, arguments.limit)
        case "export":
            return operator.export(settings, arguments.user, arguments.output)
        case _:
            return operator.forget(console, settings, arguments.user, confirmed=arguments.yes)


_SETTINGS = {
    "data": "data_dir",
    "model": "chat_model",
    "embeddings": "embeddings",
    "extractor": "extractor",
    "extraction": "extraction",
}


def _given(arguments: argparse.Namespace) -> dict[str, Any]:
    """Settings given on the command line; they win over the environment."""
    values = {field: getattr(arguments, name, None) for name, field in _SETTINGS.items()}
    return {field: value for field, value in values.items() if value is not None}


def _directory(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("the name of the directory is empty")
    return Path(text)


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a count of at least 1")
    return value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m graph", description="Kernel-managed memory for LangGraph agents.")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--data", type=_directory, metavar="DIR", help="the store's directory (default: MEMORY_DATA_DIR, .memory)"
    )
    common.add_argument("--verbose", action="store_true", help="log what happens")
    talking = argparse.ArgumentParser(add_help=False)
    talking.add_argument(
        "--model", metavar="SPEC", help="who answers: openai:gpt-4o, ollama:llama3.1:8b, local:extractive"
    )
    talking.add_argument("--embeddings", metavar="SPEC", help="who embeds: local:wordllama, local:minilm, openai:NAME")
    talking.add_argument("--extractor", choices=("offline", "model"), help="who turns words into memories")
    talking.add_argument(
        "--extraction",
        choices=("inline", "background"),
        help="read words before the reply, or behind it, so that the next turn waits",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    commands.add_parser(
        "demo",
        parents=[common],
        help="two users, several sessions, local models, explained turn by turn; in a new store under DIR/demo",
    )

    replay = commands.add_parser("replay", parents=[common, talking], help="play a transcript through the graph")
    replay.add_argument(
        "file", type=Path, metavar="FILE.jsonl", help="one object a line: user_id, session_id, role, text, time"
    )
    replay.add_argument(
        "--replies",
        choices=("recorded", "model"),
        default="recorded",
        help="the transcript's replies where it has them (default), or the chat model's for every turn",
    )
    replay.add_argument("--limit", type=_count, metavar="N", help="play the first N turns")
    replay.add_argument("--output", "-o", type=Path, metavar="FILE", help="one JSON object a turn, for auditing")
    replay.add_argument("--show", action="store_true", help="show each turn, as in the demo")

    chat = commands.add_parser("chat", parents=[common, talking], help="talk to it")
    chat.add_argument("--user", required=True, metavar="ID", help="who is talking")
    chat.add_argument("--session", metavar="ID", help="continue this session (default: a new one)")

    models = commands.add_parser("models", help="fetch the weights of local models")
    fetch = models.add_subparsers(dest="action", required=True, metavar="ACTION").add_parser(
        "fetch", parents=[common], help="fetch weights: smollm2 (chat), minilm (embeddings); both without a name"
    )
    fetch.add_argument("names", nargs="*", metavar="NAME")

    memory = commands.add_parser("memory", help="look into a store, export it, erase a user")
    actions = memory.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("users", parents=[common], help="who has memories")
    by_user = argparse.ArgumentParser(add_help=False, parents=[common])
    by_user.add_argument("--user", required=True, metavar="ID")
    listing = actions.add_parser("list", parents=[by_user], help="what is remembered of a user")
    listing.add_argument("--all", action="store_true", help="with what no longer holds")
    listing.add_argument("--type", metavar="TYPE", help="only this memory type")
    one = actions.add_parser("show", parents=[by_user], help="one memory in full")
    one.add_argument("id", metavar="ITEM")
    past = actions.add_parser("history", parents=[by_user], help="earlier values of slots")
    past.add_argument("id", nargs="?", metavar="ITEM", help="the chain of this item (default: every slot)")
    past.add_argument("--slot", metavar="SLOT", help="only this slot")
    failed = actions.add_parser("problems", parents=[common], help="what agents could not do, and what models said")
    failed.add_argument("--user", metavar="ID", help="of this user (default: of everybody)")
    failed.add_argument("--limit", type=_count, metavar="N", default=20, help="the newest N of a user (default: 20)")
    out = actions.add_parser("export", parents=[by_user], help="everything about a user, as JSON Lines")
    out.add_argument("--output", "-o", type=Path, metavar="FILE", help="default: the terminal")
    erase = actions.add_parser("forget", parents=[by_user], help="erase a user for good")
    erase.add_argument("--yes", action="store_true", help="do not ask")
    return parser
