"""What an audit of one run says, and how: what was asked, the answer, what shows it, what could be seen, what next."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import Claim, CurveClaim, claim_point, parameter_of, parameter_reaching
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.verdict import Environment, Finding, Status, confidence
from dpcheck.model.verdict.descriptions import findings_in_words, steps_in_words
from dpcheck.privacy.one_run.right_guesses import LEAST

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCHEMA = "dpcheck-one-run/1"
#: Arrays, which a verdict has and its JSON has not.
NOT_WRITTEN = ("scores", "coins")
#: Findings that scores are no scores of who was in.
BLINDING = frozenset({"scores alike", "scores turned around", "missing scores tell"})
_NEIGHBOURS = {"add-remove": "one record added or removed", "replace-one": "one record replaced"}
_OUT = {"add-remove": "is not in the data", "replace-one": "has another record in its place"}


@dataclass(frozen=True)
class OneRunVerdict:
    """What the scores of canaries say about a claim; see :func:`dpcheck.one_run_verdict`.

    ``p_value`` bounds the probability that a learner which keeps its claim has so many right guesses. With confidence
    ``1 - alpha`` the learner is not (epsilon, ``delta``)-DP for any epsilon below ``epsilon_lower``;
    ``parameter_lower`` is the same in the claim's own unit (rho, mu, Rényi epsilon, else epsilon), a statement at
    ``alpha`` of its own. ``needed`` right guesses would have refuted the claim (more than there are guesses: none
    would). A leak of ``detectable_epsilon`` (at the delta of the claim's point; ``inf``: none) would have been caught
    with probability 0.95 if the scores told canaries apart as well as the least private law with that leak lets them;
    whether they do, no run can say. ``scores`` and ``coins``, shape (runs, m), are what was judged; JSON leaves them
    out.
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
    scores: NDArray[np.float64] | None = field(default=None, repr=False, compare=False)
    coins: NDArray[np.bool_] | None = field(default=None, repr=False, compare=False)

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

    def plot(self) -> Figure:
        """Scores in and out, and the trade-off they make beside the claim's (needs ``dpcheck[plot]``).

        Raises
        ------
        InvalidArgument
            When matplotlib is not installed, or the training gave no scores.
        """
        from dpcheck.privacy.one_run.plot import one_run_figure

        if self.scores is None or self.coins is None or self.failure:
            raise InvalidArgument("plot needs the scores of a training that gave some")
        at = f" at delta {self.delta:.3g}" if self.delta else ""
        title = f"{self.target}: {self.status.value}, epsilon{at} above {at_least(self.epsilon_lower)}"
        return one_run_figure(
            self.scores.ravel(),
            self.coins.ravel(),
            self.claim,
            (self.guesses_in, self.guesses_out),
            (self.right_in, self.right_out),
            f"{title} (confidence {confidence(self.alpha)})",
        )

    def to_json(self) -> str:
        """The verdict as JSON, of schema ``dpcheck-one-run/1``."""
        from dpcheck.model.verdict.record import claim_record, plain

        names = [one.name for one in dataclasses.fields(self) if one.name not in NOT_WRITTEN]
        fields = {name: plain(getattr(self, name)) for name in names}
        fields["claim"] = plain(claim_record(self.claim))
        document = {"schema": SCHEMA, "verdict": fields}
        return json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False) + "\n"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p><b>{escape(self.status.value)}</b></p><pre>{escape(str(self))}</pre>"


def describe(verdict: OneRunVerdict) -> str:
    """What a person reads."""
    lines = [
        f"{verdict.target}: {verdict.status.value.upper()} (claim: {verdict.claim}, {_NEIGHBOURS[verdict.relation]})",
        f"Asked: does it keep {verdict.claim} for neighbouring datasets (a canary is in the data, or "
        f"{_OUT[verdict.relation]})?",
    ]
    if verdict.status is Status.LEARNER_FAILED:
        return "\n".join([*lines, f"Answer: undecided. {verdict.failure}", *findings_in_words(verdict.findings)])
    lines += [f"Answer: {_answer(verdict)}", _evidence(verdict), _bounds(verdict), _canaries(verdict)]
    if verdict.status is not Status.VIOLATED:
        lines.append(_power(verdict))
    lines.append(f"alpha = {verdict.alpha:g}; rests on: {verdict.theorem}.")
    return "\n".join([*lines, *findings_in_words(verdict.findings), *steps_in_words(next_steps(verdict))])


