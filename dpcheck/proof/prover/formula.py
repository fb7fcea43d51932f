"""A formula: what a step of a proof says, as three texts of the language that certificates.md defines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Formula:
    """For all variables in their domains that satisfy the assumptions, the claim is defined and holds.

    Parameters
    ----------
    variables : str, such as ``"x in (0, 1]; n in Z[1, inf)"``
    assume : str, chains of relations separated by ``;``; may be empty
    claim : str, one chain of relations

    Examples
    --------
    >>> Formula("x in (0, inf)", "", "log(x) <= x - 1").claim
    'log(x) <= x - 1'
    """

    variables: str
    assume: str
    claim: str
