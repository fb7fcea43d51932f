"""High-confidence private learning: several private runs on parts of the data, a private choice among them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.data import size_of, take_records
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import Relation
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.parts.mechanisms.inner import claim_among, law_method, replacing
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.mechanisms.parameters import count, positive_as_given, real
from dpcheck.parts.risk.losses import Loss, Sums, checked_loss, sums_of
from dpcheck.parts.risk.problems import listed

_ROUNDINGS: dict[str, Callable[[float], int]] = {"up": math.ceil, "down": math.floor, "nearest": round}
#: The law goes through all orders of the records: of 7 there are 5040.
MOST_RECORDS_OF_A_LAW = 7
#: Bits of the balls in which laws are computed, unless more are asked for.
_LEAST_BITS = 128
#: Equal records are looked for, so that runs on equal parts are drawn together, in datasets of at most so many.
_MOST_COMPARED = 64
#: Rows of all draws worked on at once: some tens of megabytes.
_CELLS = 1 << 22


@dataclass(frozen=True)
class BoostedLearner:
    """A private learner run on disjoint parts of the data, and the exponential mechanism among what they learnt.

    The records are split at random into ``candidates + 1`` parts of ``part_size``; a learner runs on each but the
    last; candidate j is chosen with probability proportional to ``exp(-(eps_v / 2s) v_j)``, v_j its average loss on
    the last part and s = 2 / part_size. What is chosen is a number j: two runs with the same hypothesis count twice.
    Records that do not fill a part are not used.

    A record is in one part only, so the whole keeps ``max(epsilon of the learner, eps_v)``; as the average loss moves
    by 1 / part_size at the most, the choice at the paper's s loses half of eps_v.

    The paper prints the first at the sample size ``n / (log(3/n) + 1)``, where a part has about
    ``n / (log(3/failure) + 1)``: it is above n for n from 4 to 8, and no size at all from n = 9 on. With
    ``as_printed=True`` and ``learner_epsilon`` the claim is the printed one. It is broken: four records, failure 1/2
    and learner_epsilon(m) = 8/m lose 3.31 nats where 1.42 are printed.

    Parameters
    ----------
    learner : learner with a claim of pure privacy
        The paper's A; it is called with parts of ``part_size`` records. The relation of its claim is that of the
        whole; one that adds and removes records is used at distance 2.
    loss : Loss
        That of validation, from 0 to 1: ``ZeroOneLoss(family)`` or a ``FiniteProblem``, among others.
    dataset_size : int
        The paper's n.
    failure : float in (0, 1)
        The paper's delta: the probability with which the excess risk may be above the theorem's.
    rounding : "up", "down" or "nearest"
        How ``log(3/failure)``, the paper's number a of candidates, is made an integer.
    validation_epsilon : float or Fraction, nats, above 0, optional
        eps_v; the paper's ``(log(3/failure) + 1) / sqrt(n)`` when left out.
    sensitivity : "paper_bound" or "exact"
        s = 2 / part_size as the paper has it, or 1 / part_size.
    as_printed : bool
        Whether the claim is that of the paper's theorem, which does not always hold.
    learner_epsilon : callable, sample size -> nats, optional
        The paper's eps(.), asked for by ``as_printed``.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or there are fewer records than parts.

    Source: wang2016:alg-boost, thm-25.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.alon2019.learners import GenericLearner
    >>> from dpcheck.parts.risk.losses import ZeroOneLoss
    >>> grid = GridThresholds(9)
    >>> learner = BoostedLearner(GenericLearner(grid, 2.0), ZeroOneLoss(grid), dataset_size=400, failure=0.05)
    >>> learner.candidates, learner.part_size, learner.claim
    (5, 66, PureDP(epsilon=2.0))
    >>> learner(([3] * 200 + [5] * 200, [0] * 200 + [1] * 200), np.random.default_rng()) in (4, 5)
    True
    """

    learner: Any
    loss: Loss
    dataset_size: int
    failure: float = 0.1
    rounding: Literal["up", "down", "nearest"] = "up"
    validation_epsilon: float | Fraction | None = None
    sensitivity: Literal["paper_bound", "exact"] = "paper_bound"
    as_printed: bool = False
    learner_epsilon: Callable[[float], float] | None = None

    def __post_init__(self) -> None:
        claim = getattr(self.learner, "claim", None)
        if not callable(self.learner) or not isinstance(claim, PureDP):
            raise InvalidArgument(f"learner must have a claim of pure privacy, got {self.learner!r} with {claim!r}")
        checked_loss(self.loss)
        object.__setattr__(self, "dataset_size", count("dataset_size", self.dataset_size))
        if not 0 < real("failure", self.failure) < 1:
            raise InvalidArgument(f"failure must be a probability above 0 and below 1, got {self.failure!r}")
        if self.rounding not in tuple(_ROUNDINGS):
            raise InvalidArgument(f"rounding must be 'up', 'down' or 'nearest', got {self.rounding!r}")
        if self.validation_epsilon is not None:
            positive_as_given("validation_epsilon", self.validation_epsilon)
        if self.sensitivity not in ("paper_bound", "exact"):
            raise InvalidArgument(f"sensitivity must be 'paper_bound' or 'exact', got {self.sensitivity!r}")
        if self.as_printed and not callable(self.learner_epsilon):
            raise InvalidArgument("learner_epsilon must be a function of the sample size for as_printed, got none")
        if self.dataset_size < self.candidates + 1:
            raise InvalidArgument(
                f"dataset_size must be at least {self.candidates + 1}, a record for each of {self.candidates} "
                f"candidates and one to validate, got {self.dataset_size}: a failure of {self.failure:g} wants as many"
            )

    @property
    def candidates(self) -> int:
        """The paper's a: ``log(3/failure)``, rounded, at least 1."""
        return max(1, _ROUNDINGS[self.rounding](math.log(3 / self.failure)))

    @property
    def part_size(self) -> int:
        """``floor(n / (a + 1))``."""
        return self.dataset_size // (self.candidates + 1)

    @property
    def epsilon_of_choice(self) -> Fraction:
        """eps_v, as the exact rational that is used."""
        if self.validation_epsilon is not None:
            return Fraction(self.validation_epsilon)
        return Fraction((math.log(3 / self.failure) + 1) / math.sqrt(self.dataset_size))

    @property
    def claim(self) -> PureDP:
        """The larger of the learner's claim and eps_v."""
        own = PureDP(self.epsilon_of_choice)
        theirs = claim_among(self.learner, self.part_size)
        assert isinstance(theirs, PureDP)  # as the learner's is
        if self.as_printed:
            assert self.learner_epsilon is not None
            size = printed_size(self.dataset_size)
            if size <= 0:
                raise InvalidArgument(
                    f"dataset_size must be at most 8 for the printed claim, got {self.dataset_size}: the printed "
                    f"sample size n / (log(3/n) + 1) is {size:.4g}"
                )
            theirs = PureDP(self.learner_epsilon(size))
        return max(own, theirs, key=lambda claim: claim.epsilon_value)

    @property
    def neighbours(self) -> Relation:
        """One record of the dataset replaced, or what may change of it for the learner's own claim."""
        return replacing(self.learner, self.dataset_size)[0]

    @property
    def order_blind(self) -> bool:
        """Whether the order of the records is of no matter: they are put in a random order."""
        return True

    # --- the steps

    def parts(self, orders: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """The rows of each part for orders of all rows, shape (draws, n): ``candidates + 1`` arrays (draws, size)."""
        size = self.part_size
        return [orders[:, part * size : (part + 1) * size] for part in range(self.candidates + 1)]

    def validation(self, hypotheses: list[Any], part: Any) -> Sums:
        """The summed losses on the last part, n v_j of k hypotheses.

        Raises
        ------
        InvalidArgument
            When the loss can be below 0 or above 1: its sensitivity is then another.
        """
        low, high = self.loss.bounds(hypotheses)
        if not 0 <= low <= high <= 1:
            raise InvalidArgument(
                f"loss must be from 0 to 1, got {self.loss!r}, from {low} to {high}: wrap it in Clipped"
            )
        return sums_of(self.loss, hypotheses, part)

    def rate(self) -> Fraction:
        """Nats per unit of a sum of losses: ``eps_v / 2s``, over the size of the part."""
        sensitivity = Fraction(2 if self.sensitivity == "paper_bound" else 1, self.part_size)
        return self.epsilon_of_choice / (2 * sensitivity) / self.part_size

    def choice(self, sums: Sums) -> Choice:
        """The choice among the candidates, by number, whose summed losses these are."""
        return Choice(self.rate() * sums.unit, -sums.values)

    # --- draws

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        self._checked(dataset)
        *training, last = (
            take_records(dataset, rows[0]) for rows in self.parts(rng.permutation(self.dataset_size)[None])
        )
        hypotheses = [output for part in training for output in _drawn(self.learner, part, 1, rng)]
        return hypotheses[int(self.choice(self.validation(hypotheses, last)).sample(1, rng)[0])]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[Any]:
        """``size`` independent hypotheses; of small datasets, runs on equal parts are drawn together."""
        self._checked(dataset)
        if self.dataset_size > _MOST_COMPARED:
            return [self(dataset, rng) for _ in range(size)]
        step = _CELLS // self.dataset_size
        return [
            hypothesis
            for start in range(0, size, step)
            for hypothesis in self._some(dataset, min(step, size - start), rng)
        ]

    def _some(self, dataset: Any, size: int, rng: np.random.Generator) -> list[Any]:
        orders = rng.permuted(np.tile(np.arange(self.dataset_size), (size, 1)), axis=1)
        kinds = _kinds(dataset)
        *training, last = self.parts(orders)
        outputs: dict[Any, int] = {}
        chosen = np.empty((size, len(training)), dtype=np.int64)
        for j, rows in enumerate(training):
            for draws, part in _parts_alike(rows, kinds, dataset, self._blind):
                found = _drawn(self.learner, part, len(draws), rng)
                chosen[draws, j] = [outputs.setdefault(output, len(outputs)) for output in found]
        known = list(outputs)
        answer = np.empty(size, dtype=np.int64)
        for draws, part in _parts_alike(last, kinds, dataset, True):
            some, place = np.unique(chosen[draws], return_inverse=True)
            sums = self.validation([known[i] for i in some], part)
            rows = sums.values[place].reshape(-1, len(training))
            for alike, first in _alike(rows):
                places = self.choice(Sums(rows[first], sums.unit)).sample(len(alike), rng)
                answer[draws[alike]] = chosen[draws[alike], places]
        return [known[i] for i in answer.tolist()]

    # --- the law

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law over all orders of the records, for at most 7 of them."""
        law_method(self.learner)
        if self.dataset_size > MOST_RECORDS_OF_A_LAW:
            raise AttributeError(f"a law over all orders of {self.dataset_size} records is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        from flint import arb, ctx, fmpq

        self._checked(dataset)
        law = law_method(self.learner)
        orders = np.array(list(permutations(range(self.dataset_size))), dtype=np.int64)
        kinds = _kinds(dataset)
        parts = [_ordered(rows, kinds, blind) for rows, blind in zip(self.parts(orders), self._blinds, strict=True)]
        joined, first, times = np.unique(np.concatenate(parts, axis=1), axis=0, return_index=True, return_counts=True)
        splits = [rows[first] for rows in self.parts(orders)]
        shares: dict[Any, list[Any]] = {}
        found: dict[Any, Any] = {}
        with ctx.workprec(max(ctx.prec, _LEAST_BITS)):
            for place in range(len(joined)):
                weight = arb(fmpq(int(times[place]), len(orders)))
                *training, last = (take_records(dataset, rows[place]) for rows in splits)
                laws = [_plain(law(part)) for part in training]
                for run in product(*laws):
                    hypotheses = [output for output, _ in run]
                    sums = self.validation(hypotheses, last)
                    key = (sums.unit, *sums.values.tolist())
                    if key not in shares:
                        shares[key] = [p for _, p in _plain(self.choice(sums).law(range(len(hypotheses))))]
                    chance = weight
                    for _, probability in run:
                        chance = chance * probability
                    for output, share in zip(hypotheses, shares[key], strict=True):
                        found[output] = found.get(output, arb(0)) + chance * share
        return Law(list(found), exact=list(found.values()))

    # --- what they share

    @property
    def _blind(self) -> bool:
        """Whether the order of records is of no matter to the learner."""
        return getattr(self.learner, "order_blind", False) is True

    @property
    def _blinds(self) -> list[bool]:
        return [self._blind] * self.candidates + [True]

    def _checked(self, dataset: Any) -> None:
        if size_of(dataset) != self.dataset_size:
            raise InvalidArgument(f"dataset must hold {self.dataset_size} records, got {size_of(dataset)}")


def printed_size(dataset_size: int) -> float:
    """``n / (log(3/n) + 1)``: the sample size at which thm-25 prints the learner's epsilon; negative from n = 9 on.

    Source: wang2016:thm-25, T25.priv.

    Examples
    --------
    >>> [round(printed_size(n), 2) for n in (2, 4, 8, 9)]
    [1.42, 5.62, 417.3, -91.27]
    """
    return dataset_size / (math.log(3 / dataset_size) + 1)


def _kinds(dataset: Any) -> NDArray[np.int64]:
    """A number for each row, the same for equal records."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(record, len(numbers)) for record in listed(dataset)], dtype=np.int64)


def _parts_alike(
    rows: NDArray[np.int64], kinds: NDArray[np.int64], dataset: Any, blind: bool
) -> Iterator[tuple[NDArray[np.intp], Any]]:
    """The draws whose parts are equal, with the part."""
    for draws, first in _alike(_ordered(rows, kinds, blind)):
        yield draws, take_records(dataset, rows[first])


def _alike(rows: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.intp], int]]:
    """The places of equal rows, kind by kind, with one of them."""
    _, first, group = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(group.reshape(-1), kind="stable")
    ends = np.cumsum(np.bincount(group.reshape(-1), minlength=len(first)))
    for start, end, one in zip(np.append(0, ends[:-1]).tolist(), ends.tolist(), first.tolist(), strict=True):
        yield order[start:end], one


def _ordered(rows: NDArray[np.int64], kinds: NDArray[np.int64], blind: bool) -> NDArray[np.int64]:
    """The kinds of records in parts, equal for parts that are equal to who reads them."""
    found = kinds[rows]
    return np.sort(found, axis=1) if blind else found


def _drawn(learner: Any, part: Any, draws: int, rng: np.random.Generator) -> list[Any]:
    if callable(getattr(learner, "sample", None)):
        return as_outputs(learner.sample(part, draws, rng))
    return [learner(part, rng) for _ in range(draws)]


def _plain(law: Any) -> list[tuple[Any, Any]]:
    """The outputs of a law with their probabilities, fractions or balls."""
    from flint import arb, fmpq

    found = mixture([1], [law])
    if found.exact is None:
        raise InvalidArgument("learner must declare an exact law for the law of its boosting, got one in floats")
    return [
        (output, arb(fmpq(p.numerator, p.denominator)) if isinstance(p, Fraction) else p)
        for output, p in zip(found.outputs, found.exact, strict=True)
    ]
