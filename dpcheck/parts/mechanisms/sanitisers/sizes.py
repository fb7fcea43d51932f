"""How many points a sanitised database needs, and how many records the choice of one."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.parameters import count, positive, probability
from dpcheck.parts.mechanisms.sanitisers.blum_ligett_roth import BlumLigettRoth
from dpcheck.parts.mechanisms.sanitisers.queries import checked_queries

#: Datasets that are looked at, at most, for the least size of a database.
_MOST_DATASETS = 1 << 14


def database_size(dimension: int, accuracy: float) -> int:
    """k such that for every dataset some k points are within half of ``accuracy`` in all queries of a class.

    ``ceil((200 V / accuracy^2) ln(4 / accuracy))`` for a class of VC dimension V: so many points drawn from the
    dataset have at most that error with probability at least 1/2 (thm-B.6 at accuracy / 2).

    Raises
    ------
    InvalidArgument
        When the dimension is no integer of at least 1, or the accuracy not above 0 and at most 1.

    Source: beimel2015:thm-A.3, with the constants of beimel2015:thm-B.6.

    Examples
    --------
    >>> database_size(1, 0.1), database_size(2, 0.1)
    (73778, 147556)
    """
    dimension, accuracy = count("dimension", dimension), _accuracy(accuracy)
    return math.ceil(200 * dimension / accuracy**2 * math.log(4 / accuracy))


def records_needed(size: int, domain_size: int, accuracy: float, epsilon: float, failure: float) -> int:
    """How many records make the choice lose at most half of ``accuracy``, but for a probability of ``failure``.

    ``ceil((4 / (accuracy epsilon)) (k ln N + ln(1 / failure)))``: there are N^k tuples, and the score of one that is
    accuracy / 2 worse than the best weighs ``exp(-epsilon n accuracy / 4)``.

    Raises
    ------
    InvalidArgument
        When an argument is outside its range.

    Source: beimel2015:thm-A.3.

    Examples
    --------
    >>> records_needed(20, 2**20, accuracy=0.1, epsilon=1.0, failure=0.05)
    11211
    """
    log_choices = count("size", size) * math.log(count("domain_size", domain_size))
    scale = 4 / (_accuracy(accuracy) * positive("epsilon", epsilon))
    return math.ceil(scale * (log_choices - math.log(_failure(failure))))


def accuracy_reached(records: int, size: int, domain_size: int, epsilon: float, failure: float, best: float) -> float:
    """The largest error of the database that is chosen, but for a probability of ``failure``.

    ``best + (2 / (epsilon n)) (k ln N + ln(1 / failure))``, where ``best`` is that of the best database there is; at
    most 1.

    Raises
    ------
    InvalidArgument
        When an argument is outside its range.

    Source: beimel2015:prop-A.1 for scores of sensitivity 1 / n.

    Examples
    --------
    >>> round(accuracy_reached(100_000, 20, 2**20, epsilon=1.0, failure=0.05, best=1 / 20), 4)
    0.0556
    """
    log_choices = count("size", size) * math.log(count("domain_size", domain_size))
    scale = 2 / (positive("epsilon", epsilon) * count("records", records))
    return min(1.0, probability("best", best) + scale * (log_choices - math.log(_failure(failure))))


def least_database_size(queries: Any, records: int, accuracy: float | Fraction) -> int:
    """The least k such that for every dataset of n records some k points are within half of ``accuracy``: by search.

    Parameters
    ----------
    queries : matrix of truth values, shape (q, N)
    records : int, n
    accuracy : float or Fraction, above 0 and at most 1

    Raises
    ------
    InvalidArgument
        When there are more than 2^14 datasets, as multisets, or too many databases.

    Examples
    --------
    >>> from dpcheck.parts.mechanisms.sanitisers import threshold_queries
    >>> least_database_size(threshold_queries(4), 6, Fraction(1, 2)), database_size(1, 0.5)
    (2, 1664)
    """
    matrix = checked_queries(queries)
    count("records", records)
    exact = Fraction(accuracy)
    _accuracy(accuracy)
    domain = matrix.shape[1]
    datasets = math.comb(domain + records - 1, records)
    if datasets > _MOST_DATASETS:
        raise InvalidArgument(
            f"records must leave at most {_MOST_DATASETS:,} datasets on {domain} points, got {records} with "
            f"{datasets:,}"
        )
    waiting = list(combinations_with_replacement(range(domain), records))
    for size in range(1, records + 1):  # the dataset itself is a database of as many points
        sanitiser = BlumLigettRoth(matrix, size=size)
        databases = sanitiser.databases(None)
        most = exact * records * size / 2
        bad = next((each for each in waiting if sanitiser.errors(each, databases).min() > most), None)
        if bad is None:
            break
        waiting.insert(0, waiting.pop(waiting.index(bad)))  # what one size does not do for, the next may not either
    return size


def _accuracy(value: float | Fraction) -> float:
    number = positive("accuracy", value)
    if number > 1:
        raise InvalidArgument(f"accuracy must be at most 1, got {value!r}")
    return number


def _failure(value: float) -> float:
    number = positive("failure", value)
    if number > 1:
        raise InvalidArgument(f"failure must be at most 1, got {value!r}")
    return number
