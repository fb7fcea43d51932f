"""What to do after a verdict, as a command to copy: the command line of the audit again, with what has to change.

An audit that was not asked for on the command line is told the same as arguments of the call.
"""

from __future__ import annotations

import itertools
import math
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dpcheck.model.claims import Claim, CurveClaim, claim_point, parameter_of, parameter_reaching
from dpcheck.model.errors import ONLY_SLOW
from dpcheck.model.option_words import PROGRAMS, by_command
from dpcheck.model.verdict.parts import Status, Stop
from dpcheck.model.verdict.values import Measurement, Verdict

#: Options that stand alone; every other one is followed by its value.
FLAGS = frozenset(
    {"--exhaustive", "--dry-run", "--shrink", "--no-shrink", "--allow-inconclusive", "--quiet", "--traceback"}
)
#: Options that are followed by two values.
TWO_VALUES = frozenset({"--renyi"})
#: Options that say where results go: files of the run before are not written over.
OF_RESULTS = frozenset(
    {"--format", "--output", "--json", "--sarif", "--plot", "--quiet", "--expect", "--allow-inconclusive", "--dry-run"}
)
#: Options that are about a claim, which a measurement does not have.
OF_CLAIMS = frozenset(
    {"--epsilon", "--rho", "--mu", "--renyi", "--ratio", "--detect", "--shrink", "--no-shrink", "--exhaustive"}
    | {"--alpha", "--max-samples", "--delta"}
)
#: Options of a plan that its audit does not have, or is given anew.
OF_PLANS = frozenset(
    {
        "--coverage",
        "--power",
        "--pair-count",
        "--seconds-per-call",
        "--max-samples",
        "--max-seconds",
        "--detect",
        "--alpha",
    }
)
#: The limits of ``audit`` and ``measure`` when nothing is said.
SECONDS, CALLS = 60.0, 1_000_000
#: From so many calls on a limit of seconds allows for the audit's own work too: that of fewer is mostly its start.
WORK_SHOWS = 1000
#: What a number of calls is multiplied by where it is foretold from the calls made: twice the square root is luck.
ROOM = 1.5
#: Longer than a day is no next step: then less is to be asked for, or of smaller data.
LONGEST = 86_400.0
#: What is said of records (by ``privacy.run.domain``) where whole bounds had them drawn in whole numbers.
_WHOLE = re.compile(r"\(in whole numbers, as the bounds are: (\S+) and (\S+) have all between\)")
#: An audit of (learner, claim) goes on from its verdict only in Python.
_AGAIN = "call it again with "


@dataclass(frozen=True)
class CommandLine:
    """What was typed: the command, its targets, and its options with their values as typed."""

    command: str
    targets: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]

    def changed(self, target: str, changes: Mapping[str, str], *, command: str = "", drop: Iterable[str] = ()) -> str:
        """The line for one of its targets, with some options changed or added and those about results left out.

        >>> typed = command_line(("dpcheck", "audit", "a.py:b", "--epsilon", "1", "--json", "x.json"))
        >>> typed.changed("a.py:b", {"--max-samples": "5000"})
        'dpcheck audit a.py:b --epsilon 1 --max-samples 5000'
        """
        left_out = {*OF_RESULTS, *drop, *changes}
        kept = [part for option in self.options if option[0] not in left_out for part in option]
        added = [part for name, value in changes.items() for part in (name, value) if part]
        return shlex.join(["dpcheck", command or self.command, target, *kept, *added])


def command_line(argv: tuple[str, ...]) -> CommandLine | None:
    """The command line in the arguments of a process; None where it was another program.

    Examples
    --------
    >>> command_line(("dpcheck", "audit", "a.py:b", "--epsilon", "1", "--exhaustive")).options
    (('--epsilon', '1'), ('--exhaustive',))
    >>> command_line(("pytest", "-q"))
    """
    if len(argv) < 2 or argv[0] not in PROGRAMS or argv[1] not in ("audit", "check", "measure", "plan"):
        return None
    targets: list[str] = []
    options: list[tuple[str, ...]] = []
    rest = iter(argv[2:])
    for word in rest:
        if word == "--":
            targets += rest
        elif not word.startswith("--"):
            targets.append(word)
        elif word in FLAGS:
            options.append((word,))
        elif "=" in word:
            options.append(tuple(word.split("=", 1)))
        else:
            options.append((word, *itertools.islice(rest, 2 if word in TWO_VALUES else 1)))
    return CommandLine(argv[1], tuple(targets), tuple(options))


