"""The sample sizes of Bassily, Thakkar and Thakurta (2018) with explicit constants, each a `Bound` with its derivation.

The noise and the number of models are algorithm 2's own formulas, as printed. Logarithms are natural. In the paper's
letters alpha is the accuracy, beta the failure probability, eps and delta the privacy parameters, V the VC dimension,
m the number of queries, n the private sample. Accuracy here is the base learner's; theorem 4.2 then promises 15 alpha.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import sympy

from dpcheck.proof.bounds import Bound, Range, symbol

_ACCURACY, _FAILURE, _EPSILON, _DELTA = symbol("accuracy"), symbol("failure"), symbol("epsilon"), symbol("delta")
_VC, _QUERIES, _CUTOFF = symbol("vc"), symbol("queries"), symbol("cutoff")

_UP_TO_HALF = Range(Fraction(0), Fraction(1, 2), high_open=False)
_UNIT = Range(Fraction(0), Fraction(1))
_POSITIVE = Range(Fraction(0), None)
_COUNT = Range.integers(1)

_PRIVACY = {"epsilon": _POSITIVE, "delta": _UNIT}
_LETTERS = {"beta": "failure", "eps": "epsilon", "delta": "delta"}


def _models(cutoff: Any, queries: Any) -> Any:
    scale = sympy.sqrt(32 * cutoff * sympy.log(2 / _DELTA)) / _EPSILON
    least = sympy.Min(_DELTA, _FAILURE / 2)
    return 34 * sympy.sqrt(2) * scale * sympy.log(4 * queries * cutoff / least)


MODELS = Bound(
    source="bassily2018:thm-3.2",
    size="models",
    sense="sufficient",
    expression=_models(_CUTOFF, _QUERIES),
    domain={"models": _COUNT, "failure": _UNIT, **_PRIVACY, "queries": _COUNT, "cutoff": _COUNT},
    derivation="algorithm 2 as printed: k = 34 sqrt(2) lambda log(4 m T/min(delta, beta/2)), lambda = sqrt(32 T "
    "log(2/delta))/eps",
    letters={**_LETTERS, "m": "queries", "T": "cutoff", "k": "models"},
)
"""How many models vote in algorithm 2, and so how many parts the private sample is split into."""

#: Agnostic learning by empirical risk, 8 (2 e n/V)^V exp(-n alpha^2/128) <= beta, solved with log u <= u/c - 1 + log c.
_QUERIES_NEEDED = 256 / _ACCURACY**2 * (_VC * sympy.log(512 / _ACCURACY**2) + sympy.log(8 / _FAILURE))
#: No log(1/eps) or log(1/delta) above 230, so that log(k/beta) <= 2 alpha m for the m of `PUBLIC`.
_PRACTICAL = Fraction(1, 10**100)
_TRANSFER = {
    "private": _COUNT,
    "accuracy": _UP_TO_HALF,
    "failure": _UP_TO_HALF,
    "epsilon": Range(_PRACTICAL, Fraction(1), False, False),
    "delta": Range(_PRACTICAL, Fraction(1), False),
    "vc": _COUNT,
}
_TRANSFER_LETTERS = {**_LETTERS, "alpha": "accuracy", "V": "vc", "n": "private"}
_PARTS, _PARTS_AGNOSTIC = (_models(c * _ACCURACY * _QUERIES_NEEDED, _QUERIES_NEEDED) for c in (12, 24))

PUBLIC = Bound(
    source="bassily2018:thm-4.2",
    size="public",
    sense="sufficient",
    expression=_QUERIES_NEEDED,
    domain={"public": _COUNT, "accuracy": _UP_TO_HALF, "failure": _UP_TO_HALF, "vc": _COUNT},
    derivation="agnostic learning by empirical risk: 8 (2 e n/V)^V exp(-n alpha^2/128) <= beta, with log u <= u/c - 1 "
    "+ log c at u = 2 e n/V, c = 512 e/alpha^2",
    letters={"alpha": "accuracy", "beta": "failure", "V": "vc", "m": "public"},
)
"""The unlabelled public sample from which APriv learns."""

REALISABLE = Bound(
    source="bassily2018:thm-4.2",
    size="private",
    sense="sufficient",
    expression=_PARTS
    * sympy.Max(4 * sympy.log(2 * _PARTS / _FAILURE), 8 * _VC * sympy.log(13 / _ACCURACY))
    / (_ACCURACY * sympy.log(2)),
    domain=_TRANSFER,
    derivation="k parts of algorithm 2 at m = the public sample and T = 12 alpha m, which is above 3 (2 alpha m + "
    "log(k/beta)) as theorem 3.2 needs it (repaired), each part of max((4/alpha) log2(2 k/beta), (8 V/alpha) "
    "log2(13/alpha)) records (Blumer et al. 1989); rounding is left out. The conclusion is 15 alpha",
    letters=_TRANSFER_LETTERS,
)
"""The private sample of APriv when some hypothesis has no error."""

AGNOSTIC = Bound(
    source="bassily2018:thm-4.3",
    size="private",
    sense="sufficient",
    expression=_PARTS_AGNOSTIC
    * 256
    / _ACCURACY**2
    * (_VC * sympy.log(512 / _ACCURACY**2) + sympy.log(8 * _PARTS_AGNOSTIC / _FAILURE)),
    domain=_TRANSFER,
    derivation="the same for gamma <= alpha, with T = 24 alpha m, each part as large as agnostic learning at failure "
    "beta/k asks for; rounding is left out. The conclusion is 15 alpha + 7 gamma",
    letters=_TRANSFER_LETTERS,
)
"""The private sample of APriv without assumptions on the labels, for a least error of at most the accuracy."""

REALISABLE_NECESSARY = Bound(
    source="bassily2018:obs-5.a",
    size="private",
    sense="necessary",
    expression=(_VC - 1) / (32 * _ACCURACY),
    domain={
        "private": _COUNT, "vc": Range.integers(2), "accuracy": Range(Fraction(0), Fraction(1, 8), high_open=False),
        "failure": Range(Fraction(0), Fraction(1, 100), high_open=False),
    },
    derivation="every learner, private or not: Ehrenfeucht, Haussler, Kearns and Valiant (1989), theorem 1",
    letters={"alpha": "accuracy", "beta": "failure", "V": "vc", "n": "private"},
)  # fmt: skip
"""The sample every learner needs when some hypothesis has no error."""

AGNOSTIC_NECESSARY = Bound(
    source="bassily2018:obs-5.a",
    size="private",
    sense="necessary",
    expression=_VC / (320 * _ACCURACY**2),
    domain={
        "private": _COUNT, "vc": _COUNT, "accuracy": Range(Fraction(0), Fraction(1, 64)),
        "failure": Range(Fraction(0), Fraction(1, 64)),
    },
    derivation="every learner, private or not: Anthony and Bartlett (1999), theorem 5.2",
    letters={"alpha": "accuracy", "beta": "failure", "V": "vc", "n": "private"},
)  # fmt: skip
"""The sample every learner needs without assumptions on the labels."""

BOUNDS: Mapping[str, Bound] = MappingProxyType(
    {
        "models": MODELS,
        "public": PUBLIC,
        "realisable": REALISABLE,
        "agnostic": AGNOSTIC,
        "realisable_necessary": REALISABLE_NECESSARY,
        "agnostic_necessary": AGNOSTIC_NECESSARY,
    }
)
"""All of them by name."""
