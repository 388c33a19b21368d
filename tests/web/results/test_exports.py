"""The export: a corpus that a study reads, in every form, without names unless asked for."""

from __future__ import annotations

import csv
import io
import json
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.urls import reverse

from gistmark.analysis import study
from gistmark.corpus import load, save
from gistmark.corpus.formats import FORMATS as CORPUS_FORMATS
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.config.errors import ConflictError
from gistmark.web.results.catalogue import EXPORTS
from gistmark.web.results.exports import (
    Choices,
    ExportFormat,
    export_format,
    export_to,
    suggested_name,
)
from gistmark.web.results.exports.material import material_for
from gistmark.web.results.statistics.study import statistics_of
from web.api.calling import Caller
from web.factories import again, make_campaign, make_corpus, make_user
from web.results.working import first_annotator, worked_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(finished_campaign, db) -> Campaign:
    return again(finished_campaign)


def exported(campaign: Campaign, format: str, folder: Path, **options: bool) -> Path:
    """The export, unpacked if it is an archive."""
    target = folder / suggested_name(campaign, format, Choices(**options))
    export_to(campaign, format, target, Choices(**options))
    if target.suffix != ".zip":
        return target
    with zipfile.ZipFile(target) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def test_a_study_of_the_exported_folder_finds_the_numbers_of_the_dashboard(tmp_path):
    campaign = worked_campaign(annotators=3, corpus=make_corpus(documents=3))
    result = study(load(exported(campaign, "folder", tmp_path))).records()
    shown = statistics_of(campaign)
    assert shown.ranking == result["ranking"]
    assert shown.agreement == [each for each in result["agreement"] if not each["scope"]]


@pytest.mark.parametrize("protocol", ["overall", "pairwise", "highlight", "content-document"])
def test_every_kind_of_judgement_is_in_the_folder(protocol, tmp_path):
    campaign = worked_campaign(protocol, annotators=2)
    corpus = load(exported(campaign, "folder", tmp_path))
    kinds = {"pairwise": "comparisons", "highlight": "highlights"}
    records = getattr(corpus, kinds.get(protocol, "ratings"))
    assert {each.annotator for each in records} == {"annotator-2", "annotator-3"}
    rows = list(csv.DictReader((tmp_path / "unpacked" / "work.csv").open()))
    assert len(rows) == Submission.objects.filter(task__campaign=campaign).count()
    assert {row["state"] for row in rows} == {"done"}


@pytest.mark.parametrize("protocol", ["likert", "pairwise", "highlight", "content-units"])
def test_what_is_written_as_it_comes_is_what_the_whole_corpus_would_be(
    protocol, tmp_path, monkeypatch
):
    campaign = worked_campaign(protocol, annotators=2)
    monkeypatch.setattr("gistmark.web.results.exports.formats.CHUNK", 2)
    folder = exported(campaign, "folder", tmp_path)
    save(material_for(campaign, Choices()).corpus, tmp_path / "whole")
    for file in (tmp_path / "whole").iterdir():
        assert (folder / file.name).read_bytes() == file.read_bytes(), file.name
    beside = {path.name for path in folder.iterdir()} - {
        path.name for path in (tmp_path / "whole").iterdir()
    }
    assert beside == {"work.csv"}


def test_names_are_given_only_where_they_are_asked_for(campaign, tmp_path):
    names = set(statistics_of(campaign).annotators)
    plain = exported(campaign, "csv", tmp_path).read_text()
    assert not [name for name in names if name in plain]
    named = exported(campaign, "csv", tmp_path, names=True).read_text()
    assert all(name in named for name in names)


def test_a_pseudonym_stays_with_its_annotator(campaign, tmp_path):
    before = exported(campaign, "csv", tmp_path).read_text()
    add_member(campaign, make_user(name="aaa-comes-first"))
    assert exported(campaign, "csv", tmp_path).read_text() == before


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_the_tables_hold_the_same_ratings(campaign, form, tmp_path):
    whole = load(exported(campaign, "folder", tmp_path))
    table = exported(campaign, form, tmp_path)
    (tmp_path / "again").mkdir()
    (tmp_path / "unpacked" / "ratings.csv").unlink()
    (tmp_path / "unpacked" / f"ratings.{form}").write_bytes(table.read_bytes())
    assert load(tmp_path / "unpacked").ratings == whole.ratings


def test_rejected_work_comes_as_a_file_of_its_own(campaign, tmp_path):
    submission = Submission.objects.filter(task__campaign=campaign).first()
    decide(submission, campaign.owner, "rejected", "Answers at random.")
    folder = exported(campaign, "folder", tmp_path, rejected=True)
    (row,) = map(json.loads, (folder / "rejected.jsonl").read_text().splitlines())
    assert (row["slot"], row["reasons"]) == (submission.task.slot, ["Answers at random."])
    assert row["verdict"] == "rejected"
    assert [rating["annotator"] for rating in row["ratings"]] == [row["annotator"]]
    assert row["annotator"].startswith("annotator-")
    assert len(load(folder).ratings) == 7
    packed = exported(campaign, "csv", tmp_path / "unpacked", rejected=True)
    assert sorted(path.name for path in packed.iterdir()) == ["ratings.csv", "rejected.jsonl"]


