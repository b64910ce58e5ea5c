"""The kernel with its default index: Chroma in a process of its own, and the local embedder."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("memory_kernel.providers.chroma")

from memory_kernel import KernelConfig, MemoryKernel
from tests.support.waiting import until

FACTS = [
    "Prefers a window seat and never flies overnight",
    "Is a vegetarian and allergic to peanuts",
    "Has a beagle named Biscuit",
    "Works as a nurse at St. Mary's hospital",
    "Listens to jazz piano while studying",
]


def open_default(folder: Path) -> MemoryKernel:
    return MemoryKernel.open(KernelConfig(data_dir=folder, relevance_threshold=0.1))


def worker_of(kernel: MemoryKernel) -> Any:
    return kernel._provider._index._worker.process  # type: ignore[attr-defined]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with facts about two users, indexed, and closed."""
    with open_default(tmp_path) as kernel:
        for user in ("mira", "noor"):
            agent = kernel.register_agent("ProfileAgent", may_write={"profile"}).bind(user)
            for fact in FACTS:
                agent.create_memory(f"{fact} ({user})", memory_type="profile", sharing_policy="shared")
        assert kernel.flush(timeout_s=60)
        assert kernel.status()["unindexed"] == 0
    return tmp_path


def test_a_store_is_found_again_with_its_vectors(store: Path) -> None:
    with open_default(store) as kernel:
        agent = kernel.register_agent("Assistant").bind("mira")
        injection = agent.inject("Can you find me a flight to Lisbon?")
        assert injection.items[0].text == f"{FACTS[0]} (mira)"
        assert "(noor)" not in injection.block
        assert injection.problems == ()
        assert len(kernel._indexer.view.of(agent._bound_to).without_vector()) == 0


def test_a_fact_is_used_in_the_turn_that_follows_it(store: Path) -> None:
    with open_default(store) as kernel:
        writer = kernel.register_agent("ProfileAgent", may_write={"profile"}).bind("mira")
        reader = kernel.register_agent("Assistant").bind("mira")
        for city in ("Porto", "Faro", "Braga"):
            writer.create_memory(f"Lives in {city}", memory_type="profile", sharing_policy="shared", slot="city")
            block = reader.inject("Where do I live?").block
            assert f"Lives in {city}" in block
            assert block.count("Lives in") == 1


def test_after_erasure_no_file_holds_a_text_a_name_or_a_vector_of_the_user(store: Path) -> None:
    with open_default(store) as kernel:
        agent = kernel.register_agent("Assistant").bind("mira")
        agent.inject("hello")
        view = kernel._indexer.view.of(agent._bound_to)
        vectors = [np.asarray(row, dtype=np.float32).tobytes() for row in view._matrix[view._has_vector]]
        assert len(vectors) == len(FACTS)
        receipt = kernel.forget_user("mira")
        assert receipt.complete, receipt.problems
        assert receipt.removed["index"] == len(FACTS)
        still = kernel.register_agent("Assistant").bind("noor").inject("What is my dog called?")
        assert "Biscuit (noor)" in still.block
        after_open = _traces(store, vectors)
    assert after_open == []
    assert _traces(store, vectors) == []


def _traces(folder: Path, vectors: list[bytes]) -> list[str]:
    found = []
    for file in folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            words = [w for w in (b"(mira)", b"mira") if w in content]
            found += [f"{file.name}: {w!r}" for w in words]
            found += [f"{file.name}: vector {n}" for n, v in enumerate(vectors) if v[64:128] in content]
    return found


def test_the_index_process_may_die_at_any_time(store: Path) -> None:
    with open_default(store) as kernel:
        writer = kernel.register_agent("ProfileAgent", may_write={"profile"}).bind("mira")
        writer.create_memory("Likes rye bread", memory_type="profile")
        assert kernel.flush(timeout_s=60)
        worker_of(kernel).kill()
        writer.create_memory("Likes goat cheese", memory_type="profile")
        assert "goat cheese" in writer.inject("What bread and cheese do I like?").block
        assert kernel.flush(timeout_s=60)
    with open_default(store) as kernel:
        block = kernel.register_agent("ProfileAgent", may_write={"profile"}).bind("mira").inject("bread, cheese").block
        assert "rye bread" in block
        assert "goat cheese" in block


def test_closing_leaves_no_process_and_no_thread(store: Path) -> None:
    before = set(threading.enumerate())
    kernel = open_default(store)
    kernel.register_agent("Assistant").bind("mira").inject("hello")
    worker = worker_of(kernel)
    kernel.close()
    assert worker.wait(10) is not None
    until(lambda: set(threading.enumerate()) <= before)
    open_default(store).close()
