"""dp-accounting's events as claims, by the privacy profile that its accountant computes, and as steps of noise."""

from __future__ import annotations

import math
from typing import Any

from dpcheck.model.claims import ProfileDP
from dpcheck.model.claims.points import LEVELS
from dpcheck.model.data import describe_value
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.model.neighbours import Relation, as_relation
from dpcheck.model.training import GaussianSteps

WHAT_TO_INSTALL = "install dpcheck[accounting], which has dp-accounting 0.6 or newer"
ACCOUNTANTS = ("pld", "rdp")
#: Deltas, as parts of the profile's value at epsilon 0, at whose epsilons the profile is read: those at which an audit
#: tests (so that nothing is lost there to the chords between them), and enough beside them.
_PARTS = tuple(sorted({*LEVELS, *(10.0 ** (-exponent / 2.0) for exponent in range(25))}, reverse=True))
#: The accountant's discretisation leaves deltas below this without meaning.
_LEAST_DELTA = 1e-12
_LARGEST_EPSILON = 700.0
#: Names that dpcheck and dp-accounting have for the same relation.
_RELATIONS = {"add-remove": "ADD_OR_REMOVE_ONE", "replace-one": "REPLACE_ONE"}


def claim_from_dp_event(
    event: Any, *, neighbours: Any = "add-remove", accountant: str = "pld", source: str = ""
) -> ProfileDP:
    """The claim that an event of dp-accounting stands for: its privacy profile, as the accountant computes it.

    Parameters
    ----------
    event : dp_accounting.DpEvent
        What was run: ``GaussianDpEvent(noise_multiplier)``, ``SelfComposedDpEvent(...)``, and so on.
    neighbours : "add-remove", "replace-one" or a relation of dpcheck
        The relation that the accountant is told; the audit is to be made under the same. dp-accounting 0.6 reads a
        Gaussian noise multiplier differently under "replace-one": "pld" as noise over the largest norm of one record
        (a replacement moves a sum by twice that), "rdp" as noise over how far a replacement moves the sum.
    accountant : "pld" (privacy loss distributions) or "rdp" (Rényi, looser, for events the first does not know)
    source : str, optional
        How the claim is called; the event as Python writes it when left out.

    Returns
    -------
    ProfileDP
        An upper bound: dp-accounting discretises pessimistically.

    Raises
    ------
    InvalidArgument
        When dp-accounting cannot be imported, it is no event, or the accountant does not support it.

    Examples
    --------
    >>> from dp_accounting import GaussianDpEvent
    >>> claim = claim_from_dp_event(GaussianDpEvent(noise_multiplier=1.0))
    >>> round(claim.delta(1.0), 2), round(claim.epsilon(1e-5), 1)  # those of GaussianDP(1.0)
    (0.13, 4.4)
    """
    chosen = accountant if accountant in ACCOUNTANTS else None
    if chosen is None:
        raise InvalidArgument(
            f"accountant must be one of {', '.join(ACCOUNTANTS)}, got {accountant!r}"
            f"{nearest(str(accountant), ACCOUNTANTS)}"
        )
    accounting = _accounting()
    if not isinstance(event, accounting.DpEvent):
        raise InvalidArgument(
            f"event must be a DpEvent of dp-accounting, such as GaussianDpEvent(1.0), got {describe_value(event)}"
        )
    made = _accountant(accounting, chosen, _relation_name(neighbours))
    if not made.supports(event):
        (spare,) = (kind for kind in ACCOUNTANTS if kind != chosen)
        helps = _accountant(accounting, spare, _relation_name(neighbours)).supports(event)
        raise InvalidArgument(
            f"event must be one that the {chosen} accountant supports under {as_relation(neighbours).name}, "
            f"got {event!r}{f'; try accountant={spare!r}' if helps else ''}"
        )
    try:
        made.compose(event)
    except ValueError as error:  # a noise multiplier below 0, for one
        reason = " ".join(str(error).split())
        raise InvalidArgument(f"event must be one that can be run, got {event!r}: {reason}") from error
    points = _points(made)
    if not points:
        raise InvalidArgument(f"event must have a finite privacy loss, got {event!r}")
    return ProfileDP(points, source or _named(event, chosen))


