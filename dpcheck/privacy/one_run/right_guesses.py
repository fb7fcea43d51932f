"""How probable so many right guesses are at most, whatever a learner does that keeps its claim.

Canaries are in the data or not, each by a fair coin of its own. From the learner's output alone, ``guesses`` of the
``canaries`` are guessed to be in or out; ``right`` of these guesses are right. Both numbers of guesses and canaries
are fixed before.

Let p(k) be the probability of k right guesses. Averaging a learner over all ways to exchange canaries, and their ins
for outs, keeps its claim and p; what is left of it is p alone. For a canary, U(k) = p(k + 1)(k + 1)/m is the
probability that it is guessed rightly beside k others, and L(k) = p(k)(r - k)/m that it is guessed wrongly beside k
others: the same outputs, with that canary's coin turned. So a claim says of p just this: for all epsilon, what of U
exceeds e^epsilon L, and of L e^epsilon U, sums to at most delta(epsilon). It follows of P(right or more):

*Without delta*: U <= e^epsilon L has the binomial law as its extreme (Steinke, Nasr & Jagielski 2023,
arXiv:2305.08846, theorem 3.1).

*With one delta* (:func:`of_one_point`): the linear programme "the most of p above ``right``, given the constraint" has
a dual with a price per level, at most ``price``, and any such prices prove a bound. For the best price it is below the
theorem 5.2 of the same paper, which charges twice the delta.

*For any trade-off* (:func:`of_trade_off`): if P(right or more) = a, then for i <= right the events "right beside i - 1
others at least" and "wrong beside i - 1 others at least" have probabilities U_i and L_i with L_i >= least_wrong(U_i).
Mass above ``right`` moved down to it, and mass at i - 1 that the constraint does not ask for moved down to i - 2, make
every U smaller and every L larger; so the least mass altogether is that of the path on which each level has just what
is asked for. Where it is more than 1, such an a is not possible. (The recursion of Mahloujifar, Melis & Chaudhuri
2024, arXiv:2410.22235, algorithm "rh with cap".)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP, Claim, PureDP, claim_point
from dpcheck.privacy.one_run.trade_off import TradeOff, trade_off_of

Floats = NDArray[np.float64]

#: Probabilities that are tried at once, and how often between two of them: to four digits and a half.
TRIED, ROUNDS = 64, 4
#: No probability below this is told apart from it.
LEAST = 1e-280
#: Prices of delta that are tried at once, in parts of the largest one that can be best, and bisections for each.
PRICES: Floats = np.concatenate([2.0 ** np.arange(-40.0, -3.0, 1.0), np.linspace(0.15, 1.0, 35)])
HALVINGS = 48
#: Where so high a price is asked, nothing is proved.
LARGEST = 1e280
#: Standard deviations below the middle of the binomial law from which on levels count.
FAR = 12.0
#: No number of canaries says anything of claims above this.
FARTHEST = 600.0
#: What sums in doubles are taken to be off by, on the safe side.
SLACK = 1e-9


def refutes(right: int, guesses: int, canaries: int, claim: Claim, alpha: float) -> bool:
    """Whether :func:`most_probable` is at most ``alpha``, without asking how probable it is.

    >>> refutes(10, 10, 10, PureDP(0.0), 0.001), refutes(9, 9, 9, PureDP(0.0), 0.001)
    (True, False)
    """
    if right <= 0:
        return False
    if _is_pure(claim):
        return of_pure(right, guesses, claim_point(claim)[0]) <= alpha
    if not path_fits(np.array([alpha]), right, guesses, canaries, trade_off_of(claim))[0]:
        return True
    if not isinstance(claim, ApproxDP):
        return False
    epsilon, delta = claim_point(claim)
    asked = _asked(right, guesses, epsilon)
    if asked >= LARGEST:
        return False
    prices = PRICES * asked
    left = alpha * (1.0 - SLACK) - prices * delta * canaries / guesses
    prices, left = prices[left > 0.0], left[left > 0.0]
    return bool(_proves(left, prices, asked, right, guesses, epsilon).any())


def most_probable(right: int, guesses: int, canaries: int, claim: Claim) -> float:
    """The most that a learner which keeps its claim can make ``right`` or more right guesses, of ``guesses``.

    Parameters
    ----------
    right, guesses, canaries : int, with right <= guesses <= canaries
    claim : Claim
        Of neighbours that differ in one canary being in or out.

    Examples
    --------
    >>> from dpcheck.model.claims import GaussianDP
    >>> round(most_probable(10, 10, 10, PureDP(ratio=3)), 6) == round(0.75**10, 6)
    True
    >>> most_probable(99, 100, 1000, GaussianDP(1.0)) < 0.03 < most_probable(98, 100, 1000, GaussianDP(1.0))
    True
    """
    if right <= 0:
        return 1.0
    if _is_pure(claim):
        return of_pure(right, guesses, claim_point(claim)[0])
    bound = of_trade_off(right, guesses, canaries, trade_off_of(claim))
    if isinstance(claim, ApproxDP):
        return min(bound, of_one_point(right, guesses, canaries, claim.epsilon_value, claim.delta_value))
    return bound


def of_pure(right: int, guesses: int, epsilon: float) -> float:
    """The tail of the binomial law.

    >>> round(of_pure(2, 2, 0.0), 9)
    0.25
    """
    from scipy.stats import binom

    return min(1.0, float(binom.sf(right - 1, guesses, 1.0 / (1.0 + math.exp(-epsilon)))) * (1.0 + SLACK))


def of_one_point(right: int, guesses: int, canaries: int, epsilon: float, delta: float) -> float:
    """The bound for one (epsilon, delta), by the dual of the linear programme.

    With prices x(k) in [0, price], "V >= 1{k >= right} - x(k - 1) k / r + e^epsilon x(k) (r - k) / r for all k" proves
    P(right or more) <= V + price * delta * canaries / guesses. Below ``right`` the largest prices allowed are taken;
    above it the least that suffice are those of the binomial law's tail.

    >>> of_one_point(20, 20, 20, 1.0, 0.01) < 0.012  # twice the delta for each canary: 0.0508
    True
    """
    asked = _asked(right, guesses, epsilon)
    if asked >= LARGEST:
        return 1.0
    prices = PRICES * asked
    low, high = np.full(len(prices), LEAST), np.ones(len(prices))
    for _ in range(HALVINGS):
        value = np.sqrt(low * high)
        proved = _proves(value, prices, asked, right, guesses, epsilon)
        low, high = np.where(proved, low, value), np.where(proved, value, high)
    return min(1.0, float((high + prices * delta * canaries / guesses).min()) * (1.0 + SLACK))


def _is_pure(claim: Claim) -> bool:
    return isinstance(claim, PureDP) or (isinstance(claim, ApproxDP) and claim.delta_value == 0.0)


def _asked(right: int, guesses: int, epsilon: float) -> float:
    """The price just below ``right`` that the levels above it ask for, in parts of 1 - V: from the top down.

    >>> round(_asked(2, 2, 0.0), 6), round(_asked(1, 2, 0.0), 6)
    (1.0, 3.0)
    """
    if epsilon > FARTHEST:
        return LARGEST
    odds, price = math.exp(epsilon), 0.0
    for level in range(guesses, right - 1, -1):
        price = min((1.0 + odds * price * (guesses - level) / guesses) * guesses / level, LARGEST)
    return price * (1.0 + SLACK)


def _proves(value: Floats, prices: Floats, asked: float, right: int, guesses: int, epsilon: float) -> NDArray[np.bool_]:
    """Whether V = ``value`` is proved with such largest prices, arrays of shape (P,)."""
    chance = 1.0 / (1.0 + math.exp(-epsilon))
    # a price of 0 is always allowed: those far below the middle of the binomial law buy nothing
    first = max(0, int(guesses * chance - FAR * math.sqrt(guesses * chance * (1.0 - chance)) - FAR))
    levels = np.arange(min(first, right - 1), right)
    up, down = levels / guesses, guesses / (math.exp(epsilon) * (guesses - levels))
    price = np.zeros(len(prices))
    for share, factor in zip(up.tolist(), down.tolist(), strict=True):
        price = np.minimum(prices, (value + price * share) * factor)
    return np.asarray(price >= (1.0 - value) * asked)


def of_trade_off(right: int, guesses: int, canaries: int, trade_off: TradeOff) -> float:
    """The bound for any trade-off: the largest probability whose path has a mass of at most 1.

    >>> from dpcheck.privacy.one_run.trade_off import OfNormalLaws
    >>> of_trade_off(6, 10, 10, OfNormalLaws(0.0)) > 0.376  # that of fair coins, which it is above
    True
    """
    low, high = math.log(LEAST), 0.0
    if path_fits(np.array([1.0]), right, guesses, canaries, trade_off)[0]:
        return 1.0
    for _ in range(ROUNDS):
        logs = np.linspace(low, high, TRIED)
        fits = path_fits(np.exp(logs), right, guesses, canaries, trade_off)
        first = int(np.argmin(fits))  # the first that does not fit: the last one never does
        low, high = float(logs[max(first - 1, 0)]), float(logs[first])
        if first == 0:
            break
    return math.exp(high)


def path_fits(chances: Floats, right: int, guesses: int, canaries: int, trade_off: TradeOff) -> NDArray[np.bool_]:
    """Whether ``right`` or more guesses can be right with such probabilities, array of shape (A,)."""
    of_right = chances * right / canaries
    of_wrong = chances * (guesses - right) / canaries
    for level in range(right - 1, -1, -1):
        asked = np.maximum(of_wrong, trade_off.least_wrong(of_right))
        if np.array_equal(asked, of_wrong):
            break  # nothing more is asked for at lower levels either
        of_right = of_right + (asked - of_wrong) * (level / (guesses - level))
        of_right, of_wrong = np.minimum(of_right, 1.0), asked
    return np.asarray(of_right + of_wrong <= guesses / canaries * (1.0 + SLACK))
