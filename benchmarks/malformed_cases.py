"""Malformed inputs for every command: files, options, targets, settings and places to write to.

A case is a command line and what stands in its folder. All draws come from one ``random.Random``: the benchmark seeds
it, and hypothesis hands over its own in a property.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from malformed_files import CIRCLE, DANGLING, FOLDER, NOTHING, PIPE, READABLE, THINGS, damaged

USAGE = frozenset({2})
#: Targets may also end the process in which they are looked at: status 4.
OF_TARGETS = frozenset({2, 4})
#: A history that is no database is set aside, and then there is nothing to show.
OF_HISTORIES = frozenset({2, 5})
#: What stands where a run is to write, before it does.
EARLIER = b"an earlier document\n"

_LEARNERS = """import numpy as np
def learn(dataset, rng):
    return float(np.sum(np.asarray(dataset, dtype=float))) + rng.laplace(0, 1.0)
def coin(dataset, rng):
    return int(rng.random() < 0.5)
def labelled(data, rng):
    return float(np.sum(np.asarray(data[1], dtype=float))) + rng.laplace(0, 5.0)
NUMBER, WORDS, NOBODY = 3, "words", None
class Wants:
    def __init__(self, depth): pass
    def __call__(self, dataset, rng): return 0.0
class Raises:
    def __init__(self): raise RuntimeError("no\\nsuch")
    def __call__(self, dataset, rng): return 0.0
class Looked:
    def __call__(self, dataset, rng, transcript=None): return 0.0
    def __getattr__(self, name): raise RuntimeError("not to be looked at")
LOOKED = Looked()
"""
_TRAIN = """import numpy as np
def train(data, rng, transcript):
    x, y = data
    model = np.zeros(x.shape[1])
    for _ in range(4):
        batch = transcript.batch(np.flatnonzero(rng.random(len(x)) < 0.5))
        gradients = (1 / (1 + np.exp(-x[batch] @ model)) - y[batch])[:, None] * x[batch]
        norms = np.linalg.norm(gradients, axis=1, keepdims=True)
        total = (gradients / np.maximum(1.0, norms)).sum(axis=0)
        model -= 0.05 * transcript.release(total, total + rng.normal(0.0, 2.0, total.size))
    return model
"""
#: The settings of the folder: nothing but learners for ``record`` and ``compare``.
_SETTINGS = """[[tool.dpcheck.learners]]
name = "coin"
target = "mine.py:coin"
epsilon = 1
bounds = [0, 1]
size = 2
calls = 1000
learn-calls = 500
"""

_EFFORT = ("--max-samples", "300", "--isolation", "none", "--quiet")
_WRITES = ("--json", "run.json", "--output", "run.txt", "--sarif", "run.sarif")
_AUDIT = ("audit", "mine.py:learn", "--epsilon", "30", "--allow-inconclusive", *_EFFORT)


@dataclass(frozen=True)
class Door:
    """A command line that comes to its end with status 0, and the files that it reads, with their kinds."""

    argv: tuple[str, ...]
    reads: dict[str, str] = field(default_factory=dict)
    writes: tuple[str, ...] = ()
    #: A command that would take long if it were not refused; its end is not tried.
    long: bool = False
    statuses: frozenset[int] = USAGE

    @property
    def command(self) -> str:
        """The command's name."""
        return self.argv[0]


