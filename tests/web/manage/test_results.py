"""The dashboard, pairs of systems, documents and heat maps, as a manager sees them."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from gistmark.analysis.findings.words import show_estimate, show_number, show_p
from gistmark.records import Highlight, Machine
from gistmark.web.annotate.models import Submission
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import pause
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.results.statistics.study import statistics_of
from web.api.calling import Caller
from web.factories import again, make_campaign, make_corpus
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(finished_campaign, db) -> Campaign:
    """No statistics are known yet."""
    return again(finished_campaign)


def page(client, name, *args, **query):
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200, response.content
    return response.content.decode()


def test_the_dashboard_shows_progress_systems_agreement_and_annotators(campaign, log_in):
    shown = page(log_in(campaign.owner), "campaign", campaign.key, statistics="now")
    result = statistics_of(campaign)
    assert "8 of 8 tasks are done" in shown
    value = next(each["value"] for each in result.ranking if each["system"] == "sys2")
    assert show_number(value) in shown
    assert all(system in shown for system in ("sys1", "sys2"))
    assert all(name in shown for name in result.annotators)
    assert "Krippendorff’s alpha, ordinal" in shown


def test_highlights_have_agreement_by_annotator_and_by_document(log_in):
    campaign = worked_campaign("highlight", annotators=3, corpus=make_corpus(documents=2), budget=8)
    client, result = log_in(campaign.owner), statistics_of(campaign)
    shown = page(client, "campaign", campaign.key)
    assert "Agreement is the F1 on highlighted words with each of the others" in shown
    for value in result.annotators.values():
        assert f'class="number">{show_number(value)}</td>' in shown
    first = result.documents["d1"]
    listed = page(client, "campaign-documents", campaign.key)
    assert f"F1 {show_number(first['f1'])}, kappa {show_number(first['kappa'])}" in listed
    one = page(client, "campaign-document", campaign.key, 0)
    assert f"pairwise F1 <strong>{show_number(first['f1'])}</strong>" in one


def test_a_document_shows_the_spread_of_its_ratings(log_in):
    """d1's first summary is rated 1, 2 and 4: mean 7/3, sample standard deviation 1.53."""
    campaign = worked_campaign(annotators=3, corpus=make_corpus(documents=1, systems=1))
    work = Submission.objects.filter(task__campaign=campaign).order_by("pk")
    for value, submission in zip((1, 2, 4), work, strict=True):
        submission.answer["items"]["1"]["ratings"]["overall"]["value"] = value
        submission.save()
    client = log_in(campaign.owner)
    shown = page(client, "campaign-document", campaign.key, 0)
    assert '2.33 <span class="hint">sd 1.53, n 3' in shown
    assert shown.count('class="dot"') == 3
    assert "once the" in page(client, "campaign-documents", campaign.key)
    statistics_of(campaign)
    assert "sd 1.53" in page(client, "campaign-documents", campaign.key)


def test_one_rating_has_no_spread(log_in):
    campaign = worked_campaign(annotators=1, corpus=make_corpus(documents=1, systems=1))
    shown = page(log_in(campaign.owner), "campaign-document", campaign.key, 0)
    assert "one rating" in shown
    assert "sd " not in shown


def test_votes_are_counted(log_in):
    campaign = worked_campaign("pairwise", annotators=2, corpus=make_corpus(documents=1))
    assert "of 2 votes" in page(log_in(campaign.owner), "campaign-document", campaign.key, 0)


def test_pay_per_hour_is_reckoned_for_the_rate_that_is_typed(campaign, log_in):
    Submission.objects.update(seconds=150)
    client = log_in(campaign.owner)
    shown = page(client, "campaign", campaign.key, rate="0,50")
    assert "At 0.50 per task the median annotator earns <strong>12.00 per hour</strong>" in shown
    assert "numbers/?rate=0.50" in shown
    assert "per hour</strong>" not in page(client, "campaign", campaign.key)
    assert "A rate is a number above 0" in page(client, "campaign", campaign.key, rate="much")
    caller, path = Caller(campaign.owner), f"/campaigns/{campaign.key}/results/times"
    times = caller.get(path, rate="0.5").json()
    assert (times["per_hour"], times["median"], times["item"]) == (12.0, 150.0, 150.0)
    assert (caller.get(path).json()["per_hour"], times["end"]) == (None, None)
    assert caller.get(path, rate="much").status_code == 400
    parts = client.get(reverse("campaign-numbers", args=[campaign.key]), {"rate": "0.50"}).json()
    assert "12.00 per hour" in parts["parts"]["timings"]


