"""What ``[tool.dpcheck]`` says of claim, data and learner means the same to every command that runs a learner."""

import json
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import numpy as np
import pytest
import typer.main

from dpcheck import Records, ReplaceOne, audit, check_learner, measure
from dpcheck.cli.app import app, run
from dpcheck.cli.learners_settings import KEYS, SHARED
from dpcheck.cli.options import FILE, OBJECT, settings_of

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
CLAIM = {"epsilon", "delta", "ratio", "rho", "mu", "renyi"}
DATA = {"neighbours", "records", "bounds", "labels", "columns", "size", "dataset", "label", "form", "pairs", "public"}
LEARNER = {"public-label", "numerics", "warnings", "option"}
RUN = {"isolation", "call-timeout", "seed", "alpha", "max-seconds"}
#: What an audit has that is no setting of claim, data or learner.
OF_AUDITS = {"detect", "exhaustive", "shrink", "max-samples", "jobs", "dry-run"}

MINE = """
from dpcheck.proof.statement import Paper

PAPER = Paper(key="mine", title="The paper beside the settings", theorems=(), steps=())

class Mean:
    def __call__(self, dataset, rng):
        return sum(dataset) + rng.laplace()
"""

FRAMES = """
import numpy as np

class Ages:
    def __init__(self, scale=1.0):
        self.scale = scale

    def __call__(self, dataset, rng):
        if list(dataset.columns) != ["age", "income", "outcome"]:
            raise TypeError(f"columns {list(dataset.columns)}")
        if not 2 <= len(dataset) <= 3:
            raise ValueError(f"{len(dataset)} records")
        return float(np.clip(dataset["age"], 0, 1).sum()) + self.scale * rng.choice([-3, -1, 1, 3])
"""


def options_of(command: str) -> set[str]:
    """The names of a command's options as settings spell them."""
    return {option.name.replace("_", "-") for option in COMMANDS[command].params}


def test_every_command_has_every_setting_of_claim_data_and_learner() -> None:
    """``measure`` has no claim; what an audit has beyond these groups is listed above by name."""
    assert options_of("audit") >= CLAIM | DATA | LEARNER | RUN | OF_AUDITS
    assert options_of("check") >= CLAIM | DATA | LEARNER | RUN
    assert options_of("measure") >= DATA | LEARNER | RUN
    assert options_of("plan") >= CLAIM | DATA | LEARNER | RUN
    shared = {key for group in SHARED for key in group}
    assert shared >= CLAIM | DATA | LEARNER, "record and compare"
    assert shared <= set(KEYS)
    panels = {option.name: getattr(option, "rich_help_panel", "") for option in COMMANDS["audit"].params}
    of_data = {name.replace("_", "-") for name, panel in panels.items() if panel in ("The claim", "The data")}
    assert of_data - {"exhaustive"} == CLAIM | DATA | LEARNER - {"option"}, "a new one goes into a group above"


def test_a_setting_is_read_alike_by_all_commands_that_have_it() -> None:
    """``records`` were also the folder of ``dpcheck report --from``, and a list of them was no folder."""
    found: dict[str, set[tuple[str, bool, bool]]] = {}
    for command in app.registered_commands:
        for name, one in settings_of(command.callback).items():
            found.setdefault(name, set()).add((one.place, one.commas, one.several))
    assert {name: read for name, read in found.items() if len(read) > 1} == {}
    assert not {"traceback", "names", "only", "prune"} & set(found), "not for every run in a directory"


def test_every_setting_that_is_a_path_or_a_target_starts_at_the_folder_of_the_file() -> None:
    """``out``, ``module`` and ``target`` started where one stood when the command was typed."""
    for command in app.registered_commands:
        hints = get_type_hints(command.callback, include_extras=True)
        for name, one in settings_of(command.callback).items():
            kind = get_args(hints[name])[0]
            if Path in (kind, *get_args(kind)):
                assert one.place == FILE, (command.callback, name)
            elif name in ("target", "targets"):
                assert one.place == OBJECT, (command.callback, name)


