"""The sample sizes of Alon, Bassily and Moran (2019) with explicit constants, each a `Bound` with its derivation.

The paper states its sizes up to constants. Here every constant is written out and derived in words; where a form
"any constant times what the paper prints" is given, it holds on the stated part of the domain only. Logarithms are
natural. In the paper's letters alpha is the accuracy (excess error), beta the failure probability, d the VC
dimension, eps the privacy parameter.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import sympy

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.bounds import Bound, Enclosure, Range, Value, exact_number, symbol, value_of

_ALPHA, _BETA, _EPSILON = symbol("accuracy"), symbol("failure"), symbol("epsilon")
_VC, _PUBLIC, _PRIVATE, _COVER = symbol("vc"), symbol("public"), symbol("private"), symbol("cover")
_HYPOTHESES, _POINTS, _BITS, _SLACK = symbol("hypotheses"), symbol("points"), symbol("bits"), symbol("slack")

_UNIT = Range(Fraction(0), Fraction(1))
_UP_TO_HALF = Range(Fraction(0), Fraction(1, 2), high_open=False)
_POSITIVE = Range(Fraction(0), None)
_COUNT = Range.integers(1)

_ACCURACY = {"accuracy": _UNIT, "failure": _UNIT, "vc": _COUNT}
_LETTERS = {"alpha": "accuracy", "beta": "failure", "d": "vc"}
_PUBLIC_LETTERS = {**_LETTERS, "n_pub": "public"}
_PRIVATE_LETTERS = {"alpha": "accuracy", "beta": "failure", "eps": "epsilon", "n_priv": "private"}

#: d log(1/alpha) + log(1/beta), the quantity in which the paper prints its upper bounds.
_PRINTED = _VC * sympy.log(1 / _ALPHA) + sympy.log(1 / _BETA)

COVER_FAILURE = Bound(
    source="alon2019:lem-3.3-eq1",
    size="failure",
    sense="sufficient",
    expression=2 * (2 * sympy.E * _PUBLIC / _VC) ** (2 * _VC) * sympy.exp(-_ALPHA * _PUBLIC / 4),
    domain={"failure": _POSITIVE, "accuracy": _UNIT, "public": _COUNT, "vc": _COUNT},
    conditions=(sympy.Ge(2 * _PUBLIC, _VC),),
    derivation="the right side of (1) as printed: a double sample of 2 n_pub points, the growth function of the "
    "symmetric differences at most the square of that of the class, and Sauer's lemma at 2 n_pub points, which needs "
    "2 n_pub >= d",
    letters=_PUBLIC_LETTERS,
)
"""The probability that the public sample leaves some pair of hypotheses apart: at most the right side of (1)."""

COVER_PUBLIC_TIGHT = dataclasses.replace(
    COVER_FAILURE,
    conditions=(sympy.Ge(_ALPHA * _PUBLIC, 8 * _VC),),
    derivation="the right side of (1), from n_pub = 8 d/alpha on, where it falls as n_pub grows (the derivative of "
    "its logarithm is 2 d/n_pub - alpha/4); solve it for public: the least n_pub >= 8 d/alpha at which it is <= beta",
)
"""(1) on the sizes where it falls: ``solve(..., for_="public")`` is the tightest public size that (1) gives."""

COVER_PUBLIC = Bound(
    source="alon2019:lem-3.3",
    size="public",
    sense="sufficient",
    expression=8 / _ALPHA * (2 * _VC * sympy.log(32 / _ALPHA) + sympy.log(2 / _BETA)),
    domain={"public": _COUNT, **_ACCURACY},
    derivation="(1) <= beta: log u <= c u - log c - 1 at u = 2 e n/d, c = alpha/(32 e) gives 2 d log(2 e n/d) <= "
    "alpha n/8 + 2 d log(32/alpha), which leaves log 2 + 2 d log(32/alpha) - alpha n/8 <= log beta",
    letters=_PUBLIC_LETTERS,
)
"""The public sample after which the dichotomies' representatives are an accuracy-cover."""

COVER_PUBLIC_PRINTED = Bound(
    source="alon2019:lem-3.3",
    size="public",
    sense="sufficient",
    expression=105 * _PRINTED / _ALPHA,
    domain={"public": _COUNT, **_ACCURACY, "accuracy": _UP_TO_HALF},
    derivation="from the form for all alpha, as alpha <= 1/2: log(32/alpha) <= 6 log(1/alpha) and log 2 <= "
    "d log(1/alpha) give 8 (12 + 1) = 104, and 1 more for rounding up, as d log(1/alpha)/alpha >= 1",
    letters=_PUBLIC_LETTERS,
)
"""The same in the form the paper prints, for an accuracy of at most 1/2."""