def test_the_expected_end_is_said_with_what_it_is_based_on(log_in):
    campaign = worked_campaign(annotators=2, tasks=3)
    client = log_in(campaign.owner)
    assert "the work ends" not in page(client, "campaign", campaign.key)
    work = Submission.objects.filter(task__campaign=campaign).order_by("pk")
    for days, submission in enumerate(work):
        at = timezone.now() - timedelta(days=days)
        Submission.objects.filter(pk=submission.pk).update(received_at=at)
    shown = page(client, "campaign", campaign.key)
    assert "since the first submission (1.2 tasks a day), the work ends about" in shown
    pause(campaign, None)
    assert "the work ends" not in page(client, "campaign", campaign.key)


def test_the_dashboard_says_the_findings_of_the_study_word_for_word(log_in):
    corpus = make_corpus(documents=7, systems=3)
    campaign = worked_campaign("likert", annotators=2, corpus=corpus)
    shown = page(log_in(campaign.owner), "campaign", campaign.key, statistics="now")
    findings = statistics_of(campaign).findings
    assert {"systems", "agreement"} <= {each["kind"] for each in findings}
    for each in findings:
        assert f"<strong>{escape(each['text'])}</strong> {escape(each['detail'])}" in shown


def test_the_dashboard_has_the_confidence_and_weight_of_each_dimension(log_in):
    campaign = worked_campaign("likert", annotators=2, corpus=make_corpus(documents=2, systems=3))
    shown = page(log_in(campaign.owner), "campaign", campaign.key, statistics="now")
    records = statistics_of(campaign).confidence
    assert {record["measure"] for record in records} >= {"confidence", "weight"}
    table = shown[shown.index('id="confidence"') : shown.index('id="all-agreement"')]
    for record in records:
        assert show_estimate(record["value"], record["low"], record["high"]) in table
    plain = worked_campaign(annotators=2, corpus=make_corpus(documents=2, systems=3))
    assert 'id="confidence"' not in page(
        log_in(plain.owner), "campaign", plain.key, statistics="now"
    )


def test_letters_are_explained_only_where_two_systems_have_some(log_in):
    legend = "Systems that share a letter cannot be told apart"
    one = worked_campaign(annotators=2, corpus=make_corpus(documents=2, systems=1))
    two = worked_campaign(annotators=2, corpus=make_corpus(documents=2, systems=2))
    assert legend not in page(log_in(one.owner), "campaign", one.key, statistics="now")
    assert legend in page(log_in(two.owner), "campaign", two.key, statistics="now")


def test_the_pairs_of_few_systems_are_folded_into_the_dashboard(log_in):
    campaign = worked_campaign(annotators=2, corpus=make_corpus(documents=7, systems=3))
    shown = page(log_in(campaign.owner), "campaign", campaign.key, statistics="now")
    pairs = [p for p in statistics_of(campaign).pairs if p["method"] == "mean"]
    for pair in pairs:
        estimate = show_estimate(pair["difference"], pair["low"], pair["high"])
        assert estimate in shown
        assert show_p(pair["p_corrected"]) in shown
        assert show_number(pair["effect"]) in shown


def test_the_page_of_pairs_shows_one_ranking_and_one_system(log_in):
    campaign = worked_campaign(annotators=2, corpus=make_corpus(documents=2, systems=3))
    client = log_in(campaign.owner)
    shown = page(client, "campaign-pairs", campaign.key)
    assert "3 of 3 pairs" in shown
    assert "<option selected>overall (mean)</option>" in shown
    chosen = {"ranking": "overall (normalised mean rank)", "system": "sys1"}
    shown = page(client, "campaign-pairs", campaign.key, **chosen)
    assert "2 of 3 pairs" in shown
    assert "<option selected>sys1</option>" in shown
    for odd in ({"ranking": "taste"}, {"system": "sys9"}, {"system": "\x00"}):
        response = client.get(reverse("campaign-pairs", args=[campaign.key]), odd)
        assert response.status_code == 404
        assert "Known: " in response.content.decode()


