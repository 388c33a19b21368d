"""A study of content units and error spans: scores, ranking, agreement, findings, what is said."""

from __future__ import annotations

import json
from itertools import product

import pytest

from gistmark.analysis import StudyOptions, study
from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus
from gistmark.records import ContentUnit, Document, ErrorSpan, Presence, Summary

SYSTEMS = ("good", "bad")
IDS = tuple(f"d{k}" for k in range(8))
TEXT = "A cat sat on the mat."


def corpus(**more: object) -> Corpus:
    """Eight documents; `good` states both units, `bad` one, and annotators mark errors in it."""
    cells = list(product(IDS, SYSTEMS, ("ann", "bob")))
    documents = tuple(Document(id, ("The cat sat on the mat all day.",)) for id in IDS)
    records = {
        "units": tuple(ContentUnit(id, u, f"Fact {u}.") for id in IDS for u in ("1", "2")),
        "presence": tuple(
            Presence(id, unit, system, annotator, system == "good" or unit == "1")
            for (id, system, annotator), unit in product(cells, ("1", "2"))
        ),
        "spans": tuple(
            ErrorSpan(id, system, annotator)
            if system == "good"
            else ErrorSpan(id, system, annotator, 0, 1 if id == "d0" else 5, "grammar", "major")
            for id, system, annotator in cells
        ),
    }
    summaries = tuple(Summary(id, system, TEXT) for id, system in product(IDS, SYSTEMS))
    return Corpus(documents, summaries, **{**records, **more})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def finished() -> Study:
    return study(corpus(), options=StudyOptions(resamples=50))


def values(result: Study, by: str, dimension: str) -> dict[str, float | None]:
    records = [
        r for r in result.ranking if (r.by, r.dimension, r.method) == (by, dimension, "mean")
    ]
    return {record.system: record.value for record in records}


def test_systems_are_ranked_by_units_and_by_errors(finished: Study) -> None:
    """A cat sat on the mat. has six words: -5 is -500/6 in 100 words."""
    assert values(finished, "units", "content units") == {"good": 1.0, "bad": 0.5}
    assert values(finished, "spans", "error score") == {"good": 0.0, "bad": -5.0}
    per_words = values(finished, "spans", "error score per 100 words")
    assert per_words == {"good": 0.0, "bad": pytest.approx(-500 / 6)}
    assert {r.letters for r in finished.ranking if r.system == "good"} == {"a"}


def test_lengths_are_correlated_with_both(finished: Study) -> None:
    humans = {record.human for record in finished.correlation}
    assert humans == {"content units", "error score", "error score per 100 words"}
    assert finished.headline[0].human == "content units"


def test_agreement_is_reported_for_both(finished: Study) -> None:
    """The first words agree in every summary, also in d0, where a character is all that differs."""
    values = {
        (record.subject, record.dimension, record.statistic): record.value
        for record in finished.agreement
    }
    assert values["units", "content units", "alpha-nominal"] == 1.0
    assert values["spans", "", "span-alpha"] == values["spans", "grammar", "char-f1"] == 1.0


def test_the_findings_say_so(finished: Study) -> None:
    texts = [finding.text for finding in finished.findings]
    assert texts[0].startswith("good has the highest mean of the content unit score: 1.000")
    assert texts[1].startswith("good has the highest mean of the error score: 0.000")
    assert "People marked 16 errors in 32 judgements of summaries." in texts
    assert any(text.startswith("Agreement in error spans: 1.000") for text in texts)
    assert any(text.startswith("Agreement in marks of content units: 1.000") for text in texts)


def test_the_methods_name_the_weights(finished: Study) -> None:
    assert "weights (major 5, 1 without a severity)" in finished.methods
    weighted = study(corpus(), options=StudyOptions(resamples=20, severities={"Major": 2}))
    assert "major 2" in weighted.methods
    assert values(weighted, "spans", "error score") == {"good": 0.0, "bad": -2.0}


def test_the_json_counts_the_errors(finished: Study) -> None:
    assert json.loads(finished.to_json())["errors"] == [
        {"system": system, "category": "grammar", "severity": "major", "count": count,
         "judgements": 16, "rate": count / 16}
        for system, count in (("good", 0), ("bad", 16))
    ]  # fmt: skip


def test_a_severity_without_a_weight_is_a_note_and_the_rest_is_studied() -> None:
    odd = (*corpus().spans[1:], ErrorSpan("d0", "good", "cy", 0, 2, "grammar", "odd"))
    result = study(corpus(spans=odd), options=StudyOptions(resamples=20))
    assert values(result, "spans", "error score") == {}
    assert any("no weight for 'odd'" in note.text for note in result.notes)
    assert values(result, "units", "content units") == {"good": 1.0, "bad": 0.5}


def test_summaries_that_nobody_judged_are_not_flawless() -> None:
    some = tuple(s for s in corpus().spans if (s.document, s.system) != ("d0", "good"))
    result = study(corpus(spans=some, presence=()), options=StudyOptions(resamples=20))
    scored = {(r.document, r.system) for r in result.human_scores if r.human == "error score"}
    assert ("d0", "good") not in scored
    assert len(scored) == 15
