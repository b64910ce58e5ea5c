"""Reads what a chat model said: the JSON in messy text, and whether a quotation really stands in a message."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, NamedTuple

from nodes.extractors.text import Span, clean

MAX_REPLY_CHARS = 60_000
_MAX_STARTS = 40
_MAX_DEPTH = 20
_QUOTES = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "ʼ": "'", "`": "'", "–": "-", "—": "-"}
)
_DECODER = json.JSONDecoder(strict=False)


class Reply(NamedTuple):
    """The JSON value found in a reply. `damaged`: its end was missing, and what follows the last whole part is lost."""

    value: Any
    damaged: bool = False


def read_json(raw: str) -> Reply | None:
    """The outermost JSON object or list in `raw`: fenced, amid prose, with trailing commas, or cut off; or None.

    A value cut off in the middle is kept up to its last complete part, so that no half-written fact survives.
    """
    text = clean(raw[:MAX_REPLY_CHARS])
    starts = [index for index, character in enumerate(text) if character in "{["][:_MAX_STARTS]
    for start in starts:
        for read in (_whole, _repaired):
            reply = read(text, start)
            if reply is not None and _may_hold_facts(reply.value):
                with suppress(RecursionError):  # nested so deep that it is nobody's facts
                    return reply._replace(value=_cleaned(reply.value))
    return None


def find_quote(quote: str, message: str) -> Span | None:
    """Where `quote` stands in `message`, whatever the case, white space and kind of quotation marks; None if nowhere.

    It must be whole words: "art" is not a quotation from "party".
    """
    wanted, _ = _normal(quote.strip(" \n\t\"'“”«»‘’….,;:!?"))
    if sum(character.isalnum() for character in wanted) < 2:
        return None
    said, places = _normal(message)
    at = said.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not (_splits_a_word(said, at) or _splits_a_word(said, end)):
            return Span(places[at], places[end - 1] + 1)
        at = said.find(wanted, at + 1)
    return None


def _normal(text: str) -> tuple[str, list[int]]:
    """`text` in lower case with single spaces and plain quotation marks, and where each character came from."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text.translate(_QUOTES)):
        if character.isspace():
            if characters and characters[-1] != " ":
                characters.append(" ")
                places.append(place)
            continue
        for folded in character.casefold():
            characters.append(folded)
            places.append(place)
    return "".join(characters), places


def _splits_a_word(text: str, at: int) -> bool:
    # Scripts that write without spaces begin at U+2E80: there any place may be a boundary.
    return 0 < at < len(text) and all(c.isalnum() and c < "\u2e80" for c in text[at - 1 : at + 1])


def _cleaned(value: Any) -> Any:
    """The value with its strings printable: an escape such as ``\\ud800`` is a lone surrogate once it is read."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(entry) for key, entry in value.items()}
    return [_cleaned(entry) for entry in value] if isinstance(value, list) else value


def _may_hold_facts(value: Any) -> bool:
    # Prose has brackets too: "[1]" is no report.
    return isinstance(value, dict) or (isinstance(value, list) and all(isinstance(entry, dict) for entry in value))


def _whole(text: str, start: int) -> Reply | None:
    try:
        return Reply(_DECODER.raw_decode(text, start)[0])
    except (ValueError, RecursionError):
        return None


def _repaired(text: str, start: int) -> Reply | None:
    """The value from `start` without trailing commas and, if it is cut off, closed after its last complete part."""
    kept: list[str] = []
    open_brackets: list[str] = []
    complete: list[tuple[int, str]] = []
    in_string = escaped = False
    for character in text[start:]:
        if in_string:
            in_string = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            in_string = True
        elif character in "{[":
            open_brackets.append("}" if character == "{" else "]")
            if len(open_brackets) > _MAX_DEPTH:
                return None
        elif character in "}]":
            if not open_brackets or open_brackets.pop() != character:
                break
            while kept and (kept[-1].isspace() or kept[-1] == ","):
                kept.pop()
        kept.append(character)
        if character in "}]" and not in_string:
            complete.append((len(kept), "".join(reversed(open_brackets))))
            if not open_brackets:
                break
    for length, closing in reversed(complete[-_MAX_STARTS:]):
        try:
            value = _DECODER.decode("".join(kept[:length]) + closing)
        except (ValueError, RecursionError):
            continue
        return Reply(value, damaged=bool(closing))
    return None
