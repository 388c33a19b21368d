"""How tests compose a protocol of blocks and answer it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gistmark.judgements import (
    AnswerError,
    Entry,
    Judgements,
    Protocol,
    ProtocolError,
    Result,
    Task,
    judgements_from,
    protocol_from,
    read_answer,
)

SUMMARY = {"type": "show", "what": "summary"}
PAIR = {"type": "show", "what": "pair"}
TASK = Task("1.1", "ann", 7, (Entry("1", "bridge", ("lead",)),))
PAIR_TASK = Task("1.1", "ann", 7, (Entry("1", "bridge", ("lead", "terse")),))


def mapping(*blocks: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A form as JSON has it."""
    return {"name": "own", "kind": "form", "about": "", "blocks": list(blocks), **changes}


def form(*blocks: dict[str, Any], **changes: Any) -> Protocol:
    """The protocol of these blocks, once through JSON."""
    return protocol_from(json.loads(json.dumps(mapping(*blocks, **changes))))


def faults_of(*blocks: dict[str, Any], **changes: Any) -> dict[str, str]:
    """What is wrong with a form, by field."""
    with pytest.raises(ProtocolError) as caught:
        form(*blocks, **changes)
    return {fault.field: fault.message for fault in caught.value.faults}


def read(protocol: Protocol, answers: dict[str, Any], task: Task = TASK, **options: Any) -> Any:
    """The answers as they are kept, once through JSON."""
    sent = {"items": {"1": {"answers": json.loads(json.dumps(answers))}}}
    read = read_answer(sent, protocol, task, **options)
    assert read_answer(read.to_mapping(), protocol, task, **options) == read
    return dict(read.items["1"].answers)  # type: ignore[attr-defined]


def wrong(protocol: Protocol, answers: dict[str, Any], task: Task = TASK) -> dict[str, str]:
    """What is wrong with answers, by question."""
    with pytest.raises(AnswerError) as caught:
        read_answer({"items": {"1": {"answers": answers}}}, protocol, task)
    start = "items.1.answers."
    return {fault.field.removeprefix(start): fault.message for fault in caught.value.faults}


def records(protocol: Protocol, answers: dict[str, Any], task: Task = TASK) -> Judgements:
    """The records that answers become."""
    sent = {"items": {"1": {"answers": answers, "seconds": 12.0}}}
    return judgements_from([Result(task, read_answer(sent, protocol, task))], protocol)
