"""What the grammar of an English sentence says of whether it tells somebody how things are to be done, for good."""

from __future__ import annotations

import re

from nodes.extractors.text import QUOTED

_I_FLAGS = re.IGNORECASE

LEAD_IN = re.compile(
    r"(?:(?:and|but|so|also|now|then|well|okay|ok|oh|yes|no|alright|right|great|hi|hello|hey|thanks|first(?:ly)?|"
    r"second(?:ly)?|third(?:ly)?|finally|lastly|next|additionally|furthermore|moreover|besides|plus|similarly|likewise|"
    r"however|therefore|instead|actually|by the way|just so you know|in addition|on that note|that being said|"
    r"with that said|for (?:consistency|clarity|now|example)|just|simply|please|kindly|do|remember|"
    r"please (?:note|remember) that|note that|"
    r"(?-i:[A-Z][a-z]{1,14}(?=,)))(?:\s*[,:;]\s*|\s+(?!you\b))|[-*•]\s+|\d{1,2}[.)]\s+)+",
    _I_FLAGS,
)
"""What may stand before the sentence itself: connectives, a name that is spoken to, "please"."""

_FRAME = re.compile(
    r"(?:(?:from|as of|effective|going|moving|in|for|on|at|when(?:ever)?|if|while|after|before|every time|each time|"
    r"by default|unless|instead of|rather than|as a rule|to \w+|with|during|since|because|as|regarding|"
    r"concerning|even if|even though|once|until)\b[^,]{0,120},\s+"
    r"|(?:from now on(?:wards)?|from here on|going forward|moving forward|in (?:the )?future|by default|"
    r"as of (?:now|today)|henceforth),?\s+|(?:always|never|ideally|generally|usually|preferably|always remember to|"
    r"remember to|don't forget to|make sure (?:that )?(?:you |to )?|be sure to|ensure that you|try to)\s+)+",
    _I_FLAGS,
)
"""A frame before the clause that tells: "when you name files, …", "from now on …", "always …"."""

_CLOSED = re.compile(
    r"(?:i|you|he|she|it|we|they|one|this|that|these|those|there|here|the|an?|my|your|his|her|its|our|their|all|"
    r"any|every|each|some|no|none|many|most|much|few|several|another|other|both|what|which|who|whom|whose|when|where|"
    r"why|how|if|unless|because|since|although|while|as|than|and|or|but|nor|so|yet|in|on|at|by|for|from|with|about|"
    r"of|to|into|over|under|after|before|during|between|without|within|through|is|are|was|were|am|been|has|"
    r"had|does|did|can|could|will|would|should|must|may|might|shall|not|very|too|quite|sorry|"
    r"thanks|welcome|hello|hi|good|great|happy|glad|sounds|maybe|perhaps|everyone|everybody|someone|somebody|people|"
    r"nothing|something|anything|everything|absolutely|im|ive|"
    r"i'm|i've|i'd|i'll|you're|you've|you'll|we're|we've|we'll|it's|"
    r"that's|there's|here's|what's|let's|let)\b",
    _I_FLAGS,
)
_FINITE = re.compile(
    r"[^,;:.]{0,60}?(?<!to)\s(?:is|are|was|were|isn't|aren't|has|should|must|will|can|may|needs?|cannot|can't|"
    r"shouldn't|mustn't)\b",
    _I_FLAGS,
)
"""A finite verb to come: the first word is a subject and no imperative."""
_THIRD_PERSON = re.compile(
    r"\s(?:is|has|does|says|keeps|wants|thinks|likes|goes|needs|makes|uses|lives|works|gets|takes|gives|tells|knows|"
    r"loves|"
    r"hates|as|and|or|[a-z]+ed)\b",
)
"""Right after the first word: that is a name, a noun or an adjective, and no imperative."""
_INFLECTED = re.compile(r"[\w'-]*(?:[^su]s|ed|ing|ly)\Z", _I_FLAGS)
_BASE_LIKE = re.compile(
    r"(?:need|feed|embed|bring|ping|string|reply|apply|supply|rely|comply|shed|proceed)\Z", _I_FLAGS
)
_FIRST_WORD = re.compile(r"[A-Za-z]['A-Za-z-]*")
_NEGATED_IMPERATIVE = re.compile(
    r"(?:don't|do not|never|avoid|stop|refrain|quit|skip|no (?!one|problem|worries|need)|leave out|forget about)\b",
    _I_FLAGS,
)

