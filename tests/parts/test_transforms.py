"""Learners made of learners: exact laws by hand, exact losses against the claims, and the broken ones audits find."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import (
    AddRemove,
    ApproxDP,
    GaussianDP,
    Labelled,
    LabelsOnly,
    PureDP,
    ReplaceOne,
    SemiPrivate,
    Status,
    by_calls,
)
from dpcheck.model.claims import ProfileDP, exact_point
from dpcheck.model.data import take_records
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import FLOAT_ERROR, IntegerScores, Law
from dpcheck.model.neighbours import PrivatePart
from dpcheck.parts.mechanisms.amplification import (
    approximated_claim,
    repeated_claim,
    resampled_claim,
    subsampled_claim,
    worst_claim,
)
from dpcheck.parts.mechanisms.exponential import ExponentialMechanism
from dpcheck.parts.mechanisms.group import Replicated, group
from dpcheck.parts.mechanisms.mixtures import chances, mixture, product_law
from dpcheck.parts.mechanisms.parallel import Partitioned
from dpcheck.parts.mechanisms.resampling import Resampled
from dpcheck.parts.mechanisms.subsampling import Subsampled

#: Each statistical test here alarms falsely with at most this probability, whatever the seed.
LEVEL = 1e-9
LOG_THREE, REPLACE_ONE, LABELS = PureDP(ratio=3), ReplaceOne(), LabelsOnly([0, 1])


def relation(size: int) -> ReplaceOne:
    return ReplaceOne([0, 1], size=size)


@dataclass(frozen=True)
class Response:
    """Tells a bit of the data, or with probability 1/4 the other one: exactly log(3)-DP, in fractions."""

    bit: Callable[[Any], int] = max
    order_blind: bool = True
    claim: Any = LOG_THREE
    neighbours: Any = REPLACE_ONE

    def __call__(self, dataset: Any, rng: Any) -> int:
        return int(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        return int(self.bit(dataset)) ^ (rng.integers(4, size=size) == 0)

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        bit = int(self.bit(dataset))
        return {bit: Fraction(3, 4), 1 - bit: Fraction(1, 4)}


def first(dataset: Any) -> int:
    return int(dataset[0])


@dataclass(frozen=True)
class Lazy:
    """Says nothing, or with probability delta everything: (0, delta)-DP."""

    delta: Fraction = Fraction(1, 4)
    order_blind: bool = False
    neighbours: Any = REPLACE_ONE

    @property
    def claim(self) -> ApproxDP:
        return ApproxDP(0.0, self.delta)

    def __call__(self, dataset: Any, rng: Any) -> Any:
        return tuple(dataset) if rng.random() < self.delta else None

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        return {None: 1 - self.delta, tuple(dataset): self.delta}


@dataclass(frozen=True)
class Counting:
    """Says 1 with probability 3^ones / 81, for up to 3 of them: log(3)-DP, and each copy counts."""

    order_blind: bool = True
    claim: Any = LOG_THREE
    neighbours: Any = REPLACE_ONE

    def __call__(self, dataset: Any, rng: Any) -> int:
        return int(rng.random() < 3 ** sum(dataset) / 81)

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        chance = Fraction(3 ** sum(dataset), 81)
        return {1: chance, 0: 1 - chance}


@dataclass(frozen=True)
class Parrot:
    """Tells its data: the law of a transform is then that of the sample."""

    order_blind: bool = False

    def __call__(self, dataset: Any, rng: Any) -> Any:
        return tuple(sorted(dataset)) if self.order_blind else tuple(dataset)

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        return {self(dataset, None): Fraction(1)}


def exact(law: Any) -> dict[Any, Fraction]:
    assert isinstance(law, Law)
    return dict(zip(law.outputs, law.exact, strict=True))


def loss(one: dict[Any, Fraction], other: dict[Any, Fraction]) -> Fraction:
    """The largest ratio of probabilities, either way."""
    assert set(one) == set(other)
    return max(max(one[o] / other[o], other[o] / one[o]) for o in one)


def largest_loss(learner: Any, size: int, values: Any = (0, 1)) -> Fraction:
    datasets = list(product(values, repeat=size))
    laws = {d: exact(learner.distribution(list(d))) for d in datasets}
    near = [(a, b) for a in datasets for b in datasets if sum(x != y for x, y in zip(a, b, strict=True)) == 1]
    return max(loss(laws[a], laws[b]) for a, b in near)


def largest_delta(learner: Any, size: int) -> Fraction:
    """The largest total variation of the laws of neighbours: delta at epsilon 0."""
    datasets = list(product([0, 1], repeat=size))
    laws = {d: exact(learner.distribution(list(d))) for d in datasets}
    near = [(a, b) for a in datasets for b in datasets if sum(x != y for x, y in zip(a, b, strict=True)) == 1]
    return max(sum(max(p - laws[b].get(o, 0), Fraction(0)) for o, p in laws[a].items()) for a, b in near)


# --- mixtures


def test_a_mixture_of_fractions_is_exact_and_tells_outputs_of_different_types_apart() -> None:
    halves = Law([True, 1.0], exact=[Fraction(1, 2)] * 2)
    law = mixture([Fraction(1, 3), Fraction(2, 3)], [{1: Fraction(1)}, halves])
    assert [(type(output), each) for output, each in zip(law.outputs, law.exact, strict=True)] == [
        (int, Fraction(1, 3)),
        (bool, Fraction(1, 3)),
        (float, Fraction(1, 3)),
    ]
    arrays = Law([np.array([1, 2]), np.array([2, 1])], exact=[Fraction(1, 2)] * 2)
    assert len(mixture([1], [arrays]).outputs) == 2
    assert len(mixture([Fraction(1, 2)] * 2, [arrays, arrays]).outputs) == 2


def test_a_mixture_with_integer_scores_is_balls_that_grow_sharper() -> None:
    from flint import arb, ctx

    laws = [Law([0, 1], exact=IntegerScores(1.0, [0, -3])), {0: Fraction(1)}]
    half = [Fraction(1, 2)] * 2
    truth = {}
    with ctx.workprec(2000):
        truth = (1 + 1 / (1 + (-arb(3) / 2).exp())) / 2
    for bits in (53, 500):
        with ctx.workprec(bits):
            law = mixture(half, laws)
        assert law.exact[0].overlaps(truth)
        assert law.exact[0].rel_accuracy_bits() >= max(bits, 128) - 10


def test_a_mixture_of_doubles_states_an_error_that_holds_it() -> None:
    laws = [{0: 0.25, 1: 0.75}, Law([0, 1], log_probabilities=[math.log(0.5)] * 2, error=1e-9), {0: Fraction(1)}]
    law = mixture([Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], laws)
    assert np.exp(law.log_probabilities).tolist() == pytest.approx([0.5, 0.5], abs=1e-15)
    assert 1e-9 <= law.error < 1.01e-9
    assert FLOAT_ERROR <= mixture([1], [laws[0]]).error < 1.1 * FLOAT_ERROR
    tiny = mixture([Fraction(1, 10**400), 1 - Fraction(1, 10**400)], [{0: 1.0}, {1: 1.0}])
    assert tiny.log_probabilities[0] == pytest.approx(-400 * math.log(10))
    assert mixture([0, 1], [{"never": Fraction(1)}, {"a": Fraction(1)}]).outputs == ["a"]


@pytest.mark.parametrize(
    ("weights", "laws", "message"),
    [
        ([Fraction(1, 2)], [{0: Fraction(1)}], "weights must sum to 1, got 1/2"),
        ([0.5, 0.5], [{0: 1.0}] * 2, "weights must be Fractions of at least 0, got 0.5 of type float"),
        ([Fraction(2), Fraction(-1)], [{0: 1.0}] * 2, "weights must be Fractions of at least 0"),
        ([1], [{0: 1.0}] * 2, "weights must be as many as the laws"),
        ([Fraction(1, 2)] * 2, [{0: 1.0}], "weights must be as many as the laws"),
        ([1], [[0.5, 0.5]], "laws must be mappings output -> probability or Law, got list"),
    ],
)
def test_what_is_no_mixture_is_refused(weights: Any, laws: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        mixture(weights, laws)


def test_independent_outputs_multiply_in_every_arithmetic() -> None:
    scored = Law(["a", "b"], exact=IntegerScores(1.0, [0, -2], [1, 3]))
    both = product_law([scored, scored])
    assert isinstance(both.exact, IntegerScores)
    assert (both.exact.scores, both.exact.multiplicities) == ((0, -2, -2, -4), (1, 3, 3, 9))
    mixed = product_law([scored, {0: Fraction(1, 4), 1: Fraction(3, 4)}, {0: 1.0}])
    one = dict(chances(scored))
    for output, found in chances(mixed):
        assert found == pytest.approx(one[output[0]] * (0.25, 0.75)[output[1]], rel=1e-12)
    balls = product_law([scored, {0: Fraction(1, 4), 1: Fraction(3, 4)}])
    assert dict(chances(balls)) == pytest.approx({o[:2]: p for o, p in chances(mixed)})


# --- taking records


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        ([5, 6, 7], [7, 5, 7]),
        ((5, 6, 7), (7, 5, 7)),
        (np.array([[5], [6], [7]]), np.array([[7], [5], [7]])),
        (Labelled([5, 6, 7], np.array([0, 1, 0])), Labelled([7, 5, 7], np.array([0, 0, 0]))),
        (SemiPrivate([5, 6, 7], public=[1]), SemiPrivate([7, 5, 7], public=[1])),
        ([(5, 0), (6, 1), (7, 0)], [(7, 0), (5, 0), (7, 0)]),
    ],
)
def test_records_are_taken_from_every_kind_of_dataset(dataset: Any, expected: Any) -> None:
    assert dpcheck.model.data.same_dataset(take_records(dataset, [2, 0, 2]), expected)
    with pytest.raises(InvalidArgument, match="rows must be integers from 0 to 2"):
        take_records(dataset, [3])


def test_rows_of_a_frame_are_taken_too() -> None:
    pandas = pytest.importorskip("pandas")
    assert take_records(pandas.DataFrame({"a": [5, 6, 7]}), [2, 0])["a"].tolist() == [7, 5]


# --- subsampling


@pytest.mark.parametrize("order", ["random", "sorted"])
@pytest.mark.parametrize("blind", [True, False])
def test_the_samples_are_those_without_replacement(order: Any, blind: bool) -> None:
    data, size = [7, 8, 8, 9], 2
    every = permutations(data, size) if order == "random" else combinations(data, size)
    expected = Counter(tuple(sorted(sample)) if blind else sample for sample in every)
    law = exact(Subsampled(Parrot(blind), size=size, order=order).distribution(data))
    assert law == {sample: Fraction(times, expected.total()) for sample, times in expected.items()}


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    "learner",
    [
        Subsampled(Parrot(), size=2),
        Subsampled(Parrot(), size=2, order="sorted"),
        Subsampled(Parrot(True), fraction=Fraction(3, 4)),
        Resampled(Parrot(), size=2),
        Resampled(Parrot(True), size=3),
        Partitioned(Parrot(), parts=2),
        Partitioned([Parrot(), Parrot(True)], split="in order"),
        Replicated(Parrot(), 2),
    ],
    ids=repr,
)
def test_calls_and_bulk_draws_have_the_declared_law(learner: Any, rng: np.random.Generator) -> None:
    # null: the law is the declared one; level 1e-9 by Hoeffding over all outputs; power: 0.06 in any probability
    data = [7, 8, 8, 9]
    law = dict(chances(learner.distribution(data)))
    size = 6000
    for outputs in (learner.sample(data, size, rng), [learner(data, rng) for _ in range(size)]):
        seen = Counter(outputs)
        assert len(outputs) == size
        assert set(seen) <= set(law)
        slack = math.sqrt(math.log(2 * len(law) / LEVEL) / (2 * size))
        assert all(abs(seen[output] / size - chance) <= slack for output, chance in law.items())


def test_large_samples_are_drawn_one_by_one(rng: np.random.Generator) -> None:
    data = list(range(1000))
    for learner in (Subsampled(Parrot(), size=10), Resampled(Parrot(), size=10)):
        outputs = learner.sample(data, 5, rng)
        assert all(len(output) == 10 and set(output) <= set(data) for output in outputs)
        with pytest.raises(InvalidArgument, match="samples for a law, got"):
            learner.distribution(data)
    assert all(len(set(output)) == 10 for output in Subsampled(Parrot(), size=10).sample(data, 5, rng))
    output = Subsampled(Parrot(), size=10, order="sorted")(data, rng)
    assert list(output) == sorted(output)


@pytest.mark.parametrize(("size", "records"), [(1, 2), (1, 5), (2, 5), (3, 4), (4, 4)])
def test_the_claim_of_a_subsample_is_attained_by_randomised_response(size: int, records: int) -> None:
    learner = Subsampled(Response(), size=size, records=records)
    assert learner.claim.ratio == 1 + Fraction(size, records) * 2
    assert largest_loss(learner, records) == learner.claim.ratio


@dataclass(frozen=True)
class Matching:
    """Says 1 with probability 3^(places where the sample is as wanted) / 81: log(3)-DP, and looks at the order."""

    wanted: tuple[int, ...] = (1, 2)
    claim: Any = LOG_THREE
    neighbours: Any = REPLACE_ONE

    def __call__(self, dataset: Any, rng: Any) -> int:
        return int(rng.random() < self.distribution(dataset)[1])

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        chance = Fraction(3 ** sum(map(int.__eq__, dataset, self.wanted)), 81)
        return {1: chance, 0: 1 - chance}


def test_a_learner_that_looks_at_the_order_keeps_its_gain_in_random_order_only() -> None:
    shuffled = Subsampled(Matching(), size=2, records=3)
    kept = Subsampled(Matching(), size=2, order="sorted", records=3)
    assert shuffled.claim.ratio == Fraction(7, 3)
    assert kept.claim == PureDP(ratio=3)
    assert largest_loss(shuffled, 3, [0, 1, 2]) <= Fraction(7, 3)
    # where record 0 is left out record 1 moves to the front: what is learned then is no cover
    assert Fraction(7, 3) < largest_loss(kept, 3, [0, 1, 2]) <= 3


def test_where_only_labels_change_other_samples_are_no_cover() -> None:
    # the output tells the sample by its features, and the label of its first record by randomised response
    @dataclass(frozen=True)
    class Telling:
        order_blind: bool = True
        claim: Any = LOG_THREE
        neighbours: Any = LABELS

        def __call__(self, dataset: Any, rng: Any) -> Any:
            x, y = dataset
            return x[0], (y[0] if rng.integers(4) else 1 - y[0])

        def distribution(self, dataset: Any) -> Any:
            x, y = dataset
            return {(x[0], y[0]): Fraction(3, 4), (x[0], 1 - y[0]): Fraction(1, 4)}

    learner = Subsampled(Telling(), size=1, records=4)
    assert learner.claim == PureDP(ratio=3)
    assert isinstance(learner.neighbours, LabelsOnly)
    one, other = ([0, 1, 2, 3], [0, 0, 0, 0]), ([0, 1, 2, 3], [1, 0, 0, 0])
    assert loss(exact(learner.distribution(one)), exact(learner.distribution(other))) == 3
    assert Resampled(Telling(), size=2, records=4).claim == PureDP(ratio=9)


def test_claims_know_the_relation_the_size_and_what_is_not_promised() -> None:
    adding = Subsampled(Response(neighbours=AddRemove()), size=1, records=4)
    assert adding.claim.ratio == 1 + Fraction(1, 4) * 8  # a replacement is two steps
    assert adding.neighbours == ReplaceOne(size=4)
    part = Subsampled(Response(neighbours=PrivatePart()), size=1, records=4)
    assert part.claim.ratio == Fraction(3, 2)
    assert part.neighbours.name == "private-part"
    assert part.neighbours.size == 4
    whole = Subsampled(Response(), fraction=0.3)
    assert whole.claim.ratio == Fraction(8, 5)
    assert whole.drawn_of(10) == 3  # the double is a little less
    assert whole.claim_for(9).ratio == 1 + Fraction(2, 9) * 2
    assert not hasattr(Subsampled(Response(), size=1), "claim")
    assert not hasattr(Resampled(Response(), size=1), "claim")
    assert not hasattr(Subsampled(Parrot(), size=1, records=2), "claim")
    assert not hasattr(Subsampled(lambda dataset, rng: 0, size=1), "distribution")
    assert not hasattr(Subsampled(Parrot(), size=10, records=100), "distribution")
    assert Subsampled(Response(first, False), size=1).order_blind
    assert not Subsampled(Response(first, False), size=1, order="sorted").order_blind


@pytest.mark.parametrize("size", [1, 2, 3])
def test_delta_is_scaled_too(size: int) -> None:
    learner = Subsampled(Lazy(), size=size, records=3)
    assert exact_point(learner.claim).delta == Fraction(size, 12)
    assert largest_delta(learner, 3) == Fraction(size, 12)


# --- resampling


@pytest.mark.parametrize(("size", "records"), [(1, 1), (2, 1), (1, 3), (2, 3), (3, 3), (3, 2)])
def test_the_exact_loss_of_resampling_is_within_its_claim(size: int, records: int) -> None:
    learner = Resampled(Response(), size=size, records=records)
    assert learner.claim.ratio == (1 + Fraction(2, records)) ** size
    assert largest_loss(learner, records) <= learner.claim.ratio


def test_the_claim_of_resampling_is_attained() -> None:
    learner = Resampled(Counting(), size=3, records=4)
    none, one = (exact(learner.distribution(data)) for data in ([0] * 4, [1, 0, 0, 0]))
    assert one[1] / none[1] == learner.claim.ratio == Fraction(27, 8)


def rest(records: int, k: int) -> float:
    """``(1 - 1/n)^(n - k)``."""
    return math.exp((records - k) * math.log1p(-1 / records))


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0])
@pytest.mark.parametrize("records", [1, 2, 10, 10**6])
def test_the_bound_is_the_binomial_sum_and_below_the_printed_one(epsilon: float, records: int) -> None:
    claim = resampled_claim(ApproxDP(epsilon, 1e-6), records, records)
    many = min(records, 60)  # of a million draws more than 60 copies have a probability below 1e-80
    chance = [float(math.comb(records, k) * Fraction(1, records) ** k) for k in range(many + 1)]
    none = [(1 - Fraction(1, records)) ** (records - k) if records < 100 else rest(records, k) for k in range(many + 1)]
    chance = [float(p * q) for p, q in zip(chance, none, strict=True)]
    ratio = math.fsum(p * math.exp(k * epsilon) for k, p in enumerate(chance))
    delta = math.fsum(1e-6 * p * math.expm1(k * epsilon) / math.expm1(epsilon) for k, p in enumerate(chance))
    assert claim.epsilon_value == pytest.approx(math.log(ratio), rel=1e-9)
    assert claim.delta_value == pytest.approx(delta, rel=1e-9)
    assert claim.epsilon_value <= math.log(244)  # beimel2015:clm-4.5
    assert claim.delta_value <= 2467e-6


def test_large_powers_of_a_ratio_are_rounded_up() -> None:
    written = resampled_claim(ApproxDP(delta=Fraction(1, 10**6), ratio=3), 10**3, 10)
    rounded = resampled_claim(ApproxDP(delta=Fraction(1, 10**6), ratio=3), 10**6, 10**6)
    assert written.ratio == (1 + Fraction(2, 10**3)) ** 10
    assert rounded.ratio is None
    assert rounded.epsilon_value == pytest.approx(10**6 * math.log1p(2e-6), rel=1e-12)
    assert rounded.delta_value == pytest.approx(1e-6 * math.expm1(rounded.epsilon_value) / 2, rel=1e-9)
    assert resampled_claim(ApproxDP(50.0, 1e-6), 2, 1000).delta_value == 1.0


def test_an_approximate_claim_of_resampling_holds_in_an_exact_audit() -> None:
    for records, size in ((2, 2), (3, 2), (2, 3)):
        learner = Resampled(Lazy(), size=size, records=records)
        assert exact_point(learner.claim).delta == Fraction(size, 4 * records)
        assert 0 < largest_delta(learner, records) <= Fraction(size, 4 * records)


# --- parallel composition


@pytest.mark.parametrize("split", ["random", "in order"])
@pytest.mark.parametrize("records", [2, 3, 4])
def test_the_claim_of_parts_is_the_worst_of_theirs_and_attained(split: Any, records: int) -> None:
    learner = Partitioned([Response(), Response(first, False)], split=split, records=records)
    assert learner.claim == PureDP(ratio=3)
    found = largest_loss(learner, records)
    assert found == 3 if split == "in order" else 1 < found <= 3


def test_parts_are_disjoint_cover_everything_and_are_even(rng: np.random.Generator) -> None:
    learner = Partitioned(Parrot(), parts=3)
    output = learner(list(range(11)), rng)
    assert sorted(record for part in output for record in part) == list(range(11))
    assert [len(part) for part in output] == [4, 4, 3]
    assert Partitioned(Parrot(), parts=2, split="in order")([5, 6, 7], rng) == ((5, 6), (7,))


def test_the_worst_claim_is_exact_where_it_can_be() -> None:
    assert worst_claim([PureDP(ratio=2), PureDP(ratio=3)]).ratio == 3
    assert worst_claim([PureDP(Fraction(1, 3)), PureDP(0.25)]).epsilon_fraction == Fraction(1, 3)
    assert worst_claim([PureDP(ratio=3), PureDP(1.0)]).epsilon_value >= math.log(3)
    assert worst_claim([GaussianDP(1.0), GaussianDP(1.0)]) == GaussianDP(1.0)
    with pytest.raises(AttributeError, match="have no largest"):
        worst_claim([GaussianDP(1.0), GaussianDP(2.0)])
    assert not hasattr(Partitioned([Response(), Response(neighbours=LabelsOnly())]), "neighbours")


# --- groups


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_the_claim_of_copies_is_the_group_claim(copies: int) -> None:
    learner = group(ExponentialMechanism(Fraction(1), scores=lambda d: [2 * sum(d), -2 * sum(d)]), copies)
    claim = PureDP(Fraction(4)).at_distance(copies)  # a sum that moves by 2, rate 1/2, both ways
    one, other = (learner.distribution(data) for data in ([0] * 8, [1] + [0] * 7))
    found = max(abs(math.log(p / q)) for (_, p), (_, q) in zip(chances(one), chances(other), strict=True))
    assert 0.5 * copies < found <= claim.epsilon_value
    assert Replicated(Response(neighbours=ReplaceOne(size=12)), copies).claim.ratio == 3**copies
    assert Replicated(Response(neighbours=ReplaceOne(size=12)), copies).neighbours.size == 12 // copies


def test_copies_have_the_sizes_that_the_claim_is_about_and_no_other() -> None:
    def size(relation: Any, copies: int) -> Any:
        return Replicated(Response(neighbours=relation), copies).neighbours.size

    for relation in (ReplaceOne(size=4), AddRemove(size=4)):
        assert not hasattr(Replicated(Response(neighbours=relation), 3), "claim")
    assert size(ReplaceOne(size=range(4, 13)), 3) == range(2, 5)
    assert size(LabelsOnly(size=range(3, 14, 2)), 3) == range(1, 4, 2)
    assert size(AddRemove(size=range(4, 13)), 3) == range(2, 5)  # 4, 5 and 6 records on the way to 2 from 1
    assert size(AddRemove(size=range(5, 13)), 3) == range(3, 5)
    assert size(PrivatePart(size=8), 4) == 2
    assert size(ReplaceOne(), 4) is None


# --- one in another


def nested() -> dict[str, tuple[Any, int]]:
    """Learners made of one whose claim is about 6 records, given another number of them; and the records of each."""
    inner = Subsampled(Response(), size=1, records=6)
    return {
        "a sample of a sample": (Subsampled(inner, size=2, records=3), 3),
        "a resample of a sample": (Resampled(inner, size=2, records=2), 2),
        "parts": (Partitioned(inner, parts=2, records=4), 4),
        "parts of any size": (Partitioned(inner, parts=2), 4),
        "a sample of resamples": (Subsampled(Resampled(Response(), size=1, records=6), size=1, records=2), 2),
        "copies": (Replicated(inner, 4), 1),
    }


@pytest.mark.parametrize("name", nested())
def test_a_claim_about_other_sizes_is_no_claim_about_parts(name: str) -> None:
    # a sample of 1 of 6 is far more private than one of 1 of 2
    learner, size = nested()[name]
    assert largest_loss(learner, size) > exact_point(Subsampled(Response(), size=1, records=6).claim).ratio
    assert not hasattr(learner, "claim")


def test_samples_of_samples_of_the_right_size_keep_their_claim() -> None:
    inner = Subsampled(Response(), size=1, records=2)
    for learner in (
        Subsampled(inner, size=2, records=3),
        Resampled(inner, size=2, records=3),
        Partitioned(inner, parts=2, records=4),
        Replicated(inner, 2),
    ):
        size = {Replicated: 1, Partitioned: 4}.get(type(learner), 3)
        assert 1 < largest_loss(learner, size) <= exact_point(learner.claim).ratio


def test_parts_with_different_relations_or_records_promise_nothing() -> None:
    for one, other in ((ReplaceOne(), LabelsOnly()), (ReplaceOne(), ReplaceOne([0, 1]))):
        for pair in ([one, other], [other, one]):
            learner = Partitioned([Response(neighbours=relation) for relation in pair])
            assert not hasattr(learner, "claim")
            assert not hasattr(learner, "neighbours")


@pytest.mark.parametrize("epsilon", [5e-324, 1e-300, 1e-17, 700.0, 1e8])
def test_claims_of_extreme_learners_are_quickly_there_and_no_worse(epsilon: float) -> None:
    for claim in (PureDP(epsilon), ApproxDP(epsilon, 1e-6)):
        assert 0 < subsampled_claim(claim, Fraction(1, 10)).epsilon_value <= epsilon
        assert 0 < resampled_claim(claim, 10, 1).epsilon_value <= epsilon
    assert approximated_claim(PureDP(epsilon), 0.5).delta_value == 1


# --- other claims


def test_claims_of_other_kinds_become_profiles_that_bound_them_point_by_point() -> None:
    claim = GaussianDP(1.0)
    small = subsampled_claim(claim, Fraction(1, 10))
    assert isinstance(small, ProfileDP)
    for epsilon in (0.5, 1.0, 2.0):
        moved = math.log1p(0.1 * math.expm1(epsilon))
        assert small.delta(moved) == pytest.approx(0.1 * claim.delta(epsilon), rel=0.05)
        assert small.delta(moved) >= 0.1 * claim.delta(epsilon) * (1 - 1e-9)
    assert isinstance(resampled_claim(claim, 100, 10), ProfileDP)
    assert subsampled_claim(claim, Fraction(1)) is claim
    assert repeated_claim(claim, 100, 3) == claim.at_distance(3)


def test_epsilons_are_rounded_up() -> None:
    from flint import arb, ctx

    with ctx.workprec(300):
        for epsilon, rate in ((1.0, Fraction(1, 3)), (1e-9, Fraction(1, 7)), (50.0, Fraction(1, 10**9))):
            exact_epsilon = (1 + (arb(epsilon).exp() - 1) * rate.numerator / rate.denominator).log()
            found = subsampled_claim(PureDP(epsilon), rate).epsilon_value
            assert arb(found) >= exact_epsilon
            assert arb(math.nextafter(found, 0)) < exact_epsilon


# --- broken ones


@dataclass(frozen=True)
class WithReplacement(Subsampled):
    """Draws with replacement what is claimed to be drawn without."""

    def rows(self, records: int, rng: np.random.Generator) -> Any:
        return rng.integers(records, size=self.drawn_of(records))

    def _kinds(self, dataset: Any) -> Any:
        records = len(dataset)
        every = np.array(list(product(range(records), repeat=self.drawn_of(records))))
        return every, np.arange(len(every))

    def _samples(self, records: int) -> int:
        return int(records ** self.drawn_of(records))


@dataclass(frozen=True)
class TooMuchGain(Subsampled):
    """Claims gamma epsilon, which is less than log(1 + gamma (e^epsilon - 1))."""

    @property
    def claim(self) -> PureDP:
        return PureDP(self.drawn_of(self.records or 1) / (self.records or 1) * math.log(3))


@dataclass(frozen=True)
class SquaredRate(Subsampled):
    """Claims the gain of two draws."""

    def claim_for(self, records: int) -> Any:
        return subsampled_claim(self.learner.claim, Fraction(self.drawn_of(records), records) ** 2)


@dataclass(frozen=True)
class Overlapping(Partitioned):
    """The parts share a record."""

    def cut(self, rows: Any) -> Any:
        rows = np.asarray(rows, dtype=np.intp)
        return [rows[: len(rows) // 2 + 1], rows[len(rows) // 2 :]]


@dataclass(frozen=True)
class OneCopyOnly(Resampled):
    """Claims that a record is drawn at most once."""

    def claim_for(self, records: int) -> Any:
        return subsampled_claim(self.learner.claim, Fraction(self.size, records))


@dataclass(frozen=True)
class OneStep(Replicated):
    """Claims for k copies what is claimed for one."""

    @property
    def claim(self) -> Any:
        return self.learner.claim


BROKEN = {
    "with replacement": (WithReplacement(Counting(), size=3, records=4), 4),
    "epsilon times gamma": (TooMuchGain(Response(), size=1, records=2), 2),
    "gamma squared": (SquaredRate(Response(), size=1, records=2), 2),
    "overlapping parts": (Overlapping(Response(), parts=2, split="in order", records=2), 2),
    "one copy only": (OneCopyOnly(Counting(), size=3, records=4), 4),
    "copies at distance 1": (OneStep(Counting(), copies=3), 1),
}


@pytest.mark.turns(4)
@pytest.mark.parametrize("name", BROKEN)
def test_the_broken_ones_are_found_by_their_laws(name: str) -> None:
    learner, records = BROKEN[name]
    verdict = dpcheck.audit(learner, neighbours=relation(records), seed=1, isolation="none")
    assert verdict.status is Status.VIOLATED, str(verdict)


@pytest.mark.turns(4)
@pytest.mark.parametrize("name", ["gamma squared", "overlapping parts"])
def test_the_broken_ones_are_found_by_calls(name: str, seed: int) -> None:
    learner, records = BROKEN[name]
    pairs = [([0] * records, [0] * (records - 1) + [1])]  # of overlapping parts both hold the last record
    verdict = dpcheck.audit(by_calls(learner), pairs=pairs, seed=seed, max_seconds=math.inf, isolation="none")
    assert verdict.status is Status.VIOLATED, str(verdict)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Subsampled(3, size=1), "learner must be a callable"),
        (lambda: Subsampled(Parrot()), "size or fraction must be given, and not both"),
        (lambda: Subsampled(Parrot(), size=1, fraction=0.5), "size or fraction must be given, and not both"),
        (lambda: Subsampled(Parrot(), size=0), "size must be at least 1, got 0"),
        (lambda: Subsampled(Parrot(), fraction=1.5), "fraction must be a number above 0 and at most 1, got 1.5"),
        (lambda: Subsampled(Parrot(), fraction=math.nan), "fraction must be a number above 0"),
        (lambda: Subsampled(Parrot(), size=3, records=2), "size must be at most the number of records, 2, got 3"),
        (lambda: Subsampled(Parrot(), fraction=0.1).drawn_of(5), "fraction of 5 records must be at least 1 record"),
        (lambda: Subsampled(Parrot(), size=1, order="any"), "order must be 'random' or 'sorted', got 'any'"),
        (lambda: Subsampled(Parrot(), size=3)([1], np.random.default_rng()), "size must be at most the number"),
        (lambda: Resampled(Parrot(), size=0), "size must be at least 1, got 0"),
        (lambda: Resampled(Parrot(), size=1)([], np.random.default_rng()), "dataset must have a record"),
        (lambda: Partitioned(Parrot()), "learners must be one learner, with parts="),
        (lambda: Partitioned([]), "learners must be one learner, with parts="),
        (lambda: Partitioned(Parrot(), parts=0), "parts must be at least 1, got 0"),
        (lambda: Partitioned(Parrot(), parts=2, split="even"), "split must be 'random' or 'in order', got 'even'"),
        (lambda: Replicated(Parrot(), 0), "copies must be at least 1, got 0"),
        (lambda: subsampled_claim(PureDP(1.0), Fraction(3, 2)), "rate must be a Fraction from 0 to 1"),
    ],
)
def test_what_is_no_transform_is_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        make()
