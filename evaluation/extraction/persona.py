"""Synthetic-Persona-Chat: a fact that its speaker says in a turn is stored of that turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from evaluation.extraction.decisions import Decision, Figure, count, share
from evaluation.extraction.reading import Reader
from evaluation.extraction.wording import overlap, stems

SET = "synthetic_persona_chat"
SAID = 0.6
"""The share of a fact's content words that a turn, or a stored fact, must have to say it."""


def decide(conversations: Iterable[dict[str, Any]], reader: Reader) -> list[Decision]:
    """A decision a turn (its items are counted) and a fact of a speaker that one of their turns says.

    A fact is stored if of one of the turns that say it an item was written that says it too.
    """
    decisions: list[Decision] = []
    for conversation in conversations:
        turns = [(turn, reader.read(turn["text"])) for turn in conversation["turns"]]
        for turn, stored in turns:
            name = f"{conversation['id']}/t{turn['turn']}"
            decisions.append(Decision(SET, name, turn["user_id"], turn["text"], "any", stored, "turn"))
        for fact in conversation["facts"]:
            words = stems(fact["text"])
            saying = [(t, s) for t, s in turns if t["user_id"] == fact["user_id"] and overlap(words, t["text"]) >= SAID]
            if not saying:
                continue
            found = tuple(f for _, s in saying for f in s if f.is_written and overlap(words, f.text) >= SAID)
            decisions.append(
                Decision(
                    SET,
                    fact["fact_id"],
                    fact["user_id"],
                    fact["text"],
                    "stored",
                    found,
                    "stored" if found else "missed",
                    {"turns": [turn["text"] for turn, _ in saying]},
                )
            )
    return decisions


def figures(decisions: Sequence[Decision]) -> list[Figure]:
    """Recall over the facts that were said, and items a turn."""
    right, said = count(decisions, "stored"), count(decisions, "stored", "missed")
    turns = [d for d in decisions if d.verdict == "turn"]
    items = sum(fact.is_written for turn in turns for fact in turn.stored)
    return [
        Figure(SET, "recall", share(right, said), target=85, note=f"{right} of {said} facts that a turn says"),
        Figure(SET, "items a turn", items / len(turns) if turns else None, "", note=f"{items} of {len(turns)} turns"),
    ]
