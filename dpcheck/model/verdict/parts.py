"""What verdicts are made of: the status, why a run stopped, the witness, findings, what was looked at, and where."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The four verdicts, in the order in which they win when several targets are combined."""

    LEARNER_FAILED = "learner failed"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"
    NO_VIOLATION_FOUND = "no violation found"

    @property
    def meaning(self) -> str:
        """The one sentence that says what this status means."""
        return _MEANINGS[self]


_MEANINGS: dict[Status, str] = {
    Status.LEARNER_FAILED: (
        "The learner hung, died, gave no usable output, or does not do what it declares: its claim is not decided."
    ),
    Status.VIOLATED: "The claim is false: the evidence against it reached the threshold fixed in advance.",
    Status.INCONCLUSIVE: (
        "The audit could not have caught a privacy loss of the size it was asked to detect: it decides nothing."
    ),
    Status.NO_VIOLATION_FOUND: "No violation was found on the pairs tried; this is not a proof of privacy.",
}


class Stop(StrEnum):
    """Why an audit stopped; the value is the sentence the user reads."""

    VIOLATION = "the evidence reached its threshold"
    MAX_SAMPLES = "the budget of calls (max_samples) was used up"
    MAX_SECONDS = "the time limit (max_seconds) was reached"
    POWER = "a privacy loss of the size asked for would have been caught by now with probability 0.9999"
    LEARNER = "the learner could not be run any further"
    INTERRUPTED = "it was interrupted"
    EXACT = "the declared laws were compared exactly"


#: The kind of the finding that names pairs that were neither tried nor looked at.
NOT_TRIED = "pairs not tried"


@dataclass(frozen=True)
class Counts:
    """Guesses of one rule: correct, wrong, and the calls it watched (it abstained on the rest)."""

    correct: int
    wrong: int
    calls: int


@dataclass(frozen=True)
class Witness:
    """The pair and the event that carry most of the evidence.

    ``change`` says what differs between the two datasets; ``left`` and ``right`` show them (shortened);
    ``event`` is in words such as ``output > 3.2``; ``direction`` says on which dataset it is likelier;
    ``epsilon_alone`` is the bound that these counts alone would give at the audit's level.

    Where a claim is refuted and no event shows that by itself, no guess is counted, ``event`` says so and
    ``direction`` says what was bet on instead.
    """

    change: str
    left: str
    right: str
    event: str
    direction: str
    counts: Counts
    epsilon_alone: float

    @property
    def has_event(self) -> bool:
        """Whether an event is shown, and not only the pair."""
        return self.counts.calls == 0 or self.counts.correct + self.counts.wrong > 0


@dataclass(frozen=True)
class DivergenceBound:
    """The Rényi divergence with most evidence against a claim, certified by itself to be above ``lower``.

    Where ``lower`` reaches ``allowed`` it refutes the claim by itself, else all tests together do.

    ``order`` 1 is the divergence of Kullback and Leibler; ``direction`` is "of D from D'" or "of D' from D";
    ``allowed`` is what the claim allows; ``seen_in`` is what of the outputs was looked at.
    """

    order: float
    direction: str
    lower: float
    allowed: float
    seen_in: str


@dataclass(frozen=True)
class SeenDifference:
    """How large a difference of the calls from the declared law would have been seen with probability 0.95.

    On any one of ``datasets`` datasets, with at least ``calls`` calls each: ``anywhere`` is the total variation above
    which any difference would have been (1.0: none for certain), ``in_halves`` the same for the probability of a half
    of the outputs (their order, low bits, likelihood and others).
    """

    datasets: int
    calls: int
    anywhere: float
    in_halves: float


@dataclass(frozen=True)
class ExactAnswer:
    """What was decided about declared laws, without sampling: nothing in it is an estimate but the last part.

    ``answer`` is "holds", "violated" or "equal to within 2^-k"; ``arithmetic`` says in what it was decided;
    ``epsilon`` is the largest loss at the claim's delta (``inf`` where none suffices), ``delta`` the largest delta at
    the claim's epsilon; ``compared`` how many separate calls the declared law was compared with; the probabilities
    are those of the witness's event on its two datasets. The calls were made on ``datasets_compared`` of ``datasets``
    datasets, those of the largest losses first; ``seen`` says what would have been noticed there.
    """

    answer: str
    arithmetic: str
    epsilon: float
    delta: float
    exhaustive: bool
    compared: int
    left_probability: str
    right_probability: str
    datasets: int = 0
    datasets_compared: int = 0
    seen: tuple[SeenDifference, ...] = ()


@dataclass(frozen=True)
class Finding:
    """Something worth knowing that is not a verdict: ``kind`` is a short name, ``detail`` a sentence."""

    kind: str
    detail: str


@dataclass(frozen=True)
class Looked:
    """The domain that was looked at: its records and sizes in words, and how many pairs were tried of how many.

    ``source`` says where pairs came from: "search" (``pairs`` were explored, the best of them tried), "candidates"
    (the first ones that a search would explore), "dataset" (made from it; ``left_out`` more could be), "pairs" (given)
    or "exhaustive" (all that the declared domain has).
    """

    source: str
    records: str
    sizes: str
    pairs: int
    left_out: int = 0
    tried: int = 0

    def __str__(self) -> str:
        """Records, sizes and pairs, on one line.

        >>> str(Looked("search", "records 0 to 1", "datasets of 1 to 8 records", 64, tried=8))
        'records 0 to 1; datasets of 1 to 8 records; 8 pairs tried of 64 explored'
        """
        some = f"{self.tried:,} pair{'' if self.tried == 1 else 's'} tried"
        if self.source == "search":
            pairs = f"{some} of {self.pairs:,} explored"
        elif self.source == "dataset":
            more = f" ({self.left_out:,} more could be made)" if self.left_out else ""
            pairs = f"{some} of {self.pairs:,} made from it{more}"
        elif self.source == "pairs":
            pairs = f"{some} of {self.pairs:,} given"
        elif self.source == "exhaustive":
            pairs = f"{some} of all {self.pairs:,}"
        else:
            pairs = f"{some} of the first {self.pairs:,} made"
        return f"{self.records}; {self.sizes}; {pairs}"


@dataclass(frozen=True)
class PhaseCalls:
    """How many calls one phase of a run made."""

    phase: str
    calls: int


@dataclass(frozen=True)
class Environment:
    """Where a run was made: enough to repeat it."""

    dpcheck: str
    python: str
    numpy: str
    scipy: str
    platform: str


@dataclass(frozen=True)
class CurvePoint:
    """One point of a certified curve: ``x`` and the certified ``y`` there."""

    x: float
    y: float


def as_number(log_evidence: float) -> str:
    """Evidence as a person reads it.

    >>> as_number(0.0), as_number(10.0), as_number(1000.0)
    ('1', '2.2e+04', '1e+434')
    """
    if log_evidence > 600:
        return f"1e+{log_evidence / math.log(10):.0f}"
    return f"{math.exp(log_evidence):.2g}"


def confidence(alpha: float) -> str:
    """1 - alpha as a percentage with all its nines.

    >>> confidence(0.05), confidence(1e-6)
    ('95%', '99.9999%')
    """
    if alpha < 1e-12:
        return f"1 - {alpha:g}"
    digits = max(0, math.ceil(-math.log10(alpha)) - 2)
    while math.floor(100 * (1 - alpha) * 10**digits + 1e-6) / 10**digits < 100 * (1 - alpha) - 1e-9 and digits < 15:
        digits += 1  # never rounded up, and no digit dropped
    return f"{100 * (1 - alpha):.{digits}f}%"
