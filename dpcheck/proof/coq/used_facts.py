"""Facts as lines use them: at values, averaged or added up, of functions in place of events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from dpcheck.proof.coq.context import Context, each_link, pattern
from dpcheck.proof.coq.equalities import Lines, block
from dpcheck.proof.coq.objects import (
    function_name,
    function_ranges,
    function_type,
    kind_text,
    link_text,
    links_text,
    number_name,
    point_name,
    term_text,
    unseen,
)
from dpcheck.proof.coq.terms import NotExported, interval_texts
from dpcheck.proof.derivation.check import Use
from dpcheck.proof.derivation.terms import (
    EXTREMES,
    INTEGER,
    Binder,
    Fact,
    Function,
    Link,
    Objects,
    Term,
    fresh,
    in_links,
    put_function,
    substitute,
)
from dpcheck.proof.prover.language import Domain

_LEMMA = {"<=": "le", "<": "lt", "=": "ext"}


def instance(
    context: Context, use: Use, values: Mapping[str, Term], scope: Objects
) -> tuple[str, tuple[Link, ...], tuple[Link, ...], Lines]:
    """A hypothesis that says what a fact says at these values; its conditions, its claim, and the steps to it."""
    put = partial(_put, values=values)
    asked, claims = in_links(use.fact.conditions, put), in_links(use.fact.claim, put)
    name = context.new("U")
    if use.how == "":
        lines = [f"pose proof {context.facts[use.name]} as {name}.", *_at_values(context, use.fact, name, values)]
        about = context.checker.objects.with_binders(use.fact.binders)
        if use.name in context.given and unseen((*use.fact.conditions, *use.fact.claim), about):
            # A premise asks for what is not seen to be defined: it is, where its conditions hold.
            whole, held = name, [context.new("H") for _ in asked]
            name = context.new("U")
            said = "".join(f"{link_text(link, scope)} -> " for link in asked) + links_text(claims, scope)
            intro = [f"intros {' '.join(held)}."] if held else []
            lines += [f"assert ({name} : {said}).", *block([*intro, f"apply {whole}; first [assumption | defined]."])]
        return name, asked, claims, lines
    assert use.inner is not None
    said = "".join(f"{link_text(link, scope)} -> " for link in asked) + links_text(claims, scope)
    hypotheses = [context.new("H") for _ in asked]
    intro = [f"intros {' '.join(hypotheses)}."] if hypotheses else []
    if use.how == "at":
        inside = _values_at(context, use, values)
        inner, _, _, proof = instance(context, use.inner, inside, scope)
        left = hypotheses[len(hypotheses) - len(use.inner.fact.conditions) :]
        lines = [*intro, *proof, f"exact ({' '.join([inner, *left])})."]
    elif use.how == "functions":
        lines = [*intro, *_of_functions(context, use, values, scope, hypotheses)]
    else:
        lines = [*intro, *_taken_over(context, use, values, scope, claims, hypotheses)]
    return name, asked, claims, [f"assert ({name} : {said}).", *block(lines)]


def _values_at(context: Context, use: Use, values: Mapping[str, Term]) -> dict[str, Term]:
    assert use.inner is not None
    said = {name: (arguments, body) for name, arguments, body in use.values}
    found = {}
    for binder in use.inner.fact.binders:
        if binder.name not in said:
            if binder.name in values:
                found[binder.name] = values[binder.name]
            continue
        arguments, body = said[binder.name]
        inside = {key: value for key, value in values.items() if key not in arguments}
        body = _put(body, inside)
        if isinstance(binder.of, Function):
            found[binder.name] = Term("function", (body,), name=" ".join(arguments))
        else:
            found[binder.name] = body
    return found


def _at_values(context: Context, fact: Fact, hypothesis: str, values: Mapping[str, Term]) -> Lines:
    """A fact at values, one binder after the other."""
    lines: Lines = []
    scope = context.checker.objects.with_binders(fact.binders)
    for binder in fact.binders:
        value = values.get(binder.name)
        if isinstance(binder.of, str):
            lines.append(f"specialize ({hypothesis} {term_text(value, scope) if value else point_name(binder.name)}).")
            continue
        if isinstance(binder.of, Domain):
            written = term_text(value, scope) if value else number_name(binder.name)
            ends = interval_texts(written, binder.of)
        elif value is None:
            written, ends = function_name(binder.name), function_ranges(binder.name, binder.of, scope)
        else:
            written = _function_text(value, binder.of, scope)
            ends = function_ranges(binder.name, binder.of, scope)
        lines.append(f"specialize ({hypothesis} {written}).")
        lines += [f"specialize ({hypothesis} ltac:(first [assumption | intros; bound]))." for _ in ends]
    return lines


def _taken_over(
    context: Context,
    use: Use,
    values: Mapping[str, Term],
    scope: Objects,
    claims: Sequence[Link],
    hypotheses: Sequence[str],
) -> Lines:
    assert use.inner is not None
    binder = next(each for each in use.inner.fact.binders if each.name == use.name)
    new = fresh(use.name)
    kind = str(binder.of)
    inside = scope.with_binders((Binder(new, kind),))
    at = {**values, use.name: Term("point", name=new, kind=kind)}
    each, _, inner_claims, proof = instance(context, use.inner, at, inside)
    whole, point = context.new("W"), point_name(new)
    of = f"{'L' if use.how == 'mean' else 'S'}_{kind}"
    lines = [
        f"assert ({whole} : forall {point} : {of}, {links_text(inner_claims, inside)}).",
        *block([f"intro {point}.", *proof, f"exact ({' '.join([each, *hypotheses])})."]),
    ]

    def one(place: int) -> Lines:
        lemma = _LEMMA[claims[place].relation]
        lemma = f"{use.how}_{lemma}" if lemma != "ext" or use.how in EXTREMES else "over_ext"
        names = [context.new("A") for _ in claims]
        return [
            f"apply {lemma}; intro {point}.",
            f"destruct ({whole} {point}) as {pattern(names)}."
            if len(names) > 1
            else f"pose proof ({whole} {point}) as {names[0]}.",
            f"exact {names[place]}.",
        ]

    return [*lines, *each_link(claims, one)]


def _of_functions(
    context: Context, use: Use, values: Mapping[str, Term], scope: Objects, hypotheses: Sequence[str]
) -> Lines:
    """From all events to all functions with values in [0, 1]."""
    assert use.inner is not None
    name = use.name
    kind = next(binder.of for binder in use.fact.binders if binder.name == name)
    assert isinstance(kind, Function)
    if len(kind.arguments) != 1:
        raise NotExported("from events of more than one point to functions")
    (argument,) = kind.arguments
    event, point = fresh(name), fresh("y")
    here = Term("name", name=point) if argument == INTEGER else Term("point", name=point, kind=argument)
    at_event = Term("function", (Term("apply", (here,), name=event),), name=point)
    others = {key: value for key, value in values.items() if key != name}
    bound = f"fun {function_name(name)} : {function_type(kind, scope)} =>"
    claims = in_links(use.fact.claim, partial(_put, values=others))
    value = _function_text(values[name], kind, scope) if name in values else function_name(name)
    names = [context.new("I") for _ in range(3)]

    def one(place: int) -> Lines:
        link = claims[place]
        sides = f"({bound} {term_text(link.left, scope)}) ({bound} {term_text(link.right, scope)})"
        inner, _, _, proof = instance(context, use.inner, {**others, name: at_event}, scope)  # type: ignore[arg-type]
        held = [context.new("A") for _ in claims]
        taken = [f"pose proof ({' '.join([inner, *hypotheses])}) as {pattern(held)}.", f"exact {held[place]}."]
        return [
            f"refine (functions_{_LEMMA[link.relation]} {sides} _ _ {value} _ _).",
            *block(["is_affine."]),
            *block([f"intros {function_name(event)} {' '.join(names)}.", *proof, *taken]),
            *block(["intros; bound."]),
            *block(["intros; bound."]),
        ]

    return each_link(claims, one)


def _function_text(value: Term, function: Function, objects: Objects) -> str:
    """What a function is to be; its arguments are the value's name."""
    bound = " ".join(
        f"({number_name(name) if kind == INTEGER else point_name(name)} : {kind_text(kind, objects)})"
        for name, kind in zip(value.name.split(), function.arguments, strict=True)
    )
    return f"(fun {bound} => {term_text(value.parts[0], objects)})"


def _put(term: Term, values: Mapping[str, Term]) -> Term:
    """A term at values of points, numbers and functions; a function's value has its arguments as its name."""
    for name, value in values.items():
        if value.head == "function":
            term = put_function(term, name, tuple(value.name.split()), value.parts[0])
    return substitute(term, {name: value for name, value in values.items() if value.head != "function"})
