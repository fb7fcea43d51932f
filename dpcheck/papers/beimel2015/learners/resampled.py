"""A learner of partially labelled data on entries drawn with replacement: i.i.d. resampling, part by part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim
from dpcheck.model.data import size_of, take_records
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceEntry
from dpcheck.papers.beimel2015.learners.boost_claim import entry_claim
from dpcheck.papers.beimel2015.learners.databases import MOST_DATABASES, Mixed, as_listed, checked_parts
from dpcheck.parts.learners.families import refuse_strange_points
from dpcheck.parts.learners.records import partly_labelled, private_records
from dpcheck.parts.mechanisms.amplification import resampled_claim, worst_claim
from dpcheck.parts.mechanisms.inner import checked_learner, joined, law_method

#: More draws from as many entries have more samples than are enumerated.
_MOST_DRAWN = 5


@dataclass(frozen=True)
class IndependentResampling:
    """A learner on as many entries as there are, drawn independently with replacement, from each part by itself.

    Of m labelled entries m are drawn, of the n - m others n - m, and the learner runs on those. The paper says it of a
    labelled database (m = n), for which it is step 4 of LabelBoost.

    *What it promises* is the worse of the two parts' claims: the differing entry is in one, and given the sample of the
    other :func:`~dpcheck.parts.mechanisms.amplification.resampled_claim` holds for this one. That is below
    ``(e - 1, 2.67 delta)`` for epsilon at most 1 and any n; the paper proves ``(log 244, 2467 delta)``
    (:func:`~dpcheck.papers.beimel2015.learners.amplified.printed_resampled_claim`).

    Parameters
    ----------
    learner : learner of partially labelled databases, private when an entry is replaced
        The paper's A.
    labelled : int, at least 0
        m, how many labelled entries there are, and are drawn.
    unlabelled : int, at least 0
        n - m; not both may be 0.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or a dataset has other numbers of entries.

    Source: beimel2015:alg-iid, clm-4.5.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.beimel2015.learners import ExponentialLearner
    >>> IndependentResampling(ExponentialLearner(GridThresholds(9), epsilon=1), labelled=100, unlabelled=0).claim
    PureDP(epsilon=1.7036863236176552)
    """

    learner: Any
    labelled: int
    unlabelled: int

    def __post_init__(self) -> None:
        checked_learner(self.learner)
        for name, number in checked_parts(self.labelled, self.unlabelled).items():
            object.__setattr__(self, name, number)

    @property
    def size(self) -> int:
        """n."""
        return self.labelled + self.unlabelled

    @property
    def claim(self) -> Claim:
        """The worse of the claims of the two parts.

        Raises
        ------
        AttributeError
            When the learner promises nothing for such databases.
        """
        whole = entry_claim(self.learner, self.size, self.labelled)
        return worst_claim([resampled_claim(whole, size, size) for size in (self.labelled, self.unlabelled) if size])

    @property
    def neighbours(self) -> ReplaceEntry:
        """One entry replaced, the labelled ones staying so."""
        return ReplaceEntry(size=self.size, labelled=self.labelled)

    @property
    def order_blind(self) -> bool:
        """The order of the entries, in each part, is of no matter: they are drawn alike."""
        return True

    @property
    def _databases(self) -> int:
        """How many samples there are; where more than 4096, some number above that."""
        if max(self.labelled, self.unlabelled) > _MOST_DRAWN:
            return MOST_DATABASES + 1
        return int(self.labelled**self.labelled * self.unlabelled**self.unlabelled)

    # --- the steps

    def samples(self, dataset: Any) -> NDArray[np.intp] | None:
        """The equally likely samples by rows, labelled first, shape (k, n); None where k is above 4096."""
        if self._databases > MOST_DATABASES:
            return None
        rows = [range(self.labelled)] * self.labelled + [range(self.labelled, self.size)] * self.unlabelled
        return np.array(list(product(*rows)), dtype=np.intp)

    def one_sample(self, dataset: Any, rng: np.random.Generator) -> NDArray[np.intp]:
        """One sample by rows, labelled first, shape (n,)."""
        drawn = [rng.integers(size, size=size) if size else np.zeros(0) for size in (self.labelled, self.unlabelled)]
        return np.concatenate([drawn[0], self.labelled + drawn[1]]).astype(np.intp)

    def database(self, dataset: Any, sample: NDArray[np.intp]) -> Any:
        """What the learner is given: the entries drawn."""
        return take_records(dataset, sample)

    # --- one run, many, and the law

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        self._check(dataset)
        every = self.samples(dataset)
        sample = self.one_sample(dataset, rng) if every is None else every[int(rng.integers(len(every)))]
        return self.learner(self.database(dataset, sample), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs."""
        mixed = self._mixed(dataset)
        if mixed is None:
            return joined([as_listed([self(dataset, rng)]) for _ in range(size)])
        return mixed.sample(size, rng)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law, a mixture over all samples (at most 4096)."""
        law_method(self.learner)
        if self._databases > MOST_DATABASES:
            raise AttributeError(f"a law over more than {MOST_DATABASES} databases is not declared")
        return self._law

    def _law(self, dataset: Any) -> Law:
        mixed = self._mixed(dataset)
        if mixed is None:
            raise InvalidArgument(f"a law over more than {MOST_DATABASES} databases is not declared")
        return mixed.law()

    def _mixed(self, dataset: Any) -> Mixed | None:
        self._check(dataset)
        every = self.samples(dataset)
        return None if every is None else Mixed.of(self.learner, (self.database(dataset, sample) for sample in every))

    def _check(self, dataset: Any) -> None:
        points = private_records(dataset)[0]
        labelled = len(partly_labelled(dataset)[0])
        if (labelled, size_of(dataset)) != (self.labelled, self.size):
            raise InvalidArgument(
                f"dataset must hold {self.labelled} labelled entries and {self.unlabelled} others, got {labelled} and "
                f"{size_of(dataset) - labelled}"
            )
        refuse_strange_points(self.learner, points)
