"""ROUGE by hand: every kind and every option, with the arithmetic beside the value."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gistmark.metrics.batch import Item
from gistmark.metrics.metric import Values

Row = Callable[..., list[float]]
Reason = Callable[..., str | None]
Score = Callable[..., Values]

TOO_FEW = "the target has too few words to compare"
TOO_LONG = "the texts are too long to align; put each sentence on a line of its own"
NO_REFERENCE = "the document has no reference"
NO_TEXT = "the document has no text"

SUMMARY = "The cat sat on the mat."  # 6 words
REFERENCE = "The cat was on the mat today."  # 7 words

# ROUGE-W: the reference's words in the common subsequence stand in runs of 2 and of 3.
HITS_W = 2**1.2 + 3**1.2


def f(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize(
    ("spec", "precision", "recall"),
    [
        # the (twice), cat, on, mat: 5 of 6 and of 7.
        ("rouge1", 5 / 6, 5 / 7),
        # the cat, on the, the mat: 3 of 5 and of 6.
        ("rouge2", 3 / 5, 3 / 6),
        # on the mat: 1 of 4 and of 5.
        ("rouge3", 1 / 4, 1 / 5),
        # the cat on the mat: 5 of 6 and of 7.
        ("rougeL", 5 / 6, 5 / 7),
        ("rougeLsum", 5 / 6, 5 / 7),
        # Of the summary's 15 pairs the 10 without "sat" stand in the reference, which has 21
        # pairs less the one that is 6 words apart.
        ("rougeS4", 10 / 15, 10 / 20),
        # One more unit for each word but the last: 5 and 6; the, the, cat and on are shared.
        ("rougeSU4", 14 / 20, 14 / 26),
        # The script raises the reference's length to the power 1.2 twice.
        ("rougeW", (HITS_W / 6**1.2) ** (1 / 1.2), (HITS_W / (7**1.2) ** 1.2) ** (1 / 1.2)),
        ("rougeW:base=paper", (HITS_W / 6**1.2) ** (1 / 1.2), (HITS_W / 7**1.2) ** (1 / 1.2)),
        # With weight 1 a run counts its length: ROUGE-Lsum.
        ("rougeW:weight=1", 5 / 6, 5 / 7),
        # Runs of 2 and 3 count 4 and 9, lengths 36 and 49.
        ("rougeW:weight=2,base=paper", (13 / 36) ** 0.5, (13 / 49) ** 0.5),
    ],
)
def test_one_pair_by_hand(row: Row, spec: str, precision: float, recall: float) -> None:
    expected = [precision, recall, f(precision, recall)]
    assert row(spec, SUMMARY, REFERENCE) == pytest.approx(expected, abs=1e-15)


def test_four_grams_that_are_not_shared_score_zero(row: Row) -> None:
    assert row("rouge4", SUMMARY, REFERENCE) == [0, 0, 0]


def test_repeated_words_count_only_as_often_as_the_reference_has_them(row: Row) -> None:
    # "the" five times against two: 2 of 5 and 2 of 2.
    assert row("rouge1", "the the the the the", "the the") == pytest.approx([0.4, 1, 4 / 7])


class TestLines:
    """ROUGE-Lsum unites subsequences line by line of the reference."""

    def test_the_union_over_the_lines_of_the_summary(self, row: Row) -> None:
        # Line "a b c": a and c with the first line, b with the second: 3 words.
        # Line "d e": one of d and e with the second line: 1 word. 4 of 6 and of 5.
        expected = [4 / 6, 4 / 5, 8 / 11]
        assert row("rougeLsum", "a x c\nb e d", "a b c\nd e") == pytest.approx(expected)

    def test_the_union_is_clipped_at_the_words_of_the_summary(self, row: Row) -> None:
        # Both lines of the reference find the one "a": it counts once. 1 of 1, 1 of 2.
        assert row("rougeLsum", "a", "a\na") == pytest.approx([1, 1 / 2, 2 / 3])

    def test_rouge_l_takes_the_texts_as_a_whole(self, row: Row) -> None:
        # a x c b e d against a b c d e: "a c d" or the like, 3 of 6 and of 5.
        assert row("rougeL", "a x c\nb e d", "a b c\nd e") == pytest.approx([3 / 6, 3 / 5, 6 / 11])

    def test_a_run_ends_with_its_line_in_rouge_w(self, row: Row) -> None:
        # Lines of 2 and 1 words, all shared: hits 2**2 + 1, the reference's base too; the
        # summary's 3 words in one run would be 9.
        precision, recall = (5 / 9) ** 0.5, 1.0
        expected = [precision, recall, f(precision, recall)]
        assert row("rougeW:weight=2,base=paper", "a b\nc", "a b\nc") == pytest.approx(expected)

    def test_a_run_of_rouge_w_that_clipping_cuts_off_at_the_end_of_a_line_is_lost(
        self, row: Row
    ) -> None:
        # The first line takes the summary's only a: hits 1. Both words of the second line are
        # marked, but when the run of b should end, its last word a is used up: nothing.
        # Bases 1**2 + 2**2, the summary's 2 words 2**2. ROUGE-1.5.5 does the same.
        precision, recall = (1 / 4) ** 0.5, (1 / 5) ** 0.5
        expected = [precision, recall, f(precision, recall)]
        assert row("rougeW:weight=2,base=paper", "a\nb", "a\nb a") == pytest.approx(expected)
        assert row("rougeLsum", "a\nb", "a\nb a") == pytest.approx([1, 2 / 3, 4 / 5])

    @pytest.mark.parametrize("name", ["rougeLsum", "rougeW"])
    def test_sentences_found_by_rule_count_as_lines(self, row: Row, name: str) -> None:
        summary, reference = "A dog ran. Mr. Fox sat.", "Mr. Fox ran. A dog sat."
        split = row(f"{name}:lines=sentences", summary, reference)
        by_hand = row(name, "A dog ran.\nMr. Fox sat.", "Mr. Fox ran.\nA dog sat.")
        assert split == by_hand
        assert split != row(name, summary, reference)

    def test_newlines_inside_a_sentence_do_not_count_with_sentences(self, row: Row) -> None:
        wrapped = row(
            "rougeLsum:lines=sentences", "The old\ncat sat. It ran.", "It ran. A cat sat."
        )
        assert wrapped == row("rougeLsum", "The old cat sat.\nIt ran.", "It ran.\nA cat sat.")


class TestWords:
    """The options that decide what a word is."""

    def test_stems(self, row: Row) -> None:
        # cat and run on both sides against nothing in common.
        assert row("rouge1:stem=yes", "cats running", "cat runs") == [1, 1, 1]
        assert row("rouge1", "cats running", "cat runs") == [0, 0, 0]

    def test_stop_words(self, row: Row) -> None:
        # Without "the" and "of" nothing is shared: 1 of 2 becomes 0 of 1.
        assert row("rouge1", "the cat", "the dog") == pytest.approx([0.5, 0.5, 0.5])
        assert row("rouge1:stop=yes", "the cat", "the dog") == [0, 0, 0]

    def test_stop_words_are_left_out_before_pairs_are_made(self, row: Row) -> None:
        assert row("rouge2:stop=yes", "ship of fools", "a ship for the fools") == [1, 1, 1]

    def test_tokenizers(self, row: Row) -> None:
        # "cat," and "cat" are the same to rouge_score, not between spaces: 1 of 2.
        assert row("rouge1:tok=space", "cat, dog", "cat dog") == pytest.approx([0.5, 0.5, 0.5])
        assert row("rouge1", "cat, dog", "cat dog") == [1, 1, 1]
        assert row("rouge1:tok=space-cased", "Cat dog", "cat dog") == pytest.approx([0.5] * 3)

    def test_another_script_needs_the_tokenizer_words(self, row: Row, reason: Reason) -> None:
        # Three of the summary's four characters are among the reference's six.
        assert reason("rouge1", "東京の塔", "東京タワーの") == (
            f"{TOO_FEW}: its letters are outside a-z; tok=words counts them"
        )
        expected = [3 / 4, 3 / 6, 6 / 10]
        assert row("rouge1:tok=words", "東京の塔", "東京タワーの") == pytest.approx(expected)

    def test_quotes_are_unified_on_request(self, row: Row) -> None:
        summary, reference = "`` yes ''", '" yes "'
        assert row("rouge1:tok=space", summary, reference) == pytest.approx([1 / 3] * 3)
        assert row("rouge1:tok=space,norm=quotes", summary, reference) == [1, 1, 1]

    def test_compatibility_forms_are_unified_on_request(self, row: Row) -> None:
        assert row("rouge1:tok=words", "ﬁne", "fine") == [0, 0, 0]
        assert row("rouge1:tok=words,norm=nfkc", "ﬁne", "fine") == [1, 1, 1]

    @pytest.mark.parametrize("gap", [0, 1, 2, 9])
    def test_the_gap_bounds_the_words_between(self, gap: int) -> None:
        from gistmark.metrics.batch import Batch
        from gistmark.metrics.lexical.rouge import RougeS, RougeSOptions

        # a x x c: the pair a-c has two words between and counts from gap 2 on.
        batch = Batch.of([Item("a c", ("a x x c",))])
        values = RougeS(RougeSOptions(gap=gap)).score(batch).values[0]
        pairs = {0: 3, 1: 5, 2: 6, 9: 6}[gap]
        shared = 1 if gap >= 2 else 0
        assert values[:2].tolist() == pytest.approx([shared / 1, shared / pairs])


class TestSeveralReferences:
    """Summary "a b c d" against references of which it holds every word."""

    SUMMARY = "a b c d"
    # P 3/4, R 1, F 6/7;  P 2/4, R 1, F 2/3;  P 1/4, R 1, F 2/5
    THREE = ("a b c", "a b", "a")

    def test_max_takes_the_row_with_the_best_f(self, row: Row) -> None:
        for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
            references = [self.THREE[position] for position in order]
            assert row("rouge1", self.SUMMARY, *references) == pytest.approx([3 / 4, 1, 6 / 7])

    def test_mean_averages_each_part(self, row: Row) -> None:
        # P (3 + 2 + 1)/12, F (6/7 + 2/3 + 2/5)/3 = (90 + 70 + 42)/315
        expected = [1 / 2, 1, 202 / 315]
        assert row("rouge1:refs=mean", self.SUMMARY, *self.THREE) == pytest.approx(expected)

    def test_jackknife_averages_the_best_of_all_but_one(self, row: Row) -> None:
        # Without the first, the second is best; without either other, the first is.
        # P (2 * 3/4 + 1/2)/3 = 2/3, F (2 * 6/7 + 2/3)/3 = (36 + 14)/63
        expected = [2 / 3, 1, 50 / 63]
        for references in (self.THREE, self.THREE[::-1]):
            result = row("rouge1:refs=jackknife", self.SUMMARY, *references)
            assert result == pytest.approx(expected)

    def test_jackknife_of_two_is_their_mean(self, row: Row) -> None:
        two = self.THREE[:2]
        assert row("rouge1:refs=jackknife", self.SUMMARY, *two) == pytest.approx(
            row("rouge1:refs=mean", self.SUMMARY, *two)
        )

    @pytest.mark.parametrize("refs", ["max", "mean", "jackknife"])
    def test_one_reference_is_always_itself(self, row: Row, refs: str) -> None:
        result = row(f"rouge1:refs={refs}", self.SUMMARY, "a b")
        assert result == pytest.approx([1 / 2, 1, 2 / 3])

    def test_on_equal_f_the_first_reference_counts(self, row: Row) -> None:
        # "a b": P 2/4, R 2/2, F 4/6.  "a b c d e f g h": P 4/4, R 4/8, F 8/12.
        short, long = "a b", "a b c d e f g h"
        assert row("rouge1", self.SUMMARY, short, long) == pytest.approx([1 / 2, 1, 2 / 3])
        assert row("rouge1", self.SUMMARY, long, short) == pytest.approx([1, 1 / 2, 2 / 3])

    def test_the_first_reference_is_first_whatever_else_is_in_the_batch(self, score: Score) -> None:
        short, long = "a b", "a b c d e f g h"
        result = score(
            "rouge1", Item("x", (long,)), Item(self.SUMMARY, (short, long)), Item("x", (short,))
        )
        assert result.values[1].tolist() == pytest.approx([1 / 2, 1, 2 / 3])

    @pytest.mark.parametrize("refs", ["max", "mean", "jackknife"])
    def test_a_reference_without_words_is_passed_over(self, row: Row, refs: str) -> None:
        result = row(f"rouge1:refs={refs}", self.SUMMARY, "", "a b", "…")
        assert result == pytest.approx([1 / 2, 1, 2 / 3])

    def test_the_same_reference_twice_counts_twice_in_the_mean(self, row: Row) -> None:
        # P (2/4 + 2/4 + 1/4)/3
        result = row("rouge1:refs=mean", self.SUMMARY, "a b", "a b", "a")
        assert result[0] == pytest.approx(5 / 12)


class TestDocuments:
    """With against=document the summary is compared with what it summarises."""

    def test_the_document_is_the_target(self, row: Row) -> None:
        # b is not a reference's word here, though it would be: 1 of 2 and 1 of 3.
        result = row("rouge1:against=document", "a b", "b", document="a c d")
        assert result == pytest.approx([1 / 2, 1 / 3, 2 / 5])

    def test_references_do_not_stand_in_for_a_document(self, reason: Reason) -> None:
        assert reason("rouge1:against=document", "a b", "a b") == NO_TEXT

    def test_a_document_does_not_stand_in_for_a_reference(self, reason: Reason) -> None:
        assert reason("rouge1", "a b", document="a b") == NO_REFERENCE


ALL = [
    "rouge1",
    "rouge2",
    "rouge3",
    "rouge4",
    "rougeL",
    "rougeLsum",
    "rougeW",
    "rougeS4",
    "rougeSU4",
]


class TestWhatCannotBeScored:
    """A missing value has a reason; an empty summary is a zero."""

    @pytest.mark.parametrize("spec", ALL)
    @pytest.mark.parametrize("summary", ["", " \n ", "😀", "…"])
    def test_a_summary_without_words_scores_zero(self, row: Row, spec: str, summary: str) -> None:
        assert row(spec, summary, REFERENCE) == [0, 0, 0]

    @pytest.mark.parametrize("spec", ALL)
    @pytest.mark.parametrize("reference", ["", "\n", "…"])
    def test_a_reference_without_words_gives_no_value(
        self, row: Row, reason: Reason, spec: str, reference: str
    ) -> None:
        assert np.isnan(row(spec, SUMMARY, reference)).all()
        assert reason(spec, SUMMARY, reference) == TOO_FEW

    @pytest.mark.parametrize("spec", ALL)
    def test_without_a_reference_there_is_no_value(
        self, row: Row, reason: Reason, spec: str
    ) -> None:
        assert np.isnan(row(spec, SUMMARY)).all()
        assert reason(spec, SUMMARY) == NO_REFERENCE

    @pytest.mark.parametrize(
        ("spec", "words"), [("rouge2", 1), ("rouge4", 3), ("rougeS4", 1), ("rougeSU4", 1)]
    )
    def test_a_reference_shorter_than_the_unit_gives_no_value(
        self, reason: Reason, spec: str, words: int
    ) -> None:
        reference = " ".join("abcd"[:words])
        assert reason(spec, "a b c d", reference) == TOO_FEW
        assert reason(spec, "a b c d", f"{reference} d") is None

    def test_a_reference_of_stop_words_alone_gives_no_value(self, reason: Reason) -> None:
        assert reason("rouge1:stop=yes", "the cat", "the of and") == TOO_FEW

    def test_texts_too_long_to_align_line_by_line_say_so(self, score: Score) -> None:
        long = "a " * 15_000  # 15,000 x 15,000 cells, more than the 200 million that are filled
        result = score(
            "rougeLsum", Item(long, (long,)), Item("a", ("",)), Item("a", ("a",)), Item("a")
        )
        assert np.isnan(result.values[[0, 1, 3]]).all()
        assert result.reasons == {0: TOO_LONG, 1: TOO_FEW, 3: NO_REFERENCE}

    def test_long_texts_in_short_lines_are_aligned(self, row: Row) -> None:
        lines = "\n".join(f"w{number} a b c d e" for number in range(500))
        assert row("rougeLsum", lines, lines) == [1, 1, 1]

    def test_rouge_l_has_no_such_limit(self, row: Row) -> None:
        assert row("rougeL", "a " * 15_000, "a " * 15_000) == [1, 1, 1]

    def test_of_several_references_those_that_can_be_aligned_count(self, row: Row) -> None:
        long = "a " * 15_000
        assert row("rougeLsum", long, long, "a") == pytest.approx([1 / 15_000, 1, 2 / 15_001])
