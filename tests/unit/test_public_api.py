"""What `memory_kernel` exports, that importing it is light, and that every waiting call has a coroutine twin."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage

import memory_kernel
from memory_kernel import AgentHandle, BoundAgent, MemoryKernel, MemoryWriteBarrier

DOCUMENTED = """
AgentHandle BarrierReport BoundAgent ContextInjector ConversationExtractor DeadlineExceeded Decision EmbedderMismatch
ErasureReceipt Forbidden Hit Identity IdentityMismatch Injection InvalidMemory KernelClosed KernelConfig LedgerDamaged
MemoryFormatter MemoryItem MemoryKernel MemoryKernelError MemoryManager MemoryProvider MemoryRecord MemoryWriteBarrier
ModelUnavailable SessionTaken Source StoreLocked StoreUnavailable Turn UserErased WriteForbidden WriteReceipt
idempotency_key open_ledger recorded_embedder visible
""".split()

WAITING = [
    *((AgentHandle, name) for name in ("create_memory", "create_memories", "retract_memory", "inject", "recall")),
    *((AgentHandle, name) for name in ("llm_chat", "keep_exchange", "settle")),
    (BoundAgent, "defer"),
    *((MemoryKernel, name) for name in ("flush", "forget_user", "begin_turn", "resume_turn")),
]


def test_the_exported_names_are_the_documented_ones_and_all_can_be_had() -> None:
    assert sorted(memory_kernel.__all__) == sorted(DOCUMENTED)
    assert all(hasattr(memory_kernel, name) for name in memory_kernel.__all__)


def test_every_public_error_is_in_one_tree_under_the_root() -> None:
    errors = [e for n in DOCUMENTED if isinstance(e := getattr(memory_kernel, n), type) and issubclass(e, Exception)]
    assert len(errors) == 14
    assert all(issubclass(e, memory_kernel.MemoryKernelError) for e in errors)


def test_importing_the_kernel_loads_no_heavy_package() -> None:
    heavy = ["chromadb", "wordllama", "onnxruntime", "langgraph", "langchain_openai", "langchain_chroma", "tokenizers"]
    script = f"import sys, memory_kernel; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("owner", "name"), WAITING, ids=lambda v: v if isinstance(v, str) else v.__name__)
def test_a_call_that_may_wait_has_a_coroutine_twin_that_says_so(owner: type, name: str) -> None:
    twin = getattr(owner, f"a{name}")
    assert inspect.iscoroutinefunction(twin)
    assert f"`{name}`" in (twin.__doc__ or "")
    allowed = set(inspect.signature(getattr(owner, name)).parameters)
    named = {p.name for p in inspect.signature(twin).parameters.values() if p.kind is not p.VAR_KEYWORD}
    assert named <= allowed


def test_the_barriers_wait_has_a_coroutine_twin() -> None:
    assert inspect.iscoroutinefunction(MemoryWriteBarrier.await_until_drained)
    sync, twin = MemoryWriteBarrier.wait_until_drained, MemoryWriteBarrier.await_until_drained
    assert list(inspect.signature(sync).parameters) == list(inspect.signature(twin).parameters)


def _remember(mine: BoundAgent, task: Mapping[str, Any]) -> list[dict[str, Any]]:
    mine.create_memory(task["content"], memory_type="profile")
    return []


async def _story(agent: BoundAgent, kernel: MemoryKernel, twin: bool) -> list[Any]:
    """The same calls, through one twin or the other; what came of them without ids and times."""

    async def call(target: Any, name: str, *args: Any, **options: Any) -> Any:
        return await getattr(target, f"a{name}")(*args, **options) if twin else getattr(target, name)(*args, **options)

    told: list[Any] = []
    first = await call(agent, "create_memory", "prefers a window seat", memory_type="profile", slot="seat")
    told.append((first.seq_no, first.state))
    several = await call(
        agent,
        "create_memories",
        [{"content": f"fact number {n}", "memory_type": "profile"} for n in range(3)],
    )
    told.append([(r.seq_no, r.state) for r in several])
    told.append(await call(agent, "retract_memory", several[0].item_id))
    told.append([i.text for i in await call(agent, "recall", "which seat?", limit=2)])
    kept = await call(agent, "keep_exchange", [HumanMessage("hello", id="m1"), AIMessage("hi", id="m2")])
    told.append([(r.seq_no, r.state) for r in kept])
    model = FakeListChatModel(responses=["by the window"])
    told.append((await call(agent, "llm_chat", "which seat do I like?", model=model)).content)
    injection = await call(agent, "inject", "which seat do I like?")
    told.append((injection.block.replace("\n", "|"), injection.tokens, injection.identity.user_id[-4:]))
    told.append([(d.verdict, d.rule, d.text) for d in injection.decisions])
    number = await call(agent, "defer", {"content": "likes jazz"}, _remember, key="k")
    told.append((number, await call(agent, "settle")))
    told.append([(i.text, i.seq_no) for i in agent.own_items("profile")][-1])
    told.append(await call(kernel, "flush", agent.user_id))
    receipt = await call(kernel, "forget_user", agent.user_id)
    told.append((receipt.removed["ledger.items"], receipt.complete))
    return told


async def test_both_twins_of_every_call_give_the_same(make_kernel: Any) -> None:
    stories = []
    for twin in (False, True):
        kernel = make_kernel(subdir=f"twin-{twin}")
        agent = kernel.register_agent("ProfileAgent", may_write={"profile"})
        stories.append(await _story(agent.bind(user_id="mira"), kernel, twin))
    assert stories[0] == stories[1]


async def test_a_kernel_is_a_context_manager_in_both_worlds(make_kernel: Any) -> None:
    with make_kernel(subdir="one") as kernel:
        kernel.users()
    async with make_kernel(subdir="two") as other:
        other.users()
    for closed in (kernel, other):
        with pytest.raises(memory_kernel.KernelClosed):
            closed.users()