def _typed(verdict: Verdict) -> tuple[CommandLine, str] | None:
    """The command line of a verdict and its target as it was spelled there; None for a call from Python."""
    argv = () if verdict.record is None else verdict.record.argv
    found = command_line(argv)
    if found is not None:
        only = found.targets[0] if len(found.targets) == 1 else verdict.target
        return found, only
    if verdict.record is None or not by_command(argv):
        return None
    numerics = ("--numerics", verdict.record.numerics)
    options = (numerics,) if numerics[1] != "real" else ()
    if verdict.target.startswith(("zoo:", "learner:")):
        return CommandLine("audit", (verdict.target,), options), verdict.target
    # what a demonstration or a survey makes is no target: the options stand for those of an audit of one's own
    return CommandLine("audit", ("TARGET",), (("...",), *options)), "TARGET"


def again(verdict: Verdict, arguments: Mapping[str, str]) -> str:
    """The audit again with these arguments: as a command, or as arguments of the call where it was one.

    ``arguments`` are named as in Python (``max_samples``); their values are texts that both understand.
    """
    typed = _typed(verdict)
    if typed is None:
        said = ", ".join(f"{name}={value}" for name, value in arguments.items())
        return f"{_AGAIN}{said}" if said else "call it again"
    line, target = typed
    return line.changed(target, _options(arguments))


def _options(arguments: Mapping[str, str]) -> dict[str, str]:
    return {f"--{name.replace('_', '-')}": value for name, value in arguments.items()}


def next_steps(verdict: Verdict) -> tuple[str, ...]:
    """What to do next, the first thing first, each in one line that ends with a command or a call."""
    if verdict.stop is Stop.INTERRUPTED:
        return (f"it was interrupted; to run it to its end: {again(verdict, {})}",)
    if verdict.exact is not None and verdict.status is not Status.LEARNER_FAILED:
        return _after_exact(verdict)
    match verdict.status:
        case Status.VIOLATED:
            return _after_violation(verdict)
        case Status.LEARNER_FAILED:
            return (_after_failure(verdict),)
        case Status.INCONCLUSIVE:
            return (_after_failure(verdict),) if verdict.failure else _after_nothing_decided(verdict)
    return _after_nothing_found(verdict)


def _after_violation(verdict: Verdict) -> tuple[str, ...]:
    seen = verdict.witness
    certain = seen is not None and seen.counts.correct > 0 and seen.counts.wrong == 0
    larger = "" if certain else f", or claim a larger {parameter_of(verdict.claim)[0]}"
    return (_measured(verdict), f"fix the learner{larger}; then run it again", *_accepted(verdict))


def _measured(verdict: Verdict) -> str:
    """How large the privacy loss is: a measurement of the same learner on the same data."""
    # epsilon at delta = 0 is infinite for a Gaussian: a claim of a curve is measured where its loss is told
    delta = claim_point(verdict.claim)[1]
    typed = _typed(verdict)
    if typed is None:
        sides = () if verdict.witness is None else (verdict.witness.left, verdict.witness.right)
        # rows of (X, y), of tables and of data frames are all written as tuples: the text is no such data
        as_written = sides and not any("..." in side or "records, " in side or side.startswith("[(") for side in sides)
        at = f", delta={delta:g}" if delta else ""
        if not as_written:
            given = "with the pairs, dataset, neighbours and form of this call"
            return f"to see how large the loss is: dpcheck.measure(learner, ...{at}) {given}"
        return f"to see how large the loss is: dpcheck.measure(learner, pairs=[({', '.join(sides)})]{at})"
    line, target = typed
    changes = {"--delta": f"{delta:.6g}"} if delta else {}
    said = line.changed(target, changes, command="measure", drop=OF_CLAIMS)
    return f"to see how large the loss is: {said}"


