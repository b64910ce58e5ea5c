"""What a reply can say about itself, in its `additional_kwargs`, to the node that keeps the exchange."""

from __future__ import annotations

from langchain_core.messages import BaseMessage

FAILED = "model_failed"
"""It stands in for one that the model did not give; the value says why. Never kept as memory."""

NOT_KEPT = "not_kept"
"""It only repeats what memory holds, so keeping it would make memory echo itself."""

CONFIRMATION = "confirmation"
"""What it begins with says what was done about requests of the user; the value is how many characters
that is. Never kept as memory."""


def without_confirmation(reply: BaseMessage) -> str:
    """The text of a reply without the confirmation that it begins with."""
    length = reply.additional_kwargs.get(CONFIRMATION)  # a client may send anything here
    return str(reply.text)[length if isinstance(length, int) else 0 :].lstrip("\n")
