"""A small HTTP server that replays recorded answers, as they are on the wire, and misbehaves on request."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).parent

_TYPES = {".json": "application/json", ".sse": "text/event-stream; charset=utf-8", ".ndjson": "application/x-ndjson"}


@dataclass(frozen=True)
class Reply:
    """An answer: a recorded file, or a body given here."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200
    silent: bool = False
    """Accepts the request and never answers."""
    cut_after: int | None = None
    """Closes the connection after so many bytes of the body."""

    @classmethod
    def recorded(cls, name: str, **more: Any) -> Reply:
        return cls((RECORDED / name).read_bytes(), _TYPES[Path(name).suffix], **more)


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class WireServer:
    """What it was asked, in order, and what it answers: by path, the last reply again and again."""

    url: str = ""
    requests: list[Request] = field(default_factory=list)
    _replies: dict[str, list[Reply]] = field(default_factory=dict)
    _closing: threading.Event = field(default_factory=threading.Event)

    def answer(self, path: str, *replies: Reply) -> None:
        self._replies[path] = list(replies)

    def next_reply(self, path: str) -> Reply | None:
        replies = self._replies.get(path)
        if not replies:
            return None
        return replies.pop(0) if len(replies) > 1 else replies[0]


@contextmanager
def serve() -> Iterator[WireServer]:
    """Run on a free port of the loopback address."""
    wire = WireServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._reply()

        do_POST = do_GET

        def _reply(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            wire.requests.append(
                Request(self.command, self.path, dict(self.headers.items()), json.loads(raw) if raw else None)
            )
            reply = wire.next_reply(self.path) or Reply(b'{"error": "no such path"}', status=404)
            self.close_connection = True
            if reply.silent:
                wire._closing.wait()
                return
            self.send_response(reply.status)
            self.send_header("content-type", reply.content_type)
            self.send_header("content-length", str(len(reply.body)))
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(reply.body if reply.cut_after is None else reply.body[: reply.cut_after])

        def log_message(self, *args: object) -> None:
            """Nothing: pytest shows what matters."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        wire.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield wire
        finally:
            wire._closing.set()
            server.shutdown()
            thread.join()
