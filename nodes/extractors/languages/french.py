"""French."""

from nodes.extractors.languages.grammar import language

_TONGUE = "(?:français|anglais|allemand|espagnol|portugais|italien|néerlandais|arabe|chinois|russe)"
_LASTS = (
    r"toujours|jamais|le (?:matin|soir|week-end|midi)|j'ai (?:déménagé|changé de|"
    r"arrêté de|repris|pris ma retraite)|je suis née?|j'ai grandi|tous les \w+|toutes "
    r"les \w+|chaque \w+|d'habitude|d'ordinaire|en général|généralement|"
    r"habituellement|souvent|régulièrement|depuis (?!hier|ce)\S+|dès le réveil|le "
    r"(?:lundi|mardi|mercredi|jeudi|vendredi|"
    r"samedi|dimanche) (?:matin|soir|midi)|de naissance|à l'origine|une fois par|"
    r"(?:deux|trois) fois par|au quotidien|rarement"
)
_KIN = (
    r"(?:femme|mari|époux|épouse|conjointe?|compagn(?:e|on)|copine|copain|fiancée?|"
    r"fils|filles?|enfants?|bébé|jumeaux|"
    r"jumelles|mère|père|maman|papa|parents|frères?|sœurs?|soeurs?|grand-mère|grand-père|"
    r"petit-fils|petite-fille|chiens?|"
    r"chiennes?|chats?|chattes?|cheval|lapin|perroquet|aînée?|cadette?)"
)
_STATIVE = (
    r"(?:est|sont|a|ont|s'appelle|s'appellent|travaille|travaillent|vit|vivent|habite|"
    r"habitent|étudie|souffre|fait|va|"
    r"vont|parle|entre|porte)"
)
_CLITICS = "(?:(?:ne|me|y|nous|se|lui) |n'|m'|s')*"
_PRESENT = r"(?!\w+(?:ais|ait|ions|iez|ai|rai|ras|ra|rons|ront)\b)(?!(?:étais|était|avait|va|a|est|ai)\b)\w+"
FRENCH = language(
    "fr",
    words=(
        "me le la les une et mon ma mes est suis en que ne pas pour avec je j'ai se "
        "toujours mais du des dans un de au aux "
        "sur qui plus on nous vous tu il elle moi toi sans ce cette c'est très jamais tous tout par son sa ses notre "
        "votre ça y à où déjà ai comme quand depuis bien merci ou leur ils elles n'ai "
        "d'un d'une l'ai mêmes chez désormais végétarien végétarienne végane gaucher "
        "gauchère célibataire mariée marié divorcé divorcée allergique retraité retraitée "
        "enceinte prof maman papa"
    ),
    opener=(
        "bonjour|salut|bonsoir|coucou|merci|alors|bon|bien|au fait|d'ailleurs|et|mais|oui|non|en fait|aussi|euh|ah|"
        "s'il (?:te|vous) plaît|à vrai dire|honnêtement|pour info|sache que|finalement|du coup|car|parce que|pardon|"
        "correction|donc|par contre|moi|perso(?:nnellement)?|de toute façon|attends|actuellement|en ce moment"
    ),
    joints=r"mais|et (?=(?:(?:je|mon|ma|on|nous)\b|j'))|car",
    remember=(
        r"(?:souviens-toi|souvenez-vous|rappelle-toi|n'oublie(?:z)? pas|retiens|retenez|note(?:z)?|garde en tête)"
        r"(?: bien)? qu(?:e|')"
    ),
    asks=(
        r"^(?:et |mais )?(?:est-ce|qu'est-ce|qui|que|quoi|quel(?:le)?s?(?! (?:joie|merveille|"
        r"bonheur|plaisir|chance))|où|quand(?! tu| je| vous)|comment|"
        r"combien|pourquoi|à quoi|à quelle?|de quoi|peux-tu|pouvez-vous|pourrais-tu|"
        r"sais-tu|savez-vous|tu (?:sais|connais|pourrais)|"
        r"dois-je|puis-je|ai-je|suis-je|faut-il|y a-t-il)|\w+-(?:t-)?(?:il|elle|on|tu|vous|je)"
    ),
    irony=(
        r"la reine d'angleterre|le pape|napoléon|^(?:oh|ah|ben|eh ben|hou),? (?:oui|super|génial|quel|que|la joie)|"
        r"(?:mon|"
        r"ma) (?:passe-temps|activité|sport|loisir) (?:préférée?|favorite?)$|(?:mon|"
        r"le) rêve$|que du bonheur|on (?:adore|aime)$|^(?:trop bien|youpi|chouette|"
        r"top|nickel|hourra)|(?:adore|aime) (?:quand|qu')(?: "
        r"?on)? ?(?:me|m')|tellement (?:hâte|ravi)|^(?:ah |mais |ben )?(?:oui|bien sûr|"
        r"super|génial|bravo|formidable|parfait|magnifique|chouette|évidemment)(?: bien "
        r"sûr)?,|"
        r"^(?:oui|mais oui),|bien sûr,|^(?:ah )?quel(?:le)? (?:joie|merveille|bonheur|"
        r"plaisir|chance)|comme par hasard|mais bien sûr|rien de (?:tel|mieux)|il ne "
        r"(?:me )?manquait plus que|tout ce que j'aime|le rêve|ironie|sarcasme|merci "
        r"pour rien"
    ),
    unreal=(
        r"^(?:joue|jouez|fais comme si|imagine)|^(?:\S+ )?si (?:je|j'\S*|on|tu|nous|jamais)|si j'\w+|imagin\w+|"
        r"suppos\w+|mettons|"
        r"disons|admettons|peut-être|"
        r"j'aimerais|je voudrais|(?:j'|je |on )\w{2,}rais?|on \w{2,}rait|j'espère|pourvu que|si seulement|un jour|"
        r"dans (?:mon|ma|le|la) (?:roman|histoire|rêve|jeu)|comme si|fais comme|hypothétiquement|"
        r"^tu es (?:un|une|le|la)|^vous êtes (?:un|une)|joue le rôle"
    ),
    reported=(
        r"il paraît|paraît-il|selon|d'après|(?:il|elle|on|ils|\w+) (?:dit|disent|prétend\w*|"
        r"affirme\w*|raconte\w*|pense|déclare\w*|"
        r"jure|écrit) (?:que|qu'\w*|avoir|être)|(?:m'a|a|ont|nous a|m'ont) (?:dit|raconté|"
        r"affirmé|expliqué|déclaré|écrit|lancé|"
        r"demandé|confié|répondu|assuré)|dit que|dit qu'\w*|raconte|affirme|prétend|"
        r"témoigne|aurait|soi-disant|a lancé|□+"
    ),
    ended=(
        r"(?:je|j'|on|nous) ?(?:ne |n')?(?:\w+ )?(?:\w+) plus(?! (?:de )?(?:\w+ )?que|"
        r"tard|tôt)|n'\w+ plus|^j'ai (?:arrêté|cessé|renoncé)"
    ),
    contrast=r"(?:c'est|ce sont|c'était|je voulais dire) .{2,60},? (?:pas|et non|et pas) \S+(?: \S+){0,3}$",
    corrects=r"en fait|correction|^non|pardon|finalement|pas (?:à|en|au)|plutôt",
    episode=(
        r"hier|avant-hier|ce (?:matin|soir|midi|week-end)|cette (?:nuit|semaine|après-midi)|"
        r"aujourd'hui|tout à l'heure|"
        r"demain|la semaine dernière|^(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|"
        r"dimanche)|je viens d(?:e |')\w+(?:er|ir|re)|il y a (?:\S+ )(?:minutes|heures|"
        r"jours)|"
        r"l'autre jour|à l'instant|pour l'instant|là tout de suite"
    ),
    lasting=_LASTS,
    talk=(
        r"(?:(?:je|j'|on) ?)?(?:ne |n')?(?:(?:me|t'|te|vous|l'|le|la) ?)?(?:crois|pense|"
        r"espère|sais|comprends|suppose|imagine|dis|demande|"
        r"vois|veux|voudrais|remercie|souhaite|excuse|promets|jure|trouve (?:ça|ton|"
        r"que)|vais (?:\w+er|\w+ir|\w+re)\b|"
        r"cherche|peux|dois dire|aimerais|arrive|viens d'\w+(?:er|ir|re)|viens de \w+(?:er|"
        r"ir|re))|j'ai (?:une? |bien |pas |trop |très )*(?:question|idée|problème|faim|"
        r"soif|"
        r"sommeil|froid|chaud|besoin|envie|hâte|raison|peur que|compris|vu|lu|fait|eu|"
        r"pris|mis|dû|pu|su|été|\w+é)(?:e|s)?|"
        r"je m'en|je me suis|je suis (?:\w+ )?(?:désolée?|contente?s?|d'accord|sûre?|"
        r"là|fatiguée?|épuisée?|crevée?|en train d'attendre|"
        r"allée?|venue?|partie?|rentrée?|arrivée?|tombée?|sortie?|prête?|pressée?|curieu\w+|"
        r"perdue?|ravie?|heureu\w+|triste|"
        r"malade|stressée?|énervée?|restée?|de retour|tout ouïe)|"
        r"(?:j'aime|j'adore|je préfère)(?: bien| beaucoup)? (?:ça|cela|ceci|ton|ta|tes|"
        r"votre|l'idée|cette idée|quand tu)|je (?:n'ai|n'avais) pas \w+é|"
        r"(?:ça|c'est|c'était) (?:va|gentil|bon|super|parfait|noté|ok)"
    ),
    name=(
        r"(?:moi,? )?(?:je m'appelle|mon (?:nom|prénom) (?:est|c'est)|moi c'est|c'est "
        r"moi,) \w+|c'est (?-i:[A-ZÉ])\w+$"
    ),
    language=(
        rf"(?:réponds|répondez|parle|parlez|écris|écrivez)(?:-moi)?(?: toujours| avec moi)? en {_TONGUE}|"
        rf"je préfère (?:les réponses|que tu répondes|qu'on parle|parler|discuter)(?: toujours)? en {_TONGUE}"
    ),
    style=(
        r"(?:je préfère|je veux|j'aime) (?:des|les) réponses (?:plus |très )?(?:courtes|"
        r"brèves|concises|détaillées|longues|directes)|"
        r"(?:sois|soyez|reste|restez) (?:plus |très )?(?:bref|brève|concise?|directe?)"
    ),
    location=(
        r"(?:j'habite|je vis|je réside|on habite|nous habitons)(?: maintenant| actuellement|"
        r" toujours)? (?:à|en|au|aux|près de) \S+"
    ),
    occupation=r"je travaille (?:comme|en tant qu(?:e|')) ?\S+",
    project=(
        r"(?:je travaille|nous travaillons|on travaille)(?: actuellement| en ce moment)? sur \S+|"
        r"mon projet(?: actuel)? (?:est|s'appelle|c'est) \S+"
    ),
    work=(
        r"il faut que (?:je |j'|on ).{0,60}(?:avant|d'ici|pour)|(?:ma|la|mon|le|"
        r"l'|notre) ?(?:soutenance|examen|présentation|échéance|rendu|entretien|"
        r"concours) (?:est|a lieu|tombe)|je cherche (?:un (?:appart\w*|emploi|boulot|"
        r"stage|logement)|du travail)|(?:il "
        r"me|il nous) reste|je passe (?:mon|le|un)|j'ai (?:un|une) (?:rendu|examen|soutenance|"
        r"échéance|deadline|présentation|concours)|je suis en pleine?|on (?:déménage|"
        r"emménage|ouvre|lance|attend)|je (?:monte|lance|déménage|finis|termine|boucle|"
        r"rends)|(?:je suis|nous sommes|on est) (?:en train d\S*|bloqué\w*|coincé\w*) "
        r"?\S+|(?:mon (?:objectif|but)|la prochaine étape|ma prochaine étape|"
        r"notre objectif)(?: \w+)? (?:est|c'est)|(?:on|nous|je) (?:refai[ts]|refaisons|"
        r"rénov\w+|prépar\w+|rédig\w+|constru\w+|mont\w+|retap\w+|"
        r"organis\w+|développ\w+|révis\w+|termin\w+)|j'apprends|j'écris (?:un|mon|ma|"
        r"une) (?:livre|mémoire|thèse|roman|article|rapport)|"
        r"(?:il )?(?:me|nous) (?:manque|reste)|(?:je dois|il faut que je|on doit|nous "
        r"devons) (?:\S+ ){0,2}(?:rendre|finir|terminer|livrer|présenter|"
        r"envoyer|boucler|remettre)|(?:je dois|on doit) .{0,60}(?:avant|d'ici|pour)|"
        r"d'ici .{1,40}(?:je|on|il faut)|à rendre"
    ),
    own=(
        r"j'ai (?:déménagé|changé de|repris|grandi)|je suis née?|je ne (?:peux pas|supporte|"
        r"mange|bois)|(?:moi,? |(?:pour|depuis|dans|quand|le|la|les|à|en) [^,]{2,40},? "
        r"?)?(?:j'(?:ai|aime|adore|habite|évite|apprécie|"
        r"utilise|écoute|étudie|écris|enseigne|élève|achète|envoie|appartiens|essaie)|"
        rf"(?:je|on|nous) {_CLITICS}(?:fais|vais|connais|hais|sais|fait|vis|suis|{_PRESENT})|"
        rf"(?:{_LASTS}) (?:je|j'|on) ?{_CLITICS}\w+|je n'(?:ai|aime|utilise|habite|écoute|"
        rf"achète) (?:pas|jamais|aucun))|"
        r"(?:\S+ ){1,6}?(?:me |m')(?:rend|rendent|fait|font|stresse|stressent|angoisse|"
        r"angoissent|énerve|énervent|plaît|"
        r"plaisent|passionne|passionnent|ennuie|ennuient|détend|détendent|gêne|gênent|"
        r"dégoûte|dégoûtent|fascine|fascinent|"
        r"donne|donnent|manque|convient|réussit|va|calme|calment|agace|agacent|fatigue|fatiguent)|(?:ça|cela) me \w+|"
        r"ce que je (?:préfère|déteste|aime)|(?:mon|ma|mes) (?:\S+ )?(?:\S+ )?(?:favorite?s?|favori|préférée?s?) "
        r"(?:est|sont|c'est|reste)|(?:mon|ma|mes) (?:métier|anniversaire|langue|nom|"
        r"prénom|boulot|équipe|voiture|maison|adresse|"
        r"religion|profession|appartement|signe)(?: \S+)? (?:est|sont|c'est)|"
        r"(?:[^\s,]+,? ){1,5}(?:je |j')(?:ne |n')?(?:supporte|déteste|adore|aime|évite|mange|bois|digère)"
    ),
    kin=(
        rf"(?:mon|ma|mes|notre|nos) (?:petite? |grande? |vieux |vieille )?{_KIN}(?: (?:aînée?|"
        rf"cadette?|[A-ZÉ]\w+))?,? (?:ne |n'|y )?{_STATIVE}"
    ),
    trait=(
        r"(?:un|une|deux|trois|quatre|\d+) (?:enfants?|chiens?|chats?|filles?|fils|gamins?)|"
        r"(?:fan|amateur|amatrice|passionnée?|accro|supporter) (?:de|d'|du|au|aux|à)|"
        r"née? (?:à|en)|(?:plutôt )?\w+ plutôt que|(?:végane?|végétarien(?:ne)?|végétalien(?:ne)?|"
        r"gauch(?:er|ère)|droiti(?:er|ère)|daltonien(?:ne)?|myope|sourde?|aveugle|diabétique|"
        r"asthmatique|allergique|intolérante?|cœliaque|coeliaque|autiste|dyslexique|"
        r"célibataire|mariée?|divorcée?|veu(?:f|ve)|pacsée?|"
        r"retraitée?|fonctionnaire|indépendante?|enceinte|sans (?:enfants?|gluten|lactose|"
        r"alcool)|(?:maman|papa|père|mère) (?:de|d'|solo|célibataire)|"
        r"athée|musulmane?|catholique|juive?|bilingue|allergie|(?:prof(?:esseure?)?|"
        r"infirmi(?:er|ère)|médecin|avocate?|ingénieure?|instit\w*|étudiante?|"
        r"serveu\w+|cuisini\w+|développeu\w+|compta\w*|journaliste|chauffeu\w+|libraire) (?:de|d'|en|à|au|chez|,)?)|"
        r"(?!est )(?:\w+ ){1,2}depuis (?:toujours|l'enfance|la naissance|\d+|\w+ ans)"
    ),
    imperative=(
        r"je (?:veux|voudrais|préfère|préférerais|souhaite|souhaiterais) que|(?:on peut|"
        r"tu peux|vous pouvez) (?:se|me)|on se (?:tutoie|vouvoie)|(?:(?:toujours|désormais|"
        r"dorénavant|à partir de maintenant|à l'avenir|quand \S+ [^,]{2,60}),? )*(?:ne "
        r"|n'|me |m'|s'il te plaît,? )*"
        r"(?:utilise[zs]?|emploie[zs]?|réponds|répondez|écris|écrivez|ajoute[zs]?|mets|"
        r"mettez|appelle[zs]?(?:-moi)?|donne[zs]?|indique[zs]?|"
        r"cite[zs]?|évite[zs]?|parle[zs]?|tutoie[zs]?|vouvoie[zs]?|fais|faites|commence[zs]?|"
        r"termine[zs]?|explique[zs]?|précise[zs]?|propose[zs]?|"
        r"montre[zs]?|rédige[zs]?|garde[zs]?|sois|soyez|reste[zs]?|préviens|vérifie[zs]?|"
        r"demande[zs]?|\w+(?:e|s|ez)-(?:moi|nous|les?|la)|pas de|plus de|"
        r"aucune?|traduis|corrige|pose|répète)|tu (?:dois|devras|peux|m')|(?:tes|vos) réponses"
    ),
    standing=(
        r"quand même|si je (?:te |t')\w+|tutoyer|vouvoyer|tutoie\w*|vouvoie\w*|^(?:pas|plus|jamais) d(?:e |')\S+(?: "
        r"\S+)?(?: (?:merci|s'il te plaît))?$|quand (?:je|tu|on)|à chaque|toujours|jamais|"
        r"désormais|dorénavant|à partir de (?:maintenant|d'aujourd'hui)|à l'avenir|chaque "
        r"fois|par défaut|"
        r"systématiquement|appelle[zs]?-moi|tutoie-moi|dans (?:toutes )?(?:tes|vos) réponses|plus jamais"
    ),
)
