"""A class that is listed: a matrix of labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.points import distinct_rows, whole_points
from dpcheck.parts.classes.representatives import Adversarial, Rule, as_summable, checked_rule

#: The Littlestone dimension is computed by recursion over subclasses; with more different rows it is not.
MOST_ROWS_FOR_LITTLESTONE = 64
#: The VC dimension is computed by trying sets of points; with more of one size it is not.
_MOST_SETS = 1 << 22


@dataclass(frozen=True)
class FiniteClass:
    """The hypotheses 0, ..., k - 1 on the points 0, ..., m - 1, as given by a matrix of their labels.

    Rules: ``lowest`` and ``highest`` number, or an :class:`~dpcheck.parts.classes.Adversarial`.

    Parameters
    ----------
    matrix : 0/1 array of shape (k, m), k and m at least 1
        Row h has the labels of hypothesis h. Equal rows are hypotheses of their own.

    Raises
    ------
    InvalidArgument
        When it is no such array.

    Examples
    --------
    >>> family = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> family.vc_dimension, family.littlestone_dimension, family.representatives([1]).tolist()
    (1, 1, [0, 1])
    """

    rows: tuple[bytes, ...]
    rules: ClassVar[tuple[str, ...]] = ("lowest", "highest")

    def __init__(self, matrix: Sequence[Sequence[int]] | NDArray[Any]) -> None:
        array = np.asarray(matrix)
        if array.ndim != 2 or array.size == 0 or array.dtype.kind not in "bui" or not np.isin(array, (0, 1)).all():
            raise InvalidArgument(
                f"matrix must hold 0 and 1 in the shape (hypotheses, points), got an array {array.dtype} of shape "
                f"{array.shape}"
            )
        # rows of bytes: plain data that can be compared, hashed and sent to another process
        object.__setattr__(self, "rows", tuple(row.tobytes() for row in array.astype(np.uint8)))

    @cached_property
    def matrix(self) -> NDArray[np.uint8]:
        """The labels, shape (k, m)."""
        return np.array([np.frombuffer(row, dtype=np.uint8) for row in self.rows])

    @property
    def size(self) -> int:
        """How many hypotheses are listed."""
        return len(self.rows)

    def everything(self) -> NDArray[np.int64]:
        """All numbers of hypotheses, shape (size,)."""
        return np.arange(self.size, dtype=np.int64)

    @cached_property
    def vc_dimension(self) -> int:
        """The size of the largest set of points with all labellings; tried size by size.

        Raises
        ------
        InvalidArgument
            When there are too many sets to try.
        """
        rows = self.matrix[distinct_rows(self.matrix)].astype(np.int64)
        m, found = rows.shape[1], 0
        while found < m and len(rows) >= 2 ** (found + 1):
            if comb(m, found + 1) > _MOST_SETS:
                raise InvalidArgument(f"matrix must have fewer points for its VC dimension to be computed, got {m}")
            sets = np.array(list(combinations(range(m), found + 1)), dtype=np.int64)
            if not any(_shattered(rows[:, some]) for some in sets):
                break
            found += 1
        return found

    @cached_property
    def littlestone_dimension(self) -> int | None:
        """The depth of the deepest mistake tree; None for more than 64 different rows.

        Source: Littlestone 1988, doi:10.1007/BF00116827.
        """
        rows = self.matrix[distinct_rows(self.matrix)]
        if len(rows) > MOST_ROWS_FOR_LITTLESTONE:
            return None
        ones = tuple({sum(1 << int(h) for h in np.flatnonzero(column)) for column in rows.T})

        @cache
        def depth(members: int) -> int:
            best = 0
            limit = members.bit_count().bit_length() - 1
            for mask in ones:
                one, zero = members & mask, members & ~mask
                if one and zero and min(one.bit_count(), zero.bit_count()) >= 1 << best:
                    best = max(best, 1 + min(depth(one), depth(zero)))
                    if best == limit:
                        break
            return best

        return depth((1 << len(rows)) - 1)

    def domain(self) -> NDArray[np.int64]:
        """All points, shape (m,)."""
        return np.arange(len(self.rows[0]), dtype=np.int64)

    def points(self, values: Any) -> NDArray[np.int64]:
        """Points as numbers of columns, shape (m,)."""
        return whole_points(values, len(self.rows[0]))

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.int64]:
        """A hypothesis for each dichotomy, by number."""
        chosen = checked_rule(rule, self.rules, adversarial=True)
        order = self.everything()
        if chosen == "highest":
            order = order[::-1]
        elif isinstance(chosen, Adversarial):
            weights = as_summable(chosen.weights)
            wrong = self.matrix[:, self.points(chosen.x)] != np.array(chosen.y)[None, :]
            order = np.argsort(-np.unique(wrong.astype(weights.dtype) @ weights, return_inverse=True)[1], kind="stable")
        labels = self.matrix[order][:, np.unique(self.points(points))]
        return np.sort(order[distinct_rows(labels)])

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """The labels of each hypothesis, shape (k, m)."""
        found = whole_points(hypotheses, self.size)
        return self.matrix[found[:, None], self.points(points)[None, :]]


def _shattered(labels: NDArray[np.int64]) -> bool:
    codes = labels @ (1 << np.arange(labels.shape[1]))
    return bool(len(np.unique(codes)) == 1 << labels.shape[1])
