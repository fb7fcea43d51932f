"""The verdict on scores: canaries are guessed from them, and the right guesses are held against the claim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcheck.model.claims import ApproxDP, Claim, CurveClaim, PureDP, as_claim, claim_point
from dpcheck.model.claims.points import GridClaim
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.model.verdict import Finding, Status
from dpcheck.model.verdict.record import argv, environment
from dpcheck.privacy.one_run.guess_plan import GuessPlan, plan_guesses, plan_of
from dpcheck.privacy.one_run.lower_bounds import certified_epsilon, certified_parameter
from dpcheck.privacy.one_run.right_guesses import most_probable
from dpcheck.privacy.one_run.values import OneRunVerdict

#: One statement at the usual confidence: no run of a thousand canaries can say much at a smaller one.
ALPHA = 0.05
#: Where epsilon is certified of a claim of a whole curve.
DELTA = 1e-5
#: So improbable a number of canaries that are in is not that of fair coins.
UNFAIR = 1e-9
#: Equal scores are put in an order by lot, from this seed: never by their place, which may say who was in.
_LOTS = 0x0E
#: A leak "would have been caught" is asked of twice the claim, at least so much more.
TIMES, MORE = 2.0, 0.1
#: From so many canaries on it is strange that exactly half of them are in.
STRANGE = 20
RELATIONS = ("add-remove", "replace-one")
ON_YOUR_WORD = "each by a fair coin of its own, on your word"

_BINOMIAL = "binomial law (Steinke, Nasr & Jagielski 2023, theorem 3.1)"
_PRICES = "linear programme of all laws of right guesses under (epsilon, delta), by its dual"
_PATH = "recursion for trade-off functions (Mahloujifar, Melis & Chaudhuri 2024)"


@dataclass(frozen=True)
class Guessed:
    """How many canaries were guessed to be in and out, and how many of each rightly."""

    guesses_in: int
    guesses_out: int
    right_in: int
    right_out: int


def one_run_verdict(
    scores: ArrayLike,
    included: ArrayLike,
    claim: Claim | float,
    *,
    alpha: float = ALPHA,
    guesses: int | tuple[int, int] | None = None,
    detect: float | None = None,
    delta: float | None = None,
    neighbours: str = "add-remove",
    target: str = "the training",
) -> OneRunVerdict:
    """Is a claim compatible with how well canaries can be told to have been in the data?

    Each canary was in the training data or not, by a fair coin of its own that the training knew nothing of. Each has a
    score, the higher the more likely it was in. The canaries with the highest scores are guessed to have been in, those
    with the lowest to have been out; a learner that keeps its claim lets so many of these guesses be right with
    probability ``p_value`` at most.

    Parameters
    ----------
    scores : array of shape (m,) or (runs, m)
        A number for each canary, made from what the training gave (loss, likelihood ratio, projection of a gradient)
        and not from ``included``; missing ones (NaN) are not guessed. Rows are runs, each with coins of its own.
    included : array of bool of the same shape
        Which canaries were in.
    claim : Claim or float
        Of neighbours that differ in one canary: see ``neighbours``. A number is an epsilon.
    alpha : float
        The probability with which a learner that keeps its claim may be said to violate it.
    guesses : int, or (int, int), optional
        How many are guessed, half of them to be in; or how many to be in, and out. It must be fixed before scores are
        seen. By default the number that refutes the smallest leak, from the claim, alpha and the number of canaries.
    detect : float, optional
        The epsilon (at the claim's delta) that must not be missed: if the scores of such a learner could not have been
        refuted, the verdict is inconclusive. By default twice the claim's, at least 0.1 more.
    delta : float, optional
        Where ``epsilon_lower`` is said. By default the claim's own, 1e-5 for a claim of a whole curve.
    neighbours : {"add-remove", "replace-one"}
        What a canary that is out means: that it is not there, or that another record is in its place.
    target : str
        What the verdict calls what was trained.

    Returns
    -------
    OneRunVerdict

    Raises
    ------
    InvalidArgument
        For anything else, and where so many canaries are in, or out, as fair coins never make.

    Source: Steinke, Nasr & Jagielski 2023 (arXiv:2305.08846); Mahloujifar, Melis & Chaudhuri 2024 (arXiv:2410.22235);
    the proofs are in :mod:`dpcheck.privacy.one_run.right_guesses`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> included = rng.random(1000) < 0.5
    >>> scores = 3.0 * included + rng.normal(size=1000)  # 3-GDP
    >>> verdict = one_run_verdict(scores, included, 0.5)
    >>> verdict.status, verdict.epsilon_lower > 1.0
    (<Status.VIOLATED: 'violated'>, True)
    """
    claim = as_claim(claim)
    table, coins = _checked(scores, included)
    epsilon = claim_point(claim)[0]
    alpha, delta = _checked_alpha(alpha), _checked_delta(delta, claim)
    check_relation(neighbours)
    canaries = int(table.size)
    plan = _planned(guesses, canaries, int(np.isfinite(table).sum() + np.isinf(table).sum()), claim, alpha)
    guessed = guess(table.ravel(), coins.ravel(), plan.guesses_in, plan.guesses_out)
    asked = max(TIMES * epsilon, epsilon + MORE) if detect is None else _checked_detect(detect, epsilon)
    right = guessed.right_in + guessed.right_out
    p_value = most_probable(right, plan.guesses, canaries, claim)
    lower = certified_epsilon(right, plan.guesses, canaries, delta, alpha)
    own = certified_parameter(claim, right, plan.guesses, canaries, alpha) if isinstance(claim, CurveClaim) else lower
    alike = float(np.nanmin(table)) == float(np.nanmax(table))
    return OneRunVerdict(
        status=_status(p_value <= alpha, plan.detectable_epsilon > asked or alike),
        claim=claim,
        relation=neighbours,
        alpha=alpha,
        p_value=p_value,
        delta=delta,
        epsilon_lower=lower,
        parameter_lower=own,
        canaries=canaries,
        included=int(coins.sum()),
        runs=len(table),
        guesses_in=plan.guesses_in,
        guesses_out=plan.guesses_out,
        right_in=guessed.right_in,
        right_out=guessed.right_out,
        needed=plan.needed,
        detect=asked,
        detectable_epsilon=plan.detectable_epsilon,
        inclusion=ON_YOUR_WORD,
        theorem=_theorem(claim),
        findings=_findings(table, coins, guessed, alike=alike),
        environment=environment(),
        target=target,
        argv=argv(),
    )


def check_relation(neighbours: str) -> None:
    """Refuse what says of no canary what it is where it is out."""
    if neighbours not in RELATIONS:
        hint = nearest(str(neighbours), RELATIONS)
        raise InvalidArgument(f"neighbours must be one of {', '.join(RELATIONS)}, got {neighbours!r}{hint}")


def guess(scores: NDArray[np.float64], included: NDArray[np.bool_], guesses_in: int, guesses_out: int) -> Guessed:
    """Guess the highest scores to be in and the lowest to be out; equal ones by lot, missing ones not at all.

    >>> guess(np.array([0.1, 3.0, -2.0, 0.5]), np.array([True, True, True, False]), 1, 1)
    Guessed(guesses_in=1, guesses_out=1, right_in=1, right_out=0)
    """
    known = np.flatnonzero(~np.isnan(scores))
    lots = np.random.default_rng(_LOTS).permutation(len(scores))[known]
    order = known[np.lexsort((lots, scores[known]))]
    lowest, highest = order[:guesses_out], order[len(order) - guesses_in :]
    return Guessed(guesses_in, guesses_out, int(included[highest].sum()), int((~included[lowest]).sum()))


def _status(refuted: bool, blind: bool) -> Status:
    if refuted:
        return Status.VIOLATED
    return Status.INCONCLUSIVE if blind else Status.NO_VIOLATION_FOUND


def _theorem(claim: Claim) -> str:
    if isinstance(claim, PureDP) or claim_point(claim)[1] == 0.0:
        return _BINOMIAL
    if isinstance(claim, ApproxDP):
        return f"{_PRICES}; {_PATH}"
    return _PATH if not isinstance(claim, GridClaim) else f"{_PATH}, through the points of the claim's curve"


def _checked(scores: ArrayLike, included: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Scores and coins as tables of shape (runs, m)."""
    table, coins = _numbers("scores", scores), _bits(included)
    if table.shape != coins.shape:
        raise InvalidArgument(
            f"included must have a coin for each score, got shape {coins.shape} beside scores of shape {table.shape}"
        )
    table, coins = np.atleast_2d(table), np.atleast_2d(coins)
    if table.ndim != 2 or table.size < 2:
        raise InvalidArgument(f"scores must be of shape (m,) or (runs, m) with at least 2 canaries, got {table.shape}")
    if np.isnan(table).all():
        raise InvalidArgument("scores must be numbers, got NaN for every canary")
    from scipy.stats import binomtest

    count, size = int(coins.sum()), int(coins.size)
    if binomtest(count, size, 0.5).pvalue < UNFAIR:
        raise InvalidArgument(
            f"included must be fair coins, one for each canary, got {count:,} in of {size:,}: "
            "draw them with dpcheck.canaries, or rng.random(m) < 0.5"
        )
    return table, coins


def _numbers(name: str, values: ArrayLike) -> NDArray[np.float64]:
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "biuf":
            raise ValueError
        return found.astype(np.float64)
    except (ValueError, TypeError):
        raise InvalidArgument(
            f"{name} must be numbers, an array of shape (m,) or (runs, m), got {_shown(values)}"
        ) from None


def _bits(included: ArrayLike) -> NDArray[np.bool_]:
    try:
        found = np.asarray(included)
    except ValueError:
        found = np.asarray([""])
    if found.dtype.kind == "b":
        return found
    if found.dtype.kind in "iuf" and np.isin(found, (0, 1)).all():
        return found.astype(np.bool_)
    raise InvalidArgument(f"included must be True or False (or 1 or 0) for each canary, got {_shown(included)}")


def _shown(values: Any) -> str:
    text = repr(values)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _checked_alpha(alpha: float) -> float:
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0.0 < alpha < 1.0:
        raise InvalidArgument(f"alpha must be a probability above 0 and below 1, got {alpha!r}")
    return float(alpha)


def _checked_delta(delta: float | None, claim: Claim) -> float:
    if delta is None:
        return DELTA if isinstance(claim, GridClaim) else claim_point(claim)[1]
    if isinstance(delta, bool) or not isinstance(delta, int | float) or not 0.0 <= delta < 1.0:
        raise InvalidArgument(f"delta must be a probability of at least 0 and below 1, got {delta!r}")
    return float(delta)


def _checked_detect(detect: float, epsilon: float) -> float:
    if isinstance(detect, bool) or not isinstance(detect, int | float) or not epsilon < detect < math.inf:
        raise InvalidArgument(f"detect must be an epsilon above the claim's, {epsilon:.4g}, got {detect!r}")
    return float(detect)


def _planned(guesses: int | tuple[int, int] | None, canaries: int, known: int, claim: Claim, alpha: float) -> GuessPlan:
    if guesses is None:
        plan = plan_guesses(canaries, cast("Any", claim), alpha)  # every claim is a frozen value
        if plan.guesses > known:
            raise InvalidArgument(
                f"scores must be known of at least {plan.guesses:,} canaries, which are guessed, got {known:,}; "
                "fewer guesses can be asked for with guesses="
            )
        return plan
    wanted = f"a number of canaries from 1 to {known:,}, or two that sum to no more, got {guesses!r}"
    pair: Sequence[Any] = (guesses,) if isinstance(guesses, int) else guesses
    if not isinstance(pair, Sequence) or len(pair) not in (1, 2):
        raise InvalidArgument(f"guesses must be {wanted}")
    if any(isinstance(one, bool) or not isinstance(one, int) or one < 0 for one in pair):
        raise InvalidArgument(f"guesses must be {wanted}")
    if not 1 <= sum(pair) <= known:
        raise InvalidArgument(f"guesses must be {wanted}")
    both = (pair[0] - pair[0] // 2, pair[0] // 2) if len(pair) == 1 else (pair[0], pair[1])
    return plan_of(*both, canaries, claim, alpha)


def _findings(
    table: NDArray[np.float64], coins: NDArray[np.bool_], guessed: Guessed, *, alike: bool
) -> tuple[Finding, ...]:
    found = []
    if alike:
        found.append(Finding("scores alike", "all canaries have one score, which tells nothing about who was in"))
    missing = int(np.isnan(table).sum())
    if missing:
        found.append(
            Finding("scores missing", f"{missing:,} of {table.size:,} canaries have none, and were not guessed")
        )
    halves = [row for row in coins if 2 * int(row.sum()) == len(row) >= STRANGE]
    if len(halves) == len(coins) and (len(coins) > 1 or len(coins[0]) >= STRANGE):
        found.append(
            Finding(
                "exactly half in",
                "as many canaries are in as are out: if that was arranged, their coins depend on each other and this "
                "verdict is not valid",
            )
        )
    right, made = guessed.right_in + guessed.right_out, guessed.guesses_in + guessed.guesses_out
    if not alike and 2 * right <= made + math.sqrt(made):
        found.append(
            Finding(
                "scores tell little",
                f"{right:,} of {made:,} guesses are right, as with coins: another score, or other canaries, may show "
                "more",
            )
        )
    return tuple(found)
