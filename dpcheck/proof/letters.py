"""The variables of a result's bounds, given by the paper's letters or by the names here; what may be either is refused.

Papers share no letters: epsilon is a privacy loss in one and an error in another. So a bound has names of its own, and
each of them a letter of its paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from shlex import quote
from typing import Any, TypeAlias

from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.proof.bounds import Bound, evaluate, exact_number

#: Other spellings of letters: as a page shows them, and written out.
_SPELLED = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "eps", "epsilon": "eps", "ζ": "zeta", "κ": "kappa",
    "kap": "kappa", "ρ": "rho", "λ": "lambda",
}  # fmt: skip
#: What a command that shows how a bound is evaluated gives its variables, the first that is in their range.
_SHOWN = {
    "accuracy": "0.1", "failure": "0.05", "epsilon": "1", "delta": "1e-6", "vc": "3", "n": "1000000", "public": "1000",
    "private": "100000", "hypotheses": "100", "cover": "20", "points": "1000", "base": "1000", "queries": "1000",
    "cutoff": "10", "bits": "10", "excluded": "10", "doubling": "2", "smoothness": "2", "volume": "100",
}  # fmt: skip
_OTHERS = ("1", "2", "10", "100", "1000", "10000", "1000000", "0.1", "0.01", "0.001", "1e-6", "0")
#: At most so many settings are tried for such a command.
_TRIED = 2_000

Values: TypeAlias = Mapping[str, str]


def letters_of(bounds: Sequence[Bound]) -> dict[str, str]:
    """The paper's letters for the variables of some bounds of one result, each with the name here."""
    named = {name for bound in bounds for name in (bound.size, *bound.variables)}
    return {
        letter: name for bound in bounds for letter, name in bound.letters.items() if name in named
    }  # the bounds of a result have the letters of its paper


def names_given(bounds: Sequence[Bound], owner: str, values: Values) -> dict[str, str]:
    """Values by the names here, from values by letters and names.

    Parameters
    ----------
    bounds : of one result
    owner : the paper, before ``:`` of a letter that must be one: ``alon2019:alpha``
    values : by letters or names

    Raises
    ------
    InvalidArgument
        When something is no variable, is given twice, or is a letter of one variable and the name of another, and
        neither of the two is given besides.

    Examples
    --------
    >>> from dpcheck.papers.chaudhuri2011.theorems.bounds import BOUNDS
    >>> names_given([BOUNDS["agnostic"]], "chaudhuri2011", {"eps": "0.1", "alpha": "1", "failure": "0.05"})
    {'accuracy': '0.1', 'epsilon': '1', 'failure': '0.05'}
    >>> try:
    ...     names_given([BOUNDS["agnostic"]], "chaudhuri2011", {"epsilon": "0.1"})
    ... except InvalidArgument as error:
    ...     print(str(error).partition(":")[0])
    epsilon is the paper's letter for accuracy and the name here of what the paper calls alpha
    """
    letters = letters_of(bounds)
    named = dict.fromkeys(name for bound in bounds for name in (bound.size, *bound.variables))
    meant = {word: _meanings(word, owner, letters, named) for word in values}
    sure = {found[0]: word for word, found in meant.items() if len(found) == 1}
    given: dict[str, str] = {}
    for word, found in meant.items():
        open_ones = found if len(found) == 1 else [name for name in found if name not in sure]
        if len(open_ones) != 1:
            raise InvalidArgument(_either(word, found, letters))
        (name,) = open_ones
        if name in given:
            raise InvalidArgument(f"{name} must be given once, got {given[name]} and {word}={values[word]}")
        given[name] = values[word]
    return given


def _meanings(word: str, owner: str, letters: Mapping[str, str], named: Mapping[str, None]) -> list[str]:
    """The variables that a word may mean: the one of which it is the letter first."""
    paper, colon, letter = word.rpartition(":")
    if colon:
        if paper != owner:
            raise InvalidArgument(f"{word} must be a letter of {owner}, whose result this is")
        if letter not in letters:
            raise InvalidArgument(f"{word} must be one of the paper's letters {_known(letters, {})}")
        return [letters[letter]]
    spelled = word if word in letters else _SPELLED.get(word, word)
    found = dict.fromkeys([*([letters[spelled]] if spelled in letters else []), *([word] if word in named else [])])
    if not found:
        hint = nearest(word, [*letters, *named])
        raise InvalidArgument(f"{word} is no variable here{hint}; there are {_known(letters, named)}")
    return list(found)


