"""What a shell completes: names of the zoo, learners, papers, theorems, subjects, checks and documents.

A shell asks at each press of a key and waits, so nothing is imported for it: the names stand in a file, which
``python -m dpcheck.cli.completion`` writes and a test holds to what there is. Papers of other packages are known by
their entry points alone.
"""

from __future__ import annotations

import io
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

#: Set by a shell that asks for completions.
COMPLETING = "_DPCHECK_COMPLETE"
NAMES = Path(__file__).with_name("completion.json")
#: What a check's name may begin with, or may not.
_CHECK = "check_"

Completer = Callable[[str], list[str]]


def completing(environment: os._Environ[str] | dict[str, str] = os.environ) -> bool:
    """Whether a shell asks what a line could go on with."""
    return COMPLETING in environment


def zoo(incomplete: str) -> list[str]:
    """Entries of the zoo.

    >>> zoo("staircase"), zoo("no_such")
    (['staircase'], [])
    """
    return _beginning(_names()["zoo"], incomplete)


def learners(incomplete: str) -> list[str]:
    """Learners of the papers, and the papers.

    >>> learners("alon2019.cov")
    ['alon2019.cover']
    """
    known = _names()["learners"]
    return _beginning([*dict.fromkeys(name.partition(".")[0] for name in known), *known], incomplete)


def papers(incomplete: str) -> list[str]:
    """Papers, those of other packages too.

    >>> papers("al")
    ['alon2019']
    """
    from importlib.metadata import entry_points

    installed = [one.name for one in entry_points(group="dpcheck.papers")]
    return _beginning(sorted({*_names()["papers"], *installed}), incomplete)


def theorems(incomplete: str) -> list[str]:
    """Results of the papers.

    >>> theorems("alon2019:thm-3")
    ['alon2019:thm-3.1']
    """
    return _beginning(_names()["theorems"], incomplete)


def statuses(incomplete: str) -> list[str]:
    """What a step or a result may be.

    >>> statuses("ref")
    ['refuted']
    """
    return _beginning(_names()["statuses"], incomplete)


def subjects(incomplete: str) -> list[str]:
    """Subjects of the survey, and their libraries.

    >>> subjects("diffprivlib-linear-regression")[0]
    'diffprivlib-linear-regression'
    """
    return _beginning(_names()["subjects"], incomplete)


def checks(incomplete: str) -> list[str]:
    """Checks; ``check_`` may be left out.

    >>> checks("empty"), checks("check_empty")
    (['empty_data'], ['check_empty_data'])
    """
    known = _names()["checks"]
    return _beginning([name.removeprefix(_CHECK) for name in known] + known, incomplete)


def documents(incomplete: str) -> list[str]:
    """Documents that dpcheck writes.

    >>> documents("dpcheck-run")
    ['dpcheck-run/1']
    """
    return _beginning(_names()["documents"], incomplete)


def targets(incomplete: str) -> list[str]:
    """What an audit takes and is no file: a shell completes files where this has nothing.

    >>> targets("zoo:stairc"), targets("learner:alon2019.cov"), targets("mylearner")
    (['zoo:staircase'], ['learner:alon2019.cover'], [])
    """
    known = _names()
    named = [f"zoo:{name}" for name in known["zoo"]] + [f"learner:{name}" for name in known["learners"]]
    return _beginning(named, incomplete) if incomplete else ["zoo:", "learner:"]


def trainings(incomplete: str) -> list[str]:
    """Trainings that a white box is shown at.

    >>> trainings("trained:dp_sgd")[0]
    'trained:dp_sgd'
    """
    return _beginning([f"trained:{name}" for name in _names()["trained"]], incomplete)


def reported(incomplete: str) -> list[str]:
    """What a report may be of: papers, results, learners.

    >>> reported("alon2019.cov"), reported("alon2019:thm-3")
    (['alon2019.cover'], ['alon2019:thm-3.1'])
    """
    return list(dict.fromkeys([*papers(incomplete), *learners(incomplete), *theorems(incomplete)]))


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def join_cut_words(environment: MutableMapping[str, str]) -> str:
    """Make one word again of those that bash has cut at their colons: it takes ``zoo:lap`` for three.

    Returns what bash has before the word that it asks about, which it wants no answer to begin with.

    Examples
    --------
    >>> told = {COMPLETING: "complete_bash", "COMP_WORDS": "dpcheck audit zoo : lap", "COMP_CWORD": "4"}
    >>> join_cut_words(told)
    'zoo:'
    >>> told["COMP_WORDS"], told["COMP_CWORD"]
    ('dpcheck audit zoo:lap', '2')
    """
    if not environment.get(COMPLETING, "").endswith("_bash"):
        return ""
    try:
        place = int(environment.get("COMP_CWORD", ""))
        words = shlex.split(environment.get("COMP_WORDS", ""))[: place + 1]
    except ValueError:
        return ""  # a quotation that is not finished: typer takes it as it comes
    words += [""] * (len(words) == place)
    whole: list[str] = []
    for word in words:
        if whole and word and (word == ":" or whole[-1].endswith(":")):
            whole[-1] += word
        else:
            whole.append(word)
    environment["COMP_WORDS"], environment["COMP_CWORD"] = shlex.join(whole), str(len(whole) - 1)
    return whole[-1].rpartition(":")[0] + ":" if whole and whole[-1] != words[-1] else ""


@contextmanager
def answers_behind(before: str) -> Iterator[None]:
    """Whatever is printed meanwhile is names, a line each: they are printed without what stands before them already."""
    told = io.StringIO()
    try:
        with redirect_stdout(told):
            yield
    finally:
        print("\n".join(line.removeprefix(before) for line in told.getvalue().splitlines()))


def _names() -> dict[str, list[str]]:
    import json

    found: dict[str, list[str]] = json.loads(NAMES.read_text(encoding="utf-8"))
    return found


def written_names() -> str:
    """The file's text, from what there is: all names of this package, and none of others."""
    import json

    from dpcheck.adapters.survey import subjects as all_subjects
    from dpcheck.checks.discovery import all_checks
    from dpcheck.parts.learners.discovery import entries as all_learners
    from dpcheck.parts.trained import entries as all_trained
    from dpcheck.parts.zoo import by_name
    from dpcheck.proof.registry import Registry
    from dpcheck.proof.statement import Status
    from dpcheck.report.schemas import schema_names

    here = Path(__file__).parents[1]
    own = {folder.name for folder in (here / "papers").iterdir()}
    known = {key: paper for key, paper in Registry().papers.items() if key in own}
    libraries = dict.fromkeys(one.library.name for one in all_subjects())
    names = {
        "zoo": list(by_name()),
        "learners": [one.name for one in all_learners() if one.paper in own],
        "trained": [one.name for one in all_trained()],
        "papers": list(known),
        "theorems": [one.id for paper in known.values() for one in paper.theorems],
        "statuses": [one.name.lower() for one in Status],
        "subjects": [*libraries, *(one.name for one in all_subjects())],
        "checks": [one.name for one in all_checks() if one.name.startswith(_CHECK)],
        "documents": list(schema_names()),
    }
    return json.dumps(names, indent=1) + "\n"


if __name__ == "__main__":
    from dpcheck.model.disk import write_whole

    write_whole(NAMES, written_names())
