"""The claims of wang2016, run: subsampling, stability, learners by the exponential mechanism, boosting."""

from __future__ import annotations

from collections.abc import Mapping

from dpcheck.reality.wang2016 import amplification, minimising, stability

_PARTS = (amplification, stability, minimising)

RUNS = tuple(run for part in _PARTS for run in part.RUNS)
NOT_RUN: Mapping[str, str] = {}
