"""Running a stranger's code: in a worker process that may die without harm, or in this process.

In come a target, datasets and how many calls; out go its answers as plain data, described, with what was noticed on the
way. Where code runs (workers, isolation, limits), whether runs are fresh, and which papers' packages there are, is
known here alone. ``executor`` is its door, also for what is no stranger's and takes long. It may use the model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from dpcheck.model.errors import InvalidArgument

Isolation = Literal["auto", "process", "none"]
#: The names that ``isolation`` accepts.
ISOLATIONS: tuple[Isolation, ...] = ("auto", "process", "none")


def not_isolated(reason: str) -> InvalidArgument:
    """The error where a process is asked for, and the learner cannot be sent to one."""
    from dpcheck.model.errors import InvalidArgument

    return InvalidArgument(
        f"isolation='process' wants a learner that runs in another process, but {reason}; "
        "isolation='none' (--isolation none) runs it in this one"
    )
