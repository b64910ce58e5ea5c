"""What English sentences say which kind of fact, as data: an ordered table of rules.

A rule's pattern is matched at the start of a clause whose openers ("by the way,") are gone. The first rule that matches
decides. Rules state forms of the language (the simple present is a habit, the past an episode), not topics.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nodes.extraction import FactType
from nodes.extractors.text import QUOTED
from nodes.extractors.vocabulary import (
    DEMONYMS,
    EPISODE_NOUNS,
    HOMES,
    HOUSEHOLD,
    KIN,
    KNOWN_TOOLS,
    LANGUAGES,
    MOMENTS,
    OPINIONS,
    TOOL_KINDS,
    TRAITS,
)

LOCATION = "location"
OCCUPATION = "occupation"
USES_TOOL = "uses tool"


class Rule(NamedTuple):
    """One form of statement. `template` rewrites the fact's text from the group ``value``; without it the words stay.

    `sure` rules hold even beside a word such as "today" that makes other statements one-off. `lasting` rules may also
    follow "if …," ("if I have the choice, I prefer trains").
    """

    name: str
    memory_type: FactType
    pattern: re.Pattern[str]
    slot: str | None = None
    template: str | None = None
    confidence: float = 0.8
    sure: bool = False
    lasting: bool = False


def compiled(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """`pattern` compiled; it may hold the group ``value`` in several alternatives (see `value_of`)."""
    first, *others = pattern.split("(?P<value>")
    numbered = (f"(?P<value{number}>{part}" for number, part in enumerate(others))
    return re.compile(first + "".join(numbered), flags)


def value_span(match: re.Match[str]) -> tuple[int, int] | None:
    """Where the group ``value`` of whichever alternative matched stands; None if the form has none."""
    return next((match.span(name) for name, got in match.groupdict().items() if name.startswith("value") and got), None)


def _rule(
    name: str,
    memory_type: FactType,
    pattern: str,
    *,
    slot: str | None = None,
    template: str | None = None,
    confidence: float = 0.8,
    sure: bool = False,
    lasting: bool = False,
    cased: bool = False,
) -> Rule:
    flags = re.NOFLAG if cased else re.IGNORECASE
    return Rule(name, memory_type, compiled(pattern, flags), slot, template, confidence, sure, lasting)


_AM = r"(?:i'm|i am|im)\s+"
_HAVE = r"(?:i've|i have)\s+"
_ADV = (
    r"(?:(?:[a-z]{2,15}ly|also|still|always|often|sometimes|never|just|only|do|so|much|rather|quite|very|"
    r"currently|now|too|even|kind of|sort of|tend to|try to)\s+){0,3}"
)
_NOT = r"(?:(?:don't|do not|dont|cannot|can't|can not|never)\s+)?"
_CAP = r"[A-ZÀ-ÖØ-Þ][\w'’.-]{0,30}"
_NAME = rf"{_CAP}(?:\s(?:(?:de|da|van|von|der|la|le|al|bin|O')\s)?{_CAP}){{0,3}}"
_PLACE = (
    rf"(?:(?:the|a|an|downtown|central|north(?:ern)?|south(?:ern)?|east(?:ern)?|west(?:ern)?|rural|near|"
    rf"outside)\s)*{_CAP}(?:[ ,]{{1,2}}(?:(?:de|of|do|la|upon|and the)\s)?{_CAP}){{0,4}}"
)
_VALUE = r"(?P<value>\S.{0,200})"
_END = r"(?=\s*(?:[.,;!)(]|\Z)|\s+(?:and|but|from|by|now|for|with|btw|please|too|again|here|or|since|in|at|nice)\b)"

_NAMES = (
    _rule(
        "name",
        "profile",
        rf"(?:[Mm]y|MY|[Tt]he)\s(?:(?:full|first|real|last|given|own)\s)?[Nn]ame(?:'s|\s+is|"
        rf"\sis\sactually)\s+(?:actually\s+)?(?P<value>{_NAME}){_END}",
        slot="user_name",
        template="The user's name is {value}",
        confidence=0.95,
        sure=True,
        cased=True,
    ),
    _rule(
        "name",
        "profile",
        r"my name(?:'s| is) (?!(?:not|on|in|hard|difficult|spelled|a|an|the|too|very|so|also|still|just|now|really|"
        r"pronounced|important|long|short|written|misspelled|wrong)\b)(?P<value>[^\W\d_]{2,30})(?=\s*(?:[.,;!]|\Z)|"
        r"\s(?:and|but|from)\b)",
        slot="user_name",
        template="The user's name is {value}",
        confidence=0.85,
        sure=True,
    ),
    _rule(
        "called",
        "profile",
        rf"(?:[Pp]lease\s+|[Yy]ou\s(?:can|may|should)\s(?:just\s)?|[Jj]ust\s|(?:[Mm]y\s)?(?:[Pp]eople|[Ff]riends|"
        rf"[Ee]veryone)\s(?:usually\s)?)*[Cc]all\sme\s(?P<value>{_NAME}){_END}",
        slot="user_name",
        template="The user's name is {value}",
        confidence=0.9,
        sure=True,
        cased=True,
    ),
    _rule(
        "named",
        "profile",
        rf"I(?:'m| am)\s(?:called|named)\s(?P<value>{_NAME}){_END}",
        slot="user_name",
        template="The user's name is {value}",
        confidence=0.9,
        sure=True,
        cased=True,
    ),
    _rule(
        "introduced",
        "profile",
        rf"(?:I'm|I am)\s(?!{DEMONYMS}\b)(?P<value>{_NAME})(?=\s*(?:[.,;!]|\Z)|\s+(?:and|from|by the way|here)\b)",
        slot="user_name",
        template="The user's name is {value}",
        confidence=0.75,
        sure=True,
        cased=True,
    ),
)

_ANSWERING = (
    r"(?:answers?|repl(?:y|ies)|responses?|respond|explanations?|messages?|communicat\w+|speak|talk|write|"
    r"chat|conversations?|everything)"
)
_SHORTNESS = (
    r"(?:short(?:er)?|concise(?:ly)?|brief(?:ly)?|succinct(?:ly)?|terse(?:ly)?|to the point|crisp|compact|minimal|"
    r"detailed|in[- ]depth|thorough(?:ly)?|"
    r"long(?:er)?|verbose|comprehensive|step[- ]by[- ]step|direct|high[- ]level|simple)"
)

_FROM_NOW_ON = r"(?:(?:from now on|going forward|from here on|in (?:the )?future|by default|henceforth),?\s+)?"

_LANGUAGE = (
    _rule(
        "answer language",
        "profile",
        rf"{_FROM_NOW_ON}(?:please\s+|always\s+|you (?:should|must|can)\s+(?:always\s+)?|i (?:want|need|would like|"
        rf"'d like) you to\s+|i'd like you to\s+|(?:can|could|will|would) you (?:please\s+)?(?:always\s+)?)*"
        rf"(?:answer|reply|respond|speak|talk|write|communicate|chat)(?:\s(?:to|with)?\s?(?:me|"
        rf"us))?(?:\sback)?(?:\sonly|\salways)?\s(?:in\s)?(?P<value>{LANGUAGES})\b(?!\s(?:poem|text|essay|letter|"
        rf"version|word|sentence|speaker|cuisine|food)\w*)",
        slot="preferred_language",
        template="Prefers answers in {value}",
        confidence=0.85,
        sure=True,
    ),
    _rule(
        "prefers language",
        "profile",
        rf"(?:i\s{_ADV}(?:prefer|want|like|need|'d like|would like|would prefer)|i'd (?:prefer|rather have|like)|"
        rf"my preferred language is|the language i prefer is|my language preference is)\s+"
        rf"(?:all |my |your |the |to (?:speak|talk|chat|communicate|write|"
        rf"use)(?: in)? )*(?:{_ANSWERING}\s+)?(?:to be\s+)?(?:in\s+)?(?P<value>{LANGUAGES})(?=\s*(?:[.,;!]|\Z)|"
        rf"\s+(?:answers|replies|please|over|to|instead|from now)\b)",
        slot="preferred_language",
        template="Prefers answers in {value}",
        confidence=0.85,
        sure=True,
    ),
)

_STYLE = (
    _rule(
        "response length",
        "profile",
        rf"{_FROM_NOW_ON}(?:please\s+|always\s+|try to\s+|you (?:should|must)\s+|i (?:want|need|"
        rf"would like) you to\s+|i'd like you to\s+|make sure (?:to|you)\s+)*"
        rf"(?:(?:keep|make(?!\sit\s(?:a\sbit\s|a\slittle\s)?\w+er\b))\s(?:it|things|all|your|the|every\w*|"
        rf"{_ANSWERING}|\s){{1,6}}\s*(?:very |as |more |"
        rf"nice and |super |really )*{_SHORTNESS}|"
        rf"be\s(?:very |more |as |super |really )*{_SHORTNESS}(?!\s(?:with|of)\s(?:him|her|them))|"
        rf"(?:answer|reply|respond|explain\sthings|write)(?:\s(?:to\s)?me)?\s(?:(?!an?\b|the\b|some\b|"
        rf"this\b)\w+\s)?(?:{_SHORTNESS}|in (?:short|"
        rf"one|a few|two|three|full)\s\w+)|"
        rf"(?:give|send|write)\s(?:me\s)?(?:only\s)?(?:very\s)?{_SHORTNESS}\s(?:\w+\s)?{_ANSWERING}|"
        rf"(?:only\s)?{_SHORTNESS}\s{_ANSWERING}(?:\s(?:only|please))*\W*\Z)",
        slot="response_style",
        confidence=0.8,
        sure=True,
    ),
    _rule(
        "prefers length",
        "profile",
        rf"(?:i\s{_ADV}(?:prefer|like|want|love|need|hate|dislike|don't like)|i'd (?:prefer|like|rather have)|"
        rf"my preferred (?:response |answer )?style is)\s+(?:\w+\s+){{0,3}}?"
        rf"(?:{_SHORTNESS}[\s,]+(?:(?:and|,|but|\w+)\s+){{0,3}}{_ANSWERING}|(?:your\s|my\s|"
        rf"the\s)?{_ANSWERING}\s(?:to be\s)?(?:\w+\s){{0,2}}{_SHORTNESS})",
        slot="response_style",
        confidence=0.85,
        sure=True,
    ),
)

_TOOLS = (
    _rule(
        "tool of a kind",
        "profile",
        rf"my\s(?:(?:preferred|favou?rite|default|main|primary|go-to|current|"
        rf"usual)\s)+(?P<kind>{TOOL_KINDS})(?:\sof choice)?\s(?:is|are)\s(?:now\s|still\s)?{_VALUE}",
        slot="preferred_tools",
        confidence=0.9,
        sure=True,
    ),
    _rule(
        "tool of a kind",
        "profile",
        rf"my\s(?P<kind>{TOOL_KINDS})\sof\schoice\sis\s{_VALUE}",
        slot="preferred_tools",
        confidence=0.9,
        sure=True,
    ),
    _rule(
        "tools",
        "profile",
        rf"my\s(?:(?:preferred|favou?rite|default|main|primary|go-to|usual)\s)+(?:\w+\s)?(?:tools?|toolchain|"
        rf"tool ?set|stack|tech stack|setup)\s(?:is|are|consists? of)\s{_VALUE}",
        slot="preferred_tools",
        confidence=0.9,
        sure=True,
    ),
    _rule(
        "prefers tools",
        "profile",
        rf"(?:i|we)\s{_ADV}(?:prefer|use)\s{_VALUE}\s(?:as|for)\s(?:my|our)\s(?:(?:main|default|primary|go-to|"
        rf"preferred|daily)\s)*(?P<kind>{TOOL_KINDS})\b",
        slot="preferred_tools",
        confidence=0.85,
    ),
)

_USES_TOOL = tuple(
    _rule(
        USES_TOOL,
        "profile",
        rf"i(?:\s(?:(?:now|currently|always|mostly|mainly|usually|just|only|still|actually|primarily|generally|"
        rf"normally|"
        rf"typically|exclusively)\s){{0,3}}use|(?:'m|\sam)\s(?:(?:now|currently|still|mostly|mainly|"
        rf"only)\s){{0,2}}using|"
        rf"(?:'ve|\shave)\sbeen\susing)\s(?P<value>{names})(?:\s(?:now|again|instead|these days|nowadays|at the moment|"
        rf"daily|every ?day|for (?:everything|coding|programming|development|years|(?:\w+\s){{1,2}}years))|"
        rf",?\s(?:not|instead of|rather than|because|since)\s.{{1,160}})*\W*\Z",
        slot=f"preferred_tools.{kind}",
        sure=True,
    )
    for kind, names in KNOWN_TOOLS.items()
)

_PLACES = (
    _rule(
        "lives",
        "profile",
        rf"(?:[Ii]|[Ww]e)\s(?:(?:actually|currently|now|still|presently|really|just|[Ii]n fact)\s)*(?:live|reside|"
        rf"stay permanently)\s(?:now\s)?(?:in|near|outside|at)\s(?P<value>{_PLACE})",
        slot=LOCATION,
        confidence=0.9,
        sure=True,
        cased=True,
    ),
    _rule(
        "is where",
        "profile",
        rf"(?:(?:[Ii]t's|[Ii]t is|[Tt]hat's)\s(?P<value>{_PLACE})\s(?:where|that|in which)\s(?:I|i|we|We)(?:'m|\sam|"
        rf"'re|\sare)?\s(?:live|"
        rf"living|based)\b|(?P<value>{_PLACE})\sis\s(?:actually\s)?where\s(?:I|i|we)\slive\b)",
        slot=LOCATION,
        confidence=0.85,
        sure=True,
        cased=True,
    ),
    _rule(
        "based",
        "profile",
        rf"(?:I'm|I am|i'm|i am|We're|we're|We are)\s(?:(?:actually|currently|now|still|presently)\s)*(?:based|"
        rf"living|located|settled|residing)\s(?:now\s)?(?:in|near|outside)\s(?P<value>{_PLACE})",
        slot=LOCATION,
        confidence=0.9,
        sure=True,
        cased=True,
    ),
    _rule(
        "moved",
        "profile",
        rf"(?:[Ii]|[Ww]e|[Ii]'ve|[Ww]e've|[Ii] have|[Ww]e have)\s(?:(?:just|recently|finally|now|also)\s)*(?:moved|"
        rf"relocated)\s(?:back\s|here\s)?(?:from\s{_PLACE}\s)?to\s(?P<value>{_PLACE})",
        slot=LOCATION,
        confidence=0.85,
        sure=True,
        cased=True,
    ),
    _rule(
        "home town",
        "profile",
        rf"[Mm]y\s(?:current\s)?(?:location|city|home ?town now|place of residence|town)\sis\s(?:now\s|"
        rf"actually\s)?(?P<value>{_PLACE})",
        slot=LOCATION,
        confidence=0.85,
        sure=True,
        cased=True,
    ),
)

_JOBS = (
    _rule(
        "works as",
        "profile",
        rf"i\s(?:(?:actually|currently|now|still|also|mainly)\s)*(?:work|make (?:a|my) living|earn (?:a|"
        rf"my) living)\s(?:\w+[- ]?time\s)?as\s(?:an?\s|the\s)?{_VALUE}",
        slot=OCCUPATION,
        confidence=0.9,
        sure=True,
    ),
    _rule(
        "job is",
        "profile",
        rf"my\s(?:current\s|new\s|day\s)?(?:job|occupation|profession|role|job title|position|trade)\sis\s(?!to\b|"
        rf"not\b|very\b|so\b|really\b|hard\b|stress\w+|great|boring|killing|at\b|important|fine){_VALUE}",
        slot=OCCUPATION,
        confidence=0.85,
        sure=True,
    ),
    _rule(
        "works as",
        "profile",
        rf"{_AM}(?:(?:actually|currently|now|still)\s)*(?:working|employed)\s(?:now\s)?as\s(?:an?\s)?{_VALUE}",
        slot=OCCUPATION,
        confidence=0.9,
        sure=True,
    ),
    _rule(
        "by profession",
        "profile",
        rf"{_AM}(?:an?\s)?(?P<value>[\w -]{{3,40}}?)\sby\s(?:profession|trade|training)\b",
        slot=OCCUPATION,
        confidence=0.9,
        sure=True,
    ),
)

_BEHAVIOUR = (
    r"(?:use|import|apply|prepend|append|start using|declare|define|add|include|write|give|show|send|answer|reply|"
    r"respond|call|address|explain|apologi[sz]e|repeat|suggest|"
    r"recommend|mention|put|format|"
    r"cite|ask|tell|end|start|begin|remind|translate|summari[sz]e|assume|return|prefer|avoid|say|provide|make|keep|"
    r"speak|talk|check|test|name|document|comment|"
    r"wrap|convert|quote|list|mark|highlight|follow|run|refer|treat|be|do|prefix|sign)"
)
_POLITE = (
    r"(?:please[, ]+|kindly\s|(?:i|we) (?:now |also |really )?(?:want|need|expect|would like|'d like) you to\s|"
    r"i'd (?:like|prefer|"
    r"appreciate it if) (?:you )?(?:to )?|you (?:should|must|need to|have to|can)\s|"
    r"make sure (?:that )?(?:you |to )?|be sure to\s|ensure (?:that )?(?:you )?(?:to )?|(?:can|could|will|"
    r"would) you (?:please )?)"
)

_INSTRUCTIONS = (
    _rule(
        "always or never",
        "profile",
        rf"{_POLITE}{{0,2}}(?:always|never|don't ever|do not ever|by default,?|from now on,?|going forward,?|"
        rf"in (?:the )?future,?|whenever|every ?time)\s+"
        rf"(?:please\s)?(?:you\s(?:should\s)?)?{_POLITE}{{0,2}}(?:(?:don't|do not|never|always|"
        rf"stop)\s)*(?:i\s\w+.{{1,120}},\s*)?{_BEHAVIOUR}\b\s?\S",
        confidence=0.85,
        sure=True,
    ),
    _rule(
        "instruction for good",
        "profile",
        rf"{_POLITE}{{0,2}}(?:(?:don't|do not|never|always|stop)\s)?{_BEHAVIOUR}\b.{{1,200}}?\b(?:from now on|"
        rf"going forward|from here on|in (?:the )?future|always|every ?time|each time|by default|at all times|"
        rf"in (?:all )?your (?:answers|replies|responses|code|messages)|whenever\b.+)",
        confidence=0.85,
        sure=True,
    ),
    _rule(
        "instruction for every such case",
        "profile",
        rf"(?:(?:for|in|on|with) (?:all|every|any|each)\b|when(?:ever)?\b|every ?time\b|"
        rf"if i\b)[^,]{{3,100}},\s{_POLITE}{{0,2}}"
        rf"(?:(?:don't|do not|never|always|remember to)\s)?{_BEHAVIOUR}\b\s\S",
        confidence=0.8,
        sure=True,
    ),
    _rule(
        "instruction for all of a kind",
        "profile",
        rf"(?:{_POLITE}{{1,2}}(?:(?:don't|do not|never|remember to|also)\s)*{_BEHAVIOUR}\b.{{0,80}}?\b(?:all|every|"
        rf"each|any)\s(?:of\s)?"
        rf"(?:(?:your|the|my|our)\s)?\w+|"
        rf"(?:{_FROM_NOW_ON}|ensure that\s|make sure that\s)(?:all|every|each|any)\s(?:of\s)?(?:(?:your|the|my|"
        rf"our)\s)?[\w ]{{2,40}}?\s"
        rf"(?:should|must|need to|has to|have to|end|start|begin)\s\S|"
        rf"(?:all\s)?(?:of\s)?your\s[\w ]{{2,30}}?\s(?:should|must|need to|have to)\s(?:always\s|never\s|"
        rf"not\s)?\S).{{0,200}}",
        confidence=0.75,
    ),
    _rule(
        "stop doing",
        "profile",
        rf"{_POLITE}{{0,2}}(?:stop|quit|avoid|no need for|refrain from)\s(?P<value>(?:using|adding|giving|including|"
        rf"writing|apologi[sz]ing|calling|repeating|asking|saying|sending|suggesting|recommending|explaining|"
        rf"mentioning|ending|starting)\s.{{1,200}})",
    ),
    _rule(
        "do not",
        "profile",
        rf"{_POLITE}{{0,2}}(?:don't|do not)\s(?:use|add|include|write|give|send|call|address|apologi[sz]e|repeat|"
        rf"suggest|recommend|mention|ask|end|start)\s(?!(?:any of |all |up\b|a try|me (?:the|a|that|this)\b|it\b|"
        rf"that\b|this\b|these\b)){_VALUE}",
        confidence=0.7,
    ),
    _rule(
        "address me",
        "profile",
        rf"{_POLITE}{{0,2}}(?:call|address)\sme\s(?!back|later|when|if|a\b|crazy|tomorrow|today){_VALUE}",
    ),
    _rule(
        "tone",
        "profile",
        rf"{_POLITE}{{0,2}}(?:be|stay|sound|talk to me|use an?|keep (?:it|things|your \w+|"
        rf"the tone))\s(?:\w+\s)?(?:formal|informal|casual|friendly|professional|polite|blunt|honest|critical|warm|"
        rf"neutral|serious|playful|humou?rous)\b"
        r"(?!\s(?:with|about|to)\s(?:him|her|them|my)).{0,80}",
        confidence=0.75,
    ),
    _rule(
        "no extras",
        "profile",
        r"(?:please[, ]+)?no\s(?:more\s)?(?:emojis?|small ?talk|fluff|filler|preambles?|disclaimers?|apolog\w+|"
        r"jargon|bullet ?points|markdown|exclamation\s\w+|slang|comments|code comments|long \w+|summaries|"
        r"jokes)\b.{0,60}",
        confidence=0.75,
    ),
)

_MAKING = (
    r"(?:building|developing|implementing|designing|creating|migrating|refactoring|porting|rewriting|writing|"
    r"preparing|organi[sz]ing|planning(?!\s(?:an?\s|the\s|my\s|our\s)?(?:\w+\s)?(?:picnic|party|dinner|lunch|day trip|"
    r"outing|date|night|evening)\b)|"
    r"setting up|launching|launch|researching|prototyping|editing|composing|drafting|renovating|restoring|"
    r"translating|debugging|fixing|automating|deploying|training for|rebuilding|converting|extending|digiti[sz]ing|"
    r"teaching|analy[sz]ing|studying for|working towards|revising|recording|redesigning|repairing|sewing|knitting|"
    r"negotiating|applying for|moving house|setting up)"
)
_EXPERIMENT = (
    r"(?:experiments?|ablations?|ablation stud\w+|a/b[- ]tests?|benchmarks?|pilots?|trials?|"
    r"hyper-?parameter \w+|grid search|sweep|evaluation|simulation|user study|survey)"
)
_WE = r"(?:i'm|i am|im|we're|we are)\s+"

_RETURN_TO = (
    r"(?!(?:know|ask|see|hear|talk|say|thank|share|tell|understand|chat|be honest|be able|add|mention|"
    r"discuss|find out|give|go over|check|make sure|apologize|point out|clarify|do (?:that|it|this)|"
    r"try (?:it|that|this|some)|look (?:it|into)|read (?:it|that|them)|consider|think)\b)"
)

_NOT_PASTIME = r"(?!(?:go|relax|rest|sleep|watch|stay (?:in|home)|eat|cook|buy|visit|meet|see|hang out|spend)\b)"
"""What is planned for an evening is no goal."""

_TASKS = (
    _rule(
        "next step",
        "task_context",
        r"(?:(?:the\s)?(?:only|last)\s(?:things?|parts?|steps?|bits?)\sleft(?:\sto\sdo)?\s(?:is|are)\s|(?:my|"
        r"our)\smain\s(?:task|job|focus|"
        r"priority)\s(?:\w+\s){0,3}?(?:is|are)\s|after that comes\s|(?:and\s|so\s|the\s|my\s|our\s)*next\s(?:steps?|"
        r"action|task|item|milestone|up|"
        r"thing(?: to do)?)(?:\sfor\s(?:me|us)|\shere|\snow)?\s?(?:is|"
        r"are|will be|would be|:|-)\s*(?!to thank)|next(?:\sup)?,?\s+(?:i|we)(?:'ll| will|'m going to| am going to|"
        r" are going to| need to| have to| want to| plan to| should)\s|"
        r"to-?dos?\s?(?::|-|\bis\b)\s*|(?:i|we)\s(?:still|also still)\s(?:need|have|want)\sto\s(?!know|understand|"
        r"ask)|after that,?\s(?:i|we)(?:'ll|\swill|\sneed to|\splan to)\s|(?:still|remaining)\sto\sdo:\s*)" + _VALUE,
        confidence=0.8,
        sure=True,
    ),
    _rule(
        "next step",
        "task_context",
        rf"(?:(?:i|we)(?:'ll|\swill|\sneed to|\shave to|\splan to|\sintend to|\sshould)|{_WE}(?:going|"
        rf"planning)\sto)\s{_RETURN_TO}(?!.{{0,150}}\byou\b)(?P<value>.{{3,150}}?\b(?:next(?!\s(?:to|time)\b)|"
        rf"tomorrow|by\s(?:mon|tues|wednes|thurs|fri|satur|sun)day|by\s(?:the end of|next|noon|tonight|then|\w+\s\d)|"
        rf"this\s(?:week|afternoon|weekend|month|sprint|quarter)|on\s(?:mon|tues|wednes|thurs|fri|satur|"
        rf"sun)day)\b.{{0,60}})",
        confidence=0.75,
        sure=True,
    ),
    _rule(
        "blocker",
        "task_context",
        rf"(?:{_WE}(?:(?:completely|totally|currently|still|now|kind of|a bit|really)\s)*(?:blocked|stuck|held up|"
        rf"bottlenecked|waiting)\s(?:on|by|with|at|for|until|because|trying|in)\s(?!you\b|your\b|hold\b|the (?:phone|"
        rf"bus|train|queue|line|rain)){_VALUE}|"
        rf"{_WE}(?:(?:currently|still|really)\s)*(?:struggling|having\s(?:a lot of\s|some\s|a hard\s)?(?:trouble|"
        rf"problems?|issues?|difficult(?:y|ies)|time))\s(?:with|to|getting|understanding|finding|making|installing|"
        rf"running|figuring)\s{_VALUE}|"
        rf"(?:my|our|the)\s(?:(?:main|biggest|current|only|big|major|first)\s)*(?:blocker|bottleneck|obstacle|"
        rf"roadblock|impediment)s?\s(?:is|are|was|right now is|at the moment is|:)\s*{_VALUE}|"
        rf"(?:current\s)?blockers?\s?:\s*{_VALUE}|"
        rf"(?:i|we)\s(?:can't|cannot|can not)\s(?:proceed|continue|move on|go on|finish|deploy|release|merge|ship|"
        rf"start|build|test)\s(?:.{{0,60}}\b)?(?:until|because|before|without|since|as long as)\s{_VALUE}|"
        rf"(?!(?:it|that|this|what|which|he|she|they)\b)[\w' -]{{3,60}}?\s(?:is|are|"
        rf"keeps?)\s(?:still\s)?blocking\s(?:me|us|my|our|the)\b.{{0,80}}|"
        rf"(?:my|our|the)\s[\w' -]{{2,50}}?\s(?:keeps?\s(?:failing|crashing|timing out|hanging|breaking)|(?:is|"
        rf"are)\s(?:still\s)?(?:failing|broken|blocked|flaky|down))\b.{{0,80}})",
        confidence=0.8,
        sure=True,
    ),
    _rule(
        "experiment",
        "task_context",
        rf"(?:{_WE}(?:(?:currently|now|still|also)\s)*(?:running|doing|conducting|setting up|designing|starting|"
        rf"repeating|re-?running)\s(?:an?\s|the\s|our\s|my\s|some\s|another\s|"
        rf"\d+\s)?(?:[\w/-]+\s){{0,4}}?{_EXPERIMENT}\b.{{0,200}}|"
        rf"{_WE}(?:(?:currently|now|still|also)\s)*(?:testing\s(?:whether|if|how|out|the (?:effect|hypothesis|idea))|"
        rf"experimenting\swith|trialling|piloting|benchmarking|evaluating\s|comparing\s.{{2,60}}\s(?:with|against|to|"
        rf"and)\s|training\s(?:an?|the|my|our)\s(?:\w+\s){{0,3}}(?:model|network|classifier|tagger|transformer|agent|"
        rf"policy)).{{0,200}}|"
        rf"(?:my|our|the)\s(?:(?:current|active|latest|new|running)\s)*{_EXPERIMENT}\s(?:is|are|compares?|tests?|"
        rf"measures?|looks? at|called|:)\s*.{{2,200}}|"
        rf"(?:current|active)\sexperiments?\s?:\s*.{{2,200}})",
        slot="active_experiment",
        confidence=0.8,
        sure=True,
    ),
    _rule(
        "project",
        "task_context",
        rf"(?:(?:i'm|i am|im|we're|we are|i've been|i have been|we've been|we have been)\s(?:(?:currently|now|still|"
        rf"also|mainly|mostly|actively|busy|already|actually|just)\s)*working\s(?:now\s)?(?:hard\s|full[- ]time\s|"
        rf"part[- ]time\s)?on\s|"
        rf"(?:i|we)\s(?:(?:currently|now|mainly|mostly|actually)\s)*work\son\s(?=(?:the|my|our|an?|project)\s|"
        rf"(?-i:[A-Z]))|"
        rf"(?:i've|i have|we've|we have|i|we)\s(?:just\s|recently\s|now\s|finally\s)?(?:started|begun|began|"
        rf"switched to|moved on to|gone back to)\s(?:to\swork|working)\son\s|"
        rf"(?:my|our|the)\s(?:(?:current|main|new|latest|active|side|next|big)\s)*project(?:'s\sname)?\s(?:is|"
        rf"is called|is named|right now is|at the moment is|:)\s*(?:called\s|named\s)?(?!(?:due|late|going|not|very|"
        rf"almost|done|finished|over|great|important|hard|too|so)\b)|"
        rf"(?:current\s)?project\s?:\s*)"
        rf"(?!(?:it|that|this|myself|improving myself|my (?:English|patience|temper|communication|attitude)|being|"
        rf"getting better|becoming)\b){_VALUE}",
        slot="current_project",
        confidence=0.85,
        sure=True,
    ),
    _rule(
        "current work",
        "task_context",
        rf"(?:{_WE}|(?:i've|i have|we've|we have)\sbeen\s)(?:(?:currently|now|still|also|actually|busy|"
        rf"just)\s)*{_MAKING}\s(?!(?:it|that|this|these|those|to|on|for|you|down|about (?:it|that|you))\b){_VALUE}",
        confidence=0.7,
        sure=True,
    ),
    _rule(
        "goal",
        "task_context",
        rf"(?:(?:my|our|the)\s(?:(?:main|current|ultimate|big|biggest|next|long[- ]term|short[- ]term|overall|first|"
        rf"real|personal|career|fitness|other|new)\s)*(?:goals?|aim|objective|target|deadline|milestone|"
        rf"ambition)s?\s(?:(?:of|for)\s[\w' -]{{2,40}}?\s)?(?:is|are|right now is|at the moment is|:)\s*(?!(?:that|"
        rf"this|what|clear|done|met|a good)\b){_VALUE}|"
        rf"(?:current\s)?goals?\s?:\s*{_VALUE}|"
        rf"{_WE}(?:(?:currently|now|still|really|also)\s)*(?:(?:trying|aiming|hoping|planning|preparing|working hard|"
        rf"saving(?:\sup)?)\s(?:to|for|on)\s{_RETURN_TO}{_NOT_PASTIME}(?!(?:find|decide|remember|figure)\b)|"
        rf"looking\sfor\s(?=(?:a\s|an\s)?(?:\w+\s){{0,2}}?(?:job|role|position|apartment|flat|supervisor|investors?|"
        rf"roommate)\b)){_VALUE}|"
        rf"(?:i|we)\s(?:(?:really|also|still|eventually|ultimately|have always)\s)*(?:plan|aim|intend)\s(?:to|"
        rf"on)\s{_RETURN_TO}{_NOT_PASTIME}{_VALUE}|"
        rf"(?:i|we)\s(?:(?:need|have|want|must|got)\sto|must)\s{_RETURN_TO}.{{3,120}}\b(?:by|before|until|"
        rf"within)\s(?:the\s)?(?:end|next|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|"
        rf"oct|nov|dec|tomorrow|tonight|noon|christmas|summer|\d).{{0,60}}|"
        rf"(?:i|we)\s(?:(?:really|eventually|ultimately|always|just)\s)*(?:want|would like|"
        rf"hope)\sto\s(?:(?:eventually|one day|finally|really)\s)*(?:become|finish|complete|learn|master|launch|"
        rf"publish|graduate|improve|reduce|increase|lose|save|run a|build|ship|release|migrate|reach|achieve|"
        rf"get better|start my|start a|write a|quit|open a|pass|earn|retire)\s{_VALUE})",
        confidence=0.7,
        sure=True,
    ),
)

_DATES = (
    _rule(
        "due",
        "task_context",
        r"(?:the|my|our|an?)\s(?!(?:world|train|bus|film|movie|show|game|match)\b)(?:[\w'&/-]+\s){1,5}?(?:"
        r"(?:(?:is|are|'s)\s)?(?:now\s|still\s|also\s)?due\s(?!to\b)\S|"
        r"(?:is|are)\s(?:still\s|now\s)?(?:overdue|unfinished|pending|holding up|blocking|delaying|held up|on hold|"
        r"half (?:done|finished)|"
        r"behind schedule|"
        r"waiting (?:on|for))\b|(?:has|have)\sto\sbe\s\w+\s(?:by|before|in|on)\s|"
        r"(?:deadline|due date|launch|release|opening|defen[cs]e|submission|hearing|move|exam|audit|"
        r"inspection)\s(?:is|was|has been|"
        r"got|got moved|moved|now|falls)\s).{1,160}",
        confidence=0.7,
        sure=True,
    ),
    _rule(
        "sets a date",
        "task_context",
        r"(?:i|we)(?:'re|'m|\sare|\sam)?\s(?:open(?:ing)?|launch(?:ing)?|ship(?:ping)?|releas(?:e|ing)|"
        r"submit(?:ting)?|deliver(?:ing)?|"
        r"defend(?:ing)?|hand(?:ing)? in|publish(?:ing)?|finish(?:ing)?|start(?:ing)?)\s(?:our|my|the|"
        r"a)\s.{2,80}?\s(?:in|on|by|next|"
        r"before|this)\s(?:\w+\s){0,2}(?:days?|weeks?|months?|year|\d|january|february|march|april|may|june|july|"
        r"august|"
        r"september|october|november|december|spring|summer|autumn|winter|monday|tuesday|wednesday|thursday|friday|"
        r"saturday|sunday)\b.{0,100}",
        confidence=0.7,
        sure=True,
    ),
)

_LIKING = (
    r"(?:like|love|enjoy|adore|hate|dislike|detest|despise|loathe|prefer|favou?r|avoid|fear|value|cherish|treasure|"
    r"crave|prioriti[sz]e|abhor|shun|"
    r"stand|bear|tolerate|refuse|mind|opt for|steer clear of|stay away from|stick to|lean towards?|"
    r"gravitate towards?|care for|care about|trust|struggle with|suffer from)"
)

_PREFERENCES = (
    _rule(
        "preference",
        "profile",
        rf"(?:i|we)\s{_ADV}{_NOT}{_ADV}(?:{_LIKING})\s{_VALUE}",
        confidence=0.85,
        lasting=True,
    ),
    _rule(
        "would prefer",
        "profile",
        rf"(?:i'd|i would)\s{_ADV}(?:prefer|rather|sooner)\s(?!(?:not\s)?(?:say|answer|talk about|discuss|"
        rf"know))(?!if you\b|you to\b(?! always)|it\b|that\b|this\b|not\b\W*\Z)\S.{{1,200}}",
        confidence=0.75,
        lasting=True,
    ),
    _rule(
        "dislikes",
        "profile",
        rf"i\s(?:really\s|just\s|absolutely\s|simply\s)*(?:can't|cannot|can not)\s(?:really\s)?(?:stand|bear|"
        rf"tolerate|eat|drink|have|digest|consume|swim|drive|cook|handle|smell|taste|take)\s{_VALUE}",
        confidence=0.85,
    ),
    _rule(
        "liking since ever",
        "profile",
        rf"(?:{_HAVE}|i\s)(?:(?:always|never|long)\s(?:really\s)?(?:liked|loved|enjoyed|hated|disliked|preferred|"
        rf"dreamed|dreamt|avoided|feared|believed|cared|used|eaten|drunk)|always\s(?:wanted|been|had|"
        rf"found))\s(?!there\b){_VALUE}",
    ),
    _rule(
        "favourite",
        "profile",
        r"(?:(?:one|some) of )?(?:my|our)\s(?:(?:absolute|all-time|personal|current|least|other|"
        r"second)\s)*(?:favou?rite|preferred)s?\s[\w' -]{2,60}?\s(?:is|are|has always been|would be)\s(?!(?:that|"
        r"this|it|those|these)\b)" + _VALUE,
        confidence=0.85,
        sure=True,
    ),
    _rule(
        "favourite",
        "profile",
        rf"(?!(?:that|this|it|those|these|which|what|they|he|she|here|there|yours?|i|i'd|"
        rf"i'm)\b)[\w{QUOTED}' -]{{2,60}}?\s(?:is|are)\s(?:(?:one|some|two) of\s)?(?:my|our)\s(?:absolute\s|"
        rf"all-time\s|least\s)*favou?rites?\b.{{0,100}}",
        confidence=0.8,
    ),
    _rule(
        "disposition",
        "profile",
        rf"{_AM}(?:(?:not|also|really|very|quite|especially|particularly|deeply|deathly|extremely|somewhat|generally|"
        rf"a bit|so|rather|super|highly|mostly|strongly|always|actually|[a-z]{{3,15}}ly)\s)*"
        r"(?:interested in(?!\s(?:knowing|hearing|seeing|buying|learning more|finding))|into|fond of|keen on|"
        r"passionate about|enthusiastic about|crazy about|addicted to|obsessed with|afraid of|scared of|terrified of|"
        r"frightened of|allergic to|intolerant (?:to|of)|"
        r"averse to|opposed to|against|sensitive to|uncomfortable (?:with|in|around|when|on|using)|"
        r"comfortable (?:with|in|around|using)|good at|bad at|terrible at|great at|skilled (?:in|at|with)|"
        r"experienced (?:in|with)|fluent in|familiar with|used to|committed to|dedicated to|"
        r"proud of my|responsible for|in charge of|drawn to|fascinated (?:by|with)|picky about|particular about|"
        r"conscious (?:of|about)|concerned about|wary of|skeptical of|sceptical of|on an?\s(?:[\w-]+\s){0,3}(?:diet|"
        r"medication|budget)|on (?:medication|disability|parole)|prone to|partial to|"
        r"in (?:the (?:army|navy|military|air force)|college|university|high school|grad school|therapy|recovery|"
        r"an? (?:\w+\s)?relationship)|at university|expecting (?:a|twins|triplets|our|my)|studying|learning|"
        r"majoring in|taking (?:\w+\s)?(?:classes|lessons|courses)|homeschooled|raised|adopted|retired|(?:always|"
        r"constantly|never) \w+ing)\b(?:\s"
        rf"{_VALUE})?",
        confidence=0.8,
    ),
    _rule(
        "strong feelings",
        "profile",
        rf"(?:i|we)\s{_ADV}(?:have|hold|'ve got)\s(?:an?\s|no\s|some\s|zero\s|such an?\s|my\s)?(?:(?!question|idea|"
        rf"problem|meeting)[\w-]+\s){{0,4}}?(?:preference|aversion|dislike|distaste|hatred|love|passion|fear|phobia|"
        rf"allerg(?:y|ies)|intolerance|sensitivity|interest|weakness|soft spot|disability|condition|disorder|diet|"
        r"belief|rule|policy|habit|tradition|tolerance|degree|background|experience|diploma|license|licence|"
        r"certificate|tattoos?|stance|objections?|reservations|commitment|skin|hair|eyes)\b.{0,200}",
        confidence=0.85,
    ),
    _rule(
        "been at it",
        "profile",
        rf"(?:{_HAVE})been\s(?:an?\s(?!bit|while|long|little|lot|great|huge)|vegan|vegetarian|married|single|"
        rf"divorced|sober|retired|self-employed|(?:living|working|teaching|practi[cs]ing|learning|studying|playing|"
        rf"collecting)\s)(?!(?:on|with you)\b).{{0,200}}",
        confidence=0.75,
    ),
)

_NO_SUBJECT = (
    r"(?!(?:that|this|it|those|these|which|what|they|he|she|here|there|you|your|yours|who|i|i'd|i'm|we|let|nothing|if|"
    r"when|"
    r"hearing|knowing|seeing|talking|everything|my (?:friend|boss|colleague|sister|brother|cousin|uncle|aunt))\b)"
)
_REACTIONS = (
    _rule(
        "does to me",
        "profile",
        rf"{_NO_SUBJECT}[\w{QUOTED}' -]{{2,60}}?\s(?:(?:always|just|really|usually|often)\s)*(?:makes?|drives?|wears?|"
        rf"puts?|"
        r"stress(?:es)?|bores?|scares?|terrif(?:y|ies)|relax(?:es)?|calms?|disgusts?|exhausts?|"
        r"fascinates?|upsets?|agrees? with|don't agree with|doesn't agree with|do nothing for|does nothing for)\sme\b"
        r"(?!\s(?:laugh|think|wonder|want to (?:laugh|cry)|happy to|to (?:hear|know)|know|a (?:call|hand|break|"
        r"minute))\b).{0,160}",
        confidence=0.7,
    ),
    _rule(
        "nothing beats",
        "profile",
        r"(?:for\sme,?\s)?(?:nothing\s(?:beats|like)\s(?:an?\s|the\s)?(?!(?:that|this|it)\b)\w|(?:i'd|"
        r"i\swould)\s(?:\w+\s)?"
        r"(?:take|choose|pick)\s.{2,60}?\sover\s\w|(?:not\s)?(?:an?\s)?(?:big|huge|massive)?\s?fan\sof\s(?!(?:it|that|"
        r"this|your)\b)"
        r"\w|you(?:'ll| will| can) never catch me\s\w).{0,160}",
        confidence=0.7,
        lasting=True,
    ),
    _rule(
        "is for me",
        "profile",
        rf"{_NO_SUBJECT}[\w{QUOTED}' -]{{2,60}}?\s(?:is|are|isn't|aren't|is not|are not)\s(?:(?:really|just|so|"
        rf"definitely|always|not|"
        r"absolutely)\s)*(?:my\s(?:thing|jam|weakness|comfort food|cup of tea|go-?to|happy place|guilty pleasure|"
        r"escape|"
        r"worst (?:nightmare|fear)|least favou?rite|strong suit|pet peeve)|for\sme|where\si\s\w+)\b.{0,120}",
        confidence=0.7,
    ),
    _rule(
        "regular days",
        "profile",
        r"(?:my\s)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:s|\s(?:mornings?|nights?|evenings?|afternoons?))|"
        r"mornings|"
        r"evenings|weekends|week-?nights|lunch breaks)\s(?:is|are|means?|always|belong)\s.{2,160}",
        confidence=0.65,
    ),
    _rule(
        "our habit",
        "profile",
        r"we\s(?=.{0,200}\b(?:every|always|usually|never|each|normally|(?:mon|tues|wednes|thurs|fri|satur|sun)days|"
        r"weekends|"
        r"once a|twice a)\b)(?:(?:always|usually|never|normally|also|all)\s)*(?!(?:are|were|had|could|should|would|"
        r"will|must|need|"
        r"can|might|may|think|know|hope|did|was|went|said|talk|discuss)\b)[a-z]{2,12}(?<!ed)\s.{2,200}",
        confidence=0.65,
    ),
)

_TRAITS = (
    _rule(
        "nationality",
        "profile",
        rf"(?:I'm|I am|i'm|i am|We're|we are)\s(?:(?:originally|half|part|actually|"
        rf"also)\s)*{DEMONYMS}\b(?!\s\w+ing).{{0,100}}",
        cased=True,
    ),
    _rule(
        "trait",
        "profile",
        rf"{_AM}(?:(?:not|also|a strict|strictly|happily|newly|recently|currently|mostly|still|now|legally|partially|"
        rf"severely|totally|completely|very|quite|pretty|half|deathly|highly|extremely|"
        rf"[a-z]{{3,15}}ly)\s)*{TRAITS}(?![\w-]|\son\b|\sfor (?:you|that|this)|\sof (?:breath|time)).{{0,200}}",
        confidence=0.85,
    ),
    _rule(
        "origin",
        "profile",
        rf"(?:{_AM}(?:originally\s|actually\s|also\s)*from\s|(?:i|we)\s(?:originally\s)?(?:come|hail)\sfrom\s|"
        rf"i\s(?:was\s(?:born|raised|brought up|adopted)|grew\sup|graduated|majored|minored|studied|"
        rf"was diagnosed)\s(?:in|on|at|from|by|as|with|and)\s?)(?!(?:the (?:store|gym|office|shop|cinema)|work|there|"
        rf"here)\b){_VALUE}",
        sure=True,
    ),
    _rule(
        "age",
        "profile",
        rf"(?:{_AM}(?:(?:now|already|only|just|about|almost|turning)\s)*(?:(?:1[01])?\d{{1,2}}(?!\d)|in my \w+|(?:one|"
        rf"two|three|four|"
        rf"five|six|seven|eight|nine|ten|eleven|twelve)(?=\syears)|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|"
        rf"ninety)(?:[- ]\w+)?|[a-z]{{3,9}}teen)(?:\s?(?:years?|yrs?)[- ]?(?:old|of age))?(?=\s*(?:[.,;!]|\Z)|"
        rf"\s(?:and|now)\b)|my age is\s\S.{{0,40}})",
        confidence=0.85,
        sure=True,
    ),
    _rule(
        "is a",
        "profile",
        rf"{_AM}(?:(?:not|also|actually|basically|essentially|currently|now|still|just|only|really|both|definitely|"
        rf"proudly|more of)\s)*(?:an?|the|one of the|half|part of)\s"
        rf"(?!(?:bit(?!\sof\san?\s(?!mess\b))|little(?!\s(?:girl|boy)\b)|lot|mess|loss|total mess|couple|few|while|"
        rf"big boy|huge mess|tad|idiot|only one|same|"
        rf"one who|one that|first to|type to)\b)(?!fan of (?:it|that|this|your|yours|his|her|them)\b)(?!\w+\s(?:bit|"
        rf"little|mess|idiot)\b){_VALUE}",
        confidence=0.8,
    ),
    _rule(
        "is no",
        "profile",
        rf"{_AM}not\s(?:much of|an?|very)\s(?!(?:sure|certain|clear|happy|confident|good idea|well|bit)\b){_VALUE}",
        confidence=0.7,
    ),
    _rule(
        "has family",
        "profile",
        rf"(?:i|we)(?:'ve\sgot|\s{_ADV}(?:have|have got|got|adopted|raise|own|"
        rf"foster))\s(?:[\w'-]+\s){{0,5}}?{KIN}\b(?!'s\s(?:birthday|wedding|visit))(?!\s(?:visiting|coming|"
        rf"over)).{{0,200}}",
        confidence=0.85,
    ),
    _rule(
        "has family",
        "profile",
        rf"(?:i\s(?:don't|do not)\shave\s(?:any\s|an?\s)?){KIN}\b.{{0,100}}",
        confidence=0.85,
    ),
    _rule(
        "kin's name",
        "profile",
        rf"(?:my|our)\s(?:[\w-]+\s){{0,2}}?{KIN}(?:'s\s(?:names?\s(?:is|are)|called|named)|\s(?:is|are)\s(?:called|"
        rf"named)|s'\snames\sare)\s{_VALUE}",
        confidence=0.9,
        sure=True,
    ),
    _rule(
        "kin's life",
        "profile",
        rf"(?:(?:my|our)\s(?:(?!ex\b)[\w-]+\s){{0,2}}?{HOUSEHOLD}|the\s(?:dog|cat|baby|kids|"
        rf"twins))\b(?:,?\s(?-i:[A-Z])[\w-]+\b,?)?"
        rf"(?:(?:'s|\sis|\sare|'re)\s(?!{MOMENTS}\b){_VALUE}|\s(?:has|have|was|were)\s(?!{MOMENTS}\b|to\b){_VALUE}|"
        rf"\s(?:(?:also|both|all|still|now|only|just|always|never|really)\s)*(?!{OPINIONS}\b)"
        rf"(?:[a-z]{{2,12}}[^s\W]s|can't|cannot|can|doesn't|don't|died|passed away|live|work|play|go|study|suffer|"
        rf"attend|taught|served|worked|played|raised|brought up|left me|"
        rf"cheated)\b(?!\s(?:(?<!taught )(?<!raised )me\b|that\b|i\b|we\b|if\b|like i\b)){_VALUE}?)",
        confidence=0.7,
    ),
    _rule(
        "belongs to",
        "profile",
        rf"{_AM}(?:(?:also|currently|now|still|actually)\s)*(?:on|in|part of|a member of)\s(?:the|a|an|my|"
        rf"our)\s(?:[\w'-]+\s)"
        rf"{{0,3}}?(?:team|band|choir|club|army|navy|marines|military|orchestra|squad|league|board|programme?|union|"
        rf"church|committee|cast|crew|force)\b.{{0,100}}",
        confidence=0.75,
        sure=True,
    ),
    _rule(
        "a life changed",
        "profile",
        rf"(?:i|we)(?:'ve|\shave)?\s(?:(?:just|recently|finally|also|now)\s)*(?:(?:moved|relocated|emigrated|"
        rf"immigrated)\s"
        rf"(?:in(?:to)?|to|here|from|out|back|away|over)\b|(?:bought|rented|inherited|built|own)\s(?:an?|my|our|"
        rf"the)\s(?:\w+\s)"
        rf"{{0,3}}?{HOMES}\b|got\s(?:(?:an?|my|our|another)\s(?:[\w-]+\s){{0,3}}?(?:job|{HOMES}|degree|licen[cs]e|"
        rf"promotion|"
        rf"diploma|visa|{KIN})\b|(?:married|divorced|engaged|promoted|fired|laid off|pregnant|sober|hired)\b)|"
        rf"(?:started|opened|founded|run|joined|quit|left|lost|changed|sold|closed)\s(?:an?|my|our|"
        rf"the)\s(?:[\w'-]+\s){{0,3}}?(?:job|business|"
        rf"company|shop|school|college|university|studies|course|career|bakery|restaurant|caf[eé]|band|church|gym|team|"
        rf"husband|wife|partner|father|mother|son|daughter)\b|(?:started|finished|dropped out of)\s(?:college|"
        rf"university|"
        rf"school|high school|therapy|treatment)\b|(?:sold|changed|switched)(?!\sjobs?\b)\s"
        rf"(?:my\s|our\s)?(?:\w+\s)?(?:{HOMES}|jobs?|careers?|"
        rf"schools?|majors?|names?|business|shop)\b|(?:gave up|given up|took up|taken up)\s(?!on\b|hope\b|(?:that|"
        rf"this|it|your)\b)\w|"
        rf"(?:became|have become)\s(?:an?|the|vegan|vegetarian|vegan|sober)\b|"
        rf"(?:broke up|split up|broken up)\swith\s\w|(?:graduated|retired|divorced|separated|remarried|converted)\b|"
        rf"had\s(?:an?|to have an?|my|our)\s(?:[\w-]+\s){{0,2}}?"
        rf"(?:baby|transplant|stroke|heart attack|surgery|operation|child|son|daughter|miscarriage|twins)\b).{{0,160}}",
        confidence=0.7,
        sure=True,
    ),
    _rule(
        "looks back",
        "profile",
        rf"(?:i\sused\sto\s(?:(?:also|always|often|only)\s)*(?:be\san?|work|play|own|teach|run|have|drive|coach|serve|"
        rf"smoke|drink)\s"
        rf"(?!(?:that|this|it|so|very)\b){_VALUE}|(?:i|we)(?:'ve|\shave)?\s(?:spent|worked|taught|lived|played|served|"
        rf"studied|"
        rf"practi[cs]ed)\s(?:.{{0,60}}?\s)?(?:years|decades?|(?:\w+|\d+)\syears?)\b.{{0,160}}|(?:i've|"
        rf"i\shave)\s(?:never|always|"
        rf"only ever)\s(?:been|had|lived|learned|learnt|driven|eaten|drunk|owned|worked|seen|tried|smoked|wanted|"
        rf"played)\s(?!(?:that|this|it|so|better|anything|such|there|able|asked|told|the chance|more)\b){_VALUE}|"
        rf"(?:i've|i\shave)\sbeen\sto\s(?!(?:the (?:shop|store|gym|doctor|dentist))\b){_VALUE}|"
        rf"i\s(?:(?:started|began|learned|learnt)\s.{{3,60}}\swhen\si\swas|went\sto\s(?:school|college|university|"
        rf"uni)|founded|invented|won\s(?:an?|the)\s(?:\w+\s){{0,3}}?(?:medal|award|prize|"
        rf"scholarship|championship|title))\b.{{0,120}})",
        confidence=0.65,
    ),
    _rule(
        "expects",
        "profile",
        rf"{_AM}(?:(?:also|now|finally|soon)\s)*(?:getting\s(?:married|divorced|a\sdivorce)|(?:having|"
        rf"expecting)\s(?:an?\s|our\s|my\s)?"
        rf"(?:\w+\s){{0,2}}?(?:baby|child|kid|twins|triplets|boy|girl)|turning\s\d+|retiring|"
        rf"in\s(?:the\s)?(?:\w+\s)?(?:grade|year\sof\s\w+))\b.{{0,120}}|i(?:'ve)?\s(?:just\s|recently\s)"
        rf"turned\s\d+\b.{{0,60}}",
        confidence=0.65,
        sure=True,
    ),
    _rule(
        "hopes to be",
        "profile",
        rf"(?:i|we)\s(?:(?:really|also|still|always|just|one day|someday|eventually)\s)*(?:want|hope|dream|aspire|"
        rf"would (?:like|love)|'d (?:like|love))\s(?:(?:of|to one day|to)\s)(?:(?:become|becoming|own|owning|open|"
        rf"opening|move|"
        rf"moving|retire|retiring|study|studying|speak|speaking|emigrate|adopt|adopting|publish|"
        rf"publishing)\s(?!(?:that|this|"
        rf"it|more|about)\b)|(?:be|being)\san?\s(?!(?:good|better|great|bit|little|part|help))){_VALUE}",
        confidence=0.65,
    ),
    _rule(
        "attribute",
        "profile",
        r"(?:my|our)\s(?:(?:native|first|mother|second|main|biggest|only|greatest|other|usual|dream|current|personal|"
        r"preferred|primary|weekly|monthly|daily|general|default|working)\s)*"
        r"(?:tongue|language|languages|nationality|major|minor|diet|pronouns|time ?zone|hobb(?:y|ies)|passions?|"
        r"birthday|age|religion|faith|zodiac sign|star sign|sign|blood type|dream|dream job|dream is|preferences?|"
        r"style|cuisine|genres?|budget|phobias?|fears?|"
        r"allerg(?:y|ies)|disability|diagnosis|condition|employer|company|team|department|boss|manager|school|"
        r"university|degree|ethnicity|background|heritage|roots|height|weight|shoe size|size|eyes|hair|skin|"
        r"email(?: address)?|phone(?: number)?|address|github|"
        r"working hours|office hours|schedule|workday|coding style|naming convention|indentation|car|interests?|"
        r"taste|tastes|skin type|favou?rites?)\s(?:is|are|include|includes|lie in|consists? of|begins?|starts?|"
        r"ends?)\s(?!(?:that|this|it|those|these|very|so|not|really|great|fine|good|broken|killing|driving|what|why|"
        r"gone|over|late|in the (?:shop|garage))\b)" + _VALUE,
        confidence=0.8,
    ),
    _rule(
        "is my kin",
        "profile",
        rf"(?!(?:that|this|it|those|these|which|what|he|she|they|here|there|you|i|who|one)\b)[\w' ,-]{{2,60}}?\s(?:is|"
        rf"are)\s(?:my|our)\s"
        rf"(?:\w+\s){{0,2}}?{HOUSEHOLD}\b.{{0,120}}",
        confidence=0.7,
    ),
    _rule(
        "parent of",
        "profile",
        rf"{_AM}(?:(?:also|now|a)\s)?(?:proud\s)?(?:mum|mom|mummy|dad|daddy|mother|father|parent|grandma|grandpa|"
        rf"guardian|carer|"
        rf"caregiver|aunt|uncle|godmother|godfather)\s(?:to|of|for)\s(?!(?:you|that|this|it)\b){_VALUE}|"
        rf"we\s(?:farm|raise|rent|breed|homeschool|foster|live|grow)\s(?!(?:in a (?:world|society|time))\b){_VALUE}",
        confidence=0.75,
    ),
    _rule(
        "has",
        "profile",
        rf"(?:i|we)(?:'ve\sgot|\s(?:(?:also|still|currently|only|already|now|just|always)\s)*(?:(?:don't|"
        rf"do not)\s)?(?:have|own|"
        rf"have got|keep|wear))\s(?!to\b|not\b|no\b|been\b|had\b|[a-z]+ed\b|just\b|heard|seen|made|done|gone|got\b|"
        rf"never|always|already|recently|also|read\b|come|become|given|taken|written|known|thought|bought|built|"
        rf"spent|learnt|the feeling|yet\b)"
        rf"(?!(?:[\w'-]+\s){{0,5}}?{EPISODE_NOUNS}\b){_VALUE}",
        confidence=0.65,
    ),
    _rule(
        "refuses",
        "profile",
        rf"(?:i|we)(?:\swill\s(?:never|not|only)|\swon't|\swould\snever|'ll\snever|'d\snever)\s(?:ever\s)?(?:eat|"
        rf"drink|use|buy|wear|fly|watch|touch|work|consider|read|play|listen|date|own|drive|live|go to|ride|smoke|"
        rf"support|consume|travel|stay|pay|trust)\s{_VALUE}",
        confidence=0.8,
    ),
    _rule(
        "wants by rule",
        "profile",
        rf"(?:i|we)\s(?:(?:(?:only|always|never|absolutely|specifically|generally)\s)+|(?:do not|"
        rf"don't) (?=want any\b))(?:want|need|get|take|give|go|try|keep|start|come|leave|bring|send|eat at|"
        rf"put)\s(?!to (?:know|ask|say)){_VALUE}",
        confidence=0.75,
    ),
    _rule(
        "finds",
        "profile",
        rf"i\s{_ADV}find\s(?:it\s(?:very\s|really\s|extremely\s)?(?:hard|difficult|easy|easier|stressful|exhausting|"
        rf"annoying|relaxing|uncomfortable)\s(?:to|when)\s|(?!it\b))(?!(?:that|this|these|those|him|her|them|you|the|"
        rf"out|myself|some|a|an|time|something|anything|one)\b){_VALUE}",
        confidence=0.7,
    ),
    _rule(
        "feels",
        "profile",
        rf"i\s{_ADV}(?:feel\s(?:\w+\s)?(?:uncomfortable|unsafe|anxious|uneasy|safe|comfortable|sick|claustrophobic|"
        rf"guilty|overwhelmed)\s(?:in|with|around|when|about|on|using|by)|(?:firmly|strongly|truly|deeply)\sbelieve|"
        rf"(?:don't |do not )?believe\sin|get\s(?:\w+\s)?(?:sick|anxious|seasick|carsick|migraines|nervous|"
        rf"overwhelmed|dizzy|bored|tired)\s(?:in|on|when|from|easily|by|around)|do not care\sfor|"
        rf"don't care\sfor)\s\S.{{1,200}}",
        confidence=0.75,
    ),
    _rule(
        "can",
        "profile",
        r"i\s(?:can|can't|cannot|know how to|don't know how to)\s(?:also\s|only\s|barely\s|not\s)?(?:speak|play|"
        r"cook|drive|swim|ride|dance|sing|knit|ski|surf|program|code in|sew|juggle|whistle|hear|see well|read music|"
        r"type)\b(?!\s(?:it|that|this|to you|with you)\b).{0,120}",
        confidence=0.7,
    ),
    _rule(
        "does not",
        "profile",
        r"i\s(?:(?:really|just|generally|usually|normally|typically|also)\s)*(?:don't|do not|dont|"
        r"never)\s(?:(?:really|ever|usually|normally|generally|personally|even)\s)*"
        r"(?P<verb>[a-z]{2,14})\b(?!')\s*(?P<rest>.{0,200})",
        confidence=0.7,
    ),
    _rule(
        "habit",
        "profile",
        r"(?:i|we)\s(?:(?:[a-z]{2,15}ly|also|still|always|often|sometimes|only|even|never|just|now)\s)*"
        r"(?P<verb>[a-z]{2,14})\b(?!')\s*(?P<rest>.{0,300})",
        confidence=0.6,
    ),
)

RULES: tuple[Rule, ...] = (
    *_NAMES,
    *_LANGUAGE,
    *_STYLE,
    *_TOOLS,
    *_USES_TOOL,
    *_PLACES,
    *_JOBS,
    *_INSTRUCTIONS,
    *_TASKS,
    *_DATES,
    *_PREFERENCES,
    *_REACTIONS,
    *_TRAITS,
)

OPEN_VERB_RULES = frozenset({"habit", "does not"})
"""Rules that take any verb: what they match is checked against the verb lists above."""

TASTE_RULES = frozenset(
    {
        "preference",
        "would prefer",
        "dislikes",
        "liking since ever",
        "favourite",
        "disposition",
        "strong feelings",
        "refuses",
        "wants by rule",
        "finds",
        "feels",
        "does not",
    }
)
"""Rules for likes and dislikes: two of them set against each other by "but" are one taste."""
