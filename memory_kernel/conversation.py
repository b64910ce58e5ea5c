"""KMSM Table 7's `ConversationExtractor`: after a turn, the exchange becomes private items of who held it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from memory_kernel.formatting import BLOCK
from memory_kernel.injection import as_messages, text_of
from memory_kernel.items import Source, WriteReceipt, utcnow
from memory_kernel.ledger.base import Draft, Partition
from memory_kernel.manager import AgentSpec, MemoryManager, idempotency_key, storable

CONVERSATION = "conversation"
REPLACED = "another reply took its place"
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
        turn: str | None = None,
    ) -> list[WriteReceipt]:
        """One private item a message; system and tool messages are never kept. Saying it again writes nothing twice.

        In a watched `turn` the reply is the turn's only one: an earlier one (it was regenerated) is taken back.
        """
        messages = as_messages(exchange)
        receipts = self._manager.write(partition, self._drafts(agent, messages, thread_id, at, turn))
        if turn is not None:
            kept = {receipt.item_id for receipt in receipts}
            asked = next((m.id for m in reversed(messages) if m.type == "human"), None)
            self._replace_reply(agent, partition, Source(thread_id=thread_id, message_id=asked, turn=turn), kept)
        return receipts

    def _replace_reply(self, agent: AgentSpec, partition: Partition, asked: Source, kept: Collection[str]) -> None:
        ledger = self._manager.parts.ledger
        earlier = [
            item.id
            for item in ledger.taught(partition, asked)
            if item.id not in kept
            and item.owner_agent == agent.name
            and item.memory_type == CONVERSATION
            and item.source.speaker == _SPEAKERS["ai"]
        ]
        if earlier:
            self._manager.revise(partition, lambda: ledger.unteach(partition, asked, earlier, utcnow(), REPLACED))

    async def extract_async(
        self,
        agent: AgentSpec,
        partition: Partition,
        exchange: Sequence[Any],
        *,
        thread_id: str | None = None,
        at: datetime | None = None,
        turn: str | None = None,
    ) -> list[WriteReceipt]:
        """`extract` without blocking the event loop."""
        return await self._manager.offload(
            lambda: self.extract(agent, partition, exchange, thread_id=thread_id, at=at, turn=turn)
        )

    def _drafts(
        self,
        agent: AgentSpec,
        messages: Sequence[Any],
        thread_id: str | None,
        at: datetime | None,
        turn: str | None,
    ) -> list[Draft]:
        writer = AgentSpec(agent.name, frozenset({CONVERSATION}))
        drafts = []
        for message in messages:
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
                    source=Source(thread_id=thread_id, message_id=message.id, speaker=speaker, turn=turn),
                    valid_from=at,
                    idempotency_key=self._key(agent, message, said, thread_id, turn),
                )
            )
        return drafts

    @staticmethod
    def _key(agent: AgentSpec, message: Any, said: str, thread_id: str | None, turn: str | None) -> str | None:
        """One message of one turn is kept once. Without a message id there is nothing to go by."""
        if message.id is None:
            return None
        return idempotency_key(thread_id, message.id, agent.name, said, *([] if turn is None else [turn]))
