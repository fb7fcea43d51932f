"""What a user of a peer writes by hand: a scalar score for outputs that are vectors, and the better direction.

jax-privacy, statdp and dp_auditorium's histogram see one number for each output; dpcheck, dp-sniper and
dp_auditorium's hockey stick see the outputs themselves. The scores use what is known of the pair, so they are help.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peers.mechanisms import ABOVE, BELOW_RELEASED, UNASKED, UNASKED_RELEASED, Floats, Outputs

Score = Callable[[Any], NDArray[Any]]

#: The pairs whose larger loss is that of D' against D: told to the peers that test one direction only.
REVERSED = frozenset({"svt1_lyu", "svt2_dwork_roth", "svt4_lee_clifton"})
#: The pairs whose scores are lower on D: told to the tool that wants them higher there.
LOWER_ON_FIRST = frozenset({"noisy_argmax", "svt3_roth", "noisy_max_value", "argmax_no_noise"})
#: The score of an algorithm 3 that released nothing at the last query: larger than any released answer.
NOT_LAST = 1000.0


def halves(outputs: Outputs) -> NDArray[np.int64]:
    """Answers above among the first half of the queries, less those among the second: the pairs differ that way."""
    above = outputs == ABOVE
    half = outputs.shape[1] // 2
    return above[:, :half].sum(axis=1) - above[:, half:].sum(axis=1)


def position(outputs: Outputs) -> NDArray[np.int64]:
    """The first query that was answered "above", or the number of queries: the whole output where the cut-off is 1."""
    above = outputs == ABOVE
    return np.where(above.any(axis=1), above.argmax(axis=1), outputs.shape[1])


def released_last(outputs: Outputs) -> Floats:
    """The answer released at the last query; :data:`NOT_LAST` where none was."""
    last = np.asarray(outputs[:, -1], dtype=np.float64)
    return np.where(last > BELOW_RELEASED, last, NOT_LAST)


def scalar(outputs: Outputs) -> NDArray[Any]:
    """Scalar outputs are their own score."""
    return outputs


_VECTORS: dict[str, Score] = {
    "svt1_lyu": halves,
    "svt2_dwork_roth": halves,
    "svt3_roth": released_last,
    "svt4_lee_clifton": halves,
    "svt5_stoddard": halves,
    "svt6_chen": halves,
}
_POSITIONS = frozenset({"svt1_lyu", "svt4_lee_clifton"})


def threshold_score(name: str) -> Score:
    """The score for tools whose events are score >= t and score < t, the first of them the likelier on D."""
    score = _VECTORS.get(name, scalar)
    return (lambda outputs: -score(outputs)) if name in LOWER_ON_FIRST else score


def atom_score(name: str) -> Score:
    """The score for tools whose events are single values, where the score is discrete."""
    return position if name in _POSITIONS else _VECTORS.get(name, scalar)


def special_values(name: str) -> tuple[float, ...]:
    """The codes in an output that are not numbers."""
    if name == "svt3_roth":
        return (BELOW_RELEASED, UNASKED_RELEASED)
    return (UNASKED,) if name in ("svt1_lyu", "svt2_dwork_roth", "svt4_lee_clifton") else ()


def flagged(name: str, outputs: Outputs) -> Floats:
    """Outputs as features of shape (size, k): for each code a flag of its own, and 0 in its place."""
    features = np.asarray(outputs, dtype=np.float64)
    features = features.reshape(len(features), -1)
    flags = [features == value for value in special_values(name)]
    if not flags:
        return features
    return np.concatenate([np.where(np.any(flags, axis=0), 0.0, features), *flags], axis=1)
