"""Points of a formula's domain, many at once, in floats: they propose witnesses, exact arithmetic decides."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpcheck.proof.prover.conditions import conditions
from dpcheck.proof.prover.exact import NotDecided, NotDefined, failure_at, satisfies, value_at
from dpcheck.proof.prover.language import (
    INDEXED,
    MOST_INDICES,
    Domain,
    Expression,
    Link,
    Problem,
    names_in,
    number,
    subtrees,
)
from dpcheck.proof.prover.normal import factors

Floats = NDArray[np.float64]

#: Values that are tried for every variable, where they lie in its interval: witnesses should be easy to read.
_SIMPLE = """0 1 2 3 4 5 8 10 16 32 100 1000 1000000 1/2 1/3 2/3 1/4 3/4 1/5 1/10 9/10 1/16 1/100 99/100 1/1000 999/1000
1/1000000 3/2 5/2 -1 -2 -1/2 -10 -100"""
SIMPLE = tuple(Fraction(text) for text in _SIMPLE.split())
MOST_SIMPLE = 12_000
RANDOM = 6_000
ROUNDS, PER_ROUND = 25, 400
PUSHES = 300


def floats_of(node: Expression, values: Mapping[str, Floats], most: int = MOST_INDICES) -> Floats:
    """The values of an expression at many points, in floats; NaN where it has none.

    Sums and products of more than ``most`` terms have none either.

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_expression
    >>> floats_of(parse_expression("log(x)", {"x"}), {"x": np.array([1.0, -1.0])}).tolist()
    [0.0, nan]
    """
    from scipy.special import gammaln

    size = np.broadcast_shapes(*(column.shape for column in values.values())) if values else (1,)

    def choose(n: Floats, k: Floats) -> Floats:
        with np.errstate(all="ignore"):
            found = np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
        return np.where(k > n, 0.0, np.where(found < 1e15, np.round(found), found))

    one: dict[str, Callable[[Floats], Floats]] = {
        "neg": np.negative, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "abs": np.abs, "floor": np.floor,
        "ceil": np.ceil, "fact": lambda a: np.exp(gammaln(a + 1)),
    }  # fmt: skip
    two: dict[str, Callable[[Floats, Floats], Floats]] = {
        "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "^": np.power, "max": np.maximum,
        "min": np.minimum, "binom": choose,
    }  # fmt: skip

    def total(inner: Expression) -> Floats:
        first, last = np.ceil(visit(inner.arguments[0])), np.floor(visit(inner.arguments[1]))
        found = np.full(size, 0.0 if inner.operation == "sum" else 1.0)
        found[~(last - first < most)] = np.nan
        live = np.flatnonzero(last - first < most)
        for step in range(most):
            live = live[first[live] + step <= last[live]]
            if not live.size:
                break
            there = {name: column[live] for name, column in values.items()} | {inner.name: first[live] + step}
            term = floats_of(inner.arguments[2], there, most)
            found[live] = found[live] + term if inner.operation == "sum" else found[live] * term
        return found

    def visit(inner: Expression) -> Floats:
        if inner.operation in INDEXED:
            return total(inner)
        if inner.operation == "number":
            return np.full(size, _float(inner.value))
        if inner.operation == "name":
            return values[inner.name]
        if inner.operation in ("e", "pi"):
            return np.full(size, np.e if inner.operation == "e" else np.pi)
        arguments = [visit(argument) for argument in inner.arguments]
        return one[inner.operation](arguments[0]) if len(arguments) == 1 else two[inner.operation](*arguments)

    with np.errstate(all="ignore"):
        return np.asarray(visit(node), dtype=float)


def margin(link: Link, values: Mapping[str, Floats]) -> Floats:
    """How far a relation is from failing, relative to the size of its sides; below 0 where it seems to fail."""
    left, right = floats_of(link.left, values), floats_of(link.right, values)
    with np.errstate(all="ignore"):
        gap = right - left if link.relation in ("<=", "<", "=") else left - right
        if link.relation == "=":
            gap = -np.abs(gap)
        relative = gap / (np.abs(left) + np.abs(right) + 1e-300)
    return np.where(left == right, 0.0 if link.relation != "<" and link.relation != ">" else -1e-17, relative)


def draw(domain: Domain, size: int, rng: np.random.Generator) -> Floats:
    """Values of one variable: crowded at both ends, over many orders of magnitude."""
    low = None if domain.low is None else float(domain.low)
    high = None if domain.high is None else float(domain.high)
    exponents = rng.uniform(-9, 9, size)
    if low is None and high is None:
        values = rng.choice([-1.0, 1.0], size) * 10.0 ** (exponents / 2)
    elif high is None:
        assert low is not None
        values = low + 10.0 ** (exponents if not domain.integer else np.abs(exponents) * 0.7)
    elif low is None:
        values = high - 10.0**exponents
    else:
        width = high - low
        kind = rng.integers(0, 3, size)
        near = 10.0 ** (-np.abs(exponents)) * rng.uniform(0, 1, size)
        values = np.where(kind == 0, low + width * rng.uniform(0, 1, size), low + width * near)
        values = np.where(kind == 2, high - width * near, values)
    if domain.integer:
        values = np.floor(values)
    return values


def _complexity(point: Mapping[str, Fraction]) -> int:
    return sum(len(str(value)) + value.numerator.bit_length() + abs(value.numerator) % 64 for value in point.values())


def _simple_points(problem: Problem) -> Iterator[dict[str, Fraction]]:
    ends = [[value for value in (domain.low, domain.high) if value is not None] for domain in problem.domains]
    listed = [
        [value for value in dict.fromkeys((*own, *SIMPLE)) if value in domain]
        for own, domain in zip(ends, problem.domains, strict=True)
    ]
    count = 1
    for values in listed:
        count *= max(len(values), 1)
    while count > MOST_SIMPLE:
        longest = max(range(len(listed)), key=lambda i: len(listed[i]))
        count = count // len(listed[longest]) * (len(listed[longest]) - 1)
        listed[longest] = listed[longest][:-1]
    for point in itertools.product(*listed):
        yield {domain.name: value for domain, value in zip(problem.domains, point, strict=True)}


def _rationals(value: float, domain: Domain) -> list[Fraction]:
    if not np.isfinite(value):
        return []
    exact = Fraction(value)
    if domain.integer:
        return [Fraction(round(value))]
    found = [exact.limit_denominator(size) for size in (10, 100, 10_000, 10**8, 10**14)]
    if value:
        digits = Fraction(f"{value:.3g}")
        found.insert(1, digits)
    return [number for number in dict.fromkeys([*found, exact]) if number in domain]


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def _as_arrays(problem: Problem, points: list[dict[str, Fraction]]) -> dict[str, Floats]:
    return {
        domain.name: np.array([_float(point[domain.name]) for point in points], dtype=float)
        for domain in problem.domains
    }


def samples(problem: Problem, rng: np.random.Generator, size: int = RANDOM) -> dict[str, Floats]:
    """Random points of the domain (assumptions not heeded), shape (size,) per variable."""
    return {domain.name: draw(domain, size, rng) for domain in problem.domains}


def _allowed(problem: Problem, values: Mapping[str, Floats]) -> NDArray[np.bool_]:
    size = next(iter(values.values())).size if values else 1
    good = np.ones(size, dtype=bool)
    for link in problem.assumptions:
        good &= margin(link, values) >= 0.0
    for link in problem.claim:
        for side in (link.left, link.right):
            for inner in subtrees(side):
                if inner.operation in INDEXED:  # at other points nothing could be certain
                    good &= ~(floats_of(Expression("-", inner.arguments[1::-1]), values) >= MOST_INDICES)
    return good


def find_point(problem: Problem, rng: np.random.Generator) -> dict[str, Fraction] | None:
    """A rational point of the domain at which every assumption is certain; None when none was found.

    Examples
    --------
    >>> from dpcheck.proof.prover.formula import Formula
    >>> from dpcheck.proof.prover.language import parse_formula
    >>> problem = parse_formula(Formula("x in (0, 1)", "x^2 >= 1/2", "x <= 1"))
    >>> find_point(problem, np.random.default_rng(0))
    {'x': Fraction(3, 4)}
    """
    if not problem.domains:
        return {}
    simple = list(_simple_points(problem))
    good = _allowed(problem, _as_arrays(problem, simple)) if simple else np.zeros(0, dtype=bool)
    for point in itertools.compress(simple, good.tolist()):
        if satisfies(problem, point):
            return point
    values = samples(problem, rng)
    for place in np.flatnonzero(_allowed(problem, values))[:50]:
        for point in _nearby(problem, {name: float(column[place]) for name, column in values.items()}):
            if satisfies(problem, point):
                return point
    return None


def _nearby(problem: Problem, values: Mapping[str, float]) -> Iterator[dict[str, Fraction]]:
    choices = [_rationals(values[domain.name], domain) for domain in problem.domains]
    for k in range(max((len(choice) for choice in choices), default=0)):
        if all(choices):
            yield {
                domain.name: choice[min(k, len(choice) - 1)]
                for domain, choice in zip(problem.domains, choices, strict=True)
            }


def refute(
    problem: Problem, rng: np.random.Generator, until: float = float("inf")
) -> tuple[dict[str, Fraction], str] | None:
    """A rational point at which the formula certainly fails, and what fails there; None when none was found.

    Simple values first, then points on the walls of the assumptions, then random ones, then random ones near those
    that come closest to failing; no new ones are looked at after the time ``until`` (of ``time.process_time``).

    Examples
    --------
    >>> from dpcheck.proof.prover.formula import Formula
    >>> from dpcheck.proof.prover.language import parse_formula
    >>> refute(parse_formula(Formula("x in [0, 1]", "", "x^2 < x")), np.random.default_rng(0))
    ({'x': Fraction(0, 1)}, 'x^2 < x is false: 0 against 0')
    """
    if not problem.domains:
        failed = failure_at(problem, {})
        return None if failed is None else ({}, failed)
    simple = list(_simple_points(problem))
    if simple:
        values = _as_arrays(problem, simple)
        good = _allowed(problem, values)
        suspects = _suspicious(problem, values, good, len(simple))
        for place in sorted(suspects, key=lambda i: _complexity(simple[i]))[:60]:
            if time.process_time() > until:
                return None
            failed = failure_at(problem, simple[place])
            if failed is not None:
                return simple[place], failed
    pushed = _pushed(problem, simple, rng)
    if pushed:
        values = _as_arrays(problem, pushed)
        for place in _suspicious(problem, values, np.ones(len(pushed), dtype=bool)):
            if time.process_time() > until:
                return None
            failed = failure_at(problem, pushed[place])
            if failed is not None:
                return pushed[place], failed
    values = samples(problem, rng)
    for _ in range(ROUNDS):
        if time.process_time() > until:
            return None
        good = _allowed(problem, values)
        found = []
        for place in _suspicious(problem, values, good)[:12]:
            if time.process_time() > until:
                break
            for point in _nearby(problem, {name: float(column[place]) for name, column in values.items()}):
                failed = failure_at(problem, point)
                if failed is not None:
                    found.append((point, failed))
                    break
        if found:
            return min(found, key=lambda pair: _complexity(pair[0]))
        values = _closer(problem, values, good, rng)
    return None


def _walls(problem: Problem) -> list[Expression]:
    """What is 0 where an assumption holds with equality, or where something of the claim is not defined."""
    found = [Expression("-", (link.right, link.left)) for link in problem.assumptions]
    for link in problem.claim:
        for side in (link.left, link.right):
            for condition in conditions(side):
                if condition.kind in ("sign", "positive") and names_in(condition.operands[0]):
                    found += [piece for piece, _ in factors(condition.operands[0])[1]]
            for inner in subtrees(side):
                if inner.operation in ("floor", "ceil") and names_in(inner):
                    found += [Expression("-", (inner.arguments[0], number(k))) for k in (1, 2, 5)]
    return list(dict.fromkeys(found))[:12]


def _pushed(problem: Problem, simple: list[dict[str, Fraction]], rng: np.random.Generator) -> list[dict[str, Fraction]]:
    """Simple points moved onto one wall after the other, exactly or by a hair beside it, along a variable each."""
    walls = _walls(problem)
    if not walls or not simple:
        return []
    found = []
    names = [sorted(names_in(wall)) for wall in walls]
    for place in rng.integers(len(simple), size=PUSHES):
        point = dict(simple[int(place)])
        for domain in problem.domains:  # ends are where equality is
            low_or_high = domain.low if rng.random() < 0.5 else domain.high
            if rng.random() < 0.3 and low_or_high is not None and low_or_high in domain:
                point[domain.name] = low_or_high
        for which in rng.permutation(len(walls)):
            if not names[which] or (len(walls) > len(problem.assumptions) and rng.random() < 0.5):
                continue
            name = names[which][int(rng.integers(len(names[which])))]
            value = _root(walls[which], point, name)
            if value is not None and rng.random() < 0.3:
                value += rng.choice([-1, 1]) * Fraction(1, 10**9)
            if value is not None and value in problem.domains[[d.name for d in problem.domains].index(name)]:
                point[name] = value
        if satisfies(problem, point):
            found.append(point)
    return found


def _root(wall: Expression, point: Mapping[str, Fraction], name: str) -> Fraction | None:
    """Where an expression is 0 along one variable, if it is a line there with a rational root."""
    values = []
    for at in (0, 1, 2):
        try:
            value = value_at(wall, {**point, name: Fraction(at)})
        except (NotDefined, NotDecided, OverflowError):
            return None
        if not isinstance(value, Fraction):
            return None
        values.append(value)
    slope = values[1] - values[0]
    return -values[0] / slope if slope and values[2] - values[1] == slope else None


def _suspicious(
    problem: Problem, values: Mapping[str, Floats], good: NDArray[np.bool_], most: int = 60
) -> NDArray[np.intp]:
    """Places of points at which the claim seems to fail, or is within rounding of it, the worst first."""
    worst = np.full(good.size, np.inf)
    for link in problem.claim:
        found = margin(link, values)
        worst = np.minimum(worst, np.where(np.isnan(found), -1e-3, found))
    worst[~good] = np.inf
    order = np.argsort(worst, kind="stable")[:most]
    return order[worst[order] < 1e-9]


def _closer(
    problem: Problem, values: Mapping[str, Floats], good: NDArray[np.bool_], rng: np.random.Generator
) -> dict[str, Floats]:
    worst = np.full(good.size, np.inf)
    for link in problem.claim:
        found = margin(link, values)
        worst = np.minimum(worst, np.where(np.isnan(found), np.inf, found))
    worst[~good] = np.inf
    best = np.argsort(worst, kind="stable")[:20]
    if not np.isfinite(worst[best[0]]):
        return samples(problem, rng)
    best = best[np.isfinite(worst[best])]
    parents = rng.choice(best, PER_ROUND)
    moved = {}
    for domain in problem.domains:
        column = values[domain.name][parents]
        low = -np.inf if domain.low is None else float(domain.low)
        high = np.inf if domain.high is None else float(domain.high)
        scale = 10.0 ** rng.uniform(-4, 0, PER_ROUND)
        anchor = np.where(np.isfinite(low) & (rng.random(PER_ROUND) < 0.5), low, 0.0 if not np.isfinite(high) else high)
        step = (column - anchor) * scale * rng.standard_normal(PER_ROUND)
        if domain.integer:
            step = np.where(np.abs(step) < 1, rng.integers(-2, 3, PER_ROUND), np.round(step))
        keep = rng.random(PER_ROUND) < 0.3
        fresh = np.where(keep, column, column + step)
        inside = (fresh > low) & (fresh < high)
        edges = ((fresh == low) & (not domain.low_open)) | ((fresh == high) & (not domain.high_open))
        moved[domain.name] = np.where(inside | edges, fresh, column)
    return {name: np.concatenate([values[name][best], moved[name]]) for name in moved}
