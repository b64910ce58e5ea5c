"""The program: which sets are here, what they come to, the rows, the table and the exit code."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from evaluation.data import MissingData, rows
from evaluation.extraction import handmade, memorybank, memorycode, pasting, persona, prefeval, superseding
from evaluation.extraction.decisions import Decision, Figure
from evaluation.extraction.reading import Reader
from nodes.extraction import Extractor

_PACKAGES = ("langgraph-memory-kernel", "langgraph", "langchain-core", "pydantic", "numpy")


class Sample(NamedTuple):
    """Which half of the sets, and how many rows of each (None: all); prefeval's are long, so there it is statements."""

    half: str = "dev"
    limit: int | None = None

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """The rows of a set. Raises MissingData."""
        return rows(name, self.half, self.limit)


class Measured(NamedTuple):
    """A set's decisions and figures."""

    decisions: list[Decision]
    figures: list[Figure]


def _prefeval(sample: Sample, reader: Reader) -> Measured:
    users = sample.rows("noncommercial/prefeval")
    if sample.limit is not None:
        few = slice(sample.limit)
        users = ({**u, "preferences": u["preferences"][few], "queries": u["queries"][few]} for u in islice(users, 1))
    decisions = prefeval.decide(users, reader)
    return Measured(decisions, prefeval.figures(decisions))


def _persona(sample: Sample, reader: Reader) -> Measured:
    decisions = persona.decide(sample.rows("open/synthetic_persona_chat"), reader)
    return Measured(decisions, persona.figures(decisions))


def _memorycode(sample: Sample, reader: Reader) -> Measured:
    dialogues = list(sample.rows("open/memorycode"))
    read = memorycode.decide(dialogues, reader)
    written = superseding.decide(dialogues, reader.extractor)
    return Measured([*read, *written], [*memorycode.figures(read), *superseding.figures(written)])


def _memorybank(sample: Sample, reader: Reader) -> Measured:
    decisions = memorybank.decide(sample.rows("open/memorybank"), reader, memorybank.load_labels())
    return Measured(decisions, memorybank.figures(decisions))


def _pasting(sample: Sample, reader: Reader) -> Measured:
    decisions = pasting.decide(extractor=reader.extractor)
    return Measured(decisions, pasting.figures(decisions))


def _handmade(sample: Sample, reader: Reader) -> Measured:
    measured = Measured([], [])
    for name, file in handmade.FILES.items():
        sentences = handmade.load(name)
        if not sentences:
            raise MissingData(f"no {file} in {handmade.FOLDER}: it is part of the source tree")
        decisions = handmade.decide(islice(sentences, sample.limit), reader, name)
        measured.decisions.extend(decisions)
        measured.figures.extend(handmade.figures(decisions, name))
    return measured


_MEASURES: dict[str, Callable[[Sample, Reader], Measured]] = {
    "prefeval": _prefeval,
    "synthetic_persona_chat": _persona,
    "memorycode": _memorycode,
    "memorybank": _memorybank,
    "handmade": _handmade,
    "pasted": _pasting,
}
SETS = tuple(_MEASURES)
"""What `--set` takes. ``handmade`` and ``pasted`` need no data."""


def run(
    half: str,
    sets: Sequence[str] | None,
    output: Path | None,
    *,
    limit: int | None = None,
    extractor: Extractor | None = None,
    chosen_by: Sequence[str] = (),
) -> int:
    """Measure an extractor (default: the offline one; `chosen_by` which options) and print.

    Exit code 0 if every target that was measured is reached, 1 if not, 2 if nothing was. The targets are the offline
    extractor's.
    """
    sample, reader = Sample(half, limit), Reader(extractor)
    decisions: list[Decision] = []
    figures: list[Figure] = []
    command = ["--half", half, *chosen_by, *(word for name in sets or () for word in ("--set", name))]
    command += ["--limit", str(limit)] if limit else []
    command += ["--output", str(output)] if output else []
    print("$ python -m evaluation extraction", " ".join(command), flush=True)
    print(f"Python {platform.python_version()},", ", ".join(f"{name} {version(name)}" for name in _PACKAGES))
    print(f"extractor: {reader.extractor.name}, one setting for all rows", flush=True)
    for name in dict.fromkeys(sets or SETS):
        try:
            measured = _MEASURES[name](sample, reader)
        except MissingData as error:
            print(f"skipped {name}: {error}", flush=True)
            continue
        decisions += measured.decisions
        figures += measured.figures
    if not figures:
        print("error: nothing was measured", file=sys.stderr)
        return 2
    figures += cost(reader.turns_ms)
    print(table(figures))
    if reader.problems:
        print("problems:", ", ".join(f"{kind} {number}" for kind, number in reader.problems.most_common()))
    if output is not None:
        with output.open("w", encoding="utf-8") as file:
            file.writelines(decision.as_json() + "\n" for decision in decisions)
        print(f"{len(decisions)} decisions in {output}")
    return verdict(figures)


def verdict(figures: Sequence[Figure]) -> int:
    """Say which targets are not reached; the exit code."""
    short = [figure for figure in figures if not figure.reached]
    for figure in short:
        print(f"not reached: {figure.set}, {figure.what}: {_value(figure)}, target {_target(figure)}")
    if not short:
        print("every measured target is reached")
    return 1 if short else 0


def cost(turns_ms: Sequence[float]) -> list[Figure]:
    """Milliseconds that both agents took to read one message, in this process, over every message of the sets."""
    if len(turns_ms) < 2:
        return []
    note = f"{len(turns_ms)} messages, reported only"
    return [
        Figure("cost", "median a turn", median(turns_ms), " ms", note=note),
        Figure("cost", "p95 a turn", quantiles(turns_ms, n=20)[-1], " ms", note=note),
    ]


def table(figures: Sequence[Figure]) -> str:
    """Measured beside target, a line a figure."""
    head = ("set", "measured", "figure", "target", "reached", "of")
    lines = [head, *((f.set, f.what, _value(f), _target(f), _reached(f), f.note) for f in figures)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in lines)


def _value(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    digits = 1 if figure.unit == "%" else 2
    unit = f" {figure.unit}" if figure.unit == "%" else figure.unit
    return f"{figure.value:.{digits}f}{unit}" if figure.unit or figure.value % 1 else f"{figure.value:g}"


def _target(figure: Figure) -> str:
    return "–" if figure.target is None else f"{'≤' if figure.at_most else '≥'} {figure.target:g}"


def _reached(figure: Figure) -> str:
    return "–" if figure.target is None else "yes" if figure.reached else "NO"
