"""Sanitisers: their laws by enumeration, the sampler for large domains against them, sizes, a library's alternative."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
import sanitisers
from flint import arb, ctx, fmpq
from scipy.stats import chi2

import dpcheck
from dpcheck import PureDP, Records, ReplaceOne, Status
from dpcheck.cli import app
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.sanitisers import (
    BlumLigettRoth,
    Sanitiser,
    ThresholdSanitiser,
    TreeSanitiser,
    interval_queries,
    symmetric_differences,
    threshold_queries,
)
from dpcheck.parts.mechanisms.sanitisers import layers as layers_module
from dpcheck.parts.mechanisms.sanitisers.bands import BandTable, Reference, below
from dpcheck.parts.mechanisms.sanitisers.blum_ligett_roth import orders
from dpcheck.parts.mechanisms.sanitisers.layers import Layers, settled
from dpcheck.parts.mechanisms.sanitisers.sizes import (
    accuracy_reached,
    database_size,
    least_database_size,
    records_needed,
)

#: Each statistical test here alarms falsely with at most this probability, whatever the seed.
LEVEL = 1e-9
MATRICES = {"intervals": interval_queries, "thresholds": threshold_queries}
EMPTY: list[int] = []


def largest_error(queries: Any, dataset: Any, database: Any) -> Fraction:
    """``max_c |Q_c(D) - Q_c(S)|``, by its definition; 0 beside an empty dataset."""
    if not dataset:
        return Fraction(0)
    return max(
        abs(
            Fraction(sum(bool(row[x]) for x in dataset), len(dataset))
            - Fraction(sum(bool(row[x]) for x in database), len(database))
        )
        for row in queries
    )


def exponents(law: Any) -> dict[Any, tuple[Fraction, int]]:
    """For each output what its weight is the exponential of, in nats, and its multiplicity."""
    rate = law.exact.epsilon / 2
    return {
        output: (rate * score, times)
        for output, score, times in zip(law.outputs, law.exact.scores, law.exact.multiplicities, strict=True)
    }


def every_draw(draw: Callable[[Any], Any]) -> Counter[Any]:
    """The exact law of what a function makes of a generator, by giving it every number that it may draw."""
    found: Counter[Any] = Counter()
    path: list[int] = []
    while True:
        given = EveryDraw(path)
        found[draw(given)] += given.probability  # type: ignore[assignment]
        path = given.following()
        if not path:
            return found


class EveryDraw:
    """A generator that draws what it is told: the numbers of a path, and then the least."""

    def __init__(self, path: list[int]) -> None:
        self.path, self.bounds, self.probability = path, list[int](), Fraction(1)

    def one(self, bound: int) -> int:
        self.bounds.append(bound)
        self.probability /= bound
        if len(self.bounds) > len(self.path):
            self.path.append(0)
        return self.path[len(self.bounds) - 1]

    def integers(self, low: int, high: int | None = None, size: Any = None) -> Any:
        least, bound = (0, low) if high is None else (low, high - low)
        if size is None:
            return least + self.one(int(bound))
        return np.array([least + self.one(int(bound)) for _ in range(int(np.prod(size)))]).reshape(size)

    def choice(self, many: int, size: int, replace: bool) -> Any:
        assert not replace
        return np.array(list(combinations(range(many), size))[self.one(math.comb(many, size))])

    def following(self) -> list[int]:
        """The next path, or nothing after the last."""
        path = self.path[: len(self.bounds)]
        while path and path[-1] == self.bounds[len(path) - 1] - 1:
            path.pop()
        return [*path[:-1], path[-1] + 1] if path else []


# --- the listed databases


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("dataset", [EMPTY, [1], [0, 0, 2], [3, 1, 1, 0, 3]])
def test_the_law_is_that_of_the_paper_by_enumeration_of_all_tuples(dataset: list[int], ordered: bool) -> None:
    queries = [[0, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1]]
    epsilon, k = Fraction(3, 2), 3
    law = BlumLigettRoth(queries, epsilon, k, ordered).distribution(dataset)
    times = Counter(tuple(sorted(one)) for one in product(range(4), repeat=k))
    assert exponents(law) == {
        database: (
            -epsilon * len(dataset) / 2 * largest_error(queries, dataset, database),
            times[database] if ordered else 1,
        )
        for database in combinations_with_replacement(range(4), k)
    }


def test_databases_of_listed_points_are_tuples_of_these() -> None:
    points = [(0, 0), (0, 1), (1, 1)]
    listed = BlumLigettRoth(interval_queries(3), 1.0, 2, domain=points)
    numbered = BlumLigettRoth(interval_queries(3), 1.0, 2)
    there, here = listed.distribution([(0, 1), (1, 1)]), numbered.distribution([1, 2])
    assert there.outputs == [tuple(points[place] for place in row) for row in here.outputs]
    assert there.exact.scores == here.exact.scores
    rng = np.random.default_rng()
    assert set(listed.sample([(0, 1)], 50, rng)) <= set(there.outputs)
    assert listed([[0, 1]], rng) in there.outputs  # JSON has lists for tuples
    assert numbered([1], rng) in here.outputs


def test_orders_are_multinomial_coefficients_up_to_the_largest() -> None:
    databases = np.array(list(combinations_with_replacement(range(3), 37)))
    wanted = [
        math.factorial(37) // math.prod(math.factorial(each) for each in Counter(row).values())
        for row in databases.tolist()
    ]
    assert orders(databases).tolist() == wanted
    assert sum(wanted) == 3**37
    assert isinstance(BlumLigettRoth(threshold_queries(3), size=37), Sanitiser)


def test_symmetric_differences_of_thresholds_are_the_intervals() -> None:
    intervals = {tuple(i <= x < j for x in range(5)) for i in range(6) for j in range(i, 6)}
    found = [tuple(row) for row in interval_queries(5).tolist()]
    assert len(found) == len(intervals) == 1 + math.comb(6, 2)
    assert set(found) == intervals
    assert symmetric_differences([[1, 0], [1, 0]]).tolist() == [[False, False]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BlumLigettRoth([[2, 0]]), "queries must be a matrix of truth values"),
        (lambda: BlumLigettRoth([]), "queries must be a matrix of truth values"),
        (lambda: BlumLigettRoth([[1]], 0.0), "epsilon must be a finite number above 0"),
        (lambda: BlumLigettRoth([[1]], 1.0, 0), "size must be at least 1"),
        (lambda: BlumLigettRoth(threshold_queries(16), 1.0, 9), "size must leave at most 1,048,576 multisets"),
        (lambda: BlumLigettRoth([[1, 0]], domain=["a", "a"]), "domain must have 2 distinct points"),
        (lambda: BlumLigettRoth([[1, 0]], domain=["a", "b"])(["c"], None), "got 'c' in record 0"),
        (lambda: BlumLigettRoth([[1, 0]], domain=["a", "b"])([{}], None), "got {} in record 0"),
        (lambda: BlumLigettRoth([[1, 0]])([0, 2], None), "got 2 in record 1"),
        (lambda: BlumLigettRoth([[1, 0]])([0.5], None), "got 0.5 in record 0"),
        (lambda: BlumLigettRoth([[1, 0]])(["a"], None), "dataset must hold points of the domain"),
        (lambda: BlumLigettRoth([[1, 0]])([(0, 1), (0,)], None), "dataset must hold points of the domain"),
        (lambda: ThresholdSanitiser(0), "domain_size must be at least 1"),
        (lambda: ThresholdSanitiser(2**61), "domain_size must be at most"),
        (lambda: ThresholdSanitiser(4, queries="points"), "queries must be 'intervals' or 'thresholds'"),
        (lambda: ThresholdSanitiser(4)([-1], None), "got -1 in record 0"),
        (lambda: ThresholdSanitiser(4)([math.nan], None), "got nan in record 0"),
        (lambda: ThresholdSanitiser(4, 1e12)([0], None), "epsilon must be at most 1.37439e+11 divided by the number"),
        (lambda: TreeSanitiser(4, branching=1), "branching must be at least 2"),
        (lambda: TreeSanitiser(4)([4], None), "got 4 in record 0"),
        (lambda: symmetric_differences((np.arange(3000)[:, None] >> np.arange(12)) & 1), "queries must have at most"),
        (lambda: database_size(0, 0.1), "dimension must be at least 1"),
        (lambda: database_size(1, 1.5), "accuracy must be at most 1"),
        (lambda: records_needed(1, 2, 0.1, 1.0, 2.0), "failure must be at most 1"),
        (lambda: least_database_size(threshold_queries(9), 20, 0.5), "records must leave at most"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_laws_are_declared_where_they_are_small() -> None:
    assert hasattr(BlumLigettRoth(threshold_queries(16), size=4), "distribution")
    assert not hasattr(BlumLigettRoth(threshold_queries(16), size=5), "distribution")
    assert not hasattr(ThresholdSanitiser(2**20), "distribution")


# --- bands


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize(
    ("points", "domain_size", "size"),
    [([], 3, 2), ([1, 1, 2], 4, 2), ([0, 0, 0, 0], 2, 3), ([2], 3, 1), ([0, 2], 3, 3)],
)
def test_databases_in_bands_are_counted_and_drawn_uniformly(
    points: list[int], domain_size: int, size: int, ordered: bool
) -> None:
    reference = Reference(np.array(points, dtype=np.int64), domain_size, size, ordered)
    databases = list(combinations_with_replacement(range(domain_size), size))
    steps = [
        [size * sum(x < t for x in points) - len(points) * sum(x < t for x in database) for t in range(domain_size + 1)]
        for database in databases
    ]
    above, under = reference.extremes(np.array(databases))
    assert above.tolist() == [max(each) for each in steps]
    assert under.tolist() == [-min(each) for each in steps]
    times = orders(np.array(databases)).tolist() if ordered else [1] * len(databases)
    edges = sorted({*above.tolist(), *under.tolist()})
    bands = list(product([*edges, reference.widest + 1], repeat=2))
    logarithms, error = reference.log_counts(*(np.array(side) for side in zip(*bands, strict=True)))
    for (high, low), logarithm in zip(bands, logarithms.tolist(), strict=True):
        inside = {d: m for d, m, g in zip(databases, times, steps, strict=True) if -low <= min(g) and max(g) <= high}
        count = sum(inside.values())
        table = reference.table(high, low)
        assert table.count == count
        assert logarithm == -math.inf if count == 0 else abs(logarithm - math.log(count)) <= error + 1e-15
        if count and (high, low) in bands[::6]:
            law = every_draw(lambda rng, table=table: tuple(table.sample(1, rng)[0].tolist()))
            assert law == {database: Fraction(m, count) for database, m in inside.items()}


def test_logarithms_of_counts_are_within_their_error_of_large_integers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = np.sort((rng.beta(2, 5, 10_000) * 2**20).astype(np.int64))
    points[:4000] = points[4000]
    for ordered in (True, False):
        reference = Reference(np.sort(points), 2**20, 40, ordered)
        parts = rng.uniform(0.02, 0.3, (2, 12)) * reference.widest
        above, under = parts.astype(np.int64)
        logarithms, error = reference.log_counts(above, under)
        assert error < 1e-9
        for high, low, logarithm in zip(above.tolist(), under.tolist(), logarithms.tolist(), strict=True):
            count = reference.table(high, low).count
            with ctx.workprec(200):
                assert abs(arb(logarithm) - arb(count).log()) <= error if count else logarithm == -math.inf


def test_large_integers_are_drawn_uniformly() -> None:
    law = every_draw(lambda rng: BandTable((0, 0), (2, 2), 3, ordered=False).sample(1, rng)[0].tobytes())
    assert set(law.values()) == {Fraction(1, 6)}

    class Bytes:
        given: Iterator[bytes] = iter([b"\xff" * 9, b"\x01" + b"\x00" * 8])

        def bytes(self, length: int) -> bytes:
            assert length == 9
            return next(self.given)

    # 72 bits of which 66 are read: all ones are beyond the bound, and drawn again
    assert below(2**65 + 1, Bytes()) == 0  # type: ignore[arg-type]


# --- layers


def exact_weights(layers: Layers) -> list[arb]:
    """The probability that E lies in each cell, times the databases of its band."""
    cells = layers.cells
    return [
        math.prod((power(layers, a) - power(layers, b) for a, b in zip(starts, ends, strict=True)), start=arb(1))
        * layers.reference.table(ends[0] - 1, ends[-1] - 1).count
        for starts, ends in zip(cells.starts.tolist(), cells.ends.tolist(), strict=True)
    ]


def power(layers: Layers, exponent: int) -> arb:
    if exponent > layers.reference.widest:
        return arb(0)
    return arb(fmpq(-layers.rate.numerator * exponent, layers.rate.denominator)).exp()


@pytest.mark.turns(4)
@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(2), Fraction(60)])
@pytest.mark.parametrize("points", [[], [3, 3, 3, 3], [0, 2, 9, 9, 10, 15, 15]])
def test_cells_and_bands_imply_the_law_exactly(points: list[int], epsilon: Fraction, two_sided: bool) -> None:
    # what is drawn: a cell by its weight, a database of its band uniformly, kept with a probability
    k, domain_size = 3, 16
    reference = Reference(np.array(points, dtype=np.int64), domain_size, k)
    layers = Layers(reference, epsilon / (2 * k), two_sided)
    databases = np.array(list(combinations_with_replacement(range(domain_size), k)))
    largest = layers.largest(databases).tolist()
    times = orders(databases).tolist()
    low, high = layers._shares
    ends, top, shift = layers._proposals
    lengths = np.diff(ends, prepend=0).tolist()
    with ctx.workprec(600):
        weights = exact_weights(layers)
        unit = arb(2) ** -shift * arb(top).exp()
        for place, weight in enumerate(weights):
            # no cell has fewer integers than its weight, and the doubles enclose what is left over
            share = weight / (lengths[place] * unit)
            assert share <= 1 + arb(2) ** -500
            assert arb(low[place]) <= share <= arb(high[place])
            assert layers._share(place).overlaps(share)
        drawn = [arb(0)] * len(databases)
        cells = zip(layers.cells.starts.tolist(), layers.cells.ends.tolist(), weights, strict=True)
        for starts, stops, weight in cells:
            count = reference.table(stops[0] - 1, stops[-1] - 1).count
            for row, values in enumerate(largest):
                if all(value < stop for value, stop in zip(values, stops, strict=True)):
                    reached = [max(pair) for pair in zip(values, starts, strict=True)]
                    drawn[row] += weight * ratio(times[row], count) * layers._part_kept(starts, stops, reached)
        for row, values in enumerate(largest):
            wanted = times[row] * power(layers, sum(values))
            assert abs(drawn[row] / wanted - 1) < arb(2) ** -400


def ratio(numerator: int, denominator: int) -> arb:
    return arb(fmpq(numerator, denominator))


@pytest.mark.parametrize("queries", ["thresholds", "intervals"])
@pytest.mark.parametrize("ordered", [True, False])
def test_the_law_is_that_of_the_listed_databases(queries: Any, ordered: bool) -> None:
    for domain_size, k in ((1, 2), (2, 1), (4, 3), (6, 2)):
        there = BlumLigettRoth(MATRICES[queries](domain_size), 1.5, k, ordered)
        here = ThresholdSanitiser(domain_size, 1.5, k, queries, ordered)
        last = domain_size - 1
        for dataset in (EMPTY, [0], [last] * 5, [last, 0, 0, last // 2]):
            assert exponents(here.distribution(dataset)) == exponents(there.distribution(dataset))


@pytest.mark.some(1)
@pytest.mark.parametrize("queries", ["thresholds", "intervals"])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 40.0])
def test_draws_follow_the_law(queries: Any, epsilon: float, seed: int) -> None:
    """Null: the law by enumeration. Chi-squared; a total variation of 0.1 is seen with probability above 0.999."""
    rng = np.random.default_rng(seed)
    sanitiser = ThresholdSanitiser(16, epsilon, 3, queries)
    dataset = [0, 2, 9, 9, 10, 15, 15]
    law = sanitiser.distribution(dataset)
    logarithms = np.array([float(nats) + math.log(times) for nats, times in exponents(law).values()])
    chances = np.exp(logarithms - logarithms.max())
    chances /= chances.sum()
    places = {output: place for place, output in enumerate(law.outputs)}
    draws = 20_000
    counts = np.zeros(len(chances))
    for row in sanitiser.sample(dataset, draws, rng).tolist():
        counts[places[tuple(row)]] += 1
    common = draws * chances >= 20
    seen = np.append(counts[common], counts[~common].sum())
    wanted = np.append(draws * chances[common], draws * chances[~common].sum())
    kept = wanted > 0
    statistic = ((seen - wanted)[kept] ** 2 / wanted[kept]).sum()
    assert chi2.sf(statistic, kept.sum() - 1) > LEVEL
    assert sanitiser(dataset, rng) in places


def test_draws_in_doubt_are_settled_by_further_bits() -> None:
    third, half = (lambda: arb(1) / 3), (lambda: arb(1) / 2)
    unit = 2**60
    assert settled(unit // 3 - 1, third, None)  # type: ignore[arg-type]
    assert not settled(unit // 3 + 1, third, None)  # type: ignore[arg-type]

    class Bits:
        def __init__(self, drawn: int) -> None:
            self.drawn = drawn

        def integers(self, bound: int, dtype: Any) -> int:
            return self.drawn

    # the 60 bits of a third go on with 0101...: below it are further bits that are smaller
    assert settled(unit // 3, third, Bits(2**64 // 3 - 1))  # type: ignore[arg-type]
    assert not settled(unit // 3, third, Bits(2**64 // 3 + 1))  # type: ignore[arg-type]
    assert settled(unit // 2 - 1, half, None)  # type: ignore[arg-type]
    assert not settled(unit // 2, half, None)  # type: ignore[arg-type]


def test_draws_are_the_same_law_when_all_are_settled(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Null: as above; the doubles decide nothing, so that the balls are what is tested."""
    monkeypatch.setattr(layers_module, "_ROUNDING", 0.5)
    layers = ThresholdSanitiser(3, 2.0, 2).layers([0, 1, 1, 2])
    assert len(layers.cells.starts) > 1
    rng = np.random.default_rng(seed)
    rows = [tuple(row) for row in layers.sample(1000, rng).tolist()]
    law = ThresholdSanitiser(3, 2.0, 2).distribution([0, 1, 1, 2])
    logarithms = np.array([float(nats) + math.log(times) for nats, times in exponents(law).values()])
    chances = np.exp(logarithms) / np.exp(logarithms).sum()
    wanted = len(rows) * chances
    assert wanted.min() > 20
    seen = np.array([rows.count(output) for output in law.outputs])
    assert chi2.sf(((seen - wanted) ** 2 / wanted).sum(), len(wanted) - 1) > LEVEL


