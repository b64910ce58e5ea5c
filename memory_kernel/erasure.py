"""Erasing a user (invariant 11): the ledger first, so that nothing can be read any more, then every derivative."""

from __future__ import annotations

from collections.abc import Callable

from memory_kernel.embeddings import KernelEmbedder
from memory_kernel.errors import InvalidMemory
from memory_kernel.identity import check_id
from memory_kernel.indexing import Indexer
from memory_kernel.items import ErasureReceipt, utcnow
from memory_kernel.ledger.base import Ledger
from memory_kernel.providers.base import MemoryProvider

Eraser = Callable[[str], int | None]


class Erasure:
    """`forget_user`, and the erasers of what lies outside the kernel (checkpoints and the like)."""

    def __init__(self, ledger: Ledger, provider: MemoryProvider, indexer: Indexer, embedder: KernelEmbedder) -> None:
        self._ledger = ledger
        self._provider = provider
        self._indexer = indexer
        self._embedder = embedder
        self._erasers: list[Eraser] = []

    def register(self, eraser: Eraser) -> None:
        """Add a callable that erases a user id elsewhere and returns how many things it removed."""
        if not callable(eraser):
            raise InvalidMemory(f"an eraser must be callable, not {eraser!r}")
        if eraser not in self._erasers:
            self._erasers.append(eraser)

    def forget_user(self, user_id: str) -> ErasureReceipt:
        """Erase everything kept about a user. Idempotent; what could not be done is named in the receipt."""
        check_id(user_id, "user_id")
        removed: dict[str, int] = {}
        problems: list[str] = []

        def step(name: str, erase: Callable[[], int | None]) -> None:
            try:
                removed[name] = (erase() or 0) + removed.get(name, 0)
            except Exception as error:  # noqa: BLE001 - every other place must still be erased; the receipt says which not
                problems.append(f"{name}: {type(error).__name__}: {error}")

        partition = self._ledger.find_partition(user_id)
        if partition is not None:
            items = list(self._ledger.items(partition))
            key = self._indexer.provider_key(partition)

            def rows() -> int:
                counts = self._ledger.erase(partition)
                removed.update({f"ledger.{table}": n for table, n in counts.items() if n and table != "items"})
                return counts["items"]

            def vectors() -> int:
                ids = {i.id for i in items} | {r.id for r in self._provider.get_all(key)}
                self._provider.delete(key, sorted(ids))
                reason = self._provider.purge().get("reason")
                if reason:
                    problems.append(f"index: {reason}")
                return len(ids)

            step("ledger.items", rows)
            step("views", lambda: self._indexer.erase(partition))
            step("embedding cache", lambda: self._embedder.forget(i.text for i in items))
            step("index", vectors)
        for eraser in self._erasers:
            step(getattr(eraser, "__name__", repr(eraser)), lambda eraser=eraser: eraser(user_id))  # type: ignore[misc]
        return ErasureReceipt(
            user_id=user_id, erased_at=utcnow(), removed=removed, complete=not problems, problems=tuple(problems)
        )
