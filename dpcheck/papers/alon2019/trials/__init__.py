"""The claims of alon2019 against reality: covers, learners, lower bounds, the reduction and privacy, by theme.

``RUNS`` is in the order of the page: the headline claims of the project's inventory of the paper (section 6), and
beside each what belongs to it.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpcheck.papers.alon2019.trials import covers, dichotomy, learnability, lower_bounds, privacy, reduction, routes
from dpcheck.trial.run import Run


def _ids(*names: str) -> tuple[str, ...]:
    return tuple(f"alon2019:{name}" for name in names)


RUNS: tuple[Run, ...] = (
    Run("public-cost", _ids("lem-3.3", "lem-3.3-eq1"), covers.public_cost, (0.7, 2.0), covers.PUBLIC_COST),
    Run(
        "counting",
        _ids("lem-3.3-eq1", "lem-3.3-growth", "lem-sauer", "lem-3.3"),
        covers.counting,
        (0.3, 1.0),
        covers.COUNTING,
    ),
    Run("private-cost", _ids("thm-3.1"), learnability.private_cost, (1.5, 40.0), learnability.PRIVATE_COST),
    Run("printed-sizes", _ids("thm-3.1"), learnability.printed_sizes, (6.0, 20.0), learnability.PRINTED_SIZES),
    Run("infinite-classes", _ids("thm-3.1"), learnability.infinite_classes, (2.0, 10.0), learnability.INFINITE_CLASSES),
    Run(
        "lower-against-upper",
        _ids("obs-1.b"),
        lower_bounds.lower_against_upper,
        (0.3, 1.0),
        lower_bounds.LOWER_AGAINST_UPPER,
    ),
    Run(
        "hard-instances",
        _ids("thm-4.1", "thm-4.2", "thm-4.3"),
        lower_bounds.hard_instances,
        (2.0, 5.0),
        lower_bounds.HARD_INSTANCES,
    ),
    Run("dichotomy", _ids("thm-4.2"), dichotomy.dichotomy, (3.0, 15.0), dichotomy.DICHOTOMY),
    Run(
        "reduction-at-work",
        _ids("lem-4.4", "clm-4.6", "obs-4.a"),
        reduction.reduction_at_work,
        (2.5, 37.0),
        reduction.REDUCTION_AT_WORK,
    ),
    Run(
        "numbers-in-the-reduction",
        _ids("clm-4.6", "lem-4.4"),
        reduction.numbers_in_the_reduction,
        (0.1, 0.5),
        reduction.NUMBERS_IN_THE_REDUCTION,
    ),
    Run("exact-privacy", _ids("lem-3.2"), privacy.exact_privacy, (3.0, 18.0), privacy.EXACT_PRIVACY),
    Run(
        "derived-privacy",
        _ids("clm-4.5", "rem-1", "obs-1.a"),
        privacy.derived_privacy,
        (4.0, 20.0),
        privacy.DERIVED_PRIVACY,
    ),
    Run("agnostic-realisable", _ids("thm-3.1"), covers.agnostic_realisable, (2.0, 20.0), covers.AGNOSTIC_REALISABLE),
    Run("generic-learner", _ids("thm-kln"), routes.generic_learner, (0.6, 1.0), routes.GENERIC_LEARNER),
    Run("other-routes", _ids("obs-2.a", "obs-1.c", "lem-2.5"), routes.other_routes, (4.0, 6.0), routes.OTHER_ROUTES),
)

#: Entries of which there is nothing to run, with the reason.
NOT_RUN: Mapping[str, str] = {
    "alon2019:lem-2.6": "a result of another paper: that a reduction exists, which is not made here (pure learners "
    "boosted: Dwork, Rothblum & Vadhan 2010); a run of some learner at two accuracies would say nothing of it",
}
