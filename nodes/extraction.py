"""The one interface behind ProfileAgent and TaskAgent: user words in, facts out. Knows no store and no kernel."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

FactType = Literal["profile", "task_context"]
Operation = Literal["assert", "correct", "retract"]

PROFILE_SLOTS = ("user_name", "preferred_tools", "preferred_language", "response_style", "location", "occupation")
TASK_SLOTS = ("current_project", "active_experiment", "goals", "blockers", "next_steps")


class Frozen(BaseModel):
    """Immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Fact(Frozen):
    """One thing the user said that is worth keeping.

    `text` is a sentence that stands on its own, in the user's language; `evidence` is the stretch of the user's message
    that says it, verbatim. `slot` names a value of which only the newest holds (``preferred_language``); without a slot
    facts stand beside each other. `retract` says that what `text` (or the slot) states no longer holds.
    """

    memory_type: FactType
    text: str = Field(min_length=1, max_length=2000)
    evidence: str = Field(min_length=1, max_length=4000)
    slot: str | None = None
    operation: Operation = "assert"
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)


class Problem(Frozen):
    """Something an extractor could not do; the turn goes on. `raw` is what the model said, for the operator."""

    kind: str
    detail: str
    raw: str | None = None


class Preceding(NamedTuple):
    """Something said before the message."""

    role: Literal["user", "assistant"]
    text: str


class ExtractionRequest(Frozen):
    """One user message to read. `text` is the user's own new words and nothing else; `now` dates relative words.

    `preceding` is what was said right before, oldest first, to understand an answer by ("yes, always"). It is no
    evidence: facts are taken from `text` only.
    """

    memory_type: FactType
    text: str
    now: datetime
    preceding: Sequence[Preceding] = ()


class Extraction(Frozen):
    """What came out: facts to write and problems to report. Both may be empty."""

    facts: Sequence[Fact] = ()
    problems: Sequence[Problem] = ()


@runtime_checkable
class Extractor(Protocol):
    """Reads a user's message for one memory type. Never raises for bad input or a failing model: it reports."""

    name: str

    def extract(self, request: ExtractionRequest) -> Extraction:
        """The facts of `request.memory_type` in `request.text`."""
        ...

    async def aextract(self, request: ExtractionRequest) -> Extraction:
        """The same without blocking the event loop."""
        ...
