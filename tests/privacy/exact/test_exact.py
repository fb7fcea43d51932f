"""Declared laws decided exactly: holds, violated, or equal to within 2^-k; nothing that doubles would get wrong.

What is decided here has no chance in it: random laws are drawn with a known answer, and every one must be right.
"""

from __future__ import annotations

import itertools
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from boundary_laws import KINDS, cases

from dpcheck import AddRemove, ApproxDP, IntegerScores, LabelsOnly, Law, PureDP, Records, ReplaceOne
from dpcheck.model.claims import exact_point
from dpcheck.model.errors import InvalidArgument, RecordCorrupt
from dpcheck.model.neighbours.enumeration import all_pairs
from dpcheck.model.verdict import ClaimRecord
from dpcheck.model.verdict.record import claim_record, recorded_claim
from dpcheck.parts.mechanisms.profile import BothWays, FiniteProfile
from dpcheck.privacy.exact.decision import (
    Decision,
    TwoLaws,
    decide,
    delta_of,
    epsilon_of,
    event_of,
    shown_probability,
)
from dpcheck.privacy.exact.declared import NotALaw, declared, float_logs, plain_output
from dpcheck.privacy.exact.float_bounds import deltas, distinct_pairs, losses, worst_epsilon
from dpcheck.privacy.exact.polynomials import sign, unit_of
from dpcheck.privacy.exact.table import table_of

#: Random mechanisms per kind of law: what the issue asks for.
MECHANISMS = 2000


def two(left: Any, right: Any) -> TwoLaws:
    return TwoLaws.of(declared(left), declared(right))


def answer(left: Any, right: Any, claim: Any) -> Decision:
    return decide(two(left, right), exact_point(claim))


# --- at the boundary


@pytest.mark.turns(6)
@pytest.mark.parametrize("kind", KINDS)
def test_a_mechanism_exactly_at_its_claim_is_never_violated(kind: str, rng: np.random.Generator) -> None:
    answers = {answer(case.left, case.right, case.claim).answer for case in cases(kind, MECHANISMS, rng)}
    # floats and balls cannot know equality; fractions and integer scores do
    assert answers == ({"equal"} if kind in ("floats", "balls") else {"holds"})


@pytest.mark.turns(4)
@pytest.mark.parametrize("kind", KINDS)
def test_a_claim_a_hair_below_the_loss_is_violated(kind: str, rng: np.random.Generator) -> None:
    assert {answer(case.left, case.right, case.smaller).answer for case in cases(kind, 500, rng)} == {"violated"}


def test_doubles_alone_would_accuse_mechanisms_at_their_claim(rng: np.random.Generator) -> None:
    """The broken version that the two tests above are there for."""
    accused = 0
    for case in cases("scores", 300, rng):
        one, other = (float_logs(declared(law))[0] for law in (case.left, case.right))
        accused += float(np.abs(one - other).max()) > case.claim.epsilon_value
    assert accused > 30


def test_balls_say_how_near_they_came(rng: np.random.Generator) -> None:
    for case in cases("balls", 20, rng):
        assert answer(case.left, case.right, case.claim).bits > 200
    for case in cases("floats", 20, rng):
        assert answer(case.left, case.right, case.claim) == Decision("equal", 40)


def test_a_float_claim_is_the_exact_double() -> None:
    left, right = {0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}
    nearest = math.log(3)  # a little above log 3
    assert answer(left, right, PureDP(nearest)).answer == "holds"
    assert answer(left, right, PureDP(math.nextafter(nearest, 0))).answer == "violated"
    assert answer(left, right, PureDP(ratio=3)).answer == "holds"
    assert answer(left, right, PureDP(ratio=Fraction(3) - Fraction(1, 10**40))).answer == "violated"


