"""Portuguese, of Portugal and of Brazil."""

from nodes.extractors.languages.grammar import language

_TONGUE = r"(?:português(?: do brasil| de portugal)?|inglês|francês|espanhol|alemão|italiano|chinês|russo)"
_LASTS = (
    r"sempre|nunca|jamais|(?:mudei|me mudei|casei|troquei de|voltei a|agora sou)\S*|"
    r"aos fins de semana|à noite|de manhã|tod[oa]s? (?:os |as )?\w+|cada \w+|desde "
    r"(?!ontem|esta)\S+|normalmente|geralmente|habitualmente|"
    r"em geral|de costume|às (?:segundas|terças|quartas|quintas|sextas)|aos (?:sábados|"
    r"domingos)|há \S+ anos|de nascença|"
    r"costumo|(?:uma|duas|três) vezes por|regularmente|raramente|quase nunca|frequentemente"
)
_KIN = (
    r"(?:espos[oa]|marido|mulher|companheir[oa]|namorad[oa]|noiv[oa]|filh[oa]s?|"
    r"filhot[ea]s?|bebé|bebê|gémeos|gêmeos|mãe|pai|pais|"
    r"irmão|irmã|irmãos|irmãs|avó|avô|avós|net[oa]s?|cão|cães|cadela|cachorr[oa]s?|gat[oa]s?|cavalo|papagaio|coelho)"
)
_STATIVE = (
    r"(?:é|são|está|estão|tem|têm|mora|moram|vive|vivem|chama-se|se chama|chamam-se|"
    r"trabalha|trabalham|estuda|estudam|sofre|nasceu|"
    r"criou-me|me criou|fala|falam|anda|vai|faz|usa)"
)
_PRESENT = (
    r"(?:sou|tenho|trabalho|moro|vivo|resido|prefiro|odeio|detesto|adoro|amo|evito|"
    r"suporto|aguento|coleciono|toco|falo|estudo|"
    r"pratico|uso|utilizo|como|bebo|tomo|janto|almoço|durmo|acordo|jogo|leio|escrevo|"
    r"pinto|canto|danço|cozinho|conduzo|dirijo|viajo|"
    r"corro|nado|caminho|treino|vou|saio|venho|costumo|sofro|fumo|vejo|assisto|ouço|"
    r"escuto|ensino|cuido|crio|cultivo|programo|dou aulas?|"
    r"curto|gosto|torço|ando|pedalo|faço|compro|peso|meço|ganho|pertenço|celebro|"
    r"rezo|jejuo|acredito em|nasci|cresci|fui criad[oa]|"
    r"levanto|deito|cuido|pesco|planto|surfo|estou (?:casad|divorciad|aposentad|"
    r"reformad|solteir|grávid|desempregad|a aprender|aprendendo)\w*)"
)
PORTUGUESE = language(
    "pt",
    words=(
        "o os uma um meu minha meus minhas é sou em que não por para com eu estou se "
        "sempre mas na no nas nos do da dos das "
        "me de e a as à ao aos seu sua tu você nós ele ela isso isto muito mais já "
        "nunca quando como há foi são estamos tá "
        "também nem sem até todos todas cada tenho tem moro vivo trabalho gosto gente nosso nossa obrigado obrigada "
        "hoje ontem esta este essa esse só depois antes pai mãe pode porém mora "
        "moram chamar irmã irmão marido esposa faz dá deixa mal fumo bebo "
        "uso prefiro odeio adoro detesto suporto nasci canhota canhoto vegetariano "
        "vegetariana celíaca divorciado casada casado alérgica alérgico aposentado "
        "aposentada solteira desde num numa pra pro bom boa você vocês ou ser está "
        "olá"
    ),
    opener=(
        "olá|oi|bom dia|boa (?:tarde|noite)|bem|então|obrigad[oa]|a propósito|aliás|"
        "também|e|mas|sim|não(?=[,.:;])|não, não|olha|"
        "na verdade|por acaso|ah|pois|é que|porque|agora|atualmente|por favor|afinal|correção|desculp[ae]|porém|sabe|"
        "só pra constar|de facto|de fato|por sinal|ei"
    ),
    joints=(
        r"mas|porém|e (?=(?:eu|meu|minha|moro|vivo|trabalho|sou|tenho|prefiro|não|nunca|"
        r"sempre|estou|adoro|gosto|ainda)\b)"
    ),
    remember=(
        r"(?:lembr[ae](?:-te|-se)?(?: de)?|não (?:te |se )?esqueças?(?: de)?|anot[ae]|"
        r"tenha em mente|tem em conta|guarda|guarde) que"
    ),
    asks=(
        r"^(?:e |mas )?(?:o que|que(?! (?:bom|maravilha|alegria|sorte|delícia))|qual|"
        r"quais|quem|onde|quando(?! eu| te| você)|como é|como (?:se|posso|faço|faz|é)|"
        r"quant[oa]s?|por ?qu[eê]|porque é que|para quê|a que|em que|de que|será que|"
        r"pode-se|posso|podes|você (?:sabe|pode|conhece)|sabes (?:se|qual))"
    ),
    irony=(
        r"^(?:oh|ah|ai|uau),? (?:sim|claro|que)|(?:o )?(?:meu|minha) (?:passatempo|"
        r"programa|desporto|esporte|sonho) (?:favorit\w+|preferid\w+|de vida)$|sonho "
        r"de consumo$|^(?:oba|eba|uau),|adoro quando (?:me|a|o)|obrigad[oa] por "
        r"nada|^(?:sim,? |"
        r"ah,? )?(?:claro(?: que sim)?|pois|óbvio|com certeza),|^(?:ótimo|óptimo|perfeito|"
        r"fantástico|maravilha|genial|lindo),|"
        r"^que (?:bom|maravilha|alegria|sorte|delícia|beleza)|só que não|até parece|"
        r"nada (?:melhor|como)|(?:era )?só o que (?:me )?faltava|mesmo o que|ironia|"
        r"sarcasmo|^(?:sim,? sim|pois),"
    ),
    unreal=(
        r"^(?:finja|finge|atue como|faz de conta|faça de conta|interprete)|^(?:\S+ )?se (?!chama)|imagin\w+|"
        r"sup\w+nhamos|suponha|digamos|talvez|tomara|"
        r"oxalá|quem (?:me )?dera|gostaria\w*|gostava de (?:ter|ser|viver)|"
        r"(?<!ma\s)(?<!\sa\s)(?<!da\s)(?<!na\s)(?<!de\s)\w{2,}(?:aria|eria|iria)(?:m|"
        r"mos)?|quando eu for|um dia|como se|faz de conta|fa[zç]a de conta|hipoteticamente|"
        r"n[oa] (?:minha|meu|história|romance|sonho|jogo)|tivesse|fosse|pudesse|^(?:tu "
        r")?és (?:um|uma|o|a)|^você é|finge"
    ),
    reported=(
        r"diz(?:em)? que|(?<!eu\s)disse(?:ram)?|segundo|(?:me |nos )?(?:contou|contaram|afirm\w+|"
        r"declarou|explicou|jurou|comentou|escreveu|perguntou|garantiu)|"
        r"conta que|parece que|consta que|ao que parece|dizem|lê-se|acha que|pelo visto|□+"
    ),
    ended=(
        r"^(?:eu )?já não (?:me |o |a )?(?:\w+o|sou|estou|vou)|^(?:eu )?não (?:\w+) "
        r"(?:\S+ ){0,5}mais$|^(?:eu )?(?:deixei|parei|larguei) de \w+r|^(?:eu )?não "
        r"\w+ mais"
    ),
    contrast=r"(?:é|são|era|eram|quis dizer|queria dizer) .{2,60},? (?:não|e não) \S+(?: \S+){0,3}$",
    corrects=r"na verdade|afinal|correção|^não,|não (?:no|na|em|é|cinco)|^desculp\w*",
    episode=(
        r"ontem|anteontem|hoje|esta (?:manhã|tarde|noite|semana)|este fim de semana|"
        r"agora há pouco|há (?:pouco|bocado|\S+ (?:minutos|horas|dias))|"
        r"amanhã|n[oa] (?:segunda|terça|quarta|quinta|sexta|sábado|domingo)|(?:na )?semana "
        r"passada|outro dia|acab(?:o|ei|amos) de|agora mesmo|"
        r"de momento|por enquanto|mês passado"
    ),
    lasting=_LASTS,
    talk=(
        r"(?:eu )?(?:não )?(?:me |te |lhe |o )?(?:acho|penso|espero|suponho|sei|digo|"
        r"pergunto|entendo|compreendo|sinto|imagino|agradeço|lembro|quero|"
        r"preciso(?! fechar| entregar| terminar| acabar| enviar)|desejo|prometo|juro|"
        r"peço|tenho (?:uma? )?(?:pergunta|dúvida|ideia|problema|fome|sede|sono|frio|"
        r"calor|pressa|vontade|tempo|razão)|"
        r"vou (?:\w+r)\b|vamos)|(?:eu )?(?:gosto|gostei|adoro|adorei|amo|amei) (?:muito "
        r")?(?:d?(?:isso|isto|ess[ea]|est[ea]|el[ea])|"
        r"da tua|do teu|da sua|do seu|da ideia|tua|teu|sua ideia|que me)|sou (?:eu|capaz|feliz|grat[oa]|todo ouvidos)"
    ),
    name=r"(?:eu )?(?:me chamo|chamo-me) \w+|(?:o )?meu nome é \w+",
    language=(
        rf"(?:responda|responde|fala|fale|escreve|escreva)(?:-me)?(?: sempre| comigo)? "
        rf"em {_TONGUE}|prefiro respostas em {_TONGUE}"
    ),
    style=(
        r"(?:prefiro|quero|gosto de) respostas (?:mais |muito )?(?:curtas|breves|concisas|"
        r"detalhadas|longas|diretas)|(?:seja|sê) (?:mais )?(?:breve|conciso|direto)"
    ),
    location=(
        r"(?:eu )?(?:agora |atualmente |ainda )?(?:moro|vivo|resido)(?: agora| atualmente)? "
        r"(?:em|no|na|nos|nas) \S+"
    ),
    occupation=r"(?:eu )?trabalho (?:como|de) \S+",
    project=(
        r"(?:eu )?(?:agora |atualmente )?(?:estou|estamos)(?: atualmente)? (?:a trabalhar|"
        r"trabalhando) (?:em|no|na|num|numa) \S+|"
        r"(?:o )?meu projeto(?: atual)? (?:é|chama-se|se chama) \S+"
    ),
    work=(
        r"tenho (?:uma? )?(?:entrega|exame|prova|defesa|prazo|reunião|apresentação)|"
        r"(?:me resta|restam-me|faltam-me|falta-me)|procuro (?:casa|emprego|apartamento)|"
        r"(?:eu |a gente |nós )?(?:estou|estamos|tô|tá|está|ando|andamos) (?:\w+ )?(?:\w+(?:ando|"
        r"endo|indo)|a \w+r|bloquead\w+|pres[oa] (?:em|no|na|com))(?! (?:bem|mal))|"
        r"(?:ainda |só )*(?:me |nos )?falta(?:m|-me|-nos)?|(?:o |a )?(?:meu|minha|nosso|"
        r"nossa)? ?(?:objetivo|objectivo|meta|próximo passo|prazo)(?: \w+)? é|"
        r"(?:\S+ ){0,3}(?:tenho (?:de|que)|temos (?:de|que)|preciso|precisamos) (?:de "
        r")?(?:entregar|terminar|acabar|apresentar|enviar|preparar|fechar)|"
        r"(?:a entrega|o prazo) (?:é|termina|acaba)"
    ),
    own=(
        rf"eu disse \S.*|(?:aos|às|no|na|à|de|em|ao|pela|com) \S+(?: \S+)? (?:me |mi |não |no |"
        rf"non )*{_PRESENT}|fico (?:enjoad|doente|nervos|ansios|mal)\w*|(?:mudei-me|"
        rf"me mudei|mudei para|casei|troquei de|mudei de|voltei a|agora sou)|"
        rf"não consigo (?:comer|beber|dormir|viver)|(?:eu |a gente |nós )?(?:também |"
        rf"(?:{_LASTS}),? |não |quase |já )*(?:me |se |o |a )?{_PRESENT}|eu (?:não )?(?:me "
        rf")?\w{{3,}}o|"
        rf"(?:\S+ ){{0,4}}(?:{_LASTS})(?: \S+)? (?:eu |a gente |me |não )*(?:{_PRESENT}|"
        rf"\w{{3,}}o)|não (?:me )?\w{{3,}}o|"
        r"(?:\S+ ){1,5}?(?:não )?(?:me (?:faz|fazem|dá|dão|deixa|deixam|irrita|irritam|"
        r"cansa|cansam|acalma|acalmam|encanta|encantam|incomoda|incomodam|"
        r"assusta|assustam|interessa|interessam|fascina|fascinam|estressa|estressam|"
        r"cai|caem)|(?:faz|fazem|dá|dão|deixa|deixam|irrita|irritam|"
        r"cansa|cansam|acalma|acalmam|encanta|encantam|incomoda|incomodam|assusta|assustam|"
        r"interessa|interessam|fascina|fascinam|cai|caem)-me)|"
        r"(?:o |a |os |as )?(?:meu|minha|meus|minhas) (?:\S+ )?(?:\S+ )?(?:favorit|preferid|"
        r"predilet)[oa]s? (?:é|são)|(?:o |a )?(?:meu|minha) "
        r"(?:trabalho|profissão|aniversário|língua|clube|time|carro|casa|religião|apelido|"
        r"sobrenome|signo|equipa|hobby)(?: \S+)? (?:é|são|fica)|"
        r"a gente (?:mora|tem|vive|gosta|prefere|usa|trabalha|come)|somos|temos|vivemos|moramos|costumamos"
    ),
    kin=(
        rf"(?:o |a |os |as )?(?:meu|minha|meus|minhas|nosso|nossa|nossos|nossas) {_KIN}(?: "
        rf"(?:mais (?:velh|nov)[oa]|caçula|[A-ZÁÉÍÓÚ]\w+))? (?:já |não |também )?{_STATIVE}"
    ),
    trait=(
        r"(?:um|uma|dois|duas|três|\d+) (?:filh|cã|cachorr|gat)\w+|(?:fã|amante|adepto|"
        r"torcedor\w*) d[eoa]|nascid[oa] em|natural de|mais de \S+ que de|(?:vegan[oa]|"
        r"vegetarian[oa]|celíac[oa]|diabétic[oa]|asmátic[oa]|alérgic[oa]|intolerante|"
        r"canhot[oa]|destr[oa]|daltónic[oa]|daltônic[oa]|"
        r"míope|surd[oa]|ceg[oa]|autista|disléxic[oa]|solteir[oa]|casad[oa]|divorciad[oa]|"
        r"viúv[oa]|aposentad[oa]|reformad[oa]|"
        r"(?:pai|mãe) (?:de|solteir[oa]|solo)|filh[oa] únic[oa]|grávida|ateu|ateia|muçulman[oa]|"
        r"católic[oa]|evangélic[oa]|judi?[ae]u?|"
        r"abstémi[oa]|abstêmi[oa]|bilingue|bilíngue|sem (?:filhos|glúten|lactose)|alergia "
        r"a|(?:professor|enfermeir|médic|advogad|engenheir|"
        r"estudante|cozinheir|program|motorist|contabilist|jornalist|eletricist|arquitet|"
        r"dentist)\w* (?:de|em|no|na)|(?:\w+ ){1,3}desde (?:os|as|sempre|crian|pequen|"
        r"\d)\S*)"
    ),
    imperative=(
        r"(?:quero|prefiro|preciso|gostaria) que|(?:pode|podes|prefiro) (?:me )?(?:trat|"
        r"cham|fal|respond)\w+|(?:por favor,? )?(?:(?:sempre|nunca|jamais|a partir de "
        r"agora|daqui em diante|de agora em diante|não),? )*(?:me |te )?(?:us[ae]s?|"
        r"utiliz[ae]s?|"
        r"respond[ae]s?|escrev[ae]s?|inclu[ai]s?|põe|ponha|coloqu?[ae]s?|d[êá]s?|dê|"
        r"faz|faça|faças|trat[ae]\S*|evit[ae]s?|cham\w+|fal[ae]s?|expli(?:ca|que)s?|"
        r"cit[ae]s?|indi(?:ca|que)s?|termin[ae]s?|come(?:ça|ce)s?|mostr[ae]s?|recomend[ae]s?|"
        r"\w+[aeiê]-me|nada de|sem|traduz\w*|repet\w+|pergunt[ae]s?|mant\w+|"
        r"mand[ae]s?)|(?:pode|podes) (?:me )?(?:chamar|tratar)|(?:as tuas|as suas|tuas|suas) respostas"
    ),
    standing=(
        r"tut[ea]\w*|trat[ae]-me|me trate|^(?:nada de|sem) \S+(?: \S+)?(?: por favor)?$|"
        r"quando \S+|sempre|nunca|jamais|a partir de (?:agora|hoje)|daqui (?:em|para "
        r"a) (?:diante|frente)|de agora em diante|daqui pra frente|cada vez que|"
        r"toda vez que|por padrão|sempre que|(?:pode|podes) (?:me )?chamar|chama-me|"
        r"me chame|n[ao]s (?:tuas |suas )?respostas|quando eu (?:te )?ped\w+"
    ),
)
