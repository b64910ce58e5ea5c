"""The scorers of the extraction measurements, on small data of our own: each tells right from wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evaluation import data, extraction
from evaluation.extraction import handmade, memorybank, memorycode, pasting, persona, prefeval, program, superseding
from evaluation.extraction.decisions import Decision, Figure, Stored
from evaluation.extraction.reading import Reader
from evaluation.extraction.superseding import Change, Writer
from evaluation.extraction.wording import best_stated, states
from memory_kernel import MemoryItem, MemoryKernel
from nodes.extraction import Extraction, ExtractionRequest, Fact, Problem

NOW = datetime(2025, 1, 1, tzinfo=UTC)


class Scripted:
    """An extractor that finds in a message what it is told to, as profile facts."""

    name = "scripted"

    def __init__(self, facts: Mapping[str, Sequence[tuple[str, str | None, str]]]) -> None:
        self._facts = facts

    def extract(self, request: ExtractionRequest) -> Extraction:
        found = self._facts.get(request.text, []) if request.memory_type == "profile" else []
        return Extraction(
            facts=[
                Fact.model_validate(
                    {"memory_type": "profile", "text": t, "evidence": t, "slot": s, "operation": operation}
                )
                for t, s, operation in found
            ]
        )

    async def aextract(self, request: ExtractionRequest) -> Extraction:
        return self.extract(request)


def reader(**facts: str | None) -> Reader:
    """Finds the one given fact in each of these messages, and none in others."""
    return Reader(Scripted({name: [(text, None, "assert")] for name, text in facts.items() if text}))


def values(figures: list[Figure]) -> dict[str, float | None]:
    return {figure.what: figure.value for figure in figures}


def test_a_reader_says_what_is_written_and_what_is_taken_back() -> None:
    facts = [("I use tabs", "tabs", "correct"), ("I smoke", None, "retract")]
    assert Reader(Scripted({"hi": facts})).read("hi") == (
        Stored("profile", "tabs", "correct", "I use tabs"),
        Stored("profile", None, "retract", "I smoke"),
    )


def test_a_reader_leaves_out_what_the_agent_would_not_write_and_times_every_message() -> None:
    class Doubtful(Scripted):
        def extract(self, request: ExtractionRequest) -> Extraction:
            fact = Fact(memory_type="profile", text="It's Porto", evidence="x", operation="correct", confidence=0.2)
            return Extraction(facts=[fact], problems=[Problem(kind="k", detail="d")])

    one = Reader(Doubtful({}))
    assert one.read("It's Porto") == ()
    assert len(one.turns_ms) == 1


def test_preferences_and_questions_are_counted_both_ways() -> None:
    user = {
        "user_id": "u",
        "preferences": [{"pref_id": f"p{n}", "text": f"p{n}"} for n in range(4)],
        "queries": [{"query_id": f"q{n}", "question": f"q{n}"} for n in range(4)],
    }
    decisions = prefeval.decide([user], reader(p0="x", p1="x", p2="x", q1="x", q2="x", q3="x"))
    assert [d.verdict for d in decisions] == ["stored"] * 3 + ["missed"] + ["left"] + ["wrongly stored"] * 3
    assert values(prefeval.figures(decisions)) == {"recall": 75.0, "precision": 50.0}


def test_a_retraction_is_no_stored_preference() -> None:
    user = {"user_id": "u", "preferences": [{"pref_id": "p", "text": "p"}], "queries": []}
    decisions = prefeval.decide([user], Reader(Scripted({"p": [("I like it", None, "retract")]})))
    assert [d.verdict for d in decisions] == ["missed"]


def test_a_persona_fact_counts_if_a_turn_of_its_speaker_says_it() -> None:
    conversation = {
        "id": "c",
        "facts": [
            {"fact_id": "said", "user_id": "a", "text": "I collect antique teapots"},
            {"fact_id": "other speaker", "user_id": "b", "text": "I collect antique teapots"},
            {"fact_id": "wrong words", "user_id": "b", "text": "I breed white rabbits"},
        ],
        "turns": [
            {"turn": 0, "user_id": "a", "text": "Well, I collect antique teapots at home"},
            {"turn": 1, "user_id": "b", "text": "I breed white rabbits"},
        ],
    }
    found = {"Well, I collect antique teapots at home": [("I collect teapots, antique ones", None, "assert")]}
    decisions = persona.decide([conversation], Reader(Scripted(found)))
    facts = {d.id: d.verdict for d in decisions if d.verdict != "turn"}
    assert facts == {"said": "stored", "wrong words": "missed"}
    assert values(persona.figures(decisions)) == {"recall": 50.0, "items a turn": 0.5}


def test_an_item_of_the_right_turn_with_other_words_does_not_store_a_persona_fact() -> None:
    turn = "I collect antique teapots and I am tired"
    conversation = {
        "id": "c",
        "facts": [{"fact_id": "f", "user_id": "a", "text": "I collect antique teapots"}],
        "turns": [{"turn": 0, "user_id": "a", "text": turn}],
    }
    decisions = persona.decide([conversation], Reader(Scripted({turn: [("I am tired", None, "assert")]})))
    assert [d.verdict for d in decisions] == ["turn", "missed"]


@pytest.mark.parametrize(
    ("instruction", "sentence", "stated"),
    [
        ("always end parameter names with '_k'", "End the names of parameters with '_k'", True),
        ("always end parameter names with '_k'", "End the names of parameters with '_ka'", False),
        ("always end parameter names with '_k'", "'_k' is a nice letter", False),
        ("always put the '@cached' decorator on properties", "Put cached on all properties as a decorator", True),
        ("use Mattermost for announcements", "Announcements go out by Mattermost", True),
        ("use Mattermost for announcements", "We value announcements", False),
        ("never use a label printer", "Please avoid the label printer", True),
        ("never use a label printer", "The label printer is on the first floor", False),
    ],
)
def test_what_states_an_instruction(instruction: str, sentence: str, stated: bool) -> None:
    assert (states(instruction, sentence) > 0) is stated


def test_the_instruction_that_is_stated_most_is_meant() -> None:
    both = {"p": "always write tests for parsers", "w": "always write tests for printers"}
    assert best_stated(both, "Write tests for all printers") == ["w"]
    assert best_stated(both, "Good morning") == []


def instruction(name: str, session: int, text: str, **more: Any) -> dict[str, Any]:
    known = {"kind": "coding_instruction", "event": "add", "instruction_id": hash(name), "superseded_by": None}
    return {"fact_id": name, "session": session, "text": text, **known, **more}


def dialogue(facts: list[dict[str, Any]], *sessions: list[str]) -> dict[str, Any]:
    """What Mia says in each session; Tom nods."""
    return {
        "id": "d",
        "mentor": "Mia",
        "facts": facts,
        "sessions": [
            {"session": n, "turns": [t for s in said for t in ({"speaker": "Mia", "text": s}, NOD)]}
            for n, said in enumerate(sessions)
        ],
    }


NOD = {"speaker": "Tom", "text": "I will write parser tests"}
TESTS = instruction("tests", 0, "always write parser tests")
PRINTER = instruction("printer", 0, "use the blue printer")
LOST = instruction("lost", 0, "keep marmots away from cellars")


def test_instructions_are_told_from_filler() -> None:
    said = ["Write parser tests!", "Our canteen is nice", "Use the blue printer", "I am Mia"]
    script = {
        text: [(text, "user_name" if "Mia" in text else None, "assert")] for text in said if "printer" not in text
    }
    decisions = memorycode.decide([dialogue([TESTS, PRINTER, LOST], said)], Reader(Scripted(script)))
    assert [d.verdict for d in decisions] == ["stored", "missed", "not said", "right", "filler", "own name"]
    assert values(memorycode.figures(decisions)) == {"instructions: recall": 50.0, "instructions: precision": 50.0}


def test_an_instruction_of_a_later_session_does_not_make_an_earlier_sentence_right() -> None:
    later = {**TESTS, "session": 1}
    script = {"Write parser tests!": [("Write parser tests", None, "assert")]}
    decisions = memorycode.decide([dialogue([later], ["Write parser tests!"], ["Hello"])], Reader(Scripted(script)))
    assert [d.verdict for d in decisions] == ["not said", "filler"]


def updating(slots: tuple[str | None, str | None, str | None]) -> tuple[dict[str, Any], Scripted]:
    """An instruction, another one, and an update of the first, written into these slots."""
    old = instruction("old", 0, "use Kestrel for invoices", superseded_by="new", instruction_id=1)
    other = instruction("other", 1, "use Heron for payslips", instruction_id=2)
    new = instruction("new", 2, "use Osprey for invoices", event="update", instruction_id=1)
    said = ["Use Kestrel for invoices", "Use Heron for payslips", "Use Osprey for invoices"]
    script = {text: [(text, slot, "assert")] for text, slot in zip(said, slots, strict=True)}
    return dialogue([old, other, new], *([text] for text in said)), Scripted(script)


@pytest.mark.parametrize(
    ("slots", "verdicts"),
    [
        (("invoices", "payslips", "invoices"), {"old": "right", "other": "right", "new": "right"}),
        ((None, None, None), {"old": "right", "other": "right", "new": "kept both"}),
        (("tool", "tool", "tool"), {"old": "right", "other": "wrong", "new": "ended before"}),
        (("a", "b", "b"), {"old": "right", "other": "right", "new": "kept both"}),
    ],
)
def test_what_ends_what_in_a_real_kernel(
    kernel: MemoryKernel, slots: tuple[str | None, str | None, str | None], verdicts: dict[str, str]
) -> None:
    talk, extractor = updating(slots)
    writer = Writer(kernel, extractor)
    changes = [writer.play("u", turn.session, turn.text) for turn in memorycode.mentor_turns(talk)]
    decisions = superseding.judge("u", talk["facts"], changes)
    assert {d.id: d.verdict for d in decisions} == verdicts
    measured = values(superseding.figures(decisions))
    assert measured["updates superseding the right one"] == 100 * (verdicts["new"] == "right")
    assert measured["additions wrongly superseding"] == 50 * (verdicts["other"] == "wrong")


def test_an_update_that_was_not_written_is_not_judged() -> None:
    talk, _ = updating((None, None, None))
    decisions = superseding.decide([talk], Scripted({}))
    assert {d.verdict for d in decisions} == {"not stored"}
    assert values(superseding.figures(decisions))["updates superseding the right one"] is None


def item(name: str, text: str, slot: str | None = None, **more: Any) -> MemoryItem:
    fixed = {"user_id": "u", "owner_agent": "a", "memory_type": "profile", "sharing_policy": "shared", "seq_no": 1}
    times = {"created_at": NOW, "valid_from": NOW}
    return MemoryItem.model_validate(
        {"id": name, "content": text, "text": text, "slot": slot, **fixed, **times, **more}
    )


@pytest.mark.parametrize(
    ("slot", "other_slot", "status"), [("invoices", "payslips", "superseded"), (None, None, "retracted")]
)
def test_an_addition_is_not_blamed_for_an_update_of_the_same_turn(
    slot: str | None, other_slot: str | None, status: str
) -> None:
    old = instruction("old", 0, "use Kestrel for invoices", superseded_by="new", instruction_id=1)
    new = instruction("new", 1, "use Osprey for invoices", event="update", instruction_id=1)
    extra = instruction("extra", 1, "use Heron for payslips", instruction_id=2)
    kestrel = item("k", "Use Kestrel for invoices", slot)
    gone = kestrel.model_copy(update={"status": status})
    turn = (item("o", "Use Osprey for invoices", slot), item("h", "Use Heron for payslips", other_slot))
    decisions = superseding.judge("u", [old, new, extra], [Change(0, (kestrel,), ()), Change(1, turn, (gone,))])
    assert {d.id: d.verdict for d in decisions} == {"old": "right", "new": "right", "extra": "right"}


def test_saying_an_instruction_again_before_its_update_does_not_spoil_the_update() -> None:
    old = instruction("old", 0, "use Kestrel for invoices", superseded_by="new", instruction_id=1)
    new = instruction("new", 1, "use Osprey for invoices", event="update", instruction_id=1)
    first, second = (item(n, f"Use Kestrel for {w} invoices", "i") for n, w in (("1", "all"), ("2", "big")))
    ended = [i.model_copy(update={"status": "superseded"}) for i in (first, second)]
    osprey = item("3", "Use Osprey for invoices", "i")
    changes = [Change(0, (first,), ()), Change(0, (second,), (ended[0],)), Change(1, (osprey,), (ended[1],))]
    assert [d.verdict for d in superseding.judge("u", [old, new], changes)] == ["right", "right"]


def test_items_are_counted_per_user_and_day_and_once() -> None:
    def turns(*texts: str) -> list[dict[str, str]]:
        return [{"turn_id": t, "role": "user", "text": t} for t in texts] + [
            {"turn_id": "r", "role": "assistant", "text": "a"}
        ]

    user = {
        "user_id": "u",
        "sessions": [
            {"date": "2025-01-01", "turns": turns("a", "b")},
            {"date": "2025-01-02", "turns": turns("c", "d")},
        ],
    }
    facts = reader(a="I sing", b="I swim", c="I sing", d=None)
    decisions = memorybank.decide([user], facts, {})
    assert [len(d.stored) for d in decisions] == [1, 1, 0, 0]
    assert values(memorybank.figures(decisions)) == {"share useful": None, "items per user and day": 1.0}
    assert all(figure.reached for figure in memorybank.figures(decisions))  # nobody has labelled: only counted

    judged = memorybank.figures(memorybank.decide([user], facts, {("a", "I sing"): True, ("b", "I swim"): False}))
    assert (judged[0].value, judged[0].reached) == (50.0, False)
    stale = memorybank.figures(memorybank.decide([user], facts, {("a", "I sing"): True}))
    assert (stale[0].value, stale[0].reached) == (None, False)  # half of what is stored was never judged


def test_the_sample_is_the_same_of_the_same_items() -> None:
    turns = [{"turn_id": f"t{n}", "role": "user", "text": f"m{n}"} for n in range(300)]
    user = {"user_id": "u", "sessions": [{"date": "2025-01-01", "turns": turns}]}
    facts = reader(**{f"m{n}": f"I sing {n}" for n in range(300)})
    decisions = memorybank.decide([user], facts, {})
    chosen = {decision.id for decision, _, _ in memorybank.sample(decisions)}
    assert len(chosen) == memorybank.SAMPLE
    assert chosen == {decision.id for decision, _, _ in memorybank.sample(decisions[::-1])}


def test_handmade_sentences_count_what_is_kept_by_language() -> None:
    def row(name: str, lang: str, keep: bool) -> dict[str, object]:
        return {"id": name, "lang": lang, "kind": "k", "text": name, "keep": keep}

    rows = [row("a", "en", True), row("b", "de", True), row("c", "en", False), row("d", "de", False)]
    decisions = handmade.decide(rows, reader(a="I sing", c="She sings"))
    assert [d.verdict for d in decisions] == ["kept", "missed", "wrongly kept", "left"]
    wrong, kept = handmade.figures(decisions)
    assert (wrong.value, kept.value) == (50.0, 50.0)
    assert wrong.note == "1 of 2; en 100, de 0 %"
    assert not wrong.reached
    assert [figure.target for figure in handmade.figures(decisions, handmade.HELD_OUT)] == [None, None]
    assert handmade.load(folder=Path("/nowhere")) == []


def test_the_handmade_sentences_are_whole() -> None:
    rows = handmade.load()
    ids = [row["id"] for row in rows]
    assert len(set(ids)) == len(ids) == len({row["text"] for row in rows})
    assert all((row["id"][0] == "p") == row["keep"] for row in rows)
    assert sum(row["keep"] for row in rows) == sum(not row["keep"] for row in rows) == 300
    assert not {row["text"] for row in rows} & {row["text"] for row in handmade.load(handmade.HELD_OUT)}


def test_a_pasted_block_adds_nothing_and_a_new_fact_beside_it_is_seen() -> None:
    decisions = pasting.decide(("{block}\n{asked}", "I live in Tartu.\n{block}"))
    assert [d.verdict for d in decisions] == ["left", "added"]
    assert values(pasting.figures(decisions)) == {"items added": 1}


def test_a_row_holds_what_the_score_is_made_of() -> None:
    decision = Decision(
        "s", "i", "u", "Grüße", "stored", (Stored("profile", None, "assert", "x"),), "stored", {"day": 1}
    )
    fact = {"memory_type": "profile", "slot": None, "operation": "assert", "text": "x"}
    row = {"set": "s", "id": "i", "user": "u", "text": "Grüße", "expected": "stored", "stored": [fact]}
    assert json.loads(decision.as_json()) == {**row, "verdict": "stored", "day": 1}


def test_targets_say_which_are_not_reached(capsys: pytest.CaptureFixture[str]) -> None:
    good = [Figure("s", "recall", 98.0, target=98), Figure("s", "wrong", 5.0, target=5, at_most=True)]
    assert program.verdict([*good, Figure("s", "items", 9.0)]) == 0
    bad = [
        Figure("s", "recall", 97.9, target=98),
        Figure("s", "wrong", 5.1, target=5, at_most=True),
        Figure("s", "empty", None, target=1),
    ]
    assert program.verdict([*good, *bad]) == 1
    printed = capsys.readouterr().out
    assert [f"not reached: s, {what}" in printed for what in ("recall", "wrong", "empty")] == [True] * 3


def test_cost_is_median_and_95th_percentile() -> None:
    measured = values(program.cost([1.0] * 90 + [9.0] * 10))
    assert measured == {"median a turn": 1.0, "p95 a turn": 9.0}


@pytest.fixture
def sets_here(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def place(**sets: list[dict[str, Any]]) -> None:
        def rows(name: str, half: str = "dev", limit: int | None = None) -> Iterator[dict[str, Any]]:
            if name.split("/")[1] not in sets:
                raise data.MissingData(f"no {name}")
            return iter(sets[name.split("/")[1]][:limit])

        monkeypatch.setattr(program, "rows", rows)

    return place


def test_an_absent_set_is_skipped_and_the_rows_of_the_others_written(
    tmp_path: Path, sets_here: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    preference = {"pref_id": "p", "text": "I prefer window seats on trains."}
    query = {"query_id": "q", "question": "Which seat should I book?"}
    sets_here(prefeval=[{"user_id": "u", "preferences": [preference], "queries": [query]}])
    output = tmp_path / "rows.jsonl"
    assert extraction.run("dev", ["prefeval", "memorybank"], output) == 0
    printed = capsys.readouterr()
    assert "skipped memorybank" in printed.out
    assert "every measured target is reached" in printed.out
    assert [json.loads(line)["verdict"] for line in output.read_text().splitlines()] == ["stored", "left"]


def test_with_no_set_at_all_nothing_is_shown(sets_here: Callable[..., None]) -> None:
    sets_here()
    assert extraction.run("dev", ["memorybank", "memorycode"], None) == 2


class Failing:
    """An extractor that finds nothing and says why."""

    name = "model:failing"

    def extract(self, request: ExtractionRequest) -> Extraction:
        return Extraction(problems=(Problem(kind="unreadable", detail="no JSON"),))

    async def aextract(self, request: ExtractionRequest) -> Extraction:
        return self.extract(request)


def test_any_extractor_is_measured_over_a_few_rows_and_its_problems_are_counted(
    sets_here: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    preferences = [{"pref_id": f"p{n}", "text": f"I prefer seat {n}."} for n in range(5)]
    user = {"user_id": "u", "preferences": preferences, "queries": []}
    sets_here(prefeval=[user, user])
    assert extraction.run("dev", ["prefeval"], None, limit=2, extractor=Failing()) == 1
    printed = capsys.readouterr().out
    assert "extractor: model:failing" in printed
    assert "0 of 2 preferences" in printed
    assert "problems: unreadable 4" in printed
