"""Whether a derivation's lines follow: each rule's side conditions are checked here, what is left are formulas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from dpcheck.model.errors import nearest
from dpcheck.proof.derivation.arithmetic import Obligation, follows, together
from dpcheck.proof.derivation.normal import Normal, add, key, primitive
from dpcheck.proof.derivation.reading import check_names, read_fact, read_objects, read_term
from dpcheck.proof.derivation.terms import (
    EXTREMES,
    INTEGER,
    INTEGERS,
    Binder,
    DerivationFailed,
    Fact,
    Function,
    Link,
    Objects,
    Term,
    free_names,
    fresh,
    in_links,
    number,
    put_function,
    substitute,
    with_names,
)
from dpcheck.proof.prover.language import Domain

_OVER = re.compile(r"\s*(mean|total|largest|smallest)\s+of\s+(.*)\s+over\s+(\w+)\s*")
_FUNCTIONS = re.compile(r"\s*functions\s+(\w+)\s+of\s+(.*)")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")
#: What the line is called that looks whether premises contradict each other, and what it says.
PREMISES, TOGETHER = "(premises)", "what is given without conditions can be so"
#: Rules of lines, with what they introduce or run over.
RULES = ("arithmetic", "point", "largest", "sum", "induction", "cases")


@dataclass(frozen=True)
class LineResult:
    """A line as it was read, and the formulas that it rests on; ``settled``: relations of which a case needs none."""

    name: str
    fact: Fact
    rule: str
    using: tuple[str, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    settled: tuple[bool, ...] = (True,)


@dataclass(frozen=True)
class Use:
    """A fact as a line uses it, and how it comes of another.

    ``how`` is "" for a fact under its ``name``; "at" for one at ``values``, of a function with its arguments;
    "functions" for one of all functions ``name``; else what is taken over the points ``name``: "mean", and so on.
    """

    fact: Fact
    how: str
    name: str = ""
    inner: Use | None = None
    values: tuple[tuple[str, tuple[str, ...], Term], ...] = ()


@dataclass
class Checker:
    """The facts that are known so far, by name."""

    objects: Objects
    facts: dict[str, Fact]

    @classmethod
    def begun(cls, objects: str, given: Sequence[tuple[str, str]]) -> Checker:
        """What is declared and given.

        Raises
        ------
        DerivationFailed
            For what is not of the language, or a name that is used twice.
        """
        checker = cls(read_objects(objects), {})
        for name, size in checker.objects.sets.items():
            bounds = Normal(checker.objects).range_of_sum(Normal(checker.objects).of(size))
            if not (bounds.integer and bounds.low is not None and bounds.low >= 1):
                raise DerivationFailed(f"the size of the set {name} must be an integer of at least 1, got {size}")
        for name, text in given:
            checker.keep(name, read_fact(text, checker.objects))
        return checker

    def premises(self) -> LineResult | None:
        """That what is given can be so: the relations that hold without conditions, at one instance each.

        None where nothing is given without conditions. Only what contradicts itself as arithmetic is found so.
        """
        scope, links = self.objects, list[Link]()
        for place, fact in enumerate(self.facts.values()):
            if fact.conditions:
                continue
            apart = {binder.name: _unused(f"{binder.name}_{place}", scope) for binder in fact.binders}
            scope = scope.with_binders(tuple(replace(binder, name=apart[binder.name]) for binder in fact.binders))
            links += _renamed(fact.claim, fact.binders, apart)
            for binder in reversed(fact.binders):  # what holds at each point holds on average
                if isinstance(binder.of, str) and binder.of not in scope.types:
                    fact = _over("mean" if binder.of in scope.laws else "total", fact, binder.name, scope)
            if len(fact.binders) < len(apart):
                links += _renamed(fact.claim, fact.binders, apart)
        if not links:
            return None
        return LineResult(PREMISES, Fact((), (), ()), "a point", (), together(scope, links), (False,))

    def keep(self, name: str, fact: Fact) -> None:
        """A fact under a name of its own."""
        if not _NAME.fullmatch(name):
            raise DerivationFailed(f"a fact's name is letters, digits, _ and ., got {name!r}")
        if name in self.facts:
            raise DerivationFailed(f"two facts are called {name!r}")
        self.facts[name] = fact

    def line(self, name: str, text: str, rule: str = "arithmetic", using: Sequence[str] = ()) -> LineResult:
        """Check one line and keep its fact.

        Raises
        ------
        DerivationFailed
            When it does not follow by the rule, with what is missing.
        """
        word, _, rest = rule.partition(" ")
        if word not in RULES:
            raise DerivationFailed(f"there is no rule {word!r}{nearest(word, RULES)}; there are {', '.join(RULES)}")
        if word == "point":
            result = self._point(name, text, rest)
        else:
            fact = read_fact(text, self.objects)
            scope = self.objects.with_binders(fact.binders)
            if word == "arithmetic":
                result = self._arithmetic(name, fact, scope, using)
            elif word == "induction":
                result = self._induction(name, fact, rest.strip(), using)
            elif word == "cases":
                result = self._cases(name, fact, scope, using)
            else:
                for link in fact.claim:
                    (self._of_extreme if word == "largest" else self._of_sum)(link, scope)
                result = LineResult(name, fact, rule)
        self.keep(name, result.fact)
        return replace(result, rule=rule, using=tuple(using))

    # Rules

    def _arithmetic(self, name: str, fact: Fact, scope: Objects, using: Sequence[str]) -> LineResult:
        assumed: list[Link] = list(fact.conditions)
        conditions: list[Obligation] = []
        for each in using:
            used = self._in_scope(self.used(each, scope).fact, fact, each)
            if used.conditions:
                conditions += [
                    replace(each, relation=None) for each in follows(scope, assumed, used.conditions).obligations
                ]
            assumed += used.claim
        shown = follows(scope, assumed, fact.claim)
        return LineResult(name, fact, "", (), (*conditions, *shown.obligations), shown.settled)

    def _point(self, name: str, text: str, rest: str) -> LineResult:
        """There is a point at which a function is at least its mean, or is its largest value."""
        new, _, kind = (part.strip() for part in rest.partition(":"))
        if kind not in self.objects.laws and kind not in self.objects.sets:
            raise DerivationFailed(f"the rule is 'point NAME: LAW' or 'point NAME: SET', got 'point {rest}'")
        if new in self.objects.names:
            raise DerivationFailed(f"the point must have a new name, got {new!r}")
        check_names((new,), self.objects)
        scope = self.objects.with_binders((Binder(new, kind),))
        fact = read_fact(text, scope)
        if fact.binders or fact.conditions or len(fact.claim) != 1:
            raise DerivationFailed(f"a point is taken from one relation, without conditions, got {text!r}")
        link, normal = fact.claim[0], Normal(scope)
        sides = [side for side in (link.left, link.right) if new in free_names(side)]
        if len(sides) != 1 or link.relation == "<":
            raise DerivationFailed(f"{new} must stand on one side of <= or =, got {text!r}")
        (here,) = sides
        there = link.right if here is link.left else link.left
        variable = fresh(new)
        body = substitute(here, {new: Term("point", name=variable, kind=kind)})

        def over(head: str) -> object:
            return key(normal.of(Term(head, (body,), name=variable, kind=kind)))

        wanted = {over("largest"), over("smallest")} if kind in self.objects.sets else set()
        if link.relation == "<=":
            if kind in self.objects.laws:
                wanted.add(over("mean"))
            else:
                size = normal.of(self.objects.sets[kind])
                if over("total") == key(normal.times(size, normal.of(there))):
                    wanted.add(key(normal.of(there)))
        if key(normal.of(there)) not in wanted:
            raise DerivationFailed(f"{there} is neither the mean nor the largest or smallest value of {here}")
        self.objects = scope
        return LineResult(name, fact, "")

    def _of_extreme(self, link: Link, scope: Objects) -> None:
        """A value is at most the largest one and at least the smallest one."""
        normal = Normal(scope)
        for side, other in ((link.right, link.left), (link.left, link.right)):
            if side.head in EXTREMES and (side.head == "largest") == (side is link.right) and link.relation == "<=":
                points = [point for point, kind in scope.points.items() if kind == side.kind]
                value = key(normal.of(other))
                for point in points:
                    at = substitute(side.parts[0], {side.name: Term("point", name=point, kind=side.kind)})
                    if key(normal.of(at)) == value:
                        return
        raise DerivationFailed(f"{link} does not compare a value at a point with the largest or smallest of its kind")

    def _of_sum(self, link: Link, scope: Objects) -> None:
        """The largest of values that are at least 0, and each of them, is at most their sum."""
        normal = Normal(scope)
        right = link.right
        if right.head != "total" or link.relation != "<=":
            raise DerivationFailed(f"{link} does not end with a total")
        inside = scope.with_binders((Binder(right.name, right.kind),))
        if not Normal(inside).range_of_sum(Normal(inside).of(right.parts[0])).at_least_zero:
            raise DerivationFailed(f"it is not seen that {right.parts[0]} is at least 0")
        left = key(normal.of(link.left))
        values = [Term("largest", right.parts, name=right.name, kind=right.kind)]
        for point, kind in scope.points.items():
            if kind == right.kind:
                values.append(substitute(right.parts[0], {right.name: Term("point", name=point, kind=kind)}))
        if left not in [key(normal.of(value)) for value in values]:
            raise DerivationFailed(f"{link.left} is neither the largest nor one of the values that are added up")

    def _induction(self, name: str, fact: Fact, variable: str, using: Sequence[str]) -> LineResult:
        """From the first number, and from each to the next, to all."""
        if len(using) != 2:
            raise DerivationFailed("induction uses two facts: the first case, and the step from n to n + 1")
        first = next((binder for binder in fact.binders if binder.name == variable), None)
        domain = first.of if first is not None else None
        if not isinstance(domain, Domain) or not domain.integer or domain.low is None or domain.high is not None:
            raise DerivationFailed(f"induction runs over a number 'for {variable or 'n'} in Z[1, inf)' of the fact")
        base, step = (self._named(each) for each in using)
        rest = tuple(binder for binder in fact.binders if binder.name != variable)
        scope = self.objects.with_binders(fact.binders)
        if any(variable in free_names(side) for link in fact.conditions for side in (link.left, link.right)):
            raise DerivationFailed(f"the conditions of an induction must not speak of {variable}")
        following = Term("+", (Term("name", name=variable), number(1)))
        at_first = in_links(fact.claim, partial(substitute, values={variable: number(domain.low)}))
        at_next = in_links(fact.claim, partial(substitute, values={variable: following}))
        for found, binders, conditions, wish, words in (
            (base, rest, fact.conditions, at_first, "the first case"),
            (step, fact.binders, (*fact.conditions, *fact.claim), at_next, "the step"),
        ):
            if found.binders != binders or not _alike(found.conditions, conditions, scope):
                raise DerivationFailed(f"{words} of the induction must have the binders and conditions of the fact")
            if not _alike(found.claim, wish, scope):
                raise DerivationFailed(f"{words} of the induction must be {' and '.join(map(str, wish))}")
        return LineResult(name, fact, "")

    def _cases(self, name: str, fact: Fact, scope: Objects, using: Sequence[str]) -> LineResult:
        """From what holds if one relation does and what holds if another does, where one of the two always does."""
        if len(using) != 2:
            raise DerivationFailed("cases uses two facts: what holds in the one case, and in the other")
        first, second = (self.case_of(self._named(each), fact, scope) for each in using)
        if first.relation == "=":
            first, second = second, first
        if first.relation == "=":
            raise DerivationFailed(f"one of two cases must be an inequality, got {first} and {second}")
        otherwise = Link(first.right, "<" if first.relation == "<=" else "<=", first.left)
        shown = follows(scope, (*fact.conditions, otherwise), (second,))
        return LineResult(name, fact, "", (), shown.obligations, shown.settled)

    def case_of(self, found: Fact, fact: Fact, scope: Objects) -> Link:
        """The condition that a fact has beside those of another, which says the same otherwise.

        Raises
        ------
        DerivationFailed
            Where it has none, or more, or says something else.
        """
        if found.binders != fact.binders or not _alike(found.claim, fact.claim, scope):
            raise DerivationFailed("each case must have the binders of the fact and say what it says")
        left = [
            link for link in found.conditions if not any(_alike((link,), (each,), scope) for each in fact.conditions)
        ]
        if len(left) != 1 or len(found.conditions) != len(fact.conditions) + 1:
            raise DerivationFailed("each case must have the conditions of the fact and one more")
        return left[0]

    # Facts that are used

    def _named(self, name: str) -> Fact:
        if name.strip() not in self.facts:
            known = ", ".join(self.facts) or "none"
            raise DerivationFailed(f"there is no fact {name!r}{nearest(name, self.facts)}; there are {known}")
        return self.facts[name.strip()]

    def used(self, text: str, scope: Objects) -> Use:
        """A fact as a line uses it: averaged, at a point, or as it stands.

        Raises
        ------
        DerivationFailed
            Where there is none, or it cannot be used so.
        """
        text = text.strip()
        if text.startswith("(") and _closing(text) == len(text) - 1:
            return self.used(text[1:-1], scope)
        head, values = _split_at(text)
        if values:
            return self._at(self.used(head, scope), values, scope)
        over = _OVER.fullmatch(text)
        if over is not None:
            inner = self.used(over[2], scope)
            return Use(_over(over[1], inner.fact, over[3], scope), over[1], over[3], inner)
        functions = _FUNCTIONS.fullmatch(text)
        if functions is not None:
            inner = self.used(functions[2], scope)
            return Use(_functions(inner.fact, functions[1], scope), "functions", functions[1], inner)
        return Use(self._named(text), "", text)

    def _in_scope(self, used: Fact, goal: Fact, text: str) -> Fact:
        """A fact whose binders are those of the goal, by name; others must be given a value."""
        mine = {binder.name: binder for binder in goal.binders}
        for binder in used.binders:
            if binder.name in mine and not same_kind(mine[binder.name].of, binder.of):
                raise DerivationFailed(f"{text!r} holds for another domain of {binder.name} than the line")
            if binder.name not in mine:
                raise DerivationFailed(
                    f"{text!r} holds for every {binder.name}: say which, '{text} at {binder.name} = ...'"
                )
        return used

    def _at(self, inner: Use, values: Mapping[str, str], scope: Objects) -> Use:
        """A fact at points, numbers or functions, each of its kind."""
        fact, kept = inner.fact, list[tuple[str, tuple[str, ...], Term]]()
        # What is said there may have names of the fact's own binders: these are called otherwise meanwhile.
        apart = {binder.name: fresh(binder.name) for binder in fact.binders}
        conditions, claim = (_renamed(links, fact.binders, apart) for links in (fact.conditions, fact.claim))
        binders = list(fact.binders)
        put: dict[str, Term] = {}
        said: set[str] = set()
        for shown, text in values.items():
            name, arguments = _called(shown)
            binder = next((each for each in binders if each.name == name), None)
            if binder is None:
                known = ", ".join(each.name for each in binders) or "nothing"
                raise DerivationFailed(f"the fact does not hold for every {name!r}, but for every {known}")
            if isinstance(binder.of, Function):
                body = _body(binder, arguments, text, scope)
                said |= free_names(body) - set(arguments)
                kept.append((name, arguments, body))
                put_in = partial(put_function, name=apart[name], arguments=arguments, body=body)
                conditions, claim = in_links(conditions, put_in), in_links(claim, put_in)
            else:
                value = read_term(text, scope)
                said |= free_names(value)
                if isinstance(binder.of, Domain):
                    if _kind(value, scope) is not None:
                        raise DerivationFailed(f"{name} is a number, got the point {text!r}")
                    conditions = (*_within(value, binder.of, scope), *conditions)
                elif _kind(value, scope) != binder.of:
                    raise DerivationFailed(f"{name} is a point of {binder.of}, got {text!r}")
                put[apart[name]] = value
                kept.append((name, (), value))
            binders.remove(binder)
        for binder in binders:
            if binder.name in said and not same_kind(_declared_kind(binder.name, scope), binder.of):
                raise DerivationFailed(
                    f"{text!r} speaks of {binder.name}, which is not what the fact holds for every one of: "
                    f"say which {binder.name} too"
                )
        back = tuple(replace(binder, name=apart[binder.name]) for binder in binders)
        names = {apart[binder.name]: binder.name for binder in binders}
        conditions, claim = (
            _renamed(in_links(links, partial(substitute, values=put)), back, names) for links in (conditions, claim)
        )
        return Use(Fact(tuple(binders), conditions, claim), "at", "", inner, tuple(kept))


def _renamed(links: tuple[Link, ...], binders: Sequence[Binder], names: Mapping[str, str]) -> tuple[Link, ...]:
    """Relations with what they quantify over under other names."""
    put = {}
    for binder in binders:
        if isinstance(binder.of, Domain):
            put[binder.name] = Term("name", name=names[binder.name])
        elif isinstance(binder.of, str):
            put[binder.name] = Term("point", name=names[binder.name], kind=binder.of)
    functions = {binder.name: names[binder.name] for binder in binders if isinstance(binder.of, Function)}
    return in_links(links, lambda term: with_names(substitute(term, put), functions))


def _called(text: str) -> tuple[str, tuple[str, ...]]:
    name, _, rest = text.partition("(")
    return name.strip(), tuple(part.strip() for part in rest.rstrip(") ").split(",")) if rest else ()


def _kind(term: Term, scope: Objects) -> str | None:
    if term.head == "point":
        return term.kind
    if term.head == "apply":
        values = scope.functions[term.name].values
        return values if isinstance(values, str) else None
    return None


def _body(binder: Binder, arguments: tuple[str, ...], text: str, scope: Objects) -> Term:
    """What a function is to be, with values in the interval that is wanted of it."""
    assert isinstance(binder.of, Function)
    if len(arguments) != len(binder.of.arguments):
        raise DerivationFailed(f"{binder.name} takes {len(binder.of.arguments)} arguments: '{binder.name}(y) = ...'")
    check_names(arguments, scope)
    inside = scope.with_binders(
        tuple(
            Binder(name, INTEGERS if kind == INTEGER else kind)
            for name, kind in zip(arguments, binder.of.arguments, strict=True)
        )
    )
    body = read_term(text, inside)
    wanted = binder.of.values
    if isinstance(wanted, str):
        if _kind(body, inside) != wanted:
            raise DerivationFailed(f"{binder.name} gives points of {wanted}, got {text!r}")
        return body
    bounds = Normal(inside).range_of_sum(Normal(inside).of(body))
    low = wanted.low is None or (bounds.low is not None and bounds.low >= wanted.low)
    high = wanted.high is None or (bounds.high is not None and bounds.high <= wanted.high)
    closed = wanted.low_open == (wanted.low is None) and wanted.high_open == (wanted.high is None)
    if not (low and high and closed and (bounds.integer or not wanted.integer)):
        raise DerivationFailed(
            f"it is not seen that {text} has values in {'Z' if wanted.integer else ''}{wanted.interval}"
        )
    return body


def _within(value: Term, domain: Domain, scope: Objects) -> tuple[Link, ...]:
    """Relations that say that a number is in a domain."""
    if domain.integer and not Normal(scope).range_of_sum(Normal(scope).of(value)).integer:
        raise DerivationFailed(f"it is not seen that {value} is an integer")
    found = []
    if domain.low is not None:
        found.append(Link(number(domain.low), "<" if domain.low_open else "<=", value))
    if domain.high is not None:
        found.append(Link(value, "<" if domain.high_open else "<=", number(domain.high)))
    return tuple(found)


def _over(head: str, fact: Fact, name: str, scope: Objects) -> Fact:
    """A fact that holds at every point, averaged, added up, or at its largest or smallest."""
    binder = next((each for each in fact.binders if each.name == name), None)
    if binder is None or not isinstance(binder.of, str):
        raise DerivationFailed(f"the fact does not hold for every point {name!r}: nothing can be taken over it")
    if (head == "mean") != (binder.of in scope.laws) or (head != "mean" and binder.of not in scope.sets):
        raise DerivationFailed(f"a {head} is over {'a law' if head == 'mean' else 'a finite set'}, got {binder.of}")
    kind = binder.of
    if any(name in free_names(side) for link in fact.conditions for side in (link.left, link.right)):
        raise DerivationFailed(f"a fact that holds for some {name} only cannot be taken over all of them")

    def over(term: Term) -> Term:
        return Term(head, (term,), name=name, kind=kind)

    binders = tuple(each for each in fact.binders if each is not binder)
    return Fact(binders, fact.conditions, in_links(fact.claim, over))


def _functions(fact: Fact, name: str, scope: Objects) -> Fact:
    """From all events to all functions with values in [0, 1]: a function is the average of the events that it exceeds.

    Both sides must be linear in it.
    """
    binder = next((each for each in fact.binders if each.name == name), None)
    if binder is None or not isinstance(binder.of, Function) or not binder.of.zero_or_one:
        raise DerivationFailed(f"the fact does not hold for every event {name!r}")
    inside = scope.with_binders(fact.binders)
    wide = replace(binder.of, values=Domain("value", False, number(0).value, False, number(1).value, False))
    spread = Binder(name, wide)
    binders = tuple(spread if each is binder else each for each in fact.binders)
    normal = Normal(inside.with_binders((spread,)))
    for link in fact.conditions:
        if any(name in free_names(side) for side in (link.left, link.right)):
            raise DerivationFailed(f"the conditions of the fact must not speak of {name}")
    for link in fact.claim:
        for monomial in add(normal.of(link.left), normal.of(link.right), -1):
            if _degree(monomial, name) > 1:
                raise DerivationFailed(f"{link} is not linear in {name}")
    return Fact(binders, fact.conditions, fact.claim)


def _degree(part: object, name: str) -> int:
    """How often a function is a factor; inside what is not a product or an average it counts as twice."""
    if not isinstance(part, tuple):
        return 0
    if part and part[0] == "apply" and part[1:2] == (name,):
        return 1 + 2 * any(_speaks(each, name) for each in part[2:])
    if part and part[0] == "integral":
        return _degree(part[2], name)
    if part and isinstance(part[0], str):
        return 2 * any(_speaks(each, name) for each in part[1:])
    total = 0
    for factor in part:
        atom, power = factor
        inner = _degree(atom, name)
        total += inner * power if power > 0 else 2 * inner
    return total


def _speaks(part: object, name: str) -> bool:
    if isinstance(part, tuple):
        return part[:2] == ("apply", name) or any(_speaks(each, name) for each in part)
    return False


def same_kind(one: object, other: object) -> bool:
    """Whether two binders run over the same: the name of a domain does not matter."""
    if isinstance(one, Domain) and isinstance(other, Domain):
        return replace(one, name="") == replace(other, name="")
    if isinstance(one, Function) and isinstance(other, Function):
        return one.arguments == other.arguments and same_kind(one.values, other.values)
    return one == other


def _declared_kind(name: str, objects: Objects) -> object:
    return objects.numbers.get(name) or objects.points.get(name) or objects.functions.get(name)


def alike(one: Fact, other: Fact, objects: Objects) -> bool:
    """Whether two facts are the same, up to names of binders and the normal form of their relations, and a factor."""
    if len(one.binders) != len(other.binders):
        return False
    if not all(same_kind(a.of, b.of) for a, b in zip(one.binders, other.binders, strict=True)):
        return False
    names = {binder.name: mine.name for mine, binder in zip(one.binders, other.binders, strict=True)}
    scope = objects.with_binders(one.binders)
    mine, others = (*one.conditions, *one.claim), _renamed((*other.conditions, *other.claim), other.binders, names)
    try:
        return [_scaled(link, scope) for link in mine] == [_scaled(link, scope) for link in others]
    except DerivationFailed:  # a quotient whose denominator is not seen not to be 0
        return list(mine) == list(others)


def states(fact: Fact, link: Link, objects: Objects) -> bool:
    """Whether a relation without binders is one of a fact's, up to normal form and a factor."""
    scope = objects.with_binders(fact.binders)
    try:
        return any(_scaled(link, scope) == _scaled(each, scope) for each in fact.claim)
    except DerivationFailed:  # a quotient whose denominator is not seen not to be 0
        return link in fact.claim


