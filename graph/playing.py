"""The commands `demo` and `replay`: a transcript played on the terminal."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
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
from memory_kernel import InvalidMemory, MemoryItem, MemoryKernel

DEMO_TRANSCRIPT = Path(__file__).with_name("demo.jsonl")
MOST_FAILED_IN_A_ROW = 20


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
    """Play a transcript; bad lines are named and passed over.

    Exit code 1 if a turn failed or there was nothing to play, 130 if it was interrupted. A model's failure is in the
    report and fails no turn. `MOST_FAILED_IN_A_ROW` failed turns end the replay: the next would fail as well.
    `output` gets one JSON object a turn: line, user_id, session_id, text, reply, block, trace, writes, seconds, error.
    """
    lines, bad, passed_over = _read(path)
    if output is not None and output.exists() and output.samefile(path):
        raise InvalidMemory(f"--output {str(output)!r} is the transcript itself: name another file")
    todo = turns(lines)[:limit]
    if not todo:
        how_many = show.count(len(bad), "bad line", "bad lines")
        _print(console, f"{path}: no line of a user that can be played ({how_many})")
        for line in show.bad_lines(bad):
            _print(console, f"  {line}")
        return 1
    chosen = make_chat_model(settings.chat_model, settings)
    _print(console, f"chat model: {chosen.spec} ({chosen.why}); extractor: {settings.extractor}")
    result = Report()
    interrupted = False
    failed_in_a_row = 0
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
                    failed_in_a_row = 0 if played.error is None else failed_in_a_row + 1
                    if failed_in_a_row == MOST_FAILED_IN_A_ROW:
                        _print(
                            console,
                            f"stopped: {failed_in_a_row} turns in a row failed, the last (line "
                            f"{played.turn.line.number}) with {played.error}. Mend that and play the transcript again: "
                            "what was played is kept, and nothing is kept twice",
                        )
                        break
            except KeyboardInterrupt:
                interrupted = True
                console.print("stopped; what was played is kept")
        if not kernel.flush(timeout_s=60):
            console.print("the index is still behind; the rest is taken up when the store is next opened")
        show.report(console, result, _items(kernel, result.users), bad, passed_over)
    where = shlex.quote(str(settings.data_dir))
    _print(console, f"the store is in {where}: {_this_python()} -m graph memory list --data {where} --user ID")
    return 130 if interrupted else int(result.failed > 0)


def demo(console: Console, settings: Settings) -> int:
    """The main job with local parts only, whatever keys are around: two users, several sessions, turn by turn."""
    data_dir = _new_directory(settings.data_dir / "demo")
    offline = settings.model_copy(
        update={
            "data_dir": data_dir,
            "chat_model": "local:extractive",
            "embeddings": "local:wordllama",
            "extractor": "offline",
            "extraction": "inline",
        }
    )
    lines, _, _ = _read(DEMO_TRANSCRIPT)
    chosen = make_chat_model("local:extractive", offline, allow_keys=False)
    result = Report()
    console.print("Two users, several sessions, local models only. Each turn shows what the kernel did.\n")
    with open_kernel(offline) as kernel, Player(kernel, chosen.model, offline) as player:
        for number, played in enumerate(player.play(turns(lines)), 1):
            result.add(played)
            show.turn(console, number, played)
        kernel.flush()
        show.report(console, result, _items(kernel, result.users), [], 0)
    python, where = _this_python(), shlex.quote(str(data_dir))
    _print(
        console,
        f"""
What next:
  make chat USER=you     talk to it; leave, come back, and it still knows
  make dev               the graph in LangGraph Studio
  {python} -m graph chat --user ana --data {where}
  {python} -m graph memory list --user ana --data {where}
  {python} -m graph memory history --user ben --slot location --data {where}
  notebooks/01_quickstart.ipynb   the same from Python
""",
    )
    return 0 if not result.failures else 1


@contextmanager
def _rows(output: Path | None) -> Iterator[Callable[[PlayedTurn], None]]:
    """A function that writes a turn's row at once, so that a replay that is stopped leaves what it did."""
    if output is None:
        yield lambda played: None
        return
    with output.open("w", encoding="utf-8", errors="backslashreplace") as file:  # JSON's own escape of a lone surrogate

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


def _new_directory(parent: Path) -> Path:
    """A directory of this run's own, named by the time: nothing that was there before is touched."""
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    number = 1
    while True:
        here = parent / (name if number == 1 else f"{name}-{number}")
        try:
            here.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return here


def _print(console: Console, text: str) -> None:
    console.print(show.plain(text), markup=False, highlight=False, soft_wrap=True)


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
