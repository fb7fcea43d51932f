"""Finite sets as points: that one set is another and one index more, for derivations that count sets."""

from __future__ import annotations

from dpcheck.proof.derivation.lines import Given, Line

#: Sets of indices, the points of P; M is how many there are.
SETS = (
    "set P of M; has(P, I) in Z[0, 1]; same(I, I) in Z[0, 1]; is(P, P) in Z[0, 1]; sub(P, P) in Z[0, 1]; "
    "size(P) in Z[0, inf); plus(P, I): P; minus(P, I): P"
)
TWO_SETS = "for r: P, q: P, j: I"
_AS_ONE = "if sub(r, q) = 1, size(q) = size(r) + 1, has(q, j) = 1, has(r, j) = 0"
EXTRA = "[has(q, j) and not has(r, j) and sub(r, q) and size(q) = size(r) + 1]"
_REST = "has(q, l)*(1 - has(r, l))*(1 - same(l, j))"
_REST_Y = "has(q, y)*(1 - has(r, y))*(1 - same(y, j))"
#: For sets R, Q of indices: that Q is R and one index more, in two ways.
ONE_MORE = (
    Line("self", "for l: I: same(l, l) = 1", using=("index at G(y) = 1, j = l", "index at G(y) = same(y, l), j = l")),
    Line(
        "contained",
        "for r: P, q: P, l: I: smallest(y: I, [has(r, y) <= has(q, y)]) <= [has(r, l) <= has(q, l)]",
        "largest",
    ),
    Line(
        "common",
        "for r: P, q: P, l: I: sub(r, q)*has(r, l)*has(q, l) = sub(r, q)*has(r, l)",
        using=("contained", "sub"),
    ),
    Line("in_sum", "for q: P, j: I, l: I: same(l, j)*has(q, l) <= total(y: I, same(y, j)*has(q, y))", "sum"),
    Line(
        "out_sum", "for q: P, j: I, l: I: same(l, j)*(1 - has(q, l)) <= total(y: I, same(y, j)*(1 - has(q, y)))", "sum"
    ),
    Line(
        "moved",
        "for q: P, j: I, l: I: same(l, j)*has(q, l) = same(l, j)*has(q, j)",
        using=("in_sum", "out_sum", "index at G(y) = has(q, y)", "index at G(y) = 1 - has(q, y)"),
    ),
    Line("rest_sum", f"{TWO_SETS}, l: I: {_REST} <= total(y: I, {_REST_Y})", "sum"),
    Line(
        "no_rest",
        f"{TWO_SETS} {_AS_ONE}: total(y: I, {_REST_Y}) = 0",
        using=(
            "size at s = q",
            "size at s = r",
            "total of common over l",
            "index at G(y) = has(q, y)",
            "index at G(y) = has(q, y)*has(r, y)",
        ),
    ),
    Line(
        "agree_plus",
        f"{TWO_SETS}, l: I {_AS_ONE}: [has(q, l) = has(plus(r, j), l)] = 1",
        using=("common", "rest_sum", "no_rest", "moved", "plus"),
    ),
    Line(
        "agree_minus",
        f"{TWO_SETS}, l: I {_AS_ONE}: [has(r, l) = has(minus(q, j), l)] = 1",
        using=("common", "rest_sum", "no_rest", "moved at q = r", "minus"),
    ),
    Line(
        "is_plus",
        f"{TWO_SETS} {_AS_ONE}: is(q, plus(r, j)) = 1",
        using=("smallest of agree_plus over l", "is at s = q, z = plus(r, j)"),
    ),
    Line(
        "is_minus",
        f"{TWO_SETS} {_AS_ONE}: is(r, minus(q, j)) = 1",
        using=("smallest of agree_minus over l", "is at s = r, z = minus(q, j)"),
    ),
    Line("enough_plus_1", f"{TWO_SETS} if {EXTRA} >= 1: {EXTRA} <= is(q, plus(r, j))", using=("is_plus",)),
    Line("enough_plus_0", f"{TWO_SETS} if {EXTRA} < 1: {EXTRA} <= is(q, plus(r, j))"),
    Line("enough_plus", f"{TWO_SETS}: {EXTRA} <= is(q, plus(r, j))", "cases", ("enough_plus_1", "enough_plus_0")),
    Line("enough_minus_1", f"{TWO_SETS} if {EXTRA} >= 1: {EXTRA} <= is(r, minus(q, j))", using=("is_minus",)),
    Line("enough_minus_0", f"{TWO_SETS} if {EXTRA} < 1: {EXTRA} <= is(r, minus(q, j))"),
    Line("enough_minus", f"{TWO_SETS}: {EXTRA} <= is(r, minus(q, j))", "cases", ("enough_minus_1", "enough_minus_0")),
    Line(
        "plus_at",
        f"{TWO_SETS}, l: I: smallest(y: I, [has(q, y) = has(plus(r, j), y)]) <= [has(q, l) = has(plus(r, j), l)]",
        "largest",
    ),
    Line(
        "minus_at",
        f"{TWO_SETS}, l: I: smallest(y: I, [has(r, y) = has(minus(q, j), y)]) <= [has(r, l) = has(minus(q, j), l)]",
        "largest",
    ),
    Line(
        "plus_has",
        f"{TWO_SETS}, l: I: is(q, plus(r, j))*has(q, l) = is(q, plus(r, j))*(has(r, l) + (1 - has(r, l))*same(l, j))",
        using=("plus_at", "is at s = q, z = plus(r, j)", "plus"),
    ),
    Line(
        "minus_has",
        f"{TWO_SETS}, l: I: is(r, minus(q, j))*has(r, l) = is(r, minus(q, j))*has(q, l)*(1 - same(l, j))",
        using=("minus_at", "is at s = r, z = minus(q, j)", "minus"),
    ),
    Line(
        "plus_each",
        f"{TWO_SETS}, l: I: is(q, plus(r, j)) <= [has(r, l) <= has(q, l)]",
        using=("plus_has",),
    ),
    Line(
        "minus_each",
        f"{TWO_SETS}, l: I: is(r, minus(q, j)) <= [has(r, l) <= has(q, l)]",
        using=("minus_has",),
    ),
    Line("plus_sub", f"{TWO_SETS}: is(q, plus(r, j)) <= sub(r, q)", using=("smallest of plus_each over l", "sub")),
    Line("minus_sub", f"{TWO_SETS}: is(r, minus(q, j)) <= sub(r, q)", using=("smallest of minus_each over l", "sub")),
    Line(
        "plus_size",
        f"{TWO_SETS}: (1 - has(r, j))*is(q, plus(r, j)) <= [size(q) = size(r) + 1]",
        using=(
            "total of plus_has over l",
            "size at s = q",
            "size at s = r",
            "index at G(y) = 1",
            "index at G(y) = has(r, y)",
        ),
    ),
    Line(
        "minus_size",
        f"{TWO_SETS}: has(q, j)*is(r, minus(q, j)) <= [size(q) = size(r) + 1]",
        using=("total of minus_has over l", "size at s = q", "size at s = r", "index at G(y) = has(q, y)"),
    ),
    Line(
        "by_plus",
        f"{TWO_SETS}: (1 - has(r, j))*is(q, plus(r, j)) = {EXTRA}",
        using=("plus_has at l = j", "self at l = j", "plus_sub", "plus_size", "enough_plus"),
    ),
    Line(
        "by_minus",
        f"{TWO_SETS}: has(q, j)*is(r, minus(q, j)) = {EXTRA}",
        using=("minus_has at l = j", "self at l = j", "minus_sub", "minus_size", "enough_minus"),
    ),
)


