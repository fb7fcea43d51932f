"""Theorems of Coq, with their proofs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcheck.proof.coq.rules import RULES
from dpcheck.proof.coq.script import Lines, Script
from dpcheck.proof.coq.terms import NotExported, refutation_text, statement_text, vacuous_text
from dpcheck.proof.prover.checker import CheckFailed, guarded
from dpcheck.proof.prover.checker_formula import Statement, read_formula
from dpcheck.proof.prover.checker_intervals import Undefined
from dpcheck.proof.prover.formula import Formula


def theorem(formula: Formula, answer: Mapping[str, Any], lemmas: Mapping[str, Formula], name: str) -> str:
    """A theorem of Coq, with its proof: that the formula holds, fails, or has premises that nothing satisfies.

    Parameters
    ----------
    formula : Formula
    answer : what is kept of it: a ``proof``, a ``witness``, or that it is ``vacuous``
    lemmas : formulas by name; Coq is to know each as ``lemma_NAME``
    name : the theorem's name

    Raises NotExported where the formula or its proof has what is not told to Coq.
    """
    try:
        with guarded():
            says = statement_of(formula, answer)
            lines = _written(read_formula(formula), answer, Script(lemmas, RULES))
    except CheckFailed as failed:
        raise NotExported(f"what is not read here: {failed.reason:.100}") from None
    except Undefined as error:
        raise NotExported(f"what is not defined: {error!s:.100}") from None
    except (LookupError, TypeError, AttributeError, AssertionError) as error:
        raise NotExported(f"a certificate that is none of this formula ({type(error).__name__})") from None
    return "\n".join([f"Theorem {name} :", f"  {says}.", "Proof.", *(f"  {line}" for line in lines), "Qed."])


def statement_of(formula: Formula, answer: Mapping[str, Any]) -> str:
    """What the theorem says: of a formula and of what is kept of it, as ``theorem`` takes them.

    Raises NotExported as it does.
    """
    says = next((text for kind, text in _STATEMENTS.items() if kind in answer), None)
    if says is None:
        raise NotExported("no certificate")
    return says(read_formula(formula))


_STATEMENTS = {"proof": statement_text, "witness": refutation_text, "vacuous": vacuous_text}


def _written(statement: Statement, answer: Mapping[str, Any], script: Script) -> Lines:
    if "proof" in answer:
        return script.whole(statement, answer["proof"])
    if "witness" in answer:
        return script.refuted(statement, answer["witness"])
    return script.vacuous(statement, answer["vacuous"])
