"""German."""

from nodes.extractors.languages.grammar import language

_TONGUE = "(?:deutsch|englisch|französisch|spanisch|italienisch|portugiesisch|niederländisch|türkisch|russisch)"
_LASTS = (
    r"immer|nie(?:mals)?|umgezogen|inzwischen|mittlerweile|geboren|aufgewachsen|"
    r"am wochenende meistens|unter der woche|jede[nrsm]? \w+|meistens?|normalerweise|"
    r"grundsätzlich|gewöhnlich|üblicherweise|regelmäßig|"
    r"täglich|\w+(?:tags|abends|morgens|nachts)|morgens|abends|mittags|nachts|vormittags|nachmittags|seit \S+|"
    r"von (?:geburt|klein)|ursprünglich|lieber|am liebsten|oft|selten|(?:zwei|drei|ein|vier|fünf)mal (?:die|pro|im)"
)
_KIN = (
    r"(?:frau|mann|ehefrau|ehemann|partner(?:in)?|freund(?:in)?|verlobte[rn]?|sohn|söhne|tochter|töchter|kind(?:er)?|"
    r"zwillinge|baby|mutter|vater|mama|papa|eltern|bruder|brüder|schwestern?|geschwister|oma|opa|großmutter|"
    r"großvater|enkel\w*|hund(?:e|in)?|katzen?|kater|pferd|papagei|kaninchen|jüngster?|ältester?|große|kleine)"
)
_STATIVE = (
    r"(?:ist|sind|hat|haben|heißt|heißen|arbeitet|arbeiten|wohnt|wohnen|lebt|leben|studiert|kommt|geht|gehen|leidet|"
    r"spricht|wird|macht|kann|heisst|braucht|zieht)"
)
_NOT_STATING = (
    r"(?:glaube|denke|hoffe|weiß|weiss|meine|finde (?:das|dein|es)|frage|verstehe|"
    r"brauche (?!\S+ brille)\S+|suche|will wissen|"
    r"möchte|will(?!\w)|würde|hätte|könnte|wäre|wollte|sollte|dürfte|müsste|"
    r"danke|entschuldige|vermute|schätze|fürchte|"
    r"wünsche|bitte|sage|sag|meinte|dachte|war|hatte|wurde|ging|kam|habe? (?:(?:dich|"
    r"mich|das|es|eben|gerade|heute|ihn|sie|"
    r"mir) )?(?:\S+ ){0,8}?ge\w+(?:t|en)|hab (?:\S+ ){0,8}?(?:ge|ver|be|er|ent|ver)\w+(?:t|en)|"
    r"habe (?:\S+ ){1,8}?(?:ver|be|er|ent|zer)\w+(?:t|en)|bin (?:\S+ ){0,8}?(?!gegen\b)ge\w+en|"
    r"habe? (?:eine? )?(?:kurze |kleine )?(?:frage|idee|problem|hunger|durst|angst, dass|zeit|lust|recht|gerade)|"
    r"bin (?:\S+ )?(?:\S+ )?(?:müde|froh|fertig|erschöpft|traurig|gespannt|sicher|"
    r"dankbar|bereit|da|zurück|krank|gestresst|"
    r"genervt|neugierig|begeistert|der|die|das|ja|mir|am|auf|dafür|dabei|aufgeregt|"
    r"glücklich|verwirrt|spät|gleich|nicht)|"
    r"(?!(?:arbei|bearbei|bie|anbie|mie|vermie|lei|rei|hal|behal|ach|hü|züch|"
    r"fas|tes|bera|berei|unterrich|beobach|verach|has|"
    r"war|koch)te)\w{2,}te|\w+est)"
)
GERMAN = language(
    "de",
    words=(
        "der die das ein eine einen einem einer und mein meine meinen meiner ist "
        "bin ich zu dass nicht mir für mit auf "
        "immer aber als mich dich du sie er wir uns unser unsere den dem des von "
        "bei aus nach seit hab habe hat im am "
        "zum zur kein keine keinen auch nur noch schon mal ja nein wie was wer "
        "wo wenn oder bitte sehr nie jeden ne nen "
        "dir euch kann wird sind haben heute gestern danke ob um über unter vor "
        "doch gern gerne beim ins vom weil gerade eigentlich lieber wohne arbeite "
        "ihr ihre vegetarier vegetarierin veganer veganerin "
        "linkshänder geschieden verheiratet allergisch rentner schwanger kinder"
    ),
    opener=(
        "quatsch|falsch|stopp|hallo|hi|hey|guten (?:morgen|tag|abend)|danke|also|"
        "übrigens|und|aber|ja|nein|nee|doch|naja|na ja|"
        "ehrlich gesagt|tatsächlich|eigentlich|ach|ah|oh|so|ok|okay|achtung|nur so|zur info|entschuldigung|korrektur|"
        "kurz zu mir|bitte|denn|außerdem|moment|sorry|wobei|ab jetzt|jetzt|weil"
    ),
    joints=r"aber|und (?=(?:ich|mein|meine|hab|habe|bin|wohne|arbeite|wir)\b)|denn",
    remember=(
        r"(?:merk(?:e)? dir|denk(?:e)? (?:bitte )?daran|vergiss (?:bitte )?nicht|"
        r"notier(?:e)?(?: dir)?|behalte?(?: bitte)?)"
        r"(?: bitte)?,? dass"
    ),
    asks=(
        r"^(?:und |aber )?(?:wer|was(?! für ein (?:glück|spaß))|wie(?! (?:schön|"
        r"toll|nett))|wo|wann|warum|wieso|weshalb|welche[rsnm]?|"
        r"wohin|woher|womit|wozu|ab wann|seit wann|bis wann|wieviel|ob|kann man|"
        r"darf man|muss man|gibt es|kannst du|könntest du|"
        r"weißt du|hast du|bist du|ist das|(?:mag|bin|habe|soll|kann|muss) ich)"
    ),
    irony=(
        r"^(?:oh|ach|och|hach|uff|ja|na),? (?:ja|wie|klar|toll|super|prima|sicher|"
        r"natürlich|herrlich)|mein\w* (?:absolute[sr]? |ganz großer |großer )?(?:traum|"
        r"highlight|hobby|lieblings(?:hobby|beschäftigung|sport))$|(?:das )?highlight "
        r"meine[sr] (?:tages|woche|lebens)|es gibt (?:doch )?nichts (?:schöneres|"
        r"besseres)|^(?:juhu|hurra|klasse|ganz toll|yay|jippie|spitze)|liebe es,? "
        r"(?:wenn|"
        r"dass) (?:man|mich|mir|der|die|das)|wie ich (?:das|es) liebe|bin ja so|"
        r"^(?:na|ja|aber)? ?(?:klar|sicher|toll|super|prima|großartig|herrlich|natürlich|"
        r"wunderbar|bravo|genial),|"
        r"^(?:na|ja) (?:klar|toll|super|sicher|prima|bravo)|^(?:wie|was für ein) "
        r"(?:schön|toll|glück|spaß|nett)|von wegen|nichts (?:schöner|besser)\w* "
        r"als|(?:hat|hatte) (?:mir )?(?:gerade )?noch gefehlt|war ja klar|danke "
        r"für nichts|ironie|sarkasmus|(?:mein )?(?:absoluter )?traum(?:job)?$"
    ),
    unreal=(
        r"wenn ich|falls|angenommen|stell dir|stellen wir|nehmen wir|gesetzt|vielleicht|"
        r"womöglich|hätte\w*|wäre\w*|würde\w*|"
        r"könnte\w*|müsste|säße|bräuchte|hoffentlich|irgendwann|eines tages|in meine[rm] "
        r"(?:roman|geschichte|traum|spiel)|"
        r"als ob|tu so|bloß|^spiel(?:e|en sie)? (?:bitte |mal )?(?:eine?n?|die|den|das)|der kaiser von china"
    ),
    reported=(
        r"angeblich|laut|soll (?!ich)\w+|sollen|(?:er|sie|man|\w+) (?:sagt|sagte|"
        r"meint|meinte|behauptet\w*|erzählt\w*|schreibt|"
        r"schrieb|glaubt|findet), |hat \S*\s?(?:gesagt|erzählt|gemeint|behauptet|geschrieben)|zufolge|es heißt|"
        r"\w+ (?:sagt|sagte|meinte|erzählte|behauptete|erklärte)|hat (?:\S+ )?(?:gesagt|"
        r"erzählt|gemeint)|in (?:ihrer|seiner) bio|□+"
    ),
    ended=(
        r"^(?:ich |mein\w* ).{0,80}(?:nicht mehr|kein\w* (?:\S+ )?mehr)|"
        r"^(?:ich )?(?:habe? )?(?:aufgehört|hab mit dem .{1,30} aufgehört)|^(?:\S+ ){1,4}ich (?:\S+ ){0,4}nicht mehr"
    ),
    contrast=(
        r"(?:es ist|es sind|das ist|das war|ich meinte|es heißt) .{2,60},? (?:nicht|"
        r"und nicht|sondern) \S+(?: \S+){0,3}$"
    ),
    corrects=r"quatsch|falsch|sorry|moment|eigentlich|korrektur|^nein|doch|sondern|nicht (?:mehr )?in",
    episode=(
        r"gestern|vorgestern|heute|eben|gerade(?= echt| total| so| noch| erst|$)|"
        r"vorhin|heut|diese (?:woche|nacht)|morgen(?! immer)|am wochenende|"
        r"letzte[nrs]? (?:\w+)|am \w+(?:tag|abend)|neulich|kürzlich|letztens|vor "
        r"\S+ (?:minuten|stunden|tagen|wochen)|"
        r"ging|war|waren|wurden?|gab's|gab|standen|kam|kamen|hatten?|sah|nahm|fand|"
        r"lief|fiel|aß|trank|blieb|stand|saß|lag|traf|rief|"
        r"fuhr|bekam|vergaß|verlor|schlief|schrieb|sprach|las|gingen|musste|konnte|wollte|"
        r"(?:hab|habe|bin|haben|sind) .*(?:ge|ver|be|er|ent|zer)\w+(?:t|en)$|(?:hab|"
        r"habe|bin|haben|sind) .*\w+(?:iert|ge\w+)$"
    ),
    lasting=_LASTS,
    talk=(
        rf"ich {_NOT_STATING}|(?:das|dein\w*|es|die idee|so|was) (?:\S+ )?(?:\S+ "
        rf")?(?:gefällt|weiß|glaube|denke|dachte|hilft|finde|mag|freut|"
        rf"tut|verstehe|klingt)\w*|(?:\S+ ){{1,4}}{_NOT_STATING} ich|tut mir leid|"
        rf"mir (?:geht|ist)|bin (?:gerade|heute|mir|so|echt|\S+ müde|da|"
        r"gespannt|froh|fertig|zurück|nicht)|war|hab (?:mich|das|dich|eben|ge)"
    ),
    name=r"ich heiße (?!doch)\w+|mein name ist \w+",
    language=(
        rf"(?:\S+ ){{0,4}}?(?:antworte|sprich|schreib|schreibe|rede)n?(?: bitte| "
        rf"mir| mit mir| immer| nur| stets)* (?:auf|in) {_TONGUE}|"
        rf"(?:\S+ ){{0,6}}(?:auf|in) {_TONGUE} (?:antworten|schreiben|sprechen)"
    ),
    style=(
        r"(?:ich )?(?:bevorzuge|mag|will|möchte|hätte gern) (?:\S+ )?(?:kurze|knappe|"
        r"ausführliche|lange|direkte|prägnante) "
        r"antworten|(?:fasse? dich|antworte|halte? dich)(?: bitte| mir)?(?: immer)? (?:kurz|knapp|ausführlich)"
    ),
    location=r"(?:ich )?(?:wohne?|lebe?)(?: jetzt| aktuell| derzeit| seit \S+ \S+)* (?:in|bei|auf|an) (?!eine)\S+",
    occupation=r"(?:ich )?arbeite(?: seit \S+ \S+)? als \S+",
    project=(
        r"(?:ich arbeite|wir arbeiten)(?: gerade| derzeit| aktuell| momentan| noch)* "
        r"an \S+|mein (?:aktuelles )?projekt (?:ist|heißt) \S+"
    ),
    work=(
        r"(?:die|der|das|mein\w*|unser\w*) \w+ muss bis|(?:ich )?suche (?:gerade|"
        r"derzeit|aktuell)|(?:ich|wir) (?:ziehen?|eröffnen?|"
        r"starten?|bewerben?|bewerbe|promoviere|warten?) .*(?:um|mit|für|auf|mich|"
        r"uns|ein|über)|(?:ich )?bin (?:auf|mitten in) (?:job|wohnungs|stellen|der|"
        r"den)\w*|noch (?:\S+ ){1,3}(?:bis zur abgabe|fehlen)|(?:ich|wir) (?:\w+e|"
        r"\w+en|bin|sind|sitze) (?:gerade|derzeit|momentan|aktuell|im moment) (?!\S*$)(?!(?:echt|"
        r"total|so|sehr|nur|ein bisschen)\b).{8,}|"
        r"(?:ich|wir) (?:renovieren?|schreiben?|bauen?|bereiten?|planen?|lernen?|"
        r"programmieren?|entwickeln?|überarbeiten?|organisieren?|"
        r"gründen?) \S+|(?:mein|unser|das) (?:ziel|nächster schritt|abgabetermin|"
        r"problem|blocker) ist|der nächste schritt ist|"
        r"(?:bis|nächste woche|nächsten \w+|am \S+|diese woche|ab|im \w+)(?: \S+){0,3} "
        r"(?:muss|will|müssen|soll|wollen) (?:ich|wir)|"
        r"(?:ich|wir) (?:muss|müssen|will|wollen|soll) (?:\S+ ){0,3}(?:bis|nächste)|"
        r"(?:mir|uns) fehl(?:t|en)|(?:die )?abgabe ist|"
        r"(?:ich )?(?:hänge|komme nicht weiter|stecke) (?:bei|mit|fest)"
    ),
    own=(
        r"(?:ich|wir|bin|hab|habe|wohn|wohne|arbeite|fahr|fahre|geh|gehe|mag|trinke?|"
        r"esse?|lebe|spiele?|leide|komme?|steh) "
        r"(?!(?:dir|euch|dich|das|es|dann|jetzt|mal|kurz)\b)\S.*|"
        r"(?!(?:schreib|mach|gib|erklär|nenn|zeig|sag|hilf|formulier|fass|erstell|"
        r"übersetz|such|find|korrigier|prüf|lies|kürz|berechne|rechne|spiel|stell|"
        r"tu|sei)\w*\b)"
        r"(?:(?!(?:dass|damit|wenn|ob|weil|was|wie|als|da|obwohl|nachdem|bevor|falls|den|dem)\b)\S+ ){1,6}ich|"
        r"(?:\S+ ){1,5}(?:macht|machen|stresst|stressen|nervt|nerven|ekelt|ekeln|"
        r"beruhigt|freut|entspannt|reizt|fasziniert|"
        r"faszinieren|langweilt|langweilen|stört|stören|interessiert|interessieren|begeistert) (?:mich|mir)|"
        r"(?:mir|mich) (?:schmeck|gefall|gefäll|lieg|fällt|fall|fehlt|wird|graust|"
        r"nerv|stress|stör|ekel|interessier|mach|begeister|"
        r"langweil|faszinier)\w* .*|(?:\S+ ){1,4}(?:schmeck|gefall|gefäll|lieg|bekomm)\w* (?:mir|uns)|"
        r"mein\w* lieblings\w+ (?:ist|sind|heißt)|mein\w* (?:\S+ )?(?:beruf|job|"
        r"geburtstag|muttersprache|auto|wohnung|verein|hobby|"
        r"hobbys|religion|nachname|vorname|sternzeichen|zuhause|firma) (?:ist|sind|"
        r"hat|heißt|liegt)|bei (?:mir|uns)(?: \S+)* (?:gibt|wird|ist|sind)"
    ),
    kin=rf"(?:mein|meine|unser|unsere|meinem|meiner) (?:\w+(?:e|er|es) )?{_KIN}(?: (?!und)[^\W\d_]+)? {_STATIVE}",
    trait=(
        r"(?:ein|eine|zwei|drei|vier|\d+) (?:kinder|kind|söhne|töchter|hunde?|katzen?|"
        r"jungs|mädchen)|gebürtige\w* \S+|(?:vater|mutter) (?:zweier|dreier|eines|"
        r"einer)|(?:totaler |absoluter |echter |reiner )?\w*(?:mensch|esser|trinker|"
        r"läufer|fahrer|liebhaber|fan|muffel|lehrer|pfleger|meister|arbeiter|schwester|"
        r"leiter|ingenieur|schläfer|raucher)(?:in)?(?: \S+){0,5}$|(?:bin )?(?:veganer(?:in)?|"
        r"vegetarier(?:in)?|vegan|vegetarisch|linkshänder(?:in)?|rechtshänder(?:in)?|"
        r"farbenblind|"
        r"kurzsichtig|schwerhörig|gehörlos|blind|taub|diabetiker(?:in)?|asthmatiker(?:in)?|"
        r"allergi\w+|\w*(?:allergie|unverträglichkeit|"
        r"intoleranz)|\w*(?:intolerant|allergisch)|autist(?:in)?|legastheniker(?:in)?|"
        r"verheiratet|ledig|geschieden|verwitwet|single|"
        r"alleinerziehend\w*|schwanger|rentner(?:in)?|selbst?ständig|(?:\S*)(?:vater|"
        r"mutter|mama|papa) von|zweisprachig|atheist(?:in)?|"
        r"muslim(?:in)?|katholisch|evangelisch|jüdisch|kein\w* \S+$|seit \S+ (?:jahren|"
        r"monaten|\d+) (?:\S+ )?\w+(?:er|erin|in|ist)|"
        r"\w+(?:er|erin|lehrer|lehrerin|pfleger|pflegerin|student|studentin|ingenieur|"
        r"ingenieurin) (?:aus|in|im|bei|an) \S+|"
        r"(?:\S+ )?seit (?:der|meiner) (?:geburt|kindheit|jugend))"
    ),
    imperative=(
        r"ich (?:will|möchte|hätte gerne?),? dass|(?:du kannst|wir können|lass uns) "
        r"(?:mich|uns)|(?:bitte )?(?:(?:immer|nie|niemals|ab jetzt|ab sofort|von "
        r"nun an|künftig|in zukunft|ab heute),? )*(?:bitte )?(?:nur (?:noch )?)?"
        r"(?:verwende?|benutze?|nutze?|antworte?|schreibe?|sprich|rede|nenn\w?|gib|"
        r"gebe?|sag|sage|erkläre?|füge?|mach|mache|"
        r"zeige?|lass|lasse?|duze?|sieze?|vermeide?|halte?|fasse?|formatiere?|kommentiere?|"
        r"frage?|zitiere?|übersetze?|begründe|"
        r"keine|kein|auf|in|ohne|beginne|fang|rechne|runde|achte|setze?|stell|stelle|bring|liste|verzichte)|"
        r"du (?:sollst|darfst|kannst)|(?:wenn|sobald) (?:du|ich (?:dich|dir|nach|um|\S+ (?:schicke|frage|bitte)))|"
        r"(?:deine|alle) antworten|ich (?:will|möchte),? dass du (?:immer|nie|ab)|bitte"
    ),
    standing=(
        r"duzen|siezen|duz\w*|siez\w*|^(?:bitte )?(?:keine?|ohne) \S+(?: \S+)?(?: "
        r"(?:bitte|mehr))*$|wenn ich|sobald|immer|nie|niemals|ab jetzt|ab sofort|"
        r"von nun an|künftig|in zukunft|ab heute|grundsätzlich|stets|jedes mal|jedesmal|"
        r"standardmäßig|nenn mich|in (?:deinen|allen|euren) antworten|duz mich|siez mich|nie wieder|generell"
    ),
)
