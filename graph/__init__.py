"""The LangGraph application: the wired graph, its settings, sessions and command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.builder import build_graph

__all__ = ["build_graph"]


def __getattr__(name: str) -> Any:
    """`graph.build_graph`, imported at first use: LangGraph is not needed to read a store."""
    if name == "build_graph":
        from graph.builder import build_graph

        return build_graph
    raise AttributeError(f"module 'graph' has no attribute {name!r}")