def _accepted(verdict: Verdict) -> tuple[str, ...]:
    typed = _typed(verdict)
    if typed is None:
        return ("only where it is meant to fail (a test of the test): @pytest.mark.dpcheck(expect='violated')",)
    line, target = typed
    return (f"only where it is meant to fail (a test of the test): {line.changed(target, {})} --expect violated",)


def _after_nothing_found(verdict: Verdict) -> tuple[str, ...]:
    """What was left out: the doubles that leak, numbers between whole bounds; then a smaller loss, with its calls."""
    on_the_doubles = (_on_the_doubles(verdict),) if _bits(verdict, "floating point") else ()
    return (*on_the_doubles, *_between(verdict), *_smaller(verdict))


def _between(verdict: Verdict) -> tuple[str, ...]:
    """The same bounds with all between, where only whole numbers were tried: data is seldom of whole numbers alone.

    They are not tried unasked: 0 and 1 may mean bits, and a learner of bits promises nothing on halves.
    """
    whole = None if verdict.looked is None else _WHOLE.search(verdict.looked.records)
    if whole is None:
        return ()
    low, high = whole.groups()
    what = f"where records lie between {low} and {high} too"
    if _typed(verdict) is None:
        return (f"{what}: {_AGAIN}records=({low}, {high}) in neighbours=",)
    return (f"{what}: {again(verdict, {'bounds': f'{low},{high}'})}",)


def _bits(verdict: Verdict, kind: str) -> bool:
    """Whether the bits of its numbers were found to tell what the numbers do not."""
    return any(finding.kind == kind and "bits" in finding.detail for finding in verdict.findings)


def _on_the_doubles(verdict: Verdict) -> str:
    exact = "'exact'" if _typed(verdict) is None else "exact"
    return f"to hold the claim to the doubles that come out, to their last bit: {again(verdict, {'numerics': exact})}"


def _smaller(verdict: Verdict) -> tuple[str, ...]:
    epsilon, delta = claim_point(verdict.claim)
    reached = min(verdict.detectable_epsilon, verdict.detect)
    smaller = rounded_up(epsilon + (reached - epsilon) / 2)
    if not epsilon < smaller < reached:
        return (f"with more calls: {again(verdict, _budget(verdict, 4 * max(verdict.samples, 1000)))}",)
    calls = _calls_for(verdict, smaller)
    arguments = {"detect": f"{smaller:g}", **_budget(verdict, calls)}
    where = f"; detect is its epsilon at delta = {delta:.3g}" if isinstance(verdict.claim, CurveClaim) else ""
    said = f"{loss_in_words(verdict.claim, smaller)}{where}"
    steps = [f"to look for a smaller loss ({said}): {again(verdict, arguments)}"]
    if not isinstance(verdict.claim, CurveClaim):
        steps.append(f"to see what other losses and budgets cost: {_plan(epsilon, delta, verdict, smaller)}")
    return tuple(steps)


