"""Invariant 5: whose memories a request is about is resolved in one place, in order, and is never a guess."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from memory_kernel import IdentityMismatch, InvalidMemory, MemoryKernel, SessionTaken, WriteForbidden
from memory_kernel.identity import AGENT_PREFIX, MAX_SESSION_CHARS, resolve


def chain(attached: str | None = None, session: str | None = None, seen: frozenset[str] = frozenset()) -> Any:
    return resolve("Helper", attached=attached, session_user=lambda: session, observed=lambda: seen)


@pytest.mark.parametrize(
    ("known", "user_id", "source"),
    [
        ({"attached": "a", "session": "b", "seen": frozenset("c")}, "a", "request"),
        ({"session": "b", "seen": frozenset("c")}, "b", "session"),
        ({"seen": frozenset("c")}, "c", "observed"),
        ({"seen": frozenset("cd")}, "agent:Helper", "agent"),
        ({}, "agent:Helper", "agent"),
    ],
    ids=["the request", "the session", "the only one seen", "never a guess among several", "nobody known"],
)
def test_the_chain_takes_the_first_that_applies(known: dict[str, Any], user_id: str, source: str) -> None:
    assert (chain(**known).user_id, chain(**known).source) == (user_id, source)


def test_a_kernel_resolves_step_by_step(kernel: MemoryKernel) -> None:
    helper, other = kernel.register_agent("Helper"), kernel.register_agent("Other")

    def who(agent: Any = helper, **request: str) -> tuple[str, str]:
        identity = agent.inject("hello", **request).identity
        return identity.user_id, identity.source

    assert who(session_id="s1") == ("agent:Helper", "agent")
    assert who(session_id="s1", user_id="mira") == ("mira", "request")
    assert who(session_id="s1") == ("mira", "observed")
    assert who(session_id="s2") == ("agent:Helper", "agent"), "seen in another session only"
    assert who(other, session_id="s1") == ("agent:Other", "agent"), "seen by another agent only"
    assert who(session_id="s1", user_id="noor") == ("noor", "request")
    assert who(session_id="s1") == ("agent:Helper", "agent"), "two people were seen: no guess"
    kernel.register_session("s1", "mira")
    assert who(session_id="s1") == ("mira", "session")
    assert who(session_id="s1", user_id="noor") == ("noor", "request")
    assert who() == ("agent:Helper", "agent")


def test_observations_and_sessions_outlive_a_restart(make_kernel: Any) -> None:
    with make_kernel() as kernel:
        kernel.register_agent("Helper").inject("hello", user_id="mira", session_id="seen")
        kernel.register_session("given", "noor")
    with make_kernel() as kernel:
        helper = kernel.register_agent("Helper")
        assert helper.inject("hello", session_id="seen").identity.user_id == "mira"
        assert helper.inject("hello", session_id="given").identity.user_id == "noor"


def test_the_ledger_is_asked_only_as_far_down_the_chain_as_needed() -> None:
    def never() -> Any:
        raise AssertionError("asked although the answer was known")

    assert resolve("Helper", attached="a", session_user=never, observed=never).user_id == "a"
    assert resolve("Helper", attached=None, session_user=lambda: "b", observed=never).user_id == "b"


def test_an_agent_without_anybody_has_memories_of_its_own(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("Helper", may_write={"profile"})
    assert agent.create_memory("the build takes long", memory_type="profile").user_id == "agent:Helper"
    assert [i.text for i in agent.recall("build")] == ["the build takes long"]
    assert agent.recall("build", user_id="mira") == []
    assert agent.bind().inject("build").identity.source == "agent"


@pytest.mark.parametrize("user_id", ["agent:Other", AGENT_PREFIX, "agent:Helper2"])
def test_the_ids_of_other_agents_cannot_be_claimed(kernel: MemoryKernel, user_id: str) -> None:
    agent = kernel.register_agent("Helper", may_write={"profile"})
    for attempt in (
        lambda: agent.create_memory("x", memory_type="profile", user_id=user_id),
        lambda: agent.inject("x", user_id=user_id),
        lambda: agent.recall("x", user_id=user_id),
        lambda: agent.bind(user_id=user_id),
        lambda: kernel.register_session("s", user_id),
    ):
        with pytest.raises(InvalidMemory, match="belong to agents"):
            attempt()
    assert kernel.users() == []


@pytest.mark.parametrize(
    "bad",
    ["", 7, b"mira", ["mira"], "\ud800", "x" * (MAX_SESSION_CHARS + 1), True],
    ids=lambda value: ascii(value)[:12],
)
def test_what_cannot_be_an_id_is_refused_and_nothing_is_stored(kernel: MemoryKernel, bad: Any) -> None:
    agent = kernel.register_agent("Helper", may_write={"profile"})
    for attempt in (
        lambda: agent.create_memory("x", memory_type="profile", user_id=bad),
        lambda: agent.inject("x", user_id=bad),
        lambda: agent.inject("x", session_id=bad),
        lambda: kernel.register_session(bad, "mira"),
        lambda: kernel.register_session("s", bad),
        lambda: kernel.register_agent(bad),
        lambda: kernel.forget_user(bad),
    ):
        with pytest.raises(ValueError, match=r"must be|has|not valid"):
            attempt()
    assert kernel.users() == []


def test_of_two_who_register_one_session_at_once_exactly_one_wins(kernel: MemoryKernel) -> None:
    for round_ in range(10):
        together = threading.Barrier(8)

        def register(n: int, session: str = f"s{round_}", together: threading.Barrier = together) -> str:
            together.wait(20)
            try:
                kernel.register_session(session, f"user {n}")
            except SessionTaken:
                return "taken"
            return f"user {n}"

        with ThreadPoolExecutor(8) as threads:
            outcomes = list(threads.map(register, range(8)))
        winners = [outcome for outcome in outcomes if outcome != "taken"]
        assert len(winners) == 1
        assert kernel.register_agent("Helper").inject("x", session_id=f"s{round_}").identity.user_id == winners[0]


def test_registering_a_session_again_for_the_same_user_is_fine(kernel: MemoryKernel) -> None:
    kernel.register_session("s", "mira")
    kernel.register_session("s", "mira")
    with pytest.raises(PermissionError, match="registered to another user"):
        kernel.register_session("s", "noor")


def test_a_bound_handle_acts_for_nobody_else(kernel: MemoryKernel) -> None:
    bound = kernel.register_agent("Helper", may_write={"profile"}).bind("mira", "s1")
    mine = bound.create_memory("the canary sings", memory_type="profile")
    for request in ({"user_id": "noor"}, {"session_id": "s2"}, {"user_id": ""}, {"session_id": ""}):
        for attempt in (
            lambda r=request: bound.create_memory("x", memory_type="profile", **r),
            lambda r=request: bound.create_memories([{"content": "x", "memory_type": "profile"}], **r),
            lambda r=request: bound.retract_memory(mine.item_id, **r),
            lambda r=request: bound.inject("canary", **r),
            lambda r=request: bound.recall("canary", **r),
            lambda r=request: bound.llm_chat("canary", model=None, **r),
            lambda r=request: bound.keep_exchange(["canary"], **r),
            lambda r=request: bound.own_items("profile", **r),
            lambda r=request: bound.bind(**r),
        ):
            with pytest.raises(IdentityMismatch, match="bound to"):
                attempt()
    assert [i.id for i in kernel.export_user("mira")] == [mine.item_id]
    assert kernel.users() == ["mira"]
    assert bound.bind("mira", "s1") is bound
    assert (bound.user_id, bound.session_id) == ("mira", "s1")


def test_a_handle_bound_without_an_id_is_fixed_to_who_was_resolved(kernel: MemoryKernel) -> None:
    kernel.register_session("s1", "mira")
    bound = kernel.register_agent("Helper").bind(session_id="s1")
    assert bound.user_id == "mira"
    with pytest.raises(IdentityMismatch):
        bound.inject("x", user_id="noor")


def test_the_id_of_anothers_item_cannot_be_probed_or_retracted(kernel: MemoryKernel) -> None:
    one, other = (kernel.register_agent(n, may_write={"profile"}) for n in ("One", "Other"))
    theirs = one.create_memory("x", memory_type="profile", sharing_policy="shared", user_id="mira").item_id
    said = set()
    for agent, user, item_id in ((other, "mira", theirs), (one, "noor", theirs), (other, "mira", "no such id")):
        with pytest.raises(WriteForbidden) as refused:
            agent.retract_memory(item_id, user_id=user)
        said.add(str(refused.value).replace(item_id, "…").replace(agent.name, "…"))
    assert len(said) == 1
    assert [i.status for i in kernel.export_user("mira")] == ["current"]
