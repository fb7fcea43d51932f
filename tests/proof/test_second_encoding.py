"""A random 5% of the printed lines, encoded a second time by someone who had not seen the first encodings.

``second_encoding.json`` has the second encodings, with the verdict that was reached blind, and what came of comparing
them with the registry: ``settled`` is the verdict after that, and where it is another one, ``disagreement`` and
``resolved`` say what differed and who was right. A ``compared`` entry names one of the second formulas, one of the
registry's of the same line, and the registry's variables as expressions in the second's (``map``; ``at`` first sets
some of those). ``factor`` times the difference of the registry's sides is the difference of the second's; ``opposite``
says that one claims what the other denies; ``domains`` says whether the points spoken of are the same.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpcheck.proof.inventory import load_inventory
from dpcheck.proof.lemmas import LEMMAS
from dpcheck.proof.prover.checker import check_proof, check_refutation
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.prover.language import Link, Problem, number, operate, parse_expression, parse_formula
from dpcheck.proof.prover.sampling import floats_of, margin, samples
from dpcheck.proof.registry import Registry
from dpcheck.proof.statement import Claim, Status, Step

HERE = Path(__file__).parent
STEPS: list[dict[str, Any]] = json.loads((HERE / "second_encoding.json").read_text(encoding="utf-8"))["steps"]
CERTIFICATES = json.loads((HERE / "second_encoding_certificates.json").read_text(encoding="utf-8"))
PAPERS = ("alon2019", "bassily2018", "beimel2015", "chaudhuri2011", "wang2016")
COMPARED = [(step, entry) for step in STEPS for entry in step["compared"]]
POINTS, ENOUGH = 4_000, 100
#: Differences that are smaller, relative to the sides, may be rounding.
CLOSE = 1e-9

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def _name(value: Any) -> str | None:
    return f"{value['paper']} {value['label']}" if isinstance(value, dict) and "label" in value else None


def _formula(one: dict[str, Any]) -> Formula:
    return Formula(one["variables"], one["assume"], one["claim"])


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry()


def test_the_lines_are_those_that_the_seed_draws() -> None:
    lines = [(paper, step.label) for paper in PAPERS for step in load_inventory(paper).steps]
    drawn = np.random.default_rng(np.random.SeedSequence(20261122)).choice(len(lines), 22, replace=False)
    assert len(lines) == 422
    assert [(step["paper"], step["label"]) for step in STEPS] == [lines[i] for i in sorted(drawn)]


@pytest.mark.parametrize("step", STEPS, ids=_name)
def test_answers_replay_and_give_the_verdict(step: dict[str, Any]) -> None:
    lemmas = {name: claim.formula for name, claim in LEMMAS.items()}
    kept = CERTIFICATES[f"{step['paper']} {step['label']}"]
    for one, found in zip(step["formulas"], kept, strict=True):
        if one["answer"] == "REFUTED":
            assert check_refutation(_formula(one), found["witness"])
        else:
            assert one["answer"] == "PROVED"
            check_proof(_formula(one), found["proof"], lemmas)
    against = [one["answer"] for one in step["formulas"] if one["role"] == "against"]
    claimed = [one["answer"] for one in step["formulas"] if one["role"] == "claims"]
    refuted = "REFUTED" in claimed or (against and set(against) == {"PROVED"})
    assert step["verdict"] == ("REFUTED" if refuted else "CITED" if step["label"] == "S2.boost" else "PROVED")


@pytest.mark.turns(4)
@pytest.mark.parametrize("step", STEPS, ids=_name)
def test_verdicts_are_those_of_the_registry(step: dict[str, Any], registry: Registry) -> None:
    found = registry.evaluations[step["paper"]].step(step["label"]).status
    # Where formulas are compared, it does not matter whether words or a derivation lead from them to the line.
    assert ("PROVED" if found is Status.ARGUED else found.value) == step["settled"]
    assert (step["settled"] == step["verdict"] and not step["disagreement"]) or (
        step["disagreement"] and step["resolved"]
    )


def _first(step: dict[str, Any], entry: dict[str, Any], registry: Registry) -> Claim:
    """The registry's claim that an entry names."""
    line: Step = registry.papers[step["paper"]].step(step["label"])
    known = (*line.claims, *line.against, *(line.repair.claims if line.repair else ()))
    (found,) = {claim for claim in known if claim.claim == entry["with"]}
    return found


