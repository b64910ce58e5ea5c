"""Handles: all that an agent ever holds. A handle can be asked for anything and does only what its agent may do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from memory_kernel.conversation import ConversationExtractor
from memory_kernel.errors import IdentityMismatch, InvalidMemory, WriteForbidden
from memory_kernel.identity import check_id
from memory_kernel.injection import Injection, as_messages
from memory_kernel.items import MemoryItem, Source, WriteReceipt
from memory_kernel.ledger.base import Deferred, Draft, Partition
from memory_kernel.manager import AgentSpec, MemoryManager, as_source, storable


class AgentHandle:
    """An agent's way to memory, for trusted code that knows whom it serves. Nodes get a bound one (`bind`)."""

    def __init__(self, manager: MemoryManager, conversations: ConversationExtractor, spec: AgentSpec) -> None:
        self._manager = manager
        self._conversations = conversations
        self._spec = spec

    @property
    def name(self) -> str:
        """The agent's name: owner of what it writes, requester of what it reads."""
        return self._spec.name

    @property
    def may_write(self) -> frozenset[str]:
        """The memory types it registered for."""
        return self._spec.may_write

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, may_write={sorted(self.may_write)})"

    def bind(self, user_id: str | None = None, session_id: str | None = None) -> BoundAgent:
        """A handle for one user and session that cannot be talked into another.

        Without a user id, identity is resolved now, by the chain of invariant 5, and then fixed.
        """
        who = self._manager.address_request(self._spec, user_id, session_id)
        self._manager.observe(self._spec, who, session_id)
        return BoundAgent(self._manager, self._conversations, self._spec, who.user_id, session_id)

    # -- what subclasses decide ------------------------------------------------------------------------------------

    def _address(self, user_id: str | None, session_id: str | None) -> tuple[str | None, str | None]:
        return user_id, session_id

    def _partition(self, user_id: str | None, session_id: str | None) -> Partition:
        who = self._manager.address_request(self._spec, user_id, session_id)
        self._manager.observe(self._spec, who, session_id)
        return self._manager.parts.ledger.partition(who.user_id)

    def _reserved(self) -> int | None:
        """The sequence number that writes take, if one was reserved for them."""
        return None

    # -- writing ---------------------------------------------------------------------------------------------------

    def create_memory(
        self,
        content: str | Mapping[str, Any],
        *,
        memory_type: str,
        sharing_policy: str = "private",
        user_id: str | None = None,
        session_id: str | None = None,
        slot: str | None = None,
        source: Source | Mapping[str, Any] | None = None,
        valid_from: datetime | None = None,
        expires_at: datetime | None = None,
        idempotency_key: str | None = None,
    ) -> WriteReceipt:
        """Write one memory (KMSM 3.2). On disk when this returns; visible to reads that begin after it.

        A new value of a `slot` replaces the older one. A repeated `idempotency_key` gives the first receipt's item
        again. A `sharing_policy` other than exactly "private" or "shared" is stored as private, with a warning.

        Raises: InvalidMemory (a ValueError), WriteForbidden, IdentityMismatch, UserErased (PermissionErrors),
        StoreUnavailable (an OSError) when the disk refuses. Nothing is stored then.
        """
        draft = self._manager.draft(
            self._spec,
            content,
            memory_type=memory_type,
            sharing_policy=sharing_policy,
            slot=slot,
            source=source,
            valid_from=valid_from,
            expires_at=expires_at,
            idempotency_key=idempotency_key,
        )
        return self._manager.write(self._partition(*self._address(user_id, session_id)), [draft], self._reserved())[0]

    async def acreate_memory(self, content: str | Mapping[str, Any], **options: Any) -> WriteReceipt:
        """`create_memory` for a coroutine; the same arguments."""
        return await self._manager.offload(lambda: self.create_memory(content, **options))

    def create_memories(
        self, memories: Sequence[Mapping[str, Any]], *, user_id: str | None = None, session_id: str | None = None
    ) -> list[WriteReceipt]:
        """Write several memories under one commit: each a mapping of `create_memory`'s arguments. All or none."""
        drafts = [self._draft_of(memory) for memory in memories]
        return self._manager.write(self._partition(*self._address(user_id, session_id)), drafts, self._reserved())

    async def acreate_memories(
        self, memories: Sequence[Mapping[str, Any]], *, user_id: str | None = None, session_id: str | None = None
    ) -> list[WriteReceipt]:
        """`create_memories` for a coroutine."""
        return await self._manager.offload(
            lambda: self.create_memories(memories, user_id=user_id, session_id=session_id)
        )

    def _draft_of(self, memory: Mapping[str, Any]) -> Draft:
        try:
            return self._manager.draft(self._spec, **memory)
        except TypeError as error:
            raise InvalidMemory(f"cannot write {sorted(memory)}: {error}") from error

    def retract_memory(
        self,
        item_id: str,
        *,
        source: Source | Mapping[str, Any] | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
    ) -> bool:
        """Mark one of this agent's own items as no longer holding; it stays in history. False if it did not hold.

        `source`: the message that said so. Should that be taken back, the item holds again.
        """
        partition = self._partition(*self._address(user_id, session_id))
        item = self._manager.parts.ledger.get([check_id(item_id, "item_id")]).get(item_id)
        # One answer for "no such item" and "not yours", so that ids of others cannot be probed.
        if item is None or item.user_id != partition.user_id or item.owner_agent != self.name:
            raise WriteForbidden(f"agent {self.name!r} has no memory {item_id!r} to retract here")
        return bool(self._manager.retract(partition, [item_id], as_source(source)))

    async def aretract_memory(self, item_id: str, **options: Any) -> bool:
        """`retract_memory` for a coroutine."""
        return await self._manager.offload(lambda: self.retract_memory(item_id, **options))

    def own_items(
        self, memory_type: str, *, slot: str | None = None, user_id: str | None = None, session_id: str | None = None
    ) -> list[MemoryItem]:
        """What this agent itself has written for the user and still holds, oldest first; of one slot if named."""
        partition = self._partition(*self._address(user_id, session_id))
        return [
            item
            for item in self._manager.parts.ledger.live_items(partition)
            if item.owner_agent == self.name and item.memory_type == memory_type and slot in (None, item.slot)
        ]

    # -- work that is left for later -------------------------------------------------------------------------------

    def take_up(self, worker: Worker) -> int:
        """Do what an earlier process left undone of this agent's deferred work. Returns how many tasks there were.

        The first call for an agent is the one that counts; its work for a user comes before anything new (`defer`).
        """
        return self._manager.parts.background.take_up(self.name, self._runner(worker))

    def _runner(self, worker: Worker) -> Callable[[Deferred], None]:
        def run(deferred: Deferred) -> None:
            session_id = deferred.session_id
            user_id = deferred.partition.user_id
            mine = BoundAgent(self._manager, self._conversations, self._spec, user_id, session_id, deferred)
            self._manager.parts.record_work(deferred, worker(mine, deferred.task))

        return run

    # -- reading ---------------------------------------------------------------------------------------------------

    def inject(
        self,
        messages: Any,
        *,
        besides: Collection[int] = (),
        user_id: str | None = None,
        session_id: str | None = None,
    ) -> Injection:
        """The messages with what this agent may know of the user and what bears on the question (KMSM 3.4).

        `messages`: LangChain messages, dicts, (role, text) pairs or a string. Waits for the writes accepted before
        the call, at most `barrier_timeout_ms`; not for those that come under the numbers `besides`, which the same
        request reserved (`defer`). A provider or embedder that fails is named in `problems`.
        """
        return self._manager.inject(self._spec, messages, *self._address(user_id, session_id), besides)

    async def ainject(
        self,
        messages: Any,
        *,
        besides: Collection[int] = (),
        user_id: str | None = None,
        session_id: str | None = None,
    ) -> Injection:
        """`inject` for a coroutine; holds no thread while it waits."""
        return await self._manager.ainject(self._spec, messages, *self._address(user_id, session_id), besides)

    def recall(
        self, query: str, *, limit: int | None = None, user_id: str | None = None, session_id: str | None = None
    ) -> list[MemoryItem]:
        """What `inject` would put in the block for this question, best first, without a token budget. Read-only."""
        return self._manager.recall(self._spec, query, *self._address(user_id, session_id), limit)

    async def arecall(
        self, query: str, *, limit: int | None = None, user_id: str | None = None, session_id: str | None = None
    ) -> list[MemoryItem]:
        """`recall` for a coroutine."""
        return await self._manager.arecall(self._spec, query, *self._address(user_id, session_id), limit)

    def settle(self, *, user_id: str | None = None, session_id: str | None = None) -> bool:
        """Wait, as a read does, until what was accepted or deferred for the user is visible. False: not in time."""
        read = self._manager.begin(self._spec, *self._address(user_id, session_id))
        return not self._manager.wait(read).timed_out

    async def asettle(self, *, user_id: str | None = None, session_id: str | None = None) -> bool:
        """`settle` for a coroutine; holds no thread while it waits."""
        address = self._address(user_id, session_id)
        read = await self._manager.offload(lambda: self._manager.begin(self._spec, *address))
        return not (await self._manager.await_writes(read)).timed_out

    # -- reading and answering -------------------------------------------------------------------------------------

    def llm_chat(self, messages: Any, *, model: Any, user_id: str | None = None, session_id: str | None = None) -> Any:
        """Inject, call the chat model, keep the exchange (KMSM 3.4): the model's message.

        `auto_inject` and `auto_extract` switch the first and the last step off.
        """
        address = self._address(user_id, session_id)
        conversation = as_messages(messages)
        auto = self._manager.parts.config
        asked = self._manager.inject(self._spec, conversation, *address).messages if auto.auto_inject else conversation
        reply = model.invoke(asked)
        if auto.auto_extract:
            self.keep_exchange([*conversation[-1:], reply], user_id=user_id, session_id=session_id)
        return reply

    async def allm_chat(
        self, messages: Any, *, model: Any, user_id: str | None = None, session_id: str | None = None
    ) -> Any:
        """`llm_chat` for a coroutine."""
        address = self._address(user_id, session_id)
        conversation = await self._manager.offload(lambda: as_messages(messages))
        auto = self._manager.parts.config
        asked = conversation
        if auto.auto_inject:
            asked = (await self._manager.ainject(self._spec, conversation, *address)).messages
        reply = await model.ainvoke(asked)
        if auto.auto_extract:
            await self.akeep_exchange([*conversation[-1:], reply], user_id=user_id, session_id=session_id)
        return reply

    def keep_exchange(
        self,
        exchange: Sequence[Any],
        *,
        at: datetime | None = None,
        turn: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
    ) -> list[WriteReceipt]:
        """Keep what the user and this agent said as private `conversation` items (the kernel writes for it).

        `at`: when it was said, for a transcript that is played again. `turn`: the watched turn in which it was said
        (`MemoryKernel.begin_turn`); an earlier reply in that turn is replaced.
        """
        user, session = self._address(user_id, session_id)
        return self._conversations.extract(
            self._spec, self._partition(user, session), exchange, thread_id=session, at=at, turn=turn
        )

    async def akeep_exchange(self, exchange: Sequence[Any], **options: Any) -> list[WriteReceipt]:
        """`keep_exchange` for a coroutine."""
        return await self._manager.offload(lambda: self.keep_exchange(exchange, **options))


