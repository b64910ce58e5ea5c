"""Swedish."""

from nodes.extractors.languages.grammar import language

_TONGUE = "(?:svenska|engelska|tyska|franska|spanska|norska|danska|finska|arabiska)"
_LASTS = (
    r"alltid|aldrig|varje \w+|varannan \w+|oftast|vanligtvis|normalt|brukar|ofta|"
    r"sällan|regelbundet|dagligen|sedan (?!i )\S+|i (?:\S+ )?(?:år|många år)|på "
    r"(?:morgnarna|kvällarna|nätterna|helgerna|"
    r"\w+dagar(?:na)?)|från (?:början|födseln)|hellre|helst|för det mesta|(?:en|två|tre) gånger? (?:i|per|om)"
)
_KIN = (
    r"(?:fru|man|make|maka|sambo|partner|pojkvän|flickvän|fästman|fästmö|son|söner|"
    r"dotter|döttrar|barn|bebis|tvillingar|mamma|pappa|mor|far|föräldrar|bror|bröder|"
    r"syster|systrar|syskon|mormor|morfar|farmor|farfar|"
    r"barnbarn|hund(?:ar)?|katt(?:er)?|häst|kanin|papegoja)"
)
_STATIVE = r"(?:är|har|heter|jobbar|arbetar|bor|studerar|pluggar|går|pratar|talar|lider|fyller|lever)"
SWEDISH = language(
    "sv",
    words=(
        "jag är en ett och min mitt mina har inte på för att med i det den som till "
        "av om men kan du vi han hon de ni oss mig dig sig vår vårt våra din ditt dina "
        "så från när var vad hur vem varför vilken vilket alltid aldrig också bara "
        "nu än efter vid ska skulle vill måste blir eller mycket hellre sedan "
        "idag igår går tack hej ja nej jo inga inget ingen utan varje alla då här där "
        "över under mot heter bor jobbar gillar fel vänsterhänt skild gift allergisk "
        "vegetarian barn lärare"
    ),
    opener=(
        "hej|hallå|tjena|god (?:morgon|kväll|dag)|tack|förresten|alltså|och|men|ja|"
        "nej|jo|egentligen|faktiskt|ärligt talat|dessutom|också|eh|okej|ok|så|för övrigt|"
        "bara så du vet|rättelse|förlåt|ursäkta|"
        "just nu|för|fast|nu|snälla"
    ),
    joints=r"men|för|och (?=(?:jag|min|mitt|mina|vi|bor|jobbar|har|är)\b)",
    remember=r"(?:kom ihåg|glöm inte(?: bort)?|tänk på|notera|lägg på minnet)(?:,)? att",
    asks=(
        r"^(?:och |men )?(?:vem|vad(?! (?:kul|roligt|skönt|härligt))|hur|var(?! inte)|"
        r"när(?! (?:du|jag))|varför|vilken|vilket|vilka|kan (?:du|man|jag)|får (?:man|"
        r"jag)|är (?:det|du)|har du|ska (?:man|jag)|vet du|måste man|finns det|går det|"
        r"skulle du)"
    ),
    irony=(
        r"^(?:jo |ja )?(?:visst|jodå|toppen|härligt|underbart|perfekt|super|kul|kanon|"
        r"fantastiskt|jättekul|såklart)(?:,| att)|^(?:jo|ja) visst|^vad (?:kul|roligt|"
        r"skönt|härligt)|inget (?:bättre|roligare) än|precis vad jag behövde|ironi|sarkasm"
    ),
    unreal=(
        r"^(?:\S+ )?om jag|anta att|tänk om|tänk dig|låt oss säga|kanske|skulle|vore|"
        r"ifall|hoppas|förhoppningsvis|någon gång|en dag|föreställ|låtsas|som om|i min "
        r"(?:roman|berättelse|dröm)|^du är (?:en|ett)|önskar|spela"
    ),
    reported=(
        r"enligt|(?:hon|han|de|\w+) (?:säger|sa|sade|berättade|påstår|påstod|hävdar|"
        r"skrev|menar|tror|tycker)(?:,| att)|lär(?! mig| känna)|tydligen|det sägs|ryktet|"
        r"har (?:\S+ )?(?:sagt|berättat)|□+"
    ),
    ended=r"^(?:jag |vi |min )?.{0,80}inte (?:längre|mer)|^jag har slutat|^(?:jag )?.{0,60}ing(?:en|et|a) \S+ längre",
    corrects=r"egentligen|rättelse|^nej|inte i|^förlåt|faktiskt",
    episode=(
        r"i ?går|i förrgår|i ?dag|idag|i morse|i kväll|ikväll|i natt|i morgon|imorgon|"
        r"i (?:sön|mån|tis|ons|tors|fre|lör)dags|förra \w+|precis|nyss|för \S+ (?:minuter|"
        r"timmar|dagar|veckor) sedan|häromdagen|i helgen|nyligen|"
        r"(?:jag|vi) (?:var|hade|gick|kom|såg|åt|drack|fick|glömde|tappade|missade|köpte|"
        r"fann|tog|sprang|sov|drömde|\w{3,}ade)|har (?:\S+ )?\w+(?:at|it|tt)"
    ),
    lasting=_LASTS + "|haft",
    talk=(
        r"jag (?:tror|tycker|hoppas|vet|förstår|menar|undrar|vill|skulle|antar|lovar|"
        r"säger|söker|behöver(?! glasögon)|gillar (?:din|ditt|det|den här)|har (?:en "
        r")?(?:fråga|idé|problem|bråttom|rätt|tid|lust)|ska (?:bara|nu)|"
        r"är (?:\S+ )?(?:trött|glad|arg|ledsen|klar|nyfiken|tillbaka|sjuk|säker|tacksam|"
        r"hungrig|törstig|förvirrad|här|redo))|det |din idé"
    ),
    name=r"jag heter \w+|mitt namn är \w+",
    language=rf"(?:svara|skriv|prata)(?: alltid| bara| med mig| mig| gärna)* på {_TONGUE}",
    style=(
        r"(?:jag )?(?:vill ha|föredrar|gillar) (?:korta|kortfattade|utförliga|långa|"
        r"raka) svar|(?:svara|var)(?: alltid)? (?:kort|kortfattad|kortfattat|utförligt)"
    ),
    location=r"(?:jag )?bor(?: jag)?(?: nu| numera| just nu)? (?:i|på|vid|utanför) (?!en |ett )\S+",
    occupation=r"(?:jag )?(?:jobbar|arbetar)(?: jag)? som \S+",
    project=(
        r"(?:jag|vi) (?:jobbar|arbetar)(?: nu| just nu| för närvarande)? (?:på|med) "
        r"(?:projektet )?\S+|mitt (?:nuvarande )?projekt (?:är|heter) \S+"
    ),
    work=(
        r"(?:jag|vi) (?:skriver|renoverar|bygger|förbereder|planerar|pluggar till|utvecklar|"
        r"organiserar|startar|håller på) \S+|(?:mitt|vårt|min|nästa) (?:mål|steg|deadline|"
        r"nästa steg) är|(?:jag|vi) (?:ska|måste) .{0,50}(?:lämna in|till|före|innan|"
        r"bli klar|bli färdig)|"
        r"(?:jag|vi) (?:sitter fast|har kört fast)|(?:före|innan|till) \S+ (?:ska|måste) (?:jag|vi)"
    ),
    own=(
        r"(?:jag|vi) (?!(?:var|hade|gick)\b)(?:\w+(?:r|s|ar|er|år)|vet|kan|tål|har|är|"
        r"ska|lider|avskyr|hör)(?: .*)?|(?:bor|har|jobbar|är|äter|dricker|tål|brukar) "
        r"(?!du|det)\S.*|(?!(?:att|om|när|som|vad|hur|då|eftersom)\b)(?:\S+ ){1,6}jag|"
        r"(?:\S+ ){1,5}(?:gör|får|stressar|irriterar|lugnar|tråkar ut|fascinerar|stör|"
        r"intresserar|ger) mig|min(?:a)? favorit\w+ (?:\S+ )?är|mitt favorit\w+ (?:\S+ "
        r")?är|(?:min|mitt|mina) (?:\S+ )?(?:yrke|jobb|födelsedag|modersmål|bil|hus|"
        r"lag|hobby|religion|efternamn|förnamn|stjärntecken) (?:är|heter)"
    ),
    kin=rf"(?:min|mitt|mina|vår|vårt|våra) (?:\w+(?:a|sta) )?{_KIN}(?: (?-i:[A-ZÅÄÖ])\w+)? {_STATIVE}",
    trait=(
        r"(?:en|ett|två|tre|fyra|\d+) (?:barn|hund|katt|söner|döttrar|son|dotter)\w*|"
        r"(?:vegan|vegetarian|vänsterhänt|högerhänt|färgblind|närsynt|hörselskadad|"
        r"döv|"
        r"blind|diabetiker|astmatiker|allergisk|\w*allergi(?:ker)?|\w*intolerant?|glutenintolerant|"
        r"laktosintolerant|autistisk|dyslektiker|gift|ogift|singel|skild|frånskild|"
        r"änka|änkling|ensamstående|gravid|pensionär|egenföretagare|(?:pappa|mamma|far|"
        r"mor) till|tvåspråkig|ateist|muslim|katolik|jude|inga (?:barn|djur)|inget (?:körkort|"
        r"kött)|ingen (?:bil|alkohol)|"
        r"\w*(?:lärare|sköterska|läkare|student|ingenjör|kock|journalist|programmerare|"
        r"bonde|snickare) (?:på|i|vid|från))"
    ),
    imperative=(
        r"jag vill att|(?:(?:alltid|aldrig|från och med nu|hädanefter|framöver|i fortsättningen|snälla),? "
        r")*(?:använd|svara|skriv|prata|kalla|ge|säg|förklara|lägg|gör|visa|låt|undvik|"
        r"håll|börja|avsluta|ange|citera|sätt|var|fråga|skicka|översätt|inga|inte|utan|"
        r"sluta|välj|dua)|"
        r"(?:dina|alla) svar|du (?:ska|får|kan)|när jag"
    ),
    standing=(
        r"alltid|aldrig|från (?:och med )?nu|hädanefter|framöver|i fortsättningen|i "
        r"framtiden|varje gång|som standard|kalla mig|i (?:dina|alla) svar"
    ),
)
