"""Releases of privjail, as a survey audits them, and copies with the smallest change that mends each.

What ``privjail.pandas.read_csv`` and ``privjail.numpy.load`` do with a file is done here with what is in memory: a row
is a person's, the range of each column is told, and the accountant is one of pure differential privacy.
"""

import numpy as np
import pandas as pd
import privjail as pj
import privjail.numpy as pnp
import privjail.pandas as ppd
from privjail.accountants import PureDPAccountant
from privjail.pandas.domain import CategoryDomain, RealDomain
from privjail.realexpr import RealExpr

EPSILON = 1.0
COLUMNS = [f"x{number}" for number in range(8)]


def _column(dataset, low, high):
    """A column of numbers; what is below -100 is missing."""
    values = np.ravel(np.asarray(dataset, dtype=np.float64))
    frame = pd.DataFrame({"x": np.where(values < -100, np.nan, values)})
    domains = {"x": RealDomain(dtype="float64", range=(low, high))}
    accountant = PureDPAccountant(budget_limit=None)
    return ppd.PrivDataFrame(frame, domains=domains, distance=RealExpr(1), accountant=accountant)


def _array(dataset, *shape):
    rows = np.reshape(np.asarray(dataset, dtype=np.float64), (len(dataset), *shape))
    return pnp.PrivNDArray(rows, distance=RealExpr(1), privacy_axis=0, accountant=PureDPAccountant(budget_limit=None))


def count():
    """How many rows there are."""
    return lambda dataset, rng: float(_column(dataset, 0.0, 10.0).shape[0].reveal(eps=EPSILON))


def clipped_sum():
    """The sum of a column, clipped at 5."""
    return lambda dataset, rng: float(_column(dataset, -10.0, 10.0)["x"].clip(-5.0, 5.0).sum().reveal(eps=EPSILON))


def histogram():
    """The noisy counts of three bins."""

    def learner(dataset, rng):
        counts, _ = pnp.histogram(_array(dataset), bins=3, range=(0.0, 3.0))
        return np.asarray(counts.reveal(eps=EPSILON))

    return learner


def _groups(dataset):
    rows = np.reshape(np.asarray(dataset, dtype=np.float64), (len(dataset), 1))
    frame = pd.DataFrame(np.repeat(rows, len(COLUMNS), axis=1), columns=COLUMNS)
    frame.insert(0, "group", pd.Categorical(["a"] * len(rows), categories=["a", "b"]))
    domains = {"group": CategoryDomain(categories=["a", "b"])}
    domains |= {name: RealDomain(dtype="float64", range=(0.0, 10.0)) for name in COLUMNS}
    accountant = PureDPAccountant(budget_limit=None)
    table = ppd.PrivDataFrame(frame, domains=domains, distance=RealExpr(1), accountant=accountant)
    return table.groupby("group").sum()


def sums_of_groups():
    """The sums of eight columns by group, of two groups; those of the first added up."""
    return lambda dataset, rng: float(_groups(dataset).reveal(eps=2 * EPSILON).loc["a"].sum())


def sums_of_groups_mended():
    """The same, each column at epsilon over the number of columns, as the sums by column are divided."""

    def learner(dataset, rng):
        sums = _groups(dataset)
        return float(sums.reveal(eps=2 * EPSILON * len(sums) / len(sums.columns)).loc["a"].sum())

    return learner


def _sum_of(column, low=None, high=None):
    if low is not None:
        column._domain = RealDomain(dtype="float64", range=(low, high))
    return float(column.sum().reveal(eps=EPSILON))


def filled():
    """The sum of a column from 0 to 10 whose missing values are filled with 100."""
    return lambda dataset, rng: _sum_of(_column(dataset, 0.0, 10.0)["x"].replace(float("nan"), 100.0))


def filled_mended():
    """The same, with 100 in the range that the column is said to have after it."""
    return lambda dataset, rng: _sum_of(_column(dataset, 0.0, 10.0)["x"].replace(float("nan"), 100.0), 0.0, 100.0)


def _assigned(dataset):
    column = _column(dataset, 0.0, 10.0)["x"]
    column[column > 5.0] = 100.0
    return column


def assigned():
    """The sum of a column from 0 to 10 whose values above 5 are set to 100."""
    return lambda dataset, rng: _sum_of(_assigned(dataset))


def assigned_mended():
    """The same, with 100 in the range that the column is said to have after it."""
    return lambda dataset, rng: _sum_of(_assigned(dataset), 0.0, 100.0)


def _released(sensitive, times=1.0):
    """What is released of a sum, at a distance so many times that which it says it has."""
    sensitive._distance = sensitive._distance * times
    return sensitive.reveal(eps=EPSILON)


def _sampled(dataset):
    return _column(dataset, -10.0, 10.0).sample(frac=0.75)["x"].sum()


def sampled():
    """The sum of three quarters of the rows, drawn at random."""
    return lambda dataset, rng: float(_released(_sampled(dataset)))


def sampled_mended():
    """The same for samples in which a row that comes may put out another."""
    return lambda dataset, rng: float(_released(_sampled(dataset), 2.0))


def _clipped_rows(dataset, norm):
    return pj.clip_norm(_array(dataset, 4), 1.0, ord=norm)


def total_of_rows():
    """The sum of all entries of rows of four, each row clipped to a length of 1."""
    return lambda dataset, rng: float(_released(_clipped_rows(dataset, 2).sum()))


def total_of_rows_mended():
    """The same at the largest sum of four numbers whose length is 1, which is 2."""
    return lambda dataset, rng: float(_released(_clipped_rows(dataset, 2).sum(), 2.0))


def sum_of_rows():
    """The sum of rows of four, each clipped to a length of 1, with Laplace noise."""
    return lambda dataset, rng: np.asarray(_released(_clipped_rows(dataset, 2).sum(axis=0)))


def sum_of_rows_mended():
    """The same at the largest sum of absolute values of four numbers whose length is 1, which is 2."""
    return lambda dataset, rng: np.asarray(_released(_clipped_rows(dataset, 2).sum(axis=0), 2.0))


def sum_of_rows_by_absolute_values():
    """The sum of rows of four, each clipped to absolute values that sum up to 1, with Laplace noise."""
    return lambda dataset, rng: np.asarray(_released(_clipped_rows(dataset, 1).sum(axis=0)))
