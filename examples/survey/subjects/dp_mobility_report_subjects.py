"""Learners of dp-mobility-report, as a survey audits them, and a copy that mends one."""

import diffprivlib
import numpy as np
import pandas as pd
from dp_mobility_report.privacy import diff_privacy as theirs

EPSILON = 1.0
GRID = np.linspace(0.0, 10.0, 41)


def _learner(release):
    def learner(dataset, rng):
        np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002 - what their code draws from
        return release(np.ravel(np.asarray(dataset, float)))

    return learner


def quartiles():
    """Minimum, quartiles and maximum of a number that each user has, as sections of a report show them."""
    return _learner(lambda values: theirs.quartiles_dp(pd.Series(values), EPSILON, 1)[0].to_numpy(float))


def quartiles_mended():
    """The same chosen from a public grid instead of the users' own numbers."""

    def release(values):
        ranks = np.searchsorted(np.sort(values), GRID)
        return np.array(
            [
                GRID[
                    diffprivlib.mechanisms.Exponential(
                        epsilon=EPSILON / 5, sensitivity=1, utility=list(-np.abs(ranks - quantile * values.size))
                    ).randomise()
                ]
                for quantile in (0.0, 0.25, 0.5, 0.75, 1.0)
            ]
        )

    return _learner(release)


def count():
    """How many users have more than 5."""
    return _learner(lambda values: float(theirs.count_dp(int(np.sum(values > 5)), EPSILON, 1)))


def counts():
    """How many users are in each of three groups (records: which)."""
    return _learner(
        lambda values: theirs.counts_dp(np.bincount(values.astype(int), minlength=3), EPSILON, 1).astype(float)
    )
