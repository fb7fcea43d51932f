"""Does it answer at all, and without noise around it?"""

from __future__ import annotations

from dpcheck.checks.defects import must_fail
from dpcheck.checks.judgement import behaviour_of
from dpcheck.checks.outcome import Outcome, failed, passed
from dpcheck.checks.situations import Situation as _Situation
from dpcheck.checks.situations import Surroundings, plainly
from dpcheck.checks.subject import Subject
from dpcheck.execution.answers import Raised


@must_fail("hostile.raising:raises_always")
def check_answers_on_ordinary_data(subject: Subject) -> Outcome:
    """On data inside the claim's domain it answers: no exception, and no NaN."""
    situations = [plainly(dataset) for dataset in subject.ordinary_datasets()]
    for situation, given in zip(situations, subject.answers(situations), strict=True):
        seen = behaviour_of(given)
        if seen.said:
            return failed(
                f"it raises on {situation.words} ({seen.said}) in {seen.refusals + seen.accidents} of {given.count} "
                "calls",
                "let it answer on every dataset that the claim is about, or declare which these are (neighbours=)",
            )
        if seen.nan:
            return failed(f"it answers NaN on {situation.words}", "a NaN is an answer that says nothing to anybody")
    return passed(f"it answered in each call on {len(situations)} dataset{'' if len(situations) == 1 else 's'}")


@must_fail("hostile.leaving:prints_much")
def check_silence(subject: Subject) -> Outcome:
    """It prints nothing and gives no warning: what it says beside its answer is seen by others too."""
    given = subject.answers([plainly(subject.pair.left), plainly(subject.pair.right)])
    printed = sum(answers.printed for answers in given)
    warned = sorted({text for answers in given for texts in answers.warned.values() for text in texts})
    if printed:
        return failed(
            f"it prints ({printed:,} bytes in {sum(answers.count for answers in given)} calls)",
            "use logging, and never for data: whoever reads the log sees what the claim does not cover",
        )
    if warned:
        return failed(
            f"it warns on ordinary data ({warned[0]})",
            "a warning that depends on the data tells about them: warn about parameters, when it is made",
        )
    return passed(f"it printed nothing and gave no warning in {sum(answers.count for answers in given)} calls")


@must_fail("hostile.leaving:changes_its_surroundings")
def check_surroundings_unchanged(subject: Subject) -> Outcome:
    """A call leaves the process as it was: directory, environment, numpy's error state, filters, threads, timers."""
    situation = _Situation(subject.dataset, Surroundings(), "a call between two looks at the process around it")
    given = subject.answers([situation], 3)[0]
    changed = sorted({name for value in given.values if not isinstance(value, Raised) for name in value})
    if changed:
        return failed(
            f"a call changes {', '.join(changed)}",
            "put back what has to be changed (with contextlib.ExitStack, numpy.errstate, warnings.catch_warnings)",
        )
    return passed(f"{given.count} calls left the process around them as it was")
