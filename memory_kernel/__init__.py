"""Kernel-managed memory for agents that share users: who may write, who may see, what is injected, and why.

Implements "Kernel-Managed Shared Memory for System-Wide Personalization" (KMSM). Plain Python: knows nothing of graphs.
"""

from memory_kernel.agents import AgentHandle, BoundAgent
from memory_kernel.barrier import MemoryWriteBarrier
from memory_kernel.config import KernelConfig
from memory_kernel.conversation import ConversationExtractor
from memory_kernel.errors import (
    DeadlineExceeded,
    EmbedderMismatch,
    Forbidden,
    IdentityMismatch,
    InvalidMemory,
    KernelClosed,
    LedgerDamaged,
    MemoryKernelError,
    ModelUnavailable,
    SessionTaken,
    StoreLocked,
    StoreUnavailable,
    UserErased,
    WriteForbidden,
)
from memory_kernel.formatting import MemoryFormatter
from memory_kernel.injection import ContextInjector, Injection
from memory_kernel.items import (
    BarrierReport,
    Decision,
    ErasureReceipt,
    Identity,
    MemoryItem,
    Source,
    Turn,
    WriteReceipt,
)
from memory_kernel.kernel import MemoryKernel, open_ledger, recorded_embedder
from memory_kernel.manager import MemoryManager, idempotency_key
from memory_kernel.providers.base import Hit, MemoryProvider, MemoryRecord
from memory_kernel.visibility import visible

__all__ = [
    "AgentHandle",
    "BarrierReport",
    "BoundAgent",
    "ContextInjector",
    "ConversationExtractor",
    "DeadlineExceeded",
    "Decision",
    "EmbedderMismatch",
    "ErasureReceipt",
    "Forbidden",
    "Hit",
    "Identity",
    "IdentityMismatch",
    "Injection",
    "InvalidMemory",
    "KernelClosed",
    "KernelConfig",
    "LedgerDamaged",
    "MemoryFormatter",
    "MemoryItem",
    "MemoryKernel",
    "MemoryKernelError",
    "MemoryManager",
    "MemoryProvider",
    "MemoryRecord",
    "MemoryWriteBarrier",
    "ModelUnavailable",
    "SessionTaken",
    "Source",
    "StoreLocked",
    "StoreUnavailable",
    "Turn",
    "UserErased",
    "WriteForbidden",
    "WriteReceipt",
    "idempotency_key",
    "open_ledger",
    "recorded_embedder",
    "visible",
]
