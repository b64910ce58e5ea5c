"""Settings: where values come from, and what a bad one says."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.settings import Settings, SettingsError, child_environment, variable


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    monkeypatch.chdir(tmp_path)  # no `.env` of whoever runs this


def test_without_an_environment_the_defaults_hold() -> None:
    settings = Settings()
    assert settings.chat_model is None
    assert settings.embeddings == "local:wordllama"
    assert settings.data_dir == Path(".memory")
    assert settings.extractor == "offline"
    assert (settings.token_budget, settings.max_memories, settings.relevance_threshold) == (2000, 10, 0.3)
    assert (settings.history_tokens, settings.window_messages, settings.barrier_timeout_ms) == (3000, 40, 5000)


def test_variables_carry_the_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_CHAT_MODEL", "ollama:llama3.1:8b")
    monkeypatch.setenv("CHAT_MODEL", "openai:gpt-4o")
    monkeypatch.setenv("MEMORY_TOKEN_BUDGET", "500")
    settings = Settings()
    assert settings.chat_model == "ollama:llama3.1:8b"
    assert settings.token_budget == 500


def test_keys_and_servers_keep_their_usual_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OLLAMA_HOST", "somewhere:1234")
    settings = Settings()
    assert settings.openai_api_key is not None
    assert settings.openai_api_key.get_secret_value() == "sk-test"
    assert settings.openai_base_url == "http://127.0.0.1:9/v1"
    assert settings.ollama_base_url == "http://somewhere:1234"


def test_a_key_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    assert "sk-test" not in repr(Settings())


def test_ollama_base_url_goes_before_ollama_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "one")
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://two:2")
    assert Settings().ollama_base_url == "http://two:2"


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("localhost", "http://localhost:11434"),
        ("[::1]:99", "http://[::1]:99"),
        ("[::1]", "http://[::1]:11434"),
        ("http://gpu:1/", "http://gpu:1"),
        ("https://ollama.example/api-root", "https://ollama.example/api-root"),
    ],
)
def test_what_ollama_binds_to_becomes_what_a_client_asks(given: str, url: str) -> None:
    assert Settings(ollama_base_url=given).ollama_base_url == url


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_CHAT_MODEL", "")
    monkeypatch.setenv("MEMORY_TOKEN_BUDGET", "")
    monkeypatch.setenv("OPENAI_API_KEY", "")
    settings = Settings()
    assert settings.chat_model is None
    assert settings.token_budget == 2000
    assert settings.openai_api_key is None


def test_a_dotenv_file_is_read_and_the_environment_goes_before_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("MEMORY_TOKEN_BUDGET=1\nMEMORY_MAX_MEMORIES=2\nSOMETHING_ELSE=3\n")
    monkeypatch.setenv("MEMORY_MAX_MEMORIES", "7")
    assert (Settings().token_budget, Settings().max_memories) == (1, 7)


def test_models_lie_in_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert Settings().models_dir == tmp_path / "langgraph-memory-kernel"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/paths/are/invalid/by/the/standard")
    assert Settings().models_dir == Path.home() / ".cache" / "langgraph-memory-kernel"


def test_a_tilde_means_home() -> None:
    assert Settings(data_dir="~/x").data_dir == Path.home() / "x"


def test_log_levels_come_in_any_case() -> None:
    assert Settings(log_level="debug").log_level == "DEBUG"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MEMORY_TOKEN_BUDGET", "-3"),
        ("MEMORY_TOKEN_BUDGET", "many"),
        ("MEMORY_RELEVANCE_THRESHOLD", "1.5"),
        ("MEMORY_EXTRACTOR", "magic"),
        ("MEMORY_EXTRACTION", "later"),
        ("MEMORY_LOG_LEVEL", "LOUD"),
        ("MEMORY_LLM_TIMEOUT_S", "0"),
        ("MEMORY_LLM_TIMEOUT_S", "nan"),
        ("MEMORY_WINDOW_MESSAGES", "1"),
        ("MEMORY_HISTORY_TOKENS", "0"),
    ],
)
def test_a_bad_value_is_one_sentence_that_names_variable_and_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        Settings()
    sentence = str(caught.value)
    assert name in sentence
    assert value in sentence
    assert "\n" not in sentence
    assert "pydantic" not in sentence


def test_a_setting_that_does_not_exist_is_refused_in_code() -> None:
    with pytest.raises(SettingsError, match="no setting 'chatmodel'"):
        Settings(chatmodel="openai:gpt-4o")


def test_a_bad_key_is_not_repeated() -> None:
    with pytest.raises(SettingsError) as caught:
        Settings(openai_api_key=["sk-secret"])
    assert "sk-secret" not in str(caught.value)


def test_every_setting_is_described() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_a_child_process_inherits_what_is_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEPT", "1")
    assert child_environment(CHANGED="2").items() >= {"KEPT": "1", "CHANGED": "2"}.items()
