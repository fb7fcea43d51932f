"""A paper of your own: declare what it says, and let the machine decide.

    dpcheck theorems --from examples/my_theorems.py --prove
    dpcheck theorems --from examples/my_theorems.py two-means
    dpcheck theorems --from examples/my_theorems.py --witness

``--prove`` searches for certificates and writes them beside this file; from then on each status is the answer of a
separate checker that replays them.
"""

from dpcheck.proof.statement import Claim, Erratum, Paper, Repair, Step, Theorem

PAPER = Paper(
    key="mine",
    title="Two averages",
    theorems=(
        Theorem(
            id="mine:two-means",
            title="Half of the budget for each of two means",
            kind="privacy",
            statement="Two eps/2-private means are eps-private together; each errs by less than 4/(eps n)",
            steps=("compose", "error"),
        ),
    ),
    steps=(
        Step(
            "compose",
            printed="p1 p2 <= exp(eps) q1 q2",
            claims=(
                Claim(
                    "eps in (0, inf); E in [1, inf); p1 in [0, 1]; q1 in [0, 1]; p2 in [0, 1]; q2 in [0, 1]",
                    "p1 <= E*q1; p2 <= E*q2",
                    "p1*p2 <= E^2*q1*q2",
                ),
            ),
            because="E = exp(eps/2), for the probabilities of two independent outputs under neighbouring datasets",
        ),
        Step(
            "error",
            printed="exp(-eps n t/2) <= 1/8 at t = 4/(eps n)",
            claims=(Claim("eps in (0, 1]; n in Z[1, inf)", "", "exp(-eps*n*(4/(eps*n))/2) <= 1/8"),),
            erratum=Erratum(
                quotes="exp(-eps n t/2) <= 1/8 at t = 4/(eps n)",
                explanation="exp(-2) is 0.135, above 1/8.",
                severity="constant",
            ),
            repair=Repair(
                "exp(-eps n t/2) <= 1/7 at t = 4/(eps n)",
                "constant",
                claims=(Claim("eps in (0, 1]; n in Z[1, inf)", "", "exp(-eps*n*(4/(eps*n))/2) <= 1/7"),),
                downstream="each mean errs by more with probability at most 1/7",
            ),
        ),
    ),
)
