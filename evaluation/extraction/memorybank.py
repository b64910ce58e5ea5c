"""MemoryBank: how much is written of everyday talk. Whether it is useful is for readers of the rows to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from evaluation.extraction.decisions import Decision, Figure
from evaluation.extraction.reading import Reader

SET = "memorybank"


def decide(users: Iterable[dict[str, Any]], reader: Reader) -> list[Decision]:
    """A decision a user's turn, with what is written of it that the user's memory does not hold in the same words."""
    decisions: list[Decision] = []
    for user in users:
        known: set[tuple[str, str]] = set()
        for session in user["sessions"]:
            for turn in session["turns"]:
                if turn["role"] != "user":
                    continue
                found = [f for f in reader.written(turn["text"]) if (f.memory_type, f.text) not in known]
                stored = tuple(dict.fromkeys(found))
                known |= {(f.memory_type, f.text) for f in stored}
                day = {"day": session["date"]}
                name, text = turn["turn_id"], turn["text"]
                decisions.append(Decision(SET, name, user["user_id"], text, "no labels yet", stored, "unjudged", day))
    return decisions


def figures(decisions: Sequence[Decision]) -> list[Figure]:
    """Items per user and day, over the days on which the user said something."""
    days: dict[tuple[str, str], int] = {}
    for decision in decisions:
        day = (decision.user, str(decision.more["day"]))
        days[day] = days.get(day, 0) + len(decision.stored)
    items = sum(days.values())
    spread = f", median {median(days.values()):g}, most {max(days.values())}" if days else ""
    return [
        Figure(SET, "share useful", None, note="no labels yet"),
        Figure(
            SET,
            "items per user and day",
            items / len(days) if days else None,
            "",
            note=f"{items} in {len(days)}{spread}",
        ),
    ]
