"""Several people at the same moment: no link is used too often, and an admin is always left."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection

from gistmark.errors import GistmarkError
from gistmark.web.accounts.imports import import_people
from gistmark.web.accounts.models import Link, User
from gistmark.web.accounts.people import change_role, deactivate
from gistmark.web.accounts.sign_in.credentials import make_password_link, set_password_by_link
from gistmark.web.accounts.sign_in.set_up import create_first_admin
from gistmark.web.campaigns.services.invitations import (
    join_as_known,
    join_as_new,
    make_invitation,
    register_as_new,
)
from web.factories import PASSWORD, make_campaign, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(calls: list[Callable[[], object]]) -> list[str]:
    """Run all calls in threads of their own; what each refused, or nothing."""

    def run(call: Callable[[], object]) -> str:
        try:
            call()
        except GistmarkError as error:
            return type(error).__name__
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_the_last_use_of_an_invitation_is_for_one():
    made = make_invitation(by=None, uses=1)
    names = [f"p{number}" for number in range(6)]
    refused = at_once(
        [lambda name=name: join_as_new(made.secret, name=name, password=PASSWORD) for name in names]
    )
    assert sorted(refused) == ["", *["LinkError"] * 5]
    assert User.objects.count() == 1
    assert Link.objects.get().uses_left == 0


def test_there_is_one_first_admin():
    names = [f"a{number}" for number in range(4)]
    refused = at_once(
        [lambda name=name: create_first_admin(name=name, password=PASSWORD) for name in names]
    )
    assert sorted(refused) == ["", *["UsageError"] * 3]
    assert User.objects.count() == 1


def test_one_name_is_given_once():
    made = make_invitation(by=None, uses=100)
    refused = at_once([lambda: join_as_new(made.secret, name="ada", password=PASSWORD)] * 5)
    assert sorted(refused) == ["", *["NameTakenError"] * 4]
    assert User.objects.count() == 1
    assert Link.objects.get().uses_left == 99


def test_a_double_click_on_take_part_uses_a_link_once():
    user, campaign = make_user(), make_campaign(running=False)
    made = make_invitation(by=None, campaign=campaign, uses=10)
    assert at_once([lambda: join_as_known(made.secret, user)] * 4) == [""] * 4
    assert user.memberships.count() == 1
    assert Link.objects.get().uses_left == 9


def test_two_admins_cannot_close_each_other():
    for _ in range(3):
        User.objects.all().delete()
        first, second = make_user("admin"), make_user("admin")
        refused = at_once([lambda: deactivate(first), lambda: change_role(second, "manager")])  # noqa: B023
        assert sorted(refused) == ["", "UsageError"]
        assert User.objects.filter(role="admin", is_active=True).count() == 1


def test_passwords_are_hashed_before_anything_is_locked(monkeypatch):
    """Hashing takes long on purpose, and with SQLite a transaction keeps all others waiting."""
    inside = []

    def hashed(password, *args, **kwargs):
        inside.append(password is not None and connection.in_atomic_block)
        return make_password(password, *args, **kwargs)

    monkeypatch.setattr("gistmark.web.accounts.people.make_password", hashed)
    admin = create_first_admin(name="root", password=PASSWORD)
    join_as_new(make_invitation(by=admin).secret, name="ada", password=PASSWORD)
    register_as_new(make_campaign(owner=admin), name="bob", password=PASSWORD)
    import_people(f"name,password\neve,{PASSWORD}\n".encode(), by=admin, file="people.csv")
    set_password_by_link(make_password_link(by=admin, user=admin).secret, f"{PASSWORD}-2")
    assert inside == [False] * 5