DOORS: dict[str, Door] = {
    "audit": Door((*_AUDIT, "--bounds", "0,1", "--size", "2", *_WRITES), writes=("run.json", "run.txt", "run.sarif")),
    "audit of a table": Door((*_AUDIT, "--dataset", "data.csv", "--bounds", "0,9"), {"data.csv": "table"}),
    "audit of an array": Door((*_AUDIT, "--dataset", "data.npy", "--bounds", "0,1"), {"data.npy": "array"}),
    "audit of an archive": Door(
        ("audit", "mine.py:labelled", *_AUDIT[2:], "--dataset", "data.npz", "--bounds", "-9,9", "--form", "pair"),
        {"data.npz": "archive"},
    ),
    "audit of pairs": Door((*_AUDIT, "--pairs", "pairs.npz"), {"pairs.npz": "archive"}),
    "dry run": Door(
        (*_AUDIT, "--dataset", "data.csv", "--bounds", "0,9", "--dry-run", "--json", "run.json"),
        {"data.csv": "table"},
        ("run.json",),
    ),
    "measure": Door(
        ("measure", "mine.py:learn", "--dataset", "data.csv", "--bounds", "0,9", *_EFFORT, "--json", "run.json"),
        {"data.csv": "table"},
        ("run.json",),
    ),
    "plan": Door(
        ("plan", "mine.py:learn", "--epsilon", "1", "--pairs", "pairs.npz", "--isolation", "none",
         "--output", "run.txt"),
        {"pairs.npz": "archive"},
        ("run.txt",),
    ),
    "plan without a target": Door(("plan", "--epsilon", "1")),
    "one-run": Door(
        ("one-run", "scores.csv", "--epsilon", "2", "--control", "control.csv", "--allow-inconclusive",
         "--json", "run.json", "--output", "run.txt"),
        {"scores.csv": "table", "control.csv": "table"},
        ("run.json", "run.txt"),
    ),
    "one-run of arrays": Door(
        ("one-run", "scores.npz", "--epsilon", "2", "--allow-inconclusive"), {"scores.npz": "archive"}
    ),
    "white-box": Door(
        ("white-box", "train.py:train", "--dataset", "labelled.csv", "--label", "y", "--epsilon", "50",
         "--delta", "1e-3",
         "--noise-multiplier", "2", "--clipping-norm", "1", "--sampling-rate", "0.5", "--steps", "4", "--isolation",
         "none", "--quiet", "--allow-inconclusive", "--json", "run.json", "--output", "run.txt"),
        {"labelled.csv": "table"},
        ("run.json", "run.txt"),
    ),
    "theorems": Door(
        ("theorems", "--from", "my_theorems.py", "--paper", "mine"),
        {"my_theorems.py": "paper", "my_theorems.certificates.json": "certificates"},
    ),
    "theorems evaluated": Door(
        ("theorems", "alon2019:thm-3.1", "--evaluate", "accuracy=0.1", "failure=0.05", "epsilon=1", "vc=3")
    ),
    "theorems solved": Door(
        ("theorems", "alon2019:thm-3.1", "--solve", "accuracy", "--given", "public=100000", "failure=0.05", "vc=3")
    ),
    "report": Door(
        ("report", "audit.json", "measured.json", "--out", "made", "--quiet"),
        {"audit.json": "run", "measured.json": "measurement"},
    ),
    "report of records": Door(
        ("report", "--from", "pages", "--out", "made"),
        {"pages/audits/mine.py-learn.json": "audit report", "pages/mine/mine.json": "paper report"},
    ),
    "report of a paper": Door(
        ("report", "my_theorems.py", "--quick", "--quiet", "--out", "made"), {"my_theorems.py": "paper"}, long=True
    ),
    "learners": Door(("learners", "alon2019.cover", "--output", "run.txt"), writes=("run.txt",)),
    "learners audited": Door(
        ("learners", "alon2019.cover", "--audit", "--max-samples", "300", "--quiet"), long=True
    ),
    "glossary": Door(("glossary", "power")),
    "schema": Door(("schema", "run")),
    "record": Door(
        ("record", "coin", "--isolation", "none", "--quiet", "--baseline", "b.json", "--history", "h.sqlite3",
         "--max-seconds", "3"),
        {"b.json": "baseline", "pyproject.toml": "settings"},
        ("b.json", "h.sqlite3"),
    ),
    "compare": Door(
        ("compare", "coin", "--isolation", "none", "--quiet", "--baseline", "b.json", "--history", "h.sqlite3",
         "--max-seconds", "3",
         "--allow-inconclusive", "--json", "run.json", "--output", "run.txt"),
        {"b.json": "baseline", "pyproject.toml": "settings"},
        ("h.sqlite3", "run.json", "run.txt"),
    ),
    "history": Door(("history", "--history", "h.sqlite3"), {"h.sqlite3": "history"}, statuses=OF_HISTORIES),
    "survey": Door(
        ("survey", "diffprivlib-linear-regression", "--quiet", "--json", "run.json"), writes=("run.json",), long=True
    ),
    "check": Door(
        ("check", "mine.py:learn", "--epsilon", "30", "--dataset", "data.csv", "--bounds", "0,9", "--only",
         "empty_data", *_EFFORT, "--allow-inconclusive", "--json", "run.json", "--output", "run.txt"),
        {"data.csv": "table"},
        ("run.json", "run.txt"),
    ),
    "zoo": Door(("zoo", "laplace")),
    "zoo audited": Door(
        ("zoo", "laplace", "--audit", "--max-samples", "300", "--quiet", "--json", "run.json"),
        writes=("run.json",),
        long=True,
    ),
    "demo": Door(("demo", "--quiet", "--json", "run.json"), writes=("run.json",), long=True),
}  # fmt: skip


