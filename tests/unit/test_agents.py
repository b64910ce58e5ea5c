"""Invariant 6 and the errors: an agent writes only as itself and only its types; a refused write stores nothing."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from memory_kernel import (
    EmbedderMismatch,
    InvalidMemory,
    KernelClosed,
    KernelConfig,
    LedgerDamaged,
    MemoryKernel,
    StoreLocked,
    StoreUnavailable,
    WriteForbidden,
    idempotency_key,
    open_ledger,
    recorded_embedder,
)
from memory_kernel.locking import LOCK_FILE, DirectoryLock
from memory_kernel.providers.memory import InMemoryProvider
from tests.support.embedders import Stuck, Words

MakeKernel = Callable[..., MemoryKernel]
CIRCULAR: dict[str, Any] = {}
CIRCULAR["self"] = CIRCULAR
DEEP: Any = "x"
for _ in range(100_000):
    DEEP = [DEEP]

BAD: dict[str, dict[str, Any]] = {
    "empty text": {"content": ""},
    "blank text": {"content": " \n\t"},
    "nothing to be seen": {"content": "\u200b\u2060\x00"},
    "empty mapping": {"content": {}},
    "a mapping of nothing": {"content": {"a": None, "b": ""}},
    "no text": {"content": None},
    "a number": {"content": 7},
    "a list": {"content": ["x"]},
    "bytes": {"content": b"x"},
    "too long": {"content": "x" * 100_001},
    "circular": {"content": CIRCULAR},
    "too deep": {"content": {"a": DEEP}},
    "not a number": {"content": {"a": float("nan")}},
    "keys that are no names": {"content": {("a", "b"): 1}},
    "unknown type": {"memory_type": "gossip"},
    "no type": {"memory_type": None},
    "type of another type": {"memory_type": ["profile"]},
    "empty slot": {"slot": ""},
    "blank slot": {"slot": "  "},
    "invisible slot": {"slot": "\x00"},
    "long slot": {"slot": "x" * 201},
    "slot of another type": {"slot": 7},
    "naive time": {"valid_from": datetime(2026, 1, 1)},
    "time as text": {"expires_at": "tomorrow"},
    "time out of range": {"valid_from": datetime.max.replace(tzinfo=timezone(timedelta(hours=-12)))},
    "empty key": {"idempotency_key": ""},
    "key of another type": {"idempotency_key": 7},
    "source with unknown fields": {"source": {"url": "x"}},
    "source of another type": {"source": 7},
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("way", ["create_memory", "create_memories"])
def test_a_bad_argument_is_a_value_error_and_nothing_is_stored(kernel: MemoryKernel, bad: Any, way: str) -> None:
    agent = kernel.register_agent("A", may_write={"profile"})
    good = {"content": "x", "memory_type": "profile"}
    memory = {**good, **bad}
    calls = {
        "create_memory": lambda: agent.create_memory(memory.pop("content"), user_id="mira", **memory),
        "create_memories": lambda: agent.create_memories([good, memory], user_id="mira"),
    }
    with pytest.raises(ValueError, match=r".") as refused:
        calls[way]()
    assert isinstance(refused.value, InvalidMemory)
    assert kernel.users() == []
    assert kernel.status()["items"] == 0


@pytest.mark.parametrize("memory", [{"contents": "x"}, {"content": "x"}, {}, "text", {"content": "x", "user_id": "u"}])
def test_a_memory_with_missing_or_unknown_fields_is_a_bad_argument(kernel: MemoryKernel, memory: Any) -> None:
    with pytest.raises(InvalidMemory):
        kernel.register_agent("A", may_write={"profile"}).create_memories([memory], user_id="mira")
    assert kernel.users() == []


@pytest.mark.parametrize("kind", ["task_context", "conversation", "experience"])
def test_a_type_that_was_not_registered_for_is_forbidden_and_nothing_is_stored(kernel: MemoryKernel, kind: str) -> None:
    agent = kernel.register_agent("A", may_write={"profile"})
    with pytest.raises(PermissionError, match=f"may write profile, not {kind!r}") as refused:
        agent.create_memory("x", memory_type=kind, user_id="mira")
    assert isinstance(refused.value, WriteForbidden)
    with pytest.raises(WriteForbidden, match="may write nothing"):
        kernel.register_agent("Reader", may_write=set()).create_memory("x", memory_type=kind, user_id="mira")
    assert kernel.users() == []


def test_hostile_text_and_structure_are_stored_as_far_as_a_store_can_hold_them(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.create_memory("a\ud800b\x00c", memory_type="profile")
    agent.create_memory({"k\ud800": ["v\udc00", {"n": "x\x00"}]}, memory_type="profile")
    agent.create_memory("x" * 60_000, memory_type="profile", slot="s\ud800")
    items = list(kernel.export_user("mira"))
    assert items[0].text == "a?bc"
    assert items[1].content == {"k?": ["v?", {"n": "x\x00"}]}
    assert (len(items[2].text), items[2].slot) == (60_000, "s?")


def test_an_item_is_what_was_said_and_cannot_be_changed_afterwards(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira", "thread")
    content = {"list": [1, 2]}
    receipt = agent.create_memory(
        content,
        memory_type="profile",
        sharing_policy="shared",
        slot=" numbers ",
        source={"thread_id": "t", "speaker": "user"},
        valid_from=datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2))),
    )
    content["list"].append(3)
    [item] = agent.recall("numbers")
    assert (item.id, item.user_id, item.owner_agent, item.seq_no) == (receipt.item_id, "mira", "A", receipt.seq_no)
    assert (item.content, item.slot, item.source.thread_id) == ({"list": [1, 2]}, "numbers", "t")
    assert item.valid_from == datetime(2026, 1, 1, 10, tzinfo=UTC)
    assert item.valid_from.tzinfo is UTC
    with pytest.raises(ValidationError):
        item.user_id = "noor"


def test_an_agent_registered_again_is_the_same_and_with_other_types_is_refused(make_kernel: MakeKernel) -> None:
    with make_kernel() as kernel:
        kernel.register_agent("A", may_write={"profile"}).create_memory("x", memory_type="profile", user_id="mira")
        assert kernel.register_agent("A", may_write=["profile"]).may_write == {"profile"}
        assert kernel.register_agent("A").may_write == {"profile"}
        for other in ({"task_context"}, set(), {"profile", "task_context"}):
            with pytest.raises(InvalidMemory, match=r"is registered to write \['profile'\]"):
                kernel.register_agent("A", may_write=other)
    with make_kernel() as kernel:
        again = kernel.register_agent("A", may_write={"profile"})
        assert [i.owner_agent for i in again.recall("x", user_id="mira")] == ["A"]
        assert "may_write=['profile']" in repr(again)


def test_types_are_a_set_of_known_ones(kernel: MemoryKernel) -> None:
    with pytest.raises(InvalidMemory, match="unknown memory type 'gossip'; registered: profile"):
        kernel.register_agent("A", may_write={"gossip"})
    with pytest.raises(InvalidMemory, match="not the string"):
        kernel.register_agent("A", may_write="profile")  # type: ignore[arg-type]


def test_a_repeated_key_gives_the_first_receipts_item(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    first = agent.create_memory("x", memory_type="profile", idempotency_key="k")
    again = agent.create_memory("something else", memory_type="profile", idempotency_key="k")
    assert (first.state, again.state) == ("settled", "duplicate")
    assert (again.item_id, again.seq_no) == (first.item_id, first.seq_no)
    assert len(list(kernel.export_user("mira"))) == 1


def test_an_idempotency_key_is_stable_and_of_all_its_parts() -> None:
    assert idempotency_key("a", "b") == idempotency_key("a", "b")
    assert len({idempotency_key(*p) for p in (("a", "b"), ("ab",), ("a", "b", ""), ("b", "a"), ("a,b",), ())}) == 6


def test_the_same_fact_from_many_threads_is_one_item_with_one_fresh_receipt(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    together = threading.Barrier(10)

    def write(_: int) -> Any:
        together.wait(20)
        return agent.create_memory("likes tea", memory_type="profile")

    with ThreadPoolExecutor(10) as threads:
        receipts = list(threads.map(write, range(10)))
    assert len({r.item_id for r in receipts}) == 1
    assert sorted(r.state for r in receipts) == ["duplicate"] * 9 + ["settled"]


def test_own_items_are_the_agents_own_of_one_type_or_slot(kernel: MemoryKernel) -> None:
    one, two = (kernel.register_agent(n, may_write={"profile", "task_context"}).bind("mira") for n in ("One", "Two"))
    one.create_memory("a", memory_type="profile", slot="s")
    one.create_memory("b", memory_type="profile")
    one.create_memory("c", memory_type="task_context")
    two.create_memory("d", memory_type="profile", sharing_policy="shared", slot="s")
    assert [i.text for i in one.own_items("profile")] == ["a", "b"]
    assert [i.text for i in one.own_items("profile", slot="s")] == ["a"]


def test_retracting_takes_an_item_out_of_use_once(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    item_id = agent.create_memory("likes tea", memory_type="profile").item_id
    assert agent.retract_memory(item_id)
    assert not agent.retract_memory(item_id)
    assert agent.recall("tea") == []
    assert [i.status for i in kernel.history(item_id)] == ["retracted"]
    again = agent.create_memory("likes tea", memory_type="profile")
    assert kernel.retract(again.item_id)
    assert not kernel.retract(again.item_id)
    assert not kernel.retract("no such id")
    with pytest.raises(InvalidMemory, match="item_id"):
        agent.retract_memory({"$ne": ""})  # type: ignore[arg-type]


def test_a_user_agent_sees_status_in_numbers(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.create_memory("x", memory_type="profile")
    assert kernel.flush()
    status = kernel.status()
    assert {k: status[k] for k in ("users", "items", "current", "unindexed", "backlog", "problems")} == {
        "users": 1, "items": 1, "current": 1, "unindexed": 0, "backlog": 0, "problems": {},
    }  # fmt: skip
    assert status["embedder"] == "Words:words"


# Configuration


@pytest.mark.parametrize(
    "bad",
    [
        {"relevance_threshold": 1.5}, {"relevance_threshold": -0.1}, {"max_memories": -1}, {"token_budget": -1},
        {"barrier_timeout_ms": -1}, {"embed_timeout_ms": 0}, {"unknown_setting": 1}, {"token_counter": "tiktoken"},
    ],
    ids=str,
)  # fmt: skip
def test_a_setting_out_of_range_is_a_value_error(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        KernelConfig(**bad)


def test_a_configuration_cannot_be_changed(kernel: MemoryKernel) -> None:
    with pytest.raises(ValidationError):
        kernel.config.token_budget = 1


# Opening and closing


def open_plain(folder: Path, **options: Any) -> MemoryKernel:
    options = {"provider": InMemoryProvider(), "embeddings": Words(in_process=True), **options}
    return MemoryKernel.open(KernelConfig(data_dir=folder), **options)


def test_a_file_in_place_of_the_directory_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailable, match="is a file; give a directory"):
        open_plain(tmp_path / "file")
    with pytest.raises(StoreUnavailable, match="choose another data_dir"):
        open_plain(tmp_path / "file" / "below")


def test_a_directory_that_cannot_be_written_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **options: Any) -> Any:  # permissions do not bind root, under whom these tests may run
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(StoreUnavailable, match="Permission denied; choose another data_dir"):
        open_plain(tmp_path / "store")


def test_a_damaged_ledger_is_named_and_the_directory_is_free_again(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite3").write_bytes(b"not a ledger" * 1000)
    for _ in range(2):
        with pytest.raises(LedgerDamaged, match=r"ledger\.sqlite3"):
            open_plain(tmp_path)


def test_a_second_kernel_is_refused_while_the_first_is_open(make_kernel: MakeKernel, tmp_path: Path) -> None:
    kernel = make_kernel(subdir="s")
    with pytest.raises(StoreLocked, match=r"is open in another kernel.*close it, or choose another data_dir"):
        open_plain(tmp_path / "s")
    kernel.register_agent("A", may_write={"profile"}).create_memory("x", memory_type="profile", user_id="mira")
    kernel.close()
    open_plain(tmp_path / "s").close()


def test_another_process_is_refused_as_well_and_told_who_has_it(make_kernel: MakeKernel, tmp_path: Path) -> None:
    make_kernel(subdir="s")
    script = (
        "import sys; from pathlib import Path; from memory_kernel.locking import DirectoryLock\n"
        "DirectoryLock(Path(sys.argv[1]))"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "s")]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    import os

    assert "StoreLocked" in refused.stderr
    assert f"process {os.getpid()}" in refused.stderr


def test_a_lock_is_free_when_it_is_released_also_while_a_copy_of_it_is_held(tmp_path: Path) -> None:
    import os

    lock = DirectoryLock(tmp_path)
    copy = os.dup(lock._file.fileno())  # what a forked child has
    lock.release()
    lock.release()
    DirectoryLock(tmp_path).release()
    os.close(copy)
    assert (tmp_path / LOCK_FILE).exists()


def test_a_store_can_be_read_beside_the_open_kernel(kernel: MemoryKernel) -> None:
    kernel.register_agent("A", may_write={"profile"}).create_memory("x", memory_type="profile", user_id="mira")
    ledger = open_ledger(kernel.config.data_dir)
    assert ledger.users() == ["mira"]
    ledger.close()


def test_a_store_remembers_its_embedder_and_refuses_another(tmp_path: Path) -> None:
    assert recorded_embedder(tmp_path) is None
    open_plain(tmp_path).close()
    assert recorded_embedder(tmp_path) == "Words:words"
    other = Words()
    other.model = "other"
    with pytest.raises(EmbedderMismatch, match=r"'Words:words', not 'Words:other'"):
        open_plain(tmp_path, embeddings=other)
    with pytest.raises(EmbedderMismatch, match="pass it as `embeddings`"):
        open_plain(tmp_path, embeddings=None)
    open_plain(tmp_path, embeddings=other, embeddings_name="Words:words").close()


def test_a_new_store_without_an_embedder_has_the_local_one(tmp_path: Path) -> None:
    with open_plain(tmp_path, embeddings=None) as kernel:
        agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
        agent.create_memory("Prefers a window seat and never flies overnight", memory_type="profile")
        agent.create_memory("Is allergic to peanuts", memory_type="profile")
        assert [i.text for i in agent.inject("Can you find me a flight?").items][:1] == [
            "Prefers a window seat and never flies overnight"
        ]
    assert recorded_embedder(tmp_path) == "local:wordllama"
    open_plain(tmp_path, embeddings=None).close()


async def test_a_closed_kernel_says_so_on_every_way_in(make_kernel: MakeKernel) -> None:
    kernel = make_kernel()
    agent = kernel.register_agent("A", may_write={"profile"})
    bound = agent.bind("mira")
    kernel.close()
    kernel.close()
    calls: list[Callable[[], Any]] = [
        lambda: bound.create_memory("x", memory_type="profile"),
        lambda: bound.create_memories([{"content": "x", "memory_type": "profile"}]),
        lambda: bound.retract_memory("x"),
        lambda: bound.inject("x"),
        lambda: bound.recall("x"),
        lambda: bound.keep_exchange(["x"]),
        lambda: agent.bind("noor"),
        lambda: kernel.register_session("s", "mira"),
        lambda: kernel.forget_user("mira"),
        lambda: kernel.flush(),
        lambda: kernel.flush("mira"),
        lambda: list(kernel.export_user("mira")),
        lambda: list(kernel.history("x")),
        lambda: kernel.audit("mira"),
        lambda: kernel.status(),
        lambda: kernel.users(),
    ]
    for call in calls:
        with pytest.raises(KernelClosed, match="closed"):
            call()
    for twin in (
        lambda: bound.acreate_memory("x", memory_type="profile"),
        lambda: bound.ainject("x"),
        lambda: bound.arecall("x"),
        lambda: bound.akeep_exchange(["x"]),
        lambda: kernel.aflush(),
        lambda: kernel.aforget_user("mira"),
    ):
        with pytest.raises(KernelClosed, match="closed"):
            await twin()


def test_closing_with_work_left_warns_and_the_next_kernel_finishes_it(
    make_kernel: MakeKernel, caplog: pytest.LogCaptureFixture
) -> None:
    stuck = Stuck("canary")
    kernel = make_kernel(embeddings=stuck)
    agent = kernel.register_agent("A", may_write={"profile"})
    item_id = agent.create_memory("the canary sings", memory_type="profile", user_id="mira").item_id
    assert stuck.reached.wait(10)
    kernel.close(timeout_s=0.05)
    assert "work left" in caplog.text
    stuck.release()
    again = make_kernel(embeddings=Stuck("no such word"))
    reader = again.register_agent("A", may_write={"profile"})
    assert [i.id for i in reader.inject("canary", user_id="mira").items] == [item_id]


def test_what_was_written_before_closing_is_indexed(make_kernel: MakeKernel) -> None:
    provider = InMemoryProvider()
    kernel = make_kernel(provider=provider)
    kernel.register_agent("A", may_write={"profile"}).create_memory("x", memory_type="profile", user_id="mira")
    kernel.close()
    assert provider.describe()["count"] == 1


def test_threads_end_with_their_kernel(make_kernel: MakeKernel) -> None:
    before = set(threading.enumerate())
    kernel = make_kernel(embeddings=Words())
    agent = kernel.register_agent("A", may_write={"profile"})
    agent.create_memory("x", memory_type="profile", user_id="mira")
    agent.inject("x", user_id="mira")
    kernel.close()
    from tests.support.waiting import until

    until(lambda: set(threading.enumerate()) <= before)
