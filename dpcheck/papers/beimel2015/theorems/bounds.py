"""The sample sizes of Beimel, Nissim and Stemmer (2015) with explicit constants, each a `Bound` with its derivation.

Sizes are printed up to constants; here they are written out. Logarithms are natural. In the paper's letters alpha is
the accuracy, beta the failure probability, eps and delta the privacy parameters, VC the VC dimension, d the number of
bits of a point, n all records and m the labelled ones. Accuracy and failure here are those of the conclusion: where a
theorem gives (11 alpha, 2 beta), they are 11 alpha and 2 beta.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import sympy

from dpcheck.proof.bounds import Bound, Range, symbol

_ACCURACY, _FAILURE, _EPSILON = symbol("accuracy"), symbol("failure"), symbol("epsilon")
_VC, _BITS, _HYPOTHESES, _BASE = symbol("vc"), symbol("bits"), symbol("hypotheses"), symbol("base")

_UP_TO_HALF = Range(Fraction(0), Fraction(1, 2), high_open=False)
_POSITIVE = Range(Fraction(0), None)
_COUNT = Range.integers(1)

_PLAIN = {"accuracy": _UP_TO_HALF, "failure": _UP_TO_HALF, "vc": _COUNT}
_PRIVATE = {**_PLAIN, "epsilon": _POSITIVE}
_LETTERS = {"alpha": "accuracy", "beta": "failure", "VC": "vc"}
_PRIVATE_LETTERS = {**_LETTERS, "eps": "epsilon"}

_GENERALISE = 1250 * _VC / _ACCURACY**2 * sympy.log(25 / (_ACCURACY * _FAILURE))
#: The size of the sanitised database, VC(C xor C) at most 10 VC.
_SANITISED = 50000 * _VC / _ACCURACY**2 * sympy.log(20 / _ACCURACY) + 1

GENERIC_LABELLED = Bound(
    source="beimel2015:thm-3.3",
    size="labelled",
    sense="sufficient",
    expression=sympy.Max(
        _GENERALISE, 10 / (_ACCURACY * _EPSILON) * (_SANITISED * sympy.log(2) + sympy.log(5 / _FAILURE))
    ),
    domain={"labelled": _COUNT, **_PRIVATE},
    derivation="theorem B.6 at (alpha/5, beta/5); the exponential mechanism within alpha/5 of the best of 2^k "
    "hypotheses except with probability beta/5, k = (5000 VC(C xor C)/alpha^2) log(20/alpha) points, "
    "rounded up, and VC(C xor C) <= 10 VC",
    letters={**_PRIVATE_LETTERS, "m": "labelled"},
)
"""The labelled sample of GenericLearner."""

GENERIC_UNLABELLED = Bound(
    source="beimel2015:thm-3.3",
    size="unlabelled",
    sense="sufficient",
    expression=sympy.Max(
        _GENERALISE,
        20 / (_ACCURACY * _EPSILON) * (_SANITISED * _BITS * sympy.log(2) + sympy.log(5 / _FAILURE)),
    ),
    domain={"unlabelled": _COUNT, **_PRIVATE, "bits": _COUNT},
    derivation="theorem B.6 at (alpha/5, beta/5); the sanitiser within alpha/5 except with probability beta/5: the "
    "exponential mechanism over 2^(d k) databases, whose score changes by 1/#D",
    letters={**_PRIVATE_LETTERS, "d": "bits"},
)
"""The unlabelled sample of GenericLearner on points of d bits."""

BASE = Bound(
    source="beimel2015:prop-A.1",
    size="n",
    sense="sufficient",
    expression=sympy.Max(4 / (_ACCURACY * _EPSILON), 8 / _ACCURACY) * sympy.log(2 * _HYPOTHESES / _FAILURE),
    domain={
        "n": _COUNT, "accuracy": _UP_TO_HALF, "failure": _UP_TO_HALF, "epsilon": _POSITIVE, "hypotheses": _COUNT,
    },
    derivation="the exponential mechanism within alpha/2 of no mistakes except with probability beta/2 (proposition "
               "A.1), and no hypothesis of error above alpha with an empirical error of at most alpha/2 (Chernoff, "
               "exp(-alpha n/8) each)",
    letters={"alpha": "accuracy", "beta": "failure", "eps": "epsilon"},
)  # fmt: skip
"""The sample of the exponential mechanism over a finite class, a base learner for LabelBoost."""

BOOST_LABELLED = Bound(
    source="beimel2015:thm-4.13",
    size="labelled",
    sense="sufficient",
    expression=11 * 96000 / _ACCURACY * _VC * sympy.log(22 * 2240 / (_ACCURACY * _FAILURE)),
    domain={"labelled": _COUNT, **_PLAIN},
    derivation="as printed, (96000/alpha) VC log(2240/(alpha beta)), for the conclusion (11 alpha, 2 beta)",
    letters={**_LETTERS, "m": "labelled"},
)
"""The labelled sample of LabelBoost, whatever its base learner."""

BOOST_UNLABELLED = Bound(
    source="beimel2015:thm-4.13",
    size="unlabelled",
    sense="sufficient",
    expression=90000 * _BASE,
    domain={"unlabelled": _COUNT, "base": _COUNT},
    derivation="as printed: 90000 n for a base learner of n records",
    letters={"n": "base"},
)
"""The unlabelled sample of LabelBoost over a base learner."""

AMPLIFIED_LABELLED = Bound(
    source="beimel2015:thm-4.14",
    size="labelled",
    sense="sufficient",
    expression=(3 + sympy.E) / _EPSILON * BOOST_LABELLED.expression,
    domain={"labelled": _COUNT, **_PLAIN, "epsilon": Range(Fraction(0), Fraction(1), high_open=False)},
    derivation="theorem 4.13 on a sample of the rate eps/(3 + e) (claim 4.3 at eps* = 1)",
    letters={**_PRIVATE_LETTERS, "m": "labelled"},
)
"""The labelled sample of LabelBoost at a privacy parameter of at most 1."""

LABELLED_NECESSARY = Bound(
    source="beimel2015:thm-B.3",
    size="labelled",
    sense="necessary",
    expression=(_VC - 1) / (16 * _ACCURACY),
    domain={
        "labelled": _COUNT,
        "vc": Range.integers(2),
        "accuracy": Range(Fraction(0), Fraction(1, 8), high_open=False),
        "failure": Range(Fraction(0), Fraction(1, 7), high_open=False),
    },
    derivation="as printed, for accuracies of at most 1/8 and failures of at most 1/7 (printed: below 1/2, where it "
    "fails)",
    letters={**_LETTERS, "m": "labelled"},
)
"""The labelled sample every learner needs, private or not."""

BOUNDS: Mapping[str, Bound] = MappingProxyType(
    {
        "generic_labelled": GENERIC_LABELLED,
        "generic_unlabelled": GENERIC_UNLABELLED,
        "base": BASE,
        "boost_labelled": BOOST_LABELLED,
        "boost_unlabelled": BOOST_UNLABELLED,
        "amplified_labelled": AMPLIFIED_LABELLED,
        "labelled_necessary": LABELLED_NECESSARY,
    }
)
"""All of them by name."""