class BoundAgent(AgentHandle):
    """A handle bound to one user and session: what nodes get.

    Asked for another user or session it refuses; after the user's erasure it refuses to write.
    """

    def __init__(
        self,
        manager: MemoryManager,
        conversations: ConversationExtractor,
        spec: AgentSpec,
        user_id: str,
        session_id: str | None,
        deferred: Deferred | None = None,
    ) -> None:
        super().__init__(manager, conversations, spec)
        self._user_id = user_id
        self._session_id = session_id
        self._bound_to = manager.parts.ledger.partition(user_id) if deferred is None else deferred.partition
        self._seq_no = None if deferred is None else deferred.seq_no

    @property
    def user_id(self) -> str:
        """The user it serves."""
        return self._user_id

    @property
    def session_id(self) -> str | None:
        """The session it serves."""
        return self._session_id

    def bind(self, user_id: str | None = None, session_id: str | None = None) -> BoundAgent:
        """Itself; another user or session is refused."""
        self._address(user_id, session_id)
        return self

    def _address(self, user_id: str | None, session_id: str | None) -> tuple[str | None, str | None]:
        if user_id is not None and user_id != self._user_id:
            raise IdentityMismatch(f"this handle is bound to user {self._user_id!r}; it cannot act for {user_id!r}")
        if session_id is not None and session_id != self._session_id:
            raise IdentityMismatch(
                f"this handle is bound to session {self._session_id!r}; it cannot act in {session_id!r}"
            )
        return self._user_id, self._session_id

    def _partition(self, user_id: str | None, session_id: str | None) -> Partition:
        return self._bound_to

    def _reserved(self) -> int | None:
        return self._seq_no

    def defer(self, task: Mapping[str, Any], worker: Worker, *, key: str | None = None) -> int | None:
        """Leave a task (JSON-able) for later, on a thread of the kernel's, and hold the next sequence number for it.

        Reads of this user that begin after this wait until `worker` is done with it, unless they name the number that
        is returned (`inject`'s `besides`). What `worker` writes bears that number. The tasks of one agent for one user
        are done in order. One that a killed process did not finish is taken up by the next (`take_up`), so it may be
        done twice. The same `key` while its task is waiting gives the same number.

        None: too much is waiting, nothing was reserved; do it now. Raises UserErased, KernelClosed, StoreUnavailable.
        """
        background = self._manager.parts.background
        return background.defer(self._bound_to, self.name, self._session_id, task, key, self._runner(worker))

    async def adefer(self, task: Mapping[str, Any], worker: Worker, *, key: str | None = None) -> int | None:
        """`defer` for a coroutine."""
        return await self._manager.offload(lambda: self.defer(task, worker, key=key))

    def report(self, kind: str, detail: str, *, raw: str | None = None, message_id: str | None = None) -> None:
        """Tell the operator what this agent could not do for its user; `raw` is what a model said, cut if long.

        Kept apart from memory: no agent and no client reads it (`MemoryKernel.problems` does).
        """
        problem = {
            "agent": self.name,
            "kind": storable(kind),
            "detail": storable(detail),
            "raw": None if raw is None else storable(raw),
            "session_id": self._session_id,
            "message_id": message_id,
        }
        self._manager.parts.record_problem(self._bound_to, problem)


Worker = Callable[[BoundAgent, Mapping[str, Any]], Sequence[Mapping[str, Any]]]
"""Does a deferred task with a handle bound to its user; gives notes (``action``, ``item_id``) for the audit."""
