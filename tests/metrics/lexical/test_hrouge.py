"""HROUGE by hand: budgets, words that are touched, several texts, and what cannot be scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.lexical.hrouge import word_weights
from gistmark.metrics.metric import Values
from gistmark.records import Document
from gistmark.text.highlighted import highlighted_words
from gistmark.text.words import word_spans
from metrics.lexical.highlighting import mark, rows

Row = Callable[..., list[float]]
Reason = Callable[..., str | None]
Score = Callable[..., Values]

# Offsets:  a0 b2 a4 c6 d8
DOCUMENT = "a b a c d"


class TestByHand:
    """Ann highlights "a b" (2 words), Bob highlights "c" (1 word), both may highlight K = 4.

    NumH: a 2/4, b 2/4, a 0, c 1/4, d 0; over N = 2 annotators: 1/4, 1/4, 0, 1/8, 0.
    """

    MARKS = (mark("ann", 0, 3, 4), mark("bob", 6, 7, 4))

    def test_the_weights_of_the_words(self) -> None:
        weights = word_weights(word_spans(DOCUMENT, "space"), self.MARKS)
        assert weights.tolist() == [1 / 4, 1 / 4, 0, 1 / 8, 0]

    def test_unigrams(self, row: Row) -> None:
        # beta: a (1/4 + 0)/2 = 1/8 (two occurrences), b 1/4, c 1/8, d 0.
        # Document: 2 * 1/8 + 1/4 + 1/8 + 0 = 5/8. Summary: a 1/8 + c 1/8 = 1/4 of 3 words.
        precision, recall = (1 / 4) / 3, (1 / 4) / (5 / 8)
        expected = [precision, recall, 2 * precision * recall / (precision + recall)]
        result = row("hrouge1", "a c x", document=DOCUMENT, highlights=self.MARKS)
        assert result == pytest.approx(expected, abs=1e-15)

    def test_unigrams_are_clipped_at_the_count_of_the_document(self, row: Row) -> None:
        # a three times counts twice: 2 * 1/8 of 3 words, and 2/8 of the document's 5/8.
        result = row("hrouge1", "a a a", document=DOCUMENT, highlights=self.MARKS)
        assert result[:2] == pytest.approx([(1 / 4) / 3, 2 / 5])

    def test_bigrams(self, row: Row) -> None:
        # beta: a b (1/4 + 1/4)/2 = 1/4, b a (1/4 + 0)/2 = 1/8, a c (0 + 1/8)/2 = 1/16,
        # c d (1/8 + 0)/2 = 1/16. Document: 1/2. Summary: b a 1/8 + a c 1/16 = 3/16 of 2 bigrams.
        precision, recall = (3 / 16) / 2, (3 / 16) / (1 / 2)
        expected = [precision, recall, 2 * precision * recall / (precision + recall)]
        result = row("hrouge2", "b a c", document=DOCUMENT, highlights=self.MARKS)
        assert result == pytest.approx(expected, abs=1e-15)

    def test_an_unhighlighted_occurrence_halves_the_weight_of_its_word(self, row: Row) -> None:
        # a: (1/4 + 0)/2 = 1/8 of 1 word; b, which stands once: 1/4.
        assert row("hrouge1", "a", document=DOCUMENT, highlights=self.MARKS)[0] == 1 / 8
        assert row("hrouge1", "b", document=DOCUMENT, highlights=self.MARKS)[0] == 1 / 4

    def test_weights_go_by_place_and_not_by_word(self) -> None:
        # The second a instead of the first: 0, 1/4 ... a's mean is the same, the bigrams' are not.
        moved = (mark("ann", 2, 5, 4), mark("bob", 6, 7, 4))
        weights = word_weights(word_spans(DOCUMENT, "space"), moved)
        assert weights.tolist() == [0, 1 / 4, 1 / 4, 1 / 8, 0]
        item = Item("a c", document=DOCUMENT, highlights=moved)
        # a c: (1/4 + 1/8)/2 = 3/16 of one bigram.
        assert rows("hrouge2", item)[0] == pytest.approx(3 / 16)

    @pytest.mark.parametrize(
        ("option", "factor"),
        [
            ("budget=2", 2),  # K 2 instead of 4: twice the weight
            ("budget=8", 1 / 2),
            ("annotators=4", 1 / 2),  # N 4 instead of 2
            ("annotators=1", 2),
            ("budget=8,annotators=4", 1 / 4),
        ],
    )
    def test_budget_and_annotators_scale_precision_only(
        self, row: Row, option: str, factor: float
    ) -> None:
        result = row(f"hrouge1:{option}", "a c x", document=DOCUMENT, highlights=self.MARKS)
        assert result[:2] == pytest.approx([factor * (1 / 4) / 3, 2 / 5])


class TestBudget:
    """K: from the option, else from the data, else the paper's 30."""

    def test_without_any_it_is_thirty(self) -> None:
        weights = word_weights(word_spans(DOCUMENT, "space"), [mark("ann", 0, 3)])
        assert weights.tolist() == pytest.approx([2 / 30, 2 / 30, 0, 0, 0])

    def test_it_comes_from_the_data(self) -> None:
        weights = word_weights(word_spans(DOCUMENT, "space"), [mark("ann", 0, 3, 5)])
        assert weights.tolist() == pytest.approx([2 / 5, 2 / 5, 0, 0, 0])

    def test_each_annotator_has_a_budget(self) -> None:
        # Ann 2 of 5 words, Bob 2 of the default 30; N = 2.
        marks = [mark("ann", 0, 3, 5), mark("bob", 0, 3)]
        weights = word_weights(word_spans(DOCUMENT, "space"), marks)
        assert weights[0] == pytest.approx((2 / 5 + 2 / 30) / 2)

    def test_the_option_wins(self) -> None:
        weights = word_weights(word_spans(DOCUMENT, "space"), [mark("ann", 0, 3, 5)], budget=10)
        assert weights.tolist() == pytest.approx([2 / 10, 2 / 10, 0, 0, 0])

    def test_over_the_budget_precision_exceeds_one_and_recall_does_not(self, row: Row) -> None:
        # 5 words of K = 2: every weight 5/2.
        marks = (mark("ann", 0, 9, 2),)
        result = row("hrouge1", DOCUMENT, document=DOCUMENT, highlights=marks)
        assert result[:2] == pytest.approx([5 / 2, 1])


