"""What a worker of somebody's executor does for dpcheck, perhaps on another machine: it answers one request.

The learner runs there as it does here, in a process that is watched: one that dies or hangs ends neither the worker nor
the run. The worker keeps its process for the next request of the same learner. What is asked comes with a name of the
learner alone; a worker that has not got it says so, and is asked again with all of it.
"""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import dataclass, replace
from typing import Any

from dpcheck.execution.answers import Request
from dpcheck.execution.confinement import confinement_of
from dpcheck.execution.resources import UNLIMITED, Resources
from dpcheck.execution.shipment import CannotShip, Shipment
from dpcheck.execution.surroundings_there import MadeOf, differences
from dpcheck.execution.worker_pool import CannotLoad, WorkerRunner, runner_of_shipment
from dpcheck.model.errors import InvalidArgument, LearnerDied


@dataclass(frozen=True)
class Conditions:
    """How a learner is run there: the seconds that a call may take, in a container or not, and with which resources."""

    call_timeout: float
    isolation: str = "auto"
    resources: Resources = UNLIMITED


@dataclass(frozen=True)
class Asked:
    """A request (None: to load the learner) of a learner by name; ``shipment`` and ``made_of`` where it is new."""

    learner: str
    conditions: Conditions
    request: Request | None
    shipment: Shipment | None = None
    made_of: MadeOf | None = None


#: Processes that wait at most: several runs may share a worker.
MOST_WAITING = 4
#: Processes that wait for the next request, and the learner that they have loaded.
_idle: list[tuple[str, WorkerRunner]] = []
_lock = threading.Lock()


def answered(asked: Asked) -> tuple[str, Any]:
    """A word and what belongs to it: what came of a request.

    ``answers``: the answers. ``held``: whether the learner that was loaded offers ``sample``. ``missing``: it is asked
    for again with the learner. ``other``: what is another here, by name. ``cannot``: why the learner cannot be loaded,
    and the module that is missing. ``died`` and ``invalid``: as :class:`dpcheck.LearnerDied` and
    :class:`dpcheck.InvalidArgument` say.
    """
    runner = _taken(asked.learner)
    try:
        if runner is None:
            if asked.shipment is None:
                return "missing", None
            if asked.made_of is not None and (other := differences(asked.made_of)):
                return "other", other
            given = asked.conditions
            confinement = confinement_of(given.isolation, given.resources)
            runner = runner_of_shipment(_settled_here(asked.shipment), given.call_timeout, confinement)
        if asked.request is None:
            return "held", runner.bulk_available
        return "answers", runner.run([asked.request])[0]
    except CannotLoad as error:
        return "cannot", error.args
    except CannotShip as error:
        return "cannot", (str(error), None)
    except LearnerDied as error:
        return "died", error.args
    except InvalidArgument as error:
        return "invalid", str(error)
    finally:
        if runner is not None:
            with _lock:
                _idle.append((asked.learner, runner))


def _taken(learner: str) -> WorkerRunner | None:
    """A process that has loaded this learner; of those that wait the oldest are ended."""
    with _lock:
        place = next((place for place, (name, _) in enumerate(_idle) if name == learner), None)
        found = None if place is None else _idle.pop(place)[1]
        too_many = [runner for _, runner in _idle[:-MOST_WAITING]]
        del _idle[:-MOST_WAITING]
    for runner in too_many:
        runner.close()
    return found


def _settled_here(shipment: Shipment) -> Shipment:
    """The shipment with this machine's import path and environment, and what there is here of where it comes from."""
    known = [str(entry) for entry in sys.path]
    added = [entry for entry in shipment.path if entry not in known and os.path.isdir(entry)]
    directory = shipment.directory if os.path.isdir(shipment.directory) else os.getcwd()
    return replace(shipment, path=[*known, *added], directory=directory, environment=os.environ.copy())
