"""Which English sentences state a standing instruction, how it is worded, and that talk around it states none."""

from __future__ import annotations

import pytest

from nodes.extractors import learning, standing
from nodes.extractors.findings import Finding
from nodes.extractors.instructions import each_of
from nodes.extractors.offline import read
from nodes.matters import is_instruction

STANDING = [
    "Always start table names with 'tbl_'.",
    "I want you to end all selector names with '_sel'.",
    "From now on, use Zed as your editor.",
    "I'd like you to start adding the '@traced' decorator to all handlers.",
    "Make sure that every interface name starts with 'I'.",
    "When naming folders, end the name with '-dir'.",
    "For enum names, please end them with 'Kind'.",
    "It's important that you always include captions in figures.",
    "I want to emphasize the importance of including examples in your manuals.",
    "One of our conventions is to use kebab-case for file names.",
    "Please avoid using macros in spreadsheets from now on.",
    "You should never use the fax machine.",
    "I want you to avoid using a calculator.",
    "Never use public wifi for work.",
    "Going forward, please file all bugs in YouTrack.",
    "Could you always give page numbers when you cite a book?",
    "Use metric units in all recipes.",
    "Don't use semicolons in poems.",
    "Name variables in snake case.",
    "We've decided to use Postgres for all new services from now on.",
]
NOT_STANDING = [
    "I have an important update for you about our tools.",
    "Now let me tell you about our naming conventions.",
    "I'd like you to adopt a new convention for file names.",
    "We have some conventions that you should be aware of.",
    "Please don't hesitate to reach out if you have any questions.",
    "Feel free to ask me anything.",
    "Keep up the good work!",
    "Make sure you take care of yourself.",
    "Write me a poem about the sea.",
    "Make it shorter.",
    "give me seven rhymes for 'orange'",
    "im 41 and worked in mines for years",
    "Fix this function.",
    "Please review this pull request today.",
    "Can you help me with my essay?",
    "Let's move on to the next topic.",
    "I look forward to working with you.",
    "We value honesty and teamwork.",
    "We have a gym in the basement.",
    "That way, everyone can read the code.",
    "So, if you have an attribute called 'size', it would be 'size_x'.",
    "Which naming convention do you use for your methods?",
    "My teacher says that we should always cite our sources.",
    "If I had more time, I would always use a planner.",
]


def stated(said: str) -> list[Finding]:
    return [finding for finding in read(said) if is_instruction(finding.slot)]


@pytest.mark.parametrize("said", STANDING)
def test_a_standing_instruction_is_kept_in_its_own_words_and_slot(said: str) -> None:
    (found,) = stated(said)
    assert found.memory_type == "profile"
    assert found.text.rstrip(".?") in said
    assert said[found.start : found.end].rstrip(".?") == found.text.rstrip(".?")


@pytest.mark.parametrize("said", NOT_STANDING)
def test_what_surrounds_instructions_states_none(said: str) -> None:
    assert not stated(said)


def test_what_speaks_of_the_sentence_before_is_kept_together_with_it() -> None:
    said = "Let's talk about the names of your migrations. From now on, please use '_mg' at the end of them."
    (found,) = stated(said)
    assert "migrations" in found.text
    assert "'_mg'" in found.text
    assert said[found.start : found.end] == said


def test_two_kinds_of_names_in_one_sentence_are_two_instructions() -> None:
    assert each_of("Please start view names with 'v_' and model names with 'm_'") == [
        "Please start view names with 'v_'",
        "Please start model names with 'm_'",
    ]
    assert each_of("I want you to start view names with 'v_' and end them with '_w'") == [
        "I want you to start view names with 'v_'",
        "I want you to end view names with '_w'",
    ]
    assert each_of("All view names should start with 'v_' and end with '_w'") == [
        "All view names should start with 'v_'",
        "All view names should end with '_w'",
    ]
    assert each_of("Use tabs and no spaces") == ["Use tabs and no spaces"]


def test_what_a_company_offers_is_no_fact_about_the_user_and_what_we_have_at_home_is() -> None:
    assert not read("We have a generous policy for remote work.")
    assert [finding.text for finding in read("We have three children and a dog.")] == [
        "We have three children and a dog"
    ]


def test_the_weights_are_those_that_the_sentences_teach() -> None:
    taught = learning.learn(learning.examples(), learning.labelled("we.txt"))
    weights = standing._weights()
    assert taught["names"] == list(standing.directives.NAMES)
    assert taught["bias"] == pytest.approx(weights.bias, abs=0.01)
    assert taught["grammar"] == pytest.approx(weights.grammar, abs=0.01)
    assert taught["sense"] == pytest.approx(weights.sense, abs=0.01)


def test_weights_that_have_not_seen_a_sentence_still_tell_most_of_them() -> None:
    known = learning.examples()
    right = [
        example.lasts == (chance >= 0.5) for example, chance in zip(known, learning.cross_validated(known), strict=True)
    ]
    assert sum(right) / len(right) > 0.75


def test_without_the_embedder_the_grammar_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "_embedder", lambda: None)
    assert standing.lasts("From now on, I want you to always end view names with '_v'.")
    assert not standing.lasts("Thank you for your work.")
    assert standing.of_own_life("We value honesty.")
