"""Targets that end, hang or upset the process that looks at them: never status 0, never 1, always one clear line."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from dpcheck.cli.child_process import ENDED_EARLY

_IMPORT_SECONDS = "1.5"
_DEEDS = {
    "exits": "os._exit(0)",
    "leaves": "sys.exit(0)",
    "interrupts": "raise Own('it')",
    "hangs": "time.sleep(1000)",
    "loops": "exec('while True: pass')",
    "kills": "os.kill(os.getpid(), 9)",
    "raises": "raise RuntimeError('no')",
    "forks": "fork()",
    "closes": "os.close(1)",
    "shuts": "sys.stdout.close()",
    "moves": "os.chdir('/')",
    "prints": "print('x' * 10**7)",
    "allocates": "bytearray(1 << 46)",
}
_LEARN = "    def __call__(self, dataset, rng): return sum(dataset) + rng.laplace()\n"
_INSTANCE = "learn = learn()\n"
_PLACES = {
    "import": "{deed}\ndef learn(dataset, rng): return sum(dataset) + rng.laplace()",
    "constructor": "class learn:\n    def __init__(self): deed()\n" + _LEARN,
    "claim": "class learn:\n    @property\n    def claim(self): deed()\n" + _LEARN,
    "getattr": "class learn:\n    def __getattr__(self, name): deed()\n" + _LEARN,
    "metaclass": "class Made(type):\n    def __call__(cls): deed()\nclass learn(metaclass=Made):\n" + _LEARN,
    "law": "class learn:\n    @property\n    def distribution(self): deed()\n" + _LEARN,
    "signature": "class learn:\n    @property\n    def __signature__(self): deed()\n" + _LEARN + _INSTANCE,
    "repr": "class learn:\n    def __repr__(self): deed()\n    __str__ = __repr__\n" + _LEARN + _INSTANCE,
    "copy": """class learn:
    def __deepcopy__(self, memo): deed()
    def __getstate__(self): deed()
    def __reduce_ex__(self, protocol): deed()
"""
    + _LEARN
    + _INSTANCE,
}
# One of each kind, in the places where dpcheck looks first: each costs a start of the command. The whole product and
# the other commands take minutes: .ci/extra runs them.
_CHOSEN = (
    ("import", "interrupts"),
    ("import", "loops"),
    ("claim", "exits"),
    ("getattr", "forks"),
    ("metaclass", "shuts"),
)
_OTHER_COMMANDS = (
    ("measure", "hostile.py:learn", "--bounds", "0,1"),
    ("plan", "hostile.py:learn", "--epsilon", "1", "--bounds", "0,1"),
    ("record", "hostile.py:learn"),
    ("report", "hostile.py:learn"),
)


def _each(places: Iterable[str], chosen: tuple[tuple[str, str], ...]) -> list[Any]:
    """All deeds in the places; those that are not chosen are for .ci/extra."""
    return [
        pytest.param(place, deed, marks=() if (place, deed) in chosen else pytest.mark.extra)
        for place in places
        for deed in _DEEDS
    ]


#: A copy that goes on forks again at the next question: so many at most, for the machine's sake.
_MOST_FORKS = 400
_FORKING = f"""
def fork():
    with open("forks", "ab", buffering=0) as marks:
        marks.write(b"x")
        if marks.tell() > {_MOST_FORKS}:
            os.kill(os.getpid(), 9)
    os.fork()
