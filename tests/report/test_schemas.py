"""The published schemas: valid, complete, equal to what the types say, and what is really written fits them."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import dpcheck
from dpcheck.cli.app import run
from dpcheck.history.baseline import Baseline, Cost, Entry, ExactLoss, Privacy, RiskCounts, Told, View
from dpcheck.history.comparisons import Change, Compared, Comparison, Kind, State
from dpcheck.model.claims import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.verdict import Status, Verdict
from dpcheck.report import comparison_json, schemas
from dpcheck.report.schemas import generator, schema_names, schema_text
from tests.documents import check, closed, our_schema, strict
from tests.handmade import measurement, verdict

FOLDER = Path(schemas.__file__).parent
GENERATED = tuple(generator.generated())


@pytest.mark.parametrize("name", schema_names())
def test_each_file_is_a_schema_of_draft_2020_12(name: str) -> None:
    schema = strict(schema_text(name))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:dpcheck:{name}"
    assert schema["title"]
    jsonschema.Draft202012Validator.check_schema(schema)


def test_each_file_of_the_folder_is_listed() -> None:
    files = {file.name for file in FOLDER.glob("*.schema.json")}
    assert {name.replace("/", "-") + ".schema.json" for name in schema_names()} == files
    assert set(GENERATED) <= set(schema_names())


@pytest.mark.every_run
@pytest.mark.parametrize("name", GENERATED)
def test_the_files_are_what_the_types_say(name: str) -> None:
    text = generator.text_of(generator.generated()[name])
    assert schema_text(name) == text, "run: python -m dpcheck.report.schemas.generator"


@pytest.mark.parametrize("name", GENERATED)
def test_a_schema_says_what_it_is_about_and_names_every_field(name: str) -> None:
    schema = json.loads(schema_text(name))
    assert all(made.get("properties") or "enum" in made for made in schema.get("$defs", {}).values())
    assert "private" not in json.dumps(schema.get("$defs", {}).get("Status", ""))


def real_documents() -> dict[str, list[str]]:
    few: dict[str, Any] = {"pairs": [([1.0], [0.0])], "max_samples": 400, "isolation": "none"}
    audited = dpcheck.audit(lambda dataset, rng: dataset[0] + rng.laplace(), 1.0, **few)
    measured = dpcheck.measure(lambda dataset, rng: dataset[0] + rng.laplace(), **few)
    claims = (PureDP(ratio=3), ApproxDP(1.0, 1e-5), ZeroConcentratedDP(0.5), RenyiDP(8, 0.5), GaussianDP(1.0))
    rng = np.random.default_rng(0)
    included = rng.random(300) < 0.5
    scores = 3.0 * included + rng.normal(size=300)
    verdicts = [
        audited,
        *map(verdict, Status),
        *(verdict(claim=claim) for claim in claims),
        replace(audited, epsilon_lower=float("inf"), log_evidence=float("-inf"), detectable_epsilon=float("nan")),
    ]
    return {
        "dpcheck-record/1": [one.to_json() for one in verdicts],
        "dpcheck-one-run/1": [
            dpcheck.one_run_verdict(scores, included, claim).to_json()
            for claim in (1.0, ApproxDP(8.0, 1e-5), GaussianDP(1.0))
        ],
        "dpcheck-measurement/1": [measured.to_json(), measurement().to_json(), measurement(witness=None).to_json()],
    }


def test_what_is_written_fits_and_holds_nothing_that_is_not_published() -> None:
    for name, texts in real_documents().items():
        for text in texts:
            check(our_schema(name), strict(text))


@pytest.mark.turns(6)
def test_what_record_compare_and_history_write_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    own = '", records = [0, 1], size = 1, calls = 1000, learn-calls = 500, trials = 100, risk = "mine.py:risk"}'
    names = ("noisy", "dies")
    listed = ", ".join('{target = "mine.py:' + name + own for name in names)
    (tmp_path / "pyproject.toml").write_text(
        f"[tool.dpcheck]\nisolation = 'none'\nquiet = true\nlearners = [{listed}]\n"
    )
    (tmp_path / "mine.py").write_text(
        "def noisy(dataset, rng):\n    return dataset[0] + rng.laplace()\n\n"
        "def dies(dataset, rng):\n    raise ValueError\n\n"
        "def risk(output, dataset):\n    return abs(output)\n"
    )
    assert run(["record", "--new-only"]) == 4
    assert run(["compare", "mine.py:noisy", "zoo:randomised_response", "--json", "c.json"]) == 1
    capsys.readouterr()
    assert run(["history", "--json"]) == 0
    written = {
        "baseline": (tmp_path / "dpcheck-baseline.json").read_text(),
        "comparison": (tmp_path / "c.json").read_text(),
        "history": capsys.readouterr().out,
    }
    for name, text in written.items():
        check(our_schema(f"dpcheck-{name}/{2 if name == 'baseline' else 1}"), strict(text))
    views = strict(written["baseline"])["learners"]["mine.py:noisy"]["privacy"]["views"]
    assert views
    assert [one["state"] for one in strict(written["comparison"])["results"]] == ["compared", "new"]
    assert len(strict(written["history"])["rows"]) == 3


def test_comparisons_and_baselines_of_all_kinds_fit() -> None:
    changes = tuple(
        Change("risk", kind, value, -value, math.nan, 0.0, "said")
        for kind in Kind
        for value in (1.0, math.inf, math.nan)
    )
    results = tuple(Compared("one", state, changes, "no", "learner failed") for state in State)
    text = comparison_json.render(Comparison(results, 1e-6, 3, True, ("dpcheck", "compare"), "b.json"))
    check(our_schema("dpcheck-comparison/1"), strict(text))
    view = View("score", "score", -1, (0.5,), ((0.0,), (1.0,), (2.0,), (0.1,)), (), (-1, 1, 0), (1, 2, 3), (3, 2, 1))
    loss = ExactLoss(math.inf, 0.5, "fractions")
    privacy = Privacy(
        "r",
        "p",
        0,
        1 << 120,
        "",
        "",
        0.0,
        0.5,
        "e",
        0.0,
        "",
        (1.0,),
        (view,),
        5,
        (Told("best guess", (1, -2)),),
        {"float": (6, 6)},
        loss,
    )
    risk = RiskCounts((), (3, 4), math.nan, "given")
    baseline = Baseline({"one": Entry("one", "", 0, privacy, {"n = 1": risk}, Cost("machine", (1.0,)), ("note",))})
    check(our_schema("dpcheck-baseline/2"), strict(baseline.to_json()))
    assert Baseline.from_json(baseline.to_json()).to_json() == baseline.to_json()


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("dpcheck-baseline/2", {"schema": "dpcheck-baseline/1", "written_by": "", "learners": {}}),
        ("dpcheck-baseline/2", {"schema": "dpcheck-baseline/2", "written_by": "", "learners": {"one": {}}}),
        ("dpcheck-history/1", {"schema": "dpcheck-history/1"}),
        ("dpcheck-history/1", {"schema": "dpcheck-history/1", "rows": [{"learner": 3}]}),
        ("dpcheck-comparison/1", {"schema": "dpcheck-comparison/1", "results": []}),
    ],
)
def test_what_is_no_baseline_comparison_or_history_is_refused(name: str, wrong: Any) -> None:
    with pytest.raises(AssertionError):
        check(our_schema(name), wrong)


@pytest.mark.turns(6)
def test_what_is_read_back_is_what_the_schema_takes() -> None:
    (text, *_) = real_documents()["dpcheck-record/1"]
    assert Verdict.from_json(text).to_json() == text


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), "dpcheck-record/2"),
        (("verdict", "status"), "private"),
        (("verdict", "epsilon_lower"), "Infinity"),
        (("verdict", "claim", "kind"), 3),
        (("verdict", "samples"), 1.5),
        (("record", "phases", 0, "calls"), None),
        (("verdict", "surprise"), 1),
    ],
)
def test_a_document_that_is_not_one_is_refused(path: tuple[Any, ...], value: Any) -> None:
    document = strict(real_documents()["dpcheck-record/1"][0])
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(AssertionError):
        check(our_schema("dpcheck-record/1"), document)
    if path[-1] == "surprise":  # a later version may say more: readers let it pass
        check(jsonschema.Draft202012Validator(json.loads(schema_text("record"))), document)


def test_a_field_that_is_missing_is_refused() -> None:
    document = strict(real_documents()["dpcheck-record/1"][0])
    for part, whole in (("verdict", document), ("status", document["verdict"]), ("pairs", document["record"])):
        kept = whole.pop(part)
        with pytest.raises(AssertionError):
            check(our_schema("dpcheck-record/1"), document)
        whole[part] = kept
    check(our_schema("dpcheck-record/1"), document)


@pytest.mark.turns(6)
def test_the_theorems_that_are_printed_fit(capsys: pytest.CaptureFixture[str]) -> None:
    for identifier in ("alon2019:lem-3.3", "alon2019:thm-3.1"):
        assert run(["theorems", identifier, "--json", "--quiet"]) == 0
        printed = strict(capsys.readouterr().out)
        assert printed[0]["steps"]
        check(our_schema("dpcheck-theorems/1"), printed)


def test_the_committed_report_data_would_fit_if_closed_schemas_were_open() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}}}
    shut = jsonschema.Draft202012Validator(closed(schema))
    assert shut.is_valid({"a": {"b": 1}})
    assert not shut.is_valid({"a": {"c": 1}})
    assert jsonschema.Draft202012Validator(schema).is_valid({"a": {"c": 1}})


@pytest.mark.parametrize("name", ["run", "dpcheck-run", "dpcheck-run/1", "run/1"])
def test_a_schema_is_found_by_its_short_name(name: str) -> None:
    assert json.loads(schema_text(name))["$id"] == "urn:dpcheck:dpcheck-run/1"


@pytest.mark.parametrize("name", ["runs", "../secrets", "dpcheck-run/2", "", "run/../run"])
def test_another_name_is_refused_and_the_nearest_is_named(name: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        schema_text(name)
    assert "\n" not in str(caught.value)
    assert "dpcheck-run/1" in str(caught.value)


def test_the_command_prints_lists_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", "--list"]) == 0
    assert tuple(capsys.readouterr().out.split()) == schema_names()
    assert run(["schema"]) == 0
    assert "dpcheck-run/1" in capsys.readouterr().out
    assert run(["schema", "rnu"]) == 2
    assert "did you mean 'dpcheck-run/1'" in capsys.readouterr().err
    assert run(["schema", "run", "--list"]) == 2


def test_the_command_as_a_user_types_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dpcheck", "schema", "run"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == schema_text("run")
