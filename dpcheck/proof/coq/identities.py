"""Identities as Coq sees them: functions become names, and then both sides are rational functions of names.

What is written here is a hint only: the field of the checker says how each exponential, logarithm and root is written
by few of them, and Coq checks each of these equations.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpcheck.proof.coq.terms import FUNCTIONS, NotExported, condition_text, name_of, natural, number_text, text
from dpcheck.proof.prover.checker_formula import operations
from dpcheck.proof.prover.checker_identities import Field, Quotient, content_of, fraction_of, in_field, prime_factors
from dpcheck.proof.prover.checker_syntax import CheckFailed, Tree, postorder

_ATOMS = frozenset({"exp", "log", "sqrt", "e", "abs", "max", "min", "floor", "ceil"})


def identity(left: Tree, right: Tree, fresh: Iterator[int]) -> list[str]:
    """Tactics that prove ``left = right``."""
    if left == right:
        return ["reflexivity."]
    trees = [node for side in (left, right) for node in postorder(side)]
    nodes = list(dict.fromkeys(node for node in trees if node.head in _ATOMS))
    if not nodes:
        return ["same."]
    names = left.variables | right.variables

    def work(field: Field) -> list[str]:
        return _Writer(field, left, right, nodes, fresh).lines()

    try:
        return in_field(names, work, powers=False)
    except CheckFailed as error:
        raise NotExported(f"an identity: {error}") from None


class _Writer:
    """One identity: names for atoms, and what each function is in these."""

    def __init__(self, field: Field, left: Tree, right: Tree, nodes: list[Tree], fresh: Iterator[int]) -> None:
        self.field, self.left, self.right, self.nodes, self.fresh = field, left, right, nodes, fresh
        self.names: dict[int, str] = {}
        self.inner: dict[int, str] = {}
        self.written: dict[Tree, str] = {}
        self.found: list[str] = []
        self.simple = True

    def lines(self) -> list[str]:
        field = self.field
        for node in self.nodes:
            field.of(node)
        field.equal(field.of(self.left), field.of(self.right))
        asked = dict.fromkeys(
            condition_text(each) for side in (self.left, self.right) for each in operations(side)
            if any(node.head in _ATOMS for part in each.operands for node in postorder(part))
            and each.kind in ("nonzero", "positive", "nonnegative")
        )  # fmt: skip
        conditions = [f"C{next(self.fresh)}" for _ in asked]
        before = [
            f"try assert ({name} : {condition}) by known." for name, condition in zip(conditions, asked, strict=True)
        ]
        for node in self.nodes:
            value = self._value(node)
            here = self._text(node)
            equation = f"E{next(self.fresh)}"
            self.found.append(f"assert ({equation} : {here} = {value[0]}).")
            self.found += ["{", *value[1], "}"]
            self.found.append(f"rewrite ?{equation}.")
            self.found += [f"try rewrite ?{equation} in {name}." for name in conditions]
            self.written[node] = value[0]
        if self.simple and len(set(self.written.values())) == len(self.nodes):
            return ["same."]
        relations = self._relations()
        close = ["same."]
        if relations:
            close = [f"first [ same | field [{' '.join(relations)}]; known | ring [{' '.join(relations)}] ]."]
        return [*before, *self.found, *close]

    def _relations(self) -> list[str]:
        found = []
        for place, name in self.names.items():
            atom = self.field.atoms[place - len(self.field.names)]
            if atom.kind == "exp" and atom.root_of is not None and atom.degree > 1:
                relation, inner, degree = f"S{next(self.fresh)}", self._quotient(atom.root_of), atom.degree
                self.found.append(
                    f"try assert ({relation} : {name} ^ {degree} = {inner}) by "
                    f"(apply (exp_root {degree} {degree} _ {inner} {name} ltac:(natural) ltac:(lra) G{name}); "
                    "[assumption | known])."
                )
                found.append(relation)
            if atom.kind == "sqrt":
                relation = f"S{next(self.fresh)}"
                inner = self.inner[place]
                self.found.append(
                    f"try assert ({relation} : {name} * {name} = {inner}) by (rewrite G{name}; apply sqrt_sqrt; known)."
                )
                if atom.root_of is not None and atom.root_of.below != self.field.one:
                    relation = self._whole_root(name, relation, atom.root_of)
                found.append(relation)
        return found

    def _whole_root(self, name: str, relation: str, inside: Quotient) -> str:
        """The root g of p / q by h = g * q, with h * h = p * q: so nothing is divided by under a root."""
        above, below = self._polynomial(inside.above), self._polynomial(inside.below)
        root, square, turned = (f"{letter}{next(self.fresh)}" for letter in "hST")
        says = f"exists h, h * h = {above} * {below} /\\ {name} = h / {below}"
        product = f"{name} * {below}"
        self.found += [
            f"assert ({says}) as [{root} [{square} {turned}]].",
            f"{{ exists ({product}). split.",
            f"{{ replace ({product} * ({product})) with ({name} * {name} * ({below} * {below})) by ring.",
            f"rewrite {relation}. field; known. }}",
            "{ field; known. } }",
            f"rewrite ?{turned}.",
        ]
        return square

    # Texts

    def _text(self, tree: Tree) -> str:
        """A tree in which functions that are known already are written by their values."""
        return text(tree, self.written)

    def _polynomial(self, polynomial: Any) -> str:
        terms = []
        for powers, coefficient in polynomial.terms():
            factors = [number_text(fraction_of(coefficient))]
            for place, power in enumerate(powers):
                if power:
                    name = self._generator(place)
                    factors.append(name if power == 1 else f"{name} ^ {int(power)}")
            terms.append(" * ".join(factors[1:] if len(factors) > 1 and factors[0] == "1" else factors))
        return f"({' + '.join(terms)})" if terms else "0"

    def _quotient(self, value: Quotient) -> str:
        above = self._polynomial(value.above)
        return above if value.below == self.field.one else f"({above} / {self._polynomial(value.below)})"

    # Names of atoms

    def _generator(self, place: int) -> str:
        """The name of a variable or atom; an atom's is brought in when it is first asked for."""
        if place < len(self.field.names):
            return name_of(self.field.names[place])
        if place not in self.names:
            atom = self.field.atoms[place - len(self.field.names)]
            arguments = [self._quotient(each) for each in atom.arguments]
            name = f"g{next(self.fresh)}"
            if atom.kind == "exp":
                scale = self.field.scale
                inner = arguments[0] if scale == 1 else f"({arguments[0]} / {scale})"
                whole = f"exp {inner}"
            elif atom.kind == "exp whole":
                inner = arguments[0]
                whole = f"exp {inner}"
            elif atom.kind == "pi":
                inner, whole = "", "PI"
            elif atom.kind in FUNCTIONS:
                inner = arguments[0]
                whole = f"{FUNCTIONS[atom.kind]} {' '.join(arguments)}"
            else:
                raise NotExported(atom.kind)
            self.found.append(f"assert (exists g, g = {whole}) as [{name} G{name}] by (eexists; reflexivity).")
            if atom.kind.startswith("exp"):
                self.found.append(f"assert (P{name} : 0 < {name}) by (rewrite G{name}; apply exp_pos).")
            if atom.kind == "pi":
                self.found.append(f"assert (P{name} : 0 < {name}) by (rewrite G{name}; apply PI_RGT_0).")
            self.names[place], self.inner[place] = name, inner
        return self.names[place]

    def _place(self, kind: str, *arguments: Quotient) -> int:
        for known in self.field.atoms:
            if known.kind == kind and all(map(self.field.equal, known.arguments, arguments)):
                return known.place
        raise NotExported(f"an atom {kind}")

    # Values of functions

    def _value(self, node: Tree) -> tuple[str, list[str]]:
        """A function in the names of atoms, and tactics that show it."""
        match node.head:
            case "exp":
                return self._exponential(self.field.of(node.parts[0]), self._text(node.parts[0]))
            case "e":
                return self._exponential(self.field.number(1), "1")
            case "log":
                return self._logarithm(self.field.of(node.parts[0]), self._text(node.parts[0]))
            case "sqrt":
                return self._root(self.field.of(node.parts[0]), self._text(node.parts[0]))
        arguments = [self.field.of(part) for part in node.parts]
        name = self._generator(self._place(node.head, *arguments))
        return name, [f"rewrite G{name}. f_equal; same."]

    def _exponential(self, exponent: Quotient, here: str) -> tuple[str, list[str]]:
        field = self.field
        terms = list(exponent.above.terms())
        summands: list[tuple[str, str, str]] = []  # text, its exponential, proof
        for powers, coefficient in terms:
            multiple = fraction_of(coefficient)
            monomial = field.context.from_dict({tuple(powers): coefficient / coefficient})
            key = field.quotient(monomial, exponent.below)
            inside = field.inside_of_logarithm(key)
            if inside is not None and multiple.denominator == 1:
                self.simple = False
                place = self._place("log", inside)
                name, count = self._generator(place), abs(int(multiple))
                inner = self.inner[place]
                back = f"B{next(self.fresh)}"
                self.found.append(
                    f"assert ({back} : {inner} = exp {name}) by (rewrite G{name}; symmetry; apply exp_ln; known)."
                )
                summands.append(_multiple(int(multiple), name, inner, back, count))
                continue
            steps = multiple * field.scale
            if steps.denominator != 1:
                place = self._place("exp whole", field.multiply(key, field.number(multiple)))
                name = self._generator(place)
                summands.append(_multiple(1, self.inner[place], name, f"G{name}", 1))
                continue
            place = self._place("exp", key)
            name = self._generator(place)
            if steps != 1:
                self.simple = False
            summands.append(_multiple(int(steps), self.inner[place], name, f"G{name}", abs(int(steps))))
        if not summands:
            self.simple = False
            return "1", [f"apply (exp_equal {here} 0 1); [same | apply exp_0]."]
        if len(summands) > 1:
            self.simple = False
        whole, value, proof = summands[0]
        for more in summands[1:]:
            proof = f"(exp_sum {whole} {more[0]} {value} {more[1]} {proof} {more[2]})"
            whole, value = f"({whole} + {more[0]})", f"({value} * {more[1]})"
        return value, [f"apply (exp_equal {here} {whole} {value}); [same | exact {proof}]."]

    def _logarithm(self, inside: Quotient, here: str) -> tuple[str, list[str]]:
        field = self.field
        coefficient, _, core = field.split(inside)
        factors: list[tuple[str, str, str]] = []  # factor, its logarithm, proof
        for side, sign in ((coefficient.numerator, 1), (coefficient.denominator, -1)):
            for prime, power in prime_factors(side):
                name = self._generator(self._place("log", field.number(prime)))
                factors.append(
                    _raised(str(prime), sign * power, name, f"(eq_sym G{name})", f"(ltac:(lra) : 0 < {prime})")
                )
        for side, sign in ((inside.above, 1), (inside.below, -1)):
            monomials = [[int(power) for power in powers] for powers in side.monoms()]
            for known in list(field.atoms):
                if known.kind in ("exp", "exp whole"):
                    least = min(powers[known.place] for powers in monomials)
                    if least:
                        name = self._generator(known.place)
                        proof = f"(eq_trans (f_equal ln G{name}) (ln_exp {self.inner[known.place]}))"
                        factors.append(_raised(name, sign * least, self.inner[known.place], proof, f"P{name}"))
        if field.rational(core) == 1:
            self.simple = False
        else:
            product = " * ".join(each[0] for each in factors) or "1"
            factors.append(self._core(core, product, here))
            if len(factors) > 1:
                self.simple = False
        if not factors:
            return "0", [f"apply (ln_equal {here} 1 0); [same | apply ln_1]."]
        whole, value, proof = factors[0]
        for more in factors[1:]:
            above = f"(ltac:(sign) : 0 < {whole}) (ltac:(sign) : 0 < {more[0]})"
            proof = f"(ln_times {whole} {more[0]} {value} {more[1]} {above} {proof} {more[2]})"
            whole, value = f"({whole} * {more[0]})", f"({value} + {more[1]})"
        return value, [f"apply (ln_equal {here} {whole} {value}); [same | exact {proof}]."]

    def _core(self, core: Quotient, product: str, here: str) -> tuple[str, str, str]:
        """What is left of a logarithm's argument beside numbers and exponentials, or one over what is known already."""
        field, written = self.field, self._quotient(core)
        positive = f"P{next(self.fresh)}"
        self.found.append(
            f"assert ({positive} : 0 < {written}) by first [known | "
            f"apply (cofactor_above ({product}) {written} {here}); [same | sign | known]]."
        )
        turned = field.quotient(core.below, core.above)
        flipped = next((k for k in field.atoms if k.kind == "log" and field.equal(k.arguments[0], turned)), None)
        place = self._place("log", core) if flipped is None else flipped.place
        name, inner = self._generator(place), self.inner[place]
        if flipped is not None:
            self.simple = False
            before = f"P{next(self.fresh)}"
            self.found.append(
                f"assert ({before} : 0 < {inner}) by first [known | "
                f"replace {inner} with (/ {written}) by same; apply Rinv_0_lt_compat; assumption]."
            )
            return _raised(inner, -1, name, f"(eq_sym G{name})", before)
        if inner != written:
            shown = f"(replace {inner} with {written} by same; assumption)"
            self.found.append(f"assert (P{next(self.fresh)} : 0 < {inner}) by {shown}.")
        return inner, name, f"(eq_sym G{name})"

    def _root(self, inside: Quotient, here: str) -> tuple[str, list[str]]:
        field = self.field
        value = field.rational(inside)
        if value is not None and value >= 0:
            above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
            if above * above == value.numerator and below * below == value.denominator:
                self.simple = False
                root = number_text(Fraction(above, below))
                return root, ["apply sqrt_number; [lra | same]."]
        outside = Fraction(1)
        content = content_of(inside.above) / content_of(inside.below)
        for side, sign in ((content.numerator, 1), (content.denominator, -1)):
            for prime, power in prime_factors(side):
                outside *= Fraction(prime) ** (sign * power // 2)
        core = field.multiply(inside, field.number(1 / outside**2))
        place = self._place("sqrt", core)
        name = self._generator(place)
        self.simple = False
        factor = number_text(outside)
        return f"({factor} * {name})", [
            f"rewrite G{name}. apply (sqrt_outside {factor} {self.inner[place]} {here}); [lra | same]."
        ]


def _multiple(steps: int, inner: str, value: str, equation: str, count: int) -> tuple[str, str, str]:
    """``steps * inner``, its exponential, a power of ``value``, and the proof by ``value = exp inner``."""
    if steps >= 0:
        proof = f"(exp_multiple {count} {count} {inner} {value} {natural(count)} {equation})"
        return f"({count} * {inner})", f"({value} ^ {count})", proof
    proof = f"(exp_minus_multiple {count} {count} {inner} {value} {natural(count)} {equation})"
    return f"(- ({count}) * {inner})", f"(/ {value} ^ {count})", proof


def _raised(base: str, power: int, logarithm: str, equation: str, positive: str) -> tuple[str, str, str]:
    """``base ^ power``, its logarithm, and the proof by ``ln base = logarithm``."""
    count = abs(power)
    lemma = "ln_raised" if power >= 0 else "ln_inverse_raised"
    proof = f"({lemma} {count} {count} {base} {logarithm} {natural(count)} {positive} {equation})"
    if power >= 0:
        return f"({base} ^ {count})", f"({count} * {logarithm})", proof
    return f"(/ {base} ^ {count})", f"(- ({count}) * {logarithm})", proof
