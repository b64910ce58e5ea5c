"""Embedded Chroma in its child process: deaths on both sides, one owner a directory, deadlines, damage, and what is
left in the files after erasing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from memory_kernel.errors import DeadlineExceeded, KernelClosed, StoreLocked, StoreUnavailable
from memory_kernel.providers.base import MemoryRecord, Vector
from memory_kernel.providers.chroma import ChromaProvider

DIMENSION = 64

PARENT = """
import os, sys
import numpy as np
from memory_kernel.providers.base import MemoryRecord
from memory_kernel.providers.chroma import ChromaProvider
provider = ChromaProvider.embedded(sys.argv[1])
for n in range(20):
    provider.add_memory([MemoryRecord(f"m{n}", "mira", np.eye(64, dtype=np.float32)[n])])
if "fork" in sys.argv and os.fork() == 0:
    print("forked", os.getpid(), flush=True)
    sys.stdin.read()
    os._exit(0)
print("ready", provider.describe()["worker_pid"], flush=True)
if "exit" not in sys.argv:
    sys.stdin.read()
"""


def vectors(count: int, seed: int = 0, dimension: int = DIMENSION) -> Vector:
    found = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def add(provider: ChromaProvider, user: str, rows: Vector) -> list[str]:
    provider.add_memory([MemoryRecord(f"m{n}", user, row) for n, row in enumerate(rows)])
    return [f"m{n}" for n in range(len(rows))]


def ids_of(provider: ChromaProvider, user: str) -> set[str]:
    return {record.id for record in provider.get_all(user)}


def traces(folder: Path, rows: Vector) -> dict[str, int]:
    """How many of `rows` still stand in each file: 16 of their numbers in sequence, at any byte.

    Within a rounding error, for Chroma normalises again what it is given; and 16, for SQLite cuts long values up.
    """
    width, found = 16, {}
    pieces = [(n, row[at : at + width]) for n, row in enumerate(rows) for at in (0, len(row) // 2, len(row) - width)]
    for file in (file for file in folder.rglob("*") if file.is_file()):
        data, seen = file.read_bytes(), set()
        for offset in range(4):
            length = (len(data) - offset) // 4
            numbers = np.nan_to_num(np.frombuffer(data[offset : offset + 4 * length], "<f4"))
            for n, piece in pieces:
                starts = np.flatnonzero(np.abs(numbers[: max(length - width, 0)] - piece[0]) < 1e-5)
                if any(np.abs(numbers[start : start + width] - piece).max() < 1e-5 for start in starts):
                    seen.add(n)
        if seen:
            found[str(file.relative_to(folder))] = len(seen)
    return found


def names(found: dict[str, int]) -> set[str]:
    return {Path(name).name for name in found}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., ChromaProvider]]:
    """Opens providers on one directory, and closes them."""
    made: list[ChromaProvider] = []

    def open_one(**options: float) -> ChromaProvider:
        made.append(ChromaProvider.embedded(tmp_path / "index", **options))  # type: ignore[arg-type]
        return made[-1]

    yield open_one
    for provider in made:
        provider.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "index"


def worker_of(provider: ChromaProvider) -> int:
    return int(provider.describe()["worker_pid"])


def run_parent(folder: Path, *how: str) -> tuple[subprocess.Popen[str], dict[str, int]]:
    """Another process with a provider of its own, and the process ids that it tells."""
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder), *how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = dict(process.stdout.readline().split() for _ in range(2 if "fork" in how else 1))
    return process, {name: int(pid) for name, pid in told.items()}


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_a_killed_worker_is_replaced_and_nothing_acknowledged_is_lost(opened) -> None:
    provider = opened()
    add(provider, "mira", vectors(30))
    first = worker_of(provider)
    os.kill(first, signal.SIGKILL)
    with pytest.raises(StoreUnavailable, match="died during 'get'"):
        provider.get_all("mira")
    assert ids_of(provider, "mira") == {f"m{n}" for n in range(30)}
    assert worker_of(provider) != first


def test_a_worker_killed_in_the_middle_of_writes_loses_only_what_was_not_acknowledged(opened) -> None:
    provider, acknowledged = opened(), []
    worker = worker_of(provider)
    rows = vectors(400)

    def write() -> None:
        for n, row in enumerate(rows):
            try:
                provider.add_memory([MemoryRecord(f"m{n}", "mira", row)])
            except StoreUnavailable:
                return
            acknowledged.append(f"m{n}")
            if n == 50:
                os.kill(worker, signal.SIGKILL)

    write()
    assert 50 < len(acknowledged) < 400
    assert set(acknowledged) <= ids_of(provider, "mira") <= {*acknowledged, f"m{len(acknowledged)}"}


def test_a_worker_that_keeps_dying_is_not_started_for_ever(opened) -> None:
    provider = opened()
    for _ in range(5):
        os.kill(worker_of(provider), signal.SIGKILL)
        with pytest.raises(StoreUnavailable, match="exit status -9"):
            provider.get_all("mira")
    with pytest.raises(StoreUnavailable, match="started 5 times"):
        provider.get_all("mira")
    provider.reset()
    assert list(provider.get_all("mira")) == []


@pytest.mark.parametrize("how", ["killed", "killed while its forked child lives on", "ended without closing"])
def test_the_worker_ends_with_its_parent_and_what_was_acknowledged_is_there(opened, folder: Path, how: str) -> None:
    flag = {"killed": "", "ended without closing": "exit"}.get(how, "fork")
    process, pids = run_parent(folder, flag)
    try:
        if flag != "exit":
            process.kill()
        process.wait(timeout=20)
        # The lock becomes free when the worker is gone; until then this waits.
        assert ids_of(opened(lock_wait_s=10), "mira") == {f"m{n}" for n in range(20)}
        with pytest.raises(ProcessLookupError):
            wait_until_gone(pids["ready"])
    finally:
        if "forked" in pids:
            os.kill(pids["forked"], signal.SIGKILL)
        end(process)


def wait_until_gone(pid: int) -> None:
    give_up = time.monotonic() + 5
    while time.monotonic() < give_up:
        status = Path(f"/proc/{pid}/status")
        if status.exists() and "State:\tZ" in status.read_text():
            raise ProcessLookupError(pid)
        os.kill(pid, 0)
        time.sleep(0.02)


def test_a_second_provider_on_the_directory_is_told_who_owns_it(opened) -> None:
    first, second = opened(), opened(lock_wait_s=0.3)
    owner = worker_of(first)
    with pytest.raises(StoreLocked, match=f"owned by process {owner}.*Chroma server"):
        second.get_all("mira")
    first.close()
    assert list(second.get_all("mira")) == []


def test_a_second_provider_waits_for_a_first_that_is_ending(opened) -> None:
    first, second = opened(), opened(lock_wait_s=10)
    add(first, "mira", vectors(3))
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(ids_of, second, "mira")
        first.close()
        assert reading.result(timeout=20) == {"m0", "m1", "m2"}


def test_a_hanging_worker_exceeds_the_deadline_and_the_next_call_has_another(opened) -> None:
    provider = opened(timeout_s=1.0)
    add(provider, "mira", vectors(3))
    hanging = worker_of(provider)
    os.kill(hanging, signal.SIGSTOP)
    with pytest.raises(DeadlineExceeded, match="did not answer 'get' within 1 s"):
        provider.get_all("mira")
    assert ids_of(provider, "mira") == {"m0", "m1", "m2"}
    assert worker_of(provider) != hanging


def test_a_hanging_worker_exceeds_the_deadline_also_when_the_request_does_not_fit_into_the_pipe(opened) -> None:
    provider = opened(timeout_s=1.0)
    os.kill(worker_of(provider), signal.SIGSTOP)
    with pytest.raises(DeadlineExceeded, match="upsert"):
        add(provider, "mira", vectors(500, dimension=1024))
    assert len(add(provider, "mira", vectors(3, dimension=1024))) == 3


def test_threads_that_wait_for_a_hanging_worker_are_answered_by_the_next(opened) -> None:
    provider = opened(timeout_s=1.5)
    add(provider, "mira", vectors(3))
    os.kill(worker_of(provider), signal.SIGSTOP)

    def read() -> str:
        try:
            return str(len(ids_of(provider, "mira")))
        except DeadlineExceeded:
            return "too late"

    with ThreadPoolExecutor(4) as pool:
        results = [f.result(timeout=20) for f in [pool.submit(read) for _ in range(4)]]
    assert "too late" in results
    assert ids_of(provider, "mira") == {"m0", "m1", "m2"}


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_worker_outlives_signals_meant_for_its_parent(opened, sent: signal.Signals) -> None:
    provider = opened()
    worker = worker_of(provider)
    os.kill(worker, sent)
    add(provider, "mira", vectors(2))
    assert worker_of(provider) == worker


def test_a_caller_interrupted_between_question_and_answer_does_not_mix_up_answers(opened) -> None:
    provider = opened()
    add(provider, "mira", vectors(3))
    os.kill(worker_of(provider), signal.SIGSTOP)
    main = threading.main_thread().ident
    interrupt = threading.Timer(0.3, signal.pthread_kill, [main, signal.SIGINT])
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        provider.get_all("mira")
    interrupt.join()
    assert provider.describe()["count"] == 3


def test_closing_ends_the_worker_and_may_be_repeated(opened) -> None:
    provider = opened()
    worker = worker_of(provider)
    provider.close()
    provider.close()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
    with pytest.raises(KernelClosed):
        provider.get_all("mira")


def test_closing_does_not_wait_for_a_hanging_worker_for_ever(opened) -> None:
    provider = opened()
    worker = worker_of(provider)
    os.kill(worker, signal.SIGSTOP)
    provider.close()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


def test_closing_while_still_waiting_for_the_directory_leaves_no_worker_behind(opened) -> None:
    first, second = opened(), opened(lock_wait_s=60)
    add(first, "mira", vectors(1))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(second.get_all, "mira")
        second.close()
        with pytest.raises((StoreUnavailable, KernelClosed)):
            waiting.result(timeout=20)
    first.close()
    assert ids_of(opened(lock_wait_s=5), "mira") == {"m0"}


def test_a_provider_that_was_started_in_the_background_answers(opened) -> None:
    provider = opened()
    provider.start()
    assert provider.describe()["count"] == 0


def test_the_files_are_readable_by_their_owner_only(opened, folder: Path) -> None:
    provider = opened()
    add(provider, "mira", vectors(1))
    assert {oct(f.stat().st_mode & 0o077) for f in folder.rglob("*")} == {"0o0"}


def test_a_directory_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    provider = ChromaProvider.embedded(tmp_path / "file" / "index")
    with pytest.raises(StoreUnavailable, match="cannot be used"):
        provider.get_all("mira")
    provider.close()


def test_a_directory_deleted_while_in_use_is_an_error_until_reset(opened, folder: Path) -> None:
    provider = opened()
    add(provider, "mira", vectors(3))
    before = provider.describe()["index_id"]
    shutil.rmtree(folder)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match=r"deleted or replaced.*reset\(\)"):
            provider.get_all("mira")
    provider.reset()
    assert list(provider.get_all("mira")) == []
    add(provider, "mira", vectors(3))
    assert ids_of(provider, "mira") == {"m0", "m1", "m2"}
    assert provider.describe()["index_id"] != before


def test_a_directory_lost_together_with_the_worker_is_not_silently_made_anew(opened, folder: Path) -> None:
    provider = opened()
    add(provider, "mira", vectors(3))
    os.kill(worker_of(provider), signal.SIGKILL)
    shutil.rmtree(folder)
    with pytest.raises(StoreUnavailable, match="died"):
        provider.get_all("mira")
    with pytest.raises(StoreUnavailable, match="is gone"):
        provider.get_all("mira")


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 3)


def overwrite(file: Path) -> None:
    file.write_bytes(os.urandom(file.stat().st_size))


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("chroma.sqlite3", cut),
        ("chroma.sqlite3", overwrite),
        ("*/header.bin", overwrite),
        ("*/data_level0.bin", cut),
        ("*/index_metadata.pickle", cut),
    ],
)
def test_damaged_files_are_an_error_or_harmless_and_reset_gives_a_working_index(
    opened, folder: Path, name: str, damage: Callable[[Path], None]
) -> None:
    provider = opened()
    add(provider, "mira", vectors(300))
    provider.delete("mira", ["m0"])
    provider.close()
    [file] = folder.glob(name)
    damage(file)
    again = opened(timeout_s=5)
    try:
        for use in (again.get_all, lambda user: again.retrieve_memory(user, vectors(1)[0], 5)):
            list(use("mira"))
        again.purge()
    except (StoreUnavailable, DeadlineExceeded):
        pass
    again.reset()
    add(again, "mira", vectors(3))
    assert ids_of(again, "mira") == {"m0", "m1", "m2"}
    assert len(again.retrieve_memory("mira", vectors(1)[0], 5)) == 3


def test_a_vector_replaced_all_alone_is_still_the_new_one_after_a_restart(opened) -> None:
    # Chroma 1.5.9 by itself forgets this replacement once it has written the index out.
    provider, [old, new] = opened(), vectors(2)
    add(provider, "mira", np.stack([old]))
    provider.purge()
    add(provider, "mira", np.stack([new]))
    provider.purge()
    [kept] = provider.get_all("mira")
    np.testing.assert_allclose(kept.vector, new, atol=1e-6)


@pytest.mark.parametrize(
    ("count", "others", "dimension"),
    [(1, 0, DIMENSION), (1, 700, DIMENSION), (40, 0, DIMENSION), (40, 700, DIMENSION), (40, 1, 1536)],
)
def test_after_delete_and_purge_no_file_holds_an_erased_vector(
    opened, folder: Path, count: int, others: int, dimension: int
) -> None:
    provider = opened()
    rows, theirs = vectors(count, 1, dimension), vectors(others, 2, dimension)
    add(provider, "tom", theirs)
    ids = add(provider, "mira", rows)
    add(provider, "tom", theirs)
    assert traces(folder, rows), "the search must find what is there, or finding nothing says nothing"
    provider.delete("mira", ids)
    provider.purge()
    assert traces(folder, rows) == {}
    provider.close()
    assert traces(folder, rows) == {}
    again = opened()
    assert list(again.get_all("mira")) == []
    kept = {record.id: record.vector for record in again.get_all("tom")}
    np.testing.assert_allclose(
        np.stack([kept[f"m{n}"] for n in range(others)]) if others else theirs, theirs, atol=1e-6
    )
    if others:
        assert again.retrieve_memory("tom", theirs[-1], 1)[0].id == f"m{others - 1}"


def test_purge_also_clears_vectors_that_had_been_replaced_before(opened, folder: Path) -> None:
    provider = opened()
    add(provider, "tom", vectors(300, 9))
    versions = [vectors(20, seed) for seed in range(4)]
    for rows in versions:
        ids = add(provider, "mira", rows)
        add(provider, "tom", vectors(300, 9 + len(versions)))
    provider.delete("mira", ids)
    provider.purge()
    assert {seed: traces(folder, rows) for seed, rows in enumerate(versions)} == {0: {}, 1: {}, 2: {}, 3: {}}


def test_delete_alone_leaves_vectors_in_free_pages_of_the_database_only(opened, folder: Path) -> None:
    provider = opened()
    rows = vectors(40, 1)
    add(provider, "tom", vectors(100, 2))
    provider.delete("mira", add(provider, "mira", rows))
    provider.close()
    assert names(traces(folder, rows)) <= {"chroma.sqlite3"}


def test_purge_can_be_repeated_and_leaves_a_working_index(opened) -> None:
    provider = opened()
    rows = vectors(200)
    provider.delete("mira", add(provider, "mira", rows)[:150])
    assert provider.purge()["vacuumed"] is True
    assert provider.purge() == {"vectors_wiped": 0, "vacuumed": True}
    assert ids_of(provider, "mira") == {f"m{n}" for n in range(150, 200)}
    assert [h.id for h in provider.retrieve_memory("mira", rows[170], 1)] == ["m170"]


def test_reset_leaves_nothing_of_what_was_there(opened, folder: Path) -> None:
    provider, rows = opened(), vectors(50)
    add(provider, "mira", rows)
    provider.reset()
    assert provider.describe()["count"] == 0
    assert traces(folder, rows) == {}
