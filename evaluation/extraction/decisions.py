"""What the measuring writes down (`Decision`) and what it comes to (`Figure`). Knows no data set."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Stored(NamedTuple):
    """A fact that is written of a message, or (`operation` ``retract``) one that is taken back."""

    memory_type: str
    slot: str | None
    operation: str
    text: str

    @property
    def is_written(self) -> bool:
        """Whether it becomes an item."""
        return self.operation != "retract"


@dataclass(frozen=True, slots=True)
class Decision:
    """One row: what was read, what should have come of it, what did, and the verdict. `more` is the set's own."""

    set: str
    id: str
    user: str
    text: str
    expected: str
    stored: tuple[Stored, ...]
    verdict: str
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> str:
        """The row as one line of JSON."""
        row = {name: getattr(self, name) for name in ("set", "id", "user", "text", "expected")}
        row["stored"] = [fact._asdict() for fact in self.stored]
        return json.dumps({**row, "verdict": self.verdict, **self.more}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured number beside its target. `value` None: there was nothing to measure; `target` None: only reported."""

    set: str
    what: str
    value: float | None
    unit: str = "%"
    target: float | None = None
    at_most: bool = False
    note: str = ""

    @property
    def reached(self) -> bool:
        """Whether the target is reached; a figure without one always is, one with nothing to measure never."""
        if self.target is None:
            return True
        if self.value is None:
            return False
        return self.value <= self.target if self.at_most else self.value >= self.target


def share(part: int, whole: int) -> float | None:
    """`part` of `whole` in per cent; None of nothing."""
    return 100 * part / whole if whole else None


def count(decisions: Iterable[Decision], *verdicts: str) -> int:
    """How many decisions came to one of these verdicts."""
    return sum(decision.verdict in verdicts for decision in decisions)
