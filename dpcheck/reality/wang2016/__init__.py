"""The claims of wang2016, run: subsampling, stability, learners by the exponential mechanism, boosting."""

from __future__ import annotations

from collections.abc import Mapping

from dpcheck.reality.wang2016 import amplification, continuous, generic, mechanism, minimising, separation, stability

_PARTS = (amplification, stability, minimising, separation, generic, mechanism, continuous)

RUNS = tuple(run for part in _PARTS for run in part.RUNS)
NOT_RUN: Mapping[str, str] = {}
