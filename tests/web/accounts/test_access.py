"""Role × address × method for every address about accounts and joining; how much who may send."""

from __future__ import annotations

import pytest
from django.http import multipartparser
from django.test import Client
from django.urls import reverse

from gistmark.web.accounts import permissions
from gistmark.web.accounts.addresses import reminders_secret
from gistmark.web.accounts.models import Device, Link, MailAddress
from gistmark.web.accounts.sign_in.credentials import make_link, make_password_link, make_token
from gistmark.web.accounts.urls import urlpatterns as account_urls
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.campaigns.urls import urlpatterns as joining_urls
from gistmark.web.manage.urls import platform_urls
from gistmark.web.privacy.urls import urlpatterns as privacy_urls
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db

METHODS = ("get", "head", "post", "put", "patch", "delete", "options")
OF_OTHERS = METHODS[:4]
"""For all but admins: what no address knows is refused in one way, whoever asks."""
ROLES = (None, "annotator", "manager", "admin")
READ, WRITE, BOTH = ("get", "head"), ("post",), ("get", "head", "post")

# Who may use an address ("all": visitors too), and with which methods.
RULES = {
    "home": ("everybody", READ),
    "log-in": ("all", BOTH),
    "log-in-code": ("all", BOTH),
    "forgotten": ("all", BOTH),
    "address": ("all", BOTH),
    "reminders-stop": ("all", BOTH),
    "sign-on": ("all", READ),
    "sign-on-back": ("all", READ),
    "sign-on-new": ("all", BOTH),
    "log-out": ("all", WRITE),
    "language": ("all", WRITE),
    "set-up": ("all", BOTH),
    "set-up-sample": ("admin", BOTH),
    "join": ("all", BOTH),
    "register": ("all", BOTH),
    "password": ("all", BOTH),
    "account": ("everybody", READ),
    "account-password": ("everybody", WRITE),
    "account-tokens": ("everybody", WRITE),
    "token-revoke": ("everybody", WRITE),
    "account-sessions": ("everybody", WRITE),
    "session-end": ("everybody", WRITE),
    "account-address": ("everybody", WRITE),
    "account-address-remove": ("everybody", WRITE),
    "account-mails": ("everybody", WRITE),
    "account-sign-on": ("everybody", WRITE),
    "account-sign-on-end": ("everybody", WRITE),
    "second-factor": ("manager", READ),
    "second-factor-begin": ("manager", WRITE),
    "second-factor-confirm": ("manager", WRITE),
    "second-factor-codes": ("manager", WRITE),
    "second-factor-off": ("manager", WRITE),
    "people": ("admin", READ),
    "people-audit": ("admin", READ),
    "person-new": ("admin", BOTH),
    "people-import": ("admin", BOTH),
    "people-remove": ("admin", WRITE),
    "people-invite": ("admin", BOTH),
    "invitation-withdraw": ("admin", WRITE),
    "person": ("admin", READ),
    "person-name": ("admin", WRITE),
    "person-log-out": ("admin", WRITE),
    "person-role": ("admin", WRITE),
    "person-close": ("admin", WRITE),
    "person-open": ("admin", WRITE),
    "person-reset": ("admin", WRITE),
    "person-second-factor": ("admin", WRITE),
    "account-data": ("everybody", WRITE),
    "account-erase": ("everybody", BOTH),
    "person-data": ("admin", WRITE),
    "person-erase": ("admin", BOTH),
}
NAMES = [pattern.name for pattern in (*account_urls, *joining_urls, *platform_urls, *privacy_urls)]
OF_A_PERSON = (
    "person", "person-name", "person-log-out", "person-role", "person-close", "person-open",
    "person-reset", "person-second-factor", "person-data", "person-erase",
)  # fmt: skip
OPTIONAL = ("sign-on", "sign-on-back", "account-sign-on", "forgotten", "account-address")
"""Without a provider or a mail server, as here, there are no such pages."""
OF_MAIL_PROGRAMS = ("reminders-stop",)
"""What a mail program may send without having seen a page; its secret stands in the address."""
FORMS = [
    name
    for name, (_, methods) in RULES.items()
    if "post" in methods and name not in OF_MAIL_PROGRAMS
]
PAGES = [name for name, (_, methods) in RULES.items() if "get" in methods]
FORM = "multipart/form-data; boundary=x"