def make_sound(folder: Path, run: Callable[[Sequence[str]], int]) -> None:
    """Make a folder with a sound file of each kind; ``run`` is dpcheck there, with these arguments."""
    rng = np.random.default_rng(1)
    (folder / ".git").mkdir()
    (folder / "mine.py").write_text(_LEARNERS)
    (folder / "train.py").write_text(_TRAIN)
    (folder / "pyproject.toml").write_text(_SETTINGS)
    examples = Path(__file__).resolve().parents[1] / "examples"
    (folder / "my_theorems.py").write_bytes((examples / "my_theorems.py").read_bytes())
    np.savez(folder / "pairs.npz", left=np.zeros((2, 3)), right=np.eye(2, 3))
    np.save(folder / "data.npy", np.linspace(0, 1, 12))
    (folder / "data.csv").write_text("a,b\n" + "".join(f"{k % 9},{k % 7}\n" for k in range(12)))
    x = rng.normal(size=(40, 3)).round(3).clip(-9, 9)
    y = (x[:, 0] > 0).astype(int)
    np.savez(folder / "data.npz", X=x, y=y)
    np.savetxt(folder / "labelled.csv", np.c_[x, y], delimiter=",", header="a,b,c,y", comments="", fmt="%g")
    for name, leak in (("scores", 0.1), ("control", 9.0)):
        coins = rng.integers(0, 2, 200)
        scores = rng.normal(size=200) + leak * coins
        lines = "".join(f"{score:.4f},{coin}\n" for score, coin in zip(scores, coins, strict=True))
        (folder / f"{name}.csv").write_text(f"score,included\n{lines}")
        np.savez(folder / f"{name}.npz", scores=scores, included=coins.astype(bool))
    asked = ("mine.py:learn", "--bounds", "0,1", "--size", "2", *_EFFORT)
    for command in (
        ("record", "coin", "--isolation", "none", "--quiet", "--baseline", "b.json", "--history", "h.sqlite3"),
        ("theorems", "--from", "my_theorems.py", "--paper", "mine", "--prove"),
        ("audit", *asked, "--epsilon", "30", "--allow-inconclusive", "--json", "audit.json"),
        ("measure", *asked, "--json", "measured.json"),
        ("report", "audit.json", "--out", "pages", "--quiet"),
        ("report", "my_theorems.py", "--quick", "--out", "pages", "--quiet"),
    ):
        status = run(command)
        if status != 0:
            raise RuntimeError(f"dpcheck {' '.join(command)} must end with status 0, got {status}")
    for name in ("run.json", "run.txt", "run.sarif"):
        (folder / name).write_bytes(EARLIER)


@dataclass(frozen=True)
class Case:
    """One input for one command, and what must come of it.

    ``put`` is what is put into the folder: bytes, or one of the words for what is no file. ``named``: words of which
    the line must have one. ``malformed``: whether it must be refused.
    """

    door: str
    kind: str
    damage: str
    argv: tuple[str, ...]
    put: tuple[tuple[str, bytes | str], ...]
    named: tuple[str, ...]
    malformed: bool
    statuses: frozenset[int]


# --- values of options


