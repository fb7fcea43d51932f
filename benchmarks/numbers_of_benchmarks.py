"""Writes the numbers of docs/benchmarks.md, between its markers, from the benchmarks' results in reports/*.json.

`python benchmarks/numbers_of_benchmarks.py` rewrites them; `--check` only says, with exit status 1, that they are
stale.
The results themselves come from `python benchmarks/NAME.py --json reports/NAME.json`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- numbers:begin", "<!-- numbers:end -->"


def written(page: str, reports: Path) -> str:
    """The page with its numbers taken from the results."""
    head, _, rest = page.partition(BEGIN)
    marker, _, _ = rest.partition("\n")
    _, _, tail = rest.partition(END)
    found = {name: reports / f"{name}.json" for name in PARTS}
    parts = [PARTS[name](_read(path)) for name, path in found.items() if path.exists()]
    return f"{head}{BEGIN}{marker}\n" + "\n".join(filter(None, parts)) + f"{END}{tail}"


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in (headings, ["---"] * len(headings), *rows)]
    return "\n".join(lines) + "\n"


def _command(result: dict[str, Any]) -> str:
    return f"`{result['command']}`, {result['seconds'] / 60:.0f} min, seed {result['seed']}"


def false_alarms(result: dict[str, Any]) -> str:
    """False alarms, coverage and power: one line for each kind of rate, the worst of its paths."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for cell in result["cells"]:
        leaks = bool(cell.get("leaks"))
        kinds.setdefault(f"{'caught' if leaks else cell['event']}", []).append(cell)
    rows = []
    for kind, cells in kinds.items():
        rule = cells[0]["rule"]
        worst = (min if kind == "caught" else max)(cells, key=lambda c: float(c["share"]))
        runs = sum(int(c["runs"]) for c in cells)
        rows.append(
            (
                f"{kind}: {len(cells)} paths",
                f"{runs:,}",
                f"{worst['share']:.2%} [{worst['low']:.2%}, {worst['high']:.2%}]",
                str(rule),
                "yes" if all(c["verdict"] != "FAILS" for c in cells) else "no",
            )
        )
    return (
        f"**False alarms, coverage and power** at alpha {result['alpha']:g}, {result['audits']:,} audits at the "
        f"boundary ({_command(result)}):\n\n"
        + _table(("rate", "runs", "its worst path [99% interval]", "rule", "kept"), rows)
    )


def tightness(result: dict[str, Any]) -> str:
    """What `measure` certifies against the limit for any test."""
    rows = [
        (
            f"{cell['law']}, epsilon {cell['epsilon']:g}" + (f", delta {cell['delta']:g}" if cell["delta"] else ""),
            f"{cell['calls']:,}",
            f"{cell['limit'] / cell['epsilon']:.1%}",
            f"{cell['measure'] / cell['epsilon']:.1%}",
            f"{cell['measure'] / cell['limit']:.1%}" if cell["limit"] > 0 else "",
            f"{cell['required']:.0%}" if cell.get("required") else "not judged",
        )
        for cell in result["cells"]
    ]
    return (
        f"**Tightness of `measure`** (median of {len(result['cells'][0]['bounds'])} runs at alpha {result['alpha']:g}; "
        f"the limit is what the most powerful test reaches that knows both laws; {_command(result)}):\n\n"
        + _table(("law", "calls", "limit / truth", "measure / truth", "of the limit", "required"), rows)
    )


def speed(result: dict[str, Any]) -> str:
    """Calls to a refutation, and processor seconds."""
    refuted = [
        (
            f"half-scale Laplace, alpha {r['alpha']:g}",
            f"refuted in {r['median']:,.0f} calls (median)",
            f"{r['limit']:,}",
        )
        for r in result["refutations"]
    ]
    costs = [
        (f"{c['door']}, 200,000 {c['outputs']} outputs", f"{c['own_seconds']:.3f} s of its own", f"{c['limit']:g}")
        for c in result["processor_seconds"]
        if c["limit"]
    ]
    imports = [
        (f"`import {name}`", f"{sorted(some)[len(some) // 2]:.3f} s", "0.5" if name == "dpcheck" else "")
        for name, some in result["import_seconds"].items()
    ]
    rows = [*refuted, *costs, *imports]
    return f"**Speed** ({_command(result)}):\n\n" + _table(("what", "measured", "at most"), rows)