@pytest.mark.turns(6)
@pytest.mark.parametrize("queries", ["thresholds", "intervals"])
def test_a_large_domain_is_drawn_from_within_the_bound(queries: Any, seed: int) -> None:
    """Null: the theorem's bound, which fails with probability at most LEVEL / 100 a draw."""
    rng = np.random.default_rng(seed)
    domain_size, n = 2**20, 100_000
    dataset = (rng.beta(2, 5, n) * domain_size).astype(np.int64)
    for k, epsilon in ((20, 0.1), (40, 0.01), (1, 5.0)):
        sanitiser = ThresholdSanitiser(domain_size, epsilon, k, queries)
        databases = sanitiser.sample(dataset, 5, rng)
        assert databases.shape == (5, k)
        assert (np.diff(databases, axis=1) >= 0).all()
        errors = sanitiser.layers(dataset).largest(databases).sum(axis=1) / (n * k)
        assert errors.max() <= sanitiser.accuracy(n, LEVEL / 100)
        # no database is better than the best, which the bound begins with
        assert errors.min() >= 1 / (2 * k) * (2 if queries == "intervals" else 1) - 1e-4


@pytest.mark.parametrize("queries", ["thresholds", "intervals"])
def test_corners(queries: Any) -> None:
    rng = np.random.default_rng(1)
    assert ThresholdSanitiser(1, 1.0, 3, queries)([0, 0], rng) == (0, 0, 0)
    assert len(ThresholdSanitiser(2**60, 1.0, 3, queries)([], rng)) == 3
    # all others are e^(500) times less likely, of 2^60: equal points are found
    assert ThresholdSanitiser(2**60, 10.0, 3, queries)([2**59 + 1] * 1000, rng) == (2**59 + 1,) * 3
    assert ThresholdSanitiser(4, 1e9, 2, queries)([1, 1, 3, 3], rng) == (1, 3)
    assert ThresholdSanitiser(4, 1e-300, 2, queries).sample([1] * 9, 3, rng).shape == (3, 2)
    assert ThresholdSanitiser(4, Fraction(1, 3), 2, queries).sample([1], 0, rng).shape == (0, 2)
    assert ThresholdSanitiser(4, Fraction(1, 3), 2, queries).claim == PureDP(Fraction(1, 3))


