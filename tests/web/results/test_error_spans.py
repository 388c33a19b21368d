"""Error spans from the platform into a study: export, weighted scores, agreement, practice."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from gistmark.analysis import study
from gistmark.corpus import load, sample_folder
from gistmark.errors import UsageError
from gistmark.judgements import get_protocol, to_mapping
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.qualification.services.plans import practice_of, replace_practice
from gistmark.web.results.exports import Choices, export_to
from gistmark.web.results.statistics.study import statistics_of
from web.factories import make_campaign, make_corpus
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db


def test_errors_reach_a_study_with_the_weights_of_the_protocol(tmp_path: Path):
    whole = load(sample_folder())
    few = whole.only(each.id for each in whole.documents[:3])
    settings = to_mapping(get_protocol("error-spans"))
    heavier = [{"name": "slight", "weight": 2}, {"name": "grave", "weight": 20}]
    settings["blocks"][2]["severities"] = heavier
    campaign = worked_campaign(
        "error-spans",
        annotators=3,
        corpus=few,
        blocks=settings["blocks"],
    )
    export_to(campaign, "folder", tmp_path / "export.zip", Choices())
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        archive.extractall(tmp_path / "export")
    corpus = load(tmp_path / "export")
    assert {each.weight for each in corpus.spans} == {None, 2.0, 20.0}
    assert any(each.category is None for each in corpus.spans), "some are free of errors"
    studied = study(corpus)
    records = studied.records()
    scores = {
        (each["document"], each["system"]): each["value"]
        for each in records["human_scores"]
        if each["human"] == "error score"
    }
    errors = [each for each in corpus.spans if each.weight is not None]
    (document, system), value = min(scores.items(), key=lambda pair: pair[1])
    own = [each for each in errors if (each.document, each.system) == (document, system)]
    judges = {
        each.annotator
        for each in corpus.spans
        if (each.document, each.system) == (document, system)
    }
    assert 0 > value == pytest.approx(-sum(each.weight for each in own) / len(judges))
    agreement = {
        (each["dimension"], each["statistic"]): each["value"]
        for each in records["agreement"]
        if each["subject"] == "spans" and not each["scope"]
    }
    assert len(agreement) > 2, "of all errors, and of each category"
    assert agreement["", "char-f1"] > 0.5
    assert "slight 2, grave 20" in studied.methods
    assert statistics_of(campaign).agreement


def test_a_right_answer_of_practice_is_read_beside_the_summary():
    campaign = make_campaign("error-spans", corpus=make_corpus())
    item = {"document": "d1", "systems": ["sys1"]}
    error = {"start": 0, "end": 3, "category": "grammar", "severity": "minor"}
    right = {"answers": {"errors": {"spans": [error]}}}
    replace_practice(campaign, {"items": [item | {"right": right}]}, campaign.owner)
    [kept] = practice_of(campaign).items
    assert kept.right == right
    error["end"] = 9_999
    with pytest.raises(UsageError, match="the length of the summary, but is 9999"):
        replace_practice(campaign, {"items": [item | {"right": right}]}, campaign.owner)
    assert protocol_of(campaign).needs == {"document", "summary"}
