"""DataSynthesizer, as a survey audits it: tables of one or two columns, and copies with the smallest changes that mend.

Data types, keys, categories and ranges are given in the arguments that DataSynthesizer has for them, so that nothing is
left to be read from the data. The answer is what stands in the description that is shared.
"""

import contextlib
import inspect
import io
import json
import textwrap

import DataSynthesizer.DataDescriber
import DataSynthesizer.datatypes.AbstractAttribute
import DataSynthesizer.lib.PrivBayes
import numpy as np
import pandas as pd

describing = DataSynthesizer.DataDescriber
attributes = DataSynthesizer.datatypes.AbstractAttribute
network = DataSynthesizer.lib.PrivBayes

EPSILON = 1.0
CATEGORIES = {"a": [0, 1, 2], "b": [0, 1, 2]}
_SEEDS = 2**31 - 1


class _HereAndNow:
    """A pool without processes, which would cost most of the time of a call of two columns."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def map(self, work, tasks):
        return [work(task) for task in tasks]


THEIRS = {
    name: textwrap.dedent(inspect.getsource(getattr(owner, name)))
    for owner, name in (
        (attributes.AbstractAttribute, "infer_distribution"),
        (describing.DataDescriber, "describe_dataset_in_correlated_attribute_mode"),
        (network, "get_noisy_distribution_of_attributes"),
        (network, "greedy_bayes"),
        (network, "laplace_noise_parameter"),
    )
}


def _made_quick():
    """What the file of categories says is handed over, and types that are given are not looked for again."""
    network.Pool = _HereAndNow
    describing.utils.read_json_file = json.loads
    describing.utils.infer_numerical_attributes_in_dataframe = lambda _: set()


def _changed(module, name, *changes, owner=None):
    """The function of a module, or of a class in it, from its source with some texts in the place of others."""
    source = THEIRS[name]
    for old, new in changes:
        if source.count(old) != 1:
            raise RuntimeError(f"{old!r}, which is mended here, is not in this version")
        source = source.replace(old, new)
    found = {}
    exec(source, vars(module), found)
    setattr(module if owner is None else owner, name, found[name])


def _file(table):
    return io.StringIO(table.to_csv(index=False))


def _described(table, how, given=None, epsilon=EPSILON, **arguments):
    _made_quick()
    columns = list(table)
    describer = describing.DataDescriber(histogram_bins=3)
    arguments = {
        "attribute_to_datatype": dict.fromkeys(columns, "Integer"),
        "attribute_to_is_categorical": dict.fromkeys(columns, True),
        "attribute_to_is_candidate_key": dict.fromkeys(columns, False),
        "categorical_attribute_domain_file": json.dumps(CATEGORIES),
        **(given or {}),
        **arguments,
    }
    with contextlib.redirect_stdout(io.StringIO()):
        getattr(describer, f"describe_dataset_in_{how}_attribute_mode")(_file(table), epsilon=epsilon, **arguments)
    return describer.data_description


def _one_column(dataset):
    return pd.DataFrame({"a": np.asarray(dataset, dtype=int).ravel()})


def _probabilities(description, column):
    return [float(one) for one in description["attribute_description"][column]["distribution_probabilities"]]


def independent(dataset, rng):
    """One column of three categories, a seed that nobody knows."""
    return np.array(
        _probabilities(_described(_one_column(dataset), "independent", seed=int(rng.integers(_SEEDS))), "a")
    )


def independent_by_default(dataset, rng):
    """The same without an argument ``seed``, as the notebooks call it."""
    return np.array(_probabilities(_described(_one_column(dataset), "independent"), "a"))


def independent_numbers(dataset, rng):
    """One column of numbers from 0 to 3, whose range is given."""
    given = {
        "attribute_to_datatype": {"a": "Float"},
        "attribute_to_is_categorical": {"a": False},
        "numerical_attribute_ranges": {"a": [0.0, 3.0]},
        "categorical_attribute_domain_file": None,
    }
    table = pd.DataFrame({"a": np.asarray(dataset, dtype=float).ravel()})
    return np.array(_probabilities(_described(table, "independent", given, seed=int(rng.integers(_SEEDS))), "a"))


def independent_by_default_mended(dataset, rng):
    """With a seed from the system in the place of 0."""
    return independent(dataset, rng)


def with_missing(dataset, rng):
    """One column of two categories; the value 2 stands for one that is missing."""
    table = _one_column(dataset).astype(float)
    table.loc[table["a"] == 2, "a"] = np.nan
    table["kept"] = 0  # a line without any value would not be read
    given = {
        "attribute_to_is_candidate_key": {"a": False, "kept": True},
        "attribute_to_datatype": {"a": "Integer", "kept": "Integer"},
    }
    seed = int(rng.integers(_SEEDS))
    return np.array(_probabilities(_described(table, "independent", given, seed=seed), "a"))


def with_missing_mended():
    """The same where the counts are divided by the number of rows, for which the noise is made."""
    _changed(
        attributes,
        "infer_distribution",
        ("utils.normalize_given_distribution(distribution)", "np.asarray(distribution, dtype=float) / self.data.size"),
        owner=attributes.AbstractAttribute,
    )
    return with_missing


def active_domain(dataset, rng):
    """One column without a file of categories: which of three are in the description."""
    given = {"categorical_attribute_domain_file": None}
    description = _described(_one_column(dataset), "independent", given, seed=int(rng.integers(_SEEDS)))
    return np.isin([0, 1, 2], description["attribute_description"]["a"]["distribution_bins"]).astype(int)


def _table(values):
    return pd.DataFrame({"a": values // 3, "b": values % 3})


def cells(dataset, rng):
    """Two columns of three categories: of how many the root's distribution tells, and with what probabilities."""
    table = _table(np.asarray(dataset, dtype=int).ravel())
    description = _described(table, "correlated", k=1, seed=int(rng.integers(_SEEDS)))
    root = description["conditional_probabilities"][description["bayesian_network"][0][1][0]]
    return np.array(root + [-1.0] * (3 - len(root)))


