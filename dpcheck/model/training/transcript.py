"""What a training says of its steps while it runs: which records a step uses, and what it makes public."""

from __future__ import annotations

from typing import Any, Protocol


class Transcript(Protocol):
    """What a training hands its batches and releases to, and goes on with what it gets back.

    Both give back what they are given, but where a training is replayed (:func:`dpcheck.white_box`): then they give
    other batches, or releases of an earlier run. So a training must use what it gets, not what it gave.
    """

    def batch(self, records: Any) -> Any:
        """The records of the next step: positions in the dataset, or a mask of it.

        Before each release; where all records are used, ``range(len(dataset))``.
        """
        ...

    def release(self, before: Any, after: Any, *, divided_by: float = 1.0) -> Any:
        """What a step makes public: ``after``, which is ``before`` with noise.

        Numbers, an array, or a list, tuple or dict of arrays (layers). ``before`` is the sum of what each record of
        the batch gives (its clipped gradient), without the noise; both are divided by ``divided_by``, such as the
        expected size of a batch, where the training takes means.
        """
        ...


class _Unrecorded:
    """Nobody records."""

    def batch(self, records: Any) -> Any:
        return records

    def release(self, before: Any, after: Any, *, divided_by: float = 1.0) -> Any:
        return after


#: The default of a training's argument ``transcript``: nothing is recorded.
UNRECORDED: Transcript = _Unrecorded()
