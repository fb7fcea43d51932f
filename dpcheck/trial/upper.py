"""Upper bounds where they are run: a size that is promised to suffice, and how often the learner fails at that size."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.harmless import one_line
from dpcheck.model.learner import as_target
from dpcheck.proof.bounds import Bound, Enclosure, Value, evaluate, exact_number, solve
from dpcheck.trial.exact_failure import exact_failure
from dpcheck.trial.failures import failures_in_words, level_of
from dpcheck.trial.model import CONTRADICTED_LEVEL, HOLDS_LEVEL, Outcome, Word
from dpcheck.trial.opponents import (
    Opponent,
    family_learnt,
    on_instance,
    on_tossed_labels,
    set_against,
    set_instead_against,
)
from dpcheck.trial.page import TOGETHER, Band, Line, Page, Pivot, Plot
from dpcheck.trial.relations import word_between
from dpcheck.trial.rows import Findings, Row, rates
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.failure import failure_rate
from dpcheck.utility.sizes import sample_complexity

#: Sizes at which a promise is drawn.
BOUND_POINTS = 24
#: An opponent's trials have a seed of their own, this much above, and are at least so many if need be.
OPPONENT_SEED, LEAST_TRIALS = 7_654_321, 200

Size = Bound | int | Callable[[Mapping[str, Any]], int]


@dataclass(frozen=True)
class UpperBound:
    """What a theorem promises of a learner, and where it is run.

    Parameters
    ----------
    result : id of the registry's entry
    claim : the promise in words, without its numbers: they are added
    learner : learner or factory of learners
    distribution : Distribution or RandomInstance
    sizes : mapping of names to bounds, numbers, or callables ``settings -> int``
        The sizes that the theorem names, in order: a bound may have the settings and the sizes before it as variables.
    settings : mapping, at least ``accuracy`` and ``failure``
        What is promised, and all else the bounds depend on.
    options : mapping, arguments of the factory
    reach : int, records
        The largest total size that is run.
    scaled : mapping
        Settings changed for the scaled check where the own sizes are out of reach.
    dataset : callable, optional, as in :func:`~dpcheck.utility.failure.failure_rate`
    name : str, the learner's name in reports
    expected : str
        The id of the erratum and why a contradiction is expected; "" where none is.
    over : str
        The size that charts and searches move, the others staying at the theorem's; the largest one by default.
    arguments : mapping
        All else that ``failure_rate`` takes: ``best``, ``family``, ``risk``, ``risk_sample``, ``isolation``,
        ``trial_timeout``, ``form``.
    exactly : bool
        Compute the failure probability from the learner's declared law instead of running it, where all samples can be
        listed (:func:`~dpcheck.trial.exact_failure.exact_failure`); the order of records is then of no matter to it.
    """

    result: str
    claim: str
    learner: Any
    distribution: Any
    sizes: Mapping[str, Size]
    settings: Mapping[str, Value]
    options: Mapping[str, Any] = field(default_factory=dict)
    reach: int = 200_000
    scaled: Mapping[str, Value] = field(default_factory=dict)
    dataset: Callable[..., Any] | None = None
    name: str = ""
    expected: str = ""
    over: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    exactly: bool = False


@dataclass(frozen=True)
class _Answer:
    """What became of the promise at some sizes: the word, what was found, how often it may be wrong, and the trials."""

    word: Word
    told: str
    level: float
    trials: int


def own_sizes(declared: UpperBound, changed: Mapping[str, Value] | None = None) -> dict[str, int]:
    """The sizes that the theorem names at its settings, or at changed ones.

    Raises
    ------
    InvalidArgument
        When a bound cannot be evaluated, or is no size.
    """
    known: dict[str, Any] = {**declared.settings, **(changed or {})}
    found: dict[str, int] = {}
    for name, size in declared.sizes.items():
        if isinstance(size, Bound):
            value = evaluate(size, **{each: known[each] for each in size.domain if each in known and each != size.size})
            number = value if isinstance(value, int) else math.ceil(value.high)
        else:
            number = _called(name, size, known) if callable(size) else int(size)
        found[name] = known[name] = number
    return found


def _called(name: str, size: Callable[[Mapping[str, Any]], int], known: Mapping[str, Any]) -> int:
    """A size that a function of the settings gives; what else it does is said in one line."""
    wanted = f"sizes[{name!r}] must give a number of records from the settings"
    try:
        given = size(known)
    except Exception as error:
        raise InvalidArgument(f"{wanted}, raised {type(error).__name__}: {one_line(str(error))}") from error
    try:
        number = -1 if isinstance(given, str | bytes | bool) else int(given)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"{wanted}, gave {one_line(repr(given))}") from error
    if number < 0:
        raise InvalidArgument(f"{wanted}, gave {one_line(repr(given))}")
    return number


def check_upper_bound(declared: UpperBound, *, seed: int, trials: int = 20_000, search: bool = False) -> Outcome:
    """Run a promise at its own size, or say that it cannot be and make the scaled check instead.

    Parameters
    ----------
    declared : UpperBound
    seed : int
    trials : int
        The most runs of the learner; fewer where the claim is decided before.
    search : bool
        Also measure the size at which the learner passes, which gives the slack.

    Returns
    -------
    Outcome
        "holds" is wrong with probability at most 1e-3, "contradicted" with at most 1e-9; both never where the failure
        probability was computed (``exactly``). For "not reachable" the level is that of the check made instead.

    Raises
    ------
    InvalidArgument
        When the declaration cannot be run.

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformGrid
    >>> def smallest_one(dataset, rng):
    ...     x, y = dataset
    ...     return x[y == 1].min() if y.any() else 100
    >>> promise = UpperBound("mine:thm-1", "the least positive point errs little", smallest_one, UniformGrid(100),
    ...                      {"private": 100}, {"accuracy": 0.1, "failure": 0.05})
    >>> check_upper_bound(promise, seed=0).word
    'holds'
    """
    sizes = own_sizes(declared)
    claim = f"{declared.claim}: {_promise(sizes, declared.settings)}"
    over = _over(declared, sizes)
    common = {"result": declared.result, "kind": "upper bound", "learner": declared.name, "size": float(sizes[over])}
    empty = _vacuous(declared.settings)
    if empty:
        return Outcome("says nothing", claim, empty, **common)  # type: ignore[arg-type]
    if sum(sizes.values()) > declared.reach:
        instead, answer = _scaled(declared, seed, trials)
        made = Outcome(
            "not reachable",
            claim,
            f"n = {_short(sum(sizes.values()))}: more than the {declared.reach:,} records that are run",
            instead=instead,
            instead_word=answer.word if answer is not None else None,
            trials=answer.trials if answer is not None else 0,
            level=answer.level if answer is not None else 0.0,
            expected=declared.expected if answer is not None and answer.word == "contradicted" else "",
            **common,  # type: ignore[arg-type]
        )
        if answer is None or answer.word != "holds":
            return made
        settings = {**declared.settings, **declared.scaled}
        opponents = _opponents(declared, own_sizes(declared, declared.scaled), settings, answer.trials, seed, trials)
        return set_instead_against(made, opponents)
    answer = _answer(declared, sizes, declared.settings, seed, trials)
    opponents = (
        _opponents(declared, sizes, declared.settings, answer.trials, seed, trials) if answer.word == "holds" else []
    )
    measured, told, more = (
        _search(declared, sizes, over, seed, max(1, trials // 4))
        if search and answer.word == "holds" and not any(one.keeps for one in opponents)
        else (None, "", 0)
    )
    made = Outcome(
        answer.word,
        claim,
        answer.told + told,
        measured=measured,
        level=answer.level,
        expected=declared.expected if answer.word == "contradicted" else "",
        trials=answer.trials + more,
        **common,  # type: ignore[arg-type]
    )
    return set_against(made, opponents)


def measure_upper_bound(declared: UpperBound, *, seed: int, quick: bool) -> Findings:
    """The same with its failure probability at other sizes, beside what is promised of it; see :data:`PAGE`.

    Raises
    ------
    InvalidArgument
        When the declaration cannot be run.
    """
    outcome = check_upper_bound(declared, seed=seed, trials=4_000 if quick else 20_000, search=True)
    own = own_sizes(declared)
    over = _over(declared, own)
    rest = {name: min(size, declared.reach) for name, size in own.items() if name != over}
    most = max(2, min(own[over], declared.reach - min(sum(rest.values()), declared.reach // 2)))
    count = 6 if quick else 12
    grid = sorted({max(1, round(most ** (place / (count - 1)))) for place in range(count)})
    trials = 0 if declared.exactly else 200 if quick else 1_000
    points = [
        _point(declared, over, {**rest, over: size}, trials, TOGETHER / len(grid), seed + 1 + n)
        for n, size in enumerate(grid)
    ]
    # with fewer of the others than the theorem asks for, nothing is promised
    whole = all(rest[name] == own[name] for name in rest)
    promised = _promised_failures(declared, over, {**declared.settings, **rest}, 4 * own[over]) if whole else []
    rows = [
        *(point.row for point in points),
        *(Row("promised", y, {"records": x}, "bound") for x, y in promised if y < 1),
    ]
    values = [point.row.value for point in points]
    claimed = float(_number(declared.settings["failure"]))
    return Findings(
        rows,
        (outcome,),
        _found(outcome, points, grid, claimed, over, declared.exactly),
        {
            "claim": declared.claim,
            "learner": declared.name or as_target(declared.learner, options=declared.options).name,
            "accuracy": _value_text(declared.settings["accuracy"]),
            "over": over,
            "rest": f" ({_sizes(rest)})" if rest else "",
            "own": _short(own[over]),
            "size": own[over],
            "claimed": claimed,
            "vacuous": max((x for x, y in promised if y >= 1), default=None),
            "least": 0.3 / trials if trials else max(1e-12, min(filter(None, values), default=0.0) / 3),
            "summed": " Failure probabilities are sums over all samples of the learner's declared law."
            if declared.exactly
            else "",
        },
    )


#: What is said and drawn of a measured promise.
PAGE = Page(
    "{claim}",
    "{claim}. How often the excess risk is above {accuracy}, against {over}{rest}, beside what is promised.",
    (
        Plot(
            "failure",
            "{learner}: excess risk above {accuracy} has this probability",
            "records",
            "probability of failure",
            x_label="{over} records",
            scale="log",
            least="least",
            lines=(
                Line("the promise's own size: {own}", x="size"),
                Line("claimed failure {claimed:g}", y="claimed"),
            ),
            shades=(Band("the promise is vacuous here (a probability of 1 or more)", x=(None, "vacuous")),),
        ),
    ),
    (Pivot("Failure probability of {learner} at each {over}", ("records",), only=("failure",)),),
    evidence="{intervals}{summed}",
)


@dataclass(frozen=True)
class _Point:
    """A failure probability at one size, and whether all that encloses it is at most, or above, the claim's.

    The two are decided before anything is rounded for the chart.
    """

    row: Row
    passes: bool
    fails: bool


def _point(declared: UpperBound, over: str, sizes: Mapping[str, int], trials: int, level: float, seed: int) -> _Point:
    ordered = {name: sizes[name] for name in declared.sizes}
    accuracy, failure = (_number(declared.settings[name]) for name in ("accuracy", "failure"))
    at = {"records": sizes[over]}
    if declared.exactly:
        found = _exact(declared, ordered, accuracy)
        return _Point(Row("failure", float(found), at), found.high <= failure, found.low > failure)
    rate = failure_rate(
        declared.learner,
        declared.distribution,
        sizes=ordered,
        accuracy=accuracy,
        options=dict(declared.options) or None,
        dataset=declared.dataset,
        trials=trials,
        level=level,
        seed=seed,
        **{**IN_PLACE, **declared.arguments},
    )
    low, high = rate.interval
    (row,) = rates("failure", [rate], **at)
    return _Point(row, high <= failure, low > failure)


def _answer(
    declared: UpperBound, sizes: Mapping[str, int], settings: Mapping[str, Any], seed: int, trials: int
) -> _Answer:
    """The promise at these sizes and settings: computed where the declaration says so, else run."""
    accuracy, failure = _number(settings["accuracy"]), _number(settings["failure"])
    if declared.exactly:
        found = _exact(declared, sizes, accuracy)
        told = f"the failure probability is {float(found):.4g}, computed from the law that the learner declares"
        return _Answer(word_between(found.low, found.high, failure), told, 0.0, 0)
    rate = failure_rate(
        declared.learner,
        declared.distribution,
        sizes=sizes,
        accuracy=accuracy,
        failure=failure,
        options=dict(declared.options) or None,
        dataset=declared.dataset,
        trials=trials,
        holds_level=HOLDS_LEVEL,
        contradicted_level=CONTRADICTED_LEVEL,
        seed=seed,
        **{**IN_PLACE, **declared.arguments},
    )
    told = failures_in_words(rate.failures, rate.trials, rate.interval, rate.level, rate.interval_method)
    words: dict[str | None, Word] = {"holds": "holds", "contradicted": "contradicted"}
    word = words.get(rate.verdict, "undecided")
    return _Answer(word, told, level_of(word), rate.trials)


def _exact(declared: UpperBound, sizes: Mapping[str, int], accuracy: Fraction) -> Enclosure:
    where = {**IN_PLACE, **declared.arguments}
    known = {name: declared.arguments[name] for name in ("family", "best") if name in declared.arguments}
    return exact_failure(
        declared.learner,
        declared.distribution,
        sizes=sizes,
        accuracy=accuracy,
        options=declared.options,
        order_blind=True,
        isolation=where["isolation"],
        call_timeout=where["trial_timeout"],
        **known,
    )


def _opponents(
    declared: UpperBound, sizes: Mapping[str, int], settings: Mapping[str, Any], spent: int, seed: int, trials: int
) -> list[Opponent]:
    """The bad learners that a promise is set against where it was kept; the learner itself last, as it takes trials."""
    accuracy, failure = _number(settings["accuracy"]), _number(settings["failure"])
    where = {**IN_PLACE, **declared.arguments}
    options = dict(declared.options) or None
    best = where.get("best")
    family = where.get("family")
    if family is None:
        family = family_learnt(declared.learner, options, where["isolation"])
    exact_best = None if best is None else exact_number("best", best)
    known = on_instance(declared.distribution, family, accuracy, failure, best=exact_best, seed=seed)
    if any(one.keeps for one in known):
        return known
    return known + on_tossed_labels(
        declared.learner,
        declared.distribution,
        sizes=sizes,
        accuracy=accuracy,
        failure=failure,
        seed=seed + OPPONENT_SEED,
        trials=min(trials, max(LEAST_TRIALS, 2 * spent)),
        dataset=declared.dataset,
        options=options,
        **where,
    )


def _scaled(declared: UpperBound, seed: int, trials: int) -> tuple[str, _Answer | None]:
    """The check made instead, in words, and what became of it."""
    if not declared.scaled:
        return "", None
    settings = {**declared.settings, **declared.scaled}
    sizes = own_sizes(declared, declared.scaled)
    changed = ", ".join(
        f"{name} = {_value_text(value)} for {_value_text(declared.settings[name])}"
        if name in declared.settings
        else f"{name} = {_value_text(value)}"
        for name, value in declared.scaled.items()
    )
    said = f"scaled check, {changed}: {_promise(sizes, settings)}"
    if _vacuous(settings):
        return f"{said}; this says nothing", None
    if sum(sizes.values()) > declared.reach:
        return f"{said}; this is out of reach too", None
    answer = _answer(declared, sizes, settings, seed, trials)
    return f"{said}; {answer.told}", answer


def _search(
    declared: UpperBound, own: Mapping[str, int], over: str, seed: int, trials: int
) -> tuple[float | None, str, int]:
    """The size from which all sizes tested pass, the other sizes staying as they are; in words, and its trials."""
    if declared.exactly:
        return _exact_search(declared, own, over)
    found = sample_complexity(
        declared.learner,
        declared.distribution,
        over=over,
        fixed={name: size for name, size in own.items() if name != over},
        accuracy=_number(declared.settings["accuracy"]),
        failure=_number(declared.settings["failure"]),
        most=max(own[over], 1),
        per_octave=2,
        around=1,
        octaves=1,
        level=TOGETHER,
        trials=trials,
        options=dict(declared.options) or None,
        dataset=declared.dataset,
        seed=seed,
        **{**IN_PLACE, **declared.arguments},
    )
    if found.enough is None:
        return None, "; the search found no size below it that passes", found.trials
    few = "" if found.too_small is None else f", {found.too_small:,} are too few"
    return (
        float(found.enough),
        f"; measured: {over} = {found.enough:,} suffices here{few} (level {TOGETHER:g})",
        found.trials,
    )


def _exact_search(declared: UpperBound, own: Mapping[str, int], over: str) -> tuple[float | None, str, int]:
    """The same where failure probabilities are computed: the sizes own, own/2, ... and then those in between."""
    accuracy, failure = _number(declared.settings["accuracy"]), _number(declared.settings["failure"])

    def passes(size: int) -> bool:
        return bool(_exact(declared, {**own, over: size}, accuracy).high <= failure)

    enough, few = own[over], 0
    while enough > 1 and not few:
        half = enough // 2
        enough, few = (half, few) if passes(half) else (enough, half)
    while enough - few > max(1, few // 20):
        middle = (enough + few) // 2
        enough, few = (middle, few) if passes(middle) else (enough, middle)
    less = f", {few:,} are too few" if few else ""
    return float(enough), f"; computed: {over} = {enough:,} suffices here{less}", 0


def _promised_failures(
    declared: UpperBound, over: str, known: Mapping[str, Any], most: int
) -> list[tuple[float, float]]:
    """The failure probability that the bound promises at each size; 1 where it promises nothing."""
    bound = declared.sizes[over]
    if not isinstance(bound, Bound) or "failure" not in {free.name for free in bound.expression.free_symbols}:
        return []
    given = {name: value for name, value in known.items() if name in bound.domain and name != "failure"}
    found = []
    for size in sorted({max(1, round(most ** (place / (BOUND_POINTS - 1)))) for place in range(BOUND_POINTS)}):
        try:
            promised = float(solve(bound, for_="failure", digits=6, **{**given, bound.size: size}))
        except InvalidArgument:  # no failure probability meets it at this size
            promised = 1.0
        found.append((float(size), promised))
    return found


def _found(outcome: Outcome, points: list[_Point], grid: list[int], claimed: float, over: str, exact: bool) -> str:
    passes = [size for size, each in zip(grid, points, strict=True) if each.passes]
    fails = [size for size, each in zip(grid, points, strict=True) if each.fails]
    said = f"{outcome.word.capitalize()}: {outcome.detail}."
    if fails:
        said += f" At {over} = {max(fails):,} it still fails more often than with probability {claimed:g}"
        said += "." if exact else " (the whole interval is above)."
    if passes:
        said += f" At {over} = {min(passes):,} it fails at most that often"
        said += "." if exact else " (the whole interval is at most that)."
    if outcome.slack is not None:
        said += f" The promise asks for {outcome.slack:.3g} times the measured size."
    return said


def _vacuous(settings: Mapping[str, Any]) -> str:
    for name in ("failure", "accuracy"):
        if _number(settings[name]) >= 1:
            return f"{name} of {_value_text(settings[name])} is promised of every learner"
    return ""


def _over(declared: UpperBound, sizes: Mapping[str, int]) -> str:
    return declared.over or max(sizes, key=lambda name: sizes[name])


def _number(value: Any) -> Any:
    return exact_number("settings", value)


def _value_text(value: Any) -> str:
    number = _number(value)
    return f"{int(number):,}" if number.denominator == 1 else f"{float(number):g}"


def _short(size: int) -> str:
    return f"{size:,}" if size < 10**7 else f"{size:.2g}" if size < 10**300 else f"10^{len(str(size)) - 1}"


def _sizes(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {_short(size)}" for name, size in sizes.items())


def _promise(sizes: Mapping[str, int], settings: Mapping[str, Any]) -> str:
    return (
        f"with {_sizes(sizes)}, excess risk above {_value_text(settings['accuracy'])} has probability at most "
        f"{_value_text(settings['failure'])}"
    )
