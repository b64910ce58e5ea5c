"""The default provider: Chroma embedded in a process of its own, as a server, or a collection the user already has.
Owns how a record becomes a row; the operations on rows are in `chroma_index`, and `chromadb` loads on first use."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memory_kernel.errors import EmbedderMismatch, InvalidMemory, StoreUnavailable
from memory_kernel.providers.base import Hit, MemoryProvider, MemoryRecord, Vector
from memory_kernel.providers.chroma_index import SYNC_THRESHOLD, CollectionIndex, Index, Matrix, Opened, as_kernel_error
from memory_kernel.providers.chroma_process import ProcessIndex

if TYPE_CHECKING:
    from langchain_chroma import Chroma

USER_KEY = "user_id"
_ESCAPE = "\x01"
_BATCH = 500  # rows of one request: what a request costs stays far below its deadline
_PAGE = 1000


class ChromaProvider(MemoryProvider):
    """`MemoryProvider` over Chroma (KMSM's `ChromaProvider`). Made by `embedded`, `server` or `from_langchain`.

    A row's Chroma id is a digest of the user id and the record's id, so no two users' records can meet, whatever their
    ids. Its metadata is the record's, plus `user_id`; documents are never stored. A string that Chroma cannot hold
    (lone surrogates) is kept as ``\\x01`` and its UTF-8 bytes in hexadecimal, and comes back as it was.

    Raises of the kernel's errors: `StoreUnavailable` (`StoreLocked`), `DeadlineExceeded`, `EmbedderMismatch` for a
    vector of another dimension, `InvalidMemory` for one that is not a vector, `KernelClosed`.
    """

    def __init__(self, index: Index, *, dimension: int | None = None) -> None:
        self._index = index
        self._dimension = dimension

    @classmethod
    def embedded(
        cls,
        path: str | Path,
        *,
        dimension: int | None = None,
        collection: str = "memories",
        timeout_s: float = 10.0,
        lock_wait_s: float = 15.0,
        niceness: int = 5,
    ) -> ChromaProvider:
        """Chroma in a child process that alone owns the directory `path`. Returns at once; starts on first use.

        Another owner of the directory is waited for at most `lock_wait_s` (a kernel that just ended), then
        `StoreLocked`. Each request has `timeout_s`. POSIX only; elsewhere use `server`.
        """
        index = ProcessIndex(
            Path(path).absolute(), collection, timeout_s=timeout_s, lock_wait_s=lock_wait_s, niceness=niceness
        )
        return cls(index, dimension=dimension)

    @classmethod
    def server(
        cls,
        host: str,
        port: int,
        *,
        dimension: int | None = None,
        collection: str = "memories",
        timeout_s: float = 10.0,
        ssl: bool = False,
        headers: Mapping[str, str] | None = None,
        tenant: str | None = None,
        database: str | None = None,
    ) -> ChromaProvider:
        """A Chroma server (`chroma run`), shared by as many kernels as there are. Connects on first use."""
        connection = _Server(host, port, collection, timeout_s, ssl, dict(headers or {}), tenant, database)
        return cls(_ServerIndex(connection), dimension=dimension)

    @classmethod
    def from_langchain(cls, vectorstore: Chroma, *, dimension: int | None = None) -> ChromaProvider:
        """The collection of a `langchain_chroma.Chroma` that is the user's own: it stays open and is never reset.

        Its documents are left alone. It has its client's deadlines, and no process of its own where it is embedded.
        """
        return cls(_BorrowedIndex(vectorstore), dimension=dimension)

    def add_memory(self, records: Sequence[MemoryRecord]) -> None:
        """Insert or replace by (user, id), in requests of at most 500. Of one given twice the last counts."""
        rows = {_row_id(record.user_id, record.id): record for record in records}
        for ids in _parts(list(rows), _BATCH):
            vectors = np.stack([self._vector(rows[row_id].vector) for row_id in ids])
            self._index.upsert(ids, vectors, [_metadata(rows[row_id]) for row_id in ids])

    def retrieve_memory(self, user_id: str, query_vector: Vector, limit: int) -> list[Hit]:
        """Chroma's nearest neighbours (approximate for a user of thousands), as cosine similarity."""
        vector = self._vector(query_vector)
        if limit < 1:
            return []
        found = self._index.query({USER_KEY: encode(user_id)}, vector, limit)
        hits = [Hit(_record_id(row_id), score) for row_id, score in found]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))

    def get_all(self, user_id: str) -> Iterable[MemoryRecord]:
        """Every record; of a user with more than 1,000 in several requests, over the ids as they were at first."""
        where = {USER_KEY: encode(user_id)}
        found = self._index.get(where=where, limit=_PAGE)
        if len(found.ids) < _PAGE:
            return list(_records(user_id, *found))
        ids = self._index.get(where=where, rows=False).ids
        return [r for part in _parts(ids, _PAGE) for r in _records(user_id, *self._index.get(ids=part))]

    def delete(self, user_id: str, ids: Sequence[str]) -> None:
        """Overwrite the vectors with noise, remove the rows, and have Chroma write that out.

        Pages of `chroma.sqlite3` that are free again, and rows that were replaced earlier, may still hold vectors
        until `purge`.
        """
        rows = list(dict.fromkeys(_row_id(user_id, record_id) for record_id in ids))
        for part in _parts(rows, _BATCH):
            self._index.delete(part)

    def purge(self) -> Mapping[str, Any]:
        """After `delete`: leave no deleted vector in any file. For the kernel's `forget_user`.

        Embedded: the worker is renewed and, before it opens Chroma, wipes dead rows and vacuums. Elsewhere the files
        are out of reach, and the report says so: ``{"vacuumed": False, "reason": ...}``.
        """
        return self._index.purge()

    def reset(self) -> None:
        """Drop the index, in whatever condition it is, and start empty. The kernel fills it from the ledger."""
        self._index.reset()

    def start(self) -> None:
        """Open in the background, so that the first call finds it ready. Failures wait for the first call."""
        self._index.start()

    def describe(self) -> Mapping[str, Any]:
        """Path or address, collection, `count` of rows, and `index_id`: another one if the index was made anew."""
        return {"provider": type(self).__name__, "dimension": self._dimension, **self._index.describe()}

    def close(self) -> None:
        """Let go of the client; an embedded worker ends. Idempotent."""
        self._index.close()

    def _vector(self, vector: Vector) -> Vector:
        array = np.asarray(vector, dtype=np.float32)
        if array.ndim != 1 or array.size == 0 or not np.isfinite(array).all():
            raise InvalidMemory(f"Expected a vector of finite numbers, got shape {array.shape}: {array!r:.100}")
        if self._dimension is not None and array.size != self._dimension:
            raise EmbedderMismatch(f"This index holds vectors of {self._dimension} numbers; one of {array.size} came.")
        return array


