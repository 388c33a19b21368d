"""Whatever is sent to the API, it answers with a sentence and never with a mistake of its own.

schemathesis makes requests from the description: right ones, and ones that are wrong in some
way. Keys and ids are those of a real campaign half of the time, else nothing would be reached.
`make test-long` adds requests with every odd value of every field, and more at random.
"""

from __future__ import annotations

import os

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error

from gistmark.web.accounts.sign_in.credentials import make_token
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.api.service import api
from web.factories import make_campaign
from web.results.working import first_annotator, worked_campaign

MANY = os.environ.get("GISTMARK_EXAMPLES") == "many"


@pytest.fixture
def one_connection(db, settings):
    """A request would close the connection when it ends, and the test's transaction with it."""
    settings.ALLOWED_HOSTS = ["*"]
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def material(shared_db) -> dict[str, object]:
    """A running campaign with work, a draft, and two people with their tokens."""
    campaign = worked_campaign(annotators=2, tasks=2)
    worker = first_annotator(campaign)
    held = next_task(campaign, worker)
    done = Submission.objects.filter(annotator=worker).first()
    draft = make_campaign("fluency", owner=campaign.owner, running=False)
    return {
        "keys": [campaign.key, draft.key],
        "tasks": [held.pk, done.task_id, Task.objects.first().pk],
        "submission": done.pk,
        "item": done.task.batch.items.first().pk,
        "tokens": [make_token(user, "test").secret for user in (worker, campaign.owner)],
    }


schema = schemathesis.openapi.from_dict(api.get_openapi_schema(path_prefix="/api/"))
schema.app = get_wsgi_application()
schema.config.phases.coverage.enabled = MANY


@schema.parametrize()
@settings(
    max_examples=50 if MANY else 4,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_is_answered_with_a_mistake(case, material, one_connection):
    _aim(case, material)
    for token in material["tokens"]:
        response = case.call(headers={"Authorization": f"Bearer {token}"})
        case.validate_response(response, checks=[not_a_server_error])
        if response.status_code >= 400:
            detail = response.json()["detail"]
            assert isinstance(detail, str)
            assert detail.strip()


def _aim(case, material: dict[str, object]) -> None:
    """Put what exists into the path, unless the case is about a wrong path."""
    parameters = case.path_parameters or {}
    turn = len(repr(case.body)) + len(repr(case.query))
    if "key" in parameters:
        parameters["key"] = material["keys"][turn % 2]
    if "item" in parameters:
        parameters["item"] = material["item"]
    if "id" in parameters:
        ids = material["tasks"]
        about_work = "submissions" in case.path
        parameters["id"] = material["submission"] if about_work else ids[turn % len(ids)]


def test_the_description_names_every_operation_once():
    paths = api.get_openapi_schema(path_prefix="")["paths"].values()
    names = [each["operationId"] for methods in paths for each in methods.values()]
    assert len(names) == len(set(names)) > 20
