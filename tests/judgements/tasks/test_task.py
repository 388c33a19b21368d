"""Tasks: what an annotator gets, with which checks hidden in it, and what no browser gets."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements import (
    PLANTED_KINDS,
    PROTOCOLS,
    Protocol,
    Slot,
    Task,
    assemble,
    configured,
    get_protocol,
    items_from,
    make_slots,
    payload,
    task_from,
    what_lacks,
)
from gistmark.judgements.tasks.task import _SETTINGS
from gistmark.records import Highlight, Machine


def tasks_of(corpus: Corpus, protocol: Protocol, people: int = 1, seed: int = 1) -> list[Task]:
    """Every slot's task for each of some people."""
    items = items_from(corpus, protocol)
    slots = make_slots(items.items, configured(protocol, {"judges": 1}), seed=seed)
    return [
        assemble(
            slot, f"p{person}", items.by_id(), protocol, seed=seed,
            questions=corpus.questions, planted=corpus.planted, corpus=corpus,
        )
        for slot in slots
        for person in range(people)
    ]  # fmt: skip


def test_a_task_has_the_items_of_its_slot_and_is_the_same_when_made_again(sample: Corpus):
    fluency = get_protocol("fluency")
    tasks = tasks_of(sample, fluency, people=2)
    assert tasks == tasks_of(sample, fluency, people=2)
    assert tasks != tasks_of(sample, fluency, people=2, seed=2)
    for task in tasks:
        assert [entry.key for entry in task.entries] == [
            str(n) for n in range(1, len(task.entries) + 1)
        ]


def test_each_annotator_has_an_order_of_their_own(sample: Corpus):
    tasks = tasks_of(sample, configured(get_protocol("fluency"), {"checks": {"planted": "off"}}), 8)
    orders = [tuple((e.document, e.systems) for e in task.entries) for task in tasks[:8]]
    assert len({frozenset(order) for order in orders}) == 1
    assert len(set(orders)) > 4


def test_three_planted_summaries_stand_at_random_places(sample: Corpus):
    tasks = tasks_of(sample, get_protocol("fluency"), people=10)
    positions = {kind: set() for kind in PLANTED_KINDS}
    for task in tasks:
        planted = [entry for entry in task.entries if entry.planted]
        assert sorted(str(entry.planted) for entry in planted) == sorted(PLANTED_KINDS)
        triple = {entry.planted: entry.text for entry in planted}
        assert any(
            (t.good, t.mediocre, t.bad) == (triple["good"], triple["mediocre"], triple["bad"])
            for t in sample.planted
        )
        for entry in planted:
            positions[entry.planted].add(int(entry.key))
    assert all(len(result) >= 7 for result in positions.values())


def test_planted_summaries_are_of_other_documents_and_new_to_the_annotator(small: Corpus):
    fluency = configured(get_protocol("fluency"), {"items_per_task": 1})
    items = items_from(small, fluency).by_id()
    cave = Slot("1.1", 1, ("cave/lead",))
    bridge = Slot("2.1", 2, ("bridge/lead",))
    of_cave, other = small.planted

    def good(slot: Slot, seed: int, seen: frozenset[str] = frozenset()) -> str | None:
        task = assemble(slot, "ann", items, fluency, seed=seed, planted=small.planted, seen=seen)
        return next(entry.text for entry in task.entries if entry.planted == "good")

    assert {good(cave, seed) for seed in range(10)} == {other.good}
    assert {good(bridge, seed) for seed in range(10)} == {other.good, of_cave.good}
    first = assemble(bridge, "ann", items, fluency, seed=1, planted=[other])
    assert first.planted_texts == {other.good, other.mediocre, other.bad}
    assert {good(bridge, s, first.planted_texts) for s in range(10)} == {of_cave.good}
    # Where one of the two must be, a text of the same document is better than one seen before.
    assert good(cave, 1, first.planted_texts) == of_cave.good


def test_the_sides_of_a_pair_are_drawn(sample: Corpus):
    tasks = tasks_of(sample, get_protocol("pairwise"), people=3)
    entries = [entry for task in tasks for entry in task.entries]
    swapped = sum(entry.systems != tuple(sorted(entry.systems)) for entry in entries)
    # 252 fair coins: 126 expected, a standard deviation of 7.9; five of them to either side.
    assert len(entries) == 252
    assert 86 <= swapped <= 166


def test_the_question_is_about_what_is_shown(sample: Corpus):
    for name, about in (("content-document", "document"), ("content-reference", "reference")):
        tasks = tasks_of(sample, get_protocol(name), people=3)
        for task in tasks:
            assert task.question is not None
            assert (task.question.document, task.question.about) == (
                task.entries[0].document,
                about,
            )
        assert {task.question.answer for task in tasks if task.question} == {True, False}
    assert tasks_of(sample, get_protocol("overall"))[0].question is None


