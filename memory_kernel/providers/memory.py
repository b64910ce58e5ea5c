"""The reference index: a dict per user and an exact dot product. Small enough to be seen to be right, so every other
provider is measured against it; it keeps nothing beyond the process."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from memory_kernel.providers.base import Hit, MemoryProvider, MemoryRecord, Vector


class InMemoryProvider(MemoryProvider):
    """Keeps records in this process. Thread-safe; exact; gone when the process ends."""

    def __init__(self) -> None:
        self._users: dict[str, dict[str, MemoryRecord]] = {}
        self._lock = threading.Lock()  # protects the dicts' shape while another thread iterates over them

    def add_memory(self, records: Sequence[MemoryRecord]) -> None:
        """Insert or replace by (user, id)."""
        with self._lock:
            for record in records:
                own = MemoryRecord(
                    record.id, record.user_id, np.array(record.vector, dtype=np.float32), dict(record.metadata)
                )
                self._users.setdefault(record.user_id, {})[record.id] = own

    def retrieve_memory(self, user_id: str, query_vector: Vector, limit: int) -> list[Hit]:
        """The `limit` largest dot products; equal ones in the order of their ids."""
        hits = [Hit(r.id, float(np.clip(r.vector @ query_vector, -1.0, 1.0))) for r in self.get_all(user_id)]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[: max(limit, 0)]

    def get_all(self, user_id: str) -> Iterable[MemoryRecord]:
        """The user's records in the order in which they were first added."""
        with self._lock:
            return list(self._users.get(user_id, {}).values())

    def delete(self, user_id: str, ids: Sequence[str]) -> None:
        """Remove ids; a user with none left is forgotten entirely."""
        with self._lock:
            records = self._users.get(user_id, {})
            for record_id in ids:
                records.pop(record_id, None)
            if not records:
                self._users.pop(user_id, None)

    def describe(self) -> Mapping[str, Any]:
        """Where: nowhere but here. `count` is the number of records of all users."""
        with self._lock:
            return {"provider": type(self).__name__, "count": sum(len(records) for records in self._users.values())}