class TestTouching:
    """A highlight that touches a word counts it whole."""

    @pytest.mark.parametrize(
        ("start", "end", "expected"),
        [
            (1, 2, [True, False, False]),  # inside the first word
            (2, 5, [True, True, False]),  # the end of one, the start of the next
            (3, 4, [False, False, False]),  # the space between
            (0, 3, [True, False, False]),
            (0, 4, [True, False, False]),  # up to the start of the second, which is not in it
            (0, 5, [True, True, False]),
            (4, 6, [False, True, False]),
            (0, 99, [True, True, True]),
        ],
    )
    def test_partly_highlighted_words(self, start: int, end: int, expected: list[bool]) -> None:
        spans = word_spans("one two six", "space")
        result = highlighted_words(spans, [mark("ann", start, end)])
        assert result["ann"].tolist() == expected

    def test_overlapping_highlights_of_one_annotator_count_a_word_once(self) -> None:
        spans = word_spans("one two six", "space")
        marks = [mark("ann", 0, 7, 10), mark("ann", 4, 11, 10)]
        # 3 words highlighted of 10.
        assert word_weights(spans, marks).tolist() == pytest.approx([0.3, 0.3, 0.3])

    def test_who_highlighted_only_a_space_is_still_an_annotator(self) -> None:
        spans = word_spans("one two six", "space")
        marks = [mark("ann", 0, 3, 10), mark("bob", 3, 4, 10)]
        # Ann's 1/10 over N = 2.
        assert word_weights(spans, marks).tolist() == pytest.approx([0.05, 0, 0])


