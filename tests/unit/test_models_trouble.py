"""A failed call becomes one sentence, whatever the client raised."""

from __future__ import annotations

import json

import httpx
import pytest

from graph.models import as_unavailable
from memory_kernel.errors import ModelUnavailable


class WithStatus(Exception):
    def __init__(self, status_code: int, text: str = "") -> None:
        super().__init__(text)
        self.status_code = status_code


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (WithStatus(401, "Incorrect API key: sk-secret"), "OPENAI_API_KEY"),
        (WithStatus(403), "may not use"),
        (WithStatus(404), "no such model"),
        (WithStatus(429), "quota"),
        (WithStatus(503), "(503)"),
        (WithStatus(400, "maximum context length is 8192 tokens"), "MEMORY_HISTORY_TOKENS"),
        (WithStatus(400, "bad schema\nsecond line"), "bad schema"),
        (httpx.ReadTimeout("slow"), "MEMORY_LLM_TIMEOUT_S"),
        (TimeoutError(), "MEMORY_LLM_TIMEOUT_S"),
        (httpx.ConnectError("refused"), "cannot be reached"),
        (httpx.RemoteProtocolError("closed"), "cannot be reached"),
        (ConnectionResetError(), "cannot be reached"),
        (json.JSONDecodeError("x", "y", 0), "protocol"),
        (KeyError("choices"), "protocol"),
        (RuntimeError(""), "RuntimeError: no message"),
    ],
)
def test_each_kind_of_failure_says_what_to_do(error: Exception, said: str) -> None:
    unavailable = as_unavailable(error, "openai:gpt-4o")
    sentence = str(unavailable)
    assert sentence.startswith("openai:gpt-4o: ")
    assert said in sentence
    assert "\n" not in sentence
    assert "sk-secret" not in sentence
    assert unavailable.__cause__ is error


def test_our_own_error_inside_a_clients_is_given_back() -> None:
    ours = ModelUnavailable("Cannot load x.gguf: corrupt.")
    theirs = RuntimeError("Connection error.")
    theirs.__cause__ = ours
    assert as_unavailable(theirs, "local:x.gguf") is ours


def test_errors_that_cause_each_other_do_not_hang() -> None:
    one, two = RuntimeError("one"), RuntimeError("two")
    one.__cause__, two.__cause__ = two, one
    assert "one" in str(as_unavailable(one, "x:y"))
