"""Italian."""

from nodes.extractors.languages.grammar import language

_TONGUE = "(?:italiano|inglese|francese|tedesco|spagnolo|portoghese|russo|cinese)"
_LASTS = (
    r"sempre|mai|ogni \w+|tutti i \w+|tutte le \w+|di solito|normalmente|solitamente|"
    r"in genere|di norma|abitualmente|spesso|raramente|"
    r"regolarmente|da (?:sempre|quando|anni|bambin[oa]|piccol[oa]|\S+ anni)|dal "
    r"\d+|dall'infanzia|dalla nascita|il (?:lunedì|martedì|mercoledì|giovedì|"
    r"venerdì|sabato) (?:mattina|sera)?|(?:una volta|due volte|tre volte) (?:a|al|alla)|di nascita|nat[oa] a"
)
_KIN = (
    r"(?:moglie|marito|compagn[oa]|fidanzat[oa]|ragazz[oa]|figli[oa]?|figlie|bambin[oiea]|"
    r"neonat[oa]|gemell[ie]|madre|padre|mamma|papà|genitori|"
    r"fratell[oi]|sorell[ae]|nonn[oaie]|nipot[ei]|cane|cani|cagnolin[oa]|gatt[oaie]|cavallo|coniglio|pappagallo)"
)
_STATIVE = (
    r"(?:è|sono|sta|ha|hanno|si chiama|si chiamano|lavora|lavorano|vive|vivono|abita|"
    r"abitano|studia|studiano|soffre|parla|va|vanno|fa|frequenta|compie)"
)
_PRESENT = (
    r"(?:sono|ho|lavoro|vivo|abito|risiedo|preferisco|odio|detesto|adoro|amo|evito|"
    r"sopporto|reggo|tollero|colleziono|suono|parlo|studio|pratico|uso|utilizzo|"
    r"mangio|bevo|prendo|ceno|pranzo|dormo|gioco|leggo|scrivo|dipingo|canto|ballo|"
    r"cucino|guido|viaggio|corro|nuoto|cammino|mi alleno|vado|esco|vengo|porto|"
    r"soffro|fumo|guardo|ascolto|insegno|allevo|coltivo|programmo|faccio|compro|"
    r"peso|guadagno|appartengo|tifo|seguo|pedalo|digerisco|mi alzo|mi sveglio|"
    r"tengo|credo in|prego|digiuno|provengo)"
)
ITALIAN = language(
    "it",
    words=(
        "i il lo la gli le una uno e mio mia mie miei è sono di che non mi per con "
        "io sto si sempre ma al del della dei delle un in a da ho "
        "ha hai anche più mai come quando questo questa quello ci ne se nel nella sul "
        "sulla alla allo dal dalla nostro nostra tuo tua suo sua "
        "molto poi già ora adesso oggi ieri grazie ciao siamo abbiamo ogni tutti tutte "
        "senza sei tu te me lui lei noi voi loro qual quale "
        "perché cosa dove chi vivo lavoro abito fumo bevo uso preferisco odio adoro "
        "detesto sopporto mangio piace piacciono voglio chiamo vegano vegana vegetariano "
        "celiaca mancino mancina divorziato sposato sposata allergica allergico pensionato "
        "single"
    ),
    opener=(
        "ciao|buongiorno|buonasera|grazie|allora|beh|bè|comunque|inoltre|e|ma|però|"
        "sì|no(?=[,.:;])|no, no|sai|guarda|in realtà|a dire il vero|tra l'altro|a proposito|"
        "veramente|ah|per favore|scusa|adesso|ora|attualmente|quindi|perché|per la "
        "cronaca|insomma|anzi|correzione|di fatto|alla fine"
    ),
    joints="ma|però|e (?=(?:mi|mio|mia|io|vivo|lavoro|sono|ho|preferisco|non|sto|abito)\\b)",
    remember=(
        r"(?:per favore,? )?(?:ricorda(?:ti)?|ricordi|non dimenticare|tieni (?:a mente|"
        r"presente)|segnati|annota|prendi nota)(?: bene)? che"
    ),
    asks=(
        r"^(?:e |ma )?(?:chi|cosa|che cosa|che(?! (?:bello|bella|gioia|meraviglia|fortuna))|"
        r"qual|quale|quali|dove|quando (?=\w+ (?:il|la))|come(?! sempre)|quant[oaie]|"
        r"perché|a che|di che|in che|da quando|posso|puoi|potresti|sai (?:se|cosa|come)|"
        r"mi (?:consigli|puoi|dici)|si può|devo (?=\w+re )(?!.*entro))"
    ),
    irony=(
        r"^(?:sì,? |eh )?(?:certo|come no|ovvio|figurati|sicuro),|^(?:fantastico|ottimo|"
        r"perfetto|magnifico|stupendo|meraviglioso|bravo|evviva),|"
        r"^che (?:bello|bella|gioia|meraviglia|fortuna|spasso)|ci mancava (?:solo|pure)|"
        r"niente di meglio|proprio quello che|ironia|sarcasmo"
    ),
    unreal=(
        r"^(?:fai finta|recita|interpreta)|^(?:\S+ )?se (?!non sbaglio)|magari|forse|immagina\w*|supponi\w*|mettiamo|"
        r"facciamo finta|diciamo|vorrei|mi piacerebbe\w*|\w{2,}(?:erei|irei|arei|ebbe|"
        r"ebbero|assi|essi|issi)|"
        r"un giorno|chissà|come se|fingi|^(?:tu )?sei (?:un|una|il|la)|nel mio (?:romanzo|"
        r"sogno|gioco)|spero|può darsi"
    ),
    reported=(
        r"dice(?:no)? (?:che|di)|disse|secondo|pare che|sembra che|si dice|a quanto "
        r"pare|(?:mi |ci )?ha(?:nno)? (?:\w+ )?(?:detto|raccontato|spiegato|dichiarato|"
        r"scritto|affermato|giurato|"
        r"confessato|risposto|chiesto)|afferma\w*|sostiene|racconta|dichiar\w+|pensa che|crede che|□+"
    ),
    ended=(
        r"^(?:io )?non (?:mi |ci |lo |la )?\w+ (?:\S+ ){0,3}?più(?! di| che)|^ho smesso "
        r"di|^ho lasciato|^non \w+ più"
    ),
    contrast=r"(?:è|sono|era|volevo dire|intendevo) .{2,60},? (?:non|e non) \S+(?: \S+){0,3}$",
    corrects=r"in realtà|correzione|^no,|^scusa|non (?:a|in)|anzi|piuttosto",
    episode=(
        r"ieri|l'altro ieri|oggi|stamattina|stasera|stanotte|stamani|domani|questa (?:mattina|"
        r"sera|settimana)|(?:domenica|lunedì|martedì|mercoledì|giovedì|venerdì|sabato)(?! "
        r"sera)|"
        r"la settimana scorsa|(?:poco|\S+ (?:minuti|ore|giorni)) fa|appena|adesso|per "
        r"ora|al momento|l'altro giorno|nel weekend|ho \w+(?:ato|uto|ito|so|tto|sto)(?! "
        r"da)|"
        r"(?:abbiamo|siamo|sono) \w+(?:ati|uti|iti|ate|andat\w)|mi (?:è|sono) \w+(?:at|ut|it|s)[oaie]"
    ),
    lasting=_LASTS,
    talk=(
        r"(?:io )?(?:non )?(?:mi |ti |lo |le |vi )?(?:credo(?! in)|penso|spero|suppongo|"
        r"so|dico|chiedo|capisco|sento|immagino|ringrazio|ricordo|voglio|vorrei|desidero|"
        r"prometto|giuro|"
        r"ho (?:una? )?(?:bisogno|domanda|dubbio|idea|problema|fame|sete|sonno|freddo|"
        r"caldo|fretta|voglia|tempo|ragione|capito|visto|letto)|"
        r"sono (?:molto |così |davvero |un po' )?(?:stanc\w+|content\w+|felic\w+|trist\w+|"
        r"sicur\w+|pront\w+|arrabbiat\w+|curios\w+|d'accordo|qui|in ritardo|distrutt\w+|"
        r"grat\w+|confus\w+)|"
        r"vado a \w+re|sto (?:bene|male|cercando di capire|scherzando))|mi (?:piace|"
        r"piacciono) (?:molto )?(?:la tua|il tuo|l'idea|quest\w+|quell\w+|che tu|come)|"
        r"mi dispiace"
    ),
    name=r"(?:io )?(?:mi chiamo|il mio nome è) \w+",
    language=(
        rf"(?:rispondi|rispondimi|parla|parlami|scrivi|scrivimi)(?: sempre| solo)? in "
        rf"{_TONGUE}|preferisco (?:risposte |parlare )?in {_TONGUE}"
    ),
    style=(
        r"(?:preferisco|voglio|mi piacciono)(?: le)? risposte (?:più |molto )?(?:corte|"
        r"brevi|concise|dettagliate|lunghe|dirette)|(?:sii|rispondi in modo) (?:più "
        r"|molto )?(?:breve|conciso|diretto)"
    ),
    location=r"(?:io )?(?:vivo|abito|risiedo)(?: ora| adesso| attualmente)? (?:a|ad|in|nel|nella|vicino a) (?!un)\S+",
    occupation=r"(?:io )?lavoro come \S+|(?:io )?faccio (?:il|la|l') ?\S+",
    project=(
        r"(?:sto|stiamo)(?: attualmente)? lavorando (?:a|al|alla|su|sul|sulla|all'\S+) "
        r"?\S*|il mio progetto(?: attuale)? (?:è|si chiama) \S+"
    ),
    work=(
        r"(?:sto|stiamo) (?:\w+ )?\w+(?:ando|endo)(?! (?:bene|male))|(?:\S+ ){0,3}(?:devo|"
        r"dobbiamo) (?:consegnare|finire|terminare|presentare|inviare|preparare|chiudere)|"
        r"(?:il |la )?(?:mio|mia|nostro|nostra)? ?(?:obiettivo|traguardo|prossimo passo|"
        r"scadenza)(?: \w+)? è|(?:ancora )?(?:mi|ci) manca\w*|(?:sono|siamo) bloccat\w+|"
        r"la consegna è|entro \S+ (?:devo|dobbiamo)"
    ),
    own=(
        rf"(?:la|il|di|al|in|nel|con) \S+(?: \S+)? (?:me |mi |não |no |non )*{_PRESENT}|"
        rf"(?:io )?(?:anche |(?:{_LASTS}),? |non |quasi )*(?:mi |lo |la |ci )?{_PRESENT}|"
        rf"io (?:non )?(?:mi )?\w{{3,}}o|(?:\S+ ){{0,4}}(?:{_LASTS})(?: \S+)? (?:io |"
        rf"mi |non )*(?:{_PRESENT}|\w{{3,}}o)|"
        r"non (?:mi )?\w{3,}o|mi \w{3,}o|(?:a me |anche |non )*(?:mi|ci) (?:piac|interess|"
        r"affascin|appassion|disgust|infastid|annoi|rilass|stress|agit|spavent|terrorizz|"
        r"fa|fanno|mett|rend|manc|d)\w*|"
        r"(?:il|la|lo|gli|le|i|l'\w+|\w+re|i miei|mie) ?(?:\S+ ){0,4}?(?:non )?(?:mi|"
        r"ci) (?:piac|interess|affascin|appassion|disgust|infastid|annoi|rilass|stress|"
        r"agit|spavent|terrorizz|fa|fanno|mett|rend|d)\w*|"
        r"(?:il|la|i|le) (?:mio|mia|miei|mie) (?:\S+ )?(?:\S+ )?(?:preferit[oaie]) (?:è|"
        r"sono)|(?:il|la) (?:mio|mia) (?:lavoro|mestiere|compleanno|lingua|squadra|macchina|"
        r"casa|religione|cognome|segno|hobby)(?: \S+)? (?:è|sono|si trova)|"
        r"siamo|abbiamo|viviamo|abitiamo"
    ),
    kin=(
        rf"(?:(?:il|la|i|le) )?(?:mio|mia|miei|mie|nostr[oaie]) {_KIN}(?: (?:maggiore|"
        rf"minore|[A-ZÀ-Ú]\w+))? (?:già |non |anche )?{_STATIVE}"
    ),
    trait=(
        r"(?:un|una|due|tre|quattro|\d+) (?:figl|can[ei]|gatt|bambin)\w*|(?:vegan[oa]|"
        r"vegetarian[oa]|celiac[oa]|diabetic[oa]|asmatic[oa]|allergic[oa]|"
        r"intollerante|mancin[oa]|destrors[oa]|daltonic[oa]|miope|sord[oa]|ciec[oa]|"
        r"autistic[oa]|dislessic[oa]|single|"
        r"sposat[oa]|divorziat[oa]|separat[oa]|vedov[oa]|pensionat[oa]|(?:padre|madre|"
        r"papà|mamma) (?:di|single)|figli[oa] unic[oa]|incinta|ate[oa]|musulman[oa]|"
        r"cattolic[oa]|ebre[oa]|astemi[oa]|bilingue|"
        r"senza (?:figli|glutine|lattosio)|allergia a\w*|(?:professor|infermier|medic|"
        r"avvocat|ingegner|student|camerier|cuoc|programmat|giornalist|autist|maestr|"
        r"architett|insegnant)\w* (?:di|in|a|al|alla|presso))"
    ),
    imperative=(
        r"(?:voglio|vorrei|preferisco) che|(?:per favore,? )?(?:(?:sempre|mai|d'ora "
        r"in poi|da ora in poi|da adesso in "
        r"poi|non),? )*(?:mi |mi )?(?:usa|usare|usi|utilizza|rispondi|rispondere|rispondimi|"
        r"scrivi|scrivere|scrivimi|includi|aggiungi|metti|mettere|dammi|dai|"
        r"dare|fai|fare|tratta\w*|evita|chiama\w*|parla\w*|spiega\w*|cita|indica|termina|"
        r"inizia|mostra\w*|consiglia\w*|niente|senza|dammi|traduci|ripeti|chiedi\w*|"
        r"\w+(?:ami|imi|emi))|(?:puoi|devi) (?:chiamarmi|\w+re)|le tue risposte"
    ),
    standing=(
        r"del (?:tu|lei)|sempre|mai|d'ora in (?:poi|avanti)|da (?:ora|adesso|oggi) in (?:poi|avanti)|"
        r"in futuro|ogni volta che|di default|chiamami|chiamarmi|nelle (?:tue )?risposte|"
        r"quando (?:ti|mi) \w+|dammi del tu"
    ),
)
