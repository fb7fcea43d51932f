"""The GitHub action, the pre-commit hooks and the example workflow: each run as far as it can be without GitHub."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.documents import check, sarif_schema

ROOT = Path(__file__).parent.parent
ACTION = ROOT / "action.yml"
WORKFLOW = ROOT / "examples" / "github-workflow.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
# At scale 1 the sum of numbers in [0, 1] is 1-DP; at a quarter of it some hundred calls show that it is not.
LEARNERS = """
def correct(dataset, rng):
    return sum(dataset) + rng.laplace(scale=1.0)


def broken(dataset, rng):
    return sum(dataset) + rng.laplace(scale=0.25)
"""
FEW = "--bounds=0,1\n--max-samples=3000\n--size=1\n--detect=4\n--isolation=none"


def loaded(file: Path) -> Any:
    return YAML(typ="safe").load(file)


@dataclass
class Outcome:
    """What a run of the action left: the first status of a step that is not 0, and what was written."""

    status: int
    outputs: dict[str, str]
    summary: str
    log: str
    ran: list[str] = field(default_factory=list)


def evaluated(text: Any, values: Mapping[str, str]) -> Any:
    """A value of the action with its expressions replaced, as the runner does: names, and comparisons with texts."""

    def value(match: re.Match[str]) -> str:
        expression = match.group(1)
        compared = re.fullmatch(r"([\w.-]+) (==|!=) '([^']*)'", expression)
        if compared:
            name, how, other = compared.groups()
            return str((values.get(name, "") == other) == (how == "==")).lower()
        assert re.fullmatch(r"[\w.-]+", expression), f"an expression this test cannot evaluate: {expression}"
        return values.get(expression, "")

    return EXPRESSION.sub(value, text) if isinstance(text, str) else text


def outputs_of(file: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in file.read_text(encoding="utf-8").splitlines())


def run_action(project: Path, inputs: Mapping[str, str], python: Path | None = None, skip: str = "") -> Outcome:
    """The action's steps, one bash after the other, with the environment and the files of a runner."""
    action = loaded(ACTION)
    assert set(inputs) <= set(action["inputs"])
    values = {
        f"inputs.{name}": str(inputs.get(name, declared["default"])) for name, declared in action["inputs"].items()
    }
    values["github.action_path"] = str(ROOT)
    runner = project / ".runner"
    runner.mkdir(exist_ok=True)
    # The Python on PATH is this one, unless a test brings its own.
    (runner / "bin").mkdir(exist_ok=True)
    command = runner / "bin" / "python"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(str(python or sys.executable))} "$@"\n')
    command.chmod(0o755)
    summary = runner / "summary"
    summary.touch()
    result = Outcome(0, {}, "", "")
    for number, step in enumerate(action["runs"]["steps"]):
        wanted = evaluated(step.get("if", "true"), values) == "true"
        if "run" not in step or not wanted or step["name"] == skip or result.status:
            continue
        script, output = runner / f"step{number}.sh", runner / f"output{number}"
        output.touch()
        assert not EXPRESSION.search(step["run"])
        script.write_text(step["run"])
        environment = {name: evaluated(text, values) for name, text in step.get("env", {}).items()}
        done = subprocess.run(
            # The runner's own command for "shell: bash".
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=project / evaluated(step.get("working-directory", "."), values),
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith(("COV_", "GITHUB_"))},
                "PATH": f"{runner / 'bin'}{os.pathsep}{os.environ['PATH']}",
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(summary),
                "GITHUB_ACTIONS": "true",
                "CI": "true",
                "RUNNER_TEMP": str(runner),
                **environment,
            },
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        result.ran.append(step["name"])
        result.log += done.stdout + done.stderr
        result.status = done.returncode
        for name, text in outputs_of(output).items():
            values[f"steps.{step.get('id', '')}.outputs.{name}"] = text
    result.outputs = {name: evaluated(made["value"], values) for name, made in action["outputs"].items()}
    result.summary = summary.read_text(encoding="utf-8")
    return result


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "my project"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / "learners.py").write_text(LEARNERS)
    return folder


@pytest.mark.parametrize(
    ("file", "schema"),
    [(ACTION, "vendor.github-actions"), (WORKFLOW, "vendor.github-workflows")],
    ids=["action", "workflow"],
)
def test_the_files_are_what_github_takes(file: Path, schema: str) -> None:
    checked = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
    done = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_file_that_github_does_not_take_is_caught(tmp_path: Path) -> None:
    broken = tmp_path / "action.yml"
    broken.write_text(ACTION.read_text().replace("using: composite", "using: composit"))
    checked = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", str(broken)]
    assert subprocess.run(checked, capture_output=True, check=False).returncode == 1


