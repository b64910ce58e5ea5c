"""Embedders: the local ones, what the kernel asks of any, and the calibration of relevance."""

from __future__ import annotations

import hashlib
import math
import re
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from numpy.typing import NDArray

from memory_kernel.embeddings import Calibration, EmbeddingFailed, KernelEmbedder, calibrate, load_local
from memory_kernel.embeddings.calibration import from_cosines
from memory_kernel.embeddings.embedder import MAX_TEXT_BYTES, clean
from memory_kernel.embeddings.probes import PROBES
from memory_kernel.errors import MemoryKernelError, ModelUnavailable

HOSTILE = {
    "empty": "",
    "blank": " \n\t",
    "NUL": "a\0b",
    "lone surrogate": "a\ud83d b",
    "control characters": "\x01\x02\x1b[31m",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈",
    "right to left": "\u202eשלום",
    "special tokens": "<s></s><unk>[CLS][SEP][PAD]",
    "combining": "e" + "\u0301" * 500,
    "long": "word " * 12_000,
    "long, no spaces": "x" * 60_000,
    "long, three bytes a character": "記" * 60_000,
    "long, four bytes a character": "🦊" * 60_000,
}


class Scripted(Embeddings):
    """Answers what it is told to, and keeps what it was asked."""

    def __init__(self, documents: Callable[[list[str]], object], query: Callable[[str], object] | None = None) -> None:
        self.asked: list[list[str]] = []
        self.queries: list[str] = []
        self._documents = documents
        self._query = query

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked.append(texts)
        return self._documents(texts)  # type: ignore[return-value]

    def embed_query(self, text: str) -> list[float]:
        self.queries.append(text)
        if self._query is not None:
            return self._query(text)  # type: ignore[return-value]
        return self._documents([text])[0]  # type: ignore[index,no-any-return]


def hashed_words(texts: list[str], dimension: int = 512) -> list[list[float]]:
    """The crudest embedder there is: which words are in it. A constant keeps a text without words from being zero."""
    rows = np.zeros((len(texts), dimension))
    rows[:, 0] = 0.1
    for row, text in enumerate(texts):
        for word in re.findall(r"\w+", text.lower()):
            number = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
            rows[row, 1 + number % (dimension - 1)] += 1
    result: list[list[float]] = rows.tolist()
    return result


@pytest.fixture
def words() -> KernelEmbedder:
    return KernelEmbedder(Scripted(hashed_words))


@pytest.fixture(scope="session")
def wordllama() -> KernelEmbedder:
    return KernelEmbedder(load_local("wordllama", None))


# Local embedders


def test_importing_the_package_imports_no_model_and_does_not_touch_logging() -> None:
    script = (
        "import sys, logging\n"
        "from memory_kernel.embeddings import load_local\n"
        "print([m for m in ('wordllama', 'onnxruntime', 'tokenizers', 'safetensors') if m in sys.modules])\n"
        "load_local('wordllama', None)\n"
        "print(logging.getLogger().handlers, logging.getLogger().level)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"[]\n[] {30}\n"
    assert done.stderr == ""


def test_wordllama_needs_no_download_and_tells_related_from_unrelated(wordllama: KernelEmbedder) -> None:
    assert (wordllama.name, wordllama.dimension, wordllama.in_process) == ("local:wordllama", 256, True)
    query = wordllama.embed_query("Which seat do I prefer on a plane?")
    related, unrelated = wordllama.embed_texts(["Prefers a window seat on flights", "Is allergic to peanuts"])
    assert query @ related > query @ unrelated


def test_wordllama_gives_what_its_own_package_gives(wordllama: KernelEmbedder) -> None:
    import wordllama as package

    texts = ["A short one.", "A rather longer one, with Ünïcode, 数字 and 🦊 in it, to be padded against.", "x"]
    theirs = package.WordLlama.load(cache_dir=Path(package.__file__).parent, disable_download=True).embed(texts)
    np.testing.assert_allclose(
        wordllama.embed_texts(texts), theirs / np.linalg.norm(theirs, axis=1, keepdims=True), atol=1e-5
    )


def test_a_local_embedder_is_loaded_once_however_many_ask_at_the_same_time() -> None:
    together = threading.Barrier(8)

    def load() -> Embeddings:
        together.wait(20)
        return load_local("wordllama", None)

    with ThreadPoolExecutor(8) as threads:
        assert len({id(future.result(60)) for future in [threads.submit(load) for _ in range(8)]}) == 1


def test_langchain_may_use_a_local_embedder_directly() -> None:
    embeddings = load_local("wordllama", None)
    assert embeddings.embed_query("hello") == embeddings.embed_documents(["hello"])[0]
    assert all(isinstance(number, float) for number in embeddings.embed_query("hello"))


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ModelUnavailable, match=r"'word2vec'; there are: wordllama, minilm"):
        load_local("word2vec", None)


