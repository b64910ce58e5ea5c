"""`OfflineExtractor`: facts from the forms of sentences, with no model, no download and no state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from nodes.extraction import Extraction, ExtractionRequest, Fact, FactType, Operation, Problem
from nodes.extractors import cues, languages, patterns, text, vocabulary

MAX_FACTS = 24
"""Facts taken from one message; more than that is a pasted document rather than somebody talking."""


class OfflineExtractor:
    """Reads a message sentence by sentence. Deterministic; a message costs milliseconds, whatever its length.

    What is kept are the user's own statements: preferences, lasting facts, standing instructions (profile),
    current work (task context). Questions, suppositions, other people's words, courtesies and one-off episodes are not.
    """

    name = "offline"

    def extract(self, request: ExtractionRequest) -> Extraction:
        """The facts of `request.memory_type` in `request.text`; a message too long to read whole is reported."""
        message = text.clean(request.text)
        facts: list[Fact] = []
        problems: list[Problem] = []
        windows = text.windows(message)
        for window in windows:
            part = message[window.start : window.end]
            facts.extend(_fact(part, found) for found in read(part) if found.memory_type == request.memory_type)
        facts = _distinct(facts)
        if len(windows) > 1:
            problems.append(
                Problem(kind="too_long", detail=f"read only the head and the tail of {len(message):,} characters")
            )
        if len(facts) > MAX_FACTS:
            problems.append(Problem(kind="too_many", detail=f"kept the first {MAX_FACTS} of {len(facts)} facts"))
        return Extraction(facts=tuple(facts[:MAX_FACTS]), problems=tuple(problems))

    async def aextract(self, request: ExtractionRequest) -> Extraction:
        """The same; there is nothing to wait for."""
        return self.extract(request)


Link = Literal["", "depends", "contrasts", "prefers"]


class Finding(NamedTuple):
    """A fact before it is worded: where it stands, and what it is."""

    start: int
    end: int
    text: str
    memory_type: FactType
    slot: str | None
    operation: Operation
    confidence: float
    mergeable: bool = False
    taste: bool = False
    negative: bool = False


class Statement(NamedTuple):
    """A clause split into what may precede the statement and the statement itself (offsets into the message).

    `link` says how it hangs on the clause that ends at `after`, and `topic` what that clause was about.
    """

    start: int
    core: int
    end: int
    words: str
    hedged: bool = False
    corrects: str = ""
    conditional: bool = False
    remember: bool = False
    link: Link = ""
    after: int = -1
    topic: str = ""


def read(message: str) -> list[Finding]:
    """Everything a message says that is worth keeping, of both memory types, in order."""
    masked = text.mask(message)
    found: list[Finding] = []
    all_sentences = list(text.sentences(masked))
    for index, sentence in enumerate(all_sentences):
        words = masked[sentence.start : sentence.end]
        after = all_sentences[index + 1] if index + 1 < len(all_sentences) else None
        if cues.SARCASM.search(words) or (after and cues.SARCASM_AFTER.match(masked, after.start, after.end)):
            continue
        found.extend(_read_sentence(message, masked, sentence, found))
    return found


def languages_of(words: str) -> set[str]:
    """The languages that a sentence may be in, by its script and its little words; empty when it shows nothing."""
    if _KANA.search(words):
        return {"ja"}
    if _HAN.search(words):
        return {"zh"}
    first, *others = [token.strip(".,;:!?") for token in words.split()[:80]] or [""]
    counts = {code: sum(token in little for token in (first.lower(), *others)) for code, little in _LITTLE.items()}
    most = max(counts.values())
    return {code for code, count in counts.items() if count == most > 0}


def _read_sentence(message: str, masked: str, sentence: text.Sentence, before: list[Finding]) -> list[Finding]:
    words = masked[sentence.start : sentence.end]
    codes = languages_of(words)
    tables = [language for language in languages.LANGUAGES if not codes or language.code in codes]
    found: list[Finding] = []
    if tables and not sentence.question:
        for clause in text.clauses(masked, sentence):
            finding = _read_other(message, masked, clause, tables)
            if finding is not None and finding.text:
                found.append(finding)
    # A form of another language says more about the language than a little word that English has too.
    if not found and (not codes or "en" in codes):
        topic = ""
        for statement in _statements(masked, sentence):
            _append(
                found, _read_english(message, statement._replace(topic=topic), [*before, *found]), statement, message
            )
            topic = _topic(message, statement)
    return found


# --- English ----------------------------------------------------------------------------------------------------------


def _statements(masked: str, sentence: text.Sentence) -> Iterator[Statement]:
    """The clauses of a sentence in which the user may be stating something."""
    clauses = text.clauses(masked, sentence)
    if sentence.question and not _requests(masked, sentence):
        clauses = _asserted_before_question(masked, clauses)
    scope = _Scope()
    after = -1
    for clause in clauses:
        scope = scope.for_next(clause.joint, clause.elided)
        start = _skip(cues.OPENER, masked, clause.start, clause.end, times=4)
        remember = cues.REMEMBER.match(masked, start, clause.end)
        if remember:
            start = remember.end()
        correction = cues.CORRECTION.match(masked, start, clause.end)
        if correction:
            start = correction.end()
        start = _skip(cues.IDIOM_IF, masked, start, clause.end)
        start = _skip(cues.OPENER, masked, start, clause.end, times=2)
        hedge = cues.HEDGE.match(masked, start, clause.end)
        core = hedge.end() if hedge else start
        frame = cues.FRAME.match(masked, core, clause.end)
        if frame and not cues.STANDING.search(frame[0]):
            core = frame.end()
        else:
            frame = None
        conditional = frame is not None and cues.IF_FRAME.match(frame[0]) is not None
        supposed = cues.HYPOTHETICAL.match(masked, core, clause.end) or (
            frame and cues.HYPOTHETICAL.match(masked, frame.start(), clause.end)
        )
        if supposed and not conditional:
            return
        words = " ".join(masked[core : clause.end].split())
        if clause.elided and not words.lower().startswith(("i ", "i'")):
            words = "I " + words
        if not scope.unreal:
            yield Statement(
                start=start,
                core=core,
                end=clause.end,
                words=words,
                hedged=hedge is not None,
                corrects=correction[0] if correction else "",
                conditional=conditional or scope.conditional,
                remember=remember is not None,
                link=_link(clause, words, scope),
                after=after,
            )
        scope, after = scope.within(words, frame[0] if frame else "", conditional), clause.end


class _Scope(NamedTuple):
    """What governs a clause and, if they are merely added to it, the clauses after it.

    `leads` says that what makes it conditional opens the sentence; a condition in its middle ends at a comma.
    """

    unreal: bool = False
    conditional: bool = False
    framed: bool = False
    leads: bool = False

    def for_next(self, joint: str, elided: bool) -> _Scope:
        """What still holds after a joint: nothing after "but" or a semicolon."""
        if not (elided or cues.ADDS.match(joint)):
            return _Scope()
        ends = joint.startswith(",") and joint != "," and not elided and not self.leads
        return _Scope(framed=self.framed) if ends else self

    def within(self, words: str, frame: str, conditional: bool) -> _Scope:
        """What holds inside the clause of these words, and so may hold on."""
        leads = conditional or self.leads
        conditional = conditional or self.conditional or cues.IF_INSIDE.search(words) is not None
        return _Scope(
            unreal=self.unreal
            or cues.IRREALIS.search(words) is not None
            or (conditional and cues.COUNTERFACTUAL.match(words) is not None),
            conditional=conditional,
            framed=self.framed or bool(frame and not cues.ADVERB_FRAME.match(frame)),
            leads=leads,
        )


def _link(clause: text.Clause, words: str, scope: _Scope) -> Link:
    """How a clause hangs on the one before: by its subject, a pronoun, a condition, or as its reason or contrast."""
    if clause.elided or scope.conditional or scope.framed or cues.SUBORDINATES.match(clause.joint):
        return "depends"
    if clause.joint and (cues.ANAPHOR.search(words) or cues.HEADLESS.match(words)):
        return "depends"
    if cues.CONTRASTS.match(clause.joint):
        return "contrasts"
    return "prefers" if clause.joint and cues.PREFERS.match(words) else ""


def _requests(masked: str, sentence: text.Sentence) -> bool:
    """Whether a question really asks for something that lasts: "Can you always …?", "Could you remember that …?"."""
    asked = cues.REQUEST.match(masked, sentence.start, sentence.end)
    return asked is not None and bool(
        cues.STANDING.search(masked, sentence.start, sentence.end)
        or cues.REMEMBER.match(masked, sentence.start, sentence.end)
    )


def _asserted_before_question(masked: str, clauses: list[text.Clause]) -> list[text.Clause]:
    """The clauses before the asking one: "I'm vegan, any ideas?" states something, "I'm right, no?" nothing."""
    if len(clauses) < 2 or cues.TAG_QUESTION.match(masked, clauses[-1].start, clauses[-1].end):
        return []
    kept: list[text.Clause] = []
    for clause in clauses[:-1]:
        start = _skip(cues.OPENER, masked, clause.start, clause.end, times=4)
        start = _skip(cues.FRAME, masked, start, clause.end)
        if not (clause.elided or _DECLARES.match(masked, start, clause.end) or _over(masked[start : clause.end])):
            return kept
        kept.append(clause)
    return kept


def _read_english(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    if statement.conditional and (_formerly(statement.words) or _over(statement.words)):
        return None
    for reading in (_resolved, _ended, _switched, _stated, _corrected):
        found = reading(message, statement, before)
        if found is not None:
            return found
    return _remembered(message, statement)


def _stated(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    """What the rules say about the statement."""
    rule, match = _first_rule(statement.words, statement.conditional)
    if rule is None and statement.link == "depends" and _precedes(before, statement):
        rule, match = _first_rule(statement.words, statement.conditional, pronouns=True)
        if rule and (rule.slot or rule.memory_type != before[-1].memory_type):
            return None
    if rule is None:
        rule, match = _first_rule(cues.FROM_NOW_ON.sub("", statement.words, count=1), statement.conditional)
    if rule is None or match is None:
        return None
    wording = rule.template.format(value=_value(match)) if rule.template else _wording(message, statement)
    slot = rule.slot
    kind = match.groupdict().get("kind")
    if slot and kind:
        slot = f"{slot}.{'_'.join(kind.lower().split())}"
    corrects = slot is not None and bool(statement.corrects or cues.CONTRAST.search(statement.words))
    corrects = corrects or bool(cues.STRONG_CORRECTION.search(statement.corrects))
    return Finding(
        start=statement.start,
        end=statement.end,
        text=wording,
        memory_type=rule.memory_type,
        slot=slot,
        operation="correct" if corrects else "assert",
        confidence=round(rule.confidence * (0.8 if statement.hedged else 1.0), 2),
        mergeable=slot is None and not corrects and rule.template is None,
        taste=rule.name in patterns.TASTE_RULES,
        negative=cues.NEGATIVE.search(statement.words) is not None,
    )


def _precedes(before: list[Finding], statement: Statement) -> bool:
    """Whether the clause right before says something that this one may be added to."""
    return bool(before) and before[-1].end == statement.after and before[-1].mergeable


def _ended(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    """What the user says no longer holds, worded as the statement that held."""
    held = _formerly(statement.words)
    if held is None:
        return None
    held, held_own = (
        cues.ANAPHOR.sub(statement.topic, words, count=1) if statement.topic else words
        for words in (held, _formerly(_straight(message, statement)) or held)
    )
    finished = cues.DONE_WITH.match(statement.words) is not None
    rule, match = _first_rule(held, conditional=False)
    if not finished and (rule is None or rule.name == patterns.USES_TOOL):
        held, held_own = _simple_present(held), _simple_present(held_own)
        rule, match = _first_rule(held, conditional=False)
    if rule is None or match is None:
        return None
    wording = rule.template.format(value=_value(match)) if rule.template else held_own
    # A tool given up may have been named in any slot ("my favourite tools are Vim and tmux").
    slot = None if finished or rule.name == patterns.USES_TOOL else rule.slot
    confidence = 0.5 if finished else rule.confidence
    return Finding(statement.start, statement.end, text.tidy(wording), rule.memory_type, slot, "retract", confidence)


def _resolved(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    """An obstacle that is gone, work that is finished: retracts what was said to stand in the way or to be done."""
    over = _over(statement.words)
    if over is None and statement.topic and cues.UNBLOCKED.match(statement.words):
        wording = f"I'm blocked by {statement.topic}"
        return Finding(statement.start, statement.end, wording, "task_context", None, "retract", 0.7)
    if over is None:
        return None
    what = _decapitalised(_straight(message, statement)[slice(*over.span)])
    wording = f"I have to {over.verb} {what}" if over.verb else over.template.format(what=what)
    return Finding(statement.start, statement.end, wording, "task_context", None, "retract", 0.7)


class _Over(NamedTuple):
    """Where the words name what is over, and how to word the statement that held."""

    span: tuple[int, int]
    template: str
    verb: str = ""


def _over(words: str) -> _Over | None:
    for template, forms in (("I'm blocked by {what}", cues.BLOCKER_GONE), ("I have {what} to do", cues.WORK_DONE)):
        for form in forms:
            match = form.match(words)
            if match:
                groups = match.groupdict()
                name = "what" if groups.get("what") else "got"
                return _Over(match.span(name), template, _infinitive((groups.get("gerund") or "").lower()))
    return None


def _topic(message: str, statement: Statement) -> str:
    """What a clause is about, for the pronouns of the next: its subject, or what it says is over; may be empty."""
    over = _over(statement.words)
    subject = cues.WAS_BLOCKED.match(statement.words) or cues.SUBJECT.match(statement.words)
    span = over.span if over else subject.span("what") if subject else (0, 0)
    return _decapitalised(_straight(message, statement)[slice(*span)])


def _decapitalised(name: str) -> str:
    first, space, rest = name.rstrip(" .").partition(" ")
    return first.lower() + space + rest if first.lower() in ("the", "my", "our", "this", "that", "all") else name


def _straight(message: str, statement: Statement) -> str:
    return " ".join(text.straight(message[statement.core : statement.end]).split())


def _formerly(words: str) -> str | None:
    """ "I no longer use Vim" as "I use Vim"; None if the words end nothing."""
    for pattern in (cues.NO_LONGER, cues.NOT_ANY_MORE):
        match = pattern.match(words)
        if match:
            rest = cues.REASON.sub("", match["rest"])
            return f"{match['subject']}{_POSITIVE.get((match['am'] or '').strip().lower(), '')} {rest}"
    match = cues.STOPPED.match(words)
    if match:
        gerund, _, rest = cues.REASON.sub("", match["rest"]).partition(" ")
        return f"{match['subject']} {_infinitive(gerund.lower())} {rest}"
    match = cues.DONE_WITH.match(words)
    if match:
        rest = match["rest"]
        return f"I'm {rest}" if rest.split(" ", 1)[0].endswith("ing") else f"I'm working on {rest}"
    match = cues.FORGET.match(words)
    return match["rest"] if match else None


def _simple_present(words: str) -> str:
    """ "I'm using Vim" as "I use Vim"; other words stay."""
    match = cues.PROGRESSIVE.match(words)
    return f"{match['subject']} {_infinitive(match['gerund'].lower())} {match['rest']}" if match else words


def _infinitive(gerund: str) -> str:
    """ "using" as "use", "running" as "run", "eating" as "eat": near enough to find the fact again."""
    stem = gerund.removesuffix("ing")
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    if re.search(r"(?:[^aeiou][aeiou][vskz]|[cgvu]|[^aeiou]at|mok|rik|hik|bik)$", stem) and not stem.endswith(
        ("ok", "ek")
    ):
        return stem + "e"
    return stem + "e" if stem in _SILENT_E else stem


def _switched(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    match = cues.SWITCHED.match(statement.words)
    if match is None or cues.VAGUE_OBJECT.match(match["value"]):
        return None
    return Finding(statement.start, statement.end, _wording(message, statement), "profile", None, "correct", 0.75)


def _corrected(message: str, statement: Statement, before: list[Finding]) -> Finding | None:
    """ "Actually it's Porto", "not Lisbon, Porto": a new value for what was said before.

    If it was said in this message, the slot comes from there. Otherwise only whoever knows the earlier turns can say
    what is corrected.
    """
    words = statement.words
    match = cues.NOT_BUT.match(words) or (
        cues.BARE_CORRECTION.match(words) if statement.corrects or _INSTEAD.search(words) else None
    )
    if match is None or match["value"] in vocabulary.NOT_A_NAME:
        return None
    earlier = next((finding for finding in reversed(before) if finding.slot), None)
    wording = _wording(message, statement)
    if earlier is None:
        return Finding(statement.start, statement.end, wording, "profile", None, "correct", 0.4)
    value = match["value"].strip(" .")
    template = next((rule.template for rule in patterns.RULES if rule.slot == earlier.slot and rule.template), None)
    _, stated = _first_rule(earlier.text, conditional=False)
    span = patterns.value_span(stated) if stated else None
    if template:
        wording = template.format(value=value)
    elif span:
        wording = earlier.text[: span[0]] + value + earlier.text[span[1] :]
    return Finding(statement.start, statement.end, wording, earlier.memory_type, earlier.slot, "correct", 0.7)


def _remembered(message: str, statement: Statement) -> Finding | None:
    """What the user explicitly asks to remember, in whatever form it stands."""
    if not statement.remember or len(statement.words.split()) < 3 or cues.NOT_MEMORABLE.match(statement.words):
        return None
    return Finding(statement.start, statement.end, _wording(message, statement), "profile", None, "assert", 0.8)


def _first_rule(
    words: str, conditional: bool, pronouns: bool = False
) -> tuple[patterns.Rule | None, re.Match[str] | None]:
    """The rule that decides. `pronouns` may stand for what the statement is about, if the clause before names it."""
    for rule in patterns.RULES:
        match = rule.pattern.match(words)
        if match and _holds(rule, match, words, conditional, pronouns):
            return rule, match
    return None, None


def _holds(rule: patterns.Rule, match: re.Match[str], words: str, conditional: bool, pronouns: bool) -> bool:
    """Whether the matched form really states something that lasts and stands on its own."""
    groups = match.groupdict()
    if conditional and not (rule.lasting or rule.name in patterns.OPEN_VERB_RULES):
        return False
    if not rule.sure and cues.ONE_OFF.search(words):
        return False
    if rule.name in patterns.OPEN_VERB_RULES:
        return _is_habit(groups["verb"].lower(), groups["rest"] or "", words, pronouns)
    if rule.slot == "user_name":
        return _value(match).split()[0] not in vocabulary.NOT_A_NAME
    span = patterns.value_span(match)
    return span is None or _names_something(words[slice(*span)], pronouns)


def _names_something(value: str, pronouns: bool) -> bool:
    return not cues.VAGUE_OBJECT.match(value) or (pronouns and cues.ANAPHOR.match(value) is not None)


def _is_habit(verb: str, rest: str, words: str, pronouns: bool) -> bool:
    """Whether a verb right after "I" is a simple present that tells of a habit, neither talk nor the past."""
    if verb in vocabulary.PAST_FORMS or (verb.endswith("ed") and verb not in ("need", "feed", "speed", "bleed")):
        return False
    if verb in vocabulary.HEDGES_AND_SPEECH:
        usual = verb in vocabulary.HABITUAL_ANYWAY and cues.HABITUAL.search(words) is not None
        if not usual:
            return False
    return bool(rest.strip(" .!")) and _names_something(rest, pronouns)


def _value(match: re.Match[str]) -> str:
    span = patterns.value_span(match)
    value = match.string[slice(*span)] if span else match[0]
    return value.strip(" .,;:!") if value[:1].isupper() else value.strip(" .,;:!").title()


# --- other languages --------------------------------------------------------------------------------------------------


def _read_other(message: str, masked: str, clause: text.Clause, tables: list[languages.Language]) -> Finding | None:
    for language in tables:
        end = clause.start + len(masked[clause.start : clause.end].rstrip(" .!。！"))
        start = _skip(language.opener, masked, clause.start, end, times=3)
        remember = language.remember.match(masked, start, end)
        if remember and remember.end() < end:
            start = remember.end()
        if not remember and language.blocked.match(masked, start, end):
            continue
        for form in language.forms:
            match = form.pattern.match(masked, start, end)
            if match:
                return _other_finding(message, Statement(start, start, end, masked[start:end]), form)
        if remember:
            kept = Statement(start if start < end else clause.start, start, end, "")
            return Finding(kept.start, kept.end, _wording(message, kept), "profile", None, "assert", 0.75)
    return None


def _other_finding(message: str, statement: Statement, form: languages.Form) -> Finding:
    return Finding(
        start=statement.start,
        end=statement.end,
        text=_wording(message, statement),
        memory_type=form.memory_type,
        slot=form.slot,
        operation=form.operation,
        confidence=0.75,
    )


# --- wording ----------------------------------------------------------------------------------------------------------


def _wording(message: str, statement: Statement) -> str:
    """The user's own words, so that neither language nor meaning changes; only a missing subject is supplied."""
    own = message[statement.start : statement.end]
    if (
        statement.words.startswith("I ")
        and not own.lower().startswith(("i ", "i'"))
        and statement.core == statement.start
    ):
        own = "I " + own
    return text.tidy(own)


