"""Hostile learners through every door: no status 0 of a run that was not finished, no hang, nobody accused.

A cell is a deed (what the code does), a place (where it stands: at import, in a special method of the learner or of an
output, in a thread), and a door (a command, a function of Python, pytest). Each runs in a process of its own:

    python -m benchmarks.hostile_doors --count 100 --seed 0 [--door audit] [--json FILE]

The table has a line for each cell that went wrong, and the counts. Seeds from 1,000,000 on are held out.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

#: A run in a door has this long: the limits that are set below end it far earlier.
LONGEST_SECONDS = 90.0
_LIMITS = {"DPCHECK_IMPORT_SECONDS": "3"}

DEEDS = {
    # The control: every door must let it through, or the others show nothing.
    "nothing": "pass",
    "exits": "os._exit(0)",
    "leaves": "sys.exit(0)",
    "interrupts": "raise Own('it')",
    "presses Ctrl-C": "raise KeyboardInterrupt",
    "hangs": "time.sleep(1000)",
    "loops": "exec('while True: pass')",
    "kills itself": "os.kill(os.getpid(), 9)",
    "stops itself": "os.kill(os.getpid(), 19)",
    # Its parent as it was at the beginning: later it may be somebody else.
    "kills its parent": "os.getppid() == PARENT != 1 and os.kill(PARENT, 9)",
    "raises": "raise RuntimeError('no')",
    "recurses": "deed()",
    "forks": "os.fork()",
    "closes": "[os.close(fd) for fd in range(3)]",
    "shuts": "sys.stdout.close()",
    "moves": "os.chdir('/')",
    "prints": "print('x' * 10**7)",
    "prints a verdict": "print('status 0', flush=True)",
    "allocates": "bytearray(1 << 46)",
    "exits at exit": "atexit.register(os._exit, 0)",
    "exits in a thread": "threading.Timer(0.3, os._exit, (0,)).start()",
    "rings": "signal.setitimer(signal.ITIMER_REAL, 0.2)",
    "lies": "return Liar()",
}
_HEAD = """import atexit, os, signal, sys, threading, time
PARENT = os.getppid()
class Own(BaseException): pass
class Liar:
    __class__ = int
    def __getattr__(self, name): return self
    def __call__(self, *given, **named): return self
def deed(*given, **named):
    {deed}
