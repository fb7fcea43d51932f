"""Verdicts and measurements in words: what was asked, the answer, what shows it, what could be seen, what to do next.

The words are those of :mod:`dpcheck.model.glossary`, one word a meaning.
"""

from __future__ import annotations

import math

from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import (
    CurveClaim,
    GridClaim,
    PureDP,
    claim_point,
    orders_in_words,
    orders_tested,
    parameter_of,
    points_tested,
)
from dpcheck.model.option_words import as_options, by_command
from dpcheck.model.verdict.next_steps import loss_in_words, next_steps, next_steps_of_measurement, part_of_outputs
from dpcheck.model.verdict.parts import (
    NOT_TRIED,
    DivergenceBound,
    ExactAnswer,
    Finding,
    SeenDifference,
    Status,
    Stop,
    Witness,
    as_number,
    confidence,
)
from dpcheck.model.verdict.values import Measurement, Verdict


def describe(verdict: Verdict) -> str:
    """What a person reads: the question, the answer, the evidence, what was looked at, the power, what to do next."""
    return "\n".join([found_in_words(verdict), *steps_in_words(next_steps(verdict))])


def _said(verdict: Verdict, line: str) -> str:
    """A line of ours in the words of the door by which the audit was asked for."""
    return as_options(line) if verdict.record is not None and by_command(verdict.record.argv) else line


def found_in_words(verdict: Verdict) -> str:
    """The same without what to do next, which says how long it would take on this machine."""
    lines = [
        f"{verdict.target}: {verdict.status.value.upper()} (claim: {verdict.claim}, {verdict.relation})",
        f"Asked: {_asked(verdict)}",
    ]
    if verdict.exact is not None:
        lines += _exact_lines(verdict, verdict.exact)
    else:
        lines.append(f"Answer: {_answer(verdict)}")
        if verdict.status is not Status.LEARNER_FAILED:
            lines += _evidence(verdict)
    if verdict.looked is not None:
        lines.append(f"Looked at: {verdict.looked}.")
    if verdict.exact is None:
        if isinstance(verdict.claim, GridClaim) and verdict.status is not Status.LEARNER_FAILED:
            lines.append(_how_tested(verdict.claim))
        if verdict.status in (Status.INCONCLUSIVE, Status.NO_VIOLATION_FOUND):
            lines += _power(verdict)
        stopped = _said(verdict, verdict.stop.value)
        lines.append(f"Stopped because {stopped}. alpha = {verdict.alpha:g}, seed = {verdict.seed}.")
    return "\n".join([*lines, *(_said(verdict, line) for line in findings_in_words(verdict.findings))])


def findings_in_words(findings: tuple[Finding, ...]) -> list[str]:
    """A line for each finding."""
    return [f"Finding ({finding.kind}): {finding.detail}" for finding in findings]


def steps_in_words(steps: tuple[str, ...]) -> list[str]:
    """A line for each of the next steps."""
    return [f"Next: {step}" for step in steps]


def _asked(verdict: Verdict) -> str:
    claim = verdict.claim
    if isinstance(claim, PureDP):
        digits = 10 if verdict.exact is not None else 6  # the loss is told with as many
        asked = f"is the privacy loss at most epsilon = {claim.epsilon_value:.{digits}g}"
    else:
        asked = f"does it keep {claim}"
    given = verdict.relation == "neighbours on your word"
    return f"{asked} for neighbouring datasets ({'the pairs given' if given else verdict.relation})?"


def _answer(verdict: Verdict) -> str:
    if verdict.status is Status.VIOLATED:
        return (
            f"no, the claim is false. With confidence {confidence(verdict.alpha)} any valid {_bounded(verdict)} "
            f"exceeds {at_least(_bound(verdict), '.4g')}."
        )
    if verdict.status is Status.LEARNER_FAILED:
        return f"undecided. {_said(verdict, verdict.failure[:1].upper() + verdict.failure[1:])}"
    if verdict.status is Status.NO_VIOLATION_FOUND:
        return f"not refuted ({_pairs(verdict)}). {verdict.status.meaning}"
    if verdict.failure:
        return f"undecided. {verdict.failure[:1].upper()}{verdict.failure[1:]}"
    if not verdict.detectable_epsilon > verdict.detect:
        return "undecided. The claim is not refuted, and something could not be looked at (see the finding)."
    return f"undecided. {verdict.status.meaning}"


