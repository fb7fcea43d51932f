"""Facts as formulas: what is averaged, summed or applied becomes a number of its range, events are tried both ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import product

from dpcheck.proof.derivation.normal import Atom, Normal, Range, Sum, add, number_of, of_key
from dpcheck.proof.derivation.terms import (
    BINDERS,
    ONE,
    ZERO,
    DerivationFailed,
    Link,
    Objects,
    Term,
)
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.prover.language import CONSTANTS, FUNCTIONS, parse_domain

#: Events of which both cases are tried, at once.
MOST_EVENTS = 8


@dataclass(frozen=True)
class Obligation:
    """A formula that a relation of a line rests on; ``legend`` says what its variables stand for.

    One of several cases may be impossible: then its formula is vacuous, and nothing is left to show. ``relation`` is
    the number of the relation; None for one of a condition.
    """

    formula: Formula
    case: bool
    legend: tuple[tuple[str, str], ...] = ()
    relation: int | None = None


@dataclass(frozen=True)
class Arithmetic:
    """What a line comes to: formulas, and of each relation whether some case of it holds without one."""

    obligations: tuple[Obligation, ...]
    settled: tuple[bool, ...]


def follows(objects: Objects, assumed: Sequence[Link], claimed: Sequence[Link]) -> Arithmetic:
    """The formulas that say: where the assumed relations hold, so do the claimed ones.

    Raises
    ------
    DerivationFailed
        When a relation is false as it stands, or too many events would have to be tried.
    """
    normal = Normal(objects)
    events = events_of(normal, (*assumed, *claimed))
    if len(events) > MOST_EVENTS:
        raise DerivationFailed(f"{len(events)} events at once, at most {MOST_EVENTS}: take two lines for it")
    found: dict[tuple[int, Formula], Obligation] = {}
    settled = [False] * len(claimed)
    for values in product((1, 0), repeat=len(events)):
        for number, link in enumerate(claimed):
            case = Case(normal, dict(zip(events, values, strict=True)), objects)
            result = case.formula(assumed, link)
            if result is None:
                settled[number] = True
            elif result is not IMPOSSIBLE:
                found.setdefault((number, result.formula), replace(result, relation=number))
    return Arithmetic(tuple(found.values()), tuple(settled))


def together(objects: Objects, assumed: Sequence[Link]) -> tuple[Obligation, ...]:
    """The formulas that say, by the point that belongs to a proof, that the assumed relations can hold together.

    Relations with events too many to try are left out.
    """
    normal = Normal(objects)
    kept: list[Link] = []
    for link in assumed:
        if len(events_of(normal, (*kept, link))) <= MOST_EVENTS:
            kept.append(link)
    events = events_of(normal, kept)
    found: dict[Formula, Obligation] = {}
    for values in product((1, 0), repeat=len(events)):
        case = Case(normal, dict(zip(events, values, strict=True)), objects)
        result = case.formula(kept, Link(ZERO, "<=", ONE), forced=True)
        if result is not None and result is not IMPOSSIBLE:
            found.setdefault(result.formula, replace(result, relation=0))
    return tuple(found.values())


IMPOSSIBLE = Obligation(Formula("", "", "0 <= 0"), True)


def nodes_of(term: Term) -> Iterable[Term]:
    """The outermost parts of a term that are not arithmetic on numbers."""
    if term.head in BINDERS or term.head in ("apply", "at most"):
        yield term
    else:
        for part in term.parts:
            yield from nodes_of(part)


def events_of(normal: Normal, links: Iterable[Link]) -> list[Atom]:
    """Relations that are 1 or 0 in these links, and what else is 0 or 1 beside another factor."""
    found: dict[Atom, None] = {}

    def visit(total: Sum) -> None:
        for monomial in total:
            for atom, _ in monomial:
                if atom[0] == "at most":
                    if atom not in found:
                        found[atom] = None
                        visit(of_key(atom[1]))
                elif len(monomial) > 1 and normal.zero_or_one(atom):
                    found.setdefault(atom)

    for link in links:
        for side in (link.left, link.right):
            for node in nodes_of(side):
                visit(normal.of(node))
            if not any(node.head in ("/", "^") for node in _arithmetic(side)):
                with suppress(DerivationFailed):  # what may be undefined is the formula's to show
                    whole = normal.of(side)
                    visit({monomial: a for monomial, a in whole.items() if len(monomial) > 1})
    return list(found)


def _arithmetic(term: Term) -> Iterable[Term]:
    yield term
    if term.head not in BINDERS and term.head not in ("apply", "at most"):
        for part in term.parts:
            yield from _arithmetic(part)


@dataclass(frozen=True)
class Relations:
    """What a case says of numbers: ``premises``, each with the event or the place of the link that it is from."""

    premises: tuple[tuple[Atom | int, str], ...]
    claim: str
    domains: tuple[str, ...]


@dataclass
class Case:
    """One way in which events happen or do not, and the names that atoms have in its formula."""

    normal: Normal
    events: dict[Atom, int]
    objects: Objects
    names: dict[Atom, str] = field(default_factory=dict)
    used: dict[str, None] = field(default_factory=dict)

    def formula(self, assumed: Sequence[Link], claimed: Link, forced: bool = False) -> Obligation | None:
        """The case's formula; None where nothing is left to show (unless forced), `IMPOSSIBLE` where it cannot be."""
        raw = self.relations(assumed, claimed, forced)
        if raw is None or isinstance(raw, Obligation):
            return raw
        formula, gone = put_in(raw)
        if is_trivial(formula.claim) and not forced:
            return None
        legend = tuple((name, _atom_words(atom)) for atom, name in self.names.items() if name not in gone)
        return Obligation(formula, len(self.events) > 0, legend)

    def relations(self, assumed: Sequence[Link], claimed: Link, forced: bool = False) -> Relations | Obligation | None:
        """The case as relations; None where nothing is left to show, `IMPOSSIBLE` where it cannot be."""
        premises: list[tuple[Atom | int, str]] = []
        decided = self.decided(claimed)
        instead = ""  # of a false claim: that some event of the case is otherwise
        for atom, value in self.events.items():
            if atom[0] == "at most":
                inside = self.put(of_key(atom[1]))
                known = number_of(inside)
                if known is None and decided is False and not instead:
                    instead = f"{self.sum_text(inside)} {'>' if value else '<='} 0"
                elif known is None:
                    premises.append((atom, f"{self.sum_text(inside)} {'<=' if value else '>'} 0"))
                elif (known <= 0) != bool(value):
                    return IMPOSSIBLE
        for place, link in enumerate(assumed):
            held = self.decided(link)
            if held is False and self.events:
                return IMPOSSIBLE
            if held is not True:
                premises.append((place, self.link_text(link)))
        if decided is True and not forced:
            return None
        if decided is False and not premises and not instead:
            raise DerivationFailed(f"it is false that {claimed}, where {self.words()}")
        claim = instead or self.link_text(claimed)
        return Relations(tuple(premises), claim, tuple(self.domains()))

    def words(self) -> str:
        """Which events happen, for readers."""
        return ", ".join(f"{_atom_words(atom)} is {value}" for atom, value in self.events.items()) or "nothing is given"

    def put(self, total: Sum) -> Sum:
        """A sum with the case's events in it."""
        found: Sum = {}
        for monomial, a in total.items():
            kept = tuple((atom, power) for atom, power in monomial if atom not in self.events)
            if all(self.events[atom] for atom, _ in monomial if atom in self.events):
                found = add(found, {kept: a})
        return found

    def decided(self, link: Link) -> bool | None:
        """Whether a relation is one of numbers, and true."""
        try:
            value = number_of(self.put(add(self.normal.of(link.left), self.normal.of(link.right), -1)))
        except DerivationFailed:
            return None
        if value is None:
            return None
        return {"<=": value <= 0, "<": value < 0, "=": value == 0}[link.relation]

    # Texts

    def link_text(self, link: Link) -> str:
        """A relation in the language of formulas."""
        return f"{self.text(link.left)} {link.relation} {self.text(link.right)}"

    def text(self, term: Term, binding: int = 0) -> str:
        """A term in the language of formulas: arithmetic as it stands, all else by the names of its atoms."""
        head = term.head
        if head in BINDERS or head in ("apply", "at most"):
            total = self.put(self.normal.of(term))
            whole = self.sum_text(total)
            return whole if binding == 0 or whole.isidentifier() or whole.isdigit() else f"({whole})"
        if head == "name":
            if ("name", term.name) in self.events:
                return str(self.events["name", term.name])
            self.used.setdefault(term.name)
            return term.name
        if head == "number":
            return str(term.value) if term.value >= 0 and term.value.denominator == 1 else f"({term.value})"
        if head in CONSTANTS:
            return head
        if head in FUNCTIONS:
            return f"{head}({', '.join(self.text(part) for part in term.parts)})"
        if head == "neg":
            return f"(-{self.text(term.parts[0], 25)})" if binding else f"-{self.text(term.parts[0], 25)}"
        own = {"+": 10, "-": 10, "*": 20, "/": 20, "^": 40}[head]
        left, right = self.text(term.parts[0], own - (head != "^")), self.text(term.parts[1], own - (head == "^"))
        text = f"{left} {head} {right}" if own == 10 else f"{left}{head}{right}"
        return f"({text})" if own <= binding else text

    def sum_text(self, total: Sum) -> str:
        """A sum of products of atoms."""
        text = ""
        for monomial, coefficient in sorted(total.items(), key=repr):
            factors = [self.atom_text(atom) + (f"^{_power(power)}" if power != 1 else "") for atom, power in monomial]
            size = abs(coefficient)
            if size != 1 or not factors:
                factors.insert(0, str(size) if size.denominator == 1 else f"({size})")
            sign = "-" if coefficient < 0 else "+"
            text += f" {sign} {'*'.join(factors)}" if text else f"{'-' if sign == '-' else ''}{'*'.join(factors)}"
        return text or "0"

    def atom_text(self, atom: Atom) -> str:
        """An atom: a number's name, arithmetic, or a name of its own."""
        if atom[0] == "name":
            self.used.setdefault(atom[1])
            return str(atom[1])
        if atom[0] == "constant":
            return str(atom[1])
        if atom[0] == "function":
            inner = [self.sum_text(self.put(of_key(part))) for part in atom[2:]]
            return f"(({inner[0]})^({inner[1]}))" if atom[1] == "^" else f"{atom[1]}({', '.join(inner)})"
        if atom[0] == "inverse":
            return f"(1/({self.sum_text(self.put(of_key(atom[1])))}))"
        if atom not in self.names:
            taken = {*self.names.values(), *self.objects.numbers}
            base = _base_name(atom)
            name, count = base, 1
            while name in taken or name in FUNCTIONS or name in CONSTANTS:
                count += 1
                name = f"{base}{count}"
            self.names[atom] = name
        return self.names[atom]

    def domains(self) -> list[str]:
        """The variables of the formula with their domains, in order of first use."""
        found = []
        for name in self.used:
            domain = self.objects.numbers[name]
            found.append(f"{name} in {'Z' if domain.integer else ''}{domain.interval}")
        for atom, name in self.names.items():
            if atom[0] == "apply":
                values = self.objects.functions[atom[1]].values
                assert not isinstance(values, str)
                found.append(f"{name} in {'Z' if values.integer else ''}{values.interval}")
            else:
                found.append(f"{name} in {_interval(self.normal.range_of(atom))}")
        return found


