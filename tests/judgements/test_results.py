"""Results: accepted answers as a corpus that can be saved, loaded and studied."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gistmark.corpus import Corpus, load, save
from gistmark.judgements import (
    Answer,
    Entry,
    Given,
    ItemAnswer,
    Result,
    Task,
    export_corpus,
    get_protocol,
    judgements_from,
)
from gistmark.records import Comparison, Highlight, Rating

LIKERT = get_protocol("likert")


def one(answer: ItemAnswer, systems: tuple[str, ...] = ()) -> Result:
    task = Task("1.1", "ann", 1, (Entry("1", "bridge", systems),))
    return Result(task, Answer({"1": answer}, seconds=90.0))


def test_ratings_carry_confidence_weight_time_and_campaign():
    given = {"Focus": Given(4, 5, 2), "Length": Given(2, 3, 1)}
    found = judgements_from(
        [one(ItemAnswer(given, seconds=50.0), ("lead",))], LIKERT, campaign="spring"
    )
    # 50 seconds for the item are 25 for each of its two dimensions.
    assert found.ratings == (
        Rating("bridge", "lead", "ann", "Focus", 4.0, 5.0, 2.0, 25.0, "spring"),
        Rating("bridge", "lead", "ann", "Length", 2.0, 3.0, 1.0, 25.0, "spring"),
    )
    assert found.comparisons == ()
    assert found.highlights == ()


def test_a_rating_without_a_value_or_a_time_stays_without():
    found = judgements_from([one(ItemAnswer({"Focus": Given(4), "Length": Given()}), ("lead",))],
                            LIKERT).ratings  # fmt: skip
    assert found == (Rating("bridge", "lead", "ann", "Focus", 4.0),)


def test_a_comparison_keeps_the_sides_as_they_were_shown():
    given = ItemAnswer(choices={"Structure": "right"})
    found = judgements_from([one(given, ("terse", "lead"))], get_protocol("pairwise"))
    (comparison,) = found.comparisons
    assert comparison == Comparison("bridge", "terse", "lead", "ann", "Structure", "right")
    assert comparison.winner == "lead"


def test_highlights_carry_the_budget():
    given = ItemAnswer(highlights=((4, 14), (8, 18)))
    found = judgements_from([one(given)], get_protocol("highlight"))
    assert found.highlights == (
        Highlight("bridge", "ann", 4, 14, 30),
        Highlight("bridge", "ann", 8, 18, 30),
    )


def test_planted_summaries_leave_no_rating():
    entries = (Entry("1", "bridge", ("lead",)), Entry("2", "cave", (), "good", "A good one."))
    given = {key: ItemAnswer({"fluency": Given(9)}) for key in ("1", "2")}
    result = Result(Task("1.1", "ann", 1, entries), Answer(given))
    found = judgements_from([result], get_protocol("fluency"))
    assert [(r.document, r.system) for r in found.ratings] == [("bridge", "lead")]


def test_the_export_is_a_corpus_folder_with_the_judgements_of_this_campaign_alone(
    small: Corpus, tmp_path: Path
):
    before = replace(small, ratings=(Rating("bridge", "lead", "old", "Focus", 1.0),))
    result = one(ItemAnswer({"Focus": Given(4, 5, 2)}, seconds=30.0), ("lead",))
    corpus = export_corpus(before, [result], LIKERT, campaign="spring")
    save(corpus, tmp_path / "export")
    assert load(tmp_path / "export") == corpus
    assert [rating.annotator for rating in corpus.ratings] == ["ann"]
    assert corpus.summaries == small.summaries
    assert corpus.highlights == ()


def test_highlights_that_were_shown_stay(small: Corpus):
    protocol = get_protocol("content-highlight")
    assert export_corpus(small, [], protocol).highlights == small.highlights
