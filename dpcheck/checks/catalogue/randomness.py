"""Where its randomness comes from: from ``rng``, and from nowhere else."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcheck.checks import careless
from dpcheck.checks.defects import must_fail
from dpcheck.checks.outcome import Outcome, failed, not_applicable, passed
from dpcheck.checks.situations import GlobalGenerators, Situation, WithOtherSeeds, plainly
from dpcheck.checks.subject import Subject
from dpcheck.execution.answers import Answers, Raised
from dpcheck.privacy.statistics.observations import observe

#: Calls with one seed: noise of a few bits is the same twice by chance, not so many times.
CALLS = 16
#: Seeds of the global generators, in the two calls that must agree.
_SEEDS = (20_261_122, 31_415_926)


@must_fail("hostile.randomness:ignores_rng")
def check_use_of_the_rng(subject: Subject) -> Outcome:
    """All its randomness comes from the rng it is given: global generators and the system play no part."""
    left, right = subject.pair.left, subject.pair.right
    same = WithOtherSeeds(True, True, _SEEDS[0])
    fixed = [
        Situation(left, same, "one seed"),
        Situation(left, same, "one seed, again"),
        Situation(left, _Both(_SEEDS[1], _SEEDS[0]), "another seed of numpy.random"),
        Situation(left, _Both(_SEEDS[0], _SEEDS[1]), "another seed of random"),
        Situation(right, same, "the neighbour"),
    ]
    one, again, other_numpy, other_python, neighbour = subject.answers(fixed, CALLS, stream=1)
    if all(isinstance(value, Raised) for value in one.values):
        return not_applicable("it gives no answer")
    if not _alike(one, again):
        return failed(
            "with rng and the global generators set to one seed it gives different answers: it draws from the system, "
            "or from what an earlier call left",
            "draw from rng only; where noise comes from the system on purpose, announce it as an expected failure",
        )
    named = (
        ("numpy's global generator (numpy.random)", other_numpy),
        ("Python's global generator (random)", other_python),
    )
    sources = [name for name, other in named if not _alike(one, other)]
    if sources:
        return failed(
            f"it draws from {' and '.join(sources)}: with another seed there its answers change",
            "draw from the rng that the call is given: global generators are shared, and anybody may have seeded them",
        )
    # whether rng was touched is a fact; that answers repeat themselves may be chance
    if not (one.used_rng or again.used_rng or neighbour.used_rng):
        if not _constant(one) or not _alike(one, neighbour):
            return failed(
                "it never draws from the rng it is given, and its answers differ: its noise is not random, or is none",
                "draw from the rng that the call is given; a constant seed is known to whoever reads the code",
            )
        return passed(f"its {3 * CALLS} answers are constant: no randomness was seen that could come from anywhere")
    return passed(
        f"each of {CALLS} answers was the same again with the same rng, whatever the global generators were set to"
    )


@must_fail(careless.draws_from_the_system)
def check_determinism_under_a_seed(subject: Subject) -> Outcome:
    """The same data and the same seed give the same answers, so that a run can be repeated."""
    situation = plainly(subject.dataset)
    one, again = (subject.answers([situation], CALLS, stream=3)[0] for _ in range(2))
    if not _alike(one, again):
        return failed(
            "two runs with one seed (of rng, numpy.random and random) give different answers",
            "draw from rng only; look for the system's generators, the order of sets, threads, and time",
        )
    return passed(f"two runs of {CALLS} calls with one seed gave the same answers")


@must_fail("hostile.leaving:seeds_the_global_generators")
def check_global_generators_left_alone(subject: Subject) -> Outcome:
    """A call neither seeds nor advances numpy's and Python's global generators."""
    situation = Situation(subject.dataset, GlobalGenerators(), "a call between two looks at the global generators")
    given = subject.answers([situation], 3)[0]
    changed = sorted({name for value in given.values if not isinstance(value, Raised) for name in value})
    if changed:
        return failed(
            f"a call changes the state of {' and '.join(changed)}",
            "use rng: who seeds a global generator makes everybody's noise repeat itself",
        )
    return passed(f"after {given.count} calls the global generators were as before")


class _Both:
    """A seed for each of the two global generators."""

    def __init__(self, numpy: int, python: int) -> None:
        self.numpy, self.python = numpy, python

    def __call__(self, runs: Any, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        import random

        random.seed(self.python)
        return WithOtherSeeds(True, False, self.numpy)(runs, dataset, rng)


def _alike(one: Answers, other: Answers) -> bool:
    """Whether two runs gave the same answers, call by call."""
    tokens = [observe(answers, "exact").tokens for answers in (one, other)]
    return bool(np.array_equal(tokens[0], tokens[1]))


def _constant(answers: Answers) -> bool:
    return len(np.unique(observe(answers, "exact").tokens)) == 1
