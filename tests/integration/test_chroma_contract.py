"""One suite over every provider of the package: the in-memory reference first, then real Chroma embedded, real Chroma
as a server, and a LangChain vector store of the user's own."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import numpy as np
import pytest

from memory_kernel.errors import DeadlineExceeded, EmbedderMismatch, StoreUnavailable
from memory_kernel.providers.base import MemoryProvider, MemoryRecord, Vector
from memory_kernel.providers.chroma import ChromaProvider
from memory_kernel.providers.memory import InMemoryProvider

DIMENSION = 32
HOSTILE = [
    "mira",
    "mira_osk",
    "mira-osk",
    "mira ",
    " mira",
    "Mira",
    "%",
    "_",
    "İ",
    "i̇",
    "a.b@c",
    "",
    " ",
    "\u200b",
    "é",
    "e\u0301",
    "x" * 4096,
    "x" * 4095 + "y",
    "a\0b",
    "a",
    "\0",
    "q'; DROP TABLE embeddings; --",
    '"',
    "\\",
    "$ne",
    '{"$ne": ""}',
    "1",
    "true",
    "\ud800",
    "\x01",
    "\x01eda080",
]


def vectors(count: int, seed: int = 0) -> Vector:
    """Random unit vectors, one a row."""
    found = np.random.default_rng(seed).normal(size=(count, DIMENSION)).astype(np.float32)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def add(provider: MemoryProvider, user: str, rows: Vector, prefix: str = "m") -> list[str]:
    ids = [f"{prefix}{n}" for n in range(len(rows))]
    provider.add_memory([MemoryRecord(i, user, row, {"kind": "profile"}) for i, row in zip(ids, rows, strict=True)])
    return ids


def ids_of(provider: MemoryProvider, user: str) -> set[str]:
    return {record.id for record in provider.get_all(user)}


class Server:
    """`chroma run` on a free loopback port."""

    def __init__(self, path: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        command = [Path(sys.executable).parent / "chroma", "run", "--path", path, "--host", "127.0.0.1"]
        self.process = subprocess.Popen(
            [*map(str, command), "--port", str(self.port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        give_up = time.monotonic() + 30
        while not self.answers():
            assert self.process.poll() is None, "the server ended"
            assert time.monotonic() < give_up, "the server does not answer"
            time.sleep(0.05)

    def answers(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/api/v2/heartbeat", timeout=5).is_success
        except httpx.TransportError:
            return False

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture(scope="module", params=["memory", "embedded", "server", "langchain"])
def provider(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryProvider]:
    """One of each for the module: the tests tell their data apart by user, as the kernel does."""
    made: MemoryProvider
    match request.param:
        case "memory":
            made = InMemoryProvider()
        case "embedded":
            made = ChromaProvider.embedded(tmp_path_factory.mktemp("embedded"))
        case "server":
            made = ChromaProvider.server("127.0.0.1", request.getfixturevalue("server").port)
        case "langchain":
            from langchain_chroma import Chroma

            made = ChromaProvider.from_langchain(
                Chroma("contract", persist_directory=str(tmp_path_factory.mktemp("lc")))
            )
    yield made
    made.close()


@pytest.fixture
def user(request: pytest.FixtureRequest) -> str:
    return f"user of {request.node.name}"


def test_a_record_added_twice_is_kept_once(provider: MemoryProvider, user: str) -> None:
    rows = vectors(3)
    for _ in range(2):
        add(provider, user, rows)
    assert sorted(record.id for record in provider.get_all(user)) == ["m0", "m1", "m2"]


def test_a_record_given_twice_in_one_call_is_kept_once_and_the_last_counts(provider: MemoryProvider, user: str) -> None:
    first, last = vectors(2)
    provider.add_memory([MemoryRecord("m", user, first), MemoryRecord("m", user, last)])
    [kept] = provider.get_all(user)
    np.testing.assert_allclose(kept.vector, last, atol=1e-6)


def test_replacing_changes_vector_and_metadata(provider: MemoryProvider, user: str) -> None:
    old, new = vectors(2)
    provider.add_memory([MemoryRecord("m", user, old, {"kind": "profile", "slot": "seat"})])
    provider.add_memory([MemoryRecord("m", user, new, {"kind": "task"})])
    [kept] = provider.get_all(user)
    np.testing.assert_allclose(kept.vector, new, atol=1e-6)
    assert kept.metadata["kind"] == "task"
    assert provider.retrieve_memory(user, new, 5)[0].score == pytest.approx(1, abs=1e-5)


def test_a_record_comes_back_as_it_was_given(provider: MemoryProvider, user: str) -> None:
    [row] = vectors(1)
    metadata = {"kind": "profile", "odd": "a\0b \ud800 İ \x01", "empty": ""}
    provider.add_memory([MemoryRecord("id with ' and \ud800", user, row, metadata)])
    [kept] = provider.get_all(user)
    assert (kept.id, kept.user_id, dict(kept.metadata)) == ("id with ' and \ud800", user, metadata)
    assert kept.vector.dtype == np.float32
    assert kept.vector.shape == (DIMENSION,)


def test_hits_are_this_users_most_similar_first_with_their_cosine(provider: MemoryProvider, user: str) -> None:
    mine, others, [query] = vectors(40, 1), vectors(40, 2), vectors(1, 3)
    add(provider, user, mine)
    add(provider, f"{user} and another", others, prefix="o")
    hits = provider.retrieve_memory(user, query, 7)
    exact = mine @ query
    assert [hit.id for hit in hits] == [f"m{n}" for n in np.argsort(-exact)[:7]]
    np.testing.assert_allclose([hit.score for hit in hits], np.sort(exact)[::-1][:7], atol=1e-5)


@pytest.mark.parametrize(("limit", "expected"), [(0, 0), (-1, 0), (1, 1), (3, 3), (50, 3)])
def test_never_more_hits_than_asked_for(provider: MemoryProvider, user: str, limit: int, expected: int) -> None:
    rows = vectors(3)
    add(provider, user, rows)
    assert len(provider.retrieve_memory(user, rows[0], limit)) == expected


def test_an_unknown_user_has_nothing(provider: MemoryProvider, user: str) -> None:
    assert list(provider.get_all(user)) == []
    assert provider.retrieve_memory(user, vectors(1)[0], 3) == []
    provider.delete(user, ["m0"])


def test_nothing_to_do_is_done(provider: MemoryProvider, user: str) -> None:
    provider.add_memory([])
    provider.delete(user, [])


def test_get_all_is_complete_beyond_one_batch(provider: MemoryProvider, user: str) -> None:
    rows = vectors(1203)
    ids = add(provider, user, rows)
    found = {record.id: record.vector for record in provider.get_all(user)}
    assert set(found) == set(ids)
    np.testing.assert_allclose(np.stack([found[i] for i in ids]), rows, atol=1e-6)


def test_deleting_removes_the_ids_named_of_that_user_only_and_can_be_repeated(
    provider: MemoryProvider, user: str
) -> None:
    other = f"{user} and another"
    add(provider, user, vectors(5))
    add(provider, other, vectors(5))
    for _ in range(2):
        provider.delete(user, ["m1", "m3", "m3", "never was"])
    assert ids_of(provider, user) == {"m0", "m2", "m4"}
    assert ids_of(provider, other) == {"m0", "m1", "m2", "m3", "m4"}
    assert {hit.id for hit in provider.retrieve_memory(user, vectors(1)[0], 10)} == {"m0", "m2", "m4"}


def test_what_was_deleted_can_be_added_again(provider: MemoryProvider, user: str) -> None:
    rows = vectors(2)
    add(provider, user, rows)
    provider.delete(user, ["m0"])
    add(provider, user, rows)
    assert ids_of(provider, user) == {"m0", "m1"}
    assert provider.retrieve_memory(user, rows[0], 1)[0].id == "m0"


def test_user_ids_are_compared_exactly_whatever_they_hold(provider: MemoryProvider) -> None:
    rows = vectors(len(HOSTILE))
    for number, (name, row) in enumerate(zip(HOSTILE, rows, strict=True)):
        provider.add_memory([MemoryRecord("same id", name, row, {"n": str(number)})])
    for number, (name, row) in enumerate(zip(HOSTILE, rows, strict=True)):
        [record] = provider.get_all(name)
        assert (record.user_id, record.metadata["n"]) == (name, str(number))
        [hit] = provider.retrieve_memory(name, row, 10)
        assert hit.score == pytest.approx(1, abs=1e-5)
    for position, name in enumerate(HOSTILE):
        provider.delete(name, ["same id"])
        assert [len(list(provider.get_all(n))) for n in HOSTILE[: position + 2]] == [0] * (position + 1) + [1] * (
            position + 1 < len(HOSTILE)
        )


def test_threads_may_write_and_read_at_once(provider: MemoryProvider, user: str) -> None:
    def work(number: int) -> int:
        name = f"{user} {number}"
        for part in range(3):
            add(provider, name, vectors(5, seed=number), prefix=f"{part}-")
        provider.delete(name, ["0-0"])
        return len(ids_of(provider, name))

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(work, range(6))) == [14] * 6


def test_an_index_describes_itself_for_the_operator(provider: MemoryProvider, user: str) -> None:
    add(provider, user, vectors(1))
    about = provider.describe()
    assert about["provider"] == type(provider).__name__
    assert about["count"] >= 1


@pytest.mark.parametrize("space", ["l2", "ip", "cosine"])
def test_a_langchain_collection_of_any_space_gives_cosine_and_keeps_its_own_documents(tmp_path, space: str) -> None:
    from langchain_chroma import Chroma
    from langchain_core.embeddings import DeterministicFakeEmbedding

    theirs = Chroma(
        "theirs",
        embedding_function=DeterministicFakeEmbedding(size=DIMENSION),
        persist_directory=str(tmp_path),
        collection_configuration={"hnsw": {"space": space}},
    )
    theirs.add_texts(["a document of their own"], ids=["own"])
    provider, rows = ChromaProvider.from_langchain(theirs), vectors(5)
    add(provider, "mira", rows)
    hits = provider.retrieve_memory("mira", rows[2], 5)
    np.testing.assert_allclose([h.score for h in hits], np.sort(rows @ rows[2])[::-1], atol=1e-5)
    provider.delete("mira", [hit.id for hit in hits])
    with pytest.raises(StoreUnavailable, match="is yours"):
        provider.reset()
    provider.close()
    assert theirs.get()["ids"] == ["own"]
    theirs._client.close()


def test_a_server_of_another_dimension_is_an_embedder_mismatch(server: Server) -> None:
    provider = ChromaProvider.server("127.0.0.1", server.port, collection="dimension")
    add(provider, "mira", vectors(1))
    with pytest.raises(EmbedderMismatch, match="dimension"):
        provider.add_memory([MemoryRecord("b", "mira", np.ones(3, dtype=np.float32))])
    provider.close()


def test_a_collection_deleted_on_the_server_is_an_error_until_reset(server: Server) -> None:
    provider = ChromaProvider.server("127.0.0.1", server.port, collection="deleted")
    add(provider, "mira", vectors(2))
    other = ChromaProvider.server("127.0.0.1", server.port, collection="deleted")
    other.reset()
    with pytest.raises(StoreUnavailable):
        provider.get_all("mira")
    provider.reset()
    assert list(provider.get_all("mira")) == []
    add(provider, "mira", vectors(2))
    assert len(ids_of(provider, "mira")) == 2
    provider.close()
    other.close()


def test_a_server_that_is_not_there_is_unavailable_and_one_that_hangs_exceeds_the_deadline() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        port = silent.getsockname()[1]
        absent = ChromaProvider.server("127.0.0.1", port, timeout_s=0.5)
        with pytest.raises(StoreUnavailable, match=str(port)):
            absent.get_all("mira")
        silent.listen()
        with pytest.raises(DeadlineExceeded):
            absent.get_all("mira")
        absent.close()


def test_a_server_that_is_restarted_is_found_again(tmp_path) -> None:
    first = Server(tmp_path)
    provider = ChromaProvider.server("127.0.0.1", first.port)
    add(provider, "mira", vectors(3))
    provider.delete("mira", ["m0"])
    report = provider.purge()
    assert report["vacuumed"] is False
    first.stop()
    with pytest.raises(StoreUnavailable):
        provider.get_all("mira")
    provider.close()
    second = Server(tmp_path)
    again = ChromaProvider.server("127.0.0.1", second.port)
    assert ids_of(again, "mira") == {"m1", "m2"}
    again.close()
    second.stop()
