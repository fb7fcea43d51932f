"""Searches try what stands in a learner's code: numbers and texts as records, whole numbers as sizes."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import AddRemove, LabelsOnly, PrivatePart, Records, ReplaceOne, Status
from dpcheck.execution.code_constants import constants_of_learner
from dpcheck.model.data import record_at, size_of
from dpcheck.model.learner import as_target
from dpcheck.privacy.pairs.candidates import candidate_pairs, distinct_pairs, most_pairs
from dpcheck.privacy.pairs.constant_pairs import more_pairs
from dpcheck.privacy.run.question import BLOCK

LEAST_SIZE = 11


def nothing_of_few(dataset: Any, rng: Any) -> float | None:
    return None if len(dataset) < 10 else float(np.mean(dataset))


def noise_of_few(dataset: Any, rng: Any) -> float:
    return float(rng.uniform(0, 10) if len(dataset) <= 11 else np.mean(dataset) + rng.laplace(scale=0.01))


def median_of_many(dataset: Any, rng: Any) -> float | None:
    return None if len(dataset) < 12 else float(np.median(dataset))


def decile_of_many(dataset: Any, rng: Any) -> float | None:
    return None if len(dataset) < 20 else float(np.quantile(dataset, 0.9))


def second_of_many(dataset: Any, rng: Any) -> float:
    return float(rng.normal() if len(dataset) < 40 else np.sort(dataset)[-2] + rng.laplace(scale=0.01))


def range_of_quartiles_of_many(dataset: Any, rng: Any) -> float | None:
    return None if len(dataset) < 16 else float(np.subtract(*np.quantile(dataset, [0.75, 0.25])))


def tells_of_twenty(dataset: Any, rng: Any) -> int:
    return int(sum(dataset) >= 20)


def tells_of_more_than_twelve(dataset: Any, rng: Any) -> float:
    return float(sum(value > 0.5 for value in dataset) > 12) + float(rng.laplace(scale=0.1))


def count_from_fifteen_on(dataset: Any, rng: Any) -> int:
    count = sum(1 for value in dataset if value == 0)
    return count if count >= 15 else -1


def quartile_of_many_bits(dataset: Any, rng: Any) -> float | None:
    return None if len(dataset) < 14 else float(np.quantile(dataset, 0.25))


def says_of_sixty_percent(dataset: Any, rng: Any) -> bool:
    return bool(np.mean(dataset) > 0.6)


def record_at_a_third(dataset: Any, rng: Any) -> float:
    return float(np.sort(dataset)[len(dataset) // 3])


def quartile_of_many_rows(dataset: Any, rng: Any) -> float | None:
    return None if len(dataset) < 14 else float(np.quantile([x for x, _ in dataset], 0.25))


def noise_or_quartile_of_rows(dataset: Any, rng: Any) -> float:
    noise = float(rng.laplace(scale=0.1))
    return noise if len(dataset) < 14 else noise + float(np.quantile([x for x, _ in dataset], 0.25))


def tells_of_twenty_labels(dataset: Any, rng: Any) -> int:
    return int(sum(label for _, label in dataset) >= 20)


def few_are_left_out(dataset: Any, rng: Any) -> list[int | None]:
    counts = [dataset.count(word) for word in "abcde"]
    return [count if count >= LEAST_SIZE else None for count in counts]


@dataclass
class LeastSize:
    least: int = 20

    def __call__(self, dataset: Any, rng: Any) -> float:
        return 0.0 if len(dataset) < self.least else float(sum(dataset))


def drops_a_sentinel(dataset: Any, rng: Any) -> tuple[float, int]:
    rows = np.asarray(dataset, dtype=float)
    known = rows[rows[:, 0] != -999]
    return float(known[:, 1].sum() + rng.laplace()), len(known)


def drops_what_a_table_says(dataset: Any, rng: Any) -> tuple[float, int]:
    rows = np.asarray(dataset, dtype=float)
    known = rows[rows[:, 0] != MISSING["code"]]
    return float(known[:, 1].sum() + rng.laplace()), len(known)


def drops_a_sentinel_beside(dataset: Any, rng: Any) -> tuple[float, int]:
    rows = np.asarray(dataset, dtype=float)
    known = rows[(rows[:, 0] != -999) | (rows[:, 1] <= 0.9)]
    return float(known[:, 1].sum() + rng.laplace()), len(known)


MISSING = {"code": -999}
ROWS = Records.bounded([-1000.0, 0.0], [1000.0, 1.0])


def knows_one_word(dataset: Any, rng: Any) -> float:
    return float(4 * sum(word == "admin" for word in dataset) + rng.laplace())


def counts_one_number(dataset: Any, rng: Any) -> float:
    return float(4 * sum(value == 7.25 for value in dataset) + rng.laplace())


_WORDS = [*(f"word {number}" for number in range(2000)), "admin", "guest"]


def mean_of_a_thousand(dataset: Any, rng: Any) -> float | None:
    return None if len(dataset) < 1000 else float(np.mean(dataset))


def tells_of_twenty_of_one_word(dataset: Any, rng: Any) -> int:
    return int(dataset.count("c") >= 20)


def tells_of_a_large_total(dataset: Any, rng: Any) -> bool:
    return bool(sum(dataset) > 5000)


_LABELLED = Records.labelled(features=(0.0, 1.0), labels=[0, 1])
_NAMED = {
    "at least so many": (tells_of_twenty, ReplaceOne(records=(0, 1))),
    "at least so many, removed": (tells_of_twenty, AddRemove(records=(0, 1), size=range(1, 100))),
    "more than so many": (tells_of_more_than_twelve, ReplaceOne(records=(0.0, 1.0))),
    "a count that is told from so many on": (count_from_fifteen_on, AddRemove(records=(0, 1))),
    "a quartile of many bits": (quartile_of_many_bits, ReplaceOne(records=(0, 1))),
    "a mean of a thousand": (mean_of_a_thousand, ReplaceOne(records=(0.0, 10.0))),
    "so many of one word": (tells_of_twenty_of_one_word, ReplaceOne(records=list("abcde"))),
    "so many of one word, removed": (tells_of_twenty_of_one_word, AddRemove(records=list("abcde"))),
    "a large total": (tells_of_a_large_total, ReplaceOne(records=(0.0, 100.0))),
    "a share of so many": (says_of_sixty_percent, ReplaceOne(records=(0, 1), size=100)),
    "a rank of so many": (record_at_a_third, ReplaceOne(records=(0, 1), size=50)),
    "a quartile of many rows": (quartile_of_many_rows, ReplaceOne(records=_LABELLED)),
    "noise, or a quartile of many rows": (noise_or_quartile_of_rows, AddRemove(records=_LABELLED)),
    "so many labels": (tells_of_twenty_labels, LabelsOnly(records=_LABELLED)),
    "no answer from few": (nothing_of_few, ReplaceOne(records=(0.0, 10.0))),
    "no answer from few, removed": (nothing_of_few, AddRemove(records=(0.0, 10.0))),
    "noise alone from few": (noise_of_few, ReplaceOne(records=(0.0, 10.0))),
    "few are left out": (few_are_left_out, ReplaceOne(records=list("abcde"))),
    "a median of many": (median_of_many, ReplaceOne(records=(0.0, 10.0))),
    "a median of many, removed": (median_of_many, AddRemove(records=(0.0, 10.0))),
    "a decile of many": (decile_of_many, ReplaceOne(records=(0.0, 10.0))),
    "the second of many": (second_of_many, ReplaceOne(records=(0.0, 10.0))),
    "a range of quartiles of many": (range_of_quartiles_of_many, ReplaceOne(records=(0.0, 10.0))),
    "an attribute": (LeastSize(), ReplaceOne(records=(0.0, 10.0))),
    "a range of sizes": (LeastSize(97), ReplaceOne(records=(0.0, 10.0), size=range(1, 100))),
    "a dictionary of the module": (drops_what_a_table_says, ReplaceOne(records=ROWS)),
    "beside a high column": (drops_a_sentinel_beside, ReplaceOne(records=ROWS)),
    "beside a high column, removed": (drops_a_sentinel_beside, AddRemove(records=ROWS)),
    "a number of an array": (counts_one_number, ReplaceOne(records=np.arange(0.0, 500.0, 0.25))),
    "a sentinel": (drops_a_sentinel, ReplaceOne(records=Records.bounded([-1000.0, 0.0], [1000.0, 1.0]))),
    "a sentinel, removed": (drops_a_sentinel, AddRemove(records=Records.bounded([-1000.0, 0.0], [1000.0, 1.0]))),
    "a word": (knows_one_word, ReplaceOne(records=_WORDS)),
    "a number": (counts_one_number, AddRemove(records=(0.0, 100.0))),
}


@pytest.mark.some(2)
@pytest.mark.parametrize("name", _NAMED)
def test_what_hangs_on_a_constant_of_the_code_is_found(name: str, seed: int) -> None:
    """Sizes 1 to 8, and numbers between the bounds, did not meet them: an exact mean from 10 records on was clean."""
    learner, relation = _NAMED[name]
    found = dpcheck.audit(learner, 1.0, neighbours=relation, seed=seed, shrink=False)
    assert found.status is Status.VIOLATED, str(found)


def keeps_what_its_code_names(dataset: Any, rng: Any) -> float:
    if len(dataset) < 10 or 7.25 in dataset:
        return float(rng.laplace())
    return float(np.clip(dataset, 0, 1).sum() / 4 + rng.laplace())


@pytest.mark.turns(4)
def test_a_learner_whose_constants_tell_nothing_is_not_accused_and_its_sizes_are_said(seed: int) -> None:
    found = dpcheck.audit(
        keeps_what_its_code_names, 1.0, neighbours=ReplaceOne(records=(0.0, 10.0)), seed=seed, detect=4.0
    )
    assert found.status is Status.NO_VIOLATION_FOUND, str(found)
    words = "datasets of 1 to 8 records, of 10 or 11 records too, by numbers in the learner's code or settings (no size"
    assert words in str(found)


def test_constants_make_pairs_inside_the_domain_alone(rng: Any) -> None:
    constants = (-999, 0.5, 3, 4.5, 10**400, 40, "b", "x")
    for relation in (
        ReplaceOne(records=(0, 10)),
        AddRemove(records=Records.bounded([0.0, 2.0], [1.0, 5.0])),
        ReplaceOne(records=["a", "b", "c", "d", "e", 3]),
        ReplaceOne(records=Records.labelled(features=(0.0, 5.0), labels=[0, 1])),
        ReplaceOne(records=(0, 10), size=4),
        ReplaceOne(records=(0.0, 1e-320)),
        LabelsOnly(records=Records.labelled(features=(0.0, 5.0), labels=[0, 1]), size=range(50, 0, -1)),
        LabelsOnly(records=Records.labelled(features=(0.0, 5.0), labels=[0, 1])),
    ):
        pairs = distinct_pairs(candidate_pairs(relation, rng, constants), 60, [])
        assert len(pairs) == 60
        assert all(relation.distance_problem(pair.left, pair.right) is None for pair in pairs)
        sides = [side for pair in pairs for side in (pair.left, pair.right)]
        assert all(relation.records.contains(record_at(side, row)) for side in sides for row in range(size_of(side)))
    large, constants = ReplaceOne(records=(0, 10**6)), (*constants, 31_337)
    whole = distinct_pairs(candidate_pairs(large, rng, constants), BLOCK + more_pairs(large, constants), [])
    assert any("replaced by 31337" in pair.change for pair in whole)
    assert {type(value) for pair in whole for value in (*pair.left, *pair.right)} == {int}
    assert {40, 41} <= {len(pair.left) for pair in whole}


@pytest.mark.parametrize("of", [ReplaceOne, AddRemove])
def test_random_pairs_keep_their_share_where_a_size_is_declared(of: Any, rng: Any) -> None:
    """Of one size there are few extreme pairs; hundreds of constants came before any other random one."""
    constants = (0.5, 2, 3, 10, 0.1, 1e-6, 100, 0.05, 20)
    relation = of(records=(0.0, 1.0), size=200)
    count = BLOCK + more_pairs(relation, constants)
    first, other = (
        {(tuple(pair.left), tuple(pair.right)) for pair in distinct_pairs(stream, count, [])}
        for stream in (candidate_pairs(relation, rng, constants) for _ in range(2))
    )
    assert len(first - other) >= count // 3, len(first - other)


def test_learners_without_constants_have_the_pairs_they_had() -> None:
    for relation in (ReplaceOne(records=(0.0, 10.0)), AddRemove(records=["a", "b", "c"])):
        bare, named = (
            [
                (pair.left, pair.right)
                for pair in distinct_pairs(candidate_pairs(relation, np.random.default_rng(1), constants), 30, [])
            ]
            for constants in ((), (0, 1e9, -3.5, "z", 20_000))
        )
        assert bare == named


@pytest.mark.turns(4)
def test_a_least_size_is_found_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "def total(data, rng):\n    return sum(data) if len(data) >= 10 else None\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "dpcheck", "audit", "own.py:total", "--epsilon", "1", "--records", "0,1"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "10 records" in ran.stdout


def test_constants_are_told_without_running_anything() -> None:
    assert {-999, 10, 0.5} <= set(constants_of_learner(as_target(sets_apart)))
    assert {11, 12.5, 7, "admin"} <= set(constants_of_learner(as_target(Settings(12.5))))
    assert constants_of_learner(as_target(lambda dataset, rng: dataset)) == ()


def sets_apart(dataset: Any, rng: Any, low: float = 0.5) -> Any:
    def inner(row: Any) -> bool:
        return bool(row != -999)

    return [row for row in dataset if inner(row) and row > low] if len(dataset) > 10 else None


class Settings:
    steps = 7

    def __init__(self, noise: float) -> None:
        self.noise = noise

    def __call__(self, dataset: Any, rng: Any) -> Any:
        return [row for row in dataset if row != "admin"][:LEAST_SIZE], self.noise


def names_sets(dataset: Any, rng: Any, least: Any = (-777, [-776])) -> Any:
    return sum(row in {"p", "q", "r", "s", "t"} or row in FAR or row in FEW or row in least for row in dataset)


FAR, FEW, BESIDE = frozenset({-999, "root"}), [-998], {"least": 13}


def test_constants_are_those_of_what_code_names_too_and_one_odd_one_costs_none() -> None:
    assert {-999, -998, -777, -776, "p", "root"} <= set(constants_of_learner(as_target(names_sets)))
    odd = LeastSize(10)
    odd.beside, odd.weights, odd.when = 10**5000, [number / 7 for number in range(1000)], np.datetime64(50, "ns")
    told = constants_of_learner(as_target(odd))
    assert told.index(10) < 5 < len(told) <= 64
    assert 50 not in told


def test_the_order_of_constants_is_the_same_in_every_process() -> None:
    code = (
        "from dpcheck.execution.code_constants import constants_of_learner\n"
        "from dpcheck.model.learner import as_target\n"
        "W = {'u', 'v', 'w', 'x'}\n"
        "print(constants_of_learner(as_target(lambda data, rng: data[0] in {'a', 'b', 'c', 'd'} or data[0] in W)))\n"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert "'a', 'b', 'c', 'd'" in told[0]


def test_values_of_any_kind_and_domains_of_one_value_have_pairs(rng: Any) -> None:
    mixed = ReplaceOne(records=Records.of([np.array([1.0, 2.0]), 3, np.array([4.0, 3.0])]))
    assert len(distinct_pairs(candidate_pairs(mixed, rng, (3, "a")), 10, [])) == 10
    one = AddRemove(records=[7])
    found = distinct_pairs(candidate_pairs(one, rng, (40,)), 30, [], most_pairs(one, (40,)))
    assert len(found) == most_pairs(one, (40,)) == 10


def test_sizes_that_were_not_looked_at_are_not_named() -> None:
    learner = LeastSize(30)
    found = dpcheck.audit(learner, 1.0, neighbours=ReplaceOne(records=(0.0, 10.0)), max_samples=300)
    assert "30" not in str(found.looked)
    private = dpcheck.audit(_OfPrivatePart(), 1.0, neighbours=PrivatePart(records=(0.0, 1.0)), max_samples=60_000)
    assert "of 20 or 21 records too" in str(private.looked)


class _OfPrivatePart:
    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(sum(dataset.private) + rng.laplace()) + 0.0 * self.least

    least = 20


def counts_subsets(dataset: Any, rng: Any) -> float:
    for _ in range(2 ** min(len(dataset), 40)):
        pass
    return float(sum(dataset) / 10 + rng.laplace())


def goes_through_orders(dataset: Any, rng: Any) -> float:
    for _ in itertools.permutations(dataset):
        pass
    return float(sum(dataset) / 10 + rng.laplace())


def ends_on_one_of_two(dataset: Any, rng: Any) -> float:
    if len(dataset) == 40 and dataset[-1] > 5:
        os._exit(3)
    return float(sum(dataset) / 10 + rng.laplace())


@pytest.mark.turns(4)
@pytest.mark.parametrize("learner", [counts_subsets, goes_through_orders])
def test_sizes_on_which_calls_do_not_end_are_left_out(learner: Any, seed: int) -> None:
    """Nobody asked for them: a correct learner was said to have failed, or to be undecided."""
    effort = {"seed": seed, "max_samples": 60_000, "call_timeout": 2.0, "detect": 4.0}
    found = dpcheck.audit(learner, 1.0, neighbours=ReplaceOne(records=(0.0, 10.0)), **effort)
    assert found.status is Status.NO_VIOLATION_FOUND, str(found)
    assert "records and more, which numbers in the learner's code or settings name, were left out" in str(found)
    assert "40" not in str(found.looked)


@pytest.mark.turns(4)
def test_a_learner_that_ends_on_one_of_two_datasets_of_such_a_size_fails() -> None:
    found = dpcheck.audit(
        ends_on_one_of_two, 1.0, neighbours=ReplaceOne(records=(0.0, 10.0)), max_samples=60_000, isolation="process"
    )
    assert found.status is Status.LEARNER_FAILED, str(found)
    assert "terminates differently on a neighbour" in str(found)
