"""Every format for every status and every name: valid, whole, and with one exit status."""

from __future__ import annotations

import functools
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
import typer
from hypothesis import HealthCheck, given, settings

import dpcheck
from dpcheck.cli.display import display
from dpcheck.cli.documents import finish, teller
from dpcheck.model.claims import ApproxDP, GaussianDP, RenyiDP, ZeroConcentratedDP
from dpcheck.model.verdict import Counts, ExactAnswer, Finding, Status, Stop, Verdict
from dpcheck.report import github, junit, markdown, run_json, sarif
from dpcheck.report.exit_status import exit_status
from dpcheck.report.finished import Audited, Location, NotAudited, Run, Trouble
from dpcheck.report.formats import FORMATS, TEXT, formats_of
from dpcheck.report.sarif_rules import OF_FINDINGS
from tests.documents import IS
from tests.handmade import WITNESS, verdict

#: All but text, which is for people: it has no grammar that it could break.
RENDER = {name: FORMATS[name].views["run"] for name in formats_of("run") if name != TEXT.name}
NAMES = {
    "plain": "mylearner.py:Learner",
    "control": "a\x00b\x1b[31mc\x07\x7f\x9bd",
    "markup": "<script>alert(1)</script>&amp;<!-- </details></summary></testcase>",
    "lines": "a\nb\r\nc\rd\u2028e\u2029f\x85g\x0bh",
    "quotes": "\"double\" 'single' `back` ```fence``` \\ |pipe| \\| *bold* _i_ ~s~",
    "percent": "%0A%0D%25::error file=x::owned%3A ,:",
    "surrogate": "\ud800 \udfff \udcff",
    "right to left": "\u202eevil\u2066\u2069 \u0627\u0644 \ufffe \uffff",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u0301 é",
    "long": "x" * 10_000,
    "cdata": "]]> <![CDATA[ ]] &#0; &bogus;",
    "path": "../../etc/passwd:../x",
    "fills and links": "{0} {{1}} [text](javascript:alert(1)) ![i](http://x/y.png) @everyone #1 http://x",
    "tables": "| a | b |\n|---|---|\n| 1 | 2 |\n\n# heading\n- item\n    code",
    "fences": "a\n```\n<b>bold</b>\n~~~\n````\n# heading",
    "blank": " \t ",
}


def law_of_half(dataset: Any) -> dict[int, Any]:
    from fractions import Fraction

    one = Fraction(3, 4) if dataset[0] else Fraction(1, 4)
    return {0: 1 - one, 1: one}


class Answers:
    """Randomised response, with its law."""

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return int(rng.random() < float(law_of_half(dataset)[1]))

    def distribution(self, dataset: Any) -> dict[int, Any]:
        return law_of_half(dataset)


def total(dataset: Any, rng: np.random.Generator) -> float:
    return float(sum(dataset) + rng.laplace())


@functools.cache
def real_verdicts() -> tuple[Verdict, ...]:
    """Verdicts with records, as audits make them: sampled, and exact."""
    few: dict[str, Any] = {"pairs": [([1.0], [0.0])], "max_samples": 400, "isolation": "none"}
    made = dpcheck.audit(total, 1.0, **few), dpcheck.audit(Answers, 0.5, **few)
    assert made[1].exact is not None
    assert all(one.record is not None for one in made)
    return made


#: Of a refutation that no event shows by itself.
UNCOUNTED = Counts(0, 0, 900)


@functools.cache
def results(text: str) -> tuple[Audited | NotAudited, ...]:
    """Each status, expected or not, and each thing a verdict may hold, with this text wherever text may stand."""
    witness = replace(WITNESS, change=text, left=text, right=text, event=text, direction=text)
    every_finding = tuple(Finding(kind, text) for kind in (*OF_FINDINGS, "search", text))
    named: dict[str, Any] = {"target": text, "relation": text, "failure": text, "findings": ()}
    place = Location(text, 3)
    exact = ExactAnswer("violated", text, math.inf, 1.0, True, 10, text, text)
    audited = [
        Audited(verdict(status, **named, **({"witness": witness} if status is not Status.LEARNER_FAILED else {})),
                expected, allowed, text, place)
        for status in Status
        for expected in Status
        for allowed in (False, True)
    ]  # fmt: skip
    violated = functools.partial(verdict, Status.VIOLATED, **named)
    claims = (ApproxDP(1.0, 1e-5), ZeroConcentratedDP(0.5), RenyiDP(8, 0.5), GaussianDP(1.0))
    special = [
        violated(found=witness, witness=witness),
        violated(found=replace(witness, counts=UNCOUNTED), witness=replace(witness, counts=UNCOUNTED)),
        violated(exact=exact, stop=Stop.EXACT, epsilon_lower=math.inf, log_evidence=math.inf, witness=witness),
        violated(stop=Stop.INTERRUPTED),
        verdict(detectable_epsilon=math.inf, seconds=0.1 + 0.2, **{**named, "findings": every_finding}),
        *(violated(claim=claim, parameter_lower=0.7) for claim in claims),
        *(replace(one, target=text) for one in real_verdicts()),
    ]
    troubles = [NotAudited(text, trouble, text, where) for trouble in Trouble for where in (None, place)]
    return (*audited, *(Audited(one) for one in special), *troubles)


