"""Running a stranger's code: in a worker process that may die without harm, or in this process.

In come a target, datasets and how many calls; out go its answers as plain data, described, with what was noticed on the
way. Where code runs (workers, isolation, limits), whether runs are fresh, and which papers' packages there are, is
known here alone. ``executor`` is its door, also for what is no stranger's and takes long. It may use the model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from dpcheck.model.errors import InvalidArgument

Isolation = Literal["auto", "process", "container", "none"]
#: The names that ``isolation`` accepts.
ISOLATIONS: tuple[Isolation, ...] = ("auto", "process", "container", "none")


#: Those that want a process, or refuse.
APART: tuple[Isolation, ...] = ("process", "container")


def not_isolated(wanted: str, reason: str) -> InvalidArgument:
    """The error where a process is asked for, by this argument, and the learner cannot be sent to one."""
    from dpcheck.model.errors import InvalidArgument

    return InvalidArgument(
        f"{wanted} wants a learner that runs in another process, but {reason}; "
        "isolation='none' (--isolation none) runs it in this one"
    )
