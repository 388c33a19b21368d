"""Arrival: at work without a name or a password, and nobody gets into another's work."""

from __future__ import annotations

import re

import jwt
import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from gistmark.web.accounts.models import AuditEntry, User
from gistmark.web.accounts.people import deactivate
from gistmark.web.accounts.sign_in import attempts
from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.models import Event, Membership
from gistmark.web.campaigns.services.campaigns import change_settings, close, pause
from gistmark.web.crowd import tokens
from gistmark.web.crowd.arrival import let_in
from gistmark.web.crowd.models import Participant, Recruitment, Visit
from gistmark.web.crowd.recruitments import change_recruitment
from web.crowd.arriving import (
    arrive,
    is_in,
    person,
    private_key,
    public_keys,
    recruiting,
    token,
    visit,
)
from web.factories import again, make_campaign, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_recruitment(shared_db) -> Recruitment:
    return recruiting()


@pytest.fixture
def recruitment(made_recruitment, db) -> Recruitment:
    return again(made_recruitment)


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the keys that the market publishes."""
    published = ["first"]

    def fetch(_: str) -> tokens.Keys:
        loaded = jwt.PyJWKSet.from_dict(public_keys(*published)).keys
        return {key.key_id: key for key in loaded}

    monkeypatch.setattr(tokens, "_STORE", tokens.KeyStore(fetch))
    return published


@pytest.fixture
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> tokens.Keys:
        raise tokens.KeysUnavailableError("down")

    monkeypatch.setattr(tokens, "_STORE", tokens.KeyStore(fail))


def test_a_participant_is_at_work_after_consent(recruitment: Recruitment) -> None:
    client = Client()
    hub = f"/work/{recruitment.campaign.key}/finish/"
    response = arrive(client, recruitment)
    assert (response.status_code, response["Location"]) == (302, hub)
    assert response["Referrer-Policy"] == "no-referrer"
    terms = client.get(hub, follow=True)
    assert terms.redirect_chain[-1][0] == f"/work/{recruitment.campaign.key}/"
    assert "I do not want to take part" in terms.text
    work = client.post(f"/work/{recruitment.campaign.key}/", follow=True)
    assert work.templates[0].name == "annotate/task.html"
    assert Task.objects.get(annotator=person()).opened_at is not None


def test_the_account_is_a_pseudonym_without_a_password(recruitment: Recruitment) -> None:
    arrive(Client(), recruitment, pid="5f0c1d2e3a4b")
    user = person("5f0c1d2e3a4b")
    assert re.fullmatch(r"participant-[a-z0-9]{10}", user.username)
    assert user.from_market
    assert not user.has_usable_password()
    stored = [
        *User.objects.values_list("username", flat=True),
        *map(str, Event.objects.values_list("about", flat=True)),
        *map(str, AuditEntry.objects.values_list("about", "name", "by")),
        *(str(each.get_decoded()) for each in Session.objects.all()),
    ]
    assert not [text for text in stored if "5f0c1d2e3a4b" in text]


def test_who_comes_back_another_day_goes_on_with_the_same_work(recruitment: Recruitment) -> None:
    client = Client()
    arrive(client, recruitment)
    client.post(f"/work/{recruitment.campaign.key}/")
    task = Task.objects.get(annotator=person())
    client.post("/log-out/")
    back = client.get(arrive(client, recruitment)["Location"])
    assert back["Location"] == f"/tasks/{task.pk}/"
    assert Participant.objects.count() == Visit.objects.count() == 1


@pytest.mark.parametrize("session", ["s-alice", "another"])
def test_a_pid_alone_opens_nobodys_work(recruitment: Recruitment, session: str) -> None:
    arrive(Client(), recruitment)
    stranger = Client()
    response = arrive(stranger, recruitment, session=session)
    assert response.status_code == 403
    assert "opened in another browser before" in response.text
    assert "_auth_user_id" not in stranger.session
    assert Visit.objects.count() == 1


def test_a_session_is_not_given_to_another_pid(recruitment: Recruitment) -> None:
    arrive(Client(), recruitment)
    response = arrive(Client(), recruitment, pid="mallory", session="s-alice")
    assert response.status_code == 403
    assert Participant.objects.count() == 1


def test_a_new_session_of_the_same_person_in_the_same_browser_is_let_in(
    recruitment: Recruitment,
) -> None:
    client = Client()
    arrive(client, recruitment)
    client.post("/log-out/")
    assert arrive(client, recruitment, session="second").status_code == 302
    assert is_in(client, person())
    assert Visit.objects.count() == 2


def test_two_people_can_share_a_browser(recruitment: Recruitment) -> None:
    client = Client()
    arrive(client, recruitment)
    assert arrive(client, recruitment, pid="bob").status_code == 302
    assert is_in(client, person("bob"))
    assert arrive(client, recruitment).status_code == 302
    assert is_in(client, person("alice"))


def test_a_signed_token_opens_the_work_in_another_browser_and_ends_it_in_the_first(
    recruitment: Recruitment, keys: list[str]
) -> None:
    first, second = Client(), Client()
    arrive(first, recruitment)
    assert visit().verified_at is None
    assert arrive(second, recruitment, prolific_token=token()).status_code == 302
    assert is_in(second, person())
    assert visit().verified_at is not None
    assert first.get("/work/").status_code == 302, "its session has ended"
    assert arrive(first, recruitment).status_code == 403


@pytest.mark.parametrize(
    "forged",
    [
        {"session": "s-mallory"},
        {"pid": "mallory", "session": "s-alice"},
        {"study": "another"},
        {"aud": "https://elsewhere.example/crowd/x/"},
        {"aud": ["https://testserver/"]},
        {"lasts": -60},
        {"key": "unknown"},
        {"prolific": {}},
        {"prolific": "alice"},
        {"sub": 7},
    ],
    ids=str,
)
def test_a_token_that_is_not_for_this_arrival_proves_nothing(
    recruitment: Recruitment, keys: list[str], forged: dict[str, object]
) -> None:
    arrive(Client(), recruitment)
    response = arrive(Client(), recruitment, prolific_token=token(**forged))
    assert response.status_code == 403


@pytest.mark.parametrize("made_up", ["", "x", "a.b.c", "é" * 50, "x" * 9000])
def test_a_made_up_token_proves_nothing(
    recruitment: Recruitment, keys: list[str], made_up: str
) -> None:
    change_recruitment(recruitment, None, settings=recruiting(require_token=True).read_settings())
    assert arrive(Client(), recruitment, prolific_token=made_up).status_code == 403


def test_a_token_signed_with_the_public_key_as_a_password_proves_nothing(
    recruitment: Recruitment, keys: list[str]
) -> None:
    arrive(Client(), recruitment)
    claims = jwt.decode(token(), options={"verify_signature": False})
    for algorithm, key in (("none", None), ("HS256", "k" * 64)):
        forged = jwt.encode(claims, key, algorithm=algorithm, headers={"kid": "first"})
        assert arrive(Client(), recruitment, prolific_token=forged).status_code == 403


def test_where_tokens_are_required_the_first_arrival_needs_one(keys: list[str]) -> None:
    recruitment = recruiting(require_token=True)
    client = Client()
    refused = arrive(client, recruitment)
    assert refused.status_code == 403
    assert "only be opened from its page on the market" in refused.text
    assert not Participant.objects.exists()
    assert arrive(client, recruitment, prolific_token=token()).status_code == 302
    assert arrive(client, recruitment).status_code == 302, "the browser is known by now"
    assert arrive(Client(), recruitment).status_code == 403


def test_while_the_market_does_not_answer_only_required_tokens_stop_people(
    no_keys: None,
) -> None:
    demanding = arrive(Client(), recruiting(require_token=True), prolific_token=token())
    assert demanding.status_code == 503
    assert "open the study from the market again in a minute" in demanding.text
    assert arrive(Client(), recruiting(), prolific_token=token()).status_code == 302


def test_a_manager_can_let_another_browser_in(recruitment: Recruitment) -> None:
    first, second = Client(), Client()
    arrive(first, recruitment)
    let_in(visit(), recruitment.campaign.owner)
    assert arrive(second, recruitment).status_code == 302
    assert is_in(second, person())
    assert first.get("/work/").status_code == 302
    assert arrive(first, recruitment).status_code == 403
    assert recruitment.campaign.events.filter(verb="browser-let-in").count() == 1


@pytest.mark.parametrize(
    "query",
    [
        "",
        "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
        "PROLIFIC_PID=&STUDY_ID=a&SESSION_ID=b",
        "PROLIFIC_PID=a&PROLIFIC_PID=b&STUDY_ID=a&SESSION_ID=b",
        "PROLIFIC_PID=a&STUDY_ID=a",
        "PROLIFIC_PID=a%00b&STUDY_ID=a&SESSION_ID=b",
        "PROLIFIC_PID=a&STUDY_ID=a&SESSION_ID=" + "b" * 101,
        "PROLIFIC_PID=%FF%FE&STUDY_ID=a&SESSION_ID=b",
        "PROLIFIC_PID=a'b&STUDY_ID=a&SESSION_ID=b",
    ],
)
def test_a_broken_address_gets_one_clear_page(recruitment: Recruitment, query: str) -> None:
    response = Client().get(f"/crowd/{recruitment.key}/?{query}")
    assert response.status_code == 400
    assert "The address of this study is wrong or incomplete" in response.text
    assert not Participant.objects.exists()


def test_another_study_is_refused_once_the_recruitment_knows_its_own(
    recruitment: Recruitment,
) -> None:
    assert arrive(Client(), recruitment, study="any").status_code == 302
    change_recruitment(recruitment, None, study="study1")
    refused = arrive(Client(), recruitment, pid="bob", study="another")
    assert refused.status_code == 403
    assert "belongs to another study" in refused.text
    assert arrive(Client(), recruitment, pid="bob").status_code == 302


def test_nobody_new_comes_in_while_there_is_nothing_to_do(recruitment: Recruitment) -> None:
    known = Client()
    arrive(known, recruitment)
    campaign = recruitment.campaign
    pause(campaign, campaign.owner)
    response = arrive(Client(), recruitment, pid="bob")
    assert response.status_code == 409
    assert "This study is paused just now." in response.text
    close(campaign, campaign.owner)
    assert "This study has ended." in arrive(Client(), recruitment, pid="bob").text
    draft = recruiting(make_campaign(running=False))
    assert "has not started yet" in arrive(Client(), draft, pid="bob").text
    assert arrive(known, recruitment).status_code == 302


def test_a_recruitment_that_has_ended_lets_only_those_in_who_have_been_here(
    recruitment: Recruitment,
) -> None:
    client = Client()
    arrive(client, recruitment)
    change_recruitment(recruitment, None, state="ended")
    assert arrive(client, recruitment).status_code == 302
    assert arrive(Client(), recruitment, pid="bob").status_code == 409


def test_a_closed_account_stays_outside(recruitment: Recruitment) -> None:
    client = Client()
    arrive(client, recruitment)
    deactivate(person())
    assert arrive(client, recruitment).status_code == 403


def test_who_is_logged_in_with_an_account_of_their_own_is_not_logged_out(
    recruitment: Recruitment,
) -> None:
    client, manager = Client(), make_user("manager")
    client.force_login(manager)
    response = arrive(client, recruitment)
    assert response.status_code == 409
    assert "open its address in a private window" in response.text
    assert is_in(client, manager)
    assert not Participant.objects.exists()


def test_made_up_participants_cannot_flood_the_platform(
    recruitment: Recruitment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "REGISTRATION_LIMIT", 6)
    for number in range(6):
        assert arrive(Client(), recruitment, pid=f"p{number}").status_code == 302
    refused = arrive(Client(), recruitment, pid="one-more")
    assert refused.status_code == 429
    assert Participant.objects.count() == 6


def test_the_page_is_in_the_language_of_the_campaign(recruitment: Recruitment) -> None:
    change_settings(recruitment.campaign, None, language="de")
    response = Client().get(f"/crowd/{recruitment.key}/")
    assert '<html lang="de"' in response.text


def test_an_unknown_study_is_not_found() -> None:
    make_user("admin")
    assert Client().get("/crowd/nonsense/").status_code == 404
    assert Client().get("/crowd/%00/").status_code == 404


def test_asking_for_the_head_lets_nobody_in(recruitment: Recruitment) -> None:
    query = {"PROLIFIC_PID": "alice", "STUDY_ID": "a", "SESSION_ID": "b"}
    assert Client().head(f"/crowd/{recruitment.key}/", query).status_code == 200
    assert not Participant.objects.exists()


def test_coming_again_does_not_make_a_second_membership(recruitment: Recruitment) -> None:
    client = Client()
    for _ in range(3):
        arrive(client, recruitment)
    membership = Membership.objects.get(user=person())
    assert (membership.role, membership.most_tasks) == ("annotator", 2)


def test_keys_are_two_different_ones() -> None:
    assert private_key("first") is not private_key("unknown")
