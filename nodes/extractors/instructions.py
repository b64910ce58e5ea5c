"""Standing instructions in English sentences: how the user wants things done from now on.

The forms that `english` knows stay its own; here they get the slot of an instruction, and what has no such form is read
by `standing`. A sentence whose object stands in the sentence before is joined with it.
"""

from __future__ import annotations

import re

from nodes.extractors import cues, directives, standing, text
from nodes.extractors.findings import Finding
from nodes.extractors.fragments import supplied
from nodes.matters import slot_of

_CONFIDENCE = 0.75
_FEWEST_WORDS = 4
"""Of a sentence that may say what the next one speaks of."""
_FEW_WORDS = 6
_MAX_WORDS = 70
"""Longer sentences are read by `english` alone."""


def read(
    message: str, masked: str, sentence: text.Sentence, before: text.Sentence | None, found: list[Finding]
) -> list[Finding]:
    """`found`, what `english` made of a sentence, with the sentence's standing instruction. `before` precedes it."""
    words = " ".join(masked[sentence.start : sentence.end].split())
    kept = [f for f in found if not _announces(f, masked) and not _of_an_organisation(f, masked)]
    if kept:
        if len(kept) == 1 and _bids(kept[0], masked) and _hangs(words):
            return _slotted(_joined(message, masked, before, sentence, kept[0]))
        return [part for f in kept for part in (_slotted(f) if _bids(f, masked) else [f])]
    if found or len(words.split()) > _MAX_WORDS or not _may_instruct(words, sentence) or not standing.lasts(words):
        return []
    new = Finding(
        sentence.start,
        sentence.end,
        text.tidy(message[sentence.start : sentence.end]),
        "profile",
        None,
        "assert",
        _CONFIDENCE,
    )
    if _hangs(words):
        joined = _joined(message, masked, before, sentence, new)
        if joined is new:
            return []
        new = joined
    return _slotted(new)


def each_of(said: str) -> list[str]:
    """An instruction about two kinds of names, or two ends of them, as two: each may be replaced by itself."""
    both = _TWO_KINDS.match(said)
    if both:
        rest, them = both["rest"], _THEM.match(both["rest"])
        if them:
            return [both["first"], f"{both['lead']}{them['verb']} {both['kind']} {them['rest']}"]
        return [both["first"], f"{both['lead']}{both['verb']} {rest}"]
    both = _TWO_ENDS.match(said)
    return [both["first"], f"{both['lead']}{both['rest']}"] if both else [said]


def _hangs(words: str) -> bool:
    """Whether a sentence speaks of something that stands in the one before, and not in its own frame."""
    asked = directives.asked_for(words)
    framed = (
        re.search(r"\b(?:for|when|in|with)\s[^,]{4,60},\s", words[: len(words) - len(asked)], re.IGNORECASE) is not None
    )
    return not framed and _HANGING.match(asked) is not None


def _joined(
    message: str, masked: str, before: text.Sentence | None, sentence: text.Sentence, finding: Finding
) -> Finding:
    """A finding together with the sentence before, which says what it speaks of; itself if none can."""
    if before is None or before.question or sentence.start - before.start > text.MAX_CLAUSE_CHARS:
        return finding
    if len(masked[before.start : before.end].split()) < _FEWEST_WORDS:
        return finding
    return finding._replace(
        start=before.start, end=sentence.end, text=text.tidy(message[before.start : sentence.end]), mergeable=False
    )


def _may_instruct(words: str, sentence: text.Sentence) -> bool:
    """Not a question, unless it asks to always do something; nor what happens once, or is supposed or somebody's."""
    if sentence.question and not (cues.REQUEST.match(words) and cues.STANDING.search(words)):
        return False
    english = _ENGLISH.search(words) is not None or directives.is_practice(words)
    return english and not (cues.HYPOTHETICAL.match(words) and not cues.IF_FRAME.match(words))


def _announces(finding: Finding, masked: str) -> bool:
    """Whether it only announces an instruction, or repeats that one is to be followed."""
    words = " ".join(masked[finding.start : finding.end].split())
    if not (_unslotted(finding) and directives.asks(words)) or supplied(words) != words:
        return False
    if directives.says_nothing_itself(words):
        return True
    # A few words have little sense to weigh: "Be more formal with me."
    return len(words.split()) > _FEW_WORDS and _bids(finding, masked) and standing.unlikely(words)


