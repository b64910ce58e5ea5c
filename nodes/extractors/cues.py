"""What in an English sentence says that it states nothing lasting, or opens, frames, ends or corrects a statement."""

from __future__ import annotations

import re

from nodes.extractors.text import FRAME as _FRAME
from nodes.extractors.text import QUOTED
from nodes.extractors.vocabulary import OVER_BLOCKER, OVER_WORK

_CAP = r"[A-ZÀ-ÖØ-Þ][\w'’.-]{0,30}"

VAGUE_OBJECT = re.compile(
    r"(?:it|that|this|these|those|them|him|her|you|your|yours|one|ones|both|all of (?:it|them|that)|how|what you|"
    r"the (?:sound|way|look|suggestion|recommendation|plan|fact)\b|the (?:first|second|third|last|latter|former|other|"
    r"next) "
    r"(?:one|option|idea|version|suggestion)\b|the (?:idea|thought|concept)\b(?! of\b)|"
    r"to \w+ (?:that|it|this|there|them)\b[\s.!]*\Z|to (?:agree|disagree|hear|see (?:you|that|it)|know|ask|"
    r"talk (?:to|with) you|"
    r"chat|thank|share (?:it|this|that)|tell|say|do (?:that|it|this|so)|be able)|"
    r"hearing|(?:talking|chatting|speaking) (?:to|with) you|so|too|either|as well)\b(?!\s+when\b)|(?:well|it|that|"
    r"this|so|too)?[\s.,!]*\Z",
    re.IGNORECASE,
)
"""An object without a name: the statement does not stand on its own, or is mere courtesy."""

ONE_OFF = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|this (?:morning|afternoon|evening|week|weekend|time|month|year|one|once|"
    r"file|question|"
    r"message|task|function|answer|case|chat|thread)|last (?:night|week|month|year|time|weekend|summer|winter)|"
    r"right now|"
    r"for now|just now|(?:a|an|\w{1,9}) (?:minute|hour|day|week|month|year)s? ago|next (?:week|month|year|time|"
    r"weekend)|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day(?!s| (?:nights|mornings|evenings|afternoons))|the other day|"
    r"earlier|at the moment|so far)\b",
    re.IGNORECASE,
)

STANDING = re.compile(
    r"\b(?:from now on(?:wards)?|going forward|from here on|henceforth|from this point|in (?:the )?future|always|"
    r"never|ever again|"
    r"whenever|every ?time|each time|by default|at all times|(?:all|any|every) (?:of )?(?:your|future|"
    r"the) (?:answers?|repl\w+|"
    r"responses?|messages?|code|emails?)|in general|without exception|as a rule)\b",
    re.IGNORECASE,
)
"""Words that make an instruction hold beyond this turn."""

HYPOTHETICAL = re.compile(
    r"(?:(?:what\s)?if\b|suppos(?:e|ing)\b|imagin(?:e|ing)\b|let's (?:say|assume|pretend|imagine)|let us say|"
    r"say (?:that )?i\b|pretend|"
    r"assum(?:e|ing)\b|unless\b|in case\b|hypothetically|provided\b|act as|role-?play|were i\b|had i\b|as if\b|"
    r"as though\b|"
    r"i wish\b|in (?:the|my|this|a) (?:story|novel|game|dream|book|film|movie|scenario|scene|poem)|the (?:character|"
    r"user|customer|speaker|narrator)\b|"
    r"(?:someone|somebody|people|everyone|he|she|they|\w+ (?:\w+ )?(?:who|that)) (?:says?|said|claims?|thinks?|told|"
    r"asked|wrote|tells)|"
    r"(?:he|she|they|my \w+|\w+) (?:says?|said|told (?:me|us)|asked|wrote|claims?|claimed|replied|thinks|believes|"
    r"insists|swears|goes)\b)",
    re.IGNORECASE,
)
"""Openings after which the rest of the sentence is nobody's statement, or somebody else's."""

IF_FRAME = re.compile(r"if\b", re.IGNORECASE)

