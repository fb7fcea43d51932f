"""Mechanisms, each once: a frozen dataclass that is a learner, draws in bulk, and knows its own exact law.

Every mechanism is callable as ``(dataset, rng) -> output``, offers ``sample(dataset, size, rng)`` and
``profile(left, right)`` (the exact privacy profile of one ordered pair), and ``distribution(dataset)`` where
the law is finite. The zoo's correct and broken entries are these with one argument changed.

Learners make choices by ``choice`` (among candidates) and ``densities``, ``logconcave`` (on intervals and in boxes);
``subsampling``, ``resampling``, ``parallel`` and ``group`` make learners of learners, with the claim that is left.
"""
