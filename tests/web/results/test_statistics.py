"""Statistics of a campaign: the numbers of a study of the export, computed once per change."""

from __future__ import annotations

from hashlib import sha256

import pytest

from gistmark._version import __version__
from gistmark.analysis import study
from gistmark.web.annotate.models import Submission
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.results.models import Statistics
from gistmark.web.results.statistics import study as statistics
from gistmark.web.results.statistics.study import known_statistics, statistics_of
from web.factories import make_campaign, make_corpus
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("protocol", ["overall", "pairwise", "highlight"])
def test_the_numbers_are_those_of_a_study_of_the_export(protocol):
    campaign = worked_campaign(protocol, annotators=3, corpus=make_corpus(documents=3))
    result = statistics_of(campaign)
    expected = study(exported_corpus(campaign)).records()
    assert result.agreement == [each for each in expected["agreement"] if not each["scope"]]
    assert result.ranking == [each for each in expected["ranking"] if each["by"] != "scores"]
    assert result.pairs == [each for each in expected["pairs"] if each["by"] != "scores"]
    assert result.findings == expected["findings"]
    assert result.notes == expected["notes"]
    assert bool(result.notes) == (protocol != "highlight")
    wholes = [each for each in expected["annotators"] if not each["dimension"]]
    assert result.annotators == {
        each["annotator"]: pytest.approx(each["agreement"]) for each in wholes
    }
    for name, key in (("span-f1", "f1"), ("span-kappa", "kappa")):
        scoped = {
            each["scope"]: each["value"]
            for each in expected["agreement"]
            if each["statistic"] == name and each["scope"]
        }
        assert {d: each[key] for d, each in result.documents.items() if key in each} == scoped


def test_they_are_computed_once_for_the_same_work(monkeypatch):
    campaign = worked_campaign(annotators=2)
    assert known_statistics(campaign) is None
    result = statistics_of(campaign)
    monkeypatch.setattr(statistics, "compute", lambda *_: pytest.fail("computed again"))
    assert statistics_of(campaign) == result == known_statistics(campaign)


def test_statistics_kept_in_an_older_form_are_computed_again():
    """What the first form was: no findings, no pairs, and a fingerprint without its number."""
    campaign = worked_campaign(annotators=2)
    counting = Submission.objects.filter(task__campaign=campaign, current=True).order_by("pk")
    work = ",".join(str(pk) for pk in counting.values_list("pk", flat=True))
    Statistics.objects.create(
        campaign=campaign,
        fingerprint=sha256(f"{__version__}:{work}".encode()).hexdigest(),
        content={"agreement": [], "ranking": [], "annotators": {}},
    )
    assert known_statistics(campaign) is None
    result = statistics_of(campaign)
    assert result.findings
    assert result.pairs
    assert result == known_statistics(campaign)
    assert Statistics.objects.filter(campaign=campaign).count() == 1


def test_they_are_computed_anew_once_other_work_counts():
    campaign = worked_campaign(annotators=2)
    before = statistics_of(campaign)
    submission = Submission.objects.filter(task__campaign=campaign).first()
    decide(submission, campaign.owner, "rejected", "Not careful.")
    assert known_statistics(campaign) is None
    assert statistics_of(campaign).agreement != before.agreement
    decide(submission, campaign.owner, "counts")
    assert known_statistics(campaign) is None
    assert statistics_of(campaign) == before
    assert Statistics.objects.filter(campaign=campaign).count() == 1


def test_a_campaign_without_work_has_no_statistics():
    result = statistics_of(make_campaign())
    assert (result.agreement, result.ranking, result.annotators) == ([], [], {})
