"""Fixed horizon: what to certify is chosen from earlier calls, and certified exactly on later ones, in stages.

Earlier calls may be looked at in any way. In each stage the outputs go into one histogram; from all of them comes the
bound on epsilon (one statement at alpha) and, from the last one, as a second statement at alpha of its own, a
simultaneous region for the probabilities of nested events, from which the privacy profile and the trade-off curve
follow at every point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.additive import fit_additive
from dpcheck.privacy.statistics.bank import (
    MAX_ANSWERS,
    Bins,
    Floats,
    Integers,
    centres_of,
    fit_bins,
    repeated_values,
    value_sums,
    words_of,
)
from dpcheck.privacy.statistics.divergence_bounds import DivergenceBounds, divergence_bounds
from dpcheck.privacy.statistics.divergence_game import View
from dpcheck.privacy.statistics.evidence import Graded, binomial_upper
from dpcheck.privacy.statistics.expected_bound import Goal, Rule, best_rule
from dpcheck.privacy.statistics.game import Batch, Shape
from dpcheck.privacy.statistics.kinds import named_answers, told_kinds, with_kinds
from dpcheck.privacy.statistics.normal_laws import BELOW, LIKELIER, TWO_NORMAL_LAWS, two_normal_laws
from dpcheck.privacy.statistics.observations import Observations
from dpcheck.privacy.statistics.one_place import in_one_place
from dpcheck.privacy.statistics.ordered_posteriors import by_number
from dpcheck.privacy.statistics.posterior import Posterior, shrunken_answers
from dpcheck.privacy.statistics.scores import Score, fit_boosted, fit_scores, score_names
from dpcheck.privacy.statistics.sparse import NAMES, Parts, TakenApart, beside, fit_parts, fit_parts_score, part_names
from dpcheck.privacy.statistics.staged_bound import Stage, staged_epsilon_lower
from dpcheck.privacy.statistics.subsampled_laws import subsampled_laws
from dpcheck.privacy.statistics.subsampled_steps import StepsScore, fit_steps, laws_of_steps
from dpcheck.privacy.statistics.threads import one_thread_of_linear_algebra

#: Nested events of the simultaneous region: enough for a smooth curve, few enough for the union bound.
EVENTS = 24
#: Past outputs that boosted trees are fitted to at most.
MOST_BOOSTED = 20_000
#: Answers told apart one by one, at most.
MOST_ANSWERS = 2048
#: Answers that were all seen, this often each on average, say by themselves all that there is to say.
OFTEN = 500
#: Answers that come this often each on average are looked at by themselves, whatever else they are.
AGAIN = 4
#: Nats by which it is less likely that parts of a line have log-odds of their own, where no value comes again.
WITHOUT_ORDER = 2.5
#: A number is continuous where so large a part of its values came once.
CONTINUOUS = 0.98
#: Outputs on each dataset from which codes are looked at by themselves.
LEAST_APART = 50
#: Nats by which what foretells the coins better does so clearly; the model of what outputs have beside that.
CLEARLY, BESIDE = 3.0, "beside what foretells best"
#: Of past outputs that scores of halves would guess, the score of all guesses so many: else it says another thing.
STAYING = 0.5
#: Single coordinates that are looked at one by one: those that show most at a glance.
MOST_COLUMNS = 6
#: Equal parts, and the tails made of them, in which a coordinate is glanced at.
GLANCED_PARTS = 32


@dataclass(frozen=True)
class Lens:
    """How outputs are told apart: one feature of the output and its bins; ``names`` are words for known tokens.

    ``continuous``: hardly a value of the feature came twice.
    """

    name: str
    column: int | None
    score: Score | None
    bins: Bins | None
    known: NDArray[np.uint64]
    of_forms: bool = False
    names: Mapping[int, str] = field(default_factory=dict)
    continuous: bool = False

    @property
    def count(self) -> int:
        """The number of bins."""
        return self.bins.count if self.bins is not None else len(self.known) + 1

    def histogram(self, seen: Observations, coins: NDArray[np.int8]) -> Integers:
        """Outputs per bin on D' and on D, shape (B, 2)."""
        return _counted(self.places(seen), coins, self.count)

    def places(self, seen: Observations) -> Integers:
        """The bin of each output."""
        return self.placed(seen)[0]

    def placed(self, seen: Observations) -> tuple[Integers, Floats]:
        """The bin of each output, and its value: 0 where it has none."""
        values = self._values(seen)
        if values is not None and self.bins is not None:
            return self.bins.place(values), values
        tokens = seen.kinds if self.of_forms else seen.tokens
        place = np.minimum(np.searchsorted(self.known, tokens), max(len(self.known) - 1, 0))
        hit = self.known[place] == tokens if len(self.known) else np.zeros(len(seen), bool)
        return np.where(hit, place, len(self.known)).astype(np.int64), np.zeros(len(seen))

    def _values(self, seen: Observations) -> Floats | None:
        if self.score is not None:
            return self.score.log_odds(seen.columns)
        if self.column is None:
            return None
        if self.column >= seen.columns.shape[1]:
            return np.full(len(seen), np.nan)
        return seen.columns[:, self.column]


