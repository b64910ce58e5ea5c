"""Which memories a request to forget is about, and which it only resembles."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memory_kernel import MemoryItem
from nodes.requesting import matching

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def item(text: str, **changes: Any) -> MemoryItem:
    fields = {
        "id": text,
        "user_id": "mira",
        "owner_agent": "ProfileAgent",
        "memory_type": "profile",
        "sharing_policy": "shared",
        "content": text,
        "text": text,
        "created_at": NOW,
        "valid_from": NOW,
        "seq_no": 1,
    }
    return MemoryItem(**{**fields, **changes})


def said(words: str) -> MemoryItem:
    return item(f"the user said: {words}", memory_type="conversation", content={"speaker": "user", "said": words})


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("I live in Lisbon", "I have lived in Lisbon since 2019"),
        ("I'm living in Lisbon now", "I live in Lisbon"),
        ("My name is Bo", "The user's name is Bo"),
        ("I prefer answers in French", "Prefers answers in French"),
        ("I'm really allergic to peanuts", "I'm allergic to peanuts"),
        ("Vivo en Lisboa", "Vivo en Lisboa"),
        ("Ich in Berlin wohne", "Ich wohne in Berlin"),
        ("我住在上海", "我住在上海"),
        ("私が東京に住んでいる", "東京に住んでいます"),
        ("I don't eat meat", "I do not eat meat"),
    ],
)
def test_a_memory_that_says_it_is_meant(words: str, text: str) -> None:
    assert matching.states(words, [item(text)]), text


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("I live in Lisbon", "I live in Porto"),
        ("I live in Lisbon", "I work in Lisbon"),
        ("I live in Lisbon", "My sister lives in Lisbon"),
        ("I'm vegan", "My sister is vegan"),
        ("My brother is called Martin", "My brother is called Martina"),
        ("My brother is called Martin", "My dog is called Martin"),
        ("I have 2 cats", "I have 3 cats"),
        ("I like Rust", "I don't like Rust"),
        ("I don't like Rust", "I like Rust"),
        ("I work as a nurse at the hospital", "I work as a teacher at the hospital"),
        ("我住在上海", "我住在北京"),
        ("Vivo en Lisboa", "Vivo en Oporto"),
        ("I am", "I am Mira"),
        (
            "I know Bo",
            "I use Vim, tmux, zsh and make, know git, love Rust, and met Bo at a long conference in Oslo once",
        ),
    ],
)
def test_a_memory_that_only_resembles_it_is_not(words: str, text: str) -> None:
    assert matching.states(words, [item(text)]) == []


@pytest.mark.parametrize(
    ("topic", "memory"),
    [
        ("my address", item("I live in Lisbon", slot="location")),
        ("my job", item("I work as a nurse", slot="occupation")),
        ("my job", item("My job is stressful")),
        ("my allergies", item("I'm allergic to peanuts")),
        ("my dog", item("My dog is Rex")),
        ("seat preference", item("A window seat", slot="seat_preference")),
        ("the deadline", said("I like cats. The deadline is on Friday, by the way. Good night.")),
        ("mi dirección", item("Vivo en Lisboa", slot="location")),
        ("我的地址", item("我住在上海", slot="location")),
    ],
)
def test_a_memory_about_the_topic_is_meant(topic: str, memory: MemoryItem) -> None:
    assert matching.concerns(topic, [memory]) == [memory]


@pytest.mark.parametrize(
    ("topic", "memory"),
    [
        ("my name", item("My cat's name is Tofu")),
        ("my allergies", item("My son is allergic to nuts")),
        ("my job", item("I live in Lisbon", slot="location")),
        ("my address", item("I like cities")),
        ("the release deadline", said("The release was fine. The deadline is on Friday.")),
        ("it", item("it is")),
    ],
)
def test_a_memory_about_something_else_is_not(topic: str, memory: MemoryItem) -> None:
    assert matching.concerns(topic, [memory]) == []


def test_a_sentence_of_a_long_message_is_enough_for_the_message() -> None:
    message = said("Good morning. I live in Lisbon. " + "It rained all day and the cat slept. " * 20)
    assert matching.states("I live in Lisbon", [message]) == [message]


@pytest.mark.parametrize(
    ("texts", "whole"),
    [
        (["I'm left-handed"], False),
        (["I'm left-handed", "The password is hunter2"], True),
        ([], False),
    ],
)
def test_facts_stand_for_the_words_only_if_they_say_nearly_all_of_them(texts: list[str], whole: bool) -> None:
    assert matching.covers("I'm left-handed and the password is hunter2", texts) is whole
