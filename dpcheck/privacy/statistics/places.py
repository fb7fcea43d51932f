"""Where one record could hide in an output: every place an audit knows, how it looks there, and how far.

This is the list that the documentation is made from. Limits are the constants that the code itself goes by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dpcheck.execution.handover import LONGEST_TEXT, LOWEST_ADDRESS
from dpcheck.execution.portrait import DEEPEST_PORTRAIT, MOST_ARRAY_BYTES, MOST_OBJECTS
from dpcheck.model.verdict import Finding
from dpcheck.privacy.statistics.anywhere import FEW_ITEMS, MARKS, MOST_ITEMS, PIECES
from dpcheck.privacy.statistics.derived import ALL_PAIRS
from dpcheck.privacy.statistics.late import LATE, POSITIONS
from dpcheck.privacy.statistics.layout import (
    FEW_WHOLE_NUMBERS,
    FIXED_OF_MANY,
    MAX_COLUMNS,
    MEMBER_GROUPS,
    MOST_MEMBERS,
    MOST_OF_ONE_PART,
    MOST_SUMMED,
    MOST_WHOLE_NUMBERS,
    POOLED_WITHIN,
    Layout,
)
from dpcheck.privacy.statistics.leaves import (
    DEEPEST,
    MOST_CHARACTERS,
    MOST_ELEMENTS,
    MOST_LEAVES,
    MOST_LISTED,
    MOST_WORDS,
    SHOWN_MEMBER,
)
from dpcheck.privacy.statistics.low_bits import UNSEEN as UNSEEN
from dpcheck.privacy.statistics.low_order import MOST_WATCHED
from dpcheck.privacy.statistics.members import CODES_COUNTED, MOST_POOLED, PLACES_COUNTED
from dpcheck.privacy.statistics.whole import MOST_DECIMALS
from dpcheck.privacy.statistics.wide import (
    CHOSEN_DIGITS,
    CHOSEN_ITEMS,
    CHOSEN_NUMBERS,
    DECIMAL_DIGITS,
    PROJECTIONS,
    RESTS,
)

#: Under which numerics a place is looked at; "real, as a finding" says that it is never a violation there.
Under = Literal["both", "exact", "exact; real as a finding", "both, exact bits under exact"]

#: The kind of the finding where a part of outputs was looked at together with others only.
TOGETHER = "not looked at one by one"


@dataclass(frozen=True)
class Limit:
    """How far an audit looks: the constant's value, of what, and what is said of the rest."""

    most: int
    of: str
    beyond: Literal["looked at together", "a finding, and no clean verdict", "told by a digest"]


@dataclass(frozen=True)
class Place:
    """One place of an output: its name, the types that have it, how it is looked at, under which numerics, how far."""

    name: str
    types: str
    how: str
    under: Under = "both"
    limits: tuple[Limit, ...] = ()


def _and(numbers: Sequence[int]) -> str:
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


