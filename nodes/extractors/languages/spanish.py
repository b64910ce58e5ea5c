"""Spanish."""

from nodes.extractors.languages.grammar import language

_TONGUE = "(?:español|castellano|inglés|francés|alemán|portugués|italiano|catalán|gallego|euskera|ruso|chino|japonés)"
_LASTS = (
    r"siempre|nunca|jamás|entre semana|por las (?:mañanas|noches|tardes)|los fines "
    r"de semana|(?:me mud|me he mud|me cas|me jubil|cambi[ée] de|he vuelto a|ahora "
    r"soy)\w*|todos los \w+|todas las \w+|cada (?:\w+ )?\w+|desde (?!ayer|esta)\S+|"
    r"normalmente|"
    r"habitualmente|por lo general|a diario|casi nunca|los (?:lunes|martes|miércoles|"
    r"jueves|viernes|sábados|domingos)|"
    r"de (?:nacimiento|pequeñ[oa]|toda la vida)|hace (?:\w+ )?años que"
)
_KIN = (
    r"(?:espos[oa]|marido|mujer|pareja|novi[oa]|prometid[oa]|hij[oa]s?|niñ[oa]s|bebé|gemel[oa]s|mellizos|madre|padre|"
    r"padres|mamá|papá|herman[oa]s?|abuel[oa]s?|niet[oa]s?|perr[oa]s?|gat[oa]s?|caballo|loro|conejo)"
)
_STATIVE = (
    r"(?:es|son|está|están|tiene|tienen|vive|viven|se llama|se llaman|trabaja|trabajan|"
    r"estudia|estudian|padece|cumple|"
    r"va al?|van al?|nació|me crió|habla|hablan|sufre|lleva)"
)
_PRESENT = (
    r"(?:soy|tengo|trabajo|vivo|resido|prefiero|odio|detesto|adoro|amo|evito|soporto|aguanto|colecciono|toco|hablo|"
    r"estudio|practico|uso|utilizo|como|bebo|tomo|ceno|desayuno|almuerzo|duermo|"
    r"madrugo|juego|leo|escribo|pinto|canto|"
    r"bailo|cocino|conduzco|viajo|corro|nado|camino|entreno|monto|voy|salgo|vengo|llevo|suelo|padezco|sufro|fumo|veo|"
    r"escucho|enseño|cuido|crío|cultivo|programo|doy clases?|dirijo|regento|hago|compro|pago|peso|mido|gano|"
    r"pertenezco|procedo|provengo|colaboro|necesito (?:gafas|silla|audífono)|celebro|ayuno|rezo|creo en|sigo una|"
    r"nací|me crié|crecí|estoy (?:casad|divorciad|jubilad|solter|viud|embarazad|sord|cieg|operad|suscrit|en paro|"
    r"de baja|aprendiendo)\w*)"
)
SPANISH = language(
    "es",
    words=(
        "el los las una y mi mis es soy en que por para con yo estoy se lo siempre pero del me la al le nos su sus "
        "tu te ti muy más ya nunca cuando como hay hace está este esta eso esto sin sobre desde hasta también todos "
        "todas cada tengo tiene vivo trabajo gusta gracias hola porque qué ser era "
        "fue son estamos unas unos de no un "
        "ayer hoy nuestro nuestra fumo bebo uso prefiero odio adoro detesto quiero "
        "creo soporto nací llamo vive viven madre padre marido esposa ceno duermo "
        "jefe jefa vecino vecina hija hijo hijos estudia profesor "
        "profesora enfermero enfermera vegana vegano vegetariana vegetariano celíaca "
        "zurdo zurda divorciado casado casada soltera alérgica alérgico jubilada jubilado "
        "trabajas llámame odio"
    ),
    opener=(
        "hola|buenas|buenos días|bueno|pues|gracias|por cierto|además|y|e|o sea|pero|"
        "sí|no(?=[,.:;])|no, no|oye|mira|en realidad|a ver|"
        "la verdad(?: es que)?|que sepas que|te cuento|perdona|perdón|ah|es que|porque|ahora|actualmente|por favor|"
        "de hecho|al final|así que|corrección|aunque"
    ),
    joints="pero|y (?=(?:yo|me|mi|vivo|trabajo|soy|tengo|prefiero|no|nunca|siempre|estoy|ahora)\\b)",
    remember=(
        r"(?:recuerda|acuérdate(?: de)?|recuerde|ten en cuenta|no olvides|no te olvides "
        r"de|apunta|anota|toma nota de) que"
    ),
    asks=(
        r"^(?:y |oye,? |pero )?(?:¿|qué(?! (?:bien|maravilla|alegría))|cuál(?:es)?|cual|"
        r"cuáles|quién(?:es)?|dónde|cuándo|"
        r"cómo|cuánt[oa]s?|por qué|para qué|a qué|en qué|de qué|con qué|desde cuándo|sabes (?:si|qué|cómo)|me puedes|"
        r"puedes|podrías)"
    ),
    irony=(
        r"^(?:oh|ay|uy|ah|hombre|ya),? (?:sí|claro|qué)|mi (?:pasatiempo|plan|deporte|"
        r"afición|sueño) (?:favorit\w+|preferid\w+|dorado|ideal)$|(?:el )?sueño "
        r"de mi vida|el plan perfecto$|^(?:qué|cuánta) (?:ilusión|divertido|bonito|"
        r"ganas)|encanta (?:que|cuando) "
        r"(?:me|se me)|gracias por nada|^(?:sí,? )?(?:claro(?: que sí)?|seguro|cómo "
        r"no|anda ya),|^(?:genial|fantástico|estupendo|maravilloso|perfecto),|"
        r"^(?:pues )?(?:qué|menuda) (?:bien|maravilla|alegría|ilusión|suerte|gozada)|"
        r"sí,? claro|(?:no hay )?nada (?:mejor|como)|lo que (?:me|nos) faltaba|justo "
        r"lo que|iron[íi]a|sarcasmo|menos mal que|^(?:vaya|sí,? sí),"
    ),
    unreal=(
        r"^(?:haz de|actúa como|interpreta a|finge que)|la reina de inglaterra|^(?:\S+ ){0,2}si|ojalá|quizás?|tal vez|"
        r"a lo mejor|imagin\w+|supón|supongamos|pongamos|digamos|"
        r"(?:me|nos) (?:gust|encant)aría\w*|(?:quis|hub|pud|tuv)ier\w+|(?:yo|si \S+|"
        r"si) fuer[ae]\w*|(?<!la\s)(?<!na\s)(?<!de\s)(?<!mi\s)\w{2,}(?:aría|ería|iría)(?:mos|"
        r"n)?|"
        r"hipotéticamente|en (?:mi|el|la) (?:novela|cuento|historia|sueño|juego)|haz "
        r"como|como si|^eres (?:un|una|el|la)|actúa como"
    ),
    reported=(
        r"dic(?:e|en) que|dijo|dijeron|según|(?:me |nos )?(?:cont[óo]|comentó|aseguró|"
        r"afirm[óa]|declaró|explicó|escribió|"
        r"preguntó)|cuenta que|dizque|al parecer|por lo visto|se rumorea|cree que|□+"
    ),
    ended=(
        r"^(?:yo )?ya no (?:me |lo |la )?(?:\w+o|soy|estoy|voy|gustan?|interesan?|toco)|"
        r"^(?:he dejado|dejé|dejamos) de \w+r|"
        r"^(?:yo )?no \w+o más"
    ),
    contrast=(
        r"(?:es|son|era|eran|quise decir|me refería a|quería decir) .{2,60},? (?:no|"
        r"y no|sino) \S+(?: \S+){0,3}$"
    ),
    corrects=r"en realidad|corrección|perdón,|^no,|no,|sino",
    episode=(
        r"ayer|anoche|anteayer|anteanoche|hoy|esta (?:mañana|tarde|noche|semana)|este "
        r"(?:finde|fin de semana)|hace un rato|"
        r"mañana|el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)|la semana "
        r"pasada|el (?:mes|año|otro día)|"
        r"acab(?:o|amos) de|ahora mismo|de momento|por ahora|hace (?:poco|\S+ (?:minutos|horas|días))"
    ),
    lasting=_LASTS,
    talk=(
        r"(?:yo )?(?:no )?(?:me |te |lo |le )?(?:creo|pienso|espero|supongo|sé|digo|pregunto|entiendo|siento|imagino|"
        r"agradezco|recuerdo|alegro|refiero|quiero|necesito(?! gafas| silla| audífono)|deseo|prometo|juro|veo que|"
        r"tengo (?:una? )?(?:pregunta|duda|idea|problema|hambre|sed|sueño|frío|calor|"
        r"prisa|ganas|tiempo|miedo de que|que ver|"
        r"razón)|"
        r"voy a|vamos a)|(?:me|nos) (?:gust|encant|parec|interes)\w* (?:mucho )?(?:tu|tus|su idea|la idea|eso|esto|"
        r"esa|ese|bien|que me|que lo|lo que dices)|soy (?:yo|consciente|capaz|feliz|"
        r"todo oídos)|(?:lo|le|la|te|os) \w+o"
    ),
    name=(r"(?:yo )?(?:me llamo|mi nombre es) \w+"),
    language=(
        rf"(?:respónde|contésta|háblá?|escríbe|responde|contesta|habla|escribe)(?:me|"
        rf"nos)?(?: siempre| solo)? en {_TONGUE}|"
        rf"prefiero (?:que me respondas |las respuestas |hablar |respuestas )?en {_TONGUE}"
    ),
    style=(
        r"(?:prefiero|quiero|me gustan)(?: las)? respuestas (?:más |muy )?(?:cortas|"
        r"breves|concisas|detalladas|largas|"
        r"directas)|(?:sé|responde de forma|responde) (?:más |muy )?(?:breve|concis[oa]|direct[oa]|detallado)|"
        r"sin (?:emojis|emoticonos|listas|rodeos)"
    ),
    location=r"(?:yo )?(?:vivo|resido)(?: ahora| actualmente)? en (?!una? )\S+",
    occupation=r"(?:yo )?trabajo (?:como|de) \S+",
    project=(
        r"(?:estoy|estamos|sigo)(?: ahora| actualmente)? trabajando en \S+|mi proyecto(?: "
        r"actual)? (?:es|se llama) \S+"
    ),
    work=(
        r"el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|\d+ de \w+) "
        r"(?:tengo|tenemos|entrego|presento|me examino)|tengo (?:una? )?(?:entrega|"
        r"examen|defensa|plazo|reunión|presentación|oposición) "
        r"|(?:me|nos) quedan?|busco (?:piso|trabajo|casa|empleo)|estamos (?:con|en) "
        r"(?:la|el) (?:obra|reforma|mudanza)|(?:estoy|estamos|sigo|seguimos|ando|andamos|"
        r"llevo \S+ \S+) (?:\w+ )?\w+(?:ando|iendo|yendo)(?! (?:solo|bien|mal))|"
        r"estamos? (?:atascad|bloquead|parad)\w+|(?:todavía |aún |ya solo )*(?:me|nos) falta\w*|"
        r"(?:mi|nuestro|el) (?:objetivo|próximo paso|siguiente paso|plazo|bloqueo|proyecto)(?: \w+)? es|mi meta es|"
        r"(?:\S+ ){0,4}(?:tengo que|tenemos que|debo|hay que) (?:entregar|terminar|acabar|"
        r"presentar|enviar|preparar|cerrar)|"
        r"(?:la entrega|el plazo|la fecha límite) (?:es|vence|acaba)|preparo (?:la|el|un|una|las|los)"
    ),
    own=(
        rf"(?:los|las|por|en|al|de|con) \S+(?: \S+)? (?:me |mi |não |no |non )*{_PRESENT}|"
        rf"(?:me mudé|me he mudado|me casé|me jubilé|cambié de|he cambiado de|he "
        rf"vuelto "
        rf"a|ahora soy)|no puedo (?:comer|beber|dormir|vivir)|acostumbro|(?:yo )?(?:también "
        rf"|(?:{_LASTS}),? |no |casi )*(?:me |lo |la |se )?{_PRESENT}"
        rf"|(?:yo )(?:no )?(?:me )?\w{{3,}}o|(?:\S+ ){{0,4}}(?:{_LASTS})(?: \S+)? (?:me "
        rf"|no )*(?:{_PRESENT}|\w{{3,}}o)|"
        r"no (?:me )?\w{3,}o|me \w{3,}o (?:con|de|a|en|los|las)|"
        r"(?:a mí |yo |también |no |nunca |siempre )*(?:me|nos) (?:gust|encant|interes|"
        r"apasion|molest|disgust|fascin|chifl|"
        r"pirr|flip|repatea|horroriz|aburr|relaj|estres|agobi|entusiasm|asust|duel|cuest|sient|cae|pon|vuelv|d)"
        r"(?:a|an|e|en|ea|ean)?|"
        r"(?:el|la|los|las|mis?|tener|ir|\w+r) (?:\S+ ){0,4}?(?:no )?(?:me|nos) (?:gust|"
        r"encant|interes|apasion|molest|fascin|"
        r"chifl|horroriz|aburr|relaj|estres|agobi|asust|duel|cuest|sient|cae|pon|vuelv|hac|d)(?:a|an|e|en|ea)|"
        r"mi(?:s)? (?:\S+ )?(?:\S+ )?(?:favorit|preferid)[oa]s? (?:es|son)|mi (?:nombre|"
        r"trabajo|cumpleaños|lengua|idioma|equipo|casa|coche|"
        r"profesión|carrera|religión|dieta|correo|apellido|signo) (?:\S+ )?(?:es|son|"
        r"está)|somos|tenemos|vivimos|solemos"
    ),
    kin=(
        rf"(?:mi|mis|nuestr[oa]s?) {_KIN}(?: (?:mayor|menor|pequeñ[oa]|[A-ZÁÉÍÓÚ]\w+))? "
        rf"(?:ya |no |también )?{_STATIVE}"
    ),
    trait=(
        r"(?:un|una|dos|tres|cuatro|\d+) (?:hij|perr|gat|niñ)\w+|(?:fan|amante|hincha|"
        r"seguidor\w*) de|nacid[oa] en|natural de|más de \S+ que de|(?:muy |soy )?(?:vegan[oa]|"
        r"vegetarian[oa]|celíac[oa]|diabétic[oa]|asmátic[oa]|alérgic[oa]|intolerante|"
        r"zurd[oa]|"
        r"diestr[oa]|daltónic[oa]|miope|sord[oa]|cieg[oa]|autista|disléxic[oa]|solter[oa]|"
        r"casad[oa]|divorciad[oa]|viud[oa]|"
        r"jubilad[oa]|autónom[oa]|padre de|madre de|hij[oa] únic[oa]|embarazada|ate[oa]|musulm[aá]n\w*|católic[oa]|"
        r"judí[oa]|abstemi[oa]|bilingüe|pescetarian[oa]|sin (?:hijos|gluten|lactosa)|alergia al?|"
        r"(?:profesor|enfermer|médic|abogad|ingenier|maestr|estudiante|camarer|cociner|"
        r"program|desarroll|diseñ|contable|"
        r"periodista|conduct|electricista|arquitect)\w* (?:de|en|,)|(?:\w+ ){1,3}desde "
        r"(?:los|las|hace|niñ|pequeñ|siempre|\d)\S*)"
    ),
    imperative=(
        r"(?:quiero|prefiero|necesito|me gustaría) que|(?:puedes|podrías) (?:tute|llam|"
        r"habl|respond)\w+|(?:por favor,? )?(?:(?:siempre|nunca|jamás|desde ahora|de "
        r"ahora en adelante|a partir de ahora|no|que),? )*(?:me |te )?"
        r"(?:us[ae]s?|utili[zc][ae]s?|respond[ea]s?|contest[ae]s?|escrib[ea]s?|incluy[ea]s?|"
        r"añad[ea]s?|pon|pong[ao]s?|"
        r"d[ae]|des|dame|haz|hagas|trat[ae]s?|evit[ae]s?|llám\w+|llam[ae]s?|hábl\w+|"
        r"habl[ae]s?|explic[ae]s?|explíc\w+|emplee?s?|"
        r"recom[ie]+nd\w+|\w+[áéí]\w*(?:me|nos|lo|la)|\w+(?:ame|eme)|cit[ae]s?|tut\w+|"
        r"indic[ae]s?|termin[ae]s?|empiez\w+|"
        r"nada de|sin|tradu\w+|pregunt[ae]s?|muestr\w+|repit\w+)|(?:tus|las) respuestas|cuando (?:te|me)|llám[ae]me"
    ),
    standing=(
        r"no me (?:trat|llam|habl)\w+|tut[eé][aá]\w*|^(?:nada de|sin) \S+(?: \S+)?(?: "
        r"por favor)?$|cuando \S+|siempre|"
        r"nunca|jamás|de ahora en adelante|a partir de (?:ahora|hoy)|desde ahora|en "
        r"adelante|cada vez que|"
        r"por defecto|cuando (?:te|me) \S+|llám[ae]me|en (?:todas )?(?:tus|las) respuestas|tutéame"
    ),
)
