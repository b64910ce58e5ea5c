"""Erasing a user (invariant 11): the ledger first, so that nothing can be read any more, then every derivative."""

from __future__ import annotations

from collections.abc import Callable, Collection

from memory_kernel.background import Background
from memory_kernel.embeddings import KernelEmbedder
from memory_kernel.errors import InvalidMemory, StoreUnavailable
from memory_kernel.identity import check_id
from memory_kernel.indexing import Indexer
from memory_kernel.items import ErasureReceipt, utcnow
from memory_kernel.ledger.base import Ledger, Partition

Eraser = Callable[[str], int | None]


class Erasure:
    """`forget_user`, and the erasers of what lies outside the kernel (checkpoints and the like)."""

    def __init__(self, ledger: Ledger, indexer: Indexer, background: Background, embedder: KernelEmbedder) -> None:
        self._ledger = ledger
        self._indexer = indexer
        self._background = background
        self._embedder = embedder
        self._erasers: list[Eraser] = []

    def register(self, eraser: Eraser) -> None:
        """Add a callable that erases a user id elsewhere and returns how many things it removed."""
        if not callable(eraser):
            raise InvalidMemory(f"an eraser must be callable, not {eraser!r}")
        if eraser not in self._erasers:
            self._erasers.append(eraser)

    def forget_user(self, user_id: str) -> ErasureReceipt:
        """Erase everything kept about a user. Idempotent; what could not be done is named in the receipt.

        What the files or the index would not give up is tried again at the next call, for anybody, and at every start.
        """
        check_id(user_id, "user_id")
        steps = _Steps()
        partition = self._ledger.find_partition(user_id)
        known: list[str] = []
        if partition is not None:
            items = list(self._ledger.items(partition))
            known = [i.id for i in items]
            if steps.take("ledger.items", lambda: self._rows(partition, steps)):
                steps.take("background", lambda: self._background.forget(partition))
                steps.take("views", lambda: self._indexer.erase(partition))
                steps.take("embedding cache", lambda: self._embedder.forget(i.text for i in items))
        for epoch in self._ledger.unfinished_erasures():
            self._finish(Partition(user_id, epoch), known, steps)
        for eraser in self._erasers:
            steps.take(getattr(eraser, "__name__", repr(eraser)), lambda eraser=eraser: eraser(user_id))  # type: ignore[misc]
        return ErasureReceipt(
            user_id=user_id,
            erased_at=utcnow(),
            removed=steps.removed,
            complete=not steps.problems,
            problems=tuple(steps.problems),
        )

    def resume(self) -> None:
        """Finish what earlier erasures left in the files or in the index. Raises what stands in the way."""
        steps = _Steps()
        for epoch in self._ledger.unfinished_erasures():
            self._finish(Partition("", epoch), (), steps)
        if steps.problems:
            raise StoreUnavailable("an erasure is not finished: " + "; ".join(steps.problems))

    def _rows(self, partition: Partition, steps: _Steps) -> int:
        counts = self._ledger.erase(partition)
        steps.removed.update({f"ledger.{table}": n for table, n in counts.items() if n and table != "items"})
        return counts["items"]

    def _finish(self, partition: Partition, known: Collection[str], steps: _Steps) -> None:
        """The files and the index; the epoch alone says whose (the name is erased)."""

        def vectors() -> int:
            count, reason = self._indexer.erase_from_provider(partition, known)
            if reason is not None:
                steps.problems.append(f"index: {reason}")
            return count

        scrubbed = steps.take("ledger files", self._ledger.scrub)
        if steps.take("index", vectors) and scrubbed:
            self._ledger.finish_erasure(partition.epoch)


class _Steps:
    """Steps that are all taken, whatever becomes of the others, with what each removed and what went wrong."""

    def __init__(self) -> None:
        self.removed: dict[str, int] = {}
        self.problems: list[str] = []

    def take(self, name: str, erase: Callable[[], int | None]) -> bool:
        """False if it failed."""
        try:
            self.removed[name] = (erase() or 0) + self.removed.get(name, 0)
        except Exception as error:  # noqa: BLE001 - every other place must still be erased; the receipt says which not
            self.problems.append(f"{name}: {type(error).__name__}: {error}")
            return False
        return True
