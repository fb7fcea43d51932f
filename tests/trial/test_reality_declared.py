"""A user's own paper against reality: its example does what it says, and bad declarations get one clear line."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.trial import measurements
from dpcheck.trial.coverage import entries_to_cover, uncovered
from dpcheck.trial.declared import load

EXAMPLE = Path(__file__).parents[2] / "examples" / "my_bounds.py"


def declared(tmp_path: Path, text: str, name: str = "mine.py") -> Path:
    """A user's file with one theorem, and what is declared beside it."""
    head = (
        "from fractions import Fraction\n"
        "from dpcheck import PureDP, Records, ReplaceOne\n"
        "from dpcheck.trial.lower import LowerBound\n"
        "from dpcheck.trial.measurements import Run\n"
        "from dpcheck.trial.model import Measurement\n"
        "from dpcheck.trial.privacy import PrivacyCheck\n"
        "from dpcheck.trial.upper import UpperBound\n"
        "from dpcheck.proof.statement import Paper, Theorem\n"
        "from dpcheck.utility.distributions import FiniteDistribution\n"
        "PAPER = Paper('mine', 'Mine', (Theorem('mine:a', 'A'), Theorem('mine:b', 'B')))\n"
        "LAW = FiniteDistribution([0], [1], [Fraction(1, 10)], best=Fraction(1, 10))\n"
        "def learner(dataset, rng):\n    return 1\n"
        "GOOD = {'accuracy': 0.1, 'failure': 0.1}\n"
    )
    path = tmp_path / name
    path.write_text(head + text)
    return path


@pytest.mark.turns(12)
def test_the_example_does_what_it_says():
    found = {
        outcome.result: outcome
        for run in measurements.runs_of(str(EXAMPLE))
        for outcome in measurements.make(str(EXAMPLE), run.key, seed=0, quick=True).outcomes
    }
    assert {id: outcome.word for id, outcome in found.items()} == {
        "my-bounds:majority": "holds",
        "my-bounds:too-good": "contradicted",
        "my-bounds:private": "holds",
        "my-bounds:least": "holds",
    }
    assert found["my-bounds:majority"].slack > 5
    assert found["my-bounds:majority"].level == 0.0
    assert found["my-bounds:too-good"].level == 1e-9
    assert found["my-bounds:private"].level == 0.0


def test_every_entry_of_the_example_is_covered():
    mine = load(EXAMPLE)
    assert len(entries_to_cover(mine.paper)) == 5
    assert uncovered(mine.paper, source=mine.source) == ()
    assert set(measurements.not_run(mine.source)) == {"my-bounds:rate"}


@pytest.mark.turns(6)
def test_a_worker_process_reads_the_file_again(tmp_path):
    path = declared(
        tmp_path,
        "CHECKS = (UpperBound('mine:a', 'one', learner, LAW, {'n': 5}, GOOD),"
        " UpperBound('mine:a', 'two', learner, LAW, {'n': 6}, GOOD))\n",
    )
    made = measurements.measure(str(path), seed=3, quick=True, jobs=2)
    assert [each.key for each in made] == ["a-upper-bound", "a-upper-bound-2"]
    alone = measurements.measure(str(path), seed=3, quick=True, jobs=1)
    assert [each.outcomes for each in made] == [each.outcomes for each in alone]


def test_seeds_do_not_depend_on_where_the_file_stands(tmp_path):
    copy = Path(shutil.copy(EXAMPLE, tmp_path / "elsewhere.py"))
    key = "majority-upper-bound"
    assert measurements.seed_of(5, str(copy), key) == measurements.seed_of(5, str(EXAMPLE), key)


def test_a_file_that_is_changed_is_read_again(tmp_path):
    path = declared(tmp_path, "NOT_RUN = {'mine:a': 'why'}\n")
    assert set(load(path).not_run) == {"mine:a"}
    declared(tmp_path, "NOT_RUN = {'mine:a': 'why', 'mine:b': 'because'}\n")
    import os

    os.utime(path, ns=(1, 1))
    assert set(load(path).not_run) == {"mine:a", "mine:b"}


