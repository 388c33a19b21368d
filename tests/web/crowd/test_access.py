"""Role × address × method for participants' pages, their accounts, and fuzzed arrivals."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote_from_bytes

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import change_role, set_password
from gistmark.web.accounts.sign_in.credentials import make_password_link, make_token
from gistmark.web.annotate.models import Submission
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.invitations import join_as_known, make_invitation
from gistmark.web.campaigns.services.members import candidates_for
from gistmark.web.config.errors import NotAllowedError
from gistmark.web.crowd.models import Participant, Recruitment
from gistmark.web.crowd.urls import urlpatterns
from web.annotate.answering import done
from web.api.calling import Caller
from web.conftest import LogIn
from web.crowd.arriving import arrive, person, recruiting
from web.factories import make_user
from web.leaks import body_of, responses

pytestmark = pytest.mark.django_db

METHODS = ("get", "head", "post", "put", "patch", "delete", "options")
ALLOWED = {
    "crowd-arrival": ("get", "head"),
    "crowd-hook": ("post",),
    "crowd-finish": ("get", "head"),
    "crowd-decline": ("post",),
}
OF_A_CAMPAIGN = ("crowd-finish", "crowd-decline")


@pytest.fixture(scope="module")
def shared(shared_db: None) -> int:
    return recruiting().pk


@pytest.fixture
def recruitment(admin: User, shared: int) -> Recruitment:
    return Recruitment.objects.get(pk=shared)


def path(name: str, recruitment: Recruitment) -> str:
    key = recruitment.campaign.key if name in OF_A_CAMPAIGN else recruitment.key
    return reverse(name, args=[key])


def test_every_address_has_a_rule() -> None:
    assert sorted(ALLOWED) == sorted(str(pattern.name) for pattern in urlpatterns)


@pytest.mark.parametrize("name", ALLOWED)
def test_other_methods_are_refused(name: str, recruitment: Recruitment) -> None:
    client = Client()
    arrive(client, recruitment)
    for method in METHODS:
        response = client.generic(method.upper(), path(name, recruitment))
        assert (response.status_code == 405) == (method not in ALLOWED[name]), method


@pytest.mark.parametrize("name", OF_A_CAMPAIGN)
def test_visitors_have_to_arrive_first(name: str, recruitment: Recruitment) -> None:
    for method in ALLOWED[name]:
        response = Client().generic(method.upper(), path(name, recruitment))
        assert response["Location"].startswith("/log-in/")


@pytest.mark.parametrize("role", ["annotator", "manager", "admin", "owner", "participant"])
@pytest.mark.parametrize("name", OF_A_CAMPAIGN)
def test_who_did_not_come_from_the_market_has_no_visit(
    name: str, role: str, recruitment: Recruitment, log_in: LogIn
) -> None:
    if role == "participant":
        client = Client()
        arrive(client, recruiting(), pid="elsewhere")
    else:
        client = log_in(recruitment.campaign.owner if role == "owner" else make_user(role))
    for method in ALLOWED[name]:
        assert client.generic(method.upper(), path(name, recruitment)).status_code == 404


def test_a_participant_has_no_password_no_token_and_no_other_role(
    recruitment: Recruitment, admin: User
) -> None:
    client = Client()
    arrive(client, recruitment)
    user = person()
    invitation = make_invitation(by=admin, role="admin")
    for refused in (
        lambda: change_role(user, "admin"),
        lambda: set_password(user, "quiet-river-stone-41"),
        lambda: make_password_link(by=admin, user=user),
        lambda: make_token(user, "mine"),
        lambda: join_as_known(invitation.secret, user),
    ):
        with pytest.raises(NotAllowedError, match="takes part through a crowd market"):
            refused()
    for change in ({"role": "manager"}, {"password": "pbkdf2_sha256$1$x$y"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=user.pk).update(**change)
    assert not candidates_for(recruiting().campaign).filter(pk=user.pk).exists()
    assert client.post(f"/join/{invitation.secret}/").status_code == 403
    page = client.get("/account/").text
    assert "You have no password" in page
    assert "Make a token" not in page
    assert client.post(
        "/account/tokens/", {"name": "x", "days": 9, "scope": "all"}
    ).status_code in (
        400,
        403,
    )
    assert not user.tokens.exists()


def test_a_page_about_a_participant_offers_no_password(
    recruitment: Recruitment, admin: User, log_in: LogIn
) -> None:
    arrive(Client(), recruitment)
    browser = log_in(admin)
    page = browser.get(f"/people/{person().pk}/").text
    assert "takes part through a crowd market" in page
    assert "Make a link for a new password" not in page
    assert browser.post(f"/people/{person().pk}/reset/").status_code == 403


def test_no_response_names_another_participant_or_gives_codes_away(
    recruitment: Recruitment,
) -> None:
    other, client = Client(), Client()
    arrive(other, recruitment, pid="okapi-pid", session="okapi-session")
    arrive(client, recruitment, pid="own-pid", session="own-session")
    campaign = recruitment.campaign
    for pid in ("okapi-pid", "own-pid"):
        give_consent(campaign, person(pid))
        done(campaign, person(pid))
    words = ["okapi-pid", "okapi-session", person("okapi-pid").username]
    words += [*recruitment.codes.values(), "own-pid", "own-session"]
    count = 0
    for what, response in responses(campaign, "none", client, Caller(None)):
        if "/decline/" in what:
            continue
        body = body_of(response)
        count += bool(body)
        assert response.status_code < 500, what
        assert not [word for word in words if word in body], what
    assert count > 100
    assert Submission.objects.count() == 2


def test_the_api_takes_no_work_but_ones_own(recruitment: Recruitment) -> None:
    client, mallory = Client(), Client()
    arrive(client, recruitment)
    give_consent(recruitment.campaign, person())
    task = done(recruitment.campaign, person()).task_id
    arrive(mallory, recruitment, pid="mallory")
    for address in (f"/api/tasks/{task}", f"/tasks/{task}/"):
        assert mallory.get(address).status_code == 404
    sent = json.dumps({"key": "x", "answer": {}})
    assert mallory.post(f"/api/tasks/{task}/submit", sent, "application/json").status_code >= 400


NAMES = st.sampled_from(
    ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID", "prolific_token", "participantId", "", "x"]
)
VALUES = st.one_of(
    st.binary(max_size=40).map(quote_from_bytes),
    st.text(max_size=30).map(lambda text: quote_from_bytes(text.encode("utf-8", "surrogatepass"))),
    st.sampled_from(["alice", "s-alice", "study1", "{{%PROLIFIC_PID%}}", "%00", "%", "a" * 5000]),
)
QUERIES = st.lists(st.tuples(NAMES, VALUES), max_size=6).map(
    lambda pairs: "&".join(f"{name}={value}" for name, value in pairs)
)


def test_no_arrival_breaks_or_opens_the_work_of_another(recruitment: Recruitment) -> None:
    arrive(Client(), recruitment)
    alice = person()

    @given(query=QUERIES, cookie=st.text("abc", max_size=3))
    def come(query: str, cookie: str) -> None:
        client = Client()
        client.cookies["gistmark_browser"] = cookie
        response: Any = client.get(f"/crowd/{recruitment.key}/?{query}")
        assert response.status_code in (302, 400, 403, 429)
        assert client.session.get("_auth_user_id") != str(alice.pk)
        if response.status_code != 302:
            assert "_auth_user_id" not in client.session

    come()
    assert Participant.objects.filter(pid="alice").count() == 1


@given(key=st.text(st.characters(exclude_characters="/?#"), min_size=1, max_size=20))
def test_no_made_up_study_breaks_the_page(key: str) -> None:
    address = quote_from_bytes(key.encode("utf-8", "surrogatepass"))
    if not User.objects.exists():
        make_user("admin")
    assert Client().get(f"/crowd/{address}/").status_code in (301, 404)
