"""Derivations for Coq: what is said of them, which rules are written, and that Coq refuses what is damaged."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof import judges
from dpcheck.proof.coq import judge as judging
from dpcheck.proof.coq.context import Shown
from dpcheck.proof.coq.derivations import derivation_statement, derivation_theorem
from dpcheck.proof.coq.judge import judge_derivations, prepare
from dpcheck.proof.coq.terms import NotExported
from dpcheck.proof.coq.theory import assumed_of, digest_of_derivation
from dpcheck.proof.derivation.check import PREMISES
from dpcheck.proof.derivation.lines import Derivation, Given, Line, checked
from dpcheck.proof.judges import (
    DERIVATIONS,
    given_to,
    judges_of_derivation,
    kept_of,
    key_of_derivation,
)
from dpcheck.proof.prover.decide import Answer, decide
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.records import follows_words
from dpcheck.proof.registry import Registry
from dpcheck.proof.statement import Claim

needs_coq = pytest.mark.skipif(shutil.which("coqtop") is None, reason="Coq is not installed")
_PRIVATE = "mean(c: coins, F(A(d, c))) <= exp(eps)*mean(c: coins, F(A(dd, c))) + delta"
_POST = _PRIVATE.replace("A(d, c)", "g(A(d, c))").replace("A(dd, c)", "g(A(dd, c))")
_ALGORITHM = "eps in [0, inf); delta in [0, 1]; type D; type OUT; law coins; A(D, coins): OUT"
#: A derivation by each rule, and by each way in which a fact is used.
DERIVED = {
    "markov": Derivation(
        "law mu; X(mu) in [0, inf); t in (0, inf)",
        (
            Line("each", "for w: mu: t*[X(w) >= t] <= X(w)"),
            Line("all", "Pr(w: mu, X(w) >= t) <= mean(w: mu, X(w))/t", using=("mean of each over w",)),
        ),
    ),
    "union": Derivation(
        "N in Z[1, inf); set H of N; law mu; bad(H, mu) in Z[0, 1]; beta in [0, 1]",
        (
            Line("some", "for w: mu: [some(h: H, bad(h, w))] <= total(h: H, bad(h, w))", "sum"),
            Line(
                "all",
                "Pr(w: mu, some(h: H, bad(h, w))) <= N*beta",
                using=("mean of some over w", "total of each over h"),
            ),
        ),
        given=(Given("each", "for h: H: Pr(w: mu, bad(h, w)) <= beta", "definition: of beta"),),
    ),
    "independence": Derivation(
        "law mu; law nu; f(mu) in [0, 1]; g(nu) in [0, 1]; b(mu) in Z[0, 1]",
        (
            Line("parted", "mean(x: mu, y: nu, f(x)*g(y) + 1) = 1 + mean(y: nu, g(y))*mean(x: mu, f(x))"),
            Line("alike", "mean(x: mu, y: mu, f(x)*b(y)*b(y)) = mean(x: mu, y: mu, b(x)*f(y))"),
            Line("variance", "mean(x: mu, y: mu, (f(x) - f(y))^2) = 2*mean(x: mu, f(x)^2) - 2*mean(x: mu, f(x))^2"),
        ),
        shows=("parted", "alike", "variance"),
    ),
    "conditioning": Derivation(
        "law mu; a(mu) in Z[0, 1]; b(mu) in Z[0, 1]; p in (0, 1]",
        (Line("all", "if Pr(w: mu, b(w)) = p: Pr(w: mu, a(w) and b(w))/Pr(w: mu, b(w)) <= 1", using=("less",)),),
        given=(Given("less", "Pr(w: mu, a(w) and b(w)) <= Pr(w: mu, b(w))", "definition: monotonicity"),),
    ),
    "post-processing": Derivation(
        f"{_ALGORITHM}; type NEW; g(OUT): NEW",
        (Line("post", f"for F(NEW) in Z[0, 1], d: D, dd: D: {_POST}",
              using=("private at F(y) = F(g(y))",)),),
        given=(Given("private", f"for F(OUT) in Z[0, 1], d: D, dd: D: {_PRIVATE}", "definition: private"),),
    ),
    "functions": Derivation(
        _ALGORITHM,
        (Line("wide", f"for F(OUT) in [0, 1], d: D, dd: D: {_PRIVATE}", using=("functions F of private",)),),
        given=(Given("private", f"for F(OUT) in Z[0, 1], d: D, dd: D: {_PRIVATE}", "definition: private"),),
    ),
    "a point": Derivation(
        "law mu; X(mu) in [0, 1]; N in Z[1, inf); set H of N; err(H) in [0, 1]; alpha in (0, 1)",
        (
            Line("there", "mean(w: mu, X(w)) <= X(w0)", "point w0: mu"),
            Line("best", "err(h0) = smallest(h: H, err(h))", "point h0: H"),
            Line("most", "total(h: H, err(h)) <= N*err(h1)", "point h1: H"),
            Line("less", "err(h0) <= err(h1)", "arithmetic", using=("best", "any at g = h1")),
            Line("sum", "mean(w: mu, X(w)) <= 1 + err(h1) - err(h0)", using=("there", "less")),
            Line("shown", "mean(w: mu, X(w)) <= 1"),
        ),
        given=(Given("any", "for g: H: smallest(h: H, err(h)) <= err(g)", "definition: smallest"),),
    ),
    "a point that is there": Derivation(
        "law mu; X(mu) in [0, 1]", (Line("there", "mean(w: mu, X(w)) <= X(w0)", "point w0: mu"),)
    ),
    "largest": Derivation(
        "N in Z[1, inf); set H of N; f(H) in [-1, 2]; g(H) in [0, 1]",
        (
            Line("one", "for h: H: f(h) <= largest(k: H, f(k))", "largest"),
            Line("least", "for h: H: smallest(k: H, g(k)) <= g(h)", "largest"),
            Line("shifted", "largest(k: H, 1 + 2*f(k)) = 1 + largest(k: H, 2*f(k))"),
            Line("sum", "largest(k: H, g(k)) <= total(k: H, g(k))", "sum"),
            Line("below", "for h: H: smallest(k: H, g(k)) - 1 <= g(h)*g(h)", using=("least",)),
        ),
        shows=("one", "least", "shifted", "sum", "below"),
    ),
    "induction": Derivation(
        "x(Z) in [0, inf); a in [0, 1]",
        (
            Line("first", "x(0) <= a^0", using=("start",)),
            Line("next", "for k in Z[0, inf) if x(k) <= a^k: x(k + 1) <= a^(k + 1)", using=("step",),
                 hints=("have a^(k + 1) = a*a^k",)),
            Line("all", "for k in Z[0, inf): x(k) <= a^k", "induction k", using=("first", "next")),
        ),
        given=(
            Given("start", "x(0) <= 1", "definition: the first"),
            Given("step", "for k in Z[0, inf): x(k + 1) <= a*x(k)", "definition: each next"),
        ),
    ),
    "cases": Derivation(
        "x in (-inf, inf); y in [0, inf)",
        (
            Line("up", "if x >= 0: abs(x) <= x*x + 1", hints=("have (x - 1)^2 >= 0",)),
            Line("down", "if x < 0: abs(x) <= x*x + 1", hints=("have (x + 1)^2 >= 0",)),
            Line("all", "abs(x) <= x*x + 1", "cases", using=("up", "down")),
        ),
    ),
    "larger and smaller": Derivation(
        "set H of 2; f(H) in [-1, 1]; law mu; g(mu, mu, mu, mu, mu) in [0, 1]",
        (
            Line("larger", "largest(h: H, max(f(h), 0)) <= 1"),
            Line("smaller", "total(h: H, min(f(h), 0)) <= 0"),
            Line("square", "mean(a: mu, g(a, a, a, a, a)^2) <= 1"),
            Line("five", "mean(a: mu, b: mu, c: mu, d: mu, k: mu, g(a, b, c, d, k)) <= 1"),
        ),
        shows=("larger", "smaller", "square", "five"),
    ),
    "a premise that is not seen to be defined": Derivation(
        "law mu; a(mu) in Z[0, 1]; b(mu) in Z[0, 1]; p in (0, 1]",
        (Line("all", "if Pr(w: mu, b(w)) = p: Pr(w: mu, a(w) and b(w)) <= p/2", using=("half",)),),
        given=(
            Given(
                "half",
                "if Pr(w: mu, b(w)) > 0: Pr(w: mu, a(w) and b(w))/Pr(w: mu, b(w)) <= 1/2",
                "definition: conditioning",
            ),
        ),
    ),
    "events": Derivation(
        "law mu; y(mu) in Z[0, 1]; h(mu) in Z[0, 1]",
        (Line("differ", "Pr(w: mu, not (h(w) = y(w))) "
              "= mean(w: mu, h(w)) + mean(w: mu, y(w)) - 2*mean(w: mu, h(w)*y(w))",
              using=("mean of each over w",)),),
        given=(Given("each", "for w: mu: [not (h(w) = y(w))] = h(w) + y(w) - 2*h(w)*y(w)", "definition: labels"),),
    ),
}  # fmt: skip


def answers_of(derivation: Derivation) -> dict[Formula, dict[str, Any]]:
    """The formulas of a derivation's lines, with what the search finds of them."""
    found: dict[Formula, dict[str, Any]] = {}
    hints = {line.name: line.hints for line in derivation.lines}
    for line in checked(derivation):
        for each in line.obligations if line.name != PREMISES else ():
            said = decide(each.formula, hints=hints[line.name] if each.relation is not None else (), seconds=20.0)
            assert said.answer in (Answer.PROVED, Answer.VACUOUS), (line.name, each.formula, said)
            kind = "proof" if said.answer is Answer.PROVED else "vacuous"
            found[each.formula] = {kind: said.certificate if kind == "proof" else said.vacuous}
    return found


