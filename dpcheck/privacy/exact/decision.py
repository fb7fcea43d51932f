"""One pair of laws against a claim, decided: it holds, it is violated, or the two are equal to within 2^-k.

Laws in fractions and with integer scores become polynomials in t = exp(unit) with integer coefficients, and every
question about them is decided. Balls decide unless they are too wide. Floats are taken as the exact doubles they are
and the claim is widened by their stated error: a violation must exceed it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from dpcheck.model.claims import ExactPoint
from dpcheck.privacy.exact.declared import Declared, ball_of, float_logs
from dpcheck.privacy.exact.polynomials import Polynomial, Undecided, combined, product, sign, unit_of

Answer = Literal["holds", "violated", "equal"]

#: Bits of the enclosures in which doubles are compared with a claim widened by their error: far below that error.
FLOAT_BITS = 256
#: k where the two are equal as far as anything can tell.
_MOST_WIDTH = 1 << 20
#: Fractions of more characters are shown as decimals.
LONGEST_FRACTION = 24
#: Bits of the enclosures in which losses are computed to be shown.
SHOWN_BITS = 256


@dataclass(frozen=True)
class Decision:
    """The answer about one pair; ``bits`` is k where the answer is "equal" (to within 2^-k)."""

    answer: Answer
    bits: int = 0


@dataclass(frozen=True, eq=False)
class TwoLaws:
    """Two laws on common outputs: for each output its place in the first and in the second law, or None."""

    left: Declared
    right: Declared
    places: tuple[tuple[int | None, int | None], ...]

    @staticmethod
    def of(left: Declared, right: Declared, only: Collection[Any] | None = None) -> TwoLaws:
        """Two laws put side by side; with ``only`` some outputs (under a pure claim each speaks for itself)."""
        one = {output: place for place, output in enumerate(left.outputs)}
        other = {output: place for place, output in enumerate(right.outputs)}
        outputs = dict.fromkeys([*one, *other]) if only is None else dict.fromkeys(only)
        return TwoLaws(left, right, tuple((one.get(o), other.get(o)) for o in outputs))

    @property
    def arithmetic(self) -> str:
        """How questions about them are decided, in words."""
        kinds = {self.left.kind, self.right.kind}
        if "floats" in kinds:
            return f"floats, with a slack of {error_text(self.error)}"
        if "balls" in kinds:
            return "balls"
        return "polynomials in t = exp(rational)" if "scores" in kinds else "fractions"

    @property
    def error(self) -> float:
        """By how much the logarithm of a ratio may be off, as stated by the laws' author."""
        return self.left.error + self.right.error


def error_text(error: float) -> str:
    """A slack in words.

    >>> error_text(2**-40), error_text(1e-9)
    ('2^-40', '1e-09')
    """
    mantissa, exponent = math.frexp(error)
    return f"2^{exponent - 1}" if mantissa == 0.5 else f"{error:.3g}"


def decide(laws: TwoLaws, point: ExactPoint, bits: int = FLOAT_BITS) -> Decision:
    """Whether two laws keep a claim in both directions.

    Parameters
    ----------
    laws : TwoLaws
    point : ExactPoint
        What is claimed.
    bits : int
        Precision of the enclosures where laws are balls.

    Examples
    --------
    >>> from dpcheck.model.claims import PureDP, exact_point
    >>> from dpcheck.privacy.exact.declared import declared
    >>> one = declared({"a": Fraction(3, 4), "b": Fraction(1, 4)})
    >>> other = declared({"a": Fraction(1, 4), "b": Fraction(3, 4)})
    >>> decide(TwoLaws.of(one, other), exact_point(PureDP(ratio=3))).answer
    'holds'
    >>> decide(TwoLaws.of(one, other), exact_point(PureDP(1.0986))).answer
    'violated'
    """
    if {laws.left.kind, laws.right.kind} <= {"fractions", "scores"}:
        try:
            return Decision("holds" if _symbolic(laws, point) <= 0 else "violated")
        except Undecided:
            pass
    return _in_balls(laws, point, bits)


# --- polynomials


@dataclass(frozen=True, eq=False)
class _Weights:
    """Probabilities as integer multiples of powers of t over a common total."""

    powers: tuple[int, ...]
    numerators: tuple[int, ...]
    total: Polynomial

    def term(self, place: int | None) -> tuple[int, int]:
        """Coefficient and exponent of one output's weight."""
        return (0, 0) if place is None else (self.numerators[place], self.powers[place])


def _weights(law: Declared, unit: Fraction) -> _Weights:
    if law.kind == "fractions":
        return _Weights((0,) * len(law.numerators), law.numerators, {0: law.denominator})
    step = law.epsilon / 2 / unit if unit else Fraction(0)
    powers = tuple(int(step * score) for score in law.scores)
    total: Polynomial = {}
    for power, numerator in zip(powers, law.numerators, strict=True):
        total[power] = total.get(power, 0) + numerator
    return _Weights(powers, law.numerators, total)


