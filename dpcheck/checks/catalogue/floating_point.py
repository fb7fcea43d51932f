"""The doubles that come out, bit by bit."""

from __future__ import annotations

from dpcheck.checks.judging import judged_claim
from dpcheck.checks.needs import a_claim, needs
from dpcheck.checks.outcome import Outcome, not_applicable, passed
from dpcheck.checks.situations import plainly
from dpcheck.checks.subject import Subject
from dpcheck.execution.answers import Portrait, Raised


@needs(a_claim)
def check_floating_point(subject: Subject) -> Outcome:
    """The claim holds for the doubles that come out, not only for the real numbers they stand for."""
    given = subject.answers([plainly(subject.pair.left)])[0]
    values = [value for value in given.values if not isinstance(value, Raised)]
    if not values:
        return not_applicable("it gives no answer")
    if not any(map(_holds_floats, values)):
        return passed("its outputs hold no floating-point numbers")
    return judged_claim(
        subject.audit(pairs=subject.pairs[:2], numerics="exact"),
        about="the claim in the bits of the outputs, on these pairs",
        broken="the claim is broken by the low-order bits of the outputs",
        hint="noise in doubles gives away what it was added to (Mironov 2012): round to a grid that does not depend on "
        "the data, or use discrete noise; where the claim is about real numbers, announce it as an expected failure",
    )


def _holds_floats(value: object) -> bool:
    import numpy as np

    if isinstance(value, list | tuple):
        return any(map(_holds_floats, value))
    if isinstance(value, dict):
        return any(map(_holds_floats, value.values()))
    if type(value) is Portrait:
        return any(_holds_floats(part) for _, part in value.parts)
    return np.asarray(value).dtype.kind in "fcO"
