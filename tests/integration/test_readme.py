"""The README's Python runs as it stands, in the order in which it is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_every_python_block_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = []
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), {"__name__": "__main__"})
        shown.append(capsys.readouterr().out)
    graph, kernel, own_agent = shown
    assert "Kestrel API" in graph
    assert "short answers" in graph
    assert "Prefers answers in French" in kernel
    assert "How the user feels:\n- is tired" in own_agent


def test_every_file_that_the_readme_names_is_there() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert link.startswith("http") or (Path(__file__).parents[2] / link).exists(), link


def test_every_make_target_that_the_readme_names_is_there() -> None:
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`?make ([a-z]+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE) or target == "and", target