def test_a_theorem_says_objects_premises_and_conclusion() -> None:
    said = derivation_statement(DERIVED["union"])
    assert said.startswith("forall v_N : R,\n  (integer v_N) ->\n  (1 <= v_N) ->\n  forall v_beta : R,\n")
    assert "forall S_H : finite," in said
    assert "(size S_H = v_N) ->" in said
    assert "(forall (a0 : S_H) (a1 : L_mu), integer (f_bad a0 a1)) ->" in said
    assert "(forall (p_h : S_H), (mean L_mu (fun p_w : L_mu => (f_bad p_h p_w))) <= v_beta) ->" in said
    assert said.endswith(
        "((mean L_mu (fun p_w : L_mu => (largest S_H (fun p_h : S_H => (f_bad p_h p_w))))) <= (v_N * v_beta))"
    )


def test_a_conclusion_is_defined_under_what_is_asked_before_it() -> None:
    said = derivation_statement(DERIVED["conditioning"]).split("\n")[-1]
    assert said.index("= v_p -> ") < said.index("<> 0) /\\ (") < said.index(" <= 1")


def test_a_premise_says_nothing_of_what_is_not_defined() -> None:
    given = Given("markov", "for t in [0, 1] if 1/t <= 2: a >= 1/t", "definition: with a domain that is too wide")
    said = derivation_statement(Derivation("a in [0, 4]", (Line("all", "a <= 4"),), given=(given,))).split("\n")
    assert "(v_t <= 1) -> (v_t <> 0) -> (1 / v_t) <= 2 -> (v_t <> 0) -> (1 / v_t) <= v_a) ->" in said[-2]
    seen = Given("markov", "for t in (0, 1] if 1/t <= 2: a >= 1/t", "definition: as it should be")
    said = derivation_statement(Derivation("a in [0, 4]", (Line("all", "a <= 4"),), given=(seen,))).split("\n")
    assert "<> 0" not in said[-2]


