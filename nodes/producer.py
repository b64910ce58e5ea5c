"""Agents that write memories: what one has to say (`Producer`), and the node that runs any of them.

A producer proposes; the node writes through a handle bound to the run's user and session. A producer holds no handle.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Literal

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableLambda
from langgraph.errors import GraphBubbleUp
from pydantic import TypeAdapter

from memory_kernel import AgentHandle, BoundAgent, KernelClosed, MemoryItem, UserErased, idempotency_key
from memory_kernel.deadline import Deadlines
from memory_kernel.injection import text_of
from memory_kernel.lexical import content_terms
from memory_kernel.manager import storable
from nodes.context import KernelAccess, Serving, serving
from nodes.extraction import Preceding, Problem
from nodes.extractors.text import own_words
from nodes.history import turn_of
from nodes.marks import NOT_KEPT
from nodes.matters import is_instruction, replaced
from nodes.requesting.asked import edited_words, unrequested
from nodes.state import State, WriteNote, in_words, new_words, note_of

logger = logging.getLogger(__name__)

ExtractionMode = Literal["inline", "background"]
"""``inline``: the turn waits for its producers, and its block has what they wrote. ``background``: the turn reserves
their places in the order of writes and goes on, and the next read waits for them."""

PRECEDING_MESSAGES, PRECEDING_CHARS = 4, 2000
_ROLES: dict[str, Literal["user", "assistant"]] = {"human": "user", "ai": "assistant"}

# A retraction is about an item if the item has most of what it says, and says a good part of what the item does:
# "I no longer live in Lisbon" is not about "I live in Porto", and does not cost a long item its other facts.
_OF_RETRACTION, _OF_ITEM = 0.6, 0.3


@dataclass(frozen=True, slots=True)
class UserWords:
    """One message of the user, when it was said, and the few messages before it, which are there to understand it."""

    text: str
    at: datetime
    message_id: str | None = None
    thread_id: str | None = None
    preceding: tuple[Preceding, ...] = ()
    turn: str | None = None
    """The turn's name in a watched thread."""

    def source(self) -> dict[str, str | None]:
        """Where a memory made of these words came from, as handles take it."""
        return {"thread_id": self.thread_id, "message_id": self.message_id, "speaker": "user", "turn": self.turn}


