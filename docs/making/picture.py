"""Draws what happens in an audit: ``python -m docs.making.picture`` writes docs/audit.svg; a test holds it to this."""

from __future__ import annotations

from html import escape

from docs.making.blocks import ROOT

PICTURE = ROOT / "docs" / "audit.svg"
WIDTH, HEIGHT = 920, 250
#: One picture serves light and dark pages.
_STYLE = """
text{font:15px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2328}
.small{font-size:12.5px;fill:#59636e}.strong{font-weight:600}
.box{fill:#f6f8fa;stroke:#8c959f}.bad{fill:#ffebe9;stroke:#cf222e}.good{fill:#ddf4ff;stroke:#0969da}
.paper{fill:#fff}.arrow{stroke:#59636e;stroke-width:1.6;fill:none}.head{fill:#59636e}
.left{fill:#0969da}.right{fill:#bc4c00}.event{fill:#8c959f;fill-opacity:.22}
@media(prefers-color-scheme:dark){
text{fill:#e6edf3}.small{fill:#9198a1}.box{fill:#161b22;stroke:#6e7681}.paper{fill:#0d1117}
.bad{fill:#3d1418;stroke:#f85149}.good{fill:#0c2d4a;stroke:#58a6ff}
.arrow{stroke:#9198a1}.head{fill:#9198a1}.left{fill:#58a6ff}.right{fill:#f0883e}.event{fill:#9198a1}}
"""


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "middle") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{named}>{escape(words)}</text>'


def _box(x: float, y: float, width: float, height: float, kind: str = "box") -> str:
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="8"/>'


def _arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    return (
        f'<path class="arrow" d="M{x:g} {y:g}L{to_x - 7:g} {to_y:g}"/>'
        f'<path class="head" d="M{to_x:g} {to_y:g}l-9 -5v10z"/>'
    )


def _bars(x: float, floor: float, heights: list[int], kind: str) -> str:
    return "".join(
        f'<rect class="{kind}" x="{x + 15 * place:g}" y="{floor - height:g}" width="11" height="{height}"/>'
        for place, height in enumerate(heights)
    )


def drawn() -> str:
    """The picture, as SVG."""
    parts = [
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="10"/>',
        _text(95, 24, "neighbouring datasets", "small"),
        _box(15, 36, 160, 66), _text(95, 63, "D = [0, 1, 1]"), _text(95, 86, "one record replaced", "small"),
        _box(15, 146, 160, 66), _text(95, 173, "D' = [1, 1, 1]"), _text(95, 196, "all others the same", "small"),
        _arrow(175, 69, 242, 108), _arrow(175, 179, 242, 140),
        _text(312, 24, "a fair coin chooses, each call", "small"),
        _box(244, 86, 136, 76), _text(312, 119, "learner", "strong"), _text(312, 142, "a black box", "small"),
        _arrow(380, 108, 438, 69), _arrow(380, 140, 438, 179),
        _text(520, 24, "outputs, and an event", "small"),
        '<rect class="event" x="440" y="32" width="62" height="186" rx="4"/>',
        _bars(446, 100, [22, 46, 58, 52, 28, 16, 9, 5, 3, 2], "left"),
        _bars(446, 208, [3, 6, 10, 18, 32, 50, 58, 48, 26, 14], "right"),
        '<path class="arrow" d="M440 100H600M440 208H600"/>',
        _text(471, 237, "the event", "small"),
        _arrow(606, 124, 672, 124),
        _text(775, 24, "likelier than e^epsilon allows?", "small"),
        _box(676, 36, 205, 82, "bad"), _text(778, 66, "VIOLATED", "strong"),
        _text(778, 88, "with the pair and the event,", "small"), _text(778, 105, "false alarm at most alpha", "small"),
        _box(676, 134, 205, 82, "good"), _text(778, 164, "NO VIOLATION FOUND", "strong"),
        _text(778, 186, "and which loss would have", "small"), _text(778, 203, "been caught: no proof", "small"),
    ]  # fmt: skip
    title = "What happens in an audit: two neighbouring datasets, the learner, its outputs, an event, a verdict"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