"""
_CALLS = "    def __call__(self, dataset, rng): return sum(dataset) + rng.laplace()\n"
_OF_OUTPUTS = (
    "__repr__", "__str__", "__len__", "__float__", "__int__", "__index__", "__bool__", "__array__", "__eq__",
    "__hash__", "__iter__", "__getattr__", "__getattribute__", "__reduce_ex__", "__getstate__", "__del__", "__dir__",
    "__format__",
    "__array_interface__", "__array_ufunc__", "__sizeof__", "__deepcopy__", "__next__", "__getitem__", "__contains__",
)  # fmt: skip
PLACES = {
    "import": "deed()\ndef learn(dataset, rng): return sum(dataset) + rng.laplace()\n",
    "call": "def learn(dataset, rng): deed(); return sum(dataset) + rng.laplace()\n",
    "__new__": "class learn:\n    def __new__(cls): deed(); return object.__new__(cls)\n" + _CALLS,
    "__init__": "class learn:\n    def __init__(self): deed()\n" + _CALLS,
    "__del__": "class learn:\n    def __del__(self): deed()\n" + _CALLS,
    "factory": "class Learn:\n" + _CALLS + "def learn(): deed(); return Learn()\n",
    "metaclass": "class Made(type):\n    def __call__(cls): deed()\nclass learn(metaclass=Made):\n" + _CALLS,
    "metaclass getattr": "class Made(type):\n    def __getattr__(cls, name): deed()\nclass learn(metaclass=Made):\n"
    + _CALLS,
    **{
        f"property {name}": f"class learn:\n    @property\n    def {name}(self): return deed()\n{_CALLS}"
        for name in ("claim", "neighbours", "distribution", "exact_loss", "sample", "order_blind", "time_exponent")
    },
    **{
        f"method {name}": f"class learn:\n    def {name}(self, *given): return deed()\n{_CALLS}"
        for name in ("distribution", "exact_loss", "sample")
    },
    "__getattr__": "class learn:\n    def __getattr__(self, name): return deed()\n" + _CALLS,
    "__getattr__ of an instance": "class learn:\n    def __getattr__(self, name): return deed()\n"
    + _CALLS
    + "learn = learn()\n",
    "__signature__": "class learn:\n    @property\n    def __signature__(self): return deed()\n"
    + _CALLS
    + "learn = learn()\n",
    "__repr__": "class learn:\n    def __repr__(self): return deed()\n    __str__ = __repr__\n"
    + _CALLS
    + "learn = learn()\n",
    "pickling": "class learn:\n    def __reduce_ex__(self, protocol): return deed()\n" + _CALLS + "learn = learn()\n",
    "copying": "class learn:\n    def __deepcopy__(self, memo): return deed()\n" + _CALLS + "learn = learn()\n",
    "unpickling": "class learn:\n    def __setstate__(self, state): deed()\n"
    "    def __init__(self): self.held = 1\n" + _CALLS + "learn = learn()\n",
    **{
        f"output {name}": f"class Out:\n    def {name}(self, *given, **named): return deed()\n"
        "def learn(dataset, rng): return Out()\n"
        for name in _OF_OUTPUTS
    },
    "output __class__": "class Out:\n    @property\n    def __class__(self): return deed()\n"
    "def learn(dataset, rng): return Out()\n",
    "float __repr__": "class Out(float):\n    def __repr__(self): return deed()\n    __eq__ = __hash__ = __repr__\n"
    "def learn(dataset, rng): return Out(1.0)\n",
    "text of an exception": "class Bad(Exception):\n    def __str__(self): return deed()\n"
    "def learn(dataset, rng):\n    if rng.random() < 0.5: raise Bad\n    return 0.0\n",
    "row of an output": "class Out(list):\n    def __iter__(self): return deed()\n    __len__ = __iter__\n"
    "def learn(dataset, rng): return [Out([1.0])]\n",
}
_DATA = ("--bounds", "0,1", "--size", "2", "--call-timeout", "2", "--quiet")
_EFFORT = ("--max-samples", "300", "--max-seconds", "5")
COMMANDS = {
    "audit": ("audit", "hostile.py:learn", "--epsilon", "1", *_DATA, *_EFFORT),
    "audit without a claim": ("audit", "hostile.py:learn", *_DATA, *_EFFORT),
    "audit of a module": ("audit", "hostile:learn", "--epsilon", "1", *_DATA, *_EFFORT, "--format", "json"),
    "dry run": ("audit", "hostile.py:learn", "--epsilon", "1", *_DATA, *_EFFORT, "--dry-run"),
    "measure": ("measure", "hostile.py:learn", *_DATA, *_EFFORT),
    "plan": ("plan", "hostile.py:learn", "--epsilon", "1", *_DATA[:-1]),
    "check": ("check", "hostile.py:learn", "--epsilon", "1", *_DATA, "--max-samples", "300",
              "--only", "order_of_records", "--only", "pickling", "--only", "empty_data",
              "--only", "agreement_of_sample_with_calls",
              "--only", "refusal_of_an_impossible_epsilon"),
    "record": ("record", "hostile", "--max-seconds", "2", "--call-timeout", "2", "--quiet"),
    "compare": ("compare", "hostile", "--max-seconds", "2", "--call-timeout", "2", "--quiet"),
    "report": ("report", "paper.py", "--quick", "--quiet", "--out", "pages"),
}  # fmt: skip
_SETTINGS = """[[tool.dpcheck.learners]]
name = "hostile"
target = "hostile.py:learn"
epsilon = 1
bounds = [0, 1]
size = 2
calls = 1000
learn-calls = 500
"""
_PAPER = """from fractions import Fraction
from hostile import learn
from dpcheck.trial.privacy import PrivacyCheck
from dpcheck.trial.upper import UpperBound
from dpcheck.proof.statement import Paper, Theorem
from dpcheck.utility.distributions import FiniteDistribution
PAPER = Paper("mine", "Mine", (Theorem("mine:a", "A"),))
LAW = FiniteDistribution([0], [1], [Fraction(1, 10)], best=Fraction(1, 10))
CHECKS = (
    UpperBound("mine:a", "c", learn, LAW, {"n": 5}, {"accuracy": 0.1, "failure": 0.1}, dataset=lambda *given: [0, 1],
               arguments={"trial_timeout": 2.0}),
    PrivacyCheck("mine:a", "p", learn, 1.0, pairs=[([0, 0], [1, 0])], max_samples=300),
)
"""
_PAIR = "pairs=[([0, 0], [1, 0])], call_timeout=2.0"
_OF_PYTHON = {
    "dpcheck.audit": f"print(dpcheck.audit(learn, 1.0, {_PAIR}, max_samples=300, max_seconds=5).status.value)",
    "dpcheck.measure": f"print(dpcheck.measure(learn, {_PAIR}, max_samples=300, max_seconds=5).failure)",
    "assert_private": f"dpcheck.assert_private(learn, 1.0, {_PAIR}, max_samples=300, max_seconds=5)",
    "by_calls": f"print(dpcheck.audit(dpcheck.by_calls(learn), 1.0, {_PAIR}, max_samples=300).status.value)",
    "check_learner": f"print(*dpcheck.check_learner(learn, 1.0, {_PAIR}, max_samples=300, max_seconds=5, "
    "checks=['order_of_records', 'pickling', 'agreement_of_sample_with_calls']))",
    "record_baseline": "from dpcheck.history.subject import Subject\n"
    f"print(*dpcheck.record_baseline([Subject('it', learn, 1.0, {_PAIR}, calls=1000, learn_calls=500)]).learners)",
    "failure_rate": "from dpcheck.utility.distributions import UniformGrid\n"
    "print(dpcheck.failure_rate(learn, UniformGrid(9), sizes={'private': 2}, accuracy=0.1, trials=30, "
    "trial_timeout=2.0, dataset=lambda *given: [0, 1]).trials)",
    "sample_complexity": "from dpcheck.utility.distributions import UniformGrid\n"
    "print(dpcheck.sample_complexity(learn, UniformGrid(9), accuracy=0.1, failure=0.2, most=2, trials=30, "
    "trial_timeout=2.0, dataset=lambda *given: [0, 1]).enough)",
}
_OF_PYTEST = {
    "dp_audit": "def test_private(dp_audit):\n"
    f"    dp_audit(learn, 1.0, {_PAIR}, max_samples=300, max_seconds=5, allow_inconclusive=True)\n",
    "parametrize_with_checks": "import dpcheck\n"
    f"@dpcheck.parametrize_with_checks([dpcheck.Case(learn, 1.0, {_PAIR}, max_samples=300,\n"
    "    checks=['order_of_records', 'pickling'])])\ndef test_learner(case, check):\n    check(case)\n",
}
DOORS = (*COMMANDS, *_OF_PYTHON, *_OF_PYTEST)
_FINISHED = "FINISHED"
#: The script's own process runs these: it imports the module, and an object of the module lives in it.
_OF_THE_SCRIPT = frozenset({"import", "metaclass getattr"})


@dataclass(frozen=True)
class Cell:
    """One learner through one door, and what came of it; ``wrong`` is empty where all was well."""

    deed: str
    place: str
    door: str
    status: int
    seconds: float
    wrong: str
    said: str


def ran(deed: str, place: str, door: str) -> Cell:
    """One cell, run in a folder and a process group of its own."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        source = _HEAD.replace("{deed}", DEEDS[deed]) + PLACES[place]
        (here / "hostile.py").write_text(source, encoding="utf-8")
        (here / "pyproject.toml").write_text(_SETTINGS, encoding="utf-8")
        (here / "paper.py").write_text(_PAPER, encoding="utf-8")
        if door in COMMANDS:
            command = [sys.executable, "-m", "dpcheck", *COMMANDS[door]]
        elif door in _OF_PYTHON:
            script = f"import dpcheck\nfrom hostile import learn\n{_OF_PYTHON[door]}\nprint('{_FINISHED}')\n"
            (here / "script.py").write_text(script, encoding="utf-8")
            command = [sys.executable, "script.py"]
        else:
            test = f"from hostile import learn\n{_OF_PYTEST[door]}\ndef test_other(): pass\n"
            (here / "test_door.py").write_text(test, encoding="utf-8")
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_door.py"]
        began = time.monotonic()
        with (here / "out").open("wb") as out, (here / "err").open("wb") as err:
            process = subprocess.Popen(
                command, cwd=here, env={**os.environ, **_LIMITS}, stdout=out, stderr=err, start_new_session=True
            )
            try:
                status = process.wait(LONGEST_SECONDS)
                hung = False
            except subprocess.TimeoutExpired:
                status, hung = -1, True
            finally:
                with_group_ended(process)
        seconds = time.monotonic() - began
        texts = [(here / name).read_bytes()[-20_000:].decode("utf-8", "replace") for name in ("out", "err")]
    wrong = "hung" if hung else judged(door, status, *texts)
    return Cell(deed, place, door, status, round(seconds, 2), wrong, "".join(texts)[-2000:] if wrong else "")


