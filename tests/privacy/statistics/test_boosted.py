"""The boosted score is made of whatever columns there are: constant ones, and those without any number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcheck.privacy.statistics.scores import fit_boosted

ensemble = pytest.importorskip("sklearn.ensemble")


@pytest.mark.parametrize("missing", [np.nan, np.inf, -np.inf])
def test_a_column_without_numbers_is_no_error(seed: int, missing: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    coins = rng.integers(0, 2, 400).astype(np.int8)
    telling = 3.0 * coins + rng.normal(size=400)
    columns = np.column_stack([np.full(400, missing), telling, np.full(400, 7.0)])
    kind, fitted = ensemble.HistGradientBoostingClassifier, []
    fit = kind.fit

    def looked(self: Any, table: Any, *rest: Any) -> Any:
        fitted.append(np.isfinite(table).any(axis=0).all())
        return fit(self, table, *rest)

    monkeypatch.setattr(kind, "fit", looked)
    score = fit_boosted(columns, coins)
    assert fitted == [True], "scikit-learn 1.9 raises on a column of missing values"
    found = score.log_odds(columns)
    assert found[coins == 1].mean() > found[coins == 0].mean() + 1.0
    again = score.log_odds(np.column_stack([telling, telling, telling]))  # numbers where there was none
    assert np.isfinite(again).all()
