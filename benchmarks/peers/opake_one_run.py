"""What opake certifies by one run: its bounds on the scores in a file, as JSON.

``python -m peers.opake_one_run FILE.npz DELTA``: as ``peers.jax_privacy_one_run``. By default opake guesses about all
canaries, at the threshold that is right most often; it takes one that is fixed before, too: half the scores.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from opake.api.auditing.one_run._estimate import OneRunEstimate
from opake.api.auditing.one_run._roc import get_tn_fn_counts

ALPHA = 0.05


def main() -> int:
    """Read, bound, print."""
    with np.load(sys.argv[1]) as held:
        scores, included = held["scores"], held["included"].astype(bool)
    delta = float(sys.argv[2])
    found: dict[str, list[float]] = {}
    for row, coins in zip(scores, included, strict=True):
        inside, outside = row[coins], row[~coins]
        thresholds, negatives, misses = get_tn_fn_counts(inside, outside)
        hits, alarms = (misses[-1] - misses)[::-1], (negatives[-1] - negatives)[::-1]
        made = OneRunEstimate(
            len(inside), len(outside), thresholds, negatives, misses, hits, alarms, inside, outside
        )  # fmt: skip
        for name, method in (("one run", made.eps_delta()), ("one run, f-DP", made.gdp())):
            for way, threshold in (("best threshold", None), ("half the scores", float(np.median(row)))):
                bound = method.epsilon_at(delta=delta, significance=ALPHA, threshold=threshold)
                found.setdefault(f"{name}, {way}", []).append(float(bound))
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
