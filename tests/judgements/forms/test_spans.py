"""Errors marked in summaries: settings, answers, records, practice, and simulated annotators."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gistmark.corpus import Corpus
from gistmark.judgements import (
    STYLES,
    AnswerError,
    Entry,
    Protocol,
    ProtocolError,
    Result,
    Task,
    Texts,
    assemble,
    configured,
    export_corpus,
    get_protocol,
    items_from,
    knowledge_from,
    make_slots,
    payload,
    protocol_from,
    read_answer,
    simulate,
    to_mapping,
)
from gistmark.judgements.forms import block_from
from gistmark.judgements.forms.spans import SpansBlock
from gistmark.judgements.protocols.marks import ERROR_SPANS
from gistmark.records import Document, ErrorSpan, Summary

SUMMARY = "Three bridges was closed on Monday 👷 ."
DOCUMENT = "On Monday two bridges were closed ."
TEXTS = Texts({"d": DOCUMENT}, {("d", "lead"): SUMMARY})
TASK = Task("1.1", "ann", 1, (Entry("1", "d", ("lead",)),))
BLOCK = {
    "type": "spans",
    "name": "errors",
    "question": "What is wrong?",
    "categories": [{"name": "facts"}, {"name": "grammar", "guidance": "Forms."}],
    "severities": [{"name": "minor", "weight": 1}, {"name": "major", "weight": 5}],
}
THREE = {"start": 0, "end": 5, "category": "facts", "severity": "major"}


def protocol_with(shows: tuple[str, ...] = ("document", "summary"), **settings: Any) -> Protocol:
    blocks = [{"type": "show", "what": what} for what in shows] + [BLOCK | settings]
    return protocol_from(
        {"name": "own", "kind": "form", "about": "Own.", "judges": 1, "blocks": blocks}
    )


def read(given: Any, protocol: Protocol | None = None, *, draft: bool = False) -> Any:
    sent = {"items": {"1": {"answers": {"errors": given}}}}
    used = protocol or protocol_with()
    answer = read_answer(json.loads(json.dumps(sent)), used, TASK, texts=TEXTS, draft=draft)
    again = read_answer(answer.to_mapping(), used, TASK, texts=TEXTS, draft=draft)
    assert again == answer
    return answer.items["1"].answers.get("errors")


def refusal(given: Any, protocol: Protocol | None = None, *, draft: bool = False) -> list[str]:
    with pytest.raises(AnswerError) as refused:
        read(given, protocol, draft=draft)
    return [str(fault).replace("items.1.answers.errors", "") for fault in refused.value.faults]


def block(**settings: Any) -> SpansBlock:
    made = block_from(BLOCK | settings)
    assert isinstance(made, SpansBlock)
    return made


# Settings


def test_a_block_goes_through_json_and_has_the_weights_of_mqm_by_default():
    protocol = protocol_with()
    assert protocol_from(json.loads(json.dumps(to_mapping(protocol)))) == protocol
    usual = block_from({name: value for name, value in BLOCK.items() if name != "severities"})
    assert [(each.name, each.weight) for each in usual.severities] == [("minor", 1.0), ("major", 5)]
    assert block(severities=[]).severities == ()


def test_every_problem_of_a_block_is_told_at_once():
    wrong = BLOCK | {"severities": [{"name": "bad", "weight": -1}], "source": "yes"}
    with pytest.raises(ProtocolError) as refused:
        block_from(wrong | {"categories": [{"name": " "}, {"named": "x"}]})
    assert [str(fault) for fault in refused.value.faults] == [
        "The field 'categories[0].name' is empty.",
        "The field 'categories[1].name' is missing.",
        "The field 'categories[1].named' is unknown; known: guidance, name.",
        "The field 'severities[0].weight' must be at least 0, but is -1.",
        "The field 'source' must be true or false, but is the text 'yes'.",
    ]


def test_what_does_not_fit_together_is_refused():
    twice = [{"name": "Minor", "weight": 1}, {"name": "minor", "weight": 2}]
    for settings, sentence in (
        ({"severities": twice}, "'blocks[2].severities' has 'minor' 2 times; names must differ."),
        ({"categories": []}, "'blocks[2].categories' must hold at least one category."),
        (
            {"categories": [{"name": "Omission"}]},
            "'blocks[2].categories[0].name' must not be 'Omission', the category of missing "
            "content, which is asked for by itself.",
        ),
    ):
        with pytest.raises(ProtocolError, match="The field") as refused:
            protocol_with(**settings)
        assert str(refused.value) == f"The field {sentence}"
    assert protocol_with(categories=[{"name": "omission"}], missing=False)
    with pytest.raises(ProtocolError, match="needs a block that shows one summary"):
        protocol_with(shows=("document",))


def test_a_form_asks_for_errors_once():
    blocks = [{"type": "show", "what": "summary"}, BLOCK, BLOCK | {"name": "more"}]
    with pytest.raises(ProtocolError, match=r"'blocks\[1\].type' is used more than once"):
        configured(protocol_with(), {"blocks": blocks})


# Answers


def test_whole_answers_are_kept_as_they_are():
    source = {"start": 10, "end": 13}
    was = {"start": 14, "end": 17, "category": "grammar", "severity": "minor"}
    spans = [THREE | {"comment": "It is two.", "source": source}, was, THREE | {"end": 13}]
    missing = {"category": "omission", "severity": "minor", "comment": "Why?"}
    assert read({"spans": spans, "missing": missing}) == {"spans": spans, "missing": missing}
    assert read({"none": True, "spans": [], "missing": None}) == {"none": True}
    assert read({"spans": [THREE | {"comment": " "}]}) == {"spans": [THREE]}


def test_a_draft_may_lack_what_an_error_is_but_not_where():
    assert read({"spans": [{"start": 0, "end": 5}], "missing": {}}, draft=True) == {
        "spans": [{"start": 0, "end": 5}],
        "missing": {"category": "omission"},
    }
    assert read({"spans": []}, draft=True) is None
    assert refusal({"spans": [{"start": 0}]}, draft=True) == [
        "The field '.spans[0].end' is missing."
    ]
    assert refusal({"spans": [{"start": 0, "end": 5}], "missing": {}}) == [
        "The field '.spans[0].category' is missing.",
        "The field '.spans[0].severity' is missing.",
        "The field '.missing.severity' is missing.",
    ]


def test_an_untouched_summary_is_not_free_of_errors():
    assert refusal({"spans": []}) == [
        "The field '.none' is missing, and no errors are marked; say that there are none, or mark "
        "some."
    ]
    assert refusal({"spans": [THREE], "none": True}) == [
        "The field '.none' must be left out: there are errors."
    ]


def test_everything_that_is_wrong_with_errors_is_told():
    length = len(SUMMARY)
    spans = [
        THREE | {"end": length + 1},
        THREE | {"start": 5},
        THREE | {"start": 5, "end": 6},
        THREE | {"start": -1},
        THREE | {"category": "style", "severity": "fatal"},
        THREE,
        THREE,
        THREE | {"category": "grammar", "source": {"start": 0, "end": 99}},
        THREE | {"end": 4, "comment": "x" * 1001, "colour": 1},
    ]
    assert refusal({"spans": spans}) == [
        f"The field '.spans[0].end' must be at most {length}, the length of the summary, but is "
        f"{length + 1}.",
        "The field '.spans[1].end' must be above start (5), but is 5.",
        "The field '.spans[2]' marks nothing but white space of the summary.",
        "The field '.spans[3].start' must be at least 0, but is -1.",
        "The field '.spans[4].category' must be 'facts' or 'grammar', but is the text 'style'.",
        "The field '.spans[4].severity' must be 'minor' or 'major', but is the text 'fatal'.",
        "The field '.spans[6]' marks the same words as 'facts' a second time.",
        f"The field '.spans[7].source.end' must be at most {len(DOCUMENT)}, the length of the "
        "document, but is 99.",
        "The field '.spans[8].comment' must have at most 1,000 characters, but has 1,001.",
        "The field '.spans[8].colour' is unknown; known: category, comment, end, severity, "
        "source, start.",
    ]
    many = [THREE | {"start": 0, "end": 1}] * 201
    assert refusal({"spans": many})[0] == (
        "The field '.spans' must have at most 200 entries, but has 201."
    )


def test_what_is_not_asked_for_is_refused():
    plain = protocol_with(missing=False, comments=False, severities=[])
    assert read({"spans": [{"start": 0, "end": 5, "category": "facts"}]}, plain)
    [*sentences] = refusal({"spans": [THREE | {"comment": "x"}], "missing": {}}, plain)
    assert [sentence.split(" is unknown")[0] for sentence in sentences] == [
        "The field '.spans[0].severity'",
        "The field '.spans[0].comment'",
        "The field '.missing'",
    ]
    alone = protocol_with(shows=("summary",))
    assert alone.needs == {"summary"}
    assert "source' is unknown" in refusal({"spans": [THREE | {"source": {}}]}, alone)[0]


def test_errors_become_records_and_none_becomes_a_row_without_a_category():
    corpus = Corpus((Document("d", (DOCUMENT,)),), (Summary("d", "lead", SUMMARY),))
    protocol = protocol_with()

    def spans(given: Any) -> tuple[ErrorSpan, ...]:
        sent = {"items": {"1": {"answers": {"errors": given}}}}
        answer = read_answer(sent, protocol, TASK, texts=Texts.of(corpus))
        return export_corpus(corpus, [Result(TASK, answer)], protocol).spans

    source = {"start": 10, "end": 13}
    error = THREE | {"comment": "two", "source": source}
    assert spans({"spans": [error], "missing": {"severity": "minor", "source": source}}) == (
        ErrorSpan("d", "lead", "ann", 0, 5, "facts", "major", "two", 10, 13, 5.0),
        ErrorSpan("d", "lead", "ann", None, None, "omission", "minor", None, 10, 13, 1.0),
    )
    assert spans({"none": True}) == (ErrorSpan("d", "lead", "ann"),)


# The page


def test_a_payload_has_the_words_of_the_summary_as_stored_and_as_shown():
    tokenised = "`` Three '' bridges was closed , -lrb- 中文 -rrb- ."
    source = "On Monday , two bridges were closed . It 's sad ."
    corpus = Corpus((Document("d", (source,)),), (Summary("d", "lead", tokenised),))
    protocol = protocol_with()
    [item] = payload(TASK, protocol, corpus)["items"]
    assert item["summary"] == '"Three" bridges was closed, (中文).'
    stored = [tokenised[start:end] for start, end in item["summary_words"]]
    shown = [item["summary"][start:end] for start, end in item["summary_shown_words"]]
    assert stored[:3] + stored[-4:] == ["``", "Three", "''", "中", "文", "-rrb-", "."]
    assert shown[:3] + shown[-4:] == ['"', "Three", '"', "中", "文", ")", "."]
    assert [source[start:end] for start, end in item["words"]][:3] == ["On", "Monday", ","]
    plain = replace(corpus, documents=(Document("d", ("Two bridges were closed.",)),))
    [item] = payload(TASK, protocol, plain)["items"]
    assert (item["summary"], "summary_shown_words" in item) == (tokenised, False)
    [item] = payload(TASK, get_protocol("overall"), corpus)["items"]
    assert {"summary_words", "words"}.isdisjoint(item), "other protocols are as they were"


# Practice and conditions


def test_the_distance_is_that_of_characters_with_their_category():
    question = block()
    right = {"spans": [THREE, THREE | {"start": 14, "end": 17, "category": "grammar"}]}
    assert question.distance(right, right) == 0
    # 5 + 3 characters are right; 6 + 3 are given, of which 5 are the same: F1 = 2 * 5 / 17.
    given = {"spans": [THREE | {"end": 6}, THREE | {"start": 14, "end": 17}]}
    assert question.distance(given, right) == pytest.approx(100 - 100 * 10 / 17)
    assert question.distance({"none": True}, {"none": True}) == 0
    assert question.distance({"none": True}, right) == 100
    assert question.distance(right | {"missing": {}}, right) == 100
    assert question.distance({"missing": {}}, {"missing": {"severity": "minor"}}) == 0
    assert question.distance(None, right) == 100


def test_an_answer_in_words_quotes_what_is_marked():
    spans = [THREE | {"start": 14, "end": 17, "category": "grammar"}, THREE]
    answer = {"spans": spans, "missing": {"category": "omission", "severity": "minor"}}
    assert block().wording_in(answer, SUMMARY) == (
        "“Three”: facts, major; “was”: grammar, major; omission, minor"
    )
    assert block().wording_in({"none": True}, SUMMARY) == "No errors"


def test_a_later_question_can_depend_on_whether_something_was_marked():
    question = block()
    assert question.condition_values() == ("marked", "none")
    assert question.selected({"none": True}) == ("none",)
    assert (
        question.selected({"missing": {}}) == question.selected({"spans": [THREE]}) == ("marked",)
    )


# Simulated annotators


def test_simulated_annotators_mark_more_in_worse_summaries(sample: Corpus):
    protocol = configured(ERROR_SPANS, {"judges": 1})
    quality = {"careful": 0.95, "lead": 0.6, "terse": 0.4, "garbled": 0.05}
    knowledge = knowledge_from(sample, quality, seed=1)
    items, texts = items_from(sample, protocol), Texts.of(sample)
    means: dict[str, dict[str, float]] = {}
    marked: dict[str, set[tuple[Any, ...]]] = {}
    for style in STYLES:
        results = []
        for slot in make_slots(items.items, protocol, seed=1):
            task = assemble(slot, style, items.by_id(), protocol, seed=1)
            sent = simulate(payload(task, protocol, sample), style, knowledge, seed=2,
                            annotator=style)  # fmt: skip
            results.append(Result(task, read_answer(sent.answer, protocol, task, texts=texts)))
        spans = export_corpus(sample, results, protocol).spans
        marked[style] = {
            (s.document, s.system, s.start, s.category) for s in spans if s.start is not None
        }
        means[style] = {
            system: np.mean([sum(s.category is not None for s in spans if (s.document, s.system) ==
                             (item.document, system)) for item in items.items
                             if item.systems == (system,)])
            for system in quality
        }  # fmt: skip
    careful = means["careful"]
    assert careful["careful"] < careful["lead"] < careful["garbled"]
    shared = len(marked["careful"] & marked["noisy"]) / len(marked["noisy"])
    stray = len(marked["careful"] & marked["careless"]) / len(marked["careless"])
    assert shared > 0.5 > 2 * stray
    assert not marked["adversarial"]
