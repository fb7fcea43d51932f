"""Learners on a part of a partially labelled database: on its labelled entries, or on a random part of either kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, perm
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim
from dpcheck.model.data import UNLABELLED, Labelled, describe_value, size_of, take_records
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import Records, ReplaceEntry
from dpcheck.parts.learners.families import refuse_strange_points
from dpcheck.parts.learners.records import partly_labelled, private_records
from dpcheck.parts.mechanisms.amplification import subsampled_claim, worst_claim
from dpcheck.parts.mechanisms.inner import (
    checked_learner,
    drawn,
    grouped_draws,
    is_order_blind,
    joined,
    law_method,
    relation_of,
)
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.mechanisms.parameters import count

#: Samples that are enumerated; a law of more terms is not declared, and draws of more go one by one.
MOST_SAMPLES = 4096


def entry_records(learner: Any) -> Records | None:
    """The records that a learner's claim is about where these are labelled ones; None where it names none."""
    records = getattr(relation_of(learner), "records", None)
    try:
        return ReplaceEntry(records).records
    except InvalidArgument:
        return None


def as_entries(dataset: Any) -> Labelled:
    """A partially labelled database as arrays, the labelled entries first, those without a label with -1.

    Raises
    ------
    InvalidArgument
        When it has no labels, a label is no integer, or a labelled entry comes after one without a label.

    Examples
    --------
    >>> as_entries([(3, 1), (4, -1)])
    Labelled(x=array([3, 4]), y=array([ 1, -1]))
    """
    x, y = private_records(dataset)
    partly_labelled(dataset)
    return Labelled(np.asarray(x), _whole_labels(y))


def _whole_labels(y: Any) -> NDArray[np.int64]:
    given = np.asarray(y)
    whole = given.dtype.kind in "iub" or (given.dtype.kind == "f" and bool((given == np.trunc(given)).all()))
    if given.size and not (whole and np.isfinite(given).all()):
        raise InvalidArgument(f"labels must be integers, {UNLABELLED} for none, got {describe_value(y)}")
    return given.astype(np.int64)


def labelled_size(dataset: Any) -> int:
    """How many entries of a database have labels."""
    return int(np.count_nonzero(np.asarray(private_records(dataset)[1]) != UNLABELLED))


