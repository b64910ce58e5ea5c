"""What a user may ask of their own memory, whichever agent holds it: to see it, and to have it forgotten.

Bound to one user, so that no request, however worded, reaches anybody else's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memory_kernel.conversation import CONVERSATION
from memory_kernel.items import MemoryItem, Source, utcnow
from memory_kernel.ledger.base import Partition
from memory_kernel.manager import AgentSpec, MemoryManager, as_source
from memory_kernel.ranking import Ranked

THE_USER_ASKED = "the user asked"
Record = Callable[[Partition, Mapping[str, Any]], None]


class OwnMemory:
    """One user's memory in the user's own hands; `MemoryKernel.own_memory` makes it.

    The user may have anything forgotten, private items of any agent included. What is *shown* passes through the agent
    that holds the conversation, so it is what that agent may see (Eq. 1) and nothing else.
    """

    def __init__(
        self, manager: MemoryManager, agent: AgentSpec, user_id: str, session_id: str | None, record: Record
    ) -> None:
        self._manager = manager
        self._agent = agent
        self._who = manager.address_request(agent, user_id, session_id)
        self._session_id = session_id
        self._record = record

    @property
    def user_id(self) -> str:
        """Whose memory it is."""
        return self._who.user_id

    def wait(self) -> bool:
        """Wait for the writes accepted before this call, bounded as any read; False if it gave up."""
        read = self._manager.begin(self._agent, self._who.user_id, self._session_id)
        return not self._manager.wait(read).timed_out

    async def await_writes(self) -> bool:
        """`wait` for a coroutine; holds no thread."""
        read = await self._manager.offload(
            lambda: self._manager.begin(self._agent, self._who.user_id, self._session_id)
        )
        return not (await self._manager.await_writes(read)).timed_out

    def held(self) -> list[MemoryItem]:
        """Everything current of this user, of all agents, oldest first: to find what is meant, never to be shown."""
        partition = self._partition()
        now = utcnow()
        live = [] if partition is None else self._manager.parts.ledger.live_items(partition)
        return [item for item in live if item.is_live(now)]

    def known(self, query: str = "") -> list[Ranked]:
        """Everything current that the agent may see, newest first, each with how much it bears on `query` (0 to 1)."""
        return self._manager.parts.injector.known(self._agent.name, self._who, query)

    def retract(self, item_ids: Sequence[str], source: Source | Mapping[str, Any] | None = None) -> list[MemoryItem]:
        """Take items of this user out of use, with what was said in the same messages; they stay in history.

        For good: to edit the message that asked for it (`source`), or to leave its branch, does not bring them back.
        Ids of others are passed over. Recorded for the operator with the reason. Returns what was taken, oldest first.
        """
        partition = self._partition()
        if partition is None:
            return []
        asked = set(item_ids)
        live = self._manager.parts.ledger.live_items(partition)
        messages = {_message(i) for i in live if i.id in asked and i.memory_type != CONVERSATION} - {None}
        taken = [i for i in live if i.id in asked or (i.memory_type == CONVERSATION and _message(i) in messages)]
        changed = set(self._manager.retract(partition, [i.id for i in taken], as_source(source), for_good=True))
        if changed:
            self._record(
                partition,
                {
                    "at": utcnow().isoformat(),
                    "agent": self._agent.name,
                    "session_id": self._session_id,
                    "identity": self._who.model_dump(),
                    "retracted": [i.id for i in taken if i.id in changed],
                    "reason": THE_USER_ASKED,
                },
            )
        return [i for i in taken if i.id in changed]

    def denied(self, source: Source | Mapping[str, Any]) -> list[MemoryItem]:
        """What this message has taken out of use before: a turn that runs again says the same."""
        partition = self._partition()
        return [] if partition is None else self._manager.parts.ledger.denied(partition, as_source(source))

    def _partition(self) -> Partition | None:
        return self._manager.parts.ledger.find_partition(self._who.user_id)


def _message(item: MemoryItem) -> tuple[str | None, str] | None:
    """Which message said it: ids are a thread's own."""
    source = item.source
    return None if source.message_id is None else (source.thread_id, source.message_id)
