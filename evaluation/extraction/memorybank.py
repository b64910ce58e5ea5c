"""MemoryBank: how much is written of everyday talk, and the share of it that a reader called useful."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from evaluation.extraction.decisions import Decision, Figure, Stored, share
from evaluation.extraction.reading import Reader

SET = "memorybank"
SAMPLE = 100
LABELS = Path(__file__).parents[2] / "tests" / "data" / "extraction" / "memorybank_labels.jsonl"
"""Objects with ``turn``, ``item`` and ``useful``, by a reader who had not seen the rules: would a good assistant want
to know this of this user in later sessions?"""

Labels = Mapping[tuple[str, str], bool]


def load_labels(path: Path = LABELS) -> Labels:
    """By turn and item, whether the item is useful; empty if there is no file."""
    if not path.is_file():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(row["turn"], row["item"]): bool(row["useful"]) for row in rows}


def decide(users: Iterable[dict[str, Any]], reader: Reader, labels: Labels) -> list[Decision]:
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
                name, text = turn["turn_id"], turn["text"]
                more = {"day": session["date"], "useful": [labels.get((name, fact.text)) for fact in stored]}
                decisions.append(Decision(SET, name, user["user_id"], text, "useful", stored, _verdict(more), more))
    return decisions


def _verdict(more: Mapping[str, Any]) -> str:
    return "nothing stored" if not more["useful"] else "unjudged" if None in more["useful"] else "judged"


def sample(decisions: Iterable[Decision]) -> list[tuple[Decision, Stored, bool | None]]:
    """Up to `SAMPLE` stored items and their labels, chosen by a hash of turn and words: the same of the same items."""
    items = [
        (decision, fact, useful)
        for decision in decisions
        for fact, useful in zip(decision.stored, decision.more["useful"], strict=True)
    ]
    return sorted(items, key=lambda item: hashlib.sha256(f"{item[0].id} {item[1].text}".encode()).digest())[:SAMPLE]


def figures(decisions: Sequence[Decision]) -> list[Figure]:
    """The share of the sample that is useful, and items per user and day on which the user said something.

    A sample of which less than nine tenths are labelled is not judged.
    """
    chosen = sample(decisions)
    labelled = [useful for _, _, useful in chosen if useful is not None]
    enough = bool(labelled) and len(labelled) >= 0.9 * len(chosen)
    days: dict[tuple[str, str], int] = {}
    for decision in decisions:
        day = (decision.user, str(decision.more["day"]))
        days[day] = days.get(day, 0) + len(decision.stored)
    items = sum(days.values())
    spread = f", median {median(days.values()):g}, most {max(days.values())}" if days else ""
    return [
        Figure(
            SET,
            "share useful",
            share(sum(labelled), len(labelled)) if enough else None,
            target=75 if labelled else None,  # another half has no labels: it is only counted
            note=f"{sum(labelled)} of {len(labelled)} labelled of a sample of {len(chosen)}",
        ),
        Figure(
            SET,
            "items per user and day",
            items / len(days) if days else None,
            "",
            note=f"{items} in {len(days)}{spread}",
        ),
    ]
