"""Learners whose module is imported anew in a worker: what it drew is drawn again, what the learner holds stays."""

from __future__ import annotations

import importlib.util
import pickle
import sys
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
def module(tmp_path: Path) -> Any:
    file = tmp_path / "of_a_stranger.py"
    file.write_text(SOURCE)
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
