"""Between acceptance and visibility: cold loads, overtaking writes, retraction, restarts (invariants 3, 4, 10)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_kernel import AgentHandle, MemoryKernel
from memory_kernel.providers.memory import InMemoryProvider
from tests.support.embedders import Stuck, Words
from tests.support.waiting import until

MakeKernel = Callable[..., MemoryKernel]
NOW = datetime.now(UTC)


class Story:
    """A user with one settled value of a slot, while later writes are held back by the embedder."""

    def __init__(self, make_kernel: MakeKernel, provider: InMemoryProvider, stuck: Stuck, policy: str) -> None:
        self.stuck = stuck
        self.kernel = make_kernel(embeddings=stuck, provider=provider, barrier_timeout_ms=20)
        self.writer = self.kernel.register_agent("Writer", may_write={"profile"}).bind("mira")
        self.reader = self.kernel.register_agent("Reader").bind("mira")
        self.reader.inject("calibrates the embedder")
        self.say("lives in Lisbon", policy, minutes=-60)
        assert self.kernel.flush()

    def say(self, text: str, policy: str = "shared", minutes: int = 0, slot: str | None = "city") -> str:
        return self.writer.create_memory(
            text,
            memory_type="profile",
            slot=slot,
            sharing_policy=policy,
            valid_from=NOW + timedelta(minutes=minutes),
        ).item_id

    def seen(self, agent: AgentHandle | None = None) -> set[str]:
        return {i.text for i in (agent or self.writer).inject("where does she live?").items}

    def cool_down(self) -> None:
        self.kernel._indexer.view.clear()

    def settle(self) -> None:
        self.stuck.release()
        until(lambda: not self.kernel._indexer._unsettled)


@pytest.fixture
def provider() -> InMemoryProvider:
    return InMemoryProvider()


@pytest.fixture
def story(make_kernel: MakeKernel, provider: InMemoryProvider) -> Story:
    return Story(make_kernel, provider, Stuck("HELD"), "shared")


@pytest.fixture(params=["warm", "cold"])
def warmth(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_slot_is_never_empty_while_its_new_value_is_on_the_way(story: Story, warmth: str) -> None:
    story.say("HELD lives in Porto")
    if warmth == "cold":
        story.cool_down()
    injection = story.writer.inject("where does she live?")
    assert [i.text for i in injection.items] == ["lives in Lisbon"]
    assert (injection.barrier.timed_out, injection.barrier.pending) == (True, 1)
    story.settle()
    assert story.seen() == {"HELD lives in Porto"}


def test_of_a_chain_on_the_way_what_was_last_visible_stands(story: Story, warmth: str) -> None:
    for city in ("Porto", "Faro", "Braga"):
        story.say(f"HELD lives in {city}")
        if warmth == "cold":
            story.cool_down()
        assert story.seen() == {"lives in Lisbon"}
    story.settle()
    assert story.seen() == {"HELD lives in Braga"}
    assert len(story.kernel._indexer.view.of(story.writer._bound_to).items()) == 1  # type: ignore[attr-defined]


def test_a_value_overtaken_in_one_batch_does_not_come_back_when_the_last_is_retracted(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.inject("warm")
    _, last = agent.create_memories(
        [{"content": c, "memory_type": "profile", "slot": "city"} for c in ("lives in Porto", "lives in Faro")]
    )
    agent.retract_memory(last.item_id)
    assert agent.inject("where?").items == ()


def test_words_made_private_in_one_batch_are_not_shown_to_others(kernel: MemoryKernel) -> None:
    agent, other = kernel.register_agent("A", may_write={"profile"}).bind("mira"), kernel.register_agent("Other")
    agent.inject("warm")
    agent.create_memories(
        [{"content": "x", "memory_type": "profile", "sharing_policy": p} for p in ("shared", "private")]
    )
    assert other.inject("x", user_id="mira").items == ()
    assert len(agent.inject("x").items) == 1


def test_words_made_private_are_hidden_once_that_is_settled(story: Story, warmth: str) -> None:
    held = story.say("HELD word", "shared", slot=None)
    story.say("HELD word", "private", minutes=1, slot=None)
    if warmth == "cold":
        story.cool_down()
    assert held not in {i.id for i in story.reader.inject("word").items}
    story.settle()
    assert story.seen(story.reader) == {"lives in Lisbon"}
    assert story.seen() == {"lives in Lisbon", "HELD word"}


def test_a_value_retracted_before_it_was_visible_takes_what_it_replaced_with_it(story: Story, warmth: str) -> None:
    held = story.say("HELD lives in Porto")
    if warmth == "cold":
        story.cool_down()
    assert story.seen() == {"lives in Lisbon"}
    assert story.writer.retract_memory(held)
    injection = story.writer.inject("where does she live?")
    assert injection.items == ()
    assert (injection.barrier.timed_out, injection.barrier.pending) == (False, 0), "nothing is waited for any more"
    story.settle()
    assert story.seen() == set()


def test_an_older_value_that_arrives_late_is_never_shown(story: Story, warmth: str) -> None:
    held = story.say("HELD lives in Porto")
    story.say("lived in Faro", minutes=-30)
    if warmth == "cold":
        story.cool_down()
    assert story.seen() == {"lives in Lisbon"}
    story.settle()
    story.writer.retract_memory(held)
    assert story.seen() == set()


def test_a_retracted_item_is_not_brought_back_by_a_late_vector(make_kernel: MakeKernel) -> None:
    stuck = Stuck("HELD")
    kernel = make_kernel(embeddings=stuck, embed_timeout_ms=100, barrier_timeout_ms=20_000)
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    held = agent.create_memory("HELD word", memory_type="profile").item_id
    assert [i.id for i in agent.inject("word").items] == [held], "found by its words after the deadline"
    agent.retract_memory(held)
    stuck.release()
    assert kernel.flush()
    assert agent.inject("word").items == ()


def restarted(story: Story, make_kernel: MakeKernel, provider: InMemoryProvider) -> Story:
    story.kernel.close(timeout_s=0.0)
    story.stuck.release()
    again = Story.__new__(Story)
    again.stuck = Stuck("HELD")
    again.kernel = make_kernel(embeddings=again.stuck, provider=provider, barrier_timeout_ms=20)
    again.writer = again.kernel.register_agent("Writer", may_write={"profile"}).bind("mira")
    again.reader = again.kernel.register_agent("Reader").bind("mira")
    return again


@pytest.mark.parametrize("policy", ["shared", "private"])
def test_a_restart_takes_up_a_replacement_where_it_was(
    story: Story, make_kernel: MakeKernel, provider: InMemoryProvider, policy: str
) -> None:
    story.say("HELD lives in Porto", policy)
    again = restarted(story, make_kernel, provider)
    assert again.seen(again.reader) == {"lives in Lisbon"}, "loaded cold, while the new value is on the way"
    again.settle()
    assert again.seen(again.reader) == ({"HELD lives in Porto"} if policy == "shared" else set())
    assert again.kernel.flush()
    assert again.kernel.status()["unindexed"] == 0
    assert provider.describe()["count"] == 1


def test_a_cold_load_right_after_the_barrier_finds_the_vector(make_kernel: MakeKernel) -> None:
    """Reads of a user whose partition is cold begin while a write is on the way; none may find it by words only."""
    kernel = make_kernel(embeddings=Words(), relevance_threshold=0.3)
    agents = [kernel.register_agent("A", may_write={"profile"}).bind(f"user {n}") for n in range(150)]
    agents[0].inject("calibrates the embedder")

    def turn(agent: Any) -> tuple[int, tuple[str, ...]]:
        agent.create_memory("prefers the window seat", memory_type="profile")
        injection = agent.inject("prefers the window seat")
        return len(injection.items), injection.problems

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(turn, agents)) == {(1, ())}


def test_settling_while_partitions_are_loaded_and_dropped_loses_nothing(make_kernel: MakeKernel) -> None:
    kernel = make_kernel(embeddings=Words(), max_memories=1000, token_budget=10**6)
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.inject("calibrates the embedder")
    stop = threading.Event()

    def churn() -> None:
        while not stop.wait(0.0005):
            kernel._indexer.view.clear()

    def write(n: int) -> bool:
        mine = agent.create_memory(f"fact number {n}", memory_type="profile").item_id
        return mine in {i.id for i in agent.recall("fact", limit=1000)}

    with ThreadPoolExecutor(7) as threads:
        churning = threads.submit(churn)
        try:
            assert all(threads.map(write, range(120)))
        finally:
            stop.set()
        churning.result(20)
    assert kernel.flush()
    assert len(agent.recall("fact", limit=1000)) == 120


@pytest.mark.parametrize("in_process", [True, False])
def test_a_slot_overwritten_by_many_threads_has_one_value_in_ledger_view_and_index(
    make_kernel: MakeKernel, in_process: bool
) -> None:
    provider = InMemoryProvider()
    kernel = make_kernel(embeddings=Words(in_process=in_process), provider=provider)
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.inject("warm")
    for _ in range(3):
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda n: agent.create_memory(f"value {n}", memory_type="profile", slot="s"), range(40)))
        assert kernel.flush()
        [current] = [i for i in kernel.export_user("mira") if i.status == "current"]
        assert [i.id for i in kernel._indexer.view.of(agent._bound_to).items()] == [current.id]
        [held] = provider.get_all(kernel._indexer.provider_key(agent._bound_to))
        assert held.id == current.id
        assert max(kernel.export_user("mira"), key=lambda i: (i.valid_from, i.seq_no)).id == current.id


def test_a_user_evicted_from_a_small_cache_is_loaded_again(make_kernel: MakeKernel) -> None:
    kernel = make_kernel(view_cache_bytes=1)
    agents = [kernel.register_agent("A", may_write={"profile"}).bind(f"user {n}") for n in range(5)]
    for agent in agents:
        agent.create_memory(f"fact about {agent.user_id}", memory_type="profile")
    assert kernel.flush()
    for _ in range(2):
        for agent in agents:
            assert [i.text for i in agent.inject("fact").items] == [f"fact about {agent.user_id}"]
    assert len(kernel._indexer.view._views) == 1


def test_nothing_is_kept_in_memory_for_users_that_are_done(make_kernel: MakeKernel) -> None:
    kernel = make_kernel(view_cache_bytes=1)
    for n in range(30):
        agent = kernel.register_agent("A", may_write={"profile"}).bind(f"user {n}")
        agent.create_memory("x", memory_type="profile", slot="s")
        agent.create_memory("y", memory_type="profile", slot="s")
        agent.inject("x")
    assert kernel.flush()
    indexer = kernel._indexer
    kept = [indexer._unsettled, indexer._queues, indexer._owed, indexer._vectors, indexer._behind, indexer._books]
    assert [len(k) for k in kept] == [0] * 6  # type: ignore[arg-type]
    assert len(indexer.view._loading) == len(kernel._manager._writing) == len(kernel.barrier._users) == 0


def test_a_number_that_many_writes_bear_is_free_when_the_last_of_them_is_visible(make_kernel: MakeKernel) -> None:
    stuck = Stuck("LAST")
    kernel = make_kernel(embeddings=stuck)
    agent = kernel.register_agent("Writer", may_write={"profile"}).bind("mira")
    facts = [{"content": f"fact {n}", "memory_type": "profile"} for n in range(70)]  # more than is embedded at once
    done = threading.Event()

    def work(mine: AgentHandle, task: Any) -> list[Any]:
        mine.create_memories([*facts, {"content": "LAST", "memory_type": "profile"}])
        done.set()
        return []

    number = agent.defer({}, work)
    assert number is not None
    assert done.wait(10)
    assert stuck.reached.wait(10)
    until(lambda: kernel.status()["deferred"] == 0)
    assert len(kernel._indexer._unsettled[agent._bound_to]) == 7, "the first batch is visible"
    assert kernel.barrier.pending("mira", number) == 1
    stuck.release()
    assert kernel.flush("mira")
    assert kernel.barrier.pending("mira", number) == 0
    assert {i.seq_no for i in kernel.export_user("mira")} == {number}
