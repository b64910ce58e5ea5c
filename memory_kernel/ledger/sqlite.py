"""The embedded ledger: one SQLite file in WAL mode, every commit synced, deleted pages overwritten."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from memory_kernel.errors import KernelClosed, LedgerDamaged, SessionTaken, StoreUnavailable, UserErased
from memory_kernel.items import MemoryItem, Source, canonical_json
from memory_kernel.ledger.base import (
    Accepted,
    Deferred,
    Draft,
    Ledger,
    Partition,
    Reading,
    Revised,
    ThreadChange,
    Unindexed,
)

SCHEMA_VERSION = "2"
_WITHOUT_READINGS = "1"  # the format before; it is brought up to date when it is opened for writing
_MOST_READINGS = 200  # of a thread; what older ones taught stays
_BUSY_TIMEOUT_S = 10.0
_SEQ_FLOOR = "seq_floor"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_COLUMNS = (
    "id, owner_agent, memory_type, sharing_policy, content, text, slot, status, created_at, valid_from, valid_to, "
    "expires_at, seq_no, source, confidence, reason"
)
_ITEM = "i." + _COLUMNS.replace(", ", ", i.") + ", u.user_id"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS users(
  epoch INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL UNIQUE, last_seq INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS items(
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL REFERENCES users(epoch),
  owner_agent TEXT NOT NULL, memory_type TEXT NOT NULL, sharing_policy TEXT NOT NULL, content TEXT NOT NULL,
  text TEXT NOT NULL, slot TEXT, status TEXT NOT NULL, created_at INTEGER NOT NULL, valid_from INTEGER NOT NULL,
  valid_to INTEGER, expires_at INTEGER, seq_no INTEGER NOT NULL, source TEXT NOT NULL, confidence REAL NOT NULL,
  fingerprint TEXT NOT NULL, superseded_by TEXT, indexed INTEGER NOT NULL DEFAULT 0, reason TEXT,
  anchored INTEGER NOT NULL DEFAULT 1, denied INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS items_by_user ON items(epoch, status, seq_no);
CREATE UNIQUE INDEX IF NOT EXISTS items_once
  ON items(epoch, owner_agent, memory_type, fingerprint, coalesce(slot, '')) WHERE status = 'current';
CREATE UNIQUE INDEX IF NOT EXISTS items_slot ON items(epoch, owner_agent, memory_type, slot)
  WHERE status = 'current' AND slot IS NOT NULL;
CREATE INDEX IF NOT EXISTS items_owed ON items(indexed) WHERE indexed = 0;
CREATE INDEX IF NOT EXISTS items_chain ON items(superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS items_alike ON items(epoch, owner_agent, memory_type, fingerprint);
CREATE INDEX IF NOT EXISTS items_of_slot ON items(epoch, owner_agent, memory_type, slot) WHERE slot IS NOT NULL;
CREATE TABLE IF NOT EXISTS readings(
  n INTEGER PRIMARY KEY AUTOINCREMENT, epoch INTEGER NOT NULL REFERENCES users(epoch), thread_id TEXT NOT NULL,
  turn TEXT NOT NULL, parent TEXT NOT NULL, message_id TEXT NOT NULL, digest TEXT, withdrawn TEXT,
  answered INTEGER NOT NULL DEFAULT 0,
  UNIQUE(epoch, thread_id, turn, message_id));
CREATE INDEX IF NOT EXISTS readings_by_thread ON readings(epoch, thread_id, n);
CREATE INDEX IF NOT EXISTS readings_by_message ON readings(epoch, thread_id, message_id);
CREATE TABLE IF NOT EXISTS lessons(
  epoch INTEGER NOT NULL, reading INTEGER NOT NULL, item_id TEXT NOT NULL, denies INTEGER NOT NULL,
  PRIMARY KEY(epoch, reading, item_id, denies)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lessons_by_item ON lessons(item_id);
CREATE TABLE IF NOT EXISTS writes(
  epoch INTEGER NOT NULL, key TEXT NOT NULL, item_id TEXT NOT NULL, PRIMARY KEY(epoch, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sessions(
  session_id TEXT PRIMARY KEY, epoch INTEGER NOT NULL REFERENCES users(epoch)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS observed(
  agent TEXT NOT NULL, session_id TEXT NOT NULL, epoch INTEGER NOT NULL REFERENCES users(epoch),
  PRIMARY KEY(agent, session_id, epoch)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS audit(
  n INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, at INTEGER NOT NULL, entry TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS audit_by_user ON audit(epoch, n);
CREATE TABLE IF NOT EXISTS deferred(
  epoch INTEGER NOT NULL REFERENCES users(epoch), seq_no INTEGER NOT NULL, agent TEXT NOT NULL, session_id TEXT,
  task TEXT NOT NULL, key TEXT, PRIMARY KEY(epoch, seq_no)) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS deferred_once ON deferred(epoch, agent, key) WHERE key IS NOT NULL;
CREATE TABLE IF NOT EXISTS problems(n INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, entry TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS problems_by_user ON problems(epoch, n);
CREATE TABLE IF NOT EXISTS erasures(epoch INTEGER PRIMARY KEY);
"""
_MIGRATION = """
ALTER TABLE items ADD COLUMN reason TEXT;
ALTER TABLE items ADD COLUMN anchored INTEGER NOT NULL DEFAULT 1;
ALTER TABLE items ADD COLUMN denied INTEGER NOT NULL DEFAULT 0;
UPDATE items SET denied = 1 WHERE status = 'retracted';
UPDATE meta SET value = '2' WHERE key = 'schema';
"""
_OF_A_USER = (
    "lessons",
    "readings",
    "items",
    "writes",
    "sessions",
    "observed",
    "audit",
    "deferred",
    "problems",
    "users",
)

