"""What LabelBoost promises: the claim of its base learner, carried through the steps at the rates really used."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcheck.model.claims import ApproxDP, Claim, ProfileDP, PureDP, exact_point
from dpcheck.model.data import UNLABELLED
from dpcheck.model.neighbours import PrivatePart, ReplaceEntry
from dpcheck.model.neighbours.domains import LabelledDomain
from dpcheck.papers.beimel2015.learners.boost_sizes import BoostSizes
from dpcheck.parts.mechanisms.amplification import ball, resampled_claim, rounded_up, subsampled_claim, worst_claim
from dpcheck.parts.mechanisms.inner import claim_among, claim_of, relation_of, replaces_whole_records


def relabelled_claim(claim: Claim, epsilon: float | Fraction) -> Claim:
    """The claim of a learner that is run on what LabelBoostProcedure puts out: (epsilon + log c, delta) of its own.

    ``c = (1 + exp(epsilon / 2))^2`` with the epsilon of the choice inside, where the differing entry is a labelled one
    (in S): 7.02 at epsilon 1. Where it is in T the choice does not score it, and c is that of epsilon 0, which is 4.
    The paper prints (epsilon + 3, 4e delta), with ``e^3 >= 4e`` for c.

    Proof. Let entry i differ, K be the points that both sides have, and call two hypotheses alike if they agree on K.
    All other entries have points in K, so alike hypotheses get equally many of them right, on either side. A side has
    one or two candidates in each set z of alike ones; two, if both labels of its i-th point occur, and then exactly one
    of them is right about entry i. So the weights of z's candidates sum to ``a exp(epsilon c_z / 2)``, c_z the same on
    both sides and a one of 1, ``exp(epsilon / 2)`` and their sum. On two sides such sums have a ratio of at most
    ``1 + exp(epsilon / 2)``, and so do the sums over all z: the probability w_z of choosing in z changes by c at most.
    (In T no entry is scored: a is 1 or 2.) The databases relabelled by any two alike candidates are neighbours, for
    they differ in entry i only. With p_z and q_z the probability of an event given z on the two sides,
    ``sum w_z p_z <= sum w_z (e^epsilon q_z + delta) <= c e^epsilon sum w'_z q_z + delta``, because all w_z sum to 1.

    Parameters
    ----------
    claim : PureDP, ApproxDP or ProfileDP of the learner, for one entry replaced
    epsilon : float or Fraction, nats, at least 0
        That of the exponential mechanism inside, 1 in the paper; 0 for the claim about entries of T.

    Raises
    ------
    AttributeError
        For a claim of another kind: nothing is known of it.

    Source: beimel2015:lem-4.1, with a sharper constant; it is attained in the limit of many candidates, see
    ``tests/papers/beimel2015/test_beimel2015_boost.py``.

    Examples
    --------
    >>> relabelled_claim(ApproxDP(1.0, 1e-6), 1.0)  # printed: (4, 1.1e-05)
    ApproxDP(epsilon=2.9481539683602134, delta=1e-06)
    >>> relabelled_claim(PureDP(ratio=3), 0)
    PureDP(ratio=Fraction(12, 1))
    """
    inside = Fraction(epsilon)

    def more() -> Any:
        # log (1 + exp(epsilon / 2))^2, where that exponential may be beyond all bounds
        return ball(inside) + 2 * (-ball(inside) / 2).exp().log1p()

    if isinstance(claim, ProfileDP):
        shift = rounded_up(more)
        shifted = [(math.nextafter(at + shift, math.inf), delta) for at, delta in claim.points]
        return ProfileDP(shifted, f"{claim}, relabelled at epsilon {float(epsilon):g}")
    if not isinstance(claim, PureDP | ApproxDP):
        raise AttributeError(f"nothing is known of {claim} after relabelling")
    point = exact_point(claim)
    ratio = 4 * point.ratio if point.ratio is not None and not inside else None
    total = None
    if ratio is None:
        total = rounded_up(lambda: more() + (ball(point.epsilon) if point.ratio is None else ball(point.ratio).log()))
    return PureDP(total, ratio=ratio) if isinstance(claim, PureDP) else ApproxDP(total, point.delta, ratio=ratio)


@dataclass(frozen=True)
class ClaimStep:
    """One step of the chain: what it is, the part of the entries that it keeps, and the claim that holds before it.

    ``printed`` is the (epsilon, delta) that the paper prints for it with its own constants and a (1, delta) base
    learner, delta as a multiple. ``of_unlabelled`` marks what is promised of an entry that comes without a label and is
    drawn into T by that iteration.
    """

    step: str
    rate: Fraction | None
    claim: Claim
    printed: tuple[float | str, int] | None = None
    of_unlabelled: bool = False


def claim_steps(claim: Claim, sizes: BoostSizes, epsilon: float | Fraction) -> tuple[ClaimStep, ...]:
    """The claims along the steps of LabelBoost, from the base learner outwards.

    A labelled entry passes all steps; an unlabelled one first those of the iteration that draws it into T, and then
    those after. One that no iteration draws is never read.

    Parameters
    ----------
    claim : Claim of the base learner for ``sizes.kept`` records, one of them replaced
    sizes : BoostSizes
    epsilon : float or Fraction, nats
        That of the choice in each iteration.

    Source: beimel2015:lem-4.6.
    """
    drawn = resampled_claim(claim, sizes.kept, sizes.kept)
    inside = subsampled_claim(drawn, sizes.last_rate)
    steps = [
        ClaimStep("base learner", None, claim, (1, 1)),
        ClaimStep("i.i.d. resampling (step 4)", None, drawn, ("log 244", 2467)),
        ClaimStep("part kept of S (step 3)", sizes.last_rate, inside, (1, 41)),
    ]
    for each in reversed(sizes.iterations):
        labelled, stretched = relabelled_claim(inside, epsilon), relabelled_claim(inside, 0)
        inside = subsampled_claim(labelled, each.labelled_rate)
        named = f"iteration {each.number}: "
        steps += [
            ClaimStep(f"{named}relabelling, entry in T (step 2d)", None, stretched, (4, 446)),
            ClaimStep(
                f"{named}part kept of T (step 2c)",
                each.stretched_rate,
                subsampled_claim(stretched, each.stretched_rate),
                (1, 41),
                of_unlabelled=True,
            ),
            ClaimStep(f"{named}relabelling, entry in S (step 2d)", None, labelled, (4, 446)),
            ClaimStep(f"{named}part kept of S (step 2c)", each.labelled_rate, inside, (1, 41)),
        ]
    return tuple(steps)


def boosted_claim(claim: Claim, sizes: BoostSizes, epsilon: float | Fraction) -> Claim:
    """The claim of LabelBoost: the worst over the positions of the differing entry.

    With the paper's constants and a (1, delta) base learner it is at most (0.063, delta / 100), whatever the sizes
    (kept parts rounded down), where (1, 41 delta) is printed; pure stays pure (rem-4.15).

    Parameters
    ----------
    claim : Claim of the base learner for ``sizes.kept`` records, one of them replaced
    sizes : BoostSizes
    epsilon : float or Fraction, nats
        That of the choice in each iteration.

    Source: beimel2015:lem-4.6.

    Examples
    --------
    >>> from dpcheck.papers.beimel2015.learners.boost_sizes import boost_sizes
    >>> sizes = boost_sizes(12_000_000, base_size=10**9, dimension=1, accuracy=0.1, failure=0.1)
    >>> print(boosted_claim(ApproxDP(1.0, 1e-9), sizes, 1))
    (0.0594259, 8.87503e-14)-DP
    """
    steps = claim_steps(claim, sizes, epsilon)
    # of T each iteration's own, of S what is outermost: in S an entry is from the first iteration on
    drawn = [each.claim for each in steps if each.of_unlabelled]
    return worst_claim([*drawn, steps[-1].claim]) if sizes.labelled else worst_claim(drawn)


def entry_claim(learner: Any, records: int | None = None, labelled: int | None = None) -> Claim:
    """What a learner promises when one entry of the database that it is given is replaced.

    Parameters
    ----------
    learner : learner
    records, labelled : int, optional
        How many entries it is given, and how many of these have labels; as its relation declares when left out.

    Raises
    ------
    AttributeError
        When it promises nothing, nothing for such databases, or nothing where a whole record changes.
    """
    relation = relation_of(learner)
    sizes = relation.size
    if isinstance(relation, ReplaceEntry):
        fits = records is None or sizes is None or records in ([sizes] if isinstance(sizes, int) else sizes)
        if not fits or (labelled is not None and relation.labelled not in (None, labelled)):
            raise AttributeError(
                f"the claim of {type(learner).__name__} is about {sizes} entries, {relation.labelled} of them "
                f"labelled, and it is given {records} and {labelled}"
            )
        return claim_of(learner)
    if isinstance(relation, PrivatePart) or not replaces_whole_records(learner):
        raise AttributeError(f"the claim of {type(learner).__name__} is not about whole records")
    domain = relation.records.domain if relation.records is not None else None
    known = domain.labels if isinstance(domain, LabelledDomain) else None
    missing = None not in (records, labelled) and labelled != records
    if missing and known is not None and known.problem(UNLABELLED) is not None:
        raise AttributeError(
            f"the claim of {type(learner).__name__} is about records with labels, and it is given some without"
        )
    declared = min(sizes) if isinstance(sizes, range) else sizes
    return claim_among(learner, declared if records is None else records)
