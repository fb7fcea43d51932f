"""The units of work of a report: which there are, and what makes one, in whatever process it is called."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from dpcheck.model.disk import real_path

Kind = Literal["measurement", "learner"]

#: Seconds after which a unit is taken for one that hangs: quick, and full. A declaration that says it takes long has so
#: many times what it says.
LONGEST_QUICK, LONGEST_FULL, TIMES_DECLARED = 3600.0, 14400.0, 20.0


@dataclass(frozen=True)
class Unit:
    """One thing that is run by itself, and whose numbers do not depend on what else is.

    Parameters
    ----------
    kind : a measurement of a paper, or the page of a learner
    name : ``paper/key``, or the learner's name as it was asked for
    results : ids that a measurement is about
    seconds : about how long it takes on one core
    file : of a paper that a user declares; empty for the papers that come with dpcheck
    digest : of that file, or of a learner's own file: numbers kept from an earlier run are of the same one
    paper, run : of a measurement, the paper's name and the measurement's key
    limit : seconds after which it is ended
    """

    kind: Kind
    name: str
    results: tuple[str, ...] = ()
    seconds: float = 5.0
    file: str = ""
    digest: str = ""
    paper: str = ""
    run: str = ""
    limit: float = math.inf

    @property
    def key(self) -> str:
        """Unique in a report."""
        return f"{self.kind} {self.name}"

    @property
    def words(self) -> str:
        """For the display."""
        return self.name.replace("-", " ") if self.kind == "measurement" else self.name


@dataclass(frozen=True)
class Level:
    """How a report is made: the same for all of its units."""

    seed: int
    quick: bool

    @property
    def options(self) -> str:
        """As they stand on the command line."""
        return f"--{'quick' if self.quick else 'full'} --seed {self.seed}"


def limit_of(seconds: float, level: Level) -> float:
    """The seconds after which a unit that says it takes so many is ended.

    >>> limit_of(5.0, Level(0, True)), limit_of(1000.0, Level(0, True))
    (3600.0, 20000.0)
    """
    return max(LONGEST_QUICK if level.quick else LONGEST_FULL, TIMES_DECLARED * seconds)


def digest_of_file(file: Path) -> str:
    """A digest of a user's file and of those beside it, which it may import."""
    digest = sha256()
    for one in sorted(real_path(file).parent.glob("*.py")):
        # a folder, an editor's lock (a link to nowhere), another's file: nothing that can be imported
        with contextlib.suppress(OSError):
            content = sha256(one.read_bytes()).digest()
            digest.update(one.name.encode("utf-8", "surrogateescape") + b"\n" + content)
    return digest.hexdigest()


def command_of(targets: Sequence[str], level: Level) -> str:
    """What makes a part of the report again; names that a shell would read as something else are quoted.

    Examples
    --------
    >>> command_of(["alon2019/private-cost"], Level(0, False))
    'dpcheck report alon2019/private-cost --full --seed 0'
    """
    from shlex import quote

    return " ".join(["dpcheck report", *map(quote, targets), level.options])