def _symbolic(laws: TwoLaws, point: ExactPoint) -> int:
    """The sign of the largest violation in both directions: 1 when there is one."""
    claimed = Fraction(0) if point.ratio is not None else point.epsilon
    halves = [law.epsilon / 2 for law in (laws.left, laws.right) if law.kind == "scores"]
    unit = unit_of([claimed, *halves])
    one, other = _weights(laws.left, unit), _weights(laws.right, unit)
    power = int(claimed / unit) if unit else 0
    ratio = point.ratio if point.ratio is not None else Fraction(1)
    worst = -1
    for first, second, forward in ((one, other, True), (other, one, False)):
        places = laws.places if forward else tuple((b, a) for a, b in laws.places)
        worst = max(worst, _one_way(first, second, places, (ratio, power), point.delta, unit))
        if worst > 0:
            break
    return worst


def _one_way(
    first: _Weights,
    second: _Weights,
    places: Sequence[tuple[int | None, int | None]],
    claimed: tuple[Fraction, int],
    delta: Fraction,
    unit: Fraction,
) -> int:
    ratio, power = claimed
    excess: list[tuple[int, int, Polynomial]] = []
    for a, b in places:
        weight, exponent = first.term(a)
        if weight == 0:
            continue
        theirs, their_exponent = second.term(b)
        # p - E p' times the common denominator of everything
        parts = (
            (ratio.denominator * weight, exponent, second.total),
            (-ratio.numerator * theirs, their_exponent + power, first.total),
        )
        if sign(combined(*parts), unit) > 0:
            if delta == 0:
                return 1
            excess += parts
    if not excess:
        return -1 if delta > 0 else 0
    allowed = product(first.total, second.total)
    scaled = [(delta.denominator * c, e, p) for c, e, p in excess]
    return sign(combined(*scaled, (-delta.numerator * ratio.denominator, 0, allowed)), unit)


# --- balls


def probabilities(law: Declared) -> list[Any]:
    """A law's probabilities as balls at the precision of the moment; floats as the exact doubles, normalised."""
    from flint import arb, fmpq

    if law.kind == "fractions":
        return [arb(fmpq(numerator, law.denominator)) for numerator in law.numerators]
    if law.kind == "balls":
        return [ball_of(ball) for ball in law.balls]
    if law.kind == "scores":
        half, top = law.epsilon / 2, max(law.scores) if law.epsilon >= 0 else min(law.scores)
        steps = [half * (score - top) for score in law.scores]
        weights = [
            times * arb(fmpq(step.numerator, step.denominator)).exp()
            for times, step in zip(law.numerators, steps, strict=True)
        ]
    else:
        assert law.logs is not None
        largest = float(law.logs.max())
        weights = [arb(0) if math.isinf(log) else (arb(log) - arb(largest)).exp() for log in map(float, law.logs)]
    total = sum(weights, arb(0))
    return [weight / total for weight in weights]


def _both(laws: TwoLaws) -> tuple[list[Any], list[Any]]:
    from flint import arb

    one, other = probabilities(laws.left), probabilities(laws.right)
    return (
        [one[a] if a is not None else arb(0) for a, _ in laws.places],
        [other[b] if b is not None else arb(0) for _, b in laws.places],
    )


def _in_balls(laws: TwoLaws, point: ExactPoint, bits: int) -> Decision:
    from flint import arb, ctx, fmpq

    bits = max(bits, FLOAT_BITS)
    with ctx.workprec(bits):
        if point.ratio is not None:
            base = arb(fmpq(point.ratio.numerator, point.ratio.denominator))
        else:
            base = arb(fmpq(point.epsilon.numerator, point.epsilon.denominator)).exp()
        delta = arb(fmpq(point.delta.numerator, point.delta.denominator))
        one, other = _both(laws)
        error = arb(laws.error)
        found = _against(one, other, base * error.exp(), delta * arb(laws.error).exp())
        if laws.error == 0 or found == "violated":
            return Decision(found, _width(one, other, base, delta) if found == "equal" else 0)
        # not more than the error above the claim: is it also more than the error below?
        if _against(one, other, base * (-error).exp(), delta * (-error).exp()) == "holds":
            return Decision("holds")
        return Decision("equal", max(0, -math.frexp(laws.error)[1] + 1))


def _against(one: list[Any], other: list[Any], ratio: Any, delta: Any) -> Answer:
    answers = {_one_way_in_balls(first, second, ratio, delta) for first, second in ((one, other), (other, one))}
    return "violated" if "violated" in answers else "equal" if "equal" in answers else "holds"


def _one_way_in_balls(first: list[Any], second: list[Any], ratio: Any, delta: Any) -> Answer:
    from flint import arb

    excess = [p - ratio * q for p, q in zip(first, second, strict=True)]
    if delta == 0:
        return "violated" if any(e > 0 for e in excess) else "holds" if all(e <= 0 for e in excess) else "equal"
    total = sum((arb.max(e, arb(0)) for e in excess), arb(0)) - delta
    return "violated" if total > 0 else "holds" if total <= 0 else "equal"


