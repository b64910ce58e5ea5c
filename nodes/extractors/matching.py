"""Which rule of `patterns` decides about a statement, and whether what it matched really lasts."""

from __future__ import annotations

import re

from nodes.extractors import cues, patterns, vocabulary


def first_rule(
    words: str, conditional: bool, pronouns: bool = False, frame: str = ""
) -> tuple[patterns.Rule | None, re.Match[str] | None]:
    """The rule that decides. `pronouns` may stand for what the statement is about, if the clause before names it;
    `frame` is what stands before the subject ("on Sundays")."""
    for rule in patterns.RULES:
        match = rule.pattern.match(words)
        if match and _holds(rule, match, words, conditional, pronouns, frame):
            return rule, match
    return None, None


def _holds(
    rule: patterns.Rule, match: re.Match[str], words: str, conditional: bool, pronouns: bool, frame: str
) -> bool:
    """Whether the matched form really states something that lasts and stands on its own."""
    groups = match.groupdict()
    if conditional and not (rule.lasting or rule.name in patterns.OPEN_VERB_RULES):
        return False
    if not rule.sure and cues.ONE_OFF.search(words) and not cues.REPEATED.search(words):
        return False
    if rule.name in patterns.OPEN_VERB_RULES:
        if words[:3].lower() == "we " and not (cues.WE_USE.match(words) or cues.HABITUAL.search(frame)):
            return False  # what "we" do is a company's way as often as one's own
        return _is_habit(groups["verb"].lower(), groups["rest"] or "", f"{frame} {words}", pronouns)
    if rule.slot == "user_name":
        return value_of(match).split()[0] not in vocabulary.NOT_A_NAME
    span = patterns.value_span(match)
    return span is None or _names_something(words[slice(*span)], pronouns)


def _names_something(value: str, pronouns: bool) -> bool:
    return not cues.VAGUE_OBJECT.match(value) or (pronouns and cues.ANAPHOR.match(value) is not None)


def _is_habit(verb: str, rest: str, words: str, pronouns: bool) -> bool:
    """Whether a verb right after "I" is a simple present that tells of a habit, neither talk nor the past."""
    if verb in vocabulary.PAST_FORMS or (verb.endswith("ed") and verb not in ("need", "feed", "speed", "bleed")):
        return False
    if verb in vocabulary.HEDGES_AND_SPEECH:
        usual = verb in vocabulary.HABITUAL_ANYWAY and cues.HABITUAL.search(words) is not None
        if not usual:
            return False
    if not rest.strip(" .!"):
        return cues.HABITUAL.search(words) is not None
    return _names_something(rest, pronouns)


def value_of(match: re.Match[str]) -> str:
    """The value that a form names, without loose punctuation and with a capital."""
    span = patterns.value_span(match)
    value = match.string[slice(*span)] if span else match[0]
    return value.strip(" .,;:!") if value[:1].isupper() else value.strip(" .,;:!").title()