IDIOM_IF = re.compile(
    r"if (?:possible|you must know|you don't mind|i'm (?:being )?honest|i am (?:being )?honest|i may|that helps|"
    r"it helps|it matters|"
    r"you're (?:curious|wondering)|you (?:ask|asked) me),?\s+",
    re.IGNORECASE,
)

SARCASM = re.compile(
    r"(?:^|\s)(?:/s|#sarcasm|/j|jk|j/k)\W*\Z|🙄|🙃|\byeah,? right\b|\bsaid no one\b|\b(?:just )?kidding\b|"
    r"\bi'm joking\b|\bnot\s*!\s*\Z|"
    r"^\W*(?:oh|ah),? (?:great|joy|wonderful|brilliant|perfect|fantastic|lovely|sure|yes),|^\W*(?:yay|wow),|"
    r"\bbecause (?:that|who) (?:always|doesn't)\b|\bi do so (?:love|enjoy|adore)\b|^\W*sure,? i (?:just |absolutely |"
    r"totally )?(?:love|enjoy|adore)\b|"
    r"^\W*(?:lovely|great|brilliant|fantastic|wonderful|perfect|marvell?ous|splendid|charming|terrific), (?:an?|"
    r"another|"
    r"more|yet|now)\b|\bi (?:just |totally |absolutely )+(?:love|adore|enjoy) (?:it when|being (?!able)|how|waiting|"
    r"paying)|\bph\.?d in (?:\w+ing\b|procrastination|sarcasm)|\bi(?:'m| am) (?:the (?:queen|king|pope)|santa|batman|"
    r"napoleon)\b|"
    r"(?:😂|🤣|\b(?:ja){2,}\w?|\b(?:ha){3,}\w?|\blmao|\bptdr|\bmdr|\bk{3,}|笑|\bxd)\W*\Z",
    re.IGNORECASE,
)

STAGED = re.compile(
    r"^[ \t]{0,9}\*[^*\n]{3,80}\*(?!\*)\s+\S|^\W{0,9}(?:(?:let's|let us|can we|shall we)\s(?:role-?\s?play|pretend|"
    r"act out)|"
    r"role-?play\b|once upon a time|pretend\s(?:that\s)?(?:you|i|we)\b)",
    re.MULTILINE | re.IGNORECASE,
)
"""A stage direction ("*draws sword*") or a story's opening: what is said around it is a part that somebody plays."""

SARCASM_AFTER = re.compile(
    r"(?:just )?(?:kidding|joking)|jk\b|not!|/s\b|yeah,? right|i'm (?:just )?(?:kidding|joking)|psych", re.IGNORECASE
)

OPENER = re.compile(
    r"(?:(?:hi|hello|hey|good (?:morning|evening|afternoon)|dear)(?: (?:there|all|everyone|again|ai companion|"
    r"\w+(?= ?,)))?|"
    r"thanks(?: (?:a lot|so much|again))?|thank you(?: (?:so|very) much)?|well|so|oh|ah|hmm+|um+|uh|ok(?:ay)?|"
    r"alright|right|yes|yeah|yep|yup|sure|"
    r"of course|by the way|btw|anyway|anyhow|also|and|but|plus|besides|because|since|now|then|honestly|frankly|"
    r"to be honest|tbh|you know|look|listen|see|i mean|basically|just so you know|so you know|fyi|for the record|"
    r"for (?:context|reference|your information)|as (?:i (?:said|mentioned)|you know|you may know|mentioned)|"
    r"like i said|"
    r"haha|lol|first(?:ly| of all)?|second(?:ly)?|third(?:ly)?|finally|lastly|additionally|moreover|furthermore|"
    r"similarly|likewise|"
    r"personally|for me|to me|in my opinion|me too|"
    r"same here|"
    r"that's (?:great|cool|awesome|right|true|nice)|great|nice|cool|awesome|good|unfortunately|luckily|fortunately|"
    r"please note(?: that)?|note(?: that)?|i should (?:mention|add|say|note)(?: that)?|i (?:must|have to) (?:say|"
    r"admit|confess)(?: that)?|"
    r"let me (?:add|mention|tell you)(?: that)?|one (?:more )?thing|the thing is(?: that)?|fun fact|important|"
    r"(?:a bit|a little|something) about (?:me|myself)|about me|[-*•+]|\(?\d{1,2}[.)])"
    r"(?:\s*[,:!.;]+\s*|\s+-\s+|\s+(?=(?:i|i'm|i've|i'd|i'll|my|we|we're|our|please|always|never|call|from|you|that|"
    r"the|actually|no)\b))|"
    r"[-*•+(]+\s*",
    re.IGNORECASE,
)

