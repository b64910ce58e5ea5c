"""Ten turns in which the block that was injected comes back in the user's message, through the whole graph."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from langchain_core.messages import HumanMessage

from evaluation.extraction.decisions import Decision, Figure, Stored
from graph.builder import build_graph
from graph.sessions import session_config
from memory_kernel import KernelConfig, MemoryKernel
from memory_kernel.formatting import BLOCK_END, BLOCK_START
from memory_kernel.providers.memory import InMemoryProvider
from nodes.context import Context
from nodes.extraction import Extractor

SET = "pasted block"
_USER = "pasting"
_TOLD = (
    "I prefer answers as short lists.",
    "My daughter is allergic to walnuts.",
    "I'm working on the timetable of the night trains.",
)
_ASKED = "What do you know about my timetable?"
_WAYS = (
    "{block}",
    "{block}\n\n{asked}",
    "{asked}\n\n{block}",
    "Here is what you were shown:\n{block}\n{asked}",
    "{block}\n{block}\n{asked}",
    "```\n{block}\n```\n{asked}",
    "{quoted}\n\n{asked}",
    "{asked} {block}",
    "{lines}\n{asked}",
    "{asked}\n{open}",
)
"""Alone, before, after, announced, twice, fenced, quoted, on the same line, with CRLF, and cut off before its end."""


def decide(ways: Sequence[str] = _WAYS, extractor: Extractor | None = None) -> list[Decision]:
    """A decision a turn, in a session of its own. Items of what was said are not learned; they are only counted."""
    decisions = []
    with (
        tempfile.TemporaryDirectory() as scratch,
        MemoryKernel.open(
            KernelConfig(data_dir=Path(scratch), relevance_threshold=0.0), provider=InMemoryProvider()
        ) as kernel,
    ):
        graph = build_graph(kernel, "local:extractive", extractor)

        def say(text: str, session: str) -> str:
            config, context = session_config(_USER, session), Context(user_id=_USER)
            return str(graph.invoke({"messages": [HumanMessage(text)]}, config, context=context)["block"])

        for text in _TOLD:
            block = say(text, "telling")
        for number, way in enumerate(ways):
            block = say(_ASKED, f"asking-{number}")
            if not block:
                raise RuntimeError("no block was injected, so none can be pasted back")
            text = way.format(
                block=block,
                asked=_ASKED,
                quoted="\n".join(f"> {line}" for line in block.splitlines()),
                lines=block.replace("\n", "\r\n"),
                open=block.removesuffix(BLOCK_END),
            )
            before = {item.id for item in kernel.export_user(_USER)}
            say(text, f"pasting-{number}")
            added = [item for item in kernel.export_user(_USER) if item.id not in before]
            learned = tuple(
                Stored(i.memory_type, i.slot, "assert", i.text) for i in added if i.memory_type != "conversation"
            )
            more = {"quoting": sum(i.memory_type == "conversation" and BLOCK_START in i.text for i in added)}
            verdict = "added" if learned else "left"
            decisions.append(Decision(SET, f"way-{number}", _USER, text, "not stored", learned, verdict, more))
    return decisions


def figures(decisions: Sequence[Decision]) -> list[Figure]:
    """Items added over all turns, apart from what is kept of the conversation itself."""
    added = sum(len(d.stored) for d in decisions)
    quoting = sum(int(d.more["quoting"]) for d in decisions)
    note = f"{len(decisions)} turns; {quoting} conversation items keep the block as said"
    return [Figure(SET, "items added", added if decisions else None, "", target=0, at_most=True, note=note)]
