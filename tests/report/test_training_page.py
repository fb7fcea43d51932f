"""The page of an audit of a training: what is on it, that it is whole, and that a stranger's words are inert."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.random import Generator

from dpcheck import ApproxDP, OneRunVerdict, WhiteBoxVerdict, one_run_verdict, white_box
from dpcheck.cli.app import run
from dpcheck.parts.trained import entries
from dpcheck.report.training_page import one_run_page, white_box_page
from tests.page_checks import faults_of


@pytest.fixture
def one(rng: Generator) -> OneRunVerdict:
    included = rng.random(500) < 0.5
    return one_run_verdict(3.0 * included + rng.normal(size=500), included, ApproxDP(1.0, 1e-5))


@pytest.fixture
def white(seed: int) -> WhiteBoxVerdict:
    entry = next(each for each in entries() if each.name == "mean_clipped")
    return white_box(entry.train, entry.dataset(), entry.claim, entry.accounted, seed=seed, isolation="none", count=2)


def test_a_page_of_one_run_has_what_was_certified_and_its_figure(one: OneRunVerdict) -> None:
    text = one_run_page(one)
    assert "The claim is false" in text
    assert re.search(r'<img class="picture" src="data:image/svg\+xml;base64,[A-Za-z0-9+/=]{1000,}" alt="Left:', text)
    assert text.count("<tr>") >= 6
    assert faults_of(text) == []


def test_a_page_of_a_white_box_has_each_premise(white: WhiteBoxVerdict) -> None:
    text = white_box_page(white)
    for premise in white.premises:
        assert f'<th scope="row">{premise.name}</th>' in text
    assert "A premise of the privacy proof is broken" in text
    assert faults_of(text) == []


@pytest.mark.parametrize("kind", ["one", "white"])
def test_words_of_a_stranger_are_inert(kind: str, request: pytest.FixtureRequest) -> None:
    verdict = replace(request.getfixturevalue(kind), target="<script>alert(1)</script>\n# up\u202e")
    text = one_run_page(verdict) if isinstance(verdict, OneRunVerdict) else white_box_page(verdict)
    assert "<script>alert" not in text
    assert "\u202e" not in text
    assert faults_of(text) == []


def test_where_nothing_was_seen_there_is_a_page_too() -> None:
    def train(data: object, rng: Generator, transcript: object) -> None:
        raise ValueError("no")

    entry = entries()[0]
    text = white_box_page(white_box(train, np.eye(4), None, entry.accounted, isolation="none"))
    assert "The training raised ValueError: no" in text
    assert "The premises of the proof" not in text


def test_the_command_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ["white-box", "trained:step-after-the-last", "--isolation", "none", "--format", "html"]
    assert run([*asked, "--output", "page.html"]) == 1
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
