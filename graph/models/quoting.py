"""Which sentences of a memory block and a conversation bear on a question: rules over words, the same every time.

Pure functions over strings; knows no message class and no model.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graph.models import words

_START = "===== MEMORY CONTEXT ====="
_END = "===== END OF MEMORY CONTEXT"

MAX_QUOTED = 4


class Line(NamedTuple):
    """One thing that can be quoted, under which heading it stands (lower case), and whether memory holds it."""

    text: str
    heading: str
    remembered: bool


def memory_lines(prompt: str) -> list[Line]:
    """The bullets of the memory block in a system prompt, in order; none without a block."""
    lines: list[Line] = []
    heading, inside = "", False
    for raw in prompt.splitlines():
        text = raw.strip()
        if text.startswith(_START):
            inside = True
        elif text.startswith(_END):
            break
        elif inside and text.startswith("- "):
            lines.append(Line(text[2:].strip(), heading, True))
        elif inside and text.endswith(":"):
            heading = text[:-1].casefold()
    return lines


def sentences(text: str) -> list[str]:
    """A text cut at the ends of sentences, in any script that marks them."""
    # Latin marks end a sentence only before a space (3.5, a.b@c); the full-width ones always do.
    pieces = re.split(r"(?<=[.!?…])\s+|(?<=[。！？؟।])\s*|\n+", text)
    return [piece.strip() for piece in pieces if piece.strip()]


_ENDINGS = (
    *("ications", "ication", "ations", "ation", "ingly", "ing", "ness", "ment", "edly", "ied", "ies", "ers", "ed"),
    *("ic", "es", "er", "ly", "s", "e", "y"),
)

_NO_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def stem(word: str) -> str:
    """A word without its commonest English endings; short and non-Latin words stay as they are."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def terms(text: str) -> list[str]:
    """What is compared: stems of content words, and pairs of characters where a script has no spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    found: list[str] = []
    for run in _NO_SPACES.findall(folded):
        found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    for word in _WORD.findall(_NO_SPACES.sub(" ", folded)):
        bare = word.replace("’", "'").split("'")
        # «l'appartement», «user's»: the longer side carries the meaning.
        word = max(bare, key=len)
        if word not in words.STOPWORDS and (len(word) > 1 or word.isdigit()):
            found.append(stem(word))
    return found


_TOPICS = {topic: frozenset(map(stem, its)) for topic, its in words.TOPICS.items()}


def is_question(sentence: str) -> bool:
    """Whether a sentence wants an answer: it is marked as a question, or opens as a question or a request does."""
    return bool(words.ASKS_ANYWHERE.search(sentence) or words.ASKS.search(sentence))


def is_about_speaker(text: str) -> bool:
    """Whether somebody asks about themselves, in the languages that the word lists know."""
    return bool(words.FIRST_PERSON.search(text))


def is_greeting(text: str) -> bool:
    """Whether a message greets and does no more."""
    return bool(words.GREETING.search(text))


def is_thanks(text: str) -> bool:
    """Whether a message gives thanks."""
    return bool(words.THANKS.search(text)) and not is_question(text)


def choose(question: str, lines: Sequence[Line], limit: int = MAX_QUOTED) -> list[Line]:
    """The lines to quote in answer to a question, best first; none if none bears on it.

    An open question («what should I focus on next?») is answered by current work and by how the user likes answers; a
    question about the user as such by what memory begins with; any other by the words and the topics it shares. To a
    request («explain …») the user's way of being answered is added, and current work where nothing else bears on it.
    """
    scored = _scores(question, lines)
    if words.ABOUT_ME.search(question):
        remembered = [line for line in lines if line.remembered]
        return _first(remembered or lines, limit)
    best = max((score for score, _ in scored), default=0.0)
    strong = [line for score, line in scored if score >= max(0.5 * best, 0.15)]
    work = [line for line in lines if line.remembered and _is_work(line)][:limit]
    style = [line for line in lines if line.remembered and is_style(line)][:2]
    if words.OPEN_QUESTION.search(question):
        return _first([*strong[:2], *work, *style], limit + 2)
    if words.REQUEST.search(question):
        return _first([*(strong[:limit] or work), *style], limit + 2)
    return _first(strong, limit)


def is_style(line: Line) -> bool:
    """Whether a line says how the user likes to be answered."""
    return bool(words.STYLE_LINE.search(line.text)) and not _is_work(line)


def _is_work(line: Line) -> bool:
    return bool(words.WORK_HEADING.search(line.heading)) or (
        "about the user" not in line.heading and bool(words.WORK_LINE.search(line.text))
    )


def _scores(question: str, lines: Sequence[Line]) -> list[tuple[float, Line]]:
    """Each line that shares something with the question, by how much, best first; earlier lines first among equals."""
    asked = set(terms(question))
    if not asked:
        return []
    held = [set(terms(line.text)) for line in lines]
    spread = Counter(term for one in held for term in one)
    rarity = {term: 1 / (1 + math.log(max(1, spread[term]))) for term in asked}
    whole = sum(rarity.values())
    topics = _topics(asked)
    scored = []
    for line, has in zip(lines, held, strict=True):
        shared = sum(rarity[term] for term in asked & has)
        score = shared / whole + 0.2 * len(topics & _topics(has))
        if score > 0:
            score += _fits_question_word(question, line.text)
            scored.append((score + (0.05 if line.remembered else 0.0), line))
    return sorted(scored, key=lambda pair: -pair[0])


def _topics(stems: Iterable[str]) -> set[str]:
    present = set(stems)
    return {topic for topic, its in _TOPICS.items() if present & its}


def _fits_question_word(question: str, line: str) -> float:
    if words.ASKS_WHEN.search(question):
        return 0.1 if words.MOMENT.search(line) else 0.0
    if words.ASKS_WHERE.search(question):
        return 0.1 if words.PLACE.search(line) else 0.0
    return 0.0


def _first(lines: Iterable[Line], limit: int) -> list[Line]:
    return list({line.text.casefold(): line for line in reversed(list(lines))}.values())[::-1][:limit]
