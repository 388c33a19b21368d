"""A whole study on Prolific: drafted, published, taken by twenty and more, reviewed and paid.

Everything goes through pages, over HTTP to the market, and back by its signed events. Afterwards
both sides agree to the last submission, nothing is lost, and nobody is paid twice.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from django.test import Client

from gistmark.web.annotate.models import Batch, Submission, Task
from gistmark.web.crowd.models import (
    BonusPayment,
    MarketAccount,
    MarketSecrets,
    Participant,
    Recruitment,
    Visit,
)
from gistmark.web.crowd.prolific.sync import sync
from web.annotate.answering import done
from web.crowd.arriving import arrive, person
from web.crowd.market import FREE_AGAIN, Event, RefusedError, Taken
from web.crowd.market_server import Served
from web.crowd.prolific.studying import postman
from web.factories import make_campaign, make_corpus
from web.manage.browsing import url

pytestmark = pytest.mark.django_db

PLACES = 15
SETTINGS = {
    "places": str(PLACES), "tasks_per_participant": "1", "minutes": "10", "reward": "1.50",
    "languages": "English", "approval_rate": "95", "exclude_earlier": "on",
}  # fmt: skip
RETURN, TIME_OUT, LATE, DECLINE, BACK, TWICE, GUESS = range(7)
"""What some participants do instead of working through and entering their code once."""


@dataclass
class Crowd:
    """The participants of a study, and the events that are on their way."""

    served: Served
    recruitment: Recruitment
    chance: random.Random = field(default_factory=lambda: random.Random(15))
    sent: list[Event] = field(default_factory=list)
    submitted: int = 0

    def everybody(self, behaviours: dict[int, int]) -> None:
        """Participants come until no place is free; those of `behaviours` do something odd."""
        for number in range(PLACES * 2):
            try:
                taken = self.served.market.take(self.recruitment.study)
            except RefusedError:
                return
            self.one(taken, behaviours.get(number))
            if number % 5 == 4:
                self.deliver()

    def one(self, taken: Taken, behaviour: int | None) -> None:
        market, client = self.served.market, Client()
        campaign = self.recruitment.campaign
        address = urlsplit(market.address(taken))
        where = f"{address.path}?{address.query}"
        assert client.get(where, secure=True).status_code == 302
        if behaviour == DECLINE:
            client.post(f"/work/{campaign.key}/decline/", secure=True)
            market.complete(taken.id, self.code(client))
            market.give_back(taken.id)
            return
        client.post(f"/work/{campaign.key}/", follow=True, secure=True)
        if behaviour == RETURN:
            market.give_back(taken.id)
            return
        if behaviour in (TIME_OUT, LATE):
            market.time_out(taken.id)
            self.deliver()
        if behaviour == TIME_OUT:
            return
        if behaviour == BACK:
            del client.cookies["sessionid"]
            assert client.get(where, secure=True).status_code == 302
        self.work(taken)
        code = self.code(client)
        assert (code == self.recruitment.codes["too_late"]) == (behaviour == LATE)
        if behaviour == LATE:
            return
        market.complete(taken.id, "GUESSED1" if behaviour == GUESS else code)
        if behaviour == TWICE:
            market.complete(taken.id, code)
            assert self.code(client) == code

    def work(self, taken: Taken) -> None:
        """Do the task that the participant has, or had before the place was given away."""
        user, campaign = person(taken.participant), self.recruitment.campaign
        begun = Task.objects.filter(annotator=user, campaign=campaign).first()
        if begun is not None and begun.state == "lapsed":
            late_answer(begun)
        else:
            done(campaign, user)
        self.submitted += 1

    def code(self, client: Client) -> str:
        """The completion code on the participant's last page."""
        page = client.get(
            f"/work/{self.recruitment.campaign.key}/finish/", follow=True, secure=True
        )
        [code] = [each for each in self.recruitment.codes.values() if each in page.text]
        return code

    def deliver(self) -> None:
        """Bring what the market has sent, in any order, and some of it again."""
        post = postman(Client())
        market = self.served.market
        self.sent += market.outbox
        self.chance.shuffle(market.outbox)
        assert set(market.deliver(post)) <= {200}
        assert post(self.chance.choice(self.sent)) == 200


