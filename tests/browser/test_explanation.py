"""The explanation of a run in a real browser: on a phone, in the dark, and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gistmark.corpus import Corpus
from gistmark.records import Document
from gistmark.report.pages.explanation import write_explanation
from gistmark.summarizers import Node, Outcome
from gistmark.summarizers.extractive.selection import sentences_of
from gistmark.summarizers.summaries import Record, Summaries

pytestmark = pytest.mark.timeout(180)

LONG = "The council met again on this matter. " * 120
WIDE = "W" * 300
DOCUMENT = Document("d", (f"The bridge closed. {LONG}{WIDE} stays. Ferries run.", "More."))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    first, *_, last, _ = sentences_of(DOCUMENT)
    tree = Node((first,), 0.5, "bridge", (Node((last,), 0.25, "ferries"),))
    text = f"{first.text} {last.text}"
    records = (
        Record("d", "H1", Outcome(text, (first, last), tree)),
        Record("d", "x" * 200, Outcome(WIDE, note="the document has no sentences")),
    )
    made = tmp_path_factory.mktemp("why")
    signatures = {"H1": "H1|v:1|" + "vectors:glove" * 20, "x" * 200: "x"}
    write_explanation(Summaries(records, (), signatures), Corpus((DOCUMENT,)), made)
    return made


@pytest.fixture(scope="module", params=[(1280, "light"), (360, "dark")], ids=["desktop", "phone"])
def tab(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    width, scheme = request.param
    context = chromium.new_context(
        viewport={"width": width, "height": 740}, color_scheme=scheme, java_script_enabled=False,
        reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    troubles: list[str] = []
    page.on("console", lambda said: troubles.append(said.text))
    page.on("requestfailed", lambda asked: troubles.append(asked.url))
    yield page
    context.close()
    assert troubles == []


def width_of(tab: Any) -> tuple[int, int]:
    """How wide the content is, and how wide the window."""
    return tab.locator("html").evaluate("e => [e.scrollWidth, e.clientWidth]")


def test_the_index_leads_to_the_document_and_back(tab: Any, folder: Path):
    tab.goto((folder / "index.html").as_uri())
    tab.click("#documents a")
    assert tab.locator("h1").inner_text() == "d"
    tab.click("text=All documents")
    assert tab.locator("h1").inner_text() == "Where these summaries come from"


@pytest.mark.parametrize("name", ["index.html", "documents/1.html"])
def test_nothing_is_wider_than_the_window(tab: Any, folder: Path, name: str):
    tab.goto((folder / name).as_uri())
    for summary in tab.locator("summary").all():
        if summary.is_visible():
            summary.click()
    content, window = width_of(tab)
    assert content <= window


def test_a_tree_opens_and_a_place_leads_to_the_sentence(tab: Any, folder: Path):
    tab.goto((folder / "documents" / "1.html").as_uri())
    node = tab.locator(".node > summary")
    assert not node.is_visible()
    tab.click("text=Tree of 2 nuggets")
    assert node.is_visible()
    node.click()
    tab.locator(".node .location").click()
    mark = tab.locator("mark:target")
    assert mark.inner_text() == "Ferries run."
    box = mark.bounding_box()
    assert 0 <= box["y"] < 740


def test_what_was_taken_can_be_read(tab: Any, folder: Path):
    tab.goto((folder / "documents" / "1.html").as_uri())
    colours = tab.locator("mark").first.evaluate(
        "e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
    )
    ink, paper = map(luminance, colours)
    assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) >= 4.5


def luminance(colour: str) -> float:
    """The relative luminance of `rgb(r, g, b)` as the contrast rules of the web define it."""
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
