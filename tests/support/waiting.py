"""Waiting for a condition, for what offers no event of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

_TICK = threading.Event()  # never set: waits the interval without a bare sleep


def until(condition: Callable[[], object], timeout_s: float = 10.0) -> None:
    """Return as soon as `condition()` is true; fail after `timeout_s` seconds."""
    for _ in range(int(timeout_s / 0.005)):
        if condition():
            return
        _TICK.wait(0.005)
    raise AssertionError(f"did not come true within {timeout_s:g} s")