def _after_nothing_decided(verdict: Verdict) -> tuple[str, ...]:
    """More calls where there were too few; where the outputs are the reason, what to do about them."""
    kinds = {finding.kind for finding in verdict.findings}
    if _bits(verdict, "not looked at"):
        return (_on_the_doubles(verdict),)
    if "opaque outputs" in kinds:
        return (f"let the learner return numbers, for instance its fitted parameters; then {again(verdict, {})}",)
    if "not looked at" in kinds:
        return (f"let the learner return what can be read (numbers, arrays, text); then {again(verdict, {})}",)
    if not verdict.detectable_epsilon > verdict.detect:
        return (f"with more calls: {again(verdict, _budget(verdict, 4 * max(verdict.samples, 1000)))}",)
    epsilon, delta = claim_point(verdict.claim)
    calls = verdict.calls_needed or _calls_for(verdict, verdict.detect)
    if not calls and delta >= verdict.detectable_coverage and not isinstance(verdict.claim, CurveClaim):
        smaller = "call it again with a smaller one" if _typed(verdict) is None else again(verdict, {"delta": "1e-05"})
        return (
            f"a delta of {delta:g} lets a learner reveal all in {part_of_outputs(delta)} (are epsilon and delta in "
            f"each other's place?); to claim less: {smaller}",
        )
    if not calls:
        limit = SECONDS if verdict.record is None else verdict.record.max_seconds
        longer = {"max_seconds": f"{10 * limit:g}"} if math.isfinite(limit) else {}
        return (f"too little was seen to say how many calls it takes; with smaller data, or: {again(verdict, longer)}",)
    seconds = calls * verdict.seconds_per_call
    took = f" ({_time(seconds)})" if seconds else ""
    steps = []
    if seconds <= LONGEST:
        steps.append(
            f"to reach a loss of {loss_in_words(verdict.claim, verdict.detect)}, about {calls:,} calls{took}: "
            f"{again(verdict, _budget(verdict, calls))}"
        )
    else:
        steps.append(
            f"a loss of {loss_in_words(verdict.claim, verdict.detect)} takes about {calls:,} calls "
            f"({_time(seconds)} at the speed of these): make "
            "calls faster (less data), or ask for a larger loss: "
            f"{again(verdict, {'detect': f'{2 * verdict.detect:g}'})}"
        )
    if not isinstance(verdict.claim, CurveClaim):
        steps.append(f"to see what a budget reaches: {_plan(epsilon, delta, verdict, verdict.detect)}")
    return tuple(steps)


def _plan(epsilon: float, delta: float, verdict: Verdict, detect: float) -> str:
    """``dpcheck plan`` for this claim, at the speed of this audit's calls."""
    at = f" --delta {delta:g}" if delta else ""
    each = verdict.seconds_per_call
    speed = f" --seconds-per-call {each:.2g}" if each else ""
    return f"dpcheck plan --epsilon {epsilon:.15g}{at} --alpha {verdict.alpha:g} --detect {detect:g}{speed}"


def _after_exact(verdict: Verdict) -> tuple[str, ...]:
    exact = verdict.exact
    assert exact is not None
    if verdict.status is Status.VIOLATED:
        typed = _typed(verdict)
        claims = {"--epsilon", "--ratio", "--rho", "--mu", "--renyi"}
        if isinstance(verdict.claim, CurveClaim) or math.isinf(exact.epsilon):
            return _accepted(verdict)
        larger = f"{rounded_up(exact.epsilon):g}"
        if typed is None:
            return (f"the claim that holds on these pairs: call it again with epsilon {larger}", *_accepted(verdict))
        line, target = typed
        said = line.changed(target, {"--epsilon": larger}, drop=claims)
        return (f"the claim that holds on these pairs: {said}", *_accepted(verdict))
    if any(finding.kind == "declared law" for finding in verdict.findings):
        more = _budget(verdict, 4 * max(verdict.samples, FEWEST_HELD_AGAINST))
        return (f"to hold the law against more calls: {again(verdict, more)}",)
    typed = _typed(verdict)
    if typed is None:
        if not exact.exhaustive:
            return ("to compare all pairs of a finite domain: call it again with exhaustive=True",)
        return ("to compare larger datasets: call it again with a larger size in neighbours=",)
    line, target = typed
    given = {option[0]: option[-1] for option in line.options}
    if not exact.exhaustive and {"--records", "--size"} <= given.keys():
        return (f"to compare all pairs of these records: {line.changed(target, {'--exhaustive': ''})}",)
    if "--size" in given and given["--size"].rpartition("..")[2].isdigit():
        larger = f"{int(given['--size'].rpartition('..')[2]) + 1}"
        return (f"to compare larger datasets: {line.changed(target, {'--size': larger})}",)
    return (f"to see what its calls alone show: {line.changed(target, {}, command='measure', drop=OF_CLAIMS)}",)


