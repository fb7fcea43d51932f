"""The survey's subjects by name, and their audits on a seed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from dpcheck.model.errors import TargetNotFound, nearest

if TYPE_CHECKING:
    from dpcheck.adapters.survey import Subject
    from dpcheck.model.verdict import Verdict


def subjects_named(names: Sequence[str]) -> tuple[Subject, ...]:
    """The subjects of these names (all for none); ``_`` is as good as ``-``, and a library's name means all of its.

    Raises
    ------
    TargetNotFound
        For a name there is no subject of, naming the nearest.
    """
    from dpcheck.adapters.survey import by_name, subjects

    if not names:
        return subjects()
    known = by_name()
    found: list[Subject] = []
    for given in names:
        name = given.replace("_", "-")
        of_library = [subject for subject in known.values() if subject.library.name == name]
        if name not in known and not of_library:
            libraries = {subject.library.name for subject in known.values()}
            hint = nearest(name, [*known, *libraries])
            raise TargetNotFound(f"subject {given!r} is not one of the survey{hint}; see dpcheck survey --list")
        found += [known[name]] if name in known else of_library
    return tuple(dict.fromkeys(found))


def run_name(subject: str, seed: int) -> str:
    """How reports call the audit of a subject on a seed."""
    return f"survey:{subject} (seed {seed})"


def audit_of_subject(subject: Subject, seed: int, **effort: Any) -> Verdict:
    """Audit a subject on its own data, on one thread; what its library warns of while it is made is no news.

    The data are a few rows: threads of linear algebra would only wait for each other, and sums in another order, on
    other machines, differ in their last bits.
    """
    import warnings

    from dpcheck.model.neighbours.schema import of_its_size
    from dpcheck.privacy.run.audit import audit

    with warnings.catch_warnings(), _one_thread():
        warnings.simplefilter("ignore")
        prepared = subject.prepare()
        return audit(
            prepared.learner,
            prepared.claim,
            neighbours=of_its_size(prepared.relation, prepared.dataset),
            dataset=prepared.dataset,
            shrink=subject.shrink,
            max_samples=subject.max_samples,
            seed=seed,
            name=run_name(subject.name, seed),
            **effort,
        )


def _one_thread() -> AbstractContextManager[object]:
    try:
        import sklearn  # noqa: F401  # loads the linear algebra that is to be limited
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    limits: AbstractContextManager[object] = threadpool_limits(limits=1)
    return limits


def audited(name: str, effort: dict[str, Any]) -> Verdict:
    """The verdict on a subject and a seed, written ``NAME@SEED``, in whatever process this is called."""
    subject, _, seed = name.rpartition("@")
    (found,) = subjects_named([subject])
    return audit_of_subject(found, int(seed), **effort)
