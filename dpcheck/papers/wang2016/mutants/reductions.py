"""Broken versions of the learners of wang2016 that are made of other learners, a defect each."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from dpcheck import PureDP, Records, ReplaceOne
from dpcheck.model.data import size_of, take_records
from dpcheck.parts.learners.mutants import Mutant
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.mechanisms.subsampling import Subsampled
from dpcheck.parts.risk import linear_program
from dpcheck.parts.risk.losses import Sums

# --- the linear program


def _one_way(learner: Any) -> Any:
    datasets, pairs = linear_program.histograms(learner.dataset_size, len(learner.problem.records))
    return datasets, pairs[pairs[:, 0] > pairs[:, 1]]


def _every_second_pair(learner: Any) -> Any:
    datasets, pairs = linear_program.histograms(learner.dataset_size, len(learner.problem.records))
    return datasets, np.concatenate([pairs[::2], pairs[::2, ::-1]])


def _labels_only(learner: Any) -> Any:
    datasets, pairs = linear_program.histograms(learner.dataset_size, len(learner.problem.records))
    moved = datasets[pairs[:, 0]] - datasets[pairs[:, 1]]
    points = np.abs(moved[:, 0::2] + moved[:, 1::2]).sum(axis=1)  # records are (x, 0), (x, 1) for each x
    return datasets, pairs[points == 0]


def _ratio_of_a_wrong_claim(learner: Any) -> Fraction:
    """``1 + 2 epsilon``, the bound of lem-8, where ``e^epsilon`` belongs: it is larger for epsilon up to 1.25."""
    return 1 + 2 * Fraction(learner.epsilon)


def _ratio_rounded_up(learner: Any) -> Fraction:
    return Fraction(math.ceil(100 * linear_program.ratio_between(learner.epsilon)[1]), 100)


def _two_decimals(learner: Any, solution: Any) -> Any:
    rounded = np.rint(solution.table * 100).astype(int)
    rounded[:, -1] = 100 - rounded[:, :-1].sum(axis=1)
    return linear_program.Table(rounded.astype(object), 100)


def _likeliest(learner: Any, solution: Any) -> Any:
    chosen = np.zeros(solution.table.shape, dtype=int)
    chosen[np.arange(len(chosen)), solution.table.argmax(axis=1)] = 1
    return linear_program.Table(chosen.astype(object), 1)


def _smaller_datasets(learner: Any, dataset: Any) -> int:
    """The row of a dataset whose records all are like its first."""
    codes = learner.problem.codes(dataset)
    counts = np.bincount(np.full(len(codes), codes[0]), minlength=len(learner.problem.records)).astype(np.int64)
    return int(learner._places[counts.tobytes()])


# --- subsampling


@dataclasses.dataclass(frozen=True)
class _Rows:
    """A learner on rows that are chosen in some other way: all of ``choices`` are equally likely."""

    learner: Any
    choices: tuple[tuple[int, ...], ...]

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        times = rng.multinomial(size, np.full(len(self.choices), 1 / len(self.choices)))
        drawn = [
            output
            for rows, count in zip(self.choices, times.tolist(), strict=True)
            for output in self.learner.sample(take_records(dataset, rows), count, rng)
        ]
        return [drawn[place] for place in rng.permutation(size)]

    def distribution(self, dataset: Any) -> Any:
        share = Fraction(1, len(self.choices))
        laws = [self.learner.distribution(take_records(dataset, rows)) for rows in self.choices]
        return mixture([share] * len(laws), laws)


def _first_records(learner: Any) -> Any:
    return _Rows(learner.learner, (tuple(range(learner.drawn)),))


def _systematic(learner: Any) -> Any:
    """A random start and then every second record."""
    step = learner.dataset_size // learner.drawn
    return _Rows(learner.learner, tuple(tuple(range(s, learner.dataset_size, step)) for s in range(step)))


def _with_replacement(learner: Any) -> Any:
    return _Rows(learner.learner, tuple(product(range(learner.dataset_size), repeat=learner.drawn)))


def _never_the_last(learner: Any) -> Any:
    """Drawn from all records but one: an index that ends too early."""
    n = learner.dataset_size - 1
    return _Rows(learner.learner, tuple((i, j) for i in range(n) for j in range(i)))


def _claim_linear(learner: Any) -> PureDP:
    return PureDP(Fraction(learner.drawn, learner.dataset_size) * Fraction(learner.learner.epsilon))


def _claim_of_one_record_less(learner: Any) -> Any:
    fewer = dataclasses.replace(learner.learner, dataset_size=learner.drawn - 1)
    return Subsampled(fewer, size=learner.drawn - 1, records=learner.dataset_size).claim


def _one_point() -> ReplaceOne:
    """Few datasets, so that an audit by calls soon finds the pair that shows most."""
    return ReplaceOne(records=Records.labelled(features=[0], labels=[0, 1]), size=4)


# --- boosting

#: Two candidates of a record each, and one to validate; the choice may lose all of its share.
_TIGHT = {"epsilon": 3.0, "validation_epsilon": Fraction(3), "sensitivity": "exact"}
#: What makes the choice alone too loud shows best where the claim is small.
_QUIET = {"epsilon": 0.25, "validation_epsilon": Fraction(1, 4), "sensitivity": "exact"}


def _all_records_in_each_part(learner: Any, orders: Any) -> Any:
    return [orders] * (learner.candidates + 1)


def _validated_on_all(learner: Any, orders: Any) -> Any:
    """Parts overlap: the validation part is all the records."""
    size = learner.part_size
    return [*(orders[:, j * size : (j + 1) * size] for j in range(learner.candidates)), orders]


def _best_without_noise(learner: Any, sums: Any) -> Choice:
    return Choice(1000, -sums.values)


def _in_percent(learner: Any, hypotheses: Any, part: Any) -> Any:
    sums = learner.loss.sums(hypotheses, part)
    return Sums(100 * sums.values, sums.unit / size_of(part))


def _share_of_every_part(learner: Any) -> Fraction:
    """A learner of epsilon that takes itself for one of three, each with a third of the data's budget."""
    return linear_program.ratio_between(3 * learner.epsilon)[0]


