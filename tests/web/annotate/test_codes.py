"""Completion codes: who sees which, where, and when."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from gistmark.judgements.tasks.slots import SUBMITTED
from gistmark.web.annotate.codes import completion_code, shown_code
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.annotate.services.leases import release
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import change_settings, close
from web.annotate.answering import claimed, done, whole
from web.api.calling import Caller
from web.crowd.working import WRONG, coded_campaign, mark
from web.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(annotator):
    return coded_campaign((annotator,))


def text(client, name, *arguments) -> str:
    response = client.get(reverse(name, args=arguments))
    assert response.status_code == 200
    return response.content.decode()


def test_every_task_has_a_code_of_its_own(campaign):
    codes = {completion_code(pk, campaign) for pk in Task.objects.values_list("pk", flat=True)}
    assert len(codes) == Task.objects.count() > 5


@pytest.mark.parametrize("state", Task.State.values)
def test_a_code_is_shown_once_the_task_is_submitted_whatever_the_checks_said(campaign, state):
    task = Task.objects.first()
    task.state = state
    submitted = state in SUBMITTED
    assert (shown_code(task, campaign) is not None) == submitted
    campaign.completion_codes = False
    assert shown_code(task, campaign) is None


def test_submitting_gives_the_code_and_so_does_sending_it_again(campaign, annotator, log_in):
    client, task = log_in(annotator), claimed(campaign, annotator)
    page = text(client, "task", task.pk)
    assert completion_code(task.pk, campaign) not in page
    sent = {"key": str(uuid4()), "answer": whole(browser_payload(task))}
    address = reverse("api:submit_task", args=[task.pk])
    for _ in range(2):
        reply = client.post(address, sent, content_type="application/json").json()
        assert reply["completion_code"] == completion_code(task.pk, campaign)
    assert completion_code(task.pk, campaign) in text(client, "task", task.pk)


def test_a_task_that_is_refused_gives_no_code(campaign, annotator, log_in):
    task = claimed(campaign, annotator)
    sent = {"key": str(uuid4()), "answer": {"items": {}}}
    address = reverse("api:submit_task", args=[task.pk])
    reply = log_in(annotator).post(address, sent, content_type="application/json")
    assert reply.status_code == 400
    assert completion_code(task.pk, campaign) not in reply.content.decode()


def test_the_list_of_work_has_the_codes_of_what_is_submitted(campaign, annotator, log_in):
    accepted, failed = done(campaign, annotator), done(campaign, annotator)
    mark(failed, "rejected", WRONG)
    held, given_back = claimed(campaign, annotator), None
    page = text(log_in(annotator), "work")
    for submission in (accepted, failed):
        assert f">{completion_code(submission.task_id, campaign)}</code>" in page
    assert completion_code(held.pk, campaign) not in page
    release(held, annotator)
    given_back = Task.objects.get(pk=held.pk)
    assert (
        given_back.state,
        completion_code(held.pk, campaign) in text(log_in(annotator), "work"),
    ) == (
        "lapsed",
        False,
    )


def test_codes_are_still_listed_when_the_campaign_is_closed(campaign, annotator, log_in):
    task = done(campaign, annotator).task
    close(campaign, None)
    assert completion_code(task.pk, campaign) in text(log_in(annotator), "work")


def test_without_the_setting_nobody_sees_a_code(campaign, annotator, log_in):
    task = done(campaign, annotator).task
    code = completion_code(task.pk, campaign)
    change_settings(campaign, None, completion_codes=False)
    seen = [
        text(log_in(annotator), "work"),
        text(log_in(annotator), "task", task.pk),
        text(log_in(campaign.owner), "campaign-work", campaign.key),
        str(Caller(annotator).get("/tasks").json()),
        str(Caller(campaign.owner).get(f"/campaigns/{campaign.key}/submissions").json()),
    ]
    assert not [page for page in seen if code in page]
    assert "Approvals for a crowd market" not in seen[2]


def test_an_answer_that_may_be_changed_keeps_its_code(annotator, log_in):
    campaign = coded_campaign((annotator,))
    campaign.protocol["editable"] = True
    campaign.save()
    task = done(campaign, annotator).task
    page = text(log_in(annotator), "task", task.pk)
    assert "You may change your answers" in page
    assert page.count(completion_code(task.pk, campaign)) == 1


def test_managers_see_the_code_beside_each_task_that_is_submitted(campaign, annotator, log_in):
    first, second = done(campaign, annotator).task, done(campaign, annotator).task
    held = claimed(campaign, annotator)
    page = text(log_in(campaign.owner), "campaign-work", campaign.key)
    assert all(completion_code(task.pk, campaign) in page for task in (first, second))
    assert completion_code(held.pk, campaign) not in page
    assert "Approvals for a crowd market" in page
    listed = Caller(campaign.owner).get(f"/campaigns/{campaign.key}/submissions").json()
    codes = {each["completion_code"] for each in listed["submissions"]}
    assert codes == {completion_code(first.pk, campaign), completion_code(second.pk, campaign)}


def test_the_api_gives_codes_with_the_reply_and_with_ones_own_tasks():
    ann, bob = make_user(), make_user()
    campaign = coded_campaign((ann, bob))
    foreign = done(campaign, bob).task
    task, caller = claimed(campaign, ann), Caller(ann)
    assert [each["completion_code"] for each in caller.get("/tasks").json()] == [None]
    sent = {"key": str(uuid4()), "answer": whole(browser_payload(task))}
    reply = caller.post(f"/tasks/{task.pk}/submit", sent).json()
    assert reply["completion_code"] == completion_code(task.pk, campaign)
    listed = caller.get("/tasks").content.decode()
    assert completion_code(task.pk, campaign) in listed
    assert completion_code(foreign.pk, campaign) not in listed


def test_workers_are_told_that_there_will_be_codes(campaign, annotator, log_in):
    told = "You get a completion code for every task"
    assert told in text(log_in(annotator), "work-begin", campaign.key)
    change_settings(campaign, None, completion_codes=False)
    assert told not in text(log_in(annotator), "work-begin", campaign.key)


def test_codes_outlive_a_move_to_a_machine_with_another_secret_key(campaign, annotator, settings):
    task = done(campaign, annotator).task
    before = completion_code(task.pk, campaign)
    settings.SECRET_KEY = "another machine's"
    assert completion_code(task.pk, Campaign.objects.get(pk=campaign.pk)) == before