class TestSeveralTexts:
    """Highlights of a document of several texts count offsets across the separator."""

    DOCUMENT = Document("document", ("a b", "c d"))

    def test_the_separator_is_two_characters(self) -> None:
        assert self.DOCUMENT.text[5] == "c"

    def test_a_highlight_may_reach_over_it(self) -> None:
        # From b (2) to c (5, end 6): 2 words of K = 4.
        weights = word_weights(word_spans(self.DOCUMENT.text, "space"), [mark("ann", 2, 6, 4)])
        assert weights.tolist() == [0, 0.5, 0.5, 0]

    def test_ngrams_reach_over_it_too(self, row: Row) -> None:
        # b c weighs (1/2 + 1/2)/2 of one bigram; document: a b 1/4 + b c 1/2 + c d 1/4.
        marks = (mark("ann", 2, 6, 4),)
        result = row("hrouge2", "b c", document=self.DOCUMENT.text, highlights=marks)
        assert result[:2] == pytest.approx([0.5, 0.5])


class TestWords:
    """The options that decide what a word is."""

    def test_offsets_count_characters_in_any_script(self, row: Row) -> None:
        document = "Zoë 😀 sieht Ümit"
        marks = (mark("ann", document.index("Ü"), len(document), 1),)
        assert row("hrouge1", "ümit", document=document, highlights=marks) == [1, 1, 1]
        assert row("hrouge1", "zoë", document=document, highlights=marks) == [0, 0, 0]

    @pytest.mark.parametrize("tok", ["rouge_score", "rouge155", "space", "space-cased", "words"])
    def test_weights_stay_with_their_words_under_every_tokenizer(self, row: Row, tok: str) -> None:
        document = "\u0130x 20\u212a — ‘déjà-vu’ 東京, ΟΔΟΣ.Α end!"
        marks = (mark("ann", document.index("end"), len(document), 1),)
        # Whatever stands before, "end" alone is highlighted: one word of K = 1.
        summary = "end!" if tok.startswith("space") else "end"
        result = row(f"hrouge1:tok={tok}", summary, document=document, highlights=marks)
        assert result == pytest.approx([1, 1, 1])

    def test_han_characters_are_highlighted_one_by_one(self, row: Row) -> None:
        marks = (mark("ann", 1, 2, 1),)
        spec = "hrouge1:tok=words"
        assert row(spec, "京", document="東京塔", highlights=marks) == pytest.approx([1, 1, 1])
        assert row(spec, "東", document="東京塔", highlights=marks) == [0, 0, 0]

    def test_stems_are_compared_on_request(self, row: Row) -> None:
        marks = (mark("ann", 0, 7, 1),)
        document, summary = "running dogs", "runs"
        assert row("hrouge1", summary, document=document, highlights=marks) == [0, 0, 0]
        result = row("hrouge1:stem=yes", summary, document=document, highlights=marks)
        assert result == pytest.approx([1, 1, 1])

    def test_quotes_are_unified_on_request(self, row: Row) -> None:
        marks = (mark("ann", 0, 1, 1),)
        document, summary = '" yes', "``"
        assert row("hrouge1", summary, document=document, highlights=marks) == [0, 0, 0]
        result = row("hrouge1:norm=quotes", summary, document=document, highlights=marks)
        assert result == pytest.approx([1, 1, 1])


