"""Where the public data sets lie (`MEMORY_DATA`), and how they become transcripts. Nothing of them is shipped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from graph.settings import data_sets_dir


class MissingData(FileNotFoundError):
    """The set is not on this machine; the message says where it was looked for."""


def rows(name: str, half: str = "dev", limit: int | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a set such as ``open/memorybank``, the first `limit` of them. Raises MissingData."""
    path = data_sets_dir() / name / f"{half}.jsonl"
    if not path.is_file():
        raise MissingData(f"no {path}: set MEMORY_DATA to the folder that holds {name}")
    with path.open(encoding="utf-8") as file:
        for line in islice(file, limit):
            yield json.loads(line)


def memorybank_transcript(half: str = "dev") -> Iterator[dict[str, Any]]:
    """MemoryBank as transcript lines: a session a day, the time from the day and the place in it."""
    for user in rows("open/memorybank", half):
        for session in user["sessions"]:
            for number, turn in enumerate(session["turns"]):
                yield {
                    "user_id": user["user_id"],
                    "session_id": f"{user['id']}/{session['date']}",
                    "role": turn["role"],
                    "text": turn["text"],
                    "time": f"{session['date']}T{9 + number // 60:02d}:{number % 60:02d}:00Z",
                }


def write_transcript(lines: Iterator[dict[str, Any]], path: Path) -> Path:
    """Write transcript lines where `python -m graph replay` can read them."""
    with path.open("w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return path
