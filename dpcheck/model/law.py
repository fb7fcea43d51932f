"""The law of a learner's output on one dataset, as its author declares it: finite, and as exact as it can be said.

``distribution(dataset)`` returns a mapping output -> probability (``Fraction``, python-flint ``arb``, or float), or a
:class:`Law`. Which of them it is decides what can be proved: fractions and :class:`IntegerScores` can always be
decided, balls unless the loss equals the claim, floats to within the error of their logarithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.errors import InvalidArgument

#: How far, in nats, each log-probability given as a float may be from the truth unless its author says otherwise: far
#: above the rounding of doubles, far below any leak. Two of them make the slack of a log ratio, 2^-40.
FLOAT_ERROR = 2.0**-41


@dataclass(frozen=True, eq=False)
class IntegerScores:
    """Probabilities proportional to ``multiplicity * exp(epsilon * score / 2)`` with integer scores.

    The exponential mechanism on a score of sensitivity 1. Every question about such laws is one about the sign of a
    polynomial in ``exp(epsilon / 2)`` with integer coefficients, which is always decided.

    Parameters
    ----------
    epsilon : float (taken as the exact double) or Fraction, nats
    scores : sequence of integers, shape (k,)
    multiplicities : sequence of integers above 0, shape (k,), optional
        How many equal candidates each output stands for; 1 by default.

    Raises
    ------
    InvalidArgument
        When epsilon is not a finite number, or a score or multiplicity no integer.

    Source: McSherry & Talwar 2007, doi:10.1109/FOCS.2007.66.

    Examples
    --------
    >>> IntegerScores(1.0, [3, 0, 2]).epsilon
    Fraction(1, 1)
    """

    epsilon: Fraction
    scores: tuple[int, ...]
    multiplicities: tuple[int, ...]

    def __init__(
        self, epsilon: float | Fraction, scores: Sequence[int], multiplicities: Sequence[int] | None = None
    ) -> None:
        try:
            exact = Fraction(epsilon)
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidArgument(f"epsilon must be a finite float or Fraction, got {epsilon!r}") from error
        listed = _integers("scores", scores)
        times = (1,) * len(listed) if multiplicities is None else _integers("multiplicities", multiplicities)
        if not listed or len(times) != len(listed) or min(times) < 1:
            raise InvalidArgument(
                f"multiplicities must be integers of at least 1, one per score ({len(listed)}, at least 1), got "
                f"{len(times)}"
            )
        object.__setattr__(self, "epsilon", exact)
        object.__setattr__(self, "scores", listed)
        object.__setattr__(self, "multiplicities", times)


def _integers(name: str, values: Sequence[int]) -> tuple[int, ...]:
    array = np.asarray(values)
    if array.ndim == 1 and array.dtype.kind in "iu":
        return tuple(array.tolist())
    if array.ndim == 1 and all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return tuple(values)
    raise InvalidArgument(f"{name} must be a sequence of integers, got {values!r}")


@dataclass(frozen=True, eq=False)
class Law:
    """A finite output law: the outputs, each once, with their log-probabilities or an exact form of them.

    Parameters
    ----------
    outputs : sequence of k outputs
    log_probabilities : array of shape (k,), nats, optional
        ``-inf`` for an output that cannot occur. May be left out when ``exact`` is given; given beside it, the two
        are compared.
    exact : sequence of k ``Fraction`` or ``arb``, or :class:`IntegerScores`, optional
        The probabilities themselves; they win over ``log_probabilities``. Balls are asked for again with
        ``flint.ctx.prec`` raised when they are too wide to decide.
    error : float, nats
        How far each log-probability may be from the truth, where there is no exact form: a violation must exceed it.

    Raises
    ------
    InvalidArgument
        When neither is given, or the error is not a number of at least 0.

    Examples
    --------
    >>> law = Law(["no", "yes"], exact=[Fraction(1, 4), Fraction(3, 4)])
    >>> law.outputs
    ['no', 'yes']
    """

    outputs: Sequence[Any]
    log_probabilities: Any = None
    exact: Any = None
    error: float = FLOAT_ERROR

    def __post_init__(self) -> None:
        if self.log_probabilities is None and self.exact is None:
            raise InvalidArgument("a Law must have log_probabilities or an exact form, got neither")
        good = isinstance(self.error, int | float) and not isinstance(self.error, bool) and self.error >= 0
        if not good:
            raise InvalidArgument(f"error must be a number of nats of at least 0, got {self.error!r}")
