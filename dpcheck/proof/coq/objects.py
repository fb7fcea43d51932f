"""What derivations speak of, as Coq has it: laws, finite sets, functions, terms and facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dpcheck.proof.coq.terms import FUNCTIONS, NotExported, interval_texts, name_of, number_text
from dpcheck.proof.derivation.normal import Normal
from dpcheck.proof.derivation.terms import (
    EXTREMES,
    INTEGER,
    INTEGRALS,
    Binder,
    DerivationFailed,
    Fact,
    Function,
    Link,
    Objects,
    Term,
)
from dpcheck.proof.prover.language import Domain


def point_name(name: str) -> str:
    """A point's name, which is no word of Coq's; variables that normal forms bind have others.

    >>> point_name("x"), point_name("x~12"), point_name("~0.1")
    ('p_x', "p_x'12", 'q_0_1')
    """
    return f"q_{name[1:].replace('.', '_')}" if name.startswith("~") else f"p_{name.replace('~', chr(39))}"


def number_name(name: str) -> str:
    """A number's name."""
    return name_of(name.replace("~", "'"))


def function_name(name: str) -> str:
    """A function's name, which is none of Coq's lemmas: ``f_equal`` is one.

    >>> function_name("err"), function_name("equal")
    ('f_err', 'f__equal')
    """
    return f"f_{'_' * name.startswith('equal')}{name.replace('~', chr(39))}"


def kind_text(kind: str, objects: Objects) -> str:
    """The type of the points of a law, set or type; numbers are real ones."""
    if kind == INTEGER:
        return "R"
    return f"L_{kind}" if kind in objects.laws else f"S_{kind}" if kind in objects.sets else f"T_{kind}"


def listed_text(kind: str, objects: Objects) -> str:
    """What an average or a sum over a law or set runs over."""
    return f"(weighted L_{kind})" if kind in objects.laws else f"(listed S_{kind})"


def exponent_of(term: Term) -> int | None:
    """The integer that an exponent is written as."""
    if term.head == "neg":
        inner = exponent_of(term.parts[0])
        return None if inner is None else -inner
    return int(term.value) if term.head == "number" and term.value.denominator == 1 else None


def term_text(term: Term, objects: Objects) -> str:
    """A term, in as many brackets as there are operations.

    >>> from dpcheck.proof.derivation.reading import read_objects, read_term
    >>> objects = read_objects("law mu; x(mu) in [0, 1]")
    >>> term_text(read_term("Pr(w: mu, x(w) <= 1/2)", objects), objects)
    '(mean L_mu (fun p_w : L_mu => (is_at_most (f_x p_w) (1 / 2))))'
    """
    head, parts = term.head, term.parts
    if head == "number":
        return number_text(term.value)
    if head == "name":
        return number_name(term.name)
    if head == "point":
        return point_name(term.name)
    if head in ("e", "pi"):
        return "(exp 1)" if head == "e" else "PI"
    if head in (*INTEGRALS, *EXTREMES):
        inside = objects.with_binders((Binder(term.name, term.kind),))
        of, word = ("L" if head == "mean" else "S"), head
        bound = f"{point_name(term.name)} : {of}_{term.kind}"
        return f"({word} {of}_{term.kind} (fun {bound} => {term_text(parts[0], inside)}))"
    inner = [term_text(part, objects) for part in parts]
    if head == "apply":
        return f"({function_name(term.name)} {' '.join(inner)})"
    if head == "neg":
        return f"(- {inner[0]})"
    if head in ("+", "-", "*", "/"):
        return f"({inner[0]} {head} {inner[1]})"
    if head == "^":
        exponent = exponent_of(parts[1])
        if exponent is None:
            return f"(power {inner[0]} {inner[1]})"
        power = f"({inner[0]} ^ {abs(exponent)})"
        return power if exponent >= 0 else f"(/ {power})"
    if head == "at most":
        return f"(is_at_most {inner[0]} {inner[1]})"
    if head not in FUNCTIONS:
        raise NotExported(head)
    return f"({FUNCTIONS[head]} {' '.join(inner)})"