def verdicts(result: dict[str, Any]) -> str:
    """Verdicts on the zoo and on real learners."""
    rows = [
        (
            str(cell["name"]),
            "correct" if cell["correct"] else "broken",
            ", ".join(f"{name} {count}" for name, count in cell["statuses"].items()),
            f"{cell['median_calls']:,.0f}" if cell["median_calls"] else "",
        )
        for cell in result["cells"]
    ]
    return f"**Verdicts** on fresh seeds at alpha {result['alpha']:g} ({_command(result)}):\n\n" + _table(
        ("learner", "is", "verdicts", "calls (median)"), rows
    )


def peers(result: dict[str, Any]) -> str:
    """dpcheck and its peers on the same pairs, with the same number of outputs."""
    cells = {(cell["mechanism"], cell["tool"]): cell for cell in result["cells"]}
    tools = list(dict.fromkeys(cell["tool"] for cell in result["cells"]))
    most = max(int(cell["runs"]) for cell in result["cells"])

    def median(mechanism: str, tool: str) -> str:
        cell = cells.get((mechanism, tool))
        if cell is None:
            return "not run"
        return f"{cell['median']:.2f}" + (f" ({cell['runs']})" if cell["runs"] < most else "")

    rows = [
        (
            row["mechanism"] + ("" if row["correct"] else " (broken)"),
            f"{row['truth']:.3g}" if isinstance(row["truth"], float) else str(row["truth"]),
            *(median(row["mechanism"], tool) for tool in tools),
            "yes" if row["passed"] else f"no: {row['required']:.2f}",
        )
        for row in result["rows"]
    ]
    broken = [row["mechanism"] for row in result["rows"] if not row["correct"]]

    def caught(tool: str) -> str:
        here = [cells[name, tool] for name in broken if (name, tool) in cells]
        return f"{sum(2 * cell['rejected'] > cell['runs'] for cell in here)} of {len(here)}"

    def wrong(tool: str) -> str:
        here = [cell for cell in result["cells"] if cell["tool"] == tool]
        return f"{sum(cell['above_truth'] for cell in here)} of {sum(cell['runs'] for cell in here)}"

    def seconds(tool: str) -> str:
        return f"{max(cell['seconds'] for cell in result['cells'] if cell['tool'] == tool):.1f}"

    rows.append(("broken ones found", "", *map(caught, tools), ""))
    rows.append(("bounds above the truth", "", *map(wrong, tools), ""))
    rows.append(("seconds, slowest row", "", *map(seconds, tools), ""))
    versions = ", ".join(version for version in result["peers"].values() if version != "not run")
    seeds = sorted({str(cell["seed"]) for cell in result["cells"]})
    return (
        f"**Peers** ({versions}; claim epsilon = 1, the pair given, {result['outputs']:,} outputs for each audit, "
        f"learning included, alpha {result['alpha']:g}): medians of `epsilon_lower` over {most} runs, in brackets over "
        "fewer. jax-privacy, statdp and the histogram were given a score for vectors, one-directional tools the better "
        "direction; tools that only reject an epsilon are asked along a grid. Seconds are the processor's, drawing "
        "included. The last column is whether dpcheck reaches the best peer and its own floor, else what they are"
        + (f". Not run: {', '.join(result['not_run'])}" if result["not_run"] else "")
        + f" (`python benchmarks/against_peers.py`, seed {', '.join(seeds)}):\n\n"
        + _table(("mechanism", "true", *tools, "reached"), rows)
    )


def theorems(result: dict[str, Any]) -> str:
    """What is known of each paper's proof lines, and how long it takes to check all of it."""
    rows = []
    for paper in result["papers"]:
        shown, whole = paper["shares"], paper["counted"]
        repaired = sum(count for status, count in paper["repairs"].items() if status != "UNDECIDED")
        rows.append(
            (
                paper["paper"],
                str(len(paper["results"])),
                str(whole),
                f"{shown['PROVED'] / whole:.0%}",
                f"{shown['ARGUED'] / whole:.0%}",
                f"{shown['HOLDS ON INSTANCES'] / whole:.0%}",
                f"{shown['CITED'] / whole:.0%}",
                f"{shown['UNDECIDED'] / whole:.0%}",
                f"{shown['REFUTED']} ({repaired} repaired)",
                str(paper["refuted_statements"]),
            )
        )
    formulas = sum(paper["formulas"] for paper in result["papers"])
    return (
        f"**Theorems** ({_command(result).rpartition(',')[0]}): {formulas:,} formulas; all certificates and "
        f"enumerations again in {result['recheck']:.0f} s; {result['second']['steps']} lines encoded twice, "
        f"{len(result['second']['disagreements'])} disagreements, all resolved.\n\n"
        + _table(
            (
                "paper", "results", "lines", "proved", "argued", "on instances", "cited", "undecided", "refuted lines",
                "refuted statements",
            ),
            rows,
        )
    )  # fmt: skip


