"""Coq as a judge: what is written for it, what it takes, and that it refuses what is false or damaged."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.coq import judge as judging
from dpcheck.proof.coq.judge import judge, prepare
from dpcheck.proof.coq.terms import NotExported, refutation_text, statement_text, vacuous_text
from dpcheck.proof.coq.theorem import theorem
from dpcheck.proof.coq.theory import Unit, digest_of, file_name, unit_text, write
from dpcheck.proof.judges import agreement, given_to, judges_of, kept_of
from dpcheck.proof.lemmas import LEMMAS
from dpcheck.proof.prover.checker_formula import read_formula
from dpcheck.proof.prover.decide import Answer, decide
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.registry import Registry
from dpcheck.proof.status import claims_of
from dpcheck.proof.store import key_of

needs_coq = pytest.mark.skipif(shutil.which("coqtop") is None, reason="Coq is not installed")
LEMMA_FORMULAS = {name: claim.formula for name, claim in LEMMAS.items()}
#: Formulas of each rule of certificates, and what is to be said of them.
HOLD = {
    "interval": Formula("x in [0, 1]", "", "0 <= 2 - x*exp(-x)"),
    "identity": Formula("x in (0, 1)", "", "exp(2*x)/exp(x) = exp(x)"),
    "logarithms": Formula("x in (0, inf); y in (0, inf)", "", "log(6*x/y) = log(2) + log(3) + log(x) - log(y)"),
    "roots": Formula("m in (0, inf); n in (0, inf)", "", "sqrt(m/n)*sqrt(n/m) = 1"),
    "combine": Formula("x in (0, 1); y in (0, 1)", "x <= y", "x*y <= y^2"),
    "monotone": Formula("x in (-inf, inf)", "", "1 + x <= exp(x)"),
    "powers": Formula("n in Z[1, inf)", "", "2^(n + 1) = 2*2^n"),
    "integers": Formula("n in Z[0, inf)", "n > 3", "n >= 4"),
    "rounded": Formula("x in [0, inf)", "", "ceil(x) < x + 1"),
    "larger": Formula("x in [0, inf); y in [0, inf)", "", "max(x, y) <= x + y"),
    "no premises": Formula("", "", "e < 3"),
}
FAIL = {
    "a point": Formula("x in [0, 2]", "", "x^2 <= x"),
    "undefined": Formula("n in Z[0, 3]", "", "1/n <= 1"),
    "undefined inside": Formula("n in Z[0, 1]", "", "floor(1/n) >= 0"),
    "a power": Formula("n in Z[1, inf)", "n >= 2", "2^n <= n^2 + 1"),
    "rounded": Formula("n in Z[1, inf)", "", "ceil(n/2) <= n/2"),
    "no variables": Formula("", "", "1/3 < 0.3333"),
}


def kept(formula: Formula) -> dict[str, Any]:
    """What the search finds of a formula."""
    found = decide(formula, seconds=20.0, lemmas=LEMMA_FORMULAS)
    if found.answer is Answer.PROVED:
        return {"proof": found.certificate}
    if found.answer is Answer.REFUTED:
        return {"witness": found.witness}
    return {"vacuous": found.vacuous}


def test_what_a_formula_says_is_written_out() -> None:
    formula = Formula("n in Z[1, 5]; x in (0, inf)", "log(x) <= n; x < 1", "1/x > 0")
    assert statement_text(read_formula(formula)) == (
        "forall v_n v_x : R, integer v_n -> 1 <= v_n -> v_n <= 5 -> 0 < v_x ->\n"
        "  (0 < v_x) /\\ (\n"
        "  ((ln v_x) <= v_n) -> (\n"
        "  (v_x < 1) -> (\n"
        "  (v_x <> 0) /\\ (\n"
        "  ((1 / v_x) > 0)))))"
    )
    assert refutation_text(read_formula(formula)) == (
        "exists v_n v_x : R, (integer v_n) /\\ (1 <= v_n) /\\ (v_n <= 5) /\\ (0 < v_x) /\\ (0 < v_x) /\\ "
        "((ln v_x) <= v_n) /\\ (v_x < 1) /\\\n  ~ ((v_x <> 0) /\\ ((1 / v_x) > 0))"
    )
    assert vacuous_text(read_formula(formula)).endswith("->\n  (v_x < 1) ->\n  False")


@pytest.mark.parametrize("exponent", ["4/2", "y", "floor(5/2)", "sqrt(4)", "n/2*2"])
def test_a_power_of_what_may_be_0_needs_an_exponent_of_integers(exponent: str) -> None:
    formula = Formula("x in [0, 1]; y in [1, 1]; n in Z[0, 4]", "", f"x^({exponent}) >= 0")
    assert "0 <= v_x /\\" not in statement_text(read_formula(formula))
    assert "0 <= v_x /\\" in statement_text(read_formula(replace(formula, claim="x^(n + 2) >= 0")))


@pytest.mark.parametrize("name", ["t. Admitted. ", "v) as [a", "x", "exp", "1t", "t\n"])
def test_a_name_of_a_certificate_is_a_new_name(name: str) -> None:
    formula = Formula("x in [0, 1]", "", "floor(x) < -5")
    with pytest.raises(NotExported, match="is not a new name"):
        theorem(formula, {"proof": {"link 0": ["round", "floor(x)", name, ["interval"]]}}, LEMMA_FORMULAS, "here")


@pytest.mark.parametrize("claim", ["floor(1/n) >= 0", "max(log(n), 0) >= 0"])
def test_what_is_not_defined_inside_a_rounding_is_refuted_too(claim: str) -> None:
    formula = Formula("n in Z[0, 1]", "", claim)
    assert theorem(formula, {"witness": {"n": "0"}}, LEMMA_FORMULAS, "here").endswith("Qed.")


def test_a_premise_is_asked_to_be_defined_before_it_is_assumed() -> None:
    said = statement_text(read_formula(Formula("x in [0, 1]", "1/x >= 1; x <= 1/2", "log(x) < 0")))
    assert said.index("v_x <> 0") < said.index("((1 / v_x) >= 1) ->") < said.index("0 < v_x")


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        (Formula("n in Z[1, 5]", "", "fact(n) >= 1"), "fact|count"),
        (Formula("n in Z[1, 5]", "", "sum(i, 1, n, i) >= 1"), "sum|rule|unfold"),
    ],
)
def test_what_is_not_told_to_coq_is_said(formula: Formula, why: str) -> None:
    with pytest.raises(NotExported, match=why):
        theorem(formula, kept(formula), LEMMA_FORMULAS, "here")


def test_nearly_all_formulas_of_a_paper_are_written() -> None:
    registry = Registry()
    store = registry.evaluations["alon2019"].store
    answers = [(claim, store.get(claim)) for claim in claims_of(registry.papers["alon2019"])]
    written = 0
    for claim, answer in answers:
        try:
            written += theorem(claim.formula, answer or {}, LEMMA_FORMULAS, "here").endswith("Qed.")
        except NotExported:
            continue
    assert written >= 0.9 * len(answers) > 100


def test_the_judges_agree_with_most_of_the_papers_formulas() -> None:
    registry = Registry()
    claims = [claim for paper in registry.papers.values() for claim in claims_of(paper)]
    judges = [judges_of(claim) for claim in claims]
    assert sum(any(each.startswith("Coq") for each in found) for found in judges) >= 0.9 * len(claims)
    for name in ("z3", "cvc5"):
        assert sum(any(each.startswith(name) for each in found) for found in judges) >= 0.75 * len(claims), name
    of_all = next(claim for claim, found in zip(claims, judges, strict=True) if len(found) == 3)
    assert re.fullmatch(r"Coq 8\.\S+, cvc5 1\.\S+ and z3 5\.\S+ agree", agreement(of_all))


def test_what_coq_accepted_is_what_is_written_now() -> None:
    registry, kept = Registry(), kept_of("Coq")
    formulas = {}
    for key, paper in registry.papers.items():
        for claim in claims_of(paper):
            if key_of(claim) in kept:
                formulas[key_of(claim)] = (claim.formula, registry.evaluations[key].store.get(claim) or {})
    assert set(formulas) == kept
    now = {key: digest_of(*one) for key, one in formulas.items()}
    assert now == given_to("Coq"), "benchmarks/coq_judge.py --only formulas --new --keep"


def test_files_of_units_have_names_and_comments_that_coq_takes(tmp_path: Path) -> None:
    said = 'Pr["(*"] is *) at most 1'
    unit = Unit(file_name("mine", "T1.(a)"), said, {"f_1": (Formula("", "", "fact(3) = 6"), {"proof": {}})})
    written, count = unit_text(unit, {})
    assert (unit.name, count) == ("mine_T1__a_.v", 0)
    assert "Pr['( *'] is * ) at most 1" in written
    assert "f_1 is not written" in written
    again = Unit(file_name("mine", "t1..a."), said, unit.formulas)
    assert write(tmp_path / "new", [unit, again, again], {}) == (3, 0)
    names = sorted(path.name for path in (tmp_path / "new").glob("mine*"))
    assert names == ["mine_T1__a_.v", "mine_t1__a__2.v", "mine_t1__a__3.v"]
    (tmp_path / "there").write_text("not empty", encoding="utf-8")
    with pytest.raises(InvalidArgument, match="must be a new or empty directory"):
        write(tmp_path, [unit], {})


def test_without_coq_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging.shutil, "which", lambda _: None)
    with pytest.raises(InvalidArgument, match=r"Coq must be installed, 8\.16 or later"):
        judging.version()


DPCHECK = (sys.executable, "-m", "dpcheck", "theorems")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*DPCHECK, *arguments], capture_output=True, text=True, check=False)


def test_a_result_is_exported_as_files(tmp_path: Path) -> None:
    done = run("alon2019:lem-3.3", "--export", "coq", "--to", str(tmp_path / "theory"))
    assert done.returncode == 0
    assert "theorems in 7 files" in done.stderr
    files = {path.name for path in (tmp_path / "theory").iterdir()}
    assert {
        "README.md",
        "_CoqProject",
        "prelude.v",
        "laws.v",
        "lemmas.v",
        "alon2019_L33_cover.v",
        "alon2019_lem_3_3.v",
    } <= files
    project = (tmp_path / "theory" / "_CoqProject").read_text(encoding="utf-8").split("\n")
    assert project[:4] == ["-R . Dpcheck", "prelude.v", "laws.v", "lemmas.v"]
    assert set(project[4:]) - {""} == {name for name in files if name.endswith(".v")} - set(project[1:4])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--export", "lean", "--to", "there"], "--export must be one of coq, got 'lean'"),
        (["--export", "coq"], "--export must come with --to DIRECTORY"),
        (["--to", "there"], "--to must come with --export coq"),
        (["--export", "coq", "--to", "there", "--json"], "--export must come without --json"),
        (["--export", "coq", "--to", "there", "--prove"], "must not come together"),
        (["alon2019:def-2.1", "--export", "coq", "--to", "there"], "nothing here has a formula"),
    ],
)
def test_an_export_that_cannot_be_is_one_line(arguments: list[str], said: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().split("\n")) == 1


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("coq")
    lemmas = Registry().lemmas
    prepare(directory, {name: (claim.formula, lemmas.get(claim) or {}) for name, claim in LEMMAS.items()})
    return directory


def said_by_coq(directory: Path, formula: Formula, answer: dict[str, Any]) -> str:
    [said] = judge(directory, [("here", formula, answer)], LEMMA_FORMULAS)[0].values()
    return said.answer


@needs_coq
@pytest.mark.extra
def test_coq_accepts_what_holds_and_what_fails(prepared: Path) -> None:
    asked = {f"holds_{i}": formula for i, formula in enumerate(HOLD.values())}
    asked |= {f"fails_{i}": formula for i, formula in enumerate(FAIL.values())}
    asked["vacuous"] = Formula("x in [0, 1]", "x > 1", "x = 2")
    found, axioms = judge(prepared, [(name, each, kept(each)) for name, each in asked.items()], LEMMA_FORMULAS)
    assert {name: said for name, said in found.items() if said.answer != "accepted"} == {}
    theirs = ("ClassicalDedekindReals.", "Classical_Prop.", "FunctionalExtensionality.", "PrimInt63.", "Uint63.")
    assert "Classical_Prop.classic" in axioms
    assert {name for name in axioms if not name.startswith(theirs)} == set()


@needs_coq
@pytest.mark.extra
@pytest.mark.parametrize(
    ("formula", "of"),
    [
        (Formula("x in [0, 1]", "", "x <= 1/2"), Formula("x in [0, 1]", "", "x <= 1")),
        (Formula("x in [0, 1]", "", "x < 1"), Formula("x in [0, 1)", "", "x < 1")),
        (Formula("x in (-inf, inf)", "", "1 + x < exp(x)"), Formula("x in (-inf, inf)", "", "1 + x <= exp(x)")),
        (Formula("x in (0, inf); y in (0, inf)", "", "log(x*y) = log(x)*log(y)"), HOLD["logarithms"]),
        (Formula("x in [0, 1]; y in [0, 1]", "", "x*y <= y^2"), HOLD["combine"]),
        (Formula("n in Z[0, inf)", "n > 3", "n >= 5"), HOLD["integers"]),
        (Formula("x in [0, inf)", "", "ceil(x) < x + 1/2"), HOLD["rounded"]),
        (Formula("x in [0, 1]", "", "1/x >= 1"), Formula("x in (0, 1]", "", "1/x >= 1")),
    ],
)
def test_coq_refuses_what_is_false_with_a_proof_of_something_near(
    prepared: Path, formula: Formula, of: Formula
) -> None:
    answer = kept(of)
    assert "proof" in answer
    assert said_by_coq(prepared, of, answer) == "accepted"
    parts = dict(answer["proof"])
    for name in ("defined 0", "link 0"):
        parts.setdefault(name, ["+", ["interval"]] if name.startswith("defined") else ["interval"])
    assert said_by_coq(prepared, formula, {"proof": parts}) != "accepted"


@needs_coq
@pytest.mark.extra
def test_coq_refuses_a_point_where_nothing_fails_and_premises_that_hold(prepared: Path) -> None:
    formula = Formula("x in [0, 2]", "", "x^2 <= x")
    assert said_by_coq(prepared, formula, {"witness": {"x": "3/2"}}) == "accepted"
    assert said_by_coq(prepared, formula, {"witness": {"x": "1/2"}}) != "accepted"
    assert said_by_coq(prepared, formula, {"witness": {"x": "5/2"}}) != "accepted"
    undefined = Formula("x in [0, 1]", "1/x >= 1", "x <= 1/2")
    assert said_by_coq(prepared, undefined, {"witness": {"x": "0"}}) != "accepted"
    assert said_by_coq(prepared, undefined, {"witness": {"x": "1"}}) == "accepted"
    possible = Formula("x in [0, 1]", "x >= 1", "x = 2")
    assert said_by_coq(prepared, possible, {"vacuous": ["absurd", 0]}) != "accepted"


@needs_coq
@pytest.mark.extra
@pytest.mark.parametrize("name", ["at_most", "here. Qed", "exp", "2nd"])
def test_a_theorem_has_a_new_name(prepared: Path, name: str) -> None:
    with pytest.raises(InvalidArgument, match="must be letters and digits, and new"):
        judge(prepared, [(name, HOLD["no premises"], kept(HOLD["no premises"]))], LEMMA_FORMULAS)


@needs_coq
@pytest.mark.extra
def test_an_axiom_of_ours_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = "\nAxiom ours : forall a b : R, a <= b.\nLtac leaf ::= apply ours.\n"
    whole = judging.prelude_text() + more
    monkeypatch.setattr(judging, "prelude_text", lambda: whole)
    prepare(tmp_path, {})
    formula = Formula("x in [0, 1]", "", "x <= -5")
    found, axioms = judge(tmp_path, [("here", formula, {"proof": {"link 0": ["interval"]}})], {})
    assert found["here"].answer == "accepted"
    assert "ours" in axioms


@needs_coq
@pytest.mark.extra
def test_coq_refuses_a_prelude_that_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = judging.prelude_text().replace("0 < b - a -> a < b", "0 <= b - a -> a < b")
    monkeypatch.setattr(judging, "prelude_text", lambda: damaged)
    with pytest.raises(InvalidArgument, match=r"Coq refuses prelude\.v"):
        prepare(tmp_path, {})
