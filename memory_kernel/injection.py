"""A read, step by step (KMSM A.8): resolve, retrieve, filter, merge, rank, budget, format, inject.

A.8's step of deriving the user id from retrieved metadata is an unscoped search and is deliberately not done: identity
comes first and every retrieval is scoped. Waiting for the barrier is the caller's (it differs for threads and
coroutines); everything here runs after it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import ConfigDict

from memory_kernel import identity, ranking
from memory_kernel.config import KernelConfig
from memory_kernel.deadline import Deadlines
from memory_kernel.embeddings import KernelEmbedder
from memory_kernel.errors import InvalidMemory
from memory_kernel.formatting import MemoryFormatter
from memory_kernel.items import BarrierReport, Decision, Frozen, Identity, MemoryItem, utcnow
from memory_kernel.ledger.base import Ledger, Partition
from memory_kernel.providers.base import Vector
from memory_kernel.ranking import Ranked
from memory_kernel.view import ReadView, Scored
from memory_kernel.visibility import only_visible

_SHOWN_TEXT_CHARS = 160
_SHOWN_DROPPED = 15  # decisions about dropped candidates that are spelled out; the rest is counted


class Injection(Frozen):
    """What a read came to: the messages with the block, the items in it, and why.

    `messages` are the caller's with the block in their system message; `block` is ``""`` when nothing is injected.
    `decisions` names only items that the requesting agent may see, kept first, then the nearest misses; `considered`
    counts all of those. `problems` says what was missing, in words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    messages: list[Any]
    block: str = ""
    items: tuple[MemoryItem, ...] = ()
    tokens: int = 0
    barrier: BarrierReport
    identity: Identity
    decisions: tuple[Decision, ...] = ()
    considered: int = 0
    problems: tuple[str, ...] = ()


class Withheld(NamedTuple):
    """For the operator's audit log only: an item that Eq. 1 kept from the requesting agent."""

    item_id: str
    owner_agent: str


class Retrieved(NamedTuple):
    """Every live item of a user with its evidence, what was missing, and which messages hold no longer."""

    candidates: list[Scored]
    problems: list[str]
    outdated: Set[str]


class Selection(NamedTuple):
    """The outcome of the steps up to formatting."""

    items: list[MemoryItem]
    decisions: list[Decision]
    considered: int
    problems: list[str]
    withheld: list[Withheld]


