"""Learners of dp-group-stats, as a survey audits them: the pipeline of its README."""

import random

import numpy as np
from dp_group_stats import DPGroupStatsConfig, laplace_noise

CONFIG = DPGroupStatsConfig(period_type="weekly", annual_epsilon_cap=150.0)


def actual_mean():
    """The mean of the hours that a group worked."""

    def learner(dataset, rng):
        chance = random.Random(int(rng.integers(2**62)))
        clipped = [CONFIG.bounds.clip_actual(float(hours)) for hours in np.ravel(dataset)]
        noise = laplace_noise(CONFIG.epsilon_split.actual_sum, CONFIG.bounds.actual_sensitivity, chance)
        return (sum(clipped) + noise) / len(clipped)

    return learner


def cell():
    """The sums of the planned and of the actual hours of a group."""

    def learner(dataset, rng):
        chance = random.Random(int(rng.integers(2**62)))
        bounds, split = CONFIG.bounds, CONFIG.epsilon_split
        rows = np.reshape(np.asarray(dataset, float), (-1, 2))
        planned = sum(bounds.clip_planned(hours) for hours in rows[:, 0])
        actual = sum(bounds.clip_actual(hours) for hours in rows[:, 1])
        return np.array(
            [
                planned + laplace_noise(split.planned_sum, bounds.planned_sensitivity, chance),
                actual + laplace_noise(split.actual_sum, bounds.actual_sensitivity, chance),
            ]
        )

    return learner