def test_no_input_stands_in_a_script() -> None:
    for step in loaded(ACTION)["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), step["name"]
        assert "eval" not in step.get("run", "")


def test_each_input_is_used_and_each_output_is_made() -> None:
    action = loaded(ACTION)
    text = ACTION.read_text()
    for name in action["inputs"]:
        assert f"inputs.{name} " in text, name
    for name, made in action["outputs"].items():
        _, step, _, key = EXPRESSION.fullmatch(made["value"]).group(1).split(".")  # type: ignore[union-attr]
        (script,) = (one["run"] for one in action["runs"]["steps"] if one.get("id") == step)
        assert f"{key}=" in script, name


@pytest.mark.turns(6)
def test_a_broken_learner_fails_the_action_and_a_correct_one_does_not(project: Path) -> None:
    inputs = {"epsilon": "1", "arguments": FEW, "sarif-file": "out dir.sarif"}
    passed = run_action(project, {**inputs, "targets": "learners.py:correct"}, skip="Install dpcheck")
    assert passed.status == 0, passed.log
    assert passed.ran == ["Audit", "Result"]
    assert passed.outputs == {
        "exit-status": "0", "sarif-file": "./out dir.sarif", "json-file": "./dpcheck.json"
    }  # fmt: skip
    assert "no violation found" in passed.summary
    targets = "  learners.py:correct  \r\n\n\tlearners.py:broken\r\n"
    failed = run_action(project, {**inputs, "targets": targets}, skip="Install dpcheck")
    assert failed.status == 1, failed.log
    assert failed.outputs["exit-status"] == "1"
    log = json.loads((project / failed.outputs["sarif-file"]).read_text())
    check(sarif_schema(), log)
    (result,) = (one for one in log["runs"][0]["results"] if one["ruleId"] == "dpcheck/violated")
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("learners.py", 6)
    assert json.loads((project / failed.outputs["json-file"]).read_text())["exit_status"] == 1
    assert "::error file=learners.py,line=6,title=" in failed.log
    assert "violated" in failed.summary


ATTACKS = (
    "$(touch pwned)",
    "`touch pwned`",
    "'; touch pwned; '",
    '"; touch pwned; "',
    "x && touch pwned",
    "x | touch pwned",
    "${{ github.token }}",
    "x\ntouch pwned",
)


@pytest.mark.turns(6)
def test_inputs_run_no_commands(project: Path) -> None:
    attack = "\n".join(ATTACKS)
    everywhere = {"targets": attack, "epsilon": ATTACKS[0], "delta": ATTACKS[1], "arguments": attack}
    for inputs in (
        everywhere,
        {"targets": attack, "sarif-file": ATTACKS[0], "json-file": ATTACKS[1], "arguments": "--bounds=0,1"},
        {"targets": "learners.py:correct", "json-file": "x\nexit-status=0"},
        {"extras": "demo]; touch pwned; echo ["},
        {"extras": "$(touch pwned)"},
    ):
        # Nothing is to be installed: a refusal comes before.
        done = run_action(project, inputs, skip="" if "extras" in inputs else "Install dpcheck")
        assert done.status == 2, (inputs, done.log)
        assert not list(project.rglob("pwned*")), inputs
        assert done.outputs["exit-status"] in ("", "2")


def test_dpcheck_is_installed_from_the_actions_own_folder(project: Path) -> None:
    said = project / "said.json"
    python = project / "python that notes"
    python.write_text(
        f"#!{sys.executable}\nimport json, sys\nopen({str(said)!r}, 'w').write(json.dumps(sys.argv[1:]))\n"
    )
    python.chmod(0o755)
    done = run_action(project, {"extras": "diffprivlib,sklearn", "audit": "false"}, python)
    assert json.loads(said.read_text())[-1] == f"{ROOT}[diffprivlib,sklearn]"
    assert done.ran == ["Install dpcheck", "Result"]
    # Neither audited nor compared: that is not green.
    assert (done.status, done.outputs["exit-status"]) == (5, "5")
    run_action(project, {"audit": "false"}, python)
    assert json.loads(said.read_text())[-1] == str(ROOT)


def test_the_action_compares_and_the_worse_of_two_statuses_counts(project: Path) -> None:
    """Both commands are played by a script: what they do is tested where they are."""
    played = project / "plays"
    played.write_text(
        f"#!{sys.executable}\n"
        "import os, sys\n"
        "status = os.environ['PLAY_' + sys.argv[3].upper()]\n"
        "for argument in sys.argv:\n"
        "    if argument.startswith('--output='):\n"
        "        open(argument[len('--output='):], 'w').write('# compared\\n')\n"
        "sys.exit(int(status))\n"
    )
    played.chmod(0o755)
    inputs = {"compare": "true"}
    for audit, compare, both in ((0, 0, 0), (0, 1, 1), (3, 1, 1), (4, 1, 4), (0, 5, 5), (1, 70, 70)):
        os.environ.update({"PLAY_AUDIT": str(audit), "PLAY_COMPARE": str(compare)})
        try:
            done = run_action(project, inputs, played, skip="Install dpcheck")
        finally:
            del os.environ["PLAY_AUDIT"], os.environ["PLAY_COMPARE"]
        assert done.ran == ["Audit", "Compare", "Result"]
        assert (done.status, done.outputs["exit-status"]) == (both, str(both)), (audit, compare)
        assert "# compared" in done.summary
        assert ("::error title=dpcheck compare::" in done.log) == (compare != 0)


def test_the_workflow_uses_what_the_action_has_and_asks_for_no_more_rights() -> None:
    workflow = loaded(WORKFLOW)
    assert workflow["permissions"] == {"contents": "read"}
    (job,) = workflow["jobs"].values()
    assert job["permissions"] == {"contents": "read", "security-events": "write"}
    action = loaded(ACTION)
    (step,) = (one for one in job["steps"] if "dpcheck@" in one.get("uses", ""))
    assert set(step["with"]) <= set(action["inputs"])
    used = set(re.findall(rf"steps\.{step['id']}\.outputs\.([\w-]+)", WORKFLOW.read_text()))
    assert used
    assert used <= set(action["outputs"])
    assert all("@" in one["uses"] for one in job["steps"] if "uses" in one)


@pytest.mark.turns(4)
def test_the_workflows_arguments_are_ones_the_command_takes(project: Path) -> None:
    (job,) = loaded(WORKFLOW)["jobs"].values()
    (step,) = (one for one in job["steps"] if "dpcheck@" in one.get("uses", ""))
    asked = {
        **step["with"],
        "targets": "learners.py:correct",
        "arguments": step["with"]["arguments"] + "--max-samples=60\n--allow-inconclusive\n--format=text",
    }
    done = run_action(project, asked, skip="Install dpcheck")
    assert done.status == 0, done.log
    assert "learners.py:correct" in done.log


HOOK_KEYS = {"id", "name", "description", "entry", "language", "types_or", "pass_filenames", "require_serial"}


def test_the_hooks_are_what_pre_commit_takes() -> None:
    hooks = loaded(HOOKS)
    assert [hook["id"] for hook in hooks] == ["dpcheck-audit", "dpcheck-compare"]
    for hook in hooks:
        assert set(hook) == HOOK_KEYS
        # The targets are the project's, not the files that were changed.
        assert hook["language"] == "python"
        assert hook["pass_filenames"] is False


@pytest.mark.turns(6)
def test_the_audit_hook_judges_the_configured_targets(project: Path) -> None:
    settings = "bounds = [0, 1]\nmax-samples = 3000\nsize = 1\nepsilon = 1\ndetect = 4\nisolation = 'none'\n"
    (project / "pyproject.toml").write_text(
        f'[tool.dpcheck]\ntargets = ["learners.py:correct", "learners.py:broken"]\n{settings}'
    )
    (hook,) = (one for one in loaded(HOOKS) if one["id"] == "dpcheck-audit")
    program, *arguments = shlex.split(hook["entry"])
    assert program == "dpcheck"
    done = subprocess.run(
        [sys.executable, "-m", program, *arguments], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "2 targets: 1 no violation found, 1 violated" in done.stdout


def test_the_compare_hook_is_a_command_there_is(project: Path) -> None:
    (hook,) = (one for one in loaded(HOOKS) if one["id"] == "dpcheck-compare")
    program, *arguments = shlex.split(hook["entry"])
    done = subprocess.run(
        [sys.executable, "-m", program, *arguments], cwd=project, capture_output=True, text=True, check=False
    )
    # Nothing is configured here, which is said, and is not green.
    assert done.returncode == 5, done.stdout + done.stderr


def test_the_documentation_shows_the_workflow_as_it_is() -> None:
    page = (ROOT / "docs" / "howto" / "ci.md").read_text(encoding="utf-8")
    assert f"```yaml\n{WORKFLOW.read_text(encoding='utf-8').rstrip()}\n```" in page
