"""English sentences: clauses, what governs them, and what the rules of `patterns` say about each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nodes.extractors import cues, patterns, text, vocabulary
from nodes.extractors.endings import ended, formerly, over, resolved, topic_of
from nodes.extractors.findings import Finding, Link, Statement, skip, wording
from nodes.extractors.fragments import supplied
from nodes.extractors.matching import first_rule, value_of


def read(message: str, masked: str, sentence: text.Sentence, before: list[Finding]) -> list[Finding]:
    """What an English sentence says, in order. `before` is what the sentences before it said: pronouns may mean it."""
    found: list[Finding] = []
    topic = ""
    for statement in _statements(masked, sentence):
        _append(found, _read(message, statement._replace(topic=topic), [*before, *found]), statement, message)
        topic = topic_of(message, statement)
    return found


def _statements(masked: str, sentence: text.Sentence) -> Iterator[Statement]:
    """The clauses of a sentence in which the user may be stating something."""
    clauses = text.clauses(masked, sentence)
    if sentence.question and not _requests(masked, sentence):
        clauses = _asserted_before_question(masked, clauses)
    scope = _Scope()
    after = -1
    for clause in clauses:
        scope = scope.for_next(clause.joint, clause.elided)
        start = skip(cues.OPENER, masked, clause.start, clause.end, times=4)
        remember = cues.REMEMBER.match(masked, start, clause.end)
        if remember:
            start = remember.end()
        correction = cues.CORRECTION.match(masked, start, clause.end)
        if correction:
            start = correction.end()
        start = skip(cues.IDIOM_IF, masked, start, clause.end)
        start = skip(cues.OPENER, masked, start, clause.end, times=2)
        hedge = cues.HEDGE.match(masked, start, clause.end)
        core = hedge.end() if hedge else start
        frame = cues.FRAME.match(masked, core, clause.end)
        if frame and not cues.STANDING.search(frame[0]):
            core = frame.end()
        else:
            frame = None
        conditional = frame is not None and cues.IF_FRAME.match(frame[0]) is not None
        supposed = cues.HYPOTHETICAL.match(masked, core, clause.end) or (
            frame and cues.HYPOTHETICAL.match(masked, frame.start(), clause.end)
        )
        if supposed and not conditional:
            return
        words = text.one_line(masked[core : clause.end])
        if clause.elided and not words.lower().startswith(("i ", "i'")):
            words = "I " + words
        elif not clause.joint and not sentence.question:
            words = supplied(words)
        if not scope.unreal:
            yield Statement(
                start=start,
                core=core,
                end=clause.end,
                words=words,
                hedged=hedge is not None,
                corrects=correction[0] if correction else "",
                conditional=conditional or scope.conditional,
                remember=remember is not None,
                link=_link(clause, words, scope),
                after=after,
                frame=frame[0] if frame else "",
            )
        scope, after = scope.within(words, frame[0] if frame else "", conditional), clause.end


class _Scope(NamedTuple):
    """What governs a clause and, if they are merely added to it, the clauses after it.

    `leads` says that what makes it conditional opens the sentence; a condition in its middle ends at a comma.
    """

    unreal: bool = False
    conditional: bool = False
    framed: bool = False
    leads: bool = False

    def for_next(self, joint: str, elided: bool) -> _Scope:
        """What still holds after a joint: nothing after "but" or a semicolon."""
        if not (elided or cues.ADDS.match(joint)):
            return _Scope()
        ends = joint.startswith(",") and joint != "," and not elided and not self.leads
        return _Scope(framed=self.framed) if ends else self

    def within(self, words: str, frame: str, conditional: bool) -> _Scope:
        """What holds inside the clause of these words, and so may hold on."""
        leads = conditional or self.leads
        conditional = conditional or self.conditional or cues.IF_INSIDE.search(words) is not None
        return _Scope(
            unreal=self.unreal
            or cues.IRREALIS.search(words) is not None
            or (conditional and cues.COUNTERFACTUAL.match(words) is not None),
            conditional=conditional,
            framed=self.framed or bool(frame and not cues.ADVERB_FRAME.match(frame)),
            leads=leads,
        )


def _link(clause: text.Clause, words: str, scope: _Scope) -> Link:
    """How a clause hangs on the one before: by its subject, a pronoun, a condition, or as its reason or contrast."""
    if clause.elided or scope.conditional or scope.framed or cues.SUBORDINATES.match(clause.joint):
        return "depends"
    if clause.joint and (cues.ANAPHOR.search(words) or cues.HEADLESS.match(words)):
        return "depends"
    if cues.CONTRASTS.match(clause.joint):
        return "contrasts"
    return "prefers" if clause.joint and cues.PREFERS.match(words) else ""


def _requests(masked: str, sentence: text.Sentence) -> bool:
    """Whether a question really asks for something that lasts: "Can you always …?", "Could you remember that …?"."""
    asked = cues.REQUEST.match(masked, sentence.start, sentence.end)
    return asked is not None and bool(
        cues.STANDING.search(masked, sentence.start, sentence.end)
        or cues.REMEMBER.match(masked, sentence.start, sentence.end)
    )


def _asserted_before_question(masked: str, clauses: list[text.Clause]) -> list[text.Clause]:
    """The clauses before the asking one: "I'm vegan, any ideas?" states something, "I'm right, no?" nothing."""
    if len(clauses) < 2 or cues.TAG_QUESTION.match(masked, clauses[-1].start, clauses[-1].end):
        return []
    kept: list[text.Clause] = []
    for clause in clauses[:-1]:
        start = skip(cues.OPENER, masked, clause.start, clause.end, times=4)
        start = skip(cues.FRAME, masked, start, clause.end)
        if not (clause.elided or _DECLARES.match(masked, start, clause.end) or over(masked[start : clause.end])):
            return kept
        kept.append(clause)
    return kept


def _read(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    if statement.conditional and (formerly(statement.words) or over(statement.words)):
        return None
    for reading in (resolved, ended, _switched, _stated, _corrected):
        found = reading(message, statement, before)
        if found is not None:
            return found
    return _remembered(message, statement)


def _stated(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    """What the rules say about the statement."""
    rule, match = first_rule(statement.words, statement.conditional, frame=statement.frame)
    if rule is None and statement.link == "depends" and _precedes(before, statement):
        rule, match = first_rule(statement.words, statement.conditional, pronouns=True)
        if rule and (rule.slot or rule.memory_type != before[-1].memory_type):
            return None
    if rule is None:
        rule, match = first_rule(cues.FROM_NOW_ON.sub("", statement.words, count=1), statement.conditional)
    if rule is None or match is None:
        return None
    own = rule.template.format(value=value_of(match)) if rule.template else wording(message, statement)
    slot = rule.slot
    kind = match.groupdict().get("kind")
    if slot and kind:
        slot = f"{slot}.{'_'.join(kind.lower().split())}"
    corrects = slot is not None and bool(statement.corrects or cues.CONTRAST.search(statement.words))
    corrects = corrects or bool(cues.STRONG_CORRECTION.search(statement.corrects))
    return Finding(
        start=statement.start,
        end=statement.end,
        text=own,
        memory_type=rule.memory_type,
        slot=slot,
        operation="correct" if corrects else "assert",
        confidence=round(rule.confidence * (0.8 if statement.hedged else 1.0), 2),
        mergeable=slot is None and not corrects and rule.template is None,
        taste=rule.name in patterns.TASTE_RULES,
        negative=cues.NEGATIVE.search(statement.words) is not None,
    )


def _precedes(before: list[Finding], statement: Statement) -> bool:
    """Whether the clause right before says something that this one may be added to."""
    return bool(before) and before[-1].end == statement.after and before[-1].mergeable


def _switched(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    match = cues.SWITCHED.match(statement.words)
    if match is None or cues.VAGUE_OBJECT.match(match["value"]):
        return None
    return Finding(statement.start, statement.end, wording(message, statement), "profile", None, "correct", 0.75)


def _corrected(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    """ "Actually it's Porto", "not Lisbon, Porto": a new value for what was said before.

    The slot comes from what was said last, in this message or the user's one before. Otherwise only whoever knows the
    earlier turns can say what is corrected.
    """
    words = statement.words
    match = cues.NOT_BUT.match(words) or (
        cues.BARE_CORRECTION.match(words) if statement.corrects or _INSTEAD.search(words) else None
    )
    if match is None or match["value"] in vocabulary.NOT_A_NAME:
        return None
    earlier = next((finding for finding in reversed(before) if finding.slot), None)
    own = wording(message, statement)
    if earlier is None or (_TIME.match(match["value"]) and not _TIME.search(earlier.text)):
        return Finding(statement.start, statement.end, own, "profile", None, "correct", 0.4)
    value = match["value"].strip(" .")
    template = next((rule.template for rule in patterns.RULES if rule.slot == earlier.slot and rule.template), None)
    _, stated = first_rule(earlier.text, conditional=False)
    span = patterns.value_span(stated) if stated else None
    if template:
        own = template.format(value=value)
    elif span:
        own = earlier.text[: span[0]] + value + earlier.text[span[1] :]
    return Finding(statement.start, statement.end, own, earlier.memory_type, earlier.slot, "correct", 0.7)


def _remembered(message: str, statement: Statement) -> Finding | None:
    """What the user explicitly asks to remember, in whatever form it stands."""
    if not statement.remember or len(statement.words.split()) < 3 or cues.NOT_MEMORABLE.match(statement.words):
        return None
    return Finding(statement.start, statement.end, wording(message, statement), "profile", None, "assert", 0.8)


def _append(found: list[Finding], new: Finding | None, statement: Statement, message: str) -> None:
    """Adds a finding, if there is one; to the fact of the clause before, if it does not stand on its own."""
    if new is None or not new.text:
        return
    if _precedes(found, statement) and _belongs_to(new, found[-1], statement.link):
        last = found[-1]
        joined = text.tidy(message[last.start : new.end])
        if new.end - last.start <= text.MAX_CLAUSE_CHARS and joined.startswith(last.text):
            confidence = max(last.confidence, new.confidence)
            found[-1] = last._replace(end=new.end, text=joined, confidence=confidence)
            return
    found.append(new)


def _belongs_to(new: Finding, last: Finding, link: Link) -> bool:
    if not new.mergeable or last.memory_type != new.memory_type:
        return False
    tastes = last.taste and new.taste
    return (
        link == "depends"
        or (link == "contrasts" and (tastes or last.negative or new.negative))
        or (link == "prefers" and tastes and last.negative)
    )


_DECLARES = re.compile(r"(?:i|i'm|i've|i'd|i'll|my|we|we're|our)\b", re.IGNORECASE)


_TIME = re.compile(
    r"(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|may|june|july|august|september|"
    r"october|november|december)\b",
    re.IGNORECASE,
)
"""A time corrects a time: "Actually it's Friday" is no new home."""
_INSTEAD = re.compile(r"\b(?:not|instead of)\b", re.IGNORECASE)
