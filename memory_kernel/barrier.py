"""The write barrier (KMSM 3.3, Eq. 3): a read waits for the writes to its user that were accepted before it began.

Owns which sequence numbers are still open, per user. The numbers themselves come from the ledger, so they go on after a
restart. Waiting polls nothing, and a coroutine that waits holds no thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Set
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field
from typing import NamedTuple


class _Waiter(NamedTuple):
    snapshot: int
    besides: Set[int]
    future: Future[None]


@dataclass(slots=True)
class _UserState:
    """Kept only while something is open, so that users who do not write cost no memory."""

    open: set[int] = field(default_factory=set)
    held: set[int] = field(default_factory=set)  # of these a write may still come, whatever is released meanwhile
    waiters: list[_Waiter] = field(default_factory=list)

    def pending(self, snapshot: int, besides: Set[int] = frozenset()) -> int:
        return sum(seq <= snapshot and seq not in besides for seq in self.open | self.held)

    def drained(self) -> list[_Waiter]:
        """Take out the waiters that nothing holds back any more."""
        if not self.waiters:
            return []
        lowest = min(self.open | self.held, default=None)
        ready: list[_Waiter] = []
        waiting: list[_Waiter] = []
        for waiter in self.waiters:
            free = lowest is None or waiter.snapshot < lowest
            free = free or (bool(waiter.besides) and not self.pending(waiter.snapshot, waiter.besides))
            (ready if free else waiting).append(waiter)
        self.waiters = waiting
        return ready


class MemoryWriteBarrier:
    """KMSM Table 7. Times are milliseconds. Users never wait for each other."""

    def __init__(self, reserve: Callable[[str], int], last: Callable[[str], int]) -> None:
        self._reserve = reserve
        self._last = last
        self._lock = threading.Lock()  # protects _users and every _UserState; held for microseconds
        self._users: dict[str, _UserState] = {}

    def acquire(self, user_id: str) -> int:
        """Reserve the user's next sequence number and hold reads back until it is released."""
        seq_no = self._reserve(user_id)
        self.open(user_id, [seq_no])
        return seq_no

    def open(self, user_id: str, seq_nos: list[int]) -> None:
        """Hold reads back for writes that the ledger has just numbered and accepted."""
        with self._lock:
            self._users.setdefault(user_id, _UserState()).open.update(seq_nos)

    def release(self, user_id: str, seq_no: int, success: bool = True) -> None:
        """The write is visible, or (`success=False`) will never be. Releasing twice is a no-op."""
        self._remove(user_id, seq_no, lambda state: state.open)

    def hold(self, user_id: str, seq_no: int) -> None:
        """Hold reads back for a reserved number until `let_go`, also while writes that bear it come and settle."""
        with self._lock:
            self._users.setdefault(user_id, _UserState()).held.add(seq_no)

    def let_go(self, user_id: str, seq_no: int) -> None:
        """No write will come any more under a number that was held. Letting go twice is a no-op."""
        self._remove(user_id, seq_no, lambda state: state.held)

    def _remove(self, user_id: str, seq_no: int, which: Callable[[_UserState], set[int]]) -> None:
        with self._lock:
            state = self._users.get(user_id)
            if state is None:
                return
            which(state).discard(seq_no)
            ready = state.drained()
            if not state.open and not state.held:
                del self._users[user_id]
        for waiter in ready:
            _finish(waiter.future)

    def forget(self, user_id: str) -> None:
        """The user was erased: nothing is pending for it any more."""
        with self._lock:
            state = self._users.pop(user_id, None)
        for waiter in state.waiters if state else []:
            _finish(waiter.future)

    def snapshot(self, user_id: str) -> int:
        """The highest sequence number that a read beginning now has to see; 0 if nothing was ever written."""
        return self._last(user_id)

    def pending(self, user_id: str, snapshot: int, besides: Set[int] = frozenset()) -> int:
        """How many numbers up to the snapshot, `besides` these, are still waited for."""
        with self._lock:
            state = self._users.get(user_id)
            return state.pending(snapshot, besides) if state else 0

    def wait_until_drained(
        self, user_id: str, snapshot: int, timeout_ms: int = 5000, besides: Set[int] = frozenset()
    ) -> bool:
        """Wait until no write up to the snapshot is open. False after `timeout_ms`: go on without the missing ones.

        `besides`: numbers that this read does not wait for, since they were reserved by the very request that reads.
        """
        waiter = self._drained(user_id, snapshot, besides)
        if waiter is None:
            return True
        try:
            waiter.result(timeout_ms / 1000)
        except FutureTimeout:
            return self._give_up(user_id, snapshot, waiter, besides)
        return True

    async def await_until_drained(
        self, user_id: str, snapshot: int, timeout_ms: int = 5000, besides: Set[int] = frozenset()
    ) -> bool:
        """`wait_until_drained` for a coroutine."""
        waiter = self._drained(user_id, snapshot, besides)
        if waiter is None:
            return True
        try:
            await asyncio.wait_for(asyncio.wrap_future(waiter), timeout_ms / 1000)
        except TimeoutError:
            return self._give_up(user_id, snapshot, waiter, besides)
        except asyncio.CancelledError:
            self._give_up(user_id, snapshot, waiter, besides)
            raise
        return True

    def _drained(self, user_id: str, snapshot: int, besides: Set[int]) -> Future[None] | None:
        with self._lock:
            state = self._users.get(user_id)
            if state is None or not state.pending(snapshot, besides):
                return None
            waiter: Future[None] = Future()
            state.waiters.append(_Waiter(snapshot, besides, waiter))
            return waiter

    def _give_up(self, user_id: str, snapshot: int, waiter: Future[None], besides: Set[int]) -> bool:
        """Drop the waiter; True if the last open write was released in the very last moment."""
        with self._lock:
            state = self._users.get(user_id)
            if state is None:
                return True
            state.waiters = [w for w in state.waiters if w.future is not waiter]
            return not state.pending(snapshot, besides)


def _finish(waiter: Future[None]) -> None:
    if waiter.set_running_or_notify_cancel():  # False: the coroutine that waited was cancelled meanwhile
        waiter.set_result(None)
