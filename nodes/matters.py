"""Which matter an instruction is about, so that a newer one about the same matter takes the place of the older.

Pure rules over words: no store, no model. The kernel's slots do the rest: every instruction has a slot of its own, and
one that replaces another is written into the slot of the other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

from memory_kernel.lexical import content_terms

PREFIX = "instruction."
"""What the slot of every instruction begins with."""


class Matter(NamedTuple):
    """What an instruction is about, as far as its words tell. Words stand without their endings.

    Attributes:
        named: whose names it rules ("function argument"); empty if it is not about names.
        aspects: what of these names it settles: how they start, end, are written, whether they hold a digit.
        objects: its content words, but for those that any instruction has, names and values.
        places: those of them that say where it applies ("in all methods").
        used: what it says to use, avoid, include or the like ("assert statements"); empty if that is a name.
        names: what stands in quotation marks, and decorators: each is a thing of its own.
        purpose: what something is used as ("as our main editor").
        instead_of: what it says it takes the place of.
        words: all its content words.
    """

    named: frozenset[str]
    aspects: frozenset[str]
    objects: frozenset[str]
    places: frozenset[str]
    used: frozenset[str]
    names: frozenset[str]
    purpose: frozenset[str]
    instead_of: frozenset[str]
    words: frozenset[str]


def slot_of(text: str) -> str:
    """The slot of an instruction of these words. It says nothing of them: slots stand where texts must not."""
    words = " ".join(sorted(content_terms(text))) or text.casefold()
    return PREFIX + hashlib.sha256(words.encode()).hexdigest()[:16]


def is_instruction(slot: object) -> bool:
    """Whether a slot is one of an instruction."""
    return isinstance(slot, str) and slot.startswith(PREFIX)


def same_matter(new: str, old: str) -> bool:
    """Whether two instructions settle the same thing, so that only the newer may hold.

    They do if they rule the same aspect of the same names; or if they name something for the same purpose; or if they
    speak of the same objects in the same places, however they bid or forbid. Two decorators are two matters.
    """
    return _same(matter(new), matter(old))


def replaced(new: str, older: Sequence[str]) -> int | None:
    """Which of the older instructions (oldest first) a new one takes the place of; the newest if there are several."""
    mine = matter(new)
    return next((number for number in reversed(range(len(older))) if _same(mine, matter(older[number]))), None)


def matter(text: str) -> Matter:
    """What the words of an instruction say it is about."""
    plain = _REASON.sub("", " ".join(_TIMES.sub(" ", text).split()))
    bare = _VALUES.sub(" ", _NAMES.sub(" x ", plain))
    named = _whose_names(bare)
    common = _PROPER.sub(" ", bare)  # without proper names, which are values; a sentence's first word is none
    objects = _stems(common) - _IDLE
    used = _USED.search(common)
    purpose = _PURPOSE.search(bare)
    instead_of = _INSTEAD_OF.search(plain)
    return Matter(
        named=named,
        aspects=frozenset(aspect for aspect, form in _ASPECTS.items() if form.search(plain)) if named else frozenset(),
        objects=objects,
        places=frozenset(stem for found in _PLACE.findall(bare) for stem in _stems(found)) & objects,
        used=_stems(used["what"]) - _IDLE if used else frozenset(),
        names=frozenset(name.strip("'\"`@").casefold() for name in _NAMES.findall(plain)),
        purpose=_stems(purpose["as"] or purpose["our"]) - _IDLE if purpose else frozenset(),
        instead_of=_stems(instead_of["old"]) - _IDLE if instead_of else frozenset(),
        words=_stems(plain),
    )


def _whose_names(text: str) -> frozenset[str]:
    """What a text about names says they are names of: in a frame ("when naming X, …") rather than in passing."""
    spoken_of = list(_NAMED.finditer(text))
    framed = [" ".join(filter(None, (found["after"], found["of"], found["whose"]))) for found in spoken_of]
    passing = [" ".join(w for w in (found["before"] or "").split() if not w.endswith("ing")) for found in spoken_of]
    for words in (*framed, *passing, *(_PLACE.findall(text) if spoken_of else ())):
        stems = _stems(words) - _IDLE
        if stems:
            return stems
    return frozenset()


def _same(new: Matter, old: Matter) -> bool:
    if new.words == old.words:
        return True
    if new.aspects or old.aspects:
        return new.named == old.named and bool(old.aspects) and old.aspects <= new.aspects
    if new.names - old.names and old.names - new.names:
        return False
    if new.places - old.objects and old.places - new.objects:
        return False
    if new.purpose and old.purpose:
        return _share(new.purpose, old.purpose) >= _ALIKE
    if new.instead_of and new.instead_of <= old.words:
        return True
    if new.used and old.used and (new.used <= old.used or old.used <= new.used):
        return True
    if new.purpose or old.purpose:
        purpose, objects = (new.purpose, old.objects) if new.purpose else (old.purpose, new.objects)
        if purpose <= objects and len(purpose) > 1:
            return True
    return _share(new.objects, old.objects) >= _ALIKE and _share_of_all(new.objects, old.objects) >= _ALIKE_OF_ALL


_ALIKE, _ALIKE_OF_ALL = 0.75, 0.4
"""The shares of common words, of the shorter's and of both together, from which two speak of the same."""


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    fewer = min(len(one), len(other))
    return len(one & other) / fewer if fewer else 0.0


