"""The key findings say what the records say, and how sure it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.corpus import Corpus
from gistmark.report.findings import key_findings
from gistmark.report.views import View
from gistmark.scoring import Scores
from gistmark.study.records import Agreement, Difference, Rank
from gistmark.study.results import Study


def findings(study: Study, corpus: Corpus | None = None, scores: Scores | None = None) -> str:
    view = View(study, corpus or Corpus(), scores, "rouge1")
    return "\n".join(f"{found.headline} {found.detail}" for found in key_findings(view))


def rank(system: str, value: float, place: int, cluster: int | None) -> Rank:
    return Rank("ratings", "Overall", "mean rating", system, value, value - 0.1, value + 0.1,
                float(place), cluster, 20)  # fmt: skip


def test_the_best_system_stands_alone():
    study = Study(ranking=(rank("b", 3.0, 2, 2), rank("a", 4.0, 1, 1)))
    said = findings(study)
    assert "a is the best system by people’s ratings of Overall." in said
    assert "Mean rating: 4.000, 95 % interval [3.900, 4.100], n = 20." in said
    assert "It stands alone in the first cluster; the next is b at 3.000." in said


def test_systems_that_cannot_be_told_apart_are_named():
    study = Study(ranking=(rank("a", 4.0, 1, 1), rank("b", 3.9, 2, 1), rank("c", 3.8, 3, 1)))
    assert "cannot be told apart from b and c: they share the first cluster" in findings(study)


def test_a_lone_system_and_an_untested_order_are_said_to_be_so():
    assert "It is the only system." in findings(Study(ranking=(rank("a", 4.0, 1, 1),)))
    untested = Study(ranking=(rank("a", 4.0, 1, None), rank("b", 3.0, 2, None)))
    assert "beyond chance was not tested" in findings(untested)


def test_the_best_metric_and_whether_it_is_really_better(
    study: Study, sample: Corpus, scores: Scores
):
    said = findings(study, sample, scores)
    assert "rouge2.f follows people’s Overall Quality best. Spearman 0.679 [0.507, 0.799]" in said
    assert "It is not significantly better than the next, rouge1.f (0.657): difference" in said
    assert "p = 0.400 after Holm correction, by permutation" in said


def test_a_test_the_other_way_round_is_turned(study: Study, sample: Corpus, scores: Scores):
    turned = Difference("rouge1.f", "rouge2.f", "Overall Quality", "global", "spearman", -0.2, -0.3,
                        -0.1, "williams", 0.0001, 0.0002, "holm", 56)  # fmt: skip
    said = findings(replace(study, differences=(turned,)), sample, scores)
    assert "It is significantly better than the next, rouge1.f (0.657): " in said
    assert "difference 0.200 [0.100, 0.300], p < 0.001 after Holm correction, by williams" in said


def test_without_a_test_the_order_may_be_chance(study: Study, sample: Corpus, scores: Scores):
    said = findings(replace(study, differences=()), sample, scores)
    assert "no test compares the two, so the order may be chance" in said


def test_a_length_that_does_better_than_every_metric_is_mentioned(
    study: Study, sample: Corpus, scores: Scores
):
    changed = tuple(
        replace(record, value=0.95) if record.metric == "words" else record
        for record in study.correlation
    )
    said = findings(replace(study, correlation=changed), sample, scores)
    assert "rouge2.f follows people’s Overall Quality best" in said
    assert "Mind that words, which only describes the summary" in said


@pytest.mark.parametrize(
    ("alpha", "word"),
    [(0.85, "well"), (0.7, "fairly"), (0.5, "moderately"), (0.2, "weakly"),
     (-0.1, "hardly more than by chance")],
)  # fmt: skip
def test_alpha_is_read_with_its_caveats(alpha: float, word: str):
    record = Agreement("ratings", "Overall", "alpha-ordinal", "", alpha, None,
                       None, None, 50)  # fmt: skip
    said = findings(Study(agreement=(record,)))
    assert f"Annotators agree {word} in their ratings of Overall." in said
    assert "custom, not law" in said


def test_metrics_are_held_against_a_typical_annotator(study: Study, sample: Corpus, scores: Scores):
    said = findings(study, sample, scores)
    assert "The best metric follows people less closely than a typical annotator does." in said


def test_metrics_that_run_the_wrong_way_follow_nobody(study: Study, sample: Corpus, scores: Scores):
    wrong = tuple(
        replace(record, value=0.3 if record.metric == "js" else -0.3)
        if record.metric in scores.columns
        else record
        for record in study.correlation
    )
    said = findings(replace(study, correlation=wrong), sample, scores)
    assert "No metric follows people’s Overall Quality. All run the wrong way." in said
    assert "typical annotator" not in said


def test_the_alpha_that_suits_the_data_is_read():
    def alpha(statistic: str, value: float, low: float | None) -> Agreement:
        return Agreement("comparisons", "Overall", statistic, "", value, low, None, None, 50)

    records = (alpha("alpha", 0.5, 0.4), alpha("alpha-symmetric", 0.75, 0.7))
    assert "Annotators agree fairly in their pairwise choices" in findings(Study(agreement=records))
