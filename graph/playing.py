"""The commands `demo` and `replay`: a transcript played on the terminal."""

from __future__ import annotations

import json
import logging
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from graph import show
from graph.extractors import make_extractor
from graph.models import make_chat_model
from graph.opening import open_kernel
from graph.replay import PlayedTurn, Player, Report
from graph.settings import Settings
from graph.transcript import BadLine, Line, read_lines, turns
from memory_kernel import MemoryItem, MemoryKernel, StoreLocked

logger = logging.getLogger(__name__)

DEMO_TRANSCRIPT = Path(__file__).with_name("demo.jsonl")


def replay(
    console: Console,
    path: Path,
    settings: Settings,
    *,
    recorded: bool,
    limit: int | None,
    verbose: bool,
    output: Path | None,
) -> int:
    """Play a transcript; bad lines are named and passed over. Exit code 1 if there was nothing to play.

    `output` gets one JSON object a turn: line, user_id, session_id, text, reply, block, trace, writes, seconds, error.
    """
    lines, bad, passed_over = _read(path)
    todo = turns(lines)[:limit]
    if not todo:
        console.print(f"{path}: no line of a user that can be played ({len(bad)} bad lines)", markup=False)
        for line in bad[:10]:
            console.print(f"  line {line.number} {line.reason}", markup=False)
        return 1
    chosen = make_chat_model(settings.chat_model, settings)
    console.print(f"chat model: {chosen.spec} ({chosen.why}); extractor: {settings.extractor}", markup=False)
    result = Report()
    with open_kernel(settings) as kernel:
        extractor = make_extractor(settings)
        with (
            Player(kernel, chosen.model, settings, extractor, use_recorded_replies=recorded) as player,
            _rows(output) as write_row,
            _bar() as bar,
        ):
            task = bar.add_task("turns", total=len(todo))
            try:
                for number, played in enumerate(player.play(todo), 1):
                    result.add(played)
                    write_row(played)
                    if verbose:
                        show.turn(bar.console, number, played)
                    bar.advance(task)
            except KeyboardInterrupt:
                console.print("stopped; what was played is kept")
        if not kernel.flush(timeout_s=60):
            console.print("the index is still behind; the rest is taken up when the store is next opened")
        show.report(console, result, _items(kernel, result.users), bad, passed_over)
    console.print(
        f"the store is in {settings.data_dir}: python -m graph memory list --data {settings.data_dir} --user ID"
    )
    return 0


def demo(console: Console, settings: Settings) -> int:
    """The main job with local parts only, whatever keys are around: two users, several sessions, turn by turn."""
    data_dir = settings.data_dir / "demo"
    offline = settings.model_copy(
        update={"chat_model": "local:extractive", "embeddings": "local:wordllama", "extractor": "offline"}
    )
    kernel, data_dir = _fresh(offline, data_dir)
    lines, _, _ = _read(DEMO_TRANSCRIPT)
    chosen = make_chat_model("local:extractive", offline, allow_keys=False)
    result = Report()
    console.print("Two users, several sessions, local models only. Each turn shows what the kernel did.\n")
    with kernel, Player(kernel, chosen.model, offline.model_copy(update={"data_dir": data_dir})) as player:
        for number, played in enumerate(player.play(turns(lines)), 1):
            result.add(played)
            show.turn(console, number, played)
        kernel.flush()
        show.report(console, result, _items(kernel, result.users), [], 0)
    python = _this_python()
    console.print(
        f"""
What next:
  make chat USER=you     talk to it; leave, come back, and it still knows
  make dev               the graph in LangGraph Studio
  {python} -m graph chat --user ana --data {data_dir}
  {python} -m graph memory list --user ana --data {data_dir}
  {python} -m graph memory history --user ben --slot location --data {data_dir}
  notebooks/01_quickstart.ipynb   the same from Python
""",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    return 0 if not result.failures else 1


@contextmanager
def _rows(output: Path | None) -> Iterator[Callable[[PlayedTurn], None]]:
    """A function that writes a turn's row at once, so that a replay that is stopped leaves what it did."""
    if output is None:
        yield lambda played: None
        return
    with output.open("w", encoding="utf-8") as file:

        def write(played: PlayedTurn) -> None:
            line = played.turn.line
            row = {
                "line": line.number,
                "user_id": line.user_id,
                "session_id": line.session_id,
                "text": line.text,
                "reply": played.reply,
                "block": played.block,
                "trace": played.trace,
                "writes": list(played.writes),
                "seconds": round(played.seconds, 6),
                "error": played.error or played.model_failed,
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()

        yield write


def _fresh(settings: Settings, data_dir: Path) -> tuple[MemoryKernel, Path]:
    """A new store for the demo: in place of the last one, or beside it if that one is open elsewhere."""
    for number in range(1, 100):
        here = data_dir if number == 1 else data_dir.with_name(f"{data_dir.name}-{number}")
        try:
            if here.exists():
                with open_kernel(settings.model_copy(update={"data_dir": here})):
                    pass  # only to be sure that nobody has it open
                shutil.rmtree(here)
            return open_kernel(settings.model_copy(update={"data_dir": here})), here
        except StoreLocked:
            continue
    raise StoreLocked(f"a hundred demos are open beside {str(data_dir)!r}; close some")


def _this_python() -> str:
    """How to type this interpreter from here."""
    here = Path(sys.executable)
    return str(here.relative_to(Path.cwd())) if here.is_relative_to(Path.cwd()) else "python"


def _read(path: Path) -> tuple[list[Line], list[BadLine], int]:
    lines, bad = [], []
    for line in read_lines(path):
        if isinstance(line, Line):
            lines.append(line)
        else:
            bad.append(line)
    return lines, bad, sum(line.role in ("system", "tool") for line in lines)


def _items(kernel: MemoryKernel, users: set[str]) -> list[MemoryItem]:
    return [item for user_id in sorted(users) for item in kernel.export_user(user_id)]


def _bar() -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)
