"""Declarations, terms and facts of derivations, read; ``rules.md`` says what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.proof.derivation.terms import (
    EXTREMES,
    INTEGER,
    INTEGRALS,
    ONE,
    Binder,
    DerivationFailed,
    Fact,
    Function,
    Link,
    Objects,
    Term,
    is_indicator,
    number,
)
from dpcheck.proof.prover.language import (
    CONSTANTS,
    DEEPEST,
    FUNCTIONS,
    LONGEST_NUMBER,
    LONGEST_TEXT,
    Domain,
    parse_domain,
)

#: Words that nothing can be called.
WORDS = frozenset(
    (
        *FUNCTIONS, *CONSTANTS, *INTEGRALS, *EXTREMES, INTEGER,
        "Pr", "some", "every", "and", "or", "not", "given", "for", "if", "in", "inf", "law", "set", "type", "point",
    )
)  # fmt: skip
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TOKEN = re.compile(r"\s*(?:(\d+\.\d+|\d+)|([A-Za-z][A-Za-z0-9_]*)|(<=|>=|[-+*/^(),<>=\[\]:]))")
_RELATIONS = ("<=", ">=", "<", ">", "=")
_BINDING = {"+": 10, "-": 10, "*": 20, "/": 20, "^": 40}
_UNARY = 30
_FUNCTION = re.compile(r"\s*([A-Za-z]\w*)\s*\(([^()]*)\)\s*(in|:)\s*(.*?)\s*")


def read_objects(text: str) -> Objects:
    """What a derivation declares, in order, separated by ``;``.

    Raises
    ------
    DerivationFailed
        For what is no declaration, a name that is taken, or a type that is not declared.

    Examples
    --------
    >>> found = read_objects("n in Z[1, inf); law mu; set H of n; bad(mu, H) in Z[0, 1]; point best: H")
    >>> sorted(found.names)
    ['H', 'bad', 'best', 'mu', 'n']
    """
    objects = Objects()
    for part in text.split(";"):
        if part.strip():
            objects = _declared(part.strip(), objects)
    return objects


def _declared(text: str, objects: Objects) -> Objects:
    word, _, rest = text.partition(" ")
    if word in ("law", "type"):
        (name,) = check_names((rest,), objects)
        taken = {"laws": objects.laws | {name}} if word == "law" else {"types": objects.types | {name}}
        return _with(objects, **taken)
    if word == "set":
        named, _, size = rest.partition(" of ")
        (name,) = check_names((named,), objects)
        if not size.strip():
            raise DerivationFailed(f"a set is declared with its size, 'set H of N', got {text!r}")
        return _with(objects, sets={**objects.sets, name: read_term(size, objects)})
    if word == "point":
        names, _, kind = rest.partition(":")
        kind = _kind(kind.strip(), objects)
        return _with(
            objects, points={**objects.points, **dict.fromkeys(check_names(tuple(names.split(",")), objects), kind)}
        )
    function = _FUNCTION.fullmatch(text)
    if function is not None:
        (name,) = check_names((function[1],), objects)
        return _with(objects, functions={**objects.functions, name: _function(text, function, objects)})
    domain = _domain(text)
    (name,) = check_names((domain.name,), objects)
    return _with(objects, numbers={**objects.numbers, name: domain})


def _with(objects: Objects, **changed: object) -> Objects:
    return replace(objects, **changed)  # type: ignore[arg-type]


def _domain(text: str) -> Domain:
    try:
        return parse_domain(text)
    except DerivationFailed:
        raise
    except InvalidArgument as error:
        raise DerivationFailed(str(error)) from None


def _function(text: str, found: re.Match[str], objects: Objects) -> Function:
    arguments = tuple(
        part.strip() if part.strip() == INTEGER else _kind(part.strip(), objects) for part in found[2].split(",")
    )
    if found[3] == ":":
        return Function(arguments, _kind(found[4], objects))
    return Function(arguments, _domain(f"value in {found[4]}"))


def check_names(names: tuple[str, ...], objects: Objects) -> tuple[str, ...]:
    """The names without blanks, each of which must be one, and new.

    Raises
    ------
    DerivationFailed
        For the first that is not.
    """
    cleaned = tuple(name.strip() for name in names)
    for name in cleaned:
        if not _NAME.fullmatch(name) or name in WORDS:
            raise DerivationFailed(f"a name is letters, digits and _, and none of the words of the language: {name!r}")
        if name in objects.names or cleaned.count(name) > 1:
            raise DerivationFailed(f"{name!r} is declared twice")
    return cleaned


def _kind(name: str, objects: Objects) -> str:
    if name not in objects.kinds:
        known = ", ".join(sorted(objects.kinds)) or "none"
        raise DerivationFailed(f"{name!r} is no law, set or type{nearest(name, objects.kinds)}; there are {known}")
    return name


class _Reader:
    """A recursive descent over the tokens of one text."""

    def __init__(self, text: str, objects: Objects) -> None:
        if len(text) > LONGEST_TEXT:
            raise DerivationFailed(f"a fact has at most {LONGEST_TEXT} characters, got {len(text)}")
        self.text, self.objects, self.place, self.depth = text, objects, 0, 0
        self.tokens: list[str] = []
        place, stripped = 0, text.rstrip()
        while place < len(stripped):
            found = _TOKEN.match(stripped, place)
            if found is None or not stripped.isascii():
                raise DerivationFailed(f"{stripped[place:].strip()[:1]!r} has no meaning in {text!r}")
            place = found.end()
            self.tokens.append(found[1] or found[2] or found[3])

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.place + ahead] if self.place + ahead < len(self.tokens) else ""

    def take(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1] if self.place <= len(self.tokens) else ""

    def took(self, token: str) -> bool:
        if self.peek() == token:
            self.place += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.took(token):
            raise DerivationFailed(f"expected {token!r}, got {self.peek() or 'the end'!r} in {self.text!r}")

    def end(self) -> None:
        if self.peek():
            raise DerivationFailed(f"{self.peek()!r} is left over in {self.text!r}")

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise DerivationFailed(f"a term nests at most {DEEPEST} deep: {self.text[:60]!r}...")

    # Numbers and points

    def term(self, binding: int = 0) -> Term:
        self.deeper()
        left = self.prefix()
        while (own := _BINDING.get(self.peek(), 0)) > binding:
            sign = self.take()
            right = self.term(own - 1 if sign == "^" else own)
            self.numeric(left)
            self.numeric(right)
            left = Term(sign, (left, right))
        self.depth -= 1
        return left

    def numeric(self, term: Term) -> Term:
        if self.kind_of(term) is not None:
            raise DerivationFailed(f"{term} is a point of {self.kind_of(term)}, not a number, in {self.text!r}")
        return term

    def kind_of(self, term: Term) -> str | None:
        """The type of a point, None for a number."""
        if term.head == "point":
            return term.kind
        if term.head == "apply":
            values = self.objects.functions[term.name].values
            return values if isinstance(values, str) else None
        return None

    def prefix(self) -> Term:
        token = self.take()
        if token == "(":
            inner = self.term()
            self.expect(")")
            return inner
        if token == "-":
            inner = self.numeric(self.term(_UNARY))
            return number(-inner.value) if inner.head == "number" else Term("neg", (inner,))
        if token[:1].isdigit():
            if len(token) > LONGEST_NUMBER:
                raise DerivationFailed(f"a number has at most {LONGEST_NUMBER} digits, got {token[:20]}...")
            return number(Fraction(token))
        if token == "[":
            inner = self.event()
            self.expect("]")
            return inner
        if token in FUNCTIONS:
            return Term(token, self.arguments(token, FUNCTIONS[token], self.numeric))
        if token in CONSTANTS:
            return Term(token)
        if token in (*INTEGRALS, *EXTREMES):
            return self.bound(lambda: self.numeric(self.term()), (token,))
        if token == "Pr":
            return self.probability()
        return self.named(token)

    def arguments(self, name: str, count: int, check: Callable[[Term], Term]) -> tuple[Term, ...]:
        self.expect("(")
        found = [check(self.term())]
        while self.took(","):
            found.append(check(self.term()))
        self.expect(")")
        if len(found) != count:
            raise DerivationFailed(f"{name} takes {count} arguments, got {len(found)} in {self.text!r}")
        return tuple(found)

    def named(self, token: str) -> Term:
        objects = self.objects
        if token in objects.numbers:
            return Term("name", name=token)
        if token in objects.points:
            return Term("point", name=token, kind=objects.points[token])
        if token in objects.functions:
            wanted = objects.functions[token].arguments
            given = self.arguments(token, len(wanted), lambda term: term)
            for term, kind in zip(given, wanted, strict=True):
                got = self.kind_of(term) or INTEGER
                if got != kind:
                    raise DerivationFailed(f"{token} wants a point of {kind}, got {term} in {self.text!r}")
            return Term("apply", given, name=token)
        said = {"E": "an average is mean(x: mu, ...)", "sum": "a sum is total(h: H, ...)", "P": "Pr(x: mu, ...)"}
        hint = f" ({said[token]})" if token in said else nearest(token, objects.names)
        raise DerivationFailed(f"{token or 'the end'!r} is no number, point or function in {self.text!r}{hint}")

    def binders(self) -> list[tuple[str, str]]:
        """One or more ``x: mu`` with a comma after each."""
        found = []
        while self.peek(1) == ":":
            name = self.take()
            self.expect(":")
            found.append((name, _kind(self.take(), self.objects)))
            self.expect(",")
        return found

    def bound(self, inside: Callable[[], Term], heads: tuple[str, ...]) -> Term:
        """What ``mean(x: mu, y: nu, ...)`` and its like hold; one head, or those for laws and for sets."""
        self.expect("(")
        binders, outside = self.binders(), self.objects
        if not binders:
            raise DerivationFailed(f"{heads[0]} begins with what it runs over, such as 'x: mu,', in {self.text!r}")
        for name, kind in binders:
            check_names((name,), self.objects)
            law, over = kind in outside.laws, kind in outside.sets
            if not ((law and heads[0] in ("mean",)) or (over and heads[0] != "mean")):
                wants = "a law" if heads[0] == "mean" else "a finite set"
                raise DerivationFailed(f"{heads[0]} runs over {wants}, which {kind} is not, in {self.text!r}")
            self.objects = self.objects.with_binders((Binder(name, kind),))
        inner = inside()
        self.objects = outside
        self.expect(")")
        for name, kind in reversed(binders):
            inner = Term(heads[0], (inner,), name=name, kind=kind)
        return inner

    def probability(self) -> Term:
        """``Pr(x: mu, B)``, or ``Pr(x: mu, B given C)``: a mean, or the quotient of two."""
        place = self.place
        condition: list[Term] = []

        def inside() -> Term:
            event = self.event()
            if self.took("given"):
                condition.append(self.event())
                return Term("*", (event, condition[0]))
            return event

        whole = self.bound(inside, ("mean",))
        if not condition:
            return whole
        end, self.place = self.place, place

        def again() -> Term:
            self.event()
            self.expect("given")
            return self.event()

        below = self.bound(again, ("mean",))
        self.place = end
        return Term("/", (whole, below))

    # Events, as numbers that are 0 or 1

    def event(self) -> Term:
        self.deeper()
        left = self.conjunction()
        while self.took("or"):
            right = self.conjunction()
            left = Term("-", (Term("+", (left, right)), Term("*", (left, right))))
        self.depth -= 1
        return left

    def conjunction(self) -> Term:
        left = self.literal()
        while self.took("and"):
            left = Term("*", (left, self.literal()))
        return left

    def literal(self) -> Term:
        if self.took("not"):
            return Term("-", (ONE, self.literal()))
        if self.peek() in ("some", "every"):
            word = self.take()
            return self.bound(self.event, ("largest" if word == "some" else "smallest",))
        if self.peek() == "(":
            place, depth = self.place, self.depth
            try:
                self.take()
                inner = self.event()
                self.expect(")")
                if self.peek() not in (*_RELATIONS, *_BINDING):
                    return inner
            except DerivationFailed:
                pass
            self.place, self.depth = place, depth
        left = self.numeric(self.term())
        if self.peek() not in _RELATIONS:
            return self.indicator(left)
        found: Term | None = None
        while self.peek() in _RELATIONS:
            sign = self.take()
            right = self.numeric(self.term())
            link = _relation(left, sign, right)
            found = link if found is None else Term("*", (found, link))
            left = right
        assert found is not None
        return found

    def indicator(self, term: Term) -> Term:
        fine = (
            (term.head == "apply" and self.objects.functions[term.name].zero_or_one)
            or (term.head == "name" and is_indicator(self.objects.numbers[term.name]))
            or (term.head == "number" and term.value in (0, 1))
            or term.head == "at most"
        )
        if not fine:
            raise DerivationFailed(f"{term} is no event (a relation, or what is 0 or 1) in {self.text!r}")
        return term

    # Facts

    def chain(self) -> tuple[Link, ...]:
        left = self.numeric(self.term())
        links = []
        while self.peek() in _RELATIONS:
            sign = self.take()
            right = self.numeric(self.term())
            one, other = (right, left) if sign in (">", ">=") else (left, right)
            links.append(Link(one, {">": "<", ">=": "<="}.get(sign, sign), other))
            left = right
        if not links:
            raise DerivationFailed(f"a fact needs one of {' '.join(_RELATIONS)}, got {self.text!r}")
        return tuple(links)

    def fact(self) -> Fact:
        binders: list[Binder] = []
        conditions: list[Link] = []
        marked = False
        if self.took("for"):
            marked = True
            while True:
                binders.append(self.binder())
                self.objects = self.objects.with_binders((binders[-1],))
                if not self.took(","):
                    break
        if self.took("if"):
            marked = True
            conditions += self.chain()
            while self.took(","):
                conditions += self.chain()
        if marked:
            self.expect(":")
        claim = self.chain()
        self.end()
        return Fact(tuple(binders), tuple(conditions), claim)

    def binder(self) -> Binder:
        name = self.take()
        check_names((name,), self.objects)
        if self.peek() == "in" and self.peek(1) in self.objects.kinds:
            raise DerivationFailed(f"a point is bound as '{name}: {self.peek(1)}', got 'in' in {self.text!r}")
        if self.took(":"):
            return Binder(name, _kind(self.take(), self.objects))
        if self.took("("):
            kinds = [self.take()]
            while self.took(","):
                kinds.append(self.take())
            self.expect(")")
            arguments = tuple(kind if kind == INTEGER else _kind(kind, self.objects) for kind in kinds)
            return Binder(name, Function(arguments, self.interval(name)))
        return Binder(name, self.interval(name))

    def interval(self, name: str) -> Domain:
        self.expect("in")
        taken = [name, "in"]
        while self.peek() and self.peek() not in ("]", ")"):
            taken.append(self.take())
        taken.append(self.take())
        return _domain(" ".join(taken).replace("- ", "-").replace(" / ", "/").replace("Z ", "Z"))


def _relation(left: Term, sign: str, right: Term) -> Term:
    if sign == "<=":
        return Term("at most", (left, right))
    if sign == ">=":
        return Term("at most", (right, left))
    if sign == "<":
        return Term("-", (ONE, Term("at most", (right, left))))
    if sign == ">":
        return Term("-", (ONE, Term("at most", (left, right))))
    return Term("*", (Term("at most", (left, right)), Term("at most", (right, left))))


def read_term(text: str, objects: Objects) -> Term:
    """A term, number or point.

    Raises
    ------
    DerivationFailed
        When the text is not of the language.

    Examples
    --------
    >>> objects = read_objects("law mu; x(mu) in [0, 1]; bad(mu) in Z[0, 1]")
    >>> str(read_term("Pr(w: mu, x(w) <= 1/2 and not bad(w))", objects))
    'mean(w: mu, [x(w) <= 1/2]*(1 - bad(w)))'
    """
    reader = _Reader(text, objects)
    found = reader.term()
    reader.end()
    return found


def read_fact(text: str, objects: Objects) -> Fact:
    """A fact, such as ``for h: H if good(h) = 1: mean(w: mu, bad(w, h)) <= beta``.

    Raises
    ------
    DerivationFailed
        When the text is not of the language.
    """
    return _Reader(text, objects).fact()
