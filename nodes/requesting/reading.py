"""From a message to what the user asks of their memory. Pure; reads the user's own words and nothing they hand over.

A request is a clause that has the form of one as a whole: what is quoted, pasted, narrated or supposed is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from nodes.extractors import text
from nodes.requesting import phrases
from nodes.requesting.phrases import Phrases

MAX_REQUESTS = 12
"""Requests taken from one message; more than that is a pasted list rather than somebody asking."""
_MAX_READ = 8000
_NARRATED = 400  # characters before a request in which somebody may be said to have said it


@dataclass(frozen=True, slots=True)
class Remember:
    """Keep these words."""

    words: str
    language: str


@dataclass(frozen=True, slots=True)
class Forget:
    """Take out of use what says this (``"I live in Lisbon"``), or, as a topic, what is about it (``"my address"``)."""

    words: str
    language: str
    topic: bool = False


@dataclass(frozen=True, slots=True)
class ForgetEverything:
    """Take everything out of use. `confirmed`: these are the words that confirm it, if it was asked for before."""

    language: str
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Recall:
    """Say what is known: about the user, or only about a topic."""

    language: str
    topic: str | None = None


Request = Remember | Forget | ForgetEverything | Recall


class Reading(NamedTuple):
    """The requests of a message in order, and what else it says; `left` is empty when that is courtesy at most."""

    requests: list[Request]
    left: str


def read(message: str) -> Reading:
    """The requests in one message of the user. Never raises; most messages cost one search."""
    if len(message) > _MAX_READ or not phrases.TRIGGER.search(message):
        return Reading([], message)
    original = text.clean(message)
    masked = _own(original)
    found: list[tuple[text.Span, Request]] = []
    before: text.Span | None = None
    for sentence in text.sentences(masked):
        previous: Request | None = None
        for piece, after in _pieces(masked, sentence):
            read_so_far = previous is not None
            previous = None
            if (
                not after
                or read_so_far
                or not _NARRATES.search(masked, max(sentence.start, piece.start - _NARRATED), piece.start)
            ):
                hit = _request(original, masked, piece, sentence.question, before)
                if hit is not None:
                    found.append(hit)
                    previous = hit[1]
            before = piece
        if len(found) >= MAX_REQUESTS:
            break
    if not found:
        return Reading([], message)
    return Reading([request for _, request in found], _left(original, [span for span, _ in found]))


def agrees(message: str) -> str | None:
    """The language of a message that is a bare "yes"; None for any other."""
    found = _YES.fullmatch(message)
    return next((language for language, word in found.groupdict().items() if word), None) if found else None


def _own(original: str) -> str:
    """The message with everything that is not the user's own wish blanked out, at the same length."""
    if _WHOLE_QUOTE.match(original):
        return "\n" * len(original)
    masked = text.mask(original)
    handed = _HANDS_OVER.search(masked)
    return masked if handed is None else masked[: handed.end()] + "\n" * (len(masked) - handed.end())


def _pieces(masked: str, sentence: text.Sentence) -> Iterator[tuple[text.Span, bool]]:
    """The parts of a sentence that could each be a request, and whether something stands before them."""
    start, first = sentence.start, True
    if any(_fits(p.confirm_all, masked, start, _end(masked, start, sentence.end)) for p in phrases.LANGUAGES):
        yield text.Span(start, sentence.end), False
        return
    for joint in _JOINT.finditer(masked, sentence.start, sentence.end):
        if joint.start() <= start:
            continue
        yield text.Span(start, joint.start()), not first
        start, first = joint.end(), False
    yield text.Span(start, sentence.end), not first


def _request(
    original: str, masked: str, piece: text.Span, question: bool, before: text.Span | None
) -> tuple[text.Span, Request] | None:
    for language in phrases.LANGUAGES:
        start, end = _core(language, masked, piece)
        if end <= start:
            continue
        request = _in_language(original, masked, language, text.Span(start, end), question)
        if request is not None:
            return piece, request
        # "I'm allergic to nuts. Remember that."
        if before is not None and not question and _fits(language.remember_that, masked, start, end):
            words = text.tidy(original[before.start : before.end])
            if len(words.split()) > 1 and not original[before.start : piece.start].rstrip(" ,").endswith(("?", "？")):
                return text.Span(before.start, piece.end), Remember(words, language.code)
    return None


