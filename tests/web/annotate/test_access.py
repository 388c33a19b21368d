"""Role × address × method, for every address of the annotator's pages."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from gistmark.web.annotate.models import Draft, Submission, Task
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.annotate.urls import urlpatterns
from gistmark.web.campaigns.services.consents import give_consent
from web.annotate.answering import whole
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db

METHODS = ("get", "head", "post", "put", "patch", "delete", "options")
ALLOWED = {
    "work": ("get", "head"),
    "work-begin": ("get", "head", "post"),
    "work-next": ("post",),
    "work-comprehension": ("get", "head", "post"),
    "work-practice": ("get", "head", "post"),
    "practice-item": ("get", "head"),
    "task": ("get", "head"),
    "task-release": ("post",),
}
NAMES = [pattern.name for pattern in urlpatterns]
OF_A_TASK = [name for name in ALLOWED if name.startswith(("task", "practice"))]
OF_A_CAMPAIGN = ("work-begin", "work-next", "work-comprehension", "work-practice")


@pytest.fixture(scope="module")
def shared(shared_db) -> int:
    annotator = make_user()
    campaign = make_campaign(annotators=(annotator,))
    give_consent(campaign, annotator)
    task = next_task(campaign, annotator)
    browser_payload(task)
    return task.pk


@pytest.fixture
def annotated(shared, db):
    """A campaign in which an annotator holds a task."""
    task = Task.objects.get(pk=shared)
    return task.campaign, task


@pytest.fixture
def annotator(annotated):
    return annotated[1].annotator


def path(name, campaign, task):
    if name in OF_A_TASK:
        return reverse(name, args=[task.pk])
    return reverse(name, args=[campaign.key] if name in OF_A_CAMPAIGN else [])


def ask(client, method, address, task):
    body = json.dumps({"key": str(uuid4()), "answer": whole(browser_payload(task)), "version": 0})
    if method in ("get", "head"):
        return getattr(client, method)(address)
    return client.generic(method.upper(), address, body, content_type="application/json")


def test_every_address_has_a_rule():
    assert sorted(ALLOWED) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_other_methods_are_refused(log_in, annotator, annotated, name):
    client = log_in(annotator)
    for method in METHODS:
        if method not in ALLOWED[name]:
            assert ask(client, method, path(name, *annotated), annotated[1]).status_code == 405


@pytest.mark.parametrize("name", NAMES)
def test_visitors_have_to_log_in(log_in, annotated, name):
    for method in ALLOWED[name]:
        response = ask(log_in(None), method, path(name, *annotated), annotated[1])
        assert response.status_code in (302, 401)
        if response.status_code == 302:
            assert response.url.startswith("/log-in/")


@pytest.mark.parametrize("role", ["annotator", "manager", "admin", "owner"])
@pytest.mark.parametrize("name", OF_A_TASK)
def test_a_task_is_nobody_elses(log_in, annotated, name, role):
    campaign, task = annotated
    client = log_in(campaign.owner if role == "owner" else make_user(role))
    for method in ALLOWED[name]:
        assert ask(client, method, path(name, *annotated), task).status_code == 404
    assert Task.objects.get(pk=task.pk).state == "held"
    assert not Draft.objects.exists()
    assert not Submission.objects.exists()


@pytest.mark.parametrize("pk", [0, 10**6, 2**63 - 1, 2**63, 10**40])
@pytest.mark.parametrize("name", OF_A_TASK)
def test_a_task_that_is_not_there_is_not_found(log_in, annotator, annotated, name, pk):
    for method in ALLOWED[name]:
        address = reverse(name, args=[pk])
        assert ask(log_in(annotator), method, address, annotated[1]).status_code == 404


@pytest.mark.parametrize("name", OF_A_CAMPAIGN)
def test_a_campaign_is_unknown_to_strangers(log_in, annotated, name):
    for role in ("annotator", "manager"):
        client = log_in(make_user(role))
        for method in ALLOWED[name]:
            address = path(name, *annotated)
            assert ask(client, method, address, annotated[1]).status_code == 404


def test_managers_get_no_tasks(log_in, annotated):
    campaign, _ = annotated
    client = log_in(campaign.owner)
    client.post(reverse("work-begin", args=[campaign.key]))
    response = client.post(reverse("work-next", args=[campaign.key]))
    assert response.status_code == 403
    assert Task.objects.filter(annotator=campaign.owner).count() == 0


def test_somebody_who_was_never_asked_sees_only_their_own_list(log_in):
    for role in ("annotator", "manager", "admin"):
        assert log_in(make_user(role)).get("/work/").status_code == 200
