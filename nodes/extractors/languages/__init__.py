"""One table a language, as data: to add a language, add a file like its neighbours and name it here."""

from nodes.extractors.languages.arabic import ARABIC
from nodes.extractors.languages.chinese import CHINESE
from nodes.extractors.languages.dutch import DUTCH
from nodes.extractors.languages.french import FRENCH
from nodes.extractors.languages.german import GERMAN
from nodes.extractors.languages.grammar import Grammar, Language
from nodes.extractors.languages.hindi import HINDI
from nodes.extractors.languages.italian import ITALIAN
from nodes.extractors.languages.japanese import JAPANESE
from nodes.extractors.languages.korean import KOREAN
from nodes.extractors.languages.polish import POLISH
from nodes.extractors.languages.portuguese import PORTUGUESE
from nodes.extractors.languages.russian import RUSSIAN
from nodes.extractors.languages.spanish import SPANISH
from nodes.extractors.languages.swedish import SWEDISH
from nodes.extractors.languages.turkish import TURKISH

LANGUAGES: tuple[Language, ...] = (
    SPANISH,
    PORTUGUESE,
    FRENCH,
    ITALIAN,
    GERMAN,
    DUTCH,
    SWEDISH,
    POLISH,
    TURKISH,
    RUSSIAN,
    ARABIC,
    HINDI,
    CHINESE,
    JAPANESE,
    KOREAN,
)

__all__ = ["LANGUAGES", "Grammar", "Language"]
