"""The figure of a verdict on one run: scores of canaries in and out, and how well they tell these apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim
from dpcheck.model.harmless import one_line
from dpcheck.model.verdict.plots import two_panels
from dpcheck.privacy.one_run.trade_off import trade_off_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
Coins = NDArray[np.bool_]

_IN, _OUT, _FORBIDDEN, _CUT = "#1f5fa8", "#d9822b", "#f3d9d3", "#b3331d"
_BINS, _POINTS = 40, 201
#: Scores beyond this part at either end are drawn in the outermost bin.
_TAIL = 0.005


def one_run_figure(
    scores: Floats, coins: Coins, claim: Claim, guesses: tuple[int, int], right: tuple[int, int], title: str
) -> Figure:
    """Scores of canaries in and out with what was guessed, and the trade-off of all thresholds beside the claim's.

    Parameters
    ----------
    scores, coins : arrays of one shape
    claim : Claim
    guesses, right : (int, int)
        Of those guessed to be in, and out.
    title : str

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    known = ~np.isnan(scores)
    values, inside = scores[known], coins[known]
    figure, left, other = two_panels()
    _draw_scores(left, values, inside, guesses, right)
    _draw_trade_off(other, values, inside, claim)
    figure.suptitle(one_line(title).replace("$", r"\$"))  # a dollar sign would start mathematics
    return figure


def _draw_scores(axes: Axes, scores: Floats, inside: Coins, guesses: tuple[int, int], right: tuple[int, int]) -> None:
    finite = scores[np.isfinite(scores)]
    low, high = np.quantile(finite, [_TAIL, 1.0 - _TAIL]) if len(finite) else (0.0, 1.0)
    if not low < high:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, _BINS + 1).tolist()
    shown = np.clip(scores, low, high)
    axes.hist(shown[inside], edges, color=_IN, alpha=0.6, label=f"in the data ({int(inside.sum()):,})")
    axes.hist(shown[~inside], edges, color=_OUT, alpha=0.6, label=f"out ({int((~inside).sum()):,})")
    ordered = np.sort(shown)
    for made, found, words, style in (
        (guesses[0], right[0], "from here on: in", "--"),
        (guesses[1], right[1], "up to here: out", ":"),
    ):
        if made:
            cut = float(ordered[-made] if style == "--" else ordered[made - 1])
            label = f"guessed {words} ({found:,} of {made:,} right)"
            axes.axvline(cut, color=_CUT, linestyle=style, linewidth=1.2, label=label)
    axes.set_title("scores of canaries")
    axes.set_xlabel("score")
    axes.set_ylabel("canaries")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), fontsize="small", ncols=2)


def _draw_trade_off(axes: Axes, scores: Floats, inside: Coins, claim: Claim) -> None:
    positives, negatives = max(int(inside.sum()), 1), max(int((~inside).sum()), 1)
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.diff(scores[order]) != 0.0, True)  # of equal scores all or none
    true, false = np.cumsum(inside[order])[last], np.cumsum(~inside[order])[last]
    true_rate, false_rate = np.append(0.0, true / positives), np.append(0.0, false / negatives)
    caught = np.linspace(0.0, 1.0, _POINTS)
    allowed = trade_off_of(claim).least_wrong(caught)
    axes.fill_betweenx(1.0 - caught, 0.0, allowed, color=_FORBIDDEN, linewidth=0)
    axes.plot(allowed, 1.0 - caught, color=_CUT, linewidth=1.0, label=f"the claim, {claim}: none below")
    axes.plot(false_rate, 1.0 - true_rate, color=_IN, label="these scores, as counted")
    axes.plot([0.0, 1.0], [1.0, 0.0], color="0.6", linestyle=":", linewidth=1.0, label="coins")
    axes.set_title("trade-off: telling canaries apart")
    axes.set_xlabel("false positive rate (out, told to be in)")
    axes.set_ylabel("false negative rate (in, told to be out)")
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, 1.0)
    axes.set_aspect("equal")
    axes.legend(loc="upper right", fontsize="small")
