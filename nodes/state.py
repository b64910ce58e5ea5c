"""The graph's state: the conversation, and what one turn adds to it. Nothing here accumulates but `messages`."""

from __future__ import annotations

import operator
from typing import Annotated, Any

from langchain_core.messages import AnyMessage, BaseMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict


class InputState(TypedDict):
    """What a client may send: messages, and nothing else."""

    messages: Annotated[list[AnyMessage], add_messages]


class WriteNote(TypedDict, total=False):
    """What an agent did with the user's words. The text stands here only if the item is shared."""

    agent: str
    action: str  # "wrote", "already known", "retracted" or "failed"
    memory_type: str
    slot: str | None
    sharing_policy: str
    item_id: str
    text: str
    problem: str


class OutputState(InputState):
    """What a client gets back: the conversation, the block the assistant was shown, and why."""

    block: str
    trace: dict[str, Any]
    writes: Annotated[list[WriteNote], operator.add]


class State(OutputState):
    """The conversation and this turn's `writes`, `block` and `trace`, which `route` clears when the next turn begins."""


def new_words(messages: list[BaseMessage]) -> list[BaseMessage]:
    """The human messages that nobody has answered yet: the user's own new words, oldest first."""
    trailing: list[BaseMessage] = []
    for message in reversed(messages):
        if message.type != "human":
            break
        trailing.append(message)
    return trailing[::-1]