@dataclass(frozen=True)
class Foretold:
    """The lens and model that foretell the coins best: what they learned, and the log-probability of the coins."""

    lens: Lens
    learned: View
    evidence: float


@dataclass(frozen=True)
class Plan:
    """What will be certified: the lens, the posterior of D per bin (for the curve), signed weights per bin.

    ``predicted`` is the bound to expect; ``promise`` says how much of what more calls may show is all but sure now.
    ``foretold`` is what divergences are certified by, which see all of the outputs and not one event.
    """

    lens: Lens
    posterior: Floats
    weights: NDArray[np.int64]
    share: float
    predicted: float
    promise: float
    model: str
    foretold: Foretold | None = None


@dataclass(frozen=True)
class Certified:
    """The statements made from ``calls`` outputs, each at level alpha.

    ``epsilon_lower`` at delta; ``false_left`` and ``missed_left`` bound, simultaneously for nested events S, the
    probabilities P(M(D') in S) and P(M(D) not in S) from above; ``divergences`` are two more.
    """

    epsilon_lower: float
    correct: int
    wrong: int
    calls: int
    events: Floats
    false_left: Floats
    missed_left: Floats
    divergences: DivergenceBounds | None


def learn_plan(batch: Batch, shape: Shape, delta: float, alpha: float, remaining: int, *, boosted: bool = True) -> Plan:
    """Choose what to certify from earlier calls alone.

    Parameters
    ----------
    batch : Batch
        The earlier calls.
    shape : Shape
        What outputs look like.
    delta, alpha : float
        Of the statement to come.
    remaining : int
        Calls on which it will be certified.
    boosted : bool
        Whether boosted trees join (where scikit-learn is installed).
    """
    goal = Goal(delta, alpha, remaining)
    with one_thread_of_linear_algebra():
        lenses = _lenses(batch, shape, boosted, steps=delta > 0.0)
        found = [_plan(seen, goal) for seen in lenses]
    hoped = max(rule.hoped for _, rule in found)
    believed = _believed(found, goal)
    believed.sort(key=lambda one: (max(one[1].expected, 0.0), one[1].chance), reverse=True)
    plan, rule = next((one for one in believed if _stays(*one, batch)), believed[0])
    return Plan(
        plan.lens,
        plan.posterior,
        rule.weights,
        rule.share,
        rule.expected,
        (rule.sure / hoped) ** 2 if hoped > 0.0 and rule.expected > 0.0 else 0.0,
        plan.model,
        max((choice.foretold for choice, _ in found), key=lambda told: told.evidence),
    )


def stage_share(plan: Plan, calls: int, rest: int) -> float:
    """The part of the variance that a stage of so many calls gets, where ``rest`` follow: less where luck is in it.

    >>> from types import SimpleNamespace
    >>> stage_share(SimpleNamespace(promise=1.0), 100, 300), stage_share(SimpleNamespace(promise=0.0), 100, 300)
    (0.25, 0.0)
    """
    return plan.promise * calls / (plan.promise * calls + rest)


