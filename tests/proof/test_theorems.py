"""The registry: against the papers' inventories, its statuses, and what happens to certificates that are not good."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.declared import check_derivations
from dpcheck.proof.derivation.lines import Derivation, Line
from dpcheck.proof.enumerations import as_data, files_of, name_of
from dpcheck.proof.instances import Enumeration
from dpcheck.proof.inventory import load_inventory
from dpcheck.proof.lemmas import LEMMAS
from dpcheck.proof.prover.conditions import relation_of
from dpcheck.proof.prover.language import names_in, parse_chain, parse_formula
from dpcheck.proof.prover.normal import is_zero
from dpcheck.proof.recheck import recheck
from dpcheck.proof.records import step_record, theorem_record
from dpcheck.proof.registry import Registry, installed
from dpcheck.proof.statement import Claim, Paper, Repair, Status, Step, Theorem
from dpcheck.proof.status import Evaluation, claims_of, shares
from dpcheck.proof.store import Store, key_of, open_store
from tests.printed import formulas_in

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "my_theorems.py"
DONE = [paper for paper, _ in installed()]


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry()


@pytest.mark.parametrize("paper", DONE, ids=lambda paper: paper.key)
def test_every_result_and_every_step_of_the_paper_is_in_the_registry_and_nothing_else(paper: Paper) -> None:
    inventory = load_inventory(paper.key)
    assert sorted(theorem.id for theorem in paper.theorems) == sorted(result.id for result in inventory.results)
    assert [step.label for step in paper.steps] == [step.label for step in inventory.steps]
    proofs = {label for theorem in paper.theorems for label in theorem.steps}
    assert proofs == {step.label for step in paper.steps}


@pytest.mark.parametrize("paper", DONE, ids=lambda paper: paper.key)
def test_what_a_result_rests_on_is_in_the_registry(paper: Paper) -> None:
    ids = {theorem.id for theorem in paper.theorems}
    used = {use for theorem in paper.theorems for use in theorem.uses}
    used |= {use for step in paper.steps for use in (*step.uses, *(step.repair.uses if step.repair else ()))}
    assert used <= ids


@pytest.mark.parametrize("paper", DONE, ids=lambda paper: paper.key)
def test_what_checks_a_result_exists(paper: Paper) -> None:
    for theorem in paper.theorems:
        for path in theorem.checks:
            assert (ROOT / path).is_file(), f"{theorem.id}: {path}"
        for learner in theorem.learners:
            module, _, name = learner.partition(":")
            assert hasattr(__import__(module, fromlist=[name]), name), learner
        if theorem.bounds is not None:
            assert theorem.bounds()


@pytest.mark.some(1)
@pytest.mark.parametrize("paper", DONE, ids=lambda paper: paper.key)
def test_few_steps_are_undecided_or_hold_on_instances_only(paper: Paper, registry: Registry) -> None:
    evaluation = registry.evaluations[paper.key]
    counts = shares(evaluation.step(step.label) for step in paper.steps)
    whole = sum(counts.values())
    assert counts[Status.UNDECIDED] < 0.05 * whole
    assert counts[Status.HOLDS] <= 0.2 * whole


@pytest.mark.turns(6)
@pytest.mark.parametrize("paper", DONE, ids=lambda paper: paper.key)
def test_every_refuted_step_says_why_and_is_repaired(paper: Paper, registry: Registry) -> None:
    for step in paper.steps:
        result = registry.evaluations[paper.key].step(step.label)
        if result.status is Status.REFUTED:
            assert step.erratum is not None, step.label
            assert step.erratum.quotes, step.label
            assert step.erratum.quality == "clean" or step.erratum.readings, step.label
            assert result.repair is not None, step.label
            assert result.repaired.rank >= Status.CITED.rank, (step.label, result.repair.words)
        else:
            assert step.repair is None, f"{step.label} has a repair and is {result.status}"


@pytest.mark.parametrize("paper", DONE, ids=lambda paper: paper.key)
def test_steps_that_hold_on_instances_look_at_a_thousand_and_say_what_is_missing_as_argued_ones_do(
    paper: Paper, registry: Registry
) -> None:
    for step in paper.steps:
        result = registry.evaluations[paper.key].step(step.label)
        assert bool(step.needed) == (result.status in (Status.HOLDS, Status.ARGUED)), step.label
        if result.status is Status.HOLDS:
            assert result.printed.instances is not None
            assert result.printed.instances.count >= 1_000, step.label
            assert step.needed, step.label


@pytest.mark.turns(3)
@pytest.mark.parametrize("paper", DONE, ids=lambda paper: paper.key)
def test_every_derivation_of_the_paper_is_of_its_line_and_proved(paper: Paper, registry: Registry) -> None:
    check_derivations(paper, paper.key)
    evaluation = registry.evaluations[paper.key]
    labels = [step.label for step in paper.steps if step.derivation is not None]
    assert len(labels) >= 10
    assert {label: evaluation.step(label).status for label in labels} == dict.fromkeys(labels, Status.PROVED)
    for theorem in paper.theorems:
        assert theorem.derivation is None or evaluation.theorem(theorem.id).status is Status.PROVED


_WITNESSES = {
    f"{witness.__module__.rpartition('.')[2]}.{getattr(witness, '__name__', witness)}": witness
    for paper in DONE
    for witness in dict.fromkeys(found.witness for found in (*paper.steps, *paper.theorems))
    if witness is not None
}


@pytest.mark.turns(6)
@pytest.mark.parametrize("witness", _WITNESSES.values(), ids=list(_WITNESSES))
def test_every_witness_stands_when_it_is_computed_again(witness: Callable[[], Enumeration]) -> None:
    found = witness()
    assert found.failure == ""
    assert found.count >= 1


@pytest.mark.parametrize("paper", DONE, ids=lambda paper: paper.key)
def test_printed_formulas_are_what_is_decided(paper: Paper) -> None:
    """Each printed part that parses, over the variables of the step's formulas, is a link of theirs up to identity."""
    compared = []
    for line in load_inventory(paper.key).steps:
        claims = [parse_formula(claim.formula) for claim in paper.step(line.label).claims]
        names = {domain.name for problem in claims for domain in problem.domains}
        links = [link for problem in claims for link in (*problem.claim, *problem.assumptions)]
        for text in formulas_in(line.printed, paper.step(line.label).spelled):
            try:
                printed = parse_chain(text, names)
            except InvalidArgument:
                continue  # words, or letters that the formulas have other names for
            for link in printed:
                assert any(
                    other.relation == link.relation
                    and is_zero(_difference(relation_of(other)[0], relation_of(link)[0]))
                    for other in links
                ), f"{line.label}: {link}"
                compared.append(line.label)
    assert len(set(compared)) >= 8, compared


