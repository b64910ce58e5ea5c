"""The child process that alone owns an embedded Chroma directory: takes its lock, answers one request after another
over a private socket, and ends when the other end is closed, whichever way its parent died."""

from __future__ import annotations

import io
import json
import os
import pickle
import select
import shutil
import signal
import socket
import sqlite3
import struct
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from memory_kernel.errors import MemoryKernelError, StoreLocked, StoreUnavailable
from memory_kernel.providers.chroma_index import (
    SYNC_THRESHOLD,
    CollectionIndex,
    Opened,
    as_kernel_error,
    is_noise,
    noise,
)

LOCK_FILE = "worker.lock"
DATABASE = "chroma.sqlite3"
LENGTH = struct.Struct("!Q")
# hnswlib's header: version, offset of level 0, capacity, elements, bytes of an element, offsets of its label and vector
HNSW_HEADER = struct.Struct("<iQQQQQQ")


class Options(NamedTuple):
    """What the parent asks for, passed as JSON on the command line."""

    path: str
    collection: str
    lock_wait_s: float
    niceness: int
    may_create: bool


def send(sock: socket.socket, message: object) -> None:
    """Write one message; the socket's timeout bounds the whole."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    sock.sendall(LENGTH.pack(len(data)) + data)


def receive(sock: socket.socket, deadline: float | None = None) -> Any:
    """Read one message by `deadline` (of `time.monotonic`), else `TimeoutError`; `EOFError` if the end is closed."""
    (length,) = LENGTH.unpack(_read(sock, LENGTH.size, deadline))
    return pickle.loads(_read(sock, length, deadline))  # noqa: S301 - our own other half, over a socket nobody else has


def _read(sock: socket.socket, length: int, deadline: float | None) -> bytes:
    data = bytearray()
    while len(data) < length:
        sock.settimeout(None if deadline is None else max(deadline - time.monotonic(), 0.001))
        part = sock.recv(min(length - len(data), 1 << 20))
        if not part:
            raise EOFError("the other end was closed")
        data += part
    return bytes(data)


class Store:
    """The directory: its lock, the collection in it, and what can be done to its files while Chroma is not open."""

    def __init__(self, options: Options) -> None:
        self._path = Path(options.path)
        self._collection = options.collection
        self._may_create = options.may_create
        self._inode: int | None = None
        self._lock: int | None = None
        self._index = CollectionIndex(self._open, f"the Chroma directory {self._path}")

    @property
    def operations(self) -> Mapping[str, Callable[..., Any]]:
        """Everything the parent may ask for, by name."""
        index = self._index
        use_store: dict[str, Callable[..., Any]] = {
            "upsert": index.upsert,
            "query": index.query,
            "get": index.get,
            "delete": index.delete,
            "flush": index.flush,
            "describe": lambda: {"count": index.count(), "index_id": index.index_id()},
        }
        return {name: self._if_in_place(f) for name, f in use_store.items()} | {
            "purge": self.purge,
            "reset": self.reset,
        }

    def take_lock(self, wait_s: float, parent: socket.socket) -> None:
        """Wait for an owner that is just ending; `StoreLocked` if it does not, `EOFError` if the parent is gone."""
        import fcntl

        self._path.mkdir(parents=True, exist_ok=True)
        file = self._path / LOCK_FILE
        give_up = time.monotonic() + wait_s
        while True:
            lock = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = os.pread(lock, 32, 0).decode(errors="replace").strip() or "unknown"
                os.close(lock)
            else:
                if file.exists() and os.fstat(lock).st_ino == file.stat().st_ino:
                    os.truncate(lock, 0)
                    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
                    self._lock = lock
                    return
                os.close(lock)  # the file was replaced while we waited: this is nobody's lock any more
                owner = "unknown"
            if time.monotonic() > give_up:
                raise StoreLocked(
                    f"The Chroma directory {self._path} is owned by process {owner}, and still was after {wait_s:g} s. "
                    "Two processes cannot share it: stop the other, use another directory, or run a Chroma server "
                    "(`ChromaProvider.server`)."
                )
            if select.select([parent], [], [], 0.02)[0]:
                raise EOFError("the parent is gone")

    def purge(self) -> Mapping[str, Any]:
        """Clear deleted vectors from Chroma's files. Only before the collection was first used.

        A second connection to a database that this process has open would, when closed, drop Chroma's own locks.
        """
        if self._inode is not None:
            raise StoreUnavailable("purge() needs a worker that has not opened Chroma yet")
        wiped = sum(wipe_dead_vectors(header.parent) for header in sorted(self._path.glob("*/header.bin")))
        database = self._path / DATABASE
        if database.exists():
            connection = sqlite3.connect(database, isolation_level=None, timeout=5)
            try:
                connection.execute("PRAGMA secure_delete = ON")
                connection.execute("PRAGMA temp_store = MEMORY")
                connection.execute("VACUUM")
            except sqlite3.Error as error:
                raise StoreUnavailable(f"{database} cannot be vacuumed: {error}. reset() the index.") from error
            finally:
                connection.close()
        return {"vectors_wiped": wiped, "vacuumed": database.exists()}

    def reset(self) -> None:
        """Remove everything but the lock. Only before the collection was first used."""
        if self._inode is not None:
            raise StoreUnavailable("reset() needs a worker that has not opened Chroma yet")
        for entry in self._path.iterdir():
            if entry.name == LOCK_FILE:
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        self._may_create = True

    def close(self) -> None:
        """Close Chroma; the lock goes with the process."""
        self._index.close()

    def _open(self) -> Opened:
        database = self._path / DATABASE
        if not (self._may_create or database.exists()):
            raise StoreUnavailable(f"{database} is gone. reset() the index and fill it again from the ledger.")
        import chromadb
        from chromadb.config import Settings

        client: Any = chromadb.PersistentClient(str(self._path), settings=Settings(anonymized_telemetry=False))
        collection = client.get_or_create_collection(
            self._collection,
            embedding_function=None,
            configuration={
                "hnsw": {"space": "cosine", "sync_threshold": SYNC_THRESHOLD, "batch_size": min(100, SYNC_THRESHOLD)}
            },
        )
        self._inode = database.stat().st_ino
        return Opened(collection, client.get_max_batch_size(), client.close)

    def _if_in_place(self, operation: Callable[..., Any]) -> Callable[..., Any]:
        """Refuse when the files were deleted or replaced under us: Chroma would go on reading what is gone."""

        def checked(*args: Any, **kwargs: Any) -> Any:
            database = self._path / DATABASE
            if self._inode is not None and (not database.exists() or database.stat().st_ino != self._inode):
                raise StoreUnavailable(
                    f"{database} was deleted or replaced while in use. reset() the index and fill it again."
                )
            return operation(*args, **kwargs)

        return checked


class _Data(pickle.Unpickler):
    """Reads plain data only: a file is no place to run code from."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"unexpected {module}.{name}")


