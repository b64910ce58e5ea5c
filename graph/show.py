"""How turns, memories and reports look on a terminal. Formats; decides nothing."""

from __future__ import annotations

import json
import statistics
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.highlighter import JSONHighlighter
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:  # the command line formats its errors without LangGraph
    from graph.replay import PlayedTurn, Report
    from graph.transcript import BadLine
    from memory_kernel import ErasureReceipt, MemoryItem

_SHOWN_DROPPED = 4
_SHOWN_BAD_LINES = 20
_OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")  # Unicode categories of what a terminal obeys, hides or reorders by
_PLACES = {  # what a receipt of an erasure calls them, in the order in which they are shown
    "ledger.items": "memories",
    "erase_sessions": "sessions",
    "index": "vectors in the index",
    "embedding cache": "cached embeddings",
    "views": "cached memories",
    "ledger.audit": "records of reads",
    "ledger.writes": "records of writes",
    "ledger.lessons": "records of what messages taught",
    "ledger.readings": "records of messages read",
    "ledger.observed": "records of who spoke with an agent",
    "ledger.deferred": "messages that were still to be read",
    "ledger.problems": "records of what agents could not do",
    "ledger.sessions": "session ids",
    "ledger.users": "user ids",
}


def plain(text: str, *, lines: bool = True) -> str:
    """Text that a terminal shows and does not obey: control and format characters as visible escapes such as ``\\x1b``.

    `lines`: newlines and tabs stay; without it they are escaped too, for ids and whatever else is one line.
    """
    if lines:
        text = text.replace("\r\n", "\n")
    return "".join(_visible(c) if _is_obeyed(c) and not (lines and c in "\n\t") else c for c in text)


def plain_json(text: str, *, ascii_only: bool = False) -> str:
    """The same for JSON text, which stays JSON of the same values. `ascii_only`: for streams that hold no more."""
    return "".join(
        json.dumps(c)[1:-1] if (_is_obeyed(c) and c != "\n") or (ascii_only and not c.isascii()) else c for c in text
    )


def sentence(error: BaseException) -> str:
    """An error in one line: its first, or its kind if it says nothing."""
    return plain(next((line for line in str(error).splitlines() if line.strip()), type(error).__name__), lines=False)


def count(number: int, one: str, many: str) -> str:
    """``1 memory``, ``2 memories``."""
    return f"{number} {one if number == 1 else many}"


def _is_obeyed(character: str) -> bool:
    if character in "\u200c\u200d":  # Persian and joined emoji are written with these; they move nothing
        return False
    return not character.isprintable() and unicodedata.category(character) in _OBEYED


