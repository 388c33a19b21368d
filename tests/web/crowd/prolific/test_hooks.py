"""Events of the market: signed, of now, taken once, and never a server error."""

from __future__ import annotations

import hmac
import json
import time
from dataclasses import replace

import pytest
from django.test import Client, override_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gistmark.errors import UsageError
from gistmark.web.config.errors import NotAllowedError
from gistmark.web.config.storage.encryption import encrypt
from gistmark.web.crowd.models import MarketAccount, MarketEvent, MarketSecrets, Recruitment, Visit
from gistmark.web.crowd.prolific import hooks
from gistmark.web.crowd.prolific.hooks import TOLERANCE, subscribe
from web.crowd.arriving import arrive, recruiting
from web.crowd.market import Event, Market
from web.crowd.market_server import serving
from web.crowd.prolific.studying import listening, postman, published
from web.factories import again, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(shared_db) -> tuple[Market, Recruitment]:
    """A study that participants can take, of which the market sends events."""
    with serving() as served, override_settings(PROLIFIC_URL=served.address):
        study = published(served)
        listening(study.account)
        return served.market, study


@pytest.fixture
def market_at_start(made) -> Market:
    """The market, on which nobody has taken it yet."""
    return made[0].copy()


@pytest.fixture
def recruitment(made, db) -> Recruitment:
    return again(made[1])


@pytest.fixture
def taken(served, recruitment):
    """Somebody who took a place and has arrived."""
    taken = served.market.take(recruitment.study)
    arrive(Client(), recruitment, taken.participant, taken.id, recruitment.study)
    return taken


def status(taken) -> str:
    return Visit.objects.get(session=taken.id).status


def test_events_are_subscribed_to_once(served, recruitment):
    account = recruitment.account
    assert {each["event_type"] for each in served.market.subscriptions.values()} == {
        hooks.SUBMISSION, hooks.STUDY,
    }  # fmt: skip
    assert all(each["is_enabled"] for each in served.market.subscriptions.values())
    listening(account)
    assert len(served.market.subscriptions) == 2
    assert served.market.secret not in MarketSecrets.objects.get().hook_secret
    with pytest.raises(UsageError, match="https addresses only"):
        subscribe(account, "http://rate.example.org/crowd/hooks/x/", account.owner)
    with pytest.raises(NotAllowedError, match="owner of the token"):
        subscribe(account, "https://rate.example.org/", make_user("manager"))


def test_an_event_brings_a_visit_up_to_date(served, taken):
    assert set(served.market.deliver(postman(Client()))) == {200}
    assert status(taken) == "ACTIVE"
    served.market.complete(taken.id, "ANY")
    served.market.deliver(postman(Client()))
    assert status(taken) == "AWAITING REVIEW"


def test_an_event_brings_the_study_up_to_date(served, recruitment):
    served.market.move_study(recruitment.study, "PAUSE")
    served.market.deliver(postman(Client()))
    recruitment.refresh_from_db()
    assert (recruitment.market_status, recruitment.state) == ("PAUSED", "paused")


def test_an_event_that_comes_again_changes_nothing(served, taken):
    served.market.give_back(taken.id)
    event = served.market.outbox[-1]
    post = postman(Client())
    served.market.deliver(post)
    Visit.objects.update(status="changed since")
    assert post(event) == 200
    assert status(taken) == "changed since"
    assert MarketEvent.objects.filter(event=event.headers["X-Event-ID"]).count() == 1


@pytest.mark.parametrize("away", [-TOLERANCE - 5, TOLERANCE + 5])
def test_an_event_of_another_time_is_refused(served, taken, away):
    served.market.give_back(taken.id)
    event = served.market.outbox[-1]
    old = served.market.signed(event.target, event.body, at=int(time.time()) + away)
    assert postman(Client())(old) == 400
    assert status(taken) != "RETURNED"
    assert not MarketEvent.objects.exists()


@pytest.mark.parametrize(
    "forge",
    [
        lambda event: {"X-Prolific-Request-Signature": "AAAA"},
        lambda event: {"X-Prolific-Request-Signature": ""},
        lambda event: {"X-Prolific-Request-Signature": "é"},
        lambda event: {"X-Prolific-Request-Timestamp": str(int(time.time()) - 7)},
        lambda event: {
            "X-Prolific-Request-Signature": event.headers["X-Prolific-Request-Signature"].lower()
        },
    ],
)
def test_an_event_with_a_wrong_signature_is_refused(served, taken, forge):
    served.market.give_back(taken.id)
    event = served.market.outbox[-1]
    forged = Event(event.target, event.body, event.headers | forge(event))
    assert postman(Client())(forged) == 403
    changed = replace(event, body=event.body.replace(b"RETURNED", b"APPROVED"))
    assert postman(Client())(changed) == 403
    assert status(taken) != "APPROVED"
    assert not MarketEvent.objects.exists()


