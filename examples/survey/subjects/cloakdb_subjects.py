"""Learners of cloakdb, as a survey audits them, and a copy with the smallest change that mends one."""

import numpy as np
from cloakdb.core.context import TransformationContext
from cloakdb.strategies.differential_privacy import DifferentialPrivacyStrategy

EPSILON = 1.0
SETTINGS = {"epsilon": EPSILON, "sensitivity": 10.0, "clip_min": 0.0, "clip_max": 10.0}


def _masked(value, salt, column, **settings):
    context = TransformationContext(table_name="staff", column_name=column, row_index=0, salt=salt)
    return float(DifferentialPrivacyStrategy().transform(float(value), context, **SETTINGS, **settings))


def _salt(rng):
    # Secret, as they ask for: nobody who sees what is released knows it.
    return rng.bytes(32).hex()


def one_value():
    """One value from 0 to 10."""

    def learner(dataset, rng):
        return _masked(np.ravel(dataset)[0], _salt(rng), "bonus")

    return learner


def two_columns():
    """Two columns of one row, each at half the claim."""

    def learner(dataset, rng):
        salt, row = _salt(rng), np.ravel(dataset)
        return np.array([_masked(row[0], salt, "bonus"), _masked(row[1], salt, "rating")])

    return learner


def two_runs(**settings):
    """One cell of a row in two runs with one salt, between which its value may change."""

    def learner(dataset, rng):
        salt, row = _salt(rng), np.ravel(dataset)
        return np.array([_masked(row[0], salt, "bonus", **settings), _masked(row[1], salt, "bonus", **settings)])

    return learner


def two_runs_mended():
    """The same with noise that is drawn."""
    return two_runs(deterministic=False)
