"""dpmm, as a survey audits it: its pipelines and mechanisms with domains given, and copies that are mended."""

import inspect
import logging
import textwrap
import warnings

import dpmm.models.mst as spanning
import dpmm.models.priv_bayes as network
import dpmm.processing.table_binner as tables
import numpy as np
import pandas as pd
from dpmm.models.base.mechanisms import mechanism
from dpmm.models.mst import MST
from dpmm.models.priv_bayes import PrivBayes
from dpmm.pipelines import PrivBayesPipeline
from dpmm.processing.binners import PrivTreeBinner

EPSILON, DELTA = 1.0, 1e-3
CATEGORIES = ["x", "y", "z"]
#: The rows that stay, in the table of which one row is another's.
STAYING = 1000


THEIRS = {
    name: textwrap.dedent(inspect.getsource(getattr(owner, name)))
    for owner, name in ((tables.TableBinner, "fit"), (network.MI, "__call__"))
}
RHO = {epsilon: mechanism.cdp_rho(epsilon, DELTA) for epsilon in (EPSILON, EPSILON / 2)}


def _rho(epsilon, delta):
    """What theirs computes, once and for all: it would take most of a call's time."""
    return RHO[epsilon] if delta == DELTA else None


def _state(rng):
    mechanism.cdp_rho = network.cdp_rho = spanning.cdp_rho = _rho
    logging.disable(logging.WARNING)
    return np.random.RandomState(int(rng.integers(2**31 - 1)))


def _changed(module, owner, name, *changes):
    """A method from its source with some texts in the place of others."""
    source = THEIRS[name]
    for old, new in changes:
        if source.count(old) != 1:
            raise RuntimeError(f"{old!r}, which is mended here, is not in this version")
        source = source.replace(old, new)
    found = {}
    exec(source, vars(module), found)
    setattr(owner, name, found[name])


def rows(dataset, rng):
    """Ten synthetic rows of a table of one column of three categories, which are given, and one that nobody changes."""
    values = np.ravel(np.asarray(dataset, dtype=int))
    table = pd.DataFrame(
        {"a": [CATEGORIES[one] for one in values], "b": [("p", "q")[i % 2] for i in range(len(values))]}
    )
    domain = {"a": {"categories": CATEGORIES}, "b": {"categories": ["p", "q"]}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pipeline = PrivBayesPipeline(
            epsilon=EPSILON, delta=DELTA, proc_epsilon=None, n_jobs=1, compress=False, gen_kwargs={"n_iters": 5}
        )
        pipeline.fit(table, domain, random_state=_state(rng))
        drawn = pipeline.generate(n_records=10, random_state=_state(rng))["a"]
    return np.array([int((drawn == one).sum()) for one in CATEGORIES])


def rows_mended():
    """The same where a column whose categories are given is kept, also where the data have one of them only."""
    _changed(
        tables,
        tables.TableBinner,
        "fit",
        (
            "(series.nunique(dropna=False) == 1)",
            '(series.nunique(dropna=False) == 1 and "categories" not in self.domain.get(col, {}))',
        ),
    )
    return rows


def chosen_pairs(dataset, rng):
    """Which pairs of three columns PrivBayes chooses, of a thousand rows of zeros that stay and those of the dataset.

    A row is a number from 0 to 7, whose three digits are its entries.
    """
    values = np.append(np.ravel(np.asarray(dataset, dtype=int)), np.zeros(STAYING, dtype=int))
    table = pd.DataFrame({"a": values // 4, "b": values // 2 % 2, "c": values % 2})
    made = PrivBayes(epsilon=EPSILON, delta=DELTA, prng=_state(rng), n_jobs=1, domain=dict.fromkeys("abc", 2))
    made.fit(table, marginals_only=True)
    pairs = {tuple(sorted(one)) for one in made.cliques if len(one) == 2}
    return np.array([("a", "b") in pairs, ("a", "c") in pairs, ("b", "c") in pairs]).astype(int)


def chosen_pairs_mended():
    """The same with the mutual information, in nats, for which the noise is made."""
    _changed(
        network, network.MI, "__call__", ("(e_1 + e_2 - e_1_2) / np.sqrt(e_1 * e_2)", "(e_1 + e_2 - e_1_2) * np.log(2)")
    )
    return chosen_pairs


def measured(dataset, rng):
    """The noisy counts that MST has of one column of three categories."""
    table = pd.DataFrame({"a": np.ravel(np.asarray(dataset, dtype=int))})
    made = MST(epsilon=EPSILON, delta=DELTA, compress=False, domain={"a": 3}, prng=_state(rng), n_jobs=1)
    made.fit(table, marginals_only=True)
    return np.asarray(made.measures[0][1], dtype=float)


def bins(dataset, rng):
    """The edges of at most four bins that PrivTree makes of numbers from 0 to 4, bounds given."""
    binner = PrivTreeBinner(n_bins=4, epsilon=EPSILON, lower=0.0, upper=4.0)
    binner.fit(np.ravel(np.asarray(dataset, dtype=float)))
    edges = [float(edge) for edge in binner.bins]
    return np.array(edges + [-1.0] * (5 - len(edges)))
