"""The history of the conversation: what was edited, regenerated or left on an abandoned branch teaches nothing, what is
still said holds, and nothing is taken back by mistake."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from graph.builder import Graph, build_graph
from memory_kernel import MemoryKernel, StoreUnavailable
from memory_kernel.lineage import ABANDONED, EDITED, REMOVED
from tests.conftest import MakeKernel
from tests.support.models import AsyncScriptedModel, ScriptedModel
from tests.support.threads import EVERY_STEP, SETTINGS, Teller, Thread, holding, remembered, threads
from tests.support.turns import asay, kept, say, thread

NewThread = Callable[..., Thread]


def answer(asked: list[BaseMessage]) -> str:
    return f"You said: {asked[-1].text}"


def build(kernel: MemoryKernel, saver: Any, **options: Any) -> Graph:
    model = AsyncScriptedModel(replies=[answer])
    return build_graph(kernel, model, checkpointer=saver, producers=[Teller()], **options)


@pytest.fixture(params=SETTINGS)
def new_thread(request: pytest.FixtureRequest, kernel: MemoryKernel, tmp_path: Path) -> Iterator[NewThread]:
    with threads(request.param, tmp_path / "sessions", lambda saver: build(kernel, saver)) as make:
        yield make


every_step = pytest.mark.parametrize("new_thread", EVERY_STEP, indirect=True)


def reasons(kernel: MemoryKernel, user: str = "mira") -> dict[str, str | None]:
    """Why what does not hold any more does not, by text."""
    return {i.text: i.reason for i in kept(kernel, user, "profile") if i.status == "retracted"}


# -- one message edited and run again ------------------------------------------------------------------------------


@every_step
def test_an_edited_message_that_is_run_again_teaches_what_it_says_now(
    new_thread: NewThread, kernel: MemoryKernel
) -> None:
    t = new_thread()
    t.say("likes tea; city = Porto")
    fork = t.edit(
        "likes tea; city = Porto", "likes coffee; city = Porto", t.before("route", ["likes tea; city = Porto"])
    )
    state = t.say(None, fork)
    assert holding(kernel) == ["Porto", "likes coffee"]
    assert reasons(kernel)["likes tea"] == EDITED
    assert remembered(kernel) == ["likes coffee; city = Porto", "You said: likes coffee; city = Porto"]
    taken_back = [note for note in state["writes"] if note["action"] == "retracted"]
    assert {(note["agent"], note["reason"]) for note in taken_back} == {("kernel", EDITED)}
    assert "likes tea" in [note.get("text") for note in taken_back]


@every_step
def test_a_fork_of_the_first_message_is_noticed_also_if_the_run_names_no_checkpoint(
    new_thread: NewThread, kernel: MemoryKernel
) -> None:
    t = new_thread()
    t.say("likes tea")
    t.say("likes rain")
    t.edit("likes tea", "likes coffee", t.before("route", ["likes tea"]))
    t.say(None)
    assert holding(kernel) == ["likes coffee"]
    assert reasons(kernel) == {"likes tea": EDITED, "likes rain": ABANDONED}


def test_the_same_message_with_other_words_sent_after_an_older_checkpoint_is_an_edit(
    new_thread: NewThread, kernel: MemoryKernel
) -> None:
    t = new_thread()
    t.say("likes rain")
    before = t.now()
    t.say([HumanMessage("likes tea", id="second")])
    t.say([HumanMessage("likes coffee", id="second")], before)
    assert holding(kernel) == ["likes coffee", "likes rain"]
    assert reasons(kernel) == {"likes tea": EDITED}


# -- branches ------------------------------------------------------------------------------------------------------


def test_every_turn_after_the_checkpoint_that_a_message_was_sent_to_is_abandoned(
    new_thread: NewThread, kernel: MemoryKernel
) -> None:
    t = new_thread()
    t.say("likes rain")
    before = t.now()
    t.say("likes tea")
    t.say("plays chess; (is shy)")
    state = t.say("likes coffee", before)
    assert holding(kernel) == ["likes coffee", "likes rain"]
    assert reasons(kernel) == dict.fromkeys(["likes tea", "plays chess", "is shy"], ABANDONED)
    assert "tea" not in state["block"]
    assert "chess" not in state["block"]
    notes = {note["item_id"]: note for note in state["writes"] if note["action"] == "retracted"}
    private = next(i for i in kept(kernel) if i.text == "is shy")
    assert private.id not in notes, "the assistant may not see it"
    t.say("likes snow")  # goes on from the kept branch
    assert holding(kernel) == ["likes coffee", "likes rain", "likes snow"]


def test_a_branch_that_is_taken_up_again_holds_again_and_the_other_does_not(
    new_thread: NewThread, kernel: MemoryKernel
) -> None:
    t = new_thread()
    t.say("city = Lisbon")
    fork = t.now()
    t.say("city = Porto; likes tea")
    first = t.now()
    t.say("city = Faro; likes coffee", fork)
    second = t.now()
    assert holding(kernel) == ["Faro", "likes coffee"]
    state = t.say("what now?", first)
    assert holding(kernel) == ["Porto", "likes tea"]
    assert "Porto" in state["block"]
    assert "Faro" not in state["block"]
    restored = {note.get("text") for note in state["writes"] if note["action"] == "restored"}
    assert restored == {"Porto", "likes tea"}
    t.say("and now?", second)
    assert holding(kernel) == ["Faro", "likes coffee"]
    assert "You said: city = Faro; likes coffee" in remembered(kernel)
    assert "You said: city = Porto; likes tea" not in remembered(kernel)


@every_step
def test_the_thread_can_be_begun_again_from_before_its_first_message(
    new_thread: NewThread, kernel: MemoryKernel
) -> None:
    t = new_thread()
    t.say("likes tea")
    t.say("likes rain")
    t.say("likes coffee", t.history()[-1].config)
    assert holding(kernel) == ["likes coffee"]
    assert remembered(kernel) == ["likes coffee", "You said: likes coffee"]


# -- regenerated and run again -------------------------------------------------------------------------------------


@every_step
def test_a_regenerated_reply_takes_the_place_of_the_old_one_and_nothing_else_changes(
    kernel: MemoryKernel, tmp_path: Path, new_thread: NewThread, request: pytest.FixtureRequest
) -> None:
    model = AsyncScriptedModel(replies=["the first", "the second", "the third"])
    setting = request.node.callspec.params["new_thread"]
    with threads(
        setting,
        tmp_path / "others",
        lambda saver: build_graph(kernel, model, checkpointer=saver, producers=[Teller()]),
    ) as make:
        t = make("regenerated")
        t.say("likes tea")
        profile = [i.model_dump() for i in kept(kernel, memory_type="profile")]
        t.say(None, t.before("assistant", ["likes tea"]))
        assert remembered(kernel) == ["likes tea", "the second"]
        state = t.say(None, t.before("route", ["likes tea"]))
        assert remembered(kernel) == ["likes tea", "the third"]
        assert [m.text for m in state["messages"]] == ["likes tea", "the third"]
        assert [i.model_dump() for i in kept(kernel, memory_type="profile")] == profile
        assert {note["action"] for note in state["writes"]} == {"already known"}


@every_step
@pytest.mark.parametrize("node", ["profile", "kernel", "assistant"])
def test_a_reply_regenerated_in_an_older_turn_abandons_what_came_after_it(
    new_thread: NewThread, kernel: MemoryKernel, node: str
) -> None:
    t = new_thread()
    t.say("likes rain")
    t.say("likes tea")
    state = t.say(None, t.before("teller" if node == "profile" else node, ["likes rain"]))
    assert holding(kernel) == ["likes rain"]
    assert remembered(kernel) == ["likes rain", "You said: likes rain"]
    assert {note["reason"] for note in state["writes"] if note["action"] == "retracted"} == {ABANDONED}


def test_a_turn_that_is_run_twice_teaches_nothing_twice(new_thread: NewThread, kernel: MemoryKernel) -> None:
    t = new_thread()
    t.say("likes rain")
    before = t.now()
    for _ in range(3):
        t.say([HumanMessage("city = Porto; likes tea; not likes rain", id="again")], before)
    assert holding(kernel) == ["Porto", "likes tea"]
    assert len(kept(kernel, memory_type="profile")) == 3
    assert len(remembered(kernel)) == 4


def test_a_turn_that_broke_off_and_is_run_again_teaches_nothing_twice(make_kernel: MakeKernel) -> None:
    saver = InMemorySaver()
    with make_kernel() as kernel:
        graph = build(kernel, saver)
        say(graph, "likes rain", config=thread("t"))

        class Crash(BaseException):
            pass

        def crash(*_: Any, **__: Any) -> Any:
            raise Crash

        broken = build_graph(
            kernel, ScriptedModel(replies=[crash]), checkpointer=saver, producers=[Teller()], model_timeout_s=5
        )
        with pytest.raises(Crash):
            say(broken, [HumanMessage("likes tea", id="m")], config=thread("t"))
        assert "likes tea" in holding(kernel)
    with make_kernel() as kernel:
        say(build(kernel, saver), [HumanMessage("likes tea", id="m")], config=thread("t"))
        assert holding(kernel) == ["likes rain", "likes tea"]
        assert len(kept(kernel, memory_type="profile")) == 2
        assert remembered(kernel)[-2:] == ["likes tea", "You said: likes tea"]


@pytest.mark.parametrize("again", ["What do I like?", "likes tea"])
def test_what_a_turn_taught_that_broke_off_before_its_checkpoint_stays(kernel: MemoryKernel, again: str) -> None:
    class Crash(BaseException):
        pass

    saver = InMemorySaver()
    graph = build(kernel, saver)
    say(graph, "likes rain", config=thread("t"))
    broken = build_graph(kernel, ScriptedModel(replies=[Crash()]), checkpointer=saver, producers=[Teller()])
    with pytest.raises(Crash):
        say(broken, "likes tea", config=thread("t"))
    for said in (again, "And now?"):
        say(graph, said, config=thread("t"))
    assert holding(kernel) == ["likes rain", "likes tea"]


async def test_turns_of_one_thread_that_run_at_the_same_time_take_nothing_from_each_other(kernel: MemoryKernel) -> None:
    graph = build(kernel, InMemorySaver())
    await asyncio.gather(*(asay(graph, f"fact number {n}", config=thread("t")) for n in range(6)))
    await asay(graph, "and one more", config=thread("t"))
    assert len(holding(kernel)) == 7


@pytest.mark.parametrize("lineage", [7, {"turn": 7, "again": 7}, {"turn": "made up"}, None])
def test_a_lineage_that_somebody_made_up_takes_nothing_back(kernel: MemoryKernel, lineage: Any) -> None:
    graph = build(kernel, InMemorySaver())
    say(graph, "likes rain", config=thread("t"))
    say(graph, "likes tea", config=thread("t"))
    graph.update_state(thread("t"), {"lineage": lineage})
    for n in range(2):
        assert say(graph, f"fact number {n}", config=thread("t"))["trace"]["problems"] == []
    assert len(holding(kernel)) == 4


# -- the past changed in place -------------------------------------------------------------------------------------


def test_an_earlier_message_that_was_edited_in_place_is_read_again_at_the_next_turn(
    new_thread: NewThread, kernel: MemoryKernel
) -> None:
    t = new_thread()
    for said in ("likes rain", "likes tea; city = Porto", "plays chess"):
        t.say(said)
    t.edit("likes tea; city = Porto", "likes coffee; city = Porto")
    assert "likes tea" in holding(kernel), "nothing ran yet"
    state = t.say("what now?")
    assert holding(kernel) == ["Porto", "likes coffee", "likes rain", "plays chess"]
    assert reasons(kernel)["likes tea"] == EDITED
    assert "likes coffee; city = Porto" in remembered(kernel)
    assert "likes tea; city = Porto" not in remembered(kernel)
    assert "coffee" in state["block"]
    assert {note["action"] for note in t.say("and now?")["writes"]} == set(), "noticed once"


def test_going_back_to_before_an_edit_in_place_takes_it_back(new_thread: NewThread, kernel: MemoryKernel) -> None:
    t = new_thread()
    t.say("likes tea")
    t.say("plays chess")
    before = t.now()
    t.edit("likes tea", "likes coffee")
    t.say("what now?")
    assert holding(kernel) == ["likes coffee", "plays chess"]
    t.say("and now?", before)
    assert holding(kernel) == ["likes tea", "plays chess"]


def test_a_message_that_was_removed_in_place_teaches_nothing_from_the_next_turn_on(
    new_thread: NewThread, kernel: MemoryKernel
) -> None:
    t = new_thread()
    for said in ("likes rain", "likes tea", "plays chess"):
        t.say(said)
    t.remove("likes tea")
    t.say("what now?")
    assert holding(kernel) == ["likes rain", "plays chess"]
    assert reasons(kernel) == {"likes tea": REMOVED}


def test_messages_that_leave_by_the_window_are_neither_edited_nor_removed(kernel: MemoryKernel) -> None:
    graph = build(kernel, InMemorySaver(), window_messages=4)
    for n in range(8):
        state = say(graph, f"fact number {n}", config=thread("t"))
        assert not [note for note in state["writes"] if note["agent"] == "kernel"]
    assert len(state["messages"]) == 4
    assert len(holding(kernel)) == 8
    first_shown = state["messages"][0]
    graph.update_state(thread("t"), {"messages": [HumanMessage("fact edited", id=first_shown.id)]})
    for n in range(3):  # read again, the message leaves the window as well
        say(graph, f"another fact {n}", config=thread("t"))
    assert holding(kernel) == sorted(
        ["fact edited", *(f"fact number {n}" for n in (*range(6), 7)), *(f"another fact {n}" for n in range(3))]
    )


# -- nothing by mistake --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("config", [None, thread("t")], ids=["no thread", "a thread"])
@pytest.mark.parametrize("whole", [False, True], ids=["new message only", "whole history"])
def test_without_a_checkpointer_nothing_is_taken_back(kernel: MemoryKernel, config: Any, whole: bool) -> None:
    graph = build(kernel, None)
    history: list[Any] = []
    for n in range(3):
        history.append(HumanMessage(f"fact number {n}", id=f"m{n}"))
        state = graph.invoke({"messages": history if whole else history[-1:]}, config, context={"user_id": "mira"})
        if whole:
            history.append(state["messages"][-1])
    assert len(holding(kernel)) == 3


def test_a_new_saver_with_a_thread_of_the_same_name_is_another_conversation(kernel: MemoryKernel) -> None:
    for n in range(3):
        graph = build(kernel, InMemorySaver())
        say(graph, f"fact number {n}", config=thread("t"))
        say(graph, f"another fact {n}", config=thread("t"))
    assert len(holding(kernel)) == 6


def test_a_graph_inside_another_one_takes_nothing_back(kernel: MemoryKernel) -> None:
    from langgraph.graph import START, StateGraph

    from nodes.context import Context
    from nodes.state import InputState, OutputState

    outer: Any = StateGraph(OutputState, context_schema=Context, input_schema=InputState)
    outer.add_node("inner", build(kernel, None))
    outer.add_edge(START, "inner")
    graph = outer.compile(checkpointer=InMemorySaver())
    say(graph, "likes tea", config=thread("t"))
    before = graph.get_state(thread("t")).config
    say(graph, "likes rain", config=thread("t"))
    say(graph, "likes snow", config=before)
    assert holding(kernel) == ["likes rain", "likes snow", "likes tea"]


def test_other_threads_and_other_users_are_not_touched(new_thread: NewThread, kernel: MemoryKernel) -> None:
    mine, other = new_thread("mine"), new_thread("other")
    hers = new_thread("hers")
    mine.say("likes rain")
    before = mine.now()
    for t, user in ((mine, "mira"), (other, "mira"), (hers, "noor")):
        t.say([HumanMessage("likes tea", id="m")], user=user)
    other.say("plays chess")
    mine.say("likes coffee", before)
    assert holding(kernel) == ["likes coffee", "likes rain", "likes tea", "plays chess"], "the other thread said so too"
    assert holding(kernel, "noor") == ["likes tea"]


# -- what else supports a fact, and what it had put out of force ---------------------------------------------------


def test_a_fact_that_a_kept_message_taught_as_well_stays(new_thread: NewThread, kernel: MemoryKernel) -> None:
    t = new_thread()
    t.say("likes rain; city = Porto")
    before = t.now()
    t.say("likes rain; city = Porto; likes tea")
    items = {i.text: i.id for i in kept(kernel, memory_type="profile")}
    t.say("plays chess", before)
    assert holding(kernel) == ["Porto", "likes rain", "plays chess"]
    assert {i.text: i.id for i in kept(kernel, memory_type="profile") if i.text in items} == items


def test_a_fact_that_was_written_outside_the_conversation_stays(new_thread: NewThread, kernel: MemoryKernel) -> None:
    t = new_thread()
    t.say("likes rain")
    before = t.now()
    t.say("likes tea")
    agent = kernel.register_agent("Teller", may_write={"profile"}).bind("mira")
    agent.create_memory("likes tea", memory_type="profile", sharing_policy="shared")
    t.say("plays chess", before)
    assert holding(kernel) == ["likes rain", "likes tea", "plays chess"]


def test_the_value_that_an_abandoned_message_replaced_is_current_again(
    new_thread: NewThread, kernel: MemoryKernel
) -> None:
    t = new_thread()
    t.say("city = Lisbon")
    before = t.now()
    t.say("city = Porto")
    t.say("city = Faro")
    state = t.say("where do I live?", before)
    assert holding(kernel) == ["Lisbon"]
    assert "Lisbon" in state["block"]
    assert kernel.flush()
    [lisbon] = [i for i in kept(kernel, memory_type="profile") if i.text == "Lisbon"]
    assert [(i.text, i.status) for i in kernel.history(lisbon.id)] == [
        ("Lisbon", "current"),
        ("Porto", "retracted"),
        ("Faro", "retracted"),
    ]
    [entry] = [e for e in kernel.audit("mira") if e["agent"] == "kernel"]
    assert {change["reason"] for change in entry["taken_back"]} == {ABANDONED}
    assert lisbon.id in [change["id"] for change in entry["restored"]]


def test_what_an_abandoned_message_had_retracted_holds_again(new_thread: NewThread, kernel: MemoryKernel) -> None:
    t = new_thread()
    t.say("likes tea")
    before = t.now()
    t.say("not likes tea")
    after = t.now()
    assert holding(kernel) == []
    state = t.say("what do I like?", before)
    assert holding(kernel) == ["likes tea"]
    assert "likes tea" in state["block"]
    t.say("and now?", after)
    assert holding(kernel) == []


def test_what_an_operator_retracted_stays_so(new_thread: NewThread, kernel: MemoryKernel) -> None:
    t = new_thread()
    t.say("likes tea")
    after = t.now()
    t.say("plays chess")
    [tea] = [i for i in kept(kernel, memory_type="profile") if i.text == "likes tea"]
    kernel.retract(tea.id)
    t.say("what do I like?", after)
    t.say("what else?")
    assert holding(kernel) == []


@pytest.mark.parametrize(
    ("said", "edited", "left"),
    [
        (
            ["I live in Porto and I like tea."],
            "I live in Porto and I like coffee.",
            {"I live in Porto", "I like coffee"},
        ),
        (["I live in Lisbon.", "I moved to Porto."], "I moved on.", {"I live in Lisbon"}),
        (["I use vim.", "I no longer use vim."], "What is vim?", {"I use vim"}),
    ],
)
def test_the_agents_of_the_template_follow_an_edited_message(
    kernel: MemoryKernel, tmp_path: Path, said: list[str], edited: str, left: set[str]
) -> None:
    def default(saver: Any) -> Graph:
        return build_graph(kernel, ScriptedModel(replies=["ok"]), checkpointer=saver)

    with threads("invoke, SQLite, every step", tmp_path, default) as make:
        t = make()
        for text in said:
            t.say(text)
        state = t.say(None, t.edit(said[-1], edited, t.before("route", said)))
        assert set(holding(kernel)) == left
        for fact in left:
            assert fact in state["block"]
        t.say("And now?")
        assert set(holding(kernel)) == left


# -- faults and erasure --------------------------------------------------------------------------------------------


def test_a_ledger_that_cannot_be_read_ends_no_turn_and_takes_nothing_back(
    new_thread: NewThread, kernel: MemoryKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    t = new_thread()
    t.say("likes rain")
    before = t.now()
    t.say("likes tea")

    def refuse(*_: Any) -> Any:
        raise StoreUnavailable("the ledger cannot be used: disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(kernel._ledger, "readings", refuse)
        state = t.say("likes coffee", before)
    assert state["messages"][-1].text == "You said: likes coffee"
    assert any("history of this thread could not be followed" in p for p in state["trace"]["problems"])
    assert holding(kernel) == ["likes coffee", "likes rain", "likes tea"]
    t.say("plays chess")  # the thread's place is found again, and with it what was left
    assert holding(kernel) == ["likes coffee", "likes rain", "plays chess"]
    assert "You said: likes rain" in remembered(kernel)


def test_the_record_of_a_thread_is_erased_with_its_user(make_kernel: MakeKernel) -> None:
    saver = InMemorySaver()
    kernel = make_kernel()
    graph = build(kernel, saver)
    say(graph, "likes rain", config=thread("t"))
    before = graph.get_state(thread("t")).config
    say(graph, "likes tea", config=thread("t"))
    removed = kernel.forget_user("mira").removed
    assert removed["ledger.readings"] == 2
    assert removed["ledger.lessons"] == 6
    say(graph, "plays chess", config=thread("t"))  # the thread itself is not erased here
    say(graph, "likes coffee", config=before)
    assert "likes coffee" in holding(kernel)


def test_a_thread_of_many_turns_keeps_a_bounded_record(kernel: MemoryKernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_kernel.ledger.sqlite._MOST_READINGS", 5)
    graph = build(kernel, InMemorySaver())
    checkpoints = []
    for n in range(9):
        say(graph, f"fact number {n}", config=thread("t"))
        checkpoints.append(graph.get_state(thread("t")).config)
    partition = kernel._ledger.find_partition("mira")
    assert partition is not None
    assert len(kernel._ledger.readings(partition, "t")) == 5
    say(graph, "fact on a branch", config=checkpoints[6])
    assert holding(kernel) == sorted(["fact on a branch", *(f"fact number {n}" for n in range(7))])
    say(graph, "fact on another branch", config=checkpoints[0])  # the record does not reach back so far
    assert "fact number 8" not in holding(kernel)
    assert len(holding(kernel)) == 9
