"""Theorems 8, 9 and 27 on the line: failure against size, with the theorems' own sizes and what they promise."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcheck.papers.chaudhuri2011.hard_instances import ConcentratedThreshold
from dpcheck.papers.chaudhuri2011.learners import ReferenceLearner
from dpcheck.papers.chaudhuri2011.theorems.bounds import BOUNDS
from dpcheck.parts.classes import Thresholds
from dpcheck.parts.classes.references import UniformLine
from dpcheck.trial import upper
from dpcheck.trial.page import Page, Pivot
from dpcheck.trial.rows import Findings
from dpcheck.trial.upper import UpperBound, measure_upper_bound
from dpcheck.utility.distributions import UniformInterval

_SETTINGS: dict[str, Any] = {"accuracy": 0.2, "failure": 0.1, "epsilon": 0.5}
_LINE: dict[str, Any] = {"family": Thresholds(), "reference": UniformLine(), **_SETTINGS}


def declared() -> tuple[UpperBound, ...]:
    """The promises, in the order of the page; all own sizes are within reach.

    Examples
    --------
    >>> [bound.result for bound in declared()]
    ['chaudhuri2011:thm-8', 'chaudhuri2011:thm-9']
    """
    peak = ConcentratedThreshold(Fraction(2718, 10_000), Fraction(1, 100))
    return (
        UpperBound(
            "chaudhuri2011:thm-8",
            "thm-8 for thresholds, U uniform, data uniform, the best threshold at 0.1, 10% of labels flipped, C = 40",
            ReferenceLearner(**_LINE),
            UniformInterval(Fraction(1, 10), noise=0.1),
            {"private": BOUNDS["agnostic"]},
            {**_SETTINGS, "doubling": 1, "smoothness": 1},
            name="chaudhuri2011.A1",
        ),
        UpperBound(
            "chaudhuri2011:thm-9",
            "thm-9 for thresholds, U uniform, data from P_z with eta = 0.01, C = 160",
            ReferenceLearner(**_LINE, realisable=True),
            peak,
            {"private": BOUNDS["realisable"]},
            {**_SETTINGS, "doubling": 1, "smoothness": peak.smoothness},
            name="chaudhuri2011.A1r",
        ),
    )


def upper_bounds(seed: int, quick: bool) -> Findings:
    """Each promise run at its own size, and the failure probability at smaller ones beside it."""
    parts = {
        f"{each.result.partition(':')[2]}: {each.name}": measure_upper_bound(each, seed=seed + 1_000 * n, quick=quick)
        for n, each in enumerate(declared())
    }
    outcomes = [outcome for part in parts.values() for outcome in part.outcomes]
    told = " ".join(
        f"{outcome.result.partition(':')[2]}: {outcome.word} at {outcome.size or 0:,.0f} records"
        + ("." if outcome.slack is None else f", {outcome.slack:,.1f} times what is needed here.")
        for outcome in outcomes
    )
    rows = [
        replace(row, settings={**row.settings, "promise": name}) for name, part in parts.items() for row in part.rows
    ]
    (first, *_) = parts.values()
    words = {word: {name: part.settings[word] for name, part in parts.items()} for word in first.settings}
    return Findings(rows, outcomes, told, words)


(_PLOT,) = upper.PAGE.plots
PAGE = Page(
    "Theorems 8 and 9 at the sizes that they name",
    "Thresholds, alpha = 0.5, delta = 0.1, eps = 0.2: A1 with label noise, A1r on a concentrated distribution. "
    "Each is run at the size that its theorem names with explicit constants, and at smaller ones.",
    (replace(_PLOT, title="{promise}: excess risk above {accuracy} has this probability", each="promise"),),
    (Pivot("Failure probability at each number of private records", ("promise", "records"), only=("failure",)),),
)
