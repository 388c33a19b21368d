"""The colours of figures and pages, once: figures draw with the first, pages theme them.

Categories use the palette of Okabe and Ito ("Color Universal Design", 2008) without its yellow
and black, which vanish on a light and on a dark page; heat maps use cividis.
"""

from __future__ import annotations

from dataclasses import dataclass

INK = "#1d2329"
RULE = "#d5dade"
SOFT = "#5a6570"
PAPER = "#fefefe"
"""The ground, where a drawing has to cover something with it."""

BLACK, WHITE = "#000000", "#ffffff"
"""The colours of text on a coloured cell, the same on light and dark pages."""

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
"""The colours of categories in a figure outside a page, such as in a paper."""


@dataclass(frozen=True)
class Theme:
    """The colours of a page, and those that replace the colours of its figures."""

    paper: str
    ground: str
    ink: str
    soft: str
    rule: str
    accent: str
    tint: str
    shade: str
    categories: tuple[str, ...]
    heat: tuple[str, ...]

    def variables(self) -> str:
        """The colours as CSS variables: `--ink`, `--c0` and so on, `--h1` and so on."""
        names = ("paper", "ground", "ink", "soft", "rule", "accent", "tint", "shade")
        colours = {name: getattr(self, name) for name in names}
        colours |= {f"c{index}": colour for index, colour in enumerate(self.categories)}
        colours |= {f"h{index}": colour for index, colour in enumerate(self.heat, start=1)}
        return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


LIGHT = Theme(
    paper="#ffffff",
    ground="#f6f7f8",
    ink="#1d2329",
    soft="#57616b",
    rule="#d5dade",
    accent="#0b5a8c",
    tint="#eaf2f8",
    shade="rgb(29 35 41 / 0.14)",
    categories=("#0072b2", "#d55e00", "#009e73", "#b8548c", "#2a93cf", "#b87a00"),
    heat=("#fdf3d0", "#fbe29b", "#f8c66d", "#f3a14f", "#ea7a45"),
)
DARK = Theme(
    paper="#171b1f",
    ground="#101316",
    ink="#e6eaed",
    soft="#a3adb6",
    rule="#363e46",
    accent="#86c5f0",
    tint="#1d2b36",
    shade="rgb(0 0 0 / 0.5)",
    categories=("#4ba6de", "#f08440", "#2fc498", "#dd94bd", "#8fd0f5", "#efb640"),
    heat=("#3a3216", "#54431a", "#6f4f1c", "#86501e", "#9b4a20"),
)

HOTTEST = len(LIGHT.heat)
"""The highest of the classes `heat-1` and so on, which the style sheets colour."""

THEMED = {
    INK: "currentColor",
    RULE: "var(--rule)",
    SOFT: "var(--soft)",
    PAPER: "var(--paper)",
    **{colour: f"var(--c{index})" for index, colour in enumerate(COLOURS)},
}
"""The CSS value that replaces each colour of a figure inside a page."""


def themes() -> str:
    """The style sheet that gives a page its light and its dark colours."""
    dark = f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {DARK.variables()} }} }}"
    return f":root {{ {LIGHT.variables()} }}\n{dark}\n"