def _difference(first: Any, second: Any) -> Any:
    from dpcheck.proof.prover.language import Expression

    return Expression("-", (first, second))


def test_the_comparison_of_renderings_can_fail() -> None:
    (text,) = formulas_in("`(1-1/(100 n_pub))^{n_pub} >= 0.99`")
    (printed,) = parse_chain(text, {"n_pub"})
    (other,) = parse_chain("(1 - 1/(10*n_pub))^n_pub >= 0.99", {"n_pub"})
    assert names_in(printed.left) == {"n_pub"}
    assert not is_zero(_difference(relation_of(printed)[0], relation_of(other)[0]))


def test_the_named_lemmas_replay(registry: Registry) -> None:
    assert list(registry.evaluations["alon2019"].lemmas()) == list(LEMMAS)


def _evaluation(paper: Paper, answers: dict[str, dict[str, Any]]) -> Evaluation:
    lemmas = open_store(ROOT / "dpcheck" / "theorems" / "certificates" / "lemmas.json")
    return Evaluation(paper, Store(Path("unused.json"), answers), lemmas)


def test_a_certificate_for_another_statement_proves_nothing() -> None:
    true = Claim("x in (0, 1)", "", "x^2 < x")
    false = Claim("x in (0, 2)", "", "x^2 < x")
    from dpcheck.proof.prover.decide import decide

    proof = json.loads(json.dumps(decide(true.formula).certificate))
    paper = Paper("none", "none", (), (Step("a", (true,)), Step("b", (false,))))
    evaluation = _evaluation(paper, {key_of(true): {"proof": proof}, key_of(false): {"proof": proof}})
    assert evaluation.step("a").status is Status.PROVED
    assert evaluation.step("b").status is Status.UNDECIDED
    assert "does not replay" in evaluation.step("b").printed.words


def test_a_missing_or_stale_certificate_leaves_a_step_undecided() -> None:
    paper = Paper("none", "none", (), (Step("a", (Claim("x in (0, 1)", "", "x < 1"),)),))
    assert _evaluation(paper, {}).step("a").status is Status.UNDECIDED
    assert key_of(Claim("x in (0, 1)", "", "x < 1")) != key_of(Claim("x in (0, 1]", "", "x < 1"))


def test_a_witness_that_does_not_refute_is_not_believed() -> None:
    claim = Claim("x in [0, 1]", "", "x <= 1")
    paper = Paper("none", "none", (), (Step("a", (claim,)),))
    assert _evaluation(paper, {key_of(claim): {"witness": {"x": "1"}}}).step("a").status is Status.UNDECIDED


def test_a_step_that_says_nothing_is_undecided() -> None:
    assert _evaluation(Paper("none", "none", (), (Step("a"),)), {}).step("a").status is Status.UNDECIDED


def test_a_result_of_which_nothing_is_said_is_undecided() -> None:
    paper = Paper("none", "none", (Theorem("t", "t"), Theorem("s", "s", uses=("t",)), Theorem("d", "d", stated=True)))
    evaluation = _evaluation(paper, {})
    assert [evaluation.theorem(id).status for id in "tsd"] == [Status.UNDECIDED, Status.UNDECIDED, Status.STATED]
    assert evaluation.theorem("t").repaired is Status.UNDECIDED


