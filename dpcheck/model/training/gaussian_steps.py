"""What is accounted for a training whose steps release sums with Gaussian noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real

from dpcheck.model.errors import InvalidArgument


@dataclass(frozen=True)
class GaussianSteps:
    """Steps, each of which releases a sum with Gaussian noise: what the accountant of DP-SGD and its kin is told.

    Parameters
    ----------
    noise_multiplier : float, positive
        The standard deviation of the noise in each coordinate of a sum, over ``clipping_norm``.
    clipping_norm : float, positive
        The largest Euclidean norm of what one record gives to a sum.
    steps : int, at least 1
        The most releases.
    sampling_rate : float in (0, 1), optional
        Each step uses each record with this probability, independently of all else (Poisson sampling). Left out:
        privacy is not amplified by sampling.
    participations : int, optional
        The most releases that use the same record, where there is no sampling rate: all ``steps`` (full batches) unless
        given, such as the number of epochs where batches are fixed, or the depth of the tree of DP-FTRL. Where records
        are there or not, this takes for granted that without one the others are in the batches that they were in.
    additive : bool
        Whether a sum is one of what each record gives by itself. False for votes and the like, where
        ``clipping_norm`` is the sensitivity.

    Raises
    ------
    InvalidArgument
        For other values.

    Examples
    --------
    >>> print(GaussianSteps(noise_multiplier=1.1, clipping_norm=1.0, steps=200, sampling_rate=0.02))
    200 steps, noise 1.1 times the clipping norm 1, Poisson sampling at 0.02
    """

    noise_multiplier: float
    clipping_norm: float
    steps: int
    sampling_rate: float | None = None
    participations: int | None = None
    additive: bool = True

    def __post_init__(self) -> None:
        for name in ("noise_multiplier", "clipping_norm"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < math.inf:
                raise InvalidArgument(f"{name} must be a positive, finite number, got {value!r}")
            object.__setattr__(self, name, float(value))
        self._check_count("steps")
        rate = self.sampling_rate
        if rate is not None and (isinstance(rate, bool) or not isinstance(rate, Real) or not 0 < float(rate) < 1):
            raise InvalidArgument(
                f"sampling_rate must be a probability between 0 and 1 (leave it out where every step uses all "
                f"records), got {rate!r}"
            )
        if rate is not None:
            object.__setattr__(self, "sampling_rate", float(rate))
        if self.participations is not None:
            self._check_count("participations")
            if rate is not None:
                raise InvalidArgument(
                    f"participations must be left out where there is a sampling_rate, got {self.participations!r}"
                )
            if self.participations > self.steps:
                raise InvalidArgument(
                    f"participations must be at most the {self.steps:,} steps, got {self.participations:,}"
                )
        if not isinstance(self.additive, bool):
            raise InvalidArgument(f"additive must be True or False, got {self.additive!r}")

    def __str__(self) -> str:
        steps = f"{self.steps:,} step{'s' if self.steps > 1 else ''}"
        noise = f"noise {self.noise_multiplier:.4g} times the clipping norm {self.clipping_norm:.4g}"
        if self.sampling_rate is not None:
            return f"{steps}, {noise}, Poisson sampling at {self.sampling_rate:.4g}"
        if self.uses < self.steps:
            return f"{steps}, {noise}, each record in at most {self.uses:,} of them"
        return f"{steps}, {noise}, all records in each"

    @property
    def uses(self) -> int:
        """The most releases that use the same record."""
        return self.steps if self.participations is None else self.participations

    @property
    def deviation(self) -> float:
        """The standard deviation of the noise in each coordinate of a sum."""
        return self.noise_multiplier * self.clipping_norm

    def _check_count(self, name: str) -> None:
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
            raise InvalidArgument(f"{name} must be an integer of at least 1, got {value!r}")
        object.__setattr__(self, name, int(value))
