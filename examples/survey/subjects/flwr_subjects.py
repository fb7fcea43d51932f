"""Rounds of Flower with its wrappers for differential privacy, as a survey audits them, and copies that are mended.

A dataset is what the clients of one round send: a row is a client's weight and, where a subject says so, its number
of examples. A second weight, the same for all, keeps an update from being exactly zero: Flower divides by its norm.
The answer is the model that the server releases.
"""

from __future__ import annotations

import logging
import random
from inspect import getsource

import flwr.serverapp.strategy.dp_fixed_clipping as fixed_clipping
import flwr.serverapp.strategy.fedavg as fedavg
import flwr.serverapp.strategy.strategy_utils as aggregation
import flwr.supercore.differential_privacy as clipping
import numpy as np
from flwr.app import ArrayRecord, ConfigRecord, Context, Message, MetricRecord, RecordDict
from flwr.clientapp.mod import LocalDpMod, fixedclipping_mod
from flwr.serverapp.strategy import (
    DifferentialPrivacyClientSideFixedClipping,
    DifferentialPrivacyServerSideAdaptiveClipping,
    DifferentialPrivacyServerSideFixedClipping,
    FedAvg,
)

try:
    from flwr.supercore.privacy_accounting import NeighboringRelation, PrivacyConfig, SamplingMethod
    from flwr.supercore.privacy_accounting.rdp_accountant import RdpAccountant
    from flwr.supercore.task_identity import TaskIdentity
except ImportError:  # Older versions have none of these.
    TaskIdentity = None

CLIPPING_NORM = 1.0
CLIENTS = 3
NOISE = 2.0
FIXED = 1e-3
DELTA = 1e-5
#: Where epsilon is small enough to be told apart by calls.
ACCOUNTED_DELTA = 0.05


def started():
    """What a server does when it starts; here in each call, for the process that calls may not import this module."""
    logging.getLogger("flwr").setLevel(logging.CRITICAL)
    if TaskIdentity is not None:
        TaskIdentity.run_id = TaskIdentity.node_id = TaskIdentity.task_id = 1


class Grid:
    """The clients that are connected, as a strategy asks for them."""

    def __init__(self, clients):
        self.clients = clients

    def get_node_ids(self):
        """Their numbers, from 1 on."""
        return list(range(1, self.clients + 1))


def released(strategy, model, updates, examples, rng, mod=None):
    """The model after one round, as one vector; empty where Flower releases none."""
    started()
    np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002 - what the package draws from
    random.seed(int(rng.integers(2**32)))
    asked = strategy.configure_train(1, ArrayRecord(model), ConfigRecord(), Grid(len(updates)))

    def trained(message, context):
        client = message.metadata.dst_node_id - 1
        metrics = MetricRecord({"num-examples": examples[client]})
        return Message(RecordDict({"arrays": ArrayRecord(updates[client]), "metrics": metrics}), reply_to=message)

    replies = [trained(message, None) if mod is None else mod(message, context_of(), trained) for message in asked]
    arrays, _ = strategy.aggregate_train(1, replies)
    return [] if arrays is None else [float(value) for array in arrays.to_numpy_ndarrays() for value in np.ravel(array)]


def context_of():
    """A client's context, which no modifier here reads."""
    return Context(run_id=1, node_id=1, node_config={}, state=RecordDict(), run_config={})


def weights(rows):
    """What clients send whose first weight is a row's first number."""
    return [[np.array([first, FIXED])] for first in matrix_of(rows)[:, 0]]


def matrix_of(rows):
    """Rows as a matrix; a row of one column may be a number."""
    return np.asarray(rows, dtype=float).reshape(len(rows), -1)


def fixed(rows, rng):
    """Clients of one example each."""
    strategy = DifferentialPrivacyServerSideFixedClipping(FedAvg(), NOISE, CLIPPING_NORM, CLIENTS)
    return released(strategy, [np.zeros(2)], weights(rows), [1] * len(rows), rng)


def client_side(rows, rng):
    """The same where clients clip."""
    strategy = DifferentialPrivacyClientSideFixedClipping(FedAvg(), NOISE, CLIPPING_NORM, CLIENTS)
    return released(strategy, [np.zeros(2)], weights(rows), [1] * len(rows), rng, fixedclipping_mod)


def weighted(rows, rng):
    """Clients of so many examples as the second number says."""
    strategy = DifferentialPrivacyServerSideFixedClipping(FedAvg(), NOISE, CLIPPING_NORM, CLIENTS)
    examples = [max(1, round(count)) for count in matrix_of(rows)[:, 1]]
    return released(strategy, [np.zeros(2)], weights(rows), examples, rng)


def changed(function, places, old, new):
    """Replace a line of a function's source, in the module of the function and wherever else it was imported."""
    if hasattr(function, "__wrapped__"):  # It is mended already, for a learner before.
        return
    source = getsource(function)
    if source.count(old) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    module = places[0]
    exec(source.replace(old, new), vars(module))
    mended = getattr(module, function.__name__)
    mended.__wrapped__ = function
    for place in places[1:]:
        setattr(place, function.__name__, mended)


