"""KMSM Table 7's `MemoryManager`: every request of an agent passes here, and is checked here.

Owns the order of things (identity, snapshot, wait, read; check, accept, settle) and no state but its parts. Threads and
coroutines share all of it except the waiting itself.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
import time
import unicodedata
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from memory_kernel.background import Background
from memory_kernel.barrier import MemoryWriteBarrier
from memory_kernel.config import KernelConfig
from memory_kernel.errors import InvalidMemory, KernelClosed, WriteForbidden
from memory_kernel.formatting import MemoryFormatter, clean
from memory_kernel.identity import AGENT_PREFIX, check_id, check_session_id, check_user_id
from memory_kernel.indexing import Indexer, Work
from memory_kernel.injection import ContextInjector, Injection, Withheld, as_messages, question_in
from memory_kernel.items import (
    BarrierReport,
    Identity,
    MemoryItem,
    SharingPolicy,
    Source,
    WriteReceipt,
    WriteState,
    as_content,
    canonical_json,
    utcnow,
)
from memory_kernel.ledger.base import Accepted, Deferred, Draft, Ledger, Partition, Revised

logger = logging.getLogger(__name__)
T = TypeVar("T")

_MAX_SLOT_CHARS = 200
_TRAILING_STOPS = ".!。！"


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent as registered: its name and the memory types it may write."""

    name: str
    may_write: frozenset[str]


class Read(NamedTuple):
    """A read that has begun: what it must see is fixed, nothing was waited for yet."""

    agent: AgentSpec
    who: Identity
    session_id: str | None
    snapshot: int
    besides: Set[int] = frozenset()
    """Numbers that the request itself reserved for later, and so does not wait for."""


@dataclass(slots=True)
class Parts:
    """What the kernel opened, handed to those that work with it."""

    config: KernelConfig
    ledger: Ledger
    barrier: MemoryWriteBarrier
    indexer: Indexer
    injector: ContextInjector
    formatter: MemoryFormatter
    pool: ThreadPoolExecutor
    background: Background
    record: Callable[[Read, Injection, list[Withheld]], None]
    record_work: Callable[[Deferred, Sequence[Mapping[str, Any]]], None]
    record_problem: Callable[[Partition, Mapping[str, Any]], None]
    agents: dict[str, AgentSpec] = field(default_factory=dict)


