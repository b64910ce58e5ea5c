"""What an Ollama server says about itself, and the clients for it. Knows nothing of how a model is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memory_kernel.errors import ModelUnavailable

if TYPE_CHECKING:
    from langchain_ollama import ChatOllama, OllamaEmbeddings

PROBE_TIMEOUT_S = 0.5
CHECK_TIMEOUT_S = 3.0

_EMBEDDER_FAMILIES = {"bert", "nomic-bert", "nomic-bert-moe", "xlm-roberta"}
_EMBEDDER_NAMES = ("embed", "bge-", "minilm")


class Installed(NamedTuple):
    """A model on the server."""

    name: str
    chats: bool


def installed(url: str, timeout_s: float) -> list[Installed]:
    """The server's models, newest first. Raises ModelUnavailable with the URL if it does not answer as Ollama does."""
    import httpx

    try:
        answer = httpx.get(f"{url}/api/tags", timeout=timeout_s)
        answer.raise_for_status()
        return [_installed(model) for model in answer.json()["models"]]
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        what = f"answered with {answer.status_code}" if isinstance(error, httpx.HTTPStatusError) else "does not answer"
        raise ModelUnavailable(
            f"The Ollama server at {url} {what}: start it with `ollama serve`, or set OLLAMA_BASE_URL."
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelUnavailable(
            f"The server at {url} answers, but not as Ollama does: set OLLAMA_BASE_URL to an Ollama server."
        ) from error


def _installed(model: dict[str, Any]) -> Installed:
    details = model.get("details") or {}
    families = {details.get("family"), *(details.get("families") or ())}
    name = str(model["name"])
    embeds = bool(families & _EMBEDDER_FAMILIES) or any(part in name.lower() for part in _EMBEDDER_NAMES)
    return Installed(name, chats=not embeds)


def require(name: str, url: str) -> None:
    """Ask the server whether it has a model. Raises ModelUnavailable that says how to get it."""
    names = [model.name for model in installed(url, CHECK_TIMEOUT_S)]
    if name in names or f"{name}:latest" in names:
        return
    has = f"it has {', '.join(names[:8])}" if names else "it has none yet"
    raise ModelUnavailable(f"The Ollama server at {url} has no model {name!r} ({has}): run `ollama pull {name}`.")


def chat(name: str, url: str, *, timeout_s: float, context_tokens: int) -> ChatOllama:
    """A client; makes no request. Ollama's client never retries, so a call costs at most one timeout."""
    from langchain_ollama import ChatOllama

    # Ollama's default context is far smaller than a model's own, and it cuts longer prompts without a word.
    return ChatOllama(model=name, base_url=url, num_ctx=context_tokens, client_kwargs=_client_kwargs(timeout_s))


def embeddings(name: str, url: str, *, timeout_s: float) -> OllamaEmbeddings:
    """A client; makes no request."""
    from langchain_ollama import OllamaEmbeddings

    return OllamaEmbeddings(model=name, base_url=url, client_kwargs=_client_kwargs(timeout_s))


def _client_kwargs(timeout_s: float) -> dict[str, Any]:
    import httpx

    # A kept connection belongs to the event loop that opened it; the next `asyncio.run` would find it dead.
    return {"timeout": timeout_s, "limits": httpx.Limits(max_keepalive_connections=0)}
