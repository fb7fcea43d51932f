"""From verdicts and answers to outcomes: the words that checks share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.checks.outcome import Outcome, failed, inconclusive, passed
from dpcheck.checks.situations import plainly
from dpcheck.checks.subject import FEW_CALLS, Subject
from dpcheck.execution.answers import Answers, Portrait, Raised
from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import claim_point
from dpcheck.model.neighbours import Pair
from dpcheck.model.verdict import Status, Verdict, as_number
from dpcheck.model.verdict.next_steps import rounded_up

#: What Python raises of itself when code meets what it did not expect: an accident, not a refusal.
ACCIDENTS = frozenset(
    {
        "ArithmeticError", "AssertionError", "AttributeError", "FloatingPointError", "IndexError", "KeyError",
        "MemoryError", "NameError", "RecursionError", "StopIteration", "SystemError", "TypeError",
        "UnboundLocalError", "ZeroDivisionError",
    }
)  # fmt: skip
#: A learner's own message is shown up to here: a sentence must stay one.
LONGEST_SAID = 120
#: What to do about a check that could not tell.
MORE_TIME = "give it more calls or seconds (max_samples, max_seconds)"
_MEND_FIRST = "mend the learner first: nothing else can be said of it here"


def judged_claim(verdict: Verdict, *, about: str, broken: str, hint: str, first: str = "") -> Outcome:
    """What an audit of the claim says; no words of it say that the claim holds where runs were all that was looked at.

    Parameters
    ----------
    verdict : Verdict
    about : str, what was audited, in words that follow "against"
    broken : str, the beginning of the sentence that says it is broken
    hint : str
    first : str, what else is to be said before
    """
    if verdict.status is Status.LEARNER_FAILED:
        return _learner_failed(verdict)
    if verdict.status is Status.VIOLATED:
        at = f" on the pair {verdict.witness.change}" if verdict.witness is not None else ""
        if verdict.exact is not None:
            return failed(f"{broken}: the declared laws' epsilon is {verdict.exact.epsilon:.4g}{at}", hint, verdict)
        bound = (
            f"epsilon is above {at_least(verdict.epsilon_lower)}" if verdict.epsilon_lower else "the claim is refuted"
        )
        return failed(f"{broken}: {bound} (evidence {as_number(verdict.log_evidence)}){at}", hint, verdict)
    if verdict.status is Status.INCONCLUSIVE:
        return _inconclusive(verdict)
    if verdict.exact is not None:
        laws = f"by the declared laws epsilon is {verdict.exact.epsilon:.4g}"
        return passed(f"{first}{laws}, which is within {about}", verdict)
    if np.isinf(verdict.detectable_epsilon):
        return _inconclusive(verdict)
    seen = (
        f"a privacy loss of {_up(verdict.detectable_epsilon)}{_in_outputs(verdict)} would have been caught with "
        "probability 0.95"
    )
    return passed(f"{first}nothing was found against {about} ({verdict.samples:,} calls; {seen})", verdict)


def judged_equality(verdict: Verdict, *, between: str, differs: str, hint: str) -> Outcome:
    """What a comparison of two laws says: ``between`` what, in words; ``differs`` begins the sentence of a failure."""
    if verdict.status is Status.LEARNER_FAILED:
        return _learner_failed(verdict)
    if verdict.status is Status.VIOLATED:
        seen = f": {verdict.witness.event}" if verdict.witness is not None else ""
        return failed(f"{differs} (evidence {as_number(verdict.log_evidence)} against equality{seen})", hint, verdict)
    if verdict.status is Status.INCONCLUSIVE:
        return _inconclusive(verdict)
    return passed(f"no difference was found between {between} ({equality_basis(verdict)})", verdict)


def equality_basis(verdict: Verdict) -> str:
    """What a comparison that found nothing rests on."""
    seen = f"a likelihood ratio of {_ratio(verdict.detectable_epsilon)}{_in_outputs(verdict)}"
    return f"{verdict.samples:,} calls; {seen} would have been caught with probability 0.95"


def _ratio(epsilon: float) -> str:
    return _up(math.exp(min(epsilon, 700.0)))


def _up(size: float) -> str:
    """Rounded up: what would just not have been caught is not called what was asked for."""
    return f"{rounded_up(size):.3g}"


def _in_outputs(verdict: Verdict) -> str:
    return f" in {verdict.detectable_coverage:.0%} of outputs"


def _learner_failed(verdict: Verdict) -> Outcome:
    return failed(verdict.failure.removesuffix("."), _MEND_FIRST, verdict, learner_failed=True)


def _inconclusive(verdict: Verdict) -> Outcome:
    if any(finding.kind == "opaque outputs" for finding in verdict.findings):
        return inconclusive(
            "the outputs cannot be told apart by anything, so that nothing can be learnt from them",
            "let the learner return numbers, for instance its fitted parameters",
            verdict,
        )
    epsilon, _ = claim_point(verdict.claim)
    # between laws that should be equal nothing is claimed: their likelihood ratio is told
    kind, size = ("likelihood ratio", _ratio) if epsilon == 0.0 else ("privacy loss", _up)
    claimed = "" if epsilon == 0.0 else f" (claimed: {epsilon:.3g})"
    asked = "" if np.isinf(verdict.detect) else f" to catch a {kind} of {size(verdict.detect)}{claimed}"
    seen = (
        f"even an unlimited {kind} would have been caught with a probability below 0.95"
        if np.isinf(verdict.detectable_epsilon)
        else f"only one of {size(verdict.detectable_epsilon)} or more{_in_outputs(verdict)} would have been caught "
        "with probability 0.95"
    )
    takes = f"; it takes about {verdict.calls_needed:,}" if verdict.calls_needed else ""
    return inconclusive(
        f"too few calls ({verdict.samples:,} in {verdict.seconds:.1f} s{takes}){asked}: {seen}",
        MORE_TIME,
        verdict,
    )


@dataclass(frozen=True)
class Behaviour:
    """What a few calls did: answered, refused, or broke; with what was said."""

    answers: int
    refusals: int
    accidents: int
    said: str = ""
    nan: bool = False

    @property
    def refuses(self) -> bool:
        """Whether every call refused the data in words of its own."""
        return self.refusals > 0 and not self.answers and not self.accidents

    @property
    def always_raises(self) -> bool:
        """Whether no call answered."""
        return self.answers == 0


def behaviour(subject: Subject, dataset: Any, count: int = FEW_CALLS, *, types_refused: bool = False) -> Behaviour:
    """What a few calls on a dataset do.

    Parameters
    ----------
    types_refused : bool, whether TypeError is a refusal: it is where the type of the data is what is odd
    """
    return behaviour_of(subject.answers([plainly(dataset)], count)[0], types_refused=types_refused)


def behaviour_of(given: Answers, *, types_refused: bool = False) -> Behaviour:
    """The same, of answers at hand."""
    raised = [value for value in given.values if isinstance(value, Raised)]
    broken = [
        error for error in raised if error.kind in ACCIDENTS and not (types_refused and error.kind == "TypeError")
    ]
    shown = (broken or raised)[:1]
    said = f"{shown[0].kind}: {_shortened(shown[0].message)}" if shown else ""
    others = [value for value in given.values if not isinstance(value, Raised)]
    return Behaviour(len(others), len(raised) - len(broken), len(broken), said, any(map(holds_nan, others)))


def _shortened(message: str) -> str:
    text = " ".join(message.split())
    return text if len(text) <= LONGEST_SAID else f"{text[:LONGEST_SAID].rstrip()} ..."


def holds_nan(value: Any) -> bool:
    """Whether a number in an output is NaN, at any depth of plain containers.

    >>> holds_nan([1.0, (float("nan"),)]), holds_nan("nan")
    (True, False)
    """
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fc" and bool(np.isnan(value).any())
    if isinstance(value, list | tuple | set | frozenset):
        return any(map(holds_nan, value))
    if type(value) is Portrait:
        return value.form != "fields" and any(holds_nan(part) for _, part in value.parts)
    return isinstance(value, dict) and any(map(holds_nan, value.values()))


def odd_data(
    subject: Subject,
    dataset: Any,
    what: str,
    hint: str,
    *,
    neighbours: Sequence[Pair] = (),
    refusal_is_fine: bool = True,
) -> Outcome:
    """Odd data are refused in words, or answered; where they are in the claim's domain, within the claim.

    Parameters
    ----------
    dataset : the odd dataset
    what : str, the data in words, such as "data without records"
    hint : str
    neighbours : pairs inside the claim's domain on which the claim is audited; none when they are outside it
    refusal_is_fine : bool, whether data like these may be refused
    """
    seen = behaviour(subject, dataset)
    if seen.accidents:
        return failed(f"it breaks on {what} ({seen.said}), which is neither an answer nor a refusal", hint)
    if seen.nan:
        return failed(f"it answers {what} with NaN, which is neither an answer nor a refusal", hint)
    if seen.refusals and seen.answers:
        return failed(f"it refuses {what} in some calls and answers in others ({seen.said})", hint)
    if seen.refusals and not refusal_is_fine:
        return failed(f"it refuses {what} ({seen.said})", hint)
    does = f"it refuses {what} in words ({seen.said})" if seen.refusals else f"it answers {what}"
    if subject.claim is None or not neighbours:
        return passed(does)
    verdict = subject.audit_each(neighbours)
    if (
        verdict.status is Status.LEARNER_FAILED
        and seen.refuses
        and all(behaviour(subject, side, 2).refuses for pair in neighbours for side in (pair.left, pair.right))
    ):
        return passed(f"{does}, and its neighbours too")
    return judged_claim(
        verdict,
        about="the claim between it and a neighbour",
        broken=f"{does}, and the claim is broken between it and a neighbour",
        hint=hint,
        first=f"{does}, and ",
    )
