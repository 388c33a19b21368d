"""Records: frozen nouns, and the few things that they know about themselves."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from gistmark import records
from gistmark.records import TEXT_SEPARATOR, Comparison, Document, Response, Summary, item_name

KINDS = [kind for _, kind in inspect.getmembers(records, dataclasses.is_dataclass)]


def test_all_nouns_are_there():
    names = {"Document", "Summary", "Highlight", "Rating", "Comparison", "Question", "Planted"}
    names |= {"ContentUnit", "Presence", "ErrorSpan", "Response", "Sampled", "Turn", "Machine"}
    names |= {"Condition"}
    assert {kind.__name__ for kind in KINDS} == names | {"Score"}


@pytest.mark.parametrize("kind", KINDS)
def test_records_are_frozen_and_have_no_room_for_typos(kind: type):
    assert kind.__dataclass_params__.frozen
    assert "__slots__" in vars(kind)
    assert kind.__doc__


def test_a_record_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Summary("d", "s", "text").text = "other"  # type: ignore[misc]


def test_several_texts_are_read_as_one_with_blank_lines_between():
    assert TEXT_SEPARATOR == "\n\n"
    assert Document("d", ("one",)).text == "one"
    assert Document("d", ("one", "two")).text == "one\n\ntwo"
    assert Document("d", ()).text == ""


@pytest.mark.parametrize(
    ("choice", "winner", "loser"), [("left", "a", "b"), ("right", "b", "a"), ("tie", None, None)]
)
def test_a_comparison_knows_who_won(choice: str, winner: str | None, loser: str | None):
    made = Comparison("d", "a", "b", "ann", "quality", choice)  # type: ignore[arg-type]
    assert (made.winner, made.loser) == (winner, loser)


def test_an_item_names_its_systems_in_order_whatever_they_are_called():
    names = ("b/1", "a%2F", "ä b")
    answer = Response("d", item_name(names), None, "ann", "why", "text", "Because.")
    assert answer.item == "b%2F1/a%252F/%C3%A4%20b"
    assert answer.systems == names


def test_an_answer_without_an_item_is_about_its_system_or_the_document():
    assert Response("d", "", "s", "ann", "why", "text", "Because.").systems == ("s",)
    assert Response("d", "", None, "ann", "why", "text", "Because.").systems == ()