@dataclass(frozen=True)
class _Looked:
    """A lens, and past outputs through it: how many per bin, sums of their values, the bin of each.

    Of a learned score each output was placed by the score that was fitted to the half that it is not in.
    """

    lens: Lens
    histogram: Integers
    sums: Floats
    places: Integers


@dataclass(frozen=True)
class _Choice:
    looked: _Looked
    posterior: Floats
    model: str
    foretold: Foretold

    @property
    def lens(self) -> Lens:
        return self.looked.lens


def _stays(choice: _Choice, rule: Rule, batch: Batch) -> bool:
    """Whether a rule guesses the past outputs that it promises of, where a score places them that was fitted to all.

    Scores of halves may have a bin to themselves for an answer that comes again, and the score of all another one.
    """
    if choice.lens.score is None:
        return True
    promised = np.sign(rule.weights[choice.looked.places])
    guessed = promised != 0
    placed = np.sign(rule.weights[choice.lens.places(batch.seen)])
    return bool((placed[guessed] == promised[guessed]).sum() >= STAYING * guessed.sum())


def _believed(found: Sequence[tuple[_Choice, Rule]], goal: Goal) -> list[tuple[_Choice, Rule]]:
    """The choices, their promises judged by what foretells the coins best.

    Of many lenses the one that promises most is often one that says little of the coins, but for a few lucky outputs.
    What foretells the coins clearly better says of these outputs too how likely they are on either dataset: what counts
    of such a promise is what they have of their own beside that.
    """
    best, promise = max(found, key=lambda one: one[0].foretold.evidence)
    told = best.posterior[best.looked.places]
    judged = []
    for choice, rule in found:
        if best.foretold.evidence - choice.foretold.evidence > CLEARLY and rule.expected > promise.expected:
            histogram = choice.looked.histogram
            held = histogram.sum(axis=1)
            sums = np.bincount(choice.looked.places, told, minlength=len(held))
            of_best = np.where(held > 0, np.clip(sums / np.maximum(held, 1), 1e-9, 1.0 - 1e-9), 0.5)
            own = shrunken_answers(histogram, np.log(of_best) - np.log1p(-of_best))
            beside = best_rule(own, goal)
            if beside.expected < rule.expected:  # else what foretells best was learned from the same few outputs
                choice, rule = replace(choice, posterior=own.probability, model=BESIDE), beside
        judged.append((choice, rule))
    return judged


def _plan(looked: _Looked, goal: Goal) -> tuple[_Choice, Rule]:
    """The best rule through one lens, by the model that the outputs speak for."""
    lens, histogram, sums = looked.lens, looked.histogram, looked.sums
    models = [shrunken_answers(histogram)]
    if lens.bins is None:
        models.append(in_one_place(histogram))
    else:
        if lens.continuous:
            models = [replace(models[0], evidence=models[0].evidence - WITHOUT_ORDER)]
        centres, alone = centres_of(lens.bins, histogram, sums), repeated_values(lens.bins)
        ordered = by_number(histogram, centres, alone, continuous=lens.continuous)
        # of a score each value is one of many, which the next one to be fitted moves: only what is near it is known
        models = ordered if lens.score is not None and ordered else models + ordered
        if lens.score is None:
            inside = np.flatnonzero(np.isfinite(centres) & ~alone)
            models.append(in_one_place(histogram, inside[np.argsort(centres[inside], kind="stable")]))
    posterior: Posterior = max(models, key=lambda model: model.evidence)
    if goal.delta > 0.0 and lens.bins is not None:
        seen = (histogram, centres_of(lens.bins, histogram, sums), lens.bins.edges)
        laws = [*two_normal_laws(*seen), *subsampled_laws(*seen)]
        if isinstance(lens.score, StepsScore):
            laws += laws_of_steps(lens.score, *seen)
        fitted = max(laws, key=lambda law: law.evidence, default=None)
        below = BELOW + (LIKELIER if fitted is not None and fitted.model == TWO_NORMAL_LAWS else 0.0)
        if fitted is not None and fitted.evidence > posterior.evidence - below:
            posterior = fitted  # only fitted laws reach the rare events that matter here
    foretold = Foretold(lens, View(histogram, posterior.probability), posterior.evidence)
    return _Choice(looked, posterior.probability, posterior.model, foretold), best_rule(posterior, goal)


