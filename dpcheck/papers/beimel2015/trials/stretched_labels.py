"""How many points few labels can label, and the exponential mechanism that chooses the labelling."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.model.neighbours.enumeration import all_pairs
from dpcheck.papers.beimel2015.learners import ExponentialLearner, LabelBoostProcedure
from dpcheck.papers.beimel2015.learners.label_count import NoisyLabelCount
from dpcheck.papers.beimel2015.trials.laws import as_ball, largest_over_pairs, nats, precisely
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided
from dpcheck.parts.classes import FiniteClass, GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Line, Page, Pivot, Plot
from dpcheck.trial.relations import all_true
from dpcheck.trial.rows import Findings, Row, bound, exact, line

#: alpha and beta of what is drawn.
_ACCURACY, _FAILURE = Fraction(1, 5), Fraction(1, 10)


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


#: Classes with their VC dimension, and the candidates of each by mistakes.
_KINDS: tuple[tuple[str, int, Callable[[int, int, Fraction], Mapping[int, int]]], ...] = (
    ("thresholds", 1, threshold_counts),
    ("intervals", 2, interval_counts),
    ("all functions on 4 points", 4, lambda s, t, a: shattered_counts(s, 4)),
)


@dataclass(frozen=True)
class _Longest:
    """T at its longest at one setting: whether beta is kept, and the share of it that the failure is."""

    kept: bool | None
    share: float
    setting: str


def _at_the_longest(quick: bool) -> list[_Longest]:
    """clm-4.2 at every third #S from where it begins."""
    found = []
    failures = (_FAILURE,) if quick else (Fraction(1, 100), _FAILURE, Fraction(1, 4))
    for (name, dimension, counts), accuracy, failure in product(_KINDS, (_ACCURACY, Fraction(1, 2)), failures):
        least = math.ceil(2 * dimension * (1 + math.log(1 / failure)) / accuracy)
        for labelled in range(max(1, least - 5), least + (60 if quick else 200), 3):
            stretched = most_stretched(accuracy, failure, labelled, dimension)
            if stretched < 0 or labelled + stretched < dimension:
                continue
            stretched = min(stretched, 10**18)
            wrong = failure_of_counts(counts(labelled, stretched, accuracy), accuracy * labelled)
            setting = (
                f"{name}, alpha = {float(accuracy):g}, beta = {float(failure):g}, #S = {labelled}, #T = {stretched}"
            )
            found.append(_Longest(below(wrong, ball(failure)), float(wrong) / float(failure), setting))
    return found


def _reach() -> list[Row]:
    """The longest T against #S, and how often thresholds fail there."""
    rows: list[Row] = []
    for name, dimension, _ in _KINDS:
        reach = {s: most_stretched(_ACCURACY, _FAILURE, s, dimension) for s in range(5, 400, 5)}
        reach = {s: t for s, t in reach.items() if t > 0}
        rows += bound(f"V = {dimension} ({name})", reach.values(), **{"#S": list(reach)})
        if name == "thresholds":
            wrong = [failure_of_counts(threshold_counts(s, t, _ACCURACY), s * _ACCURACY) for s, t in reach.items()]
            rows += exact("thresholds, T at its longest, exact", wrong, labelled=list(reach))
    return rows


@precisely
def stretching(seed: int, quick: bool) -> Findings:
    """Headline claim 4: how many points few labels can label, and how often that goes wrong."""
    found = _at_the_longest(quick)
    worst = max(found, key=lambda each: each.share)
    outcomes = (
        decided(
            "clm-4.2",
            "as repaired, for #S + #T at least VC: the labelling errs on more than alpha of S with probability at "
            "most beta",
            all_true(each.kept for each in found),
            f"{len(found)} settings of three classes, T at its longest; largest share of beta {worst.share:.3g}",
            kind="upper bound",
        ),
        _stretching_as_printed(),
        _observation_as_printed(),
    )
    one, four = (max(0, most_stretched(_ACCURACY, _FAILURE, 200, dimension)) for dimension in (1, 4))
    told = (
        f"With 200 labels at alpha = 0.2, beta = 0.1 thresholds may label {one:,} points, a class of dimension 4 "
        f"{four:,}. Over {len(found)} settings the failure is at most {worst.share:.3g} of the beta claimed "
        f"({worst.setting})."
    )
    return Findings(_reach(), outcomes, told)