CORRECTION = re.compile(
    r"(?:actually|in fact|no(?:pe)?(?=\s*[,.;:!-]|\s(?:it|i|i'm|my|we|that|actually)\b)|wait|sorry|oops|correction|"
    r"my mistake|my bad|(?:scratch|scrap|strike) that|i meant(?: to say)?|i was wrong|"
    r"let me correct (?:that|myself)|to correct (?:that|myself)|rather|i misspoke)\s*(?:[,:.!;-]+\s*|\s+)(?=\S)",
    re.IGNORECASE,
)
STRONG_CORRECTION = re.compile(
    r"correction|mistake|my bad|meant|wrong|correct|scratch|scrap|strike|misspoke|oops", re.IGNORECASE
)

REQUEST = re.compile(r"(?:hey,? |please,? |so,? |ok,? )?(?:can|could|will|would) you\b", re.IGNORECASE)
"""A question in form only, when it asks for something that lasts or to be remembered."""

HEDGE = re.compile(
    r"i (?:think|guess|suppose|believe|feel like|would say)(?: that)?,?\s+(?=(?:i|i'm|my|we)\b)", re.IGNORECASE
)

REMEMBER = re.compile(
    r"(?:(?:please|can you|could you|kindly|i want you to|i'd like you to|you should)[, ]+)*(?:(?:don't|do not|"
    r"never) forget|remember|keep in mind|bear in mind|"
    r"make a note|take note|memori[sz]e|note down|store|save)(?: (?:for (?:later|next time|the future)|also|"
    r"always))?(?: this| the following)?(?:\s+that\s+|\s*:\s*|\s+(?=(?:i|i'm|i've|my|we|our|the)\b))",
    re.IGNORECASE,
)
"""An explicit wish to be remembered: what follows is kept even if no other rule knows its form."""

NOT_MEMORABLE = re.compile(
    r"(?:to|when|how|what|why|where|who|if|me\b|it\b|you|that time|those|the (?:time|day))\b", re.IGNORECASE
)

FRAME = re.compile(
    rf"(?:{_FRAME},|(?:currently|lately|recently|nowadays|these days|generally|usually|normally|typically|mostly|"
    rf"right now|today|(?:this|next) (?:week|month|year|quarter|term|semester|spring|summer|autumn|fall|winter|"
    rf"weekend)|"
    r"at the moment|(?:in|at|on|during|for|after|before|outside|every|each|most)\s(?:my|the|our|"
    r"a)?\s?[\w' ]{2,30}?),?)\s+"
    r"(?=(?:i|i'm|i've|i'd|my|we|we're|our|always|never)\b)",
    re.IGNORECASE,
)
"""A phrase before the subject that belongs to the statement: "When I fly, I prefer …"."""

ADVERB_FRAME = re.compile(
    r"(?:most(?:ly)?|these days|nowadays|lately|currently|generally|usually|typically|normally|recently|right now|"
    r"today|at the moment)\b",
    re.IGNORECASE,
)
"""Frames that belong to their own clause only; the others hold for the clauses that "and" adds as well."""

FROM_NOW_ON = re.compile(
    r"(?:from now on(?:wards)?|going forward|from here on|from this point on|in (?:the )?future|henceforth),?\s+"
    r"(?=(?:i|i'm|i'd|my|we|we're|our)\b)",
    re.IGNORECASE,
)

# --- how clauses hang together ----------------------------------------------------------------------------------------

ADDS = re.compile(r"(?:,|,? ?(?:and|plus|also))\Z")
"""A joint that adds a clause under whatever governs the one before."""
SUBORDINATES = re.compile(r",? ?(?:so|although|though|whereas|while)\Z")
CONTRASTS = re.compile(r",? ?but\Z")

