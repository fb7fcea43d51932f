"""Half-planes through the origin as directions of the circle: angles decided exactly, equally spaced directions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.directions import by_angle
from dpcheck.parts.classes.line import MOST_CENTRES
from dpcheck.parts.classes.points import integer_rows, primitive_rows

#: Angles computed in doubles are off by less than this, in half turns.
_ROUNDING = 2.0**-47
#: Bits of the coordinates of directions, those tried first keep predictions in 64 bits.
_BITS = (28, 52)
#: Doubles hold integers of so many bits, rounded.
_DOUBLE_BITS = 1000
#: Digits with which an angle is first compared; they are doubled until they suffice.
_FIRST_BITS = 128
#: The acute angles over pi that are rational, by the square of their cosine.
_RATIONAL = {
    Fraction(4 - i, 4): angle for i, angle in enumerate([Fraction(0), *(Fraction(1, n) for n in (6, 4, 3, 2))])
}


def half_turns(one: Any, other: Any) -> Fraction | float:
    """The angle between two integer vectors over pi, between 0 and 1: exact where it is rational, else a double.

    The square of its cosine is rational, so by Niven's theorem the rational ones are multiples of 1/4 or 1/6.

    Examples
    --------
    >>> half_turns((1, 0), (-3, 3)), half_turns((1, 1, 0), (0, 1, 1)), round(half_turns((2, 1), (1, 0)), 6)
    (Fraction(3, 4), Fraction(1, 3), 0.147584)
    """
    a, b = [int(c) for c in one], [int(c) for c in other]
    dot = sum(c * d for c, d in zip(a, b, strict=True))
    squares = sum(c * c for c in a) * sum(c * c for c in b)
    acute = _RATIONAL.get(Fraction(dot * dot, squares))
    if acute is not None:
        return acute if dot >= 0 else 1 - acute
    spare = max(0, squares.bit_length() // 2 - 500) * 2  # doubles end at 2^1024
    across = math.sqrt((squares - dot * dot) >> spare)
    return math.atan2(across, dot >> (spare // 2)) / math.pi


def circle_net(radius: Fraction) -> NDArray[Any]:
    """Integer directions, any two more than ``radius`` half turns apart, with every direction within it of one.

    ``k = math.ceil(1/radius)`` equally spaced ones, or k + 1 where rounding to integers moves one of k out of place.

    Raises
    ------
    InvalidArgument
        When there would be more than ``MOST_CENTRES``.

    Source: chaudhuri2011:alg-1, step 2, for n = 2 and U uniform on the circle.

    Examples
    --------
    >>> circle_net(Fraction(1, 4)).tolist()
    [[1, 0], [0, 1], [-1, 0], [0, -1]]
    """
    if radius >= 1:
        return np.array([[1, 0]], dtype=np.int64)
    if radius * MOST_CENTRES < 1:
        raise InvalidArgument(
            f"radius must be at least {1 / MOST_CENTRES:g}: a net of more than {MOST_CENTRES:,} directions is not "
            f"listed, got {float(radius):g}"
        )
    k = math.ceil(1 / radius)
    for count in (k, k + 1):
        for bits in _BITS:
            directions = _equally_spaced(count, bits)
            if is_circle_packing(directions, radius) and is_circle_cover(directions, radius):
                return directions
    raise InvalidArgument(f"radius must be one at which rounded directions keep their places, got {float(radius)!r}")


def is_circle_packing(directions: Any, radius: Fraction) -> bool:
    """Whether any two integer directions are more than ``radius`` half turns apart; exact."""
    ordered = by_angle(integer_rows(directions, 2))
    if len(ordered) < 2:
        return True
    cross, dot = _products(ordered, np.roll(ordered, -1, axis=0))
    return bool((_compared(cross, dot, radius) > 0).all())


def is_circle_cover(directions: Any, radius: Fraction) -> bool:
    """Whether every direction is within ``radius`` half turns of one of some integer directions; exact."""
    ordered = by_angle(integer_rows(directions, 2))
    if not len(ordered) or radius >= 1:
        return bool(len(ordered))
    cross, dot = _products(ordered, np.roll(ordered, -1, axis=0))
    same = (cross == 0) & (dot > 0)
    if same.all():  # a single direction
        return False
    # turning left to the next one takes the angle between the two, or what it lacks of two half turns
    too_wide = np.where(cross < 0, _compared(cross, dot, 2 - 2 * radius) < 0, _compared(cross, dot, 2 * radius) > 0)
    return not (too_wide & ~same).any()


def _equally_spaced(count: int, bits: int) -> NDArray[Any]:
    angles = 2 * np.pi * np.arange(count) / count
    return primitive_rows(np.rint(np.stack([np.cos(angles), np.sin(angles)], axis=1) * 2.0**bits).astype(np.int64))


def _products(one: NDArray[Any], other: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    a, b = one.astype(object), other.astype(object)
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], (a * b).sum(axis=1)


def _angles(cross: NDArray[Any], dot: NDArray[Any]) -> NDArray[np.float64]:
    sizes = [max(abs(int(c)), abs(int(d))).bit_length() for c, d in zip(cross, dot, strict=True)]
    if max(sizes, default=0) > _DOUBLE_BITS:
        spare = np.array([max(0, size - _DOUBLE_BITS) for size in sizes], dtype=object)
        cross, dot = cross >> spare, dot >> spare
    return np.asarray(np.arctan2(np.abs(cross).astype(np.float64), dot.astype(np.float64)) / np.pi)


def _compared(cross: NDArray[Any], dot: NDArray[Any], limit: Fraction) -> NDArray[np.int64]:
    """The signs of angles over pi minus a limit, exact."""
    beyond = _angles(cross, dot) - float(limit)
    signs = np.sign(beyond).astype(np.int64)
    for i in np.flatnonzero(np.abs(beyond) < _ROUNDING):
        signs[i] = _sign(int(cross[i]), int(dot[i]), limit)
    return signs


def _eighth(cross: int, dot: int) -> Fraction | None:
    """The angle over pi where it is a multiple of 1/4."""
    if cross and dot and abs(cross) != abs(dot):
        return None
    if not cross:
        return Fraction(0) if dot > 0 else Fraction(1)
    return Fraction(1, 2) - (Fraction(1, 4) if dot > 0 else Fraction(-1, 4) if dot < 0 else 0)


def _sign(cross: int, dot: int, limit: Fraction) -> int:
    """The sign of the angle over pi minus a limit."""
    exact = _eighth(cross, dot)
    if exact is not None:
        return (exact > limit) - (exact < limit)
    from flint import arb, ctx, fmpq

    bits, before = _FIRST_BITS, ctx.prec
    try:
        while True:  # the angle is no rational multiple of pi
            ctx.prec = bits
            apart = arb.atan2(arb(abs(cross)), arb(dot)) / arb.pi() - arb(fmpq(limit.numerator, limit.denominator))
            if apart > 0 or apart < 0:
                return 1 if apart > 0 else -1
            bits *= 2
    finally:
        ctx.prec = before
