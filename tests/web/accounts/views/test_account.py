"""One's own account: the password and the tokens."""

from __future__ import annotations

import pytest
from django.test import Client

from gistmark.web.accounts.models import Link, Token, User
from gistmark.web.accounts.sign_in.attempts import PAIR_LIMIT
from gistmark.web.accounts.sign_in.credentials import make_password_link, make_token, read_token
from web.factories import PASSWORD

NEW = "another-quiet-stone"


def change(client: Client, old: str = PASSWORD, password: str = NEW, again: str = NEW):
    return client.post("/account/password/", {"old": old, "password": password, "again": again})


def test_changing_the_password_keeps_this_session_and_ends_the_others(log_in, annotator):
    here, there = log_in(annotator), log_in(annotator)
    key = here.session.session_key
    assert change(here).headers["Location"] == "/account/"
    assert here.get("/account/").status_code == 200
    assert here.session.session_key != key
    assert there.get("/account/").status_code == 302
    assert User.objects.get(pk=annotator.pk).check_password(NEW)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({"old": "wrong"}, "not your current password"),
        ({"again": "different"}, "not the same"),
        ({"password": "123", "again": "123"}, "too short"),
        ({"password": "", "again": ""}, "required"),
    ],
)
def test_a_wrong_form_changes_nothing_and_says_why(log_in, annotator, data, what):
    page = change(log_in(annotator), **data)
    assert page.status_code == 400
    assert what in page.text
    assert User.objects.get(pk=annotator.pk).check_password(PASSWORD)


def test_a_password_like_the_name_is_refused(log_in, annotator):
    alike = annotator.username + "1"
    assert "too similar" in change(log_in(annotator), password=alike, again=alike).text


def test_the_present_password_cannot_be_guessed_for_long(log_in, annotator):
    client = log_in(annotator)
    for _ in range(PAIR_LIMIT):
        change(client, old="wrong")
    page = change(client)
    assert page.status_code == 400
    assert "try again in" in page.text
    assert User.objects.get(pk=annotator.pk).check_password(PASSWORD)


def test_a_token_is_shown_once(log_in, annotator):
    client = log_in(annotator)
    page = client.post("/account/tokens/", {"name": "export", "scope": "all", "days": 30})
    (secret,) = [word for word in page.text.split('"') if word.startswith("gm_")]
    assert read_token(secret).user == annotator
    assert "no-store" in page.headers["Cache-Control"]
    later = client.get("/account/").text
    assert "export" in later
    assert secret not in later


@pytest.mark.parametrize("name", ["", "   ", "x" * 101, "a\0"])
def test_a_token_without_a_proper_name_is_refused(log_in, annotator, name):
    page = log_in(annotator).post("/account/tokens/", {"name": name})
    assert page.status_code == 400
    assert "form-errors" in page.text
    assert not Token.objects.exists()


def test_a_token_is_revoked_by_its_owner_only(log_in, annotator, manager):
    made = make_token(annotator, "export")
    path = f"/account/tokens/{made.token.pk}/revoke/"
    log_in(manager).post(path)
    assert read_token(made.secret).user == annotator
    log_in(annotator).post(path)
    assert read_token(made.secret) is None


def test_a_name_with_markup_is_escaped(log_in, annotator):
    page = log_in(annotator).post("/account/tokens/", {"name": "<script>alert(1)</script>"})
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;alert" in page.text


def path_of(made) -> str:
    page = "join" if made.link.kind == Link.Kind.INVITATION else "password"
    return f"/{page}/{made.secret}/"


def test_a_password_link_sets_the_password_and_ends_all_sessions(log_in, annotator):
    before = log_in(annotator)
    path = path_of(make_password_link(by=None, user=annotator))
    client = Client()
    assert annotator.username in client.get(path).text
    page = client.post(path, {"password": NEW, "again": NEW}, follow=True)
    assert "log in with it" in page.text
    assert before.get("/account/").status_code == 302
    assert User.objects.get(pk=annotator.pk).check_password(NEW)
    assert client.post(path, {"password": NEW, "again": NEW}).status_code == 404


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({}, "required"),
        ({"password": NEW, "again": NEW + "x"}, "not the same"),
        ({"password": "12345678", "again": "12345678"}, "too common"),
    ],
)
def test_a_wrong_new_password_leaves_the_link_and_the_old_one(admin, annotator, data, what):
    path = path_of(make_password_link(by=None, user=annotator))
    page = Client().post(path, data)
    assert page.status_code == 400
    assert what in page.text
    assert Client().get(path).status_code == 200
    assert User.objects.get(pk=annotator.pk).check_password(PASSWORD)


def test_a_new_password_ends_all_tokens(log_in, annotator):
    made = make_token(annotator, "export")
    assert change(log_in(annotator)).status_code == 302
    assert read_token(made.secret) is None


def test_sessions_are_listed_and_can_be_ended(admin, annotator):
    here, there, stranger = Client(), Client(), Client()
    for client, user in ((here, annotator), (there, annotator), (stranger, admin)):
        sent = {"name": user.username, "password": PASSWORD}
        client.post("/log-in/", sent, headers={"User-Agent": "Firefox"})
    page = here.get("/account/").text
    assert page.count("Firefox") == 3  # two rows, and the label of the button of the other one
    (other,) = annotator.devices.exclude(session=here.session.session_key)
    stranger.post(f"/account/sessions/{other.pk}/end/")
    assert there.get("/account/").status_code == 200
    here.post(f"/account/sessions/{other.pk}/end/")
    assert there.get("/account/").status_code == 302
    assert here.get("/account/").status_code == 200


def test_all_other_sessions_can_be_ended_at_once(admin, annotator):
    clients = [Client() for _ in range(3)]
    for client in clients:
        client.post("/log-in/", {"name": annotator.username, "password": PASSWORD})
    clients[0].post("/account/sessions/")
    assert [client.get("/account/").status_code for client in clients] == [200, 302, 302]
