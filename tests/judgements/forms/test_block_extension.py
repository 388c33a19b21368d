"""A new type of block is one class, an ES module, and a line in a catalogue or an entry point."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gistmark.corpus import Corpus
from gistmark.judgements import (
    ProtocolError,
    Result,
    assemble,
    check,
    export_corpus,
    items_from,
    knowledge_from,
    make_slots,
    payload,
    protocol_from,
    read_answer,
    simulate,
    to_mapping,
)
from gistmark.judgements.forms import BLOCK_TYPES, block_types
from gistmark.records import Rating
from judgements.forms.composed import SUMMARY, faults_of, form, mapping, wrong
from plugins.installing import distribution

LIGHT = {"type": "traffic-light", "name": "publish", "question": "May it go out?"}
WHY = {
    "type": "text",
    "name": "why",
    "question": "Why not?",
    "when": {"question": "publish", "values": ["red", "amber"]},
}
STOP = {**LIGHT, "name": "stop", "question": "Choose “red” here.", "expected": "red"}


ENTRY_POINT = """[gistmark.block_types]
traffic-light = judgements.traffic_light:TrafficLightBlock
"""


@pytest.fixture
def traffic_light(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A distribution that has the type among its entry points."""
    monkeypatch.syspath_prepend(distribution(tmp_path / "installed", "lights", ENTRY_POINT))
    vars(BLOCK_TYPES).pop("_plugins", None)
    yield
    vars(BLOCK_TYPES).pop("_plugins", None)


@pytest.mark.usefixtures("traffic_light")
def test_it_goes_all_the_way_from_protocol_to_export(small: Corpus):
    protocol = form(SUMMARY, LIGHT, WHY, judges=1, items_per_task=5)
    assert protocol_from(json.loads(json.dumps(to_mapping(protocol)))) == protocol
    items = items_from(small, protocol)
    [slot, *_] = make_slots(items.items, protocol, seed=1)
    task = assemble(slot, "ann", items.by_id(), protocol, seed=1)
    seen = payload(task, protocol, small)
    assert seen["blocks"][1]["amber"] is True
    knowledge = knowledge_from(small, {"lead": 1.0, "terse": 0.0}, seed=1)
    sent = simulate(seen, "careful", knowledge, seed=1)
    answer = read_answer(json.loads(json.dumps(sent.answer)), protocol, task)
    assert read_answer(answer.to_mapping(), protocol, task) == answer
    exported = export_corpus(small, [Result(task, answer)], protocol)
    assert {each.dimension for each in exported.ratings} == {"publish"}
    [lead] = [each for each in exported.ratings if each.system == "lead"]
    assert lead == Rating(lead.document, "lead", "ann", "publish", 2.0)
    rejected = {each.system for each in exported.ratings if each.value == 0}
    assert {each.system for each in exported.responses if each.question == "why"} == rejected


@pytest.mark.usefixtures("traffic_light")
def test_it_is_checked_described_and_instructed_like_the_others():
    protocol = form(SUMMARY, {**LIGHT, "amber": False}, STOP)
    assert (
        "must be 'red' or 'green', but"
        in wrong(protocol, {"publish": "amber", "stop": "red"})["publish"]
    )
    assert set(wrong(protocol, {})) == {"publish", "stop"}
    assert "needs a block that shows one summary" in faults_of(LIGHT)["blocks[0].type"]
    assert (
        "must be one of red, green"
        in (faults_of(SUMMARY, {**STOP, "amber": False, "expected": "amber"})["blocks[1].expected"])
    )
    assert BLOCK_TYPES.source("traffic-light") == "lights"
    [described] = [each for each in block_types() if each["type"] == "traffic-light"]
    assert described["about"] == "stop, wait or go"
    assert {"amber", "expected", "when"} <= {each["name"] for each in described["settings"]}


@pytest.mark.usefixtures("traffic_light")
def test_its_expected_answer_is_checked(small: Corpus):
    protocol = form(SUMMARY, LIGHT, STOP, judges=1, items_per_task=1)
    items = items_from(small, protocol)
    [slot, *_] = make_slots(items.items, protocol, seed=1)
    task = assemble(slot, "ann", items.by_id(), protocol, seed=1)
    sent = {"items": {"1": {"answers": {"publish": "green", "stop": "green"}}}}
    [flag] = check(protocol, task, read_answer(sent, protocol, task)).flags
    assert flag.reason.endswith("says to choose 'red', but 'green' was chosen.")


def test_an_unknown_type_is_an_error_that_names_the_known_ones():
    with pytest.raises(ProtocolError, match=r"'blocks\[1\]\.type' must be 'show' or 'note' or "):
        protocol_from(mapping(SUMMARY, LIGHT))
