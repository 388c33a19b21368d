"""A batch holds each text once and tokenises it once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gistmark.metrics import batch as batch_module
from gistmark.metrics.batch import NO_DOCUMENT, Batch, Item, offsets_of
from gistmark.metrics.catalogue import GROUPS, metrics_from
from gistmark.records import Highlight
from gistmark.text import Profile

MARKS = (Highlight("d", "ann", 0, 1), Highlight("d", "bob", 2, 3))
ITEMS = [
    Item("a b", ("a", "b"), "a b c", MARKS),
    Item("c", ("b",), "a b c", MARKS),
    Item("a b", (), None),
    Item("", ("a", "a"), "a b c"),
]


class TestThePool:
    """Equal texts share a place."""

    def test_the_items_come_back_as_they_were(self) -> None:
        batch = Batch.of(ITEMS)
        assert len(batch) == 4
        assert list(batch) == ITEMS

    def test_each_text_is_held_once(self) -> None:
        # The document with highlights has a place of its own beside the one without.
        assert sorted(Batch.of(ITEMS).texts) == ["", "a", "a b", "a b c", "a b c", "b", "c"]

    def test_a_text_is_shared_whatever_it_serves_as(self) -> None:
        batch = Batch.of([Item("same", ("same", "same"), "same")])
        assert batch.texts == ["same"]
        assert batch.item(0) == Item("same", ("same", "same"), "same")

    def test_documents_with_different_highlights_are_kept_apart(self) -> None:
        other = (Highlight("d", "ann", 4, 5),)
        batch = Batch.of([Item("x", (), "a b c", MARKS), Item("x", (), "a b c", other)])
        assert [item.highlights for item in batch] == [MARKS, other]

    def test_documents_with_the_very_same_highlights_share_a_place(self) -> None:
        batch = Batch.of([Item("x", (), "a b c", MARKS), Item("y", (), "a b c", MARKS)])
        assert batch.documents.tolist() == [0, 0]

    def test_highlights_without_a_document_are_dropped(self) -> None:
        assert Batch.of([Item("x", highlights=MARKS)]).item(0) == Item("x")

    def test_a_missing_document_has_no_number(self) -> None:
        assert Batch.of([Item("x")]).documents.tolist() == [NO_DOCUMENT]

    def test_an_empty_document_is_not_a_missing_one(self) -> None:
        assert Batch.of([Item("x", (), "")]).item(0).document == ""

    def test_columns_make_the_same_batch(self) -> None:
        columns = Batch.of_columns(
            [item.summary for item in ITEMS],
            [item.references for item in ITEMS],
            [item.document for item in ITEMS],
            [item.highlights for item in ITEMS],
        )
        assert list(columns) == ITEMS

    def test_columns_need_no_highlights(self) -> None:
        batch = Batch.of_columns(["x"], [("y",)], ["z"])
        assert list(batch) == [Item("x", ("y",), "z")]

    def test_a_subset_is_a_batch_of_the_chosen_items(self) -> None:
        assert list(Batch.of(ITEMS).subset([2, 0])) == [ITEMS[2], ITEMS[0]]
        assert len(Batch.of(ITEMS).subset([])) == 0

    def test_an_empty_batch(self) -> None:
        batch = Batch.of([])
        assert len(batch) == 0
        assert list(batch) == []
        assert batch.tokens(Profile()).lengths.tolist() == []


class TestTokenisingOnce:
    """Each text is tokenised once per tokenizer, however many metrics and profiles ask."""

    @pytest.fixture
    def calls(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
        """The tokenizer and the number of texts of every call."""
        made: list[tuple[str, int]] = []
        real: Callable[..., object] = batch_module.vocabulary

        def counted(texts: list[str], tok: str) -> object:
            made.append((tok, len(texts)))
            return real(texts, tok)

        monkeypatch.setattr(batch_module, "vocabulary", counted)
        return made

    def test_all_profiles_of_a_tokenizer_share_one_pass(self, calls: list[tuple[str, int]]) -> None:
        batch = Batch.of(ITEMS)
        for profile in (
            Profile(),
            Profile(stem=True),
            Profile(stop=True),
            Profile(),
            Profile(norm="nfkc", stem=True, stop=True),
        ):
            batch.tokens(profile)
        assert calls == [("rouge_score", len(batch.texts))]

    def test_the_same_profile_gives_the_same_table(self) -> None:
        batch = Batch.of(ITEMS)
        for profile in (Profile(), Profile(stem=True)):
            assert batch.tokens(profile) is batch.tokens(profile)
            assert batch.sentence_tokens(profile) is batch.sentence_tokens(profile)

    def test_all_lexical_metrics_need_one_pass_for_each_tokenizer(
        self, calls: list[tuple[str, int]]
    ) -> None:
        batch = Batch.of(ITEMS)
        for metric in metrics_from(GROUPS["lexical"]).values():
            metric.score(batch)
        size = len(batch.texts)
        assert sorted(calls) == [("rouge_score", size), ("space", size), ("words", size)]

    def test_batches_do_not_share_tables(self) -> None:
        first, second = Batch.of(ITEMS), Batch.of(ITEMS)
        assert first.tokens(Profile()) is not second.tokens(Profile())


def test_sentences_are_put_on_lines_of_their_own() -> None:
    batch = Batch.of([Item("One cat.\nStill here! Two\ndogs ran.")])
    assert batch.tokens(Profile()).lines.tolist() == [0, 0, 1, 1, 1, 2, 2]
    assert batch.sentence_tokens(Profile()).lines.tolist() == [0, 0, 1, 1, 2, 2, 2]


def test_offsets_say_where_runs_start() -> None:
    np.testing.assert_array_equal(offsets_of([2, 0, 3]), [0, 2, 2, 5])
    np.testing.assert_array_equal(offsets_of([]), [0])
