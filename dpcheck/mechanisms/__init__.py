"""Mechanisms, each once: a frozen dataclass that is a learner, draws in bulk, and knows its own exact law.

Every mechanism is callable as ``(dataset, rng) -> output``, offers ``sample(dataset, size, rng)`` and
``profile(left, right)`` (the exact privacy profile of one ordered pair), and ``distribution(dataset)`` where
the law is finite. The zoo's correct and broken entries are these with one argument changed.
"""
