"""Learners of diffprivlib, as a survey audits them, and a copy with the smallest change that mends one."""

import inspect

import diffprivlib.models.linear_regression as theirs
from diffprivlib.models import LinearRegression, StandardScaler

from dpcheck.adapters.estimator import from_estimator

EPSILON = 1.0
AS_IT_IS = "np.max(np.abs([bounds_X[0][i], bounds_X[0][i]])) ** 2"
AS_IT_SHOULD_BE = "np.max(np.abs([bounds_X[0][i], bounds_X[1][i]])) ** 2"
THEIR_SOURCE = inspect.getsource(theirs._construct_regression_obj)


def linear_regression():
    """The slope of a regression without intercept, whose features are from 0 to 3."""
    model = LinearRegression(epsilon=EPSILON, bounds_X=(0.0, 3.0), bounds_y=(0.0, 7.0), fit_intercept=False)
    return from_estimator(model, output="coef_")


def linear_regression_mended():
    """The same with one index of their source changed."""
    if THEIR_SOURCE.count(AS_IT_IS) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    exec(THEIR_SOURCE.replace(AS_IT_IS, AS_IT_SHOULD_BE), vars(theirs))
    return linear_regression()


def scaler():
    """Mean and variance of one column from 0 to 50."""
    return from_estimator(StandardScaler(epsilon=EPSILON, bounds=(0.0, 50.0)), output=("mean_", "var_"))
