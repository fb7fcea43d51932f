"""The loss that learners know of their densities: over all pairs, beside what calls find, and never overlooked."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from dpcheck import PureDP, Status
from dpcheck.cli.app import app
from dpcheck.parts.learners.discovery import entries, entry
from dpcheck.parts.learners.loss_of_densities import loss_of_densities
from dpcheck.report.learners.document import expected_of

CONTINUOUS = [one for one in entries() if hasattr(one.learner(), "exact_loss")]


class Overstated:
    """A fair coin that says of itself that its densities lose 1.5, and claims 1."""

    claim = PureDP(1.0)
    neighbours = entry("wang2016.log_concave").relation()

    def __call__(self, dataset, rng):
        return int(rng.integers(2))

    def sample(self, dataset, size, rng):
        return rng.integers(2, size=size)

    def exact_loss(self, left, right):
        return 1.5


def test_every_learner_without_a_law_knows_the_loss_of_its_densities():
    """Within the claim, but for algorithms kept as printed because their claim is false."""
    assert len(CONTINUOUS) == 8
    for one in CONTINUOUS:
        found = loss_of_densities(one)
        assert found is not None
        assert found.exceeds(1.0) == one.as_printed, one.name
        assert all(one.relation().distance_problem(pair.left, pair.right) is None for pair in found.pairs)
        worst = one.learner().exact_loss(found.pairs[0].left, found.pairs[0].right)
        assert worst == pytest.approx(found.epsilon, abs=1e-12)


def test_calls_that_find_nothing_do_not_clear_densities_that_break_the_claim():
    overstated = replace(entry("wang2016.log_concave"), learner=Overstated)
    assert expected_of(overstated, Status.NO_VIOLATION_FOUND) is Status.VIOLATED
    assert expected_of(overstated, Status.VIOLATED) is Status.NO_VIOLATION_FOUND
    assert expected_of(entry("wang2016.log_concave"), Status.NO_VIOLATION_FOUND) is Status.NO_VIOLATION_FOUND


@pytest.mark.turns(6)
def test_the_command_says_it_and_does_not_end_with_0(monkeypatch, tmp_path):
    """No level: the coin leaks nothing, so that its calls are never accused."""
    overstated = replace(entry("wang2016.log_concave"), learner=Overstated)
    monkeypatch.setattr("dpcheck.cli.learner_targets.learner_entries", lambda names, paper=None: (overstated,))
    ran = CliRunner().invoke(
        app, ["learners", "--audit", "--quiet", "--max-samples", "12000", "--json", str(tmp_path / "found.json")]
    )
    assert ran.exit_code == 1, ran.output
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["learners"][0]["audit"]
    assert (found["densities"], found["found"], found["as_expected"]) == (1.5, "no violation found", False)
    assert "1.500000" in ran.output  # beside the calls, folded as the table needs
