"""The rules of proofs, each with the reason why it is sound.

A rule gets the replay, its own list, the state, the goal's expression and the way to it; it raises CheckFailed, or says
whether the goal is shown strictly. What "shown" means is said in ``checker_replay``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcheck.proof.prover.checker_derivative import derivative
from dpcheck.proof.prover.checker_formula import Operation, Relation, Variable, integer_sum, operations, real_variable
from dpcheck.proof.prover.checker_identities import Field, Quotient, identical, in_field
from dpcheck.proof.prover.checker_intervals import (
    BOX_PRECISIONS,
    Enclosure,
    Undefined,
    box,
    constant,
    evaluate,
    passes,
)
from dpcheck.proof.prover.checker_replay import Path, Replay, Rule, State, Weakness, at, listed
from dpcheck.proof.prover.checker_syntax import (
    INDEXED,
    CheckFailed,
    Tree,
    difference,
    negative,
    number,
    parse,
    postorder,
    rational,
    replaced,
    shown,
    variable,
)

#: Terms of one combination, and factors of one term.
_MOST_TERMS, _MOST_FACTORS = 2000, 300
_NOT_SMOOTH = frozenset({"abs", "floor", "ceil", "max", "min", "binom", "fact", *INDEXED})


def _index(value: Any, count: int) -> int:
    if type(value) is not int or not 0 <= value < count:
        raise CheckFailed(f"a number from 0 to {count - 1} is wanted, not {shown(value)}")
    return value


def _occurs(term: Tree, state: State, goal: Tree) -> None:
    if not any(term == node for tree in _trees(state, goal) for node in postorder(tree)):
        raise CheckFailed(f"{term!s:.200} occurs neither in the goal nor in an assumption")


def _trees(state: State, goal: Tree) -> Iterator[Tree]:
    yield goal
    yield from (relation.tree for relation in state.assumptions)


def _same(left: Tree, right: Tree) -> None:
    if not identical(left, right):
        raise CheckFailed(f"{left!s:.300}  =  {right!s:.300} is not an identity")


def _enclosures(tree: Tree, state: State) -> Iterator[Enclosure]:
    """The enclosures of a tree on the closed box, more and more precise."""
    failure = ""
    done = False
    for precision in BOX_PRECISIONS:
        try:
            yield evaluate(tree, box(state.variables, precision), precision)
            done = True
        except Undefined as error:
            failure = str(error)
    if not done:
        raise CheckFailed(f"{failure}: {tree!s:.200}")


def _interval(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # The enclosure holds all values at points of the box at which the goal is defined.
    weak, found = False, None
    for found in _enclosures(goal, state):
        if found.closed().positive:
            return None
        weak = weak or found.nonnegative
    if weak:
        return CheckFailed(f"the values may reach 0 on the closed box: {goal!s:.200}", " / ".join(here))
    raise CheckFailed(f"the values lie in {found} only: {goal!s:.200}")


def _absurd(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # No point of the state satisfies the assumption: there is nothing to show.
    relation = state.assumptions[_index(proof[1], len(state.assumptions))]
    found = None
    for found in _enclosures(relation.tree, state):
        if found.closed().negative or (relation.strict and found.nonpositive):
            return None
    raise CheckFailed(f"the assumption {relation!s:.200} may hold, values lie in {found}")


def _split(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # Every value of the variable is in one of the two parts.
    item, place = state.variable(proof[1]), rational(proof[2])
    first, second = place, place
    if item.integer:
        first = Fraction(math.floor(place))
        second = first + 1
        inside = (item.low is None or item.low <= first) and (item.high is None or second <= item.high)
    else:
        inside = (item.low is None or item.low < place) and (item.high is None or place < item.high)
    if not inside:
        raise CheckFailed(f"{place!s:.80} is not inside the interval of {item.name}")
    left = state.with_interval(replace(item, high=first, high_open=False))
    right = state.with_interval(replace(item, low=second, low_open=False))
    return _either(self.run(proof[3], left, goal, at(here, 3)), self.run(proof[4], right, goal, at(here, 4)))


def _either(first: Weakness, second: Weakness) -> Weakness:
    return second if first is None else first


def _monotone(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # Take a point of the state, and move x from there to the end a: the other variables stay, and so do the
    # assumptions without x. By D the goal's expression is continuous on the way and differentiable strictly inside,
    # with the formal derivative (smooth functions only; arguments of roots and bases of powers above 0 inside), which
    # Q bounds; the mean value theorem carries the sign from a, where P shows it, to the point. When a is excluded, the
    # way is not empty, so a strict derivative makes a strict difference. An integer x is moved through the reals: it
    # is real in D and Q.
    item, low = state.variable(proof[1]), proof[2] == "low"
    if proof[2] not in ("low", "high"):
        raise CheckFailed("'low' or 'high' is wanted")
    end, excluded = (item.low, item.low_open) if low else (item.high, item.high_open)
    if end is None:
        raise CheckFailed(f"the {proof[2]} end of {item.name} is infinite")
    if any(node.head in _NOT_SMOOTH and item.name in node.variables for node in postorder(goal)):
        raise CheckFailed(f"the goal has a function of {item.name} that need not have a derivative")
    rest = state.free_of(item.name)
    joined = replace(item, integer=False, low_open=False) if low else replace(item, integer=False, high_open=False)
    way, inside = rest.with_interval(joined), rest.with_interval(item.inside())
    wanted = [operation for operation in operations(goal) if not constant(operation)]
    for index, (operation, inner) in enumerate(zip(wanted, listed(proof[3], len(wanted)), strict=True)):
        self.operation(inner, operation, way, (*at(here, 3), str(index)), inside, item.name)
    at_end = replaced(goal, {variable(item.name): number(end)})
    start = self.run(proof[4], state.without(item.name), at_end, at(here, 4))
    slope = derivative(goal, item.name)
    change = self.run(proof[5], inside, slope if low else negative(slope), at(here, 5))
    if start is None or (excluded and change is None):
        return None
    return start


def _fix(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # The variable has that one value at every point.
    item = state.variable(proof[1])
    if item.low is None or item.low != item.high:
        raise CheckFailed(f"the interval of {item.name} is not one number")
    table = {variable(item.name): number(item.low)}
    return self.run(proof[2], state.replacing(table).without(item.name), replaced(goal, table), at(here, 2))


def _identity(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    _same(goal, number(0))
    return CheckFailed("an identity shows that it is 0, not above", " / ".join(here))


def _rewrite(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # Where the goal is defined, so is the new one, and they are equal.
    new = parse(proof[1], state.names)
    self.defined(new, state, goal)
    _same(goal, new)
    return self.run(proof[2], state, new, at(here, 2))


def _scale(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # Where the goal is defined, so are factor and product; goal = product / factor.
    factor, new = parse(proof[1], state.names), parse(proof[2], state.names)
    self.defined(factor, state, goal)
    self.defined(new, state, goal, factor)
    _same(Tree("*", (goal, factor)), new)
    self.require(proof[3], state, factor, True, at(here, 3))
    return self.run(proof[4], state, new, at(here, 4))


def _factor(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # The rule `product`: where the goal is defined, so are both factors, and it is their product.
    factor, new = parse(proof[1], state.names), parse(proof[2], state.names)
    self.defined(factor, state, goal)
    self.defined(new, state, goal, factor)
    _same(goal, Tree("*", (factor, new)))
    self.require(proof[3], state, factor, True, at(here, 3))
    return self.run(proof[4], state, new, at(here, 4))


def _logarithm(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # With all factors above 0, a and b are, L is the logarithm and defined, and log is strictly increasing.
    left, right = parse(proof[1], state.names), parse(proof[2], state.names)
    self.defined(left, state, goal)
    self.defined(right, state, goal, left)
    _same(goal, difference(left, right))
    factors: list[Tree] = []
    new = difference(expanded_logarithm(left, factors), expanded_logarithm(right, factors))
    for index, (factor, inner) in enumerate(zip(factors, listed(proof[3], len(factors)), strict=True)):
        self.require(inner, state, factor, True, (*at(here, 3), str(index)))
    return self.run(proof[4], state, new, at(here, 4))


def expanded_logarithm(tree: Tree, factors: list[Tree]) -> Tree:
    """log(tree) as the rule `logarithm` expands it; what must be above 0 for that is added to the factors.

    >>> str(expanded_logarithm(parse("2*exp(x)", {"x"}), []))
    'log(2) + x'
    """
    match tree.head:
        case "*" | "/":
            first, second = (expanded_logarithm(part, factors) for part in tree.parts)
            return Tree("+" if tree.head == "*" else "-", (first, second))
        case "^":
            return Tree("*", (tree.parts[1], expanded_logarithm(tree.parts[0], factors)))
        case "exp":
            return tree.parts[0]
        case "sqrt":
            return Tree("/", (expanded_logarithm(tree.parts[0], factors), number(2)))
        case "e":
            return number(1)
        case "number" if tree.value == 1:
            return number(0)
        case "number" if tree.value > 0:
            return Tree("log", (tree,))
    factors.append(tree)
    return Tree("log", (tree,))


def _substitute(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # A point of the old state gives t = psi there (defined, and in the interval): a point of the new state at which phi
    # is defined and equal to x, so goal and assumptions have the values they had.
    item = state.variable(proof[1])
    new = real_variable(state.new_name(proof[2]), proof[3])
    phi = parse(proof[4], (state.names - {item.name}) | {new.name})
    psi = parse(proof[5], state.names)
    more = [*proof[9:], None, None]
    after = state.with_interval(new, item.name)
    composed = replaced(phi, {variable(new.name): psi})
    if more[0] is None:
        self.defined(psi, state, goal)
    else:
        self.all_defined(more[0], psi, state, at(here, 9))
    if more[1] is None:
        for operation in operations(phi):
            if not constant(operation) and not passes(operation, after.variables):
                raise CheckFailed(f"{operation.node!s:.200} may be undefined")
    else:
        self.all_defined(more[1], composed, state, at(here, 10))
    _same(composed, variable(item.name))
    self.between(psi, new, (proof[6], proof[7]), state, here)
    table = {variable(item.name): phi}
    return self.run(proof[8], after.replacing(table), replaced(goal, table), at(here, 8))


def _case(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # Where g is defined, it is at least or at most 0.
    g = parse(proof[1], state.names)
    self.defined(g, state, goal)
    first = self.run(proof[2], state.assuming(Relation(g, False)), goal, at(here, 2))
    second = self.run(proof[3], state.assuming(Relation(negative(g), False)), goal, at(here, 3))
    return _either(first, second)


def _choose(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # The term occurs, so its arguments are defined; the choice is its value.
    term, index = parse(proof[1], state.names), _index(proof[2], 2)
    _occurs(term, state, goal)
    if term.head == "abs":
        choice = term.parts[0] if index == 0 else negative(term.parts[0])
        shows = choice
    elif term.head in ("max", "min"):
        choice, other = term.parts[index], term.parts[1 - index]
        shows = difference(choice, other) if term.head == "max" else difference(other, choice)
    else:
        raise CheckFailed("max, min or abs is wanted")
    self.require(proof[3], state, shows, False, at(here, 3))
    table = {term: choice}
    return self.run(proof[4], state.replacing(table), replaced(goal, table), at(here, 4))


def _round(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # t is what rounding takes away (or adds): at least 0 and below 1.
    term = parse(proof[1], state.names)
    _occurs(term, state, goal)
    if term.head not in ("floor", "ceil"):
        raise CheckFailed("floor or ceil is wanted")
    name = state.new_name(proof[2])
    new = Variable(name, False, Fraction(0), Fraction(1), False, True)
    table = {term: Tree("-" if term.head == "floor" else "+", (term.parts[0], variable(name)))}
    after = replace(state.replacing(table), variables=(*state.variables, new))
    return self.run(proof[3], after, replaced(goal, table), at(here, 3))


def _abstract(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # The term occurs, so it is defined; t stands for its value, which L and U bound.
    term = parse(proof[1], state.names)
    _occurs(term, state, goal)
    new = real_variable(state.new_name(proof[2]), proof[3])
    self.between(term, new, (proof[4], proof[5]), state, here)
    table = {term: variable(new.name)}
    after = replace(state.replacing(table), variables=(*state.variables, new))
    return self.run(proof[6], after, replaced(goal, table), at(here, 6))


def _integer(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # The value is an integer above -1 wherever it is defined, so it is at least 0.
    fact = parse(proof[1], state.names)
    if not integer_sum(fact, state.integers, True):
        raise CheckFailed(f"{fact!s:.200} is not an integer expression")
    self.defined(fact, state, goal)
    self.require(proof[2], state, Tree("+", (fact, number(1))), True, at(here, 2))
    return self.run(proof[3], state.assuming(Relation(fact, False)), goal, at(here, 3))


def _square(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # p >= 0 and p^2 >= q^2 give p >= |q| >= q; with p^2 > q^2, p > |q|. Where the goal is defined, so are p and q.
    larger, smaller = parse(proof[1], state.names), parse(proof[2], state.names)
    self.defined(larger, state, goal)
    self.defined(smaller, state, goal, larger)
    _same(goal, difference(larger, smaller))
    self.require(proof[3], state, larger, False, at(here, 3))
    squares = [Tree("^", (side, number(2))) for side in (larger, smaller)]
    return self.run(proof[4], state, difference(squares[0], squares[1]), at(here, 4))


def _unfold(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # The term occurs, so it is defined, and so is what it adds up at each index. Indices are the integers from a to b:
    # an integer end that is not beyond the other is one of them, and the others are those without it.
    term, how = parse(proof[1], state.names), proof[2]
    _occurs(term, state, goal)
    if term.head not in INDEXED or how not in ("first", "last", "empty"):
        raise CheckFailed("a sum or product is wanted, and 'first', 'last' or 'empty'")
    first, last, inner = term.parts
    if how == "empty":
        self.require(proof[3], state, difference(first, last), True, at(here, 3))
        new = number(0 if term.head == "sum" else 1)
    else:
        end = last if how == "last" else first
        if not integer_sum(end, state.integers, True):
            raise CheckFailed(f"{end!s:.200} is not an integer expression")
        self.require(proof[3], state, difference(last, first), False, at(here, 3))
        one = replaced(inner, {variable(term.name): end})
        ends = (first, difference(last, number(1))) if how == "last" else (Tree("+", (first, number(1))), last)
        rest = Tree(term.head, (*ends, inner), name=term.name)
        new = Tree("+" if term.head == "sum" else "*", (rest, one) if how == "last" else (one, rest))
    table = {term: new}
    return self.run(proof[4], state.replacing(table), replaced(goal, table), at(here, 4))


def _binomial(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # The term occurs: where it is defined, a and b are natural numbers. With a >= b so is a - b, and
    # binom(a, b) * b! * (a - b)! = a!, all defined.
    term = parse(proof[1], state.names)
    _occurs(term, state, goal)
    if term.head != "binom":
        raise CheckFailed("a binomial is wanted")
    above, below = term.parts
    rest = difference(above, below)
    self.require(proof[2], state, rest, False, at(here, 2))
    factorials = Tree("*", (Tree("fact", (below,)), Tree("fact", (rest,))))
    gap = difference(Tree("*", (term, factorials)), Tree("fact", (above,)))
    both = state.assuming(Relation(gap, False)).assuming(Relation(negative(gap), False))
    return self.run(proof[3], both, goal, at(here, 3))


def _induct(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # Let n be the variable and m its low end. The claim at a point is: the goal holds there if all assumptions are
    # defined and hold and the goal is defined. P shows it for n = m. For n = k + 1 with k >= m, the point with n = k is
    # one of the state S of the step, whose assumptions are those at k + 1. There D shows that the assumptions at k are
    # defined and hold, and F that the goal at k is defined: so it holds, by induction, and Q may use it. An assumption
    # without a proof in D is not used at all.
    item, strict = state.variable(proof[1]), proof[2]
    if not isinstance(strict, bool):
        raise CheckFailed("true or false is wanted for strict")
    if not item.integer or item.low is None or item.low == item.high:
        raise CheckFailed(f"{item.name} is not an integer variable with a low end and more than one value")
    name = variable(item.name)
    start, after = {name: number(item.low)}, {name: Tree("+", (name, number(1)))}
    about = [relation for relation in state.assumptions if item.name in relation.tree.variables]
    downward = dict(zip(about, listed(proof[4], len(about)), strict=True))
    state = replace(state, assumptions=tuple(r for r in state.assumptions if downward.get(r, r) is not None))
    low = state.replacing(start).without(item.name)
    self.require(proof[3], low, replaced(goal, start), strict, at(here, 3))
    high = None if item.high is None else item.high - 1
    step = state.replacing(after).with_interval(replace(item, high=high))
    for index, (relation, pair) in enumerate(downward.items()):
        if pair is not None:
            where = (*at(here, 4), str(index))
            operations_, holds = listed(pair, 2)
            self.all_defined(operations_, relation.tree, step, where)
            self.require(holds, step, relation.tree, relation.strict, where)
    self.all_defined(proof[5], goal, step, at(here, 5))
    self.require(proof[6], step.assuming(Relation(goal, strict)), replaced(goal, after), strict, at(here, 6))
    return None if strict else CheckFailed("the induction is not strict", " / ".join(here))


def _lemma(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # The instances are defined and a point of the lemma's domain; its assumptions are then defined one after the other
    # (the lemma's own certificate says so) and hold by H; so its claim is defined and holds.
    name, texts = proof[1], proof[2]
    lemma = self.lemma(name)
    if not isinstance(texts, dict) or set(texts) != {item.name for item in lemma.variables}:
        raise CheckFailed(f"the lemma {name} is about other variables")
    instances = {item.name: parse(texts[item.name], state.names) for item in lemma.variables}
    table = {variable(key): tree for key, tree in instances.items()}
    for item in lemma.variables:
        self.defined(instances[item.name], state, goal)
        if item.integer and not integer_sum(instances[item.name], state.integers, True):
            raise CheckFailed(f"{item.name} of the lemma {name} must be an integer expression")
    assumed = lemma.relations()
    count = sum((item.low is not None) + (item.high is not None) for item in lemma.variables) + len(assumed)
    proofs = iter(listed(proof[3], count))
    where = at(here, 3)
    for item in lemma.variables:
        pair = tuple([None if end is None else next(proofs) for end in (item.low, item.high)])
        self.between(instances[item.name], item, (pair[0], pair[1]), state, (*where, item.name))
    for index, relation in enumerate(assumed):
        goal_there = replaced(relation.tree, table)
        self.require(next(proofs), state, goal_there, relation.strict, (*where, f"assumption {index}"))
    claims = [Relation(replaced(relation.tree, table), relation.strict) for relation in lemma.claim.relations()]
    return self.run(proof[4], state.assuming(*claims), goal, at(here, 4))


def _have(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # The fact is defined and holds at every point of the state at which the goal is defined.
    fact, strict = parse(proof[1], state.names), proof[2]
    if not isinstance(strict, bool):
        raise CheckFailed("true or false is wanted for strict")
    self.defined(fact, state, goal)
    self.require(proof[3], state, fact, strict, at(here, 3))
    return self.run(proof[4], state.assuming(Relation(fact, strict)), goal, at(here, 4))


def _drop(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # The goal's value does not hang on the variable, and fewer assumptions hold at more points.
    name = state.variable(proof[1]).name
    if name in goal.variables:
        raise CheckFailed(f"the goal contains {name}")
    return self.run(proof[2], state.without(name), goal, at(here, 2))


def premises_of(state: State, goal: Tree) -> list[Relation]:
    """What the rule `combine` may use, in the order of its numbers.

    >>> [str(each) for each in premises_of(State((real_variable("x", "[0, 1)"),), ()), parse("exp(x)", {"x"}))]
    ['x - 0 >= 0', '1 - x > 0', 'exp(x) > 0']
    """
    found = []
    for item in state.variables:
        if item.low is not None:
            found.append(Relation(difference(variable(item.name), number(item.low)), item.low_open))
        if item.high is not None:
            found.append(Relation(difference(number(item.high), variable(item.name)), item.high_open))
    found += state.assumptions
    trees = [goal, *(relation.tree for relation in found)]
    exponentials = {node for tree in trees for node in postorder(tree) if node.head == "exp"}
    return found + [Relation(node, True) for node in sorted(exponentials, key=str)]


def _combine(self: Replay, proof: list[Any], state: State, goal: Tree, here: Path) -> Weakness:
    # Premises are defined and at least (strict ones above) 0; so are products and sums of them with c >= 0.
    premises = premises_of(state, goal)
    if not isinstance(proof[1], list) or len(proof[1]) > _MOST_TERMS:
        raise CheckFailed(f"a list of at most {_MOST_TERMS} terms is wanted")
    texts: dict[str, Relation] = {}

    def premise(key: Any) -> Relation:
        if not isinstance(key, str):
            return premises[_index(key, len(premises))]
        if key not in texts:
            tree = parse(key, state.names)
            base = Operation(tree, "positive", tree.parts[:1])
            if tree.head != "exp" and not (tree.head in ("^", "sqrt") and passes(base, state.variables)):
                raise CheckFailed(f"{shown(key)} is no exponential, nor a power or root of what is certainly above 0")
            self.defined(tree, state, goal)
            texts[key] = Relation(tree, True)
        return texts[key]

    terms: list[tuple[Fraction, list[Relation]]] = []
    for term in proof[1]:
        if not isinstance(term, list) or len(term) != 2 or not isinstance(term[1], list):
            raise CheckFailed("a term [c, [premises]] is wanted")
        coefficient = rational(term[0])
        if coefficient < 0:
            raise CheckFailed("a coefficient is below 0")
        if len(term[1]) > _MOST_FACTORS:
            raise CheckFailed("a product is too long")
        terms.append((coefficient, [premise(key) for key in term[1]]))

    def work(field: Field) -> bool:
        total: Quotient = field.number(0)
        for coefficient, factors in terms:
            value = field.number(coefficient)
            for relation in factors:
                value = field.multiply(value, field.of(relation.tree))
            total = field.add(total, value)
        return field.equal(total, field.of(goal))

    if not in_field(state.names, work):
        raise CheckFailed(f"the combination is not identical with {goal!s:.200}")
    if any(coefficient > 0 and all(relation.strict for relation in factors) for coefficient, factors in terms):
        return None
    return CheckFailed("no term is above 0", " / ".join(here))


#: Each rule, and the lengths that its list may have.
RULES: dict[str, tuple[Rule, tuple[int, ...]]] = {
    "interval": (_interval, (1,)),
    "absurd": (_absurd, (2,)),
    "split": (_split, (5,)),
    "monotone": (_monotone, (6,)),
    "fix": (_fix, (3,)),
    "identity": (_identity, (1,)),
    "rewrite": (_rewrite, (3,)),
    "scale": (_scale, (5,)),
    "product": (_factor, (5,)),
    "logarithm": (_logarithm, (5,)),
    "substitute": (_substitute, (9, 10, 11)),
    "case": (_case, (4,)),
    "choose": (_choose, (5,)),
    "round": (_round, (4,)),
    "abstract": (_abstract, (7,)),
    "integer": (_integer, (4,)),
    "square": (_square, (5,)),
    "unfold": (_unfold, (5,)),
    "binomial": (_binomial, (4,)),
    "induct": (_induct, (7,)),
    "lemma": (_lemma, (5,)),
    "have": (_have, (5,)),
    "drop": (_drop, (3,)),
    "combine": (_combine, (2,)),
}
