"""Exact delta of A_binClas (bassily2018:alg-2) at the claimed epsilon, beside what is printed and what is proved.

* *tables*: all vote tables of up to 7 models on up to 4 queries, all that one replaced model can make of each (every
  count moves by -1, 0 or 1), and the same for 8 consecutive counts around the threshold where there are more models;
  with the printed scales, with the least that are proved, and with small ones;
* *distances*: what the printed argument, which lets a distance move by 1, gives for distances that move by 2 or more;
* *searched*: tables of up to 12 queries, found by coordinate ascent;
* *printed scales*: where the claim of thm-3.1 is proved, where a table refutes it, and what is open, T up to 1,000;
* *datasets*: all neighbouring datasets of a small domain through split and base learner, and the printed scales with
  all of their chunks under add/remove.

Laws come from a quadrature for all tables at once; the worst pair of each row is computed again in balls, from the law
that the learner declares. Rules: the two agree to 1e-9; what is proved is never below the exact value; the printed
claim is never refuted where it is proved; the learner's own claim holds on all of its datasets; and blocks under
add/remove refute the printed one. Writes `reports/vote_tables.json` (or where --json says), and Markdown beside it.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from bench import Settings, child_seed, settings, show, spread, write_json

from dpcheck.model.neighbours import AddRemove, Records, Relation, ReplaceOne
from dpcheck.model.neighbours.enumeration import all_pairs
from dpcheck.papers.bassily2018.learners import PrivateAnswers, Scales, answering_delta, printed_scales, proved_scales
from dpcheck.papers.bassily2018.learners.base_learners import ChunkMajority, LeastPositive
from dpcheck.papers.bassily2018.learners.votes import PRINTED, VOTES, Distance, margins
from dpcheck.papers.bassily2018.trials.vote_laws import (
    MOST_MODELS,
    WINDOW,
    Mechanism,
    Worst,
    delta_of_pair,
    exact_delta,
    windows,
    worst_delta,
    worst_loss,
)
from dpcheck.papers.bassily2018.trials.vote_streams import endless_delta, searched
from dpcheck.privacy.exact.declared import declared
from dpcheck.privacy.exact.float_bounds import deltas, distinct_pairs
from dpcheck.privacy.exact.table import table_of
from dpcheck.report.learners.markdown import table

REPORT = Path(__file__).resolve().parent.parent / "reports" / "vote_tables.json"
FAILURE = 0.05
MODELS = range(1, MOST_MODELS + 1)
#: Quadrature and balls differ by less.
AGREE = 1e-9
#: What doubles may be above a bound that is reached.
ROUNDING = 1e-12
PRINTED_POINTS = ((1.0, 1e-6), (1.0, 0.1), (4.0, 1e-3), (10.0, 0.1), (30.0, 0.1))
PROVED_POINTS = ((1.0, 1e-6), (4.0, 1e-3))
#: Threshold and threshold's scale; epsilon is half of what the rounds add up to.
SMALL = ((2.0, 1.0), (4.0, 2.0), (1.0, 0.5))
#: Epsilon, delta; and the numbers of abstentions.
MAP_POINTS = tuple((epsilon, delta) for delta in (1e-6, 0.1) for epsilon in (0.1, 1.0, 4.0, 10.0, 30.0, 100.0, 400.0))
MAP_ROUNDS = (1, 3, 10, 30, 100, 300, 1000)
#: Answers that a stream has for each round.
PER_ROUND = 48
TOTAL_VOTES = Distance("total votes", lambda counts: counts.max(axis=1), lambda votes: votes, lambda votes: math.inf)
MARGIN = Distance("margin", margins, lambda votes: 2 * votes, lambda votes: 2 * votes)
TWICE = Distance("twice the votes", lambda c: 2 * VOTES.of(c), lambda votes: 2 * votes, lambda votes: 0)
SQUARED = Distance("margin squared", lambda c: margins(c) ** 2, lambda votes: math.inf, lambda votes: 4 * votes**2)
#: Distances by name: functions do not travel to other processes.
DISTANCES = {each.name: each for each in (PRINTED, VOTES, MARGIN, TOTAL_VOTES, TWICE, SQUARED)}
_PROVABLE = (PRINTED.name, VOTES.name, MARGIN.name, TWICE.name)

Row = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """One row: the function that makes it, by name, with its arguments."""

    section: str
    arguments: tuple[Any, ...]
    seed: int = 0


# --- tables


def tables_row(kind: str, epsilon: float, delta: float, cutoff: int, queries: int, place: int) -> Row:
    """The worst of all tables of a setting."""
    if kind == "printed":
        scales = printed_scales(epsilon, delta, FAILURE, queries, cutoff)
    elif kind == "proved":
        scales = proved_scales(epsilon, delta, FAILURE, queries, cutoff)
    else:
        threshold, scale = SMALL[place]
        scales = Scales(threshold, scale, 2 * scale, max(MODELS), cutoff)
    rounds = scales.rounds("printed")
    epsilon = epsilon or 2 * min(rounds, queries) / scales.threshold_scale
    found, worst, loss = Worst(0.0, (), ()), Mechanism(scales, 1, rounds), 0.0
    for models, values in windows(scales):
        mechanism = Mechanism(scales, models, rounds)
        (each,) = worst_delta(mechanism, values, queries, [epsilon])
        if each.value > found.value:
            found, worst = each, mechanism
        loss = max(loss, worst_loss(Mechanism(scales, models, 1), values, queries).value)
    proved = answering_delta(scales, queries, epsilon)
    return {
        **_setting(kind, scales, epsilon, cutoff, queries), "claimed": delta or None, "proved": proved,
        "exact": found.value, "in_balls": delta_of_pair(worst, found, epsilon),
        "loss_of_a_round": loss * scales.threshold_scale, "models": worst.models, "left": found.left,
        "right": found.right,
    }  # fmt: skip


def _setting(kind: str, scales: Scales, epsilon: float, cutoff: int, queries: int) -> Row:
    return {
        "scales": kind, "epsilon": epsilon, "cutoff": cutoff, "queries": queries,
        "printed_models": scales.models if kind != "small" else None, "threshold": scales.threshold,
        "threshold_scale": scales.threshold_scale,
    }  # fmt: skip


# --- distances


def distances_row(name: str, epsilon: float, delta: float, queries: int) -> Row:
    """A distance where the noise is what one round needs if the distance moves by 1 and is 1 where labels differ."""
    rule = DISTANCES[name]
    scale = 2 / epsilon
    believed = replace(VOTES, where_labels_differ=lambda votes: votes)
    threshold = _threshold(scale, delta, believed)
    scales = Scales(threshold, scale, 2 * scale)
    found, worst = Worst(0.0, (), ()), Mechanism(scales, 1, 1, rule)
    centre = round(threshold)
    windows = [(models, range(models + 1)) for models in MODELS]
    # around the threshold for distances of about k and of about k/2, and where the leading label changes
    for models in (*range(centre, centre + 4), *range(2 * centre, 2 * centre + 4)):
        windows += [(models, range(start, start + WINDOW)) for start in (models + 1 - WINDOW, models // 2 - 3)]
    for models, values in windows:
        mechanism = Mechanism(scales, models, 1, rule)
        (each,) = worst_delta(mechanism, values, queries, [epsilon])
        if each.value > found.value:
            found, worst = each, mechanism
    provable = name in _PROVABLE
    return {
        "distance": name, "epsilon": epsilon, "delta": delta, "queries": queries, "threshold": threshold,
        "threshold_scale": scale,
        "proved": answering_delta(scales, queries, epsilon, guard="strict", distance=rule) if provable else None,
        "exact": found.value, "in_balls": delta_of_pair(worst, found, epsilon), "models": worst.models,
        "left": found.left, "right": found.right,
    }  # fmt: skip


def _threshold(scale: float, delta: float, rule: Distance) -> float:
    """The least threshold, to a hundredth, at which one round's labels cost at most delta."""
    low, high = 0.0, 100 * scale * math.log(1 / delta)
    while high - low > 0.01:
        middle = (low + high) / 2
        kept = answering_delta(Scales(middle, scale, 2 * scale), 1, 1e3, guard="strict", distance=rule) <= delta
        low, high = (low, middle) if kept else (middle, high)
    return high