class ContextInjector:
    """KMSM Table 7's `ContextInjector`. Holds no state of its own."""

    def __init__(
        self,
        *,
        ledger: Ledger,
        view: ReadView,
        embedder: KernelEmbedder,
        calibrate: ranking.Calibrate,
        deadlines: Deadlines,
        formatter: MemoryFormatter,
        config: KernelConfig,
        count_tokens: Callable[[str], int],
    ) -> None:
        self._ledger = ledger
        self._view = view
        self._embedder = embedder
        self._calibrate = calibrate
        self._deadlines = deadlines
        self._formatter = formatter
        self._config = config
        self._count_tokens = count_tokens

    def resolve_user_id(self, agent: str, user_id: str | None, session_id: str | None) -> Identity:
        """Invariant 5's chain, over the ledger's registries."""
        return identity.resolve(
            agent,
            attached=user_id,
            session_user=lambda: None if session_id is None else self._ledger.session_user(session_id),
            observed=lambda: frozenset() if session_id is None else self._ledger.observed(agent, session_id),
        )

    def select(
        self, agent: str, who: Identity, query: str, *, limit: int | None = None, in_view: frozenset[str] = frozenset()
    ) -> Selection:
        """Retrieve, filter, merge, rank and cut to `limit` (default: `max_memories`), with a reason for each.

        `in_view`: ids of messages that the model is shown anyway, so that no conversation item repeats them.
        """
        partition = self._ledger.find_partition(who.user_id)
        if partition is None:
            return Selection([], [], 0, [], [])
        now = utcnow()
        found = self._retrieve(partition, query)
        candidates = [c for c in found.candidates if c.item.user_id == who.user_id and c.item.is_live(now)]
        # Eq. 2 by the kernel's own rule, and not by asking the provider: whatever it is, it has no say in this.
        shown = {i.id for i in only_visible([c.item for c in candidates], agent)}
        withheld = [Withheld(c.item.id, c.item.owner_agent) for c in candidates if c.item.id not in shown]
        visible = [c for c in candidates if c.item.id in shown]
        visible, seen = _without_messages(visible, in_view, found.outdated, query)
        unique, decisions = self.merge_and_dedupe(visible)
        decisions += seen
        kept, cut = self._rank_and_cut(unique, now, self._config.max_memories if limit is None else limit)
        kept_decisions = [_decision(r, "injected", "relevant", f"relevance {r.relevance:.2f}") for r in kept]
        return Selection(
            [r.item for r in kept], kept_decisions + cut + decisions, len(visible), found.problems, withheld
        )

    def known(self, agent: str, who: Identity, query: str = "") -> list[Ranked]:
        """Everything current that an agent may see of a user, newest first, with how much it bears on `query` (0 to 1).

        No limit and no threshold: it is what the user is told when they ask what is known.
        """
        partition = self._ledger.find_partition(who.user_id)
        if partition is None:
            return []
        found, now = self._retrieve(partition, query), utcnow()
        live = [c for c in found.candidates if c.item.user_id == who.user_id and c.item.is_live(now)]
        shown = {i.id for i in only_visible([c.item for c in live], agent)}
        current, _ = _without_messages([c for c in live if c.item.id in shown], frozenset(), found.outdated, "")
        unique, _ = self.merge_and_dedupe(current)
        if not unique:
            return []
        bearing = ranking.bearing(unique, self._calibrate)
        return [Ranked(c.item, float(b)) for c, b in zip(unique, bearing, strict=True)]

    def _retrieve(self, partition: Partition, query: str) -> Retrieved:
        """Dense and lexical evidence for every live item of this user, from the read view."""
        view = self._view.of(partition)
        vector, problem = self._embed(partition, query)
        scored = view.score(query, vector, ranking.is_work)
        problems = [] if problem is None else [problem]
        if view.problem is not None:
            problems.append(f"the index did not answer, so memories were found by words only ({view.problem})")
        elif vector is not None and (without := sum(math.isnan(s.cosine) for s in scored)):
            problems.append(f"{without} of the memories could not be embedded yet and were found by words only")
        return Retrieved(scored, problems, view.outdated_messages)

    def _embed(self, partition: Partition, query: str) -> tuple[Vector | None, str | None]:
        if not query.strip():
            return None, None
        try:
            if self._embedder.in_process:
                return self._embedder.embed_query(query), None
            return (
                self._deadlines.call(
                    f"read:{partition.epoch}",
                    lambda: self._embedder.embed_query(query),
                    self._config.query_timeout_ms / 1000,
                ),
                None,
            )
        except Exception as error:  # noqa: BLE001 - any embedder's own error; the reader is told and goes on by words
            return None, f"the embedder did not answer, so memories were found by words only ({error})"

    def merge_and_dedupe(self, candidates: Sequence[Scored]) -> tuple[list[Scored], list[Decision]]:
        """One item for one thing said: the newest value where agents disagree on a slot, one of equal texts."""
        newest_first = sorted(candidates, key=lambda c: (c.item.valid_from, c.item.seq_no, c.item.id), reverse=True)
        by_slot: dict[tuple[str, str], MemoryItem] = {}
        by_text: dict[str, MemoryItem] = {}
        kept: list[Scored] = []
        dropped: list[Decision] = []
        for candidate in newest_first:
            item = candidate.item
            words = " ".join(item.text.split()).rstrip(".")
            # The newest value of a slot stands for it, also where another item says the same and is shown instead.
            newest = item if item.slot is None else by_slot.setdefault((item.memory_type, item.slot), item)
            rival = by_text.setdefault(words, item) if newest is item else newest
            if rival is item:
                kept.append(candidate)
            elif newest is item:
                dropped.append(_decision(Ranked(item, 0.0), "dropped", "duplicate", f"says the same as {rival.id}"))
            else:
                reason = f"a newer value of this slot stands in {rival.id}"
                dropped.append(_decision(Ranked(item, 0.0), "dropped", "newer-value", reason))
        return kept, dropped

    def _rank_and_cut(
        self, candidates: Sequence[Scored], now: datetime, limit: int
    ) -> tuple[list[Ranked], list[Decision]]:
        ranked = ranking.rank(candidates, self._calibrate, now)
        threshold = self._config.relevance_threshold
        relevant = [r for r in ranked if r.relevance >= threshold]
        chosen = ranking.fair_share(relevant, limit)
        taken = {r.item.id for r in chosen}
        cut = [
            _decision(r, "dropped", "limit", f"relevance {r.relevance:.2f}, but only {limit} memories are injected")
            for r in relevant
            if r.item.id not in taken
        ] + [
            _decision(r, "dropped", "threshold", f"relevance {r.relevance:.2f} is below {threshold:.2f}")
            for r in ranked
            if r.relevance < threshold
        ]
        return chosen, cut

    def inject(
        self, agent: str, who: Identity, messages: Sequence[Any], query: str, barrier: BarrierReport
    ) -> tuple[Injection, list[Withheld]]:
        """The whole read for one request, and what the operator's log should know besides."""
        in_view = frozenset(m.id for m in messages if getattr(m, "id", None))
        selection = self.select(agent, who, query, in_view=in_view)
        items, block, over = self._fit(selection.items)
        tokens = self._count_tokens(block) if block else 0
        decisions = [over.get(d.item_id, d) if d.verdict == "injected" else d for d in selection.decisions]
        lines = {i.id: self._count_tokens(self._formatter.format_memory(i)) for i in items}
        decisions = [d.model_copy(update={"tokens": lines[d.item_id]}) if d.item_id in lines else d for d in decisions]
        decisions.sort(key=lambda d: d.verdict == "dropped")  # stable: kept first, then by rank
        return (
            Injection(
                messages=with_block(messages, block),
                block=block,
                items=tuple(items),
                tokens=tokens,
                barrier=barrier,
                identity=who,
                decisions=tuple(decisions[: len(items) + _SHOWN_DROPPED]),
                considered=selection.considered,
                problems=tuple(selection.problems),
            ),
            selection.withheld,
        )

    def _fit(self, items: Sequence[MemoryItem]) -> tuple[list[MemoryItem], str, dict[str, Decision]]:
        """Take items by rank while the whole block, header included, stays within the budget (invariant 7)."""
        budget = self._config.token_budget
        whole = self._formatter.block(items)
        if 0 < budget >= self._count_tokens(whole):
            return list(items), whole, {}
        taken: list[MemoryItem] = []
        block = ""
        over: dict[str, Decision] = {}
        for item in items:
            trial = self._formatter.block([*taken, item])
            cost = self._count_tokens(trial)
            if 0 < budget >= cost:
                taken.append(item)
                block = trial
            else:
                reason = f"the block would have {cost} tokens, the budget is {budget}"
                over[item.id] = _decision(Ranked(item, 0.0), "dropped", "budget", reason)
        return taken, block, over


