"""Values of no characters, and options that nothing reads: typing mistakes, or a shell's variables that are not set."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from dpcheck.cli.settings import or_in_settings
from dpcheck.model.errors import InvalidArgument


def refuse_empty(argv: Sequence[str], options: Sequence[Any]) -> None:
    """Refuse an option or argument whose value has no characters: none means anything by it.

    Parameters
    ----------
    argv : what was typed
    options : the parameters of its command, as typer has them

    Raises
    ------
    InvalidArgument
        Naming the option.

    Examples
    --------
    >>> refuse_empty(["plan", "--epsilon", "1"], [])
    """
    for name, value in _given(argv, options):
        if value == "":
            raise InvalidArgument(f"{name} must not be empty, got ''")


def refuse_unread(typed: Collection[str], wanted: Collection[str], *, needs: str = "", beside: str = "") -> None:
    """Refuse options that were typed and would be passed over.

    Parameters
    ----------
    typed : names of the options that stood on the command line
    wanted : those that would be, in the order in which they are named
    needs : what must be given too for them to be read
    beside : else the flag with which nothing is run

    Raises
    ------
    InvalidArgument
        Naming the first.

    Examples
    --------
    >>> refuse_unread({"epsilon"}, ("bounds",), needs="a TARGET")
    """
    for name in wanted:
        if name in typed:
            option = f"--{name.removesuffix('_file').replace('_', '-')}"
            raise InvalidArgument(
                f"{option} is read only with {needs}: give it too, or leave it out"
                if needs
                else f"{beside} runs nothing: leave out {option}"
            )


def nothing_to_check(example: str) -> str:
    """The line for a run without a target; ``example`` is a command with one."""
    return f"nothing to check: name a TARGET, as in {example}{or_in_settings(Path.cwd())}"


def _given(argv: Sequence[str], options: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """Each value with the option or argument that it stands behind."""
    takes = {
        spelling: 0 if getattr(option, "is_flag", False) else option.nargs
        for option in options
        for spelling in (*option.opts, *option.secondary_opts)
    }
    left, name, only_arguments = 0, "", False
    for token in argv:
        if left:
            left -= 1
            yield name, token
        elif only_arguments or not token.startswith("-"):
            yield "an argument", token
        elif token == "--":
            only_arguments = True
        elif token in takes:
            name, left = token, takes[token]
        elif token.startswith("--") and "=" in token:
            yield token.split("=", 1)[0], token.split("=", 1)[1]