_LONG = "f" * 5000
_NO_NUMBER = ("", "abc", "nan", "-1", "1e400", "-inf", "1,5", "1e-400", "9" * 401, "[1]", "None", "1 2", "0x1p3", "½")
_NO_WHOLE = ("", "abc", "1.5", "-1", "nan", "inf", "1e400", "0x10", "1..3", "None", "²", "1,000", "\x1b[31m1")
_NO_NAME = ("no_such_thing", "a\x1b[31mb\nc", _LONG, "", "../..", "laplace\x00".strip("\x00") + "!", "%s%n", "*")
#: By what --help calls the value: values of which no command can make anything.
_VALUES: dict[str, tuple[str | tuple[str, ...], ...]] = {
    "NUMBER": _NO_NUMBER,
    "SECONDS": _NO_NUMBER,
    "EPSILON": _NO_NUMBER,
    "DELTA": (*_NO_NUMBER, "1.5", "inf"),
    "PART": (*_NO_NUMBER, "1.5", "0", "inf"),
    "N": _NO_WHOLE,
    "CALLS": _NO_WHOLE,
    "N or NAMES": ("", "0", ",", "a,a", "9" * 30, "-1"),
    "N or LOW..HIGH": ("", "-1", "a", "3..1", "1..", "..", "1.5", "nan", "1...3", "-2..3", "1e3"),
    "LOW,HIGH": ("", "1", "1,0", "a,b", "nan,1", "0,inf", "0,1,2", "0,1e400", ",", "0;1", "1e-400,1"),
    "VALUES": ("", ",", "0,,1", "(0,1),(1", "0,1e400", "1e-400,1", "0" * 20_000),
    "ORDER EPSILON": (
        ("1", "x"), ("x", "1"), ("nan", "1"), ("2", "-1"), ("-1", "1"), ("2", "1e400"), ("2", ""), ("0.5", "1"),
    ),
    "FRACTION": ("", "x", "1/0", "-3", "0", "nan", "1e999999999", "3/", "1/2", "1" * 5000, "inf"),
    "VERDICT": ("bogus", "", "violated!", "no"),
    "KEY=VALUE": ("", "novalue", "=1", "1a=2", "no such=1", "a=1e400", "no_such_argument=1"),
    "NAME=REASON": ("", "x", "purity", "purity=", "no_such=why", "=why"),
    "NAME": _NO_NAME,
    "PAPER": _NO_NAME,
    "WORD": _NO_NAME,
    "VARIABLE": _NO_NAME,
    "COLUMN": _NO_NAME,
    "coq": ("lean", "", "COQ "),
}  # fmt: skip
_NO_CHOICE = ("bogus", "", "auto ", "0", "\x1b[31m", _LONG)
#: Values that the type does not rule out, but what the option is about does.
_OF_OPTION: dict[str, tuple[str, ...]] = {
    "--alpha": ("0", "1", "2", "inf"),
    "--epsilon": ("inf",),
    "--delta": ("1", "2", "inf"),
    "--power": ("0", "1", "2", "inf"),
    "--sampling-rate": ("2", "inf", "0"),
    "--noise-multiplier": ("inf",),
    "--jobs": ("0",),
    "--limit": ("0",),
    "--steps": ("0",),
    "--runs": ("0",),
    "--seeds": ("0",),
    "--guesses": ("0", "1,2,3", "1,", "99999999"),
    "--call-timeout": ("0",),
    "--train-timeout": ("0",),
    "--max-seconds": ("0",),
}
#: Values that are wrong for the type, and right for the option.
_RIGHT_FOR: dict[str, tuple[str, ...]] = {
    "--guesses": ("1,000",),  # IN,OUT: one is said to be in, none to be out
}
_OUTPUTS = ("--json", "--output", "--sarif", "--plot", "--out", "--to", "--journal")
#: Options that contradict what the door has, or one another.
CONTRADICTIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "audit": (
        ("--rho", "1"), ("--mu", "1"), ("--ratio", "3"), ("--renyi", "2", "1"), ("--records", "0,1"), ("--exhaustive",),
        ("--dataset", "data.csv", "--pairs", "pairs.npz"), ("--label", "a", "--pairs", "pairs.npz"),
        ("--dry-run", "--exhaustive"), ("--public-label", "a"), ("--columns", "3", "--dataset", "data.csv"),
        ("--option", "a=1", "--option", "a=2"), ("--bounds", "0,1", "--columns", "3"), ("--neighbours", "labels-only"),
        ("--bounds", "5,2"), ("--detect", "1"), ("--public", "data.csv"),
    ),
    "dry run": (("--detect", "1"), ("--exhaustive",), ("--records", "0,1"), ("--pairs", "pairs.npz"), ("--sarif", "x")),
    "audit of a table": (("--records", "0,1"), ("--columns", "2"), ("--label", "no"), ("--neighbours", "labels-only")),
    "measure": (("--pairs", "pairs.npz"), ("--records", "0,1"), ("--option", "a=1", "--option", "a=2")),
    "plan": (("--rho", "1"), ("--detect", "0.5"), ("--ratio", "3"), ("--dataset", "data.csv"), ("--label", "a")),
    "plan without a target": (("--bounds", "0,1"), ("--rho", "1"), ("--max-seconds", "3"), ("--dataset", "data.csv")),
    "one-run": (
        ("--rho", "1"), ("--control", "scores.csv", "--output", "scores.csv"), ("--json", "same", "--output", "same"),
        ("--detect", "1"), ("--delta", "0.1", "--mu", "1"),
    ),
    "white-box": (("--rho", "1"), ("--participations", "2"), ("--label", "nothing")),
    "theorems": (
        ("--solve", "accuracy", "--recheck"), ("--prove", "--compare"), ("--to", "made"), ("--plot", "x.svg"),
        ("--given",), ("--export", "coq", "--status", "proved"), ("--jobs", "2"), ("a=1",), ("--export", "coq"),
        ("--evaluate",), ("--json", "--export", "coq"), ("--status", "proved", "--compare"),
    ),
    "theorems evaluated": (("--recheck",), ("epsilon=2",), ("epsilon=",), ("=1",), ("epsilon=-1",), ("vc=0.5", "vc=1"),
                           ("--given",), ("alon2019:thm-3.1x",), ("no_such=1",), ("--paper", "beimel2015")),
    "theorems solved": (("--evaluate",), ("accuracy=0.1",), ("epsilon=nan",), ("epsilon=x",)),
    "report": (("--from", "pages"),),
    "report of records": (("--jobs", "2"), ("audit.json",), ("--seed", "1"), ("--quick",), ("--keep",)),
    "learners": (("--jobs", "2"), ("--max-samples", "3"), ("--paper", "beimel2015")),
    "glossary": (("no", "such", "word"),),
    "schema": (("--list",), ("run",)),
    "record": (("--prune",), ("--only", "no*", "--prune")),
    "history": (("coin", "coin"), ("nobody",)),
    "survey": (("--list",), ("nobody",)),
    "check": (("--rho", "1"), ("--records", "0,1"), ("--pairs", "pairs.npz"), ("--label", "no")),
    "zoo": (("--jobs", "2"), ("--json", "x.json"), ("laplac",)),
}  # fmt: skip
_TYPED_WRONG: tuple[Callable[[random.Random], tuple[str, ...]], ...] = (
    lambda random: (f"--no-such-{random.randint(0, 99)}",),
    lambda random: ("-" + random.choice("xyzQ0"),),
    lambda random: ("--quiet=1", "--traceback=1")[random.randint(0, 1) :][:1],
    lambda random: ("--", ""),
    lambda random: ("--alpha",),
    lambda random: ("\x1b[31m\n--alpha=x",),
    lambda random: ("--" + "x" * 5000,),
)