def _without_messages(
    candidates: Sequence[Scored], in_view: Set[str], outdated: Set[str], query: str
) -> tuple[list[Scored], list[Decision]]:
    """Candidates without the conversation items that tell the model nothing new, or what holds no longer.

    A message that taught a fact which was replaced or retracted would bring the old value back (invariant 10).
    """
    asked = query.split()
    kept: list[Scored] = []
    dropped: list[Decision] = []
    for candidate in candidates:
        item = candidate.item
        said = item.content.get("said") if isinstance(item.content, dict) else item.content
        conversation = item.memory_type == "conversation"
        if conversation and item.source.message_id in in_view:
            dropped.append(_decision(Ranked(item, 0.0), "dropped", "in-view", "the conversation itself still shows it"))
        elif conversation and item.source.message_id in outdated:
            reason = "what it told was since replaced or retracted"
            dropped.append(_decision(Ranked(item, 0.0), "dropped", "outdated", reason))
        elif conversation and str(said).split() == asked:
            dropped.append(_decision(Ranked(item, 0.0), "dropped", "same-question", "the same was asked before"))
        else:
            kept.append(candidate)
    return kept, dropped


def _decision(ranked: Ranked, verdict: Any, rule: str, reason: str) -> Decision:
    item = ranked.item
    text = item.text if len(item.text) <= _SHOWN_TEXT_CHARS else item.text[: _SHOWN_TEXT_CHARS - 1] + "…"
    return Decision(
        item_id=item.id,
        verdict=verdict,
        rule=rule,
        reason=reason,
        memory_type=item.memory_type,
        text=text,
        relevance=round(ranked.relevance, 4),
    )


def as_messages(messages: Any) -> list[Any]:
    """A conversation as LangChain messages: of messages, dicts, (role, text) pairs or strings, or a single one."""
    from langchain_core.messages import BaseMessage, convert_to_messages

    try:
        single = isinstance(messages, str | dict | BaseMessage)
        return list(convert_to_messages([messages] if single else list(messages)))
    except (ValueError, TypeError, KeyError, NotImplementedError) as error:
        raise InvalidMemory(f"messages cannot be read as a conversation: {error}") from error


def text_of(message: Any) -> str:
    """The text of a message, whether its content is a string or a list of parts (other parts are left out)."""
    content = getattr(message, "content", message)
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (p if isinstance(p, str) else p.get("text") if isinstance(p, dict) else None for p in content)
    return "\n".join(p for p in parts if isinstance(p, str))


def question_in(messages: Sequence[Any]) -> str:
    """What is being asked: the text of the last human message; ``""`` if there is none."""
    for message in reversed(messages):
        if getattr(message, "type", None) == "human":
            return text_of(message)
    return ""


def with_block(messages: Sequence[Any], block: str) -> list[Any]:
    """The messages with the block at the end of their leading system message, which is made if need be."""
    if not block:
        return list(messages)
    from langchain_core.messages import SystemMessage

    if not messages or getattr(messages[0], "type", None) != "system":
        return [SystemMessage(content=block), *messages]
    content = messages[0].content
    with_it: Any = [*content, {"type": "text", "text": block}]
    if isinstance(content, str):
        with_it = f"{content}\n\n{block}" if content else block
    return [messages[0].model_copy(update={"content": with_it}), *messages[1:]]
