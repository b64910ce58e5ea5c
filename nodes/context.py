"""Who is being served, where from, and how a node comes to the kernel. The only place that reads the run's context."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from langgraph.config import get_config
from langgraph.runtime import get_runtime
from pydantic import BaseModel, ConfigDict, Field

from memory_kernel import MemoryKernel
from memory_kernel.identity import check_user_id
from memory_kernel.items import utcnow

LOCAL_USER = "local-user"
Clock = Callable[[], datetime]


class Context(BaseModel):
    """A run's context."""

    model_config = ConfigDict(extra="forbid")

    user_id: str = Field(
        default=LOCAL_USER,
        description="Whose memory this run reads and writes. Honoured in development only: where requests are "
        "authenticated, the principal is used and this field is ignored.",
    )


class Serving(NamedTuple):
    """Whom a run serves, and in which session (LangGraph's thread; None without a checkpointer)."""

    user_id: str
    thread_id: str | None


def serving() -> Serving:
    """The authenticated principal if the server knows one, else the context's user. Raises InvalidMemory on a bad id.

    `server_info` is filled in by the server and cannot be written by a client; context and state can.
    """
    runtime = get_runtime(Context)
    configurable = get_config().get("configurable") or {}
    thread_id = configurable.get("thread_id")
    info = runtime.server_info
    principal = info.user.identity if info is not None and info.user is not None else ""
    claimed = runtime.context.user_id if runtime.context is not None else LOCAL_USER
    return Serving(check_user_id(principal or claimed), None if thread_id is None else str(thread_id))


class Past(NamedTuple):
    """Whether the graph's state is kept from turn to turn, and whether this run was sent back to a named checkpoint."""

    is_kept: bool
    from_checkpoint: bool


def past() -> Past:
    """What LangGraph says of this run. Inside another graph the state is taken for not kept: it lasts for one call."""
    config = get_config()
    configurable = config.get("configurable") or {}
    inside = "|" in str(configurable.get("checkpoint_ns") or "")
    return Past(
        is_kept=configurable.get("__pregel_checkpointer") is not None and not inside,
        from_checkpoint="checkpoint_id" in (config.get("metadata") or {}),
    )


class KernelAccess:
    """A kernel, or a way to open one at first use (so that importing a graph opens nothing)."""

    def __init__(self, kernel: MemoryKernel | Callable[[], MemoryKernel], clock: Clock = utcnow) -> None:
        self._open: Callable[[], MemoryKernel] = (lambda: kernel) if isinstance(kernel, MemoryKernel) else kernel
        self._kernel = kernel if isinstance(kernel, MemoryKernel) else None
        self._lock = threading.Lock()  # opened once, however many nodes ask at once
        self.clock = clock

    def kernel(self) -> MemoryKernel:
        """The kernel, opened if need be."""
        with self._lock:
            if self._kernel is None:
                self._kernel = self._open()
            return self._kernel

    async def akernel(self) -> MemoryKernel:
        """`kernel` without blocking the event loop."""
        return await asyncio.to_thread(self.kernel) if self._kernel is None else self._kernel
