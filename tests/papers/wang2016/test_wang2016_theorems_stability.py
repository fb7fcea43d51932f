"""wang2016's subsampling, stability and AERM: the instances of the registry, and its results on all tiny problems."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.papers.wang2016.learners import SubsampledLearner
from dpcheck.papers.wang2016.theorems import stability_instances as instances

GRID = 12
ALL = (instances.order_kept, instances.point_mass, instances.factor_lost, instances.labels_of_integers)


@pytest.mark.parametrize("enumerate_all", ALL)
def test_instances_are_as_said(enumerate_all: Any) -> None:
    found = enumerate_all()
    assert not found.failure, found.failure
    assert found.count > 0
    assert enumerate_all() == found


def test_instances_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    assert instances.point_mass(exponent=2).failure
    assert instances.factor_lost(Fraction(1, 2)).failure  # no difference between pairs: nothing is lost
    assert instances.factor_lost(Fraction(1, 5)).failure  # not private
    assert instances.labels_of_integers(3).failure  # not private
    monkeypatch.setattr(instances, "_KEPT", (900, 30, 7, 20))
    assert instances.order_kept().failure  # another eps: the loss is below log 22
    monkeypatch.setattr(instances, "chance_of_error", lambda ones, size: Fraction(1, 1 + 8**ones))
    assert instances.point_mass().failure


class Ordered:
    """Answers 1 with probability ``ratio^-d / 2``, d the places of its sample that differ from those expected."""

    claim = PureDP(math.log(3))

    def __init__(self, expected: tuple[int, ...], ratio: int) -> None:
        self.expected, self.ratio = expected, ratio

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        d = sum(int(z) != wanted for z, wanted in zip(dataset, self.expected, strict=False))
        chance = Fraction(1, 2 * self.ratio**d)
        return {1: chance, 0: 1 - chance}

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return int(rng.random() < self.distribution(dataset)[1])


@pytest.mark.parametrize(("n", "k", "marks"), [(5, 2, 1), (6, 3, 2), (7, 3, 1), (8, 4, 3)])
def test_the_ratio_of_samples_in_order_is_that_of_the_learner(n: int, k: int, marks: int) -> None:
    # records: 0 is a, 1.. are b_1.., 9 is c
    data = [0, *range(1, marks + 1), *[9] * (n - 1 - marks)]
    laws = {}
    for order in ("sorted", "random"):
        learner = SubsampledLearner(Ordered(tuple(data[: marks + 1]), 3), n, k, order)  # type: ignore[arg-type]
        chances = []
        for first in (0, 9):
            law = learner.distribution([first, *data[1:]])
            assert law.exact is not None
            chances.append(Fraction(list(law.exact)[list(law.outputs).index(1)]))
        laws[order] = chances[0] / chances[1]
    assert laws["sorted"] == instances.ratio_when_order_is_kept(n, k, marks, 3)[0]
    assert laws["random"] <= 1 + Fraction(k, n) * 2


def private_laws(size: int, ratio: int) -> NDArray[np.int64]:
    """All P(answer 1 | j ones) in twelfths for j = 0..size that are private, shape (laws, size + 1)."""
    found = [[p] for p in range(GRID + 1)]
    for _ in range(size):
        found = [
            [*law, p]
            for law in found
            for p in range(GRID + 1)
            if law[-1] <= ratio * p
            and p <= ratio * law[-1]
            and GRID - law[-1] <= ratio * (GRID - p)
            and GRID - p <= ratio * (GRID - law[-1])
        ]
    return np.array(found, dtype=np.int64)


def mixture(laws: NDArray[np.int64], size: int, n: int) -> NDArray[np.int64]:
    """The subsampled learner's, times ``GRID binom(n, size)``, by the ones among n."""
    weights = np.array(
        [[math.comb(ones, j) * math.comb(n - ones, size - j) for ones in range(n + 1)] for j in range(size + 1)]
    )
    return np.asarray(laws @ weights)


def with_replacement(laws: NDArray[np.int64], size: int, n: int) -> NDArray[np.int64]:
    """The same for draws with replacement, times ``GRID n^size``."""
    weights = np.array(
        [[math.comb(size, j) * ones**j * (n - ones) ** (size - j) for ones in range(n + 1)] for j in range(size + 1)]
    )
    return np.asarray(laws @ weights)


