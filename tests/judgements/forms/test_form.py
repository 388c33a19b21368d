"""Composed protocols: their problems, what a designer knows of them, presets as forms, order."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pytest

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements import (
    PROTOCOLS,
    Entry,
    ProtocolError,
    Task,
    as_form,
    configured,
    get_protocol,
    has_form,
    payload,
    protocol_from,
    starting_protocol,
    to_mapping,
    what_lacks,
)
from gistmark.judgements.forms import BLOCK_TYPES, block_from, block_types
from gistmark.judgements.forms.form import shuffled_order
from gistmark.judgements.forms.inputs import settings_of
from gistmark.judgements.forms.scales import LikertBlock
from judgements.forms.composed import SUMMARY, form

SCALE = {"low": 1, "high": 5}


def likert(name: str, **settings: Any) -> dict[str, Any]:
    return {"type": "likert", "name": name, "question": f"{name}?", "scale": SCALE, **settings}


def faults_of(*blocks: dict[str, Any], **settings: Any) -> dict[str, str]:
    mapping = {"name": "own", "kind": "form", "about": "", "blocks": list(blocks), **settings}
    try:
        protocol_from(mapping)
    except ProtocolError as error:
        return {fault.field: str(fault) for fault in error.faults}
    return {}


def test_faults_of_reading_and_of_the_protocol_come_together_with_the_right_indices():
    faults = faults_of(
        {"type": "show", "what": "summary"},
        likert("a", question=" "),
        likert("b", scale={"low": 5, "high": 1}),
        {"type": "nonsense"},
        likert("c", when={"question": "z", "values": [1]}),
        likert("c"),
        judges=0,
        set_size=4,
    )
    assert set(faults) == {
        "judges",
        "set_size",
        "blocks[1].question",
        "blocks[2].scale.high",
        "blocks[3].type",
        "blocks[4].when.question",
        "blocks[4].name",
        "blocks[5].name",
    }
    assert faults["blocks[2].scale.high"].endswith("must be above low (5), but is 1.")


def test_what_depends_on_a_block_that_cannot_be_read_is_no_fault():
    assert set(
        faults_of(
            {"type": "show", "what": "sumary"},
            likert("a", question=""),
            likert("b", when={"question": "a", "values": [2]}),
            set_size=4,
            checks={"planted": "flag"},
        )
    ) == {"blocks[0].what", "blocks[1].question"}


def test_a_document_beside_its_heat_map_is_a_fault_of_the_block():
    shown = [{"type": "show", "what": what} for what in ("document", "summary", "heat-map")]
    assert set(faults_of(*shown, likert("a"))) == {"blocks[2].what"}


def test_too_many_blocks_are_one_fault():
    assert set(faults_of(*[likert(f"q{number}") for number in range(201)])) == {"blocks"}


def test_a_form_without_questions_can_be_kept_but_not_started():
    blank = starting_protocol("form")
    assert protocol_from(to_mapping(blank)) == blank
    assert [str(each) for each in what_lacks((), blank)] == [
        "The form asks nothing yet; it needs at least one question."
    ]


@pytest.mark.parametrize("name", PROTOCOLS.names())
def test_a_preset_as_a_form_shows_and_asks_the_same(name: str):
    preset = get_protocol(name)
    if not has_form(preset):
        with pytest.raises(UsageError, match="page of its own"):
            as_form(preset)
        return
    form = as_form(preset)
    assert protocol_from(to_mapping(form)) == form
    assert form.subject == preset.subject
    assert form.shows == preset.shows
    assert [(each.name, each.question, each.guidance) for each in form.dimensions] == [
        (each.name, each.question, each.guidance) for each in preset.dimensions
    ]
    if preset.scaled:
        for each in form.dimensions:
            assert form.scale_of(each.name) == preset.scale_of(each.name)
    same = ("judges", "items_per_task", "minimum_seconds", "consent", "instructions", "editable")
    assert [getattr(form, each) for each in same] == [getattr(preset, each) for each in same]
    assert set(form.checks.actions) <= {*preset.checks.actions, "attention"}
    assert as_form(form) == form


def test_a_protocol_whose_tasks_ask_one_dimension_has_no_form():
    protocol = configured(get_protocol("likert"), {"one_dimension_per_task": True})
    assert not has_form(protocol)
    with pytest.raises(UsageError, match="set one_dimension_per_task to false"):
        as_form(protocol)


def test_a_preset_as_a_form_asks_for_confidence_and_weight():
    block = as_form(get_protocol("likert")).blocks[-1]
    assert isinstance(block, LikertBlock)
    assert block.confidence == get_protocol("likert").confidence
    assert block.weight == get_protocol("likert").weight


def test_every_type_of_block_describes_each_of_its_settings():
    for each in block_types():
        known = {field.name for field in fields(BLOCK_TYPES.get(each["type"]))}
        named = [setting["name"] for setting in each["settings"]]
        assert len(named) == len(set(named))
        assert known - set(named) <= {"expected"}, each["type"]
        assert set(named) <= known, each["type"]
        assert "json" not in {setting["input"] for setting in each["settings"]}, each["type"]
        assert each["about"]


def test_what_a_designer_adds_is_whole_once_it_has_a_name_and_a_text():
    for each in block_types():
        for start in each["starts"]:
            block = {name: value for name, value in start["block"].items() if value is not None}
            given: dict[str, Any] = {"name": "a", "question": "Is it?"} if each["asks"] else {}
            if "text" in block and not block["text"]:
                given["text"] = "A heading."
            if "options" in block:
                given["options"] = ["a", "b"]
            assert block_from({**block, **given}).type == each["type"]


def test_a_setting_that_a_plugin_does_not_describe_gets_an_input_by_its_type():
    @dataclass(frozen=True, kw_only=True)
    class Stars(LikertBlock):
        half_stars: bool = False
        limit: int | None = None
        colours: dict[str, str] | None = None

    inputs = {each.name: (each.label, each.input) for each in settings_of(Stars)}
    assert inputs["half_stars"] == ("Half stars", "flag")
    assert inputs["limit"] == ("Limit", "count")
    assert inputs["colours"] == ("Colours", "json")
    assert list(inputs)[:3] == ["question", "name", "guidance"]


def test_a_form_is_changed_block_by_block_as_json():
    form = as_form(get_protocol("overall"))
    blocks = [*to_mapping(form)["blocks"], likert("more")]
    assert [each.name for each in configured(form, {"blocks": blocks}).dimensions][-1] == "more"


def asking(name: str, after: str | None = None) -> dict[str, Any]:
    when = None if after is None else {"question": after, "values": ["yes"]}
    return {"type": "yes-no", "name": name, "question": f"{name}?", "when": when}


BLOCKS = (
    {"type": "note", "text": "First"},
    asking("a"),
    asking("b"),
    SUMMARY,
    asking("a1", after="a"),
    asking("c"),
    asking("a2", after="a1"),
    {"type": "note", "text": "Last"},
)
A, B, A1, C, A2 = 1, 2, 4, 5, 6


def test_only_questions_move_and_conditional_ones_stay_behind_what_they_depend_on():
    blocks = form(*BLOCKS).blocks
    orders = {tuple(shuffled_order(blocks, np.random.default_rng(n))) for n in range(200)}
    for order in orders:
        assert sorted(order) == list(range(len(blocks)))
        assert [order[n] for n in (0, 3, 7)] == [0, 3, 7]
        asked = [n for n in order if n not in (0, 3, 7)]
        start = asked.index(A)
        assert asked[start : start + 3] == [A, A1, A2]
    # Three groups of questions (a with what depends on it, b, c) have 3! = 6 orders.
    assert len(orders) == 6


def test_an_order_is_the_annotators_own_and_the_same_at_every_visit(small: Corpus):
    protocol = form(SUMMARY, *(asking(name) for name in "abcdefgh"), order="shuffled")

    def orders(annotator: str) -> list[list[int]]:
        entries = (Entry("1", "bridge", ("lead",)), Entry("2", "cave", ("lead",)))
        seen = payload(Task("1.1", annotator, 7, entries), protocol, small)
        return [item["order"] for item in seen["items"]]

    first, second = orders("ann")
    assert orders("ann") == [first, second]
    assert first != second
    assert orders("bob") != [first, second]


def test_without_shuffling_no_order_is_sent(small: Corpus):
    task = Task("1.1", "ann", 7, (Entry("1", "bridge", ("lead",)),))
    seen = payload(task, form(SUMMARY, asking("a")), small)
    assert not {"order", "questions"} & set(seen["items"][0])
