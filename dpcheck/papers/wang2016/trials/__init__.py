"""The claims of wang2016, run: subsampling, stability, learners by the exponential mechanism, boosting."""

from __future__ import annotations

from collections.abc import Mapping

from dpcheck.papers.wang2016.trials import (
    amplification,
    boosting,
    continuous,
    finite_sets,
    generalisation,
    generic,
    mechanism,
    near_minimisers,
    separation,
    stability,
    transition,
)

_PARTS = (
    amplification,
    stability,
    near_minimisers,
    separation,
    finite_sets,
    generic,
    mechanism,
    continuous,
    boosting,
    transition,
    generalisation,
)

RUNS = tuple(run for part in _PARTS for run in part.RUNS)
#: Every entry of the paper that makes a claim is run.
NOT_RUN: Mapping[str, str] = {}
