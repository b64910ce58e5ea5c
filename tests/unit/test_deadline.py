"""Deadlines: what hangs holds its own key and nobody else's. Time-outs here are of calls that never return by
themselves; everything else waits for events."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial

import pytest

from memory_kernel.deadline import Deadlines
from memory_kernel.errors import DeadlineExceeded, KernelClosed

AT_ONCE = 0.05
AMPLE = 20.0


class Stuck:
    """A function that hangs until it is released."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.release = threading.Event()

    def __call__(self) -> str:
        self.entered.set()
        assert self.release.wait(AMPLE)
        return "late"


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    function = Stuck()
    yield function
    function.release.set()


@pytest.fixture
def pool() -> Iterator[Deadlines]:
    deadlines = Deadlines(max_threads=4, max_abandoned=3)
    yield deadlines
    deadlines.close()


def own_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "memory-kernel-deadline"]


def eventually(condition: Callable[[], object]) -> None:
    """Wait for something that another thread is about to do."""
    limit = time.monotonic() + AMPLE
    while not condition():
        assert time.monotonic() < limit, "it never came true"
        time.sleep(0)


def test_a_call_returns_what_the_function_returns_and_runs_in_another_thread(pool: Deadlines) -> None:
    assert pool.call("a", threading.get_ident, AMPLE) != threading.get_ident()


def test_threads_are_reused(pool: Deadlines) -> None:
    assert len({pool.call(f"user {n}", threading.get_ident, AMPLE) for n in range(50)}) <= 4


@pytest.mark.parametrize("error", [ValueError("no"), TimeoutError("its own"), SystemExit(3), StopIteration()])
def test_an_exception_of_the_function_reaches_the_caller_as_it_is(pool: Deadlines, error: BaseException) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        pool.call("a", fail, AMPLE)
    assert caught.value is error
    assert pool.call("a", lambda: 1, AMPLE) == 1


def test_a_stuck_call_raises_at_its_deadline_and_other_keys_go_on_as_if_nothing_were_wrong(
    pool: Deadlines, stuck: Stuck
) -> None:
    with pytest.raises(DeadlineExceeded, match=r"no answer within 0\.05 s"):
        pool.call("a", stuck, AT_ONCE)
    assert pool.abandoned == 1
    assert [pool.call(f"b{n}", partial(int, n), AMPLE) for n in range(100)] == list(range(100))


def test_a_stuck_key_refuses_further_calls_at_once_and_does_not_run_them(pool: Deadlines, stuck: Stuck) -> None:
    with pytest.raises(DeadlineExceeded):
        pool.call("a", stuck, AT_ONCE)
    ran: list[int] = []
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded, match="has not come back"):
        pool.call("a", lambda: ran.append(1), AMPLE)
    assert time.monotonic() - began < AMPLE / 4
    assert ran == []
    assert pool.abandoned == 1


def test_a_stuck_call_that_comes_back_frees_its_key_and_its_thread_returns_to_the_pool(
    pool: Deadlines, stuck: Stuck
) -> None:
    with pytest.raises(DeadlineExceeded):
        pool.call("a", stuck, AT_ONCE)
    stuck.release.set()
    eventually(lambda: pool.abandoned == 0)
    assert pool.call("a", lambda: "fresh", AMPLE) == "fresh"


def test_a_call_waits_its_turn_behind_a_running_call_of_its_key(pool: Deadlines, stuck: Stuck) -> None:
    with ThreadPoolExecutor() as others:
        first = others.submit(pool.call, "a", stuck, AMPLE)
        assert stuck.entered.wait(AMPLE)
        second = others.submit(pool.call, "a", lambda: "second", AMPLE)
        eventually(lambda: len(pool._lanes["a"]) == 2)
        assert not second.done()
        stuck.release.set()
        assert (first.result(AMPLE), second.result(AMPLE)) == ("late", "second")


def test_a_call_that_waits_in_vain_for_its_turn_gives_up_without_making_the_key_stuck(
    pool: Deadlines, stuck: Stuck
) -> None:
    with ThreadPoolExecutor() as others:
        first = others.submit(pool.call, "a", stuck, AMPLE)
        assert stuck.entered.wait(AMPLE)
        ran: list[int] = []
        with pytest.raises(DeadlineExceeded):
            pool.call("a", lambda: ran.append(1), AT_ONCE)
        assert pool.abandoned == 0
        stuck.release.set()
        assert first.result(AMPLE) == "late"
    assert pool.call("a", lambda: "next", AMPLE) == "next"
    assert ran == []


