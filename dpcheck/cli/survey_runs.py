"""The audits of a survey's file: each a ``dpcheck audit`` in its subject's environment, of which a verdict is read.

Nothing of this process is needed there: the learner, its package and dpcheck are imported by the environment's Python,
in a folder without settings. What comes back is the run document that any ``dpcheck audit --json`` writes.
"""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpcheck.cli.survey_file import AskedEnvironment, AskedSubject, AskedSurvey
from dpcheck.execution.environments import Made, variables_there
from dpcheck.execution.lifeline import lifeline_for_command
from dpcheck.model import disk
from dpcheck.model.errors import InvalidArgument, LearnerDied, RecordCorrupt, TargetNotFound
from dpcheck.model.harmless import one_line
from dpcheck.model.verdict import Status, Verdict
from dpcheck.report.finished import Trouble
from dpcheck.report.packages.words import row_name

#: An audit ends by its calls or its own time; the process gets so much longer to start, import and shrink a pair.
PATIENCE = 600.0
#: Of what a process says about its end no more characters are shown.
_MOST_SAID = 400
#: One thread each: datasets are small, audits run side by side, and sums made in another order differ in their last
#: bits.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
#: What ends the search for settings in the folder where an audit runs: what is asked of it stands on its command line.
_NO_SETTINGS = ("pyproject.toml", "[tool.dpcheck]\n")


@dataclass(frozen=True)
class Planned:
    """One audit: of a subject, or of its mended copy, in an environment, on a seed."""

    subject: AskedSubject
    environment: AskedEnvironment
    mended: bool
    seed: int

    @property
    def name(self) -> str:
        """How it is called; different audits of a survey have different names."""
        return f"{row_name(self.subject.name, self.environment.name, mended=self.mended)} (seed {self.seed})"

    @property
    def expected(self) -> Status:
        """The verdict that is no news; a mended copy is to be without violation."""
        return Status.NO_VIOLATION_FOUND if self.mended else self.subject.expected[self.environment.name]


@dataclass(frozen=True)
class Command:
    """An audit as a process: what is run, how long it may take, and what its verdict is called.

    ``start`` is the folder of the survey's file: what is said of files in it names them from there.
    """

    arguments: tuple[str, ...]
    limit: float
    name: str
    start: str


def planned(pairs: Sequence[tuple[AskedSubject, AskedEnvironment]], seeds: Sequence[int]) -> tuple[Planned, ...]:
    """Every audit: of each subject in each environment, and then of its mended copy, on each seed, the first ones
    where its list says that fewer do."""
    return tuple(
        Planned(subject, environment, mended, seed)
        for subject, environment in pairs
        for mended in ((False, True) if subject.mended else (False,))
        for seed in seeds[: subject.most_seeds]
    )


def command_of(
    one: Planned, made: Made, survey: AskedSurvey, max_seconds: float, journal: Path | None = None
) -> Command:
    """The audit as it is run in its environment; what the file says of seconds wins over ``max_seconds``."""
    seconds = one.subject.max_seconds or max_seconds
    said = list(one.subject.arguments)
    said += [f"--alpha={survey.alpha}", f"--max-seconds={seconds}", f"--seed={one.seed}"]
    if journal is not None:
        digest = hashlib.sha256(one.name.encode()).hexdigest()[:16]
        said.append(f"--journal={journal.absolute() / f'calls-{digest}'}")
    target = one.subject.mended_at if one.mended else one.subject.found_at
    arguments = (str(made.interpreter), "-m", "dpcheck", "audit", target, *said)
    return Command(arguments, seconds + PATIENCE, one.name, str(survey.file.absolute().parent))


def audited_there(name: str, effort: Mapping[str, Any]) -> Verdict:
    """The verdict on a planned audit, by its name; ``effort`` has the commands by names.

    Raises
    ------
    DpcheckError
        Where the audit could not be made, or its process died, with what it said.
    """
    return run_there(effort["commands"][name])


