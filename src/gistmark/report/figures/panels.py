"""A grid of small panels, one per dimension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gistmark.report.figures.drawing import MOST_PANELS, WIDTH, canvas, name_panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_ACROSS = 3


@contextmanager
def panels(
    names: Sequence[str], *, height: float = 2.1, share: bool = True
) -> Iterator[tuple[Canvas, list[Axes]]]:
    """The drawing and an axes for each name, at most three abreast."""
    across = min(_ACROSS, len(names)) if len(names) != 4 else 2
    down = -(-len(names) // across)
    with canvas(WIDTH, 0.5 + height * down) as drawing:
        grid = drawing.subplots(down, across, sharey=share, squeeze=False)
        places = list(grid.flat)
        for axes, name in zip(places, names, strict=False):
            name_panel(axes, name)
        for axes in places[len(names) :]:
            axes.set_visible(False)
        yield drawing, places[: len(names)]


def first_panels(names: Sequence[str], leading: str | None) -> list[str]:
    """The names that get a panel, the leading one first."""
    return sorted(names, key=lambda name: name != leading)[:MOST_PANELS]


def left_out(names: Sequence[str]) -> str:
    """A sentence about the dimensions that got no panel."""
    rest = len(names) - MOST_PANELS
    return f" {rest} more dimensions are in the tables." if rest > 0 else ""