def test_before_any_work_the_page_of_pairs_says_so(log_in):
    campaign = worked_campaign(annotators=1, tasks=0)
    shown = page(log_in(campaign.owner), "campaign-pairs", campaign.key)
    assert "No two systems have been ranked yet." in shown


def test_all_pairs_can_be_downloaded_as_a_table(log_in):
    campaign = worked_campaign("likert", annotators=2, corpus=make_corpus(documents=2, systems=3))
    address = reverse("campaign-pairs-csv", args=[campaign.key])
    response = log_in(campaign.owner).get(address)
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    pairs = statistics_of(campaign).pairs
    assert [(row["dimension"], row["left"], row["right"]) for row in rows] == [
        (pair["dimension"], pair["left"], pair["right"]) for pair in pairs
    ]
    assert [float(row["difference"]) for row in rows] == [pair["difference"] for pair in pairs]
    assert "-pairs.csv" in response.headers["Content-Disposition"]


def test_the_page_comes_at_once_and_fetches_statistics_that_are_not_known(campaign, log_in):
    client = log_in(campaign.owner)
    assert "Being computed" in page(client, "campaign", campaign.key)
    parts = json.loads(page(client, "campaign-numbers", campaign.key))["parts"]
    assert "sys1" in parts["systems"]
    assert set(parts) == {
        "progress", "systems", "questions", "agreement", "annotators", "timings", "events",
        "decisions", "helper",
    }  # fmt: skip
    assert "Being computed" not in page(client, "campaign", campaign.key)


def test_a_draft_shows_what_it_needs_to_start(log_in):
    campaign = make_campaign(running=False)
    assert "Start the campaign" in page(log_in(campaign.owner), "campaign", campaign.key)


def test_the_heat_map_colours_what_most_people_marked(log_in):
    campaign = worked_campaign("highlight", annotators=2, corpus=make_corpus(documents=1))
    shown = page(log_in(campaign.owner), "campaign-document", campaign.key, 0)
    assert 'class="heat-5" title="2"' in shown
    assert "marked the word" in shown


def test_a_heat_map_of_a_machine_is_not_called_one_of_people(log_in, annotator):
    marks = (Highlight("d1", "machine:LexRank", 0, 3),)
    corpus = replace(
        make_corpus(documents=1), highlights=marks, machines=(Machine("machine:LexRank"),)
    )
    draft = make_campaign("content-highlight", corpus=corpus, running=False)
    assert "show what machine:LexRank marked" in page(log_in(draft.owner), "campaign", draft.key)
    campaign = make_campaign("content-highlight", corpus=corpus, annotators=(annotator,))
    shown = page(log_in(campaign.owner), "campaign-document", campaign.key, 0)
    assert "the more of 1 machine marked the word" in shown
    give_consent(campaign, annotator)
    task = browser_payload(next_task(campaign, annotator))
    assert task["items"][0]["marked_by"] == "program"
    assert "LexRank" not in json.dumps(task)
    assert "Other readers" not in task["instructions"]


def test_a_document_shows_the_means_of_its_summaries(campaign, log_in):
    shown = page(log_in(campaign.owner), "campaign-document", campaign.key, 1)
    assert "Summary of d2 by sys1" in shown
    assert "<dt>overall</dt>" in shown
    assert "d1" in page(log_in(campaign.owner), "campaign-documents", campaign.key)
    missing = log_in(campaign.owner).get(reverse("campaign-document", args=[campaign.key, 9]))
    assert missing.status_code == 404


def test_the_latest_events_are_told_in_words(log_in):
    campaign = worked_campaign(annotators=1, tasks=1)
    pause(campaign, campaign.owner)
    shown = page(log_in(campaign.owner), "campaign", campaign.key)
    assert f"{campaign.owner.username}</bdi> paused the campaign" in shown
    assert "submitted task" in shown
