"""The learner's forms: calls, ``sample`` and ``distribution`` must be one law."""

from __future__ import annotations

import math

from dpcheck.checks import careless
from dpcheck.checks.defects import must_fail
from dpcheck.checks.judgement import behaviour, judged_equality
from dpcheck.checks.needs import a_distribution, a_sample, needs
from dpcheck.checks.outcome import Outcome, failed, inconclusive, not_applicable, passed
from dpcheck.checks.situations import FromTheLaw, OneOfASample, SeenByTheLaw, Situation
from dpcheck.checks.subject import Subject, told_where
from dpcheck.execution.answers import Raised
from dpcheck.model.errors import LearnerDied
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.model.verdict import as_number
from dpcheck.privacy.run.agreement_phase import COMPARISON_SIZES, agree_with_sample, warm_up
from dpcheck.privacy.run.bulk_agreement import FULL_SIZES, at_full_size

#: Draws of one ``sample`` of which one is compared with the declared law.
DRAWS = 5


@must_fail("hostile.bulk:ReusesOneDraw")
@needs(a_sample)
def check_agreement_of_sample_with_calls(subject: Subject) -> Outcome:
    """Draws of ``sample`` have the law of separate calls, and are independent of each other."""
    datasets = [subject.pair.left, subject.pair.right]
    if behaviour(subject, datasets[0]).always_raises:
        return not_applicable("its calls give no answer to compare with")
    alpha = subject.at_stake()
    runner = subject.runner(subject.target, subject.question.handed(datasets))
    try:
        caller = subject.caller(runner, datasets).as_bulk()
        opening = warm_up(caller, ((0, 1),))
        # five calls or draws for each output, as agree_with_sample makes them; and calls beside large samples
        separate = sum(COMPARISON_SIZES) + sum(calls for calls, _ in FULL_SIZES)
        affordable = opening.seconds_per_call * separate
        if affordable > subject.question.max_seconds:
            return inconclusive(
                f"comparing sample with calls takes some {affordable:,.0f} s, more than the "
                f"{subject.question.max_seconds:g} s allowed",
                "give it more seconds (max_seconds)",
            )
        caller = caller.scaled(opening.scale).laid_out(opening.layout)
        level = alpha / (len(datasets) + 1)
        evidence, calls, why, power = 0.0, opening.calls, "sample and separate calls do not agree", ""
        for place in range(len(datasets)):
            used, found = agree_with_sample(caller, place, opening.shape, level)
            calls += used
            evidence = max(evidence, found)
        if evidence < -math.log(level):
            sampling = at_full_size(caller, (0, 1), opening.shape)
            calls += sampling.calls + sampling.draws
            evidence, power = sampling.evidence, sampling.power(-math.log(level))
            why = sampling.complaint.partition(";")[0]
    except LearnerDied as error:
        raise told_where(error, datasets) from error
    finally:
        runner.close()
    subject.spent.calls += calls
    if evidence >= -math.log(level):
        return failed(
            why if "evidence" in why else f"{why} (evidence {as_number(evidence)})",
            "sample must give independent draws of the law of the calls: one draw repeated, or another formula, is not",
        )
    return passed(f"sample and separate calls agree ({calls:,} calls and draws). {power}")


@must_fail("hostile.declaring:DeclaresAnotherLaw", 2.0, neighbours=ReplaceOne(records=[0, 1]))
@needs(a_distribution)
def check_agreement_of_distribution_with_calls(subject: Subject) -> Outcome:
    """The declared law is that of the calls, on both datasets of a pair."""
    return _with_the_law(subject, SeenByTheLaw(), "calls")


@must_fail(careless.SamplesAnotherLawThanItDeclares)
@needs(a_sample, a_distribution)
def check_agreement_of_sample_with_distribution(subject: Subject) -> Outcome:
    """The declared law is that of the draws of ``sample``."""
    return _with_the_law(subject, OneOfASample(DRAWS, as_declared=True), "draws of sample")


def _with_the_law(subject: Subject, way: SeenByTheLaw | OneOfASample, words: str) -> Outcome:
    mend = "mend distribution, or drop it: an exact audit would be one of another learner"
    outcomes = []
    for dataset in (subject.pair.left, subject.pair.right):
        declared = Situation(dataset, FromTheLaw(), "draws from the declared law")
        other = Situation(dataset, way, words)
        drawn, given = subject.answers([declared, other])
        for what, answers in (("distribution", drawn), (words, given)):
            raised = [value for value in answers.values if isinstance(value, Raised)]
            if raised:
                return failed(f"{what} gives no law or raises ({raised[0].kind}: {raised[0].message})", mend)
        unknown = [value for value in given.values if value[1] < 0]
        if unknown:
            return failed(f"{words} give outputs to which distribution gives no probability", mend)
        outcomes.append(
            judged_equality(
                subject.compare(declared, other, share=0.5),
                between=f"{words} and the declared law",
                differs=f"distribution is not the law of the {words}",
                hint=mend,
            )
        )
    return next((outcome for outcome in outcomes if outcome.status.value != "passed"), outcomes[0])