ANAPHOR = re.compile(r"\b(?:it|its|them|they|their|theirs|there|him|his|he|her|hers|she)\b", re.IGNORECASE)
"""A word whose meaning stands in the clause before."""

HEADLESS = re.compile(r"(?:my|our)\s(?:\w+\s)?(?:favou?rites?|preferences?)\s(?:is|are|would be)\b", re.IGNORECASE)
"""A favourite of what the clause before speaks of."""
PREFERS = re.compile(
    r"(?:i|we)(?:'d|\swould)?\s(?:\w+\s)?prefer\b(?!.*\s(?:over|than|instead of)\s)(?!.*\sto\s(?:the\s)?\w+\W*\Z)",
    re.IGNORECASE,
)
"""Preferred to what? To what the clause before rejects: "I avoid leather; I prefer canvas"."""
NEGATIVE = re.compile(
    r"\b(?:not|never|no|none|cannot|\w+n't|avoid|dislike|hate|detest|despise|loathe|refuse|shun|abhor|aversion|"
    r"steer clear|stay away)\b",
    re.IGNORECASE,
)

_COMPLEMENT = (
    r"(?:\s(?:me|us|him|her|them|you|everyone|everybody|people))?[,:]?\s(?:that\s)?(?:i|i'm|i've|i'd|my|we|we're)\b"
)
IRREALIS = re.compile(
    r"\b(?:wish|hope|hoping|dream\w*|imagin\w+|pretend\w*|say|says|said|tell|tells|told|thinks|thought|believes|"
    r"claims?|"
    rf"claimed|wrote|writes|joked?|lied|swears|insists|heard|as (?:if|though)){_COMPLEMENT}",
    re.IGNORECASE,
)
"""Inside a clause: what follows is wished, dreamt or said, and so is what "and" adds to it."""
IF_INSIDE = re.compile(r"\s(?:if|unless|in case|as long as)\b", re.IGNORECASE)
COUNTERFACTUAL = re.compile(r"(?:i|we)(?:'d|\s(?:would|could|might))\b", re.IGNORECASE)

TAG_QUESTION = re.compile(
    r"(?:right|correct|ok(?:ay)?|no|yes|is(?:n't| not) (?:it|that)|(?:do|does|did|am|is|are|was|were|have|has|can|"
    r"will|would)(?:n't)? (?:i|it|we|you)(?: not)?|"
    r"aren't i|or not|huh|eh)\W*\Z",
    re.IGNORECASE,
)


OCCASION = re.compile(
    r"(?:(?:and|so|but)\s)?(?:(?:i'm|i am|im|we're|we are)\s(?:\w+ly\s|now\s|also\s|just\s)?(?:planning|going|heading|"
    r"travell?ing|flying|driving|moving|visiting|looking|hoping|thinking|trying|wanting|struggling|considering|"
    r"about to|(?:interested|keen)\s(?:in|on)\s\w+ing|having\s(?:trouble|problems|difficult\w+))|"
    r"(?:i|we)(?:'ll|\swill)\sbe\s\w+ing|"
    r"(?:i'd|i would|we'd|we would)\s(?:like|love)\sto|(?:i|we)\s(?:want|need|plan|hope|intend|have)\sto|"
    r"(?:i'm|i am)\san?\s(?:[\w-]+\s){1,3}(?:looking for|in need of))\b",
    re.IGNORECASE,
)
"""A plan, a wish or a trouble. Right before a question it says what the question is about, and is asked, not told."""

HABITUAL = re.compile(
    r"\b(?:always|never|usually|often|every|each|regularly|most|generally|typically|normally|rarely|daily|weekly|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days|mornings|evenings|weekends|(?:in|every) (?:spring|summer|autumn|"
    r"winter)|only|(?:spare|free) time|as a hobby|"
    r"for fun)\b",
    re.IGNORECASE,
)

WE_USE = re.compile(r"we\suse\b", re.IGNORECASE)

REPEATED = re.compile(r"\b(?:usually|always|every|each|normally|typically)\b", re.IGNORECASE)
"""Beside one of these a day or a time is no single one: "every week on Sunday"."""