def test_minilm_without_its_files_says_what_to_run(tmp_path: Path) -> None:
    for folder in (None, tmp_path):
        with pytest.raises(ModelUnavailable, match=r"no model\.onnx.*run `python -m graph models fetch minilm`"):
            load_local("minilm", folder)


def test_minilm_without_its_packages_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_kernel.embeddings.local.find_spec", lambda _: None)
    with pytest.raises(ModelUnavailable, match=r"onnxruntime and tokenizers: run `pip install -e '\.\[minilm\]'`"):
        load_local("minilm", tmp_path)


def test_minilm_with_files_that_are_no_model_says_what_to_run(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    for file in ("model.onnx", "tokenizer.json"):
        (tmp_path / "minilm").mkdir(exist_ok=True)
        (tmp_path / "minilm" / file).write_text("truncated")
    embeddings = load_local("minilm", tmp_path)
    with pytest.raises(ModelUnavailable, match=r"cannot be read.*run `python -m graph models fetch minilm`"):
        embeddings.embed_query("hello")


def test_minilm_pools_over_the_tokens_of_each_text_and_not_over_padding(tiny_minilm: Path) -> None:
    embeddings = load_local("minilm", tiny_minilm)
    texts = ["w1", "w2 w3 w4 w5 w6", "w1 w2", "w7", "w3 w3 w4", "w2 w3 w4 w5 w6 w7 w1 w1", "w5 w6"]
    together = np.array(embeddings.embed_documents(texts))
    for text, row in zip(texts, together, strict=True):
        expected = np.mean([tiny_vector(int(word[1:])) for word in text.split()], axis=0)
        np.testing.assert_allclose(row, expected / np.linalg.norm(expected), atol=1e-6)


def test_minilm_sees_the_first_256_tokens_and_no_fewer(tiny_minilm: Path) -> None:
    embeddings = load_local("minilm", tiny_minilm)
    whole, cut = embeddings.embed_documents(["w1 " * 255 + "w2", "w1 " * 256 + "w2"])
    assert whole != cut
    np.testing.assert_allclose(cut, embeddings.embed_query("w1"), atol=1e-5)


def test_real_minilm_weights_tell_related_from_unrelated() -> None:
    from graph.settings import Settings

    models_dir = Settings().models_dir
    try:
        minilm = KernelEmbedder(load_local("minilm", models_dir))
    except ModelUnavailable as error:
        pytest.skip(str(error))
    assert (minilm.name, minilm.dimension, minilm.in_process) == ("local:minilm", 384, False)
    assert np.isfinite(minilm.embed_texts(list(HOSTILE.values()))).all()
    calibration = calibrate(minilm)
    shown, related, unrelated = shares(minilm, calibration)
    assert related > 0.85
    assert unrelated < 0.15
    assert shown[0] > 0


# What the kernel asks of any embedder


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_any_text_can_be_embedded(wordllama: KernelEmbedder, text: str) -> None:
    for vector in (wordllama.embed_query(text), wordllama.embed_texts([text, "beside it"])[0]):
        assert vector.dtype == np.float32
        assert vector.shape == (256,)
        assert math.isclose(float(np.linalg.norm(vector)), 1.0, rel_tol=1e-5)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_cleaned_text_is_short_enough_and_not_empty_and_cleaning_again_changes_nothing(text: str) -> None:
    cleaned = clean(text)
    assert 0 < len(cleaned.encode()) <= MAX_TEXT_BYTES
    assert "\0" not in cleaned
    assert clean(cleaned) == cleaned


def test_of_a_long_text_head_and_tail_are_kept() -> None:
    cleaned = clean("First. " + "filler " * 9_000 + "Last.")
    assert cleaned.startswith("First. filler")
    assert cleaned.endswith("filler Last.")


def test_an_ordinary_text_reaches_the_embedder_unchanged() -> None:
    embeddings = Scripted(hashed_words)
    KernelEmbedder(embeddings).embed_texts(["  Déjà vu,\n数字 🦊 "])
    assert embeddings.asked == [["  Déjà vu,\n数字 🦊 "]]


def test_vectors_come_back_in_the_order_of_the_texts_from_one_call_for_all_that_are_new(
    words: KernelEmbedder,
) -> None:
    embeddings = words._embeddings
    assert isinstance(embeddings, Scripted)
    first = words.embed_texts(["a", "b", "a"])
    second = words.embed_texts(["c", "b", "c", "a"])
    assert embeddings.asked == [["a", "b"], ["c"]]
    np.testing.assert_array_equal(second[[3, 1]], first[:2])
    np.testing.assert_array_equal(first[0], first[2])


def test_no_texts_are_no_call(words: KernelEmbedder) -> None:
    assert words.embed_texts([]).shape == (0, 0)
    assert words.dimension == 512
    assert words.embed_texts([]).shape == (0, 512)


def test_the_dimension_is_asked_for_once_and_not_at_all_where_it_was_seen() -> None:
    embeddings = Scripted(hashed_words)
    embedder = KernelEmbedder(embeddings)
    assert embeddings.asked == []
    assert embedder.dimension == embedder.dimension == 512
    assert len(embeddings.asked) == 1
    seen = KernelEmbedder(Scripted(hashed_words))
    seen.embed_query("x")
    assert seen.dimension == 512
    assert KernelEmbedder(Scripted(lambda _: pytest.fail("asked")), dimension=7).dimension == 7


def test_vectors_of_any_scale_come_back_with_unit_length() -> None:
    embedder = KernelEmbedder(Scripted(lambda texts: [[3e200, 4e200], [3e-200, 4e-200], [3, 4]][: len(texts)]))
    np.testing.assert_allclose(embedder.embed_texts(["a", "b", "c"]), [[0.6, 0.8]] * 3, rtol=1e-6)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ([[1.0, 2.0]], r"shape \(1, 2\) for 2"),
        ([[1.0], [2.0], [3.0]], r"shape \(3, 1\) for 2"),
        ([], "shape"),
        ([[], []], "zeros|shape"),
        ([1.0, 2.0], "shape"),
        ([[1.0, 2.0], [1.0]], "no table of numbers"),
        ([[1.0, math.nan], [1.0, 2.0]], "not finite"),
        ([[1.0, math.inf], [1.0, 2.0]], "not finite"),
        ([[1.0, None], [1.0, 2.0]], "not finite|no table"),
        ([[0.0, 0.0], [1.0, 2.0]], "zeros"),
        ([["one", "two"], ["three", "four"]], "no table of numbers"),
        ([[10**400, 1], [1, 1]], "no table of numbers"),
        (None, "shape"),
        ("rubbish", "no table of numbers"),
        ({"data": []}, "no table of numbers"),
    ],
)
def test_rubbish_is_refused_with_the_embedders_name_and_nothing_is_cached(answer: object, complaint: str) -> None:
    answers = [answer, [[1.0, 0.0], [0.0, 1.0]]]
    embedder = KernelEmbedder(Scripted(lambda _: answers.pop(0)), name="theirs:model")
    with pytest.raises(EmbeddingFailed, match=f"theirs:model returned.*({complaint})") as caught:
        embedder.embed_texts(["secret one", "secret two"])
    assert isinstance(caught.value, MemoryKernelError)
    assert isinstance(caught.value, ValueError)
    assert "secret" not in str(caught.value)
    np.testing.assert_array_equal(embedder.embed_texts(["secret one", "secret two"]), np.eye(2))


