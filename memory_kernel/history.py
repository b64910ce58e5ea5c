"""The history of conversations: what a message taught falls when it is edited, removed or left on an abandoned branch,
and holds again when its branch is taken up again. Knows nothing of graphs: it is told what a thread shows."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence

from memory_kernel import lineage
from memory_kernel.identity import check_user_id
from memory_kernel.items import MemoryItem, Turn, utcnow
from memory_kernel.ledger.base import Partition, Reading, Revised, ThreadChange
from memory_kernel.manager import MemoryManager, storable

_KEY_OF_DIGESTS = "lineage_key"


class ThreadHistory:
    """Keeps the record of what was read in each thread, and takes back what it no longer says."""

    def __init__(self, manager: MemoryManager) -> None:
        self._manager = manager
        self._ledger = manager.parts.ledger
        secret = self._ledger.get_meta(_KEY_OF_DIGESTS)
        if secret is None:
            secret = secrets.token_hex(16)
            self._ledger.set_meta(_KEY_OF_DIGESTS, secret)
        self._secret = secret.encode()

    def begin(
        self,
        user_id: str,
        thread_id: str,
        said: Mapping[str, str],
        *,
        new: Collection[str],
        after: str | None,
        from_checkpoint: bool,
    ) -> Turn:
        """As `MemoryKernel.begin_turn`."""
        thread = storable(thread_id)
        partition = self._ledger.partition(check_user_id(user_id))
        shown = {message_id: lineage.digest(self._secret, text) for message_id, text in said.items()}
        edited: tuple[str, ...] = ()

        def decide(readings: Sequence[Reading]) -> ThreadChange:
            nonlocal edited
            change, edited = lineage.next_step(
                self._secret, readings, after, shown, new, from_checkpoint=from_checkpoint
            )
            if not from_checkpoint and (left := lineage.abandoned(change)):
                change = lineage.spared(change, self._ledger.unanswered(left))
            return change

        change, revised = self._follow(partition, thread, decide)
        return self._turn(partition, thread, change, revised, edited)

    def end(self, user_id: str, thread_id: str, turn: str) -> None:
        """As `MemoryKernel.end_turn`."""
        partition = self._ledger.find_partition(check_user_id(user_id))
        if partition is not None:
            self._ledger.answer(partition, storable(thread_id), turn)

    def resume(self, user_id: str, thread_id: str, turn: str) -> Turn:
        """As `MemoryKernel.resume_turn`."""
        partition = self._ledger.find_partition(check_user_id(user_id))
        if partition is None:
            return Turn(name=turn)
        thread = storable(thread_id)
        if self._ledger.newest_turn(partition, thread) == turn:  # as nearly always: nothing came after it
            return Turn(name=turn)
        change, revised = self._follow(partition, thread, lambda readings: lineage.going_on(readings, turn))
        return self._turn(partition, thread, change, revised, ())

    def _follow(
        self, partition: Partition, thread_id: str, decide: Callable[[Sequence[Reading]], ThreadChange]
    ) -> tuple[ThreadChange, Revised]:
        """Decide on the record as it is and change it, so that no other turn of the thread comes between."""
        change = ThreadChange("", "")

        def revision() -> Revised:
            nonlocal change
            change = decide(self._ledger.readings(partition, thread_id))
            return self._ledger.follow(partition, thread_id, change, utcnow()) if change else Revised()

        revised = self._manager.revise(partition, revision)
        return change, revised

    def _turn(
        self, partition: Partition, thread_id: str, change: ThreadChange, revised: Revised, edited: tuple[str, ...]
    ) -> Turn:
        if revised.taken_back or revised.restored:
            self._record(partition, thread_id, change.turn, revised.taken_back, revised.restored)
        return Turn(name=change.turn, edited=edited, taken_back=revised.taken_back, restored=revised.restored)

    def _record(
        self,
        partition: Partition,
        thread_id: str,
        turn: str,
        taken_back: Sequence[MemoryItem],
        restored: Sequence[MemoryItem],
    ) -> None:
        """For the operator, without any text; written behind like the record of reads."""
        if not self._manager.parts.config.audit:
            return
        entry = {
            "at": utcnow().isoformat(),
            "agent": "kernel",
            "action": "followed the thread",
            "thread_id": thread_id,
            "turn": turn,
            "taken_back": [{"id": item.id, "owner": item.owner_agent, "reason": item.reason} for item in taken_back],
            "restored": [{"id": item.id, "owner": item.owner_agent} for item in restored],
        }
        self._manager.parts.indexer.behind(lambda: self._ledger.audit(partition, [entry]))
