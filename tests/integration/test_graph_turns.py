"""One turn and many: what goes in, what streams out, what the state holds, and what is kept."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from graph.builder import build_graph
from memory_kernel import MemoryKernel
from nodes.context import Context
from nodes.extractors.model import ModelExtractor
from nodes.producer import Producer, Proposal, UserWords
from tests.support.models import AsyncScriptedModel, ScriptedModel, system_text, tool_call
from tests.support.turns import WAYS, asay, astream, failures, kept, reads, reply, say, stream, thread

TAUGHT = "My name is Mira Osk. I prefer answers in French. I'm working on the zebra migration."
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
MODELS = [ScriptedModel, AsyncScriptedModel]


def without_ids(state: dict[str, Any]) -> dict[str, Any]:
    """What is the same for two users who say the same."""
    return {
        "messages": [(m.type, m.text) for m in state["messages"]],
        "block": state["block"],
        "writes": [{k: v for k, v in note.items() if k != "item_id"} for note in state["writes"]],
        "injected": [(d["memory_type"], d["text"]) for d in state["trace"]["decisions"] if d["verdict"] == "injected"],
        "problems": state["trace"]["problems"],
    }


# -- the ways to run a turn ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("model_type", MODELS)
def test_every_way_to_run_a_turn_gives_the_same_state(kernel: MemoryKernel, model_type: type[ScriptedModel]) -> None:
    graph = build_graph(kernel, model_type(replies=["Bonjour Mira."]))
    states = {way: without_ids(run(graph, TAUGHT, user=way)) for way, run in WAYS.items()}
    assert "Prefers answers in French" in states["invoke"]["block"]
    assert states["invoke"]["messages"] == [("human", TAUGHT), ("ai", "Bonjour Mira.")]
    for way, state in states.items():
        assert state == states["invoke"], way


@pytest.mark.parametrize("model_type", MODELS)
async def test_the_assistants_words_stream_and_those_of_the_extractors_model_do_not(
    kernel: MemoryKernel, model_type: type[ScriptedModel]
) -> None:
    evidence = '{"facts": [{"evidence": "I prefer answers in French", "text": "Secretly prefers French"}]}'
    reader = model_type(replies=[evidence])
    graph = build_graph(kernel, model_type(replies=["one two three"]), ModelExtractor(reader, retries=0))
    for turn in (stream(graph, TAUGHT, user="sync"), await astream(graph, TAUGHT, user="async")):
        assert "".join(text for _, text in turn.tokens) == "one two three"
        assert len(turn.tokens) == 3
        assert {node for node, _ in turn.tokens} == {"assistant"}
    assert len(reader.asked) == 4, "both agents read both users' messages with the model"


def test_a_turn_runs_every_node_once_and_the_kernel_after_the_agents(kernel: MemoryKernel) -> None:
    turn = stream(build_graph(kernel, ScriptedModel(replies=["ok"])), TAUGHT)
    assert sorted(turn.updates[1:3]) == ["profile_agent", "task_agent"]
    assert [turn.updates[0], *turn.updates[3:]] == ["route", "kernel", "assistant", "remember"]


# -- what goes in --------------------------------------------------------------------------------------------------


def test_the_text_of_a_message_made_of_parts_is_read_and_its_picture_is_passed_on(kernel: MemoryKernel) -> None:
    model = ScriptedModel(replies=["a cat"])
    state = say(build_graph(kernel, model), [HumanMessage([{"type": "text", "text": TAUGHT}, PICTURE])])
    assert "Prefers answers in French" in state["block"]
    assert PICTURE in model.asked[0][-1].content
    assert not any("base64" in item.text for item in kept(kernel))


def test_a_message_of_pictures_alone_goes_straight_to_the_kernel(kernel: MemoryKernel) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["a cat"]))
    say(graph, TAUGHT)
    turn = stream(graph, [HumanMessage([PICTURE])])
    assert turn.updates == ["route", "kernel", "assistant", "remember"]
    assert turn.state["trace"]["barrier"]["timed_out"] is False
    assert reply(turn.state) == "a cat"


def test_a_turn_in_which_the_user_says_nothing_new_goes_straight_to_the_kernel(kernel: MemoryKernel) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["and on"]))
    turn = stream(graph, [("user", TAUGHT), ("assistant", "noted")])
    assert turn.updates == ["route", "kernel", "assistant", "remember"]
    assert kept(kernel, memory_type="profile") == []


def test_every_message_of_one_input_is_read(kernel: MemoryKernel) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]))
    state = say(graph, [("user", "My name is Mira Osk."), ("user", "I'm working on the zebra migration.")])
    assert "Mira Osk" in state["block"]
    assert "zebra migration" in state["block"]
    said = [i.text for i in kept(kernel, memory_type="conversation")]
    assert len(said) == 3, "two of the user's and the reply"


@pytest.mark.parametrize("order", ["first", "last", "between"])
def test_the_applications_system_message_reaches_the_model_and_is_nobodys_words(
    kernel: MemoryKernel, order: str
) -> None:
    mine: Any = ("system", "The user's name is Application. You are a pirate.")
    said: list[Any] = [("user", "My name is Mira Osk."), ("user", "I prefer answers in French.")]
    said.insert({"first": 0, "between": 1, "last": 2}[order], mine)
    model = ScriptedModel(replies=["arr"])
    state = say(build_graph(kernel, model), said)
    assert "Mira Osk" in state["block"]
    assert "French" in state["block"]
    assert "You are a pirate" in system_text(model.asked[0])
    assert [m.type for m in model.asked[0]] == ["system", "human", "human"]
    assert not any("pirate" in i.text or "Application" in i.text for i in kept(kernel))


def test_a_system_message_sent_with_every_turn_is_shown_once_and_outlives_the_window(kernel: MemoryKernel) -> None:
    model = ScriptedModel(replies=["arr"])
    graph = build_graph(kernel, model, checkpointer=InMemorySaver(), window_messages=6)
    for turn in range(12):
        state = say(graph, [("system", "You are a pirate."), ("user", f"Question {turn}?")], config=thread("t"))
    assert system_text(model.asked[-1]).count("You are a pirate.") == 1
    assert len(state["messages"]) <= 7
    say(graph, "And now without?", config=thread("t"))
    assert "You are a pirate." in system_text(model.asked[-1])


def test_an_empty_conversation_and_a_bad_user_id_are_refused_before_anything_is_written(kernel: MemoryKernel) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]))
    with pytest.raises(ValueError, match="at least one message"):
        say(graph, [])
    for bad in ("", "agent:ProfileAgent", "x" * 3000, "\ud800"):
        with pytest.raises(ValueError, match="user_id"):
            say(graph, TAUGHT, user=bad)
    assert kernel.users() == []


def test_what_a_client_sends_beside_messages_is_ignored(kernel: MemoryKernel) -> None:
    model = ScriptedModel(replies=["ok"])
    forged: Any = {"messages": [("user", "hello")], "block": "FORGED", "trace": {"FORGED": 1}, "writes": ["FORGED"]}
    state = build_graph(kernel, model).invoke(forged, context=Context(user_id="mira"))
    assert "FORGED" not in str(state)
    assert "FORGED" not in str(model.asked)


# -- the block -----------------------------------------------------------------------------------------------------


def test_the_block_is_shown_to_the_model_and_is_never_among_the_messages(kernel: MemoryKernel) -> None:
    model = ScriptedModel(replies=["ok"])
    graph = build_graph(kernel, model, checkpointer=InMemorySaver())
    for said in (TAUGHT, "What am I working on?"):
        state = say(graph, said, config=thread("t"))
        assert state["block"]
        assert system_text(model.asked[-1]).endswith(state["block"])
        assert "MEMORY CONTEXT" not in " ".join(m.text for m in state["messages"])
        assert {m.type for m in state["messages"]} == {"human", "ai"}


def test_the_block_pasted_back_ten_times_as_the_users_words_adds_no_facts(kernel: MemoryKernel) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]), checkpointer=InMemorySaver())
    block = say(graph, TAUGHT, config=thread("t"))["block"]
    facts = [i.id for i in kept(kernel) if i.memory_type != "conversation"]
    for _ in range(10):
        state = say(graph, block, config=thread("t"))
        assert state["writes"] == []
    assert [i.id for i in kept(kernel) if i.memory_type != "conversation"] == facts
    for line in state["block"].splitlines():
        assert line.count("=====") == (
            2 if line in (state["block"].splitlines()[0], "===== END OF MEMORY CONTEXT =====") else 0
        )


class Allergies(Producer):
    """An agent of one's own, with a memory type of its own."""

    name = "AllergyAgent"
    may_write = frozenset({"allergy"})

    def propose(self, said: UserWords) -> Proposal:
        what = said.text.partition("allergic to ")[2].rstrip(".")
        return Proposal(write=[{"content": {"substance": what}, "memory_type": "allergy"}] if what else [])


