"""privsyn-core, as a survey audits it: what is measured of tables of a few encoded columns."""

import logging

import numpy as np
import pandas as pd
from privsyn import PrivSynModel, config
from privsyn.rho_cdp import cdp_rho

EPSILON, DELTA = 1.0, 1e-3
# As each fit computes it, which would take most of a call's time.
RHO = cdp_rho(EPSILON, DELTA)


def _fitted(table, domain, seed):
    config.DEPENDENCY_PATH = "/dev/null"  # no file of what was chosen, which is written in each call
    logging.disable(logging.CRITICAL)
    model = PrivSynModel(epsilon=EPSILON, delta=DELTA, rho=RHO, random_state=seed)
    return model.fit(table, domain)._generator


def _two(dataset):
    values = np.asarray(dataset, dtype=int).ravel()
    return pd.DataFrame({"a": values // 2, "b": values % 2})


def one_column(dataset, rng):
    """The noisy counts of one column of three categories."""
    table = pd.DataFrame({"a": np.asarray(dataset, dtype=int).ravel(), "b": 0})
    found = _fitted(table, {"a": 3, "b": 1}, int(rng.integers(2**31 - 1)))
    return np.asarray(found.one_way_marg_dict[("a",)].count, dtype=float)


def measured(dataset, rng):
    """The noisy counts of the pair of two columns of two categories, which has most of the budget."""
    found = _fitted(_two(dataset), {"a": 2, "b": 2}, int(rng.integers(2**31 - 1)))
    return np.concatenate([np.ravel(one.count) for one in found.combined_marg_dict.values()])


def as_in_the_readme(dataset, rng):
    """The same with ``random_state=0``, as the README's example has it."""
    found = _fitted(_two(dataset), {"a": 2, "b": 2}, 0)
    counts = np.concatenate([np.ravel(one.count) for one in found.combined_marg_dict.values()])
    # A coin of our own makes the answers differ: that it looks for a folder is then no question.
    return np.append(counts, rng.integers(2))
