"""Agents that write memories: what one has to say (`Producer`), and the node that runs any of them.

A producer proposes; the node writes through a handle bound to the run's user and session. A producer holds no handle.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from langchain_core.runnables import RunnableLambda
from langgraph.errors import GraphBubbleUp

from memory_kernel import BoundAgent, MemoryItem, MemoryKernel, idempotency_key
from memory_kernel.deadline import Deadlines
from memory_kernel.injection import text_of
from memory_kernel.lexical import content_terms
from nodes.context import KernelAccess, Serving, serving
from nodes.matters import is_instruction, replaced
from nodes.state import State, WriteNote, in_words, new_words

logger = logging.getLogger(__name__)

# A retraction is about an item if the item has most of what it says, and says a good part of what the item does:
# "I no longer live in Lisbon" is not about "I live in Porto", and does not cost a long item its other facts.
_OF_RETRACTION, _OF_ITEM = 0.6, 0.3


@dataclass(frozen=True, slots=True)
class UserWords:
    """One message of the user, and when it was said."""

    text: str
    at: datetime
    message_id: str | None = None
    thread_id: str | None = None


@dataclass(frozen=True, slots=True)
class Retraction:
    """What `text` (or the slot's value) states no longer holds."""

    memory_type: str
    text: str
    slot: str | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a producer makes of the user's words: `create_memory` arguments to write, facts to retract, problems."""

    write: Sequence[Mapping[str, Any]] = ()
    retract: Sequence[Retraction] = ()
    problems: Sequence[str] = field(default=())


class Producer(ABC):
    """An agent that reads what the user says and proposes memories. Subclass it to add your own."""

    name: str
    may_write: frozenset[str] | set[str]

    @abstractmethod
    def propose(self, said: UserWords) -> Proposal:
        """What to remember of one message. May raise: the turn goes on without it."""

    async def apropose(self, said: UserWords) -> Proposal:
        """`propose` without blocking the event loop; override it if there is something to await."""
        return await asyncio.to_thread(self.propose, said)


class ProducerNode:
    """Runs a producer in a graph whose state has `messages` and `writes`. Running again writes nothing twice.

    A producer that raises, or takes longer than `timeout_s` seconds for a message, is noted in `writes`.
    """

    def __init__(self, access: KernelAccess, producer: Producer, timeout_s: float = 60.0) -> None:
        self._access = access
        self._producer = producer
        self._timeout_s = timeout_s
        self._deadlines = Deadlines(max_threads=64)

    def runnable(self) -> RunnableLambda[State, dict[str, Any]]:
        """The node, for `invoke` and `ainvoke`."""
        return RunnableLambda(self.run, afunc=self.arun, name=self._producer.name)

    def run(self, state: State) -> dict[str, Any]:
        """Propose and write for every new message of the user."""
        whom = serving()
        notes: list[WriteNote] = []
        for said in self._words(state, whom):
            try:
                proposal = self._deadlines.call(None, partial(self._producer.propose, said), self._timeout_s)
            except GraphBubbleUp:  # an interrupt is LangGraph's to handle
                raise
            except Exception as error:  # noqa: BLE001 - anybody's agent; its failure is noted and never ends the turn
                proposal = self._failed(error)
            notes += self._commit(whom, said, proposal)
        return {"writes": notes}

    async def arun(self, state: State) -> dict[str, Any]:
        """`run` without blocking the event loop."""
        whom = serving()
        notes: list[WriteNote] = []
        for said in self._words(state, whom):
            try:
                proposal = await self._apropose(said)
            except GraphBubbleUp:  # an interrupt is LangGraph's to handle
                raise
            except Exception as error:  # noqa: BLE001 - anybody's agent; its failure is noted and never ends the turn
                proposal = self._failed(error)
            notes += await asyncio.to_thread(self._commit, whom, said, proposal)
        return {"writes": notes}

    async def _apropose(self, said: UserWords) -> Proposal:
        if type(self._producer).apropose is Producer.apropose:  # it has no coroutine of its own
            return await self._deadlines.acall(None, lambda: self._producer.propose(said), self._timeout_s)
        async with asyncio.timeout(self._timeout_s):
            return await self._producer.apropose(said)

    def _words(self, state: State, whom: Serving) -> list[UserWords]:
        at = self._access.clock()
        said = [(text_of(m), m.id) for m in new_words(state["messages"])]
        return [UserWords(text, at, message_id, whom.thread_id) for text, message_id in said if text.strip()]

    def _failed(self, error: Exception) -> Proposal:
        logger.warning("agent %r failed: %s", self._producer.name, error, exc_info=error)
        return Proposal(problems=[in_words(error)])

    # -- writing ---------------------------------------------------------------------------------------------------

    def _commit(self, whom: Serving, said: UserWords, proposal: Proposal) -> list[WriteNote]:
        agent = self._producer.name
        notes: list[WriteNote] = []
        try:
            notes += [{"agent": agent, "action": "failed", "problem": p} for p in proposal.problems]
            if not proposal.write and not proposal.retract:
                return notes
            mine = self._handle(self._access.kernel(), whom)
            for retraction in proposal.retract:
                notes += self._retract(mine, retraction)
            notes += self._write(mine, said, proposal.write)
        except Exception as error:  # a store that refuses, a proposal that is none: noted, and never ends the turn
            logger.error("agent %r could not write: %s", agent, error, exc_info=error)
            notes.append({"agent": agent, "action": "failed", "problem": in_words(error)})
        return notes

    def _handle(self, kernel: MemoryKernel, whom: Serving) -> BoundAgent:
        agent = kernel.register_agent(self._producer.name, may_write=self._producer.may_write)
        return agent.bind(user_id=whom.user_id, session_id=whom.thread_id)

    def _write(self, mine: BoundAgent, said: UserWords, memories: Sequence[Mapping[str, Any]]) -> list[WriteNote]:
        source = {"thread_id": said.thread_id, "message_id": said.message_id, "speaker": "user"}
        complete: list[dict[str, Any]] = [
            {
                "sharing_policy": "shared",
                "source": source,
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

    @staticmethod
    def _retract(mine: BoundAgent, retraction: Retraction) -> list[WriteNote]:
        notes: list[WriteNote] = []
        for item in _meant(retraction, mine.own_items(retraction.memory_type)):
            if mine.retract_memory(item.id):
                notes.append(
                    {
                        "agent": mine.name,
                        "action": "retracted",
                        "memory_type": item.memory_type,
                        "slot": item.slot,
                        "sharing_policy": item.sharing_policy,
                        "item_id": item.id,
                        **({"text": item.text} if item.sharing_policy == "shared" else {}),
                    }
                )
        return notes


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


def _key(agent: str, said: UserWords, memory: Mapping[str, Any]) -> str | None:
    """One message read again by one agent gives one write. Without a message id there is nothing to go by."""
    if said.message_id is None:
        return None
    digest = hashlib.sha256(repr(sorted((k, repr(v)) for k, v in memory.items())).encode()).hexdigest()
    return idempotency_key(said.thread_id, said.message_id, agent, digest)
