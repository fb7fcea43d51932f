"""dpart, as a survey audits it: its engines with bounds given, and copies with the smallest changes that mend them."""

import inspect
import sys
import textwrap
import warnings

import dpart.engines.priv_bayes as engine
import dpart.methods.probability_tensor as tensor
import dpart.methods.utils.bin_encoder as binning
import numpy as np
import pandas as pd
import sklearn
from dpart.engines import Independent, PrivBayes

# The package has the class under the module's name.
framework = sys.modules["dpart.dpart"]
EPSILON = 1.0
CATEGORIES = ["x", "y", "z"]


THEIRS = {
    (owner, name): textwrap.dedent(inspect.getsource(getattr(owner, name)))
    for owner, name in (
        (framework.dpart, "normalise"),
        (binning.BinEncoder, "fit"),
        (tensor.ProbabilityTensor, "fit"),
        (PrivBayes, "__init__"),
    )
}


def _changed(module, owner, name, *changes):
    """A method from its source with some texts in the place of others."""
    source = THEIRS[owner, name]
    for old, new in changes:
        if source.count(old) != 1:
            raise RuntimeError(f"{old!r}, which is mended here, is not in this version")
        source = source.replace(old, new)
    found = {}
    exec(source, vars(module), found)
    setattr(owner, name, found[name])


def _fitted(made_by, table, rng, bounds):
    # The scikit-learn that dpart pins took a list where newer ones want a tuple.
    sklearn.set_config(skip_parameter_validation=True)
    np.random.seed(int(rng.integers(2**31 - 1)))  # noqa: NPY002  (theirs draws from it)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = made_by(epsilon=EPSILON, bounds=bounds)
        made.fit(table)
    return made


def numbers(dataset, rng):
    """The least and the largest of 50 synthetic rows of one column of numbers from 0 to 10, bounds given."""
    table = pd.DataFrame({"a": np.asarray(dataset, dtype=float).ravel()})
    rows = _fitted(Independent, table, rng, {"a": {"min": 0.0, "max": 10.0}}).sample(50)["a"]
    return np.array([rows.min(), rows.max()])


def numbers_mended():
    """The same with a scale and bins that are those of the bounds."""
    _changed(
        framework,
        framework.dpart,
        "normalise",
        (
            'feature_range=[self.bounds[col]["min"], self.bounds[col]["max"]])',
            ').fit(np.array([[self.bounds[col]["min"]], [self.bounds[col]["max"]]]))',
        ),
        (
            "df[col] = pd.Series(self.encoders[col].fit_transform(df[[col]])",
            "df[col] = pd.Series(getattr(self.encoders[col], 'transform' if t_dtype == 'float' else 'fit_transform')"
            "(df[[col]].to_numpy())",
        ),
    )
    _changed(
        binning,
        binning.BinEncoder,
        "fit",
        ('encode="ordinal")', 'encode="ordinal", strategy="uniform")'),
        ("self.encoder.fit(data.to_frame())", "self.encoder.fit(pd.DataFrame({data.name: [0.0, 1.0]}))"),
    )
    _same_cells(20)
    return numbers


def _same_cells(count):
    """As many cells for a column as it may have, whatever the data have."""
    _changed(
        tensor,
        tensor.ProbabilityTensor,
        "fit",
        ("shape=list(joint_df.max(axis=0) + 1)", f"shape=[1] + [{count}] * (joint_df.shape[1] - 1)"),
    )


def _categories(made_by, dataset, rng):
    table = pd.DataFrame({"a": [CATEGORIES[int(value)] for value in np.ravel(dataset)]})
    drawn = _fitted(made_by, table, rng, {"a": {"categories": CATEGORIES}}).sample(10)["a"]
    return np.array([int((drawn == one).sum()) for one in CATEGORIES])


def categories(dataset, rng):
    """Ten synthetic rows of one column of three categories, which are given: how many are in each."""
    return _categories(Independent, dataset, rng)


def _known_values(column):
    """A column of all categories: as they are given, or as numbers where they have been replaced by these."""
    if column.dtype.kind not in "OSb":
        return column.to_frame()
    return pd.DataFrame({column.name: CATEGORIES if isinstance(column.iloc[0], str) else [0.0, 1.0, 2.0]})


def categories_mended():
    """The same with the categories that are given, whichever are in the data."""
    binning.known_values = _known_values
    _changed(
        binning,
        binning.BinEncoder,
        "fit",
        ("self.encoder.fit(data.to_frame())", "self.encoder.fit(known_values(data))"),
    )
    _same_cells(3)
    return categories


def all_categories(dataset, rng):
    """The same of a table in whose first three rows each category is once, so that the data have all of them."""
    return _categories(Independent, np.append([0, 1, 2], np.ravel(dataset)), rng)


def network_categories(dataset, rng):
    """Ten synthetic rows of the engine PrivBayes, of a table of two columns: how many are in each category of one."""
    values = np.ravel(np.asarray(dataset, dtype=int))
    table = pd.DataFrame(
        {"a": [CATEGORIES[one] for one in values], "b": [("x", "y")[i % 2] for i in range(len(values))]}
    )
    bounds = {"a": {"categories": CATEGORIES}, "b": {"categories": CATEGORIES}}
    drawn = _fitted(PrivBayes, table, rng, bounds).sample(10)["a"]
    return np.array([int((drawn == one).sum()) for one in CATEGORIES])


def network_categories_mended():
    """The same with the bounds handed on, and the categories that they give."""
    _changed(
        engine,
        PrivBayes,
        "__init__",
        ("super().__init__(", "super(PrivBayes, self).__init__("),
        ("epsilon=epsilon, prediction_matrix", "epsilon=epsilon, bounds=bounds, prediction_matrix"),
    )
    categories_mended()
    return network_categories
