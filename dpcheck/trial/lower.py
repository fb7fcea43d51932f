"""Lower bounds where they are run: every learner on the hard instances, below the size that the theorem asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.bounds import exact_number
from dpcheck.trial.failures import failures_in_words, level_of
from dpcheck.trial.model import CONTRADICTED_LEVEL, HOLDS_LEVEL, Chart, Mark, Measurement, Outcome, Series, Word
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.distributions import RandomInstance
from dpcheck.utility.failure import FailureRate, failure_rate

#: All intervals of a chart are right together, save with this probability.
TOGETHER = 0.05
#: The chart goes to no larger size, wherever the bound is (unless the declared size itself is larger).
REACH = 200_000


@dataclass(frozen=True)
class LowerBound:
    """What a theorem says that no learner can do, and the learners and instances it is tried with.

    Parameters
    ----------
    result : id of the registry's entry
    claim : what it says, in words
    learners : mapping of names to learners or factories
        All of them are within the theorem's premises (private as much as it assumes, ...).
    instances : sequence of Distribution or RandomInstance
        The hard family: the theorem says that each learner fails on some instance of it.
    sizes : mapping of names to numbers of records, below the bound
    accuracy, failure : numbers
        On some instance the excess risk is above ``accuracy`` with probability at least ``failure``.
    options : mapping of learners' names to arguments of their factories
    complete : bool, optional
        Whether the theorem names this very family. Where it does not, success on all of these instances contradicts
        nothing: the learner may fail on others. True by default where every instance is one distribution. Of a random
        instance the failure is an average, and a small average contradicts only a theorem about the average: say so
        with True.
    size : float, optional
        The size that the theorem says is needed.
    dataset, arguments : as in :class:`~dpcheck.trial.upper.UpperBound`
    expected : str
        The id of the erratum and why a contradiction is expected.
    """

    result: str
    claim: str
    learners: Mapping[str, Any]
    instances: Sequence[Any]
    sizes: Mapping[str, int]
    accuracy: Any
    failure: Any
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    complete: bool | None = None
    size: float | None = None
    dataset: Callable[..., Any] | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    expected: str = ""


def check_lower_bound(declared: LowerBound, *, seed: int, trials: int = 20_000) -> tuple[Outcome, ...]:
    """Run every learner on the hard instances: one outcome each.

    "contradicted" needs every instance, each certified at 1e-9, to be one where the learner fails less often than the
    theorem says that it must on some: then the learner breaks the theorem's premises, or the theorem is wrong. "holds"
    needs one instance where it certainly fails that often, at 1e-3 over all instances together.

    Raises
    ------
    InvalidArgument
        When a learner cannot be run, or the one size is above the bound's.

    Examples
    --------
    >>> from dpcheck.utility.distributions import two_points
    >>> bound = LowerBound("mine:thm-2", "one record cannot tell two thresholds apart",
    ...                    {"constant": lambda dataset, rng: 0}, [two_points(1), two_points(2)],
    ...                    {"private": 1}, accuracy=0.25, failure=0.25, arguments={"best": 0})
    >>> [outcome.word for outcome in check_lower_bound(bound, seed=0)]
    ['holds']
    """
    _below(declared)
    return tuple(
        _one(declared, name, learner, int(own), trials)
        for (name, learner), own in zip(
            declared.learners.items(),
            np.random.SeedSequence(seed).generate_state(len(declared.learners)).tolist(),
            strict=True,
        )
    )


def measure_lower_bound(declared: LowerBound, *, key: str, title: str, seed: int, quick: bool) -> Measurement:
    """The same with a chart: how often each learner fails on the instance where it fails most, against the size.

    Raises
    ------
    InvalidArgument
        When a learner cannot be run.
    """
    outcomes = check_lower_bound(declared, seed=seed, trials=5_000 if quick else 20_000)
    over = max(declared.sizes, key=lambda name: declared.sizes[name])
    most = max(declared.sizes[over], int(declared.size or 0), 1) * (8 if quick else 64)
    most = min(most, max(declared.sizes[over], REACH))
    count = 4 if quick else 8
    grid = sorted({max(1, round(most ** (place / (count - 1)))) for place in range(count)})
    trials, series = 100 if quick else 500, []
    shares = len(grid) * len(declared.learners) * len(declared.instances)
    seeds = iter(np.random.SeedSequence([seed, 1]).generate_state(shares).tolist())
    for colour, (name, learner) in enumerate(declared.learners.items()):
        worst = []
        for size in grid:
            rates = [
                failure_rate(
                    learner,
                    instance,
                    sizes={**declared.sizes, over: size},
                    accuracy=exact_number("accuracy", declared.accuracy),
                    options=dict(declared.options.get(name, {})) or None,
                    dataset=declared.dataset,
                    trials=trials,
                    level=TOGETHER / shares,
                    seed=next(seeds),
                    **{**IN_PLACE, **declared.arguments},
                )
                for instance in declared.instances
            ]
            worst.append(rates)
        series.append(
            Series(
                name,
                "measured",
                colour,
                tuple(map(float, grid)),
                tuple(max(each.rate for each in rates) for rates in worst),
                tuple(max(each.interval[0] for each in rates) for rates in worst),
                tuple(max(each.interval[1] for each in rates) for rates in worst),
                (trials,) * len(grid),
            )
        )
    failure = float(exact_number("failure", declared.failure))
    marks = [Mark(f"must fail with probability {failure:g} below the bound", y=failure, colour=5)]
    if declared.size is not None:
        marks.append(Mark(f"the bound: {over} of at least {declared.size:,.4g}", x=declared.size, colour=4))
    return Measurement(
        key,
        title,
        (declared.result,),
        f"{declared.claim}: each learner on {len(declared.instances)} hard instances, below the bound and beyond it.",
        " ".join(f"{each.learner}: {each.word}, {each.detail}." for each in outcomes),
        f"Intervals are Clopper-Pearson, {trials:,} trials a point and instance; all {shares} of them hold together "
        f"with probability at least {1 - TOGETHER:.0%}. Drawn is the largest failure over the instances.",
        (
            Chart(
                key,
                f"Excess risk above {float(exact_number('accuracy', declared.accuracy)):g}, worst instance",
                f"{over} records",
                "probability of failure",
                tuple(series),
                tuple(marks),
                y_range=(-0.02, 1.04),
                alt="Failure of each learner against the size, with the bound's size and failure.",
            ),
        ),
        (),
        outcomes,
        trials=sum(each.trials for each in outcomes) + trials * shares,
    )


def _one(declared: LowerBound, name: str, learner: Any, seed: int, trials: int) -> Outcome:
    found: list[FailureRate] = []
    count = len(declared.instances)
    accuracy, failure = (exact_number(n, getattr(declared, n)) for n in ("accuracy", "failure"))
    for place, instance in enumerate(declared.instances):
        found.append(
            failure_rate(
                learner,
                instance,
                sizes=declared.sizes,
                accuracy=accuracy,
                failure=failure,
                options=dict(declared.options.get(name, {})) or None,
                dataset=declared.dataset,
                trials=trials,
                # "holds" of the rate is success, which must hold on all instances: each at the full level;
                # its "contradicted" is failure, looked for among all of them: each at its share
                holds_level=CONTRADICTED_LEVEL,
                contradicted_level=HOLDS_LEVEL / count,
                seed=seed + place,
                **{**IN_PLACE, **declared.arguments},
            )
        )
        if found[-1].verdict == "contradicted":
            break
    word: Word = "undecided"
    if found[-1].verdict == "contradicted":
        word = "holds"
    elif all(each.verdict == "holds" for each in found) and _complete(declared):
        word = "contradicted"
    return Outcome(
        word,
        f"{declared.claim}: at {', '.join(f'{key} = {size:,}' for key, size in declared.sizes.items())} excess risk "
        f"above {float(accuracy):g} has probability at least {float(failure):g} on one of {count} hard "
        f"instance{'' if count == 1 else 's'}",
        _detail(found, declared, word),
        declared.result,
        "lower bound",
        learner=name,
        size=declared.size,
        level=level_of(word),
        expected=declared.expected if word == "contradicted" else "",
        trials=sum(each.trials for each in found),
    )


def _complete(declared: LowerBound) -> bool:
    """Whether success on all instances contradicts the theorem."""
    if declared.complete is not None:
        return declared.complete
    return not any(isinstance(instance, RandomInstance) for instance in declared.instances)


def _below(declared: LowerBound) -> None:
    """That the size is one of which the theorem speaks: with more records than it asks for, success is no news."""
    if declared.size is None or len(declared.sizes) > 1:
        return
    ((name, size),) = declared.sizes.items()
    if size > declared.size:
        raise InvalidArgument(f"sizes[{name!r}] must be at most the bound's {declared.size:g}, got {size}")


def _detail(found: list[FailureRate], declared: LowerBound, word: Word) -> str:
    worst = max(found, key=lambda each: each.interval[0]) if word != "holds" else found[-1]
    said = f"on {worst.distribution} " + failures_in_words(worst.failures, worst.trials, worst.interval, worst.level)
    if word == "contradicted":
        return f"it fails less often on each of {len(found)} instances; {said}"
    passed = sum(each.verdict == "holds" for each in found)
    if word == "undecided" and passed == len(found):
        return f"it fails less often on each of {len(found)} instances, but the theorem may speak of others; {said}"
    return said
