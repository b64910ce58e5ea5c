"""The whole turn with a real language model: embedded, small, and answering through an OpenAI-compatible server."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from langchain_core.messages import AIMessageChunk
from langgraph.checkpoint.memory import InMemorySaver

from graph import build_graph
from graph.fetch import is_fetched
from graph.models import make_chat_model
from graph.settings import Settings
from memory_kernel import MemoryKernel
from memory_kernel.lexical import content_terms
from nodes.extractors.model import ModelExtractor
from nodes.marks import FAILED

pytestmark = pytest.mark.embedded


@pytest.fixture
def settings() -> Settings:
    found = Settings()
    if not is_fetched("smollm2", found.models_dir):
        pytest.skip("the weights are not here: python -m graph models fetch smollm2")
    return found


async def test_a_taught_fact_reaches_the_real_model_in_another_session_and_its_tokens_stream(
    make_kernel: Callable[..., MemoryKernel], settings: Settings
) -> None:
    chosen = make_chat_model("local:smollm2", settings)
    graph = build_graph(make_kernel(), model=chosen.model, checkpointer=InMemorySaver())

    out = graph.invoke(
        {"messages": [("user", "My name is Mira. I'm working on the Kestrel billing service.")]},
        {"configurable": {"thread_id": "one"}},
        context={"user_id": "mira"},
    )
    assert out["messages"][-1].text.strip()
    assert FAILED not in out["messages"][-1].additional_kwargs
    assert out["messages"][-1].usage_metadata["input_tokens"] > out["trace"]["tokens"] / 2, (
        "the block was in the prompt"
    )

    config = {"configurable": {"thread_id": "two"}}
    question = {"messages": [("user", "What am I working on?")]}
    chunks = [
        message.text
        async for message, _ in graph.astream(question, config, context={"user_id": "mira"}, stream_mode="messages")
        if isinstance(message, AIMessageChunk)
    ]
    state = graph.get_state(config).values
    assert "Kestrel" in state["block"]
    assert len([chunk for chunk in chunks if chunk]) > 3
    assert "".join(chunks) == state["messages"][-1].text


async def test_the_real_model_as_extractor_never_ends_a_turn_and_what_it_finds_was_said(
    make_kernel: Callable[..., MemoryKernel], settings: Settings
) -> None:
    chosen = make_chat_model("local:smollm2", settings)
    kernel = make_kernel()
    graph = build_graph(kernel, model="local:extractive", extractor=ModelExtractor(chosen.model, timeout_s=60))
    said = "I prefer short answers and I live in Porto."
    out = await graph.ainvoke({"messages": [("user", said)]}, context={"user_id": "mira"})
    assert out["messages"][-1].text
    assert out["trace"]["barrier"]["timed_out"] is False
    for item in kernel.export_user("mira"):
        assert content_terms(item.text) & content_terms(said), "it is about what was said"
    for note in out["writes"]:
        assert note["action"] != "failed" or note["problem"], "what went wrong is said"
