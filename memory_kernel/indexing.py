"""What happens to a write after the ledger accepted it: embed, settle (readers see it), index (the provider too).

Settling comes before indexing, so a slow provider delays no reader. Everything here can be lost at any moment: at start
the ledger says what is still owed (`replay`). Knows nothing of agents, ranking or the block.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from memory_kernel.barrier import MemoryWriteBarrier
from memory_kernel.config import KernelConfig
from memory_kernel.deadline import Deadlines
from memory_kernel.embeddings import KernelEmbedder
from memory_kernel.errors import DeadlineExceeded, KernelClosed
from memory_kernel.items import MemoryItem
from memory_kernel.ledger.base import Accepted, Ledger, Partition
from memory_kernel.providers.base import MemoryProvider, MemoryRecord, Vector
from memory_kernel.view import ReadView, UserView

logger = logging.getLogger(__name__)
T = TypeVar("T")

_WORKERS = 4
_EMBED_BATCH = 64
_INDEX_BATCH = 256
_LINGER_S = 0.05  # a provider is much cheaper by the batch
_BACKPRESSURE_S = 5.0
_FIRST_RETRY_S, _LAST_RETRY_S = 0.5, 60.0
# Deadlines as multiples of `provider_timeout_ms`: nobody waits for a batch, and an erasure may have files to clean.
_WRITE_PATIENCE, _ERASE_PATIENCE = 6, 12


class Work(NamedTuple):
    """One accepted item on its way to readers."""

    partition: Partition
    item: MemoryItem
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Upsert:
    partition: Partition
    item: MemoryItem
    vector: Vector


@dataclass(frozen=True, slots=True)
class _Delete:
    partition: Partition
    ids: tuple[str, ...]


_Operation = _Upsert | _Delete


class Indexer:
    """Embeds, settles and indexes behind the writer's back, and loads the partitions of cold users."""

    def __init__(
        self,
        *,
        ledger: Ledger,
        provider: MemoryProvider,
        embedder: KernelEmbedder,
        barrier: MemoryWriteBarrier,
        deadlines: Deadlines,
        config: KernelConfig,
        store_id: str,
    ) -> None:
        self.view = ReadView(self._load, config.view_cache_bytes)
        self.problems: dict[str, str] = {}  # part -> what is wrong with it now, for the operator
        self._ledger = ledger
        self._provider = provider
        self._embedder = embedder
        self._barrier = barrier
        self._deadlines = deadlines
        self._config = config
        self._store_id = store_id
        self._changed = threading.Condition()  # protects everything below
        self._unsettled: dict[Partition, dict[str, Work]] = {}
        self._queues: dict[Partition, deque[Work]] = {}
        self._ready: deque[Partition] = deque()
        self._busy: set[Partition] = set()
        self._owed: dict[str, Work] = {}  # settled without a vector; embedding is tried again
        self._retry_s = _FIRST_RETRY_S
        self._retry_at = 0.0
        self._behind: deque[_Operation] = deque()
        self._in_hand: Sequence[_Operation] = ()  # taken from `_behind`, on its way to the provider
        self._index_pause_s = _FIRST_RETRY_S
        self._index_at = 0.0
        self._books: deque[Callable[[], None]] = deque()
        self._vectors: dict[str, _Upsert] = {}  # settled and not indexed: the provider cannot be asked for these yet
        self._erased: set[Partition] = set()
        self._flushing = 0
        self._closed = False
        self._threads: list[threading.Thread] = []
        self._index_lock = threading.Lock()  # held while the provider is written to; `erase` waits for it

    def provider_key(self, partition: Partition) -> str:
        """What the provider knows the user by: unique to this store and epoch, and nobody's name."""
        return f"{self._store_id}-{partition.epoch}"

    # -- from accepted to settled ----------------------------------------------------------------------------------

    def register(self, partition: Partition, accepted: Sequence[Accepted]) -> list[Work]:
        """Note fresh items as accepted and not yet visible. Called right after the ledger's commit."""
        works = [Work(partition, a.item, a.replaced) for a in accepted if a.fresh and a.item.status == "current"]
        with self._changed:
            if not works or partition in self._erased:
                return []
            self._unsettled.setdefault(partition, {}).update((w.item.id, w) for w in works)
        self._barrier.open(partition.user_id, [w.item.seq_no for w in works])
        return works

    def submit(self, works: Sequence[Work]) -> None:
        """Make registered writes visible: at once with an embedder in this process, else behind the caller's back."""
        if not works:
            return
        if self._embedder.in_process:
            self._embed_and_settle(works[0].partition, works)
        else:
            self._enqueue(works)
        self._wait_for_room()

    def is_settled(self, item_id: str) -> bool:
        """Whether readers can see an accepted item."""
        with self._changed:
            return not any(item_id in waiting for waiting in self._unsettled.values())

    def _enqueue(self, works: Sequence[Work]) -> None:
        with self._changed:
            self._start_threads()
            for work in works:
                queue = self._queues.setdefault(work.partition, deque())
                queue.append(work)
                if work.partition not in self._busy and len(queue) == 1:
                    self._ready.append(work.partition)
            self._changed.notify_all()

    def _wait_for_room(self) -> None:
        """Back-pressure: a writer waits while the provider is far behind, and is never refused (the ledger has it)."""
        with self._changed:
            if len(self._vectors) > self._config.max_backlog:
                self._changed.wait_for(lambda: len(self._vectors) <= self._config.max_backlog, _BACKPRESSURE_S)

    def _embedding_worker(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ready or self._closed)
                if self._closed:
                    return
                partition = self._ready.popleft()
                queue = self._queues[partition]
                works = [queue.popleft() for _ in range(min(_EMBED_BATCH, len(queue)))]
                self._busy.add(partition)
            try:
                self._embed_and_settle(partition, works)
            finally:
                with self._changed:
                    self._busy.discard(partition)
                    if queue:
                        self._ready.append(partition)
                    else:
                        self._queues.pop(partition, None)
                    self._changed.notify_all()

    def _embed_and_settle(self, partition: Partition, works: Sequence[Work]) -> None:
        vectors: dict[str, Vector] = {}
        try:
            vectors = self._embed(partition, works)
        finally:  # whatever happened, readers are let go: a write without a vector is still found by its words
            self._settle(partition, works, vectors)
        if partition in self._erased:  # meanwhile: these may have come into the embedder's cache after it was emptied
            self._embedder.forget(w.item.text for w in works)

    def _embed(self, partition: Partition, works: Sequence[Work]) -> dict[str, Vector]:
        """Vectors by item id; what the embedder would not do is missing and owed."""
        texts = [w.item.text for w in works]
        try:
            if self._embedder.in_process:
                matrix = self._embedder.embed_texts(texts)
            else:
                matrix = self._deadlines.call(
                    f"write:{partition.epoch}",
                    lambda: self._embedder.embed_texts(texts),
                    self._config.embed_timeout_ms / 1000,
                )
        except DeadlineExceeded as error:
            self._report("embedder", error)
            return {}
        except Exception as error:  # noqa: BLE001 - any embedder's own error; reported, retried, never the turn's end
            if len(works) > 1:  # one bad text must not cost its neighbours their vectors
                return {k: v for work in works for k, v in self._embed(partition, [work]).items()}
            self._report("embedder", error)
            return {}
        self.problems.pop("embedder", None)
        return {work.item.id: matrix[i] for i, work in enumerate(works)}

    def _settle(self, partition: Partition, works: Sequence[Work], vectors: dict[str, Vector]) -> None:
        """Show the works to readers, queue them for the provider, and let waiting readers go."""
        with self.view.exclusively(partition):
            with self._changed:
                waiting = self._unsettled.get(partition, {})
                # A work that is neither waiting nor owed was replaced, retracted or erased meanwhile.
                mine = [w for w in works if waiting.pop(w.item.id, None) is not None or w.item.id in self._owed]
                gone, overtaken = self._take_out(partition, [r for w in mine for r in w.replaced])
                mine = [w for w in mine if w.item.id not in gone]
                still_open = self._numbers(partition)
                for work in mine:
                    if work.item.id in vectors:
                        self._owed.pop(work.item.id, None)
                        upsert = _Upsert(partition, work.item, vectors[work.item.id])
                        self._vectors[work.item.id] = upsert
                        self._behind.append(upsert)
                    else:
                        self._owe(work)
                self._start_threads()
                self._changed.notify_all()
            self.view.apply(partition, [w.item for w in mine], vectors, gone)
        for work in (*works, *overtaken):
            if work.item.seq_no not in still_open:
                self._barrier.release(partition.user_id, work.item.seq_no, success=work.item.id in vectors)

    def withdraw(self, partition: Partition, ids: Sequence[str]) -> None:
        """Items that no longer hold: out of the readers' sight at once, out of the provider behind."""
        with self.view.exclusively(partition):
            with self._changed:
                gone, stopped = self._take_out(partition, ids)
                still_open = self._numbers(partition)
                self._start_threads()
                self._changed.notify_all()
            self.view.apply(partition, (), {}, gone)
        self._release(partition, stopped, still_open)

    def _release(self, partition: Partition, stopped: Sequence[Work], still_open: set[int]) -> None:
        for work in stopped:
            if work.item.seq_no not in still_open:
                self._barrier.release(partition.user_id, work.item.seq_no, success=False)

    def _numbers(self, partition: Partition) -> set[int]:
        """The numbers of what is not visible yet: writes under one reservation share one, until the last settles."""
        return {work.item.seq_no for work in self._unsettled.get(partition, {}).values()}

    def revise(self, partition: Partition, gone: Sequence[str], restored: Sequence[MemoryItem]) -> list[Work]:
        """Some items no longer hold and others hold again. Returns the latter's work, to be submitted."""
        with self.view.exclusively(partition):
            with self._changed:
                _, stopped = self._take_out(partition, gone)
                still_open = self._numbers(partition)
                self._start_threads()
                self._changed.notify_all()
            self.view.drop(partition)  # what was said counts otherwise now, too
        self._release(partition, stopped, still_open)
        return self.register(partition, [Accepted(item, fresh=True) for item in restored])

    def _take_out(self, partition: Partition, ids: Sequence[str]) -> tuple[list[str], list[Work]]:
        """Everything that no longer holds now that `ids` do not, and what of it had not been settled.

        An item that goes before any reader saw it takes with it what it was to replace, which readers still see.
        """
        waiting = self._unsettled.get(partition, {})
        gone: list[str] = []
        stopped: list[Work] = []
        left = deque(ids)
        while left:
            item_id = left.popleft()
            gone.append(item_id)
            self._vectors.pop(item_id, None)
            self._owed.pop(item_id, None)
            if (work := waiting.pop(item_id, None)) is not None:
                stopped.append(work)
                left.extend(work.replaced)
        if gone:
            self._behind.append(_Delete(partition, tuple(gone)))
        if not waiting:
            self._unsettled.pop(partition, None)
        return gone, stopped

    def _owe(self, work: Work) -> None:
        if not self._owed:
            self._retry_s = _FIRST_RETRY_S
            self._retry_at = time.monotonic() + self._retry_s
        self._owed[work.item.id] = work._replace(replaced=())

    # -- from settled to indexed -----------------------------------------------------------------------------------

    def behind(self, action: Callable[[], None]) -> None:
        """Run a small piece of book-keeping on the indexing thread, in order."""
        with self._changed:
            self._books.append(action)
            self._start_threads()
            self._changed.notify_all()

    def _indexing_thread(self) -> None:
        while True:
            with self._changed:
                while (pause := self._due_in()) != 0.0:
                    self._changed.wait(pause)
                if self._closed:
                    return
                if time.monotonic() >= self._index_at and self._behind:
                    self._changed.wait_for(
                        lambda: len(self._behind) >= _INDEX_BATCH or self._flushing or self._closed, _LINGER_S
                    )
                    self._in_hand = [self._behind.popleft() for _ in range(min(_INDEX_BATCH, len(self._behind)))]
                books = list(self._books)
            for action in books:
                self._keep_books(action)
            self._retry_owed()
            done = self._write_to_provider(self._in_hand)
            with self._changed:
                for _ in books:
                    self._books.popleft()
                failed, self._in_hand = self._in_hand[done:], ()
                self._behind.extendleft(op for op in reversed(failed) if op.partition not in self._erased)
                if failed:
                    self._index_at = time.monotonic() + self._index_pause_s
                    self._index_pause_s = min(2 * self._index_pause_s, _LAST_RETRY_S)
                elif done:
                    self._index_pause_s = _FIRST_RETRY_S
                self._changed.notify_all()

    def _due_in(self) -> float | None:
        """Seconds until the indexing thread has something to do; None: not before it is notified."""
        if self._closed or self._books:
            return 0.0
        due = [self._retry_at] if self._owed else []
        if self._behind:
            due.append(self._index_at)
        return max(min(due) - time.monotonic(), 0.0) if due else None

    def _write_to_provider(self, batch: Sequence[_Operation]) -> int:
        """Carry out operations in order, neighbours of one kind together. Returns how many were done."""
        done = 0
        try:
            while done < len(batch):
                first = batch[done]
                end = done + 1
                if isinstance(first, _Upsert):
                    while end < len(batch) and isinstance(batch[end], _Upsert):
                        end += 1
                    self._upsert([op for op in batch[done:end] if isinstance(op, _Upsert)])
                else:
                    self._delete(first)
                done = end
        except Exception as error:  # noqa: BLE001 - any provider's own error; reported and tried again, the ledger has it
            self._report("index", error)
        else:
            if batch:
                self.problems.pop("index", None)
        return done

    def _keep_books(self, action: Callable[[], None]) -> None:
        try:
            action()
        except Exception as error:  # noqa: BLE001 - a record that cannot be kept must not hold up the index
            self._report("books", error)

    def _upsert(self, upserts: Sequence[_Upsert]) -> None:
        with self._index_lock:
            with self._changed:
                wanted = [u for u in upserts if self._vectors.get(u.item.id) is u and u.partition not in self._erased]
            if wanted:
                records = [self._record(u) for u in wanted]
                self._ask_provider(lambda: self._provider.add_memory(records), _WRITE_PATIENCE)
        if wanted:
            self._ledger.mark_indexed([u.item.id for u in wanted])
        with self._changed:
            for upsert in wanted:
                if self._vectors.get(upsert.item.id) is upsert:
                    del self._vectors[upsert.item.id]

    def _delete(self, delete: _Delete) -> None:
        key = self.provider_key(delete.partition)
        with self._index_lock:
            self._ask_provider(lambda: self._provider.delete(key, delete.ids), _WRITE_PATIENCE)

    def _ask_provider(self, operation: Callable[[], T], patience: int) -> T:
        """One writing operation at a time; while one hangs, the others are refused at once."""
        return self._deadlines.call("index", operation, patience * self._config.provider_timeout_ms / 1000)

    def _record(self, upsert: _Upsert) -> MemoryRecord:
        item = upsert.item
        return MemoryRecord(
            id=item.id,
            user_id=self.provider_key(upsert.partition),
            vector=upsert.vector,
            metadata={
                "owner_agent": item.owner_agent,
                "memory_type": item.memory_type,
                "sharing_policy": item.sharing_policy,
            },
        )

    def _retry_owed(self) -> None:
        """Try again to embed what has no vector yet, at growing intervals."""
        with self._changed:
            if not self._owed or time.monotonic() < self._retry_at:
                return
            works = [w for w in self._owed.values() if w.partition not in self._busy | self._queues.keys()]
            self._retry_s = min(2 * self._retry_s, _LAST_RETRY_S)
            self._retry_at = time.monotonic() + self._retry_s
        self._enqueue(works)

    # -- cold users and restarts -----------------------------------------------------------------------------------

    def _load(self, partition: Partition) -> UserView:
        """A cold user's live items from the ledger, with vectors from the provider and from what it still lacks."""
        with self._changed:
            unsettled = self._unsettled.get(partition, {})
            without = frozenset(unsettled)
            standing = {replaced for work in unsettled.values() for replaced in work.replaced}
            vectors = {u.item.id: u.vector for u in self._vectors.values() if u.partition == partition}
        items = self._ledger.live_items(partition, without=without, standing=standing)
        outdated = self._ledger.outdated_messages(partition)
        missing = {item.id for item in items} - vectors.keys()
        if not missing:
            return UserView(items, vectors, outdated_messages=outdated)
        key = self.provider_key(partition)
        try:
            records = self._deadlines.call(
                f"load:{partition.epoch}",
                lambda: list(self._provider.get_all(key)),
                self._config.provider_timeout_ms / 1000,
            )
            for record in records:
                if record.id in missing and self._embedder.fits(record.vector):
                    vectors[record.id] = np.asarray(record.vector, dtype=np.float32)
        except Exception as error:  # noqa: BLE001 - any provider's own error; the reader is told and goes on by words
            return UserView(items, vectors, self._report("index", error), outdated)
        view = UserView(items, vectors, outdated_messages=outdated)
        self._heal(partition, [item for item in items if item.id not in vectors])
        return view

    def _heal(self, partition: Partition, items: Sequence[MemoryItem]) -> None:
        """The provider lost these (or was emptied): embed them again."""
        with self._changed:  # what was accepted since this load began is on its way already
            unsettled = self._unsettled.get(partition, {})
            works = [Work(partition, item) for item in items if item.id not in unsettled]
            for work in works:
                self._owe(work)
        if works:
            logger.warning("%d memories of one user are missing from the index; embedding them again", len(works))
            self._enqueue(works)

    def replay(self) -> int:
        """Take up what an earlier process accepted and did not finish. Returns how many items."""
        works = [Work(*owed) for owed in self._ledger.unindexed()]
        for work in works:
            with self._changed:
                self._unsettled.setdefault(work.partition, {})[work.item.id] = work
            self._barrier.open(work.partition.user_id, [work.item.seq_no])
        if works:
            self._enqueue(works)
        return len(works)

    # -- erasure, flush, end ---------------------------------------------------------------------------------------

    def erase(self, partition: Partition) -> int:
        """Forget everything in memory about an erased partition; after this nothing of it is sent to the provider."""
        with self._changed:
            self._erased.add(partition)
            self._unsettled.pop(partition, None)
            self._queues.get(partition, deque()).clear()
            self._behind = deque(op for op in self._behind if op.partition != partition)
            for item_id in [i for i, w in self._owed.items() if w.partition == partition]:
                del self._owed[item_id]
            for item_id in [i for i, u in self._vectors.items() if u.partition == partition]:
                del self._vectors[item_id]
        with self.view.exclusively(partition):
            dropped = self.view.drop(partition)
        self._barrier.forget(partition.user_id)
        return dropped

    def erase_from_provider(self, partition: Partition, known: Collection[str] = ()) -> tuple[int, str | None]:
        """Delete an erased partition's vectors. Returns how many, and why traces may be left in files (None: none are).

        A batch already on its way is waited for, so that it is deleted too; raises if the provider does not answer.
        """
        key = self.provider_key(partition)

        def erase() -> tuple[int, str | None]:
            ids = {record.id for record in self._provider.get_all(key)}
            self._provider.delete(key, sorted(ids.union(known)))
            reason = self._provider.purge().get("reason")
            return len(ids), None if reason is None else str(reason)

        with self._index_lock:
            return self._ask_provider(erase, _ERASE_PATIENCE)

    def flush(self, partition: Partition | None = None, timeout_s: float = 30.0) -> bool:
        """Try again at once what failed, and wait until everything accepted is visible and indexed.

        False: not within `timeout_s`, or the embedder would still not embed some of it.
        """
        with self._changed:
            if self._closed:
                raise KernelClosed("the kernel was closed")
            self._retry_at = self._index_at = 0.0
            self._changed.notify_all()
        return self._drain(partition, timeout_s)

    def _drain(self, partition: Partition | None, timeout_s: float) -> bool:
        def drained() -> bool:
            if self._owed and self._retry_at <= time.monotonic():
                return False
            if partition is None:
                return not (
                    self._unsettled or self._queues or self._busy or self._behind or self._in_hand or self._books
                )
            return (
                partition not in self._unsettled
                and partition not in self._queues
                and not any(op.partition == partition for op in (*self._in_hand, *self._behind))
            )

        with self._changed:
            self._flushing += 1
            self._changed.notify_all()
            try:
                finished = self._changed.wait_for(lambda: drained() or self._closed, timeout_s) and drained()
                return finished and not any(partition in (None, w.partition) for w in self._owed.values())
            finally:
                self._flushing -= 1

    def close(self, timeout_s: float) -> bool:
        """Finish what can be finished within `timeout_s` and stop. What is left is taken up at the next start."""
        finished = self._drain(None, timeout_s)
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(1.0)
        return finished

    def backlog(self) -> int:
        """Items accepted and not yet indexed."""
        with self._changed:
            return sum(map(len, self._unsettled.values())) + len(self._vectors)

    def _start_threads(self) -> None:
        if self._threads or self._closed:
            return
        targets = [self._indexing_thread, *[self._embedding_worker] * _WORKERS]
        self._threads = [
            threading.Thread(target=t, name=f"memory-{t.__name__.strip('_')}", daemon=True) for t in targets
        ]
        for thread in self._threads:
            thread.start()

    def _report(self, part: str, error: BaseException) -> str:
        """Say once what is wrong with a part; it is taken back when the part works again."""
        text = f"{type(error).__name__}: {error}"
        if self.problems.get(part) != text:
            logger.warning("%s: %s", part, text)
            self.problems[part] = text
        return text
