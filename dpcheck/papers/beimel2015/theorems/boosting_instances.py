"""The exact instances that go with refuted lines of section 4 of beimel2015."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from dpcheck.proof.instances import Enumeration

#: Of so many settings with iterations, so many have a last one: a grid, which `endless` counts again.
TRIED, ENDING = 378, 72
_DIMENSIONS, _PARTS, _SIZES, _LABELLED = (1, 10, 100), (2, 10, 100), range(2, 9), range(2, 11)
#: What of them an author would want to know.
ENDS_AND_NOT = (
    f"{TRIED} settings with m < 300 n (V in 1, 10, 100; alpha = beta in 1/2, 1/10, 1/100; n in 10^2, ..., 10^8; m in 10^2, "
    f"..., 10^10) the loop ends in {ENDING}."
)


def endless(labelled: int = 120_000, size: int = 401) -> Enumeration:
    """A loop whose second iteration asks for a negative number of elements, and how many of a grid of settings end."""
    failure = ""
    sizes, first, length = float(labelled), 0.0, 0.0
    for number in range(1, 40):  # real sizes; a T of negative length is empty
        if sizes >= 300 * size:
            failure = f"it ends after {number - 1} iterations"
            break
        half = 2.0**-number
        length = min(30_000 * size, half / 8 * math.exp(half / 20 * sizes / 200) - sizes)
        first = length if number == 1 else first
        if number == 2 and (length >= 0 or abs(first - 84_313.6) > 0.1):
            failure = f"the first two T are {first} and {length}"
        sizes = (sizes + max(0.0, length)) / 100
    tried, ending = 0, 0
    for dimension, part, power, more in itertools.product(_DIMENSIONS, _PARTS, _SIZES, _LABELLED):
        if 10**more < 300 * 10**power:
            tried += 1
            ending += _ends(10**more, 10**power, dimension, Fraction(1, part))
    if (tried, ending) != (TRIED, ENDING):
        failure = f"{ending} of {tried} settings end"
    return Enumeration(
        f"V = 1, alpha = beta = 1/2, n = {size}, m = {labelled}: #T_1 = {math.floor(first):,}, #T_2 < 0 as printed, and #S never "
        f"reaches 300 n; the loop ends in {ending} of {tried} settings", tried, failure,
    )  # fmt: skip


def _ends(labelled: int, size: int, dimension: int, part: Fraction) -> bool:
    """Whether the loop of LabelBoost ends at alpha = beta = part."""
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.papers.beimel2015.learners import boost_sizes

    try:
        boost_sizes(labelled, base_size=size, dimension=dimension, accuracy=part, failure=part)
    except InvalidArgument:
        return False
    return True


def last_iteration(labelled: int = 1_747_301, size: int = 5825) -> Enumeration:
    """One iteration at alpha = beta = 1/2, V = 1, whose T is cut off: S^3 is smaller than (640/alpha) log(4480/...)."""
    from dpcheck.papers.beimel2015.learners import boost_sizes

    sizes = boost_sizes(labelled, base_size=size, dimension=1, accuracy=Fraction(1, 2), failure=Fraction(1, 2))
    failure = ""
    if labelled < 192_000 * math.log(8960) or len(sizes.iterations) != 1:
        failure = f"not as clm-4.9 asks, or {len(sizes.iterations)} iterations"
    elif sizes.iterations[0].stretched != 30_000 * size:
        failure = "T is not cut off"
    elif sizes.kept >= 1280 * math.log(17920) or sizes.kept < size:
        failure = f"#S^3 = {sizes.kept}"
    return Enumeration(
        f"alpha = beta = 1/2, V = 1, n = {size}, m = {labelled}: one iteration with v = 30000 n, #S^3 = {sizes.kept} "
        "against 12536", 1, failure,
    )  # fmt: skip


def tables_are_outside(points: int = 4) -> Enumeration:
    """Tables of sampled labels that are wrong elsewhere, for every sample of 2 of the points and every threshold."""
    thresholds = {tuple(int(x < j) for x in range(points)) for j in range(points + 1)}
    count, outside, failure = 0, 0, ""
    for target in sorted(thresholds):
        for sample in itertools.product(range(points), repeat=2):
            count += 1
            table = tuple(target[x] if x in sample else 1 - target[x] for x in range(points))
            outside += table not in thresholds
            wrong = Fraction(sum(a != b for a, b in zip(table, target, strict=True)), points)
            if any(table[x] != target[x] for x in sample) or wrong < Fraction(1, 2):
                failure = f"target {target}, sample {sample}"
    if not outside:
        failure = "all tables are thresholds"
    return Enumeration(
        f"every threshold on {points} uniform points, every sample of 2: the table of its labels has no error on the "
        f"sample and 1/2 or more in truth; {outside} of the tables are no thresholds", count, failure,
    )  # fmt: skip


def one_example(points: int = 4, examples: int = 1) -> Enumeration:
    """With one labelled example every hypothesis errs by (points - 1)/(2 points) on average over the targets left."""
    functions = list(itertools.product((0, 1), repeat=points))
    least = Fraction(points - 1, 2 * points)
    count, failure = 0, ""
    for seen in itertools.product(range(points), repeat=examples):
        for labels in itertools.product((0, 1), repeat=examples):
            left = [f for f in functions if all(f[x] == y for x, y in zip(seen, labels, strict=True))]
            for hypothesis in functions:
                count += 1
                wrong = sum(sum(a != b for a, b in zip(hypothesis, target, strict=True)) for target in left)
                if left and Fraction(wrong, points * len(left)) < least:
                    failure = f"examples {seen} with {labels}, hypothesis {hypothesis}"
    return Enumeration(
        f"all functions on {points} uniform points, every sample of {examples}, every hypothesis: the mean error over the "
        f"targets that agree with the sample is at least {least}", count, failure,
    )  # fmt: skip


def biased_labels(most: int = 60, part: int = 8) -> Enumeration:
    """The N-fold laws of labels with P[1] = 1/2 -+ 1/(part N) are at most 1/4 apart; part 8: alpha = 1/(16 lambda N)."""
    failure = ""
    for size in range(1, most + 1):
        shift = Fraction(1, part * size)  # 2 lambda alpha
        up, down = Fraction(1, 2) + shift, Fraction(1, 2) - shift
        apart = Fraction(0)
        for ones in range(size + 1):
            ways = math.comb(size, ones)
            apart += ways * abs(up**ones * down ** (size - ones) - down**ones * up ** (size - ones)) / 2
        if apart > Fraction(1, 4):
            failure = f"N = {size}: {float(apart):.3f}"
    return Enumeration(
        f"labels with P[1] = 1/2 + 1/({part} N) and 1/2 - 1/({part} N), N = 1..{most} draws: total variation at most 1/4",
        most,
        failure,
    )


def rectangles(side: int, axes: int) -> frozenset[int]:
    """All rectangles of a grid as sets of its points, in bits."""
    points = list(itertools.product(range(side), repeat=axes))
    found = {0}
    sides = [(a, b) for a in range(side) for b in range(a, side)]
    for box in itertools.product(sides, repeat=axes):
        inside = (all(a <= x <= b for x, (a, b) in zip(point, box, strict=True)) for point in points)
        found.add(sum(1 << i for i, yes in enumerate(inside) if yes))
    return frozenset(found)


def dimension_of(concepts: frozenset[int], points: int) -> int:
    """The VC dimension, by trying every set of points."""
    best = 0
    for size in range(1, points + 1):
        if 2**size > len(concepts):
            break
        for chosen in itertools.combinations(range(points), size):
            mask = sum(1 << i for i in chosen)
            if len({concept & mask for concept in concepts}) == 2**size:
                best = size
                break
        else:
            break
    return best


def small_rectangles(side: int = 2) -> Enumeration:
    """RECTANGLE_1^2 has 10 concepts and VC dimension 2, RECTANGLE_1^3 a dimension below 6; RECTANGLE_2^2 has 4."""
    plane = rectangles(side, 2)
    found = dimension_of(plane, side**2)
    failure = ""
    if len(plane) != (side * (side + 1) // 2) ** 2 + 1 or found >= 4:
        failure = f"{len(plane)} rectangles of dimension {found}"
    elif dimension_of(rectangles(side, 3), side**3) >= 6 or dimension_of(rectangles(4, 2), 16) != 4:
        failure = "another dimension for l = 3, or for d = 2"
    return Enumeration(
        f"every set of points of a {side} by {side} grid with every rectangle: VC dimension {found}; below 6 for l = 3",
        2**4 + 2**8, failure,
    )  # fmt: skip


def shattered_sample(dimension: int = 160_000, labelled: int = 1000, size: int = 4) -> Enumeration:
    """The first iteration at alpha = beta = 1/2 on distinct points: S_1^c is shattered, and h_1 is nearly always wrong on it.

    Counted over all labellings of S_1^c: those with k mistakes have the weight exp(-k/2) each, whatever they say on T.
    """
    alpha, beta = Fraction(1, 2) / 20, Fraction(1, 2) / 8
    growth = float(beta) * dimension * math.exp(float(alpha) * labelled / (200 * dimension))
    stretched = min(30_000 * size, math.floor(growth - labelled))
    kept, more = labelled // 100, stretched // 100
    failure = ""
    if not (labelled < 300 * size and 0 < stretched < 30_000 * size and abs(growth - round(growth)) > 1e-6):
        failure = f"no iteration of this kind: v = {stretched}"
    elif labelled % 100 or stretched % 100 or kept + more > dimension:
        failure = f"{kept} + {more} points"
    elif kept * alpha >= 1:
        failure = "a mistake is allowed"
    else:
        ratio = Fraction(606, 1000)  # below exp(-1/2): a larger weight for mistakes makes success rarer still
        if math.exp(-0.5) < ratio:
            failure = "the ratio is too large"
        weights = [math.comb(kept, mistakes) * ratio**mistakes for mistakes in range(kept + 1)]
        if weights[0] / sum(weights) >= 1 - beta:
            failure = f"probability {float(weights[0] / sum(weights)):.4f}"
    return Enumeration(
        f"alpha = beta = 1/2, VC(C) = {dimension}, m = {labelled}, n = {size}: v = {stretched}, #S_1^c = {kept}, "
        f"#T_1^c = {more}; all 2^{kept} labellings of S_1^c by their mistakes", 2**kept, failure,
    )  # fmt: skip


def stuck(labels: int = 7, first: int = 1) -> Enumeration:
    """For V = 1 and up to 7 labels, alpha and beta above 1/e, the loop of LabelBoost does not end."""
    count, failure = 0, ""
    for labelled in range(first, labels + 1):
        for tenths in range(4, 10):
            for size in (1, 100, 10**6):
                count += 1
                value = Fraction(tenths, 10)
                if _ends(labelled, size, 1, value):
                    failure = f"m = {labelled}, alpha = beta = {value}, n = {size}: it ends"
    return Enumeration(
        f"V = 1, m = {first}..{labels}, alpha = beta = 0.4..0.9, n in {{1, 100, 10^6}}: the recursion of "
        "sizes never reaches 300 n", count, failure,
    )  # fmt: skip
