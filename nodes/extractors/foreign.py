"""Sentences in other languages than English: which it may be, and what that language's grammar says about it.

The decision is the same code for every language; what it looks for is in the tables of `languages`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nodes.extraction import FactType, Operation
from nodes.extractors import text
from nodes.extractors.findings import Finding, Statement, skip, wording
from nodes.extractors.languages import LANGUAGES, Grammar
from nodes.extractors.vocabulary import words as _words

MAX_CHARS = 600
"""The longest sentence that is read, in characters; what is longer is cut there."""


def languages_of(words: str) -> set[str]:
    """The languages that a sentence may be in, by its script and its little words; empty when it shows nothing."""
    for script, code in _SCRIPTS:
        if script.search(words):
            return {code} if code in _TABLES else {"other"}
    first, *others = _TOKEN.findall(words)[:80] or [""]
    spoken = (first.lower(), *(word if word == "I" else word.lower() for word in others))
    counts = {code: sum(word in little for word in spoken) for code, little in _LITTLE.items()}
    for code, letters in _LETTERS.items():
        counts[code] += 2 * (letters.search(words) is not None)
    most = max(counts.values())
    codes = {code for code, count in counts.items() if count == most > 0}
    if "en" in codes:  # a word that English has too does not make an English sentence another language's
        own = {word for word in spoken if word not in _ENGLISH}
        codes = {code for code in codes if code == "en" or own & _LITTLE[code]}
    if len(codes) > 1 and "en" not in codes:
        shapes = {code: len(_SHAPES[code].findall(words[:300])) for code in codes}
        codes = {code for code in codes if shapes[code] >= max(shapes.values()) - 1}
    return codes


def read(message: str, masked: str, sentence: text.Sentence, codes: set[str]) -> list[Finding]:
    """What a sentence says in the first of the languages `codes` that makes something of it."""
    if sentence.question:
        return []
    end = min(sentence.end, sentence.start + MAX_CHARS)
    end = sentence.start + len(masked[sentence.start : end].rstrip(" .!。！।…"))
    for language in LANGUAGES:
        if language.code in codes:
            kept = _read(language.grammar(), masked, sentence.start, end)
            if kept is not None:
                return list(_findings(message, masked, kept, end))
    return []


class _Kept(NamedTuple):
    """A clause that says something of the user's: where it begins, and what it is."""

    start: int
    memory_type: FactType
    slot: str | None
    operation: Operation


def _read(grammar: Grammar, masked: str, start: int, end: int) -> list[_Kept] | None:
    """What a sentence says: nothing, if it asks, mocks, supposes or reports; None, if none of its forms is known."""
    core = skip(grammar.opener, masked, start, end, times=4)
    said, opened = masked[core:end], masked[start:end]
    remember = grammar.remember.search(said)
    if remember:
        if remember.start() == 0 and remember.end() < len(said):
            core = skip(grammar.opener, masked, core + remember.end(), end)
        return [_Kept(core, *(_form(grammar, masked[core:end]) or _PROFILE), "assert")]
    if grammar.asks.search(said) or any(sign.search(opened) for sign in (grammar.asks, grammar.irony)):
        return []
    if _instructs(grammar, masked, core, end):
        slot = next((form.slot for form in grammar.forms if form.slot in _ANSWERS and form.pattern.search(said)), None)
        return [_Kept(core, "profile", slot, "assert")]
    if grammar.reported.search(opened):
        return []
    if grammar.unreal.search(said):
        return []
    kept = list(_kept(grammar, masked, start, end))
    if not kept and grammar.corrects.search(masked[start:core]) and grammar.contrast.match(said):
        kept = [_Kept(core, *_PROFILE, "correct")]
    return kept or None


_ANSWERS = ("preferred_language", "response_style")


def _instructs(grammar: Grammar, masked: str, start: int, end: int) -> bool:
    """Whether the assistant is told how to do things from now on."""
    if not grammar.standing.search(masked[start:end]):
        return False
    clauses = _clauses(grammar, masked, start, end)
    return any(grammar.imperative.match(masked[clause.core : end]) for clause in clauses)


def _form(grammar: Grammar, said: str) -> tuple[FactType, str | None] | None:
    for form in grammar.forms:
        if form.pattern.match(said):
            return form.memory_type, form.slot
    return None


class _Clause(NamedTuple):
    """A clause's stretch; `core` is where it goes on behind its opener."""

    start: int
    core: int
    end: int


def _clauses(grammar: Grammar, masked: str, start: int, end: int) -> Iterator[_Clause]:
    cuts = [start]
    ends = []
    for joint in grammar.joints.finditer(masked, start, end):
        ends.append(joint.start())
        cuts.append(joint.end())
    for first, last in zip(cuts, [*ends, end], strict=True):
        first = first + len(masked[first:last]) - len(masked[first:last].lstrip())
        if last > first:
            yield _Clause(first, skip(grammar.opener, masked, first, last, times=3), last)


