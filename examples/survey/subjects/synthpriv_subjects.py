"""synthpriv, as a survey audits it: its private marginals and copula, and copies with the smallest changes that mend.

synthpriv imports torch, opacus and SDV for generators that are not audited here; modules without content stand for
them, so that these need not be there.
"""

import importlib
import inspect
import logging
import sys
import textwrap
import types
from pathlib import Path

import numpy as np
import pandas as pd

EPSILON = 1.0
CATEGORIES = ["x", "y", "z"]
_SEEDS = 2**31 - 1


def _theirs(name):
    """A module of theirs."""
    if "synthpriv" not in sys.modules:
        importlib.import_module("scipy.stats")  # before a torch without content is there, which it asks for more
        folder = Path(next(path for path in sys.path if (Path(path) / "synthpriv").is_dir())) / "synthpriv"
        for package, place in (("synthpriv", folder), ("synthpriv.dp", folder / "dp")):
            sys.modules[package] = types.ModuleType(package)
            sys.modules[package].__path__ = [str(place)]
        sys.modules["torch"] = types.ModuleType("torch")
        importlib.import_module("synthpriv.dp.copula")
        del sys.modules["torch"]  # scipy asks for what a whole one has
        logging.disable(logging.INFO)
    return importlib.import_module(f"synthpriv.{name}")


THEIR_FIT = textwrap.dedent(inspect.getsource(_theirs("dp.copula").DPCopulaGenerator.fit))


def _fit_changed(*changes):
    """The copula's ``fit`` from its source with some texts in the place of others."""
    source = THEIR_FIT
    for old, new in changes:
        if source.count(old) != 1:
            raise RuntimeError(f"{old!r}, which is mended here, is not in this version")
        source = source.replace(old, new)
    found = {}
    exec("from __future__ import annotations\n" + source, vars(_theirs("dp.copula")), found)
    _theirs("dp.copula").DPCopulaGenerator.fit = found["fit"]


def _marginal(dataset, rng):
    values = np.asarray(dataset, dtype=float).ravel()
    return np.diff(_theirs("privacy.dpecdf").DPEcdf(epsilon=EPSILON, bins=3, bounds=(0.0, 3.0)).fit(values, rng)._cdf)


def marginal(dataset, rng):
    """The distribution of one column from 0 to 3 in three bins, bounds given, noise from a generator that is given."""
    return _marginal(dataset, rng)


def marginal_by_default(dataset, rng):
    """The same without a generator, which ``fit`` does not ask for."""
    return _marginal(dataset, None)


def _copula(table, **options):
    bounds = {"a": (0.0, 3.0), "b": (0.0, 3.0)}
    privacy = _theirs("privacy.mechanisms").DPSGD(epsilon=EPSILON)
    return _theirs("dp.copula").DPCopulaGenerator(privacy=privacy, bins=3, bounds=bounds, **options).fit(table)


def _numbers(dataset):
    return pd.DataFrame(np.asarray(dataset, dtype=float).reshape(-1, 2), columns=["a", "b"])


def _marginals(fitted):
    return np.concatenate([np.diff(one._cdf) for one in fitted._ecdfs])


def copula_by_default(dataset, rng):
    """The two marginals of a table of two columns, without an argument ``random_state``."""
    return _marginals(_copula(_numbers(dataset)))


def copula_by_default_mended(dataset, rng):
    """The same with a seed that nobody knows."""
    return _marginals(_copula(_numbers(dataset), random_state=int(rng.integers(_SEEDS))))


def correlation(dataset, rng):
    """The correlation of two columns of numbers."""
    return float(_copula(_numbers(dataset), random_state=int(rng.integers(_SEEDS)))._corr[0, 1])


def correlation_mended():
    """The same with a bound for scores that no table changes, and noise for a mean that may move from one end to the
    other."""
    _fit_changed(
        ("float(norm.ppf((n - 0.5) / n)) if n > 2 else 1.0", "1.0"),
        ("scale = (B * B / max(n, 2)) / eps_entry", "scale = 2 * B * B / eps_entry"),
    )
    return correlation


def categories(dataset, rng):
    """One column of three categories: their probabilities, 0 for one that is not there."""
    table = pd.DataFrame({"c": [CATEGORIES[int(value)] for value in np.ravel(dataset)]})
    keys, probabilities = _copula(table, random_state=int(rng.integers(_SEEDS)))._cat_probs["c"]
    found = dict(zip(keys, probabilities, strict=True))
    return np.array([found.get(one, -1.0) for one in CATEGORIES])


def categories_mended():
    """The same with the categories that the column may have."""
    _theirs("dp.copula").CATEGORIES = CATEGORIES
    _fit_changed(("cats.value_counts().sort_index()", "cats.value_counts().reindex(CATEGORIES, fill_value=0)"))
    return categories
