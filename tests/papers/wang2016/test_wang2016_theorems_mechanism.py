"""wang2016, section 4: instances behind refuted lines stand, broken ones do not; repairs hold where laws are exact."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from dpcheck.model.law import IntegerScores
from dpcheck.papers.wang2016.learners import BestSubset, FiniteProblem, RegularisedExponential, absolute_loss
from dpcheck.papers.wang2016.theorems import mechanism_instances as instances


@pytest.mark.parametrize(
    "broken",
    [
        lambda: instances.many_bad_hypotheses(7),  # a thousand bad hypotheses do not outweigh e^-500
        lambda: instances.five_hypotheses(2),  # log(1/2) + 2 log 2 is positive
        lambda: instances.ties_by_the_regulariser(Fraction(1, 20)),  # no ties
        lambda: instances.ties_by_the_regulariser(hypotheses=2),  # a tie of two: the excess is zeta
        lambda: instances.a_regulariser_that_wins(0),  # without a regulariser
        lambda: instances.corner_of_a_cube(3),  # 2^3/3! is above 1
        lambda: instances.ball_of_13_dimensions(12),
        lambda: instances.absolute_loss_of_six(as_printed=False),
        lambda: instances.an_atom_of_small_mass(atom=False),
    ],
)
def test_broken_instances_do_not_stand(broken) -> None:  # type: ignore[no-untyped-def]
    assert broken().failure


def _law(learner: RegularisedExponential, dataset: list[int]) -> np.ndarray:
    exact = learner.distribution(dataset).exact
    assert isinstance(exact, IntegerScores)
    logs = float(exact.epsilon) / 2 * (np.array(exact.scores) - max(exact.scores))
    weights = np.exp(logs) * np.array(exact.multiplicities)
    return np.asarray(weights / weights.sum())


def test_the_repaired_utility_of_the_mechanism_holds_on_random_problems() -> None:
    """E F - F* <= 1/n + log(#H/#S_{1/n})/c and lemma 36's constant 9, at every dataset."""
    rng = np.random.default_rng(7)
    checked = 0
    for _ in range(150):
        hypotheses, records, n = int(rng.integers(2, 7)), 3, int(rng.integers(2, 6))
        losses = tuple(tuple(Fraction(int(x), 4) for x in row) for row in rng.integers(0, 5, (hypotheses, records)))
        if all(len(set(row)) == 1 for row in losses):
            continue
        extra = [Fraction(int(x), 8) for x in rng.integers(-8, 9, hypotheses)]
        epsilon = Fraction(int(rng.integers(1, 5)), 4) * Fraction(math.log(n)).limit_denominator(1000)
        problem = FiniteProblem(tuple(range(records)), tuple(range(hypotheses)), losses)
        learner = RegularisedExponential(problem, list(range(hypotheses)), epsilon, extra, "paper_bound")
        c = float(epsilon) / (2 * (2 * float(max(max(row) for row in losses)) / n))
        for dataset in itertools.combinations_with_replacement(range(records), n):
            objective = np.array(
                [float(sum(losses[h][z] for z in dataset)) / n + float(extra[h]) for h in range(hypotheses)]
            )
            gap = float((_law(learner, list(dataset)) * (objective - objective.min())).sum())
            near = int((objective <= objective.min() + 1 / n + 1e-12).sum())
            assert gap <= 1 / n + math.log(hypotheses / near) / c + 1e-9
            assert gap <= 9 * (2 * math.log(n) + math.log(hypotheses)) / (n * float(epsilon)) + 1e-9
            checked += 1
    assert checked > 1000


@pytest.mark.parametrize("sensitivity", ["exact", "paper_bound"])
def test_the_mechanism_loses_at_most_epsilon_on_all_neighbours(sensitivity: str) -> None:
    learner = RegularisedExponential(absolute_loss([0, Fraction(1, 2), 1]), [0.0, 0.5, 1.0], 1.0, None, sensitivity)
    laws = {data: _law(learner, list(data)) for data in itertools.product((0, 1), repeat=4)}
    worst = 0.0
    for left, right in itertools.product(laws, repeat=2):
        if sum(a != b for a, b in zip(left, right, strict=True)) == 1:
            worst = max(worst, float(np.abs(np.log(laws[left] / laws[right])).max()))
    assert 0.4 * (1 if sensitivity == "exact" else 0.5) < worst <= (1.0 if sensitivity == "exact" else 0.5) + 1e-12


def test_two_stages_of_subset_selection_lose_at_most_twice_epsilon() -> None:
    learner = BestSubset(dimension=2, support=1, epsilon=0.5, axis=(-1.0, 0.0, 1.0))
    records = [([1.0, 0.0], 1.0), ([0.0, 1.0], 1.0), ([1.0, 0.0], -1.0), ([0.0, 1.0], -1.0)]
    laws = {}
    for data in itertools.product(range(4), repeat=2):
        law = learner.distribution(([records[i][0] for i in data], [records[i][1] for i in data]))
        laws[data] = {output: float(chance) for output, chance in zip(law.outputs, law.exact, strict=True)}
    worst = max(
        abs(math.log(laws[left][output] / laws[right][output]))
        for left, right in itertools.product(laws, repeat=2)
        if sum(a != b for a, b in zip(left, right, strict=True)) == 1
        for output in laws[left]
    )
    assert 0.25 < worst <= 1.0 + 1e-12


@pytest.mark.parametrize("root", [2, 3, 5])
def test_the_regulariser_counts_twice_where_the_rate_tends_to_0(root: int) -> None:
    """H = [0, 1], h loses h^(1/10), zeta = 1/r^3, eps = 1/r^10, n = r^30: the exact density of the loss."""
    zeta, rate = root**-3, root**20 / 2  # eps/(2 Dq), Dq = 1/n
    flat, beyond = np.linspace(0, 2 * zeta, 20_001), np.linspace(2 * zeta, min(1, 2 * zeta + 50 / rate), 20_001)
    parts = [(flat, 10 * flat**9), (beyond, 10 * beyond**9 * np.exp(-rate * (beyond - 2 * zeta)))]
    whole = sum(np.trapezoid(density, loss) for loss, density in parts)
    mean = sum(np.trapezoid(loss * density, loss) for loss, density in parts) / whole
    printed = 9 * 12 * 30 * math.log(root) / root**20 + 2 / root**10 + zeta
    assert printed < 20 / 11 * zeta * (1 - 1e-6) < mean < printed + zeta


@pytest.mark.parametrize("constant", [1, 10])
@pytest.mark.parametrize("records", [2, 50])
def test_example_21_with_a_small_lipschitz_constant(constant: int, records: int) -> None:
    root = 1 / (100 * constant**2 * records)
    slope, rate = math.exp(root) / (2 * records), math.sqrt(root / records) * records / 2  # Dq = slope/n
    mean = 1 / rate - 1 / math.expm1(rate)  # of h under the density exp(-rate h) on [0, 1]
    assert slope * mean > 2 * constant * math.sqrt(root / records)
