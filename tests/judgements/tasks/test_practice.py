"""The rules of practice: what is right, who passes, what comes next, and files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.judgements import AnswerError, Item, Texts, get_protocol, read_answer
from gistmark.judgements.tasks.practice import (
    ComprehensionQuestion,
    History,
    Practice,
    PracticeItem,
    PracticeScore,
    mark,
    practice_from,
    practice_task,
    score_of,
    shuffled,
    stage_of,
    wrong_answers,
)
from judgements.yes_no import PROTOCOL, YesNo, YesNoAnswer

TEXT = "The old bridge was closed on Monday after a painter found a crack."
TEXTS = Texts({"d1": TEXT})
OVERALL, PAIRWISE, HIGHLIGHT, FLUENCY = map(
    get_protocol, ("overall", "pairwise", "highlight", "fluency")
)


def answer(protocol, parts, systems=("a",)):
    task = practice_task(PracticeItem("d1", systems), "ann", slot="practice")
    sent = {"items": {"1": parts}}
    return read_answer(sent, protocol, task, texts=TEXTS, draft=True).items["1"]


def marked(protocol, given_parts, right_parts, *, tolerance=0.0, systems=("a",)):
    both = (answer(protocol, parts, systems) for parts in (given_parts, right_parts))
    return mark(*both, protocol, tolerance=tolerance, text=TEXT)


def grade(value):
    return {"ratings": {"overall": {"value": value}}}


@pytest.mark.parametrize(
    ("value", "tolerance", "correct"),
    [(3, 0, True), (2, 0, False), (2, 1, True), (4, 1, True), (1, 1, False), (0, 3, True)],
)
def test_a_rating_is_right_within_the_tolerance_of_3(value, tolerance, correct):
    assert marked(OVERALL, grade(value), grade(3), tolerance=tolerance) == {"overall": correct}


def test_a_choice_is_right_or_not_dimension_by_dimension():
    first, second = (each.name for each in PAIRWISE.dimensions[:2])
    right = {"choices": {first: "left", second: "right"}}
    other = {"choices": {first: "left", second: "left"}}
    result = marked(PAIRWISE, other, right, tolerance=9, systems=("a", "b"))
    assert result == {first: True, second: False}


def span(phrase):
    start = TEXT.index(phrase)
    return {"start": start, "end": start + len(phrase)}


@pytest.mark.parametrize(
    ("phrases", "tolerance", "correct"),
    [
        # The right answer marks "bridge was closed": 3 words.
        (["bridge was closed"], 0, True),
        (["bridge was"], 20, True),  # F1 = 2 * 2 / (2 + 3) = 0.8
        (["bridge was"], 19, False),
        (["bridge", "was", "closed"], 0, True),
        (["painter found"], 99, False),  # F1 = 0
        ([], 99, False),
    ],
)
def test_highlights_are_right_where_the_words_overlap_enough(phrases, tolerance, correct):
    own = {"highlights": [span(each) for each in phrases]}
    right = {"highlights": [span("bridge was closed")]}
    assert marked(HIGHLIGHT, own, right, tolerance=tolerance, systems=()) == {"": correct}


def test_a_plug_in_question_type_takes_part():
    right = YesNoAnswer({"usable": True, "true": False})
    own = YesNoAnswer({"usable": True, "true": True})
    assert YesNo().distances(own, right, PROTOCOL, "") == {"usable": 0, "true": 1}
    assert YesNo().wording(own, PROTOCOL, "") == {"usable": "1", "true": "1"}


def test_what_has_no_right_answer_is_not_marked():
    assert marked(OVERALL, grade(1), {}) == {}
    right = {"ratings": {"fluency": {"value": 80}}}
    assert marked(FLUENCY, {"ratings": {}}, right, tolerance=10) == {"fluency": False}


@given(right=st.integers(0, 4), own=st.integers(0, 4), tolerance=st.floats(0, 4))
def test_the_right_answer_is_always_right_and_tolerance_never_harms(right, own, tolerance):
    assert marked(OVERALL, grade(right), grade(right), tolerance=tolerance) == {"overall": True}
    strict = marked(OVERALL, grade(own), grade(right))["overall"]
    lenient = marked(OVERALL, grade(own), grade(right), tolerance=tolerance)["overall"]
    assert lenient or not strict


@given(marks=st.lists(st.booleans(), min_size=1, max_size=20), pass_mark=st.integers(1, 100))
def test_who_passes_has_at_least_the_pass_mark(marks, pass_mark):
    score = score_of([{str(number): each} for number, each in enumerate(marks)])
    assert score == PracticeScore(sum(marks), len(marks))
    assert score.passes(pass_mark) == (score.percent >= pass_mark)
    assert score.passes(100) == all(marks)


def test_seventy_percent_of_ten_is_seven_and_nobody_passes_an_empty_practice():
    assert PracticeScore(7, 10).passes(70)
    assert not PracticeScore(6, 10).passes(70)
    assert not PracticeScore().passes(1)


@given(count=st.integers(2, 12), attempt=st.integers(1, 5), seed=st.integers(0, 99))
def test_every_try_has_all_items_in_another_order_than_the_one_before(count, attempt, seed):
    orders = [shuffled(count, seed=seed, annotator="ann", attempt=attempt + n) for n in (0, 1)]
    assert sorted(orders[0]) == sorted(orders[1]) == list(range(count))
    assert orders[0] != orders[1]


@pytest.mark.parametrize(
    ("history", "options", "stage"),
    [
        (History(), {"questions": 0, "items": 0}, "ready"),
        (History(), {"questions": 0, "items": 2}, "practice"),
        (History(), {"questions": 0, "items": 2, "required": False}, "ready"),
        (History(misunderstandings=1), {"questions": 1, "items": 2}, "comprehension"),
        (History(misunderstandings=2), {"questions": 1, "items": 0}, "misunderstood"),
        (History(qualified=True), {"questions": 1, "items": 2}, "comprehension"),
        (History(understood=True, qualified=True), {"questions": 1, "items": 2}, "ready"),
        (History(failures=1), {"questions": 0, "items": 2, "tries": 2}, "practice"),
        (History(failures=2), {"questions": 0, "items": 2, "tries": 2}, "failed"),
        (History(failures=2, qualified=True), {"questions": 0, "items": 2}, "ready"),
        (History(withdrawn=True), {"questions": 0, "items": 2}, "withdrawn"),
        (History(), {"questions": 0, "items": 0, "qualification": "news"}, "unqualified"),
    ],
)
def test_what_comes_next(history, options, stage):
    assert stage_of(history, **options) == stage


def test_the_wrong_comprehension_answers_are_named():
    questions = [ComprehensionQuestion("?", ("a", "b"), right) for right in (0, 1, 1)]
    assert wrong_answers(questions, [0, 0, None]) == [1, 2]


WHOLE = {
    "pass_mark": 60,
    "tries": 3,
    "qualification": " news ",
    "items": [{"document": "d1", "systems": ["a"], "right": grade(3), "reason": "So."}],
    "comprehension": [{"question": "?", "options": ["a", "b"], "right": 1}],
}
JUDGED = [Item("d1", ("a",)), Item("d1", ("b",))]


def read(mapping, protocol=OVERALL, judged=JUDGED):
    return practice_from(mapping, protocol, judged=judged, texts=TEXTS)


def test_a_practice_is_read_from_json_and_written_again():
    practice = read(WHOLE)
    assert (practice.pass_mark, practice.tries, practice.qualification) == (60, 3, "news")
    assert practice.items[0].right["ratings"]["overall"]["value"] == 3
    assert read(practice.to_mapping()) == practice
    assert read({}) == Practice()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"pass_mark": 101}, "'pass_mark' must be 1 to 100, but is 101"),
        ({"tries": 0}, "'tries' must be 1 to 100, but is 0"),
        ({"marks": 3}, "'marks' is unknown"),
        ({"items": [{"document": "d1", "systems": ["c"]}]}, "which is not judged in this campaign"),
        ({"items": [{"document": "d1", "systems": ["a"], "tolerance": -1}]}, "at least 0"),
        ({"items": [{"document": "d1", "systems": ["a"], "right": grade(9)}]}, "from 0 to 4"),
        ({"items": [{"document": "d1", "systems": ["a"], "right": {}}]}, "nothing to compare"),
        ({"items": [{"document": "d1", "systems": ["a"], "right": 3}]}, "must be an object"),
        ({"comprehension": [{"question": "?", "options": ["a"], "right": 0}]}, "2 to 10 options"),
        ({"comprehension": [{"question": "?", "options": ["a", "b"], "right": 2}]}, "0 to 1"),
        ({"comprehension": [{"question": "?", "options": ["a", "a"], "right": 0}]}, "twice"),
        ({"items": 3}, "must be a list"),
    ],
)
def test_what_is_wrong_with_a_practice_is_told(changes, sentence):
    with pytest.raises(AnswerError, match=sentence):
        read(WHOLE | changes)


def test_everything_that_is_wrong_is_told_at_once():
    with pytest.raises(AnswerError) as error:
        read({"pass_mark": 0, "tries": 0, "items": [{"document": "d9"}]})
    assert len(error.value.faults) == 3
