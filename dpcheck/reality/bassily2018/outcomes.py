"""Words for what came out: of counted failures against a claimed probability, and of relations between exact numbers."""

from __future__ import annotations

from typing import Any

from dpcheck.reality.model import Kind, Outcome, Word
from dpcheck.utility.evidence import fixed_interval

#: Probability of a wrong "holds", and of a wrong "contradicted".
HOLDS_LEVEL, CONTRADICTED_LEVEL = 1e-3, 1e-9
#: All intervals of one chart hold together, save with this probability.
CHART_LEVEL = 0.05
EXACT = "Exact: nothing was sampled. Probabilities are sums of fractions, or balls of as many bits as it takes."


def word_of_count(failures: int, trials: int, claimed: float, among: int = 1) -> tuple[Word, float]:
    """What a fixed number of independent trials says of "fails with probability at most ``claimed``", and its level.

    Where the trials are the worst of several sets, ``among`` is their number: "contradicted" pays for the choice
    ("holds" need not: the others have fewer failures).

    Examples
    --------
    >>> word_of_count(0, 100, 0.1), word_of_count(0, 10, 0.1), word_of_count(60, 100, 0.1)
    (('holds', 0.001), ('undecided', 0.0), ('contradicted', 1e-09))
    """
    if trials and fixed_interval(failures, trials, 2 * CONTRADICTED_LEVEL / among)[0] > claimed:
        return "contradicted", CONTRADICTED_LEVEL
    if trials and fixed_interval(failures, trials, 2 * HOLDS_LEVEL)[1] <= claimed:
        return "holds", HOLDS_LEVEL
    return "undecided", 0.0


def counted(
    result: str,
    claim: str,
    failures: int,
    trials: int,
    claimed: float,
    *,
    detail: str = "",
    kind: Kind = "upper bound",
    learner: str = "",
    size: float | None = None,
    expected: str = "",
    among: int = 1,
) -> Outcome:
    """The outcome of so many runs of which so many failed.

    Parameters
    ----------
    result, claim, kind, learner, size, expected : as for :class:`~dpcheck.reality.model.Outcome`
    failures, trials : of independent runs whose number was fixed before
    claimed : the failure probability that is claimed
    detail : what else was found
    among : of how many sets of runs this is the worst

    Examples
    --------
    >>> counted("p:thm-1", "fails with probability at most 0.1", 0, 100, 0.1).word
    'holds'
    """
    word, level = word_of_count(failures, trials, claimed, among)
    low, high = fixed_interval(failures, trials, 2 * HOLDS_LEVEL) if trials else (0.0, 1.0)
    said = (
        f"{failures:,} of {trials:,} runs failed, where at most {claimed:g} is claimed; the probability is in "
        f"[{low:.3g}, {high:.3g}] at level {2 * HOLDS_LEVEL:g}"
    )
    return Outcome(
        word,
        claim,
        f"{said}; {detail}" if detail else said,
        result=result,
        kind=kind,
        learner=learner,
        size=size,
        level=level,
        expected=expected if word == "contradicted" else "",
        trials=trials,
    )


def related(
    result: str, claim: str, true: bool, detail: str, *, kind: Kind = "number", expected: str = "", **more: Any
) -> Outcome:
    """A relation between exact numbers, which is never undecided.

    Examples
    --------
    >>> related("p:thm-1", "1 < 0", 1 < 0, "1 against 0", expected="p:thm-1: a slip").word
    'contradicted'
    """
    word: Word = "holds" if true else "contradicted"
    return Outcome(word, claim, detail, result=result, kind=kind, expected="" if true else expected, **more)


def within(result: str, claim: str, low: float, high: float, limit: float, *, kind: Kind, **more: Any) -> Outcome:
    """That a probability, which is between two numbers for certain, is at most a limit.

    Examples
    --------
    >>> within("p:thm-1", "at most 1/2", 0.4, 0.6, 0.5, kind="number").word
    'undecided'
    """
    word: Word = "holds" if high <= limit else "contradicted" if low > limit else "undecided"
    explained, detail = more.pop("expected", ""), more.pop("detail", "")
    number = f"between {low:.4g} and {high:.4g}, against {limit:g}"
    return Outcome(
        word, claim, f"{number}; {detail}" if detail else number, result=result, kind=kind,
        expected=explained if word == "contradicted" else "", **more,
    )  # fmt: skip
