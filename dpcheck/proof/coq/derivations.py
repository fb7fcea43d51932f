"""Derivations as theorems of Coq: what is given implies what is concluded, line by line, rule by rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from dpcheck.proof.coq.context import Context, Known, Shown, intros
from dpcheck.proof.coq.equalities import Lines, block, sum_text
from dpcheck.proof.coq.line_rules import arithmetic, asked_at_once, cases, induction, largest, point, total
from dpcheck.proof.coq.objects import fact_text, guarded_text, kind_text, object_texts, point_name, undefined_nowhere
from dpcheck.proof.derivation.check import Checker
from dpcheck.proof.derivation.lines import Derivation, Line
from dpcheck.proof.derivation.reading import read_fact
from dpcheck.proof.derivation.terms import Binder, Fact, Objects, free_names
from dpcheck.proof.prover.formula import Formula


def derivation_theorem(derivation: Derivation, formulas: Mapping[Formula, Shown], name: str) -> str:
    """A theorem of Coq: for all objects that are declared, what is given implies what is concluded; with its proof.

    Parameters
    ----------
    derivation : one that is checked
    formulas : the theorems of its lines' formulas; what is assumed of them comes before all else in the theorem
    name : the theorem's name

    Raises NotExported where a line has what is not told to Coq.
    """
    assumed = [each.name for each in formulas.values() if each.assumed]
    proof = [f"intros {' '.join(assumed)}."] if assumed else []
    given = frozenset(each.name for each in derivation.given)
    proof += _proof(derivation, Context(_begun(derivation), formulas, given=given))
    says = derivation_statement(derivation, formulas)
    return "\n".join([f"Theorem {name} :", f"  {says}.", "Proof.", *(f"  {line}" for line in proof), "Qed."])


def derivation_statement(derivation: Derivation, formulas: Mapping[Formula, Shown] | None = None) -> str:
    r"""What the theorem of a derivation says: of formulas that are assumed, objects, what is given and concluded.

    >>> markov = Derivation(
    ...     "law mu; X(mu) in [0, inf)", (Line("all", "for t in (0, inf): Pr(w: mu, X(w) >= t) <= mean(w: mu, X(w))/t"),)
    ... )
    >>> print(derivation_statement(markov))
    forall L_mu : law,
      forall f_X : L_mu -> R,
      (forall (a0 : L_mu), 0 <= (f_X a0)) ->
      (forall (v_t : R), (0 < v_t) -> (v_t <> 0) /\ ((mean L_mu (fun p_w : L_mu => (is_at_most v_t (f_X p_w)))) <= ((mean L_mu (fun p_w : L_mu => (f_X p_w))) / v_t)))
    """  # noqa: E501
    checker = _begun(derivation)
    found = [f"({each.assumed}) ->" for each in (formulas or {}).values() if each.assumed]
    for name, kind in object_texts(checker.objects):
        says = name.startswith(("D_", "R_", "N_"))
        found.append(f"({kind}) ->" if says else f"forall {name} : {kind},")
    found += [f"({guarded_text(checker.facts[each.name], checker.objects)}) ->" for each in derivation.given]
    objects, points, shown = _with_points(derivation, checker.objects)
    there = "".join(f"exists {point_name(name)} : {kind_text(kind, objects)}, " for name, kind in points)
    concluded = " /\\ ".join(f"({fact_text(fact, objects, defined=True)})" for fact in shown.values())
    return "\n  ".join([*found, there + concluded])


def _begun(derivation: Derivation) -> Checker:
    return Checker.begun(derivation.objects, [(each.name, each.fact) for each in derivation.given])


def _with_points(derivation: Derivation, objects: Objects) -> tuple[Objects, list[tuple[str, str]], dict[str, Fact]]:
    """The objects with the points that lines name; those that the conclusion speaks of: there are such; what is shown.

    A line speaks of the points that it and those before it name.
    """
    points, facts, said = dict[str, str](), dict[str, Fact](), set[str]()
    for line in derivation.lines:
        word, _, rest = line.rule.partition(" ")
        if word == "point":
            name, _, kind = (part.strip() for part in rest.partition(":"))
            points[name] = kind
            objects = objects.with_binders((Binder(name, kind),))
        if line.name in derivation.conclusion:
            fact = facts[line.name] = read_fact(line.fact, objects)
            links = (*fact.conditions, *fact.claim)
            free = {each for link in links for side in (link.left, link.right) for each in free_names(side)}
            said |= free - {binder.name for binder in fact.binders}
    shown = {name: facts[name] for name in derivation.conclusion}
    return objects, [(name, kind) for name, kind in points.items() if name in said], shown


def _proof(derivation: Derivation, context: Context) -> Lines:
    """The proof, line by line."""
    objects = context.checker.objects
    names = [name for name, _ in object_texts(objects)]
    for place, each in enumerate(derivation.given):
        context.facts[each.name] = f"G_{place}"
    lines = [f"intros {' '.join([*names, *context.facts.values()])}."] if names or context.facts else []
    lines += _sizes(context)
    sure: dict[str, str] = {}
    for place, line in enumerate(derivation.lines):
        lines += _line(context, line, f"F_{place}", line.name in derivation.conclusion, sure)
    objects, points, facts = _with_points(derivation, objects)
    lines += [f"exists {point_name(name)}." for name, _ in points]
    *firsts, last = derivation.conclusion
    for name in firsts:
        lines += ["split.", *block(_concluded(context, name, facts[name], sure, objects))]
    return [*lines, *_concluded(context, last, facts[last], sure, objects)]


def _sizes(context: Context) -> Lines:
    """What the sizes of sets are, in normal form."""
    lines: Lines = []
    objects = context.checker.objects
    for name, size in objects.sets.items():
        normal, proof = context.equalities.equation(size, objects)
        hypothesis = context.new("N")
        lines.append(f"assert ({hypothesis} : size S_{name} = {sum_text(normal, objects)}).")
        lines += block([f"rewrite N_{name}.", *proof])
        context.equalities.sizes[name] = hypothesis
    return lines


def _line(context: Context, line: Line, hypothesis: str, shown: bool, sure: dict[str, str]) -> Lines:
    """One line: its fact under a hypothesis, by its rule; of what is shown it is ``sure`` that it is defined."""
    before = context.checker.objects
    word, _, rest = line.rule.partition(" ")
    if word == "point":
        lines = point(context, line, rest, hypothesis)
    else:
        fact = read_fact(line.fact, before)
        names, known = intros(context, fact, before)
        scope = before.with_binders(fact.binders)
        first = ""
        if shown and word == "arithmetic":
            first = "".join(f"({each}) /\\ " for each in (asked_at_once(link, scope) for link in fact.claim) if each)
        rules: dict[str, Callable[[Fact, Objects, list[Known]], Lines]] = {
            "arithmetic": partial(arithmetic, context, line.using, bool(first)),
            "largest": partial(largest, context),
            "sum": partial(total, context),
            "cases": partial(cases, context, line.using),
            "induction": partial(induction, context, line.using, rest.strip()),
        }
        context.ranges = {}
        proof = rules[word](fact, scope, known)
        ranges = [f"assert ({name} : {end}) by first [assumption | bound]." for end, name in context.ranges.items()]
        intro = [f"intros {' '.join(names)}."] if names else []
        lines = [f"assert ({hypothesis} : {fact_text(fact, before, first=first)}).", *block([*intro, *ranges, *proof])]
        if first:
            sure[line.name] = context.new("D")
            lines.append(f"pose proof {hypothesis} as {sure[line.name]}.")
            weak = [*intro, f"apply ({' '.join([sure[line.name], *names])})."]
            lines += [f"clear {hypothesis}.", f"assert ({hypothesis} : {fact_text(fact, before)}).", *block(weak)]
    context.checker.line(line.name, line.fact, line.rule, line.using)
    context.facts[line.name] = hypothesis
    return lines


def _concluded(context: Context, name: str, fact: Fact, sure: dict[str, str], objects: Objects) -> Lines:
    """What is concluded, and that it is defined."""
    hypothesis = context.facts[name]
    scope = objects.with_binders(fact.binders)
    names, _ = intros(context, Fact(fact.binders, (), ()), objects)
    lines = [f"intros {' '.join(names)}."] if names else []
    held = []
    for link in fact.conditions:
        lines += ["split; [defined|]."] * len(undefined_nowhere((link,), scope))
        held.append(context.new("H"))
        lines.append(f"intros {held[-1]}.")
    if name in sure:
        said = context.new("D")
        lines.append(
            f"pose proof ({' '.join([sure[name], *names, *held])}) as {said}; decompose [and] {said}; clear {said}."
        )
    lines += ["split; [first [assumption | defined]|]."] * len(undefined_nowhere(fact.claim, scope))
    return [*lines, f"exact ({' '.join([hypothesis, *names, *held])})."]
