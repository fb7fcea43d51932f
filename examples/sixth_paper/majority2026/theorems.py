"""What the paper claims, and its proof line by line."""

from dpcheck.proof.statement import Claim, Paper, Step, Theorem

PAPER = Paper(
    key="majority2026",
    title="Noisy majorities",
    theorems=(
        Theorem(
            id="majority2026:thm-1",
            title="The noisy majority is private",
            kind="privacy",
            statement="one record changes no probability by more than a factor of 3",
            steps=("majority2026:ratio",),
        ),
    ),
    steps=(
        Step(
            "majority2026:ratio",
            printed="(1/3)^(k+1) <= 3 (1/3)^k",
            claims=(Claim("p in (0, 1]", "", "p/3 <= 3*p"),),
            because="p = (1/3)^k, the weight of the noise that is missing",
        ),
    ),
)
