"""A new question type or check is one class and a line in its catalogue."""

from __future__ import annotations

import json

import pytest

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements import (
    CHECKS,
    QUESTION_TYPES,
    Answer,
    AnswerError,
    Entry,
    ProtocolError,
    Result,
    Task,
    assemble,
    check,
    configured,
    export_corpus,
    get_check,
    get_protocol,
    get_question_type,
    items_from,
    knowledge_from,
    make_slots,
    payload,
    protocol_from,
    read_answer,
    simulate,
    to_mapping,
)
from gistmark.records import Rating
from judgements.yes_no import PROTOCOL, YesNoAnswer


@pytest.fixture
def yes_no(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line in the catalogue."""
    monkeypatch.setitem(QUESTION_TYPES._builtin, "yes-no", "judgements.yes_no:YesNo")


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CHECKS._builtin, "odd", "judgements.yes_no:OddNumberCheck")


@pytest.mark.usefixtures("yes_no")
def test_a_new_question_type_goes_all_the_way_from_protocol_to_export(small: Corpus):
    protocol = protocol_from(json.loads(json.dumps(to_mapping(PROTOCOL))))
    assert protocol == PROTOCOL
    items = items_from(small, protocol)
    [slot, *_] = make_slots(items.items, protocol, seed=1)
    task = assemble(slot, "ann", items.by_id(), protocol, seed=1)
    seen = payload(task, protocol, small)
    assert (seen["kind"], seen["words"]["no"]) == ("yes-no", "No")
    knowledge = knowledge_from(small, {"lead": 1.0}, seed=1)
    sent = simulate(seen, "careful", knowledge, seed=1)
    answer = read_answer(json.loads(json.dumps(sent.answer)), protocol, task)
    assert read_answer(answer.to_mapping(), protocol, task) == answer
    exported = export_corpus(small, [Result(task, answer)], protocol)
    assert len(exported.ratings) == 2 * len(task.entries)
    [entry] = [each for each in task.entries if each.systems == ("lead",)]
    assert answer.items[entry.key] == YesNoAnswer(
        {"usable": True, "true": True}, seconds=answer.items[entry.key].seconds
    )
    assert Rating(entry.document, "lead", "ann", "usable", 1.0) in exported.ratings


@pytest.mark.usefixtures("yes_no")
def test_its_faults_are_found_and_a_draft_may_lack_anything():
    task = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead",)),))
    sent = {"items": {"1": {"replies": {"usable": "perhaps"}}}}
    with pytest.raises(AnswerError) as caught:
        read_answer(sent, PROTOCOL, task)
    assert [fault.field for fault in caught.value.faults] == [
        "items.1.replies.usable",
        "items.1.replies.true",
    ]
    assert read_answer({"items": {}}, PROTOCOL, task, draft=True) == Answer({"1": YesNoAnswer()})
    with pytest.raises(ProtocolError, match="a yes-no protocol has no scales"):
        configured(PROTOCOL, {"scale": {"form": "points", "low": 1, "high": 5}})
    with pytest.raises(ProtocolError, match="only summaries that are rated can be planted"):
        configured(PROTOCOL, {"checks": {"planted": "flag"}})


@pytest.mark.usefixtures("yes_no")
def test_it_takes_part_in_the_checks():
    protocol = configured(PROTOCOL, {"checks": {"straight_line": "flag"}})
    task = Task("1.1", "ann", 1, tuple(Entry(n, "bridge", ("lead",)) for n in ("1", "2", "3")))
    yes = YesNoAnswer({"usable": True, "true": True})
    [flag] = check(protocol, task, Answer(dict.fromkeys("123", yes))).flags
    assert flag.reason == "All 6 values of the task are 1."
    no = YesNoAnswer({"usable": True, "true": False})
    assert check(protocol, task, Answer({"1": yes, "2": yes, "3": no})).flags == ()


def test_an_unknown_question_type_is_an_error_that_names_the_known_ones():
    assert tuple(QUESTION_TYPES) == (
        "highlight", "rating", "comparison", "form", "units", "presence",
    )  # fmt: skip
    with pytest.raises(UsageError, match="question type"):
        get_question_type("ratings")
    with pytest.raises(ProtocolError, match="'rating' or 'comparison' or 'form' or 'units'"):
        protocol_from(to_mapping(PROTOCOL))


@pytest.mark.usefixtures("odd")
def test_a_new_check_is_set_described_and_decided_like_the_others():
    overall = get_protocol("overall")
    assert to_mapping(overall)["checks"]["odd"] == "off"
    strict = configured(overall, {"checks": {"odd": "reject", "too_fast": "off"}})
    assert get_check("odd").about == "the seconds must be even"
    task = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead",)),))
    verdict = check(strict, task, Answer(), elapsed=61.0)
    assert [(flag.kind, flag.reason) for flag in verdict.flags] == [
        ("odd", "The task took 61 seconds, an odd number.")
    ]
    assert not verdict.accepted
    assert check(strict, task, Answer(), elapsed=60.0).accepted
    with pytest.raises(ProtocolError, match=r"'checks\.odd' must be off where nothing is timed"):
        configured(overall, {"checks": {"odd": "flag", "too_fast": "off"}, "minimum_seconds": 0})


def test_a_check_that_is_not_there_is_refused():
    with pytest.raises(ProtocolError, match=r"'checks\.odd' is unknown; known: "):
        configured(get_protocol("overall"), {"checks": {"odd": "flag"}})
