"""What one client of federatedhplearning sends, as a survey audits it, and copies that are mended.

A dataset is a list of patients: a feature and a label, 0 or 1. A patient who is removed is filled in by a row of
zeros, whose gradient is zero, so that the number of patients is public: the package divides by it.
"""

from __future__ import annotations

import inspect

import federated_hplearning.logistic_numpy as theirs
import numpy as np

PATIENTS, EPSILON, DELTA, CLIP, RATE, EPOCHS = 3, 1.0, 1e-5, 0.5, 0.1, 50


def sent(rows, epochs, **options):
    """The weights and the losses that local_train_dp gives back."""
    table = np.zeros((PATIENTS, 2))
    table[: len(rows)] = np.asarray(rows, dtype=float).reshape(len(rows), 2)
    features, labels = table[:, :1], np.round(table[:, 1])
    return theirs.local_train_dp(features, labels, np.zeros(1), epochs, RATE, EPSILON, DELTA, CLIP, **options)


def one_epoch(rows, rng):
    """The weights after one epoch, with a seed that is drawn."""
    return sent(rows, 1, random_seed=int(rng.integers(2**32)))[0].tolist()


def default_seed(rows, rng):
    """The weights after one epoch, as a user gets them who says no seed."""
    return sent(rows, 1)[0].tolist()


def many_epochs(rows, rng):
    """The weights after fifty epochs, with a seed that is drawn."""
    return sent(rows, EPOCHS, random_seed=int(rng.integers(2**32)))[0].tolist()


def many_epochs_mended():
    """Each epoch's Gaussian has a variance for as many epochs as there are."""
    original = theirs.local_train_dp
    if hasattr(original, "__wrapped__"):  # It is mended already, for a learner before.
        return many_epochs
    source = inspect.getsource(original)
    old = "noise_std = noise_mult * clipping_norm"
    if source.count(old) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    exec(source.replace(old, old + " * np.sqrt(epochs)"), vars(theirs))
    theirs.local_train_dp.__wrapped__ = original
    return many_epochs


def with_losses(rows, rng):
    """The weights after one epoch and the loss that comes with them."""
    weights, losses = sent(rows, 1, random_seed=int(rng.integers(2**32)))
    return [*weights.tolist(), *map(float, losses)]
