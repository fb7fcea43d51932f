"""A choice among weighted candidates: the law of the exponential mechanism, and draws from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import FLOAT_ERROR, IntegerScores, Law
from dpcheck.parts.mechanisms.parameters import exact_at_least_zero
from dpcheck.parts.mechanisms.uniform_integers import integers_below

#: The cells of all candidates together are a little less than 2 to this power: they are counted in 64-bit integers.
_BITS = 61
#: By how much, relative to itself, a weight in doubles may be wrong where it is not far below the largest: |w| is then
#: below 128, its product and the difference before it err by 3 |w| 2^-53, an exponential and a product by 20 2^-53.
_SLACK = 2.0**-42
#: Only the last integers of a cell, so many, may be beyond its weight: 2^-41 of the largest cell, and 4 for rounding.
_DOUBTFUL = (1 << (_BITS - 41)) + 4
#: Bits that are drawn at once where a draw is undecided, and of the first ball it is compared with.
_WORD = 64
#: Scores in doubles are of at most this size, and rates beyond its inverse and itself are treated apart: products of
#: the others are doubles to the last bit.
_LARGEST_POWER = 500
_LARGEST_SCORE = 2.0**_LARGEST_POWER
#: How far, in nats, a log-probability may be off besides 8 units of 2^-53 of itself; with multiplicities, of which the
#: logarithms (up to 44 nats) may cancel.
_ERROR, _ERROR_OF_MULTIPLES = 2.0**-45, 2.0**-43


@dataclass(frozen=True, eq=False)
class Choice:
    """Candidate i is chosen with probability proportional to ``multiplicity_i exp(rate score_i)``.

    The exponential mechanism after the scores are known: ``rate = epsilon / (2 sensitivity)``.

    Draws have exactly this law (given random bits), however small a probability is: each candidate has a cell of
    integers, at least one, a little longer than its weight; an integer of all cells is drawn, and where it is one of
    the last of its cell the draw is compared with the exact weight, in balls of growing precision against random bits
    drawn as they are needed, and thrown away when it lies beyond. No candidate is lost because its weight underflows:
    that would make an output possible on one of two neighbouring datasets only.

    Parameters
    ----------
    rate : Fraction or float (taken as the exact double), at least 0
        Nats per unit of the score.
    scores : array of integers or doubles (taken as exact), shape (k,), k at least 1
        Higher is better.
    multiplicities : array of integers of at least 1, shape (k,), optional
        How many equal candidates each place stands for; 1 by default.

    Raises
    ------
    InvalidArgument
        When the rate is negative, there is no candidate, or a score is no finite number (or above 2^500 in size).

    Source: McSherry & Talwar 2007, doi:10.1109/FOCS.2007.66; for what doubles do to it, Mironov 2012,
    doi:10.1145/2382196.2382264.

    Examples
    --------
    >>> choice = Choice(Fraction(1, 2), [-3, 0, -1])
    >>> np.round(np.exp(choice.log_probabilities), 3).tolist()
    [0.122, 0.547, 0.331]
    >>> choice.sample(3, np.random.default_rng()).shape
    (3,)
    """

    rate: Fraction
    scores: NDArray[Any]
    multiplicities: NDArray[Any] | None

    def __init__(self, rate: float | Fraction, scores: Any, multiplicities: Any = None) -> None:
        array = np.asarray(scores)
        kind = array.dtype.kind
        if array.ndim != 1 or not array.size or kind not in "iuf" or array.dtype.itemsize > 8:
            raise _no_scores(array)
        if kind == "f" and not (np.abs(array) <= _LARGEST_SCORE).all():
            raise _no_scores(array)
        times = None if multiplicities is None else np.asarray(multiplicities)
        if times is not None and (times.shape != array.shape or times.dtype.kind not in "iu" or times.min() < 1):
            raise InvalidArgument(
                f"multiplicities must be integers of at least 1, one per score ({array.size}), got {multiplicities!r}"
            )
        object.__setattr__(self, "rate", exact_at_least_zero("rate", rate))
        object.__setattr__(self, "scores", array)
        object.__setattr__(self, "multiplicities", times)

    @cached_property
    def log_probabilities(self) -> NDArray[np.float64]:
        """The logarithms of the probabilities, nats, shape (k,); each within ``error`` of the truth."""
        logs = self._log_weights()
        weights = np.exp(logs)
        top = int(self.scores.argmax())
        if self.multiplicities is not None:
            weights *= self.multiplicities
            logs += np.log(self.multiplicities)
            top = int(weights.argmax())
        # relative to the largest weight: where one candidate has nearly all, the rest is all that its logarithm holds
        largest, weights[top] = float(weights[top]), 0.0
        rest = float(weights.sum()) / largest
        logs -= math.log(largest)
        logs -= math.log1p(rest)
        if self.multiplicities is not None:
            logs[top] = -math.log1p(rest)
        return logs

    @property
    def error(self) -> float:
        """How far each of ``log_probabilities`` may be from the truth, nats: ``8 |log p| 2^-53 + 2^-45``.

        A difference of scores, the rate, their product and three sums round, each by a unit of 2^-53 of itself; the sum
        of k weights errs by ``3 E|w| + log2 k + 40`` units, with ``E|w|`` at most log k (by Gibbs's inequality). With
        multiplicities the second term is 2^-43.
        """
        constant = _ERROR if self.multiplicities is None else _ERROR_OF_MULTIPLES
        return float(8 * np.abs(self.log_probabilities).max()) * 2.0**-53 + constant

    def _log_weights(self) -> NDArray[np.float64]:
        """``rate (score - best)`` in doubles, each within 3 2^-53 of itself; shape (k,)."""
        scores = self.scores
        if scores.dtype.kind == "f":
            wide = scores.astype(np.float64, copy=False)
            gaps = wide.max() - wide
        else:
            whole = scores.astype(np.uint64 if scores.dtype.kind == "u" else np.int64, copy=False)
            gaps = (whole.max() - whole).view(np.uint64).astype(np.float64)  # modulo 2^64 no difference is too large
        shift = self.rate.numerator.bit_length() - self.rate.denominator.bit_length()
        if abs(shift) < _LARGEST_POWER:
            return np.asarray(gaps * -float(self.rate))
        with np.errstate(over="ignore"):
            steep = np.ldexp(gaps * -float(self.rate / Fraction(2) ** shift), shift)
        return np.asarray(np.maximum(steep, -np.finfo(float).max))  # -inf would say that it cannot occur

    @cached_property
    def _cells(self) -> tuple[NDArray[np.int64], int]:
        """Where the cell of each candidate ends, shape (k,), and the power of 2 by which weights are scaled."""
        weights = np.exp(self._log_weights())
        if self.multiplicities is not None:
            weights *= self.multiplicities
        shift = _BITS - math.frexp(float(np.add.reduce(weights)) * (1 + _SLACK))[1]
        weights *= 2.0**shift * (1 + _SLACK)
        ends = weights.astype(np.int64)
        ends += 1
        return np.cumsum(ends, out=ends), shift

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """``size`` independent places of candidates, integers of shape (size,); exact: see the class."""
        ends, _ = self._cells
        drawn = integers_below(int(ends[-1]), size, rng)
        places = ends.searchsorted(drawn, side="right")
        doubtful = ends[places] - drawn <= _DOUBTFUL
        if doubtful.any():
            for row in np.flatnonzero(doubtful).tolist():
                places[row] = self._settled(int(places[row]), int(drawn[row]), rng)
        return places

    def _settled(self, place: int, drawn: int, rng: np.random.Generator) -> int:
        """The place itself where the draw lies within its weight, else that of another draw."""
        ends, _ = self._cells
        while not self._within(place, drawn - (int(ends[place - 1]) if place else 0), rng):
            drawn = int(integers_below(int(ends[-1]), 1, rng)[0])
            place = int(ends.searchsorted(drawn, side="right"))
        return place

    def _within(self, place: int, position: int, rng: np.random.Generator) -> bool:
        """Whether a uniform number from ``position`` to the next integer is below the exact weight; bit by bit."""
        from flint import arb, ctx, fmpq

        scores = self.scores
        step = self.rate * (Fraction(scores[place].item()) - Fraction(scores.max().item()))
        times = 1 if self.multiplicities is None else int(self.multiplicities[place])
        shift, low, bits = self._cells[1], position, 0
        while True:
            with ctx.workprec(2 * _WORD + bits):
                weight = times * arb(fmpq(step.numerator, step.denominator)).exp() * arb(2) ** (shift + bits)
                if arb(low + 1) <= weight:
                    return True
                if arb(low) >= weight:
                    return False
            low = (low << _WORD) + int(rng.integers(1 << _WORD, dtype=np.uint64))
            bits += _WORD

    def law(self, outputs: Sequence[Any]) -> Law:
        """The exact law of the output that stands at the chosen place; outputs are distinct, one per candidate."""
        if self.scores.dtype.kind == "f":
            return Law(list(outputs), log_probabilities=self.log_probabilities, error=max(FLOAT_ERROR, self.error))
        times = None if self.multiplicities is None else self.multiplicities.tolist()
        return Law(list(outputs), exact=IntegerScores(2 * self.rate, self.scores.tolist(), times))


def _no_scores(array: NDArray[Any]) -> InvalidArgument:
    return InvalidArgument(
        f"scores must be finite numbers (of at most 2^500 in size) in the shape (k,), k at least 1, got an array "
        f"{array.dtype} of shape {array.shape}"
    )


def as_outputs(hypotheses: Any) -> list[Any]:
    """Rows of an array as outputs: plain numbers, or tuples of such.

    Examples
    --------
    >>> as_outputs(np.array([[1, 2], [3, 4]]))
    [(1, 2), (3, 4)]
    """
    values = np.asarray(hypotheses).tolist()
    return [tuple(value) if isinstance(value, list) else value for value in values]