def _share_of_all(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0


def _stems(text: str) -> frozenset[str]:
    return frozenset(_ENDING.sub("", word) for word in content_terms(text))


_FLAGS = re.IGNORECASE
_ENDING = re.compile(r"(?<=\w{3})(?:ations?|ing|ed|ies|es|s|e|y)$")
_NAMES = re.compile(r"'[^'\s]{1,40}'|\"[^\"\s]{1,40}\"|`[^`\s]{1,40}`|(?<!\w)@\w+|(?<!\w)_\w+|\b\w+_(?!\w)")
_VALUES = re.compile(r"\b\d[\d.,]*\w*\b")
_PROPER = re.compile(r"(?<=[\w,;:] )(?![A-Z]{2,5}s?\b)(?:[A-Z][\w+#.-]*\w|[A-Z])(?![\w'])")
_TIMES = re.compile(
    r"\b(?:from now on(?:wards)?|going forward|moving forward|from here on|in (?:the )?future|as of (?:now|today)|"
    r"effective immediately|at all times|by default|any ?more|any longer)\b,?",
    _FLAGS,
)
_REASON = re.compile(
    r"(?:,?\s(?:so that|because|since|in order to|(?<!you\s)to (?:ensure|maintain|avoid confusion|help|make|"
    r"keep things|improve|"
    r"validate|catch|be able)|as (?:it|this|that|we|they)\b|which|even (?:if|though)|so (?:we|you|that|it)\b)"
    r"|,\s(?:it|this|that|they)(?:'s|'ll|\s(?:is|will|makes|helps))\b|\s[–—-]+\s|[;—])[^,;]*",
    _FLAGS,
)
_DETERMINERS = r"(?:(?:all|any|every|each|your|our|the|my|their|of|these|those|new|a|an)\s)*"
_NAMED = re.compile(
    rf"\bnam(?:es?|ing)\s(?:of\s|for\s)?{_DETERMINERS}(?P<after>(?!(?:is|are|with|should|must|in|to|and|that|start|end|"
    r"begin|convention|conventions)\b)\w+(?:\s(?!(?:is|are|with|should|must|in|to|and|that|start|end|begin|of)\b)\w+)?)"
    rf"(?:\sof\s{_DETERMINERS}(?P<of>\w+))?|"
    rf"\b(?P<before>(?:\w+\s){{1,2}})names?\b(?:\s(?:of|for)\s{_DETERMINERS}(?P<whose>\w+))?",
    _FLAGS,
)
"""Whose names are spoken of: "function argument names", "names of methods", "naming your methods"."""
_ASPECTS = {
    "start": re.compile(r"\b(?:(?:start|begin)(?!\w*\s\w+ing\b)|prefix|prepend|preced)", _FLAGS),
    "end": re.compile(r"\b(?:end|ends|ended|ending|suffix\w*|append\w*|finish\w*)\b", _FLAGS),
    "digit": re.compile(r"\b(?:digits?|numbers?|numerals?)\b", _FLAGS),
    "case": re.compile(r"case\b|\b(?:camel|pascal|snake|kebab)|\b(?:upper|lower)|\bcapital", _FLAGS),
    "length": re.compile(r"\b(?:long|longer|short|shorter|characters|letters|length)\b", _FLAGS),
}
_PLACE = re.compile(rf"\b(?:in|to|for|of|on|with|at|into)\s{_DETERMINERS}(\w+(?:\s\w+)?)", _FLAGS)
_USED = re.compile(
    r"\b(?:us(?:e|es|ed|ing)|utili[sz](?:e|ing)|leverag(?:e|ing)|avoid(?:ing)?|includ(?:e|es|ing)|incorporat(?:e|ing)|"
    r"add(?:ing)?|need|without|forget about|tak(?:e|ing)|writ(?:e|ing)|set(?:ting)? up|employ(?:ing)?|adopt(?:ing)?|"
    rf"prefer|keep|skip(?:ping)?|stop)\s(?!(?:us|add|includ|avoid|incorporat)\w*ing\b){_DETERMINERS}"
    r"(?P<what>(?!(?:with|in|for|to|as|when|from|and|or|on|at|of|while|before|by|you)\b)[\w'-]+(?:\s(?!(?:with|in|into|for|to|as|"
    r"when|whenever|from|and|or|on|at|of|while|before|by|but|unless|than|is|are)\b)[\w'-]+){0,2})",
    _FLAGS,
)
_PURPOSE = re.compile(
    r"\bas\s(?:(?:the|your|our|my|an?)\s)(?P<as>(?:[\w()-]+\s?){1,4})|"
    r"\b(?:our|the|your|my)\s(?P<our>(?:(?:main|primary|preferred|default|standard|official)\s)?(?:[\w-]+\s){1,4}?)"
    r"(?:(?:is|are|will be)|(?:to|tool)\b)",
    _FLAGS,
)
"""What something is used as: "use X as our main editor", "our main editor is X"."""
_INSTEAD_OF = re.compile(
    r"\b(?:instead of|rather than|in place of|(?:switch|mov|migrat|transition|chang)\w*(?:\s\w+){0,3}?\sfrom|"
    r"no longer (?:use|need)|(?:stop|forget about|without|avoid)(?:\susing)?)\s"
    rf"{_DETERMINERS}(?:using\s)?(?P<old>[\w'@.+#-]+(?:\s(?!to\b|and\b|for\b|in\b|as\b|when\b)[\w'-]+)?)",
    _FLAGS,
)
_IDLE = _stems(
    "always never please use using used uses utilize make sure ensure remember want like need should must have going "
    "start begin end stop avoid include including add adding write name names naming named instead rather now longer "
    "new update updated change changed switch switched move moved convention rule practice standard policy thing "
    "team company work working code coding project projects python everyone people consistent consistency important "
    "importance emphasize go take keep get let give put also just main primary preferred default recommend suggest "
    "consider decided prefix suffix follow adopt require required mandatory note well least all any every each x "
    "such same altogether entirely completely primarily strictly sole solely habit develop developing "
    "development time times note way "
)
"""What any instruction may have, so that it tells none from another."""
