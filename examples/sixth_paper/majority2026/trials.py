"""The paper's claims, where they are run."""

from dpcheck import PureDP
from dpcheck.trial.privacy import PrivacyCheck
from majority2026.learners import NoisyMajority, few_labels

CHECKS = (
    PrivacyCheck(
        "majority2026:thm-1",
        "one record changes no probability by more than a factor of 3",
        NoisyMajority,
        PureDP(ratio=3),
        neighbours=few_labels(),
        name="noisy majority",
    ),
)
