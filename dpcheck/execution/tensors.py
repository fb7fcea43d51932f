"""What a tensor of torch holds beside its numbers: a gradient, its graph, and memory of which it shows a part only."""

from __future__ import annotations

from typing import Any

from dpcheck.execution.answers import Portrait


def beside_tensor(value: Any) -> list[tuple[Any, Any]]:
    """The parts of a tensor beside its numbers, by name; nothing is asked of its class but torch's own attributes.

    A graph and memory behind a view are not read: ``torch.save`` writes all of the memory, and a graph keeps what it
    was computed from. A tensor that is detached and cloned has neither.

    Parameters
    ----------
    value : a tensor, or what has a tensor's attributes

    Raises
    ------
    Exception
        Whatever reading the attributes raises.
    """
    parts: list[tuple[Any, Any]] = [
        ("requires_grad", bool(value.requires_grad)),
        ("device", str(value.device)),
    ]
    if value.grad_fn is not None:
        parts.append(("grad_fn", _unread("the graph that it came from, since it was not detached")))
    if value.is_leaf or value.retains_grad:  # of others torch warns that there is none
        parts.append(("grad", value.grad))
    if value.untyped_storage().nbytes() > value.numel() * value.element_size():
        parts.append(("storage", _unread("the memory of which it is a view, since it was not cloned")))
    return parts + sorted(vars(value).items())


def _unread(what: str) -> Portrait:
    return Portrait("tensor", "unread", text=what, cut=True)
