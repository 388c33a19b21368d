"""Who may call which operation: role by operation, for every operation of the API."""

from __future__ import annotations

import zlib

import pytest
from django.urls import reverse

from gistmark.web.accounts.sign_in.credentials import make_token
from gistmark.web.annotate.models import DecisionGroup, Submission
from gistmark.web.api.service import api
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.config.storage.encryption import encrypt
from gistmark.web.crowd.models import BonusPayment
from gistmark.web.crowd.recruitments import create_recruitment
from gistmark.web.crowd.settings import RecruitmentSettings
from gistmark.web.qualification.services.plans import replace_practice
from gistmark.web.results.exports import Choices, request_export
from gistmark.web.results.models import HelperScores
from gistmark.web.results.statistics.study import statistics_of
from web.api.calling import Caller
from web.factories import make_user
from web.qualification.practising import make_practice
from web.results.working import first_annotator, worked_campaign

pytestmark = pytest.mark.django_db

# Those that everybody with a token may call; all others are for a campaign's managers.
EVERYBODY = {"list_campaigns", "list_tasks", "get_own_data"}
MEMBERS = {"give_consent", "get_consent", "next_task", "get_admission", "get_comprehension"}
MANAGERS_ANYWHERE = {"create_campaign"}
ANY_MANAGER = {"list_block_types", "check_protocol"}
"""What is about no campaign, and for everybody who may make one."""
OWN_TASKS = {"open_task", "save_draft", "submit_task", "release_task", "comment_on_task"} | {
    "open_practice_item",
    "save_practice_draft",
    "submit_practice",
}
ADMINS = {"list_accounts", "add_accounts", "remove_account_of"} | {
    "get_data_of",
    "get_erasure_plan",
    "erase_person",
}
MACHINES = {"get_own_machine", "change_own_machine"}
"""What only a machine may do: people of the campaign, and its managers too, are refused."""
PASSED = {"answer_comprehension", "next_practice_item"}
"""What members may do until they have passed it; here there is nothing to pass (409)."""
BODIES = {
    "change_state": {"action": "pause"},
    "copy_campaign": {"name": "Copy"},
    "create_export": {"format": "csv"},
    "stop_adaptive": {"action": "stop"},
    "set_plan": {"documents": 1, "annotators": 1},
    "add_member_to": {"name": "nobody"},
    "allocate_tasks": {"names": ["nobody"]},
    "release_tasks": {"names": ["nobody"]},
    "add_accounts": {"people": [{"name": "not a name"}]},
    "erase_person": {"confirm": "nobody"},
    "decide_on": {"accepted": True},
    "decide_on_many": {"accepted": True, "submissions": [1]},
    "adjudicate_item": {"answer": {}},
    "add_webhook": {"url": "https://127.0.0.1/"},
    "create_machine": {"model": "tiny-judge"},
    "merge_units": {"units": []},
    "second_stage": {"name": "Second stage"},
    "plan_study": {"places": 1, "minutes": 10, "reward": 1},
    "change_study_of": {"step": "pause"},
    "review_submissions": {"action": "approve", "people": ["nobody"]},
    "set_up_bonuses_of": {"amount": 1, "people": ["nobody"]},
    "pay_bonuses_of": {"total": 1},
    "give_item": {"annotator": "nobody"},
    "check_preview": {"answer": {}},
    "preview_design": {"protocol": {}},
    "check_design_preview": {"protocol": {}, "answer": {}},
    "comment_on_task": {"text": "x", "key": "123e4567-e89b-42d3-a456-426614174000"},
    "set_practice": {"pass_mark": 0},
    "set_right_answer": {"answer": {}, "key": "123e4567-e89b-42d3-a456-426614174000"},
    "change_qualification": {"name": "nobody", "action": "grant"},
    "answer_comprehension": {"answers": {}},
    "save_practice_draft": {"answer": {}, "version": 0},
    "submit_practice": {"answer": {}, "key": "123e4567-e89b-42d3-a456-426614174000"},
    "save_draft": {"answer": {}, "version": 0},
    "submit_task": {"answer": {}, "key": "123e4567-e89b-42d3-a456-426614174000"},
}


METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")


