# ruff: noqa: NPY002 (what is audited draws from the generators of NumPy and Python themselves)
"""Clients of pure-ldp, as a survey audits them, and copies with the smallest change that mends them.

A dataset is one user's value, from 1 to the size of the domain, as its README has them.
"""

import inspect
import random
import textwrap

import numpy as np
from pure_ldp.core import generate_hash, generate_hash_funcs
from pure_ldp.frequency_oracles.apple_cms import CMSClient
from pure_ldp.frequency_oracles.direct_encoding import DEClient
from pure_ldp.frequency_oracles.hadamard_response import HadamardResponseClient, HadamardResponseServer
from pure_ldp.frequency_oracles.histogram_encoding import HEClient
from pure_ldp.frequency_oracles.local_hashing import FastLHClient, LHClient
from pure_ldp.frequency_oracles.rappor import RAPPORClient
from pure_ldp.frequency_oracles.rappor import rappor_client as rappor
from pure_ldp.frequency_oracles.unary_encoding import UEClient
from pure_ldp.frequency_oracles.unary_encoding import ue_client as unary
from pure_ldp.heavy_hitters.treehistogram import TreeHistClient
from xxhash import xxh32

EPSILON, DOMAIN = 1.0, 4
WORDS = ("00", "01", "10", "11")


def flat(answer):
    """A client's report, which may have parts in parts, as one tuple of numbers."""
    if isinstance(answer, (list, tuple, np.ndarray, zip)):
        return tuple(number for part in answer for number in flat(part))
    return (answer.item() if isinstance(answer, np.generic) else answer,)


def client_of(privatise, what_it_says=flat):
    """The learner that hands a user's value to a client, whose randomness is Python's and NumPy's own."""

    def learner(dataset, rng):
        seed = int(rng.integers(2**31))
        random.seed(seed)
        np.random.seed(seed)
        return what_it_says(privatise(int(np.ravel(dataset)[0])))

    return learner


def source_of(method, as_it_is, as_it_should_be):
    """The source of a method with one place of it changed."""
    source = textwrap.dedent(inspect.getsource(method))
    if source.count(as_it_is) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    return source.replace(as_it_is, as_it_should_be)


def direct_encoding():
    """Direct encoding, also called generalised randomised response."""
    return client_of(DEClient(EPSILON, DOMAIN).privatise)


def unary_encoding():
    """Symmetric unary encoding."""
    return client_of(UEClient(EPSILON, DOMAIN).privatise)


def unary_encoding_mended():
    """The same as version 1.2.0 has it: the bit of the user's own value starts at 0."""
    line = "    if random.random() < self.p:"
    mended = source_of(UEClient._perturb, line, f"    oh_vec[index] = 0\n{line}")
    found = {}
    exec(mended, vars(unary), found)

    class Mended(UEClient):
        _perturb = found["_perturb"]

    return client_of(Mended(EPSILON, DOMAIN).privatise)


def local_hashing():
    """Optimised local hashing; shown is which values of the domain a report supports, all that a server makes of it."""
    client = LHClient(EPSILON, DOMAIN, use_olh=True)

    def supported(report):
        answer, seed = report
        return tuple(int(xxh32(str(one), seed=seed).intdigest() % client.g == answer) for one in range(DOMAIN))

    return client_of(client.privatise, supported)


def histogram_encoding():
    """Histogram encoding: a vector with Laplace noise."""
    return client_of(HEClient(EPSILON, DOMAIN).privatise, np.asarray)


def hadamard_response_general():
    """Hadamard response at an epsilon above 1; the permutation is public."""
    np.random.seed(0)
    server = HadamardResponseServer(2.0, 6)
    return client_of(HadamardResponseClient(2.0, 6, hash_funcs=server.get_hash_funcs()).privatise)


def count_mean_sketch():
    """Apple's count mean sketch, two hash functions to four places."""
    return client_of(CMSClient(EPSILON, generate_hash_funcs(2, 4), 4).privatise)


def on_words(privatise):
    """The learner of a client of strings: a value is the number of a word of two bits."""
    return client_of(lambda value: privatise(WORDS[value - 1]))


def tree_histogram():
    """TreeHistogram over fast local hashing."""
    client = TreeHistClient(
        EPSILON, fragment_length=1, max_string_length=2, alphabet=["0", "1"], fo_client=FastLHClient(EPSILON, 4, k=2)
    )
    return on_words(client.privatise)


# RAPPOR: a Bloom filter of eight bits, one cohort.
F, BITS = 0.5, 8


def families(hashes):
    """Hash functions as its server makes them: a list of them for each cohort."""
    return [[generate_hash(BITS, seed) for seed in range(hashes)]]


class MendedRappor(RAPPORClient):
    """RAPPOR whose bits are set to 0 too."""

    def _perturb(self, data):
        if not hasattr(self, "mended"):
            line = "            data[i] = 1"
            source = source_of(RAPPORClient._perturb, line[4:], f"{line[4:]}\n        else:\n            data[i] = 0")
            found = {}
            exec(source, vars(rappor), found)
            self.mended = found["_perturb"]
        return self.mended(self, data)


def rappor_client(kind=RAPPORClient):
    """RAPPOR with one hash function; its epsilon is 2 ln 3, as its own convert_f_to_eps says."""
    return client_of(kind(F, BITS, families(1), num_of_cohorts=1).privatise)


def rappor_client_mended():
    """The same with a branch more."""
    return rappor_client(MendedRappor)


def rappor_of_epsilon():
    """RAPPOR with two hash functions and the f that convert_eps_to_f gives for epsilon 1; its bits are mended."""
    client = MendedRappor(F, BITS, families(2), num_of_cohorts=1)
    client.update_params(f=client.convert_eps_to_f(EPSILON), hash_funcs=families(2))
    return client_of(client.privatise)


def rappor_of_epsilon_mended():
    """The same with epsilon shared out among the hash functions, and no rounding to two digits."""
    line = "round(1/(0.5*math.exp(epsilon/2)+0.5), 2)"
    source = source_of(RAPPORClient.convert_eps_to_f, line, "1/(0.5*math.exp(epsilon/(2*2))+0.5)")
    found = {}
    exec(source, vars(rappor), found)
    client = MendedRappor(F, BITS, families(2), num_of_cohorts=1)
    client.update_params(f=found["convert_eps_to_f"](client, EPSILON), hash_funcs=families(2))
    return client_of(client.privatise)
