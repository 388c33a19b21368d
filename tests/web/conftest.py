"""What the tests of the platform share: people who are logged in."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.db import transaction
from django.test import Client

from gistmark.web.accounts.models import User
from web.factories import make_user

LogIn = Callable[..., Client]


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
