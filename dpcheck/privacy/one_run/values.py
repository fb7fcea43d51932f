"""What an audit of one run says, and how: what was asked, the answer, what shows it, what could be seen, what next."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass

from dpcheck.model.claims import Claim, CurveClaim, parameter_of
from dpcheck.model.verdict import Environment, Finding, Status, confidence
from dpcheck.model.verdict.descriptions import findings_in_words, steps_in_words

SCHEMA = "dpcheck-one-run/1"
_WITHOUT = {"add-remove": "is not in the data", "replace-one": "is replaced by another record"}


@dataclass(frozen=True)
class OneRunVerdict:
    """What the scores of canaries say about a claim; see :func:`dpcheck.one_run_verdict`.

    ``p_value`` bounds the probability that a learner which keeps its claim has so many right guesses. With confidence
    ``1 - alpha`` the learner is not (epsilon, ``delta``)-DP for any epsilon below ``epsilon_lower``;
    ``parameter_lower`` is the same in the claim's own unit (rho, mu, Rényi epsilon, else epsilon), a statement at
    ``alpha`` of its own. ``needed`` right guesses would have refuted the claim (more than there are guesses: none
    would). A leak of ``detectable_epsilon`` (at the delta of the claim's point; ``inf``: none) would have been caught
    with probability 0.95 if the scores told canaries apart as well as the least private law with that leak lets them;
    whether they do, no run can say.
    """

    status: Status
    claim: Claim
    relation: str
    alpha: float
    p_value: float
    delta: float
    epsilon_lower: float
    parameter_lower: float
    canaries: int
    included: int
    runs: int
    guesses_in: int
    guesses_out: int
    right_in: int
    right_out: int
    needed: int
    detect: float
    detectable_epsilon: float
    inclusion: str
    theorem: str
    findings: tuple[Finding, ...]
    environment: Environment
    target: str = "the training"
    seconds: float = 0.0
    failure: str = ""
    argv: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        raise TypeError("a verdict is neither true nor false: compare verdict.status with dpcheck.Status.VIOLATED")

    @property
    def guesses(self) -> int:
        """All guesses made."""
        return self.guesses_in + self.guesses_out

    @property
    def right(self) -> int:
        """All right guesses."""
        return self.right_in + self.right_out

    def __str__(self) -> str:
        return describe(self)

    def to_json(self) -> str:
        """The verdict as JSON, of schema ``dpcheck-one-run/1``."""
        from dpcheck.model.verdict.record import claim_record, plain

        fields = {field.name: plain(getattr(self, field.name)) for field in dataclasses.fields(self)}
        fields["claim"] = plain(claim_record(self.claim))
        document = {"schema": SCHEMA, "verdict": fields}
        return json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False) + "\n"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p><b>{escape(self.status.value)}</b></p><pre>{escape(str(self))}</pre>"


def describe(verdict: OneRunVerdict) -> str:
    """What a person reads."""
    lines = [
        f"{verdict.target}: {verdict.status.value.upper()} (claim: {verdict.claim}, one record {_outside(verdict)})",
        f"Asked: does it keep {verdict.claim} for neighbouring datasets (a canary is in the data, or "
        f"{_outside(verdict)})?",
    ]
    if verdict.status is Status.LEARNER_FAILED:
        return "\n".join([*lines, f"Answer: undecided. {verdict.failure}", *findings_in_words(verdict.findings)])
    lines += [f"Answer: {_answer(verdict)}", _evidence(verdict), _bounds(verdict), _canaries(verdict)]
    if verdict.status is not Status.VIOLATED:
        lines.append(_power(verdict))
    lines.append(f"alpha = {verdict.alpha:g}; rests on: {verdict.theorem}.")
    return "\n".join([*lines, *findings_in_words(verdict.findings), *steps_in_words(next_steps(verdict))])


def _outside(verdict: OneRunVerdict) -> str:
    return _WITHOUT[verdict.relation]


def _answer(verdict: OneRunVerdict) -> str:
    if verdict.status is Status.VIOLATED:
        return f"no, the claim is false, with confidence {confidence(verdict.alpha)}."
    if verdict.status is Status.INCONCLUSIVE:
        return "undecided. The run could not have shown a privacy loss of the size it was asked to detect."
    return "not refuted by these scores; this is not a proof of privacy."


def _evidence(verdict: OneRunVerdict) -> str:
    return (
        f"Evidence: {verdict.right:,} of {verdict.guesses:,} guesses are right ({verdict.right_in:,} of "
        f"{verdict.guesses_in:,} that a canary is in, {verdict.right_out:,} of {verdict.guesses_out:,} that it is "
        f"out). A learner that keeps its claim has so many with probability at most {verdict.p_value:.2g}."
    )


def _bounds(verdict: OneRunVerdict) -> str:
    at = f" at delta {verdict.delta:.3g}" if verdict.delta else ""
    parts = []
    if isinstance(verdict.claim, CurveClaim) and verdict.parameter_lower > 0.0:
        parts.append(f"any valid {parameter_of(verdict.claim)[0]} exceeds {verdict.parameter_lower:.4g}")
    if verdict.epsilon_lower > 0.0:
        parts.append(f"any valid epsilon{at} exceeds {verdict.epsilon_lower:.4g}")
    if not parts:
        return "Certified: nothing; these guesses are compatible with no privacy loss at all."
    each = ", each statement by itself" if len(parts) > 1 else ""
    return f"Certified with confidence {confidence(verdict.alpha)}{each}: {'; '.join(parts)}."


def _canaries(verdict: OneRunVerdict) -> str:
    several = f" in {verdict.runs:,} runs" if verdict.runs > 1 else ""
    return (
        f"Canaries: {verdict.canaries:,}{several}, {verdict.included:,} in the data, {verdict.inclusion}; the others "
        "are guessed of neither way."
    )


def _power(verdict: OneRunVerdict) -> str:
    if verdict.needed > verdict.guesses:
        return (
            f"Power: none. Under this claim all {verdict.guesses:,} guesses may be right with more than probability "
            f"{verdict.alpha:g}: no scores of {verdict.canaries:,} canaries could refute it."
        )
    at = f" at delta {verdict.delta:.3g}" if verdict.delta else ""
    if not math.isfinite(verdict.detectable_epsilon):
        return f"Power: {verdict.needed:,} right guesses of {verdict.guesses:,} would have refuted the claim."
    return (
        f"Power: {verdict.needed:,} right guesses of {verdict.guesses:,} would have refuted the claim. A privacy loss "
        f"of {verdict.detectable_epsilon:.3g}{at} would have been caught with probability 0.95 (asked: "
        f"{verdict.detect:.3g}), if scores tell canaries apart as well as the noise lets them; whether these do, one "
        "run cannot say."
    )


def next_steps(verdict: OneRunVerdict) -> tuple[str, ...]:
    """What to do next."""
    if verdict.status is Status.VIOLATED:
        return ("train again with fresh coins to see it confirmed; then look at clipping, noise and sampling.",)
    if verdict.status is Status.INCONCLUSIVE:
        return (
            "give more canaries, or the scores of several runs (a row each, with coins of their own); a claim of a "
            "large epsilon is better audited by many runs: dpcheck audit, dpcheck plan.",
        )
    return ("try a score that sees more of the training: gradients rather than losses, canaries that stand out.",)