def reality(result: dict[str, Any]) -> str:
    """What came of each paper's claims where they were run: shares of the words, a paper a row."""
    rows = []
    for paper in result["papers"]:
        counts = {one["word"]: one["count"] for one in paper["outcomes"]}
        whole = sum(counts.values())
        if not whole:
            continue
        asymptotic = f"{counts.get('compatible', 0)} / {counts.get('not compatible', 0)}"
        contradicted = f"{_share(counts, 'contradicted', whole)} ({paper['explained']} by its errata)"
        slacks = paper["slacks"]
        slack = f"{slacks[len(slacks) // 2]:.3g} ({slacks[0]:.3g} to {slacks[-1]:.3g})" if slacks else ""
        rows.append(
            (
                paper["paper"],
                str(whole),
                _share(counts, "holds", whole),
                contradicted,
                _share(counts, "not reachable", whole),
                _share(counts, "undecided", whole),
                asymptotic,
                _share(counts, "says nothing", whole),
                slack,
            )
        )
    if not rows:
        return ""
    level = "quick, " if result["quick"] else ""
    as_expected = sum(one["as_expected"] for one in result["learners"])
    return (
        f"**Claims where they were run** (`{result['command']}`, {level}{result['seconds'] / 60:.0f} min on one core): "
        f"audits of {as_expected} of {len(result['learners'])} learners are as expected."
        + _left(result["papers"])
        + "\n\n"
        + _table(
            (
                "paper", "claims run", "hold", "contradicted", "not reachable", "undecided",
                "orders compatible / not", "says nothing", "slack, median (range)",
            ),
            rows,
        )
    )  # fmt: skip


def _left(papers: Sequence[dict[str, Any]]) -> str:
    """What has no column: claims that were not run, checks that could not be made, entries of which nothing is said."""
    counts = dict.fromkeys(("not run", "failed"), 0)
    for one in (one for paper in papers for one in paper["outcomes"] if one["word"] in counts):
        counts[one["word"]] += one["count"]
    silent = sum(len(paper["uncovered"]) for paper in papers)
    told = (
        (counts["not run"], "Not run"),
        (counts["failed"], "Checks that could not be made"),
        (silent, "Entries of which nothing is said"),
    )
    return "".join(f" {words}: {count}." for count, words in told if count)


def _share(counts: dict[str, int], word: str, whole: int) -> str:
    return f"{counts[word]} ({counts[word] / whole:.0%})" if counts.get(word) else "0"


def _runs_of_peers(rows: list[dict[str, Any]]) -> str:
    runs = next(row["runs of peers"] for row in rows if row["title"] == "tight")
    return ", ".join(f"{count} for {peer.replace('_', '-')}" for peer, count in runs.items())