def _pairs(verdict: Verdict) -> str:
    kinds = {finding.kind for finding in verdict.findings}
    how = "only explored" if "search" in kinds and NOT_TRIED not in kinds else "not tried"
    left_out = f", {verdict.pairs_not_tried} more {how}" if verdict.pairs_not_tried else ""
    smaller = verdict.pairs_tried - verdict.looked.tried if verdict.looked is not None and verdict.looked.tried else 0
    first = verdict.pairs_tried - smaller
    made = f" and {smaller} made smaller" if smaller > 0 else ""
    return f"{first} pair{'' if first == 1 else 's'}{made} tried{left_out}"


#: What the calls of each phase are for.
_PHASES = {
    "agreement": "to see what outputs look like",
    "search": "to explore pairs (not counted)",
    "certify": "for the evidence",
    "freshness": "to see that its runs are fresh",
    "shrink": "to make the pair smaller",
}


def _evidence(verdict: Verdict) -> list[str]:
    """The evidence of all pairs and events together, then the pair and event that carry most of it."""
    phases = [f"{phase.calls:,} {_PHASES.get(phase.phase, phase.phase)}" for phase in verdict.phases if phase.calls]
    lines = [
        f"Evidence against the claim: {as_number(verdict.log_evidence)} (needed: {verdict.threshold:.3g}, which a "
        f"claim that holds reaches with probability at most {verdict.alpha:g}).",
        f"Calls: {verdict.samples:,} ({', '.join(phases)}); {_pairs(verdict)}.",
    ]
    if verdict.divergence is not None:
        lines.append(_refuted_by(verdict, verdict.divergence))
    if verdict.status is not Status.VIOLATED:
        bound = _bound(verdict)
        said = (
            f"{_bounded(verdict)} > {at_least(bound, '.4g')} with confidence {confidence(verdict.alpha)}"
            if bound > 0
            else "none yet"
        )
        lines.append(f"Certified lower bound: {said}. No number of calls gives an upper bound.")
    if verdict.witness is not None:
        lines += _witness(verdict, verdict.witness)
    if verdict.found is not None:
        found = verdict.found
        lines.append(
            f"Made smaller from a pair found before: {found.change} (D = {found.left}, D' = {found.right}); there "
            f"{_counted(found) if found.has_event else f'{found.event}, {found.direction}'}."
        )
    return lines


def _refuted_by(verdict: Verdict, divergence: DivergenceBound) -> str:
    """Which test refuted, or has most of the evidence where only all of them together refute."""
    alone = divergence.lower >= divergence.allowed
    return (
        f"{'Refuted by' if alone else 'Most of the evidence'}: the Rényi divergence of order {divergence.order:g} "
        f"{divergence.direction} is above {at_least(divergence.lower, '.4g')} (by this test alone, confidence "
        f"{confidence(verdict.alpha)}), where the claim allows {divergence.allowed:.4g}; seen in {divergence.seen_in}."
    )


def _witness(verdict: Verdict, witness: Witness) -> list[str]:
    """The pair, event and counts; nothing of an event that tells nothing: it would look like a finding."""
    violated = verdict.status is Status.VIOLATED
    if not violated and witness.epsilon_alone <= 0.0:
        return []
    pair = (
        f"{'Pair' if violated else 'Pair with most evidence'}: {witness.change}; D = {witness.left}, D' = "
        f"{witness.right}"
    )
    if not witness.has_event:
        calls = f"{witness.counts.calls:,} calls, each on D or D' with probability 1/2"
        return [pair, f"Event: {witness.event}, {witness.direction}, in {calls}."]
    return [
        pair,
        f"Event: {_event(witness)}",
        f"Seen: {_counted(witness)}{_ratio(witness, certified=violated)}.",
    ]


def _event(witness: Witness) -> str:
    one_side = witness.direction.startswith("likelier on D") and witness.direction != "likelier on the dataset named"
    return f"{witness.event} ({witness.direction})" if one_side else witness.event


def _counted(witness: Witness) -> str:
    """How often the event was seen on each side."""
    counts = witness.counts
    seen = counts.correct + counts.wrong
    calls = f"in {seen:,} of {counts.calls:,} calls, each on D or D' with probability 1/2"
    if witness.direction in ("likelier on D", "likelier on D'"):
        side = witness.direction.removeprefix("likelier on ")
        other = "D'" if side == "D" else "D"
        return f"{calls}: {counts.correct:,} on {side}, {counts.wrong:,} on {other}"
    return f"{calls}: {counts.correct:,} on the likelier dataset, {counts.wrong:,} on the other one"


def _ratio(witness: Witness, *, certified: bool) -> str:
    counts = witness.counts
    if not counts.correct:
        return ""
    if not counts.wrong:
        return "; on these counts alone the two are told apart every time: the privacy loss may be infinite"
    ratio = counts.correct / counts.wrong
    luck = "" if certified else ", which luck can put above a claim that holds"
    estimate = f"an estimate for this event{luck}"
    return f"; a likelihood ratio of about {ratio:.3g}, a privacy loss of about {math.log(ratio):.3g} ({estimate})"


