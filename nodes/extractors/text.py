"""From a raw message to the stretches in which the user speaks: bounded, masked, cut into sentences and clauses.

Every function keeps offsets, so what is found can be quoted verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memory_kernel.formatting import BLOCK
from nodes.extractors.vocabulary import HINDERING, OVER

MAX_CLAUSE_CHARS = 600
QUOTED = "□"
"""Stands for each character of quoted speech: still a word to the patterns, but one that says nothing."""

FRAME = (
    r"(?:(?:when(?:ever)?|while|because|if|as|since|given|once|although|though)\b[^,;]{0,140}|"
    r"(?:in|at|on|for|with|during|before|after|outside|due to|despite|regardless|depending|like|being|coming|having|"
    r"most|these days|"
    r"nowadays|lately|currently|generally|usually|typically|normally|recently|especially|every|each|to (?:be|avoid|"
    r"me|keep|stay|"
    r"help)|from now on|going forward)\b(?:(?!\b(?:i|i'm|i've|we|we're)\b)[^,;]){0,100})"
)
"""What a phrase begins with that belongs to the statement after its comma: "When I fly, I prefer …"."""


class Span(NamedTuple):
    """A stretch of the message, end exclusive."""

    start: int
    end: int


class Sentence(NamedTuple):
    """A sentence's stretch and whether it ends as a question."""

    start: int
    end: int
    question: bool


class Clause(NamedTuple):
    """A clause's stretch and how it is joined to the one before.

    `joint` is what stands between the two (", and"), in lower case; empty for a sentence's first clause. `elided` says
    that the clause's subject "I" stands in the clause before ("… and work as a nurse").
    """

    start: int
    end: int
    elided: bool = False
    joint: str = ""


def clean(text: str) -> str:
    """`text` without lone surrogates and control characters, same length; newlines stay."""
    return _UNPRINTABLE.sub(lambda found: "\ufffd" if "\ud800" <= found[0] <= "\udfff" else " ", text)


def own_words(text: str) -> str:
    """`text`, same length, with code, ``>`` lines and an injected memory block as line breaks."""
    for block in _BLOCKS:
        text = block.sub(lambda found: "\n" * len(found[0]), text)
    return text


def mask(text: str) -> str:
    """`text`, same length, with what is not the user's own statement blanked out.

    Besides what `own_words` drops: material handed over to be worked on ("Translate: …") becomes line breaks, quoted
    speech `QUOTED`. A message that is one quotation as a whole is read as spoken.
    """
    masked = straight(own_words(text))
    whole = _WHOLE_QUOTE.match(masked)
    if whole:
        start, end = whole.span(1)
        masked = "\n" * start + masked[start:end] + "\n" * (len(masked) - end)
    handed_over = _HANDED_OVER.search(masked)
    if handed_over:
        masked = masked[: handed_over.end()] + "\n" * (len(masked) - handed_over.end())
    return _SPEECH.sub(lambda found: QUOTED * len(found[0]), masked)


def sentences(masked: str) -> Iterator[Sentence]:
    """The sentences of a masked text."""
    start = 0
    for found in _SENTENCE_END.finditer(masked):
        mark = found["mark"] or ""
        if mark == "." and _ABBREVIATION.search(masked, max(start, found.start() - 12), found.start() + 1):
            continue
        if mark[-1:] in _CLOSING and _GOES_ON.match(masked, found.end()):
            continue
        end = found.end("mark") if mark else found.start()
        if _WORD.search(masked, start, end):
            yield Sentence(*_trim(masked, start, end), question=_asks(masked[start:end]))
        start = found.end()
    if _WORD.search(masked, start):
        yield Sentence(*_trim(masked, start, len(masked)), question=_asks(masked[start:]))