def test_a_support_that_differs_is_a_violation_of_every_pure_claim() -> None:
    for left, right in (
        ({0: Fraction(1)}, {0: Fraction(999, 1000), 1: Fraction(1, 1000)}),
        ({0: 1.0, 1: 0.0}, {0: 0.999, 1: 0.001}),
        (Law([0], exact=IntegerScores(1, [0])), Law([0, 1], exact=IntegerScores(1, [9, 0]))),
    ):
        assert answer(left, right, PureDP(500)).answer == "violated"
        assert epsilon_of(two(left, right), Fraction(0)) == math.inf
        assert answer(left, right, ApproxDP(1.0, 0.02)).answer == "holds"


def test_laws_of_different_kinds_are_compared(rng: np.random.Generator) -> None:
    from flint import arb

    forms = (
        Law([0, 1], exact=IntegerScores(2, [1, 0])),
        {0: 1 / (1 + math.exp(-1)), 1: 1 / (1 + math.exp(1))},
        {0: 1 / (1 + arb(-1).exp()), 1: 1 / (1 + arb(1).exp())},
    )
    for left, right in itertools.product(forms, ({0: Fraction(1, 2), 1: Fraction(1, 2)}, *forms)):
        loss = epsilon_of(two(left, right), Fraction(0))
        assert answer(left, right, PureDP(loss + 1e-9)).answer == "holds"
        assert loss < 1e-9 or answer(left, right, PureDP(loss - 1e-9)).answer == "violated"


def test_scores_of_two_epsilons_and_multiplicities_are_compared() -> None:
    left = Law("ab", exact=IntegerScores(Fraction(1, 3), [2, 0], [1, 3]))
    right = Law("ab", exact=IntegerScores(Fraction(1, 2), [0, 2], [2, 1]))
    loss = epsilon_of(two(left, right), Fraction(0))
    weights = [math.exp(1 / 3), 3.0, 2.0, math.exp(1 / 2)]
    expected = max(
        abs(math.log(weights[i] / sum(weights[:2])) - math.log(weights[i + 2] / sum(weights[2:]))) for i in (0, 1)
    )
    assert loss == pytest.approx(expected, rel=1e-14)
    assert answer(left, right, PureDP(Fraction(loss) + Fraction(1, 10**14))).answer == "holds"
    assert answer(left, right, PureDP(Fraction(loss) - Fraction(1, 10**14))).answer == "violated"


def test_claims_of_doubles_with_a_tiny_common_unit_are_decided() -> None:
    law = [Law([0, 1], exact=IntegerScores(0.1, scores)) for scores in ([1, 0], [0, 1])]
    for claim, expected in ((0.05, "holds"), (0.3, "holds"), (math.nextafter(0.05, 0), "violated")):
        assert answer(*law, PureDP(claim)).answer == expected
    third = [Law([0, 1], exact=IntegerScores(Fraction(1, 3), scores)) for scores in ([2, 0], [0, 2])]
    assert answer(*third, PureDP(Fraction(1, 3))).answer == "holds"
    assert answer(*third, PureDP(1 / 3)).answer == ("holds" if Fraction(1 / 3) > Fraction(1, 3) else "violated")


@pytest.mark.parametrize(
    ("polynomial", "unit", "expected"),
    [
        ({}, Fraction(1), 0),
        ({3: 0}, Fraction(1), 0),
        ({0: 5, 3: -5}, Fraction(0), 0),
        ({0: -(10**60) * 2, 1: 10**60}, Fraction(1), 1),
        ({0: -27182818284590452353602874713526, 1: 10**31}, Fraction(1), 1),
        ({0: -27182818284590452353602874713527, 1: 10**31}, Fraction(1), -1),
        ({-4: 1, 10**18: -1}, Fraction(1, 10**18), -1),
        ({1: 1, 0: -1}, Fraction(-1), -1),
    ],
)
def test_the_sign_of_a_polynomial_in_an_exponential(polynomial: Any, unit: Fraction, expected: int) -> None:
    assert sign(polynomial, unit) == expected


def test_units_divide_what_they_are_units_of() -> None:
    assert unit_of([]) == 0
    assert unit_of([Fraction(0), Fraction(3, 4)]) == Fraction(3, 4)
    assert unit_of([Fraction(1, 4), Fraction(5, 6)]) == Fraction(1, 12)