def _at_delta(verdict: Verdict) -> str:
    delta = claim_point(verdict.claim)[1]
    return "" if delta == 0 else f" at delta = {delta:.3g}"


def _bounded(verdict: Verdict) -> str:
    """What is bounded, in words: a curve's own parameter, else epsilon."""
    name, _ = parameter_of(verdict.claim)
    delta = claim_point(verdict.claim)[1]
    return name if isinstance(verdict.claim, CurveClaim) or delta == 0 else f"{name} at delta = {delta:g}"


def _bound(verdict: Verdict) -> float:
    return verdict.parameter_lower if isinstance(verdict.claim, CurveClaim) else verdict.epsilon_lower


def _how_tested(claim: GridClaim) -> str:
    points = points_tested(claim)
    through = (
        f"the {len(points)} (epsilon, delta) point{'' if len(points) == 1 else 's'} it implies, from "
        f"({points[0].epsilon:.3g}, {points[0].delta:.3g}) to ({points[-1].epsilon:.3g}, {points[-1].delta:.3g})"
    )
    if not (orders := orders_tested(claim)):
        return f"How {claim} was tested: by {through}; they do not imply it."
    order = "order" if len(orders) == 1 else "orders"
    return (
        f"How {claim} was tested: by the Rényi divergences it bounds, of {order} {orders_in_words(claim)}, each way "
        f"round, and by {through}; they do not imply it. A divergence of a high order is in outputs so rare that no "
        "number of calls sees all of it."
    )


def _power(verdict: Verdict) -> list[str]:
    """What would have been caught, and what not."""
    asked = loss_in_words(verdict.claim, verdict.detect)
    if math.isinf(verdict.detectable_epsilon):
        part = f" in {part_of_outputs(verdict.detectable_coverage)}" if verdict.detectable_coverage < 1 else ""
        return [
            f"Power: even an unlimited privacy loss{part} would have been caught with a probability below 0.95 "
            f"(needed, detect: {asked})."
        ]
    each = " of each pair" if verdict.pairs_tried > 1 else ""
    part = part_of_outputs(verdict.detectable_coverage)
    claimed = loss_in_words(verdict.claim, claim_point(verdict.claim)[0])
    at = ""
    if isinstance(verdict.claim, GridClaim) or claim_point(verdict.claim)[1]:
        at = f" (epsilon = {verdict.detectable_epsilon:.3g}{_at_delta(verdict)})"
    return [
        f"Power: a privacy loss of {loss_in_words(verdict.claim, verdict.detectable_epsilon)}{at}, in "
        f"{part}{each}, would have been caught with probability 0.95 (an estimate). Needed (detect): {asked}; claimed: "
        f"{claimed}.",
        "Not covered: a larger loss in rarer outputs, in events unlike those watched, or on other pairs.",
    ]


def _exact_lines(verdict: Verdict, exact: ExactAnswer) -> list[str]:
    """What an exact verdict says: the loss, what was decided and how, the pair that shows it."""
    tried = f"{verdict.pairs_tried:,} pair{'' if verdict.pairs_tried == 1 else 's'}"
    left_out = f" ({verdict.pairs_not_tried:,} not tried)" if verdict.pairs_not_tried else ""
    every = "the one pair" if verdict.pairs_tried == 1 else f"all {tried}"
    over = f"{every} of the declared domain" if exact.exhaustive and not left_out else f"{tried}{left_out}"
    loss = "infinite" if math.isinf(exact.epsilon) else f"{exact.epsilon:.10g}"
    meaning = {
        "holds": "on the pairs compared the claim holds",
        "violated": "no, the claim is false",
    }.get(exact.answer, f"loss and claim are {exact.answer}")
    lines = [
        f"Answer: {meaning}. About the declared law, over {over}: the largest privacy loss{_at_delta(verdict)} is "
        f"epsilon = {loss}, decided in {exact.arithmetic}; nothing of this was estimated."
    ]
    if verdict.witness is not None:
        witness = verdict.witness
        lines += [
            f"{'Pair' if verdict.status is Status.VIOLATED else 'Pair with the largest loss'}: {witness.change}; "
            f"D = {witness.left}, D' = {witness.right}",
            f"Event: {witness.event}: probability {exact.left_probability} on D, {exact.right_probability} on D'.",
        ]
    return [*lines, f"The law against calls: {_calls_compared(verdict, exact)}"]


