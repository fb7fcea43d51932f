"""Exact answers where a learner declares its finite output law: no sampling, no statistics.

``declared`` reads laws, ``table`` puts those of many datasets side by side in floats with a proven slack, ``bounding``
finds the pairs that doubles cannot decide, ``deciding`` decides those in exact arithmetic.
"""
