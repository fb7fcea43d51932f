"""The calls of the agreement phase: what a learner's outputs look like, and whether its forms agree."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import NOT_RUN, READ_LATER, READ_ONCE, Portrait, Raised
from dpcheck.model.data import describe_dataset
from dpcheck.model.verdict import as_number
from dpcheck.privacy.run.caller import Caller, InterimData, shape_of, usual_size
from dpcheck.privacy.run.question import COIN_STREAM, Question
from dpcheck.privacy.run.request_sizes import LEAST_COST, mean_cost
from dpcheck.privacy.statistics.agreement import compared, mismatch, new_comparison, new_independence, rows
from dpcheck.privacy.statistics.game import Batch, Shape, certify, learn
from dpcheck.privacy.statistics.layout import Layout, fit_layout
from dpcheck.privacy.statistics.leaves import left_out_of
from dpcheck.privacy.statistics.observations import Observations, Warned, describe_answer, join, opaque
from dpcheck.privacy.statistics.side_game import SideGame

#: Calls per side that show what outputs look like; they never enter the game.
OPENING_CALLS = 6
#: The same where fewer calls than these fit into the budget (of calls or of time), of which more would be too much.
SLOW_OPENING_CALLS = 3
MANY_CALLS, SOME_CALLS = 120, 24
#: Calls repeated with their own seed, to see whether the seed decides.
REPEATED_CALLS = 3
#: Datasets tried before a learner that always raises, or gives nothing that is there yet, is given up.
DATASETS_TRIED = 8
#: Interim analyses of the comparison of ``sample`` with separate calls: the outputs in each.
COMPARISON_SIZES = (40, 60, 100, 200, 300, 500, 700)
#: Independence of runs is watched on this many outputs; then it has been seen.
WATCHED_OUTPUTS = 2000
#: The evidence (nats) at which the comparison stops: e^46 is 1e20, beyond any alpha in use.
FAR_APART = 46.0
#: The level of the checks that runs are fresh and forms agree, unless the audit's own is smaller: a learner wrongly
#: reported as failed is a false alarm too, and these checks need no more than this to see what matters.
AGREEMENT_LEVEL = 1e-6
#: First words of the keys of this phase's streams (pairs have keys from 0 up).
OPENING_KEY, COMPARISON_KEY, INDEPENDENCE_KEY = 1_000_001, 1_000_002, 1_000_003


@dataclass(frozen=True)
class Opening:
    """What the first calls showed; ``failure`` is empty unless the learner gives no answer at all.

    ``seconds_of_making`` are those in which a learner is made, which serves many calls. ``alike``: on each dataset all
    answers were equal, so that they may be remembered ones. ``constant``: the token of what it answered to both;
    ``refused``: whether it raised on all datasets tried; ``first``: its first answer.
    """

    calls: int
    shape: Shape
    scale: NDArray[np.float64]
    seconds_of_a_call: float
    seconds_of_making: float
    reproducible: bool
    opaque: bool
    failure: str
    layout: Layout | None = None
    alike: bool = False
    left_out: tuple[str, ...] = ()
    constant: int | None = None
    refused: bool = False
    first: object = None

    @property
    def costs(self) -> tuple[float, float]:
        """The seconds of a call, and of making a learner."""
        return self.seconds_of_a_call, self.seconds_of_making

    @property
    def seconds_per_call(self) -> float:
        """What one of many calls takes, with its share of the making of its learner."""
        return mean_cost(*self.costs)


def disagreement(alpha: float) -> float:
    """The evidence (nats) at which a check of agreement fails in an audit of level ``alpha``.

    >>> round(disagreement(0.05), 1), round(disagreement(1e-9), 1)
    (13.8, 20.7)
    """
    return -math.log(min(alpha, AGREEMENT_LEVEL))


def warm_up(caller: Caller, sides: tuple[tuple[int, int], ...]) -> Opening:
    """A few calls on the first pair, some of them twice with one seed; fewer of a slow learner."""
    left, right = sides[0]
    question = caller.question
    began = caller.noticed.seconds
    # the first call may load and compile things, so the later ones say what a call costs
    parts = [caller.outputs(left, 1, (OPENING_KEY, 0))]
    first_cost = caller.noticed.seconds - began
    each, repeated = _opening_sizes(first_cost, question.max_samples, question.max_seconds)
    coming = [(left, each, (OPENING_KEY, 0)), (right, each, (OPENING_KEY, 1)), (right, repeated, (OPENING_KEY, 1))]
    caller.costing(first_cost).expect_outputs(asked for asked in coming if asked[1])
    if each:
        parts = [caller.outputs(side, each, (OPENING_KEY, place)) for place, side in enumerate((left, right))]
    again = caller.outputs(right, repeated, (OPENING_KEY, 1)) if repeated else None
    later = 2 * each + repeated
    making = caller.noticed.making
    spent, made = (caller.noticed.seconds - began - first_cost, 2 + bool(repeated)) if later else (first_cost, 1)
    later_cost = (spent - made * making) / max(later, 1)
    calls = 1 + later
    seen = join(parts)
    same = again is None or bool((again.tokens == parts[1].tokens[:repeated]).all())
    silent = _silence(seen)
    more, failure = without_answers(caller, sides, seen)
    calls += more
    cost = max(later_cost, LEAST_COST)
    answers = [answer.answer if type(answer) is Warned else answer for answer in seen.answers]
    layout = fit_layout(answers, exact=caller.numerics == "exact")
    # of fewer answers it cannot be said that they are nearly all different
    dark = each >= SLOW_OPENING_CALLS and opaque(seen) and layout is None
    alike = each >= SLOW_OPENING_CALLS and all(len(np.unique(part.tokens)) == 1 for part in parts)
    unseen = left_out_of(answers, None, frozenset(layout.pooled if layout is not None else ()))
    return Opening(
        calls,
        shape_of(seen, layout),
        usual_size(seen),
        cost,
        making,
        same,
        dark,
        failure,
        layout,
        alike,
        unseen,
        constant=int(seen.tokens[0]) if alike and len(np.unique(seen.tokens)) == 1 and not failure else None,
        refused=bool(failure) and silent == RAISED,
        first=seen.answers[0],
    )


def _opening_sizes(first_cost: float, max_samples: int, max_seconds: float) -> tuple[int, int]:
    """Calls per side and calls repeated: by the number of calls that fit, whichever limit it comes from.

    Of the slowest learners one call on each side, and none where no other call fits.

    >>> [_opening_sizes(cost, 1_000_000, 60.0) for cost in (0.001, 1.0, 10.0, 40.0)]
    [(6, 3), (3, 1), (1, 0), (0, 0)]
    """
    fits = min(max_samples, max_seconds / max(first_cost, LEAST_COST))
    if fits >= MANY_CALLS:
        return OPENING_CALLS, REPEATED_CALLS
    if fits >= SOME_CALLS:
        return SLOW_OPENING_CALLS, 1
    return (1, 0) if fits >= 3 else (0, 0)


def without_answers(caller: Caller, sides: tuple[tuple[int, int], ...], seen: Observations) -> tuple[int, str]:
    """Why a learner gives no answer on any dataset, where those of the first pair were none; and calls made to see it.

    Empty where it answers: other datasets are tried before it is said that it does not.
    """
    silent, (left, right) = _silence(seen), sides[0]
    if silent is None:
        return 0, ""
    others = [dataset for pair in sides for dataset in pair if dataset not in (left, right)]
    tried = list(dict.fromkeys(others))[:DATASETS_TRIED]
    for place, dataset in enumerate(tried):
        if _silence(caller.outputs(dataset, 1, (OPENING_KEY, 2, place))) != silent:
            return place + 1, ""
    return len(tried), _without_answer(seen.answers[0], caller.question, left)


#: What to do about answers that are there for whoever asks them only.
_TO_BE_ASKED = {
    READ_ONCE: "return what it gives, as list(...)",
    NOT_RUN: "return what it comes to, as asyncio.run(...)",
    READ_LATER: "return what it gives, as a list that is filled by async for",
}


#: The reason of a learner that raises.
RAISED = ("raised", "")


def _silence(seen: Observations) -> tuple[str, str] | None:
    """Why there is no answer, where there is none and always for one reason; which of several comes may tell much."""
    reasons = {_reason(answer) for answer in seen.answers}
    return reasons.pop() if len(reasons) == 1 else None


def _reason(answer: object) -> tuple[str, str] | None:
    if isinstance(answer, Raised):
        return RAISED
    found = _to_be_asked(answer)
    return None if found is None else (found.kind, found.text)


def _to_be_asked(answer: object) -> Portrait | None:
    """The portrait of an iterator or a coroutine, with or without warnings; None of other answers."""
    bare = answer.answer if type(answer) is Warned else answer
    return bare if type(bare) is Portrait and bare.form == "unread" and bare.text in _TO_BE_ASKED else None


def _without_answer(answer: object, question: Question, dataset: int) -> str:
    """Why a learner of which the first answer on a dataset is this one gives none on any."""
    first = question.datasets[dataset]
    found = _to_be_asked(answer)
    if found is not None:
        return f"It returns {found.text} (type {found.kind}), on every dataset tried: {_TO_BE_ASKED[found.text]}."
    listed = ", a list (form 'table' hands over an array)" if type(first) is list and not question.form else ""
    return (
        f"It {describe_answer(answer, alone=True)} on every dataset tried, the first being "
        f"{describe_dataset(first)}{listed}."
    )


def agree_with_sample(caller: Caller, dataset: int, shape: Shape, alpha: float) -> tuple[int, float]:
    """Compare ``sample`` with separate calls, and draws of one ``sample`` with draws of two: calls and evidence."""
    law, together = new_comparison(shape), new_independence()
    used, worst = 0, 0.0
    for interim, size in enumerate(COMPARISON_SIZES):
        key = (COMPARISON_KEY, interim)
        rng = np.random.default_rng(caller.question.stream(COIN_STREAM, *key))
        coins = rng.integers(0, 2, size).astype(np.int8)
        bulk, single = int(coins.sum()), size - int(coins.sum())
        if min(bulk, single) == 0:
            continue
        drawn = caller.outputs(dataset, 2 * bulk, (*key, 0), bulk=True)
        called = caller.outputs(dataset, single, (*key, 1))
        apart = caller.outputs(dataset, 2 * bulk, (*key, 2), bulk=True)
        used += 4 * bulk + single
        order = np.empty(size, dtype=np.int64)
        order[np.concatenate([np.flatnonzero(coins == 1), np.flatnonzero(coins == 0)])] = np.arange(size)
        batch = Batch(join([rows(drawn, np.arange(bulk), all_numbers=True), called], order), coins)
        law = certify(law, batch)
        worst = mismatch(law)
        law = learn(law, batch)
        pairs = independence_batch(caller.question, drawn, apart, key)
        if pairs is not None:
            together = certify(together, pairs)
            worst = max(worst, mismatch(together))
            together = learn(together, pairs)
        if worst >= max(FAR_APART, disagreement(alpha)):
            break
    # two comparisons share the level: each is held to half of it
    return used, worst - math.log(2.0)


def other_law(evidence: float) -> str:
    """What is said of a ``sample`` that :func:`agree_with_sample` has found to differ from calls."""
    return (
        f"sample and separate calls of the learner do not agree (evidence {as_number(evidence)}): its sample "
        "must give independent draws of the law of its calls."
    )


def independence_batch(
    question: Question, one: Observations, other: Observations, key: tuple[int, ...]
) -> Batch | None:
    """Pairs of outputs, by a coin from one fresh learner (or one ``sample``) or from two; None when too few.

    Outputs are used once each, so that the pairs are independent when the outputs are.
    """
    count = min(len(one) // 2, len(other))
    if count == 0:
        return None
    rng = np.random.default_rng(question.stream(COIN_STREAM, INDEPENDENCE_KEY, *key))
    coins = rng.integers(0, 2, count).astype(np.int8)
    evens = 2 * np.arange(count)
    first = rows(one, evens, named=False)
    within = compared(first, rows(one, evens + 1, named=False))
    across = compared(first, rows(other, np.arange(count), named=False))
    columns = np.where(coins[:, None] == 1, within.columns, across.columns)
    tokens = np.where(coins == 1, within.tokens, across.tokens)
    answers = ["equal" if token else "different" for token in tokens]
    return Batch(Observations(columns, tokens, answers), coins)


@dataclass
class Watch:
    """The check that runs are fresh, on the calls of the game itself, until it has seen enough."""

    side: SideGame = field(default_factory=lambda: SideGame(new_independence()))

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence that runs are not fresh."""
        return self.side.evidence

    def see(self, caller: Caller, interim: InterimData, key: tuple[int, ...]) -> None:
        """Compare outputs of one fresh learner with outputs of two, on both sides of one more interim analysis."""
        for side, (one, other) in enumerate(interim.apart.values()):
            if self.side.calls >= WATCHED_OUTPUTS or self.evidence >= FAR_APART:
                return
            batch = independence_batch(caller.question, one, other, (*key, side))
            if batch is not None:
                self.side = self.side.see(batch)

    def settle(self) -> None:
        """Bet on what waits: asked before anything rests on the evidence."""
        self.side = self.side.settled()

    def complaint(self, *, bulk: bool) -> str:
        """What is said of a learner whose runs are not fresh."""
        return (
            f"outputs of one {'sample' if bulk else 'learner'} depend on each other (evidence "
            f"{as_number(self.evidence)}): it keeps state between calls, so that its runs are not fresh."
        )
