"""Questions of a form about two summaries side by side."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from gistmark.judgements import Answer, Entry, Task, check, protocol_from, read_answer, to_mapping
from gistmark.judgements.forms.form import FormAnswer
from gistmark.records import Comparison
from judgements.forms.composed import (
    PAIR,
    PAIR_TASK,
    SUMMARY,
    faults_of,
    form,
    read,
    records,
    wrong,
)

PLAIN = {"type": "pairwise", "name": "plain", "question": "Which?"}
BETTER = {**PLAIN, "name": "better", "ties": True, "strength": ["slightly", "clearly"]}


def test_preferences_become_comparisons_with_ties_and_strengths():
    protocol = form(PAIR, BETTER, {**BETTER, "name": "clearer"}, PLAIN)
    assert protocol_from(to_mapping(protocol)) == protocol
    assert [each.name for each in protocol.dimensions] == ["better", "clearer", "plain"]
    assert (protocol.subject, protocol.scaled) == ("pair", False)
    given = {
        "better": {"choice": "right", "strength": 2},
        "clearer": {"choice": "tie"},
        "plain": {"choice": "left"},
    }
    common = ("bridge", "lead", "terse", "ann")
    assert records(protocol, given, PAIR_TASK).comparisons == (
        Comparison(*common, "better", "right", 2),
        Comparison(*common, "clearer", "tie", None),
        Comparison(*common, "plain", "left", None),
    )


@pytest.mark.parametrize(
    ("answer", "field", "message"),
    [
        ({"choice": "left"}, "better.strength", "is missing"),
        ({"strength": 1}, "better.choice", "is missing"),
        ({"choice": "left", "strength": 3}, "better.strength", "must be 1 to 2, but is 3"),
        ({"choice": "left", "strength": 0}, "better.strength", "must be at least 1"),
        ({"choice": "tie", "strength": 1}, "better.strength", "there is no difference"),
        ({"choice": "both", "strength": 1}, "better.choice", "'left' or 'right' or 'tie'"),
        ({"choice": "tie", "why": "x"}, "better.why", "is unknown; known: choice, strength"),
        ("left", "better", "must be an object"),
    ],
)
def test_a_wrong_preference_is_named(answer: Any, field: str, message: str):
    faults = wrong(form(PAIR, BETTER), {"better": answer}, PAIR_TASK)
    assert message in faults[field]


def test_without_ties_and_names_there_is_left_and_right_alone():
    protocol = form(PAIR, PLAIN)
    assert (
        "must be 'left' or 'right',"
        in wrong(protocol, {"plain": {"choice": "tie"}}, PAIR_TASK)["plain.choice"]
    )
    with_strength = wrong(protocol, {"plain": {"choice": "left", "strength": 1}}, PAIR_TASK)
    assert "is unknown" in with_strength["plain.strength"]
    assert read(form(PAIR, BETTER), {"better": {"choice": "left"}}, PAIR_TASK, draft=True) == {
        "better": {"choice": "left"}
    }


def test_it_needs_a_pair_and_two_to_four_names_that_differ():
    assert (
        "needs a block that shows two summaries side by side"
        in (faults_of(SUMMARY, PLAIN)["blocks[1].type"])
    )
    for names in ([], ["a"], list("abcde")):
        message = faults_of(PAIR, {**BETTER, "strength": names})["blocks[1].strength"]
        assert f"must hold 2 to 4 names or be left out, but holds {len(names)}" in message
    assert "twice" in faults_of(PAIR, {**BETTER, "strength": ["a", "a"]})["blocks[1].strength"]


def test_a_practice_answer_on_the_other_side_is_never_right():
    [_, better] = form(PAIR, BETTER).blocks
    right = {"choice": "left", "strength": 2}
    distance = better.distance  # type: ignore[attr-defined]
    assert distance({"choice": "left", "strength": 1}, right) == 1
    assert distance({"choice": "left", "strength": 1}, {"choice": "left"}) == 0
    assert distance({"choice": "right", "strength": 2}, right) == inf
    assert distance({"choice": "tie"}, right) == distance(None, right) == inf
    assert better.wording(right) == "left (clearly)"  # type: ignore[attr-defined]


@pytest.mark.parametrize(("side", "chosen"), [("left", "The left side"), ("tie", "No difference")])
def test_one_side_throughout_a_task_is_a_straight_line(side: str, chosen: str):
    protocol = form(PAIR, {**PLAIN, "ties": True}, checks={"straight_line": "flag"})
    task = Task("1.1", "ann", 1, tuple(Entry(n, "d", ("a", "b")) for n in "12345"))
    sent = {"items": {n: {"answers": {"plain": {"choice": side}}} for n in "12345"}}
    [flag] = check(protocol, task, read_answer(sent, protocol, task)).flags
    assert flag.reason == f"{chosen} was chosen every time, in 5 pairs."
    answers = {n: FormAnswer({"plain": {"choice": side}}) for n in "1234"}
    other = FormAnswer({"plain": {"choice": "right"}})
    assert check(protocol, task, Answer({**answers, "5": other})).flags == ()
