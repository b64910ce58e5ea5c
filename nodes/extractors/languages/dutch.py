"""Dutch."""

from nodes.extractors.languages.grammar import language

_TONGUE = "(?:het )?(?:nederlands|engels|duits|frans|spaans|italiaans|vlaams|turks|arabisch)"
_LASTS = (
    r"altijd|nooit|elke \w+|elk \w+|iedere? \w+|meestal|normaal(?: gesproken)?|gewoonlijk|"
    r"doorgaans|vaak|zelden|regelmatig|dagelijks|sinds \S+|al (?:jaren|\S+ jaar)|"
    r"'s (?:ochtends|avonds|middags|nachts|morgens)|op (?:maandag|dinsdag|woensdag|"
    r"donderdag|vrijdag)en|van (?:geboorte|kinds)|oorspronkelijk|liever|het liefst|"
    r"(?:een|twee|drie) keer per"
)
_KIN = (
    r"(?:vrouw|man|echtgeno(?:ot|te)|partner|vriend(?:in)?|verloofde|zoon|zonen|"
    r"zoontje|dochters?|dochtertje|kind(?:eren)?|baby|tweeling|moeder|vader|mama|"
    r"papa|ouders|broers?|broertje|"
    r"zus(?:sen|je)?|opa|oma|kleinzoon|kleindochter|hond(?:en)?|hondje|kat(?:ten)?|poes|kater|paard|konijn|papegaai)"
)
_STATIVE = r"(?:is|zijn|heeft|hebben|heet|heten|werkt|werken|woont|wonen|studeert|zit|gaat|gaan|spreekt|lijdt|wordt)"
_PAST = (
    r"was|waren|had|hadden|ging|gingen|kwam|liet|zag|deed|kreeg|vond|vergat|verloor|"
    r"droomde|at|dronk|stond|zat|liep|viel|"
    r"(?:heb|ben|hebben|zijn) .*(?:ge|ver|be|ont)\w+(?:t|d|en)(?! om)"
)
DUTCH = language(
    "nl",
    words=(
        "de het een en mijn ik je jij hij zij ze we wij ons onze is ben bent zijn heb "
        "hebt heeft hebben niet geen wel ook maar van voor met op in te aan "
        "bij naar uit over om dat die dit deze er nog al altijd nooit als of dan zo "
        "heel erg mij me wat wie waar hoe waarom welke door tot tegen kan kun wil "
        "moet zou wordt vandaag gisteren bedankt graag ja nee elke liever sinds maak "
        "maakt volgens jullie haar hun eigenlijk voortaan weer twee linkshandig gescheiden getrouwd "
        "allergisch vegetariër gepensioneerd zwanger kinderen"
    ),
    opener=(
        "hallo|hoi|hey|goedemorgen|goedenavond|goedemiddag|bedankt|dank je|nou|trouwens|"
        "overigens|en|maar|ja|nee|eigenlijk|eerlijk gezegd|dus|want|ook|ah|oh|oké|ok|"
        "ter info|sorry|correctie|nu|momenteel|alsjeblieft|bovendien|tja|toch"
    ),
    joints=r"maar|want|en (?=(?:ik|mijn|heb|ben|woon|werk|we)\b)",
    remember=r"(?:onthoud|vergeet niet|denk eraan|noteer|weet)(?: alsjeblieft| even| goed)?,? dat",
    asks=(
        r"^(?:en |maar )?(?:wie|wat(?! (?:leuk|fijn|een))|hoe|waar|wanneer|waarom|welke?|"
        r"hoeveel|waarmee|waarvoor|kun je|kan je|kan ik|mag ik|moet ik|moet je|is het|"
        r"is er|weet je|heb je|ben je|zou je|kunnen|sinds wanneer)"
    ),
    irony=(
        r"^(?:ja hoor|ja ja|tuurlijk|natuurlijk|geweldig|fijn|super|top|heerlijk|prachtig|"
        r"lekker|fantastisch|zeker),?|^wat (?:leuk|fijn|een (?:feest|geluk|pret))|niets "
        r"(?:leukers|fijners) dan|"
        r"dat (?:ontbrak|kon) er nog|maar niet heus|sarcasme|ironie"
    ),
    unreal=(
        r"^(?:\S+ )?als ik|stel (?:dat|je)|misschien|wellicht|zou(?:den)?|had ik maar|"
        r"was ik maar|hopelijk|ik hoop|ooit|denk je eens in|veronderstel|doe alsof|alsof|"
        r"in mijn (?:verhaal|roman|droom)|^(?:je|jij) bent (?:een|de)|^speel"
    ),
    reported=(
        r"volgens|naar verluidt|naar het schijnt|schijnt|blijkbaar|\w+ (?:zegt|zei|vertelde|"
        r"beweert|beweerde|schreef|meent|vindt|denkt|verklaarde)(?! ik)(?:,| dat| tegen)|"
        r"(?:heeft|had) (?:\S+ )?(?:gezegd|verteld|beweerd)|"
        r"ze zeggen|men zegt|zou(?:den)? (?:\S+ )?(?:wonen|werken|zijn)|□+"
    ),
    ended=(
        r"^(?:ik |mijn )?.{0,80}niet (?:langer|meer)|^(?:ik |mijn )?.{0,80}geen \S+(?: "
        r"\S+)? meer|^ik ben gestopt met"
    ),
    contrast=r"(?:het is|het zijn|ik bedoelde|dat is) .{2,60},? (?:niet|en niet) \S+(?: \S+){0,3}$",
    corrects=r"eigenlijk|correctie|^nee|niet in|maar toch|^sorry",
    episode=(
        r"gisteren|eergisteren|vandaag|vanochtend|vanmorgen|vanmiddag|vanavond|vannacht|"
        r"morgen|(?:vorige|afgelopen) \w+|net|zojuist|daarnet|dit weekend|in het weekend|"
        r"onlangs|laatst|"
        rf"^(?:zondag|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag)|\S+ (?:minuten|"
        rf"uur|dagen|weken) geleden|{_PAST}"
    ),
    lasting=_LASTS,
    talk=(
        r"ik (?:denk|geloof|hoop|weet|snap|begrijp|bedoel|vraag|wil|zou|vermoed|beloof|"
        r"zeg|zoek|vind (?:je|jouw|dat|het|dit)|heb (?:een )?(?:\S+ ){0,6}nodig|heb "
        r"(?:een )?(?:vraag|idee|probleem|honger|dorst|haast|zin|gelijk|tijd)|"
        r"heb me|moet (?:even|nu)|ga (?:even|nu|zo)|ben (?:\S+ )?(?:moe|doodmoe|blij|"
        r"boos|verdrietig|klaar|benieuwd|bang dat|terug|ziek|zeker|dankbaar|benieuwd|"
        r"in de war|er)|hou(?:d)? van (?:je|jouw|dit|dat))|dat |je idee|het spijt"
    ),
    name=r"ik heet \w+|mijn naam is \w+",
    language=(
        rf"(?:antwoord|schrijf|praat|spreek)(?: altijd| voortaan| me| alleen| met mij)* "
        rf"in {_TONGUE}|ik wil (?:graag )?antwoorden in {_TONGUE}"
    ),
    style=(
        r"(?:ik )?(?:wil|heb liever|prefereer|verkies|hou van)(?: graag)? (?:korte|beknopte|"
        r"uitgebreide|lange|directe) antwoorden|(?:wees|antwoord|houd? het)(?: altijd)? "
        r"(?:kort|beknopt|bondig|uitgebreid)"
    ),
    location=r"(?:ik )?woon(?: ik)?(?: nu| al \S+ \S+| momenteel)?(?: met .{1,40})? (?:in|bij|op) (?!een)\S+",
    occupation=r"(?:ik )?werk(?: ik)?(?: nu| al \S+ \S+)? als \S+",
    project=(
        r"(?:ik werk|we werken|ik ben|we zijn)(?: nu| momenteel| op dit moment)? aan "
        r"(?:het project )?\S+|mijn (?:huidige )?project (?:is|heet) \S+"
    ),
    work=(
        r"(?:ik ben|we zijn) (?:\S+ ){0,4}aan het \w+|(?:ik|we) (?:schrijf|verbouwen|"
        r"verbouw|bouw|bouwen|bereid|bereiden|plan|plannen|leer|organiseer|organiseren|"
        r"renoveer|renoveren|ontwikkel|ontwikkelen) (?!vaak|altijd|nooit|graag)\S+|"
        r"(?:mijn|ons|onze|de|het) (?:doel|volgende stap|deadline|opdracht) is|(?:ik|"
        r"we) (?:moet|moeten) .{0,60}(?:voor|af|klaar|inleveren|afmaken|uiterlijk)|(?:voor|"
        r"uiterlijk) \S+ moet(?:en)? (?:ik|we)|(?:ik|we) (?:zit|zitten|loop|lopen) vast"
    ),
    own=(
        r"(?:ik|we|wij) (?!(?:je|dat|het|dan|even)\b)\S.*|(?:heb|ben|woon|werk|hou|eet|"
        r"drink|ga|speel|kom) (?!je|dat|er)\S.*|(?!(?:dat|als|of|omdat|wat|hoe|dan|toen|"
        r"hoewel)\b)(?:\S+ ){1,6}ik|"
        r"(?:\S+ ){1,5}(?:maakt|maken|stresst|irriteert|irriteren|ontspant|verveelt|"
        r"vervelen|fascineert|fascineren|stoort|interesseert|interesseren|geeft|geven) "
        r"(?:me|mij)|(?:\S+ ){1,4}(?:smaakt|bevalt|ligt) (?:me|mij)|"
        r"mijn (?:favoriete|lievelings\w*) ?\S* ?\S* ?(?:is|zijn)|mijn (?:\S+ )?(?:beroep|"
        r"baan|verjaardag|moedertaal|auto|huis|club|hobby|geloof|achternaam|voornaam|"
        r"sterrenbeeld) (?:is|zijn|heet)"
    ),
    kin=rf"(?:mijn|ons|onze) (?:\w+(?:e|ste) )?{_KIN}(?: (?-i:[A-Z])\w+)? {_STATIVE}",
    trait=(
        r"(?:een|één|twee|drie|vier|\d+) (?:kinder|kind|hond|kat|zoon|dochter|zonen)\w*|"
        r"(?:veganist\w*|vegetari(?:ër|sch)|vegan|veganistisch|linkshandig\w*|rechtshandig\w*|"
        r"kleurenblind|bijziend|slechthorend|doof|blind|diabeet|diabetes\w*|astma\w*|"
        r"allergisch|\w*allergie|\w*intolerant\w*|autistisch|dyslectisch|"
        r"getrouwd|ongehuwd|vrijgezel|gescheiden|weduwe|weduwnaar|alleenstaand\w*|zwanger|"
        r"gepensioneerd|zzp'er|zelfstandige?|(?:vader|moeder|papa|mama) van|tweetalig|"
        r"athe[iï]st\w*|moslim\w*|katholiek|protestants|joods|"
        r"geen (?:kinderen|auto|rijbewijs|alcohol)|(?:docent|leraar|lerares|verpleegkundige|"
        r"arts|student|studente|ingenieur|kok|journalist|programmeur|huisarts|boer)\w* "
        r"\S+|glutenvrij|lactosevrij)"
    ),
    imperative=(
        r"ik wil(?: graag)? dat|(?:(?:altijd|nooit|voortaan|vanaf nu|van nu af aan|in het vervolg|in de toekomst|"
        r"graag|alsjeblieft),? )*(?:gebruik|antwoord|schrijf|spreek|praat|noem|geef|"
        r"zeg|leg|voeg|maak|toon|laat|vermijd|houd?|begin|eindig|vermeld|citeer|doe|"
        r"zet|"
        r"wees|vraag|stuur|vertaal|geen|zonder|tutoyeer|stop|kies|controleer)|(?:je|"
        r"jouw) antwoorden|je (?:mag|moet|kunt) (?:me )?|als ik je"
    ),
    standing=(
        r"tutoyeer\w*|altijd|nooit|voortaan|vanaf (?:nu|vandaag)|van nu af aan|in het vervolg|in "
        r"de toekomst|elke keer|telkens|standaard|noem me|noem mij|in (?:je|al je|jouw) "
        r"antwoorden|steeds"
    ),
)
