"""`ModelExtractor`: facts from any LangChain chat model, kept only if the user's own words bear them out."""

from __future__ import annotations

import asyncio
import json
import queue
import threading
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from contextvars import copy_context
from typing import Any, NamedTuple

from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.base import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.constants import TAG_NOSTREAM
from pydantic import ValidationError

from nodes.extraction import Extraction, ExtractionRequest, Fact, FactType, Preceding, Problem
from nodes.extractors import schemas
from nodes.extractors.replies import find_quote, read_json
from nodes.extractors.text import clean, mask, own_words, tidy

TAG_EXTRACTOR = "memory:extractor"
MAX_RAW_CHARS = 4000
"""How much of a model's reply a Problem carries."""

HEAD_CHARS, TAIL_CHARS = 9_000, 3_000
MAX_CALLS = 32
"""Calls that one extractor may have open, those included that outlived their time-out: a model that hangs costs a
bounded number of threads."""

# No facts and one of these: asking again may help. A refused quotation or subject is an answer, not a failure.
_RETRIED = frozenset({"error", "empty", "refusal", "unreadable", "truncated", "malformed"})


class ModelExtractor:
    """Asks a chat model: once, and up to `retries` times more after a useless reply, within `timeout_s` seconds in all.

    A fact is refused and reported if its evidence is not in the user's own words, if its subject is somebody else, or
    if the model is unsure of it. A problem's `detail` never quotes the model; `raw` does, and is for the operator. The
    calls carry the tags ``nostream`` (LangGraph streams none of their tokens) and ``memory:extractor``, and the
    caller's callbacks.
    """

    def __init__(self, model: BaseChatModel, *, timeout_s: float = 20.0, retries: int = 1) -> None:
        self.name = f"model:{_model_name(model)}"
        self._model = model
        self._timeout_s = timeout_s
        self._retries = retries
        self._open_calls = threading.BoundedSemaphore(MAX_CALLS)

    def extract(self, request: ExtractionRequest) -> Extraction:
        """The facts of `request.memory_type`; never waits longer than the time-out, even for a model that hangs."""
        deadline = time.monotonic() + self._timeout_s
        asking, answer = self._asking(request), None
        while True:
            try:
                question = asking.send(answer)
            except StopIteration as done:
                return _result(done.value)
            answer = self._ask(question, deadline - time.monotonic())

    async def aextract(self, request: ExtractionRequest) -> Extraction:
        """The same without blocking the event loop."""
        deadline = time.monotonic() + self._timeout_s
        asking, answer = self._asking(request), None
        while True:
            try:
                question = asking.send(answer)
            except StopIteration as done:
                return _result(done.value)
            answer = await self._aask(question, deadline - time.monotonic())

    def _asking(self, request: ExtractionRequest) -> Generator[_Question, _Answer | None, Extraction]:
        """What to ask next, given the answers so far: the one course of events that sync and async share."""
        said = own_words(clean(request.text))
        if not said.strip():
            return Extraction()
        preceding = [Preceding(role, own_words(clean(text)).strip()) for role, text in request.preceding]
        shortened = len(said) > HEAD_CHARS + TAIL_CHARS
        if shortened:
            said = f"{said[:HEAD_CHARS]}\n\n{said[-TAIL_CHARS:]}"
        found = Extraction()
        schema_works = True
        for attempt in range(self._retries + 1):
            messages = schemas.messages_for(request.memory_type, said, again=attempt > 0, preceding=preceding)
            schema = schemas.REPORTS[request.memory_type].model_json_schema() if schema_works else None
            answer = yield _Question(messages, schema)
            assert answer is not None
            found = _problem(answer) or read_report(answer.text, request.memory_type, said)
            if found.facts or not any(problem.kind in _RETRIED for problem in found.problems):
                break
            # A server that knows no schemas, or not this one's bounds, answers with an error: then ask in words only.
            schema_works = answer.kind != "error"
        problems = list(found.problems)
        if shortened:
            problems.append(Problem(kind="too_long", detail="the model was shown the head and the tail of the message"))
        return Extraction(facts=found.facts, problems=tuple(problems))

    # -- calling the model ---------------------------------------------------------------------------------------------

    def _ask(self, question: _Question, seconds: float) -> _Answer:
        answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        ends = time.monotonic() + seconds
        if not self._open_calls.acquire(timeout=max(0.0, seconds)):
            return _busy()
        self._start(question, answers.put)
        try:
            return answers.get(timeout=max(0.0, ends - time.monotonic()))
        except queue.Empty:
            return self._late()

    async def _aask(self, question: _Question, seconds: float) -> _Answer:
        try:
            async with asyncio.timeout(max(0.0, seconds)):
                if _is_async(self._model):
                    return _answer(await self._runnable(question.schema).ainvoke(question.messages, _config()))
                return await self._ask_in_thread(question)
        except TimeoutError:
            return self._late()
        except Exception as error:  # noqa: BLE001 - whatever a model or its server raises is reported, not passed on
            return _failed(error)

    async def _ask_in_thread(self, question: _Question) -> _Answer:
        # Not the event loop's executor: it has few threads, a model that hangs would keep them, and the loop could
        # not be closed.
        if not self._open_calls.acquire(blocking=False):
            return _busy()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_Answer] = loop.create_future()

        def settle(answer: _Answer) -> None:
            if not future.done():
                future.set_result(answer)

        def deliver(answer: _Answer) -> None:
            with suppress(RuntimeError):  # the loop may be closed by the time a late model answers
                loop.call_soon_threadsafe(settle, answer)

        self._start(question, deliver)
        return await future

    def _start(self, question: _Question, deliver: Callable[[_Answer], object]) -> None:
        """Ask in a daemon thread: nothing waits for it, not even the end of the process."""

        def run() -> None:
            try:
                answer = _answer(self._runnable(question.schema).invoke(question.messages, _config()))
            except BaseException as error:  # noqa: BLE001 - whatever a model raises is reported, not passed on
                answer = _failed(error)
            self._open_calls.release()
            deliver(answer)

        # The caller's context carries LangGraph's callbacks and configuration.
        threading.Thread(target=copy_context().run, args=(run,), name="memory-extractor", daemon=True).start()

    def _runnable(self, schema: dict[str, Any] | None) -> Runnable[LanguageModelInput, Any]:
        """The model made to follow `schema` if it can, else the model as it is: the prompt says what is wanted."""
        if schema is None:
            return self._model
        try:
            return self._model.with_structured_output(schema, method="json_schema", include_raw=True)
        except (NotImplementedError, TypeError, ValueError):
            return self._model

    def _late(self) -> _Answer:
        return _Answer("", "timeout", f"{self.name} did not answer within {self._timeout_s:g} s")


