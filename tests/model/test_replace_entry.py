"""The relation of partially labelled data: which datasets are neighbours, made, searched, enumerated and shrunk."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dpcheck
from dpcheck import Labelled, Records, ReplaceEntry, SemiPrivate, Status
from dpcheck.checks import CheckStatus
from dpcheck.checks.catalogue.privacy import apart
from dpcheck.checks.rows import unlabelled_as_in
from dpcheck.cli import app
from dpcheck.model.data import size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import Pair, as_relation, pairs_given
from dpcheck.model.neighbours.entries import labelled_entries, opposite_order
from dpcheck.model.neighbours.enumeration import all_pairs
from dpcheck.model.neighbours.shrinker import shrunk
from dpcheck.papers.beimel2015.learners.active_entries import ACTIVE_ENTRIES
from dpcheck.parts.learners.records import partly_labelled
from dpcheck.privacy.pairs.candidates import candidate_pairs, distinct_pairs
from dpcheck.strategies import datasets, neighbouring_pairs

RECORDS = Records.labelled(features=[0, 1, 2], labels=[0, 1])
NONE = -1
# Two labelled entries, two without a label.
DATA = Labelled([0, 1, 2, 2], [1, 0, NONE, NONE])


def entries(dataset: Any) -> list[tuple[Any, Any]]:
    if isinstance(dataset, list):
        return dataset
    x, y = dataset
    return list(zip(x, y, strict=True))


def kinds(dataset: Any) -> list[bool]:
    return [label != NONE for _, label in entries(dataset)]


# --- which datasets are neighbours


@pytest.mark.parametrize(
    ("right", "problem"),
    [
        (Labelled([0, 1, 2, 2], [1, 0, NONE, NONE]), None),
        (Labelled([2, 1, 2, 2], [0, 0, NONE, NONE]), None),  # point and label together
        (Labelled([0, 1, 2, 0], [1, 0, NONE, NONE]), None),
        (Labelled([0, 1, 0, 0], [1, 0, NONE, NONE]), "differs in 2 entries; ReplaceEntry allows 1"),
        (Labelled([0, 1, 2], [1, 0, NONE]), "has 4 and 3 entries; ReplaceEntry wants the same number on both sides"),
        (Labelled([0, 1, 2, 2], [1, 0, 1, NONE]), "has 2 and 3 labelled entries; ReplaceEntry wants the same number"),
        (Labelled([0, 1, 2, 2], [1, NONE, 0, NONE]), "has an entry without a label (row 1) before a labelled one"),
        ([0, 1, 2, 2], "has no labels; ReplaceEntry wants"),
    ],
)
def test_one_entry_of_its_own_kind_is_replaced(right: Any, problem: str | None) -> None:
    said = ReplaceEntry(RECORDS).distance_problem(DATA, right)
    assert said is None if problem is None else said is not None and said.startswith(problem)


def test_the_number_of_labels_is_public_and_may_be_declared() -> None:
    assert ReplaceEntry(RECORDS, size=4, labelled=2).distance_problem(DATA, DATA) is None
    said = ReplaceEntry(RECORDS, size=4, labelled=1).distance_problem(DATA, DATA)
    assert said == "has 2 labelled entries; the declared number is 1"


def test_lists_of_pairs_and_public_parts_are_looked_at_too() -> None:
    relation = ReplaceEntry(RECORDS)
    assert relation.distance_problem([(0, 1), (1, NONE)], [(0, 1), (2, NONE)]) is None
    assert relation.distance_problem([(0, 1), (1, NONE)], [(0, 1), (1, 1)]) is not None
    one, other = SemiPrivate(DATA, [1]), SemiPrivate(DATA, [2])
    assert relation.distance_problem(one, other) == (
        "differs in its public part; ReplaceEntry changes the private one only"
    )


def test_given_pairs_are_held_to_it() -> None:
    relation = ReplaceEntry(RECORDS, size=4, labelled=2)
    flipped = Labelled([0, 1, 2, 2], [0, 0, NONE, NONE])
    assert pairs_given([(DATA, flipped)], relation)[0].change == "label of row 0 flipped from 1 to 0"
    assert pairs_given([(entries(DATA), entries(flipped))], relation)[0].change
    with pytest.raises(InvalidArgument, match=r"pair 1 has 2 and 1 labelled entries"):
        pairs_given([(DATA, Labelled([0, 1, 2, 2], [1, NONE, NONE, NONE]))], relation)
    with pytest.raises(InvalidArgument, match=r"\(right\) does not lie inside the declared records: row 0"):
        pairs_given([(DATA, Labelled([7, 1, 2, 2], [1, 0, NONE, NONE]))], relation)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ReplaceEntry([0, 1]), r"must be Records\.labelled"),
        (lambda: ReplaceEntry(Records.labelled(features=[0], labels=[0, NONE])), "must leave out -1"),
        (lambda: ReplaceEntry(Records.labelled(features=[0], labels=(-2, 2))), "must leave out -1"),
        (lambda: ReplaceEntry(RECORDS, size=3, labelled=4), r"labelled must be at most the size \(3\), got 4"),
        (lambda: ReplaceEntry(RECORDS, size=range(2, 5), labelled=3), r"at most the size \(2\), got 3"),
        (lambda: ReplaceEntry(RECORDS, labelled=True), "labelled must be a number of entries"),
        (lambda: ReplaceEntry(RECORDS, size=-1), "size must be a number of records"),
    ],
)
def test_what_no_such_data_have_is_refused(make: Any, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        make()


def test_it_has_a_name_and_keeps_its_declarations() -> None:
    assert as_relation("replace-entry") == ReplaceEntry()
    relation = ReplaceEntry(RECORDS, size=4, labelled=2)
    assert ReplaceEntry(relation.records, relation.size, relation.labelled) == relation
    assert as_relation(relation) is relation
    assert relation.records is not None
    assert relation.records.contains((2, 1))
    assert relation.records.contains((2, NONE))
    assert not relation.records.contains((3, NONE))
    assert not relation.records.contains((2, 2))


# --- the parts as learners read them


def test_parts_are_split_where_labels_end() -> None:
    assert partly_labelled(entries(DATA)) == ([0, 1], [1, 0], [2, 2])
    x, y, rest = partly_labelled((np.arange(5), np.array([1, 1, 0, -1, -1])))
    assert (x.tolist(), y.tolist(), rest.tolist()) == ([0, 1, 2], [1, 1, 0], [3, 4])
    assert partly_labelled([]) == ([], [], [])
    assert partly_labelled(([5], [1])) == ([5], [1], [])
    with pytest.raises(InvalidArgument, match="got entry 1 of 3 without one before others that have one"):
        partly_labelled(([0, 1, 2], [1, -1, 0]))
    assert labelled_entries([1, 2]) is None


def test_the_opposite_order_keeps_the_kinds_apart() -> None:
    assert opposite_order(DATA, ReplaceEntry()) == [1, 0, 3, 2]
    assert opposite_order(DATA, dpcheck.ReplaceOne()) == [3, 2, 1, 0]


# --- pairs of a dataset


@pytest.mark.parametrize("dataset", [DATA, entries(DATA), (np.array([0, 1, 2, 2]), np.array([1, 0, NONE, NONE]))])
def test_neighbours_of_a_dataset_replace_each_entry_by_its_kind(dataset: Any) -> None:
    relation = ReplaceEntry(RECORDS, size=4, labelled=2)
    made = relation.pairs_from(dataset, np.random.default_rng(0), 1000)
    rows = set()
    for pair in made.pairs:
        assert relation.distance_problem(pair.left, pair.right) is None
        assert kinds(pair.right) == kinds(dataset)
        rows |= {row for row, (a, b) in enumerate(zip(entries(dataset), entries(pair.right), strict=True)) if a != b}
    assert rows == {0, 1, 2, 3}
    assert (made.left_out, made.notes) == (0, ())


def test_records_left_out_are_those_of_the_data() -> None:
    made = ReplaceEntry().pairs_from(DATA, np.random.default_rng(0), 1000)
    assert all("those of the data are used" in note for note in made.notes)
    assert "labels were not declared, so those of the data are used: one of (1, 0)" in made.notes
    assert all(kinds(pair.right) == kinds(DATA) for pair in made.pairs)
    unlabelled = ReplaceEntry().pairs_from(([0, 1], [NONE, NONE]), np.random.default_rng(0), 10)
    assert all(pair.right[1] == [NONE, NONE] for pair in unlabelled.pairs)


@pytest.mark.parametrize(
    ("dataset", "said"),
    [
        (Labelled([0, 1], [NONE, 1]), "dataset has an entry without a label"),
        (Labelled([0, 7], [1, NONE]), "inside the declared records, got row 1"),
        ([1, 2], "dataset has no labels"),
        (Labelled([], []), "at least one record to replace"),
    ],
)
def test_other_datasets_are_refused(dataset: Any, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        ReplaceEntry(RECORDS).pairs_from(dataset, np.random.default_rng(0), 10)


# --- all pairs


@pytest.mark.parametrize("order_blind", [False, True])
@pytest.mark.parametrize(
    ("size", "labelled"), [(3, 1), (3, 0), (2, 2), (2, None), (range(1, 4), 1), (range(1, 3), None)]
)
def test_all_pairs_are_those_of_brute_force(size: Any, labelled: int | None, order_blind: bool) -> None:
    relation = ReplaceEntry(RECORDS, size=size, labelled=labelled)
    found = all_pairs(relation, order_blind=order_blind)
    every = found.datasets()
    forms = [entries(dataset) for dataset in every]
    as_multisets = [Counter(form) for form in forms]
    distinct = {frozenset(each.items()) for each in as_multisets} if order_blind else set(map(tuple, forms))
    assert len(distinct) == len(every) == found.size

    def neighbours(i: int, j: int) -> bool:
        if not order_blind:
            return relation.distance_problem(every[i], every[j]) is None
        same_shape = kinds(every[i]) == kinds(every[j])
        return same_shape and sum((as_multisets[i] - as_multisets[j]).values()) == 1

    wanted = {(i, j) for i, j in combinations(range(len(every)), 2) if neighbours(i, j)}
    pairs = [tuple(sorted(pair)) for pair in found.pairs.tolist()]
    assert len(pairs) == len(set(pairs))  # each pair once
    assert set(pairs) == wanted
    assert found.pair(0).change.startswith("one record")


def test_too_much_or_nothing_is_refused_before_it_is_made() -> None:
    with pytest.raises(InvalidArgument, match="at most, got"):
        all_pairs(ReplaceEntry(RECORDS, size=14, labelled=7))
    with pytest.raises(InvalidArgument, match="at least one pair"):
        all_pairs(ReplaceEntry(Records.labelled(features=[0], labels=[1]), size=2, labelled=1))
    with pytest.raises(InvalidArgument, match="must be finite"):
        all_pairs(ReplaceEntry(Records.labelled(features=(0, 1), labels=[1]), size=2, labelled=1))
    with pytest.raises(InvalidArgument, match="size must be declared"):
        all_pairs(ReplaceEntry(RECORDS, labelled=1))


# --- pairs searched and drawn


@pytest.mark.parametrize("labelled", [None, 0, 1, 2])
def test_candidates_are_neighbours_and_change_both_kinds(labelled: int | None) -> None:
    relation = ReplaceEntry(Records.labelled(features=(0, 10), labels=[0, 1]), size=range(2, 5), labelled=labelled)
    found = distinct_pairs(candidate_pairs(relation, np.random.default_rng(1)), 100, [])
    changed = set()
    for pair in found:
        assert relation.distance_problem(pair.left, pair.right) is None
        assert 2 <= size_of(pair.left) <= 4
        places = [i for i, (a, b) in enumerate(zip(entries(pair.left), entries(pair.right), strict=True)) if a != b]
        changed |= {kinds(pair.left)[place] for place in places}
    assert changed == ({False} if labelled == 0 else {True, False})


def test_a_search_wants_labels_declared() -> None:
    with pytest.raises(InvalidArgument, match="under ReplaceEntry"):
        next(candidate_pairs(ReplaceEntry(Records.labelled(features=[0, 1])), np.random.default_rng(0)))


@settings(max_examples=60)
@given(
    neighbouring_pairs(ReplaceEntry(RECORDS, size=range(1, 5))),
    neighbouring_pairs(ReplaceEntry(RECORDS, size=3, labelled=2)),
    datasets(ReplaceEntry(RECORDS, size=range(2, 5), labelled=2)),
)
def test_strategies_draw_them(some: Any, declared: Any, dataset: Any) -> None:
    assert ReplaceEntry(RECORDS).distance_problem(*some) is None
    assert some[0] != some[1]
    assert ReplaceEntry(RECORDS, size=3, labelled=2).distance_problem(*declared) is None
    assert kinds(dataset)[:2] == [True, True]
    assert not any(kinds(dataset)[2:])


# --- shrinking, and what else meets the relation


def test_pairs_shrink_to_smaller_ones_of_the_relation() -> None:
    relation = ReplaceEntry(Records.labelled(features=(0, 10), labels=[0, 1]), size=range(1, 9))
    wide = Pair(([3, 4, 5, 6, 7], [1, 1, 0, NONE, NONE]), ([3, 4, 5, 6, 9], [1, 1, 0, NONE, NONE]), "")
    found = shrunk(wide, relation, lambda pair: abs(sum(pair.left[0]) - sum(pair.right[0])) >= 1)
    assert (found.left, found.right) == (([0], [NONE]), ([1], [NONE]))
    declared = ReplaceEntry(relation.records, size=5, labelled=3)
    found = shrunk(wide, declared, lambda pair: sum(pair.left[0]) != sum(pair.right[0]))
    assert declared.distance_problem(found.left, found.right) is None
    assert (size_of(found.left), kinds(found.left)) == (5, [True, True, True, False, False])


def test_datasets_further_apart_keep_their_labels() -> None:
    pair = Pair(([0, 0, 0, 0], [0, 0, NONE, NONE]), ([0, 0, 2, 0], [0, 0, NONE, NONE]), "")
    far = apart(pair, 2, partly_labelled=True)
    assert far is not None
    assert far.right == ([0, 0, 2, 2], [0, 0, NONE, NONE])
    assert apart(pair, 3, partly_labelled=True) is None
    assert apart(pair, 3) is not None  # which a relation that replaces any record allows


class TwoCoins:
    """A coin by the labels 1 among two labelled entries, one by the points 2 among two without a label."""

    order_blind = True

    def __init__(self, most: int = 1) -> None:
        self.most = most

    def distribution(self, dataset: Any) -> dict[tuple[int, int], Fraction]:
        _, y, rest = partly_labelled(dataset)
        ones = Fraction(1 + sum(y), 4)  # a label more at most doubles it: log 2 nats
        twos = Fraction(1 + self.most * list(rest).count(2), 2 + 2 * self.most)
        return {(a, b): (ones if a else 1 - ones) * (twos if b else 1 - twos) for a, b in product((0, 1), repeat=2)}

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[int, int]]:
        law = self.distribution(dataset)
        outputs, chances = list(law), [float(chance) for chance in law.values()]
        return [outputs[place] for place in rng.choice(4, size, p=chances)]

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[int, int]:
        return self.sample(dataset, 1, rng)[0]


AS_DECLARED = ReplaceEntry(RECORDS, size=4, labelled=2)


@pytest.mark.turns(4)
@pytest.mark.parametrize("exhaustive", [False, True])
def test_leaks_of_either_part_are_found_and_right_learners_pass(exhaustive: bool) -> None:
    options: dict[str, Any] = {"max_samples": 20_000, "isolation": "none", "exhaustive": exhaustive, "alpha": 1e-9}
    right = dpcheck.audit(TwoCoins(), 1.0, neighbours=AS_DECLARED, **options)
    assert right.status is Status.NO_VIOLATION_FOUND, str(right)
    assert right.epsilon_lower == pytest.approx(math.log(2))
    broken = dpcheck.audit(TwoCoins(9), 1.0, neighbours=AS_DECLARED, **options)
    assert broken.status is Status.VIOLATED, str(broken)
    assert broken.epsilon_lower == pytest.approx(math.log(10))
    assert broken.witness is not None
    assert f", {NONE})" in broken.witness.change or f"label {NONE} kept" in broken.witness.change  # a point replaced


@pytest.mark.turns(6)
def test_a_learner_that_ignores_the_order_of_either_part_passes_the_check_of_it() -> None:
    (result,) = dpcheck.check_learner(
        TwoCoins(), 1.0, neighbours=AS_DECLARED, checks=["order_of_records"], max_samples=3000, isolation="none"
    )
    assert result.status == "passed", result.sentence


LEARNER = """
from dpcheck.parts.learners.records import partly_labelled

