"""What an author writes: objects, what is given and where from, and lines that follow by rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dpcheck.proof.derivation.check import PREMISES, Checker, LineResult, alike, states
from dpcheck.proof.derivation.reading import read_fact, read_objects
from dpcheck.proof.derivation.terms import DerivationFailed, free_names

#: Where a premise may come from.
SOURCES = ("printed", "line", "result", "definition")
_RELATION = re.compile(r"<=|>=|<|>|=")
#: What a formula of names and numbers alone is made of, and products and calls, which it has not.
_BARE, _JOINED = re.compile(r"[A-Za-z]\w*|\d+(?:\.\d+)?|[-+*/^<>=()]|\s+"), re.compile(r"\w\s*\(|\w\s+\w|\)\s*[\w(]")
#: Derivations whose lines are kept as read.
_KEPT = 2_000


@dataclass(frozen=True)
class Given:
    """A premise of a derivation.

    Parameters
    ----------
    name : str, by which lines use it
    fact : str, in the language of derivations
    source : str, ``"printed: PIECE"`` with a piece of the printed line, its domain or the result that it serves,
        ``"line: LABEL"``, ``"result: ID"``, or ``"definition: WORDS"``
    """

    name: str
    fact: str
    source: str


@dataclass(frozen=True)
class Line:
    """A fact that follows from earlier ones.

    Parameters
    ----------
    name : str
    fact : str, in the language of derivations
    rule : str, one of those that ``rules.md`` explains
    using : names of facts, also ``"mean of NAME over x"``, ``"NAME at h = TERM"`` and the like
    hints : for the search of the line's formulas, as in a :class:`~dpcheck.proof.statement.Claim`
    """

    name: str
    fact: str
    rule: str = "arithmetic"
    using: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


@dataclass(frozen=True)
class Derivation:
    """How a printed line follows, in the language, to the end.

    Parameters
    ----------
    objects : str, numbers, laws, sets, points and functions, separated by ``;``
    lines : what follows, in order
    given : what the printed line takes for granted, each with its source
    notation : names that the printed text does not use, and what they are there
    says : pieces of the printed line that the conclusion is
    shows : names of the lines that are the conclusion, together; by default the last one

    Examples
    --------
    >>> markov = Derivation(
    ...     "law mu; X(mu) in [0, inf); t in (0, inf)",
    ...     (
    ...         Line("each", "for w: mu: t*[X(w) >= t] <= X(w)"),
    ...         Line("all", "Pr(w: mu, X(w) >= t) <= mean(w: mu, X(w))/t", using=("mean of each over w",)),
    ...     ),
    ... )
    >>> [len(line.obligations) for line in checked(markov)]
    [2, 1]
    """

    objects: str
    lines: tuple[Line, ...]
    given: tuple[Given, ...] = ()
    notation: tuple[tuple[str, str], ...] = ()
    says: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()

    @property
    def conclusion(self) -> tuple[str, ...]:
        """The names of the lines that are the conclusion."""
        return self.shows or (self.lines[-1].name,)


@lru_cache(maxsize=_KEPT)
def checked(derivation: Derivation) -> tuple[LineResult, ...]:
    """The lines, each checked but for its formulas; before them the one that looks at premises, where there are any.

    Raises
    ------
    DerivationFailed
        Where a line does not follow by its rule, or the conclusion is one of the premises.
    """
    if not derivation.lines:
        raise DerivationFailed("a derivation needs a line: the last one is what it shows")
    checker = Checker.begun(derivation.objects, [(given.name, given.fact) for given in derivation.given])
    premises = checker.premises()
    found = [] if premises is None else [premises]
    for line in derivation.lines:
        try:
            found.append(checker.line(line.name, line.fact, line.rule, line.using))
        except DerivationFailed as error:
            raise DerivationFailed(f"line {line.name!r}: {error}") from None
    for name in derivation.conclusion:
        shown = next((line.fact for line in found if line.name == name), None)
        if shown is None or name == PREMISES:
            raise DerivationFailed(f"shows must name lines, got {name!r}")
        for given in derivation.given:
            if alike(checker.facts[given.name], shown, checker.objects):
                raise DerivationFailed(f"the premise {given.name!r} is the conclusion: nothing is derived")
    return tuple(found)


def words_of(text: str) -> frozenset[str]:
    """The names and numbers of a text.

    Examples
    --------
    >>> sorted(words_of("`err(h;D_(p)) <= alpha_0/2`"))
    ['2', 'D_', 'alpha_0', 'err', 'h', 'p']
    """
    return frozenset(re.findall(r"[A-Za-z][A-Za-z0-9_]*|\d+(?:\.\d+)?", text))


def relations_of(text: str) -> frozenset[str]:
    """The relations of a text, smaller sides first.

    What stands in brackets and braces is left out (events, subscripts), and that something is of an order, or 0 or 1.

    Examples
    --------
    >>> sorted(relations_of("n >= 2 => k = O(n), Pr[v = 1] < 1/3"))
    ['<', '<=']
    """
    plain = re.sub(r"\[[^\[\]]*\]|\{[^{}]*\}|<=>|(?<!<)=>|->|:=|!=|(?<![<>])= ?(?:O|[01](?![\d.]))", " ", text)
    return frozenset(sign.replace(">", "<") for sign in _RELATION.findall(plain))


def _unsaid(piece: str, derivation: Derivation) -> Iterator[str]:
    """Where a piece of the line is a formula: names of it that nothing explains, relations that are not concluded."""
    objects = read_objects(derivation.objects)
    explained = objects.names | {word for pair in derivation.notation for text in pair for word in words_of(text)}
    formula = re.sub(r"<=>|(?<!<)=>|->", " ", piece.strip("` "))
    if _RELATION.search(formula) and not _BARE.sub("", formula) and not _JOINED.search(formula):
        for name in sorted(words_of(formula) - explained - {"e", "inf"}):
            if not name[0].isdigit():
                yield f"notation must say what {name} is, which says has"
    shown = [line.fact for line in checked(derivation) if line.name in derivation.conclusion]
    for text in re.findall(r"`([^`]*)`", piece) or [piece]:
        try:
            fact = read_fact(text, objects)
        except DerivationFailed:
            continue  # words, or letters that the derivation has other names for
        for link in fact.claim:
            named = free_names(link.left) | free_names(link.right)
            if named and not any(states(each, link, objects) for each in shown):
                yield f"says has {text!r}, which the conclusion is not"


def faults(
    derivation: Derivation, line: str, texts: str, labels: frozenset[str], ids: frozenset[str], whole: bool = False
) -> Iterator[str]:
    """What ties a derivation to its printed line and is missing or wrong.

    Parameters
    ----------
    derivation : Derivation
    line : str, as it is printed
    texts : str, the line, its domain, and the result that it serves
    labels, ids : the steps and results that a premise may come from
    whole : whether all relations of the line are to be concluded, as those of a result are
    """
    left = sorted(relations_of(line) - relations_of(" ".join(derivation.says))) if whole else []
    if left:
        yield f"says leaves out {' and '.join(map(repr, left))} of what is printed"
    known = words_of(texts) | {name for name, _ in derivation.notation}
    for given in derivation.given:
        kind, sign, rest = given.source.partition(": ")
        if kind not in SOURCES or not sign or not rest.strip():
            wanted = ", ".join(f"{source}: ..." for source in SOURCES)
            yield f"the source of {given.name} must be one of {wanted}, got {given.source!r}"
        elif kind == "printed" and rest not in texts:
            yield f"the source of {given.name} is not in the printed text: {rest!r}"
        elif (kind == "line" and rest not in labels) or (kind == "result" and rest not in ids):
            wants = "an earlier line" if kind == "line" else "a result"
            yield f"the source of {given.name} must be {wants} of the paper, got {rest!r}"
    for piece in derivation.says:
        if piece not in line:
            yield f"says must be a piece of the printed line, got {piece!r}"
        yield from _unsaid(piece, derivation)
    facts = " ".join([*(given.fact for given in derivation.given), *(line.fact for line in derivation.lines)])
    there = {sign.replace(">", "<") for sign in _RELATION.findall(facts)}
    missing = sorted(relations_of(" ".join(derivation.says)) - there)
    if missing:
        yield f"says has {' and '.join(map(repr, missing))}, which no fact of the derivation has"
    if not derivation.says:
        yield "says must have the pieces of the printed line that the conclusion is"
    names = read_objects(derivation.objects).names
    for name in sorted(names - known):
        yield f"notation must say what {name} is, which the printed text does not name"
    for name, meaning in derivation.notation:
        if name not in names:
            yield f"notation explains {name!r}, which is not declared"
        elif not meaning.strip():
            yield f"notation must say what {name} is"
