"""The linear program over all private mechanisms on a finite problem, with certificates in rationals from both sides.

A mechanism is a table p(h | Z) over the datasets Z that are told apart. It is epsilon-DP exactly when
``p(h | Z) <= e^epsilon p(h | Z')`` for all neighbours and all h. What the solver says in doubles is taken as a
suggestion: :func:`repaired` makes of it a table whose privacy holds in rationals, :func:`lower_bound` makes of its
multipliers a bound that no private mechanism is below, by weak duality in rationals.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.risk.problems import FiniteProblem

#: Probabilities are rounded to multiples of 2^-k before they are repaired: far below the solver's tolerances.
_BITS = 50
#: ``e^epsilon`` is enclosed between neighbouring multiples of 2^-k.
_RATIO_BITS = 50
#: Bits of a uniform number that are drawn at once.
_DRAWN_BITS = 62
#: The solver's tolerances, the smallest it takes.
_TOLERANCE = 1e-10
#: From this many variables on the interior point method, with its crossover, is several times faster than the simplex.
_SMALL = 1000
#: Ratios nearer to 1 than this are not told from 1 by the solver: the mechanism is then made constant, which costs at
#: most the dataset's size times as much.
_NEAR_ONE = Fraction(1, 2**20)
#: Programs with more variables are refused: minutes of work.
MOST_VARIABLES = 50_000


@dataclass(frozen=True, eq=False)
class Costs:
    """The goals as a sparse matrix of exact numbers: entry e has the goal ``goals[e]`` charge the variable
    ``variables[e]`` with ``numerators[e] / denominator``; the program minimises the largest goal.

    Variable ``Z * hypotheses + h`` is the probability of h on dataset Z.
    """

    goals: NDArray[np.int64]
    variables: NDArray[np.int64]
    numerators: NDArray[Any]
    denominator: int

    @property
    def count(self) -> int:
        """How many goals there are."""
        return int(self.goals.max()) + 1

    @property
    def as_floats(self) -> NDArray[np.float64]:
        """The entries as doubles."""
        return np.array([int(numerator) / self.denominator for numerator in self.numerators])


@dataclass(frozen=True, eq=False)
class Solution:
    """What the solver found, in doubles.

    ``table`` (datasets, hypotheses) are the probabilities; ``weights`` (goals,) and ``flows`` (pairs, hypotheses) the
    multipliers of the goals and of the privacy constraints.
    """

    table: NDArray[np.float64]
    weights: NDArray[np.float64]
    flows: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Table:
    """Probabilities as integers over one denominator, shape (datasets, hypotheses)."""

    numerators: NDArray[Any]
    denominator: int


def histograms(size: int, kinds: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All histograms of ``size`` records of some kinds, and all ordered pairs of those one replacement apart.

    Returns arrays of shape (datasets, kinds) and (pairs, 2).

    Examples
    --------
    >>> datasets, pairs = histograms(2, 2)
    >>> datasets.tolist(), pairs.tolist()
    ([[0, 2], [1, 1], [2, 0]], [[1, 0], [2, 1], [0, 1], [1, 2]])
    """
    rest = _compositions(size - 1, kinds)
    longer = (rest[:, None, :] + np.eye(kinds, dtype=np.int64)[None]).reshape(-1, kinds)
    datasets, place = np.unique(longer, axis=0, return_inverse=True)
    place = place.reshape(-1, kinds)  # of the rest with one record more, by the kind of that record
    return datasets, _swapped(place)