def _lenses(batch: Batch, shape: Shape, boosted: bool, *, steps: bool) -> list[_Looked]:
    """Every lens with the earlier calls; of a learned score each half by the score of the other."""
    seen, coins = batch.seen, batch.coins
    found: list[_Looked] = []
    nothing = np.zeros(0, np.uint64)
    width = min(shape.columns, seen.columns.shape[1])
    known, distinct = _frequent(seen.tokens)
    answers = Lens("the answer", None, None, None, known, names=named_answers(known, seen))
    different = len(answers.known)
    if width > 1 and different < MOST_ANSWERS and different * OFTEN <= len(seen):
        return [_looked(answers, batch)]  # whatever else could be looked at is a function of it
    told_apart = False
    for j in _telling_columns(seen.columns[:, :width], coins):
        bins = fit_bins(seen.columns[:, j])
        continuous = len(np.unique(seen.columns[:, j])) >= CONTINUOUS * len(seen)
        lens = Lens(shape.name(j), j, None, bins, nothing, continuous=continuous)
        found.append(_looked(lens, batch))
        told_apart |= different <= MAX_ANSWERS and bins.count - 2 >= different - 1
    # the few outputs that the shape was told from need not have shown that answers come again
    repeats = shape.repeats or distinct * AGAIN < len(seen)
    if (shape.others or shape.columns == 0 or repeats) and not told_apart:
        found.append(_looked(answers, batch))
    kinds, _ = _frequent(seen.kinds)
    if len(kinds) > 1:
        lens = Lens("the kind of answer", None, None, None, kinds, of_forms=True, names=with_kinds({}, seen))
        found.append(_looked(lens, batch))
    if shape.columns > 1 and not (told_apart and different * AGAIN <= len(seen)):  # else a score is a function of them
        columns = seen.columns[:, :width]
        first = np.arange(len(coins)) % 2 == 0
        parts = fit_parts(columns[:, : seen.plain])
        whole, *halves = (
            _scores(columns[rows], coins[rows], parts, boosted, seen.plain, steps=steps)
            for rows in (np.ones(len(coins), dtype=bool), first, ~first)
        )
        for kind, score in whole.items():
            if kind in halves[0] and kind in halves[1]:  # a half may be too short for some
                lens = Lens("a score of all coordinates", None, score, fit_bins(score.log_odds(columns)), nothing)
                swapped = [Lens(lens.name, None, half[kind], lens.bins, nothing) for half in halves]
                one = _looked(swapped[1], Batch(_part(seen, first), coins[first]))
                two = _looked(swapped[0], Batch(_part(seen, ~first), coins[~first]))
                places = np.empty(len(coins), dtype=np.int64)
                places[first], places[~first] = one.places, two.places
                found.append(_Looked(lens, one.histogram + two.histogram, one.sums + two.sums, places))
    return found


def _looked(lens: Lens, batch: Batch) -> _Looked:
    """Outputs through a lens."""
    places, values = lens.placed(batch.seen)
    return _Looked(lens, _counted(places, batch.coins, lens.count), value_sums(places, values, lens.count), places)


def _counted(places: Integers, coins: NDArray[np.int8], count: int) -> Integers:
    return np.bincount(places * 2 + coins, minlength=2 * count).reshape(count, 2).astype(np.int64)


