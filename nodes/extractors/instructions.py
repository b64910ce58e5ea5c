"""Standing instructions in English sentences: how the user wants things done from now on.

The forms that `english` knows stay its own; here they get the slot of an instruction, and what has no such form is read
by `standing`. A sentence whose object stands in the sentence before is joined with it.
"""

from __future__ import annotations

import re

from nodes.extractors import cues, directives, standing, text
from nodes.extractors.findings import Finding
from nodes.matters import PREFIX, slot_of

_CONFIDENCE = 0.75
_MAX_WORDS = 70
"""Longer sentences are read by `english` alone."""


def read(
    message: str, masked: str, sentence: text.Sentence, before: text.Sentence | None, found: list[Finding]
) -> list[Finding]:
    """`found`, what `english` made of a sentence, with the sentence's standing instruction. `before` precedes it."""
    words = " ".join(masked[sentence.start : sentence.end].split())
    kept = [finding for finding in found if not _announces(finding, masked)]
    if kept:
        return [_slotted(finding, masked) for finding in kept]
    if found or len(words.split()) > _MAX_WORDS or not _may_instruct(words, sentence) or not standing.lasts(words):
        return []
    start = sentence.start
    if _HANGING.search(directives.asked_for(words)):
        if before is None or before.question or sentence.start - before.start > text.MAX_CLAUSE_CHARS:
            return []
        start = before.start
    own = text.tidy(message[start : sentence.end])
    return [Finding(start, sentence.end, own, "profile", slot_of(own), "assert", _CONFIDENCE)]


def _may_instruct(words: str, sentence: text.Sentence) -> bool:
    """Not a question, unless it asks to always do something; nor what happens once, or is supposed or somebody's."""
    if sentence.question and not (cues.REQUEST.match(words) and cues.STANDING.search(words)):
        return False
    return not (cues.HYPOTHETICAL.match(words) and not cues.IF_FRAME.match(words))


def _announces(finding: Finding, masked: str) -> bool:
    """Whether it only announces an instruction, or repeats that one is to be followed."""
    words = " ".join(masked[finding.start : finding.end].split())
    return _unslotted(finding) and directives.asks(words) and directives.says_nothing_itself(words)


def _slotted(finding: Finding, masked: str) -> Finding:
    words = " ".join(masked[finding.start : finding.end].split())
    if not _unslotted(finding) or not _BIDS.match(directives.core(words)) and not directives.is_imperative(
        directives.core(words)
    ):
        return finding
    return finding._replace(slot=slot_of(finding.text), mergeable=False)


def _unslotted(finding: Finding) -> bool:
    return finding.slot is None and finding.memory_type == "profile" and finding.operation != "retract"


_BIDS = re.compile(
    r"(?:(?:i|we)(?:'d|\swould)?\s(?:\w+\s)?(?:want|need|like|expect|ask|prefer)\s(?:that\s)?(?:you|your)\b|you\s(?:should|must|need to|have to)\b|"
    r"(?:all|every|each|any)\s|(?:your|the)\s[\w ]{2,40}?\s(?:should|must|have to|need to)\b|(?:can|could|will|would) you\b|"
    r"we\s(?:always\s|never\s|now\s|only\s)*(?:use|don't|do not|avoid|prefer|require|start|end|name|write)\b|no\s)",
    re.IGNORECASE,
)
_HANGING = re.compile(r"(?:\w+\s){1,4}(?:it|them|these|those|such|so|this|that)\b(?!\s\w+s?\b)|\bsuch names?\b|\b(?:of|with|in|for) them\b", re.I)
"""Speaks of something that stands in the sentence before: "use '_x' at the end of them"."""
