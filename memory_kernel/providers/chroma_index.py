"""The operations on one Chroma collection, with what Chroma 1.5 needs around them to replace and erase for certain.
Runs wherever the Chroma client runs: in the child process (embedded) or in this one (server); knows of strings and
vectors only, nothing of users."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from memory_kernel.errors import DeadlineExceeded, EmbedderMismatch, MemoryKernelError, StoreUnavailable

if TYPE_CHECKING:
    from chromadb import Collection

Matrix = NDArray[np.float32]

# Chroma writes its vectors to disk, and drops them from its queue, once that many operations have gathered. Erasing has
# to reach it (`flush`), so it is kept small; 2 would cost 6 ms a batch at 10,000 vectors, and more with more.
SYNC_THRESHOLD = 256


class Found(NamedTuple):
    """Rows of a collection: `vectors` has shape (len(ids), dimension); both others are empty if not asked for."""

    ids: list[str]
    vectors: Matrix
    metadatas: list[dict[str, str]]


class Index(Protocol):
    """What `ChromaProvider` speaks to. Every method may raise the kernel's errors, and no other."""

    def upsert(self, ids: Sequence[str], vectors: Matrix, metadatas: Sequence[Mapping[str, str]]) -> None:
        """Insert or replace; `ids` are distinct."""

    def query(self, where: Mapping[str, str], vector: NDArray[np.float32], limit: int) -> list[tuple[str, float]]:
        """Ids with cosine similarity, most similar first."""

    def get(
        self,
        *,
        where: Mapping[str, str] | None = None,
        ids: Sequence[str] | None = None,
        limit: int | None = None,
        rows: bool = True,
    ) -> Found:
        """The rows that match; with `rows=False` their ids only."""

    def delete(self, ids: Sequence[str]) -> None:
        """Overwrite with noise, remove, and write that to disk. Unknown ids are ignored."""

    def purge(self) -> Mapping[str, Any]:
        """Clear what deleted rows left in files, as far as this back end can; says what was done."""

    def reset(self) -> None:
        """Drop the whole index, whatever its condition, and start empty."""

    def start(self) -> None:
        """Begin opening in the background, so that the first call need not wait."""

    def describe(self) -> Mapping[str, Any]:
        """Where it is, and how many rows it has."""

    def close(self) -> None:
        """Release what was opened. Idempotent."""


class Opened(NamedTuple):
    """A collection, the largest batch its client takes, and how to let go of the client."""

    collection: Collection
    max_batch: int
    close: Callable[[], None]


