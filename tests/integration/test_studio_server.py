"""The graph under LangGraph Studio's server: started as a user starts it, driven through its own client."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from memory_kernel import KernelConfig, MemoryKernel
from tests.support.dev_server import DevServer, dev_server, is_running
from tests.support.waiting import until

pytestmark = [pytest.mark.studio, pytest.mark.timeout(120)]

TAUGHT = "My name is Mira Osk. I prefer answers in French. I'm working on the axolotlcanary migration."
CANARY = "axolotlcanary"


class Studio(NamedTuple):
    """A server, a client of it, and the graph's id there."""

    server: DevServer
    client: SyncLangGraphClient
    graph: str

    def thread(self) -> str:
        return str(self.client.threads.create()["thread_id"])

    def say(self, thread: str, said: Any, user: str = "mira", **options: Any) -> list[tuple[str, Any]]:
        """One streamed turn: kind and content of each event."""
        modes: Any = ["messages-tuple", "updates", "values"]
        messages = [{"role": "user", "content": said}] if isinstance(said, str) else said
        options = {"context": {"user_id": user}, **options}
        stream = self.client.runs.stream(thread, self.graph, input={"messages": messages}, stream_mode=modes, **options)
        return [(part.event, part.data) for part in stream]


@pytest.fixture(scope="module")
def trap() -> Iterator[socket.socket]:
    """Stands in for every proxy: whoever wants to leave this machine knocks here."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, trap: socket.socket) -> Iterator[Studio]:
    """A server on which nothing was said yet, asked to listen on a port that is taken."""
    proxy = f"http://127.0.0.1:{trap.getsockname()[1]}"
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"), proxy)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with dev_server(tmp_path_factory.mktemp("studio"), port=port, **proxies) as server:
            assert not server.url.endswith(f":{port}")
            with get_sync_client(url=server.url) as client:
                yield Studio(server, client, client.assistants.search()[0]["assistant_id"])


def last(events: list[tuple[str, Any]], kind: str) -> Any:
    return [data for event, data in events if event == kind][-1]


def knocked_at(trap: socket.socket) -> list[str]:
    """What was asked of the trap so far."""
    asked = []
    with suppress(BlockingIOError):
        while True:
            visitor, _ = trap.accept()
            with visitor:
                visitor.settimeout(5)
                asked.append(visitor.recv(1000).decode(errors="replace"))
    return asked


def state_of(studio: Studio, thread: str) -> dict[str, Any]:
    values: Any = studio.client.threads.get_state(thread)["values"]
    return dict(values)


def test_a_cold_first_turn_streams_the_assistants_words_and_nobody_elses(studio: Studio) -> None:
    thread = studio.thread()
    events = studio.say(thread, TAUGHT)
    assert "error" not in [event for event, _ in events], events[-1]
    pieces = [data for event, data in events if event == "messages"]
    tokens = [(meta["langgraph_node"], message["content"]) for message, meta in pieces]
    assert {node for node, _ in tokens} == {"assistant"}
    assert len(tokens) > 10
    final = last(events, "values")
    assert "".join(text for _, text in tokens) == final["messages"][-1]["content"]
    nodes = [node for event, update in events if event == "updates" for node in update]
    assert sorted(nodes[1:3]) == ["profile_agent", "task_agent"]
    assert [nodes[0], *nodes[3:]] == ["route", "kernel", "assistant", "remember"]
    assert CANARY in final["block"]
    assert {note["agent"] for note in final["writes"]} == {"ProfileAgent", "TaskAgent"}


def test_a_second_session_uses_what_the_first_taught_and_another_user_gets_none_of_it(studio: Studio) -> None:
    studio.say(studio.thread(), TAUGHT, user="noor")
    events = studio.say(studio.thread(), "What am I working on?", user="noor")
    assert CANARY in last(events, "values")["block"]
    assert CANARY in last(events, "values")["messages"][-1]["content"]
    for other in ("noor_", "Noor", "noor ", "local-user"):
        events = studio.say(studio.thread(), "What am I working on?", user=other)
        assert last(events, "values")["messages"][-1]["type"] == "ai"
        assert CANARY not in str(events)


def test_a_threads_state_and_history_hold_the_conversation_and_the_last_turn_only(studio: Studio) -> None:
    thread = studio.thread()
    for said in (TAUGHT, "I prefer short answers.", "What am I working on?"):
        studio.say(thread, said, user="ida")
    state = state_of(studio, thread)
    assert [m["type"] for m in state["messages"]] == ["human", "ai"] * 3
    assert "MEMORY CONTEXT" not in str(state["messages"])
    assert state["writes"] == []
    assert state["block"].count("===== MEMORY CONTEXT =====") == 1
    assert state["trace"]["identity"] == {"user_id": "ida", "source": "request"}
    assert set(state) == {"messages", "block", "trace", "writes", "lineage", "requested"}
    history: Any = studio.client.threads.get_history(thread, limit=50)
    assert [s["values"]["messages"][-1]["content"] for s in history if s["next"] == ["kernel"]] == [
        "What am I working on?",
        "I prefer short answers.",
        TAUGHT,
    ]


def test_the_schemas_ask_for_messages_and_a_user_and_the_drawing_names_the_nodes(studio: Studio) -> None:
    schemas: Any = studio.client.assistants.get_schemas(studio.graph)
    assert list(schemas["input_schema"]["properties"]) == ["messages"]
    user = schemas["context_schema"]["properties"]["user_id"]
    assert list(schemas["context_schema"]["properties"]) == ["user_id"]
    assert user["default"] == "local-user"
    assert "Whose memory" in user["description"]
    assert {"messages", "block", "trace", "writes"} == set(schemas["output_schema"]["properties"])
    drawing: Any = studio.client.assistants.get_graph(studio.graph)
    assert [node["id"] for node in drawing["nodes"]] == [
        "__start__",
        "route",
        "profile_agent",
        "task_agent",
        "kernel",
        "requests",
        "recall",
        "assistant",
        "remember",
        "__end__",
    ]
    assert studio.client.assistants.get(studio.graph)["name"] == "shared_memory"


@pytest.mark.parametrize(
    ("user", "why"),
    [
        ("", "user_id must be a non-empty string, not ''"),
        ("agent:ProfileAgent", "ids that start with 'agent:' belong to agents"),
        (7, "Input should be a valid string"),
    ],
)
def test_a_bad_user_id_is_refused_with_the_reason(studio: Studio, user: Any, why: str) -> None:
    events = studio.say(studio.thread(), TAUGHT, user=user)
    assert events[-1][0] == "error"
    assert why in events[-1][1]["message"]


def test_an_empty_conversation_is_refused_with_what_to_send(studio: Studio) -> None:
    events = studio.say(studio.thread(), [])
    assert events[-1][0] == "error"
    assert 'send {"messages": [...]} with at least one message' in events[-1][1]["message"]


def test_another_users_thread_is_refused_and_shows_nothing_to_the_model(studio: Studio) -> None:
    thread = studio.thread()
    studio.say(thread, TAUGHT, user="olga")
    events = studio.say(thread, "What am I working on?", user="pavel")
    assert events[-1][0] == "error"
    assert "start a new thread to go on as 'pavel'" in events[-1][1]["message"]
    assert not [data for event, data in events if event == "messages"]


def test_no_call_blocked_the_event_loop_and_nobody_left_this_machine(studio: Studio, trap: socket.socket) -> None:
    studio.say(studio.thread(), "Hello.")
    assert not re.search(r"blockbuster|blocking call", studio.server.log, re.IGNORECASE)
    assert "memory cannot be read" not in studio.server.log
    assert "could not" not in studio.server.log
    assert knocked_at(trap) == []


def test_a_server_that_is_told_to_end_lets_go_of_everything_and_the_next_finds_the_memories(tmp_path: Path) -> None:
    with dev_server(tmp_path) as server, get_sync_client(url=server.url) as client:
        studio = Studio(server, client, client.assistants.search()[0]["assistant_id"])
        studio.say(studio.thread(), TAUGHT)
        children = server.children()
        assert children, "the index is a process of its own"
        server.stop()
    until(lambda: not any(is_running(pid) for pid in children))
    with MemoryKernel.open(KernelConfig(data_dir=tmp_path / "memory")) as kernel:
        injection = kernel.register_agent("AssistantAgent").inject("What am I working on?", user_id="mira")
        assert CANARY in injection.block
        assert injection.problems == ()
        assert len(list(kernel.export_user("mira"))) == 4, "three facts and the user's words"


def test_a_fork_from_a_checkpoint_abandons_what_came_after_it(studio: Studio) -> None:
    thread = studio.thread()
    studio.say(thread, "I'm working on the zebra migration.", user="rita")
    checkpoint = studio.client.threads.get_state(thread)["checkpoint"]
    studio.say(thread, f"I'm working on the {CANARY} migration.", user="rita")
    final = last(studio.say(thread, "What am I working on?", user="rita", checkpoint=checkpoint), "values")
    assert CANARY not in final["block"]
    assert "zebra" in final["block"]
    assert {(n["agent"], n["action"]) for n in final["writes"]} >= {("kernel", "retracted"), ("kernel", "restored")}
    elsewhere = last(studio.say(studio.thread(), "What am I working on?", user="rita"), "values")
    assert CANARY not in elsewhere["block"]


@pytest.mark.parametrize("named", [True, False], ids=["from the fork", "from the newest state"])
def test_a_message_edited_in_studio_teaches_what_it_says_now(studio: Studio, named: bool) -> None:
    user, thread = f"sara {named}", studio.thread()
    studio.say(thread, f"I'm working on the {CANARY} migration.", user=user)
    history: Any = studio.client.threads.get_history(thread, limit=50)
    before = next(s for s in history if s["next"] == ["route"])
    [message] = before["values"]["messages"]
    edited = {**message, "content": "I'm working on the zebra migration."}
    fork: Any = studio.client.threads.update_state(
        thread, {"messages": [edited]}, checkpoint_id=before["checkpoint"]["checkpoint_id"]
    )
    run = studio.client.runs.stream(
        thread,
        studio.graph,
        input=None,
        context={"user_id": user},
        stream_mode="values",
        **({"checkpoint": fork["checkpoint"]} if named else {}),
    )
    final = [part.data for part in run][-1]
    assert "zebra" in final["block"]
    assert CANARY not in final["block"]
    assert CANARY not in last(studio.say(studio.thread(), "What am I working on?", user=user), "values")["block"]


def test_a_message_edited_in_place_is_read_again_at_the_next_turn(studio: Studio) -> None:
    thread = studio.thread()
    studio.say(thread, "I prefer short answers.", user="tom")
    studio.say(thread, f"I'm working on the {CANARY} migration.", user="tom")
    message = state_of(studio, thread)["messages"][2]
    edited = {**message, "content": "I'm working on the zebra migration."}
    studio.client.threads.update_state(thread, {"messages": [edited]})
    final = last(studio.say(thread, "What am I working on?", user="tom"), "values")
    assert "zebra" in final["block"]
    assert CANARY not in final["block"]
