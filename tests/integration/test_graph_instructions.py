"""Standing instructions through the graph: the newer one about a matter holds, the older one is its history."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from graph.builder import build_graph
from memory_kernel import MemoryItem, MemoryKernel
from tests.support.models import ScriptedModel
from tests.support.turns import WAYS, failures, kept, say, thread

Run = Callable[..., dict[str, Any]]


def holding(kernel: MemoryKernel, user: str = "mira") -> list[str]:
    return [item.text for item in kept(kernel, user, "profile") if item.status == "current"]


def graph_of(kernel: MemoryKernel) -> Any:
    return build_graph(kernel, ScriptedModel(replies=["Noted."] * 12))


def item_of(kernel: MemoryKernel, text: str) -> MemoryItem:
    return next(item for item in kept(kernel) if item.text == text)


@pytest.mark.parametrize("way", sorted(WAYS))
def test_a_newer_instruction_takes_the_place_of_the_older_and_keeps_it_as_history(
    kernel: MemoryKernel, way: str
) -> None:
    run, graph = WAYS[way], graph_of(kernel)
    run(graph, "Always end view names with '_v'.")
    run(graph, "Always start view names with 'x_'.")
    state = run(graph, "From now on, I want you to end all view names with '_view'.")
    assert not failures(state)
    assert holding(kernel) == [
        "Always start view names with 'x_'",
        "From now on, I want you to end all view names with '_view'",
    ]
    chain = kernel.history(item_of(kernel, holding(kernel)[-1]).id)
    assert [(item.text, item.status) for item in chain] == [
        ("Always end view names with '_v'", "superseded"),
        ("From now on, I want you to end all view names with '_view'", "current"),
    ]


def test_what_was_asked_for_is_forbidden_later_and_asked_for_again(kernel: MemoryKernel) -> None:
    graph = graph_of(kernel)
    for said in (
        "Always use a spell checker.",
        "From now on, never use a spell checker.",
        "I've changed my mind: always use a spell checker.",
    ):
        say(graph, said)
    assert len(holding(kernel)) == 1
    assert "never" not in holding(kernel)[0]


def test_the_same_instruction_again_is_already_known(kernel: MemoryKernel) -> None:
    graph = graph_of(kernel)
    say(graph, "Never use emojis in letters.")
    (note,) = say(graph, "Never use emojis in letters.")["writes"]
    assert note["action"] == "already known"
    assert holding(kernel) == ["Never use emojis in letters"]


def test_of_two_instructions_about_one_matter_in_one_message_the_last_holds(kernel: MemoryKernel) -> None:
    say(graph_of(kernel), "Always end view names with '_a'. Always use docstrings. Always end view names with '_b'.")
    assert sorted(holding(kernel)) == ["Always end view names with '_b'", "Always use docstrings"]


def test_instructions_of_another_user_are_no_matter(kernel: MemoryKernel) -> None:
    graph = graph_of(kernel)
    say(graph, "Always end view names with '_v'.", user="mira")
    say(graph, "Always end view names with '_w'.", user="noor")
    assert holding(kernel, "mira") == ["Always end view names with '_v'"]
    assert holding(kernel, "noor") == ["Always end view names with '_w'"]


def test_only_the_instruction_that_holds_is_injected(kernel: MemoryKernel) -> None:
    graph = graph_of(kernel)
    say(graph, "Always end view names with '_v'.")
    say(graph, "From now on, always end view names with '_w'.")
    block = say(graph, "How shall I end the view names?")["block"]
    assert "'_w'" in block
    assert "'_v'" not in block


def test_a_turn_run_again_writes_nothing_twice(kernel: MemoryKernel) -> None:
    graph = build_graph(kernel, ScriptedModel(replies=["Noted."] * 4), checkpointer=InMemorySaver())
    say(graph, [{"role": "user", "content": "Always end view names with '_v'.", "id": "one"}], config=thread("t"))
    say(graph, [{"role": "user", "content": "Always end view names with '_w'.", "id": "two"}], config=thread("t"))
    say(graph, [{"role": "user", "content": "Always end view names with '_w'.", "id": "two"}], config=thread("t"))
    assert [(item.text, item.status) for item in kept(kernel, memory_type="profile")] == [
        ("Always end view names with '_v'", "superseded"),
        ("Always end view names with '_w'", "current"),
    ]
