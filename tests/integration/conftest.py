"""Kernels for the integration tests: real ledger and embedder, an index in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from memory_kernel import KernelConfig, MemoryKernel
from memory_kernel.providers.memory import InMemoryProvider

OpenKernel = Callable[..., MemoryKernel]


@pytest.fixture
def open_kernel(tmp_path: Path) -> Iterator[OpenKernel]:
    """Opens kernels in the test's directory; all are closed when it ends. By default everything visible is injected."""
    with ExitStack() as opened:

        def open_one(**config: Any) -> MemoryKernel:
            settings = KernelConfig(**{"data_dir": tmp_path / "memory", "relevance_threshold": 0.0, **config})
            return opened.enter_context(MemoryKernel.open(settings, provider=InMemoryProvider()))

        yield open_one


@pytest.fixture
def kernel(open_kernel: OpenKernel) -> MemoryKernel:
    """One kernel."""
    return open_kernel()
