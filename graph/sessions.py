"""Checkpointed sessions in one SQLite file beside the memories: opening it, naming threads, erasing a user's.

Invoke with ``durability="exit"`` (`DURABILITY`): one small checkpoint a turn, whatever the length of the thread.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from memory_kernel import StoreUnavailable
from nodes.state import served

SESSIONS_FILE = "sessions.sqlite3"
DURABILITY: Literal["exit"] = "exit"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
DEV_SERVER_DIR = Path(".langgraph_api")
_BUSY_TIMEOUT_S = 10.0
_PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
}


def session_config(user_id: str, session: str) -> RunnableConfig:
    """The config of a user's session. The thread id is scoped by the user: nobody can name another's thread."""
    return {"configurable": {"thread_id": f"{_scope(user_id)}{session}"}}


@contextmanager
def open_sessions(data_dir: Path | str) -> Iterator[SqliteSaver]:
    """A checkpointer for `build_graph`, for threads. Raises StoreUnavailable if the file cannot be used."""
    data_dir = Path(data_dir)
    data_dir.mkdir(parents=True, exist_ok=True)
    with _translated(data_dir), closing(_connect(data_dir)) as connection:
        yield _saver(connection)


@asynccontextmanager
async def aopen_sessions(data_dir: Path | str) -> AsyncIterator[AsyncSqliteSaver]:
    """A checkpointer for `build_graph`, for coroutines. Raises StoreUnavailable if the file cannot be used."""
    import aiosqlite

    data_dir = Path(data_dir)
    await asyncio.to_thread(data_dir.mkdir, parents=True, exist_ok=True)
    with _translated(data_dir):
        async with aiosqlite.connect(data_dir / SESSIONS_FILE, timeout=_BUSY_TIMEOUT_S) as connection:
            await connection.execute("PRAGMA secure_delete = ON")
            _check_tables(name for (name,) in await connection.execute_fetchall(_TABLES))
            saver = AsyncSqliteSaver(connection)
            await saver.setup()
            yield saver


def session_eraser(data_dir: Path) -> Callable[[str], int]:
    """For `kernel.register_eraser`: deletes every thread that served a user, overwriting it on disk."""

    def erase_sessions(user_id: str) -> int:
        if not (data_dir / SESSIONS_FILE).exists():
            return 0
        with _translated(data_dir), closing(_connect(data_dir)) as connection:
            saver = _saver(connection)
            known = connection.execute("SELECT thread_id FROM checkpoints UNION SELECT thread_id FROM writes")
            mine = [thread for (thread,) in known.fetchall() if _belongs_to(saver, thread, user_id)]
            for thread in mine:
                saver.delete_thread(thread)
            connection.commit()
            (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:  # it says so in its answer only, and the log still holds what was deleted
                raise StoreUnavailable(f"{SESSIONS_FILE} is being read, so its log could not be cleared: try again")
            return len(mine)

    return erase_sessions


def dev_server_threads(user_id: str) -> None:
    """For `kernel.register_eraser`: says that the threads which `langgraph dev` keeps here are out of reach."""
    if DEV_SERVER_DIR.is_dir():
        raise StoreUnavailable(
            f"threads that `langgraph dev` keeps in {DEV_SERVER_DIR}/ are not covered; "
            "delete the user's threads in Studio or remove the folder"
        )


def unusable(data_dir: Path, error: sqlite3.Error) -> StoreUnavailable:
    """SQLite's error about the sessions of a store, as a sentence that says what to do."""
    what = f"the sessions file {str(data_dir / SESSIONS_FILE)!r} cannot be used ({error}); memories are not affected"
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING:
        return StoreUnavailable(f"{what}; mend that and try again")
    return StoreUnavailable(f"{what}; move the file away to start new sessions")


@contextmanager
def _translated(data_dir: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise unusable(data_dir, error) from error


def _saver(connection: sqlite3.Connection) -> SqliteSaver:
    _check_tables(name for (name,) in connection.execute(_TABLES))
    saver = SqliteSaver(connection)
    saver.setup()
    return saver


def _check_tables(names: Iterable[str]) -> None:
    """Refuse another application's database before anything is written into it."""
    found = sorted(names)
    if found and "checkpoints" not in found:
        raise sqlite3.DatabaseError(f"it holds no sessions but {', '.join(found)}")


def _belongs_to(saver: SqliteSaver, thread_id: str, user_id: str) -> bool:
    """By what its newest checkpoint says; a thread whose first turn broke off says nothing, then by its name."""
    newest = saver.get_tuple({"configurable": {"thread_id": thread_id}})
    owner = None if newest is None else served(newest.checkpoint["channel_values"])
    return owner == user_id if owner is not None else thread_id.startswith(_scope(user_id))


def _scope(user_id: str) -> str:
    return f"{quote(user_id, safe='')}/"


def _connect(data_dir: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(data_dir / SESSIONS_FILE, timeout=_BUSY_TIMEOUT_S, check_same_thread=False)
    try:
        connection.execute("PRAGMA secure_delete = ON")
    except sqlite3.Error:
        connection.close()
        raise
    return connection
