"""Highlights: whole words, a budget of distinct words, and heat maps over annotators."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.errors import UsageError
from gistmark.judgements import Entry, Sheet, Task, Texts, get_protocol, heat_map, read_answer
from gistmark.judgements.fields import AnswerError
from gistmark.judgements.highlights import BudgetError
from gistmark.records import Highlight
from gistmark.runtime.seeds import generator
from gistmark.text.markable import markable_words
from gistmark.text.words import covered_words

TEXT = "The old bridge was closed, on Tuesday."
#       0   4   8      15  19      27 30


def test_a_partly_selected_word_counts_whole():
    assert Sheet(TEXT, 30).snap(6, 10) == (4, 14)
    assert Sheet(TEXT, 30).snap(24, 25) == (19, 26)


def test_a_selection_that_ends_at_a_space_takes_no_neighbour():
    assert Sheet(TEXT, 30).snap(4, 8) == (4, 7)
    assert Sheet(TEXT, 30).snap(3, 7) == (4, 7)


def test_words_are_counted_once_however_often_they_are_marked():
    sheet = Sheet(TEXT, 4).add(4, 14).add(8, 18)
    assert sheet.phrases() == ("old bridge", "bridge was")
    assert sheet.words() == {1, 2, 3}
    assert sheet.words_left == 1


def test_a_mark_over_the_budget_is_refused_and_one_that_fills_it_is_not():
    full = Sheet(TEXT, 3).add(4, 18)
    assert full.words_left == 0
    with pytest.raises(UsageError, match="have 4 words, 1 more than the 3 that may be"):
        full.add(19, 20)
    assert full.add(8, 9).words_left == 0


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (5, 5), (7, 4), (0, 39), (50, 60)])
def test_a_mark_outside_the_text_is_refused(start: int, end: int):
    with pytest.raises(UsageError, match="within 0 to 38"):
        Sheet(TEXT, 30).add(start, end)


def test_a_mark_without_words_is_refused():
    with pytest.raises(UsageError, match="no word between 3 and 4"):
        Sheet(TEXT, 30).add(3, 4)


@given(st.text(" ab\n", min_size=1, max_size=30), st.data())
def test_a_snapped_mark_holds_exactly_the_words_that_the_selection_touches(
    text: str, data: st.DataObject
):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    sheet = Sheet(text, 100)
    touched = {n for n, (s, e) in enumerate(sheet.spans) if s < end and e > start}
    if not touched:
        with pytest.raises(UsageError):
            sheet.add(start, end)
        return
    marked = sheet.add(start, end)
    assert marked.words() == touched
    assert marked.snap(*marked.marks[0]) == marked.marks[0]
    assert Sheet(text, 100).add(*marked.marks[0]) == marked


FOUR_WORDS = "one two three four"
#             0   4   8     14


def marks(*spans: tuple[str, int, int]) -> list[Highlight]:
    return [Highlight("d", annotator, start, end) for annotator, start, end in spans]


def test_the_heat_is_the_count_scaled_to_0_and_1():
    given = marks(("a", 0, 7), ("b", 4, 13), ("c", 4, 6), ("c", 5, 7), ("d", 8, 18))
    result = heat_map(FOUR_WORDS, given)
    # one: a; two: a, b, c (c's two marks count once); three: b, d; four: d.
    assert [word.count for word in result.words] == [1, 3, 2, 1]
    # (c - 1) / (3 - 1)
    assert [word.heat for word in result.words] == [0.0, 1.0, 0.5, 0.0]
    assert result.steps == (0.5, 1.0)


def test_the_threshold_hides_the_lighter_colours_step_by_step():
    result = heat_map(FOUR_WORDS, marks(("a", 4, 13), ("b", 4, 7)))
    assert [(w.count, w.heat) for w in result.words] == [(0, 0.0), (2, 1.0), (1, 0.5), (0, 0.0)]

    def at(position: int) -> list[str]:
        coloured = [word for word in result.words if word.heat >= result.steps[position]]
        return [FOUR_WORDS[word.start : word.end] for word in coloured]

    assert at(0) == ["two", "three"]
    assert at(1) == ["two"]


@pytest.mark.parametrize(
    ("spans", "heat", "steps"),
    [([], 0.0, ()), ([("a", 0, 18)], 1.0, (1.0,))],
    ids=["nothing is marked", "everything is marked"],
)
def test_equal_counts_have_a_defined_heat(
    spans: list[tuple[str, int, int]], heat: float, steps: tuple[float, ...]
):
    result = heat_map(FOUR_WORDS, marks(*spans))
    assert {word.heat for word in result.words} == {heat}
    assert result.steps == steps


def test_a_text_without_words_has_an_empty_map():
    assert heat_map("  ", []).words == ()


def test_a_chinese_mark_snaps_to_characters_and_punctuation_uses_up_no_budget():
    sheet = Sheet("今天下雨，我们在家。", 4).add(2, 7)
    assert sheet.phrases() == ("下雨，我们",)
    assert sheet.words_left == 0
    with pytest.raises(UsageError, match="1 more than the 4"):
        sheet.add(0, 1)


def test_the_heat_of_a_chinese_text_is_by_characters():
    heat = heat_map("今天。下", marks(("a", 0, 2), ("b", 1, 2)))
    assert [(word.start, word.end, word.count) for word in heat.words] == [
        (0, 1, 1), (1, 2, 2), (3, 4, 0)
    ]  # fmt: skip


# Many marks


def highlight_answer(count: int) -> tuple[dict, Task, Texts]:
    """So many marks on the first word of a text."""
    marks = [{"start": 0, "end": 3}] * count
    task = Task("1.1", "ann", 1, (Entry("1", "bridge", ()),))
    return {"items": {"1": {"highlights": marks}}}, task, Texts({"bridge": "The bridge is long ."})


def test_a_text_is_read_once_however_many_marks_it_has(monkeypatch):
    texts = []

    def counted(text):
        texts.append(text)
        return markable_words(text)

    monkeypatch.setattr("gistmark.judgements.highlights.markable_words", counted)
    sent, task, documents = highlight_answer(300)
    read = read_answer(sent, get_protocol("highlight"), task, texts=documents)
    assert len(read.items["1"].highlights) == 300
    assert len(texts) == 1


def test_more_marks_than_a_person_makes_are_refused_in_one_sentence():
    sent, task, documents = highlight_answer(5_001)
    with pytest.raises(AnswerError) as refused:
        read_answer(sent, get_protocol("highlight"), task, texts=documents)
    assert [str(fault) for fault in refused.value.faults] == [
        "The field 'items.1.highlights' must have at most 5,000 entries, but has 5,001."
    ]


def test_marks_in_any_order_count_each_word_once():
    text = "a b , c d . e f ! g h ? i j"
    rng = generator(1, "marks")
    for _ in range(200):
        sheet, words = Sheet(text, budget=5), set()
        for _ in range(6):
            start = int(rng.integers(len(text) - 1))
            end = int(rng.integers(start + 1, len(text)))
            try:
                wanted = Sheet(text, 99).add(start, end).words()
            except UsageError:
                continue  # there is no word
            if len(words | wanted) <= 5:
                words |= wanted
                sheet = sheet.add(start, end)
            else:
                with pytest.raises(BudgetError, match=f"have {len(words | wanted)} words"):
                    sheet.add(start, end)
        assert sheet.words() == words == covered_words(sheet.spans, sheet.marks) - {2, 5, 8, 11}
