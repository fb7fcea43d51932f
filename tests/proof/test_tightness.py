"""Upper against lower bounds: the claims of the papers, the command, and claims that are wrong."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.registry import Registry
from dpcheck.proof.tightness import Tightness, ratios, trend
from dpcheck.report.tightness import STEEPEST, render_markdown, tightness_record, verdict_words

PAPERS = ("alon2019", "bassily2018", "beimel2015", "chaudhuri2011")
CLAIMS: list[Tightness] = [
    claim
    for paper in PAPERS
    for claim in importlib.import_module(f"dpcheck.papers.{paper}.theorems.tightness").TIGHTNESS
]
BY_NAME = {f"{claim.source} {claim.name}": claim for claim in CLAIMS}


@pytest.mark.parametrize("claim", CLAIMS, ids=list(BY_NAME))
def test_an_upper_bound_is_never_below_the_lower_one_and_the_gap_is_as_claimed(claim: Tightness) -> None:
    found = ratios(claim)
    assert all(each.ratio.low > 1 for each in found)
    assert abs(trend(found)) <= STEEPEST


@pytest.mark.turns(4)
@pytest.mark.parametrize("claim", CLAIMS, ids=list(BY_NAME))
def test_a_gap_that_is_claimed_too_small_by_a_power_is_seen(claim: Tightness) -> None:
    """The paper's claim with one more power of the parameter: the slope shows it."""
    from dpcheck.proof.bounds import symbol

    wrong = replace(claim, gap=claim.gap * symbol(claim.along))
    assert abs(trend(ratios(wrong))) > 0.8
    assert not tightness_record(wrong, "PROVED")["agrees"]


def test_claims_stand_with_the_results_that_make_them() -> None:
    registry = Registry()
    declared = [
        claim
        for paper in registry.papers.values()
        for theorem in paper.theorems
        if theorem.tightness
        for claim in theorem.tightness()
    ]
    assert sorted(claim.name for claim in declared) == sorted(claim.name for claim in CLAIMS)


def test_bounds_that_contradict_each_other_do_not_agree() -> None:
    claim = CLAIMS[0]
    swapped = replace(
        claim,
        upper=replace(claim.lower, sense="sufficient", strict=False),
        lower=replace(claim.upper, sense="necessary"),
        gap=1 / claim.gap,
    )
    assert abs(trend(ratios(swapped))) <= STEEPEST
    record = tightness_record(swapped, "PROVED")
    assert not record["agrees"]
    assert "an upper bound is below the lower one" in verdict_words(record)


def test_one_setting_shows_no_slope_and_a_gap_is_a_number_above_0() -> None:
    claim = CLAIMS[0]
    for values in (claim.values[:1], ("0.01",) * 8):
        with pytest.raises(InvalidArgument, match="shows no slope"):
            replace(claim, values=values)
    from dpcheck.proof.bounds import symbol

    for gap in (-1, 0, float("nan"), float("inf"), symbol("dimension")):
        with pytest.raises(InvalidArgument, match="the gap is"):
            ratios(replace(claim, gap=gap))


def test_two_bounds_that_do_not_belong_together_are_refused() -> None:
    claim = CLAIMS[0]
    with pytest.raises(InvalidArgument, match="sufficient and lower necessary"):
        replace(claim, upper=claim.lower)
    with pytest.raises(InvalidArgument, match="must bound one size"):
        replace(claim, lower=BY_NAME["chaudhuri2011:ex-1 thresholds from peaked distributions"].lower)


@pytest.mark.turns(6)
def test_the_page_has_every_claim_its_numbers_and_the_command_that_reproduces_them() -> None:
    records = [tightness_record(claim, "PROVED") for claim in CLAIMS]
    page = render_markdown(records, "bounds.svg")
    for record in records:
        assert f"## {record['source']}: {record['name']}" in page
        assert record["reproduce"] in page
    assert page.count("as the paper says, up to constants") == len(records)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dpcheck", "theorems", *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.turns(6)
def test_the_command_prints_a_table_and_draws(tmp_path: Path) -> None:
    picture = tmp_path / "ratio.svg"
    ran = run("alon2019:obs-1.b", "--compare", "--plot", str(picture))
    assert ran.returncode == 0, ran.stderr
    assert "5.58e5" in ran.stdout
    assert "as the paper says" in " ".join(ran.stdout.split())
    assert "<svg" in picture.read_text(encoding="utf-8")
    ran = run("alon2019:obs-1.b", "--compare", "--json")
    (record,) = json.loads(ran.stdout)
    assert record["ratios"][0]["ratio"] == pytest.approx(558200, rel=1e-3)


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["alon2019:lem-3.2", "--compare"], "does not call two bounds close; there are alon2019:obs-1.b"),
        (["--plot", "ratio.svg"], "--plot must come with --compare"),
        (["--compare", "--plot", "ratio.pdf"], "must be a file that ends in .svg"),
    ],
)
def test_wrong_arguments_get_one_line(arguments: list[str], words: str) -> None:
    ran = run(*arguments)
    assert ran.returncode == 2, ran.stdout + ran.stderr
    assert words in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1