_VARIABLE = re.compile(r"[A-Za-z]\w*")


def put_in(raw: Relations) -> tuple[Formula, tuple[str, ...]]:
    """Relations as a formula, and the variables that are gone from it.

    What a premise says that a variable is, is put in its place: the bounds of its domain are premises then. A search
    finds no point at which an equation holds, where it is not solved.
    """
    premises, claim, domains = [text for _, text in raw.premises], raw.claim, list(raw.domains)
    gone = list[str]()
    while True:
        found = next(filter(None, map(_solved, premises)), None)
        if found is None:
            return Formula("; ".join(domains), "; ".join(premises), claim), tuple(gone)
        premise, name, value = found
        word = partial(re.compile(rf"(?<![\w.]){name}(?!\w)").sub, value)  # a value has no backslash
        domain = next(each for each in domains if each.partition(" in ")[0] == name)
        if _is_number(value):
            inside = parse_domain(domain)
            if Fraction(value.strip("()")) not in inside:
                premises_kept = "; ".join(premises)  # what is given cannot be
                return Formula("; ".join(domains), premises_kept, "1 <= 0"), tuple(gone)
        gone.append(name)
        domains = [each for each in domains if each is not domain]
        rest = [word(each) for each in premises if each is not premise]
        premises = rest if _is_number(value) else [*_bounds(domain, value), *rest]
        claim = word(claim)


