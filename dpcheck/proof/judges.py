"""Who else agrees on a formula: kept answers of judges that have nothing of ours in them.

They are made by ``benchmarks/coq_judge.py --keep`` and ``benchmarks/second_judge.py --keep``. No status rests on them.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

from dpcheck.proof.statement import Claim
from dpcheck.proof.store import key_of

JUDGES = Path(__file__).with_name("judges.json")


@cache
def _kept() -> dict[str, tuple[str, frozenset[str]]]:
    """Of each judge its version, and the formulas that it agrees on."""
    return {name: (each["version"], frozenset(each["agrees"])) for name, each in _data().items()}


def _data() -> dict[str, Any]:
    return json.loads(JUDGES.read_text(encoding="utf-8")) if JUDGES.exists() else {}


def given_to(judge: str) -> str:
    """The digest of what a judge was given of the formulas that it agrees on; empty where none is kept.

    Examples
    --------
    >>> given_to("nobody")
    ''
    """
    return str(_data().get(judge, {}).get("given", ""))


def kept_of(judge: str) -> frozenset[str]:
    """The formulas that a judge agrees on, by the names of their certificates.

    Examples
    --------
    >>> kept_of("nobody")
    frozenset()
    """
    return _kept().get(judge, ("", frozenset[str]()))[1]


def judges_of(claim: Claim) -> tuple[str, ...]:
    """The judges that agree with the checker on a formula, with their versions.

    Examples
    --------
    >>> judges_of(Claim("x in [0, 1]", "", "x = x + 1"))
    ()
    """
    key = key_of(claim)
    return tuple(f"{name} {version}" for name, (version, agrees) in sorted(_kept().items()) if key in agrees)


def agreement(claim: Claim) -> str:
    """``Coq 8.16.1 and z3 5.4.0 agree``; nothing where no judge does.

    Examples
    --------
    >>> agreement(Claim("x in [0, 1]", "", "x = x + 1"))
    ''
    """
    judges = judges_of(claim)
    return f"{' and '.join(judges)} agree{'s' if len(judges) == 1 else ''}" if judges else ""


def keep(judge: str, version: str, agrees: Collection[str], given: str = "") -> None:
    """Keep the formulas that a judge agrees on, by the names of their certificates, in place of what was kept of it."""
    kept = _data()
    kept[judge] = {"version": version, "given": given, "agrees": sorted(agrees)}
    lines = [f"{json.dumps(name)}: {json.dumps(kept[name], indent=0)}" for name in sorted(kept)]
    JUDGES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    _kept.cache_clear()
