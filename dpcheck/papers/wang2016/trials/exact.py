"""What the measurements of wang2016 share: exact losses on pairs, subsampled tables, outcomes of many cases."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcheck.model.claims import exact_point
from dpcheck.papers.wang2016.learners import FiniteProblem, absolute_loss
from dpcheck.parts.risk import linear_program
from dpcheck.privacy.exact.decision import TwoLaws, decide, delta_of, epsilon_of
from dpcheck.privacy.exact.declared import declared
from dpcheck.trial.model import Kind, Outcome, Word
from dpcheck.trial.opponents import WORST, below_worst, set_against
from dpcheck.utility.stability import Bounds, ExpectedLosses, as_bounds

#: Bits at which balls are compared.
BITS = 128

#: Records and hypotheses 0 and 1, loss |h - z|; and with the hypothesis 1/2 between.
TWO: FiniteProblem = absolute_loss([0, 1])
THREE: FiniteProblem = absolute_loss([0, Fraction(1, 2), 1])


def binary(ones: int, size: int) -> list[int]:
    """A dataset of ``size`` records 0 and 1, so many of them 1."""
    return [0] * (size - ones) + [1] * ones


def binary_pairs(size: int) -> list[tuple[list[int], list[int]]]:
    """All pairs of neighbours of binary records, up to the order of records."""
    return [(binary(ones, size), binary(ones + 1, size)) for ones in range(size)]


def two_laws(learner: Any, pairs: Iterable[tuple[Any, Any]]) -> list[TwoLaws]:
    """The declared laws on each pair."""
    return [TwoLaws.of(declared(learner.distribution(a)), declared(learner.distribution(b))) for a, b in pairs]


def loss_of(laws: Sequence[TwoLaws], delta: Fraction = Fraction(0)) -> float:
    """The largest privacy loss over pairs, nats, to the last bits."""
    return max(epsilon_of(each, delta) for each in laws)


def largest_delta(laws: Sequence[TwoLaws], claim: Any) -> float:
    """The largest delta over pairs at the claim's epsilon."""
    return max(delta_of(each, exact_point(claim)) for each in laws)


def kept(laws: Sequence[TwoLaws], claim: Any) -> Word:
    """Whether a claim holds on all pairs, decided without rounding."""
    answers = {decide(each, exact_point(claim), BITS).answer for each in laws}
    if "violated" in answers:
        return "contradicted"
    # equal to all these bits: the claim is attained, which keeps it, but balls cannot say so
    return "undecided" if "equal" in answers else "holds"


def privacy(
    result: str, claim_words: str, laws: Sequence[TwoLaws], claim: Any, *, learner: str = "", expected: str = ""
) -> Outcome:
    """A claim of privacy on all these pairs."""
    word = kept(laws, claim)
    delta = exact_point(claim).delta
    detail = f"the largest loss over {len(laws):,} pairs of neighbours is {loss_of(laws, delta):.6g}"
    if delta:
        detail += f" at delta = {float(delta):.4g}"
    return Outcome(
        word,
        claim_words,
        detail,
        result,
        "privacy",
        learner=learner,
        expected=expected if word == "contradicted" else "",
    )


