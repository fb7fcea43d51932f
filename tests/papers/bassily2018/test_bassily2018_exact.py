"""Alg-1, the sparse vector and alg-2 of bassily2018 where all is finite: laws, worst tables, entries, the report.

Nothing here is decided by chance but one comparison of draws with a law, at its level.
"""

from __future__ import annotations

import copy
import itertools
import json
import math
from collections import Counter

import numpy as np
import pytest
import vote_tables
from scipy.stats import chi2

import dpcheck
from dpcheck import Status
from dpcheck.cli import app
from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.bassily2018.learners import Scales, answering_delta, printed_scales, proved_scales
from dpcheck.papers.bassily2018.learners.entries_of_answers import (
    answers,
    distance_of_majority,
    majority,
    printed_answers,
    sparse_vector,
)
from dpcheck.papers.bassily2018.learners.printed import PrintedAnswers
from dpcheck.papers.bassily2018.learners.sparse_vector import SparseVector, column_sums
from dpcheck.papers.bassily2018.learners.stability import StableRelease, distance_to_instability, largest_stability
from dpcheck.papers.bassily2018.trials.vote_laws import (
    Mechanism,
    all_tables,
    delta_of_pair,
    exact_delta,
    laws,
    neighbours,
    patterns,
    worst_delta,
    worst_loss,
)
from dpcheck.papers.bassily2018.trials.vote_streams import _round_lengths, endless_delta, searched
from dpcheck.parts.learners.discovery import entry
from dpcheck.parts.learners.table_of_classes import class_table, instances

#: The comparison of draws with a law alarms falsely with this probability, whatever the seed.
LEVEL = 1e-9
DRAWS = 20_000


def report():
    return json.loads(vote_tables.REPORT.read_text(encoding="utf-8"))


# --- entries


def test_the_distance_of_the_majority_is_that_of_brute_force():
    for size in range(7):
        for ones in range(size + 1):
            data = (0,) * (size - ones) + (1,) * ones
            assert distance_of_majority(data) == largest_stability(majority, data, (0, 1), 9)
            assert distance_of_majority(data) == distance_to_instability(majority, data, (0, 1), 9)


def test_a_stab_has_the_printed_law():
    for far, epsilon, delta in itertools.product((0, 1, 5, 20), (0.5, 2.0), (1e-6, 0.3)):
        learner = StableRelease(lambda data: "value", lambda data, far=far: far, epsilon, delta)
        gap = math.log(1 / delta) / epsilon - far
        released = math.exp(-epsilon * gap) / 2 if gap >= 0 else 1 - math.exp(epsilon * gap) / 2
        law = learner.distribution([])
        assert law.outputs == ["value", "⊥"]
        assert float(law.exact[0].mid()) == pytest.approx(released, rel=1e-14)


def test_the_sparse_vector_is_that_of_alg_2():
    learner = sparse_vector(epsilon=0.5, cutoff=2, guard="strict")
    assert learner.claim == PureDP(0.5)
    assert learner.noise().threshold_scale == 8.0
    for nothing in ([], [1, 2]):  # of which nothing says how many columns there are
        with pytest.raises(InvalidArgument, match="at least one record"):
            column_sums(nothing)
    assert column_sums(np.zeros((0, 3))).tolist() == [0, 0, 0]
    data = [(1, -1, 1), (1, 1, -1)]
    law = learner.distribution(data)
    together = laws(learner.values(data)[None].astype(float), learner.scales, 2)[0]
    asked = [tuple(None if state == -1 else state for state in row) for row in patterns(3, 2)[0].tolist()]
    assert set(asked) == set(law.outputs)
    found = dict(zip(asked, together, strict=True))
    for output, chance in zip(law.outputs, law.exact, strict=True):
        assert float(chance.mid()) == pytest.approx(found[output], abs=1e-13)
    assert (0, 0, None) in law.outputs


def test_the_sparse_vector_reaches_what_it_claims():
    # many answers push the threshold's noise to one side; the last query goes the other way
    learner = SparseVector(Scales(1.0, 2.0, 4.0), guard="strict")
    columns = 16
    one, other = [(1,) * columns], [(1,) * columns, (-1,) * (columns - 1) + (1,)]
    left, right = learner.distribution(one), learner.distribution(other)
    theirs = dict(zip(right.outputs, right.exact, strict=True))
    losses = [abs(float((p / theirs[o]).log().mid())) for o, p in zip(left.outputs, left.exact, strict=True)]
    assert 0.95 < max(losses) <= learner.claim.epsilon(0.0) == 1.0


def test_draws_of_the_sparse_vector_have_its_law():
    # null: the draws have the declared law; with answers that are 1/20 likelier it is red but once in 10^4
    learner, data = sparse_vector(threshold=0.5), [(1, -1, 1)]
    law = learner.distribution(data)
    expected = {output: DRAWS * float(chance.mid()) for output, chance in zip(law.outputs, law.exact, strict=True)}
    assert min(expected.values()) > 100
    counts = Counter(learner.sample(data, DRAWS, np.random.default_rng()))
    assert set(counts) <= set(expected)
    statistic = sum((counts[output] - value) ** 2 / value for output, value in expected.items())
    assert statistic < chi2.isf(LEVEL, len(expected) - 1)


