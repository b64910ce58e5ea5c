"""When one text says what another does, judged by the content words they have in common. Knows no extractor."""

from __future__ import annotations

import re

from memory_kernel.lexical import content_terms

_QUOTED = re.compile(r"'([^'\s]+)'")
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e)$")
_AGAINST = re.compile(
    r"n't\b|\b(?:no|not|never|nor|without|avoid\w*|stop\w*|refrain\w*|instead|rather|skip\w*|cease\w*|discontinu\w*|"
    r"prohibit\w*|forb\w+)\b",
    re.IGNORECASE,
)
_OFTEN = frozenset({"alway", "never", "make", "sure", "remember"})
"""Every instruction has these, so they tell none from another."""


def stems(text: str) -> set[str]:
    """The content words of a text without their endings: "naming methods" and "name the method" have the same."""
    return {_ENDING.sub("", word) for word in content_terms(text)}


def overlap(words: set[str], text: str) -> float:
    """The share of `words`, which are stems, that a text has."""
    return len(words & stems(text)) / len(words) if words else 0.0


def states(instruction: str, sentence: str) -> float:
    """How much of an instruction a sentence states, 0 to 1; 0 if it does not state it.

    It does if it has the first name that the instruction quotes, whole (``'_x'``, ``'@retry'`` with or without the
    sign), and at least half of the content words outside quotation marks; without a name at least two of these, or all
    where there are fewer. What an instruction says never to do, the sentence must say with a word of refusal; the
    reverse is not asked for, since "don't forget to …" refuses nothing.
    """
    if instruction.lower().startswith("never") and not _AGAINST.search(sentence):
        return 0.0
    names = _QUOTED.findall(instruction)
    if names and not re.search(rf"(?<!\w){re.escape(names[0].lstrip('@'))}(?!\w)", sentence, re.IGNORECASE):
        return 0.0
    words = stems(_QUOTED.sub(" ", instruction)) - _OFTEN
    common = words & stems(sentence)
    fewest = 1 if names else min(2, len(words))
    return len(common) / len(words) if words and len(common) >= max(fewest, len(words) / 2) else 0.0


def best_stated(instructions: dict[str, str], sentence: str) -> list[str]:
    """The keys of the instructions that a sentence states most of; several only if it states them alike."""
    found = {key: states(text, sentence) for key, text in instructions.items()}
    most = max(found.values(), default=0.0)
    return [key for key, much in found.items() if much == most > 0]