def wipe_dead_vectors(segment: Path) -> int:
    """Put noise in the place of every vector in `data_level0.bin` that belongs to no living row; how many there were.

    A deleted row keeps its vector there (it still serves as a waypoint in the graph), and a replaced one may. The check
    goes by label and not by the deleted flag, so it holds however Chroma came to leave the row behind.
    """
    header = (segment / "header.bin").read_bytes()
    level0, rows = segment / "data_level0.bin", segment / "index_metadata.pickle"
    if len(header) < HNSW_HEADER.size:
        raise StoreUnavailable(f"{segment}/header.bin is damaged. reset() the index and fill it again.")
    version, start, _capacity, count, stride, label_at, vector_at = HNSW_HEADER.unpack_from(header)
    if count == 0 and not rows.exists():
        return 0
    fits = version == 1 and start == 0 and label_at + 8 == stride and 0 < vector_at < label_at
    if not fits or (label_at - vector_at) % 4 or level0.stat().st_size < count * stride or not rows.exists():
        raise StoreUnavailable(
            f"{segment} is damaged, or written by a Chroma whose files this version cannot clean. "
            "reset() the index and fill it again."
        )
    living = list(_Data(io.BytesIO(rows.read_bytes())).load()["label_to_id"])
    table = np.memmap(level0, dtype=np.uint8, mode="r+", shape=(count, stride))
    labels = table[:, label_at:].copy().view("<u8")[:, 0]
    dead = np.flatnonzero(~np.isin(labels, np.asarray(living, dtype=np.uint64)))
    vectors = table[dead, vector_at:label_at].copy().view(np.float32)
    telling = dead[~is_noise(vectors)]
    if len(telling):
        table[telling, vector_at:label_at] = noise(len(telling), vectors.shape[1]).view(np.uint8)
        table.flush()
    return len(telling)


def serve(store: Store, parent: socket.socket) -> None:
    """Answer requests until the parent closes its end. An answer is ("ok", value) or ("error", class name, message)."""
    operations = store.operations
    while True:
        name, args, kwargs = receive(parent)
        try:
            answer: tuple[object, ...] = ("ok", operations[name](*args, **kwargs))
        except MemoryKernelError as error:
            answer = ("error", type(error).__name__, str(error))
        except Exception as error:  # noqa: BLE001 - whatever it was: the parent hears of it, the next request is answered
            traceback.print_exc()
            named = as_kernel_error(error, f"Chroma's {name}")
            answer = ("error", type(named).__name__, str(named))
        send(parent, answer)


def main() -> None:
    """`argv`: the socket's file descriptor, and `Options` as JSON."""
    # The parent's life decides when this process ends, so that it can still finish its work after Ctrl-C.
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    parent = socket.socket(fileno=int(sys.argv[1]))
    options = Options(**json.loads(sys.argv[2]))
    os.umask(0o077)
    os.nice(options.niceness)
    store = Store(options)
    try:
        store.take_lock(options.lock_wait_s, parent)
        os.chdir(options.path)  # Chroma takes settings from a `.env` where it runs: the application's is not for it
        import chromadb  # noqa: F401 - the slow part of the first request, done before it comes

        send(parent, ("ok", {"pid": os.getpid()}))
        serve(store, parent)
    except (EOFError, ConnectionError):
        pass
    except MemoryKernelError as error:
        send(parent, ("error", type(error).__name__, str(error)))
    except OSError as error:
        send(parent, ("error", StoreUnavailable.__name__, f"The directory {options.path} cannot be used: {error}"))
    store.close()