def one_run(result: dict[str, Any]) -> str:
    """What one run certifies, beside jax-privacy, and how often it is wrong."""
    rows = result["rows"]
    kept = [row for row in rows if row["title"] in ("boundary", "worst")]
    most = max(row["accused"] / row["runs"] for row in kept)
    above = max(max(row["epsilon above"], row["parameter above"]) / row["runs"] for row in kept)
    broken = [row for row in rows if row["title"] == "unsound"]
    told = "; ".join(f"{row['learner']}: {row['accused'] / row['runs']:.0%}" for row in broken)

    unsound = result.get("unsound methods", [])

    def of_peer(row: dict[str, Any], peer: str, *, curve: bool) -> str:
        named = row["peer"]
        own = {name: one for name, one in named.items() if name.startswith(f"{peer}: ") and ("f-DP," in name) == curve}
        found = [bound for name, bound in own.items() if name not in unsound]
        if not found:
            return "unsound" if own else "-"
        ours = row["ours"][str(row["runs of peers"][peer])]["mu-GDP" if curve else "epsilon, delta"]
        return f"{max(found):.2f} ({ours:.2f})"

    table = [
        [
            row["way"],
            f"{row['canaries']:,}",
            f"{row['truth']:.2f}",
            f"{row['epsilon, delta']:.2f}",
            of_peer(row, "jax_privacy", curve=False),
            of_peer(row, "opake", curve=False),
            f"{row['mu-GDP']:.2f}",
            f"{row['half of it claimed']:.2f}, {row['twice of it claimed']:.2f}",
            f"{row['best']:.2f}",
            of_peer(row, "jax_privacy", curve=True),
            of_peer(row, "opake", curve=True),
            of_peer(row, "privacy_guard", curve=True),
        ]
        for row in rows
        if row["title"] == "tight"
    ]
    headings = [
        "mu",
        "canaries",
        "epsilon",
        "as (epsilon, delta)",
        "jax-privacy",
        "opake",
        "as mu-GDP",
        "half, twice the mu claimed",
        "best number of guesses",
        "jax-privacy, f-DP",
        "opake, f-DP",
        "PrivacyGuard, our guesses",
    ]
    empty = [place for place in range(len(headings)) if all(row[place] == "-" for row in table)]
    headings = [heading for place, heading in enumerate(headings) if place not in empty]
    table = [[cell for place, cell in enumerate(row) if place not in empty] for row in table]
    head = (
        "**One run** (scores normal with mu between canaries in and out, alpha 0.05, delta 1e-5: medians of the "
        "epsilon that is certified, the claim being the truth; peers by the best of their ways that was not seen to be "
        "unsound, in brackets what is certified here of the same runs, as the same kind of claim: of "
        f"{_runs_of_peers(rows)}; "
        f"{_command(result)}):"
    )
    intervals = ", no interval of a row lies above alpha" if all(row["holds"] for row in kept) else ""
    tail = (
        f"At the boundary, {len(kept)} rows of {kept[0]['runs']:,} audits each, at most {most:.1%} "
        f"accuse and {above:.1%} certify more than the truth (alpha: 5%{intervals}). "
        f"What the theorems forbid breaks them: {told}."
    )
    at_boundary = [row for row in rows if row["title"] == "peers"]
    for name in unsound:
        of_method = [row for row in at_boundary if name in row["above"]]
        worst = max(of_method, key=lambda row, name=name: row["above"][name] / row["runs"])  # type: ignore[misc]
        tail += (
            f" Of {worst['learner']} {name.replace('_', '-')} certifies more than the truth in "
            f"{worst['above'][name] / worst['runs']:.0%} of runs."
        )
    return f"{head}\n\n{_table(headings, table)}\n{tail}\n"


def white_box(result: dict[str, Any]) -> str:
    """Which mistakes of trainings the white box names, beside one run, and how often a correct one is accused."""
    rows, family = result["trainings"], result["family"]
    correct = [row for row in rows if not row["broken"]]
    broken = [row for row in rows if row["broken"]]
    runs = sum(row["white box"]["runs"] for row in correct)
    accused = sum(row[door]["accused"] for row in correct for door in ("white box", "one run"))
    table = []
    for premise in dict.fromkeys(row["broken"] for row in broken):
        own = [row for row in broken if row["broken"] == premise]
        table.append(
            [
                premise,
                str(len(own)),
                *(
                    f"{sum(row[door]['named'] for row in own)} of {sum(row[door]['runs'] for row in own)}"
                    for door in ("white box", "one run")
                ),
                f"{max(row['white box']['seconds'] for row in own):.1f}",
                ", ".join(row["training"] for row in own),
            ]
        )
    head = (
        f"**White box** ({len(correct)} correct trainings and {len(broken)} with a mistake, at defaults; one run sees "
        f"large leaks of the output only; {_command(result)}):"
    )
    tail = (
        f"Of {runs} audits of correct trainings, and {family['runs']} of ones drawn at random, "
        f"{accused + family['accused']} are accused ({family['statuses'].get('inconclusive', 0)} of those drawn are "
        "inconclusive: their records are too small to be clipped)."
    )
    headings = ["mistake in", "trainings", "named by the white box", "by one run", "CPU s, at most", "which"]
    return f"{head}\n\n{_table(headings, table)}\n{tail}\n"


PARTS: dict[str, Callable[[dict[str, Any]], str]] = {
    "false_alarms": false_alarms,
    "tightness": tightness,
    "speed": speed,
    "verdicts": verdicts,
    "peers": peers,
    "one_run": one_run,
    "white_box": white_box,
    "theorems": theorems,
    "index": reality,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Rewrite the page's numbers, or check them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 when the numbers are stale")
    given = parser.parse_args(arguments)
    now = PAGE.read_text(encoding="utf-8")
    then = written(now, ROOT / "reports")
    if given.check:
        if now != then:
            print(
                "docs/benchmarks.md: stale; to write it from reports/*.json: python benchmarks/numbers_of_benchmarks.py"
            )
        return int(now != then)
    PAGE.write_text(then, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
