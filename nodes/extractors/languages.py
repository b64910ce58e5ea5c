"""What Spanish, Portuguese, French, Italian, German, Chinese and Japanese sentences say which kind of fact, as data.

A language is one entry of `LANGUAGES`: to add one, add a table. Facts keep the user's own words.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nodes.extraction import FactType, Operation
from nodes.extractors.patterns import LOCATION, OCCUPATION, compiled
from nodes.extractors.vocabulary import words


class Form(NamedTuple):
    """One form of statement in one language, matched at the start of a clause."""

    memory_type: FactType
    pattern: re.Pattern[str]
    slot: str | None = None
    operation: Operation = "assert"


class Language(NamedTuple):
    """A language's table: openers to drop, openings that make a clause no statement, and forms in order of precedence.

    `remember` is an explicit wish to be remembered; what follows it is kept whatever its form.
    """

    code: str
    opener: re.Pattern[str]
    blocked: re.Pattern[str]
    remember: re.Pattern[str]
    forms: tuple[Form, ...]


_KINDS: dict[str, tuple[FactType, str | None, Operation]] = {
    "name": ("profile", "user_name", "assert"),
    "language": ("profile", "preferred_language", "assert"),
    "style": ("profile", "response_style", "assert"),
    "location": ("profile", LOCATION, "assert"),
    "occupation": ("profile", OCCUPATION, "assert"),
    "profile": ("profile", None, "assert"),
    "no longer": ("profile", None, "retract"),
    "project": ("task_context", "current_project", "assert"),
    "experiment": ("task_context", "active_experiment", "assert"),
    "task": ("task_context", None, "assert"),
    "no longer task": ("task_context", "current_project", "retract"),
}


def _language(code: str, *, opener: str, blocked: str, remember: str, forms: tuple[tuple[str, str], ...]) -> Language:
    rows = tuple(
        Form(memory_type, compiled(pattern), slot, operation)
        for kind, pattern in forms
        for memory_type, slot, operation in [_KINDS[kind]]
    )
    return Language(code, compiled(opener), compiled(blocked), compiled(remember), rows)


_V = r"(?P<value>\S.{0,200})"
_NAME = (
    r"(?P<value>[^\W\d_][\w'.-]{0,30}(?:\s(?!(?:y|e|et|und|and|et|i|vivo|habite|wohne|moro|"
    r"abito)\b)[^\W\d_][\w'.-]{0,30}){0,3})"
)

LANGUAGES: tuple[Language, ...] = (
    _language(
        "es",
        opener=r"(?:hola|buenas|buenos días|bueno|pues|gracias|por cierto|además|y|pero|sí|oye|en realidad|"
        r"la verdad)(?:\s*[,:!.]+\s*|\s+)",
        blocked=r"(?:si|imagina|supón|supongamos|ojalá|quizás?|tal vez|cuando era|él|ella|ellos|dice|dijo|"
        r"mi (?!nombre|proyecto|objetivo|color|comida|trabajo|idioma|lengua|meta|próximo|siguiente|principal|"
        r"película|libro|m[uú]sica|herramienta|editor|hij))",
        remember=r"(?:por favor,?\s)?(?:recuerda|acuérdate de|recuerde|ten en cuenta|no olvides|apunta|anota)\sque\s",
        forms=(
            ("no longer task", r"(?:yo\s)?ya no (?:trabajo|estoy trabajando) en (?=el|la|mi|un)"),
            (
                "no longer",
                r"(?:yo\s)?ya no (?:vivo|uso|utilizo|trabajo|como|bebo|soy|estudio|tengo|fumo|me gusta|"
                r"prefiero)\b.{0,200}",
            ),
            ("name", rf"(?:yo\s)?(?:me llamo|mi nombre es)\s{_NAME}"),
            (
                "language",
                r"(?:por favor,?\s)?(?:respónde|contésta|háblá?|escríbe|responde|contesta|habla|escribe)(?:me|"
                r"nos)?\s(?:siempre\s)?(?:en\s)(?:español|inglés|francés|alemán|portugués|italiano|catalán|"
                r"castellano)\b.{0,60}",
            ),
            (
                "language",
                r"prefiero (?:que me respondas|las respuestas|hablar|respuestas)?\s?(?:en\s)(?:español|inglés|"
                r"francés|alemán|portugués|italiano|catalán|castellano)\b.{0,60}",
            ),
            (
                "style",
                r"(?:prefiero|quiero|me gustan)\s(?:las\s)?respuestas\s(?:más\s|muy\s)?(?:cortas|breves|concisas|"
                r"detalladas|largas|directas)\b.{0,60}",
            ),
            (
                "style",
                r"(?:por favor,?\s)?(?:sé|responde de forma|responde)\s(?:más\s|muy\s)?(?:breve|conciso|concisa|"
                r"directo|directa|detallado)\b.{0,60}",
            ),
            (
                "profile",
                r"(?:a partir de ahora|de ahora en adelante|siempre|nunca)\s.{0,3}\s?(?:usa|utiliza|responde|"
                r"contesta|escribe|incluye|añade|llámame|uses|incluyas)\b.{2,200}",
            ),
            ("profile", r"llámame\s\S.{0,60}"),
            (
                "location",
                rf"(?:yo\s)?(?:(?:ahora|actualmente)\s)?(?:vivo|resido)\s(?:ahora\s|"
                rf"actualmente\s)?en\s(?!una? (?:casa|piso|mundo)){_V}",
            ),
            ("occupation", rf"(?:yo\s)?trabajo\s(?:como|de)\s{_V}"),
            ("profile", rf"(?:yo\s)?trabajo\s(?:en|para|con|desde)\s{_V}"),
            (
                "project",
                rf"(?:(?:ahora|actualmente)\s)?(?:estoy|estamos|sigo)\s(?:ahora\s|actualmente\s)?trabajando en\s{_V}",
            ),
            ("project", rf"mi proyecto(?: actual)?\s(?:es|se llama)\s{_V}"),
            (
                "task",
                rf"(?:estoy|estamos)\s(?:desarrollando|escribiendo|construyendo|preparando|diseñando|atascad[oa]s?|"
                rf"bloquead[oa]s?|intentando)\s{_V}",
            ),
            (
                "task",
                rf"(?:mi (?:objetivo|meta)|el (?:objetivo|bloqueo)|mi próximo paso|el (?:próximo|"
                rf"siguiente) paso)\s(?:principal\s)?es\s{_V}",
            ),
            (
                "profile",
                rf"(?:a mí\s|yo\s)?(?:también\s)?(?:no\s)?(?:me|nos)\s(?:gustan?|encantan?|interesan?|apasionan?|"
                rf"disgustan?|molestan?|da miedo|dan miedo)\s(?:mucho\s|más\s)?(?!(?:eso|esto|esa|ese|tu|tus|"
                rf"la idea)\b){_V}",
            ),
            (
                "profile",
                rf"(?:yo\s)?(?:también\s|siempre\s|no\s)*(?:prefiero|odio|detesto|adoro|amo|evito|soporto|colecciono|"
                rf"toco|hablo|estudio|practico|uso|utilizo)\s(?!(?:eso|esto|que me)\b){_V}",
            ),
            ("profile", rf"(?:yo\s)?(?:no\s)?soy\s(?:una?\s|muy\s)?(?!(?:yo|consciente|capaz|feliz)\b){_V}"),
            (
                "profile",
                r"(?:yo\s)?(?:no\s)?tengo\s(?:un\w{0,3}\s|dos\s|tres\s|\d+\s)?(?:hij\w+|perr\w+|gat\w+|herman\w+|"
                r"espos\w+|marido|mujer|novi\w+|alergia|años|\d+ años|diabetes|asma)\b.{0,150}",
            ),
            (
                "profile",
                rf"mi(?:s)?\s(?:color|comida|película|libro|música|herramienta|editor|hij\w+)\s?(?:favorit\w+|"
                rf"preferid\w+)?\s(?:es|son|se llama)\s{_V}",
            ),
        ),
    ),
    _language(
        "pt",
        opener=r"(?:olá|oi|bom dia|bem|então|obrigad[oa]|a propósito|aliás|também|e|mas|sim|"
        r"na verdade)(?:\s*[,:!.]+\s*|\s+)",
        blocked=r"(?:se|imagin[ae]|suponha|talvez|tomara|quando eu era|ele|ela|eles|elas|disse|diz)\b",
        remember=r"(?:por favor,?\s)?(?:lembr[ae](?:-te|-se)?(?: de)?|não (?:te )?esqueças?(?: de)?|anot[ae]|"
        r"tenha em mente|tem em conta)\sque\s",
        forms=(
            (
                "no longer task",
                r"(?:eu\s)?(?:já não|não)\s(?:trabalho|estou (?:a trabalhar|trabalhando))\s(?:mais\s)?(?:no projeto|"
                r"na tese|no relatório|nisso)",
            ),
            (
                "no longer",
                r"(?:eu\s)?já não\s(?:moro|vivo|uso|trabalho|como|bebo|sou|estudo|tenho|gosto|prefiro)\b.{0,200}|"
                r"(?:eu\s)?não\s(?:moro|vivo|uso|trabalho|como|bebo|sou|estudo|tenho|gosto|"
                r"prefiro)\s.{0,100}\bmais\W*\Z",
            ),
            ("name", rf"(?:(?:eu\s)?(?:me chamo|chamo-me)|o meu nome é|meu nome é)\s{_NAME}"),
            (
                "language",
                r"(?:por favor,?\s)?(?:responda|responde|fala|fale|escreve|escreva)(?:-me)?\s(?:sempre\s|"
                r"comigo\s)?em\s(?:português|inglês|francês|espanhol|alemão|italiano)\b.{0,60}",
            ),
            (
                "style",
                r"(?:prefiro|quero|gosto de)\srespostas\s(?:mais\s|muito\s)?(?:curtas|breves|concisas|detalhadas|"
                r"longas|diretas)\b.{0,60}",
            ),
            (
                "profile",
                r"(?:a partir de agora|daqui em diante|de agora em diante|sempre|nunca),?\s(?:use|usa|responda|"
                r"responde|escreva|inclua|inclui|me chame|chama-me)\b.{2,200}",
            ),
            (
                "location",
                rf"(?:eu\s)?(?:(?:agora|atualmente)\s)?(?:moro|vivo|resido)\s(?:agora\s|atualmente\s)?(?:em|no|"
                rf"na)\s{_V}",
            ),
            ("occupation", rf"(?:eu\s)?trabalho\s(?:como|de)\s{_V}"),
            ("profile", rf"(?:eu\s)?trabalho\s(?:em|no|na|para|com)\s{_V}"),
            (
                "project",
                rf"(?:(?:eu|agora|atualmente)\s)*(?:estou|estamos)\s(?:a trabalhar|trabalhando)\s(?:em|no|na|num|"
                rf"numa)\s{_V}",
            ),
            ("project", rf"(?:o )?meu projeto(?: atual)?\s(?:é|chama-se|se chama)\s{_V}"),
            (
                "task",
                rf"(?:estou|estamos)\s(?:a desenvolver|desenvolvendo|a escrever|escrevendo|a preparar|preparando|"
                rf"bloquead\w+|pres[oa] (?:em|no|na|com)|a tentar|tentando)\s{_V}",
            ),
            ("task", rf"(?:(?:o )?meu objetivo|a minha meta|o próximo passo|o meu próximo passo)\sé\s{_V}"),
            (
                "profile",
                rf"(?:eu\s)?(?:também\s|não\s|sempre\s)*(?:gosto|adoro|amo|odeio|detesto|prefiro|evito|coleciono|"
                rf"toco|falo|estudo|uso|utilizo|suporto)\s(?:muito\s|mais\s)?(?!(?:isso|isto|da ideia|que me|disso|"
                rf"disto)\b){_V}",
            ),
            ("profile", rf"(?:eu\s)?(?:não\s)?sou\s(?:uma?\s|muito\s)?(?!(?:eu|capaz|feliz)\b){_V}"),
            (
                "profile",
                r"(?:eu\s)?(?:não\s)?tenho\s(?:uma?\s|dois\s|duas\s|três\s|\d+\s)?(?:filh\w+|cachorr\w+|cã\w+|cães|"
                r"gat\w+|irmã\w*|espos\w+|marido|mulher|namorad\w+|alergia|anos|diabetes|asma)\b.{0,150}",
            ),
            (
                "profile",
                rf"(?:o |a )?(?:meu|minha)\s(?:cor|comida|filme|livro|música|editor|ferramenta|"
                rf"filh\w+)\s?(?:favorit\w+|preferid\w+)?\s(?:é|são|chama-se|se chama)\s{_V}",
            ),
        ),
    ),
    _language(
        "fr",
        opener=r"(?:bonjour|salut|bonsoir|merci|alors|bon|bien|au fait|d'ailleurs|et|mais|oui|en fait|aussi|"
        r"s'il te plaît|s'il vous plaît)(?:\s*[,:!.]+\s*|\s+)",
        blocked=r"(?:si|imagine[zs]?|suppos(?:e|ons|ez)|peut-être|quand j'étais|il|elle|ils|elles|on|dit)\b",
        remember=r"(?:s'il (?:te|vous) plaît,?\s)?(?:souviens-toi|souvenez-vous|rappelle-toi|n'oublie(?:z)? pas|"
        r"retiens|retenez|note(?:z)?)\s(?:bien\s)?(?:que\s|qu')",
        forms=(
            ("no longer task", r"je ne travaille plus sur\s.{1,200}"),
            (
                "no longer",
                r"je (?:n'|ne )(?:\w+\s)?(?:habite|vis|utilise|travaille|mange|bois|suis|étudie|ai|aime|fume|"
                r"préfère)\splus\b.{0,200}|je n'(?:habite|utilise|étudie|ai|aime)\splus\b.{0,200}",
            ),
            ("name", rf"(?:moi,?\s)?(?:je m'appelle|mon (?:nom|prénom) est|moi c'est)\s{_NAME}"),
            (
                "language",
                r"(?:réponds|répondez|parle|parlez|écris|écrivez)(?:-moi)?\s(?:toujours\s|"
                r"avec moi\s)?en\s(?:français|anglais|allemand|espagnol|portugais|italien|néerlandais)\b.{0,60}",
            ),
            (
                "language",
                r"je préfère\s(?:les réponses|que tu répondes|qu'on parle|parler|"
                r"discuter)\s(?:toujours\s)?en\s(?:français|anglais|allemand|espagnol|portugais|italien)\b.{0,60}",
            ),
            (
                "style",
                r"(?:je préfère|je veux|j'aime)\s(?:des|les)\sréponses\s(?:plus\s|très\s)?(?:courtes|brèves|concises|"
                r"détaillées|longues|directes)\b.{0,60}",
            ),
            (
                "style",
                r"(?:sois|soyez|reste|restez)\s(?:plus\s|très\s)?(?:bref|brève|concis|concise|direct|directe)\b.{0,60}",
            ),
            (
                "profile",
                r"(?:à partir de maintenant|désormais|dorénavant|toujours|ne)\s?,?\s(?:utilise|utilisez|réponds|"
                r"répondez|écris|ajoute|mets|appelle-moi|appelez-moi|m'appelle)\b.{2,200}",
            ),
            (
                "profile",
                r"(?:utilise|réponds|écris|ajoute|mets)\b.{0,80}\b(?:toujours|désormais|à partir de maintenant|"
                r"dorénavant)\b.{0,80}",
            ),
            (
                "location",
                rf"(?:j'habite|je vis|je réside)\s(?:maintenant\s|actuellement\s)?(?:à|en|au|aux|dans|près de)\s{_V}",
            ),
            ("occupation", rf"je travaille\s(?:comme|en tant que?)\s?{_V}"),
            (
                "project",
                rf"(?:je travaille|nous travaillons|on travaille)\s(?:actuellement\s|en ce moment\s)?sur\s{_V}",
            ),
            ("project", rf"mon projet(?: actuel)?\s(?:est|s'appelle|c'est)\s{_V}"),
            ("profile", rf"je travaille\s(?:à|chez|pour|dans|avec)\s{_V}"),
            ("task", rf"(?:je suis|nous sommes)\s(?:en train (?:de |d')|bloqué\w*\s|coincé\w*\s){_V}"),
            (
                "task",
                rf"(?:mon (?:objectif|but)|la prochaine étape|ma prochaine étape)\s(?:principal\s)?(?:est|c'est)\s{_V}",
            ),
            (
                "profile",
                rf"(?:moi,?\s)?(?:j'|je )(?:n'|ne )?(?:aime|adore|déteste|préfère|évite|apprécie|supporte|"
                rf"collectionne|parle|étudie|pratique|joue|utilise|mange|bois)\s(?:pas\s|bien\s|beaucoup\s|"
                rf"aussi\s)?(?!(?:ça|cela|ceci|bien ça|ton|ta|tes|votre|l'idée)\b){_V}",
            ),
            (
                "profile",
                rf"je (?:ne |n')?suis\s(?:pas\s)?(?:une?\s|très\s)?(?!(?:désolée?|content|contente|contents|d'accord|"
                rf"sûre?|là|fatiguée?|en train|allée?|venue?|partie?|prête?|pressée?|curieu\w+|perdue?)\b){_V}",
            ),
            (
                "profile",
                r"j'ai\s(?:une?\s|deux\s|trois\s|\d+\s)?(?:enfants?|fils|filles?|chiens?|chats?|frères?|sœurs?|"
                r"soeurs?|mari|femme|copine|copain|allergie|ans|\d+ ans|diabète|asthme)\b.{0,150}|"
                r"je n'ai pas d'enfants?.{0,60}",
            ),
            (
                "profile",
                rf"(?:mon|ma|mes)\s(?:couleur|plat|film|livre|musique|éditeur|outil|chanteur|sport|fille|fils|femme|"
                rf"mari)\s?(?:préférée?s?|favorite?s?)?\s(?:est|sont|s'appelle)\s{_V}",
            ),
        ),
    ),
    _language(
        "it",
        opener=r"(?:ciao|salve|buongiorno|grazie|allora|beh|bene|comunque|a proposito|inoltre|anche|e|ma|sì|"
        r"in realtà|per favore)(?:\s*[,:!.]+\s*|\s+)",
        blocked=r"(?:se|immagina|supponi(?:amo)?|forse|magari|quando ero|lui|lei|loro|dice|ha detto)\b",
        remember=r"(?:per favore,?\s)?(?:ricorda(?:ti)?|ricordati|tieni (?:presente|a mente)|non dimenticare|annota|"
        r"segna(?:ti)?)\sche\s",
        forms=(
            ("no longer task", r"(?:io\s)?non (?:lavoro|sto lavorando) più (?:al|alla|allo|su|sul|sulla)\s.{1,200}"),
            (
                "no longer",
                r"(?:io\s)?non\s(?:vivo|abito|uso|lavoro|mangio|bevo|sono|studio|ho|fumo|mi piace|"
                r"preferisco)\spiù\b.{0,200}",
            ),
            ("name", rf"(?:io\s)?(?:mi chiamo|il mio nome è)\s{_NAME}"),
            (
                "language",
                r"(?:rispondi|rispondimi|parla|parlami|scrivi|scrivimi|risponda)\s(?:sempre\s)?in\s(?:italiano|"
                r"inglese|francese|tedesco|spagnolo|portoghese)\b.{0,60}",
            ),
            (
                "style",
                r"(?:preferisco|voglio|mi piacciono)\s(?:le\s)?risposte\s(?:più\s|molto\s)?(?:brevi|corte|concise|"
                r"dettagliate|lunghe|dirette)\b.{0,60}",
            ),
            (
                "profile",
                r"(?:d'ora in poi|da ora in poi|sempre|mai|non)\s?,?\s(?:usa|usare|rispondi|scrivi|includi|aggiungi|"
                r"chiamami)\b.{2,200}",
            ),
            (
                "location",
                rf"(?:io\s)?(?:(?:ora|adesso|attualmente)\s)?(?:vivo|abito|risiedo)\s(?:ora\s|adesso\s)?(?:a|in|ad|"
                rf"nel|nella|vicino a)\s{_V}",
            ),
            ("occupation", rf"(?:io\s)?(?:lavoro come|faccio (?:il|la|l'))\s?{_V}"),
            (
                "project",
                rf"(?:(?:ora|attualmente)\s)?(?:sto lavorando|stiamo lavorando|lavoro)\s(?:a|al|alla|allo|su|sul|"
                rf"sulla|a un|ad un)\s(?:un[ao']?\s|mio\s|mia\s)?{_V}",
            ),
            ("project", rf"il mio progetto(?: attuale)?\s(?:è|si chiama)\s{_V}"),
            ("profile", rf"(?:io\s)?lavoro\s(?:in|per|con|da|presso)\s{_V}"),
            (
                "task",
                rf"(?:sto|stiamo)\s(?:sviluppando|scrivendo|preparando|costruendo|progettando|cercando di)\s{_V}|"
                rf"sono bloccat[oa]\s{_V}",
            ),
            ("task", rf"(?:il mio obiettivo|il prossimo passo|il mio prossimo passo)\s(?:principale\s)?è\s{_V}"),
            (
                "profile",
                rf"(?:a me\s)?(?:anche\s)?(?:non\s)?(?:mi|ci)\s(?:piace|piacciono|interessa|interessano|"
                rf"appassiona)\s(?:molto\s|tanto\s|di più\s)?(?!(?:questo|questa|quello|l'idea|il tuo|la tua)\b){_V}",
            ),
            (
                "profile",
                rf"(?:io\s)?(?:non\s|anche\s|sempre\s)*(?:preferisco|odio|detesto|adoro|amo|evito|sopporto|"
                rf"colleziono|suono|parlo|studio|uso|mangio|bevo)\s(?!(?:questo|quello|che)\b){_V}",
            ),
            (
                "profile",
                rf"(?:io\s)?(?:non\s)?sono\s(?:un[ao']?\s|molto\s)?(?!(?:stanc\w|content\w|felic\w|sicur\w|d'accordo|"
                rf"qui|pront\w|pers\w|andat\w|stat\w|bloccat\w)\b){_V}",
            ),
            (
                "profile",
                r"(?:io\s)?(?:non\s)?ho\s(?:un[ao']?\s?|due\s|tre\s|\d+\s)?(?:figli\w*|can[ei]|gatt\w+|fratell\w+|"
                r"sorell\w+|marito|moglie|allergia|anni|\d+ anni|il diabete|l'asma)\b.{0,150}",
            ),
            (
                "profile",
                rf"(?:il mio|la mia|i miei|le mie|mi[ao])\s(?:colore|cibo|piatto|film|libro|musica|editor|strumento|"
                rf"figli\w*|moglie|marito)\s?(?:preferit\w+)?\s(?:è|sono|si chiama)\s{_V}",
            ),
        ),
    ),
    _language(
        "de",
        opener=r"(?:hallo|hi|guten (?:tag|morgen|abend)|danke|also|naja|nun|übrigens|außerdem|und|aber|ja|eigentlich|"
        r"bitte)(?:\s*[,:!.]+\s*|\s+)",
        blocked=r"(?:wenn|falls|angenommen|stell dir vor|stellen wir uns|vielleicht|als ich|er|sie|sagt|sagte)\b",
        remember=r"(?:bitte\s)?(?:merk(?:e)? dir|merken sie sich|denk(?:e)? (?:bitte\s)?daran|vergiss nicht|"
        r"erinnere dich(?: daran)?|notiere?)(?:\sbitte)?,?\s(?:dass\s)?",
        forms=(
            ("no longer task", r"ich arbeite nicht mehr an\s.{1,200}"),
            (
                "no longer",
                r"ich\s(?:wohne|lebe|benutze|nutze|verwende|arbeite|esse|trinke|bin|studiere|habe|rauche|mag|"
                r"bevorzuge)\s(?:.{0,60}\s)?nicht mehr\b.{0,200}|ich\s(?:wohne|benutze|nutze|verwende|esse|trinke|"
                r"habe|mag)\skein\w*\s.{1,60}\smehr\b.{0,60}",
            ),
            ("name", rf"(?:ich heiße|ich heisse|mein name ist)\s{_NAME}"),
            (
                "language",
                r"(?:antworte|antworten sie|sprich|sprechen sie|schreib(?:e)?|rede)(?:\s(?:mir|mit mir|bitte|immer|"
                r"künftig|ab jetzt))*\s(?:auf\s)(?:deutsch|englisch|französisch|spanisch|italienisch|"
                r"portugiesisch)\b.{0,60}",
            ),
            (
                "style",
                r"ich\s(?:bevorzuge|mag|möchte|will|hätte gern)\s(?:lieber\s)?(?:kurze|knappe|ausführliche|lange|"
                r"direkte|präzise)\s(?:\w+\s)?antworten\b.{0,60}",
            ),
            (
                "style",
                r"(?:fass dich kurz|halte? (?:dich|es|deine antworten)\s(?:bitte\s)?kurz|sei\s(?:bitte\s)?(?:kurz|"
                r"knapp|direkt|präzise))\b.{0,60}",
            ),
            (
                "profile",
                r"(?:ab jetzt|von nun an|künftig|in zukunft|immer|niemals|nie),?\s(?:bitte\s)?(?:benutze|verwende|"
                r"nutze|antworte|schreib(?:e)?|nenn(?:e)?|füge)\b.{2,200}",
            ),
            (
                "profile",
                r"(?:benutze|verwende|nutze|schreib(?:e)?|füge|nenn(?:e)?)\s.{0,80}\b(?:immer|ab jetzt|von nun an|"
                r"künftig|in zukunft|niemals)\b.{0,80}",
            ),
            ("location", rf"ich\s(?:wohne|lebe)\s(?:jetzt\s|derzeit\s|aktuell\s)?(?:in|bei|nahe)\s{_V}"),
            ("occupation", rf"ich arbeite\s(?:\w+\s)?als\s{_V}|ich bin\s(?:\w+\s)?von beruf\s{_V}"),
            (
                "project",
                rf"(?:ich arbeite|wir arbeiten)\s(?:gerade\s|derzeit\s|aktuell\s|momentan\s|zurzeit\s)*an\s{_V}",
            ),
            ("project", rf"mein(?: aktuelles)? projekt\s(?:ist|heißt|heisst)\s{_V}"),
            ("profile", rf"ich arbeite\s(?:seit \S+ \S+\s)?(?:bei|in|für|mit|im)\s{_V}"),
            (
                "task",
                rf"(?:ich\s(?:entwickle|schreibe|baue|plane|entwerfe)\s(?:gerade|derzeit|aktuell)\s|ich (?:hänge|"
                rf"stecke)\s|ich bin (?:blockiert|gerade dabei)\s){_V}",
            ),
            ("task", rf"(?:mein ziel|der nächste schritt|mein nächster schritt)\sist\s?{_V}"),
            (
                "profile",
                rf"ich\s(?:mag|liebe|hasse|bevorzuge|vermeide|verabscheue|genieße|sammle|spreche|spiele|studiere|"
                rf"lerne|benutze|verwende|nutze|trinke|esse)\s(?:gern(?:e)?\s|lieber\s|auch\s|sehr\s|"
                rf"keine?n?\s)*(?!(?:das|dies|es|die idee|dein\w*)\b(?!\s\w)){_V}",
            ),
            ("profile", r"ich\s\w+\s(?:\S+\s){0,3}?(?:gern|gerne|lieber|am liebsten|ungern)\b.{0,150}"),
            (
                "profile",
                rf"ich bin\s(?:ein\w{{0,2}}\s|kein\w{{0,2}}\s|sehr\s|nicht\s)?(?!(?:müde|froh|sicher|nicht sicher|"
                rf"gespannt|fertig|bereit|hier|da|dabei|gerade|mir|gegangen|gefahren|dankbar|verwirrt|"
                rf"neugierig)\b){_V}",
            ),
            (
                "profile",
                r"ich habe\s(?:ein\w{0,2}\s|zwei\s|drei\s|\d+\s|kein\w{0,2}\s)?(?:kind\w*|sohn|söhne|tochter|töchter|"
                r"hund\w*|katze\w*|bruder|brüder|schwester\w*|mann|frau|freund\w*|allergie|diabetes|asthma)\b.{0,150}",
            ),
            (
                "profile",
                rf"mein\w{{0,2}}\s(?:lieblings\w+|sohn|tochter|hund|katze|frau|mann|muttersprache|hobbys?|"
                rf"beruf)\s(?:ist|sind|heißt|heisst|heißen)\s{_V}",
            ),
        ),
    ),
    _language(
        "zh",
        opener=r"(?:你好|您好|嗨|谢谢|对了|顺便说一下|另外|其实|嗯|好的|而且|但是?|所以)[，,。！!\s]*",
        blocked=r"(?:如果|要是|假如|假设|假装|想象|他|她|他们|她们|我(?:的)?(?:朋友|妈妈|爸爸|姐姐|哥哥|妹妹|弟弟|老板|同事|老师)(?:说|喜欢|住|是|觉得))",
        remember=r"(?:请|麻烦)?(?:你)?(?:记住|记得|别忘了|不要忘记|帮我记一下)[：:，,]?\s*",
        forms=(
            ("no longer task", r"我(?:已经)?不再(?:做|从事|开发|负责).{1,100}(?:项目|工作|研究).{0,40}"),
            (
                "no longer",
                r"我(?:现在|已经)?不(?:住|用|使用|喜欢|吃|喝|在).{0,80}了\Z|我(?:已经)?不再.{1,80}",
            ),
            ("name", r"(?:我(?:的名字)?(?:叫|是叫)|我的名字是|我姓)(?P<value>[^\s，。,.！!？?]{1,12})"),
            (
                "language",
                r"(?:以后|今后|从现在开始|从现在起)?[，,]?(?:请|麻烦)?(?:你)?(?:一直|总是|都)?(?:用|使用)(?:中文|英文|英语|日语|法语|德语|西班牙语|汉语|"
                r"普通话)(?:来)?(?:回答|回复|跟我说|交流|和我).{0,30}",
            ),
            (
                "style",
                r"(?:以后|今后)?(?:请)?(?:回答|回复)(?:请|要|得|尽量)?(?:简短|简洁|详细|直接).{0,20}|我(?:更)?喜欢(?:简短|简洁|详细|直接)的?(?:回答|"
                r"回复).{0,20}",
            ),
            ("profile", r"(?:以后|今后|从现在开始|从现在起|从今以后)[，,]?(?:请|都|总是|不要|别|叫我).{1,80}"),
            ("profile", r"(?:请|你可以)?叫我.{1,20}"),
            ("location", r"(?:我)?(?:现在|目前)?(?:住在|居住在|定居在|生活在)(?P<value>\S.{0,40})"),
            (
                "project",
                r"(?:我|我们)(?:现在|目前|最近)?(?:正在|在)(?:做|开发|写|研究|准备|设计|搭建|负责)(?:一个|一份|一篇)?.{1,80}",
            ),
            ("project", r"我(?:现在|目前)?的项目(?:是|叫).{1,80}"),
            (
                "occupation",
                r"我(?:现在|目前)?(?:是|当)(?:一?(?:名|个|位))(?P<value>.{0,30}?(?:师|员|生|家|工|手|者|人|长|授|理|官|农|兵|警察|护士|律师))\Z|"
                r"我的(?:工作|职业)是.{1,40}",
            ),
            (
                "task",
                r"我(?:现在)?(?:卡在|被.{1,20}卡住|遇到了.{1,20}问题).{0,80}|我的目标是.{1,80}|下一步(?:是|要|我).{1,80}",
            ),
            (
                "profile",
                r"我(?:也|真的|最|很|非常|特别|更|比较|一直|从来|都|不|不太|并不|超|还)*(?:喜欢|爱|讨厌|热爱|偏爱|偏好|害怕|习惯|擅长|收集|会说|会弹|"
                r"对.{1,15}过敏)(?!(?:你的|这个|那个|这样)).{1,80}",
            ),
            ("profile", r"我(?:不|从不|从来不|只)(?:吃|喝|用|抽|看|坐).{1,60}"),
            ("profile", r"我(?:在)(?!想|看|听|找|等|这|那).{1,30}(?:工作|上班|上学|读书|教书)\Z"),
            ("profile", r"我是(?!说|想|不是|在|要|否|因为|为了|谁).{1,60}"),
            ("profile", r"我有(?:一|两|三|四|\d)(?:个|只|条|位)(?!问题|想法|疑问|建议|请求|朋友).{1,60}"),
            ("profile", r"我(?:最)?(?:喜欢|爱)的.{1,20}是.{1,60}|我来自.{1,40}|我今年.{1,5}岁"),
        ),
    ),
    _language(
        "ja",
        opener=r"(?:こんにちは|こんばんは|おはようございます|はじめまして|ありがとう(?:ございます)?|ちなみに|あと|それと|実は|でも|はい|ええと|なので)[、,。！!\s]*",
        blocked=r"(?:もし|仮に|たとえば|彼|彼女|友達|友人|母|父|姉|兄|妹|弟|上司|先生|同僚)(?:.{0,6}(?:は|が|も|の)|、)?",
        remember=r".{2,120}(?:ことを|って|と)?(?:覚えておいて|覚えて|忘れないで|記憶して|メモして)(?:ください|ね|下さい|ほしい)?",
        forms=(
            (
                "no longer task",
                r"(?:私は|僕は|俺は)?もう.{1,60}(?:プロジェクト|開発|研究).{0,20}(?:していません|やっていません|していない)",
            ),
            (
                "no longer",
                r"(?:私は|僕は|俺は)?もう.{1,60}(?:使っていません|使っていない|住んでいません|住んでいない|飲みません|食べません|働いていません|好きではありません|好きじゃない).{0,10}",
            ),
            (
                "name",
                r"(?:私の|僕の|俺の)?名前は(?P<value>[^\s、。]{1,16}?)(?:です|だ|といいます|と申します|と言います)|(?:私は|僕は|"
                r"俺は)?(?P<value>[^\s、。は]{1,16}?)(?:と申します|といいます|と言います)",
            ),
            (
                "language",
                r"(?:これから(?:は)?|今後(?:は)?|以後)?[、,]?(?:いつも|常に)?(?:日本語|英語|中国語|フランス語|ドイツ語|スペイン語)で(?:答えて|返事して|話して|回答して|"
                r"返答して|お願い).{0,20}",
            ),
            (
                "style",
                r"(?:これから(?:は)?|今後(?:は)?)?[、,]?(?:回答|返事|答え|説明)?(?:は|を)?(?:短く|簡潔に|手短に|詳しく)(?:して|答えて|お願い|説明して).{0,20}|"
                r"(?:短い|簡潔な|詳しい)(?:回答|返事|答え|説明)(?:の方)?が(?:好き|いい|良い).{0,10}",
            ),
            (
                "profile",
                r"(?:これから(?:は)?|今後(?:は)?|今から|以後)[、,]?.{2,80}(?:ください|下さい|して|お願い(?:します)?|ないで)",
            ),
            (
                "location",
                r"(?:私は|僕は|俺は)?(?:今|現在)?[、,]?(?:は)?(?P<value>.{1,30}?)に住んで(?:います|いる|おります|ます)",
            ),
            (
                "occupation",
                r"(?:私は|僕は|俺は)?(?P<value>.{1,30}?)として(?:働いて|勤めて|勤務して)(?:います|いる|おります).{0,5}|(?:私の)?(?:仕事|"
                r"職業)は.{1,30}(?:です|だ)",
            ),
            (
                "profile",
                r"(?:私は|僕は|俺は)?.{1,30}?(?:で|に)(?:働いて|勤めて|勤務して)(?:います|いる|おります).{0,5}",
            ),
            (
                "project",
                r"(?:私は|僕は|俺は|今|現在|いま)*[、,]?(?:は)?.{1,60}?(?:に取り組んで|を開発して|を作って|を書いて|を研究して|を準備して)(?:います|いる|おります|"
                r"いるところです).{0,5}|(?:今の|現在の)?プロジェクトは.{1,60}(?:です|だ)",
            ),
            (
                "task",
                r"(?:私の)?目標は.{1,60}(?:です|だ|こと)|次(?:は|のステップは|に).{1,60}(?:です|ます|予定)|.{1,60}(?:で|に)(?:行き詰まって|詰まって|"
                r"困って)(?:います|いる).{0,5}",
            ),
            (
                "profile",
                r"(?:私は|僕は|俺は|私も)?.{1,50}?(?:が|の方が|のほうが|は)(?:とても|一番|大|あまり|本当に|最も)?(?:大好き|好き|嫌い|苦手|得意|好みです|好きでは|"
                r"好きじゃ).{0,15}",
            ),
            (
                "profile",
                r"(?:私は|僕は|俺は).{1,40}(?:アレルギー|ベジタリアン|ビーガン|菜食主義).{0,20}|.{1,20}アレルギーが(?:あります|ある)|(?:ベジタリアン|ビーガン|"
                r"菜食主義者)です",
            ),
            (
                "profile",
                r"(?:私は|僕は|俺は)(?!.{0,20}(?:思|考え|行き|行っ|食べました|見まし|でした|ました|いません))[^。]{1,40}(?:です|である|だ|歳です|出身です|学生です)\Z",
            ),
            (
                "profile",
                r"(?:私には|僕には|うちには)?(?:息子|娘|子供|子ども|犬|猫|妻|夫|兄|姉|弟|妹)(?:が|を)(?:.{0,10})(?:います|いる|飼っています|飼っている).{0,5}|"
                r"(?:犬|猫)を.{0,8}飼って(?:います|いる)",
            ),
        ),
    ),
)

FUNCTION_WORDS: dict[str, frozenset[str]] = {
    "en": words(
        "i the an and my is am i'm i've to of in for with that not don't you it from always never have like was me no "
        "please your be use keep call"
    ),
    "es": words("el la los las una y mi es soy en que no por para con yo estoy se lo siempre pero del me"),
    "pt": words("o os uma meu minha é sou em que não por para com eu estou se sempre mas na do da me"),
    "fr": words("le la les une et mon ma est suis en que ne pas pour avec je j'ai se toujours mais du des dans"),
    "it": words("i il la gli le una mio mia è sono di che non mi per con io sto si sempre ma al del"),
    "de": words("der die das ein eine einen und mein meine ist bin ich zu dass nicht mir für mit auf immer aber als"),
}
"""Frequent little words by which a Latin-script sentence shows its language."""
