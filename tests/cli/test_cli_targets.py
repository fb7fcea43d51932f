"""Targets written on the command line: found, or refused with the nearest name; fit for a worker process."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import cloudpickle
import numpy as np
import pytest

from dpcheck.cli.targets import resolve
from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.errors import InvalidArgument, TargetNotFound
from dpcheck.model.neighbours import AddRemove

LEARNERS = """
import sys
print("printed while importing")
SCALE = 2.0

def learner(dataset, rng):
    return sum(dataset) + rng.laplace(scale=SCALE)

class Factory:
    def __init__(self, epsilon=None, delta=None, depth=1):
        self.epsilon, self.delta, self.depth = epsilon, delta, depth
    def __call__(self, dataset, rng):
        return rng.laplace(scale=self.depth / self.epsilon)

class WithClaim:
    claim = 0.5
    neighbours = "add-remove"
    def __call__(self, dataset, rng):
        return 0.0
    class Inner:
        def __call__(self, dataset, rng):
            return 1.0

class Explodes:
    def __init__(self):
        raise RuntimeError("no license")

NUMBER = 3
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    folder = tmp_path / "with spaces é"
    folder.mkdir()
    (folder / "mylearners.py").write_text(LEARNERS, encoding="utf-8")
    return str(folder / "mylearners.py")


def not_found(text: str, *words: str) -> None:
    with pytest.raises(TargetNotFound) as caught:
        resolve(text, {})
    assert "\n" not in str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_a_learner_in_a_file_is_found_and_named_as_it_was_typed(file: str) -> None:
    found = resolve(f"{file}:learner", {})
    assert found.target.name == f"{file}:learner"
    assert not found.target.is_factory
    assert isinstance(found.target.make()([1, 2], np.random.default_rng(0)), float)
    assert (found.claim, found.relation, found.pairs) == (None, None, None)


def test_what_a_module_prints_stays_out_of_standard_output(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    resolve(f"{file}:learner", {})
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "printed while importing" in printed.err


def test_a_learner_from_a_file_can_be_sent_to_a_process_that_cannot_import_it(file: str) -> None:
    sent = cloudpickle.dumps(resolve(f"{file}:learner", {}).target)
    code = (
        "import pickle, sys, numpy; target = pickle.load(sys.stdin.buffer); "
        "print(target.make()([1, 2], numpy.random.default_rng(0)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=True)
    assert float(ran.stdout) == resolve(f"{file}:learner", {}).target.make()([1, 2], np.random.default_rng(0))
    assert pickle.loads(sent).name == f"{file}:learner"


def test_a_factory_is_given_its_options_and_the_claims_epsilon_and_delta(file: str) -> None:
    made = resolve(f"{file}:Factory", {"depth": 3}, ApproxDP(0.5, 1e-5)).target.make()
    assert (made.epsilon, made.delta, made.depth) == (0.5, 1e-5, 3)
    made = resolve(f"{file}:Factory", {"epsilon": 2.0}, PureDP(0.5)).target.make()
    assert (made.epsilon, made.delta) == (2.0, 0.0)


def test_an_option_the_factory_does_not_have_is_refused_with_the_nearest(file: str) -> None:
    with pytest.raises(InvalidArgument, match="did you mean 'depth'"):
        resolve(f"{file}:Factory", {"dept": 3})
    with pytest.raises(InvalidArgument, match="takes none"):
        resolve(f"{file}:learner", {"depth": 3})


def test_a_learners_own_claim_and_relation_are_used_unless_another_claim_is_made(file: str) -> None:
    found = resolve(f"{file}:WithClaim", {})
    assert (found.claim, found.relation) == (0.5, AddRemove())
    assert resolve(f"{file}:WithClaim", {}, PureDP(2.0)).claim == PureDP(2.0)
    assert resolve(f"{file}:WithClaim.Inner", {}).claim is None


def test_what_is_no_learner_or_cannot_be_made_is_refused(file: str) -> None:
    with pytest.raises(InvalidArgument, match="callable"):
        resolve(f"{file}:NUMBER", {})
    with pytest.raises(InvalidArgument, match="RuntimeError: no license"):
        resolve(f"{file}:Explodes", {})


def test_modules_are_found_by_their_dotted_name() -> None:
    assert resolve("dpcheck.parts.mechanisms.laplace:Laplace", {"scale": 2.0}).target.is_factory


def test_modules_in_the_current_directory_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_module_of_mine.py").write_text(LEARNERS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "a_module_of_mine", raising=False)
    assert resolve("a_module_of_mine:learner", {}).target.name == "a_module_of_mine:learner"


def test_zoo_entries_bring_their_claim_relation_and_pairs() -> None:
    found = resolve("zoo:laplace", {})
    assert found.target.name == "zoo:laplace"
    assert found.claim == PureDP(1.0)
    assert found.relation.name == "replace-one"
    assert len(found.pairs[0]) == 2
    assert resolve("zoo:laplace-with-half-the-scale", {}, 3.0).claim == 3.0
    assert resolve("zoo:laplace_half_scale", {}).target.name == "zoo:laplace_with_half_the_scale"
    with pytest.raises(InvalidArgument, match="takes no options"):
        resolve("zoo:laplace", {"scale": 1})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("zoo:laplase", ["did you mean 'laplace'"]),
        ("laplace", ["zoo:name", "did you mean 'zoo:laplace'"]),
        (":name", ["package.module:name"]),
        ("module:", ["package.module:name"]),
        ("mylearner.py", ["mylearner.py:Learner"]),
        ("not a module:x", ["no module's name"]),
        (
            "dpcheck.parts.mechanism.laplace:Laplace",
            ["no module 'mechanism' in dpcheck.parts", "did you mean 'mechanisms'"],
        ),
        ("dpcheck.parts.mechanisms.laplace:Laplac", ["has no 'Laplac'", "did you mean 'Laplace'"]),
        ("dpcheck.model.errors.deeper:x", ["dpcheck.model.errors is a module, not a package"]),
        ("numpyy:array", ["no module 'numpyy'", "did you mean 'numpy'"]),
    ],
)
def test_what_is_not_found_names_the_nearest(text: str, words: list[str]) -> None:
    not_found(text, *words)


@pytest.mark.parametrize("text", ["nosuch.mod:mean", "mylib:learner", "nampi:array"])
def test_modules_that_are_not_close_are_no_suggestion(text: str) -> None:
    with pytest.raises(TargetNotFound) as caught:
        resolve(text, {})
    assert "did you mean" not in str(caught.value)


def test_files_and_names_that_are_not_there_name_the_nearest(file: str) -> None:
    not_found(
        file.replace("mylearners", "mylearner") + ":learner",
        "there is no file",
        "did you mean 'mylearners.py'",
    )
    not_found(f"{file}:lerner", "has no 'lerner'", "did you mean 'learner'")
    not_found(f"{file}:WithClaim.Iner", "WithClaim has no 'Iner'", "did you mean 'Inner'")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import a_module_there_is_not", ["could not be imported", "a_module_there_is_not"]),
        ("1 / 0", ["ZeroDivisionError"]),
        ("import sys; sys.exit(0)", ["sys.exit(0)", "__main__"]),
        ("def broken(:", ["SyntaxError"]),
        ("raise ValueError('two\\nlines')", ["two lines"]),
    ],
)
def test_a_file_that_cannot_be_imported_is_refused_in_one_line(tmp_path: Path, code: str, words: list[str]) -> None:
    path = tmp_path / "broken.py"
    path.write_text(code)
    not_found(f"{path}:learner", *words)
    not_found(f"{path}:learner", *words)  # and leaves nothing half imported behind
