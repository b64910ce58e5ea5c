"""The port to the ledger, the authority over what was accepted. A ledger orders, stores and answers; it decides nothing
about visibility or relevance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from memory_kernel.items import Content, MemoryItem, SharingPolicy, Source


class Partition(NamedTuple):
    """A user as the ledger knows it. `epoch` is never used again: who comes back after an erasure gets a new one."""

    user_id: str
    epoch: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A write as asked for, checked and ready to be accepted."""

    id: str
    owner_agent: str
    memory_type: str
    sharing_policy: SharingPolicy
    content: Content
    text: str
    fingerprint: str
    created_at: datetime
    valid_from: datetime
    slot: str | None = None
    expires_at: datetime | None = None
    source: Source = field(default_factory=Source)
    confidence: float = 1.0
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """What the ledger made of a draft. `fresh` is False when an earlier item already stands for it."""

    item: MemoryItem
    fresh: bool
    replaced: tuple[str, ...] = ()


class Unindexed(NamedTuple):
    """An accepted item whose vector is not in the provider yet, and the ids that it took the place of."""

    partition: Partition
    item: MemoryItem
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Deferred:
    """Work that an agent left for later, under a number that was reserved with it. `task` is the agent's own, JSON."""

    partition: Partition
    seq_no: int
    agent: str
    session_id: str | None
    task: Mapping[str, Any]


class Reading(NamedTuple):
    """That a message of the user was read in a turn of a thread, with a digest of what it said then.

    `digest` is None where the message was found to be gone. What the message taught holds while the reading is
    `standing`. `n` grows with time; `parent` is the turn before, "" at the beginning of the thread.
    """

    n: int
    turn: str
    parent: str
    message_id: str
    digest: str | None
    standing: bool


@dataclass(frozen=True, slots=True)
class ThreadChange:
    """What becomes of the readings of a thread. `withdrawn`: by number, with the reason.

    `let_stand`: what these did stays as it is for good, and they are forgotten; `anew`: all that were recorded before.
    """

    turn: str
    parent: str
    added: Mapping[str, str | None] = field(default_factory=dict)  # message id -> digest
    withdrawn: Mapping[int, str] = field(default_factory=dict)
    reinstated: Sequence[int] = ()
    let_stand: Collection[int] = ()
    anew: bool = False

    def __bool__(self) -> bool:
        return bool(self.added or self.withdrawn or self.reinstated or self.let_stand or self.anew)


@dataclass(frozen=True, slots=True)
class Revised:
    """What became of items when readings changed: taken back, current again, and what was current and is no more."""

    taken_back: tuple[MemoryItem, ...] = ()
    restored: tuple[MemoryItem, ...] = ()
    gone: tuple[str, ...] = ()


