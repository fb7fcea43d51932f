"""Learners of distributed-random-forest, as a survey audits them, and a copy that mends one."""

import inspect
import textwrap

import distributed_random_forest.models.dp_rf as theirs
import numpy as np

EPSILON = 1.0
PROBE = np.linspace(0.05, 0.95, 10)[:, np.newaxis]
THEIR_TREE = textwrap.dedent(inspect.getsource(theirs.DPRandomForest._build_dp_tree))
THEIR_FIT = textwrap.dedent(inspect.getsource(theirs.DPRandomForest.fit))
MENDED_LINES = {
    "tree.fit(X_boot, y_boot)\n": (
        "tree.fit(rng.random((64, n_features)), np.arange(64) % 2)\n"
        "    leaves = tree.apply(X)\n"
        "    for leaf in range(tree.tree_.node_count):\n"
        "        tree.tree_.value[leaf, 0, :] = np.bincount(y[leaves == leaf].astype(int), minlength=2)\n"
    ),
}


def forest(**settings):
    """The labels that a forest of one tree gives ten public rows."""

    def learner(dataset, rng):
        rows, labels = dataset
        model = theirs.DPRandomForest(
            n_estimators=1, max_depth=1, n_jobs=1, epsilon=EPSILON, random_state=int(rng.integers(2**31)), **settings
        )
        model.fit(rows, np.asarray(labels).astype(int))
        return np.asarray(model.predict(PROBE), float)

    return learner


def forest_gaussian():
    """The same with their Gaussian noise."""
    return forest(dp_mechanism="gaussian")


def forest_mended():
    """The same with splits and classes that are not learnt, and counts of all rows instead of a bootstrap."""
    text = THEIR_TREE
    for old, new in MENDED_LINES.items():
        if text.count(old) != 1:
            raise RuntimeError("a line that is mended here is not in this version")
        text = text.replace(old, new)
    names = {}
    exec(text, vars(theirs), names)
    exec(THEIR_FIT.replace("np.unique(y)", "np.arange(2)"), vars(theirs), names)
    theirs.DPRandomForest._build_dp_tree = names["_build_dp_tree"]
    theirs.DPRandomForest.fit = names["fit"]
    return forest()


def summary():
    """How many rows of class 1 the summary names that a client sends with its model."""

    def learner(dataset, rng):
        rows, labels = dataset
        client = theirs.DPClientRF("one", epsilon=EPSILON, rf_params={"n_estimators": 1, "n_jobs": 1, "max_depth": 1})
        client.train(rows, np.asarray(labels).astype(int))
        return float(client.summary()["class_distribution"].get("1", 0))

    return learner


def summary_mended():
    """The same without the exact numbers."""
    theirs.compute_class_distribution = lambda labels, classes: {}
    return summary()
