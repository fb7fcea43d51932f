"""A private learner made of a semi-private one, by hiding its few records among dummies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled, SemiPrivate
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.papers.alon2019.learners.mixture import law_of_runs, terms
from dpcheck.papers.alon2019.learners.sampling import UNFILLED, Dummies, Mode, pool, private_codes
from dpcheck.parts.mechanisms.inner import drawn, grouped_draws, joined, law_method

#: Positions of all runs worked on at once: some tens of megabytes.
_CELLS = 1 << 22
#: A law of more terms is not declared: some seconds of work for each dataset.
MOST_TERMS = 4096


@dataclass(frozen=True)
class FromSemiPrivate:
    """B: gives a semi-private learner a private sample of dummies with a few of its own records, and public dummies.

    Each record is used at most once, at a position that no value influences, so that B keeps the semi-private
    learner's claim (alon2019:clm-4.5). With the paper's sizes it takes ``elements = ceil(n_priv / (10 n_pub))``
    records and uses each position with ``probability = 1 / (100 n_pub)``; both are exact. It takes datasets of other
    sizes too.

    ``distribution`` is there when the semi-private learner declares its law and at most 4096 inputs can reach it.

    Parameters
    ----------
    learner : semi-private learner
        Called with ``SemiPrivate(Labelled(x, y), public)``; with ``order_blind = True`` equal multisets are one input.
    private, public : int, at least 1
        n_priv and n_pub, the sizes of the samples that it wants.
    dummies : Dummies
        D_0.
    mode : "fill" or "printed"
        What alg-3 does when no record is left: go on with dummies, or end, as printed (the list is then short).
    probability : Fraction, optional
        p; the paper's when left out.
    labelled_public : bool
        Whether the learner wants labelled public data; else it gets the points only.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: alon2019:alg-2.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.alon2019.learners import CoverLearner
    >>> learner = FromSemiPrivate(CoverLearner(GridThresholds(8)), private=25, public=1, dummies=Dummies([0]))
    >>> learner.elements, learner.position_probability
    (3, Fraction(1, 100))
    >>> learner(([5, 6, 7], [0, 1, 1]), np.random.default_rng()) in (0, 1)
    True
    """

    learner: Any
    private: int
    public: int
    dummies: Dummies
    mode: Mode = "fill"
    probability: Fraction | None = None
    labelled_public: bool = False

    def __post_init__(self) -> None:
        if not callable(self.learner):
            raise InvalidArgument(f"learner must be a callable (dataset, rng) -> output, got {self.learner!r}")
        for name in ("private", "public"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InvalidArgument(f"{name} must be a number of records of at least 1, got {value!r}")
        if not isinstance(self.dummies, Dummies):
            raise InvalidArgument(f"dummies must be Dummies([points]), got {self.dummies!r}")
        if self.mode not in ("fill", "printed"):
            raise InvalidArgument(f"mode must be 'fill' or 'printed', got {self.mode!r}")
        given = self.probability
        if given is not None and not (isinstance(given, Fraction) and 0 <= given <= 1 and given.denominator < 2**63):
            raise InvalidArgument(f"probability must be a Fraction from 0 to 1, got {given!r}")

    @property
    def elements(self) -> int:
        """``ceil(n_priv / (10 n_pub))``, the records that the paper gives it."""
        return -(-self.private // (10 * self.public))

    @property
    def position_probability(self) -> Fraction:
        """``1 / (100 n_pub)`` unless given: with which a position asks for a record."""
        return Fraction(1, 100 * self.public) if self.probability is None else self.probability

    @property
    def claim(self) -> Any:
        """That of the semi-private learner."""
        return getattr(self.learner, "claim", None)

    @property
    def neighbours(self) -> ReplaceOne:
        """One labelled record of ``elements`` replaced."""
        return ReplaceOne(size=self.elements)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output of the semi-private learner."""
        x, y = self._pool(dataset)
        private, public = self._codes(len(y) - self.dummies.outcomes, 1, rng)
        return self.learner(self._input(x, y, private[0], public[0]), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs: runs whose input is the same are drawn together."""
        x, y = self._pool(dataset)
        step = max(1, _CELLS // max(self.private, len(y) + 1))
        parts = [self._some(x, y, min(step, size - start), rng) for start in range(0, max(size, 1), step)]
        return parts[0] if len(parts) == 1 else joined(parts)

    def _some(self, x: NDArray[Any], y: NDArray[np.uint8], size: int, rng: np.random.Generator) -> Any:
        private, public = self._codes(len(y) - self.dummies.outcomes, size, rng)
        # equal records have equal codes, so that runs with equal inputs are seen to be equal
        private, public = _first_alike(x, y)[private], _first_alike(x, y if self.labelled_public else None)[public]
        every = None
        if self._blind:
            every = np.arange(-1, len(y))
            private, public = _counted(private, len(y)), _counted(public, len(y))
        kinds, group = np.unique(np.concatenate([private, public], axis=1), axis=0, return_inverse=True)

        def draw(kind: int, count: int) -> Any:  # a call each: the learner takes one dataset at a time
            some, shown = np.split(kinds[kind], [private.shape[1]])
            if every is not None:
                some, shown = np.repeat(every, some), np.repeat(every, shown)
            return drawn(self.learner, self._input(x, y, some, shown), count, rng)

        return grouped_draws(group.reshape(-1), draw)

    @property
    def _blind(self) -> bool:
        """Whether the order of records is of no matter to the semi-private learner."""
        return getattr(self.learner, "order_blind", False) is True

    def _pool(self, dataset: Any) -> tuple[NDArray[Any], NDArray[np.uint8]]:
        """The points and labels that codes stand for: the dataset's, then the dummies'."""
        return pool(dataset, self.dummies)

    def _codes(
        self, available: int, size: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The codes of the private samples (size, n_priv) and of the public ones (size, n_pub)."""
        private = private_codes(available, self.private, self.position_probability, self.dummies, self.mode, size, rng)
        return private, available + self.dummies.draw((size, self.public), rng)

    def _input(
        self, x: NDArray[Any], y: NDArray[np.uint8], private: NDArray[np.int64], public: NDArray[np.int64]
    ) -> SemiPrivate:
        """The dataset that some codes stand for."""
        filled = private[private != UNFILLED]
        shown = public[public != UNFILLED]
        beside = Labelled(x[shown], y[shown]) if self.labelled_public else x[shown]
        return SemiPrivate(Labelled(x[filled], y[filled]), beside)

    @property
    def distribution(self) -> Callable[[Any], Any]:
        """``distribution(dataset)``: the exact law, by enumeration of coins and dummies; only on tiny instances."""
        law_method(self.learner)
        if self._terms(self.elements) > MOST_TERMS:
            raise AttributeError(f"a law of {self._terms(self.elements):,} terms is not declared")
        return self._distribution

    def _terms(self, available: int) -> int:
        return terms(available, self.private, self.public, self.dummies, self.mode, self._blind, self.labelled_public)

    def _distribution(self, dataset: Any) -> Any:
        x, y = self._pool(dataset)
        available = len(y) - self.dummies.outcomes
        if self._terms(available) > MOST_TERMS:
            raise InvalidArgument(f"dataset must have about {self.elements} records for a law, got {available}")
        return law_of_runs(
            law_method(self.learner),
            lambda private, public: self._input(x, y, private, public),
            (available, self.private, self.public, self.dummies, self.mode, self._blind, self.labelled_public),
            self.position_probability,
        )


def _first_alike(x: NDArray[Any], y: NDArray[np.uint8] | None) -> NDArray[np.int64]:
    """For each record the number of the first equal one; behind them, for the code -1, itself."""
    columns = [x.reshape(len(x), -1), *([] if y is None else [y])]
    _, first, kind = np.unique(np.column_stack(columns), axis=0, return_index=True, return_inverse=True)
    return np.append(first[kind.reshape(-1)], UNFILLED).astype(np.int64)


def _counted(codes: NDArray[np.int64], kinds: int) -> NDArray[np.int64]:
    """How often each code from -1 to ``kinds - 1`` occurs in each row, shape (rows, kinds + 1)."""
    rows = len(codes)
    place = np.arange(rows)[:, None] * (kinds + 1) + codes + 1
    return np.bincount(place.ravel(), minlength=rows * (kinds + 1)).reshape(rows, kinds + 1)