def _is_number(value: str) -> bool:
    return re.fullmatch(r"\(?-?\d+(/\d+)?\)?", value) is not None


def is_trivial(claim: str) -> bool:
    """Whether a relation has the same on both sides, which is defined everywhere."""
    left, relation, right = re.split(r" (<=|<|=|>) ", claim, maxsplit=1)
    partial_ones = ("/", "^", "log", "sqrt", "binom", "fact")
    return relation in ("<=", "=") and left == right and not any(sign in left for sign in partial_ones)


def _solved(premise: str) -> tuple[str, str, str] | None:
    left, sign, right = premise.partition(" = ")
    if not sign:
        return None
    for name, value in ((left, right), (right, left)):
        if _VARIABLE.fullmatch(name) and name not in CONSTANTS and name not in _VARIABLE.findall(value):
            return premise, name, value if _VARIABLE.fullmatch(value) or value.isdigit() else f"({value})"
    return None


def _bounds(domain: str, value: str) -> list[str]:
    """That a value is in the interval of a domain; that it is an integer is not said."""
    interval = domain.partition(" in ")[2].removeprefix("Z")
    low, high = (end.strip() for end in interval[1:-1].split(","))
    found = [] if low == "-inf" else [f"{low} {'<' if interval[0] == '(' else '<='} {value}"]
    return found + ([] if high == "inf" else [f"{value} {'<' if interval[-1] == ')' else '<='} {high}"])