@pytest.mark.parametrize("answer", [None, [], [[1.0, 2.0]], [math.nan], [0.0], "rubbish"])
def test_a_rubbish_query_vector_is_refused(answer: object) -> None:
    embedder = KernelEmbedder(Scripted(hashed_words, query=lambda _: answer))
    with pytest.raises(EmbeddingFailed):
        embedder.embed_query("x")


def test_vectors_of_another_dimension_than_the_first_or_the_given_are_refused() -> None:
    lengths = [3, 4]
    embedder = KernelEmbedder(Scripted(lambda texts: [[1.0] * lengths.pop(0) for _ in texts]))
    embedder.embed_texts(["a"])
    with pytest.raises(EmbeddingFailed, match="dimension 4 where 3 was expected"):
        embedder.embed_texts(["b"])
    with pytest.raises(EmbeddingFailed, match="dimension 512 where 9 was expected"):
        KernelEmbedder(Scripted(hashed_words), dimension=9).embed_query("a")


@pytest.mark.parametrize("vector", [[1.0, 2.0], [[1.0, 2.0, 3.0]], [1, math.nan, 2], [0, 0, 0], [], None, "abc", 3])
def test_a_vector_of_another_embedder_or_of_none_does_not_fit(vector: object) -> None:
    embedder = KernelEmbedder(Scripted(lambda _: pytest.fail("asked")), dimension=3)
    assert not embedder.fits(vector)
    assert embedder.fits(np.array([1.0, 2.0, 3.0], dtype=np.float32))
    assert KernelEmbedder(Scripted(lambda _: pytest.fail("asked"))).fits([1.0, 2.0])


