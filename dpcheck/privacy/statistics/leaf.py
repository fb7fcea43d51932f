"""One part of an answer: numbers or members under the path that leads to them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from numpy.typing import NDArray

from dpcheck.execution.handover import without_padding


@dataclass(frozen=True)
class Leaf:
    """One part of an answer: its path, and either numbers in their order or the members it has."""

    path: str
    numbers: NDArray[Any] | None = None
    members: tuple[str, ...] = ()


def digest(leaf: Leaf) -> str:
    """What a leaf holds, in 64 bits that do not depend on the process.

    >>> digest(Leaf("", None, ("a",))) == digest(Leaf(" key", None, ("a",)))
    True
    """
    return _of_members(leaf.members) if leaf.numbers is None else _of_bytes(without_padding(leaf.numbers).tobytes())


@lru_cache(maxsize=4096)
def _of_members(members: tuple[str, ...]) -> str:
    return _of_bytes(repr(members).encode(errors="replace"))


@lru_cache(maxsize=4096)
def _of_bytes(held: bytes) -> str:
    return hashlib.blake2b(held, digest_size=8).hexdigest()


def hash_text(text: str) -> int:
    """16 bits of a text that do not depend on the process.

    >>> hash_text("a") == hash_text("a"), hash_text("a") == hash_text("b")
    (True, False)
    """
    return int.from_bytes(hashlib.blake2b(text.encode(errors="replace"), digest_size=2).digest(), "little")
