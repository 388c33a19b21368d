"""The API does what the pages do: a campaign from making to export, by programs alone."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from gistmark.analysis import study
from gistmark.corpus import save
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.campaigns.models import Campaign
from web.api.calling import Caller
from web.factories import make_campaign, make_corpus, make_user
from web.results.working import first_annotator, worked_campaign

pytestmark = pytest.mark.django_db


def packed(tmp_path) -> io.BytesIO:
    """A corpus folder as a ZIP archive."""
    save(make_corpus(), tmp_path / "corpus")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path in (tmp_path / "corpus").iterdir():
            archive.write(path, path.name)
    stream.seek(0)
    stream.name = "corpus.zip"
    return stream


def test_a_campaign_is_made_run_and_exported_by_programs_alone(tmp_path):
    manager, annotator = make_user("manager"), make_user()
    boss, worker = Caller(manager), Caller(annotator)
    made = boss.client.post(
        "/api/campaigns",
        {"name": "By a program", "protocol": "overall", "corpus": packed(tmp_path)},
        headers=boss.headers,
    )
    assert made.status_code == 201, made.content
    key = made.json()["key"]
    assert made.json()["state"] == "draft"
    changed = boss.call("PATCH", f"/campaigns/{key}/protocol", {"judges": 1})
    assert changed.json()["judges"] == 1
    added = boss.post(f"/campaigns/{key}/members", {"name": annotator.username})
    assert added.status_code == 204
    assert boss.post(f"/campaigns/{key}/state", {"action": "start"}).json()["state"] == "running"
    assert worker.get("/campaigns").json()[0]["key"] == key
    assert worker.post(f"/campaigns/{key}/next").status_code == 403
    assert worker.post(f"/campaigns/{key}/consent").status_code == 204
    done = 0
    while (task := worker.post(f"/campaigns/{key}/next").json()["task"]) is not None:
        _work(worker, task)
        done += 1
    assert done == 4
    progress = boss.get(f"/campaigns/{key}/results/progress").json()
    assert (progress["wanted"], progress["done"]) == (4, 4)
    systems = {each["system"] for each in boss.get(f"/campaigns/{key}/results/ratings").json()}
    assert systems == {"sys1", "sys2"}
    notes = boss.get(f"/campaigns/{key}/results/notes").json()
    assert {"about", "text"} == set(notes[0])
    exported = boss.get(f"/campaigns/{key}/export/csv")
    lines = b"".join(exported).decode().splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("document,system,annotator,dimension,value")


def _work(worker: Caller, task: int) -> None:
    payload = worker.get(f"/tasks/{task}").json()
    ratings = {each["name"]: {"value": 3} for each in payload["dimensions"]}
    answer = {"items": {item["key"]: {"ratings": ratings} for item in payload["items"]}}
    draft = worker.call("PUT", f"/tasks/{task}/draft", {"answer": answer, "version": 0})
    assert draft.json()["version"] == 1
    Task.objects.filter(pk=task).update(opened_at=timezone.now() - timedelta(minutes=5))
    sent = {"answer": answer, "key": str(uuid4())}
    first, second = (worker.post(f"/tasks/{task}/submit", sent) for _ in range(2))
    assert first.status_code == 200, first.content
    assert first.json() == second.json()
    assert "has been received" in first.json()["message"]


def test_checks_are_generated_and_approved():
    boss = Caller(make_user("manager"))
    made = boss.client.post(
        "/api/campaigns", {"name": "Sample", "protocol": "content-reference"}, headers=boss.headers
    )
    key = made.json()["key"]
    Campaign.objects.get(key=key).questions.all().delete()
    assert boss.get(f"/campaigns/{key}").json()["problems"]
    generated = boss.post(f"/campaigns/{key}/checks/generate").json()
    assert generated["questions"] > 0
    listed = boss.get(f"/campaigns/{key}/checks", limit=5).json()
    assert (len(listed["questions"]), listed["question_count"]) == (5, generated["questions"])
    one = listed["questions"][0]["id"]
    assert boss.post(f"/campaigns/{key}/checks/approve", {"questions": [one]}).json() == {
        "approved": 1
    }
    rest = boss.post(f"/campaigns/{key}/checks/approve", {}).json()
    assert rest == {"approved": generated["questions"] - 1}


def test_completion_codes_are_a_setting_until_the_campaign_is_closed():
    campaign = worked_campaign(annotators=1, tasks=1)
    boss, path = Caller(campaign.owner), f"/campaigns/{campaign.key}"
    assert boss.get(path).json()["completion_codes"] is False
    changed = boss.call("PATCH", path, {"completion_codes": True})
    assert changed.json()["completion_codes"] is True
    boss.post(f"{path}/state", {"action": "close"})
    refused = boss.call("PATCH", path, {"completion_codes": False})
    assert (refused.status_code, "is closed" in refused.json()["detail"]) == (409, True)


def test_people_are_invited_allocated_and_released():
    campaign = worked_campaign(annotators=1, tasks=1)
    boss, name = Caller(campaign.owner), first_annotator(campaign).username
    path = f"/campaigns/{campaign.key}"
    invitation = boss.post(f"{path}/invitations", {"uses": 3, "days": 7})
    assert invitation.status_code == 201
    assert "/join/" in invitation.json()["address"]
    allocated = boss.post(f"{path}/allocations", {"names": [name], "limit": 2}).json()
    limit = "Everybody who could do it has as many tasks as the limit allows."
    assert allocated == {"tasks": {name: 2}, "unallocated": 1, "reasons": {limit: 1}}
    members = {each["name"]: each for each in boss.get(f"{path}/members").json()}
    assert (members[name]["held"], members[name]["done"]) == (2, 1)
    assert boss.post(f"{path}/releases", {"names": [name]}).json() == {"released": 2}
    wrong = boss.post(f"{path}/allocations", {"names": ["nobody-at-all"]})
    assert (wrong.status_code, "nobody-at-all" in wrong.json()["detail"]) == (400, True)


def test_work_is_listed_and_decided():
    campaign = worked_campaign(annotators=2)
    boss, path = Caller(campaign.owner), f"/campaigns/{campaign.key}"
    listed = boss.get(f"{path}/submissions", limit=3).json()
    assert (len(listed["submissions"]), listed["count"]) == (3, 8)
    one = listed["submissions"][0]["id"]
    decision = f"{path}/submissions/{one}/decision"
    assert boss.post(decision, {"accepted": False}).status_code == 400
    decided = boss.post(decision, {"accepted": False, "reason": "Odd."})
    assert "rejected" in decided.json()["message"]
    rejected = boss.get(f"{path}/submissions", show="rejected").json()["submissions"]
    assert [each["decisions"][0]["reason"] for each in rejected] == ["Odd."]
    assert boss.post(decision, {"verdict": "maybe"}).status_code == 422
    for unclear in ({}, {"verdict": "paid", "accepted": True}):
        wrong = boss.post(decision, unclear)
        assert (wrong.status_code, "either the verdict" in wrong.json()["detail"]) == (400, True)
    assert "is paid" in boss.post(decision, {"verdict": "paid"}).json()["message"]
    (paid,) = boss.get(f"{path}/submissions", show="paid").json()["submissions"]
    assert (paid["verdict"], paid["outcome"], paid["accepted"]) == ("paid", "paid", False)
    assert [each["verdict"] for each in paid["decisions"]] == ["rejected", "paid"]
    assert [each["accepted"] for each in paid["decisions"]] == [False, False]
    progress = boss.get(f"{path}/results/progress").json()
    assert (progress["paid"], progress["rejected"], progress["accepted"]) == (1, 0, 7)
    assert sum(each["paid"] for each in boss.get(f"{path}/members").json()) == 1
    boss.post(decision, {"accepted": True})
    counted = boss.get(f"{path}/submissions", show="accepted").json()["submissions"]
    assert {each["verdict"] for each in counted} == {"counts"}
    assert boss.get(f"{path}/results/annotators").json()[0]["seconds"] > 0
    assert boss.get(f"{path}/results/agreement").json()[0]["subject"] == "ratings"


def test_findings_and_pairs_are_those_of_a_study_of_the_export():
    campaign = worked_campaign("likert", annotators=2, corpus=make_corpus(documents=6, systems=3))
    boss, path = Caller(campaign.owner), f"/campaigns/{campaign.key}/results"
    expected = study(exported_corpus(campaign)).records()
    assert boss.get(f"{path}/findings").json() == expected["findings"]
    pairs = [pair for pair in expected["pairs"] if pair["by"] != "scores"]
    assert boss.get(f"{path}/pairs").json() == pairs
    chosen = pairs[0]["dimension"]
    own = boss.get(f"{path}/pairs", dimension=chosen).json()
    assert own == [pair for pair in pairs if pair["dimension"] == chosen]
    assert 0 < len(own) < len(pairs)


def test_a_dimension_that_nobody_judged_is_named_with_those_there_are():
    campaign = worked_campaign(annotators=2)
    path = f"/campaigns/{campaign.key}/results/pairs"
    wrong = Caller(campaign.owner).get(path, dimension="overal")
    sentence = "There is no dimension 'overal'. Did you mean 'overall'? Known: overall."
    assert (wrong.status_code, wrong.json()["detail"]) == (400, sentence)


def test_before_any_work_there_are_no_findings_and_no_pairs():
    campaign = worked_campaign(annotators=1, tasks=0)
    boss, path = Caller(campaign.owner), f"/campaigns/{campaign.key}/results"
    assert boss.get(f"{path}/findings").json() == []
    assert boss.get(f"{path}/pairs", dimension="overall").json() == []


def test_settings_change_and_the_state_follows_its_rules():
    campaign = worked_campaign(annotators=1, tasks=1)
    boss, path = Caller(campaign.owner), f"/campaigns/{campaign.key}"
    changed = boss.call("PATCH", path, {"name": "Renamed", "lease_minutes": 30}).json()
    assert (changed["name"], changed["lease_minutes"]) == ("Renamed", 30)
    again = boss.post(f"{path}/state", {"action": "start"})
    assert (again.status_code, "cannot be started" in again.json()["detail"]) == (409, True)
    assert boss.post(f"{path}/state", {"action": "pause"}).json()["state"] == "paused"
    odd = boss.post(f"{path}/state", {"action": "explode"})
    assert odd.status_code == 422
    assert "action" in odd.json()["detail"]


def test_a_pilot_is_run_and_thrown_away_by_programs():
    campaign = make_campaign(running=False)
    boss, path = Caller(campaign.owner), f"/campaigns/{campaign.key}/state"
    begun = boss.post(path, {"action": "pilot", "annotators": 2, "tasks": 1})
    assert begun.json()["state"] == "pilot"
    wrong = boss.post(path, {"action": "discard-pilot", "submissions": 3})
    assert wrong.status_code == 409, "nobody throws away what they have not counted"
    assert boss.post(path, {"action": "discard-pilot", "submissions": 0}).json()["state"] == "draft"


def test_the_tasks_of_an_annotator_are_theirs_alone():
    campaign = worked_campaign(annotators=2, tasks=1)
    worker = Caller(first_annotator(campaign))
    mine = worker.get("/tasks").json()
    assert len(mine) == 1
    other = Task.objects.exclude(pk=mine[0]["id"]).filter(annotator__isnull=False).first()
    key, answer = str(uuid4()), {"items": {}}
    for method, path, body in (
        ("GET", "", None),
        ("PUT", "/draft", {"answer": answer, "version": 0}),
        ("POST", "/submit", {"answer": answer, "key": key}),
        ("POST", "/release", None),
    ):
        for pk in (other.pk, 10**18, 10**30):
            response = worker.call(method, f"/tasks/{pk}{path}", body)
            assert response.status_code == 404
            assert response.json()["detail"]


def test_what_is_wrong_with_an_answer_is_said_by_field():
    campaign = worked_campaign(annotators=1, tasks=0)
    worker = Caller(first_annotator(campaign))
    task = worker.post(f"/campaigns/{campaign.key}/next").json()["task"]
    key = worker.get(f"/tasks/{task}").json()["items"][0]["key"]
    sent = {"answer": {"items": {key: {"ratings": {"overall": {"value": 99}}}}}}
    response = worker.post(f"/tasks/{task}/submit", {**sent, "key": str(uuid4())})
    assert response.status_code == 400
    assert any("value" in fault["field"] for fault in response.json()["faults"])
    worker.call("PUT", f"/tasks/{task}/draft", {"answer": {"items": {}}, "version": 0})
    stale = worker.call("PUT", f"/tasks/{task}/draft", {"answer": {"reply": None}, "version": 7})
    assert (stale.status_code, stale.json()["version"]) == (409, 1)
    assert worker.post(f"/tasks/{task}/release").status_code == 204


def test_the_description_and_its_page_are_served_without_scripts(client, admin):
    schema = client.get("/api/openapi.json").json()
    assert schema["openapi"].startswith("3.")
    page = client.get("/api/docs").content.decode()
    for path in schema["paths"]:
        assert path in page
    assert "<script" not in page
    assert "style=" not in page


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/nothing", b"", 404),
        ("GET", "/campaigns/0000000000", b"", 404),
        ("GET", "/campaigns/%00", b"", 422),
        ("DELETE", "/campaigns", b"", 405),
        ("PATCH", "/campaigns/0000000000", b"{", 400),
        ("PATCH", "/campaigns/0000000000", b'{"name": "\\u0000"}', 400),
        ("PATCH", "/campaigns/0000000000", b'{"name": "\\ud800"}', 400),
        ("PATCH", "/campaigns/0000000000", b'{"lease_minutes": 1e999}', 400),
        ("PATCH", "/campaigns/0000000000", b"[" * 100_000, 400),
        ("PATCH", "/campaigns/0000000000", b" " * (2 * 1024**2 + 1), 400),
        ("PATCH", "/campaigns/0000000000", b" " * (5 * 1024**2 + 1), 413),
        ("POST", "/campaigns", b"", 422),
    ],
)
def test_every_error_is_json_with_a_sentence(method, path, body, status, manager):
    caller = Caller(manager)
    response = caller.client.generic(
        method, f"/api{path}", body, "application/json", headers=caller.headers
    )
    assert response.status_code == status, response.content
    assert json.loads(response.content)["detail"].endswith(".")
