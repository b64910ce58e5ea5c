"""A failed model call in one sentence. Tells errors by status and kind, so it imports no client."""

from __future__ import annotations

from collections.abc import Iterator

from memory_kernel.errors import ModelUnavailable

_BY_STATUS = {
    401: "the server refused the key (401): check OPENAI_API_KEY",
    403: "the key may not use this model (403): choose another model or another key",
    404: "the server has no such model (404): check the name",
    408: "the server gave up waiting (408): try again",
    413: "the prompt is too long for the server (413): lower MEMORY_HISTORY_TOKENS or MEMORY_TOKEN_BUDGET",
    429: "too many requests, or the quota is used up (429): wait, or check the account",
}
_TOO_LONG = ("context length", "context_length", "context size", "prompt is too long", "maximum context")
_MAX_QUOTED = 200


def as_unavailable(error: BaseException, spec: str) -> ModelUnavailable:
    """What a client raised during a call, as ModelUnavailable with the original as its cause.

    `spec` is the model's (`ChosenModel.spec`). A ModelUnavailable in the chain of causes is given back as it is.
    """
    for link in _chain(error):
        if isinstance(link, ModelUnavailable):
            return link
    unavailable = ModelUnavailable(f"{spec}: {_what(error)}.")
    unavailable.__cause__ = error
    return unavailable


def _what(error: BaseException) -> str:
    kinds = " ".join(kind.__name__ for link in _chain(error) for kind in type(link).__mro__).lower()
    status = getattr(error, "status_code", None)
    text = str(error)
    if "contextoverflow" in kinds or any(part in text.lower() for part in _TOO_LONG):
        return "the prompt is too long for the model: lower MEMORY_HISTORY_TOKENS or MEMORY_TOKEN_BUDGET"
    if isinstance(status, int):
        if status in _BY_STATUS:
            return _BY_STATUS[status]
        if status >= 500:
            return f"the server failed ({status}): try again, or look into its log"
    if "timeout" in kinds:
        return "no answer in time: try again, or raise MEMORY_LLM_TIMEOUT_S"
    if "connect" in kinds or "transporterror" in kinds:
        return "the server cannot be reached, or closed the connection: check that it runs and its URL"
    if "decodeerror" in kinds or "validationerror" in kinds or isinstance(error, TypeError | AttributeError | KeyError):
        return "the server's answer is not what its protocol promises: check the base URL"
    first = next((line.strip() for line in text.splitlines() if line.strip()), "no message")
    return f"{type(error).__name__}: {first[:_MAX_QUOTED].rstrip('.')}"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
