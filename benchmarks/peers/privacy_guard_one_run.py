"""What PrivacyGuard certifies by one run: its bounds on guesses in a file, as JSON.

``python -m peers.privacy_guard_one_run FILE.npz DELTA``: as ``peers.jax_privacy_one_run``, and arrays ``guesses`` (one
number) and ``right`` (one for each run), for it is told how many guesses were made.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from privacy_guard.analysis.mia.fdp_analysis_node import FDPAnalysisNode

ALPHA = 0.05


def main() -> int:
    """Read, bound, print."""
    with np.load(sys.argv[1]) as held:
        canaries, guesses, right = held["scores"].shape[1], int(held["guesses"]), held["right"]
    delta = float(sys.argv[2])
    kept: dict[int, float] = {}
    for count in np.unique(right).tolist():
        node = FDPAnalysisNode(canaries, count, guesses, threshold=ALPHA, delta=delta)
        bound = float(node.run_analysis().eps)
        # its grid of noise has an end, which it gives where nothing on the grid is certified
        kept[count] = bound if bound > node.calculate_epsilon_gaussian(node.candidate_noises[-1]) else 0.0
    print(json.dumps({"one run, f-DP, our guesses": [kept[int(one)] for one in right]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