def clauses(masked: str, sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence that could each state a fact, in order; over-long ones are cut short."""
    cuts: list[Clause] = []
    start, elided, joint = sentence.start, False, ""
    for found in _CLAUSE_END.finditer(masked, sentence.start, sentence.end):
        if not _separates(masked, start, found):
            continue
        if found.start() > start:
            cuts.append(_clause(masked, start, found.start(), elided, joint))
        start, elided, joint = found.end(), found["elided"] is not None, " ".join(found[0].lower().split())
    cuts.append(_clause(masked, start, sentence.end, elided, joint))
    return [clause for clause in cuts if clause.end > clause.start]


def straight(text: str) -> str:
    """`text`, same length, with plain apostrophes and spaces, as the patterns expect it."""
    return text.translate(_APOSTROPHES)


def one_line(text: str) -> str:
    """A stretch as the patterns read it: one line, plain apostrophes, also where they were left out ("dont")."""
    return _BARE.sub(
        lambda found: (
            found[0][:-1] + "'" + found[0][-1]
            if found[0].lower() not in _BARE_RE
            else found[0][:-2] + "'" + found[0][-2:]
        ),
        " ".join(straight(text).split()),
    )


def tidy(text: str) -> str:
    """A stretch as a sentence of its own: one line, no loose punctuation at its ends, a capital first."""
    line = " ".join(text.split()).strip(" ,;:-–—.!?。！？，、*•").strip()
    return line[:1].upper() + line[1:]


def _separates(masked: str, start: int, joint: re.Match[str]) -> bool:
    """Whether the clause that begins at `start` really ends at what looks like a joint."""
    end = joint.start()
    if joint["elided"] is not None:
        return _COORDINATES.match(masked, start, end) is not None
    if joint["colon"] is not None:
        return bool(_LEADS_IN.match(masked, start, end)) and not _CITES.search(masked, start, end)
    if joint[0].strip() == ",":
        return not _belongs_to_what_follows(masked, start, end)
    return not (joint[0][0].isspace() and _SUBORDINATE.match(masked, start, end))


def _belongs_to_what_follows(masked: str, start: int, end: int) -> bool:
    """Whether a stretch before a comma corrects ("Actually, …") or frames ("When I fly, …") and is no clause."""
    return bool(_FRAME_START.match(masked, start, end) or _CORRECTIVE.match(masked, start, end))


def _asks(sentence: str) -> bool:
    return sentence.rstrip(" \n\"'”»)").endswith(("?", "？", "؟")) or sentence.lstrip().startswith("¿")


def _clause(masked: str, start: int, end: int, elided: bool, joint: str) -> Clause:
    start, end = _trim(masked, start, min(end, start + MAX_CLAUSE_CHARS))
    return Clause(start, end, elided, joint)


def _trim(masked: str, start: int, end: int) -> Span:
    stretch = masked[start:end]
    return Span(start + len(stretch) - len(stretch.lstrip()), start + len(stretch.rstrip()))


_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060\ufeff\ud800-\udfff]")
_APOSTROPHES = {ord("’"): "'", ord("ʼ"): "'", ord("`"): "'", ord("\t"): " ", ord("\xa0"): " "}
_BARE = re.compile(
    r"\b(?:dont|doesnt|didnt|cant|wont|isnt|arent|wasnt|werent|havent|hasnt|hadnt|couldnt|wouldnt|shouldnt|im|ive|"
    r"youre|"
    r"youve|theyre|weve|thats|hes|shes)\b",
    re.IGNORECASE,
)
_BARE_RE = frozenset({"ive", "youre", "youve", "theyre", "weve"})
"""Contractions whose apostrophe stands before the last two letters."""
_WORD = re.compile(r"\w")
_WHOLE_QUOTE = re.compile(r'\s*["“«]([^"“”«»]{3,2000})["”»][\s.!]*\Z')
_BLOCKS = (
    BLOCK,
    re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<(pre|code|quote|document)>.*?(?:</\1>|\Z)", re.DOTALL),
    re.compile(r"^[ ]{0,3}>.*$|^[ ]{0,3}On .{5,120} wrote:$", re.MULTILINE),
)
_HANDED_OVER = re.compile(
    r"\b(?:translate|proof-?read|rewrite|rephrase|paraphrase|summari[sz]e|edit|polish|improve|classify|analy[sz]e|"
    r"review|correct|fix|critique|shorten|check|traduce|traduis|traduisez|übersetze?|traduza|traduci|corrige|corrija|"
    r"correggi|korrigiere|résume|"
    r"resume|vertaal|samenvat|"
    r"przetłumacz|popraw|переведи|"
    r"исправь|çevir|översätt|"
    r"ترجم|لخص)\b[^:：\n]{0,80}[:：]|"
    r"\b(?:wrote|writes|sent me|begins|starts with|lyrics|'s (?:message|e-?mail|letter|text|review|comment|post)|"
    r"(?:following|this) (?:message|e-?mail|letter|text|article|review|comment|post|poem|story|conversation))"
    r"[^:：\n.!?]{0,40}[:：](?=\s)",
    re.IGNORECASE,
)
_SPEECH = re.compile(
    r'"[^"\n]{1,400}"|“[^“”\n]{1,400}”|«[^«»\n]{1,400}»|„[^„“”\n]{1,400}[“”]|「[^「」\n]{1,400}」|『[^『』\n]{1,400}』'
)
_SENTENCE_END = re.compile(
    r"(?P<mark>[.!?…]{1,8}[\"'”»)\]]{0,3})(?:\s+|\Z)|(?P<cjk>(?<=[。！？؟।])[”」』）]?)|"
    r"\n\s*\n\s*|\n(?=[ ]{0,8}(?:[-*•+]|\d{1,2}[.)])[ ])|\n(?=[ ]{0,8}[^\sa-zà-ÿ])"
)
_CLOSING = ("'", '"', "”", "»", ")", "]")
_GOES_ON = re.compile(r"(?!i\b)[a-zà-ÿ]")
"""After a mark in front of a quotation's end: the sentence around the quotation is not over ("the 'run .' command")."""
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|etc|e\.g|i\.e|approx|No|Sra|Dra|z\.B|ca|[A-HJ-Z]))\.\Z"
)
_FRAME_START = re.compile(
    rf"(?:(?:and|but|so|well|also|plus|yes|yeah|no|ok),?\s|\w{{2,20}},\s)?{FRAME}\Z", re.IGNORECASE
)
_CORRECTIVE = re.compile(
    r"(?:\w{1,8}\s)?(?:actually|in fact|no|nope|wait|sorry|oops|correction|rather|my mistake|my bad)\Z", re.IGNORECASE
)
_COORDINATES = re.compile(
    r"(?=.{0,40}?\b(?:i|we|i'm|i've)\b)(?!.{0,400}?\b(?:to|will|would|can|could|should|may|might|must|not|never|"
    r"\w+n't|\w+'ll|\w+'d|how)\b)",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"(?:(?:and|but|so|well|also|plus|yes|yeah|no|ok),?\s)?(?:when(?:ever)?|while|if|once|until|unless|in case|"
    r"as (?:long|soon) as|suppos(?:e|ing)|assum(?:e|ing))\b[^,;]*\Z",
    re.IGNORECASE,
)
"""A subordinate clause that has not ended: "If I am alone" before "and I have time, I paint"."""
_LEADS_IN = re.compile(
    r"(?:[\w' ]{1,24},\s)?(?:(?:and|but|so|well|also|now|yes|no)\s)?(?:i|i'm|i've|i'd|we|we're|we've)\b|"
    r"(?:(?:an?|one|my|some)\s)?(?:(?:small|quick|short|little|minor|new|big|latest)\s)?(?:update|news|change|"
    r"context|background)\Z|"
    r"(?:to (?:sum up|summari[sz]e|recap)|in (?:short|summary)|summary|recap|reminder|note)\Z",
    re.IGNORECASE,
)
"""What a colon may follow that opens a statement of the user's own: "I moved: I live in Linz now"."""
_CITES = re.compile(
    r"\b(?:say|says|said|saying|tell|told|write|wrote|writing|written|read|reads|typed?|ask(?:ed)?|repl(?:y|ied)|"
    r"answer(?:ed)?|quote\w*|sing|sang|sentences?|lines?|lyrics|poems?|story|stories|songs?|e-?mails?|messages?|"
    r"letters?|posts?|bio|texts?|prompts?|examples?|characters?|translat\w+|phrases?|motto|mantra|tweets?|titles?|"
    r"strings?|inputs?)\b",
    re.IGNORECASE,
)
_BARE_NOUN = (
    r"(?!\w+'s\s)[\w'-]+(?:\s[\w'-]+)?(?:\s*(?:[.,;:!?)]|\Z)|\s(?:and|or|but|as well|too)\b|"
    r"\s(?:in|on|at|with|for|to|from|of)\b(?![^.,;]{0,120}\s(?:is|are|was|were|has|have|will|can)\b))"
)
_OWN_SUBJECT = rf"(?:(?:i(?!\s(?:are|were)\b)|i'm|i've|i'd|i'll|we|we're|we've)\b|(?:my|our)\s(?!{_BARE_NOUN}))"
"""The subject of a statement of the user's own; "my" alone is none ("I love my dog and my cat")."""
_BEFORE_SUBJECT = (
    r"(?:(?:now|next|then|also|currently|lately|nowadays|usually|normally|generally|"
    r"sometimes|recently|mostly|actually|"
    r"these days|right now|at the moment|from now on|going forward|from here on),?\s)?"
)
_STATE_OF_WORK = (
    r"(?:the|my|our)\s(?:[\w'-]{1,30}\s){1,5}?(?:"
    rf"(?:is|are|has|have|was|were)\s(?:(?:now|finally|already|been|just)\s){{0,2}}{OVER}|"
    rf"(?:is|are|keeps?)\s(?:still\s)?{HINDERING}|(?:works?|is working)\s(?:again|now))\b"
)
"""A clause about what the user works on: "the tests are done", "the build is still failing"."""
_TIMES_OF_WORK = r"(?:nights|days|mornings|afternoons|evenings|weekends|weekdays|holidays|shifts|hours)\b"
"""What "work" may be followed by as a verb; before another plural it is a noun ("work styles, and …")."""
_CLAUSE_END = re.compile(
    r"[;；]|\s[–—-]{1,2}\s|—|"
    rf"(?P<colon>:)\s{{1,3}}(?={_OWN_SUBJECT})|"
    rf",?\s{{1,3}}(?:but|and|so|although|though|whereas|while|plus|also)\s{{1,3}}(?={_BEFORE_SUBJECT}"
    rf"(?:{_OWN_SUBJECT}|please\b))|"
    r",?\s{1,3}(?:but|and)\s{1,3}(?=(?:when(?:ever)?|if)\s(?:i|we|you|it|my)\b|"
    r"(?:at|in|on|during)\s(?:\w{1,20}\s){1,3}?i\b)|"
    rf"(?:,\s{{1,3}}(?:(?:and|but|so)\s{{1,3}})?|\s{{1,3}}(?:and|but|so)\s{{1,3}})(?={_STATE_OF_WORK})|"
    r",\s{1,3}(?:(?:and|but|so)\s{1,3})?(?=(?:always\s)?(?:answer|reply|respond)\s(?:to\s)?(?:me\s)?in\b|call me\s|"
    r"keep (?:it|your|answers)\b)|"
    r"(?:,?\s(?:and|but)|,(?!\s{1,3}like\s))\s{1,3}(?P<elided>(?=(?-i:live|study|prefer|love|like|hate|use|speak|have|"
    r"am|enjoy|teach|"
    rf"play|avoid|dislike|work(?!\s(?!{_TIMES_OF_WORK})[\w'-]+s\s?(?:,|and\b|[.!]|\Z)))\s+(?!i\b)\w))|"
    rf",\s{{1,3}}(?={_BEFORE_SUBJECT}{_OWN_SUBJECT})|"
    r",\s{1,3}(?:and\s|but\s|so\s)?(?=(?:what|how|can|could|would|should|do|does|did|is|are|any|which|where|who|why|"
    r"when|"
    r"please|have you)\b)|"
    r"，|"
    r",?\s(?:und|et|y|e|pero|mais|mas|aber|ma)\s(?=(?:ich|je|j'|yo|me|eu|io|mi|vivo|trabajo|moro|trabalho|abito|"
    r"lavoro|soy|sou|"
    r"sono|prefiero|prefiro|preferisco|tengo|tenho|ho)\b)",
    re.IGNORECASE,
)
