"""Polish."""

from nodes.extractors.languages.grammar import language

_TONGUE = "(?:polsku|angielsku|niemiecku|francusku|hiszpańsku|włosku|rosyjsku|ukraińsku)"
_LASTS = (
    r"zawsze|nigdy|codziennie|każd\w+ \w+|co (?:\w+ )?(?:dzień|tydzień|rano|wieczór|"
    r"miesiąc|rok)|zwykle|zazwyczaj|na ogół|przeważnie|często|rzadko|regularnie|"
    r"od (?!wczoraj|dziś|teraz|rana)\S+|z reguły|(?:raz|dwa razy|trzy razy) w|wieczorami|"
    r"rankami|nocami|z urodzenia|urodził\w+"
)
_KIN = (
    r"(?:żon[aąy]|mąż|mężem|partner(?:ka)?|chłopak|dziewczyna|narzeczon[aey]|syn(?:owie)?|"
    r"córk[ai]|córeczka|synek|dzieck\w+|dzieci|bliźni\w+|mama|tata|matka|ojciec|"
    r"rodzice|brat|bracia|siostr[ay]|rodzeństwo|"
    r"babcia|dziadek|wnuk|wnuczka|pies|psy|suczka|kot(?:ka|y)?|koń|królik|papuga)"
)
_STATIVE = (
    r"(?:jest|są|ma|mają|nazywa się|wabi się|pracuje|pracują|mieszka|mieszkają|studiuje|"
    r"choruje|chodzi|mówi|uczy się|cierpi|żyje|to)"
)
POLISH = language(
    "pl",
    words=(
        "i w na z do się nie jest to że jak mi mam mnie moja mój moje mojej ja ty on "
        "ona my po od za o dla już tylko ale bardzo co czy jestem są ma "
        "czytam lubię wolę mieszkam pracuję nigdy zawsze przed przy bez ten ta te tego "
        "tej nasz nasza też może twój twoja dziś wczoraj dziękuję "
        "dzień dobry kiedy gdzie dlaczego kto jakie jaki jaka ile ilu proszę gdy albo "
        "lub pod nad ze we teraz właśnie no oby tak u uwielbiam codziennie rano wieczorem "
        "biegam chodzę nienawidzę leworęczna uczulony uczulona rozwiedziony żonaty "
        "wegetarianka wegetarianin"
    ),
    opener=(
        "cześć|hej|dzień dobry|dobry wieczór|dzięki|dziękuję|no|więc|i|a|ale|tak|nie(?=,)|"
        "właściwie|szczerze mówiąc|poza tym|też|zresztą|przy okazji|ok|sorry|przepraszam|"
        "bo|ponieważ|obecnie|teraz|aktualnie|proszę|w sumie|dodam, że|jednak|sprostowanie"
    ),
    joints=r"ale|bo|i (?=(?:ja|mój|moja|mam|jestem|mieszkam|pracuję|nie|lubię|mnie)\b)",
    remember=r"(?:zapamiętaj|pamiętaj|nie zapomnij|zanotuj|zapisz sobie)(?: proszę)?,? że",
    asks=(
        r"^(?:a |i )?(?:kto|co(?! (?:dzień|tydzień|rano|drugi|roku|wieczór|miesiąc))|"
        r"jak(?! (?:miło|fajnie|cudownie|zwykle))|jaki\w?|jakie|jaka|gdzie|kiedy|dlaczego|"
        r"czemu|czy|ile|ilu|który|która|które|po co|skąd|dokąd|możesz|mógłbyś|mogłabyś|"
        r"znasz|wiesz)"
    ),
    irony=(
        r"^(?:no |tak,? )?(?:jasne|pewnie|oczywiście|super|świetnie|cudownie|wspaniale|"
        r"ekstra|rewelacja|genialnie|bosko|brawo),|^(?:no |jak )(?:miło|fajnie|pięknie|"
        r"cudownie)|tego mi (?:jeszcze )?brakowało|nie ma (?:to jak|nic lepszego)|ironia|"
        r"sarkazm"
    ),
    unreal=(
        r"gdyby\w*|jeśli|jeżeli|oby|załóżmy|przypuśćmy|wyobraź\w*|może|być może|chciał(?:bym|"
        r"abym)|\w+(?:łbym|łabym|libyśmy|łoby|łby|łaby)|kiedyś|pewnego dnia|mam nadzieję|"
        r"udawaj|żeby\w*|jakby|na przykład, że|^jesteś \w+em|w moj\w+ (?:powieści|śnie|"
        r"historii)|wcielasz"
    ),
    reported=(
        r"podobno|ponoć|rzekomo|według|zdaniem|(?:mówi|mówią|twierdzi|uważa|pisze|powiedział\w*|"
        r"twierdził\w*|opowiadał\w*|opowiedział\w*|napisał\w*|myśli|sądzi|stwierdził\w*|"
        r"zeznał\w*)(?:,| mi| że)|słyszał\w+|□+"
    ),
    ended=r"^(?:ja )?już nie|^(?:ja )?nie \w+ już|^(?:przestał\w+|rzucił\w+|zrezygnował\w+)",
    corrects=r"właściwie|sprostowanie|^nie,|a nie|jednak|^przepraszam",
    episode=(
        r"wczoraj|przedwczoraj|dziś|dzisiaj|jutro|przed chwilą|właśnie|w (?:poniedziałek|"
        r"wtorek|środę|czwartek|piątek|sobotę|niedzielę)|w (?:zeszłym|ubiegłym|ten|ostatni) "
        r"\w+|\S+ (?:minut|godzin|dni|tygodni) temu|ostatnio|w nocy|"
        r"\w{2,}(?:łem|łam|liśmy|łyśmy)|śnił\w+|na razie"
    ),
    lasting=_LASTS,
    talk=(
        r"(?:ja )?(?:nie )?(?:myślę|sądzę|wiem|rozumiem|mam nadzieję|chcę|potrzebuję(?! "
        r"okularów)|szukam|proszę|pytam|dziękuję|przepraszam|cieszę|obiecuję|przysięgam|"
        r"chyba|zgadzam|mam (?:pytanie|pomysł|problem|wrażenie|ochotę|rację|czas)|"
        r"jestem (?:\w+ )?(?:zmęczon|wykończon|głodn|szczęśliw|smutn|zły|zła|gotow|pewn|"
        r"ciekaw|wdzięczn|spragnion|chor|zajęt)\w*|czuję|idę|zaraz)|podoba mi się (?:tw|"
        r"ten|ta|to)\w*|to|tw\w+"
    ),
    name=r"(?:ja )?(?:mam na imię|nazywam się) \w+|moje imię to \w+",
    language=rf"(?:odpowiadaj|pisz|mów|rozmawiaj)(?: mi| ze mną| zawsze| tylko| do mnie)* po {_TONGUE}",
    style=(
        r"(?:wolę|lubię|chcę) (?:krótkie|zwięzłe|szczegółowe|długie) odpowiedzi|(?:odpowiadaj|"
        r"pisz|bądź)(?: zawsze)? (?:krótko|zwięźle|zwięzły|szczegółowo)"
    ),
    location=(
        r"(?:ja )?(?:teraz |obecnie )?mieszkam(?: teraz| obecnie)?(?: z \w+)? (?:w|we|"
        r"na|pod|koło) (?!mał|duż|blok)\S+"
    ),
    occupation=r"(?:ja )?pracuję jako \S+",
    project=r"(?:pracuję|pracujemy)(?: teraz| obecnie)? nad \S+|mój (?:obecny )?projekt (?:to|nazywa się) \S+",
    work=(
        r"(?:teraz |obecnie |właśnie )?(?:piszę|remontujemy|remontuję|buduję|budujemy|"
        r"przygotowuję|przygotowujemy|planuję|planujemy|uczę się|organizuję|organizujemy|"
        r"rozwijam|zakładam|zakładamy|tworzę|tłumaczę) (?!często)\S+|"
        r"(?:moim|naszym|mój|moje|następny|następnym) (?:celem|cel|zadaniem|krokiem|"
        r"krok|zadanie)(?: jest| to)|(?:muszę|musimy) .{0,60}(?:do|przed|oddać|skończyć|"
        r"wysłać)|(?:do|przed) \S+ (?:muszę|musimy)|termin (?:mam|jest|mija)|brakuje "
        r"(?:mi|nam)|utkn\w+"
    ),
    own=(
        rf"(?:ja |my )?(?:też |również |(?:{_LASTS}),? |nie |prawie |bardzo |naprawdę "
        rf")*(?:się |go |ich )?(?:\w{{2,}}(?:ę|am|em|emy|amy|imy|ymy)|jem|śpię|piję)(?! "
        rf"mnie)|(?:ja )?(?:nie )?(?:jem|piję|lubię|umiem|mam|jestem)|(?:\S+ ){{1,3}}(?:nie "
        rf")?(?:\w{{2,}}ę|lubię|mam|toleruję|znoszę|jem|używam)$|"
        rf"(?:\S+ ){{0,3}}(?:{_LASTS}) (?:\S+ )?(?:nie )?\w{{2,}}(?:ę|am|em|emy|amy)|"
        rf"(?:\S+ ){{1,4}}mnie (?:\w+(?:e|i|a|ą))|(?:mnie|mi) (?:\S+ )?(?:\w+(?:e|i|a|"
        rf"ą))|(?:\S+ ){{1,3}}mi (?:smakuj|przeszkadz|szkodz|odpowiad|podobaj)\w+|"
        r"(?:mój|moja|moje|moim|moją) ulubion\w+ (?:\S+ )?(?:\S+ )?(?:to|jest|są)|(?:mój|"
        r"moja|moje) (?:zawód|praca|urodziny|język|auto|samochód|dom|klub|hobby|religia|"
        r"nazwisko|znak)(?: \S+)? (?:to|jest|są)|u mnie w domu|urodził\w+ się|wychował\w+ "
        r"się"
    ),
    kin=(
        rf"(?:mój|moja|moje|moi|nasz|nasza|nasze|nasi) (?:młodsz\w+ |starsz\w+ )?{_KIN}(?: "
        rf"(?-i:[A-ZŻŚŁ])\w+)? (?:już |nie |też )?{_STATIVE}"
    ),
    trait=(
        r"(?:dwoje|troje|czworo|jedno|dwie|dwa|dwóch|trzy|jeden|jedna|\d+) (?:dziec|"
        r"syn|cór|kot|ps|pies)\w*|(?:wegan(?:in|ka)|wegetarian(?:in|ka)|leworęczn\w+|"
        r"praworęczn\w+|daltonist\w+|"
        r"krótkowidz|głuch[ay]|niewidom\w+|diabety\w+|cukrzyk|astmatyk\w*|uczulon\w+|"
        r"alergi\w+|celiakia|nietolerancja|autysty\w+|dyslekty\w+|singiel|singielka|"
        r"żonaty|mężatka|zamężna|rozwiedzion\w+|wdow(?:a|iec)|w ciąży|emeryt(?:ka)?|"
        r"na emeryturze|(?:ojciec|matka|mama|tata) \w+|samotn[ay] (?:matka|ojciec)|jedyna\w+|"
        r"ateist\w+|katoli\w+|muzułman\w+|dwujęzyczn\w+|abstynent\w*|bezdzietn\w+|bez "
        r"(?:dzieci|glutenu|laktozy)|"
        r"(?:nauczyciel|lekarz|pielęgniar|student|inżynier|kuchar|dziennikar|programist|"
        r"prawni|kierowc|architekt)\w* \S+)"
    ),
    imperative=(
        r"chcę,? żebyś|(?:(?:zawsze|nigdy|od teraz|od dziś|odtąd|w przyszłości|proszę|nie|już),? "
        r")*(?:używaj|odpowiadaj|pisz|mów|nazywaj|zwracaj|dawaj|podawaj|tłumacz|dodawaj|"
        r"rób|pokazuj|unikaj|trzymaj|zaczynaj|kończ|cytuj|bądź|pytaj|stosuj|żadnych|"
        r"bez|przestań|formatuj|sprawdzaj|wyjaśniaj|polecaj|"
        r"komentuj|\w+(?:aj|uj|ij))|(?:twoje|w twoich) odpowiedzi\w*|(?:masz|możesz) (?:mi|do mnie|\w+ć)|gdy|kiedy"
    ),
    standing=(
        r"zawsze|nigdy|od (?:teraz|dziś|tej pory)|odtąd|w przyszłości|na przyszłość|"
        r"za każdym razem|domyślnie|mów (?:mi|do mnie)|nazywaj mnie|zwracaj się|w (?:swoich "
        r"|twoich )?odpowiedziach|już nigdy"
    ),
)
