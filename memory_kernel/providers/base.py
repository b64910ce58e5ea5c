"""The port to a vector index. A provider is an index and never an authority: it keeps vectors, ids and filterable
metadata, no text, and answers ids with scores. Whatever it returns, the kernel reads the items from the ledger and
applies every rule to what the ledger says (so no provider can widen what an agent sees)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from memory_kernel.visibility import only_visible

T = TypeVar("T")
Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """What a provider keeps of one item: float32 vector of shape (dimension,), L2-normalised, and flat metadata."""

    id: str
    user_id: str
    vector: Vector
    metadata: Mapping[str, str] = field(default_factory=dict)


class Hit(NamedTuple):
    """An id and its cosine similarity to the query, in [-1, 1]."""

    id: str
    score: float


class MemoryProvider(ABC):
    """KMSM Table 7's `MemoryProvider`. Four operations; each is scoped to exactly one user.

    `user_id` is an opaque string and is compared exactly: no prefix, no case folding, no wildcard, no trimming. The
    kernel passes a key of its own for every user, so an index holds nobody's name. Calls may come from any thread.
    A provider raises what its back end raises; the kernel degrades to the ledger, reports it and retries.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "apply_sharing_filter" in cls.__dict__:
            raise TypeError(f"{cls.__name__} cannot override apply_sharing_filter: Eq. 1 is the kernel's")

    @abstractmethod
    def add_memory(self, records: Sequence[MemoryRecord]) -> None:
        """Insert or replace by id; all are findable when this returns. Adding one twice keeps one."""

    @abstractmethod
    def retrieve_memory(self, user_id: str, query_vector: Vector, limit: int) -> list[Hit]:
        """At most `limit` of this user's ids, most similar first. No such user: an empty list."""

    @abstractmethod
    def get_all(self, user_id: str) -> Iterable[MemoryRecord]:
        """Every record of this user, in any order. No such user: nothing."""

    @abstractmethod
    def delete(self, user_id: str, ids: Sequence[str]) -> None:
        """Remove these ids of this user, their vectors included. Unknown ids: a no-op."""

    def start(self) -> None:
        """Get ready in the background, so that the first call need not wait. The kernel calls it when it opens."""
        return  # a hook: most providers are ready when they are made

    def purge(self) -> Mapping[str, Any]:
        """After `delete`: leave no deleted vector in any file. A key ``reason`` says why one may still stand there."""
        return {}

    def close(self) -> None:
        """Release what the provider opened itself. Called once, by the kernel."""
        return  # a hook: most providers open nothing

    def describe(self) -> Mapping[str, Any]:
        """For the operator: what this index is and where it is kept."""
        return {"provider": type(self).__name__}

    @final
    def apply_sharing_filter(self, items: Iterable[T], agent_name: str) -> list[T]:
        """Eq. 2, and only that: final, so a provider cannot have an opinion of its own."""
        return only_visible(items, agent_name)