def test_a_line_speaks_of_the_points_before_it_alone() -> None:
    lines = (
        Line("a", "mean(w0: mu, X(w0)) <= 1"),
        Line("b", "mean(w: mu, X(w)) <= X(w0)", "point w0: mu"),
    )
    said = derivation_statement(Derivation("law mu; X(mu) in [0, 1]", lines, shows=("a", "b")))
    assert "exists p_w0 : L_mu, ((mean L_mu (fun p_w0 : L_mu =>" in said


@pytest.mark.parametrize("name", sorted(DERIVED))
def test_each_rule_is_written(name: str) -> None:
    derivation = DERIVED[name]
    formulas = assumed_of(answers_of(derivation))
    written = derivation_theorem(derivation, formulas, "line")
    assert written.startswith("Theorem line :\n")
    assert written.endswith("Qed.")
    assert "Admitted" not in written
    assert written.count("{") == written.count("}")


def test_a_formula_without_a_theorem_is_said() -> None:
    with pytest.raises(NotExported, match="a formula without a theorem"):
        derivation_theorem(DERIVED["markov"], {}, "line")


def test_a_conclusion_of_a_point_that_the_proof_names_says_that_there_is_one() -> None:
    said = derivation_statement(DERIVED["a point that is there"]).split("\n")[-1].strip()
    assert said == "exists p_w0 : L_mu, ((mean L_mu (fun p_w : L_mu => (f_X p_w))) <= (f_X p_w0))"