def _in_language(original: str, masked: str, language: Phrases, core: text.Span, question: bool) -> Request | None:
    code, (start, end) = language.code, core
    if _fits(language.confirm_all, masked, start, end):
        return ForgetEverything(code, confirmed=True)
    if _fits(language.recall_all, masked, start, end):
        return Recall(code)
    topic = _words(language.recall_topic, original, masked, core, topic=True)
    if topic is not None:
        return Recall(code, topic)
    if question and not _ASKS_TO.match(masked, start, end):
        return None  # "Do you remember that I …?" wants an answer
    if _fits(language.forget_all, masked, start, end):
        return ForgetEverything(code)
    for forms, is_topic in ((language.forget_fact, False), (language.forget_topic, True)):
        words = _words(forms, original, masked, core, topic=is_topic)
        if words is not None:
            return Forget(words, code, is_topic)
    words = _words(language.remember, original, masked, core)
    return None if words is None else Remember(words, code)


def _core(language: Phrases, masked: str, piece: text.Span) -> text.Span:
    """A piece without greetings before it and thanks after it."""
    start, end = piece
    for _ in range(4):
        opening = language.opener.match(masked, start, end)
        if opening is None or _fits(language.confirm_all, masked, start, _end(masked, start, end)):
            break
        start = opening.end()
    end = _end(masked, start, end)
    closing = re.compile(rf"{language.tail.pattern}+\Z", re.IGNORECASE).search(masked, start, end)
    return text.Span(start, _end(masked, start, closing.start() if closing else end))


def _end(masked: str, start: int, end: int) -> int:
    while end > start and (masked[end - 1].isspace() or masked[end - 1] in _CLOSING):
        end -= 1
    return end


def _fits(forms: tuple[re.Pattern[str], ...], masked: str, start: int, end: int) -> bool:
    return any(form.fullmatch(masked, start, end) for form in forms)


def _words(
    forms: tuple[re.Pattern[str], ...], original: str, masked: str, core: text.Span, *, topic: bool = False
) -> str | None:
    """What the request is about: a statement as a sentence of its own, a topic as it stands."""
    for form in forms:
        match = form.fullmatch(masked, *core)
        if match:
            words = original[slice(*match.span("words"))]
            return (" ".join(words.split()) if topic else text.tidy(words)) or None
    return None


def _left(original: str, taken: list[text.Span]) -> str:
    """The message without the requests; nothing, if only greetings and thanks are left."""
    parts, at = [], 0
    for span in taken:
        parts.append(_LOOSE_END.sub("", original[at : max(span.start, at)]))
        at = max(at, span.end)
    parts.append(_LOOSE_START.sub("", original[at:]))
    left = " ".join(part.strip() for part in parts if part.strip())
    return "" if _COURTESY.fullmatch(left) else left


