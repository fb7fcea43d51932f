"""Privacy profiles and trade-off curves: exact ones of declared laws, a claim's, and certified ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dpcheck.report.whole.model import Curve, PrivacyCurves

if TYPE_CHECKING:
    from dpcheck.model.claims import Claim
    from dpcheck.model.verdict import Measurement
    from dpcheck.privacy.run.events import Compared

#: Points of an exact profile, full and quick; every point asks all pairs of laws.
PROFILE_POINTS, QUICK_POINTS = 41, 21
#: Points of a claim's curves.
CLAIM_POINTS = 101
#: Corners of an exact trade-off curve that are kept: between them it is straight, so that it is nowhere too low.
MOST_CORNERS = 200


def exact_curves(
    compared: Compared, claim: Claim | None, loss: float, *, points: int = PROFILE_POINTS
) -> PrivacyCurves:
    """The profile over all pairs of laws, and the trade-off curve of the pair with the largest loss.

    Parameters
    ----------
    compared : the laws, as an exact audit compared them
    claim : what is promised, drawn beside them
    loss : the largest loss, which ends the axis of the profile where it is finite
    points : of the profile
    """
    import numpy as np

    from dpcheck.privacy.exact.float_bounds import deltas, distinct_pairs

    table = compared.table
    pairs, _ = distinct_pairs(table, compared.pairs)
    end = _end(claim, loss)
    grid = [end * place / (points - 1) for place in range(points)]
    worst = []
    for epsilon in grid:
        found = deltas(table, pairs, epsilon, lambda done: None)[0] if len(pairs) else np.zeros(1)
        worst.append(min(1.0, max(0.0, float(found.max()))))
    left, right = (table.logs[table.of[number]] for number in compared.worst)
    x, y = _tradeoff(np.exp(left), np.exp(right))
    return PrivacyCurves(
        profile=(
            Curve("exact, the worst of all pairs", "exact", tuple(grid), tuple(worst)),
            *_claimed_profile(claim, end),
        ),
        tradeoff=(Curve("exact, of this pair", "exact", x, y), *_claimed_tradeoff(claim)),
        level=0.0,
        evidence="About the declared law: nothing was sampled. The profile is the worst over all pairs compared, the "
        "trade-off curve is that of the pair with the largest loss; both are computed in doubles.",
        pair=compared.words,
    )


def measured_curves(measured: Measurement, claim: Claim | None) -> PrivacyCurves:
    """What a measurement certifies, beside a claim where there is one."""
    if not measured.profile:
        return PrivacyCurves()
    profile = Curve("certified: delta is at least", "certified", *_points((one.x, one.y) for one in measured.profile))
    tradeoff = Curve(
        "certified: misses are at most", "certified", *_points((one.x, one.y) for one in measured.tradeoff)
    )
    end = max(profile.x)
    pair = measured.witness.change if measured.witness is not None else ""
    return PrivacyCurves(
        profile=(profile, *_claimed_profile(claim, end)),
        tradeoff=(tradeoff, *_claimed_tradeoff(claim)),
        level=measured.alpha,
        evidence=f"Certified by {measured.samples:,} calls, fixed in advance: all points of both certified curves hold "
        f"together, save with probability {measured.alpha:g}. A claim whose profile is anywhere below the certified "
        "one, or whose trade-off curve is anywhere above it, is refuted at that level.",
        pair=pair,
    )


def claimed_curves(claim: Claim | None) -> PrivacyCurves:
    """The curves of a claim alone, where nothing is known of the learner's own."""
    if claim is None:
        return PrivacyCurves()
    return PrivacyCurves(
        _claimed_profile(claim, _end(claim, 0.0)),
        _claimed_tradeoff(claim),
        evidence="The claim's own curves: the record holds none of the learner's.",
    )


def _points(points: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    known = [(float(x), float(y)) for x, y in points]
    return tuple(x for x, _ in known), tuple(y for _, y in known)


def _end(claim: Claim | None, loss: float) -> float:
    from dpcheck.model.claims import claim_point

    known = [loss] if math.isfinite(loss) else []
    if claim is not None:
        known.append(claim_point(claim)[0])
    largest = max(known, default=0.0)
    return 1.2 * largest if largest > 0 else 1.0


def _claimed_profile(claim: Claim | None, end: float) -> tuple[Curve, ...]:
    if claim is None:
        return ()
    grid = [end * place / (CLAIM_POINTS - 1) for place in range(CLAIM_POINTS)]
    return (Curve(f"claimed: {claim}", "claimed", tuple(grid), tuple(float(claim.delta(each)) for each in grid)),)


def _claimed_tradeoff(claim: Claim | None) -> tuple[Curve, ...]:
    """The least misses that a claim allows: the largest of the lines that its (epsilon, delta) points draw."""
    from dpcheck.model.claims import claim_point

    if claim is None:
        return ()
    end = 2.0 * _end(claim, 0.0)
    points = [(epsilon, claim.delta(epsilon)) for epsilon in (end * place / 200 for place in range(201))]
    points.append(claim_point(claim))
    grid = [place / (CLAIM_POINTS - 1) for place in range(CLAIM_POINTS)]
    misses = tuple(max(0.0, *(_least_miss(alarm, *point) for point in points)) for alarm in grid)
    return (Curve(f"claimed: {claim}", "claimed", tuple(grid), misses),)


def _least_miss(alarm: float, epsilon: float, delta: float) -> float:
    if not math.isfinite(epsilon):
        return 0.0
    return max(1.0 - delta - math.exp(min(epsilon, 700.0)) * alarm, math.exp(-epsilon) * (1.0 - delta - alarm))


def _tradeoff(left: Any, right: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Misses against false alarms of the best tests between two laws, by Neyman and Pearson; corners in order."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(right > 0, left / right, np.inf)
    order = np.argsort(-ratio, kind="stable")
    order = order[(left[order] > 0) | (right[order] > 0)]
    alarms = np.concatenate([[0.0], np.cumsum(right[order])])
    hits = np.concatenate([[0.0], np.cumsum(left[order])])
    # corners where the ratio changes: between equal ratios the curve is straight
    groups = ratio[order]
    corner = np.concatenate([[True], np.append(groups[1:] != groups[:-1], True)])
    places = np.flatnonzero(corner)
    if len(places) > MOST_CORNERS:
        places = places[np.unique(np.linspace(0, len(places) - 1, MOST_CORNERS).astype(int))]
    return (
        tuple(float(min(1.0, value)) for value in alarms[places]),
        tuple(float(max(0.0, 1.0 - value)) for value in hits[places]),
    )


def claim_numbers(claim: Claim | None) -> tuple[float | None, float | None]:
    """The point of a claim that stands beside a loss; None where nothing is claimed."""
    from dpcheck.model.claims import claim_point

    if claim is None:
        return None, None
    epsilon, delta = claim_point(claim)
    return float(epsilon), float(delta)
