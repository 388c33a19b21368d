"""What the tests of the platform share: people who are logged in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from django.db import transaction
from django.test import Client

from gistmark.web.accounts.models import User
from web.factories import make_user

LogIn = Callable[..., Client]
USE_A_DATABASE = {"db", "transactional_db", "shared_db"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On another database only what uses one is run once more."""
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


@pytest.fixture(scope="module")
def shared_db(django_db_setup, django_db_blocker) -> Iterator[None]:
    """The database for what all tests of a module share; each sees it as it was made."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


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
    """A browser in which somebody is logged in (or, without a user, nobody)."""

    def start(user: User | None = None, **options: object) -> Client:
        client = Client(**options)
        if user is not None:
            client.force_login(user)
        return client

    return start
