"""Learners that keep a part of their noise, drawn by hypothesis: audited or failed, never accused for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpcheck
from dpcheck import Status

PAIR = [([0.0, 1.0], [1.0, 1.0])]


@dataclass(frozen=True)
class Kept:
    """What is kept: its law, how many numbers, on what grid; how it is mixed with what is drawn anew.

    Drawn anew, noise of each of these laws keeps the claim.
    """

    law: str
    width: int
    grid: float
    little: float
    share: float
    length: int
    text: bool

    def learner(self) -> PartlyKept:
        """A learner that keeps other noise each time."""
        rng = np.random.default_rng()
        return PartlyKept(self, getattr(rng, self.law)(size=(self.length, self.width)))


class PartlyKept:
    """The sum of the records, with noise that starts again and a part of noise that does not."""

    def __init__(self, kind: Kept, noise: Any) -> None:
        self.kind, self.noise, self.used = kind, noise, 0

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        kind = self.kind
        self.used += 1
        kept = self.noise[self.used % kind.length]
        if rng.random() >= kind.share:
            kept = getattr(rng, kind.law)(size=kind.width)
        shift = np.zeros(kind.width)
        shift[0] = float(sum(dataset))
        found = shift + kept + rng.normal(scale=kind.little, size=kind.width)
        if kind.grid:
            found = kind.grid * np.round(found / kind.grid)
        if kind.text:
            return " ".join(f"{number:.1f}" for number in found)
        return found if kind.width > 1 else float(found[0])


kinds = st.builds(
    Kept,
    law=st.sampled_from(["laplace", "logistic", "standard_cauchy"]),
    width=st.sampled_from([1, 1, 2, 5]),
    grid=st.sampled_from([0.0, 0.0, 0.1, 1.0]),
    little=st.floats(0.05, 1.5),
    share=st.sampled_from([1.0, 1.0, 0.8, 0.4]),
    length=st.sampled_from([40, 600, 5_000]),
    text=st.sampled_from([False, False, True]),
)


def audited(learner: Any, seed: int) -> dpcheck.Verdict:
    return dpcheck.audit(learner, 1.0, seed=seed, isolation="none", max_samples=2_000, pairs=PAIR, max_seconds=300.0)


@pytest.mark.turns(6)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(kinds, st.integers(0, 2**32))
def test_a_part_of_the_noise_that_is_kept_is_no_violation(kind: Kept, seed: int) -> None:
    verdict = audited(kind.learner(), seed)
    assert verdict.status is not Status.VIOLATED, (kind, str(verdict))
