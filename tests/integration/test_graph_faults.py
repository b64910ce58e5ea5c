"""Whatever fails, the turn ends with a reply, says what is missing, and keeps what can be kept (invariant 9)."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

from graph.builder import build_graph
from memory_kernel import (
    BoundAgent,
    KernelConfig,
    MemoryKernel,
    MemoryRecord,
    ModelUnavailable,
    StoreUnavailable,
)
from memory_kernel.ledger.sqlite import SqliteLedger
from memory_kernel.providers.memory import InMemoryProvider
from nodes.assistant import FAILED
from nodes.extractors.model import ModelExtractor
from nodes.extractors.offline import OfflineExtractor
from nodes.producer import Producer, Proposal, UserWords
from nodes.profile_agent import ProfileAgent
from tests.support.models import AsyncHangingModel, AsyncScriptedModel, HangingModel, ScriptedModel
from tests.support.turns import WAYS, asay, failures, kept, reply, say, thread

TAUGHT = "My name is Mira Osk. I'm working on the zebra migration."
INVENTED = '{"facts": [{"evidence": "I adore Rust", "text": "Adores Rust"}]}'


# -- the chat model ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model_type", [ScriptedModel, AsyncScriptedModel])
def test_a_model_that_raises_gets_a_reply_that_says_so_and_only_the_users_words_are_kept(
    kernel: MemoryKernel, way: str, model_type: type[ScriptedModel]
) -> None:
    model = model_type(replies=[ConnectionError("no route to host")])
    state = WAYS[way](build_graph(kernel, model), TAUGHT)
    assert "could not get an answer from the language model" in reply(state)
    assert "ConnectionError: no route to host" in state["messages"][-1].additional_kwargs[FAILED]
    assert "Mira Osk" in state["block"]
    assert [i.text for i in kept(kernel, memory_type="conversation")] == [f"the user said: {TAUGHT}"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model_type", [HangingModel, AsyncHangingModel])
def test_a_model_that_hangs_gets_a_reply_that_says_so(
    kernel: MemoryKernel, way: str, model_type: type[ScriptedModel]
) -> None:
    # An async model that hangs hangs only in its coroutines; asked from a thread, this one is late in a thread.
    model = HangingModel() if way in ("invoke", "stream") else model_type(replies=["too late"])
    try:
        state = WAYS[way](build_graph(kernel, model, model_timeout_s=0.05), TAUGHT)
        assert "could not get an answer from the language model" in reply(state)
        assert [i.text for i in kept(kernel, memory_type="conversation")] == [f"the user said: {TAUGHT}"]
    finally:
        if isinstance(model, HangingModel):
            model.release()


def test_models_that_hang_in_threads_do_not_use_up_the_event_loops_own(kernel: MemoryKernel) -> None:
    model = HangingModel()
    graph = build_graph(kernel, model, model_timeout_s=0.1)

    async def many() -> list[dict[str, Any]]:
        first = await asyncio.gather(*(asay(graph, TAUGHT, user=f"user{i}") for i in range(40)))
        return [*first, await asay(graph, "Are you there?", user="user0")]

    try:
        states = asyncio.run(many())  # returns, although closing a loop waits for the threads of its executor
    finally:
        model.release()
    assert all("could not get an answer" in reply(state) for state in states)
    assert "zebra migration" in states[-1]["block"]


@pytest.mark.parametrize("way", WAYS)
def test_a_model_that_cannot_be_had_is_asked_for_again_at_the_next_turn(kernel: MemoryKernel, way: str) -> None:
    tries: list[int] = []

    def make() -> ScriptedModel:
        tries.append(1)
        if len(tries) == 1:
            raise ModelUnavailable("set OPENAI_API_KEY")
        return ScriptedModel(replies=["here"])

    graph = build_graph(kernel, make)
    assert "ModelUnavailable" in reply(WAYS[way](graph, TAUGHT))
    assert [reply(WAYS[way](graph, "And now?")) for _ in range(2)] == ["here", "here"]
    assert len(tries) == 2, "made once, then kept"


@pytest.mark.parametrize("rubbish", ["", "   ", AIMessage([]), AIMessage([{"type": "reasoning", "reasoning": "hm"}])])
def test_a_reply_without_words_ends_the_turn_and_is_not_kept(kernel: MemoryKernel, rubbish: Any) -> None:
    state = say(build_graph(kernel, ScriptedModel(replies=[rubbish])), TAUGHT)
    assert state["messages"][-1].type == "ai"
    assert len(kept(kernel, memory_type="conversation")) == 1


def test_a_reply_that_is_no_message_is_a_failure_of_the_model(kernel: MemoryKernel) -> None:
    state = say(build_graph(kernel, ScriptedModel(replies=[lambda _: 7])), TAUGHT)
    assert "could not get an answer" in reply(state)


# -- extractors and producers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "said",
    ["no JSON", '{"facts": 7}', '{"facts": [{"evidence": "I adore Rust", "text": "Adores Rust"}]}', OSError("x")],
)
def test_an_extractors_model_that_fails_or_invents_costs_its_facts_and_nothing_else(
    kernel: MemoryKernel, way: str, said: Any
) -> None:
    reader = ModelExtractor(ScriptedModel(replies=[said]), timeout_s=5, retries=0)
    state = WAYS[way](build_graph(kernel, ScriptedModel(replies=["ok"]), reader), TAUGHT)
    assert reply(state) == "ok"
    assert {note["action"] for note in state["writes"]} <= {"failed"}
    assert [i.memory_type for i in kept(kernel)] == ["conversation", "conversation"]


@pytest.mark.parametrize("way", WAYS)
def test_an_extractors_model_that_hangs_holds_up_the_turn_for_its_time_out_at_most(
    kernel: MemoryKernel, way: str
) -> None:
    hung = HangingModel()
    try:
        graph = build_graph(kernel, ScriptedModel(replies=["ok"]), ModelExtractor(hung, timeout_s=0.1, retries=0))
        state = WAYS[way](graph, TAUGHT)
    finally:
        hung.release()
    assert reply(state) == "ok"
    assert any("did not answer within 0.1 s" in problem for problem in failures(state))


class Awkward(Producer):
    """Proposes whatever it is given, or raises it."""

    name = "AwkwardAgent"
    may_write = frozenset({"profile"})

    def __init__(self, proposal: Any) -> None:
        self._proposal = proposal

    def propose(self, said: UserWords) -> Proposal:
        if isinstance(self._proposal, Exception):
            raise self._proposal
        return self._proposal  # type: ignore[no-any-return]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("proposal", "problem"),
    [
        (RuntimeError("out of order"), "RuntimeError: out of order"),
        (None, "AttributeError"),
        (Proposal(write=[{"content": "x", "memory_type": "no_such_type"}]), "unknown memory type 'no_such_type'"),
        (Proposal(write=[{"content": "x", "memory_type": "task_context"}]), "may write profile, not 'task_context'"),
        (Proposal(write=[{"content": "", "memory_type": "profile"}]), "content is empty"),
        (Proposal(write=[{"memory_type": "profile"}]), "content"),
        (Proposal(write=[{"content": "x", "memory_type": "profile", "user_id": "somebody_else"}]), "user_id"),
        (Proposal(write=[7]), "AttributeError"),  # type: ignore[list-item]
        (Proposal(problems=["could not read"]), "could not read"),
    ],
)
def test_a_producer_that_raises_or_proposes_rubbish_is_noted_and_the_others_go_on(
    kernel: MemoryKernel, way: str, proposal: Any, problem: str
) -> None:
    producers = [Awkward(proposal), ProfileAgent(OfflineExtractor())]
    state = WAYS[way](build_graph(kernel, ScriptedModel(replies=["ok"]), producers=producers), TAUGHT)
    assert reply(state) == "ok"
    assert any(problem in said for said in failures(state)), failures(state)
    assert "Mira Osk" in state["block"]
    assert {i.user_id for u in kernel.users() for i in kernel.export_user(u)} == {"mira"}


# -- the store -----------------------------------------------------------------------------------------------------

BROKEN = [
    StoreUnavailable("the ledger cannot be used: database or disk is full"),
    OSError(errno.ENOSPC, "No space left on device"),
    sqlite3.IntegrityError("constraint failed"),
    RuntimeError("anything else"),
]


def raising(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("error", BROKEN, ids=lambda e: type(e).__name__)
def test_a_store_that_cannot_be_written_costs_the_memories_of_the_turn_and_says_so(
    kernel: MemoryKernel, way: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]))
    say(graph, TAUGHT)
    before = kept(kernel)
    monkeypatch.setattr(SqliteLedger, "accept", raising(error))
    state = WAYS[way](graph, "I prefer answers in French. I'm working on the yak shaving.")
    assert reply(state) == "ok"
    assert {note["agent"] for note in state["writes"] if note["action"] == "failed"} == {
        "ProfileAgent",
        "TaskAgent",
        "AssistantAgent",
    }
    assert all(str(error) in problem for problem in failures(state))
    assert "zebra migration" in state["block"], "what was known before is still read"
    monkeypatch.undo()
    assert kept(kernel) == before
    assert "French" in say(graph, "I prefer answers in French.")["block"], "and the next turn writes again"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("error", BROKEN, ids=lambda e: type(e).__name__)
def test_a_store_that_cannot_be_read_costs_the_block_and_the_trace_says_so(
    kernel: MemoryKernel, way: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]))
    say(graph, TAUGHT)
    monkeypatch.setattr(SqliteLedger, "find_partition", raising(error))
    state = WAYS[way](graph, "What am I working on?")
    assert reply(state) == "ok"
    assert state["block"] == ""
    assert str(error) in state["trace"]["problems"][0]
    assert state["trace"]["identity"] == {"user_id": "mira"}
    monkeypatch.undo()
    assert "zebra migration" in say(graph, "What am I working on?")["block"]


@pytest.mark.parametrize("way", WAYS)
def test_a_store_that_cannot_be_opened_is_tried_again_at_the_next_turn(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened() -> MemoryKernel:
        return MemoryKernel.open(KernelConfig(data_dir=tmp_path / "m"), provider=InMemoryProvider())

    first = opened()
    others: list[MemoryKernel] = []

    def access() -> MemoryKernel:
        others.append(opened())
        return others[-1]

    graph = build_graph(access, ScriptedModel(replies=["ok"]))
    state = WAYS[way](graph, TAUGHT)
    assert reply(state) == "ok"
    assert "is open in another kernel" in state["trace"]["problems"][0]
    first.close()
    try:
        assert "zebra migration" in WAYS[way](graph, TAUGHT)["block"]
        assert len(others) == 1, "opened once, however many nodes ask at once"
    finally:
        others[0].close()


def test_a_closed_kernel_ends_no_turn(kernel: MemoryKernel) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]))
    say(graph, TAUGHT)
    kernel.close()
    state = say(graph, TAUGHT)
    assert reply(state) == "ok"
    assert any("closed" in problem for problem in state["trace"]["problems"])


class BrokenProvider(InMemoryProvider):
    """Fails at every call."""

    def add_memory(self, records: Sequence[MemoryRecord]) -> None:
        raise ConnectionError("the index is down")

    def get_all(self, user_id: str) -> Iterable[MemoryRecord]:
        raise ConnectionError("the index is down")


@pytest.mark.parametrize("way", WAYS)
def test_an_index_that_is_down_costs_no_memory(tmp_path: Path, way: str) -> None:
    kernel = MemoryKernel.open(KernelConfig(data_dir=tmp_path / "m"), provider=BrokenProvider())
    try:
        graph = build_graph(kernel, ScriptedModel(replies=["ok"]))
        WAYS[way](graph, TAUGHT)
        assert "zebra migration" in WAYS[way](graph, "What am I working on?")["block"]
    finally:
        kernel.close(timeout_s=0.1)


# -- nodes that run again ------------------------------------------------------------------------------------------


class Killed(BaseException):
    """What a node cannot catch: the process is going down."""


def _killed_once_after(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    original = getattr(BoundAgent, method)
    dead: list[int] = []

    def write_and_die(self: BoundAgent, *args: Any, **options: Any) -> Any:
        done = original(self, *args, **options)
        if not dead:
            dead.append(1)
            raise Killed
        return done

    monkeypatch.setattr(BoundAgent, method, write_and_die)


@pytest.mark.parametrize("method", ["create_memories", "keep_exchange"])
def test_a_turn_that_dies_after_a_write_and_is_resumed_writes_nothing_twice(
    kernel: MemoryKernel, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]), checkpointer=InMemorySaver())
    _killed_once_after(method, monkeypatch)
    with pytest.raises(Killed):
        say(graph, TAUGHT, config=thread("t"), durability="sync")
    assert kept(kernel), "it died after the write"
    state = say(graph, None, config=thread("t"), durability="sync")
    assert reply(state) == "ok"
    texts = [i.text for i in kept(kernel)]
    assert sorted(texts) == sorted(set(texts))
    assert len(texts) == 4, "two facts, two messages"
    assert "zebra migration" in state["block"]


def test_a_turn_that_dies_before_its_reply_is_made_up_for_by_the_next_message(
    kernel: MemoryKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]), checkpointer=InMemorySaver())
    _killed_once_after("create_memories", monkeypatch)
    with pytest.raises(Killed):
        say(graph, TAUGHT, config=thread("t"), durability="sync")
    state = say(graph, "Hello?", config=thread("t"))
    assert "zebra migration" in state["block"]
    assert "Mira Osk" in state["block"]
    texts = [i.text for i in kept(kernel)]
    assert sorted(texts) == sorted(set(texts))
    assert len(texts) == 5, "two facts, two messages of the user, one reply"


@pytest.mark.parametrize("node", ["profile_agent", "kernel", "assistant", "remember"])
def test_running_again_from_any_checkpoint_of_a_turn_writes_nothing_twice(kernel: MemoryKernel, node: str) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]), checkpointer=InMemorySaver())
    say(graph, TAUGHT, config=thread("t"), durability="sync")
    before = [i.id for i in kept(kernel)]
    start = next(s for s in graph.get_state_history(thread("t")) if node in s.next)
    for _ in range(3):
        state = say(graph, None, config=start.config, durability="sync")
        assert reply(state) == "ok"
    assert [i.id for i in kept(kernel)] == before
