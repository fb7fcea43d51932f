"""Bad learners that a claim is set against before it holds: what one of them keeps too, says nothing.

They know nothing of the labels: the worst of the class on the instance, a coin for each label or for all, and the
learner itself whose labels are tossed. A claim that holds is kept by none of them, as far as is seen. None of them
knows the instance (whoever knows it answers its best hypothesis without data), so they are no proof that the claim says
much.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.execution.introspection import described
from dpcheck.model.data import Labelled, SemiPrivate, is_labelled
from dpcheck.model.data.forms import AUTO
from dpcheck.model.errors import InvalidArgument
from dpcheck.trial.model import HOLDS_LEVEL, Outcome
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.distributions import RandomInstance
from dpcheck.utility.failure import failure_rate, family_of
from dpcheck.utility.worst_risk import LABELLINGS, constant_risks, tossed_failures, worst_risk

#: Their names, as pages say them.
WORST, COIN, ONE_COIN, TOSSED = (
    "the worst of its class",
    "a coin for each label",
    "one coin for all labels",
    "the learner itself on labels tossed by a coin",
)

#: Of a random instance so many are drawn.
INSTANCES = 20
#: An opponent has broken a claim where that is wrong with at most this probability; it decides no word.
BREAKS_LEVEL = 1e-2


@dataclass(frozen=True)
class Opponent:
    """A learner that a claim is set against.

    Parameters
    ----------
    who : it in a few words
    found : what was found of it, with its number
    keeps : whether it keeps the claim too
    """

    who: str
    found: str
    keeps: bool


def set_against(outcome: Outcome, opponents: Sequence[Opponent]) -> Outcome:
    """The outcome, with what became of the opponents; one that holds says nothing where an opponent keeps it too.

    Examples
    --------
    >>> held = Outcome("holds", "errs by at most 0.6", "0 of 100 trials failed")
    >>> said = set_against(held, at_most(Fraction(3, 5), largest=Fraction(9, 10)))
    >>> said.word, said.against
    ('says nothing', 'a coin for each label keeps it too: it errs by 0.5')
    >>> set_against(held, at_most(Fraction(2, 5), largest=Fraction(9, 10))).word
    'holds'
    """
    if outcome.word != "holds" or not opponents:
        return outcome
    kept = [one for one in opponents if one.keeps]
    if not kept:
        return replace(outcome, against="; ".join(f"{one.who}: {one.found}" for one in opponents))
    said = "; ".join(f"{one.who} keeps it too: {one.found}" for one in kept)
    return replace(outcome, word="says nothing", against=said, measured=None, level=0.0, expected="")


def set_instead_against(outcome: Outcome, opponents: Sequence[Opponent]) -> Outcome:
    """The same of the check that was made instead of the claim."""
    if outcome.instead_word != "holds":
        return outcome
    said = set_against(replace(outcome, word="holds"), opponents)
    return replace(
        outcome, instead_word="says nothing" if said.word == "says nothing" else "holds", against=said.against,
        level=said.level,
    )  # fmt: skip


def at_most(limit: Any, *, largest: Any = None, coin: Any = Fraction(1, 2), what: str = "errs by") -> list[Opponent]:
    """The worst of a class and a coin, against a claim that an error or an excess is at most a limit.

    Parameters
    ----------
    limit : number
    largest : number, optional
        What nothing of the class exceeds; None where it is not known
    coin : number, optional
        The same number of a coin for each label, where no point has a mass that shows: 1/2 of an error; None where a
        coin is no answer
    what : str
        What is at most the limit, as a verb

    Examples
    --------
    >>> [one.keeps for one in at_most(0.45, largest=0.9)]
    [False, False]
    >>> [one.keeps for one in at_most(0.5, largest=0.4, what="has excess risk")]
    [True, True]
    """
    found = []
    if largest is not None:
        found.append(Opponent(WORST, f"it {what} up to {_said(largest)}", largest <= limit))
    if coin is not None:
        found.append(Opponent(COIN, f"it {what} {_said(coin)}", coin <= limit))
    return found


def by_chance(who: str, failing: Any, failure: Any) -> Opponent:
    """An opponent that exceeds the limit with a known probability, against a claim of a failure probability.

    Examples
    --------
    >>> by_chance("a threshold drawn uniformly", 0.01, 0.1).keeps
    True
    """
    return Opponent(who, f"it fails with probability {_said(failing)}", failing <= failure)


def drawn_threshold(targets: Sequence[Any], limit: Any, failure: Any) -> Opponent:
    """A threshold drawn uniformly from [0, 1], on uniform points, against an error of at most a limit.

    Parameters
    ----------
    targets : numbers in [0, 1], met equally often: a threshold errs by its distance from the target
    limit, failure : numbers

    Examples
    --------
    >>> drawn_threshold([0.5], 0.4, 0.1)
    Opponent(who='a threshold drawn uniformly', found='it fails with probability 0.2', keeps=False)
    """
    beyond = [max(0, target - limit) + max(0, 1 - target - limit) for target in targets]
    return by_chance("a threshold drawn uniformly", sum(beyond) / len(beyond), failure)


def below_worst(bounds: Sequence[Any], largest: Sequence[Any], what: str = "errs by") -> Opponent:
    """The worst of its class, against several comparisons of a number with a bound: it keeps the claim if it keeps all.

    Parameters
    ----------
    bounds, largest : numbers of the same count
        What is claimed not to be exceeded, and what nothing of the class exceeds there

    Examples
    --------
    >>> below_worst([2, 0.7], [1, 1]).found
    'at 1 of 2 comparisons it exceeds the bound'
    >>> below_worst([2, 3], [1, 1]).keeps
    True
    """
    broken = sum(worst > bound for bound, worst in zip(bounds, largest, strict=True))
    if broken:
        return Opponent(WORST, f"at {broken:,} of {len(bounds):,} comparisons it exceeds the bound", False)
    most = max(largest, default=0)
    return Opponent(WORST, f"it {what} up to {_said(most)}, and no bound is below {_said(min(bounds))}", True)


@dataclass(frozen=True)
class TossedLabels:
    """What a learner is handed, its labels exchanged for a coin's: it may know the points, and nothing of the labels.

    ``drawn`` is another way to draw what it is handed, as for :func:`~dpcheck.utility.failure.failure_rate`.
    """

    drawn: Callable[..., Any] | None = None

    def __call__(self, distribution: Any, sizes: Mapping[str, int], rng: np.random.Generator) -> Any:
        """The dataset.

        Raises
        ------
        InvalidArgument
            When there are no labels to toss.
        """
        if self.drawn is not None:
            return _tossed(self.drawn(distribution, sizes, rng), rng)
        if len(sizes) == 1:
            return _tossed(distribution.draw(next(iter(sizes.values())), rng), rng)
        private = distribution.draw(sizes["private"], rng)
        return _tossed(SemiPrivate(private=private, public=distribution.draw_unlabelled(sizes["public"], rng)), rng)


def _tossed(dataset: Any, rng: np.random.Generator) -> Any:
    if isinstance(dataset, SemiPrivate):
        public = _tossed(dataset.public, rng) if isinstance(dataset.public, Labelled) else dataset.public
        return SemiPrivate(private=_tossed(dataset.private, rng), public=public)
    if not is_labelled(dataset):
        raise InvalidArgument("dataset must have labels to toss, got one without")
    x, y = dataset
    return Labelled(x, rng.integers(2, size=len(y)))


def on_instance(
    distribution: Any, family: Any, accuracy: Any, failure: Any, *, best: Any = None, seed: int = 0
) -> list[Opponent]:
    """The worst of the class and the coins, against a claim that an excess risk is rarely above an accuracy.

    Of a random instance some are drawn.

    Parameters
    ----------
    distribution : Distribution or RandomInstance
    family : the class; None for thresholds
    accuracy, failure : numbers, as fractions
    best : number, optional, the best risk where the distribution does not know it
    seed : int, for what is drawn

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformInterval
    >>> for one in on_instance(UniformInterval(noise=0.1), None, Fraction(1, 2), Fraction(1, 10)):
    ...     print(one.keeps, one.who, "-", one.found)
    True the worst of its class - it has excess risk up to 0.4
    True a coin for each label - it fails with probability 0
    True one coin for all labels - it fails with probability 0
    """
    if not isinstance(distribution, RandomInstance):
        return on_instances([distribution], family, accuracy, failure, best=best, seed=seed)
    rng = np.random.default_rng(seed)
    drawn = [distribution.instance(rng) for _ in range(INSTANCES)]
    return on_instances(drawn, family, accuracy, failure, best=best, seed=seed)


def on_instances(
    instances: Sequence[Any], family: Any, accuracy: Any, failure: Any, *, best: Any = None, seed: int = 0
) -> list[Opponent]:
    """The same against a claim about instances that are met equally often: an opponent fails on a share of them.

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformInterval
    >>> both = [UniformInterval(Fraction(1, 2)), UniformInterval(Fraction(1, 16))]
    >>> [one.keeps for one in on_instances(both, None, Fraction(1, 2), Fraction(1, 2))]
    [True, True, True]
    >>> [one.keeps for one in on_instances(both, None, Fraction(1, 4), Fraction(1, 4))]
    [False, False, False]
    """
    rng = np.random.default_rng(seed)
    known = [least for one in instances if (least := one.best_risk(family) if best is None else best) is not None]
    if len(known) < len(instances):
        return []
    many, found = len(instances), []
    worst = [most for one in instances if (most := worst_risk(one, family)) is not None]
    if len(worst) == many:
        excess = [most - least for most, least in zip(worst, known, strict=True)]
        share = Fraction(sum(each > accuracy for each in excess), many)
        told = f"it has excess risk up to {_said(max(excess))}"
        if 0 < share < 1:
            told += f", and fails on {_said(share)} of the instances"
        found.append(Opponent(WORST, told, share <= failure))
    drawn = max(100, LABELLINGS // many)
    tossed = [
        tossed_failures(one, least + accuracy, rng, labellings=drawn)
        for one, least in zip(instances, known, strict=True)
    ]
    share = sum((Fraction(*each) for each in tossed), Fraction(0)) / many
    found.append(by_chance(COIN, share, failure))
    constant = [pair for one in instances if (pair := constant_risks(one)) is not None]
    if len(constant) == many:
        failing = sum(risk - least > accuracy for pair, least in zip(constant, known, strict=True) for risk in pair)
        found.append(by_chance(ONE_COIN, Fraction(failing, 2 * many), failure))
    return found


def on_tossed_labels(
    learner: Any,
    distribution: Any,
    *,
    sizes: Mapping[str, int],
    accuracy: Any,
    failure: Any,
    seed: int,
    trials: int,
    dataset: Callable[..., Any] | None = None,
    **arguments: Any,
) -> list[Opponent]:
    """The learner itself, on samples whose labels a coin has tossed; nothing where there are no labels to toss.

    It keeps the claim where its failures show that it does, wrong with probability at most that of "holds"; where they
    show neither, that is said.

    Parameters
    ----------
    learner, distribution, sizes, accuracy, failure, seed, trials, dataset, arguments : as for
        :func:`~dpcheck.utility.failure.failure_rate`

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformGrid
    >>> def smallest_one(dataset, rng):
    ...     x, y = dataset
    ...     return x[y == 1].min() if y.any() else 100
    >>> (one,) = on_tossed_labels(
    ...     smallest_one, UniformGrid(100), sizes={"n": 100}, accuracy=0.1, failure=0.05, seed=0, trials=100)
    >>> one.keeps
    False
    """
    given = {**IN_PLACE, **arguments}
    if dataset is None:
        given.setdefault("form", AUTO)
    try:
        rate = failure_rate(
            learner, distribution, sizes=sizes, accuracy=accuracy, failure=failure, dataset=TossedLabels(dataset),
            trials=trials, holds_level=HOLDS_LEVEL, contradicted_level=BREAKS_LEVEL, seed=seed, tolerant=True, **given,
        )  # fmt: skip
    except InvalidArgument:  # no labels to toss
        return []
    raised = f", {rate.errors:,} of them as it gave no answer" if rate.errors else ""
    unseen = "" if rate.verdict in ("holds", "contradicted") else ", which do not show whether it keeps it"
    said = f"{rate.failures:,} of {rate.trials:,} trials failed{raised}{unseen}"
    return [Opponent(TOSSED, said, rate.verdict == "holds")]


def family_learnt(learner: Any, options: Mapping[str, Any] | None, isolation: Any) -> Any:
    """The class that a learner says it learns, as its failures are judged; None where it says none."""
    return family_of(described(learner, isolation=isolation, wanted=(), options=options))


def _said(number: Any) -> str:
    return f"{float(number):.3g}"
