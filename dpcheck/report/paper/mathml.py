"""Formulas as MathML, which browsers draw themselves: of the language of proofs, and of bounds."""

from __future__ import annotations

import re
from html import escape

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.prover.language import Domain, Expression, parse_formula

_GREEK = {
    "alpha": "α", "beta": "β", "delta": "δ", "Delta": "Δ", "eps": "ε", "epsilon": "ε", "eta": "η", "lambda": "λ",
    "rho": "ρ", "sigma": "σ", "mu": "μ", "gamma": "γ", "theta": "θ", "tau": "τ", "inf": "∞",
}  # fmt: skip
_SIGNS = {"<=": "≤", ">=": "≥", "<": "&lt;", ">": "&gt;", "=": "="}
_TOTALS = {"sum": "∑", "prod": "∏"}
_FENCES = {"abs": ("|", "|"), "floor": ("⌊", "⌋"), "ceil": ("⌈", "⌉")}
_BINDING = {"+": 10, "-": 10, "*": 20, "neg": 15}


def mathml_of(formula: Formula) -> str:
    """A claim, a chain of relations, as a MathML element.

    Examples
    --------
    >>> mathml_of(Formula("n in Z[1, inf)", "", "1/n <= 1"))
    '<math displaystyle="true"><mfrac><mn>1</mn><mi>n</mi></mfrac><mo>≤</mo><mn>1</mn></math>'
    """
    links = parse_formula(formula).claim
    parts = [_drawn(links[0].left)]
    previous = links[0].left
    for link in links:
        if link.left is not previous:
            parts += ["<mo>,</mo>", _drawn(link.left)]
        parts += [f"<mo>{_SIGNS[link.relation]}</mo>", _drawn(link.right)]
        previous = link.right
    return f'<math displaystyle="true">{"".join(parts)}</math>'


def domain_text(formula: Formula) -> str:
    """The variables with their ranges, for a line of text: ``n ≥ 1 an integer, 0 < α < 1``.

    Examples
    --------
    >>> domain_text(Formula("n in Z[1, inf); x in (0, 1/2]", "", "1/n <= 1"))
    'n ≥ 1 an integer, 0 < x ≤ 1/2'
    """
    return ", ".join(_ranged(domain) for domain in parse_formula(formula).domains)


def relation_mathml(variables: tuple[str, ...], relation: str) -> str:
    """A relation between positive variables, such as a bound in a paper's letters; "" where it is not of the language.

    Examples
    --------
    >>> relation_mathml(("n", "alpha"), "n > 1/alpha")
    '<math displaystyle="true"><mi>n</mi><mo>&gt;</mo><mfrac><mn>1</mn><mi>α</mi></mfrac></math>'
    """
    try:
        return mathml_of(Formula("; ".join(f"{name} in (0, inf)" for name in variables), "", relation))
    except InvalidArgument:
        return ""


def _ranged(domain: Domain) -> str:
    name = _word(domain.name)
    low = None if domain.low is None else str(domain.low)
    high = None if domain.high is None else str(domain.high)
    if domain.integer and low is not None and high is not None:
        return f"{name} = {low}" if low == high else f"{name} in {{{low}, …, {high}}}" if high != "1" else (
            f"{name} in {{{low}, {high}}}"
        )  # fmt: skip
    if low is not None and low == high:
        return f"{name} = {low}"
    below = "<" if domain.low_open else "≤"
    above = "<" if domain.high_open else "≤"
    if low is not None and high is not None:
        said = f"{low} {below} {name} {above} {high}"
    elif low is not None:
        said = f"{name} {'>' if domain.low_open else '≥'} {low}"
    elif high is not None:
        said = f"{name} {above} {high}"
    else:
        said = name
    return f"{said} an integer" if domain.integer else said


def _word(name: str) -> str:
    base, _, below = name.partition("_")
    return _GREEK.get(base, base) + (f"_{below}" if below else "")


def _name(name: str) -> str:
    base, _, below = name.partition("_")
    letters = re.fullmatch(r"([A-Za-z]+?)(tilde|hat)?", base)
    stem, over = (letters.group(1), letters.group(2)) if letters else (base, None)
    numbered = re.fullmatch(r"([A-Za-z]+)(\d+)", base)
    if numbered and not below:
        stem, below, over = numbered.group(1), numbered.group(2), None
    core = f"<mi>{escape(_GREEK.get(stem, stem))}</mi>"
    if over:
        core = f'<mover accent="true">{core}<mo>{"~" if over == "tilde" else "^"}</mo></mover>'
    if not below:
        return core
    kind = "mn" if below.isdigit() else "mi"
    return f"<msub>{core}<{kind}>{escape(below)}</{kind}></msub>"


