"""Invariant 4: what was accepted survives `kill -9`, is settled after the restart, once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_kernel import MemoryKernel
from memory_kernel.ledger.sqlite import SCHEMA_VERSION
from tests.support.embedders import Stuck

MakeKernel = Callable[..., MemoryKernel]
ROOT = Path(__file__).parents[2]

# Prints the id of every write as soon as it is accepted. Of a round's writes some are settled and the rest never will
# be, since the embedder hangs on the word STUCK.
WRITER = """
import itertools, sys
from pathlib import Path
from memory_kernel import KernelConfig, MemoryKernel
from memory_kernel.providers.memory import InMemoryProvider
from tests.support.embedders import Stuck

folder, round_ = Path(sys.argv[1]), sys.argv[2]
kernel = MemoryKernel.open(KernelConfig(data_dir=folder), provider=InMemoryProvider(), embeddings=Stuck("STUCK"))
agent = kernel.register_agent("A", may_write={"profile"})
for n in itertools.count():
    word = "STUCK" if n >= 5 else "swift"
    user = "mira" if n % 3 else "noor"
    receipt = agent.create_memory(
        f"{word} canary {round_}.{n}", memory_type="profile", user_id=user, idempotency_key=f"{round_}.{n}"
    )
    print(receipt.item_id, user, n, flush=True)
"""


def write_until_killed(folder: Path, round_: int, after: int) -> list[tuple[str, str, int]]:
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(round_)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert child.stdout is not None
    with child.stdout as accepted:
        lines = [accepted.readline() for _ in range(after)]
        child.send_signal(signal.SIGKILL)
        lines += accepted.readlines()
    child.wait(20)
    whole = [line.split() for line in lines if line.endswith("\n")]
    assert len(whole) >= after
    return [(item_id, user, int(n)) for item_id, user, n in whole]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX only")
def test_every_accepted_write_survives_kill_9_and_is_settled_once(make_kernel: MakeKernel, tmp_path: Path) -> None:
    accepted: dict[str, str] = {}
    for round_ in range(3):
        written = write_until_killed(tmp_path / "store", round_, after=12 + 3 * round_)
        accepted |= {item_id: user for item_id, user, _ in written}
        kernel = make_kernel(embeddings=Stuck("never"), max_memories=10**6, token_budget=10**9)
        agent = kernel.register_agent("A", may_write={"profile"})
        assert kernel.flush()
        stored = {user: [i.id for i in kernel.export_user(user)] for user in ("mira", "noor")}
        assert len({*stored["mira"], *stored["noor"]}) == len(stored["mira"]) + len(stored["noor"])
        for item_id, user in accepted.items():
            assert item_id in stored[user]
        for user in stored:
            agent.inject("canary", user_id=user)  # the new index lacks what the killed process had in its own
        assert kernel.flush()
        for user, ids in stored.items():
            injection = agent.inject("canary", user_id=user)
            assert {i.id for i in injection.items} == set(ids)
            assert all(injection.block.count(f"{i.text}\n") == 1 for i in injection.items)
            assert injection.problems == ()
            assert kernel.barrier.snapshot(user) == max(i.seq_no for i in injection.items)
        # The client that got no answer asks again with the same key.
        again = [
            agent.create_memory("x", memory_type="profile", user_id=user, idempotency_key=f"{round_}.{n}")
            for _, user, n in written
        ]
        assert [r.item_id for r in again] == [item_id for item_id, _, _ in written]
        assert {r.state for r in again} == {"duplicate"}
        kernel.close()


def test_a_store_whose_making_was_interrupted_can_be_made(make_kernel: MakeKernel, tmp_path: Path) -> None:
    """SIGKILL before the first commit leaves an empty file or one without tables."""
    import sqlite3
    from contextlib import closing

    from memory_kernel import StoreUnavailable, open_ledger

    for name, make in {"empty": lambda f: f.touch(), "no tables": _without_tables}.items():
        folder = tmp_path / name
        folder.mkdir()
        make(folder / "ledger.sqlite3")
        with pytest.raises(StoreUnavailable, match="no memory store"):
            open_ledger(folder)
        kernel: Any = make_kernel(subdir=name)
        assert kernel.users() == []
        with closing(sqlite3.connect(folder / "ledger.sqlite3")) as db:
            assert db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() == (SCHEMA_VERSION,)


def _without_tables(file: Path) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA user_version = 1")
        db.execute("PRAGMA journal_mode = WAL")
