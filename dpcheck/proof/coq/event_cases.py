"""What follows by arithmetic: events both ways, and in each case a formula, whose theorem is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpcheck.proof.coq.context import Context, Known, first_of, outermost_first, rewritten_by
from dpcheck.proof.coq.equalities import Lines, atom_text, block, sum_text
from dpcheck.proof.coq.objects import number_name, term_text
from dpcheck.proof.coq.terms import NotExported, condition_text, conditions, domain_texts, interval_texts, name_of, text
from dpcheck.proof.derivation.arithmetic import Case, Obligation, Relations, events_of, is_trivial, nodes_of, put_in
from dpcheck.proof.derivation.normal import Atom, Normal, of_key
from dpcheck.proof.derivation.terms import Link, Objects, Term
from dpcheck.proof.prover.checker_formula import Variable, read_formula
from dpcheck.proof.prover.checker_syntax import Tree, parse
from dpcheck.proof.prover.formula import Formula


def follows(
    context: Context,
    scope: Objects,
    known: Sequence[Known],
    claimed: Sequence[Link],
    place: int,
    nodes: Mapping[Term, str],
    defined: bool = False,
) -> Lines:
    """That one of the claimed relations holds where the known ones do: by cases of events, each by its formula.

    Where ``defined``, that its sides are defined: a formula says that too.
    """
    normal = Normal(scope)
    assumed = [link for link, _ in known]
    events = sorted(events_of(normal, (*assumed, *claimed)), key=lambda atom: atom[0] != "at most")

    def tried(left: Sequence[Atom], values: dict[Atom, int], said: dict[Atom, str], happens: dict[Atom, str]) -> Lines:
        if not left:
            case = Case(normal, values, scope)
            # An event of which another speaks is rewritten after that one, and what is no relation last.
            outer_first = sorted(said, key=lambda atom: (atom[0] == "at most", len(repr(atom))), reverse=True)
            equations = [said[atom] for atom in outer_first]
            return _case(context, case, known, claimed[place], nodes, equations, happens, defined)
        atom = left[0]
        equal = context.new("Z")
        lines: Lines = []
        if atom[0] == "at most":
            holds = context.new("V")
            inside = sum_text(of_key(atom[1]), scope)
            lines.append(f"destruct (is_at_most_cases {inside} 0) as [[{holds} {equal}] | [{holds} {equal}]].")
            happens = {**happens, atom: holds}
        else:
            whole = atom_text(atom, scope)
            lines.append(
                f"destruct (zero_or_one {whole} ltac:(bound) ltac:(bound) ltac:(bound)) as [{equal} | {equal}]."
            )
        for value in (1, 0):
            lines += block(tried(left[1:], {**values, atom: value}, {**said, atom: equal}, happens))
        return lines

    return tried(events, {}, {}, {})


def _case(
    context: Context,
    case: Case,
    known: Sequence[Known],
    link: Link,
    nodes: Mapping[Term, str],
    said: Sequence[str],
    happens: Mapping[Atom, str],
    defined: bool,
) -> Lines:
    """One case of events: what is known of its values, and what its formula says of them."""
    scope = case.objects
    raw = case.relations([each for each, _ in known], link)
    events = "".join(f"; rewrite ?{each}" for each in said)
    equations = outermost_first(nodes)
    all_nodes = "".join(f"; try rewrite {each}" for each in equations)
    if raw is None and defined:
        return ["repeat split; defined."]
    if raw is None:
        return [f"idtac{all_nodes}{events}; first [lra | poly]."]
    if isinstance(raw, Obligation):  # the case cannot be
        known_names = [*happens.values(), *(name for _, name in known)]
        return ["exfalso.", first_of(f"idtac{rewritten_by((*equations, *said), each)}; lra" for each in known_names)]
    put = Values(case, raw.domains)
    lines: Lines = []
    of_nodes: dict[Term, str] = {}
    for relation in (link, *(each for each, _ in known)):
        for side in (relation.left, relation.right):
            for node in nodes_of(side):
                if node not in of_nodes:
                    of_nodes[node] = context.new("C")
                    value = put.text(case.text(node))
                    here = f"{f'rewrite {nodes[node]}' if nodes[node] else 'idtac'}{events}; poly"
                    lines.append(f"assert ({of_nodes[node]} : {term_text(node, scope)} = {value}) by ({here}).")
    values = outermost_first(of_nodes)
    premises = []
    for source, premise in raw.premises:
        name = context.new("B")
        premises.append(name)
        before = known[source][1] if isinstance(source, int) else happens[source]
        changed = rewritten_by((*(values if isinstance(source, int) else ()), *said))
        lines += [
            f"assert ({name} : {put.relation(premise)}).",
            *block(
                [f"pose proof {before} as {name}; revert {name}{changed}; intro {name}; first [closes | as_in {name}]."]
            ),
        ]
    general, at = context.new("K"), context.new("G")
    lines.append(f"assert ({general} : {put.statement(raw.premises, raw.claim, defined)}).")
    lines += block(_formula(context, raw, defined))
    lines.append(f"pose proof ({' '.join([general, *put.values()])}) as {at}.")
    for end in put.ends(True):
        context.ranges.setdefault(end, context.new("R"))
    held = [context.ranges[end] for end in put.ends(True)] + premises
    if held:
        lines.append(f"specialize ({' '.join([at, *held])}).")
    if case.decided(link) is False and not defined:
        otherwise = [
            f"idtac{rewritten_by(said, each)}; first [lra | contrary {each} {at}]" for each in happens.values()
        ]
        return [*lines, "exfalso.", first_of(["lra", *otherwise])]
    if defined:
        taken = f"decompose [and] {at}; repeat split; first [closes | defined]"
        return [*lines, f"revert {at}{rewritten_by((*values, *said))}; intro {at}; {taken}."]
    return [*lines, f"revert {at}{rewritten_by((*values, *said))}; intro {at}; closes."]


def _formula(context: Context, raw: Relations, defined: bool) -> Lines:
    """That relations follow (or are defined), from the theorem of their formula."""
    formula, gone = put_in(raw)
    shown = context.formulas.get(formula)
    statement = read_formula(Formula("; ".join(raw.domains), "", "0 <= 0"))
    names = "".join(f" {name_of(item.name)}" for item in statement.variables)
    ends = "".join(" ?" for item in statement.variables for _ in domain_texts(item))
    lines = [
        f"clear - {shown.name}." if shown is not None and shown.assumed else "clear.",
        f"intros{names}{ends}." if names else "idtac.",
    ]
    lines.append(f"intros{''.join(' ?' for _ in raw.premises)}." if raw.premises else "idtac.")
    lines += [f"subst {name_of(name)}." for name in gone]
    if is_trivial(formula.claim):
        return [*lines, "closes." if not defined else "repeat split; first [closes | defined]."]
    if shown is None:
        raise NotExported(f"a formula without a theorem: {formula!s:.100}")
    whole = read_formula(formula)
    name = context.new("T")
    lines.append(
        f"pose proof {' '.join([f'({shown.name}', *(name_of(item.name) for item in whole.variables)])}) as {name}."
    )
    lines += [f"specialize ({name} ltac:(closes))." for item in whole.variables for _ in domain_texts(item)]
    if not whole.variables:
        lines.append(f"specialize ({name} I).")
    for chain in whole.assumptions:
        if conditions(chain) and not shown.vacuous:
            lines.append(f"destruct {name} as [_ {name}].")
        elif conditions(chain):
            lines.append(f"specialize ({name} ltac:(known)).")
        lines.append(f"specialize ({name} ltac:(repeat split; closes)).")
    if shown.vacuous:
        return [*lines, "contradiction."]
    if defined:
        return [*lines, f"decompose [and] {name}; repeat split; first [closes | defined]."]
    if conditions(whole.claim):
        lines.append(f"destruct {name} as [_ {name}].")
    return [*lines, "closes."]


@dataclass(frozen=True)
class Values:
    """What the variables of a case's relations stand for."""

    case: Case
    domains: tuple[str, ...]

    def _statement(self) -> tuple[Variable, ...]:
        """The variables with their domains."""
        return read_formula(Formula("; ".join(self.domains), "", "0 <= 0")).variables

    def atoms(self) -> dict[str, str]:
        """The text of each variable's value."""
        found = {name: number_name(name) for name in self.case.used}
        return {**found, **{name: atom_text(atom, self.case.objects) for atom, name in self.case.names.items()}}

    def values(self) -> list[str]:
        """The texts of the values, in the order of the domains."""
        atoms = self.atoms()
        return [atoms[item.name] for item in self._statement()]

    def ends(self, at_values: bool = False) -> list[str]:
        """What the domains say, of the variables or of their values."""
        atoms = self.atoms()
        return [
            end
            for item in self._statement()
            for end in interval_texts(atoms[item.name] if at_values else name_of(item.name), item)
        ]

    def text(self, expression: str) -> str:
        """An expression at the values."""
        atoms = self.atoms()
        return text(parse(expression, set(atoms)), {Tree("variable", name=name): atoms[name] for name in atoms})

    def relation(self, premise: str, own: bool = False) -> str:
        """A relation at the values, or of its own variables."""
        (chain,) = read_formula(
            Formula("; ".join(f"{name} in (-inf, inf)" for name in self.atoms()), premise, "0 <= 0")
        ).assumptions
        ((left, sign, right),) = chain.links()
        written = None if own else {Tree("variable", name=name): value for name, value in self.atoms().items()}
        return f"{text(left, written)} {sign} {text(right, written)}"

    def statement(self, premises: Sequence[tuple[object, str]], claim: str, defined: bool) -> str:
        """For all values of the variables: that the claim holds, or that it is defined and holds."""
        names = " ".join(name_of(item.name) for item in self._statement())
        found = f"forall {names} : R, " if names else ""
        found += "".join(f"{end} -> " for end in self.ends())
        found += "".join(f"{self.relation(premise, True)} -> " for _, premise in premises)
        if not defined:
            return found + self.relation(claim, True)
        whole = read_formula(Formula("; ".join(self.domains), "", claim))
        asked = [f"({condition_text(each, whole.integers())}) /\\ " for each in conditions(whole.claim)]
        return found + "".join(asked) + self.relation(claim, True)