def test_a_judge_agrees_on_a_derivation_and_on_all_of_its_formulas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judges, "JUDGES", tmp_path / "judges.json")
    judges._kept.cache_clear()
    derivation, formulas = DERIVED["markov"], list(answers_of(DERIVED["markov"]))
    claims = [Claim(each.variables, each.assume, each.claim) for each in formulas]
    keys = [judges.key_of(claim) for claim in claims]
    judges.keep("Coq", "8.16.1", dict.fromkeys(keys, ""))
    assert judges_of_derivation(derivation, claims) == ()
    judges.keep("Coq", "8.16.1", {key_of_derivation(derivation): ""}, DERIVATIONS)
    assert judges_of_derivation(derivation, claims) == ("Coq 8.16.1",)
    judges.keep("Coq", "8.16.1", dict.fromkeys(keys[1:], ""))
    assert judges_of_derivation(derivation, claims) == ()
    judges._kept.cache_clear()


@pytest.mark.parametrize(
    ("paper", "label", "words"),
    [
        ("alon2019", "T31.s3", "Coq 8.16.1 agrees that it follows"),
        ("alon2019", "C45", "Coq 8.16.1 agrees that it follows, where laws are on finitely many points"),
        ("beimel2015", "C45", ""),
    ],
)
def test_who_agrees_on_a_line_is_said_with_the_laws_that_it_was_told_of(paper: str, label: str, words: str) -> None:
    derived = Registry().evaluations[paper].step(label).printed.derived
    assert derived is not None
    assert follows_words(derived) == words


def proved_derivations() -> dict[str, tuple[Derivation, dict[Formula, Any]]]:
    """The derivations of the papers that are kept as accepted, with what is kept of their formulas."""
    registry, kept, found = Registry(), kept_of("Coq", DERIVATIONS), {}
    for evaluation in registry.evaluations.values():
        for part in (*evaluation.paper.steps, *evaluation.paper.theorems):
            for each in (part, getattr(part, "repair", None)):
                derivation = getattr(each, "derivation", None)
                if derivation is not None and key_of_derivation(derivation) in kept:
                    answers = {
                        formula: evaluation.store.get(Claim(formula.variables, formula.assume, formula.claim)) or {}
                        for line in checked(derivation)
                        if line.name != PREMISES
                        for formula in (obligation.formula for obligation in line.obligations)
                    }
                    found[key_of_derivation(derivation)] = (derivation, answers)
    return found


def test_what_coq_accepted_of_derivations_is_what_is_written_now() -> None:
    found = proved_derivations()
    assert set(found) == kept_of("Coq", DERIVATIONS)
    assert len(found) >= 150
    now = {key: digest_of_derivation(*one) for key, one in found.items()}
    assert now == given_to("Coq", DERIVATIONS), "benchmarks/coq_judge.py --only derivations --new --keep"


def exported(tmp_path: Path) -> Path:
    """The theory that is written of the example's four lines, by the command line."""
    mine = shutil.copy("examples/my_derivations.py", tmp_path)
    command = (sys.executable, "-m", "dpcheck", "theorems", "--from", str(mine))
    for more in (("--prove", "--quiet"), ("--export", "coq", "--to", str(tmp_path / "theory"))):
        done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return tmp_path / "theory"


def test_a_line_is_exported_with_what_follows_it(tmp_path: Path) -> None:
    theory = exported(tmp_path)
    written = (theory / "derived_each.v").read_text(encoding="utf-8")
    assert "From Dpcheck Require Import prelude laws lemmas." in written
    assert re.search(r"^Theorem line :", written, re.MULTILINE)
    assert (theory / "laws.v").exists()


