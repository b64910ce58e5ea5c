"""MemoryCode, the mentor being the user: instructions are stored, talk around them is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from evaluation.extraction.decisions import Decision, Figure, Stored, count, share
from evaluation.extraction.reading import Reader
from evaluation.extraction.wording import best_stated, states
from nodes.extractors.text import sentences

SET = "memorycode"


class MentorTurn(NamedTuple):
    """A turn of the mentor: where it stands, and its words."""

    session: int
    number: int
    text: str


def mentor_turns(dialogue: dict[str, Any]) -> Iterator[MentorTurn]:
    """What the mentor says in a dialogue, in order."""
    for session in dialogue["sessions"]:
        for number, turn in enumerate(session["turns"]):
            if turn["speaker"] == dialogue["mentor"]:
                yield MentorTurn(session["session"], number, turn["text"])


def decide(dialogues: Iterable[dict[str, Any]], reader: Reader) -> list[Decision]:
    """A decision an annotated instruction, and one a stored sentence. `wording.states` says what states what.

    An instruction is *stored* if an item written of a turn of its session states it, *missed* if none does though a
    single sentence of the session does, and *not said* otherwise: the dialogues paraphrase, at times beyond words. A
    stored sentence is *right* if it states an instruction of its session or an earlier one (a reminder), and *filler*
    if not. The mentor's own name is neither.
    """
    decisions: list[Decision] = []
    for dialogue in dialogues:
        user = f"{dialogue['id']}:{dialogue['mentor']}"
        turns = [(turn, reader.read(turn.text)) for turn in mentor_turns(dialogue)]
        for fact in dialogue["facts"]:
            here = [(turn, stored) for turn, stored in turns if turn.session == fact["session"]]
            found = tuple(f for _, stored in here for f in stored if f.is_written and states(fact["text"], f.text))
            said = [s for turn, _ in here for s in _sentences(turn.text) if states(fact["text"], s)]
            verdict = "stored" if found else "missed" if said else "not said"
            more = {"decision": "instruction", "kind": fact["kind"], "event": fact["event"], "said_in": said}
            decisions.append(Decision(SET, fact["fact_id"], user, fact["text"], "stored", found, verdict, more))
        for turn, stored in turns:
            known = {f["fact_id"]: f["text"] for f in dialogue["facts"] if f["session"] <= turn.session}
            for place, item in enumerate(item for item in stored if item.is_written):
                stated = best_stated(known, item.text)
                name = f"{dialogue['id']}/s{turn.session}/t{turn.number}/{place}"
                verdict = "right" if stated else "own name" if _names(item, dialogue["mentor"]) else "filler"
                more = {"decision": "sentence", "states": stated}
                expected = "stored" if stated else "not stored"
                decisions.append(Decision(SET, name, user, turn.text, expected, (item,), verdict, more))
    return decisions


def _sentences(text: str) -> list[str]:
    return [text[sentence.start : sentence.end] for sentence in sentences(text)]


def _names(item: Stored, mentor: str) -> bool:
    return item.slot == "user_name" and mentor in item.text


def figures(decisions: Sequence[Decision]) -> list[Figure]:
    """Recall over the instructions that a sentence says; precision over the stored sentences."""
    right, missed, unsaid = (count(decisions, v) for v in ("stored", "missed", "not said"))
    stated, filler, names = (count(decisions, v) for v in ("right", "filler", "own name"))
    everything = share(right, right + missed + unsaid)
    return [
        Figure(
            SET,
            "instructions: recall",
            share(right, right + missed),
            target=88,
            note=f"{right} of {right + missed} said in a sentence; "
            f"{0.0 if everything is None else everything:.1f} % of all {right + missed + unsaid} annotated",
        ),
        Figure(
            SET,
            "instructions: precision",
            share(stated, stated + filler),
            target=82,
            note=f"{stated} of {stated + filler} stored sentences; {names} own names apart",
        ),
    ]
