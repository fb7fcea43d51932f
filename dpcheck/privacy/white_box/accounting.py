"""What steps of Gaussian noise promise together, and whether a claim follows from it.

Without sampling, k releases of one record with noise sigma times its largest norm are mu-GDP with mu = sqrt(k) / sigma,
exactly (Dong, Roth & Su 2022): rho = mu^2 / 2 of zCDP, order times rho of Rényi. Replacing a record doubles mu. With
Poisson sampling the privacy loss distribution of dp-accounting is composed, once rounded up and once rounded down: the
truth lies between.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import (
    Claim,
    GaussianDP,
    GridClaim,
    ProfileDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    claim_point,
)
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.training import GaussianSteps

#: The rounding of privacy losses of one step: as is usual, the finest, and where it is fine over all steps together.
COARSE, FINEST, TOGETHER = 1e-4, 1e-6, 1e-2
#: With less noise than this, losses of steps are too many to be composed.
LEAST_NOISE = 0.1
#: What is read off a profile whose claim is a curve: epsilons up to which, and how many of them.
POINTS = 25
#: Rounding of accountants, in epsilon: relative, and absolute.
RELATIVE, ABSOLUTE = 1e-6, 1e-9


class Profile(Protocol):
    """The privacy loss of steps, between two computations of it: each pair is (at least, at most)."""

    def delta(self, epsilon: float) -> tuple[float, float]:
        """The delta at an epsilon."""
        ...

    def epsilon(self, delta: float) -> tuple[float, float]:
        """The epsilon at a delta."""
        ...


@dataclass(frozen=True)
class _Exact:
    """Steps without sampling."""

    curve: GaussianDP

    def delta(self, epsilon: float) -> tuple[float, float]:
        found = self.curve.delta(epsilon)
        return found, found

    def epsilon(self, delta: float) -> tuple[float, float]:
        found = self.curve.epsilon(delta) if delta > 0.0 else math.inf
        return found, found


@dataclass(frozen=True)
class _Sampled:
    """Steps with Poisson sampling; what is rounded down is so by up to an interval in each step."""

    accounted: GaussianSteps
    neighbours: str
    interval: float

    def delta(self, epsilon: float) -> tuple[float, float]:
        low, high = self._both()
        return float(low.get_delta_for_epsilon(epsilon)), float(high.get_delta_for_epsilon(epsilon))

    def epsilon(self, delta: float) -> tuple[float, float]:
        if delta <= 0.0:
            return math.inf, math.inf
        low, high = self._both()
        return float(low.get_epsilon_for_delta(delta)), float(high.get_epsilon_for_delta(delta))

    def _both(self) -> tuple[Any, Any]:
        return (
            _composed(self.accounted, self.neighbours, self.interval, upwards=False),
            _composed(self.accounted, self.neighbours, COARSE, upwards=True),
        )


def epsilon_at(accounted: GaussianSteps, delta: float, neighbours: str = "add-remove") -> float:
    """The epsilon of steps at a delta, from above.

    Raises
    ------
    InvalidArgument
        When batches are sampled and records are replaced, or dp-accounting is not installed.

    Examples
    --------
    >>> steps = GaussianSteps(noise_multiplier=2.0, clipping_norm=1.0, steps=4)
    >>> round(epsilon_at(steps, 1e-5), 3)  # that of GaussianDP(1)
    4.377
    """
    if accounted.sampling_rate is None:
        return _Exact(gaussian(accounted, neighbours)).epsilon(delta)[1]
    if accounted.noise_multiplier < LEAST_NOISE:  # as if there were no sampling: more, and what it is worth is none
        return epsilon_at(replace(accounted, sampling_rate=None), delta, neighbours)
    return float(_composed(accounted, neighbours, COARSE, upwards=True).get_epsilon_for_delta(delta))


def _profile(accounted: GaussianSteps, neighbours: str, interval: float) -> Profile:
    if accounted.sampling_rate is None:
        return _Exact(gaussian(accounted, neighbours))
    return _Sampled(accounted, neighbours, interval)


@lru_cache(maxsize=16)
def _composed(accounted: GaussianSteps, neighbours: str, interval: float, *, upwards: bool) -> Any:
    """The privacy loss distribution of sampled steps, rounded up or down."""
    if neighbours != "add-remove":
        raise InvalidArgument(
            f"neighbours must be 'add-remove' where batches are Poisson samples, got {neighbours!r}: amplification by "
            "them is proved for records that are there or not"
        )
    try:
        from dp_accounting.pld import privacy_loss_distribution as losses
    except ImportError as error:
        raise InvalidArgument(
            f"steps with a sampling_rate need dp-accounting ({error}): install dpcheck[accounting]"
        ) from error
    # with little noise losses are large, and so many of them are no use
    wide = max(interval, 1e-5 / accounted.noise_multiplier**2)
    one = losses.from_gaussian_mechanism(
        accounted.noise_multiplier,
        sampling_prob=accounted.sampling_rate,
        pessimistic_estimate=upwards,
        use_connect_dots=upwards,
        value_discretization_interval=wide,
    )
    return one.self_compose(accounted.steps)


def gaussian(accounted: GaussianSteps, neighbours: str) -> GaussianDP:
    """What steps without sampling are, exactly."""
    replaced = 2.0 if neighbours == "replace-one" and accounted.additive else 1.0
    return GaussianDP(replaced * math.sqrt(accounted.uses) / accounted.noise_multiplier)


def follows(claim: Claim, accounted: GaussianSteps, neighbours: str) -> tuple[bool | None, str]:
    """Whether a claim follows from what was accounted: True, False, or None where it cannot be told; and why.

    Examples
    --------
    >>> steps = GaussianSteps(noise_multiplier=2.0, clipping_norm=1.0, steps=4)
    >>> follows(GaussianDP(1.0), steps, "add-remove"), follows(GaussianDP(0.9), steps, "add-remove")
    ((True, 'mu is 1 of the claimed 1'), (False, 'mu is 1, claimed is 0.9'))
    """
    if isinstance(claim, PureDP):
        return False, "Gaussian noise keeps no pure epsilon"
    if accounted.sampling_rate is None:
        exact = _exactly(claim, gaussian(accounted, neighbours).mu)
        if exact is not None:
            return exact
    if isinstance(claim, RenyiDP | ZeroConcentratedDP) and accounted.sampling_rate is not None:
        renyi = _renyi(claim, accounted)
        if renyi is not None:
            return renyi
    if not isinstance(claim, GridClaim) and accounted.sampling_rate is not None:
        epsilon, delta = claim_point(claim)
        most = epsilon_at(accounted, delta, neighbours)
        if not _exceeds(most, epsilon):
            return True, f"epsilon at delta {delta:.3g} is at most {most:.4g} of the claimed {epsilon:.4g}"
    if accounted.sampling_rate is not None and accounted.noise_multiplier < LEAST_NOISE:
        return None, f"with noise of {accounted.noise_multiplier:.3g} nothing can be computed that is of use"
    answer: tuple[bool | None, str] = (None, "")
    for interval in (COARSE, max(FINEST, min(COARSE, TOGETHER / accounted.steps))):
        profile = _profile(accounted, neighbours, interval)
        curve = isinstance(claim, GridClaim)
        answer = _by_points(claim, profile) if curve else _at_its_point(claim, profile)
        if answer[0] is not None or accounted.sampling_rate is None:
            break
    return answer


def _at_its_point(claim: Claim, profile: Profile) -> tuple[bool | None, str]:
    epsilon, delta = claim_point(claim)
    low, high = profile.epsilon(delta)
    if _exceeds(low, epsilon):
        return False, f"epsilon at delta {delta:.3g} is at least {at_least(low, '.4g')}, claimed is {epsilon:.4g}"
    if _exceeds(high, epsilon):
        return None, f"epsilon at delta {delta:.3g} is between {low:.4g} and {high:.4g}, claimed is {epsilon:.4g}"
    return True, f"epsilon at delta {delta:.3g} is at most {high:.4g} of the claimed {epsilon:.4g}"


def _exceeds(value: float, claimed: float) -> bool:
    return value > claimed * (1.0 + RELATIVE) + ABSOLUTE


def _exactly(claim: Claim, mu: float) -> tuple[bool, str] | None:
    if isinstance(claim, GaussianDP):
        name, value, claimed = "mu", mu, claim.mu
    elif isinstance(claim, ZeroConcentratedDP):
        name, value, claimed = "rho", mu**2 / 2.0, claim.rho
    elif isinstance(claim, RenyiDP):
        name, value, claimed = f"Rényi epsilon of order {claim.order:g}", claim.order * mu**2 / 2.0, claim.epsilon_value
    else:
        return None
    if _exceeds(value, claimed):
        return False, f"{name} is {value:.4g}, claimed is {claimed:.4g}"
    return True, f"{name} is {value:.4g} of the claimed {claimed:.4g}"


def _renyi(claim: RenyiDP | ZeroConcentratedDP, accounted: GaussianSteps) -> tuple[bool, str] | None:
    """A Rényi bound of sampled steps that is within the claim; what exceeds it is an upper bound, and shows nothing."""
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent
    from dp_accounting.rdp import RdpAccountant

    # amplification by sampling is lost at large orders, so that rho is that of all records in each step
    if isinstance(claim, ZeroConcentratedDP):
        rho = accounted.steps / (2.0 * accounted.noise_multiplier**2)
        return None if _exceeds(rho, claim.rho) else (True, f"rho is at most {rho:.4g} of the claimed {claim.rho:.4g}")
    accountant = RdpAccountant(orders=[float(claim.order)])
    event = PoissonSampledDpEvent(accounted.sampling_rate, GaussianDpEvent(accounted.noise_multiplier))
    accountant.compose(SelfComposedDpEvent(event, accounted.steps))
    found = float(accountant.rdp[0])
    if _exceeds(found, claim.epsilon_value):
        return None
    return (
        True,
        f"Rényi epsilon of order {claim.order:g} is at most {found:.4g} of the claimed {claim.epsilon_value:.4g}",
    )


def _by_points(claim: Claim, profile: Profile) -> tuple[bool | None, str]:
    """A profile beside a curve: above it somewhere shows that the claim does not follow."""
    top = max(1.0, profile.epsilon(1e-9)[1])
    # between its points a profile claims what follows from them
    own = (
        claim.points if isinstance(claim, ProfileDP) else [(top * place / (POINTS - 1), 0.0) for place in range(POINTS)]
    )
    within = True
    for epsilon, _ in own:
        low, high = profile.delta(epsilon)
        allowed = claim.delta(epsilon)
        if low > allowed * (1.0 + RELATIVE) + 1e-12:
            return False, f"delta at epsilon {epsilon:.3g} is {low:.3g}, claimed is {allowed:.3g}"
        within = within and high <= allowed * (1.0 + RELATIVE) + 1e-12
    if within and isinstance(claim, ProfileDP):
        return True, f"delta is within the claim at its {len(own):,} point{'s' if len(own) > 1 else ''}"
    if within and not isinstance(claim, RenyiDP | ZeroConcentratedDP):
        return True, f"delta is within the claim at {POINTS} epsilons up to {top:.3g}"
    return None, f"no epsilon up to {top:.3g} shows delta above the claim, which does not prove it"