def late_answer(task: Task) -> Submission:
    """What the participant's browser still sends after the place was given away."""
    from uuid import uuid4

    from gistmark.web.annotate.services.drafts import browser_payload
    from web.annotate.answering import submit, whole

    assert task.annotator is not None
    return submit(task.pk, task.annotator, uuid4(), whole(browser_payload(task)))


@pytest.fixture
def recruitment(served, log_in) -> Recruitment:
    """A study that a manager has made, connected and published on the pages."""
    campaign = make_campaign(corpus=make_corpus(documents=6), judges=3, items_per_task=2)
    client = log_in(campaign.owner)
    account = url("campaign-recruit-account", campaign)
    client.post(account, {"step": "connect", "token": served.market.token}, secure=True)
    client.post(account, {"step": "events"}, secure=True)
    client.post(url("campaign-recruit", campaign), SETTINGS, secure=True)
    made = Recruitment.objects.get()
    for step in ("create", "publish"):
        where = url("campaign-study-step", campaign, made.key)
        client.post(where, {"step": step}, secure=True)
    made.refresh_from_db()
    assert (made.market_status, made.state) == ("ACTIVE", "active")
    return made


def forge(crowd: Crowd) -> None:
    """Write others' ids into addresses, and events without the secret or of another time."""
    market, recruitment = crowd.served.market, crowd.recruitment
    victim = next(each for each in market.submissions.values() if each.status == "AWAITING REVIEW")
    people = Participant.objects.count()
    for pid, session in (
        (victim.participant, victim.id),
        (victim.participant, "another-session"),
        ("mallory", victim.id),
    ):
        stranger = Client()
        assert arrive(stranger, recruitment, pid, session, recruitment.study).status_code == 403
        assert "_auth_user_id" not in stranger.session
    assert arrive(Client(), recruitment, victim.participant, victim.id, "x").status_code == 403
    assert Participant.objects.count() == people
    target = next(iter(market.subscriptions.values()))["target_url"]
    body = crowd.sent[-1].body.replace(b"ACTIVE", b"RETURNED")
    old = market.signed(target, body, at=int(time.time()) - 3600)
    unsigned = Event(target, body, old.headers | {"X-Prolific-Request-Timestamp": "1"})
    before = list(Visit.objects.order_by("pk").values_list("status", flat=True))
    assert postman(Client())(old) == 400
    assert postman(Client())(unsigned) == 400
    market.secret, secret = "guessed", market.secret
    assert postman(Client())(market.signed(target, body)) == 403
    market.secret = secret
    assert list(Visit.objects.order_by("pk").values_list("status", flat=True)) == before


def review(client: Client, crowd: Crowd) -> None:
    """Approve everybody who is suggested, twice; then a bonus for three, twice."""
    campaign, key = crowd.recruitment.campaign, crowd.recruitment.key
    ticked = [
        str(visit.pk)
        for visit in Visit.objects.filter(status="AWAITING REVIEW", outcome="completed")
    ]
    approve = url("campaign-study-approve", campaign, key)
    crowd.served.faults.append("lost")
    for _ in range(2):
        client.post(approve, {"visits": ticked}, secure=True)
    bonuses = url("campaign-study-bonuses", campaign, key)
    chosen = {"visits": ticked[:3], "step": "set-up", "amount": "0.50"}
    for _ in range(2):
        client.post(bonuses, chosen, secure=True)
    payment = BonusPayment.objects.get()
    confirmed = {"payment": payment.pk, "step": "pay", "total": payment.total}
    for _ in range(2):
        client.post(bonuses, confirmed, secure=True)


