"""Sentences written by hand, in several languages, each judged worth keeping or not.

The first set was written before the rules were tuned, and was seen while they were. The second is another writer's, in
other languages too, and was not looked at: it says what to expect of sentences that nobody has tuned for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from evaluation.extraction.decisions import Decision, Figure, count, share
from evaluation.extraction.reading import Reader

SET, HELD_OUT = "handmade", "handmade, held out"
FILES = {SET: "sentences.jsonl", HELD_OUT: "held_out.jsonl"}
FOLDER = Path(__file__).parents[2] / "tests" / "data" / "extraction"
"""Where they lie in the source tree: objects with ``id``, ``lang``, ``kind``, ``text`` and ``keep``."""


def load(name: str = SET, folder: Path = FOLDER) -> list[dict[str, Any]]:
    """The rows of a set; none if it is not there."""
    path = folder / FILES[name]
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def decide(rows: Iterable[dict[str, Any]], reader: Reader, name: str = SET) -> list[Decision]:
    """A decision a sentence, read as a message of its own. Kept: something is written or taken back."""
    decisions: list[Decision] = []
    for row in rows:
        stored = reader.read(row["text"])
        if row["keep"]:
            verdict, expected = "kept" if stored else "missed", "kept"
        else:
            verdict, expected = "wrongly kept" if stored else "left", "left"
        more = {"language": row["lang"], "kind": row["kind"]}
        decisions.append(Decision(name, row["id"], "handmade", row["text"], expected, stored, verdict, more))
    return decisions


def figures(decisions: Sequence[Decision], name: str = SET) -> list[Figure]:
    """Over all languages, which the notes tell apart. Only the first set has targets."""
    wrong, left = count(decisions, "wrongly kept"), count(decisions, "left")
    kept, missed = count(decisions, "kept"), count(decisions, "missed")
    judged = name == SET
    return [
        Figure(
            name,
            "stored though not the user's fact",
            share(wrong, wrong + left),
            target=2 if judged else None,
            at_most=True,
            note=f"{wrong} of {wrong + left}{_by_language(decisions, 'wrongly kept', 'left')}",
        ),
        Figure(
            name,
            "controls stored",
            share(kept, kept + missed),
            target=85 if judged else None,
            note=f"{kept} of {kept + missed}{_by_language(decisions, 'kept', 'missed')}",
        ),
    ]


def _by_language(decisions: Sequence[Decision], hit: str, other: str) -> str:
    languages = dict.fromkeys(str(d.more["language"]) for d in decisions)
    parts = []
    for language in languages:
        of = [d for d in decisions if d.more["language"] == language]
        part = share(count(of, hit), count(of, hit, other))
        if part is not None:
            parts.append(f"{language} {part:.0f}")
    return "; " + ", ".join(parts) + " %" if parts else ""
