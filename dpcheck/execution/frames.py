"""Messages between an audit and its workers: length-prefixed frames over a pipe of their own."""

from __future__ import annotations

import os
import struct

#: Marks the start of a frame, so that a learner writing into our pipe by number is noticed.
_MAGIC = b"dpck"
_HEADER = struct.Struct("<4sQ")
HEADER_BYTES = _HEADER.size
#: Longer than any machine's memory: a length beyond it is nonsense, not a message.
_LONGEST = 1 << 44
#: What an audit takes of a worker at once: a message that would fill the audit's own memory is an attack.
MOST_ANSWER_BYTES = 1 << 31
_READ_AT_ONCE = 1 << 20


def framed(payload: bytes) -> bytes:
    """A payload with its header.

    >>> length_in(framed(b"abc")[:HEADER_BYTES])
    3
    """
    return _HEADER.pack(_MAGIC, len(payload)) + payload


def length_in(header: bytes) -> int:
    """The length of the payload that a header announces.

    Raises
    ------
    ValueError
        When these bytes are no header.
    """
    magic, length = _HEADER.unpack(header)
    if magic != _MAGIC or length > _LONGEST:
        raise ValueError("not a frame")
    return int(length)


def write_all(fd: int, data: bytes) -> None:
    """Write all of it, however much the pipe takes at once."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def read_frame(fd: int) -> bytes | None:
    """The next payload, or None when the other end has closed the pipe."""
    header = _read_exactly(fd, HEADER_BYTES)
    return None if header is None else _read_exactly(fd, length_in(header))


def _read_exactly(fd: int, length: int) -> bytes | None:
    parts, missing = [], length
    while missing:
        part = os.read(fd, min(missing, _READ_AT_ONCE))
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
