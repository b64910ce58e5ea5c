"""ProfileAgent (KMSM 3.2): who the user is and how they like things done."""

from __future__ import annotations

from memory_kernel.items import SharingPolicy
from nodes.extracting import ExtractingProducer
from nodes.extraction import Extractor


class ProfileAgent(ExtractingProducer):
    """Writes `profile` memories: user_name, preferred_tools, preferred_language, response_style and further facts."""

    def __init__(self, extractor: Extractor, sharing_policy: SharingPolicy = "shared") -> None:
        super().__init__("ProfileAgent", "profile", extractor, sharing_policy)
