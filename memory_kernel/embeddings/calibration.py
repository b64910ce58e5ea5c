"""Makes one relevance threshold mean the same with every embedder. Pure, but for asking the embedder once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from memory_kernel.embeddings.embedder import KernelEmbedder
from memory_kernel.embeddings.probes import PROBES


@dataclass(frozen=True, slots=True)
class Calibration:
    """Maps an embedder's cosines to relevance in (0, 1), so that a threshold (KMSM's 0.3) means the same for all.

    A logistic curve through two measured points: `low` is the cosine that counts as 0.3 and `high` the one that counts
    as 0.7. It is logistic and not piecewise linear since clipping would tie the best and tie the worst, and ranking
    needs their order; two points suffice, and both can be read off a set of probes.
    """

    low: float
    high: float

    AT_LOW: ClassVar[float] = 0.3
    AT_HIGH: ClassVar[float] = 0.7

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ValueError(f"a calibration needs low < high, both finite; got low={self.low!r}, high={self.high!r}")

    @overload
    def relevance(self, cosine: float) -> float: ...

    @overload
    def relevance(self, cosine: NDArray[np.floating]) -> NDArray[np.float64]: ...

    def relevance(self, cosine: float | NDArray[np.floating]) -> float | NDArray[np.float64]:
        """Relevance of a cosine or of an array of them, monotone; what is not a number counts as 0."""
        start = _logit(self.AT_LOW)
        slope = (_logit(self.AT_HIGH) - start) / (self.high - self.low)
        exponent = np.clip(start + slope * (np.asarray(cosine, dtype=np.float64) - self.low), -500.0, 500.0)
        relevance = np.nan_to_num(1.0 / (1.0 + np.exp(-exponent)), nan=0.0)
        return relevance if isinstance(cosine, np.ndarray) else float(relevance)


def calibrate(embedder: KernelEmbedder) -> Calibration:
    """Measure `embedder` on the built-in probes: one batch of 48 texts and one query.

    0.3 is put at the 90th percentile of unrelated pairs in the same language (a language shared is a similarity in
    itself, and a user's memories are mostly in one), 0.7 at the median of related pairs. The 90th and not the 95th,
    since an unrelated memory costs a line of the block, while a related one that is dropped is lost to the turn.
    An embedder that treats queries apart from texts is asked for each question as a query.
    """
    vectors = embedder.embed_texts([probe.question for probe in PROBES] + [probe.memory for probe in PROBES])
    questions, memories = vectors[: len(PROBES)], vectors[len(PROBES) :]
    if embedder.embed_query(PROBES[0].question) @ questions[0] < 0.99:
        questions = np.stack([embedder.embed_query(probe.question) for probe in PROBES])
    return from_cosines(questions.astype(np.float64) @ memories.astype(np.float64).T)


def from_cosines(cosines: NDArray[np.float64]) -> Calibration:
    """The calibration for a table of cosines: probe questions down, probe memories across."""
    languages = np.array([probe.language for probe in PROBES])
    unrelated = (languages[:, None] == languages) & ~np.eye(len(PROBES), dtype=bool)
    low = float(np.percentile(cosines[unrelated], 90))
    # For an embedder that does not see what the related ones have in common (hashed words, say).
    least_gap = max(float(np.std(cosines[unrelated])), 0.001)
    return Calibration(low, max(float(np.median(np.diag(cosines))), low + least_gap))


def _logit(share: float) -> float:
    return math.log(share / (1.0 - share))
