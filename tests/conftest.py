"""Kernels for the tests: a real ledger in a directory of the test's own, an index in memory, no model."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from langchain_core.embeddings import Embeddings

from memory_kernel import KernelConfig, MemoryKernel, MemoryProvider
from memory_kernel.providers.memory import InMemoryProvider
from tests.support.embedders import Words

# A job that a shell started in the background ignores SIGINT, and so would every process that a test interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

MakeKernel = Callable[..., MemoryKernel]

# Explaining a failure of a state machine takes longer than finding it.
settings.register_profile(
    "kernel",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)
settings.load_profile("kernel")


@pytest.fixture
def make_kernel(tmp_path: Path) -> Iterator[MakeKernel]:
    """Opens kernels; all are closed at the end, after stuck embedders and providers were let go.

    By default everything visible is relevant (threshold 0) and the embedder works in the writer's thread, so a write
    is settled when it returns.
    """
    opened: list[MemoryKernel] = []
    stuck: list[Any] = []

    def make(
        *,
        provider: MemoryProvider | None = None,
        embeddings: Embeddings | None = None,
        subdir: str = "store",
        **config: Any,
    ) -> MemoryKernel:
        provider = provider or InMemoryProvider()
        embeddings = embeddings or Words(in_process=True)
        stuck.extend(part for part in (embeddings, getattr(provider, "fault", None)) if hasattr(part, "release"))
        kernel = MemoryKernel.open(
            KernelConfig(**{"data_dir": tmp_path / subdir, "relevance_threshold": 0.0, **config}),
            provider=provider,
            embeddings=embeddings,
        )
        opened.append(kernel)
        return kernel

    yield make
    for part in stuck:
        part.release()
    for kernel in opened:
        kernel.close(timeout_s=2.0)


@pytest.fixture
def kernel(make_kernel: MakeKernel) -> MemoryKernel:
    """One kernel with the defaults of `make_kernel`."""
    return make_kernel()
