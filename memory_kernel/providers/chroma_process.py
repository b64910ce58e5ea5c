"""The parent's side of an embedded Chroma: starts the child process, puts a deadline on every request, and replaces a
child that died or hangs. Knows nothing of Chroma but how to run `chroma_worker`."""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import memory_kernel.errors as kernel_errors
from memory_kernel.errors import DeadlineExceeded, KernelClosed, MemoryKernelError, StoreUnavailable
from memory_kernel.providers.chroma_index import Found, Matrix
from memory_kernel.providers.chroma_worker import Options, receive, send

# The child needs three modules of this package and none of what the package exports, which would cost it memory and
# start-up time: so it gets the package's name and folder without running its `__init__`.
_BOOTSTRAP = """
import sys, types
for name, folder in (("memory_kernel", sys.argv[3]), ("memory_kernel.providers", sys.argv[3] + "/providers")):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
from memory_kernel.providers.chroma_worker import main
main()
"""
_PACKAGE = Path(__file__).resolve().parents[1]
_MAINTENANCE_S = 600.0  # purge and reset go over whole files
_START_S = 30.0  # beyond the wait for the lock; 1 s is usual
_STARTS, _STARTS_WITHIN_S = 5, 60.0  # a store that kills its worker at once must not keep a core busy for ever
_LAST_WORDS = 4000


