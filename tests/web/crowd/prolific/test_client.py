"""Requests to the market: what is sent again, what never, and what errors say."""

from __future__ import annotations

import json
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from gistmark.errors import UsageError
from gistmark.web.crowd.prolific.calls import Prolific
from gistmark.web.crowd.prolific.client import Client, MarketError, UnsureError
from web.crowd.market import WORKSPACE, Market
from web.crowd.market_server import Served

STUDY = {
    "name": "Summaries",
    "internal_name": "gistmark-1",
    "description": "Rate summaries.",
    "external_study_url": "https://rate.example.org/?PROLIFIC_PID={{%PROLIFIC_PID%}}",
    "prolific_id_option": "url_parameters",
    "completion_codes": [
        {"code": "DONE", "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]}
    ],
    "total_available_places": 3,
    "estimated_completion_time": 10,
    "reward": 150,
    "filters": [
        {"filter_id": "fluent-languages", "selected_values": ["19"]},
        {"filter_id": "approval_rate", "selected_range": {"lower": 95, "upper": 100}},
    ],
}


def client_of(served: Served, waits: list[float] | None = None, **options: object) -> Client:
    waits = [] if waits is None else waits
    settings = {"timeout": 5.0, **options}
    return Client(served.market.token, served.address, sleep=waits.append, **settings)


def market_of(served: Served) -> Prolific:
    return Prolific(client_of(served))


def test_a_study_lives_as_the_market_describes_it(served):
    market = market_of(served)
    draft = market.create_study(STUDY)
    assert (draft.status, draft.places) == ("UNPUBLISHED", 3)
    assert [each.internal_name for each in market.studies()] == ["gistmark-1"]
    states = [market.transition(draft.id, a).status for a in ("PUBLISH", "PAUSE", "START", "STOP")]
    assert states == ["ACTIVE", "PAUSED", "ACTIVE", "COMPLETED"]
    with pytest.raises(MarketError, match="A study that is COMPLETED cannot PAUSE"):
        market.transition(draft.id, "PAUSE")
    assert market.update_study(draft.id, {"total_available_places": 5}).places == 5
    assert market.study(draft.id).status == "ACTIVE"


def test_cost_least_reward_filters_and_workspaces_are_read(served):
    market = market_of(served)
    # 3 × 150 = 450; a fee of 25 % is 112.5, with 20 % tax 135: 585 in all.
    assert market.cost(reward=150, places=3) == 585
    assert market.least_per_hour(WORKSPACE, "GBP") == 600
    assert market.filters(WORKSPACE)["fluent-languages"].choices["German"] == "20"
    assert market.workspaces() == {WORKSPACE: "Summaries"}
    assert market.user_id() == "researcher"


def test_submissions_are_listed_approved_rejected_and_asked_back(served):
    market = market_of(served)
    study = market.create_study(STUDY).id
    market.transition(study, "PUBLISH")
    first, second, third = (served.market.take(study) for _ in range(3))
    for each in (first, second):
        served.market.complete(each.id, "DONE")
    served.market.give_back(third.id)
    market.approve([first.id])
    market.approve([first.id])
    assert market.reject(second.id, "FAILED_CHECK", "You missed both. " * 10) == "REJECTED"
    statuses = {each.id: each.status for each in market.submissions(study)}
    assert statuses == {first.id: "APPROVED", second.id: "REJECTED", third.id: "RETURNED"}
    assert market.counts(study) == {"APPROVED": 1, "REJECTED": 1, "RETURNED": 1, "TOTAL": 3}
    assert served.market.payments == [(first.id, 150, "reward")]
    fourth = served.market.take(study)
    market.request_return(fourth.id, ["Withdrew consent"])
    assert served.market.submissions[fourth.id].return_requested


def test_bonuses_are_set_up_with_their_total_and_then_paid(served):
    market = market_of(served)
    study = market.create_study(STUDY).id
    market.transition(study, "PUBLISH")
    taken = served.market.take(study)
    bulk = market.set_up_bonuses(study, {taken.id: 125})
    # 125 and a fee of 31.25, rounded to 31, and tax on that, 6.2, rounded to 6.
    assert (bulk.amount, bulk.fees, bulk.tax, bulk.total) == (125, 31, 6, 162)
    assert served.market.payments == []
    market.pay_bonuses(bulk.id)
    assert market.submission(taken.id)[1] == (125,)


def test_a_subscription_is_made_confirmed_and_ended(served):
    market = market_of(served)
    secret = market.hook_secret(WORKSPACE)
    assert secret == market.hook_secret(WORKSPACE) == served.market.secret
    made = market.subscribe(WORKSPACE, "submission.status.change", "https://x.example.org/h/")
    assert not served.market.subscriptions[made.id]["is_enabled"]
    market.confirm(made)
    assert served.market.subscriptions[made.id]["is_enabled"]
    assert [each.id for each in market.subscriptions(WORKSPACE)] == [made.id]
    market.unsubscribe(made.id)
    assert market.subscriptions(WORKSPACE) == []


def test_the_market_is_asked_again_after_the_time_that_it_names(served):
    waits: list[float] = []
    served.faults += [(429, {"Retry-After": "3"}), (503, {})]
    assert Prolific(client_of(served, waits)).user_id() == "researcher"
    assert waits[0] == 3
    assert 0.5 <= waits[1] <= 1
    assert len(served.requests) == 3


def test_a_wait_may_be_named_as_a_date(served):
    waits: list[float] = []
    later = datetime.now(UTC) + timedelta(seconds=5)
    served.faults += [(429, {"Retry-After": format_datetime(later, usegmt=True)})]
    Prolific(client_of(served, waits)).user_id()
    assert 2 < waits[0] <= 5


def test_nobody_waits_longer_than_they_want_to(served):
    waits: list[float] = []
    served.faults += [(429, {"Retry-After": "3600"})]
    with pytest.raises(MarketError, match=r"no more requests just now.*try again later"):
        Prolific(client_of(served, waits)).user_id()
    assert waits == []


def test_what_fails_again_and_again_is_given_up(served):
    served.faults += [(502, {})] * 9
    with pytest.raises(MarketError, match="status 502"):
        Prolific(client_of(served)).user_id()
    assert len(served.requests) == 4


@pytest.mark.parametrize("fault", [(500, {}), (503, {"Retry-After": "1"}), "lost"])
def test_a_study_is_never_created_twice(served, fault):
    served.faults.append(fault)
    with pytest.raises(UnsureError, match="It may have been done all the same"):
        market_of(served).create_study(STUDY)
    assert len(served.requests) == 1
    assert len(served.market.studies) == (fault == "lost")


def test_bonuses_are_never_paid_twice(served):
    market = market_of(served)
    study = market.create_study(STUDY).id
    market.transition(study, "PUBLISH")
    bulk = market.set_up_bonuses(study, {served.market.take(study).id: 100})
    served.faults.append("lost")
    with pytest.raises(UnsureError):
        market.pay_bonuses(bulk.id)
    assert len(served.market.payments) == 1


def test_a_request_that_was_not_taken_is_sent_again_even_if_it_creates_something(served):
    served.faults.append((429, {}))
    market_of(served).create_study(STUDY)
    assert len(served.market.studies) == 1


def test_a_market_that_cannot_be_reached_is_an_error_and_not_unsure():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client = Client("t", f"http://127.0.0.1:{port}", sleep=lambda _: None)
    with pytest.raises(MarketError, match="cannot be reached") as raised:
        Prolific(client).create_study(STUDY)
    assert not isinstance(raised.value, UnsureError)


def test_a_wrong_token_is_a_sentence_without_the_token(served):
    client = Client("wrong-token-123", served.address)
    with pytest.raises(MarketError, match="does not accept the API token") as raised:
        Prolific(client).user_id()
    assert "wrong-token-123" not in str(raised.value) + repr(client) + repr(raised.value)
    assert raised.value.__cause__ is None


def test_an_echoed_token_is_left_out_of_the_error(served, monkeypatch):
    def refuse(*_: object) -> None:
        from web.crowd.market import RefusedError

        raise RefusedError(f"The header was Token {served.market.token}")

    monkeypatch.setattr(Market, "move_study", refuse)
    with pytest.raises(MarketError, match="The header was Token …") as raised:
        market_of(served).transition("x", "PUBLISH")
    assert served.market.token not in str(raised.value)


def test_no_redirect_takes_the_token_elsewhere(served):
    served.faults.append((302, {"Location": f"{served.address}/api/v1/workspaces/"}))
    with pytest.raises(MarketError):
        market_of(served).user_id()
    assert served.requests == [("GET", "/api/v1/users/me/")]


@pytest.mark.parametrize(
    "address", ["http://api.prolific.com", "ftp://127.0.0.1", "file:///etc/passwd", "", "https://"]
)
def test_a_token_goes_to_https_or_this_machine_only(address):
    with pytest.raises(UsageError, match="must be an https address"):
        Client("token", address)


@pytest.mark.parametrize("token", ["a b", "a\nb", "ä"])
def test_a_token_that_cannot_be_one_is_refused_without_showing_it(token):
    with pytest.raises(UsageError, match="no spaces") as raised:
        Client(token)
    assert token not in str(raised.value)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"detail": "No."}, "Prolific refused this: No."),
        ({"error": {"title": "Bad", "detail": ["a.", "b"]}}, "Prolific refused this: Bad: a: b."),
        (
            {"error": {"detail": {"reward": ["too low"]}}},
            "Prolific refused this: reward – too low.",
        ),
        ([], "Prolific refused this with status 400."),
        ({"reward": ["too low"]}, "Prolific refused this: reward – too low."),
        ({"detail": "x" * 999}, f"Prolific refused this: {'x' * 400}…."),
    ],
)
def test_the_markets_own_words_make_one_sentence(body, sentence):
    from gistmark.web.crowd.prolific.client import _message

    said = _message(json.dumps(body).encode())
    assert f"Prolific refused this{said or ' with status 400'}." == sentence
