"""Bounds of a result, loaded when they are asked for: they need sympy, which the registry does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dpcheck.execution.paper_folders import paper_folder
from dpcheck.model.errors import InvalidArgument, nearest

if TYPE_CHECKING:
    from dpcheck.proof.bounds import Bound
    from dpcheck.proof.tightness import Tightness


def bounds_of(paper: str, *names: str) -> Callable[[], tuple[Bound, ...]]:
    """The bounds of some names in a paper's ``bounds`` module.

    Examples
    --------
    >>> (bound,) = bounds_of("alon2019", "public_necessary")()
    >>> str(bound.source)
    'alon2019:thm-4.1'
    """

    def load() -> tuple[Bound, ...]:
        known = _declared(paper, "bounds", "BOUNDS")
        for name in names:
            if name not in known:
                raise InvalidArgument(
                    f"{paper} has no bound {name!r}{nearest(name, known)}; there are {', '.join(known)}"
                )
        return tuple(known[name] for name in names)

    return load


def tightness_of(source: str) -> Callable[[], tuple[Tightness, ...]]:
    """The claims of tightness that a result makes, of those in its paper's ``tightness`` module.

    Examples
    --------
    >>> [claim.name for claim in tightness_of("alon2019:obs-1.b")()]
    ['public records for thresholds']
    """

    def load() -> tuple[Tightness, ...]:
        found = _declared(source.partition(":")[0], "tightness", "TIGHTNESS")
        return tuple(claim for claim in found if claim.source == source)

    return load


def _declared(paper: str, module: str, name: str) -> Any:
    """What a module of a paper's theorems declares."""
    folder = paper_folder(paper)
    found = None if folder is None else folder.part(f"theorems.{module}")
    if found is None:
        raise InvalidArgument(f"{paper} has no module theorems.{module}, where its {name} are declared")
    return getattr(found, name)