# --- what ends a statement --------------------------------------------------------------------------------------------

NO_LONGER = re.compile(
    r"(?P<subject>i|we)(?P<am>'m|'re|\sam|\sare)?\s(?:(?:actually|really|also)\s)?no\slonger\s(?P<rest>\S.*)",
    re.IGNORECASE,
)
NOT_ANY_MORE = re.compile(
    r"(?P<subject>i|we)(?P<am>'m not|'re not|\sam not|\sare not|\sdon't|\sdo not|\scan't|"
    r"\scannot)\s(?P<rest>\S.*?),?\s(?:any ?more|any longer)\b.*",
    re.IGNORECASE,
)
STOPPED = re.compile(
    r"(?P<subject>i|we)(?:'ve|\shave)?\s(?:(?:just|recently|finally|now|also|already)\s)*(?:stopped|quit|given up|"
    r"gave up)\s(?P<rest>[a-z]+ing\s\S.*)",
    re.IGNORECASE,
)
DONE_WITH = re.compile(
    r"(?:i'm|i am|we're|we are)\s(?:(?:finally|now|all|already)\s)*(?:done|finished|"
    r"through)\s(?:with\s)?(?P<rest>(?!it\b|that\b|this\b|you\b)\S.*)",
    re.IGNORECASE,
)
REASON = re.compile(
    r",?\s(?:because|since|but|now that|due to|thanks to|so that|so (?=i\b|i'm\b))\s.*\Z|\s-\s.*\Z", re.IGNORECASE
)
"""Why something is over, or what is instead: no part of what held."""
PROGRESSIVE = re.compile(
    r"(?P<subject>i|we)(?:'m|'re|\sam|\sare)\s(?P<gerund>[a-z]+ing)\s(?P<rest>\S.*)", re.IGNORECASE
)

_NAMED = (
    r"(?P<what>(?:the|my|our|this|that|all (?:of )?(?:the|my|our))\s(?!(?:work|job|things?|day|week|rest|part|"
    r"deal|problem|problems|issue|issues|time)(?:\s(?:here|there|now|today))?(?:\s(?:is|are|was|were|has|have)\b|'s|"
    r"\W*\Z))"
    rf"[\w{QUOTED}'./-]{{1,30}}(?:\s[\w{QUOTED}'./-]{{1,30}}){{0,6}}?|"
    r"(?-i:(?!(?:It|That|This|These|Those|He|She|They|I|We|You|Everything|Nothing|Something|Everyone|What|Who|Which|"
    rf"There|Here|All|One|Once|When|If|Until|Not|Now|So)\b){_CAP}(?:\s{_CAP}){{0,3}}))"
)
"""Something with a name or an article: what may have been spoken of before ("the report", not "a novel")."""
_BY_NOW = r"(?:(?:now|finally|already|just|all|fully|completely|actually|at last)\s){0,2}"
_WHEN = r"now|again|already|finally|at last|today|yesterday|this (?:morning|afternoon|week|month)|last \w+|for good|too"
_DONE_TAIL = rf"(?:,?\s(?:{_WHEN}|as well))*(?:,\s(?:so|which|thanks|thank you|great|yay|hooray)\b.*)?\W*\Z"
_PAST_TAIL = rf"(?:,?\s(?:{_WHEN}|as well|on \w+day))*\W*\Z"
_IS = r"(?:'s|\s(?:is|are|was|were|has been|have been|got))"
_I_HAVE = r"(?:i|we)(?:'ve|\shave)?\s(?:(?:just|recently|finally|now|also|already)\s){0,2}"