def test_results_that_rest_on_each_other_in_a_circle_are_an_error() -> None:
    paper = Paper("none", "none", (Theorem("a", "a", uses=("b",)), Theorem("b", "b", uses=("a",))))
    with pytest.raises(InvalidArgument, match="circle: a -> b -> a"):
        _evaluation(paper, {}).theorem("a")


def test_a_result_that_rests_on_itself_is_a_circle_unless_it_is_cited() -> None:
    right = Claim("", "", "0 <= 1")
    proofs = {key_of(right): {"proof": {"satisfiable": {}, "link 0": ["interval"]}}}
    steps = (Step("a", (right,), uses=("t",)), Step("b", (right,), uses=("c",)))
    paper = Paper(
        "none", "none", (Theorem("t", "t", steps=("a",)), Theorem("c", "c", steps=("b",), cited="elsewhere")), steps
    )
    with pytest.raises(InvalidArgument, match="circle: t -> t"):
        _evaluation(paper, proofs).theorem("t")
    assert _evaluation(paper, proofs).theorem("c").status is Status.CITED


def test_definitions_alone_prove_nothing() -> None:
    entries = (Theorem("d", "d", stated=True), Theorem("t", "t", uses=("d",)), Theorem("s", "s", steps=("a",)))
    evaluation = _evaluation(Paper("none", "none", entries, (Step("a", stated=True),)), {})
    for id in "ts":
        found = evaluation.theorem(id)
        assert {found.status, found.proof, found.repaired} == {Status.UNDECIDED}


def test_a_refuted_result_without_a_proof_of_anything_else_is_not_repaired() -> None:
    right = Claim("", "", "0 <= 1")
    proofs = {key_of(right): {"proof": {"satisfiable": {}, "link 0": ["interval"]}}}
    paper = Paper("none", "none", (Theorem("t", "t", against=(right,)), Theorem("s", "s", uses=("t",))))
    evaluation = _evaluation(paper, proofs)
    assert (evaluation.theorem("t").status, evaluation.theorem("t").repaired) == (Status.REFUTED, Status.UNDECIDED)
    assert evaluation.theorem("s").repaired is Status.UNDECIDED


def test_an_enumeration_of_nothing_shows_nothing() -> None:
    right = Claim("", "", "0 <= 1")
    proofs = {key_of(right): {"proof": {"satisfiable": {}, "link 0": ["interval"]}}}
    steps = (
        Step("a", instances=lambda: Enumeration("none", 0)),
        Step("b", against=(right,), witness=lambda: Enumeration("none", 0)),
    )
    entry = Theorem("t", "t", against=(right,), witness=lambda: Enumeration("none", 0))
    evaluation = _evaluation(Paper("none", "none", (entry,), steps), proofs)
    assert evaluation.step("a").status is Status.UNDECIDED
    assert evaluation.step("b").status is Status.UNDECIDED
    assert evaluation.theorem("t").status is Status.UNDECIDED


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ("(Theorem('p:t', 't', steps=('a',)),), (Step('a'), Step('a'))", "the step 'a' of p is declared twice"),
        (
            "(Theorem('p:t', 't', steps=('b',)),), (Step('a'),)",
            "the proof of p:t has a step 'b', which p does not declare",
        ),
        ("(Theorem('p:t', 't', uses=('alon2019:lem-3.2',)),)", "p:t uses 'alon2019:lem-3.2', which is no result of p"),
        (
            "(Theorem('p:t', 't', steps=('a',)),), (Step('a', uses=('p:s',)),)",
            "step a uses 'p:s', which is no result of p",
        ),
    ],
)
def test_a_paper_that_names_what_it_does_not_have_is_refused(tmp_path: Path, declared: str, words: str) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(f"from dpcheck.proof.statement import *\nPAPER = Paper('p', 'p', {declared})\n")
    with pytest.raises(InvalidArgument, match=words):
        Registry(mine)


class _Family:
    def __init__(self, size: int) -> None:
        self.size = size

    def run(self) -> Enumeration:
        return Enumeration("numbers", self.size)


def test_the_methods_of_two_objects_have_no_name_that_tells_them_apart() -> None:
    assert name_of(_Family(3).run) is None
    assert as_data(_Family(3).run, _Family(3).run()) is None


def test_a_statement_is_refuted_by_its_own_instance_never_by_its_proof() -> None:
    wrong = Claim("", "", "1 <= 0")
    paper = Paper("none", "none", (Theorem("t", "t", steps=("a",), proved_by=""),), (Step("a", (wrong,)),))
    found = _evaluation(paper, {key_of(wrong): {"witness": {}}}).theorem("t")
    assert (found.proof, found.status) == (Status.REFUTED, Status.UNDECIDED)


def test_a_repaired_proof_rests_on_what_its_repairs_use() -> None:
    wrong, right = Claim("", "", "1 <= 0"), Claim("", "", "0 <= 1")
    step = Step("a", (wrong,), repair=Repair("0 <= 1", "statement", (right,), uses=("s",)))
    paper = Paper("none", "none", (Theorem("t", "t", steps=("a",)), Theorem("s", "s", cited="elsewhere")), (step,))
    proof = {"satisfiable": {}, "link 0": ["interval"]}
    found = _evaluation(paper, {key_of(wrong): {"witness": {}}, key_of(right): {"proof": proof}}).theorem("t")
    assert found.steps[0].repaired is Status.PROVED
    assert (found.proof, found.repaired) == (Status.REFUTED, Status.CITED)