# --- searched tables


def searched_row(epsilon: float, delta: float, cutoff: int, queries: int, seed: int) -> Row:
    """The best table of an ascent at an eighth of the claimed epsilon, and what it is at the whole."""
    scales = printed_scales(epsilon, delta, FAILURE, queries, cutoff)
    rounds = scales.rounds("printed")
    found = searched(scales, rounds, queries, epsilon / 8, np.random.default_rng(seed))
    law = _law_of_distances(scales, rounds)
    left, right = law(found.left), law(found.right)
    return {
        "epsilon": epsilon, "delta": delta, "cutoff": cutoff, "queries": queries,
        "proved": answering_delta(scales, queries, epsilon / 8), "exact": found.delta,
        "in_balls": float(exact_delta(left, right, epsilon / 8).mid()) if found.left else 0.0,
        "at_claim": float(exact_delta(left, right, epsilon).mid()) if found.left else 0.0,
        "left": found.left, "right": found.right,
    }  # fmt: skip


def _law_of_distances(scales: Scales, rounds: int) -> Callable[[Sequence[float]], Any]:
    from dpcheck.papers.bassily2018.learners.answers import law_of_patterns
    from dpcheck.papers.bassily2018.learners.rounds import pattern_law

    return lambda distances: law_of_patterns(pattern_law(list(distances), scales, rounds), [0] * len(distances))


