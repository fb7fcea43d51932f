"""What audits of trainings share: how long one may take, what it is called, and why it failed."""

from __future__ import annotations

import math
from typing import Any

from dpcheck.execution.calls import without_place
from dpcheck.model.errors import InvalidArgument, LearnerDied

#: Seconds that one training may take where nobody says.
TRAIN_SECONDS = 24 * 3600.0


def checked_timeout(seconds: Any) -> float:
    """The seconds that one training may take.

    Raises
    ------
    InvalidArgument
        When that is no number, not positive, or not finite.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise InvalidArgument(f"train_timeout must be a positive, finite number of seconds, got {seconds!r}")
    return float(seconds)


def training_name(train: Any) -> str:
    """What to call a training.

    >>> training_name(training_name), training_name(3)
    ('training_name', 'int')
    """
    for attribute in ("name", "__name__"):
        try:
            name = getattr(train, attribute)
        except Exception:  # a stranger's attributes may raise
            continue
        if isinstance(name, str):
            return name
    return type(train).__name__


def why_it_died(error: LearnerDied) -> str:
    """What became of a training, without the words for learners that are called many times.

    >>> why_it_died(LearnerDied("the learner hung in one of its calls on dataset 1", 1))
    'the training hung'
    """
    return without_place(error).replace("the learner", "the training", 1)
