"""The generic semi-supervised learner: a sanitised copy of the unlabelled points, a choice by the labelled ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP, Claim, PureDP, exact_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceEntry, ReplaceOne
from dpcheck.papers.beimel2015.learners.exponential import correct_labels
from dpcheck.papers.beimel2015.learners.sizes import Candidates, generic_sizes
from dpcheck.parts.classes import GridThresholds, HypothesisClass
from dpcheck.parts.classes.combinatorics import distinct_points
from dpcheck.parts.classes.protocol import FiniteDomain
from dpcheck.parts.classes.representatives import Rule
from dpcheck.parts.learners.families import checked_family
from dpcheck.parts.learners.records import partly_labelled
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.mechanisms.parameters import count, positive_as_given
from dpcheck.parts.mechanisms.sanitisers import BlumLigettRoth, Sanitiser, ThresholdSanitiser, symmetric_differences

#: Candidates of several runs that are scored at once: arrays of some megabytes.
_SCORED_AT_ONCE = 1 << 18
#: Domains of so many points have a sanitiser that lists databases, thresholds one of so many databases.
_MOST_LISTED_POINTS, _MOST_LISTED_DATABASES = 64, 1 << 12


@dataclass(frozen=True)
class GenericLearner:
    """One hypothesis for each dichotomy of the sanitised unlabelled points, chosen among by the labelled records.

    1. The unlabelled part D is sanitised with respect to C^xor, the symmetric differences of two hypotheses.
    2. B is the set of the distinct points of the sanitised database.
    3. H has one hypothesis of C for each dichotomy of C on B.
    4. h is drawn from H with probability proportional to ``exp(epsilon q(h) / 2)``, q the correct labels on S.

    The claim, under :class:`~dpcheck.ReplaceEntry`: what the sanitiser promises, and epsilon. Proof: h is a function of
    the sanitised database, of S and of independent coins. Where an entry of D is replaced, S is the same and h
    post-processes the sanitiser's output. Where one of S is, D and so the law of H are the same, and for each H the law
    of h moves within ``exp(+-epsilon)`` (beimel2015:prop-A.1), so does their mixture. No entry is in both parts, so it
    is the larger of the two epsilons and not their sum (beimel2015:thm-3.3). This needs H to be a function of B and
    public things alone: ``rule`` is one.

    Parameters
    ----------
    family : HypothesisClass
        C. The hypotheses put out are of it: the learner is proper.
    sanitiser : Sanitiser
        For the queries of C^xor; ``dpcheck.parts.mechanisms.sanitisers`` has some. With the same epsilon, as in the
        paper.
    epsilon : float or Fraction, nats, above 0
        Of the choice.
    rule : name of one of the class's rules or an ``Adversarial``, optional
        Which hypothesis represents a dichotomy: the paper leaves it open.

    Raises
    ------
    InvalidArgument
        When family is no hypothesis class, the sanitiser none, or epsilon no finite number above 0; at a call when an
        entry without a label comes before a labelled one, or a point is outside the domain.

    Source: beimel2015:alg-1.

    Examples
    --------
    >>> learner = GenericLearner.over(GridThresholds(3), epsilon=1, points=2)
    >>> dataset = ([0, 2, 1, 1], [1, 0, -1, -1])  # two labelled entries, then two points
    >>> law = learner.distribution(dataset)
    >>> {h: round(float(each), 4) for h, each in zip(law.outputs, law.exact)}
    {0: 0.476, 1: 0.1312, 2: 0.2026, 3: 0.1902}
    >>> learner(dataset, np.random.default_rng()) in law.outputs, learner.claim
    (True, PureDP(epsilon=1.0))
    """

    family: HypothesisClass
    sanitiser: Sanitiser
    epsilon: float | Fraction = 1.0
    rule: Rule = None

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)
        checked_family(self.family, self.rule)
        if isinstance(self.sanitiser, type) or not isinstance(self.sanitiser, Sanitiser):
            raise InvalidArgument(
                f"sanitiser must be one, such as BlumLigettRoth(queries, epsilon, size), got {self.sanitiser!r}"
            )

    @classmethod
    def over(
        cls,
        family: HypothesisClass,
        epsilon: float | Fraction = 1.0,
        *,
        points: int,
        domain: Sequence[Any] | None = None,
        rule: Rule = None,
    ) -> GenericLearner:
        """The learner with the sanitiser of Blum, Ligett & Roth for C^xor, at the same epsilon.

        Thresholds on a grid have the one that draws from the same law without listing databases where these are many.

        Parameters
        ----------
        family : HypothesisClass
        epsilon : float or Fraction, nats, above 0
        points : int, at least 1
            k, the size of the sanitised database.
        domain : sequence of distinct points, optional
            Those that can occur (public); the domain of the class where that can be listed.
        rule : as for the learner

        Raises
        ------
        InvalidArgument
            When the class lists no domain and none is given, or databases are too many to be listed.

        Examples
        --------
        >>> from dpcheck.parts.classes import Intervals
        >>> learner = GenericLearner.over(Intervals(), points=2, domain=[0.25, 0.5, 0.75])
        >>> learner.sanitiser.queries.shape
        (8, 3)
        """
        checked_family(family, rule)
        k = count("points", points)
        if domain is None and isinstance(family, GridThresholds) and family.orientation != "both":
            grid = family.domain_size
            if comb(grid + k - 1, k) > _MOST_LISTED_DATABASES:
                return cls(family, ThresholdSanitiser(grid, epsilon, k), epsilon, rule)
        listed = _listed_domain(family, domain)
        queries = symmetric_differences(family.predict(family.representatives(listed), listed))
        return cls(family, BlumLigettRoth(queries, epsilon, k, domain=as_outputs(listed)), epsilon, rule)

    @classmethod
    def for_accuracy(
        cls,
        family: HypothesisClass,
        epsilon: float | Fraction = 1.0,
        *,
        accuracy: float | Fraction,
        failure: float | Fraction,
        labelled: int,
        unlabelled: int,
        points: int | None = None,
        candidates: Candidates = "all",
        domain: Sequence[Any] | None = None,
        rule: Rule = None,
    ) -> GenericLearner:
        """The learner for numbers of entries with which it is accurate (beimel2015:thm-3.3).

        Arguments are those of :func:`~dpcheck.papers.beimel2015.learners.generic_sizes` and of :meth:`over`.

        Raises
        ------
        InvalidArgument
            When there are too few entries: the inequality that fails, and the size that would do.

        Examples
        --------
        >>> from dpcheck.papers.beimel2015.learners import points_for_thresholds
        >>> wanted = dict(accuracy=0.1, failure=0.1, points=points_for_thresholds(0.02), candidates="sauer")
        >>> learner = GenericLearner.for_accuracy(GridThresholds(2**20), **wanted, labelled=10**6, unlabelled=10**6)
        >>> learner.sanitiser.size
        100
        >>> GenericLearner.for_accuracy(GridThresholds(2**20), **wanted, labelled=1000, unlabelled=10**6)
        Traceback (most recent call last):
        ...
        dpcheck.InvalidArgument: labelled must be at least 978,006, got 1,000: labelled >= (1250 / accuracy^2) \