STRETCHING = Page(
    "Few labels label exponentially many points",
    "S labelled by a concept, T as long as clm-4.2 allows and placed where it hurts (where one mistake more is one "
    "too many): the probability that the chosen labelling errs on more than alpha of S, in balls, for thresholds, "
    "intervals and a shattered set, at every third #S from where the claim begins.",
    (
        Plot(
            "stretch",
            "The longest T of clm-4.2, alpha = 0.2, beta = 0.1",
            "#S",
            "#T",
            x_label="labelled entries #S",
            x_log=False,
            scale="log",
        ),
        Plot(
            "stretch-failure",
            "Failure at the longest T, alpha = 0.2, beta = 0.1",
            "labelled",
            "probability of too many mistakes",
            x_label="labelled entries #S",
            x_log=False,
            scale="log",
            lines=(Line("claimed beta = 0.1", y=float(_FAILURE)),),
        ),
    ),
    evidence=EXACT,
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
def exponential_choice(seed: int, quick: bool) -> Findings:
    """prop-A.1: privacy and utility of the exponential mechanism, exactly on all small databases."""
    rows: list[Row] = []
    tails_held, losses_held, losses, epsilons, parts = [], [], [], [], []
    settings = ((2, 3, Fraction(1)), (4, 3, Fraction(1, 2)), (3, 4, Fraction(2)))
    for points, size, epsilon in settings[: 2 if quick else 3]:
        learner = ExponentialLearner(GridThresholds(points, "down"), epsilon)
        relation = ReplaceOne(Records.labelled(features=list(range(points)), labels=[0, 1]), size)
        found, pairs = largest_over_pairs(learner.distribution, relation, learner)
        losses_held.append(below(as_ball(found), ball(epsilon).exp()))
        datasets = all_pairs(relation, order_blind=True).datasets()
        tails = [tail for dataset in datasets for tail in _tails(learner, dataset, size, epsilon)]
        tails_held += [below(tail, most) for tail, most in tails]
        losses.append(f"{nats(found):.4f}")
        epsilons.append(f"{float(epsilon):g}")
        parts.append(max(float(tail / most) for tail, most in tails))
        values = {"pairs": pairs, "loss": nats(found), "databases": len(datasets), "tail / bound, largest": parts[-1]}
        at = {"class": f"THRESH on {points} points", "records": size, "epsilon": float(epsilon)}
        rows += line(values, at)
    outcomes = (
        decided(
            "prop-A.1",
            "(i) epsilon-DP",
            all_true(losses_held),
            f"largest losses {', '.join(losses)} at epsilon {', '.join(epsilons)}",
            kind="privacy",
            learner="beimel2015.exponential",
        ),
        decided(
            "prop-A.1",
            "(ii) an error above the best by Delta has probability at most #H exp(-epsilon Delta m/2)",
            all_true(tails_held),
            f"{len(tails_held):,} tails, in balls",
        ),
    )
    spoken = ", ".join(f"{loss} at epsilon = {epsilon}" for loss, epsilon in zip(losses, epsilons, strict=True))
    told = f"The losses are {spoken}; tails are at most {max(parts):.3g} of their bounds."
    return Findings(rows, outcomes, told)


def _tails(learner: ExponentialLearner, dataset: Any, size: int, epsilon: Fraction) -> Iterator[tuple[Any, Any]]:
    """The probability of j mistakes more than the fewest, and its bound, for each j."""
    scores = learner.choice(dataset)[1].scores.tolist()
    best = max(scores)
    weight = [ball(epsilon * (score - best) / 2).exp() for score in scores]
    total = sum(weight, ball(0))
    for j in range(1, size + 1):
        tail = sum((w for w, score in zip(weight, scores, strict=True) if best - score >= j), ball(0)) / total
        yield tail, len(scores) * ball(-epsilon * j / 2).exp()


EXPONENTIAL_CHOICE = Page(
    "The exponential mechanism keeps its epsilon and its tail bound",
    "Every database of a few records over small classes of thresholds: the largest loss over all neighbouring pairs, "
    "and the probability of j mistakes more than the fewest against #H exp(-epsilon j/2), which is the worst Delta.",
    (),
    (Pivot("Exponential mechanism on all small databases", ("class", "records", "epsilon")),),
    EXACT,
)
