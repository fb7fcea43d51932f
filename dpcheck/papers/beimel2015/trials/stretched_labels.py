"""How many points few labels can label, and the exponential mechanism that chooses the labelling."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.model.neighbours.enumeration import all_pairs
from dpcheck.papers.beimel2015.learners import ExponentialLearner, LabelBoostProcedure
from dpcheck.papers.beimel2015.learners.label_count import NoisyLabelCount
from dpcheck.papers.beimel2015.trials.laws import (
    as_ball,
    largest_over_pairs,
    nats,
    precisely,
)
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, result
from dpcheck.parts.classes import FiniteClass, GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Chart, Mark, Measurement, Outcome, Series, Table

#: Weights in doubles are as near to the truth; the largest ratio is computed again in balls.
_ROUNDING = 1e-9
#: A database of the enumeration: entries of S, points of T.
_Database = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]


def most_stretched(accuracy: Fraction, failure: Fraction, labelled: int, dimension: int) -> int:
    """The most points that clm-4.2 lets so many labels label: its bound on #T, rounded down; negative where none.

    >>> most_stretched(Fraction(1, 2), Fraction(1, 4), 1, 11)
    0
    """
    bound = ball(failure * dimension) * (ball(accuracy * labelled / (2 * dimension)) - 1).exp() - labelled
    return int(bound.floor().unique_fmpz())


def failure_of_counts(times: Mapping[int, int], allowed: Fraction) -> Any:
    """The probability of more mistakes than allowed, ``times`` candidates for each number of mistakes; in a ball.

    >>> float(failure_of_counts({0: 1, 1: 1}, Fraction(0))) < 0.378
    True
    """
    weight = {j: many * ball(Fraction(-j, 2)).exp() for j, many in times.items() if many}
    wrong = sum((each for j, each in weight.items() if j > allowed), ball(0))
    return wrong / sum(weight.values(), ball(0))


def threshold_counts(labelled: int, stretched: int, accuracy: Fraction) -> dict[int, int]:
    """Dichotomies of thresholds by mistakes, the target at one end, all of T where one mistake is too many."""
    times = dict.fromkeys(range(labelled + 1), 1)
    times[min(labelled, math.floor(accuracy * labelled) + 1)] += stretched
    return times


def interval_counts(labelled: int, stretched: int, accuracy: Fraction) -> dict[int, int]:
    """The same of intervals, the target empty, all of T in the middle of S.

    >>> sum(interval_counts(4, 3, Fraction(1, 4)).values()) == 1 + 7 * 8 // 2
    True
    """
    gap = labelled // 2
    times = {0: 1 + stretched * (stretched + 1) // 2}
    for j in range(1, labelled + 1):
        times[j] = labelled - j + 1 + stretched * ((gap + j <= labelled) + (gap - j >= 0))
    return times


def shattered_counts(labelled: int, dimension: int) -> dict[int, int]:
    """The same of all functions on so many points, S as evenly on them as can be."""
    times = {0: 1}
    for point in range(dimension):
        copies = labelled // dimension + (point < labelled % dimension)
        moved: dict[int, int] = {}
        for j, many in times.items():
            moved[j] = moved.get(j, 0) + many
            moved[j + copies] = moved.get(j + copies, 0) + many
        times = moved
    return times


@precisely
def stretching(seed: int, quick: bool) -> Measurement:
    """Headline claim 4: how many points few labels can label, and how often that goes wrong."""
    accuracies = (Fraction(1, 5), Fraction(1, 2))
    failures = (Fraction(1, 10),) if quick else (Fraction(1, 100), Fraction(1, 10), Fraction(1, 4))
    kinds: tuple[tuple[str, int, Any], ...] = (
        ("thresholds", 1, threshold_counts),
        ("intervals", 2, interval_counts),
        ("all functions on 4 points", 4, lambda s, t, a: shattered_counts(s, 4)),
    )
    checked, worst, held = 0, (0.0, ""), []
    for (name, dimension, counts), accuracy, failure in product(kinds, accuracies, failures):
        least = math.ceil(2 * dimension * (1 + math.log(1 / failure)) / accuracy)
        for labelled in range(max(1, least - 5), least + (60 if quick else 200), 3):
            stretched = most_stretched(accuracy, failure, labelled, dimension)
            if stretched < 0 or labelled + stretched < dimension:
                continue
            stretched = min(stretched, 10**18)
            wrong = failure_of_counts(counts(labelled, stretched, accuracy), accuracy * labelled)
            held.append(below(wrong, ball(failure)))
            checked += 1
            part = float(wrong) / float(failure)
            if part > worst[0]:
                worst = (
                    part,
                    f"{name}, alpha = {float(accuracy):g}, beta = {float(failure):g}, #S = {labelled}, #T = "
                    f"{stretched}",
                )
    curves, sizes = [], list(range(5, 400, 5))
    for colour, (name, dimension, _) in enumerate(kinds):
        reach = [(s, most_stretched(Fraction(1, 5), Fraction(1, 10), s, dimension)) for s in sizes]
        reach = [(s, t) for s, t in reach if t > 0]
        curves.append(
            Series(
                f"V = {dimension} ({name})",
                "bound",
                colour,
                tuple(float(s) for s, _ in reach),
                tuple(float(t) for _, t in reach),
            )
        )
    exact = []
    for colour, failure in enumerate((Fraction(1, 10),)):
        xs = [s for s in sizes if most_stretched(Fraction(1, 5), failure, s, 1) > 0]
        wrong = [
            float(
                failure_of_counts(
                    threshold_counts(s, most_stretched(Fraction(1, 5), failure, s, 1), Fraction(1, 5)), Fraction(s, 5)
                )
            )
            for s in xs
        ]
        exact.append(
            Series("thresholds, T at its longest, exact", "exact", colour, tuple(map(float, xs)), tuple(wrong))
        )
    return Measurement(
        "stretching",
        "Few labels label exponentially many points",
        (result("clm-4.2"), result("obs-4.7")),
        "S labelled by a concept, T as long as clm-4.2 allows and placed where it hurts (where one mistake more is one "
        "too many): the probability that the chosen labelling errs on more than alpha of S, in balls, for thresholds, "
        "intervals and a shattered set, at every third #S from where the claim begins.",
        f"With 200 labels at alpha = 0.2, beta = 0.1 thresholds may label "
        f"{most_stretched(Fraction(1, 5), Fraction(1, 10), 200, 1):,} points, a class of dimension 4 "
        f"{max(0, most_stretched(Fraction(1, 5), Fraction(1, 10), 200, 4)):,}. Over {checked} settings the failure "
        f"is at most {worst[0]:.3g} of the beta claimed ({worst[1]}).",
        EXACT,
        (
            Chart(
                "stretch",
                "The longest T of clm-4.2, alpha = 0.2, beta = 0.1",
                "labelled entries #S",
                "#T",
                tuple(curves),
                x_log=False,
                y_log=True,
                alt="Straight lines on a logarithmic axis: steeper for smaller dimensions.",
            ),
            Chart(
                "stretch-failure",
                "Failure at the longest T, alpha = 0.2, beta = 0.1",
                "labelled entries #S",
                "probability of too many mistakes",
                tuple(exact),
                (Mark("claimed beta = 0.1", y=0.1, colour=1),),
                x_log=False,
                y_log=True,
                alt="The exact failure stays below the claimed 0.1.",
            ),
        ),
        (),
        (
            decided(
                "clm-4.2",
                "as repaired, for #S + #T at least VC: the labelling errs on more than alpha of S with "
                "probability at most beta",
                None if None in held else all(held),
                f"{checked} settings of three classes, T at its longest; largest share of beta {worst[0]:.3g}",
                kind="upper bound",
            ),
            _stretching_as_printed(),
            _observation_as_printed(),
        ),
    )


def _stretching_as_printed() -> Outcome:
    """clm-4.2 for all S, T, C: one label for all functions on eleven points."""
    family = FiniteClass(list(product((0, 1), repeat=11)))
    learner = LabelBoostProcedure(NoisyLabelCount(1), family, 0)
    accuracy, failure = Fraction(1, 2), Fraction(1, 4)
    allowed = most_stretched(accuracy, failure, 1, 11)
    candidates, choice = learner.choice([(0, 1)])
    correct = choice.scores.tolist()
    wrong = failure_of_counts({1 - score: correct.count(score) for score in set(correct)}, accuracy)
    true = below(wrong, ball(failure))
    return decided(
        "clm-4.2",
        "as printed, all functions on 11 points, one label, alpha = 1/2, beta = 1/4",
        None if allowed < 0 else true,
        f"#T may be {allowed}; of {len(candidates)} labellings the wrong one is chosen with probability "
        f"{float(wrong):.4f}",
        kind="upper bound",
        expected="clm-4.2: Sauer's lemma in this form needs more points than the VC dimension",
    )


def _observation_as_printed() -> Outcome:
    """obs-4.7 with few labels and a huge dimension."""
    wrong = 1 / (1 + ball(Fraction(1, 2)).exp())
    right = (1 - wrong) ** 10
    return decided(
        "obs-4.7",
        "as printed, nothing being asked of #S: sets of at most 160000 integers, m = 1000, n = 4, alpha = beta = 1/2, "
        "first iteration",
        below(1 - ball(Fraction(1, 16)), right),
        f"no mistake on the 10 entries kept has probability {float(right):.4f}, and 1 - 1/16 is claimed of at most "
        "1/40 of mistakes",
        kind="upper bound",
        expected="obs-4.7: clm-4.2 wants #S + #T at least VC",
    )


@precisely
def exponential_choice(seed: int, quick: bool) -> Measurement:
    """prop-A.1: privacy and utility of the exponential mechanism, exactly on all small databases."""
    rows, tails_held, losses_held = [], [], []
    for points, size, epsilon in ((2, 3, Fraction(1)), (4, 3, Fraction(1, 2)), (3, 4, Fraction(2)))[
        : 2 if quick else 3
    ]:
        grid = GridThresholds(points, "down")
        learner = ExponentialLearner(grid, epsilon)
        records = Records.labelled(features=list(range(points)), labels=[0, 1])
        relation = ReplaceOne(records, size)
        found, pairs = largest_over_pairs(learner.distribution, relation, learner)
        losses_held.append(below(as_ball(found), ball(epsilon).exp()))
        largest_part = 0.0
        datasets = all_pairs(relation, order_blind=True).datasets()
        for dataset in datasets:
            _, choice = learner.choice(dataset)
            scores = choice.scores.tolist()
            best = max(scores)
            weight = [ball(epsilon * (score - best) / 2).exp() for score in scores]
            total = sum(weight, ball(0))
            for j in range(1, size + 1):
                tail = sum((w for w, score in zip(weight, scores, strict=True) if best - score >= j), ball(0)) / total
                bound = len(scores) * ball(-epsilon * j / 2).exp()
                tails_held.append(below(tail, bound))
                largest_part = max(largest_part, float(tail / bound))
        rows.append(
            (
                f"THRESH on {points} points",
                str(size),
                f"{float(epsilon):g}",
                str(pairs),
                f"{nats(found):.4f}",
                str(len(datasets)),
                f"{largest_part:.3f}",
            )
        )
    return Measurement(
        "exponential-choice",
        "The exponential mechanism keeps its epsilon and its tail bound",
        (result("prop-A.1"),),
        "Every database of a few records over small classes of thresholds: the largest loss over all neighbouring "
        "pairs, "
        "and the probability of j mistakes more than the fewest against #H exp(-epsilon j/2), which is the worst "
        "Delta.",
        "The losses are "
        + ", ".join(f"{row[4]} at epsilon = {row[2]}" for row in rows)
        + f"; tails are at most {max(float(row[6]) for row in rows):.3g} of their bounds.",
        EXACT,
        (),
        (
            Table(
                "Exponential mechanism on all small databases",
                ("class", "records", "epsilon", "pairs", "loss", "databases", "tail / bound, largest"),
                tuple(rows),
            ),
        ),
        (
            decided(
                "prop-A.1",
                "(i) epsilon-DP",
                None if None in losses_held else all(losses_held),
                f"largest losses {', '.join(row[4] for row in rows)} at epsilon {', '.join(row[2] for row in rows)}",
                kind="privacy",
                learner="beimel2015.exponential",
            ),
            decided(
                "prop-A.1",
                "(ii) an error above the best by Delta has probability at most #H exp(-epsilon Delta m/2)",
                None if None in tails_held else all(tails_held),
                f"{len(tails_held):,} tails, in balls",
            ),
        ),
    )