def encode(text: str) -> str:
    """`text` where Chroma can hold it, else ``\\x01`` and its bytes in hexadecimal. Distinct for distinct strings."""
    if not text.startswith(_ESCAPE):
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
    return _ESCAPE + text.encode("utf-8", "surrogatepass").hex()


def decode(text: str) -> str:
    """The inverse of `encode`."""
    return bytes.fromhex(text[1:]).decode("utf-8", "surrogatepass") if text.startswith(_ESCAPE) else text


def _row_id(user_id: str, record_id: str) -> str:
    return f"{hashlib.sha256(encode(user_id).encode()).hexdigest()[:32]}:{encode(record_id)}"


def _record_id(row_id: str) -> str:
    return decode(row_id.partition(":")[2])


def _metadata(record: MemoryRecord) -> dict[str, str]:
    if USER_KEY in record.metadata:
        raise InvalidMemory(f"The metadata key {USER_KEY!r} is the provider's own (record {record.id!r}).")
    return {USER_KEY: encode(record.user_id)} | {key: encode(value) for key, value in record.metadata.items()}


def _records(
    user_id: str, ids: Sequence[str], vectors: Matrix, metadatas: Sequence[Mapping[str, str]]
) -> Iterator[MemoryRecord]:
    for row_id, vector, metadata in zip(ids, vectors, metadatas, strict=True):
        own = {key: decode(value) for key, value in metadata.items() if key != USER_KEY}
        yield MemoryRecord(_record_id(row_id), user_id, vector, own)