class Ledger(ABC):
    """Accepted writes with per-user sequence numbers, their history, sessions and audit. Calls come from any thread.

    Times are timezone-aware UTC datetimes. Every write is one transaction and durable when the call returns.
    """

    @abstractmethod
    def partition(self, user_id: str) -> Partition:
        """The user's partition, made at first sight."""

    @abstractmethod
    def find_partition(self, user_id: str) -> Partition | None:
        """The user's partition, or None if nothing was ever written or bound for it (or it was erased)."""

    @abstractmethod
    def users(self) -> list[str]:
        """Every user id with a partition, in order of first sight."""

    @abstractmethod
    def accept(self, partition: Partition, drafts: Sequence[Draft], reserved: int | None = None) -> list[Accepted]:
        """Store drafts in order under one commit, with the next sequence numbers (or the reserved one, for all).

        Same idempotency key: the first answer again. Same words by the same owner: the item that says so. A newer
        value of a slot supersedes the older one, an older value goes straight to history.
        A source with a turn is one of the item's supports (`follow`), and one that was withdrawn supports nothing.
        Raises UserErased if the partition's epoch is gone.
        """

    @abstractmethod
    def reserve(self, partition: Partition) -> int:
        """The next sequence number, for a write that will come later (`MemoryWriteBarrier.acquire`)."""

    @abstractmethod
    def defer(
        self, partition: Partition, agent: str, session_id: str | None, task: Mapping[str, Any], key: str | None
    ) -> Deferred:
        """Keep a task with the next sequence number, under one commit, until `finish_deferred`.

        The same `key` of the same agent while it is kept: the task that is there. Raises UserErased.
        """

    @abstractmethod
    def deferred(self, agent: str) -> list[Deferred]:
        """Tasks of the agent, for all users, that nobody finished, in the order in which they were left."""

    @abstractmethod
    def finish_deferred(self, deferred: Deferred) -> None:
        """The task is done or given up. Again, or after an erasure: a no-op."""

    @abstractmethod
    def last_seq(self, partition: Partition) -> int:
        """Highest sequence number given out; 0 if none."""

    @abstractmethod
    def retract(
        self,
        partition: Partition,
        ids: Sequence[str],
        at: datetime,
        source: Source | None = None,
        *,
        for_good: bool = False,
    ) -> list[str]:
        """Mark current items as no longer holding; they stay in history. Returns the ids that changed.

        With a `source` in a watched thread: for as long as its reading stands, unless it is `for_good`.
        """

    @abstractmethod
    def readings(self, partition: Partition, thread_id: str) -> list[Reading]:
        """What is recorded of a thread, oldest first: its newest readings, a bounded number of them."""

    @abstractmethod
    def answer(self, partition: Partition, thread_id: str, turn: str) -> None:
        """A turn came to its end although nothing was kept of what was said in it."""

    @abstractmethod
    def unanswered(self, readings: Collection[int]) -> set[int]:
        """Those of the readings after which no exchange was kept: their turn broke off, or is still running."""

    @abstractmethod
    def newest_turn(self, partition: Partition, thread_id: str) -> str | None:
        """The turn of a thread's newest reading that stands."""

    @abstractmethod
    def follow(self, partition: Partition, thread_id: str, change: ThreadChange, at: datetime) -> Revised:
        """Change the readings of a thread and everything that hangs on them, under one commit.

        An item holds while one of its sources stands (one outside watched threads always does); what it replaced is
        current again when it falls, and what it retracted when the retraction falls. Readings that are only added are
        safe from a power failure with the next write; nothing that is safe refers to them before.
        """

    @abstractmethod
    def taught(self, partition: Partition, source: Source) -> list[MemoryItem]:
        """Current items that this source, in a watched thread, is a support of."""

    @abstractmethod
    def denied(self, partition: Partition, source: Source) -> list[MemoryItem]:
        """Retracted items that this source, in a watched thread, retracted."""

    @abstractmethod
    def unteach(self, partition: Partition, source: Source, ids: Sequence[str], at: datetime, because: str) -> Revised:
        """This source no longer supports these items; those that nothing else supports are taken back."""

    @abstractmethod
    def live_items(
        self, partition: Partition, *, without: Collection[str] = (), standing: Collection[str] = ()
    ) -> list[MemoryItem]:
        """Current items by sequence number, `without` those that readers must not see yet.

        `standing`: superseded ids that count as current until readers see what takes their place.
        """

    @abstractmethod
    def outdated_messages(self, partition: Partition) -> set[str]:
        """Ids of the messages that taught something which was since replaced by something else, or retracted."""

    @abstractmethod
    def get(self, ids: Sequence[str]) -> dict[str, MemoryItem]:
        """Items by id, whatever their status; unknown ids are left out."""

    @abstractmethod
    def items(self, partition: Partition) -> Iterator[MemoryItem]:
        """Every item of the user, oldest first, whatever its status."""

    @abstractmethod
    def history(self, item_id: str) -> list[MemoryItem]:
        """The item with the earlier and later values of its slot (or chain), oldest first. Unknown id: empty."""

    @abstractmethod
    def unindexed(self) -> Iterator[Unindexed]:
        """Items still owed to the provider, oldest first (the replay at start)."""

    @abstractmethod
    def mark_indexed(self, ids: Sequence[str]) -> None:
        """The provider has these."""

    @abstractmethod
    def mark_unindexed(self, partition: Partition | None = None) -> int:
        """Owe every current item (of one user, or of all) to the provider again. Returns how many."""

    @abstractmethod
    def erase(self, partition: Partition) -> dict[str, int]:
        """Delete everything of this partition. Returns rows removed by table.

        The epoch is an unfinished erasure from then on, until `finish_erasure`: there is still `scrub` to be done, and
        what is kept elsewhere.
        """

    @abstractmethod
    def scrub(self) -> None:
        """Leave nothing of what was erased in any file. Raises StoreUnavailable while a reader holds on to it."""

    @abstractmethod
    def unfinished_erasures(self) -> list[int]:
        """Epochs that were erased here and perhaps not everywhere else, oldest first."""

    @abstractmethod
    def finish_erasure(self, epoch: int) -> None:
        """Nothing of this epoch is left anywhere."""

    @abstractmethod
    def register_session(self, session_id: str, user_id: str) -> None:
        """Bind a session to a user for good. Raises SessionTaken if somebody else has it."""

    @abstractmethod
    def session_user(self, session_id: str) -> str | None:
        """Who the session is registered to."""

    @abstractmethod
    def observe(self, agent: str, session_id: str, user_id: str) -> None:
        """Remember that this agent served this user in this session."""

    @abstractmethod
    def observed(self, agent: str, session_id: str) -> frozenset[str]:
        """The users that this agent served in this session."""

    @abstractmethod
    def audit(self, partition: Partition, entries: Sequence[Mapping[str, Any]]) -> None:
        """Append audit entries (JSON-able). An erased partition: a no-op."""

    @abstractmethod
    def audit_entries(self, partition: Partition, limit: int | None = None) -> list[dict[str, Any]]:
        """Audit entries, newest first."""

    @abstractmethod
    def add_problem(self, partition: Partition, entry: Mapping[str, Any], keep: int) -> None:
        """Note (JSON-able) what an agent could not do; of this user the newest `keep` stay. Erased: a no-op."""

    @abstractmethod
    def problems(self, partition: Partition, limit: int | None = None) -> list[dict[str, Any]]:
        """What was noted by `add_problem`, newest first."""

    @abstractmethod
    def get_meta(self, key: str) -> str | None:
        """A setting recorded with the store."""

    @abstractmethod
    def set_meta(self, key: str, value: str) -> None:
        """Record a setting with the store."""

    @abstractmethod
    def counts(self) -> dict[str, int]:
        """Users, items, current items, items owed to the provider."""

    @abstractmethod
    def close(self) -> None:
        """Release the files. Idempotent."""
