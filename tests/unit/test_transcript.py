"""Transcripts: bad lines are named, good ones become turns with the replies that belong to them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graph.transcript import BadLine, Line, read_lines, turns
from memory_kernel.items import utcnow


def line(number: int, role: str, text: str, user: str = "ana", session: str = "s") -> Line:
    return Line(number, user, session, role, text, None)


def read(tmp_path: Path, *rows: object) -> list[Line | BadLine]:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"\n".join(r if isinstance(r, bytes) else json.dumps(r).encode() for r in rows))
    return list(read_lines(path))


GOOD = {"user_id": "ana", "session_id": "s", "role": "user", "text": "hi"}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"{not json", "is not JSON"),
        (b"\xff\xfe\x00", "is not UTF-8"),
        ([1, 2], "is not a JSON object but list"),
        ({"user_id": "ana", "role": "user"}, "has no session_id and no text"),
        ({**GOOD, "user_id": ""}, "user_id must be a non-empty string"),
        ({**GOOD, "user_id": 7}, "user_id must be a non-empty string"),
        ({**GOOD, "user_id": "agent:x"}, "belong to agents"),
        ({**GOOD, "role": "robot"}, "role must be one of"),
        ({**GOOD, "text": "   "}, "text must be a non-empty string"),
        ({**GOOD, "text": None}, "text must be a non-empty string"),
        ({**GOOD, "text": "\ud800"}, "text is not valid Unicode"),
        ({**GOOD, "time": "yesterday"}, "time must be ISO 8601"),
        ({**GOOD, "time": "0001-01-01T00:00:00+12:00"}, "time must be ISO 8601"),
        ({**GOOD, "time": "9999-01-01T00:00:00Z"}, "time is in the future"),
        (b'{"user_id": "\\ud800", "session_id": "s", "role": "user", "text": "x"}', "not valid Unicode"),
        (b"[" * 100_000, "is not JSON"),
    ],
)
def test_a_bad_line_is_named_by_number_and_reason_and_the_next_is_read(
    tmp_path: Path, row: object, reason: str
) -> None:
    bad, good = read(tmp_path, row, GOOD)
    assert isinstance(bad, BadLine)
    assert bad.number == 1
    assert reason in bad.reason
    assert good == line(2, "user", "hi")


def test_a_clock_may_be_a_day_ahead_and_no_more(tmp_path: Path) -> None:
    now = utcnow()
    ahead = [{**GOOD, "time": (now + timedelta(days=1, minutes=m)).isoformat()} for m in (-5, 5)]
    good, bad = read(tmp_path, *ahead)
    assert isinstance(good, Line)
    assert isinstance(bad, BadLine)
    assert "time is in the future" in bad.reason


def test_empty_lines_and_a_byte_order_mark_are_passed_over(tmp_path: Path) -> None:
    found = read(tmp_path, b"\xef\xbb\xbf" + json.dumps(GOOD).encode(), b"", b"  ", GOOD)
    assert [f.number for f in found] == [1, 4]


def test_a_time_without_a_zone_is_utc_and_one_with_a_zone_keeps_its_instant(tmp_path: Path) -> None:
    naive, aware = read(
        tmp_path, {**GOOD, "time": "2026-05-04T09:00:00"}, {**GOOD, "time": "2026-05-04T11:00:00+02:00"}
    )
    assert isinstance(naive, Line)
    assert isinstance(aware, Line)
    assert naive.time == aware.time == datetime(2026, 5, 4, 9, tzinfo=UTC)


def test_a_time_up_to_a_day_ahead_is_another_clock_and_no_mistake(tmp_path: Path) -> None:
    (ahead,) = read(tmp_path, {**GOOD, "time": f"{utcnow() + timedelta(hours=23):%Y-%m-%dT%H:%M:%SZ}"})
    assert isinstance(ahead, Line)


def test_a_reply_belongs_to_the_line_before_it_in_the_same_session() -> None:
    lines = [
        line(1, "user", "a"),
        line(2, "user", "b", session="other"),
        line(3, "assistant", "to b", session="other"),
        line(4, "assistant", "to a"),
        line(5, "user", "c", user="ben"),
        line(6, "assistant", "to nobody"),
    ]
    assert [(t.line.text, t.recorded_reply) for t in turns(lines)] == [("a", "to a"), ("b", "to b"), ("c", None)]


def test_system_and_tool_lines_are_no_turns_and_stand_between_nothing() -> None:
    lines = [line(1, "system", "be kind"), line(2, "user", "a"), line(3, "tool", "x"), line(4, "assistant", "to a")]
    assert [(t.line.text, t.recorded_reply) for t in turns(lines)] == [("a", "to a")]


def test_two_lines_of_a_user_in_a_row_are_two_turns_and_the_reply_is_the_seconds() -> None:
    lines = [line(1, "user", "a"), line(2, "user", "b"), line(3, "assistant", "to b")]
    assert [(t.line.text, t.recorded_reply) for t in turns(lines)] == [("a", None), ("b", "to b")]
