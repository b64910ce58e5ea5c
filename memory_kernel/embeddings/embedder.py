"""The embedder as the kernel sees it: any LangChain `Embeddings`, with clean input, checked output and a cache."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from memory_kernel.embeddings.cache import VectorCache, digest
from memory_kernel.embeddings.local import LocalEmbeddings
from memory_kernel.errors import MemoryKernelError

MAX_TEXT_BYTES = 8_000
"""Longest text handed to an embedder, in UTF-8 bytes: no tokenizer makes more tokens than bytes, and 8,191 tokens is
what the common hosted models take."""

_HEAD_BYTES = 6_000
_GAP = " … "
_TAIL_BYTES = MAX_TEXT_BYTES - _HEAD_BYTES - len(_GAP.encode())
_UNUSABLE = re.compile("[\ud800-\udfff\x00]")
_EMPTY = "(empty)"
_QUERY, _TEXT = "query", "text"


class EmbeddingFailed(MemoryKernelError, ValueError):
    """The embedder answered, but not with one finite, non-zero vector of the right dimension for each text."""


class KernelEmbedder:
    """Wraps any LangChain `Embeddings`. Vectors are float32 and L2-normalised. May be used from any thread.

    `name` identifies the embedder in a store; `dimension`, where it is known already, is what every answer is held to.
    No lock is held while the wrapped embedder works, so a call that hangs holds up no other.
    """

    def __init__(
        self,
        embeddings: Embeddings,
        *,
        name: str | None = None,
        dimension: int | None = None,
        cache_bytes: int = 8 * 1024 * 1024,
    ) -> None:
        self.name = name or stable_name(embeddings)
        self.in_process: bool = bool(getattr(embeddings, "in_process", False))
        self._embeddings = embeddings
        self._dimension = dimension
        self._lock = threading.Lock()  # protects the first assignment of the dimension
        self._cache = VectorCache(cache_bytes)

    @property
    def dimension(self) -> int:
        """Length of a vector. If neither given nor seen yet, asks the embedder once (so it may block and raise)."""
        if self._dimension is None:
            self._compute(["What is the dimension?"])
        assert self._dimension is not None
        return self._dimension

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts to be stored, shape (len(texts), dimension); one call for all that are not cached.

        Raises:
            EmbeddingFailed: the answer is unusable. Whatever the wrapped embedder raises passes through.
        """
        generation = self._cache.generation
        cleaned = [clean(text) for text in texts]
        vectors: dict[str, NDArray[np.float32]] = {}
        missing: list[str] = []
        for text in dict.fromkeys(cleaned):
            cached = self._cache.get(digest(_TEXT, text))
            if cached is None:
                missing.append(text)
            else:
                vectors[text] = cached
        if missing:
            for text, vector in zip(missing, self._compute(missing), strict=True):
                vectors[text] = self._keep(_TEXT, text, vector, generation)
        if not cleaned:
            return np.empty((0, self._dimension or 0), dtype=np.float32)
        return np.stack([vectors[text] for text in cleaned])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Vector of a query, shape (dimension,), read-only. Raises as `embed_texts` does."""
        generation = self._cache.generation
        text = clean(text)
        cached = self._cache.get(digest(_QUERY, text))
        if cached is not None:
            return cached
        if isinstance(self._embeddings, LocalEmbeddings):
            vector = self._compute([text])[0]
        else:
            vector = self._checked([self._embeddings.embed_query(text)], 1)[0]
        return self._keep(_QUERY, text, vector, generation)

    def fits(self, vector: object) -> bool:
        """Whether a vector that an index gave back can be this embedder's: its dimension, finite, not zero. Never asks
        the embedder; as long as the dimension is not known, any is accepted."""
        try:
            numbers = np.asarray(vector, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            return False
        if numbers.ndim != 1 or numbers.size != (self._dimension or numbers.size):
            return False
        return bool(np.isfinite(numbers).all() and numbers.any())

    def forget(self, texts: Iterable[str]) -> None:
        """Remove the cached vectors of these texts, also those still being computed (erasure)."""
        self._cache.forget([digest(kind, clean(text)) for text in texts for kind in (_QUERY, _TEXT)])

    def clear(self) -> None:
        """Remove every cached vector."""
        self._cache.clear()

    def _compute(self, texts: list[str]) -> NDArray[np.float32]:
        raw: object
        if isinstance(self._embeddings, LocalEmbeddings):
            raw = self._embeddings.embed_array(texts)
        else:
            raw = self._embeddings.embed_documents(list(texts))
        return self._checked(raw, len(texts))

    def _keep(self, kind: str, text: str, vector: NDArray[np.float32], generation: int) -> NDArray[np.float32]:
        # A copy, since a row would keep the whole batch alive, and its bytes would not be counted.
        own = vector.copy()
        own.flags.writeable = False
        self._cache.put(digest(kind, text), own, generation)
        return own

    def _checked(self, raw: object, count: int) -> NDArray[np.float32]:
        """What came back as float32 of unit length, shape (count, dimension), or `EmbeddingFailed`."""
        try:
            vectors = np.array(raw, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise EmbeddingFailed(f"{self.name} returned no table of numbers ({error})") from error
        if vectors.ndim != 2 or len(vectors) != count:
            raise EmbeddingFailed(f"{self.name} returned shape {vectors.shape} for {count} text(s)")
        peaks = np.abs(vectors).max(axis=1, initial=0.0, keepdims=True)
        if not np.isfinite(peaks).all():
            raise EmbeddingFailed(f"{self.name} returned a vector with numbers that are not finite")
        if not peaks.all():
            raise EmbeddingFailed(f"{self.name} returned a vector of zeros")
        with self._lock:
            if self._dimension is None:
                self._dimension = vectors.shape[1]
        if vectors.shape[1] != self._dimension:
            raise EmbeddingFailed(
                f"{self.name} returned vectors of dimension {vectors.shape[1]} where {self._dimension} was expected"
            )
        # Scaled by the largest number first: a square of 1e200 or of 1e-200 would not be a float any more.
        vectors /= peaks
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors.astype(np.float32)


def clean(text: str) -> str:
    """`text` as an embedder can take it: no lone surrogate, no NUL, not empty, at most `MAX_TEXT_BYTES` long.

    Of a longer text the head and the tail are kept: what it is about, and what it comes to.
    """
    text = _UNUSABLE.sub(" ", text)
    if not text or text.isspace():
        return _EMPTY
    if len(text) * 4 <= MAX_TEXT_BYTES or len(raw := text.encode()) <= MAX_TEXT_BYTES:
        return text
    return raw[:_HEAD_BYTES].decode(errors="ignore") + _GAP + raw[-_TAIL_BYTES:].decode(errors="ignore")


def stable_name(embeddings: Embeddings) -> str:
    """A name that is the same after a restart: ``local:wordllama``, ``OpenAIEmbeddings:text-embedding-3-small``."""
    if isinstance(embeddings, LocalEmbeddings):
        return embeddings.name
    kind = type(embeddings).__name__
    for attribute in ("model", "model_name", "model_id", "deployment"):
        value = getattr(embeddings, attribute, None)
        if isinstance(value, str) and value:
            return f"{kind}:{value}"
    return kind
