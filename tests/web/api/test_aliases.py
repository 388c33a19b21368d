"""A page that was open during an upgrade loses nothing: its older script saves and submits.

The requests and what is read of the replies are those of the script of version cc44f1e
(`server.js`, `drafts.js`, `submission.js`): `error`, `faults`, `draft`, `version`, `saved_at`,
`message` and `completion_code`, and a status that is neither 429 nor 500 and more.
"""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from gistmark.web.annotate.models import Draft, Submission
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.campaigns.services.campaigns import close, pause
from gistmark.web.campaigns.services.consents import give_consent
from web.annotate.answering import whole
from web.api.calling import Caller
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db
TOKEN = "c" * 32


class OpenPage:
    """The script of a page that was loaded before the upgrade."""

    def __init__(self, client: Any, task: int) -> None:
        self.client, self.task = client, task
        client.cookies["csrftoken"] = TOKEN

    def send(self, method: str, name: str, content: object = None, token: str = TOKEN) -> Any:
        return self.client.generic(
            method,
            f"/tasks/{self.task}/{name}/",
            "" if content is None else json.dumps(content),
            content_type="application/json",
            headers={"Accept": "application/json", "X-CSRFToken": token},
        )


@pytest.fixture
def campaign(annotator):
    made = make_campaign(annotators=(annotator,), judges=2)
    give_consent(made, annotator)
    return made


@pytest.fixture
def task(campaign, annotator):
    task = next_task(campaign, annotator)
    browser_payload(task)
    return task


@pytest.fixture
def page(log_in, annotator, task) -> OpenPage:
    return OpenPage(log_in(annotator, enforce_csrf_checks=True), task.pk)


def test_it_saves_and_submits_once_however_often_it_sends(page, task):
    answer = whole(page.send("GET", "payload").json())
    saved = page.send("PUT", "draft", {"answer": answer, "version": 0})
    assert (saved.status_code, saved.json()["version"]) == (200, 1)
    assert saved.json()["saved_at"]
    sent = {"key": str(uuid4()), "answer": answer}
    first, again = (page.send("POST", "submit", sent) for _ in range(2))
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert first.json() == {
        "message": "Thank you, your work has been received.", "completion_code": None,
    }  # fmt: skip
    assert (Draft.objects.count(), Submission.objects.count()) == (1, 1)
    settled = page.send("POST", "submit", {**sent, "key": str(uuid4())})
    assert (settled.status_code, settled.json()["error"]) == (
        409, "This task has been submitted already.",
    )  # fmt: skip


def test_it_hears_of_newer_drafts_and_of_what_is_wrong(page, task, campaign):
    answer = whole(browser_payload(task))
    page.send("PUT", "draft", {"answer": answer, "version": 0})
    stale = page.send("PUT", "draft", {"answer": {}, "version": 0})
    assert stale.status_code == 409
    assert (stale.json()["version"], stale.json()["draft"]["items"].keys()) == (1, {"1"})
    assert "another tab or on another device" in stale.json()["error"]
    faulty = page.send("POST", "submit", {"key": str(uuid4()), "answer": {"items": {"1": {}}}})
    assert faulty.status_code == 400
    assert [fault["field"] for fault in faulty.json()["faults"]] == ["items.1.ratings.overall"]
    assert faulty.json()["error"]
    pause(campaign, None)
    paused = page.send("POST", "submit", {"key": str(uuid4()), "answer": answer})
    assert (paused.status_code, "is paused" in paused.json()["error"]) == (409, True)


def test_it_is_refused_as_before_without_a_session_or_without_the_proof_of_forms(page, log_in):
    content = {"answer": {}, "version": 0}
    forged = page.send("PUT", "draft", content, token="d" * 32)
    assert (forged.status_code, "reload the page" in forged.json()["error"]) == (403, True)
    nobody = OpenPage(log_in(None, enforce_csrf_checks=True), page.task)
    logged_out = nobody.send("PUT", "draft", content)
    assert (logged_out.status_code, "Log in" in logged_out.json()["error"]) == (401, True)
    other = OpenPage(log_in(make_user(), enforce_csrf_checks=True), page.task)
    assert other.send("PUT", "draft", content).status_code == 404
    assert page.send("POST", "draft", content).status_code == 405
    assert not Draft.objects.exists()


def test_the_same_key_after_closing_is_answered_alike_on_the_page_and_by_the_api(
    page, task, campaign
):
    sent = {"key": str(uuid4()), "answer": whole(browser_payload(task))}
    first = page.send("POST", "submit", sent)
    close(campaign, None)
    api = Caller(task.annotator).post(f"/tasks/{task.pk}/submit", sent)
    again = page.send("POST", "submit", sent)
    assert (first.status_code, api.status_code, again.status_code) == (200, 200, 200)
    assert first.json() == api.json() == again.json()
    for answer in (
        page.send("POST", "submit", sent | {"key": str(uuid4())}),
        Caller(task.annotator).post(f"/tasks/{task.pk}/submit", sent | {"key": str(uuid4())}),
    ):
        assert (answer.status_code, "is closed" in answer.json()["detail"]) == (403, True)
