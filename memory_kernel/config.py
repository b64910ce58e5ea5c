"""The kernel's settings with the papers' defaults. Reads no environment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

TokenCounter = Callable[[str], int]


class KernelConfig(BaseModel):
    """Settings of one kernel; the first seven are KMSM's, with its values."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    data_dir: Path = Field(default=Path(".memory"), description="directory of the ledger and the embedded index")

    auto_extract: bool = Field(default=True, description="`llm_chat` keeps the exchange as conversation items")
    auto_inject: bool = Field(default=True, description="`llm_chat` injects before it calls the model")
    relevance_threshold: float = Field(
        default=0.3, ge=0, le=1, description="below it nothing is injected; 0: no filter"
    )
    max_memories: int = Field(default=10, ge=0, description="items in a block, at most")
    token_budget: int = Field(
        default=2000, ge=0, description="tokens of a block, at most, header included; 0: no block"
    )
    barrier_enabled: bool = Field(default=True, description="reads wait for the writes accepted before them")
    barrier_timeout_ms: int = Field(default=5000, ge=0, description="how long a read waits at most, milliseconds")

    token_counter: TokenCounter | None = Field(default=None, description="text -> tokens; default: an estimate, high")
    embed_timeout_ms: int = Field(
        default=10_000, gt=0, description="deadline of embedding a user's batch, milliseconds"
    )
    query_timeout_ms: int = Field(default=2_000, gt=0, description="deadline of embedding a question, milliseconds")
    provider_timeout_ms: int = Field(default=5_000, gt=0, description="deadline of one provider read, milliseconds")
    view_cache_bytes: int = Field(default=256 * 2**20, gt=0, description="memory of cached user partitions, bytes")
    max_backlog: int = Field(default=20_000, gt=0, description="items settled and not yet indexed before writers wait")
    max_text_chars: int = Field(default=100_000, gt=0, description="longest text of one memory, characters")
    audit: bool = Field(default=True, description="keep a record for the operator of every injection and problem")
