"""Every error the kernel raises on purpose. This module knows nothing of the rest of the package.

MemoryKernelError
├── InvalidMemory (ValueError)              a bad argument: empty text, unknown type, unusable id
├── Forbidden (PermissionError)             asked for something that its handle may not do
│   ├── WriteForbidden                      a type the agent did not register for, another agent's item
│   ├── IdentityMismatch                    a bound handle was asked for another user or session
│   ├── SessionTaken                        the session belongs to somebody else
│   └── UserErased                          the user was erased after this handle was bound
├── StoreUnavailable (OSError)              the data directory cannot be used
│   ├── StoreLocked                         another kernel has it open
│   └── LedgerDamaged                       the ledger's file is not a ledger, or is corrupt
├── EmbedderMismatch (ValueError)           the store was written with another embedder
├── ModelUnavailable (RuntimeError)         a chat model or embedder cannot be had: key, name, server, file
├── KernelClosed (RuntimeError)             used after `close()`
└── DeadlineExceeded (TimeoutError)         a provider or an embedder did not answer in time
"""

from __future__ import annotations


class MemoryKernelError(Exception):
    """Root of every error raised on purpose; the message says what was wrong and what to do."""


class InvalidMemory(MemoryKernelError, ValueError):
    """A bad argument. Nothing was stored."""


class Forbidden(MemoryKernelError, PermissionError):
    """The handle may not do this (KMSM 3.2). Nothing was stored, nothing was shown."""


class WriteForbidden(Forbidden):
    """A memory type the agent did not register for, or an item that is not its own."""


class IdentityMismatch(Forbidden):
    """A bound handle was asked to act for another user or session than its own."""


class SessionTaken(Forbidden):
    """The session is registered to somebody else; a session never changes its owner."""


class UserErased(Forbidden):
    """The user was erased after this handle was bound; bind a new one to start afresh."""


class StoreUnavailable(MemoryKernelError, OSError):
    """The data directory cannot be used: not writable, disk full, not a directory."""


class StoreLocked(StoreUnavailable):
    """Another kernel has the data directory open (one embedded store has one kernel)."""


class LedgerDamaged(StoreUnavailable):
    """The ledger's file is corrupt, or is not a ledger."""


class EmbedderMismatch(MemoryKernelError, ValueError):
    """The store was written with another embedder than the one asked for."""


class ModelUnavailable(MemoryKernelError, RuntimeError):
    """A chat model or embedder cannot be had: missing key, unknown name, silent server, missing file."""


class KernelClosed(MemoryKernelError, RuntimeError):
    """The kernel was closed."""


class DeadlineExceeded(MemoryKernelError, TimeoutError):
    """A provider or an embedder did not answer within its deadline."""
