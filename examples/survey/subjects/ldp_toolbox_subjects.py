# ruff: noqa: NPY002 (what is audited draws from the generators of NumPy and Python themselves)
"""Protocols of ldp-toolbox, as a survey audits them: a dataset is one user's value, from 0."""

import numba
import numpy as np
from ldp_toolbox.protocols.frequency.grr import GeneralizedRandomizedResponse
from ldp_toolbox.protocols.frequency.lh import LocalHashing
from ldp_toolbox.protocols.frequency.ss import SubsetSelection
from xxhash import xxh32

EPSILON = 1.0


@numba.njit
def _seed_compiled(seed):
    np.random.seed(seed)


def client_of(protocol, what_it_says):
    """The learner of a protocol's client, whose randomness is that of NumPy and of compiled code.

    A first call is made here, in which clients are compiled: it takes seconds.
    """

    def learner(dataset, rng):
        seed = int(rng.integers(2**31))
        np.random.seed(seed)
        _seed_compiled(seed + 1)
        return what_it_says(protocol.obfuscate(int(np.ravel(dataset)[0])))

    learner([0], np.random.default_rng(0))
    return learner


def numbers(report):
    """A report as a tuple of numbers."""
    return tuple(int(number) for number in np.ravel(report))


def subset_selection():
    """Subset selection among six values: two values are reported, in an order of chance."""
    return client_of(SubsetSelection(6, EPSILON), numbers)


def randomized_response():
    """Generalised randomised response over four values."""
    return client_of(GeneralizedRandomizedResponse(4, EPSILON), int)


def local_hashing():
    """Optimised local hashing; shown is which values of the domain a report supports, all that a server makes of it."""
    protocol = LocalHashing(4, EPSILON)

    def supported(report):
        answer, seed = report
        return tuple(int(xxh32(str(one), seed=seed).intdigest() % protocol.g == answer) for one in range(4))

    return client_of(protocol, supported)
