"""What is made of alg-2, for ``dpcheck learners``: the object that answers online, hpriv, and alg-3.

The claims have a delta of 1e-4 on a few records: of 100 models all but those that are trained on a record say 0, and
the threshold is where one vote more or less makes an abstention likelier or less likely.
"""

from __future__ import annotations

from dpcheck.model.neighbours import AddRemove, LabelsOnly, Records
from dpcheck.papers.bassily2018.learners.base_learners import EmpiricalMinimiser, LeastPositive
from dpcheck.papers.bassily2018.learners.label_private import LabelPrivateTransfer
from dpcheck.papers.bassily2018.learners.one_by_one import OneByOne
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.transfer import KnowledgeTransfer, PrivateLabels, Runs
from dpcheck.parts.classes import Thresholds
from dpcheck.parts.learners.entry import LearnerEntry

_MODELS = 100


def _answers(queries: tuple[float, ...], threshold: float, scale: float, models: int, delta: float) -> PrivateAnswers:
    """Thresholds' votes; the noise of a query is twice that of the threshold, as in the paper."""
    scales = Scales(threshold, scale, 2 * scale, models)
    return PrivateAnswers(LeastPositive(), queries, scales, split="by_record", guard="strict", delta=delta)


def one_by_one(
    *,
    queries: int = 8,
    threshold: float = 97.0,
    scale: float = 4.0,
    models: int = _MODELS,
    delta: float = 1e-4,
) -> OneByOne:
    """Alg-2 asked one query at a time, the same one again and again, until its one abstention."""
    return OneByOne(_answers((0.9,) * queries, threshold, scale, models, delta))


def labels(
    *,
    runs: Runs = "one",
    queries: tuple[float, ...] = (0.4, 0.9, 0.9),
    threshold: float = 90.0,
    scale: float = 4.0,
    models: int = _MODELS,
    delta: float = 1e-4,
) -> PrivateLabels:
    """hpriv on three points, by one run or by separate ones."""
    return PrivateLabels(_answers(queries, threshold, scale, models, delta), runs)


def transfer(
    *,
    runs: Runs = "one",
    queries: tuple[float, ...] = (0.4, 0.9, 0.9),
    domain: tuple[float, ...] = (0.2, 0.6, 1.0),
    threshold: float = 90.0,
    scale: float = 4.0,
    models: int = _MODELS,
    delta: float = 1e-4,
) -> KnowledgeTransfer:
    """A threshold fitted to hpriv's labels of three points."""
    inside = PrivateLabels(_answers(queries, threshold, scale, models, delta), runs)
    return KnowledgeTransfer(inside, EmpiricalMinimiser(Thresholds()), domain)


def label_private(
    *,
    runs: Runs = "separate",
    domain: tuple[float, ...] = (0.2, 0.6, 1.0),
    records: int = 3,
    labelled: int = 2,
    threshold: float = 90.0,
    scale: float = 4.0,
    models: int = _MODELS,
    delta: float = 1e-4,
) -> LabelPrivateTransfer:
    """A threshold fitted to hpriv's label of the point of the last of three records."""
    return LabelPrivateTransfer(
        LeastPositive(),
        Scales(threshold, scale, 2 * scale, models),
        EmpiricalMinimiser(Thresholds()),
        domain,
        records,
        labelled,
        runs,
        split="round_robin",
        options={"guard": "strict", "delta": delta},
    )


def _few_records() -> AddRemove:
    return AddRemove(Records.labelled(features=[0.2, 0.6], labels=[0, 1]), size=range(3))


_NO_CLASS = "it labels points by the votes of any base learner's models"
ENTRIES = (
    LearnerEntry(
        "bassily2018.one_by_one",
        one_by_one,
        _few_records,
        algorithm="bassily2018:alg-2",
        theorem="bassily2018:thm-3.1",
        summary="A_binClas as the object that answers queries one at a time and keeps the budget",
        not_about_classes=_NO_CLASS,
    ),
    LearnerEntry(
        "bassily2018.labels",
        labels,
        _few_records,
        algorithm="bassily2018:hpriv",
        theorem="bassily2018:obs-4.c",
        summary="hpriv: labels for public points, abstentions replaced by coins",
        not_about_classes=_NO_CLASS,
    ),
    LearnerEntry(
        "bassily2018.transfer",
        transfer,
        _few_records,
        algorithm="bassily2018:alg-3",
        theorem="bassily2018:obs-4.c",
        summary="A_priv: a classifier trained on public points with hpriv's labels",
        not_about_classes="its final learner is any, and so is the base learner of the votes",
    ),
    LearnerEntry(
        "bassily2018.label_private",
        label_private,
        lambda: LabelsOnly(Records.labelled(features=[0.2, 0.6], labels=[0, 1]), size=3),
        algorithm="bassily2018:alg-3",
        theorem="bassily2018:obs-4.a",
        summary="A_priv with some of the records as its public points: private in the labels only",
        not_about_classes="its final learner is any, and so is the base learner of the votes",
    ),
)
