"""Mixtures of declared laws, exact: what a learner has that first draws its input and then runs another one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from numbers import Rational
from typing import Any

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import FLOAT_ERROR, IntegerScores, Law

#: Bits of the balls unless more are asked for: laws of some thousand terms are then far sharper than doubles.
LEAST_BITS = 128


def mixture(weights: Iterable[Any], laws: Iterable[Any]) -> Law:
    """The law of an output whose law is itself drawn: ``sum_i weights_i laws_i``.

    Where all laws are in fractions, so is the mixture. Integer scores and balls make balls, at the precision of the
    moment (``flint.ctx.prec``, at least 128 bits): asked for again with more of it, they are sharper. A law in floats
    makes floats, with its own error and that of adding them up.

    Parameters
    ----------
    weights : Fractions or integers, at least 0, of sum 1, or balls of such numbers, shape (m,)
    laws : what ``distribution`` may return, m of them
        Mappings output -> probability, or :class:`~dpcheck.model.law.Law`; taken one by one, so a generator will do.

    Raises
    ------
    InvalidArgument
        When the weights are no such probabilities, are not as many as the laws, or something is no law.

    Examples
    --------
    >>> first, second = {"a": Fraction(1)}, {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    >>> law = mixture([Fraction(1, 4), Fraction(3, 4)], [first, second])
    >>> dict(zip(law.outputs, law.exact))
    {'a': Fraction(1, 2), 'b': Fraction(1, 2)}
    """
    from flint import ctx

    with ctx.workprec(max(ctx.prec, LEAST_BITS)):
        sums: dict[Any, _Sum] = {}
        powers = _Powers()
        whole: Any = Fraction(0)
        error, terms = 0.0, 0
        for given, law in _both(weights, laws):
            weight = _checked_weight(given)
            whole = whole + weight if type(whole) is type(weight) else _as_ball(whole) + _as_ball(weight)
            if isinstance(weight, Fraction) and not weight:
                continue
            terms += 1
            error = max(error, _error(law))
            for output, probability in powers.probabilities(law):
                sums.setdefault(_key(output), _Sum(output)).add(weight, probability)
        if not (whole == 1 if isinstance(whole, Fraction) else whole.contains(1)):
            raise InvalidArgument(f"weights must sum to 1, got {whole}")
        found = list(sums.values())
        outputs = [each.output for each in found]
        if any(each.logs for each in found):
            logs = np.array([each.logarithm() for each in found])
            largest = float(np.abs(logs[np.isfinite(logs)]).max(initial=0.0))
            # a logarithm and an exponential err by some units in the last place of the largest, a sum by its terms
            return Law(outputs, log_probabilities=logs, error=error + (16.0 * largest + terms + 16.0) * 2.0**-52)
        if any(each.ball is not None for each in found):
            return Law(outputs, exact=[each.as_ball() for each in found])
        return Law(outputs, exact=[each.fraction for each in found])


def product_law(laws: Sequence[Any]) -> Law:
    """The law of independent outputs together, as tuples: integer scores of one epsilon stay integer scores.

    Parameters
    ----------
    laws : what ``distribution`` may return, m of them

    Raises
    ------
    InvalidArgument
        When something is no law.

    Examples
    --------
    >>> coin = {0: Fraction(1, 4), 1: Fraction(3, 4)}
    >>> law = product_law([coin, coin])
    >>> law.outputs[:2], law.exact[:2]
    ([(0, 0), (0, 1)], [Fraction(1, 16), Fraction(3, 16)])
    """
    scored = [law.exact for law in laws if isinstance(law, Law) and isinstance(law.exact, IntegerScores)]
    if laws and len(scored) == len(laws) and len({each.epsilon for each in scored}) == 1:
        places = list(product(*(range(len(each.scores)) for each in scored)))
        return Law(
            list(product(*(law.outputs for law in laws))),
            exact=IntegerScores(
                scored[0].epsilon,
                [sum(each.scores[i] for each, i in zip(scored, place, strict=True)) for place in places],
                [math.prod(each.multiplicities[i] for each, i in zip(scored, place, strict=True)) for place in places],
            ),
        )
    from flint import ctx

    with ctx.workprec(max(ctx.prec, LEAST_BITS)):
        mixed = [mixture([1], [law]) for law in laws]
        outputs = list(product(*(law.outputs for law in mixed)))
        if all(law.exact is not None for law in mixed):
            return Law(outputs, exact=[_product(several) for several in product(*(law.exact for law in mixed))])
        logs = [law.log_probabilities if law.exact is None else list(map(_logarithm, law.exact)) for law in mixed]
        sums = np.array([math.fsum(several) for several in product(*logs)])
        return Law(outputs, log_probabilities=sums, error=sum(law.error for law in mixed) + 2.0**-50)


def _product(several: Sequence[Any]) -> Any:
    if all(isinstance(each, Fraction) for each in several):
        return math.prod(several, start=Fraction(1))
    found = _as_ball(Fraction(1))
    for each in several:
        found *= _as_ball(each) if isinstance(each, Fraction) else each
    return found


def _logarithm(probability: Any) -> float:
    if isinstance(probability, Fraction):
        return _log(probability) if probability else -math.inf
    return float(probability.log().mid()) if probability > 0 else -math.inf


def chances(law: Any) -> list[tuple[Any, float]]:
    """The outputs of a law with their probabilities in doubles, to look at them.

    Parameters
    ----------
    law : what ``distribution`` may return

    Examples
    --------
    >>> chances(Law(["a", "b"], exact=IntegerScores(0.0, [3, 7])))
    [('a', 0.5), ('b', 0.5)]
    """
    found = mixture([1], [law])
    if found.exact is None:
        return list(zip(found.outputs, np.exp(found.log_probabilities).tolist(), strict=True))
    return [(output, float(each)) for output, each in zip(found.outputs, found.exact, strict=True)]


_MISSING = object()


def _both(weights: Iterable[Any], laws: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    some, others = iter(weights), iter(laws)
    while True:
        weight, law = next(some, _MISSING), next(others, _MISSING)
        if weight is _MISSING and law is _MISSING:
            return
        if weight is _MISSING or law is _MISSING:
            raise InvalidArgument("weights must be as many as the laws, got more of one")
        yield weight, law


def _checked_weight(weight: Any) -> Any:
    from flint import arb

    if isinstance(weight, arb) and weight >= 0:
        return weight
    if isinstance(weight, bool) or not isinstance(weight, Rational | np.integer) or weight < 0:
        raise InvalidArgument(
            f"weights must be Fractions of at least 0, got {weight!r} of type {type(weight).__name__}"
        )
    return Fraction(int(weight)) if isinstance(weight, np.integer) else Fraction(weight)


def _error(law: Any) -> float:
    return law.error if isinstance(law, Law) else FLOAT_ERROR


@dataclass
class _Sum:
    """The probability of one output so far: the parts in fractions, in balls and as logarithms of floats."""

    output: Any
    fraction: Fraction = Fraction(0)
    ball: Any = None
    logs: list[float] = field(default_factory=list)

    def add(self, weight: Any, probability: Any) -> None:
        if isinstance(probability, _Log):
            self.logs.append(_log(weight) + probability.nats)
        elif isinstance(probability, Fraction) and isinstance(weight, Fraction):
            self.fraction += weight * probability
        else:
            part = _as_ball(weight) * _as_ball(probability)
            self.ball = part if self.ball is None else self.ball + part

    def as_ball(self) -> Any:
        return _as_ball(self.fraction) if self.ball is None else self.ball + _as_ball(self.fraction)

    def logarithm(self) -> float:
        logs = [*self.logs, *([_log(self.fraction)] if self.fraction else [])]
        if self.ball is not None and self.ball > 0:
            logs.append(float(self.ball.log().mid()))
        return float(np.logaddexp.reduce(logs)) if logs else -math.inf


@dataclass(frozen=True)
class _Log:
    """A probability that is known as the logarithm of a float."""

    nats: float


def _as_ball(number: Any) -> Any:
    from flint import arb, fmpq

    if not isinstance(number, Fraction):
        return number
    return arb(fmpq(number.numerator, number.denominator))


def _log(number: Any) -> float:
    """The logarithm of a ball, or of a fraction of any size; both logarithms are then of integers."""
    if not isinstance(number, Fraction):
        return float(number.log().mid())
    return math.log(number.numerator) - math.log(number.denominator)


def _key(output: Any) -> Any:
    """Equal for equal outputs of one type: 1, 1.0 and True are different answers, and two arrays may be one."""
    if isinstance(output, np.ndarray):
        return np.ndarray, _key(output.tolist())
    if isinstance(output, list | tuple):
        return type(output), tuple(map(_key, output))
    if isinstance(output, float) and output != output:
        return float, "not a number"
    return type(output), output


class _Powers:
    """Probabilities of laws; the powers of ``exp(-epsilon / 2)`` that integer scores need are computed once."""

    def __init__(self) -> None:
        self._known: dict[tuple[Fraction, int], Any] = {}

    def _power(self, epsilon: Fraction, exponent: int) -> Any:
        key = (epsilon, exponent)
        if key not in self._known:
            self._known[key] = _as_ball(-epsilon * exponent / 2).exp()
        return self._known[key]

    def probabilities(self, law: Any) -> Iterable[tuple[Any, Any]]:
        """The outputs of a law with their probabilities: fractions, balls or logarithms."""
        if isinstance(law, Mapping):
            return [(output, _number(probability)) for output, probability in law.items()]
        if not isinstance(law, Law):
            raise InvalidArgument(f"laws must be mappings output -> probability or Law, got {type(law).__name__}")
        if isinstance(law.exact, IntegerScores):
            scores = law.exact
            top = max(scores.scores)
            weights = [
                times * self._power(scores.epsilon, top - score)
                for times, score in zip(scores.multiplicities, scores.scores, strict=True)
            ]
            total = sum(weights[1:], weights[0])
            return [(output, weight / total) for output, weight in zip(law.outputs, weights, strict=True)]
        if law.exact is not None:
            return [(output, _number(each)) for output, each in zip(law.outputs, law.exact, strict=True)]
        logs = np.asarray(law.log_probabilities, dtype=float).tolist()
        return [(output, _Log(each)) for output, each in zip(law.outputs, logs, strict=True)]


def _number(probability: Any) -> Any:
    """A probability as a fraction, a ball or the logarithm of a float."""
    if isinstance(probability, float | np.floating):
        return _Log(math.log(probability) if probability > 0 else -math.inf)
    if isinstance(probability, Rational):
        return Fraction(probability)
    return probability