def test_what_the_embedder_raises_passes_through() -> None:
    def down(_: list[str]) -> object:
        raise ConnectionRefusedError("down")

    with pytest.raises(ConnectionRefusedError):
        KernelEmbedder(Scripted(down)).embed_texts(["a"])


def test_a_name_is_the_class_and_its_model() -> None:
    class Hosted(DeterministicFakeEmbedding):
        model: str = "small-3"

    class Served(DeterministicFakeEmbedding):
        model_name: str = "large"

    assert KernelEmbedder(Hosted(size=4)).name == "Hosted:small-3"
    assert KernelEmbedder(Served(size=4)).name == "Served:large"
    assert KernelEmbedder(DeterministicFakeEmbedding(size=4)).name == "DeterministicFakeEmbedding"
    assert KernelEmbedder(Hosted(size=4), name="mine").name == "mine"
    assert not KernelEmbedder(Hosted(size=4)).in_process


def test_a_query_and_a_text_of_the_same_words_are_kept_apart() -> None:
    embedder = KernelEmbedder(Scripted(lambda texts: [[1.0, 0.0] for _ in texts], query=lambda _: [0.0, 1.0]))
    assert embedder.embed_texts(["a"])[0, 0] == 1.0
    assert embedder.embed_query("a")[0] == 0.0
    assert embedder.embed_texts(["a"])[0, 0] == 1.0


def test_a_cached_vector_cannot_be_changed_by_who_got_it(words: KernelEmbedder) -> None:
    query = words.embed_query("a")
    with pytest.raises(ValueError, match="read-only"):
        query[0] = 9
    table = words.embed_texts(["a"])
    expected = table.copy()
    table[:] = 9
    np.testing.assert_array_equal(words.embed_texts(["a"]), expected)


def test_a_forgotten_text_is_in_no_cache_and_others_are(words: KernelEmbedder) -> None:
    embeddings = words._embeddings
    assert isinstance(embeddings, Scripted)
    words.embed_texts(["mine", "theirs"])
    words.embed_query("mine")
    words.forget(["mine", "never seen"])
    assert len(words._cache) == 1
    words.embed_texts(["theirs", "mine"])
    words.embed_query("mine")
    assert embeddings.asked == [["mine", "theirs"], ["mine"]]
    assert embeddings.queries == ["mine", "mine"]
    words.clear()
    assert len(words._cache) == 0


def test_a_text_forgotten_while_it_is_being_embedded_is_not_cached_afterwards() -> None:
    def documents(texts: list[str]) -> object:
        embedder.forget(["mine"])
        return hashed_words(texts)

    embedder = KernelEmbedder(Scripted(documents))
    embedder.embed_texts(["mine"])
    embedder.embed_query("mine")
    assert len(embedder._cache) == 0


def test_the_cache_is_bounded_in_bytes_and_the_least_recently_used_go() -> None:
    embeddings = Scripted(hashed_words)
    embedder = KernelEmbedder(embeddings, cache_bytes=10 * (512 * 4 + 300))
    embedder.embed_texts([f"text {n}" for n in range(10)])
    embedder.embed_texts(["text 0"])
    embedder.embed_texts([f"new {n}" for n in range(5)])
    assert len(embedder._cache) == 10
    embedder.embed_texts(["text 0", "text 1"])
    assert embeddings.asked[-1] == ["text 1"]
    nothing_kept = KernelEmbedder(Scripted(hashed_words), cache_bytes=0)
    nothing_kept.embed_texts(["a", "b"])
    assert len(nothing_kept._cache) == 0