# --- bounds in doubles


def random_law(rng: np.random.Generator, kind: str) -> Any:
    size = 5
    if kind == "scores":
        return Law(range(size), exact=IntegerScores(Fraction(int(rng.integers(1, 400)), 100), rng.integers(0, 9, size)))
    if kind == "huge scores":
        times = [10 ** int(digits) for digits in rng.integers(0, 800, size)]
        return Law(range(size), exact=IntegerScores(Fraction(1, 7), rng.integers(-9000, 9000, size), times))
    weights = [int(weight) for weight in rng.integers(0, 10 ** int(rng.integers(1, 12)), size)]
    weights[0] += 1
    if kind == "huge fractions":
        weights = [
            weight * 10 ** int(digits) + 1 for weight, digits in zip(weights, rng.integers(0, 3000, size), strict=True)
        ]
    if "fractions" in kind:
        return {place: Fraction(weight, sum(weights)) for place, weight in enumerate(weights)}
    chances = np.array(weights, dtype=float)
    return dict(enumerate((chances / chances.sum()).tolist()))


@pytest.mark.turns(6)
@pytest.mark.parametrize("kind", ["fractions", "huge fractions", "scores", "huge scores", "floats"])
def test_doubles_are_within_their_slack(kind: str, rng: np.random.Generator) -> None:
    from flint import arb, ctx

    from dpcheck.privacy.exact.decision import probabilities

    laws = [declared(random_law(rng, kind)) for _ in range(40)]
    table = table_of(laws)
    pairs, _ = distinct_pairs(table, np.array(list(itertools.combinations(range(len(laws)), 2))))
    found, slack = losses(table, pairs, lambda done: None)
    over, over_slack = deltas(table, pairs, 0.5, lambda done: None)
    with ctx.workprec(20_000):
        for law, logs, bound in zip(table.laws, table.logs, table.slack, strict=True):
            for chance, log in zip(probabilities(law), logs, strict=True):
                assert (chance == 0) == math.isinf(log)
                assert math.isinf(log) or abs(chance.log() - arb(float(log))) <= arb(float(bound))
        for place, (a, b) in enumerate(pairs):
            both = TwoLaws.of(table.laws[a], table.laws[b])
            exact = epsilon_of(both, Fraction(0))
            assert exact == found[place] or abs(exact - found[place]) <= slack[place] + 1e-15 * exact
            point = exact_point(PureDP(0.5))
            assert abs(delta_of(both, point) - over[place]) <= over_slack[place]
    assert slack.max() < (1e-7 if "huge" in kind else 1e-11)


def test_the_worst_epsilon_at_a_delta_is_that_of_the_worst_pair(rng: np.random.Generator) -> None:
    laws = [random_law(rng, "floats") for _ in range(25)]
    table = table_of([declared(law) for law in laws])
    pairs, _ = distinct_pairs(table, np.array(list(itertools.combinations(range(25), 2))))
    for delta in (1e-6, 0.01, 0.2):
        profiles = [
            BothWays(FiniteProfile.of(a, b), FiniteProfile.of(b, a)) for a, b in itertools.combinations(laws, 2)
        ]
        expected = max(profile.epsilon(delta) for profile in profiles)
        found, place = worst_epsilon(table, pairs, delta, lambda done: None)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
        both = TwoLaws.of(table.laws[pairs[place][0]], table.laws[pairs[place][1]])
        assert epsilon_of(both, Fraction(delta)) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_equal_laws_are_one_and_no_pair() -> None:
    table = table_of([declared({0: 0.5, 1: 0.5}), None, declared({0: 0.5, 1: 0.5}), declared({1: 1.0})])
    assert len(table.laws) == 2
    assert table.of.tolist() == [0, -1, 0, 1]
    pairs, first = distinct_pairs(table, np.array([[0, 2], [0, 3], [3, 2]]))
    assert pairs.tolist() == [[0, 1]]
    assert first.tolist() == [1]
    assert table.probability_log(3, 1) == 0.0
    assert table.probability_log(3, "other") == -math.inf


