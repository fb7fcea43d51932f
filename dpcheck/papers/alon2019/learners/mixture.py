"""The exact law of the reduction on tiny instances: a mixture of the semi-private learner's laws over its inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.law import Law
from dpcheck.papers.alon2019.learners.sampling import Dummies, Mode
from dpcheck.parts.mechanisms.mixtures import mixture

Codes: TypeAlias = NDArray[np.int64]
#: (available, n_priv, n_pub, dummies, mode, whether order is of no matter, whether public labels are read)
Shape: TypeAlias = tuple[int, int, int, Dummies, Mode, bool, bool]


def terms(
    available: int, private: int, public: int, dummies: Dummies, mode: Mode, order_blind: bool, public_labels: bool
) -> int:
    """How many inputs a run may give to the semi-private learner, equal ones taken together.

    Examples
    --------
    >>> terms(1, 3, 1, Dummies([0]), "fill", True, False)
    7
    """
    kinds = dummies.outcomes
    public_kinds = kinds if public_labels else kinds // 2
    if not order_blind:
        # each position holds an element or one of the dummies; the public sample is a sequence
        return int((kinds + 1) ** private) * int(public_kinds**public)
    spare = [number for _, number, _ in _used(available, private, Fraction(1, 2), mode)]
    return sum(comb(s + kinds - 1, s) for s in spare) * comb(public + public_kinds - 1, public)


def law_of_runs(
    law: Callable[[Any], Any], dataset_of: Callable[[Codes, Codes], Any], shape: Shape, probability: Fraction
) -> Law | dict[Any, Any]:
    """The law of the output: ``Fraction`` where all laws are in fractions, balls where they have integer scores.

    Parameters
    ----------
    law : callable, dataset -> law
        Of the semi-private learner.
    dataset_of : callable, codes of the private and of the public sample -> dataset
    shape : the numbers that decide what can happen
    probability : Fraction
        With which a position asks for a record.

    Source: alon2019:alg-2, clm-4.5.
    """
    weights, datasets = [], []
    for chance_private, private in _private(shape, probability):
        for chance_public, public in _public(shape):
            weights.append(chance_private * chance_public)
            datasets.append((private, public))
    mixed = mixture(weights, (law(dataset_of(private, public)) for private, public in datasets))
    return mixed if mixed.exact is None else dict(zip(mixed.outputs, mixed.exact, strict=True))


def _used(available: int, private: int, p: Fraction, mode: Mode) -> Iterator[tuple[int, int, Fraction]]:
    """How many records are used, how many dummies beside them, and with which probability."""
    q = 1 - p
    if available == 0:
        yield 0, (0 if mode == "printed" else private), Fraction(1)
        return
    for used in range(min(available, private + 1)):
        yield used, private - used, comb(private, used) * p**used * q ** (private - used)
    if available > private:
        return
    if mode == "fill":
        rest = (comb(private, used) * p**used * q ** (private - used) for used in range(available, private + 1))
        yield available, private - available, sum(rest, Fraction(0))
        return
    for last in range(available, private + 1):  # the position of the last record: there the printed loop ends
        yield available, last - available, comb(last - 1, available - 1) * p**available * q ** (last - available)


def _private(shape: Shape, probability: Fraction) -> Iterator[tuple[Fraction, Codes]]:
    """The private samples that can occur, by codes, with their probabilities."""
    available, private, _, dummies, mode, order_blind, _ = shape
    each = [chance / 2 for chance in dummies.chances for _ in range(2)]
    if order_blind:
        for used, spare, chance in _used(available, private, probability, mode):
            for several, codes in _multisets(each, spare):
                if chance * several:
                    yield chance * several, np.concatenate([np.arange(used), available + codes])
        return
    choices = [probability, *((1 - probability) * chance for chance in each)]
    for row in product(range(len(choices)), repeat=private):
        filled: list[int] = []
        used, chance, over = 0, Fraction(1), available == 0 and mode == "printed"
        for choice in row:
            if over:
                # positions behind the end are not there: of all rows that differ in them one is counted
                chance *= int(choice == 0)
                continue
            if choice == 0 and used < available:
                chance *= probability
                filled.append(used)
                used += 1
                over = mode == "printed" and used == available
            elif choice == 0:  # asks for a record where none is left: a dummy, whichever, counted with the others
                chance = Fraction(0)
            else:
                chance *= each[choice - 1] if used == available else choices[choice]
                filled.append(available + choice - 1)
        if chance:
            yield chance, np.array(filled, dtype=np.int64)


def _public(shape: Shape) -> Iterator[tuple[Fraction, Codes]]:
    """The public samples that can occur, by codes, with their probabilities."""
    available, _, public, dummies, _, order_blind, labels = shape
    if labels:
        each, code = [chance / 2 for chance in dummies.chances for _ in range(2)], np.arange(dummies.outcomes)
    else:
        each, code = list(dummies.chances), 2 * np.arange(len(dummies.points))
    if order_blind:
        for chance, places in _multisets(each, public):
            if chance:
                yield chance, available + code[places]
        return
    for row in product(range(len(each)), repeat=public):
        chance = prod((each[place] for place in row), start=Fraction(1))
        if chance:
            yield chance, available + code[list(row)]


def _multisets(chances: list[Fraction], size: int) -> Iterator[tuple[Fraction, Codes]]:
    """The multisets of ``size`` independent draws, each with its probability."""
    for places in combinations_with_replacement(range(len(chances)), size):
        counts = [places.count(kind) for kind in range(len(chances))]
        ways = factorial(size) // prod(map(factorial, counts))
        weight = prod((chance**count for chance, count in zip(chances, counts, strict=True)), start=Fraction(1))
        yield ways * weight, np.array(places, dtype=np.int64)
