"""Taking back and giving back in the whole kernel: what readers, the index, a restart and many threads see of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from memory_kernel import BoundAgent, InvalidMemory, MemoryKernel, Turn
from memory_kernel.providers.memory import InMemoryProvider
from tests.conftest import MakeKernel
from tests.support.embedders import Stuck
from tests.support.threads import holding
from tests.support.turns import files_with
from tests.support.waiting import until


def agent_of(kernel: MemoryKernel, user: str = "mira") -> BoundAgent:
    return kernel.register_agent("A", may_write={"profile"}).bind(user, "t")


def say(kernel: MemoryKernel, after: str | None, message_id: str, *facts: str, back: bool = False) -> Turn:
    """A turn in which one message teaches facts and values of the slot city (``=Porto``), and is kept."""
    text = "; ".join(facts)
    turn = kernel.begin_turn("mira", "t", {message_id: text}, new=[message_id], after=after, from_checkpoint=back)
    source = {"thread_id": "t", "message_id": message_id, "speaker": "user", "turn": turn.name}
    agent = agent_of(kernel)
    agent.create_memories(
        [
            {
                "content": fact.lstrip("="),
                "memory_type": "profile",
                "source": source,
                "sharing_policy": "shared",
                "slot": "city" if fact.startswith("=") else None,
            }
            for fact in facts
        ]
    )
    agent.keep_exchange(
        [HumanMessage(text or "?", id=message_id), AIMessage("ok", id=f"{message_id}r")], turn=turn.name
    )
    return turn


def indexed(provider: InMemoryProvider) -> set[str]:
    return {record.id for records in provider._users.values() for record in records.values()}


def current(kernel: MemoryKernel) -> set[str]:
    return {i.id for i in kernel.export_user("mira") if i.status == "current"}


def test_readers_and_the_index_follow_and_so_does_the_next_process(make_kernel: MakeKernel) -> None:
    provider = InMemoryProvider()
    with make_kernel(provider=provider) as kernel:
        first = say(kernel, None, "a", "=Lisbon", "likes tea")
        second = say(kernel, first.name, "b", "=Porto", "likes rain")
        assert {i.text for i in agent_of(kernel).recall("city")} >= {"Porto", "likes rain"}
        turn = say(kernel, first.name, "c", back=True)
        assert {i.text for i in turn.taken_back if i.memory_type == "profile"} == {"Porto", "likes rain"}
        assert [i.text for i in turn.restored] == ["Lisbon"]
        texts = {i.text for i in agent_of(kernel).recall("city")}
        assert "Lisbon" in texts
        assert not {"Porto", "likes rain"} & texts
        assert kernel.flush()
        assert indexed(provider) == current(kernel)
        assert kernel.status()["unindexed"] == 0
    with make_kernel(provider=provider) as kernel:
        back = say(kernel, second.name, "d", back=True)
        assert {i.text for i in back.restored if i.memory_type == "profile"} == {"Porto", "likes rain"}
        assert "Porto" in {i.text for i in agent_of(kernel).recall("city")}
        assert kernel.flush()
        assert indexed(provider) == current(kernel)


def test_what_is_restored_and_not_embedded_yet_is_finished_by_the_next_process(make_kernel: MakeKernel) -> None:
    embeddings = Stuck("Lisbon")
    with make_kernel(embeddings=Stuck("nobody says this")) as kernel:
        first = say(kernel, None, "a", "=Lisbon")
        say(kernel, first.name, "b", "=Porto")
        assert kernel.flush()
    kernel = make_kernel(embeddings=embeddings, barrier_timeout_ms=50, embed_timeout_ms=60_000)
    kernel.begin_turn("mira", "t", {"c": "?"}, new=["c"], after=first.name, from_checkpoint=True)
    injection = agent_of(kernel).inject("Which city?")
    assert injection.barrier.timed_out, "the reader waited for it as for any write"
    embeddings.release()
    kernel.close()
    with make_kernel(embeddings=Stuck("nobody says this")) as kernel:
        assert kernel.flush()
        assert {i.text for i in agent_of(kernel).recall("city")} >= {"Lisbon"}


def test_an_item_that_is_taken_back_before_readers_saw_it_holds_nobody_up(make_kernel: MakeKernel) -> None:
    embeddings = Stuck("Porto")
    kernel = make_kernel(embeddings=embeddings, embed_timeout_ms=60_000)
    first = say(kernel, None, "a", "likes tea")
    until(lambda: not kernel.barrier.pending("mira", kernel.barrier.snapshot("mira")))
    turn = kernel.begin_turn("mira", "t", {"b": "x"}, new=["b"], after=first.name)
    agent_of(kernel).create_memory(
        "Porto",
        memory_type="profile",
        source={"thread_id": "t", "message_id": "b", "turn": turn.name},
    )
    kernel.begin_turn("mira", "t", {"c": "?"}, new=["c"], after=first.name, from_checkpoint=True)
    injection = agent_of(kernel).inject("What tea?")
    assert not injection.barrier.timed_out
    assert "likes tea" in injection.block
    assert "Porto" not in injection.block


def test_of_many_turns_that_follow_the_same_one_exactly_one_stands(kernel: MemoryKernel) -> None:
    first = say(kernel, None, "a", "likes tea")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: say(kernel, first.name, f"m{n}", f"=city {n}", f"fact {n}", back=True), range(16)))
    last = say(kernel, first.name, "z", "=Faro", back=True)
    assert holding(kernel) == ["Faro", "likes tea"]
    kernel.resume_turn("mira", "t", first.name)
    assert holding(kernel) == ["likes tea"]
    assert kernel.resume_turn("mira", "t", last.name).restored
    assert holding(kernel) == ["Faro", "likes tea"]
    assert kernel.resume_turn("nobody", "t", last.name) == Turn(name=last.name)


def test_a_fact_of_two_threads_falls_with_the_second_of_them_only(kernel: MemoryKernel) -> None:
    agent = agent_of(kernel)
    for thread in ("t", "u"):
        turn = kernel.begin_turn("mira", thread, {"m": "tea"}, new=["m"])
        source = {"thread_id": thread, "message_id": "m", "turn": turn.name}
        agent.create_memory("likes tea", memory_type="profile", source=source)
    for thread, left in (("t", ["likes tea"]), ("u", [])):
        kernel.begin_turn("mira", thread, {"n": "?"}, new=["n"], from_checkpoint=True)
        assert holding(kernel) == left


def test_no_text_of_a_message_is_in_the_record_and_nothing_of_it_is_left_after_an_erasure(
    make_kernel: MakeKernel, tmp_path: Path
) -> None:
    kernel = make_kernel()
    turn = kernel.begin_turn("mira", "thread-canary", {"message-canary": "text-canary"}, new=["message-canary"])
    assert files_with(tmp_path, "message-canary")
    assert files_with(tmp_path, "text-canary") == []
    removed = kernel.forget_user("mira").removed
    assert removed["ledger.readings"] == 1
    for word in ("thread-canary", "message-canary", turn.name):
        assert files_with(tmp_path, word) == []


def test_bad_ids_are_refused(kernel: MemoryKernel) -> None:
    for user, thread in (("", "t"), ("agent:A", "t"), ("mira", 7)):
        with pytest.raises(InvalidMemory):
            kernel.begin_turn(user, thread, {"m": "x"}, new=["m"])  # type: ignore[arg-type]
    assert kernel.users() == []


def test_the_record_of_what_was_taken_back_holds_no_text(make_kernel: MakeKernel) -> None:
    kernel = make_kernel()
    first = say(kernel, None, "a", "likes tea")
    say(kernel, first.name, "b", "text-canary")
    say(kernel, first.name, "c", back=True)
    assert kernel.flush()
    [entry] = [e for e in kernel.audit("mira") if e.get("action") == "followed the thread"]
    assert len(entry["taken_back"]) == 2, "the fact and the message; the reply was given elsewhere as well"
    assert "text-canary" not in str(entry)
    with make_kernel(subdir="quiet", audit=False) as quiet:
        first = say(quiet, None, "a", "likes tea")
        say(quiet, None, "b", back=True)
        assert quiet.flush()
        assert quiet.audit("mira") == []