@dataclass(frozen=True)
class Seen:
    """What a formula says at many points: which are in its domain, what it claims there, how far from failing."""

    applies: Flags
    unsure: Flags
    claimed: Flags
    gap: Floats
    size: Floats
    single: bool


def _gap(link: Link, values: dict[str, Floats]) -> tuple[Floats, Floats]:
    left, right = floats_of(link.left, values), floats_of(link.right, values)
    with np.errstate(all="ignore"):
        return (right - left if link.relation in ("<=", "<", "=") else left - right), np.abs(left) + np.abs(right)


def _holds(link: Link, values: dict[str, Floats]) -> Flags:
    gap, _ = _gap(link, values)
    return np.asarray(gap == 0 if link.relation == "=" else gap > 0 if link.relation in ("<", ">") else gap >= 0)


def _look(problem: Problem, values: dict[str, Floats], exact: frozenset[str], count: int) -> Seen:
    """``exact`` names the variables whose values are no results of rounding: they may stand at an end."""
    values = values or {"": np.zeros(count)}
    applies, unsure, defined = (np.full(count, flag) for flag in (True, False, True))
    for domain in problem.domains:
        at = values[domain.name]
        low, high = (None if end is None else float(end) for end in (domain.low, domain.high))
        for end, side, open_end in ((low, 1, domain.low_open), (high, -1, domain.high_open)):
            if end is not None:
                inside = side * (at - end)
                applies &= (inside > 0) if open_end else (inside >= 0)
                if domain.name not in exact:
                    unsure |= np.abs(inside) <= CLOSE * (1 + abs(end))
        if domain.integer:
            applies &= at == np.round(at)
    for link in problem.assumptions:
        away = margin(link, values)
        applies &= away >= 0
        unsure |= (np.abs(away) <= CLOSE) & (away != 0)
        unsure |= ~np.isfinite(away)
    claimed = np.full(count, True)
    for link in problem.claim:
        gap, size = _gap(link, values)
        claimed &= _holds(link, values)
        defined &= np.isfinite(gap) & np.isfinite(size) & ((np.abs(gap) > CLOSE * size) | (gap == 0))
    return Seen(applies, unsure | ~defined, claimed, gap, size, len(problem.claim) == 1)