@pytest.mark.turns(6)
@pytest.mark.parametrize(
    ("settings", "arguments", "says"),
    [
        ('module = "mine.py"', ["theorems"], "beside the settings"),
        ('target = "mine.py:Mean"', ["plan", "--epsilon", "1", "--bounds", "0,1", "--size", "2"], "mine.py:Mean"),
        ('target = "mine.py:Mean"', ["measure", "--bounds", "0,1", "--max-samples", "600", "--quiet"], "mine.py:Mean"),
        ('out = "pages"', ["report", "audit.json"], "../pages"),
    ],
)
def test_paths_of_the_settings_hold_in_a_folder_below(
    settings: str,
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    below = tmp_path / "below"
    below.mkdir()
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "pyproject.toml").write_text(f"[tool.dpcheck]\n{settings}\n")
    monkeypatch.chdir(below)
    assert run(["audit", "zoo:laplace", "--max-samples", "60", "--json", "audit.json", "--allow-inconclusive"]) == 0
    assert run(arguments) == 0
    assert says in capsys.readouterr().out
    assert [path.name for path in below.iterdir()] == ["audit.json"]
    assert (tmp_path / "pages").exists() == settings.startswith("out")


@pytest.mark.turns(6)
def test_the_settings_of_an_audit_are_none_of_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.dpcheck]\nrecords = [0, 1]\n")
    monkeypatch.chdir(tmp_path)
    assert run(["report", "nothing"]) == 2
    assert "--from" not in capsys.readouterr().err


TWO = 'targets = ["mine.py:Mean", "mine.py:Other"]'