#: Calls of one learner: then another is made.
CALLS_OF_ONE_LEARNER = 500
#: Every place that is looked at.
PLACES: tuple[Place, ...] = (
    Place(
        "number",
        "numbers, arrays, lists and tuples, values of dictionaries, attributes, columns of data frames",
        "each in a column of its own; of all, and of those of each part by itself, the sums, the largest and how many "
        f"differ; of many, two learned linear scores and {PROJECTIONS} random projections of all, and the "
        f"{CHOSEN_NUMBERS} that told most in earlier outputs",
        limits=(
            Limit(MAX_COLUMNS, "numbers of an output", "looked at together"),
            Limit(MOST_OF_ONE_PART, "numbers of one part among several", "looked at together"),
            Limit(MOST_SUMMED, "parts whose numbers are summed by themselves", "looked at together"),
            Limit(
                FIXED_OF_MANY, "numbers of a part with a column for good, where there are more", "looked at together"
            ),
        ),
    ),
    Place(
        "anywhere",
        "numbers, rows of arrays and tables, elements of lists, pieces of texts",
        f"how often each comes in an output of more than {FEW_ITEMS}, whatever its place: values (rounded under "
        f"numerics 'real'), whole rows and elements, and {_and(PIECES)} characters in a row, by one of {MARKS:,} "
        f"marks; the {CHOSEN_ITEMS} that told most in earlier outputs",
        limits=(Limit(MOST_ITEMS, "such items of one output", "looked at together"),),
    ),
    Place(
        "digit of a whole number",
        f"whole numbers that spread over {FEW_WHOLE_NUMBERS} or more, of any size, in integers, arrays, doubles, "
        "texts, fractions and decimals; doubles and singles that were rounded to at most "
        f"{MOST_DECIMALS} decimal places; also among others that are neither, where some of the first outputs are (of "
        "numbers that are so later only: a finding, and no clean verdict)",
        f"each bit, neighbouring bits compared, the parity of all, the rests by {_and(RESTS)}, the {DECIMAL_DIGITS} "
        "decimal digits from the tens on, also of the sum of the whole numbers of a part and of their bits added "
        "without carry: of all of them the "
        f"{CHOSEN_DIGITS} that told most in earlier outputs",
        limits=(
            Limit(MOST_WHOLE_NUMBERS, "whole numbers of an output", "looked at together"),
            Limit(64 * MOST_WORDS, "bits of one whole number", "a finding, and no clean verdict"),
        ),
    ),
    Place(
        "bit of a double",
        "floats, alone and in arrays and containers",
        "the lowest set bit, and every bit as a digit; of real numbers every bit of the fraction of the first "
        f"{MOST_WATCHED:,} of an output is watched",
        "exact; real as a finding",
    ),
    Place(
        "sign of zero and bits of NaN",
        "floats, complex numbers, truths of arrays",
        "as a kind of answer of its own: how many, and which bits; the bits of each NaN, and of bytes that stand for "
        "truths, also as whole numbers",
    ),
    Place(
        "digit beyond a double",
        "long doubles, alone and in arrays",
        "as a double; whether there is more: a finding, and no clean verdict",
    ),
    Place(
        "state of NumPy's generators",
        "Generator, BitGenerator and RandomState, also as a part",
        "that it is there: a finding, and no clean verdict",
    ),
    Place(
        "bytes between fields",
        "record arrays and records",
        "whether they are zeros: a finding, and no clean verdict, where they are not",
    ),
    Place(
        "what a type adds",
        "dates and times (zone, unit), array.array (type code), memoryview (format, shape, whether it can be written), "
        "deques (room), default dictionaries (factory), ordered dictionaries (order), sparse matrices (what is stored, "
        "and how), indices (names, frequency, levels, kind), categories, values below the masks of pandas, what its "
        "sparse columns store, dtypes and their fields (metadata, titles, alignment, what stands for no text), fields "
        "without a position of what os.stat and time give, locks (whether they are held), the memory of structures of "
        "C, the standard library's generators of random numbers (state)",
        "as an attribute; words character by character",
    ),
    Place("what is not finite", "floats", "NaN and both infinities, by position"),
    Place(
        "key",
        "dictionaries, columns of data frames",
        f"up to {MOST_MEMBERS} in columns, later ones in {MEMBER_GROUPS} groups; of more, those that told most",
        limits=(Limit(MOST_LISTED, "keys of one dictionary", "a finding, and no clean verdict"),),
    ),
    Place(
        "member",
        "sets and frozensets",
        f"up to {MOST_MEMBERS} in columns, later ones in {MEMBER_GROUPS} groups; of more, those that told most",
        limits=(
            Limit(MOST_LISTED, "members of one set", "a finding, and no clean verdict"),
            Limit(SHOWN_MEMBER, "characters of a member", "told by a digest"),
        ),
    ),
    Place(
        "member that never comes again",
        "members of sets, keys and values of dictionaries, attributes and columns with other names in each answer",
        "what all members hold is taken together, by the kind of part: numbers and lengths in ascending order with "
        f"their digits, how many have each bit, each of {CODES_COUNTED} character codes at the first and the last "
        f"{PLACES_COUNTED} places and anywhere, and each text; within each other {POOLED_WITHIN} times",
        limits=(Limit(MOST_POOLED, "such members of one container", "a finding, and no clean verdict"),),
    ),
    Place(
        "part that the first outputs did not have",
        "a rare key, branch, text or later length in structured outputs",
        f"its numbers, characters and members by a hash of their place in {LATE} columns, and the digits of its first "
        "and its last whole number; where the first outputs were numbers, arrays or plain words it is a finding, and "
        "no clean verdict",
        limits=(Limit(POSITIONS, "numbers of one such part, and the last one", "looked at together"),),
    ),
    Place("order of keys", "dictionaries", "the place of each key"),
    Place(
        "element that is no number",
        "lists, tuples, arrays of objects",
        "each by its position, and what it holds",
        limits=(
            Limit(MOST_ELEMENTS, "such elements of one list", "a finding, and no clean verdict"),
            Limit(MOST_LEAVES, "parts of an output", "a finding, and no clean verdict"),
            Limit(DEEPEST, "containers within each other", "a finding, and no clean verdict"),
        ),
    ),
    Place("length", "arrays, lists, tuples, dictionaries, sets, texts", "as a number"),
    Place("type, dtype and shape", "everything", "as what kind of thing stands there"),
    Place(
        "text",
        "str and bytes",
        "which one it is, its length, its characters by position, its words, and the numbers in it",
        limits=(Limit(MOST_CHARACTERS, "characters of a text", "a finding, and no clean verdict"),),
    ),
    Place(
        "exception",
        "what a call raises",
        "its type, its message with digits masked as a text (characters, words), all numbers in it, exactly and as "
        "they are written, hexadecimal ones too, and its attributes, arguments by type, notes, cause and context, "
        "whether it is shown without them, and what Python's own types of exceptions hold beside them; what may be a "
        f"place in memory (hexadecimal, from {LOWEST_ADDRESS:,} on) is a finding, and no clean verdict",
        limits=(Limit(LONGEST_TEXT, "characters of a message", "a finding, and no clean verdict"),),
    ),
    Place(
        "attribute",
        "objects, fitted models, functions",
        "each attribute, slot and cell of a closure, and in which order attributes were set (which order it is, not "
        "each place); the data, words, names and functions of a class made on the way (and of those it comes of); the "
        "instructions, constants and names of code made on the way (by eval, exec, compile), of other code which one "
        "it is; what a module made on the way holds; attributes hung on tables and matrices; read where the learner "
        "runs and without asking the object; of compiled types what their own reduction gives, and where they "
        "have none, and no text that "
        "spells what they hold, a finding; what "
        "a model predicts on fixed inputs",
        limits=(
            Limit(MOST_OBJECTS, "objects of one output", "a finding, and no clean verdict"),
            Limit(DEEPEST_PORTRAIT, "objects within each other", "a finding, and no clean verdict"),
            Limit(MOST_ARRAY_BYTES, "bytes of an array that stands for an object", "a finding, and no clean verdict"),
        ),
    ),
    Place(
        "warning",
        "what a call warns of",
        "as a finding, with how often on each side; as a part of the answer where warnings='output' asks for it, each "
        "text as a whole, digits masked; texts that never come again are a finding then, and no clean verdict",
    ),
)


