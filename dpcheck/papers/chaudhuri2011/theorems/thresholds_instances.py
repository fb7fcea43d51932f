"""The exact instances that the lines of chaudhuri2011's section 3 are decided on."""

from __future__ import annotations

from fractions import Fraction

from dpcheck.proof.instances import Enumeration


def output_told_by_the_size(spacing: int = 1) -> Enumeration:
    """A data-independent output for each size: it succeeds on some sample of every P_z, and (2) fails for every pair.

    alpha M = log(3/2), so eta = 1/(6 + 4 (3/2)) = 1/12 and K = 11; M = 11, with the sizes 1, ..., 11. The output on a
    sample of size j is the threshold at j eta, whatever the records: all samples of one size have the same law, and pairs
    of one size are all that privacy speaks of. S_z has size j for z = j eta: every centre has one, as the proof supposes.
    Outputs closer together than centres are (``spacing`` 0) would not do.
    """
    from dpcheck.papers.chaudhuri2011.hard_instances import ConcentratedThreshold

    eta, centres = Fraction(1, 12), 11
    instances = [ConcentratedThreshold((j + 1) * eta, eta) for j in range(centres)]
    outputs = [(j * spacing + 1) * eta for j in range(centres)]
    count, failure = 0, ""
    for j, output in enumerate(outputs):
        if instances[j].error(output) >= Fraction(1, 5):
            failure = f"size {j + 1}: no success"
        for other in range(centres):
            if other == j:
                continue
            count += 1
            low, high = instances[other].interval
            if low <= output <= high:  # the law is a point: Pr[A(S_z) in GG_z'] is 0 or 1
                failure = f"sizes {j + 1} and {other + 1}: (2) holds"
    return Enumeration(
        "alpha M = log(3/2), M = 11, output the threshold at j eta on all samples of size j = 1..11: success on P_z for all "
        "11 centres z = j eta, probability 0 of GG_z' for all 110 pairs", count, failure,
    )  # fmt: skip