#: Fewer calls than this hardly tell whether a declared law is that of the calls.
FEWEST_HELD_AGAINST = 500

#: What a failure says in dpcheck's words (a learner's own may stand beside them), and what to change then.
_CHANGES = (
    (
        "form 'table' hands over an array",
        "give data that it takes (an array: --form table; in Python form='table'), or fix the error",
    ),
    ("^It returns [^'\"]* on every dataset tried", "make it return what that gives"),
    ("on every dataset tried", "give data that it takes, or fix the error"),
    (
        "^It answers in no form of its data.*, nor of 128 or 1,024 records;",
        "make it take one of these forms, give it as many records as it wants (--size 2000..2007; in Python "
        "size=range(2000, 2008)), or name the columns of its data frame (--columns age,income --label outcome; in "
        "Python form=dpcheck.Form('frame', ['age', 'income'], 'outcome'))",
    ),
    (
        "^It answers in no form of its data",
        "make it take one of these forms, or name the columns of its data frame (--columns age,income --label outcome; "
        "in Python form=dpcheck.Form('frame', ['age', 'income'], 'outcome'))",
    ),
    (
        f"^the learner {ONLY_SLOW} ",
        "run it where the machine is less busy, and look at what it waits for while it is imported and made "
        "(DPCHECK_IMPORT_SECONDS sets another limit)",
    ),
    (
        "of the processor's time",
        "do less while it is imported and made, or give it more than DPCHECK_IMPORT_SECONDS (120 when nothing is said)",
    ),
    ("only grows from call to call", "leave the time, and what counts calls, out of the output"),
    ("for the whole process", "give the function of your own another name"),
    (
        "runs are not fresh|runs are fresh|be taken for fresh",
        "draw all noise anew in each call, from the rng it is given, and keep nothing (what is random and public, as "
        "a hash is, needs a seed that is fixed)",
    ),
    ("^sample (raised|must|and)|its sample (does|must)", "fix sample or calls, or leave its sample out"),
)
_BY_HAND = "call it by hand on the dataset above (with less data if memory ran out), fix it"


def _change(failure: str) -> tuple[str, dict[str, str]]:
    """What to change, by what went wrong, and the arguments with which to run it again."""
    if limit := re.search(r"no sign of life for (\d+(?:\.\d+)?(?:e[+-]?\d+)?) s(?! of the proc)", failure):
        change = (
            "if it is only slow, give it smaller data (sizes can be declared: --size 1..8; in Python size=range(1, 9) "
            "of the relation) or more time"
        )
        return change, {"call_timeout": f"{10 * float(limit[1]):g}"}
    if least := re.search(r"max_samples of at least ([\d,]+)", failure):
        return "to see which it is", {"max_samples": least[1].replace(",", "")}
    words = (change for said, change in _CHANGES if re.search(said, failure, re.IGNORECASE))
    return next(words, _BY_HAND), {}


def _after_failure(verdict: Verdict) -> str:
    words, arguments = _change(verdict.failure)
    typed = _typed(verdict)
    if words is _BY_HAND and re.search(r"\bits distribution\b", verdict.failure):
        if typed is None:
            return "fix distribution or calls, or audit the calls alone: dpcheck.audit(dpcheck.by_calls(learner), ...)"
        line, target = typed
        calls = line.changed(target, {}, command="measure", drop=OF_CLAIMS)
        return f"fix distribution or calls; to see what its calls alone show: {calls}"
    return f"{words}{':' if arguments else '; then'} {again(verdict, arguments)}"