@pytest.mark.turns(6)
def test_a_status_that_nothing_has_is_said_in_one_line() -> None:
    ran = _command("--paper", "alon2019", "--status", "vacuous")
    assert ran.returncode == 5
    assert ran.stderr.strip() == "dpcheck: no result or step here is VACUOUS"


def test_records_have_the_fields_of_the_contract(registry: Registry) -> None:
    paper = registry.papers["alon2019"]
    record = theorem_record(paper, registry.evaluations["alon2019"].theorem("alon2019:clm-4.6"))
    wanted = {"id", "paper", "kind", "title", "status", "proof_status", "repaired_status", "depends_on", "steps"}
    assert wanted <= record.keys()
    step = step_record(paper, registry.evaluations["alon2019"].step("C46.17a"))
    wanted = {
        "label",
        "statement",
        "domain",
        "status",
        "method",
        "slack",
        "witness",
        "certificate",
        "repair",
        "reading",
    }
    assert wanted | {"severity"} <= step.keys()
    json.dumps(record)


def _command(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dpcheck", "theorems", *arguments], capture_output=True, text=True, check=False, cwd=cwd
    )


@pytest.mark.turns(6)
def test_the_command_lists_the_results_and_the_shares() -> None:
    ran = _command("--paper", "alon2019", "--recheck")
    assert ran.returncode == 0, ran.stderr
    assert "lem-3.3-growth" in ran.stdout
    assert "54 steps:" in ran.stdout
    assert "certificates replayed" in ran.stderr


@pytest.mark.turns(6)
def test_the_command_shows_one_result_with_its_witness() -> None:
    ran = _command("clm-4.6")
    assert ran.returncode == 0, ran.stderr
    assert "59/900 against 1/17" in ran.stdout or "1/18 + 0.01" in ran.stdout
    ran = _command("alon2019:clm-4.6", "--witness")
    assert "C46.17a: REFUTED" in ran.stdout


@pytest.mark.turns(6)
def test_the_command_evaluates_and_solves_bounds() -> None:
    values = ["accuracy=0.1", "failure=0.05", "vc=1"]
    ran = _command("alon2019:lem-3.3", "--evaluate", *values)
    assert ran.returncode == 0, ran.stderr
    assert "public >= 1219" in ran.stdout
    letters = _command("alon2019:lem-3.3", "--evaluate", "alon2019:alpha=0.1", "alon2019:beta=0.05", "alon2019:d=1")
    assert letters.stdout == ran.stdout
    solved = _command("alon2019:lem-3.3", "--solve", "accuracy", "--given", "public=1219", "failure=0.05", "vc=1")
    assert "accuracy = 0.0999" in solved.stdout, solved.stdout + solved.stderr


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["lem-3.33"], "did you mean 'alon2019:lem-3.3' or '"),
        (["clm-4.66"], "did you mean 'alon2019:clm-4.6'"),
        (["thm-3.1"], "is the id of 2 results: alon2019:thm-3.1, bassily2018:thm-3.1"),
        (["--paper", "alon2018"], "did you mean 'alon2019'"),
        (["--status", "refutd"], "did you mean 'refuted'"),
        (["alon2019:thm-3.1", "--evaluate", "acuracy=0.1"], "did you mean 'accuracy'"),
        (["alon2019:thm-3.1", "--evaluate", "accuracy=2"], "accuracy"),
        (["alon2019:lem-3.2", "--evaluate", "epsilon=1"], "no explicit bound"),
        (["--evaluate", "accuracy=0.1"], "ID must say"),
        (["accuracy=0.1"], "must come with --evaluate"),
        (["--from", "no_such_file.py"], "no such file"),
        (["alon2019"], "--paper alon2019"),
        (["T31.argmin"], "is a line of the proof of alon2019:thm-3.1"),
        (
            ["alon2019:thm-3.1", "--evaluate", "accuracy=0.1", "failure=0.05", "epsilon=-1", "vc=3"],
            "epsilon must be in",
        ),
        (["--paper", "beimel2015", "alon2019:thm-3.1"], "--paper must be the paper of the ID"),
        (["--compare", "--witness"], "must not come together"),
        (["alon2019:thm-3.1", "--status", "proved"], "--status must come without an ID"),
    ],
)
def test_wrong_arguments_get_one_line_and_status_2(arguments: list[str], words: str) -> None:
    ran = _command(*arguments)
    assert ran.returncode == 2, ran.stdout + ran.stderr
    assert words in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1