def test_runs_of_ones_own_are_runs(tmp_path):
    path = declared(
        tmp_path,
        "def own(seed, quick):\n"
        "    return Measurement('own', 't', ('mine:b',), 'asked', 'found', 'evidence')\n"
        "RUNS = (Run('own', ('mine:b',), own),)\n",
    )
    assert measurements.make(str(path), "own", seed=0, quick=True).title == "t"
    assert uncovered(load(path).paper, source=str(path)) == ("mine:a",)


def test_learners_may_stand_in_a_file_beside_it(tmp_path):
    (tmp_path / "my_very_own_learner.py").write_text("def learner(dataset, rng):\n    return 1\n")
    path = declared(
        tmp_path,
        "from my_very_own_learner import learner\n"
        "CHECKS = (UpperBound('mine:a', 'c', learner, LAW, {'n': 5}, GOOD),)\n",
    )
    assert [run.key for run in load(path).runs] == ["a-upper-bound"]


UPPER = "CHECKS = (UpperBound({}),)\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("CHECKS = 3\n", "CHECKS must be a tuple of UpperBound, LowerBound and PrivacyCheck, got 3"),
        ("CHECKS = (1,)\n", r"CHECKS[0] must be an UpperBound, a LowerBound or a PrivacyCheck, got 1"),
        (
            UPPER.format("'mine:c', 'c', learner, LAW, {'n': 5}, GOOD"),
            "CHECKS[0] (UpperBound of 'mine:c'): result must name a result of PAPER, got 'mine:c' (did you mean 'mine:",
        ),
        (UPPER.format("'mine:a', '', learner, LAW, {'n': 5}, GOOD"), "claim must be the promise in words, got ''"),
        (UPPER.format("'mine:a', 'c', 7, LAW, {'n': 5}, GOOD"), "learner must be callable, got 7"),
        (UPPER.format("'mine:a', 'c', learner, 3, {'n': 5}, GOOD"), "distribution must draw samples and know risks"),
        (UPPER.format("'mine:a', 'c', learner, LAW, {}, GOOD"), "sizes must be a mapping such as {'private': BOUND}"),
        (UPPER.format("'mine:a', 'c', learner, LAW, {'n': 'x'}, GOOD"), "sizes['n'] must be a Bound, a number of rec"),
        (UPPER.format("'mine:a', 'c', learner, LAW, {'n': 5}, {'accuracy': 1}"), "settings must have accuracy and fai"),
        (
            UPPER.format("'mine:a', 'c', learner, LAW, {'n': 5}, {'accuracy': 2, 'failure': 0.1}"),
            "settings['accuracy'] must be between 0 and 1, got 2",
        ),
        (UPPER.format("'mine:a', 'c', learner, LAW, {'n': 5}, GOOD, over='m'"), "over must be one of the sizes n, got"),
        (
            "CHECKS = (LowerBound('mine:a', 'c', {}, (LAW,), {'n': 5}, 0.1, 0.1),)\n",
            "learners must be a mapping of names to learners, got {}",
        ),
        (
            "CHECKS = (LowerBound('mine:a', 'c', {'l': learner}, (), {'n': 5}, 0.1, 0.1),)\n",
            "instances must be a tuple of at least one distribution, got ()",
        ),
        (
            "CHECKS = (LowerBound('mine:a', 'c', {'l': learner}, (LAW,), {'n': 5}, 0.1, 0.1, options={'k': {}}),)\n",
            "options must name learners, got 'k'",
        ),
        (
            "CHECKS = (PrivacyCheck('mine:a', 'c', learner, 1.0),)\n",
            "neighbours, pairs or dataset must be given: on which datasets the claim is checked",
        ),
        ("RUNS = (3,)\n", "RUNS[0] must be a Run(key, results, measure), got 3"),
        ("RUNS = (Run('k', ('mine:a',), 3),)\n", "RUNS[0]: measure must be callable as measure(seed, quick), got 3"),
        (
            "RUNS = (Run('k', ('mine:a',), learner), Run('k', ('mine:b',), learner))\n",
            "two runs have the key 'k'",
        ),
        ("NOT_RUN = ('mine:a',)\n", "NOT_RUN must be a mapping of ids to reasons"),
        ("NOT_RUN = {'mine:z': 'why'}\n", "NOT_RUN: its keys must name a result of PAPER, got 'mine:z'"),
        ("NOT_RUN = {'mine:a': ''}\n", "NOT_RUN['mine:a'] must say why there is nothing to run, got ''"),
        ("PAPER = 3\n", "mine.py must declare PAPER = Paper(key, title, theorems, steps), got int"),
        ("1/0\n", "mine.py could not be imported: ZeroDivisionError"),
        (
            UPPER.format("'mine:a', 'c', learner, LAW, {'n': lambda s: s['epsilon']}, GOOD"),
            "sizes['n'] must give a number of records from the settings, raised KeyError: 'epsilon'",
        ),
        (
            UPPER.format("'mine:a', 'c', learner, LAW, {'n': lambda s: float('inf')}, GOOD"),
            "sizes['n'] must give a number of records from the settings, gave inf",
        ),
        (
            UPPER.format("'mine:a', 'c', learner, LAW, {'n': lambda s: -3}, GOOD"),
            "sizes['n'] must give a number of records from the settings, gave -3",
        ),
        (
            UPPER.format("'mine:a', 'c', learner, LAW, {'n': 5}, {'accuracy': 0.1, 'failure': 0}"),
            "settings['failure'] must be above 0 (trials cannot show that nothing ever fails), got 0",
        ),
        (
            UPPER.format("'mine:a', 'c', learner, LAW, {'n': 5}, GOOD, reach='x'"),
            "reach must be a whole number of at least 1, got 'x'",
        ),
        (UPPER.format("'mine:a', 'c', learner, LAW, {'n': 5}, GOOD, name=3"), "name must be text, got 3"),
        (UPPER.format("'mine:a', 'c', learner, LAW, {3: 5}, GOOD"), "the keys of sizes must be names, got 3"),
        (UPPER.format("'mine:a', 'c', learner, LAW, {'n': 5}, GOOD, dataset=3"), "dataset must be callable as"),
        (
            UPPER.format("'mine:a', 'c', learner, LAW, {'n': 5}, GOOD, arguments={'bst': 3}"),
            "risk, risk_sample, tolerant, isolation, trial_timeout, got 'bst' (did you mean 'best'?)",
        ),
        (
            UPPER.format("'mine:a', 'c', learner, LAW, {'n': 5}, GOOD, exactly='yes'"),
            "exactly must be True or False, got 'yes'",
        ),
        (
            UPPER.format("'mine:a', 'c', learner, LAW, {'n': 5}, GOOD, scaled={'accuracy': 3}"),
            "scaled['accuracy'] must be between 0 and 1, got 3",
        ),
        (
            "CHECKS = (LowerBound('mine:a', 'c', {'l': learner}, (LAW,), {'n': 'x'}, 0.1, 0.1),)\n",
            "sizes['n'] must be a number of records, got 'x'",
        ),
        (
            "CHECKS = (LowerBound('mine:a', 'c', {'l': learner}, (LAW,), {'n': 5}, 0.1, 1),)\n",
            "failure must be between 0 and 1, both excluded, got 1",
        ),
        (
            "CHECKS = (LowerBound('mine:a', 'c', {'l': learner}, (LAW,), {'n': 5}, 0.1, 0.1, size='x'),)\n",
            "size must be a finite number above 0 or None, got 'x'",
        ),
        (
            "CHECKS = (LowerBound('mine:a', 'c', {'l': learner}, (LAW,), {'n': 5}, 0.1, 0.1, options={'l': 3}),)\n",
            "options['l'] must be a mapping of the factory's arguments, got 3",
        ),
        (
            "CHECKS = (PrivacyCheck('mine:a', 'c', learner, 'x', pairs=[([0], [1])]),)\n",
            "promised: claim must be an epsilon (a number)",
        ),
        (
            "CHECKS = (PrivacyCheck('mine:a', 'c', learner, 1.0, pairs=[([0], [1])], max_samples='x'),)\n",
            "max_samples must be a whole number of at least 1, got 'x'",
        ),
        ("RUNS = (Run('k', 'mine:a', learner),)\n", "RUNS[0]: results must be a tuple of ids, got 'mine:a'"),
        ("RUNS = (Run('k/l', ('mine:a',), learner),)\n", "RUNS[0]: key must be words joined by hyphens, got 'k/l'"),
        ("RUNS = (Run('k', ('mine:a',), learner, seconds=3),)\n", "RUNS[0]: seconds must be two numbers above 0"),
        ("PAPER = Paper('', 'Mine', ())\n", "PAPER: key must be text, got ''"),
        ("PAPER = Paper('mine', 'Mine', (3,))\n", "PAPER: theorems[0] must be a Theorem, got 3"),
        ("PAPER = Paper('mine', 'Mine', (Theorem('mine:a', 3),))\n", "mine.py: mine:a: title must be text, got 3"),
    ],
)
def test_a_bad_declaration_gets_one_clear_line(tmp_path, text, said):
    path = declared(tmp_path, text)
    with pytest.raises(InvalidArgument, match=re.escape(said)) as raised:
        load(path)
    message = str(raised.value)
    assert "mine.py" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("3", "measure must return a Measurement, got 3"),
        ("Measurement('other', 't', (), 'a', 'f', 'e')", "a Measurement with this key, got the key 'other'"),
        ("Measurement('own', 3, (), 'a', 'f', 'e')", "Measurement: title must be text, got 3"),
        ("Measurement('own', 't', (), 'a', 'f', 'e', settings=3)", "Measurement: settings must be"),
        ("Measurement('own', 't', ('mine:z',), 'a', 'f', 'e')", "results must name a result of PAPER, got 'mine:z'"),
        (
            "Measurement('own', 't', (), 'a', 'f', 'e', outcomes=(Outcome('fine', 'c', 'd', 'mine:a'),))",
            "Outcome: word must be one of holds, contradicted",
        ),
    ],
)
def test_a_run_that_gives_no_measurement_of_this_paper_is_said_so(tmp_path, given, said):
    path = declared(
        tmp_path,
        "from dpcheck.trial.model import Outcome\n"
        f"def own(seed, quick):\n    return {given}\n"
        "RUNS = (Run('own', ('mine:b',), own),)\n",
    )
    with pytest.raises(InvalidArgument, match=re.escape(said)):
        measurements.make(str(path), "own", seed=0, quick=True)


