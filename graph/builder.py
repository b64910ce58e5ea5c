"""Wires the nodes into the graph; nothing else.

             ┌─> profile_agent ─┐
START ─route─┤                  ├─> kernel ─> assistant ─> remember ─> END
             └─> task_agent ────┘  (deferred)

A turn that asks something of memory passes `requests` after `route`, and `recall` after `kernel`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.tools import BaseTool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from graph.models import make_chat_model
from graph.settings import Settings
from memory_kernel import MemoryKernel
from memory_kernel.items import utcnow
from nodes.assistant import SYSTEM_PROMPT, AssistantAgent, ModelSource
from nodes.context import Clock, Context, KernelAccess
from nodes.extracting import ExtractingProducer
from nodes.extraction import Extractor
from nodes.extractors.offline import OfflineExtractor
from nodes.kernel import KernelNode
from nodes.producer import ExtractionMode, Producer, ProducerNode
from nodes.profile_agent import ProfileAgent
from nodes.remember import RememberNode
from nodes.requests_node import RecallNode, RequestsNode, after_kernel, after_requests
from nodes.route import RouteNode, towards
from nodes.state import InputState, OutputState, State
from nodes.task_agent import TaskAgent

ASSISTANT = "AssistantAgent"
Graph = CompiledStateGraph[State, Context, InputState, OutputState]


def build_graph(
    kernel: MemoryKernel | Callable[[], MemoryKernel],
    model: ModelSource | str,
    extractor: Extractor | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    *,
    producers: Sequence[Producer] | None = None,
    extraction: ExtractionMode = "inline",
    tools: Sequence[BaseTool | Callable[..., Any]] = (),
    system_prompt: str = SYSTEM_PROMPT,
    history_tokens: int = 3000,
    window_messages: int = 40,
    model_timeout_s: float = 120.0,
    requests: bool = True,
    clock: Clock = utcnow,
) -> Graph:
    """The graph, compiled: `graph.invoke({"messages": [...]}, config, context={"user_id": ...})`, or any async twin.

    `model` is a LangChain chat model or names one (``"openai:gpt-4o"``, see `graph.models`); like `kernel` it may be a
    callable that makes it at first use. `extractor` (default: the offline one) is what
    ProfileAgent and TaskAgent read with; `producers` replaces these two agents. `extraction`: a turn waits for them
    (``"inline"``), or they read behind its reply and the next read waits (``"background"``). `history_tokens` bounds
    what the model is shown of the conversation, `window_messages` what a checkpointed thread keeps of it. With a
    checkpointer, invoke with ``durability="exit"``: one small checkpoint a turn, whatever the thread's length.
    `requests`: what the user asks of their memory ("forget that …", "what do you know about me?") is carried out by the
    kernel and confirmed in the reply.
    """
    access = KernelAccess(kernel, clock)
    if isinstance(model, str):
        model = make_chat_model(model, Settings()).model
    if producers is None:
        reader = extractor or OfflineExtractor()
        producers = [ProfileAgent(reader), TaskAgent(reader)]
    readers = {node_name(p.name): ProducerNode(access, p, extraction=extraction) for p in producers}
    names = list(readers)

    graph = StateGraph(State, context_schema=Context, input_schema=InputState, output_schema=OutputState)
    graph.add_node("route", RouteNode(access, ASSISTANT, list(readers.values())).runnable())
    graph.add_edge(START, "route")
    for name, reader_node in readers.items():
        graph.add_node(name, reader_node.runnable())
        graph.add_edge(name, "kernel")
    asked = "requests" if requests else None
    graph.add_conditional_edges(
        "route", towards(names, "kernel", asked), [*names, "kernel", *([asked] if asked else [])]
    )
    # Deferred, so that it runs once, after however many producers the turn was sent to.
    graph.add_node("kernel", KernelNode(access, ASSISTANT).runnable(), defer=True)
    if requests:
        graph.add_node("requests", RequestsNode(access, ASSISTANT, _keepers(producers)).runnable())
        graph.add_conditional_edges("requests", after_requests(names, "kernel"), [*names, "kernel"])
        graph.add_node("recall", RecallNode(access, ASSISTANT).runnable())
        graph.add_conditional_edges("kernel", after_kernel("recall", "assistant"), ["recall", "assistant"])
        graph.add_edge("recall", "assistant")
    else:
        graph.add_edge("kernel", "assistant")
    assistant = AssistantAgent(
        model, tools=tools, system_prompt=system_prompt, history_tokens=history_tokens, timeout_s=model_timeout_s
    )
    graph.add_node("assistant", assistant.runnable())
    if tools:
        graph.add_node("tools", ToolNode(list(tools)))
        graph.add_conditional_edges("assistant", tools_condition, {"tools": "tools", END: "remember"})
        graph.add_edge("tools", "assistant")
    else:
        graph.add_edge("assistant", "remember")
    graph.add_node("remember", RememberNode(access, ASSISTANT, window_messages).runnable())
    graph.add_edge("remember", END)
    return graph.compile(checkpointer=checkpointer, name="shared_memory")


def _keepers(producers: Sequence[Producer]) -> list[ExtractingProducer]:
    """Who owns what is kept on request, the profile's agent first: as configured here, but reading with rules."""
    rules = OfflineExtractor()
    own = [p.reading_with(rules) for p in producers if isinstance(p, ExtractingProducer)]
    if not any("profile" in p.may_write for p in own):
        own.insert(0, ProfileAgent(rules))
    return sorted(own, key=lambda p: "profile" not in p.may_write)


def node_name(agent: str) -> str:
    """``ProfileAgent`` as ``profile_agent``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", agent).lower()
