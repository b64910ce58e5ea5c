"""What a reply can say about itself, in its `additional_kwargs`, to the node that keeps the exchange."""

FAILED = "model_failed"
"""It stands in for one that the model did not give; the value says why. Never kept as memory."""

NOT_KEPT = "not_kept"
"""It only repeats what memory holds, so keeping it would make memory echo itself."""