def _telling_columns(columns: Floats, coins: NDArray[np.int8]) -> list[int]:
    """The coordinates that tell most at a glance: the largest deviation of any of their parts and tails."""
    rows, width = columns.shape
    if width <= MOST_COLUMNS:
        return list(range(width))
    order = np.argsort(columns, axis=0, kind="stable")
    part = np.arange(rows) * GLANCED_PARTS // max(rows, 1)
    signs = np.where(coins[order] == 1, 1.0, -1.0)
    starts = np.unique(part, return_index=True)[1]
    gaps = np.add.reduceat(signs, starts, axis=0)
    sizes = np.diff(np.append(starts, rows))[:, None]
    below, reached = np.cumsum(gaps, axis=0), np.cumsum(sizes, axis=0)
    told = np.maximum(np.abs(gaps) / np.sqrt(sizes), np.abs(below) / np.sqrt(reached))
    above = np.abs(below[-1] - below[:-1]) / np.sqrt(reached[-1] - reached[:-1])
    largest = np.maximum(told.max(axis=0), above.max(axis=0, initial=0.0))
    return sorted(np.argsort(-largest, kind="stable")[:MOST_COLUMNS].tolist())


def _scores(
    columns: Floats, coins: NDArray[np.int8], parts: Parts | None, boosted: bool, plain: int | None, *, steps: bool
) -> dict[str, Score]:
    """Scores fitted to past outputs, by kind; where codes fill many places, what they are made of is looked at too."""
    left = int(coins.sum())
    least = min(left, len(coins) - left)
    if parts is None or least < LEAST_APART:
        names = score_names(boosted)
        found = dict(zip(names, fit_scores(columns, coins, boosted=boosted, most=MOST_BOOSTED), strict=False))
        # what is derived from coordinates would be counted twice
        if not found:
            return found
        found["a sum over coordinates"] = fit_additive(columns[:, :plain], coins)
        shifted = fit_steps(columns[:, :plain], coins) if steps else None
        return found if shifted is None else {**found, "steps with subsampling": shifted}
    linear = fit_scores(columns, coins, boosted=False)
    found = dict(zip(score_names(False), linear, strict=True)) | {NAMES[0]: fit_parts_score(parts, columns, coins)}
    if len(part_names(boosted)) > 1:
        undivided = columns[:MOST_BOOSTED, : parts.width]  # derived columns are what the parts say already
        found[NAMES[1]] = TakenApart(parts, fit_boosted(beside(undivided, parts), coins[:MOST_BOOSTED]))
    return found


def _frequent(tokens: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], int]:
    """The most frequent tokens, sorted, and how many different ones there are."""
    known, times = np.unique(tokens, return_counts=True)
    most = known
    if len(known) > MOST_ANSWERS:
        most = np.sort(known[np.argsort(-times, kind="stable")[:MOST_ANSWERS]])
    return np.asarray(most), len(known)


def _part(seen: Observations, rows: NDArray[np.bool_]) -> Observations:
    return Observations(seen.columns[rows], seen.tokens[rows], [], seen.kinds[rows])


@dataclass(frozen=True)
class Made:
    """A stage whose calls were made: its plan, its calls, its part of the variance of what was left, its tie."""

    plan: Plan
    batch: Batch
    share: float
    tie: float


def certify_plan(plan: Plan, batch: Batch, delta: float, alpha: float, *, earlier: Sequence[Made] = ()) -> Certified:
    """Certify a plan on calls that had no part in it: the bound on epsilon, and the simultaneous region.

    Parameters
    ----------
    plan, batch : Plan, Batch
    delta, alpha : float
    earlier : stages made before, which ``plan`` was learned from: they count in the bound.
    """
    table, last = _histogram_and_guesses(plan, batch, delta)
    stages = [
        Stage(_histogram_and_guesses(made.plan, made.batch, delta)[1], made.share, made.tie)
        for made in earlier
        if made.share > 0.0
    ]
    bound = staged_epsilon_lower([*stages, Stage(last, 1.0)], alpha, delta=delta)
    events, false_left, missed_left = _region(plan.posterior, table, alpha)
    correct, wrong = int(last.correct.sum()), int(last.wrong.sum())
    divergences = _divergences([*((made.plan, made.batch) for made in earlier), (plan, batch)], alpha)
    return Certified(bound, correct, wrong, len(batch.coins), events, false_left, missed_left, divergences)


