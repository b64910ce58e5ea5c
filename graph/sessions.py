"""Checkpointed sessions in one SQLite file beside the memories: opening it, naming threads, and erasing a user's.

Invoke with ``durability="exit"`` (`DURABILITY`): one small checkpoint a turn, so its cost does not grow with the thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

SESSIONS_FILE = "sessions.sqlite3"
DURABILITY: Literal["exit"] = "exit"
_BUSY_TIMEOUT_S = 10.0


def session_config(user_id: str, session: str) -> RunnableConfig:
    """The config of a user's session. The thread id is scoped by the user: nobody can name another's thread."""
    return {"configurable": {"thread_id": f"{quote(user_id, safe='')}/{session}"}}


@contextmanager
def open_sessions(data_dir: Path) -> Iterator[SqliteSaver]:
    """A checkpointer for `build_graph`, for threads."""
    data_dir.mkdir(parents=True, exist_ok=True)
    with closing(_connect(data_dir)) as connection:
        saver = SqliteSaver(connection)
        saver.setup()
        yield saver


@asynccontextmanager
async def aopen_sessions(data_dir: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """A checkpointer for `build_graph`, for coroutines."""
    import aiosqlite

    data_dir.mkdir(parents=True, exist_ok=True)
    async with aiosqlite.connect(data_dir / SESSIONS_FILE, timeout=_BUSY_TIMEOUT_S) as connection:
        await connection.execute("PRAGMA secure_delete = ON")
        saver = AsyncSqliteSaver(connection)
        await saver.setup()
        yield saver


def session_eraser(data_dir: Path) -> Callable[[str], int]:
    """For `kernel.register_eraser`: deletes every thread that served a user, overwriting it on disk."""

    def erase_sessions(user_id: str) -> int:
        if not (data_dir / SESSIONS_FILE).exists():
            return 0
        with closing(_connect(data_dir)) as connection:
            saver = SqliteSaver(connection)
            saver.setup()
            threads = [row[0] for row in connection.execute("SELECT DISTINCT thread_id FROM checkpoints").fetchall()]
            mine = [thread for thread in threads if _served(saver, thread) == user_id]
            for thread in mine:
                saver.delete_thread(thread)
            connection.commit()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return len(mine)

    return erase_sessions


def _served(saver: SqliteSaver, thread_id: str) -> str | None:
    """Whom a thread served, by what its newest checkpoint says of identity."""
    newest = saver.get_tuple({"configurable": {"thread_id": thread_id}})
    values: dict[str, Any] = newest.checkpoint["channel_values"] if newest is not None else {}
    identity = (values.get("trace") or {}).get("identity") or {}
    user_id = identity.get("user_id")
    return user_id if isinstance(user_id, str) else None


def _connect(data_dir: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(data_dir / SESSIONS_FILE, timeout=_BUSY_TIMEOUT_S, check_same_thread=False)
    connection.execute("PRAGMA secure_delete = ON")
    return connection
