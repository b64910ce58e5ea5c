"""`OfflineExtractor`: facts from the forms of sentences, with no model, no download and no state."""

from __future__ import annotations

from collections.abc import Sequence

from nodes.extraction import Extraction, ExtractionRequest, Fact, Problem
from nodes.extractors import cues, english, foreign, instructions, text
from nodes.extractors.findings import Finding

HEAD_CHARS, TAIL_CHARS = 150_000, 50_000
"""What is read of a message that is longer than both, in characters: that it was not read whole is reported."""
_ELSEWHERE = -2  # the place of what stands in another message
MAX_FACTS = 24
"""Facts taken from one message; more than that is a pasted document rather than somebody talking."""


class OfflineExtractor:
    """Reads a message sentence by sentence. Deterministic; costs time in proportion to the message's length.

    What is kept are the user's own statements: preferences, lasting facts, standing instructions (profile),
    current work (task context). Questions, suppositions, other people's words, courtesies and one-off episodes are not.
    """

    name = "offline"

    def extract(self, request: ExtractionRequest) -> Extraction:
        """The facts of `request.memory_type` in `request.text`; a message too long to read whole is reported."""
        message = text.clean(request.text)
        whole = len(message) <= HEAD_CHARS + TAIL_CHARS
        if not whole:
            message = f"{message[:HEAD_CHARS]}\n\n{message[-TAIL_CHARS:]}"
        found = [f for f in read(message, _said_before(request)) if f.memory_type == request.memory_type]
        facts = _distinct([_fact(message, finding) for finding in found])
        problems: list[Problem] = []
        if not whole:
            detail = f"read only the head and the tail of {len(request.text):,} characters"
            problems.append(Problem(kind="too_long", detail=detail))
        if len(facts) > MAX_FACTS:
            detail = f"kept the {MAX_FACTS} surest of {len(facts)} facts"
            problems.append(Problem(kind="too_many", detail=detail))
        return Extraction(facts=tuple(_surest(facts)), problems=tuple(problems))

    async def aextract(self, request: ExtractionRequest) -> Extraction:
        """The same; there is nothing to wait for."""
        return self.extract(request)


def read(message: str, earlier: Sequence[Finding] = ()) -> list[Finding]:
    """Everything a message says that is worth keeping, of both memory types, in order.

    `earlier` is what the user's message before it said, for a correction that names only the new value.
    """
    masked = text.mask(message)
    if cues.STAGED.search(masked):
        return []
    found: list[Finding] = []
    spoken = foreign.languages_of(masked)
    all_sentences = list(text.sentences(masked))
    for index, sentence in enumerate(all_sentences):
        words = masked[sentence.start : sentence.end]
        after = all_sentences[index + 1] if index + 1 < len(all_sentences) else None
        if cues.SARCASM.search(words) or (after and cues.SARCASM_AFTER.match(masked, after.start, after.end)):
            continue
        previous = all_sentences[index - 1] if index else None
        told = _read_sentence(message, masked, sentence, previous, [*earlier, *found], spoken)
        asked = after is not None and after.question  # what a question is about is no news for its own sake
        found.extend(f for f in told if not (asked and f.slot is None and cues.OCCASION.match(f.text)))
    return found


def _said_before(request: ExtractionRequest) -> list[Finding]:
    last = next((text.clean(said) for role, said in reversed(request.preceding) if role == "user"), "")
    return [finding._replace(start=_ELSEWHERE, end=_ELSEWHERE, mergeable=False) for finding in read(last)]


def _read_sentence(
    message: str,
    masked: str,
    sentence: text.Sentence,
    previous: text.Sentence | None,
    before: list[Finding],
    spoken: set[str],
) -> list[Finding]:
    """`spoken` are the languages of the message, for a sentence that does not show its own."""
    codes = foreign.languages_of(masked[sentence.start : sentence.end]) or spoken
    found: list[Finding] = []
    if not codes or "en" in codes:
        found = english.read(message, masked, sentence, before)
        found = instructions.read(message, masked, sentence, previous, found)
    return found or foreign.read(message, masked, sentence, codes)


def _surest(facts: list[Fact]) -> list[Fact]:
    """The `MAX_FACTS` of the highest confidence, in the order they were said."""
    ranked = sorted(range(len(facts)), key=lambda number: -facts[number].confidence)
    return [facts[number] for number in sorted(ranked[:MAX_FACTS])]


def _fact(message: str, found: Finding) -> Fact:
    evidence = message[found.start : found.end]
    return Fact(
        memory_type=found.memory_type,
        text=found.text[:2000],
        evidence=evidence[:4000],
        slot=found.slot,
        operation=found.operation,
        confidence=found.confidence,
    )


def _distinct(facts: list[Fact]) -> list[Fact]:
    """Without repetitions: the same words said twice are one fact."""
    seen = {(fact.operation, fact.slot, fact.text.casefold()): fact for fact in reversed(facts)}
    return list(reversed(seen.values()))
