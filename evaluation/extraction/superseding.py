"""MemoryCode through the graph's own writing nodes and a real kernel: what a newer instruction puts out of force."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from langchain_core.messages import HumanMessage
from langgraph.graph import START, StateGraph

from evaluation.extraction.decisions import Decision, Figure, Stored, count, share
from evaluation.extraction.memorycode import SET, mentor_turns
from evaluation.extraction.wording import best_stated
from memory_kernel import KernelConfig, MemoryItem, MemoryKernel
from memory_kernel.providers.memory import InMemoryProvider
from nodes.context import Context, KernelAccess
from nodes.extraction import Extractor
from nodes.extractors.offline import OfflineExtractor
from nodes.producer import ProducerNode
from nodes.profile_agent import ProfileAgent
from nodes.state import InputState, OutputState, State
from nodes.task_agent import TaskAgent


class Change(NamedTuple):
    """One turn: the items that were new after it, and those that held before it and not after."""

    session: int
    added: tuple[MemoryItem, ...]
    ended: tuple[MemoryItem, ...]


class Writer:
    """The producers' nodes over a kernel, without assistant or block. One turn a minute by its clock.

    The offline extractor is not to fail; of another one what it could not read is left out.
    """

    def __init__(self, kernel: MemoryKernel, extractor: Extractor | None = None) -> None:
        self._kernel = kernel
        self._strict = extractor is None or isinstance(extractor, OfflineExtractor)
        self._now = datetime(2025, 1, 1, tzinfo=UTC)
        reader = extractor or OfflineExtractor()
        access = KernelAccess(kernel, lambda: self._now)
        graph = StateGraph(State, context_schema=Context, input_schema=InputState, output_schema=OutputState)
        last = START
        for producer in (ProfileAgent(reader), TaskAgent(reader)):
            graph.add_node(producer.name, ProducerNode(access, producer).runnable())
            graph.add_edge(last, producer.name)
            last = producer.name
        self._graph = graph.compile()

    def play(self, user_id: str, session: int, text: str) -> Change:
        """One message of a user, and what changed. Raises RuntimeError if an agent failed."""
        self._now += timedelta(minutes=1)
        before = {item.id: item for item in self._kernel.export_user(user_id)}
        message = HumanMessage(text, id=f"m{self._now:%d%H%M}")
        state = self._graph.invoke({"messages": [message]}, context=Context(user_id=user_id))
        notes = state.get("writes") or []
        if not notes:
            return Change(session, (), ())
        failed = [note["problem"] for note in notes if note["action"] == "failed"]
        if failed and self._strict:
            raise RuntimeError(f"an agent could not write {text!r}: {failed[0]}")
        after = list(self._kernel.export_user(user_id))
        ended = [i for i in after if i.status != "current" and i.id in before and before[i.id].status == "current"]
        return Change(session, tuple(i for i in after if i.id not in before), tuple(ended))


def decide(dialogues: Iterable[dict[str, Any]], extractor: Extractor | None = None) -> list[Decision]:
    """A decision an update and an addition among the instructions; every dialogue is a user of a new kernel."""
    decisions: list[Decision] = []
    with (
        tempfile.TemporaryDirectory() as scratch,
        MemoryKernel.open(KernelConfig(data_dir=Path(scratch)), provider=InMemoryProvider()) as kernel,
    ):
        writer = Writer(kernel, extractor)
        for dialogue in dialogues:
            user = f"{dialogue['id']}:{dialogue['mentor']}"
            changes = [writer.play(user, turn.session, turn.text) for turn in mentor_turns(dialogue)]
            decisions += judge(user, dialogue["facts"], changes)
    return decisions


def judge(user: str, facts: Sequence[dict[str, Any]], changes: Sequence[Change]) -> list[Decision]:
    """The verdicts on one dialogue.

    An item is of the instruction of its session (else of an earlier one) that it states most of. An update is *right*
    if every item of the instruction that it replaces which held until then ended in that session, by an item of the
    update or by a retraction; *kept both* if one did not, *ended before* if none held any more. An addition is *wrong*
    if an item of it ended one of another instruction or of none, *right* if not. Either is *not stored* if the items
    to judge it by were not written. `_causes` says which item ended which.
    """
    of = _instructions_of(facts, changes)
    number = {fact["fact_id"]: fact["instruction_id"] for fact in facts}
    replaces = {fact["superseded_by"]: fact for fact in facts if fact["superseded_by"]}
    decisions = []
    for fact in facts:
        name, event = fact["fact_id"], fact["event"]
        added = [i for c in changes if c.session == fact["session"] for i in c.added if name in of[i.id]]
        earlier = replaces.get(name)
        if event == "update":
            ended, verdict = _update(
                name, None if earlier is None else str(earlier["fact_id"]), fact["session"], of, changes
            )
        else:
            ended = _wrongly_ended(added, number[name], of, number, changes)
            verdict = "not stored" if not added else "wrong" if ended else "right"
        more = {"decision": event, "ended": [i.text for i in ended], "replaces": earlier and earlier["text"]}
        expected = "supersedes the earlier one" if event == "update" else "supersedes nothing"
        stored = tuple(Stored(i.memory_type, i.slot, "assert", i.text) for i in added)
        decisions.append(Decision(f"{SET} (kernel)", name, user, fact["text"], expected, stored, verdict, more))
    return decisions


def _instructions_of(facts: Sequence[dict[str, Any]], changes: Sequence[Change]) -> dict[str, set[str]]:
    """By item, the instructions that it states."""
    of: dict[str, set[str]] = {}
    for change in changes:
        here = {f["fact_id"]: f["text"] for f in facts if f["session"] == change.session}
        earlier = {f["fact_id"]: f["text"] for f in facts if f["session"] < change.session}
        for item in change.added:
            of[item.id] = set(best_stated(here, item.text) or best_stated(earlier, item.text))
    return of


def _causes(change: Change, ended: MemoryItem) -> list[MemoryItem]:
    """The new items that may have ended one: those in its slot, or any of the turn if it had none.

    Of a retracted item there may be none: "we no longer use …" ends and adds nothing.
    """
    same_slot = [i for i in change.added if (i.memory_type, i.slot) == (ended.memory_type, ended.slot)]
    return same_slot if ended.slot is not None and ended.status == "superseded" else list(change.added)


def _update(
    name: str, earlier: str | None, session: int, of: dict[str, set[str]], changes: Sequence[Change]
) -> tuple[list[MemoryItem], str]:
    """The earlier instruction's items that an update rightly ended, and the verdict."""
    writing = [n for n, c in enumerate(changes) if c.session == session and any(name in of[i.id] for i in c.added)]
    past = [c for n, c in enumerate(changes) if writing and (c.session < session or n < writing[0])]
    old = {i.id for c in past for i in c.added if earlier in of[i.id] and name not in of[i.id]}
    if not writing or not old:
        return [], "not stored"
    held = old - {i.id for c in past if c.session < session for i in c.ended}
    ended = [
        item
        for change in changes
        if change.session == session
        for item in change.ended
        if item.id in held and (not (by := _causes(change, item)) or any(name in of[i.id] for i in by))
    ]
    if not held:
        return [], "ended before"
    return ended, "right" if held <= {i.id for i in ended} else "kept both"