def link_text(link: Link, objects: Objects) -> str:
    """One relation."""
    return f"{term_text(link.left, objects)} {link.relation} {term_text(link.right, objects)}"


def links_text(links: Iterable[Link], objects: Objects) -> str:
    """Relations that hold together."""
    return " /\\ ".join(link_text(link, objects) for link in links)


def function_type(function: Function, objects: Objects) -> str:
    """The type of a function."""
    values = kind_text(function.values, objects) if isinstance(function.values, str) else "R"
    return " -> ".join([*(kind_text(kind, objects) for kind in function.arguments), values])


def function_ranges(name: str, function: Function, objects: Objects) -> list[str]:
    """What is known of a function's values: a statement for integers, one for each end.

    A sequence has values for all real numbers, of which only those for integers are spoken of.
    """
    if isinstance(function.values, str):
        return []
    names = [f"a{place}" for place, _ in enumerate(function.arguments)]
    bound = " ".join(
        f"({each} : {kind_text(kind, objects)})" for each, kind in zip(names, function.arguments, strict=True)
    )
    value = f"({function_name(name)} {' '.join(names)})"
    return [f"forall {bound}, {each}" for each in interval_texts(value, function.values)]


def binder_texts(binder: Binder, objects: Objects) -> tuple[str, list[tuple[str, str]]]:
    """What a fact says of one binder: its name with its type, and hypotheses with their names."""
    if isinstance(binder.of, str):
        return f"{point_name(binder.name)} : {kind_text(binder.of, objects)}", []
    if isinstance(binder.of, Domain):
        name = number_name(binder.name)
        ends = interval_texts(name, binder.of)
        return f"{name} : R", [(f"D_{name}_{place}", end) for place, end in enumerate(ends)]
    name = function_name(binder.name)
    ends = function_ranges(binder.name, binder.of, objects)
    return f"{name} : {function_type(binder.of, objects)}", [
        (f"R_{name}_{place}", end) for place, end in enumerate(ends)
    ]


def definedness(term: Term, objects: Objects, seen: bool = True) -> list[str]:
    """The conditions under which a term is defined, at each point where it binds one.

    All, or those that are not ``seen`` to hold by the domains of what is declared.

    >>> from dpcheck.proof.derivation.reading import read_objects, read_term
    >>> objects = read_objects("law mu; x(mu) in (0, 1]; n in (0, inf)")
    >>> definedness(read_term("mean(w: mu, 1/x(w))/n", objects), objects)
    ['forall p_w : L_mu, (f_x p_w) <> 0', 'v_n <> 0']
    """
    if term.head in (*INTEGRALS, *EXTREMES):
        inside = objects.with_binders((Binder(term.name, term.kind),))
        bound = f"{point_name(term.name)} : {kind_text(term.kind, objects)}"
        return [f"forall {bound}, {each}" for each in definedness(term.parts[0], inside, seen)]
    found = {each: None for part in term.parts for each in definedness(part, objects, seen)}
    inner = [term_text(part, objects) for part in term.parts]
    exponent = exponent_of(term.parts[1]) if term.head == "^" else None
    if not seen and _seen_defined(term, objects):
        return list(found)
    if term.head == "/":
        found[f"{inner[1]} <> 0"] = None
    elif term.head == "log":
        found[f"0 < {inner[0]}"] = None
    elif term.head == "sqrt":
        found[f"0 <= {inner[0]}"] = None
    elif term.head == "^" and exponent is None:
        found[f"(0 < {inner[0]} \\/ (0 <= {inner[0]} /\\ 0 <= {inner[1]} /\\ integer {inner[1]}))"] = None
    elif exponent is not None and exponent < 0:
        found[f"{inner[0]} <> 0"] = None
    return list(found)