# --- what is shown


def test_the_event_shown_is_the_one_that_shows_the_loss() -> None:
    both = two(
        {"a": Fraction(1, 2), "b": Fraction(3, 8), "c": Fraction(1, 8)}, {"a": Fraction(1, 4), "b": Fraction(3, 4)}
    )
    assert event_of(both, exact_point(PureDP(1.0))) == ["c"]
    assert event_of(both, exact_point(ApproxDP(ratio=Fraction(3, 2), delta=0.01))) == ["a", "c"]
    assert shown_probability(both.left, ["a", "c"]) == "5/8"
    assert shown_probability(both.right, ["a", "c"]) == "1/4"
    long = declared({0: Fraction(10**30 + 1, 10**31), 1: Fraction(9 * 10**30 - 1, 10**31)})
    assert shown_probability(long, [0]) == "0.100000"


# --- what is a law


NO_LAWS: dict[str, tuple[Any, str]] = {
    "no mapping": ([0.5, 0.5], "must return a mapping output -> probability or a Law, and returned list"),
    "None": (None, "and returned NoneType"),
    "empty": ({}, "gives no output"),
    "sum": ({0: 0.5, 1: 0.4}, "sum to 0.9, not to 1"),
    "sum of fractions": ({0: Fraction(1, 2), 1: Fraction(1, 3)}, r"sum to 5/6 \(0.833333333333\), not to 1"),
    "negative": ({0: 1.5, 1: -0.5}, "gives output 1 the probability -0.5"),
    "negative fraction": ({0: Fraction(3, 2), 1: Fraction(-1, 2)}, "gives output 1 the negative probability -1/2"),
    "nan": ({0: math.nan, 1: 1.0}, "gives output 0 the probability nan"),
    "infinite": ({0: math.inf, 1: 0.0}, "gives output 0 the probability inf"),
    "text": ({0: "1/2", 1: "1/2"}, "gives output 0 a probability of type str"),
    "bool": ({0: True}, "gives output 0 a probability of type bool"),
    "decimal": ({0: Decimal(1)}, "a probability of type Decimal"),
    "twice": (Law([[1], [1]], exact=[Fraction(1, 2)] * 2), r"gives output \(1,\) twice"),
    "lengths": (Law([0, 1], exact=[Fraction(1)]), "gives 2 outputs, and probabilities of shape"),
    "scores' length": (Law([0, 1], exact=IntegerScores(1, [1])), "gives 2 outputs, and scores of shape"),
    "logs' length": (Law([0, 1], [0.0]), "gives 2 outputs, and log-probabilities of shape"),
    "logs' nan": (Law([0, 1], [0.0, math.nan]), "gives output 1 the log-probability nan"),
    "logs' sum": (Law([0, 1], [0.0, 0.0]), "sum to 2, not to 1"),
    "logs beside another law": (
        Law([0, 1], np.log([0.5, 0.5]), [Fraction(1, 4), Fraction(3, 4)]),
        "up to 0.693 nats away from its exact form",
    ),
    "floats as exact": (Law([0], exact=[1.0]), "gives floats as its exact form"),
    "a number as exact": (Law([0], exact=1), "exact form that is no sequence"),
}


@pytest.mark.parametrize("case", NO_LAWS)
def test_what_is_no_law_is_refused_in_words(case: str) -> None:
    given, message = NO_LAWS[case]
    with pytest.raises(NotALaw, match=message) as caught:
        declared(given)
    assert "\n" not in str(caught.value)


def test_balls_that_are_no_law_are_refused() -> None:
    from flint import arb

    for values, message in (
        ([arb(1), arb(-1)], "negative probability"),
        ([arb("0.5"), arb("0.4")], "does not hold 1"),
        ([arb("nan"), arb(1)], "the probability nan"),
    ):
        with pytest.raises(NotALaw, match=message):
            declared(dict(enumerate(values)))
    assert declared({0: arb(1) / 3, 1: Fraction(2, 3)}).kind == "balls"


