"""The words by which `quoting` tells what a sentence is about and what it wants. Data and patterns, no rules."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Too common to tell sentences apart, in the languages of Latin script that are commonest here.
STOPWORDS = _words(
    """
    a about after again all also am an and any are as at be been before being but by can could did do does doing
    done for from get give had has have he her here him his how i if in into is it its just know let like may me
    might more my no not now of on one only or our out over please really same she should show so some such tell
    than that the their them then there these they thing this those to too under until up us use user very want was
    we were what when where which while who whom whose why will with would you your yours au aux avec ce ces cette
    comment dans de des du elle en est et eux il je la le les leur lui ma mais me mes moi mon ne nous on ou où par
    pas pour qu que quel quelle quels quelles qui sa se ses son sont sur ta te tes toi ton tu un une vos votre vous
    als am auch auf aus bei bin bist das dass dein dem den der des die du ein eine einem einen einer er es für hat
    habe ich ihr im ist kann man mein meine meinem meinen mich mir mit nach nicht oder sich sie sind soll über um
    und uns von war warum was welche welcher welches wenn wer wie wir wo wohin zu zum zur al como cómo con cual cuál
    cuando cuándo cuáles del donde dónde el ella ellos es esta este estoy está hay las lo los mi mis más ni para
    pero por qué quién se ser si sin sobre soy su sus también te tengo tiene un una y yo il lo gli uno che chi come
    di da dove è sono mio mia per più quale quando o os um uma do da dos das em no na que qual onde meu minha não
    para por
    """
)

# What a question is about, in words that need not be the memory's own. A question and a line that both fall under one
# of these bear on each other, a little.
TOPICS = {
    topic: _words(words)
    for topic, words in {
        "food": """allergic allergy breakfast cook cuisine diet dinner dish drink eat food hungry kitchen lunch meal
            meat peanut recipe restaurant snack vegan vegetarian essen manger comer""",
        "work": """assignment backlog blocker blocked build building deadline debug develop due experiment finish goal
            job milestone next plan priority progress project release report research step task thesis todo work working
            write writing arbeit projekt projet travail proyecto trabajo""",
        "style": """answer brief bullet concise detail detailed explain explanation format formal informal language
            length prefer preference respond response short style tone wordy english french german spanish italian
            chinese japanese portuguese langue sprache idioma""",
        "place": """address based city country home live lives located location move moved moving relocate reside town
            wohnen habiter vivir""",
        "travel": "airline airport aisle flight fly hotel journey seat train travel trip vacation visit window holiday",
        "tools": """editor framework ide keyboard language laptop library linux mac programming python software stack
            tool tooling vim vscode emacs""",
        "people": "brother child daughter family friend husband kid mother father parent partner sister son wife",
        "pets": "cat dog pet puppy kitten",
        "health": "doctor gym health injury medicine run running sleep sport surgery training workout exercise",
        "time": """appointment calendar date day deadline due friday monday month saturday schedule sunday thursday
            today tomorrow tuesday wednesday week year""",
        "name": "call called name named nickname nom appelle nombre nome heiße heißt 名字",
    }.items()
}

_LANGUAGES = (
    "english|french|german|spanish|italian|portuguese|dutch|polish|chinese|japanese|korean|arabic|hindi|russian|turkish"
)

# Asks what to do, whatever the words: the answer is what the user is working on.
OPEN_QUESTION = re.compile(
    r"""(?ix)
    \b(focus|priorit\w+|next|start|begin|continue|resume|todo|catch\sme\sup|left\soff|where\swere\swe|status|agenda)\b
    """
)
# Asks for something to be made, so the user's way of being answered matters too.
REQUEST = re.compile(
    r"""(?ix)
    \b(help|plan|suggest\w*|recommend\w*|advi[sc]e|summar\w+|explain|describe|write|draft|organi[sz]e|propose)\b
    | \bwhat\s(should|shall|can|could|would)\s(i|we|you)\b
    """
)
ABOUT_ME = re.compile(
    r"""(?ix)
    \b(know|remember|recall|memor\w+)\b.*\b(me|i|my|us)\b
    | \b(about|who\s+am)\s+(me|i|myself)\b
    """
)

STYLE_LINE = re.compile(
    rf"""(?ix)
    \b(answers?|respon\w+|repl(y|ies)|concise|brief|short|bullet\w*|tone|style|formal|detailed|language)\b
    | \b(in|speaks?|prefers?)\s+({_LANGUAGES})\b
    """
)
WORK_HEADING = re.compile(r"(?i)\b(work\w*|task\w*|project\w*|doing)\b")
WORK_LINE = re.compile(
    r"""(?ix)
    \b(working\son|project|deadline|due|goal|next\sstep|blocked|blocker|experiment|thesis|writing|building|finish)\b
    """
)

_PLEASE = r"^\W*(?:(?:please|and|so|ok(?:ay)?|hey|then|but|now)\W+)*"
ASKS = re.compile(
    rf"""(?ix){_PLEASE}
    ( (who|what|when|where|which|whose|why|how)\b
    | (do|does|did|is|are|am|was|were|can|could|should|shall|would|will|have|has)\s+
      (i|you|we|it|there|my|the|this|that)\b
    | (tell|show|list|remind|give|help|suggest|recommend|explain|describe|summari[sz]e|plan|draft|write|find|make
      |compare|advise|propose|create|translate|name|continue|resume|catch\sme\sup)\b
    | (qui|que|quoi|quand|où|pourquoi|comment|combien|quel(le)?s?|est-ce)\b
    | (wer|was|wann|wo|wohin|woran|warum|wie|welche[rsmn]?)\b
    | (quién|qué|cuándo|dónde|cómo|cuál(es)?|cuánto)\b
    )"""
)
# Question marks of any script, and words that ask where a script has no spaces.
ASKS_ANYWHERE = re.compile(
    r"""(?x)
    [?？؟]
    | [吗呢么嗎]\W*$ | か[。]?$
    | ^(谁|誰|什么|什麼|哪|怎么|怎麼|为什么|為什麼|多少|何|どこ|いつ|なぜ|どう)
    """
)
GREETING = re.compile(
    r"""(?ix)^\W*
    ( hi|hello|hey|good\s+(morning|afternoon|evening)|greetings|bonjour|salut|hallo|guten\s+(tag|morgen|abend)
    | hola|buenos\s+d[ií]as|ciao|buongiorno|ol[aá]|привет|здравствуйте|مرحبا|नमस्ते
    | 你好|您好|こんにちは|안녕하세요
    )
    (\s+(there|everyone|all|again))?\W*$"""
)
THANKS = re.compile(
    r"""(?ix)^\W*(thanks?|thank\s+you|thx|merci|danke|gracias|grazie|obrigad[oa]|спасибо|谢谢|ありがとう)"""
)

ASKS_WHEN = re.compile(r"(?i)\b(when|deadline|due|how\s+(many|much|long|old))\b")
ASKS_WHERE = re.compile(r"(?i)\bwhere\b")
MOMENT = re.compile(
    r"""(?ix)\d
    | \b((mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|january|february|march|april|june|july|august
    | september|october|november|december|morning|evening|noon|week|month|year)\b"""
)
PLACE = re.compile(r"\b(?:in|at|from|to|near|based|lives?)\s+(?:the\s+)?[^\W\d_a-z]")

FIRST_PERSON = re.compile(
    r"\b(?:i|me|my|mine|ich|mich|mir|mein\w*|je|moi|mon|ma|mes|yo|mi|mis|io|mio|mia|eu|meu|minha)\b", re.IGNORECASE
)
"""Words with which people speak of themselves."""
