"""The barrier beside a model of it: per user a set of open numbers, and one of numbers that are held."""

from __future__ import annotations

import asyncio

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from memory_kernel import MemoryWriteBarrier

USERS = st.sampled_from(["mira", "mira ", "MIRA"])


class BarrierMachine(RuleBasedStateMachine):
    written = Bundle("written")

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, int] = {}
        self.open: dict[str, set[int]] = {}
        self.held: dict[str, set[int]] = {}
        self.start()

    def start(self) -> None:
        self.barrier = MemoryWriteBarrier(self.reserve, lambda user: self.last.get(user, 0))

    def reserve(self, user: str) -> int:
        self.last[user] = self.last.get(user, 0) + 1
        return self.last[user]

    @rule(target=written, user=USERS)
    def acquire(self, user: str) -> tuple[str, int]:
        number = self.barrier.acquire(user)
        assert number == self.last[user]
        self.open.setdefault(user, set()).add(number)
        return user, number

    @rule(write=written, success=st.booleans())
    def release(self, write: tuple[str, int], success: bool) -> None:
        user, number = write
        self.barrier.release(user, number, success)
        self.open.get(user, set()).discard(number)

    @rule(write=written)
    def hold(self, write: tuple[str, int]) -> None:
        user, number = write
        self.barrier.hold(user, number)
        self.held.setdefault(user, set()).add(number)

    @rule(write=written)
    def let_go(self, write: tuple[str, int]) -> None:
        user, number = write
        self.barrier.let_go(user, number)
        self.held.get(user, set()).discard(number)

    @rule(user=USERS)
    def forget(self, user: str) -> None:
        self.barrier.forget(user)
        self.open.pop(user, None)
        self.held.pop(user, None)

    @rule()
    def restart(self) -> None:
        """The ledger's numbers stay; what was open is opened again by the replay."""
        self.start()
        for user, numbers in self.open.items():
            if numbers:
                self.barrier.open(user, sorted(numbers))
        for user, numbers in self.held.items():
            for number in numbers:
                self.barrier.hold(user, number)

    def pending(self, user: str) -> set[int]:
        return self.open.get(user, set()) | self.held.get(user, set())

    @rule(user=USERS, upto=st.integers(0, 20), twin=st.booleans(), besides=st.frozensets(st.integers(1, 6)))
    def wait(self, user: str, upto: int, twin: bool, besides: frozenset[int]) -> None:
        if twin:
            drained = asyncio.run(self.barrier.await_until_drained(user, upto, 0, besides))
        else:
            drained = self.barrier.wait_until_drained(user, upto, 0, besides)
        assert drained == (not any(number <= upto for number in self.pending(user) - besides))

    @invariant()
    def snapshot_and_pending_are_the_models(self) -> None:
        for user in ("mira", "mira ", "MIRA", "nobody"):
            snapshot = self.barrier.snapshot(user)
            assert snapshot == self.last.get(user, 0)
            assert self.barrier.pending(user, snapshot) == len(self.pending(user))

    @invariant()
    def nothing_is_kept_for_a_user_with_nothing_open(self) -> None:
        assert set(self.barrier._users) == {user for user in self.open.keys() | self.held.keys() if self.pending(user)}


TestBarrier = BarrierMachine.TestCase
TestBarrier.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
