"""Take the pictures of README and docs: the report of the sample, and pages of the platform.

    python docs/pictures.py [FOLDER]

Everything is real: `gistmark study` writes the report, `gistmark serve` runs a platform on which
simulated annotators have worked through a campaign, and Chromium opens the pages. It needs the
extras `web` and `dev`, and Chromium (GISTMARK_CHROMIUM names one that is not on the path).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from gistmark.corpus import sample_folder

FOLDER = Path(__file__).parent / "pictures"
CHROMIUM = os.environ.get("GISTMARK_CHROMIUM") or shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
SIZE = {"width": 1200, "height": 800}
COLORS = 128
"""The size of the palette, which keeps pictures small without a visible difference."""

METRICS = ("rouge1", "rouge2", "rougeL", "hrouge1", "js", "coverage", "words")
JUDGED, RUNNING, DESIGNED = "News summaries", "News: content", "News: what to mend"
"""Campaigns: one that simulated annotators have worked on, one with a task to do, and a draft."""
DESIGN = {
    "about": "Say how a summary reads, and what would have to change.",
    "blocks": [
        {"type": "show", "what": "summary"},
        {"type": "show", "what": "document"},
        {
            "type": "likert",
            "name": "fluency",
            "question": "How well does it read?",
            "scale": {"low": 1, "high": 5, "labels": ["awful", "bad", "fair", "good", "very good"]},
        },
        {"type": "yes-no", "name": "publish", "question": "Would you publish it as it is?"},
        {
            "type": "text",
            "name": "why",
            "question": "What would have to change?",
            "when": {"question": "publish", "values": ["no", "unsure"]},
        },
        {
            "type": "likert",
            "name": "awake",
            "question": "To show that you read this, please choose 2.",
            "scale": {"low": 1, "high": 5},
            "expected": 2,
        },
    ],
}


def main(folder: Path) -> None:
    """Take all pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary, _browser() as browser:
        study, data = Path(temporary) / "study", Path(temporary) / "data"
        _write_report(study)
        _take_report(browser.new_page(), study, folder)
        passwords = _set_up(data)
        with _platform(data) as address:
            page = browser.new_page()
            _log_in(page, address, "nora", passwords["nora"])
            _begin_task(page, f"{address}/work/{_key(data, RUNNING)}/")
            _save(page, folder / "annotation.png")
        _simulate(data)
        with _platform(data) as address:
            page = browser.new_page()
            _log_in(page, address, "maria", passwords["maria"])
            page.goto(f"{address}/campaigns/{_key(data, JUDGED)}/")
            page.get_by_text("Being computed").first.wait_for(state="detached")
            _save(page, folder / "dashboard.png")
            page.goto(f"{address}/campaigns/{_key(data, JUDGED)}/work/?show=undecided")
            page.locator("tbody th a").first.click()
            page.locator(".as-seen .points").first.wait_for()
            _save(page, folder / "review.png")
            page.goto(f"{address}/campaigns/{_key(data, DESIGNED)}/design/")
            page.locator(".block-head").nth(3).click()
            frame = page.frame_locator(".frames iframe:not(.is-loading)")
            frame.locator(".foot").wait_for()
            page.evaluate("window.scrollTo(0, 0)")
            _save(page, folder / "design.png")


def _take_report(page: Any, study: Path, folder: Path) -> None:
    page.goto((study / "report.html").as_uri())
    page.wait_for_timeout(1_000)
    _save(page, folder / "report.png")


def _write_report(target: Path) -> None:
    metrics = [part for name in METRICS for part in ("-m", name)]
    _gistmark("study", str(sample_folder()), *metrics, "-o", str(target))


def _set_up(data: Path) -> dict[str, str]:
    """A platform with two people and a campaign to work on; returns the people's passwords."""
    where = ("--data", str(data))
    passwords = {}
    for name, role in (("maria", "admin"), ("nora", "annotator")):
        answer = _gistmark("users", "add", name, "--role", role, "--generate", *where)
        passwords[name] = answer.split()[-1]
    sample = str(sample_folder())
    _gistmark("campaign", "new", RUNNING, sample, "--protocol", "content-highlight", *where)
    _gistmark("campaign", "start", RUNNING, *where)
    settings = ("--settings", json.dumps(DESIGN))
    _gistmark("campaign", "new", DESIGNED, sample, "--protocol", "form", *settings, *where)
    _gistmark("campaign", "add", RUNNING, "nora", *where)
    return passwords


def _simulate(data: Path) -> None:
    """Another campaign, which simulated annotators work through."""
    where = ("--data", str(data))
    crowd = ("--careful", "4", "--noisy", "1", "--careless", "1", "--adversarial", "0")
    _gistmark("campaign", "simulate", "--protocol", "likert", *crowd, *where)
    campaigns = json.loads(_gistmark("campaign", "list", "--json", *where))
    [key] = [each["key"] for each in campaigns if each["name"] not in (RUNNING, DESIGNED)]
    _gistmark("campaign", "set", key, "--name", JUDGED, *where)


def _key(data: Path, name: str) -> str:
    campaigns = json.loads(_gistmark("campaign", "list", "--json", "--data", str(data)))
    return str(next(each["key"] for each in campaigns if each["name"] == name))


def _begin_task(page: Any, address: str) -> None:
    """Agree to take part, open the first task, and answer its first question."""
    page.goto(address)
    page.get_by_role("button", name="I agree").click()
    page.locator(".slider input").first.wait_for()
    page.locator(".slider input").first.focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    page.locator("#saving", has_text="Saved").wait_for()
    page.evaluate("window.scrollTo(0, 0)")


@contextmanager
def _browser() -> Iterator[Any]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield _Windows(browser)
        browser.close()


class _Windows:
    """Windows of one size in light colours, each with cookies of its own."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser

    def new_page(self) -> Any:
        context = self._browser.new_context(viewport=SIZE, color_scheme="light")
        context.set_default_timeout(60_000)
        return context.new_page()


@contextmanager
def _platform(data: Path) -> Iterator[str]:
    """The address of a platform that runs on the data folder."""
    command = [*_COMMAND, "serve", "--port", "0", "--workers", "1", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        assert server.stdout is not None
        greeting = server.stdout.readline()
        try:
            yield greeting.split()[3].rstrip("/")
        finally:
            server.terminate()


_COMMAND = [sys.executable, "-m", "gistmark"]


def _gistmark(*arguments: str) -> str:
    command = [*_COMMAND, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603


def _log_in(page: Any, address: str, name: str, password: str) -> None:
    page.goto(f"{address}/log-in/")
    page.fill("input[name=name]", name)
    page.fill("input[type=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/log-in/" not in url)


def _save(page: Any, path: Path) -> None:
    """What the window shows, as a PNG with a small palette."""
    page.screenshot(path=path)
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(path, optimize=True)
    sys.stdout.write(f"{path}: {path.stat().st_size / 1000:.0f} kB\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
