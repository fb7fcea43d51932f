"""opacus's trainings in a white box: an MLP and a small convolutional net on digits, and mistakes made with them.

opacus and torch are not among what the tests install: these run where they are there (`.ci/extra` makes such a place).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcheck import InvalidArgument, WhiteBoxStatus, from_opacus, record_opacus, white_box
from dpcheck.adapters.opacus import OpacusTraining

torch: Any = pytest.importorskip("torch")
opacus: Any = pytest.importorskip("opacus")
pytestmark = [
    pytest.mark.filterwarnings("ignore:Secure RNG turned off"),
    pytest.mark.filterwarnings("ignore:Full backward hook"),
    pytest.mark.filterwarnings("ignore:Optimal order"),
]
RECORDS = 600


def digits() -> tuple[Any, Any]:
    from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    return (x[:RECORDS] / 16.0).astype(np.float32), y[:RECORDS]


def perceptron() -> Any:
    return torch.nn.Sequential(torch.nn.Linear(64, 16), torch.nn.ReLU(), torch.nn.Linear(16, 10))


def convolutional() -> Any:
    return torch.nn.Sequential(
        torch.nn.Unflatten(1, (1, 8, 8)),
        torch.nn.Conv2d(1, 4, 3),
        torch.nn.ReLU(),
        torch.nn.Flatten(),
        torch.nn.Linear(144, 10),
    )


def private(net: Callable[[], Any], **given: Any) -> Callable[[Any], Any]:
    def made(data: Any) -> Any:
        x, y = (torch.as_tensor(np.asarray(part)) for part in data)
        module = net()
        loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=60, shuffle=True)
        return opacus.PrivacyEngine().make_private(
            module=module,
            optimizer=torch.optim.SGD(module.parameters(), lr=0.5),
            data_loader=loader,
            **{"noise_multiplier": 1.0, "max_grad_norm": 1.0} | given,
        )

    return made


def loss(module: Any, x: Any, y: Any) -> Any:
    return torch.nn.functional.cross_entropy(module(x), y)


def audited(training: OpacusTraining, seed: int, **given: Any) -> Any:
    data = digits()
    claim, accounted = training.claim(data, 1e-5), training.accounted(data)
    return white_box(training, data, claim, accounted, seed=seed, isolation="none", **{"public_size": True} | given)


@pytest.mark.parametrize("net", [perceptron, convolutional])
def test_it_is_as_accounted_where_the_number_of_records_is_public(net: Callable[[], Any], seed: int) -> None:
    verdict = audited(from_opacus(private(net), loss, epochs=2), seed, alpha=1e-9)
    assert verdict.status is WhiteBoxStatus.AS_ACCOUNTED, str(verdict)


def test_it_divides_by_the_number_of_records(seed: int) -> None:
    assert audited(from_opacus(private(perceptron), loss), seed, public_size=False).broken == ("leftovers",)


def test_batches_that_are_shuffled_are_found(seed: int) -> None:
    training = from_opacus(private(perceptron, poisson_sampling=False), loss, epochs=2)
    assert audited(training, seed).broken == ("sampling",)


def test_noise_that_is_switched_off_is_found(seed: int) -> None:
    honest = from_opacus(private(perceptron), loss, epochs=2)

    def quiet(data: Any, rng: Any, transcript: Any) -> Any:
        def made(data: Any) -> Any:
            module, optimizer, loader = private(perceptron)(data)
            optimizer.noise_multiplier = 0.2
            return module, optimizer, loader

        return from_opacus(made, loss, epochs=2)(data, rng, transcript)

    data = digits()
    verdict = white_box(quiet, data, None, honest.accounted(data), public_size=True, seed=seed, isolation="none")
    assert verdict.broken == ("noise",)
    assert "the noise is 0.2 times as large as accounted" in str(verdict)


def test_a_loop_of_ones_own_is_recorded(seed: int) -> None:
    def train(data: Any, rng: Any, transcript: Any) -> Any:
        torch.manual_seed(int(rng.integers(2**31)))
        module, optimizer, loader = private(perceptron)(data)
        record_opacus(optimizer, loader, transcript)
        for x, y in loader:
            optimizer.zero_grad()
            loss(module, x, y).backward()
            optimizer.step()
        return module.state_dict()

    honest = from_opacus(private(perceptron), loss)
    verdict = white_box(
        train, digits(), None, honest.accounted(digits()), public_size=True, seed=seed, alpha=1e-9, isolation="none"
    )
    assert verdict.status is WhiteBoxStatus.AS_ACCOUNTED, str(verdict)


def test_without_a_transcript_it_trains(rng: Any) -> None:
    model = from_opacus(private(perceptron), loss)(digits(), rng)
    assert {value.shape for value in model.values()} == {(16, 64), (16,), (10, 16), (10,)}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"make_private": 3}, "make_private must be callable, got 3"),
        ({"loss": None}, "loss must be callable, got None"),
        ({"epochs": 0}, "epochs must be an integer of at least 1, got 0"),
        ({"accountant": "pdf"}, "accountant must be one of prv, rdp, gdp, got 'pdf'"),
    ],
)
def test_what_cannot_be_used_is_refused(given: dict[str, Any], message: str) -> None:
    asked = {"make_private": private(perceptron), "loss": loss} | given
    with pytest.raises(InvalidArgument, match=message):
        from_opacus(asked.pop("make_private"), asked.pop("loss"), **asked)


def test_what_is_none_of_opacus_is_refused() -> None:
    net = perceptron()
    with pytest.raises(InvalidArgument, match="optimizer must be one that opacus's make_private returned, got SGD"):
        record_opacus(torch.optim.SGD(net.parameters(), lr=0.1), None, object())  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match=r"make_private must give \(module, optimizer, loader\)"):
        from_opacus(lambda data: net, loss).accounted(digits())
