"""Every sentence of a study in a case where it holds, and one where it would be false."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gistmark
from gistmark.analysis.correlation.ordering import Ordering
from gistmark.analysis.data.measures import MeasureName, Measures
from gistmark.analysis.findings.headline import headline_agreement
from gistmark.analysis.findings.metrics import MetricEvidence, metric_findings
from gistmark.analysis.findings.systems import (
    agreement_findings,
    contrast_notes,
    ranking_notes,
    system_findings,
)
from gistmark.analysis.studies.options import StudyOptions
from gistmark.analysis.studies.pipeline import study
from gistmark.analysis.studies.records import (
    Agreement,
    Finding,
    Headline,
    Pair,
    Rank,
    Strength,
)
from gistmark.analysis.variance.components import Contrast
from gistmark.corpus import Corpus
from gistmark.metrics.metric import Float64
from gistmark.records import Comparison, Rating, Response, Summary
from gistmark.scoring.scores import Column, Scores

HEADLINE = Headline("Overall", "Overall", None, "global", "spearman")
FEW = StudyOptions(resamples=100)


def rank(system: str, value: float, place: float, cluster: int = 1, n: int = 40) -> Rank:
    return Rank("ratings", "Overall", "mean", system, value, value - 0.1, value + 0.1, place,
                "a", cluster, n)  # fmt: skip


def pair(left: str, right: str, p: float | None, n: int = 40) -> Pair:
    return Pair("ratings", "Overall", "mean", left, right, 0.5, 0.1, 0.9, p, p, 0.4, 0.6,
                "sign flips over documents", n)  # fmt: skip


def said(ranks: list[Rank], pairs: list[Pair]) -> Finding:
    (finding,) = system_findings(HEADLINE, ranks, pairs)
    return finding


def test_the_best_of_all_differs_from_all() -> None:
    ranks = [rank("x", 4.0, 1), rank("y", 3.0, 2, 2), rank("z", 2.0, 3, 2)]
    finding = said(ranks, [pair("x", "y", 0.01), pair("x", "z", 0.01), pair("y", "z", 0.5)])
    assert finding.text == (
        "x has the highest mean of Overall by people’s ratings: 4.000 [3.900, 4.100]."
    )
    assert finding.detail == (
        "40 documents. With these annotators, it differs significantly from all 2 other systems. "
        "Of all 3 pairs of systems, 2 differ significantly (sign flips over documents, Holm’s "
        "correction, 5 %)."
    )
    assert (finding.name, finding.value, finding.compared) == ("x", 4.0, 3)


def test_the_best_that_differs_from_some_names_the_others() -> None:
    ranks = [rank("x", 4.0, 1), rank("y", 3.9, 2), rank("z", 2.0, 3)]
    finding = said(ranks, [pair("x", "y", 0.6), pair("x", "z", 0.01), pair("y", "z", 0.2)])
    assert "differs significantly from 1 of the 2 other systems" in finding.detail
    assert "cannot be told apart from y." in finding.detail
    assert "Of all 3 pairs of systems, 1 differs significantly" in finding.detail


def test_a_line_below_the_best_is_said_where_everyone_above_differs_from_everyone_below() -> None:
    ranks = [rank("x", 4.0, 1), rank("y", 3.9, 2), rank("z", 2.0, 3, 2)]
    finding = said(ranks, [pair("x", "y", 0.6), pair("x", "z", 0.01), pair("y", "z", 0.01)])
    assert "Each of the best 2 differs significantly from the one below." in finding.detail


def test_two_that_share_the_best_value_are_both_named() -> None:
    ranks = [rank("x", 4.0, 1.5), rank("y", 4.0, 1.5), rank("z", 2.0, 3)]
    finding = said(ranks, [pair("x", "y", 1.0), pair("x", "z", 0.01), pair("y", "z", 0.01)])
    assert finding.text == "x and y share the highest mean of Overall by people’s ratings: 4.000."
    assert "It differs" not in finding.detail


def test_few_documents_and_no_common_document_are_said() -> None:
    ranks = [rank("x", 4.0, 1, n=5), rank("y", 3.9, 2, n=5)]
    few = said(ranks, [pair("x", "y", 0.0625, n=5)])
    assert few.detail == (
        "5 documents. With 5 documents, no difference between two systems can be significant."
    )
    many = [pair(f"s{i}", f"s{j}", 0.5, n=10) for j in range(25) for i in range(j)]
    ranks = [rank(f"s{i}", 4.0 - i, i + 1, n=10) for i in range(25)]
    assert said(ranks, many).detail.endswith(
        "With 10 documents, no difference between two systems can be significant after correction "
        "for 300 comparisons."
    )
    none = said([rank("x", 4.0, 1), rank("y", 3.9, 2)], [pair("x", "y", None, n=0)])
    assert none.detail.endswith("No two systems have a value for the same document, so none could "
                                "be compared.")  # fmt: skip


def test_two_systems_are_one_pair() -> None:
    ranks = [rank("x", 4.0, 1), rank("y", 3.0, 2, 2)]
    finding = said(ranks, [pair("x", "y", 0.01)])
    assert finding.detail == (
        "40 documents. With these annotators, it differs significantly from the other system. The "
        "only pair of systems differs significantly (sign flips over documents, 5 %)."
    )
    finding = said(ranks, [pair("x", "y", 0.5)])
    assert "The only pair of systems does not differ significantly" in finding.detail
    assert "annotators" not in finding.detail


def test_one_document_says_nothing_about_others() -> None:
    ranks = [replace(rank("x", 4.0, 1, n=1), low=None, high=None), rank("y", 3.0, 2, n=1)]
    finding = said(ranks, [pair("x", "y", 1.0, n=1)])
    assert finding.text == (
        "x has the highest mean of Overall by people’s ratings on this document: 4.000."
    )
    assert finding.detail == (
        "1 document. One document says nothing about others, so no difference can be significant."
    )


def test_one_annotator_is_named_as_one() -> None:
    ranks, pairs = [rank("x", 4.0, 1), rank("y", 3.0, 2, 2)], [pair("x", "y", 0.01)]
    (finding,) = system_findings(HEADLINE, ranks, pairs, (), {"ratings": 1})
    assert "With this annotator, it differs significantly" in finding.detail


def contrast(left: str, right: str, p: float, difference: float = 0.5) -> Contrast:
    return Contrast("Overall", left, right, difference, 0.1, 0.9, 5.0, p, p, 40, over="both")


@pytest.mark.parametrize(
    ("contrasts", "sentence"),
    [
        ([contrast("x", "y", 0.01), contrast("x", "z", 0.02)],
         "For other annotators too, it differs significantly from all 2 other systems"),
        ([contrast("x", "y", 0.2), contrast("x", "z", 0.02)],
         "For other annotators too, it differs significantly from 1 of the 2 other systems"),
        ([contrast("x", "y", 0.2), contrast("x", "z", 0.02, -0.5)],
         "For other annotators no difference from another system is shown (mixed model)."),
        ([replace(contrast("x", "y", 0.01), over="documents")], "Holm’s correction, 5 %)."),
    ],
)  # fmt: skip
def test_what_holds_for_other_annotators(contrasts: list[Contrast], sentence: str) -> None:
    ranks = [rank("x", 4.0, 1), rank("y", 3.0, 2, 2), rank("z", 2.0, 3, 2)]
    pairs = [pair("x", "y", 0.01), pair("x", "z", 0.01), pair("y", "z", 0.5)]
    (finding,) = system_findings(HEADLINE, ranks, pairs, contrasts)
    assert sentence in finding.detail
    notes = [note.text for note in contrast_notes(pairs, contrasts)]
    missing = [c for c in contrasts if c.p == 0.2 or (c.difference or 0) < 0]
    assert bool(notes) == bool(missing)
    for each in missing:
        assert f"{each.left} from {each.right}" in notes[0]


def test_a_test_that_goes_against_the_order_is_no_difference() -> None:
    ranks = [rank("x", 4.0, 1), rank("y", 3.9, 2), rank("z", 2.0, 3)]
    against = replace(pair("x", "y", 0.01), difference=-0.5)
    finding = said(ranks, [against, pair("x", "z", 0.5), pair("y", "z", 0.5)])
    assert "It cannot be told apart from y and z" in finding.detail
    assert "none differs" in finding.detail


def test_systems_without_a_rank_are_not_the_others() -> None:
    ranks = [rank("x", 4.0, 1), rank("y", 3.0, 2, 2), replace(rank("ref", 5.0, 0), rank=None)]
    finding = said(ranks, [pair("x", "y", 0.01)])
    assert "differs significantly from the other ranked system" in finding.detail


def test_systems_that_no_annotator_links_are_not_called_different() -> None:
    reason = "nobody judged both, so a difference may be one between annotators"
    none = replace(pair("x", "y", None), reason=reason)
    finding = said([rank("x", 4.0, 1), rank("y", 3.0, 2)], [none])
    assert finding.detail == f"40 documents. No two systems could be compared: {reason}."


def test_a_note_says_where_plain_means_give_another_order() -> None:
    adjusted = [
        replace(rank(name, value, place), method="document-adjusted mean")
        for name, value, place in (("x", 4.0, 1), ("y", 3.0, 2))
    ]
    plain = [replace(rank("x", 3.0, 0), rank=None), replace(rank("y", 3.5, 0), rank=None)]
    (note,) = ranking_notes([*adjusted, *plain])
    assert note.text == (
        "Systems were not judged on the same documents. Plain means put y first, document-adjusted "
        "means x; ranks are by the latter."
    )
    same = [replace(record, method="mean", rank=None) for record in adjusted]
    assert list(ranking_notes([*adjusted, *same])) == []


def test_pairs_without_a_common_document_are_not_among_the_tested() -> None:
    ranks = [rank("x", 4.0, 1), rank("y", 3.0, 2), rank("z", 2.0, 3)]
    finding = said(ranks, [pair("x", "y", None, 0), pair("x", "z", None, 0), pair("y", "z", 0.5)])
    assert finding.detail == (
        "40 documents. 2 systems could not be compared with it. Of 1 tested pair of systems, none "
        "differs significantly (sign flips over documents, Holm’s correction, 5 %)."
    )


def test_nobody_ranked_is_no_finding() -> None:
    assert list(system_findings(HEADLINE, [], [])) == []


def column(values: Float64, better: str = "higher") -> Column:
    return Column("m|v:1", ("value",), "value", better, values[:, None], {})  # type: ignore[arg-type]


def corpus_of(quality: Float64) -> tuple[Corpus, list[str], list[str]]:
    """Documents × systems of ratings by one annotator, with a summary for each."""
    documents, systems = [], []
    ratings, summaries = [], []
    for (d, s), value in np.ndenumerate(quality):
        documents.append(f"d{d}")
        systems.append(f"s{s}")
        ratings.append(Rating(f"d{d}", f"s{s}", "a", "Overall", float(value)))
        summaries.append(Summary(f"d{d}", f"s{s}", "word " * int(1 + 7 * d % 5 + 3 * s % 7)))
    return Corpus(summaries=tuple(summaries), ratings=tuple(ratings)), documents, systems


@pytest.fixture(scope="module")
def data() -> tuple[Corpus, list[str], list[str], Float64]:
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(30, 8)) + np.linspace(0, 1, 8)
    return *corpus_of(quality), quality.ravel()


def metrics_of(
    data: tuple[Corpus, list[str], list[str], Float64],
    columns: dict[str, Column],
    **options: str,
) -> list[Finding]:
    corpus, documents, systems, _ = data
    chosen = StudyOptions(resamples=100, **options)  # type: ignore[arg-type]
    result = study(corpus, Scores(documents, systems, columns), chosen)
    return [finding for finding in result.findings if finding.kind == "metrics"]


def noisy(values: Float64, amount: float, seed: int) -> Float64:
    return values + amount * np.random.default_rng(seed).normal(size=len(values))


def test_system_and_summary_level_stand_beside_each_other(data) -> None:
    y = data[3]
    columns = {"good": column(noisy(y, 0.3, 1)), "poor": column(noisy(y, 3.0, 2))}
    findings = metrics_of(data, columns)
    assert [finding.level for finding in findings] == ["system", "summary"]
    assert findings[1].text.startswith(
        "At summary level, good follows people’s Overall most closely: Spearman 0.8"
    )
    assert "2 parts of 2 metrics were compared over 30 documents." in findings[1].detail
    assert "It is significantly better than the other (bootstrap" in findings[1].detail
    assert "The best of another metric is poor (" in findings[1].detail


def test_what_was_not_tested_is_not_said_to_be_no_better(data) -> None:
    y = data[3]
    columns = {"good": column(noisy(y, 0.3, 1)), "poor": column(noisy(y, 3.0, 2))}
    (refused,) = metrics_of(data, columns, level="global", test="williams")
    assert "significantly" not in refused.detail
    assert "Williams' test takes rows as independent" in refused.detail
    many = {f"m{k}": column(noisy(y, 0.3 + k, k)) for k in range(6)}
    (few,) = metrics_of(data, many, level="global", test="permutation")
    assert "With 100 permutations, none of 15 comparisons can be significant" in few.detail


def test_level_and_coefficient_choose_the_headline(data) -> None:
    columns = {"good": column(noisy(data[3], 0.3, 1))}
    (finding,) = metrics_of(data, columns, level="global", coefficient="kendall")
    assert finding.text.startswith(
        "Over all summaries, good follows people’s Overall most closely: Kendall 0."
    )
    assert finding.detail.startswith("1 part of 1 metric was compared over 240 summaries.")


def test_a_metric_of_which_less_is_better_counts_negated(data) -> None:
    y = data[3]
    columns = {"error": column(-noisy(y, 0.3, 1), "lower"), "poor": column(noisy(y, 3.0, 2))}
    finding = metrics_of(data, columns, level="global")[0]
    assert finding.name == "error"
    assert (finding.value or 0.0) < 0
    assert "Lower values of this metric are better." in finding.detail


def test_equal_metrics_share_the_first_place(data) -> None:
    good = noisy(data[3], 0.3, 1)
    finding = metrics_of(data, {"one": column(good), "two": column(good)}, level="global")[0]
    assert (
        "one and two follow people’s Overall most closely, with equal correlations" in finding.text
    )
    assert "better than" not in finding.detail


def test_equal_metrics_of_which_one_is_better_lower(data) -> None:
    good = noisy(data[3], 0.3, 1)
    columns = {
        "one": column(good),
        "two": column(-good, "lower"),
        "poor": column(noisy(good, 3, 2)),
    }
    finding = metrics_of(data, columns, level="global")[0]
    assert "one and two follow people’s Overall most closely" in finding.text
    assert finding.text.endswith(", negated where lower is better.")
    assert "Spearman 0.9" in finding.text
    assert "Lower values of two are better." in finding.detail


def test_the_best_metric_beside_annotators_is_negated_where_lower_is_better(data) -> None:
    corpus, documents, systems, y = data
    others = tuple(replace(r, annotator="b", value=r.value + 0.1 * k % 1)
                   for k, r in enumerate(corpus.ratings))  # fmt: skip
    corpus = replace(corpus, ratings=corpus.ratings + others)
    for better, words in (("higher", False), ("lower", True)):
        values = noisy(y, 0.3, 1) * (-1 if words else 1)
        scores = Scores(documents, systems, {"m": column(values, better)})
        findings = study(corpus, scores, FEW).findings
        (finding,) = [each for each in findings if each.kind == "annotators"]
        assert finding.text.startswith("m reaches a correlation of 0.9")
        assert "but one; the median annotator reaches 0.9" in finding.text
        assert ("(negated, as lower is better)" in finding.text) == words
        assert "picked as the best" not in finding.detail  # there is no other part


def test_no_metric_follows_people_only_where_none_does(data) -> None:
    y = data[3]
    against = metrics_of(data, {"wrong": column(-noisy(y, 0.3, 1))}, level="global")[0]
    assert (
        "no metric can be shown to follow people’s Overall; wrong is closest: Spearman -0.9"
        in against.text
    )
    weak = metrics_of(data, {"weak": column(noisy(y, 2.0, 3)), "good": column(noisy(y, 0.3, 1))},
                      level="global")[0]  # fmt: skip
    assert "no other metric" not in weak.detail
    assert "The best of another metric is weak (0." in weak.detail


def test_of_few_systems_nothing_is_said_about_others() -> None:
    rng = np.random.default_rng(7)
    quality = rng.normal(size=(30, 4)) + np.linspace(0, 1, 4)
    corpus, documents, systems = corpus_of(quality)
    scores = Scores(documents, systems, {"m": column(noisy(quality.ravel(), 0.1, 1))})
    result = study(corpus, scores, FEW)
    first, second = [finding for finding in result.findings if finding.kind == "metrics"]
    assert first.text == (
        "Among these 4 systems, m has the highest system-level correlation with people’s Overall: "
        "Spearman 1.000 (exact p 0.083); four systems are too few to say which metric follows "
        "people."
    )  # 2 of the 24 orders of four systems
    assert "highest summary-level correlation with people’s Overall: Spearman 0.9" in second.text
    assert (first.low, second.low) == (None, None)
    records = [r for r in result.correlation if r.level == "summary" and r.metric == "m"]
    assert {record.over for record in records} == {"documents of these systems"}


def test_metrics_on_few_documents_are_left_out_and_named(data) -> None:
    y = data[3]
    few = np.where(np.arange(len(y)) < 16, y, np.nan)  # 2 of 30 documents with 8 systems
    columns = {"good": column(noisy(y, 0.3, 1)), "one": column(few), "two": column(few)}
    finding = metrics_of(data, columns, level="global")[0]
    assert finding.name == "good"
    assert (
        "Left out: one and two, which were scored on 16 of 240 summaries, too few to be compared."
        in finding.detail
    )


def test_a_part_that_can_be_shown_to_follow_people_is_told_before_a_higher_one_that_cannot() -> (
    None
):
    names = (MeasureName("shaky", "value"), MeasureName("sure", "value"))
    parts = tuple(
        Strength("Focus", "summary", "spearman", name.metric, name.part, strength, low, high, 30)
        for name, strength, low, high in zip(
            names, (0.5, 0.4), (-0.1, 0.2), (0.8, 0.6), strict=True
        )
    )
    ordering = Ordering(parts, parts, (None, None), "documents and systems", 8, True, leader=1)
    evidence = MetricEvidence(
        Headline("Focus", None, None, "summary", "spearman"),
        Measures((), names, ("higher", "lower"), np.empty((2, 0))),
        (), lambda *_: ordering, (), {},
    )  # fmt: skip
    (finding,) = metric_findings(evidence)
    assert finding.text == (
        "At summary level, sure follows people’s Focus most closely of those that can be shown to: "
        "Spearman -0.400 [-0.600, -0.200]."
    )
    assert (
        "Closer, but not shown to follow people: shaky (0.500 [-0.100, 0.800])." in finding.detail
    )
    assert (finding.name, finding.value, finding.low) == ("sure", -0.4, -0.6)


def test_noise_is_not_said_to_follow_people(data) -> None:
    noise = np.random.default_rng(9).normal(size=(6, len(data[3])))
    columns = {f"m{k}": column(values) for k, values in enumerate(noise)}
    for finding in metrics_of(data, columns):
        assert "no metric can be shown to follow people’s Overall; m" in finding.text
        assert finding.low < 0 < finding.high
        assert "The interval is corrected for the choice of the best part." in finding.detail
        assert "better than" not in finding.detail


def test_a_length_that_goes_with_people_more_closely_is_told() -> None:
    rng = np.random.default_rng(4)
    lengths = rng.integers(5, 60, size=(20, 8))
    corpus, documents, systems = corpus_of(lengths.astype(float))
    summaries = tuple(
        Summary(s.document, s.system, "x" * int(n))
        for s, n in zip(corpus.summaries, lengths.ravel(), strict=True)
    )
    corpus = Corpus(summaries=summaries, ratings=corpus.ratings)
    scores = Scores(documents, systems, {"m": column(noisy(lengths.ravel() * 1.0, 30, 5))})
    result = study(corpus, scores, StudyOptions(resamples=50, level="global"))
    (finding,) = [f for f in result.findings if f.kind == "metrics"]
    assert "Note that chars, which only describes a summary, correlates more strongly with " \
        "people’s Overall (1.000)." in finding.detail  # fmt: skip


def agreement(statistic: str, value: float, low: float | None, subject: str = "ratings",
              dimension: str = "Focus", high: float | None = None) -> Agreement:  # fmt: skip
    return Agreement(subject, dimension, statistic, "", value, low, high, None, 10, documents=5,
                     main=statistic == "alpha-ordinal")  # fmt: skip


def test_one_statistic_of_agreement_leads_each_dimension() -> None:
    records = [
        agreement("alpha-nominal", 0.1, None), agreement("alpha-ordinal", 0.7, 0.6),
        agreement("alpha", 0.2, 0.1, "comparisons"), agreement("alpha-symmetric", 0.3, 0.2,
                                                              "comparisons"),
        agreement("span-alpha", 0.4, 0.3, "highlights", ""),
    ]  # fmt: skip
    chosen = [record.statistic for record in headline_agreement(records)]
    assert chosen == ["alpha-ordinal", "alpha-symmetric", "span-alpha"]
    findings = list(agreement_findings(records))
    assert [finding.by for finding in findings] == ["ratings", "comparisons", "highlights"]
    assert (
        "0.667 to 0.8 allows tentative conclusions, but the interval reaches below that."
        in findings[0].detail
    )
    (sure,) = agreement_findings([agreement("alpha-ordinal", 0.9, 0.85)])
    assert sure.detail.startswith(
        "5 documents. By Krippendorff’s custom, 0.8 and above is reliable."
    )
    assert "below 0.667" in findings[1].detail


_TOO_LOW = "That is below 0.667, which by Krippendorff’s custom is too low for any conclusions"


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.3, 0.6, f"5 documents. {_TOO_LOW}."),
        (0.3, 0.7, f"5 documents. {_TOO_LOW}, but the interval reaches above that."),
        (None, None, "5 documents, without an interval, so other documents may show something"
         f" else. {_TOO_LOW}."),
    ],
)  # fmt: skip
def test_the_reading_of_alpha_respects_its_interval(
    low: float | None, high: float | None, said: str
) -> None:
    (finding,) = agreement_findings([agreement("alpha-ordinal", 0.5, low, high=high)])
    assert finding.detail.startswith(said)


def test_findings_of_the_sample_are_numbers_of_its_records() -> None:
    corpus = gistmark.load(gistmark.sample_folder())
    scores = gistmark.score(corpus, ["rouge1", "js"], cache=False)
    result = study(corpus, scores, FEW)
    for finding in result.findings:
        if finding.kind == "metrics":
            match = [r for r in result.correlation if r.human == finding.dimension
                     and (r.level, r.coefficient) == (finding.level, finding.coefficient)
                     and finding.name in (r.metric, f"{r.metric}.{r.part}")
                     and not r.given]  # fmt: skip
            assert finding.value in [record.value for record in match]
        if finding.kind == "systems":
            (best,) = [r for r in result.ranking
                       if (r.by, r.dimension) == (finding.by, finding.dimension)
                       and r.system == finding.name and r.value == finding.value]  # fmt: skip
            assert best.rank == 1.0


def test_of_choices_in_a_circle_it_says_who_beats_whom_and_not_that_one_is_best_of_all() -> None:
    """a beats b in 51 of 60 choices, b beats c in 48 and c beats a in 48; a and b meet five times
    as often, so that a has the highest strength."""
    votes = [
        Comparison(f"d{k % 20}", left, right, f"a{k}", "x", "left" if k % 60 < won else "right")
        for left, right, won, times in (("a", "b", 51, 300), ("b", "c", 48, 60), ("c", "a", 48, 60))
        for k in range(times)
    ]
    result = study(Corpus(comparisons=tuple(votes)), options=FEW)
    [finding] = [each for each in result.findings if each.kind == "systems"]
    assert finding.text.startswith("a has the highest Bradley-Terry strength of x by people’s")
    assert finding.detail == (
        "360 comparisons. The choices do not fit a line of strengths. With these annotators, it "
        "differs significantly from 1 of the 2 other systems. Of 1 tested pair of systems, 1 "
        "differs significantly (sign flips over documents, of the votes between the two, Holm’s "
        "correction, 5 %). The votes between the two prefer c over a and b over c."
    )
    assert sum("do not fit" in note.text for note in result.notes) == 1


def test_groups_that_never_met_have_no_best_system() -> None:
    votes = [
        Comparison(f"d{k}", left, right, "ann", "x", "left")
        for left, right in (("a", "b"), ("c", "d"))
        for k in range(20)
    ]
    result = study(Corpus(comparisons=tuple(votes)), options=FEW)
    assert not [each for each in result.findings if each.kind == "systems"]
    assert any("never compared" in note.text for note in result.notes)


def test_rankings_of_which_strong_systems_meet_strong_ones_name_the_strongest() -> None:
    """c is in 5 of 7 sets the strongest and then second: (5 + 2 / 2) / 7 = 0.857. a beats it, and b
    in 3 of 5 sets: (3 + 2 / 2 + 1) / 6 = 0.833."""
    orders = [*["abd"] * 3, *["bad"] * 2, *["cef"] * 5, "ace", "bce"] * 5
    answers = [
        Response(f"d{k}", "/".join(sorted(order)), name, "ann", "q", "ranking", str(rank))
        for k, order in enumerate(orders)
        for rank, name in enumerate(order, start=1)
    ]
    result = study(Corpus(responses=tuple(answers)), options=FEW)
    [finding] = [each for each in result.findings if each.kind == "systems"]
    assert finding.text.startswith("a has the highest Bradley-Terry strength of people’s rankings")
    means = [rank for rank in result.ranking if rank.method == "mean"]
    assert means[0].system == "c"
    assert {rank.letters for rank in means} == {None}
