"""The admins' pages about people: everybody, each person, and new people."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from gistmark.web.accounts.imports import FILE_BYTES
from gistmark.web.accounts.models import Link, User
from gistmark.web.accounts.people import deactivate
from gistmark.web.accounts.sign_in.credentials import make_password_link, read_link
from gistmark.web.accounts.views.people import PAGE
from gistmark.web.annotate.services.claims import next_task
from web.factories import make_campaign, make_user

PASSWORD_LINK = Link.Kind.PASSWORD


@pytest.fixture
def client(log_in, admin):
    return log_in(admin)


def test_everybody_is_listed(client, manager, annotator):
    page = client.get("/people/").text
    assert manager.username in page
    assert annotator.username in page


def test_people_are_searched_by_name(client):
    for name in ("ada", "bob"):
        make_user(name=name)
    page = client.get("/people/", {"q": "AD"}).text
    assert ">ada<" in page
    assert ">bob<" not in page
    assert "No account matches" in client.get("/people/", {"q": "nobody-at-all"}).text


@pytest.mark.parametrize("number", ["2", "999", "0", "-1", "x", ""])
def test_many_people_come_in_pages_and_any_number_leads_to_one(client, number: str):
    for _ in range(PAGE):
        make_user()
    page = client.get("/people/", {"page": number})
    assert page.status_code == 200
    assert "of 2" in page.text


def test_a_search_for_a_null_character_is_a_search_like_others(client):
    assert client.get("/people/", {"q": "a\0"}).status_code == 200


def test_the_page_of_a_person_lists_campaigns(client, annotator):
    campaign = make_campaign(annotators=(annotator,))
    assert campaign.name in client.get(f"/people/{annotator.pk}/").text


def test_a_person_is_renamed_unless_the_name_is_taken(client):
    ada, bob = make_user(name="ada"), make_user(name="bob")
    page = client.post(reverse("person-name", args=[ada.pk]), {"name": "ada.l"}, follow=True)
    assert "ada is ada.l from now on." in page.text
    refused = client.post(reverse("person-name", args=[bob.pk]), {"name": "ada.l"})
    assert refused.status_code == 400
    assert 'class="form-errors"' in refused.text
    (heading,) = re.findall("<h1.*?</h1>", refused.text, re.DOTALL)
    assert "bob" in heading, heading
    assert {"ada.l", "bob"} <= set(User.objects.values_list("username", flat=True))


def test_a_role_is_changed(client, annotator):
    page = client.post(f"/people/{annotator.pk}/role/", {"role": "manager"}, follow=True)
    assert "is now Manager" in page.text
    assert User.objects.get(pk=annotator.pk).role == "manager"


@pytest.mark.parametrize("role", ["", "chief", "ADMIN"])
def test_an_unknown_role_is_refused(client, annotator, role: str):
    page = client.post(f"/people/{annotator.pk}/role/", {"role": role})
    assert page.status_code == 400
    assert "form-errors" in page.text
    assert User.objects.get(pk=annotator.pk).role == "annotator"


def test_the_only_admin_cannot_leave(client, admin):
    page = client.post(f"/people/{admin.pk}/role/", {"role": "annotator"})
    assert page.status_code == 400
    assert "the only admin" in page.text
    page = client.post(f"/people/{admin.pk}/close/", follow=True)
    assert "the only admin" in page.text
    assert User.objects.get(pk=admin.pk).is_active


def test_an_account_is_closed_and_opened(client, annotator):
    client.post(f"/people/{annotator.pk}/close/")
    assert not User.objects.get(pk=annotator.pk).is_active
    assert "closed" in client.get("/people/").text
    client.post(f"/people/{annotator.pk}/open/")
    assert User.objects.get(pk=annotator.pk).is_active


def test_a_link_for_a_new_password_is_shown_once(client, annotator):
    page = client.post(f"/people/{annotator.pk}/reset/")
    secret = page.text.partition("/password/")[2].partition("/")[0]
    assert read_link(secret, Link.Kind.PASSWORD).user == annotator
    assert "no-store" in page.headers["Cache-Control"]
    assert secret not in client.get(f"/people/{annotator.pk}/").text


def test_a_closed_account_gets_no_link(client, annotator):
    deactivate(annotator)
    page = client.post(f"/people/{annotator.pk}/reset/")
    assert page.status_code == 400
    assert "open it first" in page.text


def test_the_number_of_queries_does_not_grow_with_the_people(client, django_assert_num_queries):
    client.get("/people/")
    counts = []
    for more in (3, 30):
        for _ in range(more):
            make_campaign(annotators=(make_user(),), running=False)
        with django_assert_num_queries(4):
            client.get("/people/")
        counts.append(User.objects.count())
    assert counts[1] > counts[0]


def test_the_number_of_queries_does_not_grow_with_the_campaigns(
    client, annotator, django_assert_num_queries
):
    client.get("/people/")
    for more in (2, 8):
        for _ in range(more):
            make_campaign(annotators=(annotator,), running=False)
        with django_assert_num_queries(5):
            client.get(f"/people/{annotator.pk}/")


def test_links_made_for_somebody_do_not_show_on_any_page(client, annotator):
    made = make_password_link(by=None, user=annotator)
    for path in ("/people/", f"/people/{annotator.pk}/", "/people/invitations/"):
        page = client.get(path).text
        assert made.secret not in page
        assert made.link.hash not in page


def secrets_in(text: str, page: str) -> list[str]:
    return [part.partition("/")[0] for part in text.split(f"/{page}/")[1:]]


def test_a_new_person_gets_an_account_and_a_link(client):
    page = client.post("/people/new/", {"name": "ada", "role": "manager"})
    (secret,) = secrets_in(page.text, "password")
    user = read_link(secret, PASSWORD_LINK).user
    assert (user.username, user.role) == ("ada", "manager")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({}, "required"),
        ({"name": "li su", "role": "annotator"}, "not a valid name"),
        ({"name": "ada", "role": "chief"}, "not one of the available choices"),
        ({"name": "ada\0", "role": "manager"}, "Null characters"),
        ({"name": "TAKEN", "role": "manager"}, "is taken"),
    ],
)
def test_what_is_wrong_with_a_new_person_is_told(client, data, what):
    User.objects.create_user("taken")
    page = client.post("/people/new/", data)
    assert page.status_code == 400
    assert what in page.text
    assert User.objects.count() == 2


def upload(client, data: bytes):
    return client.post("/people/import/", {"file": SimpleUploadedFile("class.csv", data)})


def test_people_are_imported_with_a_link_each(client):
    page = upload(client, b"name,role\nada,manager\nbob,\n")
    assert "2 people added" in page.text
    named = {
        read_link(secret, PASSWORD_LINK).user.username
        for secret in secrets_in(page.text, "password")
    }
    assert named == {"ada", "bob"}


def test_all_problems_of_a_file_are_shown_and_escaped(client):
    page = upload(client, b"name,role\n<b>x</b>,manager\nada,chief\n")
    assert page.status_code == 400
    assert "class.csv:2" in page.text
    assert "class.csv:3" in page.text
    assert "<b>x</b>" not in page.text
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "empty"),
        (b"\xff\xfe", "UTF-8"),
        (b"name\n" + b"x" * FILE_BYTES, "larger than"),
    ],
)
def test_a_file_that_is_none_is_refused(client, data: bytes, what: str):
    page = upload(client, data)
    assert page.status_code == 400
    assert what in page.text


def test_neither_a_list_nor_a_file_or_both_is_told(client):
    both = {"pasted": "ada", "file": SimpleUploadedFile("class.csv", b"name\nbob\n")}
    for sent in ({}, both):
        page = client.post("/people/import/", sent)
        assert page.status_code == 400
        assert "one of the two" in page.text
    assert User.objects.count() == 1


def test_a_pasted_list_makes_many_accounts(client):
    page = client.post("/people/import/", {"pasted": "ada\n\nbob,manager\ncy\tadmin\n"})
    assert "3 people added" in page.text
    roles = dict(User.objects.values_list("username", "role"))
    assert (roles["ada"], roles["bob"], roles["cy"]) == ("annotator", "manager", "admin")
    page = client.post("/people/import/", {"pasted": "name,role\ndee,annotator"})
    assert "1 person added" in page.text


def test_problems_of_a_pasted_list_name_its_lines(client):
    page = client.post("/people/import/", {"pasted": "ada\nli su\nbob,chief"})
    assert page.status_code == 400
    assert "list:2: " in page.text
    assert "list:3: " in page.text
    assert User.objects.count() == 1


def test_people_are_filtered_by_role_and_account(client, annotator, manager):
    deactivate(annotator)
    for query, shown in (
        ({"role": "manager"}, {manager}),
        ({"account": "closed"}, {annotator}),
        ({"role": "annotator", "account": "open"}, set()),
    ):
        assert set(client.get("/people/", query).context["page"]) == shown


def test_accounts_without_work_are_removed_and_those_with_work_closed(client, admin, annotator):
    busy = make_user()
    next_task(make_campaign(annotators=(busy,)), busy)
    chosen = {"people": [annotator.pk, busy.pk, admin.pk, "x", "9" * 30]}
    page = client.post("/people/remove/", chosen, follow=True).text
    assert f"Removed: {annotator.username}." in page
    assert f"Closed, because their work is kept: {busy.username}." in page
    assert "You cannot remove your own account." in page
    assert not User.objects.filter(pk=annotator.pk).exists()
    assert not User.objects.get(pk=busy.pk).is_active
    assert "Choose at least one account" in client.post("/people/remove/", follow=True).text