@dataclass(frozen=True)
class Option:
    """An option of a command, as --help shows it."""

    flag: str
    metavar: str | None
    values: int
    argument: bool


@cache
def options_of(command: str) -> tuple[Option, ...]:
    """What a command takes, of its own declaration."""
    from typer.main import get_command

    from dpcheck.cli.app import app

    found: Any = get_command(app)
    return tuple(
        Option(one.opts[-1], getattr(one, "metavar", None), one.nargs, one.param_type_name == "argument")
        for one in found.commands[command].params
        if not getattr(one, "is_flag", False)
    )


def without(argv: Sequence[str], flag: str, values: int) -> tuple[str, ...]:
    """The command line without an option and its values."""
    made: list[str] = []
    left = 0
    for word in argv:
        if left:
            left -= 1
        elif word == flag:
            left = values
        else:
            made.append(word)
    return tuple(made)


def _bad_option(door: Door, random: random.Random) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """An option with a value that is none: in words, the command line, and what the line must name."""
    known = [one for one in options_of(door.command) if not one.argument and not one.flag.startswith("--install")]
    if not known:
        return None
    one = random.choice(known)
    values: list[str | tuple[str, ...]] = list(_OF_OPTION.get(one.flag, ()))
    if one.metavar is None:
        values += _NO_CHOICE
    elif one.metavar in _VALUES:
        values += [value for value in _VALUES[one.metavar] if value not in _RIGHT_FOR.get(one.flag, ())]
    elif one.metavar in ("FILE", "FILE.npz", "SCORES", "DIR") and one.flag not in _OUTPUTS:
        values += ["", _LONG + ".csv", "."]
        if one.flag not in ("--baseline", "--history"):  # they are made where there are none
            values += ["no-such-file.csv", "nowhere/x.npz", "a\x1b[31m\nb.csv"]
    if not values:
        return None
    value = random.choice(values)
    words = (value,) if isinstance(value, str) else value
    argv = without(door.argv, one.flag, one.values)
    spelt = (f"{one.flag}={words[0]}",) if len(words) == 1 and random.random() < 0.3 else (one.flag, *words)
    shown = " ".join(words)
    named = (
        one.flag,
        one.flag.removeprefix("--").replace("-", "_"),
        *(("ID", "no variable") if one.flag == "--solve" else ()),
    )
    return f"{one.flag} {shown[:40]!r}", (*argv, *spelt), named


