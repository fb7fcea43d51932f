"""What every learner of a paper must satisfy: its law is one, `sample` draws from it, it keeps its claim exactly.

Null, level and power of each property stand beside it. Datasets, options and seeds are drawn by hypothesis; seeds never
decide: exact losses need none, and evidence against equal laws reaches 1 / level with probability at most the level.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

import dpcheck
from dpcheck import Status
from dpcheck.cli.learner_targets import resolved_learner
from dpcheck.model.claims import PureDP, claim_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import declares_law
from dpcheck.model.neighbours.enumeration import all_pairs
from dpcheck.parts.learners.discovery import entries
from dpcheck.parts.learners.entry import LearnerEntry
from dpcheck.privacy.exact.declared import declared, float_logs, plain_output

#: False alarms per test, over all its examples.
LEVEL = 1e-9
EXAMPLES = 2
#: Draws that are compared with the law: a law that is off by a tenth somewhere is told from it.
DRAWS = 4_000
#: Calls that an exact audit compares with the law: `sample` is compared with many more below.
CALLS = 1200

PROPERTY = settings(max_examples=EXAMPLES, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
SEEDS = st.integers(0, 2**32 - 1)
#: Claims other than an entry's own, for those that take one.
EPSILONS = st.sampled_from([0.25, 0.7, 1.5, 3.0])
EACH = pytest.mark.parametrize("found", entries(), ids=lambda found: found.name)


def made(found: LearnerEntry) -> Any:
    """The learner, where it declares its law."""
    if not declares_law(resolved_learner(found).target):
        pytest.skip("declares no law")
    return found.learner()


def log_evidence(counts: dict[Any, int], law: dict[Any, float]) -> float:
    """The log of the odds against draws from a law: of the outputs, under a Dirichlet(1/2) mixture of laws.

    A likelihood ratio of a fixed mixture: under the law its expectation is 1, so that it reaches 1 / level with
    probability at most the level, whatever the law and at whatever number of draws one looks (Ville).
    """
    if not counts.keys() <= {output for output, log in law.items() if log > -math.inf}:
        return math.inf
    number, size = sum(counts.values()), len(law)
    seen = np.array([counts.get(output, 0) for output in law], dtype=float)
    logs = np.array([log if log > -math.inf else 0.0 for log in law.values()])
    mixture = gammaln(size / 2) - gammaln(size / 2 + number) + np.sum(gammaln(seen + 0.5) - gammaln(0.5))
    return float(mixture - seen @ logs)


def law_of(learner: Any, dataset: Any) -> dict[Any, float]:
    """The declared law as log-probabilities; refused unless it is one, its sum 1."""
    known = declared(learner.distribution(dataset))
    logs, _ = float_logs(known)
    assert math.isclose(float(np.exp(logs).sum()), 1.0, abs_tol=1e-9)
    return dict(zip(known.outputs, logs.tolist(), strict=True))


def counted(outputs: Any) -> dict[Any, int]:
    counts: dict[Any, int] = {}
    for output in outputs:
        key = plain_output(output)
        counts[key] = counts.get(key, 0) + 1
    return counts


def a_dataset(found: LearnerEntry, data: st.DataObject) -> Any:
    """One of the datasets of the entry's domain."""
    domain = all_pairs(found.relation())
    return domain.dataset(data.draw(st.integers(0, domain.size - 1)))


@pytest.mark.some(5)
@EACH
@given(data=st.data(), seed=SEEDS)
@PROPERTY
def test_the_declared_law_is_that_of_sample(found: LearnerEntry, data: st.DataObject, seed: int) -> None:
    """Null: draws of `sample` have the declared law. Level LEVEL / EXAMPLES; the power is tested below."""
    learner, dataset = made(found), a_dataset(found, data)
    drawn = counted(learner.sample(dataset, DRAWS, np.random.default_rng(seed)))
    assert log_evidence(drawn, law_of(learner, dataset)) < -math.log(LEVEL / EXAMPLES)


@given(seed=SEEDS)
@PROPERTY
def test_draws_of_another_law_are_told_apart(seed: int) -> None:
    """Power: a coin of 0.65 declared to be fair is missed with probability below 1e-30 (12 standard deviations)."""
    law = {0: math.log(0.5), 1: math.log(0.5)}
    drawn = counted((np.random.default_rng(seed).random(DRAWS) < 0.65).astype(int))
    assert log_evidence(drawn, law) > -math.log(LEVEL / EXAMPLES)
    assert log_evidence({2: 1}, law) == math.inf


@pytest.mark.some(5)
@EACH
def test_the_law_is_one_on_every_dataset_of_the_domain(found: LearnerEntry) -> None:
    learner = made(found)
    blind = getattr(learner, "order_blind", False) is True
    for dataset in all_pairs(found.relation(), order_blind=blind).datasets():
        law_of(learner, dataset)


@pytest.mark.some(5)
@EACH
@given(seed=SEEDS, epsilon=EPSILONS)
@PROPERTY
def test_the_exact_loss_keeps_the_claim(found: LearnerEntry, seed: int, epsilon: float) -> None:
    """Null: the largest loss over all pairs of the domain is at most the claim. Exact, but for calls (LEVEL/EXAMPLES).

    Power: `tests/parts/test_learner_mutants.py`, and the entries as printed here.
    """
    learner = made(found)
    if getattr(learner, "claim", None) is None:
        pytest.skip("claims nothing")
    if not found.as_printed:
        with contextlib.suppress(InvalidArgument):  # an epsilon at which the learner cannot be made, and says so
            learner = resolved_learner(found, claim=PureDP(epsilon)).target.make()
    verdict = dpcheck.audit(
        learner,
        neighbours=found.relation(),
        exhaustive=True,
        alpha=LEVEL / EXAMPLES,
        max_samples=CALLS,
        max_seconds=math.inf,
        isolation="none",
        seed=seed,
    )
    expected = Status.VIOLATED if found.as_printed else Status.NO_VIOLATION_FOUND
    assert verdict.status is expected, str(verdict)
    assert verdict.exact is not None
    if not found.as_printed and claim_point(verdict.claim)[1] == 0:
        assert verdict.epsilon_lower <= claim_point(verdict.claim)[0] * (1 + 1e-12)
