"""The structure that every language's table fills: closed classes of words and forms of verbs, by what they show.

Tables are written as regular expressions in which a space stands for any white space.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from nodes.extraction import FactType
from nodes.extractors.patterns import LOCATION, OCCUPATION


class Form(NamedTuple):
    """A form at the start of a clause that says which slot it fills."""

    pattern: re.Pattern[str]
    memory_type: FactType
    slot: str | None


class Language(NamedTuple):
    """A language: its code, the frequent words that show it, and its grammar, compiled when it is first asked for."""

    code: str
    words: frozenset[str]
    grammar: Callable[[], Grammar]


class Grammar(NamedTuple):
    """What the words of one language show about a clause.

    Matched at the start of a clause: `opener` (dropped), `forms`, `own` (the user's own present), `kin` (the user's
    near family told as theirs), `work`, `trait` (a property without subject or verb), `talk` (a first person that
    states nothing: thinking, wishing, feeling for the moment), `others` (somebody else as the
    subject), `imperative` (addressed to the assistant).
    Searched for in a clause: `ended` (what no longer holds), `episode` (a past or a moment), `lasting` (what makes a
    habit or a lasting state of it). Searched for in the sentence, which then states nothing: `asks`, `irony`,
    `unreal`, `reported`. `corrects` says that an earlier value was wrong,
    and `contrast` is a bare correction after it ("it is X, not Y").
    `standing` makes an instruction hold beyond the turn, `remember` asks to keep the rest.
    """

    opener: re.Pattern[str]
    joints: re.Pattern[str]
    remember: re.Pattern[str]
    asks: re.Pattern[str]
    irony: re.Pattern[str]
    unreal: re.Pattern[str]
    reported: re.Pattern[str]
    ended: re.Pattern[str]
    corrects: re.Pattern[str]
    contrast: re.Pattern[str]
    episode: re.Pattern[str]
    lasting: re.Pattern[str]
    talk: re.Pattern[str]
    others: re.Pattern[str]
    forms: tuple[Form, ...]
    work: re.Pattern[str]
    own: re.Pattern[str]
    kin: re.Pattern[str]
    trait: re.Pattern[str]
    imperative: re.Pattern[str]
    standing: re.Pattern[str]


_SLOTS: dict[str, tuple[FactType, str | None]] = {
    "name": ("profile", "user_name"),
    "language": ("profile", "preferred_language"),
    "style": ("profile", "response_style"),
    "location": ("profile", LOCATION),
    "occupation": ("profile", OCCUPATION),
    "project": ("task_context", "current_project"),
}

_LETTER = r"[\w\u0900-\u0963\u0966-\u097f]"
"""A letter for the boundaries of words; `re` does not count the vowel signs of Devanagari as such."""


def language(
    code: str,
    *,
    words: str,
    spaced: bool = True,
    opener: str = "",
    joints: str = "",
    remember: str = "",
    asks: str = "",
    irony: str = "",
    unreal: str = "",
    reported: str = "",
    ended: str = "",
    corrects: str = "",
    contrast: str = "",
    episode: str = "",
    lasting: str = "",
    talk: str = "",
    others: str = "",
    work: str = "",
    own: str = "",
    kin: str = "",
    trait: str = "",
    imperative: str = "",
    standing: str = "",
    **forms: str,
) -> Language:
    """A language's table. `spaced`: its words are set apart by spaces; `joints`: what a clause may begin after, besides
    punctuation (a language that is not spaced is read a sentence at a time unless it names some). `forms` are named
    after the slots: ``name``, ``language``, ``style``, ``location``, ``occupation``, ``project``, in order of
    precedence.
    """

    def words_of(pattern: str) -> re.Pattern[str]:
        return _compiled(pattern, spaced)

    gap = r"(?:\s*[,:!.…、，！。~-]+\s*|\s+)" if spaced else r"[\s、，,！!。…]*"
    mark = r"[,;:،؛]\s+|\s[–—-]{1,2}\s|\s*[—(]\s*" if spaced else "[;；]"
    joint = rf"\s+(?=(?:{_spaces(joints)})(?:(?<=\s)|\s))" if spaced else _spaces(joints)

    @cache
    def compiled() -> Grammar:
        return Grammar(
            opener=re.compile(rf"(?:{_spaces(opener)}){gap}" if opener else NEVER, re.IGNORECASE),
            joints=re.compile(f"{mark}|{joint}" if joints else mark, re.IGNORECASE),
            remember=words_of(remember),
            asks=words_of(asks),
            irony=words_of(irony),
            unreal=words_of(unreal),
            reported=words_of(reported),
            ended=words_of(ended),
            corrects=words_of(corrects),
            contrast=words_of(contrast),
            episode=words_of(episode),
            lasting=words_of(lasting),
            talk=words_of(talk),
            others=words_of(others),
            forms=tuple(Form(words_of(pattern), *_SLOTS[slot]) for slot, pattern in forms.items()),
            work=words_of(work),
            own=words_of(own),
            kin=words_of(kin),
            trait=words_of(trait),
            imperative=words_of(imperative),
            standing=words_of(standing),
        )

    return Language(code, frozenset(words.split()), compiled)


NEVER = r"(?!)"


def _compiled(pattern: str, spaced: bool) -> re.Pattern[str]:
    if not pattern:
        return re.compile(NEVER)
    inner = f"(?:{_spaces(pattern)})"
    return re.compile(rf"(?<!{_LETTER}){inner}(?!{_LETTER})" if spaced else inner, re.IGNORECASE)


def _spaces(pattern: str) -> str:
    """The pattern of a table as `re` takes it."""
    return pattern.replace(" ?", r"\s*").replace(" ", r"\s+")
