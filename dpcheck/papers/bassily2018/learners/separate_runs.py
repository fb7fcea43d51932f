"""The privacy of m separate runs of alg-2, each on one query and on the same models.

**One run.** Let two tables of votes differ in v models. A query's distance d moves by at most s, and where the leading
labels differ it is at most f on either side. The query is answered when ``d - w > Z``, ``Z = Lap(b1) - Lap(b2)``. The
density of Z is a mixture of those of Lap(b1), shifted by the other noise, and so changes by at most ``e^(s/b1)`` when
it is shifted by s; just so by ``e^(s/b2)``. Whether the query is answered is therefore pure ``eps1 = s / max(b1,
b2)``-DP: a quarter of what a round of many queries costs with the paper's b2 = 2 b1, for no threshold is used again.

**m runs** draw fresh noise, so whether the m queries are answered is m such mechanisms, with the profile of m
randomised responses (:func:`~dpcheck.papers.bassily2018.learners.accounting.composed_delta`). Let B be the event that
some query is answered whose leading labels differ: each is with probability at most ``P(f + Lap(b2) > w + Lap(b1))``.
Outside B the labels are a function of what is answered, the same for both tables, so that

    ``delta(eps) <= composed_delta(m, eps1, eps) + m P(Lap(b2) - Lap(b1) > w - f)``.

What stands for an abstention is drawn without the records: post-processing. The models are the same in all runs; given
the split and their coins the two datasets' tables differ in the models of one chunk, and the bound for all of these is
the bound for their mixture.

Beside one run on all m queries, whose epsilon grows with the abstentions alone, it grows with the queries.
"""

from __future__ import annotations

from fractions import Fraction

from dpcheck.model.bounds_shown import at_most
from dpcheck.model.claims import ApproxDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.bassily2018.learners.accounting import as_rate, composed_delta, least_epsilon, open_answer_chance
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.votes import Distance, as_distance
from dpcheck.parts.mechanisms.parameters import count, positive, probability


def separate_runs_claim(
    scales: Scales,
    queries: int,
    *,
    epsilon: float | None = None,
    delta: float = 1e-6,
    distance: str | Distance = "printed",
    models_changed: int = 1,
) -> ApproxDP:
    """What m separate single-query runs are proved to keep: (epsilon, delta) if they do, or the least epsilon at delta.

    Parameters
    ----------
    scales : Scales
    queries : int
        m.
    epsilon : float, optional
        The epsilon of the claim; the least that is proved when left out.
    delta : float
        The delta of the claim.
    distance : "printed", "votes" or a Distance
    models_changed : int, at least 1
        v.

    Raises
    ------
    InvalidArgument
        When no epsilon, or not this one, is proved at this delta; the inequality that fails is in the message.

    Source: the proof above; bassily2018:hpriv, obs-4.c.

    Examples
    --------
    >>> scales = Scales(threshold=800.0, threshold_scale=20.0, query_scale=40.0)
    >>> [round(separate_runs_claim(scales, m).epsilon_value, 3) for m in (1, 10, 100)]
    [0.05, 0.499, 2.229]
    """
    rule, changed = as_distance(distance), count("models_changed", models_changed)
    number, target = count("queries", queries, 0), probability("delta", delta)
    widest = Fraction(max(scales.threshold_scale, scales.query_scale))
    rate = as_rate(Fraction(rule.sensitivity(changed)) / widest)
    chance = open_answer_chance(scales, rule.where_labels_differ(changed))
    left = Fraction(target) - number * Fraction(chance)
    if left < 0:
        raise InvalidArgument(
            f"delta must be at least {number * chance:.4g} for threshold {scales.threshold:g} and query_scale "
            f"{scales.query_scale:g}, got {target:g}: queries * P(an open query is answered) <= delta fails"
        )
    if epsilon is None:
        return ApproxDP(least_epsilon(number, rate, left), target)
    asked = positive("epsilon", epsilon)
    if Fraction(composed_delta(number, rate, asked)) > left:
        least = least_epsilon(number, rate, left)
        raise InvalidArgument(
            f"epsilon must be at least {at_most(least, '.6g')} at delta {target:g} for these scales, got {asked:g}: "
            f"{number} runs of {rate:.4g} each compose to more"
        )
    return ApproxDP(asked, target)
