"""Where learners are run: those of the papers in the process of their measurement, which may end without harm."""

from __future__ import annotations

from typing import Any

from dpcheck.utility.failure import TRIAL_SECONDS

#: For ``failure_rate`` and what is made of it. Our own learners are trusted not to hang, and large ones take minutes.
IN_PLACE: dict[str, Any] = {"isolation": "none", "trial_timeout": 3600.0}
#: The same for learners of a paper that somebody else declares: a hang or an end costs one measurement, and a minute.
APART: dict[str, Any] = {"isolation": "auto", "trial_timeout": TRIAL_SECONDS}
