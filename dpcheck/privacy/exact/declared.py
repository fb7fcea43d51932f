"""What ``distribution`` gave, checked to be a law and made plain data that any process can hand over."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.law import FLOAT_ERROR, IntegerScores, Law
from dpcheck.privacy.exact.output_keys import OfType, form_of, plain_output

Kind = Literal["fractions", "scores", "balls", "floats"]

#: Probabilities given as floats must sum to 1 to within this: quadrature reaches it, a forgotten output does not.
SUM_TOLERANCE = 1e-9
#: Probabilities each rounded by itself sum to 1 to within this, and this times the entropy for logarithms.
EACH_ROUNDED = 2.0**-52
#: Sums this near to 1 may differ from it by the rounding of doubles only.
SUM_ROUNDING = 2.0**-44
#: A law whose sum leaves its probabilities less certain than this, in nats, is refused: it would decide nothing.
MOST_UNCERTAIN = 1e-6
#: Log-probabilities given beside an exact form must agree with it to within this, in nats.
AGREES = 1e-6
#: Scores below this are integers that doubles hold, and so are their differences.
_SMALL = 2**51
#: Quotients below this lose digits, or are 0, as doubles.
_LEAST_QUOTIENT = 1e-300
#: A ball as integers: mantissa and exponent of its midpoint and of its radius.
Ball = tuple[int, int, int, int]


__all__ = ["Declared", "NotALaw", "OfType", "ball_of", "declared", "float_logs", "float_logs_of_many", "plain_output"]


class NotALaw(ValueError):
    """What ``distribution`` returned is no probability law; the text says why, in words that follow "it"."""


@dataclass(frozen=True, eq=False)
class Declared:
    """A law as plain data: ``outputs`` in a form that can be looked up, and one of four forms of probabilities.

    ``fractions``: ``numerators`` over ``denominator``. ``scores``: ``numerators`` are multiplicities, ``scores`` and
    ``epsilon`` the exponents. ``balls``: midpoints and radii. ``floats``: ``logs``, normalised to 1 by whoever uses
    them, each within ``error`` of the truth.
    """

    kind: Kind
    outputs: tuple[Any, ...]
    numerators: tuple[int, ...] = ()
    denominator: int = 1
    scores: tuple[int, ...] = ()
    epsilon: Fraction = Fraction(0)
    balls: tuple[Ball, ...] = ()
    logs: NDArray[np.float64] | None = None
    error: float = 0.0

    @property
    def key(self) -> tuple[Any, ...]:
        """What laws with equal outputs have in common only when they are equal."""
        logs = self.logs.tobytes() if self.logs is not None else b""
        return (self.kind, self.numerators, self.denominator, self.scores, self.epsilon, self.balls, logs, self.error)


_ATOMS = frozenset({int, str, bytes, type(None)})


def declared(answer: Any) -> Declared:
    """Read what ``distribution`` returned.

    Raises
    ------
    NotALaw
        When it is no mapping and no :class:`~dpcheck.model.law.Law`, an output is given twice, or its probabilities are
        negative, not numbers, or do not sum to 1.

    Examples
    --------
    >>> declared({"yes": Fraction(3, 4), "no": Fraction(1, 4)}).numerators
    (3, 1)
    >>> declared({"yes": 0.75, "no": 0.2})
    Traceback (most recent call last):
    ...
    dpcheck.privacy.exact.declared.NotALaw: gives probabilities that sum to 0.95, not to 1
    """
    if isinstance(answer, Law):
        return _of_law(answer)
    if not isinstance(answer, Mapping):
        raise NotALaw(f"must return a mapping output -> probability or a Law, and returned {type(answer).__name__}")
    return _of_probabilities(_distinct(list(answer)), list(answer.values()))


def _distinct(outputs: Sequence[Any]) -> tuple[Any, ...]:
    plain = tuple(outputs) if _ATOMS.issuperset(map(type, outputs)) else tuple(map(plain_output, outputs))
    if not plain:
        raise NotALaw("gives no output")
    if len(set(plain)) < len(plain):
        place = next(i for i, output in enumerate(plain) if output in plain[:i])
        first, second = outputs[plain.index(plain[place])], outputs[place]
        if form_of(first) == form_of(second):
            raise NotALaw(f"gives output {plain[place]!r} twice")
        from dpcheck.privacy.statistics.observations import describe_answer

        one, other = (f"{describe_answer(output)} ({type(output).__name__})" for output in (first, second))
        raise NotALaw(
            f"gives {one} and {other}, which hold the same and differ in how it is packed: a law may list either for "
            "what calls give, so it must list one of them only (let the calls give one, or add what tells them apart)"
        )
    return plain


def _of_law(law: Law) -> Declared:
    outputs = _distinct(list(law.outputs))
    found: Declared | None = None
    if isinstance(law.exact, IntegerScores):
        scores = law.exact
        _one_each(outputs, scores.scores, "scores")
        found = Declared(
            "scores", outputs, numerators=scores.multiplicities, scores=scores.scores, epsilon=scores.epsilon
        )
    elif law.exact is not None:
        if not isinstance(law.exact, Sequence | np.ndarray):
            raise NotALaw(f"gives an exact form that is no sequence of probabilities but {type(law.exact).__name__}")
        found = _of_probabilities(outputs, list(law.exact))
        if found.kind == "floats":
            raise NotALaw("gives floats as its exact form, which wants Fractions, balls or IntegerScores")
    if law.log_probabilities is None:
        assert found is not None
        return found
    logs = np.asarray(law.log_probabilities, dtype=np.float64)
    _one_each(outputs, logs, "log-probabilities")
    if np.isnan(logs).any() or (logs == np.inf).any():
        place = int(np.flatnonzero(np.isnan(logs) | (logs == np.inf))[0])
        raise NotALaw(f"gives output {outputs[place]!r} the log-probability {logs[place]}")
    if found is None:
        return _of_logs(outputs, logs, float(law.error))
    apart = _largest_gap(float_logs(found)[0], logs)
    if not apart <= AGREES:
        raise NotALaw(f"gives log-probabilities that are up to {apart:.3g} nats away from its exact form")
    return found


def _largest_gap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    with np.errstate(invalid="ignore"):
        return float(np.where(one == other, 0.0, np.abs(one - other)).max())


def _one_each(outputs: Sequence[Any], values: Any, what: str) -> None:
    if np.ndim(values) != 1 or len(values) != len(outputs):
        raise NotALaw(f"gives {len(outputs)} outputs, and {what} of shape {np.shape(values)}")


def _of_probabilities(outputs: tuple[Any, ...], values: list[Any]) -> Declared:
    _one_each(outputs, values, "probabilities")
    kinds = set(map(type, values))
    if kinds != {Fraction} and kinds != {float}:
        values = [_number(output, value) for output, value in zip(outputs, values, strict=True)]
        kinds = set(map(type, values))
    if kinds == {Fraction}:
        return _of_fractions(outputs, values)
    if kinds <= {float, Fraction}:
        return _of_floats(outputs, np.array([float(value) for value in values]))
    return _of_balls(outputs, values)


def _number(output: Any, value: Any) -> Any:
    """A probability as a Fraction, a float or a ball."""
    if isinstance(value, float | np.floating):
        return float(value)
    if isinstance(value, Rational | np.integer) and not isinstance(value, bool):
        return Fraction(int(value)) if isinstance(value, np.integer) else Fraction(value)
    if type(value).__name__ == "arb":
        return value
    if type(value).__name__ == "fmpq":
        return Fraction(int(value.p), int(value.q))
    raise NotALaw(f"gives output {output!r} a probability of type {type(value).__name__}: a Fraction, arb or float")


def _of_fractions(outputs: tuple[Any, ...], values: list[Fraction]) -> Declared:
    denominator = math.lcm(*(value.denominator for value in values))
    numerators = tuple(value.numerator * (denominator // value.denominator) for value in values)
    if min(numerators) < 0:
        place = min(range(len(numerators)), key=numerators.__getitem__)
        raise NotALaw(f"gives output {outputs[place]!r} the negative probability {values[place]}")
    if sum(numerators) != denominator:
        total = Fraction(sum(numerators), denominator)
        raise NotALaw(f"gives probabilities that sum to {total} ({float(total):.12g}), not to 1")
    return Declared("fractions", outputs, numerators=numerators, denominator=denominator)


def _of_floats(outputs: tuple[Any, ...], values: NDArray[np.float64]) -> Declared:
    bad = ~(values >= 0) | (values == np.inf)
    if bad.any():
        place = int(np.flatnonzero(bad)[0])
        raise NotALaw(f"gives output {outputs[place]!r} the probability {values[place]}")
    with np.errstate(divide="ignore"):
        return _of_logs(outputs, np.log(values), FLOAT_ERROR, math.fsum(values))


def _of_logs(outputs: tuple[Any, ...], logs: NDArray[np.float64], error: float, total: float | None = None) -> Declared:
    with np.errstate(over="ignore"):
        summed = math.fsum(np.exp(logs)) if total is None else total
    if not abs(summed - 1.0) <= SUM_TOLERANCE:
        raise NotALaw(f"gives probabilities that sum to {summed:.12g}, not to 1")
    return Declared("floats", outputs, logs=logs, error=_error_with_sum(outputs, logs, error, summed - 1.0))


def _error_with_sum(outputs: tuple[Any, ...], logs: NDArray[np.float64], error: float, excess: float) -> float:
    """The error of each log-probability, widened by what a sum that is not 1 leaves open.

    Numbers p that sum to 1 + s are no law; the one that is meant, q, sums to 1. Whoever uses them divides by 1 + s,
    which moves each logarithm by |log(1 + s)|. Where the author states an error of the logarithms, that is all to be
    added. Where none is stated, all of s may stand in one cell: |q_i - p_i| <= |s|, so |log q_i - log p_i| is at most
    -log(1 - |s| / p_i), largest in the rarest cell. Probabilities that are each rounded to a double (or to the
    double of their logarithm: log k is the largest entropy) have sums so near to 1 that nothing is to be added. Sums
    that arithmetic with doubles may give refuse no law, however rare its cells are: they widen the error by at most
    what is allowed.
    """
    if abs(excess) <= EACH_ROUNDED * (1.0 + math.log(len(outputs))):
        return error
    scaling = abs(math.log1p(excess))
    if error != FLOAT_ERROR:
        return error + scaling
    possible = np.where(np.isneginf(logs), np.inf, logs)
    rarest = int(np.argmin(possible))
    share = abs(excess) * math.exp(min(-float(possible[rarest]), 700.0))
    widened = error + scaling - math.log1p(-share) if share < 1.0 else math.inf
    if abs(excess) <= SUM_ROUNDING:
        return min(widened, max(error, MOST_UNCERTAIN))
    if widened > MOST_UNCERTAIN:
        raise NotALaw(
            f"gives probabilities that sum to 1 {'+' if excess > 0 else '-'} {abs(excess):.3g}, which leaves that of "
            f"output {outputs[rarest]!r} ({math.exp(float(possible[rarest])):.3g}) uncertain by {share:.2g} of itself: "
            "divide them by their sum, give Fractions, or state their error in a Law"
        )
    return widened


def _of_balls(outputs: tuple[Any, ...], values: list[Any]) -> Declared:
    from flint import arb, fmpq

    balls = []
    total = arb(0)
    for output, value in zip(outputs, values, strict=True):
        ball = arb(fmpq(value.numerator, value.denominator)) if isinstance(value, Fraction) else arb(value)
        if not ball.is_finite():
            raise NotALaw(f"gives output {output!r} the probability {ball}")
        if ball < 0:
            raise NotALaw(f"gives output {output!r} the negative probability {ball}")
        total += ball
        balls.append(_integers_of(ball))
    if not total.contains(1):
        raise NotALaw(f"gives probabilities that sum to {total}, which does not hold 1")
    return Declared("balls", outputs, balls=tuple(balls))


def _integers_of(ball: Any) -> Ball:
    middle, radius = ball.mid().man_exp(), ball.rad().man_exp()
    return int(middle[0]), int(middle[1]), int(radius[0]), int(radius[1])


def ball_of(ball: Ball) -> Any:
    """A python-flint ``arb`` from its integers."""
    from flint import arb

    return arb((ball[0], ball[1]), (ball[2], ball[3]))


def float_logs_of_many(laws: Sequence[Declared]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """:func:`float_logs` of laws of one kind with equally many outputs: shapes (laws, k) and (laws,)."""
    kind = laws[0].kind
    if kind == "scores" and len({law.epsilon for law in laws}) == 1:
        scores, times = np.array([law.scores for law in laws]), np.array([law.numerators for law in laws])
        if scores.dtype == times.dtype == np.int64 and max(int(scores.max()), -int(scores.min())) < _SMALL:
            epsilon = laws[0].epsilon
            top = (scores.max if epsilon >= 0 else scores.min)(axis=1, keepdims=True)
            return _normalised((scores - top).astype(np.float64) * float(epsilon / 2) + np.log(times))
    if kind == "floats":
        return _normalised(np.stack([law.logs for law in laws if law.logs is not None]))
    one_by_one = [float_logs(law) for law in laws]
    return np.stack([logs for logs, _ in one_by_one]), np.array([slack for _, slack in one_by_one])


def float_logs(law: Declared) -> tuple[NDArray[np.float64], float]:
    """Normalised log-probabilities in doubles, shape (k,), and a bound on how far each is from the exact one.

    The bound: with A the largest absolute value of any logarithm on the way and k outputs, a logarithm, a sum of k
    exponentials and a difference each err by a few units in the last place of numbers of size A + log k or of
    relative size k 2^-53; so (8 A + k + 16) 2^-52 leaves a factor of more than two. Balls add their own radius.
    """
    if law.kind == "fractions":
        # the quotient of two integers of any size is rounded correctly; where it is too small for that, logarithms
        # are subtracted, and the larger of them counts
        quotients = np.array([numerator / law.denominator for numerator in law.numerators])
        small = quotients < _LEAST_QUOTIENT
        with np.errstate(divide="ignore"):
            logs = np.log(quotients)
        if not small.any():
            return logs, float(_rounding(logs, logs))
        whole = math.log(law.denominator)
        numerators = [law.numerators[place] for place in np.flatnonzero(small)]
        logs[small] = [math.log(number) - whole if number > 0 else -math.inf for number in numerators]
        return logs, float(_rounding(logs, np.array([whole])))
    if law.kind == "balls":
        logs, radius = _logs_of_balls(law.balls)
        return logs, float(_rounding(logs, logs)) + radius
    if law.kind == "scores":
        top = max(law.scores) if law.epsilon >= 0 else min(law.scores)
        steps = np.array([float(score - top) for score in law.scores]) * float(law.epsilon / 2)
        # math.log takes integers of any size
        logs, slack = _normalised(steps + np.array([math.log(times) for times in law.numerators]))
    else:
        assert law.logs is not None
        logs, slack = _normalised(law.logs)
    return logs, float(slack)


def _rounding(logs: NDArray[np.float64], before: NDArray[np.float64]) -> NDArray[np.float64]:
    """The bound of :func:`float_logs`, over the last axis: ``before`` are logarithms met on the way."""
    largest = np.maximum(_largest(logs), _largest(before))
    return np.asarray((8.0 * largest + logs.shape[-1] + 16.0) * 2.0**-52)


def _largest(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.abs(np.where(np.isfinite(logs), logs, 0.0)).max(axis=-1))


def _normalised(logs: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Logarithms of weights as log-probabilities, over the last axis, with their rounding."""
    shifted = logs - logs.max(axis=-1, keepdims=True)
    found: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return found, _rounding(found, logs)


def _logs_of_balls(balls: Sequence[Ball]) -> tuple[NDArray[np.float64], float]:
    from flint import ctx

    logs, radius = [], 0.0
    with ctx.workprec(128):
        for integers in balls:
            ball = ball_of(integers)
            if ball == 0:
                logs.append(-math.inf)
            elif ball > 0:
                log = ball.log()
                logs.append(float(log.mid()))
                radius = max(radius, float(log.rad()))
            else:  # it may be 0: nothing is known of its logarithm
                logs.append(float(abs(ball).upper().log().mid()))
                radius = math.inf
    return np.array(logs), radius
