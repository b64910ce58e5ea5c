"""The graph's state: the conversation, and what one turn adds to it. Nothing here accumulates but `messages`."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from langchain_core.messages import AnyMessage, BaseMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from memory_kernel.errors import MemoryKernelError


class InputState(TypedDict):
    """What a client may send: messages, and nothing else."""

    messages: Annotated[list[AnyMessage], add_messages]


class WriteNote(TypedDict, total=False):
    """What an agent did with the user's words. The text stands here only if the item is shared."""

    agent: str
    action: str  # "wrote", "already known", "retracted" or "failed"; by the kernel itself "retracted" or "restored"
    memory_type: str
    slot: str | None
    sharing_policy: str
    item_id: str
    text: str
    problem: str
    reason: str  # why the kernel did it


class OutputState(InputState):
    """What a client gets back: the conversation, the block the assistant was shown, and why."""

    block: str
    trace: dict[str, Any]
    writes: Annotated[list[WriteNote], operator.add]


class Lineage(TypedDict, total=False):
    """The turn's place in the thread's history: its name, and the earlier messages to read again. See `nodes.history`.

    Without a checkpointer a turn has no name.
    """

    turn: str
    again: list[str]


class State(OutputState):
    """The conversation with its `lineage`, and this turn's `writes`, `block` and `trace`, which `route` clears."""

    lineage: Lineage


def in_words(error: Exception) -> str:
    """What went wrong, for the trace and the notes: the kernel's own errors are sentences, others need their name."""
    return str(error) if isinstance(error, MemoryKernelError) else f"{type(error).__name__}: {error}"


def served(values: Mapping[str, Any]) -> str | None:
    """Whom a thread belongs to, by its state: the user of its turns. None before the first one."""
    user_id = ((values.get("trace") or {}).get("identity") or {}).get("user_id")
    return user_id if isinstance(user_id, str) else None


def new_words(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The human messages that nobody has answered yet: the user's own new words, oldest first.

    A system message of the application may stand anywhere among them.
    """
    trailing: list[BaseMessage] = []
    for message in reversed(messages):
        if message.type == "human":
            trailing.append(message)
        elif message.type != "system":
            break
    return trailing[::-1]
