"""English words that the patterns are made of: closed lists of the language, fitted to no topic and no data set."""

from __future__ import annotations


def any_of(alternatives: str) -> str:
    """A group that matches any of the ``|``-separated alternatives."""
    return "(?:" + "|".join(word.replace(" ", r"\s") for word in alternatives.split("|")) + ")"


def words(text: str) -> frozenset[str]:
    """The words of a list written as a text."""
    return frozenset(text.split())


LANGUAGES = any_of(
    "english|french|german|spanish|portuguese|italian|dutch|polish|czech|russian|ukrainian|turkish|arabic|hebrew|hindi|"
    "urdu|bengali|chinese|mandarin|cantonese|japanese|korean|vietnamese|thai|indonesian|malay|swedish|norwegian|danish|"
    "finnish|greek|hungarian|romanian|bulgarian|croatian|serbian|slovak|slovenian|catalan|basque|galician|swahili|"
    "persian|farsi|tamil|latin|esperanto|irish|welsh|lithuanian|latvian|estonian|icelandic|tagalog|filipino"
)
"""Languages somebody may want answers in. "My preferred language is Python" is about a tool."""

TOOL_KINDS = any_of(
    "editor|code editor|text editor|ide|shell|terminal|browser|package manager|operating system|os|distro|database|"
    "framework|test runner|linter|formatter|programming language|language|note-taking app|calendar|email client|"
    "search engine|keyboard layout|spreadsheet|design tool|version control"
)
"""Kinds of tool of which a person has one at a time; each is a slot of its own below `preferred_tools`."""

KNOWN_TOOLS = {
    "editor": any_of(
        "neovim|nvim|vim|gvim|emacs|doom emacs|spacemacs|helix|vs code|vscode|visual studio code|visual studio|"
        "vscodium|sublime|sublime text|atom|zed|nano|kakoune|kate|gedit|notepad\\+\\+|textmate|bbedit|cursor|"
        "windsurf|pycharm|intellij|intellij idea|webstorm|phpstorm|goland|clion|rider|rubymine|rustrover|eclipse|"
        "netbeans|xcode|android studio|rstudio|spyder"
    ),
    "shell": any_of("bash|zsh|fish|nushell|powershell|tcsh|ksh|xonsh|elvish"),
    "terminal": any_of("alacritty|kitty|wezterm|iterm2?|ghostty|konsole|gnome terminal|windows terminal"),
    "browser": any_of(
        "firefox|chrome|google chrome|chromium|safari|edge|microsoft edge|brave|opera|vivaldi|librewolf|tor browser"
    ),
}
"""Tools by the kind (of `TOOL_KINDS`) that they are, where "I use it" alone says that it is the one."""

OVER_BLOCKER = any_of(
    "fixed|solved|resolved|unblocked|sorted|sorted out|repaired|patched|cleared|lifted|gone|back|back up|back online|"
    "out of the way"
)
OVER_WORK = any_of(
    "done|finished|complete|completed|shipped|released|launched|submitted|delivered|merged|deployed|published|live|"
    "handed in|wrapped up"
)
HINDERING = any_of("failing|broken|blocked|blocking|flaky|down|crashing|hanging|timing out")
OVER = f"(?:{OVER_BLOCKER}|{OVER_WORK})"
"""What is said of an obstacle that is gone, and of work that is finished."""

KIN = any_of(
    "wife|husband|partner|spouse|girlfriend|boyfriend|fiancée?|son|sons|daughter|daughters|kid|kids|child|children|"
    "baby|"
    "twins|triplets|mother|mom|mum|father|dad|parents?|brothers?|sisters?|siblings?|step\\w+|grand\\w+|aunts?|uncles?|"
    "cousins?|nieces?|nephews?|dogs?|cats?|pets?|puppy|kitten|horses?|parrots?|rabbits?|hamsters?|roommates?|family"
)

HOUSEHOLD = any_of(
    "wife|husband|partner|spouse|girlfriend|boyfriend|fiancée?|sons?|daughters?|kids?|child|children|baby|twins|"
    "triplets|"
    "toddler|oldest|eldest|youngest|mother|mom|mum|father|dad|parents?|dogs?|cats?|pets?|puppy|puppies|kittens?|"
    "horses?|mare|"
    "gelding|stallion|pony|goats?|hens?|chickens?|parrots?|rabbits?|hamsters?|tortoise|turtle|snake|budgie|grandson|"
    "granddaughter|grandchildren|family"
)
"""Those whose lives are part of the user's own; what siblings, in-laws and cousins are is theirs."""

HOMES = any_of("house|home|flat|apartment|condo|farm|car|van|boat|bike|motorbike|truck|cottage|cabin|studio|place")
MOMENTS = (
    r"(?:(?:not|so|really|very|always|just|still|currently|being|a bit)\s)?(?:coming|visiting|here|there|over|mad|"
    r"angry|upset|"
    r"driving|going|calling|asking|telling|saying|sick|home|asleep|sleeping|late|tired|happy|fine|ok|okay|good|great|"
    r"right|wrong|sure|gone|back|busy|out|away|excited|worried|been\s\w+ing|made|told|said|asked|got to)"
)
"""What is said of somebody for the moment."""
OPINIONS = any_of(
    "thinks?|says?|tells?|asks?|wants?|loves?|likes?|hates?|prefers?|enjoys?|adores?|believes?|claims?|swears?|"
    "insists?|"
    "reckons?|feels?|hopes?|wishes|wonders?|knows?|means?|keeps?|calls?|texts?|seems?|looks?|sounds?|guesses|agrees?|"
    "finds?|said|told|thought|asked"
)
"""What relatives say and like, which is theirs."""