def test_numbers_of_every_kind_are_probabilities() -> None:
    from flint import fmpq

    assert declared({0: 1}).kind == "fractions"
    assert declared({0: np.int64(1), 1: 0}).numerators == (1, 0)
    assert declared({0: fmpq(1, 3), 1: fmpq(2, 3)}).numerators == (1, 2)
    assert declared({0: np.float64(0.5), 1: np.float32(0.5)}).kind == "floats"
    assert declared({0: 0.5, 1: Fraction(1, 2)}).kind == "floats"
    assert declared(Law([0, 1], [0.0, -math.inf])).kind == "floats"
    assert declared(Law([0, 1], np.log([0.5, 0.5]), [Fraction(1, 2)] * 2)).kind == "fractions"


def test_outputs_of_every_kind_can_be_looked_up() -> None:
    assert plain_output(np.float64(1.5)) == 1.5
    assert plain_output(np.array([[1, 2], [3, 4]])) == ((1, 2), (3, 4))
    assert plain_output([1, [2, 3]]) == (1, (2, 3))
    assert plain_output(float("nan")) == plain_output(np.float64("nan"))
    assert plain_output({"a": 1}) == plain_output({"a": 1}) != plain_output({"a": 2})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Law([0]), "must have log_probabilities or an exact form, got neither"),
        (lambda: Law([0], [0.0], error=-1), "error must be a number of nats of at least 0, got -1"),
        (lambda: IntegerScores(math.nan, [1]), "epsilon must be a finite float or Fraction, got nan"),
        (lambda: IntegerScores("1 x", [1]), "epsilon must be a finite float or Fraction"),
        (lambda: IntegerScores(1, [0.5]), r"scores must be a sequence of integers, got \[0.5\]"),
        (lambda: IntegerScores(1, []), "scores must be a sequence of integers|multiplicities must be"),
        (lambda: IntegerScores(1, [1, 2], [1]), "one per score"),
        (lambda: IntegerScores(1, [1], [0]), "integers of at least 1"),
        (lambda: PureDP(1.0, ratio=3), "epsilon or ratio must be given, and not both"),
        (lambda: PureDP(ratio=Fraction(1, 2)), "ratio must be exp"),
        (lambda: PureDP(ratio=2.5), "ratio must be exp"),
        (lambda: ApproxDP(ratio=True, delta=0.1), "ratio must be exp"),
    ],
)
def test_laws_and_claims_that_cannot_be_are_refused_in_one_line(make: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


# --- claims


def test_claims_keep_how_they_were_stated() -> None:
    stated = (
        PureDP(1.0),
        PureDP(Fraction(1, 3)),
        PureDP(ratio=3),
        ApproxDP(Fraction(1, 3), Fraction(1, 7)),
        ApproxDP(ratio=Fraction(5, 2), delta=Fraction(1, 10**400)),
    )
    for claim in stated:
        assert exact_point(recorded_claim(claim_record(claim))) == exact_point(claim)
    assert str(stated[2]) == "log(3)-DP"
    assert repr(stated[3]) == "ApproxDP(epsilon=Fraction(1, 3), delta=Fraction(1, 7))"
    assert exact_point(PureDP(Fraction(1, 2))) == exact_point(PureDP(0.5))
    with pytest.raises(RecordCorrupt, match="fraction of a record"):
        recorded_claim(ClaimRecord("pure", 1.0, 0.0, ratio="three"))


# --- all pairs of a domain


def neighbours_by_hand(relation: Any, kinds: list[int], sizes: list[int], blind: bool) -> set[frozenset[Any]]:
    shaped = (lambda d: tuple(sorted(d))) if blind else tuple
    found = set()
    smallest = min(sizes) - (relation is AddRemove)
    every = [d for size in range(smallest, max(sizes) + 1) for d in itertools.product(kinds, repeat=size)]
    for dataset in every:
        if len(dataset) not in sizes:
            continue
        for place in range(len(dataset)):
            rest = dataset[:place] + dataset[place + 1 :]
            others = [rest] if relation is AddRemove else [(*dataset[:place], k, *dataset[place + 1 :]) for k in kinds]
            found |= {frozenset((shaped(dataset), shaped(other))) for other in others}
    return {pair for pair in found if len(pair) == 2}


@pytest.mark.parametrize("blind", [False, True])
@pytest.mark.parametrize("relation", [ReplaceOne, AddRemove])
@pytest.mark.parametrize(("kinds", "sizes"), [(3, range(1, 4)), (2, range(4, 5)), (1, range(1, 3)), (4, range(2, 3))])
def test_every_pair_of_neighbours_is_there_once(relation: Any, blind: bool, kinds: int, sizes: range) -> None:
    records = list(range(kinds))
    expected = neighbours_by_hand(relation, records, list(sizes), blind)
    if not expected:
        with pytest.raises(InvalidArgument, match="must have at least one pair"):
            all_pairs(relation(records=records, size=sizes), order_blind=blind)
        return
    found = all_pairs(relation(records=records, size=sizes), order_blind=blind)
    datasets = found.datasets()
    listed = [frozenset((tuple(datasets[a]), tuple(datasets[b]))) for a, b in found.pairs]
    assert len(listed) == len(set(listed))
    assert set(listed) == expected
    for place in range(len(listed)):
        pair = found.pair(place)
        assert frozenset((tuple(pair.left), tuple(pair.right))) == listed[place]
        if not blind:
            assert relation(records=records).distance_problem(pair.left, pair.right) is None


def test_labels_alone_change_under_labels_only() -> None:
    relation = LabelsOnly(records=Records.labelled(features=[0, 1], labels=["a", "b", "c"]), size=2)
    found = all_pairs(relation)
    assert (found.size, len(found.pairs)) == (36, 72)
    for place in range(72):
        pair = found.pair(place)
        assert relation.distance_problem(pair.left, pair.right) is None
    assert found.pair(5).change == "one record (1, 'b') replaced by (1, 'c')"
    blind = all_pairs(relation, order_blind=True)
    assert (blind.size, len(blind.pairs)) == (21, 36)


@pytest.mark.parametrize(
    ("relation", "message"),
    [
        (ReplaceOne(size=3), "records must be declared and finite for exhaustive, got none"),
        (ReplaceOne(records=(0, 3), size=3), "records must be finite for exhaustive, got 0 to 3: .*range"),
        (ReplaceOne(records=[0, 1]), "size must be declared for exhaustive"),
        (LabelsOnly(records=[0, 1], size=2), "records must be finite for exhaustive, got a part not declared"),
        (ReplaceOne(records=range(16), size=5), "got 39,321,600 pairs of 1,048,576 datasets.*order_blind = True"),
        (ReplaceOne(records=[1, 1], size=5), "must have at least one pair for exhaustive, got 1 kinds"),
    ],
)
def test_a_domain_that_cannot_be_enumerated_is_refused_in_one_line(relation: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        all_pairs(relation)
    assert "\n" not in str(caught.value)


def test_group_privacy_of_an_exact_claim_is_exact() -> None:
    assert PureDP(ratio=3).at_distance(2).ratio == 9
    assert PureDP(Fraction(1, 3)).at_distance(3) == PureDP(1.0)
    far = ApproxDP(delta=Fraction(1, 100), ratio=3).at_distance(2)
    assert (far.ratio, far.delta_fraction) == (9, Fraction(1, 25))


def test_answers_that_are_equal_but_of_another_type_are_different_outputs() -> None:
    one, true, decimal = (declared({output: Fraction(1)}).outputs for output in (1, True, 1.0))
    assert len({one, true, decimal}) == 3
    assert [repr(output) for output in (*one, *true, *decimal)] == ["1", "True", "1.0"]


def test_datasets_too_long_to_be_numbered_are_refused() -> None:
    with pytest.raises(
        InvalidArgument, match="exhaustive can number datasets of up to 62 records of 2 kinds, got size 64"
    ):
        all_pairs(ReplaceOne(records=[0, 1], size=64), order_blind=True)
