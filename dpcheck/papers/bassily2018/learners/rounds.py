"""Which queries are answered: the sparse vector of alg-2 as draws and as an exact law.

A round begins with a fresh noisy threshold and ends at the first query whose noisy distance does not exceed it. The
steps are those of bassily2018:alg-2, 5 and 8-9: ``answered iff distance + Lap(query_scale) > threshold + Lap(
threshold_scale)``, the noise of the threshold redrawn after each abstention and after nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument

if TYPE_CHECKING:
    from dpcheck.papers.bassily2018.learners.scales import Scales

#: What stands in a row of draws for each query.
ANSWERED, ABSTAINS, NOT_ASKED = 1, 0, -1
#: Laws of more patterns are not declared.
MOST_PATTERNS = 1 << 12
#: Noises that are held at once.
_CELLS = 1 << 22
#: Runs times so many queries are drawn query by query, all runs at once; fewer runs one by one, round by round.
_QUERIES_PER_RUN = 4
#: How many queries a round looks at first; then twice as many, and so on.
_FIRST_BLOCK = 64
#: Bits of the balls unless more are asked for.
_LEAST_BITS = 192


def drawn_patterns(
    distances: NDArray[Any], scales: Scales, rounds: int, size: int, rng: np.random.Generator
) -> NDArray[np.int8]:
    """``size`` independent patterns: for each query answered (1), abstained (0) or not asked any more (-1).

    Parameters
    ----------
    distances : array of shape (m,), or (size, m) for runs with distances of their own
    scales : Scales
    rounds : int, at least 1
        The number of abstentions after which it stops.
    size : int
    rng : numpy Generator

    Returns
    -------
    array of shape (size, m)

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.scales import Scales
    >>> rng = np.random.default_rng()
    >>> drawn_patterns(np.array([900, 0, 900, 0, 900]), Scales(400.0, 1.0, 2.0), 1, 1, rng).tolist()
    [[1, 0, -1, -1, -1]]
    """
    m = distances.shape[-1]
    found = np.empty((size, m), dtype=np.int8)
    if m > _QUERIES_PER_RUN * size:
        for run in range(size):
            found[run] = _one(distances if distances.ndim == 1 else distances[run], scales, rounds, rng)
        return found
    block = max(1, _CELLS // 8)
    for start in range(0, size, block):
        part = found[start : start + block]
        _query_by_query(
            distances if distances.ndim == 1 else distances[start : start + block], scales, rounds, part, rng
        )
    return found


def _query_by_query(
    distances: NDArray[Any], scales: Scales, rounds: int, found: NDArray[np.int8], rng: np.random.Generator
) -> None:
    size = len(found)
    bar = scales.threshold + rng.laplace(0.0, scales.threshold_scale, size)
    left = np.full(size, rounds)
    for i in range(found.shape[1]):
        above = distances[..., i] + rng.laplace(0.0, scales.query_scale, size) > bar
        found[:, i] = np.where(left == 0, NOT_ASKED, above)
        below = np.flatnonzero(~above)
        left[below] = np.maximum(left[below] - 1, 0)
        bar[below] = scales.threshold + rng.laplace(0.0, scales.threshold_scale, len(below))


def _one(distances: NDArray[Any], scales: Scales, rounds: int, rng: np.random.Generator) -> NDArray[np.int8]:
    m = len(distances)
    gaps = distances - scales.threshold + rng.laplace(0.0, scales.query_scale, m)
    found = np.full(m, ANSWERED, dtype=np.int8)
    place = 0
    for _ in range(rounds):
        noise = rng.laplace(0.0, scales.threshold_scale)
        block = _FIRST_BLOCK
        while place < m:
            below = gaps[place : place + block] <= noise
            first = int(below.argmax())
            if below[first]:
                place += first
                break
            place += len(below)
            block *= 2
        if place >= m:
            return found
        found[place] = ABSTAINS
        place += 1
    found[place:] = NOT_ASKED
    return found


def pattern_law(distances: Any, scales: Scales, rounds: int) -> dict[tuple[int, ...], Any]:
    """The exact law of the pattern: a ball (python-flint ``arb``) for each, at the precision of the moment.

    Between the places 0 and ``d_t - w`` of the threshold's noise r the chance of a stretch of answers, times the
    density of r, is a sum of exponentials ``exp(c r)``, which is integrated term by term. The law is the product of its
    rounds.

    Parameters
    ----------
    distances : m numbers (doubles are taken as exact)
    scales : Scales
    rounds : int, at least 1

    Raises
    ------
    InvalidArgument
        When there are more than 4096 patterns.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.scales import Scales
    >>> law = pattern_law([3, 0], Scales(2.0, 1.0, 2.0), 1)
    >>> {pattern: round(float(chance.mid()), 6) for pattern, chance in law.items()}
    {(1, 1): 0.169254, (1, 0): 0.487706, (0, -1): 0.343041}
    """
    from flint import ctx

    exact = [_fraction(each) for each in np.asarray(distances).tolist()]
    m = len(exact)
    number = number_of_patterns(m, rounds)
    if number > MOST_PATTERNS:
        raise InvalidArgument(
            f"queries must have at most {MOST_PATTERNS} patterns of answers for a law, got at least {number:,}"
        )
    with ctx.workprec(max(ctx.prec, _LEAST_BITS) + 2 * m):
        stretches = [_Stretches(exact[start:], scales) for start in range(m)]
        law: dict[tuple[int, ...], Any] = {}
        open_ends: list[tuple[tuple[int, ...], int, Any]] = [((), 0, 1)]
        while open_ends:
            pattern, spent, chance = open_ends.pop()
            start = len(pattern)
            if start == m or spent == rounds:
                law[pattern + (NOT_ASKED,) * (m - start)] = chance
                continue
            round_law = stretches[start]
            law[pattern + (ANSWERED,) * (m - start)] = chance * round_law.answers(m - start)
            open_ends += [
                ((*pattern, *(ANSWERED,) * answers, ABSTAINS), spent + 1, chance * round_law.ends_after(answers))
                for answers in range(m - start)
            ]
        return law


def number_of_patterns(m: int, rounds: int) -> int:
    """How many patterns there are: those with fewer abstentions than rounds, and those that stop at one.

    Counted up to where there are more than 4096.

    Examples
    --------
    >>> number_of_patterns(3, 1), number_of_patterns(3, 3)
    (4, 8)
    """
    found = 0
    for ends in range(min(rounds, m) + 1):
        found += comb(m, ends)
        if found > MOST_PATTERNS:
            break
    return found


def _fraction(value: Any) -> Fraction:
    try:
        return Fraction(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"distances must be finite numbers, got {value!r}") from error


class _Stretches:
    """``E prod_{t<j} F(d_t - w - r)`` over the noise r of one fresh threshold, for each j.

    On a piece between breakpoints the product is held as ``{c: a}``, the sum of ``a exp(c r)``.
    """

    def __init__(self, distances: list[Fraction], scales: Scales) -> None:
        from flint import arb

        threshold, self._slow = Fraction(scales.threshold), 1 / Fraction(scales.query_scale)
        fast = 1 / Fraction(scales.threshold_scale)
        gaps = [each - threshold for each in distances]
        ends = sorted({Fraction(0), *gaps})
        lows: list[Fraction | None] = [None, *ends]
        highs: list[Fraction | None] = [*ends, None]
        pieces = [{(fast if high is not None and high <= 0 else -fast): _ball(fast) / 2} for high in highs]
        bounds = list(zip(lows, highs, strict=True))
        self._survives, self._ends = [arb(1)], []
        for gap in gaps:
            weight = (-_ball(gap * self._slow)).exp() / 2
            ending = []
            for place, (_, high) in enumerate(bounds):
                before = pieces[place]
                if high is not None and high <= gap:  # F = 1 - weight exp(slow r)
                    ending.append(_shifted(before, self._slow, weight))
                    pieces[place] = _added(before, _shifted(before, self._slow, -weight))
                else:  # F = exp(-slow r) / (4 weight)
                    pieces[place] = _shifted(before, -self._slow, 1 / (4 * weight))
                    ending.append(_added(before, _shifted(before, -self._slow, -1 / (4 * weight))))
            # each from its own integrand: as a difference of the others a rare end would lose its digits
            self._ends.append(sum((_integral(*each) for each in zip(ending, bounds, strict=True)), arb(0)))
            self._survives.append(sum((_integral(*each) for each in zip(pieces, bounds, strict=True)), arb(0)))

    def answers(self, number: int) -> Any:
        """The chance that so many queries are answered."""
        return self._survives[number]

    def ends_after(self, number: int) -> Any:
        """The chance that so many are answered and the next one is not."""
        return self._ends[number]


def _ball(number: Fraction) -> Any:
    from flint import arb, fmpq

    return arb(fmpq(number.numerator, number.denominator))


def _shifted(terms: dict[Fraction, Any], by: Fraction, times: Any) -> dict[Fraction, Any]:
    return {rate + by: value * times for rate, value in terms.items()}


def _added(one: dict[Fraction, Any], other: dict[Fraction, Any]) -> dict[Fraction, Any]:
    found = dict(one)
    for rate, value in other.items():
        found[rate] = found[rate] + value if rate in found else value
    return found


def _integral(terms: dict[Fraction, Any], bounds: tuple[Fraction | None, Fraction | None]) -> Any:
    from flint import arb

    low, high = bounds
    total = arb(0)
    for rate, value in terms.items():
        if rate == 0:
            assert low is not None
            assert high is not None
            total += value * _ball(high - low)
            continue
        # at the infinite ends the integrand vanishes: rates are positive on the left, negative on the right
        upper = _ball(rate * high).exp() if high is not None else arb(0)
        lower = _ball(rate * low).exp() if low is not None else arb(0)
        total += value * (upper - lower) / _ball(rate)
    return total
