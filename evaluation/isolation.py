"""Does anything cross between users? Played with a real transcript, and judged from outside the kernel.

Every sentence of a user carries that user's canary word; the command line plays it, and the rows that it wrote and the
exports of the store are searched for foreign canaries.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.data import memorybank_transcript, write_transcript

_SENTENCE_END = re.compile(r"([.!?]+)(?=\s|$)")
_CANARY = re.compile(r"zq[0-9a-f]{8}")


def canary(user_id: str) -> str:
    """A word that nobody else's text contains."""
    return "zq" + hashlib.sha256(user_id.encode()).hexdigest()[:8]


def marked(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The lines with the user's canary in every sentence, whoever says it."""
    for line in lines:
        word = canary(line["user_id"])
        text = _SENTENCE_END.sub(rf", {word}\1", line["text"])
        yield {**line, "text": text if word in text else f"{text} {word}"}


def run(half: str, model: str, replies: str, limit: int | None, keep: Path | None) -> int:
    """Replay and judge. Prints the replay's closing report and the verdict; exit code 1 if anything crossed."""
    with tempfile.TemporaryDirectory() as scratch:
        here = keep or Path(scratch)
        here.mkdir(parents=True, exist_ok=True)
        lines = list(marked(memorybank_transcript(half)))
        transcript = write_transcript(iter(_shuffled_by_time(lines)), here / "transcript.jsonl")
        rows, data = here / "rows.jsonl", here / "store"
        command = ["replay", str(transcript), "--data", str(data), "--output", str(rows), "--model", model]
        command += ["--replies", replies, "--extractor", "offline"]
        command += ["--limit", str(limit)] if limit else []
        print("$ python -m graph", " ".join(command), flush=True)
        done = _graph(*command, show=True)
        if done.returncode:
            return done.returncode
        return _judge(rows, data, sorted({line["user_id"] for line in lines}))


def _judge(rows: Path, data: Path, users: list[str]) -> int:
    owner = {canary(user): user for user in users}
    seen: Counter[str] = Counter()
    crossed: list[str] = []

    def look(user: str, where: str, text: str) -> None:
        for word in _CANARY.findall(text):
            seen[where] += 1
            if owner.get(word) != user:
                crossed.append(f"{where} of {user} holds the canary of {owner.get(word)}")

    turns = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    for turn in turns:
        for part in ("block", "reply", "trace", "writes"):
            look(turn["user_id"], part, json.dumps(turn[part], ensure_ascii=False))
    items = 0
    for user in users:
        exported = _graph("memory", "export", "--user", user, "--data", str(data)).stdout.splitlines()
        items += len(exported)
        for line in exported:
            look(user, "stored item", line)
    print(f"judged from outside: {len(turns)} turns, {items} stored items, {len(users)} users")
    print("canaries seen:", ", ".join(f"{where} {count}" for where, count in sorted(seen.items())))
    print(f"crossed: {len(crossed)}")
    for line in crossed[:10]:
        print(" ", line)
    if not seen["block"] or not seen["stored item"]:
        print("no canary was seen at all, so this shows nothing")
        return 1
    return 1 if crossed else 0


def _shuffled_by_time(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Users' turns interleaved as they would arrive: by time, keeping each session's order."""
    return [line for _, line in sorted(enumerate(lines), key=lambda pair: (pair[1]["time"], pair[0]))]


def _graph(*arguments: str, show: bool = False) -> subprocess.CompletedProcess[str]:
    output = None if show else subprocess.PIPE
    return subprocess.run([sys.executable, "-m", "graph", *arguments], stdout=output, text=True, check=not show)