def _append(found: list[Finding], new: Finding | None, statement: Statement, message: str) -> None:
    """Adds a finding, if there is one; to the fact of the clause before, if it does not stand on its own."""
    if new is None or not new.text:
        return
    if _precedes(found, statement) and _belongs_to(new, found[-1], statement.link):
        last = found[-1]
        joined = text.tidy(message[last.start : new.end])
        if new.end - last.start <= text.MAX_CLAUSE_CHARS and joined.startswith(last.text):
            confidence = max(last.confidence, new.confidence)
            found[-1] = last._replace(end=new.end, text=joined, confidence=confidence)
            return
    found.append(new)


def _belongs_to(new: Finding, last: Finding, link: Link) -> bool:
    if not new.mergeable or last.memory_type != new.memory_type:
        return False
    tastes = last.taste and new.taste
    return (
        link == "depends"
        or (link == "contrasts" and (tastes or last.negative or new.negative))
        or (link == "prefers" and tastes and last.negative)
    )


def _fact(message: str, found: Finding) -> Fact:
    evidence = message[found.start : found.end]
    return Fact(
        memory_type=found.memory_type,
        text=found.text[:2000],
        evidence=evidence[:4000],
        slot=found.slot,
        operation=found.operation,
        confidence=found.confidence,
    )


def _distinct(facts: list[Fact]) -> list[Fact]:
    """Without repetitions: the same words said twice are one fact."""
    seen = {(fact.operation, fact.slot, fact.text.casefold()): fact for fact in reversed(facts)}
    return list(reversed(seen.values()))


def _skip(pattern: re.Pattern[str], masked: str, start: int, end: int, times: int = 1) -> int:
    for _ in range(times):
        match = pattern.match(masked, start, end)
        if match is None or match.end() >= end or match.end() == start:
            return start
        start = match.end()
    return start


_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u4e00-\u9fff]")
_LITTLE = languages.FUNCTION_WORDS
_DECLARES = re.compile(r"(?:i|i'm|i've|i'd|i'll|my|we|we're|our)\b", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:not|instead of)\b", re.IGNORECASE)
_POSITIVE = {
    "'m": "'m",
    "am": " am",
    "'re": "'re",
    "are": " are",
    "'m not": "'m",
    "am not": " am",
    "'re not": "'re",
    "are not": " are",
}
_SILENT_E = vocabulary.words("us mak tak driv writ rid com hav liv smok danc practis practic mov lov")