def _scaled(link: Link, scope: Objects) -> tuple[str, object]:
    normal = Normal(scope)
    total = add(normal.of(link.left), normal.of(link.right), -1)
    return link.relation, key(primitive(total, both_signs=link.relation == "="))


def _alike(one: Sequence[Link], other: Sequence[Link], scope: Objects) -> bool:
    return [_scaled(link, scope) for link in one] == [_scaled(link, scope) for link in other]


def _unused(name: str, objects: Objects) -> str:
    while name in objects.names:
        name += "_"
    return name


def _depth(text: str) -> int:
    return sum((character in "([") - (character in ")]") for character in text)


def _closing(text: str) -> int:
    """Where the bracket closes with which a text begins."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if depth == 0:
            return place
    raise DerivationFailed(f"a bracket is not closed in {text!r}")


def _split_at(text: str) -> tuple[str, dict[str, str]]:
    """The last ' at ' that is outside of brackets, and what is said there."""
    places = [place for place in range(len(text)) if text.startswith(" at ", place) and _depth(text[:place]) == 0]
    if not places or "over" in text[places[-1] :].split():
        return text, {}
    head, rest = text[: places[-1]], text[places[-1] + 4 :]
    values: dict[str, str] = {}
    depth, part = 0, ""
    for character in rest + ",":
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            name, sign, value = part.partition(" = ")
            if not sign:
                raise DerivationFailed(f"a value is 'NAME = TERM', got {part.strip()!r} in {text!r}")
            values[name.strip()] = value.strip()
            part = ""
        else:
            part += character
    return head, values
