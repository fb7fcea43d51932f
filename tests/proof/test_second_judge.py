"""The second judge sees what is wrong: of what is called proved and fails, and of what is called refuted and holds."""

from __future__ import annotations

import pytest

from dpcheck.proof.statement import Claim, Status

second_judge = pytest.importorskip("second_judge", reason="z3 is not installed (pip install -e '.[judges]')")

CASES = {
    "holds": (Claim("x in (0, 1)", "", "x^2 < x"), Status.PROVED, "agrees"),
    "fails at an end": (Claim("x in [0, 1]", "", "x^2 < x"), Status.PROVED, "disagrees"),
    "it rises": (
        Claim("x in (0, 1); y in (0, 1)", "x < y", "exp(x) < exp(y)"),
        Status.PROVED,
        "agrees",
    ),
    "a tangent the wrong way": (Claim("x in [1, 2]", "", "exp(x) <= 1 + x"), Status.PROVED, "disagrees"),
    "integers": (Claim("n in Z[1, inf)", "n < 2", "n = 1"), Status.PROVED, "agrees"),
    "refuted and holds": (Claim("x in (0, 1)", "", "x^2 < x"), Status.REFUTED, "disagrees"),
    "refuted": (Claim("x in [0, 1]", "", "x^2 < x"), Status.REFUTED, "agrees"),
    "a factorial": (Claim("n in Z[1, 5]", "", "fact(n) >= 1"), Status.PROVED, "not read"),
}


@pytest.mark.parametrize(("claim", "status", "answer"), CASES.values(), ids=list(CASES))
def test_it_agrees_or_not(claim: Claim, status: Status, answer: str) -> None:
    assert second_judge.judged(claim, status, 2_000) == answer
