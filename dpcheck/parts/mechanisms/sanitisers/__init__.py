"""Sanitisers: mechanisms that put out a database in place of the dataset, for counting queries of a class.

All are a :class:`Sanitiser`. :class:`BlumLigettRoth` is the exponential mechanism over all databases of k points,
listed: for any queries on a small domain. :class:`ThresholdSanitiser` draws from the same law for thresholds and
intervals on domains of any size, and :class:`TreeSanitiser` is a library's mechanism for the same queries.
"""

from dpcheck.parts.mechanisms.sanitisers.blum_ligett_roth import BlumLigettRoth
from dpcheck.parts.mechanisms.sanitisers.protocol import Sanitiser
from dpcheck.parts.mechanisms.sanitisers.queries import interval_queries, symmetric_differences, threshold_queries
from dpcheck.parts.mechanisms.sanitisers.threshold_sanitiser import ThresholdSanitiser
from dpcheck.parts.mechanisms.sanitisers.tree_sanitiser import TreeSanitiser

__all__ = [
    "BlumLigettRoth",
    "Sanitiser",
    "ThresholdSanitiser",
    "TreeSanitiser",
    "interval_queries",
    "symmetric_differences",
    "threshold_queries",
]