def _wrongly_ended(
    added: Sequence[MemoryItem],
    number: int,
    of: dict[str, set[str]],
    numbers: dict[str, int],
    changes: Sequence[Change],
) -> list[MemoryItem]:
    """What items of an addition ended, unless it is of the same instruction or a newer word on its own ended it."""
    mine = {item.id for item in added}
    wrongly = []
    for change in changes:
        for item in change.ended:
            its_own = {numbers[f] for f in of.get(item.id, ())}
            causes = _causes(change, item)
            explained = any(its_own & {numbers[f] for f in of[c.id]} for c in causes)
            if number not in its_own and not explained and mine & {c.id for c in causes}:
                wrongly.append(item)
    return wrongly


def figures(decisions: Sequence[Decision]) -> list[Figure]:
    """Over what was stored: an instruction that was not is a matter of recall, and is counted there."""
    updates = [d for d in decisions if d.more["decision"] == "update"]
    additions = [d for d in decisions if d.more["decision"] == "add"]
    right, unstored = count(updates, "right"), count(updates, "not stored")
    wrong, stored = count(additions, "wrong"), count(additions, "right", "wrong")
    judged = len(updates) - unstored
    everything = share(right, len(updates))
    return [
        Figure(
            SET,
            "updates superseding the right one",
            share(right, judged),
            target=90,
            note=f"{right} of {judged} with both stored; "
            f"{0.0 if everything is None else everything:.1f} % of all {len(updates)} annotated",
        ),
        Figure(
            SET,
            "additions wrongly superseding",
            share(wrong, stored),
            target=5,
            at_most=True,
            note=f"{wrong} of {stored} stored",
        ),
    ]
