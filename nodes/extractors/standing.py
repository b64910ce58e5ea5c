"""How likely an English sentence states an instruction that lasts: its grammar and its sense, weighed by examples.

The weights come from `learning`; the sense is the bundled embedder's. Without that embedder the grammar decides alone.
"""

from __future__ import annotations

import json
import logging
import re
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory_kernel.embeddings.local import LocalEmbeddings, load_local
from memory_kernel.errors import ModelUnavailable
from nodes.extractors import directives
from nodes.extractors.text import QUOTED

logger = logging.getLogger(__name__)

_UNLIKELY = 0.3
"""What is below states nothing that lasts, though it may have a form that does."""
_OF_PRACTICE, _OF_OTHERS, _OF_ADVICE = 0.65, 0.9, 0.97
"""How likely it must be: less where the words name a practice, since attitudes and tasks have the same forms; most
where they recommend, since most advice is for the moment."""
_TOKENS = re.compile(rf"{QUOTED}+|'[^'\s]{{1,40}}'|(?<!\w)@\w+|(?<!\w)_\w+|\b\w+_(?!\w)|\b\d+\b")


class Weights(NamedTuple):
    """Of logistic models: one weight a feature, one a dimension of the embedding.

    `alone` are those without the embedding, `own_life` those of `of_own_life`.
    """

    bias: float
    grammar: NDArray[np.float64]
    sense: NDArray[np.float64]
    alone_bias: float
    alone: NDArray[np.float64]
    own_life_bias: float
    own_life: NDArray[np.float64]


def lasts(words: str) -> bool:
    """Whether `words`, a sentence on one line with quotations masked, states an instruction that lasts."""
    if directives.says_nothing_itself(words) or directives.wants_one_thing(words):
        return False
    return any(
        directives.asks(stretch) and likelihood(stretch) >= _least(stretch) for stretch in directives.stretches(words)
    )


def _least(words: str) -> float:
    """How likely words of their form must be."""
    if directives.is_advice(words):
        return _OF_ADVICE
    return _OF_PRACTICE if directives.is_practice(words) else _OF_OTHERS


def unlikely(words: str) -> bool:
    """Whether `words` hardly state an instruction that lasts, whichever form they have."""
    return max(map(likelihood, directives.stretches(words))) < _UNLIKELY


def likelihood(words: str) -> float:
    """How likely a stretch of a sentence states an instruction that lasts, 0 to 1."""
    weights = _weights()
    grammar = np.array(directives.features(words))
    meaning = sense(words)
    if meaning is None:
        return _logistic(weights.alone_bias + float(grammar @ weights.alone))
    return _logistic(weights.bias + float(grammar @ weights.grammar) + float(meaning @ weights.sense))


def of_own_life(words: str) -> bool:
    """Whether what "we" is said to do or have is the user's own, rather than what an organisation is like."""
    meaning, weights = sense(words), _weights()
    return meaning is None or weights.own_life_bias + float(meaning @ weights.own_life) >= 0


def sense(words: str) -> NDArray[np.float64] | None:
    """What the words mean, of unit length, without names and numbers; None if the embedder is not to be had."""
    embedder = _embedder()
    if embedder is None:
        return None
    row: NDArray[np.float64] = embedder.embed_array([_TOKENS.sub("x", directives.asked_for(words))])[0].astype(
        np.float64
    )
    unit: NDArray[np.float64] = row / max(float(np.linalg.norm(row)), 1e-12)
    return unit


@cache
def _embedder() -> LocalEmbeddings | None:
    try:
        return load_local("wordllama", None)
    except ModelUnavailable as error:
        logger.warning("instructions are recognised by grammar alone: %s", error)
        return None


@cache
def _weights() -> Weights:
    stored: dict[str, Any] = json.loads(files(__package__).joinpath("data/standing.json").read_text("utf-8"))
    known = dict(zip(stored["names"], stored["grammar"], strict=True))
    alone = dict(zip(stored["names"], stored["alone"], strict=True))
    return Weights(
        stored["bias"],
        np.array([known[name] for name in directives.NAMES]),
        np.array(stored["sense"]),
        stored["alone_bias"],
        np.array([alone[name] for name in directives.NAMES]),
        stored["own_life_bias"],
        np.array(stored["own_life"]),
    )


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))
