"""What a stranger gives learners of bassily2018 and beimel2015 and active ones: each refusal is one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dpcheck
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.bassily2018.learners import (
    Agnostic,
    ConstantModel,
    KnowledgeTransfer,
    OneSidedThresholds,
    OnlineAnswers,
    PrivateAnswers,
    PrivateLabels,
    Realisable,
    Scales,
    StableRelease,
    solve_sizes,
)
from dpcheck.papers.bassily2018.learners.base_learners import ChunkMajority
from dpcheck.papers.bassily2018.learners.entries_of_answers import answers
from dpcheck.papers.beimel2015.learners import UniformSubsampling, boost_sizes, generic_sizes
from dpcheck.parts.active import HypothesisOnly, WithTranscript
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.sanitisers import ThresholdSanitiser, interval_queries, threshold_queries

SCALES = Scales(threshold=50.0, threshold_scale=1.0, query_scale=2.0, models=200, cutoff=1)
WIDE = np.arange(600.0).reshape(20, 30)
MODELS = [ConstantModel(1)] * 200


class Means:
    """An estimator that refuses what is no number, as scikit-learn's do."""

    def fit(self, x: Any, y: Any) -> Means:
        self.n_features_in_ = np.asarray(x, dtype=float).shape[1]
        return self

    def predict(self, x: Any) -> Any:
        if not np.isfinite(np.asarray(x, dtype=float)).all():
            raise ValueError("no numbers")
        return np.ones(len(x), dtype=int)


class Curious:
    """Asks for two labels; the second question tells the first label."""

    claim = dpcheck.PureDP(1.0)

    def most_labels(self, examples: int) -> int:
        return 2

    def learn(self, points: Any, oracle: Any, rng: np.random.Generator) -> Any:
        return oracle.ask(1 + oracle.ask(0)) + rng.laplace(scale=2.0)


@dataclass(frozen=True)
class Constant:
    """A learner."""

    claim = dpcheck.PureDP(1.0)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return 0


def private(**options: Any) -> PrivateAnswers:
    return PrivateAnswers(**{"base": ChunkMajority(), "queries": [0, 1], "scales": SCALES} | options)


def opened(models: Any = MODELS, scales: Any = SCALES, **options: Any) -> OnlineAnswers:
    return OnlineAnswers.of_models(models, scales, **{"queries": 5} | options)