@pytest.mark.parametrize("way", WAYS)
def test_a_producer_of_ones_own_in_a_few_lines_ends_up_in_the_block(kernel: MemoryKernel, way: str) -> None:
    kernel.register_memory_type("allergy", heading="Allergies", to_text=lambda c: f"Is allergic to {c['substance']}")
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]), producers=[Allergies()])
    state = WAYS[way](graph, "I am allergic to peanuts.")
    assert "Allergies:\n- Is allergic to peanuts" in state["block"]
    assert [note["agent"] for note in state["writes"]] == ["AllergyAgent"]
    assert "allergy_agent" in graph.get_graph().nodes


# -- tools ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_a_model_may_call_tools_again_and_again_while_memory_is_read_once(kernel: MemoryKernel, way: str) -> None:
    called: list[str] = []

    @tool
    def weather(city: str) -> str:
        """The weather in a city."""
        called.append(city)
        return f"rain in {city}"

    replies = [tool_call("weather", "1", city="Porto"), tool_call("weather", "2", city="Lyon"), "Rain in both."]
    model = ScriptedModel(replies=replies)
    graph = build_graph(kernel, model, tools=[weather])
    state = WAYS[way](graph, TAUGHT + " What is the weather in Porto and Lyon?")
    assert called == ["Porto", "Lyon"]
    assert reply(state) == "Rain in both."
    assert [m.type for m in state["messages"]] == ["human", "ai", "tool", "ai", "tool", "ai"]
    assert reads(kernel) == 1
    assert all(state["block"] in system_text(asked) for asked in model.asked)
    said = [i.text for i in kept(kernel, memory_type="conversation")]
    assert [text.split(":")[0] for text in said] == ["the user said", "the assistant said"]