def _odd_output(door: Door, random: random.Random) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """A place that cannot be written to."""
    known = [one.flag for one in options_of(door.command) if one.flag in _OUTPUTS]
    if "--dry-run" in door.argv:
        known.remove("--journal")  # nothing is kept of a dry run
    if not known or "alon2019:thm-3.1" in door.argv:
        return None
    flag = random.choice(known)
    files = [name for name, of in door.reads.items() if name in door.argv and (flag != "--plot")]
    if files and door.command not in ("theorems", "report", "history", "record", "survey") and random.random() < 0.3:
        file = random.choice(files)  # what is read
        return f"{flag} {file}", (*without(door.argv, flag, 1), flag, file), (flag, flag.removeprefix("--"))
    ending = ".svg" if flag == "--plot" else ""
    place = random.choice(
        ("nowhere/x" + ending, "data.csv/x" + ending, "/proc/nobody/x" + ending, _LONG + ending, "a-folder" + ending,
         "a-pipe/x" + ending, "a-link/x" + ending, "a-circle" + ending, "\x1b[31m\n/x" + ending, "")
    )  # fmt: skip
    if (
        flag in ("--out", "--to", "--journal") or (door.command in ("report", "survey") and flag == "--output")
    ) and place in (
        "nowhere/x",
        "a-folder",
        "\x1b[31m\n/x",
        "a-link/x",
    ):
        place = "data.csv"  # folders are made, or taken
    argv = without(door.argv, flag, 1)
    more = {"--to": ("--export", "coq"), "--plot": ("--compare",) if door.command == "theorems" else ()}.get(flag, ())
    return f"{flag} {place[:30]!r}", (*argv, *more, flag, place), (flag, flag.removeprefix("--"), repr(place)[1:30])


# --- targets


_SOURCES: dict[str, bytes] = {
    "wrong syntax": b"def learn(dataset, rng:\n    return 0\n",
    "wrong indentation": b"def learn(dataset, rng):\nreturn 0\n",
    "bytes of a program": b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)),
    "UTF-16": "def learn(dataset, rng): return 0\n".encode("utf-16"),
    "NUL": b"def learn(dataset, rng):\x00 return 0\n",
    "latin-1": "name = 'é'\ndef learn(dataset, rng): return 0\n".encode("latin-1"),
    "no such encoding": b"# -*- coding: no-such -*-\ndef learn(dataset, rng): return 0\n",
    "empty": b"",
    "deep": b"learn = " + b"(" * 5_000 + b")" * 5_000 + b"\n",
    "deeper": b"learn = " + b"-" * 100_000 + b"1\n",
    "raises": b"raise RuntimeError('two\\nlines \\x1b[31m')\n",
    "raises long": b"raise RuntimeError('x' * 100_000)\n",
    "raises what has no text": b"class Bad(Exception):\n    def __str__(self): raise ValueError\nraise Bad\n",
    "exits": b"import sys\nsys.exit(0)\n",
    "ends": b"import os\nos._exit(0)\n",
    "asserts": b"assert False\n",
    "imports what is not there": b"import no_such_module_anywhere\n",
    "imports itself": b"import bad\nfrom bad import learn\n",
    "recurses": b"def f(): f()\nf()\n",
    "a number": b"learn = 3\n",
    "a text": b"learn = 'learn'\n",
    "nothing": b"learn = None\n",
    "a module": b"import os as learn\n",
    "a class that wants": b"class learn:\n    def __init__(self, depth): pass\n"
    b"    def __call__(self, d, r): return 0\n",
    "a class that raises": b"class learn:\n    def __init__(self): raise ValueError('x\\ny')\n"
    b"    def __call__(self, d, r, t=None): return 0\n",
    "a property that raises": b"class Of:\n    @property\n    def learn(self): raise ValueError('x')\n"
    b"learn = Of().learn\n",
    "a list": b"learn = [lambda d, r: 0]\n",
    "raises when called": b"def learn(dataset, rng, transcript=None): raise ValueError('never')\n",
    "takes nothing": b"def learn(): return 3\n",
}
_TARGETS = (
    "bad.py", "bad.py:", ":learn", "bad.py:no_such", "bad.py:le arn", "bad.py:learn.no_such", "bad.py:learn..x",
    "no.py:learn",
    "nowhere/no.py:learn", "no_such_module:learn", "os:no_such", "os.path.no:learn", "a-b:learn", "zoo:no_such", "zoo:",
    "learner:no.such", "learner:", ".:learn", "..:x", "\x1b[31m\n.py:learn", f"{_LONG}.py:learn", f"bad.py:{_LONG}",
    f"{_LONG}:learn", "::", "bad.py:1", "trained:no_such", "é:é", "bad.py:\nlearn", "mine.py:NUMBER", "mine.py:NOBODY",
    "mine.py:WORDS", "mine.py:Raises", "mine.py:Wants", "file://mine.py:learn", "mine:no_such", "a-folder.py:learn",
    "a-pipe.py:learn", "a-link.py:learn", "a-circle.py:learn",
)  # fmt: skip
#: A check of what is not called finds nothing.
_MAY_PASS = frozenset({("check", "raises when called")})
#: Commands that take a target of a user's, and the arguments around it.
_TAKES_TARGET = ("audit", "measure", "plan", "white-box", "check", "record", "report", "audit of a table", "dry run")