@pytest.mark.turns(6)
def test_a_paper_of_ones_own_is_proved_and_refuted(tmp_path: Path) -> None:
    mine = tmp_path / "my_theorems.py"
    shutil.copy(EXAMPLE, mine)
    before = _command("--from", str(mine), "--json")
    assert {step["status"] for step in json.loads(before.stdout)[0]["steps"]} == {"UNDECIDED"}
    ran = _command("--from", str(mine), "--prove", "--json")
    assert ran.returncode == 0, ran.stderr
    (record,) = json.loads(ran.stdout)
    assert (record["status"], record["proof_status"], record["repaired_status"]) == (
        "UNDECIDED",
        "REFUTED",
        "ARGUED",
    )
    assert [step["status"] for step in record["steps"]] == ["ARGUED", "REFUTED"]
    assert (tmp_path / "my_theorems.certificates.json").is_file()
    assert "1/8" in _command("--from", str(mine), "--witness").stdout


@pytest.mark.turns(6)
def test_a_damaged_certificate_is_found_by_recheck(tmp_path: Path) -> None:
    mine = tmp_path / "my_theorems.py"
    shutil.copy(EXAMPLE, mine)
    assert _command("--from", str(mine), "--prove", "--quiet").returncode == 0
    kept = tmp_path / "my_theorems.certificates.json"
    kept.write_text(kept.read_text().replace('"combine"', '"interval"'))
    ran = _command("--from", str(mine), "--recheck")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "does not replay" in ran.stderr


_COUNTING = """
from dpcheck.proof.instances import Enumeration
from dpcheck.proof.statement import Paper, Step, Theorem
from numbers_of_mine import LIMIT

def counted():
    with open({log!r}, "a") as log:
        print("run", file=log)
    return Enumeration("numbers", LIMIT)

PAPER = Paper("mine", "Mine", (Theorem("mine:t", "t", steps=("a",)),), (Step("a", instances=counted),))
"""


def _counting(folder: Path, limit: int = 1000) -> tuple[Path, Path]:
    """A user's module whose enumeration writes a line whenever it runs, and the file of those lines."""
    log = folder / "log.txt"
    log.touch()
    (folder / "numbers_of_mine.py").write_text(f"LIMIT = {limit}\n")
    (folder / "counting.py").write_text(_COUNTING.format(log=str(log)))
    return folder / "counting.py", log


def _runs(log: Path) -> int:
    return len(log.read_text().splitlines())


@pytest.mark.turns(6)
def test_enumerations_are_kept_until_their_source_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    mine, log = _counting(tmp_path)
    here = ("--from", str(mine), "--json")
    assert "HOLDS ON 1,000 INSTANCES" in _command(*here).stdout
    assert _runs(log) == 1
    ran = _command(*here, "--prove")
    assert "ran 1 enumerations" in ran.stderr
    before = _runs(log)
    assert "HOLDS ON 1,000 INSTANCES" in _command(*here).stdout
    assert "ran" not in _command(*here, "--prove").stderr
    assert _runs(log) == before
    _counting(tmp_path, limit=2000)  # a module that it imports is another one now
    assert "HOLDS ON 2,000 INSTANCES" in _command(*here).stdout
    assert _runs(log) == before + 1


@pytest.mark.extra
def test_recheck_computes_enumerations_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    mine, log = _counting(tmp_path)
    assert _command("--from", str(mine), "--prove").returncode == 0
    ran = _command("--from", str(mine), "--recheck")
    assert (ran.returncode, _runs(log)) == (0, 2), ran.stderr
    assert "1 enumerations computed in" in ran.stderr
    kept = tmp_path / "counting.certificates.json"
    kept.write_text(kept.read_text().replace("1000", "1001"))
    assert "HOLDS ON 1,000 INSTANCES" in _command("--from", str(mine), "--json").stdout  # not believed
    ran = _command("--from", str(mine), "--recheck")
    assert ran.returncode == 1
    assert "counted: kept is" in ran.stderr
    assert "computed is" in ran.stderr


def _three() -> Enumeration:
    return Enumeration("numbers", 3, "")


@pytest.mark.turns(6)
def test_a_forged_result_of_an_enumeration_is_found_by_recheck_and_a_tampered_one_is_not_believed() -> None:
    paper = Paper("none", "none", (), (Step("a", instances=_three, needed="nothing"),))
    name, right = name_of(_three), as_data(_three, _three())
    assert name is not None
    assert right is not None
    forged = as_data(_three, Enumeration("numbers", 4, ""))  # with the digest that goes with it
    assert forged is not None
    for entry, shown, told in (
        (right, 3, 0),
        ({**right, "count": 4}, 3, 1),
        ({**right, "failure": "of mine"}, 3, 1),
        ({**right, "digest": "0"}, 3, 0),
        ({}, 3, 0),
        (forged, 4, 1),
    ):
        evaluation = _evaluation(paper, {})
        evaluation.store.enumerations[name] = entry
        counted = evaluation.step("a").printed.instances
        assert counted is not None
        assert counted.count == shown
        registry = Registry()
        registry.papers["none"], registry.evaluations["none"] = paper, evaluation
        found = recheck(registry, [paper], jobs=1)["none"]
        assert len(found.differing) == told, entry
        assert found.computed[_three] == _three()


