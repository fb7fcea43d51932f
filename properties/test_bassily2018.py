"""What bassily2018:alg-1 and alg-2 output and keep, on arbitrary small vote tables: exact laws, no sampling."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.papers.bassily2018.learners import Scales, answering_delta, answers_law, leading_label, printed_distance
from dpcheck.papers.bassily2018.learners.rounds import pattern_law
from dpcheck.papers.bassily2018.learners.stability import StableRelease
from dpcheck.papers.bassily2018.learners.votes import as_distance
from dpcheck.papers.bassily2018.trials.vote_laws import Mechanism, exact_delta, laws, patterns, worst_delta
from dpcheck.parts.mechanisms.quadrature import laplace_expectation_rule

#: Quadrature with some hundred points between kinks, of chances of at most 1.
CLOSE = 1e-11
HALVES = st.integers(-6, 24).map(lambda value: value / 2)
SCALES = st.builds(
    Scales,
    threshold=HALVES,
    threshold_scale=st.sampled_from([0.25, 0.5, 1.0, 3.0]),
    query_scale=st.sampled_from([0.5, 1.0, 2.0, 5.0]),
    cutoff=st.integers(1, 3),
)
GUARDS = st.sampled_from(["printed", "strict"])


@st.composite
def vote_tables(draw: Any, queries: int = 4) -> tuple[Any, Any, int]:
    """Counts of two or three labels on some queries, before and after one model has been replaced; and k."""
    classes = draw(st.integers(2, 3))
    models = draw(st.integers(1, 7))
    m = draw(st.integers(1, queries))
    votes = np.array(draw(st.lists(st.lists(st.integers(0, classes - 1), min_size=m, max_size=m), min_size=models,
                                   max_size=models)))  # fmt: skip
    other = votes.copy()
    other[0] = draw(st.lists(st.integers(0, classes - 1), min_size=m, max_size=m))
    counts = [np.stack([(each == label).sum(axis=0) for label in range(classes)], axis=1) for each in (votes, other)]
    return counts[0], counts[1], models


def classes_of(counts: Any) -> range:
    """The labels of a table."""
    return range(counts.shape[1])


def law_of(counts: Any, scales: Scales, guard: Any, distance: str = "printed") -> Any:
    """The declared law."""
    return answers_law(counts, scales, guard, classes=classes_of(counts), distance=distance)


def by_integration(distances: list[float], scales: Scales, rounds: int, output: tuple[int, ...]) -> float:
    """The chance of one pattern, round by round, each an integral over the threshold's noise (alg-2 as it reads)."""
    noise, weights = laplace_expectation_rule(
        scales.threshold_scale, [each - scales.threshold for each in distances], scales.query_scale
    )

    def answered(distance: float) -> Any:
        behind = scales.threshold + noise - distance  # what a query's noise must exceed
        tail = np.exp(-np.abs(behind) / scales.query_scale) / 2
        return np.where(behind > 0, tail, 1 - tail)

    chance, left, inside = 1.0, rounds, weights
    for state, distance in zip(output, distances, strict=True):
        if (left == 0) != (state == -1):
            return 0.0
        if left == 0:
            continue
        yes = answered(distance)
        inside = inside * (yes if state == 1 else 1 - yes)
        if state == 0:
            chance, left, inside = chance * float(inside.sum()), left - 1, weights
    return chance * float(inside.sum()) if left else chance


@pytest.mark.turns(4)
@given(st.lists(HALVES, min_size=1, max_size=4), SCALES, GUARDS)
@settings(deadline=None, max_examples=30)
def test_the_law_is_that_of_the_algorithm_integrated(distances: list[float], scales: Scales, guard: Any) -> None:
    """bassily2018:alg-2, steps 5 and 8-9."""
    rounds = scales.rounds(guard)
    law = pattern_law(distances, scales, rounds)
    with ctx.workprec(192):
        total = sum(law.values(), arb(0))
        assert total.contains(1)
        assert float(total.rad()) < 1e-40
    every = {
        output: by_integration(distances, scales, rounds, output)
        for output in itertools.product((1, 0, -1), repeat=len(distances))
    }
    assert set(law) == {output for output, chance in every.items() if chance > 0}
    for output, chance in law.items():
        assert abs(float(chance.mid()) - every[output]) < CLOSE
    # and that which benchmarks/vote_tables.py goes through all tables with
    together = laws(np.array([distances]), scales, rounds)[0]
    for output, chance in zip(patterns(len(distances), rounds)[0].tolist(), together.tolist(), strict=True):
        assert abs(chance - every[tuple(output)]) < CLOSE