def _parts(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (items[start : start + size] for start in range(0, len(items), size))


class _Server:
    """How to connect to a Chroma server."""

    def __init__(
        self,
        host: str,
        port: int,
        collection: str,
        timeout_s: float,
        ssl: bool,
        headers: dict[str, str],
        tenant: str | None,
        database: str | None,
    ) -> None:
        self.host, self.port, self.collection, self.timeout_s = host, port, collection, timeout_s
        self._ssl, self._headers, self._tenant, self._database = ssl, headers, tenant, database

    def connect(self) -> tuple[Any, Callable[[], None]]:
        """A client whose every request has the deadline (chromadb's own has none), and how to close it."""
        import chromadb
        import httpx
        from chromadb.config import DEFAULT_DATABASE, DEFAULT_TENANT, Settings

        address = f"{'https' if self._ssl else 'http'}://{self.host}:{self.port}"
        httpx.get(f"{address}/api/v2/heartbeat", headers=self._headers, timeout=self.timeout_s)
        client: Any = chromadb.HttpClient(
            self.host,
            self.port,
            ssl=self._ssl,
            headers=self._headers,
            settings=Settings(anonymized_telemetry=False),
            tenant=self._tenant or DEFAULT_TENANT,
            database=self._database or DEFAULT_DATABASE,
        )
        sessions = [part._server._session for part in (client, client._admin_client)]
        for session in sessions:
            session.timeout = httpx.Timeout(self.timeout_s)

        def close() -> None:
            client.close()
            for session in sessions:  # chromadb leaves its connections open
                session.close()

        return client, close

    def open(self) -> Opened:
        """Connect, and make the collection if there is none."""
        client, close = self.connect()
        collection = client.get_or_create_collection(
            self.collection,
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine", "sync_threshold": SYNC_THRESHOLD, "batch_size": 100}},
        )
        return Opened(collection, client.get_max_batch_size(), close)


class _ClientIndex(CollectionIndex):
    """What is alike for collections behind a client in this process: files are out of reach."""

    def purge(self) -> Mapping[str, Any]:
        """Have the server write out the noise; more cannot be done from here."""
        self.flush()
        return {
            "vacuumed": False,
            "reason": f"{self._place} keeps its own files: stop the server and run `chroma vacuum` on them.",
        }

    def start(self) -> None:
        """Nothing to start."""


class _ServerIndex(_ClientIndex):
    """A collection that is ours on a server that is not."""

    def __init__(self, server: _Server) -> None:
        super().__init__(server.open, f"the Chroma server {server.host}:{server.port}")
        self._server = server

    def reset(self) -> None:
        """Delete the collection; the next use makes it anew."""
        import chromadb.errors

        self.close()
        try:
            client, close = self._server.connect()
            try:
                client.delete_collection(self._server.collection)
            except (chromadb.errors.NotFoundError, ValueError):
                return
            finally:
                close()
        except Exception as error:  # the boundary at which Chroma's and httpx's errors become the kernel's
            raise as_kernel_error(error, self._place) from error

    def describe(self) -> Mapping[str, Any]:
        """Address and collection."""
        return {
            "host": self._server.host,
            "port": self._server.port,
            "collection": self._server.collection,
            "count": self.count(),
            "index_id": self.index_id(),
        }


class _BorrowedIndex(_ClientIndex):
    """A LangChain vector store's collection."""

    def __init__(self, vectorstore: Chroma) -> None:
        # LangChain has no public way to its collection and client.
        collection, client = vectorstore._collection, vectorstore._client
        super().__init__(
            lambda: Opened(collection, client.get_max_batch_size(), lambda: None),
            f"the LangChain collection {collection.name!r}",
        )
        self._name = collection.name

    def reset(self) -> None:
        """Refused: other things live there."""
        raise StoreUnavailable(
            f"{self._place} is yours and is not reset from here. Call `reset_collection()` on the vector store if "
            "nothing else lives in it."
        )

    def describe(self) -> Mapping[str, Any]:
        """The collection; `count` includes what others keep there."""
        return {"collection": self._name, "count": self.count(), "index_id": self.index_id()}