def test_calls_that_wait_behind_one_that_turns_out_stuck_are_refused_at_that_moment(
    pool: Deadlines, stuck: Stuck
) -> None:
    with ThreadPoolExecutor() as others:
        first = others.submit(pool.call, "a", stuck, 0.3)
        assert stuck.entered.wait(AMPLE)
        behind = [others.submit(pool.call, "a", lambda: 1, AMPLE) for _ in range(3)]
        assert isinstance(first.exception(AMPLE / 2), DeadlineExceeded)
        assert all(isinstance(call.exception(AMPLE / 2), DeadlineExceeded) for call in behind)


def test_one_key_is_never_in_two_threads(pool: Deadlines) -> None:
    inside, most = 0, 0

    def count() -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0)
        inside -= 1

    with ThreadPoolExecutor(16) as others:
        for call in [others.submit(pool.call, "a", count, AMPLE) for _ in range(200)]:
            call.result(AMPLE)
    assert most == 1


def test_stuck_keys_use_up_no_thread_of_the_pool(stuck: Stuck) -> None:
    pool = Deadlines(max_threads=1, max_abandoned=8)
    for n in range(5):
        with pytest.raises(DeadlineExceeded):
            pool.call(f"stuck {n}", stuck, AT_ONCE)
        assert pool.call("b", lambda: "well", AMPLE) == "well"
    assert pool.abandoned == 5
    pool.close()


def test_a_call_waiting_for_a_thread_gets_the_one_that_replaces_an_abandoned_one(stuck: Stuck) -> None:
    pool = Deadlines(max_threads=1)
    with ThreadPoolExecutor() as others:
        first = others.submit(pool.call, "a", stuck, 0.3)
        assert stuck.entered.wait(AMPLE)
        assert pool.call("b", lambda: "well", AMPLE) == "well"
        assert isinstance(first.exception(AMPLE), DeadlineExceeded)
    pool.close()


def test_too_many_abandoned_threads_open_the_circuit_and_one_that_comes_back_closes_it(pool: Deadlines) -> None:
    hanging = [Stuck() for _ in range(3)]
    for n, function in enumerate(hanging):
        with pytest.raises(DeadlineExceeded):
            pool.call(f"stuck {n}", function, AT_ONCE)
    with pytest.raises(DeadlineExceeded, match="3 earlier calls never came back"):
        pool.call("b", lambda: "well", AMPLE)
    hanging[0].release.set()
    eventually(lambda: pool.abandoned == 2)
    assert pool.call("b", lambda: "well", AMPLE) == "well"
    for function in hanging:
        function.release.set()


def test_there_are_never_more_threads_than_both_limits_together(stuck: Stuck) -> None:
    before = len(own_threads())
    pool = Deadlines(max_threads=2, max_abandoned=2)
    with ThreadPoolExecutor(20) as others:
        calls = [others.submit(pool.call, f"user {n}", stuck, 0.2) for n in range(20)]
        assert all(isinstance(call.exception(AMPLE), DeadlineExceeded) for call in calls)
    assert len(own_threads()) - before <= 4
    stuck.release.set()
    eventually(lambda: pool.abandoned == 0)
    pool.close()
    eventually(lambda: len(own_threads()) <= before)


def test_hundreds_of_concurrent_calls_each_get_their_own_answer(pool: Deadlines) -> None:
    with ThreadPoolExecutor(32) as others:
        calls = [others.submit(pool.call, f"user {n % 40}", partial(pow, n, 2), AMPLE) for n in range(600)]
        assert [call.result(AMPLE) for call in calls] == [n * n for n in range(600)]
    assert pool._lanes == {}
    assert not pool._ready


def test_the_function_sees_the_context_of_its_caller(pool: Deadlines) -> None:
    variable: ContextVar[str] = ContextVar("variable", default="none")
    variable.set("mine")
    assert pool.call("a", variable.get, AMPLE) == "mine"


def test_nothing_of_a_finished_call_is_kept_alive_not_even_until_the_next_garbage_collection(pool: Deadlines) -> None:
    class Answer:
        pass

    class Failure(Exception):
        pass

    def fail() -> None:
        raise Failure

    gc.collect()
    gc.disable()
    try:
        answer = weakref.ref(pool.call("a", Answer, AMPLE))
        try:
            pool.call("a", fail, AMPLE)
        except Failure as raised:
            failure = weakref.ref(raised)
        eventually(lambda: answer() is None and failure() is None)
    finally:
        gc.enable()


def test_after_close_calls_are_refused_waiting_ones_too_and_idle_threads_end(stuck: Stuck) -> None:
    before = len(own_threads())
    pool = Deadlines()
    with ThreadPoolExecutor() as others:
        running = others.submit(pool.call, "a", stuck, AMPLE)
        assert stuck.entered.wait(AMPLE)
        waiting = others.submit(pool.call, "a", lambda: 1, AMPLE)
        eventually(lambda: len(pool._lanes["a"]) == 2)
        pool.close()
        assert isinstance(waiting.exception(AMPLE), KernelClosed)
        stuck.release.set()
        assert running.result(AMPLE) == "late"
    with pytest.raises(KernelClosed):
        pool.call("a", lambda: 1, AMPLE)
    pool.close()
    eventually(lambda: len(own_threads()) <= before)


