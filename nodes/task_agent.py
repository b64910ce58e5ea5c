"""TaskAgent (KMSM 3.2): what the user is working on."""

from __future__ import annotations

from memory_kernel.items import SharingPolicy
from nodes.extracting import ExtractingProducer
from nodes.extraction import Extractor


class TaskAgent(ExtractingProducer):
    """Writes `task_context` memories: current_project, active_experiment, goals, blockers, next_steps."""

    def __init__(self, extractor: Extractor, sharing_policy: SharingPolicy = "shared") -> None:
        super().__init__("TaskAgent", "task_context", extractor, sharing_policy)
