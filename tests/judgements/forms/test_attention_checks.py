"""Questions that say what to choose: never told to the browser, never data, and checked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

import gistmark
from gistmark.corpus import Corpus
from gistmark.judgements import (
    Protocol,
    assemble,
    check,
    configured,
    get_protocol,
    items_from,
    knowledge_from,
    make_slots,
    payload,
    read_answer,
    simulate,
    starting_protocol,
    to_mapping,
)
from gistmark.judgements.forms.choice import ON_SCREEN
from gistmark.judgements.forms.simulated import named
from gistmark.judgements.questions.base import Texts
from gistmark.judgements.tasks.practice import PracticeItem, mark, read_right
from judgements.forms.composed import SUMMARY, TASK, faults_of, form, records

CATALOGUES = Path(gistmark.__file__).parent / "web" / "interface" / "locale"
SCALE = {"low": 1, "high": 5, "labels": ["awful", "bad", "fair", "good", "great"]}
GOOD = {"type": "likert", "name": "good", "question": "Is it good?", "scale": SCALE}
LIKERT = {**GOOD, "name": "two", "question": "Please choose “2” here.", "expected": 2}
CHOICE = {
    "type": "choice",
    "name": "tree",
    "question": "To show that you read this, select tree.",
    "options": ["house", "tree", "river"],
    "expected": "tree",
}
CHOICES = {**CHOICE, "type": "choices", "name": "trees", "question": "Tick “tree” and no other."}
YES_NO = {
    "type": "yes-no",
    "name": "no",
    "question": 'Please answer "no" here.',
    "expected": "no",
}
CHECKS = (LIKERT, CHOICE, CHOICES, YES_NO)
RIGHT = {"two": {"value": 2}, "tree": "tree", "trees": ["tree"], "no": "no"}


@pytest.fixture
def protocol() -> Protocol:
    return form(SUMMARY, GOOD, *CHECKS)


def reasons(protocol: Protocol, answers: dict[str, Any]) -> list[str]:
    sent = {"items": {"1": {"answers": {"good": {"value": 4}, **answers}}}}
    verdict = check(protocol, TASK, read_answer(sent, protocol, TASK))
    assert all(flag.kind == "attention" for flag in verdict.flags)
    return [flag.reason for flag in verdict.flags]


def test_whoever_does_what_the_questions_say_passes(protocol: Protocol):
    assert protocol.checks["attention"] == "flag"
    assert reasons(protocol, RIGHT) == []


def test_each_other_answer_is_a_sentence_for_the_manager(protocol: Protocol):
    wrong = {"two": {"value": 5}, "tree": "house", "trees": ["house", "tree"], "no": "unsure"}
    assert reasons(protocol, wrong) == [
        "The question 'two' of item 1 says to choose '2', but '5 great' was chosen.",
        "The question 'tree' of item 1 says to choose 'tree', but 'house' was chosen.",
        "The question 'trees' of item 1 says to choose 'tree', but 'house, tree' was chosen.",
        "The question 'no' of item 1 says to choose 'no', but 'unsure' was chosen.",
    ]
    strict = configured(protocol, {"checks": {"attention": "reject"}})
    sent = {"items": {"1": {"answers": {"good": {"value": 4}, **RIGHT, "no": "yes"}}}}
    read = read_answer(sent, strict, TASK)
    assert check(strict, TASK, read).verdict == "rejected"
    assert check(strict, TASK, read, failures_needed=2).verdict == "paid"


def test_no_browser_learns_what_is_expected_or_which_questions_check(
    protocol: Protocol, small: Corpus
):
    items = items_from(small, protocol)
    [slot, *_] = make_slots(items.items, protocol, seed=1)
    task = assemble(slot, "ann", items.by_id(), protocol, seed=1)
    seen = payload(task, protocol, small)
    text = json.dumps(seen)
    assert "expected" not in text
    assert "attention" not in text
    [_, plain, *checks] = seen["blocks"]
    assert set(plain) == set(checks[0])
    assert seen["dimensions"] == []


def test_their_answers_are_no_data_and_take_no_time(protocol: Protocol):
    given = records(protocol, {"good": {"value": 4}, **RIGHT})
    assert [(each.dimension, each.value, each.seconds) for each in given.ratings] == [
        ("good", 4.0, 12.0)
    ]
    assert given.responses == ()
    assert [each.name for each in protocol.dimensions] == ["good"]


def test_a_practice_ignores_them(protocol: Protocol):
    item = PracticeItem("bridge", ("lead",))
    right = read_right(
        {"answers": {"good": {"value": 4}, "no": "no"}}, item, protocol, texts=Texts()
    )
    given = replace(right, answers={"good": {"value": 4}, "no": "yes"})
    assert mark(given, right, protocol, tolerance=0) == {"good": True}


def test_a_check_that_nothing_follows_from_is_a_fault_and_so_is_one_elsewhere():
    off = faults_of(SUMMARY, GOOD, LIKERT, checks={"attention": "off"})
    assert off["checks.attention"].endswith(
        "must be flag, paid or reject: 'two' is an attention check, not data."
    )
    assert form(SUMMARY, GOOD, checks={"attention": "off"}).checks["attention"] == "off"
    assert starting_protocol("form").checks["attention"] == "flag"
    assert to_mapping(get_protocol("overall"))["checks"]["attention"] == "off"
    with pytest.raises(Exception, match="only a form has questions that say what to choose"):
        configured(get_protocol("overall"), {"checks": {"attention": "flag"}})


def test_what_is_expected_must_be_an_answer_that_everybody_is_asked_for():
    faults = faults_of(
        SUMMARY,
        {**LIKERT, "expected": 6},
        {**CHOICE, "expected": "Tree"},
        {**YES_NO, "unsure": False, "expected": "unsure"},
        {**YES_NO, "name": "b", "required": False},
        {**YES_NO, "name": "c", "when": {"question": "no", "values": ["no"]}},
    )
    expected = {field for field in faults if field.endswith("expected")}
    assert expected == {f"blocks[{number}].expected" for number in (1, 2, 3, 4, 5)}
    assert "must be one of 1, 2, 3, 4, 5, but is 6" in faults["blocks[1].expected"]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Please choose “2” here.", 2),
        ("Please choose 2 here.", 2),
        ("Select good.", 4),
        ("Bitte wählen Sie hier „gut“.", None),
        ("Bitte wählen Sie hier „good“.", 4),
        ("请在此选择「3」。", 3),
        ("Is it good?", None),
        ("Choose between “1” and “5”.", None),
        ("Choose from 1 to 5.", None),
        ("Would you choose good?", None),
        ("Two of 12 were good.", None),
    ],
)
def test_an_instruction_names_one_answer(question: str, value: int | None):
    labels = {label: number for number, label in enumerate(SCALE["labels"], start=1)}
    assert named(question, {**labels, **{str(n): n for n in range(1, 6)}}) == value


@pytest.mark.parametrize("locale", ["de", "es", "fr", "zh_Hans", "ar"])
def test_simulated_annotators_know_yes_and_no_in_every_language(locale: str):
    catalogue = CATALOGUES / locale / "LC_MESSAGES" / "djangojs.po"
    with catalogue.open("rb") as file:
        words = {each.id: each.string for each in read_po(file)}
    shown = {"yes": words["Yes"], "no": words["No"], "unsure": words["Unsure"]}
    assert {ON_SCREEN[str(word).casefold()] for word in shown.values()} == set(shown)
    assert named(f"… “{shown['no']}”.", ON_SCREEN) == "no"


def test_simulated_annotators_who_read_do_what_the_questions_say(protocol: Protocol, small: Corpus):
    items = items_from(small, protocol)
    knowledge = knowledge_from(small, {"lead": 1.0}, seed=1)
    passed = {"careful": 0, "careless": 0, "adversarial": 0}
    slots = make_slots(items.items, protocol, seed=1)
    for number, slot in enumerate(slots):
        task = assemble(slot, "ann", items.by_id(), protocol, seed=1)
        for style in passed:
            sent = simulate(payload(task, protocol, small), style, knowledge, seed=number)  # type: ignore[arg-type]
            answer = read_answer(json.loads(json.dumps(sent.answer)), protocol, task)
            passed[style] += not check(protocol, task, answer).flags
    assert passed == {"careful": len(slots), "careless": 0, "adversarial": 0}