def next_steps_of_measurement(measured: Measurement) -> tuple[str, ...]:
    """What to do after a measurement."""
    line = command_line(measured.argv)
    more = 4 * max(measured.samples, 1000)
    if measured.failure:
        words, arguments = _change(measured.failure)
        if line is None:
            once_more = " ".join(["measure it again", *(f"with {name}={value}" for name, value in arguments.items())])
        else:
            target = line.targets[0] if line.targets else measured.target
            once_more = line.changed(target, _options(arguments))
        return (f"{words}{':' if arguments else '; then'} {once_more}",)
    if line is None:
        return (
            f"for a larger bound, more calls: max_samples={more}; to test a claim: dpcheck.audit(learner, "
            "epsilon, ...)",
        )
    target = line.targets[0] if line.targets else measured.target
    changes = {"--max-samples": str(more)}
    seconds = measured.seconds * 6
    if seconds > SECONDS:
        changes["--max-seconds"] = f"{math.ceil(seconds):d}"
    steps = [f"for a larger bound, with more calls: {line.changed(target, changes)}"]
    if measured.epsilon_lower > 0:
        # twice what was found: a claim that the audit does not refute at once
        claim = {"--epsilon": f"{rounded_up(measured.epsilon_lower):g}"}
        if measured.delta:
            claim["--delta"] = f"{measured.delta:g}"
        audit = line.changed(target, claim, command="audit", drop=("--alpha", "--max-samples", "--delta"))
        steps.append(f"to test a claim (yours in place of {claim['--epsilon']}): {audit}")
    return tuple(steps)


def part_of_outputs(coverage: float) -> str:
    """The part of the outputs that a loss is in.

    >>> part_of_outputs(1.0), part_of_outputs(0.253)
    ('all outputs', '25% of outputs')
    """
    return "all outputs" if coverage > 0.995 else f"{100 * coverage:.2g}% of outputs"


def loss_in_words(claim: Claim, epsilon: float) -> str:
    """A privacy loss at the claim's point; of zCDP, Rényi and Gaussian DP the parameter that allows it.

    >>> from dpcheck.model.claims import PureDP, GaussianDP
    >>> loss_in_words(PureDP(1.0), 2.0), loss_in_words(GaussianDP(1.0), 2.65)
    ('2', 'mu = 1.52')
    """
    if not isinstance(claim, CurveClaim):
        return f"{epsilon:.3g}"
    return f"{parameter_of(claim)[0]} = {parameter_reaching(claim, epsilon, claim_point(claim)[1]):.3g}"


def _calls_for(verdict: Verdict, loss: float) -> int:
    """The calls that reach this loss, foretold from those made: they grow with the square of how near the claim is."""
    epsilon, _ = claim_point(verdict.claim)
    if not math.isfinite(verdict.detectable_epsilon) or loss <= epsilon:
        return 0
    times = ((verdict.detectable_epsilon - epsilon) / (loss - epsilon)) ** 2
    return two_digits(ROOM * times * max(verdict.samples, 1))


def _budget(verdict: Verdict, calls: int) -> dict[str, str]:
    """The arguments that allow so many calls, and their seconds where the usual limit is too short."""
    if not calls:
        return {}
    worked = verdict.seconds / verdict.samples if verdict.samples >= WORK_SHOWS else 0.0
    seconds = calls * max(verdict.seconds_per_call, worked)
    limit = SECONDS if verdict.record is None else verdict.record.max_seconds
    longer = {"max_seconds": f"{two_digits(2 * seconds)}"} if 2 * seconds > limit else {}
    return {"max_samples": f"{calls}", **longer}


def two_digits(number: float) -> int:
    """A whole number of two digits and zeros, not below the number.

    >>> two_digits(12345), two_digits(7)
    (13000, 7)
    """
    whole = math.ceil(number)
    unit: int = 10 ** max(0, len(str(whole)) - 2)
    return -(-whole // unit) * unit


def rounded_up(number: float) -> float:
    """Three digits, not below the number.

    >>> rounded_up(12.341), rounded_up(1.5)
    (12.4, 1.5)
    """
    if not 0 < number < math.inf:
        return number
    unit = 10.0 ** (math.floor(math.log10(number)) - 2)
    return float(f"{math.ceil(number / unit - 1e-9) * unit:.3g}")


def _time(seconds: float) -> str:
    for unit, size in (("days", 86_400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.2g} {unit}" if seconds < 10 * size else f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.2g} s"