def _of_an_organisation(finding: Finding, masked: str) -> bool:
    """Whether it tells what a company is like and offers, which is no fact about the user."""
    words = " ".join(masked[finding.start : finding.end].split())
    we = _WE.match(words)
    if we is None or not _unslotted(finding) or directives.is_practice(words[we.end() :].strip()):
        return False
    return not standing.of_own_life(words)


def _slotted(finding: Finding) -> list[Finding]:
    """An instruction with its slot; two, if it is about two kinds of names."""
    return [finding._replace(text=part, slot=slot_of(part), mergeable=False) for part in each_of(finding.text)]


def _bids(finding: Finding, masked: str) -> bool:
    said = directives.core(" ".join(masked[finding.start : finding.end].split()))
    return _unslotted(finding) and (_BIDS.match(said) is not None or directives.is_imperative(said))


def _unslotted(finding: Finding) -> bool:
    return finding.slot is None and finding.memory_type == "profile" and finding.operation != "retract"


_BIDS = re.compile(
    r"(?:(?:i|we)(?:'d|\swould)?\s(?:\w+\s)?(?:want|need|like|expect|ask|prefer)\s(?:that\s)?(?:you|your)\b|"
    r"you\s(?:should|must|need to|have to)\b|"
    r"(?:all|every|each|any)\s|(?:your|the)\s[\w ]{2,40}?\s(?:should|must|have to|need to)\b|(?:can|could|will|"
    r"would) you\b|"
    r"we\s(?:always\s|never\s|now\s|only\s|like to\s|tend to\s)*(?:use\s[^,;]{1,60}\s(?:for|as|when|to)\b|don't|"
    r"do not|avoid|prefer|require|start|end|name|write)\b|no\s)",
    re.IGNORECASE,
)
_WE = re.compile(r"(?:[^,]{1,60},\s)?(?:we|our (?:team|company|firm|organi[sz]ation))(?:'ve|'re)?\b", re.IGNORECASE)
_HANGING = re.compile(
    r"(?:[\w'-]+\s){1,5}(?:it|them|so|such|(?:this|that|these|those)(?:\s(?!is\b|are\b|you\b|we\b|i\b|the\b|all\b|"
    r"your\b|every\b)\w+)?)"
    r"(?:\s(?:to|in|for|with|at|on|everywhere|consistently|from|whenever|when|\w+ing)\b|[\s.!,]*\Z)|"
    r".*\b(?:such names?|(?:of|with|in|for|on) (?:them|these|those)\b)",
    re.IGNORECASE,
)
"""Speaks of something that stands in the sentence before: "use '_x' at the end of them", "add it to all methods"."""
_ENGLISH = re.compile(
    r"\b(?:the|to|your|you|you're|with|and|of|is|are|we|don't|always|never|use|when|be|from|my|every|should|must|it|"
    r"for|not|"
    r"please|them|give|keep|write|only|stop)\b",
    re.IGNORECASE,
)
"""Little words that English has and its neighbours have not."""
_QUOTE = r"(?:'[^'\n]{1,40}'|\"[^\"\n]{1,40}\")"
_ENDS = r"(?:start|begin|end|prefix|suffix)(?:s|ing|ning)?"
_TWO_KINDS = re.compile(
    rf"(?P<first>(?P<lead>.*?\b)(?P<verb>{_ENDS})\s(?P<kind>(?:[\w-]+\s){{1,4}}names?)\s(?:[\w-]+\s){{1,4}}{_QUOTE}),?\s"
    rf"(?:and|but)\s(?P<rest>(?:{_ENDS}\sthem|(?:[\w-]+\s){{1,4}}names?)\s(?:[\w-]+\s){{1,4}}{_QUOTE}.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
""" "Start function names with 'a_' and method names with 'b_'"; "start names with 'a_' and end them with '_b'"."""
_THEM = re.compile(rf"(?P<verb>{_ENDS})\sthem\s(?P<rest>.*)\Z", re.IGNORECASE | re.DOTALL)
_TWO_ENDS = re.compile(
    rf"(?P<first>(?P<lead>.*?\bnames?\s(?:(?:should|must|have to|"
    rf"need to)\s)?){_ENDS}\s(?:[\w-]+\s){{1,4}}{_QUOTE}),?\sand\s"
    rf"(?P<rest>{_ENDS}\s(?:[\w-]+\s){{1,4}}{_QUOTE}.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
""" "Names should start with 'a_' and end with '_b'"."""
