"""Audits of one run: false alarms, bounds above the truth, audits that are unsound, and what is certified.

- *Boundary*: learners that keep a claim with nothing to spare (:mod:`one_run_laws`), among them some that show all
  canaries at once with probability delta, and the law of right guesses that is worst under (epsilon, delta), found by
  a linear programme. Of 2,000 audits of each, with few canaries and with many: how many accuse, how many certify an
  epsilon, or a parameter, above the truth. The scores of all audits are made and ranked at once; some are put through
  ``one_run_verdict`` too, which must say the same.
- *Unsound*: what the theorems forbid must be seen to break them: the number of guesses that looks best, canaries that
  share a coin, one canary in of each two, and the score of many that guesses best.
- *Certified*: of scores that are normal with mu between canaries that are in and out, the median of the epsilon at
  delta 1e-5 that is certified, by (epsilon, delta) and by mu-GDP, where the claim is the truth, half and twice the mu;
  beside what the best number of guesses gives, looked at afterwards, and what jax-privacy, opake and PrivacyGuard
  certify of the same scores, where their environments are there (`benchmarks/peers/environments.py jax_privacy opake
  privacy_guard`; PrivacyGuard is told our guesses).
- *Peers*: what each of their methods certifies of learners at their boundary, in 20 runs (150 of randomised
  response, for methods that are about epsilon): how often more than the truth.

Rules: what is certified is at least what each method of theirs certifies in each row, by the same kind of claim, but
for those that are seen to be unsound; no interval of the boundary (Clopper-Pearson, confidence 99%) lies above alpha;
each unsound one does.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from bench import Rate, child_seed, settings, show, spread, write_json
from numpy.random import default_rng
from numpy.typing import NDArray
from one_run_laws import Coins, Floats, Kept, in_blocks, kept, normal, one_of_two, response, worst_law
from peers.environments import default_folder, interpreter, note

from dpcheck.model.claims import ApproxDP, Claim, CurveClaim, GaussianDP, PureDP, claim_point
from dpcheck.model.claims.points import GridClaim
from dpcheck.model.verdict import Status
from dpcheck.privacy.one_run.guess_plan import GuessPlan, plan_guesses, plan_of
from dpcheck.privacy.one_run.lower_bounds import certified_epsilon, certified_parameter
from dpcheck.privacy.one_run.verdict import DELTA, one_run_verdict

ALPHA, CONFIDENCE = 0.05, 0.99
RUNS, QUICK_RUNS = 2_000, 200
FEW, MANY = 24, 1_000
#: Audits of each row that go through the door.
DOOR = 3
#: Ways to guess, besides the planned one: all canaries; some, and only that they are in.
ALL, ONE_SIDE = "all", "in only"
BLOCK = 10
SCORES_TRIED = 100
SIZES, MUS, TIGHT_RUNS = (100, 1_000, 5_000), (1.0, 2.0, 3.0, 5.0), 100
#: What is compared with, and on how many of the runs: it takes seconds for one.
#: (The last two take ten seconds and minutes for one bound of 5,000 canaries: of so many they are not asked.)
PEER_RUNS = {"jax_privacy": 20, "opake": 2, "privacy_guard": 2}
PEERS = tuple(PEER_RUNS)
MOST_ASKED = 1_000
#: Runs of learners at their boundary that go to peers, and canaries.
PEER_BOUNDARY_RUNS, PEER_CANARIES = 20, 300
#: The same for methods that are about epsilon: a learner at which choosing by looking shows, and more runs to see it.
PURE, PURE_RUNS, PURE_CANARIES = "randomised response, 0.2-DP", 150, 100
PURE_PEERS = ("jax_privacy", "opake")
#: More than this is above the truth: opake searches to 0.01 of mu, PrivacyGuard on a grid of noise.
PEER_SLACK = 1.02
#: What the names of its methods for a Gaussian curve begin with.
BY_CURVE = "one run, f-DP,"


@dataclass(frozen=True)
class Task:
    """A row: which learner (by its place), canaries, and how they are guessed; or an unsound audit."""

    title: str
    learner: int
    canaries: int
    way: str
    seed: int
    runs: int


def right_of(scores: Floats, coins: Coins, guesses_in: int, guesses_out: int) -> NDArray[np.int64]:
    """The right guesses of each run."""
    order = np.argsort(scores, axis=1)
    ranked = np.take_along_axis(coins, order, axis=1)
    found = (~ranked[:, :guesses_out]).sum(axis=1)
    if guesses_in:
        found += ranked[:, -guesses_in:].sum(axis=1)
    return np.asarray(found, dtype=np.int64)


def planned(claim: Claim, canaries: int, way: str) -> GuessPlan:
    """How many guesses, fixed before."""
    if way == ALL:
        return plan_of(canaries - canaries // 2, canaries // 2, canaries, claim, ALPHA)
    if way == ONE_SIDE:
        return plan_of(max(canaries // 5, 2), 0, canaries, claim, ALPHA)
    return plan_guesses(canaries, claim, ALPHA)


def boundary(task: Task) -> dict[str, Any]:
    """One learner at its boundary: false alarms, and bounds above the truth."""
    learner, rng = kept()[task.learner], default_rng(task.seed)
    claim, plan = learner.claim, planned(kept()[task.learner].claim, task.canaries, task.way)
    coins = rng.random((task.runs, task.canaries)) < 0.5
    scores = learner.play(coins, rng)
    right = right_of(scores, coins, plan.guesses_in, plan.guesses_out)
    delta = DELTA if isinstance(claim, GridClaim) else claim_point(claim)[1]
    own = [_own(claim, int(one), plan.guesses, task.canaries) for one in right]
    epsilons = [_epsilon(int(one), plan.guesses, task.canaries, delta) for one in right]
    _through_the_door(learner, scores, coins, plan, right)
    return {
        "accused": int((right >= plan.needed).sum()),
        "epsilon above": sum(one > learner.epsilon for one in epsilons),
        "parameter above": sum(one > truth for one in own if (truth := _parameter(claim)) is not None),
        "guesses": plan.guesses,
        "needed": plan.needed,
    }


@cache
def _epsilon(right: int, guesses: int, canaries: int, delta: float) -> float:
    return certified_epsilon(right, guesses, canaries, delta, ALPHA)


@cache
def _own(claim: Any, right: int, guesses: int, canaries: int) -> float:
    return certified_parameter(claim, right, guesses, canaries, ALPHA) if isinstance(claim, CurveClaim) else 0.0


def _parameter(claim: Claim) -> float | None:
    from dpcheck.model.claims import parameter_of

    return parameter_of(claim)[1] if isinstance(claim, CurveClaim) else None


def _through_the_door(learner: Kept, scores: Floats, coins: Coins, plan: GuessPlan, right: NDArray[np.int64]) -> None:
    for run in range(DOOR):
        told = one_run_verdict(scores[run], coins[run], learner.claim, guesses=(plan.guesses_in, plan.guesses_out))
        if told.right != right[run] or (told.status is Status.VIOLATED) != (right[run] >= plan.needed):
            raise RuntimeError(f"{learner.title}: one_run_verdict says {told.right} right, {right[run]} were counted")


def worst(task: Task) -> dict[str, Any]:
    """The law of right guesses that is worst under (1, 0.01)-DP, all canaries guessed."""
    claim, rng = ApproxDP(1.0, 0.01), default_rng(task.seed)
    plan = planned(claim, task.canaries, ALL)
    law = worst_law(plan.guesses, task.canaries, plan.needed, 1.0, 0.01)
    right = rng.choice(len(law), size=task.runs, p=law)
    above = sum(_epsilon(int(one), plan.guesses, task.canaries, 0.01) > 1.0 for one in right)
    return {
        "accused": int((right >= plan.needed).sum()),
        "epsilon above": above,
        "parameter above": 0,
        "guesses": plan.guesses,
        "needed": plan.needed,
    }


def unsound(task: Task) -> dict[str, Any]:
    """Audits that do what the theorems forbid, of learners that keep their claim."""
    rng, claim = default_rng(task.seed), PureDP(1.0)
    coins = rng.random((task.runs, task.canaries)) < 0.5
    if task.way == "guesses chosen by looking":
        scores = response(1.0)(coins, rng) + rng.normal(size=coins.shape)
        accused = np.zeros(task.runs, bool)
        for size in range(4, task.canaries + 1, 4):
            needed = planned_size(claim, size, task.canaries)
            accused |= right_of(scores, coins, size // 2, size // 2) >= needed
        return {"accused": int(accused.sum())}
    plan = plan_of(task.canaries // 5, task.canaries // 5, task.canaries, claim, ALPHA)
    if task.way == "canaries that share a coin":
        together = in_blocks(coins, BLOCK)
        answers = response(1.0)(together, rng)
        sums = answers.reshape(task.runs, -1, BLOCK).sum(axis=2)
        return {"accused": _accused(np.repeat(sums, BLOCK, axis=1), together, plan)}
    if task.way == "one canary in of each two":
        paired = one_of_two(coins)
        answers = response(1.0)(paired, rng)
        sums = answers.copy()
        sums[:, 0::2] -= answers[:, 1::2]
        sums[:, 1::2] -= answers[:, 0::2]
        return {"accused": _accused(sums, paired, plan)}
    if task.way == "the best of many scores":
        nothing = plan_of(task.canaries // 5, task.canaries // 5, task.canaries, PureDP(0.1), ALPHA)
        best = np.zeros(task.runs, np.int64)
        for _ in range(SCORES_TRIED):  # of a learner that says nothing
            tried = rng.random(coins.shape)
            best = np.maximum(best, right_of(tried, coins, nothing.guesses_in, nothing.guesses_out))
        return {"accused": int((best >= nothing.needed).sum())}
    raise ValueError(task.way)


UNSOUND = (
    "guesses chosen by looking",
    "canaries that share a coin",
    "one canary in of each two",
    "the best of many scores",
)


@cache
def planned_size(claim: Any, size: int, canaries: int) -> int:
    """The right guesses that refute a claim, of so many."""
    return plan_of(size // 2, size // 2, canaries, claim, ALPHA).needed


def _accused(scores: Floats, coins: Coins, plan: GuessPlan) -> int:
    return int((right_of(scores, coins, plan.guesses_in, plan.guesses_out) >= plan.needed).sum())


def tight(task: Task) -> dict[str, Any]:
    """What is certified of normal scores: medians, and the best for whoever knows the truth."""
    mu, rng = float(task.way), default_rng(task.seed)
    truth = GaussianDP(mu).epsilon(DELTA)
    coins = rng.random((task.runs, task.canaries)) < 0.5
    scores = normal(mu)(coins, rng)
    by_delta = plan_guesses(task.canaries, ApproxDP(truth, DELTA), ALPHA)
    own_plan = plan_guesses(task.canaries, GaussianDP(mu), ALPHA)
    found: dict[str, Any] = {"truth": truth, "best": _best(scores, coins)}
    found["runs of peers"] = dict(PEER_RUNS)
    found["ours"] = {  # on the runs that peers were given
        str(count): _ours(scores[:count], coins[:count], by_delta, own_plan)
        for count in sorted(set(PEER_RUNS.values()))
    }
    found["peer"] = {
        name: float(np.median(bounds))
        for peer, count in PEER_RUNS.items()
        if peer == PEERS[0] or task.canaries <= MOST_ASKED
        for name, bounds in of_peers(scores[:count], coins[:count], own_plan, DELTA, (peer,)).items()
    }
    right = right_of(scores, coins, by_delta.guesses_in, by_delta.guesses_out)
    found["epsilon, delta"] = float(
        np.median([_epsilon(int(one), by_delta.guesses, task.canaries, DELTA) for one in right])
    )
    for name, claimed in (("mu-GDP", mu), ("half of it claimed", mu / 2.0), ("twice of it claimed", 2.0 * mu)):
        plan = plan_guesses(task.canaries, GaussianDP(claimed), ALPHA)
        right = right_of(scores, coins, plan.guesses_in, plan.guesses_out)
        certified = [_own(GaussianDP(1.0), int(one), plan.guesses, task.canaries) for one in right]
        found[name] = float(np.median([GaussianDP(one).epsilon(DELTA) for one in certified]))
    return found


def _ours(scores: Floats, coins: Coins, by_delta: GuessPlan, by_curve: GuessPlan) -> dict[str, float]:
    """What is certified of some runs, by either kind of claim: medians."""
    canaries = scores.shape[1]
    of_delta = right_of(scores, coins, by_delta.guesses_in, by_delta.guesses_out)
    of_curve = right_of(scores, coins, by_curve.guesses_in, by_curve.guesses_out)
    parameters = [_own(GaussianDP(1.0), int(one), by_curve.guesses, canaries) for one in of_curve]
    return {
        "epsilon, delta": float(np.median([_epsilon(int(one), by_delta.guesses, canaries, DELTA) for one in of_delta])),
        "mu-GDP": float(np.median([GaussianDP(one).epsilon(DELTA) for one in parameters])),
    }


def of_peers(
    scores: Floats, coins: Coins, plan: GuessPlan, delta: float, peers: tuple[str, ...] = PEERS
) -> dict[str, list[float]]:
    """What each method of each peer that is there certifies of each run; methods are named ``peer: method``."""
    found: dict[str, list[float]] = {}
    right = right_of(scores, coins, plan.guesses_in, plan.guesses_out)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scores.npz"
        np.savez(file, scores=scores, included=coins, guesses=plan.guesses, right=right)
        for peer in peers:
            if not note(default_folder(), peer):
                continue
            python = str(interpreter(default_folder(), peer))
            asked = [python, "-m", f"peers.{peer}_one_run", str(file), str(delta)]
            ran = subprocess.run(asked, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
            answers = json.loads(ran.stdout.splitlines()[-1])
            found |= {f"{peer}: {method}": bounds for method, bounds in answers.items()}
    return found


def peers_at_boundary(task: Task) -> dict[str, Any]:
    """How often each method of peers certifies more than the truth of a learner at its boundary."""
    learner, rng = kept()[task.learner], default_rng(task.seed)
    coins = rng.random((task.runs, task.canaries)) < 0.5
    scores = learner.play(coins, rng)
    # what is certified of mu-GDP is about the claim; what a learner is beside it does not count against a peer
    truth = max(learner.epsilon, learner.claim.epsilon(DELTA))
    plan = plan_guesses(task.canaries, learner.claim, ALPHA)
    by_curve = isinstance(learner.claim, GaussianDP)
    bounds = {
        name: some
        for name, some in of_peers(scores, coins, plan, DELTA, PEERS if by_curve else PURE_PEERS).items()
        if by_curve or BY_CURVE not in name  # they promise nothing of a learner that has no Gaussian curve
    }
    return {
        "truth": truth,
        "above": {name: sum(one > PEER_SLACK * truth for one in some) for name, some in bounds.items()},
    }


def _best(scores: Floats, coins: Coins) -> float:
    """The median certified epsilon by the number of guesses that makes it largest: for mu-GDP, looked at afterwards."""
    canaries, best = scores.shape[1], 0.0
    for size in np.unique(2 * np.round(np.geomspace(2, min(canaries // 2, 1_500), 16)).astype(int)).tolist():
        right = right_of(scores, coins, size // 2, size // 2)
        middle = int(np.median(right))
        found = _own(GaussianDP(1.0), middle, size, canaries)
        best = max(best, GaussianDP(found).epsilon(DELTA) if found else 0.0)
    return best


def play(task: Task) -> dict[str, Any]:
    """The row of one task."""
    makers = {
        "boundary": boundary,
        "worst": worst,
        "unsound": unsound,
        "tight": tight,
        "peers": peers_at_boundary,
    }
    return makers[task.title](task)


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    runs = QUICK_RUNS if asked.quick else RUNS
    tasks: list[Task] = []

    def add(title: str, learner: int, canaries: int, way: str, count: int) -> None:
        tasks.append(Task(title, learner, canaries, way, child_seed(asked.seed, len(tasks)), count))

    for place in range(len(kept())):
        for canaries in (FEW, MANY):
            add("boundary", place, canaries, "planned", runs)
        add("boundary", place, MANY, ONE_SIDE, runs)
        add("boundary", place, FEW, ALL, runs)
    for canaries in (FEW, 60):
        add("worst", 0, canaries, ALL, runs)
    for way in UNSOUND:
        add("unsound", 0, 200, way, runs)
    for canaries in SIZES:
        for mu in MUS:
            add("tight", 0, canaries, f"{mu:g}", TIGHT_RUNS // 10 if asked.quick else TIGHT_RUNS)
    for place, learner in enumerate(kept()):
        if isinstance(learner.claim, GaussianDP):
            add("peers", place, PEER_CANARIES, "peers", PEER_BOUNDARY_RUNS)
        if learner.title == PURE:
            add("peers", place, PURE_CANARIES, "peers", PURE_RUNS // 10 if asked.quick else PURE_RUNS)
    found = spread(play, tasks, asked.jobs, "rows")
    unsound_methods = _unsound(tasks, found)
    rows, passed = [], True
    for task, result in zip(tasks, found, strict=True):
        row: dict[str, Any] = {**asdict(task), **result}
        if task.title == "peers":
            row["holds"] = True  # theirs, not ours
        elif task.title != "tight":
            rates = {
                name: Rate.of(result[name], task.runs, 1.0 - CONFIDENCE)
                for name in ("accused", "epsilon above", "parameter above")
                if name in result
            }
            row |= {f"{name} interval": [rate.low, rate.high] for name, rate in rates.items()}
            broken = [name for name, rate in rates.items() if rate.low > ALPHA]
            row["holds"] = bool(broken) if task.title == "unsound" else not broken
            passed &= row["holds"]
        else:
            row["holds"] = _at_least(row, unsound_methods)
            passed &= row["holds"]
        row["learner"] = kept()[task.learner].title if task.title in ("boundary", "peers") else task.way
        rows.append(row)
    _print(rows)
    _print_peers(rows)
    write_json(asked, began, passed, {"alpha": ALPHA, "unsound methods": sorted(unsound_methods), "rows": rows})
    return 0 if passed else 1


def _unsound(tasks: list[Task], found: list[dict[str, Any]]) -> set[str]:
    """The methods of peers that certify more than the truth more often than alpha."""
    methods = set()
    for task, result in zip(tasks, found, strict=True):
        if task.title == "peers":
            for name, above in result["above"].items():
                if Rate.of(above, task.runs, 1.0 - CONFIDENCE).low > ALPHA:
                    methods.add(name)
    return methods


def _at_least(row: dict[str, Any], unsound_methods: set[str]) -> bool:
    """Whether as much is certified as by each sound method of a peer; their grids are a hundredth of mu wide."""
    for name, bound in row["peer"].items():
        if name not in unsound_methods:
            ours = row["ours"][str(row["runs of peers"][name.partition(": ")[0]])]
            own = PEER_SLACK * ours["mu-GDP"] if BY_CURVE in name else ours["epsilon, delta"]
            if own < bound:
                return False
    return True


def _print(rows: list[dict[str, Any]]) -> None:
    show(
        "At the boundary, and unsound audits",
        ["learner", "canaries", "guesses", "accused", "epsilon above", "parameter above", "rule"],
        [
            [
                row["learner"],
                f"{row['canaries']:,}",
                row["way"] if "guesses" not in row else f"{row['guesses']:,} ({row['way']})",
                f"{row['accused']} of {row['runs']:,}",
                str(row.get("epsilon above", "")),
                str(row.get("parameter above", "")),
                "holds" if row["holds"] else "FAILS",
            ]
            for row in rows
            if row["title"] not in ("tight", "peers")
        ],
    )
    show(
        "Certified epsilon at delta 1e-5, normal scores: medians",
        [
            "mu",
            "canaries",
            "truth",
            "(epsilon, delta)",
            "jax-privacy",
            "mu-GDP",
            "half, twice claimed",
            "best number",
            "jax-privacy f-DP",
            "rule",
        ],
        [
            [
                row["way"],
                f"{row['canaries']:,}",
                f"{row['truth']:.2f}",
                f"{row['epsilon, delta']:.2f}",
                _peer_cell(row, curve=False),
                f"{row['mu-GDP']:.2f}",
                f"{row['half of it claimed']:.2f}, {row['twice of it claimed']:.2f}",
                f"{row['best']:.2f}",
                _peer_cell(row, curve=True),
                "holds" if row["holds"] else "FAILS",
            ]
            for row in rows
            if row["title"] == "tight"
        ],
    )


def _peer_cell(row: dict[str, Any], *, curve: bool) -> str:
    """Both ways in which jax-privacy chooses a threshold."""
    found = [bound for name, bound in row["peer"].items() if name.startswith(PEERS[0]) and (BY_CURVE in name) == curve]
    return ", ".join(f"{bound:.2f}" for bound in found) or "not there"


def _bound_of(row: dict[str, Any], method: str) -> str:
    return f"{row['peer'][method]:.2f}" if method in row["peer"] else "-"


def _above(row: dict[str, Any], method: str) -> str:
    return f"{row['above'][method]} of {row['runs']}" if method in row["above"] else "-"


def _print_peers(rows: list[dict[str, Any]]) -> None:
    """What each method of each peer certifies, and how often it is above the truth at the boundary."""
    asked = [row for row in rows if row["title"] == "tight"]
    played = [row for row in rows if row["title"] == "peers"]
    for peer in PEERS:
        names = list(dict.fromkeys(name for row in asked for name in row["peer"] if name.startswith(f"{peer}: ")))
        if names:
            cells = [
                [f"mu {row['way']}, {row['canaries']:,}", *(_bound_of(row, name) for name in names)] for row in asked
            ]
            show(
                f"{peer}: certified epsilon at delta 1e-5, normal scores; above the truth at the boundary",
                ["mu, canaries", *(name.partition(": ")[2] for name in names)],
                cells + [[row["learner"], *(_above(row, name) for name in names)] for row in played],
            )


if __name__ == "__main__":
    sys.exit(main())
