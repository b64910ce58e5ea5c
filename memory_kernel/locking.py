"""One embedded store, one kernel: a lock on the data directory that the system drops when the process ends."""

from __future__ import annotations

import os
from pathlib import Path

from memory_kernel.errors import StoreLocked, StoreUnavailable

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]

LOCK_FILE = "kernel.lock"


class DirectoryLock:
    """Held from creation to `release`. Raises StoreLocked at once if another kernel has the directory."""

    def __init__(self, directory: Path) -> None:
        if directory.exists() and not directory.is_dir():
            raise StoreUnavailable(f"data_dir {str(directory)!r} is a file; give a directory")
        try:
            directory.parent.mkdir(parents=True, exist_ok=True)
            directory.mkdir(mode=0o700, exist_ok=True)  # memories are nobody else's on this machine
            self._file = open(directory / LOCK_FILE, "a+", encoding="utf-8")  # noqa: SIM115 - held open
        except OSError as error:
            raise StoreUnavailable(
                f"cannot use data directory {str(directory)!r}: {error.strerror or error}; choose another data_dir"
            ) from error
        if fcntl is None:  # pragma: no cover - Windows
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.seek(0)
            holder = self._file.read().strip() or "unknown"
            self._file.close()
            raise StoreLocked(
                f"data directory {str(directory)!r} is open in another kernel (process {holder}): use that process's "
                "kernel, close it, or choose another data_dir; `python -m graph memory` reads it while it is open"
            ) from error
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()

    def release(self) -> None:
        """Let the next kernel in. Idempotent."""
        if fcntl is not None and not self._file.closed:
            fcntl.flock(self._file, fcntl.LOCK_UN)  # closing is not enough while a forked child has a copy
        self._file.close()
