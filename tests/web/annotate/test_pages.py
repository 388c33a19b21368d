"""The annotator's pages: what they show, what they take, what they refuse, what they never tell."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from gistmark.judgements import PROTOCOLS, task_from
from gistmark.web.annotate.codes import completion_code
from gistmark.web.annotate.models import Draft, Submission, Task
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.annotate.services.leases import release_expired
from gistmark.web.api.schemas import LARGEST
from gistmark.web.campaigns.services.campaigns import close, pause
from gistmark.web.campaigns.services.consents import consented, give_consent
from web.annotate.answering import done, end_lease, whole
from web.factories import make_campaign, make_corpus, make_user, sample_with_units

pytestmark = pytest.mark.django_db

KNOWN = {
    "kind", "shows", "dimensions", "scale", "confidence", "weight", "budget",
    "instructions", "example", "one_dimension_per_screen", "items", "question",
    "task", "state", "editable", "draft", "version", "comments", "blocks", "subject",
    "longest_unit", "most_units",
}  # fmt: skip
KNOWN_OF_ITEMS = {
    "key", "title", "document", "lang", "heat", "steps", "marked_by", "references", "summary",
    "left", "right", "words", "uncounted", "shown", "shown_words", "summary_words",
    "summary_shown_words", "units",
}  # fmt: skip


@pytest.fixture
def campaign(annotator):
    made = make_campaign(annotators=(annotator,), judges=2)
    give_consent(made, annotator)
    return made


@pytest.fixture
def task(campaign, annotator) -> Task:
    result = next_task(campaign, annotator)
    browser_payload(result)
    return result


@pytest.fixture
def client(log_in, annotator) -> Client:
    return log_in(annotator)


def send(client: Client, method: str, name: str, task: Task, content: object) -> Any:
    body = content if isinstance(content, bytes) else json.dumps(content)
    address = reverse(name, args=[task.pk])
    return client.generic(method, address, body, content_type="application/json")


def put(client: Client, task: Task, answer: object, version: object = 0) -> Any:
    return send(client, "PUT", "api:save_draft", task, {"answer": answer, "version": version})


def submit(client: Client, task: Task, answer: object, key: object = None) -> Any:
    content = {"key": str(key or uuid4()), "answer": answer}
    return send(client, "POST", "api:submit_task", task, content)


def text(response: Any) -> str:
    return str(response.content.decode())


# My work


def test_work_shows_what_there_is_to_do(client, campaign, annotator):
    assert "Start next task" in text(client.get("/work/"))
    next_task(campaign, annotator)
    page = text(client.get("/work/"))
    assert "Go on with my task" in page
    assert "not begun" in page


def test_work_tells_what_is_submitted_and_what_may_be_changed(client, annotator):
    campaign = make_campaign(annotators=(annotator,), editable=True)
    done(campaign, annotator)
    page = text(client.get("/work/"))
    assert "Submitted (1)" in page
    assert "Change task 1" in page
    pause(campaign, None)
    page = text(client.get("/work/"))
    assert "Change task 1" not in page
    assert "The campaign is paused" in page
    close(campaign, None)
    assert "The campaign is closed" in text(client.get("/work/"))


def test_work_keeps_a_task_whose_time_has_run_out(client, campaign, task):
    end_lease(task)
    assert release_expired(campaign) == 1
    assert "you can still submit it" in text(client.get("/work/"))


def test_work_without_campaigns_says_what_to_do(client):
    assert "do not take part in any campaign" in text(client.get("/work/"))


def test_a_draft_of_a_campaign_is_not_work_yet(client, annotator):
    make_campaign(annotators=(annotator,), running=False, name="Not yet")
    assert "Not yet" not in text(client.get("/work/"))


def test_the_number_of_queries_does_not_grow_with_the_work(log_in):
    def queries(campaigns: int, documents: int) -> int:
        user = make_user()
        for _ in range(campaigns):
            corpus = make_corpus(documents=documents)
            campaign = make_campaign(annotators=(user,), corpus=corpus, judges=1)
            for _ in range(documents):
                done(campaign, user)
            next_task(campaign, user)
        client = log_in(user)
        with CaptureQueriesContext(
            connection,
        ) as counted:
            assert client.get("/work/").status_code == 200
        return len(counted)

    assert queries(1, 1) == queries(3, 4)


# Before the first task


def test_instructions_and_consent_come_before_the_first_task(client, annotator):
    campaign = make_campaign(annotators=(annotator,), example="Like this.", consent="Fine?")
    address = reverse("work-begin", args=[campaign.key])
    assert client.post(reverse("work-next", args=[campaign.key])).url == address
    page = text(client.get(address))
    for part in ("Read the document, then the summary", "Like this.", "Fine?", "I agree, start"):
        assert part in page
    response = client.post(address)
    task = Task.objects.get(annotator=annotator)
    assert response.url == reverse("task", args=[task.pk])
    assert consented(campaign, annotator)


@pytest.mark.parametrize("action", ["off", "flag"])
def test_annotators_are_told_that_time_is_measured_and_whether_it_is_looked_at(
    client, annotator, action
):
    checks = {"too_fast": action}
    campaign = make_campaign(annotators=(annotator,), checks=checks, minimum_seconds=86_399)
    client.force_login(annotator)
    page = client.get(reverse("work-begin", args=[campaign.key])).content.decode()
    assert "At most two minutes of a pause count." in page
    assert ("It is considered when your work is checked" in page) is (action == "flag")
    assert "86399" not in page


def test_an_allocated_task_waits_for_consent_too(client, annotator):
    campaign = make_campaign(annotators=(annotator,))
    task = next_task(campaign, annotator)
    begin = reverse("work-begin", args=[campaign.key])
    assert client.get(reverse("task", args=[task.pk])).url == begin
    assert client.get(reverse("api:open_task", args=[task.pk])).status_code == 403
    assert put(client, task, {}).status_code == 403
    assert Task.objects.get(pk=task.pk).opened_at is None


def test_when_nothing_is_left_the_list_says_so(client, campaign, annotator):
    for _ in range(4):
        done(campaign, annotator)
    page = client.post(reverse("work-next", args=[campaign.key]), follow=True)
    assert "nothing left for you" in text(page)


# One task


@pytest.mark.parametrize("protocol", PROTOCOLS.builtin)
def test_page_and_payload_tell_nothing_that_decides_quality(client, annotator, protocol):
    corpus = sample_with_units()
    campaign = make_campaign(protocol, annotators=(annotator,), corpus=corpus)
    give_consent(campaign, annotator)
    task = next_task(campaign, annotator)
    page = text(client.get(reverse("task", args=[task.pk])))
    payload = client.get(reverse("api:open_task", args=[task.pk])).json()
    assert set(payload) <= KNOWN
    assert {name for item in payload["items"] for name in item} <= KNOWN_OF_ITEMS
    task.refresh_from_db()
    content = task_from(task.content)
    assert [item["key"] for item in payload["items"]] == [entry.key for entry in content.entries]
    secrets = [f'"{name}"' for entry in content.entries for name in entry.systems]
    secrets += [entry.document for entry in content.entries if entry.document]
    secrets += [completion_code(task.pk, campaign), str(campaign.seed), "planted", '"answer"']
    for secret in secrets:
        assert secret not in page
        assert secret not in json.dumps(payload)


def test_a_task_that_is_submitted_is_not_shown_again(client, campaign, annotator):
    task = done(campaign, annotator).task
    page = text(client.get(reverse("task", args=[task.pk])))
    assert "It cannot be changed any more" in page
    assert 'id="payload"' not in page


def test_a_draft_is_saved_and_its_version_counts_up(client, task):
    answer = whole(browser_payload(task))
    first = put(client, task, answer).json()
    assert first["version"] == 1
    assert put(client, task, {}, version=1).json()["version"] == 2
    draft = Draft.objects.get(task=task)
    assert (draft.version, first["saved_at"][:10]) == (2, draft.saved_at.date().isoformat())


def test_a_stale_draft_gets_the_newer_one(client, task):
    put(client, task, whole(browser_payload(task), value=4))
    put(client, task, whole(browser_payload(task), value=1), version=1)
    response = put(client, task, {}, version=1)
    assert response.status_code == 409
    assert response.json()["version"] == 2
    assert response.json()["draft"]["items"]["1"]["ratings"]["overall"]["value"] == 1
    assert "another tab or on another device" in response.json()["detail"]


def test_the_same_key_is_the_same_submission(client, task):
    key, answer = uuid4(), whole(browser_payload(task))
    replies = [submit(client, task, answer, key).json() for _ in range(2)]
    thanks = "Thank you, your work has been received."
    assert replies == [{"message": thanks, "completion_code": None}] * 2
    assert Submission.objects.count() == 1
    again = submit(client, task, answer)
    assert (again.status_code, again.json()["detail"]) == (
        409, "This task has been submitted already.",
    )  # fmt: skip


def test_what_is_missing_is_told_field_by_field(client, task):
    response = submit(client, task, {"items": {"1": {}}})
    assert response.status_code == 400
    assert response.json()["faults"] == [
        {
            "field": "items.1.ratings.overall",
            "message": "The field 'items.1.ratings.overall' is missing.",
            "kind": "missing",
        }
    ]


def test_a_task_is_given_back_once(client, task):
    address = reverse("task-release", args=[task.pk])
    assert "You have given the task back" in text(client.post(address, follow=True))
    assert client.post(address).status_code == 409


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'"text"',
        b"{}",
        b'{"answer": {}}',
        b'{"version": 0, "key": "x"}',
        b'{"answer": {}, "version": -1, "key": 5}',
        b'{"answer": {}, "version": true, "key": []}',
        b'{"answer": {}, "version": 1e999, "key": "not-a-uuid"}',
        b'{"answer": [], "version": 0, "key": "123e4567-e89b-42d3-a456-426614174000"}',
        b'{"answer": {"items": {"1": {"ratings": {"overall": {"value": NaN}}}}}, "version": 0}',
        b'{"answer": {"items": "\\ud800"}, "version": 0}',
        b'{"answer": {"items": {"\\u0000": 1}}, "version": 0}',
        b'{"answer": {"moves": [{"at": 1e400}]}, "version": 0}',
        b'{"answer": ' + b"[" * 100_000,
        b'{"answer": {}, "version": ' + b"9" * 10_000 + b"}",
    ],
    ids=lambda body: body[:40].decode("latin-1"),
)
@pytest.mark.parametrize(
    ("method", "name"), [("PUT", "api:save_draft"), ("POST", "api:submit_task")]
)
def test_a_bad_body_gets_a_sentence(client, task, method, name, body):
    response = send(client, method, name, task, body)
    assert response.status_code in (400, 409, 422)
    result = response.json()
    sentences = [result["detail"], *(fault["message"] for fault in result.get("faults", []))]
    assert all(sentence.endswith(".") for sentence in sentences)
    assert not Draft.objects.exists()
    assert not Submission.objects.exists()


def test_a_body_that_is_too_large_is_refused(client, task):
    answer = {"items": {}, "padding": "x" * LARGEST}
    response = put(client, task, answer)
    assert response.status_code == 400
    assert "bytes" in response.json()["detail"]
    assert send(client, "PUT", "api:save_draft", task, b" " * 6 * 1024**2).status_code == 413


def test_requests_of_other_sites_are_refused(log_in, annotator, task):
    client = log_in(annotator, enforce_csrf_checks=True)
    refused = put(client, task, {})
    assert (refused.status_code, "reload the page" in refused.json()["detail"]) == (403, True)
    page = text(client.get(reverse("task", args=[task.pk])))
    token = page.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    body = json.dumps({"answer": {}, "version": 0})
    headers = {"x-csrftoken": token}
    address = reverse("api:save_draft", args=[task.pk])
    sent = client.put(address, body, content_type="application/json", headers=headers)
    assert sent.status_code == 200


def test_a_closed_campaign_takes_nothing(client, campaign, task):
    answer = whole(browser_payload(task))
    close(campaign, None)
    assert put(client, task, answer).status_code == 403
    assert submit(client, task, answer).status_code == 403
    assert client.get(reverse("task", args=[task.pk])).status_code == 403


def test_a_paused_campaign_keeps_drafts_but_takes_no_work(client, campaign, task):
    answer = whole(browser_payload(task))
    pause(campaign, None)
    assert put(client, task, answer).status_code == 200
    refused = submit(client, task, answer)
    assert refused.status_code == 409
    assert "is paused" in refused.json()["detail"]
