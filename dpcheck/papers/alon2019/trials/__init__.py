"""The claims of alon2019 against reality: covers, learners, lower bounds, the reduction and privacy, by theme.

``RUNS`` is in the order of the page: the headline claims of the project's inventory of the paper (section 6), and
beside each what belongs to it.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpcheck.papers.alon2019.trials.covers import agnostic_realisable, counting, public_cost
from dpcheck.papers.alon2019.trials.dichotomy import dichotomy
from dpcheck.papers.alon2019.trials.learnability import infinite_classes, printed_sizes, private_cost
from dpcheck.papers.alon2019.trials.lower_bounds import hard_instances, lower_against_upper
from dpcheck.papers.alon2019.trials.privacy import derived_privacy, exact_privacy
from dpcheck.papers.alon2019.trials.reduction import numbers_in_the_reduction, reduction_at_work
from dpcheck.papers.alon2019.trials.routes import generic_learner, other_routes
from dpcheck.trial.run import Run


def _ids(*names: str) -> tuple[str, ...]:
    return tuple(f"alon2019:{name}" for name in names)


RUNS: tuple[Run, ...] = (
    Run("public-cost", _ids("lem-3.3", "lem-3.3-eq1"), public_cost, (0.7, 2.0)),
    Run("counting", _ids("lem-3.3-eq1", "lem-3.3-growth", "lem-sauer", "lem-3.3"), counting, (0.3, 1.0)),
    Run("private-cost", _ids("thm-3.1"), private_cost, (1.5, 40.0)),
    Run("printed-sizes", _ids("thm-3.1"), printed_sizes, (6.0, 20.0)),
    Run("infinite-classes", _ids("thm-3.1"), infinite_classes, (2.0, 10.0)),
    Run("lower-against-upper", _ids("obs-1.b"), lower_against_upper, (0.3, 1.0)),
    Run("hard-instances", _ids("thm-4.1", "thm-4.2", "thm-4.3"), hard_instances, (2.0, 5.0)),
    Run("dichotomy", _ids("thm-4.2"), dichotomy, (3.0, 15.0)),
    Run("reduction-at-work", _ids("lem-4.4", "clm-4.6", "obs-4.a"), reduction_at_work, (2.5, 37.0)),
    Run("numbers-in-the-reduction", _ids("clm-4.6", "lem-4.4"), numbers_in_the_reduction, (0.1, 0.5)),
    Run("exact-privacy", _ids("lem-3.2"), exact_privacy, (3.0, 18.0)),
    Run("derived-privacy", _ids("clm-4.5", "rem-1", "obs-1.a"), derived_privacy, (4.0, 20.0)),
    Run("agnostic-realisable", _ids("thm-3.1"), agnostic_realisable, (2.0, 20.0)),
    Run("generic-learner", _ids("thm-kln"), generic_learner, (0.6, 1.0)),
    Run("other-routes", _ids("obs-2.a", "obs-1.c", "lem-2.5"), other_routes, (4.0, 6.0)),
)

#: Entries of which there is nothing to run, with the reason.
NOT_RUN: Mapping[str, str] = {
    "alon2019:lem-2.6": "a result of another paper: that a reduction exists, which is not made here (pure learners "
    "boosted: Dwork, Rothblum & Vadhan 2010); a run of some learner at two accuracies would say nothing of it",
}
