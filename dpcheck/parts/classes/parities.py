"""Parities of the bits of a mask: the linear functions over GF(2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.points import whole_number, whole_points
from dpcheck.parts.classes.representatives import Rule, checked_rule

#: Masks are 64-bit integers with a sign.
_MOST_BITS = 62
#: Classes of up to 2^this hypotheses are listed, and as many dichotomies.
MOST_LISTED_BITS = 24


@dataclass(frozen=True)
class Parities:
    """``h_s(x)``: whether s and x have an odd number of bits in common; both are masks in {0, ..., 2^bits - 1}.

    Rules: ``lowest`` and ``highest`` mask. :func:`~dpcheck.parts.classes.numbers_of_bits` makes masks of tuples of
    bits.

    Parameters
    ----------
    bits : int, 1 to 62

    Raises
    ------
    InvalidArgument
        When it is no such integer.

    Source: wang2016:ex-20 (finite classes); the dimension is the rank over GF(2).

    Examples
    --------
    >>> family = Parities(3)
    >>> family.predict([0b000, 0b101], [0b001, 0b100, 0b101]).tolist()
    [[0, 0, 0], [1, 1, 0]]
    >>> family.representatives([0b001, 0b100, 0b101]).tolist()  # the third is the sum of the others
    [0, 1, 4, 5]
    """

    bits: int
    rules: ClassVar[tuple[str, ...]] = ("lowest", "highest")

    def __post_init__(self) -> None:
        object.__setattr__(self, "bits", whole_number("bits", self.bits, 1, _MOST_BITS))

    @property
    def vc_dimension(self) -> int:
        """The number of bits: the unit masks are shattered."""
        return self.bits

    @property
    def littlestone_dimension(self) -> int:
        """The number of bits: not below the VC dimension, and not above the logarithm of the number of hypotheses."""
        return self.bits

    @property
    def size(self) -> int:
        """``2^bits``."""
        return 1 << self.bits

    def everything(self) -> NDArray[np.int64]:
        """All masks, shape (size,).

        Raises
        ------
        InvalidArgument
            When there are more than 2^24.
        """
        return self.domain()

    def domain(self) -> NDArray[np.int64]:
        """All points, shape (2^bits,)."""
        if self.bits > MOST_LISTED_BITS:
            raise InvalidArgument(
                f"bits must be at most {MOST_LISTED_BITS} for all masks to be listed, got {self.bits}"
            )
        return np.arange(self.size, dtype=np.int64)

    def points(self, values: Any) -> NDArray[np.int64]:
        """Points as masks, shape (m,)."""
        return whole_points(values, self.size)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.int64]:
        """A mask for each of the ``2^rank`` dichotomies, increasing for ``lowest``.

        Two masks agree on the points when their difference is orthogonal to all of them. A basis of these differences,
        each with a leading bit that the others lack, brings every mask to the lowest (highest) that agrees with it.
        """
        chosen = checked_rule(rule, self.rules)
        rows = _reduced(np.unique(self.points(points)).tolist())
        if len(rows) > MOST_LISTED_BITS:
            raise InvalidArgument(
                f"points must have at most 2^{MOST_LISTED_BITS} dichotomies to be listed, got 2^{len(rows)}"
            )
        orthogonal = _reduced(_annihilator(rows, self.bits))
        free = [bit for bit in range(self.bits) if bit not in orthogonal]
        found = np.zeros(1, dtype=np.int64)
        for bit in free:  # in this order the masks come out increasing
            found = np.concatenate([found, found | (1 << bit)])
        if chosen == "highest":
            for vector in orthogonal.values():  # no mask so far has a leading bit of these
                found = found ^ vector
        return found

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """The parity of the common bits of each mask and point, shape (k, m)."""
        masks = whole_points(hypotheses, self.size)
        return _parity(masks[:, None] & self.points(points)[None, :])

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each mask on n records, shape (k,); exact.

        Where that is less work than predicting, for all masks at once by the Walsh-Hadamard transform: O(bits 2^bits).
        """
        masks, seen = whole_points(hypotheses, self.size), self.points(x)
        distinct, place = np.unique(seen, return_inverse=True)
        # zeros less ones at each point: a mask errs on (n - the transform) / 2 records
        surplus = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(surplus, place.reshape(-1), 1 - 2 * np.asarray(y, dtype=np.int64))
        if self.bits <= MOST_LISTED_BITS and self.bits * self.size <= len(masks) * len(distinct):
            table = np.zeros(self.size, dtype=np.int64)
            table[distinct] = surplus
            transformed = walsh_hadamard(table)[masks]
        else:
            step = max(1, (1 << 22) // max(1, len(distinct)))
            parts = [
                surplus.sum() - 2 * (_parity(masks[start : start + step, None] & distinct[None, :]) @ surplus)
                for start in range(0, len(masks), step)
            ]
            transformed = np.concatenate([np.zeros(0, dtype=np.int64), *parts])
        return np.asarray((len(seen) - transformed) // 2, dtype=np.int64)


def walsh_hadamard(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """``sum_x (-1)^<s, x> values[x]`` for each mask s, of 2^b integers; exact.

    Examples
    --------
    >>> walsh_hadamard(np.array([1, 0, 0, 2])).tolist()
    [3, -1, -1, 3]
    """
    found = np.array(values)
    half = 1
    while half < len(found):
        pairs = found.reshape(-1, 2, half)
        found = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).reshape(-1)
        half *= 2
    return found


def _parity(masks: NDArray[np.int64]) -> NDArray[np.uint8]:
    folded = masks
    for shift in (32, 16, 8, 4, 2, 1):
        folded = folded ^ (folded >> shift)
    return (folded & 1).astype(np.uint8)


def _reduced(vectors: list[int]) -> dict[int, int]:
    """A basis over GF(2) of the span, by leading bit; no other vector has that bit."""
    basis: dict[int, int] = {}
    for vector in vectors:
        for bit, other in basis.items():
            if vector >> bit & 1:
                vector ^= other
        if vector:
            leading = vector.bit_length() - 1
            basis = {bit: other ^ vector if other >> leading & 1 else other for bit, other in basis.items()}
            basis[leading] = vector
    return basis


def _annihilator(rows: dict[int, int], bits: int) -> list[int]:
    """The masks orthogonal to a reduced basis: one for each bit that leads none."""
    return [
        (1 << free) | sum(1 << leading for leading, vector in rows.items() if vector >> free & 1)
        for free in range(bits)
        if free not in rows
    ]
