"""Theorems of Coq, with their proofs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcheck.proof.coq.rules import RULES
from dpcheck.proof.coq.script import Script
from dpcheck.proof.coq.terms import NotExported, refutation_text, statement_text, vacuous_text
from dpcheck.proof.prover.checker import CheckFailed, guarded
from dpcheck.proof.prover.checker_formula import Statement, read_formula
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
            return _written(read_formula(formula), answer, Script(lemmas, RULES), name)
    except CheckFailed as failed:
        raise NotExported(f"what is not read here: {failed.reason:.100}") from None
    except (LookupError, TypeError, AttributeError, AssertionError) as error:
        raise NotExported(f"a certificate that is none of this formula ({type(error).__name__})") from None


def _written(statement: Statement, answer: Mapping[str, Any], script: Script, name: str) -> str:
    if "proof" in answer:
        says, lines = statement_text(statement), script.whole(statement, answer["proof"])
    elif "witness" in answer:
        says, lines = refutation_text(statement), script.refuted(statement, answer["witness"])
    elif "vacuous" in answer:
        says, lines = vacuous_text(statement), script.vacuous(statement, answer["vacuous"])
    else:
        raise NotExported("no certificate")
    return "\n".join([f"Theorem {name} :", f"  {says}.", "Proof.", *(f"  {line}" for line in lines), "Qed."])
