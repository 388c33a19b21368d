"""What all figures share: colours, sizes, labels, and SVG that is the same on every run.

Categories use the palette of Okabe and Ito ("Color Universal Design", 2008) without its yellow
and black, which vanish on a light and on a dark page; heat maps use cividis.
"""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmark.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

INK = "#1d2329"
RULE = "#d5dade"
SOFT = "#5a6570"
PAPER = "#fefefe"
"""The ground, where a drawing has to cover something with it."""

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
WIDTH = 7.2
"""Inches; a page shows it at about 690 px."""

MOST_METRICS = 30
MOST_PANELS = 6
MOST_SYSTEMS = 24

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "gistmark",
    "text.parse_math": False,
    "font.size": 9,
    "axes.edgecolor": RULE,
    "axes.labelcolor": INK,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": RULE,
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with the words that go with it: `alt` in its place, `caption` under it."""

    name: str
    title: str
    alt: str
    caption: str
    svg: str


@dataclass(frozen=True, slots=True)
class Absent:
    """A figure that could not be drawn, and why."""

    name: str
    title: str
    reason: str


@contextmanager
def canvas(width: float, height: float) -> Iterator[Canvas]:
    """An empty drawing of this size in inches, in the style of the report."""
    try:
        import matplotlib
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        raise MissingExtraError("matplotlib") from None
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        rc: dict[Any, Any] = matplotlib.rcParams
        rc.update(_STYLE)
        warnings.filterwarnings("ignore", message=".*[Gg]lyph.*")
        warnings.filterwarnings("ignore", message=".*constrained_layout.*")
        yield Canvas(figsize=(width, height), layout="constrained")


def to_svg(drawing: Canvas) -> str:
    """The drawing as SVG with text as text; the same drawing gives the same bytes."""
    stream = io.StringIO()
    drawing.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    return text[text.index("<svg") :]


def shorten(name: str, limit: int = 26) -> str:
    """A name that fits beside a figure and is safe inside one."""
    clean = _UNPRINTABLE.sub("�", " ".join(name.split())) or "(no name)"
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"


def rows_high(count: int, *, each: float = 0.24, around: float = 1.1) -> float:
    """The height in inches of a drawing with so many rows."""
    return around + each * count


def colour(place: int) -> str:
    """The colour of the category at this place."""
    return COLOURS[place % len(COLOURS)]


def marker(place: int) -> str:
    """The shape of the category at this place; shapes and colours run out at different places."""
    return MARKERS[place % len(MARKERS)]


def grid(axes: Axes, direction: str = "x") -> None:
    """Light lines across one direction."""
    axes.grid(True, axis="x" if direction == "x" else "y")
    axes.tick_params(length=0)


def name_panel(axes: Axes, name: str, *, width: int = 38) -> None:
    """The title of one panel, on two lines at most."""
    lines = textwrap.wrap(shorten(name, 2 * width), width)
    axes.set_title("\n".join(lines[:2]), color=INK)
