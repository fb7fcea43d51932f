# ruff: noqa: NPY002 (what is audited draws from the generators of NumPy and Python themselves)
"""Trees of LPDT, as a survey audits them, and copies with the smallest changes that mend them.

Rows are (x, y); public data are the same for all. Shown is what the tree says of a point in each of its leaves.
"""

import inspect
import textwrap

import numpy as np
from LPDT import tree as theirs
from LPDT._estimator import RegressionLaplaceEstimator
from LPDT.tree import LPDTreeRegressor

EPSILON = 1.0
PUBLIC_X = (np.arange(128) / 128.0).reshape(-1, 1)
PUBLIC_Y = PUBLIC_X[:, 0]

RANGE_OF_DATA = "self.Y_range = Y.max() - Y.min()"


def changed(kind, method, *changes):
    """A class with places of one of its methods changed, each change being a pair of texts."""
    source = textwrap.dedent(inspect.getsource(getattr(LPDTreeRegressor, method)))
    for as_it_is, as_it_should_be in changes:
        if source.count(as_it_is) != 1:
            raise RuntimeError("the line that is mended here is not in this version")
        source = source.replace(as_it_is, as_it_should_be)
    found = {}
    exec(source, vars(theirs), found)
    return type("Mended", (kind,), {method: found[method]})


RANGE_GIVEN = changed(LPDTreeRegressor, "fit", (RANGE_OF_DATA, "self.Y_range = 1.0"))


class NoiseOfLabelsOnce(RANGE_GIVEN):
    """Each user's label gets its noise once, as in the paper, and not again for each leaf."""

    def attribute_data(self, X, Y):
        """Noise first, then the leaves without noise of their own on labels."""
        leaves = self.get_all_node()
        noisy = Y + np.random.laplace(scale=leaves[0].noise_level_Y, size=Y.shape)
        for leaf in leaves:
            leaf.noise_level_Y = 0.0
        super().attribute_data(X, noisy)


class MagnitudeCounts(RANGE_GIVEN):
    """Noise for the size of labels, up to 101 here: a user in another leaf changes two sums by that much."""

    def attribute_data(self, X, Y):
        """The scale that labels of this size need, then as they have it."""
        for leaf in self.get_all_node():
            leaf.noise_level_Z = 4 * 101.0 / self.epsilon
        super().attribute_data(X, Y)


def tree_of(kind, depth=3, what_it_says=np.asarray, **more):
    """The learner that fits a tree on the users' rows; shown is its answer at a point in each leaf.

    Leaves are of one size: splits are at middles. A first tree is fitted here, for which code is compiled: it takes
    seconds.
    """
    probe = ((np.arange(2**depth) + 0.5) / 2**depth).reshape(-1, 1)

    def learner(dataset, rng):
        np.random.seed(int(rng.integers(2**31)))
        rows = np.atleast_2d(np.asarray(dataset, dtype=float))
        tree = kind(epsilon=EPSILON, public_X=PUBLIC_X, public_Y=PUBLIC_Y, max_depth=depth, **more)
        tree.fit(rows[:, :1], rows[:, 1])
        return what_it_says(tree.predict(probe))

    learner([(0.5, 0.5)], np.random.default_rng(0))
    return learner


def range_of_labels():
    """The tree as it is: the range of labels is that of the users."""
    return tree_of(LPDTreeRegressor)


def range_of_labels_mended():
    """The same with a range that is given, and noise on a label once."""
    return tree_of(NoiseOfLabelsOnce)


def below_and_above(answers):
    """How many leaves answer less than any label, and how many more."""
    return int((answers < 0.0).sum()), int((answers > 1.0).sum())


def noise_of_labels():
    """A tree of 32 leaves with a range that is given."""
    return tree_of(RANGE_GIVEN, 5, below_and_above)


def noise_of_labels_mended():
    """The same with noise on a label once."""
    return tree_of(NoiseOfLabelsOnce, 5, below_and_above)


def size_of_labels():
    """The tree of Laplace sums, labels from 100 to 101, their range given."""
    return tree_of(RANGE_GIVEN, estimator="laplace")


def size_of_labels_mended():
    """The same with noise for the size of labels."""
    if "self.noise_level_Z = 2 * Y_range / epsilon" not in inspect.getsource(RegressionLaplaceEstimator):
        raise RuntimeError("the line that is mended here is not in this version")
    return tree_of(MagnitudeCounts, estimator="laplace")
