"""The things that pass through the kernel, as frozen data. No behaviour beyond validation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

SharingPolicy = Literal["private", "shared"]
Status = Literal["current", "superseded", "retracted", "quarantined"]
WriteState = Literal["accepted", "settled", "indexed", "failed", "duplicate"]
Content = str | dict[str, Any]


def utcnow() -> datetime:
    """Now, timezone-aware, in UTC (the only clock the kernel stores)."""
    return datetime.now(UTC)


def _aware(value: Any) -> Any:
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value.astimezone(UTC) if isinstance(value, datetime) else value


Timestamp = Annotated[datetime, BeforeValidator(_aware)]


class Frozen(BaseModel):
    """Base of the kernel's records: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(Frozen):
    """Where a memory's words came from.

    `turn` names the turn of a watched thread (`MemoryKernel.begin_turn`): what it taught falls and rises with it.
    """

    thread_id: str | None = None
    message_id: str | None = None
    speaker: str | None = None
    turn: str | None = None


class MemoryItem(Frozen):
    """One memory (KMSM 3.1): what it says, whose it is, who may see it, and when it holds.

    `user_id`, `owner_agent` and `source` never change after acceptance. `valid_to` is set when a newer value of the
    same slot replaces this one. `reason` says why an item was taken back: what taught it was edited, removed, replaced
    or left on a branch of the conversation that was abandoned. All times are UTC.
    """

    id: str
    user_id: str
    owner_agent: str
    memory_type: str
    sharing_policy: SharingPolicy
    content: Content
    text: str
    slot: str | None = None
    status: Status = "current"
    created_at: Timestamp
    valid_from: Timestamp
    valid_to: Timestamp | None = None
    expires_at: Timestamp | None = None
    seq_no: int
    source: Source = Source()
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    reason: str | None = None

    def is_live(self, now: datetime) -> bool:
        """Current and not expired at `now`: the only items that may be injected."""
        return self.status == "current" and (self.expires_at is None or self.expires_at > now)


class WriteReceipt(Frozen):
    """What a write came to. `accepted` is on disk; `settled` is visible; `indexed` is in the provider too.

    `duplicate` names the item that already says the same: nothing new was stored.
    """

    item_id: str
    user_id: str
    seq_no: int
    state: WriteState


class Turn(Frozen):
    """A turn of a watched thread: its name, and what became of memories because the thread's past is another now.

    `name` is for the turn's sources and for the next turn's `after`. `edited`: ids of earlier messages that say
    something else than when they were read, and are to be read again.
    """

    name: str
    edited: tuple[str, ...] = ()
    taken_back: tuple[MemoryItem, ...] = ()
    restored: tuple[MemoryItem, ...] = ()


class BarrierReport(Frozen):
    """How long a read waited for the writes accepted before it (Eq. 3), in milliseconds."""

    snapshot: int
    waited_ms: float = 0.0
    timed_out: bool = False
    pending: int = Field(default=0, description="writes accepted before the read and still not visible to it")


IdentitySource = Literal["request", "session", "observed", "agent"]


class Identity(Frozen):
    """Whose memories a request is about, and which step of the chain said so (invariant 5)."""

    user_id: str
    source: IdentitySource


class Decision(Frozen):
    """Why one candidate was injected or not. `reason` is a sentence; `rule` is its stable name."""

    item_id: str
    verdict: Literal["injected", "dropped"]
    rule: str
    reason: str
    memory_type: str
    text: str
    relevance: float = 0.0
    tokens: int = 0


class ErasureReceipt(Frozen):
    """What `forget_user` removed, by place: ledger rows, index vectors, cached views, registered erasers."""

    user_id: str
    erased_at: Timestamp
    removed: dict[str, int]
    complete: bool
    problems: tuple[str, ...] = ()


def canonical_json(value: Content) -> str:
    """Stable JSON of a content, as stored and digested."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def as_content(value: str | Mapping[str, Any]) -> Content:
    """A copy that the caller can no longer change, of what JSON can say. Raises ValueError or TypeError."""
    if isinstance(value, str):
        return value
    told = json.dumps(dict(value), ensure_ascii=False, allow_nan=False, default=str)
    content: Content = json.loads(told.encode("utf-8", "replace"))
    return content