def _known(letters: Mapping[str, str], named: Mapping[str, None]) -> str:
    """All variables: each letter with its name, and names without a letter."""
    said = [letter if letter == name else f"{letter} ({name})" for letter, name in letters.items()]
    return ", ".join([*said, *(name for name in named if name not in letters.values())])


def _either(word: str, found: Sequence[str], letters: Mapping[str, str]) -> str:
    """That a word may mean two variables, and what to give instead."""
    first, second = found
    letter = next(each for each, name in letters.items() if name == first)
    other = next((each for each, name in letters.items() if name == second), "")
    choices = " or ".join(f"{each}=..." for each in dict.fromkeys((letter, first)) if each != word)
    called = f"the name here of what the paper calls {other}" if other else "a name here"
    return f"{word} is the paper's letter for {first} and {called}: give {choices}, or " + (
        f"{other}=..." if other else f"both {first}=... and {second}=..."
    )


def variables_in_words(bounds: Sequence[Bound]) -> str:
    """The variables that are given for the sizes, by the paper's letters and the names here.

    Examples
    --------
    >>> from dpcheck.papers.chaudhuri2011.theorems.bounds import BOUNDS
    >>> variables_in_words([BOUNDS["realisable"]])
    'eps (accuracy), delta (failure), alpha (epsilon), d_U (doubling), kappa (smoothness)'
    """
    wanted = dict.fromkeys(name for bound in bounds for name in bound.variables)
    letters = {name: letter for letter, name in letters_of(bounds).items()}
    said = [(letters.get(name, name), name) for name in wanted]
    return ", ".join(letter if letter == name else f"{letter} ({name})" for letter, name in said)


def evaluating(theorem: str, bounds: Sequence[Bound]) -> str:
    """A command that evaluates the bounds of a result at some values, in the paper's letters; "" where none is found.

    Examples
    --------
    >>> from dpcheck.papers.chaudhuri2011.theorems.bounds import BOUNDS
    >>> evaluating("chaudhuri2011:thm-9", [BOUNDS["realisable"]])
    'dpcheck theorems chaudhuri2011:thm-9 --evaluate eps=0.1 delta=0.05 alpha=1 d_U=2 kappa=2'
    """
    values = _shown_values(bounds)
    if not values:
        return ""
    owner = theorem.partition(":")[0]
    letters = letters_of(bounds)
    named = dict.fromkeys(name for bound in bounds for name in (bound.size, *bound.variables))
    by_name = {name: letter for letter, name in letters.items()}

    def said(name: str) -> str:
        """The first of letter and name that can mean nothing else."""
        words = (by_name.get(name, name), name)
        only = [word for word in words if _meanings(word, owner, letters, named) == [name]]
        return only[0] if only else f"{owner}:{words[0]}"

    given = " ".join(quote(f"{said(name)}={value}") for name, value in values.items())
    return f"dpcheck theorems {quote(theorem)} --evaluate {given}"


def _shown_values(bounds: Sequence[Bound]) -> dict[str, str]:
    """Values at which all bounds can be evaluated, or the first of them that can."""
    for wanted in (bounds, *([bound] for bound in bounds)):
        names = list(dict.fromkeys(name for bound in wanted for name in bound.variables))
        choices = [dict.fromkeys((_SHOWN.get(name, "1"), *_OTHERS)) for name in names]
        for tried, chosen in enumerate(product(*choices)):
            if tried == _TRIED:
                break
            values = dict(zip(names, chosen, strict=True))
            if all(_evaluates(bound, values) for bound in wanted):
                return values
    return {}


def _evaluates(bound: Bound, values: Values) -> bool:
    own = {name: exact_number(name, values[name]) for name in bound.variables}
    if any(number not in bound.domain[name] for name, number in own.items()):
        return False
    try:
        evaluate(bound, **dict[str, Any](own))
    except InvalidArgument:
        return False
    return True
