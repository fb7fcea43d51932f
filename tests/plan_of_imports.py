"""The plan of the house, drawn from the package's own imports: its rooms, and which of them use which.

python tests/plan_of_imports.py        # writes docs/plan.md, which a test compares with the code
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
PLAN = ROOT / "docs" / "plan.md"
PACKAGE = "dpcheck"
#: Files at the top that are doors, not rooms.
DOORS = ("__main__", "pytest_plugin", "strategies")


def arrows() -> dict[str, set[str]]:
    """Each module with the modules that it imports, in functions too; what is imported for types alone is left out."""
    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True, cache_dir=None)
    return {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}


def rooms(uses: Mapping[str, set[str]], within: str = PACKAGE) -> dict[str, set[str]]:
    """The rooms of a package and, of each, those that its modules import from."""
    found: dict[str, set[str]] = {}
    for module, imported in uses.items():
        room = _room(module, within)
        if room:
            found.setdefault(room, set()).update({_room(each, within) for each in imported} - {room, ""})
    return found


def _room(module: str, within: str) -> str:
    inside = module.removeprefix(f"{within}.")
    return "" if inside == module else inside.partition(".")[0]


def floors(uses: Mapping[str, set[str]]) -> list[str]:
    """Rooms in an order in which each comes after all that it uses.

    Raises
    ------
    graphlib.CycleError
        When some use each other in a circle.
    """
    return list(TopologicalSorter({room: sorted(uses[room]) for room in sorted(uses)}).static_order())


def direct(uses: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The arrows that no longer way says already."""
    reached: dict[str, set[str]] = {}
    for room in floors(uses):
        reached[room] = set().union(*({each} | reached[each] for each in uses[room]))
    return {
        room: {each for each in uses[room] if not any(each in reached[other] for other in uses[room] - {each})}
        for room in uses
    }


def words_of(room: str) -> str:
    """The first sentence of a room's documentation."""
    place = ROOT / PACKAGE / room
    source = (place / "__init__.py" if place.is_dir() else place.with_suffix(".py")).read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").split("\n")[0]


def drawn() -> str:
    """The plan as Markdown: a picture, and each room in a sentence, from the top floor down."""
    uses = rooms(arrows())
    order = floors(uses)
    lines = [f"    {room}[{room}]" for room in reversed(order)]
    lines += [
        f"    {room} --> {each}" for room in reversed(order) for each in sorted(direct(uses)[room], key=order.index)
    ]
    table = [f"| `{room}` | {words_of(room)} |" for room in reversed(order)]
    return "\n".join(
        [
            "# The plan of the house",
            "",
            "Drawn by `python tests/plan_of_imports.py` from the imports of the code; a test fails when it is stale.",
            "An arrow goes from a room to one that it uses. What a longer way says already is not drawn.",
            "",
            "```mermaid",
            "flowchart TD",
            *lines,
            "```",
            "",
            "| room | what it is |",
            "| --- | --- |",
            *table,
            "",
        ]
    )


if __name__ == "__main__":
    PLAN.parent.mkdir(exist_ok=True)
    PLAN.write_text(drawn(), encoding="utf-8")