# --- the printed scales


def map_row(epsilon: float, delta: float, cutoff: int) -> Row:
    """Whether the printed claim is proved, refuted by a stream or by a tie, or neither."""
    streaming = (cutoff + 1) * PER_ROUND
    endless = printed_scales(epsilon, delta, FAILURE, streaming, cutoff)
    proved = answering_delta(endless, streaming, epsilon)
    streamed = endless_delta(endless, cutoff + 1, epsilon)
    # two models that agree against a tie, on one query: the label of the first changes with one vote
    single = printed_scales(epsilon, delta, FAILURE, 1, cutoff)
    tie = Mechanism(single, 2, 1)
    (label,) = worst_delta(tie, range(3), 1, [epsilon])
    refuted = max(streamed, label.value) > delta
    return {
        "epsilon": epsilon, "delta": delta, "cutoff": cutoff, "threshold_scale": endless.threshold_scale,
        "proved": proved, "stream": streamed, "tie": label.value,
        "status": "refuted" if refuted else "proved" if max(proved, answering_delta(single, 1, epsilon)) <= delta
        else "open",
    }  # fmt: skip


def real_cutoff_row(cutoff: float, epsilon: float, delta: float) -> Row:
    """thm-3.2's T is a real number: where it is far below 1 there is still one round, and the noise is that of less."""
    scale = math.sqrt(32 * cutoff * math.log(2 / delta)) / epsilon
    scales = Scales(2 * scale * math.log(2 / delta), scale, 2 * scale)
    found, worst = Worst(0.0, (), ()), Mechanism(scales, 1, 1)
    for models in range(1, 41):
        mechanism = Mechanism(scales, models, 1)
        (each,) = worst_delta(mechanism, range(models + 1), 1, [epsilon])
        if each.value > found.value:
            found, worst = each, mechanism
    return {
        "cutoff": cutoff, "epsilon": epsilon, "delta": delta, "threshold": scales.threshold, "threshold_scale": scale,
        "proved": answering_delta(scales, 1, epsilon, guard="strict"), "exact": found.value,
        "in_balls": delta_of_pair(worst, found, epsilon), "models": worst.models, "left": found.left,
        "right": found.right,
    }  # fmt: skip


# --- datasets

_ONE_POINT = Records.labelled(features=[0], labels=[0, 1])
_TWO_POINTS = Records.labelled(features=[0.2, 0.6], labels=[0, 1])
_BASES: dict[str, Callable[[], Any]] = {"majority": ChunkMajority, "least positive": LeastPositive}
#: Split, base learner, records, relation, size of datasets, chunks, queries, scales, epsilon: as below.
DATASETS = (
    ("random", "majority", "one point", "add-remove", 4, 3, 2),
    ("random", "least positive", "two points", "add-remove", 3, 3, 2),
    ("random", "majority", "one point", "add-remove", 3, 2, 3),
    ("by_record", "majority", "two points", "add-remove", 4, 3, 2),
    ("by_record", "least positive", "two points", "add-remove", 4, 5, 3),
    ("blocks", "majority", "one point", "replace-one", 8, 4, 2),
    ("blocks", "least positive", "two points", "replace-one", 4, 3, 2),
    ("round_robin", "majority", "one point", "replace-one", 8, 4, 2),
    ("round_robin", "least positive", "two points", "replace-one", 4, 3, 3),
    ("random", "majority", "one point", "replace-one", 4, 3, 2),
    ("blocks", "majority", "one point", "add-remove", 8, 4, 2),
    ("round_robin", "least positive", "two points", "add-remove", 5, 3, 2),
)
#: The claim on datasets: so little noise that few models can agree enough. Asked at epsilon, and at a part of it.
DATASET_CLAIM = (16.0, 0.1)
DATASET_PARTS = (1.0, 0.25)


