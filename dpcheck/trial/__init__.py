"""Bounds against reality: what the papers promise, beside what their learners do when they are run."""