def ones(dataset, rng):
    x, y, rest = partly_labelled(dataset)
    return sum(y) + rng.laplace()
"""


@pytest.mark.turns(6)
def test_the_command_line_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, table = tmp_path / "learner.py", tmp_path / "data.csv"
    file.write_text(LEARNER)
    table.write_text("x,y\n0,1\n1,0\n2,-1\n2,-1\n")
    common = ["audit", f"{file}:ones", "--epsilon", "0.1", "--neighbours", "replace-entry", "--max-samples", "20000"]
    assert app.run([*common, "--bounds", "0,2", "--labels", "0,1", "--size", "4"]) == 1
    assert "replace-entry" in capsys.readouterr().out
    assert app.run([*common, "--dataset", str(table), "--label", "y"]) == 1
    assert "label of row" in capsys.readouterr().out


@pytest.mark.turns(4)
def test_odd_data_of_the_checks_keep_the_number_of_labelled_entries() -> None:
    entry = next(each for each in ACTIVE_ENTRIES if each.name == "beimel2015.subsampled")
    results = dpcheck.check_learner(
        entry.learner(),
        neighbours=entry.relation(),
        checks=["duplicates", "extremes_of_the_domain", "outside_the_domain", "nan_in", "infinity_in"],
        max_samples=48,
    )
    assert len(results) == 5
    # so few calls say of none that it keeps its claim; none refuses, and none is left out
    assert not [each.sentence for each in results if each.status not in (CheckStatus.PASSED, CheckStatus.INCONCLUSIVE)]
    arrays = np.array([0, 1, 1]), np.array([1, 0, -1])
    x, y = unlabelled_as_in(arrays, (np.array([5, 5, 5]), np.array([1, 1, 1])), ReplaceEntry())
    assert (x.tolist(), y.tolist()) == ([5, 5, 5], [1, 1, -1])
    assert unlabelled_as_in(arrays, [3], dpcheck.ReplaceOne()) == [3]


def test_pairs_from_a_list_of_records_without_a_declaration() -> None:
    made = ReplaceEntry().pairs_from([(0, 1), (1, 0), (2, -1)], np.random.default_rng(0))
    assert len(made.pairs) == 10
    assert all(ReplaceEntry().distance_problem(pair.left, pair.right) is None for pair in made.pairs)
