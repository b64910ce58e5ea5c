"""Plays transcripts through the graph, turn by turn, and counts what came of it. Prints nothing."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from graph.builder import build_graph
from graph.sessions import DURABILITY, open_sessions, session_config, session_eraser
from graph.settings import Settings
from graph.transcript import Turn
from memory_kernel import MemoryKernel
from memory_kernel.items import utcnow
from nodes.context import Context
from nodes.extraction import Extractor
from nodes.marks import FAILED


class RecordedReplies(BaseChatModel):
    """Answers with the reply that the transcript holds, and asks `otherwise` where it holds none."""

    otherwise: BaseChatModel
    reply: str | None = None

    @property
    def _llm_type(self) -> str:
        return "recorded-replies"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        recorded = self.reply
        answer = self.otherwise.invoke(messages, stop=stop, **kwargs) if recorded is None else AIMessage(recorded)
        return ChatResult(generations=[ChatGeneration(message=answer)])


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn and what the graph made of it. `error` is set, and the rest empty, if the turn itself failed."""

    turn: Turn
    seconds: float
    recorded: bool = False
    reply: str = ""
    model_failed: str | None = None
    block: str = ""
    trace: dict[str, Any] = field(default_factory=dict)
    writes: Sequence[dict[str, Any]] = ()
    usage: dict[str, int] = field(default_factory=dict)
    error: str | None = None


@dataclass(slots=True)
class Report:
    """Sums over the turns played. Waits are milliseconds; `failed` counts turns, `failures` whatever went wrong."""

    turns: int = 0
    users: set[str] = field(default_factory=set)
    sessions: set[tuple[str, str]] = field(default_factory=set)
    recorded: int = 0
    with_block: int = 0
    block_tokens: list[int] = field(default_factory=list)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    waits_ms: list[float] = field(default_factory=list)
    timed_out: int = 0
    actions: Counter[tuple[str, str]] = field(default_factory=Counter)
    failed: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def add(self, played: PlayedTurn) -> None:
        """Count one turn."""
        line = played.turn.line
        self.turns += 1
        self.users.add(line.user_id)
        self.sessions.add((line.user_id, line.session_id))
        self.seconds.append(played.seconds)
        self.recorded += played.recorded
        if played.error is not None:
            self.failed += 1
            self.failures[f"turn failed: {played.error}"] += 1
            return
        barrier = played.trace.get("barrier") or {}
        self.with_block += bool(played.block)
        self.block_tokens.append(played.trace.get("tokens", 0))
        self.prompt_tokens += played.usage.get("input_tokens", 0)
        self.completion_tokens += played.usage.get("output_tokens", 0)
        self.waits_ms.append(barrier.get("waited_ms", 0.0))
        self.timed_out += bool(barrier.get("timed_out"))
        for write in played.writes:
            self.actions[write["agent"], write["action"]] += 1
            if write["action"] == "failed":
                self.failures[f"{write['agent']}: {write.get('problem', '')}"] += 1
        for problem in played.trace.get("problems") or ():
            self.failures[problem] += 1
        if played.model_failed:
            self.failures[f"chat model: {played.model_failed}"] += 1


class Player:
    """A graph over a kernel with checkpointed sessions, whose clock follows the transcript. A context manager."""

    def __init__(
        self,
        kernel: MemoryKernel,
        model: BaseChatModel,
        settings: Settings,
        extractor: Extractor | None = None,
        *,
        use_recorded_replies: bool = True,
    ) -> None:
        self._replies = RecordedReplies(otherwise=model)
        self._use_recorded = use_recorded_replies
        self._now: datetime | None = None
        self._stack = ExitStack()
        saver = self._stack.enter_context(open_sessions(settings.data_dir))
        kernel.register_eraser(session_eraser(settings.data_dir))
        self._graph = build_graph(
            kernel,
            model=self._replies if use_recorded_replies else model,
            extractor=extractor,
            extraction=settings.extraction,
            checkpointer=saver,
            history_tokens=settings.history_tokens,
            window_messages=settings.window_messages,
            model_timeout_s=settings.llm_timeout_s,
            clock=lambda: self._now or utcnow(),
        )

    def __enter__(self) -> Player:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._stack.close()

    def play(self, turns: Sequence[Turn]) -> Iterator[PlayedTurn]:
        """Play turns in order. One that fails is reported, and the next is played."""
        for turn in turns:
            yield self._play(turn)

    def _play(self, turn: Turn) -> PlayedTurn:
        line = turn.line
        self._now = line.time
        self._replies.reply = turn.recorded_reply if self._use_recorded else None
        started = time.perf_counter()
        try:
            out = self._graph.invoke(
                {"messages": [HumanMessage(line.text)]},
                session_config(line.user_id, line.session_id),
                context=Context(user_id=line.user_id),
                durability=DURABILITY,
            )
        except Exception as error:  # noqa: BLE001 - reported with its turn; a long replay must not end here
            return PlayedTurn(turn, time.perf_counter() - started, error=f"{type(error).__name__}: {error}")
        reply = out["messages"][-1]
        return PlayedTurn(
            turn,
            time.perf_counter() - started,
            recorded=self._replies.reply is not None,
            reply=str(reply.text),
            model_failed=reply.additional_kwargs.get(FAILED),
            block=out["block"],
            trace=out["trace"],
            writes=out["writes"],
            usage=dict(getattr(reply, "usage_metadata", None) or {}),
        )
