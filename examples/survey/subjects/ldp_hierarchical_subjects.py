# ruff: noqa: NPY002 (what is audited draws from the generators of NumPy and Python themselves)
"""The client side of LDP_hierarchical_mechanism, as a survey audits it, and a copy that is mended.

A dataset is one user's value, from 0 to 3: a tree of branching 2 has two levels below the root.
"""

import inspect
import random
import textwrap

import numpy as np
from hierarchical_mechanism_LDP import mechanism
from hierarchical_mechanism_LDP.mechanism import Private_TreeBary

EPSILON = 1.0
CALL = "client.privatise(interval_index)"


class Overheard:
    """A server that keeps what it was sent."""

    def __init__(self, level, sent):
        self.level, self.sent = level, sent

    def aggregate(self, report):
        """Keep it."""
        self.sent.append((self.level, *(int(number) for number in np.ravel(report))))


def client_of(protocol, kind=Private_TreeBary):
    """What one user sends while the tree is updated: a report on a level of chance."""

    def learner(dataset, rng):
        seed = int(rng.integers(2**31))
        random.seed(seed)
        np.random.seed(seed)
        tree = kind(4, 2, EPSILON, protocol=protocol, on_all_levels=False)
        sent = []
        tree.servers = [Overheard(level, sent) for level, _ in enumerate(tree.servers)]
        tree.update_tree(np.ravel(dataset))
        return tuple(number for report in sent for number in report)

    return learner


def unary_encoding_sampled():
    """A level of chance at epsilon, by unary encoding."""
    return client_of("unary_encoding")


def direct_encoding():
    """A level of chance at epsilon, by direct encoding."""
    return client_of("direct_encoding")


def direct_encoding_mended():
    """The same, intervals counted from 1 as pure-ldp wants them."""
    source = textwrap.dedent(inspect.getsource(Private_TreeBary.update_tree))
    if source.count(CALL) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    found = {}
    exec(source.replace(CALL, "client.privatise(interval_index + 1)"), vars(mechanism), found)

    class Mended(Private_TreeBary):
        update_tree = found["update_tree"]

    return client_of("direct_encoding", Mended)
