"""``dpcheck theorems``: the papers' results, what is known of each step, and their bounds as numbers."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import completion
from dpcheck.cli import options as opt
from dpcheck.cli.failures import complain
from dpcheck.cli.theorem_shown import ALL, check_step, result_tree, styled, whole
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.report.exit_status import Exit

if TYPE_CHECKING:
    from rich.table import Table
    from rich.tree import Tree

    from dpcheck.proof.bounds import Bound
    from dpcheck.proof.recheck import Rechecked
    from dpcheck.proof.registry import Registry
    from dpcheck.proof.statement import Paper, Status, Theorem
    from dpcheck.proof.status import PartResult, TheoremResult

FILE_WIDTH = 130


def theorems(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        opt.argument(
            "[ID] [NAME=VALUE...]",
            "One result: PAPER:lem-3.3, or lem-3.3 if one paper has it; values for --evaluate and --solve.",
            completion.theorems,
        ),
        opt.NO_SETTING,
    ] = None,
    paper: Annotated[
        str | None, opt.option(None, "Only this paper.", "--paper", metavar="NAME", completes=completion.papers)
    ] = None,
    status: Annotated[
        str | None,
        opt.option(
            None,
            "Only steps and results of this status: refuted, proved, ...",
            "--status",
            metavar="WORD",
            completes=completion.statuses,
        ),
    ] = None,
    step: Annotated[
        str | None,
        opt.option(
            None,
            f"With an ID: this line of its proof with its formulas, its derivation and who agrees; {ALL} for every "
            "line. Without it a long proof is shown by its lines.",
            "--step",
            metavar="LABEL",
        ),
    ] = None,
    evaluate: Annotated[
        bool,
        opt.flag(
            None,
            "Evaluate its bounds, by the paper's letters or the names here: --evaluate alpha=0.1 beta=0.05 epsilon=1 "
            "vc=3. What may be either is refused; `dpcheck theorems ID` shows both.",
            "--evaluate",
        ),
    ] = False,
    solve: Annotated[
        str | None,
        opt.option(
            None,
            "Solve its bounds for a variable: --solve accuracy --given public=10000 ...",
            "--solve",
            metavar="VARIABLE",
        ),
    ] = None,
    given: Annotated[bool, opt.flag(None, "Before the values that --solve is given.", "--given")] = False,
    witness: Annotated[
        bool, opt.flag(None, "Evaluate each refuted line again where it fails, exactly.", "--witness")
    ] = False,
    recheck: Annotated[
        bool,
        opt.flag(
            None,
            "Replay every certificate with the separate checker and run every enumeration again; status 1 if "
            "one does not replay or is not what is kept.",
            "--recheck",
        ),
    ] = False,
    prove: Annotated[
        bool,
        opt.flag(None, "Search for certificates, run enumerations that are missing or stale; keep them.", "--prove"),
    ] = False,
    compare: Annotated[
        bool,
        opt.flag(None, "Upper against lower bounds, where a paper calls them tight or nearly matching.", "--compare"),
    ] = False,
    plot: Annotated[
        Path | None,
        opt.option(None, "With --compare: draw the ratios (needs dpcheck[plot]).", "--plot", metavar="FILE.svg"),
        opt.A_FILE,
    ] = None,
    export: Annotated[
        str | None,
        opt.option(
            None,
            "Write formulas with their proofs for another checker, coq, into the directory --to.",
            "--export",
            metavar="coq",
        ),
    ] = None,
    to: Annotated[
        Path | None,
        opt.option(None, "With --export: a new or empty directory.", "--to", metavar="DIRECTORY"),
        opt.A_FILE,
    ] = None,
    strict: Annotated[
        bool,
        opt.flag(
            None,
            "Status 1 when a line or statement is refuted, or stands against its erratum, and 3 when one is not "
            "decided. One that has an erratum and, beside it, what holds instead (decided) is known, and passes.",
            "--strict",
        ),
    ] = False,
    allow_inconclusive: Annotated[
        bool, opt.flag(None, "With --strict: let what is not decided pass.", "--allow-inconclusive")
    ] = False,
    json_out: Annotated[bool, opt.flag(None, "Print records as JSON.", "--json")] = False,
    module: Annotated[
        Path | None,
        opt.option(None, "A module of your own that declares a PAPER.", "--from", metavar="FILE"),
        opt.A_FILE,
    ] = None,
    jobs: opt.Jobs = 1,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """List the papers' results, and say of each statement and proof step what the machine knows.

    A step is PROVED where its formulas are the line, or a derivation leads to it from laws and events, and all
    certificates were just replayed by a separate checker; ARGUED where words lead from proved formulas to it; REFUTED
    at a point that was evaluated exactly, HOLDS on a complete finite family, CITED from another paper, VACUOUS, or
    UNDECIDED. Each result has three statuses: of its statement, of its printed proof, of the repaired proof.

    None of these changes the exit status, unless --strict.
    """
    from dpcheck.cli.documents import put
    from dpcheck.cli.file_names import check_name
    from dpcheck.cli.nothing_given import refuse_unread
    from dpcheck.cli.settings import typed_options
    from dpcheck.proof.registry import Registry

    ids = [name for name in names or [] if "=" not in name]
    values = _assignments(name for name in names or [] if "=" in name)
    if len(ids) > 1:
        raise InvalidArgument(f"ID must be one result, got {len(ids)}: {', '.join(ids)}")
    if values and not (evaluate or solve):
        raise InvalidArgument(f"{next(iter(values))}=... must come with --evaluate or --solve")
    if given and not solve:
        raise InvalidArgument("--given must come with --solve VARIABLE")
    if plot is not None and not compare:
        raise InvalidArgument("--plot must come with --compare")
    if to is not None and export is None:
        raise InvalidArgument("--to must come with --export coq")
    if export is not None and (json_out or status is not None):
        raise InvalidArgument("--export must come without --json and --status")
    _refuse_pairs(
        {"--step": step is not None, "--evaluate": evaluate, "--solve": solve is not None, "--compare": compare,
         "--witness": witness, "--recheck": recheck, "--prove": prove, "--export": export is not None}
    )  # fmt: skip
    if not (recheck or prove):
        refuse_unread(typed_options(context), ("jobs",), needs="--recheck or --prove")
    if status is not None and (evaluate or solve or compare or witness):
        raise InvalidArgument("--status must come without --evaluate, --solve, --compare and --witness")
    if step is not None and (not ids or json_out or witness):
        raise InvalidArgument("--step must come with an ID, and without --json and --witness")
    if strict and (status is not None or evaluate or solve or compare or export is not None):
        raise InvalidArgument("--strict must come without --status, --evaluate, --solve, --compare and --export")
    if not strict:
        refuse_unread(typed_options(context), ("allow_inconclusive",), needs="--strict")
    if status is not None and ids:
        raise InvalidArgument("--status must come without an ID")
    wanted = None if status is None else _status(status)
    if module is not None:
        check_name("--from", module)
    registry = Registry(module)
    chosen = [registry.paper(paper)] if paper is not None else list(registry.papers.values())
    if module is not None and paper is None:
        chosen = chosen[-1:]
    if ids:
        whole = f"{paper}:{ids[0]}" if paper is not None and ":" not in ids[0] else ids[0]
        owner, theorem = registry.find(whole)
        if paper is not None and owner.key != paper:
            raise InvalidArgument(f"--paper must be the paper of the ID, {owner.key}, or left out, got {paper}")
        chosen = [owner]
    else:
        theorem = None
    if compare:
        from dpcheck.cli.measure_command import check_plot
        from dpcheck.cli.theorems_tightness import compare_bounds

        check_plot(plot)
        compare_bounds(registry, chosen, theorem, plot=plot, as_json=json_out)
        return
    if export is not None:
        from dpcheck.cli.theorems_export import export as write_files

        with _Progress("replaying certificates", quiet) as tell:
            for owner in chosen:
                registry.evaluations[owner.key].on_claim = lambda _: tell()
            write_files(registry, chosen, theorem, export, to)
        return
    if evaluate or solve:
        if theorem is None:
            raise InvalidArgument(
                "ID must say which result's bounds are meant: dpcheck theorems alon2019:thm-3.1 --evaluate ..."
            )
        _bounds_of(theorem, values, solve, json_out)
        return
    if prove:
        _prove(registry, chosen, theorem, quiet, module, jobs)
        registry = Registry(module)
        chosen = [registry.papers[owner.key] for owner in chosen]
    rechecked = _recheck(registry, chosen, quiet, module, jobs) if recheck else {}
    results = _evaluated(registry, chosen, theorem, quiet, everything=recheck)
    if wanted is not None:
        results = [pair for pair in results if _matches(pair[1], wanted)]
        if not results:
            complain(f"no result or step here is {wanted.name}")
            raise typer.Exit(Exit.NOTHING_TO_CHECK)
    if json_out:
        import json

        from dpcheck.proof.records import theorem_record

        put(json.dumps([theorem_record(owner, result) for owner, result in results], indent=1) + "\n")
    elif witness:
        _show_witnesses(results)
    elif theorem is not None:
        own = f" --from {shlex.quote(str(module))}" if module is not None else ""
        check_step(step, results[0][1])
        _print(result_tree(*results[0], registry, step, f"dpcheck theorems {theorem.id}{own}"))
    else:
        for owner in chosen:
            of_paper = [result for where, result in results if where is owner]
            _print(_listed(owner, of_paper, registry, module))
    if recheck:
        _say_rechecked(rechecked)
    if strict:
        raise typer.Exit(_gate(registry, results, None if theorem is not None else chosen, allow_inconclusive, quiet))


def _gate(
    registry: Registry,
    results: Sequence[tuple[Paper, TheoremResult]],
    whole_papers: Sequence[Paper] | None,
    allow_inconclusive: bool,
    quiet: bool,
) -> Exit:
    """Say on standard error what does not pass, and the exit status; without whole papers, of the results alone."""
    from dpcheck.proof.gate import judged

    steps = (
        [step for _, result in results for step in result.steps]
        if whole_papers is None
        else [registry.evaluations[paper.key].step(step.label) for paper in whole_papers for step in paper.steps]
    )
    found = judged(steps, [result for _, result in results])
    for one in found.objections:
        complain(f"{one.where} {one.words}")
    if not found.lines + found.statements:
        complain("--strict has nothing to judge: no line and no statement but definitions")
        return Exit.NOTHING_TO_CHECK
    refuted = sum(one.decided for one in found.objections)
    open_ones = len(found.objections) - refuted
    if not quiet:
        lines = f"{found.lines} line{'s' * (found.lines != 1)}"
        statements = f"{found.statements} statement{'s' * (found.statements != 1)}"
        known = f"{found.known} known by an erratum with what holds instead"
        complain(f"strict: of {lines} and {statements} {refuted} fail, {open_ones} not decided, {known}")
    if refuted:
        return Exit.NOT_AS_EXPECTED
    return Exit.INCONCLUSIVE if open_ones and not allow_inconclusive else Exit.AS_EXPECTED


def _refuse_pairs(options: Mapping[str, bool]) -> None:
    """Refuse two options that each ask for another answer."""
    given = [name for name, on in options.items() if on]
    if len(given) > 1 and given != ["--witness", "--recheck"]:
        raise InvalidArgument(f"{given[0]} and {given[1]} must not come together: they ask for different things")


def _assignments(texts: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if not name or not value:
            raise InvalidArgument(f"a value is NAME=NUMBER, such as accuracy=0.1, got {text!r}")
        if name in found:
            raise InvalidArgument(f"{name} must be given once, got {found[name]} and {value}")
        found[name] = value
    return found


def _status(word: str) -> Status:
    from dpcheck.proof.statement import Status

    known = {member.name.lower(): member for member in Status}
    found = known.get(word.lower().split(" ")[0])
    if found is None:
        raise InvalidArgument(f"--status must be one of {', '.join(known)}, got {word!r}{nearest(word.lower(), known)}")
    return found


def _matches(result: TheoremResult, wanted: Status) -> bool:
    return wanted in (result.status, result.proof, result.repaired, *(step.status for step in result.steps))


def _evaluated(
    registry: Registry, papers: list[Paper], theorem: Theorem | None, quiet: bool, everything: bool
) -> list[tuple[Paper, TheoremResult]]:
    from dpcheck.proof.status import claims_of

    found = []
    with _Progress("replaying certificates", quiet) as tell:
        if theorem is None:
            tell(sum(len(claims_of(paper)) for paper in papers))
        for paper in papers:
            evaluation = registry.evaluations[paper.key]
            evaluation.on_claim = lambda _: tell()
            ids = [theorem.id] if theorem is not None else [entry.id for entry in paper.theorems]
            found += [(paper, evaluation.theorem(id)) for id in ids]
            if everything:
                for step in paper.steps:
                    evaluation.step(step.label)
    return found


class _Progress:
    """A bar on standard error, where that is a terminal; it says how many certificates were replayed."""

    def __init__(self, words: str, quiet: bool) -> None:
        self.words, self.shown = words, not quiet and sys.stderr.isatty()
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Any:
        if self.shown:
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task(self.words, total=None)
        return self.step

    def step(self, total: int | None = None, done: int = 1) -> None:
        """One more is done, or several; with a total, so many there are in all."""
        if self.bar is not None:
            if total is None:
                self.bar.advance(self.task, done)
            else:
                self.bar.update(self.task, total=total)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()


def _prove(
    registry: Registry, papers: list[Paper], theorem: Theorem | None, quiet: bool, module: Path | None, jobs: int
) -> None:
    from dpcheck.proof.certificate_search import find_certificates
    from dpcheck.proof.enumerations import enumerations_of
    from dpcheck.proof.recheck import keep_enumerations
    from dpcheck.proof.status import claims_of_theorem

    for paper in papers:
        registry.evaluations[paper.key].store.check_writable()  # before hours of search
    for paper in papers:
        evaluation = registry.evaluations[paper.key]
        asked = None if theorem is None else claims_of_theorem(paper, theorem)
        with _Progress("searching for proofs", quiet) as tell:
            count = find_certificates(evaluation, asked, on_claim=lambda *_: tell())
        functions = enumerations_of(paper, theorem)
        with _Progress("running enumerations", quiet) as tell:
            run = keep_enumerations(registry, paper, functions, extra=module, jobs=jobs, on_done=lambda _: tell())
        if not quiet:
            words = f"searched for {count} certificates of {paper.key}" + (f", ran {run} enumerations" if run else "")
            print(f"dpcheck: {words}", file=sys.stderr)


def _recheck(
    registry: Registry, papers: list[Paper], quiet: bool, module: Path | None, jobs: int
) -> dict[str, Rechecked]:
    from dpcheck.proof.enumerations import enumerations_of
    from dpcheck.proof.recheck import recheck
    from dpcheck.proof.status import claims_of

    with _Progress("replaying certificates, running enumerations", quiet) as tell:
        tell(sum(len(claims_of(paper)) + len(enumerations_of(paper)) for paper in papers))
        return recheck(registry, papers, extra=module, jobs=jobs, on_done=lambda many: tell(None, many))


def _print(drawn: Table | Tree) -> None:
    from dpcheck.cli.documents import show_drawn

    show_drawn(drawn, least_width=FILE_WIDTH)


def _listed(paper: Paper, results: list[TheoremResult], registry: Registry, module: Path | None) -> Table:
    from rich.table import Table

    from dpcheck.proof.status import shares

    table = Table(title=f"{paper.key}: {paper.title}")
    table.add_column("id", no_wrap=True)
    table.add_column("what it says", overflow="fold")
    table.add_column("statement", no_wrap=True)
    table.add_column("printed proof", no_wrap=True)
    table.add_column("repaired", no_wrap=True)
    table.add_column("steps", justify="right", no_wrap=True)
    for result in results:
        proof, repaired = result.proof.value, result.repaired.value
        table.add_row(
            result.theorem.id.partition(":")[2] or result.theorem.id,
            result.theorem.title,
            styled(result.status.value),
            styled(proof),
            styled(repaired if repaired != proof else "as printed"),
            str(len(result.steps) or ""),
        )
    counts = shares(registry.evaluations[paper.key].step(step.label) for step in paper.steps)
    whole = sum(counts.values())
    words = [f"{count} {status.value.lower()}" for status, count in counts.items() if count]
    shown = next((result for result in results if result.steps), None)
    if whole and shown is not None:
        own = f" --from {module}" if module is not None else ""
        table.caption = f"{whole} steps: {', '.join(words)}. One result: dpcheck theorems {shown.theorem.id}{own}"
    return table


def _show_witnesses(results: list[tuple[Paper, TheoremResult]]) -> None:
    from dpcheck.cli.documents import put_words

    lines: list[str] = []
    for _, result in results:
        if result.against is not None and result.status.value == "REFUTED":
            lines += [f"{result.theorem.id}: statement REFUTED", *_witness_lines(result.against)]
        for step in result.steps:
            if step.status.value == "REFUTED":
                lines += [f"{result.theorem.id} {step.step.label}: REFUTED", *_witness_lines(step.printed)]
    put_words("\n".join(lines or ["nothing is refuted here"]) + "\n")


def _witness_lines(part: PartResult) -> list[str]:
    lines = []
    for found in part.claims:
        if found.status.value == "REFUTED":
            point = ", ".join(f"{name} = {value}" for name, value in (found.witness or {}).items())
            lines += [f"  fails: {whole(found)}", f"    {f'at {point}: ' if point else ''}{found.words}"]
    lines += [f"  the opposite is proved: {whole(found)}" for found in part.against]
    if part.witness is not None:
        cases = "case" if part.witness.count == 1 else "cases"
        lines.append(f"  computed exactly ({part.witness.count:,} {cases}): {part.witness.family}")
    return lines


def _say_rechecked(rechecked: Mapping[str, Rechecked]) -> None:
    from dpcheck.proof.statement import Status

    trouble = []
    for key, found in rechecked.items():
        missing = [result for result in found.claims if result.open]
        replayed = sum(result.status is not Status.UNDECIDED for result in found.claims)
        there = len(found.claims) - len(missing)
        words = f"{key}: {replayed} of {there} certificates replayed in {found.replay_seconds:.1f} s"
        if missing:
            words += f" ({len(missing)} formulas are open: neither proved nor refuted)"
        if found.computed or found.differing:
            words += f", {len(found.computed)} enumerations computed in {found.seconds:.1f} s"
        if found.unkept:
            words += f" ({found.unkept} of them not kept, or of other source: `dpcheck theorems --prove` keeps them)"
        print(words, file=sys.stderr)
        trouble += [
            f"{result.claim.claim}: {result.words}"
            for result in found.claims
            if result.status is Status.UNDECIDED and not result.open
        ]
        trouble += found.differing
    for line in trouble:
        print(f"dpcheck: {line}", file=sys.stderr)
    if trouble:
        raise typer.Exit(1)


def _bounds_of(theorem: Theorem, values: Mapping[str, str], unknown: str | None, as_json: bool) -> None:
    import json

    from dpcheck.cli.documents import put, put_words
    from dpcheck.proof.bounds import evaluate, latex, solve
    from dpcheck.proof.letters import names_given

    bounds = theorem.bounds() if theorem.bounds else ()
    if not bounds:
        raise InvalidArgument(f"{theorem.id} has no explicit bound to evaluate")
    owner = theorem.id.partition(":")[0]
    if unknown and unknown in values:
        raise InvalidArgument(f"--solve {unknown} must come without a value of {unknown}, got {values[unknown]}")
    named = names_given(bounds, owner, {**values, **({unknown: ""} if unknown else {})})
    if unknown:
        unknown = next(name for name, value in named.items() if not value)
        del named[unknown]
    _refuse_values(bounds, named)
    records: list[dict[str, Any]] = []
    lines: list[str] = []
    refusals = []
    for bound in bounds:
        wanted = set(bound.variables) | ({bound.size} if unknown else set())
        usable: dict[str, Any] = {name: value for name, value in named.items() if name in wanted}
        if unknown and unknown not in (bound.size, *bound.variables):
            continue
        try:
            answer: object
            if unknown:
                answer = solve(bound, for_=unknown, **usable)
                words = f"{unknown} = {answer}"
            else:
                answer = evaluate(bound, **usable)
                words = f"{bound.size} {'>' if bound.strict else '>='} {answer}"
        except InvalidArgument as error:
            refusals.append(str(error))
            continue
        lines += [f"{words}   ({bound.sense}; {bound.expression})", f"  {bound.derivation}", f"  LaTeX: {latex(bound)}"]
        records.append(
            {
                "source": bound.source,
                "sense": bound.sense,
                "variable": unknown or bound.size,
                "value": str(answer),
                "size": bound.size,
                "strict": bound.strict,
                "given": {name: str(value) for name, value in usable.items()},
                "expression": str(bound.expression),
                "derivation": bound.derivation,
                "latex": latex(bound),
            }
        )
    if not records:
        raise InvalidArgument(refusals[0])
    if as_json:
        put(json.dumps(records, indent=1) + "\n")
    else:
        put_words("\n".join(lines) + "\n")
    for line in dict.fromkeys(refusals):
        print(f"dpcheck: another bound of {theorem.id} was left out: {line}", file=sys.stderr)


def _refuse_values(bounds: Sequence[Bound], named: Mapping[str, str]) -> None:
    """Refuse a value that no bound of the result has in its range."""
    from dpcheck.proof.bounds import exact_number

    for name, value in named.items():
        number = exact_number(name, value)
        known = [bound.domain[name] for bound in bounds if name in (bound.size, *bound.variables)]
        if not any(number in one for one in known):
            raise InvalidArgument(f"{name} must be in {' or '.join(dict.fromkeys(map(str, known)))}, got {number}")
