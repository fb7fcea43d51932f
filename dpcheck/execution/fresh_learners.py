"""A fresh learner for each trial of many that are made in one process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numpy.random import SeedSequence

from dpcheck.execution.own_generators import Holdings, seeded
from dpcheck.model.learner import Target


class FreshLearners:
    """Learners of one target, one for each trial, whose own generators start anew with each.

    A copy of a learner that keeps ``self.rng`` starts where the original stands: without new seeds the noise of all
    trials would be one and the same, and many trials would show no more than the first.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcheck.model.learner import as_target
    >>> class Noisy:
    ...     def __init__(self): self.rng = np.random.default_rng()
    ...     def __call__(self, dataset, rng): return self.rng.random()
    >>> fresh = FreshLearners(as_target(Noisy()))
    >>> found = []
    >>> for trial in (0, 1, 0):
    ...     with fresh.of_trial(SeedSequence(7, spawn_key=(trial,))) as learner:
    ...         found.append(learner([], None))
    >>> found[0] == found[2], found[0] == found[1]
    (True, False)
    """

    def __init__(self, target: Target) -> None:
        self._target = target
        self._holdings = Holdings()

    @contextmanager
    def of_trial(self, seed: SeedSequence) -> Iterator[Any]:
        """A fresh learner; what generators it owns, or its factory holds, are seeded from ``seed`` meanwhile."""
        maker = self._target.maker
        learner = self._target.make() if maker is None else None
        owned = self._holdings.of(*((learner,) if maker is None else maker))
        with seeded(owned, seed):
            yield learner if maker is None else self._target.make()
