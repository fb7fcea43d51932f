"""The checker's own derivatives of expressions."""

from __future__ import annotations

from dpcheck.proof.prover.checker_syntax import CheckFailed, Tree, difference, integer_literal, negative, number

_ZERO, _ONE = number(0), number(1)


def _sum(left: Tree, right: Tree) -> Tree:
    return right if left == _ZERO else left if right == _ZERO else Tree("+", (left, right))


def _product(left: Tree, right: Tree) -> Tree:
    if _ZERO in (left, right):
        return _ZERO
    return right if left == _ONE else left if right == _ONE else Tree("*", (left, right))


def _quotient(left: Tree, right: Tree) -> Tree:
    return _ZERO if left == _ZERO else Tree("/", (left, right))


def derivative(tree: Tree, name: str) -> Tree:
    """The derivative of a tree by a variable; parts that do not contain the variable count as constants.

    It is the derivative wherever the tree is defined near a point, arguments of roots are above 0, and bases of powers
    that are not integer literals are above 0. Raises CheckFailed for functions that have none everywhere: abs, floor,
    ceil, max, min, binom and fact with the variable in them.

    >>> from dpcheck.proof.prover.checker_syntax import parse
    >>> str(derivative(parse("x^2*log(x) - y", {"x", "y"}), "x"))
    '2*x*log(x) + x^2*(1/x)'
    """
    if name not in tree.variables:
        return _ZERO
    if tree.head == "variable":
        return _ONE
    parts = tree.parts
    slopes = [derivative(part, name) for part in parts]
    match tree.head:
        case "neg":
            return negative(slopes[0])
        case "+":
            return _sum(slopes[0], slopes[1])
        case "-":
            return (
                slopes[0]
                if slopes[1] == _ZERO
                else negative(slopes[1])
                if slopes[0] == _ZERO
                else difference(slopes[0], slopes[1])
            )
        case "*":
            return _sum(_product(slopes[0], parts[1]), _product(parts[0], slopes[1]))
        case "/":
            if slopes[1] == _ZERO:
                return _quotient(slopes[0], parts[1])
            above = difference(_product(slopes[0], parts[1]), _product(parts[0], slopes[1]))
            return _quotient(above, Tree("^", (parts[1], number(2))))
        case "exp":
            return _product(slopes[0], tree)
        case "log":
            return _quotient(slopes[0], parts[0])
        case "sqrt":
            return _quotient(slopes[0], _product(number(2), tree))
        case "^":
            exponent = integer_literal(parts[1])
            if exponent is not None:
                if exponent == 0:
                    return _ZERO
                lower = parts[0] if exponent == 2 else Tree("^", (parts[0], number(exponent - 1)))
                factor = _ONE if exponent == 1 else _product(number(exponent), lower)
                return _product(factor, slopes[0])
            inner = _sum(
                _product(slopes[1], Tree("log", (parts[0],))),
                _quotient(_product(parts[1], slopes[0]), parts[0]),
            )
            return _product(tree, inner)
    raise CheckFailed(f"{tree.head} with {name} in it has no derivative here")