TRAITS = any_of(
    "vegan|vegetarian|pescatarian|omnivore|kosher|halal|gluten[- ]free|celiac|coeliac|lactose[- ]intolerant|diabetic|"
    "asthmatic|allergic|intolerant|sensitive|epileptic|autistic|dyslexic|neurodivergent|bipolar|disabled|deaf|blind|"
    "hard of hearing|colou?r[- ]?blind|near-?sighted|far-?sighted|left[- ]handed|right[- ]handed|ambidextrous|pregnant|"
    "married|single|divorced|widowed|engaged|gay|lesbian|bisexual|queer|trans|transgender|non-?binary|asexual|straight|"
    "retired|unemployed|self-employed|employed|freelance|bilingual|trilingual|multilingual|native|fluent|religious|"
    "atheist|agnostic|christian|catholic|protestant|muslim|jewish|buddhist|hindu|introverted|extroverted|introvert|"
    "keto|paleo|low[- ]carb|plant[- ]based|non[- ]?smoker|non[- ]?drinker|homeless|never married|newly arrived|"
    "claustrophobic|agoraphobic|blonde?|brunette|redheaded|bald|skinny|slim|ex[- ]military|overweight|tall|short|"
    "adopted"
)
"""Lasting properties; moods and states ("tired", "excited") are deliberately not here."""

DEMONYMS = (
    r"(?:[A-Z][a-z]+(?:ese|ish)|American|Canadian|Mexican|Brazilian|Argentinian|Chilean|Colombian|Peruvian|German|"
    r"French|"
    r"Italian|Greek|Dutch|Swiss|Austrian|Belgian|Russian|Ukrainian|Czech|Slovak|Hungarian|Romanian|Bulgarian|Croatian|"
    r"Serbian|Norwegian|Indian|Pakistani|Korean|Indonesian|Malaysian|Filipino|Thai|Australian|Nigerian|Kenyan|Ghanaian|"
    r"Ethiopian|Egyptian|Moroccan|Tunisian|Algerian|Israeli|Iranian|Iraqi|Syrian|Lebanese|Saudi|European|African|Asian|"
    r"Latino|Latina|Catholic|Muslim|Jewish|Christian|Buddhist|Hindu)"
)

NOT_A_NAME = words(
    "Sorry Sure Fine Good Great Okay Ok Happy Glad Sad Tired Busy Here Back Done Ready New Not Just Very So Really "
    "Still "
    "Also Always Never Afraid Curious Interested Looking Trying Working Going Having Lost Stuck Confused Excited Bored "
    "Hungry Vegan Vegetarian Married Single Retired Home Late Sick Well Better Right Wrong Serious Kidding Aware "
    "Unsure "
    "The A An In On At From My Your I You It Your"
)

HEDGES_AND_SPEECH = words(
    "think know hope guess mean see understand agree disagree wonder suppose suspect imagine believe doubt bet "
    "assume figure "
    "recall remember forget hear notice realize realise say tell ask swear promise apologize apologise admit confess "
    "thank appreciate wish want need have got get must can cannot could would should will shall may might had has am "
    "is "
    "was were be been do did done feel look seem sound look want'd plan intend aim gather take bring come go went "
    "give let put start stop try keep end finish leave send show share mention insist repeat quote recommend suggest "
    "both all each just now then too propose request require beg demand owe care mind miss used said"
)
"""Verbs whose first person present is talk, not habit ("I think", "I need"), and auxiliaries."""

HABITUAL_ANYWAY = words(
    "do go take get give keep start try come leave want need bring share send finish put let have see hear"
)
"""Of those, the ones that do state a habit when a word such as "always" or "every day" says so."""

PAST_FORMS = words(
    "was were had did went saw took made got gave came found thought told became left felt kept began brought bought "
    "built caught chose drew drank drove ate fell fought flew forgot forgave froze grew heard held hid knew laid led "
    "lent "
    "lost meant met paid rode rang rose ran sold sent shook shot sang sat slept spoke spent stood stole stuck swam "
    "taught "
    "tore threw understood woke wore won wrote broke dealt dug fed fled hung lit sank sought slid swore swept swung "
    "wept "
    "wound withdrew burnt learnt dreamt spelt said dropped"
)

EPISODE_NOUNS = any_of(
    "question|questions|idea|ideas|problem|problems|issue|issues|meeting|appointment|doubt|doubts|feeling|request|exam|"
    "test|deadline|clue|suggestion|suggestions|recommendation|trip|call|look|chance|error|bug|favou?r|concern|concerns|"
    "trouble|difficulty|difficulties|fun|cold|headache|flight|interview|presentation|speech|plan|plans|time|task|"
    "choice|"
    "reason|reasons|day|week|weekend|thing|something|nothing|anything|point|read|lot|lots|story|date|class|party|clear|"
    "much|enough|bit|one|ones|few|couple|list|file|table|function|script|code|folder|dataset|string|array|text|essay|"
    "document|sentence|paragraph|option|options|answer|good|great"
)
"""What one "has" for the moment: "I have a question" says nothing lasting."""
