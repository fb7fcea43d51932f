"""The sanitisers of ``parts.mechanisms.sanitisers`` for ``dpcheck learners``, each on a domain of few points."""

from __future__ import annotations

from typing import Any, Literal

from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.learners.entry import LearnerEntry
from dpcheck.parts.mechanisms.sanitisers import BlumLigettRoth, ThresholdSanitiser, interval_queries

_NO_CLASS = "it puts out a database, no hypothesis"


def sanitiser(*, epsilon: Any = 1.0, domain_size: int = 3, points: int = 2, ordered: bool = True) -> BlumLigettRoth:
    """The sanitiser of intervals on {0, ..., domain_size - 1} that lists all databases of ``points`` points.

    ``ordered`` says whether databases are tuples or multisets.
    """
    return BlumLigettRoth(interval_queries(domain_size), epsilon, points, ordered)


def threshold_sanitiser(
    *,
    epsilon: Any = 1.0,
    domain_size: int = 4,
    points: int = 2,
    queries: Literal["intervals", "thresholds"] = "intervals",
    ordered: bool = True,
) -> ThresholdSanitiser:
    """The sanitiser of intervals or thresholds on {0, ..., domain_size - 1} that is for large domains, too."""
    return ThresholdSanitiser(domain_size, epsilon, points, queries, ordered)


SANITISING_ENTRIES = (
    LearnerEntry(
        "beimel2015.sanitiser",
        sanitiser,
        lambda: ReplaceOne(records=Records.of([0, 1, 2]), size=3),
        algorithm="beimel2015:alg-1",
        theorem="beimel2015:thm-A.3",
        summary="Blum, Ligett & Roth: exponential mechanism over all databases of k points",
        not_about_classes=_NO_CLASS,
    ),
    LearnerEntry(
        "beimel2015.threshold_sanitiser",
        threshold_sanitiser,
        lambda: ReplaceOne(records=Records.of([0, 1, 2, 3]), size=3),
        algorithm="beimel2015:alg-1",
        theorem="beimel2015:thm-A.3",
        summary="the same for thresholds or intervals, drawn from without listing databases",
        not_about_classes=_NO_CLASS,
    ),
)
