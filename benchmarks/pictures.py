"""What the pictures of the reports have in common: one style, an SVG that names its numbers and knows dark pages."""

from __future__ import annotations

#: Colours on light paper, and what stands for them on dark; those of what is drawn serve both.
DARK = {"#ffffff": "#0d1117", "#1f2328": "#e6edf3", "#59636e": "#9198a1", "#d8dee4": "#30363d"}
PAPER, INK, QUIET, GRID = DARK
STYLE = {
    "font.family": "sans-serif",
    "font.size": 10.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": QUIET,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": GRID,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}


def named(picture: str, title: str, digest: str) -> str:
    """An SVG with its title and the digest of the numbers it shows, its paper and ink turned round on dark pages."""
    dark = "".join(
        f'[style*="{what}: {light}"]{{{what}:{other}!important}}'
        for light, other in DARK.items()
        for what in ("fill", "stroke")
    )
    head = picture.index(">", picture.index("<svg")) + 1
    added = (
        f"<title>{title}</title>"
        f"<desc>numbers: sha256 {digest}</desc>"
        f"<style>@media (prefers-color-scheme: dark){{{dark}}}</style>"
    )
    return picture[:head] + added + picture[head:]
