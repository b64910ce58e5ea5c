"""Sentences written by hand before the rules were tuned, in several languages, each judged worth keeping or not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from evaluation.extraction.decisions import Decision, Figure, count, share
from evaluation.extraction.reading import Reader

SET = "handmade"
SENTENCES = Path(__file__).parents[2] / "tests" / "data" / "extraction"
"""`sentences*.jsonl`: objects with ``id``, ``lang``, ``kind``, ``text`` and ``keep``."""


def load(folder: Path = SENTENCES) -> list[dict[str, Any]]:
    """The rows of every `sentences*.jsonl` in a folder; none if there is no such file."""
    return [
        json.loads(line)
        for path in sorted(folder.glob("sentences*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def decide(rows: Iterable[dict[str, Any]], reader: Reader) -> list[Decision]:
    """A decision a sentence, read as a message of its own. Kept: something is written or taken back."""
    decisions: list[Decision] = []
    for row in rows:
        stored = reader.read(row["text"])
        if row["keep"]:
            verdict, expected = "kept" if stored else "missed", "kept"
        else:
            verdict, expected = "wrongly kept" if stored else "left", "left"
        more = {"language": row["lang"], "kind": row["kind"]}
        decisions.append(Decision(SET, row["id"], "handmade", row["text"], expected, stored, verdict, more))
    return decisions


def figures(decisions: Sequence[Decision]) -> list[Figure]:
    """Over all languages, which the notes tell apart."""
    wrong, left = count(decisions, "wrongly kept"), count(decisions, "left")
    kept, missed = count(decisions, "kept"), count(decisions, "missed")
    return [
        Figure(
            SET,
            "stored though not the user's fact",
            share(wrong, wrong + left),
            target=2,
            at_most=True,
            note=f"{wrong} of {wrong + left}{_by_language(decisions, 'wrongly kept', 'left')}",
        ),
        Figure(
            SET,
            "controls stored",
            share(kept, kept + missed),
            target=85,
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
