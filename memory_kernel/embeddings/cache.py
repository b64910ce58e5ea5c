"""A bounded cache of vectors that can forget. It keeps a digest of each text and never the text itself."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

_OVERHEAD_BYTES = 300
"""What an entry costs beside its numbers: the array object, the key, the slot in the dictionary."""


def digest(kind: str, text: str) -> bytes:
    """The key of `text`; `kind` keeps a query's vector apart from a stored text's."""
    return blake2b(text.encode(), digest_size=16, person=kind.encode()).digest()


class VectorCache:
    """Least recently used out, at most `max_bytes` in all (0: keeps nothing). May be used from any thread.

    `generation` changes whenever something is forgotten. A vector is stored only under the generation that was read
    before it was computed, so a computation that was under way cannot bring a forgotten one back.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._entries: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()  # protects the three above and `generation`
        self.generation = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: bytes) -> NDArray[np.float32] | None:
        """The vector (read-only), or None."""
        with self._lock:
            vector = self._entries.get(key)
            if vector is not None:
                self._entries.move_to_end(key)
            return vector

    def put(self, key: bytes, vector: NDArray[np.float32], generation: int) -> None:
        """Keep `vector`, unless something was forgotten since `generation`."""
        with self._lock:
            if generation != self.generation:
                return
            self._drop(key)
            self._entries[key] = vector
            self._bytes += vector.nbytes + _OVERHEAD_BYTES
            while self._bytes > self._max_bytes:
                self._drop(next(iter(self._entries)))

    def forget(self, keys: Iterable[bytes]) -> None:
        """Remove these; unknown ones are a no-op."""
        with self._lock:
            self.generation += 1
            for key in keys:
                self._drop(key)

    def clear(self) -> None:
        """Remove everything."""
        with self._lock:
            self.generation += 1
            self._entries.clear()
            self._bytes = 0

    def _drop(self, key: bytes) -> None:
        vector = self._entries.pop(key, None)
        if vector is not None:
            self._bytes -= vector.nbytes + _OVERHEAD_BYTES