def test_the_verdict_of_all_work_is_told_and_paid_work_does_not_count(campaign, tmp_path):
    paid, flagged, late, *others = Submission.objects.filter(task__campaign=campaign)
    decide(paid, campaign.owner, "paid", "Careless.")
    Task.objects.filter(pk=flagged.task_id).update(flagged=True)
    Task.objects.filter(pk=late.task_id).update(state="late", flagged=True)
    folder = exported(campaign, "folder", tmp_path, rejected=True)
    rows = list(csv.DictReader((folder / "work.csv").open()))
    told = {row["slot"]: (row["outcome"], row["verdict"]) for row in rows}
    assert told == {
        paid.task.slot: ("paid", "paid"),
        flagged.task.slot: ("undecided", ""),
        late.task.slot: ("late", ""),
        **{each.task.slot: ("accepted", "counts") for each in others},
    }
    kept = [json.loads(line) for line in (folder / "rejected.jsonl").read_text().splitlines()]
    assert {row["slot"]: row["verdict"] for row in kept} == {
        paid.task.slot: "paid", late.task.slot: None,
    }  # fmt: skip
    assert len(load(folder).ratings) == len(others)


def test_the_highres_folder_can_be_read_again_and_says_what_it_cannot_hold(tmp_path):
    campaign = worked_campaign("highlight", annotators=2)
    folder = exported(campaign, "highres", tmp_path)
    read = CORPUS_FORMATS.get("highres").read(folder)
    assert {mark.annotator for mark in read.highlights} == {"annotator-2", "annotator-3"}
    assert "cannot hold" in (folder / "left-out.txt").read_text()


def test_the_thesis_tools_file_has_a_row_for_each_summary_and_annotator(tmp_path):
    campaign = worked_campaign("quality", annotators=2, tasks=2, checks={"straight_line": "off"})
    held = next_task(campaign, first_annotator(campaign))
    rows = list(csv.DictReader(exported(campaign, "thesis", tmp_path, names=True).open()))
    assert list(rows[0]) == [
        "summaryID", "candidate", "gold", "title", "grammatical_correctness", "arrangement",
        "quality", "conciseness", "exhaustiveness", "subjectiveScore", "done", "annotator",
    ]  # fmt: skip
    assert [row["done"] for row in rows].count("true") == 4
    (waiting,) = [row for row in rows if row["done"] == "false"]
    assert waiting["annotator"] == held.annotator.username
    assert waiting["subjectiveScore"] == ""
    assert all(row["subjectiveScore"] in "12345" for row in rows if row is not waiting)
    assert "Summary of" in rows[0]["candidate"]
    assert rows[0]["title"].startswith("Title of")


@pytest.mark.parametrize(
    ("protocol", "offered"), [("highlight", True), ("overall", False), ("content-document", False)]
)
def test_the_highres_folder_is_offered_only_where_it_can_hold_the_work(protocol, offered, log_in):
    campaign = make_campaign(protocol)
    page = log_in(campaign.owner).get(reverse("campaign", args=[campaign.key])).content.decode()
    assert ("HighRES tool" in page) == offered
    status = Caller(campaign.owner).get(f"/campaigns/{campaign.key}/export/highres").status_code
    assert status == (200 if offered else 409)


def test_names_of_files_say_their_form_once():
    campaign = make_campaign(name="My news")
    names = [suggested_name(campaign, format) for format in ("csv", "jsonl", "folder")]
    stem = f"my-news-{campaign.key}"
    assert names == [f"{stem}.csv", f"{stem}.jsonl", f"{stem}-folder.zip"]


def test_what_does_not_fit_a_form_is_said(tmp_path, log_in):
    campaign = worked_campaign(annotators=1)
    address = reverse("campaign-export", args=[campaign.key, "thesis"])
    response = log_in(campaign.owner).get(address, follow=True)
    assert "The format &#x27;thesis&#x27; cannot hold" in response.content.decode()
    with pytest.raises(ConflictError, match="no work has been accepted yet"):
        exported(make_campaign(), "csv", tmp_path)
    assert len(load(exported(make_campaign(), "folder", tmp_path)).ratings) == 0


@pytest.mark.parametrize("format", ["folder", "csv", "jsonl", "parquet"])
def test_a_download_is_a_file_with_a_safe_name(format, log_in):
    campaign = worked_campaign(annotators=1)
    Campaign.objects.filter(pk=campaign.pk).update(name='../../etc/"x"; é ☃')
    address = reverse("campaign-export", args=[campaign.key, format])
    response = log_in(campaign.owner).get(address)
    content = b"".join(response)
    said = response.headers["Content-Disposition"]
    assert said.startswith(f'attachment; filename="etcx-e-{campaign.key}')
    assert len(content) == int(response.headers["Content-Length"])
    if export_format(format).suffix == "zip":
        assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None


def test_an_export_is_in_the_audit_trail(log_in):
    campaign = worked_campaign(annotators=1)
    address = reverse("campaign-export", args=[campaign.key, "csv"])
    log_in(campaign.owner).get(address, {"names": "yes"})
    event = campaign.events.first()
    assert (event.verb, event.about["names"]) == ("exported", True)


class Count(ExportFormat):
    """How many ratings there are: a format that a test adds."""

    name = "count"
    label = "The number of ratings"
    suffix = "txt"

    def write(self, material, folder):
        (folder / "count.txt").write_text(str(len(material.corpus.ratings)))


def test_a_new_format_is_a_class_and_a_line_of_the_catalogue(log_in, monkeypatch):
    monkeypatch.setitem(EXPORTS, "count", f"{__name__}:Count")
    monkeypatch.setitem(sys.modules, __name__, SimpleNamespace(Count=Count))
    campaign = worked_campaign(annotators=1)
    client = log_in(campaign.owner)
    page = client.get(reverse("campaign", args=[campaign.key])).text
    assert "The number of ratings" in page
    file = client.get(reverse("campaign-export", args=[campaign.key, "count"]))
    assert b"".join(file.streaming_content) == b"4"
    called = Caller(campaign.owner).get(f"/campaigns/{campaign.key}/export/count")
    assert b"".join(called.streaming_content) == b"4"
