"""Learners of the paper as they drew in doubles."""
