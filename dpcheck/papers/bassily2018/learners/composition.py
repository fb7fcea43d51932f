"""What m noisy majorities cost in privacy: basic, advanced and exact composition, and privacy loss distributions.

One record more or less changes the vote of one of the k models. In each query, then, one count falls by 1 and one rises
by 1, or none changes. The label of the largest noisy count is a function of the noisy counts of a query:

- *Laplace* noise of scale b on each count: exp(-|x|/b) changes by at most e^(1/b) where x does by 1, and there are two
  such counts, so a label is (2/b)-DP. With two labels the answer depends on the difference of the two noisy counts
  alone, which moves by 2 under the sum Z of two Laplace variables: :class:`DifferenceProfile` is its exact profile. It
  is that of the labels too, over all vote counts: log-concave noise is tested best by thresholds, and labels are such.
- *Gaussian* noise of standard deviation sigma: the vector of counts moves by sqrt 2 in its Euclidean norm, so a label
  has at most the profile of two normal laws sqrt(2)/sigma apart. With two labels this is exact in the same way.

Of m queries, each answered with fresh noise:

- ``"basic"``: epsilons add up, and deltas. Laplace: ``2 m / b``, pure. Gaussian: m epsilon0, with epsilon0 the exact
  profile's at delta/m.
- ``"advanced"``: ``min(m e, sqrt(2 m log(1/d)) e + m e tanh(e/2))`` at ``d + m delta0`` (Kairouz, Oh & Viswanath 2017,
  theorem 3.4, without the form that is seldom smaller). Proof: an (e, delta0)-DP answer is made of that of a randomised
  response of e and, with probability delta0, of one that reveals all. The response's loss is e or -e, of mean e
  tanh(e/2); by Hoeffding's inequality that of m of them exceeds its mean by t with probability at most exp(-t^2 / (2 m
  e^2)), which is d at t = sqrt(2 m log(1/d)) e. Laplace: e = 2/b, delta0 = 0, d = delta. Gaussian: half of delta is d,
  half is m delta0, e the exact profile's epsilon at delta0.
- ``"pld"``: the privacy loss distribution of m such answers by dp-accounting (extra ``accounting``): a pessimistic
  discretisation (connect the dots, Doroshenko et al. 2022, arXiv:2207.04380), convolved by Fourier transforms. It is an
  upper bound but for the rounding of doubles, which the library does not bound; the others are rounded upwards.
- ``"exact"``, for Gaussian noise only: m vectors of counts are one vector with normal noise, moved by sqrt(2 m), and so
  have together the exact profile at ``sqrt(2 m)/sigma``. ``"pld"`` comes within 4e-5 of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.parts.mechanisms.amplification import ball, rounded_up
from dpcheck.parts.mechanisms.gaussian import calibrated_sigma
from dpcheck.parts.mechanisms.parameters import at_least_zero, count, positive
from dpcheck.parts.mechanisms.profile import smallest_epsilon

Noise = Literal["laplace", "gaussian"]
Accounting = Literal["basic", "advanced", "pld", "exact"]
NOISES: tuple[str, ...] = get_args(Noise)
ACCOUNTINGS: tuple[str, ...] = get_args(Accounting)

#: The cells of the discretised loss of one answer between no loss and its largest (Laplace) or typical one (Gaussian):
#: fifty cost 4e-5 of epsilon, at any number of queries.
_CELLS = 50
#: No cell is wider than this, in nats.
_WIDEST_CELL = 1e-3
#: The loss of the whole is never more cells than this, whatever it is of the above: some seconds, some 100 megabytes.
_MOST_CELLS = 1 << 21
#: Noise beyond this is taken for this, which is no worse a bound; its square is a double.
_LARGEST_SCALE = 1e150
#: Less normal noise than this has no claim: the exponential of its loss is beyond what balls are quick with.
_LEAST_SIGMA = 1e-12
#: Losses beyond so many nats are no privacy, and dp-accounting's doubles do not hold their exponentials.
_LARGEST_LOSS = 1e3
#: A normal loss is so many deviations from its mean with the probability that dp-accounting cuts off.
_DEVIATIONS = 9.0
#: dp-accounting cuts off tails of 1e-15; deltas near that are not told from what it cuts.
_LEAST_DELTA = 1e-12
#: Scales are found to within this part of themselves, from the safe side; the pessimism of loss distributions is more.
_SHARPNESS = {"basic": 1e-9, "advanced": 1e-9, "pld": 1e-6, "exact": 1e-9}
#: A fixed point of nearly proportional quantities is reached in five steps; more steps than this are a defect.
_MOST_STEPS = 200
#: Halvings of a bracket: more than the bits of a double.
_HALVINGS = 80
WHAT_TO_INSTALL = "install dpcheck[accounting], which has dp-accounting 0.6 or newer"


@dataclass(frozen=True)
class DifferenceProfile:
    """The exact profile of Z and Z + 2, Z the difference of two independent Laplace variables of one scale.

    That of a binary query: the supremum over vote counts of what the label says. Z has the density
    ``(1 + |z|/b) exp(-|z|/b) / (4 b)``, which is log-concave, so the best event is ``Z + 2 > t`` where the log ratio of
    the densities is epsilon at t; it rises with t towards 2/b, which it does not reach.

    Parameters
    ----------
    scale : float, above 0
        b, of the noise on each of the two counts.

    Raises
    ------
    InvalidArgument
        When it is no number above 0.

    Examples
    --------
    >>> profile = DifferenceProfile(2.0)
    >>> round(profile.delta(0.0), 6), profile.delta(1.0), profile.epsilon(0.0)
    (0.241837, 0.0, 1.0)
    """

    scale: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive("scale", self.scale))

    def delta(self, epsilon: float) -> float:
        """``P(Z > t - 2) - exp(epsilon) P(Z > t)`` at the t where the log ratio is epsilon; 0 from 2/b on."""
        return float(self.deltas(np.array([at_least_zero("epsilon", epsilon)]))[0])

    def epsilon(self, delta: float) -> float:
        """``2/b`` at delta 0, else the inverse by bisection."""
        return 2 / self.scale if delta == 0 else smallest_epsilon(self.delta, delta)

    def deltas(self, epsilons: NDArray[np.float64]) -> NDArray[np.float64]:
        """The profile at epsilons of any sign, shape (k,); below 0 they belong to the other side of the pair."""
        step = 2 / self.scale
        wanted = np.clip(epsilons, -step, step)
        # in units of the scale the log ratio at u is |u| - |u - step| + log((1 + |u - step|) / (1 + |u|)); it rises
        low, high = np.full(len(wanted), step / 2), np.full(len(wanted), step)
        target = np.abs(wanted)  # the log ratio is odd about the middle: -epsilon is where the mirrored point is
        while (short := self._log_ratio(high) < target).any() and high.max() < _FAR:
            high = np.where(short, 2 * high, high)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            below = self._log_ratio(middle) < target
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        point = np.where(wanted >= 0, low, step - low)
        found = _tail(point - step) - np.exp(wanted) * _tail(point)
        found = np.maximum(found, -np.expm1(np.minimum(wanted, 0.0)))
        return np.where(epsilons >= step, 0.0, np.where(epsilons <= -step, -np.expm1(epsilons), found))

    def _log_ratio(self, point: NDArray[np.float64]) -> NDArray[np.float64]:
        near, far = np.abs(point - 2 / self.scale), np.abs(point)
        return np.asarray(far - near + np.log1p(near) - np.log1p(far))


#: Points beyond so many scales: their tails are 0 in doubles.
_FAR = 800.0


def _tail(point: NDArray[np.float64]) -> NDArray[np.float64]:
    """``P(Z > u)`` with the scale as unit: ``(1 + u/2) exp(-u) / 2`` for u >= 0, and its mirror image."""
    far = np.abs(point)
    beyond = (1 + far / 2) * np.exp(-far) / 2
    return np.asarray(np.where(point >= 0, beyond, 1 - beyond))


def composed_claim(
    noise: str, scale: float | Fraction, queries: int, accounting: str = "pld", delta: float = 0.0, classes: int = 2
) -> PureDP | ApproxDP:
    """What m labels of largest noisy counts promise together.

    Parameters
    ----------
    noise : ``"laplace"`` or ``"gaussian"``
    scale : float or Fraction, above 0
        The Laplace scale b, or the standard deviation sigma, of the noise on each count; a float is what it is exactly.
    queries : int, at least 1
        m.
    accounting : ``"basic"``, ``"advanced"``, ``"pld"`` or ``"exact"``
        See the module; the last is for Gaussian noise.
    delta : float, at least 0, below 1
        Not used by basic composition of Laplace noise, which is pure.
    classes : int, at least 2
        With two, ``"pld"`` takes the smaller profile of the difference for Laplace noise.

    Returns
    -------
    PureDP
        For Laplace noise and basic composition: exact.
    ApproxDP
        Otherwise, epsilon rounded upwards.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, delta is 0 where it may not be, or dp-accounting is wanted and not there.

    Examples
    --------
    >>> composed_claim("laplace", 40.0, queries=10, accounting="basic")
    PureDP(epsilon=0.5)
    >>> for accounting in ("basic", "advanced", "pld", "exact"):
    ...     print(f"{composed_claim('gaussian', 400.0, 1000, accounting, delta=1e-6).epsilon_value:.3f}")
    16.553
    3.046
    0.447
    0.447
    """
    known("noise", noise, NOISES)
    known("accounting", accounting, ACCOUNTINGS)
    if noise == "laplace" and accounting == "exact":
        raise InvalidArgument("accounting must be basic, advanced or pld for laplace noise, got 'exact'")
    exact = Fraction(scale) if isinstance(scale, Fraction) and scale > 0 else Fraction(positive("scale", scale))
    many, several = count("queries", queries), count("classes", classes, least=2)
    if noise == "laplace" and accounting == "basic":
        return PureDP(2 * many / exact)
    allowed = at_least_zero("delta", delta)
    if not 0 < allowed < 1:
        raise InvalidArgument(
            f"delta must be above 0 and below 1 for accounting={accounting!r} of {noise} noise, got {delta!r}"
            + ("; accounting='basic' needs none" if noise == "laplace" else "")
        )
    if noise == "gaussian" and exact < _LEAST_SIGMA:
        raise InvalidArgument(f"scale must be at least {_LEAST_SIGMA:g} for gaussian noise, got {scale!r}")
    return ApproxDP(_composed(noise, exact, many, accounting, allowed, several), allowed)


def scale_for(
    epsilon: float,
    delta: float,
    queries: int,
    *,
    noise: str = "gaussian",
    accounting: str = "pld",
    classes: int = 2,
) -> float:
    """The smallest noise scale whose claim is (epsilon, delta), to six digits or more, from the safe side.

    Solved numerically and checked: the claim of the scale returned has an epsilon of at most the one asked for.

    Parameters
    ----------
    epsilon : float, nats, above 0
    delta : float, at least 0, below 1
    queries : int, at least 1
    noise, accounting, classes
        As for :func:`composed_claim`.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Examples
    --------
    >>> scale_for(0.5, 0.0, 10, noise="laplace", accounting="basic")
    40.0
    >>> for accounting in ("basic", "advanced", "pld"):
    ...     print(f"{scale_for(1.0, 1e-6, 1000, accounting=accounting):.1f}")
    5830.3
    1129.9
    188.9
    """
    wanted = positive("epsilon", epsilon)

    def reached(scale: float) -> float:
        return composed_claim(noise, scale, queries, accounting, delta, classes).epsilon_value

    if noise == "laplace" and accounting == "basic":
        scale = 2 * count("queries", queries) / wanted
        while 2 * Fraction(queries) / Fraction(scale) > Fraction(wanted):
            scale = math.nextafter(scale, math.inf)
        return scale
    scale = calibrated_sigma(wanted, delta, math.sqrt(2 * queries)) if 0 < delta < 1 else 1.0
    bad, good, sharp = 0.0, math.inf, _SHARPNESS[accounting]
    for _ in range(_MOST_STEPS):
        there = reached(scale)
        if there > wanted:
            bad = scale
        else:
            good = scale
            if there >= wanted * (1 - sharp) or good - bad <= sharp * good:
                return good
        # epsilon is nearly proportional to 1/scale; aimed a little to the safe side
        guess = scale * there / wanted * (1 + sharp / 2)
        if not bad < guess < good:
            guess = (bad + good) / 2 if math.isfinite(good) else 2 * scale
        scale = guess
    raise AssertionError(f"no scale was found for epsilon {epsilon!r} in {_MOST_STEPS} steps")


def known(name: str, value: object, names: tuple[str, ...]) -> None:
    """Refuse a name that is none of those known.

    Raises
    ------
    InvalidArgument
        With the nearest one.
    """
    if value not in names:
        raise InvalidArgument(f"{name} must be one of {', '.join(names)}, got {value!r}{nearest(str(value), names)}")


@lru_cache(maxsize=4096)
def _composed(noise: str, scale: Fraction, queries: int, accounting: str, delta: float, classes: int) -> float:
    """Epsilon of the composition at delta, rounded upwards."""
    if accounting == "exact":
        return rounded_up(lambda: _gaussian_epsilon(2 * queries / scale**2, Fraction(delta)))
    if accounting == "basic":  # of Gaussian noise
        return rounded_up(lambda: queries * _gaussian_epsilon(2 / scale**2, Fraction(delta) / queries))
    if accounting == "advanced":
        if noise == "laplace":
            return _advanced(lambda: ball(2 / scale), queries, Fraction(delta))
        half = Fraction(delta) / 2
        of_one = _gaussian_epsilon(2 / scale**2, half / queries)
        together = _advanced(lambda: of_one, queries, half)
        return min(together, _composed(noise, scale, queries, "basic", delta, classes))
    found = _by_loss_distribution(noise, float(scale), queries, delta, classes)
    if noise == "laplace":
        found = min(found, rounded_up(lambda: ball(2 * queries / scale)))
    return found


def _advanced(of_one: Callable[[], Any], queries: int, delta: Fraction) -> float:
    """``min(m e, sqrt(2 m log(1/delta)) e + m e tanh(e/2))``, rounded upwards."""

    def bound() -> Any:
        each = of_one()
        spread = (2 * queries * ball(1 / delta).log()).sqrt() * each
        return (queries * each).min(spread + queries * each * (each / 2).tanh())

    return rounded_up(bound)


def _gaussian_epsilon(squared: Fraction, delta: Fraction) -> Any:
    """A ball above the epsilon at delta of normal laws s deviations apart, s^2 given; to 60 bits.

    Source: Balle & Wang 2018, arXiv:1805.06530, theorem 8: the profile ``Phi(s/2 - e/s) - exp(e) Phi(-s/2 - e/s)``.
    """
    from flint import arb, ctx

    with ctx.workprec(256):
        shift, allowed = ball(squared).sqrt(), ball(delta)

        def kept(epsilon: Any) -> bool:
            middle = epsilon / shift
            return bool(_normal(shift / 2 - middle) - epsilon.exp() * _normal(-shift / 2 - middle) <= allowed)

        if kept(arb(0)):
            return arb(0)
        low, high = arb(0), shift
        while not kept(high):
            low, high = high, 2 * high
        for _ in range(_HALVINGS):
            middle = (low + high).mid() / 2
            low, high = (low, middle) if kept(middle) else (middle, high)
        return high


def _normal(point: Any) -> Any:
    """The normal distribution function of a ball."""
    from flint import arb

    return (-point / arb(2).sqrt()).erfc() / 2


def _by_loss_distribution(noise: str, scale: float, queries: int, delta: float, classes: int) -> float:
    """Epsilon by dp-accounting's privacy loss distribution."""
    try:
        from dp_accounting.pld import pld_pmf, privacy_loss_distribution
    except ImportError as error:
        raise InvalidArgument(f"accounting='pld' needs dp-accounting ({error}): {WHAT_TO_INSTALL}") from error
    if delta < _LEAST_DELTA:
        raise InvalidArgument(f"delta must be at least {_LEAST_DELTA:g} for accounting='pld', got {delta!r}")
    times, scale = queries, min(scale, _LARGEST_SCALE)
    cell = _cell(noise, scale, queries)
    if noise == "gaussian":
        one = privacy_loss_distribution.from_gaussian_mechanism(
            scale, sensitivity=math.sqrt(2), value_discretization_interval=cell, use_connect_dots=True
        )
    elif classes == 2:
        last = math.ceil(2 / scale / cell)
        steps = np.arange(-last, last + 1)
        deltas = DifferenceProfile(scale).deltas(cell * steps.astype(np.float64))
        pmf = pld_pmf.create_pmf_pessimistic_connect_dots(cell, steps, np.minimum.accumulate(deltas))
        one = privacy_loss_distribution.PrivacyLossDistribution(pmf)
    else:  # two counts change: two Laplace mechanisms in each query
        times = 2 * queries
        one = privacy_loss_distribution.from_laplace_mechanism(
            scale, sensitivity=1, value_discretization_interval=cell / 2, use_connect_dots=True
        )
    # where probabilities are nearly 0 some of its bounds on what it may cut off are infinite: it takes the least one
    with np.errstate(over="ignore"):
        whole = one.self_compose(times) if times > 1 else one
    found = float(whole.get_epsilon_for_delta(delta))
    if not math.isfinite(found):
        raise InvalidArgument(f"delta must be above what the accountant cuts off for accounting='pld', got {delta!r}")
    return found


def _cell(noise: str, scale: float, queries: int) -> float:
    """The width of a cell, in nats; the loss of the whole must not be far beyond what is called private."""
    loss = (math.sqrt(2) if noise == "gaussian" else 2.0) / scale
    spread = _DEVIATIONS * loss * math.sqrt(queries)
    if noise == "gaussian":
        whole = queries * loss * loss / 2 + spread
    else:
        whole = queries * loss * min(1.0, math.tanh(loss / 2) + spread / (queries * loss))
    if not whole <= _LARGEST_LOSS:
        raise InvalidArgument(
            f"scale must be larger for accounting='pld': the privacy loss of {queries:,} queries at scale {scale:g} "
            f"may be {whole:.3g}, and at most {_LARGEST_LOSS:g} is accounted; accounting='basic' takes any"
        )
    return max(min(loss / _CELLS, _WIDEST_CELL), whole / _MOST_CELLS)
