"""Embedders that run in this process on weights from the disk: no key, and no network at run time."""

from __future__ import annotations

import logging
import threading
from abc import abstractmethod
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from memory_kernel.errors import ModelUnavailable


class LocalEmbeddings(Embeddings):
    """An embedder of ours. `embed_array` is the one thing to implement; a query is embedded as any text is."""

    name: ClassVar[str]
    in_process: ClassVar[bool]
    """True where a call takes well under a millisecond, so that going through a thread would cost more."""

    @abstractmethod
    def embed_array(self, texts: list[str]) -> NDArray[np.float32]:
        """One row a text, in order, not necessarily of unit length."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """LangChain's form of `embed_array`."""
        rows: list[list[float]] = self.embed_array(texts).tolist()
        return rows

    def embed_query(self, text: str) -> list[float]:
        """LangChain's form of `embed_array` for one text."""
        return self.embed_documents([text])[0]


class WordLlama(LocalEmbeddings):
    """The mean of 256-d token vectors (wordllama, MIT; the weights are in its wheel). Loads when constructed."""

    name = "local:wordllama"
    in_process = True

    def __init__(self) -> None:
        root = logging.getLogger()
        silencer = logging.NullHandler()
        # wordllama calls logging.basicConfig(), which does nothing where the root logger has a handler.
        root.addHandler(silencer)
        try:
            import wordllama
        except ImportError as error:
            raise ModelUnavailable(
                "The embedder local:wordllama needs a package: run `pip install wordllama`."
            ) from error
        finally:
            root.removeHandler(silencer)
        try:
            model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
        except OSError as error:
            raise ModelUnavailable(
                f"The installed wordllama lacks its weights ({error}): "
                "run `pip install --force-reinstall 'wordllama>=0.4.0'`."
            ) from error
        self._table: NDArray[np.float32] = model.embedding
        self._tokenizer: Any = model.tokenizer
        self._tokenizer.no_padding()

    def embed_array(self, texts: list[str]) -> NDArray[np.float32]:
        """As `LocalEmbeddings.embed_array`."""
        # wordllama's own `embed` pads a batch to its longest text, which takes twice the time and, beside one long
        # text, hundreds of megabytes. The numbers are the same; a token beyond the table is clipped there too.
        rows = np.zeros((len(texts), self._table.shape[1]), dtype=np.float32)
        for row, text in enumerate(texts):
            tokens = self._tokenizer.encode(text, add_special_tokens=False).ids
            if tokens:
                rows[row] = self._table.take(tokens, axis=0, mode="clip").mean(axis=0)
        return rows


class MiniLM(LocalEmbeddings):
    """all-MiniLM-L6-v2 (Apache-2.0), 384-d, as int8 ONNX: mean of the last layer over the attention mask.

    Reads ``model.onnx`` and ``tokenizer.json`` of `folder` at the first call; sees a text's first 256 tokens.
    """

    name = "local:minilm"
    in_process = False

    MAX_TOKENS: ClassVar[int] = 256
    BATCH: ClassVar[int] = 4  # as fast as 16 on one core, with a quarter of the memory

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()  # held while loading, so that two first calls load once
        self._parts: tuple[Any, Any] | None = None

    def embed_array(self, texts: list[str]) -> NDArray[np.float32]:
        """As `LocalEmbeddings.embed_array`; rows have unit length."""
        tokenizer, session = self._parts or self._load()
        tokens = [tokenizer.encode(text).ids for text in texts]
        shortest_first = sorted(range(len(texts)), key=lambda row: len(tokens[row]))
        parts: list[NDArray[np.float32]] = []
        for start in range(0, len(texts), self.BATCH):
            parts.append(self._run(session, [tokens[row] for row in shortest_first[start : start + self.BATCH]]))
        if not parts:
            return np.empty((0, 0), dtype=np.float32)
        found = np.concatenate(parts)
        rows = np.empty_like(found)
        rows[shortest_first] = found
        return rows

    def _run(self, session: Any, batch: list[list[int]]) -> NDArray[np.float32]:
        ids = np.zeros((len(batch), max(map(len, batch))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states: NDArray[np.float32] = session.run(["last_hidden_state"], feed)[0]
        sums = np.einsum("btd,bt->bd", states, mask.astype(np.float32))
        # The norm makes the division by the number of tokens unnecessary.
        unit: NDArray[np.float32] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
        return unit

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._parts is None:
                import onnxruntime
                from tokenizers import Tokenizer

                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = 1
                options.inter_op_num_threads = 1
                options.enable_cpu_mem_arena = False  # it would keep what the longest batch took
                try:
                    tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
                    session = onnxruntime.InferenceSession(
                        str(self._folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
                    )
                except Exception as error:  # both packages raise bare or private exception classes
                    raise ModelUnavailable(
                        f"The files of local:minilm in {self._folder} cannot be read ({error}): "
                        "delete them and run `python -m graph models fetch minilm`."
                    ) from error
                tokenizer.no_padding()
                tokenizer.enable_truncation(self.MAX_TOKENS)
                self._parts = tokenizer, session
            return self._parts


_NAMES = ("wordllama", "minilm")
_loaded: dict[tuple[str, Path | None], LocalEmbeddings] = {}
_loading = threading.Lock()  # held while loading, so that weights are in memory once


def load_local(name: str, models_dir: Path | None) -> LocalEmbeddings:
    """The embedder ``local:<name>``, the same object for every caller in this process.

    Args:
        name: ``wordllama`` (weights come with its package) or ``minilm`` (fetched once into `models_dir`).
        models_dir: folder of fetched models; ``minilm`` reads ``<models_dir>/minilm/``.

    Raises:
        ModelUnavailable: an unknown name, a missing package or a missing file; the message says what to run.
    """
    if name not in _NAMES:
        raise ModelUnavailable(f"There is no local embedder {name!r}; there are: {', '.join(_NAMES)}.")
    folder = None if name == "wordllama" or models_dir is None else models_dir.expanduser().resolve() / name
    with _loading:
        embeddings = _loaded.get((name, folder))
        if embeddings is None:
            embeddings = WordLlama() if name == "wordllama" else _minilm(folder)
            _loaded[name, folder] = embeddings
        return embeddings


def _minilm(folder: Path | None) -> MiniLM:
    absent = [package for package in ("onnxruntime", "tokenizers") if find_spec(package) is None]
    if absent:
        raise ModelUnavailable(
            f"The embedder local:minilm needs {' and '.join(absent)}: run `pip install -e '.[minilm]'`."
        )
    missing = [file for file in ("model.onnx", "tokenizer.json") if folder is None or not (folder / file).is_file()]
    if missing or folder is None:
        raise ModelUnavailable(
            f"The embedder local:minilm has no {' and no '.join(missing)} in {folder or 'any models folder'}: "
            "run `python -m graph models fetch minilm`."
        )
    return MiniLM(folder)