def test_signatures_are_compared_in_constant_time(served, taken, monkeypatch):
    compared = []
    monkeypatch.setattr(
        hooks.hmac, "compare_digest", lambda a, b: compared.append((a, b)) or hmac.digest is None
    )
    served.market.give_back(taken.id)
    assert set(served.market.deliver(postman(Client()))) == {403}
    assert compared


def test_without_a_secret_nothing_is_signed(served, recruitment, taken):
    target = f"https://x/crowd/hooks/{recruitment.account.key}/"
    MarketSecrets.objects.update(hook_secret="")
    served.market.secret = ""
    assert postman(Client())(served.market.signed(target, b"{}")) == 403
    assert Client().post("/crowd/hooks/0123456789/", b"{}", "application/json").status_code == 404


def test_an_event_of_one_account_says_nothing_about_anothers_study(served, recruitment, taken):
    other = MarketAccount.objects.create(owner=make_user("manager"), market="prolific", hint="xxxx")
    MarketSecrets.objects.create(account=other, token=encrypt("x"), hook_secret=encrypt("theirs"))
    theirs = Market(secret="theirs")
    body = json.dumps({
        "event_type": hooks.SUBMISSION, "resource_id": taken.id, "status": "RETURNED",
        "participant_id": taken.participant, "study_id": recruitment.study,
    }).encode()  # fmt: skip
    event = theirs.signed(f"https://x/crowd/hooks/{other.key}/", body)
    assert postman(Client())(event) == 200
    assert status(taken) != "RETURNED"


def test_an_event_that_names_another_participant_changes_nothing(served, recruitment, taken):
    body = json.dumps({
        "event_type": hooks.SUBMISSION, "resource_id": taken.id, "status": "RETURNED",
        "participant_id": "somebody-else",
    }).encode()  # fmt: skip
    target = f"https://x/crowd/hooks/{recruitment.account.key}/"
    assert postman(Client())(served.market.signed(target, body)) == 200
    assert status(taken) != "RETURNED"


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete", "head"])
def test_events_are_posted(recruitment, method):
    address = f"/crowd/hooks/{recruitment.account.key}/"
    assert getattr(Client(), method)(address).status_code == 405


def test_large_and_odd_requests_are_refused(served, recruitment):
    address = f"/crowd/hooks/{recruitment.account.key}/"
    large = Client().post(address, b"x" * (hooks.LARGEST + 1), content_type="application/json")
    assert large.status_code == 413
    assert Client().post("/crowd/hooks/%00/", b"{}", "application/json").status_code == 404


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
EVENTS = st.fixed_dictionaries(
    {},
    optional={
        "event_type": st.sampled_from([hooks.SUBMISSION, hooks.STUDY]) | JSON,
        "resource_id": JSON | st.just("known"),
        "participant_id": JSON | st.just("p1"),
        "study_id": JSON | st.just("study"),
        "status": JSON | st.sampled_from(["RETURNED", "ACTIVE", "x" * 99]),
    },
)
FUZZED = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
HEADER = st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=40)


@pytest.fixture
def account(db) -> MarketAccount:
    """An account with a study, of which a session is known."""
    recruitment = recruiting()
    account = MarketAccount.objects.create(
        owner=recruitment.campaign.owner, market="prolific", hint="tttt"
    )
    MarketSecrets.objects.create(account=account, token=encrypt("t"), hook_secret=encrypt("secret"))
    Recruitment.objects.filter(pk=recruitment.pk).update(study="study", account=account)
    arrive(Client(), recruitment, "p1", "known", "study")
    return account


def answer(account: MarketAccount, event: Event) -> int:
    target = f"https://x/crowd/hooks/{account.key}/"
    return postman(Client())(replace(event, target=target))


@FUZZED
@given(body=st.binary(max_size=200) | EVENTS.map(lambda each: json.dumps(each).encode()))
def test_whatever_a_signed_event_says_there_is_no_server_error(account, body):
    assert answer(account, Market(secret="secret").signed("", body)) in (200, 400)


@FUZZED
@given(body=st.binary(max_size=50), stamp=HEADER, signature=HEADER, event=HEADER)
def test_whatever_is_not_signed_is_refused(account, body, stamp, signature, event):
    headers = {
        "X-Prolific-Request-Timestamp": stamp,
        "X-Prolific-Request-Signature": signature,
        "X-Event-ID": event,
    }
    assert answer(account, Event("", body, headers)) in (400, 403)


@FUZZED
@given(event=HEADER)
def test_whatever_the_id_of_an_event_is_there_is_no_server_error(account, event):
    signed = Market(secret="secret").signed("", b"{}")
    signed.headers["X-Event-ID"] = event
    assert answer(account, signed) in (200, 400)
