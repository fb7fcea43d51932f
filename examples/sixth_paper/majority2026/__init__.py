"""Noisy majorities, a paper in one folder: what it claims, its learner, and where both are held against each other."""
