"""Every notebook runs from top to bottom, and shows what it promises."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def run(name: str) -> str:
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    resources = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [o for o in outputs if o.get("name") == "stderr"], "a notebook prints no warnings"
    return "\n".join(o.get("text", "") for o in outputs)


@pytest.mark.filterwarnings("ignore:Kernel is running over TCP without encryption")  # on loopback
def test_the_quickstart_teaches_what_it_says() -> None:
    shown = run("01_quickstart.ipynb")
    for expected in (
        "- I prefer short answers",
        "- I'm blocked by the rate limiter in staging",
        "injected",
        "below 0.30",
        "superseded",
        "is tired today",
        "refused:",
        "True {'ledger",
    ):
        assert expected in shown
    assert shown.count("Kestrel") >= 3


def test_the_quickstart_is_committed_with_outputs_and_names_no_machine() -> None:
    notebook = nbformat.read(NOTEBOOKS / "01_quickstart.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert any(cell.outputs for cell in code)
    assert "/root" not in nbformat.writes(notebook)
