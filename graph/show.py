"""How turns, memories and reports look on a terminal. Formats; decides nothing."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from graph.replay import PlayedTurn, Report
from graph.transcript import BadLine
from memory_kernel import MemoryItem

_SHOWN_DROPPED = 4
_SHOWN_BAD_LINES = 20


def turn(console: Console, number: int, played: PlayedTurn) -> None:
    """One turn: what was said, who wrote what, the wait, the block, what was kept or dropped and why, the reply."""
    line = played.turn.line
    console.rule(f"[bold]turn {number}[/]  user [cyan]{escape(line.user_id)}[/], session {escape(line.session_id)}")
    console.print(Text.assemble((f"{line.user_id}: ", "bold cyan"), line.text))
    if played.error is not None:
        console.print(Text(f"the turn failed: {played.error}", "bold red"))
        return
    console.print(writes(played.writes))
    console.print(wait(played.trace))
    if played.block:
        console.print(Panel(Text(played.block), title="the block", title_align="left", border_style="green"))
        console.print(decisions(played.trace))
    else:
        console.print(Text("no block: memory holds nothing that bears on this", "dim"))
    console.print(Text.assemble(("assistant: ", "bold magenta"), played.reply))
    console.print(Text(cost(played), "dim"))


def writes(notes: Sequence[dict[str, Any]]) -> RenderableType:
    """What each agent did with the words."""
    if not notes:
        return Text("agents wrote: nothing (no fact in it worth keeping)", "dim")
    lines = [Text("agents wrote:", "dim")]
    for note in notes:
        if note["action"] == "failed":
            lines.append(Text(f"  {note['agent']} failed: {note.get('problem', '')}", "red"))
            continue
        kind = note["memory_type"] + (f" · {note['slot']}" if note.get("slot") else "")
        said = note.get("text", "(private)")
        lines.append(
            Text.assemble(
                f"  {note['agent']} ",
                (note["action"], "yellow"),
                f" [{kind}, {note['sharing_policy']}] ",
                (said, "bold"),
            )
        )
    return Group(*lines)


def wait(trace: dict[str, Any]) -> Text:
    """How long the barrier held the read back."""
    barrier = trace.get("barrier") or {}
    text = (
        f"barrier: waited {barrier.get('waited_ms', 0.0):.2f} ms for writes up to number {barrier.get('snapshot', 0)}"
    )
    if barrier.get("timed_out"):
        text += f"; timed out with {barrier['pending']} missing"
    problems = "".join(f"; {p}" for p in trace.get("problems") or ())
    return Text(text + problems, "red" if barrier.get("timed_out") or problems else "dim")


def decisions(trace: dict[str, Any], shown_dropped: int = _SHOWN_DROPPED) -> RenderableType:
    """Which candidates were kept, which were dropped, and why."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    dropped = 0
    for decision in trace.get("decisions") or ():
        kept = decision["verdict"] == "injected"
        dropped += not kept
        if kept or dropped <= shown_dropped:
            mark = Text("kept", "green") if kept else Text("dropped", "yellow")
            table.add_row(mark, Text(_short(decision["text"])), Text(decision["reason"], "dim"))
    rest = trace.get("considered", 0) - table.row_count
    if rest > 0:
        table.add_row(Text("dropped", "yellow"), Text(f"and {rest} more", "dim"), "")
    return table


def cost(played: PlayedTurn) -> str:
    """Tokens and time of one turn."""
    usage = played.usage
    model = f", model {usage['input_tokens']} in / {usage['output_tokens']} out" if usage else ""
    return f"tokens: block {played.trace.get('tokens', 0)}{model}; {played.seconds * 1000:.0f} ms"


def report(
    console: Console, result: Report, items: Iterable[MemoryItem], bad: Sequence[BadLine], passed_over: int
) -> None:
    """The closing report of a replay."""
    console.rule("[bold]report[/]")
    table = Table(box=None, show_header=False, padding=(0, 2))

    def row(name: str, text: str) -> None:
        table.add_row(Text(name, "bold"), Text(text))

    row("turns", f"{result.turns} of {len(result.users)} users in {len(result.sessions)} sessions")
    row("replies", f"{result.recorded} from the transcript, {result.turns - result.recorded} from the chat model")
    total = Counter((i.memory_type, i.owner_agent, i.sharing_policy, i.status) for i in items)
    for (kind, owner, policy, status), count in sorted(total.items()):
        row("items", f"{count:6d}  {kind}, by {owner}, {policy}, {status}")
    if not total:
        row("items", "none")
    for (agent, action), count in sorted(result.actions.items()):
        row("writes", f"{count:6d}  {agent} {action}")
    tokens = result.block_tokens
    if tokens:
        row(
            "tokens",
            f"block: {sum(tokens)} in all, median {statistics.median(tokens):.0f}, most {max(tokens)} "
            f"({result.with_block} turns with a block); "
            f"model: {result.prompt_tokens} in, {result.completion_tokens} out",
        )
    if result.waits_ms:
        row(
            "waits",
            f"barrier: {sum(result.waits_ms):.1f} ms in all, most {max(result.waits_ms):.2f} ms; "
            f"{result.timed_out} timed out",
        )
    if result.seconds:
        row("time", f"{sum(result.seconds):.1f} s, median {statistics.median(result.seconds) * 1000:.0f} ms a turn")
    row("failures", str(sum(result.failures.values())) if result.failures else "none")
    for failure, count in result.failures.most_common(10):
        row("", f"{count:6d}  {failure}")
    if passed_over:
        row("passed over", f"{passed_over} system and tool lines: not the user's words")
    row("bad lines", str(len(bad)) if bad else "none")
    for line in bad[:_SHOWN_BAD_LINES]:
        row("", f"line {line.number} {line.reason}")
    if len(bad) > _SHOWN_BAD_LINES:
        row("", f"and {len(bad) - _SHOWN_BAD_LINES} more")
    console.print(table)


def memories(console: Console, items: Sequence[MemoryItem], *, numbered: bool = False) -> None:
    """Memories, each with what it says and below it what it is: type, slot, owner, policy, status, since when."""
    for number, item in enumerate(items, 1):
        name = f"{number:4d}" if numbered else item.id[:12]
        kind = item.memory_type + (f" · {item.slot}" if item.slot else "")
        until = f" until {item.valid_to:%Y-%m-%d}" if item.valid_to else ""
        whose = f"{item.owner_agent}, {item.sharing_policy}, {item.status}"
        about = f"{kind}; {whose}, since {item.valid_from:%Y-%m-%d}{until}"
        console.print(Text.assemble((name, "bold"), "  ", _short(item.text, 300)), soft_wrap=True)
        console.print(Text(" " * (len(name) + 2) + about, "dim"), soft_wrap=True)


def _short(text: str, width: int = 90) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"