def subsampled(table: ExpectedLosses, size: int) -> ExpectedLosses:
    """The expected losses of a learner that draws its sample without replacement from ``size`` records.

    Exact: each dataset's entries are those of its samples, averaged with hypergeometric weights.
    """
    kinds = len(table.problem.records)
    counts, pairs = linear_program.histograms(size, kinds)
    whole = math.comb(size, table.size)
    small = table.counts.tolist()
    rows = []
    for row in counts.tolist():
        shares = [
            (Fraction(math.prod(math.comb(n, k) for n, k in zip(row, part, strict=True)), whole), place)
            for place, part in enumerate(small)
        ]
        rows.append(_averaged(table, [(share, place) for share, place in shares if share]))
    weights = tuple(math.factorial(size) // math.prod(map(math.factorial, row)) for row in counts.tolist())
    return replace(
        table, size=size, counts=counts, weights=weights, pairs=pairs[pairs[:, 0] < pairs[:, 1]], entries=tuple(rows)
    )


def resampled(table: ExpectedLosses, size: int) -> ExpectedLosses:
    """The same for samples drawn with replacement."""
    kinds = len(table.problem.records)
    counts, pairs = linear_program.histograms(size, kinds)
    rows = []
    for row in counts.tolist():
        shares = [
            (
                Fraction(
                    table.weights[place] * math.prod(n**k for n, k in zip(row, part, strict=True)), size**table.size
                ),
                place,
            )
            for place, part in enumerate(table.counts.tolist())
        ]
        rows.append(_averaged(table, [(share, place) for share, place in shares if share]))
    weights = tuple(math.factorial(size) // math.prod(map(math.factorial, row)) for row in counts.tolist())
    return replace(
        table, size=size, counts=counts, weights=weights, pairs=pairs[pairs[:, 0] < pairs[:, 1]], entries=tuple(rows)
    )


def _averaged(table: ExpectedLosses, shares: list[tuple[Fraction, int]]) -> tuple[Any, ...]:
    from flint import arb, ctx

    if all(isinstance(entry, Fraction) for entry in table.entries[0]):
        return tuple(
            sum((share * table.entries[place][z] for share, place in shares), Fraction(0))
            for z in range(len(table.problem.records))
        )
    with ctx.workprec(BITS):
        return tuple(
            sum((ball(s) * table.entries[place][z] for s, place in shares), arb(0))
            for z in range(len(table.problem.records))
        )


def at_most(
    result: str,
    claim: str,
    value: Bounds,
    limit: Bounds,
    detail: str = "",
    *,
    kind: Kind = "upper bound",
    expected: str = "",
    learner: str = "",
    largest: Any = None,
) -> Outcome:
    """Whether one enclosed number is at most another; equal balls cannot be told apart.

    ``largest`` is what nothing of the class exceeds: where that is at most the limit, holding says nothing.
    """
    word: Word = "holds" if value.high <= limit.low else "contradicted" if value.low > limit.high else "undecided"
    opponents = [] if largest is None else [below_worst([limit.low], [largest], "has")]
    made = Outcome(
        word,
        claim,
        detail or f"{float(value):.6g} against {float(limit):.6g}",
        result,
        kind,
        learner=learner,
        expected=expected if word == "contradicted" else "",
    )
    return set_against(made, opponents)


def worst_excess(problem: FiniteProblem, law: Sequence[Any]) -> Fraction:
    """The excess risk of the worst hypothesis under a distribution of records.

    Examples
    --------
    >>> worst_excess(TWO, [Fraction(1, 4), Fraction(3, 4)])
    Fraction(1, 2)
    """
    risks = [sum((Fraction(p) * each for p, each in zip(law, row, strict=True)), Fraction(0)) for row in problem.losses]
    return max(risks) - min(risks)


def worst_above_minimum(table: ExpectedLosses, law: Sequence[Any]) -> Fraction:
    """How far above the least empirical risk the worst hypothesis of each dataset is, on average over datasets."""
    total = Fraction(0)
    for row, ways in zip(table.counts.tolist(), table.weights, strict=True):
        chance = ways * math.prod((Fraction(p) ** count for p, count in zip(law, row, strict=True)), start=Fraction(1))
        total += chance * worst_excess(table.problem, [Fraction(count, table.size) for count in row])
    return total


def worst_of(words: Sequence[Word]) -> Word:
    """The worst of some words: contradicted before undecided before holds; what says nothing is told where all do."""
    order: tuple[Word, ...] = ("contradicted", "undecided", "holds", "says nothing")
    return next(word for word in order if word in words)


def together(outcomes: Sequence[Outcome], claim: str, detail: str) -> Outcome:
    """Many runs of one claim as one outcome: the worst word that any of them has."""
    found = worst_of([each.word for each in outcomes])
    first = next(each for each in outcomes if each.word == found)
    count = sum(each.word == found for each in outcomes)
    kept = found in ("holds", "says nothing")
    said = detail if kept else f"{count} of {len(outcomes)} cases: {first.claim}: {first.detail}"
    against = first.against
    if found == "holds" and against:
        against = f"{WORST}: at {count:,} of {len(outcomes):,} comparisons it exceeds the bound"
    elif found == "says nothing":
        against = f"{WORST} keeps it too, at each of {len(outcomes):,} comparisons: no bound is below what it has"
    return replace(first, claim=claim, detail=said, against=against)


def exponential(exponent: Any) -> Bounds:
    """``e^exponent`` of a rational number, enclosed."""
    from flint import ctx

    with ctx.workprec(BITS):
        return as_bounds(ball(exponent).exp())


def ball(value: Any) -> Any:
    """A rational number as a ball."""
    from flint import arb, fmpq

    given = Fraction(value)
    return arb(fmpq(given.numerator, given.denominator))


def point(value: Any) -> Bounds:
    """A number that is known exactly."""
    return Bounds(Fraction(value), Fraction(value))


def tally(outcomes: Sequence[Outcome]) -> str:
    """How many of the claims that were run have which word, as a sentence."""
    words = {word: sum(each.word == word for each in outcomes) for word in dict.fromkeys(o.word for o in outcomes)}
    told = ", ".join(f"{count} {word}" for word, count in words.items())
    explained = sum(bool(each.expected) for each in outcomes)
    return f"Of {len(outcomes)} claims: {told}" + (
        f"; the errata explain {explained} of the contradictions." if explained else "."
    )
