"""What is kept of an exchange: the words of the two who spoke, and nothing that memory itself put there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from memory_kernel import MemoryKernel
from memory_kernel.formatting import BLOCK_END, BLOCK_START

BLOCK = f"{BLOCK_START}\n- Lives in Porto\n{BLOCK_END}"


def kept(kernel: MemoryKernel, *messages: object) -> list[str]:
    agent = kernel.register_agent("AssistantAgent").bind(user_id="ana", session_id="s")
    agent.keep_exchange(list(messages))
    return [item.text for item in kernel.export_user("ana")]


def test_only_what_user_and_assistant_said_is_kept(make_kernel: Callable[..., MemoryKernel]) -> None:
    said = [SystemMessage("be kind"), HumanMessage("hi"), ToolMessage("42", tool_call_id="c"), AIMessage("hello")]
    assert kept(make_kernel(), *said) == ["the user said: hi", "the assistant said: hello"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BLOCK, []),
        (f"{BLOCK}\nIs that right?", ["the user said: Is that right?"]),
        (f"Is that right?\n{BLOCK}\n{BLOCK}", ["the user said: Is that right?"]),
        (f"Is that right?\n{BLOCK.removesuffix(BLOCK_END)}", ["the user said: Is that right?"]),
        ("The word MEMORY CONTEXT stays", ["the user said: The word MEMORY CONTEXT stays"]),
    ],
)
def test_an_injected_block_that_comes_back_is_not_kept(
    make_kernel: Callable[..., MemoryKernel], text: str, said: list[str]
) -> None:
    assert kept(make_kernel(), HumanMessage(text)) == said