@given(vote_tables(), SCALES, GUARDS, st.sampled_from(["printed", "votes"]), st.floats(0, 12))
@settings(deadline=None, max_examples=30)
def test_what_is_proved_is_never_below_the_exact_delta(
    case: Any, scales: Scales, guard: Any, distance: str, epsilon: float
) -> None:
    """bassily2018:thm-3.1 with the scales at hand."""
    left, right, _ = case
    proved = answering_delta(scales, len(left), epsilon, guard=guard, distance=distance)
    one, other = law_of(left, scales, guard, distance), law_of(right, scales, guard, distance)
    for first, second in ((one, other), (other, one)):
        assert not exact_delta(first, second, epsilon) > proved


@given(vote_tables(), SCALES, GUARDS, st.data())
@settings(deadline=None, max_examples=15)
def test_models_and_classes_have_no_order_and_a_higher_threshold_answers_less(
    case: Any, scales: Scales, guard: Any, data: Any
) -> None:
    """Votes are counted; labels that change their names do so in the output; fewer first answers above w."""
    counts, _, _ = case
    order = data.draw(st.permutations(list(classes_of(counts))))
    tied = (np.sort(counts, axis=1)[:, -1] == np.sort(counts, axis=1)[:, -2]).any()
    law = dict(zip(*_outputs(law_of(counts, scales, guard)), strict=True))
    if not tied:  # ties go by the order of the classes
        renamed = answers_law(counts[:, order], scales, guard, classes=order)
        assert set(renamed.outputs) == set(law)
        assert all(chance.overlaps(law[output]) for output, chance in zip(renamed.outputs, renamed.exact, strict=True))
    higher = Scales(scales.threshold + data.draw(st.sampled_from([0.5, 2.0])), scales.threshold_scale,
                    scales.query_scale, cutoff=scales.cutoff)  # fmt: skip
    answers = [_first_answers(law_of(counts, each, guard)) for each in (scales, higher)]
    for before, after in zip(*answers, strict=True):
        assert before > after


def _outputs(law: Any) -> tuple[Any, Any]:
    return law.outputs, law.exact


def _first_answers(law: Any) -> list[Any]:
    """The chances that the first 1, 2, ... queries are all answered."""
    m = len(law.outputs[0])
    return [
        sum((p for output, p in zip(law.outputs, law.exact, strict=True) if "⊥" not in output[: far + 1]), arb(0))
        for far in range(m)
    ]


@given(vote_tables(), st.sampled_from(["printed", "votes"]))
def test_one_vote_moves_a_distance_by_what_is_said(case: Any, distance: str) -> None:
    """bassily2018:alg-2, step 7: the printed distance moves by up to 2, and is at most 1 where labels differ."""
    left, right, _ = case
    rule = as_distance(distance)
    one, other = rule.of(left), rule.of(right)
    assert np.abs(one - other).max() <= rule.sensitivity(1)
    apart = leading_label(left) != leading_label(right)
    assert max([0, *one[apart], *other[apart]]) <= rule.where_labels_differ(1)
    assert (printed_distance(left) == np.maximum(np.sort(left)[:, -1] - np.sort(left)[:, -2] - 1, 0)).all()


@given(st.integers(1, 4), st.integers(1, 3), SCALES, st.floats(0.0, 6.0))
@settings(deadline=None, max_examples=8)
def test_the_worst_table_is_the_worst_of_all_tables(models: int, queries: int, scales: Scales, epsilon: float) -> None:
    """What benchmarks/vote_tables.py reports, against all pairs of tables one by one."""
    mechanism = Mechanism(scales, models, scales.rounds("printed"))
    (found,) = worst_delta(mechanism, range(models + 1), queries, [epsilon])
    every = list(itertools.product(range(models + 1), repeat=queries))
    if len(every) > 30:
        every = every[::2]
    held = {ones: mechanism.law(ones) for ones in every}
    worst = max(
        float(exact_delta(held[one], held[other], epsilon).mid())
        for one in every
        for other in every
        if max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 1
    )
    assert worst <= found.value + CLOSE
    if len(held) == (models + 1) ** queries:
        assert math.isclose(worst, found.value, abs_tol=CLOSE)


@pytest.mark.turns(6)
@given(st.integers(0, 12), st.sampled_from([0.3, 1.0, 2.5]), st.sampled_from([1e-6, 0.01, 0.2, 1.0]))
def test_a_stab_keeps_its_claim_for_distances_that_move_by_one(far: int, epsilon: float, delta: float) -> None:
    """bassily2018:thm-2.4: from d to d + 1 with one value, and with two values where both distances are 0."""

    def learner(value: int, distance: int) -> StableRelease:
        return StableRelease(lambda data: value, lambda data: distance, epsilon, delta)

    for left, right in (((0, far), (0, far + 1)), ((0, 0), (1, 0))):
        one, other = learner(*left).distribution([]), learner(*right).distribution([])
        for first, second in ((one, other), (other, one)):
            assert not exact_delta(first, second, epsilon) > delta * (1 + 1e-12)
