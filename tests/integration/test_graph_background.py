"""Extraction behind the reply: what a turn waits for, what the next one sees, and that nothing is lost or left open."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph

from graph.builder import build_graph
from memory_kernel import BoundAgent, MemoryKernel, background
from nodes.context import Context, KernelAccess
from nodes.extraction import Problem
from nodes.producer import Producer, ProducerNode, Proposal, Retraction, UserWords
from nodes.state import InputState, OutputState, State
from tests.support.models import AsyncScriptedModel, ScriptedModel
from tests.support.turns import WAYS, asay, failures, files_with, kept, reply, say, thread
from tests.support.waiting import until


class SlowAgent(Producer):
    """Remembers each message as it is; reads one only when it is let, user by user."""

    name = "SlowAgent"
    may_write = frozenset({"profile"})

    def __init__(self) -> None:
        self.let = threading.Event()
        self.stuck: set[str] = set()
        """Messages that wait for `let` are those that hold one of these words; all, if there are none."""
        self.read: list[str] = []
        self.began: list[str] = []

    def propose(self, said: UserWords) -> Proposal:
        self.began.append(said.text)
        if not self.stuck or any(word in said.text for word in self.stuck):
            assert self.let.wait(30)
        self.read.append(said.text)
        if said.text.startswith("Forget"):
            return Proposal(retract=[Retraction("profile", said.text.removeprefix("Forget "))])
        if said.text.startswith("Fail"):
            raise RuntimeError("out of order")
        return Proposal(write=[{"content": said.text, "memory_type": "profile"}])


@pytest.fixture
def slow() -> Iterator[SlowAgent]:
    agent = SlowAgent()
    yield agent
    agent.let.set()


def graph_of(
    kernel: MemoryKernel, *agents: Producer, model: type[ScriptedModel] = ScriptedModel, **options: Any
) -> Any:
    asked: dict[str, Any] = {"extraction": "background", "requests": False, **options}  # the agents here read all
    return build_graph(kernel, model(replies=["ok"]), producers=agents, **asked)


def profile(kernel: MemoryKernel, user: str = "mira") -> list[str]:
    return [i.text for i in kept(kernel, user, "profile") if i.status == "current"]


# -- what a turn waits for -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_a_turn_is_answered_while_its_words_are_read_and_the_next_read_sees_them(
    kernel: MemoryKernel, slow: SlowAgent, way: str
) -> None:
    graph = graph_of(kernel, slow, checkpointer=InMemorySaver())
    state = WAYS[way](graph, "I keep bees.", config=thread("t"))
    assert reply(state) == "ok"
    assert slow.read == [], "nothing was read when the reply was there"
    assert [(n["agent"], n["action"]) for n in state["writes"]] == [("SlowAgent", "reading")]
    assert state["trace"]["barrier"]["timed_out"] is False
    assert state["trace"]["barrier"]["pending"] == 0
    assert "bees" not in state["block"]
    slow.let.set()
    state = WAYS[way](graph, "What do I keep?", config=thread("t"))
    assert "I keep bees." in state["block"]
    assert state["trace"]["barrier"]["timed_out"] is False


def test_the_next_read_waits_for_what_is_still_being_read(kernel: MemoryKernel, slow: SlowAgent) -> None:
    say(graph_of(kernel, slow), "I keep bees.")
    reader = kernel.register_agent("Reader")
    until(lambda: slow.began)
    threading.Timer(0.05, slow.let.set).start()
    injection = reader.inject("bees?", user_id="mira")
    assert "I keep bees." in injection.block
    assert injection.barrier.waited_ms > 0


@pytest.mark.parametrize("way", WAYS)
def test_a_read_gives_up_waiting_after_its_time_out_and_says_how_much_is_missing(
    make_kernel: Callable[..., MemoryKernel], slow: SlowAgent, way: str
) -> None:
    kernel = make_kernel(barrier_timeout_ms=20)
    slow.stuck = {"bees"}
    graph = graph_of(kernel, slow, checkpointer=InMemorySaver())
    WAYS[way](graph, "I keep bees.", config=thread("t"))
    WAYS[way](graph, "I have bees too.", config=thread("t"))
    barrier = WAYS[way](graph, "And now?", config=thread("t"))["trace"]["barrier"]
    assert (barrier["timed_out"], barrier["pending"]) == (True, 2)


class Timed(Producer):
    """Takes 300 ms for a message."""

    name = "TimedAgent"
    may_write = frozenset({"profile"})

    def propose(self, said: UserWords) -> Proposal:
        time.sleep(0.3)  # the scripted delay itself
        return Proposal(write=[{"content": said.text, "memory_type": "profile"}])


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
def test_a_producer_that_takes_300_ms_delays_an_inline_turn_and_not_one_in_the_background(
    make_kernel: Callable[..., MemoryKernel], way: str
) -> None:
    took: dict[str, list[float]] = {"inline": [], "background": []}
    for mode in ("inline", "background"):
        kernel = make_kernel(subdir=mode)
        graph = build_graph(kernel, ScriptedModel(replies=["ok"]), producers=[Timed()], extraction=mode)  # type: ignore[arg-type]
        WAYS[way](graph, "I warm up.")
        for n in range(3):
            assert kernel.flush()
            started = time.perf_counter()
            WAYS[way](graph, f"My number is {n}.")
            took[mode].append(time.perf_counter() - started)
        assert "My number is 2." in kernel.register_agent("Reader").inject("number?", user_id="mira").block
    assert min(took["inline"]) > 0.3
    assert sorted(took["background"])[1] < 0.5 * sorted(took["inline"])[1]


@pytest.mark.parametrize("way", WAYS)
def test_a_turn_still_waits_for_writes_that_are_not_its_own(
    make_kernel: Callable[..., MemoryKernel], slow: SlowAgent, way: str
) -> None:
    kernel = make_kernel(barrier_timeout_ms=20)
    kernel.barrier.acquire("mira")  # somebody else's write, accepted and never visible
    barrier = WAYS[way](graph_of(kernel, slow), "I keep bees.")["trace"]["barrier"]
    assert (barrier["timed_out"], barrier["pending"]) == (True, 1)


# -- order and independence ----------------------------------------------------------------------------------------


def test_the_turns_of_a_user_are_written_in_the_order_in_which_they_were_said(
    make_kernel: Callable[..., MemoryKernel], slow: SlowAgent
) -> None:
    kernel = make_kernel(barrier_timeout_ms=0)  # the turns do not wait for each other
    graph = graph_of(kernel, slow, checkpointer=InMemorySaver())
    slow.stuck = {"bees"}
    said = ["I keep bees.", "Forget I keep bees", "I keep ducks.", "Forget I keep ducks", "I keep cats."]
    for text in said:
        say(graph, text, config=thread("t"))
    slow.let.set()
    assert kernel.flush("mira")
    assert slow.read == said
    assert profile(kernel) == ["I keep cats."]
    numbers = [i.seq_no for i in kept(kernel, "mira", "profile")]
    assert numbers == sorted(numbers)


def test_one_users_stuck_model_holds_up_no_other(make_kernel: Callable[..., MemoryKernel], slow: SlowAgent) -> None:
    kernel = make_kernel(barrier_timeout_ms=0)
    graph = graph_of(kernel, slow)
    slow.stuck = {"stuck"}
    for n in range(3):
        say(graph, f"I am stuck {n}.", user="noor")
    for n in range(20):
        user = f"user{n}"
        say(graph, "I keep bees.", user=user)
        assert kernel.flush(user)
        assert profile(kernel, user) == ["I keep bees."]
    assert slow.read.count("I keep bees.") == 20
    assert profile(kernel, "noor") == []


@pytest.mark.parametrize("way", WAYS)
def test_what_is_too_much_for_the_queue_is_read_in_the_turn_and_written_after_what_waits(
    kernel: MemoryKernel, slow: SlowAgent, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "MAX_WAITING_OF_ONE", 1)
    slow.stuck = {"bees"}
    graph = graph_of(kernel, slow)
    assert [n["action"] for n in WAYS[way](graph, "I keep bees.")["writes"]] == ["reading"]
    threading.Timer(0.05, slow.let.set).start()
    assert [n["action"] for n in WAYS[way](graph, "Forget I keep bees")["writes"]] == ["retracted"]
    assert profile(kernel) == []


# -- every reservation ends ----------------------------------------------------------------------------------------


def test_a_producer_that_fails_lets_the_next_read_go_and_the_operator_reads_why(
    kernel: MemoryKernel, slow: SlowAgent
) -> None:
    slow.let.set()
    state = say(graph_of(kernel, slow), "Fail me.")
    assert failures(state) == []
    assert kernel.flush()
    (problem,) = kernel.problems("mira")
    assert (problem["agent"], problem["kind"]) == ("SlowAgent", "error")
    assert problem["detail"] == "RuntimeError: out of order"
    assert kernel.register_agent("Reader").inject("?", user_id="mira").barrier.timed_out is False


class Quiet(Producer):
    """Has nothing to say."""

    name = "QuietAgent"
    may_write = frozenset({"profile"})

    def propose(self, said: UserWords) -> Proposal:
        return Proposal()


def test_a_producer_that_has_nothing_to_say_or_never_comes_back_lets_the_next_read_go(
    kernel: MemoryKernel, slow: SlowAgent
) -> None:
    graph = StateGraph(State, context_schema=Context, input_schema=InputState, output_schema=OutputState)
    for producer in (slow, Quiet()):
        node = ProducerNode(KernelAccess(kernel), producer, timeout_s=0.05, extraction="background")
        graph.add_node(producer.name, node.runnable())
        graph.add_edge(START, producer.name)
    state = say(graph.compile(), "I keep bees.")  # type: ignore[arg-type]
    assert [n["action"] for n in state["writes"]] == ["reading", "reading"]
    assert kernel.flush()
    assert kernel.barrier.pending("mira", 10**9) == 0
    assert [p["agent"] for p in kernel.problems("mira")] == ["SlowAgent"]
    assert "no answer within 0.05 s" in kernel.problems("mira")[0]["detail"]


class Exits(Producer):
    """Tries to end the process."""

    name = "ExitingAgent"
    may_write = frozenset({"profile"})

    def propose(self, said: UserWords) -> Proposal:
        raise SystemExit(3)


def test_a_producer_that_tries_to_end_the_process_costs_its_message_only(kernel: MemoryKernel, slow: SlowAgent) -> None:
    slow.let.set()
    graph = graph_of(kernel, Exits(), slow)
    for n in range(20):
        say(graph, f"My number is {n}.")
    assert kernel.flush("mira")
    assert len(profile(kernel)) == 20
    assert kernel.barrier.pending("mira", 10**9) == 0


async def test_a_run_that_is_cancelled_after_the_reservation_loses_nothing(
    kernel: MemoryKernel, slow: SlowAgent
) -> None:
    answering = asyncio.Event()

    class Endless(AsyncScriptedModel):
        async def _agenerate(self, *_: Any, **__: Any) -> Any:
            answering.set()
            await asyncio.Event().wait()

    graph = graph_of(kernel, slow, model=Endless)
    turn = asyncio.create_task(asay(graph, "I keep bees."))
    await asyncio.wait_for(answering.wait(), 10)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    slow.let.set()
    assert await kernel.aflush("mira")
    assert profile(kernel) == ["I keep bees."]


def test_a_node_that_runs_again_reserves_and_writes_nothing_twice(kernel: MemoryKernel, slow: SlowAgent) -> None:
    graph = graph_of(kernel, slow, checkpointer=InMemorySaver())
    first = say(graph, "I keep bees.", config=thread("t"), durability="sync")
    start = next(s for s in graph.get_state_history(thread("t")) if "slow_agent" in s.next)
    again = [say(graph, None, config=start.config, durability="sync") for _ in range(3)]
    numbers = {note["seq_no"] for state in (first, *again) for note in state["writes"]}
    assert len(numbers) == 1, "while the message waits, its place is the one it has"
    slow.let.set()
    assert kernel.flush("mira")
    say(graph, None, config=start.config, durability="sync")
    assert kernel.flush("mira")
    assert profile(kernel) == ["I keep bees."]
    assert kernel.barrier.pending("mira", 10**9) == 0


class Killed(BaseException):
    """What a node cannot catch: the process is going down."""


def test_a_turn_that_dies_after_its_reservation_and_is_resumed_leaves_none_open(
    kernel: MemoryKernel, slow: SlowAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, numbers = BoundAgent.defer, []

    def reserve_and_die(self: BoundAgent, *args: Any, **options: Any) -> Any:
        numbers.append(original(self, *args, **options))
        if len(numbers) == 1:
            raise Killed
        return numbers[-1]

    monkeypatch.setattr(BoundAgent, "defer", reserve_and_die)
    graph = graph_of(kernel, slow, checkpointer=InMemorySaver())
    with pytest.raises(Killed):
        say(graph, "I keep bees.", config=thread("t"), durability="sync")
    state = say(graph, None, config=thread("t"), durability="sync")
    assert reply(state) == "ok"
    assert state["trace"]["barrier"]["timed_out"] is False
    assert [note["seq_no"] for note in state["writes"]] == numbers[:1] == numbers[1:]
    slow.let.set()
    assert kernel.flush("mira")
    assert profile(kernel) == ["I keep bees."]
    assert kernel.barrier.pending("mira", 10**9) == 0


def test_many_users_who_talk_at_once_lose_nothing_and_leave_nothing_open(kernel: MemoryKernel) -> None:
    agent = SlowAgent()
    agent.let.set()
    graph = graph_of(kernel, agent, Complaining())
    users = [f"user{n}" for n in range(12)]

    def talk(user: str) -> None:
        for n in range(10):
            state = say(graph, f"{user} has number {n}.", user=user)
            assert n == 0 or f"{user} has number {n - 1}." in state["block"]
            assert state["trace"]["barrier"]["timed_out"] is False

    with ThreadPoolExecutor(len(users)) as threads:
        list(threads.map(talk, users))
    assert kernel.flush()
    for user in users:
        assert profile(kernel, user) == [f"{user} has number {n}." for n in range(10)]
        assert kernel.barrier.pending(user, 10**9) == 0
        assert len(kernel.problems(user)) == 10
    assert kernel.status()["deferred"] == 0


# -- the end of a user, of a kernel, of a process ------------------------------------------------------------------


def test_what_is_read_of_a_user_who_was_erased_meanwhile_is_refused_and_brings_nothing_back(
    make_kernel: Callable[..., MemoryKernel], slow: SlowAgent, tmp_path: Path
) -> None:
    kernel = make_kernel(barrier_timeout_ms=0)
    graph = graph_of(kernel, slow)
    for animal in ("bees", "ducks", "cats"):
        say(graph, f"I keep {animal}.")
    until(lambda: slow.began == ["I keep bees."])
    receipt = kernel.forget_user("mira")
    assert receipt.complete
    assert receipt.removed["ledger.deferred"] == 3
    assert files_with(tmp_path / "store", "bees") == []
    slow.let.set()
    assert kernel.flush()
    assert slow.began == ["I keep bees."], "what waited is not read any more"
    assert kernel.users() == []
    assert list(kernel.export_user("mira")) == []
    assert kernel.barrier.pending("mira", 10**9) == 0
    say(graph, "I keep goats.")
    assert kernel.flush()
    assert profile(kernel) == ["I keep goats."]


def test_closing_finishes_what_it_can(make_kernel: Callable[..., MemoryKernel], slow: SlowAgent) -> None:
    kernel = make_kernel()
    say(graph_of(kernel, slow), "I keep bees.")
    threading.Timer(0.05, slow.let.set).start()
    kernel.close()
    assert profile(make_kernel()) == ["I keep bees."]


def test_closing_gives_up_in_time_says_so_and_the_next_process_takes_it_up(
    make_kernel: Callable[..., MemoryKernel], slow: SlowAgent, caplog: pytest.LogCaptureFixture
) -> None:
    kernel = make_kernel()
    graph = graph_of(kernel, slow)
    say(graph, "I keep bees.")
    say(graph, "I keep ducks.", user="noor")
    with caplog.at_level(logging.WARNING):
        kernel.close(timeout_s=0.05)
    assert "2 deferred tasks undone" in caplog.text
    later = SlowAgent()
    later.let.set()
    again = make_kernel()
    state = say(graph_of(again, later), "What do I keep?")
    assert "I keep bees." in state["block"], "read before this turn's reply, since it was said before"
    assert again.flush()
    assert profile(again, "noor") == ["I keep ducks."]
    assert again.status()["deferred"] == 0


def test_what_was_left_is_also_taken_up_by_a_graph_that_reads_inline(
    make_kernel: Callable[..., MemoryKernel], slow: SlowAgent
) -> None:
    kernel = make_kernel()
    say(graph_of(kernel, slow), "I keep bees.")
    kernel.close(timeout_s=0.05)
    later = SlowAgent()
    later.let.set()
    again = make_kernel()
    state = say(build_graph(again, ScriptedModel(replies=["ok"]), producers=[later]), "What do I keep?")
    assert "I keep bees." in state["block"]


KILLED = """
import os, sys, threading
from pathlib import Path
from graph.builder import build_graph
from memory_kernel import KernelConfig, MemoryKernel
from memory_kernel.providers.memory import InMemoryProvider
from tests.integration.test_graph_background import SlowAgent, graph_of
from tests.support.embedders import Words
from tests.support.turns import say
config = KernelConfig(data_dir=Path(sys.argv[1]), relevance_threshold=0.0)
kernel = MemoryKernel.open(config, provider=InMemoryProvider(), embeddings=Words(in_process=True))
print(say(graph_of(kernel, SlowAgent()), "I keep bees.")["messages"][-1].text, flush=True)
os.kill(os.getpid(), 9)
"""


def test_what_a_killed_process_had_not_read_is_read_by_the_next(
    make_kernel: Callable[..., MemoryKernel], slow: SlowAgent, tmp_path: Path
) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "store")], capture_output=True, timeout=60)
    assert (done.stdout.strip(), done.returncode) == (b"ok", -9), done.stderr.decode()
    kernel = make_kernel()
    slow.let.set()
    state = say(graph_of(kernel, slow), "What do I keep?")
    assert "I keep bees." in state["block"]
    assert slow.read.count("I keep bees.") == 1


# -- what can be read of it ----------------------------------------------------------------------------------------


def test_the_audit_says_what_was_written_behind_a_reply_and_quotes_nothing(
    kernel: MemoryKernel, slow: SlowAgent
) -> None:
    slow.let.set()
    state = say(graph_of(kernel, slow), "I keep bees.")
    assert kernel.flush()
    (item,) = kept(kernel, "mira", "profile")
    assert item.seq_no == state["writes"][0]["seq_no"]
    (entry,) = [e for e in kernel.audit("mira") if "work" in e]
    assert (entry["agent"], entry["seq_no"]) == ("SlowAgent", item.seq_no)
    assert entry["work"] == [{"action": "wrote", "item_id": item.id}]
    assert "bees" not in str(entry)


def test_a_store_that_cannot_reserve_costs_the_words_and_not_the_turn(
    kernel: MemoryKernel, slow: SlowAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> Any:
        raise OSError("No space left on device")

    monkeypatch.setattr("memory_kernel.ledger.sqlite.SqliteLedger.defer", full)
    state = say(graph_of(kernel, slow), "I keep bees.")
    assert reply(state) == "ok"
    assert failures(state) == ["OSError: No space left on device"]


def test_a_mode_that_does_not_exist_is_refused_when_the_graph_is_built(kernel: MemoryKernel) -> None:
    with pytest.raises(ValueError, match='"inline" or "background"'):
        build_graph(kernel, ScriptedModel(replies=["ok"]), extraction="later")  # type: ignore[arg-type]


class Complaining(Producer):
    """Has nothing but a problem with what a model said."""

    name = "ComplainingAgent"
    may_write = frozenset({"profile"})

    def propose(self, said: UserWords) -> Proposal:
        return Proposal(problems=[Problem(kind="unreadable", detail="no JSON", raw=f"RAW {said.text}")])


@pytest.mark.parametrize("extraction", ["inline", "background"])
@pytest.mark.parametrize("way", WAYS)
def test_what_a_model_said_is_for_the_operator_and_in_no_state(kernel: MemoryKernel, way: str, extraction: Any) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]), producers=[Complaining()], extraction=extraction)
    state = WAYS[way](graph, "I keep bees.")
    assert kernel.flush()
    (problem,) = kernel.problems("mira")
    assert (problem["kind"], problem["detail"], problem["raw"]) == ("unreadable", "no JSON", "RAW I keep bees.")
    assert problem["message_id"] == state["messages"][0].id
    assert "RAW" not in str(state)
    assert failures(state) == (["unreadable: no JSON"] if extraction == "inline" else [])
    kernel.forget_user("mira")
    assert kernel.problems("mira") == []


@pytest.mark.parametrize("way", WAYS)
def test_what_is_still_being_read_is_not_said_to_be_unknown_when_it_is_to_be_forgotten(
    make_kernel: Callable[..., MemoryKernel], slow: SlowAgent, way: str
) -> None:
    kernel = make_kernel(barrier_timeout_ms=0)
    graph = graph_of(kernel, slow, requests=True)
    slow.stuck = {"bees"}
    say(graph, "I keep bees.")
    reply = WAYS[way](graph, "Forget that I keep bees")["messages"][-1].text
    assert "is still being read" in reply
    slow.let.set()
    assert kernel.flush("mira")
    reply = WAYS[way](graph, "Forget that I keep bees")["messages"][-1].text
    assert "is still being read" not in reply
    assert profile(kernel) == []