_ADVERB = r"(?:\s(?:also|now|really|just|always|never|all|still|strongly|actually|typically|usually|generally|then))*"
_KEEPS_TO = (
    r"(?:use|prefer|require|follow|avoid|expect|ask|allow|rely|start|end|begin|name|write|keep|put|add|include|adopt|"
    r"stick|go|sign|separate|label|do|pin|store|prefix|suffix|append|prepend|recommend|insist|call|refer|send|adhere)"
)
FORMS: dict[str, re.Pattern[str]] = {
    "negated imperative": _NEGATED_IMPERATIVE,
    "asked of you": re.compile(
        rf"(?:i|we)(?:'d|\swould)?{_ADVERB}\s(?:want|need|like|prefer|expect|ask|advise|require|appreciate it if|"
        r"recommend(?: that)?|suggest(?: that)?)\s(?:you|your|all|every\w*|each)\b|"
        r"i(?:'d| would)?\s(?:strongly\s)?(?:recommend|suggest)\s(?!that\b)\w+ing\b",
        _I_FLAGS,
    ),
    "you must": re.compile(
        r"you(?:'ll|\swill|\sshould|\smust|\sneed to|\shave to|'re (?:required|expected|supposed) to|"
        r"\sare (?:required|expected|supposed) to|\sought to|\sshall)\b",
        _I_FLAGS,
    ),
    "you may": re.compile(r"you\s(?:can|may|could|might)\b", _I_FLAGS),
    "things must": re.compile(
        r"(?!i\b|you\b|we\b|he\b|she\b|it\b|they\b|there\b)[^,;]{3,60}?\s(?:should|must|have to|has to|needs? to|"
        r"ought to|(?:is|are) to (?:be|have|start|end)|(?:is|are) (?:always |never |not )?(?:required|mandatory|"
        r"expected|forbidden|allowed|prohibited|due)|are (?:always |never )?\w+ed)\b",
        _I_FLAGS,
    ),
    "we keep to": re.compile(
        rf"(?:we|everyone|everybody|our (?:team|company|department)|the team)(?:'ll|\swill|\swill be)?"
        rf"{_ADVERB}\s(?:(?:do not|don't|no longer|never)\s)?(?:{_KEEPS_TO}s?|(?:using|starting|ending|adopting|moving|"
        r"switching|writing))\b",
        _I_FLAGS,
    ),
    "we changed": re.compile(
        r"(?:we|i|the (?:team|company))(?:'ve|'re|\shave|\shas|\sare)?(?:\s(?:also|now|recently|just|all))*\s(?:moved|"
        r"switched|switching|"
        r"migrated|migrating|moving|changed|decided|agreed|updated|transitioned|transitioning|adopted)\b",
        _I_FLAGS,
    ),
    "is our": re.compile(
        r".{2,60}?\bis (?:our|the)\s(?:\w+\s){0,3}?(?:tool|choice|standard|default|platform|"
        r"rule|way|convention|policy|practice)\b|our\s(?:\w+\s){1,4}is\b",
        _I_FLAGS,
    ),
    "matters": re.compile(
        r"(?:it's|it is)\s(?:\w+\s)?(?:important|crucial|essential|vital|mandatory|necessary|required|forbidden|best|"
        r"critical|imperative|our policy)\b|(?:i|we) (?:\w+\s)?(?:emphasi[sz]e|stress|insist|remind you|highlight)\b|"
        r"(?:i|we) (?:want|would like|wanted|need)(?:\s\w+)? to (?:emphasi[sz]e|stress|insist|remind|highlight)\b",
        _I_FLAGS,
    ),
    "one convention": re.compile(
        r"(?:one|another|our|the|a)\s(?:\w+\s){0,2}?(?:conventions?|rules?|polic(?:y|ies)|practices?|habits?|"
        r"standards?|"
        r"requirements?|guidelines?)\b[^.]{0,60}?\b(?:is|are)\b",
        _I_FLAGS,
    ),
    "question of request": re.compile(r"(?:can|could|would|will) you\b", _I_FLAGS),
    "offers help": re.compile(
        r".{0,60}\b(?:hesitate|feel free|reach out|let me know|don't worry|be afraid|shy away|by all means|"
        r"contact me|ask me anything|just ask|ask questions|if you (?:have|need|ever|want|get|feel))\b",
        _I_FLAGS,
    ),
    "announces": re.compile(
        r"(?:i|we)(?:'d|'ll|\shave|\swould|\swill)?(?:\s(?:also|just|now|really))*\s(?:(?:want|wanted|like|need|love|"
        r"going)"
        r"(?:ed)?\sto\s)?(?:talk|discuss|share|tell|go over|touch|mention|cover|explain|update|let you know|give|"
        r"introduce|bring up|address|remind|clarify|some|a few|one more|an?\s(?:\w+\s){0,2}?(?:update|news|"
        r"change|guideline))\b|"
        r"let's (?:talk|discuss|move|go over|start with|take a|look|begin with|dive|touch|cover|meet)\b|"
        r"(?:let me|allow me to)\b|"
        r"(?:there|here)(?:'s| is| are)\b",
        _I_FLAGS,
    ),
    "let us": re.compile(r"let's\b", _I_FLAGS),
    "I tell of myself": re.compile(
        r"(?:i|i'm|i've|i'll|my|me)\b(?!(?:'d|\swould)?(?:\s\w+ly|\salso|\snow)?\s"
        r"(?:want|need|like|prefer|expect|recommend|suggest|ask|advise|require|appreciate))",
        _I_FLAGS,
    ),
    "we tell of us": re.compile(r"(?:we|we're|we've|our|us|at)\b", _I_FLAGS),
    "others": re.compile(r"(?:he|she|they|it|that|this|these|those|people|someone|there)\b", _I_FLAGS),
    "you": re.compile(r"(?:you|you're|you've|your)\b", _I_FLAGS),
}
"""By name, the forms that the sentence itself may begin with."""