def _choice_for_free(learner: Any) -> Any:
    return learner.learner.claim


# --- the empty set


def _seen(learner: Any, dataset: Any) -> tuple[Any, ...]:
    return tuple(sorted(set(dataset)))


def _least(learner: Any, dataset: Any) -> tuple[Any, ...]:
    return (min(dataset),)


def _of_the_last(learner: Any, dataset: Any) -> tuple[Any, ...]:
    return (dataset[-1],)


def _repeated(learner: Any, dataset: Any) -> tuple[Any, ...]:
    return tuple(sorted(record for record in set(dataset) if list(dataset).count(record) > 1))


def _empty_unless_alike(learner: Any, dataset: Any) -> tuple[Any, ...]:
    return tuple(set(dataset)) if len(set(dataset)) == 1 else ()


MUTANTS: tuple[Mutant, ...] = (
    Mutant("wang2016.generic", "privacy constraints one way round only", "datasets", _one_way),
    Mutant("wang2016.generic", "every second neighbouring pair is missing", "datasets", _every_second_pair),
    Mutant("wang2016.generic", "neighbours differ in their labels only", "datasets", _labels_only),
    Mutant("wang2016.generic", "ratio 1 + 2 epsilon where e^epsilon belongs", "ratio", _ratio_of_a_wrong_claim),
    Mutant("wang2016.generic", "e^epsilon rounded up to two decimals", "ratio", _ratio_rounded_up),
    Mutant("wang2016.generic", "table rounded to two decimals without repair", "repaired", _two_decimals),
    Mutant("wang2016.generic", "row looked up by the first record", "row", _smaller_datasets),
    Mutant("wang2016.generic_over_distributions", "privacy constraints one way round only", "datasets", _one_way),
    Mutant("wang2016.generic_over_distributions", "every second pair is missing", "datasets", _every_second_pair),
    Mutant(
        "wang2016.generic_over_distributions", "ratio 1 + 2 epsilon where e^epsilon belongs", "ratio",
        _ratio_of_a_wrong_claim,
    ),
    Mutant("wang2016.generic_over_distributions", "e^epsilon rounded up to two decimals", "ratio", _ratio_rounded_up),
    Mutant("wang2016.generic_over_distributions", "always the likeliest hypothesis", "repaired", _likeliest),
    Mutant("wang2016.generic_over_distributions", "row looked up by the first record", "row", _smaller_datasets),
    Mutant("wang2016.subsample", "the first k records", "on_sample", _first_records, relation=_one_point),
    Mutant("wang2016.subsample", "every second record from a random start", "on_sample", _systematic),
    Mutant("wang2016.subsample", "drawn with replacement", "on_sample", _with_replacement, relation=_one_point),
    Mutant("wang2016.subsample", "the last record is never drawn", "on_sample", _never_the_last, relation=_one_point),
    Mutant("wang2016.subsample", "claim of gamma epsilon", "claim", property(_claim_linear), relation=_one_point),
    Mutant(
        "wang2016.subsample", "claim of k - 1 records", "claim", property(_claim_of_one_record_less),
        relation=_one_point,
    ),
    Mutant(
        "wang2016.boost", "every part is all the records", "parts", _all_records_in_each_part,
        {**_TIGHT, "base": "exponential"},
    ),
    Mutant("wang2016.boost", "validated on all the records", "parts", _validated_on_all, _TIGHT),
    Mutant("wang2016.boost", "the least validation loss, without noise", "choice", _best_without_noise, _QUIET),
    Mutant("wang2016.boost", "validation loss in percent", "validation", _in_percent, _QUIET),
    Mutant("wang2016.boost", "each part's learner three times as loud", "learner.ratio", _share_of_every_part),
    Mutant(
        "wang2016.boost", "claim without that of the choice", "claim", property(_choice_for_free),
        {"epsilon": 0.125, "validation_epsilon": Fraction(8)},
    ),
    Mutant("wang2016.empty", "the set of what was seen", "answer", _seen),
    Mutant("wang2016.empty", "the least point seen", "answer", _least),
    Mutant("wang2016.empty", "the last point seen", "answer", _of_the_last),
    Mutant("wang2016.empty", "the points seen twice", "answer", _repeated),
    Mutant("wang2016.empty", "empty unless all points are one", "answer", _empty_unless_alike),
)  # fmt: skip
