"""A finding as a text for those who keep the package: short, kind, and with all that shows it again."""

from __future__ import annotations

from dpcheck.report.packages.findings import Finding


def letter(one: Finding) -> str:
    """The text, a paragraph a line; it says too that the promise may have been misread."""
    lines = [
        f"{one.package}: {one.subject} may give less privacy than it says",
        f"Thank you for {one.package}. We audit published packages with dpcheck, and ask you to look at one result.",
        f"What is promised: {one.promise}",
    ]
    seen = f"What we saw: the claim {one.claim} under {one.relation} does not hold"
    lines.append(f"{seen}; the audit certifies {one.bound}." if one.bound else f"{seen}.")
    if one.witness is not None:
        pair = f"D = {one.witness.left} and D' = {one.witness.right}"
        lines.append(f"The two datasets: {pair}. The event: {one.event}.")
    lines.append(f"Where we think it comes from: {one.error}")
    if one.mended_is_clean:
        lines.append(f"With the smallest change that we found the same audit is clean: {one.mended}.")
    lines += [
        f"Versions: {one.versions}.",
        f"To see it again: {one.command}",
        "If we misread what is promised, please tell us: we will correct our page. We are glad to help with a change.",
    ]
    return "\n\n".join(lines)
