"""Which of the visible candidates matter for a question, and in what order. Pure.

Relevance is a number in [0, 1]: dense evidence (calibrated, so it means the same on every embedder) and lexical
evidence joined as independent hints, ``1 - (1 - dense)(1 - lexical)``. On top of it the kernel knows what a plain RAG
does not: what the user is working on now, and which parts of a profile bear on any answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory_kernel.items import MemoryItem
from memory_kernel.view import Scored

Calibrate = Callable[[NDArray[np.floating]], NDArray[np.float64]]
"""Cosines to relevances in [0, 1]; nan (no vector) to 0."""

_LEXICAL_HALF = 6.5  # BM25 at which lexical relevance is one half: about two rare words in common
_WORK_SHARE = 0.8  # a profile fact that bears on the current task, against one that bears on the question
_CONVERSATION_SHARE = 0.7  # of equal relevance, a fact that was found worth keeping goes before what was merely said
_RECENCY_SHARE = 0.05  # decides between equals only
_RECENCY_DAYS = 30.0

# A vague question ("what next?") resembles nothing that was said, yet needs these. The numbers are floors of
# relevance, so a stricter threshold than the default 0.3 still filters them.
_FLOOR_EVERY_ANSWER = 0.5
_FLOOR_CURRENT_WORK = 0.4
_FLOOR_PROFILE_SLOT = 0.32
_SHAPES_EVERY_ANSWER = frozenset({"preferred_language", "response_style", "user_name"})

_ONE_OF_MANY = "instruction."
"""Slots of which a user has as many as there are matters: each counts for a question that it bears on."""


class Ranked(NamedTuple):
    """A candidate with its relevance in [0, 1]."""

    item: MemoryItem
    relevance: float


def relevance_floor(item: MemoryItem) -> float:
    """What an item is worth to a question that says nothing about it."""
    if item.memory_type == "profile" and item.slot is not None and not item.slot.startswith(_ONE_OF_MANY):
        return _FLOOR_EVERY_ANSWER if item.slot in _SHAPES_EVERY_ANSWER else _FLOOR_PROFILE_SLOT
    return _FLOOR_CURRENT_WORK if item.memory_type == "task_context" else 0.0


def is_work(item: MemoryItem) -> bool:
    """Items that say what the user is doing now; the profile is conditioned on them."""
    return item.memory_type == "task_context"


def bearing(candidates: Sequence[Scored], calibrate: Calibrate) -> NDArray[np.float64]:
    """How much each candidate itself speaks of what is asked, without floors: shape (candidates,), in [0, 1]."""
    return _joined(calibrate(np.array([c.cosine for c in candidates])), candidates)


def relevances(candidates: Sequence[Scored], calibrate: Calibrate) -> NDArray[np.float64]:
    """Dense and lexical evidence of each candidate, joined: shape (candidates,), in [0, 1]."""
    dense = calibrate(np.array([c.cosine for c in candidates]))
    profile = np.array([c.item.memory_type == "profile" for c in candidates])
    to_work = calibrate(np.array([c.to_work for c in candidates]))
    dense = np.where(profile, np.maximum(dense, _WORK_SHARE * to_work), dense)
    return np.maximum(_joined(dense, candidates), [relevance_floor(c.item) for c in candidates])


def _joined(dense: NDArray[np.float64], candidates: Sequence[Scored]) -> NDArray[np.float64]:
    bm25 = np.array([c.lexical for c in candidates])
    return 1 - (1 - dense) * (1 - bm25 / (bm25 + _LEXICAL_HALF))


def rank(candidates: Sequence[Scored], calibrate: Calibrate, now: datetime) -> list[Ranked]:
    """Most relevant first; equals by newness, then by id, so the order is the same every time."""
    if not candidates:
        return []
    ranked = [Ranked(c.item, float(r)) for c, r in zip(candidates, relevances(candidates, calibrate), strict=True)]

    def order(r: Ranked) -> tuple[float, float, int, str]:
        age = max((now - r.item.valid_from).total_seconds() / 86400, 0.0)
        freshness = math.exp(-age / _RECENCY_DAYS)
        weight = _CONVERSATION_SHARE if r.item.memory_type == "conversation" else 1.0
        return (
            -round(weight * r.relevance + _RECENCY_SHARE * freshness, 6),
            -r.item.valid_from.timestamp(),
            -r.item.seq_no,
            r.item.id,
        )

    return sorted(ranked, key=order)


def fair_share(ranked: Sequence[Ranked], limit: int) -> list[Ranked]:
    """At most `limit` of them, in order, such that no type crowds another out.

    Each type present keeps half of an even share for its best; what is left goes by rank.
    """
    limit = max(limit, 0)
    if len(ranked) <= limit:
        return list(ranked)
    kinds = {r.item.memory_type for r in ranked}
    reserve = max(1, limit // (2 * len(kinds)))
    taken: dict[str, int] = dict.fromkeys(kinds, 0)
    chosen: set[str] = set()
    for r in ranked:
        if taken[r.item.memory_type] < reserve and len(chosen) < limit:
            taken[r.item.memory_type] += 1
            chosen.add(r.item.id)
    for r in ranked:
        if len(chosen) >= limit:
            break
        chosen.add(r.item.id)
    return [r for r in ranked if r.item.id in chosen]
