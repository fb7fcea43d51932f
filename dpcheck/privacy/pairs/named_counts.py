"""How many records at the high end make a difference, by the numbers in a learner's code: where it counts or ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest

#: Whole numbers up to this one may stand in a ratio: the 2 and the 3 of ``2 * len(dataset) / 3``.
LARGEST_IN_RATIO = 10
#: Parts that are tried too, last.
USUAL_PARTS = tuple(Fraction(*part) for part in ((1, 2), (1, 4), (1, 3), (1, 10)))
#: Doubles that are meant as fractions have no larger denominator.
LARGEST_DENOMINATOR = 1000


def named_counts(size: int, wholes: Sequence[int], parts: Sequence[Fraction]) -> list[int]:
    """Counts of records at the high end, of ``size`` in all, where one more of them may cross what a number names.

    A whole number c is a count that is wanted, of high records or of low ones; a part q is a share of them, or a rank.

    Parameters
    ----------
    size : int
    wholes, parts : whole numbers, and numbers strictly between 0 and 1

    Examples
    --------
    At least 20 of 20, or more than 20 of 21; a share of 0.6 of 50; a quarter of 14 from above, and from below.

    >>> named_counts(20, [20], []), named_counts(21, [20], [])[0], named_counts(50, [], [Fraction(3, 5)])
    ([19, 0], 20, [30, 19, 29, 20])
    >>> named_counts(14, [], [Fraction(1, 4)])
    [3, 10]
    """
    of_wholes = [count for whole in wholes for count in _both_ways(size, [whole, whole - 1])]
    of_parts = [count for part in parts for count in _both_ways(size, _crossed(part * size))]
    in_turn = [count for both in zip_longest(of_wholes, of_parts) for count in both]
    return list(dict.fromkeys(count for count in in_turn if count is not None and 0 <= count < size))


def _crossed(share: Fraction) -> list[int]:
    whole = math.floor(share)
    return [whole, whole - 1] if whole == share else [whole]


def _both_ways(size: int, counts: Sequence[int]) -> list[int]:
    return [count for one in counts for count in (one, size - 1 - one)]


def parts_named(
    constants: Sequence[int | float | str], low: float | None, high: float | None, *, usual: bool = True
) -> list[Fraction]:
    """The parts that numbers name: as they stand, of the way between two ends, as ratios of two, as so many percent.

    Then those of :data:`USUAL_PARTS`. Each also comes as what is left of the whole, by :func:`named_counts`.

    Parameters
    ----------
    constants : finite numbers and texts
    low, high : the ends of records that are numbers; None of others
    usual : bool, whether parts that no number names come too

    Examples
    --------
    >>> [str(part) for part in parts_named([0.6, 3], 0.0, 10.0)[:4]]
    ['3/5', '3/50', '3/10', '1/3']
    """
    numbers = [number for number in constants if not isinstance(number, str)]
    exact = [Fraction(number).limit_denominator(LARGEST_DENOMINATOR) for number in numbers]
    wholes = [number for number in exact if number.denominator == 1 and 0 < number <= 100]
    small = sorted({Fraction(1), *(whole for whole in wholes if whole <= LARGEST_IN_RATIO)})
    between: list[Fraction] = []
    if low is not None and high is not None and high > low:
        start, width = Fraction(low), Fraction(high) - Fraction(low)
        between = [((number - start) / width).limit_denominator(LARGEST_DENOMINATOR) for number in exact]
    found = [
        *exact,
        *between,
        *(above / below for below in small for above in small),
        *(whole / 100 for whole in wholes),
        *(USUAL_PARTS if usual else ()),
    ]
    return list(dict.fromkeys(part for part in found if 0 < part < 1))
