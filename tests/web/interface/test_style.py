"""The colours of every page can be told apart, in light and in dark (WCAG 2.2, level AA)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gistmark.web.interface

FOLDER = Path(gistmark.web.interface.__path__[0])
STYLE = (FOLDER / "static" / "style" / "colours.css").read_text(encoding="utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", part))
    for part in STYLE.split("prefers-color-scheme: dark", 1)
)
TEXT = [
    ("text", "background"), ("text", "surface"), ("text", "surface-sunken"),
    ("text", "accent-soft"), ("text", "good-soft"), ("text", "warn-soft"), ("text", "bad-soft"),
    ("text-muted", "background"), ("text-muted", "surface"), ("text-muted", "surface-sunken"),
    ("accent", "background"), ("accent", "surface"), ("accent-strong", "accent-soft"),
    ("on-accent", "accent"), ("on-accent", "accent-strong"),
    ("good", "good-soft"), ("warn", "warn-soft"), ("bad", "bad-soft"), ("bad", "surface"),
    ("on-mark", "mark"),
]  # fmt: skip
CONTROLS = [
    ("line-control", "surface"), ("line-control", "background"), ("focus", "background"),
    ("focus", "surface"), ("accent", "surface-sunken"),
]  # fmt: skip


def luminance(colour: str) -> float:
    def linear(part: str) -> float:
        value = int(part, 16) / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(colour[start : start + 2]) for start in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_computed_as_the_guideline_says():
    """Black on white: (1 + 0.05) / (0 + 0.05) = 21."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), TEXT)
def test_text_can_be_read(scheme: dict[str, str], front: str, back: str):
    assert contrast(scheme[front], scheme[back]) >= 4.5


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), CONTROLS)
def test_controls_can_be_seen(scheme: dict[str, str], front: str, back: str):
    assert contrast(scheme[front], scheme[back]) >= 3


def test_every_page_has_every_part_of_the_style():
    base = (FOLDER / "templates" / "base.html").read_text(encoding="utf-8")
    parts = {file.stem for file in (FOLDER / "static" / "style").iterdir()}
    assert set(re.findall(r"style/(\w+)\.css", base)) == parts


def test_dark_names_every_colour_that_light_has():
    assert set(LIGHT) == set(DARK)
