"""What a paper prints of a line or a result: the text that formulas and derivations speak of."""

from __future__ import annotations

from dpcheck.proof.inventory import Inventory, load_inventory, papers
from dpcheck.proof.statement import Paper, Repair, Step, Theorem


def inventory_of(paper: Paper) -> Inventory | None:
    """What the paper prints, where the project holds that as data."""
    return load_inventory(paper.key) if paper.key in papers() else None


def printed_of(paper: Paper, step: Step) -> tuple[str, str]:
    """The printed line and its domain."""
    inventory = inventory_of(paper)
    if inventory is None:
        return step.printed, step.domain
    line = inventory.step(step.label)
    return line.printed, line.domain


def statement_of(paper: Paper, theorem: Theorem) -> tuple[str, str]:
    """The kind of a result and what it says."""
    inventory = inventory_of(paper)
    if inventory is None:
        return theorem.kind, theorem.statement
    result = inventory.result(theorem.id)
    return result.kind, result.statement


def texts_of(paper: Paper, of: Step | Theorem, part: Step | Repair | Theorem) -> tuple[str, str]:
    """The line that a derivation is of, and all that premises may come from: its domain, the result that it serves."""
    if isinstance(of, Theorem):
        said = statement_of(paper, of)[1]
        return said, f"{said}\n{of.assumptions}\n{of.repaired_statement}"
    printed, domain = printed_of(paper, of)
    served = next((theorem for theorem in paper.theorems if of.label in theorem.steps), None)
    around = [printed, domain, of.reading]
    if served is not None:
        around += [statement_of(paper, served)[1], served.assumptions]
    if isinstance(part, Repair):
        return part.statement, "\n".join([part.statement, *around])
    return printed, "\n".join(around)
