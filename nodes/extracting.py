"""A producer that is an extractor for one memory type: what ProfileAgent and TaskAgent have in common."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

from memory_kernel.items import SharingPolicy
from nodes.extraction import Extraction, ExtractionRequest, Extractor, Fact, FactType
from nodes.producer import Producer, Proposal, Retraction, UserWords

_SURE_ENOUGH = 0.5


class ExtractingProducer(Producer):
    """Writes what its extractor finds, `shared` between the user's agents unless told otherwise (KMSM 3.2)."""

    def __init__(
        self, name: str, memory_type: FactType, extractor: Extractor, sharing_policy: SharingPolicy = "shared"
    ) -> None:
        self.name = name
        self.may_write = frozenset({memory_type})
        self._memory_type: FactType = memory_type
        self._extractor = extractor
        self._policy = sharing_policy

    def reading_with(self, extractor: Extractor) -> Self:
        """This agent with another extractor."""
        other = copy(self)
        other._extractor = extractor
        return other

    def as_told(self, words: str) -> dict[str, Any]:
        """Words as a memory of this agent's, as they are: for what the user explicitly asks to be kept."""
        return {"content": words, "memory_type": self._memory_type, "slot": None, "sharing_policy": self._policy}

    def propose(self, said: UserWords) -> Proposal:
        """Facts to write and to retract, from one message."""
        return self._proposal(self._extractor.extract(self._request(said)))

    async def apropose(self, said: UserWords) -> Proposal:
        """`propose` without blocking the event loop."""
        return self._proposal(await self._extractor.aextract(self._request(said)))

    def _request(self, said: UserWords) -> ExtractionRequest:
        return ExtractionRequest(memory_type=self._memory_type, text=said.text, now=said.at, preceding=said.preceding)

    def _proposal(self, found: Extraction) -> Proposal:
        return Proposal(
            write=[
                {
                    "content": fact.text,
                    "memory_type": fact.memory_type,
                    "slot": fact.slot,
                    "sharing_policy": self._policy,
                    "confidence": fact.confidence,
                }
                for fact in found.facts
                if fact.operation != "retract" and fact.memory_type == self._memory_type and not _dangling(fact)
            ],
            retract=[
                Retraction(fact.memory_type, fact.text, fact.slot)
                for fact in found.facts
                if fact.operation == "retract" and fact.memory_type == self._memory_type
            ],
            problems=found.problems,
        )


def _dangling(fact: Fact) -> bool:
    """A correction that does not say of what ("It's Porto"), and so would be an item that means nothing."""
    return fact.operation == "correct" and fact.slot is None and fact.confidence < _SURE_ENOUGH