def _answer(verdict: OneRunVerdict) -> str:
    if verdict.status is Status.VIOLATED:
        return f"no, the claim is false, with confidence {confidence(verdict.alpha)}."
    if verdict.status is Status.NO_VIOLATION_FOUND:
        return "not refuted by these scores; this is not a proof of privacy, for other scores may see more."
    if verdict.detectable_epsilon > verdict.detect and not _blind(verdict):
        return (
            f"undecided. Too few canaries: even the best scores would not have shown {_loss(verdict, verdict.detect)}."
        )
    return "undecided. The claim is not refuted, and these scores could not have refuted it (see the finding)."


def _blind(verdict: OneRunVerdict) -> bool:
    """Whether something is wrong with the scores, which comes before their number."""
    return not BLINDING.isdisjoint(finding.kind for finding in verdict.findings)


def _loss(verdict: OneRunVerdict, epsilon: float) -> str:
    """A privacy loss in the unit of the claim."""
    claim = verdict.claim
    delta = claim_point(claim)[1]
    if isinstance(claim, CurveClaim):
        return f"a {parameter_of(claim)[0]} of {parameter_reaching(claim, epsilon, delta):.3g}"
    return f"a privacy loss of {epsilon:.3g}" + (f" at delta {delta:.3g}" if delta else "")


def _evidence(verdict: OneRunVerdict) -> str:
    least = "probability up to" if verdict.p_value > verdict.alpha else "probability at most"
    chance = f"{max(verdict.p_value, LEAST):.2g}"
    return (
        f"Evidence: {verdict.right:,} of {verdict.guesses:,} guesses are right ({verdict.right_in:,} of "
        f"{verdict.guesses_in:,} that a canary is in, {verdict.right_out:,} of {verdict.guesses_out:,} that it is "
        f"out). A training that keeps its claim may have so many with {least} {chance}."
    )


def _bounds(verdict: OneRunVerdict) -> str:
    at = f" at delta {verdict.delta:.3g}" if verdict.delta else ""
    parts = []
    if isinstance(verdict.claim, CurveClaim) and verdict.parameter_lower > 0.0:
        parts.append(f"any valid {parameter_of(verdict.claim)[0]} exceeds {at_least(verdict.parameter_lower, '.4g')}")
    if verdict.epsilon_lower > 0.0:
        parts.append(f"any valid epsilon{at} exceeds {at_least(verdict.epsilon_lower, '.4g')}")
    if not parts:
        return f"Certified: nothing{at} (epsilon = 0 cannot be ruled out)."
    each = ", each statement by itself" if len(parts) > 1 else ""
    return f"Certified with confidence {confidence(verdict.alpha)}{each}: {'; '.join(parts)}."


def _canaries(verdict: OneRunVerdict) -> str:
    several = f" in {verdict.runs:,} runs" if verdict.runs > 1 else ""
    return (
        f"Canaries: {verdict.canaries:,}{several}, {verdict.included:,} in the data, {verdict.inclusion}; no guess is "
        f"made about {verdict.canaries - verdict.guesses:,} of them."
    )


def _power(verdict: OneRunVerdict) -> str:
    if verdict.needed > verdict.guesses:
        return (
            f"Power: none. Under this claim all {verdict.guesses:,} guesses may be right with more than probability "
            f"{verdict.alpha:g}: no scores of {verdict.canaries:,} canaries could refute it by so many guesses."
        )
    refuting = f"Power: {verdict.needed:,} right guesses of {verdict.guesses:,} would have refuted the claim."
    if not math.isfinite(verdict.detectable_epsilon):
        return refuting
    caught = _loss(verdict, verdict.detectable_epsilon)
    return (
        f"{refuting} {caught[:1].upper()}{caught[1:]} would have been caught with probability 0.95 (asked: "
        f"{_loss(verdict, verdict.detect).removeprefix('a ')}), if scores tell canaries apart as well as the noise "
        "lets them; whether these do, one run cannot say."
    )


def next_steps(verdict: OneRunVerdict) -> tuple[str, ...]:
    """What to do next."""
    if verdict.status is Status.VIOLATED:
        return (
            "train again with another seed, for fresh coins, to see it confirmed; then look at clipping and noise.",
        )
    if verdict.detectable_epsilon > verdict.detect and not _blind(verdict):
        return (
            "take more canaries, or several runs (runs=), and where a claim of a large epsilon leaves no power at all, "
            "many runs: dpcheck audit, dpcheck plan.",
        )
    return (
        "train once without noise and score it alike: where that is not violated, the score cannot see canaries "
        "(control=). Choose a score on canaries that do not judge it.",
    )
