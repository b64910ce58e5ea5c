"""The command `memory`: the operator's view of a store. All but `forget` also works while a kernel has it open."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from rich.console import Console

from graph import show
from graph.opening import open_kernel
from graph.sessions import dev_server_threads, session_eraser
from graph.settings import Settings
from memory_kernel import InvalidMemory, MemoryItem, open_ledger
from memory_kernel.identity import check_id
from memory_kernel.ledger.base import Ledger


def list_items(console: Console, settings: Settings, user_id: str, *, everything: bool, kind: str | None) -> int:
    """What is remembered of a user now, or with its history."""
    with _ledger(settings) as ledger:
        items = [
            i
            for i in _items_of(ledger, user_id)
            if (everything or i.status == "current") and kind in (None, i.memory_type)
        ]
    if items:
        show.memories(console, items)
    console.print(f"{show.count(len(items), 'memory', 'memories')} of user {user_id!r}", markup=False)
    return 0


def show_item(console: Console, settings: Settings, user_id: str, item_id: str) -> int:
    """One memory with everything the ledger says of it."""
    with _ledger(settings) as ledger:
        show.as_json(console, _find(ledger, user_id, item_id).model_dump_json())
    return 0


def history(console: Console, settings: Settings, user_id: str, item_id: str | None, slot: str | None) -> int:
    """The values of a slot (or the chain of an item), oldest first."""
    with _ledger(settings) as ledger:
        if item_id is not None:
            items = ledger.history(_find(ledger, user_id, item_id).id)
        else:
            items = sorted(
                (i for i in _items_of(ledger, user_id) if i.slot is not None and slot in (None, i.slot)),
                key=lambda i: (i.memory_type, i.slot or "", i.owner_agent, i.valid_from, i.seq_no),
            )
    if items:
        show.memories(console, items)
    else:
        console.print(f"user {user_id!r} has no such slot; `memory list --all` shows all", markup=False)
    return 0


def export(settings: Settings, user_id: str, output: Path | None) -> int:
    """Everything kept about a user as JSON Lines, oldest first."""
    with _ledger(settings) as ledger:
        items = _items_of(ledger, user_id)
        if output is None:
            ascii_only = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
            sys.stdout.writelines(show.plain_json(i.model_dump_json(), ascii_only=ascii_only) + "\n" for i in items)
        else:
            with output.open("w", encoding="utf-8") as file:
                file.writelines(show.plain_json(i.model_dump_json()) + "\n" for i in items)
    return 0


def users(console: Console, settings: Settings) -> int:
    """Who has memories, and how many."""
    with _ledger(settings) as ledger:
        for user_id in ledger.users():
            number = sum(1 for _ in _items_of(ledger, user_id))
            console.print(f"{number:6d}  {show.plain(user_id, lines=False)}", markup=False, highlight=False)
        console.print(json.dumps(ledger.counts()), markup=False)
    return 0


def problems(console: Console, settings: Settings, user_id: str | None, limit: int) -> int:
    """What agents could not do, newest first, with what their models said; of every user if none is named."""
    with _ledger(settings) as ledger:
        for name in ledger.users() if user_id is None else [check_id(user_id, "user_id")]:
            partition = ledger.find_partition(name)
            found = [] if partition is None else ledger.problems(partition, limit)
            if found or user_id is not None:
                how_many = show.count(len(found), "problem", "problems")
                console.print(show.plain(f"{how_many} of user {name!r}", lines=False), markup=False, highlight=False)
            show.problems(console, found)
    return 0


def forget(
    console: Console, settings: Settings, user_id: str, *, confirmed: bool, ask: Callable[[str], str] = input
) -> int:
    """Erase a user for good: memories, vectors, audit and sessions. Exit code 1 if something was left."""
    check_id(user_id, "user_id")
    if not confirmed:
        try:
            answer = ask(f"Erase everything about user {user_id!r} for good? Type yes: ")
        except (EOFError, KeyboardInterrupt):
            answer = ""
        if answer.strip().lower() != "yes":
            console.print("nothing was erased")
            return 1
    if not settings.data_dir.exists():
        raise InvalidMemory(f"no memory store at {str(settings.data_dir)!r}: nothing to erase")
    with open_kernel(settings) as kernel:
        kernel.register_eraser(session_eraser(settings.data_dir))
        kernel.register_eraser(dev_server_threads)
        receipt = kernel.forget_user(user_id)
    show.as_json(console, receipt.model_dump_json())
    if not any(receipt.removed.values()):  # beside the receipt, which a program may read
        print(f"nothing was kept about user {user_id!r}", file=sys.stderr)
    return 0 if receipt.complete else 1


@contextmanager
def _ledger(settings: Settings) -> Iterator[Ledger]:
    with closing(open_ledger(settings.data_dir)) as ledger:
        yield ledger


def _items_of(ledger: Ledger, user_id: str) -> Iterator[MemoryItem]:
    partition = ledger.find_partition(check_id(user_id, "user_id"))
    return iter(()) if partition is None else ledger.items(partition)


def _find(ledger: Ledger, user_id: str, item_id: str) -> MemoryItem:
    """One of this user's items by id or the beginning of one. Another user's is as unknown as one that never was."""
    found = [i for i in _items_of(ledger, user_id) if item_id and i.id.startswith(item_id)]
    if len(found) != 1:
        what = "no memory" if not found else f"{len(found)} memories"
        raise InvalidMemory(
            f"user {user_id!r} has {what} whose id begins with {item_id!r}; `memory list` shows the ids"
        )
    return found[0]