def _visible(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def turn(console: Console, number: int, played: PlayedTurn) -> None:
    """One turn: what was said, who wrote what, the wait, the block, what was kept or dropped and why, the reply."""
    line = played.turn.line
    user_id, session_id = plain(line.user_id, lines=False), plain(line.session_id, lines=False)
    console.rule(f"[bold]turn {number}[/]  user [cyan]{escape(user_id)}[/], session {escape(session_id)}")
    console.print(Text.assemble((f"{user_id}: ", "bold cyan"), plain(line.text)))
    if played.error is not None:
        console.print(Text(plain(f"the turn failed: {played.error}"), "bold red"))
        return
    console.print(writes(played.writes))
    console.print(wait(played.trace))
    if played.block:
        console.print(Panel(Text(plain(played.block)), title="the block", title_align="left", border_style="green"))
        console.print(decisions(played.trace))
    else:
        console.print(Text("no block: memory holds nothing that bears on this", "dim"))
    console.print(Text.assemble(("assistant: ", "bold magenta"), plain(played.reply)))
    console.print(Text(cost(played), "dim"))


def writes(notes: Sequence[dict[str, Any]]) -> RenderableType:
    """What each agent did with the words."""
    if not notes:
        return Text("agents wrote: nothing (no fact in it worth keeping)", "dim")
    lines = [Text("agents wrote:", "dim")]
    for note in notes:
        if note["action"] == "failed":
            lines.append(Text(plain(f"  {note['agent']} failed: {note.get('problem', '')}"), "red"))
            continue
        if note["action"] == "reading":
            lines.append(Text(plain(f"  {note['agent']} reads behind the reply (number {note['seq_no']})"), "dim"))
            continue
        kind = note["memory_type"] + (f" · {note['slot']}" if note.get("slot") else "")
        said = note.get("text", "(private)")
        lines.append(
            Text.assemble(
                plain(f"  {note['agent']} ", lines=False),
                (note["action"], "yellow"),
                plain(f" [{kind}, {note['sharing_policy']}] ", lines=False),
                (plain(said), "bold"),
                (plain(f" ({note['reason']})") if note.get("reason") else "", "dim"),
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
    return Text(plain(text + problems), "red" if barrier.get("timed_out") or problems else "dim")


def decisions(trace: dict[str, Any], shown_dropped: int = _SHOWN_DROPPED) -> RenderableType:
    """Which candidates were kept, which were dropped, and why."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    dropped = 0
    for decision in trace.get("decisions") or ():
        kept = decision["verdict"] == "injected"
        dropped += not kept
        if kept or dropped <= shown_dropped:
            mark = Text("kept", "green") if kept else Text("dropped", "yellow")
            table.add_row(mark, Text(_short(decision["text"])), Text(plain(decision["reason"]), "dim"))
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
        table.add_row(Text(name, "bold"), Text(plain(text)))

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
    for line in bad_lines(bad):
        row("", line)
    console.print(table)


def bad_lines(bad: Sequence[BadLine]) -> list[str]:
    """The first with their reasons, of the rest the numbers: ``and lines 21, 23-25``."""
    named = [plain(f"line {line.number} {line.reason}", lines=False) for line in bad[:_SHOWN_BAD_LINES]]
    rest = [line.number for line in bad[_SHOWN_BAD_LINES:]]
    return [*named, f"and lines {_ranges(rest)}"] if rest else named


def _ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers with runs drawn together."""
    ends = [i for i, (a, b) in enumerate(pairwise(numbers), 1) if b != a + 1]
    runs = [(numbers[a], numbers[b - 1]) for a, b in pairwise([0, *ends, len(numbers)])]
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def erasure(console: Console, receipt: ErasureReceipt) -> None:
    """What an erasure removed, and what it could not."""
    removed = {place: number for place, number in receipt.removed.items() if number}
    console.print("erased:" if removed else "erased: there was nothing")
    for place in [*(p for p in _PLACES if p in removed), *(p for p in removed if p not in _PLACES)]:
        what = plain(_PLACES.get(place, place), lines=False)
        console.print(f"{removed[place]:6d}  {what}", markup=False, highlight=False)
    for problem in receipt.problems:
        console.print(f"not erased: {plain(problem, lines=False)}", markup=False, highlight=False)


def as_json(console: Console, text: str) -> None:
    """JSON, laid out, in colours where the terminal has them."""
    laid_out = json.dumps(json.loads(text), indent=2, ensure_ascii=not console.encoding.startswith("utf"))
    console.print(JSONHighlighter()(plain_json(laid_out)), soft_wrap=True)


def problems(console: Console, entries: Sequence[Mapping[str, Any]]) -> None:
    """What agents could not do: when, who, what, and below it what a model said."""
    for entry in entries:
        about = f"{entry['at'][:19].replace('T', ' ')}  {entry['agent']}: {entry['kind']}: {entry['detail']}"
        where = f" (session {entry['session_id']})" if entry.get("session_id") else ""
        console.print(Text(plain(about + where, lines=False), "bold"), soft_wrap=True)
        for line in plain(entry.get("raw") or "").splitlines():
            console.print(Text(f"    {line}", "dim"), soft_wrap=True)


def memories(console: Console, items: Sequence[MemoryItem], *, numbered: bool = False) -> None:
    """Memories, each with what it says and below it what it is: type, slot, owner, policy, status, since when."""
    for number, item in enumerate(items, 1):
        name = f"{number:4d}" if numbered else plain(item.id[:12], lines=False)
        kind = item.memory_type + (f" · {item.slot}" if item.slot else "")
        until = f" until {item.valid_to:%Y-%m-%d}" if item.valid_to else ""
        why = f" ({item.reason})" if item.reason else ""
        whose = f"{item.owner_agent}, {item.sharing_policy}, {item.status}{why}"
        about = plain(f"{kind}; {whose}, since {item.valid_from:%Y-%m-%d}{until}", lines=False)
        console.print(Text.assemble((name, "bold"), "  ", _short(item.text, 300)), soft_wrap=True)
        console.print(Text(" " * (len(name) + 2) + about, "dim"), soft_wrap=True)


def _short(text: str, width: int = 90) -> str:
    flat = plain(" ".join(text.split()))
    return flat if len(flat) <= width else flat[: width - 1] + "…"
