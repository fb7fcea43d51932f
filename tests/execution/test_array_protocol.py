"""What speaks NumPy's protocol is more than its array: a record in an attribute, a gradient or behind a view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import dpcheck
from dpcheck import Status
from dpcheck.execution.portrait import cut_off, portray

PAIR = [([0.0, 1.0], [1.0, 1.0])]


class Coefficients:
    """Numbers, and a remark."""

    def __init__(self, numbers: Any, remark: Any) -> None:
        self.numbers, self.remark = numbers, remark

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.numbers)


class Slotted:
    __slots__ = ("numbers", "remark")

    def __init__(self, numbers: Any, remark: Any) -> None:
        self.numbers, self.remark = numbers, remark

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.numbers


class Table:
    def __init__(self, numbers: Any, data: Any) -> None:
        self.numbers, self.data = numbers, data

    def to_numpy(self) -> Any:
        return self.numbers


def noted(table: Any, remark: Any) -> Any:
    object.__setattr__(table, "remark", remark)
    return table


@dataclass
class Memory:
    bytes: int

    def nbytes(self) -> int:
        return self.bytes


class Tensor:
    """The attributes of torch's tensors that are asked for."""

    def __init__(self, numbers: Any, *, memory: int = 32, **held: Any) -> None:
        self.numbers, self.memory = numbers, memory
        self.grad_fn = self.grad = None
        self.requires_grad, self.is_leaf, self.retains_grad, self.device = False, True, False, "cpu"
        vars(self).update(held)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.numbers)

    def untyped_storage(self) -> Memory:
        return Memory(self.memory)

    def numel(self) -> int:
        return len(self.numbers)

    def element_size(self) -> int:
        return 8


def audited(output: Any, seed: int, **options: Any) -> dpcheck.Verdict:
    def learner(dataset: Any, rng: np.random.Generator) -> Any:
        return output(rng.laplace(size=4), dataset[0])

    return dpcheck.audit(learner, 1.0, pairs=PAIR, seed=seed, isolation="none", **({"max_samples": 3000} | options))


BESIDE = [
    Coefficients,
    Slotted,
    Table,
    lambda numbers, remark: noted(pd.Series(numbers), remark),
    lambda numbers, remark: noted(pd.DataFrame({"a": numbers}), remark),
    lambda numbers, remark: noted(sparse.csr_array(numbers.reshape(2, 2)), remark),
]


@pytest.mark.turns(6)
@pytest.mark.parametrize("kind", BESIDE)
def test_a_record_in_an_attribute_beside_the_array_is_found(kind: Any, seed: int) -> None:
    assert audited(kind, seed).status is Status.VIOLATED


@pytest.mark.turns(4)
def test_an_attribute_without_a_record_is_left_alone(seed: int) -> None:
    verdict = audited(lambda numbers, _: Coefficients(numbers, 3), seed, alpha=1e-9, detect=30.0)
    assert verdict.status is Status.NO_VIOLATION_FOUND


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    "output",
    [
        lambda numbers, record: Tensor(numbers, grad=np.full(4, record)),
        lambda numbers, record: Tensor(numbers, requires_grad=bool(record)),
        lambda numbers, record: Tensor(numbers, note=record),
    ],
)
def test_what_a_tensor_holds_beside_its_numbers_is_looked_at(output: Any, seed: int) -> None:
    assert audited(output, seed).status is Status.VIOLATED


@pytest.mark.some(1)
@pytest.mark.parametrize(
    "tensor", [Tensor(np.zeros(4), grad_fn="a graph", is_leaf=False), Tensor(np.zeros(4), memory=40)]
)
def test_a_graph_and_the_memory_behind_a_view_are_said_not_to_be_read(tensor: Tensor, seed: int) -> None:
    assert cut_off(portray(tensor))
    verdict = audited(lambda numbers, _: Tensor(numbers, grad_fn=tensor.grad_fn, memory=tensor.memory), seed)
    assert verdict.status is Status.INCONCLUSIVE
    assert any("of type tensor: the" in finding.detail for finding in verdict.findings)


def test_a_tensor_of_its_own_is_read_in_whole() -> None:
    assert not cut_off(portray(Tensor(np.zeros(4))))
