"""The real clients, as `make_chat_model` makes them, against recorded answers of OpenAI and of Ollama."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from langchain_core.messages import AIMessageChunk

from graph.models import ChosenModel, as_unavailable, make_chat_model, make_embeddings
from graph.settings import Settings, variable
from memory_kernel.errors import ModelUnavailable
from tests.wire.server import Reply, WireServer, serve

CHAT = "/v1/chat/completions"
TEXT = "Bonjour Mira !"

MakeSettings = Callable[..., Settings]


@pytest.fixture
def wire() -> Iterator[WireServer]:
    with serve() as server:
        yield server


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wire: WireServer) -> MakeSettings:
    """Settings that send every client to the recorded server."""
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    for name in (
        "OLLAMA_HOST",
        "OPENAI_API_BASE",
        "OPENAI_PROXY",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    defaults = {"openai_api_key": "sk-test", "openai_base_url": f"{wire.url}/v1", "ollama_base_url": wire.url}
    return lambda **values: Settings(**{**defaults, **values})


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenAI's client waits before it tries again; here it does not."""
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.0)
    monkeypatch.setattr("openai._base_client.MAX_RETRY_DELAY", 0.0)


@pytest.fixture
def gpt(settings: MakeSettings) -> ChosenModel:
    return make_chat_model("openai:gpt-4o", settings())


@pytest.fixture
def llama(settings: MakeSettings) -> ChosenModel:
    return make_chat_model("ollama:llama3.1:8b", settings())


def failure(chosen: ChosenModel) -> str:
    """What a failing call comes to, the same sync and async."""
    with pytest.raises(Exception) as caught:  # noqa: PT011  whatever the client raises is to be mapped
        chosen.model.invoke("Hello")
    with pytest.raises(Exception) as caught_async:  # noqa: PT011
        asyncio.run(chosen.model.ainvoke("Hello"))
    sentence = str(as_unavailable(caught.value, chosen.spec))
    assert str(as_unavailable(caught_async.value, chosen.spec)) == sentence
    return sentence


# --- OpenAI ----------------------------------------------------------------------------------------------------------


def test_openai_answers(wire: WireServer, gpt: ChosenModel) -> None:
    wire.answer(CHAT, Reply.recorded("openai_chat.json"))
    answer = gpt.model.invoke("Hello")
    assert answer.text == TEXT
    assert answer.usage_metadata is not None
    assert (answer.usage_metadata["input_tokens"], answer.usage_metadata["output_tokens"]) == (21, 5)
    asked = wire.requests[0]
    assert asked.headers["authorization"] == "Bearer sk-test"
    assert asked.body["model"] == "gpt-4o"
    assert asked.body["messages"] == [{"content": "Hello", "role": "user"}]


def test_openai_streams(wire: WireServer, gpt: ChosenModel) -> None:
    wire.answer(CHAT, Reply.recorded("openai_chat_stream.sse"))
    chunks = list(gpt.model.stream("Hello"))
    assert [chunk.text for chunk in chunks if chunk.text] == ["Bon", "jour", " Mira", " !"]
    assert wire.requests[0].body["stream"] is True


async def test_openai_streams_to_coroutines(wire: WireServer, gpt: ChosenModel) -> None:
    wire.answer(CHAT, Reply.recorded("openai_chat_stream.sse"))
    assert "".join([chunk.text async for chunk in gpt.model.astream("Hello")]) == TEXT


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("openai_400_context.json", 400, "MEMORY_HISTORY_TOKENS"),
        ("openai_401.json", 401, "check OPENAI_API_KEY"),
        ("openai_404.json", 404, "no such model"),
        ("openai_429.json", 429, "quota"),
        ("openai_500.json", 500, "(500)"),
    ],
)
@pytest.mark.usefixtures("impatient")
def test_what_openai_refuses_becomes_one_sentence(
    wire: WireServer, gpt: ChosenModel, name: str, status: int, said: str
) -> None:
    wire.answer(CHAT, Reply.recorded(name, status=status))
    sentence = failure(gpt)
    assert said in sentence
    assert "sk-" not in sentence


@pytest.mark.usefixtures("impatient")
def test_openai_is_asked_again_twice_at_most(wire: WireServer, gpt: ChosenModel) -> None:
    wire.answer(CHAT, Reply.recorded("openai_500.json", status=500))
    with pytest.raises(Exception, match="server had an error"):
        gpt.model.invoke("Hello")
    assert len(wire.requests) == 3


