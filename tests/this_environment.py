"""A tool that makes environments of what this interpreter has: quick, and without an index."""

from __future__ import annotations

import sysconfig
import venv
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dpcheck.execution.environments import NotMade


@dataclass
class ThisOne:
    """Remembers what it was asked for; a requirement named ``nowhere`` cannot be had."""

    name: str = "this one"
    created: list[str] = field(default_factory=list)

    def create(self, place: Path, python: str) -> None:
        self.created.append(place.name)
        venv.create(place, clear=True, with_pip=False, symlinks=True)
        (site,) = place.glob("lib/python*/site-packages")
        (site / "of_this_one.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    def locked(self, interpreter: Path, requirements: Sequence[str], start: Path) -> str:
        if "nowhere" in requirements:
            raise NotMade("there is no version of nowhere")
        return "".join(f"{one}\n" for one in requirements if "==" in one)

    def install(self, interpreter: Path, lock: Path, start: Path) -> None:
        pass
