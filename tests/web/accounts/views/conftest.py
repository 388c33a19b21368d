"""A provider that speaks real HTTP, which the platform lets people log in with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gistmark.web.accounts.sign_in import provider as talking
from gistmark.web.config.environment import Provider
from web.accounts.provider_server import CLIENT, SECRET, LocalProvider, local_provider


@pytest.fixture(scope="module")
def running() -> Iterator[LocalProvider]:
    with local_provider() as known:
        yield known


@pytest.fixture
def provider(running: LocalProvider, settings, admin) -> Iterator[LocalProvider]:
    """The provider as it is before anybody tampers with it; the platform knows it."""
    before = dict(vars(running))
    settings.OIDC = Provider(running.url, CLIENT, SECRET, "Example University")
    talking._kept.clear()
    yield running
    vars(running).update(before)
    running.person = {"sub": "subject-1", "preferred_username": "ada"}
    running.codes.clear()
