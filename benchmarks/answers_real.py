"""Real data for `answers.py`: scikit-learn's models of chunks of private records, asked for labels of public ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from answers_methods import (
    COMPOSITIONS,
    PROVED,
    QUERIES,
    Leads,
    composed_queries,
    composed_scale,
    largest_at,
    share_at,
    sparse_scales,
    sparse_shares,
)
from bench import child_seed
from numpy.typing import NDArray

from dpcheck.papers.bassily2018.learners.base_learners import trained
from dpcheck.papers.bassily2018.learners.noisy_majority import Majority
from dpcheck.papers.bassily2018.learners.noisy_votes import NoisyVotes
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.transfer import KnowledgeTransfer, PrivateLabels
from dpcheck.papers.bassily2018.learners.votes import count_votes, leading_label, printed_distance

#: Records of each dataset that are private and public; the rest is for tests of final classifiers.
PARTS = {"digits": (1000, 500), "breast cancer": (300, 169)}
BASES = ("logistic regression", "decision tree")
MODELS = (10, 30, 100)
#: Queries that the shares of the table are for: the first of the public records.
ASKED = 100
#: What counts as equal accuracy: this share of the queries answered rightly.
TARGET = 0.8
CUTOFFS = (1, 4, 16)
#: What is drawn to average over alg-2's thresholds, and labellings for final classifiers.
_RUNS, _LABELLINGS = 256, 3
#: Final classifiers are trained on the labels of this many models.
_TRANSFERRED = 30
MAJORITY, ALL_DATA, CONSTANT = "not private: majority", "not private: all records", "0-private: one label"


@dataclass(frozen=True)
class RealTask:
    """One split of one dataset, with one base learner."""

    dataset: str
    base: str
    repetition: int
    epsilons: tuple[float, ...]
    delta: float
    seed: int


@dataclass(frozen=True)
class Measured:
    """What a method does on one split: expected shares of right answers, and how many queries at the target."""

    dataset: str
    base: str
    method: str
    models: int
    epsilon: float | None
    share: float
    queries: int | None = None
    agreement: float | None = None
    final_error: float | None = None


@dataclass(frozen=True)
class Split:
    """The parts of a repetition: private and public records and those of the test, as points and labels."""

    private: tuple[Any, Any]
    public: tuple[Any, Any]
    test: tuple[Any, Any]
    classes: tuple[int, ...]


@dataclass(frozen=True)
class Repetition:
    """All that one split says, with what comes nearest to breaking lemma 3.3 on it (above 0: broken)."""

    measured: list[Measured] = field(default_factory=list)
    lemma: list[float] = field(default_factory=list)


def split(dataset: str, seed: int) -> Split:
    """The records in a random order, cut in three."""
    from sklearn.datasets import load_breast_cancer, load_digits

    x, y = (load_digits if dataset == "digits" else load_breast_cancer)(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(x))
    private, public = PARTS[dataset]
    parts = np.split(order, [private, private + public])
    return Split(*((x[part], y[part]) for part in parts), tuple(np.unique(y).tolist()))


def base_learner(name: str) -> Any:
    """With scikit-learn's defaults; a regression sees its chunk's features with mean 0 and deviation 1."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    if name == BASES[0]:
        return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    return DecisionTreeClassifier()


def real(task: RealTask) -> Repetition:
    """All methods on one split."""
    # the split is the same for all base learners
    parts = split(task.dataset, child_seed(task.seed, sorted(PARTS).index(task.dataset), task.repetition))
    rng = np.random.default_rng(child_seed(task.seed, 100 + BASES.index(task.base), task.repetition))
    base = base_learner(task.base)
    found = Repetition()
    truth = np.searchsorted(parts.classes, parts.public[1])
    whole = trained(base, *parts.private, int(rng.integers(2**31)))
    wrong = float((whole.predict(parts.test[0]) != parts.test[1]).mean())
    right = float((whole.predict(parts.public[0][:ASKED]) == parts.public[1][:ASKED]).mean())
    found.measured.append(Measured(task.dataset, task.base, ALL_DATA, 1, None, right, final_error=wrong))
    often = float(np.bincount(truth[:ASKED]).max() / ASKED)
    found.measured.append(Measured(task.dataset, task.base, CONSTANT, 0, 0.0, often))
    for models in MODELS:
        _of_models(task, parts, base, models, truth, rng, found)
    return found