class MemoryManager:
    """Address resolution, session registration and barrier stamping (KMSM Table 7), and the two paths of a request."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._writing: WeakValueDictionary[Partition, threading.Lock] = WeakValueDictionary()
        self._guard = threading.Lock()  # protects _writing and the agents' registry

    # -- agents and identity ---------------------------------------------------------------------------------------

    def register_agent(self, name: str, may_write: Collection[str] | None) -> AgentSpec:
        """Register an agent, or find it again. Another set of types for a known name is refused."""
        check_id(name, "agent name")
        if isinstance(may_write, str):
            raise InvalidMemory(f"may_write must be a set of memory types, not the string {may_write!r}")
        if may_write is None:
            with self._guard:
                return self.parts.agents.setdefault(name, AgentSpec(name, frozenset()))
        spec = AgentSpec(name, frozenset(self.parts.formatter.known(t).name for t in may_write))
        with self._guard:
            known = self.parts.agents.setdefault(name, spec)
        if known != spec:
            raise InvalidMemory(
                f"agent {name!r} is registered to write {sorted(known.may_write)}, not {sorted(spec.may_write)}"
            )
        return known

    def register_user_id(self, session_id: str, user_id: str) -> None:
        """Bind a session to a user for good (identity chain, step 2)."""
        self.parts.ledger.register_session(check_session_id(session_id), check_user_id(user_id))

    def address_request(self, agent: AgentSpec, user_id: str | None, session_id: str | None) -> Identity:
        """Whose memories this request is about. Ids are checked, then resolved by invariant 5's chain."""
        own_id = AGENT_PREFIX + agent.name  # a handle bound to the agent itself, for want of anybody else
        if user_id == own_id:
            return Identity(user_id=own_id, source="agent")
        attached = None if user_id is None else check_user_id(user_id)
        session = None if session_id is None else check_session_id(session_id)
        return self.parts.injector.resolve_user_id(agent.name, attached, session)

    def stamp_barrier(self, user_id: str) -> int:
        """The sequence number up to which a request beginning now must see this user's writes."""
        return self.parts.barrier.snapshot(user_id)

    def observe(self, agent: AgentSpec, who: Identity, session_id: str | None) -> None:
        """Remember who an agent served in a session, so that a later request without an id finds the same person."""
        if session_id is not None and who.source == "request":
            ledger = self.parts.ledger
            if who.user_id not in ledger.observed(agent.name, session_id):
                ledger.observe(agent.name, session_id, who.user_id)

    # -- writing ---------------------------------------------------------------------------------------------------

    def draft(
        self,
        agent: AgentSpec,
        content: str | Mapping[str, Any],
        *,
        memory_type: str,
        sharing_policy: str = "private",
        slot: str | None = None,
        source: Source | Mapping[str, Any] | None = None,
        valid_from: datetime | None = None,
        expires_at: datetime | None = None,
        idempotency_key: str | None = None,
        confidence: float = 1.0,
    ) -> Draft:
        """Check a write as asked for. Raises InvalidMemory or WriteForbidden; nothing is stored yet."""
        kind = self.parts.formatter.known(memory_type).name
        if kind not in agent.may_write:
            allowed = ", ".join(sorted(agent.may_write)) or "nothing"
            raise WriteForbidden(f"agent {agent.name!r} may write {allowed}, not {kind!r}")
        if not isinstance(content, str | Mapping):
            raise InvalidMemory(f"content must be a string or a mapping, not {type(content).__name__}")
        try:
            kept = as_content(content)
        except (ValueError, TypeError, RecursionError) as error:
            raise InvalidMemory(f"content cannot be kept as JSON: {error}") from error
        text = storable(self.parts.formatter.to_text(kind, kept))
        if not clean(text[:1000]) and not clean(text):
            raise InvalidMemory("content is empty; say what is to be remembered")
        if len(text) > self.parts.config.max_text_chars:
            raise InvalidMemory(f"content has {len(text)} characters; at most {self.parts.config.max_text_chars}")
        name = None if slot is None else storable(slot).strip()
        if name is not None and not 0 < len(name) <= _MAX_SLOT_CHARS:
            raise InvalidMemory(f"slot must have 1 to {_MAX_SLOT_CHARS} characters, not {slot!r}")
        if idempotency_key is not None:
            check_id(idempotency_key, "idempotency_key")
        now = utcnow()
        holds_from = _timestamp(valid_from, "valid_from") or now
        expires = _timestamp(expires_at, "expires_at")
        if not 0 <= confidence <= 1:
            raise InvalidMemory(f"confidence must be between 0 and 1, not {confidence!r}")
        return Draft(
            id=uuid.uuid4().hex,
            owner_agent=agent.name,
            memory_type=kind,
            sharing_policy=self._policy(sharing_policy, agent),
            content=text if isinstance(kept, str) else kept,
            text=text,
            fingerprint=_fingerprint(text),
            created_at=now,
            valid_from=holds_from,
            slot=name,
            expires_at=expires,
            source=as_source(source),
            confidence=float(confidence),
            idempotency_key=idempotency_key,
        )

    @staticmethod
    def _policy(value: object, agent: AgentSpec) -> SharingPolicy:
        """Exactly "private" or "shared"; anything else is stored as private, with a warning, never as shared."""
        if isinstance(value, str) and value in ("private", "shared"):
            return "shared" if value == "shared" else "private"
        logger.warning("agent %r asked for sharing_policy %r; stored as private", agent.name, value)
        return "private"

    def write(self, partition: Partition, drafts: Sequence[Draft], reserved: int | None = None) -> list[WriteReceipt]:
        """Accept drafts under one commit, then make them visible. Returns a receipt for each, in order."""
        if not drafts:
            return []
        with self._writing_lock(partition):  # so a newer value of a slot is registered after the one it replaces
            accepted = self.parts.ledger.accept(partition, drafts, reserved)
            works = self.parts.indexer.register(partition, accepted)
        self.parts.indexer.submit(works)
        return [self._receipt(a) for a in accepted]

    def _receipt(self, accepted: Accepted) -> WriteReceipt:
        item = accepted.item
        settled: WriteState = "settled" if self.parts.indexer.is_settled(item.id) else "accepted"
        return WriteReceipt(
            item_id=item.id,
            user_id=item.user_id,
            seq_no=item.seq_no,
            state=settled if accepted.fresh else "duplicate",
        )

    def _writing_lock(self, partition: Partition) -> threading.Lock:
        with self._guard:  # a lock lives as long as somebody holds or awaits it
            return self._writing.setdefault(partition, threading.Lock())

    def retract(
        self, partition: Partition, ids: Sequence[str], source: Source | None = None, *, for_good: bool = False
    ) -> list[str]:
        """Mark items as no longer holding and take them out of every reader's sight. Returns the ids that changed."""
        with self._writing_lock(partition):
            changed = self.parts.ledger.retract(partition, ids, utcnow(), source, for_good=for_good)
            self.parts.indexer.withdraw(partition, changed)
        return changed

    def revise(self, partition: Partition, revision: Callable[[], Revised]) -> Revised:
        """Change what supports items, in the ledger, and show readers what became of them."""
        with self._writing_lock(partition):
            revised = revision()
            works: list[Work] = []
            if revised.gone or revised.restored:
                works = self.parts.indexer.revise(partition, revised.gone, revised.restored)
        self.parts.indexer.submit(works)
        return revised

    # -- reading ---------------------------------------------------------------------------------------------------

    def begin(
        self, agent: AgentSpec, user_id: str | None, session_id: str | None, besides: Collection[int] = ()
    ) -> Read:
        """Fix whose memories are read and up to which write, before anything is waited for."""
        who = self.address_request(agent, user_id, session_id)
        self.observe(agent, who, session_id)
        return Read(agent, who, session_id, self.stamp_barrier(who.user_id), frozenset(besides))

    def wait(self, read: Read) -> BarrierReport:
        """Wait for the writes up to the snapshot; bounded, then fail open (Eq. 3)."""
        config, started = self.parts.config, time.perf_counter()
        drained = not config.barrier_enabled or self.parts.barrier.wait_until_drained(
            read.who.user_id, read.snapshot, config.barrier_timeout_ms, read.besides
        )
        return self._waited(read, started, drained)

    async def await_writes(self, read: Read) -> BarrierReport:
        """`wait` for a coroutine; holds no thread."""
        config, started = self.parts.config, time.perf_counter()
        drained = not config.barrier_enabled or await self.parts.barrier.await_until_drained(
            read.who.user_id, read.snapshot, config.barrier_timeout_ms, read.besides
        )
        return self._waited(read, started, drained)

    def _waited(self, read: Read, started: float, drained: bool) -> BarrierReport:
        return BarrierReport(
            snapshot=read.snapshot,
            waited_ms=round((time.perf_counter() - started) * 1000, 3),
            timed_out=not drained,
            pending=self.parts.barrier.pending(read.who.user_id, read.snapshot, read.besides),
        )

    def finish(self, read: Read, messages: Sequence[Any], report: BarrierReport) -> Injection:
        """The steps after the barrier, and the record of them."""
        query = question_in(messages)
        injection, withheld = self.parts.injector.inject(read.agent.name, read.who, messages, query, report)
        self.parts.record(read, injection, withheld)
        return injection

    def inject(
        self,
        agent: AgentSpec,
        messages: Any,
        user_id: str | None,
        session_id: str | None,
        besides: Collection[int] = (),
    ) -> Injection:
        """One read for a thread."""
        conversation = as_messages(messages)
        read = self.begin(agent, user_id, session_id, besides)
        return self.finish(read, conversation, self.wait(read))

    async def ainject(
        self,
        agent: AgentSpec,
        messages: Any,
        user_id: str | None,
        session_id: str | None,
        besides: Collection[int] = (),
    ) -> Injection:
        """One read for a coroutine."""
        conversation = await self.offload(lambda: as_messages(messages))
        read = await self.offload(lambda: self.begin(agent, user_id, session_id, besides))
        report = await self.await_writes(read)
        return await self.offload(lambda: self.finish(read, conversation, report))

    def recall(
        self, agent: AgentSpec, query: str, user_id: str | None, session_id: str | None, limit: int | None
    ) -> list[MemoryItem]:
        """A read-only search under the same rules as injection."""
        read = self.begin(agent, user_id, session_id)
        self.wait(read)
        return self.parts.injector.select(agent.name, read.who, storable(query), limit=limit).items

    async def arecall(
        self, agent: AgentSpec, query: str, user_id: str | None, session_id: str | None, limit: int | None
    ) -> list[MemoryItem]:
        """`recall` for a coroutine."""
        read = await self.offload(lambda: self.begin(agent, user_id, session_id))
        await self.await_writes(read)
        select = self.parts.injector.select
        return await self.offload(lambda: select(agent.name, read.who, storable(query), limit=limit).items)

    async def offload(self, work: Callable[[], T]) -> T:
        """Run a short piece of blocking work on the kernel's own threads (the default executor is the caller's)."""
        try:
            running = self.parts.pool.submit(work)
        except RuntimeError as error:
            raise KernelClosed("the kernel was closed") from error
        return await asyncio.wrap_future(running)


