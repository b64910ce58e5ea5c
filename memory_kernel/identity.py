"""Whose memories a request is about (invariant 5). Pure: the one place where the order of the chain is written."""

from __future__ import annotations

from collections.abc import Callable

from memory_kernel.errors import InvalidMemory
from memory_kernel.items import Identity

AGENT_PREFIX = "agent:"
MAX_ID_CHARS = 2048
MAX_SESSION_CHARS = 8 * MAX_ID_CHARS  # a session id often holds a user id, and that may be percent-encoded


def check_id(value: object, what: str, max_chars: int = MAX_ID_CHARS) -> str:
    """An id as given, compared exactly from here on. Raises InvalidMemory if it cannot be one."""
    if not isinstance(value, str) or not value:
        raise InvalidMemory(f"{what} must be a non-empty string, not {value!r}")
    if len(value) > max_chars:
        raise InvalidMemory(f"{what} has {len(value)} characters; at most {max_chars}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidMemory(f"{what} {value!r} is not valid Unicode (a lone surrogate)") from error
    return value


def check_session_id(value: object) -> str:
    """A session's id; LangGraph's thread id where the graph runs."""
    return check_id(value, "session_id", MAX_SESSION_CHARS)


def check_user_id(value: object) -> str:
    """A person's id. The prefix ``agent:`` is kept for the agents' own memories."""
    user_id = check_id(value, "user_id")
    if user_id.startswith(AGENT_PREFIX):
        raise InvalidMemory(f"user_id {user_id!r}: ids that start with {AGENT_PREFIX!r} belong to agents")
    return user_id


def resolve(
    agent: str,
    *,
    attached: str | None,
    session_user: Callable[[], str | None],
    observed: Callable[[], frozenset[str]],
) -> Identity:
    """The first that applies: id on the request; the session's; the only one seen here; the agent's own.

    Never a guess among several people: two ids seen in one session resolve to the agent's own id.
    """
    if attached is not None:
        return Identity(user_id=attached, source="request")
    registered = session_user()
    if registered is not None:
        return Identity(user_id=registered, source="session")
    seen = observed()
    if len(seen) == 1:
        return Identity(user_id=next(iter(seen)), source="observed")
    return Identity(user_id=AGENT_PREFIX + agent, source="agent")
