"""Exact answers where a learner declares its finite output law: no sampling, no statistics.

``declared`` reads laws, ``table`` puts those of many datasets side by side in floats with a proven slack,
``float_bounds`` finds the pairs that doubles cannot decide, ``decision`` decides those in exact arithmetic.
"""