@pytest.mark.parametrize(
    ("settings", "arguments", "status", "says"),
    [
        ('targets = ["mine.py:Mean"]', ["measure", "--dry-run"], 0, "mine.py:Mean"),
        ('targets = ["mine.py:Lean"]', ["measure"], 2, "(targets stands in [tool.dpcheck] of pyproject.toml)"),
        (TWO, ["measure"], 2, "measure takes one TARGET, and targets in [tool.dpcheck] of pyproject.toml names"),
        (TWO, ["measure", "mine.py:Mean", "--dry-run"], 0, "mine.py:Mean"),
        ('target = "mine.py:Mean"', ["audit", "--dry-run"], 0, "mine.py:Mean"),
        ('target = "mine.py:Lean"', ["audit"], 2, "(target stands in [tool.dpcheck] of pyproject.toml)"),
        ('target = "mine.py:Mean"', ["check", "--only", "input_unchanged"], 0, "mine.py:Mean"),
        ("", ["measure"], 2, "measure needs a TARGET, as in dpcheck measure mylearner.py:Learner\n"),
        ('learners = ["mine.py:Mean"]', ["measure"], 2, "only dpcheck record and compare read learners"),
        ('learners = ["mine.py:Mean"]', ["audit"], 5, "only dpcheck record and compare read learners"),
        ('learners = ["mine.py:Mean"]', ["audit", "--dry-run"], 5, "only dpcheck record and compare read learners"),
        ('learners = ["mine.py:Mean"]', ["check"], 5, "only dpcheck record and compare read learners"),
    ],
)
def test_the_targets_of_the_settings_are_those_of_every_command_that_runs_some(
    settings: str,
    arguments: list[str],
    status: int,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """``measure`` said "Missing argument" beside ``targets``; it takes one, and says so where there are several."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "pyproject.toml").write_text(
        f"[tool.dpcheck]\nepsilon = 1\nbounds = [0, 1]\nsize = 2\nisolation = 'none'\nquiet = true\n{settings}\n"
    )
    assert run(arguments) == status
    said = capsys.readouterr()
    assert says in said.out + said.err
    assert said.err.count("\n") == (status != 0)


def typed(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command in a folder."""
    command = [sys.executable, "-m", "dpcheck", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.turns(12)
@pytest.mark.parametrize("file", [False, True], ids=["no file", "a file of 40 rows"])
def test_one_table_of_settings_holds_for_every_command(tmp_path: Path, file: bool) -> None:
    """A learner that raises on any other columns, sizes or form of data is run by all of them."""
    data = 'dataset = "data.csv"' if file else 'columns = ["age", "income"]'
    if file:
        rows = "".join(f"{j % 2},{j / 40},{j % 2}\n" for j in range(40))
        (tmp_path / "data.csv").write_text(f"age,income,outcome\n{rows}")
    (tmp_path / "mine.py").write_text(FRAMES)
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.dpcheck]\nlearners = [{{target = "mine.py:Ages", cost = false, calls = 2000, '
        f'learn-calls = 500}}]\ntargets = ["mine.py:Ages"]\n{data}\nlabel = "outcome"\n'
        'labels = [0, 1]\nbounds = [0, 1]\nsize = "2..3"\nform = "frame"\nratio = 5\noption = ["scale=0.5"]\n'
        "quiet = true\nisolation = 'none'\nmax-seconds = 4\n"
    )
    kept = tmp_path / "kept.json"
    for arguments in (
        ["audit", "--max-samples", "200", "--allow-inconclusive", "--json", str(kept)],
        ["check", "--only", "input_unchanged", "--only", "read_only_input", "--allow-inconclusive"],
        ["measure", "mine.py:Ages", "--max-samples", "600"],
        ["plan", "mine.py:Ages"],
        ["record", "--no-history"],
        ["compare", "--no-history"],
    ):
        found = typed(tmp_path, *arguments)
        said = found.stdout + found.stderr
        expected = 1 if arguments[0] == "audit" and "VIOLATED" in said else 0
        assert found.returncode == expected, (arguments, said)
        assert "TypeError" not in said, (arguments, said)
        assert "ValueError" not in said, (arguments, said)
    entry = json.loads((tmp_path / "dpcheck-baseline.json").read_text(encoding="utf-8"))["learners"]["mine.py:Ages"]
    assert entry["claim"].startswith("log(5)"), "the ratio of the table"


def test_size_beside_a_dataset_makes_small_ones_for_measure_and_check_too() -> None:
    """A dataset of 30 rows and a claim about 2 records: all three look at datasets of 2 records made like it."""
    sizes: set[int] = set()

    def learner(dataset, rng):  # type: ignore[no-untyped-def]
        sizes.add(len(dataset[0]))
        return float(dataset[0].sum()) + rng.laplace()

    rng = np.random.default_rng(0)
    given = (rng.random((30, 1)).round(), rng.integers(0, 2, 30))
    relation = ReplaceOne(Records.labelled(features=(0, 1), labels=[0, 1]), size=2)
    audit(learner, 1.0, dataset=given, neighbours=relation, isolation="none", max_samples=100)
    measure(learner, dataset=given, neighbours=relation, isolation="none", max_samples=600)
    check_learner(learner, 1.0, dataset=given, neighbours=relation, isolation="none", checks=["input_unchanged"])
    assert sizes == {2}


@pytest.mark.turns(6)
def test_a_declared_law_is_asked_for_data_in_the_form_that_was_asked_for() -> None:
    """``form`` holds for ``distribution`` as it does for calls."""

    class Answers:
        def _chance(self, dataset):  # type: ignore[no-untyped-def]
            return 0.75 if float(dataset["x0"].iloc[0]) > 0.5 else 0.25

        def __call__(self, dataset, rng):  # type: ignore[no-untyped-def]
            return int(rng.random() < self._chance(dataset))

        def distribution(self, dataset):  # type: ignore[no-untyped-def]
            return {1: self._chance(dataset), 0: 1 - self._chance(dataset)}

    relation = ReplaceOne(Records.labelled(features=(0, 1), labels=[0, 1]), size=2)
    given = (np.array([[0.0], [1.0]]), np.array([0, 1]))
    found = audit(Answers, 1.2, dataset=given, neighbours=relation, form="frame", isolation="none")
    assert found.exact is not None, str(found)
    assert found.exact.epsilon == pytest.approx(np.log(3))


@pytest.mark.parametrize("text", ["call-timeout = nan", 'learners = [{target = "mine.py:learn", epsilon = nan}]'])
def test_nan_is_no_setting_also_of_a_command_that_does_not_read_it(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.dpcheck]\n{text}\n")
    (tmp_path / "mine.py").write_text("def learn(dataset, rng):\n    return 0\n")
    monkeypatch.chdir(tmp_path)
    assert run(["plan", "--epsilon", "1"] if "call" in text else ["record"]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "must be a number, got nan" in line
