"""smartnoise-synth, as a survey audits it: its scaler and MWEM, and copies with the smallest changes that mend them."""

import contextlib
import inspect
import io
import textwrap
import warnings

import numpy as np
import snsynth.mwem as weighting
import snsynth.transform.standard as scaling
from snsynth.mwem import MWEMSynthesizer
from snsynth.transform import BinTransformer, StandardScaler, TableTransformer

EPSILON = 1.0
BINS = 3


THEIRS = {
    name: textwrap.dedent(inspect.getsource(getattr(owner, name)))
    for owner, name in (
        (StandardScaler, "_fit_finish"),
        (MWEMSynthesizer, "_histogram_from_data_attributes"),
        (MWEMSynthesizer, "mwem"),
    )
}


def _changed(module, owner, name, *changes):
    """A method from its source with some texts in the place of others."""
    source = THEIRS[name]
    for old, new in changes:
        if old not in source:
            raise RuntimeError(f"{old!r}, which is mended here, is not in this version")
        source = source.replace(old, new)
    found = {}
    exec(source, vars(module), found)
    setattr(owner, name, found[name])


def _rows(dataset):
    return [(float(value),) for value in np.ravel(dataset)]


def scaler(dataset, rng):
    """Mean and variance of one column from 0 to 10, whose bounds are given."""
    fitted = StandardScaler(lower=0.0, upper=10.0)
    TableTransformer([fitted]).fit(_rows(dataset), epsilon=EPSILON)
    return np.array([float(fitted.mean), float(fitted.var)])


def scaler_mended():
    """The same at distance 2, which is that of two tables of the same size of which one row differs."""
    _changed(scaling, StandardScaler, "_fit_finish", ("d_in=1", "d_in=2"))
    return scaler


def _fitted(dataset, rng):
    np.random.seed(int(rng.integers(2**31 - 1)))  # noqa: NPY002  (theirs draws from it)
    table = TableTransformer([BinTransformer(bins=BINS, lower=0.0, upper=float(BINS))])
    synthesizer = MWEMSynthesizer(epsilon=EPSILON, iterations=1, mult_weights_iterations=5)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        synthesizer.fit(_rows(dataset), transformer=table, continuous_columns=[0])
    return synthesizer


def mwem_rows(dataset, rng):
    """Ten synthetic rows of one column in three bins, whose bounds are given: how many are in each bin."""
    drawn = np.ravel(np.asarray(_fitted(dataset, rng).sample(10), dtype=float)).astype(int)
    return np.bincount(drawn, minlength=BINS)


def _all_bins():
    weighting.BINS = BINS
    _changed(
        weighting,
        MWEMSynthesizer,
        "_histogram_from_data_attributes",
        ("min_c = min(column)", "min_c = 0"),
        ("max_c = max(column)", "max_c = BINS - 1"),
        ("bins=dims_sizes)", "bins=dims_sizes, range=[(0, size - 1) for size in dims_sizes])"),
    )


def mwem_rows_mended():
    """The same with the bins that the transformer has, whichever of them the data are in."""
    _all_bins()
    return mwem_rows