def _divergences(stages: Sequence[tuple[Plan, Batch]], alpha: float) -> DivergenceBounds | None:
    """Certified Rényi divergences and rho of calls that had no part in their plans; None of plans made alone."""
    seen = [
        (plan.foretold.learned, plan.foretold.lens.histogram(batch.seen, batch.coins))
        for plan, batch in stages
        if plan.foretold is not None
    ]
    return divergence_bounds(seen, alpha) if seen else None


def _histogram_and_guesses(plan: Plan, batch: Batch, delta: float) -> tuple[Integers, Graded]:
    """The histogram of a batch in the plan's bins, and its guesses.

    Where delta leaves few guesses, level k counts 9k - 4 instead of k: nearer the middle of what it holds, and with
    sums on a lattice so fine that its steps cost nothing.
    """
    table = plan.lens.histogram(batch.seen, batch.coins)
    left, right = plan.weights > 0, plan.weights < 0
    correct = np.where(left, table[:, 1], np.where(right, table[:, 0], 0))
    wrong = np.where(left, table[:, 0], np.where(right, table[:, 1], 0))
    levels = np.abs(plan.weights)
    if delta > 0.0:
        levels = np.where(levels > 0, 9 * levels - 4, 0)
    return table, Graded(levels, correct, wrong, len(batch.coins), plan.share)


def _region(posterior: Floats, table: Integers, alpha: float) -> tuple[Floats, Floats, Floats]:
    """Simultaneous upper bounds on P(M(D') in S) and P(M(D) not in S) for nested events S = {posterior > t}.

    The thresholds are fixed by the plan (quantiles of the posterior over bins, both ends refined); each of the
    2 x EVENTS bounds is Clopper-Pearson at alpha / (2 EVENTS).
    """
    levels = np.unique(posterior)
    spread = 1.0 / (1.0 + np.exp(-np.linspace(-4.0, 4.0, EVENTS)))
    cuts = levels[np.minimum((spread * len(levels)).astype(np.int64), len(levels) - 1)]
    inside = posterior[None, :] > cuts[:, None]
    on_right, on_left = table[:, 0], table[:, 1]
    level = alpha / (2.0 * EVENTS)
    false_left = binomial_upper(inside @ on_right, on_right.sum(), level)
    missed_left = binomial_upper(~inside @ on_left, on_left.sum(), level)
    return cuts, false_left, missed_left


def profile_lower(certified: Certified, epsilons: Floats) -> Floats:
    """The certified lower bound on delta at each epsilon, simultaneously (part of the statement about the region)."""
    odds = np.exp(np.asarray(epsilons))[:, None]
    left = (1.0 - certified.missed_left) - odds * certified.false_left
    right = (1.0 - certified.false_left) - odds * certified.missed_left
    return np.asarray(np.maximum(0.0, np.maximum(left.max(axis=1), right.max(axis=1))))


def guesses_of_plan(plan: Plan, seen: Observations) -> NDArray[np.int8]:
    """What a plan guesses of outputs: 1 for D, -1 for D', 0 for nothing."""
    return np.sign(plan.weights[plan.lens.places(seen)]).astype(np.int8)


def event_of(plan: Plan) -> tuple[str, str]:
    """The certified event and its direction, in words."""
    sides = [side for side in (1, -1) if (np.sign(plan.weights) == side).any()]
    if plan.lens.bins is None or plan.lens.score is not None:
        return f"{plan.lens.name} (learned)", "likelier on the dataset named"
    texts = [words_of(plan.weights.astype(np.int8), plan.lens.bins.edges, plan.lens.name, side) for side in sides]
    if len(texts) == 2:
        return f"{texts[0]} (likelier on D) or {texts[1]} (likelier on D')", "likelier on the dataset named"
    return (texts[0] if texts else plan.lens.name), "likelier on D" if sides == [1] else "likelier on D'"


def told_event(plan: Plan) -> tuple[str, str]:
    """The certified event and its direction as :func:`event_of` says them, with answers and kinds of them by name."""
    if plan.lens.bins is not None or plan.lens.score is not None:
        return event_of(plan)
    others = "of another kind than any seen before" if plan.lens.of_forms else "one that was not seen before"
    return told_kinds(plan.lens.known, plan.weights, plan.lens.names, others)
