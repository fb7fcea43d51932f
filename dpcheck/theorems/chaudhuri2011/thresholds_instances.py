"""The exact instances that the lines of chaudhuri2011's section 3 are decided on."""

from __future__ import annotations

from fractions import Fraction

from dpcheck.theorems.instances import Enumeration


def output_told_by_the_size() -> Enumeration:
    """A data-independent output for each size: it succeeds on some sample of every P_z, and (2) fails for every pair.

    alpha = 1/10, M = 4: 1/eta = 6 + 4 exp(2/5) is 11.97, K = 10; M = 4 and five sizes 0, ..., 4, so the first five z are
    taken. The output on a sample of size j is the centre (j + 1) eta, whatever the records: all samples of a size have
    the same law, and pairs of one size are all that privacy speaks of.
    """
    from dpcheck.learners.hard_instances.chaudhuri2011 import ConcentratedThreshold

    eta = Fraction(1000, 11968)  # at least 1/(6 + 4 exp(2/5)): exp(2/5) <= 1.492, and the centres below stay inside
    sizes = range(5)
    count, failure = 0, ""
    for j in sizes:
        instance = ConcentratedThreshold((j + 1) * eta, eta)
        if instance.error((j + 1) * eta) != 0:
            failure = f"size {j}: no success"
        for other in sizes:
            if other == j:
                continue
            count += 1
            low, high = ConcentratedThreshold((other + 1) * eta, eta).interval
            inside = low <= (j + 1) * eta <= high  # the law is a point: Pr[A(S_z) in GG_z'] is 0 or 1
            if inside or instance.error((other + 1) * eta) < Fraction(1, 4):
                failure = f"sizes {j} and {other}"
    return Enumeration(
        "alpha = 1/10, M = 4, the output h_{(j+1) eta} on all samples of size j = 0..4: error 0 on P_z for z = (j+1) eta, "
        "probability 0 of GG_z' for all 20 pairs", count, failure,
    )  # fmt: skip
