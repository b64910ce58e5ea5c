"""What the readers of sentences have in common: a fact before it is worded, the statement it stands in, its wording."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from nodes.extraction import FactType, Operation
from nodes.extractors import text

Link = Literal["", "depends", "contrasts", "prefers"]


class Finding(NamedTuple):
    """A fact before it is worded: where it stands, and what it is."""

    start: int
    end: int
    text: str
    memory_type: FactType
    slot: str | None
    operation: Operation
    confidence: float
    mergeable: bool = False
    taste: bool = False
    negative: bool = False


class Statement(NamedTuple):
    """A clause split into what may precede the statement and the statement itself (offsets into the message).

    `link` says how it hangs on the clause that ends at `after`, `topic` what that clause was about,
    and `frame` what stands before its own subject ("on Sundays").
    """

    start: int
    core: int
    end: int
    words: str
    hedged: bool = False
    corrects: str = ""
    conditional: bool = False
    remember: bool = False
    link: Link = ""
    after: int = -1
    topic: str = ""
    frame: str = ""


def wording(message: str, statement: Statement) -> str:
    """The user's own words, so that neither language nor meaning changes; only a missing subject is supplied."""
    own = message[statement.start : statement.end]
    if (
        statement.words.startswith("I ")
        and not own.lower().startswith(("i ", "i'"))
        and statement.core == statement.start
    ):
        own = "I " + (own[:1].lower() + own[1:] if own[1:2].islower() else own)
    return text.tidy(own)


def skip(pattern: re.Pattern[str], masked: str, start: int, end: int, times: int = 1) -> int:
    """Where the text goes on behind `pattern`, which may stand there up to `times` times."""
    for _ in range(times):
        match = pattern.match(masked, start, end)
        if match is None or match.end() >= end or match.end() == start:
            return start
        start = match.end()
    return start
