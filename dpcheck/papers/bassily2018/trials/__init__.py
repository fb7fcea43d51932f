"""The claims of Bassily, Thakkar & Thakurta 2018 where they are run.

In the order of the page: the headline claims of the inventory (1 ``budget``, 2 and 3 ``rates`` with ``composition``, 4
``privacy``, 5 ``sample_sizes``, 6 ``transfer``, 7 ``hpriv``), and what they rest on (``wrong_votes``, ``stability``,
``labels``). Votes are drawn by their exact law in ``votes_drawn``; ``vote_laws`` and ``vote_streams`` have laws of many
tables of votes at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpcheck.papers.bassily2018.trials import (
    budget,
    composition,
    hpriv,
    labels,
    privacy,
    rates,
    sample_sizes,
    stability,
    transfer,
    wrong_votes,
)
from dpcheck.trial.run import Run

RUNS: tuple[Run, ...] = (
    *budget.RUNS,
    *wrong_votes.RUNS,
    *rates.RUNS,
    *composition.RUNS,
    *privacy.RUNS,
    *stability.RUNS,
    *labels.RUNS,
    *sample_sizes.RUNS,
    *transfer.RUNS,
    *hpriv.RUNS,
)

#: Entries of which there is nothing to run, with the reason.
NOT_RUN: Mapping[str, str] = {
    "bassily2018:obs-5.c": "a bound of another paper (Beimel, Nissim & Stemmer 2016), recorded and not made here",
}
