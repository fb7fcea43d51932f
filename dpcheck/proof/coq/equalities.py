"""Normal forms as Coq proves them: each step by which a term becomes a sum of products, as a step of a proof."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from dpcheck.proof.coq.objects import (
    exponent_of,
    function_name,
    kind_text,
    listed_text,
    number_name,
    point_name,
    term_text,
)
from dpcheck.proof.coq.terms import FUNCTIONS, NotExported, number_text
from dpcheck.proof.derivation.normal import (
    MOST_POWER,
    Atom,
    Bound,
    Monomial,
    Normal,
    Parted,
    Sum,
    add,
    depends,
    number_of,
    of_key,
    primitive,
)
from dpcheck.proof.derivation.terms import BINDERS, INTEGRALS, Binder, Objects, Term, fresh, substitute

Lines = list[str]


def sum_text(total: Sum, objects: Objects) -> str:
    """A normal form: each product times its coefficient, and 0 at the end."""
    found = "0"
    for monomial, coefficient in sorted(total.items(), key=repr, reverse=True):
        found = f"({number_text(coefficient)} * {product_text(monomial, objects)} + {found})"
    return found


def product_text(monomial: Monomial, objects: Objects) -> str:
    """A product of atoms, and 1 at the end."""
    found = "1"
    for atom, power in reversed(monomial):
        factor = atom_text(atom, objects)
        factor = factor if abs(power) == 1 else f"({factor} ^ {abs(power)})"
        found = f"({factor if power > 0 else f'(/ {factor})'} * {found})"
    return found


def atom_text(atom: Atom, objects: Objects) -> str:
    """An atom of a normal form."""
    head = atom[0]
    if head == "name":
        return number_name(str(atom[1]))
    if head == "point":
        return point_name(str(atom[1]))
    if head == "constant":
        return "(exp 1)" if atom[1] == "e" else "PI"
    if head == "integer":
        return sum_text(of_key(atom[1]), objects)
    if head == "apply":
        return f"({function_name(str(atom[1]))} {' '.join(atom_text(part, objects) for part in atom[2:])})"
    if head == "at most":
        return f"(is_at_most {sum_text(of_key(atom[1]), objects)} 0)"
    if head == "integral":
        names = [f"~{atom[3]}.{place}" for place in range(len(atom[1]))]
        binders = [(word, kind, name) for (word, kind), name in zip(atom[1], names, strict=True)]
        return nest_text(binders, product_text(atom[2], with_points(objects, binders)), objects)
    if head == "largest":
        inside = objects.with_binders((Binder(str(atom[3]), str(atom[1])),))
        bound = f"{point_name(str(atom[3]))} : S_{atom[1]}"
        return f"(largest S_{atom[1]} (fun {bound} => {sum_text(of_key(atom[2]), inside)}))"
    if head == "inverse":
        return f"(/ {sum_text(of_key(atom[1]), objects)})"
    inner = [sum_text(of_key(part), objects) for part in atom[2:]]
    if atom[1] == "^":
        return f"(power {inner[0]} {inner[1]})"
    if atom[1] not in FUNCTIONS:
        raise NotExported(str(atom[1]))
    return f"({FUNCTIONS[atom[1]]} {' '.join(inner)})"


def with_points(objects: Objects, binders: Iterable[Bound]) -> Objects:
    """The objects, and variables that are bound."""
    return objects.with_binders(tuple(Binder(name, kind) for _, kind, name in binders))


def nest_text(binders: Iterable[Bound], inside: str, objects: Objects) -> str:
    """An average of averages, over these variables in order."""
    for _, kind, name in reversed(list(binders)):
        bound = f"{point_name(name)} : {kind_text(kind, objects)}"
        inside = f"(over {listed_text(kind, objects)} (fun {bound} => {inside}))"
    return inside


def special_nodes(term: Term) -> Iterator[Term]:
    """The outermost parts of a term that have a normal form of their own kind."""
    if term.head in BINDERS or term.head == "at most" or term.head in FUNCTIONS:
        yield term
    elif term.head == "apply":
        if any(part.head not in ("point", "apply") for part in term.parts) or any(
            any(True for _ in special_nodes(part)) for part in term.parts
        ):
            yield term
    elif term.head == "^" and (exponent_of(term.parts[1]) is None or abs(exponent_of(term.parts[1]) or 0) > MOST_POWER):
        yield term
    else:
        for part in term.parts:
            yield from special_nodes(part)


@dataclass
class Equalities:
    """Proofs that terms are their normal forms. ``sizes`` are hypotheses: what the size of a set is, in normal form."""

    sizes: dict[str, str] = field(default_factory=dict)
    _count: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def new(self, letter: str) -> str:
        """A name for a hypothesis that nothing else has."""
        return f"{letter}'{next(self._count)}"

    def equation(self, term: Term, objects: Objects) -> tuple[Sum, Lines]:
        """The normal form, and a proof that the term is equal to it."""
        if next(special_nodes(term), None) is term:
            return self._node(term, objects)
        lines: Lines = []
        for node in sorted(dict.fromkeys(special_nodes(term)), key=size_of, reverse=True):
            inner, proof = self._node(node, objects)
            name = self.new("E")
            lines += [
                f"assert ({name} : {term_text(node, objects)} = {sum_text(inner, objects)}).",
                *block(proof),
                f"try rewrite {name}.",
            ]
        return Normal(objects).of(term), [*lines, "poly."]

    def equal(self, left: Term, right: Term, objects: Objects) -> Lines:
        """A proof that two terms with one normal form are equal."""
        total, first = self.equation(left, objects)
        _, second = self.equation(right, objects)
        return [f"transitivity {sum_text(total, objects)}.", *block(first), "symmetry.", *second]

    def _node(self, term: Term, objects: Objects) -> tuple[Sum, Lines]:
        total = Normal(objects).of(term)
        if term.head in INTEGRALS:
            return total, self._integral(term, objects)
        if term.head in BINDERS:
            return total, self._extreme(term, total, objects)
        if term.head == "at most":
            return total, self._at_most(term, objects)
        return total, [*self._arguments(term, objects), "poly."]

    def _arguments(self, term: Term, objects: Objects) -> Lines:
        """The arguments of a function in their normal forms, one after the other."""
        lines: Lines = []
        head = "exp" if term.head == "^" and term.parts[0].head == "e" else _head_text(term)
        parts = list(term.parts)
        if term.head == "^" and head == "exp":
            lines, parts = ["rewrite power_e."], parts[1:]
        texts = [term_text(part, objects) for part in parts]
        for place, part in enumerate(parts):
            before = texts[place]
            if is_point(part, objects):
                texts[place] = atom_text(Normal(objects).argument(part), objects)
                proof = [*(self._arguments(part, objects) if part.head == "apply" else ()), "reflexivity."]
            else:
                inner, proof = self.equation(part, objects)
                texts[place] = sum_text(inner, objects)
            if before != texts[place]:
                hole = " ".join([*texts[:place], "hole", *texts[place + 1 :]])
                aim = f"transitivity ({head} {' '.join(texts)})."
                lines += [aim, *block([f"apply (f_equal (fun hole => {head} {hole})).", *proof])]
        return lines

    def _at_most(self, term: Term, objects: Objects) -> Lines:
        normal = Normal(objects)
        rewritten: Lines = []
        for part in dict.fromkeys(term.parts):
            inner, proof = self.equation(part, objects)
            name = self.new("E")
            rewritten += [
                f"assert ({name} : {term_text(part, objects)} = {sum_text(inner, objects)}).",
                *block(proof),
                f"try rewrite {name}.",
            ]
        difference = add(normal.of(term.parts[0]), normal.of(term.parts[1]), -1)
        value = number_of(difference)
        if value is not None:
            lemma = "is_at_most_one" if value <= 0 else "is_at_most_none"
            return [f"transitivity {1 if value <= 0 else 0}.", *block([f"apply {lemma}.", *rewritten, "lra."]), "ring."]
        scaled = primitive(difference)
        monomial = next(iter(difference))
        factor = scaled[monomial] / difference[monomial]
        text = sum_text(scaled, objects)
        first = [f"apply (is_at_most_scaled {number_text(factor)}).", *block(["lra."]), *rewritten, "poly."]
        return [f"transitivity (is_at_most {text} 0).", *block(first), "ring."]

    def _extreme(self, term: Term, total: Sum, objects: Objects) -> Lines:
        new = fresh(term.name)
        body = substitute(term.parts[0], {term.name: Term("point", name=new, kind=term.kind)})
        inside = objects.with_binders((Binder(new, term.kind),))
        inner, proof = self.equation(body, inside)
        bound = f"fun {point_name(new)} : S_{term.kind}"
        first = [
            f"transitivity ({term.head} S_{term.kind} ({bound} => {sum_text(inner, inside)})).",
            *block([f"apply {term.head}_ext; intro {point_name(new)}.", *proof]),
        ]
        if not any(depends(atom, {new}) for monomial in inner for atom, _ in monomial):
            return [*first, f"transitivity {sum_text(inner, objects)}; [apply {term.head}_number | poly]."]
        outside = inner.get((), Fraction(0))
        ((largest, _),) = (monomial[0] for monomial in total if monomial)
        rest = sum_text(of_key(largest[2]), objects.with_binders((Binder(str(largest[3]), term.kind),)))
        inner_bound = f"fun {point_name(str(largest[3]))} : S_{term.kind}"
        sign = "" if term.head == "largest" else "- "
        ends = "+" if term.head == "largest" else "-"
        return [
            *first,
            f"transitivity ({term.head} S_{term.kind} ({inner_bound} => {number_text(outside)} + {sign}{rest})).",
            *block([f"apply {term.head}_ext; intro; poly."]),
            f"transitivity ({number_text(outside)} {ends} {atom_text(largest, objects)}).",
            *block([f"apply {term.head}_plus."]),
            "poly.",
        ]

    def _integral(self, term: Term, objects: Objects) -> Lines:
        new = fresh(term.name)
        variable = (term.head, term.kind, new)
        body = substitute(term.parts[0], {term.name: Term("point", name=new, kind=term.kind)})
        inside = objects.with_binders((Binder(new, term.kind),))
        inner, proof = self.equation(body, inside)
        normal = Normal(objects)
        lines = [
            f"transitivity {nest_text([variable], sum_text(inner, inside), objects)}.",
            *block([f"apply over_ext; intro {point_name(new)}.", *proof]),
        ]
        products = sorted(inner.items(), key=repr)
        parts = [nest_text([variable], product_text(monomial, inside), objects) for monomial, _ in products]
        spread = "0"
        for text, (_, coefficient) in reversed(list(zip(parts, products, strict=True))):
            spread = f"({number_text(coefficient)} * {text} + {spread})"
        lines += [f"transitivity {spread}.", *block(["linear."])]
        aim, steps = "0", list[str]()
        for text, (monomial, coefficient) in reversed(list(zip(parts, products, strict=True))):
            found = normal.over((variable,), monomial)
            name = self.new("M")
            lines += [
                f"assert ({name} : {text} = {sum_text(found, objects)}).",
                *block(self._product(variable, monomial, objects)),
            ]
            aim = f"({number_text(coefficient)} * {sum_text(found, objects)} + {aim})"
            times = f"Rmult {number_text(coefficient)}"
            steps.insert(0, f"apply (f_equal2 Rplus); [apply (f_equal ({times})); exact {name}|].")
        return [*lines, f"transitivity {aim}.", *block([*steps, "reflexivity."]), "poly."]

    def _product(self, variable: Bound, monomial: Monomial, objects: Objects) -> Lines:
        """That the average of a product is a product of averages: both are averages over all variables."""
        parts = Normal(objects).parted((variable,), monomial)
        scope = with_points(objects, parts.bound)
        factors = list(parts.own) + [factor for nest in parts.nests for factor in nest.product]
        body = product_text(tuple(factors), scope)
        inside = objects.with_binders((Binder(variable[2], variable[1]),))
        first = [f"apply over_ext; intro {point_name(variable[2])}."]
        if parts.nests:
            nests = "1"
            for nest in reversed(parts.nests):
                nests = f"({atom_text(nest.atom, inside)} * {nests})"
            first += [f"transitivity ({product_text(parts.own, inside)} * {nests}).", *block(["poly."])]
            for nest in parts.nests:
                first += [f"apply pull; intro {point_name(name)}; cbv beta." for _, _, name in nest.binders]
                first.append("apply reassociate.")
        lines = [f"transitivity {nest_text(parts.bound, body, objects)}.", *block([*first, "poly."])]
        target = [binder for nest in parts.groups for binder in nest.binders] + list(parts.left)
        order = list(parts.bound)
        for place, wanted in enumerate(target):
            for at in range(order.index(wanted), place, -1):
                order[at - 1], order[at] = order[at], order[at - 1]
                under = "".join("apply over_ext; intro; " for _ in range(at - 1))
                lines += [f"transitivity {nest_text(order, body, objects)}.", *block([f"{under}apply over_swap."])]
        return [*lines, "symmetry.", *self._gathered(parts, objects), "poly."]

    def _gathered(self, parts: Parted, objects: Objects) -> Lines:
        """From the product of averages to the average over all of their variables."""
        factors = "1"
        for _, kind, _ in reversed(parts.left):
            size = sum_text(Normal(objects).of(objects.sets[kind]), objects) if kind in objects.sets else "1"
            factors = f"({size} * {factors})"
        for nest in reversed(parts.groups):
            factors = f"({atom_text(nest.atom, objects)} * {factors})"
        lines = [f"transitivity ({product_text(parts.outside, objects)} * {factors}).", *block(["poly."])]
        for nest in parts.groups:
            lines += [f"apply pull; intro {point_name(name)}; cbv beta." for _, _, name in nest.binders]
            lines.append("apply reassociate.")
        for head, kind, name in parts.left:
            lemma = "pull_mean" if head == "mean" else f"(pull_total _ _ _ _ _ {self.sizes[kind]})"
            lines += [f"apply {lemma}; intro {point_name(name)}; cbv beta.", "apply reassociate."]
        return lines


def size_of(term: Term) -> int:
    """How many parts a term has, with those of its parts."""
    return 1 + sum(size_of(part) for part in term.parts)


def is_point(term: Term, objects: Objects) -> bool:
    """Whether a term is a point, not a number."""
    if term.head == "apply":
        return isinstance(objects.functions[term.name].values, str)
    return term.head == "point"


def _head_text(term: Term) -> str:
    if term.head == "apply":
        return function_name(term.name)
    return "power" if term.head == "^" else FUNCTIONS[term.head]


def block(lines: Iterable[str]) -> Lines:
    """Lines in braces."""
    return ["{", *(f"  {line}" for line in lines), "}"]
