"""Sentences in other languages than English: which it may be, and what the tables of `languages` say about it."""

from __future__ import annotations

import re

from nodes.extractors import languages, text
from nodes.extractors.findings import Finding, Statement, skip, wording


def languages_of(words: str) -> set[str]:
    """The languages that a sentence may be in, by its script and its little words; empty when it shows nothing."""
    if _KANA.search(words):
        return {"ja"}
    if _HAN.search(words):
        return {"zh"}
    first, *others = [token.strip(".,;:!?") for token in words.split()[:80]] or [""]
    counts = {code: sum(token in little for token in (first.lower(), *others)) for code, little in _LITTLE.items()}
    most = max(counts.values())
    return {code for code, count in counts.items() if count == most > 0}


def read(message: str, masked: str, sentence: text.Sentence, codes: set[str]) -> list[Finding]:
    """What a sentence says in one of the languages `codes`; in any that there is a table for, if that is empty."""
    tables = [language for language in languages.LANGUAGES if not codes or language.code in codes]
    if not tables or sentence.question:
        return []
    found = (_read_clause(message, masked, clause, tables) for clause in text.clauses(masked, sentence))
    return [finding for finding in found if finding is not None and finding.text]


def _read_clause(message: str, masked: str, clause: text.Clause, tables: list[languages.Language]) -> Finding | None:
    for language in tables:
        end = clause.start + len(masked[clause.start : clause.end].rstrip(" .!。！"))
        start = skip(language.opener, masked, clause.start, end, times=3)
        remember = language.remember.match(masked, start, end)
        if remember and remember.end() < end:
            start = remember.end()
        if not remember and language.blocked.match(masked, start, end):
            continue
        for form in language.forms:
            match = form.pattern.match(masked, start, end)
            if match:
                return _other_finding(message, Statement(start, start, end, masked[start:end]), form)
        if remember:
            kept = Statement(start if start < end else clause.start, start, end, "")
            return Finding(kept.start, kept.end, wording(message, kept), "profile", None, "assert", 0.75)
    return None


def _other_finding(message: str, statement: Statement, form: languages.Form) -> Finding:
    return Finding(
        start=statement.start,
        end=statement.end,
        text=wording(message, statement),
        memory_type=form.memory_type,
        slot=form.slot,
        operation=form.operation,
        confidence=0.75,
    )


_KANA = re.compile("[\u3040-\u30ff]")


_HAN = re.compile("[\u4e00-\u9fff]")


_LITTLE = languages.FUNCTION_WORDS