def _calls_compared(verdict: Verdict, exact: ExactAnswer) -> str:
    """How far calls were compared with the declared law, and what would have been seen."""
    if not exact.compared:
        return "no call was compared with the law: this is about the declared law only."
    level = f"{min(verdict.alpha, 1e-6):g}"
    many = "" if exact.datasets == 1 else "s"
    where = f" on {exact.datasets_compared:,} of {exact.datasets:,} dataset{many}" if exact.datasets else ""
    said = f"{exact.compared:,} calls{where} agree with it (tested at level {level})"
    if not exact.seen:
        return f"{said}."
    unsure = (
        "Calls that are off by less than that would not have been told from it; they may leak more than the law does, "
        "and the answer is not about them"
    )
    parts = [
        f"on any of {seen.datasets:,} dataset{'' if seen.datasets == 1 else 's'} ({seen.calls:,} calls each): "
        f"{_difference(seen)}"
        for seen in exact.seen
    ]
    unseen = exact.datasets - exact.datasets_compared
    rest = f"; on {unseen:,} dataset{'' if unseen == 1 else 's'} no call was compared" if unseen > 0 else ""
    power = "Power: calls that are not of the law would have been caught with probability 0.95"
    return f"{said}. {power} {'; '.join(parts)}{rest}. {unsure}."


def _difference(seen: SeenDifference) -> str:
    of_halves = "of the events that split the outputs in two by size, by a bit or by likelihood"
    halves = f"{of_halves}, one whose probability is off by {seen.in_halves:.2g}"
    if seen.in_halves >= 0.5:
        halves = "of events that split the outputs in two, none for certain"
    if seen.anywhere >= 1.0:
        return halves
    return f"any event whose probability is off by {seen.anywhere:.2g} (a total variation above that); {halves}"


def describe_measurement(measurement: Measurement) -> str:
    """What a person reads: the bound, the pair and event that show it, what was looked at, what to do next."""
    at = "" if measurement.delta == 0 else f" at delta = {measurement.delta:g}"
    sure = confidence(measurement.alpha)
    steps = steps_in_words(next_steps_of_measurement(measurement))
    if measurement.failure:
        failure = as_options(measurement.failure) if by_command(measurement.argv) else measurement.failure
        return "\n".join([f"{measurement.target}: LEARNER FAILED. {failure}", *steps])
    if measurement.stop is Stop.INTERRUPTED:
        said = f"{measurement.target}: interrupted before its number of calls was reached; nothing is certified."
        return "\n".join([said, *steps])
    certified = measurement.epsilon_lower > 0
    found = f"epsilon{at} above {at_least(measurement.epsilon_lower, '.4g')}" if certified else "nothing certified"
    lines = [
        f"{measurement.target}: {found} (confidence {sure}, {measurement.samples:,} calls, {measurement.relation})",
        f"Asked: how large is the privacy loss{at} for neighbouring datasets?",
        f"Answer: {_measured(measurement)}",
    ]
    if measurement.witness is not None and certified:
        witness = measurement.witness
        lines += [
            f"Pair: {witness.change}; D = {witness.left}, D' = {witness.right}",
            f"Event: {_event(witness)}",
            f"Seen: {_counted(witness)}{_ratio(witness, certified=True)}. (The bound rests on other events and earlier "
            "calls too.)",
        ]
    if any(point.y > 0.0 for point in measurement.renyi):
        lines.append(_divergences(measurement))
    if measurement.looked is not None:
        lines.append(f"Looked at: {measurement.looked}.")
    return "\n".join([*lines, *findings_in_words(measurement.findings), *steps])


#: Orders told in words; the rest is in the JSON of a measurement.
_TOLD_ORDERS = (1.0, 2.0, 4.0, 8.0)


def _divergences(measurement: Measurement) -> str:
    """Certified Rényi divergences, and rho."""
    sure = confidence(measurement.alpha)
    told = [
        f"{at_least(point.y, '.4g')} of order {point.x:g}" for point in measurement.renyi if point.x in _TOLD_ORDERS
    ]
    rho = (
        f"; rho (zCDP) above {at_least(measurement.rho_lower, '.4g')}, with confidence {sure} as well"
        if measurement.rho_lower
        else ""
    )
    return f"Rényi divergences: at least {', '.join(told)} (together, with confidence {sure}){rho}."


def _measured(measurement: Measurement) -> str:
    if measurement.epsilon_lower <= 0:
        return "no privacy loss was certified. That says nothing: it may be of any size, and more calls are needed."
    return (
        f"with confidence {confidence(measurement.alpha)} more than {at_least(measurement.epsilon_lower, '.4g')}. A "
        "lower bound: no number of calls bounds epsilon from above."
    )
