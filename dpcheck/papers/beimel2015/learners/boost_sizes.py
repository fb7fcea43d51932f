"""How many entries LabelBoost has at each step: a public function of its parameters, computed exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.amplification import ball, rounded_up
from dpcheck.parts.mechanisms.parameters import count, exact_at_least_zero

#: ``down`` keeps no larger a part than the constants say, so that the privacy they give is never exceeded.
Rounding: TypeAlias = Literal["down", "up"]
#: The printed loop has O(log* n) iterations; one that is still running after so many would run for ever.
MOST_ITERATIONS = 1000
#: Numbers of more digits are shown by their size.
_MOST_DIGITS = 15
#: Python writes no integers of more than 4300 digits.
_MOST_BITS_IN_FULL = 10_000
#: Bits beyond those of a number in which it is compared.
_BITS = 64


def part_of_one(name: str, value: Any) -> Fraction:
    """A number above 0 and at most 1 as a fraction; a double is exactly what it is.

    Raises
    ------
    InvalidArgument
        When it is none.
    """
    found = exact_at_least_zero(name, value)
    if not 0 < found <= 1:
        raise InvalidArgument(f"{name} must be a number above 0 and at most 1, got {value!r}")
    return found


@dataclass(frozen=True)
class BoostConstants:
    """The numbers of algorithm 3; those of the paper unless others are given.

    Parameters
    ----------
    enough : int
        The loop ends when there are so many labelled entries per record of the base learner's sample (300).
    stretch : int
        At most so many entries per record are labelled by one iteration (30000).
    unlabelled : int
        So many unlabelled entries per record are always enough (90000, clm-4.8).
    exponent_divisor : Fraction or int
        What divides the exponent of step 2b, beside the VC dimension (200).
    kept : Fraction, above 0 and at most 1
        The part of S and of T that step 2c keeps (1/100).
    kept_last : Fraction, above 0 and at most 1
        The part of S that step 3 keeps (1/300).
    accuracy_divisor, failure_divisor, shrinking : int
        Iteration i has the accuracy ``accuracy / (accuracy_divisor shrinking^i)`` and the failure probability
        ``failure / (failure_divisor shrinking^i)`` (10, 4 and 2).

    Raises
    ------
    InvalidArgument
        When one is no such number, or shrinking is less than 2: the accuracies of all iterations would not sum up.

    Source: beimel2015:alg-3.

    Examples
    --------
    >>> BoostConstants() == BoostConstants.scaled(Fraction(1, 100), Fraction(1, 300))
    True
    >>> BoostConstants.scaled(Fraction(1, 4)).exponent_divisor
    Fraction(8, 1)
    """

    enough: int = 300
    stretch: int = 30000
    unlabelled: int = 90000
    exponent_divisor: Fraction | int = Fraction(200)
    kept: Fraction = Fraction(1, 100)
    kept_last: Fraction = Fraction(1, 300)
    accuracy_divisor: int = 10
    failure_divisor: int = 4
    shrinking: int = 2

    def __post_init__(self) -> None:
        for name in ("enough", "stretch", "unlabelled", "accuracy_divisor", "failure_divisor"):
            object.__setattr__(self, name, count(name, getattr(self, name)))
        object.__setattr__(self, "shrinking", count("shrinking", self.shrinking, least=2))
        for name in ("kept", "kept_last"):
            object.__setattr__(self, name, part_of_one(name, getattr(self, name)))
        object.__setattr__(self, "exponent_divisor", exact_at_least_zero("exponent_divisor", self.exponent_divisor))
        if not self.exponent_divisor:
            raise InvalidArgument("exponent_divisor must be above 0, got 0")

    @classmethod
    def scaled(
        cls,
        kept: Fraction = Fraction(1, 10),
        kept_last: Fraction | None = None,
        accuracy_divisor: int = 10,
        failure_divisor: int = 4,
    ) -> BoostConstants:
        """Constants for other sampling rates, with the relations between the paper's own.

        ``enough = 1 / kept_last``: step 3 leaves n entries. ``stretch = enough / kept``: an iteration that labels so
        many is the last. ``unlabelled = 3 stretch``, the sum of the two longest T and twice half of one (clm-4.8).
        ``exponent_divisor = 2 / kept``: clm-4.2 for what step 2c keeps; it wants ``kept`` at most 1/e. Quotients are
        rounded up. At 1/100 and 1/300 these are the paper's. Sizes follow ``accuracy_divisor`` most: 10 is the room
        that the VC bound wants between the error on a sample and the true one (thm-B.5).

        Parameters
        ----------
        kept : Fraction, above 0 and at most 1
        kept_last : Fraction, above 0 and at most 1, optional; ``kept`` when left out
        accuracy_divisor, failure_divisor : int
        """
        part, last = part_of_one("kept", kept), part_of_one("kept_last", kept if kept_last is None else kept_last)
        enough = math.ceil(1 / last)
        stretch = math.ceil(enough / part)
        return cls(enough, stretch, 3 * stretch, 2 / part, part, last, accuracy_divisor, failure_divisor)

    def in_iteration(self, number: int, accuracy: Fraction, failure: Fraction) -> tuple[Fraction, Fraction]:
        """Accuracy and failure probability of an iteration; the first has the number 1 (step 2a)."""
        halved = self.shrinking**number
        return accuracy / (self.accuracy_divisor * halved), failure / (self.failure_divisor * halved)

    def sufficient_labelled(self, accuracy: float | Fraction, failure: float | Fraction, dimension: int) -> int:
        """The labelled entries with which lem-4.12 promises ``11 accuracy`` and ``2 failure``.

        ``(48 a / (kept accuracy)) VC log(14 a b / (accuracy failure))`` with a and b the first iteration's divisors:
        step 2c leaves what the VC bound (thm-B.5) wants of the first iteration. With the paper's constants it is
        ``(96000 / accuracy) VC log(2240 / (accuracy failure))``.

        Examples
        --------
        >>> BoostConstants().sufficient_labelled(0.1, 0.1, 1)
        11826626
        """
        goal, miss = part_of_one("accuracy", accuracy), part_of_one("failure", failure)
        a, b = self.accuracy_divisor * self.shrinking, self.failure_divisor * self.shrinking
        factor = Fraction(48 * a * count("dimension", dimension)) / (self.kept * goal)
        inside = Fraction(14 * a * b) / (goal * miss)
        return math.ceil(rounded_up(lambda: ball(factor) * ball(inside).log()))

    def keeps(self, size: int, rounding: Rounding) -> int:
        """Of so many entries of S or T, how many step 2c keeps."""
        return _part(self.kept, size, rounding)

    def keeps_last(self, size: int, rounding: Rounding) -> int:
        """Of so many entries of S, how many step 3 keeps."""
        return _part(self.kept_last, size, rounding)


#: The paper's own.
PRINTED = BoostConstants()


def _part(rate: Fraction, size: int, rounding: Rounding) -> int:
    return math.floor(rate * size) if rounding == "down" else math.ceil(rate * size)


@dataclass(frozen=True)
class BoostIteration:
    """The sizes of one iteration: #S and #T after step 2b, and what step 2c keeps of them."""

    number: int
    accuracy: Fraction
    failure: Fraction
    labelled: int
    stretched: int
    kept_labelled: int
    kept_stretched: int

    @property
    def labelled_rate(self) -> Fraction:
        """The part of S that is really kept; 1 of an empty S."""
        return Fraction(self.kept_labelled, self.labelled) if self.labelled else Fraction(1)

    @property
    def stretched_rate(self) -> Fraction:
        """The part of T that is really kept."""
        return Fraction(self.kept_stretched, self.stretched)