class TestWhatCannotBeScored:
    """Missing values and their reasons."""

    NOBODY = "nobody highlighted a word of the document"

    @pytest.mark.parametrize("spec", ["hrouge1", "hrouge2", "highlight-overlap"])
    def test_without_highlights_there_is_no_value(
        self, row: Row, reason: Reason, spec: str
    ) -> None:
        assert np.isnan(row(spec, "a", document=DOCUMENT)).all()
        assert reason(spec, "a", document=DOCUMENT) == self.NOBODY

    @pytest.mark.parametrize("spec", ["hrouge1", "hrouge1:beta=one", "highlight-overlap"])
    def test_without_a_document_there_is_no_value(self, reason: Reason, spec: str) -> None:
        assert reason(spec, "a", "a") == "the document has no text"

    def test_highlights_that_touch_no_word_give_no_value(self, reason: Reason) -> None:
        marks = (mark("ann", 1, 2),)
        assert reason("hrouge1", "a", document=DOCUMENT, highlights=marks) == self.NOBODY

    def test_a_document_shorter_than_the_ngram_gives_no_value(self, reason: Reason) -> None:
        marks = (mark("ann", 0, 1),)
        expected = "the document has too few words to compare"
        assert reason("hrouge2", "a b", document="a", highlights=marks) == expected
        assert reason("hrouge2:beta=one", "a b", document="a") == expected
        assert reason("hrouge1", "a b", document="") == expected

    @pytest.mark.parametrize("summary", ["", "x"])
    def test_a_summary_without_what_is_highlighted_scores_zero(
        self, row: Row, summary: str
    ) -> None:
        marks = (mark("ann", 0, 9, 9),)
        assert row("hrouge1", summary, document=DOCUMENT, highlights=marks) == [0, 0, 0]

    def test_highlights_are_not_needed_with_beta_one(self, row: Row) -> None:
        # a, c of 3 words; of the document's 5.
        result = row("hrouge1:beta=one", "a c x", document=DOCUMENT)
        assert result[:2] == pytest.approx([2 / 3, 2 / 5])
        assert metric_from("hrouge1:beta=one").needs == {"documents"}
        assert metric_from("hrouge1").needs == {"documents", "highlights"}

    def test_equal_documents_keep_their_own_highlights(self, score: Score) -> None:
        on_a = Item("a", document="a b", highlights=(mark("ann", 0, 1, 1),))
        on_b = Item("a", document="a b", highlights=(mark("ann", 2, 3, 1),))
        without = Item("a", document="a b")
        result = score("hrouge1", on_a, on_b, without)
        assert result.values[:2, 0].tolist() == [1, 0]
        assert set(result.reasons) == {2}


def test_many_summaries_of_one_document_share_its_weights(score: Score) -> None:
    marks = (mark("ann", 0, 3, 4), mark("bob", 6, 7, 4))
    summaries = ["a c x", "b", "", "a b a c d", "a c x"]
    together = score(
        "hrouge1", *(Item(text, document=DOCUMENT, highlights=marks) for text in summaries)
    )
    alone = [rows("hrouge1", Item(text, document=DOCUMENT, highlights=marks)) for text in summaries]
    np.testing.assert_array_equal(together.values, alone)


class TestWhose:
    """Ann highlights "a b", the machine "c": people count, or the one that is named."""

    ITEM = Item(
        "a c x", document=DOCUMENT, highlights=(mark("ann", 0, 3, 4),),
        machine_highlights=(mark("robot", 6, 7, 1), mark("other", 8, 9, 1)),
    )  # fmt: skip

    def test_people_count_alone(self) -> None:
        people = replace(self.ITEM, machine_highlights=())
        for spec in ("hrouge1", "hrouge2", "highlight-overlap"):
            assert rows(spec, self.ITEM) == rows(spec, people)

    def test_one_annotator_counts_alone(self) -> None:
        machine = replace(self.ITEM, highlights=(mark("robot", 6, 7, 1),), machine_highlights=())
        for name in ("hrouge1", "highlight-overlap"):
            assert rows(f"{name}:by=robot", self.ITEM) == rows(name, machine)
            assert rows(f"{name}:by=ann", self.ITEM) == rows(name, self.ITEM)
        # c alone is marked, by the one annotator with a budget of 1: 1 of 1, in 1 of 3 words.
        assert rows("hrouge1:by=robot", self.ITEM)[:2] == pytest.approx([1 / 3, 1])

    @pytest.mark.parametrize(
        ("spec", "reason"),
        [
            ("hrouge1", "only machines highlighted the document; by=NAME takes one of them"),
            ("hrouge1:by=nemo", "nemo highlighted no word of the document"),
            ("highlight-overlap:by=nemo", "nemo highlighted no word of the document"),
        ],
    )
    def test_a_missing_value_says_whose_highlights_are_missing(
        self, spec: str, reason: str
    ) -> None:
        item = replace(self.ITEM, highlights=())
        assert metric_from(spec).score(Batch.of([item])).reasons == {0: reason}
