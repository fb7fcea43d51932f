"""From a question to batches: coins drawn, the learner run on both sides, outputs put in the order of the coins."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Answers, ClosingRunner, Request, Runner
from dpcheck.model.claims import claim_point
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.verdict import Finding
from dpcheck.privacy.run.call_kinds import CallKinds
from dpcheck.privacy.run.one_output import OneOutput
from dpcheck.privacy.run.probe_rows import probed_rows
from dpcheck.privacy.run.question import COIN_STREAM, LEARNER_STREAM, Question
from dpcheck.privacy.run.request_sizes import (
    DEAR_MAKING,
    LEAST_COST,
    NEXT_TO_NOTHING,
    graded,
    least_calls,
    request_sizes,
)
from dpcheck.privacy.run.warning_counts import WarningCounts
from dpcheck.privacy.statistics.agreement import rows
from dpcheck.privacy.statistics.game import Batch, Shape
from dpcheck.privacy.statistics.late_digits import LateDigits
from dpcheck.privacy.statistics.late_kinds import LateKinds
from dpcheck.privacy.statistics.layout import Layout
from dpcheck.privacy.statistics.low_bits import LowBits, SingleBits
from dpcheck.privacy.statistics.observations import Numerics, Observations, bare, join, observe, without_large
from dpcheck.privacy.statistics.places import CALLS_OF_ONE_LEARNER


@dataclass
class Noticed:
    """What was noticed about the learner while it ran (grows as calls are made).

    ``making`` are the fewest seconds in which a learner was made: the first one in a process may load things as well.
    ``dear_to_make``: that is long beside the calls that one would serve else.
    """

    changed_input: bool = False
    printed: int = 0
    used_rng: bool = False
    seconds: float = 0.0
    making: float = math.inf
    sides: set[int] = field(default_factory=set)
    warned: WarningCounts = field(default_factory=WarningCounts)
    bulk: bool = False
    low_bits: LowBits = field(default_factory=LowBits)
    single_bits: dict[tuple[int, int], tuple[SingleBits, ...]] = field(default_factory=dict)
    bits_told: list[Finding] = field(default_factory=list)
    owned: int = 0
    caches: set[str] = field(default_factory=set)
    lasting: bool = False
    stores: bool = False
    outside: set[str] = field(default_factory=set)
    calls: int = 0
    late_kinds: LateKinds = field(default_factory=LateKinds)
    late_digits: LateDigits = field(default_factory=LateDigits)
    left_out: dict[str, None] = field(default_factory=dict)
    kinds: CallKinds = field(default_factory=CallKinds)
    one_output: OneOutput = field(default_factory=OneOutput)
    served: int = CALLS_OF_ONE_LEARNER
    dear_to_make: bool = False

    def bits_found(self) -> list[Finding]:
        """What bits of outputs told: the last ones, and then those of each pair."""
        self._settle_single_bits()
        last = self.low_bits.finding()
        return [*self.bits_told] if last is None else [last, *self.bits_told]

    def forget_sides(self) -> None:
        """Numbers name other datasets from now on."""
        self._settle_single_bits()
        self.sides.clear()
        self.single_bits.clear()

    def _settle_single_bits(self) -> None:
        for watches in self.single_bits.values():
            for watch in watches:
                found = watch.finding()
                if found is not None and found not in self.bits_told:
                    self.bits_told.append(found)


@dataclass(frozen=True)
class Caller:
    """Makes calls for one question, in numbered chunks with a stream of randomness each.

    ``least`` calls are served by one learner that is made. ``making`` are the seconds in which one is, where that is
    dear (else 0): then there are few interim analyses, of :data:`LEARNERS_OF_AN_INTERIM` learners each.
    """

    question: Question
    runner: Runner
    numerics: Numerics
    noticed: Noticed
    scale: NDArray[np.float64] | None = None
    plainly: bool = False
    layout: Layout | None = None
    all_numbers: bool = True
    least: int = CALLS_OF_ONE_LEARNER
    cost: float = NEXT_TO_NOTHING
    making: float = 0.0

    def scaled(self, scale: NDArray[np.float64]) -> Caller:
        """The same caller with the usual size of each coordinate known."""
        return replace(self, scale=scale)

    def laid_out(self, layout: Layout | None) -> Caller:
        """The same caller with the columns of answers fixed."""
        return replace(self, layout=layout)

    def costing(self, seconds: float, making: float = 0.0) -> Caller:
        """The same caller with the seconds known of a call, and of making a learner: of dear calls requests hold few.

        Not where seconds are not limited, so that what is found depends on no clock; and requests in this process,
        which is one, need not be small. ``cost`` is what further plans count a call as, in coarse steps.
        """
        if not math.isfinite(self.question.max_seconds):
            return self
        least = self.least if self.question.limits.isolation == "none" else least_calls(seconds, making)
        dear = making > max(DEAR_MAKING, least_calls(seconds) * seconds)
        return replace(self, least=least, cost=graded(seconds + making / least), making=making if dear else 0.0)

    def cost_of(self, seconds: float, calls: int, learners: int) -> float:
        """Seconds of each of some calls, without those in which that many learners were made where that is dear."""
        share = self.making / self.least  # what one of many calls has of the further learners that these take
        return max((seconds - learners * self.making) / calls, share, LEAST_COST)

    def as_bulk(self) -> Caller:
        """The same caller for a learner with ``sample``: answers without what ``sample`` cannot say of each."""
        return replace(self, plainly=True)

    def answers(self, requests: list[Request]) -> list[Answers]:
        """Run requests and note what was noticed."""
        self.noticed.bulk = any(request.bulk for request in requests)
        self.noticed.warned.part_of_outputs = self.question.limits.warnings == "output"
        try:
            given = self.runner.run(requests)
        except InvalidArgument as error:  # a sample of the wrong length: the learner's fault, not the caller's
            raise LearnerDied(str(error), requests[0].dataset) from error
        for request, answer in zip(requests, given, strict=True):
            self.noticed.changed_input |= answer.changed_input
            self.noticed.printed += answer.printed
            self.noticed.used_rng |= answer.used_rng
            self.noticed.seconds += answer.seconds
            self.noticed.making = min(self.noticed.making, answer.making)
            self.noticed.warned.note(answer)
            self.noticed.sides.add(request.dataset)
            self.noticed.calls += answer.count
            self.noticed.owned = max(self.noticed.owned, answer.owned)
            self.noticed.caches.update(answer.caches)
            self.noticed.lasting |= answer.lasting
            self.noticed.stores |= answer.stores
            self.noticed.outside.update(answer.outside)
        return given

    def outputs(
        self, dataset: int, count: int, key: tuple[int, ...], *, bulk: bool = False, told: bool = False
    ) -> Observations:
        """``count`` outputs on one dataset from one fresh learner, outside any game.

        ``told``: whether those of calls have what ``sample`` cannot say of each; not where they are held against it.
        """
        request = Request(dataset, count, self.question.stream(LEARNER_STREAM, *key), bulk)
        answers = self.answers([request])[0]
        seen = self.observed(answers)
        return self._told(seen, answers) if told and not bulk else seen

    def _told(self, seen: Observations, answers: Answers) -> Observations:
        """Outputs of calls with the kinds that calls gave them, where these were left out."""
        if not self.plainly:
            return seen
        if answers.warned and self.question.limits.warnings != "output":
            answers = replace(answers, warned={})
        return self.noticed.kinds.told(seen, answers, self.numerics)

    def observed(self, answers: Answers) -> Observations:
        """Answers as the game sees them; those of a learner with ``sample`` without what it cannot say of each."""
        plain = bare(answers) if self.plainly else answers
        if plain.warned and self.question.limits.warnings != "output":
            plain = replace(plain, warned={})
        single = self.noticed.single_bits
        watched = not (
            self.noticed.low_bits.done and single and all(one.done for two in single.values() for one in two)
        )
        seen = observe(plain, self.numerics, self.scale, self.layout, low_bits=watched, all_numbers=self.all_numbers)
        self.noticed.left_out.update(dict.fromkeys(seen.left_out))
        self.noticed.one_output.see(seen)
        return seen

    def _see_single_bits(self, batch: Batch, sides: tuple[int, int]) -> None:
        if self.question.claim is None:
            return
        known = self.noticed.single_bits
        if sides not in known:
            epsilon, delta = claim_point(self.question.claim)
            known[sides] = (SingleBits(epsilon, delta), SingleBits(epsilon, delta, lowest=True))
        for watch in known[sides]:
            watch.see(batch)

    @property
    def foresees(self) -> bool:
        """Whether something is gained where what comes next is begun: calls are dear, and there are several workers."""
        return self.least < CALLS_OF_ONE_LEARNER and self.question.executor.at_once > 1

    def expect_outputs(self, coming: Iterable[tuple[int, int, tuple[int, ...]]]) -> None:
        """Outputs that are wanted next: their datasets, counts and keys as for :meth:`outputs`."""
        if self.foresees:
            stream = self.question.stream
            self.runner.expect([Request(number, count, stream(LEARNER_STREAM, *key)) for number, count, key in coming])

    def expect(self, coming: Sequence[tuple[tuple[int, int], int, tuple[int, ...]]]) -> None:
        """Interim analyses that probably come next: their sides, calls and keys as for :meth:`interim_data`."""
        self.runner.expect([request for each in coming for request in self._interim(*each, bulk=False).requests])

    def _interim(self, sides: tuple[int, int], calls: int, key: tuple[int, ...], *, bulk: bool) -> _Interim:
        rng = np.random.default_rng(self.question.stream(COIN_STREAM, *key))
        coins = rng.integers(0, 2, calls).astype(np.int8)
        counts = (calls - int(coins.sum()), int(coins.sum()))
        first = int(rng.integers(0, 2))  # which side runs first must not follow a pattern
        requests: list[Request] = []
        owners: list[int] = []
        for side in (first, 1 - first):
            for place, size in enumerate(request_sizes(counts[side], bulk=bulk, least=self.least)):
                seed = self.question.stream(LEARNER_STREAM, *key, side, place)
                requests.append(Request(sides[0] if side else sides[1], size, seed, bulk))
                owners.append(side)
        return _Interim(coins, rng, owners, requests)

    def interim_data(self, sides: tuple[int, int], calls: int, key: tuple[int, ...], *, bulk: bool) -> InterimData:
        """Calls for one interim analysis: coins, each side's calls in chunks, outputs in the order of the coins.

        Parameters
        ----------
        sides : (int, int)
            The numbers of D and D'.
        calls : int
            How many calls.
        key : integers
            What the streams are derived from: another key for every interim analysis.
        bulk : bool
            Whether to use ``sample``.
        """
        asked = self._interim(sides, calls, key, bulk=bulk)
        coins, rng, owners, requests = asked.coins, asked.rng, asked.owners, asked.requests
        before = self.noticed.calls
        if not bulk:
            self.noticed.served = min(self.noticed.served, self.least)
            self.noticed.dear_to_make |= self.making > 0.0
        given = self.answers(requests)
        if not bulk:  # of one call of sample it cannot be said with which draw a warning came
            datasets = self.question.datasets
            self.noticed.warned.see((datasets[sides[0]], datasets[sides[1]]), zip(owners, given, strict=True))
        blocks = [self.observed(one) for one in given]
        if not self.all_numbers:
            for block in blocks:
                self.noticed.late_kinds.see(block, self.layout)
            blocks = [without_large(block) for block in blocks]
        ranked = sorted(range(len(blocks)), key=lambda i: -owners[i])  # outputs on D first, then those on D'
        places = np.concatenate([np.flatnonzero(coins == 1), np.flatnonzero(coins == 0)])
        order = np.empty(calls, dtype=np.int64)
        order[places] = np.arange(calls)
        seen = join([blocks[i] for i in ranked], order)
        self.noticed.late_digits.see(seen, self.layout)
        apart = {
            sides[1 - side]: _from_two(
                [blocks[i] for i in range(len(blocks)) if owners[i] == side],
                pooled=self.least < CALLS_OF_ONE_LEARNER and not bulk,
            )
            for side in (0, 1)
        }
        batch = alike = Batch(seen, coins)
        if not bulk and self.plainly:
            each = [self._told(block, answers).kinds for block, answers in zip(blocks, given, strict=True)]
            batch = Batch(replace(seen, forms=np.concatenate([each[i] for i in ranked])[order]), coins)
        if self.all_numbers:
            self.noticed.late_kinds.see(seen, self.layout)
        if self.numerics == "real":
            self.noticed.low_bits.see(batch, rng)
            self._see_single_bits(batch, sides)
        starts = [before + int(start) for start in np.cumsum([0, *map(len, blocks)])[:-1]]
        in_turn = () if bulk else tuple(zip(owners, starts, blocks, strict=True))
        pairs = {dataset: (two[0], two[1]) for dataset, two in apart.items() if len(two) == 2}
        return InterimData(batch, pairs, in_turn, alike)


def runner_of(question: Question, *, fresh: bool = False) -> ClosingRunner:
    """What runs the learner of a question on its datasets; close it afterwards.

    Parameters
    ----------
    question : Question
    fresh : bool
        Whether to start new workers, as for :meth:`dpcheck.execution.executor.Executor.runner`.

    Raises
    ------
    LearnerDied
        When the learner ends or hangs the process in which it is made.
    """
    if question.target.died:
        raise LearnerDied(question.target.died)
    return question.executor.runner(
        question.target,
        question.handed(question.datasets),
        call_timeout=question.limits.call_timeout,
        fresh=fresh,
        inputs=_inputs(question),
    )


def _inputs(question: Question) -> Any:
    """Rows of features that models are asked about, in a data frame where data are."""
    rows = probed_rows(question.datasets)
    framed = question.form is not None and question.form.kind == "frame" and rows is not None
    return question.form.of(rows) if framed and question.form is not None else rows


def caller_for(question: Question, runner: Runner, noticed: Noticed) -> Caller:
    """A caller for a question."""
    return Caller(question, runner, cast(Numerics, question.limits.numerics), noticed)


@dataclass(frozen=True)
class InterimData:
    """The batch of one interim analysis, and by dataset two blocks of outputs that come from two fresh learners.

    ``in_turn``: all blocks of separate calls in the order in which they were made: the side (1: D), the number of the
    first call among all of the run, and the outputs. ``alike``: the batch without what draws of ``sample`` cannot say
    of each output, to be held against them.
    """

    batch: Batch
    apart: Mapping[int, tuple[Observations, Observations]]
    in_turn: tuple[tuple[int, int, Observations], ...]
    alike: Batch


@dataclass(frozen=True)
class _Interim:
    """What is asked for one interim analysis: coins, requests, the side of each, and what more is drawn from."""

    coins: NDArray[np.int8]
    rng: np.random.Generator
    owners: list[int]
    requests: list[Request]


def _from_two(blocks: list[Observations], *, pooled: bool) -> list[Observations]:
    """Outputs of one learner, and of another; small blocks are put together, so that two neighbours share a learner."""
    if not pooled or len(blocks) <= 2:
        return blocks[:2]
    even = [rows(block, np.arange(len(block) // 2 * 2), named=False) for block in blocks if len(block) > 1]
    return [join(even[::2]), join(even[1::2])] if len(even) > 1 else even


def shape_of(seen: Observations, layout: Layout | None = None) -> Shape:
    """What outputs look like, from a few that never enter a game (observed without a layout)."""
    width = seen.columns.shape[1]
    numbers = np.isfinite(seen.columns).any(axis=1) if width else np.zeros(len(seen), dtype=bool)
    repeats = len(np.unique(seen.tokens)) < len(seen)
    others = bool((~numbers).any())
    if layout is None:
        return Shape(width, repeats, others)
    return with_columns(Shape(len(layout.names), repeats, others), layout)


def with_columns(shape: Shape, layout: Layout) -> Shape:
    """The shape with the columns of a layout."""
    coded = layout.plain if layout.coded else 0
    return replace(
        shape,
        columns=len(layout.names),
        names=layout.names,
        shares=layout.shares,
        coded=coded,
        measured=layout.measured,
        slots=layout.slots,
        single=layout.single,
        whole_numbers=layout.whole_numbers,
        ranges=layout.ranges,
        whole_ranges=layout.whole_ranges,
    )


def usual_size(seen: Observations) -> NDArray[np.float64]:
    """The median absolute value of each coordinate, from a few outputs that never enter a game."""
    size = np.abs(np.where(np.isfinite(seen.columns), seen.columns, np.nan))
    known = np.isfinite(size).any(axis=0)
    middle = np.zeros(size.shape[1])
    if known.any():
        # the lower of two middle values: the middle of two huge ones is no double
        middle[known] = np.nanquantile(size[:, known], 0.5, axis=0, method="lower")
    return middle