def with_group_ended(process: subprocess.Popen[bytes]) -> None:
    """End whatever the cell left running."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def judged(door: str, status: int, out: str, err: str) -> str:
    """What is wrong with how a door ended, or nothing."""
    said = f"{out}\n{err}"
    if "VIOLATED" in said or "\nviolated" in f"\n{out}" or '"violated"' in out:
        return "accused"
    if "internal error" in said or ("please report" in said and door != "check"):
        return "internal error"
    if door in COMMANDS:
        if "Traceback" in err:
            return "traceback"
        if status == 0 and not out.strip():
            return "status 0 without a word"
        # A check that fails is "not as expected"; so is a comparison without a baseline, or a claim without a learner.
        if status == 1 and door not in ("check", "compare", "report"):
            return "status 1"
        return ""
    if door in _OF_PYTHON:
        return "status 0 of a script that did not end" if status == 0 and _FINISHED not in out else ""
    finished = " passed" in out or " failed" in out or " error" in out
    if status == 0 and not finished:
        return "status 0 of an unfinished run"
    return "" if finished or status < 0 else "unfinished"


def main() -> None:
    """Run the cells that the command line asks for, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--door", choices=DOORS)
    parser.add_argument("--place", choices=PLACES)
    parser.add_argument("--deed", choices=DEEDS)
    parser.add_argument("--show", action="store_true", help="a line for every cell")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    cells = [
        (deed, place, door)
        for deed in ([asked.deed] if asked.deed else DEEDS)
        for place in ([asked.place] if asked.place else PLACES)
        for door in ([asked.door] if asked.door else DOORS)
        # What a script imports itself runs in it: no door of dpcheck's.
        if door in COMMANDS or place not in _OF_THE_SCRIPT
    ]
    chosen = random.Random(asked.seed).sample(cells, min(asked.count, len(cells)))
    found = []
    for number, cell in enumerate(chosen, start=1):
        found.append(ran(*cell))
        one = found[-1]
        if asked.show:
            print(f"{one.deed} / {one.place} / {one.door}: {one.status} after {one.seconds} s", flush=True)
        if one.wrong:
            last = (one.said.strip().splitlines() or [""])[-1][:160]
            print(f"{number}: {one.deed} / {one.place} / {one.door}: {one.wrong} ({one.status}): {last}", flush=True)
    wrong = sum(bool(one.wrong) for one in found)
    slowest = max((one.seconds for one in found), default=0.0)
    print(f"{len(found)} of {len(cells)} cells, seed {asked.seed}: {wrong} wrong; the slowest took {slowest:.0f} s")
    if asked.json:
        asked.json.write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