def _width(one: list[Any], other: list[Any], ratio: Any, delta: Any) -> int:
    """k such that what is compared with the claim is within 2^-k of it: the loss in nats, or delta."""
    from flint import arb

    gaps = []
    for first, second in ((one, other), (other, one)):
        excess = [p - ratio * q for p, q in zip(first, second, strict=True)]
        if delta == 0:
            gaps += [(p / (ratio * q)).log() for p, q, e in zip(first, second, excess, strict=True) if e.contains(0)]
        else:
            total = sum((arb.max(e, arb(0)) for e in excess), arb(0)) - delta
            gaps += [total] if total.contains(0) else []
    widths = [gap.abs_upper() for gap in gaps]
    if not widths or not all(width.is_finite() for width in widths):
        return 0
    widest = max((float(width.log().upper()) for width in widths if width > 0), default=-math.inf)
    return _MOST_WIDTH if math.isinf(widest) else max(0, math.floor(-widest / math.log(2.0)))


# --- what is shown


def epsilon_of(laws: TwoLaws, delta: Fraction) -> float:
    """The smallest epsilon of two laws at this delta, both ways, to the last bits of a double; ``inf`` if none.

    ``log max_S (P(S) - delta) / P'(S)``; the best S hold the outputs of largest ratio.
    """
    from flint import arb, ctx, fmpq

    with ctx.workprec(SHOWN_BITS):
        one, other = _both(laws)
        charge = arb(fmpq(delta.numerator, delta.denominator))
        best: Any = arb(0)
        for first, second in ((one, other), (other, one)):
            rows = sorted(zip(first, second, strict=True), key=_falling)
            above, below = -charge, arb(0)
            for p, q in rows:
                above, below = above + p, below + q
                if below == 0:
                    if above > 0:
                        return math.inf
                    continue
                needed = above / below
                if above > 0 and needed.is_finite() and needed.mid() > best.mid():
                    best = needed
        return max(0.0, float(best.log().mid())) if best > 0 else 0.0


def _falling(row: tuple[Any, Any]) -> float:
    p, q = row
    if p == 0:
        return math.inf
    return -math.inf if q == 0 else -float((p / q).mid().log().mid())


def delta_of(laws: TwoLaws, point: ExactPoint) -> float:
    """The larger of the two ``sum (p - e^epsilon p')_+``, to the last bits of a double."""
    from flint import arb, ctx, fmpq

    with ctx.workprec(SHOWN_BITS):
        if point.ratio is not None:
            ratio = arb(fmpq(point.ratio.numerator, point.ratio.denominator))
        else:
            ratio = arb(fmpq(point.epsilon.numerator, point.epsilon.denominator)).exp()
        one, other = _both(laws)
        found = 0.0
        for first, second in ((one, other), (other, one)):
            total = sum((arb.max(p - ratio * q, arb(0)) for p, q in zip(first, second, strict=True)), arb(0))
            found = max(found, float(total.mid()))
        return found


def event_of(laws: TwoLaws, point: ExactPoint) -> list[Any]:
    """The event that shows the most: under a pure claim the output of largest ratio, else all with ``p > e^eps p'``."""
    (one, _), (other, _) = float_logs(laws.left), float_logs(laws.right)
    outputs = list(dict.fromkeys([*laws.left.outputs, *laws.right.outputs]))
    by_left = dict(zip(laws.left.outputs, one.tolist(), strict=True))
    by_right = dict(zip(laws.right.outputs, other.tolist(), strict=True))
    gaps = {}
    for output in outputs:
        p, q = by_left.get(output, -math.inf), by_right.get(output, -math.inf)
        gaps[output] = 0.0 if p == q else p - q
    if point.delta == 0:
        return [max(outputs, key=lambda output: abs(gaps[output]))]
    epsilon = point.nats
    sides: list[tuple[float, list[Any]]] = []
    for sign_of, mine, theirs in ((1.0, by_left, by_right), (-1.0, by_right, by_left)):
        event = [output for output in outputs if sign_of * gaps[output] > epsilon]
        excess = [math.exp(mine[o]) - math.exp(min(0.0, epsilon + theirs.get(o, -math.inf))) for o in event]
        sides.append((math.fsum(excess), event))
    best = max(sides, key=lambda side: side[0])[1]
    return best or [max(outputs, key=lambda output: abs(gaps[output]))]


def shown_probability(law: Declared, event: Sequence[Any]) -> str:
    """The declared probability of an event as a person reads it: a fraction as it is, else to 6 digits.

    >>> from dpcheck.privacy.exact.declared import declared
    >>> law = declared({"a": Fraction(1, 3), "b": Fraction(2, 3)})
    >>> shown_probability(law, ["a"]), shown_probability(law, ["a", "b"]), shown_probability(law, ["c"])
    ('1/3', '1', '0')
    """
    places = [place for place, output in enumerate(law.outputs) if output in set(event)]
    if not places:
        return "0"
    if law.kind == "fractions":
        text = str(Fraction(sum(law.numerators[place] for place in places), law.denominator))
        if len(text) <= LONGEST_FRACTION:
            return text
    from flint import arb, ctx

    with ctx.workprec(SHOWN_BITS):
        chances = probabilities(law)
        return str(sum((chances[place] for place in places), arb(0)).mid().str(6, radius=False))
