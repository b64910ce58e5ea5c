"""What reaches a terminal: nothing in it is obeyed, reorders or hides, and every language still reads."""

from __future__ import annotations

import io
import json
import logging
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from graph.cli import TerminalFormatter
from graph.show import as_json, bad_lines, count, plain, plain_json, sentence
from graph.transcript import BadLine


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("\x9b31m\x7f\x00\x08", r"\x9b31m\x7f\x00\x08"),
        ("\u202egnp.exe\u200b\ufeff", r"\u202egnp.exe\u200b\ufeff"),
        ("\U000e0041", r"\U000e0041"),
        ("\ud800", r"\ud800"),
        ("a\u2028b", r"a\u2028b"),
        ("one\n\ttwo\r\nthree\rfour", "one\n\ttwo\nthree\\x0dfour"),
        ("Zoë, Мира, 美羅, नोर, ع\u00a0é\u3000🦎", "Zoë, Мира, 美羅, नोर, ع\u00a0é\u3000🦎"),
    ],
)
def test_control_and_format_characters_are_shown_and_words_stay_as_they_are(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_an_id_is_one_line() -> None:
    assert plain("a\nb\tc\r\n", lines=False) == r"a\x0ab\x09c\x0d\x0a"


@given(st.text(alphabet=st.characters(codec="utf-8")), st.booleans())
def test_json_made_safe_is_json_of_the_same_value(text: str, ascii_only: bool) -> None:
    safe = plain_json(json.dumps({text: text}, ensure_ascii=False), ascii_only=ascii_only)
    assert plain(safe) == safe
    assert safe.isascii() or not ascii_only
    assert json.loads(safe) == {text: text}


def test_json_on_a_console_reads_back() -> None:
    out = io.StringIO()
    as_json(Console(file=out, width=20), json.dumps({"text": "é\x7f\x9b " * 20}))
    assert json.loads(out.getvalue()) == {"text": "é\x7f\x9b " * 20}
    assert "é" in out.getvalue()
    assert "\x9b" not in out.getvalue()


def test_the_first_bad_lines_have_reasons_and_the_rest_are_numbers() -> None:
    numbers = [*range(1, 23), 24, *range(30, 36), 40]
    shown = bad_lines([BadLine(n, "is not JSON") for n in numbers])
    assert shown[:20] == [f"line {n} is not JSON" for n in range(1, 21)]
    assert shown[20:] == ["and lines 21-22, 24, 30-35, 40"]
    assert bad_lines([BadLine(7, "is \x1b")]) == [r"line 7 is \x1b"]


def test_a_count_agrees_with_its_noun() -> None:
    assert [count(n, "memory", "memories") for n in (0, 1, 2)] == ["0 memories", "1 memory", "2 memories"]


def test_an_error_is_one_line_even_if_it_says_nothing() -> None:
    assert sentence(ValueError("\nfirst\x1b\nsecond")) == r"first\x1b"
    assert sentence(KeyError()) == "KeyError"


@pytest.mark.parametrize("tracebacks", [True, False])
def test_a_log_line_has_a_traceback_only_if_asked_for_and_no_escapes(tracebacks: bool) -> None:
    try:
        raise ConnectionError("refused")
    except ConnectionError:
        record = logging.LogRecord("n", logging.ERROR, "f", 1, "no model: \x1b[31m", (), sys.exc_info())
    logged = TerminalFormatter(tracebacks=tracebacks).format(record)
    assert logged.startswith(r"ERROR no model: \x1b[31m")
    assert ("Traceback" in logged) == tracebacks
    assert ("\n" in logged) == tracebacks
