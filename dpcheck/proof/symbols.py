"""Formulas as sympy: symbols that know their domains, relations as printed, for LaTeX and for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.prover.language import Domain, Expression, Link, parse_formula

if TYPE_CHECKING:
    import sympy


def _symbol(domain: Domain) -> Any:
    import sympy

    known: dict[str, bool] = {"integer": True} if domain.integer else {"real": True}
    if domain.low is not None and domain.low >= 0:
        known["positive" if domain.low > 0 or domain.low_open else "nonnegative"] = True
    return sympy.Symbol(domain.name, **known)


def _built(node: Expression, symbols: dict[str, Any]) -> Any:
    import sympy

    if node.operation == "number":
        return sympy.Rational(node.value.numerator, node.value.denominator)
    if node.operation == "name":
        return symbols[node.name]
    if node.operation in ("e", "pi"):
        return sympy.E if node.operation == "e" else sympy.pi
    parts = [_built(argument, symbols) for argument in node.arguments]
    with sympy.evaluate(False):
        match node.operation:
            case "neg":
                return sympy.Mul(-1, parts[0])
            case "+":
                return sympy.Add(*parts)
            case "-":
                return sympy.Add(parts[0], sympy.Mul(-1, parts[1]))
            case "*":
                return sympy.Mul(*parts)
            case "/":
                inverse = sympy.Pow(parts[1], -1)
                return inverse if parts[0] == 1 else sympy.Mul(parts[0], inverse)
            case "^":
                return sympy.Pow(*parts)
            case _:
                names = {
                    "abs": "Abs",
                    "ceil": "ceiling",
                    "max": "Max",
                    "min": "Min",
                    "binom": "binomial",
                    "fact": "factorial",
                }
                return getattr(sympy, names.get(node.operation, node.operation))(*parts, evaluate=False)


def to_sympy(formula: Formula) -> tuple[dict[str, sympy.Symbol], list[Any], list[Any]]:
    """The symbols, the assumptions and the links of a formula, unevaluated.

    Raises
    ------
    InvalidArgument
        When a text is not of the language.

    Examples
    --------
    >>> symbols, assumed, claimed = to_sympy(Formula("n in Z[1, inf)", "", "1/n <= 1"))
    >>> symbols["n"].is_integer, str(claimed[0])
    (True, '1/n <= 1')
    """
    import sympy

    relations = {"<=": sympy.Le, "<": sympy.Lt, ">=": sympy.Ge, ">": sympy.Gt, "=": sympy.Eq}
    problem = parse_formula(formula)
    symbols = {domain.name: _symbol(domain) for domain in problem.domains}

    def related(link: Link) -> Any:
        return relations[link.relation](_built(link.left, symbols), _built(link.right, symbols), evaluate=False)

    return symbols, [related(link) for link in problem.assumptions], [related(link) for link in problem.claim]


def latex_of(formula: Formula) -> str:
    """The claim as LaTeX, a chain.

    Examples
    --------
    >>> latex_of(Formula("n in Z[1, inf)", "", "1/n <= 1 < 2"))
    '\\\\frac{1}{n} \\\\leq 1 < 2'
    """
    import sympy

    signs = {"<=": r"\leq", "<": "<", ">=": r"\geq", ">": ">", "=": "="}
    problem = parse_formula(formula)
    symbols = {domain.name: _symbol(domain) for domain in problem.domains}
    text: str = sympy.latex(_built(problem.claim[0].left, symbols))
    for link in problem.claim:
        text += f" {signs[link.relation]} {sympy.latex(_built(link.right, symbols))}"
    return text
