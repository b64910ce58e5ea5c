"""How a record becomes a Chroma row and back, and the noise that takes an erased vector's place. No Chroma needed."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_kernel.errors import EmbedderMismatch, InvalidMemory
from memory_kernel.providers.base import MemoryRecord
from memory_kernel.providers.chroma import ChromaProvider, decode, encode
from memory_kernel.providers.chroma_index import is_noise, noise
from memory_kernel.providers.memory import InMemoryProvider

# Strategies with lone surrogates, which Python strings may hold and Chroma may not.
any_text = st.text(st.characters(exclude_categories=()))


@given(any_text)
def test_every_string_comes_back_from_its_encoded_form(text: str) -> None:
    encode(text).encode()
    assert decode(encode(text)) == text


@given(any_text, any_text)
def test_distinct_strings_have_distinct_encoded_forms(one: str, other: str) -> None:
    assert (encode(one) == encode(other)) == (one == other)


@pytest.mark.parametrize("text", ["", "mira", "mira ", "İ", "a\0b", "'\"", "x" * 4096])
def test_what_chroma_can_hold_is_kept_as_it_is(text: str) -> None:
    assert encode(text) == text


@pytest.mark.parametrize("dimension", [1, 2, 3, 64, 385])
def test_noise_is_recognised_also_after_chroma_normalised_it_again(dimension: int) -> None:
    vectors = noise(50, dimension)
    scaled = vectors * np.float32(0.98765432)
    assert is_noise(vectors).all()
    assert is_noise(scaled).all()


def test_an_embedding_is_not_taken_for_noise() -> None:
    vectors = np.random.default_rng(0).normal(size=(1000, 64)).astype(np.float32)
    assert not is_noise(vectors).any()


def test_importing_the_chroma_provider_does_not_load_chroma() -> None:
    code = "import memory_kernel.providers.chroma, sys; print('chromadb' in sys.modules or 'httpx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False"


def test_making_an_embedded_provider_touches_no_file(tmp_path) -> None:
    provider = ChromaProvider.embedded(tmp_path / "index")
    assert list(tmp_path.iterdir()) == []
    provider.close()


@pytest.mark.parametrize("vector", [np.array([1.0, np.nan]), np.array([]), np.eye(2), np.array([np.inf, 0.0])])
def test_what_is_not_a_vector_is_refused_before_chroma_sees_it(tmp_path, vector) -> None:
    provider = ChromaProvider.embedded(tmp_path / "index")
    with pytest.raises(InvalidMemory):
        provider.add_memory([MemoryRecord("a", "mira", vector.astype(np.float32))])
    assert list(tmp_path.iterdir()) == []
    provider.close()


def test_a_vector_of_another_dimension_than_declared_is_an_embedder_mismatch(tmp_path) -> None:
    provider = ChromaProvider.embedded(tmp_path / "index", dimension=4)
    with pytest.raises(EmbedderMismatch, match="4 numbers; one of 3"):
        provider.retrieve_memory("mira", np.ones(3, dtype=np.float32), 1)
    provider.close()


def test_the_key_of_the_user_cannot_be_set_through_metadata(tmp_path) -> None:
    provider = ChromaProvider.embedded(tmp_path / "index")
    with pytest.raises(InvalidMemory, match="user_id"):
        provider.add_memory([MemoryRecord("a", "mira", np.ones(2, dtype=np.float32), {"user_id": "tom"})])
    provider.close()


def test_the_in_memory_provider_keeps_its_own_copy_of_a_vector() -> None:
    provider, vector = InMemoryProvider(), np.array([1.0, 0.0], dtype=np.float32)
    provider.add_memory([MemoryRecord("a", "mira", vector)])
    vector[:] = 0
    assert provider.retrieve_memory("mira", np.array([1.0, 0.0], dtype=np.float32), 1) == [("a", 1.0)]