def _power(power: int) -> str:
    return str(power) if power > 0 else f"({power})"


#: Ends of intervals with more digits than a formula may have are none.
_LONGEST_END = 10**50


def _interval(found: Range) -> str:
    found = replace(found, low=_short(found.low), high=_short(found.high))

    def open_at(end: Fraction | None) -> bool:
        return end is None or (end == 0 and found.nonzero)

    low = f"{'(' if open_at(found.low) else '['}{'-inf' if found.low is None else found.low}"
    high = f"{'inf' if found.high is None else found.high}{')' if open_at(found.high) else ']'}"
    return f"{'Z' if found.integer else ''}{low}, {high}"


def _short(end: Fraction | None) -> Fraction | None:
    return None if end is not None and max(abs(end.numerator), end.denominator) > _LONGEST_END else end


def _base_name(atom: Atom) -> str:
    if atom[0] == "apply":
        points = "_".join(_plain(part[1]) for part in atom[2:] if part[0] == "point")
        return f"{atom[1]}_{points}" if points else str(atom[1])
    if atom[0] == "integral":
        return "P" if all(head == "mean" for head, _ in atom[1]) else "T"
    return {"largest": "M"}.get(atom[0], "x")


def _plain(name: object) -> str:
    return "".join(character for character in str(name) if character.isalnum())


def _atom_words(atom: Atom) -> str:
    """An atom for readers: what it averages, over what."""
    head = atom[0]
    if head in ("name", "point", "constant"):
        return _variable_words(str(atom[1]))
    if head == "integer":
        return sum_words(of_key(atom[1]))
    if head == "apply":
        return f"{atom[1]}({', '.join(_atom_words(part) for part in atom[2:])})"
    if head == "at most":
        return f"[{sum_words(of_key(atom[1]))} <= 0]"
    if head == "integral":
        text = "*".join(_atom_words(a) + (f"^{_power(power)}" if power != 1 else "") for a, power in atom[2])
        for (kind, of), name in reversed(
            list(zip(atom[1], [f"~{atom[3]}.{i}" for i in range(len(atom[1]))], strict=True))
        ):
            text = f"{kind}({_variable_words(name)}: {of}, {text})"
        return text
    if head == "largest":
        return f"largest over {atom[1]} of {sum_words(of_key(atom[2]))}"
    if head == "inverse":
        return f"1/({sum_words(of_key(atom[1]))})"
    inner = [sum_words(of_key(part)) for part in atom[2:]]
    return f"({inner[0]})^({inner[1]})" if atom[1] == "^" else f"{atom[1]}({', '.join(inner)})"


def _variable_words(name: str) -> str:
    return "x" + name[1:].replace(".", "") if name.startswith("~") else name.partition("~")[0]


def sum_words(total: Sum) -> str:
    """A normal form for readers."""
    text = ""
    for monomial, coefficient in sorted(total.items(), key=repr):
        factors = [_atom_words(atom) + (f"^{_power(power)}" if power != 1 else "") for atom, power in monomial]
        size = abs(coefficient)
        if size != 1 or not factors:
            factors.insert(0, str(size))
        sign = "-" if coefficient < 0 else "+"
        text += f" {sign} {'*'.join(factors)}" if text else f"{'-' if sign == '-' else ''}{'*'.join(factors)}"
    return text or "0"