def _disagreements(step: dict[str, Any], entry: dict[str, Any], theirs: Problem) -> list[str]:
    """What differs between a second formula and the registry's, at random points of the second's domain."""
    mine = parse_formula(_formula(step["formulas"][entry["formula"]]))
    seed = [20261122, *f"{step['paper']} {step['label']} {entry['formula']}".encode()]
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    # half of the points are of moderate size: the others are crowded at the ends and over many orders of magnitude
    values = samples(mine, rng, POINTS)
    for domain in mine.domains:
        low = float(domain.low) if domain.low is not None else -4.0
        high = min(float(domain.high), low + 8.0) if domain.high is not None else low + 8.0
        near = (
            rng.integers(int(low), int(high) + 1, POINTS // 2)
            if domain.integer
            else rng.uniform(low, high, POINTS // 2)
        )
        values[domain.name][: POINTS // 2] = near
    names = {domain.name for domain in mine.domains}
    values.update(
        {name: floats_of(parse_expression(text, names), values) for name, text in entry.get("at", {}).items()}
    )
    mapped = {
        name: np.broadcast_to(floats_of(parse_expression(text, names), values), (POINTS,))
        for name, text in entry["map"].items()
    }
    plain = frozenset(name for name, text in entry["map"].items() if text in names)
    one = _look(mine, values, frozenset(names), POINTS)
    other = _look(theirs, dict(mapped), plain, POINTS)
    found = []
    for seen, where in ((one, values), (other, mapped)):
        for at in where.values():
            seen.unsure[~np.isfinite(at)] = True
    sure = ~(one.unsure | other.unsure)
    said = ~other.claimed if entry.get("opposite") else other.claimed
    if (count := int(np.sum(sure))) < ENOUGH:
        found.append(f"only {count} points")
    if np.any((one.claimed != said)[sure]):
        found.append("one holds where the other does not")
    domains = entry["domains"]
    if domains in ("same", "mine in theirs") and np.any((one.applies & ~other.applies)[sure]):
        found.append("the registry's formula is about fewer points")
    if domains in ("same", "theirs in mine") and np.any((other.applies & ~one.applies)[sure]):
        found.append("the registry's formula is about more points")
    if "factor" in entry:
        assert one.single
        assert other.single
        factor = np.broadcast_to(floats_of(parse_expression(entry["factor"], names), values), (POINTS,))
        with np.errstate(all="ignore"):
            off = np.abs(one.gap - (-factor if entry.get("opposite") else factor) * other.gap)
            scale = one.size + factor * other.size
            usable = np.isfinite(off) & np.isfinite(scale)
        if np.sum(usable) < ENOUGH or np.any((off > CLOSE * scale)[usable]) or np.any(factor <= 0):
            found.append("the differences of the sides are not the same")
    return found


@pytest.mark.parametrize(
    ("step", "entry"), COMPARED, ids=[f"{_name(step)} {entry['formula']}" for step, entry in COMPARED]
)
def test_formulas_say_the_same(step: dict[str, Any], entry: dict[str, Any], registry: Registry) -> None:
    first = parse_formula(_first(step, entry, registry).formula)
    assert set(entry["map"]) == {domain.name for domain in first.domains}
    assert _disagreements(step, entry, first) == []


@pytest.mark.parametrize(
    ("step", "entry"), COMPARED, ids=[f"{_name(step)} {entry['formula']}" for step, entry in COMPARED]
)
def test_a_changed_constant_is_seen(step: dict[str, Any], entry: dict[str, Any], registry: Registry) -> None:
    first = parse_formula(_first(step, entry, registry).formula)
    *links, last = first.claim
    right = operate("*", last.right, number(Fraction(101, 100))) if "factor" in entry else last.right
    by = number(Fraction(1, 50) if "factor" in entry else -1)  # truth alone is compared: of integers, or in a chain
    changed = replace(last, right=operate("+", right, by))
    assert _disagreements(step, entry, replace(first, claim=(*links, changed)))


def test_the_distance_to_instability_is_the_largest_stable_k_on_small_graphs() -> None:
    # S2.dti on multisets of two records, up to two copies of each: all not constant functions of them to {0, 1}
    places = list(itertools.product(range(3), repeat=2))
    apart = np.array([[abs(a - c) + abs(b - d) for c, d in places] for a, b in places])
    functions = np.array(list(itertools.product((False, True), repeat=len(places)))[1:-1])
    differ = functions[:, :, None] != functions[:, None, :]
    largest = np.min(np.where(differ, apart, 99), axis=2) - 1
    unstable = np.any(differ & (apart == 1), axis=2)
    nearest = np.min(np.where(unstable[:, None, :], apart, 99), axis=2)
    assert functions.shape == (510, 9)
    assert np.array_equal(nearest, largest)


@pytest.mark.parametrize(("bits", "axes", "dimension"), [(1, 1, 2), (1, 2, 2), (1, 3, 3), (2, 1, 2), (2, 2, 4)])
def test_rectangles_with_two_points_on_an_axis_have_a_smaller_dimension(bits: int, axes: int, dimension: int) -> None:
    # XR says 2 l
    points = list(itertools.product(range(2**bits), repeat=axes))
    boxes = {
        sum(1 << i for i, x in enumerate(points) if all(a <= c <= b for a, c, b in zip(low, x, high, strict=True)))
        for low, high in itertools.product(points, repeat=2)
    }

    def shattered(size: int) -> bool:
        masks = (sum(1 << i for i in chosen) for chosen in itertools.combinations(range(len(points)), size))
        return any(len({box & mask for box in boxes}) == 2**size for mask in masks)

    assert shattered(dimension)
    assert not shattered(dimension + 1)
    assert (dimension == 2 * axes) == (bits > 1 or axes == 1)