@pytest.fixture(scope="module")
def shared(shared_db) -> int:
    campaign = worked_campaign(annotators=2, tasks=1)
    replace_practice(campaign, make_practice((4,), required=False), campaign.owner)
    settings = RecruitmentSettings(reward=200)
    create_recruitment(campaign, market="prolific", settings=settings, by=campaign.owner)
    store_scores(campaign)
    statistics_of(campaign)
    request_export(campaign, "csv", Choices(), wait=0)
    return campaign.pk


@pytest.fixture
def campaign(shared, db) -> Campaign:
    """Work of two annotators, and a practice that is not required."""
    return Campaign.objects.get(pk=shared)


def store_scores(campaign) -> None:
    HelperScores.objects.update_or_create(
        campaign=campaign,
        defaults={"summaries": 0, "content": zlib.compress(b""), "population": "beyond"},
    )


def bonus_of(campaign) -> BonusPayment:
    """Bonuses that wait to be confirmed."""
    study, defaults = campaign.recruitments.get(), {"amount": 1, "total": 2}
    return study.bonus_payments.get_or_create(bulk="bulk", defaults=defaults)[0]


def operations(campaign) -> dict[str, tuple[str, str]]:
    """The method and the path of every operation, about the work of the second annotator."""
    others = Submission.objects.exclude(annotator=first_annotator(campaign))
    submission = others.get(task__campaign=campaign)
    item = submission.task.batch.items.get()
    group, _ = DecisionGroup.objects.get_or_create(
        campaign=campaign, manager=campaign.owner, verdict="counts", count=0
    )
    result = {}
    for path, methods in api.get_openapi_schema(path_prefix="")["paths"].items():
        for method, operation in methods.items():
            id = submission.pk if "/submissions/" in path else submission.task_id
            if "/decisions/" in path:
                id = group.pk
            if "/exports/" in path:
                id = request_export(campaign, "csv", Choices(), wait=0).pk
            if "/webhooks/" in path:
                url = f"https://example.org/{method}/{path.rpartition('/')[2]}"
                hook = {"url": url, "defaults": {"secret": encrypt("x")}}
                id = campaign.webhooks.get_or_create(**hook)[0].pk
            if "/practice/items/" in path:
                id = campaign.practice_items.get().pk
            values = {"format": "csv", "number": 1, "name": "nobody", "item": item.pk}
            values |= {"position": 0, "study": campaign.recruitments.get().key}
            if "/bonuses/" in path:
                values["number"] = bonus_of(campaign).pk
            filled = path.format(key=campaign.key, id=id, **values)
            result[operation["operationId"]] = (method.upper(), filled)
    return result


def statuses(user, campaign) -> dict[str, int]:
    caller, result = Caller(user), {}
    for name, (method, path) in operations(campaign).items():
        if name == "get_helper_scores":  # an operation before it has removed them
            store_scores(campaign)
        result[name] = caller.call(method, path, BODIES.get(name, {})).status_code
    return result


def test_nobody_gets_in_without_a_token(campaign, admin):
    assert set(statuses(None, campaign).values()) == {401}
    wrong = Caller(None)
    wrong.headers["Authorization"] = "Bearer gm_forged"
    assert wrong.get("/campaigns").status_code == 401
    assert wrong.get("/campaigns").json()["detail"]


def test_a_session_is_as_good_as_a_token_but_needs_the_proof_of_forms(campaign, log_in, admin):
    client = log_in(campaign.owner, enforce_csrf_checks=True)
    path = f"/api/campaigns/{campaign.key}"
    assert client.get(path).json()["name"] == campaign.name
    sent = {"path": f"{path}/state", "data": {"action": "pause"}}
    refused = client.post(**sent, content_type="application/json")
    assert (refused.status_code, "reload the page" in refused.json()["detail"]) == (403, True)
    client.cookies["csrftoken"] = token = "c" * 32
    paused = client.post(**sent, content_type="application/json", headers={"X-CSRFToken": token})
    assert paused.json()["state"] == "paused"
    forged = client.post(**sent, content_type="application/json", headers={"X-CSRFToken": "d" * 32})
    assert forged.status_code == 403


def test_a_session_that_has_ended_and_one_of_a_closed_account_open_nothing(campaign, log_in):
    nobody = log_in(None, enforce_csrf_checks=True)
    sent = {"data": {"action": "pause"}, "content_type": "application/json"}
    assert nobody.post(f"/api/campaigns/{campaign.key}/state", **sent).status_code == 401
    client = log_in(campaign.owner)
    campaign.owner.is_active = False
    campaign.owner.save()
    assert client.get("/api/campaigns").status_code == 401


