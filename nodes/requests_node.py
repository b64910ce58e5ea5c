"""What the user asks of their own memory, carried out by the kernel and confirmed in the reply.

Two nodes, on the way of a turn that holds a request: `RequestsNode` before the producers, so that what is said after
"forget that …" is not forgotten with it, and `RecallNode` after the kernel, so that the answer to "what do you know
about me?" has what this turn taught.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableLambda

from memory_kernel import MemoryItem, MemoryKernel, StoreUnavailable, visible
from memory_kernel.injection import text_of
from memory_kernel.own_memory import OwnMemory
from nodes.context import KernelAccess, Serving, serving
from nodes.extracting import ExtractingProducer
from nodes.history import to_read, turn_of
from nodes.producer import UserWords, write_memories
from nodes.requesting import matching, replies
from nodes.requesting.asked import readings
from nodes.requesting.reading import Forget, ForgetEverything, Reading, Recall, Remember
from nodes.state import Requested, State, WriteNote, in_words, new_words, note_of

logger = logging.getLogger(__name__)

MAX_WORDS_CHARS = 1000
"""The longest text that is kept on request: what a line of the block shows whole."""
_CLOSEST = 3
_CLOSE, _ABOUT = 0.2, 0.5  # relevance from which a memory is worth naming, and from which it is about a topic


class _Outcome(NamedTuple):
    """What a request came to: the sentence for the user, the notes for the turn's record, and what was forgotten.

    `sources` are the ids of the messages that had taught it.
    """

    confirmation: str
    notes: list[WriteNote]
    forgot: Forget | ForgetEverything | None = None
    sources: frozenset[str] = frozenset()


class RequestsNode:
    """Remembers and forgets for the run's user; puts confirmations, and what else the user said, into state.

    `requester` is the agent whose view the confirmations keep to. `keepers` are the producers that own what is kept on
    request; they read with rules, so that a request does not depend on a model. A store that refuses is confirmed as
    such, and never ends the turn.
    """

    def __init__(self, access: KernelAccess, requester: str, keepers: Sequence[ExtractingProducer]) -> None:
        self._access = access
        self._requester = requester
        self._keepers = list(keepers)

    def runnable(self) -> RunnableLambda[State, dict[str, Any]]:
        """The node, for `invoke` and `ainvoke`."""
        return RunnableLambda(self.run, afunc=self.arun, name="requests")

    def run(self, state: State) -> dict[str, Any]:
        """Carry out the requests for a thread."""
        whom = serving()
        try:
            memory = self._memory(self._access.kernel(), whom)
            drained = memory.wait()
        except Exception as error:  # noqa: BLE001 - whatever is wrong, the user is told
            return self._all_failed(state, error)
        return self._carry_out(state, whom, memory, drained)

    async def arun(self, state: State) -> dict[str, Any]:
        """`run` without blocking the event loop; holds no thread while it waits."""
        whom = serving()
        try:
            kernel = await self._access.akernel()
            memory = await asyncio.to_thread(self._memory, kernel, whom)
            drained = await memory.await_writes()
        except Exception as error:  # noqa: BLE001 - whatever is wrong, the user is told
            return self._all_failed(state, error)
        return await asyncio.to_thread(self._carry_out, state, whom, memory, drained)

    def _memory(self, kernel: MemoryKernel, whom: Serving) -> OwnMemory:
        return kernel.own_memory(whom.user_id, agent=self._requester, session_id=whom.thread_id)

    def _carry_out(self, state: State, whom: Serving, memory: OwnMemory, drained: bool) -> dict[str, Any]:
        said = new_words(state["messages"])
        at, turn = self._access.clock(), turn_of(state)
        found = readings(state["messages"])
        outcomes: list[_Outcome] = []
        for message, reading in zip(said, found, strict=True):
            where = UserWords("", at, message.id, whom.thread_id, turn=turn)
            for request in reading.requests:
                match request:
                    case Remember():
                        outcomes.append(self._guarded(request, partial(self._remember, request, where, memory)))
                    case Forget():
                        outcomes.append(self._guarded(request, partial(self._forget, request, where, memory, drained)))
                    case ForgetEverything(confirmed=True):
                        outcomes.append(
                            self._guarded(request, partial(self._forget_everything, request, where, memory, drained))
                        )
                    case ForgetEverything():
                        outcomes.append(_Outcome(replies.sure(request.language), []))
        return {**_update(found, outcomes), "forgotten": _shown(state, found, outcomes)}

    def _all_failed(self, state: State, error: Exception) -> dict[str, Any]:
        found = readings(state["messages"])
        failed = [self._failed(r, error) for reading in found for r in reading.requests if not isinstance(r, Recall)]
        return _update(found, failed)

    def _guarded(self, request: Remember | Forget | ForgetEverything, carry_out: Callable[[], _Outcome]) -> _Outcome:
        try:
            return carry_out()
        except Exception as error:  # noqa: BLE001 - a store that refuses: confirmed as such, and never ends the turn
            return self._failed(request, error)

    def _failed(self, request: Remember | Forget | ForgetEverything, error: Exception) -> _Outcome:
        logger.error("a request of the user could not be carried out: %s", error, exc_info=error)
        note: WriteNote = {"agent": self._requester, "action": "failed", "problem": in_words(error)}
        match request:
            case Remember():
                sentence = replies.not_remembered(request.language, request.words)
            case Forget():
                sentence = replies.not_forgotten(request.language, request.words)
            case _:
                sentence = replies.not_forgotten(request.language, "…")
        return _Outcome(sentence, [note])

    # -- remembering -----------------------------------------------------------------------------------------------

    def _remember(self, request: Remember, said: UserWords, memory: OwnMemory) -> _Outcome:
        words = request.words
        if len(words) > MAX_WORDS_CHARS:
            return _Outcome(replies.too_long(request.language, len(words), MAX_WORDS_CHARS), [])
        proposals = [(keeper, keeper.propose(replace(said, text=words))) for keeper in self._keepers]
        notes: list[WriteNote] = []
        for keeper, proposal in proposals:  # "remember that I no longer use Vim"
            for gone in proposal.retract:
                own = [i for i in memory.held() if i.owner_agent == keeper.name and i.memory_type == gone.memory_type]
                taken = memory.retract([item.id for item in matching.states(gone.text, own)], said.source())
                notes += self._notes(taken)
        found = [(keeper, dict(memory_)) for keeper, proposal in proposals for memory_ in proposal.write]
        if not matching.covers(words, [str(memory_["content"]) for _, memory_ in found]):
            found = [(self._keepers[0], self._keepers[0].as_told(words))]  # whole, rather than a part of it
        for keeper in self._keepers:
            agent = self._access.kernel().register_agent(keeper.name, may_write=keeper.may_write)
            mine = agent.bind(user_id=memory.user_id, session_id=said.thread_id)
            notes += write_memories(mine, said, [memory_ for owner, memory_ in found if owner is keeper])
        fresh = any(note["action"] != "already known" for note in notes)
        return _Outcome(replies.remembered(request.language, words, fresh=fresh), notes)

    # -- forgetting ------------------------------------------------------------------------------------------------

    def _forget(self, request: Forget, said: UserWords, memory: OwnMemory, drained: bool) -> _Outcome:
        meant = matching.meant(request.words, memory.held(), topic=request.topic)
        taken = memory.retract([item.id for item in meant], said.source())
        if not taken:  # unless this turn runs again
            taken = matching.meant(request.words, memory.denied(said.source()), topic=request.topic)
        if taken:
            shown = [item for item in taken if visible(item, self._requester)]
            sources = frozenset(i.source.message_id for i in taken if i.source.message_id is not None)
            confirmation = replies.forgotten(request.language, request.words, shown)
            return _Outcome(_unsure(confirmation, request, drained), self._notes(taken), request, sources)
        if not drained:  # what is meant may be among what is still to be written
            raise StoreUnavailable("what was said before is still being read; ask again in a moment")
        near = matching.closest(memory.known(matching.bare(request.words)), least=_CLOSE, limit=_CLOSEST)
        return _Outcome(replies.not_found(request.language, request.words, near), [], request)

    def _forget_everything(
        self, request: ForgetEverything, said: UserWords, memory: OwnMemory, drained: bool
    ) -> _Outcome:
        taken = memory.retract([item.id for item in memory.held()], said.source()) or memory.denied(said.source())
        confirmation = replies.forgot_everything(request.language, memory.user_id, anything=bool(taken))
        return _Outcome(_unsure(confirmation, request, drained), self._notes(taken), request)

    def _notes(self, taken: Sequence[MemoryItem]) -> list[WriteNote]:
        """The record of the turn: of what the assistant may see, like everything that it reports."""
        return [note_of(item, "retracted") for item in taken if visible(item, self._requester)]


class RecallNode:
    """Answers what is known about the user, or about a topic, from the kernel: complete, exact, and what `requester`
    may see."""

    def __init__(self, access: KernelAccess, requester: str) -> None:
        self._access = access
        self._requester = requester

    def runnable(self) -> RunnableLambda[State, dict[str, Any]]:
        """The node, for `invoke` and `ainvoke`."""
        return RunnableLambda(self.run, afunc=self.arun, name="recall")

    def run(self, state: State) -> dict[str, Any]:
        """List for a thread."""
        whom = serving()
        try:
            drained = self._memory(whom).wait()
        except Exception as error:  # noqa: BLE001 - the listing says that there may be more
            drained = _not_waited(error)
        return self._list(state, whom, drained)

    async def arun(self, state: State) -> dict[str, Any]:
        """`run` without blocking the event loop."""
        whom = serving()
        try:
            drained = await (await asyncio.to_thread(self._memory, whom)).await_writes()
        except Exception as error:  # noqa: BLE001 - the listing says that there may be more
            drained = _not_waited(error)
        return await asyncio.to_thread(self._list, state, whom, drained)

    def _memory(self, whom: Serving) -> OwnMemory:
        kernel = self._access.kernel()
        return kernel.own_memory(whom.user_id, agent=self._requester, session_id=whom.thread_id)

    def _list(self, state: State, whom: Serving, drained: bool) -> dict[str, Any]:
        requested = state["requested"]
        answers = [self._answer(whom, topic, language, drained) for topic, language in requested.get("recalls", [])]
        confirmations = [*requested.get("confirmations", []), *answers]
        return {"requested": {**requested, "confirmations": confirmations, "recalls": []}}

    def _answer(self, whom: Serving, topic: str | None, language: str, drained: bool) -> str:
        try:
            known = self._memory(whom).known(matching.bare(topic or ""))
        except Exception as error:  # the user is told, and the turn goes on
            logger.error("memory cannot be listed: %s", error, exc_info=error)
            return replies.not_read(language)
        items = [ranked.item for ranked in known]
        if topic is not None:
            about = {item.id for item in matching.concerns(topic, items)}
            items = [r.item for r in known if r.item.id in about or r.relevance >= _ABOUT]
        listed = replies.known(language, topic, items)
        return listed if drained else f"{listed}\n{replies.still_reading(language)}"


def _not_waited(error: Exception) -> bool:
    logger.error("earlier writes could not be waited for: %s", error, exc_info=error)
    return False


def _unsure(confirmation: str, request: Forget | ForgetEverything, drained: bool) -> str:
    """With a word of warning where more of what is meant may be among what is still to be written."""
    return confirmation if drained else f"{confirmation}\n{replies.still_reading(request.language)}"


def after_requests(producers: Sequence[str], kernel: str) -> Callable[[State], list[str]]:
    """Where a turn goes on after its requests: to the producers, if the user said anything else."""

    def choose(state: State) -> list[str]:
        edited = len(to_read(state)) > len(new_words(state["messages"]))
        return list(producers) if producers and (edited or any(state["requested"].get("left", []))) else [kernel]

    return choose


def after_kernel(recall: str, assistant: str) -> Callable[[State], str]:
    """Where a turn goes on after the kernel: to the recall, if the user asked for one."""

    def choose(state: State) -> str:
        return recall if (state.get("requested") or {}).get("recalls") else assistant

    return choose


def _update(found: Sequence[Reading], outcomes: Sequence[_Outcome]) -> dict[str, Any]:
    recalls = [(r.topic, r.language) for reading in found for r in reading.requests if isinstance(r, Recall)]
    requested: Requested = {
        "left": [reading.left.strip() for reading in found],
        "confirmations": [outcome.confirmation for outcome in outcomes],
        "recalls": recalls,
    }
    return {"requested": requested, "writes": [note for outcome in outcomes for note in outcome.notes]}


def _shown(state: State, found: Sequence[Reading], outcomes: Sequence[_Outcome]) -> dict[str, str]:
    """What the model is shown of the thread's messages from now on, where that is less than all.

    They stay in the thread; but a model that still reads "I live in Lisbon" above has forgotten nothing.
    """
    messages, said = state["messages"], new_words(state["messages"])
    ids = {message.id for message in said}
    shown = dict(state.get("forgotten") or {})
    for outcome in outcomes:
        if outcome.forgot is not None:
            before = (m for m in messages if m.id not in ids and m.type in ("human", "ai"))
            shown |= {m.id: "" for m in before if m.id is not None and _tells(outcome, m)}
    for message, reading in zip(said, found, strict=True):
        if message.id is not None and any(isinstance(r, Forget | ForgetEverything) for r in reading.requests):
            shown[message.id] = reading.left.strip()
    return {m.id: shown[m.id] for m in messages if m.id in shown}


def _tells(outcome: _Outcome, message: BaseMessage) -> bool:
    """Whether an earlier message says what was forgotten, or taught it."""
    match outcome.forgot:
        case ForgetEverything():
            return True
        case Forget(words, _, topic):
            return message.id in outcome.sources or matching.said_in(words, text_of(message), topic=topic)
        case _:
            return False
