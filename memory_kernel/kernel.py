"""Opens the parts of the kernel and wires them; nothing else."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from memory_kernel.agents import AgentHandle
from memory_kernel.audit import AuditLog
from memory_kernel.background import Background
from memory_kernel.barrier import MemoryWriteBarrier
from memory_kernel.budget import estimate_tokens
from memory_kernel.calibrating import DIMENSION_KEY, StoredCalibration
from memory_kernel.config import KernelConfig
from memory_kernel.conversation import CONVERSATION, ConversationExtractor
from memory_kernel.deadline import Deadlines
from memory_kernel.embeddings import KernelEmbedder, load_local
from memory_kernel.erasure import Eraser, Erasure
from memory_kernel.errors import EmbedderMismatch
from memory_kernel.formatting import MemoryFormatter, MemoryType
from memory_kernel.history import ThreadHistory
from memory_kernel.indexing import Indexer
from memory_kernel.injection import ContextInjector
from memory_kernel.items import ErasureReceipt, MemoryItem, Turn
from memory_kernel.ledger.base import Ledger
from memory_kernel.ledger.sqlite import SqliteLedger
from memory_kernel.locking import DirectoryLock
from memory_kernel.manager import MemoryManager, Parts
from memory_kernel.own_memory import OwnMemory
from memory_kernel.providers.base import MemoryProvider

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

logger = logging.getLogger(__name__)

LEDGER_FILE = "ledger.sqlite3"
INDEX_DIR = "chroma"
DEFAULT_EMBEDDER = "local:wordllama"
_EMBEDDER_KEY = "embedder"
_STORE_KEY = "store_id"


def open_ledger(data_dir: Path) -> SqliteLedger:
    """The ledger of a store, read-only and without its lock: for operators, while a kernel has it open."""
    return SqliteLedger(Path(data_dir) / LEDGER_FILE, read_only=True)


def recorded_embedder(data_dir: Path) -> str | None:
    """The name of the embedder that the store in `data_dir` was written with; None if there is no store yet."""
    ledger_file = Path(data_dir) / LEDGER_FILE
    if not ledger_file.exists() or not ledger_file.stat().st_size:
        return None
    ledger = open_ledger(data_dir)
    try:
        return ledger.get_meta(_EMBEDDER_KEY)
    finally:
        ledger.close()


class MemoryKernel:
    """The memory of all agents and users of one store. Open one per data directory and share it between threads."""

    def __init__(
        self,
        *,
        config: KernelConfig,
        lock: DirectoryLock,
        ledger: Ledger,
        provider: MemoryProvider,
        embedder: KernelEmbedder,
    ) -> None:
        store_id = ledger.get_meta(_STORE_KEY)
        if store_id is None:
            store_id = secrets.token_hex(6)
            ledger.set_meta(_STORE_KEY, store_id)
        self.config = config
        self._lock = lock
        self._ledger = ledger
        self._provider = provider
        self._closed = False
        self._deadlines = Deadlines()
        self.barrier = MemoryWriteBarrier(
            reserve=lambda user_id: ledger.reserve(ledger.partition(user_id)), last=self._last_seq
        )
        self._formatter = MemoryFormatter()
        self._indexer = Indexer(
            ledger=ledger,
            provider=provider,
            embedder=embedder,
            barrier=self.barrier,
            deadlines=self._deadlines,
            config=config,
            store_id=store_id,
        )
        calibration = StoredCalibration(ledger, embedder, self._deadlines, config.query_timeout_ms / 1000)
        injector = ContextInjector(
            ledger=ledger,
            view=self._indexer.view,
            embedder=embedder,
            calibrate=calibration.relevance,
            deadlines=self._deadlines,
            formatter=self._formatter,
            config=config,
            count_tokens=config.token_counter or estimate_tokens,
        )
        self._pool = ThreadPoolExecutor(8, thread_name_prefix="memory-kernel")
        self._audit = AuditLog(ledger, self._indexer.behind, config.audit)
        self._background = Background(ledger, self.barrier)
        self._manager = MemoryManager(
            Parts(
                config=config,
                ledger=ledger,
                barrier=self.barrier,
                indexer=self._indexer,
                injector=injector,
                formatter=self._formatter,
                pool=self._pool,
                background=self._background,
                record=self._audit.record,
                record_work=self._audit.work,
                record_problem=self._audit.problem,
            )
        )
        self._conversations = ConversationExtractor(self._manager)
        self._threads = ThreadHistory(self._manager)
        provider.start()
        self._erasure = Erasure(ledger, self._indexer, self._background, embedder)
        self._indexer.replay()
        if ledger.unfinished_erasures():
            self._indexer.behind(self._erasure.resume)

    @classmethod
    def open(
        cls,
        config: KernelConfig | None = None,
        *,
        provider: MemoryProvider | None = None,
        embeddings: Embeddings | None = None,
        embeddings_name: str | None = None,
    ) -> MemoryKernel:
        """Open the store in `config.data_dir`, make it if it is new, and take up what was left unfinished.

        `provider` defaults to Chroma in a process of its own, in the data directory; `embeddings` to the store's
        recorded local embedder, else ``local:wordllama``; `embeddings_name` is what the store records it under
        (default: its class and model). Use as a context manager, sync or async, or `close` it.

        Raises: StoreLocked (another kernel has it), StoreUnavailable, LedgerDamaged, EmbedderMismatch.
        """
        config = config or KernelConfig()
        lock = DirectoryLock(config.data_dir)
        ledger: SqliteLedger | None = None
        try:
            ledger = SqliteLedger(config.data_dir / LEDGER_FILE)
            embedder = _embedder_of_store(ledger, embeddings, embeddings_name)
            return cls(
                config=config,
                lock=lock,
                ledger=ledger,
                provider=provider or _default_provider(config.data_dir),
                embedder=embedder,
            )
        except BaseException:
            if ledger is not None:
                ledger.close()
            lock.release()
            raise

    # -- agents and types ------------------------------------------------------------------------------------------

    def register_agent(self, name: str, *, may_write: Collection[str] | None = None) -> AgentHandle:
        """An agent that may write these memory types; an empty set makes it a pure consumer. Again: the same agent.

        Without `may_write`: the agent as it is registered, or a new pure consumer. Raises InvalidMemory for another
        set of types than a known agent has.
        """
        return AgentHandle(self._manager, self._conversations, self._manager.register_agent(name, may_write))

    def register_memory_type(
        self, name: str, *, heading: str, to_text: Callable[[Mapping[str, Any]], str] | None = None
    ) -> None:
        """Add a memory type: its heading in the block and how its structured content reads (default: as sentences)."""
        self._formatter.register(MemoryType(name, heading, to_text))

    def register_session(self, session_id: str, user_id: str) -> None:
        """Bind a session to a user for good, for requests that carry no user id. Raises SessionTaken."""
        self._manager.register_user_id(session_id, user_id)

    def own_memory(self, user_id: str, *, agent: str, session_id: str | None = None) -> OwnMemory:
        """A user's memory in their own hands, seen through the agent that talks with them. Raises InvalidMemory."""
        spec = self._manager.register_agent(agent, None)
        return OwnMemory(self._manager, spec, user_id, session_id, self._audit.note)

    # -- the history of conversations -------------------------------------------------------------------------------

    def begin_turn(
        self,
        user_id: str,
        thread_id: str,
        said: Mapping[str, str],
        *,
        new: Collection[str],
        after: str | None = None,
        from_checkpoint: bool = False,
    ) -> Turn:
        """A turn begins in a thread whose past may be another than it was: take back what is no longer said there.

        `said`: the texts of the user's messages that the thread shows, by message id; `new`: the ids of those that
        nobody has answered yet. `after`: the name of the turn that this one follows, kept in the thread's own state
        (None: there is none); `from_checkpoint`: the run was sent back to an earlier point on purpose. Messages that
        left the thread from its old end are not taken for removed. Only for threads whose state is kept.

        Facts whose only sources were edited, removed or left on an abandoned branch are taken back, whoever owns them
        and whatever their policy; what they had replaced or retracted holds again. What a turn taught that broke off
        before the thread's state was kept stays, unless the thread was sent back on purpose. The record holds the
        newest 200 messages of a thread; what older ones taught stays. Raises InvalidMemory, StoreUnavailable.
        """
        return self._threads.begin(user_id, thread_id, said, new=new, after=after, from_checkpoint=from_checkpoint)

    async def abegin_turn(self, user_id: str, thread_id: str, said: Mapping[str, str], **options: Any) -> Turn:
        """`begin_turn` for a coroutine."""
        return await self._manager.offload(lambda: self.begin_turn(user_id, thread_id, said, **options))

    def end_turn(self, user_id: str, thread_id: str, turn: str) -> None:
        """A watched turn was answered, and nothing of it is kept (`keep_exchange` says so itself).

        A turn of which neither is said counts as one that broke off: it is no abandoned branch unless the thread is
        sent back on purpose.
        """
        self._threads.end(user_id, thread_id, turn)

    def resume_turn(self, user_id: str, thread_id: str, turn: str) -> Turn:
        """A run goes on in the middle of a turn (a regenerated reply): what came after it is an abandoned branch."""
        return self._threads.resume(user_id, thread_id, turn)

    async def aresume_turn(self, user_id: str, thread_id: str, turn: str) -> Turn:
        """`resume_turn` for a coroutine."""
        return await self._manager.offload(lambda: self.resume_turn(user_id, thread_id, turn))

    # -- the operator's view ---------------------------------------------------------------------------------------

    def history(self, item_id: str) -> Iterator[MemoryItem]:
        """An item with the earlier and later values of its slot, oldest first. Unknown id: nothing."""
        return iter(self._ledger.history(item_id))

    def export_user(self, user_id: str) -> Iterator[MemoryItem]:
        """Everything kept about a user, whatever its status, oldest first. Unknown user: nothing."""
        partition = self._ledger.find_partition(user_id)
        return iter(()) if partition is None else self._ledger.items(partition)

    def users(self) -> list[str]:
        """Every user (and agent, under ``agent:…``) with memories, in order of first sight."""
        return self._ledger.users()

    def audit(self, user_id: str, limit: int | None = None) -> list[dict[str, Any]]:
        """The record of what was read about a user and by whom, and what was written behind a reply, newest first.

        For the operator: it names every item.
        """
        return self._audit.entries(user_id, limit)

    def problems(self, user_id: str, limit: int | None = None) -> list[dict[str, Any]]:
        """What agents could not do for a user, newest first: at, agent, kind, detail, raw, session_id, message_id.

        For the operator: `raw` is what a model said, and may quote the user.
        """
        return self._audit.problems(user_id, limit)

    def retract(self, item_id: str, *, with_source: bool = False) -> bool:
        """Take an item out of use; it stays in history. False if it was not in use.

        `with_source`: with what was said in the same message.
        """
        item = self._ledger.get([item_id]).get(item_id)
        partition = None if item is None else self._ledger.find_partition(item.user_id)
        if item is None or partition is None:
            return False
        message = item.source.message_id
        said = [
            i.id
            for i in self._ledger.live_items(partition)
            if with_source and message and i.memory_type == CONVERSATION and i.source.message_id == message
        ]
        return item_id in self._manager.retract(partition, [item_id, *said])

    def status(self) -> dict[str, Any]:
        """Counts, backlog and what is wrong now."""
        return {
            **self._ledger.counts(),
            "backlog": self._indexer.backlog(),
            "deferred": self._background.waiting(),
            "embedder": self._ledger.get_meta(_EMBEDDER_KEY),
            "problems": dict(self._indexer.problems),
        }

    # -- erasure, flush, end ---------------------------------------------------------------------------------------

    def forget_user(self, user_id: str) -> ErasureReceipt:
        """Erase a user: memories, vectors, caches, audit, and what the registered erasers hold. Idempotent."""
        return self._erasure.forget_user(user_id)

    async def aforget_user(self, user_id: str) -> ErasureReceipt:
        """`forget_user` for a coroutine."""
        return await self._manager.offload(lambda: self.forget_user(user_id))

    def register_eraser(self, eraser: Eraser) -> None:
        """Add a callable that `forget_user` calls with the user id, for checkpoints and the like."""
        self._erasure.register(eraser)

    def flush(self, user_id: str | None = None, *, timeout_s: float = 30.0) -> bool:
        """Wait until everything accepted (of one user) is settled and indexed, deferred work included.

        False if it is not, in `timeout_s`.
        """
        ends = time.monotonic() + timeout_s
        partition = None if user_id is None else self._ledger.find_partition(user_id)
        if user_id is not None and partition is None:
            return True
        done = self._background.drain(partition, timeout_s)
        return self._indexer.flush(partition, max(0.0, ends - time.monotonic())) and done

    async def aflush(self, user_id: str | None = None, *, timeout_s: float = 30.0) -> bool:
        """`flush` for a coroutine."""
        return await self._manager.offload(lambda: self.flush(user_id, timeout_s=timeout_s))

    def close(self, *, timeout_s: float = 10.0) -> None:
        """Finish what can be finished within `timeout_s` seconds and release the store. Idempotent."""
        if self._closed:
            return
        self._closed = True
        ends = time.monotonic() + timeout_s
        try:
            if undone := self._background.close(timeout_s / 2):
                logger.warning("closed with %d deferred tasks undone; they are taken up by the next process", undone)
            if not self._indexer.close(max(0.0, ends - time.monotonic())):
                logger.warning("closed with work left; it is taken up when the store is opened again")
            self._provider.close()
        finally:
            self._deadlines.close()
            self._pool.shutdown(wait=False)
            self._ledger.close()
            self._lock.release()

    def __enter__(self) -> MemoryKernel:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    async def __aenter__(self) -> MemoryKernel:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        import asyncio

        await asyncio.get_running_loop().run_in_executor(None, self.close)

    def _last_seq(self, user_id: str) -> int:
        partition = self._ledger.find_partition(user_id)
        return 0 if partition is None else self._ledger.last_seq(partition)


def _default_provider(data_dir: Path) -> MemoryProvider:
    from memory_kernel.providers.chroma import ChromaProvider

    return ChromaProvider.embedded(data_dir / INDEX_DIR)


def _embedder_of_store(ledger: Ledger, embeddings: Embeddings | None, named: str | None) -> KernelEmbedder:
    """The embedder that this store was written with; a new store records the one it gets."""
    recorded = ledger.get_meta(_EMBEDDER_KEY)
    if embeddings is None:
        name = recorded or DEFAULT_EMBEDDER
        kind, _, rest = name.partition(":")
        if kind != "local":
            raise EmbedderMismatch(f"this store was written with embedder {name!r}; pass it as `embeddings`")
        embeddings = load_local(rest, None)
    dimension = ledger.get_meta(DIMENSION_KEY)
    embedder = KernelEmbedder(embeddings, name=named, dimension=int(dimension) if dimension else None)
    if recorded is None:
        ledger.set_meta(_EMBEDDER_KEY, embedder.name)
    elif recorded != embedder.name:
        raise EmbedderMismatch(
            f"this store was written with embedder {recorded!r}, not {embedder.name!r}: pass that one, or open a new "
            "data_dir and write the export of this one into it"
        )
    return embedder
