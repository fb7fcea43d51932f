"""The sample sizes of Chaudhuri and Hsu (2011) with explicit constants, each a `Bound` with its derivation.

The paper states its sizes up to a universal constant; here it is written out, on the stated part of the domain.
Logarithms are natural. In the paper's letters alpha is the privacy parameter, eps the accuracy, delta the failure
probability, kappa the smoothness of the data's distribution, d_U a doubling dimension, V the VC dimension.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import sympy

from dpcheck.proof.bounds import Bound, Range, symbol

_ACCURACY, _FAILURE, _EPSILON = symbol("accuracy"), symbol("failure"), symbol("epsilon")
_DOUBLING, _SMOOTHNESS, _VC = symbol("doubling"), symbol("smoothness"), symbol("vc")
_EXCLUDED, _DIMENSION, _COVER = symbol("excluded"), symbol("dimension"), symbol("cover")

_UP_TO_HALF = Range(Fraction(0), Fraction(1, 2), high_open=False)
_UP_TO_ONE = Range(Fraction(0), Fraction(1), high_open=False)
_POSITIVE = Range(Fraction(0), None)
_COUNT = Range.integers(1)

_DOMAIN = {"n": _COUNT, "accuracy": _UP_TO_HALF, "failure": _UP_TO_HALF, "epsilon": _UP_TO_ONE}
_LETTERS = {"m": "n", "eps": "accuracy", "delta": "failure", "alpha": "epsilon"}
_SMOOTH = {"doubling": _POSITIVE, "smoothness": Range(Fraction(1), None, low_open=False)}
_SMOOTH_LETTERS = {**_LETTERS, "d_U": "doubling", "kappa": "smoothness"}
_SIZE_OF_COVER = _DOUBLING * sympy.log(_SMOOTHNESS / _ACCURACY) + sympy.log(1 / _FAILURE)

AGNOSTIC = Bound(
    source="chaudhuri2011:thm-8",
    size="n",
    sense="sufficient",
    expression=40 * (1 / (_EPSILON * _ACCURACY) + 1 / _ACCURACY**2) * _SIZE_OF_COVER,
    domain={**_DOMAIN, **_SMOOTH},
    derivation="log #G <= d_U log(16 kappa/eps) <= 5 d_U log(kappa/eps) as eps <= 1/2; Hoeffding at eps/4 over G asks "
    "for (8/eps^2)(log #G + log(4/delta)), the exponential mechanism at a gap of eps/4 for (8/(alpha "
    "eps))(log #G + log(2/delta)); log(4/delta) <= 3 log(1/delta) as delta <= 1/2",
    letters=_SMOOTH_LETTERS,
)
"""The sample of A1, which chooses from a cover, without assumptions on the labels."""

REALISABLE = Bound(
    source="chaudhuri2011:thm-9",
    size="n",
    sense="sufficient",
    expression=160 / (_EPSILON * _ACCURACY) * _SIZE_OF_COVER,
    domain={**_DOMAIN, **_SMOOTH},
    derivation="bad hypotheses keep an empirical error above 3 eps/4 (lower Chernoff, exp(-m eps/32) each), the "
    "nearest one stays below eps/2 (upper Chernoff, exp(-m eps/12)), and the exponential mechanism bridges the gap of "
    "eps/4; as alpha <= 1 the first asks for most: (32/eps)(5 d_U log(kappa/eps) + 3 log(1/delta))",
    letters=_SMOOTH_LETTERS,
)
"""The sample of A1r when some hypothesis has no error."""

THRESHOLDS = Bound(
    source="chaudhuri2011:ex-1",
    size="n",
    sense="sufficient",
    expression=AGNOSTIC.expression.subs({_DOUBLING: 1, _SMOOTHNESS: 5 + 3 * sympy.exp(_EPSILON * _EXCLUDED)}),
    domain={**_DOMAIN, "excluded": _POSITIVE},
    derivation="theorem 8 at d_U = 1 and kappa = 1/2 + 3/(4 eta) = 5 + 3 exp(alpha M), the smoothness of the "
    "distributions of theorem 5's proof with eta = 1/(6 + 4 exp(alpha M))",
    letters={**_LETTERS, "M": "excluded"},
)
"""The sample with which A1 learns thresholds from the distributions on which M records are too few."""

THRESHOLDS_NECESSARY = Bound(
    source="chaudhuri2011:thm-5",
    size="n",
    sense="necessary",
    expression=_EXCLUDED,
    domain={
        "n": _COUNT,
        "excluded": Range(Fraction(2), None),
        "accuracy": Range(Fraction(0), Fraction(1, 5)),
        "failure": Range(Fraction(0), Fraction(1, 2)),
        "epsilon": _UP_TO_ONE,
    },
    derivation="as printed: for every M > 2 there are distributions on which no private learner of thresholds succeeds "
    "(error below 1/5 with probability above 1/2) with at most M records",
    letters={**_LETTERS, "M": "excluded"},
    strict=True,
)
"""The sample every private learner of thresholds needs on the worst of the distributions of theorem 5."""

LABEL_PACKING = Bound(
    source="chaudhuri2011:thm-12",
    size="n",
    sense="necessary",
    expression=(_DOUBLING - 1) * sympy.log(2) / _EPSILON,
    domain={
        "n": _COUNT,
        "doubling": Range(Fraction(1), None, low_open=False),
        "accuracy": _UP_TO_HALF,
        "failure": Range(Fraction(0), Fraction(1, 2)),
        "epsilon": _POSITIVE,
    },
    derivation="as printed, d'' the doubling dimension at scale 4 eps",
    letters={**_LETTERS, "d''": "doubling"},
    strict=True,
)
"""The sample every label-private learner needs, by the doubling dimension at four times the accuracy."""

_PACKING = sympy.log(2 ** (_DOUBLING - 1) - 1) / (32 * _EPSILON * _ACCURACY)

LABEL_NECESSARY = Bound(
    source="chaudhuri2011:thm-10",
    size="n",
    sense="necessary",
    expression=_PACKING,
    domain={
        "n": _COUNT,
        "doubling": Range(Fraction(2), None),
        "accuracy": Range(Fraction(0), Fraction(1, 6)),
        "failure": Range(Fraction(0), Fraction(1, 8)),
        "epsilon": _UP_TO_ONE,
    },
    derivation="lemma 24 at r = eps, for a class of diameter 1, d the doubling dimension at scale 12 eps; a learner "
    "that manages with fewer than (52 V/eps) log(52/eps) records (C = 52 in lemma 23) manages with so many, as it may "
    "ignore records, so alpha <= log(2^(d-1) - 1)/(3328 V log(52/eps)) is all that has to be asked besides",
    letters={**_LETTERS, "d": "doubling"},
)
"""The sample every label-private learner needs when its privacy parameter is small."""

_LINEAR = {**_DOMAIN, "dimension": Range.integers(3)}
_LINEAR_LETTERS = {**_LETTERS, "n": "dimension"}

SEPARATORS = Bound(
    source="chaudhuri2011:ex-5.2",
    size="n",
    sense="sufficient",
    expression=REALISABLE.expression.subs({_DOUBLING: (_DIMENSION - 1) * sympy.log(5) / sympy.log(2), _SMOOTHNESS: 1}),
    domain=_LINEAR,
    derivation="theorem 9 at kappa = 1 and d_U = (n-1) log2(5): a maximal packing at half the radius covers a ball, "
    "and balls of a quarter of the radius around it are disjoint in one of 5/4 of it; sin(5 t) <= 5 sin(t) "
    "bounds the ratio of their measures by 5^(n-1)",
    letters=_LINEAR_LETTERS,
)
"""The sample with which A1r learns separators through the origin from uniform points on the sphere."""

SEPARATORS_NECESSARY = dataclasses.replace(
    LABEL_NECESSARY,
    source="chaudhuri2011:ex-5.2",
    expression=_PACKING.subs(_DOUBLING, _DIMENSION - 2),
    domain={
        "n": _COUNT,
        "dimension": Range.integers(5),
        "accuracy": Range(Fraction(0), Fraction(1, 6)),
        "failure": Range(Fraction(0), Fraction(1, 8)),
        "epsilon": _UP_TO_ONE,
    },
    conditions=(sympy.Ge(1, 19 * _ACCURACY * _DIMENSION),),
    derivation="as for theorem 10, with d = n - 2 and V = n: a ball is at least 2^(n-1) cos(pi r/2)^(n-2) times as "
    "large as one of half its radius r, and cos(6 pi eps)^(n-2) >= 1/2 for 19 n eps <= 1. Holds for alpha "
    "<= log(2^(n-3) - 1)/(3328 n log(52/eps))",
    letters=_LINEAR_LETTERS,
)
"""The sample every label-private learner of separators through the origin needs, from uniform points on the sphere."""

LABEL_LEARNER = Bound(
    source="chaudhuri2011:thm-27",
    size="n",
    sense="sufficient",
    expression=16500 / _ACCURACY * (_VC * sympy.log(1 / _ACCURACY) + sympy.log(1 / _FAILURE))
    + 32 / (_EPSILON * _ACCURACY) * sympy.log(_COVER / _FAILURE),
    domain={**_DOMAIN, "vc": _COUNT, "cover": _COUNT},
    derivation="at eta = 0: with e the uniform deviation, err - eta <= 5 e + (3/2) t + (5/16) eps, so e <= eps/100 and "
    "t <= eps/8 do; 16500 is what e <= eps/100 asks for on eps, delta <= 1/2 (least value on a grid: "
    "14660), 32 what t asks for",
    letters={**_LETTERS, "V": "vc", "N": "cover"},
)
"""The sample of the label-private learner A2 when some hypothesis has no error."""

BOUNDS: Mapping[str, Bound] = MappingProxyType(
    {
        "agnostic": AGNOSTIC,
        "realisable": REALISABLE,
        "thresholds": THRESHOLDS,
        "thresholds_necessary": THRESHOLDS_NECESSARY,
        "label_packing": LABEL_PACKING,
        "label_necessary": LABEL_NECESSARY,
        "separators": SEPARATORS,
        "separators_necessary": SEPARATORS_NECESSARY,
        "label_learner": LABEL_LEARNER,
    }
)
"""All of them by name."""