# A lesson is what a reading did to an item: taught it, or retracted it (`denies`). `anchored` and `denied`: the same by
# something that cannot be taken back, because it is outside watched threads.
_STANDS = (
    "EXISTS(SELECT 1 FROM lessons l JOIN readings r ON r.n = l.reading "
    "WHERE l.item_id = i.id AND l.denies = {} AND r.withdrawn IS NULL)"
)
_SUPPORTED = f"(i.anchored OR {_STANDS.format(0)})"
_DENIED = f"(i.denied OR {_STANDS.format(1)})"

T = TypeVar("T")


class _Reading(NamedTuple):
    """A reading as a source refers to it. `withdrawn`: why it no longer counts."""

    n: int
    withdrawn: str | None


class _Standing(NamedTuple):
    """An item and what decides on its status."""

    id: str
    n: int
    owner_agent: str
    memory_type: str
    slot: str | None
    fingerprint: str
    status: str
    reason: str | None
    valid_from: int
    seq_no: int
    supported: int
    denied: int

    @property
    def order(self) -> tuple[int, int, int]:
        return self.valid_from, self.seq_no, self.n

    @property
    def kind(self) -> tuple[str, str]:
        """What rivals share."""
        return self.owner_agent, self.memory_type

    def replaces(self, other: _Standing) -> bool:
        """Whether it takes the other's place where it is later: a value of its slot, or its words."""
        if self.kind != other.kind:
            return False
        return self.fingerprint == other.fingerprint if other.slot is None else self.slot == other.slot


def _assess(one: _Standing, alike: Iterable[_Standing]) -> tuple[str, _Standing | None]:
    """The status that an item should have, and for history the one that took its place."""
    if one.status == "quarantined":
        return one.status, None
    if not one.supported or one.denied:
        return "retracted", None
    later = [other for other in alike if other.supported and other.order > one.order and other.replaces(one)]
    return ("superseded", min(later, key=lambda s: s.order)) if later else ("current", None)


def _micros(at: datetime | None) -> int | None:
    return None if at is None else (at - _EPOCH) // timedelta(microseconds=1)


def _when(micros: int | None) -> datetime | None:
    return None if micros is None else _EPOCH + timedelta(microseconds=micros)


def _item(row: Sequence[Any]) -> MemoryItem:
    try:
        return MemoryItem(
            id=row[0],
            owner_agent=row[1],
            memory_type=row[2],
            sharing_policy=row[3],
            content=json.loads(row[4]),
            text=row[5],
            slot=row[6],
            status=row[7],
            created_at=_EPOCH + timedelta(microseconds=row[8]),
            valid_from=_EPOCH + timedelta(microseconds=row[9]),
            valid_to=_when(row[10]),
            expires_at=_when(row[11]),
            seq_no=row[12],
            source=Source.model_validate_json(row[13]),
            confidence=row[14],
            reason=row[15],
            user_id=row[16],
        )
    except (ValueError, TypeError) as error:
        raise LedgerDamaged(f"ledger row of item {row[0]!r} cannot be read: {error}") from error