@dataclass(frozen=True)
class LabelledPart:
    """A learner that is given the labelled entries of a partially labelled database, and no others.

    An entry without a label has no influence at all.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.beimel2015.learners import ExponentialLearner
    >>> LabelledPart(ExponentialLearner(GridThresholds(2))).part([(0, 1), (1, -1)])
    Labelled(x=array([0]), y=array([1]))
    """

    learner: Any

    def __post_init__(self) -> None:
        checked_learner(self.learner)

    @property
    def order_blind(self) -> bool:
        """Whether the order of the records is of no matter."""
        return is_order_blind(self.learner)

    def part(self, dataset: Any) -> Labelled:
        """The labelled entries."""
        return take_records(as_entries(dataset), np.arange(labelled_size(dataset)))  # type: ignore[no-any-return]

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return self.learner(self.part(dataset), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs."""
        return drawn(self.learner, self.part(dataset), size, rng)

    @property
    def distribution(self) -> Callable[[Any], Any]:
        """``distribution(dataset)``, where the learner declares its law."""
        law = law_method(self.learner)
        return lambda dataset: law(self.part(dataset))


@dataclass(frozen=True)
class SubsampledParts:
    """A learner on a uniformly random part of S and one of T, drawn separately and without replacement.

    A database is S o T o D: ``labelled`` entries, the ``unlabelled`` ones behind them, and the rest, which stays as it
    is. The numbers of entries kept are fixed, so an entry of S is kept with the probability ``kept_labelled /
    labelled``, whatever happens to T. With ``order="random"`` each part is shuffled; with "sorted" the entries keep
    their order, and the claim is there only for learners that do not look at it.

    Parameters
    ----------
    learner : learner of partially labelled databases
    labelled, kept_labelled, unlabelled, kept_unlabelled : int
        The entries of S and how many of them are kept; those of T.
    order : "random" or "sorted"

    Raises
    ------
    InvalidArgument
        When more entries are to be kept than there are, or a database has other sizes.

    Source: beimel2015:clm-4.3 as thm-4.14 uses it, both parts at the same rate; beimel2015:alg-3, step 2c.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.beimel2015.learners import ExponentialLearner
    >>> learner = SubsampledParts(ExponentialLearner(GridThresholds(2)), 4, 2, 8, 4)
    >>> learner.claim
    PureDP(epsilon=0.6201145069582776)
    """

    learner: Any
    labelled: int
    kept_labelled: int
    unlabelled: int
    kept_unlabelled: int
    order: Literal["random", "sorted"] = "random"

    def __post_init__(self) -> None:
        checked_learner(self.learner)
        for whole, kept in (("labelled", "kept_labelled"), ("unlabelled", "kept_unlabelled")):
            for name in (whole, kept):
                object.__setattr__(self, name, count(name, getattr(self, name), least=0))
            if getattr(self, kept) > getattr(self, whole):
                raise InvalidArgument(
                    f"{kept} must be at most {whole} = {getattr(self, whole)}, got {getattr(self, kept)}"
                )
        if self.order not in ("random", "sorted"):
            raise InvalidArgument(f"order must be 'random' or 'sorted', got {self.order!r}")

    @property
    def claim(self) -> Claim:
        """That of the learner, subsampled at the larger of the two rates.

        Raises
        ------
        AttributeError
            When the learner promises nothing for such databases, or looks at the order of a sorted sample.
        """
        from dpcheck.papers.beimel2015.learners.boost_claim import entry_claim

        if self.order == "sorted" and not is_order_blind(self.learner):
            raise AttributeError("a sorted sample keeps nothing of a claim about learners that look at the order")
        claim = entry_claim(self.learner, self.kept_labelled + self.kept_unlabelled, self.kept_labelled)
        parts = ((self.kept_labelled, self.labelled), (self.kept_unlabelled, self.unlabelled))
        return worst_claim(
            [subsampled_claim(claim, Fraction(kept, whole)) for kept, whole in parts if whole] or [claim]
        )

    @property
    def neighbours(self) -> ReplaceEntry:
        """One entry replaced, of databases without further entries."""
        return ReplaceEntry(entry_records(self.learner), self.labelled + self.unlabelled, self.labelled)

    def rows(self, records: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """The rows of one sample."""
        shuffled = self.order == "random"
        of_s = rng.choice(self.labelled, self.kept_labelled, replace=False, shuffle=shuffled)
        of_t = rng.choice(self.unlabelled, self.kept_unlabelled, replace=False, shuffle=shuffled) + self.labelled
        if not shuffled:
            of_s, of_t = np.sort(of_s), np.sort(of_t)
        return self._with_rest(of_s, of_t, records)

    def _with_rest(self, of_s: Any, of_t: Any, records: int) -> NDArray[np.intp]:
        rest = np.arange(self.labelled + self.unlabelled, records)
        return np.concatenate([np.asarray(of_s), np.asarray(of_t), rest]).astype(np.intp)

    def samples(self, records: int) -> NDArray[np.intp]:
        """All samples, equally likely, as rows; shape (count, kept entries)."""
        every = permutations if self._ordered else combinations
        of_s = list(every(range(self.labelled), self.kept_labelled))
        of_t = list(every(range(self.labelled, self.labelled + self.unlabelled), self.kept_unlabelled))
        return np.array([self._with_rest(one, other, records) for one in of_s for other in of_t], dtype=np.intp)

    @property
    def _ordered(self) -> bool:
        return self.order == "random" and not is_order_blind(self.learner)

    @property
    def count(self) -> int:
        """How many samples there are."""
        ways = perm if self._ordered else comb
        return ways(self.labelled, self.kept_labelled) * ways(self.unlabelled, self.kept_unlabelled)

    def _checked(self, dataset: Any) -> Labelled:
        found, labelled = as_entries(dataset), labelled_size(dataset)
        if labelled != self.labelled or size_of(found) < self.labelled + self.unlabelled:
            raise InvalidArgument(
                f"dataset must hold {self.labelled} labelled and at least {self.unlabelled} other entries, got "
                f"{labelled} and {size_of(found) - labelled}"
            )
        refuse_strange_points(self.learner, found.x)
        return found

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        found = self._checked(dataset)
        return self.learner(take_records(found, self.rows(size_of(found), rng)), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs: of few samples, runs with the same one are drawn together."""
        found = self._checked(dataset)
        # the number of samples of large parts has more digits than there is time for
        few = self.labelled + self.unlabelled <= MOST_SAMPLES and self.count <= min(MOST_SAMPLES, size)
        if not few:
            each = (self.rows(size_of(found), rng) for _ in range(size))
            return joined([drawn(self.learner, take_records(found, rows), 1, rng) for rows in each])
        samples = self.samples(size_of(found))
        return grouped_draws(
            rng.integers(len(samples), size=size),
            lambda place, times: drawn(self.learner, take_records(found, samples[place]), times, rng),
        )

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law, a mixture over all samples, of which there are at most 4096."""
        law_method(self.learner)
        if self.labelled + self.unlabelled > MOST_SAMPLES or self.count > MOST_SAMPLES:
            raise AttributeError(f"a law over more than {MOST_SAMPLES} samples is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        found = self._checked(dataset)
        law, chances = law_method(self.learner), dict[bytes, int]()
        taken: dict[bytes, Labelled] = {}
        for rows in self.samples(size_of(found)):
            one = take_records(found, rows)
            key = one.x.tobytes() + one.y.tobytes()
            taken[key] = one
            chances[key] = chances.get(key, 0) + 1
        weights = [Fraction(times, self.count) for times in chances.values()]
        return mixture(weights, (law(one) for one in taken.values()))
