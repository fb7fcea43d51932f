"""SynthHub, as a survey audits it: its own marginals and DataSynthesizer behind it, with a schema that is public."""

import numpy as np
import pandas as pd
from synthhub import Synthesizer
from synthhub.schema import ColumnSpec, Schema

EPSILON = 1.0
SCHEMA = Schema(columns=(ColumnSpec("a", "categorical", "int64", categories=(0, 1, 2)),), source="public")
_SEEDS = 2**31 - 1


def _fitted(dataset, method, **options):
    table = pd.DataFrame({"a": np.asarray(dataset, dtype=int).ravel()})
    return Synthesizer(method=method, epsilon=EPSILON, schema=SCHEMA, **options).fit(table)


def independent(dataset, rng):
    """The distribution of one column of three categories, of SynthHub's own backend, without ``random_state``."""
    return _fitted(dataset, "independent").fitted_backend_.probabilities["a"]


def _rows(dataset, rng, **options):
    drawn = _fitted(dataset, "datasynthesizer-independent", **options).sample(10)
    counts = np.bincount(drawn["a"].to_numpy(dtype=int), minlength=3)
    # A coin of our own makes the answers differ: what they keep in a folder for a while is then no question.
    return np.append(counts, rng.integers(2))


def datasynthesizer_by_default(dataset, rng):
    """Ten rows of DataSynthesizer behind SynthHub, without ``random_state``: how many are in each category."""
    return _rows(dataset, rng)


def datasynthesizer_with_a_seed(dataset, rng):
    """The same with a seed that nobody knows."""
    return _rows(dataset, rng, random_state=int(rng.integers(_SEEDS)))