def test_the_chart_of_a_lower_bound_stays_within_reach(tmp_path):
    path = declared(
        tmp_path,
        "CHECKS = (LowerBound('mine:a', 'c', {'l': learner}, (LAW,), {'n': 5}, 0.1, 0.1, size=1e15,"
        " dataset=lambda law, sizes, rng: (sizes['n'], None)),)\n",
    )
    (chart,) = measurements.make(str(path), "a-lower-bound", seed=0, quick=True).charts
    assert max(chart.series[0].x) == 200_000


@pytest.mark.turns(4)
def test_braces_in_a_claim_are_the_users_own(tmp_path):
    claim = "on {0, 1}^d, {claim} and {"
    path = declared(
        tmp_path,
        f"CHECKS = (UpperBound('mine:a', {claim!r}, learner, LAW, {{'n': 5}}, GOOD, name='{{x}}'),"
        f" LowerBound('mine:a', {claim!r}, {{'{{l}}': learner}}, (LAW,), {{'n': 5}}, 0.1, 0.1),"
        f" PrivacyCheck('mine:b', {claim!r}, learner, 1.0, pairs=[([0], [1])]))\n",
    )
    for run in load(path).runs:
        made = measurements.make(str(path), run.key, seed=0, quick=True)
        assert made.title == claim
        assert made.asked.startswith(claim)


def test_a_file_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(InvalidArgument, match="there is no such file"):
        load(tmp_path / "nowhere.py")
