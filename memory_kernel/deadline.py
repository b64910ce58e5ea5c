"""Runs somebody else's blocking function (an embedder, a provider) with a bound on how long anybody waits for it.
Python cannot stop a thread, so what does not come back is abandoned: it holds its own key and nobody else's."""

from __future__ import annotations

import asyncio
import os
import threading
import uuid
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from enum import Enum, auto
from time import monotonic
from typing import Any, Generic, TypeVar, cast

from memory_kernel.errors import DeadlineExceeded, KernelClosed

T = TypeVar("T")


class _State(Enum):
    QUEUED = auto()  # behind another call of its key, or for a thread
    RUNNING = auto()
    ABANDONED = auto()  # running, and nobody waits for it any more
    DONE = auto()  # returned, raised, withdrawn or refused


class _Call(Generic[T]):
    """One call: whose it is, what to run, whom to wake, and what came of it."""

    def __init__(self, key: str, run: Callable[[], T], timeout_s: float, wake: Callable[[], None]) -> None:
        self.key = key
        self.timeout_s = timeout_s
        self.due = monotonic() + timeout_s
        self.state = _State.QUEUED
        self.wake = wake
        self._run: Callable[[], T] | None = run
        self._result: T | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        assert self._run is not None
        try:
            self._result = self._run()
        except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits, even a SystemExit
            self._error = error

    def finish(self, error: BaseException | None = None) -> None:
        """To be called with the lock held, since whoever waits looks at the state first and without it."""
        self._error = error or self._error
        self._run = None  # it may hold a user's text
        self.state = _State.DONE
        self.wake()

    def outcome(self) -> T:
        error, self._error = self._error, None  # the error's traceback leads back here: a cycle
        if error is not None:
            try:
                raise error
            finally:
                del error
        return cast(T, self._result)


