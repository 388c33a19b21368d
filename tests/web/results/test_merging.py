"""Merging content units, the second stage, and what comes out of both."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from uuid import uuid4

import pytest

import gistmark
from gistmark.errors import UsageError
from gistmark.judgements import AnswerError
from gistmark.records import ContentUnit
from gistmark.web.annotate.models import BatchItem, Submission
from gistmark.web.annotate.services.adjudications import adjudicate
from gistmark.web.annotate.services.launch import start
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.campaigns.models import Campaign, Unit
from gistmark.web.campaigns.services.archive import copy_draft
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.campaigns.services.protocols import change_protocol, outlook
from gistmark.web.config.errors import ConflictError
from gistmark.web.qualification.services.attempts import (
    continue_practice,
    practice_payload,
    submit_practice,
)
from gistmark.web.qualification.services.plans import replace_practice
from gistmark.web.results.adjudication import disputed_item, disputed_items
from gistmark.web.results.dashboard.events import latest_events
from gistmark.web.results.exports import Choices, export_to
from gistmark.web.results.exports.material import material_for
from gistmark.web.results.merging import (
    document_units,
    make_second_stage,
    merge_as_proposed,
    merging_status,
    save_units,
)
from gistmark.web.results.statistics.study import statistics_of
from web.api.calling import Caller
from web.factories import again, make_campaign, make_corpus, make_user
from web.results.working import work_on, worked_campaign

pytestmark = pytest.mark.django_db

UNITS = (
    ContentUnit("d1", "a", "The summary is short.", 2.0, "gold"),
    ContentUnit("d1", "b", "The bridge was closed."),
)


@pytest.fixture(scope="module")
def made_writing(shared_db) -> Campaign:
    """Two annotators have written units of the references of both documents."""
    return worked_campaign("content-units", annotators=2)


@pytest.fixture
def writing(made_writing, db) -> Campaign:
    return again(made_writing)


def with_units(*, running: bool = False) -> Campaign:
    corpus = replace(make_corpus(), units=UNITS)
    return make_campaign("content-units-presence", corpus=corpus, running=running)


def test_units_that_two_wrote_are_proposed_as_one_with_their_weight(writing):
    first = merging_status(writing)[0]
    assert (first.document.name, first.annotators, first.written, first.merged) == ("d1", 2, 2, 0)
    known = document_units(writing, first.document.position)
    assert known.references == (("gold", "Summary of d1 by gold is short."),)
    [proposed] = known.proposed
    assert (proposed.text, proposed.weight) == ("Summary of d1 by gold is short.", 2.0)
    assert set(proposed.sources) == {unit.id for each in known.written for unit in each.units}


def test_what_is_saved_is_there_with_ids_weights_sources_and_an_event(writing):
    [[one], [other]] = [each.units for each in document_units(writing, 0).written]
    sent = [
        {"text": " The summary  is short. ", "weight": 1.5, "sources": [one.id, other.id]},
        {"text": "It was added."},
    ]
    saved = save_units(writing, 0, writing.owner, sent)
    assert [(unit.id, unit.text, unit.weight, unit.sources) for unit in saved.merged] == [
        ("u1", "The summary is short.", 1.5, (one.id, other.id)),
        ("u2", "It was added.", 1.0, ()),
    ]
    rows = Unit.objects.filter(document__campaign=writing)
    assert [row.reference for row in rows] == ["gold", None]
    assert latest_events(writing)[0].what == "merged the content units of d1"


def test_a_page_that_is_out_of_date_overwrites_nothing(writing):
    version = document_units(writing, 0).version
    save_units(writing, 0, writing.owner, [{"text": "Newer."}], version)
    with pytest.raises(ConflictError, match="saved by somebody else"):
        save_units(writing, 0, writing.owner, [{"text": "Older."}], version)
    assert [unit.text for unit in document_units(writing, 0).merged] == ["Newer."]


def test_bad_units_are_refused_with_all_problems_and_change_nothing(writing):
    save_units(writing, 0, writing.owner, [{"text": "A fact."}])
    with pytest.raises(AnswerError) as caught:
        save_units(writing, 0, writing.owner, [{"text": "B b."}, {"text": "b, b"}, {"weight": -1}])
    assert len(caught.value.faults) == 3
    for nothing in ({"text": "x"}, "x", [1]):
        with pytest.raises(AnswerError):
            save_units(writing, 0, writing.owner, nothing)
    with pytest.raises(UsageError, match="NUL"):
        save_units(writing, 0, writing.owner, [{"text": "a\0b"}])
    assert [unit.text for unit in document_units(writing, 0).merged] == ["A fact."]


def test_the_second_stage_is_a_draft_with_the_merged_units(writing):
    with pytest.raises(ConflictError, match="No document has merged units"):
        make_second_stage(writing, writing.owner, "Marks")
    save_units(writing, 0, writing.owner, [{"text": "The summary is short.", "weight": 2}])
    stage = make_second_stage(writing, writing.owner, "Marks")
    corpus = corpus_of(stage)
    assert [(unit.id, unit.text, unit.weight) for unit in corpus.units] == [
        ("u1", "The summary is short.", 2.0)
    ]
    assert (stage.state, stage.protocol["name"]) == ("draft", "content-units-presence")
    seen = outlook(stage)
    assert seen.problems == ()
    assert {item.document for item in seen.selection.items} == {"d1"}
    named = [str(each) for each in seen.selection.problems]
    assert named
    assert all("'d2'" in each and "lacks content units" in each for each in named)
    with pytest.raises(ConflictError, match="is not one in which content units are written"):
        make_second_stage(stage, stage.owner, "Third")


def test_both_stages_are_done_by_simulated_annotators_and_studied(writing, tmp_path):
    assert merge_as_proposed(writing, None) == 2
    assert merge_as_proposed(writing, None) == 0
    stage = make_second_stage(writing, writing.owner, "Marks")
    change_protocol(stage, {"judges": 2}, None)
    start(stage, stage.owner)
    for membership in writing.memberships.filter(role="annotator"):
        add_member(stage, membership.user)
        give_consent(stage, membership.user)
        while work_on(stage, membership.user) is not None:
            pass
    results = statistics_of(stage)
    assert {record["by"] for record in results.ranking} == {"units"}
    assert set(results.annotators.values()) == {1.0}
    assert {each["subject"] for each in results.agreement} == {"units"}
    target = tmp_path / "export.zip"
    export_to(stage, "folder", target)
    zipfile.ZipFile(target).extractall(tmp_path / "folder")
    exported = gistmark.load(tmp_path / "folder")
    assert len(exported.presence) == 2 * 4
    assert {mark.annotator for mark in exported.presence} <= {f"annotator-{n}" for n in range(9)}
    assert [unit.weight for unit in exported.units] == [2.0, 2.0]
    study = gistmark.study(exported)
    shown = {(each.document, each.system): each.value for each in study.human_scores}
    assert shown == {
        (mark.document, mark.system): float(mark.present) for mark in exported.presence
    }
    for format in ("csv", "jsonl", "parquet"):
        export_to(stage, format, tmp_path / format)
    first = (tmp_path / "csv").read_text().splitlines()[0]
    assert first == "document,unit,system,annotator,present,campaign"


def test_the_export_of_the_first_stage_has_the_units_of_every_annotator(writing, tmp_path):
    save_units(writing, 0, writing.owner, [{"text": "Merged.", "weight": 3}])
    target = tmp_path / "export.zip"
    export_to(writing, "folder", target)
    with zipfile.ZipFile(target) as archive:
        rows = [json.loads(line) for line in archive.read("units.jsonl").splitlines()]
        merged = [json.loads(line) for line in archive.read("merged-units.jsonl").splitlines()]
    assert sorted((row["document"], row["id"], row["reference"]) for row in rows) == [
        ("d1", "u1", "gold"), ("d1", "u2", "gold"), ("d2", "u1", "gold"), ("d2", "u2", "gold"),
    ]  # fmt: skip
    assert {row["annotator"] for row in rows} == {"annotator-2", "annotator-3"}
    assert merged == [{"document": "d1", "id": "u1", "text": "Merged.", "weight": 3.0}]
    export_to(writing, "jsonl", tmp_path / "units.jsonl")
    with pytest.raises(ConflictError, match="cannot hold"):
        export_to(writing, "csv", tmp_path / "units.csv")
    named = exported_corpus(writing)
    assert {unit.annotator for unit in named.units}.isdisjoint({"annotator-2", "annotator-3"})
    export_to(writing, "folder", target, Choices(names=True))


def test_units_of_an_uploaded_corpus_can_be_changed_until_the_start():
    draft = with_units()
    known = document_units(draft, 0)
    assert [(unit.id, unit.text, unit.weight) for unit in known.merged] == [
        ("a", "The summary is short.", 2.0), ("b", "The bridge was closed.", 1.0),
    ]  # fmt: skip
    practice = {
        "items": [{"document": "d1", "systems": ["sys1"], "right": {"presence": {"b": True}}}]
    }
    replace_practice(draft, practice, draft.owner)
    save_units(draft, 0, draft.owner, [{"id": "a", "text": "It is short.", "weight": 4}])
    assert corpus_of(draft).units == (ContentUnit("d1", "a", "It is short.", 4.0, "gold"),)
    assert [item.right for item in draft.practice_items.all()] == [None]
    copy = copy_draft(draft, "Copy", draft.owner)
    assert corpus_of(copy).units == corpus_of(draft).units
    running = with_units(running=True)
    with pytest.raises(ConflictError, match="has started"):
        save_units(running, 0, running.owner, [])


def test_units_are_not_adjudicated_but_their_presence_is(writing, log_in):
    [row, *_] = BatchItem.objects.filter(batch__campaign=writing)
    with pytest.raises(ConflictError, match="not adjudicated but merged"):
        adjudicate(writing, row.pk, writing.owner, {"units": [{"text": "A fact."}]})
    corpus = replace(make_corpus(documents=1, systems=1), units=UNITS)
    marking = worked_campaign("content-units-presence", annotators=3, corpus=corpus)
    [row] = BatchItem.objects.filter(batch__campaign=marking)
    for number, submission in enumerate(Submission.objects.filter(task__campaign=marking)):
        submission.answer["items"]["1"]["presence"] = {"a": True, "b": number == 0}
        submission.save()
    [disputed] = disputed_items(marking)
    # One of three marked the second unit as stated.
    assert (disputed.dimension, disputed.value) == ("b", pytest.approx(1 / 3, abs=1e-6))
    line = disputed_item(marking, row.pk).lines[1]
    assert (line.text, line.answers.count("stated")) == ("The bridge was closed.", 1)
    adjudicate(marking, row.pk, marking.owner, {"presence": {"b": False}})
    decided = material_for(marking, Choices(adjudicated=True)).corpus
    assert [m.present for m in decided.presence if m.unit == "b"] == [False]
    assert [m.present for m in decided.presence if m.unit == "a"] == [True] * 3
    page = log_in(marking.owner).get(f"/campaigns/{marking.key}/documents/0/").content.decode()
    # The units weigh 2 and 1; the first is stated for all three, the second for one: (2 + 1/3) / 3.
    assert "content units, by weight" in page
    assert "0.78" in page


def test_practice_shows_the_right_mark_beside_each_unit(log_in):
    draft = with_units()
    right = {"presence": {"a": True, "b": False}}
    practice = {"items": [{"document": "d1", "systems": ["sys1"], "right": right}]}
    replace_practice(draft, practice | {"leaves_out": False}, draft.owner)
    start(draft, draft.owner)
    user = make_user()
    add_member(draft, user)
    give_consent(draft, user)
    item = continue_practice(draft, user)
    assert [unit["id"] for unit in practice_payload(item)["items"][0]["units"]] == ["a", "b"]
    given = {"items": {"1": {"presence": {"a": True, "b": True}}}}
    answered = submit_practice(item.pk, user, uuid4(), given)
    assert answered.marks == {"a": True, "b": False}
    page = log_in(user).get(f"/practice/{item.pk}/").content.decode()
    assert page.index("The bridge was closed.") < page.index("not right")
    assert ">Yes<" in page
    assert ">No<" in page


def test_a_copy_of_the_first_stage_has_none_of_its_merged_units(writing):
    save_units(writing, 0, writing.owner, [{"text": "Merged."}])
    assert corpus_of(copy_draft(writing, "Copy", writing.owner)).units == ()


def test_the_api_lists_merges_and_makes_the_second_stage(writing):
    caller = Caller(writing.owner)
    base = f"/campaigns/{writing.key}/units"
    assert caller.get(base).json()["items"][0] == {
        "document": "d1", "position": 0, "annotators": 2, "written": 2, "merged": 0,
    }  # fmt: skip
    seen = caller.get(f"{base}/0").json()
    assert len(seen["written"]) == 2
    sent = {"units": [{k: seen["proposed"][0][k] for k in ("text", "weight", "sources")}]}
    saved = caller.call("PUT", f"{base}/0", sent | {"version": seen["version"]}).json()
    assert (saved["merged"][0]["id"], saved["merged"][0]["weight"]) == ("u1", 2.0)
    assert caller.call("PUT", f"{base}/0", sent | {"version": seen["version"]}).status_code == 409
    refused = caller.call("PUT", f"{base}/0", {"units": [{"text": ""}]})
    assert (refused.status_code, refused.json()["faults"][0]["field"]) == (400, "units[0].text")
    assert caller.get(f"{base}/99").status_code == 404
    made = caller.post(f"{base}/second-stage", {"name": "Marks"})
    assert made.status_code == 201
    assert Campaign.objects.get(key=made.json()["key"]).name == "Marks"
