"""The judge of the isolation campaign catches what it is there to catch."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaluation import isolation


def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: dict[str, str], items: dict[str, str]) -> int:
    rows = tmp_path / "rows.jsonl"
    turn = {"reply": "", "trace": {}, "writes": []}
    rows.write_text("\n".join(json.dumps({"user_id": u, "block": b, **turn}) for u, b in blocks.items()))
    monkeypatch.setattr(isolation, "_graph", lambda *a, **k: SimpleNamespace(stdout=items.get(a[3], "")))
    return isolation._judge(rows, tmp_path, sorted(blocks))


A, B = isolation.canary("ana"), isolation.canary("ben")


def test_own_canaries_are_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge(tmp_path, monkeypatch, {"ana": A, "ben": B}, {"ana": A, "ben": B}) == 0


@pytest.mark.parametrize(
    ("blocks", "items"),
    [
        ({"ana": f"{A} {B}", "ben": B}, {"ana": A, "ben": B}),
        ({"ana": A, "ben": B}, {"ana": A, "ben": f"{B} {A}"}),
    ],
)
def test_a_foreign_canary_in_a_block_or_an_item_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: dict[str, str], items: dict[str, str]
) -> None:
    assert judge(tmp_path, monkeypatch, blocks, items) == 1


def test_a_run_in_which_no_canary_is_seen_shows_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge(tmp_path, monkeypatch, {"ana": "", "ben": ""}, {}) == 1


def test_every_sentence_is_marked_and_line_order_kept() -> None:
    lines = [{"user_id": "ana", "text": "I like tea. Do you? Version 2.5 is out"}, {"user_id": "ben", "text": "hi"}]
    assert [line["text"] for line in isolation.marked(iter(lines))] == [
        f"I like tea, {A}. Do you, {A}? Version 2.5 is out",
        f"hi {B}",
    ]
