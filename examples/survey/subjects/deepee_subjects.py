"""A step of deepee, as a survey audits it, and a copy that is mended.

A dataset is a list of rows; an example's gradient is minus its row. The batch is all of the data. Its parallel_apply
wants an accelerator in newer versions of torch, so the copies of the model are called one after the other here.
"""

from __future__ import annotations

import logging

import numpy as np
import torch
from deepee import PrivacyWatchdog, PrivacyWrapper, UniformDataLoader
from torch.utils.data import TensorDataset

NOISE, CLIP, DELTA = 2.0, 1.0, 1e-2


def one_after_the_other(models, parts):
    """What parallel_apply does, without threads."""
    return [model(part) for model, part in zip(models, parts, strict=True)]


def step(rows, rng, noise=NOISE):
    """The gradient with noise of one step, and what the watchdog says of it at a noise multiplier of 2."""
    logging.disable(logging.CRITICAL)
    torch.nn.parallel.parallel_apply = one_after_the_other
    torch.manual_seed(int(rng.integers(2**63)))
    batch = torch.tensor(np.asarray(rows, dtype=np.float32).reshape(len(rows), -1))
    model = torch.nn.Linear(batch.shape[1], 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    loader = UniformDataLoader(TensorDataset(batch), batch_size=len(batch), pin_memory=False)
    dog = PrivacyWatchdog(loader, target_epsilon=100.0, target_delta=DELTA)
    wrapped = PrivacyWrapper(model, len(batch), CLIP, noise, watchdog=dog)
    for (part,) in loader:
        (-wrapped(part).sum()).backward()
        wrapped.clip_and_accumulate()
        wrapped.noise_gradient()
        shown = [float(value) for value in model.weight.grad.ravel()]
        wrapped.prepare_next_batch()
    return shown, wrapped.current_epsilon


def one_step(rows, rng):
    """As it is."""
    return step(rows, rng)[0]


def one_step_mended(rows, rng):
    """Twice the noise: one example replaced moves the clipped sum by twice the norm."""
    return step(rows, rng, 2 * NOISE)[0]
