"""The operator's record of every read (who asked, what was injected, what was withheld) and of what users had
forgotten. Written behind, never shown to an agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from memory_kernel.injection import Injection, Withheld
from memory_kernel.items import utcnow
from memory_kernel.ledger.base import Ledger, Partition
from memory_kernel.manager import Read


class AuditLog:
    """Entries are JSON objects: at, agent, session_id, identity, barrier, tokens, injected, dropped, withheld, …

    They hold item ids and reasons and no memory text: the text has one home, and erasing it there is enough.
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

    def entries(self, user_id: str, limit: int | None = None) -> list[dict[str, Any]]:
        """Newest first; an unknown user has none."""
        partition = self._ledger.find_partition(user_id)
        return [] if partition is None else self._ledger.audit_entries(partition, limit)