def test_the_token_of_a_closed_account_opens_nothing(campaign):
    caller = Caller(campaign.owner)
    campaign.owner.is_active = False
    campaign.owner.save()
    assert caller.get("/campaigns").status_code == 401


def test_a_revoked_token_opens_nothing(manager):
    made = make_token(manager, "short-lived")
    caller = Caller(None)
    caller.headers["Authorization"] = f"Bearer {made.secret}"
    assert caller.get("/campaigns").status_code == 200
    made.token.delete()
    assert caller.get("/campaigns").status_code == 401


def test_for_strangers_the_campaign_does_not_exist(campaign):
    for role in ("manager", "annotator"):
        result = statuses(make_user(role), campaign)
        for name, status in result.items():
            if name in EVERYBODY:
                assert status == 200
            elif name in MANAGERS_ANYWHERE:
                assert status == 422
            elif name in ANY_MANAGER:
                assert status == (200 if role == "manager" else 403)
            elif name in ADMINS:
                assert status == 403
            else:
                assert status == 404, name


def test_annotators_of_the_campaign_may_only_do_their_own_tasks(campaign):
    result = statuses(first_annotator(campaign), campaign)
    for name, status in result.items():
        if name in EVERYBODY | MEMBERS:
            assert status in (200, 204), name
        elif name in PASSED:
            assert status == 409, name
        elif name in OWN_TASKS:
            assert status == 404, name
        elif name not in MANAGERS_ANYWHERE:
            assert status == 403, name


def test_annotators_make_no_campaigns(annotator):
    caller = Caller(annotator)
    response = caller.client.post("/api/campaigns", {"name": "Mine"}, headers=caller.headers)
    assert response.status_code == 403


def test_managers_and_admins_may_do_the_rest(campaign, admin):
    colleague = make_user("manager")
    add_member(campaign, colleague, "manager")
    for user in (admin, campaign.owner, colleague):
        result = statuses(user, campaign)
        assert {result[name] for name in MACHINES} == {403}
        ours = result.keys() - OWN_TASKS - MEMBERS - MANAGERS_ANYWHERE - PASSED - MACHINES
        ours -= set() if user == admin else ADMINS
        assert user == admin or {result[name] for name in ADMINS} == {403}
        assert not [name for name in ours if result[name] in (401, 403, 404)]
        assert {result[name] for name in OWN_TASKS} == {404}


@pytest.mark.parametrize("name", ["findings", "pairs", "agreement", "ratings", "questions"])
def test_results_are_for_managers_and_only_to_be_read(name, campaign, admin):
    path = f"/campaigns/{campaign.key}/results/{name}"
    for user, status in (
        (None, 401),
        (first_annotator(campaign), 403),
        (make_user("annotator"), 404),
        (make_user("manager"), 404),
        (campaign.owner, 200),
        (admin, 200),
    ):
        caller = Caller(user)
        result = {method: caller.call(method, path).status_code for method in METHODS}
        assert result == {method: status if method == "GET" else 405 for method in METHODS}


def test_every_page_of_the_api_is_json_but_the_description(campaign, log_in):
    assert log_in(campaign.owner).get(reverse("api-docs")).status_code == 200
    assert log_in().get(reverse("api-docs")).status_code == 200


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [
        ("all", {"list", "tasks", "next", "state"}),
        ("read", {"list", "tasks"}),
        ("tasks", {"list", "tasks", "next"}),
    ],
)
def test_a_token_may_do_what_its_scope_says(campaign, scope: str, allowed: set[str]):
    caller = Caller(None)
    made = make_token(campaign.owner, "narrow", scope=scope)
    caller.headers["Authorization"] = f"Bearer {made.secret}"
    answers = {
        "list": caller.get("/campaigns"),
        "tasks": caller.get("/tasks"),
        "next": caller.post(f"/campaigns/{campaign.key}/next"),
        "state": caller.post(f"/campaigns/{campaign.key}/state", {"action": "pause"}),
    }
    refused = {name for name, answer in answers.items() if "This token" in answer.text}
    assert refused == answers.keys() - allowed
    assert all(answers[name].status_code == 403 for name in refused)
