"""What the tests of the platform share: people who are logged in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client, client
from whitenoise.middleware import WhiteNoiseMiddleware

from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.environment import MailServer
from web.factories import make_user
from web.outbox.mailbox import Mailbox, mail_server

LogIn = Callable[..., Client]
USE_A_DATABASE = {"db", "transactional_db", "shared_db"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL, run only the tests that use a database."""
    if not os.environ.get("GISTMARK_TEST_DATABASE"):
        return
    without = [
        item
        for item in items
        if item.get_closest_marker("django_db") is None
        and USE_A_DATABASE.isdisjoint(getattr(item, "fixturenames", ()))
    ]
    config.hook.pytest_deselected(items=without)
    items[:] = [item for item in items if item not in without]


@pytest.fixture(scope="session", autouse=True)
def look_for_static_files_once() -> Iterator[None]:
    """Share the result of one search: every test client has its own middleware, which searches."""
    searched: dict[tuple[str, str], dict[str, object]] = {}
    search = WhiteNoiseMiddleware.add_files_from_finders

    def add_files(self: WhiteNoiseMiddleware) -> None:
        key = (self.static_prefix, type(self).__qualname__)
        if key not in searched:
            search(self)
            searched[key] = dict(self.files)
        self.files.update(searched[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_files)
        yield


@pytest.fixture(scope="session", autouse=True)
def leave_widgets_out_of_contexts() -> Iterator[None]:
    """A response has the contexts of its templates, but not a copy for every field of a form."""
    store = client.store_rendered_templates

    def store_all_but_widgets(kept: Any, signal: Any, sender: Any, template: Any, **more: Any):
        if not (template.name or "").startswith("django/forms/"):
            store(kept, signal, sender, template, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "store_rendered_templates", store_all_but_widgets)
        yield


@pytest.fixture(scope="module")
def shared_db(django_db_setup, django_db_blocker) -> Iterator[None]:
    """The database for what all tests of a module share; each sees it in its original state."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def finished_campaign(shared_db) -> Campaign:
    """Two annotators have done every task; tests read the campaign with `again`."""
    from web.results.working import worked_campaign

    return worked_campaign(annotators=2)


@pytest.fixture
def admin(db) -> User:
    return make_user("admin")


@pytest.fixture
def manager(db) -> User:
    return make_user("manager")


@pytest.fixture
def annotator(db) -> User:
    return make_user("annotator")


@pytest.fixture
def log_in(admin) -> LogIn:
    """Makes a client that is logged in as a user, or without a user one that is not."""

    def start(user: User | None = None, **options: object) -> Client:
        client = Client(**options)
        if user is not None:
            client.force_login(user)
        return client

    return start


@pytest.fixture(scope="session")
def running_mail() -> Iterator[tuple[Mailbox, MailServer]]:
    """A mail server that all tests of a process share."""
    with mail_server() as running:
        yield running


@pytest.fixture
def mailbox(running_mail, settings) -> Mailbox:
    """An empty mailbox; the platform sends its mails there."""
    box, settings.MAIL = running_mail
    box.mails.clear()
    box.refusal = ""
    return box