def _kept(grammar: Grammar, masked: str, start: int, end: int) -> Iterator[_Kept]:
    """The clauses of a sentence that say something of the user's, in order."""
    past = False
    for clause in _clauses(grammar, masked, start, end):
        said = masked[clause.core : clause.end]
        if grammar.others.match(said):
            continue
        form = _form(grammar, said)
        if grammar.ended.search(said):
            task = grammar.work.match(said) or (form and form[0] == "task_context")
            yield _Kept(clause.core, *_ENDED_TASK if task else _PROFILE, "retract")
        elif form:
            corrects = grammar.corrects.search(masked[clause.start : clause.end]) is not None
            yield _Kept(clause.core, *form, "correct" if corrects else "assert")
        elif grammar.work.match(said):
            yield _Kept(clause.core, "task_context", None, "assert")
        elif grammar.talk.match(said):
            continue
        elif past or (grammar.episode.search(said) and not grammar.lasting.search(said)):
            past = past or clause.start == start
        elif grammar.own.match(said) or grammar.kin.match(said) or grammar.trait.match(said):
            yield _Kept(clause.core, *_PROFILE, "assert")


_PROFILE: tuple[FactType, str | None] = ("profile", None)
_ENDED_TASK: tuple[FactType, str | None] = ("task_context", "current_project")


def _findings(message: str, masked: str, kept: list[_Kept], end: int) -> Iterator[Finding]:
    """Each kept clause with what follows it; clauses of the same kind that follow each other are one finding."""
    heads = [one for number, one in enumerate(kept) if not number or _stands_alone(kept[number - 1], one)]
    for number, one in enumerate(heads):
        stop = heads[number + 1].start if number + 1 < len(heads) else end
        stop = one.start + len(_LOOSE_END.sub("", masked[one.start : stop]))
        said = wording(message, Statement(one.start, one.start, stop, masked[one.start : stop]))
        if said:
            yield Finding(one.start, stop, said, one.memory_type, one.slot, one.operation, 0.75)


def _stands_alone(before: _Kept, one: _Kept) -> bool:
    return one[1:] != before[1:] or one.slot is not None


_LOOSE_END = re.compile(r"[\s,;:，、،(–—-]+(?:y|e|et|und|and|en|i|och|и|ve|و|और|pero|mais|mas|ma|aber|maar|но)?\s*\Z")

_SCRIPTS = (
    (re.compile("[\u3040-\u30ff]"), "ja"),
    (re.compile("[\uac00-\ud7af]"), "ko"),
    (re.compile("[\u4e00-\u9fff]"), "zh"),
    (re.compile("[іїєґўћђџљњјәөүқң]", re.IGNORECASE), "other"),
    (re.compile("[\u0400-\u04ff]"), "ru"),
    (re.compile("[پچژگٹڈڑے]"), "other"),
    (re.compile("[\u0600-\u06ff]"), "ar"),
    (re.compile("[\u0900-\u097f]"), "hi"),
    (re.compile("[\u0370-\u03ff\u0530-\u05ff\u0980-\u0eff\u10a0-\u10ff]{3}"), "other"),
)
"""Letters that show a language, in order: what other languages of a script have comes before the script itself."""

_LETTERS = {
    "es": re.compile("[ñ¿¡]", re.IGNORECASE),
    "pt": re.compile("[ãõ]", re.IGNORECASE),
    "de": re.compile("ß"),
    "fr": re.compile(r"[œù]|\b(?:qu|[jnts])'[aeéêiouhâà]", re.IGNORECASE),
    "pl": re.compile("[ąęłśźż]", re.IGNORECASE),
    "tr": re.compile("[ğış]"),
    "sv": re.compile("å", re.IGNORECASE),
}
"""Letters that one language of the Latin script has and the others here have not."""

_SHAPES = {
    code: re.compile(shape, re.IGNORECASE)
    for code, shape in {
        "es": r"\w[aeo]s\b|ción\b|[aei]ndo\b|\w[aei]r\b|j|ll|y\b",
        "pt": r"\w[aeo]s\b|[çêôâ]|lh|nh|ão|\w[aei]r\b|\w[ie]m\b",
        "it": r"zz|cc|tt|ss|gl|gn|\w[aei]re\b|\w[ei]\b",
        "fr": r"eau|oi|ou|ai|ez\b|\we\b|[éèê]|x\b",
        "de": r"sch|ch|ei|\wen\b|tz|ck|[äöü]",
        "nl": r"ij|aa|oo|ee|uu|oe|\wen\b",
        "sv": r"[äö]|sk|\w[ao]r\b|\wa\b",
        "pl": r"cz|sz|rz|ie|\w[ęą]\b|ów\b|w\b|dz",
        "tr": r"[üöçı]|yor|l[ae]r|\w[ıiuü]m\b|d[ae]n?\b|m[ae]k\b|k\b",
    }.items()
}
"""How words of a language often look: it decides between languages of which a sentence has equally many words."""

_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|[^\W\d_]+")

_ENGLISH = _words(
    "i the an and my is i'm i've to of for with that not don't you it it's from always never have like was no "
    "please your be use keep call are were this they we he she his her their our at by or but so if what who how when "
    "where there here has had can could would will should do does did just very really about out up get got love want "
    "a as am in me on do now us off down another work as new good time day well too make made year years old go going "
    "know think one some any all more been being them than then too also only because into over after before"
)

_TABLES = {language.code for language in LANGUAGES}
_LITTLE = {"en": _ENGLISH} | {language.code: language.words for language in LANGUAGES}
_LETTERS = {code: letters for code, letters in _LETTERS.items() if code in _TABLES}
