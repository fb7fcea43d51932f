"""What fitted models are asked: their probabilities on rows of the datasets at hand, chosen before any call."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcheck.data import features_and_labels, is_labelled, private_part
from dpcheck.data.kinds import is_frame
from dpcheck.privacy.leaves import Probe, predictor

#: Rows that a model is asked about: enough to tell models apart, few enough to ask at every call.
PROBED_ROWS = 16


def probe_of(datasets: tuple[Any, ...]) -> Probe | None:
    """A probe with evenly spaced rows of the first dataset (labels apart); None where it has no rows of features.

    Datasets are fixed before the first call, so that what is asked is too. A model of other features than these
    is not asked, and its attributes must do.

    Examples
    --------
    >>> class Model:
    ...     def predict_proba(self, x): return np.asarray(x) / 10.0
    >>> probe_of((([[1.0], [2.0]], [0, 1]),))(Model()).tolist()
    [[0.1], [0.2]]
    >>> probe_of(([1.0, 2.0],)) is None
    True
    """
    if not datasets:
        return None
    whole = private_part(datasets[0])
    inputs = features_and_labels(whole)[0] if is_labelled(whole) else whole
    try:
        rows = np.unique(np.linspace(0, len(inputs) - 1, PROBED_ROWS).astype(np.int64))
        if is_frame(inputs):
            return predictor(inputs.iloc[rows])
        table = np.asarray(inputs)
        if table.ndim != 2 or len(table) == 0 or table.dtype.kind not in "fiub":
            return None
        return predictor(table[rows])
    except (TypeError, ValueError, IndexError):  # ragged rows, no rows, or no length
        return None
