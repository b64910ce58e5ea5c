"""Clients for OpenAI and for servers that speak its protocol. Knows nothing of how a model is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import SecretStr

from memory_kernel.errors import ModelUnavailable

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI, OpenAIEmbeddings

MAX_RETRIES = 2


def _key(spec: str, key: SecretStr | None, base_url: str | None) -> SecretStr:
    given = key.get_secret_value().strip() if key else ""
    if given:
        return SecretStr(given)
    if base_url:
        # Servers on one's own machine want no key, but the client wants something to send.
        return SecretStr("not-needed")
    raise ModelUnavailable(
        f"{spec} needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL for a compatible server that needs none."
    )


def chat(name: str, *, key: SecretStr | None, base_url: str | None, timeout_s: float) -> ChatOpenAI:
    """A client; makes no request. Raises ModelUnavailable without a key."""
    checked = _key(f"openai:{name}", key, base_url)
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(
        model=name,
        api_key=checked,
        base_url=base_url,
        timeout=timeout_s,
        stream_chunk_timeout=timeout_s,
        max_retries=MAX_RETRIES,
    )


def embeddings(name: str, *, key: SecretStr | None, base_url: str | None, timeout_s: float) -> OpenAIEmbeddings:
    """A client; makes no request. Raises ModelUnavailable without a key."""
    checked = _key(f"openai:{name}", key, base_url)
    from langchain_openai import OpenAIEmbeddings

    return OpenAIEmbeddings(
        model=name,
        api_key=checked,
        base_url=base_url,
        timeout=timeout_s,
        max_retries=MAX_RETRIES,
        # Checking lengths loads tiktoken, which downloads its tables; memories are far below the limit.
        check_embedding_ctx_length=False,
    )
