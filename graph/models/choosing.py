"""From one string, or from nothing, to a chat model or an embedder. Knows which clients there are, no more of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.models.spec import CHAT_SPECS, EMBEDDING_SPECS, ModelSpec, unknown
from memory_kernel.errors import ModelUnavailable

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel

    from graph.settings import Settings

DEFAULT_OPENAI_MODEL = "gpt-4o-mini"


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A chat model, the string that names it, and in one phrase what was chosen and why."""

    model: BaseChatModel
    spec: str
    why: str


def make_chat_model(
    spec: str | BaseChatModel | None, settings: Settings, *, allow_keys: bool = True, check: bool = False
) -> ChosenModel:
    """Make the chat model that `spec` names, else the one that `settings.chat_model` names, else the best one found.

    Found means: OpenAI if a key is set, else an Ollama server that answers within half a second, else
    `local:extractive`. `allow_keys=False` leaves out what was merely found and takes `local:extractive`; a model that
    is named is made all the same. `check=True` also makes sure that a named model can answer: an Ollama server has
    it, an embedded one loads. Blocks while it looks (seconds at most); from a coroutine call it in a thread.

    Raises ModelUnavailable in one sentence: unknown name, missing key, silent server, missing file or package.
    """
    if spec is not None and not isinstance(spec, str):
        name = type(spec).__name__
        return ChosenModel(spec, name, f"{name}, given by the caller")
    if spec and spec.strip():
        parsed = ModelSpec.parse(spec)
        return ChosenModel(_chat(parsed, settings, check), str(parsed), f"{parsed}, as asked")
    if settings.chat_model and settings.chat_model.strip():
        parsed = ModelSpec.parse(settings.chat_model)
        return ChosenModel(_chat(parsed, settings, check), str(parsed), f"{parsed}, as MEMORY_CHAT_MODEL says")
    found, because = _find(settings, allow_keys)
    return ChosenModel(_chat(found, settings, check=False), str(found), f"{found}, because {because}")


def _find(settings: Settings, allow_keys: bool) -> tuple[ModelSpec, str]:
    offline = ModelSpec("local", "extractive")
    if not allow_keys:
        return offline, "keys and servers are left alone here"
    if settings.openai_api_key and settings.openai_api_key.get_secret_value().strip():
        return ModelSpec("openai", DEFAULT_OPENAI_MODEL), "OPENAI_API_KEY is set"
    from graph.models import ollama

    url = settings.ollama_base_url
    try:
        models = ollama.installed(url, ollama.PROBE_TIMEOUT_S)
    except ModelUnavailable:
        return offline, f"there is no OPENAI_API_KEY and no Ollama server at {url}"
    for model in models:
        if model.chats:
            return ModelSpec("ollama", model.name), f"the Ollama server at {url} has it"
    return offline, f"there is no OPENAI_API_KEY and the Ollama server at {url} has no chat model"


def _chat(spec: ModelSpec, settings: Settings, check: bool) -> BaseChatModel:
    timeout_s = settings.llm_timeout_s
    match spec.provider, spec.name:
        case "openai", name:
            from graph.models import openai

            return openai.chat(
                name, key=settings.openai_api_key, base_url=settings.openai_base_url, timeout_s=timeout_s
            )
        case "ollama", name:
            from graph.models import ollama

            if check:
                ollama.require(name, settings.ollama_base_url)
            room = context_tokens(settings)
            return ollama.chat(name, settings.ollama_base_url, timeout_s=timeout_s, context_tokens=room)
        case "local", "extractive":
            from graph.models.extractive import ExtractiveChatModel

            return ExtractiveChatModel()
        case "local", name if name == "smollm2" or spec.names_a_file:
            from graph.models import embedded

            return embedded.chat(spec, settings.models_dir, timeout_s=timeout_s, start=check)
    raise unknown(spec, CHAT_SPECS)


def context_tokens(settings: Settings) -> int:
    """Room that a turn may need: history, block, and the system prompt and answer beside them. In whole 1024s."""
    return -(-(settings.history_tokens + settings.token_budget + 3072) // 1024) * 1024


def make_embeddings(spec: str | Embeddings | None, settings: Settings, *, check: bool = False) -> Embeddings:
    """Make the embedder that `spec` names, else the one that `settings.embeddings` names.

    `check=True` asks an Ollama server whether it has the model. Raises ModelUnavailable in one sentence.
    """
    if spec is not None and not isinstance(spec, str):
        return spec
    parsed = ModelSpec.parse(spec if spec and spec.strip() else settings.embeddings, EMBEDDING_SPECS)
    timeout_s = settings.llm_timeout_s
    match parsed.provider:
        case "openai":
            from graph.models import openai

            return openai.embeddings(
                parsed.name, key=settings.openai_api_key, base_url=settings.openai_base_url, timeout_s=timeout_s
            )
        case "ollama":
            from graph.models import ollama

            if check:
                ollama.require(parsed.name, settings.ollama_base_url)
            return ollama.embeddings(parsed.name, settings.ollama_base_url, timeout_s=timeout_s)
        case _:
            from memory_kernel.embeddings import load_local

            return load_local(parsed.name, settings.models_dir)
