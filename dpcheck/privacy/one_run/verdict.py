"""The verdict on scores: canaries are guessed from them, and the right guesses are held against the claim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from dpcheck.model.claims import ApproxDP, Claim, CurveClaim, GaussianDP, PureDP, as_claim, claim_point
from dpcheck.model.claims.points import GridClaim
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.model.verdict import Finding, Status
from dpcheck.model.verdict.record import argv, environment
from dpcheck.privacy.one_run.guess_plan import GuessPlan, plan_guesses, plan_of
from dpcheck.privacy.one_run.lower_bounds import certified_epsilon, certified_parameter
from dpcheck.privacy.one_run.right_guesses import most_probable
from dpcheck.privacy.one_run.scores_given import Coins, Floats, checked_scores
from dpcheck.privacy.one_run.values import OneRunVerdict

#: One statement at the usual confidence: no run of a thousand canaries can say much at a smaller one.
ALPHA = 0.05
#: Where epsilon is certified of a claim of a whole curve.
DELTA = 1e-5
#: Equal scores are put in an order by lot, from this seed: never by their place, which may say who was in.
_LOTS = 0x0E
#: A leak "would have been caught" is asked of twice the claim, at least so much more.
TIMES, MORE = 2.0, 0.1
#: From so many canaries on it is strange that exactly half of them are in.
STRANGE = 20
#: Scores tell canaries apart where coins would give so many right guesses with this probability at most; they are the
#: wrong way round, or missing scores tell who was in, where coins would with this one.
TELLING, TURNED = 0.01, 1e-6
RELATIONS = ("add-remove", "replace-one")
ON_YOUR_WORD = "each with probability 1/2, independently, as you said"

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

    @property
    def right(self) -> int:
        """All right guesses."""
        return self.right_in + self.right_out


@dataclass(frozen=True)
class Terms:
    """What is fixed before scores are seen."""

    claim: Claim
    alpha: float
    guesses: int | tuple[int, int] | None
    detect: float
    delta: float
    neighbours: str
    target: str


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
    control: OneRunVerdict | None = None,
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
        The epsilon (at the claim's delta; of a curve at that of its central point) that must not be missed: where not
        even the best scores would show it, the verdict is inconclusive. By default twice the claim's, at least 0.1
        more.
    delta : float, optional
        Where ``epsilon_lower`` is said. By default the claim's own, 1e-5 for a claim of a whole curve.
    neighbours : {"add-remove", "replace-one"}
        What a canary that is out means: that it is not there, or that another record is in its place.
    control : OneRunVerdict, optional
        The verdict on a training that is known to leak (the same one without noise), by the same score. Where scores
        tell canaries no better apart than coins, a verdict is inconclusive, for nothing shows that they could; unless
        the control is violated.
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
    terms = checked_terms(
        claim, alpha=alpha, guesses=guesses, detect=detect, delta=delta, neighbours=neighbours, target=target
    )
    if control is not None and not isinstance(control, OneRunVerdict):
        raise InvalidArgument(f"control must be a verdict of one_run_verdict or one_run, got {control!r}")
    table, coins = checked_scores(scores, included)
    known = int((~np.isnan(table)).sum())
    plan = planned(terms, int(table.size), known)
    seen = control is not None and control.status is Status.VIOLATED
    return judged(terms, plan, table, coins, shown_to_see=seen)


def checked_terms(
    claim: Claim | float,
    *,
    alpha: float,
    guesses: int | tuple[int, int] | None,
    detect: float | None,
    delta: float | None,
    neighbours: str,
    target: str,
) -> Terms:
    """What is fixed before scores are seen, checked."""
    promised = as_claim(claim)
    epsilon = claim_point(promised)[0]
    if isinstance(alpha, bool) or not isinstance(alpha, Real) or not 0.0 < alpha < 1.0:
        raise InvalidArgument(f"alpha must be a probability above 0 and below 1, got {alpha!r}")
    check_relation(neighbours)
    asked = max(TIMES * epsilon, epsilon + MORE) if detect is None else _checked_detect(detect, epsilon)
    _checked_guesses(guesses)
    return Terms(promised, float(alpha), guesses, asked, _checked_delta(delta, promised), neighbours, target)


def planned(terms: Terms, canaries: int, known: int) -> GuessPlan:
    """How many of so many canaries are guessed, ``known`` of which have scores."""
    pair = _checked_guesses(terms.guesses)
    if pair is not None:
        if sum(pair) > known:
            raise InvalidArgument(f"guesses must be at most {known:,}, the canaries with scores, got {terms.guesses!r}")
        return plan_of(*pair, canaries, terms.claim, terms.alpha)
    plan = plan_guesses(canaries, cast("Any", terms.claim), terms.alpha, terms.detect)  # every claim is a frozen value
    if plan.guesses > known:
        raise InvalidArgument(
            f"scores must be known of at least {plan.guesses:,} canaries, which are guessed, got {known:,}; "
            "fewer guesses can be asked for with guesses="
        )
    return plan


def judged(terms: Terms, plan: GuessPlan, table: Floats, coins: Coins, *, shown_to_see: bool = False) -> OneRunVerdict:
    """The verdict on checked scores, by a number of guesses that was fixed before."""
    claim, canaries = terms.claim, int(table.size)
    guessed = guess(table.ravel(), coins.ravel(), plan.guesses_in, plan.guesses_out)
    right = guessed.right
    refuted = right >= plan.needed
    p_value = most_probable(right, plan.guesses, canaries, claim)
    p_value = min(p_value, terms.alpha) if refuted else max(p_value, math.nextafter(terms.alpha, 1.0))
    lower = certified_epsilon(right, plan.guesses, canaries, terms.delta, terms.alpha)
    own = (
        certified_parameter(claim, right, plan.guesses, canaries, terms.alpha)
        if isinstance(claim, CurveClaim)
        else lower
    )
    findings, blind = _findings(table, coins, guessed, shown_to_see=shown_to_see)
    undecided = plan.detectable_epsilon > terms.detect or blind
    return OneRunVerdict(
        status=Status.VIOLATED if refuted else Status.INCONCLUSIVE if undecided else Status.NO_VIOLATION_FOUND,
        claim=claim,
        relation=terms.neighbours,
        alpha=terms.alpha,
        p_value=p_value,
        delta=terms.delta,
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
        detect=terms.detect,
        detectable_epsilon=plan.detectable_epsilon,
        inclusion=ON_YOUR_WORD,
        theorem=_theorem(claim),
        findings=findings,
        environment=environment(),
        target=terms.target,
        argv=argv(),
        scores=table,
        coins=coins,
    )


def check_relation(neighbours: str) -> None:
    """Refuse what says of no canary what it is where it is out."""
    if neighbours not in RELATIONS:
        hint = nearest(str(neighbours), RELATIONS)
        raise InvalidArgument(f"neighbours must be one of {', '.join(RELATIONS)}, got {neighbours!r}{hint}")


def guess(scores: Floats, included: Coins, guesses_in: int, guesses_out: int) -> Guessed:
    """Guess the highest scores to be in and the lowest to be out; equal ones by lot, missing ones not at all.

    >>> guess(np.array([0.1, 3.0, -2.0, 0.5]), np.array([True, True, True, False]), 1, 1)
    Guessed(guesses_in=1, guesses_out=1, right_in=1, right_out=0)
    """
    known = np.flatnonzero(~np.isnan(scores))
    lots = np.random.default_rng(_LOTS).permutation(len(scores))[known]
    order = known[np.lexsort((lots, scores[known]))]
    lowest, highest = order[:guesses_out], order[len(order) - guesses_in :]
    return Guessed(guesses_in, guesses_out, int(included[highest].sum()), int((~included[lowest]).sum()))


def _theorem(claim: Claim) -> str:
    if isinstance(claim, PureDP) or claim_point(claim)[1] == 0.0:
        return _BINOMIAL
    if isinstance(claim, ApproxDP):
        return f"{_PRICES}; {_PATH}"
    return _PATH if isinstance(claim, GaussianDP) else f"{_PATH}, through the points of the claim's curve"


def _checked_delta(delta: float | None, claim: Claim) -> float:
    if delta is None:
        return DELTA if isinstance(claim, GridClaim) else claim_point(claim)[1]
    if isinstance(delta, bool) or not isinstance(delta, Real) or not 0.0 <= delta < 1.0:
        raise InvalidArgument(f"delta must be a probability of at least 0 and below 1, got {delta!r}")
    return float(delta)


def _checked_detect(detect: float, epsilon: float) -> float:
    if isinstance(detect, bool) or not isinstance(detect, Real) or not epsilon < detect < math.inf:
        raise InvalidArgument(f"detect must be an epsilon above the claim's, {epsilon:.4g}, got {detect!r}")
    return float(detect)


def _checked_guesses(guesses: int | tuple[int, int] | None) -> tuple[int, int] | None:
    """How many are guessed to be in and out."""
    if guesses is None:
        return None
    wrong = InvalidArgument(
        f"guesses must be a number of canaries of at least 1, or two such as (60, 40), got {guesses!r}"
    )
    pair: Sequence[Any] = (guesses,) if isinstance(guesses, Integral) else guesses  # type: ignore[assignment]
    if isinstance(guesses, bool) or isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) not in (1, 2):
        raise wrong
    if any(isinstance(one, bool) or not isinstance(one, Integral) or one < 0 for one in pair) or not sum(pair):
        raise wrong
    first = int(pair[0])
    return (first - first // 2, first // 2) if len(pair) == 1 else (first, int(pair[1]))


def _findings(table: Floats, coins: Coins, guessed: Guessed, *, shown_to_see: bool) -> tuple[tuple[Finding, ...], bool]:
    """What is worth knowing of the scores, and whether they are such that nothing they do not show is shown."""
    from scipy.stats import binom

    found, blind = [], False
    missing = np.isnan(table)
    if missing.any():
        count = int(missing.sum())
        found.append(Finding("scores missing", f"{count:,} of {table.size:,} canaries have none, and were not guessed"))
        if _chance_of(int(coins[missing].sum()), count) < TURNED:
            blind = True
            words = "who has no score tells who was in: give those a score too, the lowest or the highest"
            found.append(Finding("missing scores tell", words))
    halves = [row for row in coins if 2 * int(row.sum()) == len(row)]
    if len(halves) == len(coins) and coins.size >= STRANGE:
        words = (
            "as many canaries are in as are out: if that was arranged, their coins depend on each other and this "
            "verdict is not valid"
        )
        found.append(Finding("exactly half in", words))
    right, made = guessed.right, guessed.guesses_in + guessed.guesses_out
    if float(np.nanmin(table)) == float(np.nanmax(table)):
        blind = True
        found.append(Finding("scores alike", "all canaries have one score, which tells nothing about who was in"))
    elif float(binom.cdf(right, made, 0.5)) < TURNED:
        blind = True
        words = (
            f"{right:,} of {made:,} guesses are right, far fewer than by coins: the higher a score, the more it must "
            "say that a canary was in (give minus the loss)"
        )
        found.append(Finding("scores turned around", words))
    elif float(binom.sf(right - 1, made, 0.5)) > TELLING:
        blind |= not shown_to_see
        words = f"{right:,} of {made:,} guesses are right, as by coins: nothing shows that this score can see canaries"
        if shown_to_see:
            words = (
                f"{right:,} of {made:,} guesses are right, as by coins, where the control is violated by the same score"
            )
        found.append(Finding("scores tell little", words))
    return tuple(found), blind


def _chance_of(count: int, size: int) -> float:
    from scipy.stats import binomtest

    return float(binomtest(count, size, 0.5).pvalue)
