"""Privacy: exact losses of the paper's learners, over all neighbours."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

import dpcheck
from dpcheck import ApproxDP, LabelsOnly, Records, ReplaceOne
from dpcheck.model.law import IntegerScores, Law
from dpcheck.model.verdict import Status, Verdict
from dpcheck.papers.alon2019.learners import (
    CoverLearner,
    Dummies,
    FixedPublic,
    FromSemiPrivate,
    GenericLearner,
    LabelPrivate,
)
from dpcheck.parts.classes import GridThresholds, HalfPlanes, Rectangles
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import EXACT_OF_LAWS, Line, Page, Pivot, Plot
from dpcheck.trial.privacy import COMPARED, QUICK_COMPARED, PrivacyCheck
from dpcheck.trial.rows import Findings, exact


def exact_loss(learner: Any, records: Any, size: int, compared: int) -> Verdict:
    """The largest log-ratio over all pairs of neighbouring datasets, and whether the claim holds."""
    return dpcheck.audit(
        learner,
        neighbours=ReplaceOne(records=records, size=size),
        exhaustive=True,
        isolation="none",
        seed=0,
        max_samples=compared,
        max_seconds=math.inf,
    )


def _answer(verdict: Verdict) -> str:
    """Whether the claim was decided to hold; "" where nothing was decided."""
    return "" if verdict.exact is None or verdict.status is Status.LEARNER_FAILED else str(verdict.exact.answer)


def exact_privacy(seed: int, quick: bool) -> Findings:
    """Claim 6: the largest log-ratio of A_SSPP, over all neighbours."""
    grid = [(i, j) for i in range(3) for j in range(3)]
    line = Records.labelled(features=list(range(4)), labels=[0, 1])
    plane = Records.labelled(features=Records.of(grid), labels=[0, 1])
    cases: list[tuple[str, Any, Any, Any, int]] = [
        ("thresholds on 4 points, lowest", CoverLearner(GridThresholds(4), 1.0), [1, 2], line, 2 if quick else 6)
    ]
    if not quick:
        cases += [
            ("thresholds on 4 points, highest", CoverLearner(GridThresholds(4), 1.0, "highest"), [1, 2], line, 6),
            ("thresholds on 4 points, middle", CoverLearner(GridThresholds(4), 1.0, "middle"), [1, 2], line, 6),
            ("half-planes on a 3 × 3 grid", CoverLearner(HalfPlanes(), 1.0), grid, plane, 3),
            ("rectangles on a 3 × 3 grid", CoverLearner(Rectangles(), 1.0), grid, plane, 3),
        ]
    every = ("thresholds on 4 points, lowest, each point public, one twice", cases[0][1], [0, 1, 2, 3, 3], line, 2)
    cases.append(every)
    compared = QUICK_COMPARED if quick else COMPARED
    rows, answers, losses, calls = [], [], [], 0
    for name, learner, public, records, most in cases:
        found = [exact_loss(FixedPublic(learner, public), records, size, compared) for size in range(1, most + 1)]
        losses.append([verdict.epsilon_lower for verdict in found])
        answers += [_answer(verdict) for verdict in found]
        calls += sum(verdict.samples for verdict in found)
        rows += exact(name, losses[-1], n_priv=range(1, most + 1))
    largest = max(map(max, losses))
    grows = all(before < after for one in losses for before, after in pairwise(one))
    outcome = Outcome(
        "contradicted" if "violated" in answers else "holds" if set(answers) == {"holds"} else "undecided",
        "lem-3.2: A_SSPP is epsilon-private in S_priv, for these public samples",
        f"decided exactly in each of {len(answers)} cases, over all pairs of neighbours; the largest loss is "
        f"{largest:.6f}",
        "alon2019:lem-3.2",
        "privacy",
        learner="alon2019.cover",
        trials=calls,
    )
    told = (
        ("The loss grows with n_priv" if grows else "The loss does not grow with n_priv everywhere")
        + (" and stays below the claim" if largest < 1 else " and reaches the claim")
        + f": {losses[0][0]:.4f} at n_priv = 1, at most {largest:.4f} here."
    )
    return Findings(rows, (outcome,), told, {"cases": "; ".join(name for name, *_ in cases)})


EXACT_PRIVACY = Page(
    "A_SSPP is epsilon-private: its exact loss",
    "The exact output laws of A_SSPP at epsilon = 1 on every pair of neighbouring private samples of n_priv records: "
    "the largest log-ratio of probabilities ({cases}). Doubles find the worst pair; that the claim holds is decided in "
    "exact arithmetic, for polynomials in exp(1/2).",
    (
        Plot(
            "exact-loss",
            "Exact privacy loss beside the claim",
            "n_priv",
            "largest log-ratio (nats)",
            x_label="private records n_priv",
            x_log=False,
            scale="linear",
            lines=(Line("claimed epsilon = 1", y=1.0),),
        ),
    ),
    (Pivot("Exact loss by n_priv, epsilon = 1", ("n_priv",), digits=6),),
    evidence=f"{EXACT_OF_LAWS} All neighbouring pairs were compared.",
)


@dataclass(frozen=True)
class _LabelledCover:
    """The generic learner over the thresholds that make fewest mistakes on a labelled public sample; not the paper's.

    It reads the public labels, which A_SSPP does not, so that the reduction is run with labelled public data too.
    """

    epsilon: float = 1.0

    def distribution(self, dataset: Any) -> Any:
        """The law of the generic learner over the chosen thresholds."""
        x, y = np.asarray(dataset.public.x), np.asarray(dataset.public.y)
        wrong = [int(((x >= t) != y).sum()) for t in range(3)]
        kept = [t for t in range(3) if wrong[t] == min(wrong)] + [3]
        records = dataset.private
        mistakes = [int(((np.asarray(records.x) >= t) != np.asarray(records.y)).sum()) for t in kept]
        return Law(kept, exact=IntegerScores(self.epsilon, [-m for m in mistakes]))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        """One threshold."""
        law = self.distribution(dataset)
        weights = np.exp(np.array(law.exact.scores) * self.epsilon / 2)
        return int(law.outputs[rng.choice(len(law.outputs), p=weights / weights.sum())])


def derived_privacy(seed: int, quick: bool) -> Findings:
    """B, with unlabelled and labelled public data and both modes, and the label-private learner: their exact losses."""
    records = Records.labelled(features=[0, 1], labels=[0, 1])
    line = Records.labelled(features=[0, 1, 2], labels=[0, 1])
    half = Fraction(1, 2)
    inside, generic, small = CoverLearner(GridThresholds(4), 1.0), GenericLearner(GridThresholds(2), 1.0), Dummies([0])
    b = "B keeps the privacy of the semi-private learner inside (epsilon = 1)"
    # (entry, what is claimed, learner, relation, name)
    checks = [
        PrivacyCheck(
            "alon2019:clm-4.5",
            f"{b}: A_SSPP, n_priv = 6, n_pub = 2, p = 1/2",
            FromSemiPrivate(inside, 6, 2, small, "fill", half),
            1.0,
            neighbours=ReplaceOne(records=records, size=2),
            name="alon2019.reduction",
        ),
        PrivacyCheck(
            "alon2019:clm-4.5",
            f"{b}: the generic learner, n_priv = 3, n_pub = 1, p = 1/2, alg-3 as printed",
            FromSemiPrivate(generic, 3, 1, small, "printed", half),
            1.0,
            neighbours=ReplaceOne(records=records, size=2),
            name="alon2019.reduction",
        ),
        PrivacyCheck(
            "alon2019:rem-1",
            f"{b}: a learner that reads public labels, n_priv = 3, n_pub = 2, p = 1/2",
            FromSemiPrivate(_LabelledCover(), 3, 2, small, "fill", half, labelled_public=True),
            1.0,
            neighbours=ReplaceOne(records=records, size=2),
            name="alon2019.reduction",
        ),
        PrivacyCheck(
            "alon2019:rem-1",
            "B keeps approximate privacy: of a learner that is (0, 1/10)-private, n_priv = 3, n_pub = 1, p = 1/2",
            FromSemiPrivate(_NameOrShame(Fraction(1, 10)), 3, 1, small, "fill", half),
            ApproxDP(0, Fraction(1, 10)),
            neighbours=ReplaceOne(records=records, size=2),
            name="alon2019.reduction",
        ),
        PrivacyCheck(
            "alon2019:obs-1.a",
            "A_SSPP with the records' own features as its public sample is epsilon-private in the labels (epsilon = 1)",
            LabelPrivate(CoverLearner(GridThresholds(3), 1.0)),
            1.0,
            neighbours=LabelsOnly(line, size=2 if quick else 4),
            name="alon2019.label_private",
        ),
    ]
    if not quick:
        checks.append(
            PrivacyCheck(
                "alon2019:lem-4.4",
                f"{b}, at the paper's own probability 1/(100 n_pub): A_SSPP, n_priv = 25, n_pub = 1, ntilde = 3",
                FromSemiPrivate(inside, 25, 1, small),
                1.0,
                neighbours=ReplaceOne(records=Records.labelled(features=[0, 3], labels=[0, 1]), size=3),
                name="alon2019.reduction",
            )
        )
    outcomes = [check.check(seed + place, quick) for place, check in enumerate(checks)]
    return Findings((), outcomes, " ".join(f"{each.claim}: {each.word} ({each.detail})." for each in outcomes))


DERIVED_PRIVACY = Page(
    "What is made of a semi-private learner keeps its privacy",
    "The exact laws of learners made of semi-private ones, over all pairs of neighbours: the reduction B with "
    "unlabelled and with labelled public data, pure and approximate, alg-3 filling up and as printed; and the "
    "label-private learner.",
    evidence=EXACT_OF_LAWS,
)


@dataclass(frozen=True)
class _NameOrShame:
    """Publishes the first private label with probability delta, else nothing: (0, delta)-private and no better."""

    delta: Fraction

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        """The law: -1 stands for nothing."""
        labels = np.asarray(dataset.private.y)
        shown = int(labels[0]) if len(labels) else -1
        return {-1: 1 - self.delta, shown: self.delta} if shown != -1 else {-1: Fraction(1)}

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        """A label, or -1."""
        labels = np.asarray(dataset.private.y)
        return int(labels[0]) if len(labels) and rng.integers(self.delta.denominator) < self.delta.numerator else -1