def test_an_enumeration_that_raises_is_told_by_recheck() -> None:
    def broken() -> Enumeration:
        raise ArithmeticError("no")

    paper = Paper("none", "none", (), (Step("a", instances=broken),))
    registry = Registry()
    registry.papers["none"], registry.evaluations["none"] = paper, _evaluation(paper, {})
    (told,) = recheck(registry, [paper], jobs=1)["none"].differing
    assert "raised ArithmeticError: no" in told


@pytest.mark.extra
def test_rechecking_on_two_processes_gives_what_one_gives(registry: Registry) -> None:
    papers = [registry.papers["alon2019"]]
    alone, together = (recheck(Registry(), papers, jobs=jobs)["alon2019"] for jobs in (1, 2))
    assert [result.status for result in alone.claims] == [result.status for result in together.claims]
    assert alone.computed == together.computed
    assert (together.differing, together.unkept) == ([], 0)


def test_what_a_module_imports_is_part_of_its_source(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for name, text in (
        ("top.py", "from inner import (\n    first,\n    second,\n)\nimport numpy as np\nfrom side import x\n"),
        ("inner/__init__.py", "from .third import second\n"),
        ("inner/first.py", "def f():\n    from . import fourth\n"),
        ("inner/third.py", "second = 1\n"),
        ("inner/fourth.py", "from dpcheck.proof import instances\n"),
        ("side.py", ""),
        ("unused.py", ""),
    ):
        (tmp_path / name).write_text(text)
    wanted = {"top", "inner", "inner.first", "inner.third", "inner.fourth", "side", "dpcheck.proof.instances"}
    assert files_of("top", tmp_path / "top.py").keys() == wanted


@pytest.mark.parametrize(
    "text",
    [
        "import os; import side, third\n",
        "from os import path; from third import f; import side\n",
        "if True: import side, third\n",
        "try: from side import x  # why\nexcept ImportError: from third import y\n",
        "from inner import (\n    x,  # what (and why)\n    side,  # that, too\n    third,\n)\n",
    ],
)
def test_imports_are_found_wherever_they_stand(tmp_path: Path, text: str) -> None:
    (tmp_path / "inner").mkdir()
    for name in ("side.py", "third.py", "inner/__init__.py", "inner/side.py", "inner/third.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "top.py").write_text(text)
    found = {name.rpartition(".")[2] for name in files_of("top", tmp_path / "top.py")}
    assert found >= {"top", "side", "third"}


@pytest.mark.turns(4)
def test_a_module_without_a_paper_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("x = 1\n")
    ran = _command("--from", str(tmp_path / "empty.py"))
    assert ran.returncode == 2
    assert "must declare PAPER" in ran.stderr


def test_claims_of_a_paper_are_listed_once_each() -> None:
    for paper in DONE:
        claims = claims_of(paper)
        assert len(claims) == len(set(claims))


def test_a_refuted_line_or_result_below_never_refutes_a_statement() -> None:
    wrong = Claim("", "", "1 <= 0")
    steps = (Step("a", (wrong,)), Step("b", (Claim("", "", "0 <= 1"),)))
    paper = Paper(
        "none", "none", (Theorem("t", "t", steps=("a",)), Theorem("s", "s", steps=("b",), uses=("t",))), steps
    )
    proof = {"satisfiable": {}, "link 0": ["interval"]}
    answers = {key_of(wrong): {"witness": {}}, key_of(Claim("", "", "0 <= 1")): {"proof": proof}}
    evaluation = _evaluation(paper, answers)
    assert [evaluation.theorem(id).status for id in "ts"] == [Status.UNDECIDED, Status.UNDECIDED]
    assert [evaluation.theorem(id).proof for id in "ts"] == [Status.REFUTED, Status.UNDECIDED]
    own = Paper("none", "none", (Theorem("t", "t", claims=(wrong,)),))
    assert _evaluation(own, answers).theorem("t").status is Status.REFUTED


def test_formulas_that_words_lead_from_are_argued_and_so_is_every_statement_without_a_derivation() -> None:
    claim = Claim("", "", "0 <= 1")
    steps = (Step("a", (claim,)), Step("b", (claim,), because="0 is less"))
    derivation = Derivation("", (Line("x", "0 <= 1"),), says=("0 <= 1",))
    theorems = (
        Theorem("a", "a", steps=("a",)), Theorem("b", "b", steps=("b",)), Theorem("c", "c", claims=(claim,)),
        Theorem("d", "d", steps=("a",), statement="0 <= 1", derivation=derivation),
    )  # fmt: skip
    proof = {"satisfiable": {}, "link 0": ["interval"]}
    evaluation = _evaluation(Paper("none", "none", theorems, steps), {key_of(claim): {"proof": proof}})
    assert [evaluation.step(label).status for label in "ab"] == [Status.PROVED, Status.ARGUED]
    assert [evaluation.theorem(id).proof for id in "abcd"] == [
        Status.PROVED, Status.ARGUED, Status.ARGUED, Status.PROVED
    ]  # fmt: skip
    assert [evaluation.theorem(id).status for id in "abcd"] == [Status.ARGUED] * 3 + [Status.PROVED]
    assert evaluation.theorem("a").words.startswith("all its steps are PROVED or better; that this is the statement")
    assert evaluation.theorem("c").words.startswith("its own formulas are proved; that this is the statement")


@pytest.mark.parametrize("of", ["steps", "claims"])
def test_a_famous_statement_is_not_proved_by_a_trivial_line(tmp_path: Path, of: str) -> None:
    mine = tmp_path / "mine.py"
    claims = "(Claim('x in [0, 1]', '', 'x <= 2'),)"
    rest = "steps=('s',)" if of == "steps" else f"claims={claims}"
    mine.write_text(
        "from dpcheck.proof.statement import Claim, Paper, Step, Theorem\n"
        f"PAPER = Paper('mine', 'Mine', (Theorem('mine:thm', 'P = NP', statement='P = NP', {rest}),),\n"
        f"    (Step('s', printed='x <= 2 for x in [0, 1]', claims={claims}),))\n"
    )
    ran = _command("--from", str(mine), "--prove", "--json", "--paper", "mine")
    assert json.loads(ran.stdout)[0]["status"] == "ARGUED"
    shown = _command("--from", str(mine), "mine:thm").stdout
    assert "statement: ARGUED" in shown
    assert "argued in words" in shown
    assert "x <= 2   for x in [0, 1]" in shown


_FOR_P_IS_NP = {
    "another relation": "'x in [0, 1]', (Line('c', 'x <= 2'),), says=('P = NP',), notation=(('x', 'a number'),)",
    "a relation of its own": "'x in [0, 1]', (Line('c', 'x = 1*x'),), says=('P = NP',), notation=(('x', 'a number'),)",
    "its names": "'P in [0, 1]; NP in [0, 1]', (Line('c', 'P = 1*P'),), says=('P = NP',)",
    "the names in one": "'P in [0, 1]; NP in [0, 1]', (Line('c', 'P + NP = NP + P'),), says=('P = NP',)",
    "a piece without the relation": "'NP in [0, 1]', (Line('c', 'NP <= 2'),), says=('NP',)",
    "a piece and its own relation": "'NP in [0, 1]', (Line('c', 'NP = 1*NP'),), says=('NP',)",
    "nothing said": "'P in [0, 1]', (Line('c', 'P = 1*P'),)",
    "the premise": (
        "'P in [0, 1]; NP in [0, 1]', (Line('c', '2*P = 2*NP', using=('g',)),), "
        "given=(Given('g', 'P = NP', 'definition: so it is'),), says=('P = NP',)"
    ),
    "the premise turned": (
        "'P in [0, 1]; NP in [0, 1]', (Line('c', 'NP = P', using=('g',)),), "
        "given=(Given('g', 'P = NP', 'printed: P = NP'),), says=('P = NP',)"
    ),
    "premises that contradict each other": (
        "'P in [0, 1]; NP in [0, 1]', (Line('c', 'P = NP', using=('g', 'h')),), "
        "given=(Given('g', 'P = 0', 'definition: a'), Given('h', 'P = 1', 'definition: b')), says=('P = NP',)"
    ),
    "a premise outside of its domain": (
        "'P in [0, 1]; NP in [0, 1]', (Line('c', 'P = NP', using=('g',)),), "
        "given=(Given('g', 'P = 2', 'definition: a'),), says=('P = NP',)"
    ),
    "a result that is cited": (
        "'P in [0, 1]; NP in [0, 1]', (Line('c', 'P = NP', using=('g',)),), "
        "given=(Given('g', 'P <= NP <= P', 'result: mine:other'),), says=('P = NP',)"
    ),
}


@pytest.mark.parametrize("arguments", _FOR_P_IS_NP.values(), ids=list(_FOR_P_IS_NP))
def test_nor_by_a_derivation_of_something_else(arguments: str, tmp_path: Path) -> None:
    from dpcheck.proof.certificate_search import find_certificates

    mine = tmp_path / "mine.py"
    mine.write_text(
        "from dpcheck.proof.derivation.lines import Derivation, Given, Line\n"
        "from dpcheck.proof.statement import Paper, Step, Theorem\n"
        f"PAPER = Paper('mine', 'Mine', (Theorem('mine:thm', 'P = NP', statement='P = NP',\n"
        f"    derivation=Derivation({arguments})), Theorem('mine:other', 'other', cited='elsewhere')))\n"
    )
    try:
        evaluation = Registry(mine).evaluations["mine"]
    except InvalidArgument:
        return  # refused
    find_certificates(evaluation)
    assert Registry(mine).evaluations["mine"].theorem("mine:thm").status not in (Status.PROVED, Status.HOLDS)


_NO_LINE = {
    "Step('s', printed='P = NP', claims=(Claim('x in [0, 1]', '', 'x <= 2'),))": (
        "step s: its formulas have x, which the printed line has not: say in because what stands for what"
    ),
    "Step('s', printed='P = NP', claims=(Claim('', '', '3 <= 4'),))": "step s: its formulas have 3, 4",
    "Step('s', printed='x <= y', claims=(Claim('x in [0, 1]; y in [0, 1]', 'x <= y', 'y >= x'),))": (
        "a formula of step s assumes what it claims: y >= x"
    ),
    "Step('s', printed='x <= 1', derivation=Derivation('x in [0, 1]', (Line('a', 'x <= 1'),)))": (
        "the derivation of step s: says must have the pieces of the printed line that the conclusion is"
    ),
    "Step('s', printed='x <= 1', derivation=Derivation('x in [0, 1]', (Line('a', 'y <= 1'),), says=('x <= 1',)))": (
        "the derivation of step s: line 'a': 'y' is no number, point or function"
    ),
    "Step('s', printed='at most 1', derivation=Derivation('y in [0, 1]', (Line('a', 'y <= 1'),), says=('most 1',)))": (
        "the derivation of step s: notation must say what y is, which the printed text does not name"
    ),
    "Step('s', printed='x <= 1', derivation=Derivation('y in [0, 1]', (Line('a', 'y <= 1'),), says=('x <= 1',)))": (
        "the derivation of step s: notation must say what x is, which says has"
    ),
    "Step('s', printed='x < 1', derivation=Derivation('x in [0, 1/2]', (Line('a', 'x <= 1'),), says=('x < 1',)))": (
        "the derivation of step s: says has 'x < 1', which the conclusion is not"
    ),
    "Step('s', derivation=Derivation('x in [0, 1]', [Line('a', 'x <= 1')]))": "lines must be a tuple of Line, got",
}


@pytest.mark.parametrize(("step", "words"), _NO_LINE.items(), ids=list(map(str, range(len(_NO_LINE)))))
def test_formulas_and_derivations_that_are_not_of_their_line_are_refused(step: str, words: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from dpcheck.proof.derivation.lines import Derivation, Line\n"
        "from dpcheck.proof.statement import Claim, Paper, Step, Theorem\n"
        f"PAPER = Paper('mine', 'Mine', (Theorem('mine:t', 't', steps=('s',)),), ({step},))\n"
    )
    with pytest.raises(InvalidArgument) as caught:
        Registry(mine)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.turns(6)
def test_four_lines_about_probability_are_derived_from_events_up(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    shutil.copy(ROOT / "examples" / "my_derivations.py", mine)
    assert len(mine.read_text().splitlines()) < 80
    (record,) = json.loads(_command("--from", str(mine), "--prove", "--json", "--paper", "derived").stdout)
    assert [step["status"] for step in record["steps"]] == ["PROVED"] * 4
    assert record["proof_status"] == "PROVED"
    assert record["status"] == "ARGUED"
    lines = record["steps"][2]["derivation"]["lines"]
    assert [line["name"] for line in lines] == ["(premises)", "far", "one", "some", "all"]
    assert all(formula["certificate"] for line in lines for formula in line["formulas"])
    shown = _command("--from", str(mine), "guarded-answer").stdout
    assert "derivation PROVED" in shown
    text = mine.read_text()
    assert "mean(c: coins, F(A(dd, c))) + (1 + exp(eps))*delta" in text
    mine.write_text(text.replace("(1 + exp(eps))*delta", "2*delta"))  # one step of group privacy too little
    (record,) = json.loads(_command("--from", str(mine), "--prove", "--json", "--paper", "derived").stdout)
    assert [step["status"] for step in record["steps"]] == ["PROVED", "UNDECIDED", "PROVED", "PROVED"]


@pytest.mark.turns(6)
def test_what_is_proved_against_a_line_is_shown_with_its_conditions() -> None:
    ran = _command("wang2016:rem-B.rate", "--witness")
    assert ran.returncode == 0, ran.stderr
    assert "where r >= 4*C" in ran.stdout
    shown = _command("wang2016:rem-B.rate").stdout
    assert "the opposite: PROVED" in shown


_FAULTY = {
    "Theorem('mine:t', 't', steps=('b',))": "has a step 'b', which mine does not declare; there are a",
    "Theorem('mine:t', 't', uses=('mine:s',))": "mine:t uses 'mine:s', which is no result of mine",
    "Theorem('mine:t', 't', uses=('mine:s',)), Theorem('mine:s', 's', uses=('mine:t',))": (
        "in a circle: mine:t -> mine:s -> mine:t"
    ),
    "Theorem('mine:t', 't', claims=(Claim('x in (0, 1)', '', 'ln(x) <= 0'),))": "a formula of mine:t is not of the",
}


@pytest.mark.some(1)
@pytest.mark.parametrize(("theorems", "words"), _FAULTY.items())
def test_faults_of_a_paper_of_ones_own_are_said_in_one_line(theorems: str, words: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from dpcheck.proof.statement import Claim, Paper, Step, Theorem\n"
        f"PAPER = Paper('mine', 'Mine', ({theorems},), (Step('a'),))\n"
    )
    ran = _command("--from", str(mine))
    assert ran.returncode == 2, ran.stdout + ran.stderr
    assert words in ran.stderr
    assert "mine.py" in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1


@pytest.mark.turns(6)
def test_bounds_as_json() -> None:
    values = ["accuracy=0.1", "failure=0.05", "vc=1"]
    ran = _command("alon2019:lem-3.3", "--evaluate", *values, "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)[0]["value"] == "1219"
