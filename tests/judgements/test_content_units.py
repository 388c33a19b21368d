"""Content units: written, merged, and marked in summaries."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from gistmark.corpus import Corpus
from gistmark.judgements import (
    AnswerError,
    Fault,
    Result,
    Task,
    assemble,
    configured,
    export_corpus,
    get_protocol,
    items_from,
    make_slots,
    payload,
    read_answer,
    task_from,
)
from gistmark.judgements.content_units import (
    MergedUnit,
    numbered,
    propose_merged,
    read_merged,
    same_wording,
)
from gistmark.judgements.fields import Fields
from gistmark.judgements.questions.base import Texts
from gistmark.judgements.tasks.practice import PracticeItem, in_words, mark, read_right
from gistmark.judgements.tasks.task import Entry, completed
from gistmark.records import ContentUnit, Presence, Summary

WRITING = get_protocol("content-units")
MARKING = get_protocol("content-units-presence")
UNITS = (
    ContentUnit("bridge", "u1", "The bridge is old.", weight=2.0),
    ContentUnit("bridge", "u2", "The bridge was closed."),
)


def written_by(annotator: str, *texts: str) -> list[ContentUnit]:
    return [
        ContentUnit("bridge", f"{annotator}{number}", text, annotator=annotator)
        for number, text in enumerate(texts, start=1)
    ]


def faults_of(protocol: Any, task: Task, item: dict[str, Any], *, draft: bool = False) -> list[str]:
    with pytest.raises(AnswerError) as caught:
        read_answer({"items": {"1": item}}, protocol, task, draft=draft)
    return [fault.message for fault in caught.value.faults]


@pytest.fixture
def two_references(small: Corpus) -> Corpus:
    other = Summary("bridge", "silver", "They shut a bridge.", reference=True)
    return replace(small, summaries=(*small.summaries, other))


@pytest.fixture
def with_units(small: Corpus) -> Corpus:
    return replace(small, units=UNITS)


def writing_task(corpus: Corpus) -> Task:
    task = Task("1.1", "ann", 1, (Entry("1", "bridge"),))
    return completed(task, WRITING, corpus)


def marking_task(corpus: Corpus) -> Task:
    task = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead",)),))
    return completed(task, MARKING, corpus)


class TestMerging:
    def test_units_of_several_annotators_that_share_words_become_one(self):
        units = [
            *written_by("ann", "The bridge was closed on Tuesday.", "A painter found a crack."),
            *written_by("ben", "A crack was found by a painter.", "The bridge closed on Tuesday."),
            *written_by("cat", "Boats have to wait."),
        ]
        assert propose_merged(units) == [
            MergedUnit("The bridge was closed on Tuesday.", 2.0, ("ann1", "ben2")),
            MergedUnit("A painter found a crack.", 2.0, ("ann2", "ben1")),
            MergedUnit("Boats have to wait.", 1.0, ("cat1",)),
        ]

    def test_they_come_in_the_order_of_the_lists(self):
        units = [
            *written_by("ann", "Boats have to wait."),
            *written_by("ben", "A painter found a crack.", "Boats have to wait."),
        ]
        # The boats stand half way down one list and three quarters down the other.
        assert [unit.sources for unit in propose_merged(units)] == [("ben1",), ("ann1", "ben2")]

    def test_two_units_of_one_annotator_stay_two(self):
        units = written_by("ann", "The bridge was closed.", "The bridge was closed again.")
        assert [unit.sources for unit in propose_merged(units)] == [("ann1",), ("ann2",)]

    def test_of_a_group_the_unit_that_shares_most_with_the_others_is_its_text(self):
        units = [
            *written_by("ann", "The old swing bridge was closed."),
            *written_by("ben", "The swing bridge was closed."),
            *written_by("cat", "The swing bridge was closed early."),
        ]
        # Words: {old, swing, bridge, close}, {swing, bridge, close}, {swing, bridge, close, early}:
        # the second shares 3/4 with each, the others 3/4 and 3/5.
        assert [unit.text for unit in propose_merged(units)] == ["The swing bridge was closed."]

    @pytest.mark.parametrize(
        ("one", "other"),
        [("The bridge.", "the  Bridge"), ("“Straße”", "STRASSE!"), ("桥关闭了。", "桥关闭了")],
    )
    def test_case_space_and_punctuation_make_no_other_wording(self, one: str, other: str):
        assert same_wording(one) == same_wording(other) != ""

    def test_merged_units_are_read_with_all_that_is_wrong(self):
        faults: list[Fault] = []
        sent = [
            {"text": "One fact.", "weight": 0, "sources": ["ann1", "zoe9"]},
            {"text": "one fact", "id": "a"},
            {"text": " ", "id": "a", "colour": "red"},
            {"weight": 1},
        ]
        read_merged(Fields({"units": sent}, faults), "units", {"ann1"})
        assert [str(fault) for fault in faults] == [
            "The field 'units[0].weight' must be above 0, but is 0.",
            "The field 'units[0].sources' names 'zoe9', which is not a unit that was written here.",
            "The field 'units[2].text' must have a word.",
            "The field 'units[2].colour' is unknown; known: id, sources, text, weight.",
            "The field 'units[3].text' is missing.",
            "The field 'units[1].text' says the same as unit 1; merge the two or change one.",
            "The field 'units' has two units of the id 'a'.",
        ]

    def test_units_without_an_id_get_one_that_is_free(self):
        units = [MergedUnit("A."), MergedUnit("B.", id="u1"), MergedUnit("C.")]
        assert [unit.id for unit in numbered(units)] == ["u2", "u1", "u3"]


class TestWriting:
    def test_an_item_is_a_document_with_a_reference(self, small: Corpus):
        selection = items_from(small, WRITING)
        assert [item.id for item in selection.items] == ["bridge"]
        [problem] = selection.problems
        assert str(problem) == (
            "Document 'cave' cannot be judged: it lacks a reference to show beside it."
        )

    def test_what_is_written_is_exported_with_its_reference_and_its_annotator(
        self, two_references: Corpus
    ):
        task = task_from(json.loads(json.dumps(writing_task(two_references).to_mapping())))
        assert task.entries[0].references == ("gold", "silver")
        units = [
            {"text": " An old   bridge is shut. "},
            {"text": "They shut a bridge.", "reference": 1},
        ]
        answer = read_answer({"items": {"1": {"units": units}}}, WRITING, task)
        assert read_answer(answer.to_mapping(), WRITING, task) == answer
        other = replace(task, annotator="ben")
        exported = export_corpus(
            replace(two_references, units=UNITS),
            [Result(task, answer), Result(other, answer)],
            WRITING,
        )
        rows = [(unit.id, unit.text, unit.reference, unit.annotator) for unit in exported.units]
        assert rows == [
            ("u1", "An old bridge is shut.", "gold", "ann"),
            ("u2", "They shut a bridge.", "silver", "ann"),
            ("u3", "An old bridge is shut.", "gold", "ben"),
            ("u4", "They shut a bridge.", "silver", "ben"),
        ]

    def test_every_reference_needs_a_unit_and_no_list_one_twice(self, two_references: Corpus):
        task = writing_task(two_references)
        units = [{"text": "A fact."}, {"text": "a fact"}, {"text": "!"}, {"text": "x" * 501}]
        assert faults_of(WRITING, task, {"units": [*units, {"text": "B b.", "reference": 2}]}) == [
            "The field 'items.1.units[2].text' must have a word.",
            "The field 'items.1.units[3].text' must have at most 500 characters, but has 501.",
            "The field 'items.1.units[4].reference' must be an index from 0 to 1.",
            "The field 'items.1.units[1].text' says the same as units[0].",
            "The field 'items.1.units' is missing a unit of reference 2.",
        ]
        same = [{"text": "A fact."}, {"text": "A fact.", "reference": 1}]
        assert read_answer({"items": {"1": {"units": same}}}, WRITING, task)

    def test_a_draft_may_lack_words_and_say_things_twice(self, small: Corpus):
        task = writing_task(small)
        for units in ([], [{"text": ""}], [{"text": "A fact."}, {"text": "A fact."}]):
            read = read_answer({"items": {"1": {"units": units}}}, WRITING, task, draft=True)
            assert len(read.items["1"].parts()["units"]) == len(units)

    def test_practice_is_marked_by_the_f1_of_units_that_are_alike(self, small: Corpus):
        item = PracticeItem("bridge", right=None)
        texts = ["The bridge is old.", "The bridge was shut.", "Boats wait."]
        right = read_right({"units": [{"text": t} for t in texts]}, item, WRITING, texts=Texts())
        given = {"units": [{"text": "The bridge is old!"}]}
        answer = read_right(given, item, WRITING, texts=Texts())
        # One of 1 and of 3 is matched: F1 = 2 / (1 + 3), so the distance is 50.
        assert WRITING.question_type.distances(answer, right, WRITING, "") == {"": 50.0}
        assert mark(answer, right, WRITING, tolerance=50) == {"": True}
        assert mark(answer, right, WRITING, tolerance=49) == {"": False}
        assert in_words(given, item, WRITING, texts=Texts()) == {"": "1. The bridge is old!"}

    def test_a_protocol_that_shows_no_reference_cannot_ask_for_units(self):
        with pytest.raises(Exception, match="must name 'reference'"):
            configured(WRITING, {"shows": ["document"]})


class TestMarking:
    def test_a_document_without_units_is_named(self, with_units: Corpus):
        selection = items_from(with_units, MARKING)
        assert {item.document for item in selection.items} == {"bridge"}
        [problem] = selection.problems
        assert "document 'cave'" in str(problem)
        assert str(problem).endswith("cannot be judged: it lacks content units.")

    def test_the_browser_gets_ids_and_texts_and_no_weights(self, with_units: Corpus):
        task = marking_task(with_units)
        [item] = payload(task, MARKING, with_units)["items"]
        assert item["units"] == [
            {"id": "u1", "text": "The bridge is old."},
            {"id": "u2", "text": "The bridge was closed."},
        ]
        assert item["summary"] == "The old bridge was closed."

    def test_marks_are_exported_with_the_units_that_were_marked(self, with_units: Corpus):
        task = marking_task(with_units)
        sent = {"items": {"1": {"presence": {"u2": True, "u1": False}}}}
        answer = read_answer(sent, MARKING, task)
        exported = export_corpus(with_units, [Result(task, answer)], MARKING)
        assert exported.units == UNITS
        assert exported.presence == (
            Presence("bridge", "u1", "lead", "ann", False),
            Presence("bridge", "u2", "lead", "ann", True),
        )

    def test_every_unit_needs_a_mark(self, with_units: Corpus):
        task = marking_task(with_units)
        assert faults_of(MARKING, task, {"presence": {"u1": 1, "u7": True}}) == [
            "The field 'items.1.presence.u1' must be true or false, but is the number 1.",
            "The field 'items.1.presence.u2' is missing.",
            "The field 'items.1.presence.u7' is unknown; known: u1, u2.",
        ]
        draft = read_answer({"items": {"1": {}}}, MARKING, task, draft=True)
        assert draft.items["1"].parts() == {}

    def test_units_come_in_the_order_of_the_corpus_or_shuffled(self, small: Corpus):
        units = tuple(ContentUnit("bridge", f"u{n}", f"Fact {n}.") for n in range(8))
        corpus = replace(small, units=units)
        shuffled = configured(MARKING, {"order": "shuffled"})
        items = items_from(corpus, MARKING)
        [slot, *_] = make_slots(items.items, MARKING, seed=1)

        def order(protocol: Any, annotator: str) -> tuple[str, ...]:
            task = assemble(slot, annotator, items.by_id(), protocol, seed=1, corpus=corpus)
            return task.entries[0].units

        fixed = tuple(unit.id for unit in units)
        assert order(MARKING, "ann") == fixed
        assert order(shuffled, "ann") == order(shuffled, "ann") != fixed
        assert sorted(order(shuffled, "ann")) == sorted(fixed)
        assert order(shuffled, "ann") != order(shuffled, "ben")

    def test_practice_is_marked_unit_by_unit(self, with_units: Corpus):
        item = PracticeItem("bridge", ("lead",))
        given, right = {"presence": {"u1": True, "u2": True}}, {"presence": {"u1": False}}
        answer = read_right(given, item, MARKING, texts=Texts(), corpus=with_units)
        expected = read_right(right, item, MARKING, texts=Texts(), corpus=with_units)
        assert mark(answer, expected, MARKING, tolerance=0) == {"u1": False}
        assert in_words(given, item, MARKING, texts=Texts()) == {"u1": "yes", "u2": "yes"}
        with pytest.raises(AnswerError, match=r"presence\.u9' is unknown"):
            read_right({"presence": {"u9": True}}, item, MARKING, texts=Texts(), corpus=with_units)