def as_source(source: Source | Mapping[str, Any] | None) -> Source:
    """A source, however it was given. Raises InvalidMemory."""
    try:
        return source if isinstance(source, Source) else Source.model_validate(dict(source or {}))
    except (ValueError, TypeError) as error:
        raise InvalidMemory(
            f"source must have thread_id, message_id, speaker and turn (strings) only: {source!r}"
        ) from error


def storable(text: object) -> str:
    """Text that every store can hold: a lone surrogate becomes "?", NUL goes."""
    if not isinstance(text, str):
        raise InvalidMemory(f"text must be a string, not {type(text).__name__}")
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def _fingerprint(text: str) -> str:
    """Equal for texts that differ only in white space, Unicode composition or a closing full stop."""
    normal = " ".join(unicodedata.normalize("NFC", text).split()).rstrip(_TRAILING_STOPS)
    return hashlib.sha256(normal.encode()).hexdigest()


def _timestamp(value: datetime | None, what: str) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise InvalidMemory(f"{what} must be a datetime with a time zone, not {value!r}")
    try:
        return value.astimezone(UTC)
    except OverflowError as error:
        raise InvalidMemory(f"{what} {value!r} is out of range") from error


def idempotency_key(*parts: object) -> str:
    """A stable key from what makes a write the same write: thread, message, agent, content."""
    return hashlib.sha256(canonical_json({"parts": [str(p) for p in parts]}).encode("utf-8", "replace")).hexdigest()
