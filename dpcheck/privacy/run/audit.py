"""``audit``: is a learner as private as it claims? The phases are functions; this module only orders them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpcheck.model.data.forms import Form
from dpcheck.model.errors import InvalidArgument, true_or_false
from dpcheck.model.verdict import Record, Verdict
from dpcheck.privacy.run.by_calls import run_audit
from dpcheck.privacy.run.declared import run_declared
from dpcheck.privacy.run.events import Listener
from dpcheck.privacy.run.exact import answers_exactly
from dpcheck.privacy.run.kept_calls import kept_throughout
from dpcheck.privacy.run.limits import Limits, a_directory, journal_to_go_on
from dpcheck.privacy.run.question import ask


def audit(
    learner: Any,
    claim: Any = None,
    *,
    neighbours: Any = None,
    dataset: Any = None,
    pairs: Any = None,
    alpha: float = 1e-6,
    detect: float | None = None,
    numerics: str = "real",
    warnings: str = "finding",
    exhaustive: bool = False,
    shrink: bool | None = None,
    max_samples: int | None = None,
    max_seconds: float | None = None,
    call_timeout: float = 10.0,
    isolation: str = "auto",
    max_memory: int | str | None = None,
    max_processes: int | None = None,
    max_files: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    on_event: Listener | None = None,
    name: str | None = None,
    options: dict[str, Any] | None = None,
    form: Form | str | None = None,
    resume: Verdict | Record | str | Path | None = None,
    journal: str | Path | None = None,
    executor: Any = None,
) -> Verdict:
    """Look for a violation of a privacy claim, with a false-alarm probability fixed in advance.

    A learner with ``distribution(dataset)`` is answered exactly: its declared laws are compared with its calls, and
    then with each other; :func:`dpcheck.by_calls` hides the ability. Where calls contradict the law, the learner has
    failed, unless calls alone refute the claim too. Every other learner is audited by its calls alone.

    Of a learner with ``sample`` only separate calls count for or against the claim: its draws are learned from, and
    compared with calls in law and independence for as long as they are used. Where they differ the learner has failed.

    Valid at any stopping time: it looks after every batch, stops on a violation and otherwise uses its budget.

    Parameters
    ----------
    learner : callable ``(dataset, rng) -> output``, or a factory of such
    claim : float, PureDP, ApproxDP, ZeroConcentratedDP, RenyiDP or GaussianDP
        What is promised; taken from the learner's ``claim`` when not given.
    neighbours : relation, optional
        Which datasets are neighbours (``ReplaceOne``, ``AddRemove``, ``LabelsOnly``). Alone, with its records declared,
        pairs are searched: many are explored on calls that count for nothing, the best certified on fresh ones.
    dataset : optional
        A real dataset from which pairs are made (under ``ReplaceOne`` unless said otherwise). It gives a schema too
        (columns, whole numbers, labels where none are declared), of which small datasets are searched first, of the
        relation's sizes, of 1 to 6 records where it declares none; where it declares the dataset's size, none are.
    pairs : list of ``(left, right)``, optional
        Pairs to try; give these or ``dataset``. Of more than the calls reach (as of those made of a dataset) each is
        explored on calls that count for nothing, and the best are certified on fresh ones.
    alpha : float
        The probability of ever accusing a learner that keeps its claim.
    detect : float, optional
        The epsilon a leak must have to be worth catching (twice the claim when not given, at least 0.1 above it);
        for zCDP, Rényi and Gaussian DP it is an epsilon at the claim's central point
        (``dpcheck.model.claims.claim_point``). When given, the audit also stops once such a leak would have been caught
        with probability 0.9999.
    numerics : "real" or "exact"
        Whether the claim is about real-valued noise (low-order bits are rounded away) or about the doubles.
    warnings : "finding" or "output"
        Whether warnings are told of beside the verdict, or are part of the outputs, as for whoever sees them too.
        A warning that the learner's own filters turn into an exception is an exception, and thus an output.
    exhaustive : bool
        Compare all pairs of the relation's finite domain (``ReplaceOne(records=[0, 1], size=3)``), for a learner with
        ``distribution``; as multisets where it has ``order_blind = True``.
    shrink : bool, optional
        Whether a violating pair is made smaller, rows first, then values, and certified again on fresh calls with half
        of alpha (kept for it from the start). On for searched pairs, off for given ones.
    max_samples : int, optional
        Most calls of the learner, all phases together; 1,000,000 when not given. Where labelled records or small
        datasets beside a given one are searched it is 150,000 then, and the audit ends before, once the pairs certified
        show no more than is claimed, and a leak of ``detect`` would have been caught with probability 0.9999.
    max_seconds : float, optional
        A safety net; the record names the ``max_samples`` that repeats a run stopped by it. 60 when not given, and 600
        where calls are planned as above. An audit that has decided nothing after the 60 goes on until a leak of
        ``detect`` would have been caught, if that can be had within 600: slow calls, and a busy machine, take longer,
        and change no status.
    call_timeout : float, seconds
        A call that takes longer is a hang, and the learner has failed.
    isolation : "auto", "process", "container" or "none"
        Whether the learner runs in a worker process, or in one that is shut in by bubblewrap: no network, no file
        changed (``docs/containment.md`` says what each contains, and what not).
    max_memory : int or str, optional
        Bytes, such as "2GiB", that each process of the learner may have; nine tenths of the machine's when not given.
    max_processes : int, optional
        How many processes the learner may start; 512 when not given.
    max_files : int, optional
        How many files each of its processes may have open; what the system allows when not given.
    seed : int
        All randomness comes from it.
    jobs : int
        Worker processes; the verdict does not depend on it.
    on_event : callable, optional
        Listens to the events of :mod:`dpcheck.privacy.run.events`.
    name, options : optional
        How reports call the learner; arguments for a factory.
    form : str or Form, optional
        How the learner is handed its data: "pair" ``(X, y)``, "labelled" ``.X`` and ``.y``, "rows", "table", "frame",
        "lists", or "auto" for the first of these in which it answers. When not given, data are handed over as they are
        given; those with labels or several columns that are searched as they are made, then as with "auto" where it
        answers to none of them.
    resume : Verdict, Record or path, optional
        Go on from where an earlier audit of the same learner, claim and pairs stopped. One whose code or settings are
        no longer what they were is refused: calls of another learner say nothing of it. A path is the ``journal`` of a
        run that was ended, which must be there.
    journal : path, optional
        A directory in which all answers are kept as they come. The same audit with the same journal, after it was ended
        in whatever way, goes on from there: answers that are kept are not asked for again, and the verdict is the one
        that it would have come to. Answers of other code are not used: of the learner, of modules that are loaded or
        beside it, of other versions of libraries. What a learner takes from the environment, from files or from a
        network is not looked at.
    executor : optional
        Who runs the learner in place of processes of this machine: an executor of ``concurrent.futures``,
        ``joblib.Parallel``, a client of Dask, or an address, ``dask://HOST:PORT``, ``ray://HOST:PORT`` or
        ``ray://auto``. The learner is sent there; Python's version and those of dpcheck, numpy and the libraries that
        it names must be those that are here. The verdict is the same wherever calls are made, also where workers are
        lost. With ``jobs`` of 1 as many requests are run at a time as the executor has workers, else ``jobs``.

    Returns
    -------
    Verdict
        Never says "private". Ctrl-C ends the audit with ``stop = INTERRUPTED`` and what was found until then.

    Raises
    ------
    InvalidArgument
        For arguments that cannot be used, in one line.

    Examples
    --------
    >>> leaky = lambda data, rng: sum(data) + rng.laplace(scale=0.5)
    >>> verdict = audit(leaky, 1.0, pairs=[([0], [1])], isolation="none")
    >>> verdict.status
    <Status.VIOLATED: 'violated'>
    """
    kept = a_directory(journal)
    if resume is not None and not isinstance(resume, Verdict | Record):
        kept, resume = journal_to_go_on(kept, resume), None
    question = ask(
        learner,
        claim,
        measuring=False,
        neighbours=neighbours,
        dataset=dataset,
        pairs=pairs,
        limits=Limits(
            alpha=alpha,
            detect=detect,
            numerics=numerics,
            warnings=warnings,
            max_samples=max_samples,
            max_seconds=max_seconds,
            call_timeout=call_timeout,
            isolation=isolation,
            max_memory=max_memory,
            max_processes=max_processes,
            max_files=max_files,
            seed=seed,
            jobs=jobs,
            journal=kept,
            executor=executor,
        ),
        name=name,
        options=options,
        shrink=shrink,
        exhaustive=true_or_false("exhaustive", exhaustive),
        small=True,
        form=form,
    )
    if answers_exactly(question, exhaustive=exhaustive):
        if resume is not None:
            raise InvalidArgument("resume must be None for a learner with distribution: an exact audit is complete")
        with kept_throughout(question) as whole:
            return run_declared(whole, exhaustive=exhaustive, listener=on_event)
    return run_audit(question, by_power=detect is not None or question.planned, listener=on_event, resume=resume)