SIGNS: dict[str, re.Pattern[str]] = {
    "for good": re.compile(
        r"\b(?:always|never|from now on(?:wards)?|going forward|moving forward|from here on|in (?:the )?future|"
        r"at all times|by default|every time|each time|whenever|as of now|henceforth|no longer|any ?more|any longer|"
        r"as a rule|ever)\b",
        _I_FLAGS,
    ),
    "all of them": re.compile(r"\b(?:all|any|every|each|everything|whole|everyone|no)\b", _I_FLAGS),
    "token": re.compile(
        rf"{QUOTED}+|'[^'\s]{{1,24}}'|(?<!\w)@\w+|\b\w+_\b|(?<!\w)_\w+|\b\w+_\w+\b|\b[A-Z][a-z]+[A-Z]\w*"
    ),
    "this one": re.compile(
        r"\b(?:this|these|above|below|the following|the (?:first|second|third|last|next|previous) \w+|attached|"
        r"pasted)\b",
        _I_FLAGS,
    ),
    "this time": re.compile(
        r"\b(?:today|tonight|tomorrow|yesterday|this (?:week|month|morning|afternoon|time|evening|project|"
        r"meeting)|next "
        r"(?:week|month|meeting|session)|by (?:noon|\w+day)|on \w+day\b|soon|for now|at the moment|now that)\b",
        _I_FLAGS,
    ),
    "does for me": re.compile(r"\b(?:give|tell|write|show|send|find|make|help|get|bring|let) (?:me|us)\b", _I_FLAGS),
    "generic": re.compile(
        r"\b(?:(?:your|our|all|any|every|each|in|for|with|the|of|to|to all) (?:\w+ ){0,2}?(?:\w{2,}[^sui\W]s)|"
        r"names?)\b",
        _I_FLAGS,
    ),
    "one thing": re.compile(r"\b(?:an?|the) (?:\w+ )?\w+\b", _I_FLAGS),
    "for a purpose": re.compile(
        r"\b(?:for|as) (?:our|your|the|all|any|an?)?\s?(?:\w+ ){0,2}?\w+|\bwhen(?:ever)?\s(?:you\s)?\w+", _I_FLAGS
    ),
    "instead": re.compile(r"\b(?:instead|rather than|rather|not|no longer|now)\b", _I_FLAGS),
    "anaphor": re.compile(r"\b(?:it|this|that|these|those|them|so|such)\b(?! \w+s\b)", _I_FLAGS),
    "condition": re.compile(r"\b(?:if|unless)\b", _I_FLAGS),
    "purpose only": re.compile(r"\b(?:help|helps|improve|ensure[sd]?|makes?|grow|success\w*|value[sd]?)\b", _I_FLAGS),
    "affix": re.compile(r"\b(?:prefix|suffix|start|end|begin|ending|starting|beginning|named?|naming)\b", _I_FLAGS),
    "of a rule": re.compile(
        r"\b(?:conventions?|rules?|guidelines?|standards?|polic(?:y|ies)|updates?|changes?|feedback|approach|practices|"
        r"instructions?|strategy|questions?|topic|concerns?|style)\b",
        _I_FLAGS,
    ),
    "a quality": re.compile(r"\b\w{3,}(?:ity|ness|ency|ance|ence|ation|ability|ship|ment)\b", _I_FLAGS),
    "exclaims": re.compile(r"!"),
    "asks": re.compile(r"\?"),
}
"""By name, what may stand anywhere in it."""