@dataclass(frozen=True)
class BoostSizes:
    """All sizes of a run: those of the iterations, #S after the loop, and what step 3 keeps, which is #S' too."""

    labelled: int
    iterations: tuple[BoostIteration, ...]
    boosted: int
    kept: int

    @property
    def unlabelled(self) -> int:
        """How many unlabelled entries are used."""
        return sum(each.stretched for each in self.iterations)

    @property
    def last_rate(self) -> Fraction:
        """The part of S that step 3 really keeps."""
        return Fraction(self.kept, self.boosted)


def boost_sizes(
    labelled: int,
    base_size: int,
    dimension: int,
    accuracy: float | Fraction,
    failure: float | Fraction,
    constants: BoostConstants = PRINTED,
    *,
    unlabelled: int | None = None,
    rounding: Rounding = "down",
) -> BoostSizes:
    """The sizes of LabelBoost at every step; they depend on nothing else, so they are public.

    The printed sizes are real numbers. Here T has ``v = floor(min(stretch n, beta_i VC exp(alpha_i #S / (200 VC)) -
    #S))`` entries, decided exactly (in logarithms where the exponential is beyond all bounds), and kept parts are
    rounded down, or up where asked. A class of VC dimension 0 has one dichotomy on any points, which no number of
    labels makes better or worse: T is then as long as allowed.

    Parameters
    ----------
    labelled : int, at least 0
        The paper's m.
    base_size : int, at least 1
        n, the sample that the base learner wants.
    dimension : int, at least 0
        VC(C).
    accuracy, failure : float or Fraction, above 0 and at most 1
        The paper's alpha and beta.
    constants : BoostConstants, optional; the paper's when left out
    unlabelled : int, optional
        #D: checked where given.
    rounding : "down" or "up"
        How parts of whole numbers are rounded.

    Raises
    ------
    InvalidArgument
        When an argument is none of these; when S does not grow (the message says which ``labelled`` would do), or D is
        too short (it says how long it must be).

    Source: beimel2015:alg-3, clm-4.9, rem-4.10.

    Examples
    --------
    >>> sizes = boost_sizes(12_000_000, base_size=10**9, dimension=1, accuracy=0.1, failure=0.1)
    >>> [(each.labelled, each.stretched) for each in sizes.iterations]
    [(12000000, 30000000000000)]
    >>> sizes.boosted, sizes.kept
    (300000120000, 1000000400)
    >>> len(boost_sizes(12_000_000, base_size=10**1000, dimension=1, accuracy=0.1, failure=0.1).iterations)
    2
    """
    if rounding not in ("down", "up"):
        raise InvalidArgument(f"rounding must be 'down' or 'up', got {rounding!r}")
    if not isinstance(constants, BoostConstants):
        raise InvalidArgument(f"constants must be BoostConstants(...), got {constants!r}")
    labelled = count("labelled", labelled, least=0)
    base_size = count("base_size", base_size)
    dimension = count("dimension", dimension, least=0)
    goal, miss = part_of_one("accuracy", accuracy), part_of_one("failure", failure)
    if unlabelled is not None:
        unlabelled = count("unlabelled", unlabelled, least=0)

    def sizes_from(start: int) -> BoostSizes | str:
        return _sizes(start, base_size, dimension, goal, miss, constants, rounding)

    found = sizes_from(labelled)
    if isinstance(found, str):
        raise InvalidArgument(
            f"labelled must be larger: {found}; labelled = {_in_full(_would_do(labelled, sizes_from))} would do, "
            f"got {_in_full(labelled)}"
        )
    if unlabelled is not None and unlabelled < found.unlabelled:
        raise InvalidArgument(
            f"unlabelled must be at least {_in_full(found.unlabelled)}, which {len(found.iterations)} iterations "
            f"label, got {_in_full(unlabelled)}"
        )
    return found


