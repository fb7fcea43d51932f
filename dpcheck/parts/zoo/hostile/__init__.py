"""Learners that an audit must survive: each one's name says its one defect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.parts.zoo.hostile import answering, bulk, dying, hanging, leaving, outputs, raising, randomness

Expected = Literal["answers", "learner failed"]
Audited = Literal["violated", "learner failed", "quiet"]

#: What they answer depends on the data, and shows in a few hundred calls.
_LEAKS = frozenset(
    {
        "raises_on_one_neighbour",
        "answers_in_the_type_of_the_data",
        "answers_its_dataset",
        "answers_a_view_of_its_dataset",
    }
)
#: They answer (an exception is an answer), but always with an exception, or with what is used up by reading it, or not
#: afresh, or not as their ``sample``.
_FAIL_IN_AN_AUDIT = frozenset(
    {
        "raises_always",
        "answers_a_generator",
        "raises_what_cannot_be_read",
        "raises_what_is_no_exception",
        "raises_keyboard_interrupt",
        "exits",
        "recurses_forever",
        "RemembersItsFirstAnswer",
        "CountsItsCalls",
        "CarriesNoiseOver",
        "ReusesOneDraw",
        "RepeatsEachDraw",
        "SamplesAnotherDataset",
        "TilesItsDraws",
        "ShufflesCopies",
        "DrawsAntitheticHalves",
        "DrawsStrata",
        "SortsItsDraws",
        "SharesAShift",
        "DrawsAChain",
    }
)


@dataclass(frozen=True)
class Hostile:
    """A learner (or its class), two neighbouring datasets, and what running it must come to.

    ``expected`` is "learner failed" when no answers can be had from at least one of the two.
    ``needs_worker``: it would take this process with it, or keep it for ever.
    ``in_sample``: its defect shows in ``sample`` only.
    ``audited``: what an audit must make of it: a leak ("violated"), a failure, or "quiet", which is neither.
    """

    name: str
    factory: Callable[..., Any]
    expected: Expected
    needs_worker: bool = False
    in_sample: bool = False

    @property
    def audited(self) -> Audited:
        """What an audit of enough calls must make of it."""
        if self.name in _LEAKS:
            return "violated"
        return "learner failed" if self.expected == "learner failed" or self.name in _FAIL_IN_AN_AUDIT else "quiet"

    @property
    def pair(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Two datasets that differ in one record."""
        return np.array([0.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0])


def _answers(*learners: Callable[..., Any], needs_worker: bool = False, in_sample: bool = False) -> list[Hostile]:
    return [Hostile(learner.__name__, learner, "answers", needs_worker, in_sample) for learner in learners]


def _fails(*learners: Callable[..., Any], needs_worker: bool = False, in_sample: bool = False) -> list[Hostile]:
    return [Hostile(learner.__name__, learner, "learner failed", needs_worker, in_sample) for learner in learners]


HOSTILE: tuple[Hostile, ...] = (
    *_answers(
        raising.raises_always,
        raising.raises_sometimes,
        raising.raises_on_one_neighbour,
        raising.raises_what_cannot_be_read,
        raising.exits,
        raising.raises_what_is_no_exception,
        raising.RaisesOnce,
        raising.recurses_forever,
    ),
    *_fails(
        hanging.hangs,
        hanging.hangs_on_one_neighbour,
        hanging.hangs_in_the_third_call,
        hanging.hangs_in_a_regular_expression,
    ),
    *_fails(hanging.hangs_in_sample, in_sample=True),
    *_fails(
        hanging.hangs_with_sigterm_ignored,
        hanging.hangs_in_c,
        hanging.stops_itself,
        hanging.prints_for_ever,
        needs_worker=True,
    ),
    *_answers(hanging.hangs_at_exit, raising.raises_keyboard_interrupt, needs_worker=True),
    *_fails(
        dying.leaves_without_a_word,
        dying.leaves_as_if_all_were_well,
        dying.segfaults,
        dying.aborts,
        dying.kills_itself,
        dying.dies_on_one_neighbour,
        dying.dies_and_leaves_a_child,
        dying.eats_memory,
        dying.closes_every_file,
        dying.writes_into_every_pipe,
        needs_worker=True,
    ),
    *_answers(
        leaving.forks_and_both_return,
        leaving.leaves_children,
        leaving.leaves_threads,
        leaving.prints_a_gigabyte,
        leaving.sets_an_alarm,
        leaving.opens_all_files,
        needs_worker=True,
    ),
    *_fails(leaving.patches_numpy),
    *_answers(
        leaving.prints_much,
        leaving.warns,
        leaving.replaces_the_streams,
        leaving.changes_its_surroundings,
        leaving.mutates_its_dataset,
        leaving.seeds_the_global_generators,
        leaving.rewinds_its_generator,
        answering.answers_none,
        answering.answers_nan,
        answering.answers_infinity,
        answering.answers_ragged,
        answering.answers_huge_numbers,
        answering.answers_huge_arrays,
        answering.answers_deep_lists,
        answering.answers_itself_in_a_list,
        answering.answers_a_generator,
        answering.answers_a_function,
        answering.answers_unpleasant_objects,
        answering.answers_unreadable_objects,
        answering.answers_explosive_objects,
        answering.answers_unhashable_values,
        answering.answers_in_the_type_of_the_data,
        answering.answers_equal_objects,
        answering.answers_sets,
        answering.answers_a_huge_string,
        answering.answers_complex_numbers,
        answering.answers_dates,
        answering.answers_masked_arrays,
        answering.answers_records,
        answering.answers_arrays_of_objects,
        answering.answers_its_dataset,
        answering.answers_a_view_of_its_dataset,
        answering.ReusesItsBuffer,
        randomness.ignores_rng,
        randomness.draws_from_random,
        randomness.has_its_own_seed,
        randomness.spawns_its_generators,
        randomness.RemembersItsFirstAnswer,
        randomness.CountsItsCalls,
        randomness.SpendsItsBudget,
        randomness.CarriesNoiseOver,
        bulk.ReusesOneDraw,
        bulk.SamplesAnotherLaw,
        bulk.RepeatsEachDraw,
        bulk.SamplesAnotherDataset,
        bulk.TilesItsDraws,
        bulk.ShufflesCopies,
        bulk.DrawsAntitheticHalves,
        bulk.DrawsStrata,
        bulk.SortsItsDraws,
        bulk.SharesAShift,
        bulk.DrawsAChain,
    ),
    *_fails(bulk.SamplesTooFew, bulk.SamplesNothing, bulk.RaisesInSample, in_sample=True),
)


#: Outputs that misbehave when they are looked at, one for each special method and misdeed.
HOSTILE_OUTPUTS: tuple[Hostile, ...] = tuple(
    Hostile(
        learner.__name__,
        learner,
        "learner failed" if method in outputs.ASKED and misdeed in outputs.FATAL else "answers",
        needs_worker=misdeed in ("exits", "interrupts"),
    )
    for method in (*outputs.ASKED, *outputs.NEVER_ASKED)
    for misdeed in outputs.MISDEEDS
    for learner in [outputs.AnswersWith(method, misdeed)]
)

_BY_NAME = {entry.name: entry for entry in (*HOSTILE, *HOSTILE_OUTPUTS)}


def hostile(name: str) -> Hostile:
    """The hostile learner of this name.

    Raises
    ------
    KeyError
        When there is none.

    Examples
    --------
    >>> hostile("segfaults").expected
    'learner failed'
    """
    return _BY_NAME[name]
