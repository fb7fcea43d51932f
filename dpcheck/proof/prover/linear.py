"""Goals as sums of products of premises: found by linear programming, made exact by rational algebra."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpcheck.proof.prover.language import ONE, ZERO, Expression, number, operate
from dpcheck.proof.prover.normal import polynomials

#: Largest programs tried: products of premises, and monomials.
MOST_PRODUCTS, MOST_MONOMIALS = 2_500, 4_000
#: A polynomial whose largest coefficient is between these is taken as it stands.
SMALLEST, LARGEST = Fraction(1, 10**9), Fraction(10**9)

Polynomial = dict[tuple[int, ...], Fraction]
Combination = list[tuple[Fraction, tuple[int, ...]]]


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for left, x in a.items():
        for right, y in b.items():
            key = tuple(i + j for i, j in zip(left, right, strict=True))
            value = found.get(key, Fraction(0)) + x * y
            if value:
                found[key] = value
            else:
                found.pop(key, None)
    return found


def combine(
    goal: Expression, strict: bool, premises: Sequence[Expression], strictness: Sequence[bool], degree: int
) -> Combination | None:
    """Coefficients of at least 0 with which products of premises add up to the goal, exactly; None when none are found.

    Parameters
    ----------
    goal : the expression to be shown at least 0 (above 0 when ``strict``)
    premises : expressions known to be at least 0, or above 0 where ``strictness`` says so
    degree : most premises in one product

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_expression
    >>> x, y = (parse_expression(text, {"x"}) for text in ("x", "1 - x"))
    >>> combine(parse_expression("x - x^2", {"x"}), True, [x, y], [True, True], 2)
    [(Fraction(1, 1), (0, 1))]
    """
    generators, found = polynomials([goal, *premises])
    target, parts = found[0], [part or {} for part in found[1:]]  # a premise with a denominator is left out
    if target is None:
        return None
    constant: Polynomial = {(0,) * len(generators): Fraction(1)}
    products: list[tuple[tuple[int, ...], Polynomial]] = [((), constant)]
    level: list[tuple[tuple[int, ...], Polynomial]] = [((), constant)]
    usable = [i for i, part in enumerate(parts) if part and not (len(part) == 1 and constant.keys() == part.keys())]
    for _ in range(degree):
        following = []
        for chosen, polynomial in level:
            for i in usable:
                if not chosen or i >= chosen[-1]:
                    following.append(((*chosen, i), _times(polynomial, parts[i])))
                    if len(products) + len(following) > MOST_PRODUCTS:
                        return None
        products += following
        level = following
    monomials = sorted(set(target) | set(itertools.chain.from_iterable(polynomial for _, polynomial in products)))
    if len(monomials) > MOST_MONOMIALS:
        return None
    # a product with a monomial of its own, which nothing else can cancel, cannot take part
    products = _without_loners(target, products)
    rows = {monomial: i for i, monomial in enumerate(sorted({key for _, p in products for key in p} | set(target)))}
    if any(monomial not in {key for _, p in products for key in p} for monomial in target):
        return None
    strong = [all(strictness[i] for i in chosen) for chosen, _ in products]
    if strict and not any(strong):
        return None
    return _solve(target, products, strong, rows, strict)


def _without_loners(
    target: Polynomial, products: list[tuple[tuple[int, ...], Polynomial]]
) -> list[tuple[tuple[int, ...], Polynomial]]:
    while True:
        signs: dict[tuple[int, ...], set[int]] = {}
        for _, polynomial in products:
            for key, value in polynomial.items():
                signs.setdefault(key, set()).add(1 if value > 0 else -1)
        lonely = {
            key for key, found in signs.items() if len(found) == 1 and (key not in target or
            (target[key] > 0) != (1 in found))
        }  # fmt: skip
        kept = [pair for pair in products if not lonely & pair[1].keys()]
        if len(kept) == len(products):
            return kept
        products = kept


def _solve(
    target: Polynomial,
    products: list[tuple[tuple[int, ...], Polynomial]],
    strong: list[bool],
    rows: dict[tuple[int, ...], int],
    strict: bool,
) -> Combination | None:
    from scipy.optimize import linprog
    from scipy.sparse import csc_array

    if not products:
        return None
    # Which products take part does not depend on the size of any of them, nor of the target.
    entries = [
        (rows[key], j, value)
        for j, (_, polynomial) in enumerate(products)
        for key, value in _as_doubles(polynomial).items()
    ]
    strict_now = strong if len(strong) == len(products) else [False] * len(products)
    size = len(products)
    matrix = csc_array(
        ([value for _, _, value in entries], ([row for row, _, _ in entries], [j for _, j, _ in entries])),
        shape=(len(rows), size),
    )
    side = np.zeros(len(rows))
    for key, value in _as_doubles(target).items():
        side[rows[key]] = value
    costs = np.array([1.0 + len(chosen) for chosen, _ in products])
    tries = [costs]
    if strict:
        tries.append(np.where(strict_now, -1e-3, 1.0) * costs)
    for cost in tries:
        bounds = (0, None) if (cost >= 0).all() else (0, 1e6)
        try:
            answer = linprog(cost, A_eq=matrix, b_eq=side, bounds=bounds, method="highs-ds")
        except ValueError:
            return None
        if not answer.success:
            return None
        support = [int(j) for j in np.flatnonzero(answer.x > 1e-9)]
        exact = _exactly(target, products, support, rows)
        if exact is not None and (not strict or any(strict_now[j] and value > 0 for j, value in exact)):
            return [(value, products[j][0]) for j, value in exact if value]
    return None


def _as_doubles(polynomial: Polynomial) -> dict[tuple[int, ...], float]:
    """The coefficients, divided by the largest of them where that is no ordinary double."""
    largest = max(map(abs, polynomial.values()), default=Fraction(1))
    size = Fraction(1) if SMALLEST < largest < LARGEST else largest
    return {key: float(value / size) for key, value in polynomial.items()}


def _exactly(
    target: Polynomial,
    products: list[tuple[tuple[int, ...], Polynomial]],
    support: list[int],
    rows: dict[tuple[int, ...], int],
) -> list[tuple[int, Fraction]] | None:
    """Rational coefficients of the chosen products, solved for exactly; None when they do not exist or are below 0."""
    import flint

    if not support:
        return [] if not target else None
    used = sorted({key for j in support for key in products[j][1]} | set(target))
    if any(key not in rows for key in used):
        return None
    table = [[products[j][1].get(key, Fraction(0)) for j in support] + [target.get(key, Fraction(0))] for key in used]
    matrix = flint.fmpq_mat(
        len(used),
        len(support) + 1,
        [flint.fmpq(value.numerator, value.denominator) for row in table for value in row],
    )
    reduced, rank = matrix.rref()
    values = [Fraction(0)] * len(support)
    for i in range(rank):
        pivot = next(j for j in range(len(support) + 1) if reduced[i, j] != 0)
        if pivot == len(support):
            return None
        entry = reduced[i, len(support)]
        values[pivot] = Fraction(int(entry.p), int(entry.q))
    if any(value < 0 for value in values):
        return None
    return list(zip(support, values, strict=True))


def squares(goal: Expression) -> list[Expression]:
    """Squares of which the goal may be a sum, with premises or without; none where nothing speaks for them.

    Of a goal of degree 2 (in powers of its atoms) they are found by completing squares; of other polynomials in up to
    three atoms they are the squares of differences.

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_expression
    >>> [str(found) for found in squares(parse_expression("x^2 - 2*x*y + 2*y^2", {"x", "y"}))]
    ['(x - y)^2', 'y^2']
    """
    generators, (target,) = polynomials([goal])
    if target is None or not target or any(power < 0 for key in target for power in key):
        return []
    if all(sum(key) == 0 for key in target) or max(sum(key) for key in target) < 2 or len(generators) > 8:
        return []
    units = [math.gcd(*(key[i] for key in target)) or 1 for i in range(len(generators))]
    scaled = {tuple(power // unit for power, unit in zip(key, units, strict=True)): c for key, c in target.items()}
    if max(sum(key) for key in scaled) <= 2:
        basis = [operate("^", g, number(unit)) for g, unit in zip(generators, units, strict=True)]
        return _completed(scaled, [*basis, ONE])
    if 2 <= len(generators) <= 3 and max(sum(key) for key in target) <= 4:
        pairs = itertools.combinations(generators, 2)
        return [operate("^", operate("-", a, b), number(2)) for a, b in pairs]
    return []


def _completed(form: Polynomial, basis: list[Expression]) -> list[Expression]:
    """The squares of a quadratic form that is nowhere below 0."""
    size = len(basis)
    matrix = [[Fraction(0)] * size for _ in range(size)]
    for key, value in form.items():
        places = [i for i, power in enumerate(key) for _ in range(power)]
        places += [size - 1] * (2 - len(places))
        i, j = places
        matrix[i][j] += value / 2
        matrix[j][i] += value / 2
    found = []
    for i in range(size):
        pivot = matrix[i][i]
        if pivot < 0 or (pivot == 0 and any(matrix[i][j] for j in range(i, size))):
            return []
        if pivot == 0:
            continue
        row = [value / pivot for value in matrix[i]]
        inner = ZERO
        for j in range(i, size):
            if row[j]:
                term = operate("*", number(abs(row[j])), basis[j])
                inner = operate("-" if row[j] < 0 else "+", inner, term)
        if i < size - 1:
            found.append(operate("^", inner, number(2)))
        for j in range(i + 1, size):
            for k in range(i + 1, size):
                matrix[j][k] -= pivot * row[j] * row[k]
    return found
