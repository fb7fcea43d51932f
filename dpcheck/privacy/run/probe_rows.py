"""What fitted models are asked: their probabilities on rows of the datasets at hand, chosen before any call."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcheck.model.data import features_and_labels, is_labelled, private_part
from dpcheck.model.data.kinds import is_frame

#: Rows that a model is asked about: enough to tell models apart, few enough to ask at every call.
PROBED_ROWS = 16


def probed_rows(datasets: tuple[Any, ...]) -> Any:
    """Evenly spaced rows of the first dataset (labels apart); None where it has no rows of features.

    Datasets are fixed before the first call, so that what is asked is too. A model of other features than these
    is not asked, and its attributes must do.

    Examples
    --------
    >>> probed_rows((([[1.0], [2.0]], [0, 1]),)).tolist()
    [[1.0], [2.0]]
    >>> probed_rows(([1.0, 2.0],)) is None
    True
    """
    if not datasets:
        return None
    whole = private_part(datasets[0])
    inputs = features_and_labels(whole)[0] if is_labelled(whole) else whole
    try:
        rows = np.unique(np.linspace(0, len(inputs) - 1, PROBED_ROWS).astype(np.int64))
        if is_frame(inputs):
            return inputs.iloc[rows]
        table = np.asarray(inputs)
        if table.ndim != 2 or len(table) == 0 or table.dtype.kind not in "fiub":
            return None
        return table[rows]
    except (TypeError, ValueError, IndexError):  # ragged rows, no rows, or no length
        return None