class CollectionIndex:
    """The operations of `Index` on a collection that `open_collection` gives on first use."""

    def __init__(self, open_collection: Callable[[], Opened], place: str) -> None:
        self._open = open_collection
        self._place = place
        self._opened: Opened | None = None
        self._opening = threading.Lock()  # one client, whoever comes first
        self._writing = threading.Lock()  # replacing reads, deletes and adds: nobody may write in between

    def upsert(self, ids: Sequence[str], vectors: Matrix, metadatas: Sequence[Mapping[str, str]]) -> None:
        """Insert, and replace where the id is known."""
        with self._chroma_errors() as chroma, self._writing:
            for part in self._batches(len(ids)):
                self._remove_outdated(chroma.collection, ids[part], vectors[part])
                chroma.collection.upsert(
                    ids=list(ids[part]), embeddings=vectors[part], metadatas=[dict(m) for m in metadatas[part]]
                )

    def query(self, where: Mapping[str, str], vector: NDArray[np.float32], limit: int) -> list[tuple[str, float]]:
        """Chroma's distances as cosine similarities."""
        with self._chroma_errors() as chroma:
            found = chroma.collection.query(
                query_embeddings=np.asarray(vector, dtype=np.float32)[None, :],
                n_results=limit,
                where=dict(where),
                include=["distances"],
            )
            distances = np.asarray((found["distances"] or [[]])[0], dtype=np.float64)
            scores = np.clip(self._similarity(chroma.collection, distances), -1.0, 1.0)
            return list(zip(found["ids"][0], scores.tolist(), strict=True))

    def get(
        self,
        *,
        where: Mapping[str, str] | None = None,
        ids: Sequence[str] | None = None,
        limit: int | None = None,
        rows: bool = True,
    ) -> Found:
        """As `Index.get`."""
        with self._chroma_errors() as chroma:
            found = chroma.collection.get(
                ids=None if ids is None else list(ids),
                where=None if where is None else dict(where),
                limit=limit,
                include=["embeddings", "metadatas"] if rows else [],
            )
            if not rows:
                return Found(found["ids"], np.empty((0, 0), dtype=np.float32), [])
            vectors = np.asarray(found["embeddings"], dtype=np.float32)
            return Found(found["ids"], vectors, [{k: str(v) for k, v in m.items()} for m in found["metadatas"] or []])

    def delete(self, ids: Sequence[str]) -> None:
        """As `Index.delete`."""
        with self._chroma_errors() as chroma, self._writing:
            removed = False
            for part in self._batches(len(ids)):
                known = chroma.collection.get(ids=list(ids[part]), include=["embeddings"])
                removed |= bool(known["ids"])
                self._overwrite_and_delete(chroma.collection, known["ids"], np.asarray(known["embeddings"]).shape[-1])
        if removed:
            self.flush()

    def flush(self) -> None:
        """Make Chroma write its vectors to disk and empty its queue.

        There is no call for it: it happens after `sync_threshold` operations, and an update of an unknown id is an
        operation that changes nothing.
        """
        with self._chroma_errors() as chroma, self._writing:
            hnsw = _configuration(chroma.collection).get("hnsw") or {}
            for part in self._batches(int(hnsw.get("sync_threshold") or 0)):
                nobody = [f"\0flush-{n}" for n in range(part.start, part.stop)]
                chroma.collection.update(ids=nobody, metadatas=[{"user_id": ""}] * len(nobody))

    def count(self) -> int:
        """Rows in the collection."""
        with self._chroma_errors() as chroma:
            return chroma.collection.count()

    def index_id(self) -> str:
        """Chroma's own id of the collection: another one after the index was lost and made anew."""
        with self._chroma_errors() as chroma:
            return str(chroma.collection.id)

    def close(self) -> None:
        """Let go of the client; the next use opens it again."""
        with self._opening:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def _remove_outdated(self, collection: Collection, ids: Sequence[str], vectors: Matrix) -> None:
        """Delete the rows whose vector is about to change, so that they come back under a new label.

        Chroma 1.5 does not write an upsert of a vector without neighbours to disk: after a restart the old one is
        back, and the queue that could correct it is gone.
        """
        known = collection.get(ids=list(ids), include=[])["ids"]
        if not known:
            return
        rows = collection.get(ids=known, include=["embeddings"])
        before = dict(zip(rows["ids"], np.asarray(rows["embeddings"], dtype=np.float32), strict=True))
        outdated = [
            record_id
            for record_id, vector in zip(ids, vectors, strict=True)
            if record_id in before
            and before[record_id].shape == vector.shape  # else Chroma refuses the upsert, and nothing may be gone
            and not np.allclose(before[record_id], vector, atol=1e-6)
        ]
        self._overwrite_and_delete(collection, outdated, vectors.shape[1])

    def _overwrite_and_delete(self, collection: Collection, ids: list[str], dimension: int) -> None:
        """Delete leaves the vector in Chroma's file for good, so noise takes its place first."""
        if ids:
            collection.update(ids=ids, embeddings=noise(len(ids), dimension))
            collection.delete(ids=ids)

    def _similarity(self, collection: Collection, distances: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of unit vectors, `l2` (Chroma's is squared) is 2 - 2 cos; `cosine` and `ip` are 1 - cos."""
        configuration = _configuration(collection)
        space = (configuration.get("hnsw") or configuration.get("spann") or {}).get("space", "l2")
        return 1.0 - distances / 2.0 if space == "l2" else 1.0 - distances

    def _batches(self, total: int) -> Iterator[slice]:
        size = self._ready().max_batch
        return (slice(start, min(start + size, total)) for start in range(0, total, size))

    def _ready(self) -> Opened:
        with self._opening:
            if self._opened is None:
                self._opened = self._open()
            return self._opened

    @contextmanager
    def _chroma_errors(self) -> Iterator[Opened]:
        """The open collection; what goes wrong with it leaves as one of the kernel's errors."""
        try:
            yield self._ready()
        except MemoryKernelError:
            raise
        except Exception as error:  # Chroma raises its own errors, httpx's, ValueError, OSError: one boundary for all
            raise as_kernel_error(error, self._place) from error


def _configuration(collection: Collection) -> Mapping[str, Any]:
    """As Chroma keeps it; its own `configuration` property warns of every collection without an embedding function."""
    configuration: Mapping[str, Any] = collection.configuration_json
    return configuration


def as_kernel_error(error: Exception, place: str) -> MemoryKernelError:
    """The kernel's error for what Chroma or its HTTP client raised."""
    import chromadb.errors
    import httpx

    text = f"{place}: {type(error).__name__}: {error}"
    if isinstance(error, httpx.TimeoutException):
        return DeadlineExceeded(f"{text}. The Chroma server did not answer in time.")
    if isinstance(error, chromadb.errors.ChromaError) and "dimension" in str(error):
        return EmbedderMismatch(f"{text}. The index was made with another embedder: reset() it and index again.")
    return StoreUnavailable(f"{text}. If this stays, reset() the index and fill it again from the ledger.")


def noise(count: int, dimension: int) -> Matrix:
    """Random unit vectors that say nothing and can be told from embeddings: each second number negates the first.

    Random and not constant, because a thousand equal vectors in one place would wreck the graph for the living ones.
    """
    half = np.random.default_rng().normal(size=(count, dimension // 2)).astype(np.float32)
    vectors = np.zeros((count, dimension), dtype=np.float32)
    vectors[:, 0 : 2 * half.shape[1] : 2], vectors[:, 1 : 2 * half.shape[1] : 2] = half, -half
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(norms == 0, 1, norms), dtype=np.float32)


def is_noise(vectors: Matrix) -> NDArray[np.bool_]:
    """Which rows are `noise` (or all zero). Normalising again, as Chroma does, keeps the mark."""
    even = vectors.shape[1] // 2 * 2
    return np.asarray((vectors[:, 0:even:2] == -vectors[:, 1:even:2]).all(axis=1))
