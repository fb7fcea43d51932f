"""What was noticed about a learner, in words."""

from __future__ import annotations

from dpcheck.model.data import describe_dataset
from dpcheck.model.errors import LearnerDied
from dpcheck.model.verdict import Finding
from dpcheck.privacy.run.caller import Noticed
from dpcheck.privacy.run.question import Question
from dpcheck.privacy.statistics.judge import DEAR_TO_MAKE
from dpcheck.privacy.statistics.places import CALLS_OF_ONE_LEARNER, UNSEEN, findings_on_places

#: The words by which a death on one side only is known again as a finding.
DIFFERENT_END = "It terminates differently on a neighbour, where it answered."
#: Said of one that ends so in some of its calls.
RARE_END = "It had answered there before: it ends so in a part of its calls."


def death_text(question: Question, error: LearnerDied, noticed: Noticed) -> str:
    """How the learner hung or died, on which dataset, and whether it answered there before, or only on another."""
    text = str(error).rstrip(".") + "."
    if error.dataset is not None and 0 <= error.dataset < len(question.datasets):
        text += f" The dataset was {describe_dataset(question.datasets[error.dataset])}."
        beside = {b if a == error.dataset else a for a, b in question.dataset_numbers() if error.dataset in (a, b)}
        if not noticed.bulk and (error.dataset in noticed.sides or beside & noticed.sides):
            text += f" {RARE_END if error.dataset in noticed.sides else DIFFERENT_END}"
    return text


def findings_of(
    earlier: tuple[Finding, ...], noticed: Noticed, notes: tuple[str, ...], reproducible: bool, failure: str
) -> tuple[Finding, ...]:
    """The findings of a run: earlier ones first, each once."""
    found = list(earlier)
    if noticed.changed_input:
        found.append(Finding("changes its input", "the dataset it was given was altered; each call gets a fresh copy"))
    if noticed.printed:
        found.append(Finding("prints", f"it wrote {noticed.printed:,} bytes to its output, which were dropped"))
    if not noticed.used_rng and noticed.sides and not failure:
        found.append(
            Finding(
                "ignores rng",
                "it did not draw from the generator it was given"
                + ("" if reproducible else "; its runs cannot be repeated from the seed"),
            )
        )
    one = noticed.one_output.finding()
    if one is not None and not failure:
        found.append(one)
    if noticed.owned:
        several = "s were" if noticed.owned > 1 else " was"
        found.append(
            Finding(
                "owns its generator",
                f"{noticed.owned} generator{several} found in it and seeded by the run's seed for each fresh learner; "
                "how it is seeded otherwise was not looked at",
            )
        )
    if DIFFERENT_END in failure:
        found.append(
            Finding("terminates differently", "it hung or died on one of two neighbours and answered on the other")
        )
    warns = noticed.warned.finding()
    if warns is not None:
        found.append(warns)
    found += [late for late in (noticed.late_kinds.finding(), noticed.late_digits.finding()) if late is not None]
    said = " ".join(finding.detail for finding in earlier if finding.kind == UNSEEN)
    found += findings_on_places(None, [words for words in noticed.left_out if words not in said])
    found += noticed.bits_found()
    if noticed.served < CALLS_OF_ONE_LEARNER and not noticed.dear_to_make:
        notes += (
            f"its calls are slow: a learner that is made serves {noticed.served} of them and, as analyses grow, more",
        )
    found += [Finding("how it was run", note) for note in notes]
    if noticed.dear_to_make:
        found.append(DEAR_TO_MAKE)
    return tuple(dict.fromkeys(found))
