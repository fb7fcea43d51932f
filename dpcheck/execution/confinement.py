"""How a worker process is begun: with which resources, and in a container or not."""

from __future__ import annotations

from dataclasses import dataclass

from dpcheck.execution.resources import UNLIMITED, Resources, settled


@dataclass(frozen=True)
class Confinement:
    """What holds for a worker as long as it lives: one that began otherwise serves nobody else.

    Parameters
    ----------
    resources : Resources
    container : what its command begins with; empty where it runs beside all other processes

    Examples
    --------
    >>> Confinement().container
    ()
    """

    resources: Resources = UNLIMITED
    container: tuple[str, ...] = ()


def confinement_of(isolation: str, resources: Resources) -> Confinement:
    """How the workers of a run are begun.

    Raises
    ------
    InvalidArgument
        For resources that the system does not keep, and where there is to be a container and none can be had.
    """
    held = settled(resources)
    if isolation != "container":
        return Confinement(held)
    from dpcheck.execution.container import command_of_container

    return Confinement(held, command_of_container(resources.memory))
