"""Learners made of learners keep the claims that are computed for them: every tiny learner, every pair, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck import ApproxDP, PureDP, ReplaceOne
from dpcheck.model.claims import exact_point
from dpcheck.model.law import Law
from dpcheck.parts.mechanisms.group import Replicated
from dpcheck.parts.mechanisms.mixtures import mixture, product_law
from dpcheck.parts.mechanisms.parallel import Partitioned
from dpcheck.parts.mechanisms.resampling import Resampled
from dpcheck.parts.mechanisms.subsampling import Subsampled
from dpcheck.privacy.exact.decision import TwoLaws, decide
from dpcheck.privacy.exact.declared import declared

QUICK = settings(max_examples=25, deadline=None)
#: Records in a learner's own dataset, and the outputs it has.
SAMPLE, OUTPUTS = 2, 3


def pairs(size: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    every = list(product([0, 1], repeat=size))
    return [(a, b) for a in every for b in every if sum(x != y for x, y in zip(a, b, strict=True)) == 1 and a < b]


@dataclass(frozen=True)
class Tabled:
    """A learner whose law on each dataset of ``size`` bits is any, and that claims exactly what it keeps."""

    weights: tuple[tuple[int, ...], ...]
    delta: Fraction | None
    size: int
    order_blind: bool
    neighbours: Any = ReplaceOne()  # noqa: RUF009

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        bits = sorted(dataset) if self.order_blind else list(dataset)
        row = self.weights[int("".join(map(str, bits)), 2)]
        return {output: Fraction(weight, sum(row)) for output, weight in enumerate(row)}

    def __call__(self, dataset: Any, rng: Any) -> int:
        raise AssertionError("only its law is asked for")

    @property
    def claim(self) -> Any:
        laws = [(self.distribution(a), self.distribution(b)) for a, b in pairs(self.size)]
        both = [*laws, *((b, a) for a, b in laws)]
        if self.delta is None:
            return PureDP(ratio=max(p[o] / q[o] for p, q in both for o in p))
        # at half the ratio: what is left over is delta
        ratio = 1 + (max(p[o] / q[o] for p, q in both for o in p) - 1) / 2
        return ApproxDP(ratio=ratio, delta=max(sum(max(p[o] - ratio * q[o], 0) for o in p) for p, q in both))


def learners(size: int) -> Any:
    rows = st.lists(st.tuples(*[st.integers(1, 9)] * OUTPUTS), min_size=2**size, max_size=2**size)
    return st.builds(
        Tabled,
        weights=rows.map(tuple),
        delta=st.sampled_from([None, Fraction(1)]),
        size=st.just(size),
        order_blind=st.booleans(),
    )


def keeps_its_claim(learner: Any, size: int) -> None:
    claim = exact_point(learner.claim)
    for a, b in pairs(size):
        laws = TwoLaws.of(*(declared(learner.distribution(list(side))) for side in (a, b)))
        assert decide(laws, claim).answer == "holds", (a, b)


@given(learner=learners(SAMPLE), records=st.integers(SAMPLE, 4), order=st.sampled_from(["random", "sorted"]))
@QUICK
def test_subsampling(learner, records, order):
    """Exact, so it has no level."""
    keeps_its_claim(Subsampled(learner, size=SAMPLE, order=order, records=records), records)


@given(learner=learners(SAMPLE), records=st.integers(1, 4))
@QUICK
def test_resampling(learner, records):
    """Exact, so it has no level."""
    keeps_its_claim(Resampled(learner, size=SAMPLE, records=records), records)


@given(first=learners(SAMPLE), second=learners(1), split=st.sampled_from(["random", "in order"]))
@QUICK
def test_parallel_composition(first, second, split):
    """Exact, so it has no level."""
    keeps_its_claim(Partitioned([first, second], split=split, records=SAMPLE + 1), SAMPLE + 1)


@given(learner=learners(4), copies=st.sampled_from([2, 4]))
@QUICK
def test_group_privacy(learner, copies):
    """Exact, so it has no level."""
    keeps_its_claim(Replicated(learner, copies), 4 // copies)


@given(data=st.data(), number=st.integers(1, 4))
@QUICK
def test_mixtures_and_products_are_what_their_definitions_say(data, number):
    """Exact, so it has no level."""
    tables = data.draw(st.lists(st.tuples(*[st.integers(0, 5)] * OUTPUTS), min_size=number, max_size=number))
    tables = [tuple(weight + (not any(table)) for weight in table) for table in tables]
    laws = [{o: Fraction(w, sum(table)) for o, w in enumerate(table)} for table in tables]
    parts = data.draw(st.lists(st.integers(1, 5), min_size=number, max_size=number))
    weights = [Fraction(part, sum(parts)) for part in parts]
    mixed, together = mixture(weights, laws), product_law(laws)
    assert isinstance(mixed, Law)
    for output, chance in zip(mixed.outputs, mixed.exact, strict=True):
        assert chance == sum(weight * law[output] for weight, law in zip(weights, laws, strict=True))
    assert sum(together.exact) == sum(mixed.exact) == 1
    for output, chance in zip(together.outputs, together.exact, strict=True):
        expected = Fraction(1)
        for place, law in zip(output, laws, strict=True):
            expected *= law[place]
        assert chance == expected
