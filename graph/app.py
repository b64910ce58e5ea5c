"""The exported graph, for `langgraph dev`, LangServe and `from graph.app import graph`.

Importing it opens nothing: the kernel and the chat model are made when the first turn needs them.
"""

from __future__ import annotations

import atexit
import functools
import logging

from langchain_core.language_models import BaseChatModel

from graph.builder import build_graph
from graph.extractors import make_extractor
from graph.models import make_chat_model
from graph.opening import open_kernel
from graph.settings import Settings
from memory_kernel import MemoryKernel

logger = logging.getLogger(__name__)

_settings = Settings()


@functools.cache
def kernel() -> MemoryKernel:
    """The kernel of this process, opened at the first call and closed at exit."""
    opened = open_kernel(_settings)
    atexit.register(opened.close)
    return opened


def _model() -> BaseChatModel:
    chosen = make_chat_model(_settings.chat_model, _settings)
    logger.info("chat model: %s (%s)", chosen.spec, chosen.why)
    return chosen.model


graph = build_graph(
    kernel,
    model=_model,
    extractor=make_extractor(_settings),
    extraction=_settings.extraction,
    history_tokens=_settings.history_tokens,
    window_messages=_settings.window_messages,
    model_timeout_s=_settings.llm_timeout_s,
)
