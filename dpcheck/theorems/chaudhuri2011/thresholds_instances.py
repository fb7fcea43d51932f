"""The exact instances that the lines of chaudhuri2011's section 3 are decided on."""

from __future__ import annotations

from fractions import Fraction

from dpcheck.theorems.instances import Enumeration


def output_told_by_the_size(spacing: int = 1) -> Enumeration:
    """A data-independent output for each size: it succeeds on some sample of every P_z, and (2) fails for every pair.

    alpha M = log(3/2), so eta = 1/(6 + 4 (3/2)) = 1/12 and K = 11; M = 4, with the sizes 0, ..., 4. The output on a
    sample of size j is the threshold at (j + 1) eta, whatever the records: all samples of one size have the same law,
    and pairs of one size are all that privacy speaks of. S_z has size j for z = (j + 1) eta. Outputs closer together
    than centres are (``spacing`` 0) would not do.
    """
    from dpcheck.learners.hard_instances.chaudhuri2011 import ConcentratedThreshold

    eta = Fraction(1, 12)
    instances = [ConcentratedThreshold((j + 1) * eta, eta) for j in range(5)]
    outputs = [(j * spacing + 1) * eta for j in range(5)]
    count, failure = 0, ""
    for j, output in enumerate(outputs):
        if instances[j].error(output) >= Fraction(1, 5):
            failure = f"size {j}: no success"
        for other in range(5):
            if other == j:
                continue
            count += 1
            low, high = instances[other].interval
            if low <= output <= high:  # the law is a point: Pr[A(S_z) in GG_z'] is 0 or 1
                failure = f"sizes {j} and {other}: (2) holds"
    return Enumeration(
        "alpha M = log(3/2), M = 4, output the threshold at (j + 1) eta on all samples of size j = 0..4: success on P_z for z = "
        "(j + 1) eta, probability 0 of GG_z' for all 20 pairs", count, failure,
    )  # fmt: skip