def _bad_target(name: str, door: Door, random: random.Random) -> tuple[str, tuple[str, ...], tuple[str, ...], Any]:
    """A target that is none: in words, the command line, what the line must name, and what is put into the folder."""
    put: list[tuple[str, bytes | str]] = []
    if random.random() < 0.5:
        what = random.choice([one for one in _SOURCES if (door.command, one) not in _MAY_PASS])
        target = "bad.py:learn"
        put.append(("bad.py", _SOURCES[what]))
    else:
        target = random.choice(_TARGETS)
        what = target[:40]
        put.append(("bad.py", b"def learn(dataset, rng, transcript=None): return 0.0\n"))
    argv = tuple(target if place == 1 else word for place, word in enumerate(door.argv))
    if name == "report":
        argv = ("report", target, "--out", "made", "--quiet", "--quick")
    return (
        f"target {what!r}",
        argv,
        ("target", "learner", target.partition(":")[0][:20], "bad.py", repr(target)[1:20]),
        tuple(put),
    )


# --- settings


_OF_SETTINGS = (
    "", "[]", "[1, [2]]", "{a = 1}", "1979-05-27T07:32:00Z", "true", "nan", "inf", "-inf", "-1", "9" * 400,
    "1e400", "''",
    "'\\u001b[31m'", '"""a\nb"""', "[[[[]]]]", "0x10", "'" + "x" * 5000 + "'", "[true]", "['', '']", "1e-400",
)  # fmt: skip


_NUMBERS_OF_AUDITS = ("alpha", "seed", "jobs", "max-samples", "epsilon", "call-timeout", "delta", "max-seconds")
_NUMBERS_OF_LEARNERS = ("epsilon", "delta", "calls", "learn-calls", "max-seconds")
#: Values that a number in settings may have: a huge budget, a number in hexadecimal, no limit of time, a text.
_MAY_BE_NUMBERS = frozenset({"9" * 400, "0x10", "inf", "1e400"})


def _bad_settings(door: Door, random: random.Random) -> tuple[str, str, str, bool]:
    """A setting that is none: in words, its name, the file, and whether it must be refused."""
    learners = door.command in ("record", "compare")
    numbers = _NUMBERS_OF_LEARNERS if learners else _NUMBERS_OF_AUDITS
    others = ("name", "target", "bounds", "size", "dataset", "form") if learners else ("bounds", "size", "isolation")
    key = random.choice((*numbers, *others, "no-such"))
    value = random.choice(_OF_SETTINGS)
    if learners:
        lines = [line for line in _SETTINGS.splitlines() if not line.startswith(f"{key} =")]
        text = "\n".join([*lines, f"{key} = {value}"]) + "\n"
    else:
        text = f"[tool.dpcheck]\n{key} = {value}\n"
    wrong = key == "no-such" or (
        key in numbers
        and value not in _MAY_BE_NUMBERS
        and (learners or any(f"--{key}" == one.flag for one in options_of(door.command)))
        and f"--{key}" not in door.argv
    )
    return f"{key} = {value[:30]}", key, text, wrong or not READABLE["settings"](text.encode())


