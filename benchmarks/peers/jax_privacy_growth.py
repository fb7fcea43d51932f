"""The processor seconds and the memory of jax-privacy's bound on so many scores, all thresholds tried, as JSON."""

from __future__ import annotations

import json
import resource
import statistics
import sys
import time

import numpy as np
from jax_privacy import auditing

from peers.runner import ALPHA


def main() -> int:
    """``SIZE SEED REPEATS``: scores are Laplace noise around 0 and around 1, half of them each."""
    size, seed, repeats = (int(word) for word in sys.argv[1:4])
    seconds = []
    for repeat in range(repeats + 1):  # the first loads and compiles
        rng = np.random.default_rng([seed, repeat])
        left, right = 1.0 + rng.laplace(size=size // 2), rng.laplace(size=size // 2)
        began = time.process_time()
        auditor = auditing.CanaryScoreAuditor(left, right)
        strategy = auditing.Bonferroni()
        bound = auditor.epsilon_clopper_pearson(ALPHA, 0.0, one_sided=False, threshold_strategy=strategy)
        seconds.append(time.process_time() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"own": statistics.median(seconds[1:]), "runs": seconds[1:], "peak": peak, "bound": float(bound)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
