"""SubSampling: an active learner that shows a private learner a random part of its sample, some of it labelled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim
from dpcheck.model.data import Labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.papers.beimel2015.learners.amplified import pointed, printed_entries, shifted_rate
from dpcheck.papers.beimel2015.learners.boost_claim import entry_claim
from dpcheck.papers.beimel2015.learners.databases import (
    MOST_DATABASES,
    Mixed,
    as_listed,
    checked_parts,
    database,
    number_of_orders,
    number_of_samples,
    orders,
    reordered,
)
from dpcheck.parts.active.oracle import LabelOracle
from dpcheck.parts.active.released import oracle_for, points_and_labels, run
from dpcheck.parts.learners.families import refuse_strange_points
from dpcheck.parts.mechanisms.amplification import diluted_claim, subsampled_claim
from dpcheck.parts.mechanisms.inner import checked_learner, claim_of, is_order_blind, joined, law_method
from dpcheck.parts.mechanisms.parameters import count


@dataclass(frozen=True)
class SubSampling:
    """A private learner as an active one: on n random entries of t, of which m labels are asked for.

    Of t examples a uniformly random set J of n is drawn, its m smallest indices K are asked for, and the learner runs
    on the entries K with their labels and J without K without. The hypothesis alone is released (a private active
    learner, beimel2015:def-5.3); t does not raise m, so that labels do not grow with ``1 / epsilon``.

    *What it promises.* With gamma = n/t the claim is that of plain subsampling at the rate
    ``gamma e^epsilon* / (1 + gamma (e^epsilon* - 1))``, proved in
    :func:`~dpcheck.papers.beimel2015.learners.amplified.shifted_rate`: a set J with the differing entry i is turned
    into one without by exchanging i for a random other index, and as K are the *smallest* indices, that may make
    another entry labelled: two entries differ. At the paper's t, ``ceil((n / epsilon)(3 + exp(2 epsilon*)))``, this is
    less than the printed (epsilon, ((7 + e^epsilon*) / (3 + e^(2 epsilon*))) epsilon delta) of the proof of clm-5.7
    (:func:`~dpcheck.papers.beimel2015.learners.amplified.printed_sub_sampling_claim`). With ``asked="random"``, K a
    uniformly random part of J, one entry differs and the rate is gamma itself.

    *The questions* are no part of this. J is random, so the transcript K says nothing by itself; but who sees that i
    was asked knows that it was drawn, and sampling gains no epsilon: ``transcript_claim`` is epsilon* (attained), with
    gamma delta. It holds since, for each J, neighbours differ in one entry of the database, and with i not in J in
    none.

    *The order.* The learner must take the entries as a multiset, or get them in random order (beimel2015:rem-4.4): with
    ``order="sorted"`` and a learner that looks at the order, nothing is gained either.

    Parameters
    ----------
    learner : learner of partially labelled databases, of n entries of which the first m are labelled
        The paper's A, private when an entry is replaced (``ReplaceEntry``, or ``ReplaceOne``).
    labelled : int, at least 0
        m.
    unlabelled : int, at least 0
        n - m; not both may be 0.
    examples : int, at least n
        t, the number of examples of the labelled sample; this or ``epsilon``.
    epsilon : float or Fraction, above 0
        For which t is the paper's.
    asked : "first" (the paper's) or "random"
        Which of the entries drawn are asked for.
    order : "random" or "sorted"
        In which order the learner sees its database, each part for itself.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or a dataset has not t examples.

    Source: beimel2015:alg-4, clm-5.7, thm-5.8, rem-5.a.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.beimel2015.learners import ExponentialLearner
    >>> base = ExponentialLearner(GridThresholds(9), epsilon=1.0)
    >>> learner = SubSampling(base, labelled=20, unlabelled=80, epsilon=0.5)
    >>> learner.size, learner.most_labels(learner.size), round(learner.claim.epsilon_value, 3)
    (2078, 20, 0.189)
    >>> learner.transcript_claim
    PureDP(epsilon=1.0)
    """

    learner: Any
    labelled: int
    unlabelled: int
    examples: int | None = None
    epsilon: float | Fraction | None = None
    asked: Literal["first", "random"] = "first"
    order: Literal["random", "sorted"] = "random"

    def __post_init__(self) -> None:
        checked_learner(self.learner)
        for name, number in checked_parts(self.labelled, self.unlabelled).items():
            object.__setattr__(self, name, number)
        if self.examples is not None:
            object.__setattr__(self, "examples", count("examples", self.examples))
        if (self.examples is None) == (self.epsilon is None):
            raise InvalidArgument(
                f"examples or epsilon must be given, and not both, got examples={self.examples!r} and "
                f"epsilon={self.epsilon!r}"
            )
        if self.examples is not None and self.examples < self.drawn:
            raise InvalidArgument(f"examples must be at least the {self.drawn} that are drawn, got {self.examples}")
        if self.epsilon is not None:
            self._size_for(self.epsilon)
        for name, allowed in (("asked", ("first", "random")), ("order", ("random", "sorted"))):
            if getattr(self, name) not in allowed:
                raise InvalidArgument(f"{name} must be one of {', '.join(allowed)}, got {getattr(self, name)!r}")

    @property
    def drawn(self) -> int:
        """n."""
        return self.labelled + self.unlabelled

    @property
    def size(self) -> int:
        """t, the number of examples."""
        if self.examples is not None:
            return self.examples
        assert self.epsilon is not None
        return self._size_for(self.epsilon)

    def _size_for(self, epsilon: float | Fraction) -> int:
        try:
            whole = claim_of(self.learner)
        except AttributeError as error:
            raise InvalidArgument(f"learner must have a claim for epsilon to give the size: {error}") from error
        return max(self.drawn, printed_entries(self.drawn, epsilon, whole, steps=2))

    @property
    def rate(self) -> Fraction:
        """gamma = n/t."""
        return Fraction(self.drawn, self.size)

    @property
    def claim(self) -> Claim:
        """That of the hypothesis, the questions not seen.

        Raises
        ------
        AttributeError
            When the learner promises nothing for such databases.
        """
        whole = entry_claim(self.learner, self.drawn, self.labelled)
        if not (self.order == "random" or is_order_blind(self.learner)):
            return diluted_claim(whole, self.rate)
        if self.asked == "random" or 0 in (self.labelled, self.unlabelled):  # one entry differs
            return subsampled_claim(whole, self.rate)
        try:
            pointed(whole)
        except InvalidArgument as error:
            raise AttributeError(str(error)) from error
        return subsampled_claim(whole, shifted_rate(self.rate, whole))

    @property
    def transcript_claim(self) -> Claim:
        """That of the hypothesis and the questions together; without questions, the same as ``claim``."""
        if self.labelled == 0:
            return self.claim
        return diluted_claim(entry_claim(self.learner, self.drawn, self.labelled), self.rate)

    @property
    def neighbours(self) -> ReplaceOne:
        """One of the t labelled examples replaced."""
        return ReplaceOne(size=self.size)

    @property
    def order_blind(self) -> bool:
        """Whether the order of the examples is of no matter: the first of those drawn are asked for, or random ones."""
        unordered = self.order == "random" or is_order_blind(self.learner)
        return unordered and (self.asked == "random" or 0 in (self.labelled, self.unlabelled))

    def most_labels(self, examples: int) -> int:
        """m."""
        return self.labelled

    @property
    def _databases(self) -> int:
        """How many databases may be drawn; where more than 4096, some number above that."""
        samples = number_of_samples(self.size, self.drawn)
        if self.asked == "random":
            samples *= number_of_samples(self.drawn, self.labelled)
        return samples * number_of_orders(self.learner, self.labelled, self.unlabelled, self.order)

    # --- the steps

    def samples(self, points: Any, oracle: LabelOracle) -> NDArray[np.intp] | None:
        """Step 1: the equally likely samples, shape (k, n), those to be asked for first; None where k is above 4096."""
        if self._databases > MOST_DATABASES:
            return None
        rows: list[Sequence[int]] = [*combinations(range(self.size), self.drawn)]
        if self.asked == "random":
            rows = [
                (*some, *(row for row in each if row not in some))
                for each in rows
                for some in combinations(each, self.labelled)
            ]
        return np.array(rows, dtype=np.intp).reshape(len(rows), self.drawn)

    def one_sample(self, points: Any, oracle: LabelOracle, rng: np.random.Generator) -> NDArray[np.intp]:
        """Step 1: one sample, shape (n,)."""
        rows = rng.choice(self.size, self.drawn, replace=False)
        if self.asked == "first":
            return np.sort(rows)
        return np.concatenate([np.sort(rows[: self.labelled]), np.sort(rows[self.labelled :])])

    def questions(self, sample: NDArray[np.intp], points: Any, oracle: LabelOracle) -> list[int]:
        """K: the indices to be asked for, in order."""
        found: list[int] = sample[: self.labelled].tolist()
        return found

    def database(self, sample: NDArray[np.intp], points: Any, oracle: LabelOracle) -> Labelled:
        """Steps 2 and 3: what the learner is given, the entries asked for first, with the answers."""
        asked = self.questions(sample, points, oracle)
        answers = dict(zip(asked, oracle.ask_all(asked), strict=True))
        return database(points, answers, asked, [row for row in sample.tolist() if row not in answers])

    # --- one run, many, and the law

    def learn(self, points: Any, oracle: LabelOracle, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        self._check(points)
        every = self.samples(points, oracle)
        sample = self.one_sample(points, oracle, rng) if every is None else every[int(rng.integers(len(every)))]
        return self.learner(reordered(self.learner, self.database(sample, points, oracle), self.order, rng), rng)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis on a fully labelled sample; the questions are not released."""
        return run(self, dataset, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent hypotheses."""
        mixed = self._mixed(dataset, seen=False)
        if mixed is None:
            return joined([as_listed([run(self, dataset, rng)[0]]) for _ in range(size)])
        return mixed.sample(size, rng)

    def sample_with_transcript(self, dataset: Any, size: int, rng: np.random.Generator) -> list[Any]:
        """``size`` independent pairs (hypothesis, transcript)."""
        mixed = self._mixed(dataset, seen=True)
        if mixed is None:
            return [run(self, dataset, rng) for _ in range(size)]
        return as_listed(mixed.sample(size, rng))

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law of the hypothesis, a mixture over all J (at most 4096)."""
        return self._law(seen=False)

    @property
    def law_with_transcript(self) -> Callable[[Any], Law]:
        """``law_with_transcript(dataset)``: the exact law of the pair (hypothesis, transcript)."""
        return self._law(seen=True)

    def _law(self, *, seen: bool) -> Callable[[Any], Law]:
        law_method(self.learner)

        def law(dataset: Any) -> Law:
            mixed = self._mixed(dataset, seen=seen)
            if mixed is None:
                raise InvalidArgument(f"a law over more than {MOST_DATABASES} databases is not declared")
            return mixed.law()

        if self._databases > MOST_DATABASES:
            raise AttributeError(f"a law over more than {MOST_DATABASES} databases is not declared")
        return law

    def _mixed(self, dataset: Any, *, seen: bool) -> Mixed | None:
        """The learner on each database that may be drawn, beside the questions where they are seen."""
        points, labels = points_and_labels(dataset)
        self._check(points)
        every = self.samples(points, oracle_for(self, labels))
        if every is None:
            return None
        databases, transcripts = [], []
        for sample in every:
            oracle = oracle_for(self, labels)
            found = orders(self.learner, self.database(sample, points, oracle), self.order)
            databases += found
            transcripts += [oracle.transcript] * len(found)
        return Mixed.of(self.learner, databases, transcripts if seen else None)

    def _check(self, points: Any) -> None:
        if len(points) != self.size:
            raise InvalidArgument(f"dataset must hold examples = {self.size} labelled records, got {len(points)}")
        refuse_strange_points(self.learner, points)
