"""Text to vectors, and cosines to relevance. Knows nothing of items, users or stores. Models load at first use."""

from memory_kernel.embeddings.calibration import Calibration, calibrate
from memory_kernel.embeddings.embedder import EmbeddingFailed, KernelEmbedder
from memory_kernel.embeddings.local import LocalEmbeddings, load_local

__all__ = ["Calibration", "EmbeddingFailed", "KernelEmbedder", "LocalEmbeddings", "calibrate", "load_local"]