@pytest.mark.usefixtures("impatient")
def test_a_passing_fault_of_openai_is_not_seen(wire: WireServer, gpt: ChosenModel) -> None:
    wire.answer(CHAT, Reply.recorded("openai_429.json", status=429), Reply.recorded("openai_chat.json"))
    assert gpt.model.invoke("Hello").text == TEXT


@pytest.mark.parametrize(
    "body",
    [b"<html>It works!</html>", b'{"object": "chat.completion"', b"{}", b"[]", b"null", b'{"choices": []}'],
)
@pytest.mark.usefixtures("impatient")
def test_rubbish_instead_of_a_completion_becomes_one_sentence(wire: WireServer, gpt: ChosenModel, body: bytes) -> None:
    wire.answer(CHAT, Reply(body))
    assert "\n" not in failure(gpt)


@pytest.mark.usefixtures("impatient")
def test_a_stream_that_breaks_off_is_an_error_and_not_a_short_answer(wire: WireServer, gpt: ChosenModel) -> None:
    wire.answer(CHAT, Reply.recorded("openai_chat_stream.sse", cut_after=700))
    with pytest.raises(Exception) as caught:  # noqa: PT011
        list(gpt.model.stream("Hello"))
    assert "closed the connection" in str(as_unavailable(caught.value, gpt.spec))


@pytest.mark.usefixtures("impatient")
def test_a_silent_openai_server_times_out(wire: WireServer, settings: MakeSettings) -> None:
    wire.answer(CHAT, Reply(b"", silent=True))
    gpt = make_chat_model("openai:gpt-4o", settings(llm_timeout_s=0.1))
    assert "MEMORY_LLM_TIMEOUT_S" in failure(gpt)


@pytest.mark.usefixtures("impatient")
def test_an_absent_openai_server_is_told(settings: MakeSettings) -> None:
    gpt = make_chat_model("openai:gpt-4o", settings(openai_base_url="http://127.0.0.1:9/v1"))
    assert "cannot be reached" in failure(gpt)


def test_openai_embeds_without_a_tokenizer_to_download(wire: WireServer, settings: MakeSettings) -> None:
    wire.answer("/v1/embeddings", Reply.recorded("openai_embeddings.json"))
    embedder = make_embeddings("openai:text-embedding-3-small", settings())
    assert embedder.embed_documents(["a window seat", "jazz"]) == [[0.25, -0.5, 0.125], [0.0, 0.5, -0.75]]
    assert wire.requests[0].body["input"] == ["a window seat", "jazz"]


def test_a_model_works_in_one_event_loop_after_another(wire: WireServer, gpt: ChosenModel, llama: ChosenModel) -> None:
    wire.answer(CHAT, Reply.recorded("openai_chat.json"))
    wire.answer("/api/chat", Reply.recorded("ollama_chat.ndjson"))
    for model in (gpt.model, llama.model):
        for _ in range(2):
            assert asyncio.run(model.ainvoke("Hello")).text == TEXT


# --- Ollama ----------------------------------------------------------------------------------------------------------


def test_ollama_answers(wire: WireServer, llama: ChosenModel) -> None:
    wire.answer("/api/chat", Reply.recorded("ollama_chat.ndjson"))
    answer = llama.model.invoke("Hello")
    assert answer.text == TEXT
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["total_tokens"] == 26
    asked = wire.requests[0].body
    assert asked["model"] == "llama3.1:8b"
    assert asked["options"]["num_ctx"] == 8192


def test_ollama_streams(wire: WireServer, llama: ChosenModel) -> None:
    wire.answer("/api/chat", Reply.recorded("ollama_chat.ndjson"))
    chunks = list(llama.model.stream("Hello"))
    assert [chunk.text for chunk in chunks if chunk.text] == ["Bon", "jour", " Mira", " !"]


async def test_ollama_streams_to_coroutines(wire: WireServer, llama: ChosenModel) -> None:
    wire.answer("/api/chat", Reply.recorded("ollama_chat.ndjson"))
    whole = AIMessageChunk(content="")
    async for chunk in llama.model.astream("Hello"):
        whole += chunk
    assert whole.text == TEXT


def test_a_model_that_ollama_lacks_becomes_one_sentence(wire: WireServer, llama: ChosenModel) -> None:
    wire.answer("/api/chat", Reply.recorded("ollama_404.json", status=404))
    assert "no such model" in failure(llama)


