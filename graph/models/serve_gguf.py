"""The embedded model's own process: serves one GGUF file on a free loopback port, and ends when its parent does.

Run by path, never imported: it must start with the standard library and xllamacpp alone. It reads one JSON line with
its orders, prints one JSON line with its URL or its error, and lives for as long as its standard input stays open.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any


def main() -> None:
    """Serve until standard input ends."""
    # Ctrl-C reaches the whole process group; the parent may still need answers while it winds down.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders = json.loads(sys.stdin.readline())
    # llama.cpp's native code may print to standard output; the report must be alone on its line.
    report = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server = None
    try:
        server = _serve(orders)
        said = {"url": server.listening_address}
    except Exception as error:  # noqa: BLE001  the parent turns whatever it was into a sentence
        said = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(said), file=report, flush=True)
    if server is not None:
        sys.stdin.read()
    # Without this a generation under way is waited for, and nobody is left to want it.
    os._exit(0)


def _serve(orders: dict[str, Any]) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = orders["path"]
    params.model_alias = {orders["name"]}
    params.api_keys = [orders["key"]]
    params.port = 0
    params.n_ctx = orders["context_tokens"]
    params.n_predict = orders["max_tokens"]
    params.n_parallel = 1
    params.cpuparams.n_threads = orders["threads"]
    params.cpuparams_batch.n_threads = orders["threads"]
    params.warmup = False
    params.offline = True
    params.verbosity = 1
    params.ui = False
    params.endpoint_slots = False
    # Else up to 8 GiB of earlier prompts, other users' memories among them, would be kept in memory.
    params.cache_ram_mib = 0
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