@pytest.fixture(scope="module")
def paths(shared_db) -> dict[str, str]:
    """Each address with something real behind it, which belongs to somebody else."""
    admin, somebody = make_user("admin"), make_user()
    campaign = make_campaign(running=False)
    type(campaign).objects.update(registration_open=True)
    MailAddress.objects.create(user=somebody, address="ada@uni.example")
    token = make_token(somebody, "theirs").token
    invitation = make_invitation(by=admin, uses=100)
    arguments = {
        "join": [invitation.secret],
        "register": [campaign.key],
        "password": [make_password_link(by=admin, user=somebody).secret],
        "address": [make_link(Link.Kind.ADDRESS, somebody, 3, user=somebody, uses_left=100).secret],
        "reminders-stop": [reminders_secret(somebody)],
        "token-revoke": [token.pk],
        "session-end": [Device.objects.create(user=somebody, session="x").pk],
        "invitation-withdraw": [invitation.link.pk],
        **{
            name: [somebody.pk]
            for name in NAMES
            if name.startswith("person-") and name[7:] != "new"
        },
        "person": [somebody.pk],
    }
    return {name: reverse(name, args=arguments.get(name, [])) for name in NAMES}


def test_every_address_has_a_rule():
    assert set(NAMES) == set(RULES)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", NAMES)
def test_every_method_of_every_address_is_for_those_who_may(paths, name: str, role: str | None):
    who, methods = RULES[name]
    user = make_user(role) if role else None
    client = Client()
    fine = (200, 302, 400, 404) if name in OPTIONAL else (200, 302, 400)
    for method in METHODS if role == "admin" else OF_OTHERS:
        if user is not None and method in ("get", "put"):  # a form may have logged them out
            client.force_login(user)
        answer = getattr(client, method)(paths[name])
        if method not in methods:
            assert answer.status_code == 405, method
        elif who == "all":
            assert answer.status_code in fine, method
        elif user is None:
            assert answer.status_code == 302, method
            assert answer.headers["Location"].startswith("/log-in/?next="), method
        elif (who == "admin" and role != "admin") or (who == "manager" and role == "annotator"):
            assert answer.status_code == 403, method
        else:
            assert answer.status_code in fine, method


@pytest.mark.parametrize("name", FORMS)
def test_no_form_is_taken_without_its_csrf_token(paths, admin, name: str):
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin)
    assert client.post(paths[name]).status_code == 403


@pytest.mark.parametrize("name", OF_A_PERSON[1:])
def test_a_person_who_is_not_there_is_not_found(log_in, admin, name: str):
    client = log_in(admin)
    for pk in (999_999, 2**62):
        assert client.post(reverse(name, args=[pk]), {"role": "admin"}).status_code == 404


def test_a_number_beyond_the_databases_is_not_found(log_in, admin):
    assert log_in(admin).get(f"/people/{10**30}/").status_code == 404


@pytest.mark.parametrize("name", PAGES)
def test_no_page_has_inline_scripts_or_styles(paths, log_in, admin, name: str):
    page = log_in(admin).get(paths[name], follow=name not in ("home", "set-up", "log-in")).text
    assert " style=" not in page
    assert "<style" not in page
    assert " onclick=" not in page
    for script in page.split("<script")[1:]:
        assert " src=" in script.partition(">")[0]


def send(client: Client, path: str, size: int, **headers: str) -> int:
    return client.post(path, b"-" * size, content_type=FORM, headers=headers).status_code


@pytest.fixture
def unread(monkeypatch):
    """Reading the parts of a body is an error."""

    def parse(_: object) -> None:
        raise AssertionError("the body is read")

    monkeypatch.setattr(multipartparser.MultiPartParser, "parse", parse)


@pytest.mark.parametrize("path", ["/campaigns/new/", "/log-in/", "/api/campaigns", "/nowhere/"])
def test_a_visitors_upload_is_refused_unread(admin, unread, path: str):
    assert send(Client(), path, permissions.MOST_OF_VISITORS + 1) == 413


def test_an_annotators_upload_is_refused_unread(admin, unread, annotator, log_in, monkeypatch):
    monkeypatch.setattr(permissions, "MOST_OF_ANNOTATORS", permissions.MOST_OF_VISITORS)
    assert send(log_in(annotator), "/campaigns/new/", permissions.MOST_OF_VISITORS + 1) == 413
    token = make_token(annotator, "upload").secret
    sent = {"Authorization": f"Bearer {token}"}
    assert send(Client(), "/api/campaigns", permissions.MOST_OF_VISITORS + 1, **sent) == 413


def test_a_managers_upload_is_read(admin, manager, log_in):
    assert send(log_in(manager), "/campaigns/new/", permissions.MOST_OF_VISITORS + 1) == 400
    token = make_token(manager, "upload").secret
    sent = {"Authorization": f"Bearer {token}"}
    assert send(Client(), "/api/campaigns", permissions.MOST_OF_VISITORS + 1, **sent) in (400, 422)
