"""Differentially private learners of this project's own, each with the claim its paper proves."""
