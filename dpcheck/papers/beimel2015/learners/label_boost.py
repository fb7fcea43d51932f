"""LabelBoostProcedure and LabelBoost: labels for many points from few, with a private learner at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim
from dpcheck.model.data import Labelled, size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceEntry
from dpcheck.papers.beimel2015.learners.boost_claim import (
    ClaimStep,
    boosted_claim,
    claim_steps,
    entry_claim,
    relabelled_claim,
)
from dpcheck.papers.beimel2015.learners.boost_sizes import (
    PRINTED,
    BoostConstants,
    BoostIteration,
    BoostSizes,
    Rounding,
    boost_sizes,
)
from dpcheck.papers.beimel2015.learners.exponential import correct_labels
from dpcheck.papers.beimel2015.learners.interval_choice import MOST_LABELLED_POINTS, IntervalChoice, interval_choice
from dpcheck.papers.beimel2015.learners.parts import (
    MOST_SAMPLES,
    LabelledPart,
    SubsampledParts,
    as_entries,
    entry_records,
    labelled_size,
)
from dpcheck.parts.classes import GridIntervals, HypothesisClass, Intervals
from dpcheck.parts.classes.points import labels_of
from dpcheck.parts.classes.representatives import Rule
from dpcheck.parts.learners.families import checked_family, refuse_strange_points
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.inner import checked_learner, drawn, grouped_draws, joined, law_method, relation_of
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.mechanisms.parameters import count, positive_as_given
from dpcheck.parts.mechanisms.resampling import Resampled
from dpcheck.parts.mechanisms.subsampling import Subsampled

#: Relabelled databases are enumerated for a law: with more dichotomies none is declared.
MOST_RELABELLED = 4096
#: Intervals of more points than this are not listed to be drawn from.
_MOST_LISTED_POINTS = 1024


@dataclass(frozen=True)
class LabelBoostProcedure:
    """A private learner on a database S o T o D of which S and T are first labelled anew, by one hypothesis.

    H has one hypothesis for each dichotomy of the points of S o T; h in H is chosen with probability proportional to
    ``exp(epsilon q(S, h) / 2)``, q the correct labels on S; every entry of S and T gets its label from h, D stays as it
    is, and the learner is run on that. The relabelled database is not private (it has the points in the clear) and h is
    never shown; what the learner makes of it is, see
    :func:`~dpcheck.papers.beimel2015.learners.boost_claim.relabelled_claim`. H depends on the points; which hypothesis
    represents a dichotomy is of no matter, for only points of S o T are relabelled. Intervals of more than 1024 points
    are drawn without being listed (of 10^5 points there are 5 10^9). A class that refuses to list so many dichotomies
    (rectangles from some 160 points on) does so by the points: such an error is an output that no claim is about.

    Parameters
    ----------
    learner : learner of partially labelled databases, or of labelled ones where D is empty
        The A of lem-4.1.
    family : HypothesisClass
        C.
    stretched : int, optional
        #T: so many of the entries without a label, the first ones, get one; all of them when left out.
    epsilon : float or Fraction, nats, above 0
        That of the choice, 1 in the paper.
    rule : name of one of the class's rules, optional

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or a database has fewer than ``stretched`` entries without a label.

    Source: beimel2015:alg-2, lem-4.1.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.beimel2015.learners import ExponentialLearner
    >>> grid = GridThresholds(100)
    >>> learner = LabelBoostProcedure(ExponentialLearner(grid, 1.0), grid, stretched=2)
    >>> database = [(10, 0), (80, 1), (60, -1), (70, -1), (30, -1)]
    >>> learner.candidates(database).tolist(), learner.relabelled(database, 61)
    ([0, 11, 61, 71, 81], Labelled(x=array([10, 80, 60, 70, 30]), y=array([ 0,  1,  0,  1, -1])))
    >>> learner.claim
    PureDP(epsilon=2.9481539683602134)
    """

    learner: Any
    family: HypothesisClass
    stretched: int | None = None
    epsilon: float | Fraction = 1.0
    rule: Rule = None

    def __post_init__(self) -> None:
        checked_learner(self.learner)
        checked_family(self.family, self.rule)
        positive_as_given("epsilon", self.epsilon)
        if self.stretched is not None:
            object.__setattr__(self, "stretched", count("stretched", self.stretched, least=0))

    @property
    def claim(self) -> Claim:
        """The learner's, with ``log (1 + exp(epsilon / 2))^2`` more epsilon and the same delta.

        Raises
        ------
        AttributeError
            When the learner promises nothing for whole entries of databases of the sizes that it is given.
        """
        relation = relation_of(self.learner)
        labelled = relation.labelled if isinstance(relation, ReplaceEntry) else None
        # all entries are labelled where T is all of the others
        fits = labelled == relation.size if self.stretched is None else (labelled or 0) >= self.stretched
        if labelled is not None and not fits:
            raise AttributeError(
                f"the claim of {type(self.learner).__name__} is about {labelled} labelled entries of {relation.size}, "
                f"and it is given {'all' if self.stretched is None else f'at least {self.stretched}'} of them labelled"
            )
        return relabelled_claim(entry_claim(self.learner), self.epsilon)

    @property
    def neighbours(self) -> ReplaceEntry:
        """One entry replaced, labelled entries staying labelled."""
        relation = relation_of(self.learner)
        labelled = relation.labelled if isinstance(relation, ReplaceEntry) else None
        if labelled is not None and self.stretched is not None and labelled >= self.stretched:
            return ReplaceEntry(entry_records(self.learner), relation.size, labelled - self.stretched)
        return ReplaceEntry(entry_records(self.learner), relation.size)

    def boosted(self, dataset: Any) -> int:
        """How many entries are in S o T.

        Raises
        ------
        InvalidArgument
            When fewer entries than ``stretched`` have no label.
        """
        labelled, whole = labelled_size(dataset), size_of(dataset)
        if self.stretched is None:
            return whole
        if labelled + self.stretched > whole:
            raise InvalidArgument(
                f"dataset must have at least stretched = {self.stretched} entries without a label, got "
                f"{whole - labelled}"
            )
        return labelled + self.stretched

    def candidates(self, dataset: Any) -> NDArray[Any]:
        """H, steps 1 to 3: one hypothesis for each dichotomy of the points of S o T, shape (k, ...)."""
        return self.family.representatives(as_entries(dataset).x[: self.boosted(dataset)], self.rule)

    def scores(self, dataset: Any, candidates: Any) -> NDArray[np.int64]:
        """q: how many labels of S each candidate gets right, shape (k,)."""
        entries, labelled = as_entries(dataset), labelled_size(dataset)
        return correct_labels(self.family, candidates, entries.x[:labelled], entries.y[:labelled])

    def rate(self, dataset: Any) -> Fraction:
        """Nats per correct label: half of epsilon."""
        return Fraction(self.epsilon) / 2

    def choice(self, dataset: Any) -> tuple[NDArray[Any], Choice]:
        """Step 4: the candidates, shape (k, ...), and the choice among them."""
        candidates = self.candidates(dataset)
        return candidates, Choice(self.rate(dataset), self.scores(dataset, candidates))

    def relabelled(self, dataset: Any, hypothesis: Any) -> Labelled:
        """Step 5: the database with all entries of S o T labelled by the hypothesis, in their order."""
        entries, boosted = as_entries(dataset), self.boosted(dataset)
        labels = entries.y.copy()
        labels[:boosted] = self.family.predict(np.asarray(hypothesis)[None, ...], entries.x[:boosted])[0]
        return Labelled(entries.x, labels)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output of the learner."""
        entries = as_entries(dataset)
        if self._by_runs(entries):
            return self.learner(self.relabelled(entries, self._intervals(entries).sample(1, rng)[0]), rng)
        candidates, choice = self.choice(entries)
        return self.learner(self.relabelled(entries, candidates[choice.sample(1, rng)[0]]), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs: those of one hypothesis are drawn together."""
        entries = as_entries(dataset)
        if self._by_runs(entries):
            each = self._intervals(entries).sample(size, rng)
            return joined([drawn(self.learner, self.relabelled(entries, interval), 1, rng) for interval in each])
        candidates, choice = self.choice(entries)
        return grouped_draws(
            choice.sample(size, rng),
            lambda place, times: drawn(self.learner, self.relabelled(entries, candidates[place]), times, rng),
        )

    def _by_runs(self, entries: Labelled) -> bool:
        """Whether there are more intervals than are listed: these are drawn by runs of points between those of S."""
        return isinstance(self.family, Intervals | GridIntervals) and self.boosted(entries) > _MOST_LISTED_POINTS

    def _intervals(self, entries: Labelled) -> IntervalChoice:
        points, labelled = self.family.points(entries.x[: self.boosted(entries)]), labelled_size(entries)
        domain = self.family.domain_size if isinstance(self.family, GridIntervals) else labelled
        # how many points S may have, not how many it has: whether a run is refused must not depend on the entries
        if min(labelled, domain) > MOST_LABELLED_POINTS:
            raise InvalidArgument(
                f"dataset must have at most {MOST_LABELLED_POINTS:,} labelled entries for intervals of more than "
                f"{_MOST_LISTED_POINTS:,} points, got {labelled:,}"
            )
        labels = labels_of(entries.y[:labelled]).astype(np.int64)
        return interval_choice(points, points[:labelled], labels, self.rate(entries))

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law, a mixture over the candidates, where the learner declares its own.

        Raises
        ------
        InvalidArgument
            For a database of more than 4096 dichotomies.
        """
        law_method(self.learner)
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        entries = as_entries(dataset)
        candidates, choice = self.choice(entries)
        if len(candidates) > MOST_RELABELLED:
            raise InvalidArgument(f"dataset must have at most {MOST_RELABELLED} dichotomies, got {len(candidates)}")
        law = law_method(self.learner)
        weights = mixture([1], [choice.law(range(len(candidates)))]).exact
        return mixture(weights, (law(self.relabelled(entries, candidate)) for candidate in candidates))


@dataclass(frozen=True)
class LabelBoost:
    """A private learner that needs n labels, made to need about VC(C) of them and many points without.

    Until there are ``enough n`` labelled entries: T is the next part of the unlabelled ones, as long as the labels at
    hand will bear; a random part of S and of T is kept; both are labelled anew (LabelBoostProcedure) and are the next
    S. Then a random part of S is kept, and the base learner is run on as many i.i.d. draws from it.

    Its claim is the base learner's carried through these steps with the sampling rates that the sizes really have: the
    paper's lem-4.6 prints (1, 41 delta) of a (1, delta) base, and its constants give (0.063, delta / 100). The
    differing entry is labelled, or drawn into T by some iteration, and the worst of these is claimed; an unlabelled
    entry that is never drawn is never read. The draws of step 4 come in random order, so a base learner may look at it
    (rem-4.4). A labelling of S by no hypothesis of the class does no harm to privacy (the agnostic use, thm-4.16).

    With the paper's constants n = 1 asks for 90000 unlabelled entries; :meth:`BoostConstants.scaled` has others.

    Parameters
    ----------
    learner : learner
        The base learner A. It is run on ``sizes.kept`` labelled records.
    family : HypothesisClass, of known VC dimension
        C.
    labelled : int, at least 1
        m, the number of labelled entries.
    base_size : int, at least 1
        n, the sample that A wants.
    accuracy, failure : float or Fraction, above 0 and at most 1
        The paper's alpha and beta.
    unlabelled : int, optional
        #D; ``constants.unlabelled base_size`` when left out.
    constants : BoostConstants
        The paper's numbers unless others are given.
    epsilon : float or Fraction, nats, above 0
        That of the choice in each iteration, 1 in the paper.
    rule : name of one of the class's rules, optional
    rounding : "down" or "up"
        How kept parts are rounded. Rounded up they may be larger than the constants say; the claim is about what they
        are.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or the sizes do not work out (the message says which would).

    Source: beimel2015:alg-3, lem-4.6, thm-4.13, rem-4.15.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.beimel2015.learners import ExponentialLearner
    >>> grid = GridThresholds(2**20)
    >>> scaled = BoostConstants.scaled(Fraction(1, 16))
    >>> learner = LabelBoost(ExponentialLearner(grid, 1.0), grid, 24_000, 2000, 0.5, 0.5, constants=scaled)
    >>> learner.sizes.iterations[0].stretched, learner.sizes.boosted, learner.sizes.kept
    (512000, 33500, 2093)
    >>> print(learner.claim)
    0.40627-DP
    """

    learner: Any
    family: HypothesisClass
    labelled: int
    base_size: int
    accuracy: float | Fraction
    failure: float | Fraction
    unlabelled: int | None = None
    constants: BoostConstants = PRINTED
    epsilon: float | Fraction = 1.0
    rule: Rule = None
    rounding: Rounding = "down"

    def __post_init__(self) -> None:
        checked_learner(self.learner)
        checked_family(self.family, self.rule)
        positive_as_given("epsilon", self.epsilon)
        for name in ("labelled", "base_size"):
            object.__setattr__(self, name, count(name, getattr(self, name)))
        if self.unlabelled is not None:
            object.__setattr__(self, "unlabelled", count("unlabelled", self.unlabelled, least=0))
        if not isinstance(self.constants, BoostConstants):
            raise InvalidArgument(f"constants must be BoostConstants(...), got {self.constants!r}")
        if self.unlabelled is None:
            given = self.constants.unlabelled * self.base_size
            object.__setattr__(self, "unlabelled", given)
        _ = self.sizes  # which refuses what is left to refuse

    @cached_property
    def sizes(self) -> BoostSizes:
        """The sizes at every step: public, for they depend on the parameters only."""
        dimension = self.family.vc_dimension
        if dimension is None or dimension != int(min(dimension, 1 << 62)):
            raise InvalidArgument(f"family must have a finite VC dimension, got {self.family!r} with {dimension}")
        return boost_sizes(
            self.labelled,
            self.base_size,
            int(dimension),
            self.accuracy,
            self.failure,
            self.constants,
            unlabelled=self.unlabelled,
            rounding=self.rounding,
        )

    @property
    def claim(self) -> Claim:
        """The base learner's, carried through all steps; pure where that is pure.

        Raises
        ------
        AttributeError
            When the base learner promises nothing for whole records of as many as it is given.
        """
        return boosted_claim(self._base_claim, self.sizes, self.epsilon)

    @property
    def claim_steps(self) -> tuple[ClaimStep, ...]:
        """The claims along the steps, from the base learner outwards, beside what the paper prints for each."""
        return claim_steps(self._base_claim, self.sizes, self.epsilon)

    @property
    def _base_claim(self) -> Claim:
        return entry_claim(self.learner, self.sizes.kept, self.sizes.kept)

    @property
    def neighbours(self) -> ReplaceEntry:
        """One entry replaced, labelled entries staying labelled."""
        assert self.unlabelled is not None
        return ReplaceEntry(entry_records(self.learner), self.labelled + self.unlabelled, self.labelled)

    def on_draws(self) -> Any:
        """Steps 4 and 5: the base learner on i.i.d. draws."""
        return Resampled(self.learner, size=self.sizes.kept, records=self.sizes.kept)

    def on_last_part(self, learner: Any) -> Any:
        """Step 3: a learner on a random part of S."""
        return Subsampled(learner, size=self.sizes.kept, order="sorted", records=self.sizes.boosted)

    def on_relabelled(self, iteration: BoostIteration, learner: Any) -> Any:
        """Step 2d: a learner on what LabelBoostProcedure makes of the database."""
        return LabelBoostProcedure(learner, self.family, iteration.kept_stretched, self.epsilon, self.rule)

    def on_kept(self, iteration: BoostIteration, learner: Any) -> Any:
        """Step 2c: a learner on a random part of S and one of T, and the rest."""
        return SubsampledParts(
            learner,
            iteration.labelled,
            iteration.kept_labelled,
            iteration.stretched,
            iteration.kept_stretched,
            order="sorted",
        )

    def steps(self) -> Any:
        """All steps as a learner: the last ones inside, the first iteration outside."""
        made = LabelledPart(self.on_last_part(self.on_draws()))
        for iteration in reversed(self.sizes.iterations):
            made = self.on_kept(iteration, self.on_relabelled(iteration, made))
        return made

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output of the base learner."""
        return self.steps()(self._checked(dataset), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs, each of a run of its own; on tiny databases runs that coincide go together."""
        return self.steps().sample(self._checked(dataset), size, rng)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law, where the base learner declares its own and all parts are tiny.

        Raises
        ------
        AttributeError
            When the base learner declares none, or more than 4096 samples can reach it.
        """
        law_method(self.learner)
        if self._samples > MOST_SAMPLES:
            raise AttributeError(f"a law over more than {MOST_SAMPLES} samples is not declared")
        method: Callable[[Any], Law] = self.steps().distribution
        return lambda dataset: method(self._checked(dataset))

    @property
    def _samples(self) -> int:
        """How many ways there are to draw all samples; more than 4096 where a part is larger than that."""
        sizes = self.sizes
        parts = [(sizes.boosted, sizes.kept), *((i.labelled, i.kept_labelled) for i in sizes.iterations)]
        parts += [(each.stretched, each.kept_stretched) for each in sizes.iterations]
        if max(whole for whole, _ in parts) > MOST_SAMPLES:
            return MOST_SAMPLES + 1
        return comb(2 * sizes.kept - 1, sizes.kept) * prod(comb(whole, kept) for whole, kept in parts)

    def _checked(self, dataset: Any) -> Labelled:
        assert self.unlabelled is not None
        found, labelled = as_entries(dataset), labelled_size(dataset)
        if labelled != self.labelled or size_of(found) != self.labelled + self.unlabelled:
            raise InvalidArgument(
                f"dataset must hold labelled = {self.labelled} entries with and unlabelled = {self.unlabelled} without "
                f"a label, got {labelled} and {size_of(found) - labelled}"
            )
        # entries that this run does not draw must be refused too
        labels_of(found.y[:labelled])
        self.family.points(found.x)
        refuse_strange_points(self.learner, found.x)
        return found
