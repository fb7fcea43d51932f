"""How many entries the generic semi-supervised learner needs, with explicit constants, in log space.

The paper writes O(...) for what the sanitiser and the choice need. Written out from its proofs, with natural
logarithms, V the VC dimension of C, V' that of C^xor (10 V where it is not known, beimel2015:obs-3.2), N the number of
points of the domain, h the number of candidates:

- The sanitised database has ``k >= (200 V'/a^2) ln(4/a)`` points for accuracy a: by beimel2015:thm-B.6 at (a/2, 1/2)
  some k points of D answer every query within a/2. The exponential mechanism over all N^k databases is then within a,
  but with probability ``N^k exp(-epsilon n a / 4)``: at most b where ``n >= (4/(a epsilon)) (k ln N + ln(1/b))``
  (:mod:`dpcheck.parts.mechanisms.sanitisers.sizes`).
- The choice is within accuracy/5 of the best candidate but with probability ``h exp(-epsilon m accuracy / 10)``
  (beimel2015:prop-A.1): at most failure/5 where ``m >= (10/(accuracy epsilon)) (ln h + ln(5/failure))``.
- Both parts are samples for which errors are right to accuracy/5: ``(1250 V/accuracy^2) ln(25/(accuracy failure))``
  (beimel2015:thm-B.6 at (accuracy/5, failure/5), with the paper's constant 50, cited and not proved here).

The learner uses a = accuracy/5 and b = failure/5, and fails with probability 4 failure/5 at most (beimel2015:thm-3.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf, log
from typing import Any, Literal

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import HypothesisClass, Xor
from dpcheck.parts.learners.families import checked_family
from dpcheck.parts.mechanisms.parameters import count, positive, positive_as_given
from dpcheck.parts.mechanisms.sanitisers.sizes import database_size, records_needed

#: What V' is at most, in V, by beimel2015:obs-3.2.
_XOR_FACTOR = 10
#: How ln h is bounded: all dichotomies of k points, as in the paper's proof, or those of a class of its dimension.
Candidates = Literal["all", "sauer"]


@dataclass(frozen=True)
class Need:
    """One inequality that the sizes must satisfy: ``part >= expression``, which is met from ``size`` on.

    ``part`` is "labelled", "unlabelled" or "points", ``purpose`` what it is for.
    """

    part: str
    purpose: str
    expression: str
    size: int

    def __str__(self) -> str:
        return f"{self.part} >= {self.expression} = {self.size:,} ({self.purpose})"


@dataclass(frozen=True)
class GenericSizes:
    """The sizes with which the generic learner is accurate, and the inequalities they come from.

    ``points`` is k, the size of the sanitised database.
    """

    points: int
    needs: tuple[Need, ...]

    @property
    def unlabelled(self) -> int:
        """The least size of D."""
        return max(need.size for need in self.needs if need.part == "unlabelled")

    @property
    def labelled(self) -> int:
        """The least size of S."""
        return max(need.size for need in self.needs if need.part == "labelled")

    def check(self, *, labelled: int, unlabelled: int) -> None:
        """Nothing, where there are as many entries as needed.

        Raises
        ------
        InvalidArgument
            For fewer: with the inequality that asks for most, and the size that would do.
        """
        for part, size in (("labelled", labelled), ("unlabelled", unlabelled)):
            need = max((each for each in self.needs if each.part == part), key=lambda each: each.size)
            if size < need.size:
                raise InvalidArgument(f"{part} must be at least {need.size:,}, got {size:,}: {need} fails")


def points_for_thresholds(accuracy: float | Fraction) -> int:
    """A k with which every dataset on a line has k points that answer all intervals within half of the accuracy.

    ``ceil(2 / accuracy)``, where the paper's formula, which is for any class, grows with its square. Proof: of n sorted
    points take those in the places ``ceil((i - 1/2) n / k)``, i = 1, ..., k. The part of them below any t is the part
    of all below t, rounded to the next of 0, 1/k, ..., 1: within 1/2k. An interval is the difference of two such sets:
    within 1/k, and that is at most accuracy/2.

    Examples
    --------
    >>> points_for_thresholds(Fraction(1, 50))
    100
    """
    positive_as_given("accuracy", accuracy)
    return ceil(2 / Fraction(accuracy))


def generic_sizes(
    family: HypothesisClass,
    domain_size: int,
    *,
    epsilon: float | Fraction,
    accuracy: float | Fraction,
    failure: float | Fraction,
    points: int | None = None,
    candidates: Candidates = "all",
) -> GenericSizes:
    """The sizes with which the learner is within the accuracy of every target, but with probability ``failure``.

    Parameters
    ----------
    family : HypothesisClass
        Of a finite VC dimension V that is known; that of C^xor is taken to be 10 V where it is not known.
    domain_size : int, at least 1
        N; 2^d for points of d bits.
    epsilon : float or Fraction, nats, above 0
        Of the sanitiser and of the choice.
    accuracy, failure : float or Fraction, above 0, at most 1/2
        The paper's alpha and beta.
    points : int, at least 1, optional
        Another k, with which every dataset has k points that answer all queries of C^xor within accuracy/10; for
        thresholds ``points_for_thresholds(accuracy / 5)``.
    candidates : "all" or "sauer"
        ln h as in the paper's proof, k ln 2, or ``V ln(e k / V)`` where that is less (beimel2015:thm-B.2).

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or the VC dimension is infinite or not known.

    Source: beimel2015:thm-3.3.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> sizes = generic_sizes(GridThresholds(2**20), 2**20, epsilon=1, accuracy=0.1, failure=0.1)
    >>> sizes.points, sizes.labelled, sizes.unlabelled
    (5298318, 367251810, 14690057517)
    >>> sizes = generic_sizes(
    ...     GridThresholds(2**20), 2**20, epsilon=1, accuracy=0.1, failure=0.1,
    ...     points=points_for_thresholds(0.02), candidates="sauer",
    ... )
    >>> sizes.points, sizes.labelled, sizes.unlabelled
    (100, 978006, 978006)
    """
    checked_family(family)
    v, v_xor = _dimensions(family)
    eps, a, b = positive("epsilon", epsilon), _part("accuracy", accuracy), _part("failure", failure)
    if candidates not in ("all", "sauer"):
        raise InvalidArgument(f"candidates must be 'all' or 'sauer', got {candidates!r}")
    k = database_size(v_xor, a / 5) if points is None else count("points", points)
    sanitised = records_needed(k, domain_size, a / 5, eps, b / 5)
    sample = ceil(1250 * v / a**2 * (log(25) - log(a) - log(b)))
    sauer = candidates == "sauer" and k > v
    words_of_h = f"{v} ln(e points / {v})" if sauer else "points ln 2"
    log_candidates = min(k * log(2), v * (1 + log(k / v))) if sauer else k * log(2)
    choice = ceil(10 / (a * eps) * (log_candidates + log(5) - log(b)))
    words = f"({1250 * v} / accuracy^2) ln(25 / (accuracy failure))"
    purpose = "errors on a sample right to accuracy/5"
    needs = (
        Need("labelled", purpose, words, sample),
        Need(
            "labelled", "a choice near the best", f"(10 / (accuracy epsilon)) ({words_of_h} + ln(5 / failure))", choice
        ),
        Need("unlabelled", purpose, words, sample),
        Need(
            "unlabelled",
            "a sanitised database near the best",
            "(20 / (accuracy epsilon)) (points ln(domain_size) + ln(5 / failure))",
            sanitised,
        ),
    )
    return GenericSizes(k, needs)


def _dimensions(family: HypothesisClass) -> tuple[int, int]:
    """V and V', both at least 1."""
    v = family.vc_dimension
    if v is None or v == inf:
        raise InvalidArgument(f"family must have a known, finite VC dimension, got {family!r} with {v}")
    v_xor = Xor(family).vc_dimension
    v = max(1, int(v))
    return v, max(1, int(v_xor)) if v_xor is not None and v_xor != inf else _XOR_FACTOR * v


def _part(name: str, value: Any) -> float:
    found = positive(name, value)
    if found > 0.5:
        raise InvalidArgument(f"{name} must be above 0 and at most 1/2, got {value!r}")
    return found
