"""Who may see an item (KMSM Eq. 1). Pure, total, and the only place that decides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

T = TypeVar("T")


def visible(item: Any, agent_name: str) -> bool:
    """True if `agent_name` may see `item`: its own, or one whose policy is exactly the string ``"shared"``.

    Anything absent, malformed or unknown means private. `item` may be any object with `owner_agent` and
    `sharing_policy`, so the rule can be checked on what a provider returned too.
    """
    owner = getattr(item, "owner_agent", None)
    if not isinstance(owner, str):
        return False
    if owner == agent_name:
        return True
    policy = getattr(item, "sharing_policy", None)
    return isinstance(policy, str) and policy == "shared"


def only_visible(items: Iterable[T], agent_name: str) -> list[T]:
    """Eq. 2: the subset of `items` that `agent_name` may see, in order."""
    return [item for item in items if visible(item, agent_name)]
