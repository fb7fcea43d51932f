"""The rule `logarithm`: of two sides above 0 the logarithms are compared, taken apart factor by factor."""

from __future__ import annotations

from typing import Any

from dpcheck.proof.coq.script import Context, Lines, Script, block
from dpcheck.proof.coq.terms import NotExported, is_half, natural, plain, text
from dpcheck.proof.prover.checker_rules import expanded_logarithm
from dpcheck.proof.prover.checker_syntax import Tree, difference, integer_literal, parse


def logarithm(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    """A goal ``a - b`` by the logarithms of a and b."""
    sides = [parse(each, context.state.names) for each in proof[1:3]]
    factors: list[Tree] = []
    expanded = [plain(expanded_logarithm(side, factors)) for side in sides]
    lines: Lines = []
    for factor, inner in zip(factors, proof[3], strict=True):
        lines.append(f"assert ({script.name('F')} : 0 < {text(plain(factor))}).")
        lines += block(script.run(inner, context, plain(factor), True))
    left, right = (plain(side) for side in sides)
    lemma = "logarithm_above" if strict else "logarithm_at_least"
    lines.append(f"apply ({lemma} {' '.join(text(each) for each in (goal, left, right, *expanded))}).")
    lines += script.same(goal, difference(left, right))
    for side in sides:
        lines += [*block(["sign."]), *block([f"exact {_expansion(side)}."])]
    return [*lines, *script.run(proof[4], context, difference(*expanded), strict)]


def _expansion(tree: Tree) -> str:
    """The proof that ``ln tree`` is what the rule makes of it."""
    match tree.head:
        case "*" | "/":
            lemma = "ln_times" if tree.head == "*" else "ln_over"
            above = " ".join(_above(part) for part in tree.parts)
            return f"({lemma} _ _ _ _ {above} {' '.join(_expansion(part) for part in tree.parts)})"
        case "^":
            return _of_power(*tree.parts)
        case "exp":
            return f"(ln_exp {text(plain(tree.parts[0]))})"
        case "sqrt":
            return f"(ln_root _ _ {_above(tree.parts[0])} {_expansion(tree.parts[0])})"
        case "e":
            return "(ln_exp 1)"
        case "number" if tree.value == 1:
            return "ln_1"
    return f"(eq_refl (ln {text(plain(tree))}))"


def _of_power(base: Tree, exponent: Tree) -> str:
    count = integer_literal(exponent)
    if count is not None:
        lemma, count = ("ln_raised" if count >= 0 else "ln_inverse_raised"), abs(count)
        return f"({lemma} {count} {count} _ _ {natural(count)} {_above(base)} {_expansion(base)})"
    if base.head == "e" or is_half(exponent):
        raise NotExported("the logarithm of a power of e, or of a root written as one")
    return f"(ln_power {text(plain(exponent))} {text(plain(base))} _ {_expansion(base)})"


def _above(tree: Tree) -> str:
    return f"(ltac:(sign) : 0 < {text(plain(tree))})"
