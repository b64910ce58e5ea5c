"""The application's settings, and the only place in the repository that reads the environment.

It must not know what a setting is used for beyond its bounds, and reads nothing until a `Settings` is made.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from memory_kernel.errors import MemoryKernelError

ENV_PREFIX = "MEMORY_"


class SettingsError(MemoryKernelError, ValueError):
    """A setting has a value that cannot be used; the message names the variable, the value and what it takes."""


def child_environment(**changes: str) -> dict[str, str]:
    """This process's environment with changes, for a child process that is to inherit the user's configuration."""
    return {**os.environ, **changes}


def _default_models_dir() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if Path(cache).is_absolute() else Path.home() / ".cache") / "langgraph-memory-kernel"


class Settings(BaseSettings):
    """Read from keyword arguments, then the environment (`MEMORY_…`), then an optional `.env`, then the defaults.

    An empty variable counts as not set. Raises SettingsError, in one sentence, for a value out of bounds.
    """

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX,
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
        hide_input_in_errors=True,
    )

    chat_model: str | None = Field(
        default=None, description="who answers, as `provider:name` (`openai:gpt-4o`); not set: the best one found"
    )
    embeddings: str = Field(
        default="local:wordllama",
        min_length=1,
        description="who embeds, as `provider:name`; a store keeps the embedder it was written with",
    )
    data_dir: Path = Field(default=Path(".memory"), description="directory of memories and checkpoints")
    models_dir: Path = Field(
        default_factory=_default_models_dir, description="directory of fetched model weights, shared by projects"
    )
    extractor: Literal["offline", "model"] = Field(
        default="offline", description="who turns words into memories: rules (`offline`) or a chat model (`model`)"
    )
    extraction: Literal["inline", "background"] = Field(
        default="inline",
        description="when words are read: before the reply (`inline`), or behind it, and the next turn waits "
        "(`background`)",
    )
    extraction_model: str | None = Field(
        default=None, description="chat model of the extractor `model`, as `provider:name`; not set: `chat_model`"
    )
    llm_timeout_s: float = Field(
        default=60.0, gt=0, le=3600, description="longest silence of a model or its server before a call fails, seconds"
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = Field(
        default="INFO", description="least severe message that is logged"
    )
    history_tokens: int = Field(
        default=3000, ge=1, description="newest messages that the model is shown, tokens at most"
    )
    window_messages: int = Field(
        default=40, ge=2, description="newest messages that a checkpointed thread keeps; older ones are dropped"
    )
    barrier_timeout_ms: int = Field(
        default=5000, ge=0, description="how long a turn waits at most for writes accepted before it, milliseconds"
    )
    token_budget: int = Field(default=2000, ge=0, description="size of the memory block at most, tokens; 0: no block")
    relevance_threshold: float = Field(
        default=0.3, ge=0, le=1, description="memories less relevant than this are left out; 0 filters nothing"
    )
    max_memories: int = Field(default=10, ge=0, description="memories in a block, at most")

    openai_api_key: SecretStr | None = Field(
        default=None, validation_alias="OPENAI_API_KEY", description="key for `openai:` models"
    )
    openai_base_url: str | None = Field(
        default=None,
        validation_alias="OPENAI_BASE_URL",
        description="URL of an OpenAI-compatible server; not set: OpenAI's own",
    )
    ollama_base_url: str = Field(
        default="http://127.0.0.1:11434",
        validation_alias=AliasChoices("OLLAMA_BASE_URL", "OLLAMA_HOST"),
        description="URL of the Ollama server",
    )

    def __init__(self, **values: Any) -> None:
        known = {name for field in Settings.model_fields for name in (field, *_aliases(field))}
        for name in values:
            if name not in known and not name.startswith("_"):
                raise SettingsError(f"There is no setting {name!r}; there are {', '.join(Settings.model_fields)}")
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise SettingsError(_sentence(error)) from None

    @field_validator("data_dir", "models_dir")
    @classmethod
    def _expand_home(cls, value: Path) -> Path:
        return value.expanduser()

    @field_validator("log_level", mode="before")
    @classmethod
    def _any_case(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("ollama_base_url")
    @classmethod
    def _client_url(cls, value: str) -> str:
        """`OLLAMA_HOST` is first of all what the server binds to: often without scheme or port, or every interface."""
        scheme, _, rest = value.strip().rstrip("/").rpartition("://")
        host, slash, path = rest.partition("/")
        # Ollama's own rule: a URL with a scheme has that scheme's port, a bare host has Ollama's.
        if not scheme and not re.search(r":\d+$", host):
            host += ":11434"
        host = re.sub(r"^0\.0\.0\.0(?=:|$)", "127.0.0.1", host)
        return f"{scheme or 'http'}://{host}{slash}{path}"


def variable(field: str) -> str:
    """The environment variable that sets a field, for messages and documentation."""
    alias = Settings.model_fields[field].validation_alias
    if isinstance(alias, AliasChoices):
        return str(alias.choices[0])
    return str(alias) if alias else f"{ENV_PREFIX}{field.upper()}"


def _sentence(error: ValidationError) -> str:
    parts = []
    for one in error.errors(include_url=False):
        where = str(one["loc"][0]) if one["loc"] else "?"
        field = next((f for f in Settings.model_fields if where in (f, *_aliases(f))), None)
        name = variable(field) if field else where
        shown = "" if field == "openai_api_key" else f" {one['input']!r}"
        parts.append(f"{name}{shown}: {one['msg'][:1].lower()}{one['msg'][1:]}")
    return f"Cannot use the setting {'; '.join(parts)}"


def _aliases(field: str) -> tuple[str, ...]:
    alias = Settings.model_fields[field].validation_alias
    if isinstance(alias, AliasChoices):
        return tuple(str(c) for c in alias.choices)
    return (alias,) if isinstance(alias, str) else ()


def data_sets_dir() -> Path:
    """Where the public data sets lie that benchmarks and some tests read: `MEMORY_DATA`, else beside the checkout."""
    return Path(os.environ.get("MEMORY_DATA") or "../shared/data")
