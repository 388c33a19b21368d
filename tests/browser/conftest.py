"""Chromium, the platform's server and somebody at a task, for the tests that drive them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browser.platform import AtTask, Person, launch, missing, prepared


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The one browser of a process, since starting it takes seconds; each test has its own windows.

    Its loop runs in this thread, which would make Django suspect every query.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield from launch()


@pytest.fixture(scope="module")
def axe() -> Any:
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        missing("the Python package axe-playwright-python is not installed")
    return Axe()


@pytest.fixture
def server(chromium: Any, live_server: Any) -> str:
    """The address of a running platform; the database is this test's alone."""
    return str(live_server.url)


@pytest.fixture
def people(chromium: Any, server: str) -> Iterator[list[Person]]:
    """Everybody at a browser; in the end nothing may have gone wrong on their pages."""
    everybody: list[Person] = []
    yield everybody
    for person in everybody:
        person.close()
    assert [error for person in everybody for error in person.errors] == []


@pytest.fixture
def at_task(chromium: Any, server: str, people: list[Person]) -> AtTask:
    """Makes a campaign of a protocol, and somebody who has its first task before them."""

    def start(protocol: str, *, options: dict[str, Any] | None = None, **changes: Any) -> Person:
        campaign, user = prepared(protocol, **changes)
        person = Person(chromium, server, user, **(options or {}))
        people.append(person)
        person.campaign = campaign
        person.enter()
        person.take_task()
        return person

    return start