"""
_HARMLESS = {"forks", "closes", "shuts", "moves", "prints", "allocates"}


def _source(place: str, deed: str) -> str:
    head = f"import os, sys, time\nclass Own(BaseException): pass\ndef deed():\n    {_DEEDS[deed]}\n"
    return head + (_FORKING if deed == "forks" else "") + _PLACES[place].replace("{deed}", "deed()")


def _dpcheck(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dpcheck", *arguments],
        cwd=cwd,
        env={**os.environ, "DPCHECK_IMPORT_SECONDS": _IMPORT_SECONDS},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


_AUDIT = ("--epsilon", "1", "--bounds", "0,1", "--size", "2", "--max-samples", "60", "--max-seconds", "5")


@pytest.mark.some(1)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the guard needs fork")
@pytest.mark.parametrize(("place", "deed"), _each(_PLACES, _CHOSEN))
def test_a_hostile_target_is_never_a_success_nor_a_violation(place: str, deed: str, tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(_source(place, deed), encoding="utf-8")

    ended = _dpcheck("audit", "hostile.py:learn", *_AUDIT, "--call-timeout", "2", "--quiet", cwd=tmp_path)

    assert ended.returncode in ({0, 2, 3, 4} if deed in _HARMLESS else {2, 3, 4}), ended
    if ended.returncode == 0:
        assert "no violation found" in ended.stdout
    elif ended.returncode != 3:
        assert "dpcheck: " in ended.stderr or "learner failed" in ended.stdout
    assert "Traceback" not in ended.stderr
    if deed == "forks" and (marks := tmp_path / "forks").exists():
        # One copy for each time it is asked; copies that went on would be twice as many with each question.
        assert marks.stat().st_size < _MOST_FORKS / 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the guard needs fork")
@pytest.mark.parametrize(
    "command",
    [
        ("check", "hostile.py:learn", "--epsilon", "1", "--bounds", "0,1"),
        *(pytest.param(command, marks=pytest.mark.extra) for command in _OTHER_COMMANDS),
    ],
    ids=lambda command: command[0],
)
def test_every_command_says_what_ended_it(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(_source("import", "exits"), encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(
        '[[tool.dpcheck.learners]]\nname = "hostile"\ntarget = "hostile.py:learn"\nepsilon = 1\nbounds = [0, 1]\n',
        encoding="utf-8",
    )

    ended = _dpcheck(*command, cwd=tmp_path)

    assert ended.returncode not in {0, 1}, ended
    assert ended.stderr.startswith("dpcheck: ")


def test_the_guard_says_what_was_under_way(tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(_source("import", "exits"), encoding="utf-8")

    (tmp_path / "junit.xml").write_text("<of an earlier run/>", encoding="utf-8")

    ended = _dpcheck("audit", "hostile.py:learn", *_AUDIT, "--output", "junit.xml", cwd=tmp_path)

    assert ended.returncode == ENDED_EARLY
    assert not (tmp_path / "junit.xml").exists()
    assert (tmp_path / "junit.xml.earlier").read_text(encoding="utf-8") == "<of an earlier run/>"
    assert ended.stderr == (
        "dpcheck: the process was ended with status 0 while target hostile.py:learn was being imported: "
        "nothing was decided\n"
    )


def test_the_limit_of_an_import_is_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dpcheck.execution.import_limit import import_seconds
    from dpcheck.model.errors import InvalidArgument

    for wrong in ("", "x", "0", "-1", "nan", "inf"):
        monkeypatch.setenv("DPCHECK_IMPORT_SECONDS", wrong)
        with pytest.raises(InvalidArgument, match="DPCHECK_IMPORT_SECONDS must be a positive number of seconds"):
            import_seconds()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the guard needs fork")
def test_the_command_ends_with_the_process_that_was_started(tmp_path: Path) -> None:
    mark = tmp_path / "child"
    (tmp_path / "hostile.py").write_text(
        f"import os, time\nopen({str(mark)!r}, 'w').write(str(os.getpid()) + ' ')\ntime.sleep(1000)\n", encoding="utf-8"
    )
    with subprocess.Popen([sys.executable, "-m", "dpcheck", "audit", "hostile.py:learn"], cwd=tmp_path) as started:
        while not mark.exists() or not mark.read_text().endswith(" "):
            time.sleep(0.05)
        child = int(mark.read_text())
        assert child != started.pid
        started.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and _runs(child):
        time.sleep(0.05)
    assert not _runs(child)


_LOST = """
import time, weakref
class Thing: pass
def callback(reference):
    open("ready", "w").close()
    end = time.monotonic() + 1
    while time.monotonic() < end: pass