def _seen_defined(term: Term, objects: Objects) -> bool:
    """Whether it is seen, by domains alone, that an operation is defined where its parts are."""
    if term.head not in ("/", "log", "sqrt", "^"):
        return True
    normal = Normal(objects)
    try:
        ranges = [normal.range_of_sum(normal.of(part)) for part in term.parts]
    except DerivationFailed:
        return False
    if term.head == "/":
        return ranges[1].nonzero
    if term.head in ("log", "sqrt"):
        return ranges[0].at_least_zero and (term.head == "sqrt" or ranges[0].nonzero)
    return ranges[0].at_least_zero and ranges[0].nonzero


def guarded_text(fact: Fact, objects: Objects) -> str:
    """A premise: for all values for which the conditions are defined and hold, the claim holds, if it is defined.

    Coq has values for what is not defined, of which a premise is to say nothing.
    """
    scope, found = _quantified(fact, objects)
    for link in fact.conditions:
        found += "".join(f"({each}) -> " for each in unseen((link,), scope)) + f"{link_text(link, scope)} -> "
    guards = "".join(f"({each}) -> " for each in unseen(fact.claim, scope))
    return f"{found}{guards}{links_text(fact.claim, scope)}"


def unseen(links: Iterable[Link], objects: Objects) -> list[str]:
    """The conditions under which relations are defined that are not seen to hold, each once."""
    sides = [side for link in links for side in (link.left, link.right)]
    return list({each: None for side in sides for each in definedness(side, objects, seen=False)})


def _quantified(fact: Fact, objects: Objects) -> tuple[Objects, str]:
    """What a fact is about, with what it quantifies over, and the text of that."""
    found = ""
    for binder in fact.binders:
        objects = objects.with_binders((binder,))
        bound, hypotheses = binder_texts(binder, objects)
        found += f"forall ({bound}), " + "".join(f"({each}) -> " for _, each in hypotheses)
    return objects, found


def fact_text(fact: Fact, objects: Objects, defined: bool = False, first: str = "") -> str:
    """For all values of the binders for which the conditions hold, the claim holds; and what is said ``first``.

    Where ``defined``, it is said too that conditions and claim are defined.
    """
    scope, found = _quantified(fact, objects)
    closing = ""
    for link in fact.conditions:
        asked = _asked((link,), scope) if defined else ""
        found += f"{asked}{'(' if asked else ''}{link_text(link, scope)} -> "
        closing += ")" if asked else ""
    asked = _asked(fact.claim, scope) if defined else ""
    said = first + links_text(fact.claim, scope)
    return f"{found}{asked}({said}){closing}" if asked else f"{found}{said}{closing}"


def undefined_nowhere(links: Iterable[Link], objects: Objects) -> list[str]:
    """The conditions under which all that relations compare is defined, each once."""
    return list(
        {each: None for link in links for side in (link.left, link.right) for each in definedness(side, objects)}
    )


def _asked(links: Iterable[Link], objects: Objects) -> str:
    return "".join(f"({each}) /\\ " for each in undefined_nowhere(links, objects))


def object_texts(objects: Objects) -> Iterator[tuple[str, str]]:
    """What is declared, as names with types and hypotheses with theirs, each after what it speaks of."""
    for name, domain in objects.numbers.items():
        bound, hypotheses = binder_texts(Binder(name, domain), objects)
        yield from ((bound.partition(" : ")[0], "R"), *hypotheses)
    for name in sorted(objects.laws):
        yield f"L_{name}", "law"
    for name in sorted(objects.types):
        yield f"T_{name}", "Type"
    for name in objects.sets:
        yield f"S_{name}", "finite"
    for name, function in objects.functions.items():
        bound, hypotheses = binder_texts(Binder(name, function), objects)
        yield tuple(bound.split(" : ", 1))  # type: ignore[misc]
        yield from hypotheses
    for name, kind in objects.points.items():
        yield point_name(name), kind_text(kind, objects)
    for name, size in objects.sets.items():
        yield f"N_{name}", f"size S_{name} = {term_text(size, objects)}"
