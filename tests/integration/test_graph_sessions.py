"""Checkpointed sessions: they go on after a restart, cost the same at every turn, are one user's, can be erased."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import time
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from langchain_core.messages import BaseMessage
from langgraph.checkpoint.memory import InMemorySaver

from graph.builder import build_graph
from graph.sessions import (
    DEV_SERVER_DIR,
    SESSIONS_FILE,
    aopen_sessions,
    dev_server_threads,
    open_sessions,
    session_config,
    session_eraser,
)
from memory_kernel import MemoryKernel, SessionTaken, StoreUnavailable
from tests.conftest import MakeKernel
from tests.support.models import AsyncScriptedModel, ScriptedModel, system_text
from tests.support.turns import asay, files_with, kept, reply, say, thread

CANARY = "axolotlcanary"


def test_a_session_goes_on_after_everything_was_closed_and_opened_again(
    make_kernel: MakeKernel, tmp_path: Path
) -> None:
    data_dir = tmp_path / "memory"
    mine = session_config("mira", "1")
    for turn in range(3):
        with make_kernel(subdir="memory") as kernel, open_sessions(data_dir) as sessions:
            graph = build_graph(kernel, ScriptedModel(replies=[f"reply {turn}"]), checkpointer=sessions)
            state = say(graph, f"I'm working on project{turn}.", config=mine)
    assert [m.text for m in state["messages"] if m.type == "ai"] == ["reply 0", "reply 1", "reply 2"]
    assert len(state["writes"]) == 1
    assert "project2" in state["block"]


async def test_a_session_goes_on_for_coroutines_too(make_kernel: MakeKernel, tmp_path: Path) -> None:
    data_dir = tmp_path / "memory"
    mine = session_config("mira", "1")
    for turn in range(3):
        async with make_kernel(subdir="memory") as kernel, aopen_sessions(data_dir) as sessions:
            graph = build_graph(kernel, AsyncScriptedModel(replies=[f"reply {turn}"]), checkpointer=sessions)
            state = await asay(graph, f"I'm working on project{turn}.", config=mine)
    assert [m.text for m in state["messages"] if m.type == "ai"] == ["reply 0", "reply 1", "reply 2"]
    with open_sessions(data_dir) as sessions:  # one file, whoever wrote it
        graph = build_graph(make_kernel(subdir="memory"), ScriptedModel(replies=["reply 3"]), checkpointer=sessions)
        assert len(say(graph, "And on.", config=mine)["messages"]) == 8


def test_a_thread_grows_by_the_same_number_of_bytes_at_every_turn(kernel: MemoryKernel, tmp_path: Path) -> None:
    sizes, seconds = [0], []
    with open_sessions(tmp_path) as sessions, closing(sqlite3.connect(tmp_path / SESSIONS_FILE)) as database:
        model = ScriptedModel(replies=[lambda asked: f"A reply of a usual length to what was asked: {asked[-1].text}"])
        graph = build_graph(kernel, model, checkpointer=sessions, window_messages=10)
        for turn in range(60):
            started = time.perf_counter()
            state = say(graph, f"What is the answer to question number {turn:03}?", config=thread("t"))
            seconds.append(time.perf_counter() - started)
            assert len(state["messages"]) <= 10
            row = database.execute(
                "SELECT (SELECT sum(length(checkpoint) + length(metadata)) FROM checkpoints)"
                " + (SELECT coalesce(sum(length(value)), 0) FROM writes)"
            ).fetchone()
            sizes.append(row[0])
    grown = [after - before for before, after in pairwise(sizes)]
    # Up to turn 25 the trace grows with what there is to decide about; from then on it names a fixed number of items.
    early, late = statistics.median(grown[25:35]), statistics.median(grown[50:60])
    assert late <= 1.1 * early, f"{early} bytes a turn at turn 30, {late} at turn 55"
    assert late <= 25_000
    assert statistics.median(seconds[50:]) <= 3 * statistics.median(seconds[10:20])


def test_nobody_can_go_on_in_another_users_thread(kernel: MemoryKernel) -> None:
    model = ScriptedModel(replies=["ok"])
    graph = build_graph(kernel, model, checkpointer=InMemorySaver())
    say(graph, f"I'm working on {CANARY}.", user="mira", config=thread("t"))
    asked = len(model.asked)
    with pytest.raises(SessionTaken, match="start a new thread to go on as 'noor'") as refused:
        say(graph, "What am I working on?", user="noor", config=thread("t"))
    assert "mira" not in str(refused.value)
    assert len(model.asked) == asked
    assert kept(kernel, "noor") == []
    assert CANARY in say(graph, "What am I working on?", user="mira", config=thread("t"))["block"]


def test_thread_ids_of_different_users_never_meet() -> None:
    users = ["mira", "mira/1", "mira%2F1", "Mira", "mira ", "", "%", "мира", "a/b", "a"]
    sessions = ["1", "1/1", "", "b/1"]
    ids = {session_config(u, s)["configurable"]["thread_id"] for u in users for s in sessions}
    assert len(ids) == len(users) * len(sessions)


def test_forgetting_a_user_leaves_no_byte_of_theirs_in_any_file(make_kernel: MakeKernel, tmp_path: Path) -> None:
    data_dir = tmp_path / "memory"
    kernel = make_kernel(subdir="memory")
    kernel.register_eraser(session_eraser(data_dir))
    with open_sessions(data_dir) as sessions:
        graph = build_graph(kernel, ScriptedModel(replies=[f"Noted: {CANARY}."]), checkpointer=sessions)
        for turn in range(5):
            say(graph, f"I'm working on {CANARY}{turn}.", user="mira", config=session_config("mira", "1"))
            say(graph, f"I'm working on {CANARY}{turn}.", user="mira", config=thread("named otherwise"))
            # durability "sync" writes checkpoints and writes in the middle of turns as well
            say(graph, f"I prefer {CANARY}{turn}.", config=thread("in steps"), durability="sync")
            others = session_config("mira_osk", "1")
            say(graph, f"I'm working on walrus{turn}.", user="mira_osk", config=others, durability="sync")
        kernel.flush()
        assert SESSIONS_FILE in files_with(data_dir, CANARY) or f"{SESSIONS_FILE}-wal" in files_with(data_dir, CANARY)

        receipt = kernel.forget_user("mira")

        assert receipt.complete, receipt.problems
        assert 3 in receipt.removed.values(), "three threads"
        # What the assistant said to the other user also holds the word: it is theirs, so look for the user's own.
        for turn in range(5):
            assert files_with(data_dir, f"{CANARY}{turn}") == []
        assert [m.text for m in graph.get_state(others).values["messages"]][-2:] == [
            "I'm working on walrus4.",
            f"Noted: {CANARY}.",
        ]
        assert graph.get_state(session_config("mira", "1")).values == {}
        assert "walrus4" in say(graph, "What am I working on?", user="mira_osk", config=others)["block"]
        state = say(graph, "What am I working on?", user="mira", config=session_config("mira", "1"))
        assert state["block"] == ""
        assert len(state["messages"]) == 2


async def test_forgetting_works_while_coroutines_have_the_sessions_open(
    make_kernel: MakeKernel, tmp_path: Path
) -> None:
    data_dir = tmp_path / "memory"
    kernel = make_kernel(subdir="memory")
    kernel.register_eraser(session_eraser(data_dir))
    async with aopen_sessions(data_dir) as sessions:
        graph = build_graph(kernel, AsyncScriptedModel(replies=["ok"]), checkpointer=sessions)
        for user, word in (("mira", CANARY), ("noor", "walrus")):
            for turn in range(3):
                await asay(graph, f"I'm working on {word}{turn}.", user=user, config=session_config(user, "1"))
        receipt = await kernel.aforget_user("mira")
        assert receipt.complete, receipt.problems
        assert files_with(data_dir, CANARY) == []
        state = await asay(graph, "Hello.", user="noor", config=session_config("noor", "1"))
        assert "walrus2" in state["block"]
        assert len(state["messages"]) == 8


def test_a_thread_whose_first_turn_broke_off_is_erased_with_its_user(make_kernel: MakeKernel, tmp_path: Path) -> None:
    data_dir = tmp_path / "memory"
    kernel = make_kernel(subdir="memory")
    kernel.register_eraser(session_eraser(data_dir))
    with open_sessions(data_dir) as sessions:
        graph = build_graph(kernel, ScriptedModel(replies=["ok"]), checkpointer=sessions)
        with pytest.raises(ValueError, match="user_id"):  # the words are in the checkpoint, whose they are is not
            say(graph, f"I'm working on {CANARY}.", user="", config=session_config("mira", "1"))
        with pytest.raises(ValueError, match="user_id"):
            say(graph, "I'm working on walrus.", user="", config=session_config("mira_osk", "1"))
        assert files_with(data_dir, CANARY)
        assert kernel.forget_user("mira").complete
        assert files_with(data_dir, CANARY) == []
        assert files_with(data_dir, "walrus")


def test_a_reader_that_holds_the_log_open_is_named_in_the_receipt(
    make_kernel: MakeKernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.sessions._BUSY_TIMEOUT_S", 0.05)
    data_dir = tmp_path / "memory"
    kernel = make_kernel(subdir="memory")
    kernel.register_eraser(session_eraser(data_dir))
    with open_sessions(data_dir) as sessions:
        graph = build_graph(kernel, ScriptedModel(replies=["ok"]), checkpointer=sessions)
        say(graph, f"I'm working on {CANARY}.", config=session_config("mira", "1"))
        with closing(sqlite3.connect(data_dir / SESSIONS_FILE, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM checkpoints").fetchone()
            receipt = kernel.forget_user("mira")
            assert not receipt.complete
            assert "try again" in receipt.problems[0]
            reader.execute("COMMIT")
        assert kernel.forget_user("mira").complete
        assert files_with(data_dir, CANARY) == []


def _not_a_database(file: Path) -> None:
    file.write_bytes(b"no database, but long enough to be taken for one\n" * 100)


def _somebody_elses(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE recipes(name TEXT)")
        database.commit()


@pytest.mark.parametrize("damage", [_not_a_database, _somebody_elses, Path.mkdir])
async def test_a_sessions_file_that_is_none_is_named_with_what_to_do_and_left_alone(
    damage: Callable[[Path], None], make_kernel: MakeKernel, tmp_path: Path
) -> None:
    kernel = make_kernel(subdir="memory")
    data_dir = tmp_path / "memory"
    file = data_dir / SESSIONS_FILE
    damage(file)
    before = file.read_bytes() if file.is_file() else None
    sentence = f"{SESSIONS_FILE}.*memories are not affected; move the file away to start new sessions"
    with pytest.raises(StoreUnavailable, match=sentence), open_sessions(data_dir):
        pass
    with pytest.raises(StoreUnavailable, match=sentence):
        async with aopen_sessions(data_dir):
            pass
    kernel.register_eraser(session_eraser(data_dir))
    receipt = await kernel.aforget_user("mira")
    assert not receipt.complete
    assert "move the file away" in receipt.problems[0]
    assert (file.read_bytes() if file.is_file() else None) == before


def test_a_full_disk_is_no_reason_to_move_the_sessions_away(tmp_path: Path) -> None:
    def fill() -> None:
        with open_sessions(tmp_path) as sessions:
            sessions.conn.execute("PRAGMA max_page_count = 1")
            sessions.conn.execute("CREATE TABLE more(n)")

    with pytest.raises(StoreUnavailable, match=r"full.*try again") as full:
        fill()
    assert "move the file away" not in str(full.value)


def test_threads_of_the_dev_server_are_named_as_not_covered(
    kernel: MemoryKernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kernel.register_eraser(dev_server_threads)
    assert kernel.forget_user("mira").complete
    (tmp_path / DEV_SERVER_DIR).mkdir()
    receipt = kernel.forget_user("mira")
    assert not receipt.complete
    assert "delete the user's threads in Studio or remove the folder" in receipt.problems[0]


# -- two users at once ---------------------------------------------------------------------------------------------


def _tell_all(messages: list[BaseMessage]) -> str:
    """Says all that it was shown: whatever reaches the model reaches the reply."""
    return f"Shown: {system_text(messages)} {[m.text for m in messages[1:]]}"[-3000:]


async def test_two_users_who_talk_at_the_same_time_never_meet(kernel: MemoryKernel, tmp_path: Path) -> None:
    words = {"mira": "axolotl", "mira_osk": "walrus"}
    model = AsyncScriptedModel(replies=[_tell_all])
    async with aopen_sessions(tmp_path) as sessions:
        graph = build_graph(kernel, model, checkpointer=sessions, window_messages=6)

        async def talk(user: str) -> list[str]:
            seen = []
            for turn in range(20):
                said = f"My name is {words[user]}{turn}. I'm working on {words[user]}project{turn}. What do you know?"
                session = session_config(user, str(turn % 4))
                state = await asay(graph, said, user=user, config=session)
                assert f"{words[user]}project{turn}" in state["block"]
                assert state["trace"]["identity"]["user_id"] == user
                seen += [state["block"], reply(state), str(state["writes"]), str(state["trace"])]
            return seen

        seen = dict(zip(words, await asyncio.gather(*(talk(user) for user in words)), strict=True))
    for user, other in (("mira", "mira_osk"), ("mira_osk", "mira")):
        everything = " ".join([*seen[user], *(str(i.model_dump()) for i in kept(kernel, user))])
        assert words[user] in everything
        assert words[other] not in everything
        assert {i.user_id for i in kept(kernel, user)} == {user}
    for asked in model.asked:
        shown = " ".join(m.text for m in asked)
        assert ("axolotl" in shown) != ("walrus" in shown)
