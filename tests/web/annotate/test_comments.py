"""Comments on items, problems, and why a task was given back: stored once, seen by managers."""

from __future__ import annotations

import csv
import zipfile
from uuid import UUID, uuid4

import pytest
from django.urls import reverse

from gistmark.errors import UsageError
from gistmark.web.annotate.models import Comment
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.comments import (
    LONGEST_COMMENT,
    MOST_COMMENTS,
    add_comment,
    comments_of,
    give_back,
)
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.campaigns.services.campaigns import close
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.config.errors import ConflictError, NotFoundError
from gistmark.web.results.exports import export_to
from web.annotate.answering import done
from web.api.calling import Caller
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def task(annotator):
    campaign = make_campaign(annotators=(annotator, make_user()))
    give_consent(campaign, annotator)
    task = next_task(campaign, annotator)
    browser_payload(task)
    task.refresh_from_db()
    return task


def test_a_comment_comes_back_to_its_annotator_and_to_nobody_else(task, annotator):
    add_comment(task, annotator, uuid4(), text=" The text ends too early. ", item="1")
    add_comment(task, annotator, uuid4(), text="No picture.", item="1", kind="problem")
    give_back(task, annotator, reason="time")
    assert browser_payload(task)["comments"] == [
        {"item": "1", "kind": "comment", "text": "The text ends too early."},
        {"item": "1", "kind": "problem", "text": "No picture."},
    ]
    with pytest.raises(NotFoundError):
        add_comment(task, make_user(), uuid4(), text="Mine?", item="1")


def test_a_comment_that_is_sent_twice_is_stored_once(task, annotator):
    key = uuid4()
    first = add_comment(task, annotator, key, text="Once.", item="1")
    assert add_comment(task, annotator, key, text="Twice?", item="1") == first
    assert Comment.objects.get().text == "Once."


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"text": "  "}, "The comment is empty."),
        ({"text": "x" * (LONGEST_COMMENT + 1)}, "2001 characters; 2000 are allowed"),
        ({"text": "a\0b"}, "NUL"),
        ({"text": "x", "item": "99"}, "There is no item '99'"),
        ({"text": "x", "kind": "release"}, "There is no kind of comment 'release'"),
    ],
)
def test_what_cannot_be_a_comment_is_refused_in_a_sentence(task, annotator, given, sentence):
    with pytest.raises(UsageError, match=sentence):
        add_comment(task, annotator, uuid4(), **given)
    assert not Comment.objects.exists()


def test_nobody_floods_a_task_with_comments(task, annotator):
    Comment.objects.bulk_create(
        Comment(task=task, annotator=annotator, kind="comment", text="x")
        for _ in range(MOST_COMMENTS)
    )
    with pytest.raises(ConflictError, match="100 comments"):
        add_comment(task, annotator, uuid4(), text="one more")


def test_a_task_is_given_back_with_a_reason_on_its_page(task, annotator, log_in):
    page = log_in(annotator).get(reverse("task", args=[task.pk])).content.decode()
    assert "Why do you give it back?" in page
    sent = {"reason": "upsetting", "text": "A violent scene."}
    log_in(annotator).post(reverse("task-release", args=[task.pk]), sent)
    comment = comments_of(task.campaign).get()
    assert (comment.kind, comment.reason, comment.text) == (
        "release", "upsetting", "A violent scene.",
    )  # fmt: skip
    task.refresh_from_db()
    assert task.state == "lapsed"


def test_a_task_is_given_back_without_a_reason_too(task, annotator, log_in):
    log_in(annotator).post(reverse("task-release", args=[task.pk]))
    task.refresh_from_db()
    assert task.state == "lapsed"
    assert not Comment.objects.exists()


def test_an_unknown_reason_gives_nothing_back(task, annotator, log_in):
    response = log_in(annotator).post(reverse("task-release", args=[task.pk]), {"reason": "none"})
    assert response.status_code == 400
    task.refresh_from_db()
    assert task.state == "held"


def test_the_api_takes_comments_and_reasons_and_lists_them_for_managers(task, annotator):
    worker, boss = Caller(annotator), Caller(task.campaign.owner)
    sent = {"key": str(uuid4()), "text": "Two 中文 words.", "item": "1", "kind": "problem"}
    for _ in range(2):
        assert worker.post(f"/tasks/{task.pk}/comments", sent).status_code == 200
    assert worker.post(f"/tasks/{task.pk}/comments", {"key": str(uuid4())}).status_code == 422
    why = {"reason": "unclear"}
    assert worker.post(f"/tasks/{task.pk}/release", why).status_code == 204
    path = f"/campaigns/{task.campaign.key}/comments"
    listed = boss.get(path).json()
    assert [each["kind"] for each in listed["comments"]] == ["release", "problem"]
    assert listed["comments"][0]["reason"] == "unclear"
    assert listed["comments"][1]["about"].startswith(task.content["entries"][0]["document"])
    assert worker.get(path).status_code == 403


def test_nobody_comments_on_the_task_of_somebody_else_or_of_a_closed_campaign(task, annotator):
    sent = {"key": str(uuid4()), "text": "x"}
    assert Caller(make_user()).post(f"/tasks/{task.pk}/comments", sent).status_code == 404
    close(task.campaign, task.campaign.owner)
    assert Caller(annotator).post(f"/tasks/{task.pk}/comments", sent).status_code == 403


def test_managers_read_comments_on_a_page_that_escapes_them(task, annotator, log_in):
    add_comment(task, annotator, uuid4(), text="<script>alert(1)</script>", item="1")
    give_back(task, annotator, reason="language")
    page = log_in(task.campaign.owner).get(reverse("campaign-comments", args=[task.campaign.key]))
    html = page.content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "I do not know the language or the subject well enough" in html
    assert f">Task {task.slot}</a>" not in html, "nothing was submitted that one could look at"
    shown = log_in(task.campaign.owner).get(page.request["PATH_INFO"], {"show": "problem"})
    assert "Nobody has said anything of this kind yet." in shown.content.decode()


def test_comments_are_exported_under_pseudonyms(task, annotator, tmp_path):
    add_comment(task, annotator, UUID(int=7), text="=1+1 is odd", item="1")
    export_to(task.campaign, "folder", tmp_path / "export.zip")
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        [row] = csv.DictReader(archive.read("comments.csv").decode().splitlines())
    assert annotator.username not in row.values()
    assert (row["slot"], row["kind"], row["reason"]) == (task.slot, "comment", "")
    assert row["text"] == "'=1+1 is odd"  # no spreadsheet takes it for a formula


def test_a_comment_on_submitted_work_leads_to_it(annotator, log_in):
    campaign = make_campaign(annotators=(annotator,))
    give_consent(campaign, annotator)
    submission = done(campaign, annotator)
    add_comment(submission.task, annotator, uuid4(), text="I am not sure.", item="1")
    address = reverse("campaign-comments", args=[campaign.key])
    page = log_in(campaign.owner).get(address).content.decode()
    assert reverse("campaign-submission", args=[campaign.key, submission.pk]) in page


def test_the_page_of_comments_asks_the_database_no_more_for_many(
    task, annotator, log_in, django_assert_max_num_queries
):
    Comment.objects.bulk_create(
        Comment(task=task, annotator=annotator, kind="comment", text="x", item="1")
        for _ in range(60)
    )
    client = log_in(task.campaign.owner)
    with django_assert_max_num_queries(12):
        client.get(reverse("campaign-comments", args=[task.campaign.key]))
