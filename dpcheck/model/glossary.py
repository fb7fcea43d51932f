"""The words of dpcheck's texts, one word a meaning: ``dpcheck glossary`` prints them, reports/glossary.md shows them.

:data:`NOT_SAID` are words of the statistics behind them, which no text for users says; a test holds the texts to that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpcheck.model.errors import InvalidArgument, nearest

#: Width of the lines that people read.
PAGE = 100


@dataclass(frozen=True)
class Term:
    """A word and what it means, in a few sentences."""

    word: str
    meaning: str


TERMS: tuple[Term, ...] = (
    Term(
        "claim",
        "What a learner promises: epsilon, (epsilon, delta), zCDP with rho, Rényi DP with an order and an epsilon, or "
        "Gaussian DP with mu. It is about all neighbouring datasets.",
    ),
    Term(
        "learner",
        "The code that is audited, (dataset, rng) -> output. Nothing is known of it but what its outputs show, "
        "and what "
        "it declares.",
    ),
    Term(
        "neighbouring datasets",
        "Two datasets between which the claim is made, such as two that differ in one record (replace-one) or of which "
        "one has a record more (add-remove). Here they are D and D'.",
    ),
    Term("pair", "Two neighbouring datasets, D and D', on which the learner is called."),
    Term("call", "One run of the learner on one of the two datasets. Which of the two is drawn with probability 1/2."),
    Term(
        "canary",
        "A record that is put into the data of a training with probability 1/2, independently of others. After the "
        "training it has a score, from which is told whether it was in: where the claim holds, not too often rightly.",
    ),
    Term(
        "transcript",
        "What a training with noise in each step says of it while it runs: its batch, the sum over it, and "
        "what it releases. A white-box audit records it, and replays the training with batches and releases of our "
        "choice.",
    ),
    Term(
        "premise",
        "What the proof that such a training is private takes for granted: clipping, noise, sampling, steps, no "
        "leftovers (nothing but the releases depends on the data), accounting. A white-box audit says of each whether "
        "it is seen to hold, broken, or undecided; as accounted is a training of which all are seen to hold.",
    ),
    Term(
        "event",
        "A set of outputs, such as output < 1.9: what an attacker would look at. Events are learned from earlier calls "
        "and counted on later ones. Where an event has two parts, one is likelier on D and the other on D'.",
    ),
    Term(
        "likelihood ratio",
        "How many times likelier an event is on one of two neighbouring datasets than on the other.",
    ),
    Term(
        "privacy loss",
        "The logarithm of a likelihood ratio. A claim of epsilon says that it is at most epsilon; epsilon = 1 allows a "
        "likelihood ratio of 2.72. A claim with delta says so but for outputs of probability delta.",
    ),
    Term(
        "Rényi divergence",
        "How far apart the outputs on D and on D' are, averaged over all of them: the larger its order, the more rare "
        "outputs of a large privacy loss count. Order 1 is the divergence of Kullback and Leibler, the mean privacy "
        "loss. Rényi DP bounds the one of its order, zCDP that of every order by rho times the order.",
    ),
    Term("leak", "A privacy loss that is larger than the claim allows."),
    Term(
        "evidence",
        "How strongly all calls so far speak against the claim, as a number such as 2000. Where the claim "
        "holds it reaches N "
        "with probability at most 1/N, however often one looks; so at 1/alpha the claim is refuted. It is the average "
        "over all pairs and events that are watched.",
    ),
    Term(
        "alpha", "The probability with which an audit may ever refute a claim that holds, fixed before the first call."
    ),
    Term(
        "confidence",
        "1 - alpha: the probability with which a certified lower bound is not above the truth.",
    ),
    Term(
        "certified lower bound",
        "A number that the true privacy loss exceeds, with the confidence stated. It is lower than an estimate "
        "from the "
        "same counts, since luck has to be ruled out. No number of calls bounds a privacy loss from above.",
    ),
    Term(
        "estimate",
        "A number computed from counts with no allowance for luck; it may be too small or too large.",
    ),
    Term(
        "power",
        "The probability with which an audit refutes a claim that is false by so much. Where no violation was found, "
        "the power says what that is worth: which privacy loss would have been caught with probability 0.95, in which "
        "part of the outputs. It is an estimate, which counts the calls that learning the event takes: measured on "
        "simulated learners, and for an event that one number, answer or score shows.",
    ),
    Term(
        "detect",
        "The privacy loss that an audit has to be able to catch; if it could not, it is inconclusive. Twice the claim "
        "when nothing is said. An option (--detect) and an argument (detect=).",
    ),
    Term(
        "coverage",
        "The part of the outputs in which a leak is seen: near 1 for noise of a wrong scale, small for a "
        "forgotten case.",
    ),
    Term(
        "explored",
        "Called a little, to see which pairs are promising. Such calls do not enter the evidence: the best pairs are "
        "then tried with fresh ones.",
    ),
    Term("tried", "Called with calls that enter the evidence."),
    Term(
        "declared law",
        "The probabilities of all outputs that a learner declares by distribution(dataset). Privacy losses of it are "
        "computed, not estimated; calls are compared with it.",
    ),
    Term(
        "numerics",
        "What a claim is about: real numbers (real, the default; low-order bits are rounded away and told of as a "
        "finding) or the doubles that come out, to their last bit (exact).",
    ),
    Term("finding", "Something worth knowing about the learner or the run that is no verdict."),
    Term("VIOLATED", "A verdict: the claim is false. The evidence reached 1/alpha, or the declared law shows it."),
    Term(
        "NO VIOLATION FOUND",
        "A verdict: nothing refuted the claim on the pairs tried, and the privacy loss asked for (detect) would have "
        "been caught. It is no proof: other pairs, rarer outputs or other events may leak.",
    ),
    Term(
        "INCONCLUSIVE",
        "A verdict: the audit could not have caught what it was asked to (too few calls, or a part of the outputs that "
        "could not be looked at). The claim is neither refuted nor supported.",
    ),
    Term(
        "LEARNER FAILED",
        "A verdict: the learner hung, died, gave no usable output, keeps its noise between calls, or does not "
        "do what it "
        "declares. Its claim is not decided.",
    ),
)

#: Words that texts for users do not say, and what they say instead.
NOT_SAID: Mapping[str, str] = {
    "odds": "evidence",
    "guess": "event",
    "bet": "evidence",
    "bets": "evidence",
    "stake": "evidence",
    "stakes": "evidence",
    "wealth": "evidence",
    "coin": "with probability 1/2",
    "game": "audit",
    "expert": "event",
    "e-process": "evidence",
    "e-value": "evidence",
    "martingale": "evidence",
    "leak of size": "privacy loss of",
    "leaks of": "privacy losses of",
    "size of a leak": "privacy loss",
    "right and": "on the dataset where it is likelier",
    "witness": "pair and event",
}


def in_words(word: str = "") -> str:
    """The glossary, or one of its entries, as text.

    Raises
    ------
    InvalidArgument
        For a word that is not in it, naming the nearest.

    Examples
    --------
    >>> in_words("pair")
    "pair: Two neighbouring datasets, D and D', on which the learner is called."
    """
    wanted = " ".join(word.split()).lower()
    chosen = [term for term in TERMS if wanted in ("", term.word.lower())]
    if not chosen:
        words = [term.word for term in TERMS]
        raise InvalidArgument(
            f"word must be one of the glossary's, got {word!r}{nearest(wanted, words)}: {', '.join(words)}"
        )
    return "\n".join(f"{term.word}: {term.meaning}" for term in chosen)


def as_markdown() -> str:
    """The glossary as a page.

    >>> as_markdown().splitlines()[0]
    '# Glossary'
    """
    lines = [
        "# Glossary",
        "",
        "What the words of dpcheck's verdicts, plans and measurements mean, one word a meaning. `dpcheck glossary` "
        "prints it, `dpcheck glossary power` one entry.",
        "",
        *(f"- **{term.word}**: {term.meaning}" for term in TERMS),
    ]
    return "\n".join(lines) + "\n"