def test_one_embedder_may_be_used_from_many_threads(words: KernelEmbedder) -> None:
    texts = [f"text {n % 30} of many" for n in range(400)]
    expected = KernelEmbedder(Scripted(hashed_words)).embed_texts(texts)
    with ThreadPoolExecutor(8) as threads:
        futures = [threads.submit(words.embed_texts, [text]) for text in texts]
        for n in range(0, 400, 40):
            words.forget(texts[n : n + 3])
        np.testing.assert_array_equal(np.concatenate([future.result(30) for future in futures]), expected)


def test_a_call_that_hangs_holds_up_no_other() -> None:
    entered, release = threading.Event(), threading.Event()

    def documents(texts: list[str]) -> object:
        if texts == ["hangs"]:
            entered.set()
            assert release.wait(20)
        return hashed_words(texts)

    embedder = KernelEmbedder(Scripted(documents))
    with ThreadPoolExecutor(1) as threads:
        hanging = threads.submit(embedder.embed_texts, ["hangs"])
        assert entered.wait(20)
        assert embedder.dimension == 512
        assert embedder.embed_texts(["goes on"]).shape == (1, 512)
        release.set()
        hanging.result(20)


# Calibration


def shares(embedder: KernelEmbedder, calibration: Calibration) -> tuple[NDArray[np.float64], float, float]:
    """All relevances of the probes; share of related and of unrelated pairs (of a language) that reach 0.3."""
    questions = np.stack([embedder.embed_query(probe.question) for probe in PROBES])
    relevance = calibration.relevance(questions @ embedder.embed_texts([probe.memory for probe in PROBES]).T)
    languages = np.array([probe.language for probe in PROBES])
    unrelated = (languages[:, None] == languages) & ~np.eye(len(PROBES), dtype=bool)
    related_share = float(np.mean(np.diag(relevance) >= 0.3))
    return relevance.ravel(), related_share, float(np.mean(relevance[unrelated] >= 0.3))


def test_with_wordllama_most_related_probes_and_few_unrelated_ones_reach_the_threshold(
    wordllama: KernelEmbedder,
) -> None:
    _, related, unrelated = shares(wordllama, calibrate(wordllama))
    assert related > 0.85
    assert unrelated < 0.15


def test_texts_that_are_in_no_probe_fall_on_the_right_side_of_the_threshold(wordllama: KernelEmbedder) -> None:
    calibration = calibrate(wordllama)
    query = wordllama.embed_query("Book me a table at a restaurant for Saturday.")
    related, unrelated = wordllama.embed_texts(
        ["Likes Italian restaurants with outdoor tables", "The unit tests of the parser fail on Windows"]
    )
    assert calibration.relevance(float(query @ related)) > 0.5
    assert calibration.relevance(float(query @ unrelated)) < 0.3
    assert calibration.relevance(1.0) > 0.95
    assert calibration.relevance(0.0) < 0.15


def test_few_unrelated_pairs_reach_the_threshold_with_a_crude_embedder_too(words: KernelEmbedder) -> None:
    _, related, unrelated = shares(words, calibrate(words))
    assert unrelated < 0.15
    assert related > unrelated


@pytest.mark.parametrize(("scale", "offset"), [(1.0, 0.0), (0.2, 0.75), (0.5, -0.4)])
def test_relevance_does_not_depend_on_the_range_that_an_embedder_uses(
    wordllama: KernelEmbedder, scale: float, offset: float
) -> None:
    questions = wordllama.embed_texts([probe.question for probe in PROBES]).astype(np.float64)
    cosines = questions @ wordllama.embed_texts([probe.memory for probe in PROBES]).astype(np.float64).T
    plain, shifted = from_cosines(cosines), from_cosines(cosines * scale + offset)
    np.testing.assert_allclose(
        plain.relevance(cosines), shifted.relevance(cosines * scale + offset), rtol=1e-6, atol=1e-12
    )


def test_calibrating_asks_for_one_batch_and_one_query() -> None:
    embeddings = Scripted(hashed_words)
    calibrate(KernelEmbedder(embeddings))
    assert [len(texts) for texts in embeddings.asked] == [2 * len(PROBES)]
    assert len(embeddings.queries) == 1


def test_an_embedder_with_a_mode_for_queries_is_calibrated_in_that_mode() -> None:
    def query(text: str) -> list[float]:
        vector = np.array(hashed_words([text])[0])
        return list(vector + np.linalg.norm(vector))

    plain = calibrate(KernelEmbedder(Scripted(hashed_words)))
    embeddings = Scripted(hashed_words, query=query)
    assert calibrate(KernelEmbedder(embeddings)) != plain
    assert len(embeddings.queries) == len(PROBES)


