"""Beimel, Nissim & Stemmer 2015 run: every claim of the paper beside what its learners and its numbers do.

The parts, by theme: ``generic`` (GenericLearner); ``base_learner``, ``procedure`` and ``stretched_labels`` (the
exponential mechanism and LabelBoostProcedure); ``boosting``, ``boost_privacy`` and ``scaled_boosting`` (LabelBoost);
``comparisons`` (sizes side by side, rectangles); ``labels``, ``transcripts`` and ``hard_instance`` (active learners);
``sampling``, ``active_sampling`` and ``groups`` (amplification and group privacy); ``sanitiser``, ``labels_needed``
and ``generalisation`` (the appendix). They share ``outcomes`` (words for what was decided), ``laws`` (how far laws
are apart), ``brute_force``, and ``mechanisms`` and ``two_bits`` (finite algorithms).
"""

from __future__ import annotations

from collections.abc import Mapping

from dpcheck.papers.beimel2015.trials import (
    active_sampling,
    base_learner,
    boost_privacy,
    boosting,
    comparisons,
    generalisation,
    generic,
    groups,
    hard_instance,
    labels,
    labels_needed,
    procedure,
    sampling,
    sanitiser,
    scaled_boosting,
    stretched_labels,
    transcripts,
)
from dpcheck.papers.beimel2015.trials.outcomes import result
from dpcheck.trial.run import Run


def _results(*short: str) -> tuple[str, ...]:
    return tuple(map(result, short))


RUNS: tuple[Run, ...] = (
    Run(
        "generic-sizes",
        _results("thm-3.3", "cor-3.4", "rem-3.a", "int-1", "int-2", "ex-thresh"),
        generic.sizes,
        (0.1, 0.1),
        generic.SIZES,
    ),
    Run(
        "generic-exact",
        _results("thm-3.3", "obs-3.2", "cor-3.4"),
        generic.on_four_points,
        (3.0, 10.0),
        generic.FOUR_POINTS,
    ),
    Run("relabelling-privacy", _results("lem-4.1"), procedure.relabelling_privacy, (0.5, 5.0), procedure.PAGE),
    Run(
        "stretching",
        _results("clm-4.2", "obs-4.7"),
        stretched_labels.stretching,
        (0.1, 1.0),
        stretched_labels.STRETCHING,
    ),
    Run("base-learner", _results("prop-A.1"), base_learner.base_learner, (1.0, 3.0), base_learner.PAGE),
    Run(
        "exponential-choice",
        _results("prop-A.1"),
        stretched_labels.exponential_choice,
        (0.2, 0.5),
        stretched_labels.EXPONENTIAL_CHOICE,
    ),
    Run(
        "boost-sizes",
        _results("clm-4.8", "clm-4.9", "rem-4.10", "obs-4.7", "clm-4.11", "lem-4.12"),
        boosting.sizes_in_exact_arithmetic,
        (0.1, 0.2),
        boosting.PAGE,
    ),
    Run(
        "privacy-recursion",
        _results("lem-4.6", "thm-4.13", "thm-4.14", "rem-4.15"),
        boost_privacy.privacy_recursion,
        (3.0, 3.0),
        boost_privacy.PAGE,
    ),
    Run(
        "scaled-boosting",
        _results("lem-4.12", "thm-4.13", "thm-4.14", "thm-5.8", "clm-4.11", "rem-4.15", "thm-4.16"),
        scaled_boosting.scaled_boosting,
        (6.0, 60.0),
        scaled_boosting.PAGE,
    ),
    Run(
        "comparisons",
        _results("cmp-4.b", "cor-4.17", "cor-4.18", "ex-rect", "int-3", "int-6"),
        comparisons.comparisons,
        (0.2, 0.5),
        comparisons.PAGE,
    ),
    Run(
        "labels",
        _results("thm-5.8", "thm-5.6", "clm-5.7", "int-4", "int-5", "cmp-4.a"),
        labels.labels,
        (2.5, 4.0),
        labels.PAGE,
    ),
    Run(
        "transcripts", _results("thm-5.5", "rem-5.a", "rem-5.2"), transcripts.transcripts, (4.5, 12.0), transcripts.PAGE
    ),
    Run("hard-instance", _results("thm-5.6"), hard_instance.hard_instance, (3.5, 15.0), hard_instance.PAGE),
    Run("subsampling", _results("clm-4.3", "rem-4.4"), sampling.subsampling, (0.3, 2.0), sampling.SUBSAMPLING),
    Run("resampling", _results("clm-4.5"), sampling.resampling, (0.1, 0.5), sampling.RESAMPLING),
    Run(
        "active-subsampling",
        _results("clm-5.7", "rem-5.a"),
        active_sampling.active_subsampling,
        (0.5, 5.0),
        active_sampling.PAGE,
    ),
    Run("groups", _results("def-2.1"), groups.groups, (0.1, 0.1), groups.PAGE),
    Run("sanitiser", _results("thm-A.3"), sanitiser.sanitising, (0.1, 5.0), sanitiser.PAGE),
    Run("labels-needed", _results("thm-B.3"), labels_needed.labels_needed, (0.5, 1.0), labels_needed.PAGE),
    Run(
        "generalisation",
        _results("thm-B.2", "thm-B.4", "thm-B.5", "thm-B.6"),
        generalisation.generalisation,
        (1.0, 5.0),
        generalisation.PAGE,
    ),
)

NOT_RUN: Mapping[str, str] = {}
