"""Scripted embedders: deterministic, without a model, and every way in which one goes wrong."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable

import numpy as np
from langchain_core.embeddings import Embeddings

DIMENSION = 96


def hashed_words(text: str, dimension: int = DIMENSION) -> list[float]:
    """Which words are in a text: texts that share words are similar. A constant keeps every vector from being zero."""
    row = np.zeros(dimension)
    row[0] = 0.1
    for word in re.findall(r"\w+", text.lower()):
        number = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
        row[1 + number % (dimension - 1)] += 1
    result: list[float] = row.tolist()
    return result


class Words(Embeddings):
    """The well-behaved one. `in_process` decides whether the kernel embeds in the writer's thread or behind it."""

    def __init__(self, *, in_process: bool = False) -> None:
        self.in_process = in_process
        self.model = "words"
        self.asked: list[list[str]] = []

    def vector(self, text: str) -> list[float]:
        return hashed_words(text)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked.append(list(texts))
        return [self.vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.vector(text)


class Slow(Words):
    """Takes `seconds` for every call."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        time.sleep(self.seconds)  # the scripted delay itself
        return super().embed_documents(texts)


class Stuck(Words):
    """Hangs on every text that holds `word`, until `release`. `reached` is set when the first one hangs."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word
        self.reached = threading.Event()
        self._free = threading.Event()

    def release(self) -> None:
        self._free.set()

    @property
    def released(self) -> bool:
        return self._free.is_set()

    def vector(self, text: str) -> list[float]:
        if self.word in text and not self._free.is_set():
            self.reached.set()
            self._free.wait(60)
        return hashed_words(text)


class Faulty(Words):
    """While `broken`, does `fault` (raise, or answer a vector) for texts that hold `word`."""

    def __init__(self, fault: Callable[[str], list[float]], word: str = "") -> None:
        super().__init__()
        self.fault = fault
        self.word = word
        self.broken = True

    def vector(self, text: str) -> list[float]:
        return self.fault(text) if self.broken and self.word in text else hashed_words(text)


def refuses(text: str) -> list[float]:
    raise ConnectionError("the embedding server is down")


def not_a_number(text: str) -> list[float]:
    return [float("nan")] * DIMENSION


def wrong_dimension(text: str) -> list[float]:
    return hashed_words(text, DIMENSION + 1)