def _of_models(
    task: RealTask, parts: Split, base: Any, models: int, truth: NDArray[np.intp], rng: np.random.Generator,
    found: Repetition,
) -> None:  # fmt: skip
    committee = Majority(base, parts.public[0], models, parts.classes)
    coins = rng.integers(models, size=len(parts.private[1]))
    chunks = committee.chunks(committee.assignment(parts.private, coins))
    seeds = rng.integers(2**31, size=models).tolist()
    x, y = parts.private
    voters = [committee.model(x[rows], y[rows], seed) for rows, seed in zip(chunks, seeds, strict=True)]
    votes = np.array([voter.predict(parts.public[0]) for voter in voters])
    counts = count_votes(votes, parts.classes)
    found.lemma.append(_lemma(votes != parts.public[1]))
    rows, lead = np.arange(len(truth)), leading_label(counts)

    def add(method: str, epsilon: float | None, share: float, **more: Any) -> None:
        found.measured.append(Measured(task.dataset, task.base, method, models, epsilon, share, **more))

    final = models == _TRANSFERRED
    agreed = float((lead == truth)[:ASKED].mean())
    add(MAJORITY, None, agreed, final_error=_final(base, parts, [lead], rng) if final else None)
    asked = slice(0, ASKED)
    several = len(parts.classes)
    for noise in ("laplace", "gaussian"):

        def share(scale: float, noise: str = noise) -> float:
            chances = NoisyVotes(counts[asked], noise, scale).chances
            return float(chances[rows[asked], truth[asked]].mean())

        largest = share_at(share, TARGET, 2.0 * models)
        for name, (kind, _) in COMPOSITIONS.items():
            if kind != noise or name == "Gaussian, exact":
                continue
            for epsilon in task.epsilons:
                scale = composed_scale(name, epsilon, task.delta, ASKED, several)
                chances = NoisyVotes(counts[asked], noise, scale).chances
                error = None
                if final and name == "Gaussian, PLD":
                    drawn = composed_scale(name, epsilon, task.delta, len(truth), several)
                    labels = NoisyVotes(counts, noise, drawn).sample(_LABELLINGS, rng)
                    error = _final(base, parts, labels, rng)
                add(
                    name,
                    epsilon,
                    float(chances[rows[asked], truth[asked]].mean()),
                    queries=composed_queries(name, largest, epsilon, task.delta, several),
                    agreement=float(chances[rows[asked], lead[asked]].mean()),
                    final_error=error,
                )
    distances = printed_distance(counts[asked]).astype(float)
    leads = Leads(distances, (lead == truth)[asked].astype(float), np.full(ASKED, 1 / ASKED))
    for epsilon in task.epsilons:
        best = max(
            (
                _sparse(leads, sparse_scales(PROVED, epsilon, task.delta, ASKED, cutoff), cutoff, rng)
                for cutoff in CUTOFFS
            ),
            key=lambda each: each[0],
        )
        error = _transferred(task, parts, base, counts, epsilon, rng) if final else None
        add(PROVED, epsilon, best[0], queries=best[1], final_error=error)


def _sparse(leads: Leads, scales: Scales, rounds: int, rng: np.random.Generator) -> tuple[float, int]:
    """The share of the queries asked that is answered rightly, and the most queries at the target."""
    few = QUERIES[QUERIES <= 10**6]
    shares = sparse_shares(leads, scales, rounds, few, _RUNS, rng)
    return float(np.interp(ASKED, few, shares)), largest_at(shares, few, TARGET)


def _lemma(mistakes: NDArray[np.bool_]) -> float:
    """Lemma 3.3 at xi = 1/3 and 1/2: the queries with more wrong votes than xi k, less B/xi; B the most mistakes."""
    models, worst = len(mistakes), int(mistakes.sum(axis=1).max())
    if worst == 0:
        return -1.0
    wrong = mistakes.sum(axis=0)
    return max(float((wrong * part > models).sum() - worst * part) for part in (2, 3))


def _final(base: Any, parts: Split, labels: Any, rng: np.random.Generator) -> float:
    """The test error of classifiers trained on the public points with these labels, on average."""
    classes = np.array(parts.classes)
    errors = []
    for places in labels:
        model = trained(base, parts.public[0], classes[places], int(rng.integers(2**31)))
        errors.append(float((model.predict(parts.test[0]) != parts.test[1]).mean()))
    return float(np.mean(errors))


def _transferred(
    task: RealTask, parts: Split, base: Any, counts: NDArray[np.int64], epsilon: float, rng: np.random.Generator
) -> float:
    """The same of alg-3: labels of alg-2, and coins where it gives none."""
    scales = sparse_scales(PROVED, epsilon, task.delta, len(counts), CUTOFFS[0])
    answers = PrivateAnswers(base, parts.public[0], scales, parts.classes, guard="strict")
    transfer = KnowledgeTransfer(PrivateLabels(answers), base, parts.test[0])
    classes = np.array(parts.classes)
    errors = []
    for places in transfer.labels.labels(counts, _LABELLINGS, rng):
        model = transfer.trained(parts.private, tuple(classes[places].tolist()), int(rng.integers(2**31)))
        errors.append(float((model.predict(parts.test[0]) != parts.test[1]).mean()))
    return float(np.mean(errors))


def values_of(results: list[Repetition]) -> dict[tuple[Any, ...], list[Measured]]:
    """The measured values by what they are of, one from each repetition."""
    found: dict[tuple[Any, ...], list[Measured]] = {}
    for one in results:
        for each in one.measured:
            found.setdefault((each.dataset, each.base, each.method, each.models, each.epsilon), []).append(each)
    return found
