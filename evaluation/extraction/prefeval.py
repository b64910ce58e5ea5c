"""PrefEval: preferences said outright are stored, questions are not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from evaluation.extraction.decisions import Decision, Figure, count, share
from evaluation.extraction.reading import Reader

SET = "prefeval"


def decide(users: Iterable[dict[str, Any]], reader: Reader) -> list[Decision]:
    """A decision a preference and a question, each read as a message of its own. Stored: anything at all is written."""
    return [
        decision
        for user in users
        for decision in (
            *(_decision(user["user_id"], p["pref_id"], p["text"], True, reader) for p in user["preferences"]),
            *(_decision(user["user_id"], q["query_id"], q["question"], False, reader) for q in user["queries"]),
        )
    ]


def _decision(user: str, name: str, text: str, wanted: bool, reader: Reader) -> Decision:
    stored = reader.read(text)
    written = any(fact.is_written for fact in stored)
    verdict = ("stored" if written else "missed") if wanted else ("wrongly stored" if written else "left")
    return Decision(SET, name, user, text, "stored" if wanted else "not stored", stored, verdict)


def figures(decisions: Sequence[Decision]) -> list[Figure]:
    """Recall over preferences; precision over all messages of which something was written."""
    right, missed, wrong = (count(decisions, v) for v in ("stored", "missed", "wrongly stored"))
    questions = sum(d.expected == "not stored" for d in decisions)
    return [
        Figure(SET, "recall", share(right, right + missed), target=98, note=f"{right} of {right + missed} preferences"),
        Figure(
            SET, "precision", share(right, right + wrong), target=98, note=f"{wrong} of {questions} questions stored"
        ),
    ]
