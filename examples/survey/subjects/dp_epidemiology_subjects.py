"""Learners of DP_epidemiology, as a survey audits them, and copies with the smallest changes that mend them."""

import inspect
from datetime import datetime, timedelta

import DP_epidemiology.utilities as theirs
import numpy as np
import pandas as pd
from DP_epidemiology.hotspot_analyzer import hotspot_analyzer
from DP_epidemiology.pandemic_adherence_analyzer import pandemic_adherence_analyzer

EPSILON = 1.0
SMALL_EPSILON = 0.1
START = datetime(2020, 9, 1)
WEEKS = tuple(START + timedelta(days=7 * week) for week in range(4))
POSTAL_CODES = ("500001", "500002")
ONE = "dp.m.then_laplace(1.)"
OVER_EPSILON = "dp.m.then_laplace(1 / epsilon)"
ONLY_THOSE_SEEN = "return df.groupby(by)[column].sum()"
#: Read here, for a mended copy may be made twice.
SUMS, COUNTS = inspect.getsource(theirs.make_sum_by), inspect.getsource(theirs.make_private_count)
ALL = "return df.groupby(by)[column].sum().reindex(pd.DatetimeIndex(WEEKS, name=by), fill_value=0)"


def _table(rows):
    """Rows of (number of transactions, postal code, week)."""
    numbers, codes, weeks = zip(*rows, strict=True)
    return pd.DataFrame(
        {
            "nb_transactions": np.array(numbers, dtype=int),
            "merch_postal_code": codes,
            "date": [WEEKS[week] for week in weeks],
            "transaction_type": "OFFLINE",
            "merch_category": "Hospitals",
        }
    )


def stages():
    """Weekly numbers of transactions (records: the week of one row of 600); -1 where a week is left out."""

    def learner(dataset, rng):
        rows = [(600, POSTAL_CODES[0], int(week)) for week in np.ravel(dataset)]
        found = pandemic_adherence_analyzer(_table(rows), WEEKS[0], WEEKS[-1], "Medellin", "essential", EPSILON)
        by_week = dict(zip(pd.to_datetime(found["date"]), found["nb_transactions"], strict=True))
        return np.array([float(by_week.get(pd.Timestamp(week), -1)) for week in WEEKS])

    return learner


def stages_mended():
    """The same with all weeks between the dates that are asked for."""
    if SUMS.count(ONLY_THOSE_SEEN) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    theirs.WEEKS = WEEKS
    exec(SUMS.replace(ONLY_THOSE_SEEN, ALL), vars(theirs))
    return stages()


def hotspots():
    """Numbers of transactions by postal code in one week, both codes always there, as they are public."""

    def learner(dataset, rng):
        rows = [(number, POSTAL_CODES[0], 0) for number in np.ravel(dataset)]
        rows += [(0, code, 0) for code in POSTAL_CODES]
        found = hotspot_analyzer(_table(rows), WEEKS[0], WEEKS[1], "Medellin", EPSILON)
        return found.sort_values("merch_postal_code")["nb_transactions"].to_numpy().astype(float)

    return learner


def postal_codes():
    """How many postal codes of a city have transactions (records: the last digit of a row's code)."""

    def learner(dataset, rng):
        frame = pd.DataFrame({"city": "Medellin", "merch_postal_code": 500000.0 + np.ravel(dataset)})
        return float(theirs.make_private_count("city", "Medellin", SMALL_EPSILON)(frame))

    return learner


def postal_codes_mended():
    """The same with noise for the epsilon that is asked for."""
    if COUNTS.count(ONE) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    exec(COUNTS.replace(ONE, OVER_EPSILON), vars(theirs))
    return postal_codes()
