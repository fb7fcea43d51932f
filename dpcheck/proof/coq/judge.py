"""Coq as a judge: it is given each theorem that is written for it, and says which it accepts."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpcheck.model.disk import write_whole
from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.coq.derivations import derivation_statement, derivation_theorem
from dpcheck.proof.coq.terms import NotExported
from dpcheck.proof.coq.theorem import statement_of, theorem
from dpcheck.proof.coq.theory import (
    HEAD,
    LAWS_FILE,
    LEMMAS_FILE,
    PRELUDE_FILE,
    assumed_of,
    laws_text,
    lemmas_text,
    prelude_text,
)
from dpcheck.proof.derivation.lines import Derivation
from dpcheck.proof.prover.formula import Formula

#: Derivations that one Coq is given, before another is started; formulas, before it is asked for their axioms.
TOGETHER, ASKED_TOGETHER = 20, 40
#: Seconds for one tactic, for one formula, for one derivation; seconds in which Coq starts.
TACTIC, WHOLE, DERIVATION, START = 20, 60.0, 300.0, 120.0


@dataclass(frozen=True)
class Judged:
    """What Coq says of one theorem.

    Parameters
    ----------
    answer : "accepted", "not accepted", "no answer" (no time left) or "not written"
    why : the first error, or what is not told to Coq
    seconds : how long it took
    """

    answer: str
    why: str = ""
    seconds: float = 0.0


def version() -> str:
    """The version of the Coq that is installed.

    Raises InvalidArgument where there is none.
    """
    if shutil.which("coqtop") is None or shutil.which("coqc") is None:
        raise InvalidArgument(
            "Coq must be installed, 8.16 or later, with Coquelicot and Interval (Debian: coq libcoq-coquelicot "
            "libcoq-interval); coqc was not found"
        )
    found = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=True)
    return found.stdout.split()[0]


def prepare(directory: Path, lemmas: Mapping[str, tuple[Formula, Mapping[str, Any]]]) -> None:
    """Compile in a directory what all theorems rest on.

    Raises InvalidArgument where Coq refuses it.
    """
    version()
    files = {PRELUDE_FILE: prelude_text(), LAWS_FILE: laws_text(), LEMMAS_FILE: lemmas_text(lemmas)}
    for name, written in files.items():
        write_whole(directory / name, written)
        done = subprocess.run(
            ["coqc", "-q", "-R", ".", "Dpcheck", name], cwd=directory, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise InvalidArgument(f"Coq refuses {name}: {done.stderr.strip()[-400:]}")


def judge(
    directory: Path,
    theorems: Iterable[tuple[str, Formula, Mapping[str, Any]]],
    lemmas: Mapping[str, Formula],
    tell: Callable[[str, Judged], None] = lambda name, said: None,
) -> tuple[dict[str, Judged], frozenset[str]]:
    """Give Coq theorems, each alone, and say what it answers, and the axioms that those accepted rest on.

    Parameters
    ----------
    directory : where ``prepare`` compiled what they rest on
    theorems : names, formulas, and what is kept of each
    lemmas : formulas by name
    tell : called after each, with its name and the answer
    """
    found: dict[str, Judged] = {}
    session = _Session(directory)
    try:
        for name, formula, answer in theorems:
            found[name] = session.judged(name, formula, answer, lemmas)
            tell(name, found[name])
            if len(session.accepted) >= ASKED_TOGETHER:  # one that gives no answer ends the Coq that knows them
                session.axioms()
        return found, frozenset(session.axioms())
    finally:
        session.close()


def judge_derivations(
    directory: Path,
    derivations: Iterable[tuple[str, Derivation, Mapping[Formula, Mapping[str, Any]]]],
    tell: Callable[[str, Judged], None] = lambda name, said: None,
) -> tuple[dict[str, Judged], frozenset[str]]:
    """Give Coq the theorems of derivations, each alone: where its formulas hold, so does what it concludes.

    Parameters
    ----------
    directory : where ``prepare`` compiled what they rest on
    derivations : names, derivations, and what is kept of the formulas of each
    tell : called after each, with its name and the answer
    """
    found: dict[str, Judged] = {}
    session = _Session(directory)
    try:
        for name, derivation, answers in derivations:
            found[name] = session.judged_derivation(name, derivation, answers)
            tell(name, found[name])
            if len(session.accepted) >= TOGETHER:  # Coq remembers all proofs, and these are large
                session.axioms()
                session.close()
        return found, frozenset(session.axioms())
    finally:
        session.close()


class _Session:
    """A Coq that runs, and is started again where it gave no answer."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.process: subprocess.Popen[bytes] | None = None
        self.marks = 0
        self.accepted: list[str] = []
        self.known: set[str] = set()
        self.unasked = 0

    def judged(self, name: str, formula: Formula, answer: Mapping[str, Any], lemmas: Mapping[str, Formula]) -> Judged:
        """What Coq says of one theorem, whose name must be new: a name that is there already says nothing."""
        try:
            written = theorem(formula, answer, lemmas, name)
            says = statement_of(formula, answer)
        except NotExported as error:
            return Judged("not written", str(error))
        return self._said(name, written, says, WHOLE)

    def judged_derivation(
        self, name: str, derivation: Derivation, answers: Mapping[Formula, Mapping[str, Any]]
    ) -> Judged:
        """What Coq says of a derivation, whose name must be new."""
        try:
            formulas = assumed_of(answers)
            written = derivation_theorem(derivation, formulas, name)
            says = derivation_statement(derivation, formulas)
        except NotExported as error:
            return Judged("not written", str(error))
        return self._said(name, written, says, DERIVATION)

    def _said(self, name: str, written: str, says: str, limit: float) -> Judged:
        if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) or self._is_there(name, self.ask(f"Check {name}.", WHOLE)):
            raise InvalidArgument(f"a theorem's name must be letters and digits, and new, got {name!r}")
        began = time.monotonic()
        # Goals are not shown meanwhile: of a large proof that would take most of the time.
        said = self.ask(f"Set Silent.\n{written}\nUnset Silent.\nAbort All.", limit)
        # Asked by itself: what is said of a proof that fails may look like it, since goals have names of their own.
        shown = self.ask(f"Check ({name} : {says}).", START) if said is not None else None
        spent = time.monotonic() - began
        if said is None or shown is None:
            return Judged("no answer", f"in {limit:.0f} s", spent)
        only_the_mark_fails = len(re.findall(r"^Error:", shown, re.MULTILINE)) == 1
        if only_the_mark_fails and self._is_there(name, shown):
            self.accepted.append(name)
            return Judged("accepted", "", spent)
        first = re.search(r"Error:?(.{0,200})", said, re.DOTALL)
        return Judged("not accepted", " ".join(first[1].split()) if first else "it is not there", spent)

    @staticmethod
    def _is_there(name: str, said: str | None) -> bool:
        """Whether Coq shows what a name is."""
        return said is not None and re.search(rf"(?:^|< ){name}\s+:", said, re.MULTILINE) is not None

    def axioms(self) -> set[str]:
        """What the theorems accepted rest on, by name; and in words, of how many it could not be asked."""
        if self.accepted and self.process is not None:
            together = ", ".join(self.accepted)
            self.ask(f"Set Default Timeout {10 * START:.0f}.\nDefinition together := ({together}, I).", START)
            said = self.ask("Print Assumptions together.\nReset together.", 10 * START) or ""
            if self.process is not None:
                self.ask(f"Set Default Timeout {TACTIC}.", START)
            listed = said.partition("Axioms:")[2].partition("Toplevel input")[0]  # then comes that a mark is unknown
            found = re.findall(r"^([A-Za-z_][\w.']*)\s*(?::|$)", listed, re.MULTILINE)
            if not found and "Closed under the global context" not in said:
                self.unasked += len(self.accepted)
            self.known.update(found)
        self.accepted = []
        return self.known | ({f"(not asked of {self.unasked} theorems)"} if self.unasked else set())

    def ask(self, text: str, seconds: float) -> str | None:
        """What Coq says; None where it does not end in time (it is then stopped)."""
        if self.process is None:
            self.process = subprocess.Popen(
                ["coqtop", "-q", "-R", ".", "Dpcheck"], cwd=self.directory, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0,
            )  # fmt: skip
            if self.ask(f"{HEAD}Set Default Timeout {TACTIC}.", START) is None:
                return None
        self.marks += 1
        mark = f"end_of_{self.marks}_here"
        process, said, until = self.process, b"", time.monotonic() + seconds
        assert process.stdin is not None
        assert process.stdout is not None
        # In a thread: Coq may answer before it has read all, and both would wait.
        threading.Thread(target=_write, args=(process.stdin, f"{text}\nPrint {mark}.\n".encode()), daemon=True).start()
        while not re.search(mark.encode() + rb"\s+not\s+a\s+defined", said[-2000:]):
            left = until - time.monotonic()
            ready = left > 0 and select.select([process.stdout], [], [], left)[0]
            more = os.read(process.stdout.fileno(), 1 << 16) if ready else b""
            if not more:
                self.close()
                self.unasked += len(self.accepted)
                self.accepted = []
                return None
            said += more
        return said.decode(errors="replace")

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    stream.close()
            self.process = None


def _write(stream: Any, data: bytes) -> None:
    try:
        stream.write(data)
    except (BrokenPipeError, ValueError, OSError):
        return  # it was stopped meanwhile
