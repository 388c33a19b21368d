"""Highlighting: whole words, a budget, overlapping marks, undo; by mouse, finger and keyboard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.templatetags.static import static

from browser.driving import Hand, Keys
from browser.platform import PHONE, AtTask, Person, sample
from gistmark.records import Document, Question
from gistmark.text.markable import markable_words
from gistmark.text.words import covered_words, touched_words

pytestmark = pytest.mark.timeout(120)
TEXT = (
    "One two 👩‍🚒 four five.\n\nSix seven\u00a0eight nine ten\u2028eleven twelve, 𝒯hirteen "
    "fourteen fifteen sixteen."
)
MARKED = "[...document.querySelectorAll('.word.marked')].map((word) => word.textContent)"
ODD = [
    "", " ", "a", " a ", "a\u00a0b", "a\x1cb", "a\x85b", "a\ufeffb", "a\u200bb", "👩‍🚒 𝒯 é e\u0301",
    "\u3000全角 空白\u3000", "مرحبا بالعالم", "x\r\ny\tz\x0bw\x0cv", "a\u180eb", "\u2003emsp\u2009",
    "“中文👩‍🚒GDP。", "น้ำ ไทย", "か\u3099", "مَرْحَبًا", "a , `` b",
]  # fmt: skip


@pytest.fixture
def person(at_task: AtTask) -> Person:
    """Somebody who may mark five words of a short text."""
    return at_task("highlight", corpus=short(), budget=5)


def short() -> Any:
    corpus = replace(sample(), summaries=(), highlights=(), planted=())
    question = Question("short", "There are numbers.", answer=True)
    return replace(corpus, documents=(Document("short", (TEXT,)),), questions=(question,))


def words_left(person: Person) -> int:
    return int(person.page.locator(".budget strong").inner_text())


def phrases(person: Person) -> list[str]:
    return list(person.page.locator(".phrase").all_inner_texts())


def test_a_partly_selected_word_counts_whole(person: Person):
    Hand(person).mark(person.page.locator(".screen").first, 0, 3)
    assert phrases(person) == ["One two 👩‍🚒 four"]
    assert words_left(person) == 1
    person.saved()
    [mark] = person.draft()["items"]["1"]["highlights"]
    assert TEXT[mark["start"] : mark["end"]] == "One two 👩‍🚒 four"


def test_a_click_and_a_double_click_select_a_word(person: Person):
    words = person.page.locator(".word")
    words.nth(1).click()
    assert person.page.locator(".floating").inner_text().startswith("Mark (1 word)")
    words.nth(4).dblclick()
    person.page.get_by_role("button", name="Mark (1 word)").click()
    assert phrases(person) == ["five."]


def test_marks_over_the_budget_are_refused_with_a_message(person: Person):
    screen, hand = person.page.locator(".screen").first, Hand(person)
    hand.mark(screen, 0, 3)
    hand.mark(screen, 3, 6)
    message = person.page.locator(".message-line")
    assert message.inner_text() == (
        "That would be 2 words more than the 5 you may mark. Select fewer words, or remove a mark."
    )
    assert len(phrases(person)) == 1
    hand.mark(screen, 2, 4)
    assert message.text_content() == ""
    assert (phrases(person), words_left(person)) == (["One two 👩‍🚒 four", "👩‍🚒 four five."], 0)


def test_removing_a_mark_keeps_words_that_another_covers(person: Person):
    screen, hand = person.page.locator(".screen").first, Hand(person)
    hand.mark(screen, 0, 2)
    hand.mark(screen, 1, 3)
    assert person.page.locator(".word.twice").all_inner_texts() == ["two", "👩‍🚒"]
    person.page.get_by_role("button", name="Remove the mark: One two 👩‍🚒").click()
    assert person.page.evaluate(MARKED) == ["two", "👩‍🚒", "four"]
    assert words_left(person) == 2


def test_undo_and_redo_go_through_every_change(person: Person):
    screen, hand = person.page.locator(".screen").first, Hand(person)
    hand.mark(screen, 0, 0)
    hand.mark(screen, 3, 4)
    person.page.get_by_role("button", name="Undo").click()
    person.page.keyboard.press("Control+z")
    assert phrases(person) == []
    person.page.keyboard.press("Control+Shift+z")
    person.page.get_by_role("button", name="Redo").click()
    assert phrases(person) == ["One", "four five."]
    assert person.page.get_by_role("button", name="Redo").is_disabled()


def test_the_keyboard_marks_removes_and_moves_by_lines(person: Person):
    page, keys = person.page, Keys(person)
    keys.mark(page.locator(".screen").first, 1, 2)
    assert phrases(person) == ["two 👩‍🚒"]
    page.keyboard.press("Delete")
    assert phrases(person) == ["two 👩‍🚒"], "nothing is selected after marking"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    assert phrases(person) == []
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowDown")
    assert page.locator(".word.cursor").inner_text() == "Six"
    page.keyboard.press("Shift+End")
    assert page.locator(".word.chosen").all_inner_texts()[:3] == ["Six", "seven", "eight"]
    page.keyboard.press("Escape")
    assert page.locator(".chosen").count() == 0


def test_a_finger_taps_the_first_and_the_last_word(at_task: AtTask):
    person = at_task("highlight", corpus=short(), budget=5, options=PHONE)
    words = person.page.locator(".word")
    words.nth(6).tap()
    words.nth(8).tap()
    person.page.get_by_role("button", name="Mark (3 words)").tap()
    assert phrases(person) == ["seven\u00a0eight nine"]
    words.nth(7).tap()
    person.page.get_by_role("button", name="Remove mark").tap()
    assert phrases(person) == []


def test_marks_come_back_after_a_reload_and_more_can_be_made(person: Person):
    screen, hand = person.page.locator(".screen").first, Hand(person)
    hand.mark(screen, 11, 12)
    person.saved()
    person.open_task()
    assert phrases(person) == ["twelve, 𝒯hirteen"]
    hand.mark(screen, 0, 0)
    person.saved()
    marks = [(each["start"], each["end"]) for each in person.draft()["items"]["1"]["highlights"]]
    assert [TEXT[start:end] for start, end in marks] == ["twelve, 𝒯hirteen", "One"]


def test_each_document_of_a_task_has_its_own_marks(at_task: AtTask):
    person = at_task("highlight", items_per_task=2)
    page, hand = person.page, Hand(person)
    screens = page.locator(".screen")
    for number in range(2):
        page.keyboard.press("Control+a")
        hand.mark(screens.nth(number), number, number + 1)
        page.get_by_role("button", name="Next").click()
    assert page.locator(".missing li").count() == 1, "only the question is left"
    person.saved()
    marks = {key: len(item["highlights"]) for key, item in person.draft()["items"].items()}
    assert marks == {"1": 1, "2": 1}


def test_the_page_puts_the_words_where_the_server_does(person: Person):
    """Code points on the server, UTF-16 units on the page: each word must be the same text."""
    words = [markable_words(text) for text in (*ODD, TEXT)]
    by_page = person.page.evaluate(
        """async ([address, texts, spans]) => {
          const { wordsAt } = await import(address);
          return texts.map((text, index) => wordsAt(text, spans[index])
            .map(({ from, to, start, end }) => [start, end, text.slice(from, to)]));
        }""",
        [static("annotate/words.js"), [*ODD, TEXT], [each.spans for each in words]],
    )
    assert by_page == [
        [[start, end, text[start:end]] for start, end in each.spans]
        for text, each in zip((*ODD, TEXT), words, strict=True)
    ]


def test_the_page_counts_the_words_of_a_highlight_as_the_server_does(person: Person):
    texts = [text for text in (*ODD, TEXT) if text]
    words = [markable_words(text) for text in texts]
    stretches = [[(a, b) for a in range(len(text)) for b in range(a + 1, len(text) + 1)][:400]
                 for text in texts]  # fmt: skip
    uncounted = [sorted(set(range(len(each.spans))) - each.counting) for each in words]
    by_page = person.page.evaluate(
        """async ([words, sheets, texts, spans, uncounted, stretches]) => {
          const { touched } = await import(words);
          const { Sheet } = await import(sheets);
          return texts.map((text, index) => {
            const sheet = new Sheet(
              { document: text, words: spans[index], uncounted: uncounted[index] }, 100);
            const ranges = stretches[index]
              .map(([a, b]) => touched(sheet.words, a, b, "start", "end"));
            const marks = ranges.filter((range) => range !== null).slice(0, 3);
            return [ranges.map((range) => range && [range.first, range.last]), sheet.count(marks)];
          });
        }""",
        [static("annotate/words.js"), static("annotate/questions/highlight/sheet.js"), texts,
         [each.spans for each in words], uncounted, stretches],
    )  # fmt: skip
    for each, some, (ranges, counted) in zip(words, stretches, by_page, strict=True):
        touched = [touched_words(each.spans, start, end) for start, end in some]
        assert ranges == [[each[0], each[-1]] if each else None for each in touched]
        first = [mark for mark, each in zip(some, touched, strict=True) if each][:3]
        assert counted == len(covered_words(each.spans, first) & each.counting)


def test_a_chinese_document_is_marked_by_characters(at_task: AtTask):
    text = "“今天下雨，”他说。我们👩‍🚒在家看GDP。"
    corpus = replace(short(), documents=(Document("short", (text,)),))
    person = at_task("highlight", corpus=corpus, budget=5)
    assert person.page.locator(".words").inner_text() == text
    Hand(person).mark(person.page.locator(".screen").first, 2, 4)
    assert phrases(person) == ["下雨，”他"]
    assert words_left(person) == 2, "punctuation uses up no budget"
    Hand(person).mark(person.page.locator(".screen").first, 10, 10)
    assert phrases(person)[1] == "看"
    person.saved()
    marks = person.draft()["items"]["1"]["highlights"]
    assert [text[mark["start"] : mark["end"]] for mark in marks] == phrases(person)


def test_a_selection_of_punctuation_alone_is_refused(at_task: AtTask):
    corpus = replace(short(), documents=(Document("short", ("He came , she said .",)),))
    person = at_task("highlight", corpus=corpus, budget=3)
    screen = person.page.locator(".screen").first
    Hand(person).mark(screen, 0, 3)
    assert words_left(person) == 0, "the comma uses up no budget"
    screen.locator(".word").nth(5).click()
    screen.get_by_role("button", name="Mark (0 words)").click()
    assert phrases(person) == ["He came, she"]
    assert "no word" in screen.locator(".floating [role=alert]").inner_text()


def test_a_tokenised_document_is_shown_as_it_was_written_and_marked_where_it_is_stored(
    at_task: AtTask,
):
    text = "`` He 's 👩‍🚒 back -lrb- at last -rrb- , '' she said ."
    corpus = replace(short(), documents=(Document("short", (text,)),))
    person = at_task("highlight", corpus=corpus, budget=5)
    screen = person.page.locator(".screen").first
    shown = '"He\'s 👩‍🚒 back (at last)," she said.'
    assert person.page.locator(".words").inner_text() == shown
    Hand(person).mark(screen, 4, 7)
    assert phrases(person) == ["back (at last"]
    person.saved()
    [mark] = person.draft()["items"]["1"]["highlights"]
    assert text[mark["start"] : mark["end"]] == "back -lrb- at last"
    person.open_task()
    assert phrases(person) == ["back (at last"]
    assert words_left(person) == 2
