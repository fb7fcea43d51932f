# ruff: noqa: NPY002 (what is audited draws from the generators of NumPy and Python themselves)
"""Clients of privadjust, as a survey audits them: a dataset is one user's value."""

import random

import numpy as np
import pandas as pd
from privadjust.count_mean.private_cms_client import privateCMSClient
from privadjust.hadamard_count_mean.private_hcms_client import privateHCMSClient

EPSILON = 1.0
VALUES = pd.DataFrame({"value": [1, 2, 3]})


def client_of(kind):
    """The learner of a client whose hash functions, which are public, stay."""
    random.seed(0)
    np.random.seed(0)
    client = kind(EPSILON, 2, 4, VALUES)

    def learner(dataset, rng):
        seed = int(rng.integers(2**31))
        random.seed(seed)
        np.random.seed(seed)
        client.client_matrix.clear()
        report, *places = client.client(int(np.ravel(dataset)[0]))
        return tuple(int(number) for number in (*np.ravel(report), *places))

    return learner


def count_mean_sketch():
    """The private count mean sketch, two hash functions to four places."""
    return client_of(privateCMSClient)


def hadamard_count_mean_sketch():
    """The private Hadamard count mean sketch."""
    return client_of(privateHCMSClient)
