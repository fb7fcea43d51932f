"""Learners whose module is imported anew in a worker: what it drew is drawn again, what the learner holds stays."""

from __future__ import annotations

import importlib.util
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import cloudpickle
import pytest

from dpcheck.execution.imported_anew import ImportedAnew, imported_anew
from dpcheck.model.learner import Target, as_target

SOURCE = """
import os

KEY = os.urandom(8)


class Keyed:
    def __init__(self, added=0):
        self.added = added

    def __call__(self, dataset, rng):
        return KEY, self.added


def function(dataset, rng):
    return KEY, 0
"""


@pytest.fixture
def source() -> str:
    return SOURCE


@pytest.fixture
def module(tmp_path: Path, source: str) -> Any:
    file = tmp_path / "of_a_stranger.py"
    file.write_text(source)
    spec = importlib.util.spec_from_file_location("of_a_stranger", file)
    assert spec is not None
    assert spec.loader is not None
    made = sys.modules["of_a_stranger"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    cloudpickle.register_pickle_by_value(made)
    yield made
    cloudpickle.unregister_pickle_by_value(made)
    sys.modules.pop("of_a_stranger", None)


@pytest.mark.parametrize("kind", ["function", "class", "instance", "factory with options"])
def test_what_a_module_drew_is_drawn_again_and_what_a_learner_holds_stays(module: Any, kind: str) -> None:
    added = {"instance": 3, "factory with options": 5}.get(kind, 0)
    target = {
        "function": lambda: as_target(module.function),
        "class": lambda: as_target(module.Keyed),
        "instance": lambda: as_target(module.Keyed(3)),
        "factory with options": lambda: Target(module.Keyed, True, "keyed", {"added": 5}),
    }[kind]()
    there = pickle.loads(cloudpickle.dumps(imported_anew(target)))
    assert isinstance(there.original, ImportedAnew)
    assert target.make()([], None) == (module.KEY, added)
    assert there.make()([], None) == (module.KEY, added)  # it is imported already
    del sys.modules["of_a_stranger"]
    key, held = there.make()([], None)
    assert held == added
    assert key != module.KEY
    assert there.make()([], None) == (key, added)


def test_what_is_sent_by_its_name_is_left_as_it_is(module: Any) -> None:
    cloudpickle.unregister_pickle_by_value(module)
    try:
        target = as_target(module.function)
        assert imported_anew(target) is target
    finally:
        cloudpickle.register_pickle_by_value(module)


def test_a_script_is_imported_anew_only_where_it_asks_whether_it_runs(tmp_path: Path) -> None:
    """One that does not ask would do all again that it does, an audit of itself among it."""
    asked = "\nif __name__ == '__main__':\n"
    body = """
    import pickle
    from dpcheck.execution.imported_anew import ImportedAnew, imported_anew
    from dpcheck.model.learner import as_target

    anew = imported_anew(as_target(function))
    print(type(anew.original).__name__, KEY == (anew.make()([], None)[0] if "Anew" in str(anew.original) else KEY))
    """
    for name, text in (("asks.py", asked + body), ("does.py", textwrap.dedent(body))):
        (tmp_path / name).write_text(SOURCE + text)
        ran = subprocess.run(
            [sys.executable, name], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
        )
        assert ran.stdout.splitlines() == ["ImportedAnew False" if name == "asks.py" else "function True"]


NAMED = """
import functools
import os


class Keyed:
    def __init__(self, scale=1.0):
        self.scale, self.key = scale, os.urandom(8)

    def __call__(self, dataset, rng):
        return self.key, self.scale


def keyed(key, scale, dataset, rng):
    return key, scale


def made():
    key, scale = os.urandom(8), 1.0
    return lambda dataset, rng: (key, scale)


instance, bound, closure = Keyed(), Keyed().__call__, made()
bare = functools.partial(keyed, os.urandom(8), 1.0)
"""


@pytest.mark.parametrize("name", ["instance", "bound", "closure", "bare"])
@pytest.mark.parametrize("source", [NAMED])
def test_an_object_with_a_name_in_its_module_is_taken_from_there(module: Any, name: str) -> None:
    found = getattr(module, name)
    there = pickle.loads(pickle.dumps(imported_anew(as_target(found))))
    key, scale = found([], None)
    del sys.modules["of_a_stranger"]
    again = there.make()([], None)
    assert again[1] == scale
    assert again[0] != key
    assert there.make()([], None) == again


@pytest.mark.parametrize("source", [NAMED])
def test_one_that_was_changed_after_it_was_made_is_not_taken_for_another(module: Any) -> None:
    """It had no noise, and was told to keep it: the module makes one that has."""
    module.instance.scale = 0.0
    there = pickle.loads(pickle.dumps(imported_anew(as_target(module.instance))))
    del sys.modules["of_a_stranger"]
    with pytest.raises(LookupError, match="it was changed afterwards"):
        there.make()
