"""A kernel beside a model of it: what every agent can see, after any order of writes, settling, restarts and erasures.

The embedder is under the machine's control, so that writes pile up unsettled and are settled in batches.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memory_kernel import KernelConfig, MemoryKernel
from memory_kernel.ledger.base import Partition
from memory_kernel.providers.memory import InMemoryProvider
from tests.support.embedders import Words, hashed_words

USERS = ["mira", "mira "]
AGENTS = ["One", "Two"]
SLOTS = [None, "s"]
TEXTS = [f"fact number {n}" for n in range(3)]
A_USER = st.sampled_from([*USERS, "mira", "mira"])  # collisions are what is of interest
AN_AGENT = st.sampled_from([*AGENTS, "One", "One"])
START = datetime(2026, 1, 1, tzinfo=UTC)


class Gated(Words):
    """Embeds memories only while its gate is open; questions always."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.gate.wait(60)
        return [hashed_words(text) for text in texts]


@dataclass
class Item:
    id: str
    user: str
    agent: str
    text: str
    slot: str | None
    policy: str
    day: int
    seq_no: int
    status: str = "current"


@dataclass
class Model:
    items: list[Item] = field(default_factory=list)

    def current(self, user: str, agent: str) -> list[Item]:
        return [i for i in self.items if i.user == user and i.agent == agent and i.status == "current"]

    def write(self, new: Item) -> Item:
        """The item that stands for the write: `new`, or the one that says the same."""
        same = [i for i in self.current(new.user, new.agent) if i.text == new.text]
        if new.slot is None and same:
            new.slot = same[0].slot
        same = [i for i in same if i.slot in (None, new.slot)]
        for item in same:
            if item.slot == new.slot and item.policy == new.policy:
                return item
        rivals = same + [i for i in self.current(new.user, new.agent) if new.slot is not None and i.slot == new.slot]
        if any(r.slot == new.slot and r.day > new.day for r in rivals):
            new.status = "superseded"
        else:
            for rival in rivals:
                rival.status = "superseded"
        self.items.append(new)
        return new

    def visible(self, user: str, reader: str) -> set[str]:
        return {
            i.id
            for i in self.items
            if i.user == user and i.status == "current" and (i.agent == reader or i.policy == "shared")
        }


class KernelMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.folder = Path(tempfile.mkdtemp())
        self.provider = InMemoryProvider()
        self.model = Model()
        self.crashed = False
        self.kernel: MemoryKernel | None = None
        self.start()

    def start(self, held_back: bool = False) -> None:
        self.embedder = Gated()
        if held_back:
            self.embedder.gate.clear()
        self.kernel = MemoryKernel.open(
            KernelConfig(
                data_dir=self.folder,
                relevance_threshold=0,
                barrier_timeout_ms=20_000,
                max_memories=1000,
                token_budget=100_000,
            ),
            provider=self.provider,
            embeddings=self.embedder,
        )
        self.agents = {name: self.kernel.register_agent(name, may_write={"profile"}) for name in AGENTS}

    def teardown(self) -> None:
        self.embedder.gate.set()
        assert self.kernel is not None
        self.kernel.close()
        shutil.rmtree(self.root)

    @property
    def open(self) -> bool:
        return self.embedder.gate.is_set()

    @initialize()
    def warm_up(self) -> None:
        self.agents["One"].inject("calibrates the embedder", user_id="somebody else")

    @rule(
        user=A_USER,
        agent=AN_AGENT,
        writes=st.lists(
            st.tuples(
                st.sampled_from(TEXTS),
                st.sampled_from(SLOTS),
                st.sampled_from(["private", "shared"]),
                st.integers(0, 3),
            ),
            min_size=1,
            max_size=3,
        ),
    )
    def write(self, user: str, agent: str, writes: list[tuple[str, str | None, str, int]]) -> None:
        receipts = self.agents[agent].create_memories(
            [
                {
                    "content": text,
                    "memory_type": "profile",
                    "slot": slot,
                    "sharing_policy": policy,
                    "valid_from": START + timedelta(days=day),
                }
                for text, slot, policy, day in writes
            ],
            user_id=user,
        )
        for receipt, (text, slot, policy, day) in zip(receipts, writes, strict=True):
            expected = self.model.write(Item(receipt.item_id, user, agent, text, slot, policy, day, receipt.seq_no))
            assert receipt.item_id == expected.id

    @rule(data=st.data())
    def retract(self, data: st.DataObject) -> None:
        current = [i for i in self.model.items if i.status == "current"]
        if self.model.items:
            item = data.draw(st.sampled_from(current[-2:] * 3 + self.model.items))
            changed = self.agents[item.agent].retract_memory(item.id, user_id=item.user)
            assert changed == (item.status == "current")
            if changed:
                item.status = "retracted"

    @precondition(lambda self: self.open)
    @rule()
    def hold_back_the_embedder(self) -> None:
        self.embedder.gate.clear()

    @precondition(lambda self: not self.open)
    @rule()
    def let_the_embedder_go(self) -> None:
        self.embedder.gate.set()

    @rule(user=A_USER)
    def forget_the_view(self, user: str) -> None:
        """As if the cache had been too small."""
        assert self.kernel is not None
        partition = self.kernel._ledger.find_partition(user)
        if partition is not None:
            self.kernel._indexer.view.drop(partition)

    @rule(user=A_USER)
    def load_the_view(self, user: str) -> None:
        """A cold load while writes are accepted and not settled; what it shows is what stood before, or stands now."""
        assert self.kernel is not None
        partition = self.kernel._ledger.find_partition(user)
        if partition is not None:
            shown = self.kernel._indexer.view.of(partition).items()
            known = {i.id: i for i in self.model.items if i.user == user}
            assert {i.id for i in shown} <= known.keys()
            for agent in AGENTS:
                slots = [(i.slot) for i in shown if i.owner_agent == agent and i.slot is not None]
                assert self.open or len(slots) == len(set(slots)), "two values of one slot"

    @rule()
    def restart(self) -> None:
        assert self.kernel is not None
        self.embedder.gate.set()
        self.kernel.close()
        self.start()

    @rule(held_back=st.booleans())
    def crash(self, held_back: bool) -> None:
        """The process ends with writes unsettled: nothing but the ledger's file and the index stays."""
        assert self.kernel is not None
        dying, gate = self.kernel, self.embedder.gate
        ledger: Any = dying._ledger
        self.folder /= "next"
        self.folder.mkdir()
        with closing(sqlite3.connect(self.folder / "ledger.sqlite3")) as file:
            ledger._writer.backup(file)
        survivor = InMemoryProvider()
        for user, records in list(self.provider._users.items()):
            survivor._users[user] = dict(records)
        self.provider = survivor
        self.crashed = True
        self.start(held_back)
        gate.set()
        dying.close()

    @precondition(lambda self: self.open)
    @rule()
    def lose_the_index(self) -> None:
        """Somebody emptied it; the ledger has everything."""
        self.provider._users.clear()

    @rule(user=A_USER)
    def forget(self, user: str) -> None:
        assert self.kernel is not None
        receipt = self.kernel.forget_user(user)
        assert receipt.complete, receipt.problems
        self.model.items = [i for i in self.model.items if i.user != user]
        assert self.kernel._ledger.unfinished_erasures() == []

    @precondition(lambda self: self.open)
    @invariant()
    def every_agent_sees_what_the_model_says(self) -> None:
        for user in USERS:
            for reader in AGENTS:
                injection = self.agents[reader].inject("which fact number", user_id=user)
                assert not injection.barrier.timed_out
                named = {d.item_id: d.rule for d in injection.decisions}
                assert named.keys() == self.model.visible(user, reader)
                assert set(named.values()) <= {"relevant", "duplicate", "newer-value"}

    @precondition(lambda self: self.open)
    @invariant()
    def once_flushed_the_index_holds_exactly_the_current_items(self) -> None:
        assert self.kernel is not None
        assert self.kernel.flush(timeout_s=20)
        for user in USERS:
            expected = {i.id for i in self.model.items if i.user == user and i.status == "current"}
            partition = self.kernel._ledger.find_partition(user)
            assert {i.id for i in self.kernel.export_user(user) if i.status == "current"} == expected
            if partition is not None:
                self.index_of(partition, expected)

    def index_of(self, partition: Partition, expected: Iterable[str]) -> None:
        assert self.kernel is not None
        view: Any = self.kernel._indexer.view.of(partition)
        assert {i.id for i in view.items()} == set(expected)
        self.kernel.flush(timeout_s=20)  # what the load had to heal
        assert view.without_vector() == []
        held = {r.id for r in self.provider.get_all(self.kernel._indexer.provider_key(partition))}
        # A crash can lose deletions that were queued; such a vector is never shown, and goes with the user's erasure.
        assert held <= (set(expected) if not self.crashed else {i.id for i in self.model.items})


TestKernel = KernelMachine.TestCase
TestKernel.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