def _fenced(inside: str, left: str = "(", right: str = ")") -> str:
    return f"<mrow><mo>{left}</mo>{inside}<mo>{right}</mo></mrow>"


def _drawn(node: Expression, least: int = 0, small: bool = False) -> str:
    """The node, in brackets where it binds less than what is around it; ``small``: in a fraction or an exponent."""
    operation = node.operation
    if operation == "number":
        value = node.value
        if value.denominator != 1:
            drawn = f"<mfrac><mn>{abs(value.numerator)}</mn><mn>{value.denominator}</mn></mfrac>"
        else:
            drawn = f"<mn>{abs(value.numerator)}</mn>"
        if value < 0:
            drawn = f"<mrow><mo>−</mo>{drawn}</mrow>"
            return _fenced(drawn) if least > 10 else drawn
        return _fenced(drawn) if least > 30 and value.denominator != 1 else drawn
    if operation == "name":
        return _name(node.name)
    if operation in ("e", "pi"):
        return f"<mi>{'e' if operation == 'e' else 'π'}</mi>"
    if operation == "^":
        base, power = node.arguments
        return f"<msup>{_drawn(base, 40, small)}<mrow>{_drawn(power, 0, True)}</mrow></msup>"
    if operation == "/":
        if small and all(argument.operation in ("number", "name") for argument in node.arguments):
            drawn = f"<mrow>{_drawn(node.arguments[0])}<mo>/</mo>{_drawn(node.arguments[1])}</mrow>"
            return _fenced(drawn) if least >= 20 else drawn
        over, under = (_drawn(argument, 0, True) for argument in node.arguments)
        drawn = f"<mfrac>{_row(over)}{_row(under)}</mfrac>"
        return _fenced(drawn) if least > 30 else drawn
    if operation in ("+", "-", "*", "neg"):
        binding = _BINDING[operation]
        if operation == "neg":
            drawn = f"<mrow><mo>−</mo>{_drawn(node.arguments[0], binding + 1, small)}</mrow>"
        else:
            left, right = node.arguments
            first = _drawn(left, 0 if left.operation == "neg" else binding, small)
            # a sign in front of the whole product needs no brackets, one behind another sign does
            after = 31 if _leads_with_sign(right) else binding + (1 if operation == "-" else 0)
            second = _drawn(right, after, small)
            sign = {"+": "<mo>+</mo>", "-": "<mo>−</mo>", "*": _times(right)}[operation]
            drawn = f"<mrow>{first}{sign}{second}</mrow>"
        return _fenced(drawn) if binding < least else drawn
    if operation == "exp":
        drawn = f"<msup><mi>e</mi><mrow>{_drawn(node.arguments[0], 0, True)}</mrow></msup>"
        return _fenced(drawn) if least >= 40 else drawn
    if operation == "sqrt":
        return f"<msqrt>{_drawn(node.arguments[0])}</msqrt>"
    if operation in _FENCES:
        return _fenced(_drawn(node.arguments[0], 0, small), *_FENCES[operation])
    if operation == "fact":
        return f"<mrow>{_drawn(node.arguments[0], 40)}<mo>!</mo></mrow>"
    if operation == "binom":
        over, under = (_drawn(argument) for argument in node.arguments)
        return _fenced(f'<mfrac linethickness="0">{_row(over)}{_row(under)}</mfrac>')
    if operation in _TOTALS:
        first, last = (_drawn(argument, 0, True) for argument in node.arguments[:2])
        start = f"<mrow>{_name(node.name)}<mo>=</mo>{first}</mrow>"
        sign = f"<munderover><mo>{_TOTALS[operation]}</mo>{start}{_row(last)}</munderover>"
        drawn = f"<mrow>{sign}{_drawn(node.arguments[2], 20, small)}</mrow>"
        return _fenced(drawn) if least > 10 else drawn
    inside = "<mo>,</mo>".join(_drawn(argument, 0, small) for argument in node.arguments)
    return f"<mrow><mi>{operation}</mi>{_fenced(inside)}</mrow>"


def _leads_with_sign(node: Expression) -> bool:
    """Whether what is drawn begins with a minus."""
    while node.operation == "*":
        node = node.arguments[0]
    return node.operation == "neg" or (node.operation == "number" and node.value < 0)


def _row(drawn: str) -> str:
    return drawn if drawn.startswith("<mrow>") or drawn.count("<m") == 1 else f"<mrow>{drawn}</mrow>"


def _times(right: Expression) -> str:
    """A dot where two numbers would run together, else a thin space."""
    first = right
    while first.operation in ("*", "/", "^"):
        first = first.arguments[0]
    return "<mo>·</mo>" if first.operation == "number" else '<mspace width="0.17em"/>'