@dataclass(frozen=True, slots=True)
class Retraction:
    """What `text` (or the slot's value) states no longer holds."""

    memory_type: str
    text: str
    slot: str | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a producer makes of the user's words: `create_memory` arguments to write, facts to retract, problems.

    A problem is a sentence, or a `Problem` with what a model said; that goes to the operator, and into no state.
    """

    write: Sequence[Mapping[str, Any]] = ()
    retract: Sequence[Retraction] = ()
    problems: Sequence[Problem | str] = field(default=())


_TASKS = TypeAdapter(UserWords)


class Producer(ABC):
    """An agent that reads what the user says and proposes memories. Subclass it to add your own."""

    name: str
    may_write: frozenset[str] | set[str]

    @abstractmethod
    def propose(self, said: UserWords) -> Proposal:
        """What to remember of one message. May raise: the turn goes on without it. Called from any thread."""

    async def apropose(self, said: UserWords) -> Proposal:
        """`propose` without blocking the event loop; override it if there is something to await."""
        return await asyncio.to_thread(self.propose, said)


class ProducerNode:
    """Runs a producer in a graph whose state has `messages` and `writes`. Running again writes nothing twice.

    A producer that raises, or takes longer than `timeout_s` seconds for a message, is noted in `writes`. With
    `extraction="background"` the kernel's threads call `propose` behind the reply, and `writes` says "reading"; when
    too much waits there already, the turn reads inline, and writes after what waits.
    """

    def __init__(
        self,
        access: KernelAccess,
        producer: Producer,
        timeout_s: float = 60.0,
        *,
        extraction: ExtractionMode = "inline",
    ) -> None:
        if extraction not in ("inline", "background"):
            raise ValueError(f'extraction must be "inline" or "background", not {extraction!r}')
        self._access = access
        self._producer = producer
        self._timeout_s = timeout_s
        self._extraction = extraction
        self._deadlines = Deadlines(max_threads=64)
        self._took_up = False  # what an earlier process left unread; harmless to do twice, so without a lock

    def runnable(self) -> RunnableLambda[State, dict[str, Any]]:
        """The node, for `invoke` and `ainvoke`."""
        return RunnableLambda(self.run, afunc=self.arun, name=self._producer.name)

    def run(self, state: State) -> dict[str, Any]:
        """Propose and write for every new message of the user."""
        whom = serving()
        notes: list[WriteNote] = []
        for said in self._words(state, whom):
            later = None if self._reads_at_once else self._leave_for_later(whom, said)
            if later is not None:
                notes += later
                continue
            try:
                proposal = self._propose(said)
                if self._extraction == "background":  # it is full there: write after what waits
                    self._handle(whom).settle()
            except GraphBubbleUp:  # an interrupt is LangGraph's to handle
                raise
            except Exception as error:  # noqa: BLE001 - anybody's agent; its failure is noted and never ends the turn
                proposal = self._failed(error)
            notes += self._commit(lambda: self._handle(whom), said, proposal)
        return {"writes": notes}

    async def arun(self, state: State) -> dict[str, Any]:
        """`run` without blocking the event loop."""
        whom = serving()
        notes: list[WriteNote] = []
        for said in self._words(state, whom):
            later = None if self._reads_at_once else await asyncio.to_thread(self._leave_for_later, whom, said)
            if later is not None:
                notes += later
                continue
            try:
                proposal = await self._apropose(said)
                if self._extraction == "background":  # it is full there: write after what waits
                    await (await asyncio.to_thread(self._handle, whom)).asettle()
            except GraphBubbleUp:  # an interrupt is LangGraph's to handle
                raise
            except Exception as error:  # noqa: BLE001 - anybody's agent; its failure is noted and never ends the turn
                proposal = self._failed(error)
            notes += await asyncio.to_thread(self._commit, lambda: self._handle(whom), said, proposal)
        return {"writes": notes}

    def _propose(self, said: UserWords) -> Proposal:
        return self._deadlines.call(None, partial(self._producer.propose, said), self._timeout_s)

    async def _apropose(self, said: UserWords) -> Proposal:
        if type(self._producer).apropose is Producer.apropose:  # it has no coroutine of its own
            return await self._deadlines.acall(None, lambda: self._producer.propose(said), self._timeout_s)
        async with asyncio.timeout(self._timeout_s):
            return await self._producer.apropose(said)

    def _words(self, state: State, whom: Serving) -> list[UserWords]:
        at, messages, turn = self._access.clock(), state["messages"], turn_of(state)
        new = new_words(messages)
        edited = edited_words(state)
        own = [*map(text_of, edited), *unrequested(state, new)]
        reading = {message.id for message in (*edited, *new)}
        forgotten = (state.get("forgotten") or {}).keys() - reading
        messages = [m for m in messages if m.id not in forgotten and NOT_KEPT not in m.additional_kwargs]
        return [
            UserWords(storable(text), at, message.id, whom.thread_id, before(messages, message), turn)
            for text, message in zip(own, [*edited, *new], strict=True)
            if text.strip()
        ]

    def _failed(self, error: Exception) -> Proposal:
        logger.warning("agent %r failed: %s", self._producer.name, error, exc_info=error)
        return Proposal(problems=[Problem(kind="error", detail=storable(in_words(error)))])

    # -- reading behind the reply ----------------------------------------------------------------------------------

    @property
    def _reads_at_once(self) -> bool:
        return self._took_up and self._extraction == "inline"

    def _leave_for_later(self, whom: Serving, said: UserWords) -> list[WriteNote] | None:
        """Reserve the place of a message in the order of writes. None: it is to be read now."""
        in_background = self._extraction == "background"
        try:
            self._take_up()
            if not in_background:
                return None
            key = idempotency_key(*said.source().values(), said.text) if said.message_id else None
            seq_no = self._handle(whom).defer(_TASKS.dump_python(said, mode="json"), self._read, key=key)
        except Exception as error:  # a store that refuses: noted, and never ends the turn
            if not in_background:  # whatever ails the store, the write will say it
                return None
            logger.error("agent %r cannot read later: %s", self._producer.name, error, exc_info=error)
            return [self._note_of(in_words(error))]
        if seq_no is None:
            return None
        return [{"agent": self._producer.name, "action": "reading", "seq_no": seq_no}]

    def take_up(self) -> None:
        """Queue what an earlier process left unread, so that whoever reads memory in this turn waits for it."""
        try:
            self._take_up()
        except Exception as error:  # noqa: BLE001 - whatever ails the store, the turn's own steps will say it
            logger.warning("agent %r cannot take up earlier words: %s", self._producer.name, error)

    def _take_up(self) -> None:
        if not self._took_up:
            self._agent().take_up(self._read)
            self._took_up = True

    def _read(self, mine: BoundAgent, task: Mapping[str, Any]) -> list[WriteNote]:
        """What a thread of the kernel's does with a message that was left for later."""
        said = _TASKS.validate_python(dict(task))
        try:
            proposal = self._propose(said)
        except Exception as error:  # noqa: BLE001 - anybody's agent; its failure is for the operator to read
            proposal = self._failed(error)
        return self._commit(lambda: mine, said, proposal)

    # -- writing ---------------------------------------------------------------------------------------------------

    def _commit(self, bind: Callable[[], BoundAgent], said: UserWords, proposal: Proposal) -> list[WriteNote]:
        agent = self._producer.name
        notes: list[WriteNote] = []
        mine: BoundAgent | None = None
        try:
            problems = [_as_problem(p) for p in proposal.problems]
            notes += [self._note_of(f"{p.kind}: {p.detail}") for p in problems]
            if not proposal.write and not proposal.retract and not problems:
                return notes
            mine = bind()
            for problem in problems:
                mine.report(problem.kind, problem.detail, raw=problem.raw, message_id=said.message_id)
            for retraction in proposal.retract:
                notes += self._retract(mine, said, retraction)
            notes += write_memories(mine, said, proposal.write)
        except Exception as error:  # a store that refuses, a proposal that is none: noted, and never ends the turn
            gone = isinstance(error, UserErased | KernelClosed)  # nothing is wrong with the agent or the store
            logger.log(
                logging.INFO if gone else logging.ERROR,
                "agent %r could not write: %s",
                agent,
                error,
                exc_info=None if gone else error,
            )
            notes.append(self._note_of(in_words(error)))
            if mine is not None:
                mine.report("not written", in_words(error), message_id=said.message_id)
        return notes

    def _note_of(self, problem: str) -> WriteNote:
        return {"agent": self._producer.name, "action": "failed", "problem": problem}

    def _agent(self) -> AgentHandle:
        kernel = self._access.kernel()
        return kernel.register_agent(self._producer.name, may_write=self._producer.may_write)

    def _handle(self, whom: Serving) -> BoundAgent:
        return self._agent().bind(user_id=whom.user_id, session_id=whom.thread_id)

    @staticmethod
    def _retract(mine: BoundAgent, said: UserWords, retraction: Retraction) -> list[WriteNote]:
        meant = _meant(retraction, mine.own_items(retraction.memory_type))
        return [note_of(i, "retracted") for i in meant if mine.retract_memory(i.id, source=said.source())]


