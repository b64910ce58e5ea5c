"""Other languages than English: what each table keeps and leaves, and how a sentence finds its table."""

from __future__ import annotations

import json
import random
import time
from itertools import groupby
from pathlib import Path

import pytest

from nodes.extractors import foreign
from nodes.extractors.findings import Finding
from nodes.extractors.languages import LANGUAGES
from nodes.extractors.offline import read

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "extraction" / "languages.jsonl").read_text("utf-8").splitlines()
]
BY_LANGUAGE = {code: list(rows) for code, rows in groupby(ROWS, key=lambda row: row["lang"])}


def test_every_language_has_sentences_to_keep_and_to_leave() -> None:
    assert set(BY_LANGUAGE) == {language.code for language in LANGUAGES}
    for rows in BY_LANGUAGE.values():
        assert sum(row["keep"] for row in rows) >= 30
        assert sum(not row["keep"] for row in rows) >= 30


@pytest.mark.parametrize("code", BY_LANGUAGE)
def test_what_users_say_of_themselves_is_kept(code: str) -> None:
    said = [row["text"] for row in BY_LANGUAGE[code] if row["keep"]]
    missed = [text for text in said if not read(text)]
    assert len(missed) <= 0.05 * len(said), missed


@pytest.mark.parametrize("code", BY_LANGUAGE)
def test_questions_other_people_moods_and_episodes_are_left(code: str) -> None:
    stored = [row["text"] for row in BY_LANGUAGE[code] if not row["keep"] and read(row["text"])]
    assert stored == []


@pytest.mark.parametrize("row", [row for row in ROWS if row["keep"]], ids=lambda row: row["id"])
def test_a_fact_keeps_the_words_it_was_said_in(row: dict[str, str]) -> None:
    for found in read(row["text"]):
        assert found.text.casefold() in row["text"].casefold()
        assert row["text"][found.start : found.end].strip()


def only(said: str) -> Finding:
    found = read(said)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("said", "slot"),
    [
        ("Ik heet Sanne.", "user_name"),
        ("Ik woon in Utrecht.", "location"),
        ("Ik werk als verpleegkundige.", "occupation"),
        ("Antwoord voortaan in het Nederlands.", "preferred_language"),
        ("Jag heter Linnea.", "user_name"),
        ("Jag bor i Lund.", "location"),
        ("Jag jobbar som lärare.", "occupation"),
        ("Svara alltid på svenska.", "preferred_language"),
        ("Mam na imię Zosia.", "user_name"),
        ("Mieszkam w Krakowie.", "location"),
        ("Pracuję jako lekarz.", "occupation"),
        ("Odpowiadaj zawsze po polsku.", "preferred_language"),
        ("Benim adım Elif.", "user_name"),
        ("İzmir'de yaşıyorum.", "location"),
        ("Меня зовут Настя.", "user_name"),
        ("Я живу в Самаре.", "location"),
        ("Я работаю учителем.", "occupation"),
        ("Отвечай всегда по-русски.", "preferred_language"),
        ("اسمي ليلى.", "user_name"),
        ("أسكن في تونس.", "location"),
        ("मेरा नाम सुनीता है।", "user_name"),
        ("मैं पुणे में रहती हूँ।", "location"),
        ("हिंदी में जवाब दो।", "preferred_language"),
        ("제 이름은 민지예요.", "user_name"),
        ("부산에 살고 있습니다.", "location"),
        ("한국어로 대답해 주세요.", "preferred_language"),
    ],
)
def test_a_value_of_which_one_holds_at_a_time_has_its_slot(said: str, slot: str) -> None:
    found = only(said)
    assert (found.memory_type, found.slot, found.operation) == ("profile", slot, "assert")


@pytest.mark.parametrize(
    "said",
    [
        "Já não fumo.",
        "Non fumo più.",
        "Ik rook niet meer.",
        "Jag röker inte längre.",
        "Już nie palę.",
        "Artık sigara içmiyorum.",
        "Я больше не курю.",
        "لم أعد أدخن.",
        "मैं अब सिगरेट नहीं पीता।",
        "이제 담배 안 피워요.",
        "我已经不抽烟了。",
    ],
)
def test_what_no_longer_holds_is_taken_back(said: str) -> None:
    assert only(said).operation == "retract"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Me llamo Lucía y vivo en Sevilla.", ["user_name", "location"]),
        ("Ya no vivo en Madrid, ahora vivo en Gijón.", [None, "location"]),
        ("Je m'appelle Chloé et j'habite à Lyon.", ["user_name", "location"]),
    ],
)
def test_one_sentence_may_say_several_things(said: str, kept: list[str | None]) -> None:
    assert [found.slot for found in read(said)] == kept


def test_a_message_in_two_languages_is_read_sentence_by_sentence() -> None:
    found = read("I live in Porto. Meu nome é Joana. Ich arbeite als Hebamme. コーヒーは苦手です。")
    assert [one.slot for one in found] == ["location", "user_name", "occupation", None]


def test_a_sentence_without_a_clue_is_read_in_the_language_of_its_message() -> None:
    assert not read("Abstemia.")
    found = read("Hola, te cuento algo de mí. Abstemia.")
    assert [one.text for one in found] == ["Abstemia"]


@pytest.mark.parametrize(
    "said",
    [
        "Take care, Liam!",
        "Yeah, we might!",
        "Now, on to another topic.",
        "I work as a car salesman.",
        "No me, no way.",
    ],
)
def test_english_is_not_taken_for_another_language(said: str) -> None:
    assert foreign.languages_of(said) <= {"en"}


@pytest.mark.parametrize(
    "said",
    [
        "Мене звати Олена, і я живу у Львові.",
        "Με λένε Ελένη και μένω στην Πάτρα.",
        "من در تهران زندگی می‌کنم، پدر دو بچه.",
    ],
)
def test_a_language_without_a_table_is_left_alone(said: str) -> None:
    assert read(said) == []


@pytest.mark.parametrize("code", BY_LANGUAGE)
def test_time_does_not_grow_with_the_square_of_the_text(code: str) -> None:
    rng = random.Random(code)
    words = [word for row in BY_LANGUAGE[code] for word in row["text"].strip(".。!?？").split()]

    def seconds(count: int) -> float:
        text = " ".join(rng.choice(words) for _ in range(count))
        started = time.perf_counter()
        read(text)
        return time.perf_counter() - started

    small, large = (min(seconds(count) for _ in range(3)) for count in (500, 4000))
    assert large < 8 * 5 * max(small, 1e-4)
