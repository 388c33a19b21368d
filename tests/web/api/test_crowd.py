"""Studies on Prolific by programs: the same rules as on the pages."""

from __future__ import annotations

import pytest

from gistmark.web.crowd.prolific.accounts import connect
from web.api.calling import Caller
from web.crowd.prolific.studying import MISSED, judged, work_on
from web.factories import make_campaign, make_corpus

pytestmark = pytest.mark.django_db

STUDY = {"places": 3, "tasks_per_participant": 2, "minutes": 10, "reward": 150}


@pytest.fixture
def campaign():
    return make_campaign(corpus=make_corpus(documents=8), judges=3, items_per_task=2)


def test_a_study_from_its_plan_to_the_bonus(campaign, served):
    caller, root = Caller(campaign.owner), f"/campaigns/{campaign.key}/studies"
    low = caller.post(root, STUDY | {"reward": 99})
    assert (low.status_code, "at least £6.00 for an hour" in low.json()["detail"]) == (400, True)
    planned = caller.post(root, STUDY | {"filters": {"languages": ["English"]}})
    assert planned.status_code == 201
    path = f"{root}/{planned.json()['key']}"
    create = {"step": "create", "url": "https://rate.example.org"}
    assert caller.post(f"{path}/step", create).status_code == 409
    connect(campaign.owner, served.market.token)
    assert caller.post(f"{path}/step", {"step": "create", "url": "x"}).status_code == 400
    assert caller.post(f"{path}/step", create).json()["market_status"] == "UNPUBLISHED"
    assert caller.post(f"{path}/step", {"step": "publish"}).json()["state"] == "active"
    recruitment = campaign.recruitments.get()
    good, bad = work_on(served, recruitment), work_on(served, recruitment)
    judged(bad, "rejected", MISSED)
    report = caller.post(f"{path}/sync").json()
    assert report["there"] == report["here"] == {"AWAITING REVIEW": 2}
    [first, second] = caller.get(f"{path}/submissions").json()
    assert (first["suggestion"], second["failures"]) == ("approve", 1)
    refused = caller.post(f"{path}/review", {"action": "reject", "people": [bad.name]})
    assert (refused.status_code, "here 1 failed" in refused.json()["detail"]) == (409, True)
    everybody = [good.name, bad.name]
    approved = caller.post(f"{path}/review", {"action": "approve", "people": everybody})
    assert approved.json() == {"count": 2}
    bonus = caller.post(f"{path}/bonuses", {"amount": 100, "people": [good.name]}).json()
    pay = f"{path}/bonuses/{bonus['id']}/pay"
    assert caller.post(pay, {"total": bonus["total"] - 1}).status_code == 409
    assert caller.post(pay, {"total": bonus["total"]}).json()["state"] == "paid"
    assert caller.post(pay, {"total": bonus["total"]}).status_code == 409
    assert len(served.market.payments) == 3
    assert caller.get(root).json()[0]["study"] == recruitment.study
    pids = {each.participant for each in served.market.submissions.values()}
    assert not [pid for pid in pids if pid in caller.get(f"{path}/submissions").text]


def test_bonuses_can_be_given_up(campaign, served):
    caller, root = Caller(campaign.owner), f"/campaigns/{campaign.key}/studies"
    connect(campaign.owner, served.market.token)
    path = f"{root}/{caller.post(root, STUDY).json()['key']}"
    caller.post(f"{path}/step", {"step": "create", "url": "https://rate.example.org"})
    caller.post(f"{path}/step", {"step": "publish"})
    work = work_on(served, campaign.recruitments.get())
    bonus = caller.post(f"{path}/bonuses", {"amount": 100, "people": [work.name]}).json()
    assert caller.call("DELETE", f"{path}/bonuses/{bonus['id']}").status_code == 204
    assert caller.call("DELETE", f"{path}/bonuses/{bonus['id']}").status_code == 404
    asked = {"action": "return", "people": [work.name], "message": "Please return it."}
    assert caller.post(f"{path}/review", asked).json() == {"count": 1}
    assert served.market.submissions[work.visit.session].return_requested