class _Worker:
    """One running child: its process, our end of the socket, and the end of what it wrote to stderr."""

    def __init__(self, options: Options) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-P", "-W", "ignore", "-c", _BOOTSTRAP, str(theirs.fileno())]
            self.process = subprocess.Popen(
                [*command, json.dumps(options._asdict()), str(_PACKAGE)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C in the terminal is for the parent
            )
        self.socket = ours
        self._stderr = b""
        self._reader = threading.Thread(target=self._keep_last_words, name="chroma-worker-stderr", daemon=True)
        self._reader.start()

    def request(self, timeout_s: float, name: str, *args: Any, **kwargs: Any) -> Any:
        """Ask and wait for the answer, or raise what the child raised there."""
        deadline = time.monotonic() + timeout_s
        self.socket.settimeout(timeout_s)
        send(self.socket, (name, args, kwargs))
        return self.answer(deadline)

    def answer(self, deadline: float) -> Any:
        """The next answer."""
        match receive(self.socket, deadline):
            case ("ok", value):
                return value
            case ("error", str(kind), str(message)):
                raise getattr(kernel_errors, kind)(message)
            case unknown:
                raise StoreUnavailable(f"The Chroma worker answered {unknown!r:.200}")

    def stop(self, grace_s: float) -> str:
        """Close the socket, which ends the child; kill it if it has not ended in time. Says how it ended."""
        self.socket.close()
        try:
            self.process.wait(grace_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join(timeout=1)
        if self.process.stderr is not None and not self._reader.is_alive():
            self.process.stderr.close()
        words = self._stderr.decode(errors="replace").strip()
        return f"exit status {self.process.returncode}" + (f"; its last words: {words}" if words else "")

    def disown(self) -> None:
        """In a forked child: the process is the parent's; only our copy of the socket must not keep it alive."""
        self.socket.close()
        if self.process.stderr is not None:
            self.process.stderr.close()
        self.process.returncode = 0

    def _keep_last_words(self) -> None:
        stream = self.process.stderr
        while stream is not None and (data := os.read(stream.fileno(), 4096)):
            self._stderr = (self._stderr + data)[-_LAST_WORDS:]


class ProcessIndex:
    """`Index` over a child process. One request at a time; threads wait for their turn within their own deadline.

    `timeout_s` bounds each request once the worker runs. Starting it is bounded by `lock_wait_s` (for an earlier owner
    of the directory to end) and 30 s.
    """

    def __init__(self, path: Path, collection: str, *, timeout_s: float, lock_wait_s: float, niceness: int) -> None:
        self._path, self._timeout_s = path, timeout_s
        self._options = Options(str(path), collection, lock_wait_s, niceness, may_create=True)
        self._worker: _Worker | None = None
        self._turn = threading.Lock()  # protects the worker, its socket and the order of question and answer
        self._unplanned_starts: deque[float] = deque(maxlen=_STARTS)
        self._closed = False
        _running.add(self)

    def upsert(self, ids: Sequence[str], vectors: Matrix, metadatas: Sequence[Mapping[str, str]]) -> None:
        """As `Index.upsert`."""
        self._ask("upsert", list(ids), vectors, [dict(m) for m in metadatas])

    def query(self, where: Mapping[str, str], vector: NDArray[np.float32], limit: int) -> list[tuple[str, float]]:
        """As `Index.query`."""
        hits: list[tuple[str, float]] = self._ask("query", dict(where), vector, limit)
        return hits

    def get(
        self,
        *,
        where: Mapping[str, str] | None = None,
        ids: Sequence[str] | None = None,
        limit: int | None = None,
        rows: bool = True,
    ) -> Found:
        """As `Index.get`."""
        found = self._ask("get", where=where, ids=ids, limit=limit, rows=rows)
        return Found(*found)

    def delete(self, ids: Sequence[str]) -> None:
        """As `Index.delete`."""
        self._ask("delete", list(ids))

    def purge(self) -> Mapping[str, Any]:
        """Write everything out, let the worker end, and have a fresh one clean the files before it opens Chroma."""
        with self._my_turn(_MAINTENANCE_S):
            self._request(_MAINTENANCE_S, "flush")
            self._renew()
            report: Mapping[str, Any] = self._request(_MAINTENANCE_S, "purge")
            return report

    def reset(self) -> None:
        """Let the worker end, whatever it is doing, and have a fresh one empty the directory."""
        with self._my_turn(_MAINTENANCE_S):
            self._renew()
            self._request(_MAINTENANCE_S, "reset")
            self._options = self._options._replace(may_create=True)

    def start(self) -> None:
        """Start the worker in the background. A failure is kept for the first call, which meets it again."""

        def begin() -> None:
            try:
                with self._my_turn(self._timeout_s):
                    self._started()
            except MemoryKernelError:
                return

        threading.Thread(target=begin, name="chroma-worker-start", daemon=True).start()

    def describe(self) -> Mapping[str, Any]:
        """The directory, the worker's process id, and what the worker says of the collection."""
        about = self._ask("describe")
        worker = self._worker
        return {
            "path": str(self._path),
            "collection": self._options.collection,
            "worker_pid": worker.process.pid if worker else None,
            **about,
        }

    def close(self) -> None:
        """Ask the worker to end, wait 5 s for what it is doing, then kill it. Idempotent."""
        self._closed = True
        mine = self._turn.acquire(timeout=5)
        try:
            worker, self._worker = self._worker, None
            if worker is not None:
                worker.stop(grace_s=5 if mine else 0)
        finally:
            if mine:
                self._turn.release()

    def forget_inherited(self) -> None:
        """In a forked child: start from nothing. Another thread may have held the lock when the process forked."""
        self._turn = threading.Lock()
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.disown()

    def _ask(self, name: str, *args: Any, **kwargs: Any) -> Any:
        with self._my_turn(self._timeout_s):
            return self._request(self._timeout_s, name, *args, **kwargs)

    @contextmanager
    def _my_turn(self, timeout_s: float) -> Iterator[None]:
        if not self._turn.acquire(timeout=timeout_s):
            raise DeadlineExceeded(f"The Chroma worker of {self._path} was busy for {timeout_s:g} s.")
        try:
            if self._closed:
                raise KernelClosed(f"The index in {self._path} was closed.")
            yield
        finally:
            self._turn.release()

    def _request(self, timeout_s: float, name: str, *args: Any, **kwargs: Any) -> Any:
        worker, in_step = self._started(), False
        try:
            answer = worker.request(timeout_s, name, *args, **kwargs)
            in_step = True
        except MemoryKernelError:
            in_step = True
            raise
        except TimeoutError as error:
            raise DeadlineExceeded(
                f"The Chroma worker of {self._path} did not answer {name!r} within {timeout_s:g} s and was ended. "
                "The next call starts another."
            ) from error
        except (EOFError, OSError) as error:
            raise StoreUnavailable(
                f"The Chroma worker of {self._path} died during {name!r} ({self._discard(worker, grace_s=1)}). "
                "The next call starts another."
            ) from error
        finally:
            # Also after Ctrl-C between question and answer: the next question would get this one's answer.
            if not in_step:
                self._discard(worker)
        self._options = self._options._replace(may_create=False)  # from now on a missing store is a lost one
        return answer

    def _started(self) -> _Worker:
        if self._worker is not None:
            return self._worker
        now = time.monotonic()
        if len(self._unplanned_starts) == _STARTS and now - self._unplanned_starts[0] < _STARTS_WITHIN_S:
            raise StoreUnavailable(
                f"The Chroma worker of {self._path} had to be started {_STARTS} times within {_STARTS_WITHIN_S:g} s; "
                "not again before that time has passed, or after reset()."
            )
        self._unplanned_starts.append(now)
        return self._start()

    def _start(self) -> _Worker:
        worker = self._worker = _Worker(self._options)  # known before it is ready, so that close() can end it
        ready = False
        try:
            worker.answer(time.monotonic() + self._options.lock_wait_s + _START_S)
            ready = not self._closed
        except MemoryKernelError:
            raise
        except TimeoutError as error:
            raise DeadlineExceeded(
                f"The Chroma worker of {self._path} did not start in time ({self._discard(worker)})."
            ) from error
        except (EOFError, OSError) as error:
            raise StoreUnavailable(
                f"The Chroma worker of {self._path} cannot start ({self._discard(worker, grace_s=5)})."
            ) from error
        finally:
            if not ready:
                self._discard(worker)
        if not ready:
            raise KernelClosed(f"The index in {self._path} was closed while it was starting.")
        return worker

    def _renew(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop(grace_s=5)
        self._unplanned_starts.clear()
        self._start()

    def _discard(self, worker: _Worker, grace_s: float = 0) -> str:
        if self._worker is worker:
            self._worker = None
        return worker.stop(grace_s)


_running: weakref.WeakSet[ProcessIndex] = weakref.WeakSet()


def _close_all() -> None:
    for index in list(_running):
        index.close()


def _forget_all() -> None:
    for index in list(_running):
        index.forget_inherited()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
