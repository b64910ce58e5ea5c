"""The texts by which an embedder's cosines are calibrated: what people ask, and the one memory that answers it.

Within a language every pair is about something of its own, so a question beside another pair's memory is unrelated.
"""

from __future__ import annotations

from typing import NamedTuple


class Probe(NamedTuple):
    """A question and the memory that bears on it, in one language (ISO 639-1)."""

    language: str
    question: str
    memory: str


PROBES: tuple[Probe, ...] = (
    Probe("en", "Can you find me a flight to Lisbon next month?", "Prefers a window seat and never flies overnight"),
    Probe("en", "What should I cook for dinner tonight?", "Is a vegetarian and allergic to peanuts"),
    Probe("en", "Recommend a book for the weekend.", "Loves reading Nordic crime novels and dislikes fantasy"),
    Probe("en", "What is left to do for the quarterly report?", "The revenue chart of the Q3 report is due on Friday"),
    Probe("en", "Explain to me how recursion works.", "Wants explanations kept short, with a code example in Python"),
    Probe("en", "What is my dog called?", "Has a beagle named Biscuit"),
    Probe("en", "Suggest a workout that I can do at home.", "Had knee surgery last year and avoids jumping exercises"),
    Probe("en", "Which clinic do I work at?", "Is employed as a nurse at St. Mary's hospital"),
    Probe("en", "Help me plan my daughter's birthday party.", "Her daughter Ines turns seven in June, loves dinosaurs"),
    Probe("en", "Where should I put my savings?", "Is cautious about investing and only wants low-risk funds"),
    Probe("en", "What music shall I put on?", "Listens to jazz piano while studying"),
    Probe("en", "Schedule a call with the customer in Tokyo.", "Takes no meetings before 10 in the morning"),
    Probe("en", "Why does the deployment keep failing?", "The staging server runs an old version of PostgreSQL"),
    Probe("en", "Where am I going to live after the move?", "Is relocating from Chicago to Denver in March"),
    Probe("de", "Welches Hotel passt zu meiner Reise nach Wien?", "Übernachtet am liebsten in kleinen Pensionen"),
    Probe("de", "Was kann ich heute zu Mittag essen?", "Verträgt keine Milchprodukte und isst gern scharf"),
    Probe("de", "Woran arbeite ich gerade im Büro?", "Leitet das Projekt zur Umstellung der Lohnbuchhaltung"),
    Probe("fr", "Quel film pourrais-je regarder ce soir ?", "Aime les comédies et déteste les films d'horreur"),
    Probe("fr", "Comment dois-je m'habiller pour aller courir ?", "S'entraîne trois fois par semaine pour un marathon"),
    Probe("fr", "Que reste-t-il à faire pour le déménagement ?", "A résilié le bail de son appartement à Lyon"),
    Probe("es", "¿Qué regalo le compro a mi madre?", "A su madre le gustan las plantas y la cerámica"),
    Probe("es", "¿Cómo puedo mejorar mi inglés?", "Estudia inglés por las noches con una aplicación"),
    Probe("zh", "我周末可以去哪里玩？", "喜欢爬山和在郊外露营"),
    Probe("zh", "帮我写一封给老板的邮件。", "在一家软件公司工作，老板喜欢简短的邮件"),
)
