"""A user's memory in their own hands: all of it theirs to retract, only what the asked agent may see shown."""

from __future__ import annotations

import pytest
from langchain_core.messages import HumanMessage

from memory_kernel import InvalidMemory, MemoryKernel
from memory_kernel.own_memory import THE_USER_ASKED


def write(kernel: MemoryKernel, text: str, *, policy: str = "shared", user: str = "mira", agent: str = "A") -> str:
    handle = kernel.register_agent(agent, may_write={"profile"})
    source = {"thread_id": "t", "message_id": f"message of {text}", "speaker": "user"}
    return handle.create_memory(text, memory_type="profile", sharing_policy=policy, user_id=user, source=source).item_id


def test_everything_is_held_and_only_what_the_agent_may_see_is_known(kernel: MemoryKernel) -> None:
    shared = write(kernel, "likes tea")
    hidden = write(kernel, "fears spiders", policy="private")
    write(kernel, "likes coffee", user="noor")
    mine = kernel.own_memory("mira", agent="B")
    assert [i.id for i in mine.held()] == [shared, hidden]
    assert [r.item.id for r in mine.known()] == [shared]
    assert [r.item.id for r in kernel.own_memory("mira", agent="A").known()] == [hidden, shared], "newest first"


def test_a_retraction_takes_what_was_said_with_it_and_nothing_of_another_user(kernel: MemoryKernel) -> None:
    tea = write(kernel, "likes tea")
    hers = write(kernel, "likes coffee", user="noor")
    talk = kernel.register_agent("B").bind(user_id="mira", session_id="t")
    talk.keep_exchange([HumanMessage("I like tea", id="message of likes tea"), HumanMessage("and rain", id="other")])
    mine = kernel.own_memory("mira", agent="B")
    taken = mine.retract([tea, hers, "unknown"])
    assert [i.text for i in taken] == ["likes tea", "the user said: I like tea"]
    assert [i.text for i in mine.held()] == ["the user said: and rain"]
    assert [i.status for i in kernel.export_user("noor")] == ["current"]
    assert mine.retract([tea]) == [], "it is out of use already"
    assert kernel.flush()
    [entry] = [e for e in kernel.audit("mira") if "retracted" in e]
    assert entry["reason"] == THE_USER_ASKED
    assert entry["retracted"] == [i.id for i in taken]


def test_an_unknown_user_has_nothing_and_is_not_made_known_by_asking(kernel: MemoryKernel) -> None:
    nobody = kernel.own_memory("nobody", agent="B")
    assert nobody.wait() is True
    assert (nobody.held(), nobody.known("tea"), nobody.retract(["x"])) == ([], [], [])
    assert kernel.users() == []


async def test_waiting_has_a_coroutine_twin(kernel: MemoryKernel) -> None:
    write(kernel, "likes tea")
    assert await kernel.own_memory("mira", agent="B").await_writes() is True


def test_a_bad_user_id_is_refused(kernel: MemoryKernel) -> None:
    with pytest.raises(InvalidMemory):
        kernel.own_memory("", agent="B")
