"""From settings to an open kernel. The embedder that a store was written with wins over what the settings suggest."""

from __future__ import annotations

import logging
from pathlib import Path

from langchain_core.embeddings import Embeddings

from graph.models import make_embeddings
from graph.settings import Settings
from memory_kernel import EmbedderMismatch, KernelConfig, MemoryKernel, ModelUnavailable, recorded_embedder

logger = logging.getLogger(__name__)


class UnreachableEmbeddings(Embeddings):
    """Stands in for a store's embedder that cannot be had now: every call says why, and the kernel reads by words."""

    def __init__(self, why: ModelUnavailable) -> None:
        self._why = why

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Raises ModelUnavailable."""
        raise self._why

    def embed_query(self, text: str) -> list[float]:
        """Raises ModelUnavailable."""
        raise self._why


def kernel_config(settings: Settings) -> KernelConfig:
    """The kernel's part of the settings."""
    return KernelConfig(
        data_dir=settings.data_dir,
        barrier_timeout_ms=settings.barrier_timeout_ms,
        token_budget=settings.token_budget,
        relevance_threshold=settings.relevance_threshold,
        max_memories=settings.max_memories,
    )


def refuse_other_embedder(data_dir: Path, asked: str) -> None:
    """Raises EmbedderMismatch if the store there was written with another embedder than the one asked for."""
    recorded = recorded_embedder(data_dir)
    if recorded not in (None, asked):
        raise EmbedderMismatch(
            f"the store in {str(data_dir)!r} was written with embedder {recorded!r}, not {asked!r}: leave the embedder "
            "out to use that one, or choose another data directory"
        )


def open_kernel(settings: Settings, config: KernelConfig | None = None) -> MemoryKernel:
    """Open the store that the settings name. Raises what `MemoryKernel.open` does; ModelUnavailable for a new one."""
    config = config or kernel_config(settings)
    recorded = recorded_embedder(config.data_dir)
    if recorded is not None and recorded != settings.embeddings:
        logger.info(
            "this store was written with embedder %s, which is used instead of %s", recorded, settings.embeddings
        )
    name = recorded or settings.embeddings
    embeddings: Embeddings
    try:
        embeddings = make_embeddings(name, settings, check=recorded is None)  # a new store is tied to what it gets
    except ModelUnavailable as error:
        if recorded is None:
            raise
        logger.warning("the embedder of this store cannot be had, so memories are found by words only: %s", error)
        embeddings = UnreachableEmbeddings(error)
    return MemoryKernel.open(config, embeddings=embeddings, embeddings_name=name)