# --- cases


def _odd_places(door: str) -> tuple[tuple[str, str], ...]:
    return (
        *((f"a-folder{end}", FOLDER) for end in ("", ".py", ".svg")),
        *((f"a-pipe{end}", PIPE) for end in ("", ".py", ".svg")),
        *((f"a-link{end}", DANGLING) for end in ("", ".py", ".svg")),
        *((f"a-circle{end}", CIRCLE) for end in ("", ".py", ".svg")),
    )


#: Files that a command does well without: that they are not there is no fault.
_OPTIONAL = frozenset(
    {
        ("record", "b.json"),
        ("compare", "b.json"),  # an entry is written then, for review, with status 1
        ("theorems", "my_theorems.certificates.json"),
        ("record", "pyproject.toml"),
    }
)
#: Where a thing of this kind is passed over, or means that there is no such file, by what is documented.
_PASSED_OVER = frozenset({"pyproject.toml"})
KINDS = (
    "file",
    "file",
    "file",
    "thing",
    "option",
    "option",
    "output",
    "target",
    "contradiction",
    "typed wrong",
    "settings",
)


def drawn(random: random.Random, sound: Path, kinds: Sequence[str] = KINDS, doors: Sequence[str] = ()) -> Case | None:
    """A case, or None where the door has none of the kind that was drawn."""
    kind = random.choice(kinds)
    name = random.choice(doors or tuple(DOORS))
    door = DOORS[name]
    places = _odd_places(name)
    if kind in ("file", "thing"):
        if not door.reads:
            return None
        file = random.choice(list(door.reads))
        of = door.reads[file]
        option = next((door.argv[i - 1] for i, word in enumerate(door.argv) if word == file), file)
        named = (Path(file).name, option, *(("history", "baseline") if of in ("history", "baseline") else ()))
        if of == "settings":
            named = (*named, "tool.dpcheck", "learners")
        if kind == "thing":
            thing = random.choice(THINGS)
            gone = thing in (NOTHING, DANGLING)
            fine = file in _PASSED_OVER or (gone and (name, file) in _OPTIONAL) or (file.startswith("pages/") and gone)
            return Case(
                name,
                kind,
                f"{file} is {thing}",
                door.argv,
                ((file, thing), *places),
                named,
                not fine,
                door.statuses | ({5, 1} if gone else set()),
            )
        damage, content = damaged(of, (sound / file).read_bytes(), random)
        return Case(
            name,
            kind,
            f"{file}: {damage}",
            door.argv,
            ((file, content),),
            named,
            not READABLE[of](content),
            door.statuses,
        )
    if kind == "option":
        found = _bad_option(door, random)
    elif kind == "output":
        found = _odd_output(door, random)
    elif kind == "contradiction":
        contradicting = CONTRADICTIONS.get(name, ())
        if not contradicting:
            return None
        chosen = random.choice(contradicting)
        found = " ".join(chosen), (*door.argv, *chosen), ("",)
    elif kind == "typed wrong":
        more = random.choice(_TYPED_WRONG)(random)
        if more == ("--alpha",) and "--alpha" not in [one.flag for one in options_of(door.command)]:
            return None
        found = " ".join(more)[:40], (*door.argv, *more), ("",)
    elif kind == "settings":
        # Lists need no settings of audits.
        if (
            door.long
            or name in ("zoo", "learners")
            or door.command in ("theorems", "glossary", "schema", "history", "one-run", "white-box", "report")
        ):
            return None
        words, key, text, wrong = _bad_settings(door, random)
        return Case(
            name,
            kind,
            words,
            door.argv,
            (("pyproject.toml", text.encode()),),
            ("pyproject.toml", "tool.dpcheck", "learners", f"--{key}", key),
            wrong,
            USAGE,
        )
    else:
        if name not in _TAKES_TARGET:
            return None
        words, argv, named, put = _bad_target(name, door, random)
        return Case(name, kind, words, argv, (*put, *places), named, True, OF_TARGETS)
    if found is None:
        return None
    words, argv, named = found
    return Case(name, kind, words, argv, places, named, True, door.statuses)


def cases(random: random.Random, sound: Path, **chosen: Any) -> Iterator[Case]:
    """Cases without end."""
    while True:
        case = drawn(random, sound, **chosen)
        if case is not None and not any("\x00" in word for word in case.argv):
            yield case
