"""What an accountant's answer is beside the truth's enclosure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

BELOW, HAIR, TIGHT, ABOVE, FAILED = (
    "below the truth", "below by a hair", "tight", "above", "failed",
)  # fmt: skip
VERDICTS = (BELOW, HAIR, TIGHT, ABOVE, FAILED)
#: Rounding that is no claim: relative and absolute, of an epsilon and of a delta.
ALLOWED = {"epsilon": (1e-6, 1e-9), "delta": (1e-4, 1e-15)}
#: Below by no more than this part is a matter of numerics; above by no more than it is tight.
HAIRS = {"epsilon": 1e-3, "delta": 1e-2}
TIGHTNESS = {"epsilon": 0.01, "delta": 0.05}


def judged(answer: Mapping[str, Any], low: float, high: float) -> dict[str, Any]:
    """The answer with its verdict, and by what part it is outside the truth.

    A negative epsilon says no more than 0 does, and is taken for it.

    >>> judged({"question": "epsilon", "value": 0.5}, 1.0, 1.001)["verdict"]
    'below the truth'
    >>> judged({"question": "epsilon", "value": 1.005}, 1.0, 1.001)["verdict"]
    'tight'
    """
    question = answer["question"]
    base = {**answer, "low": low, "high": high if math.isfinite(high) else "infinite"}
    if answer.get("value") is None:
        return {**base, "verdict": FAILED, "outside": None}
    value = math.inf if answer["value"] == "infinite" else max(0.0, float(answer["value"]))
    relative, absolute = ALLOWED[question]
    if value < low * (1 - relative) - absolute:
        share = 1 - value / low
        return {**base, "verdict": HAIR if share <= HAIRS[question] else BELOW, "outside": share}
    if value <= high * (1 + TIGHTNESS[question]) + absolute:
        return {**base, "verdict": TIGHT, "outside": max(0.0, value / high - 1) if high else 0.0}
    share = value / high - 1 if high > 0 and math.isfinite(value) else None
    return {**base, "verdict": ABOVE, "outside": share}
