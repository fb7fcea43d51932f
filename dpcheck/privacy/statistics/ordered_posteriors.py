"""The posteriors of the bins of a number: what is in order, and what has no place on the line."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.gaussian_process import smooth
from dpcheck.privacy.statistics.posterior import Floats, Integers, Posterior, joined, middle_of, shrunken_answers, taken
from dpcheck.privacy.statistics.segments import in_pieces


def by_number(
    histogram: Integers,
    centres: Floats,
    alone: NDArray[np.bool_],
    *,
    few: bool = False,
    pieces: bool = True,
    continuous: bool = False,
) -> list[Posterior]:
    """What past outputs say of the bins of a number, by each model of neighbouring bins.

    Values that occur again and again (a code for "no answer", say) and what is no number at all have log-odds of
    their own; bins that have seen nothing say what their nearest neighbours say.

    Parameters
    ----------
    histogram : integers, shape (B, 2): past outputs per bin on D' (column 0) and on D (column 1)
    centres : shape (B,): the mean past value per bin, NaN for what is no number
    alone : shape (B,): bins of one value that occurs again and again
    few : bool
        Fewer kernels of the smooth model.
    pieces : bool
        Whether the model of pieces joins.
    continuous : bool
        Whether hardly a value came twice: then a line is likelier than what bends, or jumps, by luck.

    Examples
    --------
    >>> counts = np.array([[90, 10], [60, 40], [40, 60], [10, 90], [5, 50]])
    >>> found = by_number(counts, np.array([0.0, 1.0, 2.0, 3.0, np.nan]), np.zeros(5, bool))
    >>> [posterior.model for posterior in found], bool(found[0].log_odds[4] > 1.0)
    (['smooth', 'pieces'], True)
    """
    seen = histogram.sum(axis=1) > 0
    inside = np.flatnonzero(seen & ~alone & np.isfinite(centres))
    inside = inside[np.argsort(centres[inside], kind="stable")]
    if len(inside) < 2:
        return []
    ordered = [smooth(histogram[inside], centres[inside], few=few, straight=continuous)]
    apart = np.flatnonzero(seen & (alone | ~np.isfinite(centres)))
    # all bins together are as likely on either dataset; some of them need not be
    middle, of_apart = (middle_of(histogram[part]) if len(apart) else 0.0 for part in (inside, apart))
    if pieces:
        ordered.append(in_pieces(histogram[inside], charged=continuous, middle=middle))
    others = [(apart, shrunken_answers(histogram[apart], np.full(len(apart), of_apart)))] if len(apart) else []
    empty = np.flatnonzero(~seen & ~alone & np.isfinite(centres))
    middles = 0.5 * centres[inside][1:] + 0.5 * centres[inside][:-1]
    nearest = np.searchsorted(middles, centres[empty])
    return [
        joined(model.model, [(inside, model), (empty, taken(model, nearest)), *others], histogram) for model in ordered
    ]
