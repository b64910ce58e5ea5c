"""The model extractor through the whole graph: every kind of messy reply, and what the operator reads of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from graph.builder import build_graph
from graph.models import make_chat_model
from graph.settings import Settings, variable
from memory_kernel import MemoryKernel
from nodes.extraction import Extraction, ExtractionRequest
from nodes.extractors.model import ModelExtractor
from nodes.producer import PRECEDING_CHARS, Producer
from nodes.profile_agent import ProfileAgent
from tests.support.models import AsyncHangingModel, AsyncScriptedModel, HangingModel, ScriptedModel
from tests.support.turns import WAYS, failures, kept, reply, say, thread
from tests.wire.server import Reply, WireServer, serve

SAID = "Hi! My name is Ana and I don't eat meat."
NAME = {"evidence": "My name is Ana", "subject": "user", "text": "The user's name is Ana", "slot": "user_name"}
DIET = {"evidence": "I don't eat meat", "subject": "user", "text": "Does not eat meat", "confidence": 0.6}
GOOD = json.dumps({"facts": [NAME, DIET]})
BOTH = ["Does not eat meat", "The user's name is Ana"]

CUT = GOOD[: GOOD.index("Does not") + 5]
UNFOUNDED = {**NAME, "evidence": "I adore Rust"}
MESSY: dict[str, tuple[Any, list[str], str | None, str]] = {
    # what the model says again and again, what is kept, the kind of problem, what the operator reads of the reply
    "fenced": (f"```json\n{GOOD}\n```", BOTH, None, ""),
    "prose with braces": (f"Here {{as asked}} is [1]: {GOOD} Anything {{else}}?", BOTH, None, ""),
    "trailing commas": (GOOD.replace("}]", "},],"), BOTH, None, ""),
    "lone surrogate": (
        GOOD.replace("Does not eat", "Does not \\ud800 eat"),
        ["Does not \ufffd eat meat", BOTH[1]],
        None,
        "",
    ),
    "a list": (json.dumps([NAME, DIET]), BOTH, None, ""),
    "truncated": (CUT, BOTH[1:], "truncated", CUT),
    "truncated before the first fact": ('{"facts": [{"evidence": "My na', [], "unreadable", '[{"evidence": "My na'),
    "empty string": ("", [], "empty", ""),
    "refusal": (AIMessage("", additional_kwargs={"refusal": "I cannot."}), [], "refusal", "I cannot."),
    "refusal in words": ("I'm sorry, but I can't help.", [], "unreadable", "I'm sorry, but I can't help."),
    "one valid fact": (json.dumps({"facts": [NAME, {"text": "n"}]}), BOTH[1:], "malformed", '{"text": "n"}'),
    "invented": (json.dumps({"facts": [UNFOUNDED]}), [], "no_evidence", json.dumps(UNFOUNDED)),
    "about another": (json.dumps({"facts": [{**NAME, "subject": "Rita"}]}), [], "not_the_user", '"subject": "Rita"'),
    "unsure": (json.dumps({"facts": [{**NAME, "confidence": 0.1}, DIET]}), BOTH[:1], "unsure", '"confidence": 0.1'),
    "provider error": (ConnectionError("429 slow down"), [], "error", ""),
}


def graph_of(kernel: MemoryKernel, reader: ScriptedModel, timeout_s: float = 10, **options: Any) -> Any:
    agents: list[Producer] = [ProfileAgent(ModelExtractor(reader, timeout_s=timeout_s))]
    return build_graph(kernel, ScriptedModel(replies=["ok"]), producers=agents, **options)


def profile(kernel: MemoryKernel) -> list[str]:
    return sorted(i.text for i in kept(kernel, memory_type="profile"))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model_type", [ScriptedModel, AsyncScriptedModel])
@pytest.mark.parametrize(("said", "facts", "kind", "raw"), MESSY.values(), ids=MESSY.keys())
def test_valid_facts_are_kept_the_turn_survives_and_the_operator_reads_the_raw_text(
    kernel: MemoryKernel,
    way: str,
    model_type: type[ScriptedModel],
    said: Any,
    facts: list[str],
    kind: str | None,
    raw: str,
) -> None:
    state = WAYS[way](graph_of(kernel, model_type(replies=[said])), SAID)
    assert reply(state) == "ok"
    assert profile(kernel) == facts
    assert kernel.flush()
    problems = kernel.problems("mira")
    assert [p["kind"] for p in problems] == ([kind] if kind else [])
    assert failures(state) == [f"{p['kind']}: {p['detail']}" for p in problems]
    for problem in problems:
        assert (problem["agent"], problem["message_id"]) == ("ProfileAgent", state["messages"][0].id)
        assert raw in (problem["raw"] or "")
        assert ("429 slow down" in problem["detail"]) == (kind == "error")
    assert not raw or raw not in str(state)


@pytest.mark.parametrize("way", WAYS)
def test_the_confidence_of_a_fact_is_carried_into_its_item(kernel: MemoryKernel, way: str) -> None:
    WAYS[way](graph_of(kernel, ScriptedModel(replies=[GOOD])), SAID)
    assert {i.text: i.confidence for i in kept(kernel, memory_type="profile")} == {BOTH[0]: 0.6, BOTH[1]: 0.7}


@pytest.mark.parametrize("way", WAYS)
def test_one_retry_after_a_useless_reply_saves_the_facts_and_leaves_no_problem(kernel: MemoryKernel, way: str) -> None:
    reader = ScriptedModel(replies=["I'd rather talk.", GOOD])
    assert failures(WAYS[way](graph_of(kernel, reader), SAID)) == []
    assert profile(kernel) == BOTH
    assert len(reader.asked) == 2
    assert kernel.flush()
    assert kernel.problems("mira") == []


@pytest.mark.parametrize("way", WAYS)
def test_a_model_that_hangs_costs_its_time_out_and_is_reported(kernel: MemoryKernel, way: str) -> None:
    reader = HangingModel() if way in ("invoke", "stream") else AsyncHangingModel()
    try:
        state = WAYS[way](graph_of(kernel, reader, timeout_s=0.1), SAID)
    finally:
        if isinstance(reader, HangingModel):
            reader.release()
    assert reply(state) == "ok"
    assert kernel.flush()
    assert [p["kind"] for p in kernel.problems("mira")] == ["timeout"]


def test_a_model_reads_the_users_own_words_and_nobody_elses(kernel: MemoryKernel) -> None:
    reader = ScriptedModel(replies=['{"facts": []}'])
    block = "===== MEMORY CONTEXT =====\nHIDDEN-BLOCK\n===== END MEMORY CONTEXT ====="
    conversation = [
        SystemMessage("HIDDEN-SYSTEM"),
        HumanMessage(f"{block}\nHIDDEN-NOT: what I said before"),
        AIMessage("", tool_calls=[{"name": "read", "args": {}, "id": "1"}]),
        ToolMessage("HIDDEN-TOOL", tool_call_id="1"),
        AIMessage("Before: what you said"),
        HumanMessage(f"{block}\nMine.\n```\nHIDDEN-CODE\n```\n> HIDDEN-QUOTE"),
    ]
    say(graph_of(kernel, reader), conversation)
    (asked,) = reader.asked
    shown = str(asked[-1].content)
    assert "<user_message>" in shown
    message = shown[shown.index("<user_message>") :]
    assert message.split() == ["<user_message>", "Mine.", "</user_message>"]
    earlier = shown[: shown.index("<user_message>")]
    assert "assistant: Before: what you said" in earlier
    assert "user: HIDDEN-NOT: what I said before" in earlier
    for hidden in ("BLOCK", "SYSTEM", "TOOL", "CODE", "QUOTE"):
        assert f"HIDDEN-{hidden}" not in str(asked)


class Watching:
    """An extractor that keeps what it is asked."""

    name = "watching"

    def __init__(self) -> None:
        self.asked: list[ExtractionRequest] = []

    def extract(self, request: ExtractionRequest) -> Extraction:
        self.asked.append(request)
        return Extraction()

    async def aextract(self, request: ExtractionRequest) -> Extraction:
        return self.extract(request)


@pytest.mark.parametrize("extraction", ["inline", "background"])
@pytest.mark.parametrize("way", WAYS)
def test_an_extractor_is_given_the_last_few_messages_before_each_bounded(
    kernel: MemoryKernel, way: str, extraction: Any
) -> None:
    watching = Watching()
    graph = build_graph(
        kernel,
        ScriptedModel(replies=["x" * 5000 + " Shall I?"]),
        producers=[ProfileAgent(watching)],
        checkpointer=InMemorySaver(),
        extraction=extraction,
    )
    for said in ("One \ud800.", "Two.", "Three."):
        WAYS[way](graph, said, config=thread("t"))
    assert kernel.flush()
    assert [request.text for request in watching.asked] == ["One ?.", "Two.", "Three."]
    assert [len(request.preceding) for request in watching.asked] == [0, 2, 4]
    last = watching.asked[-1].preceding
    assert [(said.role, said.text[-8:]) for said in last] == [
        ("user", "One ?."),
        ("assistant", "Shall I?"),
        ("user", "Two."),
        ("assistant", "Shall I?"),
    ]
    assert all(len(said.text) <= PRECEDING_CHARS for said in last)
    assert last[-1].text.startswith("…x")


# -- the real clients ----------------------------------------------------------------------------------------------


@pytest.fixture
def wire() -> Iterator[WireServer]:
    with serve() as server:
        yield server


def _openai(content: str, **message: Any) -> Reply:
    said = {"role": "assistant", "content": content, **message}
    choice = {"index": 0, "message": said, "finish_reason": "length" if content.endswith("cut") else "stop"}
    return Reply(json.dumps({"id": "1", "object": "chat.completion", "model": "m", "choices": [choice]}).encode())


def _ollama(content: str, **message: Any) -> Reply:
    said = {"role": "assistant", "content": content or message.get("refusal", "")}
    done = {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": said, "done": True, "done_reason": "stop"}
    return Reply(json.dumps(done).encode() + b"\n", "application/x-ndjson")


CLIENTS: dict[str, tuple[str, Callable[..., Reply]]] = {
    "openai:gpt-4o": ("/v1/chat/completions", _openai),
    "ollama:llama3.1:8b": ("/api/chat", _ollama),
}


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
@pytest.mark.parametrize("spec", CLIENTS)
def test_the_real_clients_are_asked_for_a_bounded_schema_and_read_whatever_they_answer(
    kernel: MemoryKernel,
    way: str,
    spec: str,
    wire: WireServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    for name in [*map(variable, Settings.model_fields), "OLLAMA_HOST", "HTTP_PROXY", "http_proxy", "ALL_PROXY"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.0)
    monkeypatch.setattr("openai._base_client.MAX_RETRY_DELAY", 0.0)
    settings = Settings(openai_api_key="sk-test", openai_base_url=f"{wire.url}/v1", ollama_base_url=wire.url)
    path, answers = CLIENTS[spec]
    graph = graph_of(kernel, make_chat_model(spec, settings).model)  # type: ignore[arg-type]
    kinds: dict[str, list[str]] = {}
    for name, answer in {
        "good": answers(GOOD),
        "fenced": answers(f"```json\n{GOOD}\n```"),
        "cut": answers(GOOD[: GOOD.index("Does not")] + "cut"),
        "refusal": answers("", refusal="I cannot."),
        "error": Reply(b'{"error": {"message": "over capacity"}}', status=500),
    }.items():
        wire.answer(path, answer)
        state = WAYS[way](graph, SAID, user=name)
        assert reply(state) == "ok"
        assert kernel.flush()
        kinds[name] = [p["kind"] for p in kernel.problems(name)]
        facts = sorted(i.text for i in kept(kernel, name, "profile"))
        assert facts == {"good": BOTH, "fenced": BOTH, "cut": BOTH[1:]}.get(name, [])
    assert (kinds["good"], kinds["fenced"], kinds["error"]) == ([], [], ["error"])
    assert kinds["cut"] == ["truncated"]
    assert kinds["refusal"] in (["refusal"], ["unreadable"])
    first = json.dumps(wire.requests[0].body)
    assert "maxLength" in first
    assert "maxItems" in first
