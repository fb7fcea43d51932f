"""What a stranger mistypes in a paper of their own is said in one line: the file, the step or result, the field."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.certificate_search import find_certificates
from dpcheck.proof.declared_types import check_types
from dpcheck.proof.lazy_bounds import bounds_of
from dpcheck.proof.registry import Registry, from_file, installed

_WRONG = "Claim('x in (0, 1)', '', 'x <= 1/2')"
_HEAD = "from dpcheck.proof.statement import Claim, Erratum, Paper, Repair, Step, Theorem\n"


def _file(folder: Path, step: str, result: str = "") -> Path:
    path = folder / "mine.py"
    theorems = f"(Theorem('mine:t', 't', steps=('a',){result}),)"
    path.write_text(f"{_HEAD}PAPER = Paper(\n    'mine', 'Mine', {theorems},\n    ({step},),\n)\n")
    return path


_STEPS = {
    f"claims=({_WRONG})": "claims must be a tuple of Claim, got a Claim; one alone is written with a comma after it",
    "claims=('x <= 1/2',)": "claims[0] must be a Claim, got 'x <= 1/2'",
    "claims=(Claim('x in (0, 1)', '', 3),)": "claims[0]: claim must be text, got 3",
    "claims=(Claim('', '', '0 < 1', ('have 0 < 2')),)": "claims[0]: hints must be a tuple of texts, got 'have 0 < 2'",
    "claims=(Claim('', '', '0 < 1', ['have 0 < 2']),)": "claims[0]: hints must be a tuple of texts, got ['have 0 < 2']",
    "against=3": "against must be a tuple of Claim, got 3",
    "reading=3": "reading must be text, got 3",
    "reading=Step": "reading must be text, got the class Step",
    "because='x' * 999, cites=b'x' * 999": "cites must be text, got b'xxx",
    "stated='yes'": "stated must be True or False, got 'yes'",
    "instances=len(())": "instances must be a function or None, got 0",
    "spelled=('x', 'y')": "spelled[0] must be a pair of texts, got 'x'",
    "spelled=(('x', 'y', 'z'),)": "spelled[0] must be a pair of texts, got ('x', 'y', 'z')",
    "erratum='wrong'": "erratum must be an Erratum or None, got 'wrong'",
    "erratum=Erratum('q', 'e', 'constnt')": "erratum: severity must be one of 'edge', 'slip', 'constant', 'gap', "
    "'false', got 'constnt' (did you mean 'constant'?)",
    "repair=Repair('s', 'domian')": "repair: changes must be one of 'domain', 'constant', 'direction', 'assumption', "
    "'statement', got 'domian' (did you mean 'domain'?)",
    f"repair=Repair('s', 'domain', {_WRONG})": "repair: claims must be a tuple of Claim, got a Claim; one alone",
}


@pytest.mark.parametrize(("fields", "said"), _STEPS.items())
def test_a_field_of_a_step_that_is_of_another_type_is_named(tmp_path: Path, fields: str, said: str) -> None:
    with pytest.raises(InvalidArgument, match="^" + re.escape(f"mine.py: step a: {said}")) as raised:
        from_file(_file(tmp_path, f"Step('a', {fields})"))
    assert len(str(raised.value)) < 300
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("Step(3)", "mine.py: PAPER: steps[0]: label must be text, got 3"),
        ("Step('a', becuase='b')", "an unexpected keyword argument 'becuase' (mine.py, line 4)"),
        ("Step('a', reading='b)", "(mine.py, line 4)"),
    ],
)
def test_a_step_that_has_no_name_yet_is_told_by_its_place(tmp_path: Path, step: str, said: str) -> None:
    with pytest.raises(InvalidArgument, match=re.escape(said) + "$"):
        from_file(_file(tmp_path, step))


_RESULTS = {
    ", uses='mine:t'": "mine.py: mine:t: uses must be a tuple of texts, got 'mine:t'; one alone",
    ", proved_by='repair'": "mine.py: mine:t: proved_by must be one of 'printed', 'repaired', '', got 'repair' (did",
    ", bounds='public'": "mine.py: mine:t: bounds must be a function or None, got 'public'",
    ", kind=None": "mine.py: mine:t: kind must be text, got None",
}


@pytest.mark.parametrize(("result", "said"), _RESULTS.items())
def test_a_field_of_a_result_that_is_of_another_type_is_named(tmp_path: Path, result: str, said: str) -> None:
    with pytest.raises(InvalidArgument, match="^" + re.escape(said)):
        from_file(_file(tmp_path, "Step('a')", result))


def test_what_is_of_its_type_is_accepted_lists_and_own_classes_too(tmp_path: Path) -> None:
    path = _file(tmp_path, f"Own('a', claims=[{_WRONG}], spelled=[['x', 'y']], reading=Text('r'))")
    own = "class Text(str): ...\nclass Unknown: ...\nclass Own(Step):\n    other: Unknown\n"
    path.write_text(path.read_text().replace(_HEAD, f"from __future__ import annotations\n{_HEAD}{own}"))
    from_file(path)
    for paper, _ in installed():
        check_types(paper, paper.key)


def test_a_value_whose_repr_raises_is_refused_all_the_same(tmp_path: Path) -> None:
    path = _file(tmp_path, "Step('a', reading=Own())")
    path.write_text(f"class Own:\n    def __repr__(self): raise SystemExit\n{path.read_text()}")
    with pytest.raises(InvalidArgument, match=r"^mine\.py: step a: reading must be text, got what cannot be shown$"):
        from_file(path)


def test_the_command_says_so_in_one_line(tmp_path: Path) -> None:
    path = _file(tmp_path, f"Step('a', claims=({_WRONG}))")
    ran = subprocess.run(
        [sys.executable, "-m", "dpcheck", "theorems", "--from", str(path)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith("dpcheck: mine.py: step a: claims must be a tuple of Claim, got a Claim; one alone")
    assert len(ran.stderr.splitlines()) == 1


def test_a_hint_that_is_none_is_told_with_its_step(tmp_path: Path) -> None:
    path = _file(tmp_path, "Step('a', claims=(Claim('x in (0, 1)', '', 'x*x <= 1', ('have x > 0' 'have x < 1',)),))")
    evaluation = Registry(path).evaluations["mine"]
    with pytest.raises(InvalidArgument, match=r"^mine: a hint of step a: 'have' is left over in 'x > 0have x < 1'$"):
        find_certificates(evaluation)


def test_a_bound_that_a_paper_has_not_is_told_with_the_nearest() -> None:
    with pytest.raises(
        InvalidArgument, match=r"^alon2019 has no bound 'generik' \(did you mean 'generic'\?\); there are"
    ):
        bounds_of("alon2019", "generik")()
