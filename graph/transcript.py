"""Reads transcripts: one JSON object a line with user_id, session_id, role, text and an optional time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from memory_kernel import InvalidMemory
from memory_kernel.identity import check_id, check_user_id
from memory_kernel.items import utcnow

ROLES = ("user", "assistant", "system", "tool")
_CLOCKS_DIFFER = timedelta(days=1)


class Line(NamedTuple):
    """One thing said."""

    number: int
    user_id: str
    session_id: str
    role: str
    text: str
    time: datetime | None


class BadLine(NamedTuple):
    """A line that cannot be played, and why."""

    number: int
    reason: str


class Turn(NamedTuple):
    """A user's line, with the reply that the transcript holds for it (None: it holds none)."""

    line: Line
    recorded_reply: str | None


def read_lines(path: Path) -> Iterator[Line | BadLine]:
    """Every line in order, good or bad; empty lines are passed over. Raises OSError if the file cannot be read."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if raw.strip(b"\xef\xbb\xbf \t\r\n"):
                yield _parse(number, raw)


def turns(lines: list[Line]) -> list[Turn]:
    """One turn for each line of a user; the next line of the same session is its reply if the assistant says it."""
    following: dict[tuple[str, str], Line] = {}
    found: list[Turn] = []
    for line in reversed(lines):
        session = (line.user_id, line.session_id)
        if line.role == "user":
            after = following.get(session)
            found.append(Turn(line, after.text if after is not None and after.role == "assistant" else None))
        if line.role in ("user", "assistant"):
            following[session] = line
    return found[::-1]


def _parse(number: int, raw: bytes) -> Line | BadLine:
    try:
        row = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return BadLine(number, "is not UTF-8")
    except (ValueError, RecursionError) as error:
        return BadLine(number, f"is not JSON ({error})")
    if not isinstance(row, dict):
        return BadLine(number, f"is not a JSON object but {type(row).__name__}")
    missing = [key for key in ("user_id", "session_id", "role", "text") if key not in row]
    if missing:
        return BadLine(number, f"has no {' and no '.join(missing)}")
    try:
        return Line(
            number=number,
            user_id=check_user_id(row["user_id"]),
            session_id=check_id(row["session_id"], "session_id"),
            role=_role(row["role"]),
            text=_text(row["text"]),
            time=_time(row.get("time")),
        )
    except InvalidMemory as error:
        return BadLine(number, str(error)[:300])


def _role(value: Any) -> str:
    if value not in ROLES:
        raise InvalidMemory(f"role must be one of {', '.join(ROLES)}, not {value!r}")
    return str(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidMemory(f"text must be a non-empty string, not {value!r}"[:200])
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidMemory("text is not valid Unicode (a lone surrogate)") from error
    return value


def _time(value: Any) -> datetime | None:
    if value is None:
        return None
    try:
        at = datetime.fromisoformat(value)
        at = at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError) as error:
        raise InvalidMemory(f"time must be ISO 8601 such as 2026-05-01T09:30:00Z, not {value!r}") from error
    if at > utcnow() + _CLOCKS_DIFFER:  # it would be newer than everything said from now on
        raise InvalidMemory(f"time is in the future: {value!r}")
    return at