class _Question(NamedTuple):
    messages: list[BaseMessage]
    schema: dict[str, Any] | None


class _Answer(NamedTuple):
    """What the model said; `kind` and `detail` say why there is no use in reading it."""

    text: str
    kind: str | None = None
    detail: str = ""


# --- reading a report -------------------------------------------------------------------------------------------------


def read_report(raw: str, memory_type: FactType, said: str) -> Extraction:
    """The facts in a model's reply that `said` bears out, and a problem for whatever else is in it."""
    if not raw.strip():
        return _nothing("empty", "the model said nothing", raw)
    reply = read_json(raw)
    if reply is None:
        return _nothing("unreadable", "no JSON in the model's reply", raw)
    facts: list[Fact] = []
    problems: list[Problem] = []
    entries = _entries(reply.value)
    if entries is None:
        return _nothing("malformed", "the JSON holds no list of facts", raw)
    for entry in entries[: schemas.MAX_ITEMS]:
        fact = _read_fact(entry, memory_type, said)
        if isinstance(fact, Fact):
            if fact not in facts:
                facts.append(fact)
        else:
            problems.append(fact)
    if len(entries) > schemas.MAX_ITEMS:
        problems.append(_refused("too_many", f"read the first {schemas.MAX_ITEMS} of {len(entries)} facts", None))
    if reply.damaged:
        problems.append(_refused("truncated", f"the reply ends amid its JSON; {len(facts)} whole facts kept", raw))
    return Extraction(facts=tuple(facts), problems=tuple(problems))