# --- privacy


@pytest.mark.turns(6)
@pytest.mark.parametrize(
    "sanitiser",
    [
        BlumLigettRoth(threshold_queries(3), Fraction(5), 2, ordered=False),
        ThresholdSanitiser(3, Fraction(1), 2),
        ThresholdSanitiser(3, Fraction(4), 2, "thresholds", ordered=False),
    ],
    ids=["multisets listed", "intervals", "thresholds, multisets"],
)
def test_the_claim_is_kept_exactly(sanitiser: Any, seed: int) -> None:
    assert isinstance(sanitiser, Sanitiser)
    verdict = dpcheck.audit(
        sanitiser,
        neighbours=ReplaceOne(records=Records.of([0, 1, 2]), size=3),
        exhaustive=True,
        alpha=LEVEL,
        max_samples=1500,
        isolation="none",
        seed=seed,
    )
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
    assert verdict.exact is not None
    assert 0.5 * float(sanitiser.epsilon) < verdict.exact.epsilon <= float(sanitiser.epsilon)


@pytest.mark.turns(4)
def test_through_the_command_line(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    target = "learner:beimel2015.threshold-sanitiser"
    status = app.run(["audit", target, "--max-samples", "1500", "--alpha", str(LEVEL), "--seed", str(seed)])
    said = capsys.readouterr().out
    assert status == 0, said
    assert "NO VIOLATION FOUND (claim: 1-DP, replace-one)" in said


# --- sizes


def test_sizes_are_those_of_the_theorem() -> None:
    assert database_size(2, 0.2) == math.ceil(200 * 2 / 0.04 * math.log(20))
    assert records_needed(10, 2**10, 0.5, 0.5, 0.01) == math.ceil(4 / 0.25 * (100 * math.log(2) + math.log(100)))
    needed = records_needed(10, 2**10, 0.5, 0.5, 0.01)
    assert 0.49 < accuracy_reached(needed, 10, 2**10, 0.5, 0.01, best=0.25) <= 0.5
    assert accuracy_reached(1, 10, 2**10, 0.5, 0.01, best=0.25) == 1.0


@pytest.mark.parametrize("name", sorted(MATRICES))
def test_the_least_size_does_for_every_dataset(name: str) -> None:
    queries, n, accuracy = MATRICES[name](4), 5, Fraction(3, 5)
    found = least_database_size(queries, n, accuracy)

    def good(k: int) -> bool:
        return all(
            any(
                largest_error(queries, dataset, database) <= accuracy / 2
                for database in combinations_with_replacement(range(4), k)
            )
            for dataset in combinations_with_replacement(range(4), n)
        )

    assert [good(k) for k in range(1, found + 1)] == [False] * (found - 1) + [True]
    assert least_database_size(queries, n, 1) <= found <= database_size(2, float(accuracy))


def test_the_choice_loses_no_more_than_the_theorem_says() -> None:
    # the failure probability by the exact law, for every dataset of three points
    sanitiser = ThresholdSanitiser(4, 6.0, 2)
    for dataset in combinations_with_replacement(range(4), 3):
        nats = {output: float(e) + math.log(m) for output, (e, m) in exponents(sanitiser.distribution(dataset)).items()}
        whole = math.fsum(map(math.exp, nats.values()))
        for failure in (0.5, 0.1, 1e-3):
            allowed = sanitiser.accuracy(3, failure)
            bad = [o for o in nats if largest_error(interval_queries(4), list(dataset), o) > allowed]
            assert math.fsum(math.exp(nats[o]) for o in bad) / whole <= failure


# --- the report


def test_the_report_is_what_its_record_renders() -> None:
    document = json.loads(sanitisers.REPORT.read_text(encoding="utf-8"))
    assert sanitisers.markdown(document) == sanitisers.REPORT.with_suffix(".md").read_text(encoding="utf-8")
    assert document["passed"]
    assert not document["quick"]
    assert sanitisers.wrong(document) == []
    document["speed"][0]["one"] = 11.0
    document["law"][0]["largest_deviation"] = 1e-9
    document["errors"][0]["largest"] = 1.0
    assert len(sanitisers.wrong(document)) == 3
    assert "BROKEN" in sanitisers.markdown(document)


# --- the library's tree


def test_the_tree_promises_what_the_library_says() -> None:
    pytest.importorskip("opendp")
    for domain_size, leaves in ((5, 4096), (100, 16), (2**20, 4096)):
        sanitiser = TreeSanitiser(domain_size, 0.7, 4, leaves=leaves)
        assert isinstance(sanitiser, Sanitiser)
        assert 0.69 < sanitiser.claim.epsilon_value <= 0.7
        # a replaced record is two steps of the library's metric
        assert sanitiser.measurement().map(1) <= sanitiser.claim.epsilon_value / 2 * (1 + 1e-9)


def test_quantiles_of_a_tree_are_those_of_its_counts() -> None:
    sanitiser = TreeSanitiser(100, 1.0, 4, leaves=10)
    exact = np.zeros(10)
    exact[3], exact[7] = 6, 2
    assert sanitiser.quantiles(exact, 8).tolist() == [31, 35, 38, 75]
    assert sanitiser.quantiles(np.full(10, -1.0), 8).tolist() == [95] * 4
    assert sanitiser.quantiles(np.zeros(10), 0).shape == (4,)
    assert TreeSanitiser(7, 1.0, 3, leaves=3).quantiles(np.array([0.0, 0.0, 9.0]), 9).tolist() == [6, 6, 6]


def test_the_tree_is_near_the_data(seed: int) -> None:
    """Null: noise of scale 2 layers / epsilon at each node; an error of 0.1 is beyond 40 of its scales."""
    pytest.importorskip("opendp")
    rng = np.random.default_rng(seed)
    dataset = (rng.beta(2, 5, 100_000) * 2**12).astype(np.int64)
    sanitiser = TreeSanitiser(2**12, 1.0, 50, leaves=256)
    databases = sanitiser.sample(dataset, 3, rng)
    errors = ThresholdSanitiser(2**12, 1.0, 50).layers(dataset).largest(databases).sum(axis=1) / (50 * len(dataset))
    assert errors.max() < 0.1
    assert sanitiser(dataset.tolist(), rng) != ()