def test_a_tool_result_larger_than_the_window_of_tokens_is_shown_with_what_it_answers(kernel: MemoryKernel) -> None:
    @tool
    def read() -> str:
        """A long document."""
        return "word " * 2000

    model = ScriptedModel(replies=[tool_call("read", "1"), "Long."])
    say(build_graph(kernel, model, tools=[read], history_tokens=200), "Read it.")
    assert [m.type for m in model.asked[-1]] == ["system", "human", "ai", "tool"]


# -- many turns ----------------------------------------------------------------------------------------------------


def test_what_belongs_to_a_turn_does_not_pile_up_over_twenty(kernel: MemoryKernel) -> None:
    model = ScriptedModel(replies=["ok"])
    graph = build_graph(kernel, model, checkpointer=InMemorySaver())
    for turn in range(20):
        state = say(graph, f"I'm working on project number{turn}.", config=thread("t"))
        assert [note["action"] for note in state["writes"]] == ["wrote"]
        assert f"number{turn}" in state["writes"][0]["text"]
        assert state["trace"]["barrier"]["pending"] == 0
        assert state["block"].count("===== MEMORY CONTEXT =====") == 1
        assert len(state["messages"]) == 2 * (turn + 1)
    state = say(graph, "Thanks!", config=thread("t"))
    assert state["writes"] == []
    assert reads(kernel) == 21, "once a turn"


@pytest.mark.parametrize("window", [2, 3, 10])
def test_a_thread_keeps_a_window_of_messages_that_opens_with_the_user(kernel: MemoryKernel, window: int) -> None:
    model = ScriptedModel(replies=["ok"])
    graph = build_graph(kernel, model, checkpointer=InMemorySaver(), window_messages=window)
    for turn in range(window + 5):
        state = say(graph, f"Question {turn}?", config=thread("t"))
        assert len(state["messages"]) <= window
        assert state["messages"][0].type == "human"
        assert state["messages"][-2].text == f"Question {turn}?"


def test_a_turn_longer_than_the_window_is_kept_whole_until_the_next(kernel: MemoryKernel) -> None:
    @tool
    def ping() -> str:
        """Answers."""
        return "pong"

    calls: list[Any] = [tool_call("ping", str(i)) for i in range(4)]
    graph = build_graph(
        kernel, ScriptedModel(replies=[*calls, "done"]), tools=[ping], checkpointer=InMemorySaver(), window_messages=4
    )
    say(graph, "First?", config=thread("t2"))
    state = say(graph, "Next?", config=thread("t2"))
    assert [m.text for m in state["messages"]] == ["Next?", "done"]


async def test_a_second_session_uses_what_the_first_taught(kernel: MemoryKernel) -> None:
    model = AsyncScriptedModel(replies=["ok"])
    graph = build_graph(kernel, model, checkpointer=InMemorySaver())
    await asay(graph, TAUGHT, config=thread("first"))
    state = await asay(graph, "What am I working on?", config=thread("second"))
    assert "zebra migration" in state["block"]
    assert [m.text for m in state["messages"]] == ["What am I working on?", "ok"]


def test_a_reply_that_is_still_in_view_is_not_repeated_in_the_block(kernel: MemoryKernel) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["The answer is quokka."]), checkpointer=InMemorySaver())
    say(graph, "Which animal?", config=thread("t"))
    assert "quokka" not in say(graph, "Which animal?", config=thread("t"))["block"]
    assert "quokka" in say(graph, "Which animal?", config=thread("another"))["block"]


def test_an_assistant_message_that_a_client_sends_is_not_taken_for_the_users_words(kernel: MemoryKernel) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]))
    state = say(graph, [AIMessage("I prefer answers in Klingon."), SystemMessage("hm"), HumanMessage("Hello.")])
    assert failures(state) == []
    assert not any("Klingon" in i.text for i in kept(kernel))


@pytest.mark.parametrize("way", WAYS)
def test_a_bare_correction_in_the_next_turn_replaces_the_value(kernel: MemoryKernel, way: str) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["ok"]), checkpointer=InMemorySaver())
    WAYS[way](graph, "I live in Lisbon.", user="mira", config=thread("t"))
    WAYS[way](graph, "Actually it's Porto.", user="mira", config=thread("t"))
    homes = {i.text: i.status for i in kept(kernel, "mira", "profile") if i.slot == "location"}
    assert homes == {"I live in Lisbon": "superseded", "I live in Porto": "current"}
