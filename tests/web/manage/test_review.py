"""The review of work: the list, one submission, decisions on one or many, and undo."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from gistmark.web.annotate.models import Decision, DecisionGroup, Submission, Task
from gistmark.web.annotate.services.comments import add_comment
from gistmark.web.annotate.services.decisions import last_group
from gistmark.web.campaigns.models import Event
from web.api.calling import Caller
from web.factories import again
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db

FLAG = {"kind": "too_fast", "reason": "The task took 1.0 seconds.", "severity": "flag"}
JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def made_campaign(shared_db):
    """Eight submissions by two annotators; the oldest is flagged."""
    made = worked_campaign(annotators=2)
    hasty = works(made)[0]
    Submission.objects.filter(pk=hasty.pk).update(flags=[FLAG])
    Task.objects.filter(pk=hasty.task_id).update(flagged=True)
    return made


@pytest.fixture
def campaign(made_campaign, db):
    return again(made_campaign)


@pytest.fixture
def client(campaign, log_in):
    return log_in(campaign.owner)


def works(campaign) -> list[Submission]:
    return list(Submission.objects.filter(task__campaign=campaign).order_by("received_at", "pk"))


def page(client, name, *args, **query):
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200, response.content
    return response.content.decode()


def rows(client, campaign, **query) -> list[int]:
    """The submissions on the list, in its order."""
    shown = page(client, "campaign-work", campaign.key, **query)
    numbers = {shown.find(f'id="submission-{each.pk}"'): each.pk for each in works(campaign)}
    return [pk for at, pk in sorted(numbers.items()) if at >= 0]


def decide_many(client, campaign, query="", **sent):
    address = reverse("campaign-work-decide-many", args=[campaign.key])
    return client.post(f"{address}{query}", {"decision": "reject", "reason": "Odd.", **sent})


def test_flagged_work_comes_first_with_its_reason_and_keeps_its_position(campaign, client):
    hasty, *others = works(campaign)
    assert rows(client, campaign)[0] == hasty.pk
    assert FLAG["reason"] in page(client, "campaign-work", campaign.key)
    assert rows(client, campaign, show="to-review") == [hasty.pk]
    assert rows(client, campaign, show="undecided") == [hasty.pk]
    client.post(
        reverse("campaign-work-decide", args=[campaign.key, hasty.pk]), {"decision": "accept"}
    )
    assert rows(client, campaign)[0] == hasty.pk
    assert rows(client, campaign, show="to-review") == []
    assert len(rows(client, campaign, show="accepted")) == len(others) + 1


def test_the_list_is_filtered_by_person_check_and_text(campaign, client):
    hasty = works(campaign)[0]
    name = hasty.annotator.username
    assert len(rows(client, campaign, annotator=name)) == 4
    assert rows(client, campaign, check="too_fast") == [hasty.pk]
    assert rows(client, campaign, check='"') == []
    assert len(rows(client, campaign, text="TITLE OF d1")) == 4
    assert len(rows(client, campaign, text="d2 by sys1")) == 2
    assert rows(client, campaign, text="100%") == []
    assert rows(client, campaign, annotator="nobody") == []
    add_comment(hasty.task, hasty.annotator, uuid4(), text="The text is cut off.", kind="problem")
    assert rows(client, campaign, comments="yes") == [hasty.pk]
    shown = page(client, "campaign-submission", campaign.key, hasty.pk)
    assert "The text is cut off." in shown
    assert len(rows(client, campaign, show="odd", page="999", text="\x00")) == 8


def test_one_submission_shows_texts_answers_and_what_managers_alone_know(campaign, client):
    hasty = works(campaign)[0]
    shown = page(client, "campaign-submission", campaign.key, hasty.pk)
    (entry,) = hasty.task.content["entries"]
    text = f"Summary of {entry['document']} by {entry['systems'][0]} is short."
    assert text in shown
    assert f"<b><bdi>{entry['systems'][0]}</bdi></b>" in shown
    assert FLAG["reason"] in shown
    assert "undecided" in shown


def test_the_statement_and_the_planted_summaries_are_told_apart(log_in):
    made = worked_campaign("fluency", annotators=1, style="careless")
    shown = page(log_in(made.owner), "campaign-submission", made.key, works(made)[0].pk)
    assert all(f"planted: {kind}" in shown for kind in ("good", "mediocre", "bad"))
    made = worked_campaign("content-document", annotators=1)
    shown = page(log_in(made.owner), "campaign-submission", made.key, works(made)[0].pk)
    assert "It is <b>true</b>; the annotator said <b>true</b>." in shown


def test_next_and_previous_go_through_the_filter_also_after_a_decision(campaign, client):
    order = rows(client, campaign)
    for before, pk, after in zip(order, order[1:], order[2:], strict=False):
        shown = page(client, "campaign-submission", campaign.key, pk)
        for other, name in ((before, "previous"), (after, "next")):
            address = reverse("campaign-submission", args=[campaign.key, other])
            assert f'id="{name}" href="{address}"' in shown
    assert f"2 of {len(order)}" in page(client, "campaign-submission", campaign.key, order[1])
    second = Submission.objects.get(pk=order[3])
    Submission.objects.filter(pk=second.pk).update(flags=[FLAG])
    Task.objects.filter(pk=second.task_id).update(flagged=True)
    first, last = rows(client, campaign, show="to-review")
    address = reverse("campaign-work-decide", args=[campaign.key, first])
    client.post(f"{address}?show=to-review", {"decision": "accept"})
    shown = page(client, "campaign-submission", campaign.key, first, show="to-review")
    assert "no longer among the 1" in shown
    assert f'href="/campaigns/{campaign.key}/work/{last}/?show=to-review"' in shown


def test_work_is_rejected_with_a_reason_and_accepted_again_with_one_click(campaign, client):
    submission = works(campaign)[1]
    address = reverse("campaign-work-decide", args=[campaign.key, submission.pk])
    response = client.post(address, {"decision": "reject", "reason": "Too odd."}, follow=True)
    assert "its slot is open again" in response.content.decode()
    assert "Too odd." in response.content.decode()
    assert Task.objects.get(pk=submission.task_id).state == "rejected"
    client.post(address, {"decision": "accept"})
    assert Task.objects.get(pk=submission.task_id).state == "done"
    verbs = Event.objects.filter(campaign=campaign, user=campaign.owner).values_list("verb")
    assert list(verbs)[:2] == [("accepted",), ("rejected",)]


def test_what_cannot_be_decided_is_said_in_a_sentence(campaign, client):
    submission = works(campaign)[1]
    address = reverse("campaign-work-decide", args=[campaign.key, submission.pk])
    for data, sentence in (
        ({"decision": "reject", "reason": " "}, "A rejection needs a reason."),
        ({"decision": "reject", "reason": "x\x00"}, "A reason is text"),
        ({"decision": "perhaps"}, "Choose to accept the work"),
        ({}, "Choose to accept the work"),
    ):
        assert sentence in client.post(address, data, follow=True).content.decode()
        told = client.post(address, data, headers=JSON)
        assert told.status_code == 400
        assert sentence in told.json()["detail"]
    for sent in ({}, {"submission": ["x", "1" * 30]}, {"scope": "filter"}):
        assert decide_many(client, campaign, **sent).status_code == 302
    assert not Decision.objects.exists()


def test_those_that_are_ticked_are_decided_on_and_undone_with_one_button(campaign, client):
    ticked = [each.pk for each in works(campaign)[:3]]
    response = decide_many(client, campaign, "?show=all", submission=ticked)
    assert response.url == f"/campaigns/{campaign.key}/work/?show=all"
    shown = page(client, "campaign-work", campaign.key)
    assert "3 tasks rejected." in shown
    assert "Undo: 3 rejections by you, " in shown
    undo = reverse("campaign-work-undo", args=[campaign.key, DecisionGroup.objects.get().pk])
    assert "3 rejections undone." in client.post(undo, follow=True).content.decode()
    assert "Undo:" not in page(client, "campaign-work", campaign.key)
    assert rows(client, campaign, show="undecided") == ticked[:1]


def test_all_that_match_are_decided_on_but_none_that_came_later(campaign, client):
    submissions = works(campaign)
    name = submissions[0].annotator.username
    mine = [each.pk for each in submissions if each.annotator.username == name]
    sent = {"scope": "filter", "last": mine[-2]}
    response = client.post(
        reverse("campaign-work-decide-many", args=[campaign.key]) + f"?annotator={name}",
        {"decision": "reject", "reason": "Copied.", **sent},
        headers=JSON,
    )
    assert response.json()["message"].startswith("3 tasks rejected.")
    assert sorted(rows(client, campaign, show="rejected")) == mine[:-1]


def test_programs_decide_on_many_and_undo_it_too(campaign):
    caller = Caller(campaign.owner)
    base = f"/campaigns/{campaign.key}"
    name = works(campaign)[0].annotator.username
    sent = {"accepted": False, "reason": "Copied.", "filter": {"annotator": name}}
    made = caller.post(f"{base}/submissions/decisions", sent).json()
    assert (made["count"], made["left_alone"]) == (4, [])
    listed = caller.get(f"{base}/submissions?show=rejected").json()
    assert {each["outcome"] for each in listed["submissions"]} == {"rejected"}
    assert caller.get(f"{base}/results/progress").json()["accepted"] == 4
    undone = caller.post(f"{base}/decisions/{made['group']}/undo").json()
    assert undone["message"].startswith("4 rejections undone.")
    assert caller.get(f"{base}/results/progress").json()["undecided"] == 1
    assert caller.post(f"{base}/decisions/{made['group']}/undo").status_code == 409
    for wrong in ({}, {"submissions": [1], "filter": {}}):
        told = caller.post(f"{base}/submissions/decisions", {"accepted": True, **wrong})
        assert (told.status_code, "either the submissions" in told.json()["detail"]) == (400, True)


def test_work_is_paid_without_counting_from_the_list_and_from_its_page(campaign, client):
    first, second, *_ = works(campaign)
    address = reverse("campaign-work-decide", args=[campaign.key, first.pk])
    shown = client.post(address, {"decision": "pay", "reason": "Hasty."}, follow=True).text
    assert "The work does not count but is paid, and its slot is open again." in shown
    assert "decided to pay but not count it on" in shown
    assert "Undo: 1 decision to pay but not count by you" in shown
    many = decide_many(client, campaign, decision="pay", reason="", submission=[second.pk])
    assert many.status_code == 302
    assert sorted(rows(client, campaign, show="paid")) == sorted([first.pk, second.pk])
    listed = page(client, "campaign-work", campaign.key)
    assert listed.count("paid, not counted</span>") == 2
    board = page(client, "campaign", campaign.key)
    assert "<dt>Paid only</dt><dd>2</dd>" in board
    assert "decided to pay but not count task" in board
    undo = reverse(
        "campaign-work-undo", args=[campaign.key, last_group(campaign, campaign.owner).pk]
    )
    assert "1 decision to pay but not count undone." in client.post(undo, follow=True).text


def test_the_export_asks_only_where_something_is_undecided(campaign, client):
    shown = page(client, "campaign", campaign.key)
    assert "1 flagged task waits for a decision" in shown
    counts = []
    for choice in ("", "?undecided=leave-out", "?undecided=count"):
        address = reverse("campaign-export", args=[campaign.key, "csv"])
        response = client.get(f"{address}{choice}")
        counts.append(len(b"".join(response).splitlines()) - 1)
    assert counts == [7, 7, 8]
    assert campaign.events.first().about["undecided"] is True
    client.post(
        reverse("campaign-work-decide", args=[campaign.key, works(campaign)[0].pk]),
        {"decision": "accept"},
    )
    assert "for a decision" not in page(client, "campaign", campaign.key)