@dataclass(frozen=True)
class Blind:
    """What no audit looks at: what it is, and what to do where it matters."""

    what: str
    instead: str


#: What is not looked at, whatever the learner: no verdict speaks of it.
NOT_WATCHED: tuple[Blind, ...] = (
    Blind(
        "low-order bits of doubles under numerics 'real'",
        "they are watched, and a finding, never a violation: numerics 'exact' makes them events",
    ),
    Blind(
        f"single bits of doubles under numerics 'real' beyond the first {MOST_WATCHED:,} numbers of an output",
        "numerics 'exact' looks at every bit",
    ),
    Blind(
        "decimal digits of whole numbers from 2^63 on, other than by their bits and rests",
        "release the digits that matter",
    ),
    Blind(
        "what several numbers say together, other than the sums of all and of those of one part, their order, how "
        f"many are equal, differences of neighbours (of up to {ALL_PAIRS} numbers all), linear scores and boosted "
        "trees",
        "audit the function of them that matters",
    ),
    Blind(
        "any other function of a number or a text: the rest by 97, a checksum",
        "audit the function that matters: what is learned from outputs is smooth, or one of the places above",
    ),
    Blind("whether equal parts of an output are one object", "release plain data"),
    Blind(
        "the lines that a traceback names, and the variables of its frames", "release the message of an exception alone"
    ),
    Blind("globals of a module that a released function reads", "release a function that holds what it needs"),
    Blind("the time, the memory and the power that a call takes", "measure them apart; they are no part of an output"),
    Blind(
        "the object that an AttributeError speaks of, and the state of the generators that the functions of random and "
        "numpy.random draw from",
        "release the message of an exception alone, and a model without its random_state",
    ),
    Blind(
        "how arrays lie in memory: order, strides, flags, the array or buffer of which one is a view, and the bytes of "
        "long doubles that no number uses (what stands there is what was there before)",
        "release arrays as bytes or lists where it matters",
    ),
    Blind("places in memory that texts of objects name as their own", "release plain data"),
    Blind("caches of pandas' tables and indices", "release the arrays of a table"),
    Blind("the order in which a set is walked", "it is made from hashes; release a sorted list"),
    Blind(
        "attributes of a class that stands in its module, and what compiled types keep out of their reduction",
        "release plain data",
    ),
    Blind("digits in the text of a warning, and texts after the seventh of one call", "do not warn about data"),
    Blind(
        "a part that the first outputs did not have, number by number where it holds many",
        f"its first {POSITIONS} numbers and the last one are looked at",
    ),
    Blind(
        f"what a learner does after its first {CALLS_OF_ONE_LEARNER} calls, or fewer where they are slow: then "
        "it is made anew",
        "audit a run of calls as one, with the list of its answers as the output",
    ),
    Blind(
        "how the answers of one learner hang together where no two of them do: cards dealt from a shuffled deck, draws "
        "from many strata, a generator of its own that is seeded once (repeats and sums are looked at, at every lag)",
        "audit a run of calls as one, with the list of its answers as the output",
    ),
    Blind(
        "what a learner does beside its answer: environment variables, seeds of global generators, files, how many "
        "numbers it draws (that it prints, or changes its data, is a finding)",
        "return all that is released",
    ),
    Blind(
        "what a learner keeps of one dataset for another: each that is made is asked about one",
        "audit a run on several datasets as one",
    ),
    Blind("events of probability far below one in the number of calls", "more calls; no black-box audit sees them"),
    Blind("what a learner does when it recognises the audit", "nothing that runs it can see that"),
)


def not_looked_at(findings: Sequence[Finding]) -> bool:
    """Whether a part of the outputs was not looked at, so that no clean verdict may be given.

    >>> not_looked_at([Finding("not looked at", "an object of type generator, which cannot be read")])
    True
    """
    return any(finding.kind == UNSEEN for finding in findings)


def findings_on_places(layout: Layout | None, left_out: Sequence[str]) -> tuple[Finding, ...]:
    """What is said of the parts of outputs that were looked at together, and of those that were not looked at."""
    found = []
    if layout is not None and layout.known_numbers > layout.plain:
        found.append(
            Finding(
                TOGETHER,
                f"an output has {layout.known_numbers:,} numbers, characters and members, of which {layout.plain:,} "
                "have rules of their own; the others were looked at in scores of all, in sums of all and of each part, "
                f"and in turn the {CHOSEN_NUMBERS} that told most in earlier outputs",
            )
        )
    if left_out:
        shown = "; ".join(left_out[:3]) + (f"; and {len(left_out) - 3} more" if len(left_out) > 3 else "")
        found.append(Finding(UNSEEN, f"{shown}: a leak there would not have been found"))
    return tuple(found)
