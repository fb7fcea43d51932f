"""What a table says of audits of one learner on several seeds."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean, median

from dpcheck.model.bounds_shown import at_least


def over_seeds(audits: Iterable[tuple[float, int, float]]) -> tuple[str, str, str]:
    """The median certified bound, and the means of calls and seconds, of audits given by these three; there is one.

    Examples
    --------
    >>> over_seeds([(1.1758, 100, 2.0), (1.0, 301, 3.0)])
    ('1.087', '200', '2.5')
    """
    bounds, calls, seconds = zip(*audits, strict=True)
    return at_least(median(bounds), ".3f"), f"{round(fmean(calls)):,}", f"{fmean(seconds):.1f}"
