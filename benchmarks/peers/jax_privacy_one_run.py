"""What jax-privacy certifies by one run: its bounds on the scores in a file, as JSON.

``python -m peers.jax_privacy_one_run FILE.npz DELTA``: arrays ``scores`` and ``included`` of shape (runs, m); the
answer has a list of bounds for each of its methods, one for each run.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from jax_privacy import auditing

ALPHA = 0.05


def main() -> int:
    """Read, bound, print."""
    with np.load(sys.argv[1]) as held:
        scores, included = held["scores"], held["included"].astype(bool)
    delta = float(sys.argv[2])
    found: dict[str, list[float]] = {}
    for seed, (row, coins) in enumerate(zip(scores, included, strict=True)):
        auditor = auditing.CanaryScoreAuditor(row[coins], row[~coins])
        for name, method in (("one run", auditor.epsilon_one_run), ("one run, f-DP", auditor.epsilon_one_run_fdp)):
            for way, strategy in (("bonferroni", auditing.Bonferroni()), ("split", auditing.Split(seed=seed))):
                bound = method(ALPHA, delta, threshold_strategy=strategy)
                found.setdefault(f"{name}, {way}", []).append(float(bound))
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
