"""hll_py's locally private sketch, as a survey audits it: a dataset is one user's word."""

import random

import numpy as np
from hll_py.Hasher import str_to_u64
from hll_py.HyperLogLog import SketchConfig
from hll_py.HyperLogLogLDP import HyperLogLogLDP

EPSILON = 1.0
WORDS = ("apple", "bread", "cheese")


def reported(sketch):
    """Which of the words the hash that a user reports is that of; -1 for none."""
    (found,) = sketch.reported_item_hashes
    known = [str_to_u64(word) for word in WORDS]
    return known.index(found) if found in known else -1


def client_of(kind):
    """The learner that inserts a user's word."""

    def learner(dataset, rng):
        random.seed(int(rng.integers(2**31)))
        sketch = kind(SketchConfig(epsilon=EPSILON))
        sketch.insert_segments([WORDS[int(np.ravel(dataset)[0])]])
        return reported(sketch)

    return learner


def sketch():
    """The hash that a user reports."""
    return client_of(HyperLogLogLDP)


class Mended(HyperLogLogLDP):
    """The true hash with the probability that epsilon allows among 2**64 answers."""

    def _random_or_true_hash(self, segment):
        more = np.expm1(self.cfg.epsilon)
        p_true = more / (more + 2.0**64)
        return str_to_u64(segment) if random.random() < p_true else random.getrandbits(64)


def sketch_mended():
    """The same with randomised response over all hashes."""
    return client_of(Mended)
