"""One step of opacus, as a survey audits it.

A dataset is a list of rows, and the loss of an example is minus its score under a linear model without bias, so that
an example's gradient is minus its row. Losses are summed: a mean is divided by the number of examples, which opacus
takes to be public. All examples are in the batch.
"""

from __future__ import annotations

import numpy as np
import torch
from opacus import PrivacyEngine
from opacus.optimizers import AdaClipDPOptimizer
from opacus.utils.batch_memory_manager import BatchMemoryManager
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
NOISE, CLIP, BATCH = 1.0, 1.0, 8


def rows_of(rows):
    """A batch of at least one column."""
    return torch.tensor(np.asarray(rows, dtype=np.float32).reshape(len(rows), -1))


def step(rows, rng, mode="hooks", physical=None, **options):
    """The model after one step, and what its optimizer holds."""
    torch.manual_seed(int(rng.integers(2**63)))
    batch = rows_of(rows)
    model = torch.nn.Linear(batch.shape[1], 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    made = PrivacyEngine().make_private(
        module=model,
        optimizer=optimizer,
        data_loader=DataLoader(TensorDataset(batch), batch_size=BATCH),
        noise_multiplier=NOISE,
        max_grad_norm=options.pop("max_grad_norm", CLIP),
        loss_reduction="sum",
        grad_sample_mode=mode,
        criterion=Score(reduction="sum"),
        **options,
    )
    model, optimizer, loader = made[0], made[1], made[-1]
    if physical is None:
        train(model, optimizer, loader, made[2] if mode == "ghost" else None)
    else:
        with BatchMemoryManager(data_loader=loader, max_physical_batch_size=physical, optimizer=optimizer) as small:
            train(model, optimizer, small)
    return [float(value) for value in next(model.parameters()).detach().ravel()], optimizer


class Score(torch.nn.Module):
    """Minus an example's score, as a loss of opacus' ghost clipping."""

    def __init__(self, reduction="sum"):
        super().__init__()
        self.reduction = reduction

    def forward(self, score, target):
        """One loss an example, or their sum."""
        loss = -(score * target).reshape(len(score), -1).sum(dim=1)
        return loss if self.reduction == "none" else loss.sum()


def train(model, optimizer, loader, criterion=None):
    """One pass."""
    for (batch,) in loader:
        optimizer.zero_grad()
        score = model(batch)
        if criterion is None:
            (-score.sum()).backward()
        else:
            criterion(score, torch.ones_like(score)).backward()
        optimizer.step()


def flat(rows, rng):
    """Flat clipping."""
    return step(rows, rng)[0]


def per_layer(rows, rng):
    """A norm of each layer."""
    return step(rows, rng, clipping="per_layer", max_grad_norm=[CLIP])[0]


def ghost(rows, rng):
    """Ghost clipping."""
    return step(rows, rng, mode="ghost")[0]


def small_batches(rows, rng):
    """The batch in parts of two."""
    return step(rows, rng, physical=2)[0]


def adaptive(rows, rng, **changes):
    """The model after a step and the next clipping norm, which the noise of the next step shows."""
    wanted = {
        "target_unclipped_quantile": 0.5,
        "clipbound_learning_rate": 0.2,
        "max_clipbound": 1e6,
        "min_clipbound": 1e-6,
        "unclipped_num_std": 0.55,
    }
    weights, optimizer = step(rows, rng, clipping="adaptive", **(wanted | changes))
    return [*weights, float(np.log(float(optimizer.max_grad_norm)))]


def adaptive_mended():
    """Each indicator is taken from its middle, and the sum divided by a public number, as in the paper's proof."""

    def update_max_grad_norm(self):
        centred = self.unclipped_num - self.sample_size / 2
        unclipped_frac = 0.5 + centred / BATCH
        self.max_grad_norm *= torch.exp(
            -self.clipbound_learning_rate * (unclipped_frac - self.target_unclipped_quantile)
        )

    AdaClipDPOptimizer.update_max_grad_norm = update_max_grad_norm
    return adaptive
