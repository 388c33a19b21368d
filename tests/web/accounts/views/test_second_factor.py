"""Logging in with a second factor, setting it up on its page, and being made to have one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from gistmark.web.accounts.models import AuditEntry, Device, SecondFactor, Token, User
from gistmark.web.accounts.sign_in import second_factor
from gistmark.web.accounts.sign_in.attempts import PAIR_LIMIT
from gistmark.web.accounts.views import entering
from web.accounts.factors import app_code, switch_on, wrong_code
from web.api.calling import Caller
from web.factories import PASSWORD

pytestmark = pytest.mark.django_db
CODE = reverse("log-in-code")


def give_password(client: Client, user: User, target: str = "/account/"):
    sent = {"name": user.username, "password": PASSWORD}
    return client.post(f"/log-in/?next={target}", sent)


def is_logged_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def test_the_password_alone_opens_nothing(manager):
    switch_on(manager)
    client = Client()
    response = give_password(client, manager)
    assert response.headers["Location"] == CODE
    assert not is_logged_in(client)
    assert client.post(CODE, {"code": wrong_code(manager)}).status_code == 400
    assert not is_logged_in(client)
    response = client.post(CODE, {"code": app_code(manager)})
    assert response.headers["Location"] == "/account/"
    assert is_logged_in(client)
    assert AuditEntry.objects.filter(verb="logged-in", name=manager.username).count() == 1


def test_the_session_gets_a_new_key_at_both_steps(manager):
    switch_on(manager)
    client = Client()
    client.cookies["sessionid"] = "fixed-by-somebody-else"
    give_password(client, manager)
    waiting = client.cookies["sessionid"].value
    client.post(CODE, {"code": app_code(manager)})
    assert len({"fixed-by-somebody-else", waiting, client.cookies["sessionid"].value}) == 3


def test_the_code_page_is_for_those_whose_password_was_right(manager):
    switch_on(manager)
    client = Client()
    for response in (client.get(CODE), client.post(CODE, {"code": app_code(manager)})):
        assert response.headers["Location"] == "/log-in/"


@pytest.mark.parametrize("change", ["late", "closed", "password"])
def test_who_waits_too_long_or_loses_the_account_begins_again(manager, change, monkeypatch):
    switch_on(manager)
    client = Client()
    give_password(client, manager)
    if change == "late":
        monkeypatch.setattr(entering, "WAIT", -1)
    elif change == "closed":
        User.objects.filter(pk=manager.pk).update(is_active=False)
    else:
        manager.set_password("another-river-stone-42")
        manager.save()
    response = client.post(CODE, {"code": app_code(manager)})
    assert response.headers["Location"] == "/log-in/"
    assert not is_logged_in(client)


def test_guesses_are_limited_across_browsers_and_noted(manager):
    switch_on(manager)
    for _ in range(PAIR_LIMIT):
        client = Client()
        give_password(client, manager)
        assert client.post(CODE, {"code": wrong_code(manager)}).status_code == 400
    client = Client()
    give_password(client, manager)
    assert client.post(CODE, {"code": app_code(manager)}).status_code == 429
    assert AuditEntry.objects.filter(verb="log-in-refused").count() == 1


def test_a_recovery_code_opens_and_the_last_ones_are_announced(manager):
    codes = switch_on(manager)
    kept = list(manager.recovery_codes.order_by("id").values_list("pk", flat=True))[:4]
    manager.recovery_codes.exclude(pk__in=kept).delete()
    client = Client()
    give_password(client, manager)
    response = client.post(CODE, {"code": codes[0]}, follow=True)
    assert "Recovery codes left: 3." in response.text


def test_setting_it_up_on_the_page(manager, log_in):
    client = log_in(manager)
    elsewhere = Client()
    give_password(elsewhere, manager)
    assert "<svg" not in client.get("/account/second-factor/").text
    page = client.post("/account/second-factor/begin/", follow=True).text
    assert "<svg" in page
    assert second_factor.enrolment(manager).letters in page
    confirm = "/account/second-factor/confirm/"
    for wrong in ({"code": app_code(manager), "password": "x"}, {"code": "", "password": PASSWORD}):
        assert client.post(confirm, wrong).status_code == 400
    assert not second_factor.has_second_factor(manager)
    shown = client.post(confirm, {"code": app_code(manager), "password": PASSWORD})
    assert shown.status_code == 200
    assert "Recovery codes" in shown.text
    assert is_logged_in(client)
    assert not is_logged_in(elsewhere)
    later = client.get("/account/second-factor/").text
    assert "It is on" in later
    assert "<svg" not in later


def test_switching_off_and_new_recovery_codes_need_a_code(manager, log_in):
    switch_on(manager)
    client = log_in(manager)
    for name in ("codes", "off"):
        wrong = client.post(f"/account/second-factor/{name}/", {"code": wrong_code(manager)})
        assert wrong.status_code == 400
    shown = client.post("/account/second-factor/codes/", {"code": app_code(manager)}).text
    assert "Recovery codes" in shown
    client.post("/account/second-factor/off/", {"code": app_code(manager, ahead=1)})
    assert not SecondFactor.objects.exists()


def test_an_admin_resets_it_on_the_persons_page(manager, admin, log_in):
    switch_on(manager)
    client = log_in(admin)
    address = f"/people/{manager.pk}/"
    assert "Reset the second factor" in client.get(address).text
    assert "is reset" in client.post(f"{address}second-factor/", follow=True).text
    assert "has no second factor" in client.post(f"{address}second-factor/", follow=True).text


def test_a_token_is_made_with_a_code_and_works_without(manager, log_in):
    caller = Caller(manager)
    switch_on(manager)
    client = log_in(manager)
    sent = {"name": "script", "scope": "all", "days": 30}
    for wrong in ({}, {"code": wrong_code(manager)}):
        assert client.post("/account/tokens/", {**sent, **wrong}).status_code == 400
    before = Token.objects.count()
    assert client.post("/account/tokens/", {**sent, "code": app_code(manager)}).status_code == 200
    assert Token.objects.count() == before + 1
    assert caller.get("/campaigns").status_code == 200


@pytest.fixture
def required(settings):
    settings.SECOND_FACTOR_REQUIRED = True
    settings.SECOND_FACTOR_GRACE = 7
    return settings


def test_where_it_is_required_it_can_be_put_off_for_some_days(required, manager):
    client = Client()
    give_password(client, manager, "/campaigns/")
    assert "You need a second factor by" in client.get("/campaigns/").text
    User.objects.filter(pk=manager.pk).update(second_factor_due=timezone.now() - timedelta(hours=1))
    assert client.get("/campaigns/").headers["Location"] == "/account/second-factor/"
    answer = client.get("/api/campaigns", headers={"Accept": "application/json"})
    assert answer.status_code == 403
    assert "second factor" in answer.json()["detail"]
    assert client.get("/account/second-factor/").status_code == 200
    switch_on(manager)
    client = Client()
    client.force_login(manager)
    assert client.get("/campaigns/").status_code == 200


def test_the_days_count_from_the_first_page(required, manager, log_in):
    log_in(manager).get("/campaigns/")
    due = User.objects.get(pk=manager.pk).second_factor_due
    assert timedelta(days=6) < due - timezone.now() <= timedelta(days=7)


def test_annotators_and_tokens_are_left_alone(required, manager, annotator, log_in):
    required.SECOND_FACTOR_GRACE = 0
    caller = Caller(manager)
    assert log_in(annotator).get("/work/").status_code == 200
    assert log_in(annotator).get("/account/second-factor/").status_code == 403
    assert caller.get("/campaigns").status_code == 200
    assert log_in(manager).get("/campaigns/").status_code == 302


def test_without_a_required_second_factor_no_token_is_made(required, manager, log_in):
    sent = {"name": "script", "scope": "all", "days": 30}
    answer = log_in(manager).post("/account/tokens/", sent)
    assert answer.status_code == 400
    assert "Set up the second factor" in answer.text


def test_a_former_manager_can_still_switch_it_off(manager, log_in):
    switch_on(manager)
    User.objects.filter(pk=manager.pk).update(role="annotator")
    client = log_in(User.objects.get(pk=manager.pk))
    Device.objects.all().delete()
    client.post("/account/second-factor/off/", {"code": app_code(manager)})
    assert not SecondFactor.objects.exists()