def _entries(value: Any) -> list[Any] | None:
    """The list of facts in what a model made of the schema: the object, its list alone, another key, a single fact."""
    if isinstance(value, list):
        return value
    if "facts" in value:
        return value["facts"] if isinstance(value["facts"], list) else [value["facts"]]
    if "evidence" in value:
        return [value]
    lists = [entry for entry in value.values() if isinstance(entry, list)]
    return lists[0] if len(lists) == 1 else None


def _read_fact(entry: Any, memory_type: FactType, said: str) -> Fact | Problem:
    unknown_slot = isinstance(entry, dict) and entry.get("slot") not in schemas.SLOTS[memory_type]
    known = {**entry, "slot": None} if unknown_slot else entry
    try:
        (reported,) = schemas.REPORTS[memory_type].model_validate({"facts": [known]}).facts  # type: ignore[attr-defined]
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][2:]) or "fact"
        return _refused("malformed", f"{where}: {first['msg']}", entry)
    if reported.subject == "other":
        return _refused("not_the_user", "a fact is about somebody else", entry)
    quoted = find_quote(reported.evidence, said)
    if quoted is None:
        return _refused("no_evidence", "the message does not say what a fact quotes from it", entry)
    if not any(character.isalnum() for character in mask(said)[quoted.start : quoted.end]):
        return _refused("not_own_words", "what a fact quotes is itself a quotation, or text to be worked on", entry)
    if reported.confidence < schemas.TOO_UNSURE:
        return _refused("unsure", f"the model is less than {schemas.TOO_UNSURE} sure of a fact", entry)
    text = tidy(clean(reported.text))
    if not text:
        return _refused("malformed", "text: says nothing", entry)
    return Fact(
        memory_type=memory_type,
        text=text,
        evidence=said[quoted.start : quoted.end],
        slot=reported.slot,
        operation=reported.operation,
        confidence=reported.confidence,
    )


def _refused(kind: str, detail: str, raw: Any) -> Problem:
    shown = raw if raw is None or isinstance(raw, str) else json.dumps(raw, ensure_ascii=False, default=str)
    return Problem(kind=kind, detail=clean(detail), raw=None if shown is None else clean(shown[:MAX_RAW_CHARS]))


def _nothing(kind: str, detail: str, raw: str) -> Extraction:
    return Extraction(problems=(_refused(kind, detail, raw),))


# --- reading an answer ------------------------------------------------------------------------------------------------


def _answer(output: Any) -> _Answer:
    """What came back, as text: plain, or the arguments of the tool call that a model uses instead of a schema."""
    message = output.get("raw") if isinstance(output, dict) else output
    if not isinstance(message, AIMessage):
        return _Answer("", "malformed", f"the model returned {type(message).__name__}")
    refusal = message.additional_kwargs.get("refusal")
    if refusal:
        return _Answer(str(refusal), "refusal", "the model refused")
    if str(message.text).strip():
        return _Answer(str(message.text))
    if message.tool_calls:
        return _Answer(json.dumps(message.tool_calls[0]["args"], ensure_ascii=False, default=str))
    if message.invalid_tool_calls:
        return _Answer(message.invalid_tool_calls[0]["args"] or "")
    return _Answer("")


def _failed(error: BaseException) -> _Answer:
    # OpenAI's client raises when a reply was cut at the length limit; what there is of it is worth reading.
    choices = getattr(getattr(error, "completion", None), "choices", None)
    if choices and isinstance(choices[0].message.content, str):
        return _Answer(choices[0].message.content)
    return _Answer("", "error", f"{type(error).__name__}: {error}"[:500])


def _problem(answer: _Answer) -> Extraction | None:
    if answer.kind is None:
        return None
    return Extraction(problems=(_refused(answer.kind, answer.detail, answer.text or None),))


def _busy() -> _Answer:
    return _Answer("", "busy", f"{MAX_CALLS} calls to the model are open and none came back")


def _config() -> RunnableConfig:
    return {"tags": [TAG_NOSTREAM, TAG_EXTRACTOR], "run_name": "memory_extractor"}


def _is_async(model: BaseChatModel) -> bool:
    return type(model)._agenerate is not BaseChatModel._agenerate


def _model_name(model: BaseChatModel) -> str:
    given = getattr(model, "model_name", None) or getattr(model, "model", None)
    return given if isinstance(given, str) else model._llm_type


def _result(value: Any) -> Extraction:
    assert isinstance(value, Extraction)
    return value
