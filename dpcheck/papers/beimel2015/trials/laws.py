"""How far two declared laws are apart, exactly: the largest ratio of probabilities, and delta at a ratio."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import wraps
from itertools import combinations
from typing import Any

from dpcheck.model.law import Law
from dpcheck.model.neighbours import Relation
from dpcheck.model.neighbours.enumeration import all_pairs
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.parts.mechanisms.inner import is_order_blind
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.trial.rows import Findings

#: Bits of balls.
BITS = 256


def precisely(measure: Callable[[int, bool], Findings]) -> Callable[[int, bool], Findings]:
    """A measurement that computes its balls with 256 bits."""

    @wraps(measure)
    def measured(seed: int, quick: bool) -> Findings:
        from flint import ctx

        with ctx.workprec(BITS):
            return measure(seed, quick)

    return measured


def probabilities(law: Any) -> dict[Any, Any]:
    """The probability of each output that has one, as fractions where the law has fractions, otherwise as balls.

    >>> probabilities({"a": Fraction(1, 3), "b": Fraction(2, 3), "c": Fraction(0)})
    {'a': Fraction(1, 3), 'b': Fraction(2, 3)}
    """
    found: Law = mixture([1], [law])
    assert found.exact is not None
    listed = zip(found.outputs, found.exact, strict=True)
    return {output: chance for output, chance in listed if not (isinstance(chance, Fraction) and not chance)}


def largest_ratio(one: Any, other: Any) -> Any:
    """The largest ratio of the probabilities of an output, either way; None where one law has outputs of its own.

    >>> fair, biased = {0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: Fraction(1, 3), 1: Fraction(2, 3)}
    >>> largest_ratio(fair, biased)
    Fraction(3, 2)
    """
    p, q = probabilities(one), probabilities(other)
    if p.keys() != q.keys():
        return None
    if not all(isinstance(each, Fraction) for each in (*p.values(), *q.values())):
        p, q = ({key: as_ball(chance) for key, chance in law.items()} for law in (p, q))
    return largest(number for key in p for number in (p[key] / q[key], q[key] / p[key]))


def delta_at(one: Any, other: Any, ratio: Any) -> Any:
    """The least delta with which either law is within the ratio of the other.

    >>> fair, sure = {0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: Fraction(1)}
    >>> delta_at(fair, sure, Fraction(2))
    Fraction(1, 2)
    """
    p, q = probabilities(one), probabilities(other)
    if not all(isinstance(each, Fraction) for each in (ratio, *p.values(), *q.values())):
        p, q = ({key: as_ball(chance) for key, chance in law.items()} for law in (p, q))
        ratio = as_ball(ratio)
    zero = ratio * 0
    return largest(
        sum((largest([zero, chance - ratio * right.get(key, zero)]) for key, chance in left.items()), zero)
        for left, right in ((p, q), (q, p))
    )


def largest(numbers: Iterable[Any]) -> Any:
    """The largest of fractions and balls; a ball as soon as one of them is.

    >>> largest([Fraction(1, 2), Fraction(2, 3)])
    Fraction(2, 3)
    """
    found: Any = None
    for number in numbers:
        if found is None or (isinstance(number, Fraction) and isinstance(found, Fraction)):
            found = number if found is None or number > found else found
        else:
            found = as_ball(found).max(as_ball(number))
    return found


def as_ball(number: Any) -> Any:
    """A fraction as a ball; balls as they are."""
    return ball(number) if isinstance(number, Fraction | int) else number


def pairs_of_laws(method: Any, relation: Relation, learner: Any = None) -> Iterator[tuple[Any, Any, Any, Any]]:
    """All neighbouring pairs of a finite domain with their laws: left, right, law of left, law of right."""
    listed = all_pairs(relation, order_blind=is_order_blind(learner) if learner is not None else False)
    laws: dict[int, Any] = {}

    def law(number: int) -> Any:
        if number not in laws:
            laws[number] = probabilities(method(listed.dataset(number)))
        return laws[number]

    for left, right in listed.pairs.tolist():
        yield listed.dataset(left), listed.dataset(right), law(left), law(right)


def largest_over_pairs(method: Any, relation: Relation, learner: Any = None) -> tuple[Any, int]:
    """The largest ratio over all neighbouring pairs (None where it is infinite), and how many pairs there are."""
    found: Any = Fraction(1)
    count = 0
    for _, _, one, other in pairs_of_laws(method, relation, learner):
        count += 1
        if found is not None:
            ratio = largest_ratio(one, other)
            found = None if ratio is None else largest([found, ratio])
    return found, count


def largest_delta(method: Any, relation: Relation, ratio: Any, learner: Any = None) -> tuple[Any, int]:
    """The largest delta at a ratio over all neighbouring pairs, and how many pairs there are."""
    found: Any = Fraction(0)
    count = 0
    for _, _, one, other in pairs_of_laws(method, relation, learner):
        count += 1
        found = largest([found, delta_at(one, other, ratio)])
    return found, count


def at_distance(datasets: list[Any], laws: list[Any], distance: Any, most: int) -> dict[int, Any]:
    """The largest ratio of laws for each distance from 1 to ``most`` between datasets."""
    found: dict[int, Any] = {k: Fraction(1) for k in range(1, most + 1)}
    for i, j in combinations(range(len(datasets)), 2):
        k = distance(datasets[i], datasets[j])
        if 1 <= k <= most and found[k] is not None:
            ratio = largest_ratio(laws[i], laws[j])
            found[k] = None if ratio is None else largest([found[k], ratio])
    return found


def nats(ratio: Any) -> float:
    """The logarithm of a ratio in doubles, for charts and tables; infinite where there is none."""
    return math.inf if ratio is None else float(as_ball(ratio).log().mid())
