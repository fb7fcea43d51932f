"""The packages of `accounting_compared.py`: their environments, and what each says of the events."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import ONE_THREAD

from dpcheck.execution.environments import NotMade, Tool, interpreter_of, tool_here, variables_there

BENCHMARKS = Path(__file__).resolve().parent
#: What an environment was made of, in its folder; written last.
_NOTE = "accountants.txt"


@dataclass(frozen=True)
class Package:
    """A package, the module of `peers/` that asks it, its accountants, and the errors that its documents state."""

    requirements: tuple[str, ...]
    module: str
    accountants: tuple[str, ...]
    stated: str


PACKAGES = {
    "dp_accounting": Package(
        ("dp-accounting==0.6.0",),
        "dp_accounting_accounts",
        ("dp-accounting PLD", "dp-accounting RDP"),
        "PLD: rounded up (pessimistic); RDP: an upper bound. No numerical error is stated",
    ),
    "autodp": Package(
        ("autodp==0.2.3.1",),
        "autodp_accounts",
        ("autodp RDP", "autodp AFA", "autodp exact Gaussian"),
        "RDP: an upper bound; AFA: quadrature, searched to a tolerance of 1e-2 in e^epsilon",
    ),
    "prv_accountant": Package(
        ("prv-accountant==0.2.0",),
        "prv_accountant_accounts",
        ("prv-accountant",),
        "its upper bound, which has eps_error 0.01 and delta_error (delta / 1000) in it",
    ),
    "opacus": Package(
        ("opacus==1.6.0",),
        "opacus_accounts",
        ("opacus RDP", "opacus PRV", "opacus GDP"),
        "PRV: its upper bound, which has eps_error 0.01 in it; RDP: an upper bound; GDP: an approximation",
    ),
    "jax_privacy": Package(
        ("jax-privacy==2.0.0",),
        "jax_privacy_accounts",
        ("jax-privacy PLD", "jax-privacy RDP"),
        "as dp-accounting, which it asks",
    ),
}


@dataclass(frozen=True)
class Asking:
    """Some events for one package, in an environment that is there."""

    package: str
    place: str
    events: tuple[dict[str, Any], ...]


def default_folder() -> Path:
    """The user's cache: environments are kept from run to run."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dpcheck-accountants"


def make(folder: Path, name: str, tool: Tool | None = None) -> list[str]:
    """The environment of a package, made where it is not there; its versions.

    Raises
    ------
    NotMade
        In one line: what could not be had.
    """
    package, place = PACKAGES[name], folder / name
    note = place / _NOTE
    head = f"# {' '.join(package.requirements)}"
    if note.is_file() and note.read_text(encoding="utf-8").startswith(head + "\n"):
        return _versions(note)
    tool = tool or tool_here()
    folder.mkdir(parents=True, exist_ok=True)
    tool.create(place, "")
    lock = folder / f"{name}.lock.txt"
    lock.write_text(tool.locked(interpreter_of(place), package.requirements, folder), encoding="utf-8")
    tool.install(interpreter_of(place), lock, folder)
    pins = [line.split(" \\")[0].strip() for line in lock.read_text(encoding="utf-8").splitlines() if "==" in line]
    note.write_text("\n".join([head, *pins]) + "\n", encoding="utf-8")
    return _versions(note)


def _versions(note: Path) -> list[str]:
    shown = ("dp-accounting", "autodp", "prv-accountant", "opacus", "jax-privacy", "numpy", "scipy", "torch")
    lines = note.read_text(encoding="utf-8").splitlines()[1:]
    return [line for line in lines if line.split("==")[0].lower() in shown]


def ask(asking: Asking) -> list[dict[str, Any]]:
    """The answers of a package's accountants; a process that ended has a row for each event that it did not reach."""
    package = PACKAGES[asking.package]
    environment = variables_there({**dict.fromkeys(ONE_THREAD, "1"), "PYTHONPATH": str(BENCHMARKS)})
    command = [str(interpreter_of(Path(asking.place))), "-W", "ignore", "-m", f"peers.{package.module}"]
    given = json.dumps(asking.events)
    ran = subprocess.run(
        command, input=given, capture_output=True, text=True, check=False, env=environment, cwd=asking.place
    )
    found = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    done = {each["done"] for each in found if "done" in each}
    answers = [each for each in found if "done" not in each and each["accountant"] in package.accountants]
    for event in asking.events:
        if event["name"] not in done:
            last = " ".join(ran.stderr.split())[-160:]
            answers += [_failed(name, event, f"ended with {ran.returncode}: {last}") for name in package.accountants]
    return answers


def not_made(name: str, events: Sequence[dict[str, Any]], error: NotMade) -> list[dict[str, Any]]:
    """The rows of a package that could not be installed."""
    package = PACKAGES[name]
    rows = [_failed(one, event, str(error)[:160]) for event in events for one in package.accountants]
    return rows


def _failed(accountant: str, event: dict[str, Any], words: str) -> dict[str, Any]:
    return {
        "accountant": accountant,
        "event": event["name"],
        "question": "epsilon",
        "at": event["deltas"][0],
        "value": None,
        "failed": words,
    }


def accountants() -> list[str]:
    """All names, in the order of the tables."""
    return [name for package in PACKAGES.values() for name in package.accountants]
