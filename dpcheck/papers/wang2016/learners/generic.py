"""The generic learner: the best of all private mechanisms on a finite problem, found by linear programming."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.mechanisms.parameters import count, exact_at_least_zero
from dpcheck.parts.risk import linear_program
from dpcheck.parts.risk.linear_program import Costs, Solution, Table
from dpcheck.parts.risk.problems import FiniteProblem

#: Sequences of records are listed for the tuple form; with more of them it is refused.
_MOST_TUPLES = 1 << 16


@dataclass(frozen=True)
class OptimalPrivateLearner:
    """Of all epsilon-DP mechanisms on datasets of one size the one of least worst-case excess risk.

    Without ``distributions`` the objective is wang2016 eq. (6) at this epsilon: the largest excess, over all
    datasets, of the expected empirical risk. With them it is eq. (7): the largest excess, over the distributions, of
    the expected risk of what is learnt from a sample. :func:`best_epsilon` adds the choice of epsilon.

    The table of probabilities is rational, its privacy is checked in rationals against a rational below
    ``e^epsilon``, and it is within ``gap`` of the best possible, which is certified by weak duality in rationals.

    Parameters
    ----------
    problem : FiniteProblem
    epsilon : float or Fraction, nats, at least 0
    dataset_size : int, at least 1
        The paper's n: datasets of other sizes are refused.
    form : "histogram" or "tuples"
        Whether the mechanism sees how often each record occurs, or the records in their order. Averaging over orders
        loses nothing, so both have the same optimum; the second program is far larger.
    distributions : sequence of distributions of a record, optional
        Each a sequence of ``Fraction``, one per record of the problem, that sum to 1. The paper's class DD.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or the program has more than 50,000 variables.

    Source: wang2016:alg-generic-6 and alg-generic-7, thm-18.

    Examples
    --------
    >>> from dpcheck.parts.risk.problems import absolute_loss
    >>> learner = OptimalPrivateLearner(absolute_loss([0, 1]), epsilon=1.0, dataset_size=3)
    >>> law = learner.distribution([1, 1, 0])
    >>> [round(float(chance), 6) for chance in law.values()], round(float(learner.excess), 6)
    ([0.268941, 0.731059], 0.098938)
    >>> 0 <= learner.gap < 1e-8
    True
    """

    problem: FiniteProblem
    epsilon: float | Fraction = 1.0
    dataset_size: int = 4
    form: Literal["histogram", "tuples"] = "histogram"
    distributions: tuple[tuple[Fraction, ...], ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.problem, FiniteProblem):
            raise InvalidArgument(f"problem must be a FiniteProblem, got {self.problem!r}")
        exact_at_least_zero("epsilon", self.epsilon)
        object.__setattr__(self, "dataset_size", count("dataset_size", self.dataset_size))
        if self.form not in ("histogram", "tuples"):
            raise InvalidArgument(f"form must be 'histogram' or 'tuples', got {self.form!r}")
        kinds = len(self.problem.records)
        if self.form == "tuples" and kinds**self.dataset_size > _MOST_TUPLES:
            raise InvalidArgument(
                f"dataset_size must give at most {_MOST_TUPLES:,} sequences for the form 'tuples', got "
                f"{kinds}^{self.dataset_size}: take form='histogram'"
            )
        if self.distributions is not None:
            object.__setattr__(self, "distributions", _checked(self.distributions, kinds))

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record of the dataset replaced."""
        return ReplaceOne(size=self.dataset_size)

    @property
    def order_blind(self) -> bool:
        """Whether the order of the records is of no matter."""
        return self.form == "histogram"

    # --- the steps

    def datasets(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The datasets that are told apart, shape (datasets, columns), and their neighbouring pairs, both ways round.

        A dataset is the histogram of its records or the sequence of their places, by ``form``.
        """
        listing = linear_program.histograms if self.form == "histogram" else linear_program.tuples
        return listing(self.dataset_size, len(self.problem.records))

    def costs(self) -> Costs:
        """What the program minimises the largest of: a goal for each dataset (6), or for each distribution (7)."""
        datasets, _ = self._datasets
        counts = datasets
        if self.form == "tuples":
            kinds = np.arange(len(self.problem.records))
            counts = (datasets[:, :, None] == kinds).sum(axis=1)
        if self.distributions is None:
            return linear_program.worst_case_costs(self.problem, counts)
        return linear_program.expected_costs(self.problem, counts, self.distributions, self.form == "tuples")

    def ratio(self) -> Fraction:
        """The ratio that probabilities on neighbours keep: a rational just below ``e^epsilon``."""
        return linear_program.ratio_between(self.epsilon)[0]

    def solved(self) -> Solution:
        """The solver's answer, in doubles."""
        datasets, pairs = self._datasets
        return linear_program.solved(self._costs, pairs, len(datasets), len(self.problem.hypotheses), self.ratio())

    def repaired(self, solution: Solution) -> Table:
        """A rational table near the solver's, private in rationals."""
        return linear_program.repaired(linear_program.rounded(solution.table), self._datasets[1], self.ratio())

    # --- what comes of them

    @cached_property
    def _datasets(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self.datasets()

    @cached_property
    def _costs(self) -> Costs:
        return self.costs()

    @cached_property
    def _solution(self) -> Solution:
        return self.solved()

    @cached_property
    def _places(self) -> dict[bytes, int]:
        return {row.tobytes(): place for place, row in enumerate(self._datasets[0])}

    @cached_property
    def table(self) -> Table:
        """The mechanism: a probability for each dataset and hypothesis."""
        return self.repaired(self._solution)

    @cached_property
    def excess(self) -> Fraction:
        """The objective that the table reaches, exact: ``v(epsilon)`` to within ``gap``."""
        return linear_program.value_of(self.table, self._costs)

    @cached_property
    def excess_bound(self) -> Fraction:
        """A certified lower bound of the objective of every epsilon-DP mechanism on this problem and dataset size."""
        above = linear_program.ratio_between(self.epsilon)[1]
        return linear_program.lower_bound(self._solution, self._costs, self._datasets[1], above)

    @property
    def gap(self) -> Fraction:
        """By how much the table's objective can at most be above the optimum."""
        return self.excess - self.excess_bound

    def row(self, dataset: Any) -> int:
        """The place of a dataset among those told apart.

        Raises
        ------
        InvalidArgument
            When it has another size, or a record that is none of the problem's.
        """
        codes = self.problem.codes(dataset)
        if len(codes) != self.dataset_size:
            raise InvalidArgument(f"dataset must hold {self.dataset_size} records, got {len(codes)}")
        key = codes if self.form == "tuples" else np.bincount(codes, minlength=len(self.problem.records))
        return self._places[key.astype(np.int64).tobytes()]

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[Any]:
        """``size`` independent hypotheses, with exactly the probabilities of ``distribution``."""
        places = linear_program.drawn(self.table, self.row(dataset), size, rng)
        return [self.problem.hypotheses[place] for place in places.tolist()]

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        """The exact law of the hypothesis, in fractions."""
        return dict(zip(self.problem.hypotheses, self._chances(dataset), strict=True))

    def _chances(self, dataset: Any) -> list[Fraction]:
        row = self.table.numerators[self.row(dataset)]
        return [Fraction(int(numerator), self.table.denominator) for numerator in row]


@dataclass(frozen=True, eq=False)
class BestEpsilon:
    """What :func:`best_epsilon` found: ``objective = epsilon + learner.excess``, and a bound that none is below."""

    learner: OptimalPrivateLearner
    objective: Fraction
    lower_bound: Fraction

    @property
    def epsilon(self) -> Fraction:
        """The privacy parameter chosen."""
        return Fraction(self.learner.epsilon)


def best_epsilon(
    problem: FiniteProblem,
    dataset_size: int,
    *,
    tolerance: float | Fraction = Fraction(1, 500),
    form: Literal["histogram", "tuples"] = "histogram",
    distributions: Sequence[Sequence[Fraction]] | None = None,
) -> BestEpsilon:
    """The generic learner with its own epsilon: minimises ``epsilon + v(epsilon)``, certified to within a tolerance.

    v does not increase, so on [a, b] the objective is at least ``a + v(b)``: intervals are halved, the most promising
    first, until the least of these bounds is within the tolerance of the best value met. No convexity is needed.
    Beyond v(0) the objective is above its value at 0. The epsilon depends on nothing that is private.

    Parameters
    ----------
    problem : FiniteProblem
    dataset_size : int, at least 1
    tolerance : number above 0
        By how much the objective may be above the least one; some 2 / tolerance programs are solved at the most.
    form, distributions : as for :class:`OptimalPrivateLearner`

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: wang2016:alg-generic-6, alg-generic-7.

    Examples
    --------
    >>> from dpcheck.parts.risk.problems import absolute_loss
    >>> found = best_epsilon(absolute_loss([0, 1]), dataset_size=8)
    >>> round(float(found.epsilon), 2), found.objective - found.lower_bound <= Fraction(1, 500)
    (0.17, True)
    """
    allowed = exact_at_least_zero("tolerance", tolerance)
    if not allowed:
        raise InvalidArgument(f"tolerance must be above 0, got {tolerance!r}")
    given = None if distributions is None else tuple(tuple(each) for each in distributions)

    def at(epsilon: Fraction) -> OptimalPrivateLearner:
        return OptimalPrivateLearner(problem, epsilon, dataset_size, form, given)

    best = at(Fraction(0))
    value = best.excess
    reach = at(value)  # beyond it epsilon alone is more than the objective at 0
    waiting = [(reach.excess_bound, Fraction(0), value, reach.excess_bound)]
    if value + reach.excess < value:
        best, value = reach, value + reach.excess
    while waiting and waiting[0][0] < value - allowed:
        _, low, high, bound = heapq.heappop(waiting)
        middle = (low + high) / 2
        learner = at(middle)
        if middle + learner.excess < value:
            best, value = learner, middle + learner.excess
        heapq.heappush(waiting, (low + learner.excess_bound, low, middle, learner.excess_bound))
        heapq.heappush(waiting, (middle + bound, middle, high, bound))
    return BestEpsilon(best, value, min([value, *(each[0] for each in waiting)]))


def _checked(distributions: Any, kinds: int) -> tuple[tuple[Fraction, ...], ...]:
    try:
        listed = tuple(tuple(each) for each in distributions)
    except TypeError:
        listed = ()
    good = listed and all(
        len(each) == kinds and all(isinstance(c, Fraction | int) and c >= 0 for c in each) and sum(each) == 1
        for each in listed
    )
    if not good:
        raise InvalidArgument(
            f"distributions must each give {kinds} fractions, one per record of the problem, that sum to 1, got "
            f"{distributions!r}"
        )
    return tuple(tuple(Fraction(c) for c in each) for each in listed)