def dataset_row(
    split: str, base: str, records: str, relation: str, size: int, models: int, queries: int, part: float
) -> Row:
    """All neighbouring datasets of a small domain, at a part of the claimed epsilon."""
    # a record may change two models where it is replaced and goes to another chunk
    changed = 2 if relation == "replace-one" and split in ("random", "by_record") else 1
    claimed, delta = DATASET_CLAIM
    scales = proved_scales(claimed, delta, FAILURE, queries, 1, guard="strict", models=models, models_changed=changed)
    asked = [0.4, 0.9, 0.5][:queries]
    learner = PrivateAnswers(_BASES[base](), asked, scales, split=split, guard="strict", epsilon=claimed, delta=delta)
    epsilon = part * claimed
    private = relation == "replace-one" or split in ("random", "by_record")
    domain = {"one point": _ONE_POINT, "two points": _TWO_POINTS}[records]
    neighbours: Relation = (
        AddRemove(domain, size=range(1, size + 1)) if relation == "add-remove" else ReplaceOne(domain, size=size)
    )
    found = all_pairs(neighbours)
    laws = [declared(learner.distribution(found.dataset(number))) for number in range(found.size)]
    held = table_of(laws)
    pairs, first = distinct_pairs(held, found.pairs)
    over, _ = deltas(held, pairs, epsilon, lambda done: None)
    worst = int(over.argmax())
    pair = found.pair(int(first[worst]))
    one, other = learner.distribution(pair.left), learner.distribution(pair.right)
    exact = max(float(exact_delta(a, b, epsilon).mid()) for a, b in ((one, other), (other, one)))
    proved = None
    if private:
        proved = answering_delta(scales, queries, epsilon, guard="strict", models_changed=changed)
    return {
        "split": split, "base": base, "records": records, "relation": relation, "size": size, "chunks": models,
        "queries": queries, "threshold": scales.threshold, "threshold_scale": scales.threshold_scale,
        "epsilon": epsilon, "claimed": delta if part == 1 else None,
        "pairs": len(found.pairs), "proved": proved, "exact": float(over[worst]),
        "in_balls": exact, "change": pair.change,
        "left": [list(record) for record in zip(*_lists(pair.left), strict=True)],
        "right": [list(record) for record in zip(*_lists(pair.right), strict=True)],
    }  # fmt: skip


def _lists(dataset: Any) -> tuple[list[Any], list[Any]]:
    return list(dataset.x), list(dataset.y)