def steps_from_dp_event(event: Any, *, clipping_norm: float) -> GaussianSteps:
    """What an event of dp-accounting says of a training in steps of Gaussian noise, for :func:`dpcheck.white_box`.

    Parameters
    ----------
    event : dp_accounting.DpEvent
        Steps of one kind: Gaussian, Poisson sampled or not, composed with themselves.
    clipping_norm : float, positive
        The largest norm of what one record gives to a sum, which events do not have.

    Returns
    -------
    GaussianSteps

    Raises
    ------
    InvalidArgument
        When it is another event.

    Examples
    --------
    >>> from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent
    >>> event = SelfComposedDpEvent(PoissonSampledDpEvent(0.02, GaussianDpEvent(1.1)), 200)
    >>> print(steps_from_dp_event(event, clipping_norm=1.0))
    200 steps, noise 1.1 times the clipping norm 1, Poisson sampling at 0.02
    """
    accounting = _accounting()
    steps, rate, step = 1, 1.0, event
    while isinstance(step, accounting.SelfComposedDpEvent | accounting.ComposedDpEvent):
        if isinstance(step, accounting.SelfComposedDpEvent):
            steps, step = steps * step.count, step.event
        elif step.events and all(one == step.events[0] for one in step.events):
            steps, step = steps * len(step.events), step.events[0]
        else:
            break
    if isinstance(step, accounting.PoissonSampledDpEvent):
        rate, step = step.sampling_probability, step.event
    if not isinstance(step, accounting.GaussianDpEvent):
        raise InvalidArgument(
            "event must be steps of one kind, Gaussian, with Poisson sampling or without, such as "
            f"SelfComposedDpEvent(PoissonSampledDpEvent(0.02, GaussianDpEvent(1.1)), 200), got {event!r}"
        )
    return GaussianSteps(step.noise_multiplier, clipping_norm, int(steps), None if rate >= 1.0 else rate)


def _accounting() -> Any:
    try:
        import dp_accounting
        from dp_accounting import pld, rdp  # noqa: F401  # its accountants are modules of their own
    except ImportError as error:
        raise InvalidArgument(f"events of dp-accounting need it ({error}): {WHAT_TO_INSTALL}") from error
    if not hasattr(dp_accounting, "DpEvent") or not hasattr(dp_accounting, "NeighboringRelation"):
        raise InvalidArgument(f"events of dp-accounting need another version of it: {WHAT_TO_INSTALL}")
    return dp_accounting


def _relation_name(neighbours: Any) -> str:
    relation: Relation = as_relation(neighbours)
    if relation.name not in _RELATIONS:
        known = ", ".join(_RELATIONS)
        raise InvalidArgument(f"neighbours must be one that dp-accounting knows ({known}), got {relation.name}")
    return _RELATIONS[relation.name]


def _accountant(accounting: Any, kind: str, relation: str) -> Any:
    member = accounting.NeighboringRelation[relation]
    if kind == "pld":
        from dp_accounting.pld import PLDAccountant

        return PLDAccountant(member)
    from dp_accounting.rdp import RdpAccountant

    return RdpAccountant(neighboring_relation=member)


def _points(accountant: Any) -> list[tuple[float, float]]:
    """The profile at epsilon 0 and at the epsilons of falling deltas: what it says there, each asked for."""
    top = min(1.0, float(accountant.get_delta(0.0)))
    points = {0.0: top}
    for part in _PARTS:
        if not top * part >= _LEAST_DELTA:
            continue
        epsilon = float(accountant.get_epsilon(top * part))
        if 0.0 < epsilon <= _LARGEST_EPSILON and math.isfinite(epsilon):
            delta = float(accountant.get_delta(epsilon))
            points[epsilon] = min(1.0, max(delta, 0.0))
    # an infinite loss at every epsilon says nothing that could be audited
    return sorted(points.items()) if top < 1.0 or len(points) > 1 else []


def _named(event: Any, accountant: str) -> str:
    text = " ".join(repr(event).split())
    return f"{text} (dp-accounting, {accountant})"