PUBLIC = Bound(
    source="alon2019:thm-3.1",
    size="public",
    sense="sufficient",
    expression=16 / _ALPHA * (2 * _VC * sympy.log(64 / _ALPHA) + sympy.log(4 / _BETA)),
    domain={"public": _COUNT, **_ACCURACY},
    derivation="lemma 3.3 at (alpha/2, beta/2): half of the excess and half of the failure go to the cover",
    letters=_PUBLIC_LETTERS,
)
"""The public sample of the semi-supervised semi-private learner."""

PUBLIC_PRINTED = Bound(
    source="alon2019:thm-3.1",
    size="public",
    sense="sufficient",
    expression=257 * _PRINTED / _ALPHA,
    domain={"public": _COUNT, **_ACCURACY, "accuracy": _UP_TO_HALF},
    derivation="from the form for all alpha, as alpha <= 1/2: log(64/alpha) <= 7 log(1/alpha) and log 4 <= "
    "2 d log(1/alpha) give 16 (14 + 2) = 256, and 1 more for rounding up",
    letters=_PUBLIC_LETTERS,
)
"""The same in the form the paper prints, for an accuracy of at most 1/2."""

GENERIC = Bound(
    source="alon2019:thm-kln",
    size="private",
    sense="sufficient",
    expression=sympy.Max(
        8 * sympy.log(4 * _HYPOTHESES / _BETA) / _ALPHA**2, 4 * sympy.log(2 * _HYPOTHESES / _BETA) / (_EPSILON * _ALPHA)
    ),
    domain={"private": _COUNT, "accuracy": _UNIT, "failure": _UNIT, "epsilon": _POSITIVE, "hypotheses": _COUNT},
    derivation="Hoeffding at alpha/4, two-sided, over all hypotheses: 2 #F exp(-n alpha^2/8) <= beta/2; the "
    "exponential mechanism's tail, empirical error above the least by alpha/2: #F exp(-eps n alpha/4) <= beta/2",
    letters={**_PRIVATE_LETTERS, "F": "hypotheses"},
)
"""The private sample of the generic learner over a finite class (the exponential mechanism on mistakes)."""

_TWO_TERMS = {
    "private": _COUNT,
    "accuracy": _UNIT,
    "failure": _UNIT,
    "epsilon": _POSITIVE,
}

PRIVATE = Bound(
    source="alon2019:thm-3.1",
    size="private",
    sense="sufficient",
    expression=sympy.Max(
        32 * sympy.log(8 * _COVER / _BETA) / _ALPHA**2, 8 * sympy.log(4 * _COVER / _BETA) / (_EPSILON * _ALPHA)
    ),
    domain={**_TWO_TERMS, "cover": _COUNT},
    derivation="the generic learner's size at (alpha/2, beta/2) over the cover, whose size is exact: the number of "
    "dichotomies of the distinct public points",
    letters={**_PRIVATE_LETTERS, "Htilde": "cover"},
)
"""The private sample of the semi-private learner, by the exact size of its cover."""

_LOG_SAUER = _VC * (1 + sympy.log(_PUBLIC / _VC))

PRIVATE_SAUER = Bound(
    source="alon2019:thm-3.1",
    size="private",
    sense="sufficient",
    expression=sympy.Max(
        32 * (sympy.log(8 / _BETA) + _LOG_SAUER) / _ALPHA**2,
        8 * (sympy.log(4 / _BETA) + _LOG_SAUER) / (_EPSILON * _ALPHA),
    ),
    domain={**_TWO_TERMS, "vc": _COUNT, "public": _COUNT},
    conditions=(sympy.Ge(_PUBLIC, _VC),),
    derivation="the same with the cover's size at most (e n_pub/d)^d, by Sauer's lemma, which needs n_pub >= d",
    letters={**_PRIVATE_LETTERS, "d": "vc", "n_pub": "public"},
)
"""The private sample of the semi-private learner, by the size of its public sample."""