_PRACTICE = re.compile(
    r"(?:not |never |always |only |solely |primarily |be |by )*(?:us(?:e|ing)|utiliz(?:e|ing)|avoid(?:ing)?|"
    r"includ(?:e|ing)|add(?:ing)?|nam(?:e|ing)|"
    r"start(?:ing)?|end(?:ing)?|begin(?:ning)?|writ(?:e|ing)|import(?:ing)?|put(?:ting)?|prefix(?:ing)?|suffix(?:ing)?|"
    r"append(?:ing)?|prepend(?:ing)?|"
    r"format(?:ting)?|sign(?:ing)?|send(?:ing)?|stop(?:ping)?|rely(?:ing)? on|prefer(?:ring)?|"
    r"stick(?:ing)? (?:to|with)|"
    r"switch(?:ing|ed)? (?:to|from)|mov(?:e|ed|ing) (?:to|from)|adopt(?:ing)?|appl(?:y|ying)|annotat(?:e|ing)|"
    r"keep(?:ing)? (?:all|your|the|every|any)|call(?:ing)?|label(?:ling)?|commit(?:ting)?|push(?:ing)?|tak(?:e|ing)|"
    r"go(?:ing)? to|work(?:ing)? (?:from|in|at)|skip(?:ping)?|leav(?:e|ing) out|forget about|no longer|don't|"
    r"do not|train(?:ing)?|set(?:ting)? up|"
    r"brainstorm(?:ing)?|communicat(?:e|ing) (?:through|via|over|in)|refer to)\b",
    _I_FLAGS,
)
"""What is done the same way each time: how things are named, written, used, left out; no attitude."""

NAMES = (
    *FORMS,
    *SIGNS,
    "imperative",
    "imperative after a frame",
    "framed",
    "short",
    "long",
    "practice",
    "practice for good",
    "practice asked for",
    "asked for good",
    "practice of all",
)
"""The features, in the order of `features`."""


