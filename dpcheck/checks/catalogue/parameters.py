"""Parameters that mean nothing: they are refused, by name."""

from __future__ import annotations

import math
import re
from typing import Any

from dpcheck.checks import careless
from dpcheck.checks.defects import must_fail
from dpcheck.checks.judgement import judged_claim
from dpcheck.checks.needs import a_factory, needs
from dpcheck.checks.outcome import Outcome, failed, not_applicable, passed
from dpcheck.checks.result import CheckStatus
from dpcheck.checks.situations import Situation, WithParameter
from dpcheck.checks.subject import Subject
from dpcheck.execution.answers import Raised
from dpcheck.execution.introspection import PARAMETERS
from dpcheck.model.claims import PureDP
from dpcheck.model.errors import LearnerDied

#: Values that no learner can mean. An epsilon of 0 is possible, for answers that do not depend on the data.
_IMPOSSIBLE: dict[str, tuple[Any, ...]] = {
    "epsilon": (-1.0, math.nan, math.inf, "x", None),
    "delta": (2.0, -0.1, math.nan, "x"),
    "rho": (-1.0, math.nan, math.inf, "x"),
    "mu": (-1.0, math.nan, math.inf, "x"),
    "order": (0.5, -1.0, math.nan, "x"),
    "sensitivity": (-1.0, math.nan, math.inf, "x"),
    "scale": (-1.0, math.nan, math.inf, "x"),
    "sigma": (-1.0, math.nan, math.inf, "x"),
}
#: Other names for the same parameter that a message may use.
_ALSO = {
    "epsilon": ("eps", "ε"), "delta": ("δ",), "rho": ("ρ",), "mu": ("μ",), "sigma": ("scale", "deviation", "σ"),
    "scale": ("sigma",),
}  # fmt: skip


@must_fail(careless.TakesAnyParameter)
@needs(a_factory)
def check_refusal_of_an_impossible_epsilon(subject: Subject) -> Outcome:
    """An epsilon of -1, NaN, infinity or "x" is refused by name; 0 is refused, or hides the data entirely."""
    outcome = _refusals(subject, ("epsilon",))
    if outcome.status is not CheckStatus.PASSED:
        return outcome
    where, kind, message = _outcome_with(subject, "epsilon", 0.0)
    if where:
        if _names("epsilon", message):
            return outcome
        return failed(f"epsilon = 0 is refused without naming epsilon ({kind}: {message})", _SAY_SO)
    verdict = judged_claim(
        subject.audit(claim=PureDP(0.0), pairs=subject.pairs[:1], options={"epsilon": 0.0}, calls=2_000),
        about="epsilon = 0",
        broken="epsilon = 0 is accepted, and the answers depend on the data",
        hint="refuse an epsilon of 0, or answer without looking at the data",
    )
    return verdict if verdict.status is CheckStatus.FAILED else outcome


@must_fail(careless.TakesAnyParameter)
@needs(a_factory)
def check_refusal_of_an_impossible_delta(subject: Subject) -> Outcome:
    """A delta of 2, -0.1, NaN or "x" is refused by name."""
    return _refusals(subject, ("delta",))


@must_fail(careless.TakesAnyParameter)
@needs(a_factory)
def check_refusal_of_impossible_noise(subject: Subject) -> Outcome:
    """Impossible values of rho, mu, order, sensitivity, scale or sigma are refused by name."""
    return _refusals(subject, tuple(name for name in _IMPOSSIBLE if name not in ("epsilon", "delta")))


_SAY_SO = 'raise ValueError(f"epsilon must be a finite number above 0, got {epsilon!r}"), for one, when it is made'


def _refusals(subject: Subject, names: tuple[str, ...]) -> Outcome:
    known = subject.said(PARAMETERS)
    present = [name for name in names if name in known]
    if not present:
        return not_applicable(f"the factory has no parameter {' or '.join(names)}")
    hint = _SAY_SO.replace("epsilon", present[0])
    tried = 0
    for name in present:
        for value in _IMPOSSIBLE[name]:
            if value is None and known[name]:
                continue  # None is this factory's own word for "not given"
            try:
                where, kind, message = _outcome_with(subject, name, value)
            except LearnerDied as error:
                return failed(f"{name} = {value!r} is not refused: {error}", hint, learner_failed=True)
            tried += 1
            if not where:
                return failed(f"{name} = {value!r} is accepted, and answers are given", hint)
            if not _names(name, message):
                return failed(
                    f"{name} = {value!r} is refused without naming {name} ({kind}: {message or 'no message'})", hint
                )
    return passed(f"{tried} impossible values of {', '.join(present)} are refused by name")


def _outcome_with(subject: Subject, name: str, value: Any) -> tuple[str, str, str]:
    situation = Situation(subject.dataset, WithParameter(name, value), f"the learner made with {name} = {value!r}")
    (answer,) = subject.answers([situation], 1)[0].values
    if isinstance(answer, Raised):  # what is no Exception: SystemExit, for one
        return "made", answer.kind, answer.message
    where, kind, message = answer
    return str(where), str(kind), str(message)


def _names(name: str, message: str) -> bool:
    """Whether a message names a parameter, in a word of its own: "must" does not name mu.

    >>> _names("mu", "it must be positive"), _names("epsilon", "eps_1 must be positive")
    (False, True)
    """
    words = "|".join((name, *_ALSO.get(name, ())))
    return re.search(rf"(?<![^\W\d_])(?:{words})s?(?![^\W\d_])", message.lower()) is not None
