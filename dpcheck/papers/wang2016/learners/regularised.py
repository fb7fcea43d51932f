"""Algorithm 1 on finitely many hypotheses: regularised empirical risk minimisation by the exponential mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.data import size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.classes import FiniteHypothesisClass
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.parts.mechanisms.parameters import positive_as_given
from dpcheck.parts.risk.losses import Loss, Sums, ZeroOneLoss, checked_loss, sums_of

#: Classes with more hypotheses are not listed.
MOST_LISTED = 1 << 22
#: Laws with more outputs are not declared.
MOST_OUTPUTS = 1 << 12
#: Sums of doubles are at most so many times what one record moves.
_LARGEST_SUM = 2**32
#: Scores below this stay integers of 64 bits.
_WHOLE = 2**61

#: Which sensitivity of the empirical risk is used: the supremum itself, or the paper's ``(2/n) sup |l|``.
Sensitivity = Literal["exact", "paper_bound"]


def checked_sensitivity(sensitivity: Any) -> Sensitivity:
    """One of the two names.

    Raises
    ------
    InvalidArgument
        When it is another one.
    """
    if sensitivity not in ("exact", "paper_bound"):
        raise InvalidArgument(f"sensitivity must be 'exact' or 'paper_bound', got {sensitivity!r}")
    found: Sensitivity = sensitivity
    return found


def sensitivity_of_sum(loss: Loss, hypotheses: Any, sensitivity: Sensitivity) -> Fraction:
    """n Dq: by how much replacing a record can move the sum of the losses of one of these hypotheses.

    Parameters
    ----------
    loss : Loss
    hypotheses : as the loss takes them
    sensitivity : "exact" (the loss's ``swing``) or "paper_bound" (``2 sup |l|``)

    Raises
    ------
    InvalidArgument
        When it is infinite, or 0: step 2 of the algorithm divides by it.

    Source: wang2016:alg-1, step 1.

    Examples
    --------
    >>> from dpcheck.parts.risk.losses import PowerLoss
    >>> [str(sensitivity_of_sum(PowerLoss(), [0.25, 0.5], kind)) for kind in ("exact", "paper_bound")]
    ['3/4', '3/2']
    """
    if sensitivity == "exact":
        found = loss.swing(hypotheses)
    else:
        low, high = loss.bounds(hypotheses)
        found = 2 * max(abs(low), abs(high))
    if not math.isfinite(found):
        raise InvalidArgument(
            f"loss must be bounded for a finite sensitivity, got {loss!r}: bound its domain, or wrap it in Clipped"
        )
    if found <= 0:
        raise InvalidArgument(
            f"loss must depend on the record, got {loss!r}, whose sensitivity is 0: a minimiser of the loss plus the "
            f"regulariser is then the same for all datasets, and private without noise"
        )
    return Fraction(found)


def checked_size(dataset: Any) -> int:
    """The number of records, n.

    Raises
    ------
    InvalidArgument
        When there is none: an average over no record is undefined.
    """
    n = size_of(dataset)
    if n < 1:
        raise InvalidArgument("dataset must hold at least 1 record, got none")
    return n


def checked_rounding(size: int, largest: Any, swing: Any) -> None:
    """Whether sums of ``size`` numbers are so small that doubles hold them far more finely than one record moves them.

    Where they do not, the rounded score moves by more than the sensitivity, and the claim is false. Nothing here
    depends on the data but their number.

    Parameters
    ----------
    size : int, n
    largest : number, of each summand
    swing : number, by how much a record moves the sum

    Raises
    ------
    InvalidArgument
        When ``size largest`` is above 2^32 swings.

    Examples
    --------
    >>> checked_rounding(1000, 1.0, 1.0)
    """
    if size * largest > _LARGEST_SUM * swing:
        raise InvalidArgument(
            f"loss and regulariser must sum to at most 2^32 times what one record moves, {float(swing):g}, got up to "
            f"{float(largest):g} for each of {size:,} records: doubles would round away what keeps the claim"
        )


def regularised(sums: Sums, extra: NDArray[Any] | None) -> Sums:
    """``sums + extra``, up to a constant.

    Exact where the sums are integers and ``extra`` holds integers or fractions small enough.

    Examples
    --------
    >>> found = regularised(Sums(np.array([1, 2]), Fraction(1)), np.array([Fraction(1, 3), Fraction(0)]))
    >>> found.values.tolist(), found.unit
    ([4, 6], Fraction(1, 3))
    """
    if extra is None:
        return sums
    if sums.values.dtype.kind in "iu" and len(extra) <= MOST_OUTPUTS:  # of larger ones no law is declared
        exact = [Fraction(value) for value in extra.tolist()]
        scale = math.lcm(sums.unit.denominator, *(value.denominator for value in exact))
        factor = sums.unit * scale
        whole = [
            int(value * int(factor)) + int(e * scale) for value, e in zip(sums.values.tolist(), exact, strict=True)
        ]
        if all(abs(value) < _WHOLE for value in whole):
            return Sums(np.array(whole, dtype=np.int64), Fraction(1, scale))
    return Sums(sums.as_floats() + (extra - extra.min()).astype(np.float64), Fraction(1))


@dataclass(frozen=True, eq=False)
class RegularisedExponential:
    """A hypothesis h with probability proportional to ``exp((epsilon / 2 Dq) q(h))``, ``q = -(risk + regulariser)``.

    The risk is the mean loss on the n records; Dq bounds by how much replacing one moves it: epsilon-DP. The paper's
    letters: F = -q, g_n the regulariser. The law is exact (integer scores) where losses are multiples of a common
    unit (0-1 losses; powers of distances of doubles with few bits) and the regulariser is rational.

    Parameters
    ----------
    loss : Loss
    hypotheses : array of k distinct hypotheses, shape (k, ...), or a list of k callables
        All of the class for the 0-1 loss of a finite class, when left out. Callables are answered by their places.
    epsilon : float or Fraction, nats, above 0
    regulariser : k numbers, or a callable (hypotheses, n) -> k numbers, optional
        g_n: never a function of the data. May be negative. None by default.
    sensitivity : "exact" or "paper_bound"
        Dq: the supremum of ``|q(h, Z) - q(h, Z')|`` (swing / n; over all Z, never from the data), or the paper's
        bound ``(2 / n) sup |l|``, at which the exponent is half as large or less, and so is the loss of privacy.

    Raises
    ------
    InvalidArgument
        When the loss is unbounded or does not depend on the record (Dq infinite or 0), hypotheses are none, too many
        or not distinct, epsilon is no finite number above 0; at a call when there is no record.

    Source: wang2016:alg-1, with counting measure; privacy wang2016:thm-19.

    Examples
    --------
    >>> from dpcheck.parts.risk.losses import PowerLoss
    >>> learner = RegularisedExponential(PowerLoss(), [0.0, 0.5, 1.0], epsilon=1.0)
    >>> law = learner.distribution([0, 1, 1])
    >>> law.outputs, law.exact.scores, law.exact.epsilon
    ([0.0, 0.5, 1.0], (-4, -3, -2), Fraction(1, 2))
    """

    loss: Loss
    hypotheses: Any = None
    epsilon: float | Fraction = 1.0
    regulariser: Any = None
    sensitivity: Sensitivity = "exact"
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_loss(self.loss)
        positive_as_given("epsilon", self.epsilon)
        checked_sensitivity(self.sensitivity)
        found = _listed(self.loss, self.hypotheses)
        object.__setattr__(self, "hypotheses", found)
        sensitivity_of_sum(self.loss, found, self.sensitivity)
        if self.regulariser is not None and not callable(self.regulariser):
            _one_each(self.regulariser, len(found))

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def candidates(self, dataset: Any) -> Any:
        """The hypotheses, the same for all datasets; shape (k, ...)."""
        return self.hypotheses

    def losses(self, dataset: Any, candidates: Any) -> Sums:
        """n times the empirical risk of each candidate, shape (k,)."""
        return sums_of(self.loss, candidates, dataset)

    def penalties(self, dataset: Any, candidates: Any) -> NDArray[Any] | None:
        """n times the regulariser of each candidate, shape (k,)."""
        if self.regulariser is None:
            return None
        n = size_of(dataset)
        given = self.regulariser(candidates, n) if callable(self.regulariser) else self.regulariser
        return _one_each(given, len(candidates)) * n

    def scores(self, dataset: Any, candidates: Any) -> Sums:
        """``n q(h, Z)`` of each candidate, shape (k,)."""
        n = checked_size(dataset)
        extra = self.penalties(dataset, candidates)
        found = regularised(self.losses(dataset, candidates), extra)
        if found.values.dtype.kind == "f":
            sizes = [abs(end) for end in self.loss.bounds(candidates) if math.isfinite(end)]
            spread = 0 if extra is None else (extra.max() - extra.min()) / n
            checked_rounding(n, max(sizes, default=0) + spread, self.loss.swing(candidates))
        return Sums(-found.values, found.unit)

    def rate(self, dataset: Any) -> Fraction:
        """``epsilon / (2 n Dq)``: nats per unit of ``n q``."""
        return Fraction(self.epsilon) / (2 * sensitivity_of_sum(self.loss, self.hypotheses, self.sensitivity))

    def choice(self, dataset: Any) -> Choice:
        """Step 2: the choice among the candidates."""
        scores = self.scores(dataset, self.candidates(dataset))
        return Choice(self.rate(dataset) * scores.unit, scores.values)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis; of a :class:`~dpcheck.SemiPrivate` dataset only the private part is read."""
        drawn = self.sample(dataset, 1, rng)[0]
        return drawn.item() if isinstance(drawn, np.generic) else drawn

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, shape (size, ...)."""
        places = self.choice(dataset).sample(size, rng)
        candidates = self.candidates(dataset)
        return np.asarray(candidates[places] if isinstance(candidates, np.ndarray) else places)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the law of the hypothesis, for at most 4096 of them."""
        if len(self.hypotheses) > MOST_OUTPUTS:
            raise AttributeError(f"a law of {len(self.hypotheses):,} hypotheses is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        candidates = self.candidates(dataset)
        outputs = as_outputs(candidates) if isinstance(candidates, np.ndarray) else list(range(len(candidates)))
        return self.choice(dataset).law(outputs)


def _listed(loss: Loss, hypotheses: Any) -> Any:
    """The hypotheses as an array (callables as a list), or all of a finite class."""
    if hypotheses is None:
        family = loss.family if isinstance(loss, ZeroOneLoss) else None
        if not isinstance(family, FiniteHypothesisClass):
            raise InvalidArgument("hypotheses must be given unless the loss is the 0-1 loss of a finite class")
        if family.size > MOST_LISTED:
            raise InvalidArgument(f"loss must be of a class of at most {MOST_LISTED:,} hypotheses, got {family.size:,}")
        return family.everything()
    if isinstance(hypotheses, list | tuple) and hypotheses and all(map(callable, hypotheses)):
        return list(hypotheses)
    found = np.asarray(hypotheses)
    if found.ndim < 1 or not len(found) or found.dtype.kind not in "buif":
        raise InvalidArgument(
            f"hypotheses must be an array of at least one hypothesis, or a list of callables, got an array "
            f"{found.dtype} of shape {found.shape}"
        )
    if len(np.unique(found, axis=0)) < len(found):
        raise InvalidArgument(f"hypotheses must be distinct, got {len(found) - len(np.unique(found, axis=0))} twice")
    return found


def _one_each(values: Any, k: int) -> NDArray[Any]:
    """Numbers, one per hypothesis; fractions stay what they are."""
    listed = np.asarray(values)
    numbers = listed.astype(np.float64) if listed.dtype.kind in "buifO" else np.zeros(0)
    if listed.shape != (k,) or not np.isfinite(numbers).all():
        raise InvalidArgument(f"regulariser must give a finite number per hypothesis ({k}), got {values!r}")
    return listed
