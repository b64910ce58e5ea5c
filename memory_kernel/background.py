"""Work that agents leave for later: noted in the ledger with a barrier number, done behind the reply by a few threads.

Work of one agent for one user is done in the order in which it was left. Knows neither agents nor what the work is.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from memory_kernel.barrier import MemoryWriteBarrier
from memory_kernel.errors import KernelClosed, StoreUnavailable
from memory_kernel.ledger.base import Deferred, Ledger, Partition

logger = logging.getLogger(__name__)

WORKERS = 8
MAX_WAITING = 1000
MAX_WAITING_OF_ONE = 16
"""Of one agent for one user, so that nobody who floods it sends everybody's work back to the caller."""

Worker = Callable[[Deferred], object]


class _Lane(NamedTuple):
    partition: Partition
    agent: str


class _Work(NamedTuple):
    deferred: Deferred
    worker: Worker


class Background:
    """A bounded queue and its daemon threads, which start with the first work.

    A number is held in the barrier from the moment the work is left until it was done, failed, or was forgotten. Work
    that a process did not finish stays in the ledger and is taken up by the next one (`take_up`).
    """

    def __init__(self, ledger: Ledger, barrier: MemoryWriteBarrier) -> None:
        self._ledger = ledger
        self._barrier = barrier
        self._taking_up = threading.Lock()  # what was left earlier is queued before anything new of the same agent
        self._known: set[str] = set()  # agents whose earlier work was taken up; guarded by _taking_up
        self._changed = threading.Condition()  # protects everything below
        self._lanes: dict[_Lane, deque[_Work]] = {}  # the first of each is under way or ready
        self._ready: deque[_Lane] = deque()
        self._waiting: set[tuple[int, int]] = set()  # epoch and number of all that is in a lane
        self._threads: list[threading.Thread] = []
        self._closed = False

    def defer(
        self,
        partition: Partition,
        agent: str,
        session_id: str | None,
        task: Mapping[str, Any],
        key: str | None,
        worker: Worker,
    ) -> int | None:
        """Reserve the user's next number for a task and leave it to `worker`. None: too much is waiting already.

        The same `key` while its task is waiting gives its number again. Raises UserErased, KernelClosed,
        StoreUnavailable; nothing is reserved then.
        """
        self.take_up(agent, worker)
        with self._changed:
            if self._closed:
                raise KernelClosed("the kernel was closed")
            mine = self._lanes.get(_Lane(partition, agent), ())
            if len(self._waiting) >= MAX_WAITING or len(mine) >= MAX_WAITING_OF_ONE:
                return None
        deferred = self._ledger.defer(partition, agent, session_id, task, key)
        self._enqueue(deferred, worker)
        return deferred.seq_no

    def take_up(self, agent: str, worker: Worker) -> int:
        """Queue, once, what an earlier process left of this agent's work. Returns how many tasks."""
        with self._taking_up:
            if agent in self._known:
                return 0
            left = self._ledger.deferred(agent)
            for deferred in left:
                self._enqueue(deferred, worker)
            self._known.add(agent)
        if left:
            logger.info("%d messages that an earlier process had not read are read now by %r", len(left), agent)
        return len(left)

    def _enqueue(self, deferred: Deferred, worker: Worker) -> None:
        """Once, however often. Held first: whoever finishes the work lets go after it has left the lane."""
        lane = _Lane(deferred.partition, deferred.agent)
        self._barrier.hold(deferred.partition.user_id, deferred.seq_no)
        with self._changed:
            if _number(deferred) in self._waiting:
                return
            self._waiting.add(_number(deferred))
            works = self._lanes.setdefault(lane, deque())
            works.append(_Work(deferred, worker))
            if len(works) == 1:
                self._ready.append(lane)
            if len(self._threads) < min(WORKERS, len(self._lanes)) and not self._closed:
                name = f"memory-background-{len(self._threads)}"
                self._threads.append(threading.Thread(target=self._work, name=name, daemon=True))
                self._threads[-1].start()
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ready or self._closed)
                if self._closed:
                    return
                lane = self._ready.popleft()
                work = self._lanes[lane][0]
            try:
                self._do(work)
            finally:
                self._leave(lane, work)
            del work  # or an idle thread would hold a user's text

    def _do(self, work: _Work) -> None:
        partition = work.deferred.partition
        try:
            # An erased user's words are not read any more. A write that is late all the same is refused by its epoch.
            if self._ledger.find_partition(partition.user_id) == partition:
                work.worker(work.deferred)
            self._ledger.finish_deferred(work.deferred)
        except (KernelClosed, StoreUnavailable) as error:
            logger.warning("work of %r stays undone until the store is opened again: %s", work.deferred.agent, error)
        except BaseException as error:  # even a SystemExit: the work is anybody's, the thread everybody's
            logger.error("work of %r failed: %s", work.deferred.agent, error, exc_info=error)
            self._give_up(work.deferred)

    def _give_up(self, deferred: Deferred) -> None:
        try:
            self._ledger.finish_deferred(deferred)
        except Exception as error:  # noqa: BLE001 - whatever ails the store; the task stays there and is tried again later
            logger.warning("the task of %r stays in the ledger: %s", deferred.agent, error)

    def _leave(self, lane: _Lane, work: _Work) -> None:
        with self._changed:
            works = self._lanes[lane]
            works.popleft()
            self._waiting.discard(_number(work.deferred))
            if works:
                self._ready.append(lane)
            else:
                del self._lanes[lane]
            self._changed.notify_all()
        self._barrier.let_go(lane.partition.user_id, work.deferred.seq_no)

    def forget(self, partition: Partition) -> None:
        """Drop what waits of an erased partition; what is under way is refused when it writes."""
        dropped: list[_Work] = []
        with self._changed:
            for lane, works in self._lanes.items():
                if lane.partition == partition:
                    while len(works) > 1:  # the first may be under way; if not, it finds the user erased
                        dropped.append(works.pop())
            self._waiting.difference_update(_number(work.deferred) for work in dropped)
            self._changed.notify_all()
        for work in dropped:
            self._barrier.let_go(partition.user_id, work.deferred.seq_no)

    def waiting(self) -> int:
        """Tasks that are under way or wait for their turn."""
        with self._changed:
            return len(self._waiting)

    def drain(self, partition: Partition | None, timeout_s: float) -> bool:
        """Wait until nothing (of one user) is waiting any more. False: not within `timeout_s` seconds."""

        def drained() -> bool:
            return not any(partition in (None, lane.partition) for lane in self._lanes)

        with self._changed:
            return self._changed.wait_for(drained, timeout_s)

    def close(self, timeout_s: float) -> int:
        """Finish what can be finished within `timeout_s` seconds and stop. Returns how many tasks are left to do."""
        self.drain(None, timeout_s)
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            return len(self._waiting)


def _number(deferred: Deferred) -> tuple[int, int]:
    return deferred.partition.epoch, deferred.seq_no
