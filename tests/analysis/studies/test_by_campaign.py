"""`study(by="campaign")`: nothing of several campaigns is pooled, and without it a note says so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gistmark
from gistmark.analysis import StudyOptions
from gistmark.analysis.findings.campaigns import campaign_findings
from gistmark.analysis.human.modes import ModeDifference
from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.records import Comparison, Document, Highlight, Machine, Rating, Response, Summary

OPTIONS = StudyOptions(resamples=40)
BY = replace(OPTIONS, by="campaign")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Recall in the campaigns A (40 points higher) and B, fluency in F, clarity in C."""
    rng = np.random.default_rng(2)
    quality = rng.normal(50.0, 8.0, (8, 3))
    ratings = [
        Rating(f"d{d}", f"s{s}", f"{name}{k}", dimension,
               float(quality[d, s] + shift + rng.normal(0.0, 3.0)), campaign=name)
        for name, dimension, shift in (
            ("A", "recall", 40.0), ("B", "recall", 0.0), ("F", "fluency", 0.0),
            ("C", "clarity", 5.0),
        )
        for d in range(8) for s in range(3) for k in range(3)
    ]  # fmt: skip
    documents = tuple(Document(f"d{d}", (f"Text number {d} is here.",)) for d in range(8))
    return Corpus(
        documents=documents,
        summaries=tuple(
            Summary(f"d{d}", f"s{s}", f"Summary {s} of text {d}.")
            for d in range(8) for s in range(3)
        ),
        ratings=tuple(ratings),
    )  # fmt: skip


def notes_of(study: gistmark.analysis.Study, about: str) -> list[str]:
    return [note.text for note in study.notes if note.about == about and "campaigns" in note.text]


def test_pooled_ratings_have_a_note_that_names_the_campaigns_and_says_whether_they_differ(corpus):
    study = gistmark.study(corpus, options=OPTIONS)
    (note,) = notes_of(study, "recall")
    assert "come from 2 campaigns (A and B) and were pooled" in note
    assert "The means of campaigns differ: A from B by" in note
    assert "--by campaign" in note
    assert notes_of(study, "fluency") == []
    assert not [finding for finding in study.findings if finding.kind == "campaigns"]
    same = tuple(replace(r, value=r.value - 40.0) if r.campaign == "A" else r
                 for r in corpus.ratings)  # fmt: skip
    (note,) = notes_of(gistmark.study(replace(corpus, ratings=same), options=OPTIONS), "recall")
    assert "shows no difference between their means" in note


def test_by_campaign_everything_is_of_one_campaign(corpus):
    study = gistmark.study(corpus, options=BY)
    assert notes_of(study, "recall") == []
    ranked = {record.dimension for record in study.ranking if record.by == "ratings"}
    assert {"recall (A)", "recall (B)", "fluency", "clarity"} == ranked
    agreed = {record.dimension for record in study.agreement}
    assert {"recall (A)", "recall (B)"} <= agreed
    assert "recall" not in agreed
    (finding,) = (finding for finding in study.findings if finding.kind == "campaigns")
    assert finding.text.startswith("Ratings of recall are higher in A than in B: by ")
    assert "no annotator judged in both" in finding.detail
    assert {mode.campaign for mode in study.modes} == set("ABFC")
    assert {(r.left, r.right) for r in study.mode_differences} == {("A", "B")}


def test_dimensions_of_different_campaigns_are_correlated(corpus):
    for options in (OPTIONS, BY):
        study = gistmark.study(corpus, options=options)
        (record,) = (
            r for r in study.correlation
            if (r.metric, r.human, r.level, r.coefficient)
            == ("fluency", "clarity", "global", "pearson")
        )  # fmt: skip
        means = {
            name: [score.value for score in study.human_scores if score.human == name]
            for name in ("fluency", "clarity")
        }
        expected = np.corrcoef(means["fluency"], means["clarity"])[0, 1]
        assert record.value == pytest.approx(expected)
        assert record.n == 24
    orders = [
        r for r in study.correlation
        if (r.metric, r.human, r.level) == ("recall (A)", "recall (B)", "system")
    ]  # fmt: skip
    assert {record.n for record in orders} == {3}


