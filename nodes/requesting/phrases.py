"""How people ask for something to be remembered, forgotten or shown, as one table of forms a language.

A form has to fit a whole clause. In a pattern a space stands for any white space, and ``words`` names what the request
is about. To add a language, add a table.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Phrases(NamedTuple):
    """The forms of one language. `opener` may precede any of them, `tail` follow it."""

    code: str
    opener: re.Pattern[str]
    tail: re.Pattern[str]
    remember: tuple[re.Pattern[str], ...]
    remember_that: tuple[re.Pattern[str], ...]
    """Asks to remember what was said right before."""
    forget_fact: tuple[re.Pattern[str], ...]
    forget_topic: tuple[re.Pattern[str], ...]
    forget_all: tuple[re.Pattern[str], ...]
    confirm_all: tuple[re.Pattern[str], ...]
    recall_all: tuple[re.Pattern[str], ...]
    recall_topic: tuple[re.Pattern[str], ...]


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE | re.DOTALL)


def _phrases(code: str, opener: str, tail: str, **forms: tuple[str, ...]) -> Phrases:
    rows = {kind: tuple(_compiled(form) for form in patterns) for kind, patterns in forms.items()}
    return Phrases(code, _compiled(opener), _compiled(tail), **rows)


_W = r"(?P<words>\S.*)"

# --- English ----------------------------------------------------------------------------------------------------------

_ASK = (
    r"(?:(?:can|could|will|would) you (?:please |kindly |also |just ){0,2}|i(?:'d| would) like you to |i (?:want|need) "
    r"you to |"
    r"you (?:should|must|have to|need to|can|may) |(?:please|kindly|also|always|now|just|do|from now on),? ){0,4}"
)
_REMEMBER = (
    r"(?:remember|(?:don't|do not|dont|never) (?:ever )?forget|memori[sz]e|make a (?:mental )?note|take note|"
    r"note down|write down|(?:save|store|add|put|keep)(?: it| this)? (?:to|in|into) (?:your |the )?memory)"
    r"(?: for (?:later|next time|the future|me)| please| always| also)?"
)
_MIND = r"(?:keep|bear)(?: it| this)? in mind"
_ME = r"(?:i|i'm|i've|i'd|i'll|we|we're|we've)\b"
_VERB = (
    r"(?:is|isn't|are|aren't|was|were|has|have|had|can|can't|must|should|needs?|wants?|likes?|loves?|hates?|prefers?|"
    r"works?|lives?|uses?|will|won't|does|doesn't|don't|goes|comes|speaks?|drinks?|eats?|costs?|starts?|ends?|called|"
    r"named)"
)
_NO_TALK = (
    r"(?!(?:i|we)(?:'ve| have)? (?:just |already |ever |once )*"
    r"(?:said|told|asked|mentioned|wrote|showed|sent|brought)\b)"
)
_NO_SCENE = (
    r"(?!(?:time|day|night|one|song|movie|film|book|game|guy|girl|man|woman|place|summer|winter|trip|show|episode|"
    r"story|"
    r"joke|thing|scene|moment|feeling|video|conversation|idea|part|last|it|this|that|you (?:are|were|promised|said|"
    r"told))\b)"
)
_OWN = r"(?:my|our) "
_KNOW = (
    r"(?:already |currently |now |still |actually |really |even )?(?:know|remember|recall|have|store|stored|keep|kept|"
    r"saved?|learn|learned|learnt|noted|hold|got|remembered|collected|recorded|memori[sz]ed)"
    r"(?: stored| saved| remembered| noted| on file| in (?:your )?memory)?"
)
_KEPT = r"(?:stored|saved|noted|recorded|kept|memori[sz]ed|in (?:your )?memory)"
_SO_FAR = (
    r"(?:,? (?:so far|now|already|by now|until now|at this point|currently|right now|exactly|then|in your memory|today|"
    r"from (?:before|our (?:earlier|previous|last) (?:chats?|conversations?|sessions?))))*"
)
_WHAT = (
    r"(?:what|what (?:else|all|exactly|things|facts|data|information)|which (?:things|facts|data|information)|"
    r"how much|anything) (?:do|did|have|can) you "
)
_WIPE = r"(?:delete|erase|remove|clear|wipe|drop|discard)"
_MEMORY = r" (?:from|in|out of) (?:your |the )?(?:memory|memories|notes|records)"
_NOT_WORDS = (
    r"(?!(?:\w+ ){0,3}?(?:last|previous|earlier|question|questions|message|messages|request|comment|prompt|input|"
    r"suggestion|instructions?|mistake|typo|code|answer|words)\b)"
)
_TOLD = (
    r"(?:(?:that )?(?:i|i've|we|we've|you|you've)(?: have)?(?: ever| just| already)? (?:said|told you|told|mentioned|"
    r"wrote|"
    r"shared|know|knew|remember|remembered|have|stored|saved|learned|learnt|noted|talked|discussed)(?: to you)? )"
)
_TOPIC = r"(?P<words>(?!(?:it|that|this|him|her|them|us|you|me|myself)\b)\S.*)"

ENGLISH = _phrases(
    "en",
    opener=r"(?:(?:hi|hello|hey|ok|okay|so|well|also|oh|and|but|now|then|btw|by the way|actually|no|yes|yeah|sure|"
    r"thanks|thank you|great|please|kindly|just|one more thing|first|finally|wait|sorry|oops|anyway|"
    r"and then)(?: (?:there|again|all|so much|then))?[\s,.!:;–-]+|[-*•]\s+|\d{1,2}[.)]\s+)",
    tail=r"(?:,? (?:please|thanks|thank you|thx|ok|okay|will you|would you|could you|for me|if you can|from now on|"
    r":\)))",
    remember=(
        rf"{_ASK}{_REMEMBER}(?: this| the following| one thing)?(?: about me)?\s*:\s*(?P<words>\S+ .+)",
        rf"{_ASK}{_REMEMBER},? (?:the fact )?that {_NO_TALK}{_NO_SCENE}(?P<words>(?:{_ME}|my |our ).+)",
        rf"{_ASK}{_REMEMBER} (?:the fact )?that {_NO_TALK}{_NO_SCENE}(?P<words>(?:\S+ ){{1,8}}?{_VERB} .+)",
        rf"{_ASK}{_REMEMBER},? {_NO_TALK}(?P<words>{_ME} .+)",
        rf"{_ASK}{_REMEMBER},? (?P<words>(?:my|our|the(?= (?-i:[a-z]))) (?:\S+ ){{1,6}}?{_VERB} .+)",
        rf"{_ASK}{_MIND},?(?: that)? {_NO_TALK}(?P<words>(?:{_ME}|(?:my|our) (?:\S+ ){{1,6}}?{_VERB}) .+)",
    ),
    remember_that=(rf"{_ASK}(?:{_REMEMBER}|{_MIND}) (?:that|this|it)(?: for (?:later|next time|the future))?",),
    forget_fact=(
        rf"{_ASK}(?:forget|stop remembering|(?:don't|do not) remember)(?: about)?(?: the (?:fact|note|memory))? that "
        rf"{_NO_TALK}(?P<words>(?:{_ME}|{_OWN}|(?-i:[A-Z]\w+) ).+)",
        rf"{_ASK}forget,? {_NO_TALK}(?P<words>{_ME} .+)",
        rf"{_ASK}forget (?P<words>{_OWN}(?:\S+ ){{1,6}}?{_VERB} .+)",
        rf"{_ASK}{_WIPE} (?:from (?:your |the )?memory|the (?:fact|note|memory|information|info|entry)) that {_W}",
    ),
    forget_topic=(
        rf"{_ASK}(?:forget|stop remembering)(?: about)? {_NOT_WORDS}(?P<words>{_OWN}\S+(?: (?!{_VERB}\b)\S+){{0,5}})",
        rf"{_ASK}(?:forget|{_WIPE})(?: about)? (?:everything|anything|all|whatever|what|the things?|all the things) "
        rf"{_TOLD}?(?:on|about|regarding|concerning) {_TOPIC}",
        rf"{_ASK}{_WIPE} (?P<words>{_OWN}.+?){_MEMORY}",
        rf"{_ASK}(?:forget|{_WIPE}) (?:the|your|any|all|all the) (?:memory|memories|notes?|information|info|data|"
        rf"facts?|"
        rf"entry|entries)(?: (?:that )?you (?:have|stored|saved|keep))? (?:on|about|of|regarding) {_TOPIC}",
    ),
    forget_all=(
        rf"{_ASK}(?:forget|{_WIPE}) (?:about )?(?:everything|all|anything|all the things|whatever|what) "
        rf"(?:{_TOLD}?(?:about|on|of) (?:me|myself)|(?:that )?(?:you know|you remember|i(?:'ve| have)?(?: ever)? "
        rf"told you))"
        rf"(?:{_MEMORY})?",
        rf"{_ASK}forget everything",
        rf"{_ASK}forget me(?: completely| entirely| altogether)?",
        rf"{_ASK}(?:{_WIPE}|reset|empty) (?:all )?(?:of )?(?:your|my) (?:whole |entire )?(?:memory|memories)"
        r"(?: (?:of|about) me)?",
        rf"{_ASK}(?:forget|{_WIPE}) all (?:your |the )?(?:memories|data|information|info|notes|facts)"
        r"(?: (?:that )?you (?:have|stored|saved|keep))? (?:about|on|of) me",
    ),
    confirm_all=(r"(?:yes|yep|yeah)[\s,.:;!–-]*(?:please[\s,]*)?forget everything about me",),
    recall_all=(
        rf"{_WHAT}{_KNOW} (?:about|on|of|regarding) (?:me|myself){_SO_FAR}",
        rf"{_ASK}(?:tell me|show me|show|list|give me)(?: about)? (?:everything|all|anything|what|exactly what|the "
        rf"things)"
        rf"(?: that)?(?: you(?:'ve| have)?)? {_KNOW} (?:about|on) me{_SO_FAR}",
        rf"do you {_KNOW} (?:anything|something|things) about me{_SO_FAR}",
        r"what(?:'s| is) in your memory(?: about me)?",
        rf"{_ASK}(?:show|list|show me|tell me|what are) (?:your|my|all your|all my|the) memories(?: (?:about|of) me)?",
        rf"what have i told you(?: about (?:me|myself))?{_SO_FAR}",
    ),
    recall_topic=(
        rf"{_WHAT}{_KNOW} (?:about|on|of|regarding) (?P<words>{_OWN}\S+(?: \S+){{0,6}}?){_SO_FAR}",
        rf"{_WHAT}{_KEPT} (?:about|on|regarding) {_TOPIC}",
        rf"what do you have {_KEPT} (?:about|on|regarding) {_TOPIC}",
        rf"do you {_KNOW} (?:anything|something) about (?P<words>{_OWN}\S+(?: \S+){{0,6}}?){_SO_FAR}",
        rf"{_ASK}(?:tell me|show me|list)(?: about)? (?:everything|all|anything|what)(?: that)? you(?:'ve| have)? "
        rf"{_KNOW} "
        rf"(?:about|on) (?P<words>{_OWN}\S+(?: \S+){{0,6}}?){_SO_FAR}",
    ),
)

# --- other languages --------------------------------------------------------------------------------------------------

_ES_ASK = r"(?:por favor,? )?(?:puedes |podrías |quiero que )?"
SPANISH = _phrases(
    "es",
    opener=r"(?:hola|oye|bueno|pues|y|también|además|por favor|gracias|vale|ok|ahora|no|sí)[\s,.!:;]+",
    tail=r"(?:,? (?:por favor|gracias|vale))",
    remember=(
        rf"{_ES_ASK}(?:recuerda|recordar|acuérdate de|recuerde|ten en cuenta|no (?:te )?olvides|nunca olvides|"
        rf"apunta|anota|memoriza)(?: que|\s*:) (?!me dijiste\b){_W}",
    ),
    remember_that=(rf"{_ES_ASK}(?:recuérdalo|apúntalo|no lo olvides|recuerda eso|recuerda esto)",),
    forget_fact=(rf"{_ES_ASK}(?:olvida|olvídate de|olvidar|olvide|olvides)(?: el hecho de)? que (?!te dije\b){_W}",),
    forget_topic=(
        rf"{_ES_ASK}(?:olvida|olvídate de|olvidar|olvide) (?P<words>mis? \S+(?: \S+){{0,4}})",
        rf"{_ES_ASK}(?:olvida|olvídate de|olvidar|borra) (?:todo )?(?:lo que )?(?:te )?(?:dije |sabes |he dicho |"
        rf"recuerdas )?(?:sobre|de|acerca de) (?P<words>(?!mí\b|mi persona\b|eso\b|esto\b)\S.*)",
    ),
    forget_all=(
        rf"{_ES_ASK}(?:olvida|olvidar|borra|elimina|olvídate de) todo(?: lo que (?:sabes|recuerdas))? (?:sobre|de|"
        rf"acerca de) mí",
        rf"{_ES_ASK}olvida todo|{_ES_ASK}borra tu memoria",
    ),
    confirm_all=(r"sí[\s,.]*olvida todo sobre mí",),
    recall_all=(
        r"¿?qué (?:es lo que )?(?:sabes|recuerdas|has guardado|tienes guardado) (?:sobre|de|acerca de) mí",
        rf"{_ES_ASK}(?:dime|muéstrame|cuéntame) (?:todo )?lo que (?:sabes|recuerdas) (?:sobre|de|acerca de) mí",
    ),
    recall_topic=(
        r"¿?qué (?:sabes|recuerdas|has guardado|tienes guardado) (?:sobre|de|acerca de) (?P<words>mis? \S+(?: "
        r"\S+){0,4})",
    ),
)

_PT_ASK = r"(?:por favor,? )?(?:você pode |podes |pode |quero que )?"
PORTUGUESE = _phrases(
    "pt",
    opener=r"(?:olá|oi|bem|então|e|também|por favor|obrigad[oa]|ok|agora|não|sim)[\s,.!:;]+",
    tail=r"(?:,? (?:por favor|obrigad[oa]))",
    remember=(
        rf"{_PT_ASK}(?:lembr[ae](?:-te|-se)?(?: de)?|lembrar(?: de)?|não (?:te |se )?esqueças?(?: de)?|"
        rf"não (?:se )?esqueça(?: de)?|anot[ae]|memorize)(?: que|\s*:) {_W}",
    ),
    remember_that=(rf"{_PT_ASK}(?:lembra-te disso|lembre-se disso|lembra disso|anota isso|anote isso)",),
    forget_fact=(rf"{_PT_ASK}(?:esque(?:ce|ça)(?:-te|-se)?(?: de)?|esquecer) que {_W}",),
    forget_topic=(
        rf"{_PT_ASK}(?:esque(?:ce|ça)(?:-te|-se)?(?: d)?|esquecer) ?(?:o |a |os |as )?(?P<words>(?:meus?|minhas?) "
        rf"\S+(?: \S+){{0,4}})",
        rf"{_PT_ASK}(?:esque(?:ce|ça)|apaga|apague) (?:tudo )?(?:o que )?(?:eu )?(?:disse |sabes |sabe |lembra )?sobre "
        r"(?P<words>(?!mim\b|isso\b|isto\b)\S.*)",
    ),
    forget_all=(
        rf"{_PT_ASK}(?:esque(?:ce|ça)|apaga|apague|esquecer) tudo(?: o que (?:você )?sabes?)? sobre mim",
        rf"{_PT_ASK}esque(?:ce|ça) tudo",
    ),
    confirm_all=(r"sim[\s,.]*esque(?:ce|ça) tudo sobre mim",),
    recall_all=(
        r"o que (?:é que )?(?:(?:você|tu) )?(?:sabes?|lembras?|guardou|guardaste|te lembras) (?:sobre|de|a respeito "
        r"de) mim",
        rf"{_PT_ASK}(?:diz-me|diga-me|me diga|mostra-me|me mostre) (?:tudo )?o que (?:você )?sabes? sobre mim",
    ),
    recall_topic=(
        r"o que (?:é que )?(?:(?:você|tu) )?(?:sabes?|lembras?|guardou|guardaste) (?:sobre|de) "
        r"(?P<words>(?:o |a |os |as )?(?:meus?|minhas?) \S+(?: \S+){0,4})",
    ),
)

_FR_ASK = r"(?:s'il (?:te|vous) plaît,? |stp,? )?(?:peux-tu |pourrais-tu |pouvez-vous |tu peux |je veux que tu )?"
_FR_QUE = r"qu(?:e |')"
FRENCH = _phrases(
    "fr",
    opener=r"(?:bonjour|salut|alors|bon|et|aussi|s'il (?:te|vous) plaît|merci|ok|maintenant|non|oui|au fait)[\s,.!:;]+",
    tail=r"(?:,? (?:s'il (?:te|vous) plaît|stp|merci))",
    remember=(
        rf"{_FR_ASK}(?:souviens-toi|te souvenir|souvenez-vous|rappelle-toi|retiens|retenir|retenez|note|notez|"
        rf"n'oublie(?:z)? (?:pas|jamais)|garde en tête|mémorise) {_FR_QUE}{_W}",
        rf"{_FR_ASK}(?:souviens-toi|retiens|retenez|mémorise)(?: (?:de )?ceci)?\s*: {_W}",
    ),
    remember_that=(rf"{_FR_ASK}(?:souviens-t'en|retiens(?: ça|-le)|retiens cela|ne l'oublie pas)",),
    forget_fact=(rf"{_FR_ASK}(?:oublie|oubliez|oublier) {_FR_QUE}(?!(?:je t'ai|j'ai) (?:dit|demandé)\b){_W}",),
    forget_topic=(
        rf"{_FR_ASK}(?:oublie|oubliez|oublier) (?P<words>(?:mon|ma|mes) \S+(?: \S+){{0,4}})",
        rf"{_FR_ASK}(?:oublie|oubliez|oublier|efface) (?:tout )?ce que (?:je t'ai dit|j'ai dit|tu sais|vous savez) "
        r"(?:sur|de|à propos de) (?P<words>(?!moi\b|ça\b|cela\b)\S.*)",
        rf"{_FR_ASK}(?:oublie|oubliez|efface) tout (?:sur|à propos de) (?P<words>(?!moi\b|ça\b|cela\b)\S.*)",
    ),
    forget_all=(
        rf"{_FR_ASK}(?:oublie|oubliez|oublier|efface|effacez) tout(?: ce que (?:tu sais|vous savez))? "
        r"(?:sur|à propos de|de) moi",
        rf"{_FR_ASK}(?:oublie|oubliez)[ -](?:tout|moi)",
    ),
    confirm_all=(r"oui[\s,.]*oublie[zr]? tout (?:sur|à propos de) moi",),
    recall_all=(
        r"(?:que|qu'est-ce que) (?:tu |vous )?(?:sais|savez|retiens|as retenu|as mémorisé)(?:-tu|-vous)? "
        r"(?:sur|de|à propos de) moi",
        r"que (?:sais-tu|savez-vous) (?:sur|de|à propos de) moi",
        rf"{_FR_ASK}(?:dis-moi|dites-moi|montre-moi) (?:tout )?ce que (?:tu sais|vous savez) (?:sur|de|à propos de) "
        rf"moi",
    ),
    recall_topic=(
        r"(?:que (?:sais-tu|savez-vous)|qu'est-ce que (?:tu sais|vous savez|tu as retenu)) (?:sur|de|à propos de) "
        r"(?P<words>(?:mon|ma|mes) \S+(?: \S+){0,4})",
    ),
)

_IT_ASK = r"(?:per favore,? |per piacere,? )?(?:puoi |potresti |voglio che tu )?"
ITALIAN = _phrases(
    "it",
    opener=r"(?:ciao|salve|allora|bene|e|anche|per favore|grazie|ok|ora|no|sì|comunque)[\s,.!:;]+",
    tail=r"(?:,? (?:per favore|per piacere|grazie))",
    remember=(
        rf"{_IT_ASK}(?:ricorda(?:ti|rti|re)?|tieni (?:presente|a mente)|non dimenticare|non scordare|annota|segnati)"
        rf"(?: che|\s*:) {_W}",
    ),
    remember_that=(rf"{_IT_ASK}(?:ricordatelo|ricordalo|non dimenticarlo|annotalo)",),
    forget_fact=(rf"{_IT_ASK}(?:dimentica|scorda|dimenticare|dimenticati) che {_W}",),
    forget_topic=(
        rf"{_IT_ASK}(?:dimentica|scorda|dimenticare) (?:il |la |i |le |l')?(?P<words>(?:mio|mia|miei|mie) \S+(?: "
        rf"\S+){{0,4}})",
        rf"{_IT_ASK}(?:dimentica|scorda|cancella) (?:tutto )?(?:quello che |ciò che )?(?:ti ho detto |ho detto |sai )?"
        r"(?:su|di|riguardo a) (?P<words>(?!me\b|questo\b|quello\b)\S.*)",
    ),
    forget_all=(
        rf"{_IT_ASK}(?:dimentica|cancella|dimenticare) tutto(?: (?:quello|ciò) che sai)? (?:su|di) (?:di )?me",
        rf"{_IT_ASK}dimentica tutto",
    ),
    confirm_all=(r"sì[\s,.]*dimentica tutto (?:su|di) (?:di )?me",),
    recall_all=(
        r"(?:che cosa|cosa|che) (?:sai|ricordi|hai memorizzato) (?:su|di) (?:di )?me",
        rf"{_IT_ASK}(?:dimmi|mostrami) (?:tutto )?(?:quello|ciò) che sai (?:su|di) (?:di )?me",
    ),
    recall_topic=(
        r"(?:che cosa|cosa|che) (?:sai|ricordi|hai memorizzato) (?:su|del|della|dei|delle|sul|sulla|sui|sulle) "
        r"(?P<words>(?:mio|mia|miei|mie) \S+(?: \S+){0,4})",
    ),
)

_DE_ASK = r"(?:bitte,? )?(?:(?:kannst|könntest) du (?:dir )?|ich möchte, dass du )?(?:bitte )?"
GERMAN = _phrases(
    "de",
    opener=r"(?:hallo|hi|hey|also|und|auch|bitte|danke|ok|okay|jetzt|nein|ja|übrigens)[\s,.!:;]+",
    tail=r"(?:,? (?:bitte|danke))",
    remember=(
        rf"{_DE_ASK}(?:merk(?:e)? dir|merken sie sich|merken|denk(?:e)? daran|vergiss nicht|vergiss (?:bitte )?nie|"
        rf"vergessen sie nicht|behalte im kopf|notiere(?: dir)?)(?: bitte)?(?:,? dass|\s*:) {_W}",
        rf"{_DE_ASK}(?:merk(?:e)? dir|vergiss nicht),? (?P<words>ich .+)",
    ),
    remember_that=(rf"{_DE_ASK}(?:merk(?:e)? dir das|merk(?:e)? es dir|vergiss das nicht)",),
    forget_fact=(rf"{_DE_ASK}(?:vergiss|vergessen sie|vergesse)(?: bitte)?,? dass (?!ich (?:gesagt|gefragt)\b){_W}",),
    forget_topic=(
        rf"{_DE_ASK}(?:vergiss|vergessen sie)(?: bitte)? (?P<words>mein(?:e|en|em)? \S+(?: \S+){{0,4}})",
        rf"{_DE_ASK}(?:vergiss|vergessen sie|lösche?)(?: bitte)? (?:alles,? )?(?:was (?:ich (?:dir )?|du ))?(?:weißt )?"
        r"(?:über|zu) (?P<words>(?!mich\b|mir\b|das\b)\S+(?: \S+){0,5}?)(?: (?:gesagt habe|erzählt habe|weißt))?",
    ),
    forget_all=(
        rf"{_DE_ASK}(?:vergiss|vergessen sie|lösche?)(?: bitte)? alles,? (?:was du )?über mich(?: weißt)?",
        rf"{_DE_ASK}(?:vergiss|vergessen sie)(?: bitte)? (?:alles|mich)",
    ),
    confirm_all=(r"ja[\s,.]*vergiss alles über mich",),
    recall_all=(
        r"was (?:weißt du|wissen sie|hast du|haben sie|merkst du dir)(?: alles)? über mich(?: gespeichert| behalten)?",
        rf"{_DE_ASK}(?:sag mir|zeig mir|erzähl mir),? (?:alles,? )?was du über mich weißt",
    ),
    recall_topic=(
        r"was (?:weißt du|wissen sie|hast du|haben sie)(?: alles)? über (?P<words>mein(?:e|en|em)? \S+(?: \S+){0,3}?)"
        r"(?: gespeichert| behalten)?",
    ),
)

CHINESE = _phrases(
    "zh",
    opener=r"(?:你好|您好|嗨|谢谢|对了|另外|好的|请|麻烦)[，,。！!\s]*",
    tail=r"(?:[，,]?(?:谢谢|好吗|吧))",
    remember=(
        r"(?:请|麻烦)?你?(?:要)?(?:帮我)?(?:记住|记得|记下|别忘了|不要忘记)(?:一下)?[：:，,]?\s*(?P<words>(?:我|我们).{2,})",
        r"(?:请|麻烦)?你?(?:帮我)?(?:记住|记下)[：:，,]\s*(?P<words>\S.{2,})",
    ),
    remember_that=(r"(?:请|麻烦)?你?(?:帮我)?记住(?:这个|这一点|这点|这件事)",),
    forget_fact=(r"(?:请|麻烦)?你?(?:忘记|忘掉|忘了)(?P<words>我(?!的|说|刚才|问).{2,}?)(?:这件事|的事|这个事实)?",),
    forget_topic=(
        r"(?:请|麻烦)?你?(?:忘记|忘掉|忘了)(?P<words>我的.{1,12})",
        r"(?:请|麻烦)?你?(?:忘记|忘掉|忘了|删除)(?:我说过的)?(?:所有)?关于(?P<words>(?!我的(?:一切|所有)|我$).{1,12}?)(?:的(?:一切|所有|事|事情|信息|内容))",
    ),
    forget_all=(
        r"(?:请|麻烦)?你?(?:忘记|忘掉|忘了|删除)(?:所有)?关于我的(?:一切|所有|全部)(?:信息|事情|内容|东西|记忆)?",
    ),
    confirm_all=(r"(?:是|是的|对)[，,\s]*忘(?:记|掉)关于我的一切",),
    recall_all=(
        r"你(?:都)?(?:知道|记得|了解|记住了|保存了)(?:关于)?我(?:的)?(?:哪些|什么|些什么|多少)(?:事情?|信息|东西|吗)?",
        r"关于我[，,]?你(?:都)?(?:知道|记得|了解)(?:些)?什么|你对我(?:都)?(?:知道|了解)(?:些什么|什么|多少)",
    ),
    recall_topic=(
        r"(?:关于)?(?P<words>我的.{1,10}?)[，,]?你(?:都)?(?:知道|记得|了解)(?:些)?什么",
        r"你(?:都)?(?:知道|记得|了解)(?:关于)(?P<words>我的.{1,10}?)(?:的)?(?:哪些|什么|些什么)(?:事情?|信息)?",
    ),
)

_JA_PLEASE = r"(?:ください|下さい|ね|ほしい|くれる|くれますか)?"
JAPANESE = _phrases(
    "ja",
    opener=r"(?:こんにちは|こんばんは|ありがとう(?:ございます)?|ちなみに|あと|それと|では|じゃあ|はい|ええと)[、,。！!\s]*",
    tail=r"(?:お願いします|よろしく)",
    remember=(
        rf"(?P<words>(?!これ|それ|あれ).{{3,}}?)(?:ということを|ことを|って|と|のを)"
        rf"(?:覚えておいて|覚えて|忘れないで|記憶して|メモして){_JA_PLEASE}",
        rf"(?:覚えておいて|覚えて){_JA_PLEASE}[：:、。]\s*(?P<words>\S.{{2,}})",
    ),
    remember_that=(rf"(?:これ|それ|この?こと)を(?:覚えておいて|覚えて|忘れないで){_JA_PLEASE}",),
    forget_fact=(
        rf"(?P<words>(?:私|僕|俺|わたし)(?!の|に).{{2,}}?)(?:という|って)?(?:ことを|ことは|のを)(?:忘れて|消して){_JA_PLEASE}",
    ),
    forget_topic=(
        rf"(?P<words>(?:私|僕|俺|わたし)の(?!こと).{{1,12}}?)(?:のこと|について|に関すること)?(?:を|は)(?:すべて|全部)?(?:忘れて|消して){_JA_PLEASE}",
        rf"(?P<words>(?!私|僕|俺|わたし|それ|これ).{{1,12}}?)(?:について(?:話した|言った)?こと|のこと)(?:を|は)(?:すべて|全部)(?:忘れて|消して){_JA_PLEASE}",
    ),
    forget_all=(
        rf"(?:私|僕|俺|わたし)(?:のこと|について(?:のこと)?|に関すること)(?:を|は)?(?:すべて|全部|全て)(?:忘れて|消して){_JA_PLEASE}",
    ),
    confirm_all=(rf"はい[、,\s]*(?:私|僕|俺|わたし)のことを(?:すべて|全部|全て)忘れて{_JA_PLEASE}",),
    recall_all=(
        r"(?:私|僕|俺|わたし)(?:のこと|に関して|について)(?:を|は|で)?[、,]?(?:何|なに)を?(?:知って|覚えて)(?:いますか|いる|いるの|る|るの|ますか)",
    ),
    recall_topic=(
        r"(?P<words>(?:私|僕|俺|わたし)の(?!こと).{1,12}?)(?:のこと|に関して|について)(?:を|は)?[、,]?(?:何|なに)を?(?:知って|覚えて)(?:いますか|いる|いるの|る|"
        r"るの|ますか)",
    ),
)

LANGUAGES = (ENGLISH, SPANISH, PORTUGUESE, FRENCH, ITALIAN, GERMAN, CHINESE, JAPANESE)

TRIGGER = re.compile(
    r"remember|forget|forgot|\bmind\b|memor[iy]|\bnote\b|note down|write down|delete|erase|wipe|clear|remove|drop|"
    r"discard|reset|"
    r"know|recall|stored?\b|saved?\b|learn|have i told|have you|you have|recuerd|recorda|acuérdate|cuenta que|olvid|"
    r"apunta|anot|"
    r"sabes|sabe\b|borra|elimina|guarda|lembr|esque[cç]|apag|memoriz|souv|rappelle|retien|reten|notez?\b|oubli|"
    r"efface|sais|savez|"
    r"mémoris|garde|ricord|tieni|dimentica|scorda|cancella|segnati|sai\b|merk|denk|vergiss|verges|lösch|behalte|notier|"
    r"weißt|wissen|hast du|haben sie|记|忘|删除|知道|了解|保存|覚|忘れ|記憶|メモ|消し|知って",
    re.IGNORECASE,
)
"""One of these stands in every message that holds a request; most messages hold none."""
