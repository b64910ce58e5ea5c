"""Chooses the extractor that the settings name. A model one is made when the first message is read."""

from __future__ import annotations

import functools
from collections.abc import Callable

from graph.models import make_chat_model
from graph.settings import Settings
from nodes.extraction import Extraction, ExtractionRequest, Extractor
from nodes.extractors.offline import OfflineExtractor


class LazyExtractor:
    """An extractor made at first use, so that wiring a graph makes no model client."""

    def __init__(self, name: str, make: Callable[[], Extractor]) -> None:
        self.name = name
        self._make = functools.cache(make)

    def extract(self, request: ExtractionRequest) -> Extraction:
        """As the extractor that is made."""
        return self._make().extract(request)

    async def aextract(self, request: ExtractionRequest) -> Extraction:
        """As the extractor that is made."""
        return await self._make().aextract(request)


def make_extractor(settings: Settings) -> Extractor:
    """`offline`, or `model` with `extraction_model` (default: the chat model)."""
    if settings.extractor == "offline":
        return OfflineExtractor()

    def make() -> Extractor:
        from nodes.extractors.model import ModelExtractor

        chosen = make_chat_model(settings.extraction_model or settings.chat_model, settings)
        return ModelExtractor(chosen.model, timeout_s=settings.llm_timeout_s)

    return LazyExtractor(f"model:{settings.extraction_model or settings.chat_model or 'the best one found'}", make)
