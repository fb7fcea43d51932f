"""A learner of partially labelled data on a random part of a larger database: uniform subsampling, at its sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from dpcheck.model.claims import Claim
from dpcheck.model.data import size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceEntry
from dpcheck.papers.beimel2015.learners.amplified import printed_entries
from dpcheck.papers.beimel2015.learners.databases import checked_parts
from dpcheck.papers.beimel2015.learners.parts import SubsampledParts
from dpcheck.parts.learners.records import partly_labelled
from dpcheck.parts.mechanisms.inner import checked_learner, claim_of, is_order_blind
from dpcheck.parts.mechanisms.parameters import count


@dataclass(frozen=True)
class UniformSubsampling:
    """A learner on n random entries of a larger partially labelled database, drawn from each part at its own rate.

    Of the labelled entries m are drawn without replacement, of the others n - m, and the learner runs on those. By the
    paper's sizes m is drawn of ``ceil((m / epsilon)(3 + exp(epsilon*)))``, and n - m likewise, for (epsilon,
    4 epsilon delta / (3 + exp(epsilon*)))-DP, epsilon at most 1. Without unlabelled entries it is clm-4.3 itself.

    *What it promises* is the worse of the two parts' claims. The differing entry is in one of them, and the sample of
    the other part is independent of it: given that sample, this is plain subsampling of one part, where epsilon*
    becomes ``log(1 + gamma (e^epsilon* - 1))`` and delta gamma delta, gamma the part's own rate. The same holds on
    average over the other part, whose law is the same for both neighbours. These constants are attained;
    :func:`~dpcheck.papers.beimel2015.learners.amplified.printed_subsampled_claim` has the printed ones.

    *The order.* The learner must take the entries as a multiset, or get each part in random order
    (beimel2015:rem-4.4): with ``order="sorted"`` and a learner that looks at the order there is no claim.

    Parameters
    ----------
    learner : learner of partially labelled databases, private when an entry is replaced
        The paper's A.
    labelled : int, at least 0
        m, how many labelled entries are drawn.
    unlabelled : int, at least 0
        n - m; not both may be 0.
    epsilon : float or Fraction, above 0
        For which the two parts have the paper's sizes; this, or both of the next two.
    of_labelled, of_unlabelled : int, at least what is drawn of them
        How many entries of each kind there are.
    order : "random" or "sorted"
        In which order the learner sees what is drawn, each part for itself.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or a dataset has other numbers of entries.

    Source: beimel2015:alg-sub, clm-4.3, rem-4.4; its stratified form is that of beimel2015:thm-4.14.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.beimel2015.learners import ExponentialLearner
    >>> base = ExponentialLearner(GridThresholds(9), epsilon=1.0)
    >>> learner = UniformSubsampling(base, labelled=20, unlabelled=80, epsilon=0.5)
    >>> learner.sizes, round(learner.claim.epsilon_value, 3)
    ((229, 915), 0.14)
    """

    learner: Any
    labelled: int
    unlabelled: int
    epsilon: float | Fraction | None = None
    of_labelled: int | None = None
    of_unlabelled: int | None = None
    order: Literal["random", "sorted"] = "random"

    def __post_init__(self) -> None:
        checked_learner(self.learner)
        for name, number in checked_parts(self.labelled, self.unlabelled).items():
            object.__setattr__(self, name, number)
        sizes = (self.of_labelled, self.of_unlabelled)
        if (self.epsilon is None) == (None in sizes) or (self.epsilon is not None and sizes != (None, None)):
            raise InvalidArgument(
                "epsilon, or of_labelled and of_unlabelled, must be given, got epsilon="
                f"{self.epsilon!r}, of_labelled={self.of_labelled!r} and of_unlabelled={self.of_unlabelled!r}"
            )
        for name, drawn in (("of_labelled", self.labelled), ("of_unlabelled", self.unlabelled)):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, count(name, given, least=0))
            if given is not None and given < drawn:
                raise InvalidArgument(f"{name} must be at least the {drawn} that are drawn, got {given}")
        _ = self.sizes  # which refuses what is left to refuse
        if self.order not in ("random", "sorted"):
            raise InvalidArgument(f"order must be 'random' or 'sorted', got {self.order!r}")

    @property
    def sizes(self) -> tuple[int, int]:
        """How many labelled entries there are, and how many others."""
        if self.epsilon is None:
            assert self.of_labelled is not None
            assert self.of_unlabelled is not None
            return self.of_labelled, self.of_unlabelled
        try:
            whole = claim_of(self.learner)
        except AttributeError as error:
            raise InvalidArgument(f"learner must have a claim for epsilon to give the sizes: {error}") from error
        first, second = (
            max(drawn, printed_entries(drawn, self.epsilon, whole)) for drawn in (self.labelled, self.unlabelled)
        )
        return first, second

    @property
    def claim(self) -> Claim:
        """The worse of the claims of the two parts.

        Raises
        ------
        AttributeError
            When the learner promises nothing for such databases, or looks at the order of sorted samples.
        """
        return self._parts.claim

    @property
    def neighbours(self) -> ReplaceEntry:
        """One entry replaced, the labelled ones staying so."""
        return ReplaceEntry(size=sum(self.sizes), labelled=self.sizes[0])

    @property
    def order_blind(self) -> bool:
        """Whether the order of the entries, in each part, is of no matter."""
        return self.order == "random" or is_order_blind(self.learner)

    def on_parts(self) -> SubsampledParts:
        """The learner on a random part of either kind of entries, with draws and, where it has one, a law."""
        return self._parts

    @property
    def _parts(self) -> SubsampledParts:
        first, second = self.sizes
        return SubsampledParts(self.learner, first, self.labelled, second, self.unlabelled, self.order)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return self.on_parts()(self._of_sizes(dataset), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs, each of a sample of its own."""
        return self.on_parts().sample(self._of_sizes(dataset), size, rng)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law, a mixture over all samples (at most 4096)."""
        law = self.on_parts().distribution
        return lambda dataset: law(self._of_sizes(dataset))

    def _of_sizes(self, dataset: Any) -> Any:
        """The dataset, of the sizes that the claim is about."""
        labelled = len(partly_labelled(dataset)[0])
        found = labelled, size_of(dataset) - labelled
        if found != self.sizes:
            raise InvalidArgument(
                f"dataset must hold {self.sizes[0]} labelled entries and {self.sizes[1]} others, got {found[0]} and "
                f"{found[1]}"
            )
        return dataset
