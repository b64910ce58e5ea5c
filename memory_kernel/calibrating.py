"""Keeps an embedder's calibration with the store, so that relevance means the same after a restart. Measured once."""

from __future__ import annotations

import json
import logging
import threading

import numpy as np
from numpy.typing import NDArray

from memory_kernel.deadline import Deadlines
from memory_kernel.embeddings import Calibration, KernelEmbedder, calibrate
from memory_kernel.errors import DeadlineExceeded
from memory_kernel.ledger.base import Ledger

logger = logging.getLogger(__name__)

_PROVISIONAL = Calibration(low=0.15, high=0.32)  # between the embedders we measured; until this one answers
DIMENSION_KEY = "dimension"
_KEY = "calibration"


class StoredCalibration:
    """The map from this store's cosines to relevance."""

    def __init__(self, ledger: Ledger, embedder: KernelEmbedder, deadlines: Deadlines, timeout_s: float) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._deadlines = deadlines
        self._timeout_s = timeout_s
        self._lock = threading.Lock()  # one measurement at a time
        recorded = ledger.get_meta(_KEY)
        self._known = Calibration(**json.loads(recorded)) if recorded else None

    def relevance(self, cosines: NDArray[np.floating]) -> NDArray[np.float64]:
        """Calibrated relevance in [0, 1]; provisional while the embedder has not answered the probes."""
        if self._known is None:
            self._measure()
        return (self._known or _PROVISIONAL).relevance(cosines)

    def _measure(self) -> None:
        if not self._lock.acquire(blocking=False):
            return
        try:
            self._known = (
                calibrate(self._embedder)
                if self._embedder.in_process
                else self._deadlines.call("calibration", lambda: calibrate(self._embedder), self._timeout_s)
            )
            self._ledger.set_meta(DIMENSION_KEY, str(self._embedder.dimension))
            self._ledger.set_meta(_KEY, json.dumps({"low": self._known.low, "high": self._known.high}))
        except DeadlineExceeded:
            logger.info("the embedder has not answered the calibration probes yet; using provisional relevance")
        except Exception as error:  # noqa: BLE001 - any embedder's own error; tried again at the next read
            logger.warning("the embedder could not be calibrated: %s", error)
        finally:
            self._lock.release()
