"""``dpcheck learners`` and ``learner:`` targets through the door: lists, details, audits, documents, mistakes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpcheck.cli import app
from dpcheck.cli.learner_targets import learner_entries, learner_names, resolved_learner
from dpcheck.cli.learners_settings import Configured, subject_of
from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import attribute_of
from dpcheck.model.neighbours import LabelsOnly
from dpcheck.parts.classes import FiniteHypothesisClass
from dpcheck.parts.learners.discovery import entries, entry
from dpcheck.parts.learners.table_of_classes import class_table, instances, why_not
from dpcheck.proof.inventory import load_inventory
from dpcheck.report.finished import NotAudited, Trouble
from dpcheck.report.learners.classes import paper_tables
from dpcheck.report.learners.document import document_of, listed
from dpcheck.report.learners.markdown import render, verdict_words
from tests.documents import check, our_schema, strict

EVERY = pytest.mark.parametrize("found", entries(), ids=lambda found: found.name)
#: An entry whose algorithm as printed does not keep its claim.
PRINTED = next(found.name for found in entries() if found.as_printed)
#: One that claims nothing, and declares its law.
UNCLAIMED = "wang2016.support"


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dpcheck", *arguments], capture_output=True, text=True, cwd=folder, timeout=300
    )


def here(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = app.run(arguments)
    said = capsys.readouterr()
    return status, said.out, said.err


# --- entries


@EVERY
def test_an_entry_is_complete(found):
    one = listed(found)
    assert one.summary
    assert one.description.endswith(".")
    assert one.domain
    assert one.claim is not None or not one.theorem, "a theorem promises privacy, but the learner claims none"
    # ids are the inventory's
    inventory = load_inventory(found.paper)
    assert found.algorithm in {each.id for each in inventory.algorithms}
    assert not found.theorem or inventory.result(found.theorem)


def test_papers_and_names_are_looked_up_as_people_write_them():
    assert learner_entries([]) == entries()
    assert learner_names() == tuple(found.name for found in entries())
    assert [found.name for found in learner_entries(["learner:alon2019.label-private"])] == ["alon2019.label_private"]
    assert {found.paper for found in learner_entries(["alon2019"])} == {"alon2019"}
    assert learner_entries(["alon2019.cover", "alon2019"], "alon2019")[0].name == "alon2019.cover"


# --- listing


@pytest.mark.turns(6)
def test_the_list_has_every_learner_and_its_theorem(tmp_path):
    ran = run("learners", "--json", "learners.json", folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    for found in entries():
        assert found.name in ran.stdout
        assert found.theorem in ran.stdout
    text = (tmp_path / "learners.json").read_text(encoding="utf-8")
    check(our_schema("dpcheck-learners/1"), strict(text))
    document = json.loads(text)
    assert [one["name"] for one in document["learners"]] == list(learner_names())
    assert {one["audit"] for one in document["learners"]} == {None}
    assert str(tmp_path) not in text


def test_details_show_options_with_defaults_and_how_to_audit(capsys):
    status, out, _ = here(capsys, "learners", "alon2019.cover")
    assert status == 0
    assert "epsilon=1.0, domain_size=3, rule='lowest', public=(0, 1)" in out
    assert "alon2019:lem-3.2: for all T_pub, A_SSPP(.,T_pub) is eps-DP in S_priv" in out
    assert "dpcheck audit learner:alon2019.cover --exhaustive" in out
    _, out, _ = here(capsys, "learners", PRINTED)
    assert "as printed" in out


def test_a_paper_alone_and_documents_on_standard_output(capsys, tmp_path):
    _, out, _ = here(capsys, "learners", "--paper", "alon2019", "--format", "json")
    assert {one["paper"] for one in json.loads(out)["learners"]} == {"alon2019"}
    status, out, _ = here(
        capsys, "learners", "--paper", "alon2019", "--format", "markdown", "--output", str(tmp_path / "o.md")
    )
    assert (status, out) == (0, "")
    assert "| alon2019.cover | A\\_SSPP" in (tmp_path / "o.md").read_text(encoding="utf-8")


def test_classes_are_a_table_with_reasons(capsys):
    status, out, _ = here(capsys, "learners", "alon2019", "--classes")
    assert status == 0
    assert "(1) family must be a finite hypothesis class" in out
    _, out, _ = here(capsys, "learners", "alon2019", "--classes", "--format", "markdown")
    assert "### Learner against hypothesis class" in out
    assert "| intervals | (1) | yes | yes | yes |" in out
    _, out, _ = here(capsys, "learners", "wang2016.subset", "--classes")
    assert "About no class of hypotheses: wang2016.subset: " in out
    _, out, _ = here(capsys, "learners", "alon2019", "--classes", "--format", "json")
    check(our_schema("dpcheck-learners/1"), strict(out))
    rows = {row["name"]: row["cells"] for row in json.loads(out)["classes"]["rows"]}
    assert rows["intervals"]["alon2019.cover"] == ""
    assert rows["intervals"]["alon2019.generic"].startswith("family must be a finite hypothesis class")
    _, out, _ = here(capsys, "learners", "alon2019.generic")
    assert "learns          thresholds on a grid, " in out
    assert "does not learn  thresholds on the line, " in out


@pytest.mark.turns(4)
def test_no_cell_is_empty_without_a_reason():
    table = class_table(entries())
    assert len(table.rows) == len(instances()) == 16
    for row in table.rows:
        assert tuple(row.cells) == table.learners
    # the others are variants, of an algorithm that has a column or is about no class
    told = {*table.learners, *table.apart}
    algorithms = {entry(name).algorithm for name in told}
    assert {found.name for found in entries() if found.name not in told and found.algorithm not in algorithms} == set()
    assert not {found.name for found in entries() if found.as_printed} & told
    made = paper_tables(table)
    for each in made.papers:
        for row, (name, *cells) in zip(table.rows, each.rows, strict=True):
            reasons = [row.cells[learner] for learner in table.learners if learner.startswith(f"{each.paper}.")]
            assert name == row.name
            for cell, reason in zip(cells, reasons, strict=True):
                assert cell == (f"({made.reasons.index(reason) + 1})" if reason else "yes")


@pytest.mark.turns(4)
def test_who_lists_a_class_learns_those_that_can_be_listed_and_who_takes_a_net_learns_all():
    table = class_table(entries())
    refused = {name: {row.name for row in table.rows if row.cells[name]} for name in table.learners}
    listed_not = {each.name for each in instances() if not isinstance(each.family, FiniteHypothesisClass)}
    of_lists = {"alon2019.generic", "wang2016.regularised", "beimel2015.exponential"}
    around_it = ("sub_sampling", "transcript_wrapper", "subsampled", "resampled")
    of_lists |= {f"beimel2015.{name}" for name in around_it}
    assert {name: refused.pop(name) for name in of_lists} == dict.fromkeys(of_lists, listed_not)
    others = {each.name for each in instances()} - {"thresholds on the line"}
    assert refused.pop("wang2016.thresholds_on_interval") == others
    assert refused == {name: set() for name in refused}


def test_a_learner_that_fails_on_a_class_is_a_defect_and_no_reason():
    def refuses(instance):
        raise InvalidArgument(f"family must be another, got {instance.family!r}")

    def fails(instance):
        raise ZeroDivisionError("not a refusal")

    def answers_another(instance):
        return lambda dataset, rng: (0, 1, 2)

    first, found = instances()[0], entry("alon2019.cover")
    assert why_not(found, first) == ""
    assert why_not(replace(found, for_class=refuses), first) == "family must be another, got this one"
    with pytest.raises(ZeroDivisionError, match="not a refusal"):
        class_table([replace(found, for_class=fails)])
    with pytest.raises(AssertionError, match=r"alon2019\.cover answers no hypothesis of Thresholds"):
        why_not(replace(found, for_class=answers_another), first)
    with pytest.raises(InvalidArgument, match=r"entry must make learners of classes, got wang2016\.subset"):
        why_not(entry("wang2016.subset"), first)
    with pytest.raises(InvalidArgument, match="not_about_classes must be empty beside for_class, got 'it is not'"):
        replace(found, not_about_classes="it is not")


# --- audits


@pytest.mark.turns(6)
def test_audits_are_exact_and_printed_algorithms_are_expected_to_fail(tmp_path):
    names = ["alon2019.generic", "alon2019.label_private", PRINTED, UNCLAIMED]
    some = ["--max-samples", "1500", "--quiet", "--jobs", "2", "--seed", "7"]
    ran = run("learners", *names, "--audit", "--json", "found.json", *some, folder=tmp_path)
    text = (tmp_path / "found.json").read_text(encoding="utf-8")
    check(our_schema("dpcheck-learners/1"), strict(text))
    document = json.loads(text)
    by_name = {one["name"]: one["audit"] for one in document["learners"]}
    generic = by_name["alon2019.generic"]
    assert (generic["found"], generic["exact"], generic["pairs"]) == ("no violation found", True, 315)
    assert generic["epsilon"] == pytest.approx(0.8876067126)
    assert "0.887607" in ran.stdout
    nothing = by_name[UNCLAIMED]
    assert (nothing["expected"], nothing["found"], nothing["epsilon"]) == ("nothing is claimed",) * 2 + ("inf",)
    assert by_name[PRINTED]["expected"] == "violated"
    assert document["seed"] == 7
    assert document["exit_status"] == ran.returncode
    if by_name[PRINTED]["exact"]:  # by calls 200 may be too few
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert "4 of 4 are as expected" in ran.stdout


def test_what_is_not_expected_is_status_1_and_shows_its_witness(capsys, monkeypatch):
    found = entry("alon2019.generic")
    monkeypatch.setattr("dpcheck.cli.learner_targets.learner_entries", lambda names, paper=None: (broken,))
    broken = replace(found, as_printed=True)  # right, and expected to be violated
    status, out, _ = here(capsys, "learners", "--audit", "--quiet", "--max-samples", "1500")
    assert status == 1
    assert "0 of 1 are as expected" in out
    assert "one record (2, 0) replaced by (2, 1)" in out


def test_a_learner_that_was_not_audited_is_told_with_its_reason():
    found = entry("alon2019.generic")
    result = NotAudited("learner:alon2019.generic", Trouble.USAGE, "no room")
    document = document_of([found], {found.name: result}, command="dpcheck learners --audit", seed=0)
    assert verdict_words(document.learners[0]) == "usage error (no room)"
    assert "usage error (no room)" in render(document)


# --- targets


@pytest.mark.turns(6)
def test_a_learner_is_audited_on_its_own_domain_with_options(tmp_path):
    ran = run(
        "audit", "learner:alon2019.generic", "--option", "epsilon=0.5", "--exhaustive", "--json", "run.json",
        "--max-samples", "1500", folder=tmp_path,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "learner:alon2019.generic: NO VIOLATION FOUND (claim: 0.5-DP, replace-one)" in ran.stdout
    assert "over all 315 pairs" in ran.stdout
    record = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert record["results"][0]["target"] == "learner:alon2019.generic"


def test_the_claim_of_the_command_line_wins_and_fills_epsilon(capsys):
    # the learner is made for the epsilon that is claimed, and keeps it
    few = ["--exhaustive", "--quiet", "--isolation", "none", "--max-samples", "1500"]
    status, out, _ = here(capsys, "audit", "learner:alon2019.generic", "--epsilon", "0.25", *few)
    assert status == 0
    assert "claim: 0.25-DP" in out
    # unless it is made for another one
    status, out, _ = here(
        capsys, "audit", "learner:alon2019.generic", "--epsilon", "0.25", "--option", "epsilon=2", *few
    )
    assert status == 1
    assert "the claim is false" in out


def test_given_pairs_and_relations_replace_the_domain(tmp_path, capsys):
    x, y = np.array([[0, 4, 8]]), np.array([[0, 1, 1]])
    np.savez(tmp_path / "pairs.npz", left_x=x, left_y=y, right_x=x, right_y=1 - y * np.array([0, 0, 1]))
    few = ["--quiet", "--isolation", "none", "--max-samples", "1500", "--option", "domain_size=9"]
    data = ["--pairs", str(tmp_path / "pairs.npz")]
    status, _, err = here(capsys, "audit", "learner:alon2019.label_private", *data, *few)
    assert status == 2
    assert "differs in" in err  # in two labels: the learner's own relation is that of the pairs given
    np.savez(tmp_path / "pairs.npz", left_x=x, left_y=y, right_x=x, right_y=y * np.array([1, 1, 0]))
    status, out, _ = here(capsys, "audit", "learner:alon2019.label_private", *data, *few)
    assert status == 0, out
    assert "over 1 pair:" in out
    assert "labels-only" in out
    other = ["--exhaustive", "--neighbours", "add-remove", "--size", "1..2"]
    status, out, _ = here(capsys, "audit", "learner:alon2019.generic", *other, *few)
    assert status == 0
    assert "over all 42 pairs" in out
    assert "add-remove" in out


def test_the_own_relation_is_for_data_and_the_domain_for_none():
    found = resolved_learner(entry("alon2019.label_private"))
    assert isinstance(found.relation, LabelsOnly)
    assert found.relation.records is None
    assert found.domain.records is not None
    assert attribute_of(found.target, "claim") == found.claim


def test_measure_check_and_record_take_learners(capsys):
    few = ["--quiet", "--isolation", "none"]
    status, out, _ = here(capsys, "measure", "learner:alon2019.generic", "--max-samples", "500", *few)
    assert status == 0
    # 500 calls of a learner of epsilon 1 are hardly enough
    assert re.match(r"learner:alon2019\.generic: (nothing certified|epsilon above 0\.\d+) ", out)
    status, out, _ = here(capsys, "check", "learner:alon2019.generic", "--only", "silence", *few)
    assert status == 0, out
    subject = subject_of(Configured("mine", "learner:alon2019.generic", {"options": {"epsilon": 0.5}}), {})
    assert (subject.claim, subject.neighbours.size) == (PureDP(0.5), 3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["learners", "alon2019.cove"], "there is no learner 'alon2019.cove' (did you mean 'alon2019.cover'?)"),
        (["learners", "--paper", "alon2018"], "got 'alon2018' (did you mean 'alon2019'?)"),
        (["learners", "--audit", "--seed", "-1"], "--seed must be at least 0, got -1"),
        (["learners", "--jobs", "0"], "--jobs wants a whole number of at least 1, got '0'"),
        (["learners", "--json", "/no/such/folder/x.json"], "--json must be in a folder that exists"),
        (["audit", "learner:alon2019.cove"], "(did you mean 'alon2019.cover'?); see dpcheck learners"),
        (["audit", "learner:alon2019"], "names a paper: name a learner of it, such as alon2019.generic"),
        (["audit", "alon2019.cover"], "did you mean 'learner:alon2019.cover'?"),
        (
            ["audit", "learner:alon2019.generic", "--option", "epsilom=2"],
            "option 'epsilom' is not one of learner:alon2019.generic's: epsilon, domain_size (did you mean 'epsilon'?)",
        ),
        (
            ["audit", "learner:alon2019.generic", "--option", "epsilon=-1"],
            "learner learner:alon2019.generic could not be made: epsilon must be a finite number above 0, got -1",
        ),
        (["audit", "learner:alon2019.reduction", "--option", "inside=covre"], "did you mean 'cover'?"),
        (
            ["audit", "learner:bassily2018.A_binClas", "--epsilon", "0.1"],
            "delta must be above 0 and below 1, got 0.0 (epsilon = 0.1 and delta = 0.0 came from the claim)",
        ),
    ],
)
def test_mistakes_are_one_line_and_status_two(capsys, arguments, said):
    status, _, err = here(capsys, *arguments)
    assert status == 2
    (line,) = err.strip().splitlines()
    assert line.endswith(said) or said in line


def test_help_names_the_form_of_these_targets(capsys):
    for command in ("audit", "measure", "plan", "check"):
        _, out, _ = here(capsys, command, "--help")
        assert "learner:paper.name" in " ".join(out.replace("│", " ").split())


# --- what a stranger tried


@pytest.mark.turns(6)
def test_a_table_of_one_column_is_that_column(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("x,y\n0,0\n1,0\n2,1\n2,1\n")
    done = run(
        "audit", "learner:alon2019.cover", "--dataset", "data.csv", "--label", "y",
        "--max-samples", "600", "--size", "4", folder=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "16 pairs" in done.stdout


def test_a_claim_fills_the_option_only_where_it_is_the_learners_own() -> None:
    assert attribute_of(resolved_learner(entry("chaudhuri2011.A1"), {}, 0.5).target, "claim") == PureDP(0.5)
    boosted = resolved_learner(entry("wang2016.boost"), {}, 0.1)
    # its epsilon is that of the learner inside: filled with 0.1 it would promise 1.61, and be accused of more than 0.1
    assert attribute_of(boosted.target, "claim") == entry("wang2016.boost").learner().claim
    assert boosted.claim == 0.1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("learners", "--paper", "wang2016", "alon2019.cover"), "--paper wang2016 has no learner 'alon2019.cover'"),
        (("audit", "learner:wang2016.boost", "--option", "base=foo"), "base must be 'optimal' or 'exponential'"),
        (("audit", "learner:alon2019.cover", "--option", "rule=zzz"), "rule must be one of lowest, highest, middle"),
        (("audit", "learner:wang2016.perturbed_minimiser", "--option", "clip=no"), "clip must be True or False"),
    ],
)
def test_what_is_not_there_is_named(arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, said = here(capsys, *arguments)
    assert status == 2
    assert words in said
