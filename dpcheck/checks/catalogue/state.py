"""What stays behind: in the input, in the learner, on its way through a pickle."""

from __future__ import annotations

from dpcheck.checks import careless
from dpcheck.checks.defects import must_fail
from dpcheck.checks.judgement import judged_equality
from dpcheck.checks.needs import an_object, needs
from dpcheck.checks.outcome import Outcome, failed, passed
from dpcheck.checks.situations import AfterACallOn, AfterPickling, HowFarApart, Situation, plainly
from dpcheck.checks.subject import Subject
from dpcheck.execution.answers import Raised

_NO_STATE = (
    "keep nothing of one call for the next: no cache of data, no attribute that a call sets and another reads, no "
    "warm start"
)


@must_fail("hostile.leaving:mutates_its_dataset")
def check_input_unchanged(subject: Subject) -> Outcome:
    """A call leaves the dataset it was given as it was."""
    situations = [plainly(dataset) for dataset in subject.ordinary_datasets()]
    for situation, given in zip(situations, subject.answers(situations), strict=True):
        if given.changed_input:
            return failed(
                f"it changes its input {situation.words}",
                "copy the dataset before writing into it: whoever calls twice would get another answer",
            )
    return passed(
        f"its input was as before after the calls on {len(situations)} dataset{'' if len(situations) == 1 else 's'}"
    )


@must_fail(careless.RemembersWhatItSaw)
def check_statelessness(subject: Subject) -> Outcome:
    """Outputs on D after a call on a neighbour of D have the law of those after a call on D itself."""
    left, right = subject.pair.left, subject.pair.right
    return judged_equality(
        subject.compare(
            Situation(left, AfterACallOn(left), "an output on D after a call on D"),
            Situation(left, AfterACallOn(right), "an output on D after a call on its neighbour"),
        ),
        between="outputs on D after a call on D and after one on its neighbour",
        differs="outputs on D after a call on its neighbour differ in law from those after a call on D",
        hint="the learner keeps state between calls, and gives away with it what other data it has seen: " + _NO_STATE,
    )


@must_fail("hostile.randomness:CarriesNoiseOver")
def check_independence_of_calls(subject: Subject) -> Outcome:
    """Two outputs of one learner are as independent of each other as outputs of two learners."""
    dataset = subject.pair.left
    return judged_equality(
        subject.compare(
            Situation(dataset, HowFarApart(True), "two outputs of one learner"),
            Situation(dataset, HowFarApart(False), "two outputs of two learners"),
        ),
        between="how far apart two outputs of one learner and of two learners are",
        differs="two outputs of one learner depend on each other",
        hint="noise that is used twice protects once: draw it anew in every call; " + _NO_STATE,
    )


@must_fail(careless.HoldsALock)
@needs(an_object)
def check_pickling(subject: Subject) -> Outcome:
    """A learner that was pickled and read again answers as before."""
    dataset = subject.dataset
    here, there = plainly(dataset, "the learner"), Situation(dataset, AfterPickling(), "the learner after pickling")
    before, after = subject.answers([here, there], 2)
    lost = [value for value in after.values if isinstance(value, Raised)]
    if lost and not any(isinstance(value, Raised) for value in before.values):
        return failed(
            f"it cannot be pickled, or fails after it ({lost[0].kind}: {lost[0].message})",
            "keep locks, files, generators and connections out of its attributes, or define __getstate__",
        )
    return judged_equality(
        subject.compare(here, there),
        between="its answers before and after pickling",
        differs="after pickling it answers with another law",
        hint="__getstate__ or __reduce__ loses something that its answers depend on",
    )
