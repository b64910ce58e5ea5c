"""Words, scores and order: the pure parts of retrieval, and the view that holds them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_kernel.lexical import LexicalIndex, terms
from memory_kernel.ranking import Ranked, fair_share, rank, relevances
from memory_kernel.view import Scored, UserView
from tests.unit.test_formatting import item

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def calibrated(cosines: Any) -> Any:
    return np.nan_to_num(np.clip(cosines, 0, 1))


# Words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Likes TEA, likes tea.", ["likes", "tea", "likes", "tea"]),
        ("renderBoard", ["renderboard", "render", "board"]),
        ("render_board2", ["render", "board2", "board", "2"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("喜欢茶", ["喜欢", "欢茶"]),
        ("茶", ["茶"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("🦊 … \x00 \ud800", []),
        ("", []),
    ],
)
def test_a_text_is_cut_into_terms(text: str, found: list[str]) -> None:
    assert terms(text) == found


def index(*texts: str) -> LexicalIndex:
    made = LexicalIndex()
    for text in texts:
        made.add(text)
    return made


def test_rare_words_weigh_more_than_common_ones_and_grammar_hardly_at_all() -> None:
    made = index("the tundra", "the tea", "tea the", "tea cake", "the the the the")
    tundra, tea, grammar = (made.scores(q).max() for q in ("tundra", "tea", "the"))
    assert tundra > tea > grammar > 0


@given(st.lists(st.text(), max_size=8), st.text())
def test_scores_are_finite_not_negative_and_zero_without_a_word_in_common(texts: list[str], query: str) -> None:
    scores = index(*texts).scores(query)
    assert scores.shape == (len(texts),)
    assert np.isfinite(scores).all()
    for text, score in zip(texts, scores, strict=True):
        assert (score > 0) == bool(set(terms(text)) & set(terms(query)))


# Order


def scored(text: str, cosine: float = 0.0, lexical: float = 0.0, to_work: float = np.nan, **fields: Any) -> Scored:
    return Scored(item(text, id=text, valid_from=NOW, **fields), cosine, lexical, to_work)


@given(
    st.lists(
        st.tuples(
            st.floats(-1, 1) | st.just(float("nan")),
            st.floats(0, 100),
            st.floats(-1, 1) | st.just(float("nan")),
            st.sampled_from(["profile", "task_context", "conversation"]),
            st.sampled_from([None, "s", "response_style"]),
        ),
        max_size=12,
    )
)
def test_relevance_is_in_range_and_the_order_is_total_and_independent_of_input_order(rows: list[Any]) -> None:
    candidates = [
        scored(f"item {n}", cosine, lexical, to_work, memory_type=kind, slot=slot, seq_no=n)
        for n, (cosine, lexical, to_work, kind, slot) in enumerate(rows)
    ]
    if candidates:
        values = relevances(candidates, calibrated)
        assert ((values >= 0) & (values <= 1)).all()
    ranked = rank(candidates, calibrated, NOW)
    assert [r.item.id for r in rank(candidates[::-1], calibrated, NOW)] == [r.item.id for r in ranked]


def test_evidence_of_words_and_of_meaning_add_up() -> None:
    neither, words, meaning, both = (
        relevances([scored("x", c, b, memory_type="conversation")], calibrated)[0]
        for c, b in ((0, 0), (0, 5), (0.4, 0), (0.4, 5))
    )
    assert neither == 0
    assert both > max(words, meaning) > min(words, meaning) > 0


def test_of_equals_the_newer_comes_first() -> None:
    old = Scored(item("old", id="old", valid_from=NOW - timedelta(days=9)), 0.5, 0, np.nan)
    new = Scored(item("new", id="new", valid_from=NOW), 0.5, 0, np.nan)
    assert [r.item.id for r in rank([old, new], calibrated, NOW)] == ["new", "old"]


def test_a_slot_of_which_a_user_has_many_makes_an_item_no_more_relevant() -> None:
    rows = [
        scored("end view names with '_v'", slot=slot, memory_type="profile")
        for slot in (None, "instruction.1", "location")
    ]
    plain, instruction, location = relevances(rows, calibrated)
    assert instruction == plain < location


def test_what_bears_on_the_current_work_counts_for_the_profile() -> None:
    on_task, off_task = (scored(t, 0, 0, w) for t, w in (("on", 0.9), ("off", 0.0)))
    assert [r.item.id for r in rank([off_task, on_task], calibrated, NOW)] == ["on", "off"]


@given(st.lists(st.sampled_from("abc"), max_size=30), st.integers(-1, 12))
def test_a_fair_share_keeps_order_and_limit_and_gives_every_kind_its_best(kinds: list[str], limit: int) -> None:
    ranked = [Ranked(item(f"{n}", id=f"{n}", memory_type=kind), 1 - n / 100) for n, kind in enumerate(kinds)]
    chosen = fair_share(ranked, limit)
    assert len(chosen) == min(len(ranked), max(limit, 0))
    assert [r for r in ranked if r in chosen] == chosen
    if limit >= len(set(kinds)):
        assert {r.item.memory_type for r in chosen} == set(kinds)


# The view


class ViewModel:
    """What a view should hold, beside the view."""

    def __init__(self) -> None:
        self.view = UserView()
        self.texts: dict[str, str] = {}
        self.vectors: dict[str, Any] = {}


def word(n: int) -> str:
    return "w" + "".join("abcdefghij"[int(digit)] for digit in str(n))


def vector(seed: int) -> Any:
    row = np.random.default_rng(seed).normal(size=8).astype(np.float32)
    return row / np.linalg.norm(row)


@given(st.lists(st.tuples(st.sampled_from(["add", "embed", "remove"]), st.integers(0, 120)), max_size=300))
def test_a_view_holds_exactly_what_was_added_and_not_removed(steps: list[tuple[str, int]]) -> None:
    model = ViewModel()
    for step, n in steps:
        name, text = f"i{n}", f"{word(n)} common"
        if step == "remove":
            model.view.apply((), {}, [name])
            model.texts.pop(name, None)
            model.vectors.pop(name, None)
        else:
            vectors = {name: vector(n)} if step == "embed" else {}
            model.view.apply([item(text, id=name)], vectors, ())
            model.texts[name] = text
            model.vectors |= vectors
    assert {i.id: i.text for i in model.view.items()} == model.texts
    assert {i.id for i in model.view.without_vector()} == model.texts.keys() - model.vectors.keys()
    query = vector(1000)
    for one in model.view.score(word(7), query, lambda i: False):
        assert one.item.id in model.texts
        assert (one.lexical > 0) == (one.item.id == "i7")
        known = model.vectors.get(one.item.id)
        assert np.isnan(one.cosine) if known is None else abs(one.cosine - float(known @ query)) < 1e-5


def test_a_view_of_which_most_is_gone_gives_its_memory_back() -> None:
    view = UserView()
    for n in range(2000):
        view.apply([item(f"value {n}", id=f"{n}")], {f"{n}": vector(n)}, [f"{n - 1}"])
    assert [i.text for i in view.items()] == ["value 1999"]
    assert view.nbytes() < 200_000


def test_a_vector_of_another_dimension_is_left_out() -> None:
    items = [item("one", id="1"), item("two", id="2")]
    view = UserView(items, {"1": vector(1), "2": np.ones(9, dtype=np.float32)})
    assert [i.id for i in view.without_vector()] == ["2"]
    assert all(np.isnan(s.cosine) for s in view.score("x", np.ones(9, dtype=np.float32), lambda i: False))
