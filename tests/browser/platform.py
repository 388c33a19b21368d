"""How browser tests meet the platform: a person at a page that remembers what went wrong."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import pytest
from django.test import Client

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.judgements import export_corpus
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Draft, Submission
from gistmark.web.annotate.outcomes import accepted_results
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.campaigns.services.protocols import protocol_of
from web.factories import PASSWORD, make_campaign, make_user

CHROMIUM = (
    os.environ.get("GISTMARK_CHROMIUM")
    or shutil.which("chromium-headless-shell")  # the same pages for a fifth less work
    or shutil.which("chromium")
    or "/usr/bin/chromium"
)
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--in-process-gpu",
)  # fmt: skip
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PATIENCE = 60_000
"""Milliseconds that a page may take to show something on a busy machine.

The first page of a process needs some five seconds of computing, for the platform loads what it
needs for it; where five processes share a core, that is half a minute.
"""
SIZES = {"desktop": DESKTOP, "phone": PHONE}


def launch() -> Iterator[Any]:
    """A browser; without one the tests fail where they must be complete, else are skipped."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("the Python package playwright is not installed")
    if not Path(CHROMIUM).exists():
        missing(f"there is no Chromium at {CHROMIUM} (set GISTMARK_CHROMIUM)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


def missing(what: str) -> None:
    """Skip the tests that need something; where all must run, fail."""
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"{what}, and with CI=true the browser tests must run")
    pytest.skip(f"{what}; its pages were NOT looked at in a browser")


class Window:
    """A window with one tab and nothing in its memory, which is handed on: opening one is slow."""

    _free: ClassVar[dict[tuple[Any, str], list[Window]]] = {}

    @classmethod
    def of(cls, browser: Any, **options: Any) -> Window:
        """A window that is free, or a new one."""
        free = cls._free.setdefault((browser, repr(sorted(options.items()))), [])
        return free.pop() if free else cls(browser, options, free)

    def __init__(self, browser: Any, options: dict[str, Any], free: list[Window]) -> None:
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self._free_ones, self._viewport = free, options["viewport"]

    def leave(self, server: str) -> None:
        """Forget everything, and be free for others.

        The page is left logged out and for another of the same server, which takes a fraction
        of the time of a new one and lets nothing that it still sends reach the database.
        """
        for other in self.context.pages:
            if other is not self.page:
                other.close()
        if self.page.is_closed():
            self.page = self.context.new_page()
        self.context.clear_cookies()
        self.context.set_offline(False)
        self.page.unroute_all()
        self.page.route("**/*", lambda route: route.fulfill(body="", content_type="text/html"))
        self.page.goto(f"{server}/nothing/")
        self.page.evaluate("localStorage.clear(), sessionStorage.clear()")
        self.page.unroute_all()
        self.page.emulate_media(media="null", color_scheme="null")
        self.page.set_viewport_size(self._viewport)
        self.page.mouse.move(0, 0)
        self._free_ones.append(self)


