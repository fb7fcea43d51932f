"""Trainings of libraries, for real: a perceptron and a convolutional net on handwritten digits, with opacus or jax.

What is there is run (`pip install -e '.[opacus,sklearn]'`, `pip install -e '.[jax,sklearn]'`). Each net is trained on
the 1,797 digits of scikit-learn, 100 steps at a sampling rate of 1/20, with much noise and with little. Claim and steps
are read from the library's objects. Of each:

- *White box*: what it says, and how long it takes, all trainings included.
- *One run*: 898 digits with a wrong label as canaries, scored by their loss, less what it was under the model of
  another training: what is certified at the delta of the claim, by dpcheck and by jax-privacy's own auditing, as its
  documentation does it (where its environment is there: `benchmarks/peers/environments.py jax_privacy`).

Rules: each is as accounted; nothing is certified above its claim. (Each may fail by chance, with probability alpha:
1e-9 of the white box, 0.05 of one run.)
"""

from __future__ import annotations

import functools
import importlib.util
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from bench import settings, show, write_json
from one_run import of_peers
from sklearn.datasets import load_digits

from dpcheck import Status, WhiteBoxStatus, canaries, from_jax_privacy, from_opacus, one_run_verdict, white_box
from dpcheck.privacy.one_run.verdict import plan_guesses

NOISE = {"much": 1.0, "little": 0.5}
RATE, EPOCHS, DELTA, ALPHA = 0.05, 5, 1e-5, 0.05
CANARIES = 898
NETS = ("perceptron", "convolutional")


@dataclass(frozen=True)
class Real:
    """A training of a library, what it claims, and the losses of records under a model of it."""

    train: Callable[..., Any]
    claim: Any
    accounted: Any
    losses: Callable[[Any, Any], Any]


def digits() -> tuple[Any, Any]:
    """All of them, and their labels."""
    x, y = load_digits(return_X_y=True)
    return (x / 16.0).astype(np.float32), y.astype(np.int64)


def of_opacus(net: str, noise: float) -> Real:
    """opacus: its engine makes the model, the optimizer and the loader private."""
    import torch
    from opacus import PrivacyEngine

    def module() -> Any:
        if net == "perceptron":
            layers = [torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10)]
        else:
            convolution = [torch.nn.Unflatten(1, (1, 8, 8)), torch.nn.Conv2d(1, 8, 3), torch.nn.ReLU()]
            layers = [*convolution, torch.nn.Flatten(), torch.nn.Linear(288, 10)]
        return torch.nn.Sequential(*layers)

    def private(data: Any) -> Any:
        x, y = (torch.as_tensor(np.asarray(part)) for part in data)
        made = module()
        loader = torch.utils.data.DataLoader(
            torch.utils.data.TensorDataset(x, y), batch_size=max(1, round(RATE * len(x))), shuffle=True
        )
        return PrivacyEngine().make_private(
            module=made,
            optimizer=torch.optim.SGD(made.parameters(), lr=1.0),
            data_loader=loader,
            noise_multiplier=noise,
            max_grad_norm=1.0,
        )

    def loss(made: Any, x: Any, y: Any) -> Any:
        return torch.nn.functional.cross_entropy(made(x), y)

    def losses(model: Any, records: Any) -> Any:
        made, (x, y) = module(), (torch.as_tensor(np.asarray(part)) for part in records)
        made.load_state_dict({name.removeprefix("_module."): torch.as_tensor(part) for name, part in model.items()})
        with torch.no_grad():
            return torch.nn.functional.cross_entropy(made(x), y, reduction="none").numpy()

    training = from_opacus(private, loss, epochs=EPOCHS)
    return Real(training, training.claim(digits(), DELTA), training.accounted(digits()), losses)


def of_jax(net: str, noise: float) -> Real:
    """jax-privacy: an execution plan of one band, which is DP-SGD."""
    import jax
    import optax
    from jax_privacy.experimental.execution_plan import BandMFExecutionPlanConfig

    start = _start(net)

    def scores(parameters: Any, x: Any) -> Any:
        if net == "perceptron":
            return jax.nn.relu(x @ parameters["first"] + parameters["bias"]) @ parameters["last"]
        seen = jax.nn.relu(jax.lax.conv(x.reshape(-1, 1, 8, 8), parameters["kernel"], (1, 1), "VALID"))
        return seen.reshape(len(x), -1) @ parameters["last"]

    def each(parameters: Any, x: Any, y: Any) -> Any:
        return optax.softmax_cross_entropy_with_integer_labels(scores(parameters, x), y)

    config = BandMFExecutionPlanConfig(
        strategy=np.ones(1),
        iterations=round(EPOCHS / RATE),
        epsilon=None,
        delta=None,
        noise_multiplier=noise,
        sampling_prob=RATE,
        normalize_by=RATE * len(digits()[0]),
    )
    training = from_jax_privacy(config, lambda *given: each(*given).mean(), start, optax.sgd(1.0))

    def losses(model: Any, records: Any) -> Any:
        return np.asarray(each({name: model[f"['{name}']"] for name in start}, *records))

    return Real(training, training.claim(DELTA), training.accounted(), losses)


