"""Answers: what fits its task is read, everything else is a fault with a sentence; and exported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.corpus import Corpus, load, save
from gistmark.judgements import (
    PROTOCOLS,
    Answer,
    AnswerError,
    Entry,
    ItemAnswer,
    Judgements,
    Move,
    Protocol,
    Result,
    Task,
    Texts,
    export_corpus,
    get_protocol,
    judgements_from,
    read_answer,
    task_from,
)
from gistmark.judgements.questions.comparison import ComparisonAnswer
from gistmark.judgements.questions.highlight import HighlightAnswer
from gistmark.judgements.questions.rating import Given, RatingAnswer
from gistmark.records import Comparison, Highlight, Question, Rating

TEXTS = Texts({"bridge": "The old bridge was closed on Tuesday."})
QUESTION = Question("bridge", "It was closed.", True)
ONE = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead",)),))
ASKED = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead",)),), QUESTION)
PAIR = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead", "terse")),))
PAGE = Task("1.1", "ann", 1, (Entry("1", "bridge"),), QUESTION)
FLUENCY = get_protocol("fluency")
OVERALL = get_protocol("overall")
CONTENT = get_protocol("content-highlight")
HIGHLIGHT = get_protocol("highlight")
LIKERT = get_protocol("likert")
PAIRWISE = get_protocol("pairwise")


def rated(**values: object) -> dict[str, Any]:
    return {"items": {"1": {"ratings": {name: {"value": v} for name, v in values.items()}}}}


def faults(sent: object, protocol: Protocol, task: Task, *, draft: bool = False) -> dict[str, str]:
    with pytest.raises(AnswerError) as caught:
        read_answer(sent, protocol, task, texts=TEXTS, draft=draft)
    assert all(fault.message.endswith(".") for fault in caught.value.faults)
    return {fault.field: fault.message for fault in caught.value.faults}


def test_a_whole_answer_is_read():
    sent = {
        **rated(recall=40, precision=100),
        "reply": False,
        "seconds": 61,
        "moves": [
            {"at": 2.5, "item": "1", "control": "threshold", "value": 1},
            {"at": 9, "item": "1", "control": "recall", "value": 40},
        ],
    }
    sent["items"]["1"]["seconds"] = 60.5
    assert read_answer(sent, CONTENT, ASKED) == Answer(
        {"1": RatingAnswer({"recall": Given(40), "precision": Given(100)}, seconds=60.5)},
        reply=False,
        seconds=61.0,
        moves=(Move(2.5, "1", "threshold", 1.0), Move(9.0, "1", "recall", 40.0)),
    )


def test_highlights_come_back_snapped_to_words():
    sent = {"items": {"1": {"highlights": [{"start": 5, "end": 9}]}}, "reply": True}
    read = read_answer(sent, HIGHLIGHT, PAGE, texts=TEXTS)
    assert read.items["1"].highlights == ((4, 14),)


def test_choices_are_read():
    names = [dimension.name for dimension in PAIRWISE.dimensions]
    sent = {"items": {"1": {"choices": dict.fromkeys(names, "right")}}}
    assert read_answer(sent, PAIRWISE, PAIR).items["1"].choices == dict.fromkeys(names, "right")


def test_confidence_and_weight_are_asked_for_with_every_dimension():
    names = [dimension.name for dimension in LIKERT.dimensions]
    result = faults(rated(**dict.fromkeys(names, 3)), LIKERT, ONE)
    assert len(result) == 22
    assert result["items.1.ratings.Focus.weight"] == (
        "The field 'items.1.ratings.Focus.weight' is missing."
    )
    whole = {"value": 3, "confidence": 4, "weight": 5}
    sent = {"items": {"1": {"ratings": dict.fromkeys(names, whole)}}}
    assert read_answer(sent, LIKERT, ONE).items["1"].ratings["Focus"] == Given(3, 4, 5)


@pytest.mark.parametrize("value", [0, 101, -5, 2.5, 10**400])
def test_a_value_outside_the_scale_is_refused_with_the_range(value: float):
    message = faults(rated(fluency=value), FLUENCY, ONE)["items.1.ratings.fluency.value"]
    assert "from 1 to 100" in message or "finite" in message


@pytest.mark.parametrize("value", [True, "7", [7], {}, float("nan"), float("inf")])
def test_a_value_of_another_type_is_refused(value: object):
    assert "items.1.ratings.fluency.value" in faults(rated(fluency=value), FLUENCY, ONE)


def test_a_whole_number_may_be_written_as_a_float():
    assert read_answer(rated(fluency=7.0), FLUENCY, ONE).items["1"].ratings["fluency"] == Given(7)


@pytest.mark.parametrize(
    ("protocol", "task", "sent", "field", "message"),
    [
        (FLUENCY, ONE, {}, "items.1", "is missing"),
        (FLUENCY, ONE, {"items": {"1": {}}}, "items.1.ratings.fluency", "is missing"),
        (FLUENCY, ONE, rated(fluency=None), "items.1.ratings.fluency.value", "is missing"),
        (FLUENCY, ONE, rated(fluency=7, speed=7), "items.1.ratings.speed", "known: fluency"),
        (FLUENCY, ONE, {"items": {"1": rated(fluency=7)["items"]["1"], "2": {}}}, "items.2",
         "is unknown; known: 1"),
        (FLUENCY, ONE, {**rated(fluency=7), "code": "x"}, "code", "is unknown"),
        (FLUENCY, ONE, {**rated(fluency=7), "reply": True}, "reply", "the task has no question"),
        (FLUENCY, ONE, {**rated(fluency=7), "seconds": -1}, "seconds", "at least 0"),
        (FLUENCY, ONE, {**rated(fluency=7), "seconds": True}, "seconds", "a number of seconds"),
        (FLUENCY, ONE, {**rated(fluency=7), "moves": 3}, "moves", "must be a list"),
        (FLUENCY, ONE, {**rated(fluency=7), "moves": [{"at": 1}]}, "moves[0].item", "is missing"),
        (FLUENCY, ONE, {"items": {"1": {"choices": {"fluency": "left"}}}}, "items.1.choices",
         "is unknown"),
        (FLUENCY, ONE, {"items": []}, "items", "must be an object, but is a list"),
        (FLUENCY, ONE, None, "", "What was sent must be an object, but is missing"),
        (CONTENT, ASKED, rated(recall=1, precision=1), "reply", "is missing"),
        (CONTENT, ASKED, {**rated(recall=1, precision=1), "reply": 1}, "reply", "true or false"),
        (OVERALL, ONE, {"items": {"1": {"ratings": {"overall": {"value": 1, "weight": 2}}}}},
         "items.1.ratings.overall.weight", "is unknown"),
        (PAIRWISE, PAIR, {"items": {"1": {"choices": {"Structure": "both"}}}},
         "items.1.choices.Structure", "must be 'left' or 'right', but is the text 'both'"),
        (HIGHLIGHT, PAGE, {"items": {"1": {}}, "reply": True}, "items.1.highlights", "is missing"),
        (HIGHLIGHT, PAGE, {"items": {"1": {"highlights": [{"start": 3}]}}, "reply": True},
         "items.1.highlights[0].end", "is missing"),
        (HIGHLIGHT, PAGE, {"items": {"1": {"highlights": [{"start": 9, "end": 99}]}}},
         "items.1.highlights[0]", "within 0 to 37"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(
    protocol: Protocol, task: Task, sent: object, field: str, message: str
):
    assert message in faults(sent, protocol, task)[field]


def test_marks_over_the_budget_are_refused():
    long = Task("1.1", "ann", 1, (Entry("1", "long"),), None)
    sent = {"items": {"1": {"highlights": [{"start": 0, "end": 61}]}}}
    with pytest.raises(AnswerError, match="have 31 words, 1 more than the 30"):
        read_answer(sent, HIGHLIGHT, long, texts=Texts({"long": "a " * 40}), draft=True)


def test_every_fault_is_told_at_once():
    sent = {**rated(recall=0, precision="x"), "seconds": -1}
    assert len(faults(sent, CONTENT, ASKED)) == 4


def test_a_log_that_no_person_makes_is_refused():
    move = {"at": 1, "item": "1", "control": "fluency", "value": 1}
    sent = {**rated(fluency=7), "moves": [move] * 20_001}
    assert faults(sent, FLUENCY, ONE) == {
        "moves": "The field 'moves' must hold at most 20000 moves."
    }


@pytest.mark.parametrize(
    ("protocol", "task", "sent"),
    [
        (CONTENT, ASKED, {}),
        (CONTENT, ASKED, {"items": {}}),
        (CONTENT, ASKED, {"items": {"1": None}, "reply": None}),
        (CONTENT, ASKED, rated(recall=3)),
        (CONTENT, ASKED, rated(recall=None)),
        (LIKERT, ONE, {"items": {"1": {"ratings": {"Focus": {"confidence": 2}}}}}),
        (PAIRWISE, PAIR, {"items": {"1": {"choices": {"Structure": "left"}}}}),
        (HIGHLIGHT, PAGE, {"items": {"1": {"highlights": []}}}),
    ],
)
def test_a_draft_may_be_incomplete_and_what_is_handed_in_may_not(
    protocol: Protocol, task: Task, sent: dict[str, Any]
):
    draft = read_answer(sent, protocol, task, texts=TEXTS, draft=True)
    assert read_answer(draft.to_mapping(), protocol, task, texts=TEXTS, draft=True) == draft
    assert faults(sent, protocol, task)


def test_a_draft_must_be_right_as_far_as_it_goes():
    assert "items.1.ratings.recall.value" in faults(rated(recall=0), CONTENT, ASKED, draft=True)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(("1", "items", "ratings", "value", "fluency", "recall", "highlights",
                         "start", "end", "choices", "moves", "reply", "seconds", "x",
                         "answers", "errors", "spans", "missing", "none", "source")), inner,
    ),
    max_leaves=12,
)  # fmt: skip
MARKS = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead",), units=("u1", "u2")),))
TASKS = {
    "highlight": PAGE, "comparison": PAIR, "rating": ONE, "form": ONE, "units": PAGE,
    "presence": MARKS,
}  # fmt: skip


@given(junk, st.sampled_from(tuple(PROTOCOLS)), st.booleans())
def test_anything_at_all_is_either_read_or_refused_with_sentences(
    sent: object, name: str, draft: bool
):
    protocol = get_protocol(name)
    task = TASKS[protocol.kind]
    try:
        read = read_answer(sent, protocol, task, texts=TEXTS, draft=draft)
    except AnswerError:
        return
    stored = json.loads(json.dumps(read.to_mapping(), allow_nan=False))
    assert read_answer(stored, protocol, task, texts=TEXTS, draft=draft) == read


def one(answer: ItemAnswer, systems: tuple[str, ...] = ()) -> Result:
    task = Task("1.1", "ann", 1, (Entry("1", "bridge", systems),))
    return Result(task, Answer({"1": answer}, seconds=90.0))


def test_ratings_carry_confidence_weight_time_and_campaign():
    given = {"Focus": Given(4, 5, 2), "Length": Given(2, 3, 1)}
    result = judgements_from(
        [one(RatingAnswer(given, seconds=50.0), ("lead",))], LIKERT, campaign="spring"
    )
    # 50 seconds for the item are 25 for each of its two dimensions.
    assert result.ratings == (
        Rating("bridge", "lead", "ann", "Focus", 4.0, 5.0, 2.0, 25.0, "spring"),
        Rating("bridge", "lead", "ann", "Length", 2.0, 3.0, 1.0, 25.0, "spring"),
    )
    assert result.comparisons == ()
    assert result.highlights == ()


def test_a_rating_without_a_value_or_a_time_stays_without():
    result = judgements_from([one(RatingAnswer({"Focus": Given(4), "Length": Given()}), ("lead",))],
                            LIKERT).ratings  # fmt: skip
    assert result == (Rating("bridge", "lead", "ann", "Focus", 4.0),)


def test_a_comparison_keeps_the_sides_as_they_were_shown():
    given = ComparisonAnswer({"Structure": "right"})
    result = judgements_from([one(given, ("terse", "lead"))], get_protocol("pairwise"))
    (comparison,) = result.comparisons
    assert comparison == Comparison("bridge", "terse", "lead", "ann", "Structure", "right")
    assert comparison.winner == "lead"


def test_highlights_carry_the_budget():
    given = HighlightAnswer(((4, 14), (8, 18)))
    result = judgements_from([one(given)], get_protocol("highlight"))
    assert result.highlights == (
        Highlight("bridge", "ann", 4, 14, 30),
        Highlight("bridge", "ann", 8, 18, 30),
    )


def test_planted_summaries_leave_no_rating():
    entries = (Entry("1", "bridge", ("lead",)), Entry("2", "cave", (), "good", "A good one."))
    given = {key: RatingAnswer({"fluency": Given(9)}) for key in ("1", "2")}
    result = Result(Task("1.1", "ann", 1, entries), Answer(given))
    actual = judgements_from([result], get_protocol("fluency"))
    assert [(r.document, r.system) for r in actual.ratings] == [("bridge", "lead")]


def test_the_export_is_a_corpus_folder_with_the_judgements_of_this_campaign_alone(
    small: Corpus, tmp_path: Path
):
    before = replace(small, ratings=(Rating("bridge", "lead", "old", "Focus", 1.0),))
    result = one(RatingAnswer({"Focus": Given(4, 5, 2)}, seconds=30.0), ("lead",))
    corpus = export_corpus(before, [result], LIKERT, campaign="spring")
    save(corpus, tmp_path / "export")
    assert load(tmp_path / "export") == corpus
    assert [rating.annotator for rating in corpus.ratings] == ["ann"]
    assert corpus.summaries == small.summaries
    assert corpus.highlights == ()


def test_highlights_that_were_shown_stay(small: Corpus):
    protocol = get_protocol("content-highlight")
    assert export_corpus(small, [], protocol).highlights == small.highlights


STORED = {
    "likert": (
        {"items": {"1": {"seconds": 50.0, "ratings": {
            "Focus": {"value": 4, "confidence": 5, "weight": 2},
            "Length": {"value": None, "confidence": 3, "weight": None}}}},
         "reply": None, "seconds": 90.0},
        ("lead",),
        Judgements(ratings=(
            Rating("bridge", "lead", "ann", "Focus", 4.0, 5.0, 2.0, 50.0, "spring"),)),
    ),
    "pairwise": (
        {"items": {"1": {"seconds": 9.5, "choices": {"Structure": "right"}}}, "reply": None,
         "seconds": 9.5, "moves": []},
        ("terse", "lead"),
        Judgements(comparisons=(
            Comparison(
                "bridge", "terse", "lead", "ann", "Structure", "right", campaign="spring"),)),
    ),
    "highlight": (
        {"items": {"1": {"seconds": 31.0, "highlights": [{"start": 4, "end": 14}]}},
         "reply": True, "seconds": 31.0, "moves": []},
        (),
        Judgements(highlights=(Highlight("bridge", "ann", 4, 14, 30, "spring"),)),
    ),
}  # fmt: skip
"""Answers as databases hold them, and the records that they are exported as."""


@pytest.mark.parametrize("name", STORED)
def test_what_databases_hold_still_opens_and_exports(name: str):
    stored, systems, records = STORED[name]
    protocol = get_protocol(name)
    task = task_from(json.loads(
        '{"slot": "1.1", "annotator": "ann", "seed": 1, "question": {"document": "bridge", '
        '"statement": "It was closed.", "answer": true, "about": "document"}, "entries": ['
        f'{{"key": "1", "document": "bridge", "systems": {json.dumps(systems)}, '
        '"planted": null, "text": null}]}'
    ))  # fmt: skip
    answer = read_answer(stored, protocol, task, texts=TEXTS, draft=True)
    assert answer.to_mapping() == stored
    assert judgements_from([Result(task, answer)], protocol, campaign="spring") == records


def test_a_hundred_thousand_faults_are_a_short_error():
    sent = {"items": {"1": {f"field-{number}": 1 for number in range(100_000)}}, "x" * 10**6: 1}
    with pytest.raises(AnswerError) as refused:
        read_answer(sent, FLUENCY, ONE)
    faults = [str(fault) for fault in refused.value.faults]
    assert len(faults) < 30
    assert "has 99980 more unknown fields" in str(refused.value)
    assert len(str(refused.value)) < 10_000


def test_faults_in_a_long_list_end_with_a_sentence_that_there_are_more():
    sent = {"items": {}, "moves": [{"at": -1}] * 1_000}
    with pytest.raises(AnswerError) as refused:
        read_answer(sent, FLUENCY, ONE)
    assert len(refused.value.faults) == 201
    assert str(refused.value.faults[-1]) == "There are more faults; correct these first."
