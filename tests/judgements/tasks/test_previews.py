"""Previews: whole where everything is there, and shown without what a draft lacks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.errors import UsageError
from gistmark.judgements import (
    AnswerError,
    Item,
    configured,
    get_protocol,
    items_from,
    judge,
    knowledge_from,
    make_slots,
    payload,
    preview,
    simulate,
)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load(sample_folder())


def seen(corpus, protocol, number=1):
    return preview(corpus, protocol, number, seed=3, annotator="ann")


def test_the_tasks_are_those_that_the_campaign_will_have(corpus):
    protocol = get_protocol("fluency")
    slots = make_slots(items_from(corpus, protocol).items, protocol, seed=3)
    batches = {slot.batch: set(slot.items) for slot in slots}
    for number in (1, 2, len(batches)):
        shown = seen(corpus, protocol, number)
        judged = {Item(e.document, e.systems).id for e in shown.task.entries if not e.planted}
        assert (judged, shown.count, shown.sentence) == (batches[number], len(batches), "")


def test_what_the_checks_lack_is_left_out_and_named(corpus):
    bare = replace(corpus, questions=(), planted=())
    fluency = seen(bare, get_protocol("fluency"))
    assert {entry.planted for entry in fluency.task.entries} == {None}
    assert fluency.sentence == (
        "The campaign lacks approved summaries to plant; the task is shown without."
    )
    protocol = get_protocol("content-document")
    content = seen(bare, protocol)
    assert content.task.question is None
    assert "an approved True/False statement" in content.sentence
    assert content.protocol.checks["question"] == "off"
    assert content.protocol.checks["too_fast"] == protocol.checks["too_fast"]


def test_a_statement_about_another_document_does_not_help(corpus):
    protocol = get_protocol("highlight")
    first = seen(corpus, protocol)
    document = first.task.entries[0].document
    others = tuple(each for each in corpus.questions if each.document != document)
    assert others
    assert seen(replace(corpus, questions=others), protocol).task.question is None
    assert first.task.question is not None


def test_without_highlights_the_document_is_shown_plain(corpus):
    protocol = get_protocol("content-highlight")
    bare = replace(corpus, highlights=())
    shown = seen(bare, protocol)
    assert "highlights for the heat map" in shown.sentence
    item = payload(shown.task, shown.protocol, bare)["items"][0]
    assert "document" in item
    assert "heat" not in item


def test_only_what_lacks_is_left_out(corpus):
    protocol = configured(get_protocol("likert"), {"shows": ["title", "reference", "document"]})
    bare = replace(corpus, summaries=tuple(s for s in corpus.summaries if not s.reference))
    shown = seen(bare, protocol)
    assert shown.lacking == ("references",)
    assert set(shown.protocol.shows) == {"title", "document"}


def test_documents_that_no_task_has_are_left_out(corpus):
    protocol = get_protocol("highlight")
    out = [document.id for document in corpus.documents[1:]]
    shown = preview(corpus, protocol, seed=3, annotator="ann", without=out)
    assert (shown.count, shown.task.entries[0].document) == (1, corpus.documents[0].id)


def test_a_corpus_without_anything_to_judge_has_no_task():
    with pytest.raises(UsageError, match="nothing to judge"):
        seen(Corpus(), get_protocol("likert"))


@pytest.mark.parametrize("number", [0, 16, -1])
def test_a_number_beyond_the_tasks_is_refused(corpus, number):
    with pytest.raises(UsageError, match="There are tasks 1 to 15"):
        seen(corpus, get_protocol("fluency"), number)


def test_an_answer_is_judged_as_the_annotators_will_be(corpus):
    protocol = configured(get_protocol("fluency"), {"checks": {"too_fast": "flag"}})
    shown = seen(corpus, protocol)
    known = knowledge_from(corpus, {}, seed=3)
    asked = payload(shown.task, shown.protocol, corpus)
    careful = simulate(asked, "careful", known, seed=3).answer
    assert judge(shown, careful).flags == ()
    hasty = judge(shown, careful | {"seconds": 1.0})
    assert (hasty.accepted, [flag.kind for flag in hasty.flags]) == (True, ["too_fast"])
    with pytest.raises(AnswerError, match=r"items\.1' is missing"):
        judge(shown, {})