def _sizes(
    labelled: int,
    base_size: int,
    dimension: int,
    accuracy: Fraction,
    failure: Fraction,
    constants: BoostConstants,
    rounding: Rounding,
) -> BoostSizes | str:
    """The sizes, or why the loop does not end."""
    size, goal, iterations = labelled, constants.enough * base_size, list[BoostIteration]()
    while size < goal:
        number = len(iterations) + 1
        alpha, beta = constants.in_iteration(number, accuracy, failure)
        length = _stretched(size, constants.stretch * base_size, dimension, alpha, beta, constants)
        kept, more = constants.keeps(size, rounding), constants.keeps(max(0, length), rounding)
        # the next T is shorter than this one where S has not grown, for accuracy and failure are halved: no way back
        if length < 1 or (kept + more <= size and kept + more < goal) or number > MOST_ITERATIONS:
            return (
                f"iteration {number} makes {_short(kept + more)} labelled entries of {_short(size)} (its T has "
                f"{_short(max(0, length))} of at most {_short(constants.stretch * base_size)}), and {_short(goal)} are "
                "wanted"
            )
        iterations.append(BoostIteration(number, alpha, beta, size, length, kept, more))
        size = kept + more
    last = constants.keeps_last(size, rounding)
    if last < 1:
        return f"step 3 keeps none of {size} entries"
    return BoostSizes(labelled, tuple(iterations), size, last)


def _stretched(
    size: int, most: int, dimension: int, accuracy: Fraction, failure: Fraction, constants: BoostConstants
) -> int:
    """v of step 2b: ``floor(min(most, beta_i VC exp(alpha_i #S / (200 VC)) - #S))``, exactly."""
    from flint import arb, ctx

    if not dimension:
        return most
    scale, exponent = failure * dimension, accuracy * size / (Fraction(constants.exponent_divisor) * dimension)
    if not exponent:
        return min(most, math.floor(scale) - size)

    bits = (most + size).bit_length() + _BITS
    while True:
        # a rational multiple of the exponential of another rational is no integer: some precision decides
        with ctx.workprec(bits):
            log = ball(scale).log() + ball(exponent)
            if log >= arb(most + size).log():
                return most
            if log < arb(most + size).log():
                value = log.exp().floor()
                whole = value.unique_fmpz()
                if whole is not None:
                    return int(whole) - size
        bits *= 2


def _short(number: int) -> str:
    """A number of entries, short where it is astronomical."""
    if number < 10**_MOST_DIGITS:
        return str(number)
    exponent = int(number.bit_length() * math.log10(2))
    exponent -= 10**exponent > number
    digits = str(number // 10 ** (exponent - 2))
    return f"{digits[0]}.{digits[1:]}e{exponent}"


def _in_full(number: int) -> str:
    """All digits, for as many as Python writes."""
    return str(number) if number.bit_length() < _MOST_BITS_IN_FULL else _short(number)


def _would_do(labelled: int, sizes_from: Any) -> int:
    """A number of labelled entries with which the loop ends, found by doubling and halving the step."""
    low, high = labelled, max(1, 2 * labelled)
    while isinstance(sizes_from(high), str):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if isinstance(sizes_from(middle), str) else (low, middle)
    return high
