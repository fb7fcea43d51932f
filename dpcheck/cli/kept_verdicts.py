"""Verdicts on many learners, kept as they come: those that a run had before it was ended are not made again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpcheck.cli.failures import complain
from dpcheck.execution.kept_parts import Part, Parts, surroundings
from dpcheck.model.errors import RecordCorrupt
from dpcheck.model.verdict import Stop, Verdict


@dataclass(frozen=True)
class KeptVerdicts:
    """The verdicts of a run in its journal.

    Parameters
    ----------
    parts : Parts, the journal
    effort : mapping, how audits are made; where nothing but time depends on it is not to be in it
    code : callable, a name's code in some words; what is around all of it is in the journal's own
    """

    parts: Parts
    effort: Mapping[str, Any]
    code: Callable[[str], str]
    around: Mapping[str, str]

    def found(self, names: Sequence[str]) -> dict[str, Verdict]:
        """Those that an earlier run had."""
        found = {}
        for name in names:
            text = self._part(name).found(str)
            if text is not None:
                try:
                    found[name] = Verdict.from_json(text)
                except RecordCorrupt:  # made again
                    continue
        return found

    def keep(self, name: str, verdict: Verdict) -> None:
        """Keep what came of an audit; not of one that was interrupted."""
        if verdict.stop is not Stop.INTERRUPTED:
            self._part(name).keep(verdict.to_json())

    def _part(self, name: str) -> Part:
        said = json.dumps([self.effort, self.around], sort_keys=True, default=str)
        return self.parts.part(name, self.code(name), said)


@contextmanager
def verdicts_kept(
    directory: Path | None, command: str, effort: Mapping[str, Any], code: Callable[[str], str]
) -> Iterator[KeptVerdicts | None]:
    """Where a command keeps its verdicts while it runs; None where no journal was asked for.

    Raises
    ------
    InvalidArgument
        Where another run has the journal, or it cannot be kept.
    """
    if directory is None:
        yield None
        return
    with Parts(directory, command, {}) as parts:
        try:
            yield KeptVerdicts(parts, effort, code, surroundings())
        finally:
            for line in parts.trouble:
                complain(line)