_YES = re.compile(
    r"\s*(?:(?P<en>(?:yes|yep|yeah|ok|okay|sure|i'm sure|do it)(?:,? (?:please|i'm sure|do it))?)|"
    r"(?P<es>sí)|(?P<pt>sim)|(?P<fr>oui)|(?P<it>sì)|(?P<de>ja)|(?P<zh>是|是的|好的?|确定)|(?P<ja>はい|お願いします))[\s.!。！]*",
    re.IGNORECASE,
)
_CLOSING = ".!?。！？…,;:，；："
_WHOLE_QUOTE = re.compile(r'\s*["“«„「『‘].*["”»“」』’][\s.!]*\Z', re.DOTALL)
_HANDS_OVER = re.compile(
    r"\b(?:e-?mails?|mail|messages?|letters?|texts?|articles?|documents?|logs?|transcripts?|chats?|notes?|posts?|says?|"
    r"said|wrote|writes|quotes?|lyrics|poems?|story|stories|tickets?|comments?|output|scripts?|dialogues?|prompts?|"
    r"example|"
    r"correo|mensaje|texto|nachricht|brief|message|texte|courriel|mensagem|messaggio|testo)\b[^\n]{0,80}:[ ]*\n",
    re.IGNORECASE,
)
"""A line that introduces what is not the user's own: everything below it is handed over."""
_REQUEST_VERB = (
    r"(?=(?:(?:please|also|then|kindly|just|bitte|por favor)\s+)*(?:(?:can|could|will|would)\s+you\s+(?:please\s+)?)?"
    r"(?:remember|don't\s+forget|do\s+not\s+forget|never\s+forget|forget|delete|erase|wipe|keep\s+in\s+mind|"
    r"bear\s+in\s+mind|memori[sz]e|what\s+(?:do|have)\s+you\s+|recuerda|olvida|qué\s+sabes|merk|vergiss|was\s+weißt|"
    r"souviens-toi|retiens|oublie|n'oublie|lembr|esque[cç]|ricorda|dimentica)\b)"
)
_OTHER_VERB = (
    r"(?=(?:(?:please|also|then|just|instead)\s+)*(?:tell\s|write\s|explain\s|show\s|give\s+me|help\s+me|suggest\s|"
    r"recommend\s|answer\s|summari[sz]e\s|translate\s|draft\s|what|how|where|which|who|why|can\s+you|could\s+you|"
    r"would\s+you|should\s+i|do\s+you)\b)"
)
_JOINT = re.compile(
    rf"(?:[,;]|\s[-–—])?\s+(?:(?:and|but|so|then|also|y|e|und|et|ma|mais|pero|aber)\s+){{1,2}}(?:{_REQUEST_VERB}|"
    rf"{_OTHER_VERB})|"
    rf"(?:[,;]|\s[-–—])\s+(?:{_REQUEST_VERB}|{_OTHER_VERB})|[，、]\s*(?=(?:请|麻烦|忘|记住|你知道))",
    re.IGNORECASE,
)
_NARRATES = re.compile(
    r"\b(?:he|she|they|who|someone|somebody|people|everyone|said|says?|told|tells?|asks?|asked|want(?:s|ed)?|(?:go|"
    r"going|come|need|have|has|had|like|able|me|him|her|us|them|you|supposed) to|should|"
    r"would|could|must|might|if|when|whenever|unless|imagine|suppose|story|poem|song|lyrics|character|tried|tr(?:y|"
    r"ies)|"
    r"trying|can't|cannot|never|always|often|sometimes|tend|used|write|translate|act|pretend|line|scene)\b",
    re.IGNORECASE,
)
"""Before "and forget that …" these make it part of what is told, wanted or supposed."""
_ASKS_TO = re.compile(
    r"(?:please\s+|por favor,?\s+|bitte\s+)?(?:(?:can|could|will|would|can't|won't) you|would you|puedes|podrías|"
    r"podes?|pode|você pode|peux-tu|pourrais-tu|pouvez-vous|tu peux|kannst du|könntest du|puoi|potresti)\b|"
    r".*(?:くれますか|くれる|好吗)\Z",
    re.IGNORECASE,
)
_LOOSE_END = re.compile(
    r"[\s,;:–—-]*(?:\b(?:and|but|so|then|y|e|und|et|ma|mais|pero|aber)\b[\s,;:–—-]*)?\Z", re.IGNORECASE
)
_LOOSE_START = re.compile(r"\A[\s.,;:!?。！？–—-]*(?:(?:and|but|so|then|y|e|und|et|ma|mais)\b[\s,]*)?", re.IGNORECASE)
_COURTESY = re.compile(
    r"(?:[\W_]|\b(?:hi|hello|hey|there|dear|good|morning|evening|afternoon|please|thanks|thank|you|so|much|a|lot|ok|"
    r"okay|"
    r"well|great|yes|no|and|also|then|oh|hola|buenos|días|gracias|por|favor|hallo|guten|tag|bitte|danke|bonjour|"
    r"salut|merci|"
    r"s'il|te|vous|plaît|olá|oi|obrigad[oa]|ciao|grazie|per|favore)\b|你好|您好|谢谢|请|こんにちは|ありがとう(?:ございます)?|"
    r"お願いします|よろしく)*",
    re.IGNORECASE,
)