class SqliteLedger(Ledger):
    """One writing connection behind a lock (SQLite has one writer anyway) and a few pooled readers."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._read_only = read_only
        self._item = _ITEM
        self._former_format = False
        self._closed = False
        self._idle: list[sqlite3.Connection] = []  # guarded by _pool_lock
        self._pool_lock = threading.Lock()
        self._write_lock = threading.RLock()  # serialises use of _writer
        if read_only:
            if not path.exists():
                raise StoreUnavailable(f"no memory store at {str(path.parent)!r} yet: nothing was written there")
            try:
                with self._reading() as connection:
                    self._check_schema(connection)
            except BaseException:
                self.close()
                raise
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"cannot use {str(path.parent)!r}: {error.strerror or error}") from error
        self._writer = self._connect()
        try:
            with self._writing() as connection:  # whole or not at all, and not before it is known to be ours
                found = self._check_schema(connection)
                if found == _WITHOUT_READINGS:
                    self._run_all(connection, _MIGRATION)
                self._run_all(connection, _SCHEMA)
                connection.execute("INSERT OR IGNORE INTO meta VALUES('schema', ?)", (SCHEMA_VERSION,))
            with self._translated():
                self._writer.execute("PRAGMA journal_mode = WAL")
        except BaseException:
            self.close()
            raise

    # -- connections -----------------------------------------------------------------------------------------------

    def _connect(self) -> sqlite3.Connection:
        with self._translated():
            mode = "ro" if self._read_only else "rwc"
            uri = f"{self.path.absolute().as_uri()}?mode={mode}"
            connection = sqlite3.connect(
                uri, uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
            )
            if not self._read_only:
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA secure_delete = ON")
            return connection

    @staticmethod
    def _run_all(connection: sqlite3.Connection, statements: str) -> None:
        for statement in filter(str.strip, statements.split(";")):
            connection.execute(statement)

    def _check_schema(self, connection: sqlite3.Connection) -> str | None:
        """The format; None: empty. Refuses what is neither empty nor a ledger of a known format. Touches nothing."""
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "meta" not in tables:
            raise LedgerDamaged(f"{str(self.path)!r} is not a ledger: it has tables {sorted(tables)}")
        if not tables and self._read_only:
            raise StoreUnavailable(f"no memory store at {str(self.path.parent)!r} yet: nothing was written there")
        row = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() if tables else None
        found = None if row is None else str(row[0])
        if tables and found not in (SCHEMA_VERSION, _WITHOUT_READINGS):
            raise LedgerDamaged(
                f"{str(self.path)!r} has ledger format {found!r}, this version reads {SCHEMA_VERSION!r}"
            )
        if self._read_only and found == _WITHOUT_READINGS:
            self._item = _ITEM.replace("i.reason", "NULL")
            self._former_format = True
        return found

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """SQLite's errors as the kernel's: one place, so none is swallowed or leaks through."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if self._closed:
                raise KernelClosed("the memory store was closed") from error
            text = str(error)
            if isinstance(error, sqlite3.OperationalError):
                raise StoreUnavailable(f"the ledger {str(self.path)!r} cannot be used: {text}") from error
            if isinstance(error, sqlite3.ProgrammingError | sqlite3.IntegrityError):
                raise
            raise LedgerDamaged(f"the ledger {str(self.path)!r} is damaged: {text}") from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        if self._closed:
            raise KernelClosed("the memory store was closed")
        with self._pool_lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or self._connect()
        try:
            with self._translated():
                yield connection
        finally:
            with self._pool_lock:
                if self._closed or len(self._idle) >= 8:
                    connection.close()
                else:
                    self._idle.append(connection)

    @contextmanager
    def _writing(self, *, synced: bool = True) -> Iterator[sqlite3.Connection]:
        """One durable transaction; not `synced`: one that waits for the next to be safe from a power failure."""
        with self._write_lock:
            if self._closed:
                raise KernelClosed("the memory store was closed")
            if self._read_only:
                raise StoreUnavailable(f"the ledger {str(self.path)!r} was opened for reading only")
            with self._translated():
                if not synced:
                    self._writer.execute("PRAGMA synchronous = NORMAL")
                try:
                    self._writer.execute("BEGIN IMMEDIATE")
                    try:
                        yield self._writer
                        self._writer.execute("COMMIT")
                    except BaseException:
                        if self._writer.in_transaction:
                            self._writer.execute("ROLLBACK")
                        raise
                finally:
                    if not synced:
                        self._writer.execute("PRAGMA synchronous = FULL")

    def _rows(self, sql: str, *args: Any) -> list[Any]:
        with self._reading() as db:
            return db.execute(sql, args).fetchall()

    def close(self) -> None:
        """Fold the write-ahead log into the file and release both."""
        with self._write_lock, self._pool_lock:
            if self._closed:
                return
            self._closed = True
            for connection in self._idle:
                connection.close()
            if not self._read_only:
                self._writer.close()

    # -- users -----------------------------------------------------------------------------------------------------

    def find_partition(self, user_id: str) -> Partition | None:
        rows = self._rows("SELECT user_id, epoch FROM users WHERE user_id = ?", user_id)
        return Partition(*rows[0]) if rows else None

    def partition(self, user_id: str) -> Partition:
        found = self.find_partition(user_id)
        if found is not None:
            return found
        with self._writing() as db:
            db.execute(
                "INSERT INTO users(user_id, last_seq) VALUES(?, coalesce((SELECT value FROM meta WHERE key = ?), 0)) "
                "ON CONFLICT DO NOTHING",
                (user_id, _SEQ_FLOOR),
            )
            return Partition(*db.execute("SELECT user_id, epoch FROM users WHERE user_id = ?", (user_id,)).fetchone())

    def users(self) -> list[str]:
        return [row[0] for row in self._rows("SELECT user_id FROM users ORDER BY epoch")]

    def last_seq(self, partition: Partition) -> int:
        rows = self._rows("SELECT last_seq FROM users WHERE epoch = ?", partition.epoch)
        return int(rows[0][0]) if rows else 0

    def reserve(self, partition: Partition) -> int:
        with self._writing() as db:
            return self._next_seq(db, partition)

    @staticmethod
    def _next_seq(db: sqlite3.Connection, partition: Partition) -> int:
        row = db.execute(
            "UPDATE users SET last_seq = last_seq + 1 WHERE epoch = ? AND user_id = ? RETURNING last_seq",
            (partition.epoch, partition.user_id),
        ).fetchone()
        if row is None:
            raise UserErased(f"user {partition.user_id!r} was erased after this handle was bound; bind a new one")
        return int(row[0])

    # -- work that is left for later -------------------------------------------------------------------------------

    def defer(
        self, partition: Partition, agent: str, session_id: str | None, task: Mapping[str, Any], key: str | None
    ) -> Deferred:
        with self._writing() as db:
            self._check_epoch(db, partition)
            kept = db.execute(
                "SELECT seq_no, session_id, task FROM deferred WHERE epoch = ? AND agent = ? AND key = ?",
                (partition.epoch, agent, key),
            ).fetchone()
            if kept is not None:
                return Deferred(partition, kept[0], agent, kept[1], json.loads(kept[2]))
            seq_no = self._next_seq(db, partition)
            # Escaped, since a user's text may hold a lone surrogate.
            db.execute(
                "INSERT INTO deferred VALUES(?, ?, ?, ?, ?, ?)",
                (partition.epoch, seq_no, agent, session_id, json.dumps(task), key),
            )
        return Deferred(partition, seq_no, agent, session_id, task)

    def deferred(self, agent: str) -> list[Deferred]:
        rows = self._rows(
            "SELECT u.user_id, epoch, seq_no, session_id, task FROM deferred JOIN users u USING(epoch) "
            "WHERE agent = ? ORDER BY epoch, seq_no",
            agent,
        )
        return [Deferred(Partition(row[0], row[1]), row[2], agent, row[3], json.loads(row[4])) for row in rows]

    def finish_deferred(self, deferred: Deferred) -> None:
        with self._writing() as db:
            db.execute(
                "DELETE FROM deferred WHERE epoch = ? AND seq_no = ?", (deferred.partition.epoch, deferred.seq_no)
            )

    # -- writes ----------------------------------------------------------------------------------------------------

    def accept(self, partition: Partition, drafts: Sequence[Draft], reserved: int | None = None) -> list[Accepted]:
        with self._writing() as db:
            self._check_epoch(db, partition)
            return [
                self._accept_one(db, partition, draft, reserved, self._reading_of(db, partition, draft.source))
                for draft in drafts
            ]

    @staticmethod
    def _check_epoch(db: sqlite3.Connection, partition: Partition) -> None:
        alive = db.execute(
            "SELECT 1 FROM users WHERE epoch = ? AND user_id = ?", (partition.epoch, partition.user_id)
        ).fetchone()
        if alive is None:
            raise UserErased(f"user {partition.user_id!r} was erased after this handle was bound; bind a new one")

    def _accept_one(
        self,
        db: sqlite3.Connection,
        partition: Partition,
        draft: Draft,
        reserved: int | None,
        reading: _Reading | None,
    ) -> Accepted:
        if draft.idempotency_key is not None:
            seen = self._fetch(
                db,
                "JOIN writes w ON w.item_id = i.id WHERE w.epoch = ? AND w.key = ?",
                partition.epoch,
                draft.idempotency_key,
            )
            if seen:
                self._learn(db, partition, seen[0].id, reading)
                return Accepted(seen[0], fresh=False)
        mine = (partition.epoch, draft.owner_agent, draft.memory_type)
        same = self._fetch(
            db,
            "WHERE i.epoch = ? AND i.owner_agent = ? AND i.memory_type = ? AND i.fingerprint = ? "
            "AND i.status = 'current' ORDER BY i.n",
            *mine,
            draft.fingerprint,
        )
        if draft.slot is None and same:
            draft = replace(draft, slot=same[0].slot)  # saying a slot's value again without naming the slot
        # The same words in another slot say something else ("blue" as the colour of the car and as the favourite).
        same = [item for item in same if item.slot in (None, draft.slot)]
        for item in same:
            if self._says_the_same(item, draft):
                self._remember(db, partition, draft, item.id)
                self._learn(db, partition, item.id, reading)
                return Accepted(item, fresh=False)

        rivals = same + (
            self._fetch(
                db,
                "WHERE i.epoch = ? AND i.owner_agent = ? AND i.memory_type = ? AND i.slot = ? AND i.status = 'current'",
                *mine,
                draft.slot,
            )
            if draft.slot is not None
            else []
        )
        seq_no = self._next_seq(db, partition) if reserved is None else reserved
        item = MemoryItem(
            id=draft.id,
            user_id=partition.user_id,
            owner_agent=draft.owner_agent,
            memory_type=draft.memory_type,
            sharing_policy=draft.sharing_policy,
            content=draft.content,
            text=draft.text,
            slot=draft.slot,
            created_at=draft.created_at,
            valid_from=draft.valid_from,
            expires_at=draft.expires_at,
            seq_no=seq_no,
            source=draft.source,
            confidence=draft.confidence,
        )
        if reading is not None and reading.withdrawn is not None:  # it comes too late: nobody said this any more
            item = item.model_copy(
                update={"status": "retracted", "valid_to": item.valid_from, "reason": reading.withdrawn}
            )
            rivals = []
        newer = [r for r in rivals if r.slot == draft.slot and (r.valid_from, r.seq_no) > (item.valid_from, seq_no)]
        superseded_by = None
        if newer:  # a value that held before the current one: it belongs to history at once
            superseded_by = newer[0].id
            item = item.model_copy(update={"status": "superseded", "valid_to": newer[0].valid_from})
        replaced = tuple(dict.fromkeys(r.id for r in rivals)) if not newer else ()
        for rival in replaced:
            db.execute(
                "UPDATE items SET status = 'superseded', superseded_by = ?, valid_to = max(valid_from, ?) WHERE id = ?",
                (item.id, _micros(item.valid_from), rival),
            )
        self._insert(db, partition, draft, item, superseded_by, anchored=reading is None)
        self._remember(db, partition, draft, item.id)
        self._learn(db, partition, item.id, reading)
        return Accepted(item, fresh=True, replaced=replaced)

    @staticmethod
    def _says_the_same(item: MemoryItem, draft: Draft) -> bool:
        return (
            draft.slot == item.slot
            and draft.sharing_policy == item.sharing_policy
            and draft.expires_at == item.expires_at
        )

    @staticmethod
    def _insert(
        db: sqlite3.Connection,
        partition: Partition,
        draft: Draft,
        item: MemoryItem,
        superseded_by: str | None,
        *,
        anchored: bool,
    ) -> None:
        db.execute(
            f"INSERT INTO items({_COLUMNS}, epoch, fingerprint, superseded_by, indexed, anchored) "
            f"VALUES({'?, ' * 20}?)",
            (
                item.id,
                item.owner_agent,
                item.memory_type,
                item.sharing_policy,
                canonical_json(item.content),
                item.text,
                item.slot,
                item.status,
                _micros(item.created_at),
                _micros(item.valid_from),
                _micros(item.valid_to),
                _micros(item.expires_at),
                item.seq_no,
                item.source.model_dump_json(exclude_none=True),
                item.confidence,
                item.reason,
                partition.epoch,
                draft.fingerprint,
                superseded_by,
                int(item.status != "current"),  # history is never in the index
                int(anchored),
            ),
        )

    @staticmethod
    def _remember(db: sqlite3.Connection, partition: Partition, draft: Draft, item_id: str) -> None:
        if draft.idempotency_key is not None:
            db.execute("INSERT INTO writes VALUES(?, ?, ?)", (partition.epoch, draft.idempotency_key, item_id))

    def retract(
        self,
        partition: Partition,
        ids: Sequence[str],
        at: datetime,
        source: Source | None = None,
        *,
        for_good: bool = False,
    ) -> list[str]:
        with self._writing() as db:
            self._check_epoch(db, partition)
            reading = self._reading_of(db, partition, source)
            if reading is not None and reading.withdrawn is not None:  # it comes too late: nobody said this any more
                return []
            changed = [
                row[0]
                for item_id in ids
                for row in db.execute(
                    "UPDATE items SET status = 'retracted', valid_to = max(valid_from, ?), indexed = 1 "
                    "WHERE id = ? AND epoch = ? AND status IN ('current', 'quarantined') RETURNING id",
                    (_micros(at), item_id, partition.epoch),
                ).fetchall()
            ]
            for item_id in changed:
                self._learn(db, partition, item_id, reading, denies=True)
                if for_good:
                    self._learn(db, partition, item_id, None, denies=True)
            return changed

    # -- what hangs on what was said -------------------------------------------------------------------------------

    @staticmethod
    def _reading_of(db: sqlite3.Connection, partition: Partition, source: Source | None) -> _Reading | None:
        """The reading that a source refers to; None outside watched threads.

        Of its message in its turn; else of its message (read in an earlier turn); else of its turn (a reply).
        """
        if source is None or source.turn is None or source.thread_id is None:
            return None
        row = db.execute(
            "SELECT n, withdrawn FROM readings WHERE epoch = ?1 AND thread_id = ?2 AND digest IS NOT NULL "
            "AND (turn = ?3 OR (message_id = ?4 AND withdrawn IS NULL)) "
            "ORDER BY turn = ?3 AND message_id = ?4 DESC, message_id = ?4 DESC, n DESC LIMIT 1",
            (partition.epoch, source.thread_id, source.turn, source.message_id or ""),
        ).fetchone()
        return None if row is None else _Reading(*row)

    @staticmethod
    def _learn(
        db: sqlite3.Connection, partition: Partition, item_id: str, reading: _Reading | None, *, denies: bool = False
    ) -> None:
        """Note what taught an item, or retracted it."""
        if reading is not None:
            lesson = (partition.epoch, reading.n, item_id, denies)
            db.execute("INSERT INTO lessons VALUES(?, ?, ?, ?) ON CONFLICT DO NOTHING", lesson)
        elif denies:
            db.execute("UPDATE items SET denied = 1 WHERE id = ?", (item_id,))
        else:
            db.execute("UPDATE items SET anchored = 1 WHERE id = ? AND NOT anchored", (item_id,))

    def readings(self, partition: Partition, thread_id: str) -> list[Reading]:
        rows = self._rows(
            "SELECT n, turn, parent, message_id, digest, withdrawn IS NULL FROM readings "
            "WHERE epoch = ? AND thread_id = ? ORDER BY n",
            partition.epoch,
            thread_id,
        )
        return [Reading(*row)._replace(standing=bool(row[5])) for row in rows]

    def unanswered(self, readings: Collection[int]) -> set[int]:
        with self._reading() as db:
            return {
                n
                for n in readings
                if not db.execute("SELECT 1 FROM readings WHERE n = ? AND answered", (n,)).fetchone()
                and not db.execute(
                    "SELECT 1 FROM readings r JOIN lessons l ON l.epoch = r.epoch AND l.reading = r.n "
                    "JOIN items i ON i.id = l.item_id WHERE r.n = ? AND i.memory_type = 'conversation'",
                    (n,),
                ).fetchone()
            }

    def answer(self, partition: Partition, thread_id: str, turn: str) -> None:
        with self._writing(synced=False) as db:
            db.execute(
                "UPDATE readings SET answered = 1 WHERE epoch = ? AND thread_id = ? AND turn = ?",
                (partition.epoch, thread_id, turn),
            )

    def newest_turn(self, partition: Partition, thread_id: str) -> str | None:
        rows = self._rows(
            "SELECT turn FROM readings WHERE epoch = ? AND thread_id = ? AND withdrawn IS NULL AND digest IS NOT NULL "
            "ORDER BY n DESC LIMIT 1",
            partition.epoch,
            thread_id,
        )
        return rows[0][0] if rows else None

    def follow(self, partition: Partition, thread_id: str, change: ThreadChange, at: datetime) -> Revised:
        with self._writing(synced=bool(change.withdrawn or change.reinstated)) as db:
            self._check_epoch(db, partition)
            mine = (partition.epoch, thread_id)
            self._let_stand(db, [(n,) for n in change.let_stand])
            if change.anew:
                self._let_stand(db, db.execute("SELECT n FROM readings WHERE epoch = ? AND thread_id = ?", mine))
            db.executemany(
                "INSERT INTO readings(epoch, thread_id, turn, parent, message_id, digest) VALUES(?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                [(*mine, change.turn, change.parent, *reading) for reading in change.added.items()],
            )
            changed = {**change.withdrawn, **dict.fromkeys(change.reinstated)}
            db.executemany("UPDATE readings SET withdrawn = ? WHERE n = ?", [(why, n) for n, why in changed.items()])
            hanging = {
                row[0]
                for n in changed
                for row in db.execute(
                    "SELECT item_id FROM lessons WHERE epoch = ? AND reading = ?", (partition.epoch, n)
                )
            }
            revised = self._reassess(db, hanging, at)
            if change.added:
                beyond = "SELECT n FROM readings WHERE epoch = ? AND thread_id = ? ORDER BY n DESC LIMIT -1 OFFSET ?"
                self._let_stand(db, db.execute(beyond, (*mine, _MOST_READINGS)))
            return revised

    @staticmethod
    def _let_stand(db: sqlite3.Connection, readings: Iterable[tuple[int]]) -> None:
        """Forget readings, so that what they did stays as it is for good."""
        for reading in list(readings):
            lessons = (
                "(SELECT l.item_id FROM readings r JOIN lessons l ON l.epoch = r.epoch AND l.reading = r.n "
                "WHERE r.n = ? AND r.withdrawn IS NULL AND l.denies = {})"
            )
            db.execute(f"UPDATE items SET anchored = 1 WHERE id IN {lessons.format(0)}", reading)  # noqa: S608 - constants
            db.execute(f"UPDATE items SET denied = 1 WHERE id IN {lessons.format(1)}", reading)  # noqa: S608 - constants
            mine = "epoch = (SELECT epoch FROM readings WHERE n = ?1) AND reading = ?1"
            db.execute(f"DELETE FROM lessons WHERE {mine}", reading)  # noqa: S608 - constants
            db.execute("DELETE FROM readings WHERE n = ?", reading)

    def taught(self, partition: Partition, source: Source) -> list[MemoryItem]:
        return self._lessons_of(partition, source, "NOT l.denies AND i.status = 'current'")

    def denied(self, partition: Partition, source: Source) -> list[MemoryItem]:
        return self._lessons_of(partition, source, "l.denies AND i.status = 'retracted'")

    def _lessons_of(self, partition: Partition, source: Source, which: str) -> list[MemoryItem]:
        with self._reading() as db:
            reading = self._reading_of(db, partition, source)
            if reading is None:
                return []
            return self._fetch(
                db,
                f"JOIN lessons l ON l.item_id = i.id WHERE l.epoch = ? AND l.reading = ? AND {which} ORDER BY i.n",
                partition.epoch,
                reading.n,
            )

    def unteach(self, partition: Partition, source: Source, ids: Sequence[str], at: datetime, because: str) -> Revised:
        with self._writing() as db:
            self._check_epoch(db, partition)
            reading = self._reading_of(db, partition, source)
            if reading is None:
                return Revised()
            lessons = [(partition.epoch, reading.n, item_id) for item_id in ids]
            db.executemany(
                "DELETE FROM lessons WHERE epoch = ? AND reading = ? AND item_id = ? AND NOT denies", lessons
            )
            return self._reassess(db, ids, at, because)

    def _reassess(
        self, db: sqlite3.Connection, ids: Collection[str], at: datetime, because: str | None = None
    ) -> Revised:
        """Bring the status of items, and of those that say the same or stand in the same slot, in line with what
        supports them: an item that nothing supports is taken back, one with a later supported rival is history."""
        alike = {s.id: s for item_id in ids for s in self._alike(db, item_id)}
        slots = {(alike[i].kind, alike[i].slot) for i in ids if i in alike}
        gone, taken_back, restored = [], [], []
        changes: list[tuple[_Standing, str, str | None, _Standing | None]] = []
        for one in alike.values():
            if one.slot is not None and (one.kind, one.slot) not in slots:
                continue  # it only says the same in a slot whose other values are not looked at here
            status, rival = _assess(one, alike.values())
            reason = None if one.supported else because or self._why_withdrawn(db, one.id) or one.reason
            if (status, reason) != (one.status, one.reason):
                changes.append((one, status, reason, rival))
        # What is current no more goes first: a slot never holds two values, not even on the way.
        for one, status, reason, rival in sorted(changes, key=lambda change: change[1] == "current"):
            if status != one.status:
                gone += [one.id] * (one.status == "current")
                taken_back += [one.id] * (not one.supported)
                restored += [one.id] * (status == "current")
            if status == "retracted":  # what had taken its place before is still what did
                held = "valid_to = coalesce(valid_to, max(valid_from, ?)), superseded_by = coalesce(superseded_by, ?)"
                ended = _micros(at)
            else:
                held = "valid_to = max(valid_from, ?), superseded_by = ?"
                ended = rival and rival.valid_from
            db.execute(
                f"UPDATE items SET {held}, status = ?, reason = ?, indexed = ? WHERE id = ?",  # noqa: S608 - constants
                (ended, rival and rival.id, status, reason, int(status != "current"), one.id),
            )

        def now(of: Sequence[str]) -> tuple[MemoryItem, ...]:
            return tuple(item for item_id in of for item in self._fetch(db, "WHERE i.id = ?", item_id))

        return Revised(now(taken_back), now(restored), tuple(gone))

    @staticmethod
    def _alike(db: sqlite3.Connection, item_id: str) -> list[_Standing]:
        columns = (
            "i.id, i.n, i.owner_agent, i.memory_type, i.slot, i.fingerprint, i.status, i.reason, i.valid_from, "
            f"i.seq_no, {_SUPPORTED}, {_DENIED}"
        )
        same_kind = "i.epoch = me.epoch AND i.owner_agent = me.owner_agent AND i.memory_type = me.memory_type"
        rows = db.execute(
            f"SELECT {columns} FROM items me JOIN items i ON {same_kind} AND i.fingerprint = me.fingerprint "  # noqa: S608 - constants
            f"WHERE me.id = ?1 UNION SELECT {columns} FROM items me JOIN items i ON {same_kind} AND i.slot = me.slot "
            "WHERE me.id = ?1 AND me.slot IS NOT NULL",
            (item_id,),
        )
        return [_Standing(*row) for row in rows]

    @staticmethod
    def _why_withdrawn(db: sqlite3.Connection, item_id: str) -> str | None:
        row = db.execute(
            "SELECT r.withdrawn FROM lessons l JOIN readings r ON r.n = l.reading WHERE l.item_id = ? "
            "AND NOT l.denies ORDER BY r.n DESC LIMIT 1",
            (item_id,),
        ).fetchone()
        return None if row is None else row[0]

    # -- the index, erasure ----------------------------------------------------------------------------------------

    def mark_indexed(self, ids: Sequence[str]) -> None:
        with self._writing() as db:
            db.executemany("UPDATE items SET indexed = 1 WHERE id = ?", [(i,) for i in ids])

    def mark_unindexed(self, partition: Partition | None = None) -> int:
        with self._writing() as db:
            where, args = ("", ()) if partition is None else (" AND epoch = ?", (partition.epoch,))
            return db.execute(f"UPDATE items SET indexed = 0 WHERE status = 'current'{where}", args).rowcount  # noqa: S608 - constants

    def erase(self, partition: Partition) -> dict[str, int]:
        removed = {}
        with self._writing() as db:
            # A user who comes back must not get a number again that a late write of the erased epoch still holds.
            db.execute(
                "INSERT INTO meta SELECT ?, last_seq FROM users WHERE epoch = ? "
                "ON CONFLICT(key) DO UPDATE SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))",
                (_SEQ_FLOOR, partition.epoch),
            )
            db.execute("INSERT INTO erasures VALUES(?) ON CONFLICT DO NOTHING", (partition.epoch,))
            for table in _OF_A_USER:
                removed[table] = db.execute(
                    f"DELETE FROM {table} WHERE epoch = ?",  # noqa: S608 - constants
                    (partition.epoch,),
                ).rowcount
        return removed

    def unfinished_erasures(self) -> list[int]:
        return [row[0] for row in self._rows("SELECT epoch FROM erasures ORDER BY epoch")]

    def finish_erasure(self, epoch: int) -> None:
        with self._writing() as db:
            db.execute("DELETE FROM erasures WHERE epoch = ?", (epoch,))

    def scrub(self) -> None:
        # Pages from before stand in the write-ahead log until it is truncated, which a reader can delay.
        with self._write_lock:
            if self._closed:
                raise KernelClosed("the memory store was closed")
            with self._pool_lock:  # idle readers hold no snapshot, but closing them makes sure
                while self._idle:
                    self._idle.pop().close()
            with self._translated():
                busy = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            raise StoreUnavailable("a reader keeps erased pages in the write-ahead log; erase again when it is done")

    # -- reads -----------------------------------------------------------------------------------------------------

    def _fetch(self, db: sqlite3.Connection, rest: str, *args: Any) -> list[MemoryItem]:
        sql = f"SELECT {self._item} FROM items i JOIN users u ON u.epoch = i.epoch {rest}"  # noqa: S608 - constants
        return [_item(row) for row in db.execute(sql, args).fetchall()]

    def live_items(
        self, partition: Partition, *, without: Collection[str] = (), standing: Collection[str] = ()
    ) -> list[MemoryItem]:
        with self._reading() as db:
            db.execute("BEGIN")  # all reads see one state
            try:
                live = self._fetch(
                    db, "WHERE i.epoch = ? AND i.status = 'current' ORDER BY i.seq_no, i.n", partition.epoch
                )
                older = [
                    item
                    for item_id in standing
                    for item in self._fetch(
                        db, "WHERE i.epoch = ? AND i.id = ? AND i.status = 'superseded'", partition.epoch, item_id
                    )
                ]
            finally:
                db.execute("COMMIT")
        hidden = set(without)
        return [item for item in live if item.id not in hidden] + [
            item.model_copy(update={"status": "current", "valid_to": None}) for item in older if item.id not in hidden
        ]

    def outdated_messages(self, partition: Partition) -> set[str]:
        rows = self._rows(
            "SELECT DISTINCT json_extract(i.source, '$.message_id') FROM items i "
            "LEFT JOIN items later ON later.id = i.superseded_by "
            "WHERE i.epoch = ? AND i.status IN ('superseded', 'retracted') AND i.memory_type <> 'conversation' "
            "AND i.reason IS NULL "  # taken back with its message, which may say something else now
            "AND (later.id IS NULL OR later.fingerprint <> i.fingerprint)",
            partition.epoch,
        )
        return {row[0] for row in rows if row[0] is not None}

    def get(self, ids: Sequence[str]) -> dict[str, MemoryItem]:
        with self._reading() as db:
            return {item.id: item for i in ids for item in self._fetch(db, "WHERE i.id = ?", i)}

    def items(self, partition: Partition) -> Iterator[MemoryItem]:
        return self._paged("i.epoch = ?", partition.epoch, make=_item)

    def unindexed(self) -> Iterator[Unindexed]:
        return self._paged(
            "i.indexed = 0 AND i.status = 'current'",
            make=lambda row: Unindexed(Partition(row[16], row[17]), _item(row), self._replaced_by(row[0])),
        )

    def _replaced_by(self, item_id: str) -> tuple[str, ...]:
        return tuple(row[0] for row in self._rows("SELECT id FROM items WHERE superseded_by = ? ORDER BY n", item_id))

    def _paged(self, where: str, *args: Any, make: Callable[[Sequence[Any]], T]) -> Iterator[T]:
        """Pages of rows, so that a long iteration holds no connection and no snapshot."""
        last = 0
        sql = (
            f"SELECT {self._item}, i.epoch, i.n FROM items i JOIN users u ON u.epoch = i.epoch "  # noqa: S608 - constants
            f"WHERE {where} AND i.n > ? ORDER BY i.n LIMIT 500"
        )
        while rows := self._rows(sql, *args, last):
            last = rows[-1][18]
            yield from map(make, rows)

    def history(self, item_id: str) -> list[MemoryItem]:
        with self._reading() as db:
            found = self._fetch(db, "WHERE i.id = ?", item_id)
            if not found:
                return []
            return self._fetch(
                db,
                """WHERE i.id IN (
                     WITH RECURSIVE later(id) AS (
                       SELECT ?1 UNION SELECT x.superseded_by FROM items x JOIN later l ON x.id = l.id
                       WHERE x.superseded_by IS NOT NULL),
                     chain(id) AS (
                       SELECT id FROM later UNION SELECT x.id FROM items x JOIN chain c ON x.superseded_by = c.id)
                     SELECT id FROM chain
                     UNION SELECT x.id FROM items x JOIN items me ON me.id = ?1
                       WHERE x.epoch = me.epoch AND x.owner_agent = me.owner_agent
                         AND x.memory_type = me.memory_type AND x.slot = me.slot)
                   ORDER BY i.valid_from, i.seq_no, i.n""",
                item_id,
            )

    # -- sessions, audit, meta -------------------------------------------------------------------------------------

    def register_session(self, session_id: str, user_id: str) -> None:
        epoch = self.partition(user_id).epoch
        with self._writing() as db:
            db.execute("INSERT INTO sessions VALUES(?, ?) ON CONFLICT DO NOTHING", (session_id, epoch))
            holder = db.execute("SELECT epoch FROM sessions WHERE session_id = ?", (session_id,)).fetchone()[0]
        if holder != epoch:
            raise SessionTaken(f"session {session_id!r} is registered to another user; use a new session id")

    def session_user(self, session_id: str) -> str | None:
        rows = self._rows("SELECT u.user_id FROM sessions s JOIN users u USING(epoch) WHERE session_id = ?", session_id)
        return rows[0][0] if rows else None

    def observe(self, agent: str, session_id: str, user_id: str) -> None:
        epoch = self.partition(user_id).epoch
        with self._writing() as db:
            db.execute("INSERT INTO observed VALUES(?, ?, ?) ON CONFLICT DO NOTHING", (agent, session_id, epoch))

    def observed(self, agent: str, session_id: str) -> frozenset[str]:
        rows = self._rows(
            "SELECT u.user_id FROM observed o JOIN users u USING(epoch) WHERE agent = ? AND session_id = ?",
            agent,
            session_id,
        )
        return frozenset(row[0] for row in rows)

    def audit(self, partition: Partition, entries: Sequence[Mapping[str, Any]]) -> None:
        with self._writing() as db:
            for entry in entries:
                db.execute(
                    "INSERT INTO audit(epoch, at, entry) SELECT epoch, ?, ? FROM users WHERE epoch = ?",
                    (_micros(datetime.now(UTC)), json.dumps(entry, ensure_ascii=False, default=str), partition.epoch),
                )

    def audit_entries(self, partition: Partition, limit: int | None = None) -> list[dict[str, Any]]:
        rows = self._rows(
            "SELECT entry FROM audit WHERE epoch = ? ORDER BY n DESC LIMIT ?",
            partition.epoch,
            -1 if limit is None else limit,
        )
        return [json.loads(row[0]) for row in rows]

    def add_problem(self, partition: Partition, entry: Mapping[str, Any], keep: int) -> None:
        with self._writing() as db:
            db.execute(
                "INSERT INTO problems(epoch, entry) SELECT epoch, ? FROM users WHERE epoch = ?",
                (json.dumps(entry, default=str), partition.epoch),
            )
            db.execute(
                "DELETE FROM problems WHERE epoch = ?1 AND n <= "
                "(SELECT n FROM problems WHERE epoch = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)",
                (partition.epoch, keep),
            )

    def problems(self, partition: Partition, limit: int | None = None) -> list[dict[str, Any]]:
        if self._former_format:
            return []  # it kept none
        rows = self._rows(
            "SELECT entry FROM problems WHERE epoch = ? ORDER BY n DESC LIMIT ?",
            partition.epoch,
            -1 if limit is None else limit,
        )
        return [json.loads(row[0]) for row in rows]

    def get_meta(self, key: str) -> str | None:
        rows = self._rows("SELECT value FROM meta WHERE key = ?", key)
        return rows[0][0] if rows else None

    def set_meta(self, key: str, value: str) -> None:
        with self._writing() as db:
            db.execute(
                "INSERT INTO meta VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value", (key, value)
            )

    def counts(self) -> dict[str, int]:
        rows = self._rows(
            "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM items), "
            "(SELECT count(*) FROM items WHERE status = 'current'), "
            "(SELECT count(*) FROM items WHERE indexed = 0 AND status = 'current')"
        )
        return dict(zip(("users", "items", "current", "unindexed"), rows[0], strict=True))