PRIVATE_PRINTED = Bound(
    source="alon2019:thm-3.1",
    size="private",
    sense="sufficient",
    expression=420 * _PRINTED * sympy.Max(1 / _ALPHA**2, 1 / (_EPSILON * _ALPHA)),
    domain={**_TWO_TERMS, "accuracy": _UP_TO_HALF, "vc": _COUNT},
    derivation="for alpha <= 1/2 and n_pub = ceil(257 (d log(1/alpha) + log(1/beta))/alpha), no larger: then "
    "log(e n_pub/d) d <= 10.01 d log(1/alpha) + log(1/beta), log 8 <= 3 d log(1/alpha), and 32 (10.01 + 3) = 416.4",
    letters={**_PRIVATE_LETTERS, "d": "vc"},
)
"""The same in the form the paper prints, for an accuracy of at most 1/2 and the public size of `PUBLIC_PRINTED`."""

REDUCED = Bound(
    source="alon2019:lem-4.4",
    size="n",
    sense="sufficient",
    expression=_PRIVATE / (10 * _PUBLIC),
    domain={"n": _COUNT, "private": _COUNT, "public": _COUNT},
    derivation="as printed: ntilde = ceil(n_priv/(10 n_pub)), with p = 1/(100 n_pub); whether this many suffice is "
    "what the proof of claim 4.6 is about",
    letters={"ntilde": "n", "n_priv": "private", "n_pub": "public"},
)
"""The sample of the private learner that lemma 4.4 makes of a semi-private one."""

PUBLIC_NECESSARY = Bound(
    source="alon2019:thm-4.1",
    size="public",
    sense="necessary",
    expression=1 / (1600 * _ALPHA),
    domain={
        "public": Range.integers(0),
        "accuracy": Range(Fraction(0), Fraction(1, 16), high_open=False),
        "failure": Range(Fraction(0), Fraction(1, 18), high_open=False),
    },
    derivation="lemma 4.4 (for alpha <= 1/100) makes a (100 n_pub alpha, 1/16)-private learner, which theorem 4.3 "
    "forbids unless 100 n_pub alpha > 1/16; for alpha in (1/100, 1/16] it says only n_pub >= 1, and n_pub = 0 is what "
    "theorem 4.3 forbids itself; beyond 1/16 nothing is shown. It rests on lemma 4.4 as stated",
    letters={"alpha": "accuracy", "beta": "failure", "n_pub": "public"},
    strict=True,
)
"""The public sample every semi-private learner of a class of infinite Littlestone dimension needs."""

PUBLIC_NECESSARY_PURE = dataclasses.replace(
    PUBLIC_NECESSARY,
    source="alon2019:thm-4.2",
    derivation="as for theorem 4.1, with the pure learners that lemmas 2.5 and 2.6 forbid, at (1/16, 1/16, 0.1), when "
    "the class has no pure private learner; the theorem says any alpha > 0, the derivation covers alpha <= 1/16",
)
"""The public sample every pure semi-private learner needs, of a class that no pure private learner learns."""

PROPER_PACKING = Bound(
    source="alon2019:thm-4.3",
    size="n",
    sense="necessary",
    expression=sympy.log((_POINTS - 2) * (1 - _BETA) / _BETA) / _EPSILON,
    domain={
        "n": _COUNT,
        "points": Range.integers(3),
        "accuracy": Range(Fraction(0), Fraction(1, 2)),
        "failure": _UNIT,
        "epsilon": _POSITIVE,
    },
    derivation="a finite form for pure privacy (the theorem is about infinite classes): on D_t, uniform on {t-1, t}, "
    "only h_t has error below 1/2; beta >= Pr[A(S_1) is some h_t, t = 2..N-1] >= (N-2) exp(-eps n) (1 - beta)",
    letters={"beta": "failure", "eps": "epsilon", "N": "points"},
)
"""The sample every pure, proper private learner of thresholds on N points needs (accuracy below 1/2)."""

_MISTAKES = _ALPHA + _SLACK
_ENTROPY = -(_MISTAKES * sympy.log(_MISTAKES) + (1 - _MISTAKES) * sympy.log(1 - _MISTAKES)) / sympy.log(2)