class Deadlines:
    """A small pool of daemon threads in which at most one call per key is under way.

    * A call that is not back within its `timeout_s` (seconds, waiting included) raises `DeadlineExceeded`.
    * If it was running by then, its thread is abandoned and replaced, and its key is stuck: further calls for the key
      raise at once, until the thread comes back. Other keys do not notice.
    * While `max_abandoned` threads are abandoned, every new call raises at once (the circuit is open). So there are
      never more than `max_threads + max_abandoned` threads, and a back end that hangs is not sent more work.

    Reference: "Circuit breaker" and "Bulkheads" in M. Nygard, Release It!, 2nd edition, chapter 5.
    """

    def __init__(self, max_threads: int = 8, max_abandoned: int = 32) -> None:
        if max_threads < 1 or max_abandoned < 1:
            raise ValueError(f"at least one thread of each kind is needed; got {max_threads=}, {max_abandoned=}")
        self._max_threads = max_threads
        self._max_abandoned = max_abandoned
        self._closed = False
        self._reset()
        _instances.add(self)

    def _reset(self) -> None:
        # The lock protects everything below, and each call's state; it is never held while foreign code runs.
        self._lock = threading.Lock()
        self._work_to_do = threading.Condition(self._lock)
        # Per key its calls in order. The first is ready, running or abandoned, and the others wait for it.
        self._lanes: dict[str, deque[_Call[Any]]] = {}
        self._ready: OrderedDict[_Call[Any], None] = OrderedDict()  # firsts that wait for a thread
        self._unwatched: set[_Call[Any]] = set()  # running, but whoever waited was cancelled or interrupted
        self._threads = 0  # without the abandoned ones
        self._idle = 0
        self._abandoned = 0

    @property
    def abandoned(self) -> int:
        """How many threads are stuck in a call that nobody waits for any more."""
        with self._lock:
            self._abandon_overdue()
            return self._abandoned

    def call(self, key: str | None, fn: Callable[[], T], timeout_s: float) -> T:
        """What `fn()` returns or raises, unless that takes longer than `timeout_s` seconds.

        It runs in another thread, in a copy of the caller's context. `key` names whose work it is (a user); with None
        it is nobody's, and waits for no other call.

        Raises:
            DeadlineExceeded: too late, or the key is stuck, or the circuit is open. `fn` may still be running.
            KernelClosed: after `close`.
        """
        done = threading.Event()
        call = self._enter(key, fn, timeout_s, done.set)
        try:
            done.wait(min(timeout_s, threading.TIMEOUT_MAX))
        except BaseException:
            self._leave(call)
            raise
        return self._settle(call)

    async def acall(self, key: str | None, fn: Callable[[], T], timeout_s: float) -> T:
        """As `call`; holds no thread while it waits."""
        loop = asyncio.get_running_loop()
        done = loop.create_future()

        def wake() -> None:
            with suppress(RuntimeError):  # the loop was closed: nobody waits
                loop.call_soon_threadsafe(lambda: None if done.done() else done.set_result(None))

        call = self._enter(key, fn, timeout_s, wake)
        try:
            await asyncio.wait((done,), timeout=timeout_s)
        except BaseException:
            self._leave(call)
            raise
        return self._settle(call)

    def close(self) -> None:
        """Refuse new calls and those still waiting for their turn; idle threads end. What runs is left to finish."""
        with self._lock:
            self._closed = True
            for lane in self._lanes.values():
                for call in [call for call in lane if call.state is _State.QUEUED]:
                    lane.remove(call)
                    call.finish(_closed())
            self._lanes = {key: lane for key, lane in self._lanes.items() if lane}
            self._ready.clear()
            self._work_to_do.notify_all()

    # How a call comes and goes

    def _enter(self, key: str | None, fn: Callable[[], T], timeout_s: float, wake: Callable[[], None]) -> _Call[T]:
        key = uuid.uuid4().hex if key is None else key
        context = copy_context()
        call = _Call(key, lambda: context.run(fn), timeout_s, wake)
        with self._lock:
            if self._closed:
                raise _closed()
            self._abandon_overdue()
            lane = self._lanes.get(key)
            if lane and lane[0].state is _State.ABANDONED:
                raise _stuck(key)
            if self._abandoned >= self._max_abandoned:
                raise DeadlineExceeded(
                    f"{self._abandoned} earlier calls never came back, so no more are made until one does: "
                    "see whether the embedder or the provider is up"
                )
            if lane:
                lane.append(call)
            else:
                self._lanes[key] = deque([call])
                self._make_ready(call)
        return call

    def _settle(self, call: _Call[T]) -> T:
        """The call's outcome; if it has none yet, its time is over."""
        if call.state is not _State.DONE:
            with self._lock:
                late = self._give_up(call)
            if late:
                raise DeadlineExceeded(f"no answer within {call.timeout_s:g} s")
        return call.outcome()

    def _leave(self, call: _Call[Any]) -> None:
        """Nobody waits for this one any more, although its time is not over."""
        with self._lock:
            if call.state is _State.RUNNING:
                # Not abandoned yet: it may be about to finish, and the same user's next call should find the key free.
                self._unwatched.add(call)
            else:
                self._give_up(call)

    # The parts below are called with the lock held

    def _give_up(self, call: _Call[Any]) -> bool:
        """False if there is nothing to give up: it was done in the last moment."""
        if call.state is _State.DONE:
            return False
        if call.state is _State.RUNNING:
            self._abandon(call)
        else:
            lane = self._lanes[call.key]
            if lane[0] is call:
                self._ready.pop(call)
                self._next_in_lane(call.key)
            else:
                lane.remove(call)
            call.finish()
        return True

    def _abandon(self, call: _Call[Any]) -> None:
        call.state = _State.ABANDONED
        self._threads -= 1
        self._abandoned += 1
        lane = self._lanes[call.key]
        while len(lane) > 1:
            lane.pop().finish(_stuck(call.key))
        self._staff()

    def _abandon_overdue(self) -> None:
        if self._unwatched:
            now = monotonic()
            for call in [call for call in self._unwatched if call.due <= now]:
                self._unwatched.discard(call)
                self._abandon(call)

    def _next_in_lane(self, key: str) -> None:
        lane = self._lanes[key]
        lane.popleft()
        if lane:
            self._make_ready(lane[0])
        else:
            del self._lanes[key]

    def _make_ready(self, call: _Call[Any]) -> None:
        self._ready[call] = None
        self._work_to_do.notify()
        self._staff()

    def _staff(self) -> None:
        while (
            len(self._ready) > self._idle
            and self._threads < self._max_threads
            and self._threads + self._abandoned < self._max_threads + self._max_abandoned
        ):
            # Counted before it runs, or each call that comes meanwhile would start one more.
            self._threads += 1
            self._idle += 1
            try:
                threading.Thread(target=self._work, name="memory-kernel-deadline", daemon=True).start()
            except RuntimeError:  # none to be had, or the interpreter is ending: the call runs into its deadline
                self._threads -= 1
                self._idle -= 1
                return

    def _work(self) -> None:
        """A thread's life. It is counted as idle when it comes here."""
        while True:
            with self._lock:
                while not self._ready:
                    if self._closed:
                        self._threads -= 1
                        self._idle -= 1
                        return
                    self._work_to_do.wait()
                self._idle -= 1
                call, _ = self._ready.popitem(last=False)
                call.state = _State.RUNNING
            call.run()
            with self._lock:
                stays = self._retire(call)
            del call  # or an idle thread would hold somebody's result
            if not stays:
                return

    def _retire(self, call: _Call[Any]) -> bool:
        """The thread is free again. False if another has taken its place meanwhile."""
        if call.state is _State.ABANDONED:
            self._abandoned -= 1
            if stays := self._threads < self._max_threads:
                self._threads += 1
        else:
            self._unwatched.discard(call)
            stays = True
        if stays:
            self._idle += 1
        call.finish()
        self._next_in_lane(call.key)
        self._staff()
        return stays


def _stuck(key: str) -> DeadlineExceeded:
    return DeadlineExceeded(f"an earlier call for {key!r} has not come back, so no other is made for it until it does")


def _closed() -> KernelClosed:
    return KernelClosed("the kernel was closed")


_instances: weakref.WeakSet[Deadlines] = weakref.WeakSet()


def _forget_threads_of_parent() -> None:
    for instance in list(_instances):
        instance._reset()


# A forked child has none of the threads, and may have copied the lock while one of them held it.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads_of_parent)
