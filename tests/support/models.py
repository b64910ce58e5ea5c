"""Scripted chat models: what a model answers, and every way in which one fails. They stream word by word."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from pydantic import Field

Reply = str | AIMessage | BaseException | Callable[[list[BaseMessage]], Any]


class ScriptedModel(BaseChatModel):
    """Gives its replies in turn, the last one again and again; a callable is asked, an exception raised.

    It has no coroutines of its own, like most local models: LangChain runs it in a thread.
    """

    replies: list[Any]
    asked: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any) -> Runnable[Any, Any]:
        return self

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        reply = self.replies[min(len(self.asked), len(self.replies) - 1)]
        self.asked.append(list(messages))
        if isinstance(reply, BaseException):
            raise reply
        if callable(reply):
            reply = reply(messages)
        return AIMessage(reply) if isinstance(reply, str) else reply

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(self._next(messages)):
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk


class AsyncScriptedModel(ScriptedModel):
    """The same with coroutines of its own, like a client of a server."""

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._generate(messages)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in _chunks(self._next(messages)):
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk
            await asyncio.sleep(0)


class HangingModel(ScriptedModel):
    """Does not answer until `release` is called."""

    replies: list[Any] = Field(default_factory=lambda: ["too late"])
    gate: Any = Field(default_factory=threading.Event)

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        self.gate.wait()
        return super()._next(messages)

    def release(self) -> None:
        self.gate.set()


class AsyncHangingModel(AsyncScriptedModel):
    """Never answers a coroutine."""

    replies: list[Any] = Field(default_factory=lambda: ["too late"])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        await asyncio.get_running_loop().create_future()
        raise AssertionError("nobody completes this future")

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        await asyncio.get_running_loop().create_future()
        yield ChatGenerationChunk(message=AIMessageChunk(content="never"))


def tool_call(name: str, call_id: str, **args: Any) -> AIMessage:
    """A reply that calls a tool."""
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": call_id}])


def system_text(messages: Sequence[BaseMessage]) -> str:
    """What a model was told in its system message."""
    return str(messages[0].text)


def _chunks(message: AIMessage) -> Iterator[ChatGenerationChunk]:
    if message.additional_kwargs:
        yield ChatGenerationChunk(message=AIMessageChunk(content="", additional_kwargs=message.additional_kwargs))
    for word in re.findall(r"\S+\s*|\s+", message.text) or [""]:
        yield ChatGenerationChunk(message=AIMessageChunk(content=word))
    calls = [
        tool_call_chunk(name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=index)
        for index, call in enumerate(message.tool_calls)
    ]
    if calls:
        yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=calls))
