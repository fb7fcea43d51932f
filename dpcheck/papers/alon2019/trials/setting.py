"""What the measurements of alon2019 share: the failure probability, intervals, explicit sizes, its learner."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpcheck.papers.alon2019.learners import CoverLearner
from dpcheck.papers.alon2019.theorems.bounds import BOUNDS
from dpcheck.parts.classes import Thresholds
from dpcheck.proof.bounds import evaluate
from dpcheck.trial.model import Outcome
from dpcheck.trial.upper import UpperBound, check_upper_bound

#: The failure probability at which sizes are compared.
FAILURE = Fraction(1, 10)
#: The registry's reason why the sizes as printed fail, for outcomes that run them.
NEAR_ONE = "alon2019:{0}: O(...) for all alpha in (0, 1) fails near alpha = 1, where n_pub stays below d"


def size_of(name: str, **values: Any) -> float:
    """The size that one of the paper's explicit bounds asks for."""
    found = evaluate(BOUNDS[name], **values)
    return found if isinstance(found, int) else float(found)


def cover_learner(epsilon: float = 1.0) -> CoverLearner:
    """A_SSPP for thresholds on the line."""
    return CoverLearner(Thresholds(), epsilon)


def own_size(
    learner: Any,
    distribution: Any,
    *,
    accuracy: float,
    epsilon: float,
    said: str,
    seed: int,
    search: bool = False,
    scaled: Mapping[str, Any] | None = None,
) -> Outcome:
    """Theorem 3.1 at the sizes that its explicit form names, for thresholds (d = 1)."""

    def private(settings: Mapping[str, Any]) -> int:
        return int(
            size_of(
                "private",
                accuracy=settings["accuracy"],
                failure=settings["failure"],
                epsilon=settings["epsilon"],
                cover=settings["public"] + 1,
            )
        )

    declared = UpperBound(
        "alon2019:thm-3.1",
        f"A_SSPP on {said}",
        learner,
        distribution,
        {"public": BOUNDS["public"], "private": private},
        {"accuracy": accuracy, "failure": FAILURE, "epsilon": epsilon, "vc": 1},
        name="alon2019.cover",
        over="public",
        scaled=scaled or {},
    )
    return check_upper_bound(declared, seed=seed, trials=2_000, search=search)


def three_digits(value: float) -> str:
    """Three significant digits, without an exponent."""
    return f"{float(f'{value:.3g}'):,.0f}"
