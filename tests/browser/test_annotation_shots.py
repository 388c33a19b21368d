import os, pytest
from pathlib import Path
from browser.platform import *

OUT = Path("/tmp/shots_w3")
OUT.mkdir(exist_ok=True)
PROTOCOLS = os.environ.get(
    "SHOT",
    "highlight content-highlight content-document content-reference fluency clarity likert quality overall pairwise",
).split()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_shots(chromium, server, protocol):
    campaign, user = prepared(protocol, minimum_seconds=20 if protocol == "overall" else 0)
    for size in os.environ.get("SIZES_", "desktop phone").split():
        for scheme in os.environ.get("SCHEMES", "light dark").split():
            person = Person(chromium, server, user, **SIZES[size], color_scheme=scheme)
            person.log_in()
            page = person.page
            page.goto(f"{server}/work/")
            page.screenshot(path=OUT / f"work-{size}-{scheme}.png", full_page=True)
            page.get_by_role("button", name="task").first.click()
            page.wait_for_selector(".foot")
            if protocol == "highlight":
                words = page.locator(".word")
                if not page.locator(".marked").count():
                    page.locator(".words").focus()
                    page.keyboard.press("ArrowRight")
                    for _ in range(4):
                        page.keyboard.press("Shift+ArrowRight")
                    page.keyboard.press("Enter")
                    for _ in range(20):
                        page.keyboard.press("ArrowRight")
                    for _ in range(3):
                        page.keyboard.press("Shift+ArrowRight")
                    page.keyboard.press("Enter")
                words.nth(40).click()
                page.keyboard.press("Shift+ArrowRight")
            elif protocol == "overall" or protocol == "quality" or protocol == "likert":
                page.locator(".point input").nth(3).check()
            elif protocol in ("fluency", "content-highlight"):
                page.locator(".slider input").first.focus()
                page.keyboard.press("ArrowRight")
            elif protocol == "pairwise":
                page.locator(".side input").first.check()
            page.wait_for_timeout(1600)
            page.screenshot(path=OUT / f"{protocol}-{size}-{scheme}.png")
            page.screenshot(path=OUT / f"{protocol}-{size}-{scheme}-full.png", full_page=True)
            print(
                protocol,
                size,
                scheme,
                person.errors,
                page.evaluate("[document.documentElement.scrollWidth, innerWidth]"),
            )
            person.close()