def counted(indices: str, index: str = "") -> tuple[Line, ...]:
    """How many sets there are with an index more, other than i, and how many with one less, from `ONE_MORE`.

    ``indices`` is the number of indices; ``index`` binds i, where it is no point of the derivation.
    """
    return (
        Line(
            "added",
            f"for r: P, q: P{index} if has(r, i) = 0: total(j: I, {EXTRA}*(1 - same(j, i))) "
            "= [sub(r, q) and size(q) = size(r) + 1 and not has(q, i)]",
            using=(
                "size at s = q",
                "size at s = r",
                "total of common over l",
                "index at G(y) = has(q, y), j = i",
                "index at G(y) = has(q, y)*has(r, y), j = i",
            ),
        ),
        Line(
            "removed",
            f"for r: P, q: P: total(j: I, {EXTRA}) = [sub(r, q) and size(q) = size(r) + 1]",
            using=("size at s = q", "size at s = r", "total of common over l"),
        ),
        Line(
            "others",
            f"{TWO_SETS}{index}: {EXTRA}*(1 - same(j, i)) = (1 - has(r, j))*is(q, plus(r, j))*(1 - same(j, i))",
            using=("by_plus",),
        ),
        Line(
            "each_plus",
            f"for r: P, j: I{index}: total(q: P, (1 - has(r, j))*is(q, plus(r, j))*(1 - same(j, i))) "
            "= (1 - has(r, j))*(1 - same(j, i))",
            using=("set at G(s) = 1, z = plus(r, j)",),
        ),
        Line(
            "each_minus",
            "for q: P, j: I: total(r: P, has(q, j)*is(r, minus(q, j))) = has(q, j)",
            using=("set at G(s) = 1, z = minus(q, j)",),
        ),
        Line(
            "all_above",
            f"for r: P{index} if has(r, i) = 0: total(q: P, j: I, {EXTRA}*(1 - same(j, i))) = {indices} - size(r) - 1",
            using=(
                "total of total of others over j over q",
                "total of each_plus over j",
                "index at G(y) = 1, j = i",
                "index at G(y) = has(r, y), j = i",
                "size at s = r",
            ),
        ),
        Line(
            "all_below",
            f"for q: P: total(r: P, j: I, {EXTRA}) = size(q)",
            using=("total of total of by_minus over j over r", "total of each_minus over j", "size at s = q"),
        ),
        Line("without", f"for r: P, q: P{index}: sub(r, q)*has(r, i) <= has(q, i)", using=("common at l = i",)),
    )


SETS_ARE = (
    Given(
        "index", "for G(I) in [0, 1], j: I: total(y: I, same(y, j)*G(y)) = G(j)", "definition: of the indices one is j"
    ),
    Given("set", "for G(P) in [0, 1], z: P: total(s: P, is(s, z)*G(s)) = G(z)", "definition: of the sets one is z"),
    Given(
        "is",
        "for s: P, z: P: is(s, z) = [every(l: I, has(s, l) = has(z, l))]",
        "definition: sets with the same members are one",
    ),
    Given("sub", "for r: P, q: P: sub(r, q) = [every(l: I, has(r, l) <= has(q, l))]", "definition: R is a subset of Q"),
    Given("size", "for s: P: size(s) = total(l: I, has(s, l))", "definition: the number of members"),
    Given("plus", "for r: P, j: I, l: I: has(plus(r, j), l) = [has(r, l) or same(l, j)]", "definition: R u {j}"),
    Given(
        "minus", "for q: P, j: I, l: I: has(minus(q, j), l) = [has(q, l) and not same(l, j)]", "definition: Q without j"
    ),
)
