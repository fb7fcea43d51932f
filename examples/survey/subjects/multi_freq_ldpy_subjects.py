# ruff: noqa: NPY002 (what is audited draws from the generators of NumPy and Python themselves)
"""Clients of multi-freq-ldpy, as a survey audits them, and copies with the smallest change that mends them.

A dataset is one user's value, from 0, or a user's tuple of values.
"""

import functools
import inspect
import random

import numba
import numpy as np
from multi_freq_ldpy.long_freq_est import L_GRR
from multi_freq_ldpy.long_freq_est.dBitFlipPM import dBitFlipPM_Client
from multi_freq_ldpy.long_freq_est.L_SUE import L_SUE_Client
from multi_freq_ldpy.mdim_freq_est import RSpFD_solution
from multi_freq_ldpy.mdim_freq_est.SMP_solution import SMP_GRR_Client
from multi_freq_ldpy.pure_frequency_oracles import SS
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client

EPSILON = 1.0
#: Two attributes of three values each.
SIZES = [3, 3]
REPORTS = 6
AMPLIFIED = "amp_eps = np.log(d * (np.exp(epsilon) - 1) + 1)"
INPUT_FIRST = "            return sub_set\n"


@numba.njit
def _seed_compiled(seed):
    np.random.seed(seed)


def flat(answer):
    """A client's report, which may have parts in parts, as one tuple of numbers."""
    if isinstance(answer, (list, tuple, np.ndarray)):
        return tuple(number for part in answer for number in flat(part))
    return (answer.item() if isinstance(answer, np.generic) else answer,)


def client_of(privatise, what_it_says=flat, first=(0,)):
    """The learner that hands a user's record to a client, whose randomness is that of NumPy and of compiled code.

    A first call is made here, in which clients are compiled: it takes seconds.
    """

    def learner(dataset, rng):
        seed = int(rng.integers(2**31))
        random.seed(seed)
        np.random.seed(seed)
        _seed_compiled(seed + 1)
        record = [int(value) for value in np.ravel(dataset)]
        return what_it_says(privatise(record if len(record) > 1 else record[0]))

    learner(first, np.random.default_rng(0))
    return learner


@functools.cache
def changed(module, function, as_it_is, as_it_should_be):
    """A function of theirs with one place of its source changed."""
    there = getattr(module, function)
    source = inspect.getsource(getattr(there, "py_func", there))
    if source.count(as_it_is) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    names = dict(vars(module))
    exec(source.replace(as_it_is, as_it_should_be), names)
    return names[function]


def randomized_response():
    """Generalised randomised response over four values."""
    return client_of(lambda value: GRR_Client(value, 4, EPSILON))


def bit_flips():
    """One report of dBitFlipPM: four values in four buckets, two bits."""
    return client_of(lambda value: dBitFlipPM_Client(value, 4, 4, 2, EPSILON))


def sampled_attribute():
    """SMP: one attribute is drawn and reported."""
    return client_of(lambda record: SMP_GRR_Client(record, SIZES, 2, EPSILON), first=(0, 0))


def subset_selection():
    """Subset selection among six values: two values are reported."""
    return client_of(lambda value: SS.SS_Client(value, 6, EPSILON))


def subset_selection_mended():
    """The same with its subset shuffled, as the authors' later ldp-toolbox does."""
    mended = changed(SS, "SS_Client", INPUT_FIRST, f"            np.random.shuffle(sub_set)\n{INPUT_FIRST}")
    return client_of(lambda value: mended(value, 6, EPSILON))


def fake_data_response():
    """RS+FD with randomised response: one attribute is drawn and reported, of the others uniform values."""
    return client_of(lambda record: RSpFD_solution.RSpFD_GRR_Client(record, SIZES, 2, EPSILON), first=(0, 0))


def fake_data_response_mended():
    """The same at epsilon, not at the amplified epsilon."""
    mended = changed(RSpFD_solution, "RSpFD_GRR_Client", AMPLIFIED, "amp_eps = epsilon")
    return client_of(lambda record: mended(record, SIZES, 2, EPSILON), first=(0, 0))


def one_report():
    """One report of L-SUE, at the epsilon of a single report."""
    return client_of(lambda value: L_SUE_Client(value, 3, 2.0, EPSILON))


def reports(client):
    """How often each of three values is reported, in six reports of one user at eps_perm 1 and eps_1 0.8."""
    return lambda value: np.bincount([client(value, 3, EPSILON, 0.8) for _ in range(REPORTS)], minlength=3)


def many_reports():
    """Six reports of one user by L-GRR, whose value does not change."""
    return client_of(reports(L_GRR.L_GRR_Client))


def many_reports_mended():
    """The same with the first round kept for the user, which is what makes it permanent."""

    first_round = "GRR_Client(input_data, k, eps_perm)"
    client = changed(L_GRR, "L_GRR_Client", first_round, "kept")

    def privatise(value):
        client.__globals__["kept"] = GRR_Client(value, 3, EPSILON)
        return reports(client)(value)

    return client_of(privatise)
