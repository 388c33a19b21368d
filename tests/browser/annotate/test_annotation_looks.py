"""How the annotator's pages look: contrast, width, stillness, names and sizes of controls."""

from __future__ import annotations

from typing import Any

import pytest

from browser.driving import Hand
from browser.platform import PHONE, SIZES, AtTask, Person

pytestmark = pytest.mark.timeout(120)
CONTRAST = """
() => {
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
  const own = (node) => [...node.childNodes]
    .some((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim());
  const bad = [];
  for (const node of document.querySelectorAll("body *")) {
    if (!own(node) || !node.checkVisibility() || node.closest("[disabled]")) continue;
    const pair = [light(parse(getComputedStyle(node).color)), light(ground(node))];
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    if (ratio < 4.5) bad.push(`${node.className || node.tagName}: ${ratio.toFixed(2)}`);
  }
  return bad;
}
"""
SHIFT = """
() => new Promise((resolve) => {
  let total = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) total += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(total), 300);
})
"""
SMALL = """
() => [...document.querySelectorAll("button, a, summary, label.point, label.side, [type=range]")]
  .filter((node) => node.checkVisibility() && !node.closest("p, li, .visually-hidden, .skip"))
  .map((node) => [node.textContent.trim() || node.id, node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24)
  .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)
"""
STICKS_OUT = "document.documentElement.scrollWidth > window.innerWidth"
SAMPLE = ("highlight", "content-highlight", "likert", "pairwise")


def fill_in_a_little(person: Person) -> None:
    """Some of everything: marks, a selection, values that are set and others that are not."""
    screen, hand = person.page.locator(".screen").first, Hand(person)
    if screen.locator(".words[tabindex]").count():
        hand.mark(screen, 0, 3)
        hand.mark(screen, 2, 5)
        hand.press(screen.locator(".word").nth(8))
    if screen.locator(".slider").count():
        hand.press(screen.locator(".slider input").first)
    for control in (".point", ".side"):
        if screen.locator(control).count():
            hand.press(screen.locator(control).first)


def nameless(person: Person) -> list[str]:
    """The controls that a screen reader could not name."""
    client: Any = person.context.new_cdp_session(person.page)
    roles = {"button", "link", "slider", "radio", "radiogroup", "progressbar"}
    return [
        node["role"]["value"]
        for node in client.send("Accessibility.getFullAXTree")["nodes"]
        if not node.get("ignored")
        and node.get("role", {}).get("value") in roles
        and not node.get("name", {}).get("value")
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("protocol", SAMPLE)
def test_a_task_is_legible_still_and_named(at_task: AtTask, protocol: str, size: str):
    person = at_task(protocol, options=SIZES[size])
    assert person.page.evaluate(SHIFT) < 0.02
    fill_in_a_little(person)
    assert not person.page.evaluate(STICKS_OUT)
    assert person.page.evaluate(SMALL) == []
    assert nameless(person) == []
    for details in person.page.locator("details:not([open]) > summary").all():
        if details.is_visible():
            details.click()
    for scheme in ("light", "dark"):
        person.page.emulate_media(color_scheme=scheme)
        assert person.page.evaluate(CONTRAST) == [], scheme


def test_the_list_of_work_fits_a_phone(at_task: AtTask):
    person = at_task("quality", options=PHONE)
    person.page.goto(f"{person.server}/work/")
    assert person.page.get_by_role("button", name="Go on with my task").is_visible()
    assert not person.page.evaluate(STICKS_OUT)
    assert person.page.evaluate(CONTRAST) == []