def test_both_sides_agree_to_the_last_submission_and_nobody_is_paid_twice(
    served, recruitment, log_in
):
    market, campaign = served.market, recruitment.campaign
    crowd = Crowd(served, recruitment)
    odd = {1: RETURN, 3: TIME_OUT, 4: LATE, 6: DECLINE, 7: BACK, 9: TWICE, 11: RETURN,
           12: GUESS, 14: LATE, 15: TWICE, 17: TIME_OUT, 20: BACK}  # fmt: skip
    crowd.everybody(odd)
    crowd.deliver()
    forge(crowd)
    by_events = dict(Visit.objects.values_list("session", "status"))
    client = log_in(campaign.owner)
    client.post(
        url("campaign-study-step", campaign, recruitment.key), {"step": "sync"}, secure=True
    )
    review(client, crowd)
    crowd.deliver()
    report = sync(recruitment)

    there = {each.id: each for each in market.submissions.values()}
    here = {each.session: each for each in Visit.objects.select_related("participant")}
    assert there.keys() == here.keys()
    for session, visit in here.items():
        assert (visit.status, visit.participant.pid) == (
            there[session].status, there[session].participant,
        )  # fmt: skip
    assert {s: status for s, status in by_events.items() if status in FREE_AGAIN} == {
        each.id: each.status for each in there.values() if each.status in FREE_AGAIN
    }
    assert report.there == report.here == dict(Counter(e.status for e in there.values()))
    assert {each.kind: each.count for each in report.differences} == {
        "wrong-code": 1,
        "left-with-work": 2,
    }
    assert market.places_taken(recruitment.study) == PLACES
    assert len(there) == PLACES + 7

    assert Submission.objects.count() == crowd.submitted == PLACES + 2
    assert not Task.objects.filter(campaign=campaign, state="held").exists()
    counting = Counter(Task.objects.filter(state="done").values_list("batch", flat=True))
    wanted = {batch.pk: 3 for batch in Batch.objects.filter(campaign=campaign)}
    extra = sum(max(0, counting[pk] - judges) for pk, judges in wanted.items())
    assert extra == 0
    late = Task.objects.filter(state="late").count()
    assert sum(counting.values()) + late == crowd.submitted

    paid = Counter((session, kind) for session, _, kind in market.payments)
    assert set(paid.values()) == {1}
    rewarded = {session for session, kind in paid if kind == "reward"}
    assert rewarded == {each.id for each in there.values() if each.status == "APPROVED"}
    assert len(rewarded) == PLACES
    assert sum(kind == "bonus" for _, kind in paid) == 3
    assert BonusPayment.objects.get().state == "paid"


def test_no_page_and_no_record_tells_the_ids_of_the_market(served, recruitment, log_in):
    crowd = Crowd(served, recruitment)
    for _ in range(2):
        crowd.one(served.market.take(recruitment.study), None)
    crowd.deliver()
    campaign, client = recruitment.campaign, log_in(recruitment.campaign.owner)
    sync(recruitment)
    recruitment.refresh_from_db()
    pages = [
        client.get(url(name, campaign, *more)).text
        for name, more in (
            ("campaign", ()),
            ("campaign-recruit", ()),
            ("campaign-study", (recruitment.key,)),
            ("campaign-study-review", (recruitment.key,)),
            ("campaign-people", ()),
            ("campaign-work", ()),
        )
    ]
    told = " ".join([
        *pages, str(recruitment.report), str(list(campaign.events.values_list("about", flat=True))),
    ])  # fmt: skip
    ids = [each.participant for each in served.market.submissions.values()]
    secrets = [served.market.token, served.market.secret]
    assert [each for each in [*ids, *secrets] if each in told] == []
    stored = str([*MarketAccount.objects.values(), *MarketSecrets.objects.values()])
    assert [each for each in secrets if each in stored] == []
