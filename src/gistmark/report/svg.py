"""Figures inside the page: names of their own, and the page's colours and fonts."""

from __future__ import annotations

import re
from html import escape

from gistmark.report.figures import Figure
from gistmark.report.figures.drawing import COLOURS, INK, PAPER, RULE, SOFT

_THEME = {
    INK: "currentColor",
    RULE: "var(--rule)",
    SOFT: "var(--soft)",
    PAPER: "var(--paper)",
    **{colour: f"var(--c{place})" for place, colour in enumerate(COLOURS)},
}
_NAMES = re.compile(r'(\bid="|url\(#|href="#)')
_HEAD = re.compile(r"<svg[^>]*?>", re.DOTALL)
_SIZE = re.compile(r'width="([\d.]+)pt"')
_BOX = re.compile(r'viewBox="[^"]+"')
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_PIXELS_PER_POINT = 4 / 3


def inline_svg(figure: Figure) -> str:
    """The figure's SVG for use inside HTML; it follows light and dark."""
    head = _HEAD.search(figure.svg)
    assert head is not None
    width, box = _SIZE.search(head[0]), _BOX.search(head[0])
    pixels = round(float(width[1]) * _PIXELS_PER_POINT) if width else 690
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'{box[0] if box else ""} width="{pixels}" role="img" '
        f'aria-label="{escape(figure.alt, quote=True)}">'
    )
    body = _METADATA.sub("", figure.svg[head.end() :])
    body = _NAMES.sub(lambda found: f"{found[0]}{figure.name}-", body)
    for colour, variable in _THEME.items():
        body = body.replace(colour, variable)
    return opening + body
