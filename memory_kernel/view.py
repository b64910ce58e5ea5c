"""What readers see: a cache of user partitions, each with its live items, their vectors and a lexical index.

A partition is changed only by `apply` (a settled write) and dropped whole when it is not needed; everything in it can
be loaded again from the ledger and the provider. Decides nothing about who may see what.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from memory_kernel.items import MemoryItem
from memory_kernel.ledger.base import Partition
from memory_kernel.lexical import LexicalIndex
from memory_kernel.providers.base import Vector


class Scored(NamedTuple):
    """A live item with its raw evidence: cosine to the query in [-1, 1] (nan: no vector), BM25, cosine to the work."""

    item: MemoryItem
    cosine: float
    lexical: float
    to_work: float


class UserView:
    """One user's live items. Rows are appended; a replaced item's row stays, masked, until half are dead."""

    def __init__(
        self,
        items: Sequence[MemoryItem] = (),
        vectors: Mapping[str, Vector] | None = None,
        problem: str | None = None,
        outdated_messages: Iterable[str] = (),
    ) -> None:
        self.outdated_messages = set(outdated_messages)  # what was said there holds no longer; replaced as a whole
        self.problem = problem  # why this view could not be loaded whole; such a view is used once and not kept
        self._lock = threading.Lock()  # protects every field; held for one pass over the matrix at most
        self._reset()
        self.apply(items, vectors or {}, ())

    def _reset(self) -> None:
        self._items: list[MemoryItem] = []
        self._row: dict[str, int] = {}
        self._live = np.zeros(0, dtype=bool)
        self._matrix: Vector = np.zeros((0, 0), dtype=np.float32)
        self._has_vector = np.zeros(0, dtype=bool)
        self._lexical = LexicalIndex()
        self._chars = 0

    def apply(self, added: Iterable[MemoryItem], vectors: Mapping[str, Vector], removed: Iterable[str]) -> None:
        """Show `added`, hide `removed`, in one step for readers. An item added again gets its new vector."""
        added = list(added)
        still_said = {item.text for item in added}
        with self._lock:
            gone = [row for item_id in removed if (row := self._row.pop(item_id, None)) is not None]
            for row in gone:
                self._live[row] = False
            outdated = {
                item.source.message_id
                for item in (self._items[row] for row in gone)
                if item.memory_type != "conversation" and item.source.message_id and item.text not in still_said
            }
            self.outdated_messages = self.outdated_messages | outdated
            for item in added:
                vector = vectors.get(item.id)
                row = self._row.get(item.id)
                if row is None:
                    row = self._append(item)
                if vector is not None:
                    self._set_vector(row, vector)
            if len(self._items) > 64 and len(self._row) < len(self._items) // 2:
                self._compact()

    def _append(self, item: MemoryItem) -> int:
        row = len(self._items)
        self._items.append(item)
        self._row[item.id] = row
        self._lexical.add(item.text)
        self._chars += len(item.text)
        if row >= len(self._live):
            grown = max(16, 2 * row)
            self._live = np.resize(self._live, grown) if row else np.zeros(grown, dtype=bool)
            self._has_vector = np.resize(self._has_vector, grown) if row else np.zeros(grown, dtype=bool)
            self._live[row:] = False
            self._has_vector[row:] = False
        self._live[row] = True
        return row

    def _set_vector(self, row: int, vector: Vector) -> None:
        rows, dimension = self._matrix.shape
        if dimension not in (0, len(vector)):
            return  # not of this embedder: such an item is found by its words
        if row >= rows or dimension == 0:
            grown = np.zeros((len(self._live), dimension or len(vector)), dtype=np.float32)
            if dimension:
                grown[:rows] = self._matrix
            self._matrix = grown
        self._matrix[row] = vector
        self._has_vector[row] = True

    def _compact(self) -> None:
        kept = [(i, self._matrix[r].copy() if self._has_vector[r] else None) for r, i in self._rows_alive()]
        self._reset()
        for item, vector in kept:
            row = self._append(item)
            if vector is not None:
                self._set_vector(row, vector)

    def _rows_alive(self) -> list[tuple[int, MemoryItem]]:
        return [(row, item) for row, item in enumerate(self._items) if self._live[row]]

    def items(self) -> list[MemoryItem]:
        """Every live item, by row."""
        with self._lock:
            return [item for _, item in self._rows_alive()]

    def without_vector(self) -> list[MemoryItem]:
        """Live items that dense retrieval cannot find yet."""
        with self._lock:
            return [item for row, item in self._rows_alive() if not self._has_vector[row]]

    def score(self, query: str, query_vector: Vector | None, is_work: Callable[[MemoryItem], bool]) -> list[Scored]:
        """Evidence for every live item: against the question, and against the items that `is_work` picks out."""
        with self._lock:
            alive = self._rows_alive()
            if not alive:
                return []
            rows = np.array([row for row, _ in alive])
            lexical = self._lexical.scores(query)[rows]
            cosine = self._cosines(rows, None if query_vector is None else query_vector[None, :])
            work = [row for row, item in alive if is_work(item)]
            to_work = self._cosines(rows, self._matrix[self._with_vector(work)] if self._matrix.size else None)
        return [
            Scored(item, float(cosine[i]), float(lexical[i]), float(to_work[i])) for i, (_, item) in enumerate(alive)
        ]

    def _with_vector(self, rows: Sequence[int]) -> list[int]:
        return [row for row in rows if self._has_vector[row]]

    def _cosines(self, rows: NDArray[np.int64], queries: Vector | None) -> NDArray[np.float32]:
        """Highest cosine of each row to any of the queries; nan where there is none to be had."""
        out = np.full(len(rows), np.nan, dtype=np.float32)
        if queries is None or not len(queries) or not self._matrix.size or queries.shape[1] != self._matrix.shape[1]:
            return out
        have = self._has_vector[rows]
        out[have] = (self._matrix[rows[have]] @ queries.T).max(axis=1)
        return out

    def nbytes(self) -> int:
        """Rough size in memory, bytes."""
        with self._lock:
            return int(self._matrix.nbytes) + self._lexical.nbytes() + 2 * self._chars + 1200 * len(self._items)


class ReadView:
    """User views by partition, least recently used out. Loading one user holds up nobody else."""

    def __init__(self, load: Callable[[Partition], UserView], max_bytes: int) -> None:
        self._load = load
        self._max_bytes = max_bytes
        self._lock = threading.Lock()  # protects the two maps
        self._views: OrderedDict[Partition, UserView] = OrderedDict()
        self._loading: WeakValueDictionary[Partition, threading.Lock] = WeakValueDictionary()

    def of(self, partition: Partition) -> UserView:
        """The user's partition, loaded if it is cold."""
        with self._lock:
            view = self._views.get(partition)
            if view is not None:
                self._views.move_to_end(partition)
                return view
        with self.exclusively(partition):
            with self._lock:
                view = self._views.get(partition)
            if view is None:
                view = self._load(partition)
                if view.problem is not None:
                    return view
                with self._lock:
                    self._views[partition] = view
        self._evict()
        return view

    def exclusively(self, partition: Partition) -> threading.Lock:
        """Held while a partition is loaded or changed, so that no settled write falls between the two."""
        with self._lock:  # a lock lives as long as somebody holds or awaits it
            return self._loading.setdefault(partition, threading.Lock())

    def apply(
        self, partition: Partition, added: Sequence[MemoryItem], vectors: Mapping[str, Vector], removed: Sequence[str]
    ) -> None:
        """Show a settled write to readers if the partition is warm; a cold one loads it later."""
        with self._lock:
            view = self._views.get(partition)
        if view is not None:
            view.apply(added, vectors, removed)

    def drop(self, partition: Partition) -> int:
        """Forget a partition; returns how many items it held."""
        with self._lock:
            view = self._views.pop(partition, None)
        return len(view.items()) if view else 0

    def clear(self) -> None:
        """Forget every partition."""
        with self._lock:
            self._views.clear()

    def _evict(self) -> None:
        with self._lock:
            sizes = {user: view.nbytes() for user, view in self._views.items()}
            total = sum(sizes.values())
            for user in list(self._views)[:-1]:  # the newest stays, however large
                if total <= self._max_bytes:
                    break
                total -= sizes[user]
                del self._views[user]
