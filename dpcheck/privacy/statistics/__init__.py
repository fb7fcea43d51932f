"""The statistics: observations, the label game, evidence and exact tests, verdicts from counts."""
