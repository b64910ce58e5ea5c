"""Providers that go wrong: that raise, hang, or lie."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from memory_kernel import Hit, MemoryRecord
from memory_kernel.providers.base import Vector
from memory_kernel.providers.memory import InMemoryProvider


class FaultyProvider(InMemoryProvider):
    """Does `fault()` before every operation named in `broken` (raise, or wait on an event)."""

    def __init__(self, fault: Callable[[], None], *broken: str) -> None:
        super().__init__()
        self.fault = fault
        self.broken = set(broken)
        self.calls: list[str] = []

    def _maybe(self, operation: str) -> None:
        self.calls.append(operation)
        if operation in self.broken:
            self.fault()

    def add_memory(self, records: Sequence[MemoryRecord]) -> None:
        self._maybe("add_memory")
        super().add_memory(records)

    def retrieve_memory(self, user_id: str, query_vector: Vector, limit: int) -> list[Hit]:
        self._maybe("retrieve_memory")
        return super().retrieve_memory(user_id, query_vector, limit)

    def get_all(self, user_id: str) -> Iterable[MemoryRecord]:
        self._maybe("get_all")
        return super().get_all(user_id)

    def delete(self, user_id: str, ids: Sequence[str]) -> None:
        self._maybe("delete")
        super().delete(user_id, ids)


def down() -> None:
    raise ConnectionError("the index is down")


class Hanging:
    """A fault that hangs until `release`; `reached` is set when somebody hangs."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self._free = threading.Event()

    def __call__(self) -> None:
        if not self._free.is_set():
            self.reached.set()
            self._free.wait(60)

    def release(self) -> None:
        self._free.set()


class LyingProvider(InMemoryProvider):
    """Answers `get_all` with what `lie` makes of everybody's records."""

    def __init__(self, lie: Callable[[str, dict[str, list[MemoryRecord]]], Iterable[Any]]) -> None:
        super().__init__()
        self._lie = lie

    def get_all(self, user_id: str) -> Iterable[Any]:
        with self._lock:
            everything = {user: list(records.values()) for user, records in self._users.items()}
        return self._lie(user_id, everything)