ln(25 / (accuracy failure)) = 978,006 (errors on a sample right to accuracy/5) fails
        """
        whole = isinstance(family, GridThresholds) and domain is None
        size = family.domain_size if whole else len(_listed_domain(family, domain))  # type: ignore[attr-defined]
        sizes = generic_sizes(
            family, size, epsilon=epsilon, accuracy=accuracy, failure=failure, points=points, candidates=candidates
        )
        sizes.check(labelled=labelled, unlabelled=unlabelled)
        return cls.over(family, epsilon, points=sizes.points, domain=domain, rule=rule)

    @property
    def claim(self) -> Claim:
        """The weaker of epsilon and what the sanitiser promises; none where that is neither pure nor approximate."""
        promised = self.sanitiser.claim
        if not isinstance(promised, PureDP | ApproxDP):
            raise AttributeError(f"no claim is made beside a sanitiser that promises {promised}")
        if not isinstance(self.sanitiser.neighbours, ReplaceOne):  # two steps of another relation are one of this
            raise AttributeError(f"no claim is made beside a sanitiser under {self.sanitiser.neighbours}")
        point = exact_point(promised)
        if point.epsilon >= Fraction(self.epsilon):
            return promised
        return PureDP(self.epsilon) if isinstance(promised, PureDP) else ApproxDP(self.epsilon, point.delta)

    @property
    def neighbours(self) -> ReplaceEntry:
        """One entry replaced, a labelled one by a labelled one; how many are labelled is public."""
        return ReplaceEntry()

    @property
    def order_blind(self) -> bool:
        """Whether the order of the entries of either part is of no matter: as of the sanitiser's points."""
        return getattr(self.sanitiser, "order_blind", False) is True

    def labelled_part(self, dataset: Any) -> tuple[Any, Any]:
        """The points and labels of S."""
        x, y, _ = partly_labelled(dataset)
        return x, y

    def unlabelled_part(self, dataset: Any) -> Any:
        """The points of D, that the sanitiser is given."""
        return partly_labelled(dataset)[2]

    def databases(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent sanitised databases (beimel2015:alg-1, step 2)."""
        return self.sanitiser.sample(self.unlabelled_part(dataset), size, rng)

    def law_of_databases(self, dataset: Any) -> Law:
        """The law of the sanitised database, where the sanitiser declares one."""
        law: Law = self.sanitiser.distribution(self.unlabelled_part(dataset))  # type: ignore[attr-defined]
        return law

    def basis(self, dataset: Any, database: Any) -> NDArray[Any]:
        """B, the distinct points of a sanitised database, sorted; shape (b, ...) (beimel2015:alg-1, step 3)."""
        return distinct_points(self.family, database)

    def candidates(self, dataset: Any, basis: NDArray[Any]) -> NDArray[Any]:
        """H, one hypothesis for each dichotomy of B; shape (h, ...) (beimel2015:alg-1, step 4)."""
        return self.family.representatives(basis, self.rule)

    def scores(self, dataset: Any, candidates: NDArray[Any]) -> NDArray[np.int64]:
        """q, the correct labels of each candidate on S; shape (h,)."""
        return correct_labels(self.family, candidates, *self.labelled_part(dataset))

    def rate(self, dataset: Any) -> Fraction:
        """Nats per correct label: half of epsilon (beimel2015:alg-5)."""
        return Fraction(self.epsilon) / 2

    def choice(self, dataset: Any, scores: NDArray[np.int64]) -> Choice:
        """The choice among candidates with these scores (beimel2015:alg-1, step 5)."""
        return Choice(self.rate(dataset), scores)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        drawn = self.sample(dataset, 1, rng)[0]
        return drawn.item() if isinstance(drawn, np.generic) else drawn

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, each of a sanitised database of its own; shape (size, ...).

        Runs whose databases have the same points share H and its scores; candidates are scored many runs at a time.
        """
        bases, run_of = self._bases(dataset, size, rng)
        order = np.argsort(run_of, kind="stable")
        ends = np.cumsum(np.bincount(run_of, minlength=len(bases)))
        found: NDArray[Any] | None = None
        for group, (candidates, scores) in enumerate(self._scored(dataset, bases)):
            runs = order[ends[group - 1] if group else 0 : ends[group]]
            drawn = candidates[self.choice(dataset, scores).sample(len(runs), rng)]
            if found is None:
                found = np.empty((size, *drawn.shape[1:]), dtype=drawn.dtype)
            found[runs] = drawn
        return np.zeros(0, dtype=np.int64) if found is None else found

    def _bases(self, dataset: Any, size: int, rng: np.random.Generator) -> tuple[list[NDArray[Any]], NDArray[np.int64]]:
        """The distinct ones among the sets B of so many runs, and which of them each run has."""
        numbers: dict[Any, int] = {}
        bases: list[NDArray[Any]] = []
        run_of = np.empty(size, dtype=np.int64)
        for run, database in enumerate(self.databases(dataset, size, rng)):
            basis = self.basis(dataset, database)
            number = numbers.setdefault(_key(basis), len(bases))
            if number == len(bases):
                bases.append(basis)
            run_of[run] = number
        return bases, run_of

    def _scored(self, dataset: Any, bases: list[NDArray[Any]]) -> Iterator[tuple[NDArray[Any], NDArray[np.int64]]]:
        """The candidates of each B with their scores."""
        waiting: list[NDArray[Any]] = []
        count = 0
        for number, basis in enumerate(bases, start=1):
            waiting.append(self.candidates(dataset, basis))
            count += len(waiting[-1])
            if count >= _SCORED_AT_ONCE or number == len(bases):
                scores = self.scores(dataset, np.concatenate(waiting))
                yield from zip(waiting, np.split(scores, np.cumsum([len(each) for each in waiting])[:-1]), strict=True)
                waiting, count = [], 0

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law, in balls, where the sanitiser declares its own.

        A mixture of the laws of the choice, one for each set B that can come about.
        """
        if not callable(getattr(self.sanitiser, "distribution", None)):
            raise AttributeError("the sanitiser declares no law")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        law = mixture([1], [self.law_of_databases(dataset)])
        if law.exact is None:
            raise InvalidArgument(
                "sanitiser must declare an exact law for that of the learner to be computed, got floats"
            )
        weights: dict[Any, Any] = {}
        bases: dict[Any, NDArray[Any]] = {}
        for database, chance in zip(law.outputs, law.exact, strict=True):
            basis = self.basis(dataset, database)
            key = _key(basis)
            bases[key] = basis
            weights[key] = weights[key] + chance if key in weights else chance
        return mixture([weights[key] for key in bases], (self._law_of_choice(dataset, each) for each in bases.values()))

    def _law_of_choice(self, dataset: Any, basis: NDArray[Any]) -> Law:
        candidates = self.candidates(dataset, basis)
        return self.choice(dataset, self.scores(dataset, candidates)).law(as_outputs(candidates))


def _key(basis: NDArray[Any]) -> Any:
    return tuple(map(str, basis.tolist())) if basis.dtype == object else basis.tobytes()


def _listed_domain(family: HypothesisClass, domain: Sequence[Any] | None) -> NDArray[Any]:
    """The points that can occur, few enough for databases to be listed."""
    if domain is None:
        if not isinstance(family, FiniteDomain):
            raise InvalidArgument(f"domain must be given for a class that lists none, such as {family!r}")
        listed = family.domain()
    else:
        listed = family.points(domain)
    if len(listed) > _MOST_LISTED_POINTS:
        raise InvalidArgument(
            f"domain must have at most {_MOST_LISTED_POINTS} points for databases to be listed, got {len(listed)}"
        )
    return listed
