"""Reads a message as the graph does: both agents over one extractor, and only what they would have written."""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime

from evaluation.extraction.decisions import Stored
from nodes.extracting import ExtractingProducer
from nodes.extraction import Extraction, ExtractionRequest, Extractor
from nodes.extractors.offline import OfflineExtractor
from nodes.producer import UserWords
from nodes.profile_agent import ProfileAgent
from nodes.task_agent import TaskAgent

_AT = datetime(2025, 1, 1, tzinfo=UTC)


class Reader:
    """An extractor, by default the offline one, behind ProfileAgent and TaskAgent.

    `turns_ms`: what each message read so far took; `problems`: what the extractor reported, by kind.
    """

    def __init__(self, extractor: Extractor | None = None) -> None:
        self.extractor = extractor or OfflineExtractor()
        self.problems: Counter[str] = Counter()
        self._watched = _Watched(self.extractor, self.problems)
        self._producers: list[ExtractingProducer] = [ProfileAgent(self._watched), TaskAgent(self._watched)]
        self.turns_ms: list[float] = []

    def read(self, text: str) -> tuple[Stored, ...]:
        """What one message of the user would have written and taken back."""
        said = UserWords(text, _AT)
        self._watched.operations.clear()
        started = time.perf_counter()
        proposals = [producer.propose(said) for producer in self._producers]
        self.turns_ms.append(1000 * (time.perf_counter() - started))
        stored: list[Stored] = []
        for proposal in proposals:
            for item in proposal.write:
                kind, words = str(item["memory_type"]), str(item["content"])
                stored.append(Stored(kind, item["slot"], self._watched.operations.get((kind, words), "assert"), words))
            stored += [Stored(gone.memory_type, gone.slot, "retract", gone.text) for gone in proposal.retract]
        return tuple(stored)

    def written(self, text: str) -> tuple[Stored, ...]:
        """Only what one message would have written."""
        return tuple(fact for fact in self.read(text) if fact.is_written)


class _Watched:
    """The extractor, noting the operation of each fact, which a proposal does not say, and the kinds of problems."""

    def __init__(self, extractor: Extractor, problems: Counter[str]) -> None:
        self.name = extractor.name
        self.problems = problems
        self.operations: dict[tuple[str, str], str] = {}
        self._extractor = extractor

    def extract(self, request: ExtractionRequest) -> Extraction:
        found = self._extractor.extract(request)
        self.problems.update(problem.kind for problem in found.problems)
        self.operations.update({(f.memory_type, f.text): f.operation for f in found.facts if f.operation != "retract"})
        return found

    async def aextract(self, request: ExtractionRequest) -> Extraction:
        return self.extract(request)
