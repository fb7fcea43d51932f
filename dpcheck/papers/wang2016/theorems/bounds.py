"""The rates of Wang, Lei and Fienberg (2016) with explicit constants, each a `Bound` on the accuracy, derived.

Logarithms are natural. In the paper's letters n is the sample size, eps the privacy parameter, K and rho those of
assumption A2 (the base measure of all hypotheses over that of the good ones is at most K t^-rho), zeta the supremum of
the regulariser, delta the failure probability, M the bits of a hypothesis. A bound here says: the expected excess risk
is at most so much.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import sympy

from dpcheck.proof.bounds import Bound, Range, symbol

_N, _EPSILON, _VOLUME, _EXPONENT = symbol("n"), symbol("epsilon"), symbol("volume"), symbol("exponent")
_REGULARISER, _BITS, _FAILURE = symbol("regulariser"), symbol("bits"), symbol("failure")

_POSITIVE = Range(Fraction(0), None)
_SIZES = {"accuracy": _POSITIVE, "n": Range.integers(3), "epsilon": Range(Fraction(0), Fraction(1), high_open=False)}

EXCESS = Bound(
    source="wang2016:thm-19",
    size="accuracy",
    sense="sufficient",
    expression=9 * ((_EXPONENT + 2) * sympy.log(_N) + sympy.log(_VOLUME)) / (_N * _EPSILON)
    + 2 * _REGULARISER
    + 2 * _EPSILON,
    domain={
        **_SIZES,
        "volume": Range(Fraction(1), None, low_open=False),
        "exponent": Range(Fraction(0), None, low_open=False),
        "regulariser": Range(Fraction(0), None, low_open=False),
    },
    derivation="(11) with twice the supremum of the regulariser (printed once), for eps <= 1 < log n and n > max(n_0, "
    "1/t_0); the last term is the stability exp(eps) - 1 <= 2 eps",
    letters={"eps": "epsilon", "K": "volume", "rho": "exponent", "zeta": "regulariser"},
)
"""The expected excess risk of the exponential mechanism for regularised empirical risk."""

BITS = Bound(
    source="wang2016:ex-20",
    size="accuracy",
    sense="sufficient",
    expression=9 * (2 * sympy.log(_N) + _BITS * sympy.log(2)) / (_N * _EPSILON) + 2 * _EPSILON,
    domain={**_SIZES, "bits": Range.integers(1)},
    derivation="theorem 19 with 2^M hypotheses: K = 2^M, rho = 0, no regulariser",
    letters={"eps": "epsilon", "M": "bits"},
)
"""The expected excess risk over hypotheses of M bits."""

CONFIDENCE = Bound(
    source="wang2016:thm-25",
    size="accuracy",
    sense="sufficient",
    expression=54 * sympy.log(3 / _FAILURE) / sympy.sqrt(_N),
    domain={"accuracy": _POSITIVE, "n": Range.integers(3), "failure": Range(Fraction(0), Fraction(1))},
    derivation="what boosting adds to e xi(m), m = floor(n/(a + 1)), a = ceil(log(3/delta)), with probability at least "
    "1 - delta, for n >= a + 1 (printed: C sqrt(log(3/delta)/n), which fails for every C)",
    letters={"delta": "failure"},
)
"""What high confidence costs on top of the learner's rate."""

BOUNDS: Mapping[str, Bound] = MappingProxyType({"excess": EXCESS, "bits": BITS, "confidence": CONFIDENCE})
"""All of them by name."""
