"""Questions of a form that are answered by choosing or writing."""

from __future__ import annotations

from typing import Any

import pytest

from gistmark.judgements import protocol_from, to_mapping
from gistmark.records import Response
from judgements.forms.composed import (
    PAIR,
    PAIR_TASK,
    SUMMARY,
    TASK,
    faults_of,
    form,
    read,
    records,
    wrong,
)

GENRE = {
    "type": "choice",
    "name": "genre",
    "question": "What is it?",
    "options": ["news", "advert", "no text"],
}
TOPICS = {
    "type": "choices",
    "name": "topics",
    "question": "What is it about?",
    "options": ["people", "money", "places"],
    "most": 2,
}
TRUE = {"type": "yes-no", "name": "true", "question": "Is it true?"}
WHY = {"type": "text", "name": "why", "question": "Why?", "shortest": 3, "longest": 10}
ALL = (SUMMARY, GENRE, TOPICS, TRUE, WHY)
ANSWERS = {"genre": "news", "topics": ["money", "people"], "true": "unsure", "why": "  It is.\n"}


def test_choices_and_texts_become_responses_with_their_share_of_the_time():
    protocol = form(*ALL)
    assert protocol_from(to_mapping(protocol)) == protocol
    given = records(protocol, ANSWERS)
    assert (given.ratings, given.comparisons) == ((), ())
    common = {"document": "bridge", "item": "lead", "system": "lead", "annotator": "ann"}
    assert given.responses == tuple(
        Response(**common, question=question, type=kind, value=value, seconds=3.0)
        for question, kind, value in (
            ("genre", "choice", "news"),
            ("topics", "choices", "people"),
            ("topics", "choices", "money"),
            ("true", "yes-no", "unsure"),
            ("why", "text", "It is."),
        )
    )


def test_a_question_about_a_pair_is_about_none_of_the_two_systems():
    [response] = records(form(PAIR, GENRE), {"genre": "advert"}, PAIR_TASK).responses
    assert (response.item, response.system) == ("lead/terse", None)
    [about_document] = records(form(GENRE), {"genre": "news"}).responses
    assert about_document.question == "genre"


def test_nothing_chosen_is_an_answer_of_its_own():
    protocol = form(SUMMARY, TOPICS)
    [response] = records(protocol, {"topics": []}).responses
    assert response.value == ""
    assert "is missing" in wrong(protocol, {})["topics"]


@pytest.mark.parametrize(
    ("name", "answer", "message"),
    [
        ("genre", "News", "must be 'news' or 'advert' or 'no text', but is the text 'News'"),
        ("genre", ["news"], "but is a list"),
        ("topics", "people", "must be a list of options, but is the text 'people'"),
        ("topics", ["war"], "holds the text 'war'; the options are 'people', 'money', 'places'"),
        ("topics", [{}], "holds an object"),
        ("topics", ["money", "money"], "holds an option twice"),
        ("topics", ["people", "money", "places"], "must hold at most 2, but holds 3"),
        ("true", True, "must be 'yes' or 'no' or 'unsure', but is true"),
        ("why", "no", "must have at least 3 characters, but has 2"),
        ("why", "x" * 11, "must have at most 10 characters, but has 11"),
        ("why", " \n ", "is missing"),
        ("why", 7, "must be text"),
    ],
)
def test_a_wrong_answer_is_one_sentence_at_its_question(name: str, answer: Any, message: str):
    faults = wrong(form(*ALL), {**ANSWERS, name: answer})
    assert list(faults) == [name]
    assert message in faults[name]


def test_all_wrong_answers_are_told_at_once():
    assert set(wrong(form(*ALL), {"genre": 1, "why": "", "more": 2})) == {
        "genre",
        "topics",
        "true",
        "why",
        "more",
    }


def test_a_draft_is_kept_as_it_was_left():
    protocol = form(*ALL)
    halfway = {"topics": ["people", "money", "places"], "why": " n"}
    assert read(protocol, halfway, draft=True) == halfway
    assert read(protocol, {"why": "ab" * 2_000}, draft=True) == {"why": "ab" * 2_000}
    assert read(protocol, {"why": ""}, draft=True) == {}


def test_characters_are_those_that_people_see_beyond_the_first_plane_too():
    protocol = form(SUMMARY, WHY)
    assert read(protocol, {"why": "🙂" * 10}) == {"why": "🙂" * 10}
    assert "has 11" in wrong(protocol, {"why": "🙂" * 11})["why"]


