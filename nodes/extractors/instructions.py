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
    said_of_it = [f for f in found if not _speaks(f, masked)]
    kept = [
        f
        for f in said_of_it
        if not (_announces(f, masked) or _of_an_organisation(f, masked) or _towards_the_hearer(f, masked))
    ]
    if kept:
        if len(kept) == 1 and _bids(kept[0], masked):
            whole = _standing_alone(message, masked, before, sentence, kept[0])
            return _slotted(whole) if whole else []
        return [part for f in kept for part in (_slotted(f) if _bids(f, masked) else [f])]
    if said_of_it or len(words.split()) > _MAX_WORDS or not _may_instruct(words, sentence) or not standing.lasts(words):
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
    whole = _standing_alone(message, masked, before, sentence, new)
    return _slotted(whole) if whole else []


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
    ahead = words[: words.find(asked)]
    framed = _FRAMED.search(ahead) is not None and not _PRONOUN.search(ahead)
    return not framed and _HANGING.match(asked) is not None


def _standing_alone(
    message: str, masked: str, before: text.Sentence | None, sentence: text.Sentence, finding: Finding
) -> Finding | None:
    """An instruction together with what says of which thing it speaks; None if nothing does.

    That may stand in its own sentence ("while tabs look nice, I want you to avoid them") or in the one before.
    """
    words = " ".join(masked[sentence.start : sentence.end].split())
    whole_hangs, ahead = _hangs(words), len(masked[sentence.start : finding.start].split())
    if not whole_hangs and not (ahead and _hangs(" ".join(masked[finding.start : finding.end].split()))):
        return finding
    if whole_hangs or ahead < _FEWEST_WORDS:
        return _joined(message, masked, before, sentence, finding)
    if _HANGS_ITSELF.match(words):
        return None
    said = text.tidy(message[sentence.start : finding.end])
    return finding._replace(start=sentence.start, text=said, mergeable=False)


def _joined(
    message: str, masked: str, before: text.Sentence | None, sentence: text.Sentence, finding: Finding
) -> Finding | None:
    """A finding together with the sentence before, which says what it speaks of; None if that cannot."""
    if before is None or before.question or sentence.start - before.start > text.MAX_CLAUSE_CHARS:
        return None
    words = " ".join(masked[before.start : before.end].split())
    if len(words.split()) < _FEWEST_WORDS or _HANGS_ITSELF.match(words):
        return None
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


def _speaks(finding: Finding, masked: str) -> bool:
    """Whether it only says that the speaker says something: what is said may still be an instruction."""
    return _unslotted(finding) and _SPEECH_ACT.match(" ".join(masked[finding.start : finding.end].split())) is not None


def _towards_the_hearer(finding: Finding, masked: str) -> bool:
    """Whether it is a promise or an attitude to the one spoken to, or a maxim, and no fact about the user."""
    words = " ".join(masked[finding.start : finding.end].split())
    if not _unslotted(finding) or _bids(finding, masked):
        return False
    if _TOWARDS_YOU.match(words):
        return True
    return _MAXIM.match(words) is not None and not _OF_MINE.search(words)


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
_FRAMED = re.compile(r"\b(?:for|when|in|with)\s[^,]{4,60},\s", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:they|them|it)\b", re.IGNORECASE)
_HANGING = re.compile(
    r"(?:[\w'-]+\s){1,5}(?:it|them|so|such|(?:this|that|these|those)(?:\s(?!is\b|are\b|you\b|we\b|i\b|the\b|all\b|"
    r"your\b|every\b)\w+)?)"
    r"(?:\s(?:to|in|for|with|at|on|as|everywhere|\w+ly|consistently|from|whenever|when|\w+ing)\b|[\s.!,]*\Z)|"
    r".*\b(?:such names?|(?:of|with|in|for|on) (?:them|these|those)\b)",
    re.IGNORECASE,
)
"""Speaks of something that stands in the sentence before: "use '_x' at the end of them", "add it to all methods"."""
_HANGS_ITSELF = re.compile(r"(?:they|it)\b|(?:that|this|these|those)(?:'s|'re|\s(?:is|was|are|were))\b", re.IGNORECASE)
_SPEECH_ACT = re.compile(
    rf"(?:[^,]{{1,60}},\s)?(?:i|we)(?:'d\slike|\swant|\swould\slike)\sto\s{directives.SAYS}", re.IGNORECASE
)
_TOWARDS_YOU = re.compile(
    r"(?:[^,]{1,60},\s)?i(?:(?:'m|\sam)\s(?:\w+ly\s)?(?:\w+ed|happy|glad|here|proud|sure|confident)\s(?:to|in|about|"
    r"for|of|that)|"
    r"(?:'ve|\shave)\s(?:an?|some|one)\s[^,]{1,40}\sfor|\swant\sto|\sbelieve|\strust|\sappreciate|\svalue)\b"
    r"(?!.*\b(?:when|if|where|how)\syou\b).*\b(?:you|you're|your)\b|"
    r"i\s(?:really\s|do\s)?(?:like|love)\s(?:where|how|what)\s(?:this|that|it|you|we|things)\b",
    re.IGNORECASE,
)
"""A promise, a wish or an attitude whose aim is the one spoken to: "I'm committed to helping you"."""
_MAXIM = re.compile(
    r"(?:always\skeep in mind\b|as\syou\s|your\s|these\s|those\s|(?:[\w'-]+\s(?:and|or)\s)?[\w'-]+ing\s|"
    r"(?!(?:the|my|our|i|we|a|an|his|her|their|no)\b)(?:[\w'-]+\s){1,5}?(?:is|are)\s(?:\w+ly\s|so\s|very\s|just\sas\s|"
    r"all\s)?"
    r"(?:about|important|essential|crucial|vital|necessary|key|critical|fundamental)\b)",
    re.IGNORECASE,
)
"""What holds for everybody, or is said of the hearer: "giving feedback is essential", "your effort will be seen"."""
_OF_MINE = re.compile(r"\b(?:i|i'm|i've|me|my|mine|myself)\b", re.IGNORECASE)
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