@pytest.mark.some(13)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("view", RENDER)
def test_every_status_with_every_name_is_a_valid_document(view: str, name: str) -> None:
    run = Run(results(NAMES[name]), ("dpcheck", NAMES[name]), 7)
    IS[view](RENDER[view](run), run)


@pytest.mark.parametrize("view", RENDER)
def test_a_run_of_one_or_no_result_is_a_valid_document(view: str) -> None:
    for run in (Run(()), *(Run((result,)) for result in results("a:b"))):
        IS[view](RENDER[view](run), run)


@pytest.mark.parametrize("view", RENDER)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=st.text(st.characters(), max_size=60))
def test_any_text_at_all_gives_a_valid_document(view: str, text: str) -> None:
    place = Location(text, 1)
    run = Run(
        (
            Audited(verdict(Status.VIOLATED, target=text, failure=text), location=place),
            NotAudited(text, Trouble.USAGE, text, place),
        ),
        (text,),
    )
    IS[view](RENDER[view](run), run)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), to_file=st.booleans())
def test_the_exit_status_is_the_same_whatever_is_written(
    data: st.DataObject, to_file: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Run(tuple(data.draw(st.lists(st.sampled_from(results("a:b")), max_size=4))), ("dpcheck",), 0)
    for format in formats_of("run"):
        output = tmp_path / "out" if to_file else None
        with display(quiet=True) as listener:
            told = teller(format, output, listener)
        with pytest.raises(typer.Exit) as ended:
            finish(run, told, format=format, output=output, json_file=None, sarif_file=tmp_path / "sarif")
        assert ended.value.exit_code == exit_status(run), format
        capsys.readouterr()


def test_every_format_can_be_rendered() -> None:
    run = Run(results("a:b"), ("dpcheck",), 0)
    for format in formats_of("run"):
        assert FORMATS[format].views["run"](run).strip(), format


def test_every_format_has_its_check_and_a_broken_view_that_the_check_catches() -> None:
    assert set(IS) == set(RENDER)
    assert {view for view, *_ in BREAKAGES.values()} == set(RENDER)


def _unescaped(text: str, *_: Any, **__: Any) -> str:
    return text


# What a slip of the pen would leave out, and the name that shows it.
BREAKAGES = {
    "sarif with plain paths": ("sarif", sarif, "uri_of", _unescaped, "lines"),
    "sarif with messages as they come": ("sarif", sarif, "_message", _unescaped, "fills and links"),
    "sarif with terminal escapes": ("sarif", sarif, "printable", _unescaped, "control"),
    "sarif without places": ("sarif", sarif, "_place", lambda result: Location("", 0), "plain"),
    "sarif with rules twice": ("sarif", sarif, "RULES", (*sarif.RULES, *sarif.RULES), "plain"),
    "sarif with another level": ("sarif", sarif, "_level", lambda *_: "fatal", "plain"),
    "sarif with bare infinities": ("sarif", sarif, "_number", lambda value: str, "plain"),
    "junit with control characters": ("junit", junit, "details_of", lambda result: result.target, "control"),
    "junit with exact seconds": ("junit", junit, "_DECIMALS", 30, "plain"),
    "junit without a case": ("junit", junit, "_seconds", lambda result: "soon", "plain"),
    "markdown with bare cells": ("markdown", markdown, "as_cell", _unescaped, "tables"),
    "markdown with bare pipes": ("markdown", markdown, "as_cell", _unescaped, "quotes"),
    "markdown with bare elements": ("markdown", markdown, "_html", _unescaped, "markup"),
    "markdown with short fences": ("markdown", markdown, "_fence", lambda content: "```", "fences"),
    "github with bare properties": ("github", github, "_property", _unescaped, "percent"),
    "github with bare data": ("github", github, "_data", _unescaped, "percent"),
    "json with another status": ("json", run_json, "status_of", lambda result: "private", "plain"),
    "json with another exit status": ("json", run_json, "exit_status", lambda run: 0, "plain"),
    "json with another schema": ("json", run_json, "SCHEMA", "dpcheck-run/2", "plain"),
}


@pytest.mark.turns(4)
@pytest.mark.parametrize("slip", BREAKAGES)
def test_a_broken_view_is_caught(slip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    view, module, attribute, broken, name = BREAKAGES[slip]
    run = Run(results(NAMES[name]), ("dpcheck",), 0)
    # Whole, it is valid: the test above.
    monkeypatch.setattr(module, attribute, broken)
    with pytest.raises((AssertionError, ValueError, TypeError)):
        IS[view](RENDER[view](run), run)