_ASKS_FOR = re.compile(
    r"(?:(?:i|we)(?:'d|\swould)?(?:\s(?:want|wanted|like|need|have))?(?:\s(?:also|just))?(?:\sto)?\s(?:emphasi[sz]e|"
    r"stress|"
    r"insist|highlight|reiterate|mention|point out|note|say|"
    r"(?:remind|ask|instruct|encourage|tell)\syou)(?:\s(?:that|on|about|to))?|"
    r"(?:(?:i|we)(?:'d|'ve|\swould|\shave)?(?:\s(?:also|now|really|just|strongly|do|would|always|kindly|all))*\s"
    r"(?:want|need|like|prefer|expect|ask|advise|require|recommend|suggest|encourage|decided|agreed|"
    r"appreciate it if|request)(?:\sthat)?(?:\s(?:you|us|everyone|everybody|people|the team)(?:\sall)?)?"
    r"(?:\s(?:to|should|will))?|"
    r"(?:one|another|our|the|a)\s(?:\w+\s){0,3}?(?:conventions?|rules?|polic(?:y|ies)|practices?|standards?|"
    r"requirements?|guidelines?|thing|point)\s(?:that\s)?(?:(?:i|we)(?:'d|\s\w+)?\s[\w' ]{1,40}?\s)?(?:is|are)"
    r"(?:\sthat|\sto)?|"
    r"the importance of|the use of|the need (?:to|for)|"
    r"(?:it's|it is|i think it's|i believe it's)\s(?:\w+\s)?(?:important|crucial|essential|vital|mandatory|"
    r"necessary|required|best|critical|"
    r"imperative|our policy|better|beneficial)(?:\s(?:that|to|for))?(?:\syou)?(?:\sto)?|"
    r"(?:you(?:'ll|\swill)?|we)(?:\s(?:also|now|always|all))*\s(?:should|must|need to|have to|ought to|"
    r"shall|are (?:required|expected|supposed) to|will be|'ll be)|"
    r"(?:we|i)(?:'ll|'re|\swill|\sare|\sam)(?:\s(?:also|now|all))*(?:\sbe)?|"
    r"(?:make|making) (?:it a habit|sure|certain)|be sure|ensure|take care|get(?:ting)? into the habit of|"
    r"make use of|start(?=\s\w+ing)|begin(?=\s\w+ing)|try|consider|"
    r"remember|don't forget|keep in mind|note|let's|(?:can|could|would|will) you|always|also|just|please|kindly|"
    r"you|to|that|by)\b,?\s*(?=\S)|(?:always|never)\s)",
    _I_FLAGS,
)
"""What only says that something is asked for, and by whom: what is asked for follows."""
_REASON = re.compile(
    r"(?:,?\s(?:so that|because|since|in order to|to (?:ensure|maintain|avoid confusion|help|make|keep things|improve|"
    r"validate|catch)|as (?:it|this|we|they)|which|even if|for (?:consistency|clarity))\b|\s[–—-]+\s|[;:]\s).*\Z",
    _I_FLAGS,
)


def asked_for(words: str) -> str:
    """What a sentence asks for, bare: no frame, no "I want you to", no reason; for "… from now on" as for "
    ""always …"."""
    said = core(words)
    for _ in range(6):
        opener = _ASKS_FOR.match(said)
        rest = core(said[opener.end() :].lstrip(" ,:")) if opener else said
        if rest == said or len(rest.split()) < 2:
            break
        said = rest
    bare = _REASON.sub("", said)
    return bare if len(bare.split()) > 1 else said


