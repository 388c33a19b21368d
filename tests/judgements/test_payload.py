"""The payload: what the browser gets, and above all what it does not get."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from gistmark.corpus import Corpus
from gistmark.judgements import (
    PROTOCOLS,
    assemble,
    configured,
    get_protocol,
    items_from,
    make_slots,
    payload,
)
from gistmark.judgements.payload import _ASKED


def payloads(corpus: Corpus, name: str) -> list[dict[str, Any]]:
    protocol = configured(get_protocol(name), {"judges": 1})
    items = items_from(corpus, protocol)
    return [
        payload(
            assemble(slot, "ann", items.by_id(), protocol, seed=1, questions=corpus.questions,
                     planted=corpus.planted),
            protocol, corpus,
        )
        for slot in make_slots(items.items, protocol, seed=1)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def secretive(sample: Corpus) -> Corpus:
    """The sample with names that no text of it contains."""
    names = {system: f"SYS-{number}" for number, system in enumerate(sample.systems)}
    documents = {id: f"DOC-{number}" for number, id in enumerate(sample.document_ids)}
    return replace(
        sample,
        documents=tuple(replace(d, id=documents[d.id]) for d in sample.documents),
        summaries=tuple(
            replace(
                s, document=documents[s.document], system=names.get(s.system, f"SYS-{s.system}")
            )
            for s in sample.summaries
        ),
        highlights=tuple(
            replace(h, document=documents[h.document], annotator=f"SYS-{h.annotator}")
            for h in sample.highlights
        ),
        questions=tuple(replace(q, document=documents[q.document]) for q in sample.questions),
        planted=tuple(replace(p, document=documents[p.document]) for p in sample.planted),
    )


@pytest.mark.parametrize("name", tuple(PROTOCOLS))
def test_no_names_of_systems_or_documents_no_answers_and_no_checks_reach_the_browser(
    secretive: Corpus, name: str
):
    for sent in payloads(secretive, name):
        text = json.dumps(sent)
        assert "SYS-" not in text
        assert "DOC-" not in text
        assert set(sent) == {*_ASKED, "items", "question"}
        assert "checks" not in sent
        assert sent["question"] is None or isinstance(sent["question"], str)


@pytest.mark.parametrize("name", ["fluency", "clarity"])
def test_a_planted_summary_looks_like_any_other(sample: Corpus, name: str):
    for sent in payloads(sample, name):
        assert {tuple(item) for item in sent["items"]} == {("key", "summary")}


def test_each_protocol_shows_what_it_says(sample: Corpus):
    shown = {name: set(payloads(sample, name)[0]["items"][0]) - {"key"} for name in PROTOCOLS}
    assert shown == {
        "highlight": {"document", "lang"},
        "content-highlight": {"document", "lang", "heat", "steps", "summary"},
        "content-document": {"document", "lang", "summary"},
        "content-reference": {"references", "summary"},
        "fluency": {"summary"},
        "clarity": {"summary"},
        "likert": {"summary"},
        "quality": {"title", "references", "summary"},
        "overall": {"document", "lang", "summary"},
        "pairwise": {"left", "right"},
    }


def test_the_sides_are_those_of_the_task(small: Corpus):
    protocol = get_protocol("pairwise")
    items = items_from(small, protocol)
    slot = make_slots(items.items, protocol, seed=1)[0]
    texts = {s.system: s.text for s in small.summaries if s.document == "bridge"}
    for seed in range(5):
        task = assemble(slot, "ann", items.by_id(), protocol, seed=seed)
        sent = payload(task, protocol, small)
        for entry, item in zip(task.entries, sent["items"], strict=True):
            left, right = entry.systems
            assert (item["left"], item["right"]) == (texts[left], texts[right])


def test_the_heat_of_a_word_is_sent_with_its_place(small: Corpus):
    (first, *_) = payloads(small, "content-highlight")
    item = first["items"][0]
    # Highlighted are characters 4 to 14 of "The old bridge was ...": old, bridge.
    hot = [item["document"][w["start"] : w["end"]] for w in item["heat"] if w["heat"] == 1.0]
    assert hot == ["old", "bridge"]
    assert item["steps"] == [1.0]


def test_the_title_and_other_references_stand_beside_a_summary(small: Corpus):
    item = payloads(small, "quality")[0]["items"][0]
    assert item["title"] == "A bridge"
    assert item["references"] == ["An old bridge is shut."]