@pytest.mark.parametrize("body", [b"<html>It works!</html>", b'{"model": "llama3', b"{}", b"[]"])
def test_rubbish_from_ollama_becomes_one_sentence(wire: WireServer, llama: ChosenModel, body: bytes) -> None:
    wire.answer("/api/chat", Reply(body, "application/x-ndjson"))
    assert "\n" not in failure(llama)


def test_a_silent_ollama_server_times_out(wire: WireServer, settings: MakeSettings) -> None:
    wire.answer("/api/chat", Reply(b"", silent=True))
    llama = make_chat_model("ollama:llama3.1:8b", settings(llm_timeout_s=0.1))
    assert "MEMORY_LLM_TIMEOUT_S" in failure(llama)


def test_an_absent_ollama_server_is_told(settings: MakeSettings) -> None:
    llama = make_chat_model("ollama:llama3.1:8b", settings(ollama_base_url="http://127.0.0.1:9"))
    assert "cannot be reached" in failure(llama)


def test_ollama_embeds(wire: WireServer, settings: MakeSettings) -> None:
    wire.answer("/api/embed", Reply.recorded("ollama_embed.json"))
    embedder = make_embeddings("ollama:nomic-embed-text", settings())
    assert embedder.embed_documents(["a window seat", "jazz"]) == [[0.25, -0.5, 0.125], [0.0, 0.5, -0.75]]


def test_checking_finds_a_model_with_and_without_its_tag(wire: WireServer, settings: MakeSettings) -> None:
    wire.answer("/api/tags", Reply.recorded("ollama_tags.json"))
    assert make_chat_model("ollama:llama3.1:8b", settings(), check=True).spec == "ollama:llama3.1:8b"
    assert make_embeddings("ollama:nomic-embed-text", settings(), check=True)


def test_checking_tells_how_to_get_a_model_that_ollama_lacks(wire: WireServer, settings: MakeSettings) -> None:
    wire.answer("/api/tags", Reply.recorded("ollama_tags.json"))
    with pytest.raises(ModelUnavailable, match=r"has no model 'llama9:1b'.*qwen2.5:7b.*`ollama pull llama9:1b`"):
        make_chat_model("ollama:llama9:1b", settings(), check=True)


@pytest.mark.parametrize("body", [b"<html>It works!</html>", b"[]", b'{"models": 7}', b'{"models": ["x"]}', b"{}"])
def test_checking_tells_a_server_that_is_no_ollama(wire: WireServer, settings: MakeSettings, body: bytes) -> None:
    wire.answer("/api/tags", Reply(body))
    with pytest.raises(ModelUnavailable, match="not as Ollama does"):
        make_chat_model("ollama:llama3.1:8b", settings(), check=True)


def test_checking_tells_a_server_that_refuses(wire: WireServer, settings: MakeSettings) -> None:
    wire.answer("/api/tags", Reply(b"", status=502))
    with pytest.raises(ModelUnavailable, match="answered with 502"):
        make_chat_model("ollama:llama3.1:8b", settings(), check=True)


def test_with_nothing_set_the_first_chat_model_of_ollama_is_taken(wire: WireServer, settings: MakeSettings) -> None:
    wire.answer("/api/tags", Reply.recorded("ollama_tags.json"))
    chosen = make_chat_model(None, settings(openai_api_key=None))
    assert chosen.why == f"ollama:llama3.1:8b, because the Ollama server at {wire.url} has it"


def test_an_ollama_server_without_chat_models_is_passed_over(wire: WireServer, settings: MakeSettings) -> None:
    wire.answer("/api/tags", Reply(b'{"models": [{"name": "nomic-embed-text:latest"}]}'))
    chosen = make_chat_model(None, settings(openai_api_key=None))
    assert chosen.spec == "local:extractive"
    assert "no chat model" in chosen.why


def test_a_silent_ollama_server_is_passed_over(
    wire: WireServer, settings: MakeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.models.ollama.PROBE_TIMEOUT_S", 0.05)
    wire.answer("/api/tags", Reply(b"", silent=True))
    assert make_chat_model(None, settings(openai_api_key=None)).spec == "local:extractive"


def test_a_demo_asks_no_server(wire: WireServer, settings: MakeSettings) -> None:
    wire.answer("/api/tags", Reply.recorded("ollama_tags.json"))
    assert make_chat_model(None, settings(), allow_keys=False).spec == "local:extractive"
    assert wire.requests == []