def cells_mended():
    """The same where the cells are those of the categories that are given."""
    network.CELLS = {name: len(of) for name, of in CATEGORIES.items()}
    _changed(
        network,
        "get_noisy_distribution_of_attributes",
        ("range(int(encoded_dataset[attr].max()) + 1)", "range(CELLS[attr])"),
    )
    return cells


def correlated(dataset, rng):
    """Two columns of three categories each: the probabilities of the description."""
    # A row that stays has the last categories, so that the number of cells is the same for all.
    table = _table(np.append(np.asarray(dataset, dtype=int).ravel(), 8))
    description = _described(table, "correlated", epsilon=4.0, k=1, seed=int(rng.integers(_SEEDS)))
    (child, (root,)), *_ = description["bayesian_network"]
    conditional = description["conditional_probabilities"]
    parts = [[float(root == "b")], _probabilities(description, "a"), _probabilities(description, "b")]
    parts += [conditional[root], *conditional[child].values()]
    return np.concatenate([np.asarray(part, dtype=float) for part in parts])


def _there(name, *changes):
    """Those of the changes whose text is in this version."""
    return [(old, new) for old, new in changes if old in THEIRS[name]]


def correlated_mended():
    """The same with a third of epsilon for each of three parts, counts that change by 2, and fresh noise for each."""
    name, start = "describe_dataset_in_correlated_attribute_mode", f"dataset_file,\n{' ' * 56}epsilon"
    _changed(
        describing,
        name,
        (f"{start},", f"{start} / 3,"),
        ("self.df_encoded, epsilon / 2)", "self.df_encoded, epsilon / 3)"),
        *_there(name, ("k, epsilon / 2, seed=seed)", "k, epsilon / 3, seed=seed)")),
        *_there(name, ("k, epsilon / 2)", "k, epsilon / 3)")),
        owner=describing.DataDescriber,
    )
    _changed(network, "greedy_bayes", *_there("greedy_bayes", ("    set_random_seed(seed)\n", "")))
    # Up to 0.1.6 the counts had the noise of frequencies.
    name, scale = "laplace_noise_parameter", "2 * (num_attributes - k) / epsilon"
    before = [
        f"return {one}" for one in ("2 * (num_attributes - k) / (num_tuples * epsilon)", scale.removeprefix("2 * "))
    ]
    _changed(network, name, *_there(name, *((one, f"return {scale}") for one in before)))
    describing.greedy_bayes = network.greedy_bayes
    return correlated
