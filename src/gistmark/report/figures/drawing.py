"""Helpers of all figures: sizes, labels, panels, and SVG and PDF with the same bytes each run."""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmark.analysis.data.columns import Float64
from gistmark.errors import MissingExtraError
from gistmark.report.figures.palette import BLACK, INK, RULE, WHITE
from gistmark.runtime.files import atomic_write, write_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas


WIDTH = 7.2
"""Inches; a page shows it at about 690 px."""

MOST_METRICS = 30

MOST_PANELS = 6

CROWDED = 40
"""With more rows than this, rows and their names are smaller."""

LIMIT = 26
"""Characters of a name beside a figure."""

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
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
class Image:
    """A drawing in the two formats that a report has: for pages, and for LaTeX."""

    svg: str
    pdf: bytes


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with the words that go with it: `alt` in its place, `caption` under it."""

    name: str
    title: str
    alt: str
    caption: str
    image: Image

    @property
    def svg(self) -> str:
        return self.image.svg

    def write(self, folder: Path) -> None:
        """Write the figure's SVG and PDF into a folder."""
        write_text(folder / f"{self.name}.svg", self.image.svg, errors="replace")
        with atomic_write(folder / f"{self.name}.pdf") as stream:
            stream.write(self.image.pdf)


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


def render(drawing: Canvas, names: Iterable[str] = (), *, limit: int = LIMIT) -> Image:
    """The drawing as SVG with text as text, and as PDF; the same drawing gives the same bytes.

    Those `names` that `shorten` cut to the limit show in full when the pointer rests on them.
    """
    stream, pages = io.StringIO(), io.BytesIO()
    drawing.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    drawing.set_layout_engine(None)  # the layout is done; PDF need not do it again
    nothing = {"CreationDate": None, "Creator": None, "Producer": None}
    drawing.savefig(pages, format="pdf", metadata=nothing)
    text = stream.getvalue()
    return Image(_with_titles(text[text.index("<svg") :], names, limit), pages.getvalue())


def _with_titles(svg: str, names: Iterable[str], limit: int) -> str:
    """Give shortened labels a title with the full name; equal labels share a title."""
    longer: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        if shorten(name, limit) != (full := shorten(name, len(name) + 1)):
            longer.setdefault(escape(shorten(name, limit), quote=False), []).append(full)
    for label, full_names in longer.items():
        title = escape(" / ".join(full_names), quote=False)
        svg = svg.replace(f">{label}</text>", f"><title>{title}</title>{label}</text>")
    return svg


def shorten(name: str, limit: int = LIMIT) -> str:
    """A name that fits beside a figure and is safe inside one."""
    clean = _UNPRINTABLE.sub("�", " ".join(name.split())) or "(no name)"
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"


def rows_high(count: int, *, row_height: float = 0.24, margin: float = 1.1) -> float:
    """The height in inches of a drawing with this number of rows; many rows are lower."""
    return margin + (row_height if count <= CROWDED else 0.6 * row_height) * count


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """A name beside each row, the first on top; many names are smaller."""
    size = 9 if len(names) <= CROWDED else 7
    axes.set_yticks(range(len(names)), [shorten(name) for name in names], fontsize=size)
    axes.set_ylim(len(names) - 0.5, -0.5)


def readable_ink(colour: Float64) -> str:
    """Black or white, whichever is easier to read on a colour, by its luminance (WCAG 2)."""
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    luminance = float(linear[:3] @ np.array([0.2126, 0.7152, 0.0722]))
    return BLACK if luminance > 0.179 else WHITE


def grid(axes: Axes, direction: str = "x") -> None:
    """Light lines across one direction."""
    axes.grid(True, axis="x" if direction == "x" else "y")
    axes.tick_params(length=0)


def name_panel(axes: Axes, name: str, *, width: int = 38) -> None:
    """The title of one panel, on two lines at most."""
    lines = textwrap.wrap(shorten(name, 2 * width), width)
    axes.set_title("\n".join(lines[:2]), color=INK)


_MAX_COLUMNS = 3


@contextmanager
def panels(
    names: Sequence[str], *, height: float = 2.1, share: bool = True
) -> Iterator[tuple[Canvas, list[Axes]]]:
    """The drawing and an axes for each name, at most three side by side."""
    columns = min(_MAX_COLUMNS, len(names)) if len(names) != 4 else 2
    rows = -(-len(names) // columns)
    with canvas(WIDTH, 0.5 + height * rows) as drawing:
        grid = drawing.subplots(rows, columns, sharey=share, squeeze=False)
        all_axes = list(grid.flat)
        for axes, name in zip(all_axes, names, strict=False):
            name_panel(axes, name)
        for axes in all_axes[len(names) :]:
            axes.set_visible(False)
        yield drawing, all_axes[: len(names)]


def first_panels(names: Sequence[str], leading: str | None) -> list[str]:
    """The names that get a panel, the leading one first."""
    return sorted(names, key=lambda name: name != leading)[:MOST_PANELS]


def left_out(names: Sequence[str]) -> str:
    """A sentence about the dimensions that got no panel."""
    hidden_count = len(names) - MOST_PANELS
    return f" {hidden_count} more dimensions are in the tables." if hidden_count > 0 else ""
