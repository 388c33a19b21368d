"""Summaries spoiled on purpose."""

from __future__ import annotations

from gistmark.metrics.batch import Item
from gistmark.metrics.learnt.spoiling import SPOILINGS, copied_lead, spoiled
from gistmark.runtime.seeds import generator

DOCUMENT = "Anna met Bob in Rome. They spoke of Paris. Then it rained all day. Nobody minded."
ITEM = Item("In Rome Anna met Bob. It rained.", (), DOCUMENT)
OTHER = Item("A bridge was shut.", (), "A bridge was shut in spring.")


def test_every_kind_has_its_text() -> None:
    texts = spoiled(ITEM, [ITEM, OTHER], generator(0))
    assert set(texts) == set(SPOILINGS)
    assert texts["lead"] == "Anna met Bob in Rome. They spoke of Paris."
    assert texts["doubled"] == f"{ITEM.summary} {ITEM.summary}"
    assert texts["shuffled"] == "It rained. In Rome Anna met Bob."
    assert texts["names"] == "In Anna Bob met Rome. It rained."
    assert sorted(texts["scrambled"].split()) == sorted(ITEM.summary.split())
    assert texts["foreign"] == OTHER.summary
    assert texts["empty"] == ""


def test_a_single_name_makes_way_for_another_of_the_document() -> None:
    item = Item("It rained on Bob.", (), DOCUMENT)
    changed = spoiled(item, [], generator(0))["names"]
    assert changed in {f"It rained on {name}." for name in ("Rome", "Paris")}


def test_what_cannot_be_spoiled_is_left_out() -> None:
    texts = spoiled(Item("rain", (), "rain"), [], generator(0))
    assert set(texts) == {"doubled", "empty"}
    assert copied_lead(Item("rain", (), "rain")) == {}


def test_a_lead_is_copied_as_among_all_kinds() -> None:
    assert copied_lead(ITEM) == {"lead": spoiled(ITEM, [OTHER], generator(0))["lead"]}


def test_the_same_seed_spoils_in_the_same_way() -> None:
    first, second = (spoiled(ITEM, [OTHER], generator(3)) for _ in range(2))
    assert first == second