thing = Thing()
reference = weakref.ref(thing, callback)
del thing
time.sleep(1000)
"""


@pytest.mark.turns(4)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the guard needs fork")
def test_ctrl_c_is_not_lost_in_a_callback_whose_exceptions_python_drops(tmp_path: Path) -> None:
    # What importlib does all the time: a Ctrl-C during an import comes in such a callback every now and then.
    (tmp_path / "hostile.py").write_text(_LOST, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "dpcheck", "audit", "hostile.py:learn"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as started:
        while not (tmp_path / "ready").exists():
            time.sleep(0.05)
        os.killpg(started.pid, signal.SIGINT)
        try:
            out, err = started.communicate(timeout=300)
        finally:
            started.kill()

    assert (started.returncode, out, err) == (130, "", "dpcheck: interrupted\n")


@pytest.mark.turns(4)
def test_a_copy_ends_where_the_stranger_returns_and_not_before(tmp_path: Path) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    mark = tmp_path / "mark"
    # The first copy has work of its own and does it; neither copy comes back to print a line of its own.
    (tmp_path / "hostile.py").write_text(
        "import multiprocessing, os, sys\n"
        f"def write(text): open({str(mark)!r}, 'a').write(text + '\\n')\n"
        "def work(): write('worked')\n"
        "process = multiprocessing.get_context('fork').Process(target=work)\n"
        "process.start()\n"
        "process.join()\n"
        "if os.fork() == 0: write('forked')\n"
        "else: os.wait()\n"
        "raise RuntimeError('no')\n",
        encoding="utf-8",
    )

    ended = _dpcheck("audit", "hostile.py:learn", *_AUDIT, cwd=tmp_path)

    assert ended.stderr == "dpcheck: target hostile.py:learn could not be imported: RuntimeError: no\n"
    assert mark.read_text() == "worked\nforked\n"


def _runs(process: int) -> bool:
    if sys.platform != "linux":
        pytest.skip("only Linux ends a process with the one that waits for it")
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# The doors of Python and pytest: the learner is made, and looked at, in a worker process only.
_SCRIPT = """
import dpcheck
from hostile import learn
verdict = dpcheck.audit(learn, {claim}pairs=[([0], [1])], max_samples=60, max_seconds=5)
print(verdict.status.value)
print(verdict.failure)
"""
_TEST = """
import pytest
from hostile import learn
def test_private(dp_audit):
    dp_audit(learn, {claim}pairs=[([0], [1])], max_samples=60, max_seconds=5)