IMPROPER_PACKING = Bound(
    source="alon2019:thm-4.3",
    size="n",
    sense="necessary",
    expression=sympy.log((2 ** ((1 - _ENTROPY) * _BITS) - 1) * (1 - _BETA) / sympy.log(1 / _SLACK)) / _EPSILON,
    domain={
        "n": _COUNT,
        "accuracy": _UP_TO_HALF,
        "failure": _UNIT,
        "epsilon": _POSITIVE,
        "bits": _COUNT,
        "slack": _UNIT,
    },
    conditions=(sympy.Gt(1, 2 * _ALPHA + 2 * _SLACK),),
    derivation="a finite form for pure privacy: a run on a fixed input is good with probability at least "
    "(1-beta) exp(-eps n), so R = ceil(exp(eps n) log(1/b)/(1-beta)) of them represent the class except "
    "with probability b; one-way augmented index on L bits then needs log2 R >= (1 - H2(alpha + b)) L. "
    "True for every b (the slack)",
    letters={"alpha": "accuracy", "beta": "failure", "eps": "epsilon", "L": "bits", "b": "slack"},
)
"""The sample every pure private learner of thresholds on 2^L points needs, proper or not.

It can be solved for bits, epsilon and failure; for the accuracy its monotonicity is not shown, and in the slack there
is none: see `best_slack`.
"""

COMPOSED = Bound(
    source="alon2019:lem-4.4",
    size="private",
    sense="necessary",
    expression=10 * _PUBLIC * (PROPER_PACKING.expression.subs(_BETA, sympy.Rational(1, 16)) - 1),
    domain={
        "private": _COUNT,
        "public": _COUNT,
        "accuracy": Range(Fraction(0), Fraction(1, 100), high_open=False),
        "failure": Range(Fraction(0), Fraction(1, 18), high_open=False),
        "epsilon": _POSITIVE,
        "points": Range.integers(3),
    },
    conditions=(sympy.Gt(1, 200 * _PUBLIC * _ALPHA),),
    derivation="lemma 4.4 makes of a pure, proper semi-private learner a pure, proper private one at (100 n_pub alpha, "
    "1/16) with ceil(n_priv/(10 n_pub)) examples; 100 n_pub alpha < 1/2, so the packing bound holds for it. It rests "
    "on lemma 4.4 as stated",
    letters={
        "alpha": "accuracy",
        "beta": "failure",
        "eps": "epsilon",
        "N": "points",
        "n_priv": "private",
        "n_pub": "public",
    },
    strict=True,
)
"""The private sample every pure, proper semi-private learner of thresholds needs while its public one is small."""

BOUNDS: Mapping[str, Bound] = MappingProxyType(
    {
        "cover_failure": COVER_FAILURE,
        "cover_public": COVER_PUBLIC,
        "cover_public_printed": COVER_PUBLIC_PRINTED,
        "cover_public_tight": COVER_PUBLIC_TIGHT,
        "public": PUBLIC,
        "public_printed": PUBLIC_PRINTED,
        "generic": GENERIC,
        "private": PRIVATE,
        "private_sauer": PRIVATE_SAUER,
        "private_printed": PRIVATE_PRINTED,
        "reduced": REDUCED,
        "public_necessary": PUBLIC_NECESSARY,
        "public_necessary_pure": PUBLIC_NECESSARY_PURE,
        "proper_packing": PROPER_PACKING,
        "improper_packing": IMPROPER_PACKING,
        "composed": COMPOSED,
    }
)
"""All of them by name."""


def best_slack(
    *, accuracy: Value, failure: Value, epsilon: Value, bits: int, digits: int = 30
) -> tuple[Fraction, Enclosure]:
    """The slack at which `IMPROPER_PACKING` asks for most, and what it asks for there.

    The bound holds for every slack, so the search for the best need not be rigorous; the value at the slack it
    settles on is.

    Raises
    ------
    InvalidArgument
        As `dpcheck.proof.bounds.evaluate`.

    Examples
    --------
    >>> slack, needed = best_slack(accuracy="1/16", failure="1/16", epsilon="0.1", bits=20)
    >>> round(float(slack), 3), round(float(needed), 1)
    (0.003, 72.0)
    """

    def needed(exponent: float) -> Enclosure:
        slack = Fraction(float.__repr__(float(f"{math.exp(exponent):.6g}")))
        return value_of(
            IMPROPER_PACKING,
            accuracy=accuracy,
            failure=failure,
            epsilon=epsilon,
            bits=bits,
            slack=slack,
            digits=digits,
        )

    room = 0.5 - float(exact_number("accuracy", accuracy))
    if room <= 0:
        raise InvalidArgument(f"accuracy must be below 1/2, got {accuracy}")
    low, high = math.log(room) - 40, math.log(room * 0.999)
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(60):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if needed(left).low < needed(right).low:
            low = left
        else:
            high = right
    best = Fraction(float.__repr__(float(f"{math.exp((low + high) / 2):.6g}")))
    return best, needed((low + high) / 2)