def test_choices_and_answers_are_kept_apart_too(corpus):
    votes = tuple(
        Comparison(f"d{d}", "s0", "s1", "ann", "best", "left" if name == "A" else "right",
                   campaign=name)
        for name in "AB" for d in range(8)
    )  # fmt: skip
    answers = tuple(
        Response(f"d{d}", "s0", "s0", f"{name}1", "clear", "yes-no", "yes", name)
        for name in "AB" for d in range(8)
    )  # fmt: skip
    both = replace(corpus, comparisons=votes, responses=answers)
    pooled = gistmark.study(both, options=OPTIONS)
    assert "Choices of best come from 2 campaigns" in notes_of(pooled, "best")[0]
    assert "Answers of clear come from 2 campaigns" in notes_of(pooled, "clear")[0]
    apart = gistmark.study(both, options=BY)
    first = {
        record.dimension: record.system
        for record in reversed(apart.ranking)
        if record.by == "comparisons" and record.rank == 1
    }
    assert first == {"best (A)": "s0", "best (B)": "s1"}
    assert {record.question for record in apart.questions} == {"clear (A)", "clear (B)"}


def test_highlights_agree_within_their_campaign(corpus):
    marks = tuple(
        Highlight(f"d{d}", f"{name}{k}", 0, 4 if name == "A" else 4 + 7 * k, campaign=name)
        for name in "AB" for d in range(8) for k in range(2)
    )  # fmt: skip
    study = gistmark.study(replace(corpus, highlights=marks), options=BY)
    f1 = {
        record.dimension: record.value
        for record in study.agreement
        if (record.subject, record.statistic, record.scope) == ("highlights", "span-f1", "")
    }
    assert f1["A"] == 1.0
    assert f1["B"] is not None
    assert f1["B"] < 1.0
    assert "except for agreement" in notes_of(study, "highlights")[0]


def test_an_unknown_grouping_is_refused():
    with pytest.raises(UsageError, match="campaign"):
        StudyOptions(by="annotator")  # type: ignore[arg-type]


def test_the_overall_dimension_leads_in_its_first_campaign_and_must_be_there(corpus):
    named = gistmark.study(corpus, options=replace(BY, overall="recall"))
    assert named.headline[0].ratings == "recall (A)"
    with pytest.raises(UsageError, match="recall"):
        gistmark.study(corpus, options=replace(BY, overall="recal"))


def test_one_campaign_for_each_dimension_is_said_to_part_nothing(corpus):
    some = tuple(rating for rating in corpus.ratings if rating.campaign != "B")
    study = gistmark.study(replace(corpus, ratings=some), options=BY)
    assert "parts nothing" in notes_of(study, "campaigns")[0]
    assert {record.dimension for record in study.ranking} >= {"recall", "fluency", "clarity"}


def test_a_higher_coefficient_of_variation_is_not_called_less_agreement():
    record = ModeDifference(
        "recall", "cv", "", "A", "B", -0.2, -0.3, -0.1, 0.001, 0.002, "cv, all systems", 2,
        20, 12, 12, 12, 60,
    )  # fmt: skip
    (finding,) = campaign_findings([record])
    assert finding.text == (
        "The coefficient of variation of recall is higher in B than in A: by 0.200 [0.100, 0.300]."
    )
    assert "also where the ratings are lower" in finding.detail
    assert "12 annotators judged in both" in finding.detail
    assert not list(campaign_findings([replace(record, p_corrected=0.06)]))
    assert not list(campaign_findings([replace(record, system="s0")]))


def test_a_machine_is_held_against_people_of_the_same_campaign(corpus):
    machine = tuple(
        replace(rating, annotator="model") for rating in corpus.ratings if rating.annotator == "A0"
    )
    judged = replace(corpus, ratings=corpus.ratings + machine, machines=(Machine("model"),))
    study = gistmark.study(judged, options=BY)
    assert {record.dimension for record in study.machines} == {"recall (A)"}
