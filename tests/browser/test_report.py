"""The report in a real browser: what a reader sees, clicks and types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from browser.platform import PATIENCE, Window
from gistmark.analysis import StudyOptions, study
from gistmark.analysis.findings.words import show_number
from gistmark.corpus import load, sample_folder
from gistmark.report import write_report
from gistmark.report.writers.html import minus
from gistmark.scoring import score

pytestmark = pytest.mark.timeout(180)

WIDTHS = {"desktop": (1280, 900), "phone": (390, 844)}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    corpus = load(sample_folder())
    scores = score(corpus, ["rouge1", "rouge2", "hrouge1", "js", "words"], cache=False)
    result = study(corpus, scores, StudyOptions(resamples=50))
    return write_report(result, corpus, scores, tmp_path_factory.mktemp("report")).as_uri()


class Tab:
    """A page that remembers what went wrong on it and what it asked for."""

    def __init__(self, window: Window, address: str) -> None:
        self.page = window.page
        self.page.set_default_timeout(PATIENCE)
        self.page.emulate_media(media="null", color_scheme="null")
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(address)

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)


@pytest.fixture(scope="module")
def windows(chromium: Any) -> Iterator[dict[str, Window]]:
    """A window of each size; whoever opens the report in it sees it for the first time."""
    made = {
        size: Window.of(chromium, viewport={"width": width, "height": height})
        for size, (width, height) in WIDTHS.items()
    }
    yield made
    for window in made.values():
        window.context.close()


@pytest.fixture
def tab(request: pytest.FixtureRequest, windows: dict[str, Window], address: str) -> Tab:
    return Tab(windows[getattr(request, "param", "desktop")], address)


on_every_screen = pytest.mark.parametrize("tab", WIDTHS, indirect=True)


@pytest.fixture
def page(tab: Tab) -> Any:
    return tab.page


@on_every_screen
def test_the_page_is_sound_and_asks_for_nothing(tab: Tab, address: str):
    assert tab.errors == []
    external = [url for url in tab.requests if not url.startswith(("file:", "data:"))]
    assert external == []
    assert tab.requests[0] == address


@on_every_screen
def test_nothing_sticks_out_sideways(page: Any):
    page.locator("details > summary").first.click()
    assert page.locator("details").first.get_attribute("open") is not None
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    inner, outer = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert inner <= outer


@on_every_screen
def test_a_click_on_a_point_shows_the_texts(tab: Tab):
    page = tab.page
    page.locator("#plot-canvas .cursor").click(force=True)
    panel = page.locator("#panel")
    assert panel.is_visible()
    text = panel.inner_text()
    for heading in ("Summary", "References", "Document", "Ratings", "Human scores", "Metrics"):
        assert heading in text
    assert panel.locator("mark").count() > 5
    assert len(panel.locator(".prose").nth(0).inner_text()) > 20
    page.keyboard.press("Escape")
    assert not panel.is_visible()
    assert tab.errors == []


def test_the_other_summaries_of_the_document_are_a_click_away(page: Any):
    page.locator("#plot-canvas .cursor").click(force=True)
    before = page.locator("#panel .prose").nth(0).inner_text()
    page.locator("#panel .siblings button:not([aria-current])").first.click()
    assert page.locator("#panel .prose").nth(0).inner_text() != before


def test_the_keyboard_reaches_every_point(page: Any):
    page.locator("#plot-y").focus()
    for _ in range(8):  # show, hide, the four systems of the legend, the systems, the summaries
        page.keyboard.press("Tab")
    focused = "document.activeElement.getAttribute('aria-label')"
    seen = {page.evaluate(focused)}
    assert re.match(r"\w+, .+: rouge2\.f [\d.]+, Overall Quality [\d.]+", next(iter(seen)))
    for _ in range(55):
        page.keyboard.press("ArrowRight")
        seen.add(page.evaluate(focused))
    assert len(seen) == 56
    page.keyboard.press("Enter")
    assert page.locator("#panel").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#panel").is_visible()
    assert page.evaluate(focused) in seen


def test_the_correlation_of_the_first_pair_is_the_studys(page: Any):
    words = page.locator("#plot-readout").inner_text()
    result = re.fullmatch(
        r"56 summaries: Pearson (\S+), Spearman (\S+)\. The study: Pearson (\S+), Spearman (\S+)\.",
        words,
    )
    assert result is not None, words
    assert result.group(1, 2) == result.group(3, 4)


def test_the_correlation_of_the_systems_is_the_studys(page: Any):
    words = page.locator("#systems-readout").inner_text()
    result = re.match(
        r"4 systems: Pearson (\S+), Spearman (\S+)\. The study: Pearson (\S+), Spearman (\S+)\.",
        words,
    )
    assert result is not None, words
    assert result.group(1, 2) == result.group(3, 4)
    assert page.locator("#systems-canvas text.name").count() == 4


def test_all_systems_are_hidden_and_shown_with_one_click(page: Any):
    page.locator("#plot-none").click()
    assert page.locator("#plot-readout").inner_text().startswith("0 summaries")
    assert page.locator("#plot-canvas").inner_text() == "No summaries with both values are chosen."
    page.locator("#plot-all").click()
    assert page.locator("#plot-readout").inner_text().startswith("56 summaries")


def test_numbers_look_as_in_the_tables(page: Any):
    values = [-0.0003, 0.0, 1e-12, 0.1234, 12.345, 123.45, 12345.6, -2.5]
    script = (files("gistmark.report") / "assets" / "statistics.js").read_text(encoding="utf-8")
    shown = page.evaluate(f"(values) => {{ {script}; return values.map(show); }}", values)
    assert shown == [minus(show_number(value)) for value in values]


@on_every_screen
def test_other_measures_and_fewer_systems_can_be_chosen(tab: Tab):
    page = tab.page
    page.locator("#plot-x").select_option(label="length in characters")
    page.locator("#plot-legend input").first.uncheck()
    assert page.locator("#plot-canvas path.mark").count() == 42
    assert page.locator("#plot-readout").inner_text().startswith("42 summaries: Pearson ")
    assert page.locator("#systems-readout").inner_text().startswith("3 systems: Pearson ")
    assert tab.errors == []


def test_tables_sort_by_number_with_what_is_missing_last(page: Any):
    column = page.locator("#table-agreement_overview tbody tr td:nth-child(3)")
    page.locator("#table-agreement_overview thead button").nth(2).click()
    shown = [text.replace("−", "-") for text in column.all_inner_texts()]
    values = [float(text.split()[0]) for text in shown if re.match(r"-?\d", text)]
    assert values == sorted(values, reverse=True)
    assert 5 < len(values) < len(shown)
    assert all(text.startswith("—") for text in shown[len(values) :])


LUMINANCE = """
([selector]) => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (node) => {
    for (; node; node = node.parentElement) {
      const colour = parse(getComputedStyle(node).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const shown = [...document.querySelectorAll(selector)]
    .filter((node) => node.offsetParent && node.textContent.trim());
  return shown.map((node) => {
    const pair = [light(parse(getComputedStyle(node).color)), light(ground(node))];
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  });
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(tab: Tab, scheme: str):
    tab.page.emulate_media(color_scheme=scheme)
    tab.page.locator("#plot-canvas .cursor").click(force=True)
    for selector in ("p", "h1, h2, h3, h4", "td", "th", "a", ".interval", "figcaption", "label",
                     "mark", "button", "dt", "dd", "summary", "small"):  # fmt: skip
        ratios = tab.page.evaluate(LUMINANCE, [selector])
        assert ratios, selector
        assert min(ratios) >= 4.5, (selector, min(ratios))
    dark = tab.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (scheme == "dark") == (sum(map(int, re.findall(r"\d+", dark)[:3])) < 150)


def test_on_paper_everything_is_open_and_the_scatter_is_gone(tab: Tab):
    tab.page.emulate_media(media="print", color_scheme="dark")
    tab.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert not tab.page.locator("#plot").is_visible()
    assert tab.page.locator("#table-differences").is_visible()
    ground = tab.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
