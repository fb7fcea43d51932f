"""Lower bounds where they are run: every learner on the hard instances, below the size that the theorem asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.bounds import exact_number
from dpcheck.trial.failures import failures_in_words, level_of
from dpcheck.trial.model import CONTRADICTED_LEVEL, HOLDS_LEVEL, Outcome, Word
from dpcheck.trial.page import TOGETHER, Line, Page, Plot
from dpcheck.trial.rows import Findings, Row
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.distributions import RandomInstance
from dpcheck.utility.failure import FailureRate, failure_rate

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


def measure_lower_bound(declared: LowerBound, *, seed: int, quick: bool) -> Findings:
    """The same with how often each learner fails on the instance where it fails most, by the size; see :data:`PAGE`.

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
    trials = 100 if quick else 500
    shares = len(grid) * len(declared.learners) * len(declared.instances)
    seeds = iter(np.random.SeedSequence([seed, 1]).generate_state(shares).tolist())
    rows = []
    for name, learner in declared.learners.items():
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
            low, high = (max(each.interval[end] for each in rates) for end in (0, 1))
            worst = max(each.rate for each in rates)
            level = TOGETHER * len(rates) / shares
            rows.append(Row(name, worst, {"records": size}, "measured", (low, high), trials, level))
    return Findings(
        rows,
        outcomes,
        " ".join(f"{each.learner}: {each.word}, {each.detail}." for each in outcomes),
        {
            "claim": declared.claim,
            "accuracy": float(exact_number("accuracy", declared.accuracy)),
            "failure": float(exact_number("failure", declared.failure)),
            "instances": len(declared.instances),
            "over": over,
            "size": declared.size,
            "trials": trials,
            "shares": shares,
        },
        sum(each.trials for each in outcomes) + trials * shares,
    )


#: What is said and drawn of learners on hard instances.
PAGE = Page(
    "{claim}",
    "{claim}: each learner on {instances} hard instances, below the bound and beyond it.",
    (
        Plot(
            "worst-instance",
            "Excess risk above {accuracy:g}, worst instance",
            "records",
            "probability of failure",
            x_label="{over} records",
            lines=(
                Line("must fail with probability {failure:g} below the bound", y="failure"),
                Line("the bound: {over} of at least {size:,.4g}", x="size"),
            ),
        ),
    ),
    evidence="Intervals are Clopper-Pearson, {trials:,} trials a point and instance; all {shares} of them hold "
    f"together with probability at least {1 - TOGETHER:.0%}. Drawn is the largest failure over the instances.",
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
    told = failures_in_words(worst.failures, worst.trials, worst.interval, worst.level, worst.interval_method)
    said = f"on {worst.distribution} {told}"
    if word == "contradicted":
        return f"it fails less often on each of {len(found)} instances; {said}"
    passed = sum(each.verdict == "holds" for each in found)
    if word == "undecided" and passed == len(found):
        return f"it fails less often on each of {len(found)} instances, but the theorem may speak of others; {said}"
    return said
