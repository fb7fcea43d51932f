"""Smallest set covers and largest independent sets, by integer programming whose answers are verified."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument

#: Problems with more sets, or more vertices, are not tried.
MOST_SETS = 2_000
#: Branches after which the solver gives up: a number, not a time, so that the same problem has the same answer.
_MOST_NODES = 100_000
#: The solver's bound is in doubles; the optimum is an integer.
_TOLERANCE = 1e-6
#: What the solver says when nothing satisfies the constraints.
_INFEASIBLE = 2


def fewest_sets(holds: NDArray[np.bool_], enough: int = 0) -> int:
    """How many sets a smallest cover needs; ``holds[i, j]`` says whether set j holds element i.

    Found by HiGHS; the cover it finds is verified, and so is that its bound leaves room for no smaller one.

    Parameters
    ----------
    holds : array of shape (elements, sets)
    enough : int
        Where so many sets suffice, the size of any cover by so many is the answer: it is found sooner.

    Raises
    ------
    InvalidArgument
        When an element is in no set, or the solver gives up.

    Examples
    --------
    >>> fewest_sets(np.array([[True, False, True], [True, True, False], [False, True, True]]))
    2
    """
    if not holds.any(axis=1).all():
        raise InvalidArgument("holds must have a set for each element")
    holds = _essential(holds)
    upper = len(greedy_cover(holds))
    lower = _apart(holds)
    if upper <= max(lower, enough):
        return upper
    known = f"{lower} to {upper}"
    if lower <= enough:
        few = _solved(np.zeros(holds.shape[1]), holds, known=known, most=enough)
        if few is not None:
            return _size_of_cover(few[0], holds)
    found = _solved(np.ones(holds.shape[1]), holds, known=known)
    if found is None:
        raise ArithmeticError("the solver finds no cover where there is one")
    return _optimum(_size_of_cover(found[0], holds), math.ceil(found[1] - _TOLERANCE))


def greedy_cover(holds: NDArray[np.bool_]) -> list[int]:
    """A cover that takes, again and again, the first of the sets that hold most of what is left.

    Examples
    --------
    >>> greedy_cover(np.array([[True, False], [True, True], [False, True]]))
    [0, 1]
    """
    left, taken = np.ones(len(holds), dtype=bool), []
    while left.any():
        best = int(holds[left].sum(axis=0).argmax())
        taken.append(best)
        left &= ~holds[:, best]
    return taken


def most_independent(near: NDArray[np.bool_]) -> int:
    """How many vertices a largest set without two near ones has; ``near`` is symmetric, its diagonal is of no matter.

    Raises
    ------
    InvalidArgument
        When the solver gives up.

    Examples
    --------
    >>> most_independent(np.array([[True, True, False], [True, True, True], [False, True, True]]))
    2
    """
    lower = len(_independent(near))
    cliques = _cliques(near)
    upper = len(greedy_cover(cliques))
    if lower == upper:
        return lower
    found = _solved(-np.ones(len(near)), cliques.T, known=f"{lower} to {upper}", at_least=False)
    if found is None:
        raise ArithmeticError("the solver finds no independent set where there is one")
    chosen, bound = found
    among = near[np.ix_(chosen, chosen)]
    if (among & ~np.eye(len(among), dtype=bool)).any():
        raise ArithmeticError("the solver's independent set is none once rounded")
    return _optimum(int(chosen.sum()), math.floor(-bound + _TOLERANCE))


def _essential(holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Without the sets inside other sets, and the elements held wherever some other element is, again and again."""
    while True:
        before = holds.shape
        holds = holds[:, ~_inside_others(holds.T)]
        holds = holds[~_inside_others(~holds)]
        if holds.shape == before:
            return holds


def _inside_others(rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether each row is contained in another one; of equal rows all but the first are."""
    counted = rows.astype(np.float32)  # counts below 2^24 are exact
    inside = counted @ counted.T == counted.sum(axis=1)[:, None]
    equal = inside & inside.T
    return np.asarray((inside & ~equal).any(axis=1) | np.tril(equal, -1).any(axis=1))


def _apart(holds: NDArray[np.bool_]) -> int:
    """Elements of which no set holds two, taken greedily, those in few sets first: a cover needs a set for each."""
    free, count = np.ones(holds.shape[1], dtype=bool), 0
    for element in np.argsort(holds.sum(axis=1), kind="stable"):
        if free[holds[element]].all():
            free &= ~holds[element]
            count += 1
    return count


def _independent(near: NDArray[np.bool_]) -> list[int]:
    """An independent set, vertices with few neighbours first."""
    free, taken = np.ones(len(near), dtype=bool), []
    for vertex in np.argsort(near.sum(axis=1), kind="stable"):
        if free[vertex]:
            taken.append(int(vertex))
            free &= ~near[vertex]
            free[vertex] = False
    return taken


def _cliques(near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Cliques that hold every vertex and every edge, as columns."""
    open_edges = np.triu(near, 1)
    alone = ~near.any(axis=1) | (near.sum(axis=1) == near.diagonal())
    columns = [np.eye(len(near), dtype=bool)[:, alone]] if alone.any() else []
    for one, other in zip(*np.nonzero(open_edges), strict=True):
        if not open_edges[one, other]:
            continue
        clique = np.zeros(len(near), dtype=bool)
        clique[[one, other]] = True
        common = near[one] & near[other]
        common[[one, other]] = False
        while common.any():
            vertex = int(common.argmax())
            clique[vertex] = True
            common &= near[vertex]
            common[vertex] = False
        members = np.flatnonzero(clique)
        open_edges[np.ix_(members, members)] = False
        columns.append(clique[:, None])
    return np.concatenate(columns, axis=1)


def _solved(
    costs: NDArray[np.float64], rows: NDArray[np.bool_], *, known: str, at_least: bool = True, most: int | None = None
) -> tuple[NDArray[np.bool_], float] | None:
    """The 0/1 vector of least cost with every row at least (or at most) 1, rounded, and the solver's bound.

    With ``most``, of at most so many ones. None where there is no such vector.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    low, high = (1.0, np.inf) if at_least else (-np.inf, 1.0)
    constraints = [LinearConstraint(csr_array(rows.astype(np.float64)), low, high)]
    if most is not None:
        constraints.append(LinearConstraint(np.ones((1, len(costs))), -np.inf, most))
    found: Any = milp(
        costs,
        integrality=np.ones(len(costs)),
        bounds=Bounds(0, 1),
        constraints=constraints,
        options={"mip_rel_gap": 0.0, "node_limit": _MOST_NODES},
    )
    if found.status == _INFEASIBLE:
        return None
    if found.status != 0:
        raise InvalidArgument(
            f"reference must give a metric space that {_MOST_NODES:,} branches decide, got {rows.shape[1]:,} "
            f"dichotomies that they do not; greedily it is {known}"
        )
    return np.asarray(found.x > 0.5), float(found.mip_dual_bound)


def _size_of_cover(chosen: NDArray[np.bool_], holds: NDArray[np.bool_]) -> int:
    if not holds[:, chosen].any(axis=1).all():
        raise ArithmeticError("the solver's cover is none once rounded")
    return int(chosen.sum())


def _optimum(value: int, bound: int) -> int:
    if value != bound:
        raise ArithmeticError(f"the solver's answer {value} is not its bound {bound}")
    return value
