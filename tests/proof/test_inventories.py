"""The papers as data: complete, well formed, and each id and label the name of one thing."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.inventory import load_inventory, papers

#: Results, steps and algorithms of each paper, counted by hand in the reading notes the data were made from.
COUNTS = {
    "alon2019": (28, 55, 5),
    "bassily2018": (34, 55, 4),
    "beimel2015": (57, 105, 8),
    "chaudhuri2011": (38, 102, 3),
    "wang2016": (48, 105, 13),
}
#: Numbered results by kind of id, as each paper's own numbering has them (an id such as lem-3.3-eq1 is a part of one).
NUMBERED = {
    "alon2019": {"def": 5, "thm": 4, "lem": 5, "clm": 2, "rem": 1},
    "bassily2018": {"def": 3, "thm": 8, "lem": 1, "clm": 1, "rem": 3},
    "beimel2015": {"def": 12, "thm": 13, "lem": 3, "clm": 7, "cor": 3, "prop": 1, "rem": 4},
    "chaudhuri2011": {"def": 5, "thm": 8, "lem": 14, "rem": 1},
    "wang2016": {"def": 8, "thm": 7, "lem": 11, "cor": 1, "prop": 4, "rem": 2},
}
#: The one algorithm that is a mapping of its own name, without a number.
UNNUMBERED = {"bassily2018:hpriv"}

each_paper = pytest.mark.parametrize("paper", papers())


def test_the_five_papers_are_there() -> None:
    assert set(papers()) == set(COUNTS)


@each_paper
def test_counts_are_those_of_the_paper(paper: str) -> None:
    inventory = load_inventory(paper)
    assert (len(inventory.results), len(inventory.steps), len(inventory.algorithms)) == COUNTS[paper]
    number = re.compile(rf"{paper}:(def|thm|lem|clm|cor|prop|rem)-([A-Z]\.)?\d+(\.\d+)?")
    kinds = Counter(found[1] for result in inventory.results if (found := number.fullmatch(result.id)))
    assert kinds == NUMBERED[paper]


@each_paper
def test_ids_are_well_formed_and_name_one_thing(paper: str) -> None:
    inventory = load_inventory(paper)
    ids = [result.id for result in inventory.results] + [algorithm.id for algorithm in inventory.algorithms]
    assert [id for id, times in Counter(ids).items() if times > 1] == []
    form = re.compile(rf"{paper}:[a-z]+-[A-Za-z0-9]+(\.[A-Za-z0-9]+)?(-[a-z0-9.]+)?")
    assert [id for id in ids if not form.fullmatch(id) and id not in UNNUMBERED] == []


@each_paper
def test_labels_name_one_step_and_numbers_run_through(paper: str) -> None:
    inventory = load_inventory(paper)
    labels = Counter(step.label for step in inventory.steps)
    assert [label for label, times in labels.items() if times > 1] == []
    assert all(label and "|" not in label and " " not in label for label in labels)
    assert [step.number for step in inventory.steps] == list(range(1, len(inventory.steps) + 1))


@each_paper
def test_nothing_printed_is_empty_or_cut_in_the_middle_of_a_formula(paper: str) -> None:
    inventory = load_inventory(paper)
    assert inventory.title
    assert inventory.authors
    assert str(inventory.year) in inventory.paper
    texts = [step.printed for step in inventory.steps] + [result.statement for result in inventory.results]
    assert all(text and text == text.strip() for text in texts)
    assert all(algorithm.title for algorithm in inventory.algorithms)
    # A bar inside a formula is no separator: a formula cut at one leaves an odd backtick.
    assert [text for text in [*texts, *(step.domain for step in inventory.steps)] if text.count("`") % 2] == []
    assert all(step.section for step in inventory.steps)
    assert all(result.kind for result in inventory.results)


def test_lines_with_bars_are_split_where_the_columns_are() -> None:
    conditional = load_inventory("beimel2015").step("T56.c2")
    assert conditional.printed.startswith("`>= Pr[b<=9 alpha n] Pr[no query in B | b<=9 alpha n] (3/4)")
    assert conditional.domain == "beta<=1/4"
    absolute = load_inventory("wang2016").step("L8.1")
    assert absolute.printed == "`|E_p l - E_p' l| = |int l (p-p')| <= sup|l| int_{p>=p'} (p-p')`"
    assert absolute.domain == "0<=l<=1"
    assert load_inventory("wang2016").step("B.dp").domain == "l=|x-h|^10, X in [0,1]"
    assert "|DΔD'| <= k" in load_inventory("bassily2018").result("def-2.3").statement


def test_what_the_conversion_lost_is_said_beside_the_steps() -> None:
    noted = [step.label for step in load_inventory("bassily2018").steps if step.note]
    assert noted == ["C4.1.tail", "C4.1.mean", "C4.1.final"]


def test_results_and_steps_are_found_by_name_and_misspelt_ones_are_answered() -> None:
    inventory = load_inventory("alon2019")
    assert inventory.result("alon2019:lem-3.3") is inventory.result("lem-3.3")
    assert inventory.step("L33.(1)").number == 6
    assert load_inventory("alon2019") is inventory
    with pytest.raises(InvalidArgument, match="did you mean 'alon2019'"):
        load_inventory("alon2018")
    with pytest.raises(InvalidArgument, match=r"did you mean 'alon2019:lem-3\.3'"):
        inventory.result("lem-33")
    with pytest.raises(InvalidArgument, match=r"did you mean 'L33\.\(1\)'"):
        inventory.step("L33.1")