class Person:
    """Somebody at a browser: the page, the errors on it, and with `reads` all that came to it."""

    campaign: Campaign

    def __init__(
        self, browser: Any, server: str, user: Any, *, reads: bool = False, **options: Any
    ) -> None:
        self.server, self.user, self._reads = server, user, reads
        self.touch = bool(options.get("has_touch"))
        self.window = Window.of(browser, **{**DESKTOP, **options})
        self.window_is_spoiled = False
        self.context = self.window.context
        self.errors: list[str] = []
        self._responses: list[tuple[str, int, str]] = []
        self.trouble_is_meant = False
        self.page = self._watch(self.window.page)

    def open_tab(self) -> Any:
        return self._watch(self.context.new_page())

    def _watch(self, page: Any) -> Any:
        page.set_default_timeout(PATIENCE)
        for event, handle in self._handlers.items():
            page.on(event, handle)
        return page

    def log_in(self) -> None:
        """Log in as people do."""
        self.page.goto(f"{self.server}/log-in/")
        self.page.fill("input[name=name]", self.user.username)
        self.page.fill("input[type=password]", PASSWORD)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(lambda url: "/log-in/" not in url)

    def enter(self) -> None:
        """Be logged in already."""
        client = Client()
        client.force_login(self.user)
        cookie = client.cookies["sessionid"].value
        self.context.add_cookies([{"name": "sessionid", "value": cookie, "url": self.server}])

    def take_task(self) -> None:
        """Take the next task of the campaign, and open its page."""
        self.task = next_task(self.campaign, self.user)
        self.open_task()

    def open_task(self, page: Any = None) -> None:
        page = page or self.page
        page.goto(f"{self.server}/tasks/{self.task.pk}/")
        page.locator(".foot").wait_for()

    def saved(self, page: Any = None) -> None:
        """Wait until the page says that everything is saved."""
        self.says(re.compile(r"^Saved \d"), page)

    def says(self, status: str | re.Pattern[str], page: Any = None) -> None:
        """Wait until the line about saving says this."""
        (page or self.page).locator("#saving", has_text=status).wait_for()

    def draft(self) -> dict[str, Any]:
        """The answer that the server has as a draft."""
        return dict(Draft.objects.get(task=self.task).answer)

    def wait_for_draft(self) -> None:
        """Wait until the server has a draft, whoever sent it."""
        for _ in range(PATIENCE // 100):
            if Draft.objects.filter(task=self.task).exists():
                return
            self.page.wait_for_timeout(100)
        pytest.fail(f"no draft reached the server in {PATIENCE / 1000:.0f} seconds")

    def submissions(self) -> list[Submission]:
        return list(Submission.objects.filter(task=self.task))

    @property
    def responses(self) -> list[tuple[str, int, str]]:
        """The address, the status and the text of every page and every reply that came."""
        assert self._reads, "the person was made without reads=True, so nothing was noted"
        return self._responses

    def close(self) -> None:
        """Leave the window to others, unless something in it cannot be undone, as with a clock."""
        if self.window_is_spoiled:
            self.context.close()
            return
        for event, handle in self._handlers.items():
            self.window.page.remove_listener(event, handle)
        self.window.leave(self.server)

    @cached_property
    def _handlers(self) -> dict[str, Callable[[Any], None]]:
        handlers: dict[str, Callable[[Any], None]] = {
            "console": self._note,
            "pageerror": lambda error: self.errors.append(str(error)),
        }
        if self._reads:  # else nobody is told of the forty files that a page consists of
            handlers["response"] = self._read
        return handlers

    def _note(self, message: Any) -> None:
        if message.type not in ("error", "warning"):
            return
        if self.trouble_is_meant and message.text.startswith("Failed to load resource"):
            return
        self.errors.append(message.text)

    def _read(self, response: Any) -> None:
        kind = response.headers.get("content-type", "")
        if "/static/" in response.url or not kind.startswith(("text/html", "application/json")):
            return
        try:
            self._responses.append((response.url, response.status, response.text()))
        except Exception:  # a redirect, or a page that was left, has no body
            return


AtTask = Callable[..., Person]


def sample() -> Corpus:
    """The bundled sample corpus, with names of systems that no text has by chance."""
    corpus = load(sample_folder())
    summaries = tuple(replace(each, system=f"zq{each.system}qz") for each in corpus.summaries)
    return replace(corpus, summaries=summaries, ratings=(), comparisons=())


def prepared(protocol: str, *, consented: bool = True, **changes: Any) -> tuple[Campaign, User]:
    """A running campaign of the sample with one annotator, who may have agreed to take part."""
    user = make_user("annotator")
    changes = {"corpus": sample(), "minimum_seconds": 0, **changes}
    changes["checks"] = {"too_fast": "off", **changes.get("checks", {})}
    campaign = make_campaign(protocol, annotators=(user,), **changes)
    if consented:
        give_consent(campaign, user)
    return campaign, user


def exported(campaign: Campaign) -> Corpus:
    """What the campaign's export holds."""
    result = accepted_results(campaign)
    return export_corpus(corpus_of(campaign), result, protocol_of(campaign), campaign=campaign.name)


def violations(axe: Any, page: Any, rules: tuple[str, ...] = ()) -> list[str]:
    """What axe says, by all of its rules or by some."""
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    run = "(how) => window.axe?.run(document, how).then((result) => result.violations)"
    result = page.evaluate(run, options)
    if result is None:
        page.evaluate(axe.axe_script)
        result = page.evaluate(run, options)
    return [f"{each['id']}: {node['html'][:200]}" for each in result for node in each["nodes"][:3]]
