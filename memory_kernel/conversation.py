"""KMSM Table 7's `ConversationExtractor`: after a turn, the exchange becomes private items of who held it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memory_kernel.formatting import BLOCK
from memory_kernel.injection import as_messages, text_of
from memory_kernel.items import Source, WriteReceipt
from memory_kernel.ledger.base import Draft, Partition
from memory_kernel.manager import AgentSpec, MemoryManager, idempotency_key, storable

CONVERSATION = "conversation"
_MAX_TURN_CHARS = 4000
_SPEAKERS = {"human": "user", "ai": "assistant"}


class ConversationExtractor:
    """Writes on an agent's behalf what it and the user said, so that it finds the words again and no other does."""

    def __init__(self, manager: MemoryManager) -> None:
        self._manager = manager

    def extract(
        self,
        agent: AgentSpec,
        partition: Partition,
        exchange: Sequence[Any],
        *,
        thread_id: str | None = None,
        at: datetime | None = None,
    ) -> list[WriteReceipt]:
        """One private item a message; system and tool messages are never kept. Saying it again writes nothing twice."""
        return self._manager.write(partition, self._drafts(agent, exchange, thread_id, at))

    async def extract_async(
        self,
        agent: AgentSpec,
        partition: Partition,
        exchange: Sequence[Any],
        *,
        thread_id: str | None = None,
        at: datetime | None = None,
    ) -> list[WriteReceipt]:
        """`extract` without blocking the event loop."""
        return await self._manager.offload(lambda: self.extract(agent, partition, exchange, thread_id=thread_id, at=at))

    def _drafts(
        self, agent: AgentSpec, exchange: Sequence[Any], thread_id: str | None, at: datetime | None
    ) -> list[Draft]:
        writer = AgentSpec(agent.name, frozenset({CONVERSATION}))
        drafts = []
        for message in as_messages(exchange):
            speaker = _SPEAKERS.get(message.type)
            said = BLOCK.sub(" ", storable(text_of(message))).strip()  # what memory itself put there is not said
            if speaker is None or not said:
                continue
            if len(said) > _MAX_TURN_CHARS:
                said = said[:_MAX_TURN_CHARS] + "…"
            drafts.append(
                self._manager.draft(
                    writer,
                    {"speaker": speaker, "said": said},
                    memory_type=CONVERSATION,
                    source=Source(thread_id=thread_id, message_id=message.id, speaker=speaker),
                    valid_from=at,
                    idempotency_key=idempotency_key(thread_id, message.id, agent.name, said) if message.id else None,
                )
            )
        return drafts
