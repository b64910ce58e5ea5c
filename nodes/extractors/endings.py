"""What English statements say is over: "I no longer use Vim", "the build is fixed", "forget that I live in Porto"."""

from __future__ import annotations

import re
from typing import NamedTuple

from nodes.extractors import cues, patterns, text, vocabulary
from nodes.extractors.findings import Finding, Statement
from nodes.extractors.matching import first_rule, value_of


def ended(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    """What the user says no longer holds, worded as the statement that held."""
    held = formerly(statement.words)
    if held is None:
        return None
    held, held_own = (
        cues.ANAPHOR.sub(statement.topic, words, count=1) if statement.topic else words
        for words in (held, formerly(_straight(message, statement)) or held)
    )
    finished = cues.DONE_WITH.match(statement.words) is not None
    rule, match = first_rule(held, conditional=False)
    if not finished and (rule is None or rule.name == patterns.USES_TOOL):
        held, held_own = _simple_present(held), _simple_present(held_own)
        rule, match = first_rule(held, conditional=False)
    if rule is None or match is None:
        return None
    wording = rule.template.format(value=value_of(match)) if rule.template else held_own
    # A tool given up may have been named in any slot ("my favourite tools are Vim and tmux").
    slot = None if finished or rule.name == patterns.USES_TOOL else rule.slot
    confidence = 0.5 if finished else rule.confidence
    return Finding(statement.start, statement.end, text.tidy(wording), rule.memory_type, slot, "retract", confidence)


def resolved(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    """An obstacle that is gone, work that is finished: retracts what was said to stand in the way or to be done."""
    gone = over(statement.words)
    if gone is None and statement.topic and cues.UNBLOCKED.match(statement.words):
        wording = f"I'm blocked by {statement.topic}"
        return Finding(statement.start, statement.end, wording, "task_context", None, "retract", 0.7)
    if gone is None:
        return None
    what = _decapitalised(_straight(message, statement)[slice(*gone.span)])
    wording = f"I have to {gone.verb} {what}" if gone.verb else gone.template.format(what=what)
    return Finding(statement.start, statement.end, wording, "task_context", None, "retract", 0.7)


class _Over(NamedTuple):
    """Where the words name what is over, and how to word the statement that held."""

    span: tuple[int, int]
    template: str
    verb: str = ""


def over(words: str) -> _Over | None:
    """What the words say is out of the way or finished; None if nothing is."""
    for template, forms in (("I'm blocked by {what}", cues.BLOCKER_GONE), ("I have {what} to do", cues.WORK_DONE)):
        for form in forms:
            match = form.match(words)
            if match:
                groups = match.groupdict()
                name = "what" if groups.get("what") else "got"
                return _Over(match.span(name), template, _infinitive((groups.get("gerund") or "").lower()))
    return None


def topic_of(message: str, statement: Statement) -> str:
    """What a clause is about, for the pronouns of the next: its subject, or what it says is over; may be empty."""
    gone = over(statement.words)
    subject = cues.WAS_BLOCKED.match(statement.words) or cues.SUBJECT.match(statement.words)
    span = gone.span if gone else subject.span("what") if subject else (0, 0)
    return _decapitalised(_straight(message, statement)[slice(*span)])


def formerly(words: str) -> str | None:
    """ "I no longer use Vim" as "I use Vim"; None if the words end nothing."""
    for pattern in (cues.NO_LONGER, cues.NOT_ANY_MORE):
        match = pattern.match(words)
        if match:
            rest = cues.REASON.sub("", match["rest"])
            return f"{match['subject']}{_POSITIVE.get((match['am'] or '').strip().lower(), '')} {rest}"
    match = cues.STOPPED.match(words)
    if match:
        gerund, _, rest = cues.REASON.sub("", match["rest"]).partition(" ")
        return f"{match['subject']} {_infinitive(gerund.lower())} {rest}"
    match = cues.DONE_WITH.match(words)
    if match:
        rest = match["rest"]
        return f"I'm {rest}" if rest.split(" ", 1)[0].endswith("ing") else f"I'm working on {rest}"
    match = cues.FORGET.match(words)
    return match["rest"] if match else None


def _straight(message: str, statement: Statement) -> str:
    return text.one_line(message[statement.core : statement.end])


def _decapitalised(name: str) -> str:
    first, space, rest = name.rstrip(" .").partition(" ")
    return first.lower() + space + rest if first.lower() in ("the", "my", "our", "this", "that", "all") else name


def _simple_present(words: str) -> str:
    """ "I'm using Vim" as "I use Vim"; other words stay."""
    match = cues.PROGRESSIVE.match(words)
    return f"{match['subject']} {_infinitive(match['gerund'].lower())} {match['rest']}" if match else words


def _infinitive(gerund: str) -> str:
    """ "using" as "use", "running" as "run", "eating" as "eat": near enough to find the fact again."""
    stem = gerund.removesuffix("ing")
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    if re.search(r"(?:[^aeiou][aeiou][vskz]|[cgvu]|[^aeiou]at|mok|rik|hik|bik)$", stem) and not stem.endswith(
        ("ok", "ek")
    ):
        return stem + "e"
    return stem + "e" if stem in _SILENT_E else stem


_POSITIVE = {
    "'m": "'m",
    "am": " am",
    "'re": "'re",
    "are": " are",
    "'m not": "'m",
    "am not": " am",
    "'re not": "'re",
    "are not": " are",
}


_SILENT_E = vocabulary.words("us mak tak driv writ rid com hav liv smok danc practis practic mov lov")
