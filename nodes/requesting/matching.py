"""Which memories a request is about: exactly enough, since what is taken by mistake is lost and what is missed can be
asked for again. Pure rules over words; knows no store."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from memory_kernel import MemoryItem
from memory_kernel.lexical import content_terms, terms
from nodes.extractors.vocabulary import KIN

# An item states it if it has nearly all of its words, and if they are a good part of what the item says, so that a long
# item is not lost for a detail.
_OF_REQUEST, _OF_REQUEST_UNSPACED, _OF_ITEM = 0.75, 0.85, 0.3

_ASIDE = frozenset("really still currently now anymore longer actually also always ever already just".split())

_SLOTS = {
    "user_name": "name nombre nom nome",
    "location": "address location city town home residence whereabouts dirección ciudad domicilio adresse wohnort "
    "stadt anschrift ville domicile endereço morada cidade indirizzo città 住所 地址 住址",
    "occupation": "job occupation profession career work trabajo profesión empleo beruf arbeit job métier travail "
    "profession trabalho profissão emprego lavoro professione 仕事 工作 职业 職業",
    "preferred_language": "language idioma lengua sprache langue língua lingua 言語 语言",
    "response_style": "style estilo stil stile",
    "current_project": "project proyecto projekt projet projeto progetto プロジェクト 项目",
    "preferred_tools": "tools herramientas werkzeuge outils ferramentas strumenti",
    "goals": "goal goals",
    "blockers": "blocker blockers",
}
"""What people call what a slot holds."""

Says = Callable[[str], bool]
"""Whether one sentence is meant."""


def meant(words: str, items: Iterable[MemoryItem], *, topic: bool) -> list[MemoryItem]:
    """The items that a request to forget is about: that state its words, or concern its topic."""
    return concerns(words, items) if topic else states(words, items)


def said_in(words: str, text: str, *, topic: bool) -> bool:
    """Whether a message says in some sentence what a request to forget is about."""
    says = _speaks_of(words) if topic else _states(words)
    return any(says(part) for part in _sentences(text))


def states(words: str, items: Iterable[MemoryItem]) -> list[MemoryItem]:
    """The items that say what `words` say: "I live in Lisbon" is neither "I live in Porto" nor "my sister lives …"."""
    says = _states(words)
    return [item for item in items if any(says(part) for part in _parts(item))]


def concerns(topic: str, items: Iterable[MemoryItem]) -> list[MemoryItem]:
    """The items about a topic ("my address", "the deadline"): in its slot, or with all of its words in one sentence."""
    wanted = _topic_stems(topic)
    slots = _slots_called(topic)
    speaks_of = _speaks_of(topic)

    def about(item: MemoryItem) -> bool:
        slot = item.slot
        if slot is not None and (slot.partition(".")[0] in slots or wanted == _stems(re.sub("[_.]", " ", slot))):
            return True
        return any(speaks_of(part) for part in _parts(item))

    return [item for item in items if about(item)] if wanted else []


def covers(words: str, texts: Iterable[str]) -> bool:
    """Whether texts, taken together, say nearly everything that `words` do."""
    wanted = _stems(words)
    have = {stem for text in texts for stem in _stems(text)}
    return bool(have) and len(wanted & have) >= _OF_REQUEST * len(wanted)


def _states(words: str) -> Says:
    wanted = _stems(_I.sub("", words), without=_ASIDE)
    exact = _exact_terms(words)
    enough = _OF_REQUEST_UNSPACED if _UNSPACED.search(words) else _OF_REQUEST

    def says(said: str) -> bool:
        have = _stems(said, without=_ASIDE)
        common = len(wanted & have)
        return (
            common > 0
            and common >= enough * len(wanted)
            and common >= _OF_ITEM * len(have)
            and exact <= {_stem(term) for term in terms(said)}
            and _negated(words) == _negated(said)
            and _same_subject(words, said, wanted)
        )

    return says


def _speaks_of(topic: str) -> Says:
    wanted = _topic_stems(topic)
    own = _OWN.match(topic) is not None
    names_a_slot = bool(_slots_called(topic))

    def says(said: str) -> bool:
        have = _stems(said)
        if not wanted or not all(any(_related(term, other) for other in have) for term in wanted):
            return False
        somebody = _SOMEBODY.search(said) if own else None
        if somebody is not None and not wanted & _stems(somebody["who"]):
            return False
        # "My cat's name" is nothing about "my name".
        return not names_a_slot or any(
            wanted & _stems(" ".join(filter(None, found.groups()))) for found in _OWNED.finditer(said)
        )

    return says


def bare(topic: str) -> str:
    """A topic without whose it is: "my dog" as "dog"."""
    return _OWN.sub("", topic, count=1) if _OWN.match(topic) else topic


def _topic_stems(topic: str) -> set[str]:
    return _stems(bare(topic))


def _slots_called(topic: str) -> set[str]:
    """The slots that hold what the user calls "my …"."""
    if _OWN.match(topic) is None:
        return set()
    wanted = _topic_stems(topic)
    return {slot for slot, names in _SLOTS.items() if wanted & {_stem(name) for name in names.split()}}


def _parts(item: MemoryItem) -> Iterator[str]:
    """What an item says; of a conversation, sentence by sentence."""
    if item.memory_type != "conversation" or not isinstance(item.content, dict):
        yield item.text
        return
    yield from _sentences(str(item.content.get("said", "")))


def _sentences(text: str) -> Iterator[str]:
    return (part for part in _SENTENCE.split(text) if part.strip())


def _same_subject(words: str, said: str, wanted: set[str]) -> bool:
    """Whether both speak of the same person or thing, as far as their first words say: "I", or "my sister"."""
    mine, its = _SUBJECT.match(words), _SUBJECT.match(said)
    if mine is not None and its is not None:
        return _stem(mine["what"].casefold()) == _stem(its["what"].casefold())
    return its is None or _stem(its["what"].casefold()) in wanted


def _exact_terms(words: str) -> set[str]:
    """Names and numbers: an item without them is about something else, however much it resembles."""
    names = [w for i, w in enumerate(words.split()) if any(c.isdigit() for c in w) or (i and w[:1].isupper())]
    return {_stem(term) for name in names for term in content_terms(name)}


def _negated(words: str) -> bool:
    return _NEGATION.search(words) is not None


def _stems(words: str, without: frozenset[str] = frozenset()) -> set[str]:
    return {_stem(term) for term in content_terms(words) - without}


def _stem(term: str) -> str:
    """A word without the endings by which its forms differ; "live", "lives", "lived" and "living" are one."""
    for ending in ("ing", "ies", "ied", "es", "ed", "y", "s", "e"):
        if term.endswith(ending) and len(term) - len(ending) >= 3:
            return term[: -len(ending)] + ("i" if ending in ("ies", "ied", "y") else "")
    return term


def _related(one: str, other: str) -> bool:
    """Also of one family: "allergies" and "allergic"."""
    if one == other:
        return True
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= 5 and max(len(one), len(other)) - shared <= 3


def closest(ranked: Sequence[tuple[MemoryItem, float]], least: float, limit: int) -> list[MemoryItem]:
    """The best few that bear on what was asked at all, best first."""
    near = sorted((r for r in ranked if r[1] >= least), key=lambda r: -r[1])
    return [item for item, _ in near[:limit]]


_I = re.compile(r"\A(?:私|僕|俺|わたし)[はがも]?|\A我")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")
_OWN = re.compile(
    r"(?:my|our|mis?|mein(?:e|en|em|er)?|mon|ma|mes|meus?|minhas?|mio|mia|miei|mie)\s|我的|(?:私|僕|俺|わたし)の",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?:my|our|mi|mis|mein|meine|mon|ma|mes|meu|minha|mio|mia|il\s+mio|la\s+mia|o\s+meu|a\s+minha)\s+(?P<what>\w+)",
    re.IGNORECASE,
)
_OWNED = re.compile(
    r"\b(?:my|our|the\suser's|mis?|mein(?:e|en|em|er)?|mon|ma|mes|meus?|minhas?|mio|mia)\s+(\w+)(?:\s+(\w+))?|"
    r"(?:我的|私の|僕の|俺の)(\w{1,6})",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(rf"\b(?:my|our)\s(?:\w+\s)?(?P<who>{KIN})\b", re.IGNORECASE)
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|cannot|\w+n't|\w+n’t|without|nicht|nie|kein\w*|nunca|jamás|não|non|ne|n'|pas|jamais|"
    r"mai)\b|"
    r"不|没|ません|ない",
    re.IGNORECASE,
)