def test_what_the_checks_lack_is_told_before_the_start(small: Corpus):
    highlight = get_protocol("highlight")
    items = items_from(small, highlight).items
    assert what_lacks(items, highlight, small.questions) == ()
    assert [str(problem) for problem in what_lacks(items, highlight, small.questions[:1])] == [
        "Document 'cave' has no True/False statement about its text."
    ]
    fluency = get_protocol("fluency")
    assert [str(problem) for problem in what_lacks(items, fluency)] == [
        "The protocol plants summaries, but there are none to plant."
    ]
    assert what_lacks(items, fluency, planted=small.planted) == ()


def test_a_task_without_what_its_checks_need_is_an_error(small: Corpus):
    slot = Slot("1.1", 1, ("cave",))
    items = items_from(small, get_protocol("highlight")).by_id()
    with pytest.raises(UsageError, match="no True/False statement about the text of 'cave'"):
        assemble(slot, "ann", items, get_protocol("highlight"), seed=1)
    with pytest.raises(UsageError, match="there are none to plant"):
        assemble(slot, "ann", items, get_protocol("fluency"), seed=1)


@pytest.mark.parametrize("name", ["fluency", "pairwise", "content-document"])
def test_a_task_survives_json(sample: Corpus, name: str):
    for task in tasks_of(sample, get_protocol(name)):
        assert task_from(json.loads(json.dumps(task.to_mapping()))) == task


def payloads(corpus: Corpus, name: str) -> list[dict[str, Any]]:
    protocol = configured(get_protocol(name), {"judges": 1})
    items = items_from(corpus, protocol)
    return [
        payload(
            assemble(slot, "ann", items.by_id(), protocol, seed=1, questions=corpus.questions,
                     planted=corpus.planted, corpus=corpus),
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
        units=tuple(
            replace(u, document=documents[u.document], reference="SYS-x", annotator="SYS-y")
            for u in sample.units
        ),
    )


@pytest.mark.parametrize("name", tuple(PROTOCOLS))
def test_no_names_of_systems_or_documents_no_answers_and_no_checks_reach_the_browser(
    secretive: Corpus, name: str
):
    for sent in payloads(secretive, name):
        text = json.dumps(sent)
        assert "SYS-" not in text
        assert "DOC-" not in text
        added = get_protocol(name).question_type.payload(get_protocol(name))
        assert set(sent) == {*_SETTINGS, *added, "items", "question"}
        assert "checks" not in sent
        assert sent["question"] is None or isinstance(sent["question"], str)


@pytest.mark.parametrize("name", ["fluency", "clarity"])
def test_a_planted_summary_looks_like_any_other(sample: Corpus, name: str):
    for sent in payloads(sample, name):
        assert {tuple(item) for item in sent["items"]} == {("key", "summary")}


def test_each_protocol_shows_what_it_says(sample: Corpus):
    shown = {name: set(payloads(sample, name)[0]["items"][0]) - {"key"} for name in PROTOCOLS}
    assert shown == {
        "highlight": {"document", "lang", "words", "uncounted"},
        "content-highlight": {"document", "lang", "heat", "steps", "marked_by", "summary"},
        "content-document": {"document", "lang", "summary"},
        "content-reference": {"references", "summary"},
        "fluency": {"summary"},
        "clarity": {"summary"},
        "likert": {"summary"},
        "quality": {"title", "references", "summary"},
        "overall": {"document", "lang", "summary"},
        "pairwise": {"left", "right"},
        "error-spans": {"document", "lang", "words", "uncounted", "summary", "summary_words"},
        "content-units": {"references", "lang"},
        "content-units-presence": {"summary", "units", "lang"},
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


@pytest.mark.parametrize(
    ("annotators", "marked_by"),
    [
        (("ann", "bob"), "people"),
        (("machine:lead",), "program"),
        (("machine:lead", "machine:units"), "programs"),
        (("ann", "machine:lead"), "both"),
    ],
)
def test_a_heat_map_says_whether_people_or_programs_marked_but_not_which(
    small: Corpus, annotators: tuple[str, ...], marked_by: str
):
    corpus = replace(
        small,
        highlights=tuple(Highlight("bridge", name, 4, 14) for name in annotators),
        machines=tuple(Machine(name) for name in annotators if name.startswith("machine:")),
    )
    (first, *_) = payloads(corpus, "content-highlight")
    assert first["items"][0]["marked_by"] == marked_by
    assert not any(name in json.dumps(first) for name in annotators)


def test_the_title_and_other_references_stand_beside_a_summary(small: Corpus):
    item = payloads(small, "quality")[0]["items"][0]
    assert item["title"] == "A bridge"
    assert item["references"] == ["An old bridge is shut."]
