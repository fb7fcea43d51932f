"""What beimel2015 proves of active learners and of sampling, on arbitrary small learners, samples and sizes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck import PureDP
from dpcheck.model.claims import exact_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import ReplaceEntry
from dpcheck.papers.beimel2015.learners import IndependentResampling, SubSampling, TranscriptWrapper, UniformSubsampling
from dpcheck.parts.active import LabelOracle
from dpcheck.parts.learners.records import partly_labelled
from dpcheck.privacy.exact.decision import TwoLaws, decide
from dpcheck.privacy.exact.declared import declared

#: What the inner learners here keep: each entry changes one bit's chances by this ratio.
RATIO = Fraction(3)
POINTS, LABELS = st.integers(0, 2), st.integers(0, 1)


@dataclass(frozen=True)
class Responses:
    """Randomised responses: for each entry a bit, whether it is one of some; as a multiset or in order."""

    told: frozenset[Any]
    order_blind: bool
    claim: ClassVar[PureDP] = PureDP(ratio=RATIO)

    @property
    def neighbours(self) -> ReplaceEntry:
        return ReplaceEntry()

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        x, y, others = partly_labelled(dataset)
        labelled = [(point, label) in self.told for point, label in zip(x, y, strict=True)]
        rest = [(point, -1) in self.told for point in others]
        if self.order_blind:
            labelled, rest = sorted(labelled), sorted(rest)
        law: dict[Any, Fraction] = {}
        right, wrong = RATIO / (1 + RATIO), 1 / (1 + RATIO)
        for bits in product((False, True), repeat=len(labelled) + len(rest)):
            chance = Fraction(1)
            for bit, truth in zip(bits, [*labelled, *rest], strict=True):
                chance *= right if bit == truth else wrong
            said: Any = bits
            if self.order_blind:
                said = sum(bits[: len(labelled)]), sum(bits[len(labelled) :])
            law[said] = law.get(said, Fraction(0)) + chance
        return law

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        law = self.distribution(dataset)
        return list(law)[rng.choice(len(law), p=[float(p) for p in law.values()])]


INNER = st.builds(
    Responses,
    st.frozensets(st.tuples(POINTS, st.sampled_from([-1, 0, 1])), min_size=1, max_size=5),
    st.booleans(),
)


@st.composite
def samples(draw: st.DrawFn, size: int) -> tuple[list[Any], list[Any]]:
    """Two labelled samples that differ in one entry."""
    left = draw(st.lists(st.tuples(POINTS, LABELS), min_size=size, max_size=size))
    row = draw(st.integers(0, size - 1))
    other = draw(st.tuples(POINTS, LABELS))
    return left, [*left[:row], other, *left[row + 1 :]]


def keeps(left: Any, right: Any, claim: Any) -> bool:
    """Whether two declared laws keep a claim, decided exactly in both directions."""
    laws = declared(left), declared(right)
    return all(decide(TwoLaws.of(*pair), exact_point(claim)).answer == "holds" for pair in (laws, laws[::-1]))


def without_labels(sample: list[Any], labelled: int) -> list[Any]:
    return [*sample[:labelled], *((x, -1) for x, _ in sample[labelled:])]


@pytest.mark.turns(4)
@settings(deadline=None)
@given(
    data=st.data(), inner=INNER, order=st.sampled_from(["random", "sorted"]), asked=st.sampled_from(["first", "random"])
)
def test_sub_sampling_keeps_its_claims(data: Any, inner: Any, order: Any, asked: Any) -> None:
    labelled, unlabelled = data.draw(st.sampled_from([(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]))
    size = labelled + unlabelled + data.draw(st.integers(0, 2))
    learner = SubSampling(inner, labelled, unlabelled, size, asked=asked, order=order)
    left, right = data.draw(samples(size))
    assert keeps(learner.distribution(left), learner.distribution(right), learner.claim)
    assert keeps(learner.law_with_transcript(left), learner.law_with_transcript(right), learner.transcript_claim)


@pytest.mark.turns(4)
@settings(deadline=None)
@given(data=st.data(), inner=INNER)
def test_subsampling_resampling_and_the_wrapper_keep_theirs(data: Any, inner: Any) -> None:
    labelled, unlabelled = data.draw(st.sampled_from([(1, 0), (1, 1), (2, 1), (1, 2)]))
    wrapper = TranscriptWrapper(inner, labelled, unlabelled)
    left, right = data.draw(samples(labelled + unlabelled))
    assert keeps(wrapper.law_with_transcript(left), wrapper.law_with_transcript(right), wrapper.claim)
    resampled = IndependentResampling(inner, labelled, unlabelled)
    pair = [resampled.distribution(without_labels(each, labelled)) for each in (left, right)]
    assert keeps(*pair, resampled.claim)
    of = labelled + data.draw(st.integers(0, 1)), unlabelled + data.draw(st.integers(0, 2))
    subsampled = UniformSubsampling(inner, labelled, unlabelled, of_labelled=of[0], of_unlabelled=of[1])
    left, right = data.draw(samples(sum(of)))
    pair = [subsampled.distribution(without_labels(each, of[0])) for each in (left, right)]
    assert keeps(*pair, subsampled.claim)


@settings(deadline=None)
@given(size=st.integers(2, 8), data=st.data())
def test_an_exchanged_index_changes_at_most_two_entries(size: int, data: Any) -> None:
    # the step of clm-5.7's proof: sets R + i and R + q, each with its m smallest labelled
    n = data.draw(st.integers(1, size - 1))
    m = data.draw(st.integers(0, n))
    rest = data.draw(st.permutations(range(size)))
    both = [sorted(rest[:n]), sorted([*rest[: n - 1], rest[n]])]
    asked = [set(each[:m]) for each in both]
    others = [set(each[m:]) for each in both]
    changed = len(asked[0] - asked[1]) + len(others[0] - others[1])
    assert changed <= 2
    assert changed == 1 or 0 < m < n
    # and each set without i arises from n sets R, each R from as many as there are other indices
    assert sum(1 for each in combinations(range(size), n) if set(rest[: n - 1]) <= set(each)) == size - n + 1


@given(
    labels=st.lists(LABELS, min_size=1, max_size=8),
    most=st.integers(0, 8),
    questions=st.lists(st.integers(-1, 8), max_size=12),
    costly=st.booleans(),
)
def test_an_oracle_counts_what_it_answers(labels: Any, most: int, questions: Any, costly: bool) -> None:
    oracle = LabelOracle(labels, most, repeats_cost=costly)
    expected: list[int] = []
    for index in questions:
        free = not costly and index in expected
        try:
            answer = oracle.ask(index)
        except InvalidArgument:
            assert not 0 <= index < len(labels) or (len(expected) >= most and not free)
        else:
            assert answer == labels[index]
            if not free:
                expected.append(index)
    assert oracle.transcript == tuple(expected)
    assert oracle.left == most - len(expected) >= 0
