"""Several campaigns as one corpus: texts are joined, judgements keep their campaign."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gistmark.corpus import Corpus, load, save
from gistmark.corpus.combining import combine
from gistmark.errors import CorpusError, UsageError
from gistmark.records import (
    Comparison,
    Condition,
    ContentUnit,
    Document,
    Highlight,
    Machine,
    Presence,
    Rating,
    Sampled,
    Summary,
    Turn,
)

TEXTS = Corpus(
    documents=(Document("a", ("A text.",)), Document("b", ("B text.",))),
    summaries=(Summary("a", "lead", "A."), Summary("b", "lead", "B.")),
)


def rated(annotator: str, campaign: str | None = None, value: float = 1.0) -> Corpus:
    return replace(TEXTS, ratings=(Rating("a", "lead", annotator, "recall", value, None, None,
                                          None, campaign),))  # fmt: skip


def test_judgements_without_a_campaign_belong_to_where_they_come_from():
    first = replace(
        rated("ann"),
        comparisons=(Comparison("a", "lead", "x", "ann", "recall", "left"),),
        highlights=(Highlight("a", "ann", 0, 1),),
    )
    corpus = combine([("one", first), ("two", rated("bob", "spring"))]).corpus
    assert [rating.campaign for rating in corpus.ratings] == ["one", "spring"]
    assert [choice.campaign for choice in corpus.comparisons] == ["one"]
    assert [mark.campaign for mark in corpus.highlights] == ["one"]
    assert [condition.campaign for condition in corpus.conditions] == ["one", "spring"]
    assert corpus.documents == TEXTS.documents
    assert corpus.summaries == TEXTS.summaries


def test_a_combined_corpus_is_saved_and_read_again(tmp_path: Path):
    shown = Condition("marks", "content-highlight", "heat-map", 3, 1.0, 100.0)
    marks = (Highlight("a", "zoe", 0, 4),)
    first = replace(rated("ann"), highlights=marks, conditions=(shown,))
    second = replace(rated("bob"), highlights=marks, conditions=(replace(shown, campaign="again"),))
    corpus = combine([("marks", first), ("again", second)]).corpus
    save(corpus, tmp_path / "both")
    assert load(tmp_path / "both") == corpus
    assert corpus.highlights == marks, "what a heat map showed twice was marked once"
    assert corpus.conditions[0] == shown


def test_texts_that_differ_are_named_with_their_campaigns():
    other = replace(
        rated("bob"),
        documents=(Document("a", ("Another text.",)), TEXTS.documents[1]),
        summaries=(TEXTS.summaries[0], Summary("b", "lead", "Else.")),
    )
    with pytest.raises(CorpusError) as caught:
        combine([("one", rated("ann")), ("two", other)])
    assert [str(problem) for problem in caught.value.problems] == [
        "The document 'a' is not the same in the campaigns 'one' and 'two'; rename it in one of "
        "them.",
        "The summary of document 'b' by 'lead' is not the same in the campaigns 'one' and 'two'; "
        "rename it in one of them.",
    ]


def test_one_name_is_one_person_unless_they_are_kept_apart():
    parts = [("one", rated("ann")), ("two", rated("ann"))]
    together = combine(parts)
    assert {rating.annotator for rating in together.corpus.ratings} == {"ann"}
    assert "count as one person: ann" in together.notes[0]
    assert combine(parts, named_apart=False).notes == ()
    apart = combine(parts, separate_annotators=True)
    assert [rating.annotator for rating in apart.corpus.ratings] == ["ann (one)", "ann (two)"]
    assert apart.notes == ()


def test_campaigns_of_one_name_are_numbered_and_the_same_work_is_refused():
    first, second = rated("ann", "News"), rated("bob", "News")
    numbered = combine([("one", first), ("two", second)])
    assert [rating.campaign for rating in numbered.corpus.ratings] == ["News", "News (2)"]
    assert numbered.notes == ("There are several campaigns 'News'; a later one is 'News (2)'.",)
    with pytest.raises(UsageError, match="'News' are there twice"):
        combine([("one", first), ("two", first)])


def test_one_campaign_is_nothing_to_combine():
    with pytest.raises(UsageError, match="two campaigns or more"):
        combine([("one", TEXTS)])


def test_what_holds_for_one_campaign_alone_is_left_out_with_a_note():
    turn = Turn(1, "a", "lead", "ann", 1.0, 1, "rule")
    first = replace(rated("ann"), sampling=(Sampled("a", "random", 0.5),), sequence=(turn,))
    combined = combine([("one", first), ("two", rated("bob"))])
    assert combined.corpus.sampling == combined.corpus.sequence == ()
    assert len(combined.notes) == 2
    assert "The order of the judgements of 'one' was left out" in combined.notes[0]
    assert combine([("one", first), ("two", replace(rated("bob"), sampling=first.sampling))]
                   ).corpus.sampling == first.sampling  # fmt: skip


def test_units_marked_in_both_campaigns_are_there_once():
    unit = ContentUnit("a", "u1", "A fact.")
    parts = [
        (name, replace(TEXTS, units=(unit,), presence=(Presence("a", "u1", "lead", "ann", True),)))
        for name in ("one", "two")
    ]
    corpus = combine(parts).corpus
    assert corpus.units == (unit,)
    assert [mark.campaign for mark in corpus.presence] == ["one", "two"]


def test_machines_of_one_name_must_be_the_same():
    first = replace(rated("machine-1"), machines=(Machine("machine-1", "small"),))
    second = replace(rated("machine-1"), machines=(Machine("machine-1", "large"),))
    with pytest.raises(CorpusError, match=r"'machine-1' is not the same .* --separate-annotators"):
        combine([("one", first), ("two", second)])
    apart = combine([("one", first), ("two", second)], separate_annotators=True).corpus
    assert apart.machine_names == {rating.annotator for rating in apart.ratings}
