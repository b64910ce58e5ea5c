"""Invariant 9: an embedder or provider that is slow, hangs, raises or lies degrades what is found, and says so."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from memory_kernel import MemoryKernel, MemoryRecord
from memory_kernel.indexing import _FIRST_RETRY_S
from memory_kernel.providers.memory import InMemoryProvider
from tests.support.embedders import (
    DIMENSION,
    Faulty,
    Slow,
    Stuck,
    Words,
    not_a_number,
    refuses,
    wrong_dimension,
)
from tests.support.providers import FaultyProvider, Hanging, LyingProvider, down
from tests.support.waiting import until

MakeKernel = Callable[..., MemoryKernel]


def writer(kernel: MemoryKernel, user: str = "mira") -> Any:
    return kernel.register_agent("A", may_write={"profile"}).bind(user)


# Embedders


async def test_a_read_right_after_a_write_waits_for_a_slow_embedder(make_kernel: MakeKernel) -> None:
    slow = Slow(0.4)
    kernel = make_kernel(embeddings=slow)
    agent = writer(kernel)
    for call in ("sync", "async"):
        receipt = agent.create_memory(f"{call} canary", memory_type="profile")
        assert receipt.state == "accepted"
        injection = agent.inject("canary?") if call == "sync" else await agent.ainject("canary?")
        assert f"{call} canary" in injection.block
        assert not injection.barrier.timed_out
        assert injection.barrier.snapshot == receipt.seq_no
        assert injection.barrier.waited_ms >= 0.5 * slow.seconds * 1000


def test_one_users_stuck_embedding_holds_up_nobody_else(make_kernel: MakeKernel) -> None:
    stuck = Stuck("STUCK")
    kernel = make_kernel(embeddings=stuck, barrier_timeout_ms=50, embed_timeout_ms=60_000)
    first, second = writer(kernel, "mira"), writer(kernel, "noor")
    second.inject("calibrates the embedder")
    first.create_memory("STUCK canary", memory_type="profile")
    assert stuck.reached.wait(10)
    for n in range(20):
        second.create_memory(f"fact {n}", memory_type="profile")
        injection = second.inject(f"fact {n}")
        assert f"fact {n}" in {i.text for i in injection.items}
        assert (injection.barrier.timed_out, injection.problems) == (False, ())
    assert kernel.flush("noor")
    assert not stuck.released
    injection = first.inject("canary?")
    assert (injection.block, injection.barrier.timed_out, injection.barrier.pending) == ("", True, 1)
    stuck.release()
    until(lambda: "STUCK canary" in first.inject("canary?").block)
    assert kernel.flush()
    assert first.inject("canary?").barrier.pending == 0


def test_other_memories_of_the_same_user_are_read_while_one_is_stuck(make_kernel: MakeKernel) -> None:
    stuck = Stuck("STUCK")
    kernel = make_kernel(embeddings=stuck, barrier_timeout_ms=20)
    agent = writer(kernel)
    agent.create_memory("likes tea", memory_type="profile")
    assert kernel.flush()
    agent.create_memory("STUCK", memory_type="profile")
    assert "likes tea" in agent.inject("tea?").block


def test_a_text_past_its_deadline_is_found_by_its_words(make_kernel: MakeKernel) -> None:
    stuck = Stuck("STUCK")
    kernel = make_kernel(embeddings=stuck, embed_timeout_ms=100)
    agent = writer(kernel)
    agent.create_memory("STUCK canary", memory_type="profile")
    injection = agent.inject("canary?")
    assert "STUCK canary" in injection.block
    assert not injection.barrier.timed_out
    assert any("by words only" in p for p in injection.problems)
    assert "DeadlineExceeded" in kernel.status()["problems"]["embedder"]
    stuck.release()
    until(kernel.flush)
    assert agent.inject("canary?").problems == ()
    assert kernel.status()["problems"] == {}


@pytest.mark.parametrize("fault", [refuses, not_a_number, wrong_dimension])
@pytest.mark.parametrize("in_process", [True, False])
def test_a_text_that_is_not_embedded_is_found_by_its_words_until_the_embedder_recovers(
    make_kernel: MakeKernel, fault: Any, in_process: bool
) -> None:
    faulty = Faulty(fault, "FAULTY")
    faulty.in_process = in_process
    kernel = make_kernel(embeddings=faulty)
    agent = writer(kernel)
    agent.create_memory("likes tea", memory_type="profile")
    assert kernel.flush()
    receipts = agent.create_memories(
        [{"content": c, "memory_type": "profile"} for c in ("FAULTY canary", "a healthy neighbour")]
    )
    injection = agent.inject("canary?")
    assert "FAULTY canary" in injection.block
    assert injection.problems == ("1 of the memories could not be embedded yet and were found by words only",)
    assert not injection.barrier.timed_out
    assert not kernel.flush()
    assert "embedder" in kernel.status()["problems"]
    view = kernel._indexer.view.of(agent._bound_to)
    assert [i.id for i in view.without_vector()] == [receipts[0].item_id], "its neighbour has its vector"
    faulty.broken = False
    assert kernel.flush(), "a flush tries again at once"
    assert view.without_vector() == []
    assert agent.inject("canary?").problems == ()
    assert kernel.status()["problems"] == {}
    assert kernel.status()["unindexed"] == 0


def test_a_text_is_tried_again_by_itself_also_when_nothing_else_happens(
    make_kernel: MakeKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_kernel.indexing._FIRST_RETRY_S", 0.01)
    faulty = Faulty(refuses, "FAULTY")
    kernel = make_kernel(embeddings=faulty, audit=False)
    agent = writer(kernel)
    agent.create_memory("FAULTY canary", memory_type="profile")
    until(lambda: kernel._indexer._owed)
    faulty.broken = False
    until(lambda: kernel.status()["unindexed"] == 0)


def test_an_embedder_that_refuses_everything_leaves_words(make_kernel: MakeKernel) -> None:
    kernel = make_kernel(embeddings=Faulty(refuses))
    agent = writer(kernel)
    agent.create_memory("likes tea", memory_type="profile")
    agent.create_memory("owns a boat", memory_type="profile")
    injection = agent.inject("tea?")
    assert injection.items[0].text == "likes tea"
    assert any("the embedder did not answer" in p for p in injection.problems)


def test_a_write_is_accepted_whatever_the_embedder_does(make_kernel: MakeKernel) -> None:
    faulty = Faulty(refuses)
    kernel = make_kernel(embeddings=faulty)
    agent = writer(kernel)
    ids = [agent.create_memory(f"fact {n}", memory_type="profile").item_id for n in range(5)]
    kernel.close(timeout_s=1)
    faulty.broken = False
    again = make_kernel(embeddings=faulty)
    assert again.flush()
    assert [i.id for i in again.export_user("mira")] == ids
    assert again.status()["unindexed"] == 0


# Providers


@pytest.fixture(params=["raises", "hangs"])
def fault(request: pytest.FixtureRequest) -> Any:
    return down if request.param == "raises" else Hanging()


def recover(provider: FaultyProvider) -> None:
    provider.broken.clear()
    if isinstance(provider.fault, Hanging):
        provider.fault.release()


def test_a_provider_that_cannot_be_read_leaves_words_and_recovers(make_kernel: MakeKernel, fault: Any) -> None:
    provider = FaultyProvider(fault)
    with make_kernel(provider=provider) as kernel:
        writer(kernel).create_memory("likes tea", memory_type="profile")
    provider.broken = {"get_all"}
    kernel = make_kernel(provider=provider, provider_timeout_ms=100)
    agent = writer(kernel)
    for _ in range(2):
        injection = agent.inject("tea?")
        assert "likes tea" in injection.block
        [problem] = injection.problems
        assert "the index did not answer, so memories were found by words only" in problem
    recover(provider)
    until(lambda: agent.inject("tea?").problems == ())
    assert kernel._indexer.view.of(agent._bound_to).without_vector() == []


def test_a_provider_that_cannot_be_written_delays_no_turn_and_loses_nothing(
    make_kernel: MakeKernel, fault: Any
) -> None:
    provider = FaultyProvider(fault, "add_memory", "delete")
    kernel = make_kernel(provider=provider, provider_timeout_ms=50)
    agent = writer(kernel)
    for n in range(10):
        agent.create_memory(f"fact {n}", memory_type="profile", slot=f"s{n % 5}")
        injection = agent.inject(f"fact {n}")
        assert f"fact {n}" in {i.text for i in injection.items}
        assert injection.problems == ()
    until(lambda: "index" in kernel.status()["problems"])
    assert not kernel.flush(timeout_s=0.01)
    kernel._indexer.view.clear()
    assert len(agent.inject("fact").items) == 5, "a cold load has the vectors that the index lacks"
    until(lambda: len(kernel.audit("mira")) == 11)  # the records are kept, whatever the index does
    recover(provider)
    until(kernel.flush)
    assert kernel.status()["problems"] == {}
    assert kernel.status()["unindexed"] == 0
    held = {r.id for r in provider.get_all(kernel._indexer.provider_key(agent._bound_to))}
    assert held == {i.id for i in kernel.export_user("mira") if i.status == "current"}


def test_a_provider_that_refuses_is_asked_again_at_growing_intervals_and_not_at_every_read(
    make_kernel: MakeKernel,
) -> None:
    asked: list[float] = []

    def refuse() -> None:
        asked.append(time.monotonic())
        down()

    agent = writer(kernel := make_kernel(provider=FaultyProvider(refuse, "add_memory")))
    agent.create_memory("likes tea", memory_type="profile")
    until(lambda: asked)
    for n in range(30):
        agent.inject("tea?")
        until(lambda n=n: len(kernel.audit("mira")) > n)
    until(lambda: len(asked) >= 4)
    for n, (before, after) in enumerate(pairwise(asked)):
        assert after - before >= _FIRST_RETRY_S * 2**n, "each pause is twice the one before it, or longer"


def test_what_the_index_never_got_is_indexed_after_a_restart(make_kernel: MakeKernel) -> None:
    provider = FaultyProvider(down, "add_memory")
    kernel = make_kernel(provider=provider)
    writer(kernel).create_memory("likes tea", memory_type="profile")
    kernel.close(timeout_s=0.05)
    provider.broken.clear()
    with make_kernel(provider=provider) as again:
        assert again.flush()
        assert again.status()["unindexed"] == 0
        assert "likes tea" in writer(again).inject("tea?").block
    assert provider.describe()["count"] == 1


def test_a_kernel_with_a_hanging_provider_can_be_closed(make_kernel: MakeKernel, tmp_path: Any) -> None:
    hanging = Hanging()
    kernel = make_kernel(provider=FaultyProvider(hanging, "add_memory"))
    writer(kernel).create_memory("likes tea", memory_type="profile")
    assert hanging.reached.wait(10)
    kernel.close(timeout_s=0.05)
    assert not hanging._free.is_set()
    with make_kernel(provider=InMemoryProvider()) as again:
        assert "likes tea" in writer(again).inject("tea?").block


def test_an_index_that_was_emptied_is_filled_again_from_the_ledger(make_kernel: MakeKernel) -> None:
    with make_kernel() as kernel:
        for n in range(5):
            writer(kernel).create_memory(f"fact {n}", memory_type="profile")
    provider = InMemoryProvider()
    kernel = make_kernel(provider=provider)
    assert len(writer(kernel).inject("fact").items) == 5
    assert kernel.flush()
    assert provider.describe()["count"] == 5


def record(like: MemoryRecord, **changes: Any) -> MemoryRecord:
    fields = {"id": like.id, "user_id": like.user_id, "vector": like.vector, **changes}
    return MemoryRecord(**fields)


def everybody(user: str, records: dict[str, list[MemoryRecord]]) -> Iterable[Any]:
    return [record(r, user_id=user) for rs in records.values() for r in rs]


LIES: dict[str, Callable[[str, dict[str, list[MemoryRecord]]], Iterable[Any]]] = {
    "everybody's": everybody,
    "unknown ids": lambda u, rs: [record(r, id=f"unknown {n}") for n in range(9) for r in rs.get(u, [])],
    "every one ten times": lambda u, rs: [*rs.get(u, [])] * 10,
    "none": lambda u, rs: [],
    "other dimensions": lambda u, rs: [record(r, vector=np.ones(DIMENSION + 3)) for r in rs.get(u, [])],
    "mixed dimensions": lambda u, rs: [record(r, vector=np.ones(n + 1)) for n, r in enumerate(rs.get(u, []))],
    "not numbers": lambda u, rs: [record(r, vector=np.full(DIMENSION, np.nan)) for r in rs.get(u, [])],
    "zeros": lambda u, rs: [record(r, vector=np.zeros(DIMENSION)) for r in rs.get(u, [])],
    "no vectors": lambda u, rs: [record(r, vector=None) for r in rs.get(u, [])],
    "rubbish": lambda u, rs: [None, 7, "x", SimpleNamespace(id=["x"], vector="x")],
    "nothing to iterate over": lambda u, rs: None,  # type: ignore[dict-item, return-value]
    "huge numbers": lambda u, rs: [record(r, vector=np.full(DIMENSION, 1e30)) for r in rs.get(u, [])],
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
@pytest.mark.parametrize("dimension_known", [True, False])
def test_whatever_a_provider_says_nothing_leaks_and_nothing_is_lost(
    make_kernel: MakeKernel, lie: Any, dimension_known: bool
) -> None:
    provider = LyingProvider(lie)
    with make_kernel(provider=provider, embeddings=Words()) as kernel:
        for user in ("mira", "noor"):
            agent = kernel.register_agent("A", may_write={"profile"}).bind(user)
            other = kernel.register_agent("Other", may_write={"profile"}).bind(user)
            agent.create_memory(f"old value of {user}", memory_type="profile", slot="s")
            agent.create_memory(f"new value of {user}", memory_type="profile", slot="s")
            agent.create_memory(f"fact of {user}", memory_type="profile")
            other.create_memory(f"private value of {user}", memory_type="profile")
        if dimension_known:
            agent.inject("calibrates the embedder")
        assert kernel.flush()
    kernel = make_kernel(provider=provider, embeddings=Words())
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    for _ in range(2):
        injection = agent.inject("the old, the new and the private value, of mira and of noor")
        assert {i.text for i in injection.items} == {"new value of mira", "fact of mira"}
        assert {d.text for d in injection.decisions} == {"new value of mira", "fact of mira"}
        assert all(0 <= d.relevance <= 1 for d in injection.decisions)
        agent.create_memory("fact of mira", memory_type="profile")
    agent.create_memory("something new", memory_type="profile")
    assert "something new" in agent.inject("something new").block