def test_what_is_no_argument_is_refused():
    scales = Scales(1.0, 2.0, 4.0)
    for wrong, message in (
        ({"scales": 3}, "scales must be Scales, got 3"),
        ({"statistics": 3}, "statistics must be a callable of a dataset, got 3"),
        ({"sensitivity": 0}, "sensitivity must be above 0, got 0"),
        ({"guard": "loose"}, "guard must be one of printed, strict, got 'loose'"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            SparseVector(**{"scales": scales, **wrong})
    with pytest.raises(InvalidArgument, match="answers must be PrivateAnswers, got 3"):
        PrintedAnswers(3, 1.0, 1e-6)


@pytest.mark.turns(6)
def test_entries_are_audited_exactly_and_the_printed_one_fails(seed):
    few = {"max_samples": 1200, "max_seconds": math.inf, "isolation": "none", "seed": seed, "alpha": 1e-9}
    found = entry("bassily2018.A_binClas")
    verdict = dpcheck.audit(found.learner(), neighbours=found.relation(), exhaustive=True, **few)
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
    assert verdict.claim == ApproxDP(4.0, 1e-3)
    assert 0.7 < verdict.epsilon_lower < 0.8
    printed = entry("bassily2018.A_binClas_as_printed")
    verdict = dpcheck.audit(printed.learner(), neighbours=printed.relation(), exhaustive=True, **few)
    assert verdict.status is Status.VIOLATED
    # the number that the docstring has
    assert verdict.delta_lower == pytest.approx(0.52, abs=0.005)
    assert "it is 0.52" in PrintedAnswers.__doc__.replace("\n    ", " ")


@pytest.mark.turns(4)
def test_the_audit_is_there_from_the_command_line(capsys):
    few = ["--exhaustive", "--max-samples", "1200", "--quiet", "--seed", "1"]
    assert app.run(["audit", "learner:bassily2018.A_binClas", *few]) == 0
    assert app.run(["audit", "learner:bassily2018.A_binClas_as_printed", "--expect", "violated", *few]) == 0
    assert app.run(["learners", "bassily2018.sparse_vector"]) == 0
    assert "dpcheck audit learner:bassily2018.sparse_vector --exhaustive" in capsys.readouterr().out


def test_any_class_is_a_base_learner_and_the_answers_are_to_its_points():
    table = class_table([entry("bassily2018.A_binClas")])
    assert {row.cells["bassily2018.A_binClas"] for row in table.rows} == {""}
    assert len(table.rows) == len(instances())


# --- vote tables


def test_all_tables_and_all_that_one_model_can_make_of_them():
    ones = all_tables(range(3), 2)
    assert len(ones) == 9
    pairs = {
        (tuple(ones[place]), tuple(each))
        for kept, moved in neighbours(ones, 0, 2)
        for place, each in zip(kept, moved, strict=True)
    }
    assert len(pairs) == sum(
        max(abs(a - c), abs(b - d)) <= 1 for (a, b), (c, d) in itertools.product(map(tuple, ones), repeat=2)
    )
    # and each comes of votes of which one row is changed
    votes = {
        tuple(np.array(table).sum(axis=0)): 0
        for table in itertools.product(itertools.product((0, 1), repeat=2), repeat=2)
    }
    assert len(votes) == 9
    made = {
        (tuple(np.add(rest, one)), tuple(np.add(rest, other)))
        for rest, one, other in itertools.product(itertools.product((0, 1), repeat=2), repeat=3)
    }
    assert made == pairs


@pytest.mark.parametrize("models", [6, 7])
def test_one_query_at_the_printed_scales_has_the_exact_delta_of_a_label(models):
    # the label of a level table is released with probability P(d + Lap(2 lambda) > w + Lap(lambda)), d = 0 or 1
    scales = printed_scales(1.0, 0.1, 0.05, 1, 1)
    (worst,) = worst_delta(Mechanism(scales, models, 2), range(models + 1), 1, [1.0])
    gap = (scales.threshold - (1 if models == 6 else 0)) / (2 * scales.threshold_scale)
    assert worst.value == pytest.approx((4 * math.exp(-gap) - math.exp(-2 * gap)) / 6, rel=1e-12)
    assert delta_of_pair(Mechanism(scales, models, 2), worst, 1.0) == pytest.approx(worst.value, rel=1e-12)
    assert worst.value < 0.1 / 2.8


def test_a_round_loses_no_more_than_four_in_units_of_its_noise_and_nearly_that():
    found = worst_loss(Mechanism(Scales(3.0, 1.0, 2.0), 7, 1), range(8), 4).value
    assert 3.4 < found < 4.0


def test_the_printed_argument_lets_distances_move_by_one_but_they_move_by_two():
    kept = vote_tables.distances_row("votes", 1.0, 1e-3, 3)
    broken = vote_tables.distances_row("printed", 1.0, 1e-3, 3)
    assert kept["in_balls"] <= kept["proved"] <= 1e-3
    assert 1e-3 < 0.02 < broken["in_balls"] <= broken["proved"]


@pytest.mark.parametrize("epsilon", [0.2, 0.5, 1.0])
def test_streams_are_lower_bounds_and_close_ones(epsilon):
    small = Scales(10.0, 2.0, 4.0, cutoff=2)
    one, other = _round_lengths(small, 1.0), _round_lengths(small, -1.0)
    both, theirs = np.outer(one, one), np.outer(other, other)
    true = max(np.maximum(p - math.exp(epsilon) * q, 0).sum() for p, q in ((both, theirs), (theirs, both)))
    found = endless_delta(small, 2, epsilon)
    assert 0.98 * true - 1e-9 <= found <= true + 1e-12
    labels = answering_delta(small, 96, 100.0, guard="strict")
    assert found <= answering_delta(small, 96, epsilon, guard="strict") - labels + 1e-12


def test_a_huge_epsilon_refutes_the_printed_claim():
    # T = 1: a label that one vote changes; T = 1,000: a stream (reports/vote_tables.md)
    row = vote_tables.map_row(30.0, 0.1, 1)
    assert (row["status"], row["stream"] < 0.1 < row["tie"]) == ("refuted", True)
    assert vote_tables.map_row(1.0, 1e-6, 3)["status"] == "proved"
    (stream,) = (row for row in report()["map"] if (row["epsilon"], row["delta"], row["cutoff"]) == (400.0, 0.1, 1000))
    assert stream["tie"] < 0.1 < 0.5 < stream["stream"]


def test_searched_tables_are_between_nothing_and_what_is_proved():
    scales = proved_scales(1.0, 1e-6, 0.05, 5, 1)
    found = searched(scales, 2, 5, 0.25, np.random.default_rng(1))
    assert 0 < found.delta <= answering_delta(scales, 5, 0.25)
    row = vote_tables._law_of_distances(scales, 2)
    assert float(exact_delta(row(found.left), row(found.right), 0.25).mid()) == pytest.approx(found.delta, abs=1e-12)


def test_laws_depend_on_the_split_and_blocks_are_private_for_replacement_only():
    inner = printed_answers().answers
    assert inner.neighbours.name == "replace-one"
    assert printed_answers().neighbours.name == "add-remove"
    row = vote_tables.dataset_row("blocks", "majority", "one point", "add-remove", 6, 3, 1, 1.0)
    assert row["in_balls"] > 3 * row["claimed"]
    same = vote_tables.dataset_row("blocks", "majority", "one point", "replace-one", 6, 3, 1, 1.0)
    assert same["in_balls"] <= same["proved"] <= same["claimed"]
    assert answers().neighbours.name == "add-remove"


# --- the report


def test_the_report_is_what_its_record_renders():
    document = report()
    assert vote_tables.markdown(document) == vote_tables.REPORT.with_suffix(".md").read_text(encoding="utf-8")
    assert vote_tables.wrong(document) == []
    assert document["passed"]
    assert not document["quick"]
    assert {section: len(document[section]) for section in vote_tables.SECTIONS} == {
        section: sum(task.section == section for task in vote_tables.tasks(False, document["seed"]))
        for section in vote_tables.SECTIONS
    }


def test_rows_of_the_report_come_out_again():
    document = report()
    every = vote_tables.tasks(False, document["seed"])
    for section in ("tables", "distances", "real_cutoffs", "datasets"):
        made = [task for task in every if task.section == section]
        for place in (0, 2):
            again, row = json.loads(json.dumps(vote_tables.play(made[place]))), document[section][place]
            assert set(again) == set(row)
            assert again["in_balls"] == pytest.approx(row["in_balls"], rel=1e-9)
            assert again["proved"] == pytest.approx(row["proved"], rel=1e-9)


@pytest.mark.parametrize(
    ("section", "change", "said"),
    [
        ("tables", {"in_balls": 2.0, "exact": 2.0}, "is above what is proved"),
        ("tables", {"exact": 0.5}, "quadrature says"),
        ("searched", {"at_claim": 0.5}, "the printed claim is broken"),
        ("map", {"proved": 0.0, "stream": 1.0}, "a claim that is proved is refuted"),
        ("printed_split", {"exact": 0.0}, "do not refute"),
    ],
)
def test_a_report_that_breaks_a_rule_says_so(section, change, said):
    document = copy.deepcopy(report())
    document[section][0].update(change)
    lines = vote_tables.wrong(document)
    assert lines
    assert said in lines[0]
    assert "BROKEN" in vote_tables.markdown(document)
