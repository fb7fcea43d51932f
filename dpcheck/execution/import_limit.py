"""How long a learner may take to be imported, and again to be made and looked at.

The seconds are the processor's where the system tells them (:mod:`dpcheck.execution.processor_time`): a machine that is
busy with something else gives a module its turn late, and that is no fault of the module.
"""

from __future__ import annotations

import contextlib
import math
import os

from dpcheck.model.errors import InvalidArgument

#: Importing what a learner needs can take half a minute on a cold disk; what takes four times that hangs.
IMPORT_SECONDS = 120.0
#: Sets another limit, for a machine that is slower, or a test that is not to wait.
IMPORT_SECONDS_VARIABLE = "DPCHECK_IMPORT_SECONDS"


def import_seconds() -> float:
    """How long a target may take to be imported, and again to be made: a module that loops for ever is ended.

    Raises
    ------
    InvalidArgument
        When the environment variable that sets it is no such number.

    Examples
    --------
    >>> import_seconds()
    120.0
    """
    given = os.environ.get(IMPORT_SECONDS_VARIABLE)
    if given is None:
        return IMPORT_SECONDS
    with contextlib.suppress(ValueError):
        seconds = float(given)
        if 0 < seconds < math.inf:
            return seconds
    raise InvalidArgument(f"{IMPORT_SECONDS_VARIABLE} must be a positive number of seconds, got {given!r}")
