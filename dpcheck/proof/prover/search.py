"""The search for proofs: rewriting first, linear programming over products of premises, derivatives, splits.

What it returns is a proof in the sense of ``certificates.md``; nothing here is trusted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as changed
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.proof.prover.conditions import Condition, conditions, negative, singleton
from dpcheck.proof.prover.exact import NotDecided, NotDefined, link_holds
from dpcheck.proof.prover.intervals import Interval, Undefined, between, enclose
from dpcheck.proof.prover.language import (
    INDEXED,
    ONE,
    ZERO,
    Domain,
    Expression,
    Link,
    derivative,
    names_in,
    number,
    operate,
    parse_expression,
    replace,
    subtrees,
    variable,
)
from dpcheck.proof.prover.linear import combine, squares
from dpcheck.proof.prover.normal import factors, linear_in, quotient, signed_parts, simplify, split_quotient
from dpcheck.proof.prover.sampling import draw, floats_of

Proof = list[Any]

#: Points at which a goal is looked at in floats before it is tried.
POINTS = 600
_STEPS = ("abs", "floor", "ceil", "max", "min", "binom", "fact", *INDEXED)
#: Sums and products of so many terms are written out.
_WRITTEN_OUT = 6
#: Instances of lemmas that are tried at once.
_MOST_LEMMAS = 6


class Spent(Exception):
    """The budget is used up."""


@dataclass(frozen=True)
class State:
    """Variables with their intervals, and what may be assumed of them."""

    domains: tuple[Domain, ...]
    assumptions: tuple[tuple[Expression, bool], ...]

    @property
    def box(self) -> dict[str, Interval]:
        """The closed box."""
        return {domain.name: between(domain.low, domain.high) for domain in self.domains}

    def domain(self, name: str) -> Domain:
        """The interval of one variable."""
        return next(domain for domain in self.domains if domain.name == name)

    def with_domain(self, fresh: Domain) -> State:
        """The state with another interval for one variable."""
        return State(tuple(fresh if domain.name == fresh.name else domain for domain in self.domains), self.assumptions)

    def without(self, name: str) -> State:
        """The state without a variable and the assumptions about it."""
        return State(
            tuple(domain for domain in self.domains if domain.name != name),
            tuple(pair for pair in self.assumptions if name not in names_in(pair[0])),
        )

    def unassuming(self, name: str) -> State:
        """The state without the assumptions about a variable."""
        return State(self.domains, tuple(pair for pair in self.assumptions if name not in names_in(pair[0])))

    def assuming(self, fact: Expression, strict: bool = False) -> State:
        """The state with one more assumption."""
        return State(self.domains, (*self.assumptions, (fact, strict)))

    def fresh(self, stem: str) -> str:
        """A name that no variable has."""
        taken = {domain.name for domain in self.domains}
        return next(name for i in range(1000) if (name := f"{stem}{i}") not in taken)

    @property
    def integers(self) -> frozenset[str]:
        """The integer variables."""
        return frozenset(domain.name for domain in self.domains if domain.integer)


@dataclass
class Search:
    """One search: its budget, and what it has tried."""

    nodes_left: int = 4_000
    deadline: float = float("inf")
    seed: int = 0
    nodes: int = 0
    lemmas: frozenset[str] = frozenset()
    notes: list[str] = field(default_factory=list)
    inducting: int = 0
    _slacks: int = 0
    _in_squares: bool = False
    _failed: set[Any] = field(default_factory=set)
    _points: dict[Any, Any] = field(default_factory=dict)

    def prove(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """A proof that the goal is at least 0 (above 0) in a state; None when none was found.

        Raises
        ------
        Spent
            When the budget ends first.
        """
        self.nodes += 1
        if self.nodes > self.nodes_left or time.process_time() > self.deadline:
            raise Spent
        simple = simplify(goal)
        if simple == ZERO:
            return None if strict else ["identity"]
        if self._encloses(goal, strict, state):
            return ["interval"]
        key = (simple, strict, state, ladders, splits, self._slacks, self._in_squares)
        if key in self._failed:
            return None
        found = self._prove_simple(simple, strict, state, ladders, splits)
        if found is None:
            self._failed.add(key)
            return None
        return found if simple == goal else ["rewrite", str(simple), found]

    def _prove_simple(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        if self._encloses(goal, strict, state):
            return ["interval"]
        for i, (fact, strong) in enumerate(state.assumptions):
            try:
                value = enclose(fact, state.box)
            except Undefined:
                continue
            if value.below_0 or (strong and value.at_most_0):
                return ["absurd", i]
        for domain in state.domains:
            if singleton(domain) is not None:
                return self._fix(goal, strict, state, domain, ladders, splits)
        for i, (fact, strong) in enumerate(state.assumptions):
            if (strong or not strict) and simplify(fact) == goal:
                return ["combine", [["1", [_plain(state) + i]]]]
        unfolding = self._unfolding(goal, state)
        if unfolding is not None:
            return self._unfolded(goal, strict, state, *unfolding, ladders, splits)
        if self._certainly_fails(goal, strict, state):
            return None
        for degree in (1, 2):
            found = self._combine(goal, strict, state, degree)
            if found is not None:
                return found
        for attempt in (
            self._rounded, self._chosen, self._cleared, self._rooted, self._factored, self._multiplied, self._squared,
        ):  # fmt: skip
            found = attempt(goal, strict, state, ladders, splits)
            if found is not None:
                return found
        found = self._with_lemmas(goal, strict, state)
        if found is not None:
            return found
        if ladders > 0 or splits > 0:
            found = self._combine(goal, strict, state, 3)
            if found is not None:
                return found
            for attempt in (
                self._conjugated, self._as_squares, self._logarithmic, self._climbed, self._slack, self._inverted,
                self._halved,
            ):  # fmt: skip
                found = attempt(goal, strict, state, ladders, splits)
                if found is not None:
                    return found
        return None

    # evaluation

    def _encloses(self, goal: Expression, strict: bool, state: State) -> bool:
        try:
            value = enclose(goal, state.box)
        except Undefined:
            return False
        return value.above_0 if strict else value.at_least_0

    def _samples(self, state: State) -> tuple[dict[str, Any], Any]:
        found = self._points.get(state)
        if found is None:
            rng = np.random.default_rng(self.seed)
            values = {}
            for domain in state.domains:
                column = draw(domain, POINTS, rng)
                if domain.high is not None:
                    column = np.minimum(column, float(domain.high))
                if domain.low is not None:
                    column = np.maximum(column, float(domain.low))
                values[domain.name] = column
            good = np.ones(POINTS if state.domains else 1, dtype=bool)
            for fact, strong in state.assumptions:
                value = floats_of(fact, values, _WRITTEN_OUT**2)
                good &= (value > 0) if strong else (value >= 0)
            found = self._points[state] = (values, good)
        return found

    def _certainly_fails(self, goal: Expression, strict: bool, state: State) -> bool:
        """Whether the goal is certainly false at a sampled point: then no rule can prove it."""
        if not state.domains:
            return False
        values, good = self._samples(state)
        found = floats_of(goal, values, _WRITTEN_OUT**2)
        found = np.where(good & np.isfinite(found), found, np.inf)
        for place in np.argsort(found)[:3]:
            if not found[place] < 0:
                return False
            point = {}
            for domain in state.domains:
                value = Fraction(float(values[domain.name][place]))
                if value not in domain:
                    break
                point[domain.name] = value
            else:
                try:
                    sure = all(
                        link_holds(Link(ZERO, "<" if strong else "<=", fact), point)
                        for fact, strong in state.assumptions
                    )
                    if sure and link_holds(Link(ZERO, "<" if strict else "<=", goal), point) is False:
                        return True
                except (NotDefined, NotDecided):
                    continue
        return False

    # rules

    def _fix(
        self, goal: Expression, strict: bool, state: State, domain: Domain, ladders: int, splits: int
    ) -> Proof | None:
        value = singleton(domain)
        assert value is not None
        old, new = variable(domain.name), number(value)
        less = State(
            tuple(other for other in state.domains if other.name != domain.name),
            tuple((replace(fact, old, new), strong) for fact, strong in state.assumptions),
        )
        inner = self.prove(replace(goal, old, new), strict, less, ladders, splits)
        return None if inner is None else ["fix", domain.name, inner]

    def premises(self, goal: Expression, state: State) -> list[tuple[Expression, bool]]:
        """What ``combine`` may use, in the order of ``certificates.md``."""
        found: list[tuple[Expression, bool]] = []
        for domain in state.domains:
            name = variable(domain.name)
            if domain.low is not None:
                found.append((Expression("-", (name, number(domain.low))), domain.low_open))
            if domain.high is not None:
                found.append((Expression("-", (number(domain.high), name)), domain.high_open))
        found += state.assumptions
        exponentials = {
            str(inner): inner
            for node in (goal, *(fact for fact, _ in found))
            for inner in subtrees(simplify(node))
            if inner.operation == "exp" or (inner.operation in ("^", "sqrt") and _power_above_0(inner, state))
        }
        form = quotient(goal)
        if form is not None:
            for generator, power in zip(form.generators, form.bottom.degrees(), strict=True):
                if generator.operation == "exp" and power:
                    inverse = Expression("exp", (negative(generator.arguments[0]),))
                    exponentials.setdefault(str(inverse), inverse)
        return found + [(exponentials[text], True) for text in sorted(exponentials)]

    def _combine(self, goal: Expression, strict: bool, state: State, degree: int) -> Proof | None:
        listed = self.premises(goal, state)
        if degree > 1 and len(listed) > (16 if degree == 2 else 9):
            return None
        found = combine(goal, strict, [fact for fact, _ in listed], [strong for _, strong in listed], degree)
        if found is None:
            return None
        many = _plain(state) + len(state.assumptions)
        # exponentials are named by their texts, so that they depend on no numbering
        return ["combine", [
            [str(value), [str(listed[i][0]) if i >= many else i for i in chosen]] for value, chosen in found
        ]]  # fmt: skip

    def _with_lemmas(self, goal: Expression, strict: bool, state: State) -> Proof | None:
        """``exp(u) >= 1 + u`` and ``log(u) <= u - 1`` for what stands in the goal, then sums of premises."""
        instances: list[tuple[str, dict[str, str], Expression, Proof | None]] = []
        opposite: list[tuple[str, dict[str, str], Expression, Proof | None]] = []
        for inner in dict.fromkeys(subtrees(goal)):
            if inner.operation == "exp":
                u = inner.arguments[0]
                if len(str(u)) < 200:
                    instances.append(("exp_above", {"x": str(u)}, operate("-", inner, operate("+", ONE, u)), None))
                    inverse = operate("-", operate("/", ONE, inner), operate("-", ONE, u))
                    opposite.append(("exp_above", {"x": str(negative(u))}, inverse, None))
            elif inner.operation == "log" and names_in(inner):
                u = inner.arguments[0]
                if len(str(u)) < 200:
                    instances.append(("log_below", {"x": str(u)}, operate("-", operate("-", u, ONE), inner), []))
        instances += self._split_logarithms(goal, state)
        if len(instances) + len(opposite) <= _MOST_LEMMAS:
            instances += opposite
        instances = [instance for instance in instances if instance[0] in self.lemmas]
        if not instances or len(instances) > _MOST_LEMMAS:
            return None
        wider = state
        kept = []
        for name, values, fact, side in instances:
            proofs: list[Proof] = []
            if side is not None:
                arguments = [
                    parse_expression(text, {domain.name for domain in state.domains}) for text in values.values()
                ]
                positive = [self.prove(argument, True, wider, 0, 0) for argument in arguments]
                if None in positive:
                    continue
                proofs = [shown for shown in positive if shown is not None]
            kept.append((name, values, proofs))
            wider = wider.assuming(fact, False)
        for degree in (1, 2):
            found = self._combine(goal, strict, wider, degree)
            if found is not None:
                for name, values, proofs in reversed(kept):
                    found = ["lemma", name, values, proofs, found]
                return found
        return None

    def _split_logarithms(
        self, goal: Expression, state: State
    ) -> list[tuple[str, dict[str, str], Expression, Proof | None]]:
        """Logarithms of quotients in an assumption, as differences."""
        found: list[tuple[str, dict[str, str], Expression, Proof | None]] = []
        for fact, _ in state.assumptions:
            for inner in dict.fromkeys(subtrees(fact)):
                if inner.operation != "log" or inner.arguments[0].operation != "/":
                    continue
                x, y = inner.arguments[0].arguments
                if not names_in(x) or not names_in(y):
                    continue
                parts = operate("-", operate("log", x), operate("log", y))
                values = {"x": str(x), "y": str(y)}
                found.append(("log_quotient_below", values, operate("-", inner, parts), []))
                found.append(("log_quotient_above", values, operate("-", parts, inner), []))
        return found

    def _cleared(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """Denominators multiplied away."""
        top, bottom = split_quotient(goal)
        if bottom == ONE:
            return None
        for sign in (1, -1):
            scale, rest = (bottom, top) if sign > 0 else (negative(bottom), negative(top))
            positive = self.prove(scale, True, state, min(ladders, 1), min(splits, 2))
            if positive is not None:
                inner = self.prove(rest, strict, state, ladders, splits)
                return None if inner is None else ["scale", str(scale), str(rest), positive, inner]
        return None

    def _factored(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """Positive factors divided out; a product of signed factors."""
        if split_quotient(goal)[1] != ONE:
            return None
        constant, pieces = factors(goal)
        if len(pieces) < 2 and all(power == 1 for _, power in pieces):
            return None
        sign = 1 if constant > 0 else -1
        positive: list[tuple[Expression, Proof]] = []
        rest: list[Expression] = []
        square: Expression = ONE
        for piece, power in pieces:
            shown = self.prove(piece, True, state, 0, 0)
            if shown is not None:
                positive += [(piece, shown)] * power
                continue
            shown = self.prove(negative(piece), True, state, 0, 0)
            if shown is not None:
                positive += [(negative(piece), shown)] * power
                sign *= -1 if power % 2 else 1
                continue
            if power % 2 == 0 and not strict:
                square = operate("*", square, operate("^", piece, number(power)))
                continue
            rest += [piece] * power
        if not positive and square == ONE:
            return None
        remaining: Expression = number(abs(constant) * sign)
        for piece in rest:
            remaining = operate("*", remaining, piece)
        inner = self.prove(remaining, strict, state, ladders, splits)
        if inner is None:
            return None
        current = remaining
        proof = inner
        if square != ONE:
            at = _plain(state) + len(state.assumptions)
            both: Proof = ["combine", [["1", [at, at + 1]]]]
            proof = ["have", str(remaining), False, inner, ["have", str(square), False, ["interval"], both]]
            current = simplify(operate("*", remaining, square))
        for piece, shown in reversed(positive):
            proof = ["product", str(piece), str(current), shown, proof]
            current = simplify(operate("*", current, piece))
        return proof

    def _multiplied(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """The goal times a positive variable, or an assumption that is positive, as a sum of premises."""
        if not state.assumptions or split_quotient(goal)[1] != ONE:
            return None
        for domain in state.domains:
            x = variable(domain.name)
            if domain.low is None or domain.low < 0 or (domain.low == 0 and not domain.low_open):
                continue
            larger = simplify(operate("*", goal, x))
            for degree in (1, 2):
                found = self._combine(larger, strict, state, degree)
                if found is not None:
                    positive = self.prove(x, True, state, 0, 0)
                    return None if positive is None else ["scale", domain.name, str(larger), positive, found]
        for i, (fact, strong) in enumerate(state.assumptions):
            if strong and names_in(fact) & names_in(goal) and split_quotient(fact)[1] == ONE:
                larger = simplify(operate("*", goal, fact))
                found = self._combine(larger, strict, state, 1)
                if found is not None:
                    return ["scale", str(fact), str(larger), ["combine", [["1", [_plain(state) + i]]]], found]
        return None

    def _squared(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """Sums of squares and of products of premises with squares."""
        listed = squares(goal)
        if not listed:
            return None
        wider = state
        for known in listed:
            wider = wider.assuming(known)
        for degree in (1, 2):
            found = self._combine(goal, strict, wider, degree)
            if found is not None:
                for known in reversed(listed):
                    found = ["have", str(known), False, ["interval"], found]
                return found
        return None

    def _rooted(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """The root of the square of something that is at least 0."""
        for root in dict.fromkeys(inner for inner in subtrees(goal) if inner.operation == "sqrt" and names_in(inner)):
            top, bottom = split_quotient(root.arguments[0])
            parts = []
            for side in (top, bottom):
                constant, pieces = factors(side)
                if constant <= 0 or any(power % 2 for _, power in pieces):
                    break
                value = operate("sqrt", number(constant)) if constant != 1 else ONE
                for piece, power in pieces:
                    value = operate("*", value, operate("^", piece, number(power // 2)))
                parts.append(simplify(value))
            else:
                found = self._without_root(goal, strict, state, root, operate("/", *parts), ladders, splits)
                if found is not None:
                    return found
        return None

    def _without_root(
        self,
        goal: Expression,
        strict: bool,
        state: State,
        root: Expression,
        value: Expression,
        ladders: int,
        splits: int,
    ) -> Proof | None:
        """The goal with a value (or minus it), if that is above 0, in place of its root, which has the same square."""
        for worth in (simplify(value), simplify(negative(value))):
            positive = self.prove(worth, True, state, 0, 0)
            if positive is None:
                continue
            # sqrt(u) = w, as (sqrt(u) - w)(sqrt(u) + w) = 0 and sqrt(u) + w > 0
            total, nothing = operate("+", root, worth), ["identity"]
            above = state.assuming(worth, True).assuming(root)
            many = _plain(state) + len(state.assumptions)
            larger: Proof = ["combine", [["1", [many]], ["1", [many + 1]]]]
            both = above.assuming(operate("-", root, worth)).assuming(operate("-", worth, root))
            inner = self.prove(simplify(replace(goal, root, worth)), strict, state, ladders, splits)
            if inner is None:
                return None
            form = linear_in(goal, root)
            if form is None:
                return None
            slope = form[0]
            proof = self._combine(goal, strict, both.assuming(simplify(replace(goal, root, worth)), strict), 1)
            if proof is None or not slope:
                return None
            rest: Proof = ["have", str(simplify(replace(goal, root, worth))), strict, inner, proof]
            for gap in (operate("-", worth, root), operate("-", root, worth)):
                rest = ["have", str(gap), False, ["scale", str(total), "0", larger, nothing], rest]
            return ["have", str(worth), True, positive, ["have", str(root), False, ["interval"], rest]]
        return None

    def _conjugated(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """``p + q*sqrt(u)`` by ``p^2 - q^2*u``, where ``p - q*sqrt(u)`` is above 0."""
        roots = {inner for inner in subtrees(goal) if inner.operation == "sqrt" and names_in(inner)}
        for root in sorted(roots, key=str):
            parts = linear_in(goal, root)
            if parts is None:
                continue
            q, p = parts
            square = operate("*", operate("^", q, number(2)), root.arguments[0])
            norm = operate("-", operate("^", p, number(2)), square)
            other = operate("-", p, operate("*", q, root))
            for factor, product in ((other, norm), (negative(other), negative(norm))):
                factor, product = simplify(factor), simplify(product)
                positive = self.prove(factor, True, state, 0, 0)
                if positive is None:
                    continue
                inner = self.prove(product, strict, state, ladders, splits)
                if inner is not None:
                    return ["scale", str(factor), str(product), positive, inner]
        return None

    def _as_squares(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """p >= q by p^2 >= q^2, where p is at least 0: for a root in the goal, or squares in an assumption."""
        if self._in_squares:  # p^2 - q^2 has the factor p - q
            return None
        sides: list[tuple[Expression, Expression]] = []
        numbers = not names_in(goal)  # of these intervals say all but that two are equal
        for root in dict.fromkeys(
            inner for inner in subtrees(goal) if inner.operation == "sqrt" and (numbers or names_in(inner))
        ):
            parts = linear_in(goal, root)
            if parts is not None:
                sides.append((parts[1], simplify(operate("*", negative(parts[0]), root))))
                sides.append((simplify(operate("*", parts[0], root)), negative(parts[1])))
        if not sides and any(inner.operation == "^" for fact, _ in state.assumptions for inner in subtrees(fact)):
            sides = [pair for pair in (_two_sides(goal),) if pair is not None]
        for larger, smaller in sides:
            at_least_0 = self.prove(larger, False, state, 0, 0)
            if at_least_0 is None:
                continue
            squares = [operate("^", side, number(2)) for side in (larger, smaller)]
            self._in_squares = True
            try:
                inner = self.prove(operate("-", *squares), strict, state, min(ladders, 1), min(splits, 1))
            finally:
                self._in_squares = False
            if inner is not None:
                return ["square", str(larger), str(smaller), at_least_0, inner]
        return None

    def _rounded(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        for place, source in enumerate((goal, *(fact for fact, _ in state.assumptions))):
            for inner in subtrees(source):
                if inner.operation in ("floor", "ceil") and not any(
                    deeper.operation in ("floor", "ceil") for deeper in subtrees(inner.arguments[0])
                ):
                    state = self._written(state, place)
                    name = state.fresh("r")
                    new = operate("-" if inner.operation == "floor" else "+", inner.arguments[0], variable(name))
                    wider = self._replaced(state, inner, new)
                    wider = State(
                        (*wider.domains, Domain(name, False, Fraction(0), False, Fraction(1), True)), wider.assumptions
                    )
                    found = self.prove(replace(goal, inner, new), strict, wider, ladders, splits)
                    return (
                        None
                        if found is None
                        else self._as_written(goal, state, place, ["round", str(inner), name, found])
                    )
        return None

    def _unfolding(self, goal: Expression, state: State) -> tuple[Expression, str] | None:
        """A sum or product of the goal of few terms, or one longer than another that differs in one end only."""
        there = list(dict.fromkeys(node for node in subtrees(goal) if node.operation in INDEXED))
        if not there:
            return None
        assumed = {node for fact, _ in state.assumptions for node in subtrees(simplify(fact))}
        others = [*there, *sorted((node for node in assumed if node.operation in INDEXED), key=str)]
        for node in there:
            first, last, term = node.arguments
            length = _number(operate("-", last, first))
            if length is not None and length < _WRITTEN_OUT:
                return node, "empty" if length < 0 else "last"
            for other in others:
                if (other.operation, other.name, other.arguments[2]) != (node.operation, node.name, term):
                    continue
                before, after = (
                    _number(operate("-", a, b)) for a, b in ((other.arguments[0], first), (last, other.arguments[1]))
                )
                if before == 0 and after is not None and 0 < after <= _WRITTEN_OUT:
                    return node, "last"
                if after == 0 and before is not None and 0 < before <= _WRITTEN_OUT:
                    return node, "first"
        return None

    def _unfolded(
        self, goal: Expression, strict: bool, state: State, node: Expression, how: str, ladders: int, splits: int
    ) -> Proof | None:
        """A sum or product without its first or last term, with that term beside it; or an empty one."""
        first, last, term = node.arguments
        if how == "empty":
            shown = self.prove(operate("-", first, last), True, state, 0, 0)
            new: Expression = ZERO if node.operation == "sum" else ONE
        else:
            shown = self.prove(operate("-", last, first), False, state, 1, 1)
            ends = (first, operate("-", last, ONE)) if how == "last" else (operate("+", first, ONE), last)
            rest = Expression(node.operation, (*ends, term), name=node.name)
            one = replace(term, variable(node.name), last if how == "last" else first)
            new = operate("+" if node.operation == "sum" else "*", rest, one)
        if shown is None:
            return None
        found = self.prove(replace(goal, node, new), strict, self._replaced(state, node, new), ladders, splits)
        # the goal as it is here, whatever the checker has made of it: the term is looked for as it is written
        return None if found is None else ["rewrite", str(goal), ["unfold", str(node), how, shown, found]]

    def _replaced(self, state: State, old: Expression, new: Expression) -> State:
        return State(state.domains, tuple((replace(fact, old, new), strong) for fact, strong in state.assumptions))

    def _chosen(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """max, min and abs by cases."""
        for place, source in enumerate((goal, *(fact for fact, _ in state.assumptions))):
            for inner in subtrees(source):
                if inner.operation not in ("max", "min", "abs"):
                    continue
                if any(deeper.operation in ("max", "min", "abs") for a in inner.arguments for deeper in subtrees(a)):
                    continue
                state = self._written(state, place)
                a = inner.arguments[0]
                b = inner.arguments[1] if inner.operation != "abs" else negative(a)
                test = a if inner.operation == "abs" else operate("-", a, b)
                upper = (a, 0) if inner.operation != "min" else (b, 1)
                lower = (b, 1) if inner.operation != "min" else (a, 0)
                proofs = []
                for (new, which), fact in ((upper, test), (lower, negative(test))):
                    narrowed = self._replaced(state.assuming(fact), inner, new)
                    found = self.prove(replace(goal, inner, new), strict, narrowed, ladders, splits)
                    if found is None:
                        return None
                    proofs.append(["choose", str(inner), which, self._last(state), found])
                return self._as_written(goal, state, place, ["case", str(test), *proofs])
        return None

    def _written(self, state: State, place: int) -> State:
        """The state with a copy of an assumption that a term is looked for in (none for the goal, place 0)."""
        return state if place == 0 else state.assuming(*state.assumptions[place - 1])

    def _as_written(self, goal: Expression, state: State, place: int, proof: Proof) -> Proof:
        """The proof, after goal or assumption were written as they are here: the checker may have them otherwise."""
        if place == 0:
            return ["rewrite", str(goal), proof]
        fact, strong = state.assumptions[place - 1]
        return ["have", str(fact), strong, ["combine", [["1", [_plain(state) + place - 1]]]], proof]

    def _last(self, state: State) -> Proof:
        """What was assumed after all that the state holds."""
        return ["combine", [["1", [_plain(state) + len(state.assumptions)]]]]

    def _logarithmic(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """a >= b as log(a) >= log(b), where a and b are products with powers in them."""
        sides = _two_sides(goal)
        if sides is None:
            return None
        a, b = sides
        if not any(
            inner.operation == "exp" or (inner.operation == "^" and not _integer(inner.arguments[1]))
            for inner in (*subtrees(a), *subtrees(b))
        ):
            return None
        logs: list[Expression] = []
        left, right = _log(a, logs), _log(b, logs)
        shown = []
        for factor in logs:
            found = self.prove(factor, True, state, 0, 0)
            if found is None:
                return None
            shown.append(found)
        inner = self.prove(operate("-", left, right), strict, state, ladders, splits)
        return None if inner is None else ["logarithm", str(a), str(b), shown, inner]

    def defined(self, node: Expression, state: State, ladders: int = 1, splits: int = 1) -> list[Proof] | None:
        """Proofs that an expression is defined in a state, one per operation."""
        found = []
        for condition in conditions(node, state.integers):
            shown = self.shown(condition, state, ladders, splits)
            if shown is None:
                return None
            found.append(shown)
        return found

    def differentiable(self, node: Expression, way: State, inside: State, name: str) -> list[Proof] | None:
        """Proofs that an expression is continuous on the way of a variable, and differentiable inside."""
        found = []
        for condition in conditions(node, inside.integers):
            shown: Proof | None
            first = condition.operands[0]
            if name in names_in(first) and condition.kind in ("nonnegative", "power"):
                positive = self.prove(first, True, inside, 1, 1)
                shown = positive
                if condition.kind == "power" and positive is not None:
                    shown = self.prove(first, True, way, 0, 0)
                    if shown is None and name not in names_in(condition.operands[1]):
                        power = self.prove(condition.operands[1], False, way, 0, 0)
                        shown = None if power is None else ["integer power", positive, power]
            else:
                shown = self.shown(condition, way, 1, 1)
            if shown is None:
                return None
            found.append(shown)
        return found

    def shown(self, condition: Condition, state: State, ladders: int, splits: int) -> Proof | None:
        """A proof of what one operation asks for."""
        first = condition.operands[0]
        if condition.kind == "sign":
            for sign, expression in (("+", first), ("-", negative(first))):
                found = self.prove(expression, True, state, ladders, splits)
                if found is not None:
                    return [sign, found]
            return None
        if condition.kind in ("positive", "nonnegative"):
            return self.prove(first, condition.kind == "positive", state, ladders, splits)
        if condition.kind == "power":
            found = self.prove(first, True, state, ladders, splits)
            if found is not None:
                return found
            base = self.prove(first, False, state, ladders, splits)
            power = self.prove(condition.operands[1], False, state, ladders, splits)
            return None if base is None or power is None else ["integer power", base, power]
        if condition.kind == "term":
            return self.defined(condition.operation.arguments[2], indexed(condition.operation, state), ladders, splits)
        proofs = [self.prove(operand, False, state, ladders, splits) for operand in condition.operands]
        return None if any(proof is None for proof in proofs) else proofs

    def _climbed(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """From an end of a variable's interval, by the sign of the derivative."""
        if ladders <= 0:
            return None
        for domain in state.domains:
            name = domain.name
            if name not in names_in(goal):
                continue
            if any(inner.operation in _STEPS and name in names_in(inner) for inner in subtrees(goal)):
                continue
            slope = simplify(derivative(goal, name))
            bare = state.unassuming(name)
            for end in ("low", "high"):
                value = domain.low if end == "low" else domain.high
                if value is None:
                    continue
                found = self._climb(goal, strict, bare, domain, end, value, slope, ladders, splits)
                if found is not None:
                    return found
        return None

    def _climb(
        self,
        goal: Expression,
        strict: bool,
        bare: State,
        domain: Domain,
        end: str,
        value: Fraction,
        slope: Expression,
        ladders: int,
        splits: int,
    ) -> Proof | None:
        upward = slope if end == "low" else negative(slope)
        inside = bare.with_domain(changed(domain, integer=False, low_open=True, high_open=True))
        if self._certainly_fails(upward, False, inside):
            return None
        face = simplify(replace(goal, variable(domain.name), number(value)))
        less = bare.without(domain.name)
        open_end = domain.low_open if end == "low" else domain.high_open
        try:
            if less.domains == () and not self._constant_sign(face, False):
                return None
        except Undefined:
            return None
        low_open, high_open = domain.low_open and end != "low", domain.high_open and end != "high"
        wide = bare.with_domain(changed(domain, integer=False, low_open=low_open, high_open=high_open))
        plans = [(strict, False)] + ([(False, True)] if strict and open_end else [])
        for face_strict, slope_strict in reversed(plans):
            shown_face = self.prove(face, face_strict, less, ladders - 1, splits)
            if shown_face is None:
                continue
            where = self.differentiable(goal, wide, inside, domain.name)
            if where is None:
                return None
            shown_slope = self.prove(upward, slope_strict, inside, ladders - 1, splits)
            if shown_slope is not None:
                shown_slope = ["rewrite", str(upward), shown_slope]  # the checker's derivative may look otherwise
                original = replace(goal, variable(domain.name), number(value))
                if original != face:
                    shown_face = ["rewrite", str(face), shown_face]
                return ["monotone", domain.name, end, where, shown_face, shown_slope]
        return None

    def _constant_sign(self, node: Expression, strict: bool) -> bool:
        if node == ZERO:
            return not strict
        value = enclose(node, {})
        return value.above_0 if strict else value.at_least_0

    def _slack(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """An assumption that bounds a variable becomes the end of a new variable's interval."""
        if ladders <= 0 or self._slacks >= 2:
            return None
        for fact, strong in state.assumptions:
            if self._encloses(fact, False, State(state.domains, ())):
                continue
            top, _ = split_quotient(simplify(fact))
            for name in sorted(names_in(top) & names_in(goal)):
                linear = linear_in(top, variable(name))
                if linear is None:
                    continue
                slope, rest = linear
                bound = simplify(operate("/", negative(rest), slope))
                equal = any(simplify(other) == simplify(negative(fact)) for other, _ in state.assumptions)
                found = self._slacken(goal, strict, state, name, bound, strong, equal, ladders, splits)
                if found is not None:
                    return found
        return None

    def _slacken(
        self,
        goal: Expression,
        strict: bool,
        state: State,
        name: str,
        bound: Expression,
        strong: bool,
        equal: bool,
        ladders: int,
        splits: int,
    ) -> Proof | None:
        domain = state.domain(name)
        x, fresh = variable(name), state.fresh("s")
        for sign in (1, -1):
            gap = simplify(operate("-", x, bound) if sign > 0 else operate("-", bound, x))
            if self._certainly_fails(gap, False, state):
                continue
            phi = operate("+" if sign > 0 else "-", bound, variable(fresh))
            haves: list[tuple[Expression, bool]] = []
            if domain.low is not None:
                haves.append((operate("-", x, number(domain.low)), domain.low_open))
            if domain.high is not None:
                haves.append((operate("-", number(domain.high), x), domain.high_open))
            wider = state
            sides = []
            for known, strict_ in haves:
                sides.append(self.prove(known, strict_, wider, 0, 0))
                wider = wider.assuming(known, strict_)
            low = self.prove(gap, strong, wider, 0, 0)
            if low is None or None in sides:
                continue
            high = self.prove(negative(gap), False, wider, 0, 0) if equal else None
            end = None if high is None else Fraction(0)
            fresh_domain = Domain(fresh, False, Fraction(0), strong, end, end is None)
            moved = State(
                tuple(fresh_domain if other.name == name else other for other in state.domains),
                # not simplified: what the checker drops with a variable is what has the variable in it as written
                tuple((replace(fact, x, phi), strict_) for fact, strict_ in (*state.assumptions, *haves)),
            )
            self._slacks += 1
            try:
                inner = self.prove(replace(goal, x, phi), strict, moved, ladders, splits)
            finally:
                self._slacks -= 1
            if inner is None:
                continue
            psi = gap
            text = fresh_domain.interval
            where, composed = self.defined(psi, wider), self.defined(replace(phi, variable(fresh), psi), wider)
            if where is None or composed is None:
                return None
            proof: Proof = ["substitute", name, fresh, text, str(phi), str(psi), low, high, inner, where, composed]
            for (known, strict_), side in zip(reversed(haves), reversed(sides), strict=True):
                proof = ["have", str(known), strict_, side, proof]
            return proof
        return None

    def _inverted(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """x in [a, inf) with a > 0 as 1/t, t in (0, 1/a]."""
        if ladders <= 0:
            return None
        for domain in state.domains:
            name = domain.name
            if domain.high is not None or domain.low is None or domain.low <= 0 or name not in names_in(goal):
                continue
            if any(name in names_in(fact) for fact, _ in state.assumptions):
                continue
            if any(inner.operation in _STEPS and name in names_in(inner) for inner in subtrees(goal)):
                continue
            fresh = state.fresh("u")
            x, t = variable(name), variable(fresh)
            phi, psi = operate("/", ONE, t), operate("/", ONE, x)
            inverse = Domain(fresh, False, Fraction(0), True, 1 / domain.low, domain.low_open)
            moved = State(tuple(inverse if other.name == name else other for other in state.domains), state.assumptions)
            inner = self.prove(replace(goal, x, phi), strict, moved, ladders, max(splits - 1, 0))
            if inner is None:
                continue
            low = self.prove(operate("-", psi, ZERO), True, state, 0, 0)
            high = self.prove(operate("-", number(1 / domain.low), psi), domain.low_open, state, 0, 0)
            if low is None or high is None:
                continue
            where = self.defined(psi, state)
            if where is not None:
                return ["substitute", name, fresh, inverse.interval, str(phi), str(psi), low, high, inner, where]
        return None

    def _halved(self, goal: Expression, strict: bool, state: State, ladders: int, splits: int) -> Proof | None:
        """The box in two parts."""
        if splits <= 0:
            return None
        for name, value in self._cuts(goal, state):
            domain = state.domain(name)
            if domain.integer:
                whole = Fraction(value.__floor__())
                left = changed(domain, high=whole, high_open=False)
                right = changed(domain, low=whole + 1, low_open=False)
            else:
                left = changed(domain, high=value, high_open=False)
                right = changed(domain, low=value, low_open=False)
            first = self.prove(goal, strict, state.with_domain(left), ladders, splits - 1)
            if first is None:
                continue
            second = self.prove(goal, strict, state.with_domain(right), ladders, splits - 1)
            if second is not None:
                return ["split", name, str(value), first, second]
        return None

    def _cuts(self, goal: Expression, state: State) -> Iterator[tuple[str, Fraction]]:
        used = names_in(goal)
        values, good = self._samples(state)
        found = floats_of(goal, values, _WRITTEN_OUT**2)
        found = np.where(good & np.isfinite(found), found, np.inf)
        best = int(np.argmin(found)) if found.size else 0
        candidates: list[tuple[str, Fraction]] = []
        for domain in state.domains:
            if domain.name not in used:
                continue
            low, high = domain.low, domain.high
            if domain.integer and low is not None and (high is None or high > low):
                candidates.append((domain.name, low + Fraction(1, 2)))
                continue
            if state.domains and np.isfinite(found[best]) and len(used) == 1:
                touching = self._touching(goal, state, domain, float(values[domain.name][best]))
                if touching is not None:
                    candidates.insert(0, (domain.name, touching))
            if len(used) == 1 and low is not None and high is not None and not domain.integer:
                turn = self._turning(goal, domain.name, low, high)
                if turn is not None:
                    candidates.append((domain.name, turn))
                    continue
            if low is None and high is None:
                cut = Fraction(0)
            elif high is None:
                assert low is not None
                cut = Fraction(1) if low < 1 and low >= 0 else (4 * low if low > 0 else Fraction(0))
            elif low is None:
                cut = Fraction(-1) if high > -1 and high <= 0 else (4 * high if high < 0 else Fraction(0))
            elif low >= 0 and high > 8 * max(low, high / 64):
                cut = high / 8 if low == 0 else _power_of_two(low, high)
            else:
                cut = (low + high) / 2
            if (low is None or cut > low) and (high is None or cut < high):
                candidates.append((domain.name, cut))
        yield from candidates[:2]

    def _turning(self, goal: Expression, name: str, low: Fraction, high: Fraction) -> Fraction | None:
        """Beside the only maximum inside: a function that rises and then falls is climbed from both ends."""
        column = np.linspace(float(low), float(high), 203)[1:-1]
        values = floats_of(goal, {name: column})
        if not np.isfinite(values).all():
            return None
        steps = np.sign(np.diff(values))
        top = int(np.argmax(values))
        if not (0 < top < column.size - 1 and (steps[:top] >= 0).all() and (steps[top:] <= 0).all()):
            return None
        highest = Fraction(float(column[top])).limit_denominator(1_000)
        left, right = highest - low, high - highest
        cut = highest + right / 4 if left < (high - low) / 8 else highest - left / 4
        cut = cut.limit_denominator(64) if low < cut.limit_denominator(64) < high else cut
        return cut if low < cut < high else None

    def _touching(self, goal: Expression, state: State, domain: Domain, start: float) -> Fraction | None:
        """A simple number at which a function of one variable is 0 inside the interval."""
        from scipy.optimize import minimize_scalar

        low = -1e6 if domain.low is None else float(domain.low)
        high = 1e6 if domain.high is None else float(domain.high)
        left, right = max(low, start - abs(start) / 2 - 0.5), min(high, start + abs(start) / 2 + 0.5)
        if not left < right:
            return None

        def value(x: float) -> float:
            found = float(floats_of(goal, {domain.name: np.array([x])})[0])
            return found if np.isfinite(found) else 1e300

        lowest = minimize_scalar(value, bounds=(left, right), method="bounded", options={"xatol": 1e-10})
        guess = Fraction(float(lowest.x)).limit_denominator(1_000)
        inside = (domain.low is None or guess > domain.low) and (domain.high is None or guess < domain.high)
        return guess if inside and abs(float(guess) - lowest.x) < 1e-4 and abs(value(float(guess))) < 1e-9 else None


def indexed(node: Expression, state: State) -> State:
    """The state with the index of a sum or product, anywhere in its range, as one more variable."""
    index = variable(node.name)
    more = State((*state.domains, Domain(node.name, True, None, True, None, True)), state.assumptions)
    return more.assuming(operate("-", index, node.arguments[0])).assuming(operate("-", node.arguments[1], index))


def _number(node: Expression) -> Fraction | None:
    """The value of an expression that is a number."""
    simple = simplify(node)
    return simple.value if simple.operation == "number" else None


def _power_above_0(node: Expression, state: State) -> bool:
    """Whether this is a root or a power (not a natural one) of something that is plainly above 0."""
    whole = node.operation == "^" and _integer(node.arguments[1])
    return not whole and bool(names_in(node)) and _above_0(node.arguments[0], state)


def _above_0(node: Expression, state: State) -> bool:
    """Whether something is above 0 because it is made of what is by sums, products and quotients."""
    operation = node.operation
    if operation == "name":
        domain = state.domain(node.name)
        return domain.low is not None and (domain.low > 0 or (domain.low == 0 and domain.low_open))
    if operation == "number":
        return node.value > 0
    if operation in ("+", "*", "/"):
        return all(_above_0(argument, state) for argument in node.arguments)
    if operation in ("^", "sqrt"):
        return _above_0(node.arguments[0], state)
    return operation in ("exp", "e", "pi")


def _plain(state: State) -> int:
    """How many premises the ends of the intervals give."""
    return sum((domain.low is not None) + (domain.high is not None) for domain in state.domains)


def _integer(node: Expression) -> bool:
    return node.operation == "number" and node.value.denominator == 1


def _power_of_two(low: Fraction, high: Fraction) -> Fraction:
    ratio = float(high / low) ** 0.5
    exponent = max(1, round(np.log2(ratio)))
    cut = low * 2**exponent
    return cut if cut < high else (low + high) / 2


def _two_sides(goal: Expression) -> tuple[Expression, Expression] | None:
    """A difference of what is added and what is subtracted, where both are something."""
    form = quotient(goal)
    if form is None or not form.bottom.is_constant():
        return None
    if len(form.top) == 2:
        if goal.operation == "-":
            return goal.arguments[0], goal.arguments[1]
        if goal.operation == "+" and goal.arguments[0].operation == "neg":
            return goal.arguments[1], goal.arguments[0].arguments[0]
        return None
    (added, more), (taken, less) = signed_parts(form)
    return (added, taken) if min(more, less) == 1 else None


def _log(node: Expression, logs: list[Expression]) -> Expression:
    """The logarithm expanded as ``certificates.md`` says; what must be positive is added to ``logs``."""
    operation = node.operation
    if operation == "*":
        left = _log(node.arguments[0], logs)
        return operate("+", left, _log(node.arguments[1], logs))
    if operation == "/":
        left = _log(node.arguments[0], logs)
        return operate("-", left, _log(node.arguments[1], logs))
    if operation == "^":
        return operate("*", node.arguments[1], _log(node.arguments[0], logs))
    if operation == "exp":
        return node.arguments[0]
    if operation == "sqrt":
        return operate("/", _log(node.arguments[0], logs), number(2))
    if operation == "e":
        return ONE
    if node == ONE:
        return ZERO
    if not (operation == "number" and node.value > 0) and operation != "pi":
        logs.append(node)
    return Expression("log", (node,))


def rounds() -> Sequence[tuple[int, int, int]]:
    """Ladders, splits and nodes of each round, cheap ones first."""
    return (
        (0, 0, 50),
        (1, 0, 200),
        (1, 1, 400),
        (2, 1, 800),
        (2, 3, 1_500),
        (3, 2, 2_500),
        (2, 8, 4_000),
        (4, 4, 6_000),
    )
