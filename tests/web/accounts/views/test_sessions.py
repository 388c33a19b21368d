"""Logging in and out: nothing is given away, and nobody is led astray."""

from __future__ import annotations

import pytest
from django.test import Client

from gistmark.web.accounts.models import Attempt
from gistmark.web.accounts.people import deactivate
from gistmark.web.accounts.sign_in.attempts import NAME_LIMIT, PAIR_LIMIT, note_failure
from gistmark.web.accounts.views.account import WRONG
from web.factories import PASSWORD, make_user


def enter(client: Client, name: str, password: str, path: str = "/log-in/"):
    return client.post(path, {"name": name, "password": password})


def test_the_right_password_opens_the_door(admin, annotator):
    client = Client()
    assert enter(client, annotator.username, PASSWORD).headers["Location"] == "/"
    assert client.get("/account/").status_code == 200


def test_the_name_may_be_in_capital_letters(admin, annotator):
    assert enter(Client(), annotator.username.upper(), PASSWORD).status_code == 302


def test_the_session_gets_a_new_key(admin, annotator):
    client = Client()
    client.get("/log-in/")
    session = client.session
    session["seen"] = "before"
    session.save()
    client.cookies["sessionid"] = session.session_key
    enter(client, annotator.username, PASSWORD)
    assert client.session.session_key != session.session_key


def test_wrong_name_wrong_password_and_closed_account_look_the_same(admin, annotator):
    closed = make_user(name="closed")
    deactivate(closed)
    pages = [
        enter(Client(), name, password)
        for name, password in (
            ("nobody", PASSWORD),
            (annotator.username, "wrong"),
            ("closed", PASSWORD),
        )
    ]
    assert {page.status_code for page in pages} == {400}
    assert all(WRONG in page.text for page in pages)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({}, "required"),
        ({"name": "ada"}, "required"),
        ({"password": "x"}, "required"),
        ({"name": "a\0", "password": "x"}, "Null characters"),
        ({"name": "x" * 151, "password": "x"}, "at most 150"),
        ({"name": "x", "password": "x" * 201}, "at most 200"),
    ],
)
def test_a_form_that_is_not_filled_in_is_told_so_and_counts_for_nothing(admin, data, what):
    page = Client().post("/log-in/", data)
    assert page.status_code == 400
    assert what in page.text
    assert not Attempt.objects.exists()


def test_after_some_failures_even_the_right_password_has_to_wait(admin, annotator):
    for _ in range(PAIR_LIMIT):
        assert enter(Client(), annotator.username, "wrong").status_code == 400
    page = enter(Client(), annotator.username, PASSWORD)
    assert page.status_code == 429
    assert "try again in 15 minutes" in page.text
    assert enter(Client(REMOTE_ADDR="192.0.2.7"), annotator.username, PASSWORD).status_code == 302


def test_waiting_does_not_make_the_wait_longer(admin, annotator):
    for _ in range(PAIR_LIMIT + 3):
        enter(Client(), annotator.username, "wrong")
    assert Attempt.objects.count() == PAIR_LIMIT


def test_names_that_nobody_has_are_counted_like_the_others(admin):
    for _ in range(PAIR_LIMIT):
        enter(Client(), "nobody", "wrong")
    assert enter(Client(), "nobody", "wrong").status_code == 429


def test_a_success_sets_the_count_back(admin, annotator):
    for _ in range(PAIR_LIMIT - 1):
        enter(Client(), annotator.username, "wrong")
    enter(Client(), annotator.username, PASSWORD)
    assert not Attempt.objects.exists()


@pytest.mark.parametrize(
    ("target", "landing"),
    [
        ("/account/", "/account/"),
        ("/people/?q=a", "/people/?q=a"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("\\\\evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("http:///evil.example", "/"),
        ("", "/"),
    ],
)
def test_logging_in_leads_to_pages_of_this_site_only(admin, annotator, target, landing):
    client = Client()
    page = client.post(
        "/log-in/",
        {"name": annotator.username, "password": PASSWORD},
        query_params={"next": target},
    )
    assert page.headers["Location"] == landing
    again = client.get("/log-in/", {"next": target})
    assert again.headers["Location"] == landing


def test_who_is_not_logged_in_comes_back_to_the_page_after_logging_in(admin):
    page = Client().get("/account/?a=b")
    assert page.headers["Location"] == "/log-in/?next=/account/%3Fa%3Db"


def test_scripts_are_told_in_json_that_the_session_is_over(admin):
    answer = Client().get("/account/", headers={"Accept": "application/json"})
    assert answer.status_code == 401
    assert "log in again" in answer.json()["detail"]


def test_logging_out_ends_the_session_and_takes_a_post(log_in, annotator):
    client = log_in(annotator)
    assert client.get("/log-out/").status_code == 405
    assert client.get("/account/").status_code == 200
    assert client.post("/log-out/").headers["Location"] == "/log-in/"
    assert client.get("/account/").status_code == 302


def test_a_closed_account_is_out_at_once(log_in, annotator):
    client = log_in(annotator)
    deactivate(annotator)
    assert client.get("/account/").headers["Location"].startswith("/log-in/")


def test_managers_start_at_their_campaigns_and_annotators_at_their_work(
    log_in, admin, manager, annotator
):
    starts = [log_in(user).get("/").headers["Location"] for user in (admin, manager, annotator)]
    assert starts == ["/campaigns/", "/campaigns/", "/work/"]


def test_a_form_without_its_token_is_refused_with_a_sentence(admin):
    client = Client(enforce_csrf_checks=True)
    page = client.post("/log-in/", {"name": "ada", "password": "x"})
    assert page.status_code == 403
    assert "reload the page" in page.text


@pytest.mark.parametrize("target", ["foo", "foo/bar", "account", "javascript:alert(1)", "?x=1"])
def test_a_target_that_is_no_path_leads_to_the_start(admin, annotator, target: str):
    client = Client()
    page = enter(client, annotator.username, PASSWORD, f"/log-in/?next={target}")
    assert (page.status_code, page.headers["Location"]) == (302, "/")
    assert client.get(f"/log-in/?next={target}").headers["Location"] == "/"


def test_nobody_can_lock_the_owner_out_of_a_browser_that_was_used_before(admin, annotator):
    client, name = Client(), annotator.username
    enter(client, name, PASSWORD)
    client.post("/log-out/")
    for number in range(NAME_LIMIT):
        note_failure(name, f"198.51.100.{number}")
    assert enter(Client(), name, PASSWORD).status_code == 429
    assert enter(client, name, PASSWORD).status_code == 302


def test_the_cookie_of_somebody_elses_browser_lifts_no_limit(admin, annotator):
    client = Client()
    enter(client, admin.username, PASSWORD)
    client.post("/log-out/")
    for number in range(NAME_LIMIT):
        note_failure(annotator.username, f"198.51.100.{number}")
    assert enter(client, annotator.username, PASSWORD).status_code == 429


def test_a_name_that_looks_alike_locks_nobody_out(admin):
    """PostgreSQL's upper case of both is ADMIN."""
    make_user("admin", name="admin")
    make_user(name="admın")
    for name in ("admin", "ADMIN", "admın"):
        client = Client()
        assert enter(client, name, PASSWORD).status_code == 302, name
        assert client.get("/account/").context["user"].username == name.replace("ADMIN", "admin")