def run_there(command: Command) -> Verdict:
    """Run an audit in its environment, and read its verdict.

    Raises
    ------
    DpcheckError
        Where it has none.
    """
    with tempfile.TemporaryDirectory(prefix="dpcheck-survey-") as folder:
        settings, text = _NO_SETTINGS
        disk.write_whole(Path(folder) / settings, text)
        document = Path(folder) / "run.json"
        # Quietly, for nobody looks; its document is all that is wanted of it.
        arguments = [*command.arguments, "--quiet", f"--json={document}"]
        said = _ended(arguments, folder, command)
        try:
            run = json.loads(document.read_text(encoding="utf-8"))
            (result,), records = run["results"], run["records"]
            if result["record"] is not None:
                verdict = Verdict.from_json(json.dumps(records[result["record"]]))
                return replace(verdict, target=command.name, failure=_from_start(verdict.failure, command))
            trouble, problem = str(result["status"]), _from_start(one_line(str(result["problem"])), command)
        except (OSError, ValueError, KeyError, TypeError, RecordCorrupt):
            raise LearnerDied(f"its audit left no verdict: {said or 'and said nothing'}") from None
    if trouble == Trouble.INTERRUPTED.value:
        raise KeyboardInterrupt
    if trouble == Trouble.USAGE.value:
        raise (TargetNotFound if problem.startswith("target ") else InvalidArgument)(problem)
    raise LearnerDied(problem)


def _from_start(words: str, command: Command) -> str:
    return words.replace(f"{command.start}/", "")


def _ended(arguments: Sequence[str], folder: str, command: Command) -> str:
    """Wait for an audit's process, which ends with this one, however this ends; the last that it said as trouble."""
    with lifeline_for_command() as (lifeline, named):
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            cwd=folder,
            env=variables_there({**_ONE_THREAD, **named}),
            pass_fds=(lifeline,),
        )
        try:
            said = process.communicate(timeout=command.limit)[1]
        except subprocess.TimeoutExpired:
            raise LearnerDied(f"its audit took longer than {command.limit:,.0f} s and was ended") from None
        finally:
            if process.poll() is None:
                process.kill()
                with suppress(OSError, ValueError):
                    process.communicate()
    words = one_line(" ".join(said.split()))
    if process.returncode < 0:
        words = f"its process died (signal {-process.returncode}) {words}"
    return _from_start(words, command)[-_MOST_SAID:]


def code_of(one: Planned, made: Made, command: Command) -> str:
    """A digest of what an audit's verdict depends on: its environment, its command, and the files that it names.

    Of a target in a file the modules beside it that it imports are looked at.
    """
    file = (one.subject.mended_at if one.mended else one.subject.found_at).rpartition(":")[0]
    beside = with_imported(Path(file)) if file.endswith(".py") else []
    given = [Path(word.partition("=")[2]) for word in command.arguments if word.startswith(_FILES)]
    said = [word for word in command.arguments[1:] if not word.startswith("--journal=")]
    hashed = hashlib.sha256(json.dumps([made.digest, said]).encode())
    for path in (*beside, *given):
        with suppress(OSError):
            hashed.update(hashlib.sha256(path.read_bytes()).digest())
    return hashed.hexdigest()


def with_imported(file: Path) -> list[Path]:
    """A file and all below its folder that it may import, directly or not; all of them where it cannot be told."""
    every = sorted(file.parent.rglob("*.py"))
    found, waiting = {file}, [file]
    while waiting:
        try:
            tree = ast.parse(waiting.pop().read_bytes())
        except (OSError, ValueError, SyntaxError, RecursionError):
            return every
        names: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names |= {part for alias in node.names for part in alias.name.split(".")}
            elif isinstance(node, ast.ImportFrom):
                names |= {*(node.module or "").split("."), *(alias.name for alias in node.names)}
            elif isinstance(node, ast.Name | ast.Attribute) and _name(node) in _IMPORT_BY_NAME:
                return every
        beside = [one for one in every if {one.stem, one.parent.name} & names and one not in found]
        found.update(beside)
        waiting += beside
    return sorted(found)


def _name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


#: What imports modules by names that only a run knows.
_IMPORT_BY_NAME = frozenset({"__import__", "import_module", "run_path", "run_module", "spec_from_file_location"})
_FILES = ("--dataset=", "--pairs=", "--public=")
