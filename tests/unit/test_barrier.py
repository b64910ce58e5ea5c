"""Invariant 3 (KMSM Eq. 3): reads wait for the writes accepted before them, bounded, and nobody else's."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from memory_kernel import MemoryKernel, MemoryWriteBarrier
from tests.support.embedders import Stuck
from tests.support.waiting import until


class Numbers:
    """What the ledger gives a barrier: the next number of a user, and the last."""

    def __init__(self) -> None:
        self.last: dict[str, int] = {}
        self._lock = threading.Lock()

    def reserve(self, user_id: str) -> int:
        with self._lock:
            self.last[user_id] = self.last.get(user_id, 0) + 1
            return self.last[user_id]

    def of(self, user_id: str) -> int:
        return self.last.get(user_id, 0)


@pytest.fixture
def numbers() -> Numbers:
    return Numbers()


@pytest.fixture
def barrier(numbers: Numbers) -> MemoryWriteBarrier:
    return MemoryWriteBarrier(numbers.reserve, numbers.of)


def waiters(barrier: MemoryWriteBarrier) -> int:
    return sum(len(state.waiters) for state in barrier._users.values())


def test_numbers_of_a_user_are_consecutive_and_of_no_concern_to_others(barrier: MemoryWriteBarrier) -> None:
    assert [barrier.acquire("a") for _ in range(3)] == [1, 2, 3]
    assert barrier.acquire("b") == 1
    assert (barrier.snapshot("a"), barrier.snapshot("b"), barrier.snapshot("c")) == (3, 1, 0)


def test_numbers_go_on_after_a_restart(make_kernel: Callable[..., MemoryKernel]) -> None:
    with make_kernel() as kernel:
        writer = kernel.register_agent("A", may_write={"profile"}).bind("mira")
        assert [writer.create_memory(f"fact {n}", memory_type="profile").seq_no for n in range(3)] == [1, 2, 3]
        assert kernel.barrier.acquire("mira") == 4
    with make_kernel() as kernel:
        assert kernel.barrier.snapshot("mira") == 4
        assert kernel.barrier.acquire("mira") == 5


def test_a_snapshot_never_falls_behind_the_last_write_also_when_only_an_early_one_is_open_again(
    make_kernel: Callable[..., MemoryKernel],
) -> None:
    with make_kernel() as kernel:
        writer = kernel.register_agent("A", may_write={"profile"}).bind("mira")
        writer.create_memory("one", memory_type="profile")
        writer.create_memory("two", memory_type="profile")
    with make_kernel() as kernel:
        kernel.barrier.open("mira", [1])  # as a replay does for what an earlier process left unsettled
        assert kernel.barrier.snapshot("mira") == 2


def test_a_read_waits_for_what_was_open_when_it_began_and_not_for_later_writes(barrier: MemoryWriteBarrier) -> None:
    first = barrier.acquire("a")
    snapshot = barrier.snapshot("a")
    barrier.acquire("a")
    assert not barrier.wait_until_drained("a", snapshot, 1)
    barrier.release("a", first, True)
    assert barrier.wait_until_drained("a", snapshot, 1)
    assert barrier.pending("a", snapshot) == 0
    assert barrier.pending("a", barrier.snapshot("a")) == 1


def test_writes_may_be_released_in_any_order(barrier: MemoryWriteBarrier) -> None:
    numbers = [barrier.acquire("a") for _ in range(3)]
    for number in reversed(numbers[1:]):
        barrier.release("a", number)
        assert not barrier.wait_until_drained("a", 3, 1)
    barrier.release("a", numbers[0])
    assert barrier.wait_until_drained("a", 3, 1)


@pytest.mark.parametrize("success", [True, False])
def test_a_failed_write_releases_as_well(barrier: MemoryWriteBarrier, success: bool) -> None:
    barrier.release("a", barrier.acquire("a"), success)
    assert barrier.wait_until_drained("a", barrier.snapshot("a"), 1)


def test_releasing_twice_or_what_was_never_acquired_is_a_no_op(barrier: MemoryWriteBarrier) -> None:
    number = barrier.acquire("a")
    for user, seq_no in (("a", number), ("a", number), ("a", 99), ("nobody", 1)):
        barrier.release(user, seq_no)
    assert barrier.wait_until_drained("a", 99, 1)


def test_a_waiting_thread_is_let_go_by_the_release(barrier: MemoryWriteBarrier) -> None:
    number = barrier.acquire("a")
    with ThreadPoolExecutor(1) as threads:
        read = threads.submit(barrier.wait_until_drained, "a", number, 10_000)
        until(lambda: waiters(barrier))
        barrier.release("a", number)
        assert read.result(10)


def test_another_users_open_writes_do_not_hold_up_a_read(barrier: MemoryWriteBarrier) -> None:
    for _ in range(100):
        barrier.acquire("a")
    assert barrier.wait_until_drained("b", barrier.snapshot("b"), 1)
    own = barrier.acquire("b")
    barrier.release("b", own)
    assert barrier.wait_until_drained("b", own, 1)


def test_a_timeout_fails_open_and_says_what_is_pending(barrier: MemoryWriteBarrier) -> None:
    barrier.acquire("a")
    barrier.acquire("a")
    assert not barrier.wait_until_drained("a", 2, 1)
    assert barrier.pending("a", 1) == 1
    assert barrier.pending("a", 2) == 2
    assert waiters(barrier) == 0


async def test_the_coroutine_twin_waits_times_out_and_is_released_alike(barrier: MemoryWriteBarrier) -> None:
    number = barrier.acquire("a")
    assert not await barrier.await_until_drained("a", number, 1)
    assert waiters(barrier) == 0
    read = asyncio.create_task(barrier.await_until_drained("a", number, 10_000))
    await asyncio.sleep(0)
    assert waiters(barrier) == 1
    await asyncio.get_running_loop().run_in_executor(None, barrier.release, "a", number)
    assert await read
    assert await barrier.await_until_drained("a", number, 0)


async def test_a_cancelled_waiter_leaves_no_trace(barrier: MemoryWriteBarrier) -> None:
    number = barrier.acquire("a")
    read = asyncio.create_task(barrier.await_until_drained("a", number, 10_000))
    await asyncio.sleep(0)
    read.cancel()
    with pytest.raises(asyncio.CancelledError):
        await read
    assert waiters(barrier) == 0
    barrier.release("a", number)
    assert await barrier.await_until_drained("a", number, 1)


async def test_a_thousand_waiting_coroutines_hold_no_thread(make_kernel: Callable[..., MemoryKernel]) -> None:
    kernel = make_kernel(barrier_timeout_ms=30_000)
    number = kernel.barrier.acquire("mira")
    before = threading.active_count()
    reads = [asyncio.create_task(kernel.barrier.await_until_drained("mira", number, 30_000)) for _ in range(1000)]
    await asyncio.sleep(0)
    assert waiters(kernel.barrier) == 1000
    assert threading.active_count() == before
    # Both executors are free: work gets through them while everybody waits.
    assert await asyncio.get_running_loop().run_in_executor(None, lambda: "free") == "free"
    assert await kernel._manager.offload(lambda: "free") == "free"
    kernel.barrier.release("mira", number)
    assert all(await asyncio.gather(*reads))


async def test_more_waiting_reads_than_the_kernel_has_threads_hold_up_nobody(
    make_kernel: Callable[..., MemoryKernel],
) -> None:
    kernel = make_kernel(barrier_timeout_ms=30_000)
    reader = kernel.register_agent("Reader")
    number = kernel.barrier.acquire("mira")
    reads = [asyncio.create_task(reader.ainject("hello", user_id="mira")) for _ in range(40)]
    while waiters(kernel.barrier) < 40:  # noqa: ASYNC110 - the barrier tells nobody who waits
        await asyncio.sleep(0)
    assert (await reader.ainject("hello", user_id="noor")).barrier.pending == 0
    kernel.barrier.release("mira", number)
    assert {injection.barrier.timed_out for injection in await asyncio.gather(*reads)} == {False}


def test_what_a_read_reports_of_a_release_in_the_last_moment_is_consistent(barrier: MemoryWriteBarrier) -> None:
    """A read that says it timed out has writes pending, and one that does not has none (they race on purpose)."""
    for round_ in range(300):
        number = barrier.acquire("a")
        with ThreadPoolExecutor(2) as threads:
            read = threads.submit(barrier.wait_until_drained, "a", number, round_ % 3)
            threads.submit(barrier.release, "a", number)
            drained = read.result(10)
        assert waiters(barrier) == 0
        assert barrier.wait_until_drained("a", number, 0)
        assert drained in (True, False)


def test_a_waiter_that_was_released_but_not_woken_yet_counts_as_drained(
    barrier: MemoryWriteBarrier, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = barrier.acquire("a")
    monkeypatch.setattr("memory_kernel.barrier._finish", lambda waiter: None)  # the wake-up that comes too late
    with ThreadPoolExecutor(1) as threads:
        read = threads.submit(barrier.wait_until_drained, "a", number, 50)
        until(lambda: waiters(barrier))
        barrier.release("a", number)
        assert read.result(10)


def test_an_erased_user_holds_nobody_up(barrier: MemoryWriteBarrier) -> None:
    number = barrier.acquire("a")
    with ThreadPoolExecutor(1) as threads:
        read = threads.submit(barrier.wait_until_drained, "a", number, 10_000)
        until(lambda: waiters(barrier))
        barrier.forget("a")
        assert read.result(10)
    barrier.release("a", number)


def test_a_user_with_nothing_open_costs_no_memory(barrier: MemoryWriteBarrier, numbers: Numbers) -> None:
    for n in range(50):
        barrier.release(f"user {n}", barrier.acquire(f"user {n}"))
    assert barrier._users == {}
    assert barrier.snapshot("user 7") == 1


def test_a_disabled_barrier_waits_for_nothing(make_kernel: Callable[..., MemoryKernel]) -> None:
    stuck = Stuck("canary")
    kernel = make_kernel(embeddings=stuck, barrier_enabled=False, barrier_timeout_ms=60_000)
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.create_memory("canary", memory_type="profile")
    assert stuck.reached.wait(10)
    report: Any = agent.inject("hello").barrier
    assert (report.timed_out, report.pending, report.snapshot) == (False, 1, 1)


# -- numbers that are held for later -------------------------------------------------------------------------------


def test_a_held_number_keeps_reads_waiting_while_its_writes_come_and_go(barrier: MemoryWriteBarrier) -> None:
    barrier.hold("a", 3)
    barrier.open("a", [3])
    barrier.release("a", 3)
    assert not barrier.wait_until_drained("a", 3, 1)
    barrier.let_go("a", 3)
    assert barrier.wait_until_drained("a", 3, 1)


def test_letting_go_of_a_number_whose_write_is_not_visible_lets_no_read_go(barrier: MemoryWriteBarrier) -> None:
    barrier.hold("a", 3)
    barrier.open("a", [3])
    barrier.let_go("a", 3)
    assert not barrier.wait_until_drained("a", 3, 1)
    barrier.release("a", 3)
    assert barrier.wait_until_drained("a", 3, 1)


@pytest.mark.parametrize("twin", [False, True])
def test_a_read_that_does_not_wait_for_its_own_number_waits_for_those_around_it(
    barrier: MemoryWriteBarrier, twin: bool
) -> None:
    earlier, own, later = (barrier.acquire("a") for _ in range(3))
    waits = barrier.await_until_drained if twin else barrier.wait_until_drained

    def wait() -> bool:
        outcome = waits("a", later, 10_000, frozenset({own}))
        return asyncio.run(outcome) if asyncio.iscoroutine(outcome) else bool(outcome)

    with ThreadPoolExecutor(1) as threads:
        read = threads.submit(wait)
        until(lambda: waiters(barrier) == 1)
        barrier.release("a", earlier)
        assert waiters(barrier) == 1
        barrier.release("a", later)
        assert read.result(10)
    assert barrier.pending("a", later) == 1
    assert barrier.pending("a", later, frozenset({own})) == 0
