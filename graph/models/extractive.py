"""`local:extractive`: a chat model without a language model. It quotes what memory and the conversation hold.

It is the default where there is neither key nor server, so it needs no download and says what it is.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, NoReturn

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.base import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool

from graph.models import quoting
from graph.models.quoting import Line
from memory_kernel.errors import ModelUnavailable
from nodes.marks import NOT_KEPT

INTRODUCTION = "(local:extractive here: no language model, I only quote what memory and this conversation hold.)"
INDIRECT = "Nothing says so in these words. What memory holds that may bear on it:"
NOTHING_FOUND = "I find nothing about that in memory or in this conversation."

_MAX_CHARS = 300
# Patterns with two ends take time that grows with the square of a text.
_MAX_READ = 4000
_PIECES = re.compile(r"\s*\S+|\s+$")


class ExtractiveChatModel(BaseChatModel):
    """Answers by choosing and quoting; the same messages always give the same answer.

    It calls no tools: `bind_tools` takes them and changes nothing. It produces no structured output and says so.
    """

    @property
    def _llm_type(self) -> str:
        return "local-extractive"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        text = _answer(messages, stop)
        message = AIMessage(
            text,
            usage_metadata=_usage(messages, text),
            response_metadata={"model_name": "local:extractive"},
            additional_kwargs={NOT_KEPT: True},
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(messages, stop):
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        # A few milliseconds of string work: a thread would cost more than it frees.
        return self._generate(messages, stop)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in _chunks(messages, stop):
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk
            # Whoever sends the words on runs in this loop too, and should get each as it comes.
            await asyncio.sleep(0)

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """This model itself: it has no way to decide on a call, so an agent with tools simply answers."""
        return self

    def with_structured_output(self, schema: Any, *, include_raw: bool = False, **kwargs: Any) -> NoReturn:
        """Raise ModelUnavailable: rules that quote cannot fill a schema."""
        raise ModelUnavailable(
            "local:extractive cannot produce structured output: name a model that can, such as openai:gpt-4o-mini, "
            "ollama:qwen2.5:7b or local:smollm2 (for memories: MEMORY_EXTRACTION_MODEL, or MEMORY_EXTRACTOR=offline)."
        )


def _answer(messages: Sequence[BaseMessage], stop: Sequence[str] | None) -> str:
    text = _say(messages)
    if not any(isinstance(message, AIMessage) for message in messages):
        text = f"{INTRODUCTION}\n\n{text}"
    for mark in stop or ():
        text = text.partition(mark)[0] if mark else text
    return text


def _say(messages: Sequence[BaseMessage]) -> str:
    said = [_text(message) for message in messages if isinstance(message, HumanMessage)]
    said = [text for text in said if text]
    prompt = "\n".join(_text(message) for message in messages if isinstance(message, SystemMessage))
    remembered = quoting.memory_lines(prompt)
    if not said:
        return "Hello. Ask me something, or tell me about yourself and your work."
    newest, earlier = said[-1][:_MAX_READ], said[:-1]
    if quoting.is_greeting(newest):
        return _greet(remembered)
    if quoting.is_thanks(newest):
        return "You are welcome."
    parts = quoting.sentences(newest)
    questions = [part for part in parts if quoting.is_question(part)]
    statements = [part for part in parts if part not in questions and not quoting.is_greeting(part)]
    noted = f"Noted: {_shorten(' '.join(statements))}" if statements else ""
    if not questions:
        return noted or "Noted."
    # What comes before a question usually frames it: «I fly to Lisbon. Which seat?»
    lines = [*remembered, *_lines(earlier)]
    chosen = quoting.choose(" ".join(questions), lines) or quoting.choose(newest, lines)
    if not chosen and quoting.is_about_speaker(" ".join(questions)):
        # The kernel found these relevant, although no word says so ("What do I like?" and "I love figs").
        answer = f"{INDIRECT}\n{_quote(remembered[:3])}" if remembered else NOTHING_FOUND
    else:
        answer = _quote(chosen)
    return "\n".join(part for part in (noted, answer) if part)


def _greet(remembered: Sequence[Line]) -> str:
    work = quoting.choose("What should I focus on next?", remembered)
    if not work:
        return "Hello. Ask me something, or tell me about yourself and your work."
    return f"Hello.\n{_quote(work)}"


def _lines(texts: Sequence[str]) -> list[Line]:
    """What the user said before, newest first, since a later word corrects an earlier one."""
    return [
        Line(sentence, "", False)
        for text in reversed(texts)
        for sentence in quoting.sentences(text[:_MAX_READ])
        if not quoting.is_question(sentence) and not quoting.is_greeting(sentence)
    ]


def _quote(lines: Sequence[Line]) -> str:
    if not lines:
        return NOTHING_FOUND
    said = []
    for source, remembered in (("From memory", True), ("You said", False)):
        quotes = [f"“{_shorten(line.text)}”" for line in lines if line.remembered is remembered]
        if len(quotes) == 1:
            said.append(f"{source}: {quotes[0]}")
        elif quotes:
            said.append("\n".join([f"{source}:", *(f"- {quote}" for quote in quotes)]))
    return "\n".join(said)


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else f"{text[: _MAX_CHARS - 1].rstrip()}…"


def _text(message: BaseMessage) -> str:
    content: Any = message.content
    parts = [content] if isinstance(content, str) else content
    texts = (part if isinstance(part, str) else part.get("text") for part in parts if isinstance(part, str | dict))
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _chunks(messages: Sequence[BaseMessage], stop: Sequence[str] | None) -> Iterator[ChatGenerationChunk]:
    text = _answer(messages, stop)
    for piece in _PIECES.findall(text):
        yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
    yield ChatGenerationChunk(
        message=AIMessageChunk(
            content="",
            usage_metadata=_usage(messages, text),
            response_metadata={"model_name": "local:extractive"},
            additional_kwargs={NOT_KEPT: True},
            chunk_position="last",
        )
    )


def _usage(messages: Sequence[BaseMessage], answer: str) -> UsageMetadata:
    """An estimate, four UTF-8 bytes a token: there is no tokenizer here."""
    read = sum(len(_text(message).encode("utf-8", "replace")) for message in messages) // 4
    written = -(-len(answer.encode("utf-8", "replace")) // 4)
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)