BLOCKER_GONE = (
    re.compile(
        rf"{_NAMED}(?:{_IS}\s{_BY_NOW}(?:{OVER_BLOCKER}|working (?:again|now))|\sworks? (?:again|now)|"
        rf"{_IS}\sno longer (?:blocking|stopping) (?:me|us)|\sno longer (?:blocks?|stops?) (?:me|us)|"
        rf"{_IS}\sno longer an? (?:blocker|problem|issue|bottleneck|obstacle)|"
        r"\s?(?:isn't|is not|aren't|are not|doesn't|does not|don't|do not)\s(?:block(?:ing)? (?:me|us)|"
        rf"an? (?:blocker|problem|issue|bottleneck|obstacle))\s(?:any ?more|any longer)){_DONE_TAIL}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_I_HAVE}(?:(?:fixed|solved|resolved|repaired|patched|worked around|sorted out|got rid of)\s{_NAMED}|"
        rf"got\s{_NAMED.replace('?P<what>', '?P<got>')}\s(?:working|fixed|solved|sorted|unblocked)){_PAST_TAIL}",
        re.IGNORECASE,
    ),
)
"""Forms that say that `what` stands in the way no more."""
WORK_DONE = (
    re.compile(
        rf"{_NAMED}(?:{_IS}\s{_BY_NOW}{OVER_WORK}|\s(?:has|have)\s{_BY_NOW}(?:shipped|launched|landed)){_DONE_TAIL}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_I_HAVE}(?:finished|completed|shipped|submitted|delivered|released|launched|merged|deployed|published|"
        rf"wrapped up|handed in|turned in)\s(?:with\s)?(?:(?P<gerund>[a-z]+ing)\s)?{_NAMED}{_PAST_TAIL}",
        re.IGNORECASE,
    ),
)
"""Forms that say that `what` is finished."""
WAS_BLOCKED = re.compile(
    rf"(?:i was|i've been|i had been|we were|we've been)\s(?:\w+ly\s)?(?:blocked|stuck|held up)\s"
    rf"(?:by|on|with)\s{_NAMED}{_PAST_TAIL}",
    re.IGNORECASE,
)
UNBLOCKED = re.compile(
    r"(?:i'm|i am|we're|we are)\s(?:(?:not|no longer)\s(?:blocked|stuck|held up)(?:\s(?:any ?more|any longer|now))?|"
    r"(?:(?:finally|now)\s)?unblocked(?:\s(?:now|again))?)\W*\Z",
    re.IGNORECASE,
)
"""Says that an obstacle is gone; which, the clause before says."""
SUBJECT = re.compile(
    rf"{_NAMED}(?=\s(?:is|are|was|were|has|have|had|got|keeps?|kept|works?|does|did|can|will|became|turned|started|"
    rf"stopped|broke|failed|crashed|came|went|\w+ed)\b|'s\s)",
    re.IGNORECASE,
)

FORGET = re.compile(r"(?:please\s)?forget\s(?:that\s|about\sme\s|what i said about\s)(?P<rest>\S.*)", re.IGNORECASE)

# --- corrections whose subject was said just before -------------------------------------------------------------------

BARE_CORRECTION = re.compile(
    rf"(?:(?:[Ii]t's|[Ii]t is|[Tt]hat's|[Tt]hat should be|[Ii]t should be|[Mm]ake that)\s(?:actually\s)?)?(?!I\b|"
    rf"\w+'\w)(?P<value>{_CAP}(?:\s{_CAP}){{0,3}}|\d[\d.,/:-]*)(?:(?:,\snot|"
    rf",?\sinstead of)\s(?P<old>[\w' -]{{1,60}}))?\W*\Z"
)
NOT_BUT = re.compile(
    rf"(?:[Nn]ot)\s(?P<old>[\w' -]{{1,60}}?)\s?(?:,|-|–|—|,?\sbut)\s*(?P<value>{_CAP}(?:\s{_CAP}){{0,3}}|"
    rf"\d[\d.,/:-]*)\W*\Z"
)
CONTRAST = re.compile(r"\b(?:not|instead of|rather than)\s\S+\s*\S*\s*\S*\Z", re.IGNORECASE)
SWITCHED = re.compile(
    r"(?P<subject>i|we)(?:'ve|\shave|'m|\sam)?\s(?:(?:just|recently|finally|now|also)\s)*(?:switched|switching|"
    r"migrated|moved over)\s(?:from\s\S.{0,60}?\s)?(?:over\s)?to\s(?!the (?:store|gym|park|beach|shop|cinema|doctor|"
    r"library|museum|pool)|bed|sleep|work|see|a\s)(?P<value>\S.{0,120})",
    re.IGNORECASE,
)