def test_other(): pass
"""
_PYTHON = ("constructor", "claim", "getattr", "metaclass", "law")
_PYTHON_CHOSEN = (("constructor", "exits"), ("law", "exits"))


def _python(source: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    (cwd / "test_door.py").write_text(source, encoding="utf-8")
    return subprocess.run(
        [sys.executable, *arguments, "test_door.py"],
        cwd=cwd,
        env={**os.environ, "DPCHECK_IMPORT_SECONDS": _IMPORT_SECONDS},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.turns(4)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs worker processes")
@pytest.mark.parametrize(("place", "deed"), _each(_PYTHON, _PYTHON_CHOSEN))
def test_a_script_outlives_what_it_audits(place: str, deed: str, tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(_source(place, deed), encoding="utf-8")
    claim = "" if place == "claim" else "1.0, "

    ended = _python(_SCRIPT.replace("{claim}", claim), cwd=tmp_path)

    if ended.returncode == 0:
        # of what sleeps nothing was seen but that it is slow
        either = deed in _HARMLESS or place == "law" or deed == "hangs"
        expected = ("learner failed", "inconclusive") if either else ("learner failed",)
        assert ended.stdout.startswith(expected), ended
    else:
        assert ended.returncode == 1, ended
        assert re.match(r"dpcheck\.(InvalidArgument|LearnerDied): .", ended.stderr.splitlines()[-1]), ended
    if (place, deed) == ("constructor", "exits"):
        assert ended.stdout.startswith("learner failed\n")
        assert "ended its process with exit status 0 while it was made and looked at" in ended.stdout


@pytest.mark.turns(6)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs worker processes")
@pytest.mark.parametrize(("place", "deed"), _each(_PYTHON, (("claim", "exits"),)))
def test_a_test_of_a_hostile_learner_fails_and_the_others_run(place: str, deed: str, tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(_source(place, deed), encoding="utf-8")
    claim = "" if place == "claim" else "1.0, "

    ended = _python(_TEST.replace("{claim}", claim), "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=tmp_path)

    assert ended.returncode == 1, ended
    assert "1 failed, 1 passed" in ended.stdout, ended


@pytest.mark.turns(6)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs worker processes")
@pytest.mark.parametrize(
    ("name", "deed", "why"),
    [
        ("neighbours", "os._exit(0)", "ended its process with exit status 0 while it was made and looked at"),
        ("neighbours", "exec('while True: pass')", "gave no sign of life for 1 s of the processor's time while it was"),
        ("distribution", "os.kill(os.getpid(), 9)", "was ended by SIGKILL"),
        ("sample", "sys.exit(0)", "could not be made in its worker process: SystemExit: 0"),
    ],
)
def test_a_learner_that_ends_or_hangs_its_process_when_looked_at_has_failed(
    name: str, deed: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import dpcheck

    monkeypatch.setenv("DPCHECK_IMPORT_SECONDS", "1")
    space: dict[str, object] = {}
    source = "import os, sys, time\nclass Learn:\n    def __call__(self, dataset, rng): return 0\n"
    exec(f"{source}    @property\n    def {name}(self): {deed}\n", space)

    verdict = dpcheck.audit(space["Learn"], 1.0, pairs=[([0], [1])], max_samples=60)

    assert verdict.status is dpcheck.Status.LEARNER_FAILED
    assert why in verdict.failure


@pytest.mark.parametrize("isolation", ["auto", "none"])
def test_what_a_learner_declares_is_the_same_wherever_it_is_made(isolation: str) -> None:
    from fractions import Fraction

    import dpcheck
    from dpcheck.privacy.run.limits import Limits
    from dpcheck.privacy.run.question import ask

    class Declares:
        claim = dpcheck.PureDP(ratio=Fraction(3, 2))

        @property
        def neighbours(self) -> object:
            records = dpcheck.Records.labelled(features=dpcheck.Records.bounded([0, 1], [2, 3]), labels=["a", "b"])
            return dpcheck.PrivatePart(of=dpcheck.LabelsOnly(records=records, size=range(2, 5)))

        def __call__(self, dataset: object, rng: object) -> int:
            return 0

    limits = Limits(alpha=1e-9, max_samples=60, max_seconds=5.0, call_timeout=5.0, isolation=isolation)
    question = ask(Declares, None, measuring=False, limits=limits)

    assert question.claim == Declares.claim
    assert question.claim.ratio == Fraction(3, 2)
    assert repr(question.relation) == repr(Declares().neighbours)
    assert (question.target.described is None) == (isolation == "none")


def test_what_a_learner_said_is_not_sent_with_it() -> None:
    import pickle
    from dataclasses import replace

    from dpcheck.model.learner import Described, as_target

    target = replace(as_target(_answers), described=Described({}, {}, law=False))

    assert pickle.loads(pickle.dumps(target)).described is None


def _answers(dataset: object, rng: object) -> int:
    return 0


def _told_where(places: list[int]) -> type:
    """A class of learners that writes down in which processes they were made: what is sent to a worker is a copy."""

    class Told:
        def __init__(self) -> None:
            places.append(os.getpid())

        def __call__(self, dataset: list[int], rng: Any) -> float:
            return sum(dataset) + float(rng.laplace())

    return Told


@pytest.mark.skipif(os.name != "posix", reason="needs worker processes")
def test_no_door_of_python_makes_a_learner_in_its_own_process() -> None:
    import dpcheck
    from dpcheck.history.subject import Subject, target_of

    places: list[int] = []
    learner = _told_where(places)
    data: dict[str, Any] = {"pairs": [([0], [1])], "max_samples": 60}

    (checked,) = dpcheck.check_learner(learner, 1.0, **data, checks=["order_of_records"])
    audited = dpcheck.audit(dpcheck.by_calls(learner), 1.0, **data)

    assert checked.status.value == "not applicable"
    assert audited.samples == 60
    assert target_of(Subject("it", learner, 1.0)).is_factory
    assert dpcheck.Case(learner, 1.0).name == "told_where..Told"
    assert places == []


@pytest.mark.skipif(os.name != "posix", reason="needs worker processes")
def test_the_command_line_makes_no_learner_in_its_own_process(tmp_path: Path) -> None:
    from dpcheck.cli.targets import module_of, resolve

    file = tmp_path / "told.py"
    file.write_text(
        "MADE = []\nclass Learner:\n    claim = 0.5\n    def __init__(self): MADE.append(1)\n"
        "    def __call__(self, dataset, rng): return 0\n",
        encoding="utf-8",
    )

    found = resolve(f"{file}:Learner", {})

    assert (found.claim, found.target.is_factory) == (0.5, True)
    module = module_of(str(file))
    assert module is not None
    assert module.MADE == []


@pytest.mark.skipif(os.name != "posix", reason="needs worker processes")
def test_every_check_says_that_the_learner_ended_its_process() -> None:
    import dpcheck

    class Exits:
        def __init__(self) -> None:
            os._exit(0) if os.getpid() != _OURS else None

        def __call__(self, dataset: object, rng: object) -> int:
            return 0

    results = dpcheck.check_learner(Exits, 1.0, pairs=[([0], [1])], checks=["pickling", "empty_data"])

    assert [(result.status.value, result.learner_failed) for result in results] == [("failed", True)] * 2
    assert all("ended its process with exit status 0" in result.sentence for result in results)


_OURS = os.getpid()


def test_the_name_of_a_test_runs_no_code_of_the_learner() -> None:
    import dpcheck

    class Hostile:
        def __getattribute__(self, name: str) -> object:
            raise KeyboardInterrupt

        def __call__(self, dataset: object, rng: object) -> int:
            return 0

    class Made(type):
        def __getattribute__(cls, name: str) -> object:
            raise KeyboardInterrupt

    class OfAMetaclass(metaclass=Made):
        pass

    assert dpcheck.Case(Hostile(), 1.0).name.endswith("Hostile")
    assert dpcheck.Case(OfAMetaclass, 1.0).name.endswith("OfAMetaclass")
    assert dpcheck.by_calls(Hostile()).name.endswith("Hostile")


def test_the_place_of_a_learner_is_found_without_its_code() -> None:
    from dpcheck.report.source_locations import definition_of

    class Hostile:
        def __getattribute__(self, name: str) -> object:
            raise KeyboardInterrupt

        def __call__(self, dataset: object, rng: object) -> int:
            return 0

    here = Path(__file__).resolve()
    found = definition_of(Hostile(), __name__, here.parents[2])

    assert found is not None
    assert found.file == "tests/cli/test_hostile_targets.py"


def _run_that_ends(begun: Any, document: Path, written: str, error: type[BaseException]) -> None:
    with begun:
        assert not document.exists()
        assert document.with_name("earlier.json.earlier").read_text(encoding="utf-8") == "earlier"
        if written:
            document.write_text(written, encoding="utf-8")
        raise error("it")


def test_documents_of_an_earlier_run_are_set_aside_and_come_back_where_an_argument_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from dpcheck.cli.earlier_documents import out_of_the_way
    from dpcheck.model.errors import InvalidArgument, LearnerDied

    document, missing = tmp_path / "earlier.json", tmp_path / "missing.json"
    aside = tmp_path / "earlier.json.earlier"
    for error in (InvalidArgument, LearnerDied, KeyboardInterrupt):
        document.write_text("earlier", encoding="utf-8")
        with pytest.raises(error):
            _run_that_ends(out_of_the_way(document, missing, None), document, "", error)
        kept, gone = (document, aside) if error is InvalidArgument else (aside, document)
        assert kept.read_text(encoding="utf-8") == "earlier"
        assert not gone.exists()
        assert (f"what an earlier one wrote there is in {aside}" in capsys.readouterr().err) == (kept == aside)
        kept.unlink()
    for error in (InvalidArgument, LearnerDied):
        document.write_text("earlier", encoding="utf-8")
        with pytest.raises(error):
            _run_that_ends(out_of_the_way(document), document, "of this run", error)
        assert document.read_text(encoding="utf-8") == "of this run"
        assert not aside.exists()
    assert not missing.exists()


def test_what_was_set_aside_before_is_not_written_over(tmp_path: Path) -> None:
    from dpcheck.cli.earlier_documents import out_of_the_way

    document = tmp_path / "run.json"
    document.write_text("second", encoding="utf-8")
    document.chmod(0o640)
    (tmp_path / "run.json.earlier").write_text("first", encoding="utf-8")
    with out_of_the_way(document):
        assert (tmp_path / "run.json.earlier-2").read_text(encoding="utf-8") == "second"
        document.write_text("third", encoding="utf-8")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["run.json", "run.json.earlier"]


def test_a_paper_of_a_stranger_is_imported_under_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import nullcontext

    from dpcheck.execution import watch
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.proof.registry import from_file

    heard: list[str] = []
    monkeypatch.setattr(watch, "_watch", [lambda words: (heard.append(words), nullcontext())[1]])
    file = tmp_path / "paper.py"
    file.write_text("class Own(BaseException):\n    def __str__(self): raise Own\nraise Own\n", encoding="utf-8")

    with pytest.raises(InvalidArgument, match=r"^paper\.py could not be imported: Own \(paper\.py, line 3\)$"):
        from_file(file)

    assert heard == ["paper.py was being imported"]
