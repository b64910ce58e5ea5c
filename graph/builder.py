"""Wires the nodes into the graph; nothing else.

             ┌─> profile_agent ─┐
START ─route─┤                  ├─> kernel ─> assistant ─> remember ─> END
             └─> task_agent ────┘  (deferred)
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
from nodes.extraction import Extractor
from nodes.extractors.offline import OfflineExtractor
from nodes.kernel import KernelNode
from nodes.producer import Producer, ProducerNode
from nodes.profile_agent import ProfileAgent
from nodes.remember import RememberNode
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
    tools: Sequence[BaseTool | Callable[..., Any]] = (),
    system_prompt: str = SYSTEM_PROMPT,
    history_tokens: int = 3000,
    window_messages: int = 40,
    model_timeout_s: float = 120.0,
    clock: Clock = utcnow,
) -> Graph:
    """The graph, compiled: `graph.invoke({"messages": [...]}, config, context={"user_id": ...})`, or any async twin.

    `model` is a LangChain chat model or names one (``"openai:gpt-4o"``, see `graph.models`); like `kernel` it may be a
    callable that makes it at first use. `extractor` (default: the offline one) is what
    ProfileAgent and TaskAgent read with; `producers` replaces these two agents. `history_tokens` bounds what the model
    is shown of the conversation, `window_messages` what a checkpointed thread keeps of it. With a checkpointer, invoke
    with ``durability="exit"``: one small checkpoint a turn, whatever the thread's length.
    """
    access = KernelAccess(kernel, clock)
    if isinstance(model, str):
        model = make_chat_model(model, Settings()).model
    if producers is None:
        reader = extractor or OfflineExtractor()
        producers = [ProfileAgent(reader), TaskAgent(reader)]
    names = {node_name(p.name): p for p in producers}

    graph = StateGraph(State, context_schema=Context, input_schema=InputState, output_schema=OutputState)
    graph.add_node("route", RouteNode(access).runnable())
    graph.add_edge(START, "route")
    for name, producer in names.items():
        graph.add_node(name, ProducerNode(access, producer).runnable())
        graph.add_edge(name, "kernel")
    graph.add_conditional_edges("route", towards(list(names), "kernel"), [*names, "kernel"])
    # Deferred, so that it runs once, after however many producers the turn was sent to.
    graph.add_node("kernel", KernelNode(access, ASSISTANT).runnable(), defer=True)
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


def node_name(agent: str) -> str:
    """``ProfileAgent`` as ``profile_agent``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", agent).lower()