def test_an_embedder_that_knows_nothing_is_calibrated_all_the_same() -> None:
    constant = calibrate(KernelEmbedder(Scripted(lambda texts: [[1.0, 1.0] for _ in texts])))
    assert 0 <= constant.relevance(1.0) <= 1
    random = calibrate(KernelEmbedder(DeterministicFakeEmbedding(size=64)))
    assert random.relevance(1.0) > 0.9


def test_relevance_is_strictly_monotone_between_0_and_1_and_exact_at_both_points() -> None:
    calibration = Calibration(low=0.2, high=0.4)
    relevance = calibration.relevance(np.linspace(-1, 1, 201))
    assert (np.diff(relevance) > 0).all()
    assert relevance.min() > 0
    assert relevance.max() < 1
    assert calibration.relevance(0.2) == pytest.approx(0.3)
    assert calibration.relevance(0.4) == pytest.approx(0.7)


@pytest.mark.parametrize(("cosine", "relevance"), [(math.nan, 0.0), (-math.inf, 0.0), (math.inf, 1.0), (1e300, 1.0)])
def test_a_score_that_no_cosine_can_have_is_still_mapped_into_0_to_1(cosine: float, relevance: float) -> None:
    assert Calibration(0.2, 0.4).relevance(cosine) == pytest.approx(relevance)
    assert Calibration(0.2, 0.4).relevance(np.array([cosine]))[0] == pytest.approx(relevance)


def test_a_calibration_is_frozen_and_refuses_points_out_of_order() -> None:
    with pytest.raises(FrozenInstanceError):
        Calibration(0.2, 0.4).low = 0.1  # type: ignore[misc]
    for low, high in ((0.4, 0.2), (0.3, 0.3), (math.nan, 1.0), (0.0, math.inf)):
        with pytest.raises(ValueError, match="low < high"):
            Calibration(low, high)


# A model in MiniLM's form, small enough to write here: its last hidden state is a table looked up by token


def tiny_vector(token: int) -> NDArray[np.float64]:
    return np.array([1.0, 1.0, 1.0]) if token == 0 else np.array([math.cos(token), math.sin(token), 0.1])


@pytest.fixture
def tiny_minilm(tmp_path: Path) -> Path:
    """A models folder whose `minilm` knows the words w1 … w7; padding (token 0) would show, were it pooled."""
    pytest.importorskip("onnxruntime")
    tokenizers = pytest.importorskip("tokenizers")
    folder = tmp_path / "minilm"
    folder.mkdir()
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({"[PAD]": 0} | {f"w{n}": n for n in range(1, 8)}, unk_token="[PAD]")
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    # As in the published file.
    tokenizer.enable_truncation(128)
    tokenizer.enable_padding(length=128)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "model.onnx").write_bytes(lookup_model(np.array([tiny_vector(n) for n in range(8)], dtype=np.float32)))
    return tmp_path


def lookup_model(table: NDArray[np.float32]) -> bytes:
    """ONNX (a protobuf) of one Gather. Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto"""

    def varint(value: int) -> bytes:
        return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + varint(value // 128)

    def field(number: int, value: int | str | bytes) -> bytes:
        if isinstance(value, int):
            return varint(number * 8) + varint(value)
        data = value.encode() if isinstance(value, str) else value
        return varint(number * 8 + 2) + varint(len(data)) + data

    def tensor_info(name: str, element: int, *dimensions: str) -> bytes:
        shape = b"".join(field(1, field(2, dimension)) for dimension in dimensions)
        return field(1, name) + field(2, field(1, field(1, element) + field(2, shape)))

    float32, int64 = 1, 7
    weights = b"".join(field(1, size) for size in table.shape) + field(2, float32) + field(8, "table")
    weights += field(9, struct.pack(f"<{table.size}f", *table.ravel()))
    gather = field(1, "table") + field(1, "input_ids") + field(2, "last_hidden_state") + field(4, "Gather")
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    graph = field(1, gather) + field(2, "lookup") + field(5, weights)
    graph += b"".join(field(11, tensor_info(name, int64, "batch", "sequence")) for name in inputs)
    graph += field(12, tensor_info("last_hidden_state", float32, "batch", "sequence", "width"))
    return field(1, 8) + field(7, graph) + field(8, field(2, 13))
