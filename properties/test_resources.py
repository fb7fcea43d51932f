"""However a number of bytes is spelt, it is the same number, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcheck.execution.resources import LEAST_MEMORY, Resources, as_argument, bytes_of, in_bytes
from dpcheck.model.errors import InvalidArgument

FACTORS = {
    "": 1, "b": 1, "k": 1 << 10, "KiB": 1 << 10, "kB": 1000, "M": 1 << 20, "mib": 1 << 20, "MB": 10**6,
    "g": 1 << 30, "GiB": 1 << 30, "GB": 10**9, "T": 1 << 40, "TiB": 1 << 40, "tb": 10**12,
}  # fmt: skip
MOST = 1 << 50


@given(st.sampled_from(sorted(FACTORS)), st.integers(0, MOST), st.sampled_from(["", " "]))
def test_bytes_are_the_number_times_the_unit_or_refused_in_a_line(unit: str, number: int, space: str) -> None:
    number //= FACTORS[unit]
    text, wanted = f"{number}{space}{unit}", number * FACTORS[unit]
    if wanted >= LEAST_MEMORY:
        assert bytes_of("max_memory", text) == bytes_of("max_memory", wanted) == wanted
    else:
        with pytest.raises(InvalidArgument, match=r"^max_memory must be bytes such as [^\n]*$"):
            bytes_of("max_memory", text)


@given(st.one_of(st.text(max_size=12), st.floats(), st.booleans(), st.lists(st.integers())))
def test_anything_else_is_refused_in_a_line_or_means_what_it_says(value: object) -> None:
    told = ""
    try:
        found = bytes_of("max_memory", value)
    except InvalidArgument as error:
        told = str(error)
    if told:
        assert told.startswith("max_memory must be bytes such as 2GiB")
        assert "\n" not in told
    else:
        assert found >= LEAST_MEMORY
        assert isinstance(value, str)


@given(st.integers(LEAST_MEMORY, MOST))
def test_what_is_said_of_bytes_is_nearly_them(number: int) -> None:
    assert abs(bytes_of("max_memory", in_bytes(number)) / number - 1) < 0.01


@given(st.one_of(st.none(), st.integers(1, MOST)), st.one_of(st.none(), st.integers(1, 1000)), st.integers(1, 10**6))
def test_the_kernel_allows_what_is_counted_and_more(memory: int | None, processes: int | None, tasks: int) -> None:
    held, limit, files = as_argument(Resources(memory=memory, processes=processes), tasks).split(",")
    assert (held, files) == ("" if memory is None else str(memory), "")
    assert (limit == "") == (processes is None)
    assert processes is None or int(limit) > tasks + processes
