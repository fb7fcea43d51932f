"""The bound made of a tool that only rejects: the rejected prefix of the grid, whatever the tool says elsewhere."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from peers.runner import largest_rejected


@given(st.lists(st.booleans(), max_size=20), st.data())
def test_the_bound_is_the_rejected_prefix(rejected: list[bool], data: st.DataObject) -> None:
    grid = [float(step + 1) for step in range(len(rejected))]
    answers = dict(zip(grid, rejected, strict=True))
    bound = largest_rejected(answers.__getitem__, grid)
    assert all(answers[epsilon] for epsilon in grid if epsilon <= bound)
    assert not answers.get(bound + 1.0, False)
    truth = data.draw(st.sampled_from([0.0, *grid]))
    first_true = next((epsilon for epsilon in grid if epsilon >= truth), None)
    if bound > truth:  # an error needs the first true hypothesis to be rejected: one test, one level
        assert first_true is not None
        assert answers[first_true]