def _start(net: str) -> dict[str, Any]:
    rng = np.random.default_rng(0)

    def layer(*shape: int, inputs: int) -> Any:
        return (rng.normal(size=shape) / np.sqrt(inputs)).astype(np.float32)

    if net == "perceptron":
        bias = np.zeros(32, np.float32)
        return {"first": layer(64, 32, inputs=64), "bias": bias, "last": layer(32, 10, inputs=32)}
    return {"kernel": layer(8, 1, 3, 3, inputs=9), "last": layer(288, 10, inputs=288)}


LIBRARIES: dict[str, Callable[[str, float], Real]] = {"opacus": of_opacus, "jax_privacy": of_jax}


def audited(real: Real, seed: int) -> dict[str, Any]:
    """Both audits of one training."""
    began = time.perf_counter()
    inside = white_box(
        real.train, digits(), real.claim, real.accounted, public_size=True, seed=seed, alpha=1e-9, isolation="none"
    )
    middle = time.perf_counter()
    planted = canaries(digits(), CANARIES, seed=seed)
    with_some = real.train(planted.dataset, np.random.default_rng(seed))
    without = real.train(digits(), np.random.default_rng(seed + 1))
    scores = real.losses(without, planted.records) - real.losses(with_some, planted.records)
    verdict = one_run_verdict(scores, planted.included, real.claim, alpha=ALPHA)
    ended = time.perf_counter()
    plan = plan_guesses(CANARIES, real.claim, ALPHA)
    peer = of_peers(scores[None], planted.included[None], plan, DELTA, ("jax_privacy",))
    x, y = digits()
    return {
        "claimed": real.claim.epsilon_value,
        "white box": inside.status.value,
        "broken": list(inside.broken),
        "white box seconds": middle - began,
        "one run": verdict.status.value,
        "certified": verdict.epsilon_lower,
        "one run seconds": ended - middle,
        "jax-privacy certifies": {name: bounds[0] for name, bounds in peer.items()},
        "loss": float(np.mean(real.losses(without, (x, y)))),
        "holds": inside.status is WhiteBoxStatus.AS_ACCOUNTED and verdict.status is not Status.VIOLATED,
    }


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(__doc__ or "")
    warnings.simplefilter("ignore")  # those libraries' own
    began = time.monotonic()
    there = [name for name in LIBRARIES if importlib.util.find_spec(name)]
    if not there:
        sys.exit("digits.py needs opacus or jax-privacy: pip install -e '.[opacus,sklearn]' or '.[jax,sklearn]'")
    made = [
        (library, net, noise, functools.partial(LIBRARIES[library], net, NOISE[noise]))
        for library in there
        for net in NETS
        for noise in NOISE
    ]
    rows = []
    for library, net, noise, make in made[:1] if asked.quick else made:
        rows.append({"library": library, "net": net, "noise": NOISE[noise], **audited(make(), asked.seed % 2**31)})
        print(f"{library}, {net}, noise {NOISE[noise]:g}: {rows[-1]['white box']}", flush=True)
    show(
        "Trainings of libraries on 1,797 digits: epsilon at delta 1e-5",
        ["library", "net", "noise", "claimed", "white box", "s", "one run certifies", "s", "jax-privacy", "rule"],
        [
            [
                row["library"],
                row["net"],
                f"{row['noise']:g}",
                f"{row['claimed']:.2f}",
                row["white box"],
                f"{row['white box seconds']:.0f}",
                f"{row['certified']:.2f}",
                f"{row['one run seconds']:.1f}",
                ", ".join(f"{bound:.2f}" for bound in row["jax-privacy certifies"].values()) or "not there",
                "holds" if row["holds"] else "FAILS",
            ]
            for row in rows
        ],
        left=2,
    )
    passed = all(row["holds"] for row in rows)
    write_json(asked, began, passed, {"delta": DELTA, "alpha": ALPHA, "canaries": CANARIES, "rows": rows})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
