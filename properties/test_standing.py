"""Where learners of a history stand, against what is said of each in words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dpcheck.history.standing import TROUBLED, standings
from dpcheck.history.store import Row

verdicts = st.sampled_from([*TROUBLED, "unchanged", "better", "new", "recorded"])
rows = st.lists(
    st.builds(
        Row,
        learner=st.sampled_from("abc"),
        command=st.just("compare"),
        verdict=verdicts,
        quantities=st.dictionaries(st.sampled_from(("epsilon", "risk")), st.floats(-1e300, 1e300), max_size=2),
    ),
    max_size=30,
)


@given(rows)
def test_since_is_the_first_of_the_last_runs_with_trouble(history: list[Row]) -> None:
    found = standings(history)
    assert sorted(one.learner for one in found) == sorted({row.learner for row in history})
    assert sum(len(one.rows) for one in found) == len(history)
    graveness = [TROUBLED.index(one.last.verdict) if one.troubled else len(TROUBLED) for one in found]
    assert graveness == sorted(graveness)
    for one in found:
        assert one.rows == tuple(row for row in history if row.learner == one.learner)
        assert one.troubled == (one.since is not None)
        if one.since is None:
            assert one.before is None
            continue
        began = next(place for place, row in enumerate(one.rows) if row is one.since)
        assert all(row.verdict in TROUBLED for row in one.rows[began:])
        assert (one.rows[began - 1] if began else None) is one.before
        assert one.before is None or one.before.verdict not in TROUBLED
        for trend in one.trends():
            assert trend.values == tuple(
                row.quantities[trend.quantity] for row in one.rows if trend.quantity in row.quantities
            )