def before(messages: Sequence[BaseMessage], message: BaseMessage) -> tuple[Preceding, ...]:
    """The last few things that the user and the assistant said before a message, without code, quotes and blocks.

    Of a long one the end is kept: that is where a question stands.
    """
    same = (i for i, m in enumerate(messages) if m is message or (m.id is not None and m.id == message.id))
    place = next(same, len(messages))
    spoken: list[Preceding] = []
    for earlier in reversed(messages[:place]):
        role = _ROLES.get(earlier.type)
        if role is None:
            continue
        text = "\n".join(line for line in own_words(storable(text_of(earlier))).splitlines() if line.strip())
        if text:
            spoken.append(Preceding(role, text if len(text) <= PRECEDING_CHARS else "…" + text[1 - PRECEDING_CHARS :]))
        if len(spoken) == PRECEDING_MESSAGES:
            break
    return tuple(reversed(spoken))


def _as_problem(problem: Problem | str) -> Problem:
    return problem if isinstance(problem, Problem) else Problem(kind="failed", detail=storable(problem))


def _slots(mine: BoundAgent, memories: Sequence[Mapping[str, Any]]) -> list[str | None]:
    """The slot of each: a new instruction takes that of the one that it replaces, if there is one."""
    slots: list[str | None] = []
    standing: dict[str, list[tuple[str, str]]] = {}  # by memory type: slot and text of the instructions that hold
    for memory in memories:
        slot, text = memory.get("slot"), str(memory["content"])
        if slot is not None and is_instruction(slot):
            kind = str(memory["memory_type"])
            if kind not in standing:
                held = mine.own_items(kind)
                standing[kind] = [(item.slot, item.text) for item in held if item.slot and is_instruction(item.slot)]
            number = replaced(text, [words for _, words in standing[kind]])
            if number is not None:
                slot = standing[kind].pop(number)[0]
            standing[kind].append((slot, text))
        slots.append(slot)
    return slots


