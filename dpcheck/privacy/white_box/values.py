"""What a white-box audit says: each premise of the proof by itself, what shows it, and what follows."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass
from enum import StrEnum

from dpcheck.model.claims import Claim
from dpcheck.model.training import GaussianSteps
from dpcheck.model.verdict import Environment

SCHEMA = "dpcheck-white-box/1"
_NEIGHBOURS = {"add-remove": "one record added or removed", "replace-one": "one record replaced"}


class WhiteBoxStatus(StrEnum):
    """What a white-box audit comes to."""

    AS_ACCOUNTED = "as accounted"
    NOT_AS_ACCOUNTED = "not as accounted"
    INCONCLUSIVE = "inconclusive"
    TRAINING_FAILED = "training failed"


class PremiseStatus(StrEnum):
    """What was seen of a premise."""

    SEEN_TO_HOLD = "seen to hold"
    BROKEN = "broken"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Premise:
    """A premise of the proof that steps of Gaussian noise are private.

    ``name`` is clipping, noise, sampling, steps, leftovers (what depends on the data beside the releases) or
    accounting. ``p_value`` is the probability of what was seen if the premise held; 0 where it could not be seen at
    all, None where it is not broken.
    """

    name: str
    status: PremiseStatus
    words: str
    p_value: float | None = None


@dataclass(frozen=True)
class WhiteBoxVerdict:
    """Whether a training is what was accounted for it; see :func:`dpcheck.white_box`.

    ``epsilon_accounted`` is the epsilon at ``delta`` of the steps as they were accounted, ``epsilon_seen`` of what was
    seen in its place: the smallest noise, the largest sum, sampling that is none (``inf``: no epsilon; an estimate
    from what was seen, no certified bound). ``largest`` is the largest norm of what one record gave to a sum.
    """

    status: WhiteBoxStatus
    claim: Claim | None
    accounted: GaussianSteps
    neighbours: str
    alpha: float
    premises: tuple[Premise, ...]
    delta: float
    epsilon_accounted: float
    epsilon_seen: float
    largest: float
    noise_seen: float
    steps: int
    numbers: int
    trainings: int
    environment: Environment
    target: str = "the training"
    failure: str = ""
    seconds: float = 0.0

    def __bool__(self) -> bool:
        raise TypeError("a verdict is neither true nor false: compare verdict.status with its WhiteBoxStatus")

    @property
    def broken(self) -> tuple[str, ...]:
        """The names of premises that are broken."""
        return tuple(each.name for each in self.premises if each.status is PremiseStatus.BROKEN)

    def __str__(self) -> str:
        return describe(self)

    def to_json(self) -> str:
        """The verdict as JSON, of schema ``dpcheck-white-box/1``."""
        from dpcheck.model.verdict.record import claim_record, plain

        fields = {one.name: plain(getattr(self, one.name)) for one in dataclasses.fields(self)}
        fields["claim"] = None if self.claim is None else plain(claim_record(self.claim))
        fields["accounted"] = plain(dataclasses.asdict(self.accounted))
        fields["premises"] = [plain(dataclasses.asdict(each)) for each in self.premises]
        return json.dumps({"schema": SCHEMA, "verdict": fields}, indent=1, allow_nan=False, ensure_ascii=False) + "\n"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p><b>{escape(self.status.value)}</b></p><pre>{escape(str(self))}</pre>"


def describe(verdict: WhiteBoxVerdict) -> str:
    """What a person reads."""
    claimed = "" if verdict.claim is None else f"claim: {verdict.claim}, "
    lines = [
        f"{verdict.target}: {verdict.status.value.upper()} ({claimed}{_NEIGHBOURS[verdict.neighbours]})",
        f"Accounted: {verdict.accounted}.",
    ]
    if verdict.status is WhiteBoxStatus.TRAINING_FAILED:
        return "\n".join([*lines, f"Answer: undecided. {verdict.failure}"])
    lines.append(f"Answer: {_answer(verdict)}")
    wide = max(len(each.name) for each in verdict.premises)
    lines += [f"  {each.name:{wide}}  {each.status.value}: {each.words}{_chance(each)}." for each in verdict.premises]
    lines.append(
        f"Seen: {verdict.trainings:,} trainings, {verdict.steps:,} releases of {verdict.numbers:,} "
        f"number{'s' if verdict.numbers != 1 else ''} each; alpha = {verdict.alpha:g} for noise and sampling together."
    )
    return "\n".join([*lines, *(f"Next: {step}" for step in next_steps(verdict))])


def _chance(premise: Premise) -> str:
    if not premise.p_value:
        return ""
    return f" (probability at most {max(premise.p_value, 1e-300):.2g} if it held)"


def _answer(verdict: WhiteBoxVerdict) -> str:
    at = f"epsilon at delta {verdict.delta:.3g}"
    if verdict.status is WhiteBoxStatus.NOT_AS_ACCOUNTED:
        broken = _listed(verdict.broken)
        seen = (
            "no epsilon follows from what was seen"
            if math.isinf(verdict.epsilon_seen)
            else f"{at} of what was seen is about {verdict.epsilon_seen:.3g}, of what was accounted "
            f"{verdict.epsilon_accounted:.3g}"
        )
        if verdict.broken == ("accounting",):
            return "no. The steps are as accounted, but the claim does not follow from them."
        return f"no. The proof does not hold for this training, for its {broken}: {seen}."
    if verdict.status is WhiteBoxStatus.AS_ACCOUNTED:
        return (
            f"as far as was seen ({at} is {verdict.epsilon_accounted:.3g}). This is no proof: what the training does "
            "not hand to its transcript, and other records, were not seen."
        )
    return "undecided. Nothing is seen to be broken, but not all premises could be looked at."


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


#: What to do about a premise that is broken, and about one that is undecided.
MEND = {
    "clipping": "clip what each record gives by itself, after all that is done to it, before the sum; take no mean "
    "over a number that depends on the data.",
    "noise": "draw fresh noise of noise_multiplier times clipping_norm for each coordinate of each sum, from the "
    "generator that the training is given.",
    "sampling": "draw each batch anew by a coin for each record, or account without sampling_rate (participations=).",
    "steps": "account for all releases.",
    "leftovers": "use nothing but the releases after the data were read: no choice of a model, no stopping, no scaling "
    "by statistics of the data, and no number of records where that is not public (and hand over positions in the "
    "dataset as it was given).",
    "accounting": "claim what the accountant says of the steps as they are run.",
}
#: What to do about sampling where none was accounted.
UNSAMPLED = (
    "use no record in more releases than were accounted (participations=), or account for more; and put each record "
    "into batches by draws or a digest of its own, whoever else is there, or claim for records that are replaced."
)
LOOK = {
    "clipping": "give records that make gradients large (canaries=), so that clipping has something to do.",
    "sampling": "put each record into batches by draws or a digest of its own, whoever else is there, or ask for "
    "records that are replaced by others.",
    "leftovers": "take all randomness from the generator that the training is given, so that it can be replayed.",
    "accounting": "claim a little more than the least that may follow.",
}


def next_steps(verdict: WhiteBoxVerdict) -> tuple[str, ...]:
    """What to do next."""
    broken = [
        UNSAMPLED if each.name == "sampling" and verdict.accounted.sampling_rate is None else MEND[each.name]
        for each in verdict.premises
        if each.status is PremiseStatus.BROKEN
    ]
    if broken:
        return tuple(broken)
    undecided = [
        LOOK[each.name] for each in verdict.premises if each.status is PremiseStatus.UNDECIDED and each.name in LOOK
    ]
    return tuple(undecided) or (
        "see what its output tells, without its transcript: dpcheck.one_run, or dpcheck.audit where it is quick.",
    )