@pytest.mark.parametrize("ratio", [2, 3])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_subsampled_learners_are_as_private_as_repaired(size: int, ratio: int) -> None:
    # lem-4, lem-34, lem-10: every law in twelfths on binary records and two hypotheses, every n up to 6
    laws = private_laws(size, ratio)
    assert len(laws) > 50
    for n in range(size, 7):
        gamma = size / n
        loss = []
        for mixed, whole in (
            (mixture(laws, size, n), GRID * math.comb(n, size)),
            (with_replacement(laws, size, n), GRID * n**size),
        ):
            both = np.stack([mixed, whole - mixed]).astype(float)
            up, down = both[:, :, 1:], both[:, :, :-1]
            some = (up > 0) & (down > 0)
            assert ((up > 0) == (down > 0)).all()
            loss.append(float(np.abs(np.log(up[some] / down[some])).max(initial=0.0)))
        assert loss[0] <= math.log1p(gamma * (ratio - 1)) + 1e-12
        assert max(loss) <= 2 * gamma * (ratio - 1 / ratio) + 1e-12
        if size <= math.isqrt(n - 1) + 1:  # ceil(sqrt(n))
            assert max(loss) <= 2 / math.sqrt(n) * (ratio - 1 / ratio) + 1e-12


@pytest.mark.parametrize("size", [1, 2, 3])
def test_subsampled_learners_are_always_aerm_as_repaired(size: int) -> None:
    # lem-10 with H = {0, 1}, l = |h - z|: excess of h on Z with a part q of ones is |2q - 1| if h is the minority's
    laws = private_laws(size, 3)
    for n in range(size, 7):
        if math.isqrt(n) != size:
            continue
        ones = np.arange(n + 1)
        gap = np.abs(2 * ones - n) / n
        best = (2 * ones > n).astype(float)

        def excess(chance: NDArray[np.float64], best: Any = best, gap: Any = gap) -> NDArray[np.float64]:
            return np.asarray(np.where(best > 0, 1 - chance, chance) * gap)

        drawn = excess(mixture(laws, size, n) / (GRID * math.comb(n, size))).max(axis=1)
        again = excess(with_replacement(laws, size, n) / (GRID * n**size)).max(axis=1)
        # the rate is at least the excess under each Unif(Z): just what draws with replacement have
        assert (drawn <= 2 * again + 1e-12).all()


@pytest.mark.parametrize("ratio", [2, 3])
def test_private_learners_are_stable_and_generalise(ratio: int) -> None:
    # lem-8, thm-35, cor-9: exact on every law in twelfths, three records, laws of records in tenths
    size = 3
    laws = private_laws(size, ratio) / GRID
    stable = np.abs(np.diff(laws, axis=1)).max(axis=1)  # the loss |h - z| at z = 0 is P(1), at z = 1 it is 1 - P(1)
    assert (stable <= ratio - 1 + 1e-12).all()
    ones = np.arange(size + 1)
    for q in np.linspace(0, 1, 11):
        weights = np.array([math.comb(size, j) * q**j * (1 - q) ** (size - j) for j in ones])
        risk = (laws * (1 - q) + (1 - laws) * q) @ weights
        seen = (laws * (size - ones) / size + (1 - laws) * ones / size) @ weights
        least = (np.minimum(ones, size - ones) / size) @ weights
        assert (np.abs(risk - seen) <= stable + 1e-12).all()
        assert (risk - min(q, 1 - q) <= stable + (seen - least) + 1e-12).all()
        assert (seen >= risk / ratio - 1e-12).all()


def test_labels_of_integers_are_not_learnt_at_one_rate() -> None:
    # thm-7: n records of 2n points with a fixed random label each; exact for n = 1, 2
    for n in (1, 2):
        risk = Fraction(0)
        for labels in itertools.product((0, 1), repeat=2 * n):
            for data in itertools.product(range(2 * n), repeat=n):
                # any rule: here the label seen, and 0 where nothing was
                wrong = sum(labels[x] for x in range(2 * n) if x not in data)
                risk += Fraction(wrong, 2 * n) / 2 ** (2 * n) / (2 * n) ** n
        assert risk == Fraction(1, 2) * (1 - Fraction(1, 2 * n)) ** n >= Fraction(1, 4)
