"""What the offline extractor keeps of a sentence, what it leaves, and that no text upsets it."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.extraction import Extraction, ExtractionRequest, Extractor, Fact, FactType, Preceding
from nodes.extractors.offline import MAX_FACTS, OfflineExtractor
from nodes.matters import slot_of

NOW = datetime(2026, 1, 5, tzinfo=UTC)
OFFLINE = OfflineExtractor()


def extract(text: str, memory_type: FactType = "profile") -> Extraction:
    # model_construct: the extractor must stand what pydantic would not let in, such as lone surrogates.
    return OFFLINE.extract(ExtractionRequest.model_construct(memory_type=memory_type, text=text, now=NOW))


def facts(text: str) -> list[Fact]:
    return [*extract(text, "profile").facts, *extract(text, "task_context").facts]


def only(text: str) -> Fact:
    found = facts(text)
    assert len(found) == 1, found
    return found[0]


SLOTTED = [
    ("My name is Ana.", "user_name", "The user's name is Ana"),
    ("Hi, my name is John Zhang. Nice to meet you.", "user_name", "The user's name is John Zhang"),
    ("I'm Priya and I need some help.", "user_name", "The user's name is Priya"),
    ("hey, my name is larry", "user_name", "The user's name is Larry"),
    ("You can call me Sam.", "user_name", "The user's name is Sam"),
    ("Just call me Kit.", "user_name", "The user's name is Kit"),
    ("From now on, answer in French.", "preferred_language", "Prefers answers in French"),
    ("Please reply to me in german", "preferred_language", "Prefers answers in German"),
    ("I prefer answers in Spanish.", "preferred_language", "Prefers answers in Spanish"),
    ("Can you always answer in Portuguese from now on?", "preferred_language", "Prefers answers in Portuguese"),
    ("Please keep it short.", "response_style", "Please keep it short"),
    ("Be concise.", "response_style", "Be concise"),
    ("I prefer detailed explanations.", "response_style", "I prefer detailed explanations"),
    ("Keep your answers brief, please", "response_style", "Keep your answers brief"),
    ("I like short, direct answers", "response_style", "I like short, direct answers"),
    ("My favorite tools are pytest and ruff.", "preferred_tools", "My favorite tools are pytest and ruff"),
    ("My preferred editor is Neovim.", "preferred_tools.editor", "My preferred editor is Neovim"),
    ("My default shell is fish", "preferred_tools.shell", "My default shell is fish"),
    ("I use Zed as my main editor", "preferred_tools.editor", "I use Zed as my main editor"),
    ("By the way, I live in Porto.", "location", "I live in Porto"),
    ("I'm currently based in New York City", "location", "I'm currently based in New York City"),
    ("I moved to Berlin last month.", "location", "I moved to Berlin last month"),
    ("I work as a nurse.", "occupation", "I work as a nurse"),
    ("My job is data engineer at a bank.", "occupation", "My job is data engineer at a bank"),
    ("I'm a carpenter by trade", "occupation", "I'm a carpenter by trade"),
]


@pytest.mark.parametrize(("said", "slot", "text"), SLOTTED)
def test_a_value_of_which_one_holds_at_a_time_goes_to_its_slot(said: str, slot: str, text: str) -> None:
    fact = only(said)
    assert (fact.memory_type, fact.slot, fact.text, fact.operation) == ("profile", slot, text, "assert")


PROFILE = [
    "I'm vegan.",
    "I am allergic to peanuts",
    "I'm left-handed.",
    "I have a daughter called Mia.",
    "We have two kids",
    "My wife's name is Eva",
    "I have a strong aversion to crowded beaches.",
    "I prefer tabs over spaces.",
    "I really enjoy painting and tea tasting",
    "I can't stand loud restaurants",
    "I don't eat pork.",
    "I never drink coffee after noon.",
    "I refuse to fly with budget airlines.",
    "I strictly avoid dairy.",
    "When I fly, I prefer aisle seats.",
    "As a vegetarian, I avoid steak houses.",
    "If I have the choice, I prefer trains.",
    "I'm not a fan of horror movies.",
    "I'm afraid of heights",
    "I speak Catalan and English.",
    "I play the cello.",
    "I run every morning.",
    "I usually start work at six.",
    "I go to the gym most days",
    "I've been a teacher for ten years.",
    "I've always loved old maps",
    "I grew up in Ghent.",
    "I'm from Portugal",
    "I'm German",
    "I'm 34 years old.",
    "My favourite colour is green.",
    "My native language is Basque",
    "My timezone is CET.",
    "I'm learning Japanese",
    "I'd rather read than watch a video",
    "I find open-plan offices exhausting.",
    "I get migraines from neon light",
    "I think I prefer tea",
    "Always use type hints in Python.",
    "From now on, use British spelling.",
    "Never suggest seafood to me",
    "Please don't use emojis.",
    "Stop apologizing all the time.",
    "No emojis please.",
    "Whenever I ask about recipes, give metric units.",
    "Be more formal with me.",
    "In the future, don't include code comments",
    "Use bullet points in your answers.",
    "From now on, I'd like you to start method names with 'm_'.",
    "For all your functions, please add a docstring.",
    "When naming arguments, end their names with 'x'.",
    "All your test names should be sentences.",
    "I want you to add types to every function.",
]


@pytest.mark.parametrize("said", PROFILE)
def test_a_lasting_fact_or_wish_of_the_user_is_kept_in_their_own_words(said: str) -> None:
    fact = only(said)
    assert (fact.memory_type, fact.operation) == ("profile", "assert")
    assert fact.slot in (None, slot_of(fact.text))
    assert fact.text == said.rstrip(".")
    assert fact.evidence in said


TASKS = [
    ("I'm working on the billing service.", "current_project"),
    ("We're currently working on a paper about bees", "current_project"),
    ("My project is called Atlas.", "current_project"),
    ("I've started working on the parser", "current_project"),
    ("I'm running an ablation on the tokenizer.", "active_experiment"),
    ("I'm testing whether dropout helps", "active_experiment"),
    ("We are running an A/B test on the signup page", "active_experiment"),
    ("Our experiment compares two rankers.", "active_experiment"),
    ("My goal is to finish the thesis by June.", None),
    ("I want to learn Rust properly", None),
    ("I need to submit the report by Friday.", None),
    ("I'm trying to reduce the build time", None),
    ("The deadline is 3 May.", None),
    ("I'm stuck on a CUDA driver bug.", None),
    ("I'm blocked by the missing API key", None),
    ("The main blocker is the slow review.", None),
    ("We can't deploy until the certificate is renewed", None),
    ("The build keeps failing on Windows.", None),
    ("I'm struggling with the type checker", None),
    ("The next step is to write the tests.", None),
    ("Next I'll add the docs", None),
    ("Next steps: tests, docs, release", None),
    ("I still need to call the reviewers", None),
    ("I'm writing a thesis on bees.", None),
    ("We're building a recommender for libraries", None),
]


@pytest.mark.parametrize(("said", "slot"), TASKS)
def test_current_work_is_task_context(said: str, slot: str | None) -> None:
    fact = only(said)
    assert (fact.memory_type, fact.slot, fact.operation) == ("task_context", slot, "assert")
    assert fact.text == said.rstrip(".")


@pytest.mark.parametrize("said", ["I'm blocked by the API key", "My goal is to ship.", "Next I'll add the docs"])
def test_goals_blockers_and_next_steps_have_no_slot_because_several_hold_at_once(said: str) -> None:
    assert only(said).slot is None


NOTHING = {
    "question": [
        "Do I like tea?",
        "What is my name?",
        "I like tea, right?",
        "I'm allergic to nuts, am I not?",
        "Should I use tabs?",
        "Do you remember that I like tea?",
        "Is it true that I work as a nurse?",
        "I wonder if I am vegan",
        "Could you answer in French?",
    ],
    "supposition": [
        "If I were a vegetarian, I would eat tofu.",
        "Suppose I am vegan and I live in Rome.",
        "Imagine I'm a pirate.",
        "I wish I lived in Spain",
        "Let's say I work as a baker and I have two kids.",
        "I might move to Madrid.",
        "I could be a vegetarian",
        "What if I am allergic to nuts",
    ],
    "other people": [
        "My sister lives in Porto.",
        "My boss prefers emails",
        "He likes tea and she likes coffee.",
        "My friend who lives in Rome says hi",
        "The user is vegan.",
        "People avoid crowds.",
        "You always answer in French.",
    ],
    "reported speech": [
        "She said, I live in Paris.",
        'He told me "I am allergic to nuts" yesterday.',
        "The character says: I live in Mordor",
        "Translate to French: I live in Porto and I'm a nurse.",
        "Please proofread this: My name is Bob. I work as a cook.",
        "> I live in Porto\n> I'm vegan",
        "```\nI prefer tabs\n```",
    ],
    "courtesy": [
        "I love that!",
        "I'd love to hear more.",
        "Thanks, I appreciate it.",
        "I agree with you.",
        "I hope you're well",
        "I know what you mean",
        "I like your idea.",
        "I'm happy to help",
        "Nice to meet you.",
    ],
    "episode": [
        "I went to Porto yesterday.",
        "I'm tired today",
        "I have a question about numpy",
        "I have a meeting at 3",
        "I ate sushi last night.",
        "I saw a film called Alien",
        "I need help with my code.",
        "Answer this question in French.",
        "Write a poem in French",
        "I used to live in Lyon",
        "I was vegan for a year",
        "I just finished reading a novel.",
        "I have a cold",
    ],
    "sarcasm": [
        "I just love waiting in line. /s",
        "I love Mondays. Just kidding!",
        "Oh great, I love broken builds",
        "I love meetings, said no one ever",
        "I enjoy merge conflicts 🙄",
    ],
}


@pytest.mark.parametrize(
    ("kind", "said"), [(kind, said) for kind, sentences in NOTHING.items() for said in sentences], ids=str
)
def test_what_is_no_lasting_statement_of_the_user_is_left(kind: str, said: str) -> None:
    assert facts(said) == [], kind


ENDED = [
    ("I no longer use Vim.", "profile", None, "I use Vim"),
    ("I don't live in Lisbon any more.", "profile", "location", "I live in Lisbon"),
    ("I'm not vegan anymore", "profile", None, "I'm vegan"),
    ("I stopped eating meat", "profile", None, "I eat meat"),
    ("I've stopped using tabs.", "profile", None, "I use tabs"),
    ("I no longer prefer short answers", "profile", "response_style", "I prefer short answers"),
    ("I don't work on Apollo any more", "task_context", "current_project", "I work on Apollo"),
    ("I'm no longer working on the parser", "task_context", "current_project", "I'm working on the parser"),
    ("I'm no longer blocked by the API key.", "task_context", None, "I'm blocked by the API key"),
    ("I'm done with the migration.", "task_context", None, "I'm working on the migration"),
    ("Forget that I like jazz", "profile", None, "I like jazz"),
    ('I no longer read "The Daily Planet".', "profile", None, 'I read "The Daily Planet"'),
]


@pytest.mark.parametrize(("said", "memory_type", "slot", "text"), ENDED)
def test_what_no_longer_holds_is_retracted_as_the_statement_that_held(
    said: str, memory_type: str, slot: str | None, text: str
) -> None:
    fact = only(said)
    assert (fact.operation, fact.memory_type, fact.slot, fact.text) == ("retract", memory_type, slot, text)


CORRECTED = [
    ("No, my name is Anna, not Hannah.", "user_name", "The user's name is Anna"),
    ("Actually, I live in Porto.", "location", "I live in Porto"),
    ("I live in Porto, not Lisbon", "location", "I live in Porto, not Lisbon"),
    ("Actually it's Porto", None, "It's Porto"),
    ("Not Lisbon, Porto.", None, "Not Lisbon, Porto"),
    ("I switched from Vim to Emacs", None, "I switched from Vim to Emacs"),
    ("Correction: I prefer spaces.", None, "I prefer spaces"),
]


@pytest.mark.parametrize(("said", "slot", "text"), CORRECTED)
def test_a_correction_is_marked_as_one(said: str, slot: str | None, text: str) -> None:
    fact = only(said)
    assert (fact.operation, fact.slot, fact.text) == ("correct", slot, text)


def test_a_bare_correction_takes_its_subject_from_what_was_said_just_before() -> None:
    live, corrected = facts("I live in Lisbon. Actually, it's Porto.")
    assert (live.slot, live.operation) == ("location", "assert")
    assert (corrected.slot, corrected.operation, corrected.text) == ("location", "correct", "I live in Porto")
    assert facts("My name is Ana. Sorry, it's Anna.")[-1].text == "The user's name is Anna"


def test_a_mere_actually_before_a_taste_corrects_nothing() -> None:
    assert only("Actually, I love cooking now and then.").operation == "assert"


LANGUAGES = [
    ("Me llamo Lucía.", "user_name"),
    ("Vivo en Sevilla", "location"),
    ("Trabajo como enfermera.", "occupation"),
    ("Me gusta mucho el café", None),
    ("No me gustan los gatos.", None),
    ("Recuerda que mi vuelo sale los viernes.", None),
    ("Responde siempre en español", "preferred_language"),
    ("Je m'appelle Chloé.", "user_name"),
    ("J'habite à Lyon", "location"),
    ("Je travaille comme infirmière.", "occupation"),
    ("Je préfère le thé", None),
    ("Je n'aime pas les réunions.", None),
    ("N'oublie pas que mon train part le lundi.", None),
    ("Ich heiße Jonas.", "user_name"),
    ("Ich wohne in Bremen", "location"),
    ("Ich arbeite als Krankenpfleger.", "occupation"),
    ("Ich mag keine Katzen", None),
    ("Ich bevorzuge kurze Antworten.", "response_style"),
    ("Merk dir bitte, dass mein Hund Rex heißt.", None),
    ("Meu nome é Joana.", "user_name"),
    ("Eu moro em Recife", "location"),
    ("Trabalho como professora.", "occupation"),
    ("Gosto de música clássica", None),
    ("Prefiro respostas curtas.", "response_style"),
    ("Mi chiamo Giulia.", "user_name"),
    ("Abito a Torino", "location"),
    ("Lavoro come infermiera.", "occupation"),
    ("Mi piace il caffè", None),
    ("Preferisco il treno all'aereo.", None),
    ("Ricordati che il mio volo parte venerdì.", None),
    ("我叫王芳。", "user_name"),
    ("我住在上海", "location"),
    ("我是一名护士。", "occupation"),
    ("我不喜欢香菜。", None),
    ("请用中文回答", "preferred_language"),
    ("请记住我对花生过敏。", None),
    ("私の名前は田中です。", "user_name"),
    ("大阪に住んでいます", "location"),
    ("看護師として働いています。", "occupation"),
    ("コーヒーが好きです。", None),
    ("日本語で答えてください", "preferred_language"),
    ("猫が苦手だと覚えておいてください。", None),
]


@pytest.mark.parametrize(("said", "slot"), LANGUAGES)
def test_plain_statements_in_other_languages_are_kept_in_that_language(said: str, slot: str | None) -> None:
    fact = only(said)
    assert (fact.memory_type, fact.slot, fact.operation) == ("profile", slot, "assert")
    assert fact.evidence in said
    assert fact.text.casefold() in said.casefold()


@pytest.mark.parametrize(
    ("said", "slot"),
    [
        ("Estoy trabajando en el servicio de pagos.", "current_project"),
        ("Je travaille sur le moteur de recherche.", "current_project"),
        ("Ich arbeite gerade an der Suche.", "current_project"),
        ("Estou a trabalhar no relatório.", "current_project"),
        ("Sto lavorando al motore di ricerca.", "current_project"),
        ("我正在开发一个推荐系统。", "current_project"),
        ("検索エンジンを開発しています。", "current_project"),
        ("Mi objetivo es terminar la tesis.", None),
        ("Der nächste Schritt ist der Test.", None),
    ],
)
def test_current_work_is_recognised_in_other_languages(said: str, slot: str | None) -> None:
    fact = only(said)
    assert (fact.memory_type, fact.slot) == ("task_context", slot)


@pytest.mark.parametrize(
    "said",
    [
        "¿Vivo en Sevilla?",
        "Si yo fuera rico, viviría en Mónaco.",
        "Elle habite à Lyon.",
        "Est-ce que j'aime le thé ?",
        "Wenn ich reich wäre, wohnte ich in Monaco.",
        "Er mag keine Katzen.",
        "Ela mora em Recife.",
        "Lui abita a Torino.",
        "我叫什么名字？",
        "如果我住在上海就好了。",
        "他住在上海。",
        "彼は大阪に住んでいます。",
        "I gatti sono belli.",
    ],
)
def test_questions_suppositions_and_other_people_are_left_in_other_languages(said: str) -> None:
    assert facts(said) == []


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Ya no vivo en Madrid.", "Ya no vivo en Madrid"),
        ("Je n'utilise plus Vim.", "Je n'utilise plus Vim"),
        ("Ich benutze Vim nicht mehr.", "Ich benutze Vim nicht mehr"),
        ("Já não moro em Lisboa.", "Já não moro em Lisboa"),
        ("Non uso più Vim.", "Non uso più Vim"),
        ("我不再吃肉。", "我不再吃肉"),
        ("もうタバコは好きではありません。", "もうタバコは好きではありません"),
    ],
)
def test_what_no_longer_holds_is_retracted_in_other_languages(said: str, text: str) -> None:
    fact = only(said)
    assert (fact.operation, fact.text) == ("retract", text)


def test_one_sentence_may_say_several_things() -> None:
    assert [(f.slot, f.text) for f in facts("My name is Ana, I live in Porto and work as a nurse.")] == [
        ("user_name", "The user's name is Ana"),
        ("location", "I live in Porto"),
        ("occupation", "I work as a nurse"),
    ]


def test_tastes_that_stand_side_by_side_are_one_fact() -> None:
    said = "I love cats, but I can't stand dogs."
    assert only(said).text == "I love cats, but I can't stand dogs"


EDITOR = "preferred_tools.editor"

CLAUSES = [
    # Each clause with a subject of its own is a fact of its own.
    (
        "I always write Python with type hints, and I use Neovim.",
        [("assert", None, "I always write Python with type hints"), ("assert", EDITOR, "I use Neovim")],
    ),
    (
        "We use PostgreSQL at work, I prefer SQLite for tests.",
        [("assert", None, "We use PostgreSQL at work"), ("assert", None, "I prefer SQLite for tests")],
    ),
    (
        "Please answer in German, I live in Graz.",
        [("assert", "preferred_language", "Prefers answers in German"), ("assert", "location", "I live in Graz")],
    ),
    (
        "I'm planning a vegetable garden, and I'm allergic to nuts.",
        [("assert", None, "I'm allergic to nuts"), ("assert", None, "I'm planning a vegetable garden")],
    ),
    (
        "My name is Ana and I work as a nurse in Porto, but I'm moving to Lisbon next month.",
        [("assert", "user_name", "The user's name is Ana"), ("assert", "occupation", "I work as a nurse in Porto")],
    ),
    (
        "I play the cello and I collect stamps.",
        [("assert", None, "I play the cello"), ("assert", None, "I collect stamps")],
    ),
    (
        "I like tea; I prefer trains over planes.",
        [("assert", None, "I like tea"), ("assert", None, "I prefer trains over planes")],
    ),
    ("I'm vegan; I have two dogs.", [("assert", None, "I'm vegan"), ("assert", None, "I have two dogs")]),
    (
        "I have a daughter, I speak Catalan, and I run every morning.",
        [
            ("assert", None, "I have a daughter"),
            ("assert", None, "I speak Catalan"),
            ("assert", None, "I run every morning"),
        ],
    ),
    (
        "I'm left-handed and my favourite colour is green.",
        [("assert", None, "I'm left-handed"), ("assert", None, "My favourite colour is green")],
    ),
    (
        "My sister lives in Porto and I live in Linz.",
        [("assert", "location", "I live in Linz")],
    ),
    ("I went to Rome last year, and I'm afraid of flying.", [("assert", None, "I'm afraid of flying")]),
    ("I have a question, but I'm allergic to nuts.", [("assert", None, "I'm allergic to nuts")]),
    ("I lived in Graz, now I live in Linz.", [("assert", "location", "I live in Linz")]),
    (
        "I use tabs at work, and at home I use spaces.",
        [("assert", None, "I use tabs at work"), ("assert", None, "At home I use spaces")],
    ),
    (
        "I like tea, and when I travel, I prefer trains.",
        [("assert", None, "I like tea"), ("assert", None, "When I travel, I prefer trains")],
    ),
    (
        "If it rains, I drive to work, but I prefer walking.",
        [("assert", None, "If it rains, I drive to work"), ("assert", None, "I prefer walking")],
    ),
    (
        "I live in Graz, so please answer in German.",
        [("assert", "location", "I live in Graz"), ("assert", "preferred_language", "Prefers answers in German")],
    ),
    (
        "I live in Graz, answer in German.",
        [("assert", "location", "I live in Graz"), ("assert", "preferred_language", "Prefers answers in German")],
    ),
    (
        "I'm Kit and from now on I prefer short answers.",
        [
            ("assert", "user_name", "The user's name is Kit"),
            ("assert", "response_style", "From now on I prefer short answers"),
        ],
    ),
    (
        "I'm working on the parser and I'm blocked by the missing grammar.",
        [
            ("assert", "current_project", "I'm working on the parser"),
            ("assert", None, "I'm blocked by the missing grammar"),
        ],
    ),
    (
        "I work as a baker, I'm 34 years old, what should I cook?",
        [("assert", "occupation", "I work as a baker"), ("assert", None, "I'm 34 years old")],
    ),
    # A colon after one's own clause.
    ("Actually, I moved: I live in Linz now.", [("assert", "location", "I live in Linz now")]),
    ("I changed jobs: I work as a teacher now.", [("assert", "occupation", "I work as a teacher now")]),
    (
        "To sum up: I live in Linz and I work as a cook.",
        [("assert", "location", "I live in Linz"), ("assert", "occupation", "I work as a cook")],
    ),
    ("I would move to Rome if I could, and I live in Linz now.", [("assert", "location", "I live in Linz now")]),
    ("Small update: I live in Linz now.", [("assert", "location", "I live in Linz now")]),
    # Moving.
    ("I moved to Linz.", [("assert", "location", "I moved to Linz")]),
    ("I just moved from Graz to Linz.", [("assert", "location", "I just moved from Graz to Linz")]),
    ("I live in Porto, but I will move to Lisbon in May.", [("assert", "location", "I live in Porto")]),
    # From now on.
    ("From now on I prefer detailed answers.", [("assert", "response_style", "From now on I prefer detailed answers")]),
    ("From now on, I want short replies.", [("assert", "response_style", "From now on, I want short replies")]),
    ("From now on, keep answers short.", [("assert", "response_style", "From now on, keep answers short")]),
    ("Going forward I use Helix.", [("assert", EDITOR, "Going forward I use Helix")]),
    # One editor at a time.
    ("I use Helix now.", [("assert", EDITOR, "I use Helix now")]),
    ("I mostly use VS Code these days.", [("assert", EDITOR, "I mostly use VS Code these days")]),
    ("I use vim because it's fast.", [("assert", EDITOR, "I use vim because it's fast")]),
    ("I'm using Emacs now.", [("assert", EDITOR, "I'm using Emacs now")]),
    ("I use Helix, not Neovim.", [("correct", EDITOR, "I use Helix, not Neovim")]),
    (
        "I use fish and I love jazz.",
        [("assert", "preferred_tools.shell", "I use fish"), ("assert", None, "I love jazz")],
    ),
    # A tool for one purpose, one of several or of somebody else fills no slot.
    ("I use Vim for commit messages.", [("assert", None, "I use Vim for commit messages")]),
    ("I use Vim and Emacs.", [("assert", None, "I use Vim and Emacs")]),
    ("I never use Vim.", [("assert", None, "I never use Vim")]),
    ("I also use Emacs.", [("assert", None, "I also use Emacs")]),
    ("I sometimes use Nano.", [("assert", None, "I sometimes use Nano")]),
    ("I prefer fish.", [("assert", None, "I prefer fish")]),
]


@pytest.mark.parametrize(("said", "expected"), CLAUSES)
def test_a_clause_with_a_subject_of_its_own_is_a_fact_of_its_own(
    said: str, expected: list[tuple[str, str | None, str]]
) -> None:
    assert [(fact.operation, fact.slot, fact.text) for fact in facts(said)] == expected
    for fact in facts(said):
        assert fact.evidence in said


TOGETHER = [
    "I like tea and coffee",
    "I prefer short answers with code",
    "I don't eat meat or fish",
    "I love my dog and my cat",
    "I love my two dogs, my cat and my horse",
    "I like hiking and swimming",
    "I like tea and hate coffee",
    "I love cats, but I can't stand dogs",
    "I'm lactose intolerant, so I avoid dairy",
    "I have a dog and I walk him every day",
    "I collect stamps and I keep them in a safe",
    "I avoid dairy because I'm lactose intolerant",
    "I enjoy running although I have asthma",
    "When I fly, I prefer aisle seats and I avoid the back rows",
    "If I have the choice, I prefer trains and I avoid planes",
    "I play chess and I also teach it",
    "I drink coffee, but I don't like it black",
    "I prefer novels that I can read in a day",
    "I love the city where I live",
    "I live with my wife and my two kids in Porto",
    "I like all kinds of music, but my favourite is jazz",
    "I avoid leather shoes; I prefer canvas",
    "I'm not much of a reader, but I love films",
]


@pytest.mark.parametrize("said", TOGETHER)
def test_a_clause_that_depends_on_the_one_before_stays_with_it(said: str) -> None:
    assert [fact.text for fact in facts(said + ".")] == [said]


COVERED = [
    "He said he is vegan and I live in Rome.",
    "My boss says I'm lazy, and I work as a cook.",
    "Suppose I live in Rome, I work as a cook and I have two kids.",
    "If I were rich, I would buy a boat and I live in Monaco.",
    "If I am vegan and I live in Rome, what can I eat?",
    "I wish I lived in Rome and I worked as a cook.",
    "I wish I was rich and I live in Rome.",
    "I dreamed that I live in Rome and I have two kids.",
    "I would be happy if I live in Rome and I work as a cook.",
    "She wrote: I live in Rome.",
    "I wrote a poem: I live in Rome.",
    "I told him: I'm vegan and I live in Rome.",
    "My sister's motto: I never eat before noon.",
    "My sister lives in Porto and works as a nurse.",
    "My friend Tom uses Vim and prefers tabs.",
    "I'm moving to Lisbon next month.",
    "If I move, I no longer live in Porto.",
    "In my novel, I live on Mars and I eat rocks.",
    "If I used Vim, I'd love it and I use Emacs.",
]


@pytest.mark.parametrize("said", COVERED)
def test_a_supposition_or_somebody_else_covers_the_clauses_that_follow_from_it(said: str) -> None:
    assert facts(said) == []


OVER = [
    (
        "I switched editors: I no longer use Neovim, I use Helix now.",
        [("retract", None, "I use Neovim"), ("assert", EDITOR, "I use Helix now")],
    ),
    (
        "The rate limiter is fixed, so I'm not blocked by it any more.",
        [("retract", None, "I'm blocked by the rate limiter")],
    ),
    ("The rate limiter is fixed, what should I do next?", [("retract", None, "I'm blocked by the rate limiter")]),
    (
        "I finally fixed the rate limiter, so I'm no longer blocked by it.",
        [("retract", None, "I'm blocked by the rate limiter")],
    ),
    ("I'm no longer blocked by the rate limiter.", [("retract", None, "I'm blocked by the rate limiter")]),
    ("The rate limiter isn't blocking me any more.", [("retract", None, "I'm blocked by the rate limiter")]),
    ("The rate limiter no longer blocks us.", [("retract", None, "I'm blocked by the rate limiter")]),
    ("The missing API key is not a problem any more.", [("retract", None, "I'm blocked by the missing API key")]),
    (
        "The CUDA bug has been solved, and I like tea.",
        [("assert", None, "I like tea"), ("retract", None, "I'm blocked by the CUDA bug")],
    ),
    ("The build works again.", [("retract", None, "I'm blocked by the build")]),
    ("We resolved the driver issue yesterday.", [("retract", None, "I'm blocked by the driver issue")]),
    ("I finished the migration script.", [("retract", None, "I have the migration script to do")]),
    ("I've finished writing the tests.", [("retract", None, "I have to write the tests")]),
    ("The migration script is done.", [("retract", None, "I have the migration script to do")]),
    ("Atlas has shipped.", [("retract", None, "I have Atlas to do")]),
    (
        "The parser is done and I'm working on the printer now.",
        [("retract", None, "I have the parser to do"), ("assert", "current_project", "I'm working on the printer now")],
    ),
    ("Neovim got slow, so I no longer use it.", [("retract", None, "I use Neovim")]),
    ("The VPN works again, thanks!", [("retract", None, "I'm blocked by the VPN")]),
    ("The VPN is back, so it no longer blocks me.", [("retract", None, "I'm blocked by the VPN")]),
    ("I was blocked by the API key, but I'm not blocked any more.", [("retract", None, "I'm blocked by the API key")]),
    ("The API key arrived, so I'm unblocked.", [("retract", None, "I'm blocked by the API key")]),
    (
        "The lexer is done but the parser is still failing.",
        [("retract", None, "I have the lexer to do"), ("assert", None, "The parser is still failing")],
    ),
    (
        "The deployment is done, so next I'll write the docs.",
        [("retract", None, "I have the deployment to do"), ("assert", None, "Next I'll write the docs")],
    ),
    ("I no longer use Neovim but Helix.", [("retract", None, "I use Neovim")]),
    ("I no longer eat meat because it makes me ill.", [("retract", None, "I eat meat")]),
    ("I'm not using Neovim any more.", [("retract", None, "I use Neovim")]),
    (
        "I don't use Neovim any more, I use Helix.",
        [("retract", None, "I use Neovim"), ("assert", EDITOR, "I use Helix")],
    ),
    (
        "I no longer live in Graz, I live in Linz.",
        [("retract", "location", "I live in Graz"), ("assert", "location", "I live in Linz")],
    ),
]


@pytest.mark.parametrize(("said", "expected"), OVER)
def test_what_is_over_is_retracted_clause_by_clause(said: str, expected: list[tuple[str, str | None, str]]) -> None:
    assert [(fact.operation, fact.slot, fact.text) for fact in facts(said)] == expected
    for fact in facts(said):
        assert fact.evidence in said


@pytest.mark.parametrize(
    "said",
    [
        "The rate limiter is not fixed.",
        "The rate limiter is almost fixed.",
        "The rate limiter will be fixed tomorrow.",
        "Once the rate limiter is fixed, I can go on.",
        "I hope the rate limiter is fixed.",
        "Is the rate limiter fixed?",
        "If the rate limiter is fixed, I'm not blocked by it any more.",
        "He said the rate limiter is fixed.",
        "The flaky test was fixed but now it fails again.",
        "I'm not blocked.",
        "I'm done too.",
        "The interest rate is fixed for ten years.",
        "I haven't finished the report.",
        "I finished a novel.",
        "I finished it.",
        "My work here is done.",
        "It is fixed.",
        "I switched editors.",
        "I moved.",
    ],
)
def test_what_is_not_over_or_names_nothing_ends_nothing(said: str) -> None:
    assert facts(said) == []


def test_a_retraction_quotes_its_own_clause_even_if_its_words_come_from_the_one_before() -> None:
    said = "Neovim got slow, so I no longer use it."
    assert only(said).evidence == "I no longer use it."


def test_a_statement_before_a_question_is_kept_and_the_question_left() -> None:
    assert only("I'm vegan, any ideas for dinner?").text == "I'm vegan"
    assert only("I prefer trains. Which one goes to Lyon?").text == "I prefer trains"


def test_an_explicit_wish_to_be_remembered_keeps_what_no_rule_knows() -> None:
    assert only("Remember that the alarm code changes on Sundays.").text == "The alarm code changes on Sundays"
    assert only("Can you remember that my cat is called Tom?").text == "My cat is called Tom"
    assert facts("I remember that day") == []
    assert facts("Remember to breathe.") == []
    assert facts("Remember, consistency matters.") == []


def test_negation_stays_in_the_text() -> None:
    assert "not" in only("I do not like running as a form of exercise.").text


def test_an_injected_memory_block_is_never_read_again() -> None:
    block = "===== MEMORY CONTEXT =====\nI'm vegan.\nMy name is Eve.\n===== END OF MEMORY CONTEXT =====\n"
    assert only(block + "I live in Porto.").text == "I live in Porto"
    assert facts("===== MEMORY CONTEXT =====\nI'm vegan.\nMy name is Eve.") == []


def test_quoted_titles_may_stand_in_a_statement() -> None:
    assert only('I prefer novels like "The Great Gatsby".').text == 'I prefer novels like "The Great Gatsby"'


def test_a_message_in_quotation_marks_as_a_whole_is_read() -> None:
    assert only('"I do not enjoy casinos."').text == "I do not enjoy casinos"


def test_evidence_is_verbatim_and_typographic_apostrophes_are_understood() -> None:
    said = "Well,  I don’t   eat pork, thanks"
    fact = only(said)
    assert fact.evidence in said
    assert fact.text.startswith("I don’t eat pork")


def test_each_extraction_holds_one_memory_type_only() -> None:
    said = "My name is Ana and I'm working on the billing service."
    assert {fact.memory_type for fact in extract(said, "profile").facts} == {"profile"}
    assert {fact.memory_type for fact in extract(said, "task_context").facts} == {"task_context"}


def test_the_same_words_twice_are_one_fact() -> None:
    assert len(facts("I like tea. I like tea. I like tea.")) == 1


def test_the_extractor_fits_the_interface_and_its_async_twin_agrees() -> None:
    assert isinstance(OFFLINE, Extractor)
    assert OFFLINE.name == "offline"


async def test_async_gives_what_sync_gives() -> None:
    request = ExtractionRequest(memory_type="profile", text="My name is Ana and I like tea.", now=NOW)
    assert await OFFLINE.aextract(request) == OFFLINE.extract(request)


HOSTILE = {
    "empty": "",
    "blank": " \n\t ",
    "nulls": "\x00" * 5000,
    "surrogates": "I like \ud800tea \udfff",
    "emojis": "😀" * 5000,
    "controls": "I like\x07 tea\x1b[31m",
    "bidi": "I like \u202etea\u202c",
    "quotes": '"“«„「' * 5000,
    "brackets": "({[<" * 5000,
    "markers": "===== MEMORY CONTEXT =====" * 500,
    "equals": "=" * 20_000,
    "fences": "```" * 5000,
    "commas": ", " * 10_000,
    "dashes": "- " * 10_000,
    "no space": "a" * 30_000,
    "prefix": "I like " * 4000,
    "adverbs": "I really " * 4000,
    "conjunctions": " and I" * 4000,
    "conditions": "if " * 8000,
    "names": "My name is " + "Ana " * 8000,
    "format": "My name is {value} {0} %s",
    "han": "我叫" * 10_000,
    "kana": "私は" * 10_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_text_upsets_it(text: str) -> None:
    for memory_type in ("profile", "task_context"):
        found = extract(text, memory_type)
        for fact in found.facts:
            fact.model_dump_json()


@given(st.text(st.characters(codec=None), max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_gives_valid_facts_whose_evidence_stands_in_it(text: str) -> None:
    for fact in facts(text):
        assert Fact.model_validate(fact.model_dump())


def test_a_very_long_message_is_read_at_both_ends_and_says_so() -> None:
    found = extract("My name is Ana. " + "lorem ipsum dolor. " * 60_000 + "I live in Porto.")
    assert [fact.slot for fact in found.facts] == ["user_name", "location"]
    assert [problem.kind for problem in found.problems] == ["too_long"]


@pytest.mark.parametrize("before", [0, 100, 1_500, 3_000])
def test_no_fact_is_lost_in_the_middle_of_a_long_message(before: int) -> None:
    filler = "The committee met and discussed the harbour. "
    found = extract(filler * before + "I live in Porto. " + filler * (3_000 - before))
    assert [(fact.slot, fact.evidence) for fact in found.facts] == [("location", "I live in Porto.")]
    assert not found.problems


def test_of_too_many_facts_the_surest_are_kept() -> None:
    found = extract("".join(f"I like tea number {n}.\n" for n in range(200)) + "My name is Ana.")
    assert "user_name" in [fact.slot for fact in found.facts]


def test_a_pasted_list_of_statements_is_cut_and_says_so() -> None:
    found = extract("".join(f"I like tea number {number}.\n" for number in range(200)))
    assert len(found.facts) == MAX_FACTS
    assert "too_many" in [problem.kind for problem in found.problems]


def test_time_does_not_grow_with_the_square_of_the_text() -> None:
    rng = random.Random(7)
    words = [
        "I",
        "like",
        "my",
        "and",
        "if",
        "not",
        "you",
        "said,",
        "because",
        '"work"',
        "it's",
        "-",
        ".",
        "?",
        ";",
        "=",
        "\n",
    ]
    small, large = (" ".join(rng.choice(words) for _ in range(count)) for count in (500, 4000))

    def seconds(text: str) -> float:
        return min(_timed(text) for _ in range(3))

    assert seconds(large) < 8 * 5 * max(seconds(small), 1e-4)


def _timed(text: str) -> float:
    start = time.perf_counter()
    extract(text)
    return time.perf_counter() - start


@pytest.mark.parametrize(
    ("before", "said", "slots"),
    [
        ("I live in Lisbon.", "Actually it's Porto.", [("location", "I live in Porto")]),
        ("My name is Ana. I live in Lisbon.", "Sorry, not Lisbon, Porto.", [("location", "I live in Porto")]),
        ("I live in Lisbon.", "Actually it's Friday.", [(None, "It's Friday")]),
        ("I like tea.", "Actually it's Porto.", [(None, "It's Porto")]),
        ("I live in Lisbon.", "It's Braga where I live.", [("location", "It's Braga where I live")]),
        ("I live in Lisbon.", "Porto is nice.", []),
    ],
)
def test_a_bare_correction_is_of_what_the_users_message_before_said(
    before: str, said: str, slots: list[tuple[str | None, str]]
) -> None:
    preceding = [Preceding("user", before), Preceding("assistant", "I live in Rome.")]
    request = ExtractionRequest(memory_type="profile", text=said, now=NOW, preceding=preceding)
    assert [(fact.slot, fact.text) for fact in OfflineExtractor().extract(request).facts] == slots


@pytest.mark.parametrize(
    "said",
    [
        "The customer wrote:\n\nHi, I am Bob. I'm allergic to milk. I live in Leeds.\n\nDraft a reply",
        "Here is my friend's message:\nI live in Rome and I am a cook.\nWhat should I reply?",
        "Write a short story that begins: I am a pirate and I live on a ship.",
        "Let's role-play. You're a shopkeeper. I'm a knight and I live in a castle.",
        "Once upon a time I lived in a cave. I am a dragon.",
        "Lyrics: I live in a yellow tent. I am the heron.",
    ],
)
def test_what_somebody_else_wrote_and_what_is_played_is_left(said: str) -> None:
    assert facts(said) == []
