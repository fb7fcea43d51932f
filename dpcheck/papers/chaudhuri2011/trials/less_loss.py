"""The project's learners with a smaller epsilon, more records and finer nets: what is missed is missed for privacy."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument

#: Below the distances of hypotheses on a few hundred points.
_FINE = 2.0**-14


def at_epsilon(learner: Any, epsilon: float, size: int) -> Any:
    """The same learner with this epsilon, made for this number of records, its net as fine as its public points allow.

    A net that is too coarse for the hard family would fail whatever epsilon is, and so say nothing of privacy.

    Parameters
    ----------
    learner : learner, maybe within others
    epsilon : nats
    size : int, number of records

    Raises
    ------
    InvalidArgument
        When it has no epsilon to change, or claims more than this one afterwards.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.wang2016.learners import SubsampledLearner
    >>> from dpcheck.papers.alon2019.learners import GenericLearner
    >>> made = at_epsilon(SubsampledLearner(GenericLearner(GridThresholds(9), 1.0), dataset_size=3), 0.125, 10)
    >>> made.dataset_size, made.drawn, made.learner.epsilon, made.claim.epsilon_value < 0.125
    (10, 5, 0.125, True)
    """
    made = _changed(learner, epsilon, size)
    claim = getattr(made, "claim", getattr(getattr(made, "inner", None), "claim", None))
    if not isinstance(claim, PureDP) or claim.epsilon_value > epsilon:
        raise InvalidArgument(f"epsilon must be at most {epsilon:g} afterwards, got the claim {claim!r}")
    return made


def _changed(learner: Any, epsilon: float, size: int) -> Any:
    if not is_dataclass(learner) or isinstance(learner, type):
        raise InvalidArgument(f"learner must be a dataclass that has an epsilon, got {learner!r}")
    names = {field.name for field in fields(learner)}
    within = next((name for name in ("inner", "learner") if name in names), None)
    if within is None:
        if "epsilon" not in names:
            raise InvalidArgument(f"learner must have an epsilon, got {learner!r}")
        # a smaller constant makes A1's net finer at the same accuracy; A2 has the accuracy alone
        finest = {"constant": _FINE, "radius": Fraction(_FINE), "accuracy": _FINE}
        name = next((name for name in finest if name in names and "rule" in names), None)
        return replace(learner, epsilon=epsilon, **({} if name is None else {name: finest[name]}))
    inner = _changed(getattr(learner, within), epsilon, size)
    # what is drawn from a sample is half of it: enough to learn from
    sizes: dict[str, Any] = {}
    if {"dataset_size", "sample_size"} <= names:
        sizes = {"dataset_size": size, "sample_size": max(1, size // 2)}
    elif {"labelled", "unlabelled", "examples"} <= names:
        sizes = {"labelled": max(1, size // 2), "unlabelled": 0, "examples": size}
    elif {"private", "public", "dummies"} <= names:
        sizes = {"private": size}
    return replace(learner, **{within: inner}, **sizes)