@needs_coq
@pytest.mark.extra
def test_coq_accepts_what_is_exported_of_a_users_paper(tmp_path: Path) -> None:
    theory = exported(tmp_path)
    lines = sorted(path.name for path in theory.glob("derived_*.v"))
    assert len(lines) == 4
    for name in ("prelude.v", "laws.v", "lemmas.v", *lines):
        command = ["coqc", "-q", "-R", ".", "Dpcheck", name]
        compiled = subprocess.run(command, cwd=theory, capture_output=True, check=False)
        assert compiled.returncode == 0, compiled.stderr.decode()[-500:]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("coq")
    prepare(directory, {})
    return directory


@needs_coq
@pytest.mark.extra
def test_coq_accepts_each_rule(prepared: Path) -> None:
    asked = [(f"d_{place}", each, answers_of(each)) for place, each in enumerate(DERIVED.values())]
    found, axioms = judge_derivations(prepared, asked)
    assert {name: said for name, said in found.items() if said.answer != "accepted"} == {}
    theirs = ("ClassicalDedekindReals.", "Classical_Prop.", "FunctionalExtensionality.", "PrimInt63.", "Uint63.")
    assert axioms
    assert {name for name in axioms if not name.startswith(theirs)} == set()


@needs_coq
@pytest.mark.extra
@pytest.mark.parametrize(
    ("name", "true", "false"),
    [
        ("markov", "(mean L_mu (fun p_w : L_mu => (f_X p_w))) / v_t", "(mean L_mu (fun p_w : L_mu => (f_X p_w))) / 2"),
        ("union", "<= (v_N * v_beta))", "<= v_beta)"),
        ("post-processing", "<= (((exp v_eps) *", "<= (((exp (v_eps / 2)) *"),
        ("functions", "(0 <= v_delta) ->", ""),
        ("induction", "(integer v_k) -> (0 <= v_k) ->", "(integer v_k) ->"),
        ("conditioning", "(f_b p_w))) = v_p", "(f_b p_w))) <= v_p"),
    ],
)  # fmt: skip
def test_coq_refuses_a_statement_that_is_another(
    prepared: Path, name: str, true: str, false: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    derivation = DERIVED[name]
    answers = answers_of(derivation)

    def damaged(derivation: Derivation, formulas: dict[Formula, Shown] | None = None) -> str:
        said = derivation_statement(derivation, formulas)
        assert true in said
        return false.join(said.rsplit(true, 1))

    monkeypatch.setattr("dpcheck.proof.coq.derivations.derivation_statement", damaged)
    monkeypatch.setattr(judging, "derivation_statement", damaged)
    [said] = judge_derivations(prepared, [("here", derivation, answers)])[0].values()
    assert said.answer in ("not accepted", "no answer")


@needs_coq
@pytest.mark.extra
@pytest.mark.parametrize("name", ["v_t", "L_mu", "f_X", "F_0"])
def test_what_stands_before_a_goal_is_no_theorem(prepared: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line("there", "mean(w: mu, X(w)) <= X(w0)", "point w0: mu")
    derivation = Derivation("law mu; X(mu) in [0, 1]; t in [0, 1]", (line,))

    def damaged(derivation: Derivation, formulas: dict[Formula, Shown] | None = None) -> str:
        said = derivation_statement(derivation, formulas)
        return said.replace("<= (f_X p_w0)", "<= ((f_X p_w0) - 1)")

    monkeypatch.setattr("dpcheck.proof.coq.derivations.derivation_statement", damaged)
    monkeypatch.setattr(judging, "derivation_statement", damaged)
    [said] = judge_derivations(prepared, [(name, derivation, answers_of(derivation))])[0].values()
    assert said.answer == "not accepted"


@needs_coq
@pytest.mark.extra
@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("f x <= g x) -> mean mu f <= mean mu g", "f x <= g x) -> mean mu g <= mean mu f"),
        ("over l (fun x => c * f x) = c * over l f", "over l (fun x => c * f x) = over l f"),
        ("size H = n -> (forall x, c * (1 * r) = g x)", "(forall x, c * (1 * r) = g x)"),
    ],
)
def test_coq_refuses_laws_that_are_damaged(
    tmp_path: Path, true: str, false: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = judging.laws_text().replace(true, false)
    assert damaged != judging.laws_text()
    monkeypatch.setattr(judging, "laws_text", lambda: damaged)
    with pytest.raises(InvalidArgument, match=r"Coq refuses laws\.v"):
        prepare(tmp_path, {})