async def test_the_async_twin_returns_raises_and_times_out_as_the_other_does(pool: Deadlines, stuck: Stuck) -> None:
    assert await pool.acall("a", lambda: 7, AMPLE) == 7
    with pytest.raises(ZeroDivisionError):
        await pool.acall("a", lambda: 1 // 0, AMPLE)
    with pytest.raises(DeadlineExceeded):
        await pool.acall("a", stuck, AT_ONCE)
    with pytest.raises(DeadlineExceeded, match="has not come back"):
        await pool.acall("a", lambda: 1, AMPLE)
    assert await pool.acall("b", lambda: 8, AMPLE) == 8


async def test_waiting_coroutines_hold_no_thread(pool: Deadlines, stuck: Stuck) -> None:
    first = asyncio.create_task(pool.acall("a", stuck, AMPLE))
    behind = [asyncio.create_task(pool.acall("a", partial(int, n), AMPLE)) for n in range(300)]
    assert await pool.acall("b", stuck.entered.wait, AMPLE)
    before = threading.active_count()
    assert await pool.acall("b", lambda: "well", AMPLE) == "well"
    assert threading.active_count() <= before
    stuck.release.set()
    assert await first == "late"
    assert await asyncio.gather(*behind) == list(range(300))


async def test_a_cancelled_coroutine_leaves_its_call_to_finish_and_the_key_free_for_the_next(
    pool: Deadlines, stuck: Stuck
) -> None:
    first = asyncio.create_task(pool.acall("a", stuck, AMPLE))
    assert await pool.acall("b", stuck.entered.wait, AMPLE)
    waiting = asyncio.create_task(pool.acall("a", lambda: pytest.fail("was withdrawn"), AMPLE))
    await asyncio.sleep(0)
    for task in (first, waiting):
        task.cancel()
    await asyncio.gather(first, waiting, return_exceptions=True)
    assert pool.abandoned == 0
    following = asyncio.create_task(pool.acall("a", lambda: "next", AMPLE))
    await asyncio.sleep(0)
    stuck.release.set()
    assert await following == "next"


async def test_a_cancelled_call_that_hangs_is_abandoned_once_its_own_deadline_has_passed(
    pool: Deadlines, stuck: Stuck
) -> None:
    task = asyncio.create_task(pool.acall("a", stuck, 0.1))
    assert await pool.acall("b", stuck.entered.wait, AMPLE)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    eventually(lambda: pool.abandoned == 1)
    with pytest.raises(DeadlineExceeded, match="has not come back"):
        await pool.acall("a", lambda: 1, AMPLE)


def test_a_call_may_outlive_the_event_loop_that_made_it(pool: Deadlines, stuck: Stuck) -> None:
    async def impatient() -> None:
        await pool.acall("a", stuck, AT_ONCE)

    with pytest.raises(DeadlineExceeded):
        asyncio.run(impatient())
    stuck.release.set()
    eventually(lambda: pool.abandoned == 0)
    assert pool.call("a", lambda: 1, AMPLE) == 1


@pytest.mark.parametrize("limits", [{"max_threads": 0}, {"max_abandoned": 0}])
def test_a_pool_without_threads_is_refused(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least one thread"):
        Deadlines(**limits)


def run_script(body: str) -> str:
    script = "import os, sys, threading\nfrom memory_kernel.deadline import Deadlines\n" + textwrap.dedent(body)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=AMPLE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_process_with_stuck_and_with_idle_threads_exits_cleanly() -> None:
    printed = run_script(
        """
        pool = Deadlines()
        for n in range(4):
            pool.call(str(n), lambda: n, 5)
        try:
            pool.call("a", threading.Event().wait, 0.05)
        except TimeoutError:
            print("abandoned", pool.abandoned)
        """
    )
    assert printed == "abandoned 1\n"


@pytest.mark.skipif(not hasattr(sys.modules["os"], "fork"), reason="no fork on this system")
def test_a_forked_child_starts_with_threads_of_its_own() -> None:
    printed = run_script(
        """
        pool = Deadlines(max_threads=1)
        try:
            pool.call("a", threading.Event().wait, 0.05)
        except TimeoutError:
            pass
        pool.call("b", lambda: 1, 5)
        child = os.fork()
        if child == 0:
            print("child", pool.call("a", lambda: "answers", 5), pool.abandoned, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        print("parent", pool.abandoned)
        """
    )
    assert printed == "child answers 0\nparent 1\n"
