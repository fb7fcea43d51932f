"""Words for what came out: of counted failures against a claimed probability, and of relations between exact "
"numbers."""

from __future__ import annotations

from dpcheck.trial.model import Kind, Outcome, Word
from dpcheck.utility.evidence import fixed_interval

#: Probability of a wrong "holds", and of a wrong "contradicted".
HOLDS_LEVEL, CONTRADICTED_LEVEL = 1e-3, 1e-9


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


#: What the registry's instance against n = 1 shows, and of which cases it is made.
ONE_EXAMPLE = (
    "one example, alpha = beta = 1/(16C): on one of two targets that differ at a point of mass 1/8 an output errs by "
    "more than C alpha with probability 7/16 or more, above 3 beta ({})"
)


def refuted(
    result: str, claim: str, failure: str, shown: str, *, kind: Kind = "number", expected: str, learner: str = ""
) -> Outcome:
    """The outcome of a statement as printed that an instance of the registry contradicts.

    Parameters
    ----------
    failure : why the instance shows nothing, "" where it does; then the word is "undecided", for what else holds is
        not known
    shown : what it shows

    Examples
    --------
    >>> refuted("p:thm-1", "for every n", "", "not for n = 1", expected="p:thm-1: n = 1").word
    'contradicted'
    >>> refuted("p:thm-1", "for every n", "C = 3", "not for n = 1", expected="p:thm-1: n = 1").word
    'undecided'
    """
    if failure:
        return Outcome("undecided", claim, f"the instance shows nothing: {failure}", result, kind, learner=learner)
    return Outcome("contradicted", claim, shown, result, kind, learner=learner, expected=expected)


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
    result, claim, kind, learner, size, expected : as for :class:`~dpcheck.trial.model.Outcome`
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