def printed_split_row(epsilon: float, delta: float) -> Row:
    """The printed scales with all of their chunks, two records in each: one record removed moves all blocks.

    Labels go 1 1 0 0 1 1 0 0 ...; a chunk of two votes 1 where both are: half of the chunks do. Without the first
    record no two that are together are both 1.
    """
    scales = printed_scales(epsilon, delta, FAILURE, 1, 1)
    n = 2 * scales.models
    labels = np.tile([1, 1, 0, 0], -(-n // 4))[:n]
    learner = PrivateAnswers(ChunkMajority(), [0], scales, split="blocks")
    points = np.zeros(n, dtype=int)
    whole, less = (points, labels), (points[1:], labels[1:])
    one, other = learner.distribution(whole), learner.distribution(less)
    exact = max(exact_delta(a, b, epsilon) for a, b in ((one, other), (other, one)))
    rng = np.random.default_rng(0)  # the tables are functions of the records: nothing is drawn
    return {
        "epsilon": epsilon, "delta": delta, "chunks": scales.models, "records": n,
        "votes_for_one": [int(learner.vote_table(each, rng)[0, 1]) for each in (whole, less)],
        "exact": float(exact.mid()), "missing": float((1 - exact).mid()),
    }  # fmt: skip


SECTIONS: Mapping[str, Callable[..., Row]] = {
    "tables": tables_row,
    "distances": distances_row,
    "searched": searched_row,
    "map": map_row,
    "real_cutoffs": real_cutoff_row,
    "datasets": dataset_row,
    "printed_split": printed_split_row,
}


def tasks(quick: bool, seed: int) -> list[Task]:
    """All rows; with ``quick`` a few of each section."""
    every: list[Task] = []
    for cutoff in (1, 2):
        for queries in (1, 2, 3, 4):
            for kind, points in (("printed", PRINTED_POINTS), ("proved", PROVED_POINTS)):
                every += [Task("tables", (kind, *point, cutoff, queries, 0)) for point in points]
            every += [Task("tables", ("small", 0.0, 0.0, cutoff, queries, place)) for place in range(len(SMALL))]
    every += [Task("distances", (name, 1.0, 1e-3, queries)) for queries in (2, 3) for name in DISTANCES]
    every += [
        Task("searched", (epsilon, 1e-6, cutoff, queries, child_seed(seed, cutoff, queries)))
        for epsilon in (1.0,)
        for cutoff in (1, 2)
        for queries in (6, 8, 12)
    ]
    every += [Task("map", (*point, cutoff)) for point in MAP_POINTS for cutoff in MAP_ROUNDS]
    every += [Task("real_cutoffs", (cutoff, 1.0, 1e-6)) for cutoff in (1.0, 0.1, 1e-2, 1e-3, 1e-4)]
    every += [Task("datasets", (*each, part)) for each in DATASETS for part in DATASET_PARTS]
    every += [Task("printed_split", point) for point in ((1.0, 1e-6), (4.0, 1e-6))]
    if quick:
        return [task for place, task in enumerate(every) if _cheap(task) and place % 3 == 0]
    return every


def _cheap(task: Task) -> bool:
    arguments = task.arguments
    if task.section == "tables":
        return bool(arguments[4] <= 2)
    return task.section in ("real_cutoffs", "distances") or (task.section == "map" and arguments[2] <= 30)


def play(task: Task) -> Row:
    """One row."""
    return SECTIONS[task.section](*task.arguments)


def wrong(document: Mapping[str, Any]) -> list[str]:
    """What breaks a rule, a line each."""
    lines: list[str] = []
    for section in ("tables", "distances", "searched", "real_cutoffs", "datasets"):
        for row in document[section]:
            name = f"{section}: {_words(row)}"
            if abs(row["exact"] - row["in_balls"]) > AGREE:
                lines.append(f"{name}: quadrature says {row['exact']!r}, balls say {row['in_balls']!r}")
            if row["proved"] is not None and row["in_balls"] > row["proved"] + ROUNDING:
                lines.append(f"{name}: exact delta {row['in_balls']!r} is above what is proved, {row['proved']!r}")
    lines += [
        f"tables: {_words(row)}: the learner's own claim {row['claimed']} is broken by {row['in_balls']!r}"
        for row in document["tables"]
        if row["scales"] == "proved" and not row["in_balls"] <= row["proved"] <= row["claimed"]
    ]
    lines += [
        f"map: {_words(row)}: a claim that is proved is refuted"
        for row in document["map"]
        if row["proved"] <= row["delta"] < row["stream"]
    ]
    lines += [
        f"searched: {_words(row)}: the printed claim is broken by {row['at_claim']!r}"
        for row in document["searched"]
        if row["at_claim"] > row["delta"]
    ]
    lines += [
        f"printed_split: {_words(row)}: blocks under add/remove do not refute the claim"
        for row in document["printed_split"]
        if row["exact"] <= row["delta"]
    ]
    return lines


def _words(row: Mapping[str, Any]) -> str:
    names = ("scales", "distance", "split", "base", "relation", "epsilon", "delta", "cutoff", "queries")
    return ", ".join(f"{name} {row[name]}" for name in names if row.get(name) is not None)


# --- what is shown


def _number(value: float | None) -> str:
    return "" if value is None else "0" if value == 0 else f"{value:.4g}"


def _counts(left: Sequence[Any], right: Sequence[Any]) -> str:
    return f"{_row(left)} / {_row(right)}" if left else ""


def _row(values: Sequence[Any]) -> str:
    return " ".join(f"{value:g}" for value in values)


Column = tuple[str, Callable[[Mapping[str, Any]], str]]


def _plain(*names: str) -> list[Column]:
    return [(name.replace("_", " "), lambda row, name=name: _cell(row[name])) for name in names]  # type: ignore[misc]


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else _number(value)


_SCALES: Column = ("w, lambda", lambda row: f"{row['threshold']:.4g}, {row['threshold_scale']:.4g}")
_WITNESS: Column = ("votes for 1, both sides", lambda row: f"k = {row['models']}: {_counts(row['left'], row['right'])}")
_T: Column = ("T", lambda row: _cell(row["cutoff"]))
_M: Column = ("m", lambda row: str(row["queries"]))
COLUMNS: Mapping[str, list[Column]] = {
    "tables": [
        ("scales", lambda row: str(row["scales"])),
        _T, _M,
        *_plain("epsilon"),
        ("k of the formula", lambda row: _cell(row["printed_models"])),
        _SCALES,
        ("claimed delta", lambda row: _cell(row["claimed"])),
        ("proved delta", lambda row: _cell(row["proved"])),
        ("exact delta", lambda row: _cell(row["in_balls"])),
        ("loss of a round, in 1/lambda", lambda row: _cell(row["loss_of_a_round"])),
        _WITNESS,
    ],
    "distances": [
        ("distance", lambda row: str(row["distance"])),
        _M,
        *_plain("epsilon"),
        ("believed delta", lambda row: _cell(row["delta"])),
        _SCALES,
        ("proved delta", lambda row: _cell(row["proved"])),
        ("exact delta", lambda row: _cell(row["in_balls"])),
        _WITNESS,
    ],
    "searched": [
        _T, _M,
        *_plain("epsilon", "delta"),
        ("proved delta at epsilon/8", lambda row: _cell(row["proved"])),
        ("exact delta at epsilon/8", lambda row: _cell(row["in_balls"])),
        ("exact delta at epsilon", lambda row: _cell(row["at_claim"])),
        ("distances, both sides", lambda row: _counts(row["left"], row["right"])),
    ],
    "real_cutoffs": [
        _T,
        *_plain("epsilon"),
        _SCALES,
        ("claimed delta", lambda row: _cell(row["delta"])),
        ("proved delta", lambda row: _cell(row["proved"])),
        ("exact delta", lambda row: _cell(row["in_balls"])),
        _WITNESS,
    ],
    "datasets": [
        *_plain("split", "base", "relation", "records"),
        ("n", lambda row: str(row["size"])),
        ("k", lambda row: str(row["chunks"])),
        _M, _SCALES,
        *_plain("epsilon", "pairs"),
        ("claimed delta", lambda row: _cell(row["claimed"])),
        ("proved delta", lambda row: _cell(row["proved"]) or "none"),
        ("exact delta", lambda row: _cell(row["in_balls"])),
        ("what differs", lambda row: str(row["change"])),
    ],
    "printed_split": [
        *_plain("epsilon", "delta", "chunks", "records"),
        ("votes for 1, both sides", lambda row: _row(row["votes_for_one"])),
        ("exact delta", lambda row: _cell(row["exact"])),
        ("1 - exact delta", lambda row: _cell(row["missing"])),
    ],
}  # fmt: skip
WORDS: Mapping[str, tuple[str, str]] = {
    "tables": (
        "All vote tables",
        "Of 1 to 7 models on m queries, and of 8 consecutive counts around the threshold where the formula asks for "
        'many models; k is the number of models of the worst. Each count may move by 1. "printed" are the paper\'s '
        'formulas, "proved" the learner\'s default, "small" injected ones at half of the epsilon that the rounds add '
        "up to. The largest loss of a round is over outputs that both tables can have; what is proved is 4.",
    ),
    "distances": (
        "Distances",
        "One round, with the noise that it needs if a distance moves by 1 with a vote (lambda = 2/epsilon) and the "
        "threshold for labels that differ at distance 1. The printed distance moves by 2: it does not keep that. "
        "Proved is what the accounting gives with a distance's own sensitivity.",
    ),
    "searched": (
        "Searched tables of more queries",
        "Printed scales, coordinate ascent over whole distances, each of which may move by 2 (the labels agree).",
    ),
    "real_cutoffs": (
        "Cut-offs below 1",
        "T of thm-3.2 is a real number. One round is played however small it is, and the printed noise is that of T "
        "rounds: the claim is proved from T = 1/(2 log(2/delta)) on, and false far below.",
    ),
    "datasets": (
        "Neighbouring datasets of small domains",
        "Through split and base learner, one abstention (T = 1, strict), the noise that is proved to keep the claim, "
        "at the claimed epsilon and at a quarter of it. Where a split goes by position nothing is proved under "
        "add/remove.",
    ),
    "printed_split": (
        "Printed scales, blocks, add/remove",
        "One query, T = 1, two records in each chunk, the first record removed; the labels are 1 1 0 0 1 1 0 0 ...",
    ),
}


def _rows(document: Mapping[str, Any], section: str) -> list[list[str]]:
    return [[cell(row) for _, cell in COLUMNS[section]] for row in document[section]]


def _map(document: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Epsilon and delta against T."""
    cutoffs = sorted({row["cutoff"] for row in document["map"]})
    cells = {(row["delta"], row["epsilon"], row["cutoff"]): row for row in document["map"]}
    points = list(dict.fromkeys((row["delta"], row["epsilon"]) for row in document["map"]))
    rows = []
    for delta, epsilon in points:
        found = [cells.get((delta, epsilon, cutoff)) for cutoff in cutoffs]
        rows.append([f"{epsilon:g}, {delta:g}", *(_status(row) if row else "" for row in found)])
    return ["epsilon, delta", *(f"T = {cutoff}" for cutoff in cutoffs)], rows


def _status(row: Mapping[str, Any]) -> str:
    if row["status"] == "refuted":
        return f"refuted: {max(row['stream'], row['tie']):.3g}"
    return str(row["status"])


def markdown(document: Mapping[str, Any]) -> str:
    """The report."""
    broken = wrong(document)
    lines = [
        "# A_binClas: exact delta beside the claim",
        "",
        f"Written by `{document['command']}` (seed {document['seed']}, dpcheck {document['versions']['dpcheck']}). "
        "The rules: what is proved is never below the exact value; the learner's own claim holds; the printed claim is "
        "not refuted where it is proved; blocks under add/remove refute it; quadrature and balls agree: "
        f"{'BROKEN' if broken else 'kept'}.",
        "",
        *(f"* {line}" for line in broken),
        *([""] if broken else []),
    ]
    for section in ("tables", "distances", "searched", "map", "real_cutoffs", "datasets", "printed_split"):
        if section == "map":
            headings, rows = _map(document)
            lines += ["## The printed scales of thm-3.1", "", MAP_WORDS, "", *table(headings, rows), ""]
            continue
        title, words = WORDS[section]
        headings = [heading for heading, _ in COLUMNS[section]]
        lines += [f"## {title}", "", words, "", *table(headings, _rows(document, section)), ""]
    return "\n".join(lines)


MAP_WORDS = (
    'Any tables, any number of queries, a right split. "proved": the accounting gives the claimed delta; "refuted": '
    "by the delta of one distance at the threshold asked again and again (48 (T + 1) queries at most), or of two "
    'models that agree against a tie, on one query; "open": neither.'
)


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    every = tasks(asked.quick, asked.seed)
    rows = spread(play, every, asked.jobs, "rows")
    document = {
        section: [row for task, row in zip(every, rows, strict=True) if task.section == section] for section in SECTIONS
    }
    for section, columns in COLUMNS.items():
        show(WORDS[section][0], [heading for heading, _ in columns], _rows(document, section), left=1)
    headings, cells = _map(document)
    show("The printed scales of thm-3.1", headings, cells)
    broken = wrong(document)
    for line in broken:
        print(line)
    default = None if asked.quick else REPORT
    written = asked if asked.json is not None else Settings(asked.seed, asked.jobs, asked.quick, default)
    write_json(written, began, not broken, document, {".md": markdown})
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
