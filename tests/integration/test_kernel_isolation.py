"""Invariants 2 and 11: nothing of one user is ever another's, and nothing of an erased user is left."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from memory_kernel import InvalidMemory, MemoryKernel, UserErased
from memory_kernel.embeddings.cache import digest
from memory_kernel.providers.memory import InMemoryProvider
from tests.support.embedders import Stuck, Words
from tests.support.providers import FaultyProvider, Hanging, down
from tests.support.waiting import until
from tests.unit.test_ledger import HOSTILE_IDS

MakeKernel = Callable[..., MemoryKernel]


def test_users_with_similar_ids_never_meet(kernel: MemoryKernel) -> None:
    agent, reader = kernel.register_agent("A", may_write={"profile"}), kernel.register_agent("Reader")
    for n, user in enumerate(HOSTILE_IDS):
        agent.create_memory(
            f"canary number {n}", memory_type="profile", sharing_policy="shared", slot="s", user_id=user
        )
    assert kernel.flush()
    for cold in (False, True):
        if cold:
            kernel._indexer.view.clear()
        for n, user in enumerate(HOSTILE_IDS):
            injection = reader.inject("canary number", user_id=user)
            assert [i.text for i in injection.items] == [f"canary number {n}"]
            assert injection.identity.user_id == user
            assert [i.user_id for i in kernel.export_user(user)] == [user]
    for n, user in enumerate(HOSTILE_IDS):
        receipt = kernel.forget_user(user)
        assert (receipt.complete, receipt.removed["ledger.items"], receipt.removed["index"]) == (True, 1, 1)
        assert kernel.users() == HOSTILE_IDS[n + 1 :]


@pytest.mark.parametrize("in_process", [True, False])
def test_two_users_whose_turns_interleave_share_nothing(make_kernel: MakeKernel, in_process: bool) -> None:
    kernel = make_kernel(embeddings=Words(in_process=in_process), max_memories=100, token_budget=10**6)
    canaries = {"mira": "MIRACANARY", "mira ": "SPACECANARY"}
    together = threading.Barrier(2)

    def live(user: str) -> list[str]:
        seen: list[str] = []
        mine = canaries[user]
        agent = kernel.register_agent("A", may_write={"profile", "task_context"}).bind(user, f"thread of {user}")
        other = kernel.register_agent("B").bind(user, f"thread of {user}")
        for n in range(20):
            together.wait(20)
            agent.create_memory(
                f"{mine} fact {n}", memory_type="profile", sharing_policy="shared", slot=f"slot {n % 7}"
            )
            agent.create_memory("a fact in common", memory_type="task_context", sharing_policy="shared")
            agent.keep_exchange([HumanMessage(f"{mine} said {n}", id=f"m{n}"), AIMessage("ok", id=f"a{n}")])
            for reader in (agent, other):
                injection = reader.inject(" ".join(canaries.values()))
                assert mine in injection.block
                seen.append(injection.model_dump_json(exclude={"messages"}).replace(" ".join(canaries.values()), ""))
                seen += [i.model_dump_json() for i in reader.recall("fact", limit=100)]
        return seen

    with ThreadPoolExecutor(2) as threads:
        lives = dict(zip(canaries, threads.map(live, canaries), strict=True))
    assert kernel.flush()
    for user, canary in canaries.items():
        foreign = next(c for c in canaries.values() if c != canary)
        everything = [
            *lives[user],
            *(i.model_dump_json() for i in kernel.export_user(user)),
            *(h.model_dump_json() for i in kernel.export_user(user) for h in kernel.history(i.id)),
        ]
        assert any(canary in said for said in everything)
        assert not any(foreign in said for said in everything)
        mine = {i.id for i in kernel.export_user(user)}
        theirs = {i.id for u in canaries if u != user for i in kernel.export_user(u)}
        audits = str(kernel.audit(user))
        assert any(item_id in audits for item_id in mine)
        assert not any(item_id in audits for item_id in theirs)


# Erasure


def files_with(folder: Path, *words: bytes) -> list[str]:
    return [f.name for f in folder.rglob("*") if f.is_file() and any(w in f.read_bytes() for w in words)]


def test_after_erasure_no_file_view_or_cache_holds_anything_of_the_user(make_kernel: MakeKernel) -> None:
    provider, words = InMemoryProvider(), Words(in_process=True)
    kernel = make_kernel(provider=provider, embeddings=words)
    folder = kernel.config.data_dir
    agents = {u: kernel.register_agent("A", may_write={"profile"}).bind(u, f"{u}-thread") for u in ("mira-id", "noor")}
    for user, agent in agents.items():
        word = "MIRACANARY" if user == "mira-id" else "NOORCANARY"
        for n in range(30):
            agent.create_memory(
                f"{word} {n}", memory_type="profile", slot=f"{word} {n % 3}", idempotency_key=f"{word}{n}"
            )
        agent.keep_exchange([HumanMessage(f"{word} hello", id=f"{word}-m")])
        agent.inject(f"{word}?")
        kernel.register_session(f"{user}-session", user)
    assert kernel.flush()
    cached = len(kernel._erasure._embedder._cache)
    receipt = kernel.forget_user("mira-id")
    assert receipt.complete
    assert receipt.user_id == "mira-id"
    assert {k: v for k, v in receipt.removed.items() if v} == {
        "ledger.items": 31, "ledger.writes": 31, "ledger.sessions": 1, "ledger.observed": 1, "ledger.audit": 1,
        "ledger.users": 1, "views": 4, "index": 4,
    }  # fmt: skip
    assert files_with(folder, b"MIRACANARY", b"mira-id") == []
    assert files_with(folder, b"NOORCANARY") != []
    assert len(kernel._erasure._embedder._cache) == cached - 31
    assert provider.describe()["count"] == 4
    assert kernel.users() == ["noor"]
    assert list(kernel.export_user("mira-id")) == []
    assert kernel.audit("mira-id") == []
    assert "NOORCANARY" in agents["noor"].inject("NOORCANARY").block
    assert agents["mira-id"].inject("MIRACANARY").block == ""


def test_a_handle_from_before_is_refused_and_a_new_one_starts_afresh(kernel: MemoryKernel) -> None:
    handle = kernel.register_agent("A", may_write={"profile"})
    old = handle.bind("mira")
    receipt = old.create_memory("the canary sings", memory_type="profile", idempotency_key="k")
    kernel.forget_user("mira")
    for attempt in (
        lambda: old.create_memory("late", memory_type="profile"),
        lambda: old.create_memories([{"content": "late", "memory_type": "profile"}]),
        lambda: old.keep_exchange(["late"]),
    ):
        with pytest.raises(UserErased, match="bind a new one"):
            attempt()
    assert kernel.users() == []
    fresh = handle.bind("mira")
    again = fresh.create_memory("the canary sings", memory_type="profile", idempotency_key="k")
    assert again.item_id != receipt.item_id
    assert again.seq_no > receipt.seq_no
    injection = fresh.inject("canary")
    assert [i.id for i in injection.items] == [again.item_id]
    assert injection.barrier.snapshot == again.seq_no
    with pytest.raises(UserErased):
        old.create_memory("late", memory_type="profile")


def test_erasing_twice_or_somebody_unknown_is_fine(kernel: MemoryKernel) -> None:
    kernel.register_agent("A", may_write={"profile"}).create_memory("x", memory_type="profile", user_id="mira")
    assert kernel.forget_user("mira").removed["ledger.items"] == 1
    for user in ("mira", "nobody"):
        receipt = kernel.forget_user(user)
        assert receipt.complete
        assert not any(receipt.removed.values())


def test_erasers_are_called_and_one_that_raises_is_named_and_stops_nothing(kernel: MemoryKernel) -> None:
    called: list[str] = []

    def checkpoints(user_id: str) -> int:
        called.append(user_id)
        return 3

    def broken(user_id: str) -> int:
        raise ConnectionError("the checkpoint store is down")

    def make(name: str) -> Callable[[str], None]:
        return lambda user_id: called.append(f"{name} {user_id}")

    for eraser in (checkpoints, checkpoints, broken, make("one"), make("two")):
        kernel.register_eraser(eraser)
    kernel.register_agent("A", may_write={"profile"}).create_memory("x", memory_type="profile", user_id="mira")
    receipt = kernel.forget_user("mira")
    assert called == ["mira", "one mira", "two mira"], "each once, also those that have one name"
    assert receipt.removed["checkpoints"] == 3
    assert receipt.removed["ledger.items"] == 1
    assert not receipt.complete
    assert receipt.problems == ("broken: ConnectionError: the checkpoint store is down",)
    with pytest.raises(InvalidMemory, match="callable"):
        kernel.register_eraser("not callable")  # type: ignore[arg-type]


def test_a_write_on_its_way_during_an_erasure_does_not_come_back(make_kernel: MakeKernel) -> None:
    provider, stuck = InMemoryProvider(), Stuck("STUCK")
    kernel = make_kernel(embeddings=stuck, provider=provider, barrier_timeout_ms=50)
    handle = kernel.register_agent("A", may_write={"profile"})
    handle.create_memory("STUCK canary", memory_type="profile", user_id="mira")
    assert stuck.reached.wait(10)
    assert kernel.forget_user("mira").complete
    fresh = handle.bind("mira")
    assert fresh.inject("canary").barrier.pending == 0
    stuck.release()
    fresh.create_memory("something else", memory_type="profile")
    assert kernel.flush()
    assert [i.text for i in fresh.inject("canary").items] == ["something else"]
    assert provider.describe()["count"] == 1
    assert kernel._erasure._embedder._cache.get(digest("text", "STUCK canary")) is None


def test_writes_that_race_with_an_erasure_are_refused_or_erased(make_kernel: MakeKernel) -> None:
    provider = InMemoryProvider()
    kernel = make_kernel(embeddings=Words(), provider=provider)
    handle = kernel.register_agent("A", may_write={"profile"})
    for _ in range(10):
        bound = handle.bind("mira")
        together = threading.Barrier(5)

        def write(n: int, bound: Any = bound, together: threading.Barrier = together) -> None:
            together.wait(20)
            for m in range(5):
                try:
                    bound.create_memory(f"canary {n} {m}", memory_type="profile")
                except UserErased:
                    return

        with ThreadPoolExecutor(5) as threads:
            writing = [threads.submit(write, n) for n in range(4)]
            together.wait(20)
            assert kernel.forget_user("mira").complete
            for w in writing:
                w.result(20)
        assert kernel.flush()
        assert list(kernel.export_user("mira")) == []
        assert provider.describe()["count"] == 0
        assert kernel.barrier._users == {}


@pytest.mark.parametrize("fault", [down, Hanging()], ids=["raises", "hangs"])
def test_an_index_that_does_not_answer_is_named_and_erased_later(make_kernel: MakeKernel, fault: Any) -> None:
    provider = FaultyProvider(fault)
    kernel = make_kernel(provider=provider, provider_timeout_ms=20)
    handle = kernel.register_agent("A", may_write={"profile"})
    handle.create_memory("canary", memory_type="profile", user_id="mira")
    assert kernel.flush()
    provider.broken = {"delete"}
    receipt = kernel.forget_user("mira")
    assert not receipt.complete
    assert receipt.problems[0].startswith("index: ")
    assert list(kernel.export_user("mira")) == []
    assert files_with(kernel.config.data_dir, b"canary") == []
    assert not kernel.forget_user("mira").complete, "asked again, it is still not done"
    provider.broken.clear()
    if fault is not down:
        fault.release()
    until(lambda: kernel.forget_user("somebody else").complete)
    assert provider.describe()["count"] == 0
    assert kernel.forget_user("mira").complete


def test_an_unfinished_erasure_is_finished_at_the_next_start(make_kernel: MakeKernel) -> None:
    provider = FaultyProvider(down)
    kernel = make_kernel(provider=provider)
    kernel.register_agent("A", may_write={"profile"}).create_memory("x", memory_type="profile", user_id="mira")
    assert kernel.flush()
    provider.broken = {"get_all"}
    assert not kernel.forget_user("mira").complete
    kernel.close()
    provider.broken.clear()
    make_kernel(provider=provider)
    until(lambda: provider.describe()["count"] == 0)


def test_a_hanging_write_of_the_index_does_not_hold_up_an_erasure_for_ever(make_kernel: MakeKernel) -> None:
    hanging = Hanging()
    provider = FaultyProvider(hanging, "add_memory")
    kernel = make_kernel(provider=provider, provider_timeout_ms=20)
    kernel.register_agent("A", may_write={"profile"}).create_memory("x", memory_type="profile", user_id="mira")
    assert hanging.reached.wait(10)
    receipt = kernel.forget_user("mira")
    assert not receipt.complete
    hanging.release()
    until(lambda: kernel.forget_user("mira").complete)
    assert provider.describe()["count"] == 0, "what the late write brought is gone as well"


def test_a_reader_that_holds_on_to_old_pages_is_named_and_the_files_are_scrubbed_later(
    make_kernel: MakeKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_kernel.ledger.sqlite._BUSY_TIMEOUT_S", 0.05)
    kernel = make_kernel()
    kernel.register_agent("A", may_write={"profile"}).create_memory("CANARY", memory_type="profile", user_id="mira")
    ledger: Any = kernel._ledger
    with ledger._reading() as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM items").fetchone()
        receipt = kernel.forget_user("mira")
        reader.execute("COMMIT")
    assert not receipt.complete
    assert "ledger files" in receipt.problems[0]
    assert kernel.forget_user("mira").complete
    assert files_with(kernel.config.data_dir, b"CANARY") == []