def weighted_mended():
    """Clients have equal weights in the aggregate, which the noise is for."""
    changed(aggregation.aggregate_arrayrecords, [aggregation, fedavg], "weights.append(w)", "weights.append(1.0)")
    return weighted


def scalar(rows, rng):
    """A model whose only weight is of no dimension, as a learnt temperature or a count of batches is."""
    strategy = DifferentialPrivacyServerSideFixedClipping(FedAvg(), NOISE, CLIPPING_NORM, CLIENTS)
    sent = [[np.array(only)] for only in matrix_of(rows)[:, 0]]
    return released(strategy, [np.array(FIXED / 2)], sent, [1] * len(rows), rng)


def scalar_mended():
    """What np.subtract makes a number is made an array again, so that it can be clipped in place."""
    changed(
        clipping.compute_clip_model_update,
        [clipping, fixed_clipping],
        "[np.subtract(x, y) for",
        "[np.asarray(np.subtract(x, y)) for",
    )
    return scalar


def adaptive_strategy(kind=DifferentialPrivacyServerSideAdaptiveClipping):
    """Clipping that follows the tenth percentile, at a learning rate of 1."""
    return kind(
        FedAvg(),
        NOISE,
        CLIENTS,
        initial_clipping_norm=CLIPPING_NORM,
        target_clipped_quantile=0.1,
        clip_norm_lr=1.0,
        clipped_count_stddev=2.0,
    )


def adaptive(rows, rng, kind=DifferentialPrivacyServerSideAdaptiveClipping):
    """The model and the next clipping norm, which clients are told."""
    strategy = adaptive_strategy(kind)
    model = released(strategy, [np.zeros(2)], weights(rows), [1] * len(rows), rng)
    return [*model, float(np.log(strategy.clipping_norm))]


class NoiseForTheNormClippedAt(DifferentialPrivacyServerSideAdaptiveClipping):
    """The noise is for the norm that updates were clipped at, not for the next one."""

    def _geometric_update(self, clipped_fraction):
        self.clipped_at = self.clipping_norm
        super()._geometric_update(clipped_fraction)

    def _add_noise_to_aggregated_arrays(self, aggregated):
        following, self.clipping_norm = self.clipping_norm, self.clipped_at
        try:
            return super()._add_noise_to_aggregated_arrays(aggregated)
        finally:
            self.clipping_norm = following


def adaptive_mended(rows, rng):
    """The same with that class."""
    return adaptive(rows, rng, NoiseForTheNormClippedAt)


def accounted_strategy(noise):
    """Three clients a round, of a population of four, with Flower's accountant."""
    relation, sampling = NeighboringRelation.ADD_OR_REMOVE_ONE, SamplingMethod.NO_AMPLIFICATION
    accountant = RdpAccountant(PrivacyConfig(ACCOUNTED_DELTA, CLIENTS + 1, relation, sampling))
    clients = FedAvg(fraction_train=1e-9, min_train_nodes=CLIENTS, min_available_nodes=CLIENTS)
    return DifferentialPrivacyServerSideFixedClipping(clients, noise, CLIPPING_NORM, CLIENTS, accountant=accountant)


def accounted(rows, rng, noise=1.0):
    """Three clients are drawn of those that are there."""
    strategy = accounted_strategy(noise)
    return released(strategy, [np.zeros(2)], weights(rows), [1] * len(rows), rng)


def accounted_mended(rows, rng):
    """Twice the noise: who is removed is replaced in the draw, which moves the mean by twice the clipping norm."""
    return accounted(rows, rng, noise=2.0)


def accounted_of_those_that_answer(rows, rng):
    """Who is removed sends the model as it was, the reading under which what is accounted holds."""
    sent = weights(rows) + [[np.array([0.0, FIXED])]] * (CLIENTS - len(rows))
    return released(accounted_strategy(1.0), [np.zeros(2)], sent, [1] * CLIENTS, rng)


def local(rows, rng):
    """What one client sends with local differential privacy; two updates differ by at most twice the norm."""
    started()
    mod = LocalDpMod(CLIPPING_NORM, 2.0 * CLIPPING_NORM, 1.0, DELTA)
    np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002 - what the package draws from
    asked = Message(RecordDict({"arrays": ArrayRecord([np.zeros(2)])}), dst_node_id=1, message_type="train")

    def trained(message, context):
        return Message(RecordDict({"arrays": ArrayRecord(weights(rows)[0])}), reply_to=message)

    sent = mod(asked, context_of(), trained)
    return [float(value) for value in next(iter(sent.content.array_records.values())).to_numpy_ndarrays()[0]]


def unmoved(rows, rng):
    """Clients of one weight, one of whom may have learnt nothing new."""
    strategy = DifferentialPrivacyServerSideFixedClipping(FedAvg(), NOISE, CLIPPING_NORM, CLIENTS)
    sent = [[np.array([only])] for only in matrix_of(rows)[:, 0]]
    return released(strategy, [np.zeros(1)], sent, [1] * len(rows), rng)


def unmoved_mended():
    """Nothing is scaled where the norm is zero."""
    old, new = "min(1, clipping_norm / input_norm)", "min(1, clipping_norm / input_norm) if input_norm else 1.0"
    changed(clipping.clip_inputs_inplace, [clipping], old, new)
    return unmoved
