"""`langgraph dev` as a user starts it, in a directory of its own and with an environment of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
START_S = 60.0
STOP_S = 20.0
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_ADDRESS = re.compile(r"API: (http://127\.0\.0\.1:\d+)")
_READY = "Starting queue with shared loop"


@dataclass
class DevServer:
    """A running server: where it listens, what it has said so far, and the processes that belong to it."""

    process: subprocess.Popen[str]
    data_dir: Path
    lines: list[str] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)
    ended: bool = False
    started_in_s: float = 0.0

    @property
    def log(self) -> str:
        """Everything it has printed."""
        with self.changed:
            return "".join(self.lines)

    @property
    def url(self) -> str:
        """Where it really listens: it replaces a taken port by another without a word."""
        found = _ADDRESS.search(self.log)
        assert found, self.log
        return found.group(1)

    def follow(self) -> None:
        """Collect its output until it ends."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(_COLOUR.sub("", line))
                self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def wait_for(self, words: str, timeout_s: float) -> None:
        """Until it has printed these words."""
        with self.changed:
            self.changed.wait_for(lambda: self.ended or any(words in line for line in self.lines), timeout_s)
        assert words in self.log, f"no {words!r} within {timeout_s:g} s:\n{self.log}"

    def children(self) -> list[int]:
        """Process ids of its children, whichever thread started them."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(pid) for children in tasks for pid in children.read_text().split()]

    def stop(self) -> int:
        """Ask it to end (SIGTERM) and wait until it has. Returns how it ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(STOP_S)
            raise


@contextmanager
def dev_server(directory: Path, *, port: int | None = None, **environment: str) -> Iterator[DevServer]:
    """Start the server in `directory` and wait until it takes requests; stop it at the end."""
    shutil.copy(ROOT / "langgraph.json", directory)
    data_dir = directory / "memory"
    home = directory / "home"
    home.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"]
    started = time.monotonic()
    process = subprocess.Popen(
        [*command, "--port", str(port or free_port())],
        cwd=directory,
        env={
            "PATH": os.defpath,
            "HOME": str(home),
            "PYTHONPATH": str(ROOT),  # the code beside these tests, wherever another copy is installed
            "PYTHONUNBUFFERED": "1",
            "MEMORY_DATA_DIR": str(data_dir),
            "MEMORY_CHAT_MODEL": "local:extractive",
            "LANGSMITH_TRACING": "false",
            "LANGGRAPH_CLI_NO_ANALYTICS": "1",
            "LANGGRAPH_NO_VERSION_CHECK": "true",
            **environment,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    server = DevServer(process, data_dir)
    reader = threading.Thread(target=server.follow, daemon=True)
    reader.start()
    try:
        server.wait_for(_READY, START_S)
        server.started_in_s = time.monotonic() - started
        yield server
    finally:
        try:
            server.stop()
        finally:
            reader.join(STOP_S)
            assert process.stdout is not None
            process.stdout.close()


def free_port() -> int:
    """A port that nobody has at the moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def is_running(pid: int) -> bool:
    """Whether a process is there and not merely waiting to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
