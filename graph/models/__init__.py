"""Chat models and embedders, each chosen by one string (`openai:gpt-4o`, `ollama:qwen2.5:7b`, `local:extractive`).

Knows nothing of memory, agents or graphs. Clients and heavy packages are imported where they are first used.
"""

from graph.models.choosing import ChosenModel, make_chat_model, make_embeddings
from graph.models.spec import CHAT_SPECS, EMBEDDING_SPECS, ModelSpec
from graph.models.trouble import as_unavailable

__all__ = [
    "CHAT_SPECS",
    "EMBEDDING_SPECS",
    "ChosenModel",
    "ModelSpec",
    "as_unavailable",
    "make_chat_model",
    "make_embeddings",
]
