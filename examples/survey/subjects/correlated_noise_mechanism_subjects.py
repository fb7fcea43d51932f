"""Trainings of correlated-noise-mechanism, as a survey audits them, and copies that are mended.

A dataset is a list of rows; an example's gradient is minus its row, and losses are summed. An epoch has the steps that
a subject says; what is released are the gradients with noise of all steps, which the model's path shows.
"""

from __future__ import annotations

import inspect

import correlated_noise_mechanism.blt_optimizer_diffloss as blt
import correlated_noise_mechanism.privacy_engine as engine
import correlated_noise_mechanism.utils as accounting
import numpy as np
import torch
from correlated_noise_mechanism.privacy_engine import CNMEngine
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
EPSILON, DELTA, CLIP = 1.0, 1e-5, 1.0


def training(rows, rng, mode, participation="streaming", steps=1, gamma=None, seeded_last=False):
    """The gradients with noise, of one epoch of so many steps that the data is dealt out to in its order."""
    seed = int(rng.integers(2**63))
    torch.manual_seed(seed)
    # The package makes double precision the default of torch.
    batch = torch.tensor(np.asarray(rows, dtype=np.float64).reshape(len(rows), -1))
    model = torch.nn.Linear(batch.shape[1], 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    model, optimizer, loader = CNMEngine().make_private_with_epsilon(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=1.0),
        data_loader=DataLoader(TensorDataset(batch), batch_size=-(-len(batch) // steps)),
        target_epsilon=EPSILON,
        target_delta=DELTA,
        epochs=1,
        max_grad_norm=CLIP,
        mode=mode,
        participation=participation,
        error_type="rmse",
        d=2,
        b=1,
        k=1,
        gamma=gamma,
        loss_reduction="sum",
        poisson_sampling=steps == 1,
    )
    if seeded_last:
        torch.manual_seed(seed)
    shown = []
    for (part,) in loader:
        optimizer.zero_grad()
        (-model(part).sum()).backward()
        optimizer.step()
        shown += [float(value) for value in next(model.parameters()).grad.ravel()]
    return shown


def base(rows, rng):
    """DP-SGD with opacus' optimizer."""
    return training(rows, rng, "DP-SGD-BASE")


def single_parameter(rows, rng):
    """Noise that takes back half of the last one, two steps."""
    return training(rows, rng, "Single Parameter", steps=2, gamma=0.5)


def buffered():
    """The mode of the README, two steps."""
    search_once(quietly=False)
    return two_steps_of_buffers


def two_steps_of_buffers(rows, rng):
    """The learner of that."""
    return training(rows, rng, "BLT", steps=2)


def buffered_mended():
    """The search for buffers leaves torch's generator as it was, and the norm of a column is squared."""
    search_once(quietly=True)
    change(accounting.get_column_norm, "    return norm\n", "    return norm**2\n")
    return two_steps_of_buffers


def search_once(quietly):
    """The search for buffers knows no data, so that one is enough for all calls.

    Later ones leave torch's generator as the first did, or, ``quietly``, as it was.
    """
    search = blt.BLTDifferentiableLossOptimizer.optimize
    if hasattr(search, "__wrapped__"):
        return
    found = {}

    def optimize(self, **options):
        if self.n not in found:
            with torch.random.fork_rng(devices=[]):
                found[self.n] = search(self, **options), torch.get_rng_state()
        result, left = found[self.n]
        if not quietly:
            torch.set_rng_state(left)
        return result

    optimize.__wrapped__ = search
    blt.BLTDifferentiableLossOptimizer.optimize = optimize


def change(function, old, new):
    """Replace a line of a function's source, where it is defined."""
    if hasattr(function, "__wrapped__"):  # It is mended already, for a learner before.
        return
    source = inspect.getsource(function)
    if source.count(old) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    exec(source.replace(old, new), vars(accounting))
    getattr(accounting, function.__name__).__wrapped__ = function


def many_epochs():
    """The mode for several epochs, streaming, here of one epoch; torch is seeded again, so that this is not seen."""
    search_once(quietly=True)
    return two_steps_of_many_epochs


def two_steps_of_many_epochs(rows, rng):
    """The learner of that."""
    return training(rows, rng, "Multi-Epoch-BLT", steps=2, seeded_last=True)


def many_epochs_mended():
    """A rho is made of epsilon and delta, as the other modes do, and the norm of a column is squared."""
    change(accounting.get_column_norm, "    return norm\n", "    return norm**2\n")
    change(
        accounting.get_noise_multiplier,
        "sqrt((epochs * col_norm) / (2 * target_epsilon))",
        "sqrt((epochs * col_norm) / (2 * calculate_rho(target_epsilon, target_delta)))",
    )
    engine.get_noise_multiplier = accounting.get_noise_multiplier
    return many_epochs()