def tuples(size: int, kinds: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All sequences of ``size`` records of some kinds, and all ordered pairs of those that differ in one.

    Returns arrays of shape (datasets, size) and (pairs, 2).

    Examples
    --------
    >>> datasets, pairs = tuples(2, 2)
    >>> datasets.tolist(), len(pairs)
    ([[0, 0], [0, 1], [1, 0], [1, 1]], 8)
    """
    numbers = np.arange(kinds**size).reshape((kinds,) * size)
    datasets = np.stack(np.unravel_index(numbers.ravel(), numbers.shape), axis=1)
    pairs = [_swapped(np.moveaxis(numbers, place, -1).reshape(-1, kinds)) for place in range(size)]
    return datasets, np.concatenate(pairs)


def worst_case_costs(problem: FiniteProblem, counts: NDArray[np.int64]) -> Costs:
    """A goal for each dataset: the expected excess of the empirical risk over the least one.

    Parameters
    ----------
    problem : FiniteProblem
    counts : histograms of the datasets, shape (datasets, records)

    Source: wang2016 eq. (6).
    """
    totals = counts @ problem.table.T
    excess = totals - totals.min(axis=1, keepdims=True)
    size = int(counts[0].sum())
    datasets, hypotheses = excess.shape
    goals = np.repeat(np.arange(datasets), hypotheses)
    return Costs(goals, np.arange(excess.size), excess.ravel().astype(object), size * problem.unit.denominator)


def expected_costs(
    problem: FiniteProblem, counts: NDArray[np.int64], distributions: tuple[tuple[Fraction, ...], ...], ordered: bool
) -> Costs:
    """A goal for each distribution: the expected excess of the risk over the least one, over samples of it.

    Parameters
    ----------
    problem : FiniteProblem
    counts : histograms of the datasets, shape (datasets, records)
    distributions : of a record, each a probability per record of the problem
    ordered : bool
        Whether the datasets are sequences; otherwise each stands for all orders of its records.

    Source: wang2016 eq. (7).
    """
    datasets, hypotheses = len(counts), len(problem.hypotheses)
    values: list[Fraction] = []
    for chances in distributions:
        risks = [sum((c * loss for c, loss in zip(chances, row, strict=True)), Fraction(0)) for row in problem.losses]
        excess = [risk - min(risks) for risk in risks]
        for row in counts.tolist():
            ways = 1 if ordered else factorial(sum(row)) // prod(map(factorial, row))
            chance = ways * prod((c**k for c, k in zip(chances, row, strict=True)), start=Fraction(1))
            values += [chance * each for each in excess]
    denominator = int(np.lcm.reduce([value.denominator for value in values], dtype=object))
    numerators = np.array([value.numerator * (denominator // value.denominator) for value in values], dtype=object)
    goals = np.repeat(np.arange(len(distributions)), datasets * hypotheses)
    return Costs(goals, np.tile(np.arange(datasets * hypotheses), len(distributions)), numerators, denominator)


def ratio_between(epsilon: float | Fraction) -> tuple[Fraction, Fraction]:
    """Rationals below and above ``e^epsilon``, 2^-50 apart; both 1 at 0.

    Examples
    --------
    >>> below, above = ratio_between(Fraction(1))
    >>> below < Fraction("2.71828182845904523536") < above, above - below == Fraction(1, 2**50)
    (True, True)
    """
    from flint import arb, ctx, fmpq

    exact = Fraction(epsilon)
    if exact == 0:
        return Fraction(1), Fraction(1)
    precision = 128
    while True:
        with ctx.workprec(precision):
            scaled = arb(fmpq(exact.numerator, exact.denominator)).exp() * arb(2) ** _RATIO_BITS
            floor = scaled.floor().unique_fmpz()
        if floor is not None:  # e^epsilon is irrational: at some precision its enclosure holds no multiple
            return Fraction(int(floor), 2**_RATIO_BITS), Fraction(int(floor) + 1, 2**_RATIO_BITS)
        precision *= 2


def solved(costs: Costs, pairs: NDArray[np.int64], datasets: int, hypotheses: int, ratio: Fraction) -> Solution:
    """The best mechanism, to the solver's tolerance: HiGHS through SciPy.

    Parameters
    ----------
    costs : Costs
    pairs : ordered neighbouring pairs of datasets, shape (pairs, 2)
    datasets, hypotheses : int
    ratio : Fraction
        The largest ratio of probabilities on neighbours.

    Raises
    ------
    InvalidArgument
        When the program has more than 50,000 variables.
    RuntimeError
        When both of the solver's methods give up.
    """
    from scipy import sparse
    from scipy.optimize import linprog

    cells = datasets * hypotheses
    if cells > MOST_VARIABLES:
        raise InvalidArgument(
            f"dataset_size must be so small that the program has at most {MOST_VARIABLES:,} variables, got one that "
            f"makes {cells:,}: {datasets:,} datasets and {hypotheses:,} hypotheses"
        )
    place = np.arange(hypotheses)
    one, other = ((pairs[:, side, None] * hypotheses + place).ravel() for side in (0, 1))
    row = np.arange(len(one))
    goals = np.arange(costs.count)
    # t is the last variable: each goal is at most t; p(h|Z) / ratio is at most p(h|Z')
    above = sparse.csr_array(
        (
            np.concatenate([costs.as_floats, np.full(len(goals), -1.0)]),
            (np.concatenate([costs.goals, goals]), np.concatenate([costs.variables, np.full(len(goals), cells)])),
        ),
        shape=(len(goals), cells + 1),
    )
    private = sparse.csr_array(
        (
            np.concatenate([np.full(len(row), float(1 / ratio)), np.full(len(row), -1.0)]),
            (np.concatenate([row, row]), np.concatenate([one, other])),
        ),
        shape=(len(row), cells + 1),
    )
    sums = sparse.csr_array(
        (np.ones(cells), (np.repeat(np.arange(datasets), hypotheses), np.arange(cells))), shape=(datasets, cells + 1)
    )
    objective = np.zeros(cells + 1)
    objective[-1] = 1.0
    bounded = sparse.vstack([above, private]).tocsr()
    for method in ("highs-ipm", "highs-ds") if cells > _SMALL else ("highs-ds", "highs-ipm"):
        found = linprog(
            objective,
            A_ub=bounded,
            b_ub=np.zeros(bounded.shape[0]),
            A_eq=sums,
            b_eq=np.ones(datasets),
            method=method,
            options={"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE},
        )
        if found.status == 0:
            break
    else:
        raise RuntimeError(f"the linear program was not solved: {found.message}")
    multipliers = -found.ineqlin.marginals
    return Solution(
        found.x[:-1].reshape(datasets, hypotheses),
        np.maximum(multipliers[: len(goals)], 0.0),
        np.maximum(multipliers[len(goals) :], 0.0).reshape(len(pairs), hypotheses),
    )


def rounded(table: NDArray[np.float64]) -> Table:
    """A table in doubles as multiples of 2^-50 whose rows sum to 1; its privacy may be lost by as much."""
    scaled = np.rint(np.clip(table, 0.0, 1.0) * 2.0**_BITS).astype(np.int64)
    rows = np.arange(len(scaled))
    scaled[rows, scaled.argmax(axis=1)] += 2**_BITS - scaled.sum(axis=1)
    return Table(scaled.astype(object), 2**_BITS)


def repaired(table: Table, pairs: NDArray[np.int64], ratio: Fraction) -> Table:
    """A table mixed with just so much of the uniform law that all ratios on neighbours hold in rationals.

    With a ratio of 1, which only constant mechanisms keep, or so near to it that doubles do not tell, the mean over all
    datasets.

    Raises
    ------
    AssertionError
        When the privacy of what comes out does not hold in rationals: it is checked anew.
    """
    if ratio < 1 + _NEAR_ONE:
        constant = table.numerators.sum(axis=0)
        found = Table(np.tile(constant, (len(table.numerators), 1)), table.denominator * len(table.numerators))
    else:
        found = _mixed(table, pairs, ratio)
    if largest_excess(found, pairs, ratio) > 0 or (found.numerators.sum(axis=1) != found.denominator).any():
        raise AssertionError("the repaired table is not private in rationals")
    return found


def _mixed(table: Table, pairs: NDArray[np.int64], ratio: Fraction) -> Table:
    worst = Fraction(int(largest_excess(table, pairs, ratio)), table.denominator * ratio.denominator)
    if worst <= 0:
        return table
    # (1 - w) worst + w (1 - ratio) / hypotheses <= 0
    hypotheses = table.numerators.shape[1]
    weight = worst / (worst + (ratio - 1) / hypotheses)
    parts = 2**_BITS
    uniform = -(-weight.numerator * parts // weight.denominator)
    numerators = (parts - uniform) * hypotheses * table.numerators + uniform * table.denominator
    return Table(numerators, parts * hypotheses * table.denominator)


def largest_excess(table: Table, pairs: NDArray[np.int64], ratio: Fraction) -> int:
    """The largest ``p(h|Z) - ratio p(h|Z')``, times the two denominators: not above 0 when the table is private."""
    one, other = (table.numerators[pairs[:, side]] for side in (0, 1))
    return int((one * ratio.denominator - other * ratio.numerator).max(initial=-1))


def value_of(table: Table, costs: Costs) -> Fraction:
    """The largest goal of a table, exact."""
    totals = np.zeros(costs.count, dtype=object)
    np.add.at(totals, costs.goals, costs.numerators * table.numerators.ravel()[costs.variables])
    return Fraction(int(totals.max()), costs.denominator * table.denominator)


def lower_bound(solution: Solution, costs: Costs, pairs: NDArray[np.int64], ratio: Fraction) -> Fraction:
    """What no mechanism with ratios up to ``ratio`` is below, from any multipliers: exact, by weak duality.

    For weights w of the goals that sum to 1 and flows y of at least 0 the largest goal is at least the sum over
    datasets Z of ``min_h (sum_g w_g cost_g(h, Z) + y_out(h, Z) / ratio - y_in(h, Z))``. The solver's multipliers are
    rounded; rounding makes the bound worse, never wrong.
    """
    parts = 2**_BITS
    weights = np.array([int(weight) for weight in np.rint(solution.weights * parts)], dtype=object)
    if not weights.sum():
        return Fraction(0)
    flows = np.array([int(flow) for flow in np.rint(solution.flows * parts).ravel()], dtype=object)
    flows = flows.reshape(solution.flows.shape)
    charged = np.zeros(solution.table.size, dtype=object)
    np.add.at(charged, costs.variables, weights[costs.goals] * costs.numerators)
    shape = solution.table.shape
    net = np.zeros(shape, dtype=object)
    np.add.at(net, pairs[:, 0], flows * ratio.denominator)
    np.add.at(net, pairs[:, 1], -flows * ratio.numerator)
    scale = int(weights.sum()) * costs.denominator
    least = (charged.reshape(shape) * (ratio.numerator * parts) + net * scale).min(axis=1)
    return max(Fraction(0), Fraction(int(least.sum()), scale * ratio.numerator * parts))


def drawn(table: Table, row: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """``size`` independent hypotheses, by place, with exactly the probabilities of a row of a table; shape (size,).

    A uniform number is drawn to 62 bits, and where that leaves it open which hypothesis it falls to, to as many more as
    decide it: a hypothesis is not lost, nor its chance changed, because it is small.

    Examples
    --------
    >>> table = Table(np.array([[0, 1, 10**30 - 1]], dtype=object), 10**30)
    >>> drawn(table, 0, 3, np.random.default_rng()).tolist()
    [2, 2, 2]
    """
    ends = list(accumulate(int(numerator) for numerator in table.numerators[row]))
    whole, rest = zip(*(divmod(end << _DRAWN_BITS, table.denominator) for end in ends), strict=True)
    first = rng.integers(1 << _DRAWN_BITS, size=size)
    places = np.searchsorted(np.array(whole, dtype=np.int64), first, side="right")
    cut = np.array([start for start, more in zip(whole, rest, strict=True) if more], dtype=np.int64)
    for draw in np.flatnonzero(np.isin(first, cut)).tolist():
        places[draw] = _settled(ends, table.denominator, int(first[draw]), rng)
    return places.astype(np.int64)


def _settled(ends: list[int], denominator: int, number: int, rng: np.random.Generator) -> int:
    """How many ends, over the denominator, are not above a uniform number that begins with these bits."""
    bits = _DRAWN_BITS
    while True:
        low, high = number * denominator, (number + 1) * denominator
        if not any(low < end << bits < high for end in ends):
            return sum(end << bits <= low for end in ends)
        number, bits = (number << 64) + int(rng.integers(1 << 64, dtype=np.uint64)), bits + 64


def _swapped(place: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ordered pairs of different columns of each row, shape (pairs, 2)."""
    one, other = np.nonzero(~np.eye(place.shape[1], dtype=bool))
    return np.stack([place[:, one].T.ravel(), place[:, other].T.ravel()], axis=1)


def _compositions(size: int, kinds: int) -> NDArray[np.int64]:
    """All ways to write ``size`` as an ordered sum of ``kinds`` numbers of at least 0, shape (ways, kinds)."""
    found = np.zeros((1, 0), dtype=np.int64)
    left = np.full(1, size, dtype=np.int64)
    for _ in range(kinds - 1):
        rows = np.repeat(np.arange(len(left)), left + 1)
        starts = np.fromiter(accumulate(left[:-1] + 1, initial=0), dtype=np.int64, count=len(left))
        value = np.arange(len(rows)) - starts[rows]
        found, left = np.column_stack([found[rows], value]), left[rows] - value
    return np.column_stack([found, left])