_META = re.compile(
    r"(?:convention|rule|guideline|standard|practice|approach|change|update|feedback|strateg(?:y|ie)|instruction|"
    r"adjustment|detail|thing|topic|polic(?:y|ie)|habit|style|reminder|request|preference)s?\b",
    _I_FLAGS,
)
_SPECIFIES = re.compile(
    r"\b(?:(?:is|are|by|of|to|that)\s(?:(?:always|never|not|only)\s)?(?:\w+ing\b|use|start|end|begin|include|add|name|"
    r"write|put|avoid|keep|have|prefix|suffix)|to\s(?:use|start|end|begin)|instead of|rather than|not|no longer)\b|:\s",
    _I_FLAGS,
)
ANNOUNCES = re.compile(
    r"(?:adopt|follow|apply|update|make|chang\w+|us(?:e|ing)|pay|have|remember|disregard|revis\w+|adher\w+|implement|"
    r"modify|adjust|"
    r"give|share|discuss|stick|adopting|keep|go over|talk|do)\b(?!\s(?:all|every|any)\b)[^,.;]{0,70}",
    _I_FLAGS,
)
COURTESY = re.compile(
    r"\b(?:hesitate|feel free|reach out|(?:don't|do not|never|not to) (?:worry|be afraid|be shy|be too|shy away|"
    r"give up|hold back)|"
    r"let me know|my door|ask (?:me )?(?:questions|for help|for clarification|if you)|good luck|keep up|"
    r"if you (?:ever )?(?:have|need|run into|encounter|get stuck|feel) (?:any|some|help|more|further|stuck|"
    r"a question|questions))\b",
    _I_FLAGS,
)
"""Offers of help and encouragement, which have the form of an instruction."""


EXAMPLE = re.compile(
    r"(?:so,?\s)?(?:for (?:example|instance)|(?:if|when|let's say|say|suppose)(?:\s(?:you|there))?(?:'re|"
    r"\s(?:have|are|is|had|'re))\b[^,]{0,80}"
    r"\b(?:called|named|that|is)\b)|.{0,60}\b(?:would|might|could) (?:be|become|look)\b",
    _I_FLAGS,
)
"""What only shows how an instruction would be followed."""


SAYS = (
    r"(?:(?:also|just|really|again)\s)?(?:emphasi[sz]e|stress|insist|remind|highlight|reiterate|mention|point out|"
    r"instruct|ask|tell|encourage|see)\b"
)
"""Verbs of saying: what somebody wants to say is being said."""
PLAN = re.compile(
    r"(?:[^,]{1,60},\s)?(?:we(?:'ll|\swill)\b|let's\b|go ahead\b|"
    rf"(?:we|i)\swant\sto\s(?!{SAYS})|"
    r"(?:(?:i(?:'d|\swould)?\s(?:want|like|need)\s)?you\s(?:to|should)\s)?(?:start|begin)\s(?:off\s)?(?:by\b|"
    r"with\s(?:the|your)\b))",
    _I_FLAGS,
)
"""What somebody is about to do, or aims at: "we'll use charts", "start by reading it"."""
_MAY = re.compile(r"(?:[^,]{1,60},\s)?we\s(?:can|could|might)\b(?!'t|\snot)", _I_FLAGS)
_ADVICE = re.compile(
    r"\b(?:recommend|suggest|(?<!to\s)consider|advisable|"
    r"(?:important|crucial|essential|vital|best|helpful|beneficial|a good idea)\s(?:that|to|for))\b",
    _I_FLAGS,
)
_FOR_NOW = re.compile(r"\b(?:for now|in the meantime|meanwhile|for the moment)\b", _I_FLAGS)


def says_nothing_itself(words: str) -> bool:
    """Whether a sentence only announces an instruction, gives an example or makes a plan, or is a courtesy."""
    if COURTESY.search(words) or _FOR_NOW.search(words) or _MAY.match(words):
        return True
    lasts = SIGNS["for good"].search(words) is not None
    if not lasts and (EXAMPLE.match(words) or PLAN.match(words)):
        return True
    asked = asked_for(words)
    if SIGNS["token"].search(words) or _SPECIFIES.search(asked):
        return False
    told = ANNOUNCES.match(asked)
    return told is not None and _META.search(told[0]) is not None


_CUT = re.compile(
    r"(?:[,;:—–]\s*|\s-\s)(?:(?:and|but|so|then|first|second|also)\b,?\s*)*(?=(?:(?:i|we)(?:'d|\swould)?(?:\s\w+ly|"
    r"\snow|\salso)?\s"
    r"(?:want|like|need|expect|ask|recommend|suggest|use|avoid|prefer|require)\b|(?:please|always|never|"
    r"make sure|ensure|"
    r"don't use|from now on|going forward|instead)\b|you (?:should|must|need to|have to)\b|(?:use|avoid)\s))|"
    r"\b(?:that's why|which is why|this is why|is that)\s(?=i\b|we\b|you\b)",
    _I_FLAGS,
)


