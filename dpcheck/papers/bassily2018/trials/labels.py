"""hpriv and what is made of its labels, exactly: obs-4.a to obs-4.d, and where independence and privacy exclude "
"each other."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.neighbours import AddRemove, LabelsOnly, Records
from dpcheck.papers.bassily2018.learners import LeastPositive, PrivateAnswers, PrivateLabels, Scales
from dpcheck.papers.bassily2018.learners.entries_of_transfer import label_private, labels, transfer
from dpcheck.papers.bassily2018.theorems import transfer_instances
from dpcheck.papers.bassily2018.trials.vote_laws import exact_delta
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import EXACT_OF_LAWS, Page
from dpcheck.trial.privacy import check_privacy
from dpcheck.trial.relations import compared, enclosed, refuted_by
from dpcheck.trial.rows import Findings
from dpcheck.trial.run import Run

_WHY = (
    "bassily2018:thm-4.2 (T4.2.iid): labels of one run are no sample of (D_X, hpriv), and those of separate runs are "
    "not private together"
)
#: The same number computed in two ways: their balls differ by less, at so many bits.
_CLOSE, _BITS = 1e-30, 192


def _chances(law: Any) -> dict[Any, Any]:
    return dict(zip(law.outputs, law.exact, strict=True))


def _size(ball: Any) -> float:
    """The largest that the number in a ball may be, without its sign."""
    return float(abs(ball).upper())


def _labelling(models: int, queries: int, runs: str) -> PrivateLabels:
    scales = Scales(2.0, 1.0, 2.0, models, 1)
    inside = PrivateAnswers(LeastPositive(), [0.1 * place for place in range(queries)], scales, guard="strict")
    return PrivateLabels(inside, runs)  # type: ignore[arg-type]


def coins_change_nothing(models: int) -> tuple[float, float]:
    """What a coin for an abstention does: to the law, and to the delta of two tables that differ in one vote.

    Returns
    -------
    (apart, excess): the largest difference of P(1) from P(1) + P(abstains)/2, and of the delta of the labels over that
    of the answers, at epsilon 0, 1/2 and 1, over all tables on two queries and on each query alone.
    """
    from flint import ctx

    learner = _labelling(models, 2, "one")
    tables = [np.array([[models - a, a], [models - b, b]]) for a, b in itertools.product(range(models + 1), repeat=2)]
    apart, excess = 0.0, -1.0
    for table in tables:
        answered, labelled = (_chances(law) for law in (learner.answers.answers_law(table), learner.labels_law(table)))
        with ctx.workprec(_BITS):
            for place in (0, 1):
                one = sum(chance for output, chance in answered.items() if output[place] == 1)
                none = sum(chance for output, chance in answered.items() if output[place] not in (0, 1))
                coin = sum(chance for output, chance in labelled.items() if output[place] == 1)
                apart = max(apart, _size(one + none / 2 - coin))
        other = np.clip(table + np.array([[1, -1], [1, -1]]), 0, models)
        for epsilon in (0.0, 0.5, 1.0):
            before, after = (
                exact_delta(law(table), law(other), epsilon)
                for law in (learner.answers.answers_law, learner.labels_law)
            )
            with ctx.workprec(_BITS):
                excess = max(excess, float((after - before).upper()))
    return apart, excess


def separate_runs_are_products(models: int) -> tuple[float, float]:
    """How far the joint law of two labels is from the product of their laws: separate runs, and one run."""
    from flint import ctx

    found = []
    for runs in ("separate", "one"):
        learner, apart = _labelling(models, 2, runs), 0.0
        for a, b in itertools.product(range(models + 1), repeat=2):
            joint = _chances(learner.labels_law(np.array([[models - a, a], [models - b, b]])))
            with ctx.workprec(_BITS):
                for y, z in itertools.product((0, 1), repeat=2):
                    first = sum(chance for output, chance in joint.items() if output[0] == y)
                    second = sum(chance for output, chance in joint.items() if output[1] == z)
                    apart = max(apart, _size(joint[y, z] - first * second))
        found.append(apart)
    return found[0], found[1]


def _calls(quick: bool) -> int:
    """Calls that a declared law is compared with; the verdict rests on the law."""
    return 1000 if quick else 200_000


def labels_of_points(seed: int, quick: bool) -> Findings:
    """obs-4.a to obs-4.d, and the line of theorem 4.2 that needs both of two implementations."""
    product, one_run = separate_runs_are_products(_models(quick))
    outcomes = [*_private(seed, quick), *_exact_laws(quick, product, one_run), *_either_or(), _first_query()]
    held = sum(each.word == "holds" for each in outcomes)
    told = (
        f"{held} of {len(outcomes)} statements hold. In one run the labels of two points are up to {one_run:.3f} away "
        f"from independent; in separate runs {'not at all' if product <= _CLOSE else f'{product:.3g}'}."
    )
    return Findings((), outcomes, told)


PAGE = Page(
    "Labels of public points: coins, independence, privacy",
    "The exact law of hpriv's labels, for one run of alg-2 on all points and for a run for each, on all small vote "
    "tables; claims of privacy on all neighbours of a small domain.",
    evidence=EXACT_OF_LAWS,
)


def _models(quick: bool) -> int:
    return 3 if quick else 5


def _private(seed: int, quick: bool) -> list[Outcome]:
    """The learners on all neighbours of a small domain."""
    records = Records.labelled(features=[0.2, 0.6], labels=[0, 1])
    few, private = AddRemove(records, size=range(1, 2 if quick else 3)), label_private()
    keeps = "on one run of alg-2 keeps what alg-2 keeps,"
    cases = (
        ("obs-4.c", f"hpriv {keeps} {labels().claim}", labels(), few, "labels"),
        ("obs-4.c", f"A_priv {keeps} {transfer().claim}", transfer(), few, "transfer"),
        (
            "obs-4.a",
            f"with part of the records as public points, private in the labels: {private.claim}",
            private,
            LabelsOnly(records, size=3),
            "label_private",
        ),
    )
    return [
        check_privacy(
            f"bassily2018:{result}",
            claim,
            made,
            made.claim,
            neighbours=neighbours,
            name=f"bassily2018.{name}",
            seed=seed,
            max_samples=_calls(quick),
            quick=quick,
        )
        for result, claim, made, neighbours, name in cases
    ]


def _exact_laws(quick: bool, product: float, one_run: float) -> list[Outcome]:
    """What coins and separate runs do to the law of labels."""
    models = _models(quick)
    apart, excess = coins_change_nothing(models)
    return [
        compared(
            "bassily2018:obs-4.b",
            "a fair coin for an abstention gives P(1) + P(abstains)/2, and no delta grows by it",
            apart <= _CLOSE and excess <= _CLOSE,
            f"all tables of {models} votes on two queries, epsilon 0, 1/2 and 1: probabilities differ by at most "
            f"{apart:.2g}, delta grows by at most {max(0.0, excess):.2g}, which is what balls of {_BITS} bits "
            "leave open",
        ),
        compared(
            "bassily2018:obs-4.d",
            "labels of separate runs on the same models are independent: hpriv depends on D and its coins alone",
            product <= _CLOSE,
            f"all tables of {models} votes on two queries: the joint law and the product differ by at most "
            f"{product:.2g} (in one run on both points by up to {one_run:.3f})",
            learner="bassily2018.labels",
        ),
    ]


def _either_or() -> list[Outcome]:
    """T4.2.iid wants labels that are both independent and private together."""
    shared, many = transfer_instances.one_run(), transfer_instances.many_single_runs()
    return [
        refuted_by(
            "bassily2018:thm-4.2",
            "T4.2.iid: the labels of one run of alg-2 on Q are drawn from (D_X, hpriv)",
            shared,
            expected=_WHY,
            learner="bassily2018.labels",
        ),
        refuted_by(
            "bassily2018:thm-4.2",
            "T4.2.iid: the labels of a run for each point, which are so drawn, are (epsilon, delta)-private together",
            many,
            kind="privacy",
            expected=_WHY,
            learner="bassily2018.labels",
        ),
    ]


def _first_query() -> Outcome:
    """In one run a label depends on the queries before: what obs-4.d says is of the mapping, not of these labels."""
    chances = transfer_instances.first_query_matters()
    spread = max(chances) - min(chances)
    return enclosed(
        "bassily2018:thm-4.2",
        "obs-4.d, read of the labels of one run (as A_priv's privacy has them): a label does not depend on the "
        "other points",
        Fraction(spread),
        Fraction(spread),
        Fraction(1, 10**9),
        detail="the chance that a second point gets its label is "
        + ", ".join(f"{each:.4f}" for each in chances)
        + " behind three different first points",
        expected=_WHY,
        learner="bassily2018.labels",
    )


RUNS: tuple[Run, ...] = (
    Run(
        "labels-of-points",
        ("bassily2018:obs-4.a", "bassily2018:obs-4.b", "bassily2018:obs-4.c", "bassily2018:obs-4.d",
         "bassily2018:thm-4.2"),
        labels_of_points,
        (2.0, 11.0),
        PAGE,
    ),
)  # fmt: skip