def test_an_optional_question_may_be_left_blank():
    protocol = form(SUMMARY, GENRE, {**WHY, "required": False})
    assert read(protocol, {"genre": "news", "why": "   "}) == {"genre": "news"}


def test_without_unsure_there_is_yes_and_no():
    protocol = form(SUMMARY, {**TRUE, "unsure": False})
    assert "must be 'yes' or 'no', but" in wrong(protocol, {"true": "unsure"})["true"]


def test_all_faults_of_the_blocks_are_told_at_once():
    faults = faults_of(
        SUMMARY,
        {**GENRE, "options": ["news"]},
        {**TOPICS, "options": ["a", "b", "a "], "fewest": 4, "most": 5},
        {**WHY, "shortest": 30_001, "longest": 30_000, "expected": "x"},
        {**TOPICS, "name": "more", "fewest": 2, "most": 1, "expected": "people"},
    )
    assert {field: message.split("' ", 1)[1] for field, message in faults.items()} == {
        "blocks[1].options": "must hold 2 to 50 options, but holds 1.",
        "blocks[2].options[0]": "is 'a', which is there 2 times.",
        "blocks[2].options[2]": "is 'a ', which is there 2 times.",
        "blocks[2].fewest": "must be at most the number of options (3), but is 4.",
        "blocks[2].most": "must be at most the number of options (3), but is 5.",
        "blocks[3].expected": "must be left out: text cannot be an attention check.",
        "blocks[3].longest": "must be at most 20,000, but is 30,000.",
        "blocks[3].shortest": "must be at most longest (30,000), but is 30,001.",
        "blocks[4].most": "must be at least fewest (2), but is 1.",
        "blocks[4].expected": "is one option, so fewest must be at most 1.",
    }


def test_settings_that_cannot_be_read_are_named():
    faults = faults_of(
        SUMMARY,
        {**GENRE, "options": None},
        {**TOPICS, "options": ["", 7], "most": 0},
        {**TRUE, "unsure": "yes", "options": []},
        {**WHY, "shortest": -1},
    )
    assert set(faults) == {
        "blocks[1].options",
        "blocks[2].options[0]",
        "blocks[2].options[1]",
        "blocks[2].most",
        "blocks[3].unsure",
        "blocks[3].options",
        "blocks[4].shortest",
    }


def test_a_condition_may_ask_for_any_of_the_options_of_any_type():
    protocol = form(
        SUMMARY,
        GENRE,
        TOPICS,
        TRUE,
        {**WHY, "when": {"question": "genre", "values": ["advert", "no text"]}},
        {**WHY, "name": "places", "when": {"question": "topics", "values": ["places"]}},
        {**WHY, "name": "doubts", "when": {"question": "true", "values": ["no", "unsure"]}},
    )
    plain = {"genre": "news", "topics": [], "true": "yes"}
    assert read(protocol, plain) == plain
    other = {"genre": "advert", "topics": ["money", "places"], "true": "no"}
    assert set(wrong(protocol, other)) == {"why", "places", "doubts"}
    unasked = wrong(protocol, {**plain, "why": "I like it"})
    assert unasked["why"].endswith("must be left out: it is not asked after the answer to 'genre'.")


def test_a_condition_on_a_text_or_on_what_is_no_option_is_a_fault():
    faults = faults_of(
        SUMMARY,
        WHY,
        GENRE,
        {**TRUE, "when": {"question": "why", "values": ["x"]}},
        {**TRUE, "name": "b", "when": {"question": "genre", "values": ["news", "play"]}},
    )
    assert {field: message.split("' ", 1)[1] for field, message in faults.items()} == {
        "blocks[3].when.question": "must not be 'why': a text answer has no values.",
        "blocks[4].when.values[1]": (
            "is 'play', which is no answer there; allowed: news, advert, no text."
        ),
    }


def test_the_order_of_options_differs_between_screens_and_is_the_same_at_every_visit():
    protocol = form(SUMMARY, {**GENRE, "shuffle_options": True, "options": list("abcdefgh")}, TRUE)
    seen = protocol.question_type.item_payload(TASK.entries[0], TASK, protocol)
    again = protocol.question_type.item_payload(TASK.entries[0], TASK, protocol)
    assert seen == again
    assert set(seen["questions"]) == {"genre"}
    order = seen["questions"]["genre"]["options"]
    assert sorted(order) == list(range(8))
    assert order != list(range(8))