def sizes(learner: Any = None, **changed: Any) -> Any:
    given = {"records": 10**8, "queries": 100, "epsilon": 1.0, "delta": 1e-6, "failure": 0.05} | changed
    return solve_sizes(given.pop("records"), given.pop("queries"), learner or OneSidedThresholds(), **given)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: private(queries="abc"), "queries must be a list or array of points, got 'abc'"),
        (lambda: private(base=Means), "got the Python class Means"),
        (lambda: private(base=(WIDE, [1])), "got a value of type tuple"),
        (lambda: private(base=lambda x, y: 3)(([0], [1]), np.random.default_rng(0)), "a model must have predict(x)"),
        (lambda: private()((WIDE, np.ones((20, 1), int)), np.random.default_rng(0)), "shape (n,), got (20, 1)"),
        (
            lambda: KnowledgeTransfer(private(queries=WIDE), Means()),
            "labels must be PrivateLabels, got a value of type",
        ),
        (lambda: KnowledgeTransfer(PrivateLabels(private()), Means), "final must be an estimator"),
        (lambda: opened(None), "models must be scales.models = 200 of them, got None of type NoneType"),
        (lambda: opened([3] * 200), "models must have predict(x), or be functions of m points, got 3 of type int in"),
        (lambda: opened(scales=(1, 2, 3)), "scales must be Scales, got (1, 2, 3)"),
        (lambda: opened().save(None), "path must be the path of a directory, got None of type NoneType"),
        (lambda: OnlineAnswers.resume(3), "path must be the path of a directory, got 3 of type int"),
        (lambda: sizes("x"), "learner must have size(accuracy, failure) and accuracy(size, failure)"),
        (lambda: sizes(OneSidedThresholds), "learner must have size(accuracy, failure)"),
        (lambda: sizes(delta=0), "delta must be above 0 and below 1, got 0"),
        (lambda: Realisable(0), "vc_dimension must be at least 1, got 0"),
        (lambda: Agnostic("a"), "vc_dimension must be an integer, got 'a'"),
        (lambda: answers(queries=-3), "queries must be at least 1, got -3"),
        (lambda: answers(queries=2.5), "queries must be an integer, got 2.5"),
        (lambda: generic_sizes("x", 4, epsilon=1, accuracy=0.1, failure=0.1), "family must be a hypothesis class"),
        (lambda: boost_sizes(9, 1, 1, 0.1, 0.1, "x"), "constants must be BoostConstants(...), got 'x'"),
        (lambda: UniformSubsampling(Constant, 5, 0, epsilon=0.5), "learner must be a callable (dataset, rng)"),
        (lambda: threshold_queries(10**6), "domain_size must be at most 32,767 for a matrix of queries, got 1,000,000"),
        (lambda: interval_queries(10**5), "domain_size must be at most 2,047 for a matrix of intervals, got 100,000"),
        (
            lambda: ThresholdSanitiser(4, np.float32(1)),
            "above 0, as an int, a float or a Fraction, got np.float32(1.0)",
        ),
        (lambda: dpcheck.audit(Curious(), 1.0, pairs=[([], [])]), "HypothesisOnly(learner), or with its questions as"),
        (lambda: dpcheck.audit(Curious, 1.0, pairs=[([], [])]), "HypothesisOnly(learner), or with its questions as"),
    ],
)
def test_it_is_refused_in_one_line(make: Callable[[], Any], says: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numbers_of_numpy_are_those_of_python(tmp_path: Path) -> None:
    scales = Scales(np.float32(50), np.float64(1), np.float32(2), models=np.int64(200), cutoff=np.int32(1))
    with opened(
        scales=scales, queries=np.int64(5), epsilon=np.float32(8.0), delta=np.float32(1e-6), shape=[1]
    ) as answering:
        answering.save(tmp_path / "kept")
        assert answering.answer(np.array([0.5])) == 1
    with OnlineAnswers.resume(tmp_path / "kept") as answering:
        assert answering.remaining.queries == 4
    assert sizes(epsilon=np.float32(1)).scales == sizes().scales
    assert boost_sizes(np.int64(12_000_000), np.int64(10**9), np.int64(1), 0.1, 0.1) == boost_sizes(
        12_000_000, 10**9, 1, 0.1, 0.1
    )
    assert StableRelease(max, len, np.float32(0.5)).scale() == 2.0
    made = PrivateAnswers.for_privacy(ChunkMajority(), [0], epsilon=np.float32(1), delta=np.float32(2**-20))
    assert made.claim == dpcheck.ApproxDP(1.0, 2**-20)
    assert made.scales == PrivateAnswers.for_privacy(ChunkMajority(), [0], epsilon=1.0, delta=2**-20).scales


def test_what_failed_to_be_saved_for_its_path_answers_still() -> None:
    answering = opened()
    with pytest.raises(InvalidArgument, match="path"):
        answering.save(None)
    assert answering.answer(0.5) == 1


@pytest.mark.parametrize("missing", [np.nan, np.inf, None, pd.NA, pd.NaT])
@pytest.mark.parametrize("container", [pd.DataFrame, lambda rows: np.array(rows, dtype=object), list])
def test_a_missing_value_in_any_container_costs_nothing(container: Any, missing: Any) -> None:
    rng = np.random.default_rng(0)
    answering = OnlineAnswers.train((pd.DataFrame(WIDE), [0, 1] * 10), Means(), SCALES, queries=5, rng=rng)
    rows = [[0.5] * 30, [0.5] * 29 + [missing]]
    with pytest.raises(InvalidArgument, match="finite numbers"):
        answering.answer_many(container(rows))
    with pytest.raises(InvalidArgument, match="shape"):
        answering.answer_many(container([[0.5] * 4]))
    assert answering.spent.queries == answering.spent.abstentions == 0


@pytest.mark.turns(4)
def test_an_active_learner_without_a_call_is_audited_through_its_wrappers() -> None:
    pairs = [([(0, 1), (0, 0), (0, 0)], [(0, 0), (0, 0), (0, 0)])]
    wrapped = {HypothesisOnly: dpcheck.ReplaceOne(), WithTranscript: dpcheck.EntryAndTranscript()}
    found = [
        dpcheck.audit(made(Curious()), pairs=pairs, neighbours=relation, max_samples=4000).status
        for made, relation in wrapped.items()
    ]
    assert found[0] != "violated"
    assert found[1] == "violated"


def test_a_grid_is_what_a_family_is() -> None:
    assert generic_sizes(GridThresholds(4), 4, epsilon=1, accuracy=0.1, failure=0.1).points >= 1


@pytest.mark.some(1)
@pytest.mark.parametrize("split", ["random", "by_record", "blocks"])
def test_too_few_records_for_the_models_that_a_privacy_takes_are_refused(split: str) -> None:
    """It asked for 1,218 models from 100 records, and then answered one class for all."""

    def made(records: int) -> PrivateAnswers:
        return PrivateAnswers.for_privacy(
            ChunkMajority(), [0] * 100, epsilon=1.0, delta=1e-6, records=records, split=split
        )

    with pytest.raises(InvalidArgument, match=r"records must be at least [\d,]+ for 1,218 models, .* got 100: so many"):
        made(100)
    least = next(n for n in range(600, 2000) if not refused(lambda n=n: made(n)))
    empty = 1 - least / 1218 if split == "blocks" else (1 - 1 / 1218) ** least
    assert 0.33 < empty <= 1 / 3 + 1e-9
    with pytest.raises(InvalidArgument, match="records must be"):
        made(0)


def refused(make: Callable[[], Any]) -> bool:
    """Whether an argument is refused."""
    try:
        make()
    except InvalidArgument:
        return True
    return False


@pytest.mark.parametrize("queries", [None, 5, "abc", (point for point in [0.5])])
def test_what_are_no_queries_is_refused_before_they_are_counted(queries: Any) -> None:
    for made in (PrivateAnswers.for_privacy, PrivateAnswers.as_printed):
        with pytest.raises(InvalidArgument, match="queries must be a list or array of points, got "):
            made(ChunkMajority(), queries, epsilon=1.0, delta=1e-6)