def _meant(retraction: Retraction, items: Sequence[MemoryItem]) -> list[MemoryItem]:
    """The items that a retraction is about, in its slot if it names one."""
    gone = content_terms(retraction.text)

    def about(item: MemoryItem) -> bool:
        words = content_terms(item.text)
        common = len(gone & words)
        return bool(common) and common >= _OF_RETRACTION * len(gone) and common >= _OF_ITEM * len(words)

    return [i for i in items if about(i) and (retraction.slot is None or i.slot in (retraction.slot, None))]


def write_memories(mine: BoundAgent, said: UserWords, memories: Sequence[Mapping[str, Any]]) -> list[WriteNote]:
    """Write what an agent makes of a message, each with the arguments of `create_memory`; saying so again is safe."""
    complete: list[dict[str, Any]] = [
        {
            "sharing_policy": "shared",
            "source": said.source(),
            "valid_from": said.at,
            "idempotency_key": _key(mine.name, said, memory),
            **memory,
            "slot": slot,
        }
        for memory, slot in zip(memories, _slots(mine, memories), strict=True)
    ]
    receipts = mine.create_memories(complete)
    return [
        {
            "agent": mine.name,
            "action": "already known" if receipt.state == "duplicate" else "wrote",
            "memory_type": memory["memory_type"],
            "slot": memory.get("slot"),
            "sharing_policy": memory["sharing_policy"],
            "item_id": receipt.item_id,
            **({"text": str(memory["content"])} if memory["sharing_policy"] == "shared" else {}),
        }
        for memory, receipt in zip(complete, receipts, strict=True)
    ]


def _key(agent: str, said: UserWords, memory: Mapping[str, Any]) -> str | None:
    """One message read again by one agent gives one write. Without a message id there is nothing to go by."""
    if said.message_id is None:
        return None
    digest = hashlib.sha256(repr(sorted((k, repr(v)) for k, v in memory.items())).encode()).hexdigest()
    lineage = [] if said.turn is None else [said.turn]
    return idempotency_key(said.thread_id, said.message_id, agent, digest, *lineage)
