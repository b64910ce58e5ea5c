"""English statements that leave out what everybody supplies: "Vegan here", "Two kids", "Still waiting on a permit"."""

from __future__ import annotations

import re

from nodes.extractors.vocabulary import KIN, TRAITS, any_of

_ENDS = (
    r"(?:\s*[,.;:!(–—-]|\s*\Z|\s[^\w\s]|"
    r"\s(?:here|btw|by the way|since|for|and|from|to|at|in|with|but|too|as well|because|so)\b)"
)
_LEVEL = (
    r"(?:(?:strictly|mostly|severely|very|pretty|quite|totally|recently|newly|happily|proudly|lifelong|life-long|proud|"
    r"currently|still|also|not|never|now|only|half|ex-?|former|retired|long-?time|big|huge|massive|total|avid|keen|"
    r"(?-i:[A-Z][\w'-]+)|[\w-]+-year|\w+ic|\w+al|part-?time|full-?time|self-taught|single|"
    r"die-?hard|bit of an?|much of an?|early|late|light|heavy|slow|fast|morning|night|indoors?|outdoors?|dog|cat|tea|"
    r"coffee|city|country|tech|history|film|music|book|football|law|maths?|science|history|primary|secondary|school|"
    r"nursing|medical|engineering|civil|software|data|shift|truck|bus|taxi|train|small|business)[\s-]+){0,5}"
)
_PERSON = any_of(
    "person|fan|owl|bird|lark|riser|lover|nerd|geek|addict|junkie|student|teacher|nurse|doctor|vet|lawyer|engineer|"
    "developer|programmer|designer|electrician|plumber|carpenter|mechanic|firefighter|farmer|gardener|baker|cook|chef|"
    "pharmacist|dentist|accountant|librarian|pensioner|retiree|apprentice|graduate|postdoc|researcher|scientist|"
    "manager|"
    "driver|cyclist|runner|swimmer|climber|sailor|reader|writer|eater|drinker|sleeper|smoker|teetotall?er|singer|"
    "musician|"
    "guitarist|pianist|mum|mom|dad|mother|father|parent|grandma|grandpa|grandmother|grandfather|widow|widower|veteran|"
    "freelancer|traveller|traveler|walker|hiker|camper|expat|immigrant|beginner|introvert|extrovert|speaker|sufferer|"
    "survivor|owner|collector|minimalist|"
    "perfectionist|procrastinator|pescatarian|homebody|bookworm|workaholic|only child|twin|eldest|youngest|believer"
)
_NUMBER = r"(?:no|one|two|three|four|five|six|seven|\d)"
_FORMS = (
    ("I'm ", re.compile(rf"(?:(?:a|an)\s)?{_LEVEL}{TRAITS}{_ENDS}", re.IGNORECASE)),
    ("I'm ", re.compile(r"(?:[1-9]\d)(?:\s?(?:yo|y/o|m|f|years old))?,\s(?!\d)", re.IGNORECASE)),
    ("I'm a ", re.compile(rf"(?!(?:a|an|the)\s){_LEVEL}{_PERSON}{_ENDS}", re.IGNORECASE)),
    ("I'm ", re.compile(rf"(?:not\s)?(?:a|an)\s{_LEVEL}{_PERSON}{_ENDS}", re.IGNORECASE)),
    ("I have ", re.compile(rf"{_NUMBER}\s(?:(?!of\b)[\w-]+\s){{0,2}}?(?:{KIN}|boys|girls)(?:{_ENDS})", re.IGNORECASE)),
    (
        "I ",
        re.compile(r"(?:usually |always |mostly )?tend to\s\w", re.IGNORECASE),
    ),
    (
        "I'm ",
        re.compile(
            r"(?:currently\s|still\s|now\s)?(?:based|living|settled|working|employed|originally|raised|blocked|stuck|"
            r"held up)\s(?:in|from|near|as|for|by|on|until|with|at)\s\w",
            re.IGNORECASE,
        ),
    ),
    ("I was ", re.compile(r"born\s(?:and raised\s)?(?:in|on)\s\w", re.IGNORECASE)),
    (
        "I'm a ",
        re.compile(
            r"(?:freelance|retired|former|self-employed|trainee|junior|senior|part-time|full-time|qualified|certified|"
            r"trained|single|working|stay-at-home)\s(?:[\w-]+\s){0,2}?[\w-]{3,20}(?:er|or|ist|ian|ant|man|woman|mum|"
            r"mom|dad|"
            r"parent|nurse|vet|cook|chef)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "I ",
        re.compile(
            r"(?:(?:really|absolutely|just|mostly|usually|always|normally)\s)*(?:love(?! is\b| are\b)|hate|adore|"
            r"prefer|detest|"
            r"despise|dislike|can't (?:stand|bear|eat|drink)|cannot (?:stand|bear|eat|drink)|don't (?:like|eat|drink|"
            r"do))\s"
            r"(?!(?:it|that|this|you|your|him|her|them|how|the way|to hear|talking to)\b)\w",
            re.IGNORECASE,
        ),
    ),
    (
        "I'm ",
        re.compile(
            r"(?:(?:currently|still|now|also|mostly|mainly|presently|slowly|finally|halfway through|busy)\s)*"
            r"(?!(?:looking|thinking|wondering|hoping|going|feeling|asking|talking|speaking|hearing|something|anything|"
            r"nothing|everything|morning|evening|being|having|getting|seeing|knowing|thing|king|spring|string|during|"
            r"according|assuming|supposing|depending|regarding|considering|including|following|amazing|interesting|"
            r"exciting|boring|annoying|surprising|checking|saying)\b)"
            r"[a-z]{2,}ing\s(?![^,;]{0,120}?\b(?:is|are|was|were|isn't|aren't|has|can|should|will|would|makes?|helps?|"
            r"seems?|"
            r"sounds?|feels?|allows?|requires?|starts|takes|involves?|means|gives|leads|brings|ensures?|keeps|shows|"
            r"needs|"
            r"depends|comes|works|must|may|might|could)\b)\w",
            re.IGNORECASE,
        ),
    ),
)


def supplied(words: str) -> str:
    """The words with the subject and verb that they leave out; as they are, if they leave out nothing."""
    if words[:2] in ("I ", "I'", "i ", "i'"):
        return words
    for start, form in _FORMS:
        if form.match(words):
            return start + (words[0].lower() + words[1:] if words[1:2].islower() else words)
    return words
