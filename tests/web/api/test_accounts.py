"""Accounts over the API, for admins."""

from __future__ import annotations

import pytest

from gistmark.web.accounts.models import Link, User
from gistmark.web.accounts.sign_in.credentials import read_link
from gistmark.web.annotate.services.claims import next_task
from web.api.calling import Caller
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


def test_many_accounts_are_made_at_once_each_with_a_link(admin):
    people = [{"name": "ada", "role": "manager"}, {"name": "bob"}]
    made = Caller(admin).post("/accounts", {"people": people})
    assert made.status_code == 201
    for each, role in zip(made.json(), ("manager", "annotator"), strict=True):
        secret = each["address"].rstrip("/").rpartition("/")[2]
        user = read_link(secret, Link.Kind.PASSWORD).user
        assert (user.username, user.role) == (each["name"], role)


def test_where_something_is_wrong_nobody_is_added_and_every_problem_told(admin):
    people = [{"name": "ada"}, {"name": "li su"}, {"name": "ADA"}]
    refused = Caller(admin).post("/accounts", {"people": people})
    assert refused.status_code == 400
    assert "person:2: " in refused.json()["detail"]
    assert "person:3: " in refused.json()["detail"]
    assert not User.objects.filter(username="ada").exists()


def test_accounts_are_listed_by_name_role_and_state(admin, manager, annotator):
    annotator.is_active = False
    annotator.save()
    for query, shown in (
        ("role=manager", [manager]),
        ("open=false", [annotator]),
        ("name=ADMIN", [admin]),
        ("limit=1&offset=1", [annotator]),
    ):
        names = [each["name"] for each in Caller(admin).get(f"/accounts?{query}").json()]
        assert names == [user.username for user in shown]


def test_an_account_without_work_is_removed_and_one_with_work_closed(admin, annotator):
    busy, boss = make_user(), Caller(admin)
    next_task(make_campaign(annotators=(busy,)), busy)
    assert boss.call("DELETE", f"/accounts/{annotator.username}").json() == {"removed": True}
    assert boss.call("DELETE", f"/accounts/{busy.username}").json() == {"removed": False}
    assert not User.objects.get(pk=busy.pk).is_active
    for name in (annotator.username, admin.username):
        assert boss.call("DELETE", f"/accounts/{name}").status_code == 400
