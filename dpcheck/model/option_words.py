"""Arguments in the words of whoever asked: Python's ``max_samples`` is ``--max-samples`` on the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: The names of this program in the arguments of a process.
PROGRAMS = frozenset({"dpcheck", "dpcheck.exe", "__main__.py"})
#: Its commands that end with words about arguments; ``__main__.py`` is the name of others' programs too.
COMMANDS = frozenset(
    {"audit", "check", "compare", "demo", "learners", "measure", "one-run", "plan", "record", "report", "survey"}
    | {"white-box", "zoo"}
)
#: Arguments whose names are no words of English: wherever one stands in a sentence of ours it is meant.
_UNMISTAKEN = (
    "allow_inconclusive", "call_timeout", "max_memory", "max_samples", "max_seconds", "public_size", "seconds_per_call",
)  # fmt: skip
#: The others are meant where a line begins with one, and says what it must be.
_BEGINNING = re.compile(
    r"^(alpha|control|dataset|delta|detect|epsilon|guesses|jobs|neighbours|numerics|pairs|records|seed|shrink|size)"
    r"(?= must )"
)
# Neither in quotes nor a part of a path, of another name or of an option.
_NAME = re.compile(rf"(?<![\w./'\"`:-])({'|'.join(_UNMISTAKEN)})(?![\w./:('\"`-])(=([^\s,;)]+))?")
#: How data, a relation and a claim are given is no matter of names alone.
_PIECES = (
    ("give neighbours=ReplaceOne(records=(low, high)), for one", "give --bounds LOW,HIGH, for one"),
    ("or give pairs=[(left, right)] or dataset=...", "or give --pairs FILE.npz or --dataset FILE"),
    ("a size such as ReplaceOne(records=[0, 1], size=3)", "a size such as --records 0,1 --size 3"),
    ("give claim=, or", "give --epsilon, or"),
    ("exhaustive=True", "--exhaustive"),
    ("public_size=True", "--public-size"),
    ("(neighbours=)", "(--neighbours, --bounds)"),
    ("with guesses=", "with --guesses"),
    ("dpcheck.one_run, or dpcheck.audit", "dpcheck one-run, or dpcheck audit"),
    ("(participations=)", "(--participations)"),
    ("without sampling_rate", "without --sampling-rate"),
    ("(canaries=)", "(canaries of your own, in Python)"),
    ("(control=)", "(--control)"),
    ("(runs=)", "(a column run)"),
    ("pairs of neighbours=", "pairs of the declared records"),
)
#: From here on a line holds a stranger's own words.
_STRANGERS = re.compile(r"\b\w*(Error|Exception|Warning|Interrupt|Exit): ")


def by_command(argv: Sequence[str]) -> bool:
    """Whether these arguments of a process are a command of dpcheck.

    Examples
    --------
    >>> by_command(("dpcheck", "survey", "opendp")), by_command(("pytest", "-q")), by_command(())
    (True, False, False)
    """
    return len(argv) > 1 and argv[0] in PROGRAMS and argv[1] in COMMANDS


def as_options(line: str) -> str:
    """The line with the names that options have on the command line; what a learner said stays as it is.

    Examples
    --------
    >>> as_options("max_seconds must leave time for 32 calls, got 0.5 s; raise max_seconds or max_samples")
    '--max-seconds must leave time for 32 calls, got 0.5 s; raise --max-seconds or --max-samples'
    >>> as_options("with max_samples=400, detect must be larger; ValueError: max_samples must be 1")
    'with --max-samples 400, detect must be larger; ValueError: max_samples must be 1'
    """
    begun = _STRANGERS.search(line)
    ours, theirs = (line, "") if begun is None else (line[: begun.start()], line[begun.start() :])
    for said, option in _PIECES:
        ours = ours.replace(said, option)
    ours = _BEGINNING.sub(r"--\1", ours)
    return _NAME.sub(_as_option, ours) + theirs


def _as_option(found: re.Match[str]) -> str:
    return f"--{found[1].replace('_', '-')}" + (f" {found[3]}" if found[3] else "")