def stretches(words: str) -> list[str]:
    """The sentence, and what follows a joint in it at which somebody begins to ask for something; at most four."""
    cuts = [found.end() for found, _ in zip(_CUT.finditer(words), range(3), strict=False)]
    return [words, *(words[cut:] for cut in cuts if len(words[cut:].split()) > 2)]


_ONE_THING_FOR_ME = re.compile(
    r"(?:give|tell|write|show|send|find|make|bring|get|draw|list|suggest|name|generate|create|draft)\s(?:(?:me|us)\s)?"
    r"(?:\d+|an?|another|some|one|two|three|four|five|six|seven|eight|nine|ten|several|a few)\s",
    _I_FLAGS,
)


def wants_one_thing(words: str) -> bool:
    """Whether somebody wants something made or told now: "give me five names", with nothing that makes it last."""
    return _ONE_THING_FOR_ME.match(asked_for(words)) is not None and not (
        SIGNS["for good"].search(words) or _FRAME.match(words) or SIGNS["all of them"].search(words)
    )


def is_advice(words: str) -> bool:
    """Whether it recommends rather than asks, with nothing that makes it last."""
    return _ADVICE.search(words) is not None and not SIGNS["for good"].search(words)


def asks(words: str) -> bool:
    """Whether the form tells how things are done, or says outright that something is asked for."""
    return directs(words) or asked_for(words) != core(words)


def is_practice(words: str) -> bool:
    """Whether what is asked for is a way of doing things, such as using, naming or avoiding something."""
    return _PRACTICE.match(asked_for(words)) is not None


def core(words: str) -> str:
    """The sentence without what may stand before it: connectives, names, "please", frames."""
    lead = LEAD_IN.match(words)
    start = lead.end() if lead else 0
    frame = _FRAME.match(words, start)
    return words[frame.end() :] if frame and frame.end() < len(words) else words[start:]


def is_imperative(clause: str) -> bool:
    """Whether a clause begins with a verb that tells to do or not to do."""
    if _NEGATED_IMPERATIVE.match(clause):
        return True
    first = _FIRST_WORD.match(clause)
    if first is None or _CLOSED.match(clause) or _FINITE.match(clause, first.end()):
        return False
    if _THIRD_PERSON.match(clause, first.end()):
        return False
    word = first[0]
    rest = clause[first.end() :]
    return bool(rest.strip(" .!?")) and (not _INFLECTED.match(word) or _BASE_LIKE.match(word) is not None)


def directs(words: str) -> bool:
    """Whether the form alone tells somebody to do something, or says how things are done."""
    said = core(words)
    return is_imperative(said) or any(
        FORMS[name].match(said)
        for name in (
            "asked of you",
            "you must",
            "things must",
            "we keep to",
            "we changed",
            "is our",
            "matters",
            "one convention",
            "question of request",
            "let us",
            "you may",
        )
    )


def features(words: str) -> list[float]:
    """One number a name of `NAMES`, 0 or 1."""
    lead = LEAD_IN.match(words)
    bare = words[lead.end() :] if lead else words
    said = core(words)
    imperative = is_imperative(said)
    count = len(words.split())
    values = [float(form.match(said) is not None) for form in FORMS.values()]
    values += [float(sign.search(words) is not None) for sign in SIGNS.values()]
    framed = len(said) < len(bare)
    bare = asked_for(words)
    practice = _PRACTICE.match(bare) is not None
    lasts = SIGNS["for good"].search(words) is not None
    asked = directs(words)
    extra = (
        imperative,
        imperative and framed,
        framed,
        count < 5,
        count > 20,
        practice,
        practice and lasts,
        practice and asked,
        asked and lasts,
        practice and (SIGNS["generic"].search(bare) is not None or SIGNS["token"].search(bare) is not None),
    )
    return [*values, *map(float, extra)]
