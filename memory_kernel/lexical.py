"""Words: how text is cut into terms, and an inverted index over one user's items. Knows nothing of memory.

Terms are case-folded words, the parts of identifiers (``renderBoard``, ``render_board``), and character pairs where a
script writes no spaces. Scoring is BM25's saturation and inverse document frequency (Robertson and Zaragoza 2009).
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_K1, _B = 1.2, 0.5
# Document frequencies of a handful of items say little, so they are counted as if among this many more.
_BACKGROUND_ITEMS = 50
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")

# Words that carry grammar and no topic. They still match, at a fraction of the weight, since in a store of a few items
# document frequency alone cannot tell "the" from "tundra".
_GRAMMAR_WEIGHT = 0.1
_GRAMMAR = frozenset(
    """
    a about after all also m ll ve re d don doesn didn isn aren wasn won am an and any are as at be been but by
    can could did do does doing for from get give go had has have he help her him his how i if in into is it its
    just know let like make may me more most my need no not now of on or other our out over please s she should
    so some t tell than that the their them then there these they this to too up us use used using very want was
    we were what when where which who why will with would you your de la le les un une des du et en est que qui
    je tu il nous vous pour dans sur pas ce mon ma mes el los las una y es yo mi mis para con por lo se su del
    al der die das und ist ich wir ein eine mein meine nicht mit auf für den dem von zu o os um uma e eu meu
    minha com não na da gli uno di che io mio mia per non
    """.split()
)


@lru_cache(maxsize=4096)
def _word_terms(word: str) -> tuple[str, ...]:
    """Terms of one word: itself folded, its identifier parts, or its character pairs."""
    if _UNSPACED.search(word):
        pairs: list[str] = []
        for run in _UNSPACED.findall(word):
            pairs += [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
        rest = _UNSPACED.sub(" ", word).split()
        return tuple(pairs + [r.casefold() for r in rest])
    folded = word.casefold()
    parts = _PART.findall(word) if word.isascii() else ()  # identifiers are; other scripts' words stay whole
    return (folded, *(p.casefold() for p in parts)) if len(parts) > 1 else (folded,)


def terms(text: str) -> list[str]:
    """The terms of a text, in order, repeated as they occur."""
    return [term for word in _WORD.findall(text) for term in _word_terms(word)]


def content_terms(text: str) -> set[str]:
    """The distinct terms of a text that carry its topic."""
    return {term for term in terms(text) if term not in _GRAMMAR}


class LexicalIndex:
    """Postings over rows 0, 1, 2, … of one partition. Not thread-safe: the partition's lock covers it."""

    def __init__(self) -> None:
        self._rows: dict[str, array[int]] = {}
        self._freqs: dict[str, array[float]] = {}
        self._lengths = array("f")
        self._postings = 0

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, text: str) -> None:
        """Index the next row."""
        row = len(self._lengths)
        counted = Counter(terms(text))
        self._lengths.append(float(sum(counted.values())))
        self._postings += len(counted)
        for term, freq in counted.items():
            self._rows.setdefault(term, array("L")).append(row)
            self._freqs.setdefault(term, array("f")).append(float(freq))

    def scores(self, query: str) -> NDArray[np.float32]:
        """BM25 of every row against the query, float32 of shape (rows,), at least 0."""
        n = len(self._lengths)
        total = np.zeros(n, dtype=np.float32)
        if not n:
            return total
        lengths = np.array(self._lengths, dtype=np.float32)
        norm = _K1 * (1 - _B + _B * lengths / max(float(lengths.mean()), 1.0))
        for term in dict.fromkeys(terms(query)):
            rows = self._rows.get(term)
            if rows is None:
                continue
            at = np.array(rows, dtype=np.int64)
            freqs = np.array(self._freqs[term], dtype=np.float32)
            idf = float(np.log1p((n + _BACKGROUND_ITEMS - len(at) + 0.5) / (len(at) + 0.5)))
            weight = idf * (_GRAMMAR_WEIGHT if term in _GRAMMAR else 1.0)
            total[at] += weight * freqs * (_K1 + 1) / (freqs + norm[at])
        return total

    def nbytes(self) -> int:
        """Rough size in memory, bytes."""
        return 12 * self._postings + 250 * len(self._rows) + 4 * len(self._lengths)
