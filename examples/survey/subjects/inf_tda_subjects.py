"""Learners of inf-tda, as a survey audits them, and a copy with the smallest change that mends one."""

import inspect
from itertools import combinations

import InfTDA.mechanism as theirs
import numpy as np
import pandas as pd

BUDGET = (2.0, 1e-6)
CELLS = (("A", "a"), ("A", "b"), ("B", "a"), ("B", "b"))
INDEX = pd.MultiIndex.from_tuples(CELLS)
VISITS = 32
PAIRS = tuple(combinations(range(len(CELLS)), 2))
AS_IT_IS = """    if distinct:
        if privacy_type == "bounded":
            return np.sqrt(2) * m"""
AS_IT_SHOULD_BE = AS_IT_IS.replace("if distinct:", "if True:")
THEIR_SOURCE = inspect.getsource(theirs.get_sensitivity)


def _release(counts, contribution, distinct):
    table = pd.Series(counts, index=INDEX)
    found = theirs.inf_tda(table, BUDGET, contribution, "bounded", distinct)
    return found.reindex(INDEX, fill_value=0).to_numpy().astype(float)


def repeated():
    """Each user visits one of four places 32 times (records: which)."""

    def learner(dataset, rng):
        places = np.ravel(dataset).astype(int)
        return _release(VISITS * np.bincount(places, minlength=len(CELLS)), VISITS, False)

    return learner


def repeated_mended():
    """The same with the sensitivity of m tuples, sqrt(2) m, of their own table."""
    if THEIR_SOURCE.count(AS_IT_IS) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    exec(THEIR_SOURCE.replace(AS_IT_IS, AS_IT_SHOULD_BE), vars(theirs))
    return repeated()


def one_tuple():
    """Each user is in one of four places (records: which)."""

    def learner(dataset, rng):
        return _release(np.bincount(np.ravel(dataset).astype(int), minlength=len(CELLS)), 1, True)

    return learner


def two_tuples():
    """Each user is in two different places of four (records: which two)."""

    def learner(dataset, rng):
        visited = [place for record in np.ravel(dataset).astype(int) for place in PAIRS[record]]
        return _release(np.bincount(visited, minlength=len(CELLS)), 2, True)

    return learner
