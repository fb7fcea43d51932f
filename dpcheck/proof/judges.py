"""Who else agrees on a formula or a derivation: kept answers of judges that have nothing of ours in them.

They are made by ``benchmarks/coq_judge.py --keep`` and ``benchmarks/second_judge.py --keep``. No status rests on them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from dpcheck.model import disk
from dpcheck.proof.derivation.lines import Derivation
from dpcheck.proof.statement import Claim
from dpcheck.proof.store import key_of

JUDGES = Path(__file__).with_name("judges.json")


#: Of what a judge's answers are: of formulas, or of derivations.
FORMULAS, DERIVATIONS = "formulas", "derivations"


@cache
def _kept() -> dict[str, dict[str, tuple[str, frozenset[str]]]]:
    """Of each judge, for formulas and derivations, its version and those that it agrees on."""
    return {
        name: {of: (each["version"], frozenset(each["agrees"])) for of, each in answers.items()}
        for name, answers in _data().items()
    }


def _data() -> dict[str, Any]:
    return json.loads(JUDGES.read_text(encoding="utf-8")) if JUDGES.exists() else {}


def key_of_derivation(derivation: Derivation) -> str:
    """The name under which a judge's answer is kept: a hash of a derivation's premises, lines and conclusion.

    Examples
    --------
    >>> from dpcheck.proof.derivation.lines import Line
    >>> one = Derivation("", (Line("a", "1 <= 2"),), says=("words",))
    >>> key_of_derivation(one) == key_of_derivation(Derivation("", (Line("a", "1 <= 2"),)))
    True
    """
    given = [[each.name, each.fact] for each in derivation.given]
    lines = [[line.name, line.fact, line.rule, *line.using] for line in derivation.lines]
    text = json.dumps([derivation.objects, given, lines, derivation.conclusion])
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def given_to(judge: str, of: str = FORMULAS) -> dict[str, str]:
    """Of all that a judge agrees on, a digest of what it was given, where one is kept.

    Examples
    --------
    >>> given_to("nobody")
    {}
    """
    return dict(_data().get(judge, {}).get(of, {}).get("agrees", {}))


def kept_of(judge: str, of: str = FORMULAS) -> frozenset[str]:
    """The formulas that a judge agrees on, by the names of their certificates; or the derivations.

    Examples
    --------
    >>> kept_of("nobody")
    frozenset()
    """
    return _kept().get(judge, {}).get(of, ("", frozenset[str]()))[1]


def judges_of(claim: Claim) -> tuple[str, ...]:
    """The judges that agree with the checker on a formula, with their versions.

    Examples
    --------
    >>> judges_of(Claim("x in [0, 1]", "", "x = x + 1"))
    ()
    """
    return _agreeing(FORMULAS, [key_of(claim)])


def judges_of_derivation(derivation: Derivation, claims: Iterable[Claim]) -> tuple[str, ...]:
    """The judges that agree that a derivation follows from its formulas, and on each of these.

    Examples
    --------
    >>> from dpcheck.proof.derivation.lines import Line
    >>> judges_of_derivation(Derivation("", (Line("a", "1 <= 2"),)), ())
    ()
    """
    follows = _agreeing(DERIVATIONS, [key_of_derivation(derivation)])
    agree = _agreeing(FORMULAS, [key_of(claim) for claim in claims])
    return tuple(name for name in follows if name in agree)


def _agreeing(of: str, keys: Collection[str]) -> tuple[str, ...]:
    found = []
    for name, answers in sorted(_kept().items()):
        version, agrees = answers.get(of, ("", frozenset[str]()))
        if agrees.issuperset(keys):
            found.append(f"{name} {version}")
    return tuple(found)


def agreement(claim: Claim) -> str:
    """``Coq 8.16.1, cvc5 1.4.2 and z3 5.4.1 agree``; nothing where no judge does.

    Examples
    --------
    >>> agreement(Claim("x in [0, 1]", "", "x = x + 1"))
    ''
    """
    return agreement_words(judges_of(claim))


def agreement_words(judges: Collection[str]) -> str:
    """That these agree.

    Examples
    --------
    >>> agreement_words(("Coq 8.16.1", "cvc5 1.4.2", "z3 5.4.1"))
    'Coq 8.16.1, cvc5 1.4.2 and z3 5.4.1 agree'
    >>> agreement_words(("Coq 8.16.1",))
    'Coq 8.16.1 agrees'
    """
    if not judges:
        return ""
    *others, last = judges
    return f"{', '.join(others)} and {last} agree" if others else f"{last} agrees"


def keep(judge: str, version: str, agrees: Mapping[str, str], of: str = FORMULAS) -> None:
    """Keep the formulas (derivations) that a judge agrees on, each with a digest of what it was given, or nothing."""
    kept = _data()
    kept.setdefault(judge, {})[of] = {"version": version, "agrees": dict(sorted(agrees.items()))}
    lines = [f"{json.dumps(name)}: {json.dumps(kept[name], indent=0)}" for name in sorted(kept)]
    disk.write_whole(JUDGES, "{\n" + ",\n".join(lines) + "\n}\n")
    _kept.cache_clear()
