"""The operator's record: who read what and what was withheld, what users had forgotten, what was written behind a
reply, what agents could not do. Written behind, never shown to an agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memory_kernel.injection import Injection, Withheld
from memory_kernel.items import utcnow
from memory_kernel.ledger.base import Deferred, Ledger, Partition
from memory_kernel.manager import Read

MAX_RAW_CHARS = 4000
MAX_DETAIL_CHARS = 1000
KEPT_PROBLEMS = 300
"""Of one user; older ones go."""


class AuditLog:
    """Entries are JSON objects: at, agent, session_id, identity, barrier, tokens, injected, dropped, withheld, …

    They hold item ids and reasons and no memory text: the text has one home, and erasing it there is enough. Problems
    (at, agent, kind, detail, raw, session_id, message_id) are kept apart, bounded, because `raw` may quote the user.
    """

    def __init__(self, ledger: Ledger, behind: Callable[[Callable[[], None]], None], enabled: bool) -> None:
        self._ledger = ledger
        self._behind = behind
        self._enabled = enabled

    def record(self, read: Read, injection: Injection, withheld: list[Withheld]) -> None:
        """Queue the entry of one injection."""
        partition = self._ledger.find_partition(read.who.user_id) if self._enabled else None
        if partition is None:
            return
        entry = {
            "at": utcnow().isoformat(),
            "agent": read.agent.name,
            "session_id": read.session_id,
            "identity": read.who.model_dump(),
            "barrier": injection.barrier.model_dump(),
            "tokens": injection.tokens,
            "considered": injection.considered,
            "injected": [d.item_id for d in injection.decisions if d.verdict == "injected"],
            "dropped": [{"id": d.item_id, "rule": d.rule} for d in injection.decisions if d.verdict == "dropped"],
            "withheld": [{"id": w.item_id, "owner": w.owner_agent} for w in withheld],
            "problems": list(injection.problems),
        }
        self._behind(lambda: self._ledger.audit(partition, [entry]))

    def note(self, partition: Partition, entry: Mapping[str, Any]) -> None:
        """Queue an entry about something other than a read."""
        if self._enabled:
            kept = dict(entry)
            self._behind(lambda: self._ledger.audit(partition, [kept]))

    def work(self, deferred: Deferred, notes: Sequence[Mapping[str, Any]]) -> None:
        """Queue the entry of work done behind a reply: what came of the task with this barrier number."""
        if self._enabled:
            entry = {
                "at": utcnow().isoformat(),
                "agent": deferred.agent,
                "session_id": deferred.session_id,
                "seq_no": deferred.seq_no,
                "work": [{k: note[k] for k in ("action", "item_id") if k in note} for note in notes],
            }
            self._behind(lambda: self._ledger.audit(deferred.partition, [entry]))

    def problem(self, partition: Partition, problem: Mapping[str, Any]) -> None:
        """Queue what an agent could not do: agent, kind, detail, raw, session_id, message_id."""
        if self._enabled:
            raw = problem.get("raw")
            entry = {
                **problem,
                "at": utcnow().isoformat(),
                "detail": str(problem["detail"])[:MAX_DETAIL_CHARS],
                "raw": None if raw is None else str(raw)[:MAX_RAW_CHARS],
            }
            self._behind(lambda: self._ledger.add_problem(partition, entry, KEPT_PROBLEMS))

    def problems(self, user_id: str, limit: int | None = None) -> list[dict[str, Any]]:
        """Newest first; an unknown user has none."""
        partition = self._ledger.find_partition(user_id)
        return [] if partition is None else self._ledger.problems(partition, limit)

    def entries(self, user_id: str, limit: int | None = None) -> list[dict[str, Any]]:
        """Newest first; an unknown user has none."""
        partition = self._ledger.find_partition(user_id)
        return [] if partition is None else self._ledger.audit_entries(partition, limit)
